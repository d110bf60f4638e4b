/*
 * Whether somebody who has work will never come back with it, by what is seen of him
 * every two seconds: he is stopped, or he neither computes nor could. How fast the
 * machine is, and what else it does, does not matter for either: who waits for a
 * processor is at work.
 *
 *   at_vigil_begin(&vigil, now_ns);
 *   every AT_VIGIL_NS: at_vigil_look(&vigil, &activity, now_ns)
 *
 * Must not know: clocks, processes. Threads: none of these share state.
 */
#ifndef AT_WORKERS_VIGIL_H
#define AT_WORKERS_VIGIL_H

#include "base/processes.h"

#include <stdint.h>

#define AT_VIGIL_NS UINT64_C(2000000000)

struct at_vigil {
	double limit_seconds; /* so long he may be quiet; 0: for ever */
	uint64_t due_ns; /* of the next look */
	uint64_t quiet_ns; /* since when he is */
	uint64_t ticks;
	unsigned stopped; /* looks in a row at which he was */
	uint64_t heard_ns; /* when he was asked, or said something, the last time */
	double told_seconds; /* of the silence since then: what was told of it */
};

enum at_vigil_verdict {
	AT_VIGIL_NONE = 0, /* he may still answer */
	AT_VIGIL_STOPPED,
	AT_VIGIL_QUIET,
};

/* He was asked for something, or said something. limit_seconds stays. */
void at_vigil_begin(struct at_vigil *self, uint64_t now_ns);
/* A look that is more than a second late says nothing: we did not run either. */
enum at_vigil_verdict at_vigil_look(
	struct at_vigil *self, const struct at_activity *activity, uint64_t now_ns);

/*
 * For how many seconds nothing was heard of him, where whoever looks on is to be told
 * of it now: after 10, after 60, and whenever it is twice as long. Else 0.
 */
double at_vigil_silence(struct at_vigil *self, uint64_t now_ns);

#endif
