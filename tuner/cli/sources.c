/* Finds the sources of device properties: see sources.h. */
#include "cli/sources.h"

#include "base/memory.h"
#include "cli/output.h"
#include "evaluator/workers/probe.h"
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_source(
	struct at_property_sources *self, const struct at_device_info *device)
{
	AT_GROW(self->items, self->capacity, self->count + 1);

	self->items[self->count++] = (struct at_property_source){ .device = *device };
}

/* Adds the devices that an id names: "cuda:all", "cuda:1", "cuda". */
static enum at_status add_named(struct at_property_sources *self,
	const struct at_device_listing *listings, size_t count, const char *id,
	struct at_error *err)
{
	const struct at_device_listing *listing = listings, *end = listings + count;
	struct at_device_choice choice;
	enum at_status status = at_device_resolve(id, &choice, err);
	unsigned first, last;

	if (status)
		return status;
	while (listing < end && strcmp(listing->kind, choice.kind->name) != 0)
		listing++;
	first = choice.all ? 0 : choice.index;
	if (listing == end || first >= listing->count)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"there is no device %s here%s%s", id,
			listing < end && listing->reason[0] ? ": " : "",
			listing < end ? listing->reason : "");
	last = choice.all ? listing->count - 1 : choice.index;
	for (unsigned i = first; i <= last; i++)
		add_source(self, &listing->devices[i]);
	return AT_OK;
}

/* Adds every device of this machine, or those that the ids name. */
static enum at_status add_devices(struct at_property_sources *self,
	const char *const *ids, size_t id_count, struct at_error *err)
{
	struct at_device_listing *listings;
	enum at_status status = AT_OK;
	size_t count;

	status = at_probe_list_devices(NULL, &listings, &count, err);
	if (status)
		return status;
	for (size_t i = 0; i < count && !id_count; i++)
		for (unsigned k = 0; k < listings[i].count; k++)
			add_source(self, &listings[i].devices[k]);
	for (size_t i = 0; i < id_count && !status; i++)
		status = add_named(self, listings, count, ids[i], err);
	at_probe_free_devices(listings, count);
	return status;
}

static enum at_status add_architecture(struct at_property_sources *self,
	const char *architecture, struct at_error *err)
{
	struct at_device_info device = { 0 };
	const struct at_properties *told = &device.properties;
	struct at_property_source *source;

	if (!at_device_describe(architecture, &device))
		return at_fail(err, AT_ENOENT, NULL, 0, "unknown architecture \"%s\"",
			architecture);
	snprintf(device.id, sizeof(device.id), "%s", architecture);
	add_source(self, &device);
	source = &self->items[self->count - 1];
	at_properties_assume_board(
		architecture, &source->device.properties, &source->board);
	for (size_t i = 0; i < AT_PROPERTY_COUNT; i++)
		source->assumed[i] =
			source->device.properties.known[i] && !told->known[i];
	return AT_OK;
}

enum at_status at_property_sources_find(struct at_property_sources *self,
	const char *const *ids, size_t id_count, const char *architecture,
	struct at_error *err)
{
	enum at_status status;

	if (self->found)
		return AT_OK;
	self->chosen = id_count > 0 || architecture;
	if (architecture)
		status = add_architecture(self, architecture, err);
	else
		status = add_devices(self, ids, id_count, err);
	self->found = !status;
	return status;
}

void at_property_sources_note(struct at_property_sources *self, const bool *used)
{
	for (size_t i = 0; i < self->count; i++) {
		const struct at_property_source *source = &self->items[i];

		for (size_t k = 0; k < AT_PROPERTY_COUNT; k++) {
			if (!used[k] || !source->assumed[k] || self->noted[k])
				continue;
			at_say("note: device.%s is %lld as on the %s: %s does not tell it",
				at_property_name((enum at_property)k),
				(long long)source->device.properties.value[k],
				source->board, source->device.id);
			self->noted[k] = true;
		}
	}
}

void at_property_sources_release(struct at_property_sources *self)
{
	free(self->items);
	memset(self, 0, sizeof(*self));
}
