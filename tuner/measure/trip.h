/*
 * A trip is one call of the device's functions that waits until the device is done
 * (run, time, read, write, set_symbol). On a GPU a trip costs 10 to 20 microseconds
 * even with hardly anything in it, more than many kernels take. So calls that belong
 * together are queued in at_measure_context.queue and sent by one bench_run().
 * tests/test_measure_cost.c counts the trips of each job.
 */
#ifndef AT_MEASURE_TRIP_H
#define AT_MEASURE_TRIP_H

#include "measure/bench_parts.h"

/* Makes a list with room for `room` calls. */
void call_list_init(struct call_list *self, size_t room);
void call_list_release(struct call_list *self);
/* Appends a call, whose arguments are borrowed until the list is sent for the last
 * time.
 */
void call_list_add(struct call_list *self, const struct at_invocation *call);

/*
 * Sends the queue as one trip and empties it, also when the trip fails. An empty queue
 * makes no trip.
 */
enum at_outcome bench_run(struct at_measure_context *self, struct at_error *err);
/*
 * The same, and *least_ns is what the last call took at least, by the device's clock; 0
 * where that is not known.
 */
enum at_outcome bench_run_timed(
	struct at_measure_context *self, double *least_ns, struct at_error *err);
/*
 * bench_run() where only the tuner's own kernels are queued, so that no configuration
 * is to blame for a failure. The error names `what` was done ("filling") for which
 * argument.
 */
enum at_status bench_run_own(struct at_measure_context *self, const char *what,
	size_t argument, struct at_error *err);

/*
 * The clock for what decides a verdict, as how long a reference may take: on a device
 * that shares the machine's cores it counts what launches other than timed ones worked,
 * so that a busy machine gives the same verdicts.
 */
uint64_t bench_worked_ns(const struct at_measure_context *self);

/* Whether the board was idle for so long that its clocks may be down, or has not come
   to clocks that were set since. */
bool bench_is_idle(const struct at_measure_context *self);
/* Sets the clocks of a request. NOT_APPLICABLE with AT_EUNAVAILABLE: they cannot be
   set, which is no fault of the configuration (is_machines_fault()). */
enum at_outcome bench_set_clocks(struct at_measure_context *self,
	const struct at_measure_request *request, struct at_error *err);
/* Call after a trip that began at start_ns: if the board was not idle then, it is known
   to be at its full clocks now. */
void bench_stayed_busy(struct at_measure_context *self, uint64_t start_ns);

#endif
