/* Help texts, and the tables of cli/README.md, all from the tables of the commands. */
#include "cli/help.h"

#include "base/sandbox.h"
#include "cli/format.h"
#include "device/device.h"
#include "search/strategy.h"

#include <string.h>

/* Most options fit before this column, together with their values. */
#define TEXT_COLUMN 28
/* If a terminal leaves the text fewer columns than this, the text goes below the
   option. */
#define TEXT_LEAST 40
#define TEXT_COLUMN_BELOW 6

/* "  left      right", with the right side wrapped. */
static void add_row(
	struct at_strbuf *out, int columns, const char *left, const char *right)
{
	const int column =
		columns < TEXT_COLUMN + TEXT_LEAST ? TEXT_COLUMN_BELOW : TEXT_COLUMN;
	size_t start = out->length;

	at_strbuf_addf(out, "  %s", left);
	if (out->length - start >= (size_t)column) {
		at_strbuf_add_char(out, '\n');
		start = out->length;
	}
	at_format_pad(out, start, (size_t)column);
	at_format_wrap(out, right, column, column, columns);
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

bool at_help_is_shown(const struct at_cli_option *option)
{
	return option->help || option->add_help;
}

void at_help_add_option_text(struct at_strbuf *out, const struct at_cli_option *option)
{
	if (option->help)
		at_strbuf_add(out, option->help);
	else if (option->add_help)
		option->add_help(out);
}

static void add_option(
	struct at_strbuf *out, int columns, const struct at_cli_option *option)
{
	struct at_strbuf left = { 0 }, help = { 0 };

	if (!at_help_is_shown(option))
		return;
	add_option_name(&left, option);
	at_help_add_option_text(&help, option);
	add_row(out, columns, at_strbuf_text(&left), at_strbuf_text(&help));
	at_strbuf_release(&left);
	at_strbuf_release(&help);
}

void at_help_add_usage(struct at_strbuf *out, const struct at_cli_command *command)
{
	at_strbuf_addf(out, command == &at_command_tune ? "[%s]" : "%s", command->name);
	if (*command->operands)
		at_strbuf_addf(out, " %s", command->operands);
}

static void add_commands(
	const struct at_cli_command *const *all, int columns, struct at_strbuf *out)
{
	const struct at_cli_command *command;

	for (size_t i = 0; (command = all[i]); i++) {
		struct at_strbuf left = { 0 };

		at_help_add_usage(&left, command);
		add_row(out, columns, at_strbuf_text(&left), command->summary);
		at_strbuf_release(&left);
	}
}

static void add_exits(struct at_strbuf *out, int columns)
{
#define AT_EXIT_ROW(symbol, code, text) add_row(out, columns, #code, text);
	AT_EXITS(AT_EXIT_ROW)
#undef AT_EXIT_ROW
}

static void add_strategies(struct at_strbuf *out, int columns)
{
	const struct at_strategy_kind *kind;

	for (size_t i = 0; (kind = at_strategy_kind_at(i)); i++)
		add_row(out, columns, kind->name, kind->summary);
}

static void add_devices(struct at_strbuf *out, int columns)
{
	const struct at_device_kind *kind;

	for (size_t i = 0; (kind = at_device_kind_at(i)); i++)
		add_row(out, columns, kind->name, kind->summary);
}

/* ---- options of all commands --------------------------------------------------- */

/* Whether an earlier command has this option, so that each is listed once. */
static bool is_listed(const struct at_cli_command *const *all,
	const struct at_cli_option *option, size_t command_index)
{
	for (size_t i = 0; i < command_index; i++)
		if (at_help_has_option(all[i], option->name))
			return true;
	return false;
}

const struct at_cli_option *at_help_option_at(
	const struct at_cli_command *const *all, size_t index)
{
	const struct at_cli_option *option;

	for (size_t i = 0; all[i]; i++)
		for (size_t k = 0; (option = at_cli_option_at(all[i], k)); k++)
			if (at_help_is_shown(option) && !at_cli_is_everywhere(option) &&
				!is_listed(all, option, i) && !index--)
				return option;
	for (size_t k = 0; (option = at_cli_option_at(all[0], k)); k++)
		if (at_cli_is_everywhere(option) && !index--)
			return option;
	return NULL;
}

void at_help_add_owners(const struct at_cli_command *const *all, struct at_strbuf *out,
	const struct at_cli_option *option)
{
	const struct at_cli_command *command;
	const char *separator = "";

	if (at_cli_is_everywhere(option))
		at_strbuf_add(out, "every command");
	for (size_t i = 0; (command = all[i]) && !at_cli_is_everywhere(option); i++) {
		if (!at_help_has_option(command, option->name))
			continue;
		at_strbuf_addf(out, "%s%s", separator, command->name);
		separator = ", ";
	}
}

static const struct at_help_variable variables[] = {
	{ "AUTOTUNE_NVRTC", "the NVRTC library to use" },
	{ "AUTOTUNE_NVCC", "the nvcc to use, for spaces that ask for it" },
	{ "AUTOTUNE_CUPTI", "the CUPTI library to use, for capture" },
	{ "CUDA_HOME", "the folder of the CUDA toolkit" },
	{ "CUDA_PATH", "another folder of the CUDA toolkit, searched after CUDA_HOME" },
	{ "AUTOTUNE_CXX", "the C++ compiler for the device host" },
	{ "CXX", "the C++ compiler for the device host if AUTOTUNE_CXX is not set" },
	{ AT_SANDBOX_VARIABLE,
		"off: run compilers without the sandbox, for a compiler that is a wrapper with a cache or a server" },
	{ "AUTOTUNE_LOCKS",
		"the folder of the lock files by which runs take turns on a device (default: /tmp)" },
	{ "AUTOTUNE_CACHE",
		"the folder that keeps compiled kernels (default: autotune/units in XDG_CACHE_HOME, else in ~/.cache)" },
	{ "AUTOTUNE_CACHE_MB",
		"the most that this folder keeps, in MiB; 0 keeps nothing (default: 2048)" },
	{ "XDG_CACHE_HOME",
		"the folder of all caches, used if AUTOTUNE_CACHE is not set (default: ~/.cache)" },
	{ "AUTOTUNE_PATIENCE",
		"how long a run waits while the machine lacks memory, disk space or processes, in seconds (default: 300)" },
	{ "NO_COLOR", "any value: print no colours on a terminal" },
	{ "TMPDIR", "the folder of temporary files (default: /tmp)" },
};

const struct at_help_variable *at_help_variable_at(size_t index)
{
	return index < AT_COUNT_OF(variables) ? &variables[index] : NULL;
}

/* ---- help on a terminal ------------------------------------------------------ */

#define USAGE \
	"usage: autotune [tune] SPACE... [OPTION]...\n" \
	"       autotune COMMAND ... [OPTION]...\n\n"

void at_help_first(
	const struct at_cli_command *const *all, int columns, struct at_strbuf *out)
{
	struct at_strbuf names = { 0 };

	for (size_t i = 0; all[i]; i++)
		at_strbuf_addf(&names, "%s%s", i ? ", " : "", all[i]->name);
	at_strbuf_add(out,
		USAGE "  autotune spaces/matmul.cfg          tunes a kernel\n"
		      "  autotune report spaces/matmul.cfg   explains the winner\n"
		      "\ncommands: ");
	at_format_wrap(out, at_strbuf_text(&names), 10, 10, columns);
	at_strbuf_add(
		out, "\n\"autotune help\" lists commands, options and exit codes.\n");
	at_strbuf_release(&names);
}

void at_help_program(
	const struct at_cli_command *const *all, int columns, struct at_strbuf *out)
{
	const struct at_cli_option *option;

	at_strbuf_add(out, USAGE);
	at_format_wrap(out,
		"Finds the fastest correct configuration of a CUDA kernel for each device and each problem that its space file names, records every evaluation, and writes a C header with the winners.",
		0, 0, columns);
	at_strbuf_add(out, "\n\ncommands\n");
	add_commands(all, columns, out);
	at_strbuf_add(out, "\noptions of tune\n");
	for (size_t i = 0; (option = at_cli_option_at(&at_command_tune, i)); i++) {
		if (!strcmp(option->name, "help"))
			at_strbuf_add(out, "\noptions of every command\n");
		add_option(out, columns, option);
	}
	at_strbuf_add(out, "\nexit codes\n");
	add_exits(out, columns);
	at_strbuf_add(out, "\n\"autotune help COMMAND\" explains one command.\n");
}

bool at_help_has_option(const struct at_cli_command *command, const char *name)
{
	const struct at_cli_option *own;
	size_t i = 0;

	while ((own = at_cli_option_at(command, i)) && strcmp(own->name, name) != 0)
		i++;
	return own != NULL;
}

void at_help_command(
	const struct at_cli_command *command, int columns, struct at_strbuf *out)
{
	const struct at_cli_option *option;

	at_strbuf_add(out, "usage: autotune ");
	at_help_add_usage(out, command);
	at_strbuf_add(out, *command->options ? " [OPTION]...\n\n" : "\n\n");
	at_format_wrap(out, command->summary, 0, 0, columns);
	at_strbuf_add(out, "\n");
	if (command->details) {
		at_strbuf_add(out, "\n");
		at_format_wrap(out, command->details, 0, 0, columns);
		at_strbuf_add(out, "\n");
	}
	at_strbuf_add(out, "\noptions\n");
	for (size_t i = 0; (option = at_cli_option_at(command, i)); i++)
		add_option(out, columns, option);
	if (at_help_has_option(command, "strategy")) {
		at_strbuf_add(out, "\nstrategies\n");
		add_strategies(out, columns);
	}
	if (at_help_has_option(command, "device")) {
		at_strbuf_add(out, "\ndevices\n");
		add_devices(out, columns);
	}
}

/* ---- Markdown ------------------------------------------------------------ */

/* Escapes '|', which would end the cell even inside a code span. */
static void add_cell(struct at_strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			at_strbuf_add_char(out, '\\');
		at_strbuf_add_char(out, *text);
	}
}

static void add_markdown_commands(
	const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_command *command;

	at_strbuf_add(out, "| command | what it does |\n| --- | --- |\n");
	for (size_t i = 0; (command = all[i]); i++) {
		at_strbuf_add(out, "| `autotune ");
		at_help_add_usage(out, command);
		at_strbuf_add(out, "` | ");
		add_cell(out, command->summary);
		at_strbuf_add(out, " |\n");
	}
}

static void add_markdown_option(const struct at_cli_command *const *all,
	struct at_strbuf *out, const struct at_cli_option *option)
{
	struct at_strbuf text = { 0 };

	add_option_name(&text, option);
	at_strbuf_add(out, "| `");
	add_cell(out, at_strbuf_text(&text));
	at_strbuf_add(out, "` | ");
	at_help_add_owners(all, out, option);
	at_strbuf_clear(&text);
	at_help_add_option_text(&text, option);
	at_strbuf_add(out, " | ");
	add_cell(out, at_strbuf_text(&text));
	at_strbuf_add(out, " |\n");
	at_strbuf_release(&text);
}

static void add_markdown_options(
	const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_option *option;

	at_strbuf_add(out, "| option | commands | meaning |\n| --- | --- | --- |\n");
	for (size_t i = 0; (option = at_help_option_at(all, i)); i++)
		add_markdown_option(all, out, option);
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

void at_help_markdown(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	add_markdown_commands(all, out);
	at_strbuf_add_char(out, '\n');
	add_markdown_options(all, out);
	at_strbuf_add_char(out, '\n');
	add_markdown_strategies(out);
	at_strbuf_add(out, "\n| exit code | meaning |\n| --- | --- |\n");
#define AT_EXIT_ROW(symbol, code, text) \
	at_strbuf_add(out, "| " #code " | " text " |\n");
	AT_EXITS(AT_EXIT_ROW)
#undef AT_EXIT_ROW
	at_strbuf_add(out, "\n| environment | meaning |\n| --- | --- |\n");
	for (size_t i = 0; i < AT_COUNT_OF(variables); i++) {
		at_strbuf_addf(out, "| `%s` | ", variables[i].name);
		add_cell(out, variables[i].help);
		at_strbuf_add(out, " |\n");
	}
}
