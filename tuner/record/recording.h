/*
 * A recording: every configuration of a space with its outcome, as some tool measured
 * them, read into one structure whatever the format.
 *
 *   at_recording_read("convolution-a100.json.gz", &recording, &err);
 *   ... recording->rows, recording->results ...
 *   at_recording_free(recording);
 *
 * Formats, told apart by the contents of the file, plain or compressed by gzip:
 *   - T4 files, the common format of the auto-tuners (KernelTuner/kernel_tuner,
 *     schema/T4);
 *   - cache files of Kernel Tuner (schema/cache there), also those that an interrupted
 *     run left without an end;
 *   - CSV of this project (record/export.h);
 *   - this project's own record: "results/autotune.db,space=matmul,problem=square_4096,
 *     device=nvidia-h200", where parts that leave no choice may be left out.
 * share/to_t4.py turns files of other tools into T4 files.
 *
 * Must not know: what is done with it. Threads: constant after it was read.
 */
#ifndef AT_RECORD_RECORDING_H
#define AT_RECORD_RECORDING_H

#include "base/error.h"
#include "base/outcome.h"
#include "kernel/facts.h"
#include "space/search_space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of one configuration. */
struct at_recorded {
	enum at_outcome outcome; /* never NONE */
	/* one line, "" where the outcome is ok; belongs to the recording */
	const char *reason;
	/* of one launch, as the file sums its samples up; NAN unless ok */
	double time_ns;
	/* of our own record: it was dropped early, and its time is no full
	   measurement */
	bool is_raced;
	/* of our own record: of an older source, compiler or driver than the space is
	   tuned with now (record/sources.h) */
	bool is_older;
	/* samples_ns[sample_begin .. + sample_count), in the order taken */
	size_t sample_begin;
	size_t sample_count;
	double compile_seconds; /* NAN: not known */
	double measure_seconds; /* with all checks; 0 where it failed; NAN: not known */
	int64_t created_seconds; /* since 1970 UTC; 0: not known */
	int64_t evaluation_id; /* its id in our own record; 0: from another file */
	struct at_facts facts; /* not known unless the format has them */
};

struct at_evaluation;
struct at_store;

/* All pointers belong to the recording. */
struct at_recording {
	char *name; /* of the file, without ".json.gz"; for tables */
	char *path; /* as it was given */
	char *kernel; /* "" where the file does not say */
	char *problem; /* likewise */
	char *device; /* likewise; the model */
	char *objective; /* what was tuned for; "time" where the file does not say */
	/* evaluations of an older source that at_recording_read() left out */
	size_t older_count;
	/* rows of a file with the configuration of a later row, which were left out; 0
	   for a record, which keeps what was measured again */
	size_t repeated_count;
	/* times that lie outside of all their samples, if these are so many that the
	   samples must be of another measurement and were left out; else 0 */
	size_t outside_count;
	/* the file ended too early, and only its complete rows were taken */
	bool is_cut;
	size_t parameter_count;
	/* The values of each parameter that occur in some row: numbers in ascending
	   order, words in the order of the file. */
	struct at_search_parameter *parameters;
	size_t count; /* at least 1; no configuration is there twice */
	/* value indices, row by row, parameter_count each; the rows are in ascending
	   order */
	uint16_t *rows;
	struct at_recorded *results; /* one per row */
	double *samples_ns;
	char **texts; /* the names, words and reasons that the above point to */
	size_t text_count;
	size_t text_capacity;
};

/*
 * Reads a file. AT_ENOENT, AT_EIO: none exists, or it cannot be read. AT_ESYNTAX,
 * AT_EINVAL with file and line: it has none of the formats, or makes no sense. Where
 * several rows have the same configuration the last one counts; the others are counted
 * in repeated_count. A configuration whose time is no time (nothing, 0, -1, NaN, 1e20,
 * a word) is a failure. Rows that are marked as
 * of an older source, in a record or an export of one, are left out and counted in
 * older_count.
 */
enum at_status at_recording_read(
	const char *path, struct at_recording **out, struct at_error *err);
/* Whether a file begins like a database of SQLite; false if it cannot be read. */
bool at_recording_is_record(const char *path);
/* Releases the recording; self may be NULL. */
void at_recording_free(struct at_recording *self);
/* The row of a configuration (value indices); SIZE_MAX: none exists. */
size_t at_recording_find(
	const struct at_recording *self, const uint16_t *configuration);

/*
 * Append the recording for other tools: as a cache file of Kernel Tuner, which can
 * simulate with it, and as a T4 file. What these formats have no word for (an outcome,
 * an older source) is written under keys of our own, so that at_recording_read() gets
 * back the same except for facts.
 */
void at_recording_write(const struct at_recording *self, struct at_strbuf *out);
void at_recording_write_t4(const struct at_recording *self, struct at_strbuf *out);

/* The first parameter with the name of a result in Kernel Tuner's cache files, which
   have both side by side, so that at_recording_write() loses its values; NULL: none. */
const char *at_recording_clash(const struct at_recording *self);

/*
 * What an open record has of one space, problem and device (by slug): the newest
 * evaluation of each configuration. Evaluations with other parameters than the newest
 * one are left out; those of an older source are kept and marked. path: for errors.
 */
enum at_status at_recording_from_store(struct at_store *store, const char *path,
	const char *space, const char *problem, const char *slug,
	struct at_recording **out, struct at_error *err);
/*
 * The same from evaluations of one space, problem and device that were read already, in
 * any order. Space, problem, device and reasons stay empty: the caller has them.
 * Evaluations with other parameters than the newest one, or without a configuration
 * that can be read, are left out. AT_EINVAL: none is left.
 */
enum at_status at_recording_from_evaluations(const char *path,
	const struct at_evaluation *evaluations, size_t count,
	struct at_recording **out, struct at_error *err);

#endif
