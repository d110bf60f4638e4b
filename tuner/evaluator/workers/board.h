/*
 * A board as the coordinator sees it: the measure worker of one device, and a queue in
 * front of it. So much of the queue is already at the worker that it never waits for
 * the coordinator between two requests. A worker that dies or is killed at a deadline
 * is replaced by a new one with the same device; what it was doing becomes an outcome,
 * unless the machine may have failed and not it; what only lay there is sent again.
 *
 * Setups (buffers, reference output) stay in the worker while it has room for them;
 * each request names its own, and the board sends it where the worker lacks it.
 *
 * Answers come from the loop, in the order of the requests. Threads: the loop's.
 */
#ifndef AT_WORKERS_BOARD_H
#define AT_WORKERS_BOARD_H

#include "evaluator/workers/process.h"

struct at_board;

/* A setup as it is sent. Borrowed by the requests that name it until they are
   answered. */
struct at_board_setup {
	struct at_hash id; /* of its contents */
	struct at_strbuf body; /* see AT_MESSAGE_SETUP */
	/* how long it may take; 0: as long as any that a space asks for */
	double deadline_seconds;
	/* of whoever waits for it, and it may take no longer; 0: nobody has any */
	double budget_seconds;
};

enum at_status at_board_new(struct at_loop *loop, const char *device_id,
	struct at_board **out, struct at_error *err);
/* No callback follows; the process is killed. */
void at_board_free(struct at_board *self);

/* err is NULL when it went well; info is borrowed from the board. */
typedef void (*at_board_opened)(
	void *context, const struct at_device_info *info, const struct at_error *err);
/*
 * results: borrowed, `count` of them; what is taken out must be set to NULL. err: there
 * are none. AT_EDEVICE, AT_EUNAVAILABLE: the device cannot be used any more.
 * AT_ENOENT: a unit, the request's or one of its setup, is no longer where it was.
 * AT_EMACHINE: the machine fails. Others: the setup's fault.
 */
typedef void (*at_board_measured)(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err);
/* ceilings: borrowed; NULL when there is an err. */
typedef void (*at_board_ceiled)(
	void *context, const struct at_ceilings *ceilings, const struct at_error *err);

void at_board_open(struct at_board *self, at_board_opened done, void *context);
/*
 * units: paths of compiled units (kernel/units.h), one a request. Deadlines begin when
 * the board is ours, not while another program has it.
 */
enum at_status at_board_evaluate(struct at_board *self,
	const struct at_board_setup *setup, const char *unit,
	const struct at_measure_request *request, double deadline_seconds,
	at_board_measured done, void *context, struct at_error *err);
enum at_status at_board_finals(struct at_board *self,
	const struct at_board_setup *setup, const char *const *units,
	const struct at_measure_request *requests, size_t count,
	const struct at_measure_finals *how, double deadline_seconds,
	at_board_measured done, void *context, struct at_error *err);
/* What the device does at best; unit: measure/ceilings.cu compiled for it. Ends all
   setups of the worker. */
enum at_status at_board_ceilings(struct at_board *self, const char *unit,
	double deadline_seconds, at_board_ceiled done, void *context,
	struct at_error *err);

/* Calls off all that was asked for; no callback comes. */
void at_board_cancel(struct at_board *self);
/* And ends the process, so that the device is free: the next request starts another. */
void at_board_retire(struct at_board *self);

/* Requests that were not answered yet. */
size_t at_board_queued(const struct at_board *self);
/* So many keep it busy: one in work, one at hand. */
#define AT_BOARD_DEPTH 2

/* The longest setup so far, in seconds; 0 before the first. */
double at_board_setup_seconds(const struct at_board *self);
/*
 * Time that it spent waiting for another program, up to now; what that program is:
 * its process number, 0 where it is not known or nobody is waited for.
 */
uint64_t at_board_waited_ns(const struct at_board *self);
/* For how long it has been waiting now; 0: it does not wait. */
uint64_t at_board_waiting_ns(const struct at_board *self);
int64_t at_board_waits_for(const struct at_board *self);
/*
 * What fails in a way that may be the machine's (evaluator/workers/misfortune.h) is
 * tried again, alone; where the machine stays unwell it ends with AT_EMACHINE. Before
 * it is tried is_alone() is asked until it says so: it has to stop what else runs.
 * NULL: there is nothing else.
 */
void at_board_be_alone(
	struct at_board *self, bool (*is_alone)(void *context), void *context);
/* It is about to try something again, or does so. */
bool at_board_recovers(const struct at_board *self);
/* Why nothing is measured at present; "" where something may be. */
void at_board_trouble(const struct at_board *self, char *text, size_t size);
/* Once what a person should know of it, since the first setup; else "". */
const char *at_board_note(struct at_board *self);

#endif
