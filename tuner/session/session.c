#include "session/session_parts.h"

#include "base/clock.h"
#include "base/objective.h"
#include "record/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TICK_MS 250
/* to look where the record is takes microseconds, on a network file system more */
#define LOOK_NS UINT64_C(1000000000)
/* A recording takes microseconds for an answer: so many, and the loop sees to others.
 */
#define REPLAY_STEPS 64

static void advance_lane(struct lane *self);

static void keep_error(struct session *self, const struct at_error *err)
{
	if (!self->error.status)
		self->error = *err;
}

static void stop_when_idle(struct session *self)
{
	for (size_t i = 0; i < self->lane_count; i++)
		if (!self->lanes[i].idle)
			return;
	at_loop_stop(self->loop);
}

/*
 * A folder that is removed under a run takes what is recorded from then on with it, and
 * nothing fails; nor does it where a record is written over. False: so it was, and the
 * record cannot be used any more; that is kept.
 */
static bool look_after_record(struct session *self, bool is_whole)
{
	struct at_error err = { 0 };
	bool rescued = false;

	if (self->is_store_lost || !self->store)
		return !self->is_store_lost;
	self->looked_ns = at_clock_now_ns();
	if (at_store_rescue(self->store, is_whole, &rescued, &err)) {
		self->is_store_lost = true;
		self->error = err;
		return false;
	}
	if (rescued)
		session_note(self, NULL,
			"the record was removed while this run wrote to it; all of it was written there again: `autotune header` writes headers that went with it");
	return true;
}

static void end_lane(struct lane *self, const char *ending)
{
	struct at_error err = { 0 };

	if (self->run_id && look_after_record(self->session, false) &&
		at_store_end_run(self->session->store, self->run_id, ending, &err))
		keep_error(self->session, &err);
	self->run_id = 0;
	self->idle = true;
	stop_when_idle(self->session);
}

/* The other devices go on; this one may be dying. Whether it failed. */
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
		advance_lane(self);
}

static void lane_tuned(void *context, const struct at_error *err)
{
	struct lane *self = context;
	struct session *session = self->session;
	struct at_tuning_summary summary;
	struct at_error problem = { 0 };
	bool failed;

	at_tuning_summarize(self->tuning, &summary);
	session->summary->evaluated += summary.evaluated;
	session->summary->reused += summary.reused;
	session->summary->crowned += !err && summary.crowned;
	session->summary->uncrowned += !err && !summary.crowned;
	failed = keep_failure(self, err);
	/* an interrupted one goes on where it was */
	if (!failed && !session->interrupted && !session->is_store_lost &&
		at_deal_done(session->deal, session->space->whole_spec, self->problem,
			&self->infos[0], &problem))
		keep_error(session, &problem);
	self->replay = NULL;
	at_tuning_free(self->tuning); /* and err with it */
	self->tuning = NULL;
	go_on(self, failed);
}

static void lane_revisited(void *context, const struct at_error *err)
{
	struct lane *self = context;
	bool failed = keep_failure(self, err);

	self->replay = NULL;
	at_revisit_free(self->revisiting); /* and err with it */
	self->revisiting = NULL;
	go_on(self, failed);
}

static bool is_selected(const struct session *self, const struct at_problem *problem)
{
	if (self->options->problem_count == 0)
		return true;
	for (size_t i = 0; i < self->options->problem_count; i++)
		if (!strcmp(self->options->problems[i], problem->name))
			return true;
	return false;
}

static void poke(struct lane *self)
{
	if (self->tuning)
		at_tuning_poke(self->tuning);
	else if (self->revisiting)
		at_revisit_poke(self->revisiting);
	else if (self->course)
		at_portfolio_course_poke(self->course);
}

/* ---- recordings ---------------------------------------------------------------- */

static void step_replay(void *context);

static void wake_replay(void *context)
{
	struct lane *self = context;
	struct at_error err = { 0 };

	if (self->is_awake)
		return;
	self->is_awake = true;
	if (at_loop_later(self->session->loop, step_replay, self, &err))
		keep_error(self->session, &err);
}

/* The clock of a recording goes on by its answers, and with each the budget is looked
   after: by the session's own ticks it would be overdrawn by hours. */
static void step_replay(void *context)
{
	struct lane *self = context;
	struct at_evaluator *evaluator = self->replay;

	self->is_awake = false;
	for (int i = 0; i < REPLAY_STEPS; i++) {
		if (!self->replay || self->replay != evaluator ||
			!at_replay_step(evaluator))
			return;
		poke(self);
	}
	wake_replay(self);
}

static enum at_status open_evaluator(struct lane *self,
	const struct at_problem *problem, struct at_evaluator **out,
	struct at_error *err)
{
	struct session *session = self->session;
	const struct at_spec *spec = session->space->spec;
	const struct at_workers_options workers = {
		.loop = session->loop,
		.farm = session->farm,
		.boards = self->boards,
		.infos = self->infos,
		.board_count = self->board_count,
		.spec = spec,
		.whole_spec = session->space->whole_spec,
		.template = &session->space->template,
		.problem = problem,
		.toolchain = self->toolchain_version,
		.wait_seconds = session->options->wait_seconds,
	};
	struct at_replay_options replay = {
		.recording = self->recording,
		/* not the cores of this machine: a replay is the same everywhere */
		.compilers = session->options->jobs ? session->options->jobs : 1,
		.seed = session->options->seed,
		.night = self->night,
		.parameter_count = spec->parameter_count,
		.wake = wake_replay,
		.context = self,
	};
	struct at_search_parameter *parameters;
	enum at_status status;

	if (!self->recording)
		return at_workers_open(&workers, out, err);
	parameters = calloc(spec->parameter_count + 1, sizeof(*parameters));
	if (!parameters)
		return at_fail_memory(err);
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

/* And the record knows what this run tunes the problem from. */
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

static enum at_status begin_problem(
	struct lane *self, const struct at_problem *problem, struct at_error *err)
{
	struct session *session = self->session;
	struct space *space = session->space;
	struct at_tuning_options options = {
		.store = session->store,
		.session = session->options,
		.spec = space->spec,
		.whole_spec = space->whole_spec,
		.problem = problem,
		.objective = &at_objective_time,
		.part = at_deal_part(session->deal, space->whole_spec, problem),
		.device_id = self->device_id,
		.run_id = self->run_id,
		.done = lane_tuned,
		.context = self,
	};
	enum at_status status = open_problem(self, problem, &options.evaluator, err);

	if (status)
		return status;
	if (session->options->revisits) {
		options.done = lane_revisited;
		status = at_revisit_start(&options, &self->revisiting, err);
	} else {
		status = at_tuning_start(&options, &self->tuning, err);
	}
	if (status) {
		self->replay = NULL;
		options.evaluator->ops->close(options.evaluator);
	}
	return status;
}

/* What was recorded on a GPU is replayed wherever. */
static bool is_for(const struct lane *self, const struct at_problem *problem)
{
	return self->recording || at_plan_applies(problem, self->infos[0].kind);
}

/* a problem of this space that is asked for, and is for this device */
static bool is_wanted(const struct lane *self, const struct at_problem *problem)
{
	return is_for(self, problem) && is_selected(self->session, problem);
}

/* and is to be tuned here */
static bool is_ours(const struct lane *self, const struct at_problem *problem)
{
	const struct session *session = self->session;
	const struct at_spec *spec = session->space->whole_spec;

	return is_wanted(self, problem) &&
	       at_deal_part(session->deal, spec, problem).count &&
	       !at_deal_has_done(session->deal, spec, problem, &self->infos[0]);
}

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
	at_portfolio_course_free(self->course); /* and err with it */
	self->course = NULL;
	end_lane(self, failed                       ? "failed"
		       : self->session->interrupted ? "interrupted"
						    : "done");
}

/* the few that serve all problems that this lane has tuned */
static enum at_status begin_course(struct lane *self, struct at_error *err)
{
	struct session *session = self->session;
	const struct at_spec *spec = session->space->spec;
	const struct at_problem **problems =
		calloc(spec->problem_count + 1, sizeof(*problems));
	struct at_portfolio_course_options options = {
		.store = session->store,
		.session = session->options,
		.spec = spec,
		.objective = &at_objective_time,
		.problems = problems,
		.device = &self->infos[0],
		.device_id = self->device_id,
		.run_id = self->run_id,
		.open = open_for_course,
		.done = course_ended,
		.context = self,
	};
	enum at_status status;

	if (!problems)
		return at_fail_memory(err);
	for (size_t i = 0; i < spec->problem_count; i++)
		if (is_wanted(self, &spec->problems[i]))
			problems[options.problem_count++] = &spec->problems[i];
	status = at_portfolio_course_start(&options, &self->course, err);
	free(problems);
	return status;
}

/* the next problem of this space for this device, or the lane's end */
static void advance_lane(struct lane *self)
{
	struct session *session = self->session;
	const struct at_spec *spec = session->space->spec;
	struct at_error err = { 0 };

	while (!session->interrupted && !session->is_store_lost &&
		self->next_problem < spec->problem_count) {
		const struct at_problem *problem =
			&spec->problems[self->next_problem++];

		if (!is_ours(self, problem))
			continue;
		self->problem = problem;
		if (begin_problem(self, problem, &err)) {
			keep_error(session, &err);
			end_lane(self, "failed");
		}
		return;
	}
	if (session->options->wants_portfolio && !session->interrupted &&
		!session->is_store_lost && begin_course(self, &err)) {
		keep_error(session, &err);
		end_lane(self, "failed");
	} else if (!self->course) {
		end_lane(self, session->interrupted ? "interrupted" : "done");
	}
}

static void interrupted(void *context)
{
	struct session *self = context;

	self->interrupted = true;
	self->summary->interrupted = true;
	for (size_t i = 0; i < self->lane_count; i++) {
		if (self->lanes[i].tuning)
			at_tuning_interrupt(self->lanes[i].tuning);
		if (self->lanes[i].revisiting)
			at_revisit_interrupt(self->lanes[i].revisiting);
		if (self->lanes[i].course)
			at_portfolio_course_interrupt(self->lanes[i].course);
	}
	at_loop_stop(self->loop); /* run_lanes() sees whether something is left */
}

/* Nothing that is measured from now on would be kept. */
static void end_without_record(struct session *self)
{
	for (size_t i = 0; i < self->lane_count; i++) {
		if (self->lanes[i].tuning)
			at_tuning_fail(self->lanes[i].tuning, &self->error);
		if (self->lanes[i].revisiting)
			at_revisit_interrupt(self->lanes[i].revisiting);
		if (self->lanes[i].course)
			at_portfolio_course_interrupt(self->lanes[i].course);
	}
}

static void ticked(void *context)
{
	struct session *self = context;

	if (!self->is_store_lost && at_clock_now_ns() - self->looked_ns > LOOK_NS &&
		!look_after_record(self, false))
		end_without_record(self);
	for (size_t i = 0; i < self->lane_count; i++)
		poke(&self->lanes[i]);
	if (self->options->tick)
		self->options->tick(self->options->context);
}

static bool all_idle(const struct session *self)
{
	for (size_t i = 0; i < self->lane_count; i++)
		if (!self->lanes[i].idle)
			return false;
	return true;
}

/* every device has something to do */
static enum at_status check_problems(const struct session *self, struct at_error *err)
{
	const struct at_spec *spec = self->space->spec;

	for (size_t i = 0; i < self->lane_count; i++) {
		size_t some = 0;

		for (size_t j = 0; j < spec->problem_count; j++)
			some += is_for(&self->lanes[i], &spec->problems[j]) &&
				is_selected(self, &spec->problems[j]);
		if (self->lanes[i].recording && some > 1)
			return at_fail(err, AT_EINVAL, spec->path, 0,
				"has %zu problems, and a recording is of one: choose it with --problem",
				some);
		if (!some && self->options->problem_count)
			return at_fail(err, AT_EINVAL, spec->path, 0,
				"the problem that --problem chooses is not for device %s: it has on = \"...\" of another kind",
				self->lanes[i].infos[0].id);
		if (!some)
			return at_fail(err, AT_EINVAL, spec->path, 0,
				"has no problem for device %s; add one, or one with on = \"%s\"",
				self->lanes[i].infos[0].id,
				self->lanes[i].infos[0].kind);
	}
	return AT_OK;
}

/* Where shares are dealt many spaces are others'. */
static bool has_work(const struct lane *self)
{
	const struct at_spec *spec = self->session->space->spec;

	for (size_t i = 0; i < spec->problem_count; i++)
		if (is_ours(self, &spec->problems[i]))
			return true;
	return false;
}

/* All pairs of space and problem that the session is about, whosever they are. */
static enum at_status deal(struct session *self, struct at_error *err)
{
	enum at_status status = AT_OK;
	char text[1200];

	for (size_t i = 0; i < self->space_count; i++) {
		const struct at_spec *spec = self->spaces[i].whole_spec;

		for (size_t j = 0; j < spec->problem_count && !status; j++) {
			const struct at_problem *problem = &spec->problems[j];
			bool wanted = false;

			for (size_t k = 0; k < self->lane_count; k++)
				wanted = wanted || is_for(&self->lanes[k], problem);
			if (wanted && is_selected(self, problem))
				status = at_deal_add(self->deal, spec, problem, err);
		}
	}
	if (!status && at_deal_describe(self->deal, text, sizeof(text)))
		session_note(self, NULL, text);
	return status;
}

static enum at_status run_lanes(struct session *self, struct at_error *err)
{
	const struct at_spec *spec = self->space->spec;
	const char *strategy = self->options->strategy;
	enum at_status status = AT_OK;

	if (!strategy)
		strategy = spec->search.strategy ? spec->search.strategy : "auto";
	if (self->options->revisits)
		strategy = "revisit"; /* what is recorded of the run */
	for (size_t i = 0; i < self->lane_count; i++) {
		struct lane *lane = &self->lanes[i];

		lane->next_problem = 0;
		lane->idle = lane->failed || !has_work(lane);
		if (!lane->idle && !lane->recording)
			status = session_ask_toolchain(self, lane, self->space, err);
		if (!lane->idle && !status)
			status = at_store_begin_run(self->store, lane->device_id,
				spec->name, strategy, self->options->seed, AT_VERSION,
				&lane->run_id, err);
		if (status)
			return status;
	}
	for (size_t i = 0; i < self->lane_count; i++)
		if (!self->lanes[i].idle)
			advance_lane(&self->lanes[i]);
	while (!all_idle(self))
		at_loop_run(self->loop);
	return AT_OK;
}

static void close_lanes(struct session *self)
{
	for (size_t i = 0; i < self->lane_count; i++) {
		struct lane *lane = &self->lanes[i];

		at_tuning_free(lane->tuning);
		at_revisit_free(lane->revisiting);
		at_portfolio_course_free(lane->course);
		for (size_t j = 0; j < lane->board_count; j++)
			at_board_free(lane->boards[j]);
		free(lane->boards);
		free(lane->infos);
		at_recording_free(lane->recording);
	}
	free(self->lanes);
}

enum at_status at_session_run(const struct at_spec *const *spaces, size_t space_count,
	const struct at_session_options *options, struct at_session_summary *summary,
	struct at_error *err)
{
	struct session self = { .options = options, .summary = summary };
	uint64_t start_ns = at_clock_now_ns();
	clock_t start_cpu = clock();
	enum at_status status;

	memset(summary, 0, sizeof(*summary));
	status = session_open_spaces(&self, spaces, space_count, err);
	if (!status)
		status = at_loop_new(options->executable, &self.loop, err);
	if (!status)
		status = at_loop_watch_signals(self.loop, interrupted, &self, err);
	if (!status)
		status = at_deal_open(options, spaces, space_count, &self.deal, err);
	if (!status)
		status = options->share.count
				 ? at_store_open_alone(
					   at_deal_folder(self.deal), &self.store, err)
				 : at_store_open(options->results, &self.store, err);
	for (size_t i = 0; i < space_count && !status; i++)
		status = at_store_take_space(
			self.store, options->results, spaces[i], err);
	if (!status)
		status = session_open_lanes(&self, err);
	if (!status)
		status = deal(&self, err);
	if (!status)
		status = session_warn_of_templates(&self, err);
	if (!status)
		at_loop_tick(self.loop, TICK_MS, ticked, &self);
	for (size_t i = 0;
		i < space_count && !status && !self.interrupted && !self.is_store_lost;
		i++) {
		self.space = &self.spaces[i];
		status = check_problems(&self, err);
		if (!status)
			status = run_lanes(&self, err);
		if (!status && self.error.status) {
			status = self.error.status;
			if (err && !err->status)
				*err = self.error;
		}
	}
	close_lanes(&self);
	/* who writes over a record makes much else fail: this says where all is now */
	if (!look_after_record(&self, true)) {
		status = self.error.status;
		if (err)
			*err = self.error;
	}
	at_farm_free(self.farm);
	at_store_close(self.store);
	at_deal_close(self.deal);
	at_loop_free(self.loop);
	session_close_spaces(&self);
	summary->elapsed_seconds = (double)(at_clock_now_ns() - start_ns) * 1e-9;
	summary->overhead_seconds = (double)(clock() - start_cpu) / CLOCKS_PER_SEC;
	return status;
}
