/*
 * Builds a recording row by row, for the readers of formats. Files are bounded, so
 * memory is not checked (base/memory.h).
 *
 *   at_recording_builder_init(&builder, path, NULL);
 *   at_recording_builder_parameter(&builder, "block_size_x", &err);
 *   ... for each row
 *   at_recording_builder_row(&builder);
 *   at_recording_builder_set(&builder, 0, value, &err);
 *   ... fill in builder.result, the row's ...
 *   at_recording_builder_finish(&builder, &recording, &err);
 *   at_recording_builder_release(&builder);
 */
#ifndef AT_RECORD_RECORDING_BUILD_H
#define AT_RECORD_RECORDING_BUILD_H

#include "base/hash_index.h"
#include "record/recording.h"

/* A recording being built, with the capacities of its arrays. */
struct at_recording_builder {
	struct at_recording *recording;
	size_t parameter_capacity;
	size_t row_capacity;
	size_t cell_capacity;
	size_t sample_count;
	size_t sample_capacity;
	/* keep rows of an older source; else the next row drops them */
	bool keeps_older;
	/* values of all rows, parameter by parameter; type NONE: not set */
	struct at_value *cells;
	struct at_hash_index text_index; /* the recording's texts by content */
	/* of the current row; NULL before the first row and after a drop */
	struct at_recorded *result;
};

/* Whether a number in a file is a valid time. Failures have 0, -1, 1e20, infinity or
   NaN. */
bool at_recording_is_time(double value);
/* name: the recording's, for tables; NULL: from the path. */
void at_recording_builder_init(
	struct at_recording_builder *self, const char *path, const char *name);
/* Releases it, and the recording unless finished. */
void at_recording_builder_release(struct at_recording_builder *self);
/* Adds a parameter, before the second row. AT_EINVAL: the name exists, is empty or not
   UTF-8, or there are as many as a space can have. */
enum at_status at_recording_builder_parameter(
	struct at_recording_builder *self, const char *name, struct at_error *err);
/* The index of a parameter, or SIZE_MAX. The index `likely` is tried first, since the
   order of parameters is mostly the same. */
size_t at_recording_builder_find(
	const struct at_recording_builder *self, const char *name, size_t likely);
/* Begins a row: outcome NONE, unknown times, no values. */
void at_recording_builder_row(struct at_recording_builder *self);
/* Removes the current row. If it was the first, its parameters stay. */
void at_recording_builder_drop(struct at_recording_builder *self);
/* Sets the value of a parameter in the current row; words are copied. AT_EINVAL: a word
   is not UTF-8, or too long. */
enum at_status at_recording_builder_set(struct at_recording_builder *self,
	size_t parameter, struct at_value value, struct at_error *err);
/* The first parameter without a value in the current row, or SIZE_MAX. */
size_t at_recording_builder_missing(const struct at_recording_builder *self);
/* Adds a sample to the current row. */
void at_recording_builder_sample(struct at_recording_builder *self, double ns);
/* Seconds since 1970 of "2023-12-22 09:54:05.502007+00:00" or "2023-12-22T09:54:05Z",
   taken as UTC; 0 for anything else. */
int64_t at_recording_seconds(const char *text);
/* Sets the current row's result, samples and facts from an evaluation. */
void at_recording_builder_evaluation(
	struct at_recording_builder *self, const struct at_evaluation *evaluation);
/* Copies a text into the recording; equal texts share a copy. */
const char *at_recording_builder_keep(
	struct at_recording_builder *self, const char *text);
/* Gives the recording to the caller. All values of a parameter get one type: reals for
   integers and reals, integers for booleans and integers, words if a word is among
   others. AT_EINVAL: no rows, or no parameters. */
enum at_status at_recording_builder_finish(struct at_recording_builder *self,
	struct at_recording **out, struct at_error *err);

/*
 * Reads the evaluations of one space, problem and device (by slug) one by one, with
 * samples: first the newest, which determines the parameters (is_newest), then all in
 * the order of time. keeps_older false: those of an older source (record/sources.h) are
 * only counted. AT_ENOENT: there are none; AT_EINVAL: all are older.
 */
typedef enum at_status at_group_visit(void *context,
	const struct at_evaluation *evaluation, bool is_older, bool is_newest,
	struct at_error *err);
enum at_status at_store_walk_group(struct at_store *store, const char *space,
	const char *problem, const char *slug, bool keeps_older, size_t *older_count,
	at_group_visit *visit, void *context, struct at_error *err);

/* The end of a message: how to convert another tool's file. */
#define AT_RECORDING_CONVERT(tool) ": convert it with share/autotune/to_t4.py " tool

/* Reads a text of either format; JSON begins with { or [. Readers change `text`;
   text[size] must be 0. */
enum at_status at_recording_read_text(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err);
enum at_status at_recording_read_csv(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err);
enum at_status at_recording_read_json(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err);
/* path: as for at_recording_read(), with the choice after the first comma. */
enum at_status at_recording_read_store(
	const char *path, struct at_recording **out, struct at_error *err);

#endif
