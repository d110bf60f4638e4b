/*
 * The few configurations that serve all problems of a space on one model of device: the
 * finalists of each problem are measured on all others, a cover is chosen (cover.h),
 * and whoever is to serve a problem that another one won is held to finals beside that
 * winner and to a winner's proof there. Who fails is out, and the choice is made again.
 *
 *   at_portfolio_course_start(&options, &course, &err);  -> options.done() later, once
 *   at_portfolio_course_interrupt(course);
 *   at_portfolio_course_free(course);                    (after done())
 *
 * Begins when all problems were tuned; problems without a winner that is proved are not
 * in it. Must not know: processes, units, images; terminals; SQL. Threads: the loop's.
 */
#ifndef AT_SESSION_PORTFOLIO_H
#define AT_SESSION_PORTFOLIO_H

#include "evaluator/evaluator.h"
#include "record/store.h"
#include "session/session.h"
#include "space/spec.h"

struct at_portfolio_course;

/* All pointers are borrowed until at_portfolio_course_free(). */
struct at_portfolio_course_options {
	struct at_store *store;
	const struct at_session_options *session; /* has the limits */
	const struct at_spec *spec;
	const struct at_objective *objective;
	/* those that were tuned here */
	const struct at_problem *const *problems;
	size_t problem_count;
	const struct at_device_info *device;
	int64_t device_id;
	int64_t run_id;
	/* an evaluator for one of the problems; one at a time */
	enum at_status (*open)(void *context, const struct at_problem *problem,
		struct at_evaluator **out, struct at_error *err);
	/* err NULL: it ended well, with or without a portfolio. From the loop. */
	void (*done)(void *context, const struct at_error *err);
	void *context;
};

/*
 * The list of problems is not needed any more when it returns. *out NULL, and done()
 * will not come: there is nothing to choose from, which was told.
 */
enum at_status at_portfolio_course_start(
	const struct at_portfolio_course_options *options,
	struct at_portfolio_course **out, struct at_error *err);
void at_portfolio_course_interrupt(struct at_portfolio_course *self);
void at_portfolio_course_poke(struct at_portfolio_course *self);
void at_portfolio_course_free(struct at_portfolio_course *self);

#endif
