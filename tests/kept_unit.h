/*
 * Compiling in a test's own process, as the whole tool does it: what was compiled
 * before, by any test, is read from the folder of units.
 */
#ifndef AT_TESTS_KEPT_UNIT_H
#define AT_TESTS_KEPT_UNIT_H

#include "kernel/compile.h"

/* As at_compile(); the request's source includes nothing but what toolchains have. */
enum at_status compile_kept(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err);

#endif
