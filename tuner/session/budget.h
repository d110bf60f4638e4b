/*
 * How much time and how many evaluations one problem on one device may cost, and how
 * much of that each phase may spend. A budget of time covers set-up, search, finals,
 * verification and explanation.
 *
 * Times are the evaluator's (evaluator/evaluator.h), in nanoseconds; they do not
 * include waiting for another program that has the board. Threads: plain data.
 */
#ifndef AT_SESSION_BUDGET_H
#define AT_SESSION_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limits of one problem, and when it was begun. */
struct at_budget {
	uint64_t evaluations; /* for the search; 0: no limit */
	double seconds; /* for all phases together; 0: no limit */
	uint64_t begun_ns; /* when the problem was begun, by the evaluator's clock */
};

/* Seconds since the problem was begun. */
double at_budget_elapsed(const struct at_budget *self, uint64_t now_ns);
/*
 * Whether the search has to end now. rest_seconds: the time that finals and
 * verification of a winner are expected to take. The search leaves that time and the
 * share of the explanation to them.
 */
bool at_budget_search_is_over(
	const struct at_budget *self, uint64_t now_ns, double rest_seconds);
/*
 * Seconds for the set-up before the first evaluation, such as the reference's outputs:
 * the whole budget, but at least a minute, since some spaces need that whatever the
 * budget is. 0: no limit.
 */
double at_budget_setup_seconds(const struct at_budget *self);
/*
 * Seconds until the first evaluation must have been measured, compiling included: the
 * whole budget, but at least two minutes. 0: no limit.
 */
double at_budget_first_seconds(const struct at_budget *self);
/* Seconds for what is at a board when the time of its phase ends. */
double at_budget_late_seconds(const struct at_budget *self);
/* Seconds for the finals up to their first look. */
double at_budget_finals_seconds(const struct at_budget *self);
/*
 * Seconds for further blocks of finals that took `spent` seconds so far and are not
 * decided: with those at most twice the finals' share, and at most half of the time
 * that is left. May be 0 or below: there is no time. is_repeated: finals that an
 * earlier run left undecided have twice the share of the longest budget.
 */
double at_budget_more_finals_seconds(
	const struct at_budget *self, uint64_t now_ns, double spent, bool is_repeated);
/* Whether a longer budget would have given more time to finals that took so long. */
bool at_budget_cuts_finals(const struct at_budget *self, double spent);
/* The share of a budget that is the cases', however much of it is used up, in
   seconds. */
double at_budget_verify_share(const struct at_budget *self);
/* Seconds for a winner's verification: one and a tenth of the time so far, or more
   where a budget has more left than the explanation needs. No more than what is left,
   which may be nothing. */
double at_budget_verify_seconds(const struct at_budget *self, uint64_t now_ns);
/* Seconds for measuring the explanation, from now on; 0: there is no time left. */
double at_budget_explanation_seconds(const struct at_budget *self, uint64_t now_ns);
/* Number of evaluations that the explanation may measure; UINT64_MAX: no limit. */
uint64_t at_budget_explanation_evaluations(const struct at_budget *self);

#endif
