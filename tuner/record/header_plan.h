/*
 * The contents of a kernel's header: the winners of all devices and problems, and their
 * distinct configurations, each with its compiler options and the limits of its
 * validity. Headers, lists of flags, cubins and portfolios are all made from a plan, so
 * that they number configurations alike.
 *
 *   at_results_read(store, directory, spec->name, &results, &err);
 *   at_header_plan_make(spec, results.items, results.count, &options, &plan, &err);
 *   ... plan.configurations, plan.entries ...
 *   at_header_plan_release(&plan);
 *   at_results_release(&results);
 *
 * Deterministic: ordered by device (kind, slug), problem (the file's order), winners
 * before baselines; configurations are numbered by first use. Threads: pure functions.
 */
#ifndef AT_RECORD_HEADER_PLAN_H
#define AT_RECORD_HEADER_PLAN_H

#include "record/results.h"
#include "space/spec.h"

/* What is compiled: parameters and options. Two problems that differ in a size that an
   option contains ("-DRADIUS=${RADIUS}") are two configurations, even if all parameters
   are equal. */
struct at_header_configuration {
	uint16_t *values; /* by parameter: index of its value */
	size_t option_count;
	char **options; /* as compiled: "-DRADIUS=6" */
	/* By slot of the spec: the parameters, and the sizes and device properties on
	   which options depend. The configuration is valid only for these values. All
	   other slots are NONE. */
	struct at_value *slots;
	/* by option of the spec: whether its `when` held; true without one */
	bool *conditions;
	/* maximum over its measurements; 0: not known */
	int64_t static_shared_bytes; /* per block */
	int64_t registers; /* per thread */
};

/* A model of device with a result. */
struct at_header_device {
	const struct at_record_device *record; /* borrowed from a result */
	char *name; /* part of macro names: NVIDIA_H200 */
};

/* A problem with a result. */
struct at_header_problem {
	const char *text; /* as in the space file; borrowed */
	char *name; /* part of macro names: SQUARE_4096 */
};

/* A result: a winner, or a winner's baseline, or, without any winner, the space's
   defaults, not measured (at_results_add_defaults()). */
struct at_header_entry {
	const struct at_result *result; /* borrowed */
	size_t device; /* index into the plan's devices */
	size_t problem; /* index into its problems */
	size_t configuration; /* index into its configurations */
	bool is_baseline;
	/* the recorded sizes, in the order of spec->size_names; NONE: not in the
	   problem */
	struct at_value *sizes;
	/* the launches recorded with the winner, one for each of the spec */
	struct at_header_launch {
		/* number of launches; 0: left out, -1: not recorded */
		int64_t repeats;
		int64_t amounts[7]; /* grid, block, dynamic shared bytes */
	} * launches;
	/* What has changed in the files since the winner's measurement: "template",
	   "launch"; NULL: nothing known. */
	const char *stale;
};

/* The plan; at_header_plan_release() frees what is not borrowed. */
struct at_header_plan {
	const struct at_spec *spec; /* borrowed */
	size_t configuration_count;
	struct at_header_configuration *configurations;
	size_t device_count;
	struct at_header_device *devices;
	size_t problem_count;
	struct at_header_problem *problems;
	/* Winners first, by device and problem; then their baselines in the same order;
	   then baselines without a winner. */
	size_t entry_count;
	struct at_header_entry *entries;
	size_t winner_count;
	/* winners left out */
	size_t unverified_count; /* unverified and not requested */
	/* the space file no longer has their configuration or problem */
	size_t unfit_count;
};

/* Which winners to include. */
struct at_header_plan_options {
	bool with_unverified; /* also unverified ones */
};

/*
 * Makes a plan of the items of this space; items and spec must outlive it. A baseline
 * is included only if it was measured ok and its options can still be determined. A
 * plan may have no entries: then no header is possible, and the caller must say so.
 * *out must be released, also after a failure.
 */
enum at_status at_header_plan_make(const struct at_spec *spec,
	const struct at_result *items, size_t count,
	const struct at_header_plan_options *options, struct at_header_plan *out,
	struct at_error *err);
/* Appends a line about stale winners with this configuration (SIZE_MAX: with any), and
   the reason; nothing if there is no stale winner. */
void at_header_plan_write_stale(
	const struct at_header_plan *self, size_t configuration, struct at_strbuf *out);
/* Frees all that the plan owns and zeroes it. */
void at_header_plan_release(struct at_header_plan *self);

/* The prefix of the header's function names: "matmul" for a space "MatMul"; with "_2"
   the kernel's name in configuration 2. Heap. */
char *at_header_prefix(const struct at_spec *spec);

/* Whether any problem has a real (or an integer) value of the size. */
bool at_header_has_type(const struct at_spec *spec, size_t size, bool is_real);
/* Whether the text may follow #define NAME unchanged. */
bool at_header_is_plain(const char *text);

#endif
