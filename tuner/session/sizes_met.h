/*
 * Turns sizes that programs met far from a tuned problem (AUTOTUNE_RECORD of a header)
 * into further problems of a space.
 *
 *   at_sizes_met_read("met.jsonl", &met, &err);
 *   added = at_sizes_met_problems(&met, spec, &device, old, &text, &names);
 *   at_sizes_met_release(&met);
 *
 * A line of the file: {"kernel": "matmul", "device": "NVIDIA H200", "sizes": {"M":
 * 100}, "rung": "same device", "calls": 90}. Threads: pure functions.
 */
#ifndef AT_SESSION_SIZES_MET_H
#define AT_SESSION_SIZES_MET_H

#include "base/json.h"
#include "base/memory.h"
#include "device/device.h"
#include "space/spec.h"

/* Most new problems of a space and device in a call, and most of a space in total. */
#define AT_SIZES_MET_NEW 8
#define AT_SIZES_MET_ALL 64

struct at_size_met {
	struct at_json *line; /* the first line with these sizes */
	char *key; /* equal for equal kernels, devices and sizes */
	int64_t calls; /* sum over all lines */
};

struct at_sizes_met {
	size_t count;
	size_t capacity;
	struct at_size_met *items; /* by calls, most first */
	/* malformed lines, and the first of them */
	size_t wrong_count;
	int wrong_line;
};

/* Reads the file. The caller releases *out, also after a failure. */
enum at_status at_sizes_met_read(
	const char *path, struct at_sizes_met *out, struct at_error *err);
void at_sizes_met_release(struct at_sizes_met *self);

/*
 * Appends a problem for each of the sizes that programs met most often on this model of
 * device, inside the domain and without a problem: to `text` as lines of a space file,
 * to `names` for people. old: text of the problems so far, from an earlier call; NULL:
 * none. Returns the number of new ones; text then has the old ones, too.
 */
size_t at_sizes_met_problems(const struct at_sizes_met *self,
	const struct at_spec *spec, const struct at_device_info *device,
	const char *old, struct at_strbuf *text, struct at_strbuf *names);

#endif
