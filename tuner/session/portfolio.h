/*
 * Chooses a portfolio: the few configurations that serve all problems of a space on one
 * model of device. The finalists of each problem are measured on all other problems,
 * then a cover is chosen (cover.h). On a problem that another configuration won, a
 * member must pass finals against that winner and a winner's verification. If it fails,
 * it does not serve that problem, and the choice is repeated.
 *
 * |   at_portfolio_course_start(&options, &course, &err);  -> done() later, once
 * |   at_portfolio_course_interrupt(course);
 * |   at_portfolio_course_free(course);                    (after done())
 *
 * It begins after the tuning of all problems, and leaves out problems without a
 * verified winner. Must not know: processes, units, images; terminals; SQL. Threads:
 * the loop's.
 */
#ifndef AT_SESSION_PORTFOLIO_H
#define AT_SESSION_PORTFOLIO_H

#include "session/visit.h"

struct at_portfolio_course;

/* All pointers are borrowed until at_portfolio_course_free(). */
struct at_portfolio_course_options {
	/* What visits to all problems have in common. Its session has the portfolio's
	   limits. Its done() ends the course, with or without a portfolio, and may free
	   the course; err NULL: no error. */
	struct at_visit visit;
	/* the problems that were tuned here; needed only by start */
	const struct at_problem *const *problems;
	size_t problem_count;
	const struct at_device_info *device;
	/* Opens an evaluator for one of the problems. The previous evaluator is closed
	   first. */
	enum at_status (*open)(void *context, const struct at_problem *problem,
		struct at_evaluator **out, struct at_error *err);
};

/* Begins the course. *out NULL with AT_OK: no problem qualifies, a note says so, and
   done() is not called. */
enum at_status at_portfolio_course_start(
	const struct at_portfolio_course_options *options,
	struct at_portfolio_course **out, struct at_error *err);
/* Ends it soon, without a portfolio; done() follows. */
void at_portfolio_course_interrupt(struct at_portfolio_course *self);
/* Called a few times a second. */
void at_portfolio_course_poke(struct at_portfolio_course *self);
/* NULL is allowed. */
void at_portfolio_course_free(struct at_portfolio_course *self);

#endif
