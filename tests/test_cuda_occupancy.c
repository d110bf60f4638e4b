/*
 * The computed occupancy, compared with the driver's for the same kernels. Needs a GPU;
 * without one this ends with 77, which is shown as skipped. tests/test_occupancy.c has
 * cases with known answers.
 */
#include "device/cuda/cuda_device.h"
#include "kernel/compile.h"
#include "kernel/occupancy.h"
#include "kernel/toolchain.h"

#include <dlfcn.h>

#include "suite.h"

static struct at_device *device;

static int open_device(void **state)
{
	struct at_error err = { 0 };

	if (at_device_kind_cuda.open(0, &device, &err) ||
		device->ops->wake(device, &err))
		fail_msg("%s", err.text);
	return 0;
}

static int close_device(void **state)
{
	device->ops->close(device);
	return 0;
}

/* VALUES stay in registers over the barriers; the last barrier's number makes that
   many and one. */
static const char resident_source[] =
	"extern \"C\" __global__ void BOUNDS resident(float *data)\n"
	"{\n"
	"	__shared__ char fixed[FIXED_BYTES + 1];\n"
	"	extern __shared__ char asked[];\n"
	"	float value[VALUES];\n"
	"	for (int i = 0; i < VALUES; i++)\n"
	"		value[i] = data[i * blockDim.x + threadIdx.x];\n"
	"	if (FIXED_BYTES)\n"
	"		fixed[(int)value[0] % (FIXED_BYTES + 1)] = asked[0];\n"
	"	asm volatile(\"bar.sync %0;\" : : \"n\"(BARRIER) : \"memory\");\n"
	"	for (int i = 0; i < VALUES; i++)\n"
	"		data[i * blockDim.x + threadIdx.x] =\n"
	"			value[i] * value[VALUES - 1 - i];\n"
	"	if (FIXED_BYTES)\n"
	"		data[0] += fixed[(int)value[1] % (FIXED_BYTES + 1)];\n"
	"}\n";

/* ptxas gives no thread more than 255 registers */
static const char *const resident[][5] = {
#define RESIDENT(values, registers, bounds, fixed_bytes, barrier) \
	{ \
		"-DVALUES=" #values, "--maxrregcount=" #registers, "-DBOUNDS=" bounds, \
			"-DFIXED_BYTES=" #fixed_bytes, "-DBARRIER=" #barrier \
	}
	RESIDENT(2, 255, "", 0, 0),
	RESIDENT(8, 255, "", 0, 0),
	RESIDENT(12, 255, "", 0, 0),
	RESIDENT(16, 255, "", 0, 0),
	RESIDENT(24, 255, "", 0, 0),
	RESIDENT(40, 255, "", 0, 0),
	RESIDENT(100, 255, "", 0, 0),
	RESIDENT(100, 72, "", 0, 0),
	RESIDENT(100, 33, "", 0, 0),
	RESIDENT(100, 255, "__launch_bounds__(1024)", 0, 0),
	RESIDENT(100, 255, "__launch_bounds__(128,8)", 0, 0),
	RESIDENT(8, 255, "__launch_bounds__(64)", 0, 0),
	RESIDENT(8, 255, "", 4000, 0),
	RESIDENT(24, 255, "", 8191, 0),
	RESIDENT(24, 255, "", 40000, 0),
	RESIDENT(8, 255, "", 0, 3),
	RESIDENT(8, 255, "", 0, 15),
#undef RESIDENT
};

/* what the driver itself says; 0 too where it refuses to say */
static int ask_driver(
	const struct at_kernel *kernel, int64_t threads, int64_t dynamic_bytes)
{
	unsigned (*ask)(int *blocks, struct CUfunc_st *function, int threads,
		size_t dynamic_bytes);
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	int blocks = 0;
	void *found;

	assert_non_null(library);
	found = dlsym(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
	assert_non_null(found);
	memcpy(&ask, &found, sizeof(ask));
	if (ask(&blocks, kernel->function, (int)threads, (size_t)dynamic_bytes))
		blocks = 0;
	dlclose(library);
	return blocks;
}

/* Every block size with every dynamic size that there can be beside the static. */
static unsigned compare_with_driver(
	const struct at_kernel_facts *facts, const struct at_kernel *kernel)
{
	static const int64_t threads[] = { 32, 33, 64, 65, 96, 128, 200, 256, 384, 512,
		992, 1024 };
	static const int64_t bytes[] = { 0, 100, 1000, 8192, 10000, 30000, 49152, 60000,
		100000, 200000 };
	const struct at_properties *properties = &device->info.properties;
	int64_t left =
		properties->value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK] -
		facts->shared_bytes;
	unsigned wrong = 0;

	/* as a launch does that needs so much */
	assert_int_equal(
		at_cuda_device_of(device)->driver->function_set(kernel->function,
			AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES, (int)left),
		0);
	for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++) {
		for (size_t j = 0; j < sizeof(bytes) / sizeof(*bytes); j++) {
			struct at_occupancy_kernel need = { .threads = threads[i],
				.registers = facts->registers,
				.static_shared_bytes = facts->shared_bytes,
				.dynamic_shared_bytes = bytes[j],
				.max_threads = facts->max_threads,
				.barriers = facts->barriers };
			struct at_occupancy ours;
			int theirs;

			/* the driver does not look at what __launch_bounds__ promises:
			   such a launch it refuses */
			if (bytes[j] > left || (facts->max_threads > 0 &&
						       threads[i] > facts->max_threads))
				continue;
			assert_true(at_occupancy(properties, &need, &ours));
			assert_true(ours.exact);
			theirs = ask_driver(kernel, threads[i], bytes[j]);
			if (ours.blocks == theirs)
				continue;
			wrong++;
			print_message(
				"  %lld threads, %lld dynamic bytes: %lld blocks, by the driver %d\n",
				(long long)threads[i], (long long)bytes[j],
				(long long)ours.blocks, theirs);
		}
	}
	return wrong;
}

static unsigned compare_resident(size_t row)
{
	static char *kernels[] = { (char *)"resident" };
	struct at_compile_request request = {
		.toolchain = "nvrtc",
		.architecture = device->info.architecture,
		.name = (char *)"resident.cu",
		.directory = (char *)"",
		.source = (char *)resident_source,
		.option_count = sizeof(resident[row]) / sizeof(*resident[row]),
		.options = (char **)resident[row],
		.kernel_count = 1,
		.kernels = kernels,
	};
	const struct at_kernel_facts *facts;
	RELEASED(at_compile_result_release) struct at_compile_result result;
	struct at_error err = { 0 };
	struct at_module *loaded;
	unsigned wrong;

	assert_ok(at_compile(&request, &result, &failure));
	if (result.outcome != AT_OUTCOME_OK)
		fail_msg("%s", result.log);
	facts = &result.kernels[0];
	print_message(
		"%lld registers, %lld static bytes, %lld threads at most, %lld barriers\n",
		(long long)facts->registers, (long long)facts->shared_bytes,
		(long long)facts->max_threads, (long long)facts->barriers);
	if (device->ops->load(device, result.image, result.image_bytes, &loaded,
		    &err) != AT_OUTCOME_OK)
		fail_msg("%s", err.text);
	wrong = compare_with_driver(
		facts, device->ops->find(device, loaded, "resident"));
	device->ops->unload(device, loaded);
	return wrong;
}

TEST(counts_resident_blocks_as_the_driver_does)
{
	const struct at_occupancy_kernel any = { .threads = 32 };
	struct at_occupancy occupancy;
	unsigned wrong = 0;

	assert_true(at_occupancy(&device->info.properties, &any, &occupancy));
	if (!occupancy.exact) {
		print_message("cuda_occupancy.h was not there, or does not know %s\n",
			device->info.architecture);
		skip_because("no cuda_occupancy.h that knows this GPU");
	}
	for (size_t i = 0; i < sizeof(resident) / sizeof(*resident); i++)
		wrong += compare_resident(i);
	assert_int_equal(wrong, 0);
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
	return run_suite(argc, argv, open_device, close_device);
}
