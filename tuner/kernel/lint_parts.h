/*
 * What is known of a space's parameters while a template is read, as the files share
 * it: lint.c collects it, lint_tell.c, lint_types.c and lint_data.c write the warnings.
 * No other file includes this.
 */
#ifndef AT_KERNEL_LINT_PARTS_H
#define AT_KERNEL_LINT_PARTS_H

#include "kernel/lint.h"
#include "kernel/scan.h"

/* A place in a file; `file` is borrowed from the walk or the template. */
struct place {
	const char *file;
	int line;
};

/* What is known of one parameter. */
struct usage {
	bool is_read; /* for more than whether it is defined */
	bool is_read_elsewhere; /* by a file that the template includes */
	/* by the template or a file that it includes, under a condition or not */
	bool is_defined;
	/* ahead of `replaced`, by a file that is included there */
	bool may_be_read_before;
	struct place asked; /* where #ifdef or the like asks for it; line 0: nowhere */
	struct place decides; /* the first #if that reads its value */
	/* where the template defines it anew, under no condition and before it was
	   read */
	struct place replaced;
};

/* A comparison NAME == word, or NAME != word, in an #if. */
struct comparison {
	size_t parameter;
	/* points into the space: the text of a file is freed once it was read */
	const char *word;
	bool is_equal;
	struct place place;
};

/* An #if that has not been closed. */
struct condition {
	/* It only keeps a file from being included twice, so what stands in it counts
	   as standing in no condition. */
	bool is_include_guard;
	/* The line of an #if for architectures that device `host` is not, in no other
	   condition and without an #else so far; 0: it is none. */
	int above_host;
};

struct lint {
	const struct at_spec *spec;
	struct usage *usages; /* one for each parameter */
	/* hashes of the names of macros that files and options define */
	uint64_t *macros;
	size_t macro_count;
	size_t macro_capacity;
	struct comparison *comparisons;
	size_t comparison_count;
	size_t comparison_capacity;
	at_lint_listener *listener;
	void *context;
	/* where the template has "extern __shared__" outside of any condition */
	struct place external;
	int since_extern; /* 1 in a declaration with extern, else 0 */
	/* where the template has a main() or a launch outside of any condition */
	struct place program;
	/* Of the file that is being read: */
	const char *file;
	bool is_template;
	bool has_included; /* something was included ahead of the current place */
	struct condition *conditions;
	size_t condition_count;
	size_t condition_capacity;
	/* what the directive before this one asked for with #ifndef; length 0:
	   nothing */
	struct at_lexeme guard;
};

/* ---- lint_tell.c */

/*
 * All values that the file gives to the parameter, even if --set leaves only some of
 * them.
 */
void lint_values(const struct at_parameter *parameter, const struct at_value **values,
	size_t *count);
/* The index of the parameter of that name; parameter_count where there is none. */
size_t lint_find_parameter(const struct lint *self, struct at_lexeme lexeme);

/* The line of a place in a text, from 1. */
int lint_line_of(const char *text, const char *at);

/*
 * The functions from here on warn the listener. The first one with any text.
 */
void lint_tell_at(
	const struct lint *self, const char *file, int line, const char *text);
/*
 * A reference that is the tuned kernel itself: its mistakes are taken for right.
 */
void lint_tell_reference(const struct lint *self);
/*
 * Comparisons of a parameter with a word that is no macro: they are the same for all
 * values.
 */
void lint_tell_comparisons(const struct lint *self);
/*
 * A parameter that is read nowhere, or whose values do not reach what reads it.
 * in_template: the template or a file that it includes reads it. is_open: it may be
 * read in ways that are not seen.
 */
void lint_tell_usage(
	const struct lint *self, size_t index, bool in_template, bool is_open);

/* Shared memory whose size only the launch can give, in a space in which none does. */
void lint_tell_shared(const struct lint *self);
/* Code of a program in the template, which no compiler of kernels takes. */
void lint_tell_program(const struct lint *self);
/* Code for architectures that device `host` is not, without any in its place. */
void lint_tell_architecture(const struct lint *self, int line);
/* A kernel that synchronizes the whole grid, which needs a cooperative launch. */
void lint_tell_grid(const struct lint *self, const char *text);
/*
 * A folder of -I that is not there, which compilers pass over in silence. options: the
 * texts of the space's options.
 */
void lint_tell_folders(const struct lint *self, char *const *options);
/*
 * Parameters as other tools have them in templates, {{ BLOCK }}, ${BLOCK}, @BLOCK@:
 * what a compiler says of these is no help.
 */
void lint_tell_placeholders(const struct lint *self, const char *text);
/*
 * In lint_types.c: buffers whose type differs from that of the pointer in the
 * template, arguments that stand in each other's place, and a wrong number of them.
 */
void lint_tell_types(const struct lint *self, const char *text);
/*
 * In lint_data.c: constant memory without a value that no argument fills, arguments
 * that no kernel takes, and a parameter in "#pragma unroll", where nvcc sees none.
 */
void lint_tell_constants(const struct lint *self, const char *text);
void lint_tell_untaken(const struct lint *self);
void lint_tell_unroll(const struct lint *self, const char *text, size_t index);
/*
 * A parameter that a C++ template takes, so that it is no macro, and that an #if reads.
 */
void lint_tell_condition(const struct lint *self, size_t index);

#endif
