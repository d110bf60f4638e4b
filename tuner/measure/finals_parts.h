/*
 * The finals, as their files share them; nobody else includes this. finals.c goes
 * through the blocks, finals_rounds.c through the rounds of one, finals_settle.c waits
 * at its begin until the board is settled. Threads: the device's alone.
 */
#ifndef AT_MEASURE_FINALS_PARTS_H
#define AT_MEASURE_FINALS_PARTS_H

#include "measure/candidate.h"

#include "base/random.h"

/* However slow the kernels are: as many rounds in a block, so that there are six
   samples in the fewest blocks. */
#define ROUNDS_MIN 2

/* So far behind the best one has had its samples of a block already after the fewest: a
   baseline of 26 ms beside winners of 3 takes half of the finals' time in a whole one.
 */
#define FAR_AT_ONCE 1.5

/* One of those that may win. */
struct finalist {
	struct candidate candidate; /* loaded during a block */
	uint32_t begin; /* where its samples of this block begin */
	double usual_ns; /* the least that it took so far; 0: it was not timed yet */
	bool is_far;
	bool keeps_state; /* as a candidate's: known since an earlier block */
};

/* All of them, on their way through the blocks. */
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
	struct at_measure_watch watch;
	uint64_t start_ns;
	bool has_sampled; /* a round: watch has its first clock */
	bool is_lost;
};

/* finals_rounds.c */
/* It is in, and has a sample of this block. */
bool finals_has_sampled(const struct finals *self, size_t i);
/* Takes a sample; what goes wrong with it is in its result, or with it all is lost. */
void finals_take_turn(struct finals *self, size_t which);
/* The blocks up to this one have used their share of the time. */
bool finals_is_late(const struct finals *self, uint32_t block);
void finals_hold_rounds(struct finals *self, uint32_t block);
/* Sums up the block: the median of each finalist that is still in. */
void finals_close_block(struct finals *self);

/* finals_settle.c: samples that are not kept, until the board is what it will be */
void finals_settle(struct finals *self);

#endif
