/*
 * A space, a problem and a device made concrete: what is compiled, what is launched,
 * with which arguments, and under which key the evaluation is recorded.
 *
 *   at_plan_init(&plan, spec, template, problem, NULL, device, version, seed, &err);
 *   at_plan_configuration(&plan, configuration, &planned, &err);
 *   ... planned.key is looked up, planned.compile compiled, planned.request measured
 *   at_compiled_plan_release(&planned);
 *   at_plan_release(&plan);
 *
 * Threads: a plan is used by one thread at a time, since expressions are evaluated in
 * slots that belong to the plan.
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

/*
 * Other contents that an input gets in a case of its own (evaluator/cases.h), since
 * what the space gives it may hide what is done with it. The space does not promise
 * that a kernel works with them.
 */
enum at_other_contents {
	AT_OTHER_CONTENTS_NONE = 0,
	AT_OTHER_CONTENTS_TO_ONE, /* in place of zeros: numbers up to 1 */
	/* in place of a fill that the space does not give: whole numbers that the type
	   holds, real ones beyond -1 to 1 */
	AT_OTHER_CONTENTS_OF_TYPE,
	AT_OTHER_CONTENTS_ROWS, /* a sequence in steps: uneven rows, some empty */
};

/* Everything about the space, the problem and the device that configurations share. */
struct at_plan {
	const struct at_spec *spec;
	/* the space as its file says it, without --set: the reference is made from it.
	   at_plan_init() sets it to spec */
	const struct at_spec *whole;
	const struct at_template *template;
	const struct at_problem *problem; /* sizes that it lacks are taken from base */
	const struct at_problem *base; /* the tuned problem; NULL where problem is it */
	const struct at_device_info *device;
	const char *toolchain; /* the name: see at_plan_toolchain() */
	const char *toolchain_version;
	uint64_t seed; /* for the contents of inputs */
	uint64_t timed_seed; /* see struct at_measure_setup; 0 except for verifications
			      */
	uint64_t contents; /* arguments with other contents, a bit each, by index */
	bool is_scaled; /* base made smaller as a whole (evaluator/cases.h) */
	/* only for verifications: its requests set no clocks */
	bool keeps_clocks;
	struct at_value *slots; /* of the spec: sizes and device properties are set */
	bool has_setup;
	struct at_measure_setup setup; /* made when it is first asked for */
	struct at_hash setup_identity;
};

/* One configuration on one problem, made concrete once (evaluator/task.h). */
struct at_compiled_plan {
	/* OK; NOT_APPLICABLE: its launch or its arguments make no sense */
	enum at_outcome outcome;
	char detail[512]; /* one line that says why; "" when OK */
	/* identifies the evaluation: a hash of all that decides its time
	   (at_hash_grouped() for the keys of one plan) */
	struct at_hash key;
	struct at_hash unit; /* identifies what is compiled, and by which toolchain */
	struct at_compile_request compile;
	/* without image, and until the unit is compiled without symbols and sampling;
	   zero when NOT_APPLICABLE */
	struct at_measure_request request;
	/* operations and bytes of one launch; NAN where the space does not say */
	double flops;
	double bytes;
	bool is_double; /* at least one buffer holds doubles */
	/* what a launch of the kernel takes at least, by `flops` and `bytes` */
	struct at_floor floor;
};

/*
 * Sets *name to the toolchain that compiles the space for the device: the device's own,
 * or the one that the space asks for instead (at_toolchain_choose()). The name is
 * borrowed from the device or static. AT_ENOENT with the line: there is no such
 * toolchain.
 */
enum at_status at_plan_toolchain(const struct at_spec *spec,
	const struct at_device_info *device, const char **name, struct at_error *err);

/*
 * Begins a plan; all pointers are borrowed until at_plan_release(). base is NULL, or
 * the tuned problem where `problem` is only for verifications. Errors are those of
 * at_plan_toolchain().
 */
enum at_status at_plan_init(struct at_plan *self, const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	const struct at_problem *base, const struct at_device_info *device,
	const char *toolchain_version, uint64_t seed, struct at_error *err);
/* Releases what the plan owns, with its setup. */
void at_plan_release(struct at_plan *self);

/*
 * Makes one configuration (value indices, one a parameter) concrete. A configuration
 * that makes no sense is AT_OK with the outcome NOT_APPLICABLE; its unit and key are
 * set too. After a failure *out is empty. AT_EINVAL then means that the configuration's
 * options, or what all configurations share (at_plan_borrow_setup()), cannot be
 * evaluated.
 */
enum at_status at_plan_configuration(struct at_plan *self,
	const uint16_t *configuration, struct at_compiled_plan *out,
	struct at_error *err);
/* Releases what it owns and sets it to zero. */
void at_compiled_plan_release(struct at_compiled_plan *self);

/*
 * The setup that all configurations share. It is made and hashed once, and borrowed
 * until at_plan_release(). Its images and the reference's symbol are empty: whoever
 * sends the setup sets them in a shallow copy. A file that cannot be opened is no error
 * here; the measure worker reports it. identity may be NULL.
 */
enum at_status at_plan_borrow_setup(struct at_plan *self,
	const struct at_measure_setup **out, struct at_hash *identity,
	struct at_error *err);

/*
 * AT_ENOENT or AT_EINVAL with the line: the template's text lacks a kernel or a
 * variable that the space names, or declares it otherwise, or a toolchain is not known.
 */
enum at_status at_plan_check_names(const struct at_spec *spec,
	const struct at_template *template, struct at_error *err);

/* Whether kernel and reference get the argument, or the structure that it is in. If
   only one got another value, the two would differ even where the kernel is right. */
bool at_plan_is_given_to_both(
	const struct at_spec *spec, const struct at_argument *argument);
/* Which arguments may get other contents, a bit each; those behind the 64th do not. */
uint64_t at_plan_other_contents(
	const struct at_spec *spec, const struct at_problem *tuned);

/* Whether a problem (also one of `verify`) is for devices of this kind ("cuda"). */
bool at_plan_applies(const struct at_problem *problem, const char *device_kind);

/* The compile request of a configuration's unit, or with AT_UNIT_REFERENCE of the
   reference's. The caller releases *out with at_compile_request_release(). */
enum at_status at_plan_compile(struct at_plan *self, const uint16_t *configuration,
	enum at_unit unit, struct at_compile_request *out, struct at_error *err);
/* A source that comes with the tuner. */
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
/* The compile request of such a source; the caller releases *out. */
void at_plan_compile_own(const struct at_device_info *device,
	const struct at_own_unit *unit, struct at_compile_request *out);
/* The compile request of measure/support.cu for the plan's device and toolchain. */
void at_plan_compile_support(
	const struct at_plan *self, struct at_compile_request *out);

/*
 * The launches and arguments of a configuration; image, symbols and sampling stay
 * empty. AT_EINVAL: the launch or an argument makes no sense for the configuration,
 * which is then not_applicable.
 */
enum at_status at_plan_request(struct at_plan *self, const uint16_t *configuration,
	struct at_measure_request *out, struct at_error *err);

/* Whether the configuration satisfies the constraints on this problem and device, and
   suits it where it was made smaller as a whole (at_case_suits()). */
bool at_plan_admits(struct at_plan *self, const uint16_t *configuration);

/*
 * Whether the defaults make sense on this problem: the constraints admit them, and
 * launch, arguments, options and metrics have sensible values for them. AT_EINVAL says
 * what does not, with its line. Two things are not demanded, since no file promises
 * them: that the first values are a valid configuration where there are no `defaults`,
 * and that the defaults are one on a problem of `verify`. Needs no template, and of the
 * device only its properties, which may all be unknown.
 */
enum at_status at_plan_check(struct at_plan *self, struct at_error *err);

/*
 * Refuses a compiled configuration that cannot be launched, without launching it.
 * Returns AT_OUTCOME_OK, or AT_OUTCOME_TOO_MANY_RESOURCES with the reason in detail:
 * of the first of its launches that needs more than the device has.
 */
enum at_outcome at_plan_check_resources(const struct at_plan *self,
	const struct at_measure_request *request,
	const struct at_compile_result *compiled, char *detail, size_t size);

/*
 * The facts of a call's kernel in a compiled unit. They are found by position, since an
 * instance of a C++ template has another name in each configuration. call: among
 * at_spec.calls; NULL: there is no such call. Returns NULL then, and where the unit
 * holds something else.
 */
const struct at_kernel_facts *at_plan_find_kernel(const struct at_spec *spec,
	const struct at_call *call, const struct at_compile_result *compiled);
/* Sets the symbols of all calls of a request to those of the compiled unit. */
void at_plan_set_symbols(const struct at_spec *spec,
	const struct at_compile_result *compiled, struct at_measure_request *out);

/*
 * Whether the compiled kernels of a unit take what the space gives them: as many
 * arguments, each of the right size and, where the toolchain tells it, of the right
 * kind. A launch would not notice a mistake: it copies bytes, and the low half of a
 * double may be a float of 0. AT_EINVAL names the argument and its line. What is not
 * known of a kernel is not checked.
 */
enum at_status at_plan_check_signatures(const struct at_spec *spec, enum at_unit unit,
	const struct at_compile_result *compiled, struct at_error *err);

/*
 * Sets found[i] for each argument whose `symbol` is a variable of the compiled unit;
 * the others stay as they are. found: one for each argument of the space.
 */
void at_plan_find_symbols(const struct at_spec *spec,
	const struct at_compile_result *compiled, bool *found);
/*
 * Whether the tuned kernel gets the contents of all arguments with a `symbol`: as a
 * variable that was found, or as a parameter too. AT_EINVAL names the first argument
 * whose contents nothing gets. The caller has looked at the baseline's unit and, if the
 * reference is a kernel, at the reference's: the unit of another configuration may lack
 * a variable.
 */
enum at_status at_plan_check_symbols(
	const struct at_spec *spec, const bool *found, struct at_error *err);

/* How many blocks and warps of the kernel a multiprocessor holds; false where the
   device does not say. */
bool at_plan_occupancy(const struct at_plan *self, const struct at_kernel_facts *facts,
	const struct at_geometry *geometry, struct at_occupancy *out);

/* JSON texts for the record; heap. */
char *at_compiled_plan_launch_json(
	const struct at_compiled_plan *self, const struct at_spec *spec);
char *at_compiled_plan_options_json(const struct at_compiled_plan *self);
char *at_compiled_plan_metrics_json(const struct at_compiled_plan *self);

#endif
