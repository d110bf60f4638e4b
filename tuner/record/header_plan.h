/*
 * What a kernel's header is made of: the winners of all devices and problems, and the
 * distinct configurations that they come to, each with the options that it was compiled
 * with and the limits within which it may be chosen. Headers, lists of flags, cubins
 * and portfolios are made of it, so that all of them number configurations alike.
 *
 *   at_results_read(store, spec->name, &results, &err);
 *   at_header_plan_make(spec, results.items, results.count, &options, &plan, &err);
 *   ... plan.configurations, plan.entries ...
 *   at_header_plan_release(&plan);
 *   at_results_release(&results);
 *
 * Deterministic: by device (kind, slug), problem (the file's order), winners before
 * baselines; a configuration's number is its place in the order of first use.
 * Threads: pure functions.
 */
#ifndef AT_RECORD_HEADER_PLAN_H
#define AT_RECORD_HEADER_PLAN_H

#include "record/results.h"
#include "space/spec.h"

/*
 * Parameters and options: what is compiled. Two problems that differ in a size that is
 * in an option ("-DRADIUS=${RADIUS}") have two, of whatever parameters.
 */
struct at_header_configuration {
	uint16_t *values; /* index of the value, one a parameter */
	size_t option_count;
	char **options; /* as compiled: "-DRADIUS=6" */
	/*
	 * One a slot of the spec: the parameters, and those sizes and properties of the
	 * device that options are made of: it is right for no others. The rest is NONE.
	 */
	struct at_value *slots;
	/* one an option of the spec: whether its `when` held; 1 where it has none */
	bool *conditions;
	/* of all its uses, the most; 0: not known */
	int64_t static_shared_bytes; /* of a block */
	int64_t registers; /* of a thread */
};

struct at_header_device {
	const struct at_record_device *record; /* borrowed from a result */
	char *name; /* NVIDIA_H200 */
	struct at_properties properties;
};

struct at_header_problem {
	const char *text; /* as in the space file; borrowed */
	char *name; /* SQUARE_4096 */
};

/* What was measured: a winner, or the baseline of one; or a baseline that nobody
   measured, where there is no winner at all (at_results_add_defaults()). */
struct at_header_entry {
	const struct at_result *result; /* borrowed */
	size_t device; /* into the plan's lists */
	size_t problem;
	size_t configuration;
	bool is_baseline;
	/* the recorded ones, in the order of spec->size_names; NONE: it has none */
	struct at_value *sizes;
	/* recorded with the winner: grid, block, dynamic shared memory */
	bool has_launch;
	int64_t launch[7];
};

struct at_header_plan {
	const struct at_spec *spec; /* borrowed */
	size_t configuration_count;
	struct at_header_configuration *configurations;
	size_t device_count;
	struct at_header_device *devices;
	size_t problem_count;
	struct at_header_problem *problems;
	/* winners first, by device and problem; then baselines, likewise, those of no
	   winner the last */
	size_t entry_count;
	struct at_header_entry *entries;
	size_t winner_count;
	/* winners that are not in it */
	size_t unproved_count;
	size_t unfit_count; /* their configuration or problem is not in the file */
};

struct at_header_plan_options {
	bool with_unproved; /* winners that are not proved count too */
};

/*
 * items of other spaces are passed over; items and spec outlive the plan. A plan
 * without entries is none to make a header of: that is the caller's to say. A baseline
 * counts where it was measured to be ok and its options can still be told. *out is the
 * caller's, also after a failure.
 */
enum at_status at_header_plan_make(const struct at_spec *spec,
	const struct at_result *items, size_t count,
	const struct at_header_plan_options *options, struct at_header_plan *out,
	struct at_error *err);
void at_header_plan_release(struct at_header_plan *self);

/* The winner of a device and problem of the plan; NULL: there is none. */
const struct at_header_entry *at_header_plan_find(
	const struct at_header_plan *self, size_t device, size_t problem);
/* Whether a result of this entry's configuration was proved on this device. */
bool at_header_is_proved_on(
	const struct at_header_plan *self, size_t configuration, size_t device);

/*
 * "matmul" of a space that is called "MatMul": what is in front of the names of its
 * functions, and with "_2" behind it the name of the kernel of configuration 2; heap.
 */
char *at_header_prefix(const struct at_spec *spec);

#endif
