/*
 * The record: everything ever evaluated, in <results>/autotune.db, SQLite in WAL mode.
 * Its tables and columns: record/tables.h.
 *
 * An evaluation is committed with its samples, in one transaction, before anything acts
 * on it: a kill at any moment loses at most the evaluations under way. Two processes
 * may use a results directory at once: writers wait for each other.
 *
 * The key of an evaluation is a hash of everything that decides its time, made by
 * evaluator/plan.h. Only a newer evaluation with the same key replaces one: measured
 * again (--fresh), measured in full after racing dropped it, or refused by a
 * verification. The older one stays as history.
 *
 * Must not know: how times were measured, what compiles, which strategy asks. Threads:
 * one store, one thread.
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

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_store; /* opaque */

/*
 * A record may come from a stranger, so each row is checked when it is read
 * (record/cell.h). An invalid row is ignored but not removed. `tell` is called for the
 * first such row of each store, with the file, the row and the error; NULL: no
 * function. Two faults reject the whole record: an invalid device, since everything
 * refers to devices, and tables that are not those of a record.
 */
void at_store_on_left_out(void (*tell)(const struct at_error *reason));

/* A model of device, common to all boards of the model. Results belong to it. */
struct at_record_device {
	char *kind; /* "cuda" */
	char *model; /* "NVIDIA H200" */
	/* "nvidia-h200": its folder's name; see space/device_key.h */
	char *slug;
	char *architecture; /* "sm_90" */
	char *driver;
	char *uuid;
	struct at_properties properties;
};

/* Everything recorded of an evaluation. Unknown values are -1 or NAN. */
struct at_evaluation {
	int64_t id; /* in the record; 0 before it is added */
	struct at_hash key;
	int64_t run_id;
	int64_t device_id;
	char *space; /* name */
	char *problem; /* name */
	char *problem_json; /* {"M": 4096, ...} */
	char *configuration; /* JSON object, parameters in the order of the file */
	enum at_outcome outcome;
	char *detail; /* one line: the error; "" if ok */
	char *log; /* the compiler's whole output; NULL: not read */
	/* Median of the samples, and its 95 % interval; NAN unless ok. */
	double time_ns;
	double low_ns;
	double high_ns;
	size_t sample_count;
	double *samples_ns; /* of one launch each, in the order taken */
	int64_t launches_per_sample;
	bool raced; /* dropped early, as it could not win: rough interval */
	struct at_facts facts;
	/* Work of one launch, from the space's metrics for this configuration. */
	double flops;
	double bytes;
	bool is_double; /* the flops are on doubles */
	double max_relative_error;
	int64_t measure_ns; /* wall time of the evaluation */
	int64_t clock_hz; /* multiprocessor clock right after the samples */
	bool throttled; /* heat or power held the clocks back */
	int64_t created_seconds; /* since 1970 UTC */
	char *board; /* uuid of the board; "": not known */
	/* Hash of everything measured: image, launch, problem and data. Only one of
	   several evaluations with the same hash enters the finals. All zero: not
	   compiled, or not recorded. */
	struct at_hash image;
	/* Hardware counters, a JSON array with an object for each launch: {"kernel":
	   "transpose", "gpu__time_duration.sum": 1.9e6, ...}, by the names of
	   device/counters.h, without those that the device lacks. "": not read. */
	char *counters;
};

/* An evaluation with all values unknown. */
#define AT_EVALUATION_UNKNOWN \
	.time_ns = NAN, .low_ns = NAN, .high_ns = NAN, .launches_per_sample = -1, \
	.facts = AT_FACTS_UNKNOWN, .flops = NAN, .bytes = NAN, \
	.max_relative_error = NAN, .measure_ns = -1, .clock_hz = -1

/* Frees everything and zeroes it, like the other release functions below; all accept
   NULL. */
void at_record_device_release(struct at_record_device *self);
void at_evaluation_release(struct at_evaluation *self);
/* Makes *to an independent copy, without samples and log. Previous contents of *to are
   not released. */
void at_evaluation_copy(const struct at_evaluation *from, struct at_evaluation *to);

/* How this process waits for records that another process has locked; applies to all
   stores, also open ones. A request to end the program (base/interrupt.h) stops
   waiting, and the call fails with AT_EINTERRUPTED. */
struct at_patience {
	double seconds; /* of each wait; 0: two minutes; INFINITY: forever */
	/* Receives a line for people after two seconds, and then once a minute; may be
	   NULL. */
	void (*tell)(void *context, const char *text);
	void *context;
};
/* Copied; NULL: the defaults. Do not call it while a store waits. */
void at_store_be_patient(const struct at_patience *patience);

/* Opens or makes <directory>/autotune.db, and the directory. An older version's store
   is upgraded; a newer version's is rejected with advice. */
enum at_status at_store_open(
	const char *directory, struct at_store **out, struct at_error *err);
/*
 * The same for one process alone, which locks out all others until it closes the store.
 * If another process has it open, it waits by at_store_be_patient(), then fails with
 * AT_EIO. It shares no memory with other processes, so the directory may be on a
 * network file system.
 */
enum at_status at_store_open_alone(
	const char *directory, struct at_store **out, struct at_error *err);
/* The same for reading. Without a record: AT_ENOENT, and nothing is made. A file or
   directory that is not writable is not touched: an older version's record is upgraded
   in a copy in memory. Adding to the store and removing from it then fail. */
enum at_status at_store_open_reading(
	const char *directory, struct at_store **out, struct at_error *err);
/*
 * Freezes all reads at the present state of the record, whatever others add, merge or
 * remove, until at_store_end_reading() or at_store_close(). Do not write meanwhile. It
 * does nothing if it would block others, such as writers to a record shared by several
 * machines.
 */
enum at_status at_store_begin_reading(struct at_store *self, struct at_error *err);
void at_store_end_reading(struct at_store *self);
/* An empty store in memory, deleted by closing; name: its path in errors. */
enum at_status at_store_open_memory(
	const char *name, struct at_store **out, struct at_error *err);
/* self may be NULL. */
void at_store_close(struct at_store *self);
/* The same after a failure: also removes the file if this store made it, has no
   measurements in it, and no other process has it open; and the folders made for it. */
void at_store_close_failed(struct at_store *self);
/*
 * Call before closing a store that had runs. If another program removed, replaced or
 * overwrote the record during a run, this saves the measurements of the store's runs in
 * a new record. Its new folder is next to the results folder, in the current folder, or
 * in the folder for temporary files. Then AT_EIO, with a line that says how to import
 * it; the store may only be closed. AT_OK: the record has all measurements.
 */
enum at_status at_store_save_lost(struct at_store *self, struct at_error *err);

/* Finds the device (space/device_key.h) or adds it, and updates its driver and
   properties; *id: its row. If another device already has its slug, this device gets
   another slug, which at_store_get_device() returns. */
enum at_status at_store_put_device(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err);
/* Finds the device without writing; *id 0: not recorded. */
enum at_status at_store_match_device(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err);
/* Finds a device by slug and kind; *id 0: not recorded. */
enum at_status at_store_find_device(struct at_store *self, const char *slug,
	const char *kind, int64_t *id, struct at_error *err);
/* The ids of all devices, ascending; the caller frees *out. */
enum at_status at_store_devices(
	struct at_store *self, int64_t **out, size_t *count, struct at_error *err);
/* Reads a device; the caller releases *out. AT_ENOENT: no such id. */
enum at_status at_store_get_device(struct at_store *self, int64_t id,
	struct at_record_device *out, struct at_error *err);

/* Begins a run: one call of tune on one space and device; stays as history. */
enum at_status at_store_begin_run(struct at_store *self, int64_t device_id,
	const char *space, const char *strategy, uint64_t seed, const char *version,
	int64_t *id, struct at_error *err);
/* The same on a device that is found or added in the same step: `forget` may have
   removed the row of at_store_put_device(), and another device may have its id. */
enum at_status at_store_begin_run_on(struct at_store *self,
	const struct at_record_device *device, const char *space, const char *strategy,
	uint64_t seed, const char *version, int64_t *device_id, int64_t *id,
	struct at_error *err);
/* Ends a run; ending: a word for how. Also protects everything added from a power
   cut. */
enum at_status at_store_end_run(
	struct at_store *self, int64_t id, const char *ending, struct at_error *err);

/* The evaluation's score by an objective; unknown unless ok. Every evaluation has
   times, whatever its objective. */
struct at_score at_evaluation_score(
	const struct at_evaluation *self, const struct at_objective *objective);

/* Adds the evaluation with samples and log, and sets its id. Committed when it returns.
   It must be the newest of its key: if a clock was set back, its created_seconds is
   raised to that of the newest so far. */
enum at_status at_store_add(
	struct at_store *self, struct at_evaluation *evaluation, struct at_error *err);

/* The newest evaluation with this key; *found: whether there is one. with_samples: also
   read samples and log (else 0 and NULL). The caller releases *out. */
enum at_status at_store_find(struct at_store *self, struct at_hash key,
	bool with_samples, struct at_evaluation *out, bool *found,
	struct at_error *err);
enum at_status at_store_set_counters(
	struct at_store *self, int64_t id, const char *counters, struct at_error *err);
/* The evaluation with this id. AT_ENOENT: none exists, or its row is invalid. */
enum at_status at_store_get(struct at_store *self, int64_t id, bool with_samples,
	struct at_evaluation *out, struct at_error *err);

/*
 * Lists evaluations without samples and logs, the newest of each key in its space,
 * problem and device, best first (ok ones by time, then the others). space, slug (of
 * the device) and problem: NULL for all; limit: 0 for all. visit() borrows the
 * evaluation, and ends the walk by returning anything but AT_OK.
 */
enum at_status at_store_list(struct at_store *self, const char *space, const char *slug,
	const char *problem, size_t limit,
	enum at_status (*visit)(void *context, const struct at_evaluation *evaluation),
	void *context, struct at_error *err);

/* The winner of a space and problem on a model of device. */
struct at_winner {
	int64_t device_id;
	char *space;
	char *problem;
	int64_t evaluation_id;
	int64_t baseline_id; /* 0: there was none, or it was not ok */
	/* evaluations of any outcome that it was chosen from */
	int64_t evaluation_count;
	int64_t ok_count; /* of these, ok */
	const struct at_objective *objective; /* that selected it; never NULL */
	/* Of the finals, or without finals of the evaluation. */
	struct at_score score;
	/*
	 * at_objective_gain() of winner over baseline in the same finals, with its 95 %
	 * interval, and the interval of the baseline's value. NAN: not known; an
	 * interval may also be 0 then. If the baseline is the winner, the speed-up is 1
	 * throughout.
	 */
	double speedup;
	double speedup_low;
	double speedup_high;
	double baseline_low;
	double baseline_high;
	/*
	 * About the finals: a JSON object of "undecided", "blocks", "samples" and
	 * "launches_per_sample" of the winner, "first_clock_hz", "last_clock_hz",
	 * "repeated_rounds", "throttled_rounds", "clock_reasons" (text),
	 * "set_clock_hz", "set_memory_clock_hz", "power_limit_watts", "empty_ns",
	 * "graph_ns", "empty_graph_ns", "graph_off" (described in record/result.h),
	 * null if unknown; "" without finals.
	 */
	char *measurement;
	char *toolchain; /* "NVRTC 13.0" */
	char *driver;
	/* hex; hash of the template, options and problem that it was tuned from */
	char *source_hash;
	char *metrics; /* JSON: {"flops": .., "bytes": ..} of one launch; "{}" */
	char *launch; /* JSON: {"block": [..], "grid": [..], "shared_bytes": n} */
	char *options; /* JSON array of the compiler options */
	/*
	 * Which parameters mattered (search/ablation.h): a JSON array of {"to":
	 * {"TILE": 32}, "from": {"TILE": 16}, KEY: the value after this step, "share":
	 * of the gain}, in the order of the path; KEY is the objective's. "": not
	 * explained.
	 */
	char *gains;
	/* Selected without finals and verification, by an interrupted run, or withdrawn
	   since (record/verification.h). No header has it, and the first verified
	   winner replaces it. */
	bool is_unverified;
	/* Its checks (record/verification.h). "": verified by an older version, which
	   did not record them, or not verified. */
	char *verification;
	/* "3/8": it won only this part of the space, and meets the winners of the other
	   parts in the next run on the whole space; "": it won the whole space. */
	char *part;
	/* The measurements in the last finals that it won, one word each
	   (session/candidates.h); "": not known. */
	char *met;
	/* 0: it is a winner. Else it serves its problem in this portfolio, and the loss
	   is its distance from the winner in the same finals (0.05: it takes 5 %
	   longer), with its 95 % interval; all 0 if it is the winner itself. */
	int64_t portfolio_id;
	int64_t member; /* the number of its configuration in the portfolio */
	double loss;
	double loss_low;
	double loss_high;
	int64_t created_seconds; /* since 1970 UTC */
	/* when it last won finals again; 0: never */
	int64_t stood_seconds;
};
void at_winner_release(struct at_winner *self);
/* The winner's time in finals by time, else the evaluation's (winner may be NULL:
   NAN). */
double at_winner_time_ns(
	const struct at_winner *self, const struct at_evaluation *winner);
/* The baseline's score in the winner's finals: the value that gives exactly the
   recorded speed-up. Other measurements of the baseline do not count. NAN: not
   known. */
struct at_score at_winner_baseline(const struct at_winner *self);
/* The speed-up with its interval; NAN: not known. */
struct at_score at_winner_speedup(const struct at_winner *self);
/* As at_evaluation_copy(). */
void at_winner_copy(const struct at_winner *from, struct at_winner *to);

/*
 * The newest row of a device, space and problem (NULL: all) is found by time, also in
 * result files. So if a clock was set back, this raises *seconds, the time of a new
 * winner, portfolio or night, to the latest recorded time. by_date: but not to a time
 * in the future of *seconds, which is now. For winners: their recorded order is known
 * otherwise, and result files and headers would be dated years ahead.
 */
enum at_status at_store_follow(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, bool by_date, int64_t *seconds,
	struct at_error *err);

/* Adds a winner, which replaces that of (device, space, problem); older ones stay as
   history. Does nothing if it is unverified and the old one is verified. A baseline
   that was removed meanwhile is left out. */
enum at_status at_store_put_winner(
	struct at_store *self, const struct at_winner *best, struct at_error *err);
/* The standing winners of a space (NULL: all) on a device (0: all), by device, space
   and problem: at_store_free_winners(). */
enum at_status at_store_winners(struct at_store *self, const char *space,
	int64_t device_id, struct at_winner **out, size_t *count, struct at_error *err);
/* The winner of a problem; *found false, and *out zeroed: none. */
enum at_status at_store_find_winner(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, struct at_winner *out, bool *found,
	struct at_error *err);
void at_store_free_winners(struct at_winner *winners, size_t count);
/* Sets the gains of this winner: of the newest winner of its evaluation on its device,
   space and problem, even if another evaluation has won since. AT_ENOENT: there is
   none. */
enum at_status at_store_set_gains(struct at_store *self, const struct at_winner *best,
	const char *gains, struct at_error *err);
/* Sets the winner's verification, extended by a night. AT_ENOENT as above. */
enum at_status at_store_set_verification(struct at_store *self,
	const struct at_winner *best, const char *verification, struct at_error *err);
/* Records that this winner won again, against `met`, at `seconds`. AT_ENOENT as
   above. */
enum at_status at_store_set_stood(struct at_store *self, const struct at_winner *best,
	int64_t seconds, const char *met, struct at_error *err);
/* Withdraws all winners of this winner's evaluation on its device, space and problem,
   since they turned out to be wrong; why: the reason, in a line. They become
   unverified, so that no header has them. AT_ENOENT as above. */
enum at_status at_store_withdraw(struct at_store *self, const struct at_winner *best,
	const char *why, struct at_error *err);

/* The few configurations that serve all problems of a space on a model of device. */
struct at_portfolio {
	int64_t id; /* 0 before it is added */
	int64_t device_id;
	char *space;
	double loss_limit; /* largest allowed loss; INFINITY: any */
	int64_t most; /* most allowed members; 0: any number */
	size_t count; /* of problems */
	/* the configuration that serves each problem, by problem, with repetitions */
	struct at_winner *members;
	int64_t created_seconds; /* since 1970 UTC */
};
void at_portfolio_release(struct at_portfolio *self);
/* The number of its distinct configurations. */
size_t at_portfolio_size(const struct at_portfolio *self);
/* The largest loss of a member; NAN if a loss is unknown. */
double at_portfolio_worst(const struct at_portfolio *self);
/* Adds a portfolio with its members in one transaction, and sets id. Older ones stay as
   history. */
enum at_status at_store_put_portfolio(
	struct at_store *self, struct at_portfolio *portfolio, struct at_error *err);
/* The newest one; *found false, and *out zeroed: none. */
enum at_status at_store_get_portfolio(struct at_store *self, int64_t device_id,
	const char *space, struct at_portfolio *out, bool *found, struct at_error *err);

/* The limits of a model of device, as measured by `autotune devices`. */
struct at_record_ceilings {
	int64_t device_id; /* set by reading */
	struct at_ceilings ceilings;
	char *driver;
	int64_t created_seconds; /* since 1970 UTC */
};
void at_record_ceilings_release(struct at_record_ceilings *self);
/* Adds them; older ones stay as history. */
enum at_status at_store_put_ceilings(struct at_store *self, int64_t device_id,
	const struct at_record_ceilings *ceilings, struct at_error *err);
/* The same for a device that is found or added in the same step, as in
   at_store_begin_run_on(). */
enum at_status at_store_put_ceilings_on(struct at_store *self,
	const struct at_record_device *device,
	const struct at_record_ceilings *ceilings, struct at_error *err);
/* The newest ones; *found false, and *out zeroed: none. */
enum at_status at_store_get_ceilings(struct at_store *self, int64_t device_id,
	struct at_record_ceilings *out, bool *found, struct at_error *err);

#endif
