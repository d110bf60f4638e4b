/*
 * Checks the environment's variables before a command runs. The code that reads a
 * variable ignores a value that makes no sense, without a message.
 */
#include "cli/cli.h"

#include "base/sandbox.h"
#include "base/text.h"
#include "cli/help.h"
#include "cli/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

enum { OURS_MAX = 32 };

#define PREFIX "AUTOTUNE_"

static enum at_status check_whole(
	const char *name, const char *unit, int64_t most, struct at_error *err)
{
	const char *text = getenv(name);
	int64_t value;

	if (!text || !text[0] ||
		(at_text_integer(text, &value) && value >= 0 && value <= most))
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"%s is \"%.60s\": expected a whole number of %s from 0 to %" PRId64,
		name, text, unit, most);
}

static enum at_status check_sandbox(struct at_error *err)
{
	const char *text = getenv(AT_SANDBOX_VARIABLE);

	if (!text || !text[0] || !strcmp(text, "off") || !strcmp(text, "on"))
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"%s is \"%.60s\": expected off, or nothing", AT_SANDBOX_VARIABLE, text);
}

/* Notes variables whose name is similar to one of ours; others may belong to
   anybody. */
static void note_slips(void)
{
	const struct at_help_variable *variable;
	const char *names[OURS_MAX], *nearest;
	size_t count = 0;
	char name[64];

	for (size_t i = 0; (variable = at_help_variable_at(i)) && count < OURS_MAX; i++)
		if (!strncmp(variable->name, PREFIX, strlen(PREFIX)))
			names[count++] = variable->name + strlen(PREFIX);
	for (char **at = environ; *at; at++) {
		size_t length = strcspn(*at, "="), known = 0;

		if (strncmp(*at, PREFIX, strlen(PREFIX)) != 0 || length >= sizeof(name))
			continue;
		length -= strlen(PREFIX);
		memcpy(name, *at + strlen(PREFIX), length);
		name[length] = '\0';
		while (known < count && strcmp(names[known], name) != 0)
			known++;
		nearest = known < count ? NULL : at_text_nearest(name, names, count);
		if (nearest)
			at_say("note: the environment has " PREFIX
			       "%s, which nothing reads; did you mean " PREFIX "%s?",
				name, nearest);
	}
}

enum at_status at_cli_check_environment(struct at_error *err)
{
	enum at_status status =
		check_whole("AUTOTUNE_PATIENCE", "seconds", 1000000, err);

	if (!status)
		status = check_whole(
			"AUTOTUNE_CACHE_MB", "megabytes", INT64_MAX >> 20, err);
	if (!status)
		status = check_sandbox(err);
	if (!status)
		note_slips();
	return status;
}
