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

static struct at_strbuf completion(const char *shell)
{
	struct at_strbuf text = { 0 };

	assert_true(at_help_completion(at_cli_commands, shell, &text));
	return text;
}

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

/* From the line that begins a command to the one that begins the next. */
static char *part_of(const struct at_strbuf *text, const char *begin, const char *end)
{
	const char *start = strstr(at_strbuf_text(text), begin), *after;

	if (!start)
		fail_msg("not there: %s", begin);
	after = strstr(start + strlen(begin), end);
	assert_non_null(after);
	return at_strndup(start, (size_t)(after - start));
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

/* in the part of each command, and no other command's there */
static void completes_the_options_of_each_command_in_bash_and_zsh(void **state)
{
	struct at_strbuf bash = completion("bash"), zsh = completion("zsh");
	const struct at_cli_command *command;

	(void)state;
	for (size_t i = 0; (command = at_cli_commands[i]); i++) {
		const struct at_cli_option *option;
		char begin[64];
		char *in_bash, *in_zsh;

		snprintf(begin, sizeof(begin), "\n\t%s)\n",
			command == &at_command_tune ? "*" : command->name);
		in_bash = part_of(&bash, begin, ";;");
		snprintf(begin, sizeof(begin), "\n\t(%s)\n", command->name);
		in_zsh = part_of(&zsh, begin, ";;");
		for (size_t k = 0; (option = at_help_option_at(at_cli_commands, k));
			k++) {
			bool of_all = option == &at_option_help ||
				      option == &at_option_version;
			bool expected = of_all || at_help_has_option(command, option);
			char word[64], quoted[64];
			size_t length;

			snprintf(word, sizeof(word), " --%s ", option->name);
			/* the first one has a quote in front */
			snprintf(quoted, sizeof(quoted), "'--%s ", option->name);
			assert_int_equal(
				strstr(in_bash, word) || strstr(in_bash, quoted),
				expected);
			length = (size_t)snprintf(
				word, sizeof(word), "'*--%s", option->name);
			assert_int_equal(
				strstr(in_zsh, word) != NULL &&
					strchr("=[", strstr(in_zsh, word)[length]) !=
						NULL,
				expected);
		}
		free(in_bash);
		free(in_zsh);
	}
	at_strbuf_release(&bash);
	at_strbuf_release(&zsh);
}

static void completes_commands_and_options_in_fish(void **state)
{
	struct at_strbuf fish = completion("fish"), condition = { 0 };
	const struct at_cli_command *command;
	const struct at_cli_option *option;

	(void)state;
	for (size_t i = 0; (command = at_cli_commands[i]); i++)
		assert_has(&fish,
			"\ncomplete -c autotune -n \"__autotune_is ''\" -f -a %s ",
			command->name);
	for (size_t i = 0; (option = at_help_option_at(at_cli_commands, i)); i++) {
		char begin[64];
		char *line;

		snprintf(begin, sizeof(begin), " -l %s ", option->name);
		line = part_of(&fish, begin, "\n");
		if (option->letter) {
			snprintf(begin, sizeof(begin), " -s %c ", option->letter);
			assert_non_null(strstr(line, begin));
		}
		assert_int_equal(
			strstr(line, " -r ") != NULL, at_help_takes_word(option));
		free(line);
	}
	/* of the commands that have it, and while none is typed where tune has it */
	at_strbuf_add(&condition, " -n \"__autotune_is");
	for (size_t i = 0; (command = at_cli_commands[i]); i++)
		if (at_help_has_option(command, &at_option_device))
			at_strbuf_addf(&condition, " %s%s", command->name,
				command == &at_command_tune ? " ''" : "");
	assert_has(&fish, "%s\" -l device ", at_strbuf_text(&condition));
	at_strbuf_release(&condition);
	at_strbuf_release(&fish);
}

static void offers_the_words_of_an_option_in_every_shell(void **state)
{
	const struct at_cli_option *option;
	const char *shell;
	size_t count = 0;

	(void)state;
	for (size_t k = 0; (shell = at_help_shell_at(k)); k++) {
		struct at_strbuf text = completion(shell);

		for (size_t i = 0; (option = at_help_option_at(at_cli_commands, i));
			i++) {
			struct at_strbuf words = { 0 }, escaped = { 0 };

			if (at_help_option_offer(option) != AT_OFFER_WORDS)
				continue;
			at_help_add_words(&words, option);
			for (const char *c = at_strbuf_text(&words); *c; c++) {
				/* of an argument of zsh's _arguments a colon is the
				   end of a part */
				if (*c == ':' && !strcmp(shell, "zsh"))
					at_strbuf_add_char(&escaped, '\\');
				at_strbuf_add_char(&escaped, *c);
			}
			assert_has(&text, "%s", at_strbuf_text(&escaped));
			count++;
			at_strbuf_release(&words);
			at_strbuf_release(&escaped);
		}
		at_strbuf_release(&text);
	}
	/* --device, --strategy, --sanitize, --completion in three shells */
	assert_true(count >= 12);
}

static void offers_words_that_need_no_quotes(void **state)
{
	const struct at_cli_option *option;

	(void)state;
	for (size_t i = 0; (option = at_help_option_at(at_cli_commands, i)); i++) {
		struct at_strbuf words = { 0 };
		const char *text;

		at_help_add_words(&words, option);
		text = at_strbuf_text(&words);
		assert_int_equal(strspn(text, "abcdefghijklmnopqrstuvwxyz"
					      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					      "0123456789_:.+- "),
			strlen(text));
		at_strbuf_release(&words);
	}
}

static void offers_strategies_and_kinds_of_devices(void **state)
{
	struct at_strbuf strategies = { 0 }, devices = { 0 };
	const struct at_strategy_kind *strategy;
	const struct at_device_kind *device;

	(void)state;
	at_help_add_words(&strategies, &at_option_strategy);
	at_help_add_words(&devices, &at_option_device);
	for (size_t i = 0; (strategy = at_strategy_kind_at(i)); i++)
		assert_has(&strategies, "%s", strategy->name);
	for (size_t i = 0; (device = at_device_kind_at(i)); i++)
		assert_has(&devices, device->single ? "%s" : "%s:all", device->name);
	at_strbuf_release(&strategies);
	at_strbuf_release(&devices);
}

static void offers_what_a_value_or_an_operand_is_called(void **state)
{
	static const struct {
		const char *name;
		enum at_offer option, operand;
	} rows[] = {
		{ "SPACE...", AT_OFFER_SPACES, AT_OFFER_SPACES },
		{ "[SPACE...]", AT_OFFER_SPACES, AT_OFFER_SPACES },
		{ "RECORDING...", AT_OFFER_RECORDINGS, AT_OFFER_RECORDINGS },
		{ "[COMMAND]", AT_OFFER_COMMANDS, AT_OFFER_COMMANDS },
		{ "FILE.svg", AT_OFFER_FILES, AT_OFFER_FILES },
		{ "DIR", AT_OFFER_FOLDERS, AT_OFFER_FOLDERS },
		{ "DIRECTION", AT_OFFER_NOTHING, AT_OFFER_FILES },
		{ "A B", AT_OFFER_NOTHING, AT_OFFER_FILES },
		{ "", AT_OFFER_NOTHING, AT_OFFER_NOTHING },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const struct at_cli_option option = { .value = rows[i].name };
		const struct at_cli_command command = { .operands = rows[i].name };

		assert_int_equal(at_help_option_offer(&option), rows[i].option);
		assert_int_equal(at_help_operand_offer(&command), rows[i].operand);
	}
}

/* ---- one line beside a name -------------------------------------------------- */

static void cuts_a_meaning_to_its_first_phrase(void **state)
{
	static const struct {
		const char *help, *brief;
	} rows[] = {
		{ "no progress and no summary: errors", "no progress and no summary" },
		{ "only this one; may be repeated", "only this one" },
		{ "start of all (0); more", "start of all" },
		{ "all of it", "all of it" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const struct at_cli_option option = { .help = rows[i].help };
		struct at_strbuf brief = { 0 };

		at_help_add_brief(&brief, &option);
		assert_string_equal(at_strbuf_text(&brief), rows[i].brief);
		at_strbuf_release(&brief);
	}
}

static void knows_no_other_shell(void **state)
{
	struct at_strbuf text = { 0 };

	(void)state;
	assert_false(at_help_completion(at_cli_commands, "tcsh", &text));
	assert_int_equal(text.length, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_every_command_and_option_in_the_manual),
		cmocka_unit_test(
			tells_strategies_devices_codes_and_variables_in_the_manual),
		cmocka_unit_test(
			writes_nothing_in_the_manual_that_roff_takes_for_its_own),
		cmocka_unit_test(completes_the_options_of_each_command_in_bash_and_zsh),
		cmocka_unit_test(completes_commands_and_options_in_fish),
		cmocka_unit_test(offers_the_words_of_an_option_in_every_shell),
		cmocka_unit_test(offers_words_that_need_no_quotes),
		cmocka_unit_test(offers_strategies_and_kinds_of_devices),
		cmocka_unit_test(offers_what_a_value_or_an_operand_is_called),
		cmocka_unit_test(cuts_a_meaning_to_its_first_phrase),
		cmocka_unit_test(knows_no_other_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
