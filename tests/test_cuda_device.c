/*
 * The cuda device against a driver made of the functions below: what it asks of
 * the driver, in which order, and what it makes of each way of failing. Needs no
 * GPU; tests/test_cuda.c is its counterpart with one.
 */
#include "base/file.h"
#include "device/cuda/cuda.h"
#include "device/cuda/cuda_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the driver --------------------------------------------------------- */

#define ILLEGAL_ADDRESS 700
#define ANY 9

static struct {
	char log[4096]; /* one letter a call that goes to the stream, or a kernel's name
			 */
	int live; /* contexts, streams, events, pinned and device memory, modules */
	unsigned code[32]; /* what these calls return; see enum call */
	unsigned refuse_at; /* the launch (from 1) that is refused with code[LAUNCH] */
	unsigned launches;
	unsigned pending; /* since the stream began to wait */
	uint32_t word; /* of the gate */
	uint32_t awaited;
	bool waiting;
	int shared_limit;
	unsigned set_calls;
	size_t parameter_count;
	unsigned char parameter[16];
	uint32_t grid_x;
} fake;

enum call {
	INIT,
	COUNT,
	GET,
	NAME,
	ATTRIBUTE,
	RETAIN,
	USE,
	STREAM,
	EVENT,
	PINNED,
	ADDRESS,
	WAIT,
	SYNCHRONIZE,
	RECORD,
	ELAPSED,
	LAUNCH,
	SET,
	ALLOCATE,
	COPY,
	LOAD,
	FUNCTION,
	GLOBAL,
	PARAMETER_INFO,
};

static void note(char letter)
{
	size_t length = strlen(fake.log);

	if (length + 1 < sizeof(fake.log))
		fake.log[length] = letter;
}

static unsigned make(enum call call, void *out)
{
	static int object;
	void *made = &object;

	if (fake.code[call])
		return fake.code[call];
	fake.live++;
	memcpy(out, &made, sizeof(made));
	return 0;
}

static unsigned unmake(void)
{
	fake.live--;
	return 0;
}

static bool gate_is_closed(void)
{
	return fake.waiting && (int32_t)(fake.word - fake.awaited) < 0;
}

/* A thousand calls behind a closed gate block the host for ever. */
static unsigned queue(char letter, unsigned code)
{
	note(letter);
	if (gate_is_closed() && ++fake.pending > 1000)
		fail_msg("the queue is full and the gate is closed: deadlock");
	return code;
}

static unsigned fake_init(unsigned flags)
{
	(void)flags;
	return fake.code[INIT];
}

static unsigned fake_driver_version(int *version)
{
	*version = 13010;
	return 0;
}

static unsigned fake_error_name(unsigned code, const char **name)
{
	static char text[32];

	if (code == ANY)
		return 1;
	snprintf(text, sizeof(text), "NAME_%u", code);
	*name = text;
	return 0;
}

static unsigned fake_error_text(unsigned code, const char **text)
{
	(void)code;
	*text = "its text";
	return 0;
}

static unsigned fake_device_count(int *count)
{
	*count = 2;
	return fake.code[COUNT];
}

static unsigned fake_device_get(int *device, int index)
{
	*device = 40 + index;
	return fake.code[GET];
}

static unsigned fake_device_name(char *name, int size, int device)
{
	assert_int_equal(device, 41);
	snprintf(name, (size_t)size, "Fake GPU");
	return fake.code[NAME];
}

static unsigned fake_device_uuid(struct CUuuid_st *uuid, int device)
{
	unsigned char *bytes = (unsigned char *)uuid;

	(void)device;
	for (int i = 0; i < 16; i++)
		bytes[i] = (unsigned char)(16 * i + i);
	return 0;
}

static unsigned fake_device_bus_id(char *id, int size, int device)
{
	(void)device;
	snprintf(id, (size_t)size, "0000:00:00.0");
	return 0;
}

static unsigned fake_device_memory(size_t *bytes, int device)
{
	(void)device;
	*bytes = (size_t)3 << 30;
	return 0;
}

static unsigned fake_device_attribute(int *value, unsigned attribute, int device)
{
	(void)device;
	*value = 0;
	if (attribute == AT_CUDA_CAPABILITY_MAJOR)
		*value = 9;
	if (attribute == AT_CUDA_MAX_SHARED_PER_BLOCK)
		*value = 49152;
	if (attribute == AT_CUDA_MAX_SHARED_PER_BLOCK_OPTIN)
		*value = 232448;
	if (attribute == AT_CUDA_CLOCK_KHZ)
		*value = 1980000;
	return attribute == AT_CUDA_WARP_SIZE ? 1 : fake.code[ATTRIBUTE];
}

static unsigned fake_context_retain(struct CUctx_st **context, int device)
{
	(void)device;
	return make(RETAIN, context);
}

static unsigned fake_context_release(int device)
{
	assert_int_equal(device, 41);
	return unmake();
}

static unsigned fake_context_use(struct CUctx_st *context)
{
	return context ? fake.code[USE] : 0;
}

static unsigned fake_module_load(struct CUmod_st **module, const void *image)
{
	assert_memory_equal(image, "\177ELF", 4);
	return make(LOAD, module);
}

static unsigned fake_module_unload(struct CUmod_st *module)
{
	(void)module;
	return unmake();
}

/* A kernel is its name: its first letter goes to the log. */
static unsigned fake_module_function(
	struct CUfunc_st **function, struct CUmod_st *module, const char *name)
{
	(void)module;
	if (fake.code[FUNCTION])
		return fake.code[FUNCTION];
	*function = (struct CUfunc_st *)(uintptr_t)name[0];
	return 0;
}

/* "s": 8 bytes at 0x1008; another name: no such variable */
static unsigned fake_module_global(unsigned long long *address, size_t *bytes,
	struct CUmod_st *module, const char *name)
{
	assert_non_null(module);
	if (fake.code[GLOBAL])
		return fake.code[GLOBAL];
	*address = 0x1008;
	*bytes = 8;
	return strcmp(name, "s") ? AT_CUDA_NOT_FOUND : 0;
}

static unsigned fake_function_attribute(
	int *value, unsigned attribute, struct CUfunc_st *function)
{
	(void)function;
	assert_int_equal(attribute, AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES);
	*value = 49152 - 400;
	return 0;
}

static unsigned fake_function_set(
	struct CUfunc_st *function, unsigned attribute, int value)
{
	(void)function;
	assert_int_equal(attribute, AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES);
	assert_false(gate_is_closed());
	fake.shared_limit = value;
	fake.set_calls++;
	return fake.code[SET];
}

static unsigned fake_function_parameter(
	struct CUfunc_st *function, size_t index, size_t *offset, size_t *bytes)
{
	(void)function;
	*offset = 8 * index;
	*bytes = 8;
	return index < fake.parameter_count ? 0 : AT_CUDA_INVALID_VALUE;
}

static unsigned fake_memory_allocate(unsigned long long *address, size_t bytes)
{
	(void)bytes;
	if (fake.code[ALLOCATE])
		return fake.code[ALLOCATE];
	fake.live++;
	*address = 0x1000;
	return 0;
}

static unsigned fake_memory_free(unsigned long long address)
{
	assert_int_equal(address, 0x1000);
	return unmake();
}

static unsigned fake_memory_info(size_t *free_bytes, size_t *total)
{
	*free_bytes = 5;
	*total = 10;
	return 0;
}

static unsigned fake_copy_to_device(unsigned long long to, const void *from,
	size_t bytes, struct CUstream_st *stream)
{
	(void)from;
	assert_non_null(stream);
	assert_int_equal(to, 0x1008);
	assert_int_equal(bytes, 8);
	return queue('>', fake.code[COPY]);
}

static unsigned fake_copy_to_host(
	void *to, unsigned long long from, size_t bytes, struct CUstream_st *stream)
{
	assert_non_null(stream);
	assert_int_equal(from, 0x1008);
	memset(to, 7, bytes);
	return queue('<', fake.code[COPY]);
}

static unsigned fake_copy_within(unsigned long long to, unsigned long long from,
	size_t bytes, struct CUstream_st *stream)
{
	assert_non_null(stream);
	assert_int_equal(to, 0x1000);
	assert_int_equal(from, 0x1000);
	assert_int_equal(bytes, 16);
	return queue('=', fake.code[COPY]);
}

static unsigned fake_pinned_allocate(void **memory, size_t bytes, unsigned flags)
{
	assert_int_equal(bytes, 4);
	assert_int_equal(flags, AT_CUDA_PINNED_DEVICE_MAP);
	if (fake.code[PINNED])
		return fake.code[PINNED];
	fake.live++;
	*memory = &fake.word;
	return 0;
}

static unsigned fake_pinned_free(void *memory)
{
	assert_ptr_equal(memory, &fake.word);
	return unmake();
}

static unsigned fake_pinned_address(
	unsigned long long *address, void *memory, unsigned flags)
{
	(void)memory;
	(void)flags;
	*address = 0x2000;
	return fake.code[ADDRESS];
}

static unsigned fake_stream_create(struct CUstream_st **stream, unsigned flags)
{
	assert_int_equal(flags, AT_CUDA_STREAM_NON_BLOCKING);
	return make(STREAM, stream);
}

static unsigned fake_stream_destroy(struct CUstream_st *stream)
{
	(void)stream;
	return unmake();
}

static unsigned fake_stream_synchronize(struct CUstream_st *stream)
{
	(void)stream;
	note('Y');
	if (gate_is_closed())
		fail_msg("waiting for a stream whose gate is closed: deadlock");
	fake.waiting = false;
	return fake.code[SYNCHRONIZE];
}

static unsigned fake_stream_wait_value(struct CUstream_st *stream,
	unsigned long long address, unsigned value, unsigned flags)
{
	(void)stream;
	assert_int_equal(address, 0x2000);
	assert_int_equal(flags, AT_CUDA_STREAM_WAIT_GEQ);
	note('W');
	if (fake.code[WAIT])
		return fake.code[WAIT];
	fake.waiting = true;
	fake.awaited = value;
	fake.pending = 1;
	assert_true(gate_is_closed());
	return 0;
}

static unsigned fake_event_create(struct CUevent_st **event, unsigned flags)
{
	assert_int_equal(flags, AT_CUDA_EVENT_DEFAULT);
	return make(EVENT, event);
}

static unsigned fake_event_destroy(struct CUevent_st *event)
{
	(void)event;
	return unmake();
}

static unsigned fake_event_record(struct CUevent_st *event, struct CUstream_st *stream)
{
	(void)event;
	(void)stream;
	return queue('R', fake.code[RECORD]);
}

static unsigned fake_event_elapsed(
	float *milliseconds, struct CUevent_st *start, struct CUevent_st *stop)
{
	(void)start;
	(void)stop;
	*milliseconds = 0.25f;
	return fake.code[ELAPSED];
}

static unsigned fake_launch(struct CUfunc_st *function, unsigned grid_x,
	unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
	unsigned block_z, unsigned shared_bytes, struct CUstream_st *stream,
	void **parameters, void **extra)
{
	(void)shared_bytes;
	assert_non_null(stream);
	assert_null(extra);
	assert_int_equal(grid_y, 2);
	assert_int_equal(grid_z, 3);
	assert_int_equal(block_x, 4);
	assert_int_equal(block_y, 5);
	assert_int_equal(block_z, 6);
	fake.grid_x = grid_x;
	for (size_t i = 0; i < fake.parameter_count; i++)
		memcpy(&fake.parameter[8 * i], parameters[i], 8);
	fake.launches++;
	return queue((char)(uintptr_t)function,
		fake.launches == fake.refuse_at ? fake.code[LAUNCH] : 0);
}

#define FAKE(member, symbol, required, parameters) .member = fake_##member,

static const struct at_cuda_driver driver = { AT_CUDA_FUNCTIONS(FAKE) };

/* ---- helpers ------------------------------------------------------------ */

static void expect_status(
	enum at_status got, enum at_status want, const struct at_error *err)
{
	if (got != want)
		fail_msg("status %d, not %d: %s", (int)got, (int)want, err->text);
}

static struct at_device *open_device(const struct at_cuda_driver *with)
{
	struct at_device *device;
	struct at_error err = { 0 };

	expect_status(at_cuda_open_with(with, 1, &device, &err), AT_OK, &err);
	fake.log[0] = '\0';
	memset(fake.log, 0, sizeof(fake.log));
	return device;
}

static struct at_module *load_module(struct at_device *device)
{
	struct at_module *module;
	char *image;
	size_t size;

	assert_int_equal(at_file_read(AT_TEST_DIR "/data/cubin/cuda13_sm_90.cubin", 0,
				 &image, &size, NULL),
		AT_OK);
	assert_int_equal(
		device->ops->load(device, (unsigned char *)image, size, &module, NULL),
		AT_OUTCOME_OK);
	free(image);
	return module;
}

struct bench {
	struct at_device *device;
	struct at_module *module;
	struct at_parameter_value values[2];
	struct at_invocation kernel; /* "k" */
	struct at_invocation flush; /* "f" */
};

static int make_bench(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	assert_non_null(bench);
	memset(&fake, 0, sizeof(fake));
	fake.parameter_count = 2;
	bench->device = open_device(&driver);
	bench->module = load_module(bench->device);
	memset(&bench->values[0], 1, sizeof(bench->values[0]));
	memset(&bench->values[1], 2, sizeof(bench->values[1]));
	bench->kernel = (struct at_invocation){ .grid = { 1, 2, 3 },
		.block = { 4, 5, 6 },
		.argument_count = 2,
		.arguments = bench->values };
	bench->flush = bench->kernel;
	bench->kernel.kernel =
		bench->device->ops->find(bench->device, bench->module, "k");
	bench->flush.kernel =
		bench->device->ops->find(bench->device, bench->module, "f");
	assert_non_null(bench->kernel.kernel);
	*state = bench;
	return 0;
}

static int release_bench(void **state)
{
	struct bench *bench = *state;

	bench->device->ops->unload(bench->device, bench->module);
	bench->device->ops->close(bench->device);
	free(bench);
	assert_int_equal(fake.live, 0);
	return 0;
}

static enum at_outcome run(struct bench *bench, struct at_error *err)
{
	return bench->device->ops->run(bench->device, &bench->kernel, 1, err);
}

static enum at_outcome take_time(
	struct bench *bench, unsigned launches, double *ns, struct at_error *err)
{
	return bench->device->ops->time(
		bench->device, &bench->flush, 1, &bench->kernel, 1, launches, ns, err);
}

/* ---- opening ------------------------------------------------------------ */

static void describes_the_device(void **state)
{
	struct bench *bench = *state;
	const struct at_device_info *info = &bench->device->info;
	const struct at_properties *properties = &info->properties;

	assert_string_equal(info->kind, "cuda");
	assert_string_equal(info->id, "cuda:1");
	assert_string_equal(info->model, "Fake GPU");
	assert_string_equal(info->uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
	assert_string_equal(info->architecture, "sm_90");
	assert_non_null(strstr(info->driver, "CUDA 13.1"));
	assert_string_equal(info->toolchain, "nvrtc");
	assert_false(info->shares_cores);
	assert_int_equal(properties->value[AT_PROPERTY_COMPUTE_CAPABILITY], 90);
	assert_int_equal(properties->value[AT_PROPERTY_MEMORY_BYTES], 3LL << 30);
	assert_int_equal(properties->value[AT_PROPERTY_CLOCK_HZ], 1980000000);
	assert_int_equal(
		properties->value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK],
		232448);
	/* none is kept, which is a fact; no L2 is not, and a refused question neither
	 */
	assert_true(properties->known[AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK]);
	assert_false(properties->known[AT_PROPERTY_L2_BYTES]);
	assert_false(properties->known[AT_PROPERTY_WARP_SIZE]);
}

static void names_the_devices_there_are(void **state)
{
	struct at_device *device;
	struct at_error err = { 0 };

	(void)state;
	memset(&fake, 0, sizeof(fake));
	assert_int_equal(at_cuda_open_with(&driver, 2, &device, &err), AT_ENOENT);
	assert_string_equal(
		err.text, "there is no cuda:2; the driver shows 2 (cuda:0 to cuda:1)");
}

static void releases_everything_when_a_step_of_opening_fails(void **state)
{
	static const enum call steps[] = { COUNT, GET, NAME, ATTRIBUTE, RETAIN, USE,
		STREAM, EVENT };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct at_device *device;
		struct at_error err = { 0 };

		memset(&fake, 0, sizeof(fake));
		fake.code[steps[i]] = AT_CUDA_DEVICE_UNAVAILABLE;
		expect_status(at_cuda_open_with(&driver, 1, &device, &err),
			AT_EUNAVAILABLE, &err);
		assert_non_null(
			strstr(err.text, ": NAME_46 (its text); another process"));
		assert_int_equal(fake.live, 0);
	}
}

/* what compiles for it can begin while the context is made; INIT: nothing fails */
static void is_known_before_it_is_woken(void **state)
{
	static const enum call steps[] = { INIT, RETAIN, USE, STREAM, EVENT };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct at_device *device;
		struct at_error err = { 0 };

		memset(&fake, 0, sizeof(fake));
		if (steps[i] != INIT)
			fake.code[steps[i]] = AT_CUDA_DEVICE_UNAVAILABLE;
		expect_status(
			at_cuda_begin_with(&driver, 1, &device, &err), AT_OK, &err);
		assert_int_equal(fake.live, 0);
		assert_string_equal(device->info.kind, "cuda");
		assert_string_equal(device->info.architecture, "sm_90");
		assert_int_equal(device->ops->wake(device, &err),
			steps[i] == INIT ? AT_OK : AT_EUNAVAILABLE);
		device->ops->close(device);
		assert_int_equal(fake.live, 0);
	}
}

static void says_what_to_do_about_a_driver_that_does_not_start(void **state)
{
	static const struct {
		unsigned code;
		const char *text;
	} rows[] = {
		{ AT_CUDA_NO_DEVICE,
			"cuInit: NAME_100 (its text); the driver is there, but no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES" },
		{ AT_CUDA_STUB_LIBRARY,
			"cuInit: NAME_34 (its text); this is the toolkit's stub and no driver: take its folder out of LD_LIBRARY_PATH" },
		{ ANY, "cuInit: CUDA error 9" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };

		memset(&fake, 0, sizeof(fake));
		fake.code[INIT] = rows[i].code;
		assert_int_equal(at_cuda_driver_start(&driver, &err), AT_EUNAVAILABLE);
		assert_string_equal(err.text, rows[i].text);
		assert_string_equal(getenv("CUDA_MODULE_LOADING"), "EAGER");
	}
}

static void says_that_there_is_no_driver_and_what_to_do(void **state)
{
	static const char *const candidates[] = { "/nowhere/libcuda.so.1" };
	struct at_cuda_driver none;
	struct at_error err = { 0 };

	(void)state;
	assert_int_equal(
		at_cuda_driver_load(&none, candidates, 1, &err), AT_EUNAVAILABLE);
	assert_string_equal(err.text,
		"no NVIDIA driver on this machine: install one to tune on a GPU, else --device host tunes on the CPU; tried /nowhere/libcuda.so.1");
}

static void finds_the_version_of_the_kernel_module(void **state)
{
	static const char *const rows[][2] = {
		{ "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue Jan 6\n"
		  "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n",
			"580.159.04" },
		{ "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  535.54  Release\n",
			"535.54" },
		{ "NVRM version: none\n", "" },
		{ "", "" },
	};
	char version[40];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		at_cuda_parse_version(rows[i][0], version, sizeof(version));
		assert_string_equal(version, rows[i][1]);
	}
}

/* ---- memory and modules ------------------------------------------------- */

static void copies_within_a_buffer_through_the_stream_of_the_kernels(void **state)
{
	struct bench *bench = *state;
	struct at_device *device = bench->device;
	struct at_error err = { 0 };
	struct at_memory *memory;
	unsigned char data[8] = { 0 };

	assert_int_equal(device->ops->allocate(device, 16, &memory, NULL), AT_OK);
	assert_int_equal(device->ops->address(device, memory), 0x1000);
	assert_int_equal(device->ops->write(device, memory, 8, data, 8, NULL), AT_OK);
	assert_int_equal(device->ops->read(device, memory, 8, data, 8, NULL), AT_OK);
	assert_int_equal(data[7], 7);
	assert_string_equal(fake.log, ">Y<Y");
	assert_int_equal(
		device->ops->write(device, memory, 9, data, 8, &err), AT_EINVAL);
	assert_string_equal(
		err.text, "a copy of 8 bytes at offset 9 leaves a buffer of 16 bytes");
	assert_int_equal(device->ops->read(device, memory, UINT64_MAX, data, 8, NULL),
		AT_EINVAL);
	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	assert_int_equal(
		device->ops->read(device, memory, 8, data, 8, NULL), AT_EDEVICE);
	device->ops->release(device, memory);
	device->ops->release(device, NULL);
}

static void says_how_much_memory_is_left(void **state)
{
	struct bench *bench = *state;
	struct at_device *device = bench->device;
	struct at_error err = { 0 };
	struct at_memory *memory;

	fake.code[ALLOCATE] = AT_CUDA_OUT_OF_MEMORY;
	assert_int_equal(device->ops->allocate(device, 99, &memory, &err), AT_ENOMEM);
	assert_string_equal(err.text,
		"cuda:1 has no 99 bytes: 5 of 10 are free; tune a smaller problem or end what uses the GPU");
}

static void loads_only_whole_cubins(void **state)
{
	struct bench *bench = *state;
	struct at_device *device = bench->device;
	struct at_module *module;
	struct at_error err = { 0 };

	assert_int_equal(device->ops->load(device, (const unsigned char *)"\177ELF", 4,
				 &module, &err),
		AT_OUTCOME_LAUNCH_FAILED);
	assert_string_equal(err.text, "this is no cubin: too short for an ELF header");
}

static void tells_a_refused_module_from_a_lost_device(void **state)
{
	static const struct {
		unsigned code;
		enum at_outcome outcome;
	} rows[] = {
		{ AT_CUDA_NO_BINARY_FOR_GPU, AT_OUTCOME_LAUNCH_FAILED },
		{ AT_CUDA_OUT_OF_MEMORY, AT_OUTCOME_LAUNCH_FAILED },
		{ ILLEGAL_ADDRESS, AT_OUTCOME_CRASHED },
	};
	struct bench *bench = *state;
	struct at_device *device = bench->device;
	struct at_module *module;
	char *image;
	size_t size;

	assert_int_equal(at_file_read(AT_TEST_DIR "/data/cubin/cuda13_sm_90.cubin", 0,
				 &image, &size, NULL),
		AT_OK);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };

		fake.code[LOAD] = rows[i].code;
		assert_int_equal(device->ops->load(device, (unsigned char *)image, size,
					 &module, &err),
			rows[i].outcome);
		assert_memory_equal(err.text, "loading the kernel: NAME_", 25);
	}
	free(image);
}

static void finds_a_kernel_once(void **state)
{
	struct bench *bench = *state;
	struct at_device *device = bench->device;

	assert_ptr_equal(
		device->ops->find(device, bench->module, "k"), bench->kernel.kernel);
	fake.code[FUNCTION] = AT_CUDA_NOT_FOUND;
	assert_null(device->ops->find(device, bench->module, "other"));
}

static void sets_a_variable_that_is_there_and_has_room(void **state)
{
	static const struct {
		const char *name;
		uint64_t bytes;
		bool found;
		enum at_outcome outcome;
		const char *log;
		const char *text;
	} rows[] = {
		{ "s", 8, true, AT_OUTCOME_OK, ">Y", "" },
		{ "other", 8, false, AT_OUTCOME_OK, "", "" },
		{ "s", 9, true, AT_OUTCOME_LAUNCH_FAILED, "",
			"the variable \"s\" has 8 bytes, fewer than the 9 that go into it" },
	};
	struct bench *bench = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };
		bool found = !rows[i].found;

		memset(fake.log, 0, sizeof(fake.log));
		assert_int_equal(
			bench->device->ops->set_symbol(bench->device, bench->module,
				rows[i].name, "12345678", rows[i].bytes, &found, &err),
			rows[i].outcome);
		assert_int_equal(found, rows[i].found);
		assert_string_equal(fake.log, rows[i].log);
		assert_string_equal(err.text, rows[i].text);
	}
}

static void tells_a_refused_variable_from_a_lost_device(void **state)
{
	static const struct {
		enum call call;
		unsigned code;
		enum at_outcome outcome;
	} rows[] = {
		{ GLOBAL, AT_CUDA_INVALID_VALUE, AT_OUTCOME_LAUNCH_FAILED },
		{ GLOBAL, ILLEGAL_ADDRESS, AT_OUTCOME_CRASHED },
		{ COPY, ILLEGAL_ADDRESS, AT_OUTCOME_CRASHED },
		{ SYNCHRONIZE, ILLEGAL_ADDRESS, AT_OUTCOME_CRASHED },
	};
	struct bench *bench = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };
		bool found;

		fake.code[rows[i].call] = rows[i].code;
		assert_int_equal(
			bench->device->ops->set_symbol(bench->device, bench->module,
				"s", "12345678", 8, &found, &err),
			rows[i].outcome);
		assert_memory_equal(err.text, "setting a variable: NAME_", 25);
		fake.code[rows[i].call] = 0;
	}
}

/* ---- running ------------------------------------------------------------ */

static void hands_geometry_and_arguments_to_the_driver(void **state)
{
	struct bench *bench = *state;

	bench->kernel.grid[0] = 77;
	assert_int_equal(run(bench, NULL), AT_OUTCOME_OK);
	assert_string_equal(fake.log, "kY");
	assert_int_equal(fake.grid_x, 77);
	assert_memory_equal(fake.parameter, "\1\1\1\1\1\1\1\1\2\2\2\2\2\2\2\2", 16);
}

static void maps_each_refusal_to_its_outcome(void **state)
{
	static const struct {
		unsigned code;
		enum at_outcome outcome;
	} rows[] = {
		{ AT_CUDA_INVALID_VALUE, AT_OUTCOME_LAUNCH_FAILED },
		{ AT_CUDA_NOT_SUPPORTED, AT_OUTCOME_LAUNCH_FAILED },
		{ AT_CUDA_LAUNCH_OUT_OF_RESOURCES, AT_OUTCOME_TOO_MANY_RESOURCES },
		{ AT_CUDA_OUT_OF_MEMORY, AT_OUTCOME_TOO_MANY_RESOURCES },
		{ ILLEGAL_ADDRESS, AT_OUTCOME_CRASHED },
		{ 702, AT_OUTCOME_CRASHED },
		{ 719, AT_OUTCOME_CRASHED },
		{ 214, AT_OUTCOME_CRASHED },
		{ AT_CUDA_UNKNOWN, AT_OUTCOME_CRASHED },
	};
	struct bench *bench = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };
		char name[16];

		fake.code[LAUNCH] = rows[i].code;
		fake.refuse_at = fake.launches + 1;
		assert_int_equal(run(bench, &err), rows[i].outcome);
		snprintf(name, sizeof(name), "NAME_%u", rows[i].code);
		assert_non_null(strstr(err.text, name));
		assert_memory_equal(err.text,
			"kernel \"k\" with grid 1x2x3, block 4x5x6, 0 bytes", 48);
	}
}

static void a_kernel_that_dies_is_a_crash_with_its_name(void **state)
{
	struct bench *bench = *state;
	struct at_error err = { 0 };

	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	assert_int_equal(run(bench, &err), AT_OUTCOME_CRASHED);
	assert_string_equal(err.text, "a kernel died: NAME_700 (its text)");
}

static void a_death_outweighs_a_refusal_after_it(void **state)
{
	struct bench *bench = *state;
	struct at_invocation calls[2] = { bench->kernel, bench->flush };
	struct at_error err = { 0 };

	fake.code[LAUNCH] = AT_CUDA_INVALID_VALUE;
	fake.refuse_at = 2;
	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	assert_int_equal(bench->device->ops->run(bench->device, calls, 2, &err),
		AT_OUTCOME_CRASHED);
	assert_string_equal(err.text, "a kernel died: NAME_700 (its text)");
}

static void refuses_the_wrong_number_of_arguments_without_a_launch(void **state)
{
	struct bench *bench = *state;
	struct at_error err = { 0 };

	bench->kernel.argument_count = 1;
	assert_int_equal(run(bench, &err), AT_OUTCOME_LAUNCH_FAILED);
	assert_string_equal(err.text,
		"kernel \"k\" takes 2 parameters, and the space file gives it 1 arguments");
	assert_int_equal(fake.launches, 0);
}

static void opts_in_to_shared_memory_once_for_each_need(void **state)
{
	struct bench *bench = *state;

	/* 400 static bytes leave this much without asking */
	bench->kernel.shared_bytes = 49152 - 400;
	assert_int_equal(run(bench, NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.set_calls, 0);
	bench->kernel.shared_bytes = 49152 - 399;
	assert_int_equal(run(bench, NULL), AT_OUTCOME_OK);
	assert_int_equal(run(bench, NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.set_calls, 1);
	assert_int_equal(fake.shared_limit, 49152 - 399);
	bench->kernel.shared_bytes = 98304;
	assert_int_equal(run(bench, NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.shared_limit, 98304);
}

static void more_shared_memory_than_there_is_is_too_many_resources(void **state)
{
	struct bench *bench = *state;
	struct at_error err = { 0 };

	fake.code[SET] = AT_CUDA_INVALID_VALUE;
	bench->kernel.shared_bytes = 1u << 20;
	assert_int_equal(run(bench, &err), AT_OUTCOME_TOO_MANY_RESOURCES);
	assert_non_null(strstr(err.text, "has no more than 232448"));
	assert_int_equal(fake.launches, 0);
	bench->kernel.shared_bytes = UINT32_MAX;
	fake.code[SET] = 0;
	assert_int_equal(run(bench, NULL), AT_OUTCOME_TOO_MANY_RESOURCES);
}

/* ---- timing ------------------------------------------------------------- */

static void queues_everything_behind_the_gate_before_it_opens(void **state)
{
	struct bench *bench = *state;
	double ns;

	assert_int_equal(take_time(bench, 3, &ns, NULL), AT_OUTCOME_OK);
	assert_string_equal(fake.log, "WfRkkkRY");
	/* all of it while the gate was closed, and none of it left behind one */
	assert_int_equal(fake.pending, 7);
	assert_true(ns == 250000.0);
	assert_int_equal(take_time(bench, 1, &ns, NULL), AT_OUTCOME_OK);
	assert_string_equal(fake.log, "WfRkkkRYWfRkRY");
}

static void opens_the_gate_early_before_the_queue_is_full(void **state)
{
	struct bench *bench = *state;
	double ns;

	assert_int_equal(take_time(bench, 2000, &ns, NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.launches, 2001);
	assert_in_range(fake.pending, 100, 500);
}

static void opens_the_gate_on_every_way_out(void **state)
{
	struct bench *bench = *state;
	struct at_error err = { 0 };
	double ns;

	fake.code[LAUNCH] = AT_CUDA_INVALID_VALUE;
	for (unsigned at = 1; at <= 3; at++) {
		struct at_error refusal = { 0 };

		fake.refuse_at = fake.launches + at;
		assert_int_equal(
			take_time(bench, 2, &ns, &refusal), AT_OUTCOME_LAUNCH_FAILED);
		assert_false(gate_is_closed());
		assert_true(ns == 0);
		/* and says whose launch it was */
		assert_memory_equal(
			refusal.text, at == 1 ? "kernel \"f\"" : "kernel \"k\"", 10);
	}
	fake.refuse_at = 0;
	fake.code[RECORD] = AT_CUDA_INVALID_HANDLE;
	assert_int_equal(take_time(bench, 2, &ns, &err), AT_OUTCOME_LAUNCH_FAILED);
	assert_false(gate_is_closed());
	assert_memory_equal(err.text, "timing: ", 8);
	fake.code[RECORD] = 0;
	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	assert_int_equal(take_time(bench, 2, &ns, NULL), AT_OUTCOME_CRASHED);
	assert_false(gate_is_closed());
}

static void prepares_launches_before_the_gate_is_closed(void **state)
{
	struct bench *bench = *state;
	double ns;

	bench->kernel.shared_bytes = 98304;
	bench->flush.shared_bytes = 65536;
	assert_int_equal(take_time(bench, 1, &ns, NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.set_calls, 2);
}

static void times_without_a_gate_where_the_driver_has_none(void **state)
{
	static const enum call steps[] = { PINNED, ADDRESS, WAIT, SYNCHRONIZE };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) + 1; i++) {
		struct at_cuda_driver old = driver;
		struct at_device *device;
		struct at_module *module;
		struct at_invocation kernel = { .grid = { 1, 2, 3 },
			.block = { 4, 5, 6 } };
		double ns;

		memset(&fake, 0, sizeof(fake));
		if (i < sizeof(steps) / sizeof(steps[0]))
			fake.code[steps[i]] = AT_CUDA_NOT_SUPPORTED;
		else
			old.stream_wait_value = NULL;
		device = open_device(&old);
		memset(fake.code, 0, sizeof(fake.code));
		module = load_module(device);
		kernel.kernel = device->ops->find(device, module, "k");
		assert_int_equal(
			device->ops->time(device, NULL, 0, &kernel, 1, 2, &ns, NULL),
			AT_OUTCOME_OK);
		assert_string_equal(fake.log, "RkkRY");
		device->ops->unload(device, module);
		device->ops->close(device);
		assert_int_equal(fake.live, 0);
	}
}

/* ---- copies within the device --------------------------------------------- */

struct pair {
	struct at_memory *to;
	struct at_memory *from;
};

static struct pair make_pair(struct bench *bench)
{
	const struct at_device_ops *ops = bench->device->ops;
	struct pair pair;

	assert_int_equal(ops->allocate(bench->device, 16, &pair.to, NULL), AT_OK);
	assert_int_equal(ops->allocate(bench->device, 16, &pair.from, NULL), AT_OK);
	return pair;
}

static void release_pair(struct bench *bench, const struct pair *pair)
{
	bench->device->ops->release(bench->device, pair->to);
	bench->device->ops->release(bench->device, pair->from);
}

static void copies_behind_the_gate_but_the_first(void **state)
{
	struct bench *bench = *state;
	struct at_device *device = bench->device;
	struct pair pair = make_pair(bench);
	double ns;

	assert_int_equal(
		device->ops->time_copy(device, pair.to, pair.from, 16, 3, &ns, NULL),
		AT_OUTCOME_OK);
	assert_string_equal(fake.log, "=YWR===RY");
	assert_int_equal(fake.pending, 6);
	assert_true(ns == 250000.0);
	assert_int_equal(
		device->ops->time_copy(device, pair.to, pair.from, 16, 1, &ns, NULL),
		AT_OUTCOME_OK);
	assert_string_equal(fake.log, "=YWR===RYWR=RY");
	release_pair(bench, &pair);
}

static void a_copy_that_leaves_its_memory_is_refused_without_a_call(void **state)
{
	struct bench *bench = *state;
	struct at_device *device = bench->device;
	struct pair pair = make_pair(bench);
	struct at_error err = { 0 };
	double ns = 1;

	assert_int_equal(
		device->ops->time_copy(device, pair.to, pair.from, 17, 1, &ns, &err),
		AT_OUTCOME_LAUNCH_FAILED);
	assert_string_equal(
		err.text, "a copy of 17 bytes at offset 0 leaves a buffer of 16 bytes");
	assert_true(ns == 0);
	assert_string_equal(fake.log, "");
	release_pair(bench, &pair);
}

static void a_refused_copy_leaves_the_gate_open(void **state)
{
	struct bench *bench = *state;
	struct at_device *device = bench->device;
	struct pair pair = make_pair(bench);
	double ns;

	for (int i = 0; i < 2; i++) {
		fake.code[COPY] = AT_CUDA_INVALID_VALUE;
		assert_int_equal(device->ops->time_copy(
					 device, pair.to, pair.from, 16, 2, &ns, NULL),
			AT_OUTCOME_LAUNCH_FAILED);
		assert_false(gate_is_closed());
		/* the second time it is refused behind the gate */
		fake.code[COPY] = 0;
		assert_int_equal(device->ops->time_copy(
					 device, pair.to, pair.from, 16, 2, &ns, NULL),
			AT_OUTCOME_OK);
	}
	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	assert_int_equal(
		device->ops->time_copy(device, pair.to, pair.from, 16, 2, &ns, NULL),
		AT_OUTCOME_CRASHED);
	assert_false(gate_is_closed());
	release_pair(bench, &pair);
}

int main(void)
{
#define ON_BENCH(test) cmocka_unit_test_setup_teardown(test, make_bench, release_bench)
	const struct CMUnitTest tests[] = {
		ON_BENCH(describes_the_device),
		cmocka_unit_test(names_the_devices_there_are),
		cmocka_unit_test(releases_everything_when_a_step_of_opening_fails),
		cmocka_unit_test(is_known_before_it_is_woken),
		cmocka_unit_test(says_what_to_do_about_a_driver_that_does_not_start),
		cmocka_unit_test(says_that_there_is_no_driver_and_what_to_do),
		cmocka_unit_test(finds_the_version_of_the_kernel_module),
		ON_BENCH(copies_within_a_buffer_through_the_stream_of_the_kernels),
		ON_BENCH(says_how_much_memory_is_left),
		ON_BENCH(loads_only_whole_cubins),
		ON_BENCH(tells_a_refused_module_from_a_lost_device),
		ON_BENCH(finds_a_kernel_once),
		ON_BENCH(sets_a_variable_that_is_there_and_has_room),
		ON_BENCH(tells_a_refused_variable_from_a_lost_device),
		ON_BENCH(hands_geometry_and_arguments_to_the_driver),
		ON_BENCH(maps_each_refusal_to_its_outcome),
		ON_BENCH(a_kernel_that_dies_is_a_crash_with_its_name),
		ON_BENCH(a_death_outweighs_a_refusal_after_it),
		ON_BENCH(refuses_the_wrong_number_of_arguments_without_a_launch),
		ON_BENCH(opts_in_to_shared_memory_once_for_each_need),
		ON_BENCH(more_shared_memory_than_there_is_is_too_many_resources),
		ON_BENCH(queues_everything_behind_the_gate_before_it_opens),
		ON_BENCH(opens_the_gate_early_before_the_queue_is_full),
		ON_BENCH(opens_the_gate_on_every_way_out),
		ON_BENCH(prepares_launches_before_the_gate_is_closed),
		ON_BENCH(copies_behind_the_gate_but_the_first),
		ON_BENCH(a_copy_that_leaves_its_memory_is_refused_without_a_call),
		ON_BENCH(a_refused_copy_leaves_the_gate_open),
		cmocka_unit_test(times_without_a_gate_where_the_driver_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
