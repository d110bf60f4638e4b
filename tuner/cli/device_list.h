/*
 * The devices that --device names for commands that run something: devices of this
 * machine, and recordings, whose options contain commas themselves. Threads: one.
 */
#ifndef AT_CLI_DEVICE_LIST_H
#define AT_CLI_DEVICE_LIST_H

#include "cli/cli.h"

/* The devices that were named. */
struct at_device_list {
	const char **names; /* "cuda:0", "replay:FILE,problem=large" */
	size_t count; /* 0: --device was not given */
	struct at_strbuf texts; /* owns what the names point into */
};

/* AT_ENOENT or AT_EINVAL: a name is of no known kind. The caller releases *out, also
   after a failure. */
enum at_status at_device_list_read(const struct at_cli_arguments *arguments,
	struct at_device_list *out, struct at_error *err);
/* Frees the list; a zeroed list is fine. */
void at_device_list_release(struct at_device_list *self);

/* Whether the name is "replay:FILE". */
bool at_device_is_recording(const char *name);

#endif
