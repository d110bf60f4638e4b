/* Names and texts of outcomes, from the list. */
#include "base/outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const names[AT_OUTCOME_COUNT] = {
#define NAME(symbol, name, text) name,
	AT_OUTCOMES(NAME)
#undef NAME
};

static const char *const texts[AT_OUTCOME_COUNT] = {
#define TEXT(symbol, name, text) text,
	AT_OUTCOMES(TEXT)
#undef TEXT
};

void at_finding_set(
	struct at_finding *self, enum at_outcome outcome, const char *format, ...)
{
	va_list arguments;

	self->outcome = outcome;
	va_start(arguments, format);
	vsnprintf(self->detail, sizeof(self->detail), format, arguments);
	va_end(arguments);
}

const char *at_outcome_name(enum at_outcome outcome)
{
	return names[(unsigned)outcome < AT_OUTCOME_COUNT ? outcome : 0];
}

const char *at_outcome_text(enum at_outcome outcome)
{
	return texts[(unsigned)outcome < AT_OUTCOME_COUNT ? outcome : 0];
}

enum at_outcome at_outcome_from_name(const char *name)
{
	for (int i = 0; i < AT_OUTCOME_COUNT; i++)
		if (!strcmp(names[i], name))
			return (enum at_outcome)i;
	return AT_OUTCOME_NONE;
}
