/*
 * A space, a problem and a device, made concrete: what to compile, what to
 * launch, with which arguments, under which key it is recorded.
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

struct at_plan {
	const struct at_spec *spec;
	const struct at_template *template;
	const struct at_problem *problem; /* its sizes, and those of base it lacks */
	const struct at_problem *base; /* NULL unless problem is one of verify's */
	const struct at_device_info *device;
	const char *toolchain_version;
	uint64_t seed; /* of the fills */
	struct at_value *slots; /* sizes and properties bound */
};

/* Borrows all pointers until release. */
enum at_status at_plan_init(struct at_plan *self, const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	const struct at_problem *base, const struct at_device_info *device,
	const char *toolchain_version, uint64_t seed, struct at_error *err);
void at_plan_release(struct at_plan *self);

/* The unit of one configuration, or with AT_UNIT_REFERENCE of the reference. */
enum at_status at_plan_compile(struct at_plan *self, const uint16_t *configuration,
	enum at_unit unit, struct at_compile_request *out, struct at_error *err);
/* A source that comes with the tuner. */
struct at_own_unit {
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

/* Images and the reference's symbol are left empty. */
enum at_status at_plan_setup(
	struct at_plan *self, struct at_measure_setup *out, struct at_error *err);
/*
 * Image, symbols and sampling are left empty. AT_EINVAL: the launch or an
 * argument does not make sense for this configuration: not_applicable.
 */
enum at_status at_plan_request(struct at_plan *self, const uint16_t *configuration,
	struct at_measure_request *out, struct at_error *err);

/* The key of the evaluation: all that decides its time, see record/store.h. */
enum at_status at_plan_key(struct at_plan *self, const uint16_t *configuration,
	struct at_hash *out, struct at_error *err);

/* Does the configuration satisfy the constraints here? */
bool at_plan_admits(struct at_plan *self, const uint16_t *configuration);

/*
 * Refuses a compiled configuration that cannot be launched, before anything is
 * launched: AT_OUTCOME_OK or AT_OUTCOME_TOO_MANY_RESOURCES with the reason.
 */
enum at_outcome at_plan_check_resources(const struct at_plan *self,
	const struct at_kernel_facts *facts, const struct at_geometry *geometry,
	char *detail, size_t size);

/* What is resident of it on a multiprocessor; false where the device does not say. */
bool at_plan_occupancy(const struct at_plan *self, const struct at_kernel_facts *facts,
	const struct at_geometry *geometry, struct at_occupancy *out);

/* flops and bytes of one launch; 0 where the space does not say. */
void at_plan_metrics(struct at_plan *self, const uint16_t *configuration, double *flops,
	double *bytes);

/* Whether it computes in double precision: one of its buffers holds doubles. */
bool at_plan_is_double(const struct at_plan *self);

/* JSON texts for the record; heap, NULL when memory ran out. */
char *at_plan_problem_json(struct at_plan *self);
char *at_plan_launch_json(const struct at_geometry *geometry);
char *at_plan_options_json(struct at_plan *self, const uint16_t *configuration);
char *at_plan_metrics_json(double flops, double bytes);

#endif
