/*
 * The cuda device on a real GPU. Without one this ends with 77, which is shown as
 * skipped; tests/test_cuda_device.c tests the same code everywhere.
 */
#include "device/device.h"
#include "kernel/compile.h"
#include "kernel/toolchain.h"

#include "suite.h"

static const char source[] =
	"extern \"C\" __global__ void scale(float *data, float factor, int n)\n"
	"{\n"
	"	int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	"	if (i < n)\n"
	"		data[i] *= factor;\n"
	"}\n"
	"extern \"C\" __global__ void wait_ns(unsigned long long ns)\n"
	"{\n"
	"	unsigned long long start, now;\n"
	"	asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(start));\n"
	"	do\n"
	"		asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(now));\n"
	"	while (now - start < ns);\n"
	"}\n"
	"extern \"C\" __global__ void shared(int *out, int count)\n"
	"{\n"
	"	extern __shared__ int words[];\n"
	"	for (int i = threadIdx.x; i < count; i += blockDim.x)\n"
	"		words[i] = i;\n"
	"	__syncthreads();\n"
	"	if (threadIdx.x == 0)\n"
	"		*out = words[count - 1];\n"
	"}\n"
	"extern \"C\" __global__ void __launch_bounds__(64) narrow(int *out) { *out = 1; }\n"
	"__constant__ int table[5];\n"
	"__device__ int counters[4];\n"
	"extern \"C\" __global__ void looks_up(int *out)\n"
	"{\n"
	"	*out = table[threadIdx.x + 3] + counters[threadIdx.x + 2];\n"
	"}\n"
	"extern \"C\" __global__ void dies(int *out) { if (*out != 12345) __trap(); }\n";

/* Opened once: what every test uses, the last one loses. */
static struct at_device *device;
static struct at_compile_result code;
static struct at_module *module;

static int open_everything(void **state)
{
	static char *kernels[] = { (char *)"scale", (char *)"wait_ns", (char *)"shared",
		(char *)"narrow", (char *)"looks_up", (char *)"dies" };
	struct at_error err = { 0 };
	struct at_compile_request request = {
		.toolchain = "nvrtc",
		.name = (char *)"test.cu",
		.directory = (char *)"",
		.source = (char *)source,
		.kernel_count = 6,
		.kernels = kernels,
	};

	if (at_device_kind_cuda.open(0, &device, &err) ||
		device->ops->wake(device, &err))
		fail_msg("%s", err.text);
	request.architecture = device->info.architecture;
	assert_ok(at_compile(&request, &code, &failure));
	if (code.outcome != AT_OUTCOME_OK)
		fail_msg("%s", code.log);
	if (device->ops->load(device, code.image, code.image_bytes, &module, &err) !=
		AT_OUTCOME_OK)
		fail_msg("%s", err.text);
	return 0;
}

static int close_everything(void **state)
{
	device->ops->unload(device, module);
	device->ops->close(device);
	at_compile_result_release(&code);
	return 0;
}

static struct at_kernel *find(const char *name)
{
	struct at_kernel *kernel = device->ops->find(device, module, name);

	assert_non_null(kernel);
	return kernel;
}

static void expect(
	enum at_outcome got, enum at_outcome want, const struct at_error *err)
{
	if (got != want)
		fail_msg("%s, not %s: %s", at_outcome_name(got), at_outcome_name(want),
			err->text);
}

static struct at_parameter_value value_of(const void *bytes, size_t size)
{
	struct at_parameter_value value = { .more = NULL };

	memcpy(value.bytes, bytes, size);
	return value;
}

static struct at_memory *allocate(uint64_t bytes, struct at_parameter_value *address)
{
	struct at_memory *memory;
	uint64_t where;

	assert_ok(device->ops->allocate(device, bytes, &memory, &failure));
	where = device->ops->address(device, memory);
	assert_int_equal(where % 256, 0);
	*address = value_of(&where, sizeof(where));
	return memory;
}

TEST(tells_what_the_device_is)
{
	const struct at_device_info *info = &device->info;
	struct at_neighbour neighbours[4];
	RELEASED(at_strbuf_release) struct at_strbuf reasons = { 0 };
	struct at_device_state now;
	size_t count;

	print_message("%s %s %s %s, driver %s\n", info->id, info->model,
		info->architecture, info->uuid, info->driver);
	for (int i = 0; i < AT_PROPERTY_COUNT; i++)
		print_message("  %s = %lld%s\n", at_property_name((enum at_property)i),
			(long long)info->properties.value[i],
			info->properties.known[i] ? "" : " (unknown)");
	assert_memory_equal(info->architecture, "sm_", 3);
	assert_memory_equal(info->uuid, "GPU-", 4);
	assert_non_null(strstr(info->driver, "CUDA "));
	assert_true(info->properties.value[AT_PROPERTY_COMPUTE_CAPABILITY] >= 50);
	assert_int_equal(info->properties.value[AT_PROPERTY_WARP_SIZE], 32);
	assert_true(info->properties.value[AT_PROPERTY_MEMORY_BYTES] > 1 << 20);
	assert_true(info->properties.value[AT_PROPERTY_L2_BYTES] > 1 << 10);
	assert_int_equal(
		info->properties.value[AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK], 49152);
	device->ops->state(device, &now);
	at_device_add_reasons(&reasons, now.clock_reasons);
	print_message(
		"  clock %llu Hz of %llu, memory of %llu Hz, %.0f W, reasons: %s%s\n",
		(unsigned long long)now.clock_hz, (unsigned long long)now.set_clock_hz,
		(unsigned long long)now.set_memory_clock_hz, now.power_limit_watts,
		reasons.data ? reasons.data : "", now.throttled ? ", throttled" : "");
	print_message("  a tick of its clock: %.1f ns\n", device->resolution_ns);
	assert_true(device->resolution_ns >= 0.5);
	assert_true(device->resolution_ns <= 2000);
	count = device->ops->neighbours(device, neighbours, 4);
	print_message("  other processes: %zu\n", count);
	for (size_t i = 0; i < count && i < 4; i++)
		print_message("    %u %s %llu\n", neighbours[i].pid, neighbours[i].name,
			(unsigned long long)neighbours[i].memory_bytes);
}

TEST(runs_a_kernel_on_what_was_written)
{
	enum { COUNT = 1000 };
	float data[COUNT];
	const float factor = 3;
	const int count = COUNT;
	struct at_error err = { 0 };
	struct at_parameter_value arguments[3];
	struct at_memory *memory = allocate(sizeof(data), &arguments[0]);
	struct at_invocation call = { .kernel = find("scale"),
		.grid = { 4, 1, 1 },
		.block = { 256, 1, 1 },
		.argument_count = 3,
		.arguments = arguments };

	arguments[1] = value_of(&factor, sizeof(factor));
	arguments[2] = value_of(&count, sizeof(count));
	for (int i = 0; i < COUNT; i++)
		data[i] = (float)i;
	assert_ok(device->ops->write(device, memory, 0, data, sizeof(data), &failure));
	expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_OK, &err);
	memset(data, 0, sizeof(data));
	assert_ok(device->ops->read(
		device, memory, 40, &data[10], sizeof(data) - 40, &failure));
	for (int i = 10; i < COUNT; i++)
		assert_true(data[i] == 3.0f * (float)i);
	device->ops->release(device, memory);
}

TEST(sets_variables_of_a_module)
{
	static const int table[] = { 1, 2, 3, 40, 5, 6 }, counters[] = { 7, 8, 900, 1 };
	struct at_error err = { 0 };
	struct at_parameter_value argument;
	struct at_memory *memory = allocate(sizeof(int), &argument);
	struct at_invocation call = { .kernel = find("looks_up"),
		.grid = { 1, 1, 1 },
		.block = { 1, 1, 1 },
		.argument_count = 1,
		.arguments = &argument };
	bool found;
	int out = 0;

	/* a part of it: the variable may be larger */
	expect(device->ops->set_symbol(
		       device, module, "table", table, 4 * sizeof(int), &found, &err),
		AT_OUTCOME_OK, &err);
	assert_true(found);
	expect(device->ops->set_symbol(device, module, "counters", counters,
		       sizeof(counters), &found, &err),
		AT_OUTCOME_OK, &err);
	assert_true(found);
	expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_OK, &err);
	assert_ok(device->ops->read(device, memory, 0, &out, sizeof(out), &failure));
	assert_int_equal(out, 940);
	expect(device->ops->set_symbol(
		       device, module, "table", table, sizeof(table), &found, &err),
		AT_OUTCOME_LAUNCH_FAILED, &err);
	assert_non_null(strstr(err.text, "has 20 bytes, fewer than the 24"));
	expect(device->ops->set_symbol(
		       device, module, "absent", table, 4, &found, &err),
		AT_OUTCOME_OK, &err);
	assert_false(found);
	device->ops->release(device, memory);
}

TEST(takes_dynamic_shared_memory_beyond_48_kib)
{
	const int count = 96 * 1024 / 4;
	int last = 0;
	struct at_error err = { 0 };
	struct at_parameter_value arguments[2];
	struct at_memory *memory = allocate(sizeof(last), &arguments[0]);
	struct at_invocation call = { .kernel = find("shared"),
		.grid = { 1, 1, 1 },
		.block = { 128, 1, 1 },
		.shared_bytes = 96 * 1024,
		.argument_count = 2,
		.arguments = arguments };

	if (device->info.properties
			.value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK] <
		96 * 1024)
		skip_because("no 96 KiB of shared memory");
	arguments[1] = value_of(&count, sizeof(count));
	expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_OK, &err);
	assert_ok(device->ops->read(device, memory, 0, &last, sizeof(last), &failure));
	assert_int_equal(last, count - 1);
	/* and says so when there is not so much */
	call.shared_bytes = 1u << 24;
	expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_TOO_MANY_RESOURCES,
		&err);
	print_message("%s\n", err.text);
	device->ops->release(device, memory);
}

/* Each leaves the device as it was: a launch after it succeeds. */
TEST(a_refused_launch_leaves_the_device_whole)
{
	struct at_parameter_value address;
	struct at_memory *memory = allocate(4, &address);
	struct at_invocation call = { .kernel = find("narrow"),
		.grid = { 1, 1, 1 },
		.block = { 2048, 1, 1 },
		.argument_count = 1,
		.arguments = &address };
	struct at_error err = { 0 };
	enum at_outcome outcome;

	expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_LAUNCH_FAILED,
		&err);
	print_message("%s\n", err.text);
	/* more threads than __launch_bounds__ promised */
	at_error_clear(&err);
	call.block[0] = 128;
	outcome = device->ops->run(device, &call, 1, &err);
	print_message("%s: %s\n", at_outcome_name(outcome), err.text);
	assert_true(outcome == AT_OUTCOME_LAUNCH_FAILED ||
		    outcome == AT_OUTCOME_TOO_MANY_RESOURCES);
	at_error_clear(&err);
	call.argument_count = 0;
	call.block[0] = 64;
	expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_LAUNCH_FAILED,
		&err);
	print_message("%s\n", err.text);
	at_error_clear(&err);
	call.argument_count = 1;
	expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_OK, &err);
	device->ops->release(device, memory);
}

TEST(refuses_an_image_for_another_architecture)
{
	static char *kernels[] = { (char *)"k" };
	/* two that no device can both be */
	struct at_compile_request request = {
		.toolchain = "nvrtc",
		.architecture = strcmp(device->info.architecture, "sm_80") != 0
					? (char *)"sm_80"
					: (char *)"sm_90",
		.name = (char *)"other.cu",
		.directory = (char *)"",
		.source = (char *)"extern \"C\" __global__ void k() {}",
		.kernel_count = 1,
		.kernels = kernels,
	};
	struct at_compile_result other;
	struct at_module *none;
	struct at_error err = { 0 };

	if (!strncmp(device->info.architecture, "sm_8", 4))
		skip_because("a GPU that runs what was compiled for sm_80");
	assert_ok(at_compile(&request, &other, &failure));
	expect(device->ops->load(device, other.image, other.image_bytes, &none, &err),
		AT_OUTCOME_LAUNCH_FAILED, &err);
	print_message("%s\n", err.text);
	at_compile_result_release(&other);
}

/* The device's own clock ends the kernel, so these bounds hold at any speed. */
TEST(time_is_that_of_the_launches_together)
{
	static const struct {
		unsigned launches;
		uint64_t each_ns;
		double most_ns;
	} rows[] = {
		{ 1, 5000000, 6e6 },
		{ 100, 100000, 12e6 },
		/* more than are queued behind the closed gate */
		{ 2000, 10000, 60e6 },
	};
	struct at_parameter_value length;
	struct at_invocation call = { .kernel = find("wait_ns"),
		.grid = { 1, 1, 1 },
		.block = { 1, 1, 1 },
		.argument_count = 1,
		.arguments = &length };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };
		double least_ns = (double)rows[i].each_ns * rows[i].launches, ns;

		length = value_of(&rows[i].each_ns, sizeof(rows[i].each_ns));
		expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_OK, &err);
		expect(device->ops->time(
			       device, &call, 1, &call, 1, rows[i].launches, &ns, &err),
			AT_OUTCOME_OK, &err);
		print_message("%u launches of %.0f us: %.1f us\n", rows[i].launches,
			(double)rows[i].each_ns / 1e3, ns / 1e3);
		/* the timer ticks once in about a microsecond on some boards */
		assert_true(ns > 0.85 * least_ns);
		assert_true(ns < rows[i].most_ns);
	}
}

/* Behind a gate, launches of a kernel of no length follow each other closely: the
   host alone needs longer to queue one. */
TEST(keeps_the_hosts_latency_out_of_the_time)
{
	const uint64_t nothing_ns = 0;
	struct at_parameter_value length = value_of(&nothing_ns, sizeof(nothing_ns));
	struct at_invocation call = { .kernel = find("wait_ns"),
		.grid = { 1, 1, 1 },
		.block = { 1, 1, 1 },
		.argument_count = 1,
		.arguments = &length };
	struct at_error err = { 0 };
	double least_ns = 1e18;

	expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_OK, &err);
	for (int i = 0; i < 20; i++) {
		double ns;

		expect(device->ops->time(device, NULL, 0, &call, 1, 100, &ns, &err),
			AT_OUTCOME_OK, &err);
		if (ns < least_ns)
			least_ns = ns;
	}
	print_message("an empty kernel: %.0f ns\n", least_ns / 100);
	assert_true(least_ns / 100 < 10000);
}

/* each node as long as it waits, and no launch of the host between two of them */
TEST(a_graph_takes_as_long_as_its_nodes)
{
	enum { NODES = 50, SAMPLES = 7 };
	static const uint64_t each_ns[] = { 0, 5000, 100000 };

	if (!device->ops->time_graph)
		skip_because("this driver makes no graphs of launches");
	for (size_t i = 0; i < sizeof(each_ns) / sizeof(each_ns[0]); i++) {
		struct at_parameter_value length =
			value_of(&each_ns[i], sizeof(each_ns[i]));
		struct at_invocation calls[NODES];
		struct at_error err = { 0 };
		double ns[SAMPLES], least_ns = 1e18;

		for (int j = 0; j < NODES; j++)
			calls[j] = (struct at_invocation){ .kernel = find("wait_ns"),
				.grid = { 1, 1, 1 },
				.block = { 1, 1, 1 },
				.argument_count = 1,
				.arguments = &length };
		expect(device->ops->run(device, calls, 1, &err), AT_OUTCOME_OK, &err);
		expect(device->ops->time_graph(device, calls, NODES, ns, SAMPLES, &err),
			AT_OUTCOME_OK, &err);
		for (int j = 0; j < SAMPLES; j++)
			least_ns = ns[j] < least_ns ? ns[j] : least_ns;
		print_message("a node of %.1f us: %.3f us\n", (double)each_ns[i] / 1e3,
			least_ns / NODES / 1e3);
		/* the timer ticks once in about a microsecond on some boards */
		assert_true(least_ns > 0.85 * (double)each_ns[i] * NODES);
		assert_true(least_ns < ((double)each_ns[i] * 1.2 + 5000) * NODES);
	}
}

TEST(copies_within_the_device_as_often_as_asked)
{
	enum { BYTES = 64 << 20 };
	struct at_parameter_value address;
	struct at_memory *from = allocate(BYTES, &address);
	struct at_memory *to = allocate(BYTES, &address);
	unsigned char sent[64], got[64] = { 0 };
	struct at_error err = { 0 };

	memset(sent, 0x5a, sizeof(sent));
	assert_ok(device->ops->write(
		device, from, BYTES - sizeof(sent), sent, sizeof(sent), &failure));
	/* the last are more than are queued behind the closed gate */
	for (unsigned copies = 1; copies <= 512; copies *= 8) {
		double ns;

		expect(device->ops->time_copy(
			       device, to, from, BYTES, copies, &ns, &err),
			AT_OUTCOME_OK, &err);
		assert_true(ns > 0);
		print_message(
			"%u copies: %.2f TB/s\n", copies, 2e-3 * BYTES * copies / ns);
	}
	assert_ok(device->ops->read(
		device, to, BYTES - sizeof(got), got, sizeof(got), &failure));
	assert_memory_equal(got, sent, sizeof(sent));
	device->ops->release(device, from);
	device->ops->release(device, to);
}

/* Last: the device is lost afterwards. */
TEST(a_kernel_that_traps_is_a_crash)
{
	struct at_parameter_value address;
	struct at_memory *memory = allocate(4, &address);
	const int zero = 0;
	struct at_invocation call = { .kernel = find("dies"),
		.grid = { 1, 1, 1 },
		.block = { 32, 1, 1 },
		.argument_count = 1,
		.arguments = &address };
	struct at_error err = { 0 };

	assert_ok(device->ops->write(device, memory, 0, &zero, 4, &failure));
	expect(device->ops->run(device, &call, 1, &err), AT_OUTCOME_CRASHED, &err);
	print_message("%s\n", err.text);
	assert_non_null(strstr(err.text, "CUDA_ERROR_"));
	device->ops->release(device, memory);
}

int main(int argc, char **argv)
{
	struct at_error err = { 0 };
	unsigned count = 0;
	char version[64];

	if (at_device_kind_cuda.count(&count, &err)) {
		print_message("%s\n", err.text);
		return skip_all("no CUDA driver");
	}
	if (at_toolchain_version("nvrtc", version, sizeof(version), &err))
		return skip_all("no NVRTC");
	return run_suite(argc, argv, open_everything, close_everything);
}
