/*
 * A night while it runs: what the files of `autotune nightly` share. nightly.c begins
 * and ends it, nightly_devices.c opens its devices, nightly_revisit.c has winners
 * measured again, nightly_search.c searches in the time that is left; nightly_session.c
 * has what all of them use. Threads: one.
 */
#ifndef AT_CLI_NIGHTLY_PARTS_H
#define AT_CLI_NIGHTLY_PARTS_H

#include "cli/cli.h"
#include "cli/nightly_report.h"

#include "session/session.h"

struct at_device_list;
struct at_loop;

/* A night; it owns what it points to, except arguments. */
struct night {
	const struct at_cli_arguments *arguments;
	struct at_session_options options; /* shared by all sessions */
	bool is_json;
	bool is_quiet;
	struct at_spec **spaces; /* an item is NULL where the space cannot be read */
	size_t space_count;
	struct at_night_report report;
	struct at_loop *loop; /* receives signals between sessions */
	bool is_interrupted;
	uint64_t start_ns; /* when the budget began, after waiting for locks */
	/* Seconds by which the virtual time of recordings exceeds the real time that
	   they took. */
	double virtual_seconds;
	/* Of the session that is running: its device and space, and the seconds that it
	   has taken by its evaluator's clock. */
	size_t device;
	size_t space;
	double session_seconds;
	uint64_t session_begun_ns;
};

/* ---- nightly_session.c */

/* Seconds of the budget that are spent. */
double night_spent(const struct night *self);
/* Seconds of the budget that are left; negative when it is exceeded. */
double night_left(const struct night *self);
/* Whether a signal has asked for the end; checks for one first. */
bool night_is_interrupted(struct night *self);
/* Prints a line and adds it to the report's failures, unless it is there already. */
void night_fail(struct night *self, const char *line);
/* The same with an error as the line. */
void night_fail_with(struct night *self, const struct at_error *err);
/* The index of a case; SIZE_MAX: there is none. */
size_t night_find_case(
	const struct night *self, size_t space, const char *problem, size_t device);
/* Replaces a text of the report by a copy of `with`; keeps the old one where memory ran
   out. */
void night_replace(char **text, const char *with);
/* Prints the result of a case's revisit. */
void night_tell_case(struct night *self, const struct at_night_case *one);
/*
 * Runs one session with one space. options: the caller has set what is particular to
 * the session. device: the index to which its events belong. AT_EINTERRUPTED: a signal
 * came.
 */
enum at_status night_run_session(struct night *self, size_t space, size_t device,
	struct at_session_options *options, struct at_error *err);
/* Counts the failures of a device after a session; after two in a row that are the
   device's fault it is left out. */
void night_judge_device(struct night *self, size_t device, const struct at_error *err);

/* ---- nightly_devices.c */

/* Opens the devices of the list; every device there is where the list is empty. */
enum at_status night_open_devices(
	struct night *self, const struct at_device_list *list, struct at_error *err);
/*
 * Takes the lock that keeps another nightly from using the same folder and board,
 * waiting at most so many seconds; 0: not at all. Without the lock the device is left
 * out.
 */
void night_take_lock(struct night *self, size_t index, double seconds);
/* "replay:FILE" without the options that select from the file; heap. */
char *night_recording_id(const char *name);

/* ---- nightly_revisit.c, nightly_search.c */

/* Measures all recorded winners again, on each device. */
void night_revisit(struct night *self);
/* Searches in the time that is left. */
void night_search(struct night *self);

#endif
