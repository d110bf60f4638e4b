/* Chooses a portfolio (portfolio.h): gathers finalists, measures them on each problem,
   chooses a cover (cover.h), and verifies its members. */
#include "session/portfolio.h"

#include "base/clock.h"
#include "base/memory.h"
#include "record/result.h"
#include "session/cover.h"
#include "session/winner.h"
#include "session/standings.h"
#include "session/journal.h"
#include "session/phase_verification.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* finalists of each problem: its winner and the best recorded ones */
#define FINALISTS 5
/* Evaluations to read for them: many do not fit the space, were dropped early, or are
   copies of the winner. */
#define LISTED 64
/* most configurations; all are measured on every problem */
#define CONFIGURATIONS_MAX 48
/* Without a limit of the loss, a configuration that is this much slower than its own
   problem's winner is left out: it would hardly serve another problem. */
#define SLOWER 0.25

/* ---- a visit with configurations of other problems ---------------------------- */

/* The result of one configuration on this problem. */
struct crossed {
	int64_t evaluation_id; /* 0: not evaluated */
	/* NOT_APPLICABLE: it violates the constraints on this problem */
	enum at_outcome outcome;
	struct at_score score; /* unknown unless OK */
};

/* The finalists in their order. The baseline takes part only if it is correct and
   neither member nor winner. */
enum role { ROLE_MEMBER, ROLE_WINNER, ROLE_BASELINE, ROLE_COUNT };

/* A visit to one problem with configurations of other problems: they are evaluated, or
   one of them has finals against the problem's winner and a winner's verification. */
struct transfer {
	struct at_visit visit;
	/* NULL: only evaluate. Else the problem's winner, which the one configuration
	   is to replace. */
	const struct at_winner *winner;
	struct at_journal *journal;
	/* Configurations in this space: the baseline (if there is one), the given ones,
	   the winner (if given). */
	uint64_t *indices;
	struct crossed *results; /* one for each index */
	size_t count;
	/* place of the first given one: 1 after a baseline, else 0 */
	size_t first_given;
	size_t next; /* place to evaluate next */
	/* ask() is running: the journal may call told() from inside it */
	bool is_asking;
	struct at_task *finalists[ROLE_COUNT];
	/* number of roles in the finals */
	size_t finalist_count;
	struct at_verification_phase verification;
	const uint16_t *winner_row; /* its configuration; borrowed */
	bool winner_has_shared; /* known to use shared memory */
	struct at_winner member; /* space NULL: the member has not passed */
};

/* the result of the candidate member */
static struct crossed *member_of(struct transfer *self)
{
	return &self->results[self->first_given];
}

/* ---- the end --------------------------------------------------------------- */

/* Ends the visit: stops evaluator, journal and verification, and queues done(). */
static void end(struct transfer *self, const struct at_error *err)
{
	if (!at_visit_end(&self->visit, err))
		return;
	at_journal_drop(self->journal);
	at_verification_phase_end(&self->verification);
}

/* ---- finals and verification of a member ----------------------------------- */

static bool is_right(const struct transfer *self, enum role role)
{
	return role < self->finalist_count &&
	       at_final_was_sampled(&self->finalists[role]->result);
}

/* Records and reports that the member, which was correct so far, is wrong. */
static void refuse_member(
	struct transfer *self, enum at_outcome outcome, const char *detail)
{
	struct crossed *member = member_of(self);
	struct at_evaluation evaluation;
	struct at_error err = { 0 };
	struct at_event event = { .kind = AT_EVENT_NOTE, .text = detail };

	if (at_journal_refuse(self->journal, member->evaluation_id, outcome, detail,
		    &evaluation, &err)) {
		end(self, &err);
		return;
	}
	event.evaluation = &evaluation;
	event.configuration = self->visit.row;
	at_visit_emit(&self->visit, &event);
	at_evaluation_release(&evaluation);
	member->outcome = outcome;
	member->score = (struct at_score)AT_SCORE_UNKNOWN;
	end(self, NULL);
}

/* Makes the member's row for this problem, with its loss against the winner. */
static void make_member(
	struct transfer *self, const struct at_verification *verification)
{
	const struct at_visit *visit = &self->visit;
	const struct at_measure_result *member = &self->finalists[ROLE_MEMBER]->result;
	struct at_interval loss = at_finals_ratio(
		visit->objective, member, &self->finalists[ROLE_WINNER]->result);
	struct at_selection facts = {
		.visit = visit,
		.plan = &self->finalists[ROLE_MEMBER]->plan,
		.score = at_final_score(visit->objective, member),
		.speedup = AT_SCORE_UNKNOWN,
		.baseline = AT_SCORE_UNKNOWN,
		.final = member,
		.evaluation_id = member_of(self)->evaluation_id,
		.evaluation_count = (uint64_t)self->winner->evaluation_count,
		.ok_count = (uint64_t)self->winner->ok_count,
		.verification = verification,
	};

	if (is_right(self, ROLE_BASELINE)) {
		struct at_finals_gain gain = at_finals_gain_of(visit->objective,
			&self->finalists[ROLE_BASELINE]->result, member);

		facts.speedup = gain.speedup;
		facts.baseline = gain.baseline;
		facts.baseline_id = self->results[0].evaluation_id;
	}
	at_winner_make(&facts, &self->member);
	self->member.loss = loss.median - 1;
	self->member.loss_low = loss.low - 1;
	self->member.loss_high = loss.high - 1;
	end(self, NULL);
}

static void verified(void *context, enum at_outcome outcome, const char *detail,
	const struct at_verification *verification, const struct at_error *err)
{
	struct transfer *self = context;

	if (err)
		end(self, err);
	else if (outcome != AT_OUTCOME_OK)
		refuse_member(self, outcome, detail);
	else
		make_member(self, verification);
}

/* The configuration that must pass a check for the member's failure to count: the
   defaults, or without them the verified winner. NULL: none exists. */
static const uint16_t *witness_of(const struct transfer *self)
{
	const struct at_spec *spec = self->visit.spec;

	if (spec->has_defaults)
		return spec->defaults;
	return self->indices[self->first_given] != self->indices[self->count - 1]
		       ? self->winner_row
		       : NULL;
}

static void finals_answered(void *context, const struct at_error *err)
{
	struct transfer *self = context;
	const struct at_measure_result *result = &self->finalists[ROLE_MEMBER]->result;
	const struct at_verification_phase_options verification = {
		.visit = &self->visit,
		.configuration = self->visit.row,
		.witness = witness_of(self),
		.shared_witness =
			self->visit.spec->has_defaults || self->winner_has_shared
				? witness_of(self)
				: NULL,
		.seconds = at_visit_case_seconds(&self->visit),
		.check_seconds = at_visit_check_seconds(&self->visit),
		.ended = verified,
		.context = self,
	};

	if (self->visit.is_over)
		return;
	for (size_t i = 0; !err && i < self->finalist_count; i++)
		at_final_check_floor(
			&self->finalists[i]->result, &self->finalists[i]->plan.floor);
	if (err)
		end(self, err);
	else if (!is_right(self, ROLE_MEMBER) && !result->device_lost &&
		 result->outcome != AT_OUTCOME_NONE && result->outcome != AT_OUTCOME_OK)
		refuse_member(self, result->outcome, result->detail);
	/* without both times the loss is unknown */
	else if (!is_right(self, ROLE_MEMBER) || !is_right(self, ROLE_WINNER))
		end(self, NULL);
	else
		at_verification_phase_begin(&self->verification, &verification);
}

static void begin_finals(struct transfer *self)
{
	struct at_evaluator *evaluator = self->visit.evaluator;
	const struct at_budget budget = { 0 };
	const struct at_measure_finals how = at_finals_first(
		at_budget_finals_seconds(&budget), self->visit.session->seed);
	const size_t places[ROLE_COUNT] = { self->first_given, self->count - 1, 0 };
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	/* the member or the winner is no longer correct; the next tuning handles a
	   wrong winner */
	if (self->results[places[ROLE_MEMBER]].outcome != AT_OUTCOME_OK ||
		self->results[places[ROLE_WINNER]].outcome != AT_OUTCOME_OK) {
		end(self, NULL);
		return;
	}
	self->finalist_count = ROLE_WINNER + 1;
	if (self->first_given && self->results[0].outcome == AT_OUTCOME_OK &&
		self->indices[0] != self->indices[places[ROLE_MEMBER]] &&
		self->indices[0] != self->indices[places[ROLE_WINNER]])
		self->finalist_count = ROLE_COUNT;
	for (size_t i = 0; i < ROLE_COUNT && i < self->finalist_count && !status; i++) {
		status = at_visit_plan(&self->visit, self->indices[places[i]],
			&self->finalists[i], &err);
	}
	at_search_space_get(
		self->visit.space, self->indices[places[ROLE_MEMBER]], self->visit.row);
	if (!status)
		status = evaluator->ops->finals(evaluator, self->finalists,
			self->finalist_count, &how, finals_answered, self, &err);
	if (status)
		end(self, &err);
}

/* ---- evaluations ----------------------------------------------------------- */

static void ask(struct transfer *self);

/* Receives an evaluation. A configuration that was given twice gets its result
   twice. */
static void told(void *context, const struct at_entry *entry)
{
	struct transfer *self = context;
	const struct at_visit *visit = &self->visit;
	const struct at_evaluation *evaluation = entry->evaluation;
	struct at_event event = {
		.kind = AT_EVENT_EVALUATION,
		.configuration = entry->configuration,
		.evaluation = evaluation,
		.reused = entry->reused,
	};

	if (self->visit.is_over)
		return;
	if (!evaluation)
		return;
	if (entry->index == self->indices[self->count - 1])
		self->winner_has_shared = evaluation->facts.shared_bytes > 0;
	for (size_t i = 0; i < self->count; i++) {
		if (self->indices[i] != entry->index)
			continue;
		self->results[i] = (struct crossed){
			.evaluation_id = evaluation->id,
			.outcome = evaluation->outcome,
			.score = at_evaluation_score(evaluation, visit->objective),
		};
	}
	if (!entry->reused)
		at_visit_emit(&self->visit, &event);
}

static void changed(void *context)
{
	ask(context);
}

static void failed(void *context, const struct at_error *err)
{
	end(context, err);
}

/* Begins as many evaluations as allowed. The baseline comes first and alone, since its
   rounding error decides how the others are judged. Goes on to finals or end when all
   results have arrived. */
static void ask(struct transfer *self)
{
	const struct at_visit *visit = &self->visit;
	struct at_evaluator *evaluator = visit->evaluator;

	if (self->visit.is_over || self->is_asking)
		return;
	self->is_asking = true;
	while (self->next < self->count && !self->visit.is_over &&
		at_journal_out(self->journal) < evaluator->ops->capacity(evaluator)) {
		size_t place = self->next++;
		struct at_task_options how = { .full = true };
		bool was_asked_for = false;

		for (size_t i = 0; i < place; i++)
			was_asked_for |= self->indices[i] == self->indices[place];
		if (self->indices[place] == AT_NO_CONFIGURATION || was_asked_for)
			continue;
		how.first =
			self->first_given && self->indices[place] == self->indices[0];
		at_journal_evaluate(self->journal, self->indices[place], &how);
	}
	self->is_asking = false;
	if (self->visit.is_over || self->next < self->count ||
		at_journal_pending(self->journal) > 0)
		return;
	if (self->winner)
		begin_finals(self);
	else
		end(self, NULL);
}

static void begin(struct at_visit *visit)
{
	ask((struct transfer *)visit);
}

static void interrupt(struct at_visit *visit)
{
	end((struct transfer *)visit, NULL);
}

static void poke(struct at_visit *visit)
{
	at_journal_poll(((struct transfer *)visit)->journal);
}

static void release(struct at_visit *visit)
{
	struct transfer *self = (struct transfer *)visit;

	at_verification_phase_end(&self->verification);
	at_journal_free(self->journal);
	for (size_t i = 0; i < ROLE_COUNT; i++)
		at_task_free(self->finalists[i]);
	at_winner_release(&self->member);
	free(self->indices);
	free(self->results);
}

static const struct at_visit_kind transfer_kind = {
	.size = sizeof(struct transfer),
	.begin = begin,
	.interrupt = interrupt,
	.poke = poke,
	.release = release,
};

/* ---- start ----------------------------------------------------------------- */

static void add(struct transfer *self, const uint16_t *configuration)
{
	uint64_t index = at_search_space_find(self->visit.space, configuration);

	self->results[self->count] = (struct crossed){
		.outcome = index == AT_NO_CONFIGURATION ? AT_OUTCOME_NOT_APPLICABLE
							: AT_OUTCOME_NONE,
		.score = AT_SCORE_UNKNOWN,
	};
	self->indices[self->count++] = index;
}

/* ---- the course ---------------------------------------------------------------- */

/* A problem with a verified winner. */
struct place {
	const struct at_problem *problem;
	struct at_winner best;
	size_t winner; /* index of its configuration */
	size_t serves; /* index of the configuration chosen for it */
};

struct at_portfolio_course {
	struct at_portfolio_course_options options;
	struct place *places;
	size_t place_count;
	uint16_t *rows; /* value indices of all configurations, one after the other */
	size_t row_count;
	/* Costs, problem by problem, each with all configurations; NAN: not for this
	   problem, or wrong on it. */
	double *costs;
	/* In the same order: the configuration's row after its finals and verification
	   on this problem; NULL: none yet. */
	struct at_winner **members;
	size_t next; /* the problem to measure next */
	/* the current visit; NULL: none */
	struct transfer *transfer;
	/* its problem, and the configuration that it verifies */
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

static struct at_winner **member_at(
	const struct at_portfolio_course *self, size_t place, size_t configuration)
{
	return &self->members[place * self->row_count + configuration];
}

/* ---- events ---------------------------------------------------------------- */

static void emit(struct at_portfolio_course *self, struct at_event *event)
{
	const struct at_portfolio_course_options *options = &self->options;

	event->spec = options->visit.spec;
	event->device = options->device;
	if (options->visit.session->listen)
		options->visit.session->listen(options->visit.session->context, event);
}

static void end_course(struct at_portfolio_course *self, const struct at_error *err)
{
	if (self->is_over)
		return;
	self->is_over = true;
	self->options.visit.done(self->options.visit.context, err);
}

static void note(struct at_portfolio_course *self, const char *text)
{
	struct at_event event = { .kind = AT_EVENT_NOTE, .text = text };

	emit(self, &event);
}

/* ---- the configurations to measure ----------------------------------------- */

/* Adds a configuration unless it is present. Returns its index; SIZE_MAX: no room. */
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

/* Takes an evaluation as a finalist if it is good enough on its own problem. */
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

/* Adds a problem whose winner is verified and still in the space. */
static enum at_status gather_winner(struct at_portfolio_course *self,
	const struct at_problem *problem, uint16_t *row, struct at_error *err)
{
	const struct at_portfolio_course_options *options = &self->options;
	struct place *place = &self->places[self->place_count];
	struct at_evaluation evaluation;
	enum at_status status = AT_OK;
	bool found, fits = false;

	status = at_store_find_winner(options->visit.store, options->visit.device_id,
		options->visit.spec->name, problem->name, &place->best, &found, err);
	if (status || !found)
		return status;
	if (!place->best.is_unverified &&
		place->best.objective == options->visit.objective) {
		status = at_store_get(options->visit.store, place->best.evaluation_id,
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
		at_winner_release(&place->best);
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
	/* winners first, to ensure room for them */
	for (size_t i = 0; i < options->problem_count && !status; i++)
		status = gather_winner(self, options->problems[i], gathering.row, err);
	for (size_t i = 0; i < self->place_count && !status; i++) {
		assert(self->places[i].problem); /* set by gather_winner() */
		gathering.count = 0;
		gathering.best = self->places[i].best.score.value;
		status = at_store_list(options->visit.store, options->visit.spec->name,
			device.slug, self->places[i].problem->name, LISTED, gather_one,
			&gathering, err);
	}
	at_record_device_release(&device);
	free(gathering.row);
	return status;
}

/* ---- the end ------------------------------------------------------------------ */

/* Records and reports the portfolio, one winner for each problem. */
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
		struct at_winner *member = &portfolio.members[portfolio.count];
		size_t number = 0;

		const struct place *place = &self->places[i];
		/* a winner serves its own problem with its existing row */
		const struct at_winner *from =
			place->serves == place->winner
				? &place->best
				: *member_at(self, i, place->serves);

		at_winner_copy(from, member);
		portfolio.count++;
		/* configurations are numbered 0, 1, ... by first use */
		while (number < count && numbers[number] != place->serves)
			number++;
		if (number == count)
			numbers[count++] = place->serves;
		member->member = (int64_t)number;
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
	end_course(self, status ? &err : NULL);
}

/* ---- members ------------------------------------------------------------------ */

static void choose(struct at_portfolio_course *self);

/* Frees the visit and goes on to the next step. problem: the visit's, freed here. */
static void go_on(struct at_portfolio_course *self, const struct at_error *problem,
	void (*next)(struct at_portfolio_course *self))
{
	struct at_error err = { 0 };

	if (problem)
		err = *problem;
	at_visit_free(&self->transfer->visit);
	self->transfer = NULL;
	if (err.status || self->interrupted)
		end_course(self, err.status ? &err : NULL);
	else
		next(self);
}

/* Begins a visit to a problem with `count` configurations. winner: the problem's
   winner, which one of them is to replace; NULL: only evaluate. The rows are
   borrowed. */
static enum at_status cross(struct at_portfolio_course *self, size_t place,
	const uint16_t *rows, size_t count, const struct at_winner *winner,
	void (*done)(void *context, const struct at_error *err), struct at_error *err)
{
	const struct at_portfolio_course_options *options = &self->options;
	struct at_visit visit = options->visit;
	const struct at_spec *spec;
	struct transfer *transfer;
	struct at_visit *started;
	enum at_status status;

	visit.problem = self->places[place].problem;
	visit.spec = spec = at_spec_of(visit.spec, visit.problem);
	visit.done = done;
	visit.context = self;
	status = options->open(
		options->visit.context, visit.problem, &visit.evaluator, err);
	if (status)
		return status;
	self->crossed_place = place;
	status = at_visit_start(&transfer_kind, &visit, &started, err);
	if (status) {
		visit.evaluator->ops->close(visit.evaluator);
		return status;
	}
	transfer = self->transfer = (struct transfer *)started;
	transfer->winner = winner;
	transfer->winner_row = row_at(self, self->places[place].winner);
	transfer->verification.ended = true;
	transfer->indices = at_calloc(count + 2, sizeof(*transfer->indices));
	transfer->results = at_calloc(count + 2, sizeof(*transfer->results));
	if (at_visit_baseline(started) != AT_NO_CONFIGURATION) {
		add(transfer, spec->defaults);
		transfer->first_given = 1;
	}
	for (size_t i = 0; i < count; i++)
		add(transfer, rows + i * spec->parameter_count);
	if (winner)
		add(transfer, transfer->winner_row);
	at_journal_new(&transfer->visit, false, &transfer->journal);
	at_journal_listen(transfer->journal,
		&(struct at_journal_listener){ told, changed, failed, transfer });
	return AT_OK;
}

/* Stores the result of a member's finals and verification: its row and cost, or that it
   does not serve the problem. */
static void keep_member(struct at_portfolio_course *self)
{
	const struct place *place = &self->places[self->crossed_place];
	const struct at_winner *member = &self->transfer->member;
	struct at_winner **kept =
		member_at(self, self->crossed_place, self->crossed_row);
	double *cost = cost_at(self, self->crossed_place, self->crossed_row);

	*cost = NAN;
	/* it failed, or its loss is unknown */
	if (!member->space || !isfinite(member->loss))
		return;
	*kept = at_calloc(1, sizeof(**kept));
	*cost = *cost_at(self, self->crossed_place, place->winner) * (1 + member->loss);
	at_winner_copy(member, *kept);
}

static void member_crossed(void *context, const struct at_error *problem)
{
	struct at_portfolio_course *self = context;

	if (!problem)
		keep_member(self);
	go_on(self, problem, choose);
}

/*
 * Assigns a configuration to each problem by the costs known now. If one of them did
 * not win its problem and has had no finals and verification there, those come first;
 * the result changes a cost, and the choice is repeated. Each pair of problem and
 * configuration is tried once, so this terminates.
 */
static void choose(struct at_portfolio_course *self)
{
	const struct at_session_options *session = self->options.visit.session;
	const struct at_cover_costs costs = { self->place_count, self->row_count,
		self->costs };
	size_t *assigned;
	struct at_error err = { 0 };
	size_t todo = SIZE_MAX;
	enum at_status status = at_cover_find(&costs, session->portfolio_limit,
		session->portfolio_size, &assigned, &err);

	for (size_t i = 0; i < self->place_count && !status && todo == SIZE_MAX; i++) {
		struct place *place = &self->places[i];

		place->serves = assigned[i];
		if (place->serves != place->winner &&
			!*member_at(self, i, place->serves))
			todo = i;
	}
	free(assigned);
	if (!status && todo != SIZE_MAX) {
		self->crossed_row = self->places[todo].serves;
		status = cross(self, todo, row_at(self, self->crossed_row), 1,
			&self->places[todo].best, member_crossed, &err);
	}
	if (status)
		end_course(self, &err);
	else if (todo == SIZE_MAX)
		finish(self);
}

/* ---- measuring ---------------------------------------------------------------- */

static void measure_next(struct at_portfolio_course *self);

static void measured(void *context, const struct at_error *problem)
{
	struct at_portfolio_course *self = context;
	const struct at_objective *objective = self->options.visit.objective;
	const struct crossed *results =
		self->transfer->results + self->transfer->first_given;

	for (size_t i = 0; i < self->row_count; i++) {
		double cost = at_objective_cost(objective, results[i].score.value);

		*cost_at(self, self->crossed_place, i) =
			results[i].outcome == AT_OUTCOME_OK && isfinite(cost)
				? cost
				: (double)NAN;
	}
	go_on(self, problem, measure_next);
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
	bool are_right = true;

	if (self->next < self->place_count) {
		if (measure(self, &err))
			end_course(self, &err);
		return;
	}
	for (size_t i = 0; i < self->place_count; i++)
		are_right = are_right && *cost_at(self, i, self->places[i].winner) > 0;
	if (are_right) {
		choose(self);
	} else {
		/* the next tuning must first replace the winner */
		note(self, "no portfolio: a winner is no longer right; tune it again");
		end_course(self, NULL);
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
	/* borrowed only for this call */
	self->options.problems = NULL;
	if (!status) {
		size_t cells = self->place_count * self->row_count + 1;

		self->costs = at_calloc(cells, sizeof(*self->costs));
		self->members = at_calloc(cells, sizeof(struct at_winner *));
	}
	*out = NULL;
	if (!status && !self->place_count) {
		note(self, "no portfolio: no problem has a winner that is verified");
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
	if (self->transfer)
		at_visit_interrupt(&self->transfer->visit);
}

void at_portfolio_course_poke(struct at_portfolio_course *self)
{
	if (self->transfer)
		at_visit_poke(&self->transfer->visit);
}

void at_portfolio_course_free(struct at_portfolio_course *self)
{
	if (!self)
		return;
	if (self->transfer)
		at_visit_free(&self->transfer->visit);
	for (size_t i = 0; self->places && i < self->place_count; i++)
		at_winner_release(&self->places[i].best);
	for (size_t i = 0; self->members && i < self->place_count * self->row_count;
		i++) {
		at_winner_release(self->members[i]);
		free(self->members[i]);
	}
	free(self->places);
	free(self->rows);
	free(self->costs);
	free(self->members);
	free(self);
}
