/*
 * A night in work: what its parts share. cli/nightly.c begins and ends it,
 * nightly_revisit.c has winners measured again, nightly_search.c spends what is left;
 * both stand on nightly_session.c.
 * Threads: one.
 */
#ifndef AT_CLI_NIGHTLY_PARTS_H
#define AT_CLI_NIGHTLY_PARTS_H

#include "cli/cli.h"
#include "cli/nightly_report.h"

#include "evaluator/workers/lock.h"
#include "session/allot.h"
#include "session/session.h"

struct at_device_list;
struct at_loop;

/* One of the report's devices. */
struct night_device {
	const char *name; /* as a session takes it: "cuda:0", "replay:FILE" */
	bool is_recording;
	struct at_device_info info; /* kind "": nobody has seen it yet */
	struct at_device_lock lock;
	bool is_left_out; /* nothing more is done on it */
	unsigned failures; /* of it, one after the other */
};

/* One of the report's cases. */
struct night_case {
	size_t space; /* among the night's */
	char *configuration; /* JSON, of the winner that there was; NULL: none */
	enum at_allot_need need;
	double lost;
	uint64_t valid;
	bool is_told; /* something was said of it */
};

struct night {
	const struct at_cli_arguments *arguments;
	struct at_session_options options; /* that all sessions share */
	bool is_json;
	bool is_quiet;
	struct at_spec **spaces; /* NULL: it cannot be read */
	const char **names; /* of the spaces, as they were given */
	size_t space_count;
	struct night_device *devices; /* as many as the report has */
	struct night_case *cases; /* as many, and in the order, of the report's */
	size_t case_capacity;
	struct at_night_report report;
	struct at_loop *loop; /* sees signals between sessions */
	bool is_interrupted;
	uint64_t start_ns;
	/* that recordings took in their own time beyond ours */
	double virtual_seconds;
	/* of the session that runs: its device and space, and what it took so far by
	   the clock of its evaluator */
	size_t device;
	size_t space;
	double session_seconds;
	uint64_t session_begun_ns;
};

/* ---- nightly_session.c */

/* Seconds of the budget that are spent. */
double night_spent(const struct night *self);
double night_left(const struct night *self);
/* Whether a signal came; looks for one. */
bool night_is_interrupted(struct night *self);
/* A line to people, and into the report. */
void night_fail(struct night *self, const char *line);
void night_fail_with(struct night *self, const struct at_error *err);
/* SIZE_MAX: there is none. */
size_t night_find_case(
	const struct night *self, size_t space, const char *problem, size_t device);
/* Another text of the report; it keeps its own where memory ran out. */
void night_replace(char **text, const char *with);
/* What became of its revisit, to people. */
void night_tell_case(const struct night *self, const struct at_night_case *one);
/*
 * One session of one space with `options`, of which the caller has set what is its own;
 * device: whom its events belong to. AT_EINTERRUPTED: a signal came.
 */
enum at_status night_run_session(struct night *self, size_t space, size_t device,
	struct at_session_options *options, struct at_error *err);
/* The device of a session that failed for its sake twice is left out. */
void night_judge_device(struct night *self, size_t device, const struct at_error *err);

/* ---- nightly_devices.c */

/* All that are named; without names all that there are. */
enum at_status night_open_devices(
	struct night *self, const struct at_device_list *list, struct at_error *err);
/* One nightly at a time for a folder and a board. seconds: 0: it does not wait. */
void night_take_lock(struct night *self, size_t index, double seconds);
/* "replay:FILE" without what it says of the night; heap */
char *night_recording_id(const char *name);

/* ---- nightly_revisit.c, nightly_search.c */

/* All winners once more, on each device. */
void night_revisit(struct night *self);
/* Searches for the time that is left. */
void night_search(struct night *self);

#endif
