/*
 * A bench on device `host` with the kernels of tests/kernels/measure.cu, and requests
 * to it, for tests of measure/.
 */
#ifndef AT_TEST_MEASURE_FIXTURE_H
#define AT_TEST_MEASURE_FIXTURE_H

#include "device/device.h"
#include "kernel/toolchain.h"
#include "measure/measure.h"

#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* elements of buffers: odd, so that ends and zones lie at odd addresses */
#define N 1001
#define SCRATCH 1200

enum { X, Y, Z, FLAGS, T, SIZE, REACH, ARGUMENTS };

/* Device `host`; a test may put another device in its place before it opens a bench. */
extern struct at_device *device;

/* Setup and teardown of a cmocka group: open and close `device`. */
int open_host(void **unused);
/* The same with one thread, for tests that make thousands of launches: several threads
   would wait for each other at each launch. */
int open_host_alone(void **unused);
int close_host(void **unused);

/* All storage of a bench and of one request to it. */
struct fixture {
	struct at_measure_setup setup;
	struct at_measure_binding setup_bindings[ARGUMENTS];
	struct at_measure_context *context;
	struct at_measure_binding bindings[ARGUMENTS];
	struct at_measure_request request;
	struct at_measure_result result;
};

/* Binds all arguments. */
void bind_arguments(
	struct at_measure_binding *bindings, uint64_t scratch_count, int64_t reach);
struct at_measure_call call_of(const char *symbol);
struct at_measure_request request_of(
	struct at_measure_binding *bindings, const char *kernel);

/* Fills self->setup without opening a bench. */
void begin_bench(struct fixture *self, const char *reference, enum at_cache_mode cache);
void open_bench(struct fixture *self, enum at_cache_mode cache);
/* without the inout argument and scratch (z, t), so that a sample may have several
   launches */
void open_bench_without_inout(struct fixture *self, enum at_cache_mode cache);
void end_bench(struct fixture *self);

static inline void open_cold_bench(struct fixture *self)
{
	open_bench(self, AT_CACHE_COLD);
}

/* A case with a bench, `self`, whose caches are cold. */
#define COLD_TEST(name) TEST_ON(name, struct fixture, self, open_cold_bench, end_bench)

/* Finals of this many blocks and rounds, with time for all of them. */
struct at_measure_finals finals_of(uint32_t blocks, uint32_t rounds);

/* Makes the next request in self->request. */
void ask_for(struct fixture *self, const char *kernel, int64_t reach);
enum at_outcome evaluate(struct fixture *self);
void expect_outcome(struct fixture *self, enum at_outcome outcome, const char *detail);
void expect_right(struct fixture *self);

#endif
