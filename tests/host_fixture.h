/*
 * The device "host" with kernels compiled and loaded, for tests that launch them.
 *
 *	host_open("host.cu", kernels, COUNT);      of tests/kernels/
 *	RUN("saxpy", grid, block, INTEGER(n), POINTER(x), POINTER(y));
 *	host_close();
 */
#ifndef AT_TESTS_HOST_FIXTURE_H
#define AT_TESTS_HOST_FIXTURE_H

#include "base/memory.h"
#include "device/device.h"
#include "kernel/cxx.h"

extern struct at_device *device;
extern struct at_module *module;
extern struct at_compile_result unit;

/* Compiles a source with one option, or NULL; fails the test if that is not possible.
 */
void host_compile(const char *source, const char *const *kernels, size_t count,
	const char *option, struct at_compile_result *result);
/* The same, and the source must compile. */
void host_compile_well(const char *source, const char *const *kernels, size_t count,
	const char *option, struct at_compile_result *result);
/* Compiles these kernels of tests/kernels/NAME, as `unit`. */
void host_compile_file(
	const char *name, const char *const *kernels, size_t count, const char *option);
struct at_device *host_open_device(void);
/* Loads an image, most often `unit`, on a device. */
struct at_module *host_load(
	struct at_device *on, const struct at_compile_result *image);
/* Opens the device, and compiles and loads a file; closes all of it. */
void host_open(const char *name, const char *const *kernels, size_t count);
void host_close(void);

/* An argument of a launch. */
struct host_value {
	const void *data;
	size_t size;
};

#define VALUE(value) \
	{ \
		&(value), sizeof(value) \
	}
#define INTEGER(n) \
	{ \
		&(int){ n }, sizeof(int) \
	}
#define ADDRESS(address) \
	{ \
		&(uint64_t){ address }, sizeof(uint64_t) \
	}
/* Memory of the process is memory of this device. */
#define POINTER(pointer) \
	{ \
		&(const void *){ pointer }, sizeof(void *) \
	}

struct call {
	struct at_invocation invocation;
	struct at_parameter_value values[8];
};

void host_begin(struct call *call, const char *kernel, uint32_t grid, uint32_t block,
	size_t count, const struct host_value *values);
#define BEGIN(call, kernel, grid, block, ...) \
	host_begin(call, kernel, grid, block, \
		AT_COUNT_OF(((const struct host_value[]){ __VA_ARGS__ })), \
		(const struct host_value[]){ __VA_ARGS__ })

enum at_outcome host_try(struct call *call, struct at_error *err);
/* It must succeed. */
void host_run(struct call *call);

/* Launches a kernel with these arguments; it must succeed. */
#define RUN(kernel, grid, block, ...) \
	do { \
		struct call run_call; \
\
		BEGIN(&run_call, kernel, grid, block, __VA_ARGS__); \
		host_run(&run_call); \
	} while (0)

/* From now on threads take turns in the order of this seed; 0: the usual one. */
void host_shuffle(uint64_t seed);
/* Runs check() in the usual order of threads and in five others. */
void host_in_any_order(void (*check)(void));

#endif
