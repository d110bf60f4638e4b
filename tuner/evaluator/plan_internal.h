/* Shared by the files evaluator/plan*.c only. */
#ifndef AT_EVALUATOR_PLAN_INTERNAL_H
#define AT_EVALUATOR_PLAN_INTERNAL_H

#include "evaluator/plan.h"

/* The largest dimension that a launch can express. The device's own limit is checked
   after compilation, with a message that names it. */
#define AT_PLAN_MOST_IN_LAUNCH INT32_MAX

/* Make setup and request from the bound slots; a setup needs the defaults bound.
   most_threads limits a block in each direction. AT_EINVAL names the fault with its
   line. */
enum at_status at_plan_make_setup(const struct at_plan *self, int64_t most_threads,
	struct at_measure_setup *out, struct at_error *err);
enum at_status at_plan_make_request(const struct at_plan *self, int64_t most_threads,
	struct at_measure_request *out, struct at_error *err);

/* plan_arguments.c: expressions, arguments and their values. Evaluates an integer
   expression between least and most; `what` names it in messages. */
enum at_status at_plan_integer(const struct at_plan *self,
	const struct at_expression *expression, const char *what, int64_t least,
	int64_t most, int64_t *out, struct at_error *err);
/* One binding for each argument of the spec, on the heap. reference: only with the
   textures and surfaces that this call takes; NULL: with all, and with tensor maps. */
enum at_status at_plan_bindings(const struct at_plan *self,
	const struct at_call *reference, struct at_measure_binding **out,
	struct at_error *err);
/* Sets the value of "step" in expressions; below 0: none. */
void at_plan_set_step(const struct at_plan *self, int64_t step);
/* The binding of an argument at one step of a launch. */
enum at_status at_plan_step(const struct at_plan *self, size_t argument, int64_t step,
	struct at_measure_binding *out, struct at_error *err);
/* Sets the arguments, their bindings and the data sets of a setup. */
enum at_status at_plan_arguments(
	const struct at_plan *self, struct at_measure_setup *out, struct at_error *err);

/* Sets setup_identity and the content hashes of the setup's files. */
void at_plan_identify_setup(struct at_plan *self);

#endif
