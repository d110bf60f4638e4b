/*
 * For commands that read the record: opening it without creating it, the result files
 * where there is no record, and which recorded devices --device means. Threads: one.
 */
#ifndef AT_CLI_RECORDED_H
#define AT_CLI_RECORDED_H

#include "cli/cli.h"
#include "record/results.h"

/* One item of --device; a member that is NULL matches everything. */
struct at_wanted_device {
	char *kind;
	char *slug;
	const char *architecture; /* matches instead of the slug; borrowed */
};

/* The open record, and what --device asks for. */
struct at_recorded {
	struct at_store *store;
	const char *directory; /* --results; borrowed */
	/* There is no record: the store is in memory and has the contents of the result
	   files. */
	bool is_bundled;
	size_t wanted_count; /* 0: every device */
	struct at_wanted_device *wanted;
};

/*
 * Opens the record of --results and reads --device. A command that reads creates no
 * record: if none exists, the store is in memory and filled from the result files
 * (record/bundled.h). AT_ENOENT: there are no result files either. Files that cannot be
 * used are reported on stderr. What is read is the record at one moment: whoever writes
 * to it calls at_store_end_reading() first. The caller closes *out, also after a
 * failure.
 */
enum at_status at_recorded_open(const struct at_cli_arguments *arguments,
	struct at_recorded *out, struct at_error *err);
/* Whether there are neither a record nor result files in a folder, or no folder. A
   record that cannot be read is one. */
bool at_recorded_is_empty(const char *directory);
/* Closes the record and frees the rest. */
void at_recorded_close(struct at_recorded *self);
/*
 * The name under which the record has a SPACE of the command line: for a file, the name
 * in it; else the word as it is typed. *out is the caller's.
 */
enum at_status at_recorded_space_name(
	const char *operand, char **out, struct at_error *err);
/*
 * AT_ENOENT: nothing is recorded of the operand, and which space was probably meant, or
 * which there are. narrowed: options leave something out, so that no space is
 * suggested.
 */
enum at_status at_recorded_fail_nothing_of(const struct at_recorded *self,
	const char *operand, bool narrowed, struct at_error *err);
/*
 * The winners of a space (NULL: of all), from the record and the result files: see
 * at_results_read(). Files that cannot be used are reported on stderr. The caller
 * releases *out, also after a failure.
 */
enum at_status at_recorded_results(struct at_recorded *self, const char *space,
	struct at_results *out, struct at_error *err);

/*
 * Whether --device names this device. An item is an id ("cuda:0": the model of that
 * device), a kind ("host", "cuda:all"), a model as in "nvidia-h200", or an
 * architecture.
 */
bool at_recorded_wants(
	const struct at_recorded *self, const struct at_record_device *device);

#endif
