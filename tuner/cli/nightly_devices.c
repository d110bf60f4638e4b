/* The devices of a night: finds them, and lets only one nightly use each at a time. */
#include "cli/nightly_parts.h"

#include "cli/device_list.h"
#include "cli/output.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/owner.h"
#include "base/memory.h"
#include "evaluator/workers/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Between two attempts to take a lock. */
#define WAIT_NS 250000000

/* Opens the lock of this folder and board, which is another one than the board's
   own. */
static void open_lock(struct night *self, struct at_night_device *device)
{
	char *folder = realpath(self->options.results, NULL), hex[AT_HASH_HEX_SIZE];
	const char *place = folder ? folder : self->options.results;
	const char *board = device->info.uuid[0] ? device->info.uuid : device->name;
	struct at_strbuf name = { 0 };
	struct at_hash hash;

	at_strbuf_addf(&name, "%s %s", place, board);
	hash = at_hash_bytes(at_strbuf_text(&name), name.length);
	at_strbuf_clear(&name);
	at_strbuf_addf(&name, "nightly %s", at_hash_hex(hash, hex));
	at_device_lock_open(&device->lock, name.data);
	at_strbuf_release(&name);
	free(folder);
}

static void leave_out(struct night *self, size_t index, int64_t owner, double seconds)
{
	struct at_night_device *told = &self->report.devices[index];
	char line[512], name[64], waited[128] = "";

	at_process_describe(owner, name, sizeof(name));
	if (seconds > 0)
		snprintf(waited, sizeof(waited), " and was for %.0f s%s%s", seconds,
			name[0] ? ", " : "", name);
	snprintf(line, sizeof(line),
		"%s is left out: another nightly is at work on it for %.200s%s; --wait waits until that has ended",
		told->id, self->options.results, waited);
	told->is_left_out = true;
	night_fail(self, line);
}

void night_take_lock(struct night *self, size_t index, double seconds)
{
	const struct timespec pause = { .tv_nsec = WAIT_NS };
	struct at_night_device *device = &self->report.devices[index];
	uint64_t begun_ns = at_clock_now_ns();
	double waited_seconds = 0;
	bool is_first = true;
	char name[64];
	int64_t owner;

	open_lock(self, device);
	while (!at_device_lock_try(&device->lock, &owner)) {
		if (waited_seconds >= seconds) {
			leave_out(self, index, owner, waited_seconds);
			return;
		}
		at_process_describe(owner, name, sizeof(name));
		if (is_first)
			at_say("autotune: waiting for another nightly on %s to end%s%s",
				self->report.devices[index].id, name[0] ? ": " : "",
				name);
		is_first = false;
		if (night_is_interrupted(self))
			return;
		nanosleep(&pause, NULL);
		waited_seconds = (double)(at_clock_now_ns() - begun_ns) * 1e-9;
	}
}

/* Adds a device to the night and to its report; copies both names. */
static void add_device(
	struct night *self, const char *name, const char *id, bool is_recording)
{
	struct at_night_report *report = &self->report;

	report->devices = at_realloc(
		report->devices, (report->device_count + 1) * sizeof(*report->devices));
	report->devices[report->device_count++] = (struct at_night_device){
		.id = at_strdup(id),
		.model = at_strdup(""),
		.changes = at_strdup(""),
		.failure = at_strdup(""),
		.name = at_strdup(name),
		.is_recording = is_recording,
	};
}

/* Adds the devices of an item of --device, or all there are (NULL). An item that does
   not exist is reported, and the others are used. */
static enum at_status add_boards(
	struct night *self, const char *name, struct at_error *err)
{
	struct at_device_ids ids = { 0 };
	struct at_error problem = { 0 };
	char reason[1024];
	enum at_status status = at_probe_resolve(self->loop, &name, name ? 1 : 0, &ids,
		reason, sizeof(reason), &problem);

	if (status == AT_EINTERRUPTED || status == AT_ENOMEM) {
		if (err && !err->status)
			*err = problem;
		return status;
	}
	if (status) {
		night_fail_with(self, &problem);
		return AT_OK;
	}
	if (!name && reason[0] && !self->is_quiet)
		at_say("autotune: " AT_PROBE_FALLBACK, ids.ids[0], reason);
	for (size_t i = 0; i < ids.count; i++) {
		bool is_there = false;

		for (size_t j = 0; j < self->report.device_count; j++)
			is_there = is_there ||
				   !strcmp(self->report.devices[j].id, ids.ids[i]);
		if (!is_there)
			add_device(self, ids.ids[i], ids.ids[i], false);
	}
	free(ids.ids);
	return AT_OK;
}

/* Finds the boards behind the ids, since locks are for boards whatever they are
   called. */
static void find_infos(struct night *self)
{
	struct at_device_listing *listings;
	size_t count;

	if (at_probe_list_devices(NULL, &listings, &count, NULL))
		return;
	for (size_t i = 0; i < self->report.device_count; i++)
		for (size_t j = 0; j < count; j++)
			for (unsigned k = 0; k < listings[j].count; k++) {
				const struct at_device_info *info =
					&listings[j].devices[k];

				if (!strcmp(info->id, self->report.devices[i].id))
					self->report.devices[i].info = *info;
			}
	at_probe_free_devices(listings, count);
}

char *night_recording_id(const char *name)
{
	return at_strndup(name, strcspn(name, ","));
}

enum at_status night_open_devices(
	struct night *self, const struct at_device_list *list, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!list->count)
		status = add_boards(self, NULL, err);
	for (size_t i = 0; i < list->count && !status; i++) {
		char *id;

		if (!at_device_is_recording(list->names[i])) {
			status = add_boards(self, list->names[i], err);
			continue;
		}
		id = night_recording_id(list->names[i]);
		add_device(self, list->names[i], id, true);
		free(id);
	}
	if (!status)
		find_infos(self);
	return status;
}
