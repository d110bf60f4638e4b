/* Building blocks of help texts, for the tests of help, and texts that cli.h lacks.
   Nothing here reads a file or the environment. Threads: one. */
#ifndef AT_CLI_HELP_H
#define AT_CLI_HELP_H

#include "cli/cli.h"

/* Whether the command takes the option of this name. */
bool at_help_has_option(const struct at_cli_command *command, const char *name);
/* All options that help shows, each once, in the order of the commands; options of
   every command come last. NULL after the last. */
const struct at_cli_option *at_help_option_at(
	const struct at_cli_command *const *all, size_t index);
/* An environment variable that the program reads. */
struct at_help_variable {
	const char *name;
	const char *help; /* a phrase, no full stop */
};
/* The variables by index; NULL after the last. */
const struct at_help_variable *at_help_variable_at(size_t index);

/* Appends the manual page, section 1, in the macros of man(7). */
void at_help_man(const struct at_cli_command *const *all, struct at_strbuf *out);

/*
 * Appends the output of `autotune --complete WORD... CURRENT`, for shell completions: a
 * line for each word that may replace the last word, with a tab and its meaning. For
 * files the line is ":" and their endings, ":*" for any; for folders alone it is ":".
 */
void at_help_complete(const struct at_cli_command *const *all, size_t count,
	char *const *words, struct at_strbuf *out);

#endif
