/*
 * Any bytes as a command line, a word a line: understood, or refused in one line. What
 * was understood can be asked for.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS_MAX 32

/* at '\n'; the text is changed */
static size_t split(char *text, char **words)
{
	size_t count = 0;

	while (text && count < WORDS_MAX) {
		char *end = strchr(text, '\n');

		words[count++] = text;
		if (end)
			*end++ = '\0';
		text = end;
	}
	return count;
}

static void ask(const struct at_cli_arguments *arguments)
{
	const struct at_cli_option *option;

	for (size_t i = 0; (option = at_cli_option_at(arguments->command, i)); i++) {
		const char *const *items = NULL;
		size_t count = 0;

		at_cli_text(arguments, option->name, NULL);
		at_cli_whole(arguments, option->name, 0);
		at_cli_each(arguments, option->name, &items, &count);
		free((void *)items);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = at_strndup((const char *)data, size);
	char *words[WORDS_MAX];
	const struct at_cli_command *command;
	struct at_cli_arguments arguments = { 0 };
	struct at_error err = { 0 };
	size_t count, place;

	if (!text)
		abort();
	count = split(text, words);
	command = at_cli_choose(at_cli_commands, count, words, &place, &err);
	if (!command) {
		if (!err.text[0])
			abort();
	} else {
		if (at_cli_parse(at_cli_commands, command, count, words, place,
			    &arguments, &err)) {
			if (!err.status || !err.text[0])
				abort();
		} else {
			ask(&arguments);
		}
		at_cli_arguments_release(&arguments);
	}
	free(text);
	return 0;
}
