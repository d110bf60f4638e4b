/*
 * Compiles in a test's own process with the cache of units (AT_TEST_UNITS), as the
 * whole tool does: a unit that any test compiled before is read from there.
 */
#ifndef AT_TESTS_KEPT_UNIT_H
#define AT_TESTS_KEPT_UNIT_H

#include "kernel/compile.h"

/* As at_compile(). The request's source may only include headers of the toolchains. */
enum at_status compile_kept(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err);

#endif
