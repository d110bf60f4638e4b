/*
 * Everything that was ever evaluated: <results>/autotune.db, SQLite in WAL mode.
 * Its tables and what their columns hold: record/store_schema.c.
 *
 * An evaluation is committed in one transaction with its samples before anybody
 * acts on it, so that a kill at any moment loses at most what was in flight. Two
 * processes may use one results directory at once: writers wait for each other.
 *
 * The key of an evaluation is a hash of all that decides its time; making it is
 * the session's work (evaluator/plan.h). An evaluation is replaced only by a newer
 * one with the same key (--fresh), and the older one is kept as history.
 *
 * Must not know: how times were got, what compiles, which strategy asks.
 * Threads: one store, one thread.
 */
#ifndef AT_RECORD_STORE_H
#define AT_RECORD_STORE_H

#include "base/error.h"
#include "base/hash.h"
#include "base/objective.h"
#include "base/outcome.h"
#include "kernel/facts.h"
#include "kernel/roofline.h"
#include "space/properties.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_store; /* opaque */

/*
 * A record may be anybody's. Each row is checked when it is read (record/cell.h); one
 * that makes no sense is left out as if it were not there, and stays where it is, and
 * `tell` is called with the first one of each store: file, row and what is wrong with
 * it. NULL: nobody is told. A device that makes no sense refuses the whole record,
 * since all else refers to it, and so do tables that are not those of a record.
 */
void at_store_on_left_out(void (*tell)(const struct at_error *reason));

/* A device model is what results belong to; boards of one model share them. */
struct at_record_device {
	char *kind; /* "cuda" */
	char *model; /* "NVIDIA H200" */
	char *slug; /* "nvidia-h200": folder and key; see space/device_key.h */
	char *architecture; /* "sm_90" */
	char *driver;
	char *uuid;
	/* name, value of every known property; names borrowed, static */
	size_t property_count;
	const char **property_names;
	int64_t *property_values;
};

/* Everything recorded of one evaluation. -1 or NAN where not known. */
struct at_evaluation {
	int64_t id; /* in the store; 0 before it is added */
	struct at_hash key;
	int64_t run_id;
	int64_t device_id;
	char *space; /* the spec's name */
	char *problem; /* its name */
	char *problem_json; /* {"M": 4096, ...} */
	char *configuration; /* JSON object, parameters in the order of the file */
	enum at_outcome outcome;
	char *detail; /* one line: what went wrong; "" when ok */
	char *log; /* the compiler's, whole */
	/* median of the samples and a 95 % interval of it; NAN unless ok */
	double time_ns;
	double low_ns;
	double high_ns;
	size_t sample_count;
	double *samples_ns; /* time of one launch each, in the order taken */
	int64_t launches_per_sample;
	bool raced; /* dropped early: could not win, its interval is rough */
	struct at_facts facts;
	/* of one launch, as the space's metrics say for this configuration */
	double flops;
	double bytes;
	bool is_double; /* its operations are on doubles */
	double max_relative_error;
	int64_t measure_ns;
	int64_t clock_hz;
	bool throttled;
	int64_t created_seconds; /* since 1970 UTC */
	char *board; /* uuid of the board that measured it; "" not known */
	/*
	 * Hash of all that is measured: image, launch, problem and data. Of several
	 * with the same, only one goes to the finals. All zero: it was not compiled,
	 * or is of a record that did not keep it.
	 */
	struct at_hash image;
};

void at_record_device_release(struct at_record_device *self);
/* Those that this version knows. */
void at_record_device_properties(
	const struct at_record_device *self, struct at_properties *out);
void at_evaluation_release(struct at_evaluation *self);
/*
 * A copy that shares nothing with the original, without its samples and its log. What
 * `to` held is not released; after a failure (memory ran out) it is zeroed.
 */
enum at_status at_evaluation_copy(const struct at_evaluation *from,
	struct at_evaluation *to, struct at_error *err);

/*
 * How this process waits for a record that another one has locked: for all stores,
 * those that are open too. Whoever is asked to end meanwhile (base/interrupt.h) waits
 * no longer, and the call that waited fails with AT_EINTERRUPTED.
 */
struct at_patience {
	double seconds; /* each time; 0: two minutes; INFINITY: as long as it takes */
	/* after two seconds, and then once a minute: a line for people; may be NULL */
	void (*tell)(void *context, const char *text);
	void *context;
};
/* Copied; NULL: as it was at first. Not while a store waits. */
void at_store_be_patient(const struct at_patience *patience);

/*
 * Opens or makes <directory>/autotune.db and the directory. A store of a newer
 * version is refused, and the error says what to do; an older one is brought up to
 * date.
 */
enum at_status at_store_open(
	const char *directory, struct at_store **out, struct at_error *err);
/*
 * The same for one process alone, which keeps all others out until it closes; it waits
 * half a minute for one that is in there, then AT_EIO. No memory is shared with others,
 * so that the directory may lie on a network file system.
 */
enum at_status at_store_open_alone(
	const char *directory, struct at_store **out, struct at_error *err);
/*
 * The same for whoever only reads: AT_ENOENT, and nothing made, where there is no
 * record. Where file or directory cannot be written, neither is touched: an older
 * version is brought up to date in a copy in memory, and what is added to the store is
 * an error, or is gone when it is closed.
 */
enum at_status at_store_open_reading(
	const char *directory, struct at_store **out, struct at_error *err);
/* An empty one in memory, gone when it is closed; name stands for it in errors. */
enum at_status at_store_open_memory(
	const char *name, struct at_store **out, struct at_error *err);
void at_store_close(struct at_store *self);
/*
 * For whoever failed: a record that this opening made, in which nothing was measured
 * and which nobody else has open, goes again, and so does a folder that it made.
 */
void at_store_close_failed(struct at_store *self);
/*
 * Whether what is added still goes into the file at the path: a folder may be removed
 * or replaced while a run writes to it, and the system does not mind. Where nothing is
 * there, all that the store has is written there again, it goes on there, and *rescued
 * is true. Else AT_EIO, with a line that says where all of it is now: in the record
 * that took the place, or in a folder of its own. The store must not be used any more
 * then.
 *
 * And whether what was added is still there: file or log may be cut short or written
 * over, and nothing fails. Then AT_EIO as well; what the runs of this store have added
 * is in the record again, if that is sound without what was spoiled, or in one of its
 * own. is_whole: all of it is looked at, and not just what was added since the last
 * time, which takes a tenth of a second for 10,000 evaluations.
 */
enum at_status at_store_rescue(
	struct at_store *self, bool is_whole, bool *rescued, struct at_error *err);
/* A run of this store has ended, and the last look found all of it: what is removed of
   it from then on was removed by somebody who wanted that. */
void at_store_is_over(struct at_store *self, int64_t run_id);

/*
 * For the time in which a store is closed, some 20 ms with a full log: what goes from
 * the path meanwhile is there again after at_held_end().
 *
 *   at_held_begin(&held, store);   after at_store_rescue()
 *   at_store_close(store);
 *   at_held_end(&held, &rescued, &err);
 */
struct at_held {
	int file; /* -1: nothing is held */
	char *path;
};
/* False: the record is not at its path, and is to be rescued first. A store that is in
   memory, or without memory for this, holds nothing, which is fine. */
bool at_held_begin(struct at_held *self, const struct at_store *store);
/*
 * Where the file was removed since, it is written there again, or what was in it is
 * added to the record that came there; *rescued is true then. AT_EIO: neither could be
 * done, with a line that says where all of it is. One that was moved is let be.
 */
enum at_status at_held_end(struct at_held *self, bool *rescued, struct at_error *err);

/*
 * Finds the device (space/device_key.h) or adds it; brings driver and properties up to
 * date. One of the same slug that is another device keeps it, and this one gets the
 * slug that tells them apart, under which at_store_get_device() gives it.
 */
enum at_status at_store_put_device(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err);
/* The same without a write; *id is 0 when it is not recorded. */
enum at_status at_store_match_device(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err);
/* By slug and kind, whatever else it is; *id is 0 when it is not recorded. */
enum at_status at_store_find_device(struct at_store *self, const char *slug,
	const char *kind, int64_t *id, struct at_error *err);
/* The numbers of all, in ascending order: the caller's (free). */
enum at_status at_store_devices(
	struct at_store *self, int64_t **out, size_t *count, struct at_error *err);
enum at_status at_store_get_device(struct at_store *self, int64_t id,
	struct at_record_device *out, struct at_error *err);

/* A run: one call of tune on one space and device; kept as history. */
enum at_status at_store_begin_run(struct at_store *self, int64_t device_id,
	const char *space, const char *strategy, uint64_t seed, const char *version,
	int64_t *id, struct at_error *err);
/* ending: how it ended, in a word. Also makes all that was added safe from a power cut.
 */
enum at_status at_store_end_run(
	struct at_store *self, int64_t id, const char *ending, struct at_error *err);

/*
 * What it achieved by an objective; unknown unless it is ok. The times of an
 * evaluation are facts of it, whatever it was tuned for.
 */
struct at_score at_evaluation_score(
	const struct at_evaluation *self, const struct at_objective *objective);

/*
 * Adds it with samples and log; fills evaluation->id. Committed when it returns. Of its
 * key it is the newest: created_seconds is raised to that of the one before, where a
 * clock was set back.
 */
enum at_status at_store_add(
	struct at_store *self, struct at_evaluation *evaluation, struct at_error *err);

/*
 * The newest evaluation with this key; *found tells. with_samples: also the
 * samples and the log (else 0 and NULL). out is the caller's: release it.
 */
enum at_status at_store_find(struct at_store *self, struct at_hash key,
	bool with_samples, struct at_evaluation *out, bool *found,
	struct at_error *err);
enum at_status at_store_get(struct at_store *self, int64_t id, bool with_samples,
	struct at_evaluation *out, struct at_error *err);

/*
 * Evaluations, newest of each key in its space, problem and device, best first (ok by
 * time, then the others), for a space (NULL: all), a device slug (NULL: all), a problem
 * (NULL: all), at most limit (0: all), without samples and logs. visit() borrows; it
 * ends the walk by returning anything but AT_OK.
 */
enum at_status at_store_list(struct at_store *self, const char *space, const char *slug,
	const char *problem, size_t limit,
	enum at_status (*visit)(void *context, const struct at_evaluation *evaluation),
	void *context, struct at_error *err);

/* The winner of a space and problem on a device model. */
struct at_crown {
	int64_t device_id;
	char *space;
	char *problem;
	int64_t evaluation_id;
	int64_t baseline_id; /* 0: the baseline was not ok or there is none */
	int64_t evaluation_count; /* that the winner was chosen from, all outcomes */
	int64_t ok_count;
	const struct at_objective *objective; /* by which it won; never NULL */
	/* of the finals where they were run, else of the evaluation */
	struct at_score score;
	/*
	 * Winner and baseline in the same finals: at_objective_gain(), with its 95 %
	 * interval, and that of the baseline; NAN where not known, of an interval 0 as
	 * well. 1 throughout where the baseline is the winner.
	 */
	double speedup;
	double speedup_low;
	double speedup_high;
	double baseline_low;
	double baseline_high;
	/*
	 * How the finals were: JSON object of "blocks", "samples" and
	 * "launches_per_sample" of the winner, "first_clock_hz", "last_clock_hz",
	 * "repeated_rounds", "throttled_rounds", "clock_reasons" (text),
	 * "set_clock_hz", "set_memory_clock_hz", "power_limit_watts", "empty_ns",
	 * "graph_ns", "empty_graph_ns", "graph_off"; null where not known, "" where
	 * there were none.
	 */
	char *measurement;
	char *toolchain; /* "NVRTC 13.0" */
	char *driver;
	char *source_hash; /* hex: template, options, problem: what it was tuned from */
	char *metrics; /* JSON: {"flops": .., "bytes": ..} of one launch; "{}" */
	char *launch; /* JSON: {"block": [..], "grid": [..], "shared_bytes": n} */
	char *options; /* JSON array of the compiler options */
	/*
	 * Which parameter mattered (search/ablation.h): a JSON array of {"to":
	 * {"TILE": 32}, "from": {"TILE": 16}, KEY: what is achieved after it, "share":
	 * of the gain}, KEY the objective's, in the order of the path; "" where it was
	 * not looked into.
	 */
	char *gains;
	/* it was crowned without finals and proof, by a run that was interrupted: it is
	   in no header, and the first that is proved replaces it */
	bool is_unproved;
	/* what it was held to, and how: record/proof.h; "": by an older version, which
	   did not keep it, or not at all */
	char *proof;
	/* "3/8": it won in this part of the space, and meets the other parts' winners
	   in the next run on the whole; "": on the whole */
	char *part;
	/* whom it met in the finals that it won last, a word each (session/met.h); "":
	   not known */
	char *met;
	/* 0: it is a winner. Else it serves the problem in a portfolio, and loses so
	   much against the winner, in the same finals (0.05: it takes 5 % longer), with
	   a 95 % interval; 0 throughout where it is the winner itself. */
	int64_t portfolio_id;
	int64_t member; /* the number of its configuration there */
	double loss;
	double loss_low;
	double loss_high;
	int64_t created_seconds;
	int64_t stood_seconds; /* when it won its last finals; 0: not since */
};
void at_crown_release(struct at_crown *self);
/* The time of the finals where that was the objective, else the winner's (may be
   NULL: NAN). */
double at_crown_time_ns(
	const struct at_crown *self, const struct at_evaluation *winner);
/*
 * What the baseline achieved, of which the speed-up is that of this winner: the
 * quotient of both values is the speed-up, whatever was measured of the baseline at
 * other times. NAN where not known.
 */
struct at_score at_crown_baseline(const struct at_crown *self);
/* The speed-up with its interval, NAN where not known. */
struct at_score at_crown_speedup(const struct at_crown *self);
/* As at_evaluation_copy(). */
enum at_status at_crown_copy(
	const struct at_crown *from, struct at_crown *to, struct at_error *err);

/*
 * What is the newest of a device, space and problem (NULL: all) is told by time, in
 * files too: raises *seconds, of a crown, portfolio or night that is to be recorded, to
 * that of those recorded before, where a clock was set back since.
 */
enum at_status at_store_follow(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, int64_t *seconds, struct at_error *err);

/*
 * Replaces the crown of (device, space, problem); the older ones stay as history. One
 * that is unproved does not replace one that is not: then nothing is done.
 */
enum at_status at_store_put_crown(
	struct at_store *self, const struct at_crown *crown, struct at_error *err);
/* The crowns of a space (NULL: all) on a device (0: all), by device, space, problem. */
enum at_status at_store_crowns(struct at_store *self, const char *space,
	int64_t device_id, struct at_crown **out, size_t *count, struct at_error *err);
/* The crown of one problem; *found false, and *out zeroed, when nobody has it. */
enum at_status at_store_find_crown(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, struct at_crown *out, bool *found,
	struct at_error *err);
void at_store_free_crowns(struct at_crown *crowns, size_t count);
/*
 * Fills in the gains of this crown: the newest of its evaluation on its device, space
 * and problem, whoever won there since. AT_ENOENT when it is not there.
 */
enum at_status at_store_set_gains(struct at_store *self, const struct at_crown *crown,
	const char *gains, struct at_error *err);
/* Of the same crown: it won again, against `met`, and nothing else of it changes.
   AT_ENOENT as there. */
enum at_status at_store_set_stood(struct at_store *self, const struct at_crown *crown,
	int64_t seconds, const char *met, struct at_error *err);
/* Of all crowns of its evaluation on its device, space and problem: what they were
   proved by holds no more, and `why` in a line; they are unproved from now on, so that
   no header has them. AT_ENOENT as there. */
enum at_status at_store_withdraw(struct at_store *self, const struct at_crown *crown,
	const char *why, struct at_error *err);

/* The few configurations that serve all problems of a space on a device model. */
struct at_portfolio {
	int64_t id; /* 0 before it is added */
	int64_t device_id;
	char *space;
	double loss_limit; /* that was asked for; INFINITY: none */
	int64_t most; /* members that were allowed; 0: any number */
	size_t count; /* problems */
	struct at_crown *members; /* who serves each, by problem; several may be one */
	int64_t created_seconds;
};
void at_portfolio_release(struct at_portfolio *self);
/* How many configurations there are in it. */
size_t at_portfolio_size(const struct at_portfolio *self);
/* The largest loss; NAN where one is not known. */
double at_portfolio_worst(const struct at_portfolio *self);
/* Adds it with its members in one transaction; fills id. Older ones stay as history. */
enum at_status at_store_put_portfolio(
	struct at_store *self, struct at_portfolio *portfolio, struct at_error *err);
/* The newest; *found false, and *out zeroed, when there is none. */
enum at_status at_store_get_portfolio(struct at_store *self, int64_t device_id,
	const char *space, struct at_portfolio *out, bool *found, struct at_error *err);

/* The ceilings of a device model, as `autotune devices` measured them. */
struct at_record_ceilings {
	struct at_ceilings ceilings;
	char *driver;
	int64_t created_seconds; /* since 1970 UTC */
};
void at_record_ceilings_release(struct at_record_ceilings *self);
/* Adds them; older ones stay as history. */
enum at_status at_store_put_ceilings(struct at_store *self, int64_t device_id,
	const struct at_record_ceilings *ceilings, struct at_error *err);
/* The newest; *found false, and *out zeroed, when there are none. */
enum at_status at_store_get_ceilings(struct at_store *self, int64_t device_id,
	struct at_record_ceilings *out, bool *found, struct at_error *err);

#endif
