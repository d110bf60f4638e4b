/*
 * A space file (libconfig syntax), loaded and checked: its contents with their lines,
 * and every expression compiled.
 *
 *   struct at_spec *spec;
 *   at_spec_load("spaces/matmul.cfg", &spec, &err);
 *   at_spec_copy(spec, &whole, &err);             (to keep an unrestricted one)
 *   at_spec_restrict(spec, "TILE_M=4,8", &err);   (--set)
 *   at_spec_bind(spec, problem, NULL, &properties, slots);
 *   ... at_search_space_new() (space/search_space.h) ...
 *   at_spec_free(spec);
 *
 * Slots of every expression: parameters first, in the order of the file, then the union
 * of all problems' sizes, then the device properties. A file with only `parameters` and
 * `constraints` loads; kernel is then NULL, and at_spec_require_kernel() reports what
 * is missing.
 *
 * Unknown keys, wrong types, duplicates, name clashes and integers that do not fit are
 * errors that name file, line, what was expected and what was found. A spec is constant
 * after loading and restricting: any number of threads may read and copy it, and copies
 * may be restricted and freed in any thread.
 */
#ifndef AT_SPACE_SPEC_H
#define AT_SPACE_SPEC_H

#include "base/error.h"
#include "base/hash.h"
#include "base/objective.h"
#include "space/element.h"
#include "space/expression.h"
#include "space/properties.h"
#include "space/tensor_map.h"
#include "space/texture.h"
#include "space/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_parameter {
	char *name; /* a C identifier */
	int line;
	enum at_type type;
	size_t value_count; /* at least 1, at most 65535 */
	struct at_value *values; /* all distinct; words owned by the spec */
	/* All values of the file if at_spec_restrict() removed some; else NULL. */
	size_t all_count;
	struct at_value *all;
};

struct at_size {
	char *name;
	struct at_value value; /* integer, boolean or floating point */
	/* The file's expression for the size; its slots are the earlier sizes of the
	   problem, by index. NULL: the file gives a number. */
	struct at_expression *expression;
};

/*
 * A problem: the sizes for which the kernel is tuned or verified. A problem of a
 * verification may also set scalar arguments by name, in `sizes`; these replace the
 * space's values.
 */
struct at_problem {
	char *name; /* "default" if the file names no problems */
	int line;
	/*
	 * The kind of device that the problem is for, such as "host"; NULL for every
	 * device. A device tunes the problems that name its kind or no kind. The loader
	 * accepts any identifier; at_cli_load_space() checks that the kind exists.
	 */
	char *on;
	size_t size_count;
	struct at_size *sizes;
};

enum at_access {
	AT_ACCESS_NONE = 0, /* a scalar */
	AT_ACCESS_IN, /* read only: any change is out_of_bounds */
	AT_ACCESS_OUT, /* poisoned before, compared after */
	AT_ACCESS_INOUT, /* filled before every launch, compared after */
	AT_ACCESS_SCRATCH, /* poisoned before, never compared: layouts, partial sums */
};

enum at_fill_kind {
	AT_FILL_NONE = 0,
	AT_FILL_CONSTANT, /* constant(c): a */
	AT_FILL_UNIFORM, /* uniform(a, b): a <= x < b; integers a <= x <= b */
	AT_FILL_NORMAL, /* normal(mean, deviation) */
	AT_FILL_SEQUENCE, /* sequence(first, step) */
	AT_FILL_INDEX, /* random_index(bound): integers 0 <= x < bound */
	AT_FILL_FILE, /* file("path"): raw elements, little-endian */
};

struct at_fill {
	enum at_fill_kind kind;
	struct at_expression *a; /* NULL if the kind has no such operand */
	struct at_expression *b;
	char *file; /* as written in the file: at_spec_file() */
};

/* The largest size of a structure element. */
#define AT_STRUCTURE_BYTES_MAX 65536

/* An argument of kernels: a scalar, a buffer, a tensor map, a texture, a surface, or a
   field of a structure. */
struct at_argument {
	char *name; /* "particles.mass" for a field */
	int line;
	enum at_element element;
	/*
	 * Components of one element. "float4" is element F32 with 4 lanes. A structure
	 * is element U8 with a lane per byte. A field that is an array counts the
	 * components of all its elements.
	 */
	int lanes;
	/*
	 * The type is a parameter's, "${T}": 1 + the index of the parameter; else 0.
	 * element is then the type of the reference, and narrowest the least precise of
	 * the parameter's types. Launches take arguments[copy], scratch of that type,
	 * instead of this argument; arguments[copy + 1] is the number of its elements.
	 */
	size_t type_parameter;
	enum at_element narrowest;
	size_t copy;
	bool has_fields; /* the type is a structure */
	char *type; /* the name of the structure; NULL: the type is not a structure */
	/* For a field: 1 + the index of its structure argument; else 0. A field has no
	   access or count of its own; it has a value if its argument has one. */
	size_t owner;
	size_t offset_bytes; /* of a field in its structure */
	enum at_access access;
	struct at_expression
		*count; /* buffers, arrays of pointers: number of elements */
	struct at_expression *value; /* scalars; of vectors the first component */
	bool has_step; /* its value differs between repeats of a launch */
	/*
	 * A pointer: a scalar U64, or a field that is one. points_to is 1 + the index
	 * of the buffer, and value an offset in its elements; 0: the null pointer. With
	 * a count it is an array of pointers, spaced `stride` elements apart.
	 */
	bool is_pointer;
	size_t points_to;
	struct at_expression *stride; /* NULL: 0 */
	struct at_expression *more_values[3]; /* vectors: the other components */
	/* Of a tensor map, a texture and a surface, which have access NONE and no
	   value: 1 + the index of the buffer; else 0. texture.kind distinguishes them.
	   A buffer with padded rows has only the texture's width and pitch; its count
	   excludes the padding. */
	size_t of;
	struct at_tensor_map_spec map;
	struct at_texture_spec texture;
	struct at_fill
		fill; /* in and inout; default uniform(-1, 1) or uniform(0, 100) */
	/*
	 * For access in and inout. Winners are also verified on other data, within the
	 * range of the fill. is_fixed forbids other data; domain sets another range for
	 * it, low and high, both inclusive (NULL: not given).
	 */
	bool is_fixed;
	struct at_expression *domain[2];
	/* The file gives no fill, so the buffer gets the default for its type, which
	   the kernel may not expect. */
	bool has_default_fill;
	/*
	 * Inputs: the variable of the template (__constant__ or __device__) into which
	 * the contents are also copied, if a module has the variable; NULL: no
	 * variable. With its namespaces ("blur::weights"), which may be omitted if the
	 * name is unique.
	 */
	char *symbol;
	/* outputs: override verify's tolerances; NAN if not given */
	double rtol;
	double atol;
	double outliers; /* the fraction of values with any error */
};

/* The most launches in a file; each may be repeated. */
#define AT_SPEC_LAUNCHES_MAX 64

/* The launch geometry of a kernel, as expressions. */
struct at_launch {
	int line; /* 0 when the section is absent */
	size_t block_rank; /* dimensions given, 0 to 3 */
	size_t grid_rank;
	struct at_expression *block[3];
	struct at_expression *grid[3];
	struct at_expression *shared_bytes; /* NULL: 0 */
	/* "step" is in one of these: they differ from repeat to repeat */
	bool has_step;
	/* The attributes; NULL and a rank of 0: not given. */
	size_t cluster_rank;
	size_t preferred_rank;
	struct at_expression *cluster[3]; /* blocks per cluster */
	struct at_expression *preferred[3];
	struct at_expression *cooperative; /* a condition */
	struct at_expression *dependent; /* a condition; only in a sequence */
	struct at_expression *carveout; /* percent, or -1: the driver's choice */
	/* the access policy window: an argument, by index, and a percentage */
	struct at_window {
		size_t argument;
		struct at_expression *percent;
	} window;
};

/* A kernel of the template and how it is launched, with arguments by index. */
struct at_call {
	char *name; /* in messages: "launch", "launches[1]", "prepare" */
	char *kernel; /* may be an instance of a template: at_spec_write_kernel() */
	int line;
	/* prepare or finish, generated for the arguments with a type_parameter. For
	   each of them the kernel takes from, to, and the number of elements */
	bool is_generated;
	struct at_launch launch;
	size_t argument_count;
	size_t *arguments; /* indices into at_spec.arguments */
	/* Of a sequence. The launch is skipped if the condition is false; NULL: no
	   condition. */
	struct at_expression *when;
	struct at_expression *repeat; /* number of launches; NULL: once */
	/* Consecutive calls with the same group, above 0, are repeated together,
	   `rounds` times. */
	size_t group;
	struct at_expression *rounds; /* of its group; NULL: without a group */
	/* Pairs of arguments, by index. Each launch swaps the two buffers of a pair for
	   the following launches. In the end the outputs are compared at their last
	   positions. */
	size_t swap_count; /* of indices: twice the pairs */
	size_t *swaps;
};

enum at_reference_kind {
	AT_REFERENCE_NONE = 0,
	AT_REFERENCE_KERNEL, /* in call */
	AT_REFERENCE_LIBRARY, /* library, function: f(void **arguments) on the CPU */
	AT_REFERENCE_FILE, /* one raw file per output */
};

struct at_reference_file {
	size_t argument; /* index into at_spec.arguments */
	char *path; /* as written in the file: at_spec_file() */
};

struct at_reference {
	enum at_reference_kind kind;
	int line;
	/*
	 * KERNEL: the kernel; LIBRARY: only its arguments. A kernel without its own
	 * launch (both ranks 0) is launched with 256 threads a block, one thread per
	 * element of the largest output and at most 65535 blocks. So it must use a
	 * grid-stride loop.
	 */
	struct at_call call;
	char *library;
	char *function;
	size_t file_count;
	struct at_reference_file *files;
};

struct at_option {
	char *text; /* with ${NAME} for parameters, sizes and device properties */
	struct at_expression *when; /* include it if true; NULL: always */
	int line;
};

struct at_constraint {
	int line;
	struct at_expression *expression;
};

enum at_cache_mode {
	AT_CACHE_COLD = 0, /* none of the kernel's data is in L2 when it starts */
	AT_CACHE_WARM,
};

/* Other contents of the inputs for the verification of winners. */
struct at_data_set {
	char *name; /* "data_1" if the file gives no name */
	int line;
	struct at_fill *fills; /* one per argument; kind NONE: keeps its own fill */
};

/* A size or a scalar argument in the section "domain", and its values. */
struct at_domain_number {
	char *name;
	int line;
	size_t argument; /* 1 + the index of the scalar argument; 0: a size */
	size_t lane; /* the component of that argument */
	/* Both inclusive and of the same type: integer, boolean or floating point. */
	struct at_value low;
	struct at_value high;
	size_t value_count; /* of a list; 0: all values of the range */
	struct at_value *values; /* ascending, all distinct */
};

/* The section "domain": the sizes and scalar arguments for which the kernel promises to
   be right (space/domain.h). */
struct at_domain {
	int line; /* 0: the file has no such section */
	size_t number_count;
	struct at_domain_number *numbers;
	/* slots: the numbers, then all sizes of the spec */
	size_t constraint_count;
	struct at_constraint *constraints;
};

/* The section "verify": how winners are verified. */
struct at_verify {
	/* relative and absolute tolerance of floating-point values; NAN if not given:
	   see measure/measure.h */
	double rtol;
	double atol;
	size_t problem_count; /* omitted sizes are those of the tuned problem */
	struct at_problem *problems;
	/* `derive`, default true: winners are verified on the default list of cases,
	   and with other contents (evaluator/cases.h) */
	bool derives_problems;
	size_t case_count; /* `cases`: the number drawn from the domain */
	size_t data_set_count;
	struct at_data_set *data_sets;
};

/* A warning: the file is valid, but its author cannot have meant this. */
struct at_remark {
	int line;
	char *text;
};

/* The section "search"; the command line may override strategy and budget. */
struct at_search_defaults {
	char *strategy; /* NULL: not given */
	int strategy_line;
	char *budget; /* NULL: not given; "200", "90s", "200,10m" */
	double deadline_seconds; /* of one evaluation; 0: not given */
	int samples_min; /* 0: not given */
	int samples_max; /* 0: not given */
	enum at_cache_mode cache;
	const struct at_objective *objective; /* never NULL */
};

/* The contents of a space file. Lines are 1-based; 0: not in the file. */
struct at_spec {
	char *path;
	char *directory; /* the folder of path */
	char *name; /* kernel.name, else the file's name without ".cfg" */
	struct at_hash text_hash; /* of the file's bytes */

	char *kernel; /* of the first launch; NULL: the space can only be counted */
	int kernel_line;
	char *template_path; /* resolved against directory */
	/* The calls of a configuration: the launches, in order, timed as a whole; then
	   prepare and finish, untimed, if the file has them. */
	size_t call_count;
	struct at_call *calls;
	size_t launch_count; /* of the calls: at least 1 */
	struct at_call *prepare; /* among the calls; NULL: absent */
	struct at_call *finish;
	struct at_reference reference;

	size_t problem_count; /* at least 1 */
	struct at_problem *problems;
	size_t parameter_count; /* at least 1 */
	struct at_parameter *parameters;
	bool has_defaults;
	/* Value index per parameter, on the first problem; 0 if absent. */
	uint16_t *defaults;
	/* If defaults depend on sizes: for each problem a copy of this spec with its
	   defaults. Else NULL. See at_spec_of(). */
	struct at_spec **of_problems;
	size_t constraint_count;
	struct at_constraint *constraints;
	/*
	 * The toolchain that the file requests instead of the device's, "nvcc"; NULL:
	 * the device's. The loader accepts any word; kernel/toolchain.h defines the
	 * toolchains.
	 */
	char *toolchain;
	int toolchain_line;
	/* Compile for the features of exactly the device's architecture, "sm_90a"
	   instead of "sm_90", if it has such features: from 9.0 on. */
	bool is_arch_specific;
	size_t option_count;
	struct at_option *options;
	/* Set only by the code that loads the file: compilers get all options of the
	   file, not only those of kernel/safe_options.h. */
	bool is_trusted;
	size_t argument_count; /* of `arguments`, fields included */
	/* In the order of the file, followed by the copies of arguments whose type a
	   parameter chooses, and the fields of structures. */
	struct at_argument *arguments;
	size_t given_count; /* arguments in the file itself */
	struct at_domain domain;
	struct at_verify verify;
	/* the GPU settings of a configuration; NULL: unchanged */
	struct at_board_clocks {
		struct at_expression *clock_mhz;
		struct at_expression *memory_clock_mhz;
		struct at_expression *power_watts;
	} board;
	struct at_expression *flops; /* NULL: not given */
	struct at_expression *bytes;
	struct at_search_defaults search;

	size_t remark_count;
	struct at_remark *remarks; /* unordered; made when the file is loaded */

	size_t size_count; /* the size names of all problems, each once */
	char **size_names;
	/* Parameters + sizes + properties. The next slot is "step", the number of
	   earlier repeats of a launch in a sequence. */
	size_t slot_count;
	/* By slot: an expression or an option reads it. For kernels see
	   at_spec_kernels_read(). Expressions of "domain" have their own slots. */
	bool *is_read;

	/* Private: counts the copies, which share everything but parameters and
	   defaults. */
	struct at_spec_sharing *sharing;
};

/* Files above 16 MiB are refused. */
enum at_status at_spec_load(
	const char *path, struct at_spec **out, struct at_error *err);
/* Also appends the problems of another file, `problems = ( ... );`. */
enum at_status at_spec_load_more(const char *path, const char *more_path,
	struct at_spec **out, struct at_error *err);
/* Loads from memory; path serves messages and resolves other paths. */
enum at_status at_spec_parse(const char *text, size_t size, const char *path,
	struct at_spec **out, struct at_error *err);
/*
 * A copy, so that one may be restricted while the other stays whole. It is cheap: the
 * copy owns only `parameters` with their values and `defaults`. Both share all other
 * objects, such as problems, arguments and expressions (addresses may be compared),
 * until the last copy is freed, in any order.
 */
void at_spec_copy(const struct at_spec *self, struct at_spec **out);
/* Frees one copy, and with the last copy what they share. NULL is allowed. */
void at_spec_free(struct at_spec *self);

/* The spec for tuning a problem, with the problem's defaults. Valid as long as self. */
const struct at_spec *at_spec_of(
	const struct at_spec *self, const struct at_problem *problem);

/* Call number index of a configuration; after the last call that of the reference,
   whose kernel is NULL unless the reference is a kernel. */
const struct at_call *at_spec_call(const struct at_spec *self, size_t index);
/* Whether the launches form a sequence: several, repeated, conditional or with
   swaps. */
bool at_spec_is_sequence(const struct at_spec *self);
/* Whether the call takes the argument: directly, by a pointer, or by a tensor map, a
   texture or a surface. at_spec_is_launched_with(): whether a timed launch does. */
bool at_call_takes(
	const struct at_spec *spec, const struct at_call *self, size_t argument);
/* Likewise, but not by a tensor map, a texture or a surface. */
bool at_call_takes_itself(
	const struct at_spec *spec, const struct at_call *self, size_t argument);
static inline bool at_argument_is_map(const struct at_argument *self)
{
	return self->of && !self->texture.kind;
}
static inline bool at_argument_is_pitched(const struct at_argument *self)
{
	return self->texture.pitch && !self->texture.kind;
}
/* "a tensor map", "a texture", "a surface": the kind of an argument that describes a
   buffer. */
const char *at_argument_described(const struct at_argument *argument);
bool at_spec_is_launched_with(const struct at_spec *self, size_t argument);

/* AT_EINVAL with what is missing if the space can be counted but not tuned. */
enum at_status at_spec_require_kernel(const struct at_spec *self, struct at_error *err);

/*
 * --set "NAME=VALUE[,VALUE]": keeps only these values. Unknown names and values are
 * errors that list or suggest known ones. If a default is removed, the first kept value
 * replaces it.
 */
enum at_status at_spec_restrict(
	struct at_spec *self, const char *text, struct at_error *err);

/* Whether every parameter has one value: --set left one configuration, or the space has
   one. */
bool at_spec_is_single(const struct at_spec *self);

/*
 * Fills slots, which has room for spec->slot_count values, with sizes and properties;
 * the parameters' slots get type NONE. properties may be NULL: unknown. A size missing
 * in the problem comes from `base` (may be NULL), else its slot gets type NONE.
 */
void at_spec_bind(const struct at_spec *self, const struct at_problem *problem,
	const struct at_problem *base, const struct at_properties *properties,
	struct at_value *slots);

/* Size of the name of a component, with its terminating zero. */
#define AT_COMPONENT_BYTES 128
/* Writes the name of a component of an argument: "alpha", or "origin.x" of a vector. */
void at_argument_component(
	const struct at_argument *self, size_t lane, char *out, size_t size);

void at_spec_bind_configuration(const struct at_spec *self,
	const uint16_t *configuration, struct at_value *slots);

/* The size of that name, or a case's scalar argument. NULL: the problem, which may be
   NULL, does not set it. */
const struct at_size *at_problem_find_size(
	const struct at_problem *self, const char *name);

/* The name of a slot: "TILE_M", "N", "device.l2_bytes"; borrowed. */
const char *at_spec_slot_name(const struct at_spec *self, int slot);

/* Marks the slots that constraints read. used has room for slot_count. */
void at_spec_mark_constraints(const struct at_spec *self, bool *used);

/*
 * Evaluates an expression to an integer in minimum..maximum; booleans count as 0 and 1,
 * floating-point values must be integral. `what` begins the message ("launch.grid[0]");
 * err gets the spec's path. AT_EINVAL with a text that states the value.
 */
enum at_status at_spec_integer(const struct at_spec *self,
	const struct at_expression *expression, const struct at_value *slots,
	const char *what, int line, int64_t minimum, int64_t maximum, int64_t *out,
	struct at_error *err);
/* Likewise as a condition: a number other than 0 is true. */
enum at_status at_spec_test(const struct at_spec *self,
	const struct at_expression *expression, const struct at_value *slots,
	const char *what, int line, bool *out, struct at_error *err);
/* Likewise as a floating-point value. */
enum at_status at_spec_real(const struct at_spec *self,
	const struct at_expression *expression, const struct at_value *slots,
	const char *what, int line, double *out, struct at_error *err);

/* "BLOCK_X=16 TILE_M=4 CACHE=ca", in the order of the file. */
void at_configuration_format(const struct at_spec *self, const uint16_t *configuration,
	struct at_strbuf *out);

/* Sets one parameter of a configuration from a text such as "TILE_M=4". AT_EINVAL,
   without a file: no parameter has the name, or the parameter lacks the value. */
enum at_status at_configuration_set(const struct at_spec *self, const char *text,
	uint16_t *configuration, struct at_error *err);

/*
 * A kernel's name is a C++ name: "scale", "tools::scale", or an instance of a template
 * such as "scale<BLOCK, float>". ${NAME} stands for the value of a parameter, a word or
 * an integer: "scale_${METHOD}". In the arguments of an instance, names of parameters
 * stand for their values: integers, true and false, words unchanged. Writes the
 * kernel's name in a configuration (value indices): "scale<256, float>".
 */
void at_spec_write_kernel(const struct at_spec *self, const char *kernel,
	const uint16_t *configuration, struct at_strbuf *out);
/* Replaces only each ${NAME}: the name of the function or the template. */
void at_spec_write_function(const struct at_spec *self, const char *kernel,
	const uint16_t *configuration, struct at_strbuf *out);
/* Whether the name contains ${PARAMETER}. */
bool at_kernel_names(const char *kernel, const char *parameter);
/* Whether the name depends on the configuration. */
bool at_kernel_varies(const char *kernel);
/* The text after the "<" of an instance; NULL if the name has no "<". */
const char *at_kernel_arguments(const char *kernel);
/* Finds "scale" in "tools::scale<BLOCK, float>"; the result points into kernel and is
   not terminated. */
const char *at_kernel_bare_name(const char *kernel, size_t *length);
/* Whether the name of one of the space's kernels contains this parameter (by index), or
   an argument of an instance does. */
bool at_spec_kernels_read(const struct at_spec *self, size_t parameter);
/* Finds the next argument from *at on and moves *at past it and its comma. False at the
   end, and if a bracket is not closed. */
bool at_kernel_next_argument(const char **at, const char **argument, size_t *length);
/* Finds the next identifier from *at on and moves *at past it. False at the end.
   is_member: it follows "::" or ".", where it can only name a parameter of words. */
bool at_kernel_next_word(
	const char **at, const char **word, size_t *length, bool *is_member);

/* Appends text to out with each ${NAME} replaced by the value of the slot NAME. */
enum at_status at_spec_substitute(const struct at_spec *self, const char *text,
	int line, const struct at_value *slots, struct at_strbuf *out,
	struct at_error *err);

/* The file of a path on a problem, whose sizes are in the slots: each ${NAME} replaced,
   and resolved against the space file's folder. The caller owns the result. */
enum at_status at_spec_file(const struct at_spec *self, const char *path, int line,
	const struct at_value *slots, char **out, struct at_error *err);

/*
 * Reads a budget: "200", "90s", "10m", "2h", "200,10m", in any order. *evaluations and
 * *seconds are 0 if not given. err gets neither file nor line, which only the caller
 * knows.
 */
enum at_status at_budget_parse(
	const char *text, uint64_t *evaluations, double *seconds, struct at_error *err);

#endif
