/* What the files of the worker's side share: what a worker holds, how it answers, and
   what it can be asked. No other file includes this. Threads: one, the process's. */
#ifndef AT_EVALUATOR_WORKERS_WORKER_PARTS_H
#define AT_EVALUATOR_WORKERS_WORKER_PARTS_H

#include "base/error.h"
#include "base/hash.h"
#include "base/wire.h"
#include "device/device.h"
#include "evaluator/workers/lock.h"
#include "evaluator/workers/protocol.h"
#include "measure/bench.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A setup that the device holds. Several are kept side by side, the tuned problem's and
   those for proofs, so that the reference of each problem runs once. */
struct held_setup {
	struct at_hash id;
	struct at_measure_setup setup;
	struct at_bench *bench; /* NULL: this place is free */
	uint64_t used; /* the value of at_worker_state.use when it was last used */
};

/* The tuned problem and as many proofs as spaces usually have; each holds device
   memory. */
#define AT_WORKER_SETUPS 12

struct at_worker_state {
	struct at_device *device;
	struct held_setup setups[AT_WORKER_SETUPS];
	uint64_t use; /* counts uses of setups */
	struct at_device_lock lock;
	struct at_error not_woken; /* why the device failed after it was opened */
	bool ends; /* the device is lost: answer, then end the process */
};

/* Reads from the coordinator; false: it is gone. */
bool at_request_read(void *data, size_t size);

/* Notes that this process answers; processes that a kernel forks must not. */
void at_respond_begin(void);
/* Sets the request that the next answers belong to. */
void at_respond_to(const struct at_message_header *request);

/*
 * Send an answer, an error, and the news that the message was broken.
 * at_respond() takes the writer's bytes. False, here and below: the worker has to
 * end.
 */
bool at_respond(enum at_message type, struct at_wire_writer *body);
bool at_respond_error(const struct at_error *err);
bool at_respond_broken(const char *what);

/* Each reads its message to the end, does what it asks and answers. */
bool at_handle_compile(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_cover(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_toolchain(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_warm(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_architectures(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_probe(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_open(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_setup(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_evaluate(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_finals(struct at_worker_state *self, struct at_wire_reader *in);
bool at_handle_ceilings(struct at_worker_state *self, struct at_wire_reader *in);

/* Releases setups, device and lock. */
void at_worker_state_release(struct at_worker_state *self);

#endif
