/* What is alike in all devices, whatever their kind: ids, and words for their state. */
#include "device/device.h"

#include "base/memory.h"

#include <stdio.h>

/* an idle board runs at a fraction of its highest clock */
#define CLOCK_IS_UP 0.9

void at_device_id(
	const struct at_device_kind *kind, unsigned index, char *buffer, size_t size)
{
	if (kind->single && index == 0)
		snprintf(buffer, size, "%s", kind->name);
	else
		snprintf(buffer, size, "%s:%u", kind->name, index);
}

void at_device_name(
	const struct at_device_kind *kind, unsigned index, struct at_device_info *info)
{
	snprintf(info->kind, sizeof(info->kind), "%s", kind->name);
	at_device_id(kind, index, info->id, sizeof(info->id));
}

bool at_device_clock_is_low(struct at_device *self, uint64_t *clock_hz)
{
	const struct at_properties *properties = &self->info.properties;
	struct at_device_state state = { 0 };
	double highest_hz = self->kept_clock_hz
				    ? (double)self->kept_clock_hz
				    : (double)properties->value[AT_PROPERTY_CLOCK_HZ];

	self->ops->state(self, &state);
	if (clock_hz)
		*clock_hz = state.clock_hz;
	/* the lock or the cap may be gone */
	if (self->kept_clock_hz && state.clock_hz > self->kept_clock_hz)
		self->kept_clock_hz = state.clock_hz;
	return state.clock_hz && properties->known[AT_PROPERTY_CLOCK_HZ] &&
	       (double)state.clock_hz < CLOCK_IS_UP * highest_hz;
}

void at_device_add_reasons(struct at_strbuf *out, uint32_t reasons)
{
	static const char *const texts[] = {
#define AT_CLOCK_REASON_TEXT(symbol, text) text,
		AT_CLOCK_REASONS(AT_CLOCK_REASON_TEXT)
#undef AT_CLOCK_REASON_TEXT
	};
	const char *between = "";

	for (size_t i = 0; i < AT_CLOCK_REASON_COUNT; i++) {
		if (!(reasons & AT_CLOCK_REASON_BIT(i)))
			continue;
		at_strbuf_addf(out, "%s%s", between, texts[i]);
		between = ", ";
	}
}
