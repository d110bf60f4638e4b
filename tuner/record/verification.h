/*
 * What a winner was checked by before it was selected, and what could not be checked
 * and why. It is kept with the winner and shown wherever a winner is shown.
 *
 * Must not know: how things are verified. Threads: pure functions.
 */
#ifndef AT_RECORD_VERIFICATION_H
#define AT_RECORD_VERIFICATION_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct at_winner;

/* Checks that are made beside the device's own verifications, the most valuable first:
   where time is short, the later ones are not made. */
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

/* The check's name; static storage. */
const char *at_check_name(enum at_check check);
/* Whether the check sees nothing of a kernel without shared memory: that such a one
   passes says nothing. */
bool at_check_watches_shared(enum at_check check);

/* What became of a check. */
enum at_check_state {
	AT_CHECK_UNASKED = 0, /* not meant for this device, or not wanted */
	AT_CHECK_PASSED,
	AT_CHECK_NOT_RUN, /* could not be made: `why` says for what reason */
};

/* The most cases that a winner's verification knows: 32 kB of a result file. Years of
   nights make more; then the oldest are made again. */
#define AT_VERIFICATION_IDS_MAX 4096

/* What was done; the numbers are for people, and for later versions. */
struct at_verification {
	/* different cases that passed; on each at least these data_sets and patterns
	   were tried */
	uint32_t cases;
	uint32_t data_sets; /* inputs, each with its own expected result */
	uint32_t patterns; /* other kinds of data than the declared one */
	uint32_t launches; /* whose results were compared, over all problems */
	/* of the cases that a run lists or that its coverage adds: those that were
	   made, vacuous ones too, and those that another run has to make, since there
	   was no time for them */
	uint32_t made;
	uint32_t left;
	char left_for[80]; /* as unfit_for: the first few */
	/*
	 * The last cases that were made, also unfit and vacuous ones,
	 * by what they are (case_id() of struct at_evaluator_ops). So a case counts
	 * once in all runs, and new ones are made where the space's domain changed.
	 */
	uint32_t id_count;
	uint32_t ids[AT_VERIFICATION_IDS_MAX];
	uint32_t night; /* the last one that added cases, in days since 1970; 0: none */
	bool guarded; /* buffers lay directly beside memory that is not mapped */
	/* zones around buffers and their poison had changing signs and sizes */
	bool zones;
	/* it ran beside a kernel that took a share of the multiprocessors */
	bool crowded;
	/* Cases that nothing in the space promises and on which nothing could be
	   verified: the reference fails there, or the baseline is not right. They are
	   not among `cases`. */
	uint32_t unfit;
	bool reference_fails; /* on one of them at least */
	char unfit_for[160]; /* what they are: "N=1023; N=1025"; one line */
	/* Cases that do not count: each expected output was one number, or what the
	   buffer held before. Any kernel that writes that number passes them. */
	uint32_t vacuous;
	char vacuous_for[160]; /* as unfit_for */
	/* Inputs that had the same contents in all cases, such as those from a file:
	   "rows, cols". The winner is verified for these contents only. */
	char only_for[160];
	/* which branches the cases reach, a line each: of the reference, or why that
	   was not measured, and of the winner's kernel; "": nothing is known */
	char coverage[2][400];
/* why a check was not made that had some time, but not enough */
#define AT_CHECK_CUT "it did not end in the time that it was given"
	struct at_check_result {
		enum at_check_state state;
		char why[160]; /* one line; only of AT_CHECK_NOT_RUN */
	} checks[AT_CHECK_COUNT];
};

/*
 * The verification as a winner keeps it, a JSON object; heap:
 * {"cases", "data_sets", "patterns", "launches", "guarded", "zones", "crowded",
 * "passed": ["host"], "not_run": {"racecheck": "why"}, "coverage": ["31 of 33 branches
 * of the reference ran", "20 of 20 branches of the winner ran"], "case_ids": 8
 * hexadecimal digits for each}; with unfit cases also "unfit", "unfit_for" and
 * "reference_fails"; with vacuous ones "vacuous" and "vacuous_for"; with inputs that
 * stay "only_for"; with cases that are left "made", "left" and "left_for", after a
 * night "night".
 */
char *at_verification_to_json(const struct at_verification *self);
/* What a withdrawn winner keeps in place of a verification: {"withdrawn": why}. Heap.
 */
char *at_verification_withdrawn(const char *why);
/* Whether the winner was withdrawn: it was verified, and later found to be wrong. */
bool at_verification_is_withdrawn(const struct at_winner *best);
/* Reads at_verification_to_json()'s text, or what an older version wrote ("problems" in
   place of "cases", without "case_ids"). False: it is no JSON, or empty; *out is
   zeroed. */
bool at_verification_from_json(const char *text, struct at_verification *out);
/* Whether the case was made. */
bool at_verification_knows(const struct at_verification *self, uint32_t id);
/* Adds a case that was made. False: it is known already. */
bool at_verification_add(struct at_verification *self, uint32_t id);

/*
 * Appends what the winner was checked by: "for these contents of rows only: 2 data
 * sets, 5 different cases, guarded, host, racecheck, but not for N=1023; N=1025". Of a
 * winner that is unverified or withdrawn, or that an older version verified, it appends
 * a line that says so.
 */
void at_verification_write(const struct at_winner *best, struct at_strbuf *out);
/*
 * Appends for which cases nothing could be verified, why, and what to do about
 * it; nothing if none exist. It belongs right behind the winner: the winner may be
 * wrong at the sizes of the next user.
 */
void at_verification_write_unfit(const struct at_winner *best, struct at_strbuf *out);
/* Appends what could not be checked: "racecheck: compute-sanitizer is not installed;
   ...", cases that are left or vacuous, other contents; nothing where all was. */
void at_verification_write_not_run(const struct at_winner *best, struct at_strbuf *out);
/* Appends a line of the coverage, by its index; nothing if it is empty. */
void at_verification_write_coverage(
	const struct at_winner *best, size_t index, struct at_strbuf *out);

#endif
