/* The names of the hardware counters (counters.h). */
#include "device/counters.h"

static const char *const names[][2] = {
#define NAMES(symbol, name, other) { name, other },
	AT_COUNTERS(NAMES)
#undef NAMES
};

const char *at_counter_name(enum at_counter counter)
{
	return names[counter][0];
}

const char *at_counter_other_name(enum at_counter counter)
{
	return names[counter][1];
}
