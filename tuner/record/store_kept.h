/*
 * A second copy, in memory, of what the runs of a store have added to it, from which a
 * spoiled record is rescued (store_rescue.c): up to 64 MiB, the newest. It begins with
 * at_store_begin_run(); a store without runs keeps nothing. Only files of record/
 * include this.
 */
#ifndef AT_RECORD_STORE_KEPT_H
#define AT_RECORD_STORE_KEPT_H

#include "base/hash_index.h"
#include "record/store_internal.h"

/* `forget` sets this as the ending of a run under way whose rows it removes, so that
   the run does not take their absence for a fault. */
#define AT_FORGOTTEN "forgotten"

#define AT_RUN_TOKEN_MAX 64

/* Which source a run tuned a problem from. */
struct kept_source {
	int64_t run_id;
	char *problem;
	char *hash;
};

/* A run, with all that is needed to record it again. */
struct kept_run {
	int64_t id, device_id;
	char *space, *strategy, *version;
	uint64_t seed;
	char token[AT_RUN_TOKEN_MAX];
	bool is_over; /* its rows are not looked for any more */
	bool is_forgotten; /* `autotune forget` removed rows of it meanwhile */
	struct at_record_device device; /* on which it ran, to be recorded again */
};

/* What the runs of a store have added. */
struct at_kept {
	size_t run_count, run_capacity;
	struct kept_run *runs;
	size_t source_count, source_capacity;
	struct kept_source *sources;
	/* evaluations[first .. count): those before were dropped; id 0: adding it
	   failed */
	size_t first, count, capacity;
	struct at_evaluation *evaluations;
	size_t seen; /* those before this index were found in the record */
	int64_t highest; /* of all numbers of evaluations in the record, so far as known
			  */
	int64_t before; /* the highest one before its first run: its own are above */
	/* evaluations of earlier runs that a run under way was told of: its winner may
	   be one of them */
	size_t told_count, told_capacity, told_bytes;
	struct at_evaluation *told;
	struct at_hash_index told_index; /* their places by the numbers they had then */
	/* Evaluations that have another number now than the one by which the run knows
	   them: they were removed by `forget` and added again, or are to be. Negative
	   numbers are no rows'. A number may be moved on by a later entry. */
	size_t moved_count, moved_capacity;
	struct kept_move {
		int64_t from, to;
	} * moved;
	size_t bytes; /* memory that the evaluations take */
	/* evaluations that were dropped, or for which there was no memory */
	size_t dropped;
};

/* Keeps a run that was just added. */
enum at_status at_store_keep_run(struct at_store *self, int64_t device_id,
	const char *space, const char *strategy, uint64_t seed, const char *version,
	int64_t id, struct at_error *err);
/* Keeps the source of a run, unless memory runs out. */
void at_store_keep_source(
	struct at_store *self, int64_t run_id, const char *problem, const char *hash);
/*
 * Keeps an evaluation, before it is added to the record; the caller sets the copy's id
 * when it was added. The copy is borrowed until the next one is kept; NULL: it is not
 * kept.
 */
struct at_evaluation *at_store_keep_evaluation(
	struct at_store *self, const struct at_evaluation *evaluation);
/*
 * Keeps an evaluation of an earlier run that was found, in case `forget` removes it
 * under a run on that device: without samples, up to 16 MiB, and only one that passed,
 * since only those are asked for again. Returns the number by which the run is to know
 * it: another one than its own where the run knows another evaluation by that, which
 * was forgotten and whose number was given again.
 */
int64_t at_store_keep_told(
	struct at_store *self, const struct at_evaluation *evaluation);
/* The highest number that an evaluation is known to have, or to have had, since a run
   began; 0: none began. And: an evaluation has this number. self may be NULL. */
int64_t at_kept_highest(const struct at_kept *self);
void at_kept_saw(struct at_kept *self, int64_t id);
/*
 * Finds the number that an evaluation has now which the run was told to have *id. If
 * `forget` removed it under the run that added it, it is added again: the run is not
 * over, and its result is no part of what was there to be forgotten. So is one of an
 * earlier run of which the run was told, as one of its own, without samples.
 */
enum at_status at_store_find_number(
	struct at_store *self, int64_t *id, struct at_error *err);
/* How many evaluations are kept, and how many are not any more; self may be NULL. */
size_t at_kept_count(const struct at_kept *self);
size_t at_kept_dropped(const struct at_kept *self);

/* Looks in the record for what was added to it: for all that is kept, or for what was
   added since the last look. AT_ENOENT, with the reason: something is missing. */
enum at_status at_store_look_for_kept(
	struct at_store *self, bool is_whole, struct at_error *err);
/* The run has ended, and all of it was found in the record: its rows may vanish from
   then on. Where rows of another run are missing, this run is saved too. */
void at_kept_run_is_over(struct at_kept *self, int64_t run_id);
/* How many runs are kept; and the way back to that number, after a transaction was
   rolled back: forgets the later runs and what belongs to them. */
size_t at_kept_run_count(const struct at_kept *self);
void at_kept_take_back(struct at_kept *self, size_t run_count);

/* ---- store_kept_save.c */

/* Adds all that is kept to another store, which must be empty. */
enum at_status at_kept_save(
	const struct at_kept *self, struct at_store *to, struct at_error *err);

#endif
