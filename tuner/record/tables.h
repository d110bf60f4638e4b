/*
 * The tables of a record: all columns with their kinds. The lists serve to make and
 * upgrade tables (store_schema.c), to bind and read rows as structs, to check opened
 * records, and to merge (merge.c).
 *
 * A new column is a line at the end of its list and a higher VERSION in store_schema.c.
 * Samples and log stay the last columns of an evaluation, since SQLite reads a row up
 * to the last column in a statement.
 *
 * X(column, member of the struct, kind of record/cell.h, SAME or MORE): two rows are
 * equal if they agree in all SAME columns.
 *
 *   "INSERT INTO crowns (id" AT_WINNER_COLUMNS(AT_COLUMN_NAME) ") VALUES (NULL"
 *           AT_WINNER_COLUMNS(AT_COLUMN_MARK) ")"
 *
 * Threads: as the database.
 */
#ifndef AT_RECORD_TABLES_H
#define AT_RECORD_TABLES_H

#include "record/cell.h"

#include <stddef.h>

#define AT_DEVICE_COLUMNS(X) /* struct at_record_device */ \
	X(kind, kind, NAME, SAME) \
	X(slug, slug, SLUG, SAME) \
	X(model, model, NAME, MORE) \
	X(architecture, architecture, WORD, MORE) \
	X(driver, driver, WORD, MORE) \
	X(uuid, uuid, WORD, MORE)

/* All except created_seconds, which needs an expression when a row is added. */
#define AT_EVALUATION_COLUMNS(X) /* struct at_evaluation */ \
	X(key, key, HASH, SAME) \
	X(run_id, run_id, RUN, MORE) \
	X(device_id, device_id, DEVICE, SAME) \
	X(space, space, NAME, SAME) \
	X(problem, problem, NAME, SAME) \
	X(problem_json, problem_json, VALUES, MORE) \
	X(configuration, configuration, VALUES, SAME) \
	X(outcome, outcome, OUTCOME, SAME) \
	X(detail, detail, TEXT, MORE) \
	X(time_ns, time_ns, REAL, SAME) \
	X(low_ns, low_ns, REAL, MORE) \
	X(high_ns, high_ns, REAL, MORE) \
	X(launches_per_sample, launches_per_sample, KNOWN, MORE) \
	X(raced, raced, FLAG, MORE) \
	X(registers, facts.registers, KNOWN, MORE) \
	X(local_bytes, facts.local_bytes, KNOWN, MORE) \
	X(spill_store_bytes, facts.spill_store_bytes, KNOWN, MORE) \
	X(spill_load_bytes, facts.spill_load_bytes, KNOWN, MORE) \
	X(shared_bytes, facts.shared_bytes, KNOWN, MORE) \
	X(threads_per_block, facts.threads_per_block, KNOWN, MORE) \
	X(blocks, facts.blocks, KNOWN, MORE) \
	X(resident_blocks, facts.resident_blocks, KNOWN, MORE) \
	X(occupancy, facts.occupancy, FRACTION, MORE) \
	X(limiting_factor, facts.limiting_factor, LINE, MORE) \
	X(compile_ns, facts.compile_ns, KNOWN, MORE) \
	X(flops, flops, REAL, MORE) /* of one launch */ \
	X(bytes, bytes, REAL, MORE) \
	X(is_double, is_double, FLAG, MORE) \
	X(max_relative_error, max_relative_error, ERROR, MORE) \
	X(measure_ns, measure_ns, KNOWN, MORE) \
	X(clock_hz, clock_hz, KNOWN, MORE) \
	X(throttled, throttled, FLAG, MORE) \
	X(board, board, WORD, SAME) /* uuid */ \
	X(image, image, HASH_OR_NULL, MORE) \
	X(counters, counters, JSON, MORE)

/* The newest row of a device, space and problem counts, others are history; rows of a
   portfolio are not winners. */
#define AT_WINNER_COLUMNS(X) /* struct at_winner */ \
	X(device_id, device_id, DEVICE, SAME) \
	X(space, space, NAME, SAME) \
	X(problem, problem, NAME, SAME) \
	X(evaluation_id, evaluation_id, EVALUATION, SAME) \
	X(baseline_id, baseline_id, BASELINE, MORE) \
	X(evaluation_count, evaluation_count, COUNT, MORE) \
	X(ok_count, ok_count, COUNT, MORE) \
	X(objective, objective, OBJECTIVE, SAME) \
	X(value, score.value, REAL, SAME) /* in the objective's unit */ \
	X(low, score.low, REAL, MORE) \
	X(high, score.high, REAL, MORE) \
	X(speedup, speedup, REAL, MORE) \
	X(speedup_low, speedup_low, REAL, MORE) \
	X(speedup_high, speedup_high, REAL, MORE) \
	/* the baseline's value is the winner's times the speed-up */ \
	X(baseline_low, baseline_low, REAL, MORE) \
	X(baseline_high, baseline_high, REAL, MORE) \
	X(measurement, measurement, JSON, MORE) \
	X(toolchain, toolchain, WORD, MORE) \
	X(driver, driver, WORD, MORE) \
	X(source_hash, source_hash, WORD, MORE) \
	X(metrics, metrics, JSON, MORE) \
	X(launch, launch, LAUNCH, MORE) \
	X(options, options, OPTIONS, MORE) \
	X(gains, gains, JSON, MORE) \
	X(is_unproved, is_unverified, FLAG, SAME) \
	X(proof, verification, JSON, MORE) \
	X(part, part, WORD, SAME) \
	X(met, met, WORD, MORE) \
	X(portfolio_id, portfolio_id, PORTFOLIO, SAME) \
	X(member, member, COUNT, MORE) \
	/* against the problem's winner; 0: it is the winner */ \
	X(loss, loss, SIGNED, MORE) \
	X(loss_low, loss_low, SIGNED, MORE) \
	X(loss_high, loss_high, SIGNED, MORE) \
	X(created_seconds, created_seconds, SECONDS, SAME) \
	/* when finals last confirmed it; 0: not since it won */ \
	X(stood_seconds, stood_seconds, SECONDS, MORE)

/* the newest row of a device counts */
#define AT_CEILING_COLUMNS(X) /* struct at_record_ceilings */ \
	X(device_id, device_id, DEVICE, SAME) \
	X(copy_bytes_per_second, ceilings.copy_bytes_per_second, REAL, SAME) \
	X(float_flops_per_second, ceilings.float_flops_per_second, REAL, SAME) \
	X(double_flops_per_second, ceilings.double_flops_per_second, REAL, SAME) \
	X(driver, driver, WORD, SAME) \
	X(created_seconds, created_seconds, SECONDS, SAME)

/* nights: new finals of a winner and its baseline */
#define AT_REVISIT_COLUMNS(X) /* struct at_revisit */ \
	X(device_id, device_id, DEVICE, SAME) \
	X(board, board, WORD, SAME) \
	X(run_id, run_id, RUN, MORE) \
	X(space, space, NAME, SAME) \
	X(problem, problem, NAME, SAME) \
	X(configuration, configuration, VALUES, SAME) \
	X(source_hash, source_hash, WORD, SAME) \
	X(outcome, outcome, OUTCOME, SAME) /* of the winner */ \
	X(detail, detail, TEXT, MORE) \
	X(verdict, verdict, VERDICT, SAME) \
	X(objective, objective, OBJECTIVE, SAME) \
	X(value, score.value, REAL, SAME) \
	X(low, score.low, REAL, MORE) \
	X(high, score.high, REAL, MORE) \
	X(baseline, baseline.value, REAL, SAME) \
	X(baseline_low, baseline.low, REAL, MORE) \
	X(baseline_high, baseline.high, REAL, MORE) \
	X(speedup, speedup.value, REAL, MORE) \
	X(speedup_low, speedup.low, REAL, MORE) \
	X(speedup_high, speedup.high, REAL, MORE) \
	/* tonight's cost over that of earlier nights */ \
	X(change, change.value, REAL, MORE) \
	X(change_low, change.low, REAL, MORE) \
	X(change_high, change.high, REAL, MORE) \
	X(look_count, look_count, COUNT, MORE) /* number of measurements */ \
	X(clock_hz, clock_hz, KNOWN, MORE) \
	X(measurement, measurement, JSON, MORE) \
	X(conditions, conditions, JSON, MORE) \
	X(created_seconds, created_seconds, SECONDS, SAME)

/* The newest row of a device and space counts. The members, one for each problem, are
   winners with its id. */
#define AT_PORTFOLIO_COLUMNS(X) /* struct at_portfolio */ \
	X(device_id, device_id, DEVICE, SAME) \
	X(space, space, NAME, SAME) \
	X(loss_limit, loss_limit, REAL, SAME) /* 0.05 is 5 %; NULL: none */ \
	X(most, most, COUNT, SAME) /* members allowed; 0: any number */ \
	X(created_seconds, created_seconds, SECONDS, SAME)

/* cases on which configurations were wrong; all of a space count, on any device */
#define AT_COUNTEREXAMPLE_COLUMNS(X) /* struct at_counterexample */ \
	X(device_id, device_id, DEVICE, SAME) \
	X(space, space, NAME, SAME) \
	X(instance, instance, JSON, SAME) \
	X(failure, failure, JSON, MORE)

struct at_column {
	const char *name;
	enum at_cell kind;
	bool is_same; /* rows that agree in all such columns are equal */
	size_t offset; /* of its member in the struct */
};

#define AT_COLUMN_NAME(name, member, kind, same) ", " #name
#define AT_COLUMN_MARK(name, member, kind, same) ", ?"

/* A table: all columns except `id`, which every table has. */
struct at_table {
	const char *name;
	const struct at_column *columns;
	size_t count;
	size_t own; /* number of the first columns, members of the table's struct */
	size_t size; /* of the struct */
	const char *unique; /* SQL after the columns */
};

extern const struct at_table at_table_devices;
extern const struct at_table at_table_runs;
extern const struct at_table at_table_evaluations;
extern const struct at_table at_table_crowns;
extern const struct at_table at_table_ceilings;
extern const struct at_table at_table_revisits;
extern const struct at_table at_table_portfolios;
extern const struct at_table at_table_sources;
extern const struct at_table at_table_counterexamples;
/* All tables, NULL-terminated: each after those that it refers to. */
extern const struct at_table *const at_tables[];

/* The place of a column in the table's list, from 0. The column must exist. */
size_t at_table_column(const struct at_table *table, const char *name);

/* Binds the members of `row` (the table's struct) to places first, first + 1, ...;
   returns the next free place. A text of one line (AT_CELL_WORD, AT_CELL_LINE) that is
   too long or not printable is escaped by at_escape_line(). */
int at_columns_bind(const struct at_table *table, struct at_statement *statement,
	int first, const void *row);

/* Fills `row` from columns first, first + 1, ... of the current row. Its texts are heap
   copies: at_columns_release(). AT_EINVAL: a value is not of its kind; err names the
   column. */
enum at_status at_columns_read(const struct at_table *table,
	const struct at_statement *statement, int first, void *row,
	struct at_error *err);

/* Replaces the texts of `row`, a struct copied by assignment, by its own copies. */
void at_columns_copy_texts(const struct at_table *table, void *row);

/* Frees the texts of `row`, and sets all its members to zero. */
void at_columns_release(const struct at_table *table, void *row);

#endif
