/* autotune tune: turns the command line into session options, and the session's end
   into an exit code. */
#include "cli/cli.h"
#include "base/memory.h"
#include "cli/output.h"
#include "cli/tell.h"

#include "base/file.h"
#include "session/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum at_exit run_session(const struct at_cli_arguments *arguments,
	const struct at_spec *const *spaces, struct at_session_options *options,
	struct at_error *err)
{
	struct at_session_summary summary = { 0 };
	enum at_status status;
	struct at_teller teller = {
		.json = at_cli_given(arguments, "json"),
		.quiet = at_cli_given(arguments, "quiet"),
		.lanes = { .wide = at_cli_given(arguments, "wide") },
	};

	at_teller_begin(&teller);
	options->listen = at_teller_listen;
	options->tick = at_teller_tick;
	options->context = &teller;
	status = at_session_run(
		spaces, arguments->operand_count, options, &summary, err);
	at_teller_end(&teller);
	if (teller.json && (!status || status == AT_EINTERRUPTED)) {
		struct at_json *object = at_json_object();
		uint64_t fresh = summary.evaluated - summary.reused;

		/* The last line of --json, about the whole run. */
		at_json_set(object, "event", "session");
		at_json_set(object, "evaluated", summary.evaluated);
		at_json_set(object, "reused", summary.reused);
		at_json_set(object, "winners", summary.selected);
		at_json_set(object, "without_winner", summary.unselected);
		at_json_set(object, "interrupted", summary.interrupted);
		at_json_set(object, "seconds", summary.elapsed_seconds);
		/* processor time of the coordinator, without compiling and measuring */
		at_json_set(object, "overhead_seconds", summary.overhead_seconds);
		at_json_set(object, "overhead_seconds_per_evaluation",
			fresh ? summary.overhead_seconds / (double)fresh : NAN);
		at_print_json(object);
	}
	if (status == AT_EINTERRUPTED || summary.interrupted)
		return AT_EXIT_INTERRUPTED;
	if (status)
		return AT_EXIT_FAILED;
	return summary.unselected ? AT_EXIT_NO_WINNER : AT_EXIT_DONE;
}

/* Loads all spaces before the first one is tuned. */
static enum at_exit tune_spaces(const struct at_cli_arguments *arguments,
	struct at_session_options *options, struct at_error *err)
{
	size_t count = arguments->operand_count;
	struct at_spec **spaces = at_calloc(count + 1, sizeof(*spaces));
	enum at_exit code = AT_EXIT_FAILED;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < count && !status; i++)
		status = at_cli_load_space(
			arguments, arguments->operands[i], &spaces[i], err);
	if (!status && !at_cli_given(arguments, "quiet"))
		at_cli_note_sandbox();
	if (!status)
		code = run_session(
			arguments, (const struct at_spec *const *)spaces, options, err);
	for (size_t i = 0; spaces && i < count; i++)
		at_spec_free(spaces[i]);
	free(spaces);
	return code;
}

static enum at_sanitize read_sanitize(const struct at_cli_arguments *arguments)
{
	const char *word = at_cli_text(arguments, "sanitize", "winner");

	if (!strcmp(word, "winner"))
		return AT_SANITIZE_WINNER;
	/* the option without a word requests more than the default */
	return strcmp(word, "never") ? AT_SANITIZE_FINALISTS : AT_SANITIZE_NEVER;
}

static enum at_status read_share(const struct at_cli_arguments *arguments,
	struct at_session_options *options, struct at_error *err)
{
	const char *text = at_cli_text(arguments, "shard", NULL);

	if (!text)
		return AT_OK;
	if (options->wants_portfolio)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"--portfolio needs all problems, and a share has only some: use it after the shares are merged");
	if (options->total_seconds > 0)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"--total is for all problems, and a share has only some: give a --budget for each");
	return at_share_read(text, at_share_environment, NULL, &options->share, err);
}

/* Far above any list of configurations. */
#define SEEDS_BYTES_MAX ((size_t)64 << 20)

/* *text: the file's contents; the caller's. */
static enum at_status read_seeds(const struct at_cli_arguments *arguments,
	struct at_session_options *options, char **text, struct at_error *err)
{
	size_t size;

	options->seeds_path = at_cli_text(arguments, "seeds", NULL);
	if (!options->seeds_path)
		return AT_OK;
	if (arguments->operand_count > 1)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"--seeds has configurations of one space, and there are %zu: give one of them",
			arguments->operand_count);
	if (at_file_read(options->seeds_path, SEEDS_BYTES_MAX, text, &size, err))
		return err->status;
	options->seeds = *text;
	return AT_OK;
}

static enum at_exit run_tune(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	enum at_exit code = AT_EXIT_USAGE;
	struct at_device_list devices;
	struct at_session_options options = {
		.results = at_cli_text(arguments, "results", "results"),
		.strategy = at_cli_text(arguments, "strategy", NULL),
		.budget = at_cli_text(arguments, "budget", NULL),
		.total_seconds = at_cli_number(arguments, "total", 0),
		.seed = (uint64_t)at_cli_whole(arguments, "seed", 0),
		.jobs = (unsigned)at_cli_whole(arguments, "jobs", 0),
		.fresh = at_cli_given(arguments, "fresh"),
		.keeps_going = at_cli_given(arguments, "keep-going"),
		.sanitize = read_sanitize(arguments),
		.thorough = at_cli_given(arguments, "thorough"),
		.wait_seconds = at_cli_wait_seconds(arguments),
		.with_unverified = at_cli_given(arguments, "unverified"),
		.margin = at_cli_number(arguments, "margin", 0),
		.keeps_winner = at_cli_given(arguments, "margin"),
		.portfolio_size =
			(unsigned)at_cli_whole(arguments, "portfolio-size", 0),
		/* with a size alone any loss is allowed */
		.portfolio_limit = at_cli_number(arguments, "portfolio", INFINITY),
		.wants_portfolio = at_cli_given(arguments, "portfolio") ||
				   at_cli_given(arguments, "portfolio-size"),
	};
	enum at_status status = at_device_list_read(arguments, &devices, err);
	char *seeds = NULL;

	options.devices = devices.names;
	options.device_count = devices.count;
	at_cli_each(arguments, "problem", &options.problems, &options.problem_count);
	at_cli_each(arguments, "set", &options.sets, &options.set_count);
	if (!status)
		status = read_share(arguments, &options, err);
	if (!status)
		status = read_seeds(arguments, &options, &seeds, err);
	if (!status)
		code = tune_spaces(arguments, &options, err);
	if (code == AT_EXIT_INTERRUPTED)
		at_say("autotune: interrupted: what was measured is recorded, and the next run goes on from there");
	at_device_list_release(&devices);
	free((void *)options.problems);
	free((void *)options.sets);
	free(seeds);
	return code;
}

static const struct at_cli_option options[] = {
	{ "thorough",
		.help = "verify the winner on all cases, however long that takes, and give its checks 20 seconds" },
	{ "keep-going",
		.help = "search although the baseline is wrong, mostly by a mistake in the space, the launch or the reference" },
	{ "seeds", AT_CLI_TEXT, "FILE",
		.help = "try the configurations of this file first: one a line, as PARAM=VALUE PARAM=VALUE, or JSON of results; a parameter that is not named has its default" },
	{ .name = NULL },
};

const struct at_cli_command at_command_tune = {
	.name = "tune",
	.operands = "SPACE...",
	.summary =
		"find the fastest correct configuration; the word tune may be left out",
	.details =
		"Every evaluation is recorded as soon as its result is known. It is not measured again as long as everything that decides its time stays the same, so a run that was stopped goes on where it was. The winner of each problem is written to a result file of its device and to a C header.\n"
		"\n"
		"  autotune spaces/matmul.cfg\n"
		"  autotune spaces/matmul.cfg --device cuda:0 --budget 10m\n"
		"  autotune spaces/*.cfg --total 1h\n"
		"  autotune spaces/matmul.cfg --set TILE_M=4,8 --problem square_4096 --json",
	.options =
		"device budget total margin strategy seeds problem set results shard fresh keep-going trust unverified sanitize thorough portfolio portfolio-size wait jobs seed json quiet wide",
	.own = options,
	.run = run_tune,
};
