/*
 * autotune --complete WORD... CURRENT, which completions of shells ask: prints a line
 * for each word that may stand for CURRENT, with a tab and what the word means. For
 * files the line is ":" and their endings, for folders ":" alone.
 */
#include "cli/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct completion {
	const struct at_cli_command *const *all;
	const char *current;
	/* Bytes of current that each offer repeats: those of "--device=cuda:0,". */
	size_t kept;
	struct at_strbuf *out;
};

/* The first phrase of what an option means. */
static void add_brief(struct at_strbuf *out, const struct at_cli_option *option)
{
	static const char *const ends[] = { "; ", " (", ": ", ". " };
	struct at_strbuf text = { 0 };
	const char *start;
	size_t length;

	at_help_add_option_text(&text, option);
	start = at_strbuf_text(&text);
	length = text.length;
	for (size_t i = 0; i < AT_COUNT_OF(ends); i++) {
		const char *at = strstr(start, ends[i]);

		if (at && (size_t)(at - start) < length)
			length = (size_t)(at - start);
	}
	at_strbuf_add_bytes(out, start, length);
	at_strbuf_release(&text);
}

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

	if (!at_help_is_shown(option))
		return;
	add_brief(&brief, option);
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

/* Offers what the name of a value or an operand says: "[SPACE...]", "FILE.svg". */
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
