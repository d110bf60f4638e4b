/*
 * Where the values of device.NAME come from when nothing is run: devices that are
 * here, or the table of an architecture. Threads: one.
 */
#ifndef AT_CLI_SOURCES_H
#define AT_CLI_SOURCES_H

#include "base/error.h"
#include "device/device.h"

#include <stdbool.h>
#include <stddef.h>

struct at_property_source {
	/* as far as it is known; of an architecture the id is its name ("sm_90") */
	struct at_device_info device;
	/* an architecture's: whose the properties are that it does not tell; NULL: a
	   device's */
	const char *board;
	bool assumed[AT_PROPERTY_COUNT]; /* these */
};

struct at_property_sources {
	bool found;
	bool chosen; /* asked for by name; else the first that fits a problem will do */
	size_t count;
	size_t capacity;
	struct at_property_source *items;
	bool noted[AT_PROPERTY_COUNT]; /* what at_property_sources_note() said */
};

/*
 * From the devices named by ids ("cuda:0", "cuda:all"), or from the architecture
 * where that is not NULL, or else from every device that is here. Finds once;
 * later calls do nothing.
 */
enum at_status at_property_sources_find(struct at_property_sources *self,
	const char *const *ids, size_t id_count, const char *architecture,
	struct at_error *err);
/*
 * Says on stderr which of the used properties are a board's and not the
 * architecture's: one line each, once in the life of self.
 */
void at_property_sources_note(struct at_property_sources *self, const bool *used);
void at_property_sources_release(struct at_property_sources *self);

#endif
