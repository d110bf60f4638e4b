/* autotune explain: reads the hardware counters of winner and baseline, and explains
   the difference in words. */
#include "cli/cli.h"
#include "cli/words.h"
#include "cli/output.h"
#include "cli/tell.h"

#include "device/counters.h"
#include "record/evaluation_json.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

/* The listener's context. */
struct explaining {
	struct at_teller teller;
	bool has_failed;
};

/* ---- text ---------------------------------------------------------------------- */

enum { COUNTER, OWN, BASELINE, COLUMN_COUNT };

static void add_value(
	struct at_page *page, const struct at_json *launch, const char *counter)
{
	const struct at_json *value = at_json_get(launch, counter);
	struct at_strbuf *out = at_page_cell(page);

	if (value)
		at_strbuf_addf(out, "%.6g", at_json_number(value, 0));
	else
		at_strbuf_add_char(out, '-');
}

/* All counters of all launches, by NVIDIA's names, for comparison with other
   profilers. */
static void add_table(struct at_page *page, const char *baseline, const char *counters)
{
	static const struct at_page_column columns[COLUMN_COUNT] = {
		{ "  counter", 75 }, { "configuration", -13 }, { "baseline", -13 }
	};
	struct at_json *own = at_json_embedded(counters);
	struct at_json *base = at_json_embedded(baseline);

	for (size_t i = 0; i < at_json_count(own); i++) {
		const struct at_json *launch = at_json_at(own, i);

		at_page_head(page, columns, AT_COUNT_OF(columns));
		for (int k = 0; k < AT_COUNTER_COUNT; k++) {
			const char *name = at_counter_name((enum at_counter)k);

			at_strbuf_addf(at_page_cell(page), "  %s", name);
			add_value(page, launch, name);
			add_value(page, at_json_at(base, i), name);
			at_page_row_end(page);
		}
	}
	at_json_free(own);
	at_json_free(base);
}

static void show(const struct at_event *event, bool wide)
{
	const char *own = event->evaluation->counters;
	const char *base = event->baseline ? event->baseline->counters : NULL;
	struct at_strbuf text = { 0 }, line = { 0 };
	struct at_page page = at_page_of_stdout(&text);
	struct at_reasons reasons;

	page.wide = wide;
	at_page_title(
		&page, event->spec->name, event->problem->name, event->device->id, "");
	at_configuration_write(&line, event->spec, event->configuration, wide);
	at_page_entry(&page, "explained", &line);
	at_reasons_find(base, own, &reasons);
	if (reasons.count)
		at_reasons_add(&page, base, own);
	else
		at_page_say(&page, "why", "%s",
			base ? "no counter differs enough from the baseline's to be a reason"
			     : "there is no baseline to compare with");
	at_reasons_release(&reasons);
	if (wide)
		add_table(&page, base, own);
	at_print_folded(&text);
}

/* ---- JSON ----------------------------------------------------------------------- */

static void print_json(const struct at_event *event)
{
	const struct at_evaluation *own = event->evaluation;
	const char *base = event->baseline ? event->baseline->counters : NULL;
	struct at_json *object = at_json_object();

	at_json_set(object, "event", "explanation");
	at_json_set(object, "space", event->spec->name);
	at_json_set(object, "problem", event->problem->name);
	at_json_set(object, "device", event->device->id);
	at_json_set(object, "detail", event->text);
	at_json_set(object, "configuration",
		at_json_configuration(event->spec, event->configuration));
	at_reasons_set(object, base, own ? own->counters : NULL);
	at_print_json(object);
}

/* ---- the command --------------------------------------------------------------- */

static void listen(void *context, const struct at_event *event)
{
	struct explaining *self = context;

	if (event->kind == AT_EVENT_COUNTERS) {
		self->has_failed |= !event->evaluation;
		if (self->teller.json)
			print_json(event);
		else if (event->evaluation)
			show(event, self->teller.lanes.wide);
		else
			at_say("autotune: %s, %s: %s", event->spec->name,
				event->problem->name, event->text);
	}
	at_teller_listen(&self->teller, event);
}

static void tick(void *context)
{
	at_teller_tick(&((struct explaining *)context)->teller);
}

static enum at_exit explain(const struct at_cli_arguments *arguments,
	struct at_session_options *options, struct at_error *err)
{
	struct explaining self = {
		.teller = { .json = at_cli_given(arguments, "json"),
			.lanes = { .wide = at_cli_given(arguments, "wide") } },
	};
	struct at_session_summary summary = { 0 };
	struct at_spec *spec;
	const struct at_spec *spaces[1];
	enum at_status status =
		at_cli_load_space(arguments, arguments->operands[0], &spec, err);

	if (status)
		return AT_EXIT_FAILED;
	spaces[0] = spec;
	options->listen = listen;
	options->tick = tick;
	options->context = &self;
	at_teller_begin(&self.teller);
	status = at_session_run(spaces, 1, options, &summary, err);
	at_teller_end(&self.teller);
	at_spec_free(spec);
	if (status == AT_EINTERRUPTED || summary.interrupted)
		return AT_EXIT_INTERRUPTED;
	return status || self.has_failed ? AT_EXIT_FAILED : AT_EXIT_DONE;
}

static enum at_exit run_explain(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct at_session_options options = {
		.results = at_cli_text(arguments, "results", "results"),
		.jobs = (unsigned)at_cli_whole(arguments, "jobs", 0),
		.wait_seconds = at_cli_wait_seconds(arguments),
		.explained = at_cli_text(arguments, "configuration", ""),
	};
	struct at_device_list devices;
	enum at_exit code = AT_EXIT_USAGE;

	if (!at_device_list_read(arguments, &devices, err)) {
		options.devices = devices.names;
		options.device_count = devices.count;
		at_cli_each(arguments, "problem", &options.problems,
			&options.problem_count);
		code = explain(arguments, &options, err);
	}
	at_device_list_release(&devices);
	free((void *)options.problems);
	return code;
}

static const struct at_cli_option options[] = {
	{ "configuration", AT_CLI_TEXT, "PARAMETER=VALUE...",
		.help = "explain the baseline with these values, as in \"TILE_M=8 VECTOR=4\", instead of the recorded winner" },
	{ .name = NULL },
};

const struct at_cli_command at_command_explain = {
	.name = "explain",
	.operands = "SPACE",
	.summary = "say why the winner is fast, by the GPU's hardware counters",
	.details =
		"It launches the recorded winner and the baseline of each problem a few times under the counters of the GPU (CUPTI, a part of the CUDA toolkit), and compares them: sectors a request, bank conflicts, bytes moved, stalls, shares of the ceilings. Each sentence has the figure of the configuration and that of the baseline. The counters are recorded; results and report show the sentences too. tune reads them at its end, if time is left. --wide shows all counters.\n"
		"\n"
		"Counters need rights: if they cannot be read, a line says why and what to do.\n"
		"\n"
		"  autotune explain spaces/transpose.cfg\n"
		"  autotune explain spaces/matmul.cfg --configuration \"TILE_M=8 VECTOR=4\"",
	.options = "device problem configuration results trust wait jobs json wide",
	.own = options,
	.run = run_explain,
};
