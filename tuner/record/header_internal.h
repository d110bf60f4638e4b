/* What the files of the header share; nobody else includes it. */
#ifndef AT_RECORD_HEADER_INTERNAL_H
#define AT_RECORD_HEADER_INTERNAL_H

#include "base/escape.h"
#include "record/header_plan.h"
#include "record/result.h"

struct at_header_writer {
	const struct at_spec *spec;
	const struct at_header_plan *plan;
	char *kernel; /* MATMUL */
	char *prefix; /* matmul */
	/* the functions that a template defines for a device, and the variables that
	   the space names: none of them can be in a program twice */
	size_t function_count;
	char **functions;
	bool *is_hidden; /* one a parameter: at_source_is_template_parameter() */
	/* macros that are taken, each once */
	size_t name_count, name_capacity;
	char **names;
	/* what a choice calls them, borrowed from names; NULL: it has no winner */
	const char **device_names, **problem_names;
	struct at_strbuf *out;
	struct at_error *err;
};

/* ---- header_text.c ---- */

/* Whether it may stand behind #define NAME as it is. */
bool at_header_is_plain(const char *text);

/*
 * Takes a macro's name, with a '_' behind it as often as it is taken already; *out is
 * borrowed from the writer. AT_ENOMEM.
 */
enum at_status at_header_claim(struct at_header_writer *self, const char **out,
	const char *format, ...) AT_PRINTF(3, 4);

/* ---- header_template.c ---- */

/* Fills functions and is_hidden, and the hash of the template and what it includes. */
enum at_status at_header_read_template(
	struct at_header_writer *self, char hash[AT_HASH_HEX_SIZE]);

/* ---- header_macros.c, header_select.c ---- */

/* the configurations, and the figures of each device and problem */
enum at_status at_header_write_macros(struct at_header_writer *self);
/* the numbers of what may be chosen when it is compiled, before all other names */
enum at_status at_header_write_names(struct at_header_writer *self);
/* that choice: short names, bare names, names of kernels */
enum at_status at_header_write_selection(struct at_header_writer *self);
/* The tuned kernel is an instance of a template of C++. */
bool at_header_has_instances(const struct at_header_writer *self);
/*
 * Calls visit for every macro that the template is given: parameters, and of words
 * also each of their values.
 */
enum at_status at_header_walk_macros(struct at_header_writer *self,
	const struct at_header_configuration *configuration,
	enum at_status (*visit)(void *context, const char *name, const char *value),
	void *context);

/* ---- header_launch.c, header_choose.c ---- */

/* the devices, launch() and fits() */
void at_header_write_launch(struct at_header_writer *self);
/* choose() */
void at_header_write_choose(struct at_header_writer *self);
/* ", long long size_M, double size_F", and ", size_M, size_F" */
void at_header_add_parameters(struct at_header_writer *self);
void at_header_add_arguments(struct at_header_writer *self);
/* "(void)size_M;" and so on, a line */
void at_header_add_uses(struct at_header_writer *self);
/* Whether a size is a double: of one problem at least. */
bool at_header_is_real(const struct at_spec *spec, size_t size);
/*
 * "size_M == 4096LL && ..." of the sizes that the entry has; 1 where it has none.
 */
void at_header_add_equality(
	struct at_header_writer *self, const struct at_header_entry *entry);

#endif
