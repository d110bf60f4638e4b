/*
 * Prechecks (`check --compile`): compiles configurations of a space for an architecture
 * and reports the resources of their kernels. It launches nothing and opens no device:
 * the caller passes the device's properties, possibly from a table, for an architecture
 * that this machine lacks.
 *
 * It prints nothing: a listener gets one configuration at a time. A signal ends a call
 * with AT_EINTERRUPTED. Threads: the batch's.
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

/* The result of one configuration on one problem. */
struct at_precheck_results {
	const struct at_problem *problem;
	const uint16_t *configuration;
	bool is_baseline;
	/*
	 * OK: it compiles and can be launched. NOT_APPLICABLE: its launch or its
	 * arguments are invalid; it was not compiled. COMPILE_FAILED: it does not
	 * compile. LAUNCH_FAILED: its kernels take other arguments than the space
	 * passes. TOO_MANY_RESOURCES: it compiles, but needs more than the device has.
	 */
	enum at_outcome outcome;
	const char *detail; /* the reason in one line; "" for OK */
	struct at_facts facts;
	bool exact; /* facts.occupancy is exact (struct at_occupancy) */
};

/* What to check; all pointers are borrowed for the call. */
struct at_precheck_request {
	const struct at_spec *spec; /* must have a kernel: at_spec_require_kernel() */
	const struct at_template *template; /* the spec's */
	/* kind, architecture, toolchain and properties; id only in messages */
	const struct at_device_info *device;
	const struct at_problem *const *problems;
	size_t problem_count; /* at least 1 */
	/* most configurations to draw, in addition to baselines */
	uint64_t random_count;
	uint64_t seed;
	/* Called for each configuration; all pointers are borrowed for the call. */
	void (*listen)(void *context, const struct at_precheck_results *prechecks);
	void *context;
};

/*
 * Checks the baseline on every problem (if the space has defaults and its constraints
 * admit them), then random configurations, drawn for the problems in turn. No
 * configuration is drawn twice, and a smaller space is checked completely. The listener
 * gets them in that order, which only the seed decides, each as soon as it and its
 * predecessors are known.
 *
 * The reference is compiled first, for every problem. AT_EINVAL: a reference does not
 * compile (the listener gets nothing), or the kernels of a reference or a baseline take
 * other arguments than the space passes. AT_EUNAVAILABLE: there is no compiler, or it
 * does not know the architecture.
 */
enum at_status at_precheck_space(struct at_compile_batch *batch,
	const struct at_precheck_request *request, struct at_error *err);

#endif
