/*
 * The pieces that help texts are made of, for the files that write them: the program's
 * own help and the README's tables (cli/help.c), the page of the manual
 * (cli/help_man.c), completions for shells (cli/help_completion.c and one file a
 * shell) and the command that prints them (cli/help_command.c). All of it comes from
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
/* Whether the command's table has the option. */
bool at_help_has_option(
	const struct at_cli_command *command, const struct at_cli_option *option);
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
 * Appends the completions for a shell, "bash", "zsh" or "fish". Returns false for
 * another shell.
 */
bool at_help_completion(const struct at_cli_command *const *all, const char *shell,
	struct at_strbuf *out);
/* The names of the known shells by index; NULL after the last. */
const char *at_help_shell_at(size_t index);

/* ---- for the files of the shells ------------------------------------------ */

/* What a shell offers where a value or an operand is expected. */
enum at_offer {
	AT_OFFER_NOTHING = 0, /* nobody can guess the value */
	AT_OFFER_WORDS, /* those of at_help_add_words(), again after each comma */
	AT_OFFER_FILES,
	AT_OFFER_FOLDERS,
	AT_OFFER_SPACES, /* space files */
	AT_OFFER_RECORDINGS,
	AT_OFFER_COMMANDS,
};

/* What to offer for an option's value, and for a command's operands. */
enum at_offer at_help_option_offer(const struct at_cli_option *option);
enum at_offer at_help_operand_offer(const struct at_cli_command *command);
/* Appends the words of an option, separated by blanks. They need no quotes in any
   shell. */
void at_help_add_words(struct at_strbuf *out, const struct at_cli_option *option);
/* Whether the option always takes the next word as its value: it is neither a flag nor
   a flag that may be followed by a word. */
bool at_help_takes_word(const struct at_cli_option *option);
/* Appends the first phrase of what an option means: one line beside its name. */
void at_help_add_brief(struct at_strbuf *out, const struct at_cli_option *option);
/* Appends the names of the options for which wanted() holds, "--output" and "-o", with
   the separator between them. */
void at_help_add_names(const struct at_cli_command *const *all, struct at_strbuf *out,
	const char *separator, bool (*wanted)(const struct at_cli_option *option));
/* Appends the names of all commands. */
void at_help_add_command_names(const struct at_cli_command *const *all,
	struct at_strbuf *out, const char *separator);

/* The contents of cli/completion.bash and cli/completion.fish: the code that reads the
   tables written in front of it. */
extern const unsigned char at_embedded_completion_bash[];
extern const size_t at_embedded_completion_bash_size;
extern const unsigned char at_embedded_completion_fish[];
extern const size_t at_embedded_completion_fish_size;

/* Append the completions for one shell. */
void at_help_bash(const struct at_cli_command *const *all, struct at_strbuf *out);
void at_help_zsh(const struct at_cli_command *const *all, struct at_strbuf *out);
void at_help_fish(const struct at_cli_command *const *all, struct at_strbuf *out);

#endif
