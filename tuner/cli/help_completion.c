/* What the completions of all shells share. */
#include "cli/help.h"

#include <string.h>

/* ---- what is offered ---------------------------------------------------------- */

/* Names of values and operands in help, which say what a shell should offer. */
static const struct {
	const char *name;
	enum at_offer offer;
} names[] = {
	{ "FILE", AT_OFFER_FILES },
	{ "DIR", AT_OFFER_FOLDERS },
	{ "SPACE", AT_OFFER_SPACES },
	{ "RECORDING", AT_OFFER_RECORDINGS },
	{ "COMMAND", AT_OFFER_COMMANDS },
};

/* "[SPACE...]" means SPACE, "FILE.svg" means FILE. */
static enum at_offer find_offer(const char *text, enum at_offer otherwise)
{
	text += strspn(text, "[");
	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		if (strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") ==
				strlen(names[i].name) &&
			!strncmp(text, names[i].name, strlen(names[i].name)))
			return names[i].offer;
	}
	return otherwise;
}

enum at_offer at_help_option_offer(const struct at_cli_option *option)
{
	if (option->add_words || option->words)
		return AT_OFFER_WORDS;
	return find_offer(option->value ? option->value : "", AT_OFFER_NOTHING);
}

enum at_offer at_help_operand_offer(const struct at_cli_command *command)
{
	if (!*command->operands)
		return AT_OFFER_NOTHING;
	return find_offer(command->operands, AT_OFFER_FILES);
}

void at_help_add_words(struct at_strbuf *out, const struct at_cli_option *option)
{
	struct at_strbuf words = { 0 };

	if (option->add_words)
		option->add_words(&words);
	for (size_t i = 0; !option->add_words && option->words && option->words[i]; i++)
		at_strbuf_addf(&words, "%s ", option->words[i]);
	if (words.length)
		at_strbuf_add_bytes(out, words.data, words.length - 1);
	at_strbuf_release(&words);
}

bool at_help_takes_word(const struct at_cli_option *option)
{
	return option->kind != AT_CLI_FLAG && option->kind != AT_CLI_WORD;
}

void at_help_add_brief(struct at_strbuf *out, const struct at_cli_option *option)
{
	static const char *const ends[] = { "; ", " (", ": ", ". " };
	struct at_strbuf text = { 0 };
	const char *start, *end;

	at_help_add_option_text(&text, option);
	start = at_strbuf_text(&text);
	end = start + strlen(start);
	for (size_t i = 0; i < AT_COUNT_OF(ends); i++) {
		const char *at = strstr(start, ends[i]);

		if (at && at < end)
			end = at;
	}
	at_strbuf_add_bytes(out, start, (size_t)(end - start));
	at_strbuf_release(&text);
}

void at_help_add_names(const struct at_cli_command *const *all, struct at_strbuf *out,
	const char *separator, bool (*wanted)(const struct at_cli_option *option))
{
	const struct at_cli_option *option;
	const char *before = "";

	for (size_t i = 0; (option = at_help_option_at(all, i)); i++) {
		if (!wanted(option))
			continue;
		at_strbuf_addf(out, "%s--%s", before, option->name);
		before = separator;
		if (option->letter)
			at_strbuf_addf(out, "%s-%c", separator, option->letter);
	}
}

void at_help_add_command_names(const struct at_cli_command *const *all,
	struct at_strbuf *out, const char *separator)
{
	const struct at_cli_command *command;

	for (size_t i = 0; (command = all[i]); i++)
		at_strbuf_addf(out, "%s%s", i ? separator : "", command->name);
}
