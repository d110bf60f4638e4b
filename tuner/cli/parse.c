/* The words of a command line: choosing the command, its options and operands by its
   tables, and access to them by option. */
#include "cli/cli.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/output.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the command ---------------------------------------------------------------- */

/* More than the number of commands. */
#define COMMANDS_MAX 32

const struct at_cli_command *at_cli_command_find(
	const struct at_cli_command *const *all, const char *name)
{
	for (size_t i = 0; all[i]; i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}

/* The command's option for a word, "--name" or "-n", with or without a value; NULL: it
   has none of this name. */
static const struct at_cli_option *find(
	const struct at_cli_command *command, const char *word)
{
	size_t length = strcspn(word, "=") - 2; /* of "--name" */
	const struct at_cli_option *option;

	for (size_t i = 0; (option = at_cli_option_at(command, i)); i++)
		if (word[1] != '-' ? option->letter == word[1]
				   : strlen(option->name) == length &&
					     !strncmp(option->name, word + 2, length))
			return option;
	return NULL;
}

/* The same for all commands. */
static const struct at_cli_option *find_in_all(
	const struct at_cli_command *const *all, const char *word)
{
	const struct at_cli_option *found = NULL;

	for (; *all && !found; all++)
		found = find(*all, word);
	return found;
}

const struct at_cli_option *at_cli_option_of(
	const struct at_cli_command *const *all, const char *word)
{
	bool is_whole = word[0] == '-' && word[1] && !strchr(word, '=') &&
			(word[1] == '-' || !word[2]);

	return is_whole ? find_in_all(all, word) : NULL;
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
		/* the next word is its value */
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
	/* a word that looks like a path is a space, even if the file is missing */
	if (strpbrk(words[first], "./") || at_file_exists(words[first]))
		return &at_command_tune;
	/* in "--budgt 90s" the word may be an unknown option's value rather than a
	   command: the parser reports the option */
	if (first > 0 && !strncmp(words[first - 1], "--", 2) &&
		!strchr(words[first - 1], '=') && !find_in_all(all, words[first - 1]))
		return &at_command_tune;
	fail_command(all, words[first], err);
	return NULL;
}

/* ---- its words ------------------------------------------------------------------ */

/* The most names for a suggestion; the tables are shorter. */
#define OPTIONS_MAX 32

struct parser {
	const struct at_cli_command *const *all;
	const struct at_cli_command *command;
	size_t count;
	char *const *words;
	size_t skip;
	size_t next;
	struct at_cli_arguments *out;
	struct at_error *err;
};

/* word: "--budgt", "--budgt=10m", or with one dash, "-budget", "-j". */
static enum at_status fail_unknown(struct parser *parser, const char *word)
{
	const struct at_cli_option *option;
	bool is_long = word[1] == '-';
	const char *command = parser->command->name, *name = word + 1 + is_long;
	const char *names[OPTIONS_MAX], *nearest = NULL;
	size_t count = 0, length = strcspn(name, "=");
	char wrong[64];

	while (count < OPTIONS_MAX &&
		(option = at_cli_option_at(parser->command, count)))
		names[count++] = option->name;
	for (size_t i = 0; parser->all[i] && is_long; i++)
		if (find(parser->all[i], word))
			return at_fail(parser->err, AT_EINVAL, NULL, 0,
				"\"autotune %s\" has no option --%.*s; it is one of \"autotune %s\"",
				command, (int)length, name, parser->all[i]->name);
	snprintf(wrong, sizeof(wrong), "%.*s", (int)length, name);
	if (is_long)
		nearest = at_text_nearest(wrong, names, count);
	/* with one dash, the long option with this beginning */
	for (size_t i = 0; i < count && !is_long && !nearest; i++)
		if (!strncmp(names[i], name, length))
			nearest = names[i];
	if (nearest)
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			"unknown option %s%s; did you mean --%s?", is_long ? "--" : "",
			is_long ? wrong : word, nearest);
	return at_fail(parser->err, AT_EINVAL, NULL, 0,
		"unknown option %s%s; see \"autotune help %s\"", is_long ? "--" : "",
		is_long ? wrong : word, command);
}

/* The next word, skipping the command's own name; NULL at the end. */
static const char *take_word(struct parser *parser)
{
	if (parser->next == parser->skip)
		parser->next++;
	return parser->next < parser->count ? parser->words[parser->next++] : NULL;
}

/* Checks the value, and converts a number. */
static enum at_status read_value(struct at_cli_value *value, struct at_error *err)
{
	const struct at_cli_option *option = value->option;
	const char *text = value->text;
	struct at_error inner = { 0 };

	if (option->kind == AT_CLI_WHOLE) {
		bool is_whole = at_text_integer(text, &value->whole) &&
				value->whole >= option->minimum &&
				value->whole <= option->maximum;

		if (!is_whole && option->maximum == INT64_MAX)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"--%s: expected a whole number, %" PRId64
				" or more, found \"%s\"",
				option->name, option->minimum, text);
		if (!is_whole)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"--%s: expected a whole number from %" PRId64
				" to %" PRId64 ", found \"%s\"",
				option->name, option->minimum, option->maximum, text);
	}
	/* an omitted word is the empty text */
	if (option->kind == AT_CLI_WORD && !text[0])
		return AT_OK;
	if ((option->check && option->check(text, &inner)) ||
		(option->read && option->read(text, &value->number, &inner)))
		return at_fail(err, inner.status, NULL, 0, "--%s: %s", option->name,
			inner.text);
	return AT_OK;
}

static enum at_status add_value(struct parser *parser,
	const struct at_cli_option *option, const char *text, size_t length)
{
	struct at_cli_arguments *out = parser->out;
	struct at_cli_value *value;

	AT_GROW(out->values, out->value_capacity, out->value_count + 1);
	value = &out->values[out->value_count];
	memset(value, 0, sizeof(*value));
	value->option = option;
	value->text = at_strndup(text, length);
	out->value_count++;
	return read_value(value, parser->err);
}

/* The word after an option of kind WORD may be its value or something else: "--sanitize
   never spaces/matmul.cfg", "--sanitize spaces/matmul.cfg". */
static enum at_status add_word(
	struct parser *parser, const struct at_cli_option *option, const char *value)
{
	const char *nearest;
	size_t count = 0;

	if (!value) {
		if (parser->next == parser->skip)
			parser->next++;
		if (parser->next < parser->count &&
			at_cli_is_word(option, parser->words[parser->next]))
			value = take_word(parser);
	} else if (option->words && !at_cli_is_word(option, value)) {
		while (option->words[count])
			count++;
		nearest = at_text_nearest(value, option->words, count);
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			"--%s: expected %s, found \"%s\"%s%s%s", option->name,
			option->value, value, nearest ? "; did you mean \"" : "",
			nearest ? nearest : "", nearest ? "\"?" : "");
	}
	return add_value(parser, option, value ? value : "", value ? strlen(value) : 0);
}

static enum at_status add_option(
	struct parser *parser, const struct at_cli_option *option, const char *value)
{
	enum at_status status = AT_OK;

	if (option->kind == AT_CLI_FLAG) {
		if (value)
			return at_fail(parser->err, AT_EINVAL, NULL, 0,
				"--%s takes no value, found \"%s\"", option->name,
				value);
		return add_value(parser, option, "", 0);
	}
	if (option->kind == AT_CLI_WORD)
		return add_word(parser, option, value);
	if (!value) {
		value = take_word(parser);
		if (value && !strncmp(value, "--", 2) &&
			find_in_all(parser->all, value))
			return at_fail(parser->err, AT_EINVAL, NULL, 0,
				"--%s needs a value, and found the option \"%s\": --%s %s",
				option->name, value, option->name, option->value);
	}
	if (!value)
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			"--%s needs a value: --%s %s", option->name, option->name,
			option->value);
	if (option->kind != AT_CLI_LIST)
		return add_value(parser, option, value, strlen(value));
	for (bool is_list = strchr(value, ',');;) {
		size_t length = strcspn(value, ",");

		if (!length && is_list)
			return at_fail(parser->err, AT_EINVAL, NULL, 0,
				"--%s: an item of the list is empty", option->name);
		status = add_value(parser, option, value, length);
		if (status || !value[length])
			return status;
		value += length + 1;
	}
}

static enum at_status parse_option(struct parser *parser, const char *word)
{
	const struct at_cli_option *option = find(parser->command, word);
	size_t length = word[1] == '-' ? strcspn(word, "=") : 2;
	const char *value = word[length] ? word + length : NULL;

	/* "-help" is not -h with a value */
	if (!option || (word[1] != '-' && option->kind == AT_CLI_FLAG &&
			       !strcmp(option->name, word + 1)))
		return fail_unknown(parser, word);
	return add_option(parser, option, value ? value + (word[1] == '-') : NULL);
}

/* "SPACE..." is at least one, "[SPACE...]" any number, "A B" two. */
static void count_operands(
	const struct at_cli_command *command, size_t *least, size_t *most)
{
	*least = *most = 0;
	for (const char *at = command->operands; *at; at += strspn(at, " ")) {
		*least += *at != '[';
		++*most;
		at += strcspn(at, " ");
	}
	if (strstr(command->operands, "..."))
		*most = SIZE_MAX;
}

static enum at_status add_operand(struct parser *parser, const char *word)
{
	struct at_cli_arguments *out = parser->out;
	size_t least, most;

	count_operands(parser->command, &least, &most);
	/* "autotune a.cfg check": the last word is a misplaced command; so in "autotune
	   tune check a.cfg". Names of recorded spaces may be anything. */
	if ((parser->skip == SIZE_MAX || !strcmp(parser->command->name, "tune")) &&
		at_cli_command_find(parser->all, word) && !at_file_exists(word))
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			"\"%s\" is a command, and a command comes first: autotune %s%s%s",
			word, word, out->operand_count ? " " : "",
			out->operand_count ? out->operands[0] : "");
	if (out->operand_count == most)
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			most ? "\"autotune %s\" takes no more than %s, found \"%s\""
			     : "\"autotune %s\" takes no operand%s, found \"%s\"",
			parser->command->name, most ? parser->command->operands : "",
			word);
	AT_GROW(out->operands, out->operand_capacity, out->operand_count + 1);
	out->operands[out->operand_count] = at_strdup(word);
	out->operand_count++;
	return AT_OK;
}

enum at_status at_cli_parse(const struct at_cli_command *const *all,
	const struct at_cli_command *command, size_t count, char *const *words,
	size_t skip, struct at_cli_arguments *out, struct at_error *err)
{
	struct parser parser = { all, command, count, words, skip, 0, out, err };
	enum at_status status = AT_OK;
	bool only_operands = false;
	size_t least, most;
	const char *word;

	memset(out, 0, sizeof(*out));
	out->all = all;
	out->command = command;
	while (!status && (word = take_word(&parser))) {
		if (only_operands || word[0] != '-' || !word[1])
			status = add_operand(&parser, word);
		else if (!strcmp(word, "--"))
			only_operands = true;
		else
			status = parse_option(&parser, word);
	}
	if (status || at_cli_given(out, "help") || at_cli_given(out, "version"))
		return status;
	count_operands(command, &least, &most);
	if (out->operand_count < least)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"nothing to do: expected \"autotune %s %s\"; see \"autotune help %s\"",
			command->name, command->operands, command->name);
	return AT_OK;
}

/* ---- values -------------------------------------------------------------------- */

enum at_exit at_cli_each_operand(const struct at_cli_arguments *self,
	enum at_status (*run)(void *context, const char *operand, struct at_error *err),
	void *context)
{
	enum at_exit code = AT_EXIT_DONE;

	for (size_t i = 0; i < self->operand_count; i++) {
		struct at_error err = { 0 };

		if (!run(context, self->operands[i], &err))
			continue;
		at_say_error(&err);
		if (err.status == AT_EINTERRUPTED)
			return AT_EXIT_INTERRUPTED;
		code = AT_EXIT_FAILED;
	}
	return code;
}

void at_cli_arguments_release(struct at_cli_arguments *self)
{
	for (size_t i = 0; i < self->operand_count; i++)
		free(self->operands[i]);
	for (size_t i = 0; i < self->value_count; i++)
		free(self->values[i].text);
	free(self->operands);
	free(self->values);
	memset(self, 0, sizeof(*self));
}

/* The last value of an option. */
static const struct at_cli_value *find_value(
	const struct at_cli_arguments *self, const char *option)
{
	assert(!self->command ||
		at_cli_option_named(self->command, option, strlen(option)));
	for (size_t i = self->value_count; i-- > 0;)
		if (!strcmp(self->values[i].option->name, option))
			return &self->values[i];
	return NULL;
}

bool at_cli_given(const struct at_cli_arguments *self, const char *option)
{
	return find_value(self, option) != NULL;
}

const char *at_cli_text(
	const struct at_cli_arguments *self, const char *option, const char *fallback)
{
	const struct at_cli_value *value = find_value(self, option);

	return value ? value->text : fallback;
}

int64_t at_cli_whole(
	const struct at_cli_arguments *self, const char *option, int64_t fallback)
{
	const struct at_cli_value *value = find_value(self, option);

	return value ? value->whole : fallback;
}

double at_cli_number(
	const struct at_cli_arguments *self, const char *option, double fallback)
{
	const struct at_cli_value *value = find_value(self, option);

	return value ? value->number : fallback;
}

const char *at_cli_value_at(
	const struct at_cli_arguments *self, const char *option, size_t index)
{
	for (size_t i = 0; i < self->value_count; i++)
		if (!strcmp(self->values[i].option->name, option) && !index--)
			return self->values[i].text;
	return NULL;
}

void at_cli_each(const struct at_cli_arguments *self, const char *option,
	const char *const **out, size_t *count)
{
	const char **texts = at_malloc((self->value_count + 1) * sizeof(*texts));

	*count = 0;
	while ((texts[*count] = at_cli_value_at(self, option, *count)))
		++*count;
	*out = texts;
}

void at_cli_tell(const struct at_cli_arguments *arguments, struct at_json *object,
	struct at_strbuf *line)
{
	if (at_cli_given(arguments, "json")) {
		at_print_json(object);
		object = NULL;
	} else if (!at_cli_given(arguments, "quiet")) {
		at_print_folded(line);
	}
	at_json_free(object);
	at_strbuf_release(line);
}
