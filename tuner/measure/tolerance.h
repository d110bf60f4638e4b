/*
 * How close an output must be to the expected one, and the messages about it.
 * The rules and the evidence behind them are in tolerance.c.
 */
#ifndef AT_MEASURE_TOLERANCE_H
#define AT_MEASURE_TOLERANCE_H

#include "measure/bench_parts.h"

/* The tolerance by which the present request is judged, in a set of data. */
struct tolerance tolerance_of(
	const struct at_measure_context *self, size_t argument, unsigned set);
/*
 * Call when the reference has made new expected outputs for a set, before they are
 * masked: measures their scales and forgets the errors of the previous ones.
 */
enum at_status tolerance_measure_scales(
	struct at_measure_context *self, unsigned set, struct at_error *err);
/* The set holds the space's own data: keeps its expectation as the declared one. Does
   nothing the second time. */
enum at_status tolerance_keep_declared(
	struct at_measure_context *self, unsigned set, struct at_error *err);
/* Whether the expected outputs of a set tell nothing of a kernel: each compared output
   is one number, or holds what it held before. */
bool tolerance_is_vacuous(const struct at_measure_context *self, unsigned set);
/* Whether some of the set's data, or of the space's own, magnifies rounding errors, so
   that correct kernels differ there by very different amounts. The reference in double
   tells. */
bool tolerance_magnifies(
	const struct at_measure_context *self, size_t argument, unsigned set);
/* If some values of an expected output are far above all others, as the forces between
   what is close to each other, or masked values of -1e30: replaces its scale by that of
   the others, and returns true. */
bool tolerance_leave_out_large(
	struct at_measure_context *self, unsigned set, size_t argument);
/* A request begins: forgets the errors of the one before. */
void tolerance_begin(struct at_measure_context *self);
/* Takes the findings of a comparison into the result and into the errors of the present
   evaluation. */
void tolerance_note_errors(struct at_measure_context *self, size_t argument,
	const uint64_t *found, struct at_measure_result *result);
/* Whether the tolerance of an output follows from evidence: the space gives none. */
bool tolerance_is_default(const struct at_measure_argument *facts);
/* Whether an output is within its tolerance in a way that rounding cannot explain; why
   gets the reason. */
bool tolerance_is_abused(const struct at_measure_context *self, size_t argument,
	unsigned set, const uint64_t *found, char *why, size_t size);
/* Appends to the detail of a wrong result how wrong it is. */
void tolerance_explain(const struct at_measure_context *self, size_t argument,
	unsigned set, const uint64_t *found, struct at_measure_result *result);
/* After the baseline was compared: fills in result->judged and result->warnings. */
void tolerance_tell(struct at_measure_context *self, struct at_measure_result *result);

#endif
