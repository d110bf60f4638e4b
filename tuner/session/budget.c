/* Shares of a budget (budget.h). The constants are the policy. */
#include "session/budget.h"

#include <math.h>

/* Finals, checks and explanation each have a tenth of a time budget. Less than a second
   is useless: it has too few rounds for an interval, and no step of the explanation.
   Beyond the maximum, drift of the board keeps the finals' interval from narrowing. */
#define SHARE 0.1
#define SECONDS_MIN 1.0
#define FINALS_SECONDS_MAX 15.0
/* Cases without time are left for the next run: no verdict depends on the speed of the
   machine. */
#define VERIFY_SECONDS 1.0
#define VERIFY_PART 0.1
#define EXPLANATION_SECONDS_MAX 30.0
#define SETUP_SECONDS_MIN 60.0
#define FIRST_SECONDS_MIN 120.0
/* Largest share reserved for finals and verification, however long they are expected to
   take, so that the search has time. */
#define REST_SHARE_MAX 0.35

/* A tenth of a time, from SECONDS_MIN to `most`. */
static double share(double seconds, double most)
{
	double part = seconds * SHARE;

	/* no limit: no reason to save time */
	if (seconds <= 0 || part > most)
		return most;
	return part < SECONDS_MIN ? SECONDS_MIN : part;
}

/* The budget's time, but at least `least` seconds; 0: no limit. */
static double no_less(const struct at_budget *self, double least)
{
	return self->seconds > 0 && self->seconds < least ? least : self->seconds;
}

double at_budget_setup_seconds(const struct at_budget *self)
{
	return no_less(self, SETUP_SECONDS_MIN);
}

double at_budget_first_seconds(const struct at_budget *self)
{
	return no_less(self, FIRST_SECONDS_MIN);
}

double at_budget_elapsed(const struct at_budget *self, uint64_t now_ns)
{
	return (double)(now_ns - self->begun_ns) * 1e-9;
}

bool at_budget_search_is_over(
	const struct at_budget *self, uint64_t now_ns, double rest_seconds)
{
	double kept;

	if (self->seconds <= 0)
		return false;
	if (rest_seconds > REST_SHARE_MAX * self->seconds)
		rest_seconds = REST_SHARE_MAX * self->seconds;
	kept = rest_seconds + at_budget_late_seconds(self);
	/* even a budget of a second or two leaves half to the search */
	if (kept > self->seconds / 2)
		kept = self->seconds / 2;
	return at_budget_elapsed(self, now_ns) >= self->seconds - kept;
}

double at_budget_late_seconds(const struct at_budget *self)
{
	return share(self->seconds, EXPLANATION_SECONDS_MAX);
}

double at_budget_finals_seconds(const struct at_budget *self)
{
	return share(self->seconds, FINALS_SECONDS_MAX);
}

bool at_budget_cuts_finals(const struct at_budget *self, double spent)
{
	return self->seconds > 0 && spent < 2 * FINALS_SECONDS_MAX;
}

double at_budget_more_finals_seconds(
	const struct at_budget *self, uint64_t now_ns, double spent, bool is_repeated)
{
	double part = is_repeated ? FINALS_SECONDS_MAX : at_budget_finals_seconds(self);
	double most = 2 * part - spent, left;

	if (self->seconds <= 0)
		return most;
	/* Half is left for verification and explanation: a significant gain is worth
	   more than its explanation. */
	left = (self->seconds - at_budget_elapsed(self, now_ns)) / 2;
	return most < left ? most : left;
}

double at_budget_verify_share(const struct at_budget *self)
{
	return VERIFY_SECONDS + VERIFY_PART * self->seconds;
}

double at_budget_verify_seconds(
	const struct at_budget *self, uint64_t now_ns, bool takes_rest)
{
	const double elapsed = at_budget_elapsed(self, now_ns);
	const double part = VERIFY_SECONDS + VERIFY_PART * elapsed;
	const double left = self->seconds - elapsed;

	if (self->seconds <= 0)
		return part;
	if (takes_rest && left - at_budget_late_seconds(self) > part)
		return left - at_budget_late_seconds(self);
	return fmax(0, fmin(part, left));
}

double at_budget_explanation_seconds(const struct at_budget *self, uint64_t now_ns)
{
	double most = share(self->seconds, EXPLANATION_SECONDS_MAX);
	double left;

	if (self->seconds <= 0)
		return most;
	/* The explanation comes last: it gets the time that the other phases left, up
	   to its maximum. */
	left = self->seconds - at_budget_elapsed(self, now_ns);
	if (left > EXPLANATION_SECONDS_MAX)
		left = EXPLANATION_SECONDS_MAX;
	return left > 0 ? left : 0;
}

uint64_t at_budget_explanation_evaluations(const struct at_budget *self)
{
	return self->evaluations ? (uint64_t)((double)self->evaluations * SHARE)
				 : UINT64_MAX;
}
