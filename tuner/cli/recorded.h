/* Access to the record for commands that read it: opening it without creating it,
   falling back to result files, matching --device, and grouping by space, problem and
   device. Threads: one. */
#ifndef AT_CLI_RECORDED_H
#define AT_CLI_RECORDED_H

#include "cli/cli.h"
#include "cli/page.h"
#include "cli/tell.h"
#include "kernel/roofline.h"
#include "record/results.h"
#include "record/sources.h"

/* One item of --device; a NULL member matches everything. */
struct at_wanted_device {
	char *kind;
	char *slug;
	const char *architecture; /* matches instead of the slug; borrowed */
};

/* The open record and the filters of the command line. */
struct at_recorded {
	struct at_store *store;
	const char *directory; /* --results; borrowed */
	/* There is no record: the store is in memory, filled from the result files. */
	bool is_bundled;
	size_t wanted_count; /* 0: every device */
	struct at_wanted_device *wanted;
	size_t space_count; /* 0: every space */
	char **spaces; /* of at_recorded_read_spaces(); each once */
};

/*
 * Opens the record of --results and reads --device. A reading command creates no
 * record: without one, the store is in memory and filled from the result files
 * (record/results.h). AT_ENOENT: there are no result files either. Unusable files are
 * reported on stderr. Reads see the record at one moment: a writer first calls
 * at_store_end_reading(). The caller closes *out, also after a failure.
 */
enum at_status at_recorded_open(const struct at_cli_arguments *arguments,
	struct at_recorded *out, struct at_error *err);
/* Whether the folder is missing or has neither a record nor result files. An unreadable
   record counts as one. */
bool at_recorded_is_empty(const char *directory);
/* Closes the record and frees the rest. */
void at_recorded_close(struct at_recorded *self);
/* The recorded name of a SPACE operand: the name inside the file, or else the word
   itself. *out is the caller's. */
enum at_status at_recorded_space_name(
	const char *operand, char **out, struct at_error *err);
/* Reads the operands as names of spaces. */
enum at_status at_recorded_read_spaces(struct at_recorded *self,
	const struct at_cli_arguments *arguments, struct at_error *err);
/* Whether the operands name the space, or there are none. */
bool at_recorded_names(const struct at_recorded *self, const char *space);
/* AT_ENOENT: nothing is recorded of the operand; names the space that was probably
   meant, or all spaces. narrowed: options filter the record, so no space is
   suggested. */
enum at_status at_recorded_fail_nothing_of(const struct at_recorded *self,
	const char *operand, bool narrowed, struct at_error *err);
/* The winners of a space (NULL: all), from the record and the result files: see
   at_results_read(). Unusable files are reported on stderr. The caller releases *out,
   also after a failure. */
enum at_status at_recorded_results(struct at_recorded *self, const char *space,
	struct at_results *out, struct at_error *err);

/* Whether --device matches this device. An item is an id ("cuda:0": the model of that
   device), a kind ("host", "cuda:all"), a model as in "nvidia-h200", or an
   architecture. */
bool at_recorded_wants(
	const struct at_recorded *self, const struct at_record_device *device);

/* ---- groups: the counts of outcomes and the best evaluations */

/* One problem of one space on one device. */
struct at_group {
	char *space;
	char *problem;
	int64_t device_id; /* 0: not in the record */
	/* The winner comes from a result file; the record has none with priority. */
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
	/* Decides which evaluations have an older source, compiler or driver than the
	   newest. */
	struct at_sources sources;
	bool winner_is_older;
	bool shows_older; /* copied from at_groups.with_older */
	/* Older evaluations; not in by_outcome and first_detail. */
	uint64_t older_count;
	bool is_on_gpu; /* a GPU has results of this problem */
	double baseline; /* the baseline's time in ns, or NAN */
	char *baseline_configuration; /* as recorded; NULL: unknown */
	uint64_t by_outcome[AT_OUTCOME_COUNT];
	char first_detail[AT_OUTCOME_COUNT][AT_LANE_DETAIL_SIZE];
	size_t row_count;
	size_t row_capacity;
	struct at_evaluation *rows; /* best first; no samples, no log */
};

/* The groups and the options for collecting them. */
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
 * Opens the record and collects the groups of the operands, which are space files or
 * names; without operands, of all spaces. The caller sets self's top and with_older,
 * and releases both objects, also after a failure. AT_ENOENT: nothing is recorded of an
 * operand, or at all.
 */
enum at_status at_groups_open(struct at_groups *self, struct at_recorded *recorded,
	const struct at_cli_arguments *arguments, struct at_error *err);

/* ---- its parts, for tests */

/* Adds the data of a space (NULL: all) from the record and the result files. */
enum at_status at_groups_collect(struct at_groups *self, struct at_recorded *recorded,
	const char *space, struct at_error *err);
/* Call it after the last at_groups_collect(). Adds devices with their ceilings, winners
   and baselines, drops devices that --device does not match, and sorts by space,
   problem and device. */
enum at_status at_groups_complete(
	struct at_groups *self, struct at_recorded *recorded, struct at_error *err);
/* Whether evaluations are recorded and none passed. */
bool at_group_has_failed(const struct at_group *self);
/* Why a group has no winner. Static storage. */
const char *at_group_no_winner(const struct at_group *self);
/* The rates of a row, by its time. */
void at_group_roofline(const struct at_group *self, const struct at_evaluation *row,
	struct at_roofline *out);
/* How many times better than the baseline a row is; NAN: unknown. */
double at_group_gain(const struct at_group *self, const struct at_evaluation *row);
/* The better of a time (NAN: none yet) and a row's time. */
double at_group_better(double best, const struct at_evaluation *row);
/* The rates of the group's winner, by its time in the finals. */
void at_group_winner_roofline(const struct at_group *self, struct at_roofline *out);
/* Appends entries about the group's winner: value, configuration, resources and
   speed. */
void at_group_add_winner(struct at_page *page, const struct at_group *group);
/* Frees the groups; zeroed groups are fine. */
void at_groups_release(struct at_groups *self);

#endif
