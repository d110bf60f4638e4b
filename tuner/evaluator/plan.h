/*
 * A space, a problem and a device made concrete: what to compile, what to launch with
 * which arguments, and the key under which the evaluation is recorded.
 *
 *   at_plan_init(&plan, spec, template, problem, NULL, device, version, seed, &err);
 *   at_plan_configuration(&plan, configuration, &planned, &err);
 *   ... planned.key is looked up, planned.compile compiled, planned.request measured
 *   at_compiled_plan_release(&planned);
 *   at_plan_release(&plan);
 *
 * Threads: one thread at a time, since expressions are evaluated in the plan's slots.
 */
#ifndef AT_EVALUATOR_PLAN_H
#define AT_EVALUATOR_PLAN_H

#include "base/hash.h"
#include "kernel/compile.h"
#include "kernel/floor.h"
#include "kernel/occupancy.h"
#include "kernel/source.h"
#include "measure/measure.h"
#include "space/spec.h"

/* Other contents for an input, in a case of its own (evaluator/cases.h): the space's
   contents may hide a mistake. The space does not promise that a kernel works with
   them. */
enum at_other_contents {
	AT_OTHER_CONTENTS_NONE = 0,
	AT_OTHER_CONTENTS_TO_ONE, /* in place of zeros: values up to 1 */
	/* in place of a missing fill: integers in the type's range, reals beyond -1 to
	   1 */
	AT_OTHER_CONTENTS_OF_TYPE,
	/* replaces a sequence with steps: uneven rows, some empty */
	AT_OTHER_CONTENTS_ROWS,
};

/* The parts of space, problem and device that configurations share. */
struct at_plan {
	const struct at_spec *spec;
	/* the space as in its file, without --set: the reference is made from it;
	   at_plan_init() sets it to spec */
	const struct at_spec *whole;
	const struct at_template *template;
	const struct at_problem *problem; /* sizes that it lacks come from base */
	const struct at_problem *base; /* the tuned problem; NULL: `problem` itself */
	const struct at_device_info *device;
	const char *toolchain; /* the name: see at_plan_toolchain() */
	const char *toolchain_version;
	uint64_t seed; /* for the contents of inputs */
	uint64_t timed_seed; /* see struct at_measure_setup; 0 unless verifying */
	uint64_t contents; /* bit i: argument i has other contents */
	bool is_scaled; /* base scaled down as a whole (evaluator/cases.h) */
	/* verifications only: requests set no clocks */
	bool ignores_clocks;
	struct at_value *slots; /* of the spec: sizes and device properties are set */
	bool has_setup;
	struct at_measure_setup setup; /* made on first use */
	struct at_hash setup_identity;
};

/* One configuration on one problem, made concrete (evaluator/task.h). */
struct at_compiled_plan {
	/* OK; NOT_APPLICABLE: its launch or its arguments are invalid */
	enum at_outcome outcome;
	char detail[512]; /* one line, the reason; "" when OK */
	/* identifies the evaluation: a hash of everything that decides its time
	   (at_hash_grouped() for the keys of one plan) */
	struct at_hash key;
	struct at_hash unit; /* identifies the compiled source and its toolchain */
	struct at_compile_request compile;
	/* has no image, and before compilation neither symbols nor sampling; zero when
	   NOT_APPLICABLE */
	struct at_measure_request request;
	/* operations and bytes of one launch; NAN where the space does not say */
	double flops;
	double bytes;
	bool is_double; /* at least one buffer holds doubles */
	/* lower bound of a launch's time, by `flops` and `bytes` */
	struct at_floor floor;
};

/* Sets *name to the toolchain that compiles the space for the device: the space's
   choice, or else the device's own (at_toolchain_choose()). The name is borrowed from
   the device or static. AT_ENOENT with the line: no such toolchain exists. */
enum at_status at_plan_toolchain(const struct at_spec *spec,
	const struct at_device_info *device, const char **name, struct at_error *err);

/* Begins a plan; all pointers are borrowed until at_plan_release(). base is NULL, or
   the tuned problem if `problem` only serves verification. Errors are those of
   at_plan_toolchain(). */
enum at_status at_plan_init(struct at_plan *self, const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	const struct at_problem *base, const struct at_device_info *device,
	const char *toolchain_version, uint64_t seed, struct at_error *err);
/* Releases what the plan owns, with its setup. */
void at_plan_release(struct at_plan *self);

/*
 * Makes one configuration (value indices, one a parameter) concrete. An invalid
 * configuration is AT_OK with the outcome NOT_APPLICABLE, and has a unit and a key too.
 * After a failure *out is empty. AT_EINVAL: the configuration's options, or the shared
 * setup (at_plan_borrow_setup()), cannot be evaluated.
 */
enum at_status at_plan_configuration(struct at_plan *self,
	const uint16_t *configuration, struct at_compiled_plan *out,
	struct at_error *err);
/* Releases the contents and zeroes the struct. */
void at_compiled_plan_release(struct at_compiled_plan *self);

/*
 * The setup that all configurations share. It is made and hashed once, and borrowed
 * until at_plan_release(). Its images and the reference's symbol are empty: the sender
 * of the setup sets them in a shallow copy. A file that cannot be opened is no error
 * here; the measure worker reports it. identity may be NULL.
 */
enum at_status at_plan_borrow_setup(struct at_plan *self,
	const struct at_measure_setup **out, struct at_hash *identity,
	struct at_error *err);

/* AT_ENOENT or AT_EINVAL with the line: the template lacks a kernel or variable that
   the space names or declares it differently, or a toolchain is unknown. */
enum at_status at_plan_check_names(const struct at_spec *spec,
	const struct at_template *template, struct at_error *err);

/* Whether both kernel and reference get the argument, or the structure that contains
   it. If only one got another value, they would differ even if the kernel is right. */
bool at_plan_is_given_to_both(
	const struct at_spec *spec, const struct at_argument *argument);
/* A bit for each argument that may get other contents, among the first 64. */
uint64_t at_plan_other_contents(
	const struct at_spec *spec, const struct at_problem *tuned);

/* Whether a problem (also of `verify`) is for this device kind ("cuda"). */
bool at_plan_applies(const struct at_problem *problem, const char *device_kind);

/* The compile request of a configuration's unit, or of the reference's with
   AT_UNIT_REFERENCE. The caller releases *out with at_compile_request_release(). */
enum at_status at_plan_compile(struct at_plan *self, const uint16_t *configuration,
	enum at_unit unit, struct at_compile_request *out, struct at_error *err);
/* A source shipped with the tuner. */
struct at_own_unit {
	const char *toolchain; /* NULL: the device's own */
	const char *name; /* in messages: "support.cu" */
	const unsigned char *source;
	size_t source_bytes;
	const char *const *options;
	size_t option_count;
	const char *const *kernels;
	size_t kernel_count;
};
/* Its compile request; the caller releases *out. */
void at_plan_compile_own(const struct at_device_info *device,
	const struct at_own_unit *unit, struct at_compile_request *out);
/* The compile request of measure/support.cu for the plan's device and toolchain. */
void at_plan_compile_support(
	const struct at_plan *self, struct at_compile_request *out);

/* The launches and arguments of a configuration; image, symbols and sampling stay
   empty. AT_EINVAL: the launch or an argument is invalid, so the configuration is
   not_applicable. */
enum at_status at_plan_request(struct at_plan *self, const uint16_t *configuration,
	struct at_measure_request *out, struct at_error *err);

/* Whether the configuration satisfies the constraints on this problem and device, and,
   on a scaled-down problem, divides sizes as before (at_case_suits()). */
bool at_plan_admits(struct at_plan *self, const uint16_t *configuration);

/*
 * Whether the defaults work on this problem: the constraints admit them, and launch,
 * arguments, options and metrics have valid values. AT_EINVAL names the fault with its
 * line. A space need not promise two things, so they are not demanded: that the first
 * values are valid where `defaults` is missing, and that the defaults are valid on a
 * problem of `verify`. Needs no template, and only the device's properties, which may
 * all be unknown.
 */
enum at_status at_plan_check(struct at_plan *self, struct at_error *err);

/* Refuses a compiled configuration that cannot be launched, without launching it.
   Returns AT_OUTCOME_OK, or AT_OUTCOME_TOO_MANY_RESOURCES with the reason in detail,
   for the first launch that exceeds the device. */
enum at_outcome at_plan_check_resources(const struct at_plan *self,
	const struct at_measure_request *request,
	const struct at_compile_result *compiled, char *detail, size_t size);

/*
 * The facts of a call's kernel in a compiled unit. They are found by position: an
 * instance of a C++ template has another name in each configuration. call: one of
 * at_spec.calls, or NULL. Returns NULL for a NULL call or if the unit lacks the kernel.
 */
const struct at_kernel_facts *at_plan_find_kernel(const struct at_spec *spec,
	const struct at_call *call, const struct at_compile_result *compiled);
/* Sets the symbols of all calls of a request from the compiled unit. */
void at_plan_set_symbols(const struct at_spec *spec,
	const struct at_compile_result *compiled, struct at_measure_request *out);

/*
 * Whether the compiled kernels of a unit take the space's arguments: as many, each of
 * the right size and, where the toolchain reports it, of the right kind. A launch would
 * not detect a mistake: it copies bytes, and the low half of a double may be a float of
 * 0. AT_EINVAL names the argument and its line. Unknown facts of a kernel are not
 * checked.
 */
enum at_status at_plan_check_signatures(const struct at_spec *spec, enum at_unit unit,
	const struct at_compile_result *compiled, struct at_error *err);

/* Sets found[i] for each argument whose `symbol` is a variable of the compiled unit;
   leaves other elements. found: one for each argument of the space. */
void at_plan_find_symbols(const struct at_spec *spec,
	const struct at_compile_result *compiled, bool *found);
/*
 * Whether the tuned kernel gets the contents of every argument with a `symbol`: through
 * a variable that was found, or also as a parameter. AT_EINVAL names the first argument
 * whose contents reach neither. Call it after at_plan_find_symbols() on the baseline's
 * unit and on a reference kernel's: another configuration's unit may lack a variable.
 */
enum at_status at_plan_check_symbols(
	const struct at_spec *spec, const bool *found, struct at_error *err);

/* How many blocks and warps of the kernel a multiprocessor holds; false: the device
   does not report it. */
bool at_plan_occupancy(const struct at_plan *self, const struct at_kernel_facts *facts,
	const struct at_geometry *geometry, struct at_occupancy *out);

/* JSON texts for the record; heap. */
char *at_compiled_plan_launch_json(
	const struct at_compiled_plan *self, const struct at_spec *spec);
char *at_compiled_plan_options_json(const struct at_compiled_plan *self);
char *at_compiled_plan_metrics_json(const struct at_compiled_plan *self);

#endif
