/*
 * What the files of the finals share; only they include it. finals.c goes through the
 * blocks, finals_rounds.c through the rounds of a block, finals_settle.c waits at the
 * beginning of a block until the board has settled. Threads: the device's alone.
 */
#ifndef AT_MEASURE_FINALS_PARTS_H
#define AT_MEASURE_FINALS_PARTS_H

#include "measure/candidate.h"

#include "base/random.h"

/* The fewest rounds of a block, however slow the kernels are: with the fewest blocks
   this gives six samples. */
#define ROUNDS_MIN 2

/* A finalist that is so many times slower than the leader gets only ROUNDS_FAR rounds a
   block, from the first block on: a median of three, which one outlier does not move. A
   baseline of 26 ms beside winners of 3 ms would take most of the finals' time. */
#define ROUNDS_FAR 3
#define FAR_AT_ONCE 1.5

/* One that takes part. */
struct finalist {
	struct candidate candidate; /* loaded during a block */
	uint32_t begin; /* where its samples of this block begin */
	double usual_ns; /* its least time so far; 0: it was not timed yet */
	bool is_warmed; /* the cache is filled ahead of each of its samples */
	bool is_far;
	bool keeps_state; /* as a candidate's: known since an earlier block */
};

/* The state of the finals. */
struct finals {
	struct at_bench *bench;
	const struct at_measure_request *requests;
	struct finalist *finalists;
	struct at_measure_result *results;
	size_t count;
	const struct at_measure_finals *how;
	unsigned *order; /* of the round */
	double *sorted; /* samples of a block */
	struct at_random random;
	struct at_measure_conditions conditions;
	uint64_t start_ns;
	bool has_sampled; /* a round: conditions has its first clock */
	bool is_lost;
	struct at_error fault; /* the machine's, for which nobody is judged */
};

/* finals_rounds.c */
/* Whether a finalist is still in and has a sample of this block. */
bool finals_has_sampled(const struct finals *self, size_t i);
/* Takes a sample of a finalist. A failure goes into its result, or sets is_lost. */
void finals_take_turn(struct finals *self, size_t which);
/* Whether the blocks up to this one have used their share of the time. */
bool finals_is_late(const struct finals *self, uint32_t block);
void finals_hold_rounds(struct finals *self, uint32_t block);
/* Ends the block: takes the median of each finalist that is still in. */
void finals_close_block(struct finals *self);

/* finals_settle.c: takes samples that are not kept until the board has settled. */
void finals_settle(struct finals *self);

#endif
