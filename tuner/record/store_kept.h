/*
 * What the runs of a store have added to it, a second time, in memory: up to 64 MiB, of
 * more the newest. It begins with at_store_begin_run(); a store without runs keeps
 * nothing. Between the files of the store; nobody else includes it.
 */
#ifndef AT_RECORD_STORE_KEPT_H
#define AT_RECORD_STORE_KEPT_H

#include "record/store_internal.h"

/* What becomes the ending of a run under way whose rows `forget` removes: that they are
   gone is then no fault. */
#define AT_FORGOTTEN "forgotten"

#define AT_RUN_TOKEN_MAX 64

struct kept_source {
	int64_t run_id;
	char *problem;
	char *hash;
};

struct kept_run {
	int64_t id;
	char *space, *strategy, *version;
	uint64_t seed;
	char token[AT_RUN_TOKEN_MAX];
	bool is_over; /* it is not looked for any more */
	struct at_record_device device;
};

struct at_kept {
	size_t run_count, run_capacity;
	struct kept_run *runs;
	size_t source_count, source_capacity;
	struct kept_source *sources;
	/* those before `first` were dropped; id 0: it could not be added */
	size_t first, count, capacity;
	struct at_evaluation *evaluations;
	size_t seen; /* up to here they were found where they belong */
	size_t bytes;
	size_t dropped; /* or could not be kept */
};

enum at_status at_store_keep_run(struct at_store *self, int64_t device_id,
	const char *space, const char *strategy, uint64_t seed, const char *version,
	int64_t id, struct at_error *err);
/* What there is no memory for is not kept. */
void at_store_keep_source(
	struct at_store *self, int64_t run_id, const char *problem, const char *hash);
/* Before it is added; its number in the record is 0 until somebody sets it. Borrowed
   until the next one is kept; NULL: it is not kept. */
struct at_evaluation *at_store_keep_evaluation(
	struct at_store *self, const struct at_evaluation *evaluation);
/* Evaluations that are kept, and those that are not any more; self may be NULL. */
size_t at_kept_count(const struct at_kept *self);
size_t at_kept_dropped(const struct at_kept *self);

/*
 * Reads in the record what was added to it: all that is kept, or what was added since
 * the last look. AT_ENOENT, and why: it is not there.
 */
enum at_status at_store_look_for_kept(
	struct at_store *self, bool is_whole, struct at_error *err);
/*
 * A run has ended, and all of it was seen in the record: whoever removes it from then
 * on may. It is saved like the others where another run's is missing.
 */
void at_kept_run_is_over(struct at_kept *self, int64_t run_id);
/* How many runs are kept; and that those behind the first so many were never there,
   since a transaction was rolled back. */
size_t at_kept_run_count(const struct at_kept *self);
void at_kept_take_back(struct at_kept *self, size_t run_count);

/* ---- store_kept_save.c */

/* Adds all of it to another store, which is empty. */
enum at_status at_kept_save(
	const struct at_kept *self, struct at_store *to, struct at_error *err);

#endif
