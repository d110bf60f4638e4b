/*
 * Runs a session (session.h): opens spaces, record, devices with a lane for each model,
 * and compilers. Then runs the spaces in order, each on all lanes side by side in one
 * loop, while it watches signals.
 */
#include "session/session.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/quota.h"
#include "evaluator/replay/planted.h"
#include "evaluator/replay/replay.h"
#include "evaluator/workers/probe.h"
#include "evaluator/workers/workers.h"
#include "kernel/lint.h"
#include "kernel/toolchain.h"
#include "record/results.h"
#include "record/sources.h"
#include "session/allot.h"
#include "session/assignment.h"
#include "session/counters.h"
#include "session/portfolio.h"
#include "session/revisit.h"
#include "session/seeds.h"
#include "session/tuning.h"
#include "space/device_key.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct session;

/* One model of device with all its boards, and the problems tuned on it in order. Lanes
   run side by side and share the compilers. */
struct lane {
	struct session *session;
	struct at_board **boards;
	struct at_device_info *infos; /* one for each board */
	size_t board_count;
	int64_t device_id; /* of the device's row */
	int64_t run_id; /* of this run's row for the space; 0: no run is open */
	/* Version of the device's toolchain for the current space; borrowed from
	   session.versions. */
	const char *toolchain_version;
	/* The recording that replaces boards; NULL: the lane has boards. */
	struct at_recording *recording;
	struct at_replay_night night; /* noise to add to the recording */
	/* The current problem's evaluator, if it replays a recording; owned by the
	   visit. NULL: none. */
	struct at_evaluator *replay;
	bool is_awake; /* step_replay() is queued in the loop */
	struct at_turns turns; /* order of the current space's problems */
	double spent_seconds; /* used so far, of options.total_seconds */
	const struct at_problem *problem; /* current problem */
	struct at_visit *visit; /* of the current problem; NULL: none */
	/* the portfolio being chosen, after the last problem; NULL: none */
	struct at_portfolio_course *course;
	bool idle; /* the lane has finished this space */
	bool failed; /* the device was lost: the lane takes no further space */
};

struct version {
	char toolchain[AT_TOOLCHAIN_NAME_SIZE];
	char text[256];
};

/* more than there are toolchains */
#define VERSIONS_MAX 16

/* One space of the session. */
struct space {
	const struct at_spec *whole_spec; /* as in the file; borrowed */
	struct at_spec *spec; /* a copy, with --set applied */
	struct at_template template;
};

/* The session; it owns all pointers except options and summary. */
struct session {
	const struct at_session_options *options;
	struct at_session_summary *summary;
	struct at_loop *loop;
	struct at_compile_queue *compile_queue;
	struct at_assignment *assignment;
	struct at_store *store;
	struct lane *lanes;
	size_t lane_count;
	struct space *spaces;
	size_t space_count;
	struct space *space; /* the current space; NULL before the first */
	/* Toolchain whose compilers warm up while devices are opened; NULL: none. */
	const char *warm_toolchain;
	struct version versions[VERSIONS_MAX]; /* of each toolchain asked so far */
	size_t version_count;
	struct at_error error; /* the first error; the session ends with it */
	bool interrupted; /* a signal came */
};

/* ---- devices in the record ------------------------------------------------- */

void at_session_record_device(
	const struct at_device_info *info, struct at_record_device *out)
{
	memset(out, 0, sizeof(*out));
	out->kind = at_strdup(info->kind);
	out->model = at_strdup(info->model);
	out->slug = at_device_slug(info->kind, info->model, &info->properties);
	out->architecture = at_strdup(info->architecture);
	out->driver = at_strdup(info->driver);
	out->uuid = at_strdup(info->uuid);
	out->properties = info->properties;
}

bool at_session_shares_results(
	const struct at_device_info *a, const struct at_device_info *b)
{
	char *slug, *other;
	bool is_same;

	if (strcmp(a->kind, b->kind) != 0 ||
		strcmp(a->architecture, b->architecture) != 0 ||
		strcmp(a->driver, b->driver) != 0 ||
		!at_device_is_same(a->kind, &a->properties, &b->properties))
		return false;
	slug = at_device_slug(a->kind, a->model, &a->properties);
	other = at_device_slug(b->kind, b->model, &b->properties);
	is_same = !strcmp(slug, other);
	free(other);
	free(slug);
	return is_same;
}

/* ---- a lane: its problems one after the other, then the portfolio ---------- */

/* A recording answers in microseconds. After this many answers the loop serves other
   lanes, signals and the display. */
#define REPLAY_STEPS 64

/* Stores the error that the session ends with: the first one. */
static void keep_error(struct session *self, const struct at_error *err)
{
	if (!self->error.status)
		self->error = *err;
}

/* Whether --problem names this problem, or no --problem was given. */
static bool selects(const struct session *self, const struct at_problem *problem)
{
	if (self->options->problem_count == 0)
		return true;
	for (size_t i = 0; i < self->options->problem_count; i++)
		if (!strcmp(self->options->problems[i], problem->name))
			return true;
	return false;
}

/* Whether the problem is wanted, and for this lane's device. A recording takes every
   problem, since GPU recordings replay on any machine. */
static bool is_wanted(const struct lane *self, const struct at_problem *problem)
{
	return (self->recording || at_plan_applies(problem, self->infos[0].kind)) &&
	       selects(self->session, problem);
}

/* whether the problem is wanted, in this process's share, and not finished */
static bool is_ours(const struct lane *self, const struct at_problem *problem)
{
	const struct session *session = self->session;
	const struct at_spec *spec = session->space->whole_spec;

	return is_wanted(self, problem) &&
	       at_assignment_part(session->assignment, spec, problem).count &&
	       !at_assignment_has_done(
		       session->assignment, spec, problem, &self->infos[0]);
}

/* Whether this process tunes a problem of the current space in this lane. With --shard
   other processes may have all problems. */
static bool has_work(const struct lane *self)
{
	const struct at_spec *spec = self->session->space->spec;

	for (size_t i = 0; i < spec->problem_count; i++)
		if (is_ours(self, &spec->problems[i]))
			return true;
	return false;
}

/* Number of problems of a space that the session tunes on this device, in all
   shares. */
static size_t count_ours(const struct lane *self, const struct space *space)
{
	size_t count = 0;

	for (size_t i = 0; i < space->spec->problem_count; i++)
		count += is_wanted(self, &space->spec->problems[i]);
	return count;
}

/* Prepares the turns of the current space's problems. AT_EINVAL: --total is too
   short. */
static enum at_status begin_space(struct lane *self, struct at_error *err)
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
	/* Earlier spaces may have used more than their share. Each later problem gets a
	   second at least, since 0 would mean no limit. */
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

/* Whether all lanes have finished the current space. */
static bool is_idle(const struct session *self)
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
	if (is_idle(self->session))
		at_loop_stop(self->session->loop);
}

/* Stores a lane's error for the end of the session; the other lanes go on. True: there
   was one. A lane whose device was lost takes no further space. */
static bool keep_failure(struct lane *self, const struct at_error *err)
{
	if (!err)
		return false;
	keep_error(self->session, err);
	self->failed = err->status == AT_EDEVICE;
	return true;
}

/* Stores a turn's result for the problem's next turn. In the session's summary a second
   turn replaces the first: each problem counts once. */
static void take_turn(struct lane *self)
{
	struct session *session = self->session;
	const struct at_visit *visit = self->visit;
	const double seconds =
		at_budget_elapsed(&visit->budget, at_visit_now_ns(visit));
	size_t index = (size_t)(self->problem - session->space->spec->problems);
	struct at_allot_item *turn = &self->turns.items[index];
	struct at_record_device device;
	struct at_error err = { 0 };

	if (turn->had_first) {
		session->summary->selected -= turn->found_winner;
		session->summary->unselected -= !turn->found_winner;
	}
	session->summary->selected += visit->found_winner;
	session->summary->unselected += !visit->found_winner;
	turn->found_winner = visit->found_winner;
	turn->need = visit->found_winner ? AT_ALLOT_PLAIN : AT_ALLOT_NEW;
	turn->valid = visit->progress.valid_count;
	at_turns_took(&self->turns, index, seconds, visit->was_cut);
	self->spent_seconds += seconds;
	if (turn->is_done || self->turns.seconds == 0)
		return;
	/* no further turn, unless the record says what it may gain */
	turn->is_done = true;
	at_session_record_device(&self->infos[0], &device);
	turn->is_done = at_allot_read(session->store, session->space->spec->name,
				device.slug, self->problem->name, turn, &err) != AT_OK;
	at_record_device_release(&device);
}

static bool may_have_turn(const struct lane *self, const struct at_problem *problem)
{
	const struct at_problem *problems = self->session->space->spec->problems;

	return self->turns.seconds > 0 &&
	       !self->turns.items[problem - problems].is_done;
}

/* A requeued job does not begin a finished problem again. */
static void note_finished(struct lane *self, const struct at_problem *problem)
{
	struct session *session = self->session;
	struct at_error err = { 0 };

	if (at_assignment_done(session->assignment, session->space->whole_spec, problem,
		    &self->infos[0], &err))
		keep_error(session, &err);
}

static void advance(struct lane *self);

static void visit_ended(void *context, const struct at_error *err)
{
	struct lane *self = context;
	struct session *session = self->session;
	const struct at_problem *problems = session->space->spec->problems;
	bool failed = keep_failure(self, err);

	if (self->visit->kind != &at_tuning_kind) {
		/* a revisit has one turn */
		at_turns_took(
			&self->turns, (size_t)(self->problem - problems), 0, false);
	} else {
		session->summary->evaluated += self->visit->progress.evaluated;
		session->summary->reused += self->visit->progress.reused;
		if (!err)
			take_turn(self);
		/* The next run continues an interrupted problem, so it is not finished.
		   If another turn is possible, advance() finishes the problem
		   after the last one. */
		if (!failed && !session->interrupted &&
			!may_have_turn(self, self->problem))
			note_finished(self, self->problem);
	}
	self->replay = NULL;
	at_visit_free(self->visit); /* err belongs to the visit: not used below */
	self->visit = NULL;
	if (failed)
		end_lane(self, "failed");
	else
		advance(self);
}

/* Called a few times a second. */
static void poke(struct lane *self)
{
	if (self->visit)
		at_visit_poke(self->visit);
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

/* Answers of a recording advance its virtual clock, so the budget is checked after each
   answer. Checks at the session's ticks alone would overrun it by hours of virtual
   time. */
static void step_replay(void *context)
{
	struct lane *self = context;
	struct at_evaluator *evaluator = self->replay;

	self->is_awake = false;
	for (int i = 0; i < REPLAY_STEPS; i++) {
		/* poke() may have ended the problem and begun another */
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
		/* independent of this machine's cores, so that a replay is the same
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
		/* all counterexamples of the space, found on any device, from record
		   and result files */
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

/* Opens the evaluator of a problem and records the source of this run. */
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

/* Begins the tuning or revisit of a problem. seconds: of its turn; 0: no limit. */
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
		.objective = space->spec->search.objective,
		.part = at_assignment_part(
			session->assignment, space->whole_spec, problem),
		.device_id = self->device_id,
		.run_id = self->run_id,
		.done = visit_ended,
		.context = self,
	};
	const struct at_visit_kind *kind = session->options->revisits ? &at_revisit_kind
					   : session->options->explained
						   ? &at_explain_kind
						   : &at_tuning_kind;
	enum at_status status = open_problem(self, problem, &visit.evaluator, err);

	if (status)
		return status;
	status = at_visit_start(kind, &visit, &self->visit, err);
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
	/* err belongs to the course: not used below */
	at_portfolio_course_free(self->course);
	self->course = NULL;
	end_lane(self, failed                       ? "failed"
		       : self->session->interrupted ? "interrupted"
						    : "done");
}

/* Begins the portfolio of the lane's tuned problems. */
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
			.objective = spec->search.objective,
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
	/* the course has closed its evaluator */
	if (status)
		self->replay = NULL;
	return status;
}

/* Begins the next problem of the current space, or the portfolio, or ends the lane. */
static void advance(struct lane *self)
{
	struct session *session = self->session;
	const struct at_spec *spec = session->space->spec;
	struct at_error err = { 0 };
	enum at_status status = AT_OK;
	double seconds = 0;
	size_t next;

	if (session->interrupted) {
		end_lane(self, "interrupted");
		return;
	}
	next = at_turns_next(&self->turns, &seconds);
	if (next != AT_ALLOT_NONE) {
		self->problem = &spec->problems[next];
		status = begin_problem(self, self->problem, seconds, &err);
	} else {
		/* problems that waited for another turn get none */
		for (size_t i = 0; i < spec->problem_count; i++)
			if (!session->options->revisits &&
				self->turns.items[i].had_first &&
				may_have_turn(self, &spec->problems[i]))
				note_finished(self, &spec->problems[i]);
		if (session->options->wants_portfolio)
			status = begin_course(self, &err);
	}
	if (status) {
		keep_error(session, &err);
		end_lane(self, "failed");
	} else if (next == AT_ALLOT_NONE && !self->course) {
		end_lane(self, "done");
	}
}

/* ---- the session ----------------------------------------------------------- */

#define TICK_MS 250

static void note(struct session *self, const char *text)
{
	struct at_event event = {
		.kind = AT_EVENT_NOTE,
		.spec = self->space ? self->space->spec : NULL,
		.text = text,
	};

	if (self->options->listen)
		self->options->listen(self->options->context, &event);
}

/* ---- the record ---------------------------------------------------------------- */

/* Closes the record after a run with this status and error. If the record was lost
   during the run, the error is that loss, and says where the results are. A run that
   failed before its first measurement leaves nothing in the results folder. */
static enum at_status close_record(
	struct session *self, enum at_status status, struct at_error *err)
{
	struct at_error lost = { 0 };

	if (self->store && at_store_save_lost(self->store, &lost)) {
		status = lost.status;
		if (err)
			*err = lost;
	}
	if (status && self->store && !self->summary->evaluated)
		at_store_close_failed(self->store);
	else
		at_store_close(self->store);
	self->store = NULL;
	return status;
}

/* ---- spaces -------------------------------------------------------------------- */

/* Opens and checks all spaces before any device or worker starts: an error in the
   second space should not appear only after hours of tuning the first. */
static enum at_status open_spaces(struct session *self,
	const struct at_spec *const *spaces, size_t count, struct at_error *err)
{
	enum at_status status = AT_OK;

	self->spaces = at_calloc(count + 1, sizeof(*self->spaces));
	for (size_t i = 0; i < count && !status; i++) {
		struct space *space = &self->spaces[self->space_count++];

		space->whole_spec = spaces[i];
		status = at_spec_require_kernel(spaces[i], err);
		if (!status && self->options->wants_portfolio &&
			spaces[i]->search.objective->needs_energy)
			status = at_fail(err, AT_EINVAL, spaces[i]->path, 0,
				"a portfolio is chosen by time: the objective \"%s\" has none",
				spaces[i]->search.objective->name);
		if (!status && self->options->seeds)
			status = at_seeds_check(spaces[i], self->options->seeds,
				self->options->seeds_path, err);
		if (!status)
			at_spec_copy(spaces[i], &space->spec);
		for (size_t k = 0; k < self->options->set_count && !status; k++)
			status = at_spec_restrict(
				space->spec, self->options->sets[k], err);
		if (!status)
			status = at_template_load(
				space->spec->template_path, &space->template, err);
		if (!status)
			status =
				at_plan_check_names(space->spec, &space->template, err);
	}
	return status;
}

static void warn(void *context, const struct at_error *warning)
{
	char text[sizeof(warning->file) + sizeof(warning->text) + 32];

	note(context, at_error_format(warning, text, sizeof(text)));
}

/*
 * Notes remarks on space files, and parameters that a template does not read:
 * configurations that differ only in those are the same kernel, but each costs an
 * evaluation. If all lanes are recordings there are no notes: evaluations are free, and
 * the template may not be the recorded one.
 */
static enum at_status warn_of_templates(struct session *self, struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t boards = 0;

	for (size_t i = 0; i < self->lane_count; i++)
		boards += self->lanes[i].board_count;
	for (size_t i = 0; i < self->space_count && boards; i++) {
		const struct at_spec *spec = self->spaces[i].spec;

		for (size_t k = 0; k < spec->remark_count; k++) {
			struct at_error warning = { 0 };

			at_fail(&warning, AT_EINVAL, spec->path, spec->remarks[k].line,
				"%s", spec->remarks[k].text);
			warn(self, &warning);
		}
	}
	for (size_t i = 0; i < self->space_count && boards && !status; i++)
		status = at_lint_check(self->spaces[i].spec, &self->spaces[i].template,
			warn, self, err);
	return status;
}

/* ---- devices ------------------------------------------------------------------- */

/* Begins a model's lane and records the device. */
static enum at_status begin_lane(struct session *self,
	const struct at_device_info *info, struct lane *lane, struct at_error *err)
{
	struct at_record_device device;
	enum at_status status;

	lane->session = self;
	at_session_record_device(info, &device);
	status = at_store_put_device(self->store, &device, &lane->device_id, err);
	at_record_device_release(&device);
	return status;
}

/* Opens a board and adds it to its model's lane: boards of one model share a search. */
static enum at_status open_board(
	struct session *self, const char *id, size_t board_limit, struct at_error *err)
{
	struct at_device_info info;
	struct at_board *board;
	struct lane *lane = NULL;
	enum at_status status;

	at_board_new(self->loop, id, &board);
	status = at_probe_open(self->loop, board, &info, err);
	if (status)
		goto free_board;
	for (size_t i = 0; i < self->lane_count && !lane; i++)
		if (!self->lanes[i].recording &&
			at_session_shares_results(&self->lanes[i].infos[0], &info))
			lane = &self->lanes[i];
	if (!lane) {
		lane = &self->lanes[self->lane_count];
		lane->boards = at_calloc(board_limit, sizeof(struct at_board *));
		lane->infos = at_calloc(board_limit, sizeof(*lane->infos));
		self->lane_count++;
		status = begin_lane(self, &info, lane, err);
		if (status)
			goto free_board;
	}
	lane->infos[lane->board_count] = info;
	lane->boards[lane->board_count++] = board;
	return AT_OK;
free_board:
	at_board_free(board);
	return status;
}

/* Makes the lane of a recording, without boards or devices of this machine. */
static enum at_status open_replay(
	struct session *self, const char *name, struct at_error *err)
{
	struct lane *lane = &self->lanes[self->lane_count++];
	char *file;
	enum at_status status = at_replay_night_split(name, &file, &lane->night, err);

	if (status)
		return status;
	status = at_replay_load(file, &lane->recording, err);
	free(file);
	if (status)
		return status;
	lane->infos = at_calloc(1, sizeof(*lane->infos));
	at_replay_describe(lane->recording, &lane->infos[0]);
	return begin_lane(self, &lane->infos[0], lane, err);
}

/* Default number of compile workers: one for each core, less one core for each GPU's
   measure worker if there are enough. */
static unsigned default_jobs(const struct session *self)
{
	unsigned cores = at_quota_usable_cores(), gpus = 0;

	for (size_t i = 0; i < self->lane_count; i++) {
		const struct lane *lane = &self->lanes[i];

		/* open_board() makes a lane with its first board */
		assert(lane->infos);
		if (!lane->infos[0].shares_cores)
			gpus += (unsigned)lane->board_count;
	}
	return cores > gpus ? cores - gpus : 1;
}

/*
 * Compilers to warm up: one each for the two units that everything waits for, the
 * tuner's own kernels and the reference. Warming up all compilers at once slows them
 * and the opening of the device, since each touches all of its memory for the first
 * time.
 */
#define WARM_COMPILERS 2

static void warm_up(void *context)
{
	struct session *self = context;

	at_compilers_warm(at_compile_queue_compilers(self->compile_queue),
		WARM_COMPILERS, self->warm_toolchain);
}

/* The version of a toolchain, borrowed from self; each toolchain is queried once. */
static enum at_status ask_version(struct session *self, const char *toolchain,
	const char **version, struct at_error *err)
{
	struct version *next = &self->versions[self->version_count];
	enum at_status status;

	for (size_t i = 0; i < self->version_count; i++)
		if (!strcmp(self->versions[i].toolchain, toolchain)) {
			*version = self->versions[i].text;
			return AT_OK;
		}
	assert(self->version_count < VERSIONS_MAX);
	status = at_probe_toolchain(self->loop,
		at_compile_queue_compilers(self->compile_queue), toolchain, next->text,
		sizeof(next->text), err);
	if (status)
		return status;
	snprintf(next->toolchain, sizeof(next->toolchain), "%s", toolchain);
	self->version_count++;
	*version = next->text;
	return AT_OK;
}

/*
 * Opening a device takes a tenth of a second or more, and so does a compiler's first
 * unit. If the device's toolchain is already known, the compilers start while it is
 * opened. Errors are ignored here: ask_toolchain() meets them again, after the device's
 * own errors, which matter more.
 */
static void begin_warm_up(struct session *self, const char *device)
{
	struct at_device_choice choice;
	const char *toolchain, *version;

	if (at_device_resolve(device, &choice, NULL) || !choice.kind->toolchain ||
		!self->space_count ||
		at_toolchain_choose(choice.kind->toolchain,
			self->spaces[0].spec->toolchain, &toolchain, NULL) ||
		ask_version(self, toolchain, &version, NULL))
		return;
	self->warm_toolchain = toolchain;
	/* Queued, so that the device's process, which takes longer, starts first. */
	at_loop_later(self->loop, warm_up, self);
}

/* Whether the lane may compile a problem of the space, in any share. A recording needs
   no toolchain. */
static bool may_have_work(const struct lane *lane, const struct space *space)
{
	for (size_t i = 0; i < space->spec->problem_count && !lane->recording; i++)
		if (at_plan_applies(&space->spec->problems[i], lane->infos[0].kind))
			return true;
	return false;
}

/* Sets lane->toolchain_version to the version for this space and the lane's device. */
static enum at_status ask_toolchain(struct session *self, struct lane *lane,
	const struct space *space, struct at_error *err)
{
	const char *name;
	enum at_status status =
		at_plan_toolchain(space->spec, &lane->infos[0], &name, err);

	return status ? status : ask_version(self, name, &lane->toolchain_version, err);
}

/* Makes a lane for each model of device and each recording, and starts the
   compilers. */
static enum at_status open_lanes(struct session *self, struct at_error *err)
{
	const struct at_session_options *options = self->options;
	struct at_device_ids ids = { 0 };
	char reason[1024], text[1200];
	const char *folder_note;
	unsigned jobs = options->jobs ? options->jobs : at_quota_usable_cores();
	const char **devices = at_calloc(options->device_count + 1, sizeof(*devices));
	size_t device_count = 0, prefix = strlen(AT_REPLAY_PREFIX);
	enum at_status status = AT_OK;

	for (size_t i = 0; i < options->device_count; i++)
		if (strncmp(options->devices[i], AT_REPLAY_PREFIX, prefix) != 0)
			devices[device_count++] = options->devices[i];
	/* without --device, use the machine's devices, but not in addition to
	   recordings */
	if (device_count || !options->device_count)
		status = at_probe_resolve(self->loop, devices, device_count, &ids,
			reason, sizeof(reason), err);
	free((void *)devices);
	/* All shares must tune the same devices, so a share does not use the fallback
	   device. */
	if (!status && options->device_count == 0 && reason[0] && options->share.count)
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s; a share does not choose another device by itself: if %s is meant, give --device %s",
			reason, ids.ids[0], ids.ids[0]);
	if (!status)
		at_assignment_boards(self->assignment, &ids);
	if (!status && options->device_count == 0 && reason[0]) {
		at_probe_tell_fallback(ids.ids[0], reason, text, sizeof(text));
		note(self, text);
	}
	self->lanes =
		at_calloc(ids.count + options->device_count + 1, sizeof(*self->lanes));
	if (!status)
		status = at_compile_queue_new(
			self->loop, jobs, options->fresh, &self->compile_queue, err);
	if (!status && ids.count)
		begin_warm_up(self, ids.ids[0]);
	for (size_t i = 0; i < options->device_count && !status; i++)
		if (!strncmp(options->devices[i], AT_REPLAY_PREFIX, prefix))
			status = open_replay(self, options->devices[i] + prefix, err);
	for (size_t i = 0; i < ids.count && !status; i++)
		status = open_board(self, ids.ids[i], ids.count, err);
	/* the default number of compilers depends on the devices */
	if (!status && !options->jobs)
		at_compilers_limit(at_compile_queue_compilers(self->compile_queue),
			default_jobs(self));
	folder_note = status ? "" : at_compile_queue_note(self->compile_queue);
	if (folder_note[0]) {
		snprintf(text, sizeof(text),
			"compiled kernels are not kept for the next run: %s",
			folder_note);
		note(self, text);
	}
	/* Query all toolchains now: a missing compiler for the second space should not
	   appear only after hours of tuning the first. */
	for (size_t i = 0; i < self->lane_count; i++)
		for (size_t k = 0; k < self->space_count && !status; k++)
			if (may_have_work(&self->lanes[i], &self->spaces[k]))
				status = ask_toolchain(
					self, &self->lanes[i], &self->spaces[k], err);
	free(ids.ids);
	return status;
}

/* ---- running ------------------------------------------------------------------- */

static void interrupted(void *context)
{
	struct session *self = context;

	self->interrupted = true;
	self->summary->interrupted = true;
	for (size_t i = 0; i < self->lane_count; i++) {
		if (self->lanes[i].visit)
			at_visit_interrupt(self->lanes[i].visit);
		if (self->lanes[i].course)
			at_portfolio_course_interrupt(self->lanes[i].course);
	}
	at_loop_stop(self->loop); /* run_lanes() checks for working lanes */
}

static void ticked(void *context)
{
	struct session *self = context;

	for (size_t i = 0; i < self->lane_count; i++)
		poke(&self->lanes[i]);
	if (self->options->tick)
		self->options->tick(self->options->context);
}

/* Each device must have a problem to tune; a recording must have exactly one. */
static enum at_status check_problems(const struct session *self, struct at_error *err)
{
	const struct at_spec *spec = self->space->spec;

	for (size_t i = 0; i < self->lane_count; i++) {
		const size_t some = count_ours(&self->lanes[i], self->space);

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

/* Adds all pairs of space and problem to the assignment, in all shares: each process
   computes all shares. */
static void add_pairs(struct session *self)
{
	char text[1200];

	for (size_t i = 0; i < self->space_count; i++) {
		const struct at_spec *spec = self->spaces[i].whole_spec;

		for (size_t j = 0; j < spec->problem_count; j++) {
			const struct at_problem *problem = &spec->problems[j];
			bool wanted = false;

			for (size_t k = 0; k < self->lane_count; k++)
				wanted = wanted || is_wanted(&self->lanes[k], problem);
			if (wanted)
				at_assignment_add(self->assignment, spec, problem);
		}
	}
	if (at_assignment_describe(self->assignment, text, sizeof(text)))
		note(self, text);
}

static enum at_status run_lanes(struct session *self, struct at_error *err)
{
	const struct at_spec *spec = self->space->spec;
	const char *strategy = self->options->strategy;
	struct at_record_device device;
	enum at_status status = AT_OK;

	if (!strategy)
		strategy = spec->search.strategy ? spec->search.strategy : "auto";
	if (self->options->revisits)
		strategy = "revisit"; /* recorded as the strategy */
	if (self->options->explained)
		strategy = "explain";
	/* All lanes are prepared before the first one begins: is_idle() examines all of
	   them. */
	for (size_t i = 0; i < self->lane_count && !status; i++) {
		struct lane *lane = &self->lanes[i];

		lane->idle = lane->failed || !has_work(lane);
		if (!lane->idle)
			status = begin_space(lane, err);
	}
	for (size_t i = 0; i < self->lane_count && !status; i++) {
		struct lane *lane = &self->lanes[i];

		if (!lane->idle && !lane->recording)
			status = ask_toolchain(self, lane, self->space, err);
		if (lane->idle || status)
			continue;
		/* the device's row may have been forgotten since it was opened */
		at_session_record_device(&lane->infos[0], &device);
		status = at_store_begin_run_on(self->store, &device, spec->name,
			strategy, self->options->seed, AT_VERSION, &lane->device_id,
			&lane->run_id, err);
		at_record_device_release(&device);
	}
	if (status)
		return status;
	for (size_t i = 0; i < self->lane_count; i++)
		if (!self->lanes[i].idle)
			advance(&self->lanes[i]);
	while (!is_idle(self))
		at_loop_run(self->loop);
	return AT_OK;
}

static void close_lanes(struct session *self)
{
	for (size_t i = 0; i < self->lane_count; i++) {
		struct lane *lane = &self->lanes[i];

		at_visit_free(lane->visit);
		at_portfolio_course_free(lane->course);
		for (size_t j = 0; j < lane->board_count; j++)
			at_board_free(lane->boards[j]);
		free(lane->boards);
		free(lane->infos);
		at_turns_release(&lane->turns);
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
	enum at_status status = AT_OK;

	memset(summary, 0, sizeof(*summary));
	status = open_spaces(&self, spaces, space_count, err);
	if (!status)
		status = at_loop_new(options->executable, &self.loop, err);
	if (!status)
		status = at_loop_watch_signals(self.loop, interrupted, &self, err);
	if (!status)
		status = at_assignment_open(
			options, spaces, space_count, &self.assignment, err);
	if (!status)
		status = options->share.count
				 ? at_store_open_alone(
					   at_assignment_folder(self.assignment),
					   &self.store, err)
				 : at_store_open(options->results, &self.store, err);
	for (size_t i = 0; i < space_count && !status; i++)
		status = at_store_take_space(
			self.store, options->results, spaces[i], err);
	if (!status)
		status = open_lanes(&self, err);
	if (!status)
		add_pairs(&self);
	if (!status)
		status = warn_of_templates(&self, err);
	if (!status)
		at_loop_tick(self.loop, TICK_MS, ticked, &self);
	for (size_t i = 0; i < space_count && !status && !self.interrupted; i++) {
		self.space = &self.spaces[i];
		status = check_problems(&self, err);
		if (!status)
			status = run_lanes(&self, err);
		/* an error ended one lane; the others finished */
		if (!status && self.error.status) {
			status = self.error.status;
			if (err && !err->status)
				*err = self.error;
		}
	}
	close_lanes(&self);
	at_compile_queue_free(self.compile_queue);
	status = close_record(&self, status, err);
	at_assignment_close(self.assignment);
	at_loop_free(self.loop);
	for (size_t i = 0; i < self.space_count; i++) {
		at_template_release(&self.spaces[i].template);
		at_spec_free(self.spaces[i].spec);
	}
	free(self.spaces);
	summary->elapsed_seconds = (double)(at_clock_now_ns() - start_ns) * 1e-9;
	summary->overhead_seconds = (double)(clock() - start_cpu) / CLOCKS_PER_SEC;
	return status;
}
