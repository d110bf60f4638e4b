/*
 * The result of a compilation in which NVRTC, or the ptxas in it, made no image: turns
 * the log into what users are told. Missing kernels are named in the words of the space
 * file, and a reason is added where ptxas gives none.
 *
 * Only kernel/nvrtc.c includes it.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_NVRTC_LOG_H
#define AT_KERNEL_NVRTC_LOG_H

#include "kernel/compile.h"

/*
 * Sets outcome, log and is_verdict of the result. log: NVRTC's own. reason: text to
 * stand in front of it, or NULL. is_verdict: false where it is known that the source
 * was not refused; true leaves the decision to the log.
 */
void at_nvrtc_report(const struct at_compile_request *request, const char *log,
	const char *reason, bool is_verdict, struct at_compile_result *result);

#endif
