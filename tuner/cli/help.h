/*
 * The pieces that help texts are made of, for the files that write them: the program's
 * own help and the README's tables (cli/help.c), the page of the manual
 * (cli/help_man.c), completions (cli/complete.c) and the command that prints them
 * (cli/help_command.c). All of it comes from
 * the tables of the commands; nothing here reads a file or the environment.
 *
 * Threads: one.
 */
#ifndef AT_CLI_HELP_H
#define AT_CLI_HELP_H

#include "cli/cli.h"

/* Appends what an option means; nothing for an option that help does not show. */
void at_help_add_option_text(struct at_strbuf *out, const struct at_cli_option *option);
/* Whether help shows the option. */
bool at_help_is_shown(const struct at_cli_option *option);
/* Appends "[tune] SPACE...". */
void at_help_add_usage(struct at_strbuf *out, const struct at_cli_command *command);
/* Whether the command takes the option of this name. */
bool at_help_has_option(const struct at_cli_command *command, const char *name);
/* All options that help shows, each once, in the order of the commands; options of
   every command come last. NULL after the last. */
const struct at_cli_option *at_help_option_at(
	const struct at_cli_command *const *all, size_t index);
/* Appends the names of the commands that have the option, with commas, or "every
   command". */
void at_help_add_owners(const struct at_cli_command *const *all, struct at_strbuf *out,
	const struct at_cli_option *option);

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

/* The shells' sides: cli/completion.bash, completion.fish and completion.zsh. */
extern const unsigned char at_embedded_completion_bash[];
extern const unsigned char at_embedded_completion_fish[];
extern const unsigned char at_embedded_completion_zsh[];

#endif
