/* Names and texts of outcomes, from the list. */
#include "base/outcome.h"

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
