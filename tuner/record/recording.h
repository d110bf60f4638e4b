/*
 * What was measured elsewhere: every configuration of a space with what became of it,
 * read into one structure whoever wrote it.
 *
 *   at_recording_read("convolution-a100.json.gz", &recording, &err);
 *   ... recording->rows, recording->results ...
 *   at_recording_free(recording);
 *
 * Formats, told apart by what is in the file, plain or compressed by gzip:
 *   - cache files of Kernel Tuner (KernelTuner/kernel_tuner, schema/cache), also those
 *     that a run which was interrupted left without their end;
 *   - T4 result files, the common format of the auto-tuners (schema/T4 there);
 *   - CSV with a line of names, as record/export.h writes it;
 *   - this project's own record: "results/autotune.db,space=matmul,problem=square_4096,
 *     device=nvidia-h200", of which may be left out what leaves no choice.
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

/* What became of one configuration. */
struct at_recorded {
	enum at_outcome outcome; /* never NONE */
	const char *reason; /* one line, "" for OK; the recording's */
	double time_ns; /* of one launch, as the file sums it up; NAN unless OK */
	/* of its own record: it was dropped early, and its time is no measurement */
	bool is_raced;
	/* of our own record: of an older source, compiler or driver than is tuned now
	   (record/sources.h) */
	bool is_older;
	/* samples_ns[sample_begin .. + sample_count), in the order taken */
	size_t sample_begin;
	size_t sample_count;
	double compile_seconds; /* NAN: not known */
	double measure_seconds; /* with all checks; 0 of what failed; NAN: not known */
	int64_t created_seconds; /* since 1970 UTC; 0: not known */
	int64_t evaluation_id; /* of our own record; 0: of another file */
};

struct at_evaluation;
struct at_store;

/* All of it belongs to it. */
struct at_recording {
	char *name; /* of the file, without ".json.gz": for tables */
	char *path; /* as it was given */
	char *kernel; /* "" where the file does not say */
	char *problem; /* so here */
	char *device;
	char *objective; /* "time" */
	/* evaluations of an older source that at_recording_read() left out */
	size_t older_count;
	bool is_cut; /* the file ended too early, and what was whole was taken */
	size_t parameter_count;
	/* Values that are numbers stand in ascending order, words in that of the file;
	   each comes up in some row. */
	struct at_search_parameter *parameters;
	size_t count; /* at least 1; no configuration is there twice */
	/* value indices, row by row, in ascending order */
	uint16_t *rows;
	struct at_recorded *results; /* of each row */
	double *samples_ns;
	struct at_facts *facts; /* of each row; NULL: the format has none */
	char **texts; /* names, words and reasons */
	size_t text_count;
	size_t text_capacity;
};

/*
 * AT_ENOENT, AT_EIO: no such file, or it cannot be read. AT_ESYNTAX, AT_EINVAL with
 * file and line: it is of none of the formats, or does not make sense. Of rows with
 * the same configuration the last one counts. What is marked as of an older source, in
 * a record or in what was exported from one, is left out and counted.
 */
enum at_status at_recording_read(
	const char *path, struct at_recording **out, struct at_error *err);
void at_recording_free(struct at_recording *self);
/* The row of a configuration (value indices); SIZE_MAX: it is not in it. */
size_t at_recording_find(
	const struct at_recording *self, const uint16_t *configuration);

/*
 * For other tools, which at_recording_read() reads back to the same, except for facts:
 * as a cache file of Kernel Tuner, which can simulate with it, and as a T4 file. What
 * they have no word for (an outcome, an older source) stands there in a key of its own
 * as well.
 */
enum at_status at_recording_write(
	const struct at_recording *self, struct at_strbuf *out, struct at_error *err);
enum at_status at_recording_write_t4(
	const struct at_recording *self, struct at_strbuf *out, struct at_error *err);

/*
 * What an open record has of one space, problem and device (by slug): of each
 * configuration the newest evaluation, as far as it has the parameters of the newest of
 * all; what is of an older source is marked. path: for errors.
 */
enum at_status at_recording_from_store(struct at_store *store, const char *path,
	const char *space, const char *problem, const char *slug,
	struct at_recording **out, struct at_error *err);
/*
 * The same of evaluations of one space, problem and device that were read already, in
 * any order; without names and reasons, which the caller has. One that holds no
 * configuration is left out as those are that have other parameters. AT_EINVAL: nothing
 * is left, or there are none.
 */
enum at_status at_recording_from_evaluations(const char *path,
	const struct at_evaluation *evaluations, size_t count,
	struct at_recording **out, struct at_error *err);

#endif
