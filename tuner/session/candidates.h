/*
 * All that passed in a tuning: who leads, who goes to the finals, who was refused
 * since. Plain numbers; the record has everything else, by evaluation_id.
 * Threads: one.
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

struct at_candidate {
	uint64_t index; /* of the configuration in the space */
	int64_t evaluation_id;
	struct at_hash key; /* of the evaluation */
	struct at_score score;
	struct at_hash image; /* zero: not known */
	bool reused; /* found in the record */
	bool refused; /* by the finals, or by a proof */
	bool was_hopeless; /* racing would have dropped it, if it were not for an audit
			    */
};

/* Zeroed but for the objective it is empty. */
struct at_candidates {
	const struct at_objective *objective;
	struct at_candidate *items; /* in the order in which they passed */
	size_t count;
	size_t capacity;
	size_t baseline; /* a place in items; AT_NO_CANDIDATE: none passed */
	size_t best;
};

void at_candidates_init(
	struct at_candidates *self, const struct at_objective *objective);
void at_candidates_release(struct at_candidates *self);
/* *is_best: it leads from now on. */
enum at_status at_candidates_add(struct at_candidates *self,
	const struct at_candidate *candidate, bool is_baseline, bool *is_best,
	struct at_error *err);
/* Its place; AT_NO_CANDIDATE when it did not pass. */
size_t at_candidates_find(const struct at_candidates *self, int64_t evaluation_id);
/* By its configuration's index, of those that were not refused. */
size_t at_candidates_find_configuration(
	const struct at_candidates *self, uint64_t index);
/* The same image, launched in the same way on the same data, as far as is known. */
bool at_candidate_is_same_kernel(
	const struct at_candidate *a, const struct at_candidate *b);
/* It is out of everything from now on. */
void at_candidates_refuse(struct at_candidates *self, size_t place);
/*
 * The places of the best `most` that were not refused and have a chance against the
 * best of them, best first. Of several with the same image and launch, which are the
 * same kernel, only the first is taken. Returns how many.
 */
size_t at_candidates_podium(
	const struct at_candidates *self, size_t *places, size_t most);

#endif
