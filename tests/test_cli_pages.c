/* The page of the manual and the completions are complete and follow from the tables of
   options. */
#include "cli/help.h"

#include "device/device.h"
#include "search/strategy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_has(const struct at_strbuf *text, const char *format, ...)
{
	struct at_strbuf part = { 0 };
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&part, format, arguments);
	va_end(arguments);
	if (!strstr(at_strbuf_text(text), at_strbuf_text(&part)))
		fail_msg("not there: %s", at_strbuf_text(&part));
	at_strbuf_release(&part);
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

static void tells_every_command_and_option_in_the_manual(void **state)
{
	const struct at_cli_command *command;
	const struct at_cli_option *option;
	struct at_strbuf man = { 0 };

	(void)state;
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
	at_strbuf_release(&man);
}

static void tells_strategies_devices_codes_and_variables_in_the_manual(void **state)
{
	const struct at_help_variable *variable;
	const struct at_strategy_kind *strategy;
	const struct at_device_kind *device;
	struct at_strbuf man = { 0 };

	(void)state;
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
	at_strbuf_release(&man);
}

/* A line of text that begins with a dot or a quote would be taken for a request, and a
   hyphen that is not escaped may become another character: what is copied from the page
   to a command line must work. */
static void writes_nothing_in_the_manual_that_roff_takes_for_its_own(void **state)
{
	static const char *const requests[] = { ".\\\" ", ".TH ", ".SH ", ".SS ",
		".TP\n", ".PP\n", ".br\n", ".nh\n", ".ad l\n", ".in", ".nf\n",
		".fi\n" };
	struct at_strbuf man = { 0 };

	(void)state;
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
	at_strbuf_release(&man);
}

/* ---- completions ------------------------------------------------------------- */

/* What is offered for a line whose last word is still being typed: each line up
   to its tab, with a blank after it. */
static char *offered(const char *line)
{
	struct at_strbuf text = { 0 }, out = { 0 };
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
	at_strbuf_release(&text);
	return at_strbuf_detach(&out);
}

static void offers_what_may_follow(void **state)
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

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		char *found = offered(rows[i][0]);

		if (strncmp(found, rows[i][1], strlen(rows[i][1])) != 0 ||
			(!*rows[i][1] && *found))
			fail_msg("\"autotune %s\": expected %s, found %s", rows[i][0],
				rows[i][1], found);
		free(found);
	}
}

static void offers_the_options_of_each_command_and_no_others(void **state)
{
	const struct at_cli_command *command;
	const struct at_cli_option *option;

	(void)state;
	for (size_t i = 0; (command = at_cli_commands[i]); i++) {
		struct at_strbuf line = { 0 };
		char *found;

		at_strbuf_addf(&line, "%s -", command->name);
		found = offered(at_strbuf_text(&line));
		for (size_t k = 0; (option = at_help_option_at(at_cli_commands, k));
			k++) {
			at_strbuf_clear(&line);
			at_strbuf_addf(&line, "--%s ", option->name);
			assert_int_equal(strstr(found, at_strbuf_text(&line)) != NULL,
				option == &at_option_help ||
					option == &at_option_version ||
					at_help_has_option(command, option));
		}
		free(found);
		at_strbuf_release(&line);
	}
}

/* The shells get words that need no quotes, and every strategy and kind of device. */
static void offers_strategies_and_kinds_of_devices(void **state)
{
	char *strategies = offered("--strategy "), *devices = offered("--device ");
	const struct at_strategy_kind *strategy;
	const struct at_device_kind *device;

	(void)state;
	for (size_t i = 0; (strategy = at_strategy_kind_at(i)); i++)
		assert_non_null(strstr(strategies, strategy->name));
	for (size_t i = 0; (device = at_device_kind_at(i)); i++)
		assert_non_null(strstr(devices, device->name));
	assert_int_equal(strcspn(strategies, "'\"\\$*?()&|;<>#~`"), strlen(strategies));
	assert_int_equal(strcspn(devices, "'\"\\$*?()&|;<>#~`"), strlen(devices));
	free(strategies);
	free(devices);
}

static void tells_the_first_phrase_of_a_meaning(void **state)
{
	char *const words[] = { "check", "--pro" }, *const command[] = { "chec" };
	struct at_strbuf text = { 0 };

	(void)state;
	at_help_complete(at_cli_commands, 2, words, &text);
	assert_string_equal(at_strbuf_text(&text),
		"--problem\ttake only this problem of the space\n");
	at_strbuf_clear(&text);
	at_help_complete(at_cli_commands, 1, command, &text);
	assert_has(&text, "check\t%s\n", at_command_check.summary);
	at_strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_every_command_and_option_in_the_manual),
		cmocka_unit_test(
			tells_strategies_devices_codes_and_variables_in_the_manual),
		cmocka_unit_test(
			writes_nothing_in_the_manual_that_roff_takes_for_its_own),
		cmocka_unit_test(offers_what_may_follow),
		cmocka_unit_test(offers_the_options_of_each_command_and_no_others),
		cmocka_unit_test(offers_strategies_and_kinds_of_devices),
		cmocka_unit_test(tells_the_first_phrase_of_a_meaning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
