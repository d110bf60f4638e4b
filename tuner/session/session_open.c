/* Opens what a session needs: its spaces, its record, its devices with a lane for each
   model, its compilers. The lanes are then run by session.c. */
#include "session/session_parts.h"

#include "base/memory.h"
#include "base/quota.h"
#include "evaluator/replay/planted.h"
#include "evaluator/workers/probe.h"
#include "kernel/lint.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void session_note(struct session *self, const struct lane *lane, const char *text)
{
	struct at_event event = {
		.kind = AT_EVENT_NOTE,
		.spec = self->space ? self->space->spec : NULL,
		.objective = &at_objective_time,
		.text = text,
	};

	if (lane)
		event.device = &lane->infos[0];
	if (self->options->listen)
		self->options->listen(self->options->context, &event);
}

/* ---- the record ---------------------------------------------------------------- */

void session_keep_error(struct session *self, const struct at_error *err)
{
	if (!self->error.status)
		self->error = *err;
}

enum at_status session_close_record(
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

enum at_status session_open_spaces(struct session *self,
	const struct at_spec *const *spaces, size_t count, struct at_error *err)
{
	enum at_status status = AT_OK;

	self->spaces = at_calloc(count + 1, sizeof(*self->spaces));
	for (size_t i = 0; i < count && !status; i++) {
		struct space *space = &self->spaces[self->space_count++];

		space->whole_spec = spaces[i];
		status = at_spec_require_kernel(spaces[i], err);
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

	session_note(context, NULL, at_error_format(warning, text, sizeof(text)));
}

static void warn_of_remarks(struct session *self, const struct at_spec *spec)
{
	for (size_t i = 0; i < spec->remark_count; i++) {
		struct at_error warning = { 0 };

		at_fail(&warning, AT_EINVAL, spec->path, spec->remarks[i].line, "%s",
			spec->remarks[i].text);
		warn(self, &warning);
	}
}

enum at_status session_warn_of_templates(struct session *self, struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t boards = 0;

	for (size_t i = 0; i < self->lane_count; i++)
		boards += self->lanes[i].board_count;
	for (size_t i = 0; i < self->space_count && boards; i++)
		warn_of_remarks(self, self->spaces[i].spec);
	for (size_t i = 0; i < self->space_count && boards && !status; i++)
		status = at_lint_check(self->spaces[i].spec, &self->spaces[i].template,
			warn, self, err);
	return status;
}

void session_close_spaces(struct session *self)
{
	for (size_t i = 0; i < self->space_count; i++) {
		at_template_release(&self->spaces[i].template);
		at_spec_free(self->spaces[i].spec);
	}
	free(self->spaces);
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
 * compilers begin while it is opened. Errors are ignored here: session_ask_toolchain()
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

enum at_status session_ask_toolchain(struct session *self, struct lane *lane,
	const struct space *space, struct at_error *err)
{
	const char *name;
	enum at_status status =
		at_plan_toolchain(space->spec, &lane->infos[0], &name, err);

	return status ? status : ask_version(self, name, &lane->toolchain_version, err);
}

enum at_status session_open_lanes(struct session *self, struct at_error *err)
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
		session_note(self, NULL, text);
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
		session_note(self, NULL, text);
	}
	/* Ask for all toolchains now: a missing compiler for the second space should
	   not show up only after hours of tuning the first. */
	for (size_t i = 0; i < self->lane_count; i++)
		for (size_t k = 0; k < self->space_count && !status; k++)
			if (may_have_work(&self->lanes[i], &self->spaces[k]))
				status = session_ask_toolchain(
					self, &self->lanes[i], &self->spaces[k], err);
	free(ids.ids);
	return status;
}
