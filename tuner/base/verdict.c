/* Names of verdicts, from the list. */
#include "base/verdict.h"

#include <string.h>

static const char *const names[AT_VERDICT_COUNT] = {
#define NAME(symbol, name) name,
	AT_VERDICTS(NAME)
#undef NAME
};

const char *at_verdict_name(enum at_verdict verdict)
{
	return names[(unsigned)verdict < AT_VERDICT_COUNT ? verdict : 0];
}

enum at_verdict at_verdict_from_name(const char *name)
{
	for (int i = 0; i < AT_VERDICT_COUNT; i++)
		if (!strcmp(names[i], name))
			return (enum at_verdict)i;
	return AT_VERDICT_NONE;
}
