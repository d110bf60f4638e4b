/* Finds the command that the words of a command line ask for. */
#include "cli/cli.h"

#include "base/file.h"
#include "base/text.h"

#include <string.h>
#include <unistd.h>

/* More than the commands there are. */
#define COMMANDS_MAX 32

const struct at_cli_command *at_cli_command_find(
	const struct at_cli_command *const *all, const char *name)
{
	for (size_t i = 0; all[i]; i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}

/* The option of this name or letter of any command; NULL: there is none. */
static const struct at_cli_option *find_option(
	const struct at_cli_command *const *all, const char *name, size_t length)
{
	for (size_t i = 0; all[i]; i++) {
		const struct at_cli_option *const *at = all[i]->options;

		for (; *at; at++) {
			bool same = length == 1 ? (*at)->letter == *name
						: strlen((*at)->name) == length &&
							  !strncmp((*at)->name, name,
								  length);

			if (same)
				return *at;
		}
	}
	return NULL;
}

/* Whether the word is an option that no command has, as in "--budgt 90s": the word
   behind it may be its value, not a command. */
static bool is_unknown_option(const struct at_cli_command *const *all, const char *word)
{
	return !strncmp(word, "--", 2) && !strchr(word, '=') &&
	       strcmp(word + 2, at_option_help.name) != 0 &&
	       strcmp(word + 2, at_option_version.name) != 0 &&
	       !find_option(all, word + 2, strlen(word + 2));
}

const struct at_cli_option *at_cli_option_of(
	const struct at_cli_command *const *all, const char *word)
{
	if (word[0] != '-' || !word[1] || strchr(word, '='))
		return NULL;
	if (word[1] == '-')
		return find_option(all, word + 2, strlen(word + 2));
	return word[2] ? NULL : find_option(all, word + 1, 1);
}

size_t at_cli_first_operand(const struct at_cli_command *const *all, size_t count,
	char *const *words, bool *after_dashes)
{
	*after_dashes = false;
	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];
		const struct at_cli_option *option = at_cli_option_of(all, word);

		if (word[0] != '-' || !word[1])
			return i;
		if (!strcmp(word, "--")) {
			*after_dashes = true;
			return i + 1;
		}
		/* The next word is its value. */
		if (option && option->kind == AT_CLI_WORD)
			i += i + 1 < count && at_cli_is_word(option, words[i + 1]);
		else if (option && option->kind != AT_CLI_FLAG)
			i++;
	}
	return count;
}

static enum at_status fail_command(
	const struct at_cli_command *const *all, const char *word, struct at_error *err)
{
	const char *names[COMMANDS_MAX];
	const char *nearest;
	struct at_strbuf file = { 0 };
	size_t count = 0;
	bool is_file;

	for (; all[count] && count < COMMANDS_MAX; count++)
		names[count] = all[count]->name;
	nearest = at_text_nearest(word, names, count);
	at_strbuf_addf(&file, "%s.cfg", word);
	is_file = !access(at_strbuf_text(&file), R_OK);
	at_strbuf_release(&file);
	if (is_file)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"\"%s\" is no command; did you mean the space file %s.cfg?",
			word, word);
	if (nearest)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"unknown command \"%s\"; did you mean \"%s\"?", word, nearest);
	return at_fail(err, AT_EINVAL, NULL, 0,
		"\"%s\" is neither a command nor a space file; see \"autotune help\"",
		word);
}

const struct at_cli_command *at_cli_choose(const struct at_cli_command *const *all,
	size_t count, char *const *words, size_t *place, struct at_error *err)
{
	const struct at_cli_command *command;
	bool after_dashes;
	size_t first = at_cli_first_operand(all, count, words, &after_dashes);

	*place = SIZE_MAX;
	if (first >= count || after_dashes)
		return &at_command_tune;
	command = at_cli_command_find(all, words[first]);
	if (command) {
		*place = first;
		return command;
	}
	/* A word that looks like a path is meant as a space, even if the file is
	   missing. */
	if (strpbrk(words[first], "./") || at_file_exists(words[first]))
		return &at_command_tune;
	/* The parser reports the unknown option. */
	if (first > 0 && is_unknown_option(all, words[first - 1]))
		return &at_command_tune;
	fail_command(all, words[first], err);
	return NULL;
}
