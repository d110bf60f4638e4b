/* The page of the manual and the completions are complete and follow from the tables of
   options. */
#include "cli/help.h"

#include "device/device.h"
#include "search/strategy.h"

#include "suite.h"

static void assert_has(const struct at_strbuf *text, const char *format, ...)
{
	RELEASED(at_strbuf_release) struct at_strbuf part = { 0 };
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&part, format, arguments);
	va_end(arguments);
	if (!strstr(at_strbuf_text(text), at_strbuf_text(&part)))
		fail_msg("not there: %s", at_strbuf_text(&part));
}

/* "in-flight" -> "in\-flight" */
static const char *roff(const char *name)
{
	static char out[128];
	size_t length = 0;

	for (; *name && length + 2 < sizeof(out); name++) {
		if (*name == '-')
			out[length++] = '\\';
		out[length++] = *name;
	}
	out[length] = '\0';
	return out;
}

/* ---- the manual -------------------------------------------------------------- */

TEST(tells_every_command_and_option_in_the_manual)
{
	const struct at_cli_command *command;
	const struct at_cli_option *option;
	RELEASED(at_strbuf_release) struct at_strbuf man = { 0 };

	at_help_man(at_cli_commands, &man);
	for (size_t i = 0; (command = at_cli_commands[i]); i++)
		assert_has(&man,
			command == &at_command_tune ? "\n.SS autotune [%s]"
						    : "\n.SS autotune %s",
			command->name);
	for (size_t i = 0; (option = at_help_option_at(at_cli_commands, i)); i++) {
		assert_has(&man, "\\fB\\-\\-%s\\fR", roff(option->name));
		if (option->letter)
			assert_has(&man, "\n.TP\n\\fB\\-%c\\fR, \\fB\\-\\-%s\\fR",
				option->letter, roff(option->name));
	}
}

TEST(tells_strategies_devices_codes_and_variables_in_the_manual)
{
	const struct at_help_variable *variable;
	const struct at_strategy_kind *strategy;
	const struct at_device_kind *device;
	RELEASED(at_strbuf_release) struct at_strbuf man = { 0 };

	at_help_man(at_cli_commands, &man);
	for (size_t i = 0; (strategy = at_strategy_kind_at(i)); i++)
		assert_has(&man, "\n.TP\n\\fB%s\\fR\n", strategy->name);
	for (size_t i = 0; (device = at_device_kind_at(i)); i++)
		assert_has(&man, "\n.TP\n\\fB%s\\fR\n", device->name);
	for (size_t i = 0; (variable = at_help_variable_at(i)); i++)
		assert_has(&man, "\n.TP\n\\fB%s\\fR\n", variable->name);
#define ASSERT_EXIT(symbol, code, text) assert_has(&man, "\n.TP\n\\fB%d\\fR\n", code);
	AT_EXITS(ASSERT_EXIT)
#undef ASSERT_EXIT
}

/* A line of text that begins with a dot or a quote would be taken for a request, and a
   hyphen that is not escaped may become another character: what is copied from the page
   to a command line must work. */
TEST(writes_nothing_in_the_manual_that_roff_takes_for_its_own)
{
	static const char *const requests[] = { ".\\\" ", ".TH ", ".SH ", ".SS ",
		".TP\n", ".PP\n", ".br\n", ".nh\n", ".ad l\n", ".in", ".nf\n",
		".fi\n" };
	RELEASED(at_strbuf_release) struct at_strbuf man = { 0 };

	at_help_man(at_cli_commands, &man);
	for (const char *line = at_strbuf_text(&man); *line;) {
		size_t length = strcspn(line, "\n");
		bool known = false;

		assert_int_not_equal(line[0], '\'');
		for (size_t i = 0; i < AT_COUNT_OF(requests); i++)
			known |= !strncmp(line, requests[i], strlen(requests[i]));
		assert_true(line[0] != '.' || known);
		for (size_t i = 0; i < length && line[0] != '.'; i++)
			assert_true(line[i] != '-' || (i && line[i - 1] == '\\'));
		line += length + 1;
	}
}

/* ---- completions ------------------------------------------------------------- */

/* What is offered for a line whose last word is still being typed: each line up
   to its tab, with a blank after it. */
static char *offered(const char *line)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_strbuf out = { 0 };
	char *copy = at_strdup(line), *words[16];
	size_t count = 0;

	for (char *at = copy;; at++) {
		assert_true(count < AT_COUNT_OF(words));
		words[count++] = at;
		at += strcspn(at, " ");
		if (!*at)
			break;
		*at = '\0';
	}
	at_help_complete(at_cli_commands, count, words, &text);
	for (const char *at = at_strbuf_text(&text); *at; at += strcspn(at, "\n") + 1)
		at_strbuf_addf(&out, "%.*s ", (int)strcspn(at, "\t\n"), at);
	free(copy);
	return at_strbuf_detach(&out);
}

TEST(offers_what_may_follow)
{
	static const char *const rows[][2] = {
		{ "ch", "check :.cfg " },
		{ "check ", ":.cfg " },
		{ "check --cov", "--cover " },
		{ "check --fr", "" },
		{ "check -", "--device --arch --problem " },
		{ "check --he", "--help " },
		{ "header -o", "-o " },
		{ "one.cfg c", ":.cfg " },
		{ "--strategy ge", "genetic " },
		{ "--strategy=ge", "--strategy=genetic " },
		{ "--strategy random,ge", "random,genetic " },
		{ "--device cuda:", "cuda:all cuda:0 " },
		{ "--device=cuda:0,ho", "--device=cuda:0,host " },
		/* the word of this option may be left out */
		{ "one.cfg --sanitize n", ":.cfg never " },
		{ "one.cfg --sanitize=",
			"--sanitize=podium --sanitize=winner --sanitize=never " },
		{ "--sanitize never ch", "check :.cfg " },
		/* the value of an option is no command */
		{ "--results check --strat", "--strategy " },
		{ "--results ", ":" },
		{ "--results=x", ":" },
		{ "--seed ", "" },
		{ "--unknown=", "" },
		{ "-- ch", ":.cfg " },
		{ "check -- --", ":.cfg " },
		{ "simulate ", ":.json .json.gz .db " },
		{ "simulate x --plot ", ":* " },
		{ "compare ", ":* " },
		{ "devices ", "" },
		{ "help --completion ", "bash zsh fish " },
		{ "help re", "results report " },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(free) char *found = offered(rows[i][0]);

		if (strncmp(found, rows[i][1], strlen(rows[i][1])) != 0 ||
			(!*rows[i][1] && *found))
			fail_msg("\"autotune %s\": expected %s, found %s", rows[i][0],
				rows[i][1], found);
	}
}

TEST(offers_the_options_of_each_command_and_no_others)
{
	const struct at_cli_command *command;
	const struct at_cli_option *option;

	for (size_t i = 0; (command = at_cli_commands[i]); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf line = { 0 };
		OWNED(free) char *found;

		at_strbuf_addf(&line, "%s -", command->name);
		found = offered(at_strbuf_text(&line));
		for (size_t k = 0; (option = at_help_option_at(at_cli_commands, k));
			k++) {
			at_strbuf_clear(&line);
			at_strbuf_addf(&line, "--%s ", option->name);
			assert_int_equal(strstr(found, at_strbuf_text(&line)) != NULL,
				at_help_has_option(command, option->name));
		}
	}
}

/* The shells get words that need no quotes, and every strategy and kind of device. */
TEST(offers_strategies_and_kinds_of_devices)
{
	OWNED(free)
	char *strategies = offered("--strategy "), *devices = offered("--device ");
	const struct at_strategy_kind *strategy;
	const struct at_device_kind *device;

	for (size_t i = 0; (strategy = at_strategy_kind_at(i)); i++)
		assert_non_null(strstr(strategies, strategy->name));
	for (size_t i = 0; (device = at_device_kind_at(i)); i++)
		assert_non_null(strstr(devices, device->name));
	assert_int_equal(strcspn(strategies, "'\"\\$*?()&|;<>#~`"), strlen(strategies));
	assert_int_equal(strcspn(devices, "'\"\\$*?()&|;<>#~`"), strlen(devices));
}

TEST(tells_the_first_phrase_of_a_meaning)
{
	char *const words[] = { "check", "--pro" }, *const command[] = { "chec" };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_help_complete(at_cli_commands, 2, words, &text);
	assert_string_equal(at_strbuf_text(&text),
		"--problem\ttake only this problem of the space\n");
	at_strbuf_clear(&text);
	at_help_complete(at_cli_commands, 1, command, &text);
	assert_has(&text, "check\t%s\n", at_command_check.summary);
}

RUN_SUITE(NULL, NULL)
