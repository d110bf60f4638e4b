/*
 * What help texts are made from, for the files that check it, and the texts besides
 * those that cli.h has. Nothing here reads a file or the environment. Threads: one.
 */
#ifndef AT_CLI_HELP_H
#define AT_CLI_HELP_H

#include "cli/cli.h"

/* Whether the command takes the option of this name. */
bool at_help_has_option(const struct at_cli_command *command, const char *name);
/* All options that help shows, each once, in the order of the commands; options of
   every command come last. NULL after the last. */
const struct at_cli_option *at_help_option_at(
	const struct at_cli_command *const *all, size_t index);
/* A variable of the environment that the program reads. */
struct at_help_variable {
	const char *name;
	const char *help; /* a phrase, no full stop */
};
/* The variables by index; NULL after the last. */
const struct at_help_variable *at_help_variable_at(size_t index);

/* Appends the page of the manual, section 1, in the macros of man(7). */
void at_help_man(const struct at_cli_command *const *all, struct at_strbuf *out);

/*
 * Appends what `autotune --complete WORD... CURRENT` prints, for the completions of
 * shells: a line for each word that may stand for the last of the words, with a tab and
 * its meaning. For files the line is ":" and their endings, ":*" for any; for folders
 * alone it is ":".
 */
void at_help_complete(const struct at_cli_command *const *all, size_t count,
	char *const *words, struct at_strbuf *out);

#endif
