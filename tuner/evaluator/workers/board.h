/*
 * A board as the coordinator sees it: the measure worker of one device and its queue of
 * requests. The board sends up to AT_BOARD_DEPTH requests ahead, so that the worker
 * never waits for the coordinator between two requests. A worker that dies, or is
 * killed at a deadline, is replaced by a new one on the same device. The request in
 * work then gets the outcome `crashed` or `timed_out`, unless the machine may be at
 * fault (recovery.h). Requests that were sent but not begun are sent again.
 *
 * Setups (buffers, reference output) stay in the worker while it has room for them.
 * Each request names its setup, and the board sends the setup if the worker lacks it.
 *
 * Answers come from the loop, in the order of the requests. Threads: the loop's.
 */
#ifndef AT_WORKERS_BOARD_H
#define AT_WORKERS_BOARD_H

#include "evaluator/workers/process.h"

struct at_board;

/* An encoded setup. Requests that name it borrow it until they are answered. */
struct at_board_setup {
	struct at_hash id; /* identifies its contents */
	struct at_strbuf body; /* the message: see AT_MESSAGE_SETUP */
	/* the setup's time limit; 0: that of the slowest possible setup */
	double deadline_seconds;
	/* the caller's whole time, which the setup may not exceed; 0: no limit */
	double budget_seconds;
};

/* Makes a board; no process is started yet. device_id: "cuda:0". */
void at_board_new(struct at_loop *loop, const char *device_id, struct at_board **out);
/* Kills the process; no callback follows. */
void at_board_free(struct at_board *self);

/* Called when the device is open. err: NULL on success; info: borrowed from the
   board. */
typedef void (*at_board_opened)(
	void *context, const struct at_device_info *info, const struct at_error *err);
/*
 * Called when a request is done. results: `count` results, borrowed; a receiver that
 * takes a member sets it to NULL. On failure there are no results, and err is one of
 * - AT_EDEVICE, AT_EUNAVAILABLE: the device cannot be used any more
 * - AT_ENOENT: a unit of the request or its setup is no longer in its place
 * - AT_EMACHINE: the machine fails
 * - others: the setup's fault
 */
typedef void (*at_board_measured)(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err);
/* Called when the ceilings are measured; ceilings: borrowed, NULL on failure. */
typedef void (*at_board_ceiled)(
	void *context, const struct at_ceilings *ceilings, const struct at_error *err);

/* Starts the process and opens the device in it. */
void at_board_open(struct at_board *self, at_board_opened done, void *context);
/* Requests finals of several configurations or, with `how` NULL, one evaluation. units:
   the path of the compiled unit (kernel/units.h) for each request. The deadline runs
   only while this run has the board. */
void at_board_measure(struct at_board *self, const struct at_board_setup *setup,
	const struct at_measure_finals *how, const char *const *units,
	const struct at_measure_request *requests, size_t count,
	double deadline_seconds, at_board_measured done, void *context);
/* Measures the device's ceilings; unit: measure/ceilings.cu compiled for it. The worker
   releases all setups. */
void at_board_ceilings(struct at_board *self, const char *unit, double deadline_seconds,
	at_board_ceiled done, void *context);

/* Drops all requests without answers. */
void at_board_cancel(struct at_board *self);
/* The same, and ends the process, so that the device is free. The next request starts a
   new process. */
void at_board_retire(struct at_board *self);

/* Unanswered requests. */
size_t at_board_queued(const struct at_board *self);
/* Requests that keep the worker busy: one in work, one to follow. */
#define AT_BOARD_DEPTH 2

/* The longest setup so far, in seconds; 0 before the first. */
double at_board_setup_seconds(const struct at_board *self);
/* The total nanoseconds that the board has waited for other programs, up to now. */
uint64_t at_board_waited_ns(const struct at_board *self);
/* The duration of the present wait; 0: it is not waiting. */
uint64_t at_board_waiting_ns(const struct at_board *self);
/* The process number of the program it waits for; 0: unknown or not waiting. */
int64_t at_board_waits_for(const struct at_board *self);
/*
 * Sets a function that makes room for a second try. A failure that may be the machine's
 * (recovery.h) is tried again while nothing else runs; if the machine stays unwell, the
 * request ends with AT_EMACHINE. Before the try the board polls is_alone() until it
 * returns true; is_alone() must stop all other work. NULL: nothing else runs.
 */
void at_board_be_alone(
	struct at_board *self, bool (*is_alone)(void *context), void *context);
/* Whether the board is trying something again, or is about to. */
bool at_board_recovers(const struct at_board *self);
/* Writes why nothing can be measured at present, or "". */
void at_board_trouble(const struct at_board *self, char *text, size_t size);
/* A note about the board since its first setup (other users of the board, no lock);
   returned once, "" afterwards. */
const char *at_board_note(struct at_board *self);

#endif
