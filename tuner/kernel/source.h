/*
 * Template + configuration -> source text and compiler options.
 *
 * A rendered source is a prelude of macros (AUTOTUNE 1; parameters by their own
 * names; for a word-valued one also NAME_value for each value, as distinct
 * integers; AUTOTUNE_REFERENCE 1 in the unit that holds the reference) and then
 * the template, line numbers kept by #line. A parameter that nothing mentions, for
 * it shapes only the launch, is not in it: configurations that differ in nothing
 * else are one unit. Neither is one that a C++ template calls a parameter of its own
 * and a kernel's name gives to it ("scale<BLOCK>"): as a macro it would replace it
 * there.
 *
 *   at_template_load(path, &template, &err);
 *   at_source_fill(spec, &template, slots, configuration, AT_UNIT_TUNED, &request,
 * &err); at_template_release(&template);
 *
 * Threads: a template is used by one thread (it remembers what it includes).
 */
#ifndef AT_KERNEL_SOURCE_H
#define AT_KERNEL_SOURCE_H

#include "kernel/compile.h"
#include "kernel/reach.h"
#include "space/spec.h"

struct at_template {
	char *path;
	char *directory;
	char *text;
	size_t size;
	struct at_template_memo *memo; /* of at_template_reach() */
};

enum at_status at_template_load(
	const char *path, struct at_template *out, struct at_error *err);
void at_template_release(struct at_template *self);
/*
 * What it is made of when it is compiled with these options: see kernel/reach.h.
 * Looked up on disk once for all lists of options that lead to the same files;
 * borrowed from self.
 */
enum at_status at_template_reach(const struct at_template *self, char *const *options,
	size_t count, const struct at_reach **out, struct at_error *err);
/*
 * False when the template cannot declare a function or a variable of that bare name:
 * its text does not have it. What it includes may have it; the compiler will tell.
 */
bool at_template_mentions(const struct at_template *self, const char *name);
/* Whether its own text has the name, in a comment too. */
bool at_template_mentions_word(const struct at_template *self, const char *name);
/*
 * Whether the template can have the kernel of that C++ name as its text goes: a
 * template of C++ has as many arguments as it takes, of the right kind, of words that
 * mean something, and others have none. AT_EINVAL and AT_ENOENT with the line of the
 * space; what is not seen is the compiler's to tell.
 */
enum at_status at_template_check_kernel(const struct at_template *self,
	const struct at_spec *spec, const char *kernel, int line, struct at_error *err);
/* What its text has instead of a kernel that it has not: "; did you mean ...?", or all
   of them; nothing where it has none. */
void at_template_hint_kernel(
	const struct at_template *self, const char *wrong, struct at_strbuf *out);
/* AT_ENOENT with the line of an argument whose variable the template cannot have. */
enum at_status at_template_check_symbols(const struct at_template *self,
	const struct at_spec *spec, struct at_error *err);

enum at_unit {
	AT_UNIT_TUNED = 0, /* the kernel with one configuration */
	AT_UNIT_REFERENCE, /* the reference, compiled with the defaults */
	/* the same with double wherever it says float; it need not compile */
	AT_UNIT_REFERENCE_WIDE,
};

/*
 * The macros that make double of float: in front of a template's text. What the toolkit
 * and the system have of it stays as it is, and comes ahead of them: the #include <...>
 * among the lines of text.
 */
void at_source_write_wide(const char *text, struct at_strbuf *out);

/*
 * The macros alone, one "#define NAME VALUE\n" each, in the order of the file:
 * what the template needs and what a generated header offers.
 */
void at_source_write_macros(const struct at_spec *spec, const uint16_t *configuration,
	struct at_strbuf *out);

/* What a source is rendered from. */
struct at_source_context {
	const struct at_spec *spec;
	const struct at_template *template;
	const struct at_reach *reach; /* NULL: every parameter may matter */
	size_t option_count;
	char *const *options; /* of this configuration: they may mention parameters */
};

/*
 * Whether the parameter is one of a C++ template there, as in template <int BLOCK>,
 * which gets its value by a kernel's name: then it is no macro.
 */
bool at_source_is_template_parameter(
	const struct at_spec *spec, const struct at_reach *reach, size_t index);

void at_source_render(const struct at_source_context *context,
	const uint16_t *configuration, enum at_unit unit, struct at_strbuf *out);

/*
 * What goes in front of a tuned unit (struct at_compile_request, omit), so that the
 * reference is read and not compiled: it would take its time in every one of some
 * hundred units, and nobody asks for it there. Nothing where that cannot be done.
 */
void at_source_render_omit(const struct at_spec *spec,
	const struct at_template *template, struct at_strbuf *out);

/*
 * The spec's options that apply, in its order, with ${NAME} replaced; *options is a
 * heap array of *count heap strings: at_source_free_options(). AT_EUNTRUSTED, with the
 * line: one of them is not known to be safe (kernel/safe_options.h), and the spec is
 * not trusted. All options of a space that a compiler gets come from here.
 */
enum at_status at_source_options(const struct at_spec *spec,
	const struct at_value *slots, char ***options, size_t *count,
	struct at_error *err);
void at_source_free_options(char **options, size_t count);

/*
 * All of a request that comes from the template: options, source, what is left out,
 * and the digest of what it includes. slots hold the configuration. After a failure
 * at_compile_request_release() releases what there is.
 */
enum at_status at_source_fill(const struct at_spec *spec,
	const struct at_template *template, const struct at_value *slots,
	const uint16_t *configuration, enum at_unit unit,
	struct at_compile_request *out, struct at_error *err);

#endif
