/*
 * One lane of a session: tunes (or revisits) the problems of the current space, one
 * after the other, on one model of device or from one recording, and then chooses the
 * portfolio. session.c runs the lanes.
 */
#include "session/session_parts.h"

#include "base/memory.h"
#include "base/objective.h"
#include "record/results.h"
#include "record/sources.h"

#include <stdlib.h>
#include <string.h>

/* what tunings are for */
static const struct at_objective *const objective = &at_objective_time;

/* A recording answers in microseconds. After so many answers the loop serves other
   lanes, signals and the display. */
#define REPLAY_STEPS 64

/* Keeps the error that the session ends with: the first one. */
static void keep_error(struct session *self, const struct at_error *err)
{
	if (!self->error.status)
		self->error = *err;
}

bool session_selects(const struct session *self, const struct at_problem *problem)
{
	if (self->options->problem_count == 0)
		return true;
	for (size_t i = 0; i < self->options->problem_count; i++)
		if (!strcmp(self->options->problems[i], problem->name))
			return true;
	return false;
}

bool lane_is_for(const struct lane *self, const struct at_problem *problem)
{
	return self->recording || at_plan_applies(problem, self->infos[0].kind);
}

/* whether the problem is wanted, and is for this device */
static bool is_wanted(const struct lane *self, const struct at_problem *problem)
{
	return lane_is_for(self, problem) && session_selects(self->session, problem);
}

/* whether the problem is wanted, is this process's share, and is not finished yet */
static bool is_ours(const struct lane *self, const struct at_problem *problem)
{
	const struct session *session = self->session;
	const struct at_spec *spec = session->space->whole_spec;

	return is_wanted(self, problem) &&
	       at_assignment_part(session->assignment, spec, problem).count &&
	       !at_assignment_has_done(
		       session->assignment, spec, problem, &self->infos[0]);
}

bool lane_has_work(const struct lane *self)
{
	const struct at_spec *spec = self->session->space->spec;

	for (size_t i = 0; i < spec->problem_count; i++)
		if (is_ours(self, &spec->problems[i]))
			return true;
	return false;
}

/* Number of problems of a space that the session tunes on this device, in any share. */
static size_t count_ours(const struct lane *self, const struct space *space)
{
	size_t count = 0;

	for (size_t i = 0; i < space->spec->problem_count; i++)
		count += is_wanted(self, &space->spec->problems[i]);
	return count;
}

enum at_status lane_begin_space(struct lane *self, struct at_error *err)
{
	const struct session *session = self->session;
	const struct at_spec *spec = session->space->spec;
	double left = session->options->total_seconds - self->spent_seconds;
	size_t here = count_ours(self, session->space), all = 0;

	for (const struct space *later = session->space;
		later < session->spaces + session->space_count; later++)
		all += count_ours(self, later);
	if (session->options->total_seconds > 0 && self->spent_seconds == 0 &&
		left < (double)all * AT_ALLOT_SECONDS_MIN)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"--total is %g s for %zu problem%s, and a search needs %g s at least: give it %g s or more",
			left, all, all == 1 ? "" : "s", AT_ALLOT_SECONDS_MIN,
			(double)all * AT_ALLOT_SECONDS_MIN);
	/* Earlier spaces may have used more than their share, and later ones have
	   less then; but each problem keeps a second at least, since 0 would mean no
	   limit. */
	if (left < (double)all)
		left = (double)all;
	if (session->options->total_seconds == 0)
		left = 0;
	at_turns_release(&self->turns);
	at_turns_init(
		&self->turns, spec->problem_count, left * (double)here / (double)all);
	for (size_t i = 0; i < spec->problem_count; i++)
		self->turns.items[i].is_left_out = !is_ours(self, &spec->problems[i]);
	return AT_OK;
}

bool session_is_idle(const struct session *self)
{
	for (size_t i = 0; i < self->lane_count; i++)
		if (!self->lanes[i].idle)
			return false;
	return true;
}

static void end_lane(struct lane *self, const char *ending)
{
	struct at_error err = { 0 };

	if (self->run_id &&
		at_store_end_run(self->session->store, self->run_id, ending, &err))
		keep_error(self->session, &err);
	self->run_id = 0;
	self->idle = true;
	if (session_is_idle(self->session))
		at_loop_stop(self->session->loop);
}

/* Keeps a lane's error for the end of the session; the other lanes go on. True: it
   failed. A lost device gets no further space. */
static bool keep_failure(struct lane *self, const struct at_error *err)
{
	if (!err)
		return false;
	keep_error(self->session, err);
	self->failed = err->status == AT_EDEVICE;
	return true;
}

static void go_on(struct lane *self, bool failed)
{
	if (failed)
		end_lane(self, "failed");
	else
		lane_advance(self);
}

/* Notes a turn's result for the problem's next turn. A second turn replaces the first
   one's result in the session's summary, where each problem counts once. */
static void take_turn(
	struct lane *self, const struct at_tuning_summary *summary, bool is_selected)
{
	struct session *session = self->session;
	size_t index = (size_t)(self->problem - session->space->spec->problems);
	struct at_allot_item *turn = &self->turns.items[index];
	struct at_record_device device;
	struct at_error err = { 0 };

	if (turn->had_first) {
		session->summary->selected -= turn->found_winner;
		session->summary->unselected -= !turn->found_winner;
	}
	turn->found_winner = is_selected;
	turn->need = is_selected ? AT_ALLOT_PLAIN : AT_ALLOT_NEW;
	turn->valid = summary->valid_count;
	at_turns_took(&self->turns, index, summary->elapsed_seconds, summary->was_cut);
	self->spent_seconds += summary->elapsed_seconds;
	if (turn->is_done || self->turns.seconds == 0)
		return;
	/* unless the record says what a further turn may gain, none exists */
	turn->is_done = true;
	at_session_record_device(&self->infos[0], &device);
	turn->is_done =
		at_allot_read(session->store, session->space->spec->name, device.slug,
			self->problem->name, objective, turn, &err) != AT_OK;
	at_record_device_release(&device);
}

static bool may_have_turn(const struct lane *self, const struct at_problem *problem)
{
	const struct at_problem *problems = self->session->space->spec->problems;

	return self->turns.seconds > 0 &&
	       !self->turns.items[problem - problems].is_done;
}

/* A job that is requeued does not begin a finished problem again. */
static void note_finished(struct lane *self, const struct at_problem *problem)
{
	struct session *session = self->session;
	struct at_error err = { 0 };

	if (at_assignment_done(session->assignment, session->space->whole_spec, problem,
		    &self->infos[0], &err))
		keep_error(session, &err);
}

static void lane_tuned(void *context, const struct at_error *err)
{
	struct lane *self = context;
	struct session *session = self->session;
	struct at_tuning_summary summary;
	bool failed;

	at_tuning_summarize(self->tuning, &summary);
	session->summary->evaluated += summary.evaluated;
	session->summary->reused += summary.reused;
	if (!err)
		take_turn(self, &summary, summary.selected);
	session->summary->selected += !err && summary.selected;
	session->summary->unselected += !err && !summary.selected;
	failed = keep_failure(self, err);
	/* an interrupted problem is not finished: the next run continues it. Neither is
	   one that may have another turn: lane_advance() notes it when none comes. */
	if (!failed && !session->interrupted && !may_have_turn(self, self->problem))
		note_finished(self, self->problem);
	self->replay = NULL;
	at_tuning_free(self->tuning); /* err is part of the tuning: not used below */
	self->tuning = NULL;
	go_on(self, failed);
}

static void lane_revisited(void *context, const struct at_error *err)
{
	struct lane *self = context;
	const struct at_problem *problems = self->session->space->spec->problems;
	bool failed = keep_failure(self, err);

	/* a revisit has one turn */
	at_turns_took(&self->turns, (size_t)(self->problem - problems), 0, false);
	self->replay = NULL;
	/* err is part of the revisit: not used below */
	at_revisit_free(self->revisiting);
	self->revisiting = NULL;
	go_on(self, failed);
}

static void lane_explained(void *context, const struct at_error *err)
{
	struct lane *self = context;
	const struct at_problem *problems = self->session->space->spec->problems;
	bool failed = keep_failure(self, err);

	at_turns_took(&self->turns, (size_t)(self->problem - problems), 0, false);
	self->replay = NULL;
	/* err is part of it: not used below */
	at_explain_free(self->explaining);
	self->explaining = NULL;
	go_on(self, failed);
}

void lane_poke(struct lane *self)
{
	if (self->tuning)
		at_tuning_poke(self->tuning);
	else if (self->revisiting)
		at_revisit_poke(self->revisiting);
	else if (self->explaining)
		at_explain_poke(self->explaining);
	else if (self->course)
		at_portfolio_course_poke(self->course);
}

/* ---- recordings ---------------------------------------------------------------- */

static void step_replay(void *context);

static void wake_replay(void *context)
{
	struct lane *self = context;

	if (self->is_awake)
		return;
	self->is_awake = true;
	at_loop_later(self->session->loop, step_replay, self);
}

/* Answers of a recording move its virtual clock forward, so the budget is checked after
   each answer. Checking it only at the session's ticks would overdraw it by hours of
   virtual time. */
static void step_replay(void *context)
{
	struct lane *self = context;
	struct at_evaluator *evaluator = self->replay;

	self->is_awake = false;
	for (int i = 0; i < REPLAY_STEPS; i++) {
		/* lane_poke() may have ended the problem and begun another one */
		if (!self->replay || self->replay != evaluator ||
			!at_replay_step(evaluator))
			return;
		lane_poke(self);
	}
	wake_replay(self);
}

static enum at_status open_evaluator(struct lane *self,
	const struct at_problem *problem, struct at_evaluator **out,
	struct at_error *err)
{
	struct session *session = self->session;
	const struct at_spec *spec = at_spec_of(session->space->spec, problem);
	struct at_workers_options workers = {
		.loop = session->loop,
		.compile_queue = session->compile_queue,
		.boards = self->boards,
		.infos = self->infos,
		.board_count = self->board_count,
		.spec = spec,
		.whole_spec = at_spec_of(session->space->whole_spec, problem),
		.template = &session->space->template,
		.problem = problem,
		.toolchain = self->toolchain_version,
		.night = session->options->revisits ? session->options->night : 0,
		.wait_seconds = session->options->wait_seconds,
	};
	struct at_replay_options replay = {
		.recording = self->recording,
		/* not this machine's number of cores, so that a replay is the same
		   everywhere */
		.compilers = session->options->jobs ? session->options->jobs : 1,
		.seed = session->options->seed,
		.night = self->night,
		.parameter_count = spec->parameter_count,
		.wake = wake_replay,
		.context = self,
	};
	struct at_search_parameter *parameters;
	struct at_results results;
	enum at_status status;

	if (!self->recording) {
		/* with all counterexamples of the space, on whatever device they were
		   found: those of the record and those that result files brought */
		status = at_results_read(session->store, session->options->results,
			spec->name, &results, err);
		workers.counterexamples = &results.counterexamples;
		if (!status)
			status = at_workers_open(&workers, out, err);
		at_results_release(&results);
		return status;
	}
	parameters = at_calloc(spec->parameter_count + 1, sizeof(*parameters));
	for (size_t i = 0; i < spec->parameter_count; i++)
		parameters[i] = (struct at_search_parameter){
			spec->parameters[i].name,
			spec->parameters[i].type,
			spec->parameters[i].value_count,
			spec->parameters[i].values,
		};
	replay.parameters = parameters;
	status = at_replay_open(&replay, out, err);
	free(parameters);
	self->replay = status ? NULL : *out;
	return status;
}

/* Opens the evaluator of a problem and records the source that this run tunes it
   from. */
static enum at_status open_problem(struct lane *self, const struct at_problem *problem,
	struct at_evaluator **out, struct at_error *err)
{
	char hex[AT_HASH_HEX_SIZE];
	enum at_status status = open_evaluator(self, problem, out, err);

	if (status)
		return status;
	status = at_store_put_source(self->session->store, self->run_id, problem->name,
		at_hash_hex((*out)->info.source, hex), err);
	if (status) {
		(*out)->ops->close(*out);
		*out = self->replay = NULL;
	}
	return status;
}

/* Begins the tuning, or the revisit, of a problem; seconds: of its turn, 0: no
   limit. */
static enum at_status begin_problem(struct lane *self, const struct at_problem *problem,
	double seconds, struct at_error *err)
{
	struct session *session = self->session;
	struct space *space = session->space;
	struct at_visit visit = {
		.store = session->store,
		.session = session->options,
		.spec = at_spec_of(space->spec, problem),
		.whole_spec = at_spec_of(space->whole_spec, problem),
		.problem = problem,
		.seconds = seconds,
		.objective = objective,
		.part = at_assignment_part(
			session->assignment, space->whole_spec, problem),
		.device_id = self->device_id,
		.run_id = self->run_id,
		.done = lane_tuned,
		.context = self,
	};
	enum at_status status = open_problem(self, problem, &visit.evaluator, err);

	if (status)
		return status;
	if (session->options->revisits) {
		visit.done = lane_revisited;
		status = at_revisit_start(&visit, &self->revisiting, err);
	} else if (session->options->explained) {
		visit.done = lane_explained;
		status = at_explain_start(&visit, &self->explaining, err);
	} else {
		status = at_tuning_start(&visit, &self->tuning, err);
	}
	if (status) {
		self->replay = NULL;
		visit.evaluator->ops->close(visit.evaluator);
	}
	return status;
}

/* at_portfolio_course_options.open */
static enum at_status open_for_course(void *context, const struct at_problem *problem,
	struct at_evaluator **out, struct at_error *err)
{
	return open_problem(context, problem, out, err);
}

static void course_ended(void *context, const struct at_error *err)
{
	struct lane *self = context;
	bool failed = keep_failure(self, err);

	self->replay = NULL;
	/* err is part of the course: not used below */
	at_portfolio_course_free(self->course);
	self->course = NULL;
	end_lane(self, failed                       ? "failed"
		       : self->session->interrupted ? "interrupted"
						    : "done");
}

/* Begins the portfolio of the problems that this lane has tuned. */
static enum at_status begin_course(struct lane *self, struct at_error *err)
{
	struct session *session = self->session;
	const struct at_spec *spec = session->space->spec;
	const struct at_problem **problems =
		at_calloc(spec->problem_count + 1, sizeof(*problems));
	struct at_portfolio_course_options options = {
		.visit = {
			.store = session->store,
			.session = session->options,
			.spec = spec,
			.objective = objective,
			.device_id = self->device_id,
			.run_id = self->run_id,
			.done = course_ended,
			.context = self,
		},
		.problems = problems,
		.device = &self->infos[0],
		.open = open_for_course,
	};
	enum at_status status;

	for (size_t i = 0; i < spec->problem_count; i++)
		if (is_wanted(self, &spec->problems[i]))
			problems[options.problem_count++] = &spec->problems[i];
	status = at_portfolio_course_start(&options, &self->course, err);
	free(problems);
	/* an evaluator that it had opened is closed by now */
	if (status)
		self->replay = NULL;
	return status;
}

void lane_advance(struct lane *self)
{
	struct session *session = self->session;
	const struct at_spec *spec = session->space->spec;
	size_t next = AT_ALLOT_NONE;
	struct at_error err = { 0 };
	double seconds = 0;

	if (!session->interrupted)
		next = at_turns_next(&self->turns, &seconds);
	if (next != AT_ALLOT_NONE) {
		self->problem = &spec->problems[next];
		if (begin_problem(self, self->problem, seconds, &err)) {
			keep_error(session, &err);
			end_lane(self, "failed");
		}
		return;
	}
	/* those that waited for another turn get none */
	for (size_t i = 0; i < spec->problem_count && !session->options->revisits &&
			   !session->interrupted;
		i++)
		if (self->turns.items[i].had_first &&
			may_have_turn(self, &spec->problems[i]))
			note_finished(self, &spec->problems[i]);
	if (session->options->wants_portfolio && !session->interrupted &&
		begin_course(self, &err)) {
		keep_error(session, &err);
		end_lane(self, "failed");
	} else if (!self->course) {
		end_lane(self, session->interrupted ? "interrupted" : "done");
	}
}
