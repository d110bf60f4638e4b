/*
 * What commands that read the record share: opening it without making it, the result
 * files where there is none, and which of the recorded devices --device means.
 * Threads: one.
 */
#ifndef AT_CLI_RECORDED_H
#define AT_CLI_RECORDED_H

#include "cli/cli.h"
#include "record/results.h"

/* One item of --device; what is NULL matches everything. */
struct at_wanted_device {
	char *kind;
	char *slug;
	const char *architecture; /* also accepted instead of the slug; borrowed */
};

struct at_recorded {
	struct at_store *store;
	const char *directory; /* --results; borrowed */
	/* there is no record: the store is in memory, with what the result files have
	 */
	bool is_shipped;
	size_t wanted_count; /* 0: every device */
	struct at_wanted_device *wanted;
};

/*
 * By --results and --device. A command that reads makes no record: where there is none,
 * the store is one in memory, of the result files (record/shipped.h); AT_ENOENT where
 * there are none either. Files that cannot be used are told. *out is the caller's:
 * at_recorded_close(), also after a failure.
 */
enum at_status at_recorded_open(const struct at_cli_arguments *arguments,
	struct at_recorded *out, struct at_error *err);
void at_recorded_close(struct at_recorded *self);
/*
 * What a SPACE on the command line is called in the record: a file's name for itself,
 * or the word as it is typed, where it is no file. *out is the caller's.
 */
enum at_status at_recorded_space_name(
	const char *operand, char **out, struct at_error *err);
/*
 * The winners of a space (NULL: of all), of the record and of the result files, as
 * at_results_read() has them. Files that cannot be used are told. *out is the caller's,
 * also after a failure.
 */
enum at_status at_recorded_results(struct at_recorded *self, const char *space,
	struct at_results *out, struct at_error *err);

/*
 * --device here is an id ("cuda:0": the model of that device), a kind ("host",
 * "cuda:all"), a model as in "nvidia-h200", or an architecture.
 */
bool at_recorded_wants(
	const struct at_recorded *self, const struct at_record_device *device);

#endif
