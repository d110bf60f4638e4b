/*
 * Finding and opening devices, asking compilers, from inside a session. A signal that
 * the loop watches ends each of these with AT_EINTERRUPTED.
 */
#ifndef AT_WORKERS_PROBE_H
#define AT_WORKERS_PROBE_H

#include "evaluator/workers/compilers.h"
#include "evaluator/workers/board.h"

/*
 * Runs the loop until a process of its own has counted the devices of a kind.
 * *reason (at least 1 byte) says why there are none; "" when there are some.
 */
enum at_status at_probe_kind(struct at_loop *loop, const char *kind, unsigned *count,
	char *reason, size_t size, struct at_error *err);

/* Runs the loop until the remote's device is open. */
enum at_status at_probe_open(struct at_loop *loop, struct at_board *board,
	struct at_device_info *info, struct at_error *err);

/* Runs the loop until a compile worker has told its compiler's version. */
enum at_status at_probe_toolchain(struct at_loop *loop, struct at_compilers *compilers,
	const char *toolchain, char *version, size_t size, struct at_error *err);

/*
 * The newest architecture ("sm_121") that both NVRTC and the table of
 * at_properties_of_architecture() know, from a compile worker.
 */
enum at_status at_probe_newest_architecture(struct at_loop *loop,
	struct at_compilers *compilers, char *name, size_t size, struct at_error *err);

/* A list of device ids on the heap. */
struct at_device_ids {
	char (*ids)[32];
	size_t count;
};

/*
 * Ids of single devices, each once: "cuda:all" becomes all of its kind, "cuda" is
 * "cuda:0". An empty list becomes every device of the preferred kinds or, where
 * there is none, the fallback's first, and *reason says why ("" otherwise).
 */
enum at_status at_probe_resolve(struct at_loop *loop, const char *const *devices,
	size_t count, struct at_device_ids *out, char *reason, size_t size,
	struct at_error *err);

#endif
