/*
 * Sources of results. The record has the source from which each run tuned a problem,
 * which distinguishes evaluations of an older source from those that count. It also has
 * the space file that owns a kernel's name, since everything is recorded by that name.
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_SOURCES_H
#define AT_RECORD_SOURCES_H

#include "record/store.h"
#include "space/spec.h"

struct at_source {
	int64_t run_id;
	char *hash; /* like at_winner.source_hash */
};

/* The sources of one space and problem on one model of device. */
struct at_sources {
	char *now; /* of the newest run; NULL: not known, then nothing is older */
	size_t count;
	size_t capacity;
	struct at_source *items; /* sorted by run_id */
	/* Until when there were winners of other sources (seconds since 1970); -1:
	   never. It decides for evaluations whose run did not record its source. */
	int64_t others_until_seconds;
};

/* Records that this run tunes the problem from this source. */
enum at_status at_store_put_source(struct at_store *self, int64_t run_id,
	const char *problem, const char *hash, struct at_error *err);
/* Reads the sources. *out must be released, also after a failure. */
enum at_status at_store_sources(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, struct at_sources *out,
	struct at_error *err);
/* Frees everything and zeroes it. */
void at_sources_release(struct at_sources *self);
/* Whether an evaluation (or a winner) is of an older source, compiler or driver than
   the problem's latest, so that no run would reuse it. */
bool at_sources_is_older(
	const struct at_sources *self, const struct at_evaluation *evaluation);
bool at_sources_is_older_winner(
	const struct at_sources *self, const struct at_winner *best);

/*
 * Makes this file the owner of the space's name, which alone identifies results,
 * headers and result files. AT_EINVAL, with both files, if another space file owns the
 * name: one that still exists, still has the name, and is not a copy of this file and
 * its template. A file that was moved or renamed is therefore not a conflict.
 * directory: of the record, which has paths relative to it. at_store_check_space() only
 * checks, for a store opened for reading.
 */
enum at_status at_store_take_space(struct at_store *self, const char *directory,
	const struct at_spec *spec, struct at_error *err);
enum at_status at_store_check_space(struct at_store *self, const char *directory,
	const struct at_spec *spec, struct at_error *err);

#endif
