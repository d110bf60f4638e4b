/*
 * A session: tunes every problem of every space on every model of device, one tuning
 * (session/tuning.h) for each pair of problem and device. The session never creates a
 * CUDA context and never compiles: worker processes, started from its own executable
 * (evaluator/workers/), do both.
 *
 * The session prints nothing: a listener gets one event at a time. Must not know:
 * terminals, SQL. Threads: one session at a time in a process, on one thread.
 */
#ifndef AT_SESSION_SESSION_H
#define AT_SESSION_SESSION_H

#include "base/error.h"
#include "base/outcome.h"
#include "device/device.h"
#include "kernel/roofline.h"
#include "record/store.h"
#include "session/share.h"
#include "space/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of event, with their members of struct at_event. */
enum at_event_kind {
	AT_EVENT_NONE = 0,
	AT_EVENT_BEGIN, /* a problem on a device begins */
	AT_EVENT_EVALUATION, /* an outcome was recorded, or found in the record */
	AT_EVENT_INCUMBENT, /* that evaluation is the best so far */
	/* text: the phase, as "finals", "verifying the winner" */
	AT_EVENT_PHASE,
	/* text: what the tuning waits for; "": it waits no longer */
	AT_EVENT_STATE,
	AT_EVENT_NOTE, /* text: a remark for the user */
	AT_EVENT_SUMMARY, /* a problem on a device has ended */
	/* The summary of a session that revisits: what the recorded winner is worth
	   now. If nothing was measured, revisit is NULL and text is the reason. */
	AT_EVENT_REVISIT,
	AT_EVENT_PORTFOLIO, /* the portfolio has been chosen and recorded */
	/* The summary of a session that explains: evaluation and baseline have
	   counters. If nothing was read, evaluation is NULL and text is the reason. */
	AT_EVENT_COUNTERS,
};

/* Progress of one problem on one device so far. */
struct at_progress {
	uint64_t valid_count; /* size of the search space */
	/* evaluations at which the search ends; 0: not known */
	uint64_t target_evaluations;
	double target_seconds; /* time budget; 0: none */
	double elapsed_seconds;
	/* elapsed at the first and the last evaluation of the search; 0: none yet */
	double first_seconds;
	double last_seconds;
	uint64_t evaluated; /* evaluations of any outcome, reused ones included */
	uint64_t reused; /* evaluations found in the record */
	uint64_t by_outcome[AT_OUTCOME_COUNT];
	/* Configurations that racing would have dropped, but that were measured in full
	   to see how often racing is wrong; and how many of them are good enough for
	   the finals. */
	uint64_t audited;
	uint64_t audited_finalists;
	uint64_t compiling; /* configurations being compiled */
	uint64_t waiting; /* compiled configurations, not measured yet */
};

/* All pointers are borrowed for the call; members without meaning for the kind are
   NULL. */
struct at_event {
	enum at_event_kind kind;
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_device_info *device;
	const struct at_progress *progress;
	const char *text;
	const uint16_t *configuration; /* EVALUATION, INCUMBENT, SUMMARY */
	const struct at_evaluation *evaluation; /* EVALUATION, INCUMBENT, SUMMARY */
	bool reused; /* the evaluation was found in the record */
	/* The best evaluation so far, its configuration, and the baseline's evaluation;
	   NULL until there is one. */
	const struct at_evaluation *incumbent;
	const uint16_t *incumbent_configuration;
	const struct at_evaluation *baseline;
	/* SUMMARY: the recorded winner, and the header's path; NULL if no configuration
	   passed or nothing could be written. REVISIT: the recorded winner; NULL:
	   none */
	const struct at_winner *best;
	const char *header_path;
	/* REVISIT: tonight's result */
	const struct at_revisit *revisit;
	const struct at_judgement *judgement; /* NULL unless the winner was correct */
	/* conditions that differ from the last night's; "": none */
	const char *changes;
	/* PORTFOLIO: `configuration` has the configurations of all members in a row. */
	const struct at_portfolio *portfolio;
	double flops; /* floating point operations of one launch; 0: not given */
	double bytes; /* bytes that one launch moves; 0: not given */
	/* measured limits of the device; NULL: not measured */
	const struct at_ceilings *ceilings;
};

/* Which configurations run under compute-sanitizer, if it is installed. */
enum at_sanitize {
	AT_SANITIZE_WINNER = 0, /* the winner, if the budget leaves time */
	/* the winner and all other finalists, regardless of time */
	AT_SANITIZE_FINALISTS,
	AT_SANITIZE_NEVER,
};

/* What a session does. All pointers are borrowed for at_session_run(); a zeroed member
   means what is said for 0 or NULL. */
struct at_session_options {
	/* program of the workers; NULL: this one */
	const char *executable;
	const char *results; /* folder of the record, result files and headers */
	const char *const *devices; /* for at_device_resolve(): "cuda:0", "cuda:all" */
	/* 0: all devices of the preferred kinds; without any, the fallback device and a
	   note. */
	size_t device_count;
	const char *strategy; /* NULL: the space's, else "auto" */
	const char *budget; /* NULL: the space's, else none */
	/* Time for each device, for all problems of all spaces (session/allot.h); 0:
	   only each problem's budget limits the time. */
	double total_seconds;
	/* Names of problems, known to every space; count 0: all problems. */
	const char *const *problems;
	size_t problem_count;
	const char *const *sets; /* "PARAM=VALUE[,VALUE]" */
	size_t set_count;
	/* Text of configurations to try first (session/seeds.h), and its file; NULL:
	   none. */
	const char *seeds;
	const char *seeds_path;
	uint64_t seed;
	unsigned jobs; /* number of compile workers; 0: one for each core */
	bool fresh; /* measure again instead of reusing recorded evaluations */
	bool keeps_going; /* search even if the baseline is wrong */
	bool with_unverified; /* headers also list unverified winners */
	/* The recorded winner and its files stay unless the finals show that another
	   configuration is better, significantly and by more than this margin (0.01: 1
	   %). */
	bool keeps_winner;
	double margin;
	/* Do not search: measure the recorded winners again (session/revisit.h). */
	bool revisits;
	/* The number of the night, from which revisits draw cases for this night alone:
	   days since 1970; 0: draw none. */
	uint64_t night;
	/* Do not search: read the hardware counters (session/counters.h) of the
	   recorded winners (""), or of the baseline with these values, "TILE_M=8
	   VECTOR=4"; NULL: search. */
	const char *explained;
	enum at_sanitize sanitize;
	bool thorough; /* verify winners on all cases, regardless of the budget */
	/* Longest single wait for another process that uses the device, locks the
	   record, or measures a configuration that this session needs. 0: no limit for
	   the device, a minute or two for the others. */
	double wait_seconds;
	/*
	 * This process's share of the work; zeroed: all of it. A share has its own
	 * folder for the record below `results` (session/assignment.h), and writes
	 * neither result files nor headers: they are written from the merged records.
	 */
	struct at_share share;
	/*
	 * After the last problem of a space, choose a portfolio: the fewest
	 * configurations, at most portfolio_size (0: no limit), with which each problem
	 * loses at most portfolio_limit (0.05: 5 %; INFINITY: no limit) against its own
	 * winner.
	 */
	bool wants_portfolio;
	double portfolio_limit;
	unsigned portfolio_size;
	/* Receives every event, on the session's thread; may be NULL. */
	void (*listen)(void *context, const struct at_event *event);
	/* Called a few times a second while something runs; may be NULL. */
	void (*tick)(void *context);
	void *context;
};

struct at_revisit;
struct at_judgement;

/* What a session did, in total. */
struct at_session_summary {
	uint64_t evaluated;
	uint64_t reused; /* of these, found in the record */
	unsigned selected; /* problems with a winner */
	unsigned unselected; /* problems without a correct configuration */
	/* a signal ended the session; its measurements are recorded */
	bool interrupted;
	/* Processor time of the coordinator, which neither compiles nor measures. */
	double overhead_seconds;
	double elapsed_seconds;
};

/*
 * Tunes every space on every device. The specs are borrowed and hold the whole space:
 * --set applies to copies. Errors of any spec (a space that cannot be tuned, an unknown
 * parameter in --set, a missing template) are returned before anything starts. A later
 * error ends the session; results of earlier spaces are recorded and written.
 *
 * *summary is filled in every case. Call it from one thread, one session at a time.
 */
enum at_status at_session_run(const struct at_spec *const *spaces, size_t space_count,
	const struct at_session_options *options, struct at_session_summary *summary,
	struct at_error *err);

/* Fills *out for the record. *out is the caller's: at_record_device_release(). */
void at_session_record_device(
	const struct at_device_info *info, struct at_record_device *out);
/* Whether two boards are one device (space/device_key.h) with one driver, so that one
   search may use both. */
bool at_session_shares_results(
	const struct at_device_info *a, const struct at_device_info *b);

#endif
