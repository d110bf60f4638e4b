/* autotune tune: a session, told on a terminal, in lines, or as JSON. */
#include "cli/cli.h"
#include "cli/events.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/summary.h"

#include "base/clock.h"
#include "device/device.h"
#include "session/session.h"

#include <stdlib.h>
#include <unistd.h>

struct tune {
	bool json;
	bool quiet;
	bool color; /* of the summaries */
	struct at_lanes lanes;
	struct at_progress_display display;
};

/* also the session's tick */
static void draw(void *context)
{
	struct tune *self = context;

	if (!self->quiet)
		at_progress_draw(&self->display, &self->lanes, at_clock_now_ns());
}

/* A note may be about a problem on a device, or about the whole run. */
static void tell_note(const struct tune *self, const struct at_event *event,
	const struct at_lane *lane)
{
	if (self->quiet || !event->text)
		return;
	if (lane && event->problem)
		at_say("%s: %s", lane->label, event->text);
	else
		at_say("autotune: %s", event->text);
}

static void listen(void *context, const struct at_event *event)
{
	struct tune *self = context;
	struct at_json *object = self->json ? at_event_to_json(event) : NULL;
	struct at_strbuf text = { 0 };
	struct at_lane *lane;

	if (object)
		at_print_json(object);
	if (!event->problem) {
		tell_note(self, event, NULL);
		return;
	}
	lane = at_lanes_find(&self->lanes, event);
	if (!lane)
		return; /* out of memory: the record has it, the display does not */
	at_lane_update(lane, event, at_clock_now_ns());
	switch (event->kind) {
	case AT_EVENT_INCUMBENT:
		/* where there is a display it shows it */
		if (!self->quiet && !self->display.redraws) {
			at_progress_write_incumbent(lane, &text);
			at_say_block(&text);
		}
		break;
	case AT_EVENT_NOTE:
		tell_note(self, event, lane);
		break;
	case AT_EVENT_SUMMARY:
		if (!self->quiet && !self->json) {
			at_summary_write(event, lane, self->color, &text);
			at_print(&text);
		}
		at_lanes_remove(&self->lanes, lane);
		break;
	case AT_EVENT_NONE:
	case AT_EVENT_BEGIN:
	case AT_EVENT_EVALUATION:
	case AT_EVENT_PHASE:
	case AT_EVENT_STATE:
		break;
	}
	at_strbuf_release(&text);
	draw(self);
}

static enum at_exit exit_code(
	enum at_status status, const struct at_session_summary *summary)
{
	if (status == AT_EINTERRUPTED || summary->interrupted)
		return AT_EXIT_INTERRUPTED;
	if (status)
		return AT_EXIT_FAILED;
	return summary->uncrowned ? AT_EXIT_NO_WINNER : AT_EXIT_DONE;
}

/* the last line of --json: the run as a whole */
static void tell_session(const struct at_session_summary *summary)
{
	struct at_json *object = at_json_object();
	uint64_t fresh = summary->evaluated - summary->reused;

	at_json_set(object, "event", at_json_string("session"));
	at_json_set(object, "evaluated", at_json_integer((int64_t)summary->evaluated));
	at_json_set(object, "reused", at_json_integer((int64_t)summary->reused));
	at_json_set(object, "crowned", at_json_integer(summary->crowned));
	at_json_set(object, "uncrowned", at_json_integer(summary->uncrowned));
	at_json_set(object, "interrupted", at_json_boolean(summary->interrupted));
	at_json_set(object, "seconds", at_json_real(summary->elapsed_seconds));
	/* the coordinator's own processor time: neither compiling nor measuring */
	at_json_set(
		object, "overhead_seconds", at_json_real(summary->overhead_seconds));
	at_json_set(object, "overhead_seconds_per_evaluation",
		fresh ? at_json_real(summary->overhead_seconds / (double)fresh)
		      : at_json_null());
	at_print_json(object);
}

static enum at_exit run_session(const struct at_cli_arguments *arguments,
	const struct at_spec *const *spaces, struct at_session_options *options,
	struct at_error *err)
{
	struct at_session_summary summary = { 0 };
	enum at_status status;
	struct tune tune = {
		.json = at_cli_given(arguments, &at_option_json),
		.quiet = at_cli_given(arguments, &at_option_quiet),
		.color = at_output_has_color(STDOUT_FILENO),
	};

	options->listen = listen;
	options->tick = draw;
	options->context = &tune;
	at_progress_begin(&tune.display);
	status = at_session_run(
		spaces, arguments->operand_count, options, &summary, err);
	at_progress_end(&tune.display);
	at_lanes_release(&tune.lanes);
	if (tune.json && (!status || status == AT_EINTERRUPTED))
		tell_session(&summary);
	return exit_code(status, &summary);
}

/* Reads them all once, then tunes. */
static enum at_exit tune_spaces(const struct at_cli_arguments *arguments,
	struct at_session_options *options, struct at_error *err)
{
	size_t count = arguments->operand_count;
	struct at_spec **spaces = calloc(count + 1, sizeof(*spaces));
	enum at_exit code = AT_EXIT_FAILED;
	enum at_status status = spaces ? AT_OK : at_fail_memory(err);

	for (size_t i = 0; i < count && !status; i++)
		status = at_cli_load_space(
			arguments, arguments->operands[i], &spaces[i], err);
	if (!status)
		code = run_session(
			arguments, (const struct at_spec *const *)spaces, options, err);
	for (size_t i = 0; spaces && i < count; i++)
		at_spec_free(spaces[i]);
	free(spaces);
	return code;
}

static enum at_exit run_tune(const struct at_cli_arguments *arguments)
{
	enum at_exit code = AT_EXIT_FAILED;
	struct at_device_choice choice;
	struct at_error err = { 0 };
	struct at_session_options options = {
		.results = at_cli_text(arguments, &at_option_results, "results"),
		.strategy = at_cli_text(arguments, &at_option_strategy, NULL),
		.budget = at_cli_text(arguments, &at_option_budget, NULL),
		.seed = (uint64_t)at_cli_whole(arguments, &at_option_seed, 0),
		.jobs = (unsigned)at_cli_whole(arguments, &at_option_jobs, 0),
		.fresh = at_cli_given(arguments, &at_option_fresh),
	};
	enum at_status status;

	status = at_cli_each(arguments, &at_option_device, &options.devices,
		&options.device_count, &err);
	if (!status)
		status = at_cli_each(arguments, &at_option_problem, &options.problems,
			&options.problem_count, &err);
	if (!status)
		status = at_cli_each(arguments, &at_option_set, &options.sets,
			&options.set_count, &err);
	for (size_t i = 0; i < options.device_count && !status; i++) {
		status = at_device_resolve(options.devices[i], &choice, &err);
		if (status)
			code = AT_EXIT_USAGE;
	}
	if (!status)
		code = tune_spaces(arguments, &options, &err);
	if (code == AT_EXIT_INTERRUPTED)
		at_say("autotune: interrupted: what was measured is recorded, and the next run goes on from there");
	else if (err.status)
		at_say_error(&err);
	free((void *)options.devices);
	free((void *)options.problems);
	free((void *)options.sets);
	return code;
}

static const struct at_cli_option *const options[] = {
	&at_option_device,
	&at_option_budget,
	&at_option_strategy,
	&at_option_problem,
	&at_option_set,
	&at_option_results,
	&at_option_fresh,
	&at_option_jobs,
	&at_option_seed,
	&at_option_json,
	&at_option_quiet,
	NULL,
};

const struct at_cli_command at_command_tune = {
	.name = "tune",
	.operands = "SPACE...",
	.summary = "find the fastest correct configuration; the word may be left out",
	.details =
		"Every evaluation is recorded as soon as it is known, and is not measured again while all that decides its time is the same: a run that was stopped goes on where it was. The winner of each problem goes into a result file and a C header for the device.\n"
		"\n"
		"  autotune spaces/matmul.cfg\n"
		"  autotune spaces/matmul.cfg --device cuda:0 --budget 10m\n"
		"  autotune spaces/matmul.cfg --set TILE_M=4,8 --problem square_4096 --json",
	.operands_minimum = 1,
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_tune,
};
