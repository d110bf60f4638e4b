/*
 * The keys of the groups of a space file, and hints for misplaced ones: see
 * spec_keys.h.
 */
#include "space/spec_keys.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define KEYS(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

/* place: what messages call the group. NULL for a kind of another group that is listed
   here and has the same keys. */
static const struct {
	const char *place;
	const char *const *keys;
} groups[AT_GROUP_COUNT] = {
	[AT_GROUP_FILE] = { "the file itself, beside \"parameters\"",
		KEYS("kernel", "problems", "parameters", "defaults", "constraints",
			"toolchain", "options", "launch", "types", "arguments",
			"prepare", "finish", "domain", "verify", "metrics", "search") },
	[AT_GROUP_KERNEL] = { "kernel",
		KEYS("name", "template", "reference", "function", "arguments") },
	[AT_GROUP_PROBLEM] = { "a problem", KEYS("name", "on") },
	[AT_GROUP_LAUNCH] = { "launch", KEYS("block", "grid", "shared_bytes") },
	[AT_GROUP_CALL] = { "prepare and finish",
		KEYS("kernel", "arguments", "block", "grid", "shared_bytes") },
	[AT_GROUP_REFERENCE] = { "the group \"reference\" of kernel",
		KEYS("kernel", "library", "files", "function", "arguments", "block",
			"grid", "shared_bytes") },
	[AT_GROUP_REFERENCE_KERNEL] = { NULL,
		KEYS("kernel", "arguments", "block", "grid", "shared_bytes") },
	[AT_GROUP_REFERENCE_LIBRARY] = { NULL,
		KEYS("library", "function", "arguments") },
	[AT_GROUP_REFERENCE_FILES] = { NULL, KEYS("files") },
	[AT_GROUP_REFERENCE_FILE] = { "a file of a reference's \"files\"",
		KEYS("argument", "path") },
	[AT_GROUP_ARGUMENT] = { "an argument",
		KEYS("name", "type", "count", "value", "access", "fill", "fixed",
			"domain", "symbol", "rtol", "atol", "outliers") },
	[AT_GROUP_STRUCTURE] = { "a structure of \"types\"", KEYS("fields", "align") },
	[AT_GROUP_RANGE] = { "a range of a parameter",
		KEYS("from", "to", "times", "step") },
	[AT_GROUP_OPTION] = { "a group in \"options\"", KEYS("option", "when") },
	[AT_GROUP_VERIFY] = { "verify",
		KEYS("rtol", "atol", "problems", "cases", "derive", "data") },
	[AT_GROUP_METRICS] = { "metrics", KEYS("flops", "bytes") },
	[AT_GROUP_SEARCH] = { "search",
		KEYS("strategy", "budget", "deadline", "samples", "cache") },
};

const char *const *at_spec_keys(enum at_spec_group group, size_t *count)
{
	for (*count = 0; groups[group].keys && groups[group].keys[*count];)
		(*count)++;
	return groups[group].keys;
}

bool at_spec_has_key(enum at_spec_group group, const char *key)
{
	size_t count;
	const char *const *keys = at_spec_keys(group, &count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(keys[i], key))
			return true;
	return false;
}

/* Whether `other` is a group to name in a hint: one that messages can name, not this
   one, and not the one that contains it. */
static bool stands_elsewhere(enum at_spec_group group, enum at_spec_group other)
{
	bool is_part = !groups[group].place;

	return groups[other].place && other != group &&
	       !(is_part && other == AT_GROUP_REFERENCE);
}

/* Lists the groups that have the key, "A, B or C". */
static void list_homes(
	enum at_spec_group group, const char *key, char *buffer, size_t size)
{
	const char *places[AT_GROUP_COUNT];
	size_t count = 0, length = 0;

	for (int i = AT_GROUP_FILE; i < AT_GROUP_COUNT; i++)
		if (stands_elsewhere(group, (enum at_spec_group)i) &&
			at_spec_has_key((enum at_spec_group)i, key))
			places[count++] = groups[i].place;
	buffer[0] = '\0';
	for (size_t i = 0; i < count && length < size; i++)
		length += (size_t)snprintf(buffer + length, size - length, "%s%s",
			i == 0          ? ""
			: i + 1 < count ? ", "
					: " or ",
			places[i]);
}

const char *at_spec_key_home(
	enum at_spec_group group, const char *key, char *buffer, size_t size)
{
	char places[256];

	list_homes(group, key, places, sizeof(places));
	snprintf(buffer, size, places[0] ? ": it belongs to %s" : "%s", places);
	return buffer;
}

const char *at_spec_key_near_home(
	enum at_spec_group group, const char *wrong, char *buffer, size_t size)
{
	const char *names[96], *nearest;
	char places[256];
	size_t count = 0, of_group;

	for (int i = AT_GROUP_FILE; i < AT_GROUP_COUNT; i++) {
		const char *const *keys =
			at_spec_keys((enum at_spec_group)i, &of_group);

		if (!stands_elsewhere(group, (enum at_spec_group)i))
			continue;
		for (size_t k = 0; k < of_group && count < AT_COUNT_OF(names); k++)
			names[count++] = keys[k];
	}
	nearest = at_text_nearest(wrong, names, count);
	buffer[0] = '\0';
	if (!nearest)
		return buffer;
	list_homes(group, nearest, places, sizeof(places));
	snprintf(buffer, size, ", did you mean \"%s\"? It belongs to %s", nearest,
		places);
	return buffer;
}
