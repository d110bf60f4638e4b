/*
 * What the cuda device offers for verifications, on a real GPU: guarded memory,
 * variables of modules, garbage in local arrays, a filler kernel. Without a GPU this
 * ends with 77, which is shown as skipped; tests/test_cuda_device.c tests the same code
 * everywhere.
 */
#include "device/device.h"
#include "base/memory.h"
#include "kernel/compile.h"
#include "kernel/toolchain.h"
#include "measure/measure.h"

#include <math.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

static const char source[] =
	"extern \"C\" __global__ void touch(float *data, long long at, int writes,\n"
	"	float *out)\n"
	"{\n"
	"	if (writes)\n"
	"		data[at] = 2;\n"
	"	else\n"
	"		*out = data[at];\n"
	"}\n"
	"extern \"C\" __global__ void copy(unsigned char *to, const unsigned char *from,\n"
	"	unsigned long long bytes)\n"
	"{\n"
	"	for (unsigned long long i = 0; i < bytes; i++)\n"
	"		to[i] = from[i];\n"
	"}\n"
	"__constant__ int constants[4];\n"
	"__device__ int counters[4];\n"
	"static __device__ float hidden[300];\n"
	"__device__ int initialised = 5;\n"
	"static __device__ int first[3] = { 1, 2, 3 };\n"
	"template <int N> __device__ double of_template[N];\n"
	"namespace { __device__ int unnamed; }\n"
	"extern \"C\" __global__ void counts(float *out)\n"
	"{\n"
	"	static __device__ int calls;\n"
	"	static int more_calls;\n"
	"	unsigned i = threadIdx.x;\n"
	"	out[0] = ++calls;\n"
	"	out[1] = ++more_calls;\n"
	"	out[2] = ++counters[i + 3];\n"
	"	out[3] = ++hidden[i + 299];\n"
	"	out[4] = ++initialised;\n"
	"	out[5] = ++first[i + 2];\n"
	"	out[6] = ++of_template<5>[i + 4];\n"
	"	out[7] = ++unnamed;\n"
	"	int *writable;\n"
	"	asm volatile(\"mov.u64 %0, %1;\" : \"=l\"(writable) : \"l\"(constants));\n"
	"	out[8] = ++*(volatile int *)&writable[i + 2];\n"
	"}\n"
	/* whatever lies in an array of WORDS before anything is written to it */
	"template <int WORDS> __device__ void add_up(float *out, int writes, int step)\n"
	"{\n"
	"	float local[WORDS], sum = 0;\n"
	"	if (writes)\n"
	"		for (int i = 0; i < WORDS; i++)\n"
	"			local[i * step % WORDS] = 0;\n"
	"	for (int i = 0; i < WORDS; i++)\n"
	"		sum += fabsf(local[i * step % WORDS]);\n"
	"	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n"
	"}\n"
	"extern \"C\" __global__ void __launch_bounds__(256) adds_some(float *out,\n"
	"	int writes, int step)\n"
	"{\n"
	"	add_up<20>(out, writes, step);\n"
	"}\n"
	"extern \"C\" __global__ void __launch_bounds__(256) adds_many(float *out,\n"
	"	int writes, int step)\n"
	"{\n"
	"	add_up<1000>(out, writes, step);\n"
	"}\n"
	/* every block waits for all others */
	"extern \"C\" __global__ void waits_for_all(volatile unsigned *begun)\n"
	"{\n"
	"	extern __shared__ int taken[];\n"
	"	if (threadIdx.x == 0) {\n"
	"		atomicAdd((unsigned *)begun, 1);\n"
	"		while (*begun < gridDim.x)\n"
	"			;\n"
	"	}\n"
	"	__syncthreads();\n"
	"}\n"
	/* every block waits for the one behind it, which is launched later */
	"extern \"C\" __global__ void waits_for_next(volatile unsigned *flags)\n"
	"{\n"
	"	extern __shared__ int taken[];\n"
	"	if (threadIdx.x == 0) {\n"
	"		while (blockIdx.x + 1 < gridDim.x && !flags[blockIdx.x + 1])\n"
	"			;\n"
	"		flags[blockIdx.x] = 1;\n"
	"	}\n"
	"}\n"
	/* every block waits until no more have begun for a while, and says how many had
	 */
	"extern \"C\" __global__ void counts_who_began(unsigned *words)\n"
	"{\n"
	"	extern __shared__ int taken[];\n"
	"	volatile unsigned *begun = words;\n"
	"	if (threadIdx.x == 0) {\n"
	"		unsigned seen = atomicAdd(words, 1) + 1;\n"
	"		long long since = clock64();\n"
	"		while (clock64() - since < 600000)\n"
	"			if (*begun != seen) {\n"
	"				seen = *begun;\n"
	"				since = clock64();\n"
	"			}\n"
	"		words[1 + blockIdx.x] = seen;\n"
	/* one that begins in its place should not be seen by those that still wait */
	"		since = clock64();\n"
	"		while (clock64() - since < 600000)\n"
	"			;\n"
	"	}\n"
	"}\n"
	"extern \"C\" __global__ void squares(float *out)\n"
	"{\n"
	"	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	"	out[i] = (float)i * i;\n"
	"}\n"
	"#if __CUDA_ARCH__ >= 900\n"
	"extern \"C\" __global__ void __cluster_dims__(8, 1, 1) clusters(float *out)\n"
	"{\n"
	"	asm volatile(\"barrier.cluster.arrive; barrier.cluster.wait;\");\n"
	"	out[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n"
	"}\n"
	"#else\n"
	"extern \"C\" __global__ void clusters(float *out) {}\n"
	"#endif\n";

extern char **environ;

static struct at_compile_result code, support;
static struct at_device *device;
static struct at_module *module, *support_module;
static int64_t multiprocessors;

static void compile(const char *name, const char *text, const char *const *kernels,
	size_t kernel_count, const char *const *options, size_t option_count,
	struct at_compile_result *out)
{
	struct at_compile_request request = {
		.toolchain = "nvrtc",
		.architecture = device->info.architecture,
		.name = (char *)name,
		.directory = (char *)"",
		.source = (char *)text,
		.kernel_count = kernel_count,
		.kernels = (char **)kernels,
		.option_count = option_count,
		.options = (char **)options,
	};

	assert_ok(at_compile(&request, out, &failure));
	if (out->outcome != AT_OUTCOME_OK)
		fail_msg("%s", out->log);
}

static struct at_module *load(const struct at_compile_result *image)
{
	struct at_module *loaded;
	struct at_error err = { 0 };

	if (device->ops->load(device, image->image, image->image_bytes, &loaded,
		    &err) != AT_OUTCOME_OK)
		fail_msg("%s", err.text);
	return loaded;
}

/* A device of its own for each test; the last one ends it. */
static int open_device(void **state)
{
	static const char *const kernels[] = { "touch", "copy", "counts", "adds_some",
		"adds_many", "waits_for_all", "waits_for_next", "squares", "clusters",
		"counts_who_began" };

	assert_ok(at_device_kind_cuda.open(0, &device, &failure));
	assert_ok(device->ops->wake(device, &failure));
	if (!code.image)
		compile("proof.cu", source, kernels, 10, NULL, 0, &code);
	if (!support.image) {
		OWNED(free)
		char *text = at_strndup(
			(const char *)at_embedded_support, at_embedded_support_size);

		assert_non_null(text);
		compile("support.cu", text, at_measure_support_kernels,
			at_measure_support_kernel_count, at_measure_support_options,
			at_measure_support_option_count, &support);
	}
	module = load(&code);
	support_module = load(&support);
	multiprocessors =
		device->info.properties.value[AT_PROPERTY_MULTIPROCESSOR_COUNT];
	return 0;
}

static int close_device(void **state)
{
	if (!device->is_lost) {
		device->ops->unload(device, support_module);
		device->ops->unload(device, module);
	}
	device->ops->close(device);
	return 0;
}

#define ON_DEVICE(name) TEST_WITH(name, open_device, close_device)

static void expect(
	enum at_outcome got, enum at_outcome want, const struct at_error *err)
{
	if (got != want)
		fail_msg("%s, not %s: %s", at_outcome_name(got), at_outcome_name(want),
			err->text);
}

static void expect_status(enum at_status got, const struct at_error *err)
{
	if (got)
		fail_msg("status %d: %s", (int)got, err->text);
}

static struct at_parameter_value value_of(uint64_t bits)
{
	struct at_parameter_value value = { .more = NULL };

	memcpy(value.bytes, &bits, sizeof(bits));
	return value;
}

static struct at_invocation call_of(struct at_module *from, const char *name,
	uint32_t blocks, uint32_t threads, const struct at_parameter_value *arguments,
	size_t argument_count)
{
	struct at_invocation call = {
		.kernel = device->ops->find(device, from, name),
		.grid = { blocks, 1, 1 },
		.block = { threads, 1, 1 },
		.argument_count = argument_count,
		.arguments = arguments,
	};

	assert_non_null(call.kernel);
	return call;
}

static enum at_outcome run(const struct at_invocation *call, struct at_error *err)
{
	return device->ops->run(device, call, 1, err);
}

static struct at_memory *allocate(uint64_t bytes, uint64_t *address)
{
	struct at_error err = { 0 };
	struct at_memory *memory;

	expect_status(device->ops->allocate(device, bytes, &memory, &err), &err);
	*address = device->ops->address(device, memory);
	return memory;
}

static void fill(struct at_memory *memory, uint64_t bytes, int value)
{
	struct at_error err = { 0 };
	OWNED(free) char *data = malloc(bytes);

	assert_non_null(data);
	memset(data, value, bytes);
	expect_status(device->ops->write(device, memory, 0, data, bytes, &err), &err);
}

/* ---- memory between guards ------------------------------------------------- */

enum { WORDS = 1000 };

/* at END + n: n words behind the last page */
#define END (1ll << 60)

static const struct touch {
	const char *what;
	long long at; /* words from the first */
	int writes;
	enum at_protection protection;
	enum at_outcome outcome;
} touches[] = {
	{ "inside", WORDS - 1, 0, AT_PROTECTION_WRITE, AT_OUTCOME_OK },
	{ "inside, written", 0, 1, AT_PROTECTION_WRITE, AT_OUTCOME_OK },
	{ "the last of the page, written", END - 1, 1, AT_PROTECTION_WRITE,
		AT_OUTCOME_OK },
	{ "one before", -1, 0, AT_PROTECTION_WRITE, AT_OUTCOME_OUT_OF_BOUNDS },
	{ "one before, written", -1, 1, AT_PROTECTION_WRITE, AT_OUTCOME_OUT_OF_BOUNDS },
	{ "one past", END, 0, AT_PROTECTION_WRITE, AT_OUTCOME_OUT_OF_BOUNDS },
	{ "one past, written", END, 1, AT_PROTECTION_WRITE, AT_OUTCOME_OUT_OF_BOUNDS },
	{ "far past", END + (long long)(AT_GUARD_BYTES / 4) - 1, 1, AT_PROTECTION_WRITE,
		AT_OUTCOME_OUT_OF_BOUNDS },
	{ "far before", -(long long)(AT_GUARD_BYTES / 4), 1, AT_PROTECTION_WRITE,
		AT_OUTCOME_OUT_OF_BOUNDS },
	{ "read where reading is allowed", 5, 0, AT_PROTECTION_READ, AT_OUTCOME_OK },
	{ "written where reading is allowed", 5, 1, AT_PROTECTION_READ,
		AT_OUTCOME_OUT_OF_BOUNDS },
	{ "read where nothing is allowed", 5, 0, AT_PROTECTION_NONE,
		AT_OUTCOME_OUT_OF_BOUNDS },
	{ "written where nothing is allowed", 5, 1, AT_PROTECTION_NONE,
		AT_OUTCOME_OUT_OF_BOUNDS },
};

static void need_guards(void)
{
	if (!device->ops->allocate_guarded)
		skip_because("a GPU that maps no pages");
}

/*
 * In a process of its own: a context that was lost does not come back. The exit status
 * is the outcome.
 */
static int touch_and_exit(const struct touch *touch)
{
	struct at_error err = { 0 };
	struct at_memory *memory, *around[2];
	struct at_parameter_value arguments[4];
	struct at_invocation call;
	uint64_t address, out;
	long long at = touch->at;
	enum at_outcome outcome;

	open_device(NULL);
	call = call_of(module, "touch", 1, 1, arguments, 4);
	/* others of its kind on both sides */
	for (int i = 0; i < 3; i++)
		if (device->ops->allocate_guarded(
			    device, WORDS * 4, i == 1 ? &memory : &around[i / 2], &err))
			return 100;
	allocate(4, &out);
	address = device->ops->address(device, memory);
	if (at > END / 2)
		at += (long long)(device->ops->mapped(device, memory) / 4) - END;
	if (device->ops->protect(device, memory, touch->protection, &err))
		return 101;
	arguments[0] = value_of(address);
	arguments[1] = value_of((uint64_t)at);
	arguments[2] = value_of((uint64_t)touch->writes);
	arguments[3] = value_of(out);
	outcome = run(&call, &err);
	print_message("%s: %s\n", at_outcome_name(outcome), err.text);
	if (device->is_lost != (outcome != AT_OUTCOME_OK))
		return 102;
	close_device(NULL);
	return (int)outcome;
}

ON_DEVICE(a_touch_outside_or_against_protection_ends_the_device)
{
	need_guards();
	for (size_t i = 0; i < sizeof(touches) / sizeof(touches[0]); i++) {
		char number[16];
		char *arguments[] = { (char *)"test_cuda_verification", number, NULL };
		pid_t pid;

		snprintf(number, sizeof(number), "%zu", i);
		print_message("%s\n", touches[i].what);
		assert_int_equal(posix_spawn(&pid, "/proc/self/exe", NULL, NULL,
					 arguments, environ),
			0);
		assert_int_equal(exit_of(pid), touches[i].outcome);
	}
}

ON_DEVICE(copies_do_what_protection_allows)
{
	struct at_error err = { 0 };
	struct at_memory *memory;
	char sent[64], got[64] = { 0 };

	need_guards();
	memset(sent, 0x5a, sizeof(sent));
	expect_status(device->ops->allocate_guarded(device, 64, &memory, &err), &err);
	expect_status(device->ops->write(device, memory, 0, sent, 64, &err), &err);
	expect_status(
		device->ops->protect(device, memory, AT_PROTECTION_READ, &err), &err);
	expect_status(device->ops->read(device, memory, 0, got, 64, &err), &err);
	assert_memory_equal(got, sent, 64);
	assert_int_equal(
		device->ops->write(device, memory, 0, sent, 64, NULL), AT_EINVAL);
	expect_status(
		device->ops->protect(device, memory, AT_PROTECTION_NONE, &err), &err);
	assert_int_equal(
		device->ops->read(device, memory, 0, got, 64, NULL), AT_EINVAL);
	expect_status(
		device->ops->protect(device, memory, AT_PROTECTION_WRITE, &err), &err);
	memset(sent, 0xa5, sizeof(sent));
	expect_status(device->ops->write(device, memory, 0, sent, 64, &err), &err);
	expect_status(device->ops->read(device, memory, 0, got, 64, &err), &err);
	assert_memory_equal(got, sent, 64);
	device->ops->release(device, memory);
}

ON_DEVICE(a_full_device_says_so_and_loses_nothing)
{
	uint64_t most =
		(uint64_t)device->info.properties.value[AT_PROPERTY_MEMORY_BYTES];
	struct at_memory *memory;

	need_guards();
	/* more each time than what is left would bear, were something kept */
	for (int i = 0; i < 20; i++) {
		assert_fails_with(device->ops->allocate_guarded(
					  device, 2 * most, &memory, &failure),
			AT_ENOMEM, "are free");
		assert_ok(device->ops->allocate_guarded(
			device, most / 4, &memory, &failure));
		device->ops->release(device, memory);
	}
}

/* ---- variables of a module -------------------------------------------------- */

ON_DEVICE(a_modules_variables_can_be_put_back)
{
	static const float begin[] = { 1, 1, 1, 1, 6, 4, 1, 1, 1 };
	struct at_range ranges[16];
	size_t count = device->ops->variables(device, module, ranges, 16);
	struct at_parameter_value arguments[3];
	struct at_invocation counts = call_of(module, "counts", 1, 1, arguments, 1);
	struct at_memory *result, *saved[16] = { NULL };
	uint64_t out, saved_at[16];
	struct at_error err = { 0 };
	float got[9];

	assert_true(count != AT_VARIABLES_UNKNOWN);
	assert_in_range(count, 1, 16);
	result = allocate(sizeof(got), &out);
	for (int round = 0; round < 3; round++) {
		/* as loaded; once more, without; put back */
		for (size_t i = 0; i < count && round != 1; i++) {
			uint64_t to = ranges[i].address, from;
			struct at_invocation copy =
				call_of(module, "copy", 1, 1, arguments, 3);

			if (round == 0)
				saved[i] = allocate(ranges[i].bytes, &saved_at[i]);
			from = saved_at[i];
			print_message("%s %llu bytes at %llx\n",
				round ? "put back" : "save",
				(unsigned long long)ranges[i].bytes,
				(unsigned long long)ranges[i].address);
			arguments[0] = value_of(round ? to : from);
			arguments[1] = value_of(round ? from : to);
			arguments[2] = value_of(ranges[i].bytes);
			expect(run(&copy, &err), AT_OUTCOME_OK, &err);
		}
		arguments[0] = value_of(out);
		expect(run(&counts, &err), AT_OUTCOME_OK, &err);
		expect_status(
			device->ops->read(device, result, 0, got, sizeof(got), &err),
			&err);
		for (int i = 0; i < 9; i++)
			assert_true(got[i] == begin[i] + (round == 1 ? 1.0f : 0.0f));
	}
	for (size_t i = 0; i < count; i++)
		device->ops->release(device, saved[i]);
	device->ops->release(device, result);
}

/* ---- garbage in local arrays ------------------------------------------------ */

ON_DEVICE(local_arrays_begin_with_garbage)
{
	static const char *const kernels[] = { "adds_some", "adds_many" };
	int64_t resident = multiprocessors *
			   device->info.properties
				   .value[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR];
	size_t blocks = (size_t)resident / 256, count = blocks * 256;
	OWNED(free) float *sums = calloc(count, sizeof(*sums));
	struct at_error err = { 0 };
	struct at_memory *result;
	uint64_t out;

	assert_non_null(sums);
	result = allocate(count * sizeof(*sums), &out);
	for (int i = 0; i < 4; i++) {
		struct at_parameter_value seed = value_of((uint64_t)i);
		const struct at_parameter_value arguments[] = { value_of(out),
			value_of(i / 2), value_of(3) };
		const struct at_invocation calls[] = {
			call_of(support_module, "at_poison_local",
				(uint32_t)(2 * blocks), 256, &seed, 1),
			call_of(module, kernels[i % 2], (uint32_t)blocks, 256,
				arguments, 3),
		};
		size_t zeros = 0, nans = 0;

		expect(device->ops->run(device, calls, 2, &err), AT_OUTCOME_OK, &err);
		expect_status(device->ops->read(device, result, 0, sums,
				      count * sizeof(*sums), &err),
			&err);
		for (size_t j = 0; j < count; j++) {
			zeros += sums[j] == 0;
			nans += isnan(sums[j]) != 0;
		}
		print_message("%s, %s: of %zu sums %zu are zero and %zu NaN\n",
			kernels[i % 2], i / 2 ? "written first" : "not written", count,
			zeros, nans);
		/* one that writes first is not disturbed */
		assert_int_equal(zeros, i / 2 ? count : 0);
		assert_int_equal(nans, i / 2 ? 0 : count);
	}
	device->ops->release(device, result);
}

/* ---- a filler ---------------------------------------------------------------- */

#define LIMIT_NS 300000000u

static void crowd(unsigned count)
{
	struct at_kernel *filler =
		device->ops->find(device, support_module, "at_crowd");
	struct at_error err = { 0 };
	enum at_status status;

	assert_non_null(filler);
	status = device->ops->crowd(device, filler, count, LIMIT_NS, &err);
	if (status == AT_EUNAVAILABLE)
		skip_because("a GPU that runs one kernel after the other");
	expect_status(status, &err);
}

ON_DEVICE(who_waits_for_all_blocks_does_not_end_beside_a_filler)
{
	static const struct {
		const char *kernel;
		uint32_t threads;
		uint32_t shared_bytes; /* so much that a block has one for itself */
	} rows[] = {
		{ "waits_for_all", 1024, 0 },
		{ "waits_for_all", 256, 0 },
		{ "waits_for_all", 32, 40000 },
		{ "waits_for_next", 256, 0 },
	};
	const unsigned crowds[] = { 1, (unsigned)multiprocessors / 2,
		(unsigned)multiprocessors - 1 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct at_properties *properties = &device->info.properties;
		int64_t each =
			properties->value[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR] /
			rows[i].threads;
		int64_t by_shared =
			properties->value[AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR] /
			(rows[i].shared_bytes + 1024);
		struct at_parameter_value address = value_of(0);
		struct at_invocation call = call_of(
			module, rows[i].kernel, 1, rows[i].threads, &address, 1);
		struct at_memory *flags;
		uint64_t at;

		if (rows[i].shared_bytes && by_shared < each)
			each = by_shared;
		call.grid[0] = (uint32_t)(each * multiprocessors);
		call.shared_bytes = rows[i].shared_bytes;
		flags = allocate(4 * call.grid[0], &at);
		address = value_of(at);
		for (size_t j = 0; j < 3; j++) {
			struct at_error err = { 0 };

			print_message(
				"%s: %u blocks of %u threads beside a filler on %u\n",
				rows[i].kernel, call.grid[0], rows[i].threads,
				crowds[j]);
			fill(flags, 4 * call.grid[0], 0);
			expect(run(&call, &err), AT_OUTCOME_OK, &err);
			fill(flags, 4 * call.grid[0], 0);
			crowd(crowds[j]);
			expect(run(&call, &err), AT_OUTCOME_TIMED_OUT, &err);
			assert_false(device->is_lost);
			crowd(0);
		}
		device->ops->release(device, flags);
	}
}

/* One block is late, as far as a multiple of what a multiprocessor holds allows it. */
ON_DEVICE(a_few_blocks_are_held_back)
{
	static const struct {
		uint32_t blocks, threads, shared_bytes;
		unsigned late; /* 0: none, they are launched as always */
	} rows[] = {
		{ 2, 256, 0, 1 },
		{ 16, 256, 0, 1 },
		{ 16, 1024, 0, 1 },
		{ 33, 32, 40000, 1 },
		{ 100, 128, 0, 1 },
		{ 7, 64, 100000, 1 },
		{ 1, 64, 0, 0 },
		{ 3, 256, 0, 1 },
	};
	struct at_kernel *filler =
		device->ops->find(device, support_module, "at_crowd");

	assert_non_null(filler);
	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		const bool held = i % 2;
		const uint32_t blocks = rows[i / 2].blocks;
		struct at_parameter_value address = value_of(0);
		struct at_invocation call = call_of(module, "counts_who_began", blocks,
			rows[i / 2].threads, &address, 1);
		struct at_error err = { 0 };
		unsigned words[101], first = 0, all = 0;
		struct at_memory *memory;
		enum at_status status;
		uint64_t at;

		call.shared_bytes = rows[i / 2].shared_bytes;
		memory = allocate(sizeof(words), &at);
		address = value_of(at);
		fill(memory, sizeof(words), 0);
		status = device->ops->delay_blocks(
			device, filler, held ? call.kernel : NULL, 3000000, &err);
		if (status == AT_EUNAVAILABLE)
			skip_because("a GPU that runs one kernel after the other");
		expect_status(status, &err);
		expect(run(&call, &err), AT_OUTCOME_OK, &err);
		expect_status(device->ops->read(
				      device, memory, 0, words, sizeof(words), &err),
			&err);
		for (unsigned j = 0; j < blocks; j++) {
			first += words[1 + j] == blocks - rows[i / 2].late;
			all += words[1 + j] == blocks;
		}
		print_message(
			"%u blocks of %u threads, %s: %u saw all, %u all but %u\n",
			blocks, rows[i / 2].threads, held ? "held back" : "as always",
			all, first, rows[i / 2].late);
		if (held && rows[i / 2].late) {
			assert_int_equal(first, blocks - rows[i / 2].late);
			assert_int_equal(all, rows[i / 2].late);
		} else {
			assert_int_equal(all, blocks);
		}
		device->ops->release(device, memory);
	}
	assert_ok(device->ops->delay_blocks(device, filler, NULL, 0, NULL));
}

ON_DEVICE(who_waits_for_nobody_ends_beside_any_filler)
{
	enum { BLOCKS = 20000 };
	struct at_parameter_value address = value_of(0);
	struct at_invocation squares =
		call_of(module, "squares", BLOCKS, 256, &address, 1);
	struct at_invocation clusters =
		call_of(module, "clusters", 8 * 132, 256, &address, 1);
	OWNED(free) float *got = calloc(BLOCKS * 256, sizeof(*got));
	struct at_memory *result;
	uint64_t at;

	assert_non_null(got);
	result = allocate(BLOCKS * 256 * sizeof(*got), &at);
	address = value_of(at);
	for (unsigned i = 1; i < (unsigned)multiprocessors; i = 2 * i + 1) {
		struct at_error err = { 0 };

		fill(result, BLOCKS * 256 * sizeof(*got), 0);
		crowd(i);
		expect(run(&squares, &err), AT_OUTCOME_OK, &err);
		expect_status(device->ops->read(device, result, 0, got,
				      BLOCKS * 256 * sizeof(*got), &err),
			&err);
		for (size_t j = 0; j < BLOCKS * 256; j++)
			assert_true(got[j] == (float)j * (float)j);
		expect(run(&clusters, &err), AT_OUTCOME_OK, &err);
	}
	device->ops->release(device, result);
}

/* and the filler does not keep that from being noticed */
ON_DEVICE(a_death_beside_a_filler_is_seen)
{
	struct at_parameter_value arguments[] = { value_of(64), value_of(0),
		value_of(1), value_of(0) };
	struct at_invocation call = call_of(module, "touch", 1, 1, arguments, 4);
	struct at_error err = { 0 };

	crowd((unsigned)multiprocessors / 2);
	expect(run(&call, &err), AT_OUTCOME_OUT_OF_BOUNDS, &err);
	assert_true(device->is_lost);
}

int main(int argc, char **argv)
{
	struct at_error err = { 0 };
	unsigned count = 0;
	char version[64];
	int failed;

	if (at_device_kind_cuda.count(&count, &err)) {
		print_message("%s\n", err.text);
		return skip_all("no CUDA driver");
	}
	if (at_toolchain_version("nvrtc", version, sizeof(version), &err))
		return skip_all("no NVRTC");
	if (argc == 2)
		return touch_and_exit(&touches[strtoul(argv[1], NULL, 10) %
					       (sizeof(touches) / sizeof(touches[0]))]);
	failed = run_suite(argc, argv, NULL, NULL);
	at_compile_result_release(&code);
	at_compile_result_release(&support);
	return failed;
}
