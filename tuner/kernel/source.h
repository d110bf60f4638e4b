/*
 * From a template and a configuration to source text and compiler options.
 *
 * A rendered source is a prelude of macros and then the template, whose line numbers
 * #line preserves. The macros are AUTOTUNE 1; each parameter by its name; for a
 * parameter of words also NAME_value for each value, as distinct integers; and
 * AUTOTUNE_REFERENCE 1 in the unit of the reference. Two kinds of parameters are not
 * macros. A parameter that no source mentions only shapes the launch: configurations
 * that differ in nothing else are then one unit. A parameter of a C++ template gets its
 * value from a kernel's name ("scale<BLOCK>"): a macro would replace the name in the
 * template's head.
 *
 *   at_template_load(path, &template, &err);
 *   at_source_fill(spec, &template, slots, configuration, unit, &request, &err);
 *   at_template_release(&template);
 *
 * Threads: only one thread may use a template, because it remembers its includes.
 */
#ifndef AT_KERNEL_SOURCE_H
#define AT_KERNEL_SOURCE_H

#include "kernel/compile.h"
#include "kernel/reach.h"
#include "kernel/scan.h"
#include "space/spec.h"

struct at_template {
	char *path;
	char *directory; /* of path; searched for #include "..." */
	char *text;
	size_t size; /* of text, without its terminating zero */
	/* earlier results of at_template_reach() and at_source_fill() */
	struct at_template_memo *memo;
};

/* Reads a template. AT_EINVAL if it is not text; other read errors name the file. For
   machine code the text is one line that includes the file: its contents count for the
   unit's identity, and at_compile() takes them. The caller releases *out. */
enum at_status at_template_load(
	const char *path, struct at_template *out, struct at_error *err);
/* NULL and a zeroed template are allowed. */
void at_template_release(struct at_template *self);
/* The sources of the template (kernel/reach.h) when compiled with these options by a
   compiler that reads these environment variables (NULL: none). Files are read once for
   all option lists that lead to the same files. *out is borrowed from self. */
enum at_status at_template_reach(const struct at_template *self, char *const *options,
	size_t count, const char *const *variables, const struct at_reach **out,
	struct at_error *err);
/* False if the template cannot declare a function or variable of that name (without
   namespace): its text lacks the name, and no #include or ## could bring it. */
bool at_template_mentions(const struct at_template *self, const char *name);
/* Whether the template can have a kernel of that C++ name, as far as its text shows.
   AT_ENOENT, or AT_EINVAL for a function that is not a kernel, with the line of the
   call. The compiler reports all other mistakes in the name. */
enum at_status at_template_check_kernel(const struct at_template *self,
	const struct at_spec *spec, const struct at_call *call, const char *kernel,
	struct at_error *err);
/* Whether the template can have the variables that arguments name (symbol). AT_ENOENT
   with the line of the first argument for which it cannot. */
enum at_status at_template_check_symbols(const struct at_template *self,
	const struct at_spec *spec, struct at_error *err);

/* Finds the next __global__ function of a text. *name is its name, and *at moves after
   the "(" that follows. *is_template: the word "template" precedes it. False if there
   is none. */
bool at_source_next_kernel(const char **at, struct at_lexeme *name, bool *is_template);

enum at_unit {
	AT_UNIT_TUNED = 0, /* the kernel with one configuration */
	AT_UNIT_REFERENCE, /* the reference, compiled with the defaults */
	/* the reference in double (at_source_float64()); it may fail to compile */
	AT_UNIT_REFERENCE_FLOAT64,
};

/* The types that a reference in double computes in double. */
enum at_float64 {
	AT_FLOAT64_NONE = 0, /* no output can use it */
	AT_FLOAT64_FLOATS,
	/* narrow floating-point types too. Used only if no output in float needs to be
	   compared. Templates that handle the bits of narrow types themselves cannot
	   use it. */
	AT_FLOAT64_NARROW,
};

enum at_float64 at_source_float64(const struct at_spec *spec);
/* Appends the macros that turn float into double, to be placed before a template's
   text. text: its lines of #include <...> name the toolkit and system headers to
   include before the macros, since those must keep their floats. */
void at_source_write_float64(
	const char *text, enum at_float64 wide, struct at_strbuf *out);
/* Appends, after these, macros that turn each piece of assembly in a template's text
   into a trap, if any has operands that must be floats. */
void at_source_write_traps(const char *text, struct at_strbuf *out);
/* Appends only the macros, one line "#define NAME VALUE" each, in the order of the
   space file: those that the template needs and a generated header offers. */
void at_source_write_macros(const struct at_spec *spec, const uint16_t *configuration,
	struct at_strbuf *out);

struct at_source_context {
	const struct at_spec *spec;
	const struct at_template *template;
	const struct at_reach *reach; /* NULL: every parameter may matter */
	size_t option_count;
	/* rendered for this configuration; they may mention parameters */
	char *const *options;
};

/* Whether the sources or the options may read the parameter: NAME, or a NAME_word. */
bool at_source_reads_parameter(
	const struct at_source_context *context, const struct at_parameter *parameter);

/* Whether the parameter belongs to a C++ template, as in template <int BLOCK>, and gets
   its value from a kernel's name: then it is not a macro. */
bool at_source_is_template_parameter(
	const struct at_spec *spec, const struct at_reach *reach, size_t index);

/* Appends the rendered source. The units of the reference ignore the configuration and
   use the defaults. */
void at_source_render(const struct at_source_context *context,
	const uint16_t *configuration, enum at_unit unit, struct at_strbuf *out);

/* Appends lines to put before a tuned unit (struct at_compile_request, omit), so that
   unneeded kernels, above all the reference, are parsed but not compiled: they would
   take time in each of hundreds of units. Appends nothing if that is not possible. */
void at_source_render_omit(const struct at_spec *spec,
	const struct at_template *template, const uint16_t *configuration,
	struct at_strbuf *out);

/* The spec's options that apply to the configuration in slots, in order, with ${NAME}
   replaced. The caller frees *options by at_source_free_options(). AT_EUNTRUSTED with
   the line: an option is not known to be safe (kernel/safe_options.h), and the spec is
   not trusted. All options of a space reach compilers through this function. */
enum at_status at_source_options(const struct at_spec *spec,
	const struct at_value *slots, char ***options, size_t *count,
	struct at_error *err);
/* NULL is allowed. */
void at_source_free_options(char **options, size_t count);

/* Fills in everything in a request that comes from the template: options, source, omit,
   and the hashes of its includes. slots hold the configuration's values. Release *out
   by at_compile_request_release(), even after a failure. */
enum at_status at_source_fill(const struct at_spec *spec,
	const struct at_template *template, const struct at_value *slots,
	const uint16_t *configuration, enum at_unit unit,
	struct at_compile_request *out, struct at_error *err);

#endif
