/*
 * What is known of a template's parameters while it is read, as its files share it:
 * reading.c fills it in, reading_tell.c tells people. Nobody else includes this.
 */
#ifndef AT_KERNEL_READING_PARTS_H
#define AT_KERNEL_READING_PARTS_H

#include "kernel/reading.h"
#include "kernel/scan.h"

/* Where something stands; file is borrowed from the walk or the template. */
struct place {
	const char *file;
	int line;
};

/* What is known of a parameter. */
struct usage {
	bool is_read; /* for more than whether it is defined */
	bool is_read_elsewhere; /* by a file that the template includes */
	bool is_defined; /* by the template or what it includes, guarded or not */
	bool may_be_read_before; /* before `replaced`: by what is included there */
	struct place asked; /* #ifdef and the like; line 0: nowhere */
	struct place decides; /* the first #if that reads it */
	struct place replaced; /* an unguarded #define before it is read */
};

/* NAME == word */
struct comparison {
	size_t parameter;
	const char *word; /* the space's: a file's text goes when it is read */
	bool is_equal;
	struct place place;
};

/* An #if that is open. */
struct condition {
	/* nothing but what keeps a file from being read twice: what stands in it stands
	   in no condition */
	bool is_include_guard;
};

struct reading {
	const struct at_spec *spec;
	struct usage *usages; /* one a parameter */
	uint64_t *macros; /* names that files define, hashed */
	size_t macro_count;
	size_t macro_capacity;
	struct comparison *comparisons;
	size_t comparison_count;
	size_t comparison_capacity;
	at_reading_listener *listener;
	void *context;
	/* where the template has "extern __shared__" under no condition */
	struct place external;
	int since_extern; /* lexemes; 0: no extern was seen of late */
	/* of the file in work */
	const char *file;
	bool is_template;
	bool has_included; /* something, in front of what is looked at */
	struct condition *conditions;
	size_t condition_count;
	size_t condition_capacity;
	/* what #ifndef asked for in the directive before this one; length 0: none */
	struct at_lexeme guard;
};

/* ---- reading_tell.c */

/* All values that the parameter has in the file, whatever --set leaves of them. */
void reading_values(const struct at_parameter *parameter,
	const struct at_value **values, size_t *count);
/* The parameter of that very name; parameter_count: there is none. */
size_t reading_find_parameter(const struct reading *self, struct at_lexeme lexeme);
/* Some file defines the name. */
bool reading_is_macro(const struct reading *self, struct at_lexeme name);

/* Comparisons with words that are no macros, which are the same for every value. */
void reading_tell_reference(const struct reading *self);
void reading_tell_comparisons(const struct reading *self);
/*
 * A parameter that is read nowhere, or whose values do not reach what reads it.
 * in_template: the template itself or what it includes reads it. is_open: something may
 * be read that nobody saw.
 */
void reading_tell_usage(
	const struct reading *self, size_t index, bool in_template, bool is_open);

/* Shared memory whose size the launch says, where none does. */
void reading_tell_shared(const struct reading *self);
/* Threads of a grid that wait for each other. */
void reading_tell_grid(const struct reading *self, const char *text);
/* reading_types.c: buffers of other types than the pointers in the template's text. */
void reading_tell_types(const struct reading *self, const char *text);
/* A parameter that is one of a C++ template's, no macro, and decides an #if. */
void reading_tell_condition(const struct reading *self, size_t index);

#endif
