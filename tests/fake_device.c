/* The device "test" and the toolchain "test_c" (fake_device.h): boards that misbehave
   as told, memory, launches, and the tuner's own kernels in C. */
#include "fake_device.h"
#include "base/memory.h"
#include "base/sandbox.h"
#include "space/spec.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* What an image begins with: anything else is refused. */
#define MAGIC "an image for device test\n"

struct fake_device fake;

/* ---- boards that workers have in several processes --------------------------- */

#define BOARDS_FOLDER "FAKE_BOARDS"
#define BOARDS_COUNT "FAKE_BOARDS_COUNT"

static unsigned opened; /* the board of this process */
static bool is_awake; /* everything but its info is there */

static const char *boards_path(const char *name, unsigned index, char *path)
{
	const char *folder = getenv(BOARDS_FOLDER);

	if (!folder)
		return NULL;
	snprintf(path, 512, "%.400s/%s-%u", folder, name, index);
	return path;
}

/* a file has a byte for each: appending one is whole, whoever else does */
static unsigned count_up(const char *name, unsigned index)
{
	char path[512];
	int file;
	unsigned count = 0;

	if (!boards_path(name, index, path))
		return 0;
	file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
	if (file < 0 || write(file, "x", 1) != 1)
		abort();
	count = (unsigned)lseek(file, 0, SEEK_CUR);
	close(file);
	return count;
}

static unsigned counted(const char *name, unsigned index)
{
	struct stat facts;
	char path[512];

	return boards_path(name, index, path) && !stat(path, &facts)
		       ? (unsigned)facts.st_size
		       : 0;
}

void fake_boards_tell(
	const char *folder, const struct fake_board *boards, unsigned count)
{
	static const char *const names[] = { "timed", "dead", "process", "compiled",
		"warmed", "clocks" };
	char text[128], path[512];

	setenv(BOARDS_FOLDER, folder, 1);
	snprintf(text, sizeof(text), "%u", count);
	setenv(BOARDS_COUNT, text, 1);
	for (unsigned i = 0; i < FAKE_BOARDS_MAX; i++) {
		for (size_t j = 0; j < AT_COUNT_OF(names); j++)
			remove(boards_path(names[j], i, path));
		if (i >= count)
			continue;
		snprintf(text, sizeof(text), "%g %u %d %u %d %d", boards[i].slowness,
			boards[i].dies_at, boards[i].stays_dead, boards[i].hangs_at,
			boards[i].stays_asleep, boards[i].is_shared);
		snprintf(path, sizeof(path), "FAKE_BOARD_%u", i);
		setenv(path, text, 1);
	}
}

static struct fake_board told_board(unsigned index)
{
	struct fake_board board = { 0 };
	char name[32];
	const char *text;
	int stays_dead = 0, stays_asleep = 0, is_shared = 0;

	snprintf(name, sizeof(name), "FAKE_BOARD_%u", index);
	text = getenv(name);
	if (text &&
		sscanf(text, "%lg %u %d %u %d %d", &board.slowness, &board.dies_at,
			&stays_dead, &board.hangs_at, &stays_asleep, &is_shared) != 6)
		abort();
	board.stays_dead = stays_dead;
	board.stays_asleep = stays_asleep;
	board.is_shared = is_shared;
	return board;
}

unsigned fake_board_timed(unsigned index)
{
	return counted("timed", index);
}

unsigned fake_compiled(void)
{
	return counted("compiled", 0);
}

unsigned fake_warmed(void)
{
	return counted("warmed", 0);
}

long fake_board_process(unsigned index)
{
	char path[512];
	FILE *file = fopen(boards_path("process", index, path), "r");
	long process = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%ld", &process) != 1)
		process = 0;
	fclose(file);
	return process;
}

void fake_board_bury(unsigned index)
{
	count_up("dead", index);
}

static bool is_dead(unsigned index)
{
	return counted("dead", index) > 0;
}

static void note_process(unsigned index)
{
	char path[512];
	FILE *file;

	if (!boards_path("process", index, path))
		return;
	file = fopen(path, "w");
	if (!file || fprintf(file, "%ld", (long)getpid()) < 0 || fclose(file))
		abort();
}

/* what a launch that is timed takes longer than it should */
static double misbehave(void)
{
	struct fake_board board = told_board(opened);
	unsigned count = count_up("timed", opened);

	if (board.dies_at && count == board.dies_at) {
		if (board.stays_dead)
			fake_board_bury(opened);
		_exit(3);
	}
	while (board.hangs_at && count == board.hangs_at)
		pause();
	return board.slowness > 0 ? board.slowness : 1;
}

/* ---- launches --------------------------------------------------------------- */

static void value(
	const struct fake_launch *launch, size_t argument, void *out, size_t bytes)
{
	assert_true(argument < launch->invocation->argument_count);
	memcpy(out, launch->invocation->arguments[argument].bytes, bytes);
}

#define VALUE_OF(name, type) \
	type name(const struct fake_launch *launch, size_t argument) \
	{ \
		type out; \
\
		value(launch, argument, &out, sizeof(out)); \
		return out; \
	}

VALUE_OF(fake_u64, uint64_t)
VALUE_OF(fake_u32, uint32_t)
VALUE_OF(fake_float, float)
VALUE_OF(fake_double, double)

void *fake_pointer(const struct fake_launch *launch, size_t argument)
{
	return (void *)(uintptr_t)fake_u64(launch, argument);
}

int64_t fake_macro(const char *source, const char *name)
{
	char line[64];
	const char *found;

	snprintf(line, sizeof(line), "#define %s ", name);
	found = strstr(source, line);
	return found ? strtoll(found + strlen(line), NULL, 10) : 0;
}

/* ---- the tuner's own kernels ---------------------------------------------------- */

static void fill(const struct fake_launch *launch)
{
	unsigned char *data = fake_pointer(launch, 0);
	enum at_element element = (enum at_element)fake_u32(launch, 2);
	size_t bytes = at_element_bytes(element);
	uint64_t count = fake_u64(launch, 1);

	for (uint64_t i = 0; i < count; i++) {
		int64_t whole = (int64_t)i + 1;
		float single = (float)whole;
		double real = (double)whole;
		const void *from = element == AT_ELEMENT_F32   ? (void *)&single
				   : element == AT_ELEMENT_F64 ? (void *)&real
							       : (void *)&whole;

		memcpy(data + i * bytes, from, bytes);
	}
}

static void pattern(const struct fake_launch *launch)
{
	memset(fake_pointer(launch, 0), (int)fake_u32(launch, 2), fake_u64(launch, 1));
}

static void note_first(uint64_t *count_and_first, uint64_t index)
{
	count_and_first[0]++;
	/* the complement: results of all checks begin at zero */
	if (~index > count_and_first[1])
		count_and_first[1] = ~index;
}

static void pattern_check(const struct fake_launch *launch)
{
	const unsigned char *data = fake_pointer(launch, 0);
	unsigned char expected = (unsigned char)fake_u32(launch, 2);
	uint64_t count = fake_u64(launch, 1);

	for (uint64_t i = 0; i < count; i++)
		if (data[i] != expected)
			note_first(fake_pointer(launch, 3), i);
}

static void checksum(const struct fake_launch *launch)
{
	const uint32_t *data = fake_pointer(launch, 0);
	uint64_t *sum = fake_pointer(launch, 2), count = fake_u64(launch, 1);

	for (uint64_t i = 0; i < count; i++)
		*sum = (*sum ^ data[i]) * 0x100000001b3u;
}

/* not the stream of a real device: nothing here looks for what it hides */
static unsigned char mask_byte(uint64_t key, uint64_t place)
{
	return (unsigned char)((key * (place / 8 + 1)) >> (8 * (place % 8)));
}

static void mask(const struct fake_launch *launch)
{
	unsigned char *data = fake_pointer(launch, 0);
	uint64_t bytes = 16 * fake_u64(launch, 1), key = fake_u64(launch, 2);

	for (uint64_t i = 0; i < bytes; i++)
		data[i] ^= mask_byte(key, i);
}

/* to the bit: whoever wants tolerances wants a real device */
static void compare(const struct fake_launch *launch)
{
	const unsigned char *actual = fake_pointer(launch, 0);
	const unsigned char *expected = fake_pointer(launch, 1);
	size_t bytes = at_element_bytes((enum at_element)fake_u32(launch, 3));
	uint64_t count = fake_u64(launch, 2) * bytes, key = fake_u64(launch, 4);

	for (uint64_t i = 0; i < count; i++)
		if (actual[i] != (expected[i] ^ mask_byte(key, i)))
			note_first(fake_pointer(launch, 8), i / bytes);
}

static void nothing(const struct fake_launch *launch)
{
}

static const struct fake_kernel own_kernels[] = {
	{ "at_fill", fill, NULL },
	{ "at_pattern", pattern, NULL },
	{ "at_pattern_check", pattern_check, NULL },
	{ "at_checksum", checksum, NULL },
	/* nothing is said of what is expected, and what is copied is not looked at */
	{ "at_scale", nothing, NULL },
	{ "at_widen", nothing, NULL },
	{ "at_narrow", nothing, NULL },
	{ "at_jolt", nothing, NULL },
	{ "at_relate", nothing, NULL },
	{ "at_padding", nothing, NULL },
	{ "at_compare", compare, NULL },
	{ "at_flush", nothing, NULL },
	{ "at_poison_shared", nothing, NULL },
	{ "at_mask", mask, NULL },
	{ "at_variables", nothing, NULL },
	{ "at_poison_local", nothing, NULL },
	{ "at_crowd", nothing, NULL },
	{ "at_nothing", nothing, NULL },
	{ "at_garbage", nothing, NULL },
	{ NULL, NULL, NULL },
};

static const struct fake_kernel *find_kernel(const char *name)
{
	const struct fake_kernel *const tables[] = { fake.kernels, own_kernels };

	for (size_t i = 0; i < AT_COUNT_OF(tables); i++)
		for (const struct fake_kernel *at = tables[i]; at && at->name; at++)
			if (!strcmp(at->name, name))
				return at;
	return NULL;
}

/* ---- the toolchain --------------------------------------------------------------- */

static enum at_status compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	struct at_strbuf log = { 0 }, image = { 0 };

	count_up("compiled", 0);
	if (fake.compiles && !fake.compiles(request->source))
		at_strbuf_addf(&log, "%s: error: bad\n", request->name);
	for (size_t i = 0; i < request->kernel_count; i++)
		if (!find_kernel(request->kernels[i]))
			at_strbuf_addf(&log, "%s: error: there is no kernel %s\n",
				request->name, request->kernels[i]);
	result->outcome = log.length ? AT_OUTCOME_COMPILE_FAILED : AT_OUTCOME_OK;
	result->log = at_strdup(at_strbuf_text(&log));
	at_strbuf_release(&log);
	if (result->outcome != AT_OUTCOME_OK)
		return result->log ? AT_OK : at_fail_memory(err);
	at_strbuf_add(&image, MAGIC);
	at_strbuf_add(&image, request->source);
	result->image_bytes = image.length;
	result->image = (unsigned char *)at_strbuf_detach(&image);
	result->kernels = calloc(request->kernel_count + 1, sizeof(*result->kernels));
	if (!result->log || !result->image || !result->kernels)
		return at_fail_memory(err);
	for (size_t i = 0; i < request->kernel_count; i++) {
		result->kernels[result->kernel_count++] = (struct at_kernel_facts){
			.name = at_strdup(request->kernels[i]),
			.symbol = at_strdup(request->kernels[i]),
			.registers = -1,
			.local_bytes = -1,
			.spill_store_bytes = -1,
			.spill_load_bytes = -1,
			.shared_bytes = -1,
			.constant_bytes = -1,
			.max_threads = -1,
			.barriers = -1,
		};
		if (!result->kernels[i].name || !result->kernels[i].symbol)
			return at_fail_memory(err);
	}
	return AT_OK;
}

static enum at_status version(char *buffer, size_t size, struct at_error *err)
{
	snprintf(buffer, size, "test toolchain 1");
	return AT_OK;
}

static void warm(void)
{
	count_up("warmed", 0);
}

const struct at_toolchain fake_toolchain = {
	.name = "test_c",
	.compile = compile,
	.warm = warm,
	.version = version,
};

/* ---- opening ------------------------------------------------------------------ */

static enum at_status wake(struct at_device *self, struct at_error *err)
{
	if (told_board(opened).stays_asleep)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"device \"test:%u\" does not wake", opened);
	is_awake = true;
	return AT_OK;
}

/* ---- memory ------------------------------------------------------------------ */

struct at_memory {
	struct at_memory *next; /* of those that are live: a lost device leaves some */
	unsigned char *data;
	uint64_t bytes;
};

static struct at_memory *memories;

static void count_call(void)
{
	fake.calls_after_loss += fake.lost;
}

static enum at_status allocate(struct at_device *self, uint64_t bytes,
	struct at_memory **out, struct at_error *err)
{
	count_call();
	/* whoever opens a device in part has to wake it before anything else */
	if (!is_awake)
		abort();
	if (bytes > fake.largest_bytes)
		fake.largest_bytes = bytes;
	if (fake.live_max && fake.live >= fake.live_max)
		return at_fail(err, AT_ENOMEM, NULL, 0, "it is full");
	*out = calloc(1, sizeof(**out));
	assert_non_null(*out);
	(*out)->bytes = bytes;
	(*out)->data = aligned_alloc(256, (bytes + 255) / 256 * 256);
	assert_non_null((*out)->data);
	(*out)->next = memories;
	memories = *out;
	fake.live++;
	return AT_OK;
}

static void release(struct at_device *self, struct at_memory *memory)
{
	struct at_memory **link = &memories;

	count_call();
	fake.live--;
	while (*link != memory)
		link = &(*link)->next;
	*link = memory->next;
	free(memory->data);
	free(memory);
}

static uint64_t address(struct at_device *self, struct at_memory *memory)
{
	return (uint64_t)(uintptr_t)memory->data;
}

static enum at_status write_memory(struct at_device *self, struct at_memory *memory,
	uint64_t offset_bytes, const void *data, uint64_t bytes, struct at_error *err)
{
	count_call();
	assert_true(
		offset_bytes <= memory->bytes && bytes <= memory->bytes - offset_bytes);
	memcpy(memory->data + offset_bytes, data, bytes);
	return AT_OK;
}

static enum at_status read_memory(struct at_device *self, struct at_memory *memory,
	uint64_t offset_bytes, void *data, uint64_t bytes, struct at_error *err)
{
	count_call();
	assert_true(
		offset_bytes <= memory->bytes && bytes <= memory->bytes - offset_bytes);
	memcpy(data, memory->data + offset_bytes, bytes);
	return AT_OK;
}

/* ---- modules ----------------------------------------------------------------- */

struct at_kernel {
	struct at_kernel *next;
	const struct fake_kernel *kernel;
	const char *source; /* of the module */
};

struct at_module {
	struct at_module *next; /* of those that are live */
	char *source;
	struct at_kernel *kernels; /* that were asked for */
};

static struct at_module *modules;

static enum at_outcome load(struct at_device *self, const unsigned char *image,
	size_t bytes, struct at_module **out, struct at_error *err)
{
	size_t start = strlen(MAGIC);

	count_call();
	if (bytes < start || memcmp(image, MAGIC, start) != 0) {
		at_fail(err, AT_EINVAL, NULL, 0, "it is no image for device test");
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	*out = calloc(1, sizeof(**out));
	assert_non_null(*out);
	(*out)->source = at_strndup((const char *)image + start, bytes - start);
	assert_non_null((*out)->source);
	(*out)->next = modules;
	modules = *out;
	fake.live++;
	return AT_OUTCOME_OK;
}

static void unload(struct at_device *self, struct at_module *module)
{
	struct at_module **link = &modules;

	count_call();
	fake.live--;
	while (*link != module)
		link = &(*link)->next;
	*link = module->next;
	while (module->kernels) {
		struct at_kernel *next = module->kernels->next;

		free(module->kernels);
		module->kernels = next;
	}
	free(module->source);
	free(module);
}

static struct at_kernel *find(
	struct at_device *self, struct at_module *module, const char *symbol)
{
	const struct fake_kernel *kernel = find_kernel(symbol);
	struct at_kernel *found;

	if (!kernel)
		return NULL;
	found = calloc(1, sizeof(*found));
	assert_non_null(found);
	*found = (struct at_kernel){ module->kernels, kernel, module->source };
	module->kernels = found;
	return found;
}

static enum at_outcome set_symbol(struct at_device *self, struct at_module *module,
	const char *name, const void *data, uint64_t bytes, bool *found,
	struct at_error *err)
{
	count_call();
	*found = false;
	return AT_OUTCOME_OK;
}

/* ---- running ----------------------------------------------------------------- */

static struct fake_launch launch_of(const struct at_invocation *call)
{
	return (struct fake_launch){ call, call->kernel->source };
}

/* what launches drew, and how long they took, by the energy counter's clock */
static double drawn_joules, drawn_ns = 1e9;

static void draw(double ns, double watts)
{
	drawn_joules += ns * 1e-9 * watts;
	drawn_ns += ns;
}

static enum at_outcome run(struct at_device *self, const struct at_invocation *calls,
	size_t count, struct at_error *err)
{
	count_call();
	for (size_t i = 0; i < count; i++) {
		struct fake_launch launch = launch_of(&calls[i]);
		const struct fake_kernel *kernel = calls[i].kernel->kernel;

		kernel->run(&launch);
		if (fake.watts && kernel->time_ns)
			draw(1e3 * kernel->time_ns(&launch), fake.watts(&launch));
	}
	return AT_OUTCOME_OK;
}

/* it moves every 50 ms */
static enum at_status energy(
	struct at_device *self, struct at_energy *out, struct at_error *err)
{
	static double moved_ns;
	static uint64_t millijoules;

	if (!fake.watts)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0, "it counts no energy");
	draw(1e5, 10);
	if (drawn_ns - moved_ns >= 50e6) {
		moved_ns = drawn_ns;
		millijoules = (uint64_t)(drawn_joules * 1e3);
	}
	*out = (struct at_energy){ millijoules, (uint64_t)drawn_ns };
	return AT_OK;
}

static double celsius(struct at_device *self)
{
	return 50;
}

static enum at_outcome time_launches(struct at_device *self,
	const struct at_invocation *before, size_t before_count,
	const struct at_invocation *timed, size_t timed_count, unsigned launches,
	double *duration_ns, struct at_error *err)
{
	const struct fake_kernel *kernel = timed->kernel->kernel;
	struct fake_launch launch = launch_of(timed);

	count_call();
	if (fake.times) {
		fake.lost = fake.times == AT_OUTCOME_CRASHED;
		at_fail(err, AT_EDEVICE, NULL, 0, "a kernel died");
		return fake.times;
	}
	run(self, before, before_count, err);
	for (unsigned i = 0; i < launches && !fake.skips; i++) {
		struct fake_launch one = launch_of(&timed[i % timed_count]);

		kernel->run(&one);
	}
	*duration_ns = misbehave();
	*duration_ns *= (kernel->time_ns ? kernel->time_ns(&launch) : 1000) * launches;
	if (fake.stands_still)
		*duration_ns = 0;
	return AT_OUTCOME_OK;
}

static enum at_outcome time_copy(struct at_device *self, struct at_memory *to,
	struct at_memory *from, uint64_t bytes, unsigned copies, double *duration_ns,
	struct at_error *err)
{
	count_call();
	memcpy(to->data, from->data, (size_t)((double)bytes * (1 - fake.copy_lacks)));
	*duration_ns = fake.copy_ns * copies;
	return AT_OUTCOME_OK;
}

static void state(struct at_device *self, struct at_device_state *out)
{
	memset(out, 0, sizeof(*out));
}

/* ---- the device -------------------------------------------------------------- */

static void close_device(struct at_device *self)
{
	while (memories)
		release(self, memories);
	while (modules)
		unload(self, modules);
	free(self);
}

static size_t neighbours(
	struct at_device *base, struct at_neighbour *neighbours, size_t room)
{
	static const struct at_neighbour others[] = { { 17, 0, "" },
		{ 18, (uint64_t)3 << 20, "trainer" }, { 19, 0, "test_workers" } };
	size_t count = told_board(opened).is_shared ? AT_COUNT_OF(others) : 0;

	for (size_t i = 0; i < count && i < room; i++)
		neighbours[i] = others[i];
	return count;
}

/* ---- clocks, as a log of what is done to the board ------------------------------- */

#define OWN_MILLIWATTS 250000

static void note_clocks(
	const char *what, unsigned index, const struct at_clocks *clocks)
{
	char path[512];
	FILE *file;

	if (!boards_path("clocks", index, path))
		return;
	file = fopen(path, "a");
	if (!file ||
		fprintf(file, "%s %u %u %u\n", what, (unsigned)clocks->clock_mhz,
			(unsigned)clocks->memory_clock_mhz,
			(unsigned)clocks->power_milliwatts) < 0 ||
		fclose(file))
		abort();
}

static enum at_status set_clocks(
	struct at_device *self, const struct at_clocks *clocks, struct at_error *err)
{
	(void)self;
	if (getenv("FAKE_NO_CLOCKS") && at_clocks_are_set(clocks))
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0, "no such right");
	note_clocks("set", opened, clocks);
	return AT_OK;
}

static uint32_t power_milliwatts(struct at_device *self)
{
	(void)self;
	return OWN_MILLIWATTS;
}

static enum at_status restore_clocks(
	const char *uuid, const struct at_clocks *left, struct at_error *err)
{
	(void)err;
	note_clocks("left", (unsigned)atoi(uuid + strlen("test-")), left);
	return AT_OK;
}

void fake_board_clocks(unsigned index, char *text, size_t size)
{
	char path[512];
	FILE *file = fopen(boards_path("clocks", index, path), "r");

	text[file ? fread(text, 1, size - 1, file) : 0] = '\0';
	if (file)
		fclose(file);
}

static const struct at_device_ops ops = {
	.close = close_device,
	.wake = wake,
	.allocate = allocate,
	.release = release,
	.address = address,
	.write = write_memory,
	.read = read_memory,
	.load = load,
	.unload = unload,
	.find = find,
	.set_symbol = set_symbol,
	.run = run,
	.time = time_launches,
	.state = state,
	.energy = energy,
	.celsius = celsius,
	.neighbours = neighbours,
	.set_clocks = set_clocks,
	.power_milliwatts = power_milliwatts,
};

static enum at_status count(unsigned *out, struct at_error *err)
{
	const char *told = getenv(BOARDS_COUNT);

	*out = told ? (unsigned)atoi(told) : 2;
	return AT_OK;
}

static bool describe(const char *architecture, struct at_device_info *out)
{
	if (strcmp(architecture, "test_1") != 0)
		return false;
	snprintf(out->kind, sizeof(out->kind), "test");
	snprintf(out->architecture, sizeof(out->architecture), "test_1");
	snprintf(out->toolchain, sizeof(out->toolchain), "%s", fake_toolchain.name);
	/* little to flush, and processors enough for measure/ceilings.c */
	at_properties_set(&out->properties, AT_PROPERTY_L2_BYTES, 4096);
	at_properties_set(&out->properties, AT_PROPERTY_MULTIPROCESSOR_COUNT, 2);
	if (fake.memory_bytes)
		at_properties_set(&out->properties, AT_PROPERTY_MEMORY_BYTES,
			(int64_t)fake.memory_bytes);
	return true;
}

static enum at_status open_device(
	unsigned index, struct at_device **out, struct at_error *err)
{
	static struct at_device_ops with_copy;
	struct at_device *self;
	unsigned there;

	count(&there, err);
	if (index >= there || is_dead(index))
		return at_fail(err, AT_ENOENT, NULL, 0,
			"there is no device \"test:%u\"", index);
	opened = index;
	note_process(index);
	self = calloc(1, sizeof(*self));
	assert_non_null(self);
	is_awake = false;
	with_copy = ops;
	with_copy.time_copy = time_copy;
	self->ops = fake.copy_ns > 0 ? &with_copy : &ops;
	self->resolution_ns = 1;
	describe("test_1", &self->info);
	at_device_id(&fake_device_kind, index, self->info.id, sizeof(self->info.id));
	snprintf(self->info.model, sizeof(self->info.model), "Test device");
	snprintf(self->info.driver, sizeof(self->info.driver), "1");
	snprintf(self->info.uuid, sizeof(self->info.uuid), "test-%u", index);
	self->info.offer = (struct at_clocks_offer){
		.clocks_mhz = { 1500, 1005, 1485 },
		.power_milliwatts = { 99600, 300000 },
	};
	*out = self;
	return AT_OK;
}

const struct at_device_kind fake_device_kind = {
	.name = "test",
	.summary = "functions of a test",
	.by_default = AT_DEVICE_ON_REQUEST,
	.count = count,
	.open = open_device,
	.toolchain = "test_c",
	/* by a program of that name that tests bring along */
	.has_sanitizer = true,
	.describe = describe,
	.restore_clocks = restore_clocks,
};

void fake_device_add(void)
{
	/* the toolchain counts in files, from compile workers too */
	at_sandbox_lift();
	struct at_error err = { 0 };

	if (at_device_add(&fake_device_kind, &err) ||
		at_toolchain_add(&fake_toolchain, &err))
		fail_msg("%s", err.text);
}
