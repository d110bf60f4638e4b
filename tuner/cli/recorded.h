/*
 * What commands that read the record share: opening it without making it, and
 * which of the recorded devices --device means. Threads: one.
 */
#ifndef AT_CLI_RECORDED_H
#define AT_CLI_RECORDED_H

#include "cli/cli.h"
#include "record/store.h"

/* One item of --device; what is NULL matches everything. */
struct at_wanted_device {
	char *kind;
	char *slug;
	const char *architecture; /* also accepted instead of the slug; borrowed */
};

struct at_recorded {
	struct at_store *store;
	size_t wanted_count; /* 0: every device */
	struct at_wanted_device *wanted;
};

/*
 * By --results and --device. AT_ENOENT when there is no record yet: a command
 * that reads makes none. *out is the caller's: at_recorded_close(), also after a
 * failure.
 */
enum at_status at_recorded_open(const struct at_cli_arguments *arguments,
	struct at_recorded *out, struct at_error *err);
void at_recorded_close(struct at_recorded *self);

/*
 * --device here is an id ("cuda:0": the model of that device), a kind ("host",
 * "cuda:all"), a model as in "nvidia-h200", or an architecture.
 */
bool at_recorded_wants(
	const struct at_recorded *self, const struct at_record_device *device);

#endif
