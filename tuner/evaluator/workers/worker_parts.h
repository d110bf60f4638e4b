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
struct at_worker_stage {
	struct at_hash id;
	struct at_measure_setup setup;
	struct at_bench *bench; /* NULL: this place is free */
	uint64_t used; /* the value of at_worker.use when it was last used */
};

/* The tuned problem and as many proofs as spaces usually have; each holds device
   memory. */
#define AT_WORKER_STAGES 12

struct at_worker {
	struct at_device *device;
	struct at_worker_stage stages[AT_WORKER_STAGES];
	uint64_t use; /* counts uses of stages */
	struct at_device_lock lock;
	struct at_error not_woken; /* why the device failed after it was opened */
	bool ends; /* the device is lost: answer, then end the process */
};

/* Reads from the coordinator; false: it is gone. */
bool at_worker_read(void *data, size_t size);

/* Notes that this process answers; processes that a kernel forks must not. */
void at_worker_begin_answers(void);
/* Sets the request that the next answers belong to. */
void at_worker_take(const struct at_message_header *request);

/*
 * Send an answer, an error, and the news that the message was broken.
 * at_worker_answer() takes the writer's bytes. False, here and below: the worker has to
 * end.
 */
bool at_worker_answer(enum at_message type, struct at_wire_writer *body);
bool at_worker_fail(const struct at_error *err);
bool at_worker_broken(const char *what);

/* Each reads its message to the end, does what it asks and answers. */
bool at_worker_compile(struct at_worker *self, struct at_wire_reader *in);
bool at_worker_toolchain(struct at_worker *self, struct at_wire_reader *in);
bool at_worker_warm(struct at_worker *self, struct at_wire_reader *in);
bool at_worker_architectures(struct at_worker *self, struct at_wire_reader *in);
bool at_worker_probe(struct at_worker *self, struct at_wire_reader *in);
bool at_worker_open(struct at_worker *self, struct at_wire_reader *in);
bool at_worker_setup(struct at_worker *self, struct at_wire_reader *in);
bool at_worker_evaluate(struct at_worker *self, struct at_wire_reader *in);
bool at_worker_finals(struct at_worker *self, struct at_wire_reader *in);
bool at_worker_ceilings(struct at_worker *self, struct at_wire_reader *in);

/* Releases setups, device and lock. */
void at_worker_close(struct at_worker *self);

#endif
