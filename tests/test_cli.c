/* The command line: choosing a command, parsing its words, help from its tables. */
#include "cli/cli.h"

#include "suite.h"

#define WORDS_MAX 16

/* "check --json a" -> words; a text of its own for every word */
struct line {
	size_t count;
	char *words[WORDS_MAX];
	char text[256];
};

static void split(struct line *line, const char *text)
{
	memset(line, 0, sizeof(*line));
	snprintf(line->text, sizeof(line->text), "%s", text);
	for (char *word = strtok(line->text, " "); word; word = strtok(NULL, " ")) {
		assert_true(line->count < WORDS_MAX);
		line->words[line->count++] = word;
	}
}

static enum at_status parse(
	const char *text, struct at_cli_arguments *out, struct at_error *err)
{
	const struct at_cli_command *command;
	struct line line;
	size_t place;

	split(&line, text);
	memset(out, 0, sizeof(*out));
	command = at_cli_choose(at_cli_commands, line.count, line.words, &place, err);
	if (!command)
		return err->status;
	return at_cli_parse(
		at_cli_commands, command, line.count, line.words, place, out, err);
}

/* ---- choosing -------------------------------------------------------------- */

TEST(chooses_the_command)
{
	static const struct {
		const char *line;
		const char *command;
		size_t place;
	} rows[] = {
		{ "check a.cfg", "check", 0 },
		{ "a.cfg", "tune", SIZE_MAX },
		{ "tune a.cfg", "tune", 0 },
		{ "spaces/a", "tune", SIZE_MAX },
		{ "--json check a.cfg", "check", 1 },
		{ "--device host results", "results", 2 },
		{ "--device=host results", "results", 1 },
		{ "-o out.h header a.cfg", "header", 2 },
		{ "-oout.h header a.cfg", "header", 1 },
		{ "--device check a.cfg", "tune", SIZE_MAX },
		{ "-- check", "tune", SIZE_MAX },
		{ "--version", "tune", SIZE_MAX },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct at_cli_command *command;
		struct at_error err = { 0 };
		struct line line;
		size_t place;

		split(&line, rows[i].line);
		command = at_cli_choose(
			at_cli_commands, line.count, line.words, &place, &err);
		assert_non_null(command);
		assert_string_equal(command->name, rows[i].command);
		assert_int_equal(place, rows[i].place);
	}
}

/* ---- parsing --------------------------------------------------------------- */

TEST(reads_options_in_every_form)
{
	static const char *const lines[] = {
		"header a.cfg --output x.h --json",
		"header --output=x.h --json a.cfg",
		"header -o x.h a.cfg --json",
		"header -ox.h --json -- a.cfg",
		"--json -o x.h header a.cfg",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		RELEASED(at_cli_arguments_release) struct at_cli_arguments arguments;

		assert_ok(parse(lines[i], &arguments, &failure));
		assert_int_equal(arguments.operand_count, 1);
		assert_string_equal(arguments.operands[0], "a.cfg");
		assert_string_equal(at_cli_text(&arguments, "output", "none"), "x.h");
		assert_true(at_cli_given(&arguments, "json"));
		assert_false(at_cli_given(&arguments, "quiet"));
		assert_string_equal(
			at_cli_text(&arguments, "results", "results"), "results");
	}
}

/* what follows is the option's only if it is one of its words */
TEST(reads_an_option_with_or_without_its_word)
{
	static const struct {
		const char *line, *word;
		size_t operands;
	} rows[] = {
		{ "a.cfg --sanitize", "", 1 },
		{ "--sanitize a.cfg", "", 1 },
		{ "--sanitize never a.cfg", "never", 1 },
		{ "--sanitize=podium a.cfg b.cfg", "podium", 2 },
		{ "--sanitize tune a.cfg", "", 1 },
		{ "tune --sanitize winner --sanitize a.cfg", "", 1 },
		{ "--sanitize tune never", "never", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(at_cli_arguments_release) struct at_cli_arguments arguments;
		struct at_error err = { 0 };
		enum at_status status = parse(rows[i].line, &arguments, &err);

		/* of the last line nothing is left to tune */
		assert_int_equal(status, rows[i].operands ? AT_OK : AT_EINVAL);
		assert_string_equal(
			at_cli_text(&arguments, "sanitize", "no"), rows[i].word);
		assert_int_equal(arguments.operand_count, rows[i].operands);
	}
}

TEST(keeps_every_value_of_a_repeated_option)
{
	RELEASED(at_cli_arguments_release) struct at_cli_arguments arguments;
	const char *const *values;
	size_t count;

	assert_ok(parse(
		"a.cfg --set A=1,2 --set B=x --device cuda:0,host --device cuda:1 --jobs 3 --jobs 5",
		&arguments, &failure));
	at_cli_each(&arguments, "set", &values, &count);
	assert_int_equal(count, 2);
	assert_string_equal(values[0], "A=1,2");
	assert_string_equal(values[1], "B=x");
	free((void *)values);
	at_cli_each(&arguments, "device", &values, &count);
	assert_int_equal(count, 3);
	assert_string_equal(values[0], "cuda:0");
	assert_string_equal(values[1], "host");
	assert_string_equal(values[2], "cuda:1");
	free((void *)values);
	assert_int_equal(at_cli_whole(&arguments, "jobs", 0), 5);
	assert_int_equal(at_cli_whole(&arguments, "seed", 7), 7);
}

TEST(takes_what_follows_two_dashes_as_operands)
{
	RELEASED(at_cli_arguments_release) struct at_cli_arguments arguments;

	assert_ok(parse("check -- --json -", &arguments, &failure));
	assert_int_equal(arguments.operand_count, 2);
	assert_string_equal(arguments.operands[0], "--json");
	assert_string_equal(arguments.operands[1], "-");
	assert_false(at_cli_given(&arguments, "json"));
}

TEST(demands_nothing_more_beside_help)
{
	struct at_cli_arguments arguments;

	assert_ok(parse("check --help", &arguments, &failure));
	assert_true(at_cli_given(&arguments, "help"));
	at_cli_arguments_release(&arguments);
	assert_ok(parse("--version", &arguments, &failure));
	at_cli_arguments_release(&arguments);
}

TEST(takes_help_and_version_by_letter_everywhere)
{
	const struct at_cli_command *command;

	for (size_t i = 0; (command = at_cli_commands[i]); i++) {
		for (size_t k = 0; k < 2; k++) {
			RELEASED(at_cli_arguments_release)
			struct at_cli_arguments arguments;
			char line[64];

			snprintf(line, sizeof(line), k ? "-h %s" : "%s -V",
				command->name);
			assert_ok(parse(line, &arguments, &failure));
			assert_ptr_equal(arguments.command, command);
			assert_int_equal(at_cli_given(&arguments, "help"), k == 1);
			assert_int_equal(at_cli_given(&arguments, "version"), k == 0);
		}
	}
}

TEST(says_what_is_wrong_and_what_was_meant)
{
	static const struct {
		const char *line;
		const char *text;
	} rows[] = {
		{ "chek a.cfg", "unknown command \"chek\"; did you mean \"check\"?" },
		{ "tune -o here a.cfg",
			"unknown option -o; see \"autotune help tune\"" },
		{ "simulate --budget 5 a.json",
			"\"autotune simulate\" has no option --budget; it is one of \"autotune tune\"" },
		{ "--budgt 90s a.cfg",
			"unknown option --budgt; did you mean --budget?" },
		{ "--help zzzzzz",
			"\"zzzzzz\" is neither a command nor a space file; see \"autotune help\"" },
		{ "zzzzzz",
			"\"zzzzzz\" is neither a command nor a space file; see \"autotune help\"" },
		{ "check --jsno a.cfg", "unknown option --jsno; did you mean --json?" },
		{ "check --zzzzzz a.cfg",
			"unknown option --zzzzzz; see \"autotune help check\"" },
		{ "check -z a.cfg", "unknown option -z; see \"autotune help check\"" },
		{ "check --fresh a.cfg",
			"\"autotune check\" has no option --fresh; it is one of \"autotune tune\"" },
		{ "check",
			"nothing to do: expected \"autotune check SPACE...\"; see \"autotune help check\"" },
		{ "devices here",
			"\"autotune devices\" takes no operand, found \"here\"" },
		{ "help a b",
			"\"autotune help\" takes no more than [COMMAND], found \"b\"" },
		{ "check a.cfg --set",
			"--set needs a value: --set PARAM=VALUE[,VALUE]" },
		{ "tune a.cfg --budget --device host",
			"--budget needs a value, and found the option \"--device\": --budget 200|90s|10m|200,10m" },
		{ "a.cfg --sanitize=nevr",
			"--sanitize: expected [podium|winner|never], found \"nevr\"; did you mean \"never\"?" },
		{ "help --completion tcsh",
			"--completion: expected one of bash, zsh, fish, found \"tcsh\"" },
		{ "check -hx", "--help takes no value, found \"x\"" },
		{ "check --json=1 a.cfg", "--json takes no value, found \"1\"" },
		{ "check --set X a.cfg",
			"--set: expected PARAM=VALUE[,VALUE] as in --set TILE_M=4,8, found \"X\"" },
		{ "a.cfg --total 200",
			"--total: expected a time such as 90s, 10m or 2h, found \"200\"" },
		{ "a.cfg --total 9,10m",
			"--total: expected a time such as 90s, 10m or 2h, found \"9,10m\"" },
		{ "a.cfg --jobs 0",
			"--jobs: expected a whole number from 1 to 1024, found \"0\"" },
		{ "a.cfg --seed -1",
			"--seed: expected a whole number, 0 or more, found \"-1\"" },
		{ "a.cfg --device cuda:0,,host",
			"--device: an item of the list is empty" },
		{ "a.cfg --device host,", "--device: an item of the list is empty" },
		{ "a.cfg --total 1h30m",
			"--total: expected a time such as 90s, 10m or 2h, found \"1h30m\"; did you mean 90m?" },
		{ "a.cfg --budget 200,5min",
			"--budget: the budget \"200,5min\": a time is written as in \"90s\", \"10m\" or \"2h\"; did you mean \"5m\"?" },
		{ "forget a --older-than 3months",
			"--older-than: expected an age as in 90d, 12w or 36h, found \"3months\"" },
		{ "forget a --older-than 2weeks",
			"--older-than: expected an age as in 90d, 12w or 36h, found \"2weeks\"; did you mean 2w?" },
		{ "nightly a.cfg --keep 400days",
			"--keep: expected a number of nights or a time as in 400, 400d, 60w, 2y, found \"400days\"; did you mean 400d?" },
		{ "check -help", "unknown option -help; did you mean --help?" },
		{ "check -v", "unknown option -v; did you mean --version?" },
		{ "tune check a.cfg",
			"\"check\" is a command, and a command comes first: autotune check" },
		{ "a.cfg check",
			"\"check\" is a command, and a command comes first: autotune check a.cfg" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(at_cli_arguments_release) struct at_cli_arguments arguments;

		assert_fails(parse(rows[i].line, &arguments, &failure), AT_EINVAL,
			rows[i].text);
	}
}

TEST(refuses_values_that_make_no_sense)
{
	static const struct {
		const char *line;
		const char *part;
	} rows[] = {
		{ "a.cfg --budget 5x", "--budget: " },
		{ "a.cfg --strategy rndom", "did you mean \"random\"" },
		{ "check --arch sm_7 a.cfg", "unknown architecture \"sm_7\"" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(at_cli_arguments_release) struct at_cli_arguments arguments;
		struct at_error err = { 0 };

		assert_int_not_equal(parse(rows[i].line, &arguments, &err), AT_OK);
		assert_non_null(strstr(err.text, rows[i].part));
	}
}

/* ---- tables ---------------------------------------------------------------- */

/* the parser finds the command's name before it knows the command */
TEST(gives_an_option_one_meaning_in_all_commands)
{
	const struct at_cli_command *a, *b;
	const struct at_cli_option *one, *other;

	for (size_t i = 0; (a = at_cli_commands[i]); i++)
		for (size_t k = 0; (b = at_cli_commands[k]); k++)
			for (size_t m = 0; (one = at_cli_option_at(a, m)); m++)
				for (size_t n = 0; (other = at_cli_option_at(b, n));
					n++)
					if (!strcmp(one->name, other->name))
						assert_ptr_equal(one, other);
}

TEST(shows_every_option_of_every_command)
{
	const struct at_cli_option *option;
	const struct at_cli_command *command;
	RELEASED(at_strbuf_release) struct at_strbuf markdown = { 0 };

	at_help_markdown(at_cli_commands, &markdown);
	for (size_t i = 0; (command = at_cli_commands[i]); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf help = { 0 };

		assert_non_null(strstr(at_strbuf_text(&markdown), command->summary));
		at_help_command(command, AT_HELP_COLUMNS, &help);
		for (size_t k = 0; (option = at_cli_option_at(command, k)); k++) {
			char name[64];

			if (!option->help)
				continue;
			snprintf(name, sizeof(name), "--%s", option->name);
			assert_non_null(strstr(at_strbuf_text(&help), name));
			assert_non_null(strstr(at_strbuf_text(&markdown), name));
		}
	}
}

TEST(keeps_help_within_its_columns)
{
	static const int widths[] = { AT_HELP_COLUMNS, 68, 67, 60 };
	const struct at_cli_command *command;

	for (size_t w = 0; w < AT_COUNT_OF(widths); w++) {
		RELEASED(at_strbuf_release) struct at_strbuf help = { 0 };

		at_help_program(at_cli_commands, widths[w], &help);
		for (size_t i = 0; (command = at_cli_commands[i]); i++)
			at_help_command(command, widths[w], &help);
		for (const char *line = at_strbuf_text(&help); *line;) {
			size_t length = strcspn(line, "\n");

			/* examples and lists of a command are as they are written */
			if (length > (size_t)widths[w] &&
				(length > AT_HELP_COLUMNS || strncmp(line, "  ", 2) ||
					line[2] < 'a'))
				fail_msg("%d columns: %.*s", widths[w], (int)length,
					line);
			assert_true(length == 0 || line[length - 1] != ' ');
			line += length + (line[length] != '\0');
		}
	}
}

TEST(escapes_bars_in_markdown_cells)
{
	RELEASED(at_strbuf_release) struct at_strbuf markdown = { 0 };

	at_help_markdown(at_cli_commands, &markdown);
	assert_non_null(strstr(at_strbuf_text(&markdown),
		"| `--budget 200\\|90s\\|10m\\|200,10m` | tune, nightly | "));
}

RUN_SUITE(NULL, NULL)
