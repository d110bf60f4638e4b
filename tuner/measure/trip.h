/*
 * A trip is one call of the device's functions that waits until the device is done
 * (run, time, read, write, set_symbol). On a GPU even an almost empty trip costs 10 to
 * 20 microseconds, more than many kernels take. So related calls are queued in
 * at_measure_context.queue and sent by one bench_run(). tests/test_measure_cost.c
 * counts the trips of each job.
 */
#ifndef AT_MEASURE_TRIP_H
#define AT_MEASURE_TRIP_H

#include "measure/bench_parts.h"

void call_list_init(struct call_list *self, size_t room);
void call_list_release(struct call_list *self);
/* Appends a call; its arguments are borrowed until the list is last sent. */
void call_list_add(struct call_list *self, const struct at_invocation *call);

/* Sends the queue as one trip and empties it, even if the trip fails. An empty queue
   makes no trip. */
enum at_outcome bench_run(struct at_measure_context *self, struct at_error *err);
/* The same; *least_ns: a lower bound of the last call's device time; 0: unknown. */
enum at_outcome bench_run_timed(
	struct at_measure_context *self, double *least_ns, struct at_error *err);
/* bench_run() for a queue of the tuner's own kernels only, so that no configuration is
   to blame for a failure. The error names `what` failed ("filling") and the
   argument. */
enum at_status bench_run_own(struct at_measure_context *self, const char *what,
	size_t argument, struct at_error *err);

/* The clock for time limits that affect a verdict, such as that of a reference. On a
   device that shares the machine's cores it counts only the work of untimed launches,
   so that a busy machine gives the same verdicts. */
uint64_t bench_worked_ns(const struct at_measure_context *self);

/* Whether the GPU was idle so long that its clocks may be down, or has not reached
   clocks that were set since. */
bool bench_is_idle(const struct at_measure_context *self);
/* Sets a request's clocks. NOT_APPLICABLE with AT_EUNAVAILABLE: they cannot be set,
   which is not the configuration's fault (is_machines_fault()). */
enum at_outcome bench_set_clocks(struct at_measure_context *self,
	const struct at_measure_request *request, struct at_error *err);
/* Call after a trip that began at start_ns: if the GPU was not idle then, its clocks
   count as full now. */
void bench_stayed_busy(struct at_measure_context *self, uint64_t start_ns);

#endif
