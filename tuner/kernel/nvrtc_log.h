/*
 * What NVRTC and the ptxas in it say of a source that gave no image, and what people
 * are told of it: kernels that are missing, in the words of the space file; a reason
 * where ptxas has none.
 *
 * Nobody but kernel/nvrtc.c includes it. Threads: pure functions.
 */
#ifndef AT_KERNEL_NVRTC_LOG_H
#define AT_KERNEL_NVRTC_LOG_H

#include "kernel/compile.h"

/*
 * Ends a compilation that gave nothing: outcome, log and verdict of the result. log is
 * NVRTC's own. reason: in front of what the log says, or NULL. is_verdict false: it is
 * none, whatever the log says. AT_ENOMEM.
 */
enum at_status at_nvrtc_report(const struct at_compile_request *request,
	const char *log, const char *reason, bool is_verdict,
	struct at_compile_result *result, struct at_error *err);

#endif
