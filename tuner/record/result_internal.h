/* What the files of the results share; nobody else includes it. */
#ifndef AT_RECORD_RESULT_INTERNAL_H
#define AT_RECORD_RESULT_INTERNAL_H

#include "record/result.h"

#define AT_ISO_TIME_SIZE 32

/* 2025-11-21T09:05:00Z */
char *at_result_iso_time(int64_t seconds, char buffer[AT_ISO_TIME_SIZE]);

/* <directory>/<kernel><ending>, with nothing in the name that leads elsewhere; heap. */
char *at_result_path(const char *directory, const char *kernel, const char *ending);

bool at_result_is_size(const struct at_spec *spec, int slot);

/*
 * Appends an expression of the space file as C: parameters as their macros behind
 * prefix, sizes as a macro's arguments of their names, properties of the device
 * as numbers. false, and nothing, for one that C's types would make another of.
 */
bool at_result_write_expression(const struct at_spec *spec,
	const struct at_record_device *device, const char *prefix,
	const struct at_expression *expression, struct at_strbuf *out);

/*
 * The functions of a space file's expressions as macros (AUTOTUNE_CEIL_DIV, ...):
 * those that text uses, and what they use themselves, each defined once however
 * many headers are included.
 */
void at_result_write_functions(const char *text, struct at_strbuf *out);

#endif
