/*
 * The configurations that passed in a tuning, with their times: the leader, the
 * candidates for the finals, the refused ones. The record has everything else, by
 * evaluation_id. Threads: one.
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
	struct at_hash image; /* cubin; zero: not known */
	bool reused; /* the evaluation was found in the record */
	/* recorded before this tuning began: see at_candidates.pace */
	bool is_old;
	int64_t clock_hz; /* multiprocessor clock of the measurement; -1: not known */
	/* found wrong by finals or verification; takes no further part */
	bool refused;
	bool has_shared; /* known to use shared memory */
	/* racing would have dropped it, but an audit measured it in full */
	bool was_pruned;
};

/* All candidates of a tuning; at_candidates_init() makes it empty. */
struct at_candidates {
	/* Old values are multiplied by this factor (phase_search.h). */
	double pace;
	struct at_candidate *items; /* in the order in which they passed */
	size_t count;
	size_t capacity;
	size_t baseline; /* a place in items; AT_NO_CANDIDATE: none passed */
	size_t best; /* place of the leader; AT_NO_CANDIDATE: none is left */
	/* the best old one, by recorded values; AT_NO_CANDIDATE: none */
	size_t best_old;
};

void at_candidates_init(struct at_candidates *self);
/* Frees the items and leaves it empty. */
void at_candidates_release(struct at_candidates *self);
/* Adds a copy of a candidate. *is_best: it now leads. */
void at_candidates_add(struct at_candidates *self, const struct at_candidate *candidate,
	bool is_baseline, bool *is_best);
/* The place of the candidate with this evaluation, or AT_NO_CANDIDATE. */
size_t at_candidates_find(const struct at_candidates *self, int64_t evaluation_id);
/* The place of the candidate with this configuration that was not refused, or
   AT_NO_CANDIDATE. */
size_t at_candidates_find_configuration(
	const struct at_candidates *self, uint64_t index);
/* The value that comparisons use, and `best`: as measured, multiplied by the pace if it
   is old. */
double at_candidates_value(const struct at_candidates *self, size_t place);
/* The place of the best that was not refused, by values as measured, without the pace;
   AT_NO_CANDIDATE: none is left. */
size_t at_candidates_best_as_measured(const struct at_candidates *self);
/* Sets the pace, which may change the leader. */
void at_candidates_set_pace(struct at_candidates *self, double pace);
/* Excludes the candidate from all further comparison. Refusing the baseline leaves no
   baseline. */
void at_candidates_refuse(struct at_candidates *self, size_t place);
/*
 * Finds up to `most` places for the finals, best first: candidates that were not
 * refused and take at most `reach` (at_objective) times the best one's time, or whose
 * interval reaches it. Either is judged with and without the pace, which may be wrong.
 * Only the first of several candidates with the same image, launch and data is taken.
 * `places` has room for `most`. Returns the number found.
 */
size_t at_candidates_finalists(
	const struct at_candidates *self, double reach, size_t *places, size_t most);

/*
 * Lists the measurements that a winner met in its finals (at_winner.met): a word for
 * each of the candidates at `places`, separated by blanks. A recorded winner stands as
 * long as the list has every measurement that could beat it. Times of recording cannot
 * decide that: an imported evaluation may be older than the winner without having met
 * it, two runs fit into one second, and clocks are set back. A configuration that is
 * measured again under the same key gets another word, since the finals did not know
 * the new time. Heap.
 */
char *at_met_list(
	const struct at_candidates *candidates, const size_t *places, size_t count);
/* Whether the list has the word of this candidate, or of another candidate with the
   same image, launch and data. met may be NULL. */
bool at_met_has(const char *met, const struct at_candidates *candidates, size_t place);

#endif
