/* All help from the tables of the commands: help on a terminal, the tables of
   cli/README.md, the manual page, and the words that shells offer. */
#include "cli/help.h"

#include "cli/format.h"
#include "cli/output.h"

#include "base/file.h"
#include "base/sandbox.h"
#include "device/device.h"
#include "search/strategy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most options and their values fit before this column. */
#define TEXT_COLUMN 28
/* With fewer columns for the text, the text goes below the option. */
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

static bool is_shown(const struct at_cli_option *option)
{
	return option->help || option->add_help;
}

static void add_option_text(struct at_strbuf *out, const struct at_cli_option *option)
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

	if (!is_shown(option))
		return;
	add_option_name(&left, option);
	add_option_text(&help, option);
	add_row(out, columns, at_strbuf_text(&left), at_strbuf_text(&help));
	at_strbuf_release(&left);
	at_strbuf_release(&help);
}

static void add_usage(struct at_strbuf *out, const struct at_cli_command *command)
{
	at_strbuf_addf(out, command == &at_command_tune ? "[%s]" : "%s", command->name);
	if (*command->operands)
		at_strbuf_addf(out, " %s", command->operands);
}

/* A list of names and meanings. */
enum list { STRATEGIES, DEVICES, EXITS, VARIABLES };

static struct at_help_variable row_of(enum list list, size_t index)
{
	static const struct at_help_variable exits[] = {
#define AT_EXIT_ROW(symbol, code, text) { #code, text },
		AT_EXITS(AT_EXIT_ROW)
#undef AT_EXIT_ROW
	};
	const struct at_strategy_kind *strategy;
	const struct at_device_kind *device;

	if (list == STRATEGIES && (strategy = at_strategy_kind_at(index)))
		return (struct at_help_variable){ strategy->name, strategy->summary };
	if (list == DEVICES && (device = at_device_kind_at(index)))
		return (struct at_help_variable){ device->name, device->summary };
	if (list == EXITS && index < AT_COUNT_OF(exits))
		return exits[index];
	if (list == VARIABLES && at_help_variable_at(index))
		return *at_help_variable_at(index);
	return (struct at_help_variable){ 0 };
}

static void add_list(
	struct at_strbuf *out, int columns, const char *heading, enum list list)
{
	struct at_help_variable row;

	at_strbuf_addf(out, "\n%s\n", heading);
	for (size_t i = 0; (row = row_of(list, i)).name; i++)
		add_row(out, columns, row.name, row.help);
}

/* ---- options of all commands --------------------------------------------------- */

/* Whether an earlier command has this option: each is listed once. */
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
			if (is_shown(option) && !at_cli_is_everywhere(option) &&
				!is_listed(all, option, i) && !index--)
				return option;
	for (size_t k = 0; (option = at_cli_option_at(all[0], k)); k++)
		if (at_cli_is_everywhere(option) && !index--)
			return option;
	return NULL;
}

static void add_owners(const struct at_cli_command *const *all, struct at_strbuf *out,
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
	for (size_t i = 0; all[i]; i++) {
		struct at_strbuf left = { 0 };

		add_usage(&left, all[i]);
		add_row(out, columns, at_strbuf_text(&left), all[i]->summary);
		at_strbuf_release(&left);
	}
	at_strbuf_add(out, "\noptions of tune\n");
	for (size_t i = 0; (option = at_cli_option_at(&at_command_tune, i)); i++) {
		if (!strcmp(option->name, "help"))
			at_strbuf_add(out, "\noptions of every command\n");
		add_option(out, columns, option);
	}
	add_list(out, columns, "exit codes", EXITS);
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
	add_usage(out, command);
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
	if (at_help_has_option(command, "strategy"))
		add_list(out, columns, "strategies", STRATEGIES);
	if (at_help_has_option(command, "device"))
		add_list(out, columns, "devices", DEVICES);
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

/* mark: surrounds the names */
static void add_markdown_list(struct at_strbuf *out, const char *first,
	const char *second, enum list list, const char *mark)
{
	struct at_help_variable row;

	at_strbuf_addf(out, "\n| %s | %s |\n| --- | --- |\n", first, second);
	for (size_t i = 0; (row = row_of(list, i)).name; i++) {
		at_strbuf_addf(out, "| %s%s%s | ", mark, row.name, mark);
		add_cell(out, row.help);
		at_strbuf_add(out, " |\n");
	}
}

void at_help_markdown(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_option *option;
	const struct at_cli_command *command;

	at_strbuf_add(out, "| command | what it does |\n| --- | --- |\n");
	for (size_t i = 0; (command = all[i]); i++) {
		at_strbuf_add(out, "| `autotune ");
		add_usage(out, command);
		at_strbuf_add(out, "` | ");
		add_cell(out, command->summary);
		at_strbuf_add(out, " |\n");
	}
	at_strbuf_add_char(out, '\n');
	at_strbuf_add(out, "| option | commands | meaning |\n| --- | --- | --- |\n");
	for (size_t i = 0; (option = at_help_option_at(all, i)); i++) {
		struct at_strbuf text = { 0 };

		add_option_name(&text, option);
		at_strbuf_add(out, "| `");
		add_cell(out, at_strbuf_text(&text));
		at_strbuf_add(out, "` | ");
		add_owners(all, out, option);
		at_strbuf_clear(&text);
		add_option_text(&text, option);
		at_strbuf_add(out, " | ");
		add_cell(out, at_strbuf_text(&text));
		at_strbuf_add(out, " |\n");
		at_strbuf_release(&text);
	}
	add_markdown_list(out, "exit code", "meaning", EXITS, "");
	add_markdown_list(out, "environment", "meaning", VARIABLES, "`");
}

/* ---- the manual: autotune(1), in the macros of man(7) -------------------------- */

/* ---- text ------------------------------------------------------------------ */

/* Escapes characters that roff would interpret. */
static void add_text(struct at_strbuf *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		bool begins = i == 0 || text[i - 1] == '\n';

		if (begins && c == '.')
			at_strbuf_add(out, "\\&");
		if (c == '\\')
			at_strbuf_add(out, "\\e");
		else if (c == '-')
			at_strbuf_add(out, "\\-");
		else if (c == '\'')
			at_strbuf_add(out, "\\(aq");
		else if (c == '`')
			at_strbuf_add(out, "\\(ga");
		else if (c == '^')
			at_strbuf_add(out, "\\(ha");
		else if (c == '~')
			at_strbuf_add(out, "\\(ti");
		else
			at_strbuf_add_char(out, c);
	}
}

static void add_whole(struct at_strbuf *out, const char *text)
{
	add_text(out, text, strlen(text));
}

/* Writes a phrase as a sentence. */
static void add_sentence(struct at_strbuf *out, const char *text)
{
	char first = *text;

	if (first >= 'a' && first <= 'z')
		first = (char)(first - 'a' + 'A');
	add_text(out, &first, 1);
	add_whole(out, text + 1);
	at_strbuf_add(out, ".\n");
}

/* Writes a command's details: each line is a paragraph; indented lines are not
   filled. */
static void add_paragraphs(struct at_strbuf *out, const char *text)
{
	bool is_verbatim = false, begun = false;

	for (;;) {
		size_t length = strcspn(text, "\n");

		if ((*text == ' ') != is_verbatim && length) {
			is_verbatim = *text == ' ';
			at_strbuf_add(out, is_verbatim ? ".PP\n.in +4n\n.nf\n"
						       : ".fi\n.in\n.PP\n");
		} else if (length && !is_verbatim && begun) {
			at_strbuf_add(out, ".PP\n");
		}
		begun |= length != 0;
		if (length) {
			size_t indent = strspn(text, " ");

			add_text(out, text + indent, length - indent);
			at_strbuf_add_char(out, '\n');
		}
		if (!text[length])
			break;
		text += length + 1;
	}
	if (is_verbatim)
		at_strbuf_add(out, ".fi\n.in\n");
}

/* ---- sections ---------------------------------------------------------------- */

/* "-o, --output FILE": the names in bold, the value in italics */
static void add_roff_name(struct at_strbuf *out, const struct at_cli_option *option)
{
	if (option->letter)
		at_strbuf_addf(out, "\\fB\\-%c\\fR, ", option->letter);
	at_strbuf_add(out, "\\fB\\-\\-");
	add_whole(out, option->name);
	at_strbuf_add(out, "\\fR");
	if (option->value) {
		at_strbuf_add(out, " \\fI");
		add_whole(out, option->value);
		at_strbuf_add(out, "\\fR");
	}
}

static void add_roff_options(
	const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_option *option;

	at_strbuf_add(out,
		".SH OPTIONS\n"
		"Options may stand anywhere on the line; everything after \\fB\\-\\-\\fR is an\n"
		"operand.\n");
	for (size_t i = 0; (option = at_help_option_at(all, i)); i++) {
		struct at_strbuf text = { 0 };

		at_strbuf_add(out, ".TP\n");
		add_roff_name(out, option);
		at_strbuf_add_char(out, '\n');
		add_option_text(&text, option);
		add_sentence(out, at_strbuf_text(&text));
		at_strbuf_clear(&text);
		at_strbuf_add(out, "Taken by ");
		add_owners(all, &text, option);
		add_whole(out, at_strbuf_text(&text));
		at_strbuf_add(out, ".\n");
		at_strbuf_release(&text);
	}
}

/* The items of a list, with their names in bold. */
static void add_roff_list(struct at_strbuf *out, const char *heading, enum list list)
{
	struct at_help_variable row;

	at_strbuf_addf(out, ".SH %s\n", heading);
	for (size_t i = 0; (row = row_of(list, i)).name; i++) {
		at_strbuf_add(out, ".TP\n\\fB");
		add_whole(out, row.name);
		at_strbuf_add(out, "\\fR\n");
		add_sentence(out, row.help);
	}
}

void at_help_man(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_command *command;

	at_strbuf_add(out,
		".\\\" Written by \"autotune help --man\".\n"
		".TH AUTOTUNE 1 \"\" \"autotune " AT_VERSION "\" \"User Commands\"\n"
		".nh\n.ad l\n"
		".SH NAME\n"
		"autotune \\- find the fastest correct configuration of a CUDA kernel\n"
		".SH SYNOPSIS\n"
		"\\fBautotune\\fR [\\fBtune\\fR] \\fISPACE\\fR... [\\fIOPTION\\fR]...\n"
		".br\n"
		"\\fBautotune\\fR \\fICOMMAND\\fR ... [\\fIOPTION\\fR]...\n"
		".SH DESCRIPTION\n"
		"A kernel is written once, as a template whose tuning parameters are macros. A\n"
		"space file says which values they may take, how the kernel is launched and\n"
		"what it must compute.\n"
		"\\fBautotune\\fR compiles configurations, proves them against a reference,\n"
		"measures them, records every evaluation, and writes the winner for each device\n"
		"and problem to a result file and to a C header that a build includes.\n");
	at_strbuf_add(out, ".SH COMMANDS\n");
	for (size_t i = 0; (command = all[i]); i++) {
		const struct at_cli_option *option;
		const char *separator = "";
		struct at_strbuf usage = { 0 };

		add_usage(&usage, command);
		at_strbuf_add(out, ".SS autotune ");
		add_whole(out, at_strbuf_text(&usage));
		at_strbuf_add_char(out, '\n');
		add_sentence(out, command->summary);
		if (command->details) {
			at_strbuf_add(out, ".PP\n");
			add_paragraphs(out, command->details);
		}
		for (size_t k = 0; (option = at_cli_option_at(command, k)); k++) {
			if (!is_shown(option) || at_cli_is_everywhere(option))
				continue;
			at_strbuf_add(out, *separator ? separator : ".PP\nOptions:\n");
			add_roff_name(out, option);
			separator = ",\n";
		}
		at_strbuf_add(out, *separator ? ".\n" : "");
		at_strbuf_release(&usage);
	}
	add_roff_options(all, out);
	add_roff_list(out, "STRATEGIES", STRATEGIES);
	add_roff_list(out, "DEVICES", DEVICES);
	add_roff_list(out, "EXIT STATUS", EXITS);
	add_roff_list(out, "ENVIRONMENT", VARIABLES);
	at_strbuf_add(out,
		".SH FILES\n"
		".TP\n\\fIresults/autotune.db\\fR\n"
		"The record: an SQLite database with every evaluation and sample.\n"
		".TP\n\\fIresults/DEVICE/SPACE.json\\fR\n"
		"The winners of a space on a device, for machines and for version control.\n");
}

/* ---- autotune --complete WORD... CURRENT --------------------------------------- */

struct completion {
	const struct at_cli_command *const *all;
	const char *current;
	/* Bytes of current that each offer repeats, as in "--device=cuda:0,". */
	size_t kept;
	struct at_strbuf *out;
};

static void offer(struct completion *self, const char *word, const char *brief)
{
	const char *typed = self->current + self->kept;

	if (!strncmp(word, typed, strlen(typed)))
		at_strbuf_addf(self->out, "%.*s%s\t%s\n", (int)self->kept,
			self->current, word, brief);
}

static void offer_option(struct completion *self, const struct at_cli_option *option)
{
	struct at_strbuf brief = { 0 };
	char name[64];
	struct at_strbuf text = { 0 };
	const char *start;
	size_t length;

	if (!is_shown(option))
		return;
	/* The first phrase of an option's help. */
	static const char *const ends[] = { "; ", " (", ": ", ". " };

	add_option_text(&text, option);
	start = at_strbuf_text(&text);
	length = text.length;
	for (size_t i = 0; i < AT_COUNT_OF(ends); i++) {
		const char *at = strstr(start, ends[i]);

		if (at && (size_t)(at - start) < length)
			length = (size_t)(at - start);
	}
	at_strbuf_add_bytes(&brief, start, length);
	at_strbuf_release(&text);
	snprintf(name, sizeof(name), "--%s", option->name);
	offer(self, name, at_strbuf_text(&brief));
	snprintf(name, sizeof(name), "-%c", option->letter);
	if (option->letter)
		offer(self, name, at_strbuf_text(&brief));
	at_strbuf_release(&brief);
}

static void offer_commands(struct completion *self)
{
	for (size_t i = 0; self->all[i]; i++)
		offer(self, self->all[i]->name, self->all[i]->summary);
}

/* Offers what a value's or operand's name implies: "[SPACE...]", "FILE.svg". */
static void offer_named(
	struct completion *self, const char *name, const char *otherwise)
{
	static const struct {
		const char *name, *files;
	} kinds[] = {
		{ "FILE", ":*" },
		{ "DIR", ":" },
		{ "SPACE", ":.cfg" },
		{ "RECORDING", ":.json .json.gz .db" },
	};
	size_t length;

	name += strspn(name, "[");
	length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
	if (length == strlen("COMMAND") && !strncmp(name, "COMMAND", length)) {
		offer_commands(self);
		return;
	}
	for (size_t i = 0; i < AT_COUNT_OF(kinds); i++)
		if (length == strlen(kinds[i].name) &&
			!strncmp(name, kinds[i].name, length))
			otherwise = kinds[i].files;
	if (*otherwise)
		at_strbuf_addf(self->out, "%s\n", otherwise);
}

static void offer_value(struct completion *self, const struct at_cli_option *option)
{
	struct at_strbuf words = { 0 };
	const char *comma = strrchr(self->current + self->kept, ',');

	if (!option->add_words && !option->words) {
		offer_named(self, option->value ? option->value : "", "");
		return;
	}
	if (option->add_words)
		option->add_words(&words);
	for (size_t i = 0; !option->add_words && option->words[i]; i++)
		at_strbuf_addf(&words, "%s ", option->words[i]);
	/* of a list the last item */
	if (comma)
		self->kept = (size_t)(comma + 1 - self->current);
	for (char *word = words.data; word && *word;) {
		size_t length = strcspn(word, " ");
		bool is_last = !word[length];

		word[length] = '\0';
		offer(self, word, "");
		word += is_last ? length : length + 1;
	}
	at_strbuf_release(&words);
}

void at_help_complete(const struct at_cli_command *const *all, size_t count,
	char *const *words, struct at_strbuf *out)
{
	size_t last = count ? count - 1 : 0;
	struct completion self = { all, count ? words[last] : "", 0, out };
	const struct at_cli_option *option = NULL;
	const struct at_cli_command *command = NULL;
	const char *equals = strchr(self.current, '=');
	bool dashes;
	size_t first = at_cli_first_operand(all, last, words, &dashes);

	if (first < last && !dashes)
		command = at_cli_command_find(all, words[first]);
	for (size_t i = 0; i < last; i++)
		dashes = dashes || !strcmp(words[i], "--");
	if (!dashes && equals && self.current[0] == '-') {
		char *name = at_strndup(self.current, (size_t)(equals - self.current));

		self.kept = (size_t)(equals + 1 - self.current);
		option = at_cli_option_of(all, name);
		free(name);
		if (option)
			offer_value(&self, option);
		return;
	}
	if (last && !dashes)
		option = at_cli_option_of(all, words[last - 1]);
	if (option && option->kind != AT_CLI_FLAG && option->kind != AT_CLI_WORD) {
		offer_value(&self, option);
		return;
	}
	if (!command && first >= last && !dashes && self.current[0] != '-')
		offer_commands(&self);
	if (!command)
		command = &at_command_tune;
	if (!dashes && self.current[0] == '-') {
		for (size_t i = 0; (option = at_cli_option_at(command, i)); i++)
			offer_option(&self, option);
		return;
	}
	if (*command->operands)
		offer_named(&self, command->operands, ":*");
	if (option && option->kind == AT_CLI_WORD)
		offer_value(&self, option);
}

/* ---- autotune help ------------------------------------------------------------- */

/* The shell scripts: cli/completion.bash, completion.fish and completion.zsh. */
extern const unsigned char at_embedded_completion_bash[];
extern const unsigned char at_embedded_completion_fish[];
extern const unsigned char at_embedded_completion_zsh[];

static const struct {
	const char *name;
	const unsigned char *script; /* a text */
} shells[] = {
	{ "bash", at_embedded_completion_bash },
	{ "zsh", at_embedded_completion_zsh },
	{ "fish", at_embedded_completion_fish },
};

static const char *const shell_names[] = { "bash", "zsh", "fish", NULL };

static enum at_status check_shell(const char *value, struct at_error *err)
{
	for (size_t i = 0; i < AT_COUNT_OF(shells); i++)
		if (!strcmp(shells[i].name, value))
			return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"expected one of bash, zsh, fish, found \"%s\"", value);
}

/* Prints the text, or writes it to the file of --output. */
static enum at_exit write_help(
	const struct at_cli_arguments *arguments, struct at_strbuf *text)
{
	const char *path = at_cli_text(arguments, "output", NULL);
	struct at_error err = { 0 };

	if (!path || !strcmp(path, "-")) {
		at_print(text);
		return AT_EXIT_DONE;
	}
	if (!at_file_replace(path, text->data, text->length, &err))
		return AT_EXIT_DONE;
	at_say_error(&err);
	return AT_EXIT_FAILED;
}

static enum at_exit run_help(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	const char *name = arguments->operand_count ? arguments->operands[0] : NULL;
	const struct at_cli_command *command =
		name ? at_cli_command_find(arguments->all, name) : NULL;
	struct at_strbuf text = { 0 };
	enum at_exit code;

	if (name && !command) {
		size_t place;

		/* for its message about a mistyped command, with a suggestion */
		at_cli_choose(arguments->all, 1, arguments->operands, &place, err);
		if (!err->status)
			at_fail(err, AT_EINVAL, NULL, 0,
				"\"%s\" is no command; see \"autotune help\"", name);
		return AT_EXIT_USAGE;
	}
	const char *shell = at_cli_text(arguments, "completion", NULL);
	const struct at_cli_command *const *all = arguments->all;

	if (at_cli_given(arguments, "markdown"))
		at_help_markdown(all, &text);
	else if (at_cli_given(arguments, "man"))
		at_help_man(all, &text);
	else if (shell)
		for (size_t i = 0; i < AT_COUNT_OF(shells); i++)
			at_strbuf_add(&text, strcmp(shells[i].name, shell) != 0
						     ? ""
						     : (const char *)shells[i].script);
	else if (command)
		at_help_command(command, at_cli_help_columns(1), &text);
	else
		at_help_program(all, at_cli_help_columns(1), &text);
	code = write_help(arguments, &text);
	at_strbuf_release(&text);
	return code;
}

static const struct at_cli_option options[] = {
	/* hidden: prints the tables for cli/README.md */
	{ .name = "markdown" },
	{ "man", .help = "print the manual page, for man; it covers all commands" },
	{ "completion", AT_CLI_TEXT, "SHELL",
		.help = "print the completions of commands, options and their values, for bash, zsh or fish",
		.words = shell_names, .check = check_shell },
	{ .name = NULL },
};

const struct at_cli_command at_command_help = {
	.name = "help",
	.operands = "[COMMAND]",
	.summary = "explain the program, or one command",
	.details =
		"Packages install the manual page and the completions. To install them by hand:\n"
		"\n"
		"  cd ~/.local/share\n"
		"  autotune help --man -o man/man1/autotune.1\n"
		"  autotune help --completion bash -o bash-completion/completions/autotune\n"
		"  autotune help --completion fish -o fish/vendor_completions.d/autotune.fish\n"
		"  autotune help --completion zsh -o ~/FOLDER/_autotune  # one of $fpath",
	.options = "man completion output markdown",
	.own = options,
	.run = run_help,
};
