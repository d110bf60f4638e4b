/*
 * One tuning run: every problem of every space on every model of device, a session/
 * tuning each. It never creates a CUDA context and never compiles: both happen in
 * worker processes that it starts from its own executable (evaluator/workers/).
 *
 * It prints nothing: what happens is told to a listener, one event at a time.
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

enum at_event_kind {
	AT_EVENT_NONE = 0,
	AT_EVENT_BEGIN, /* a problem on a device begins */
	AT_EVENT_EVALUATION, /* an outcome is recorded, or was found in the record */
	AT_EVENT_INCUMBENT, /* the evaluation just told is the best so far */
	AT_EVENT_PHASE, /* text: what is being done now: "finals", "verifying" */
	AT_EVENT_STATE, /* text: what is waited for; "": nothing any more */
	AT_EVENT_NOTE, /* text: something a person should know */
	AT_EVENT_SUMMARY, /* a problem on a device has ended */
	/* of a session that revisits, in place of a summary: what a winner is worth
	   now; text: why nothing was measured, then revisit is NULL */
	AT_EVENT_REVISIT,
	AT_EVENT_PORTFOLIO, /* the few that serve all problems are known, and recorded
			     */
};

/* Counts of the problem on the device, so far. */
struct at_progress {
	uint64_t valid_count; /* size of the search space */
	uint64_t target_evaluations; /* most that will be evaluated; 0: not known */
	double target_seconds; /* time budget; 0: none */
	double elapsed_seconds;
	uint64_t evaluated; /* all outcomes, reused ones included */
	uint64_t reused;
	uint64_t by_outcome[AT_OUTCOME_COUNT];
	/* that racing would have dropped, but were measured in full to see what it
	   costs; and how many of them are good enough for the finals */
	uint64_t audited;
	uint64_t audited_finalists;
	uint64_t compiling; /* right now */
	uint64_t waiting; /* compiled, not yet measured */
};

/* All pointers are borrowed for the length of the call; NULL where of no meaning. */
struct at_event {
	enum at_event_kind kind;
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct at_device_info *device;
	const struct at_progress *progress;
	const struct at_objective *objective; /* never NULL */
	const char *text;
	const uint16_t *configuration; /* EVALUATION, INCUMBENT, SUMMARY */
	const struct at_evaluation *evaluation; /* EVALUATION, INCUMBENT, SUMMARY */
	bool reused;
	/* the best and the baseline so far; NULL before there is one */
	const struct at_evaluation *incumbent;
	const uint16_t *incumbent_configuration;
	const struct at_evaluation *baseline;
	/* SUMMARY: the crown as recorded, and the header's path; NULL when no
	   configuration passed or nothing could be written */
	const struct at_crown *crown;
	const char *header_path;
	/* REVISIT; crown is the recorded one, NULL: nobody is crowned */
	const struct at_revisit *revisit;
	const struct at_judgement *judgement; /* NULL unless it was correct */
	const char *changes; /* of the conditions since the last time; "" */
	/* PORTFOLIO: and `configuration` has its members', one after the other */
	const struct at_portfolio *portfolio;
	double flops; /* of one launch; 0: not given */
	double bytes;
	const struct at_ceilings *ceilings; /* of the device; NULL: not measured */
};

/* Whom compute-sanitizer looks at, where it is installed. */
enum at_sanitize {
	AT_SANITIZE_WINNER = 0, /* as far as the budget has time for it */
	AT_SANITIZE_PODIUM, /* the winner and all others that had finals, without limit
			     */
	AT_SANITIZE_NEVER,
};

struct at_session_options {
	const char *executable; /* to start workers from; NULL: this executable */
	const char *results; /* directory */
	const char *const *devices; /* for at_device_resolve(): "cuda:0", "cuda:all" */
	/* 0: every device of the preferred kinds, else the fallback with a note */
	size_t device_count;
	const char *strategy; /* NULL: the space's, else "auto" */
	const char *budget; /* NULL: the space's, else none */
	/* of each device, for all problems of all spaces together (session/turns.h); 0:
	   only the budget counts */
	double total_seconds;
	/* names that every one of the spaces has; count 0: all its problems */
	const char *const *problems;
	size_t problem_count;
	const char *const *sets; /* "PARAM=VALUE[,VALUE]" */
	size_t set_count;
	uint64_t seed;
	unsigned jobs; /* compile workers; 0: one a core */
	bool fresh; /* do not reuse what is recorded */
	bool with_unproved; /* headers have winners that are unproved too */
	/*
	 * The recorded winner stays, and with it its files, until finals show another
	 * one better by more than noise and this margin (0.01: 1 %).
	 */
	bool keeps_winner;
	double margin;
	/* Nothing is searched: recorded winners are measured again (session/revisit.h)
	 */
	bool revisits;
	enum at_sanitize sanitize;
	/*
	 * Others are waited for no longer than this, each time: a program that has the
	 * device, a process that has the record locked, a run that measures what this
	 * one needs. 0: for a device without end, for the rest a minute or two.
	 */
	double wait_seconds;
	/*
	 * What of all this is to be done here. Its record is a folder of its own below
	 * `results` (session/shard.h), in which neither result files nor headers are
	 * written: whoever merges the records writes those.
	 */
	struct at_share share;
	/*
	 * After all problems of a space: the fewest configurations that lose at most
	 * portfolio_limit (0.05: 5 %; INFINITY: any) against each problem's winner, at
	 * most portfolio_size (0: any number) of them.
	 */
	bool wants_portfolio;
	double portfolio_limit;
	unsigned portfolio_size;
	void (*listen)(void *context, const struct at_event *event);
	/* called a few times a second while something runs; may be NULL */
	void (*tick)(void *context);
	void *context;
};

struct at_revisit;
struct at_judgement;

struct at_session_summary {
	uint64_t evaluated;
	uint64_t reused;
	unsigned crowned; /* problems with a winner */
	unsigned uncrowned; /* problems where no configuration passed */
	bool interrupted; /* a signal ended it; what was measured is recorded */
	/* own time of the coordinator, neither compiling nor measuring */
	double overhead_seconds;
	double elapsed_seconds;
};

/*
 * Tunes every space on every device. The specs are borrowed, and whole: --set is
 * applied to copies of them. What is wrong with one of them (it cannot be tuned, a set
 * names what it does not have, its template is not there) is the error before anything
 * is started; what comes up while one is tuned ends the session after the earlier ones
 * were finished.
 */
enum at_status at_session_run(const struct at_spec *const *spaces, size_t space_count,
	const struct at_session_options *options, struct at_session_summary *summary,
	struct at_error *err);

/* What the record keeps of a device. */
enum at_status at_session_record_device(const struct at_device_info *info,
	struct at_record_device *out, struct at_error *err);
/*
 * Whether two boards are one device (space/device_key.h) with one driver, so that a
 * search may have both.
 */
bool at_session_shares_results(
	const struct at_device_info *a, const struct at_device_info *b);

#endif
