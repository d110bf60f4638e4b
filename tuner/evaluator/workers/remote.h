/*
 * A bench in another process: the measure worker of one device, as the
 * coordinator sees it. A worker that dies or is killed at a deadline is replaced
 * by a new one with the same device and setup before the next request; what it
 * was doing becomes an outcome.
 *
 * One request at a time; its callback comes from the loop, and from inside the
 * call that made it only when no process can be started. Threads: the loop's.
 */
#ifndef AT_WORKERS_REMOTE_H
#define AT_WORKERS_REMOTE_H

#include "evaluator/workers/process.h"

struct at_remote;

enum at_status at_remote_new(struct at_loop *loop, const char *device_id,
	struct at_remote **out, struct at_error *err);
/* No callback follows; the process is killed. */
void at_remote_free(struct at_remote *self);

/* err is NULL when it went well; info is borrowed from the remote. */
typedef void (*at_remote_opened)(
	void *context, const struct at_device_info *info, const struct at_error *err);
typedef void (*at_remote_ready)(void *context, const struct at_error *err);
/*
 * results: borrowed, `count` of them (1 for evaluate); what is taken out must be
 * set to NULL. err: the device cannot be used any more, and there are none.
 */
typedef void (*at_remote_measured)(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err);

/* ceilings: borrowed; NULL when there is an err. */
typedef void (*at_remote_ceiled)(
	void *context, const struct at_ceilings *ceilings, const struct at_error *err);

void at_remote_open(struct at_remote *self, at_remote_opened done, void *context);
/* The setup is sent now and again to every new process. */
void at_remote_setup(struct at_remote *self, const struct at_measure_setup *setup,
	double deadline_seconds, at_remote_ready done, void *context);
void at_remote_evaluate(struct at_remote *self,
	const struct at_measure_request *request, double deadline_seconds,
	at_remote_measured done, void *context);
void at_remote_finals(struct at_remote *self, const struct at_measure_request *requests,
	size_t count, uint32_t rounds, uint64_t seed, double deadline_seconds,
	at_remote_measured done, void *context);

/*
 * What the device does at best; image: measure/ceilings.cu compiled for it. Needs no
 * setup, and ends one: the next evaluation sends it anew.
 */
void at_remote_ceilings(struct at_remote *self, const unsigned char *image,
	size_t bytes, double deadline_seconds, at_remote_ceiled done, void *context);

/* Calls off what was asked for; its callback does not come. */
void at_remote_cancel(struct at_remote *self);

bool at_remote_busy(const struct at_remote *self);

#endif
