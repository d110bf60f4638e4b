/*
 * A recording: every configuration of a space with its outcome, measured by any tool,
 * in one structure for all formats.
 *
 *   at_recording_read("convolution-a100.json.gz", &recording, &err);
 *   ... recording->rows, recording->results ...
 *   at_recording_free(recording);
 *
 * Formats, detected by the file's contents, plain or compressed by gzip:
 *   - T4 files, the common format of the auto-tuners (KernelTuner/kernel_tuner,
 *     schema/T4);
 *   - cache files of Kernel Tuner (schema/cache there), also without the end that an
 *     interrupted run did not write;
 *   - CSV of this project (record/export.h);
 *   - this project's record: "results/autotune.db,space=matmul,problem=square_4096,
 *     device=nvidia-h200", where parts without a choice may be omitted.
 * share/to_t4.py converts files of other tools to T4 files.
 *
 * Must not know: what it is used for. Threads: constant after reading.
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
	/* one line, "" if ok; owned by the recording */
	const char *reason;
	/* of one launch, as the file summarises its samples; NAN unless ok */
	double time_ns;
	/* of our record: dropped early, so the time is not a full measurement */
	bool is_raced;
	/* of our record: of an older source, compiler or driver than the space's latest
	   (record/sources.h) */
	bool is_older;
	/* samples_ns[sample_begin .. + sample_count), in the order taken */
	size_t sample_begin;
	size_t sample_count;
	double compile_seconds; /* NAN: not known */
	double measure_seconds; /* with all checks; 0 if it failed; NAN: not known */
	int64_t created_seconds; /* since 1970 UTC; 0: not known */
	int64_t evaluation_id; /* in our record; 0: another file */
	struct at_facts facts; /* unknown unless the format has them */
};

struct at_evaluation;
struct at_store;

/* The recording owns all pointers. */
struct at_recording {
	char *name; /* of the file, without ".json.gz"; for tables */
	char *path; /* as it was given */
	char *kernel; /* "" if the file has none */
	char *problem; /* likewise */
	char *device; /* likewise; model */
	char *objective; /* "time" if the file has none */
	/* evaluations of an older source that at_recording_read() left out */
	size_t older_count;
	/* rows replaced by a later row of the same configuration; 0 for a record, which
	   keeps repeated measurements */
	size_t repeated_count;
	/* times outside of their samples, if so many that all samples must be of
	   another measurement and were dropped; else 0 */
	size_t outside_count;
	/* the file was cut off; only its complete rows were read */
	bool is_cut;
	size_t parameter_count;
	/* The values of each parameter in the rows: numbers ascending, words in the
	   order of the file. */
	struct at_search_parameter *parameters;
	size_t count; /* at least 1; each configuration once */
	/* value indices, parameter_count for each row; the rows are ascending */
	uint16_t *rows;
	struct at_recorded *results; /* one per row */
	double *samples_ns;
	char **texts; /* names, words and reasons, target of the above pointers */
	size_t text_count;
	size_t text_capacity;
};

/*
 * Reads a file. AT_ENOENT, AT_EIO: it cannot be read. AT_ESYNTAX, AT_EINVAL with file
 * and line: no known format, or invalid. The last of several rows with the same
 * configuration counts; repeated_count counts the others. A configuration whose time is
 * invalid (nothing, 0, -1, NaN, 1e20, a word) is a failure. Rows marked as of an older
 * source, in a record or its export, are left out and counted in older_count.
 */
enum at_status at_recording_read(
	const char *path, struct at_recording **out, struct at_error *err);
/* Whether a file begins like an SQLite database; false if it cannot be read. */
bool at_recording_is_record(const char *path);
/* self may be NULL. */
void at_recording_free(struct at_recording *self);
/* The row of a configuration (value indices), or SIZE_MAX. */
size_t at_recording_find(
	const struct at_recording *self, const uint16_t *configuration);

/* Append the recording as a cache file of Kernel Tuner, which can simulate with it, and
   as a T4 file. Values without a key in these formats (an outcome, an older source) get
   keys of our own: at_recording_read() restores everything except facts. */
void at_recording_write(const struct at_recording *self, struct at_strbuf *out);
void at_recording_write_t4(const struct at_recording *self, struct at_strbuf *out);

/* The first parameter that has the name of a result in Kernel Tuner's cache files,
   where both share an object: at_recording_write() would lose its values; NULL:
   none. */
const char *at_recording_clash(const struct at_recording *self);

/* Reads one space, problem and device (by slug) of an open record: the newest
   evaluation of each configuration. Evaluations with other parameters than the newest
   one are left out; those of an older source are marked. path: for errors. */
enum at_status at_recording_from_store(struct at_store *store, const char *path,
	const char *space, const char *problem, const char *slug,
	struct at_recording **out, struct at_error *err);
/*
 * The same from given evaluations of one space, problem and device, in any order.
 * Space, problem, device and reasons stay empty: the caller has them. Evaluations with
 * other parameters than the newest one, or without a readable configuration, are left
 * out. AT_EINVAL: none is left.
 */
enum at_status at_recording_from_evaluations(const char *path,
	const struct at_evaluation *evaluations, size_t count,
	struct at_recording **out, struct at_error *err);

#endif
