#include "session/conditions.h"

#include "base/json.h"
#include "base/memory.h"
#include "record/history.h"

#include <math.h>

static struct at_json *text(const char *value)
{
	return value[0] ? at_json_string(value) : at_json_null();
}

static struct at_json *known(uint64_t value)
{
	return value ? at_json_integer((int64_t)value) : at_json_null();
}

static struct at_json *on_or_off(uint32_t value)
{
	return value == AT_SWITCH_UNKNOWN ? at_json_null()
					  : at_json_boolean(value == AT_SWITCH_ON);
}

/* whole watts: that is how limits are set, and half a watt is no change */
static uint64_t watts(double value)
{
	return value >= 0.5 && value < 1e6 ? (uint64_t)llround(value) : 0;
}

char *at_conditions_json(
	const struct at_evaluator_info *info, const struct at_measure_watch *watch)
{
	static const struct at_measure_watch unknown = { 0 };
	const struct at_measure_watch *seen = watch ? watch : &unknown;
	struct at_json *out = at_json_object();
	struct at_strbuf json = { 0 };

	at_json_set(out, "driver", text(info->device.driver));
	at_json_set(out, "toolchain", text(info->toolchain));
	at_json_set(out, "power_limit_watts", known(watts(seen->power_limit_watts)));
	at_json_set(out, "ecc", on_or_off(seen->ecc));
	at_json_set(out, "set_clock_hz", known(seen->set_clock_hz));
	at_json_set(out, "set_memory_clock_hz", known(seen->set_memory_clock_hz));
	at_json_set(out, AT_CONDITION_PROCESSES,
		watch ? at_json_integer(watch->neighbours) : at_json_null());
	if (at_json_write(out, 0, &json, NULL)) {
		at_strbuf_release(&json);
		at_json_free(out);
		return NULL;
	}
	at_json_free(out);
	return at_strbuf_detach(&json);
}
