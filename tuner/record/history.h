/*
 * The nights of a kernel: its winner and its baseline, measured again as in the finals,
 * and what was said of that. A row a night, problem, device and board.
 *
 *   at_store_put_revisit(store, &revisit, err);            the night's end
 *   at_store_revisits(store, &query, &revisits, err);      oldest first
 *   at_store_keep(store, &keep, &dropped, err);            the store stays bounded
 *
 * Must not know: what a night says (session/nights.h). Threads: the store's.
 */
#ifndef AT_RECORD_HISTORY_H
#define AT_RECORD_HISTORY_H

#include "base/memory.h"
#include "base/verdict.h"
#include "record/store.h"

/* Everything kept of one; what is not known is NAN, -1, "" or 0 as in the others. */
struct at_revisit {
	int64_t id; /* in the store; 0 before it is added */
	int64_t device_id;
	int64_t run_id; /* 0: none */
	char *board; /* uuid; "" where the device has none */
	char *space;
	char *problem;
	char *configuration; /* JSON object, as of evaluations */
	/* of all that decides its time but driver and toolchain: nights with the same
	   configuration and the same hash are nights of one kernel */
	char *source_hash;
	enum at_outcome outcome; /* of the winner */
	/* one line: what went wrong, or what the verdict rests on */
	char *detail;
	enum at_verdict verdict;
	const struct at_objective *objective; /* never NULL */
	/* winner and baseline in the same finals, in the unit of the objective; NAN
	   throughout unless the winner is ok, or has no baseline */
	struct at_score score;
	struct at_score baseline;
	struct at_score speedup; /* of that pair, as of crowns */
	/* what was told: the cost, for times tonight's over the history's, above 1:
	   slower; NAN without a history */
	struct at_score change;
	int64_t clock_hz; /* of the multiprocessors while it ran; -1: not known */
	int64_t look_count; /* how often it was measured tonight before this was said */
	char *measurement; /* JSON, as of crowns; of the last look */
	/*
	 * What may change from night to night: a flat JSON object, whatever its keys:
	 * {"driver": "580.65", "toolchain": "NVRTC 13.0", "power_limit_watts": 700,
	 * "ecc": true, "set_clock_hz": null, "processes": 0}. Values are texts, whole
	 * numbers, booleans or null; a key that ends with a unit (_watts, _hz, _bytes)
	 * is told with it. AT_CONDITION_PROCESSES is how many others were at work on
	 * the device.
	 */
	char *conditions;
	int64_t created_seconds; /* since 1970 UTC */
};
void at_revisit_release(struct at_revisit *self);

struct at_revisits {
	size_t count;
	struct at_revisit *items; /* oldest first */
};
void at_revisits_release(struct at_revisits *self);

/* Which ones; NULL or 0: any. All texts borrowed. */
struct at_revisit_query {
	const char *space;
	const char *problem;
	int64_t device_id;
	const char *board; /* "" is the one without a name */
	const char *configuration;
	const char *source_hash;
	int64_t since_seconds; /* created then or later */
	size_t limit; /* the newest so many; by an index where space is given */
};

/* Adds it and fills in its id. Committed when it returns. */
enum at_status at_store_put_revisit(
	struct at_store *self, struct at_revisit *revisit, struct at_error *err);
/* *out is the caller's, also after a failure: at_revisits_release(). */
enum at_status at_store_revisits(struct at_store *self,
	const struct at_revisit_query *query, struct at_revisits *out,
	struct at_error *err);

#define AT_CONDITION_PROCESSES "processes"

/*
 * What differs in the conditions of two nights, appended to out (NULL: not told) as
 * "driver 580.65, was 570.10; ecc on, was off"; nothing where nothing does. Only what
 * both know. Returns how many that last: all but other processes. What is "", NULL or
 * no object knows nothing.
 */
size_t at_conditions_compare(
	const char *before, const char *now, struct at_strbuf *out);
/* A whole number of one's conditions. */
int64_t at_conditions_whole(const char *conditions, const char *key, int64_t fallback);

/* of nights, days, weeks or years */
#define AT_KEEP_MAX 99999

/* How much is kept; both 0: everything. */
struct at_keep {
	int64_t nights; /* of each kernel and board, the newest */
	int64_t seconds; /* what is younger */
};
/* "90": nights; "400d", "52w", "2y": what is younger. AT_EINVAL: an error that says
   what is expected. */
enum at_status at_keep_parse(
	const char *text, struct at_keep *out, struct at_error *err);

struct at_dropped {
	int64_t revisit_count;
	int64_t evaluation_count;
	int64_t run_count;
	int64_t bytes; /* given back to the file system */
};
/*
 * Drops what is beyond that, so that a store grows with what is tuned and not with the
 * nights: revisits, of each space, problem, device and board; evaluations that a newer
 * one of the same key replaced, or that are of sources, drivers or compilers that their
 * problem's winner is not of any more; runs that nothing refers to. N nights are N days
 * where nothing is counted in nights. Never an evaluation that a crown or a portfolio
 * names, nor one that a run of today would use again; never a crown. In one
 * transaction; then the file is made smaller, where that is worth while.
 * now_seconds: since 1970 UTC; may be wrong. A time in which nothing was recorded
 * counts as 31 days at most, and as half of what is kept: one night of a clock that is
 * years off drops no more than that, and what it recorded is the first to go.
 */
enum at_status at_store_keep(struct at_store *self, const struct at_keep *keep,
	int64_t now_seconds, struct at_dropped *out, struct at_error *err);

#endif
