/*
 * Where the values of device.NAME come from when nothing is run: from devices of this
 * machine, or from the table of an architecture. Threads: one.
 */
#ifndef AT_CLI_SOURCES_H
#define AT_CLI_SOURCES_H

#include "base/error.h"
#include "device/device.h"

#include <stdbool.h>
#include <stddef.h>

/* One source of device properties. */
struct at_property_source {
	/* As far as it is known; for an architecture the id is its name ("sm_90"). */
	struct at_device_info device;
	/* The board whose properties fill in what the architecture does not determine;
	   NULL: the source is a device. */
	const char *board;
	bool assumed[AT_PROPERTY_COUNT]; /* by property: it is the board's */
};

/* All sources of a command. */
struct at_property_sources {
	bool found;
	/* Named by the user; else only the first that fits a problem is used. */
	bool chosen;
	size_t count;
	size_t capacity;
	struct at_property_source *items;
	bool noted[AT_PROPERTY_COUNT]; /* at_property_sources_note() has reported it */
};

/*
 * Finds the sources: the devices named by ids ("cuda:0", "cuda:all"), or the
 * architecture where that is not NULL, or else every device of this machine. Later
 * calls do nothing.
 */
enum at_status at_property_sources_find(struct at_property_sources *self,
	const char *const *ids, size_t id_count, const char *architecture,
	struct at_error *err);
/*
 * Reports on stderr which of the used properties are a board's and not the
 * architecture's: one line each, once in the life of self.
 */
void at_property_sources_note(struct at_property_sources *self, const bool *used);
/* Frees the sources. */
void at_property_sources_release(struct at_property_sources *self);

#endif
