/*
 * How much time and how many evaluations one problem on one device may use, and the
 * share of each phase. A time budget covers set-up, search, finals, verification and
 * explanation.
 *
 * Times are the evaluator's (evaluator/evaluator.h), in nanoseconds; waiting for
 * another program that uses the board does not count. Threads: plain data.
 */
#ifndef AT_SESSION_BUDGET_H
#define AT_SESSION_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limits of one problem, and its start. */
struct at_budget {
	uint64_t evaluations; /* for the search; 0: no limit */
	double seconds; /* for all phases together; 0: no limit */
	uint64_t begun_ns; /* start of the problem, by the evaluator's clock */
};

/* Seconds since the start of the problem. */
double at_budget_elapsed(const struct at_budget *self, uint64_t now_ns);
/* Whether the search must end now. rest_seconds: expected time of finals and
   verification. The search leaves that time and the explanation's share. */
bool at_budget_search_is_over(
	const struct at_budget *self, uint64_t now_ns, double rest_seconds);
/* Seconds for the set-up before the first evaluation, such as the reference's outputs:
   the whole budget, but at least a minute, since some spaces need that. 0: no limit. */
double at_budget_setup_seconds(const struct at_budget *self);
/* Seconds until the first evaluation must be measured, compiling included: the whole
   budget, but at least two minutes. 0: no limit. */
double at_budget_first_seconds(const struct at_budget *self);
/* Seconds to finish what is running on a board when the time of its phase ends. */
double at_budget_late_seconds(const struct at_budget *self);
/* Seconds for the finals up to their first interim analysis. */
double at_budget_finals_seconds(const struct at_budget *self);
/*
 * Seconds for further blocks of undecided finals that took `spent` seconds so far. The
 * total is at most twice the finals' share; the further blocks get at most half of the
 * remaining time. May be 0 or below: there is no time. is_repeated: an earlier run left
 * the finals undecided; they get twice the share of the longest budget.
 */
double at_budget_more_finals_seconds(
	const struct at_budget *self, uint64_t now_ns, double spent, bool is_repeated);
/* Whether a longer budget would have given more time to finals that took `spent`
   seconds. */
bool at_budget_cuts_finals(const struct at_budget *self, double spent);
/* Seconds of a whole budget for cases, however much of the budget is used up. */
double at_budget_verify_share(const struct at_budget *self);
/* Seconds for the verification of a winner: one, and a tenth of the elapsed time,
   limited by the remaining budget; may be 0. takes_rest: more if the budget has more
   left than the explanation needs. */
double at_budget_verify_seconds(
	const struct at_budget *self, uint64_t now_ns, bool takes_rest);
/* Seconds for measuring the explanation, from now on; 0: none are left. */
double at_budget_explanation_seconds(const struct at_budget *self, uint64_t now_ns);
/* Evaluations for the explanation; UINT64_MAX: no limit. */
uint64_t at_budget_explanation_evaluations(const struct at_budget *self);

#endif
