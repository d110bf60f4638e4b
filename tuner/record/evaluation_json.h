/*
 * Evaluations as JSON: what the events of a run, the listing of the record, a
 * vetting and the result file write of one configuration is written here, so that a
 * thing has one key everywhere. What is not known is null.
 *
 * Must not know: the record's tables, terminals. Threads: as base/json.h.
 */
#ifndef AT_RECORD_EVALUATION_JSON_H
#define AT_RECORD_EVALUATION_JSON_H

#include "base/json.h"
#include "kernel/facts.h"

/* A key for each of AT_FACTS; facts NULL: all null. */
void at_json_set_facts(struct at_json *out, const struct at_facts *facts);
/*
 * Those that do not change from one compilation to the next, as an object with what
 * is on a multiprocessor in an object of its own: {"registers", ..., "occupancy":
 * {"resident_blocks", "fraction", "limiting_factor"}}; see record/result.h.
 */
struct at_json *at_json_resources(const struct at_facts *facts);

#endif
