/* Runs a session (session.h): opens its spaces, its record, its devices with a lane for
   each model, and its compilers. Then runs one space after the other, and for each
   space all lanes (session_lane.c) side by side on one loop. Watches signals meanwhile.
 */
#include "session/session_parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/quota.h"
#include "evaluator/replay/planted.h"
#include "evaluator/workers/probe.h"
#include "kernel/lint.h"
#include "record/sources.h"
#include "session/seeds.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TICK_MS 250

static void note(struct session *self, const char *text)
{
	struct at_event event = {
		.kind = AT_EVENT_NOTE,
		.spec = self->space ? self->space->spec : NULL,
		.objective = &at_objective_time,
		.text = text,
	};

	if (self->options->listen)
		self->options->listen(self->options->context, &event);
}

/* ---- the record ---------------------------------------------------------------- */

/*
 * Closes the record, after a run with this status and error. If the record was lost
 * under the run, this is the error instead: it says where the results are now. If the
 * run failed before it measured anything, it leaves nothing in the folder of results.
 */
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

/*
 * Opens and checks all spaces, before any device or worker is started: an error in the
 * second space should not show up only after hours of tuning the first.
 */
static enum at_status open_spaces(struct session *self,
	const struct at_spec *const *spaces, size_t count, struct at_error *err)
{
	enum at_status status = AT_OK;

	self->spaces = at_calloc(count + 1, sizeof(*self->spaces));
	for (size_t i = 0; i < count && !status; i++) {
		struct space *space = &self->spaces[self->space_count++];

		space->whole_spec = spaces[i];
		status = at_spec_require_kernel(spaces[i], err);
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
 * Notes remarks on the space files and parameters that a template does not read:
 * configurations that differ only in those are one kernel, and each still costs an
 * evaluation. Where all lanes are recordings there are no notes: evaluations cost
 * nothing there, and the template need not be the recorded one.
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

static struct lane *find_lane(struct session *self, const struct at_device_info *info)
{
	for (size_t i = 0; i < self->lane_count; i++)
		if (!self->lanes[i].recording &&
			at_session_shares_results(&self->lanes[i].infos[0], info))
			return &self->lanes[i];
	return NULL;
}

/* Begins the lane of a model with its first board, and records the device. */
static enum at_status begin_lane(struct session *self,
	const struct at_device_info *info, struct lane *lane, struct at_error *err)
{
	struct at_record_device device;
	enum at_status status = AT_OK;

	at_session_record_device(info, &device);

	lane->session = self;
	status = at_store_put_device(self->store, &device, &lane->device_id, err);
	at_record_device_release(&device);
	return status;
}

/* Opens a board and adds it to the lane of its model: boards of one model share one
   search. */
static enum at_status open_board(
	struct session *self, const char *id, size_t board_limit, struct at_error *err)
{
	struct at_device_info info;
	struct at_board *board;
	struct lane *lane;
	enum at_status status = AT_OK;
	at_board_new(self->loop, id, &board);

	status = at_probe_open(self->loop, board, &info, err);
	if (status)
		goto free_board;
	lane = find_lane(self, &info);
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

/* Makes the lane of a recording. It has no boards and uses no device of this
   machine. */
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

/* Compile workers if --jobs does not say: one for each core, but one core is left to
   each GPU's measure worker where there are enough. */
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
 * Number of compilers to warm up: one each for the two units that everything waits for,
 * the tuner's own kernels and the reference. Warming up all compilers at once slows
 * them and the opening of the device down, since each touches all of its memory for the
 * first time.
 */
#define WARM_COMPILERS 2

static void warm_up(void *context)
{
	struct session *self = context;

	at_compilers_warm(at_compile_queue_compilers(self->compile_queue),
		WARM_COMPILERS, self->warm_toolchain);
}

/* The version of a toolchain, borrowed from self; each toolchain is asked only once. */
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
 * unit. Where it is already known which toolchain compiles for the device, the
 * compilers begin while it is opened. Errors are ignored here: ask_toolchain()
 * meets them again, after the device's own errors, which matter more.
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
	/* Queued in the loop so that the device's process, which takes longer, is
	   started first. */
	at_loop_later(self->loop, warm_up, self);
}

/* Whether the lane may compile a problem of the space, here or in another share. A
   recording needs no toolchain. */
static bool may_have_work(const struct lane *lane, const struct space *space)
{
	for (size_t i = 0; i < space->spec->problem_count && !lane->recording; i++)
		if (at_plan_applies(&space->spec->problems[i], lane->infos[0].kind))
			return true;
	return false;
}

/* Sets lane->toolchain_version to the version of the toolchain that compiles this space
   for the lane's device. */
static enum at_status ask_toolchain(struct session *self, struct lane *lane,
	const struct space *space, struct at_error *err)
{
	const char *name;
	enum at_status status =
		at_plan_toolchain(space->spec, &lane->infos[0], &name, err);

	return status ? status : ask_version(self, name, &lane->toolchain_version, err);
}

/* Makes a lane for each model of device and for each recording, and starts the
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
	/* without --device the machine's devices are looked for, but not beside
	   recordings */
	if (device_count || !options->device_count)
		status = at_probe_resolve(self->loop, devices, device_count, &ids,
			reason, sizeof(reason), err);
	free((void *)devices);
	/* All shares must tune the same devices, so a share does not fall back to
	   another device. */
	if (!status && options->device_count == 0 && reason[0] && options->share.count)
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"%s; a share does not choose another device by itself: if %s is meant, give --device %s",
			reason, ids.ids[0], ids.ids[0]);
	if (!status)
		at_assignment_boards(self->assignment, &ids);
	if (!status && options->device_count == 0 && reason[0]) {
		snprintf(text, sizeof(text), AT_PROBE_FALLBACK, ids.ids[0], reason);
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
	/* the number of compilers depends on the devices, which are known only now */
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
	/* Ask for all toolchains now: a missing compiler for the second space should
	   not show up only after hours of tuning the first. */
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
		if (self->lanes[i].tuning)
			at_tuning_interrupt(self->lanes[i].tuning);
		if (self->lanes[i].revisiting)
			at_revisit_interrupt(self->lanes[i].revisiting);
		if (self->lanes[i].explaining)
			at_explain_interrupt(self->lanes[i].explaining);
		if (self->lanes[i].course)
			at_portfolio_course_interrupt(self->lanes[i].course);
	}
	at_loop_stop(self->loop); /* run_lanes() checks whether any lane still works */
}

static void ticked(void *context)
{
	struct session *self = context;

	for (size_t i = 0; i < self->lane_count; i++)
		lane_poke(&self->lanes[i]);
	if (self->options->tick)
		self->options->tick(self->options->context);
}

/* Each device must have a problem to tune, and a recording only one. */
static enum at_status check_problems(const struct session *self, struct at_error *err)
{
	const struct at_spec *spec = self->space->spec;

	for (size_t i = 0; i < self->lane_count; i++) {
		size_t some = 0;

		for (size_t j = 0; j < spec->problem_count; j++)
			some += lane_is_for(&self->lanes[i], &spec->problems[j]) &&
				session_selects(self, &spec->problems[j]);
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

/* Adds all pairs of space and problem of this session to the assignment, including
   those that other processes tune: each process works out the shares of all. */
static void add_pairs(struct session *self)
{
	char text[1200];

	for (size_t i = 0; i < self->space_count; i++) {
		const struct at_spec *spec = self->spaces[i].whole_spec;

		for (size_t j = 0; j < spec->problem_count; j++) {
			const struct at_problem *problem = &spec->problems[j];
			bool wanted = false;

			for (size_t k = 0; k < self->lane_count; k++)
				wanted =
					wanted || lane_is_for(&self->lanes[k], problem);
			if (wanted && session_selects(self, problem))
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
		strategy = "revisit"; /* recorded as the run's strategy */
	if (self->options->explained)
		strategy = "explain";
	/* All lanes are prepared before the first one begins: session_is_idle() looks
	   at all of them. */
	for (size_t i = 0; i < self->lane_count && !status; i++) {
		struct lane *lane = &self->lanes[i];

		lane->idle = lane->failed || !lane_has_work(lane);
		if (!lane->idle)
			status = lane_begin_space(lane, err);
	}
	for (size_t i = 0; i < self->lane_count && !status; i++) {
		struct lane *lane = &self->lanes[i];

		if (!lane->idle && !lane->recording)
			status = ask_toolchain(self, lane, self->space, err);
		if (lane->idle || status)
			continue;
		/* the device was recorded when it was opened, but that may have been
		   forgotten since */
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
			lane_advance(&self->lanes[i]);
	while (!session_is_idle(self))
		at_loop_run(self->loop);
	return AT_OK;
}

static void close_lanes(struct session *self)
{
	for (size_t i = 0; i < self->lane_count; i++) {
		struct lane *lane = &self->lanes[i];

		at_tuning_free(lane->tuning);
		at_revisit_free(lane->revisiting);
		at_explain_free(lane->explaining);
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
		/* an error that ended a lane; the others went on to their end */
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
