/* Reads --device for commands that run something: see device_list.h. */
#include "cli/device_list.h"

#include "device/device.h"
#include "evaluator/replay/replay.h"

#include <stdlib.h>
#include <string.h>

bool at_device_is_recording(const char *name)
{
	return !strncmp(name, AT_REPLAY_PREFIX, strlen(AT_REPLAY_PREFIX));
}

/*
 * Joins a recording with its options again: "replay:results/autotune.db,problem=large"
 * was split at its comma like a list of devices.
 */
static void join_recordings(struct at_device_list *self)
{
	size_t joined = 0, at = 0;

	for (size_t i = 0; i < self->count; i++) {
		if (joined && strchr(self->names[i], '=')) {
			at_strbuf_add_char(&self->texts, ',');
		} else {
			if (i)
				at_strbuf_add_char(&self->texts, '\0');
			joined = at_device_is_recording(self->names[i]);
			at++;
		}
		at_strbuf_add(&self->texts, self->names[i]);
	}
	self->count = at;
	for (size_t i = 0, place = 0; i < at; i++) {
		self->names[i] = self->texts.data + place;
		place += strlen(self->names[i]) + 1;
	}
}

enum at_status at_device_list_read(const struct at_cli_arguments *arguments,
	struct at_device_list *out, struct at_error *err)
{
	struct at_device_choice choice;
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	at_cli_each(
		arguments, "device", (const char *const **)&out->names, &out->count);
	join_recordings(out);
	for (size_t i = 0; i < out->count && !status; i++)
		if (!strcmp(out->names[i], AT_REPLAY_PREFIX))
			status = at_fail(err, AT_EINVAL, NULL, 0,
				"--device: \"" AT_REPLAY_PREFIX
				"\" names no recording: expected " AT_REPLAY_PREFIX
				"FILE");
		else if (!at_device_is_recording(out->names[i]))
			status = at_device_resolve(out->names[i], &choice, err);
	return status;
}

void at_device_list_release(struct at_device_list *self)
{
	free((void *)self->names);
	at_strbuf_release(&self->texts);
	memset(self, 0, sizeof(*self));
}
