/*
 * A trip: one call of the device that waits until the device has done it (run, time,
 * read, write, set_symbol). On a GPU a trip costs 10 to 20 microseconds however little
 * is in it, more than many a kernel takes. So what belongs together is queued in
 * at_bench.queue and sent by one bench_run(). tests/test_measure_cost.c counts the
 * trips.
 */
#ifndef AT_MEASURE_TRIP_H
#define AT_MEASURE_TRIP_H

#include "measure/bench_parts.h"

/* Release it also where this fails. */
enum at_status call_list_init(
	struct call_list *self, size_t room, struct at_error *err);
void call_list_release(struct call_list *self);
/* The call's arguments are borrowed until the list is sent for the last time. */
void call_list_add(struct call_list *self, const struct at_invocation *call);

/*
 * Sends what is queued, as one trip, and empties the queue, also when it fails. An
 * empty queue is no trip.
 */
enum at_outcome bench_run(struct at_bench *self, struct at_error *err);
/*
 * The same where all that is queued is the tuner's own: no configuration is to blame
 * for what fails. The error says what was done for which argument ("filling").
 */
enum at_status bench_run_own(
	struct at_bench *self, const char *what, size_t argument, struct at_error *err);

/* The board has done nothing for so long that its clocks may be down. */
bool bench_is_idle(const struct at_bench *self);
/* After a trip that began at start_ns: a board whose clocks were up still has them up.
 */
void bench_stayed_busy(struct at_bench *self, uint64_t start_ns);

#endif
