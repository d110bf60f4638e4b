/*
 * The device "host" with one file of tests/kernels/ compiled and loaded, for tests that
 * launch its kernels.
 */
#ifndef AT_TESTS_HOST_FIXTURE_H
#define AT_TESTS_HOST_FIXTURE_H

#include "device/device.h"

#include <stddef.h>

extern struct at_device *host_device;

/* Opens the device and loads these kernels of tests/kernels/NAME; fails the test. */
void host_fixture_open(const char *name, const char *const *kernels, size_t count);
void host_fixture_close(void);

/* Arguments are pointers, and an integer behind them where it is not negative. */
void host_fixture_run(const char *kernel, unsigned grid, unsigned block, size_t count,
	const void *const *pointers, int n);

#define POINTERS(...) \
	sizeof((const void *[]){ __VA_ARGS__ }) / sizeof(void *), (const void *[]) \
	{ \
		__VA_ARGS__ \
	}

/* Runs check() in the usual order of threads and in five others. */
void host_fixture_in_any_order(void (*check)(void));

#endif
