/*
 * Small texts that others wrote; the first byte chooses who reads them: names of
 * devices (space/device_key.h), conditions of nights, how much to keep, reports of
 * compute-sanitizer, stamps of headers, what a verification was, numbers.
 */
#include "base/text.h"
#include "cli/cli.h"
#include "evaluator/workers/sanitizer.h"
#include "record/header_stamp.h"
#include "record/history.h"
#include "record/verification.h"
#include "space/device_key.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* It is the name of a folder: of small letters, digits and single '-'. */
static void check_slug(char *slug)
{
	if (!slug)
		abort();
	for (const char *at = slug; *at; at++)
		if (*at == '-' ? at == slug || !at[1] || at[1] == '-'
			       : !islower((unsigned char)*at) &&
					 !isdigit((unsigned char)*at))
			abort();
	free(slug);
}

static void read_device(const char *text)
{
	struct at_properties properties = { .known = { false } };

	for (unsigned i = 0; i < AT_PROPERTY_COUNT && text[0]; i++)
		if ((unsigned char)text[0] & (1U << i % 8))
			at_properties_set(&properties, (enum at_property)i,
				(int64_t)strlen(text) << i % 60);
	for (int is_host = 0; is_host < 2; is_host++) {
		const char *kind = is_host ? "host" : "cuda";
		char *before = at_device_slug_before(kind, text, &properties);

		check_slug(at_device_slug(kind, text, &properties));
		check_slug(at_device_slug_apart(kind, text, &properties));
		if (!before || !at_device_is_same(kind, &properties, &properties))
			abort();
		free(before);
	}
	at_device_memory_gib(&properties);
	at_properties_of_architecture(text, &properties);
}

static void read_conditions(const char *text)
{
	const char *second = strchr(text, '\n');
	char *first = second ? at_strndup(text, (size_t)(second - text)) : NULL;
	struct at_strbuf out = { 0 };

	at_conditions_compare(first ? first : "", second ? second + 1 : text, &out);
	if (first && at_conditions_compare(first, first, NULL))
		abort();
	at_conditions_whole(text, AT_CONDITION_PROCESSES, -1);
	at_strbuf_release(&out);
	free(first);
}

static void read_amounts(const char *text)
{
	struct at_error err = { 0 };
	struct at_keep keep;
	double real;
	int64_t whole;
	char buffer[64];

	if (!at_keep_parse(text, &keep, &err) ? keep.nights < 0 || keep.seconds < 0
					      : !err.text[0])
		abort();
	if (at_text_real(text, &real)) {
		if (!isfinite(real))
			abort();
		at_text_shortest_real(real, buffer, sizeof(buffer));
		at_text_duration(real, buffer, sizeof(buffer));
	}
	at_text_integer(text, &whole);
	if (strlen(text) > at_cli_strategy_length(text) + strlen(text))
		abort();
}

static void read_report(const char *text)
{
	static const char *const others[] = { "reference", "_Z3foov", NULL };

	for (int check = 0; check < AT_CHECK_COUNT; check++) {
		struct at_finding found;

		at_sanitizer_read((enum at_check)check, text, others, &found);
		if (strchr(found.detail, '\n') ||
			(found.outcome == AT_OUTCOME_OK) != !found.detail[0])
			abort();
	}
}

static void read_stamp(const char *text)
{
	struct at_header_stamp stamp;

	at_header_stamp_read(text, &stamp);
}

static void read_name(const char *text)
{
	static const char *const names[] = { "matmul", "transpose", "copy", "" };
	char *slug = at_text_slug(text), *macro = at_text_macro(text);
	char *copy = at_strdup(text);

	if (!copy || !macro)
		abort();
	check_slug(slug);
	at_text_nearest(text, names, sizeof(names) / sizeof(*names));
	at_text_flatten(copy);
	if (strpbrk(copy, "\r\n\t"))
		abort();
	free(copy);
	free(macro);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(const char *text) = { read_device,
		read_conditions, read_amounts, read_report, read_stamp, read_name };
	char *text;

	if (!size || data[0] >= sizeof(readers) / sizeof(*readers))
		return 0;
	text = at_strndup((const char *)data + 1, size - 1);
	if (!text)
		abort();
	readers[data[0]](text);
	free(text);
	return 0;
}
