/*
 * The internals of loading a space file; only spec_*.c include this. Each section of
 * the file has an at_spec_load_SECTION(). spec_load.c calls them in an order in which
 * later sections find the names of earlier ones.
 *
 * at_spec_fail() reports an error and ends the loading: it jumps to parse(), so a
 * function that takes the loader returns only on success. Such a function owns nothing
 * while it may fail: at_spec_own() and at_spec_allocate() give memory to the spec.
 * `what` names the group in messages: "kernel", "argument \"A\"".
 */
#ifndef AT_SPACE_SPEC_LOAD_H
#define AT_SPACE_SPEC_LOAD_H

#include "base/memory.h"
#include "space/config.h"
#include "space/spec.h"

#include <setjmp.h>

/* A growing list of names; an index is a slot. */
struct at_spec_names {
	size_t count;
	size_t capacity;
	struct at_name *items; /* the names are borrowed */
	/* for messages about unknown names: the file, since arguments are not names
	   here, and where names are defined; may be NULL, both borrowed */
	const struct at_config_node *root;
	const char *hint;
	/* "step" is the slot after the last, and is in the list */
	bool has_step;
	/* NULL: names of "let" are unknown here */
	struct at_spec_definitions *definitions;
};

struct at_spec_definitions {
	const struct at_name *over; /* the slots of the expressions */
	size_t count;
	struct at_definition *items;
};

enum {
	FIELDS_MAX = 256, /* of a structure, including nested structures */
	ALIGNMENT_MAX = 256, /* bytes */
};

/* A field of a structure of "types". Nested structures are flattened: their fields
   become fields of the outer structure, "position.x" and "corners[1].x". */
struct at_spec_field {
	char name[128];
	enum at_element element;
	int lanes; /* components of all elements of an array */
	size_t offset_bytes;
	char pointee[64]; /* of a pointer: the type that it points to; else "" */
};

struct at_spec_structure {
	const char *name;
	size_t field_count;
	size_t capacity;
	struct at_spec_field *fields;
	size_t bytes; /* including the padding at the end */
	size_t alignment; /* bytes */
};

struct at_spec_loader {
	struct at_spec *spec;
	const struct at_config_node *root;
	/* of at_spec_load_more(); NULL: none */
	const struct at_config_node *more;
	const char *more_file;
	const char *file; /* spec->path, for messages */
	struct at_error *err;
	jmp_buf failed; /* where at_spec_fail() jumps to */
	struct at_spec_names names; /* one per slot of spec */
	struct at_spec_names
		domain_names; /* of the slots of the domain's constraints */
	struct at_spec_definitions definitions;
	int *size_lines; /* per size: the first line that uses it, or 0 */
	struct at_spec_structure *structures; /* of "types" */
	size_t structure_count;
	size_t range_count; /* number of ranges that end at an expression of sizes */
	bool has_defaults_of_sizes; /* a default is an expression of sizes */
	/* "launch", and "arguments" of kernel: the default for calls without their
	   own */
	struct at_launch launch;
	size_t argument_count;
	size_t *arguments;
};

/* An empty spec, for the loaders to fill and at_spec_free() to free. */
struct at_spec *at_spec_new(void);
/* Gives memory from malloc() to the spec, which frees it, and returns it. The loaders
   also give it their temporary memory. */
void *at_spec_own(struct at_spec *self, void *memory);
void at_spec_own_expression(struct at_spec *self, struct at_expression *expression);
/* Zeroed memory and a copy of a text, both owned by the spec. */
static inline void *at_spec_allocate(
	struct at_spec_loader *loader, size_t count, size_t size)
{
	return at_spec_own(loader->spec, at_calloc(count, size));
}
static inline char *at_spec_copy_text(struct at_spec_loader *loader, const char *text)
{
	return at_spec_own(loader->spec, at_strdup(text));
}

/* spec_names.c: names in expressions. */
/* Appends a name, whose slot is its position. The name is borrowed. */
void at_spec_names_add(struct at_spec_names *self, const char *name, enum at_type type);
/* Frees the list, not the names. */
void at_spec_names_release(struct at_spec_names *self);
/* The names for at_expression_compile(); borrows self. */
struct at_names at_spec_names_view(const struct at_spec_names *self);

/* The problem's size of that name, whose index is `usual` in most problems. NULL: the
   problem lacks it. */
const struct at_size *at_spec_find_size(
	const struct at_problem *problem, const char *name, size_t usual);

/* Sets size_names, slot_count and loader->names, from parameters and problems. */
void at_spec_load_names(struct at_spec_loader *loader);

void at_spec_load_definitions(struct at_spec_loader *loader);

/* Compiles an expression over these names; the spec owns it. */
void at_spec_compile_over(struct at_spec_loader *loader, const char *text, int line,
	const struct at_names *names, struct at_expression **out);
/* Compiles an expression over all slots of the spec, and passes its slots to
   at_spec_note_read(). */
void at_spec_compile(struct at_spec_loader *loader, const char *text, int line,
	struct at_expression **out);
/* Records that a line reads the slot: in is_read, and for at_spec_check_sizes(). */
void at_spec_note_read(struct at_spec_loader *loader, int slot, int line);
/* Rejects a problem that lacks a required size. */
void at_spec_check_sizes(struct at_spec_loader *loader);

/* Rejects a name that cannot name something in the template. It must be a C identifier
   and neither a keyword nor a built-in variable of CUDA. */
void at_spec_check_identifier(
	struct at_spec_loader *loader, int line, const char *what, const char *name);

/* Likewise for a parameter or a size, which also may not look like a device
   property. */
void at_spec_check_name(
	struct at_spec_loader *loader, int line, const char *what, const char *name);

/* Likewise for a parameter, which becomes a macro: names with a meaning in CUDA or its
   headers are rejected too. */
void at_spec_check_macro(struct at_spec_loader *loader, int line, const char *name);

/*
 * Finds the next ${NAME} from *position on, moves *position past it and returns its
 * "$"; *name and *length get the name. NULL at the end. For an unclosed "${" *name is
 * NULL.
 */
const char *at_spec_next_reference(
	const char **position, const char **name, size_t *length);

/* spec_load.c: checks a path, whose ${NAME} must be sizes: a file is the same for all
   configurations and devices. */
void at_spec_check_path(struct at_spec_loader *loader, const char *text, int line);

/*
 * spec_instance.c: checks a kernel's C++ name, which may be an instance of a template.
 * Its arguments may name parameters, so these must be loaded before. `what` begins
 * messages.
 */
void at_spec_check_kernel(
	struct at_spec_loader *loader, int line, const char *what, const char *kernel);
/* spec_schema.c: the keys of every group. */
/* In the order of messages. */
enum at_spec_group {
	AT_GROUP_FILE = 0,
	AT_GROUP_KERNEL,
	AT_GROUP_PROBLEM,
	AT_GROUP_LAUNCH,
	AT_GROUP_LAUNCHES, /* one of the sequence */
	AT_GROUP_ROUNDS, /* several of the sequence, which are repeated together */
	AT_GROUP_WINDOW, /* l2_window of a launch */
	AT_GROUP_CALL, /* prepare and finish */
	AT_GROUP_REFERENCE,
	AT_GROUP_REFERENCE_FILE,
	AT_GROUP_ARGUMENT,
	AT_GROUP_STRUCTURE,
	AT_GROUP_RANGE,
	AT_GROUP_OPTION,
	AT_GROUP_VERIFY,
	AT_GROUP_DATA,
	AT_GROUP_METRICS,
	AT_GROUP_BOARD,
	AT_GROUP_SEARCH,
	AT_GROUP_COUNT
};

#define AT_GROUP_KEYS_MAX 36

/* The kinds of an argument that describes a buffer, numbered after enum at_access. */
enum at_spec_described {
	AT_ARGUMENT_MAP = AT_ACCESS_SCRATCH + 1,
	AT_ARGUMENT_TEXTURE,
	AT_ARGUMENT_SURFACE,
	AT_ARGUMENT_END,
};

/*
 * Reads a group's keys by its table into *out, the struct of the table. Absent keys
 * leave it unchanged. Rejects unknown keys, with a suggestion, and missing required
 * ones. `what` names the group in messages.
 */
void at_spec_read(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, enum at_spec_group group, void *out);
/* Rejects keys that this kind of the group, an access or a kind of reference, does not
   have. reason: the message; NULL: the table's. */
void at_spec_check_kind(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, enum at_spec_group group,
	unsigned kind, const char *reason);
/* Reads a number of at least 0; for the key "rtol" also below 1. `of` names the owner
   of the setting. */
void at_spec_read_tolerance(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *key, const char *of,
	double *out);
/* Fails with "WHAT has no "KEY": add HINT" if the group lacks the key. */
void at_spec_require(struct at_spec_loader *loader, const struct at_config_node *group,
	const char *what, const char *key, const char *hint);
/* Rejects keys that are not among the names, which come from the file itself. */
void at_spec_check_keys(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *const *keys,
	size_t key_count);
/* For groups that allow any name: rejects the name of a section that the file lacks
   elsewhere, since that section is in the wrong place. */
void at_spec_check_no_section(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what);
/* Writes ", did you mean "X"?" or ", expected one of A, B, C" into buffer and returns
   it. */
const char *at_spec_suggestion(const char *wrong, const char *const *names,
	size_t count, char *buffer, size_t size);

/* spec_fields.c: values of a group by key, checked for type. */
/* Ends the loading with an error, at a line of the file. */
_Noreturn void at_spec_fail(struct at_spec_loader *loader, int line, const char *format,
	...) AT_PRINTF(3, 4);
/* Ends the loading with the error that a call reported to loader->err. */
_Noreturn void at_spec_give_up(struct at_spec_loader *loader);
_Noreturn void at_spec_fail_type(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected);
/* Compiles a string or a number; `what` begins messages. */
void at_spec_compile_node(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	struct at_expression **out);
/* Compiles the value of a scalar: one expression, or for a vector a list such as
   ("1.5", "0") with one per component. `what` begins messages. */
void at_spec_load_values(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	struct at_argument *argument);
/* Whether an expression, which may be NULL, mentions "step". */
bool at_spec_counts_steps(
	const struct at_spec *spec, const struct at_expression *expression);
/* Sets has_step, after the values are compiled. */
void at_spec_note_step(struct at_spec_loader *loader, struct at_argument *argument);
/* Rejects a node that is not a list or an array; any length is valid. */
void at_spec_check_list(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected);
/* Likewise for a list of strings: for a single string, the message shows how to write
   the list. */
void at_spec_check_list_of_strings(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected);
/* Rejects a node that is not a list or an array of nonempty strings. */
void at_spec_check_strings(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what);
/* A setting as a value; a word is borrowed from node. NONE if not a scalar. */
struct at_value at_spec_scalar(const struct at_config_node *node);
/* Writes a value as in a space file, truncated to the buffer; returns buffer. */
const char *at_spec_value_text(struct at_value value, char *buffer, size_t size);
/* Writes a parameter's values, "1, 2, 4, ...", truncated to the buffer; returns
   buffer. */
const char *at_spec_values_text(
	const struct at_parameter *parameter, char *buffer, size_t size);
/* Converts an integer to a double; false if the conversion is inexact. */
bool at_spec_exact_real(int64_t integer, double *out);
/* Finds the index of the value among the parameter's. An integer also matches an equal
   floating-point value. */
bool at_spec_find_value(
	const struct at_parameter *parameter, struct at_value value, size_t *index);

/* Loaders and checks, one or more a section. */
void at_spec_load_parameters(struct at_spec_loader *loader);
void at_spec_load_defaults(struct at_spec_loader *loader);
void at_spec_load_defaults_of_problems(struct at_spec_loader *loader);
/* Ranges that end at an expression of sizes; later, a constraint for each range:
   spec->constraints has room. */
void at_spec_load_ranges(struct at_spec_loader *loader);
void at_spec_add_range_constraints(struct at_spec_loader *loader);
/* Rejects the file if two macros of parameters and their words have the same name. */
void at_spec_check_macros(struct at_spec_loader *loader);

/* Evaluates a text over the sizes so far in a problem; what begins messages. *out is a
   number. *expression (may be NULL) gets the compiled form. */
void at_spec_evaluate_sizes(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	const struct at_problem *problem, struct at_expression **expression,
	struct at_value *out);
/* Fills spec->problems; rejects a size with a parameter's name. */
void at_spec_load_problems(struct at_spec_loader *loader);
/* spec_domain.c: the section "domain"; rejects tuned problems outside it. */
void at_spec_load_domain_section(struct at_spec_loader *loader);
void at_spec_load_verify(struct at_spec_loader *loader);

/*
 * spec_types.c: structures. at_spec_load_types() lays out those of the section "types";
 * at_spec_load_fields() appends the fields of structures to spec->arguments, which has
 * room for them.
 */
void at_spec_load_types(struct at_spec_loader *loader);
void at_spec_release_types(struct at_spec_loader *loader);
/* NULL: no such structure. */
const struct at_spec_structure *at_spec_find_structure(
	const struct at_spec_loader *loader, const char *name);
/* Fails for a type that is neither an element nor a structure, and suggests a type.
   what: the owner of the type. */
_Noreturn void at_spec_fail_element(
	struct at_spec_loader *loader, int line, const char *what, const char *type);
/* Reads the fills of the fields of an argument from its group in a data set, particles
   = { mass = "uniform(0, 1)"; }; fills has an item per argument. */
void at_spec_load_field_fills(struct at_spec_loader *loader,
	const struct at_config_node *set, const char *what, size_t owner,
	struct at_fill *fills);
/* list: the node of the section "arguments". */
void at_spec_load_fields(
	struct at_spec_loader *loader, const struct at_config_node *list);

void at_spec_load_arguments(struct at_spec_loader *loader);
/* spec_chosen.c: 1 + the index of the parameter of words in a text such as "${T}"; a
   type that a parameter chooses; the copies after the arguments; the calls that
   convert. */
size_t at_spec_find_words(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what);
void at_spec_load_chosen_type(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what,
	struct at_argument *argument);
void at_spec_add_copies(struct at_spec_loader *loader);
void at_spec_add_conversions(struct at_spec_loader *loader);
/* Cuts "const float *" to "float" in place; false: the type is not such a pointer. */
bool at_spec_cut_pointer(char *type);
/* Reads "x + N", a pointer to an element of a buffer with elements of type `pointee`,
   or "null". All arguments must be loaded. */
void at_spec_load_pointer(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *pointee,
	struct at_argument *out);
/* Reads a fill such as "uniform(-1, 1)"; what: names the node for messages. */
void at_spec_parse_fill(struct at_spec_loader *loader, const char *text, int line,
	const struct at_argument *argument, struct at_fill *out);
void at_spec_load_fill(struct at_spec_loader *loader, const struct at_config_node *node,
	const char *what, const struct at_argument *argument, struct at_fill *out);
/* Rejects an expression that reads a parameter or a device property. Buffers are filled
   once for all configurations, so that all are compared with the same reference. */
void at_spec_check_slots(struct at_spec_loader *loader,
	const struct at_expression *expression, const char *key, const char *argument);
/* Reads a domain: a list of two numbers, or expressions over sizes of problems. */
void at_spec_load_domain(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_argument *argument);

void at_spec_load_launch(struct at_spec_loader *loader);
/* The kernel; its launches, `prepare` and `finish`; the reference; and the arguments of
   each. */
void at_spec_load_kernel(struct at_spec_loader *loader);
void at_spec_load_calls(struct at_spec_loader *loader);
void at_spec_load_reference(struct at_spec_loader *loader);

/* spec_remarks.c: collects warnings about a file that is valid. */
void at_spec_load_remarks(struct at_spec_loader *loader);

void at_spec_read_argument_names(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, size_t **out,
	size_t *count);
/* Whether the argument is an output to compare with the reference. */
static inline bool at_spec_is_compared(const struct at_argument *argument)
{
	return argument->access == AT_ACCESS_OUT || argument->access == AT_ACCESS_INOUT;
}
void at_spec_find_argument(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, size_t *out);

#endif
