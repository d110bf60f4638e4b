/*
 * What the record keeps of a winner, made from all that is known of it.
 * Threads: pure function.
 */
#ifndef AT_SESSION_CROWN_H
#define AT_SESSION_CROWN_H

#include "evaluator/evaluator.h"
#include "base/objective.h"
#include "record/proof.h"
#include "record/store.h"
#include "space/spec.h"

struct at_crowning {
	const struct at_evaluator_info *info;
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_planned *planned; /* of the winner */
	const struct at_objective *objective;
	struct at_score score; /* of the finals where they were run */
	struct at_score speedup; /* NAN: not known */
	struct at_score baseline; /* of the same finals; NAN: not known */
	const struct at_final *final; /* NULL: there were no finals */
	int64_t device_id;
	int64_t evaluation_id;
	int64_t baseline_id; /* 0: there is none */
	uint64_t evaluation_count; /* that it was chosen from, all outcomes */
	uint64_t ok_count;
	const struct at_proof *proof; /* NULL: it is not proved */
	const char *part; /* of the space; "" or NULL: the whole */
	const char *met; /* in the finals (session/met.h); "" or NULL: nobody */
};

/* *out is the caller's: at_crown_release(), also after a failure. */
enum at_status at_crown_make(
	const struct at_crowning *facts, struct at_crown *out, struct at_error *err);

/* How finals were, as crowns keep it; "" for NULL. Heap; NULL where memory ran out. */
char *at_crown_measurement(const struct at_final *final);

#endif
