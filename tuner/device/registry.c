#include "base/text.h"
#include "device/cuda/cuda.h"
#include "device/device.h"
#include "device/host/host.h"

#include <string.h>

static const struct at_device_kind *const kinds[] = {
	&at_device_kind_cuda,
	&at_device_kind_host,
};

/* of the highest clock */
#define CLOCK_IS_UP 0.9

#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

const struct at_device_kind *at_device_kind_at(size_t index)
{
	return index < KIND_COUNT ? kinds[index] : NULL;
}

enum at_status at_device_resolve(const char *id, const struct at_device_kind **kind,
	unsigned *index, struct at_error *err)
{
	const char *colon = strchr(id, ':');
	size_t length = colon ? (size_t)(colon - id) : strlen(id);
	int64_t number = 0;

	for (size_t i = 0; i < KIND_COUNT; i++) {
		if (strlen(kinds[i]->name) != length ||
			strncmp(kinds[i]->name, id, length) != 0)
			continue;
		if (colon && (!at_text_integer(colon + 1, &number) || number < 0 ||
				     number > 1023))
			return at_fail(err, AT_EINVAL, NULL, 0,
				"device \"%s\": expected a number after the colon, as in \"%s:0\"",
				id, kinds[i]->name);
		*kind = kinds[i];
		*index = (unsigned)number;
		return AT_OK;
	}
	return at_fail(err, AT_ENOENT, NULL, 0,
		"unknown device \"%s\"; known are cuda:N, cuda:all and host", id);
}

bool at_device_clock_is_low(struct at_device *self)
{
	const struct at_properties *properties = &self->info.properties;
	struct at_device_state state = { 0 };

	self->ops->state(self, &state);
	return state.clock_hz && properties->known[AT_PROPERTY_CLOCK_HZ] &&
	       (double)state.clock_hz <
		       CLOCK_IS_UP * (double)properties->value[AT_PROPERTY_CLOCK_HZ];
}
