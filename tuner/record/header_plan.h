/*
 * What a kernel's header is made of: the winners of all devices and problems, and the
 * distinct configurations among them, each with the compiler options it was built with
 * and the limits within which it may be chosen. Headers, lists of flags, cubins and
 * portfolios are all made from a plan, so that they number configurations alike.
 *
 *   at_results_read(store, directory, spec->name, &results, &err);
 *   at_header_plan_make(spec, results.items, results.count, &options, &plan, &err);
 *   ... plan.configurations, plan.entries ...
 *   at_header_plan_release(&plan);
 *   at_results_release(&results);
 *
 * Deterministic: ordered by device (kind, slug), problem (the file's order), winners
 * before baselines; configurations are numbered in the order of their first use.
 * Threads: pure functions.
 */
#ifndef AT_RECORD_HEADER_PLAN_H
#define AT_RECORD_HEADER_PLAN_H

#include "record/results.h"
#include "space/spec.h"

/*
 * What is compiled: parameters and options. Two problems that differ in a size that an
 * option contains ("-DRADIUS=${RADIUS}") are two configurations, even where all
 * parameters are equal.
 */
struct at_header_configuration {
	uint16_t *values; /* by parameter: index of its value */
	size_t option_count;
	char **options; /* as compiled: "-DRADIUS=6" */
	/*
	 * By slot of the spec: the parameters, and those sizes and device properties
	 * that options depend on. The configuration is right only where sizes and
	 * device have these values. All other slots are NONE.
	 */
	struct at_value *slots;
	/* by option of the spec: whether its `when` held; true where it has none */
	bool *conditions;
	/* the highest of all its measurements; 0: not known */
	int64_t static_shared_bytes; /* per block */
	int64_t registers; /* per thread */
};

/* A model of device for which there is a result. */
struct at_header_device {
	const struct at_record_device *record; /* borrowed from a result */
	char *name; /* as part of a macro's name: NVIDIA_H200 */
};

/* A problem for which there is a result. */
struct at_header_problem {
	const char *text; /* as in the space file; borrowed */
	char *name; /* as part of a macro's name: SQUARE_4096 */
};

/* A result: a winner, or the baseline of one, or, where there is no winner at all, the
   space's defaults, which were not measured (at_results_add_defaults()). */
struct at_header_entry {
	const struct at_result *result; /* borrowed */
	size_t device; /* index into the plan's devices */
	size_t problem; /* index into its problems */
	size_t configuration; /* index into its configurations */
	bool is_baseline;
	/* the recorded sizes, in the order of spec->size_names; NONE: the problem lacks
	   it */
	struct at_value *sizes;
	/* the launches recorded with the winner, as many as the spec has */
	struct at_header_launch {
		/* how often it was launched; 0: it was left out, -1: not recorded */
		int64_t repeats;
		int64_t amounts[7]; /* grid, block, dynamic shared bytes */
	} * launches;
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
	/* Winners first, by device and problem; then the baselines of winners in the
	   same order, then baselines without a winner. */
	size_t entry_count;
	struct at_header_entry *entries;
	size_t winner_count;
	/* winners that the plan leaves out */
	size_t unverified_count; /* not verified, and not asked for */
	/* their configuration or problem is not in the space file any more */
	size_t unfit_count;
};

/* What a plan takes in. */
struct at_header_plan_options {
	bool with_unverified; /* also take winners that are not verified */
};

/*
 * Makes a plan of those items that are of this space; items and spec must outlive it. A
 * baseline is in it only if it was measured to be ok and its options can still be
 * determined. A plan may come out without entries; no header can be made of that, and
 * the caller has to say so. *out must be released, also after a failure.
 */
enum at_status at_header_plan_make(const struct at_spec *spec,
	const struct at_result *items, size_t count,
	const struct at_header_plan_options *options, struct at_header_plan *out,
	struct at_error *err);
/* Frees all that the plan owns and zeroes it. */
void at_header_plan_release(struct at_header_plan *self);

/*
 * The start of the header's function names: "matmul" for a space called "MatMul". With
 * "_2" behind it, it is the kernel's name in configuration 2. Heap.
 */
char *at_header_prefix(const struct at_spec *spec);

/* Whether a problem has a value of this type for the size, a real or a whole number. */
bool at_header_has_type(const struct at_spec *spec, size_t size, bool is_real);
/* Whether the text may stand behind #define NAME as it is. */
bool at_header_is_plain(const char *text);

#endif
