/* Options that mean the same in every command that has them. */
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/portfolio.h"

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

/* "random,annealing,restarts=3" is two strategies: an item with a '=' belongs to the
   name before it. */
static bool is_key(const char *text, size_t length)
{
	return memchr(text, '=', length) != NULL;
}

size_t at_cli_strategy_length(const char *text)
{
	size_t length = strcspn(text, ",");

	while (text[length] == ',' &&
		is_key(text + length + 1, strcspn(text + length + 1, ",")))
		length += 1 + strcspn(text + length + 1, ",");
	return length;
}

static enum at_status check_strategy(const char *value, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (; !status; value++) {
		size_t length = at_cli_strategy_length(value);
		char *one = at_strndup(value, length);

		status = one ? at_strategy_check(one, err) : at_fail_memory(err);
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

static enum at_status check_not_empty(const char *value, struct at_error *err)
{
	return *value ? AT_OK : at_fail(err, AT_EINVAL, NULL, 0, "it is empty");
}

static void add_device_help(struct at_strbuf *out)
{
	const struct at_device_kind *kind;
	const char *fallback = NULL;
	size_t count = 0, told = 0;

	at_strbuf_add(out, "devices, separated by commas: ");
	at_device_add_known(out);
	for (size_t i = 0; (kind = at_device_kind_at(i)); i++)
		count += kind->by_default == AT_DEVICE_PREFERRED;
	at_strbuf_add(out, "; without it every ");
	for (size_t i = 0; (kind = at_device_kind_at(i)); i++) {
		if (kind->by_default == AT_DEVICE_FALLBACK && !fallback)
			fallback = kind->name;
		if (kind->by_default == AT_DEVICE_PREFERRED)
			at_strbuf_addf(out, "%s%s",
				at_text_between(told++, count, " and "), kind->name);
	}
	at_strbuf_add(out, " device");
	if (fallback)
		at_strbuf_addf(out, ", else %s", fallback);
	at_strbuf_add(out,
		". For what is recorded also a model as in nvidia-h200; tune also takes " AT_REPLAY_PREFIX
		"FILE, a recording");
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

/* Not checked further: where it selects from what is recorded, it may also be a
   model. */
const struct at_cli_option at_option_device = {
	.name = "device",
	.kind = AT_CLI_LIST,
	.value = "LIST",
	.add_help = add_device_help,
	.add_words = add_device_words,
	.check = check_not_empty,
};

const struct at_cli_option at_option_results = {
	.name = "results",
	.kind = AT_CLI_TEXT,
	.value = "DIR",
	.help = "folder of the record, the result files and the headers (results)",
	.check = check_not_empty,
};

const struct at_cli_option at_option_strategy = {
	.name = "strategy",
	/* For tune only the last one counts. */
	.kind = AT_CLI_EACH,
	.value = "NAME[,KEY=VALUE]",
	.help = "how to search (the space's own, else auto); simulate compares a list of them (all)",
	.add_words = add_strategy_words,
	.check = check_strategy,
};

const struct at_cli_option at_option_budget = {
	.name = "budget",
	.kind = AT_CLI_TEXT,
	.value = "200|90s|10m|200,10m",
	.help = "distinct evaluations, time, or both, for each problem and model of device; a time covers everything, finals, proof and the reason of the gain too (the space's own, else the whole space); of nightly a time, for the whole night (30m)",
	.check = check_budget,
};

static enum at_status check_total(const char *value, struct at_error *err)
{
	uint64_t evaluations;
	double seconds;

	if (!at_budget_parse(value, &evaluations, &seconds, NULL) && !evaluations)
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"expected a time as in --total 10m, found \"%s\"", value);
}

const struct at_cli_option at_option_total = {
	.name = "total",
	.kind = AT_CLI_TEXT,
	.value = "90s|10m|2h",
	.help = "a time for all problems of all spaces together, of each model of device: every problem has a first search, and what that leaves goes where more is expected to gain most; --budget still caps each search (no limit)",
	.check = check_total,
};

double at_cli_total_seconds(const struct at_cli_arguments *arguments)
{
	const char *text = at_cli_text(arguments, &at_option_total, NULL);
	uint64_t evaluations;
	double seconds = 0;

	/* The text was checked when the command line was parsed. */
	if (text)
		(void)at_budget_parse(text, &evaluations, &seconds, NULL);
	return seconds;
}

const struct at_cli_option at_option_problem = {
	.name = "problem",
	.kind = AT_CLI_EACH,
	.value = "NAME",
	.help = "only this problem of the space; may be repeated",
	.check = check_not_empty,
};

const struct at_cli_option at_option_set = {
	.name = "set",
	.kind = AT_CLI_EACH,
	.value = "PARAM=VALUE[,VALUE]",
	.help = "only these values of a tuning parameter; may be repeated",
	.check = check_set,
};

const struct at_cli_option at_option_seed = {
	.name = "seed",
	.kind = AT_CLI_WHOLE,
	.value = "N",
	.help = "start of all random choices; the same seed searches the same way (0)",
	.minimum = 0,
	.maximum = INT64_MAX,
};

const struct at_cli_option at_option_jobs = {
	.name = "jobs",
	.kind = AT_CLI_WHOLE,
	.value = "N",
	.help = "compilers that run at once (one for each core; of these tuning leaves one to each GPU); of a recording those of virtual time (1), against which simulate then gives its figures too",
	.minimum = 1,
	/* A compiler takes some hundred MiB, so this many exceed the memory of any
	   machine. */
	.maximum = 1024,
};

const struct at_cli_option at_option_fresh = {
	.name = "fresh",
	.kind = AT_CLI_FLAG,
	.help = "measure again what is recorded",
};

/* The environment of "slurm" is read only when the command runs. */
static enum at_status check_shard(const char *value, struct at_error *err)
{
	struct at_share share;

	return strcmp(value, "slurm") == 0
		       ? AT_OK
		       : at_share_read(value, at_share_environment, NULL, &share, err);
}

const struct at_cli_option at_option_shard = {
	.name = "shard",
	.kind = AT_CLI_TEXT,
	.value = "slurm|I/N",
	.help = "only this share of the work, in a record of its own below DIR/shards: share I of N (from 1), or the one that is this Slurm task's, of a job, an array, or both",
	.check = check_shard,
};

static const char *const sanitize_words[] = { "podium", "winner", "never", NULL };

const struct at_cli_option at_option_sanitize = {
	.name = "sanitize",
	.kind = AT_CLI_WORD,
	.value = "[podium|winner|never]",
	.help = "whom compute-sanitizer looks at, where it is installed: the winner, as far as the budget has time for it (without the option), all that had finals however long it takes (podium, also --sanitize alone), nobody",
	.words = sanitize_words,
};

static enum at_status read_wait(
	const char *value, double *seconds, struct at_error *err)
{
	uint64_t evaluations;

	if (!at_budget_parse(value, &evaluations, seconds, NULL) && !evaluations)
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"expected a time such as 90s, 10m or 2h, found \"%s\"", value);
}

static enum at_status check_wait(const char *value, struct at_error *err)
{
	double seconds;

	return read_wait(value, &seconds, err);
}

const struct at_cli_option at_option_wait = {
	.name = "wait",
	.kind = AT_CLI_WORD,
	.value = "[TIME]",
	.help = "how long others are waited for, each time, as in 10m; alone: as long as it takes: a program that has the device (as long as it takes), a process that has the record locked (2m), another run that measures what this one needs (about a minute); nightly: also another nightly for the same folder, without it that device is left out",
	.check = check_wait,
};

double at_cli_wait_seconds(const struct at_cli_arguments *arguments)
{
	const char *text = at_cli_text(arguments, &at_option_wait, NULL);
	double seconds = INFINITY;

	if (!text)
		return 0;
	if (text[0])
		(void)read_wait(text, &seconds, NULL);
	return seconds;
}

static void tell_waiting(void *context, const char *text)
{
	(void)context;
	at_say("autotune: %s", text);
}

void at_cli_be_patient(const struct at_cli_arguments *arguments)
{
	const struct at_patience patience = {
		.seconds = at_cli_wait_seconds(arguments),
		.tell = tell_waiting,
	};

	at_store_be_patient(&patience);
}

static enum at_status check_limit(const char *value, struct at_error *err)
{
	double limit;

	return at_portfolio_parse_limit(value, &limit, err);
}

const struct at_cli_option at_option_portfolio = {
	.name = "portfolio",
	.kind = AT_CLI_TEXT,
	.value = "LOSS",
	.help = "after the problems of a space: the fewest configurations that serve each of them with at most this loss against its winner, as in 5%; header: of these alone",
	.check = check_limit,
};

const struct at_cli_option at_option_portfolio_size = {
	.name = "portfolio-size",
	.kind = AT_CLI_WHOLE,
	.value = "N",
	.help = "at most so many of them, chosen so that the worst loss is smallest",
	.minimum = 1,
	.maximum = 1000,
};

const struct at_cli_option at_option_unproved = {
	.name = "unproved",
	.kind = AT_CLI_FLAG,
	.help = "headers also for a winner that is not proved, since its run was interrupted; they say so",
};

const struct at_cli_option at_option_json = {
	.name = "json",
	.kind = AT_CLI_FLAG,
	.help = "one JSON object a line on standard output, and nothing else there",
};

const struct at_cli_option at_option_quiet = {
	.name = "quiet",
	.kind = AT_CLI_FLAG,
	.help = "no progress and no summary: errors, and what --json asks for",
};

const struct at_cli_option at_option_wide = {
	.name = "wide",
	.kind = AT_CLI_FLAG,
	.help = "all columns, and configurations with all their parameters: without it, those that differ from the baseline",
};

const struct at_cli_option at_option_output = {
	.name = "output",
	.letter = 'o',
	.kind = AT_CLI_TEXT,
	.value = "FILE",
	.help = "write to this file instead of the usual place, and nothing else; \"-\": to standard output",
	.check = check_not_empty,
};

const struct at_cli_option at_option_check = {
	.name = "check",
	.kind = AT_CLI_FLAG,
	.help = "write nothing: fail where a header is not what would be written, and say why",
};

const struct at_cli_option at_option_trust = {
	.name = "trust",
	.kind = AT_CLI_FLAG,
	.help = "take compiler options that are not known to be safe, and let compilers write and connect as they like: for spaces of somebody you trust",
};

enum at_status at_margin_parse(const char *text, double *out, struct at_error *err)
{
	size_t length = strcspn(text, " %");
	char *number = at_strndup(text, length);
	const char *rest = text + length + strspn(text + length, " ");
	double percent = 0;
	bool good;

	if (!number)
		return at_fail_memory(err);
	good = at_text_real(number, &percent) && percent >= 0 && percent <= 100 &&
	       !strcmp(rest, "%");
	free(number);
	if (!good)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"expected a share from 0%% to 100%% as in --margin 1%%, found \"%s\"",
			text);
	*out = percent / 100;
	return AT_OK;
}

static enum at_status check_margin(const char *value, struct at_error *err)
{
	double margin;

	return at_margin_parse(value, &margin, err);
}

const struct at_cli_option at_option_margin = {
	.name = "margin",
	.kind = AT_CLI_TEXT,
	.value = "PERCENT",
	.help = "what is better by no more than this, however sure it is, counts as the same: a recorded winner stays, and its files as they are (nightly: 1%; tune: without it the finals alone decide); compare calls it the same (1%)",
	.check = check_margin,
};

static enum at_status check_keep(const char *value, struct at_error *err)
{
	struct at_keep keep;

	return at_keep_parse(value, &keep, err);
}

const struct at_cli_option at_option_keep = {
	.name = "keep",
	.kind = AT_CLI_TEXT,
	.value = "90|400d|52w|2y",
	.help = "how many nights, or for how long, history is kept; with it go evaluations that nobody would use again (2y)",
	.check = check_keep,
};

const struct at_cli_option at_option_help = {
	.name = "help",
	.letter = 'h',
	.kind = AT_CLI_FLAG,
	.help = "explain, and do nothing else",
};

const struct at_cli_option at_option_version = {
	.name = "version",
	.letter = 'V',
	.kind = AT_CLI_FLAG,
	.help = "print the version, and do nothing else",
};
