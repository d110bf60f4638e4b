/*
 * The inside of loading a space: only spec_*.c include this. Each section of the
 * file has one at_spec_load_SECTION() here, called by spec_load.c in the order in
 * which later sections use the names of earlier ones. All of them leave the spec
 * in a state that at_spec_free() can take, whatever they return.
 *
 * `what` in the helpers names the group for messages: "kernel", "argument \"A\"".
 */
#ifndef AT_SPACE_SPEC_LOAD_H
#define AT_SPACE_SPEC_LOAD_H

#include "space/config.h"
#include "space/spec.h"
#include "space/spec_keys.h"

/* Names by slot; the names are borrowed. */
struct at_spec_name {
	const char *name;
	enum at_type type;
};

struct at_spec_names {
	size_t count;
	size_t capacity;
	struct at_spec_name *items;
};

struct at_spec_loader {
	struct at_spec *spec;
	const struct at_config_node *root;
	const char *file; /* spec->path, for messages */
	struct at_error *err;
	struct at_spec_names names; /* one per slot of spec */
	int *size_lines; /* per size: the first line that needs it, or 0 */
};

enum {
	FIELDS_MAX = 64, /* of a structure, with those of the structures in it */
	ALIGNMENT_MAX = 256,
	NESTING_MAX = 8, /* structures in one another */
};

/* A structure of "types", laid out as C++ does. Those in it are dissolved: what they
   consist of are its own fields, "position.x" and "corners[1].x". */
struct at_spec_field {
	char name[128];
	enum at_element element;
	int lanes; /* of a vector, an array of such */
	size_t offset_bytes;
};

struct at_spec_structure {
	size_t field_count; /* 0: there is none */
	struct at_spec_field fields[FIELDS_MAX];
	size_t bytes; /* with the padding at its end */
	size_t alignment;
};

/* A spec without contents, for at_spec_free(); NULL when memory ran out. */
struct at_spec *at_spec_new(void);

/*
 * spec_names.c: names in expressions.
 */
enum at_status at_spec_names_add(struct at_spec_names *self, const char *name,
	enum at_type type, struct at_error *err);
void at_spec_names_release(struct at_spec_names *self);
struct at_names at_spec_names_view(const struct at_spec_names *self);

/* Sets size_names, slot_count and loader->names, from parameters and problems. */
enum at_status at_spec_load_names(struct at_spec_loader *loader);

/* Notes the sizes used, for at_spec_check_sizes(). */
enum at_status at_spec_compile(struct at_spec_loader *loader, const char *text,
	int line, struct at_expression **out);
void at_spec_note_size(struct at_spec_loader *loader, int slot, int line);
/* Every size that is used must be given by every problem. */
enum at_status at_spec_check_sizes(struct at_spec_loader *loader);

/* Words that cannot name a parameter, a size or a function of the template. */
enum at_status at_spec_check_identifier(const struct at_spec_loader *loader, int line,
	const char *what, const char *name);

/* The same for the name of a parameter or a size. */
enum at_status at_spec_check_name(const struct at_spec_loader *loader, int line,
	const char *what, const char *name);

/* The same for a parameter, which becomes a macro of the template. */
enum at_status at_spec_check_macro(
	const struct at_spec_loader *loader, int line, const char *name);

/*
 * The next ${NAME} from *position on: moves *position behind it and returns its
 * "$", with the name between; NULL when there is none. A "${" that is never closed
 * is returned with *name NULL.
 */
const char *at_spec_next_reference(
	const char **position, const char **name, size_t *length);

/*
 * spec_instance.c: a kernel's C++ name, which may be an instance of a template whose
 * arguments name parameters; so these are loaded before. `what` begins messages.
 */
enum at_status at_spec_check_kernel(const struct at_spec_loader *loader, int line,
	const char *what, const char *kernel);
/* As the getters below; what is refused is the spec's to free. */
enum at_status at_spec_get_kernel(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	char **out);

/*
 * spec_fields.c: values of a group by key, checked for type.
 */
/* "WHAT: expected EXPECTED, found a string" */
enum at_status at_spec_fail_type(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected);
/* ", did you mean "X"?" or ", expected one of A, B, C" into buffer. */
const char *at_spec_suggestion(const char *wrong, const char *const *names,
	size_t count, char *buffer, size_t size);
/* `node` must be a group with no other keys than that group has. */
enum at_status at_spec_check_group(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, enum at_spec_group group);
/* The same where the file itself says which keys there may be. */
enum at_status at_spec_check_keys(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *const *keys,
	size_t key_count);
/* Where any name may stand: none of a section that the file itself does not have. */
enum at_status at_spec_check_no_section(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what);
/* A string or a number; `what` of `key` for messages. */
enum at_status at_spec_compile_node(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	struct at_expression **out);
/* A scalar's value, or one for each component: ( "1.5", "0" ). `what` begins messages.
 */
enum at_status at_spec_load_values(struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what,
	struct at_argument *argument);
/* A list or an array, of any length. */
enum at_status at_spec_check_list(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, const char *expected);
/* A list or an array of strings. */
enum at_status at_spec_check_strings(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what);
/* Fails as "WHAT has no "KEY": add HINT". */
enum at_status at_spec_require(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	const char *hint);

/* The getters leave *out as it was when the key is absent. Texts are not empty. */
enum at_status at_spec_get_text(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	char **out);
enum at_status at_spec_get_identifier(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	char **out);
/* Resolved against the space file's folder. */
enum at_status at_spec_get_path(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	char **out);
/* At least 0. */
/* is_relative: an rtol, which is below 1. */
enum at_status at_spec_get_tolerance(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	bool is_relative, double *out);
enum at_status at_spec_get_boolean(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	bool *out);
enum at_status at_spec_get_expression(struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, const char *key,
	struct at_expression **out);

/* A setting as a value; a word is borrowed. NONE where it is no scalar. */
struct at_value at_spec_scalar(const struct at_config_node *node);
/* A value as in the space file, cut to the buffer. */
const char *at_spec_value_text(struct at_value value, char *buffer, size_t size);
/* The values of a parameter, "1, 2, 4, ...", cut to the buffer. */
const char *at_spec_values_text(
	const struct at_parameter *parameter, char *buffer, size_t size);
/* False where the integer is too large for a double to hold it. */
bool at_spec_exact_real(int64_t integer, double *out);
/* Index of the value in the parameter; an integer finds a real of its value. */
bool at_spec_find_value(
	const struct at_parameter *parameter, struct at_value value, size_t *index);

/*
 * One per section.
 */
enum at_status at_spec_load_parameters(struct at_spec_loader *loader);
enum at_status at_spec_load_defaults(struct at_spec_loader *loader);
/* The macros that parameters and their words become are all different. */
enum at_status at_spec_check_macros(struct at_spec_loader *loader);

/* Also parameters' names against sizes'; fills spec->problems. */
enum at_status at_spec_load_problems(struct at_spec_loader *loader);
enum at_status at_spec_load_verify(struct at_spec_loader *loader);

/*
 * spec_types.c: structures. All of "types" is checked by itself; fields are added
 * behind the spec's arguments, where there is room for as many as these have.
 */
enum at_status at_spec_load_types(struct at_spec_loader *loader);
/* No field: there is none of that name. */
enum at_status at_spec_find_structure(const struct at_spec_loader *loader,
	const char *name, struct at_spec_structure *out);
/* Whether a field of the structure that the node describes is of that one. */
bool at_spec_has_structure(const struct at_config_node *node, const char *name);
/* Whether the field is what the path names, or one of those: "corners.x" names both
   "corners[0].x" and "corners[1].x", and "corners" as a whole all of these. */
bool at_spec_is_field(const char *field, const char *path, bool *is_whole);
/* list: the section "arguments" */
enum at_status at_spec_load_fields(
	struct at_spec_loader *loader, const struct at_config_node *list);

enum at_status at_spec_load_arguments(struct at_spec_loader *loader);
/* *out is freed with the spec also where this fails. */
enum at_status at_spec_parse_fill(struct at_spec_loader *loader, const char *text,
	int line, const struct at_argument *argument, struct at_fill *out);
/* A list of two: numbers, or expressions over sizes of problems. */
enum at_status at_spec_load_domain(struct at_spec_loader *loader,
	const struct at_config_node *node, struct at_argument *argument);

enum at_status at_spec_load_launch(struct at_spec_loader *loader);
/* kernel, prepare, finish and what they need of the arguments. */
enum at_status at_spec_load_kernel(struct at_spec_loader *loader);
enum at_status at_spec_load_calls(struct at_spec_loader *loader);
enum at_status at_spec_load_reference(struct at_spec_loader *loader);

/* spec_remarks.c: what is odd in a file that loaded. */
enum at_status at_spec_load_remarks(struct at_spec_loader *loader);

/* A list of argument names; absent: those of the tuned kernel. */
enum at_status at_spec_read_argument_names(const struct at_spec_loader *loader,
	const struct at_config_node *group, const char *what, size_t **out,
	size_t *count);
/* Whether the argument is an output: it must have something to compare with. */
static inline bool at_spec_is_compared(const struct at_argument *argument)
{
	return argument->access == AT_ACCESS_OUT || argument->access == AT_ACCESS_INOUT;
}
/* AT_EINVAL and an error that suggests one when there is none of that name. */
enum at_status at_spec_find_argument(const struct at_spec_loader *loader,
	const struct at_config_node *node, const char *what, size_t *out);

#endif
