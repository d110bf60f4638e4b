/* The page of the manual, autotune(1), in the macros of man(7). */
#include "cli/help.h"

#include "device/device.h"
#include "search/strategy.h"

#include <string.h>

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

/* Writes the details of a command: each line is a paragraph, and indented lines are
   shown without filling. */
static void add_paragraphs(struct at_strbuf *out, const char *text)
{
	bool as_it_stands = false, begun = false;

	for (;;) {
		size_t length = strcspn(text, "\n");

		if ((*text == ' ') != as_it_stands && length) {
			as_it_stands = *text == ' ';
			at_strbuf_add(out, as_it_stands ? ".PP\n.in +4n\n.nf\n"
							: ".fi\n.in\n.PP\n");
		} else if (length && !as_it_stands && begun) {
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
	if (as_it_stands)
		at_strbuf_add(out, ".fi\n.in\n");
}

/* An item of a list, with its name in bold. */
static void add_row(struct at_strbuf *out, const char *name, const char *text)
{
	at_strbuf_add(out, ".TP\n\\fB");
	add_whole(out, name);
	at_strbuf_add(out, "\\fR\n");
	add_sentence(out, text);
}

/* ---- sections ---------------------------------------------------------------- */

/* "-o, --output FILE": the names in bold, the value in italics */
static void add_option_name(struct at_strbuf *out, const struct at_cli_option *option)
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

static void add_commands(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_command *command;

	at_strbuf_add(out, ".SH COMMANDS\n");
	for (size_t i = 0; (command = all[i]); i++) {
		const struct at_cli_option *option;
		const char *separator = "";
		struct at_strbuf usage = { 0 };

		at_help_add_usage(&usage, command);
		at_strbuf_add(out, ".SS autotune ");
		add_whole(out, at_strbuf_text(&usage));
		at_strbuf_add_char(out, '\n');
		add_sentence(out, command->summary);
		if (command->details) {
			at_strbuf_add(out, ".PP\n");
			add_paragraphs(out, command->details);
		}
		for (size_t k = 0; (option = at_cli_option_at(command, k)); k++) {
			if (!at_help_is_shown(option) || at_cli_is_everywhere(option))
				continue;
			at_strbuf_add(out, *separator ? separator : ".PP\nOptions:\n");
			add_option_name(out, option);
			separator = ",\n";
		}
		at_strbuf_add(out, *separator ? ".\n" : "");
		at_strbuf_release(&usage);
	}
}

static void add_options(const struct at_cli_command *const *all, struct at_strbuf *out)
{
	const struct at_cli_option *option;

	at_strbuf_add(out,
		".SH OPTIONS\n"
		"Options may stand anywhere on the line; everything after \\fB\\-\\-\\fR is an\n"
		"operand.\n");
	for (size_t i = 0; (option = at_help_option_at(all, i)); i++) {
		struct at_strbuf text = { 0 };

		at_strbuf_add(out, ".TP\n");
		add_option_name(out, option);
		at_strbuf_add_char(out, '\n');
		at_help_add_option_text(&text, option);
		add_sentence(out, at_strbuf_text(&text));
		at_strbuf_clear(&text);
		at_strbuf_add(out, "Taken by ");
		at_help_add_owners(all, &text, option);
		add_whole(out, at_strbuf_text(&text));
		at_strbuf_add(out, ".\n");
		at_strbuf_release(&text);
	}
}

static void add_lists(struct at_strbuf *out)
{
	const struct at_strategy_kind *strategy;
	const struct at_help_variable *variable;
	const struct at_device_kind *device;

	at_strbuf_add(out, ".SH STRATEGIES\n");
	for (size_t i = 0; (strategy = at_strategy_kind_at(i)); i++)
		add_row(out, strategy->name, strategy->summary);
	at_strbuf_add(out, ".SH DEVICES\n");
	for (size_t i = 0; (device = at_device_kind_at(i)); i++)
		add_row(out, device->name, device->summary);
	at_strbuf_add(out, ".SH EXIT STATUS\n");
#define ADD_EXIT(symbol, code, text) add_row(out, #code, text);
	AT_EXITS(ADD_EXIT)
#undef ADD_EXIT
	at_strbuf_add(out, ".SH ENVIRONMENT\n");
	for (size_t i = 0; (variable = at_help_variable_at(i)); i++)
		add_row(out, variable->name, variable->help);
}

void at_help_man(const struct at_cli_command *const *all, struct at_strbuf *out)
{
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
	add_commands(all, out);
	add_options(all, out);
	add_lists(out);
	at_strbuf_add(out,
		".SH FILES\n"
		".TP\n\\fIresults/autotune.db\\fR\n"
		"The record: an SQLite database with every evaluation and sample.\n"
		".TP\n\\fIresults/DEVICE/SPACE.json\\fR\n"
		"The winners of a space on a device, for machines and for version control.\n");
}
