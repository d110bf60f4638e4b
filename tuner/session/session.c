#include "session/session.h"
#include "base/clock.h"
#include "base/text.h"
#include "evaluator/workers/probe.h"
#include "session/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TICK_MS 250

struct session;

/* One device and what is tuned on it, one problem after the other. */
struct lane {
	struct session *session;
	struct at_remote *remote;
	struct at_device_info info;
	int64_t device_id;
	int64_t run_id;
	char toolchain_version[256];
	size_t next_problem;
	struct at_tuning *tuning;
	bool idle; /* nothing more to do for this space */
	bool failed; /* the device cannot be used any more */
};

struct session {
	const struct at_session_options *options;
	struct at_session_summary *summary;
	struct at_loop *loop;
	struct at_compilers *compilers;
	struct at_store *store;
	struct lane *lanes;
	size_t lane_count;
	struct at_spec *spec; /* with --set applied */
	struct at_spec *whole_spec; /* without */
	struct at_template template;
	struct at_error error; /* the first */
	bool interrupted;
};

static void advance_lane(struct lane *self);

static void note(struct session *self, const struct lane *lane, const char *text)
{
	struct at_event event = {
		.kind = AT_EVENT_NOTE, .spec = self->spec, .text = text
	};

	if (lane)
		event.device = &lane->info;
	if (self->options->listen)
		self->options->listen(self->options->context, &event);
}

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

static void end_lane(struct lane *self, const char *ending)
{
	struct at_error err = { 0 };

	if (self->run_id &&
		at_store_end_run(self->session->store, self->run_id, ending, &err))
		keep_error(self->session, &err);
	self->run_id = 0;
	self->idle = true;
	stop_when_idle(self->session);
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
	session->summary->crowned += !err && summary.crowned;
	session->summary->uncrowned += !err && !summary.crowned;
	if (err) {
		/* the other devices go on; this one may be dying */
		keep_error(session, err);
		self->failed = err->status == AT_EDEVICE;
	}
	failed = err != NULL;
	at_tuning_free(self->tuning); /* and err with it */
	self->tuning = NULL;
	if (failed)
		end_lane(self, "failed");
	else
		advance_lane(self);
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

static bool is_for(const struct at_problem *problem, const struct at_device_info *info)
{
	return !problem->on || !strcmp(problem->on, info->kind);
}

/* the next problem of this space for this device, or the lane's end */
static void advance_lane(struct lane *self)
{
	struct session *session = self->session;
	struct at_error err = { 0 };

	while (!session->interrupted &&
		self->next_problem < session->spec->problem_count) {
		const struct at_problem *problem =
			&session->spec->problems[self->next_problem++];
		struct at_tuning_options options = {
			.loop = session->loop,
			.compilers = session->compilers,
			.remote = self->remote,
			.store = session->store,
			.session = session->options,
			.spec = session->spec,
			.whole_spec = session->whole_spec,
			.template = &session->template,
			.problem = problem,
			.device = &self->info,
			.device_id = self->device_id,
			.run_id = self->run_id,
			.toolchain_version = self->toolchain_version,
			.done = lane_tuned,
			.context = self,
		};

		if (!is_for(problem, &self->info) || !is_selected(session, problem))
			continue;
		if (at_tuning_start(&options, &self->tuning, &err)) {
			keep_error(session, &err);
			end_lane(self, "failed");
		}
		return;
	}
	end_lane(self, session->interrupted ? "interrupted" : "done");
}

static void interrupted(void *context)
{
	struct session *self = context;

	self->interrupted = true;
	self->summary->interrupted = true;
	for (size_t i = 0; i < self->lane_count; i++)
		if (self->lanes[i].tuning)
			at_tuning_interrupt(self->lanes[i].tuning);
	at_loop_stop(self->loop); /* run_lanes() sees whether something is left */
}

static void ticked(void *context)
{
	struct session *self = context;

	for (size_t i = 0; i < self->lane_count; i++)
		if (self->lanes[i].tuning)
			at_tuning_poke(self->lanes[i].tuning);
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

enum at_status at_session_record_device(const struct at_device_info *info,
	struct at_record_device *out, struct at_error *err)
{
	memset(out, 0, sizeof(*out));
	out->kind = at_strdup(info->kind);
	out->model = at_strdup(info->model);
	out->slug = at_text_slug(info->model);
	out->architecture = at_strdup(info->architecture);
	out->driver = at_strdup(info->driver);
	out->uuid = at_strdup(info->uuid);
	out->property_names = calloc(AT_PROPERTY_COUNT, sizeof(*out->property_names));
	out->property_values = calloc(AT_PROPERTY_COUNT, sizeof(*out->property_values));
	if (!out->kind || !out->model || !out->slug || !out->architecture ||
		!out->driver || !out->uuid || !out->property_names ||
		!out->property_values) {
		at_record_device_release(out);
		return at_fail_memory(err);
	}
	for (int i = 0; i < AT_PROPERTY_COUNT; i++) {
		if (!info->properties.known[i])
			continue;
		out->property_names[out->property_count] =
			at_property_name((enum at_property)i);
		out->property_values[out->property_count++] = info->properties.value[i];
	}
	return AT_OK;
}

static enum at_status open_lane(
	struct session *self, const char *id, struct at_error *err)
{
	struct lane *lane = &self->lanes[self->lane_count];
	struct at_record_device device;
	enum at_status status;

	lane->session = self;
	status = at_remote_new(self->loop, id, &lane->remote, err);
	if (status)
		return status;
	self->lane_count++;
	status = at_probe_open(self->loop, lane->remote, &lane->info, err);
	if (!status)
		status = at_session_record_device(&lane->info, &device, err);
	if (status)
		return status;
	status = at_store_put_device(self->store, &device, &lane->device_id, err);
	at_record_device_release(&device);
	return status;
}

/* one core is left to each GPU's own process where there are enough */
static unsigned default_jobs(const struct session *self)
{
	unsigned cores = at_loop_cores(), gpus = 0;

	for (size_t i = 0; i < self->lane_count; i++)
		gpus += !self->lanes[i].info.shares_cores;
	return cores > gpus ? cores - gpus : 1;
}

static enum at_status open_lanes(struct session *self, struct at_error *err)
{
	const struct at_session_options *options = self->options;
	struct at_device_ids ids = { 0 };
	char reason[1024], text[1200];
	enum at_status status;

	status = at_probe_resolve(self->loop, options->devices, options->device_count,
		&ids, reason, sizeof(reason), err);
	if (!status && options->device_count == 0 && reason[0]) {
		snprintf(text, sizeof(text), "tuning on device \"%s\": %s", ids.ids[0],
			reason);
		note(self, NULL, text);
	}
	self->lanes = calloc(ids.count + 1, sizeof(*self->lanes));
	if (!self->lanes)
		status = at_fail_memory(err);
	for (size_t i = 0; i < ids.count && !status; i++)
		status = open_lane(self, ids.ids[i], err);
	/* after the devices: they decide how many compilers there should be */
	if (!status)
		status = at_compilers_new(self->loop,
			options->jobs ? options->jobs : default_jobs(self),
			&self->compilers, err);
	for (size_t i = 0; i < self->lane_count && !status; i++)
		status = at_probe_toolchain(self->loop, self->compilers,
			self->lanes[i].info.toolchain, self->lanes[i].toolchain_version,
			sizeof(self->lanes[i].toolchain_version), err);
	free(ids.ids);
	return status;
}

static enum at_status check_problems(const struct session *self, struct at_error *err)
{
	const struct at_spec *spec = self->spec;
	const char *nearest = NULL;

	for (size_t i = 0; i < self->options->problem_count; i++) {
		const char *name = self->options->problems[i];

		if (!at_spec_find_problem(spec, name, &nearest))
			return at_fail(err, AT_ENOENT, spec->path, 0,
				"has no problem \"%s\"%s%s%s", name,
				nearest ? "; did you mean \"" : "",
				nearest ? nearest : "", nearest ? "\"?" : "");
	}
	for (size_t i = 0; i < self->lane_count; i++) {
		bool some = false;

		for (size_t j = 0; j < spec->problem_count; j++)
			some = some ||
			       (is_for(&spec->problems[j], &self->lanes[i].info) &&
				       is_selected(self, &spec->problems[j]));
		if (!some)
			return at_fail(err, AT_EINVAL, spec->path, 0,
				"has no problem for device %s; add one, or one with on = \"%s\"",
				self->lanes[i].info.id, self->lanes[i].info.kind);
	}
	return AT_OK;
}

static enum at_status load_space(
	struct session *self, const char *path, struct at_error *err)
{
	enum at_status status = at_spec_load(path, &self->spec, err);

	if (!status)
		status = at_spec_load(path, &self->whole_spec, err);
	if (!status)
		status = at_spec_require_kernel(self->spec, err);
	for (size_t i = 0; i < self->options->set_count && !status; i++)
		status = at_spec_restrict(self->spec, self->options->sets[i], err);
	if (!status)
		status = at_template_load(
			self->spec->template_path, &self->template, err);
	if (!status)
		status = check_problems(self, err);
	return status;
}

static void unload_space(struct session *self)
{
	at_template_release(&self->template);
	memset(&self->template, 0, sizeof(self->template));
	at_spec_free(self->spec);
	at_spec_free(self->whole_spec);
	self->spec = self->whole_spec = NULL;
}

static enum at_status run_lanes(struct session *self, struct at_error *err)
{
	const char *strategy = self->options->strategy;

	if (!strategy)
		strategy = self->spec->search.strategy ? self->spec->search.strategy
						       : "auto";
	for (size_t i = 0; i < self->lane_count; i++) {
		struct lane *lane = &self->lanes[i];

		lane->next_problem = 0;
		lane->idle = lane->failed;
		if (!lane->failed &&
			at_store_begin_run(self->store, lane->device_id,
				self->spec->name, strategy, self->options->seed,
				AT_VERSION, &lane->run_id, err))
			return AT_EIO;
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
		at_tuning_free(self->lanes[i].tuning);
		at_remote_free(self->lanes[i].remote);
	}
	free(self->lanes);
}

enum at_status at_session_run(const char *const *space_paths, size_t space_count,
	const struct at_session_options *options, struct at_session_summary *summary,
	struct at_error *err)
{
	struct session self = { .options = options, .summary = summary };
	uint64_t start_ns = at_clock_now_ns();
	clock_t start_cpu = clock();
	enum at_status status;

	memset(summary, 0, sizeof(*summary));
	status = at_loop_new(options->executable, &self.loop, err);
	if (status)
		return status;
	status = at_loop_watch_signals(self.loop, interrupted, &self, err);
	if (!status)
		status = at_store_open(options->results, &self.store, err);
	if (!status)
		status = open_lanes(&self, err);
	if (!status)
		at_loop_tick(self.loop, TICK_MS, ticked, &self);
	for (size_t i = 0; i < space_count && !status && !self.interrupted; i++) {
		status = load_space(&self, space_paths[i], err);
		if (!status)
			status = run_lanes(&self, err);
		if (!status && self.error.status) {
			status = self.error.status;
			if (err && !err->status)
				*err = self.error;
		}
		unload_space(&self);
	}
	close_lanes(&self);
	at_compilers_free(self.compilers);
	at_store_close(self.store);
	at_loop_free(self.loop);
	summary->elapsed_seconds = (double)(at_clock_now_ns() - start_ns) * 1e-9;
	summary->overhead_seconds = (double)(clock() - start_cpu) / CLOCKS_PER_SEC;
	return status;
}
