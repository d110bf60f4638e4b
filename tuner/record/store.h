/*
 * The record: everything that was ever evaluated, in <results>/autotune.db, SQLite in
 * WAL mode. Its tables and what their columns hold: record/tables.h.
 *
 * An evaluation is committed, in one transaction with its samples, before anybody acts
 * on it, so that killing the process at any moment loses at most the evaluations under
 * way. Two processes may use one results directory at once: writers wait for each
 * other.
 *
 * The key of an evaluation is a hash of all that decides its time; evaluator/plan.h
 * makes it. Only a newer evaluation with the same key replaces one: measured again
 * (--fresh), measured in full where racing had dropped it, or refused by a
 * verification. The older one is kept as history.
 *
 * Must not know: how times were got, what compiles, which strategy asks. Threads: one
 * store, one thread.
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
 * (record/cell.h). A row that makes no sense is treated as if it were not there; it is
 * not removed. `tell` is called for the first such row of each store, with the file,
 * the row and what is wrong; NULL: no function. Two faults refuse the whole record:
 * a device that makes no sense, since all else refers to devices, and tables that are
 * not those of a record.
 */
void at_store_on_left_out(void (*tell)(const struct at_error *reason));

/* A device model. Results belong to it; boards of one model share them. */
struct at_record_device {
	char *kind; /* "cuda" */
	char *model; /* "NVIDIA H200" */
	/* "nvidia-h200": names its folder and finds it; see space/device_key.h */
	char *slug;
	char *architecture; /* "sm_90" */
	char *driver;
	char *uuid;
	struct at_properties properties;
};

/* Everything recorded of one evaluation. A value that is not known is -1 or NAN. */
struct at_evaluation {
	int64_t id; /* in the record; 0 before it was added */
	struct at_hash key;
	int64_t run_id;
	int64_t device_id;
	char *space; /* the name of the space */
	char *problem; /* the name of the problem */
	char *problem_json; /* {"M": 4096, ...} */
	char *configuration; /* JSON object, parameters in the order of the file */
	enum at_outcome outcome;
	char *detail; /* one line: what went wrong; "" when ok */
	char *log; /* the compiler's whole output; NULL where it was not read */
	/* Median of the samples, and its 95 % interval; NAN unless the outcome is
	   ok. */
	double time_ns;
	double low_ns;
	double high_ns;
	size_t sample_count;
	double *samples_ns; /* time of one launch each, in the order taken */
	int64_t launches_per_sample;
	bool raced; /* dropped early, as it could not win: its interval is rough */
	struct at_facts facts;
	/* Work of one launch, as the space's metrics give it for this configuration. */
	double flops;
	double bytes;
	bool is_double; /* its flops are on doubles */
	double max_relative_error;
	int64_t measure_ns; /* wall time of the evaluation */
	int64_t clock_hz; /* of the multiprocessors, right after the samples */
	bool throttled; /* heat or power held the clocks back */
	int64_t created_seconds; /* since 1970 UTC */
	char *board; /* uuid of the board that measured it; "": not known */
	/*
	 * Hash of all that is measured: image, launch, problem and data. Only one of
	 * several evaluations with the same hash goes to the finals. All zero: it was
	 * not compiled, or it comes from a record that did not keep the hash.
	 */
	struct at_hash image;
	/* Hardware counters, a JSON array with an object for each launch of it:
	   {"kernel": "transpose", "gpu__time_duration.sum": 1.9e6, ...}, by the names
	   of device/counters.h, without those that the device lacks. "": not read. */
	char *counters;
};

/* An evaluation of which nothing is known. */
#define AT_EVALUATION_UNKNOWN \
	.time_ns = NAN, .low_ns = NAN, .high_ns = NAN, .launches_per_sample = -1, \
	.facts = AT_FACTS_UNKNOWN, .flops = NAN, .bytes = NAN, \
	.max_relative_error = NAN, .measure_ns = -1, .clock_hz = -1

/* Frees all that it holds and zeroes it, like the other release functions below, all of
   which accept NULL. */
void at_record_device_release(struct at_record_device *self);
void at_evaluation_release(struct at_evaluation *self);
/* Makes *to a copy that shares nothing with *from, without samples and log. What *to
   held before is not released. */
void at_evaluation_copy(const struct at_evaluation *from, struct at_evaluation *to);

/*
 * How this process waits for records that another process has locked. It holds for all
 * stores, also for those that are open already. When the user asks the program to end
 * (base/interrupt.h), waiting stops, and the call that waited fails with
 * AT_EINTERRUPTED.
 */
struct at_patience {
	double seconds; /* of each wait; 0: two minutes; INFINITY: without end */
	/* Gets a line for people after two seconds, and then once a minute; may be
	   NULL. */
	void (*tell)(void *context, const char *text);
	void *context;
};
/* Copied; NULL: the defaults. Not to be called while a store waits. */
void at_store_be_patient(const struct at_patience *patience);

/*
 * Opens or makes <directory>/autotune.db, and the directory. A store of an older
 * version is brought up to date; one of a newer version is refused, with an error that
 * says what to do.
 */
enum at_status at_store_open(
	const char *directory, struct at_store **out, struct at_error *err);
/*
 * The same for one process alone, which keeps all others out until it closes the store.
 * Where another process has the store open, it waits as at_store_be_patient() says,
 * then fails with AT_EIO. No memory is shared with other processes, so the directory
 * may lie on a network file system.
 */
enum at_status at_store_open_alone(
	const char *directory, struct at_store **out, struct at_error *err);
/*
 * The same for reading. Where there is no record: AT_ENOENT, and nothing is made. Where
 * file or directory cannot be written, neither is touched: a record of an older version
 * is brought up to date in a copy in memory. Adding to the store and removing from it
 * then fail.
 */
enum at_status at_store_open_reading(
	const char *directory, struct at_store **out, struct at_error *err);
/*
 * All that is read from now on is the record as it is now, whatever others add, merge
 * or remove meanwhile, until at_store_end_reading() or at_store_close(). Nothing may be
 * written meanwhile. Where others would have to wait for it, as those who write to a
 * record that several machines share, it does nothing.
 */
enum at_status at_store_begin_reading(struct at_store *self, struct at_error *err);
void at_store_end_reading(struct at_store *self);
/* An empty store in memory, gone when it is closed; name stands for its path in
   errors. */
enum at_status at_store_open_memory(
	const char *name, struct at_store **out, struct at_error *err);
/* Closes the store and releases it. self may be NULL. */
void at_store_close(struct at_store *self);
/*
 * The same after a failure: also removes the file if this store made it, nothing was
 * measured in it and no other process has it open, and the folders that were made for
 * it.
 */
void at_store_close_failed(struct at_store *self);
/*
 * To be called before a store is closed that had runs. If another program removed,
 * replaced or overwrote the record under a run, writes what the store's runs measured
 * to a record of its own: in a new folder beside the folder of results, or in the
 * current folder, or in that of temporary files. Then AT_EIO, with a line that says how
 * to import it; the store must only be closed. AT_OK: what was measured is in the
 * record.
 */
enum at_status at_store_save_lost(struct at_store *self, struct at_error *err);

/*
 * Finds the device (space/device_key.h) or adds it, and updates its driver and
 * properties; *id: its row. If another device has its slug already, that one keeps the
 * slug, and this device gets a slug that tells the two apart: at_store_get_device()
 * gives it.
 */
enum at_status at_store_put_device(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err);
/* Finds the device without writing; *id is 0 where it is not recorded. */
enum at_status at_store_match_device(struct at_store *self,
	const struct at_record_device *device, int64_t *id, struct at_error *err);
/* Finds a device by slug and kind alone; *id is 0 where it is not recorded. */
enum at_status at_store_find_device(struct at_store *self, const char *slug,
	const char *kind, int64_t *id, struct at_error *err);
/* The ids of all devices, in ascending order; the caller frees *out. */
enum at_status at_store_devices(
	struct at_store *self, int64_t **out, size_t *count, struct at_error *err);
/* Reads a device; the caller releases *out. AT_ENOENT: none exists with this id. */
enum at_status at_store_get_device(struct at_store *self, int64_t id,
	struct at_record_device *out, struct at_error *err);

/* Begins a run, which is one call of tune on one space and device; kept as history. */
enum at_status at_store_begin_run(struct at_store *self, int64_t device_id,
	const char *space, const char *strategy, uint64_t seed, const char *version,
	int64_t *id, struct at_error *err);
/* The same on a device that is found or added first, in one step: `forget` may have
   removed what at_store_put_device() recorded before, and another device may have its
   number. */
enum at_status at_store_begin_run_on(struct at_store *self,
	const struct at_record_device *device, const char *space, const char *strategy,
	uint64_t seed, const char *version, int64_t *device_id, int64_t *id,
	struct at_error *err);
/* Ends a run; ending: how it ended, in a word. Also makes all that was added safe from
   a power cut. */
enum at_status at_store_end_run(
	struct at_store *self, int64_t id, const char *ending, struct at_error *err);

/* What the evaluation achieved by an objective; unknown unless its outcome is ok. Times
   are kept of every evaluation, whatever it was tuned for. */
struct at_score at_evaluation_score(
	const struct at_evaluation *self, const struct at_objective *objective);

/*
 * Adds the evaluation with samples and log, and sets its id. Committed when it returns.
 * It is to be the newest of its key: where a clock was set back, its created_seconds is
 * raised to that of the newest one so far.
 */
enum at_status at_store_add(
	struct at_store *self, struct at_evaluation *evaluation, struct at_error *err);

/* The newest evaluation with this key; *found says whether there is one. with_samples:
   also read samples and log (else 0 and NULL). The caller releases *out. */
enum at_status at_store_find(struct at_store *self, struct at_hash key,
	bool with_samples, struct at_evaluation *out, bool *found,
	struct at_error *err);
/* Sets the counters of an evaluation. */
enum at_status at_store_set_counters(
	struct at_store *self, int64_t id, const char *counters, struct at_error *err);
/* The evaluation with this id. AT_ENOENT: none exists, or its row makes no sense. */
enum at_status at_store_get(struct at_store *self, int64_t id, bool with_samples,
	struct at_evaluation *out, struct at_error *err);

/*
 * Lists evaluations without samples and logs, the newest of each key in its space,
 * problem and device, best first (those that are ok by time, then the others). space,
 * slug (of the device) and problem: NULL for all; limit: 0 for all. visit() borrows the
 * evaluation, and ends the walk by returning anything but AT_OK.
 */
enum at_status at_store_list(struct at_store *self, const char *space, const char *slug,
	const char *problem, size_t limit,
	enum at_status (*visit)(void *context, const struct at_evaluation *evaluation),
	void *context, struct at_error *err);

/* The winner of a space and problem on a device model. */
struct at_winner {
	int64_t device_id;
	char *space;
	char *problem;
	int64_t evaluation_id;
	int64_t baseline_id; /* 0: the baseline was not ok or none exists */
	/* the winner was chosen from these, of all outcomes */
	int64_t evaluation_count;
	int64_t ok_count; /* of these, those that were ok */
	const struct at_objective *objective; /* by which it won; never NULL */
	/* Of the finals where there were any, else of the evaluation. */
	struct at_score score;
	/*
	 * at_objective_gain() of winner over baseline in the same finals, with its 95 %
	 * interval, and the interval of the baseline's value. NAN where not known; an
	 * interval may also be 0 then. Where the baseline is the winner, the speed-up
	 * is 1 throughout.
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
	 * "graph_ns", "empty_graph_ns", "graph_off" (record/result.h says what they
	 * are), null where not known; "" where there were no finals.
	 */
	char *measurement;
	char *toolchain; /* "NVRTC 13.0" */
	char *driver;
	/* hex; hash of template, options and problem that it was tuned from */
	char *source_hash;
	char *metrics; /* JSON: {"flops": .., "bytes": ..} of one launch; "{}" */
	char *launch; /* JSON: {"block": [..], "grid": [..], "shared_bytes": n} */
	char *options; /* JSON array of the compiler options */
	/*
	 * Which parameter mattered (search/ablation.h): a JSON array of {"to": {"TILE":
	 * 32}, "from": {"TILE": 16}, KEY: what is achieved after this step, "share": of
	 * the gain}, in the order of the path; KEY is the objective's. "": it was not
	 * looked into.
	 */
	char *gains;
	/*
	 * Selected without finals and verification, by an interrupted run, or withdrawn
	 * since (record/verification.h). No header has it, and the first verified
	 * winner replaces it.
	 */
	bool is_unverified;
	/* What it was checked by (record/verification.h). "": verified by an older
	   version, which did not keep that, or not verified. */
	char *verification;
	/*
	 * "3/8": it won in this part of the space only, and meets the winners of the
	 * other parts in the next run on the whole space; "": it won in the whole
	 * space.
	 */
	char *part;
	/* Which measurements took part in the last finals that it won, one word each
	   (session/candidates.h); "": not known. */
	char *met;
	/*
	 * 0: it is a winner. Else it serves its problem in this portfolio, and the loss
	 * is how far it is behind the winner in the same finals (0.05: it takes 5 %
	 * longer), with its 95 % interval; 0 throughout where it is the winner itself.
	 */
	int64_t portfolio_id;
	int64_t member; /* the number of its configuration in the portfolio */
	double loss;
	double loss_low;
	double loss_high;
	int64_t created_seconds; /* since 1970 UTC */
	/* when it last won finals again; 0: not since it was selected */
	int64_t stood_seconds;
};
void at_winner_release(struct at_winner *self);
/* The winner's time of the finals where time was the objective, else the evaluation's
   (winner may be NULL: NAN). */
double at_winner_time_ns(
	const struct at_winner *self, const struct at_evaluation *winner);
/*
 * What the baseline achieved in the winner's finals: the value from which the winner's
 * value gives exactly the recorded speed-up. Other measurements of the baseline do not
 * count. NAN where not known.
 */
struct at_score at_winner_baseline(const struct at_winner *self);
/* The speed-up with its interval, NAN where not known. */
struct at_score at_winner_speedup(const struct at_winner *self);
/* As at_evaluation_copy(). */
void at_winner_copy(const struct at_winner *from, struct at_winner *to);

/*
 * The newest row of a device, space and problem (NULL: all) is found by time, in result
 * files too. So where a clock was set back, this raises *seconds, the time of a winner,
 * portfolio or night that is to be recorded, to the latest time recorded so far.
 * by_date: not to a time that is in the future of *seconds, which is now. For winners:
 * the order of those that are recorded is known without, and result files and headers
 * would be dated years ahead.
 */
enum at_status at_store_follow(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, bool by_date, int64_t *seconds,
	struct at_error *err);

/* Adds a winner, which replaces that of (device, space, problem); older ones stay as
   history. An unverified winner does not replace a verified one: then nothing is done.
   A baseline that was removed meanwhile is left out. */
enum at_status at_store_put_winner(
	struct at_store *self, const struct at_winner *best, struct at_error *err);
/* The standing winners of a space (NULL: all) on a device (0: all), by device, space
   and problem: at_store_free_winners(). */
enum at_status at_store_winners(struct at_store *self, const char *space,
	int64_t device_id, struct at_winner **out, size_t *count, struct at_error *err);
/* The winner of one problem; *found false, and *out zeroed, if none is recorded. */
enum at_status at_store_find_winner(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, struct at_winner *out, bool *found,
	struct at_error *err);
void at_store_free_winners(struct at_winner *winners, size_t count);
/*
 * Sets the gains of this winner: of the newest winner of its evaluation on its device,
 * space and problem, even if another evaluation has won there since. AT_ENOENT: none
 * exists.
 */
enum at_status at_store_set_gains(struct at_store *self, const struct at_winner *best,
	const char *gains, struct at_error *err);
/* Sets the verification of this winner, as a night has added to it. AT_ENOENT as above.
 */
enum at_status at_store_set_verification(struct at_store *self,
	const struct at_winner *best, const char *verification, struct at_error *err);
/* Records that the same winner won again, against `met`, at `seconds`; nothing else of
   it changes. AT_ENOENT as above. */
enum at_status at_store_set_stood(struct at_store *self, const struct at_winner *best,
	int64_t seconds, const char *met, struct at_error *err);
/*
 * Withdraws all winners of this winner's evaluation on its device, space and problem,
 * since their verification turned out to be wrong; why: the reason, in a line. They
 * become unverified, so that no header has them. AT_ENOENT as above.
 */
enum at_status at_store_withdraw(struct at_store *self, const struct at_winner *best,
	const char *why, struct at_error *err);

/* The few configurations that serve all problems of a space on a device model. */
struct at_portfolio {
	int64_t id; /* 0 before it is added */
	int64_t device_id;
	char *space;
	double loss_limit; /* the largest loss that was allowed; INFINITY: any */
	int64_t most; /* the most members that were allowed; 0: any number */
	size_t count; /* of problems */
	/* which configuration serves each problem, by problem; several may be the
	   same */
	struct at_winner *members;
	int64_t created_seconds; /* since 1970 UTC */
};
void at_portfolio_release(struct at_portfolio *self);
/* The number of distinct configurations in it. */
size_t at_portfolio_size(const struct at_portfolio *self);
/* The largest loss of a member; NAN where a loss is not known. */
double at_portfolio_worst(const struct at_portfolio *self);
/* Adds a portfolio with its members in one transaction, and sets id. Older ones stay as
   history. */
enum at_status at_store_put_portfolio(
	struct at_store *self, struct at_portfolio *portfolio, struct at_error *err);
/* The newest one; if none exists, *found is false and *out is zeroed. */
enum at_status at_store_get_portfolio(struct at_store *self, int64_t device_id,
	const char *space, struct at_portfolio *out, bool *found, struct at_error *err);

/* What a device model can do at best, as `autotune devices` measured it. */
struct at_record_ceilings {
	int64_t device_id; /* set when they are read */
	struct at_ceilings ceilings;
	char *driver;
	int64_t created_seconds; /* since 1970 UTC */
};
void at_record_ceilings_release(struct at_record_ceilings *self);
/* Adds them; older ones stay as history. */
enum at_status at_store_put_ceilings(struct at_store *self, int64_t device_id,
	const struct at_record_ceilings *ceilings, struct at_error *err);
/* The same of a device that is found or added first, in one step, as by
   at_store_begin_run_on(). */
enum at_status at_store_put_ceilings_on(struct at_store *self,
	const struct at_record_device *device,
	const struct at_record_ceilings *ceilings, struct at_error *err);
/* The newest ones; if none exist, *found is false and *out is zeroed. */
enum at_status at_store_get_ceilings(struct at_store *self, int64_t device_id,
	struct at_record_ceilings *out, bool *found, struct at_error *err);

#endif
