/* The list of commands, and the dispatch from main(), after a check of the environment
   variables. Code that reads a variable ignores an invalid value. */
#include "cli/cli.h"

#include "cli/help.h"
#include "cli/output.h"

#include "base/sandbox.h"
#include "base/scratch.h"
#include "base/text.h"
#include "evaluator/workers/process.h"
#include "evaluator/workers/signals.h"
#include "record/claims.h"
#include "record/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the environment ----------------------------------------------------------- */

extern char **environ;

enum { OURS_MAX = 32 };

#define PREFIX "AUTOTUNE_"

static enum at_status check_whole(
	const char *name, const char *unit, int64_t most, struct at_error *err)
{
	const char *text = getenv(name);
	int64_t value;

	if (!text || !text[0] ||
		(at_text_integer(text, &value) && value >= 0 && value <= most))
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"%s is \"%.60s\": expected a whole number of %s from 0 to %" PRId64,
		name, text, unit, most);
}

/* Notes variables whose name is similar to one of ours; others may have other
   owners. */
static void note_slips(void)
{
	const struct at_help_variable *variable;
	const char *names[OURS_MAX], *nearest;
	size_t count = 0;
	char name[64];

	for (size_t i = 0; (variable = at_help_variable_at(i)) && count < OURS_MAX; i++)
		if (!strncmp(variable->name, PREFIX, strlen(PREFIX)))
			names[count++] = variable->name + strlen(PREFIX);
	for (char **at = environ; *at; at++) {
		size_t length = strcspn(*at, "="), known = 0;

		if (strncmp(*at, PREFIX, strlen(PREFIX)) != 0 || length >= sizeof(name))
			continue;
		length -= strlen(PREFIX);
		memcpy(name, *at + strlen(PREFIX), length);
		name[length] = '\0';
		while (known < count && strcmp(names[known], name) != 0)
			known++;
		nearest = known < count ? NULL : at_text_nearest(name, names, count);
		if (nearest)
			at_say("note: the environment has " PREFIX
			       "%s, which nothing reads; did you mean " PREFIX "%s?",
				name, nearest);
	}
}

static enum at_status check_environment(struct at_error *err)
{
	const char *sandbox = getenv(AT_SANDBOX_VARIABLE);
	enum at_status status =
		check_whole("AUTOTUNE_PATIENCE", "seconds", 1000000, err);

	if (!status)
		status = check_whole(
			"AUTOTUNE_CACHE_MB", "megabytes", INT64_MAX >> 20, err);
	if (!status && sandbox && *sandbox && strcmp(sandbox, "off") != 0 &&
		strcmp(sandbox, "on") != 0)
		status = at_fail(err, AT_EINVAL, NULL, 0,
			"%s is \"%.60s\": expected off, or nothing",
			AT_SANDBOX_VARIABLE, sandbox);
	if (!status)
		note_slips();
	return status;
}

/* ---- commands ------------------------------------------------------------------ */

const struct at_cli_command *const at_cli_commands[] = {
	&at_command_tune,
	&at_command_check,
	&at_command_capture,
	&at_command_devices,
	&at_command_results,
	&at_command_header,
	&at_command_explain,
	&at_command_history,
	&at_command_report,
	&at_command_compare,
	&at_command_simulate,
	&at_command_nightly,
	&at_command_import,
	&at_command_export,
	&at_command_forget,
	&at_command_help,
	NULL,
};

/* Narrower help would not be readable. */
#define HELP_COLUMNS_LEAST 40

int at_cli_help_columns(int file)
{
	int columns =
		at_output_is_terminal(file) ? at_output_width(file) : AT_HELP_COLUMNS;

	if (columns > AT_HELP_COLUMNS)
		return AT_HELP_COLUMNS;
	return columns < HELP_COLUMNS_LEAST ? HELP_COLUMNS_LEAST : columns;
}

/* Reports a silent worker, so that a waiting user knows that work continues. */
static void tell_silence(const char *text)
{
	at_say("autotune: %s", text);
}

static enum at_exit run(
	const struct at_cli_arguments *arguments, size_t place, struct at_error *err)
{
	struct at_strbuf text = { 0 };

	if (at_cli_given(arguments, "help") && place == SIZE_MAX)
		at_help_program(at_cli_commands, at_cli_help_columns(1), &text);
	else if (at_cli_given(arguments, "help"))
		at_help_command(arguments->command, at_cli_help_columns(1), &text);
	else if (at_cli_given(arguments, "version"))
		at_strbuf_add(&text, "autotune " AT_VERSION "\n");
	if (text.length) {
		at_print(&text);
		return AT_EXIT_DONE;
	}
	if (arguments->command != &at_command_help && check_environment(err))
		return AT_EXIT_USAGE;
	at_cli_set_patience(arguments);
	at_worker_on_silence(at_cli_given(arguments, "quiet") ? NULL : tell_silence);
	return arguments->command->run(arguments, err);
}

static bool may_be_repeated(
	const struct at_cli_arguments *arguments, const struct at_cli_option *option)
{
	/* simulate compares several strategies; other commands use one */
	if (!strcmp(option->name, "strategy"))
		return arguments->command == &at_command_simulate;
	return option->kind == AT_CLI_EACH || option->kind == AT_CLI_LIST;
}

/* Warns if an option has two values: the last one counts, but the user may have
   overlooked the other. */
static void tell_overridden(const struct at_cli_arguments *arguments)
{
	for (size_t i = 1; i < arguments->value_count; i++) {
		const struct at_cli_value *value = &arguments->values[i];
		size_t before = i;

		if (!value->text || may_be_repeated(arguments, value->option))
			continue;
		while (before > 0 &&
			arguments->values[before - 1].option != value->option)
			before--;
		if (before > 0 && arguments->values[before - 1].text &&
			strcmp(arguments->values[before - 1].text, value->text) != 0)
			at_say("warning: --%s is given more than once: the last one, \"%s\", counts",
				value->option->name, value->text);
	}
}

/* Called once per record: it may have a million invalid rows, and more keys that cannot
   be claimed. */
static void tell_once(const struct at_error *reason)
{
	at_say_error(reason);
}

/* A command without its own listener ends at the first signal. */
static bool first_signal(void *context)
{
	(void)context;
	return false;
}

static void second_signal(void *context)
{
	(void)context;
	at_scratch_remove_all();
}

enum at_exit at_cli_main(int count, char *const *words)
{
	static const struct at_signals_events events = { first_signal, second_signal };
	static struct at_signals signals;
	struct at_cli_arguments arguments = { 0 };
	struct at_error err = { 0 };
	const struct at_cli_command *command;
	enum at_exit code = AT_EXIT_USAGE;
	size_t place;

	/* Until the end of the process, without at_signals_end(), to catch even late
	   signals. If no thread can be started, signals end the process. */
	(void)at_signals_begin(&signals, &events, NULL, NULL);
	at_output_begin();
	at_store_on_left_out(tell_once);
	at_claims_on_refused(tell_once);
	if (count <= 1) {
		struct at_strbuf text = { 0 };

		at_help_first(at_cli_commands, at_cli_help_columns(2), &text);
		at_say_block(&text);
		return AT_EXIT_USAGE;
	}
	if (!strcmp(words[1], "--complete")) {
		struct at_strbuf text = { 0 };

		at_help_complete(at_cli_commands, (size_t)count - 2, words + 2, &text);
		at_print(&text);
		return AT_EXIT_DONE;
	}
	command = at_cli_choose(
		at_cli_commands, (size_t)count - 1, words + 1, &place, &err);
	if (command && !at_cli_parse(at_cli_commands, command, (size_t)count - 1,
			       words + 1, place, &arguments, &err)) {
		tell_overridden(&arguments);
		code = run(&arguments, place, &err);
	}
	/* After an interruption, an error with a file is still reported: something
	   could not be recorded. */
	if (err.status && (code != AT_EXIT_INTERRUPTED || err.file[0]))
		at_say_error(&err);
	at_cli_arguments_release(&arguments);
	/* lost output, for example on a full disk, means that the job is not done */
	if ((err.status || !at_output_end()) && code == AT_EXIT_DONE)
		code = AT_EXIT_FAILED;
	return code;
}
