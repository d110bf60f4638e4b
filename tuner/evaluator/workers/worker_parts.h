/*
 * Between the files of a worker's side: what it holds, how it answers, and what can be
 * asked of it. Only they include it. Threads: one, the process's.
 */
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

/*
 * A setup that the device holds. Several are kept side by side, so that the reference
 * of a problem runs once: the tuned problem, and those that winners are proved on.
 */
struct at_worker_stage {
	struct at_hash id;
	struct at_measure_setup setup;
	struct at_bench *bench; /* NULL: the place is free */
	uint64_t used; /* the higher, the later */
};

/* the tuned problem and as many proofs as spaces have; each holds device memory */
#define AT_WORKER_STAGES 12

struct at_worker {
	struct at_device *device;
	struct at_worker_stage stages[AT_WORKER_STAGES];
	uint64_t use; /* counts */
	struct at_device_lock lock;
	struct at_error not_woken; /* why the device is of no use after all */
	bool ends; /* the device is lost: answer, then end the process */
};

/* From the coordinator; false: it is gone. */
bool at_worker_read(void *data, size_t size);

/* From here on only this process answers. */
void at_worker_begin_answers(void);
/* What is answered from now on. */
void at_worker_take(const struct at_message_header *request);

/* Takes the writer's bytes. False, as of all that follows: the worker ends. */
bool at_worker_answer(enum at_message type, struct at_wire_writer *body);
bool at_worker_fail(const struct at_error *err);
bool at_worker_broken(const char *what);

/* Each reads its message whole, does it and answers. */
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

/* Setups, device and lock. */
void at_worker_close(struct at_worker *self);

#endif
