/*
 * The nights of a kernel: new finals of its winner and baseline, and the verdict. One
 * row per night, problem, device and board.
 *
 *   at_store_put_revisit(store, &revisit, err);            at the night's end
 *   at_store_revisits(store, &query, &revisits, err);      oldest first
 *   at_store_keep(store, &keep, now, &dropped, err);       bounds the store's size
 *
 * Must not know: how a verdict is reached (session/nights.h). Threads: the store's.
 */
#ifndef AT_RECORD_HISTORY_H
#define AT_RECORD_HISTORY_H

#include "base/memory.h"
#include "base/verdict.h"
#include "record/store.h"

/* One row. Unknown values are NAN, -1, "" or 0, as in record/store.h. */
struct at_revisit {
	int64_t id; /* 0 before it is added */
	int64_t device_id;
	int64_t run_id; /* 0: none */
	char *board; /* uuid; "" if the device has none */
	char *space;
	char *problem;
	char *configuration; /* JSON object, as in evaluations */
	/* Hash of everything that decides the time except driver and toolchain: nights
	   with the same configuration and hash are of the same kernel. */
	char *source_hash;
	enum at_outcome outcome; /* of the winner */
	/* one line: the error, or the reason of the verdict */
	char *detail;
	enum at_verdict verdict;
	const struct at_objective *objective; /* never NULL */
	/* Winner and baseline in the same finals, in the objective's unit. All NAN if
	   the winner is not ok; the baseline also if none exists. */
	struct at_score score;
	struct at_score baseline;
	struct at_score speedup; /* of that pair, as in struct at_winner */
	/* Tonight's cost over the history's (above 1: slower), the basis of the
	   verdict; NAN without a history. */
	struct at_score change;
	int64_t clock_hz; /* multiprocessor clock during the run; -1: not known */
	int64_t look_count; /* finals tonight before the verdict */
	char *measurement; /* JSON, as in struct at_winner; of the last finals */
	/*
	 * What may change from night to night: a flat JSON object, with any keys:
	 * {"driver": "580.65", "toolchain": "NVRTC 13.0", "power_limit_watts": 700,
	 * "ecc": true, "set_clock_hz": null, "processes": 0}. Values are texts,
	 * integers, booleans or null; messages show the unit at the end of a key
	 * (_watts, _hz, _bytes). AT_CONDITION_PROCESSES counts the other active
	 * processes on the device.
	 */
	char *conditions;
	int64_t created_seconds; /* since 1970 UTC */
	/* start of its run, if recorded; only set by reading */
	int64_t run_seconds;
};
/* self may be NULL. */
void at_revisit_release(struct at_revisit *self);

/* Rows that were read. */
struct at_revisits {
	size_t count;
	struct at_revisit *items; /* oldest first */
};
void at_revisits_release(struct at_revisits *self);

/* Selects rows; NULL or 0: any. Borrowed texts. */
struct at_revisit_query {
	const char *space;
	const char *problem;
	int64_t device_id;
	const char *board; /* "": the board without a uuid */
	const char *configuration;
	const char *source_hash;
	int64_t since_seconds; /* created then or later */
	/* only the newest; fast (by an index) if space is set */
	size_t limit;
};

/* Adds the row and sets its id. Committed when it returns. */
enum at_status at_store_put_revisit(
	struct at_store *self, struct at_revisit *revisit, struct at_error *err);
/* Reads the matching rows. *out must be released, also after a failure. */
enum at_status at_store_revisits(struct at_store *self,
	const struct at_revisit_query *query, struct at_revisits *out,
	struct at_error *err);

#define AT_CONDITION_PROCESSES "processes"

/*
 * Appends the differences between the conditions of two nights to out (NULL: only
 * count), as "driver 580.65, was 570.10; ecc on, was off". Only keys of both count; a
 * text that is "", NULL or not an object has none. Returns the number of lasting
 * differences: all except AT_CONDITION_PROCESSES.
 */
size_t at_conditions_compare(
	const char *before, const char *now, struct at_strbuf *out);
/* The integer at a key of the conditions, or `fallback`. */
int64_t at_conditions_whole(const char *conditions, const char *key, int64_t fallback);

/* largest limit, in nights, days, weeks or years */
#define AT_KEEP_MAX 99999

/* How much to keep; both 0: everything. */
struct at_keep {
	/* the newest of each kernel and board; 0: no limit */
	int64_t nights;
	int64_t seconds; /* younger rows; 0: no limit */
};
/* Parses "90" (nights) or "400d", "52w", "2y" (age). AT_EINVAL: neither; the error says
   what is expected. */
enum at_status at_keep_parse(
	const char *text, struct at_keep *out, struct at_error *err);

/* Rows dropped, and bytes returned to the file system. */
struct at_dropped {
	int64_t revisit_count;
	int64_t evaluation_count;
	int64_t run_count;
	int64_t bytes;
};
/*
 * Drops everything beyond `keep`, in one transaction, so that the store grows with the
 * number of tuned kernels and not of nights:
 *   - revisits of each space, problem, device and board;
 *   - evaluations that a newer one of the same key has replaced, or whose source,
 *     driver or compiler is not that of their problem's winner;
 *   - runs that nothing refers to.
 * A limit of N nights is N days for evaluations and runs. It never drops winners,
 * evaluations that a winner or portfolio refers to, and evaluations that a run today
 * would reuse. Then the file is made smaller, if worthwhile.
 *
 * now_seconds: since 1970 UTC; it may be wrong. A gap without records counts as 31 days
 * at most, and as half of the kept period at most. So one night with a clock that is
 * years ahead drops no more than that, and its rows are dropped first.
 */
enum at_status at_store_keep(struct at_store *self, const struct at_keep *keep,
	int64_t now_seconds, struct at_dropped *out, struct at_error *err);

#endif
