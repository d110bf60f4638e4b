/*
 * A recording in JSON while it is read. recording_json.c reads what surrounds the rows
 * and hands the rows to recording_json_cache.c, recording_json_t4.c or
 * recording_json_ktt.c, which all use recording_json_row.c. No other file includes
 * this. Functions that return a status return AT_EINVAL or AT_ESYNTAX with the line, or
 * AT_ENOMEM.
 */
#ifndef AT_RECORD_RECORDING_JSON_PARTS_H
#define AT_RECORD_RECORDING_JSON_PARTS_H

#include "base/json_reader.h"
#include "record/recording_build.h"

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
	/* the file names its unit of time; else it is the one of its format */
	bool names_unit;
	bool is_clblast; /* a key says that CLBlast's tuners wrote it */
	/* values of parameters are texts, whatever they are (KTT's T4 files) */
	bool has_texts_for_values;
	/* what was tuned for is a time, under another name */
	bool is_time_objective;
	/* of T4: rows whose samples are in the unit that the file states, rows whose
	   samples are in that of the time beside them, and the ratio of these two units
	   (0: no such row) */
	size_t stated_unit_votes;
	size_t guessed_unit_votes;
	double guessed_ratio;
	bool *are_means; /* by row: its time is the mean of its samples */
	size_t mean_capacity;
	size_t row; /* the current row's number, from 1, for errors */
	size_t untimed_count; /* rows that have neither a time nor a word for why */
	size_t ok_count;
	struct own_words own;
};

/* ---- recording_json_row.c: works on builder.result, the current row */

/* A time of the file in nanoseconds. */
double json_to_ns(const struct json_reading *self, double value);
/* Sets *seconds to a unit of time, by its name. False: no unit, and *seconds is
   unchanged. */
bool json_find_unit(const char *name, double *seconds);
/* Fails with AT_EINVAL at the current line. what: a format with one %s, for `which`. In
   a row its number stands in front, since many files are one line. */
enum at_status json_fail(const struct json_reading *self, const char *what,
	const char *which, struct at_error *err);
/* Reads the value of a parameter. AT_EINVAL: no plain value, a number that is not
   finite, or the row has one already. */
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
/* Reads "timestamp" and the keys that we add; *is_known false: the key is none of
   them, and its value is not read. */
enum at_status json_read_own(struct json_reading *self, const char *key, bool *is_known,
	struct at_error *err);
/* A row may have samples and no time: their mean is the time then. */
void json_set_mean(struct json_reading *self);
/* Ends a row. A row without a time is a failure. AT_EINVAL: it has no value of a
   parameter, or there are no parameters. */
enum at_status json_end_row(struct json_reading *self, struct at_error *err);
/* Replaces *out by a text of the file; anything but a text is skipped. */
enum at_status json_read_text(
	struct json_reading *self, const char *key, char **out, struct at_error *err);
/* Reads what a file was tuned for: a word or a list of words. */
enum at_status json_read_objective(struct json_reading *self, struct at_error *err);
/* Reads an array of rows, each of them by read_row. */
enum at_status json_read_rows(struct json_reading *self,
	enum at_status (*read_row)(struct json_reading *, struct at_error *),
	struct at_error *err);
/* Ends the rows. AT_EINVAL: no row passed, and some do not say why, so that this is a
   recording of something else than times. */
enum at_status json_end_rows(const struct json_reading *self, struct at_error *err);

/* ---- recording_json_cache.c */

/* Reads the value of "cache". If the file ends too early, the complete rows are
   taken. */
enum at_status json_read_cache(struct json_reading *self, struct at_error *err);

/* ---- recording_json_t4.c */

/* Reads the value of "results". */
enum at_status json_read_results(struct json_reading *self, struct at_error *err);

/* ---- recording_json_ktt.c */

/* Reads the value of "Metadata": the unit of time, and the device. */
enum at_status json_read_ktt_metadata(struct json_reading *self, struct at_error *err);
/* Reads the value of "Results"; "Metadata" is known. */
enum at_status json_read_ktt_results(struct json_reading *self, struct at_error *err);

#endif
