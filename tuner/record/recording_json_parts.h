/*
 * A recording in JSON while it is read. recording_json.c reads what surrounds the rows
 * and hands the rows to recording_json_cache.c or recording_json_t4.c, which both use
 * recording_json_row.c. No other file includes this. Functions that return a status
 * return AT_EINVAL or AT_ESYNTAX with the line, or AT_ENOMEM.
 */
#ifndef AT_RECORD_RECORDING_JSON_PARTS_H
#define AT_RECORD_RECORDING_JSON_PARTS_H

#include "base/json_reader.h"
#include "record/recording_build.h"

/* The time that Kernel Tuner writes for a failure where it needs a number, and that
   older files have in place of a word. */
#define FAILED_TIME 1e20

/* What a word of the file for a configuration without a time means here. Lists end with
   a word NULL. */
struct failure {
	const char *word;
	enum at_outcome outcome;
	const char *reason;
};

/* Our own outcome and detail in a row, which formats have no key for. Copied, since the
   reader's texts are gone when the row ends and they are needed. */
struct own_words {
	struct at_strbuf outcome;
	struct at_strbuf detail;
};

/* A file while it is read. */
struct json_reading {
	struct at_json_reader reader;
	struct at_recording_builder builder;
	const char *path;
	double unit_seconds; /* of the times in the file, in seconds */
	struct own_words own;
};

/* ---- recording_json_row.c: works on builder.result, the current row */

/* A time of the file in nanoseconds. */
double json_to_ns(const struct json_reading *self, double value);
/* Sets *seconds to a unit of time, by its name. False: no unit, and *seconds is
   unchanged. */
bool json_find_unit(const char *name, double *seconds);
/* Fails with AT_EINVAL at the current line. what: a format with one %s, for `which`. */
enum at_status json_fail(const struct json_reading *self, const char *what,
	const char *which, struct at_error *err);
/* Reads the value of a parameter. AT_EINVAL: a number that is not finite. */
enum at_status json_read_parameter(
	struct json_reading *self, size_t parameter, struct at_error *err);
/* Reads a number that a row may lack: NAN for anything else. */
enum at_status json_read_number(
	struct json_reading *self, double *out, struct at_error *err);
/* Reads an array of times as samples. Entries that are no time are left out, and so is
   anything but an array. */
enum at_status json_read_samples(struct json_reading *self, struct at_error *err);
/* Sets the outcome for the file's word. A word that is neither in `failures` nor one of
   ours means that the launch failed. */
enum at_status json_set_failure(struct json_reading *self,
	const struct failure *failures, const char *word, struct at_error *err);
/* The sum of two durations; where one is NAN the other one. */
double json_add_known(double a, double b);
/* Reads one of our own keys, or skips a key that nobody uses. */
enum at_status json_read_other(
	struct json_reading *self, const char *key, struct at_error *err);
/* Ends a row. Contradictions in it are resolved, or refused with AT_EINVAL. */
enum at_status json_end_row(struct json_reading *self, struct at_error *err);

/* ---- recording_json_cache.c */

/* Reads the value of "cache". If the file ends too early, the complete rows are
   taken. */
enum at_status json_read_cache(struct json_reading *self, struct at_error *err);

/* ---- recording_json_t4.c */

/* Reads the value of "results". */
enum at_status json_read_results(struct json_reading *self, struct at_error *err);

#endif
