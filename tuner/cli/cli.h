/*
 * The command line: tables of commands and options, one parser for all of them,
 * and help texts made from the same tables.
 *
 * A sub-command is one file with one struct at_cli_command and its option table,
 * and one line in cli/commands.c. Options that mean the same in several commands
 * stand once, in cli/options.c; a command's own options stand in its own file.
 *
 *   main() -> at_cli_main() -> command->run(&arguments) -> an exit code
 *
 * Only main.c and cli/ print or end the process. Results go to stdout, talk to
 * stderr (cli/output.h). Threads: one.
 */
#ifndef AT_CLI_CLI_H
#define AT_CLI_CLI_H

#include "base/error.h"
#include "base/memory.h"
#include "space/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of the program; one list serves the enum, the help and its page. */
#define AT_EXITS(X) \
	X(DONE, 0, "done") \
	X(FAILED, 1, \
		"the tuner could not do its job; the reason is on standard error") \
	X(USAGE, 2, "the command line makes no sense") \
	X(NO_WINNER, 3, "there is a problem for which no configuration passed") \
	X(REGRESSION, 4, "a kernel became slower, or is no longer correct") \
	X(INTERRUPTED, 130, \
		"interrupted; what was measured is kept, and the next run goes on from there")

enum at_exit {
#define AT_EXIT_ENUM(symbol, code, text) AT_EXIT_##symbol = code,
	AT_EXITS(AT_EXIT_ENUM)
#undef AT_EXIT_ENUM
};

enum at_cli_option_kind {
	AT_CLI_FLAG = 0, /* takes no value */
	/* a flag that may have a word with it, one of `words`, or where there are none
	   one that `check` takes; the last one counts */
	AT_CLI_WORD,
	AT_CLI_TEXT, /* the last one given counts */
	AT_CLI_WHOLE, /* a whole number in minimum..maximum; the last one counts */
	AT_CLI_EACH, /* may be repeated: every value counts */
	AT_CLI_LIST, /* as EACH, and a value is a list with commas */
};

struct at_cli_option {
	const char *name; /* "device": given as --device */
	char letter; /* 'o': also given as -o; 0: none */
	enum at_cli_option_kind kind;
	const char *value; /* how help calls the value: "LIST"; NULL for flags */
	/* a phrase, no full stop; where both are NULL, help does not show the option */
	const char *help;
	void (*add_help)(struct at_strbuf *out); /* where it is made from a table */
	/* WORD: NULL after the last. A next word that is none of them is another thing
	 */
	const char *const *words;
	/* words that shells offer for a value, each with a blank behind it; where it is
	   NULL they offer `words`, or what the value's name says: FILE, DIR */
	void (*add_words)(struct at_strbuf *out);
	int64_t minimum; /* WHOLE */
	int64_t maximum;
	/* may be NULL; refuses a value (an item of a LIST) that makes no sense */
	enum at_status (*check)(const char *value, struct at_error *err);
};

struct at_cli_value {
	const struct at_cli_option *option;
	char *text;
	int64_t whole; /* WHOLE */
};

struct at_cli_command;

/* What was typed, checked; everything in it belongs to it. */
struct at_cli_arguments {
	const struct at_cli_command *const
		*all; /* that there are; NULL after the last */
	const struct at_cli_command *command;
	size_t operand_count;
	size_t operand_capacity;
	char **operands;
	size_t value_count;
	size_t value_capacity;
	struct at_cli_value *values;
};

struct at_cli_command {
	const char *name;
	/* "SPACE..." as help shows them; "" for none. Shells offer what SPACE, DIR,
	   FILE, RECORDING and COMMAND mean, and files for any other word */
	const char *operands;
	const char *summary; /* a phrase, no full stop */
	const char *details; /* paragraphs for its own help; NULL for none */
	size_t operands_minimum;
	size_t operands_maximum; /* SIZE_MAX: as many as one likes */
	const struct at_cli_option *const *options; /* NULL after the last */
	enum at_exit (*run)(const struct at_cli_arguments *arguments);
};

/*
 * The registry: one row a command, in cli/commands.c, and NULL after the last. What
 * tells of all commands is given them, since commands stand on it: parser and help.
 */
extern const struct at_cli_command *const at_cli_commands[];
/* NULL: none of them. */
const struct at_cli_command *at_cli_command_find(
	const struct at_cli_command *const *all, const char *name);

/* The whole program behind main(), except for worker processes. */
enum at_exit at_cli_main(int count, char *const *words);

/*
 * Which command the words (without the program's name) ask for, and the place
 * of its name among them: *place is SIZE_MAX where the word is left out (tune).
 * NULL and err set, when the first operand can only be a mistyped command.
 */
const struct at_cli_command *at_cli_choose(const struct at_cli_command *const *all,
	size_t count, char *const *words, size_t *place, struct at_error *err);

/*
 * Parses the words of a command. skip: a place to leave out (the command's name),
 * or SIZE_MAX. --help and --version are accepted everywhere, and then nothing is
 * demanded of the rest. Returns AT_EINVAL with a line that names the nearest known
 * option. *out is the caller's, also after a failure: release it.
 */
enum at_status at_cli_parse(const struct at_cli_command *const *all,
	const struct at_cli_command *command, size_t count, char *const *words,
	size_t skip, struct at_cli_arguments *out, struct at_error *err);
/* Whether a text is one of the words that an option of kind WORD may have with it. */
bool at_cli_is_word(const struct at_cli_option *option, const char *text);
void at_cli_arguments_release(struct at_cli_arguments *self);

/* Of a parsed command line; pointers are borrowed from it. */
bool at_cli_given(
	const struct at_cli_arguments *self, const struct at_cli_option *option);
const char *at_cli_text(const struct at_cli_arguments *self,
	const struct at_cli_option *option, const char *fallback);
int64_t at_cli_whole(const struct at_cli_arguments *self,
	const struct at_cli_option *option, int64_t fallback);
/*
 * All values of an EACH or LIST option: a heap array of *count borrowed texts,
 * freed with free(). AT_ENOMEM otherwise.
 */
enum at_status at_cli_each(const struct at_cli_arguments *self,
	const struct at_cli_option *option, const char *const **out, size_t *count,
	struct at_error *err);

/* Options that mean the same in every command that takes them (cli/options.c). */
extern const struct at_cli_option at_option_device;
extern const struct at_cli_option at_option_results;
extern const struct at_cli_option at_option_strategy;
extern const struct at_cli_option at_option_budget;
extern const struct at_cli_option at_option_total;
extern const struct at_cli_option at_option_problem;
extern const struct at_cli_option at_option_set;
extern const struct at_cli_option at_option_seed;
extern const struct at_cli_option at_option_jobs;
extern const struct at_cli_option at_option_fresh;
extern const struct at_cli_option at_option_portfolio;
extern const struct at_cli_option at_option_portfolio_size;
extern const struct at_cli_option at_option_unproved;
extern const struct at_cli_option at_option_shard;
extern const struct at_cli_option at_option_sanitize;
extern const struct at_cli_option at_option_wait;
extern const struct at_cli_option at_option_json;
extern const struct at_cli_option at_option_quiet;
extern const struct at_cli_option at_option_wide;
extern const struct at_cli_option at_option_output;
extern const struct at_cli_option at_option_check;
extern const struct at_cli_option at_option_trust;
extern const struct at_cli_option at_option_margin;
extern const struct at_cli_option at_option_keep;
extern const struct at_cli_option at_option_help;
extern const struct at_cli_option at_option_version;

/*
 * Loads a space, whole, and looks whether it can be tuned as the command line asks: it
 * has the problems of --problem, and its strategy and kinds of devices are known. With
 * --trust it is trusted, and compilers of this process are not kept from writing from
 * then on. *out is the caller's.
 */
enum at_status at_cli_load_space(const struct at_cli_arguments *arguments,
	const char *path, struct at_spec **out, struct at_error *err);
/* Says once what compilers are not kept from here, if anything: before one is started.
 */
void at_cli_note_sandbox(void);
/* Whether --problem, where it is given, names this one. */
bool at_cli_wants_problem(const struct at_cli_arguments *arguments, const char *name);

/* Of --total: seconds, 0 where it was not given. */
double at_cli_total_seconds(const struct at_cli_arguments *arguments);
/* Of --wait: seconds; INFINITY where it was given alone, 0 where it was not. */
double at_cli_wait_seconds(const struct at_cli_arguments *arguments);
/* AT_EINVAL with the variable and what it should be; slips in names are noted. */
enum at_status at_cli_check_environment(struct at_error *err);
/* Waiting for records is told, and bounded by --wait where the command has it. */
void at_cli_be_patient(const struct at_cli_arguments *arguments);

/* "1%", "0.5 %": 0.01, 0.005. AT_EINVAL: none, or not from 0 to 100 %. */
enum at_status at_margin_parse(const char *text, double *out, struct at_error *err);

/* The length of the first strategy in a list, its options included. */
size_t at_cli_strategy_length(const char *text);

/* Help texts, appended to out (cli/help.c). */
/* More is hard to read, and a page of a manual has as many. */
#define AT_HELP_COLUMNS 80
/* Those of the terminal on file where it has less; in files it is the same everywhere.
 */
int at_cli_help_columns(int file);
/* Wrapped at so many columns: AT_HELP_COLUMNS, unless a terminal has less. */
void at_help_program(
	const struct at_cli_command *const *all, int columns, struct at_strbuf *out);
void at_help_command(
	const struct at_cli_command *command, int columns, struct at_strbuf *out);
/* The tables of commands, options, strategies and exit codes for cli/README.md. */
void at_help_markdown(const struct at_cli_command *const *all, struct at_strbuf *out);

/* One a file. */
extern const struct at_cli_command at_command_tune;
extern const struct at_cli_command at_command_check;
extern const struct at_cli_command at_command_devices;
extern const struct at_cli_command at_command_results;
extern const struct at_cli_command at_command_header;
extern const struct at_cli_command at_command_history;
extern const struct at_cli_command at_command_report;
extern const struct at_cli_command at_command_compare;
extern const struct at_cli_command at_command_simulate;
extern const struct at_cli_command at_command_nightly;
extern const struct at_cli_command at_command_import;
extern const struct at_cli_command at_command_export;
extern const struct at_cli_command at_command_forget;
extern const struct at_cli_command at_command_help;

#endif
