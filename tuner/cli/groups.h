/*
 * What is recorded and what result files tell, put together by space, problem and
 * device: how often each outcome occurred, and the best evaluations. Threads: one.
 */
#ifndef AT_CLI_GROUPS_H
#define AT_CLI_GROUPS_H

#include "cli/lane.h"
#include "cli/recorded.h"
#include "kernel/roofline.h"
#include "record/sources.h"

struct at_group {
	char *space;
	char *problem;
	int64_t device_id; /* 0: not in the record */
	/* its winner is a result file's: the record has none that counts more */
	bool is_shipped;
	struct at_record_device device;
	bool has_ceilings;
	struct at_record_ceilings ceilings; /* of the device; else zeroed */
	bool has_crown;
	struct at_crown crown;
	struct at_evaluation winner; /* of the crown; no samples, no log */
	bool has_baseline;
	struct at_evaluation defaults; /* the baseline's; no samples, no log */
	bool baseline_wins; /* the winner is what one has without tuning */
	/* which of the evaluations are of an older source, compiler or driver */
	struct at_sources sources;
	bool winner_is_older;
	bool shows_older; /* at_groups.with_older */
	uint64_t older_count; /* such evaluations, not in by_outcome and first_detail */
	const struct at_objective *objective; /* the crown's; time without one */
	double baseline; /* its score; NAN when there is none */
	char *baseline_configuration; /* as recorded; NULL where that is not known */
	uint64_t by_outcome[AT_OUTCOME_COUNT];
	char first_detail[AT_OUTCOME_COUNT][AT_LANE_DETAIL_SIZE];
	size_t row_count;
	size_t row_capacity;
	struct at_evaluation *rows; /* best first; no samples, no log */
};

struct at_groups {
	size_t top; /* rows kept of each; 0: all */
	bool with_older; /* rows that are older are kept too */
	struct at_store *store; /* while it collects; borrowed */
	const struct at_cli_arguments *arguments; /* --problem; borrowed */
	size_t count;
	size_t capacity;
	struct at_group **items;
};

/* Adds what is recorded, and shipped, of a space (NULL: of all). */
enum at_status at_groups_collect(struct at_groups *self, struct at_recorded *recorded,
	const char *space, struct at_error *err);
/*
 * After the last collect: adds devices with their ceilings, crowns, winners and
 * baselines, leaves out devices that are not wanted, and sorts by space, problem,
 * device.
 */
enum at_status at_groups_complete(
	struct at_groups *self, struct at_recorded *recorded, struct at_error *err);
/*
 * What a row achieves, and what the winner of a group with a crown does by the time
 * of its finals.
 */
void at_group_roofline(const struct at_group *self, const struct at_evaluation *row,
	struct at_roofline *out);
/* How many times better than the baseline it is; NAN: not known. */
double at_group_gain(const struct at_group *self, const struct at_evaluation *row);
void at_group_winner_roofline(const struct at_group *self, struct at_roofline *out);
void at_groups_release(struct at_groups *self);

#endif
