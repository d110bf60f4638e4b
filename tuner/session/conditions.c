/* The conditions of a measurement as JSON (conditions.h). */
#include "session/conditions.h"

#include "base/json.h"
#include "base/memory.h"
#include "record/history.h"

#include <math.h>

static void set_text(struct at_json *out, const char *key, const char *value)
{
	if (value[0])
		at_json_set(out, key, at_json_string(value));
}

static void set_whole(struct at_json *out, const char *key, uint64_t value)
{
	if (value && value <= INT64_MAX)
		at_json_set(out, key, at_json_integer((int64_t)value));
}

/* in whole watts, as limits are set: smaller differences are not a change; 0: not
   known */
static uint64_t watts(double value)
{
	return value >= 0.5 && value < 1e6 ? (uint64_t)llround(value) : 0;
}

char *at_conditions_json(const struct at_evaluator_info *info,
	const struct at_measure_conditions *conditions)
{
	struct at_json *out = at_json_object();
	struct at_strbuf json = { 0 };

	set_text(out, "driver", info->device.driver);
	set_text(out, "toolchain", info->toolchain);
	if (conditions) {
		set_whole(
			out, "power_limit_watts", watts(conditions->power_limit_watts));
		if (conditions->ecc != AT_SWITCH_UNKNOWN)
			at_json_set(out, "ecc",
				at_json_boolean(conditions->ecc == AT_SWITCH_ON));
		set_whole(out, "set_clock_hz", conditions->set_clock_hz);
		set_whole(out, "set_memory_clock_hz", conditions->set_memory_clock_hz);
		if (conditions->knows_neighbours)
			at_json_set(out, AT_CONDITION_PROCESSES,
				at_json_integer(conditions->neighbours));
	}
	at_json_write(out, 0, &json);
	at_json_free(out);
	return at_strbuf_detach(&json);
}
