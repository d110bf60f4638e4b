/*
 * One session: tunes every problem of every space on every model of device, one tuning
 * (session/tuning.h) for each pair of problem and device. The session never creates a
 * CUDA context and never compiles: worker processes, which it starts from its own
 * executable (evaluator/workers/), do both.
 *
 * The session prints nothing. It tells a listener what happens, one event at a time.
 * Must not know: terminals, SQL.
 * Threads: one session at a time in a process, on one thread.
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

/* What an event tells; the comments name the members of struct at_event that matter. */
enum at_event_kind {
	AT_EVENT_NONE = 0,
	AT_EVENT_BEGIN, /* a problem on a device begins */
	AT_EVENT_EVALUATION, /* an outcome is recorded, or was found in the record */
	AT_EVENT_INCUMBENT, /* the evaluation just told is the best so far */
	/* text: the phase that begins: "finals", "verifying the winner" */
	AT_EVENT_PHASE,
	/* text: what the tuning waits for; "": it waits for nothing any more */
	AT_EVENT_STATE,
	AT_EVENT_NOTE, /* text: a remark for the user */
	AT_EVENT_SUMMARY, /* a problem on a device has ended */
	/* In a session that revisits this stands in place of the summary: what the
	   recorded winner is worth now. Where nothing was measured, revisit is NULL and
	   text says why. */
	AT_EVENT_REVISIT,
	AT_EVENT_PORTFOLIO, /* the portfolio has been chosen and recorded */
	/* In a session that explains this stands in place of the summary: evaluation
	   and baseline have counters. Where nothing was read, evaluation is NULL and
	   text says why. */
	AT_EVENT_COUNTERS,
};

/* Progress of one problem on one device so far. */
struct at_progress {
	uint64_t valid_count; /* size of the search space */
	/* evaluations after which the search ends; 0: not known */
	uint64_t target_evaluations;
	double target_seconds; /* time budget; 0: none */
	double elapsed_seconds;
	/* elapsed when the search was told of its first evaluation, and of its last;
	   0: of none yet */
	double first_seconds;
	double last_seconds;
	uint64_t evaluated; /* evaluations of any outcome, reused ones included */
	uint64_t reused; /* evaluations taken from the record instead of measured */
	uint64_t by_outcome[AT_OUTCOME_COUNT];
	/* Configurations that racing would have dropped early, but that were measured
	   in full to see how often racing is wrong; and how many of them are good
	   enough for the finals. */
	uint64_t audited;
	uint64_t audited_finalists;
	uint64_t compiling; /* configurations being compiled now */
	uint64_t waiting; /* configurations that are compiled and not measured yet */
};

/* All pointers are borrowed for the length of the call; a pointer is NULL where it has
   no meaning for the kind of event. */
struct at_event {
	enum at_event_kind kind;
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_device_info *device;
	const struct at_progress *progress;
	const char *text;
	const uint16_t *configuration; /* EVALUATION, INCUMBENT, SUMMARY */
	const struct at_evaluation *evaluation; /* EVALUATION, INCUMBENT, SUMMARY */
	bool reused; /* the evaluation came from the record */
	/* The best evaluation so far, its configuration, and the baseline's evaluation;
	   NULL until there is one. */
	const struct at_evaluation *incumbent;
	const uint16_t *incumbent_configuration;
	const struct at_evaluation *baseline;
	/* SUMMARY: the winner as recorded, and the header's path; NULL when no
	   configuration passed or nothing could be written */
	const struct at_winner *best;
	const char *header_path;
	/* REVISIT: tonight's result; winner is then the recorded winner, NULL: there is
	   none */
	const struct at_revisit *revisit;
	const struct at_judgement *judgement; /* NULL unless the winner was correct */
	/* conditions that differ from the last night's, as text; "": none */
	const char *changes;
	/* PORTFOLIO: `configuration` then has the configurations of all members, one
	   after the other. */
	const struct at_portfolio *portfolio;
	double flops; /* floating point operations of one launch; 0: not given */
	double bytes; /* bytes moved by one launch; 0: not given */
	/* measured limits of the device; NULL: not measured */
	const struct at_ceilings *ceilings;
};

/* Which configurations run under compute-sanitizer, where it is installed. */
enum at_sanitize {
	AT_SANITIZE_WINNER = 0, /* the winner, if the budget leaves time */
	/* the winner and all other finalists, whatever time it takes */
	AT_SANITIZE_PODIUM,
	AT_SANITIZE_NEVER,
};

/* What a session is to do. All pointers are borrowed for the length of
   at_session_run(); a zeroed member has the meaning given for 0 or NULL. */
struct at_session_options {
	/* program that workers are started from; NULL: this one */
	const char *executable;
	const char *results; /* folder of the record, result files and headers */
	const char *const *devices; /* for at_device_resolve(): "cuda:0", "cuda:all" */
	/* 0: all devices of the preferred kinds; if none exist, the fallback
	   device, with a note. */
	size_t device_count;
	const char *strategy; /* NULL: the space's, else "auto" */
	const char *budget; /* NULL: the space's, else none */
	/* Time for each device, for all problems of all spaces together
	   (session/allot.h); 0: only the budget of each problem limits the time. */
	double total_seconds;
	/* Names of problems that every space has; count 0: all problems. */
	const char *const *problems;
	size_t problem_count;
	const char *const *sets; /* "PARAM=VALUE[,VALUE]" */
	size_t set_count;
	/* Configurations to try first (session/seeds.h), and the file that they are
	   from; NULL: none. */
	const char *seeds;
	const char *seeds_path;
	uint64_t seed;
	unsigned jobs; /* number of compile workers; 0: one for each core */
	bool fresh; /* measure again instead of reusing recorded evaluations */
	bool keeps_going; /* search also where the baseline is wrong */
	bool with_unverified; /* headers also list winners that are not verified */
	/*
	 * The recorded winner and its files stay as they are unless the finals show
	 * that another configuration is better by more than noise and by more than this
	 * margin (0.01: 1 %).
	 */
	bool keeps_winner;
	double margin;
	/* Do not search: measure the recorded winners again (session/revisit.h). */
	bool revisits;
	/* The number of the night, from which revisits draw the cases that only this
	   night verifies winners on: the days since 1970; 0: none are drawn. */
	uint64_t night;
	/*
	 * Do not search: read the hardware counters (session/counters.h) of the
	 * recorded winners (""), or of the baseline with other values, as in "TILE_M=8
	 * VECTOR=4"; NULL: search.
	 */
	const char *explained;
	enum at_sanitize sanitize;
	bool thorough; /* winners are verified on all cases, whatever the budget */
	/*
	 * Longest wait, each time, for another process: one that uses the device, one
	 * that holds the record locked, one that measures a configuration this session
	 * needs. 0: wait for the device without limit, for the others a minute or two.
	 */
	double wait_seconds;
	/*
	 * The share of the work that this process does; a zeroed share is all of it.
	 * The record of a share is a folder of its own below `results`
	 * (session/assignment.h). A share writes neither result files nor headers
	 * there: they are written from the merged records.
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
	/* Hears every event, on the session's thread; may be NULL. */
	void (*listen)(void *context, const struct at_event *event);
	/* Called a few times a second while something runs; may be NULL. */
	void (*tick)(void *context);
	void *context;
};

struct at_revisit;
struct at_judgement;

/* What a session did, all problems and devices together. */
struct at_session_summary {
	uint64_t evaluated;
	uint64_t reused; /* of these, taken from the record */
	unsigned selected; /* problems with a winner */
	unsigned unselected; /* problems for which no configuration passed */
	/* a signal ended the session; its measurements are recorded */
	bool interrupted;
	/* Processor time of this process, the coordinator, which neither compiles nor
	   measures. */
	double overhead_seconds;
	double elapsed_seconds;
};

/*
 * Tunes every space on every device. The specs are borrowed and hold the whole space:
 * --set is applied to copies of them. Errors in any of the specs (a space that cannot
 * be tuned, a --set that names an unknown parameter, a missing template) are returned
 * before anything is started. An error that appears while one space is tuned ends the
 * session; the results of the spaces before it are recorded and written.
 *
 * *summary is filled in every case. Call it from one thread, one session at a time.
 */
enum at_status at_session_run(const struct at_spec *const *spaces, size_t space_count,
	const struct at_session_options *options, struct at_session_summary *summary,
	struct at_error *err);

/* Fills *out with what the record keeps of a device. *out is the caller's:
   at_record_device_release(). */
void at_session_record_device(
	const struct at_device_info *info, struct at_record_device *out);
/*
 * Whether two boards count as one device (space/device_key.h) with one driver, so that
 * one search may use both.
 */
bool at_session_shares_results(
	const struct at_device_info *a, const struct at_device_info *b);

#endif
