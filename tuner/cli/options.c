/* Options with the same meaning in every command. */
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/tell.h"

#include "base/text.h"
#include "device/device.h"
#include "evaluator/replay/replay.h"
#include "record/history.h"
#include "record/store.h"
#include "search/strategy.h"
#include "session/share.h"
#include "space/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t at_cli_strategy_length(const char *text)
{
	size_t length = strcspn(text, ",");

	/* "random,annealing,restarts=3" is two strategies: an item with '=' belongs to
	   the last name */
	while (text[length] == ',' &&
		text[length + 1 + strcspn(text + length + 1, ",=")] == '=')
		length += 1 + strcspn(text + length + 1, ",");
	return length;
}

static enum at_status check_strategy(const char *value, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (; !status; value++) {
		size_t length = at_cli_strategy_length(value);
		char *one = at_strndup(value, length);

		status = at_strategy_check(one, err);
		free(one);
		value += length;
		if (!*value)
			break;
	}
	return status;
}

static enum at_status check_budget(const char *value, struct at_error *err)
{
	uint64_t evaluations;
	double seconds;

	return at_budget_parse(value, &evaluations, &seconds, err);
}

static enum at_status check_set(const char *value, struct at_error *err)
{
	const char *equals = strchr(value, '=');

	if (!equals || equals == value || !equals[1])
		return at_fail(err, AT_EINVAL, NULL, 0,
			"expected PARAM=VALUE[,VALUE] as in --set TILE_M=4,8, found \"%s\"",
			value);
	return AT_OK;
}

enum at_status at_cli_check_not_empty(const char *value, struct at_error *err)
{
	return *value ? AT_OK : at_fail(err, AT_EINVAL, NULL, 0, "it is empty");
}

static void add_device_help(struct at_strbuf *out)
{
	const struct at_device_kind *kind;
	const char *fallback = NULL;
	size_t count = 0, told = 0;

	at_strbuf_add(out, "use these devices, separated by commas: ");
	at_device_add_known(out);
	for (size_t i = 0; (kind = at_device_kind_at(i)); i++)
		count += kind->by_default == AT_DEVICE_PREFERRED;
	at_strbuf_add(out, " (default: every ");
	for (size_t i = 0; (kind = at_device_kind_at(i)); i++) {
		if (kind->by_default == AT_DEVICE_FALLBACK && !fallback)
			fallback = kind->name;
		if (kind->by_default == AT_DEVICE_PREFERRED)
			at_strbuf_addf(out, "%s%s",
				at_text_between(told++, count, " and "), kind->name);
	}
	at_strbuf_add(out, " device");
	if (fallback)
		at_strbuf_addf(out, "; without one, %s", fallback);
	at_strbuf_add(out,
		"). tune also takes " AT_REPLAY_PREFIX
		"FILE, a recording. Commands that read the record also take a model, such as nvidia-h200 (default: all)");
}

static void add_device_words(struct at_strbuf *out)
{
	const struct at_device_kind *kind;

	for (size_t i = 0; (kind = at_device_kind_at(i)); i++)
		if (kind->single)
			at_strbuf_addf(out, "%s ", kind->name);
		else
			at_strbuf_addf(out, "%s:all %s:0 ", kind->name, kind->name);
}

static void add_strategy_words(struct at_strbuf *out)
{
	const struct at_strategy_kind *kind;

	for (size_t i = 0; (kind = at_strategy_kind_at(i)); i++)
		at_strbuf_addf(out, "%s ", kind->name);
}

bool at_cli_is_word(const struct at_cli_option *option, const char *text)
{
	double number;

	if (!option->words)
		return option->read && !option->read(text, &number, NULL);
	for (const char *const *word = option->words; *word; word++)
		if (!strcmp(*word, text))
			return true;
	return false;
}

enum at_status at_cli_fail_time(const char *value, const char *units,
	const char *expected, struct at_error *err)
{
	char meant[16];
	bool is_time = at_text_meant_time(value, units, meant, sizeof(meant));

	return at_fail(err, AT_EINVAL, NULL, 0, "expected %s, found \"%s\"%s%s%s",
		expected, value, is_time ? "; did you mean " : "", is_time ? meant : "",
		is_time ? "?" : "");
}

static enum at_status read_time(
	const char *value, double *seconds, struct at_error *err)
{
	uint64_t evaluations;

	if (!at_budget_parse(value, &evaluations, seconds, NULL) && !evaluations)
		return AT_OK;
	return at_cli_fail_time(value, "smh", "a time such as 90s, 10m or 2h", err);
}

/* The environment of "slurm" is read only when the command runs. */
static enum at_status check_shard(const char *value, struct at_error *err)
{
	struct at_share share;

	return strcmp(value, "slurm") == 0
		       ? AT_OK
		       : at_share_read(value, at_share_environment, NULL, &share, err);
}

static const char *const sanitize_words[] = { "podium", "winner", "never", NULL };

double at_cli_wait_seconds(const struct at_cli_arguments *arguments)
{
	/* without a time: no limit */
	return *at_cli_text(arguments, "wait", "0")
		       ? at_cli_number(arguments, "wait", 0)
		       : INFINITY;
}

static void tell_waiting(void *context, const char *text)
{
	(void)context;
	at_say("autotune: %s", text);
}

void at_cli_set_patience(const struct at_cli_arguments *arguments)
{
	const struct at_patience patience = {
		.seconds = at_cli_wait_seconds(arguments),
		.tell = tell_waiting,
	};

	at_store_be_patient(&patience);
}

static enum at_status read_share(const char *text, double *out, struct at_error *err)
{
	size_t length = strcspn(text, " %");
	char *number = at_strndup(text, length);
	const char *rest = text + length + strspn(text + length, " ");
	bool good = at_text_real(number, out) && *out >= 0 && *out <= 100 &&
		    !strcmp(rest, "%");

	free(number);
	*out /= 100;
	return good ? AT_OK
		    : at_fail(err, AT_EINVAL, NULL, 0,
			      "expected a share from 0%% to 100%% as in --margin 1%%, found \"%s\"",
			      text);
}

static enum at_status check_keep(const char *value, struct at_error *err)
{
	struct at_keep keep;
	char meant[16];

	if (at_keep_parse(value, &keep, NULL) &&
		at_text_meant_time(value, "dwy", meant, sizeof(meant)))
		return at_cli_fail_time(value, "dwy",
			"a number of nights or a time as in 400, 400d, 60w, 2y", err);
	return at_keep_parse(value, &keep, err);
}

/* Options with the same meaning in every command that names them. */
static const struct at_cli_option shared[] = {
	/* not checked further: a filter of the record may also be a model */
	{ "device", AT_CLI_LIST, "LIST", .add_help = add_device_help,
		.add_words = add_device_words, .check = at_cli_check_not_empty },
	{ "results", AT_CLI_TEXT, "DIR",
		.help = "use this folder for the record, the result files and the headers (default: results)",
		.check = at_cli_check_not_empty },
	/* for tune only the last one counts */
	{ "strategy", AT_CLI_EACH, "NAME[,KEY=VALUE]",
		.help = "search with this strategy (default: what the space says, else auto); simulate compares a list of them (default: all)",
		.add_words = add_strategy_words, .check = check_strategy },
	{ "budget", AT_CLI_TEXT, "200|90s|10m|200,10m",
		.help = "limit the tuning of each problem on each model of device to this number of distinct evaluations, this time, or both (default: what the space says, else no limit). A time covers everything: compiling, search, finals, verification and the reason of the gain. nightly takes one time for the whole night (default: 30m)",
		.check = check_budget },
	{ "total", AT_CLI_TEXT, "90s|10m|2h",
		.help = "share this time among all problems of all spaces, for each model of device (default: no limit). Each problem gets a first search; the rest goes where the most gain is expected. --budget still limits each search",
		.read = read_time },
	{ "problem", AT_CLI_EACH, "NAME",
		.help = "take only this problem of the space; may be repeated",
		.check = at_cli_check_not_empty },
	{ "set", AT_CLI_EACH, "PARAM=VALUE[,VALUE]",
		.help = "allow only these values of a tuning parameter; may be repeated",
		.check = check_set },
	{ "seed", AT_CLI_WHOLE, "N",
		.help = "the seed of all random choices (default: 0); equal seeds search in the same way",
		.minimum = 0, .maximum = INT64_MAX },
	/* at some hundred MiB each, this many compilers exceed any machine's memory */
	{ "jobs", AT_CLI_WHOLE, "N",
		.help = "run at most N compilers at once (default: one for each core; tune leaves one core free for each GPU). With a recording, N compilers run in virtual time (default: 1), and simulate also shows its figures against time",
		.minimum = 1, .maximum = 1024 },
	{ "fresh", .help = "measure again, even what is recorded" },
	{ "shard", AT_CLI_TEXT, "slurm|I/N",
		.help = "do only this share of the work, and record it apart, in a folder below DIR/shards: share I of N, counted from 1; or, with slurm, the share of this task of a Slurm job, an array or both",
		.check = check_shard },
	{ "sanitize", AT_CLI_WORD, "[podium|winner|never]",
		.help = "choose what runs under compute-sanitizer, if it is installed: the winner, as far as the budget allows (winner, the default); all configurations that had finals, however long it takes (podium, or --sanitize alone); nothing (never)",
		.words = sanitize_words },
	{ "wait", AT_CLI_WORD, "[TIME]",
		.help = "wait at most this long each time, such as 10m; without a time, without a limit (default: no limit for a program that uses the device, 2m for a process that locks the record, about a minute for another run that measures the same configuration; nightly leaves out a device of another nightly in the same folder)",
		.read = read_time },
	{ "portfolio", AT_CLI_TEXT, "LOSS",
		.help = "find the fewest configurations that serve all problems of a space, each with at most this loss against its winner, such as 5%; header: write a header of these alone",
		.read = at_portfolio_parse_limit },
	{ "portfolio-size", AT_CLI_WHOLE, "N",
		.help = "find at most N configurations that serve all problems of a space, chosen so that the worst loss is smallest; header: write a header of these alone",
		.minimum = 1, .maximum = 1000 },
	{ "trust",
		.help = "accept compiler options that are not known to be safe, and run compilers without the sandbox; only for spaces of people you trust" },
	{ "margin", AT_CLI_TEXT, "PERCENT",
		.help = "ignore differences of up to this share, even if they are significant: the recorded winner and its files stay, and compare says \"same\" (default: 1% for nightly and compare; none for tune, where the finals alone decide)",
		.read = read_share },
	{ .name = NULL },
};

static const struct at_cli_option forms[] = {
	{ "unverified",
		.help = "also write headers for winners that are not verified because their run was interrupted; the headers say so" },
	{ "json",
		.help = "print one JSON object per line on standard output, and nothing else there" },
	{ "quiet",
		.help = "print no progress and no summary; errors, problems without a configuration that passed, what --json asks for, and winners that nightly finds slower or wrong are still printed" },
	{ "wide",
		.help = "show all columns, and all parameters of each configuration; without it, only the parameters that differ from the baseline" },
	{ "output", AT_CLI_TEXT, "FILE", .letter = 'o',
		.help = "write only this file, instead of the usual ones; \"-\" means standard output",
		.check = at_cli_check_not_empty },
	{ "check",
		.help = "check that the headers are up to date, and write nothing; if one is not, fail and say why" },
	{ "keep", AT_CLI_TEXT, "90|400d|52w|2y",
		.help = "keep this much history, a number of nights or a time (default: 2y); what is older is removed, along with old evaluations that no run would use again",
		.check = check_keep },
	{ .name = NULL },
};

static const struct at_cli_option everywhere[] = {
	{ "help", .letter = 'h', .help = "print help, and do nothing else" },
	{ "version", .letter = 'V', .help = "print the version, and do nothing else" },
	{ .name = NULL },
};

const struct at_cli_option *at_cli_option_named(
	const struct at_cli_command *command, const char *name, size_t length)
{
	const struct at_cli_option *const tables[] = { command->own, shared, forms,
		everywhere };

	for (size_t i = 0; i < AT_COUNT_OF(tables); i++)
		for (const struct at_cli_option *row = tables[i]; row && row->name;
			row++)
			if (strlen(row->name) == length &&
				!strncmp(row->name, name, length))
				return row;
	return NULL;
}

const struct at_cli_option *at_cli_option_at(
	const struct at_cli_command *command, size_t index)
{
	const char *name = command->options;

	for (; *name; name += strspn(name, " ")) {
		size_t length = strcspn(name, " ");

		if (!index--)
			return at_cli_option_named(command, name, length);
		name += length;
	}
	return index < AT_COUNT_OF(everywhere) - 1 ? &everywhere[index] : NULL;
}

bool at_cli_is_everywhere(const struct at_cli_option *option)
{
	return option == &everywhere[0] || option == &everywhere[1];
}
