/*
 * Vetting (`check --compile`): compiles configurations of a space for an architecture
 * and says which resources their kernels need. Nothing is launched and no device is
 * opened: the caller gives the properties of the device, which may be a table for an
 * architecture that this machine does not have.
 *
 * It prints nothing: a listener gets one configuration at a time. A signal ends a
 * call with AT_EINTERRUPTED. Threads: the batch's.
 */
#ifndef AT_SESSION_PRECHECK_H
#define AT_SESSION_PRECHECK_H

#include "base/error.h"
#include "base/outcome.h"
#include "device/device.h"
#include "evaluator/workers/compile_batch.h"
#include "kernel/compile.h"
#include "kernel/source.h"
#include "measure/measure.h"
#include "space/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What vetting found out about one configuration on one problem. */
struct at_prechecks {
	const struct at_problem *problem;
	const uint16_t *configuration;
	bool is_baseline;
	/*
	 * OK: it compiles and can be launched. NOT_APPLICABLE: its launch or its
	 * arguments make no sense; it was not compiled. COMPILE_FAILED: it does not
	 * compile. LAUNCH_FAILED: its kernels take other arguments than the space gives
	 * them. TOO_MANY_RESOURCES: it compiles, but needs more than the device has.
	 */
	enum at_outcome outcome;
	const char *detail; /* the reason in one line; "" for OK */
	struct at_facts facts;
	bool exact; /* facts.occupancy is exact (struct at_occupancy) */
};

/* What to vet; all pointers are borrowed for the call. */
struct at_precheck_request {
	const struct at_spec *spec; /* must have a kernel: at_spec_require_kernel() */
	const struct at_template *template; /* the spec's */
	/* kind, architecture, toolchain and properties are used; id only in messages */
	const struct at_device_info *device;
	const struct at_problem *const *problems;
	size_t problem_count; /* at least 1 */
	uint64_t random_count; /* most configurations to draw, beside the baselines */
	uint64_t seed;
	/* Told each configuration; all pointers are borrowed for the length of the
	   call. */
	void (*listen)(void *context, const struct at_prechecks *prechecks);
	void *context;
};

/*
 * Vets the baseline on every problem (where the space has defaults, and its constraints
 * admit them), and random configurations, spread over the problems in turn. No
 * configuration is drawn twice, and a space with fewer is prechecked completely. The
 * listener gets them in that order, which only the seed decides, each as soon as it and
 * those before it are known.
 *
 * The reference is compiled for every problem first. If it does not compile, the
 * listener gets nothing and the result is AT_EINVAL. AT_EINVAL too where the kernels
 * of the reference or of a baseline take other arguments than the space gives them.
 * AT_EUNAVAILABLE: there is no compiler, or it does not know the architecture.
 */
enum at_status at_precheck_space(struct at_compile_batch *batch,
	const struct at_precheck_request *request, struct at_error *err);

#endif
