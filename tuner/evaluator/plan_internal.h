/* What the files evaluator/plan*.c share; nobody else includes it. */
#ifndef AT_EVALUATOR_PLAN_INTERNAL_H
#define AT_EVALUATOR_PLAN_INTERNAL_H

#include "evaluator/plan.h"

/* What a launch can say at all: whether this device can run it is known when it is
   compiled, and then said with the device's own number. */
#define AT_PLAN_MOST_IN_LAUNCH INT32_MAX

/*
 * Of the slots as they are bound: to the defaults for a setup. most_threads: of a block
 * in each direction. AT_EINVAL says what makes no sense, with its line.
 */
enum at_status at_plan_make_setup(const struct at_plan *self, int64_t most_threads,
	struct at_measure_setup *out, struct at_error *err);
enum at_status at_plan_make_request(const struct at_plan *self, int64_t most_threads,
	struct at_measure_request *out, struct at_error *err);

/* plan_arguments.c: of expressions, arguments, what a configuration gives them. */
enum at_status at_plan_integer(const struct at_plan *self,
	const struct at_expression *expression, const char *what, int64_t least,
	int64_t most, int64_t *out, struct at_error *err);
/* One for each argument of the spec; heap. */
enum at_status at_plan_bindings(const struct at_plan *self,
	struct at_measure_binding **out, struct at_error *err);
/* Arguments, their bindings and the data sets of a setup. */
enum at_status at_plan_arguments(
	const struct at_plan *self, struct at_measure_setup *out, struct at_error *err);

/* plan_vary.c: what AT_VARIATION_COUNTS makes of a number: less, and a multiple of each
   power of two that it was a multiple of, but for these powers themselves. */
int64_t at_plan_smaller(int64_t value);
/* And AT_VARIATION_UNSAID of a type. */
void at_plan_unsaid_range(enum at_element element, double *low, double *high);
/* of a normal fill: AT_VARIATION_UNSAID_REALS */
double at_plan_unsaid_deviation(enum at_element element);

/* Fills setup_identity, and in the setup what the contents of its files hash to. */
enum at_status at_plan_identify_setup(struct at_plan *self, struct at_error *err);
/* Fills unit and key; the setup is made, and the configuration's slots are bound. */
enum at_status at_plan_identify(
	const struct at_plan *self, struct at_planned *out, struct at_error *err);

#endif
