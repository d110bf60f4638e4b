/* What the files that write a kernel's header share; no other file includes it. */
#ifndef AT_RECORD_HEADER_INTERNAL_H
#define AT_RECORD_HEADER_INTERNAL_H

#include "base/escape.h"
#include "record/header_plan.h"
#include "record/result.h"

/* A header while it is written. */
struct at_header_writer {
	const struct at_spec *spec;
	const struct at_header_plan *plan;
	char *kernel; /* the space's name as part of a macro: MATMUL */
	char *prefix; /* the same as part of a function's name: matmul */
	/*
	 * The template's kernels, and the variables that the space names. Each
	 * configuration needs its own name for them, since a program cannot define one
	 * name twice.
	 */
	size_t function_count;
	char **functions;
	bool *is_hidden; /* by parameter: at_source_is_template_parameter() */
	/* names of macros that are in use; the texts are on the heap */
	size_t name_count, name_capacity;
	char **names;
	/* The names by which a choice calls each device and problem, borrowed from
	   names; NULL: the device or problem has no winner. */
	const char **device_names, **problem_names;
	struct at_strbuf *out; /* where the writers append */
	struct at_error *err;
};

/* ---- header_text.c ---- */

/* Whether the text may stand behind #define NAME as it is. */
bool at_header_is_plain(const char *text);

/*
 * Appends the formatted text with its abbreviations written out: $K the kernel's name
 * in macros (MATMUL), $k in functions (matmul), $P ", long long size_M, double size_F"
 * for all sizes, $A ", size_M, size_F", and $U a line "(void)size_M; ...".
 */
void at_header_add(struct at_header_writer *self, const char *format, ...)
	AT_PRINTF(2, 3);

/* Reserves a macro's name: the formatted text, with '_' appended until no other macro
   has it. *out is borrowed from the writer. */
void at_header_claim(struct at_header_writer *self, const char **out,
	const char *format, ...) AT_PRINTF(3, 4);

/* ---- header_template.c ---- */

/* Reads the template: fills functions and is_hidden, and writes the hash of the
   template and what it includes to `hash`. */
enum at_status at_header_read_template(
	struct at_header_writer *self, char hash[AT_HASH_HEX_SIZE]);

/* ---- header_macros.c, header_select.c ---- */

/* the macros of all configurations, and the figures of each device and problem */
enum at_status at_header_write_macros(struct at_header_writer *self);
/* the numbers of devices and problems, by which a compile-time choice names them;
   before all other names are reserved */
void at_header_write_names(struct at_header_writer *self);
/* the compile-time choice: short names, bare names, names of kernels */
enum at_status at_header_write_selection(struct at_header_writer *self);
/* Whether the tuned kernel is an instance of a C++ template. */
bool at_header_has_instances(const struct at_header_writer *self);
/* Calls visit for every macro that the template is given: the parameters and, for
   parameters that are words, each of the words. Ends at the first failure. */
enum at_status at_header_walk_macros(struct at_header_writer *self,
	const struct at_header_configuration *configuration,
	enum at_status (*visit)(void *context, const char *name, const char *value),
	void *context);

/* ---- header_launch.c ---- */

/* the devices, launch(), fits() and choose() */
void at_header_write_functions(struct at_header_writer *self);
/* Whether C has this size as a double: it is a real in one problem at least. */
bool at_header_is_real(const struct at_spec *spec, size_t size);
#endif
