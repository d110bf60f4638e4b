/*
 * Evaluations as CSV, written and read: RFC 4180 with a line of names, one row an
 * evaluation. A column of the table in csv.c is known by its name. Any other column is
 * a parameter if it stands in front of "outcome" and "time_ns", or if its name begins
 * with "parameter."; a parameter with the name of a known column always has that
 * prefix.
 *
 * Spreadsheets open CSV, and take a cell that begins with = + - @ for a formula,
 * whoever wrote it. So a ' is put in front of every text (not of numbers) that begins
 * with one of these, with a tab, a line end or a ', that would read as a number or a
 * truth value, or that is an empty value of a parameter. The reader removes it.
 *
 * Threads: as the store.
 */
#ifndef AT_RECORD_CSV_H
#define AT_RECORD_CSV_H

#include "record/export.h"

/* Appends all evaluations of the group with the parameters of its newest one, in the
   order of time. AT_ENOENT: the group has no evaluation. */
enum at_status at_export_csv(struct at_store *store,
	const struct at_export_group *group, struct at_strbuf *out,
	struct at_error *err);

#endif
