/* The registry of commands, and the way from main() to one of them. */
#include "cli/cli.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/output.h"

#include "record/store.h"

#include <string.h>

static const struct at_cli_command *const commands[] = {
	&at_command_tune,
	&at_command_check,
	&at_command_devices,
	&at_command_results,
	&at_command_header,
	&at_command_history,
	&at_command_report,
	&at_command_compare,
	&at_command_simulate,
	&at_command_nightly,
	&at_command_import,
	&at_command_export,
	&at_command_forget,
	&at_command_help,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

const struct at_cli_command *at_cli_command_at(size_t index)
{
	return index < COMMAND_COUNT ? commands[index] : NULL;
}

const struct at_cli_command *at_cli_command_find(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* The option of this name or letter that some command has; NULL: none. */
static const struct at_cli_option *find_option(const char *name, size_t length)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct at_cli_option *const *at = commands[i]->options;

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

/* "--budgt 90s": what follows may well be the value of what nobody knows */
static bool is_unknown_option(const char *word)
{
	return !strncmp(word, "--", 2) && !strchr(word, '=') &&
	       strcmp(word + 2, at_option_help.name) != 0 &&
	       strcmp(word + 2, at_option_version.name) != 0 &&
	       !find_option(word + 2, strlen(word + 2));
}

/*
 * The first word that is neither an option nor an option's value; count when
 * there is none. Options may stand before the command.
 */
static size_t first_operand(size_t count, char *const *words, bool *after_dashes)
{
	*after_dashes = false;
	for (size_t i = 0; i < count; i++) {
		const struct at_cli_option *option = NULL;
		const char *word = words[i];

		if (word[0] != '-' || !word[1])
			return i;
		if (!strcmp(word, "--")) {
			*after_dashes = true;
			return i + 1;
		}
		if (word[1] == '-' && !strchr(word, '='))
			option = find_option(word + 2, strlen(word + 2));
		else if (word[1] != '-' && !word[2])
			option = find_option(word + 1, 1);
		/* its value is the next word */
		if (option && option->kind == AT_CLI_WORD)
			i += i + 1 < count && at_cli_is_word(option, words[i + 1]);
		else if (option && option->kind != AT_CLI_FLAG)
			i++;
	}
	return count;
}

static enum at_status fail_command(const char *word, struct at_error *err)
{
	const char *names[COMMAND_COUNT];
	const char *nearest;

	for (size_t i = 0; i < COMMAND_COUNT; i++)
		names[i] = commands[i]->name;
	nearest = at_text_nearest(word, names, COMMAND_COUNT);
	if (nearest)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"unknown command \"%s\"; did you mean \"%s\"?", word, nearest);
	return at_fail(err, AT_EINVAL, NULL, 0,
		"\"%s\" is neither a command nor a space file; see \"autotune help\"",
		word);
}

const struct at_cli_command *at_cli_choose(
	size_t count, char *const *words, size_t *place, struct at_error *err)
{
	const struct at_cli_command *command;
	bool after_dashes;
	size_t first = first_operand(count, words, &after_dashes);

	*place = SIZE_MAX;
	if (first >= count || after_dashes)
		return &at_command_tune;
	command = at_cli_command_find(words[first]);
	if (command) {
		*place = first;
		return command;
	}
	/* whatever looks like a path is meant as a space, also when it is missing */
	if (strpbrk(words[first], "./") || at_file_exists(words[first]))
		return &at_command_tune;
	/* the parser has the message for it */
	if (first > 0 && is_unknown_option(words[first - 1]))
		return &at_command_tune;
	fail_command(words[first], err);
	return NULL;
}

static enum at_exit print_help(const struct at_cli_command *command)
{
	struct at_strbuf text = { 0 };

	if (command)
		at_help_command(command, &text);
	else
		at_help_program(&text);
	at_print(&text);
	at_strbuf_release(&text);
	return AT_EXIT_DONE;
}

static enum at_exit run(const struct at_cli_arguments *arguments, size_t place)
{
	struct at_strbuf text = { 0 };

	if (at_cli_given(arguments, &at_option_help))
		return print_help(place == SIZE_MAX ? NULL : arguments->command);
	if (at_cli_given(arguments, &at_option_version)) {
		at_strbuf_add(&text, "autotune " AT_VERSION "\n");
		at_print(&text);
		at_strbuf_release(&text);
		return AT_EXIT_DONE;
	}
	at_cli_be_patient(arguments);
	return arguments->command->run(arguments);
}

/* Once a record: it may have a million rows like it. */
static void tell_left_out(const struct at_error *reason)
{
	at_say_error(reason);
}

enum at_exit at_cli_main(int count, char *const *words)
{
	struct at_cli_arguments arguments = { 0 };
	struct at_error err = { 0 };
	const struct at_cli_command *command;
	enum at_status status;
	enum at_exit code;
	size_t place;

	at_output_begin();
	at_store_on_left_out(tell_left_out);
	if (count <= 1) {
		struct at_strbuf text = { 0 };

		at_help_program(&text);
		at_say_block(&text);
		at_strbuf_release(&text);
		return AT_EXIT_USAGE;
	}
	command = at_cli_choose((size_t)count - 1, words + 1, &place, &err);
	status = command ? at_cli_parse(command, (size_t)count - 1, words + 1, place,
				   &arguments, &err)
			 : err.status;
	if (status) {
		at_say_error(&err);
		code = status == AT_ENOMEM ? AT_EXIT_FAILED : AT_EXIT_USAGE;
	} else {
		code = run(&arguments, place);
	}
	at_cli_arguments_release(&arguments);
	/* what did not reach a full disk was not done */
	if (!at_output_end() && code == AT_EXIT_DONE)
		code = AT_EXIT_FAILED;
	return code;
}
