/*
 * Winners without a compiler: cubins that the headers carry, loaded by the driver API.
 * C99 and the C library; the driver is looked for when it runs.
 *
 *   autotune header transpose.cfg -o transpose.h
 *   autotune header --cubins transpose.cfg -o transpose_cubins.h
 *   (stencil likewise)      cc -std=c99 cubins.c -o cubins -ldl -lm
 *
 *   cubins check   their checksums, and what is found for which device
 *   cubins run     the same, and on a GPU their results; 77 if none exists
 */
#define _POSIX_C_SOURCE 200809L

#include "stencil_cubins.h"
#include "transpose_cubins.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;

static void expect(int holds, const char *what, int line)
{
	if (holds)
		return;
	fprintf(stderr, "cubins.c:%d: not so: %s\n", line, what);
	failed = 1;
}
#define EXPECT(holds) expect((holds) ? 1 : 0, #holds, __LINE__)

/* ---- without a GPU --------------------------------------------------------- */

static void check_all(const char *kernel, const struct autotune_cubin *all, int count)
{
	unsigned long long bytes = 0;
	int i;

	for (i = 0; i < count; i++) {
		EXPECT(autotune_cubin_is_sound(&all[i]));
		EXPECT(!memcmp(all[i].data, "\177ELF", 4));
		EXPECT(all[i].name != NULL);
		bytes += all[i].size;
	}
	printf("%s: %d cubins, %llu bytes, checksums verified\n", kernel, count, bytes);
}

static void check(void)
{
	static unsigned char copy[1 << 20];
	const struct autotune_cubin *it = transpose_cubin(0, 9, 0);
	struct autotune_device h200 = { 0 };
	struct autotune_cubin other;
	int n;

	h200.name = "NVIDIA H200";
	h200.major = 9;
	check_all("transpose", transpose_cubins(), AUTOTUNE_TRANSPOSE_CUBIN_COUNT);
	check_all("stencil", stencil_cubins(), AUTOTUNE_STENCIL_CUBIN_COUNT);
	/* every configuration is there for the H200, and none for what is older or
	 * newer */
	for (n = 0; n < TRANSPOSE_CONFIGURATION_COUNT; n++)
		EXPECT(transpose_cubin(n, 9, 0) && !transpose_cubin(n, 8, 9) &&
			!transpose_cubin(n, 10, 0));
	for (n = 0; n < STENCIL_CONFIGURATION_COUNT; n++)
		EXPECT(stencil_cubin(n, 9, 0) && stencil_cubin(n, 9, 9));
	EXPECT(!transpose_cubin(-1, 9, 0) && !transpose_cubin(n, 9, 0));
	n = transpose_choose(&h200, 8192, 8192).configuration;
	EXPECT(n == TRANSPOSE_NVIDIA_H200_SQUARE_8192_CONFIGURATION);
	if (!it || it->size > sizeof(copy))
		return;
	other = *it;
	memcpy(copy, it->data, (size_t)it->size);
	other.data = copy;
	EXPECT(autotune_cubin_is_sound(&other));
	copy[it->size / 2] ^= 16;
	EXPECT(!autotune_cubin_is_sound(&other));
}

/* ---- the driver ------------------------------------------------------------ */

typedef unsigned long long address; /* CUdeviceptr */

/* name in the library, arguments; all of them return 0 or what went wrong */
#define DRIVER(X) \
	X(init, "cuInit", (unsigned int)) \
	X(count, "cuDeviceGetCount", (int *)) \
	X(get, "cuDeviceGet", (int *, int)) \
	X(name, "cuDeviceGetName", (char *, int, int)) \
	X(attribute, "cuDeviceGetAttribute", (int *, int, int)) \
	X(retain, "cuDevicePrimaryCtxRetain", (void **, int)) \
	X(use, "cuCtxSetCurrent", (void *)) \
	X(synchronize, "cuCtxSynchronize", (void)) \
	X(load, "cuModuleLoadData", (void **, const void *)) \
	X(unload, "cuModuleUnload", (void *)) \
	X(function, "cuModuleGetFunction", (void **, void *, const char *)) \
	X(allow, "cuFuncSetAttribute", (void *, int, int)) \
	X(allocate, "cuMemAlloc_v2", (address *, size_t)) \
	X(release, "cuMemFree_v2", (address)) \
	X(fill, "cuMemsetD8_v2", (address, unsigned char, size_t)) \
	X(upload, "cuMemcpyHtoD_v2", (address, const void *, size_t)) \
	X(download, "cuMemcpyDtoH_v2", (void *, address, size_t)) \
	X(event, "cuEventCreate", (void **, unsigned int)) \
	X(record, "cuEventRecord", (void *, void *)) \
	X(await, "cuEventSynchronize", (void *)) \
	X(elapsed, "cuEventElapsedTime", (float *, void *, void *)) \
	X(launch, "cuLaunchKernel", \
		(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
			unsigned, void *, void **, void **))

static struct {
#define MEMBER(member, symbol, arguments) int(*member) arguments;
	DRIVER(MEMBER)
} driver;

/* why none exists; NULL: it is there */
static const char *open_driver(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *symbol;

	if (!library)
		return "no driver";
#define LOOK_UP(member, name, arguments) \
	symbol = dlsym(library, name); \
	if (!symbol) \
		return "a driver without " name; \
	memcpy(&driver.member, &symbol, sizeof(symbol));
	DRIVER(LOOK_UP)
	return NULL;
}

static void done(int code, const char *what)
{
	if (code == 0)
		return;
	fprintf(stderr, "cubins: %s: the driver says %d\n", what, code);
	exit(1);
}
#define DO(call) done((call), #call)

/* numbers of CUdevice_attribute */
static void ask(int board, struct autotune_device *device, char name[256])
{
	struct {
		int number;
		long long *out;
	} asked[] = {
		{ 1, &device->max_threads_per_block },
		{ 2, &device->max_block_x },
		{ 3, &device->max_block_y },
		{ 4, &device->max_block_z },
		{ 5, &device->max_grid_x },
		{ 6, &device->max_grid_y },
		{ 7, &device->max_grid_z },
		{ 8, &device->max_shared_bytes_per_block },
		{ 10, &device->warp_size },
		{ 12, &device->max_registers_per_block },
		{ 16, &device->multiprocessor_count },
		{ 39, &device->max_threads_per_multiprocessor },
		{ 81, &device->shared_bytes_per_multiprocessor },
		{ 82, &device->max_registers_per_multiprocessor },
		{ 97, &device->max_dynamic_shared_bytes_per_block },
	};
	size_t i;
	int value;

	DO(driver.name(name, 256, board));
	device->name = name;
	DO(driver.attribute(&device->major, 75, board));
	DO(driver.attribute(&device->minor, 76, board));
	for (i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		DO(driver.attribute(&value, asked[i].number, board));
		*asked[i].out = value;
	}
}

/* ---- on a GPU -------------------------------------------------------------- */

struct job {
	const char *kernel;
	const struct autotune_cubin *cubin; /* NULL: none is for this device */
	struct autotune_choice choice;
	struct autotune_launch launch;
	int rows, columns;
	int radius; /* 0: a transpose */
	double recorded_ns; /* 0: nothing is recorded for these sizes */
};

static double at(const float *grid, const struct job *it, int row, int column)
{
	if (row < 0 || row >= it->rows || column < 0 || column >= it->columns)
		return 0.0;
	return (double)grid[(size_t)row * (size_t)it->columns + (size_t)column];
}

/* what out[i] is to be */
static double expected(const float *in, const struct job *it, size_t i)
{
	const size_t rows = (size_t)it->rows, columns = (size_t)it->columns;
	const int row = (int)(i / columns), column = (int)(i % columns);
	double sum = at(in, it, row, column), weights = 1.0;
	int d;

	if (it->radius == 0)
		return (double)in[i % rows * columns + i / rows];
	for (d = 1; d <= it->radius; d++) {
		sum += (at(in, it, row - d, column) + at(in, it, row + d, column) +
			       at(in, it, row, column - d) +
			       at(in, it, row, column + d)) /
		       (1.0 + d);
		weights += 4.0 / (1.0 + d);
	}
	return sum / weights;
}

/* all of what is small, and of what is large a prime stride */
static int is_right(const float *in, const float *out, const struct job *it)
{
	const size_t count = (size_t)it->rows * (size_t)it->columns;
	const size_t step = count > 2000000 ? 997 : 1;
	size_t i;

	for (i = 0; i < count; i += step) {
		const double right = expected(in, it, i);

		/* NaN is not within it */
		if (fabs((double)out[i] - right) <= (it->radius ? 1e-5 : 0.0))
			continue;
		fprintf(stderr, "cubins: %s %d x %d: element %lu is %g, not %g\n",
			it->kernel, it->rows, it->columns, (unsigned long)i,
			(double)out[i], right);
		return 0;
	}
	return 1;
}

static void launch(const struct job *it, void *function, address from, address to)
{
	const struct autotune_launch *l = &it->launch;
	int rows = it->rows, columns = it->columns;
	void *arguments[4];

	arguments[0] = &from;
	arguments[1] = &to;
	arguments[2] = &rows;
	arguments[3] = &columns;
	DO(driver.launch(function, l->grid[0], l->grid[1], l->grid[2], l->block[0],
		l->block[1], l->block[2], l->shared_bytes, NULL, arguments, NULL));
}

static int compare_floats(const void *a, const void *b)
{
	const float left = *(const float *)a, right = *(const float *)b;

	return left < right ? -1 : left > right;
}

/* the median of 21, each with cold caches, in ns */
static double measure(const struct job *it, void *function, address from, address to)
{
	const size_t flush_bytes = (size_t)256 << 20;
	float samples[21];
	void *begin, *end;
	address flush;
	int i;

	DO(driver.event(&begin, 0));
	DO(driver.event(&end, 0));
	DO(driver.allocate(&flush, flush_bytes));
	for (i = 0; i < 21; i++) {
		DO(driver.fill(flush, (unsigned char)i, flush_bytes));
		DO(driver.record(begin, NULL));
		launch(it, function, from, to);
		DO(driver.record(end, NULL));
		DO(driver.await(end));
		DO(driver.elapsed(&samples[i], begin, end));
	}
	DO(driver.release(flush));
	qsort(samples, 21, sizeof(samples[0]), compare_floats);
	return (double)samples[10] * 1e6;
}

static void run_on(const struct job *it, const float *in, float *out)
{
	const size_t bytes = (size_t)it->rows * (size_t)it->columns * sizeof(float);
	void *module, *function;
	address from, to;

	DO(driver.load(&module, it->cubin->data));
	DO(driver.function(&function, module, it->cubin->name));
	/* more than 48 KiB is opted in to */
	if (it->launch.shared_bytes > 48 * 1024)
		DO(driver.allow(function, 8, (int)it->launch.shared_bytes));
	DO(driver.allocate(&from, bytes));
	DO(driver.allocate(&to, bytes));
	DO(driver.upload(from, in, bytes));
	DO(driver.fill(to, 0xff, bytes));
	launch(it, function, from, to);
	DO(driver.synchronize());
	DO(driver.download(out, to, bytes));
	printf("%s %d x %d: configuration %d, %s, sm_%d%d", it->kernel, it->rows,
		it->columns, it->choice.configuration,
		autotune_rung_name(it->choice.rung), it->cubin->major,
		it->cubin->minor);
	if (!is_right(in, out, it)) {
		failed = 1;
		printf(", WRONG");
	} else if (it->recorded_ns > 0) {
		printf(", right; %.1f us, recorded %.1f us",
			measure(it, function, from, to) / 1e3, it->recorded_ns / 1e3);
	} else {
		printf(", right");
	}
	printf("\n");
	DO(driver.release(from));
	DO(driver.release(to));
	DO(driver.unload(module));
}

static void run_job(const struct job *it)
{
	const size_t count = (size_t)it->rows * (size_t)it->columns;
	float *in = malloc(count * sizeof(*in)), *out = malloc(count * sizeof(*out));
	size_t i;

	if (!it->cubin || !autotune_cubin_is_sound(it->cubin) || !it->launch.grid[0] ||
		!in || !out) {
		fprintf(stderr, "cubins: %s %d x %d: %s\n", it->kernel, it->rows,
			it->columns,
			!it->cubin            ? "no cubin is for this device"
			: !it->launch.grid[0] ? "it cannot be launched"
			: !in || !out         ? "out of memory"
				      : "its bytes are not those that were written");
		failed = 1;
	} else {
		for (i = 0; i < count; i++)
			in[i] = (float)((i * 2654435761U >> 8) % 20011) / 10000.0f -
				1.0f;
		run_on(it, in, out);
	}
	free(in);
	free(out);
}

static void transpose(
	const struct autotune_device *device, int rows, int columns, double recorded_ns)
{
	struct job it = { .kernel = "transpose",
		.rows = rows,
		.columns = columns,
		.recorded_ns = recorded_ns };

	it.choice = transpose_choose(device, rows, columns);
	it.cubin =
		transpose_cubin(it.choice.configuration, device->major, device->minor);
	it.launch = transpose_launch(it.choice.configuration, device, rows, columns);
	run_job(&it);
}

static void stencil(const struct autotune_device *device, int rows, int columns,
	int radius, double recorded_ns)
{
	struct job it = { .kernel = "stencil",
		.rows = rows,
		.columns = columns,
		.radius = radius,
		.recorded_ns = recorded_ns };

	it.choice = stencil_choose(device, rows, columns, radius);
	it.cubin = stencil_cubin(it.choice.configuration, device->major, device->minor);
	it.launch =
		stencil_launch(it.choice.configuration, device, rows, columns, radius);
	run_job(&it);
}

static int run(void)
{
	struct autotune_device device = { 0 };
	const char *reason = open_driver();
	char name[256];
	void *context;
	int count = 0, board, radius;

	if (!reason && (driver.init(0) || driver.count(&count) || count == 0))
		reason = "no GPU";
	if (reason) {
		printf("skipped 1: %s, to run cubins on\n", reason);
		return 77;
	}
	DO(driver.get(&board, 0));
	DO(driver.retain(&context, board));
	DO(driver.use(context));
	ask(board, &device, name);
	if (!transpose_cubin(0, device.major, device.minor)) {
		printf("skipped 1: no cubin is for %s, of capability %d.%d\n", name,
			device.major, device.minor);
		return 77;
	}
	transpose(&device, 257, 131, 0);
	transpose(&device, 3, 515, 0);
	transpose(&device, 1, 1, 0);
	transpose(&device, 8192, 8192, TRANSPOSE_NVIDIA_H200_SQUARE_8192_TIME_NS);
	transpose(&device, 8191, 8197, TRANSPOSE_NVIDIA_H200_RAGGED_8191_TIME_NS);
	for (radius = 1; radius <= 6; radius += 5) {
		stencil(&device, 77, 131, radius, 0);
		stencil(&device, 67, 3, radius, 0);
	}
	stencil(&device, 8192, 8192, 1, STENCIL_NVIDIA_H200_RADIUS_1_TIME_NS);
	stencil(&device, 8192, 8192, 6, STENCIL_NVIDIA_H200_RADIUS_6_TIME_NS);
	return 0;
}

int main(int argc, char **argv)
{
	const int runs = argc == 2 && !strcmp(argv[1], "run");
	int code = 0;

	if (!runs && !(argc == 2 && !strcmp(argv[1], "check"))) {
		fprintf(stderr, "usage: cubins check|run\n");
		return 2;
	}
	check();
	if (runs)
		code = run();
	return failed ? 1 : code;
}
