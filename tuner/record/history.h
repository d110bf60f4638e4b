/*
 * The nights of a kernel: its winner and baseline measured again as in the finals, and
 * the verdict on them. One row per night, problem, device and board.
 *
 *   at_store_put_revisit(store, &revisit, err);            at the night's end
 *   at_store_revisits(store, &query, &revisits, err);      oldest first
 *   at_store_keep(store, &keep, now, &dropped, err);       keeps the store bounded
 *
 * Must not know: how a verdict is reached (session/nights.h). Threads: the store's.
 */
#ifndef AT_RECORD_HISTORY_H
#define AT_RECORD_HISTORY_H

#include "base/memory.h"
#include "base/verdict.h"
#include "record/store.h"

/* One row. Values that are not known are NAN, -1, "" or 0, as in record/store.h. */
struct at_revisit {
	int64_t id; /* in the store; 0 before it is added */
	int64_t device_id;
	int64_t run_id; /* 0: none */
	char *board; /* uuid; "" where the device has none */
	char *space;
	char *problem;
	char *configuration; /* JSON object, as of evaluations */
	/* Hash of all that decides the time except driver and toolchain: nights with
	   the same configuration and the same hash are nights of one kernel. */
	char *source_hash;
	enum at_outcome outcome; /* of the winner */
	/* one line: what went wrong, or what the verdict rests on */
	char *detail;
	enum at_verdict verdict;
	const struct at_objective *objective; /* never NULL */
	/*
	 * Winner and baseline in the same finals, in the unit of the objective. NAN
	 * throughout where the winner is not ok; the baseline also if none exists.
	 */
	struct at_score score;
	struct at_score baseline;
	struct at_score speedup; /* of that pair, as in struct at_winner */
	/* Tonight's cost over the history's (above 1: slower), on which the verdict
	   rests; NAN without a history. */
	struct at_score change;
	int64_t clock_hz; /* of the multiprocessors while it ran; -1: not known */
	int64_t look_count; /* finals that were held tonight before the verdict */
	char *measurement; /* JSON, as in struct at_winner; of the last finals */
	/*
	 * What may change from night to night: a flat JSON object, with any keys:
	 * {"driver": "580.65", "toolchain": "NVRTC 13.0", "power_limit_watts": 700,
	 * "ecc": true, "set_clock_hz": null, "processes": 0}. Values are texts, whole
	 * numbers, booleans or null; where a key ends with a unit (_watts, _hz,
	 * _bytes), messages show that unit. AT_CONDITION_PROCESSES counts the other
	 * processes that were at work on the device.
	 */
	char *conditions;
	int64_t created_seconds; /* since 1970 UTC */
	/* when its run began, as far as that is recorded: only of one that was read */
	int64_t run_seconds;
};
/* Frees the texts and zeroes it; self may be NULL. */
void at_revisit_release(struct at_revisit *self);

/* Rows that were read. */
struct at_revisits {
	size_t count;
	struct at_revisit *items; /* oldest first */
};
/* Releases all rows and zeroes it. */
void at_revisits_release(struct at_revisits *self);

/* Which rows; NULL or 0: any. All texts are borrowed. */
struct at_revisit_query {
	const char *space;
	const char *problem;
	int64_t device_id;
	const char *board; /* "": the board without a uuid */
	const char *configuration;
	const char *source_hash;
	int64_t since_seconds; /* created then or later */
	/* only the newest so many; fast (by an index) where space is given */
	size_t limit;
};

/* Adds the row and sets its id. Committed when it returns. */
enum at_status at_store_put_revisit(
	struct at_store *self, struct at_revisit *revisit, struct at_error *err);
/* Reads the rows that match. *out must be released, also after a failure. */
enum at_status at_store_revisits(struct at_store *self,
	const struct at_revisit_query *query, struct at_revisits *out,
	struct at_error *err);

/* The key of conditions that counts other processes on the device. */
#define AT_CONDITION_PROCESSES "processes"

/*
 * What differs between the conditions of two nights, appended to out (NULL: only
 * counted) as "driver 580.65, was 570.10; ecc on, was off". Only keys that both have
 * count; text that is "", NULL or no object has none. Returns how many of the
 * differences are lasting: all but AT_CONDITION_PROCESSES.
 */
size_t at_conditions_compare(
	const char *before, const char *now, struct at_strbuf *out);
/* The whole number at a key of the conditions; `fallback` if none exists. */
int64_t at_conditions_whole(const char *conditions, const char *key, int64_t fallback);

/* the longest that can be asked for, in nights, days, weeks or years */
#define AT_KEEP_MAX 99999

/* How much is kept; both 0: everything. */
struct at_keep {
	/* of each kernel and board the newest so many; 0: no such limit */
	int64_t nights;
	int64_t seconds; /* what is younger; 0: no such limit */
};
/* Reads "90" (nights) or "400d", "52w", "2y" (age). AT_EINVAL: it is neither; the error
   says what is expected. */
enum at_status at_keep_parse(
	const char *text, struct at_keep *out, struct at_error *err);

/* Rows that were dropped, and bytes given back to the file system. */
struct at_dropped {
	int64_t revisit_count;
	int64_t evaluation_count;
	int64_t run_count;
	int64_t bytes;
};
/*
 * Drops what is beyond `keep`, in one transaction, so that the store grows with the
 * number of tuned kernels and not with the number of nights:
 *   - revisits of each space, problem, device and board;
 *   - evaluations that a newer one of the same key has replaced, or whose source,
 *     driver or compiler is not that of their problem's winner any more;
 *   - runs that nothing refers to.
 * Where only nights are limited, N nights are N days for evaluations and runs. Never
 * dropped are winners, evaluations that a winner or portfolio refers to, and
 * evaluations that a run of today would use again. Then the file is made smaller, if
 * that is worth while.
 *
 * now_seconds: since 1970 UTC; it may be wrong. A stretch in which nothing was recorded
 * counts as 31 days at most, and as half of what is kept at most. So one night with a
 * clock that is years ahead drops no more than that, and the rows of that night are
 * dropped first.
 */
enum at_status at_store_keep(struct at_store *self, const struct at_keep *keep,
	int64_t now_seconds, struct at_dropped *out, struct at_error *err);

#endif
