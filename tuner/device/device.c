/* What all kinds of devices share: ids, and words for their state. */
#include "device/device.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
	const double set_hz = self->clocks.clock_mhz * 1e6;
	double highest_hz = self->sustained_clock_hz ? (double)self->sustained_clock_hz
			    : set_hz > 0
				    ? set_hz
				    : (double)properties->value[AT_PROPERTY_CLOCK_HZ];

	self->ops->state(self, &state);
	if (clock_hz)
		*clock_hz = state.clock_hz;
	/* the lock or the cap may be gone */
	if (self->sustained_clock_hz && state.clock_hz > self->sustained_clock_hz)
		self->sustained_clock_hz = state.clock_hz;
	/* it may not have come down yet from an earlier, higher clock */
	if (set_hz > 0 && (double)state.clock_hz > set_hz / CLOCK_IS_UP)
		return true;
	return state.clock_hz &&
	       (set_hz > 0 || properties->known[AT_PROPERTY_CLOCK_HZ]) &&
	       (double)state.clock_hz < CLOCK_IS_UP * highest_hz;
}

bool at_clocks_are_set(const struct at_clocks *self)
{
	return self->clock_mhz || self->memory_clock_mhz || self->power_milliwatts;
}

enum at_status at_device_set_clocks(
	struct at_device *self, const struct at_clocks *clocks, struct at_error *err)
{
	if (!memcmp(&self->clocks, clocks, sizeof(*clocks)))
		return AT_OK;
	if (!self->ops->set_clocks)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0, "%s: %s", self->info.id,
			self->info.no_clocks);
	/* even after a failure: some may be set then, and must be restored */
	self->clocks = *clocks;
	self->sustained_clock_hz = 0;
	self->clocks_set_ns = at_clock_now_ns();
	return self->ops->set_clocks(self, clocks, err);
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

/* ---- other programs on the same board --------------------------------------- */

/* more names would only lengthen the message */
#define NAMED_MAX 4
/* further programs are not counted */
#define COUNTED_MAX 64

/*
 * Removes the entries of this program, and returns the remaining count. Inside a
 * container NVML's process ids differ from ours and names are hidden, so this process
 * cannot be recognised by its id. One entry without a name is then taken for it.
 */
static size_t drop_own(struct at_neighbour *neighbours, size_t count)
{
	char path[512] = "";
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *slash = length > 0 ? strrchr(path, '/') : NULL;
	const char *own = slash ? slash + 1 : "autotune";
	bool nameless = false;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		bool is_nameless = !neighbours[i].name[0];

		if (!strcmp(neighbours[i].name, own) || (is_nameless && !nameless)) {
			nameless = nameless || is_nameless;
			continue;
		}
		neighbours[kept++] = neighbours[i];
	}
	return kept;
}

size_t at_device_add_neighbours(struct at_device *self, struct at_strbuf *out)
{
	struct at_neighbour neighbours[COUNTED_MAX];
	size_t count = 0;

	if (self->ops->neighbours)
		count = self->ops->neighbours(self, neighbours, COUNTED_MAX);
	/* our own runs first, so that they do not displace others */
	count = drop_own(neighbours, count < COUNTED_MAX ? count : COUNTED_MAX);
	for (size_t i = 0; out && i < count && i < NAMED_MAX; i++) {
		const struct at_neighbour *neighbour = &neighbours[i];

		at_strbuf_addf(out, "%s%s (process %u", i ? ", " : "",
			neighbour->name[0] ? neighbour->name : "a program",
			(unsigned)neighbour->pid);
		if (neighbour->memory_bytes)
			at_strbuf_addf(out, ", %llu MiB",
				(unsigned long long)(neighbour->memory_bytes >> 20));
		at_strbuf_add_char(out, ')');
	}
	return count;
}
