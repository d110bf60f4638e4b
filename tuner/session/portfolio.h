/*
 * Chooses a portfolio: the few configurations that serve all problems of a space on one
 * model of device. The finalists of each problem are measured on all other problems,
 * and a cover is chosen (cover.h). A member that is to serve a problem which another
 * configuration won has finals beside that winner, and a winner's verification, on that
 * problem. If it fails, it does not serve that problem, and the choice is made again.
 *
 * |   at_portfolio_course_start(&options, &course, &err);  -> done() later, once
 * |   at_portfolio_course_interrupt(course);
 * |   at_portfolio_course_free(course);                    (after done())
 *
 * It begins when all problems have been tuned; problems without a verified winner are
 * left out. Must not know: processes, units, images; terminals; SQL. Threads: the
 * loop's.
 */
#ifndef AT_SESSION_PORTFOLIO_H
#define AT_SESSION_PORTFOLIO_H

#include "session/visit.h"

struct at_portfolio_course;

/* All pointers are borrowed until at_portfolio_course_free(). */
struct at_portfolio_course_options {
	/* What visits to all problems have in common; its session has the portfolio's
	   limits, and its done() ends the course: err NULL: without an error, with or
	   without a portfolio. It may free the course. */
	struct at_visit visit;
	/* the problems that were tuned here; needed only for the call of start */
	const struct at_problem *const *problems;
	size_t problem_count;
	const struct at_device_info *device;
	/* Opens an evaluator for one of the problems. The previous one is always closed
	   first. */
	enum at_status (*open)(void *context, const struct at_problem *problem,
		struct at_evaluator **out, struct at_error *err);
};

/*
 * Begins the course. *out NULL with AT_OK: there is no problem to choose for, which a
 * note has told, and done() will not come.
 */
enum at_status at_portfolio_course_start(
	const struct at_portfolio_course_options *options,
	struct at_portfolio_course **out, struct at_error *err);
/* Ends it soon, without a portfolio; done() follows. */
void at_portfolio_course_interrupt(struct at_portfolio_course *self);
/* Called a few times a second. */
void at_portfolio_course_poke(struct at_portfolio_course *self);
/* Frees it; NULL is allowed. */
void at_portfolio_course_free(struct at_portfolio_course *self);

#endif
