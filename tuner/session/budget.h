/*
 * How much a problem on a device may cost, and which phase may spend it. A time
 * covers all of it: set-up, search, finals, proof and explanation.
 *
 * Times are the evaluator's (evaluator/evaluator.h), in nanoseconds; waiting for
 * another program that has the board is not in them. Threads: plain data.
 */
#ifndef AT_SESSION_BUDGET_H
#define AT_SESSION_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_budget {
	uint64_t evaluations; /* of the search; 0: no limit */
	double seconds; /* of everything; 0: no limit */
	uint64_t begun_ns;
};

double at_budget_elapsed(const struct at_budget *self, uint64_t now_ns);
/*
 * The search is over. rest_seconds: what finals and proof of a winner are expected to
 * take; that, and the share of the explanation, is kept free of the time.
 */
bool at_budget_search_is_over(
	const struct at_budget *self, uint64_t now_ns, double rest_seconds);
/*
 * For what has to be got ready before the first evaluation, such as the reference's
 * outputs: all of the time, and a minute where that is less, since some spaces need
 * that whatever they are given. 0: there is no limit.
 */
double at_budget_setup_seconds(const struct at_budget *self);
/*
 * Until something is measured at all, compilers included: all of the time, and two
 * minutes where that is less. 0: there is no limit.
 */
double at_budget_first_seconds(const struct at_budget *self);
/* For the rounds of the finals, from now on. */
double at_budget_finals_seconds(const struct at_budget *self);
/*
 * For more blocks of finals that took `spent` seconds so far and left something open:
 * twice their share altogether, but no more than half of what is left of the time.
 */
double at_budget_more_finals_seconds(
	const struct at_budget *self, uint64_t now_ns, double spent);
/*
 * For the next of `left` cases of a winner's proof: its share of what is left of the
 * time, never 0 where there is a limit. The first, on what is timed, has three
 * seconds in any case.
 */
double at_budget_case_seconds(
	const struct at_budget *self, uint64_t now_ns, size_t left, bool is_first);
/* For the checks of a winner that are made beside its proofs, from now on. */
double at_budget_check_seconds(const struct at_budget *self);
/* For measuring what explains the gain, from now on. */
double at_budget_explanation_seconds(const struct at_budget *self, uint64_t now_ns);
/* The same as a number of evaluations; UINT64_MAX: no limit. */
uint64_t at_budget_explanation_evaluations(const struct at_budget *self);

#endif
