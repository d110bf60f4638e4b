/*
 * A space, a problem and a device, made concrete: what to compile, what to
 * launch, with which arguments, under which key it is recorded.
 *
 *   at_plan_init(&plan, spec, template, problem, NULL, device, version, seed, &err);
 *   at_plan_configuration(&plan, configuration, &planned, &err);
 *   ... planned.key is looked up, planned.compile compiled, planned.request measured
 *   at_planned_release(&planned);
 *   at_plan_release(&plan);
 *
 * Threads: a plan is used by one thread (it evaluates in slots of its own).
 */
#ifndef AT_EVALUATOR_PLAN_H
#define AT_EVALUATOR_PLAN_H

#include "base/hash.h"
#include "kernel/compile.h"
#include "kernel/occupancy.h"
#include "kernel/source.h"
#include "measure/measure.h"
#include "space/spec.h"

/*
 * What a proof may give a kernel that the space has as one number for all: nobody said
 * that a kernel is for another one, so that what fails there is refused only where
 * another configuration is right (workers_derived.c).
 */
enum at_variation {
	AT_VARIATION_NONE,
	AT_VARIATION_REALS, /* scalars that are a real number: another one */
	AT_VARIATION_FLAGS, /* scalars that are 0 or 1: the other one */
	AT_VARIATION_COUNTS, /* larger whole scalars (a seed, a radius): a smaller one
			      */
	AT_VARIATION_HIGH, /* those of 64 bits: high digits as well */
	AT_VARIATION_SUMS, /* real inout that begins at 0: begins elsewhere */
	AT_VARIATION_ZEROS, /* real inputs that are 0 all over: other numbers */
	AT_VARIATION_MASKS, /* whole ones that are 0 all over: 0 and 1 */
	AT_VARIATION_UNSAID, /* whole ones without a fill: what their type holds */
	AT_VARIATION_UNSAID_REALS, /* real ones without a fill: beyond -1 to 1 */
	AT_VARIATION_COUNT
};

struct at_plan {
	const struct at_spec *spec;
	/* the same as its file says it, without --set: what the reference is made from.
	   at_plan_init() takes spec for it */
	const struct at_spec *whole;
	const struct at_template *template;
	const struct at_problem *problem; /* its sizes, and those of base it lacks */
	const struct at_problem *base; /* NULL unless problem is one of verify's */
	const struct at_device_info *device;
	const char *toolchain; /* its name: see at_plan_toolchain() */
	const char *toolchain_version;
	uint64_t seed; /* of the fills */
	uint64_t timed_seed; /* see struct at_measure_setup; 0 but for proofs */
	enum at_variation variation;
	struct at_value *slots; /* sizes and properties bound */
	bool has_setup;
	struct at_measure_setup setup; /* made when it is first needed */
	struct at_hash setup_identity;
};

/*
 * One configuration on one problem, made concrete once: it moves through looking
 * up, compiling and measuring. What a step takes over it sets to NULL, or zeroes.
 */
struct at_planned {
	/* OK; NOT_APPLICABLE: its launch or its arguments make no sense */
	enum at_outcome outcome;
	char detail[512]; /* one line why; "" for OK */
	/* of the evaluation: all that decides its time; see at_hash_grouped() for those
	   of one plan */
	struct at_hash key;
	struct at_hash unit; /* of what is compiled, and by what */
	struct at_compile_request compile;
	/* image, symbols and sampling left empty; zero for NOT_APPLICABLE */
	struct at_measure_request request;
	/* of one launch; NAN where the space does not say */
	double flops;
	double bytes;
	bool is_double; /* one of its buffers holds doubles */
};

/*
 * The name of what compiles the space for the device: the device's own, or what the
 * space asks for in its place (at_toolchain_choose()). Borrowed from the device or
 * static. AT_ENOENT, with the line: there is no such toolchain.
 */
enum at_status at_plan_toolchain(const struct at_spec *spec,
	const struct at_device_info *device, const char **name, struct at_error *err);

/* Borrows all pointers until release. AT_ENOENT: as at_plan_toolchain(). */
enum at_status at_plan_init(struct at_plan *self, const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	const struct at_problem *base, const struct at_device_info *device,
	const char *toolchain_version, uint64_t seed, struct at_error *err);
void at_plan_release(struct at_plan *self);

/*
 * Everything about one configuration (value indices, one a parameter). A
 * configuration that makes no sense is AT_OK with outcome NOT_APPLICABLE; its unit
 * and its key are filled too. A failure leaves *out empty; AT_EINVAL then means
 * that the options of the configuration, or what every configuration shares (see
 * at_plan_borrow_setup()), cannot be evaluated.
 */
enum at_status at_plan_configuration(struct at_plan *self,
	const uint16_t *configuration, struct at_planned *out, struct at_error *err);
void at_planned_release(struct at_planned *self);
/* The same on the heap: *out is the caller's, at_planned_free(). */
enum at_status at_planned_new(struct at_plan *self, const uint16_t *configuration,
	struct at_planned **out, struct at_error *err);
void at_planned_free(struct at_planned *self);

/*
 * What all configurations share, made and hashed once: until at_plan_release().
 * Images and the reference's symbol are empty: a sender sets them in a shallow copy.
 * A file that cannot be opened is none of the plan's business: whoever measures says
 * so. identity may be NULL.
 */
enum at_status at_plan_borrow_setup(struct at_plan *self,
	const struct at_measure_setup **out, struct at_hash *identity,
	struct at_error *err);

/*
 * AT_ENOENT or AT_EINVAL with the line: a kernel or a variable that the space names is
 * not in the template's text, or not so, or a toolchain is not known.
 */
enum at_status at_plan_check_names(const struct at_spec *spec,
	const struct at_template *template, struct at_error *err);

/* Whether the variation makes another value, or other contents, of the argument; false
   for AT_VARIATION_NONE. */
bool at_plan_is_varied(const struct at_spec *spec, const struct at_argument *argument,
	enum at_variation variation);
/*
 * A name for what a variation varies, as of a problem: "derived alpha and beta other".
 * Heap; NULL and AT_OK: there is nothing, or `verify` forbids it.
 */
enum at_status at_plan_name_variation(const struct at_spec *spec,
	enum at_variation variation, char **out, struct at_error *err);

/* Whether a problem, one of verify's too, is for devices of this kind ("cuda"). */
bool at_plan_applies(const struct at_problem *problem, const char *device_kind);

/* The unit of one configuration, or with AT_UNIT_REFERENCE of the reference. */
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
enum at_status at_plan_compile_own(const struct at_device_info *device,
	const struct at_own_unit *unit, struct at_compile_request *out,
	struct at_error *err);
/* measure/support.cu for the device. */
enum at_status at_plan_compile_support(const struct at_plan *self,
	struct at_compile_request *out, struct at_error *err);

/*
 * Image, symbols and sampling are left empty. AT_EINVAL: the launch or an
 * argument does not make sense for this configuration: not_applicable.
 */
enum at_status at_plan_request(struct at_plan *self, const uint16_t *configuration,
	struct at_measure_request *out, struct at_error *err);

/* Does the configuration satisfy the constraints here? */
bool at_plan_admits(struct at_plan *self, const uint16_t *configuration);

/*
 * Whether the defaults make sense here: the constraints admit them, and launch,
 * arguments, options and metrics have sensible values for them; AT_EINVAL says what
 * does not, with its line. What nothing promises is not asked for: that the first
 * values are a configuration where the file gives no defaults, nor that the defaults
 * are one on a problem under verify. Needs no template, and of the device only the
 * properties, of which none may be known.
 */
enum at_status at_plan_check(struct at_plan *self, struct at_error *err);

/*
 * Refuses a compiled configuration that cannot be launched, before anything is
 * launched: AT_OUTCOME_OK or AT_OUTCOME_TOO_MANY_RESOURCES with the reason.
 */
enum at_outcome at_plan_check_resources(const struct at_plan *self,
	const struct at_kernel_facts *facts, const struct at_geometry *geometry,
	char *detail, size_t size);

/* The kernels of a tuned unit. */
enum at_plan_role { AT_PLAN_KERNEL, AT_PLAN_PREPARE, AT_PLAN_FINISH };

/*
 * What was compiled of one of them: found by its place, since what an instance of a
 * template is called is another name in each configuration. NULL: the space has none,
 * or the unit is of something else.
 */
const struct at_kernel_facts *at_plan_find_kernel(const struct at_spec *spec,
	enum at_plan_role role, const struct at_compile_result *compiled);

/*
 * Whether the compiled kernels of a unit take what the space gives them: as many
 * arguments, each of the size and, where the toolchain tells it, of the kind. A launch
 * would not notice: it copies bytes, and a double's low half is a float of 0. AT_EINVAL
 * names the argument and its line; what is not known of a kernel is passed over.
 */
enum at_status at_plan_check_signatures(const struct at_spec *spec, enum at_unit unit,
	const struct at_compile_result *compiled, struct at_error *err);

/* What is resident of it on a multiprocessor; false where the device does not say. */
bool at_plan_occupancy(const struct at_plan *self, const struct at_kernel_facts *facts,
	const struct at_geometry *geometry, struct at_occupancy *out);

/* JSON texts for the record; heap, NULL when memory ran out. */
char *at_planned_launch_json(const struct at_planned *self);
char *at_planned_options_json(const struct at_planned *self);
char *at_planned_metrics_json(const struct at_planned *self);

#endif
