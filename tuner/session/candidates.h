/*
 * The configurations that passed in a tuning, by their times, as plain numbers: which
 * one leads, which go to the finals, which were refused since. The record has
 * everything else about them, by evaluation_id. Threads: one.
 */
#ifndef AT_SESSION_CANDIDATES_H
#define AT_SESSION_CANDIDATES_H

#include "base/error.h"
#include "base/hash.h"
#include "base/objective.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AT_NO_CANDIDATE SIZE_MAX

/* One configuration that passed. */
struct at_candidate {
	uint64_t index; /* of the configuration in the space */
	int64_t evaluation_id;
	struct at_hash key; /* of the evaluation (record/store.h) */
	struct at_score score;
	struct at_hash image; /* zero: not known */
	bool reused; /* the evaluation was found in the record */
	/* it was recorded before this tuning began: see at_candidates.pace */
	bool is_old;
	int64_t clock_hz; /* of the multiprocessors when it was measured; -1: not known
			   */
	/* the finals or a verification found it wrong; it takes no further part */
	bool refused;
	bool has_shared; /* it is known to use shared memory */
	/* racing would have dropped it; an audit measured it further */
	bool was_pruned;
};

/* All candidates of a tuning; at_candidates_init() makes it empty. */
struct at_candidates {
	/* What is old counts as so many times its recorded value (phase_search.h). */
	double pace;
	struct at_candidate *items; /* in the order in which they passed */
	size_t count;
	size_t capacity;
	size_t baseline; /* a place in items; AT_NO_CANDIDATE: none passed */
	size_t best; /* place of the leader; AT_NO_CANDIDATE: none is left */
	size_t best_old; /* of those that are old, by their recorded values; the same */
};

/* Empty. */
void at_candidates_init(struct at_candidates *self);
/* Frees the items and leaves it empty. */
void at_candidates_release(struct at_candidates *self);
/* Adds a copy of a candidate. *is_best: it leads from now on. Fails only for memory. */
void at_candidates_add(struct at_candidates *self, const struct at_candidate *candidate,
	bool is_baseline, bool *is_best);
/* The place of the candidate with this evaluation; AT_NO_CANDIDATE: none has it. */
size_t at_candidates_find(const struct at_candidates *self, int64_t evaluation_id);
/* The place of the candidate with this configuration that was not refused;
   AT_NO_CANDIDATE: none exists. */
size_t at_candidates_find_configuration(
	const struct at_candidates *self, uint64_t index);
/* Whether both are the same image, launched in the same way on the same data. False
   where an image is not known. */
bool at_candidate_is_same_kernel(
	const struct at_candidate *a, const struct at_candidate *b);
/* The value by which a candidate is compared with others: its own, or what it would be
   today. The best is the best by these values. */
double at_candidates_value(const struct at_candidates *self, size_t place);
/* The place of the best that was not refused by values as they were measured, whenever
   that was; AT_NO_CANDIDATE: none is left. */
size_t at_candidates_best_as_measured(const struct at_candidates *self);
/* Sets the pace, which may change who leads. */
void at_candidates_set_pace(struct at_candidates *self, double pace);
/* Takes the candidate out of the comparison from now on. A refused baseline leaves the
   candidates without a baseline. */
void at_candidates_refuse(struct at_candidates *self, size_t place);
/*
 * Finds up to `most` places for the finals, best first: candidates that were not
 * refused and take at most `reach` (at_objective) times the best one's time, or have a
 * chance against it, whether or not the pace counts, as it may be wrong. Of several
 * that are the same kernel (at_candidate_is_same_kernel()) only the first is taken.
 * `places` has room for `most`. Returns how many were found.
 */
size_t at_candidates_podium(
	const struct at_candidates *self, double reach, size_t *places, size_t most);

/*
 * Which measurements a winner met in its finals, as its record keeps them
 * (at_winner.met): words, separated by blanks, one word for each of the candidates at
 * `places`. A recorded winner stands as long as every measurement that could beat it is
 * in the list. Times of recording do not decide that: an imported evaluation may be
 * older than the winner and yet never have met it, two runs fit into one second, and
 * clocks are set back. A configuration that is measured again under the same key has
 * another word, since the finals did not know the new time. Heap.
 */
char *at_met_list(
	const struct at_candidates *candidates, const size_t *places, size_t count);
/* Whether the list has the word of this candidate, or of another candidate that is the
   same kernel (at_candidate_is_same_kernel()). met may be NULL. */
bool at_met_has(const char *met, const struct at_candidates *candidates, size_t place);

#endif
