/*
 * How a recording is put together, row by row, by whoever reads a format.
 *
 *   at_recording_builder_init(&builder, path, &err);
 *   at_recording_builder_parameter(&builder, "block_size_x", &err);
 *   ... for each row
 *   at_recording_builder_row(&builder, &err);
 *   at_recording_builder_set(&builder, 0, value, &err);
 *   ... builder.result is the row's: fill it in ...
 *   at_recording_builder_finish(&builder, &recording, &err);
 *   at_recording_builder_release(&builder);
 */
#ifndef AT_RECORD_RECORDING_BUILD_H
#define AT_RECORD_RECORDING_BUILD_H

#include "record/recording.h"

struct at_recording_builder {
	struct at_recording *recording;
	size_t parameter_capacity;
	size_t row_capacity;
	size_t cell_capacity;
	size_t fact_capacity;
	size_t sample_count;
	size_t sample_capacity;
	/* rows of an older source stay; else they go when they are complete */
	bool keeps_older;
	/* of each row, parameter by parameter; type NONE: not set yet */
	struct at_value *cells;
	/* the row that is being read; NULL before the first */
	struct at_recorded *result;
};

/* name is what is shown; NULL: it is made from the path. */
enum at_status at_recording_builder_init(struct at_recording_builder *self,
	const char *path, const char *name, struct at_error *err);
void at_recording_builder_release(struct at_recording_builder *self);
/* Before the second row. AT_EINVAL: its name is there already. */
enum at_status at_recording_builder_parameter(
	struct at_recording_builder *self, const char *name, struct at_error *err);
/* SIZE_MAX: there is none of this name. `likely` is looked at first. */
size_t at_recording_builder_find(
	const struct at_recording_builder *self, const char *name, size_t likely);
/* Begins a row: result is outcome NONE, and nothing is known of it. */
enum at_status at_recording_builder_row(
	struct at_recording_builder *self, struct at_error *err);
/* Forgets the row that was begun last. */
void at_recording_builder_drop(struct at_recording_builder *self);
/* The value of a parameter in this row; words are copied. */
enum at_status at_recording_builder_set(struct at_recording_builder *self,
	size_t parameter, struct at_value value, struct at_error *err);
/* The first parameter that this row lacks; SIZE_MAX: none. */
size_t at_recording_builder_missing(const struct at_recording_builder *self);
enum at_status at_recording_builder_sample(
	struct at_recording_builder *self, double ns, struct at_error *err);
/*
 * Where a file says more than its format has words for, as those that we wrote do: the
 * outcome of a configuration that failed, and in a line why. Of others nothing is
 * changed.
 */
enum at_status at_recording_builder_outcome(struct at_recording_builder *self,
	const char *outcome, const char *detail, struct at_error *err);
/* "2023-12-22 09:54:05.502007+00:00" or "2023-12-22T09:54:05Z"; else not known: 0 */
int64_t at_recording_seconds(const char *text);
/* The facts of this row; other rows need not have any. */
enum at_status at_recording_builder_facts(struct at_recording_builder *self,
	const struct at_facts *facts, struct at_error *err);
/* A copy that lives as long as the recording, one for the same text. */
enum at_status at_recording_builder_keep(struct at_recording_builder *self,
	const char *text, const char **out, struct at_error *err);
/*
 * *out becomes the caller's. A parameter's values get one type: of whole numbers and
 * reals reals, of booleans and whole numbers whole numbers, of words and anything else
 * words. AT_EINVAL: no rows.
 */
enum at_status at_recording_builder_finish(struct at_recording_builder *self,
	struct at_recording **out, struct at_error *err);

/* The three that at_recording_read() tells apart. text is changed, text[size] is 0. */
bool at_recording_is_csv(const char *text, size_t size);
enum at_status at_recording_read_csv(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err);
enum at_status at_recording_read_json(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err);
/* path as for at_recording_read(), with what follows the first comma. */
enum at_status at_recording_read_store(
	const char *path, struct at_recording **out, struct at_error *err);

#endif
