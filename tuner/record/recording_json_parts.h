/*
 * A recording in JSON while it is read, as the files share it: recording_json.c reads
 * what surrounds the rows, and hands those of each format to a file of its own, which
 * use recording_json_row.c. Nobody else includes this. All functions that give a status
 * give AT_EINVAL or AT_ESYNTAX with the line, or AT_ENOMEM.
 */
#ifndef AT_RECORD_RECORDING_JSON_PARTS_H
#define AT_RECORD_RECORDING_JSON_PARTS_H

#include "base/json_reader.h"
#include "record/recording_build.h"

/* What Kernel Tuner takes for "this failed" where it needs a number, and what older
   files have in place of a word. */
#define FAILED_TIME 1e20

/* What a file says of a configuration that gave no time; lists end with word NULL. */
struct failure {
	const char *word;
	enum at_outcome outcome;
	const char *reason;
};

/* What a row of ours says beside what its format has words for; strbufs: the words are
   needed when the row is through. */
struct own_words {
	struct at_strbuf outcome;
	struct at_strbuf detail;
};

struct json_reading {
	struct at_json_reader reader;
	struct at_recording_builder builder;
	const char *path;
	double unit_seconds; /* of the times in the file */
	struct own_words own;
};

/* ---- recording_json_row.c: builder.result is the row's */

double json_to_ns(const struct json_reading *self, double value);
/* What a unit of time is in seconds; false: it is none, and *seconds stays. */
bool json_find_unit(const char *name, double *seconds);
/* AT_EINVAL at the line; what: a format for `which`. */
enum at_status json_fail(const struct json_reading *self, const char *what,
	const char *which, struct at_error *err);
enum at_status json_read_parameter(
	struct json_reading *self, size_t parameter, struct at_error *err);
/* A number that a row may lack; NAN where it is none. */
enum at_status json_read_number(
	struct json_reading *self, double *out, struct at_error *err);
/* An array of times; what is no time in it is left out, and so is all else. */
enum at_status json_read_samples(struct json_reading *self, struct at_error *err);
/* The outcome for the file's word; one that is in neither list: the launch failed. */
enum at_status json_set_failure(struct json_reading *self,
	const struct failure *failures, const char *word, struct at_error *err);
/* Adds two parts of a time, of which some may not be known. */
double json_add_known(double a, double b);
/* A key of a row that its format does not have, or that nobody wants. */
enum at_status json_read_other(
	struct json_reading *self, const char *key, struct at_error *err);
/* Ends a row: what is not consistent in it is put right, or refused. */
enum at_status json_end_row(struct json_reading *self, struct at_error *err);

/* ---- recording_json_cache.c */

/* The value of "cache"; what a file that ends too early lacks is left out. */
enum at_status json_read_cache(struct json_reading *self, struct at_error *err);

/* ---- recording_json_t4.c */

/* The value of "results". */
enum at_status json_read_results(struct json_reading *self, struct at_error *err);

#endif
