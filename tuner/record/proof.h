/*
 * What a winner was held to before it was crowned, how, and what could not be done and
 * why: kept with the crown, and shown wherever a crown is.
 *
 * Must not know: how things are proved. Threads: pure functions.
 */
#ifndef AT_RECORD_PROOF_H
#define AT_RECORD_PROOF_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct at_crown;

/* Checks that are made beside the device's own proofs, in the order of their worth:
   where time is short the first of them are made. */
#define AT_CHECKS(X) \
	X(HOST, "host") \
	X(RACECHECK, "racecheck") \
	X(MEMCHECK, "memcheck") \
	X(INITCHECK, "initcheck") \
	X(SYNCCHECK, "synccheck")

enum at_check {
#define AT_CHECK_ENUM(symbol, name) AT_CHECK_##symbol,
	AT_CHECKS(AT_CHECK_ENUM)
#undef AT_CHECK_ENUM
		AT_CHECK_COUNT
};

const char *at_check_name(enum at_check check);

enum at_check_state {
	AT_CHECK_UNASKED = 0, /* it is not for this device, or not wanted */
	AT_CHECK_PASSED,
	AT_CHECK_NOT_RUN, /* `why` says what kept it from being made */
};

struct at_proof {
	uint32_t problems; /* each with the counts below, or more */
	uint32_t data_sets;
	uint32_t patterns; /* other kinds of data than the declared */
	uint32_t launches; /* compared, over all problems */
	bool guarded; /* buffers flush against memory that is not mapped */
	bool zones; /* zones and poison of changing signs and sizes */
	bool crowded; /* beside others on the same multiprocessors */
	struct at_check_result {
		enum at_check_state state;
		char why[160]; /* one line */
	} checks[AT_CHECK_COUNT];
};

/*
 * As a crown keeps it; heap, NULL when memory ran out: {"problems", "data_sets",
 * "patterns", "launches", "guarded", "zones", "crowded", "passed": ["host"],
 * "not_run": {"racecheck": "why"}}.
 */
char *at_proof_to_json(const struct at_proof *self);
/* In place of a proof, of a crown that was withdrawn: {"withdrawn": why}. Heap, NULL
   when memory ran out. */
char *at_proof_withdrawn(const char *why);
bool at_proof_is_withdrawn(const struct at_crown *crown);
/* false, and nothing in *out: it is none. */
bool at_proof_from_json(const char *text, struct at_proof *out);

/*
 * "2 data sets, 5 problems, guarded, host, racecheck" of what the crown was held to;
 * of one by an older version, or without a proof, that it is so.
 */
void at_proof_write(const struct at_crown *crown, struct at_strbuf *out);
/* "racecheck: compute-sanitizer is not installed; ..."; nothing where all was run. */
void at_proof_write_not_run(const struct at_crown *crown, struct at_strbuf *out);
/* It was proved by this version: nothing has to be done again for it to stand. */
bool at_proof_stands(const struct at_crown *crown);

#endif
