/* The columns of the table of evaluations as members of struct at_evaluation. Shared by
   the files of the store; no other file includes it. */
#ifndef AT_RECORD_EVALUATION_COLUMNS_H
#define AT_RECORD_EVALUATION_COLUMNS_H

#include "record/columns.h"
#include "record/store.h"

/* The columns before created_seconds, which has its own expression when a row is added
   (store_insert.c), and those behind it. */
#define EVALUATION_COLUMNS_AHEAD(X) \
	X(struct at_evaluation, key, HASH) \
	X(struct at_evaluation, run_id, RUN) \
	X(struct at_evaluation, device_id, DEVICE) \
	X(struct at_evaluation, space, NAME) \
	X(struct at_evaluation, problem, NAME) \
	X(struct at_evaluation, problem_json, VALUES) \
	X(struct at_evaluation, configuration, VALUES) \
	X(struct at_evaluation, outcome, OUTCOME) \
	X(struct at_evaluation, detail, TEXT) \
	X(struct at_evaluation, time_ns, REAL) \
	X(struct at_evaluation, low_ns, REAL) \
	X(struct at_evaluation, high_ns, REAL) \
	X(struct at_evaluation, launches_per_sample, KNOWN) \
	X(struct at_evaluation, raced, FLAG) \
	X(struct at_evaluation, flops, REAL) \
	X(struct at_evaluation, bytes, REAL) \
	X(struct at_evaluation, is_double, FLAG) \
	X(struct at_evaluation, max_relative_error, ERROR) \
	X(struct at_evaluation, measure_ns, KNOWN) \
	X(struct at_evaluation, clock_hz, KNOWN) \
	X(struct at_evaluation, throttled, FLAG)
#define EVALUATION_COLUMNS_BEHIND(X) \
	X(struct at_evaluation, board, WORD) \
	X(struct at_evaluation, image, HASH_OR_NULL)
#define EVALUATION_COLUMNS(X) \
	EVALUATION_COLUMNS_AHEAD(X) \
	X(struct at_evaluation, created_seconds, SECONDS) \
	EVALUATION_COLUMNS_BEHIND(X)

/* For SQL: the names of all columns. The facts come after the rest. */
#define EVALUATION_NAMES EVALUATION_COLUMNS(AT_COLUMN_NAME) AT_FACTS(AT_MEMBER_NAME)

/* The columns of EVALUATION_COLUMNS and then those of AT_FACTS, in that order. */
extern const size_t at_evaluation_column_count;
extern const struct at_column at_evaluation_columns[];

#endif
