/* What can be tuned on here; see listing.h. */
#include "evaluator/workers/probe.h"
#include "evaluator/workers/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum at_status open_one(struct at_loop *loop, const char *kind, unsigned index,
	struct at_device_info *info, struct at_error *err)
{
	struct at_board *board;
	char id[32];
	enum at_status status;

	snprintf(id, sizeof(id), "%s:%u", kind, index);
	status = at_board_new(loop, id, &board, err);
	if (status)
		return status;
	status = at_probe_open(loop, board, info, err);
	at_board_free(board);
	return status;
}

static enum at_status list_kind(struct at_loop *loop, const char *kind,
	struct at_device_listing *out, struct at_error *err)
{
	struct at_error reason = { 0 };
	unsigned count = 0;
	enum at_status status;

	snprintf(out->kind, sizeof(out->kind), "%s", kind);
	status = at_probe_kind(
		loop, kind, &count, out->reason, sizeof(out->reason), err);
	if (status)
		return status;
	out->devices = calloc((size_t)count + 1, sizeof(*out->devices));
	if (!out->devices)
		return at_fail_memory(err);
	for (unsigned i = 0; i < count; i++) {
		if (open_one(loop, kind, i, &out->devices[out->count], &reason))
			snprintf(out->reason, sizeof(out->reason), "%.*s",
				(int)sizeof(out->reason) - 1, reason.text);
		else
			out->count++;
	}
	return AT_OK;
}

enum at_status at_workers_list_devices(const char *executable,
	struct at_device_listing **out, size_t *count, struct at_error *err)
{
	struct at_device_listing *listings;
	struct at_loop *loop;
	size_t kinds = 0;
	enum at_status status;

	while (at_device_kind_at(kinds))
		kinds++;
	listings = calloc(kinds + 1, sizeof(*listings));
	if (!listings)
		return at_fail_memory(err);
	status = at_loop_new(executable, &loop, err);
	if (status) {
		free(listings);
		return status;
	}
	for (size_t i = 0; i < kinds && !status; i++)
		status = list_kind(loop, at_device_kind_at(i)->name, &listings[i], err);
	at_loop_free(loop);
	if (status) {
		at_workers_free_devices(listings, kinds);
		return status;
	}
	*out = listings;
	*count = kinds;
	return AT_OK;
}

void at_workers_free_devices(struct at_device_listing *listings, size_t count)
{
	for (size_t i = 0; listings && i < count; i++)
		free(listings[i].devices);
	free(listings);
}
