/*
 * From a template and a configuration to source text and compiler options.
 *
 * A rendered source is a prelude of macros and then the template, with its line numbers
 * kept by #line. The macros are AUTOTUNE 1, each parameter by its own name, for a
 * parameter of words also NAME_value for each value, as distinct integers, and
 * AUTOTUNE_REFERENCE 1 in the unit that contains the reference. Two kinds of parameters
 * are no macros. One that no source mentions, since it shapes only the launch:
 * configurations that differ in nothing else are then one unit. And one that is a
 * parameter of a C++ template and gets its value by a kernel's name ("scale<BLOCK>"): a
 * macro would replace the name in the template's head.
 *
 *   at_template_load(path, &template, &err);
 *   at_source_fill(spec, &template, slots, configuration, unit, &request, &err);
 *   at_template_release(&template);
 *
 * Threads: a template is used by one thread, because it remembers what it includes.
 */
#ifndef AT_KERNEL_SOURCE_H
#define AT_KERNEL_SOURCE_H

#include "kernel/compile.h"
#include "kernel/reach.h"
#include "kernel/scan.h"
#include "space/spec.h"

/* A kernel template, loaded from a file. */
struct at_template {
	char *path;
	char *directory; /* of path; searched for files that are included in quotes */
	char *text;
	size_t size; /* of text, which also ends with a zero */
	/* what at_template_reach() and at_source_fill() have found before */
	struct at_template_memo *memo;
};

/*
 * Reads a template. AT_EINVAL for what is no text; other errors of reading name the
 * file. Of machine code the text is one line that includes the file: its contents count
 * for the unit's identity, and at_compile() takes them. The caller releases *out.
 */
enum at_status at_template_load(
	const char *path, struct at_template *out, struct at_error *err);
/* NULL, and a template that is all zero, are allowed. */
void at_template_release(struct at_template *self);
/*
 * What the template is made of when it is compiled with these options, and by a
 * compiler that heeds these variables (NULL: none); see kernel/reach.h. Files are read
 * once for all lists of options that lead to the same files. *out is borrowed from
 * self.
 */
enum at_status at_template_reach(const struct at_template *self, char *const *options,
	size_t count, const char *const *variables, const struct at_reach **out,
	struct at_error *err);
/*
 * False when the template cannot declare a function or variable of that name (without
 * namespace), because neither its text has the name nor any #include or ## could bring
 * it.
 */
bool at_template_mentions(const struct at_template *self, const char *name);
/*
 * Whether the template can have a kernel of that C++ name, as far as its text shows.
 * AT_ENOENT, or AT_EINVAL for a function that is no kernel, with the line of the call.
 * The compiler reports all other mistakes in the name.
 */
enum at_status at_template_check_kernel(const struct at_template *self,
	const struct at_spec *spec, const struct at_call *call, const char *kernel,
	struct at_error *err);
/*
 * Whether the template can have the variables that arguments name (symbol). AT_ENOENT
 * with the line of the first argument for which it cannot.
 */
enum at_status at_template_check_symbols(const struct at_template *self,
	const struct at_spec *spec, struct at_error *err);

/*
 * Finds the next __global__ function of a text. *name is its name, and *at is moved
 * behind the "(" that follows it. *is_template: the word "template" is ahead of it.
 * False when none exists.
 */
bool at_source_next_kernel(const char **at, struct at_lexeme *name, bool *is_template);

enum at_unit {
	AT_UNIT_TUNED = 0, /* the kernel with one configuration */
	AT_UNIT_REFERENCE, /* the reference, compiled with the defaults */
	/* the reference in double (at_source_float64()); it may fail to compile */
	AT_UNIT_REFERENCE_FLOAT64,
};

/* What a reference in double computes in double. */
enum at_float64 {
	AT_FLOAT64_NONE = 0, /* no output has a use for it */
	AT_FLOAT64_FLOATS,
	/* narrow reals, too: no output in float needs to be compared, and the templates
	   that handle the bits of narrow reals themselves are lost for it */
	AT_FLOAT64_NARROW,
};

enum at_float64 at_source_float64(const struct at_spec *spec);
/*
 * Appends the macros that turn float into double, to stand in front of a template's
 * text. text: its lines of #include <...> name the headers of the toolkit and the
 * system to include before the macros, since those must keep their floats.
 */
void at_source_write_float64(
	const char *text, enum at_float64 wide, struct at_strbuf *out);
/*
 * Appends, behind these, macros that make a trap of each piece of assembly in a
 * template's text, if some of it has operands that must be floats.
 */
void at_source_write_traps(const char *text, struct at_strbuf *out);
/*
 * Appends the macros alone, one line "#define NAME VALUE" each, in the order of the
 * space file: what the template needs and what a generated header offers.
 */
void at_source_write_macros(const struct at_spec *spec, const uint16_t *configuration,
	struct at_strbuf *out);

/* What a source is rendered from. */
struct at_source_context {
	const struct at_spec *spec;
	const struct at_template *template;
	const struct at_reach *reach; /* NULL: every parameter may matter */
	size_t option_count;
	/* rendered for this configuration; they may mention parameters */
	char *const *options;
};

/*
 * Whether the sources or the options may read the parameter: its own name, or one of
 * its NAME_word.
 */
bool at_source_reads_parameter(
	const struct at_source_context *context, const struct at_parameter *parameter);

/*
 * Whether the parameter is one of a C++ template, as in template <int BLOCK>, and gets
 * its value by a kernel's name: then it is no macro.
 */
bool at_source_is_template_parameter(
	const struct at_spec *spec, const struct at_reach *reach, size_t index);

/*
 * Appends the rendered source. For the units of the reference the configuration is
 * ignored and the defaults are used.
 */
void at_source_render(const struct at_source_context *context,
	const uint16_t *configuration, enum at_unit unit, struct at_strbuf *out);

/*
 * Appends what stands in front of a tuned unit (struct at_compile_request, omit) so
 * that unneeded kernels, the reference first, are parsed and not compiled:
 * they would take their time in each of hundreds of units. Appends nothing where that
 * is not possible.
 */
void at_source_render_omit(const struct at_spec *spec,
	const struct at_template *template, const uint16_t *configuration,
	struct at_strbuf *out);

/*
 * The options of the spec that apply to the configuration in slots, in order, with
 * ${NAME} replaced. The caller frees *options by at_source_free_options().
 * AT_EUNTRUSTED with the line: an option is not known to be safe
 * (kernel/safe_options.h), and the spec is not trusted. All options of a space that
 * compilers get come from here.
 */
enum at_status at_source_options(const struct at_spec *spec,
	const struct at_value *slots, char ***options, size_t *count,
	struct at_error *err);
/* NULL is allowed. */
void at_source_free_options(char **options, size_t count);

/*
 * Fills in all of a request that comes from the template: options, source, omit, and
 * the hashes of what it includes. slots hold the configuration's values. *out must be
 * released by at_compile_request_release(), also after a failure.
 */
enum at_status at_source_fill(const struct at_spec *spec,
	const struct at_template *template, const struct at_value *slots,
	const uint16_t *configuration, enum at_unit unit,
	struct at_compile_request *out, struct at_error *err);

#endif
