/* Reads the options of a strategy. */
#include "search/options.h"
#include "base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A 32-bit set records which options were given; no strategy has so many. */
#define MOST_OPTIONS 32

/* Writes the accepted values of an option: "population=2..256",
   "neighbours=adjacent|any", "arms=local+tabu". */
static void describe(const struct at_search_option *option, struct at_strbuf *out)
{
	at_strbuf_addf(out, "%s=", option->key);
	if (!option->words) {
		char low[32], high[32];

		at_text_shortest_real(option->low, low, sizeof(low));
		at_text_shortest_real(option->high, high, sizeof(high));
		at_strbuf_addf(out, "%s..%s", low, high);
		return;
	}
	for (size_t i = 0; option->words[i]; i++)
		at_strbuf_addf(out, "%s%s",
			i ? (option->kind == AT_OPTION_SET ? "+" : "|") : "",
			option->words[i]);
}

static enum at_status unknown(const char *strategy, const char *key,
	const struct at_search_option *options, size_t count, struct at_error *err)
{
	const char *names[MOST_OPTIONS];
	struct at_strbuf known = { 0 };
	enum at_status status;
	const char *nearest;

	for (size_t i = 0; i < count; i++) {
		names[i] = options[i].key;
		at_strbuf_add(&known, at_text_between(i, count, " and "));
		describe(&options[i], &known);
	}
	nearest = at_text_nearest(key, names, count);
	status = at_fail(err, AT_EINVAL, NULL, 0,
		"strategy \"%s\" has no option \"%s\"%s%s%snown "
		"are %s",
		strategy, key, nearest ? ", did you mean \"" : "",
		nearest ? nearest : "", nearest ? "\"? K" : "; k",
		at_strbuf_text(&known));
	at_strbuf_release(&known);
	return status;
}

/* The index of a word, or SIZE_MAX. */
static size_t find_word(const char *const *words, const char *text, size_t length)
{
	for (size_t i = 0; words[i]; i++)
		if (strlen(words[i]) == length && !strncmp(words[i], text, length))
			return i;
	return SIZE_MAX;
}

static void set(const struct at_search_option *option, void *self, double value)
{
	void *member = (char *)self + option->offset;

	switch (option->kind) {
	case AT_OPTION_WHOLE:
		*(size_t *)member = (size_t)value;
		break;
	case AT_OPTION_REAL:
		*(double *)member = value;
		break;
	case AT_OPTION_SET:
		*(uint32_t *)member = (uint32_t)value;
		break;
	}
}

/* Reads the value of an option; false: the text is not a valid value. */
static bool read_value(
	const struct at_search_option *option, const char *text, double *value)
{
	uint32_t words = 0;
	int64_t whole;

	if (!option->words) {
		if (option->kind == AT_OPTION_REAL) {
			if (!at_text_real(text, value))
				return false;
		} else {
			if (!at_text_integer(text, &whole))
				return false;
			*value = (double)whole;
		}
		return *value >= option->low && *value <= option->high;
	}
	for (;; text++) {
		size_t length = strcspn(text, option->kind == AT_OPTION_SET ? "+" : "");
		size_t word = find_word(option->words, text, length);

		if (word == SIZE_MAX)
			return false;
		words |= UINT32_C(1) << word;
		*value = option->kind == AT_OPTION_SET ? words : (double)word;
		text += length;
		if (!*text)
			return true;
	}
}

enum at_status at_search_options_parse(const char *strategy, const char *text,
	const struct at_search_option *options, size_t count, void *self,
	struct at_error *err)
{
	uint32_t given = 0;

	if (!count && *text)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"strategy \"%s\" takes no options, found \"%s\"%s", strategy,
			text,
			strncmp(text, "seed", 4)
				? ""
				: ": the seed is an option of its own, --seed 3");
	for (size_t i = 0; i < count; i++)
		set(&options[i], self, options[i].standard);
	while (*text) {
		size_t length = strcspn(text, ","), chosen;
		char *key = at_strndup(text, length), *value;
		enum at_status status = AT_OK;
		double read;

		text += length + (text[length] == ',');
		value = strchr(key, '=');
		if (value)
			*value++ = '\0';
		for (chosen = 0; chosen < count; chosen++)
			if (!strcmp(options[chosen].key, key))
				break;
		if (chosen == count) {
			status = unknown(strategy, key, options, count, err);
		} else if (given >> chosen & 1) {
			status = at_fail(err, AT_EINVAL, NULL, 0,
				"strategy \"%s\": option \"%s\" is given twice",
				strategy, key);
		} else if (!value || !read_value(&options[chosen], value, &read)) {
			struct at_strbuf known = { 0 };

			describe(&options[chosen], &known);
			status = at_fail(err, AT_EINVAL, NULL, 0,
				"strategy \"%s\": \"%s%s%s\" is no "
				"option, %s is",
				strategy, key, value ? "=" : "", value ? value : "",
				at_strbuf_text(&known));
			at_strbuf_release(&known);
		} else {
			given |= 1u << chosen;
			set(&options[chosen], self, read);
		}
		free(key);
		if (status)
			return status;
	}
	return AT_OK;
}
