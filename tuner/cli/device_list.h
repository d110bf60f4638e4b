/*
 * What --device names where something is run: devices of this machine, and recordings,
 * whose own choices have commas too. Threads: one.
 */
#ifndef AT_CLI_DEVICE_LIST_H
#define AT_CLI_DEVICE_LIST_H

#include "cli/cli.h"

struct at_device_list {
	const char **names; /* "cuda:0", "replay:FILE,problem=large" */
	size_t count; /* 0: it was not given */
	struct at_strbuf texts; /* what the names point into */
};

/* AT_ENOENT, AT_EINVAL: none of the known kinds. *out is the caller's, also after a
   failure: at_device_list_release(). */
enum at_status at_device_list_read(const struct at_cli_arguments *arguments,
	struct at_device_list *out, struct at_error *err);
void at_device_list_release(struct at_device_list *self);

/* "replay:FILE" */
bool at_device_is_recording(const char *name);

#endif
