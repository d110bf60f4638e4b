/*
 * Writes recorded evaluations for other tools: all of one space, problem and device as
 * one text. Deterministic.
 *
 *   t4            the common format of the auto-tuners, JSON, times in milliseconds
 *   kernel-tuner  a cache file of Kernel Tuner, which can simulate with it
 *   csv           RFC 4180 with a line of names: everything known of each evaluation,
 *                 with a column for each parameter
 *
 * The first two have the newest evaluation of each configuration. CSV has all that
 * count, one for each source, compiler and driver, in the order of time. Evaluations of
 * an older state of the space, with other parameters, are left out.
 *
 * A CSV column is known by its name, from the table in csv.c. Any other column is a
 * parameter if it precedes "outcome" and "time_ns", or if its name begins with
 * "parameter."; a parameter with the name of a known column gets that prefix.
 *
 * Spreadsheets take a cell that begins with = + - @ for a formula. So a ' precedes
 * every text (but no number) that begins with one of these, a tab, a line end or a '.
 * It also precedes a text that would read as a number or a truth value, and a
 * parameter's empty value. A reader, like csv.c, takes the text after the first '.
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_EXPORT_H
#define AT_RECORD_EXPORT_H

#include "base/memory.h"
#include "record/store.h"

#define AT_EXPORTS(X) \
	X(T4, "t4", "t4.json") \
	X(CSV, "csv", "csv") \
	X(KERNEL_TUNER, "kernel-tuner", "cache.json")

enum at_export_format {
	AT_EXPORT_NONE = 0,
#define AT_EXPORT_ENUM(symbol, name, ending) AT_EXPORT_##symbol,
	AT_EXPORTS(AT_EXPORT_ENUM)
#undef AT_EXPORT_ENUM
};

/* AT_EXPORT_NONE for an unknown name. */
enum at_export_format at_export_from_name(const char *name);
/* The extension of a file's name, without the first dot; static storage. */
const char *at_export_ending(enum at_export_format format);

/* One space and problem on one model of device. */
struct at_export_group {
	char *space;
	char *problem;
	struct at_record_device device;
};

struct at_export_groups {
	size_t count;
	size_t capacity;
	struct at_export_group *items; /* by space, device id, problem */
};

/* Lists what can be exported of a space (NULL: of all) and a kind of devices (NULL: of
   all). *out must be released, also after a failure. Reads all evaluations, unless
   there is no device of the kind. */
enum at_status at_export_list(struct at_store *store, const char *space,
	const char *kind, struct at_export_groups *out, struct at_error *err);
/* Frees all groups and zeroes it. */
void at_export_release(struct at_export_groups *self);

/* Appends the export of a group to out. AT_ENOENT: nothing is recorded. AT_EINVAL: the
   format cannot express a parameter's name. */
enum at_status at_export_write(struct at_store *store,
	const struct at_export_group *group, enum at_export_format format,
	struct at_strbuf *out, struct at_error *err);

/* The same for CSV (csv.c): all evaluations of the group that have the parameters of
   its newest one, in the order of time. */
enum at_status at_export_csv(struct at_store *store,
	const struct at_export_group *group, struct at_strbuf *out,
	struct at_error *err);

#endif
