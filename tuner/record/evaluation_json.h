/*
 * Evaluations as JSON. The events of a run, the listing of the record, `check
 * --compile` and the result file use these functions, so that keys are the same
 * everywhere. An unknown value is null.
 *
 * Functions that return a tree give it to the caller. Must not know: the record's
 * tables, terminals. Threads: as base/json.h.
 */
#ifndef AT_RECORD_EVALUATION_JSON_H
#define AT_RECORD_EVALUATION_JSON_H

#include "base/json.h"
#include "kernel/facts.h"
#include "kernel/roofline.h"
#include "record/store.h"
#include "space/spec.h"

/* {"BLOCK_X": 16, "USE_LDG": false, "CACHE": "ca"}; null if configuration is NULL. */
struct at_json *at_json_configuration(
	const struct at_spec *spec, const uint16_t *configuration);
/* The tree of a JSON text; null if text is NULL or not JSON. */
struct at_json *at_json_embedded(const char *text);
/* {"ok": 280, "wrong_result": 12}: only those that occurred. */
struct at_json *at_json_outcomes(const uint64_t by_outcome[AT_OUTCOME_COUNT]);

/* Keys outcome, detail. */
void at_json_set_outcome(
	struct at_json *out, enum at_outcome outcome, const char *detail);
/* The objective's keys: time_ns, low_ns, high_ns. */
void at_json_set_score(struct at_json *out, const struct at_objective *objective,
	struct at_score score);
/* Keys speedup, speedup_low, speedup_high. */
void at_json_set_speedup(struct at_json *out, struct at_score speedup);
/* A key for each of AT_FACTS; facts NULL: all null. */
void at_json_set_facts(struct at_json *out, const struct at_facts *facts);
/* The facts that do not change between compilations, with those of a multiprocessor in
   an object: {"registers", ..., "occupancy": {"resident_blocks", "fraction",
   "limiting_factor"}}; see record/result.h. */
struct at_json *at_json_resources(const struct at_facts *facts);
/* Keys intensity, flops_per_second, bytes_per_second, ceiling_fraction, bound. */
void at_json_set_rates(struct at_json *out, const struct at_roofline *roofline);

/* Outcome, detail, time (null unless the outcome is ok), all facts, and keys raced,
   measure_ns. The configuration is left to the caller, who has it as text or as value
   indices. */
void at_json_set_evaluation(
	struct at_json *out, const struct at_evaluation *evaluation);
/* Keys verified, objective, gains, measurement, verification, launch, options,
   toolchain, driver; winner NULL: all null. The score is left to the caller, who has
   only the best evaluation's before there is a winner. */
void at_json_set_winner(struct at_json *out, const struct at_winner *best);

#endif
