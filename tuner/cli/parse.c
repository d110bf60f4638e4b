/* Parses the words of a command line by the tables of its command. */
#include "cli/cli.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* The most names that suggestions choose from; the tables are shorter. */
#define OPTIONS_MAX 32

/* The state of parsing: the words, and which one is next. */
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

/* The options that every command has. */
static const struct at_cli_option *const always[] = {
	&at_option_help,
	&at_option_version,
	NULL,
};

static const struct at_cli_option *find_in(
	const struct at_cli_option *const *table, const char *name, size_t length)
{
	for (; *table; table++)
		if (strlen((*table)->name) == length &&
			!strncmp((*table)->name, name, length))
			return *table;
	return NULL;
}

static enum at_status fail_unknown(
	struct parser *parser, const char *name, size_t length)
{
	const struct at_cli_option *const *tables[] = { parser->command->options,
		always };
	const struct at_cli_command *other;
	const char *command = parser->command->name;
	const char *names[OPTIONS_MAX];
	const char *nearest;
	char wrong[64];
	size_t count = 0;

	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; tables[i][k] && count < OPTIONS_MAX; k++)
			names[count++] = tables[i][k]->name;
	if (length >= sizeof(wrong))
		length = sizeof(wrong) - 1;
	memcpy(wrong, name, length);
	wrong[length] = '\0';
	for (size_t i = 0; (other = parser->all[i]); i++)
		if (find_in(other->options, name, length))
			break;
	if (other)
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			"\"autotune %s\" has no option --%s; it is one of \"autotune %s\"",
			command, find_in(other->options, name, length)->name,
			other->name);
	nearest = at_text_nearest(wrong, names, count);
	if (nearest)
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			"unknown option --%s; did you mean --%s?", wrong, nearest);
	return at_fail(parser->err, AT_EINVAL, NULL, 0,
		"unknown option --%s; see \"autotune help %s\"", wrong, command);
}

/* The next word, leaving out the command's own name; NULL at the end. */
static const char *take_word(struct parser *parser)
{
	if (parser->next == parser->skip)
		parser->next++;
	return parser->next < parser->count ? parser->words[parser->next++] : NULL;
}

static enum at_status check_value(const struct at_cli_option *option, const char *text,
	int64_t *whole, struct at_error *err)
{
	struct at_error inner = { 0 };

	if (option->kind == AT_CLI_WHOLE) {
		bool is_whole = at_text_integer(text, whole) &&
				*whole >= option->minimum && *whole <= option->maximum;

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
	/* A word that was left out is the empty text. */
	if (option->kind == AT_CLI_WORD && !text[0])
		return AT_OK;
	if (option->check && option->check(text, &inner))
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
	return check_value(option, value->text, &value->whole, parser->err);
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

/* Whether the word is an option of any command: then the option before it lacks its
   value. */
static bool is_option_name(const struct parser *parser, const char *word)
{
	size_t length = strcspn(word, "=");
	const struct at_cli_command *command;

	if (strncmp(word, "--", 2) != 0 || length < 3)
		return false;
	if (find_in(always, word + 2, length - 2) ||
		find_in(parser->command->options, word + 2, length - 2))
		return true;
	for (size_t i = 0; (command = parser->all[i]); i++)
		if (find_in(command->options, word + 2, length - 2))
			return true;
	return false;
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
		if (value && is_option_name(parser, value))
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

static enum at_status parse_long(struct parser *parser, const char *name)
{
	size_t length = strcspn(name, "=");
	const struct at_cli_option *option =
		find_in(parser->command->options, name, length);

	if (!option)
		option = find_in(always, name, length);
	if (!option)
		return fail_unknown(parser, name, length);
	return add_option(parser, option, name[length] ? name + length + 1 : NULL);
}

static const struct at_cli_option *find_letter(
	const struct at_cli_option *const *table, char letter)
{
	for (; *table; table++)
		if ((*table)->letter == letter)
			return *table;
	return NULL;
}

/* For -budget, -j and -v, suggests the long option that begins like it. */
static enum at_status fail_short(struct parser *parser, const char *word)
{
	const struct at_cli_option *const *tables[] = { parser->command->options,
		always };
	const char *nearest = NULL;
	size_t length = strcspn(word + 1, "=");

	for (size_t i = 0; i < AT_COUNT_OF(tables); i++)
		for (size_t k = 0; tables[i][k]; k++) {
			const char *name = tables[i][k]->name;

			if (!nearest && !strncmp(name, word + 1, length))
				nearest = name;
		}
	if (nearest)
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			"unknown option %s; did you mean --%s?", word, nearest);
	return at_fail(parser->err, AT_EINVAL, NULL, 0,
		"unknown option %s; see \"autotune help %s\"", word,
		parser->command->name);
}

static enum at_status parse_short(struct parser *parser, const char *word)
{
	const struct at_cli_option *option =
		find_letter(parser->command->options, word[1]);

	if (!option)
		option = find_letter(always, word[1]);
	/* "-help" is no -h with a value */
	if (!option || (option->kind == AT_CLI_FLAG && !strcmp(option->name, word + 1)))
		return fail_short(parser, word);
	return add_option(parser, option, word[2] ? word + 2 : NULL);
}

static enum at_status add_operand(struct parser *parser, const char *word)
{
	struct at_cli_arguments *out = parser->out;
	size_t maximum = parser->command->operands_maximum;

	/* "autotune a.cfg check": the command was left out, and is the last word; or
	   "autotune tune check a.cfg". Names of recorded spaces may be anything. */
	if ((parser->skip == SIZE_MAX || !strcmp(parser->command->name, "tune")) &&
		at_cli_command_find(parser->all, word) && !at_file_exists(word))
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			"\"%s\" is a command, and a command comes first: autotune %s%s%s",
			word, word, out->operand_count ? " " : "",
			out->operand_count ? out->operands[0] : "");
	if (out->operand_count == maximum)
		return at_fail(parser->err, AT_EINVAL, NULL, 0,
			maximum ? "\"autotune %s\" takes no more than %s, found \"%s\""
				: "\"autotune %s\" takes no operand%s, found \"%s\"",
			parser->command->name, maximum ? parser->command->operands : "",
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
	const char *word;

	memset(out, 0, sizeof(*out));
	out->all = all;
	out->command = command;
	while (!status && (word = take_word(&parser))) {
		if (only_operands || word[0] != '-' || !word[1])
			status = add_operand(&parser, word);
		else if (!strcmp(word, "--"))
			only_operands = true;
		else if (word[1] == '-')
			status = parse_long(&parser, word + 2);
		else
			status = parse_short(&parser, word);
	}
	if (status || at_cli_given(out, &at_option_help) ||
		at_cli_given(out, &at_option_version))
		return status;
	if (out->operand_count < command->operands_minimum)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"nothing to do: expected \"autotune %s %s\"; see \"autotune help %s\"",
			command->name, command->operands, command->name);
	return AT_OK;
}
