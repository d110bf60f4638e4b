/*
 * A board as the coordinator sees it: the measure worker of one device, and a queue of
 * requests in front of it. The board sends up to AT_BOARD_DEPTH requests ahead, so that
 * the worker never waits for the coordinator between two of them. A worker that dies,
 * or is killed at a deadline, is replaced by a new one with the same device. The
 * request in work then gets the outcome `crashed` or `timed_out`, unless the machine
 * may be at fault (recovery.h); requests that were sent but not begun are sent
 * again.
 *
 * Setups (buffers, reference output) stay in the worker while it has room for them.
 * Each request names its setup, and the board sends the setup where the worker lacks
 * it.
 *
 * Answers come from the loop, in the order of the requests. Threads: the loop's.
 */
#ifndef AT_WORKERS_BOARD_H
#define AT_WORKERS_BOARD_H

#include "evaluator/workers/process.h"

struct at_board;

/* A setup as it is sent. Requests that name it borrow it until they are answered. */
struct at_board_setup {
	struct at_hash id; /* identifies its contents */
	struct at_strbuf body; /* the message: see AT_MESSAGE_SETUP */
	/* how long it may take; 0: as long as the slowest setup that there may be */
	double deadline_seconds;
	/* the whole time that the caller has, which the setup may not exceed; 0: no
	   such limit */
	double budget_seconds;
};

/* Makes a board; no process is started yet. device_id: "cuda:0". */
void at_board_new(struct at_loop *loop, const char *device_id, struct at_board **out);
/* Kills the process; no callback follows. */
void at_board_free(struct at_board *self);

/* Told when the device is open. err is NULL when it went well; info is borrowed from
   the board. */
typedef void (*at_board_opened)(
	void *context, const struct at_device_info *info, const struct at_error *err);
/*
 * Told when a request is done. results: `count` of them, borrowed; whoever takes
 * something out of them sets it to NULL. On failure there are no results, and err is
 * one of
 * - AT_EDEVICE, AT_EUNAVAILABLE: the device cannot be used any more
 * - AT_ENOENT: a unit, the request's or one of its setup, is no longer where it was
 * - AT_EMACHINE: the machine fails
 * - others: the setup's fault
 */
typedef void (*at_board_measured)(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err);
/* Told when the ceilings are measured; ceilings is borrowed, and NULL on failure. */
typedef void (*at_board_ceiled)(
	void *context, const struct at_ceilings *ceilings, const struct at_error *err);

/* Starts the process and opens the device in it. */
void at_board_open(struct at_board *self, at_board_opened done, void *context);
/*
 * Asks for finals of several configurations, or, with `how` NULL, for one evaluation.
 * units: the paths of the compiled units (kernel/units.h), one for each request. The
 * deadline begins when this run has the board, not while another program has it.
 */
void at_board_measure(struct at_board *self, const struct at_board_setup *setup,
	const struct at_measure_finals *how, const char *const *units,
	const struct at_measure_request *requests, size_t count,
	double deadline_seconds, at_board_measured done, void *context);
/* Measures the device's ceilings; unit: measure/ceilings.cu compiled for it. This
   releases all setups of the worker. */
void at_board_ceilings(struct at_board *self, const char *unit, double deadline_seconds,
	at_board_ceiled done, void *context);

/* Drops all requests; they get no answer. */
void at_board_cancel(struct at_board *self);
/* The same, and ends the process, so that the device is free. The next request starts a
   new one. */
void at_board_retire(struct at_board *self);

/* Requests that are not answered yet. */
size_t at_board_queued(const struct at_board *self);
/* As many requests keep the worker busy: one in work, one that it finds next. */
#define AT_BOARD_DEPTH 2

/* The longest setup so far, in seconds; 0 before the first. */
double at_board_setup_seconds(const struct at_board *self);
/* How long the board has waited for other programs in all, up to now, in
   nanoseconds. */
uint64_t at_board_waited_ns(const struct at_board *self);
/* How long it has been waiting this time; 0: it is not waiting. */
uint64_t at_board_waiting_ns(const struct at_board *self);
/* The process number of the program that it waits for; 0: not known, or it is not
   waiting. */
int64_t at_board_waits_for(const struct at_board *self);
/*
 * Sets who makes room for a second try. A failure that may be the machine's
 * (recovery.h) is tried again while nothing else runs; where the machine stays
 * unwell, the request ends with AT_EMACHINE. Before the try the board asks is_alone()
 * until it returns true; is_alone() must stop all else that runs. NULL: nothing else
 * runs.
 */
void at_board_be_alone(
	struct at_board *self, bool (*is_alone)(void *context), void *context);
/* Whether the board is trying something again, or is about to. */
bool at_board_recovers(const struct at_board *self);
/* Writes why nothing is measured at present; "" where something may be measured. */
void at_board_trouble(const struct at_board *self, char *text, size_t size);
/* What a person should know about the board since its first setup (who else computes on
   it, no lock); told once, "" afterwards. */
const char *at_board_note(struct at_board *self);

#endif
