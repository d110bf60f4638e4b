/*
 * What the results of a space are made from, in the record: which source each run tuned
 * a problem from, so that evaluations of an older one are told from those that count;
 * and which space file has a kernel's name, by which everything is recorded.
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_SOURCES_H
#define AT_RECORD_SOURCES_H

#include "record/store.h"
#include "space/spec.h"

struct at_source {
	int64_t run_id;
	char *hash; /* as crowns have it */
};

/* Of one space and problem on one device model. */
struct at_sources {
	char *now; /* the newest; NULL: not known, and nothing is older */
	size_t count;
	size_t capacity;
	struct at_source *items; /* by run_id */
	/* until when there were winners of other sources: for evaluations whose run did
	   not say what it tuned from; -1: there were none */
	int64_t others_until_seconds;
};

/* This run tunes the problem from this source (at_crown.source_hash). */
enum at_status at_store_put_source(struct at_store *self, int64_t run_id,
	const char *problem, const char *hash, struct at_error *err);
/* *out is the caller's, also after a failure. */
enum at_status at_store_sources(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, struct at_sources *out,
	struct at_error *err);
void at_sources_release(struct at_sources *self);
/*
 * Whether it is of an older source, or by another compiler or driver: of what is tuned
 * now nobody would ask for it any more.
 */
bool at_sources_is_older(
	const struct at_sources *self, const struct at_evaluation *evaluation);
bool at_sources_is_older_crown(
	const struct at_sources *self, const struct at_crown *crown);

/*
 * The space's name is this file's from now on: results, headers and result files are
 * told apart by it alone. AT_EINVAL, and a line that names both, where another space
 * file has it: one that is still there, is called so and is no copy of this one with
 * its template. Of a file that was moved or renamed nobody hears. directory: of the
 * record, which keeps paths as seen from there. A store that only reads is asked with
 * at_store_check_space().
 */
enum at_status at_store_take_space(struct at_store *self, const char *directory,
	const struct at_spec *spec, struct at_error *err);
enum at_status at_store_check_space(struct at_store *self, const char *directory,
	const struct at_spec *spec, struct at_error *err);

#endif
