/* Help texts and the README's tables, all from the tables of the commands. */
#include "cli/cli.h"

#include "cli/format.h"
#include "cli/output.h"
#include "device/device.h"
#include "search/strategy.h"

#include <string.h>

/* of every terminal, and of a page of a manual; not the terminal's own width, so that
   help is the same text everywhere */
#define COLUMNS 80
/* most options with their values fit in front of it */
#define TEXT_COLUMN 28

/* "  left      right", the right side wrapped */
static void add_row(struct at_strbuf *out, const char *left, const char *right)
{
	size_t start = out->length;

	at_strbuf_addf(out, "  %s", left);
	if (out->length - start >= TEXT_COLUMN) {
		at_strbuf_add_char(out, '\n');
		start = out->length;
	}
	at_format_pad(out, start, TEXT_COLUMN);
	at_format_wrap(out, right, TEXT_COLUMN, TEXT_COLUMN, COLUMNS);
	at_strbuf_add_char(out, '\n');
}

/* "-o, --output FILE" */
static void add_option_name(struct at_strbuf *out, const struct at_cli_option *option)
{
	if (option->letter)
		at_strbuf_addf(out, "-%c, ", option->letter);
	at_strbuf_addf(out, "--%s", option->name);
	if (option->value)
		at_strbuf_addf(out, " %s", option->value);
}

/* "" for an option that help does not show */
static void add_option_help(struct at_strbuf *out, const struct at_cli_option *option)
{
	if (option->help)
		at_strbuf_add(out, option->help);
	else if (option->add_help)
		option->add_help(out);
}

static void add_option(struct at_strbuf *out, const struct at_cli_option *option)
{
	struct at_strbuf left = { 0 }, help = { 0 };

	add_option_name(&left, option);
	add_option_help(&help, option);
	if (help.length)
		add_row(out, at_strbuf_text(&left), at_strbuf_text(&help));
	at_strbuf_release(&left);
	at_strbuf_release(&help);
}

/* "[tune] SPACE..." */
static void add_usage(struct at_strbuf *out, const struct at_cli_command *command)
{
	at_strbuf_addf(out, command == &at_command_tune ? "[%s]" : "%s", command->name);
	if (*command->operands)
		at_strbuf_addf(out, " %s", command->operands);
}

static void add_commands(struct at_strbuf *out)
{
	const struct at_cli_command *command;

	for (size_t i = 0; (command = at_cli_command_at(i)); i++) {
		struct at_strbuf left = { 0 };

		add_usage(&left, command);
		add_row(out, at_strbuf_text(&left), command->summary);
		at_strbuf_release(&left);
	}
}

static void add_exits(struct at_strbuf *out)
{
#define AT_EXIT_ROW(symbol, code, text) add_row(out, #code, text);
	AT_EXITS(AT_EXIT_ROW)
#undef AT_EXIT_ROW
}

static void add_strategies(struct at_strbuf *out)
{
	const struct at_strategy_kind *kind;

	for (size_t i = 0; (kind = at_strategy_kind_at(i)); i++)
		add_row(out, kind->name, kind->summary);
}

static void add_devices(struct at_strbuf *out)
{
	const struct at_device_kind *kind;

	for (size_t i = 0; (kind = at_device_kind_at(i)); i++)
		add_row(out, kind->name, kind->summary);
}

void at_help_program(struct at_strbuf *out)
{
	at_strbuf_add(out, "usage: autotune [tune] SPACE... [OPTION]...\n"
			   "       autotune COMMAND ... [OPTION]...\n\n");
	at_format_wrap(out,
		"Finds the fastest correct configuration of a CUDA kernel for each device and each problem that its space file names, records every evaluation, and writes a C header with the winners.",
		0, 0, COLUMNS);
	at_strbuf_add(out, "\n\ncommands\n");
	add_commands(out);
	at_strbuf_add(out, "\noptions of tune\n");
	for (const struct at_cli_option *const *at = at_command_tune.options; *at; at++)
		add_option(out, *at);
	at_strbuf_add(out, "\noptions of every command\n");
	add_option(out, &at_option_help);
	add_option(out, &at_option_version);
	at_strbuf_add(out, "\nexit codes\n");
	add_exits(out);
	at_strbuf_add(
		out, "\n\"autotune help COMMAND\" tells more about one of them.\n");
}

static bool has_option(
	const struct at_cli_command *command, const struct at_cli_option *option)
{
	for (const struct at_cli_option *const *at = command->options; *at; at++)
		if (*at == option)
			return true;
	return false;
}

void at_help_command(const struct at_cli_command *command, struct at_strbuf *out)
{
	at_strbuf_add(out, "usage: autotune ");
	add_usage(out, command);
	at_strbuf_add(out, *command->options ? " [OPTION]...\n\n" : "\n\n");
	at_format_wrap(out, command->summary, 0, 0, COLUMNS);
	at_strbuf_add(out, "\n");
	if (command->details) {
		at_strbuf_add(out, "\n");
		at_format_wrap(out, command->details, 0, 0, COLUMNS);
		at_strbuf_add(out, "\n");
	}
	at_strbuf_add(out, "\noptions\n");
	for (const struct at_cli_option *const *at = command->options; *at; at++)
		add_option(out, *at);
	add_option(out, &at_option_help);
	add_option(out, &at_option_version);
	if (has_option(command, &at_option_strategy)) {
		at_strbuf_add(out, "\nstrategies\n");
		add_strategies(out);
	}
	if (has_option(command, &at_option_device)) {
		at_strbuf_add(out, "\ndevices\n");
		add_devices(out);
	}
}

/* ---- Markdown ------------------------------------------------------------ */

/* A bar would end the cell, also inside a code span. */
static void add_cell(struct at_strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *text);
	}
}

static void add_markdown_commands(struct at_strbuf *out)
{
	const struct at_cli_command *command;

	at_strbuf_add(out, "| command | what it does |\n| --- | --- |\n");
	for (size_t i = 0; (command = at_cli_command_at(i)); i++) {
		at_strbuf_add(out, "| `autotune ");
		add_usage(out, command);
		at_strbuf_add(out, "` | ");
		add_cell(out, command->summary);
		at_strbuf_add(out, " |\n");
	}
}

/* Whether an earlier command has this option: each stands once. */
static bool is_listed(const struct at_cli_option *option, size_t command_index)
{
	for (size_t i = 0; i < command_index; i++)
		if (has_option(at_cli_command_at(i), option))
			return true;
	return false;
}

static void add_markdown_option(
	struct at_strbuf *out, const struct at_cli_option *option)
{
	struct at_strbuf name = { 0 }, help = { 0 };
	const struct at_cli_command *command;
	const char *separator = "";

	add_option_help(&help, option);
	if (!help.length) {
		at_strbuf_release(&help);
		return;
	}
	add_option_name(&name, option);
	at_strbuf_add(out, "| `");
	add_cell(out, at_strbuf_text(&name));
	at_strbuf_add(out, "` | ");
	at_strbuf_release(&name);
	for (size_t i = 0; (command = at_cli_command_at(i)); i++) {
		if (!has_option(command, option))
			continue;
		at_strbuf_addf(out, "%s%s", separator, command->name);
		separator = ", ";
	}
	at_strbuf_addf(out, "%s | ", *separator ? "" : "every command");
	add_cell(out, at_strbuf_text(&help));
	at_strbuf_release(&help);
	at_strbuf_add(out, " |\n");
}

static void add_markdown_options(struct at_strbuf *out)
{
	const struct at_cli_command *command;

	at_strbuf_add(out, "| option | of | meaning |\n| --- | --- | --- |\n");
	for (size_t i = 0; (command = at_cli_command_at(i)); i++)
		for (const struct at_cli_option *const *at = command->options; *at;
			at++)
			if (!is_listed(*at, i))
				add_markdown_option(out, *at);
	add_markdown_option(out, &at_option_help);
	add_markdown_option(out, &at_option_version);
}

static void add_markdown_strategies(struct at_strbuf *out)
{
	const struct at_strategy_kind *kind;

	at_strbuf_add(out, "| strategy | how it searches |\n| --- | --- |\n");
	for (size_t i = 0; (kind = at_strategy_kind_at(i)); i++) {
		at_strbuf_addf(out, "| `%s` | ", kind->name);
		add_cell(out, kind->summary);
		at_strbuf_add(out, " |\n");
	}
}

void at_help_markdown(struct at_strbuf *out)
{
	add_markdown_commands(out);
	at_strbuf_add_char(out, '\n');
	add_markdown_options(out);
	at_strbuf_add_char(out, '\n');
	add_markdown_strategies(out);
	at_strbuf_add(out, "\n| exit code | meaning |\n| --- | --- |\n");
#define AT_EXIT_ROW(symbol, code, text) \
	at_strbuf_add(out, "| " #code " | " text " |\n");
	AT_EXITS(AT_EXIT_ROW)
#undef AT_EXIT_ROW
}

/* ---- the command ---------------------------------------------------------- */

/* Hidden: the tables of the README, for whoever brings it up to date. */
static const struct at_cli_option option_markdown = {
	.name = "markdown",
	.kind = AT_CLI_FLAG,
};

static enum at_exit run_help(const struct at_cli_arguments *arguments)
{
	const char *name = arguments->operand_count ? arguments->operands[0] : NULL;
	const struct at_cli_command *command = name ? at_cli_command_find(name) : NULL;
	struct at_strbuf text = { 0 };

	if (name && !command) {
		struct at_error err = { 0 };
		size_t place;

		/* the message for a mistyped command, with its suggestion */
		at_cli_choose(1, arguments->operands, &place, &err);
		if (!err.status)
			at_fail(&err, AT_EINVAL, NULL, 0,
				"\"%s\" is no command; see \"autotune help\"", name);
		at_say_error(&err);
		return AT_EXIT_USAGE;
	}
	if (at_cli_given(arguments, &option_markdown))
		at_help_markdown(&text);
	else if (command)
		at_help_command(command, &text);
	else
		at_help_program(&text);
	at_print(&text);
	at_strbuf_release(&text);
	return AT_EXIT_DONE;
}

static const struct at_cli_option *const options[] = { &option_markdown, NULL };

const struct at_cli_command at_command_help = {
	.name = "help",
	.operands = "[COMMAND]",
	.summary = "explain the program, or one command",
	.operands_maximum = 1,
	.options = options,
	.run = run_help,
};
