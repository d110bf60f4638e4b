/*
 * For commands that read the record: opening it without creating it, the result files
 * where there is no record, which recorded devices --device means; and what is
 * recorded, grouped by space, problem and device. Threads: one.
 */
#ifndef AT_CLI_RECORDED_H
#define AT_CLI_RECORDED_H

#include "cli/cli.h"
#include "cli/page.h"
#include "cli/tell.h"
#include "kernel/roofline.h"
#include "record/results.h"
#include "record/sources.h"

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
	size_t space_count; /* 0: every space */
	char **spaces; /* of at_recorded_read_spaces(); each once */
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
/* Reads the operands as names of spaces. */
enum at_status at_recorded_read_spaces(struct at_recorded *self,
	const struct at_cli_arguments *arguments, struct at_error *err);
/* Whether the operands name the space, or there are none. */
bool at_recorded_names(const struct at_recorded *self, const char *space);
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

/* ---- groups: how often each outcome occurred, and the best evaluations */

/* What is known of one problem of one space on one device. */
struct at_group {
	char *space;
	char *problem;
	int64_t device_id; /* 0: not in the record */
	/* The winner comes from a result file, since the record has none that counts
	   more. */
	bool is_bundled;
	struct at_record_device device;
	bool has_ceilings;
	/* Of the device; zeroed without has_ceilings. */
	struct at_record_ceilings ceilings;
	bool has_winner;
	struct at_winner best;
	struct at_evaluation winner; /* the winner's; without samples and log */
	bool has_baseline;
	struct at_evaluation defaults; /* the baseline's; without samples and log */
	bool baseline_wins; /* the winner is the baseline itself */
	/* Tells which evaluations are of an older source, compiler or driver than the
	   newest. */
	struct at_sources sources;
	bool winner_is_older;
	bool shows_older; /* copied from at_groups.with_older */
	/* Older evaluations; not in by_outcome and first_detail. */
	uint64_t older_count;
	double baseline; /* the baseline's time in ns; NAN if none exists */
	char *baseline_configuration; /* as recorded; NULL: not known */
	uint64_t by_outcome[AT_OUTCOME_COUNT];
	char first_detail[AT_OUTCOME_COUNT][AT_LANE_DETAIL_SIZE];
	size_t row_count;
	size_t row_capacity;
	struct at_evaluation *rows; /* best first; no samples, no log */
};

/* The groups, and how to collect them. */
struct at_groups {
	size_t top; /* the most rows kept of each group; 0: all */
	bool with_older; /* keep older rows too */
	struct at_store *store; /* borrowed, only while collecting */
	const struct at_cli_arguments *arguments; /* for --problem; borrowed */
	size_t count;
	size_t capacity;
	struct at_group **items;
};

/*
 * Opens the record and collects the groups of the command's operands, which are space
 * files or names of spaces; of all spaces without operands. self: top and
 * with_older are set by the caller, who releases both objects, also after a failure.
 * AT_ENOENT: nothing is recorded of an operand, or at all.
 */
enum at_status at_groups_open(struct at_groups *self, struct at_recorded *recorded,
	const struct at_cli_arguments *arguments, struct at_error *err);

/* ---- what it consists of, for tests */

/* Adds what the record and the result files have of a space (NULL: of all). */
enum at_status at_groups_collect(struct at_groups *self, struct at_recorded *recorded,
	const char *space, struct at_error *err);
/*
 * Call it after the last at_groups_collect(). Adds devices with their ceilings,
 * winners, winners and baselines, drops devices that --device does not name, and sorts
 * by space, problem and device.
 */
enum at_status at_groups_complete(
	struct at_groups *self, struct at_recorded *recorded, struct at_error *err);
/* Whether evaluations are recorded, and none of them passed. */
bool at_group_has_failed(const struct at_group *self);
/* Why a group without a winner has no winner. Static storage. */
const char *at_group_no_winner(const struct at_group *self);
/* The rates that a row achieves, by its time. */
void at_group_roofline(const struct at_group *self, const struct at_evaluation *row,
	struct at_roofline *out);
/* How many times better than the baseline a row is; NAN: not known. */
double at_group_gain(const struct at_group *self, const struct at_evaluation *row);
/* The better one of a time and a row's; NAN: none exists yet. */
double at_group_better(double best, const struct at_evaluation *row);
/* The rates of the winner of a group with a winner, by its time in the finals. */
void at_group_winner_roofline(const struct at_group *self, struct at_roofline *out);
/* Appends entries about the winner of a group with a winner: what it achieved, its
   configuration, resources and speed. */
void at_group_add_winner(struct at_page *page, const struct at_group *group);
/* Frees the groups; zeroed groups are fine. */
void at_groups_release(struct at_groups *self);

#endif
