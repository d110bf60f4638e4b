/*
 * What help is made of, for those who write it: the program's own texts and the
 * README's tables (cli/help.c), the page of the manual (cli/help_man.c), completions
 * for shells (cli/help_completion.c and one file a shell), the command that
 * writes them (cli/help_command.c). All of it comes from the
 * tables of the commands; nothing here reads a file or the environment.
 *
 * Threads: one.
 */
#ifndef AT_CLI_HELP_H
#define AT_CLI_HELP_H

#include "cli/cli.h"

/* What it means; nothing for an option that help does not show. */
void at_help_add_option_text(struct at_strbuf *out, const struct at_cli_option *option);
bool at_help_is_shown(const struct at_cli_option *option);
/* "[tune] SPACE..." */
void at_help_add_usage(struct at_strbuf *out, const struct at_cli_command *command);
bool at_help_has_option(
	const struct at_cli_command *command, const struct at_cli_option *option);
/* Every option that help shows, each once, in the order of the commands; NULL after the
   last. Those of every command are the last. */
const struct at_cli_option *at_help_option_at(
	const struct at_cli_command *const *all, size_t index);
/* The names of the commands that have it, with commas; "every command". */
void at_help_add_owners(const struct at_cli_command *const *all, struct at_strbuf *out,
	const struct at_cli_option *option);

/* A variable of the environment that the program reads. */
struct at_help_variable {
	const char *name;
	const char *help; /* a phrase, no full stop */
};
/* NULL after the last. */
const struct at_help_variable *at_help_variable_at(size_t index);

/* The page of the manual, section 1, in the macros of man(7). */
void at_help_man(const struct at_cli_command *const *all, struct at_strbuf *out);

/*
 * The completions of a shell, "bash", "zsh" or "fish". false: no such shell. The names
 * of those known: NULL after the last.
 */
bool at_help_completion(const struct at_cli_command *const *all, const char *shell,
	struct at_strbuf *out);
const char *at_help_shell_at(size_t index);

/* ---- for the files of the shells ------------------------------------------ */

/* What a shell offers where a value or an operand is expected. */
enum at_offer {
	AT_OFFER_NOTHING = 0, /* whatever it is, nobody can guess it */
	AT_OFFER_WORDS, /* at_help_add_words(), after each comma again */
	AT_OFFER_FILES,
	AT_OFFER_FOLDERS,
	AT_OFFER_SPACES, /* space files */
	AT_OFFER_RECORDINGS,
	AT_OFFER_COMMANDS,
};

/* Of an option with a value, and of a command's operands. */
enum at_offer at_help_option_offer(const struct at_cli_option *option);
enum at_offer at_help_operand_offer(const struct at_cli_command *command);
/* The words of an option, with a blank between two. They need no quotes in any shell.
 */
void at_help_add_words(struct at_strbuf *out, const struct at_cli_option *option);
/* Whether the next word is its value whatever that is: it is no flag, and no flag that
   may have a word with it. */
bool at_help_takes_word(const struct at_cli_option *option);
/* The first phrase of what it means: one line beside its name. */
void at_help_add_brief(struct at_strbuf *out, const struct at_cli_option *option);
/* "--output" and separator and "-o", of all options for which wanted() holds. */
void at_help_add_names(const struct at_cli_command *const *all, struct at_strbuf *out,
	const char *separator, bool (*wanted)(const struct at_cli_option *option));
/* The names of all commands. */
void at_help_add_command_names(const struct at_cli_command *const *all,
	struct at_strbuf *out, const char *separator);

/* cli/completion.bash and cli/completion.fish: what reads the tables in front of them
 */
extern const unsigned char at_embedded_completion_bash[];
extern const size_t at_embedded_completion_bash_size;
extern const unsigned char at_embedded_completion_fish[];
extern const size_t at_embedded_completion_fish_size;

void at_help_bash(const struct at_cli_command *const *all, struct at_strbuf *out);
void at_help_zsh(const struct at_cli_command *const *all, struct at_strbuf *out);
void at_help_fish(const struct at_cli_command *const *all, struct at_strbuf *out);

#endif
