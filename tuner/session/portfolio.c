/* Chooses a portfolio (portfolio.h): gathers the finalists of all problems, measures
   them on each problem (crossing.h), chooses a cover (cover.h), and has finals and
   proofs held for each member that serves a problem it did not win. */
#include "session/portfolio.h"

#include "base/clock.h"
#include "base/memory.h"
#include "record/result.h"
#include "session/cover.h"
#include "session/crossing.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* finalists of each problem: its winner, and the best recorded beside it */
#define FINALISTS 5
/* Evaluations to look at for them: many do not fit the space, were dropped early, or
   are copies of the winner. */
#define LISTED 64
/* most configurations, all of which are measured on every problem */
#define CONFIGURATIONS_MAX 48
/* Without a limit of the loss, a configuration that is this much slower than its own
   problem's winner is left out: it would hardly help another problem. */
#define SLOWER 0.25

/* One problem that has a proved winner. */
struct place {
	const struct at_problem *problem;
	struct at_crown crown;
	size_t winner; /* index of its configuration */
	size_t serves; /* index of the configuration chosen for it */
};

struct at_portfolio_course {
	struct at_portfolio_course_options options;
	struct place *places;
	size_t place_count;
	uint16_t *rows; /* value indices of all configurations, one after the other */
	size_t row_count;
	/* Costs, place by place, each with all configurations; NAN: not for this
	   problem, or wrong on it. */
	double *costs;
	/* In the same order: the crown of a configuration that was proved on this
	   problem in finals beside its winner; NULL: it was not yet. */
	struct at_crown **members;
	size_t next; /* the place to measure next */
	/* the visit under way; NULL: none */
	struct at_crossing *crossing;
	/* its problem's place, and the configuration that it proves */
	size_t crossed_place;
	size_t crossed_row;
	bool interrupted;
	bool is_over;
};

static uint16_t *row_at(const struct at_portfolio_course *self, size_t index)
{
	return self->rows + index * self->options.visit.spec->parameter_count;
}

static double *cost_at(
	const struct at_portfolio_course *self, size_t place, size_t configuration)
{
	return &self->costs[place * self->row_count + configuration];
}

static struct at_crown **member_at(
	const struct at_portfolio_course *self, size_t place, size_t configuration)
{
	return &self->members[place * self->row_count + configuration];
}

/* ---- telling ------------------------------------------------------------------ */

static void emit(struct at_portfolio_course *self, struct at_event *event)
{
	const struct at_portfolio_course_options *options = &self->options;

	event->spec = options->visit.spec;
	event->objective = options->visit.objective;
	event->device = options->device;
	if (options->visit.session->listen)
		options->visit.session->listen(options->visit.session->context, event);
}

static void end(struct at_portfolio_course *self, const struct at_error *err)
{
	if (self->is_over)
		return;
	self->is_over = true;
	self->options.visit.done(self->options.visit.context, err);
}

/* Ends the course without a portfolio; text says why. */
static void end_without(struct at_portfolio_course *self, const char *text)
{
	struct at_event event = { .kind = AT_EVENT_NOTE, .text = text };

	emit(self, &event);
	end(self, NULL);
}

/* ---- which configurations are measured ---------------------------------------- */

/* Adds a configuration unless it is there. Returns its index; SIZE_MAX: there is no
   room. */
static size_t add_row(struct at_portfolio_course *self, const uint16_t *row)
{
	size_t size = self->options.visit.spec->parameter_count * sizeof(*row);

	for (size_t i = 0; i < self->row_count; i++)
		if (!memcmp(row_at(self, i), row, size))
			return i;
	if (self->row_count == CONFIGURATIONS_MAX)
		return SIZE_MAX;
	memcpy(row_at(self, self->row_count), row, size);
	return self->row_count++;
}

struct gathering {
	struct at_portfolio_course *course;
	uint16_t *row;
	size_t count; /* finalists taken from this problem */
	double best; /* the winner's score on this problem */
	struct at_error *err;
};

/* Takes an evaluation that is good enough on its own problem as a finalist. */
static enum at_status gather_one(void *context, const struct at_evaluation *evaluation)
{
	struct gathering *self = context;
	const struct at_portfolio_course_options *options = &self->course->options;
	double limit = options->visit.session->portfolio_limit;
	double score = at_evaluation_score(evaluation, options->visit.objective).value;
	bool fits;

	if (self->count == FINALISTS || evaluation->outcome != AT_OUTCOME_OK ||
		evaluation->raced ||
		!(at_objective_cost(options->visit.objective, score) <=
			at_objective_cost(options->visit.objective, self->best) *
				(1 + (isfinite(limit) ? fmax(limit, 0.05) : SLOWER))))
		return AT_OK;
	at_configuration_from_json(
		options->visit.spec, evaluation->configuration, self->row, &fits);
	if (fits)
		self->count += add_row(self->course, self->row) != SIZE_MAX;
	return AT_OK;
}

/* Adds a problem with its winner, if it has a proved winner that is still in the
   space. */
static enum at_status gather_winner(struct at_portfolio_course *self,
	const struct at_problem *problem, uint16_t *row, struct at_error *err)
{
	const struct at_portfolio_course_options *options = &self->options;
	struct place *place = &self->places[self->place_count];
	struct at_evaluation evaluation;
	enum at_status status = AT_OK;
	bool found, fits = false;

	status = at_store_find_crown(options->visit.store, options->visit.device_id,
		options->visit.spec->name, problem->name, &place->crown, &found, err);
	if (status || !found)
		return status;
	if (!place->crown.is_unproved &&
		place->crown.objective == options->visit.objective) {
		status = at_store_get(options->visit.store, place->crown.evaluation_id,
			false, &evaluation, err);
		if (!status) {
			at_configuration_from_json(options->visit.spec,
				evaluation.configuration, row, &fits);
			at_evaluation_release(&evaluation);
		}
	}
	place->problem = problem;
	if (!status && fits) {
		place->winner = add_row(self, row);
		fits = place->winner != SIZE_MAX;
	}
	if (status || !fits)
		at_crown_release(&place->crown);
	else
		self->place_count++;
	return status;
}

static enum at_status gather(struct at_portfolio_course *self, struct at_error *err)
{
	const struct at_portfolio_course_options *options = &self->options;
	size_t width = options->visit.spec->parameter_count;
	struct gathering gathering = { .course = self, .err = err };
	struct at_record_device device = { 0 };
	enum at_status status;

	gathering.row = at_calloc(width + 1, sizeof(*gathering.row));
	status = at_store_get_device(
		options->visit.store, options->visit.device_id, &device, err);
	/* winners first, so that they have room */
	for (size_t i = 0; i < options->problem_count && !status; i++)
		status = gather_winner(self, options->problems[i], gathering.row, err);
	for (size_t i = 0; i < self->place_count && !status; i++) {
		assert(self->places[i].problem); /* set by gather_winner() */
		gathering.count = 0;
		gathering.best = self->places[i].crown.score.value;
		status = at_store_list(options->visit.store, options->visit.spec->name,
			device.slug, self->places[i].problem->name, LISTED, gather_one,
			&gathering, err);
	}
	at_record_device_release(&device);
	free(gathering.row);
	return status;
}

/* ---- the end ------------------------------------------------------------------ */

/* The number of a configuration among the members: 0, 1, ... in order of first use. */
static size_t number_member(size_t *numbers, size_t *count, size_t configuration)
{
	for (size_t i = 0; i < *count; i++)
		if (numbers[i] == configuration)
			return i;
	numbers[*count] = configuration;
	return (*count)++;
}

/* Records the portfolio, one crown for each problem, and tells it. */
static void finish(struct at_portfolio_course *self)
{
	const struct at_portfolio_course_options *options = &self->options;
	size_t width = options->visit.spec->parameter_count;
	size_t *numbers = at_calloc(self->place_count + 1, sizeof(*numbers));
	uint16_t *rows = at_calloc(self->place_count * width + 1, sizeof(*rows));
	struct at_portfolio portfolio = {
		.device_id = options->visit.device_id,
		.space = at_strdup(options->visit.spec->name),
		.loss_limit = options->visit.session->portfolio_limit,
		.most = options->visit.session->portfolio_size,
		.members = at_calloc(self->place_count + 1, sizeof(*portfolio.members)),
		.created_seconds = at_clock_wall_seconds(),
	};
	struct at_event event = {
		.kind = AT_EVENT_PORTFOLIO,
		.portfolio = &portfolio,
		.configuration = rows,
	};
	struct at_error err = { 0 };
	enum at_status status = AT_OK;
	size_t count = 0;

	for (size_t i = 0; i < self->place_count; i++) {
		struct at_crown *member = &portfolio.members[portfolio.count];

		const struct place *place = &self->places[i];
		/* a winner serves its own problem with the crown that it has */
		const struct at_crown *from =
			place->serves == place->winner
				? &place->crown
				: *member_at(self, i, place->serves);

		at_crown_copy(from, member);
		portfolio.count++;
		member->member = (int64_t)number_member(numbers, &count, place->serves);
	}
	status = at_store_follow(options->visit.store, portfolio.device_id,
		portfolio.space, NULL, false, &portfolio.created_seconds, &err);
	if (!status)
		status = at_store_put_portfolio(options->visit.store, &portfolio, &err);
	for (size_t i = 0; i < count && width; i++)
		memcpy(rows + i * width, row_at(self, numbers[i]),
			width * sizeof(*rows));
	if (!status)
		emit(self, &event);
	at_portfolio_release(&portfolio);
	free(rows);
	free(numbers);
	end(self, status ? &err : NULL);
}

/* ---- members ------------------------------------------------------------------ */

static void choose(struct at_portfolio_course *self);

/* Begins a visit to a problem. */
static enum at_status cross(struct at_portfolio_course *self, size_t place,
	const uint16_t *rows, size_t count, const struct at_crown *winner,
	void (*done)(void *context, const struct at_error *err), struct at_error *err)
{
	const struct at_portfolio_course_options *options = &self->options;
	struct at_visit visit = options->visit;
	enum at_status status;

	visit.problem = self->places[place].problem;
	visit.done = done;
	visit.context = self;
	status = options->open(
		options->visit.context, visit.problem, &visit.evaluator, err);
	if (status)
		return status;
	self->crossed_place = place;
	status = at_crossing_start(&visit, rows, count, winner, &self->crossing, err);
	if (status)
		visit.evaluator->ops->close(visit.evaluator);
	return status;
}

static void drop_crossing(struct at_portfolio_course *self)
{
	at_crossing_free(self->crossing);
	self->crossing = NULL;
}

/* Keeps the result of a member's finals and proof: its crown and its cost, or that it
   does not serve the problem. */
static void keep_member(struct at_portfolio_course *self)
{
	const struct place *place = &self->places[self->crossed_place];
	const struct at_crown *member = at_crossing_member(self->crossing);
	struct at_crown **kept =
		member_at(self, self->crossed_place, self->crossed_row);
	double *cost = cost_at(self, self->crossed_place, self->crossed_row);

	*cost = NAN;
	/* it failed, or its loss is not known: it does not serve this problem */
	if (!member || !isfinite(member->loss))
		return;
	*kept = at_calloc(1, sizeof(**kept));
	*cost = *cost_at(self, self->crossed_place, place->winner) * (1 + member->loss);
	at_crown_copy(member, *kept);
}

static void member_crossed(void *context, const struct at_error *problem)
{
	struct at_portfolio_course *self = context;
	struct at_error err = { 0 };

	if (problem)
		err = *problem;
	else
		keep_member(self);
	drop_crossing(self);
	if (err.status)
		end(self, &err);
	else if (self->interrupted)
		end(self, NULL);
	else
		choose(self);
}

/*
 * Chooses which configuration serves each problem, by the costs known now. If one of
 * them serves a problem that it did not win, and has had no finals and proof there,
 * that is done first; the result changes a cost, and the choice is made again. Each
 * pair of problem and configuration is tried only once, so this ends.
 */
static void choose(struct at_portfolio_course *self)
{
	const struct at_session_options *session = self->options.visit.session;
	const struct at_cover_costs costs = { self->place_count, self->row_count,
		self->costs };
	struct at_cover cover;
	struct at_error err = { 0 };
	size_t todo = SIZE_MAX;
	enum at_status status = at_cover_find(&costs, session->portfolio_limit,
		session->portfolio_size, &cover, &err);

	for (size_t i = 0; i < self->place_count && !status && todo == SIZE_MAX; i++) {
		struct place *place = &self->places[i];

		place->serves = cover.assigned[i];
		if (place->serves != place->winner &&
			!*member_at(self, i, place->serves))
			todo = i;
	}
	at_cover_release(&cover);
	if (!status && todo != SIZE_MAX) {
		self->crossed_row = self->places[todo].serves;
		status = cross(self, todo, row_at(self, self->crossed_row), 1,
			&self->places[todo].crown, member_crossed, &err);
	}
	if (status)
		end(self, &err);
	else if (todo == SIZE_MAX)
		finish(self);
}

/* ---- measuring ---------------------------------------------------------------- */

static void measure_next(struct at_portfolio_course *self);

static void measured(void *context, const struct at_error *problem)
{
	struct at_portfolio_course *self = context;
	const struct at_objective *objective = self->options.visit.objective;
	const struct at_crossed *results;
	struct at_error err = { 0 };

	if (problem)
		err = *problem;
	results = at_crossing_results(self->crossing);
	for (size_t i = 0; i < self->row_count; i++) {
		double cost = at_objective_cost(objective, results[i].score.value);

		*cost_at(self, self->crossed_place, i) =
			results[i].outcome == AT_OUTCOME_OK && isfinite(cost)
				? cost
				: (double)NAN;
	}
	drop_crossing(self);
	if (err.status)
		end(self, &err);
	else if (self->interrupted)
		end(self, NULL);
	else
		measure_next(self);
}

/* Whether all winners are still right. If not, the next tuning has to replace them
   first. */
static bool winners_are_right(const struct at_portfolio_course *self)
{
	for (size_t i = 0; i < self->place_count; i++)
		if (!(*cost_at(self, i, self->places[i].winner) > 0))
			return false;
	return true;
}

static enum at_status measure(struct at_portfolio_course *self, struct at_error *err)
{
	struct at_event event = {
		.kind = AT_EVENT_PHASE,
		.text = "measuring finalists across problems",
		.problem = self->places[self->next].problem,
	};

	emit(self, &event);
	return cross(
		self, self->next++, self->rows, self->row_count, NULL, measured, err);
}

static void measure_next(struct at_portfolio_course *self)
{
	struct at_error err = { 0 };

	if (self->next < self->place_count) {
		if (measure(self, &err))
			end(self, &err);
	} else if (winners_are_right(self)) {
		choose(self);
	} else {
		end_without(self,
			"no portfolio: a winner is no longer right; tune it again");
	}
}

/* ---- start -------------------------------------------------------------------- */

enum at_status at_portfolio_course_start(
	const struct at_portfolio_course_options *options,
	struct at_portfolio_course **out, struct at_error *err)
{
	struct at_portfolio_course *self = at_calloc(1, sizeof(*self));
	size_t width = options->visit.spec->parameter_count;
	enum at_status status;

	self->options = *options;
	self->places = at_calloc(options->problem_count + 1, sizeof(*self->places));
	self->rows = at_calloc(CONFIGURATIONS_MAX * width + 1, sizeof(*self->rows));
	status = gather(self, err);
	/* the list of problems is borrowed for this call only */
	self->options.problems = NULL;
	if (!status) {
		size_t cells = self->place_count * self->row_count + 1;

		self->costs = at_calloc(cells, sizeof(*self->costs));
		self->members = at_calloc(cells, sizeof(struct at_crown *));
	}
	*out = NULL;
	if (!status && !self->place_count) {
		struct at_event event = {
			.kind = AT_EVENT_NOTE,
			.text = "no portfolio: no problem has a winner that is verified",
		};

		emit(self, &event);
		at_portfolio_course_free(self);
		return AT_OK;
	}
	if (!status)
		status = measure(self, err);
	if (status)
		at_portfolio_course_free(self);
	else
		*out = self;
	return status;
}

void at_portfolio_course_interrupt(struct at_portfolio_course *self)
{
	self->interrupted = true;
	if (self->crossing)
		at_crossing_interrupt(self->crossing);
}

void at_portfolio_course_poke(struct at_portfolio_course *self)
{
	if (self->crossing)
		at_crossing_poke(self->crossing);
}

void at_portfolio_course_free(struct at_portfolio_course *self)
{
	if (!self)
		return;
	at_crossing_free(self->crossing);
	for (size_t i = 0; self->places && i < self->place_count; i++)
		at_crown_release(&self->places[i].crown);
	for (size_t i = 0; self->members && i < self->place_count * self->row_count;
		i++) {
		at_crown_release(self->members[i]);
		free(self->members[i]);
	}
	free(self->places);
	free(self->rows);
	free(self->costs);
	free(self->members);
	free(self);
}
