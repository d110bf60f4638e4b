/*
 * CUPTI, NVIDIA's library for profilers; only its range profiler is used. The library
 * is found at run time, so that the program runs without it. Its structures are
 * declared here, so that a build needs no header of it (one of these headers is C++).
 *
 *   at_cupti_open(candidates, count, context, device, &cupti, &err);
 *   at_cupti_begin(cupti, &err);
 *   do {
 *           ... restore the launch's inputs
 *           at_cupti_start(cupti, &err);
 *           ... launch, and wait for it
 *           at_cupti_stop(cupti, &is_complete, &err);
 *   } while (!is_complete);
 *   at_cupti_read(cupti, values, &err);
 *   at_cupti_close(cupti);
 *
 * The caller repeats the launch (user replay): only the caller knows which memory a
 * launch changes. A process that has used the library may launch more slowly from then
 * on: do not measure times in it any more. Threads: one at a time.
 */
#ifndef AT_DEVICE_CUDA_CUPTI_H
#define AT_DEVICE_CUDA_CUPTI_H

#include "base/error.h"
#include "device/counters.h"
#include "kernel/job.h"

#include <stdbool.h>
#include <stddef.h>

struct CUctx_st;
struct at_cupti;

/* Appends the candidate files for CUPTI: the loader's, then those of the toolkits on
   this machine. The caller releases *out. */
void at_cupti_places(struct at_words *out);

/*
 * Opens the library, and prepares the counters of the context's device, which is number
 * `device` of the driver. Omits counters that the device lacks. AT_EUNAVAILABLE, with
 * the cause and what to do: no library, no permission, another profiler, a device
 * without readable counters.
 */
enum at_status at_cupti_open(const char *const *candidates, size_t count,
	struct CUctx_st *context, int device, struct at_cupti **out,
	struct at_error *err);
/* NULL is allowed. The library stays loaded, since it cannot be unloaded safely. */
void at_cupti_close(struct at_cupti *self);

/* Begins counting for one launch. */
enum at_status at_cupti_begin(struct at_cupti *self, struct at_error *err);
/* Around one launch, which must end before stop. *is_complete: all counters were read;
   else repeat the launch. */
enum at_status at_cupti_start(struct at_cupti *self, struct at_error *err);
enum at_status at_cupti_stop(
	struct at_cupti *self, bool *is_complete, struct at_error *err);
/* Fills in AT_COUNTER_COUNT values; NAN: the device lacks the counter. */
enum at_status at_cupti_read(
	struct at_cupti *self, double *values, struct at_error *err);

#endif
