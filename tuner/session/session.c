/* Runs a session (session.h): one space after the other, and for each space all
   lanes (session_lane.c) side by side on one loop. Watches signals meanwhile. */
#include "session/session_parts.h"

#include "base/clock.h"
#include "record/sources.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TICK_MS 250

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
		session_note(self, NULL, text);
}

/* The device was recorded when it was opened, but that may have been forgotten since.
 */
static enum at_status begin_run(
	struct lane *lane, const char *strategy, struct at_error *err)
{
	const struct session *self = lane->session;
	struct at_record_device device;
	enum at_status status = AT_OK;

	at_session_record_device(&lane->infos[0], &device);

	status = at_store_begin_run_on(self->store, &device, self->space->spec->name,
		strategy, self->options->seed, AT_VERSION, &lane->device_id,
		&lane->run_id, err);
	at_record_device_release(&device);
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
		strategy = "revisit"; /* recorded as the run's strategy */
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
			status = session_ask_toolchain(self, lane, self->space, err);
		if (!lane->idle && !status)
			status = begin_run(lane, strategy, err);
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
	status = session_open_spaces(&self, spaces, space_count, err);
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
		status = session_open_lanes(&self, err);
	if (!status)
		add_pairs(&self);
	if (!status)
		status = session_warn_of_templates(&self, err);
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
	status = session_close_record(&self, status, err);
	at_assignment_close(self.assignment);
	at_loop_free(self.loop);
	session_close_spaces(&self);
	summary->elapsed_seconds = (double)(at_clock_now_ns() - start_ns) * 1e-9;
	summary->overhead_seconds = (double)(clock() - start_cpu) / CLOCKS_PER_SEC;
	return status;
}
