/*
 * The command line: tables of commands and options, one parser for all of them, and
 * help texts made from the same tables.
 *
 * A sub-command is one file with one struct at_cli_command and its option table, and
 * one line in cli/commands.c. cli/options.c has the options shared by several commands;
 * a command's file has its own. Code reads an option by its name.
 *
 *   main() -> at_cli_main() -> command->run(&arguments) -> an exit code
 *
 * Only main.c and cli/ print or end the process. Results go to stdout, everything else
 * to stderr (cli/output.h). Threads: one.
 */
#ifndef AT_CLI_CLI_H
#define AT_CLI_CLI_H

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "space/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The program's exit codes, for the enum, the help and the manual. */
#define AT_EXITS(X) \
	X(DONE, 0, "done") \
	X(FAILED, 1, \
		"the command could not do its job; the reason is on standard error") \
	X(USAGE, 2, \
		"the command line or the environment is wrong, or forget was run without --yes") \
	X(NO_WINNER, 3, "no configuration passed for at least one problem") \
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
	/* A flag with an optional word: one of `words` or, if that is NULL, one that
	   `read` accepts. The last one given counts. */
	AT_CLI_WORD,
	AT_CLI_TEXT, /* the last one given counts */
	AT_CLI_WHOLE, /* an integer in minimum..maximum; the last counts */
	AT_CLI_EACH, /* may be repeated: every value counts */
	AT_CLI_LIST, /* as EACH, and a value is a comma-separated list */
};

/* One option: a row of a table, which ends with a row without a name. */
struct at_cli_option {
	const char *name; /* "device": given as --device */
	enum at_cli_option_kind kind;
	const char *value; /* the value's name in help: "LIST"; NULL for flags */
	char letter; /* 'o': also given as -o; 0: none */
	/* A phrase that begins with a verb, has no full stop, and gives the default as
	   "(default: 10)". Shells show the part before the first "; ", " (", ": " or ".
	   ". Without help and add_help the option is hidden. */
	const char *help;
	void (*add_help)(struct at_strbuf *out); /* appends help made from a table */
	/* WORD: NULL after the last. Any other following word is not part of the
	   option. */
	const char *const *words;
	/* Appends the words that shells offer for a value, each followed by a blank.
	   NULL: shells offer `words`, or files and folders by the value's name (FILE,
	   DIR). */
	void (*add_words)(struct at_strbuf *out);
	int64_t minimum; /* of WHOLE */
	int64_t maximum;
	/* Refuses an invalid value (an item of a LIST); may be NULL. */
	enum at_status (*check)(const char *value, struct at_error *err);
	/* The same for a number, such as seconds or a share; may be NULL. */
	enum at_status (*read)(const char *value, double *number, struct at_error *err);
};

/* An option from the command line. */
struct at_cli_value {
	const struct at_cli_option *option;
	char *text; /* the value; "" for flags and for an omitted word */
	int64_t whole; /* of WHOLE */
	double number; /* of an option with read() */
};

struct at_cli_command;

/* The checked command line. It owns everything except commands and options. */
struct at_cli_arguments {
	const struct at_cli_command *const *all; /* all commands; NULL after the last */
	const struct at_cli_command *command;
	size_t operand_count;
	size_t operand_capacity;
	char **operands;
	size_t value_count;
	size_t value_capacity;
	struct at_cli_value *values;
};

/* One sub-command. */
struct at_cli_command {
	const char *name;
	/* As help shows them, "A B", "SPACE...", "[SPACE...]"; "" for none. The parser
	   counts them. Shells know SPACE, DIR, FILE, RECORDING and COMMAND, and offer
	   files for other words. */
	const char *operands;
	const char *summary; /* a phrase, no full stop */
	const char *details; /* paragraphs for its own help, or NULL */
	/* Its option names, separated by blanks. Every command also has help and
	   version. */
	const char *options;
	const struct at_cli_option *own; /* options of this command only; may be NULL */
	/* The caller prints an error, which turns DONE into FAILED. */
	enum at_exit (*run)(
		const struct at_cli_arguments *arguments, struct at_error *err);
};

/* All commands: one row each, in cli/commands.c, and NULL after the last. The parser
   and help get this list as an argument, to avoid a cycle of includes. */
extern const struct at_cli_command *const at_cli_commands[];
/* The command's own or shared option (cli/options.c) of this name, or NULL. */
const struct at_cli_option *at_cli_option_named(
	const struct at_cli_command *command, const char *name, size_t length);
/* The options of a command, those of every command last; NULL after the last. */
const struct at_cli_option *at_cli_option_at(
	const struct at_cli_command *command, size_t index);
/* Whether every command has the option. */
bool at_cli_is_everywhere(const struct at_cli_option *option);
/* The command of that name, or NULL. */
const struct at_cli_command *at_cli_command_find(
	const struct at_cli_command *const *all, const char *name);

/* The whole program after main(), except for worker processes. */
enum at_exit at_cli_main(int count, char *const *words);

/* Finds the command in the words (without the program's name). *place: the index of its
   name; SIZE_MAX if omitted (tune). Returns NULL and sets err if the first operand can
   only be a mistyped command. */
const struct at_cli_command *at_cli_choose(const struct at_cli_command *const *all,
	size_t count, char *const *words, size_t *place, struct at_error *err);

/* The index of the first word that is neither an option nor its value, else count.
   Options may precede the command. */
size_t at_cli_first_operand(const struct at_cli_command *const *all, size_t count,
	char *const *words, bool *after_dashes);
/* Any command's option for the word "--name" or "-n", or NULL. */
const struct at_cli_option *at_cli_option_of(
	const struct at_cli_command *const *all, const char *word);

/*
 * Parses the words of a command. skip: the index of the command's name, or SIZE_MAX.
 * --help and --version are accepted everywhere, and then nothing else is required.
 * AT_EINVAL: err names the nearest known option. The caller releases *out, also after a
 * failure.
 */
enum at_status at_cli_parse(const struct at_cli_command *const *all,
	const struct at_cli_command *command, size_t count, char *const *words,
	size_t skip, struct at_cli_arguments *out, struct at_error *err);
/* AT_EINVAL: "expected <expected>, found <value>", with a suggestion if the value is a
   misspelt time. units: as for at_text_meant_time(). */
enum at_status at_cli_fail_time(const char *value, const char *units,
	const char *expected, struct at_error *err);
/* For at_cli_option.check: refuses an empty value. */
enum at_status at_cli_check_not_empty(const char *value, struct at_error *err);
/* Whether the text may follow this option of kind WORD. */
bool at_cli_is_word(const struct at_cli_option *option, const char *text);
/* Runs a function for each operand. An error is printed, makes the result FAILED, and
   does not stop the others; an interruption does. */
enum at_exit at_cli_each_operand(const struct at_cli_arguments *self,
	enum at_status (*run)(void *context, const char *operand, struct at_error *err),
	void *context);
/* Frees what self owns. */
void at_cli_arguments_release(struct at_cli_arguments *self);

/* Whether the command line has the option, which is the command's own or shared. */
bool at_cli_given(const struct at_cli_arguments *self, const char *option);
/* The last value of the option, or fallback; borrowed. */
const char *at_cli_text(
	const struct at_cli_arguments *self, const char *option, const char *fallback);
/* The last value of an option of kind WHOLE, or fallback. */
int64_t at_cli_whole(
	const struct at_cli_arguments *self, const char *option, int64_t fallback);
/* The last value of an option with read(), or fallback. */
double at_cli_number(
	const struct at_cli_arguments *self, const char *option, double fallback);
/* The value at an index of an EACH or LIST option; NULL after the last. */
const char *at_cli_value_at(
	const struct at_cli_arguments *self, const char *option, size_t index);
/* All values of an EACH or LIST option. *out: a heap array of *count borrowed texts,
   for free(). */
void at_cli_each(const struct at_cli_arguments *self, const char *option,
	const char *const **out, size_t *count);

/* DIR/SPACE_met.cfg, the problems that nightly runs added to a space; heap. */
char *at_cli_met_path(
	const struct at_cli_arguments *arguments, const struct at_spec *spec);
/*
 * Loads a whole space, with the problems that nightly runs added, and checks it against
 * the command line: it has the problems of --problem, and its strategy and device kinds
 * exist. With --trust the compilers of this process run without the sandbox from then
 * on. *out is the caller's.
 */
enum at_status at_cli_load_space(const struct at_cli_arguments *arguments,
	const char *path, struct at_spec **out, struct at_error *err);
/* The devices of --device for commands that run something: devices of this machine, and
   recordings, whose options contain commas. */
struct at_device_list {
	const char **names; /* "cuda:0", "replay:FILE,problem=large" */
	size_t count; /* 0: --device was not given */
	struct at_strbuf texts; /* owns the text of the names */
};

/* AT_ENOENT or AT_EINVAL: a name is of no known kind. The caller releases *out, also
   after a failure. */
enum at_status at_device_list_read(const struct at_cli_arguments *arguments,
	struct at_device_list *out, struct at_error *err);
/* Frees the list; a zeroed list is fine. */
void at_device_list_release(struct at_device_list *self);

/* Whether the name is "replay:FILE". */
bool at_device_is_recording(const char *name);

/* Reports once, before a compiler starts, what the sandbox cannot prevent on this
   system. */
void at_cli_note_sandbox(void);
/* Whether --problem names the problem, or was not given. */
bool at_cli_wants_problem(const struct at_cli_arguments *arguments, const char *name);

/* The seconds of --wait; INFINITY without a time; 0 without --wait. */
double at_cli_wait_seconds(const struct at_cli_arguments *arguments);
/* Sets how the process waits for a locked record: it reports the wait on stderr, and
   gives up after --wait if given. */
void at_cli_set_patience(const struct at_cli_arguments *arguments);

/* Prints the result of a command: the object with --json, else the line unless --quiet.
   Releases both. */
void at_cli_tell(const struct at_cli_arguments *arguments, struct at_json *object,
	struct at_strbuf *line);

struct at_recording;
/* Notes on stderr about a recording: the omitted rows and the objective. operand: its
   name on the command line. */
void at_note_recording(const char *operand, const struct at_recording *recording);

/* The length in bytes of the first strategy in a list, including its options. */
size_t at_cli_strategy_length(const char *text);

/* Help texts, appended to out (cli/help.c). */
/* The widest text; longer lines are hard to read, and a manual page has this width. */
#define AT_HELP_COLUMNS 80
/* The width for help on a stream: the terminal's up to AT_HELP_COLUMNS, else
   AT_HELP_COLUMNS, so that files always get the same text. */
int at_cli_help_columns(int file);
/* Help is wrapped at `columns`: see at_cli_help_columns(). */
void at_help_program(
	const struct at_cli_command *const *all, int columns, struct at_strbuf *out);
/* The few lines for an empty command line. */
void at_help_first(
	const struct at_cli_command *const *all, int columns, struct at_strbuf *out);
/* Help for one command. */
void at_help_command(
	const struct at_cli_command *command, int columns, struct at_strbuf *out);
/* The tables of commands, options, strategies and exit codes for cli/README.md. */
void at_help_markdown(const struct at_cli_command *const *all, struct at_strbuf *out);

/* The commands, one file each. */
extern const struct at_cli_command at_command_tune;
extern const struct at_cli_command at_command_check;
extern const struct at_cli_command at_command_capture;
extern const struct at_cli_command at_command_devices;
extern const struct at_cli_command at_command_results;
extern const struct at_cli_command at_command_header;
extern const struct at_cli_command at_command_history;
extern const struct at_cli_command at_command_explain;
extern const struct at_cli_command at_command_report;
extern const struct at_cli_command at_command_compare;
extern const struct at_cli_command at_command_simulate;
extern const struct at_cli_command at_command_nightly;
extern const struct at_cli_command at_command_import;
extern const struct at_cli_command at_command_export;
extern const struct at_cli_command at_command_forget;
extern const struct at_cli_command at_command_help;

#endif
