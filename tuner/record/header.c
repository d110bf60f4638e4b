/* Writes the header of a kernel (record/result.h has its contents). */
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/compile.h"
#include "kernel/scan.h"
#include "kernel/source.h"
#include "record/header_plan.h"
#include "record/header_stamp.h"
#include "record/result.h"
#include "record/verification.h"
#include "space/device_key.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* at_embed() of record/autotune.h */
extern const unsigned char at_embedded_autotune_h[];
extern const size_t at_embedded_autotune_h_size;

struct writer {
	const struct at_spec *spec;
	const struct at_header_plan *plan;
	char *kernel; /* the space's name in macros: MATMUL */
	char *prefix; /* and in functions: matmul */
	/* The template's kernels, and the variables that the space names. Each
	   configuration needs its own names for them: a program cannot define a name
	   twice. */
	size_t function_count;
	char **functions;
	bool *is_hidden; /* by parameter: at_source_is_template_parameter() */
	/* macro names in use; heap */
	size_t name_count, name_capacity;
	char **names;
	/* The names of devices and problems in choices, borrowed from names; NULL:
	   without a winner. */
	const char **device_names, **problem_names;
	bool has_partial_value; /* of an argument: C cannot compute it */
	bool has_run; /* $k_run_by() was written */
	struct at_strbuf *out; /* destination */
	struct at_error *err;
};

/* ==== text ==== */

bool at_header_is_plain(const char *text)
{
	bool is_quoted = false;

	for (const char *c = text; *c; c++) {
		if (*c < ' ' || *c > '~' || *c == '\\' || *c == '\'' || *c == '`' ||
			*c == '@' || *c == '$' || *c == '#')
			return false;
		if (c[0] == '?' && c[1] == '?')
			return false;
		if (c[0] == '/' && (c[1] == '*' || c[1] == '/'))
			return false;
		if (*c == '"')
			is_quoted = !is_quoted;
	}
	return !is_quoted;
}

/* Appends ", long long size_M, double size_F", or ", size_M, size_F", or
   "(void)size_M;" and so on, as not every function uses all sizes. */
static void add_size_list(struct writer *self, char form)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->size_count; i++) {
		const char *name = spec->size_names[i];

		if (form == 'P')
			at_strbuf_addf(self->out, ", %s size_%s",
				at_header_has_type(spec, i, true) ? "double"
								  : "long long",
				name);
		else if (form == 'A')
			at_strbuf_addf(self->out, ", size_%s", name);
		else
			at_strbuf_addf(
				self->out, "%s(void)size_%s;", i ? " " : "\t", name);
	}
	if (form == 'U' && spec->size_count)
		at_strbuf_add_char(self->out, '\n');
}

/* Appends the formatted text and expands its abbreviations: $K the kernel's name in
   macros (MATMUL), $k in functions (matmul), $P ", long long size_M, double size_F" for
   all sizes, $A ", size_M, size_F", and $U a line "(void)size_M; ...". */
static void add(struct writer *self, const char *format, ...)
{
	struct at_strbuf text = { 0 };
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&text, format, arguments);
	va_end(arguments);
	for (const char *at = at_strbuf_text(&text); *at; at++) {
		if (*at != '$')
			at_strbuf_add_char(self->out, *at);
		else if (*++at == 'K')
			at_strbuf_add(self->out, self->kernel);
		else if (*at == 'k')
			at_strbuf_add(self->out, self->prefix);
		else
			add_size_list(self, *at);
	}
	at_strbuf_release(&text);
}

/* Reserves a macro's name: the formatted text, with '_' appended until it is unique.
 *out is borrowed from the writer. */
static void claim(struct writer *self, const char **out, const char *format, ...)
{
	struct at_strbuf name = { 0 };
	va_list arguments;
	bool is_taken;

	*out = "";
	va_start(arguments, format);
	at_strbuf_addv(&name, format, arguments);
	va_end(arguments);
	do {
		is_taken = false;
		for (size_t i = 0; i < self->name_count; i++)
			is_taken |= !strcmp(self->names[i], at_strbuf_text(&name));
		if (is_taken)
			at_strbuf_add_char(&name, '_');
	} while (is_taken);
	AT_GROW(self->names, self->name_capacity, self->name_count + 1);
	self->names[self->name_count] = at_strbuf_detach(&name);
	*out = self->names[self->name_count++];
}

/* ==== the template: its hash, and names that a program can define only once ==== */

static void add_function(struct writer *self, const char *name, size_t length)
{
	char **grown;

	for (size_t i = 0; i < self->function_count; i++)
		if (strlen(self->functions[i]) == length &&
			!strncmp(self->functions[i], name, length))
			return;
	grown = at_realloc(
		self->functions, (self->function_count + 1) * sizeof(*self->functions));
	self->functions = grown;
	grown[self->function_count] = at_strndup(name, length);
	self->function_count++;
}

/* Adds the identifier in a C++ name: "tile" in "kernels::tile<4>". */
static void add_named(struct writer *self, const char *name)
{
	size_t length = 0;
	const char *bare = name ? at_kernel_bare_name(name, &length) : NULL;

	if (length)
		add_function(self, bare, length);
}

/* Adds the names of a kernel in the configurations, the first one first. */
static void add_called(struct writer *self, const char *kernel)
{
	const struct at_header_plan *plan = self->plan;

	for (size_t i = 0; kernel && i < plan->configuration_count; i++) {
		struct at_strbuf name = { 0 };

		at_spec_write_function(
			self->spec, kernel, plan->configurations[i].values, &name);
		add_named(self, at_strbuf_text(&name));
		at_strbuf_release(&name);
	}
}

/* Adds the function declared after "__global__": the last name before its
   parameters. */
static void add_kernel(struct writer *self, const char **at)
{
	struct at_lexeme lexeme, last = { 0 };

	while (at_scan(at, &lexeme)) {
		if (at_lexeme_is(lexeme, ";") || at_lexeme_is(lexeme, "{"))
			return;
		if (at_lexeme_is(lexeme, "#")) { /* a directive names no kernel */
			*at = at_scan_directive_end(lexeme.text);
			continue;
		}
		if (at_lexeme_is_identifier(lexeme)) {
			last = lexeme;
			continue;
		}
		if (!at_lexeme_is(lexeme, "("))
			continue;
		/* parentheses of __launch_bounds__(256) or __attribute__((..)), not of
		   the kernel */
		if (last.length > 4 && !strncmp(last.text, "__", 2)) {
			for (int depth = 1; depth > 0 && at_scan(at, &lexeme);)
				depth += at_lexeme_is(lexeme, "(")
						 ? 1
						 : -at_lexeme_is(lexeme, ")");
			continue;
		}
		if (last.length)
			add_function(self, last.text, last.length);
		return;
	}
}

static void add_kernels(struct writer *self, const char *text)
{
	struct at_lexeme lexeme;

	while (at_scan(&text, &lexeme))
		if (at_lexeme_is(lexeme, "__global__"))
			add_kernel(self, &text);
}

static enum at_status visit_file(
	void *context, const char *path, const char *text, struct at_error *err)
{
	(void)path;
	(void)err;
	add_kernels(context, text);
	return AT_OK;
}

/* Reads the template: fills functions and is_hidden, and writes the hash of the
   template and its includes to `hash`. */
static enum at_status read_template(struct writer *self, char hash[AT_HASH_HEX_SIZE])
{
	const struct at_spec *spec = self->spec;
	const struct at_header_plan *plan = self->plan;
	const struct at_reach_visitor visitor = { visit_file, self };
	struct at_template template;
	struct at_reach reach = { 0 };
	enum at_status status = at_spec_require_kernel(spec, self->err);

	if (!status)
		status = at_template_load(spec->template_path, &template, self->err);
	if (status)
		return status;
	/* in the order of the header: the tuned kernel first */
	for (size_t i = 0; i <= spec->call_count; i++)
		if (!at_spec_call(spec, i)->is_generated)
			add_called(self, at_spec_call(spec, i)->kernel);
	for (size_t i = 0; i < spec->argument_count; i++)
		add_named(self, spec->arguments[i].symbol);
	add_kernels(self, template.text);
	/* options may add include folders; all configurations are assumed to include
	   the files of the first */
	status = at_reach_find(template.text, template.directory,
		plan->configuration_count ? plan->configurations[0].options : NULL,
		plan->configuration_count ? plan->configurations[0].option_count : 0,
		NULL, &visitor, &reach, self->err);
	self->is_hidden =
		at_calloc(spec->parameter_count + 1, sizeof(*self->is_hidden));
	for (size_t i = 0; i < spec->parameter_count && !status; i++)
		self->is_hidden[i] = at_source_is_template_parameter(spec, &reach, i);
	at_hash_hex(reach.digest, hash);
	at_reach_release(&reach);
	at_template_release(&template);
	return status;
}

/* ==== macros: of each configuration, and the figures of each device and problem ====
 */

/* ---- one configuration ------------------------------------------------------ */

/* Begins a line "#define MATMUL_2_BLOCK_X " with a reserved name. */
static void define(struct writer *self, const char *format, ...) AT_PRINTF(2, 3);

static void define(struct writer *self, const char *format, ...)
{
	struct at_strbuf name = { 0 };
	const char *claimed;
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&name, format, arguments);
	va_end(arguments);
	claim(self, &claimed, "%s_%s", self->kernel, at_strbuf_text(&name));
	at_strbuf_addf(self->out, "#define %s ", claimed);
	at_strbuf_release(&name);
}

/* Reads the next "#define NAME VALUE" of at_source_write_macros(), and NUL-terminates
   its parts. */
static bool next_macro(char **rest, char **name, char **value)
{
	char *line = *rest;

	if (!line || !*line)
		return false;
	*rest = line + strcspn(line, "\n");
	*(*rest)++ = '\0';
	*name = line + strlen("#define ");
	*value = *name + strcspn(*name, " ");
	*(*value)++ = '\0';
	return true;
}

/* NULL: no parameter has this name. */
static const struct at_parameter *find_parameter(
	const struct at_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->parameter_count; i++)
		if (!strcmp(spec->parameters[i].name, name))
			return &spec->parameters[i];
	return NULL;
}

/* The number of a word among the parameter's values, as in the macro
   MATMUL_CACHE_cg. */
static size_t word_number(const struct at_parameter *parameter, const char *word)
{
	const struct at_value *all =
		parameter->all ? parameter->all : parameter->values;
	size_t count = parameter->all ? parameter->all_count : parameter->value_count;

	for (size_t i = 0; i < count; i++)
		if (all[i].type == AT_TYPE_WORD && !strcmp(all[i].word, word))
			return i + 1;
	return 0;
}

/* Defines the value of a parameter in configuration `index`, as in the template. */
static void define_parameter(struct writer *self, size_t index,
	const struct at_parameter *parameter, const char *value)
{
	const size_t number = (size_t)(parameter - self->spec->parameters);
	const struct at_value *chosen =
		&parameter->values[self->plan->configurations[index].values[number]];

	define(self, "%zu_%s", index, parameter->name);
	if (chosen->type != AT_TYPE_WORD) {
		at_strbuf_addf(self->out, "%s\n", value);
		return;
	}
	at_strbuf_addf(self->out, "%zu\n", word_number(parameter, chosen->word));
	define(self, "%zu_%s_NAME", index, parameter->name);
	at_escape_c_string(self->out, chosen->word);
	at_strbuf_add_char(self->out, '\n');
}

/* Defines a launch amount only if it depends neither on sizes nor on the device. */
static void define_amount(struct writer *self, size_t index, const char *name,
	const struct at_expression *expression, int64_t fallback)
{
	int64_t amount = fallback;

	if (expression && at_spec_integer(self->spec, expression,
				  self->plan->configurations[index].slots, name, 0, 0,
				  INT32_MAX, &amount, NULL))
		return;
	define(self, "%zu_%s", index, name);
	at_strbuf_addf(self->out, "%" PRId64 "\n", amount);
}

/* Without the generated calls that convert for comparisons, whose kernels are not in
   the template. */
static size_t count_calls(const struct at_spec *spec)
{
	size_t count = spec->call_count;

	while (spec->calls[count - 1].is_generated)
		count--;
	return count;
}

/* Whether the tuned kernel is an instance of a C++ template. */
static bool has_instances(const struct writer *self)
{
	return at_kernel_arguments(self->spec->kernel) != NULL;
}

/* Defines the kernels' names of this configuration: instances of C++ templates as code,
   functions as text. */
static void write_varying(struct writer *self, size_t index)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < count_calls(spec); i++) {
		const struct at_call *call = &spec->calls[i];
		const char *what =
			at_kernel_arguments(call->kernel) ? "INSTANCE" : "FUNCTION";
		struct at_strbuf name = { 0 };

		if (!at_kernel_varies(call->kernel))
			continue;
		if (call == spec->prepare || call == spec->finish)
			define(self, "%zu_%s_%s", index,
				call == spec->prepare ? "PREPARE" : "FINISH", what);
		else if (i)
			define(self, "%zu_%s_%zu", index, what, i);
		else
			define(self, "%zu_%s", index, what);
		at_spec_write_kernel(spec, call->kernel,
			self->plan->configurations[index].values, &name);
		if (at_kernel_arguments(call->kernel))
			at_strbuf_add(self->out, at_strbuf_text(&name));
		else
			at_escape_c_string(self->out, at_strbuf_text(&name));
		at_strbuf_add_char(self->out, '\n');
		at_strbuf_release(&name);
	}
}

static void write_configuration(struct writer *self, size_t index)
{
	const struct at_header_configuration *configuration =
		&self->plan->configurations[index];
	const struct at_launch *launch = &self->spec->calls[0].launch;
	struct at_strbuf joined = { 0 }, macros = { 0 };
	char *rest, *name, *value;

	at_strbuf_add(self->out, "\n");
	at_source_write_macros(self->spec, configuration->values, &macros);
	for (rest = macros.data; next_macro(&rest, &name, &value);) {
		const struct at_parameter *parameter = find_parameter(self->spec, name);

		if (parameter)
			define_parameter(self, index, parameter, value);
	}
	at_strbuf_release(&macros);
	for (size_t i = 0; i < configuration->option_count; i++)
		at_strbuf_addf(
			&joined, "%s%s", i ? " " : "", configuration->options[i]);
	write_varying(self, index);
	define(self, "%zu_NUMBER", index);
	at_strbuf_addf(self->out, "%zu\n", index);
	define(self, "%zu_OPTIONS", index);
	at_escape_c_string(self->out, at_strbuf_text(&joined));
	at_strbuf_add_char(self->out, '\n');
	at_strbuf_release(&joined);
	for (size_t i = 0; i < 3 && launch->line; i++) {
		static const char *const names[] = { "BLOCK_DIM_X", "BLOCK_DIM_Y",
			"BLOCK_DIM_Z" };

		define_amount(self, index, names[i],
			i < launch->block_rank ? launch->block[i] : NULL, 1);
	}
	if (launch->line)
		define_amount(self, index, "SHARED_BYTES", launch->shared_bytes, 0);
}

/* ---- one device and problem ------------------------------------------------- */

static void write_result(struct writer *self, const struct at_header_entry *entry)
{
	const struct at_winner *best = &entry->result->best;
	const char *device = self->plan->devices[entry->device].name;
	const char *problem = self->plan->problems[entry->problem].name;
	const struct at_score speedup = at_winner_speedup(best);
	/* finals by another objective have no time */
	bool is_time = best->objective == &at_objective_time;
	const struct {
		const char *name;
		double value;
	} figures[] = {
		{ "TIME_NS", at_winner_time_ns(best, &entry->result->winner) },
		{ "TIME_LOW_NS",
			is_time ? best->score.low : entry->result->winner.low_ns },
		{ "TIME_HIGH_NS",
			is_time ? best->score.high : entry->result->winner.high_ns },
		{ "SPEEDUP", speedup.value },
		{ "SPEEDUP_LOW", speedup.low },
		{ "SPEEDUP_HIGH", speedup.high },
		/* only for a portfolio's member that is not the problem's winner */
		{ "LOSS", best->loss != 0 ? best->loss : (double)NAN },
	};

	at_strbuf_add_char(self->out, '\n');
	define(self, "%s_%s_CONFIGURATION", device, problem);
	at_strbuf_addf(self->out, "%zu\n", entry->configuration);
	for (size_t i = 0; i < AT_COUNT_OF(figures); i++) {
		char text[64];

		if (!isfinite(figures[i].value))
			continue;
		define(self, "%s_%s_%s", device, problem, figures[i].name);
		/* as many digits as result files have: a header made from those, in a
		   clone without a record, must be identical */
		snprintf(text, sizeof(text), "%.15g", figures[i].value);
		at_strbuf_addf(
			self->out, "%s%s\n", text, strpbrk(text, ".e") ? "" : ".0");
	}
	if (!is_time) {
		define(self, "%s_%s_OBJECTIVE", device, problem);
		at_strbuf_addf(self->out, "\"%s\"\n", best->objective->name);
	}
	/* for #ifdefs that reject unverified configurations */
	if (best->is_unverified) {
		define(self, "%s_%s_UNVERIFIED", device, problem);
		at_strbuf_add(self->out, "1\n");
	}
}

static void write_macros(struct writer *self)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf macros = { 0 };
	char *rest, *name, *value;

	at_strbuf_addf(self->out,
		"/* X(number, kernel) for every configuration */\n"
		"#define %s_CONFIGURATION_COUNT %zu\n#define %s_CONFIGURATIONS(X)",
		self->kernel, plan->configuration_count, self->kernel);
	for (size_t i = 0; i < plan->configuration_count; i++)
		at_strbuf_addf(self->out, " \\\n\tX(%zu, %s_%zu)", i, self->prefix, i);
	at_strbuf_addf(self->out, "\n#define %s_DEVICE_COUNT %zu\n", self->kernel,
		plan->device_count);
	/* The macros of words have the same values in all configurations, and no
	   number. */
	at_source_write_macros(self->spec, plan->configurations[0].values, &macros);
	for (rest = macros.data; next_macro(&rest, &name, &value);) {
		if (find_parameter(self->spec, name))
			continue;
		define(self, "%s", name);
		at_strbuf_addf(self->out, "%s\n", value);
	}
	at_strbuf_release(&macros);
	for (size_t i = 0; i < plan->configuration_count; i++)
		write_configuration(self, i);
	for (size_t i = 0; i < plan->winner_count; i++)
		write_result(self, &plan->entries[i]);
	at_strbuf_add_char(self->out, '\n');
}

/* ==== the choice when the program is compiled ==== */

/* ---- the names to choose by ---------------------------------------------------- */

/* The number of winners that a choice of a device, a problem, both or none leaves. */
static size_t count_winners(
	const struct at_header_plan *plan, const size_t *device, const size_t *problem)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->winner_count; i++)
		count += (!device || plan->entries[i].device == *device) &&
			 (!problem || plan->entries[i].problem == *problem);
	return count;
}

static void write_names(struct writer *self)
{
	static const char *const own[] = { "BARE", "CONFIGURATION", "CONFIGURATIONS",
		"CONFIGURATION_COUNT", "DEVICE", "DEVICE_COUNT", "ENTRY", "PROBLEM",
		"RUN_ARGUMENTS", "RUN_PARAMETERS", "SELECTED", "SELECTED_DEVICE",
		"SELECTED_PROBLEM" };
	const struct at_header_plan *plan = self->plan;
	const char *name;

	for (size_t i = 0; i < AT_COUNT_OF(own); i++)
		claim(self, &name, "%s_%s", self->kernel, own[i]);
	add(self,
		"/* the values that $K_CONFIGURATION, $K_DEVICE and $K_PROBLEM may have */\n");
	for (size_t i = 0; i < plan->configuration_count; i++) {
		claim(self, &name, "%s_CONFIGURATION_%zu", self->kernel, i);
		at_strbuf_addf(self->out, "#define %s %zu\n", name, i + 1);
	}
	for (size_t i = 0; i < plan->device_count; i++) {
		if (!count_winners(plan, &i, NULL))
			continue;
		claim(self, &name, "%s_DEVICE_%s", self->kernel, plan->devices[i].name);
		at_strbuf_addf(self->out, "#define %s %zu\n", name, i + 1);
		self->device_names[i] =
			name + strlen(self->kernel) + strlen("_DEVICE_");
	}
	for (size_t i = 0; i < plan->problem_count; i++) {
		if (!count_winners(plan, NULL, &i))
			continue;
		claim(self, &name, "%s_PROBLEM_%s", self->kernel,
			plan->problems[i].name);
		at_strbuf_addf(self->out, "#define %s %zu\n", name, i + 1);
		self->problem_names[i] =
			name + strlen(self->kernel) + strlen("_PROBLEM_");
	}
	at_strbuf_add_char(self->out, '\n');
}

/* ---- the selection ----------------------------------------------------------- */

/* Writes an #if on the user's name, pasted to a prefix, since #if takes any unknown
   name for 0. */
static void write_selected(
	struct writer *self, const char *what, const char *const *names, size_t count)
{
	const char *separator = "";

	add(self,
		"#undef $K_SELECTED_%s\n"
		"#ifdef $K_%s\n"
		"#define $K_SELECTED_%s AUTOTUNE_PASTE($K_%s_, $K_%s)\n"
		"#if !($K_SELECTED_%s > 0)\n"
		"#error \"$K_%s is not one of: ",
		what, what, what, what, what, what, what);
	for (size_t i = 0; i < count; i++) {
		if (!names[i])
			continue;
		at_strbuf_addf(self->out, "%s%s", separator, names[i]);
		separator = ", ";
	}
	add(self,
		"\"\n"
		"#endif\n"
		"#else\n"
		"#define $K_SELECTED_%s 0\n"
		"#endif\n",
		what);
}

static void write_branch(
	struct writer *self, size_t device, size_t problem, size_t configuration)
{
	add(self,
		"#elif $K_SELECTED_DEVICE == %zu && $K_SELECTED_PROBLEM == %zu\n"
		"#define $K_SELECTED %zu\n",
		device, problem, configuration + 1);
}

static void write_choices(struct writer *self)
{
	const struct at_header_plan *plan = self->plan;

	write_selected(self, "DEVICE", self->device_names, plan->device_count);
	write_selected(self, "PROBLEM", self->problem_names, plan->problem_count);
	add(self,
		"#undef $K_SELECTED\n"
		"#ifdef $K_CONFIGURATION\n"
		"#define $K_SELECTED AUTOTUNE_PASTE($K_CONFIGURATION_, $K_CONFIGURATION)\n"
		"#if !($K_SELECTED > 0)\n"
		"#error \"$K_CONFIGURATION is no number from 0 to %zu\"\n"
		"#endif\n",
		plan->configuration_count - 1);
	/* branches for each winner: for its device and problem, and for each shorter
	   choice that leaves only this winner */
	for (size_t i = 0; i < plan->winner_count; i++) {
		const struct at_header_entry *entry = &plan->entries[i];
		const size_t *device = &entry->device, *problem = &entry->problem;

		write_branch(self, *device + 1, *problem + 1, entry->configuration);
		if (count_winners(plan, device, NULL) == 1)
			write_branch(self, *device + 1, 0, entry->configuration);
		if (count_winners(plan, NULL, problem) == 1)
			write_branch(self, 0, *problem + 1, entry->configuration);
		if (count_winners(plan, NULL, NULL) == 1)
			write_branch(self, 0, 0, entry->configuration);
	}
	add(self, "#elif $K_SELECTED_DEVICE > 0 && $K_SELECTED_PROBLEM > 0\n"
		  "#error \"$K_PROBLEM was not measured on $K_DEVICE; there are:");
	for (size_t i = 0; i < plan->winner_count; i++)
		at_strbuf_addf(self->out, "%s %s on %s", i ? "," : "",
			self->problem_names[plan->entries[i].problem],
			self->device_names[plan->entries[i].device]);
	add(self, "\"\n"
		  "#else\n"
		  "#define $K_SELECTED 0\n"
		  "#endif\n");
}

/* ---- short names -------------------------------------------------------------- */

/* Whether an earlier configuration has the name, so that it was already undefined. */
static bool is_undefined(
	const struct writer *self, size_t configuration, const char *name)
{
	bool is_found = false;

	for (size_t i = 0; i < configuration && !is_found; i++) {
		struct at_strbuf other = { 0 };

		at_strbuf_addf(&other, "%s_%zu_%s", self->kernel, i, name);
		for (size_t k = 0; k < self->name_count; k++)
			is_found |= !strcmp(self->names[k], at_strbuf_text(&other));
		at_strbuf_release(&other);
	}
	return is_found;
}

static bool is_short_name_free(const struct writer *self, const char *name)
{
	size_t length = strlen(self->kernel);

	/* a parameter DEVICE has no short name: the user defines MATMUL_DEVICE */
	for (size_t i = 0; i < self->name_count; i++)
		if (!strncmp(self->names[i], self->kernel, length) &&
			self->names[i][length] == '_' &&
			!strcmp(self->names[i] + length + 1, name))
			return false;
	return true;
}

/* If configuration 2 is selected, MATMUL_BLOCK_X becomes MATMUL_2_BLOCK_X. */
static void write_short_names(struct writer *self)
{
	struct at_strbuf body = { 0 }, start = { 0 };

	for (size_t i = 0; i < self->plan->configuration_count; i++) {
		at_strbuf_clear(&start);
		at_strbuf_addf(&start, "%s_%zu_", self->kernel, i);
		at_strbuf_addf(&body, "#%sif %s_SELECTED == %zu\n", i ? "el" : "",
			self->kernel, i + 1);
		for (size_t k = 0; k < self->name_count; k++) {
			const char *name = self->names[k] + start.length;

			if (strncmp(self->names[k], at_strbuf_text(&start),
				    start.length) != 0)
				continue;
			if (!is_short_name_free(self, name))
				continue;
			if (!is_undefined(self, i, name))
				at_strbuf_addf(self->out, "#undef %s_%s\n",
					self->kernel, name);
			at_strbuf_addf(&body, "#define %s_%s %s\n", self->kernel, name,
				self->names[k]);
		}
	}
	at_strbuf_add(&body, "#endif\n");
	at_strbuf_add(self->out, at_strbuf_text(&body));
	at_strbuf_release(&body);
	at_strbuf_release(&start);
}

/* ---- macros that the template reads ---------------------------------------- */

/* Repeats an option's definition: -DRADIUS=6, -D RADIUS=6, --define-macro=RADIUS=6, and
   -U likewise. */
static void write_defined(
	struct writer *self, char *const *options, size_t count, size_t index)
{
	struct at_strbuf *out = self->out;
	const char *text;
	enum at_option_kind kind = at_option_read(options, count, &index, &text);
	bool defined = kind == AT_OPTION_DEFINE;
	size_t length;

	if (!defined && kind != AT_OPTION_UNDEFINE)
		return;
	length = at_scan_span(text);
	if (!length || (text[0] >= '0' && text[0] <= '9'))
		return;
	/* keep the compiler's definition if no line of a header can express it */
	if (defined && text[length] &&
		(text[length] != '=' || !at_header_is_plain(text + length + 1))) {
		at_strbuf_addf(out,
			"#ifndef %.*s\n"
			"#error \"%.*s cannot be defined here: give the compiler %s_OPTIONS\"\n"
			"#endif\n",
			(int)length, text, (int)length, text, self->kernel);
		return;
	}
	at_strbuf_addf(out, "#undef %.*s\n", (int)length, text);
	if (!defined)
		return;
	if (!text[length])
		at_strbuf_addf(out, "#define %.*s 1\n", (int)length, text);
	else
		at_strbuf_addf(
			out, "#define %.*s %s\n", (int)length, text, text + length + 1);
}

/*
 * Renames the tuned kernel to matmul_2, and the template's other kernels and variables
 * to matmul_2_NAME: spaces may share a template, and templates may share helper names.
 * A C++ template becomes matmul_2_NAME, too; then matmul_2 is the pointer to its
 * instance.
 */
static void write_kernels(struct writer *self, size_t index)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf tuned = { 0 };
	const char *bare;
	size_t length;

	at_spec_write_function(
		spec, spec->kernel, self->plan->configurations[index].values, &tuned);
	bare = at_kernel_bare_name(at_strbuf_text(&tuned), &length);
	add(self, "#ifdef $K_CONFIGURATION\n");
	for (size_t i = 0; i < self->function_count; i++) {
		const char *name = self->functions[i];
		bool is_long = has_instances(self) || strlen(name) != length ||
			       memcmp(name, bare, length) != 0;

		add(self, "#undef %s\n#define %s $k_%zu%s%s\n", name, name, index,
			is_long ? "_" : "", is_long ? name : "");
	}
	/* the line that follows the template in a unit and exports its kernels */
	add(self, "#undef $K_ENTRY\n#define $K_ENTRY");
	if (has_instances(self))
		add(self,
			" extern \"C\" decltype(&$K_INSTANCE) const $k_%zu; \\\n"
			"\tdecltype(&$K_INSTANCE) const $k_%zu = &$K_INSTANCE; \\\n\t",
			index, index);
	add(self,
		" extern \"C\" const void *const $k_%zu_kernels[%zu]; \\\n"
		"\tconst void *const $k_%zu_kernels[%zu] = {",
		index, count_calls(spec), index, count_calls(spec));
	for (size_t i = 0; i < count_calls(spec); i++) {
		at_strbuf_addf(
			self->out, "%s reinterpret_cast<const void *>(&", i ? "," : "");
		at_spec_write_kernel(spec, spec->calls[i].kernel,
			self->plan->configurations[index].values, self->out);
		at_strbuf_add_char(self->out, ')');
	}
	at_strbuf_add(self->out, " }\n");
	add(self, "#endif\n");
	at_strbuf_release(&tuned);
}

static void write_bare(struct writer *self)
{
	const struct at_header_plan *plan = self->plan;

	add(self, "#ifdef $K_BARE\n");
	for (size_t i = 0; i < plan->configuration_count; i++) {
		const struct at_header_configuration *configuration =
			&plan->configurations[i];
		struct at_strbuf macros = { 0 };
		char *rest, *name, *value;

		add(self, "#%sif $K_SELECTED == %zu\n", i ? "el" : "", i + 1);
		at_source_write_macros(self->spec, configuration->values, &macros);
		for (rest = macros.data; next_macro(&rest, &name, &value);) {
			const struct at_parameter *parameter =
				find_parameter(self->spec, name);

			if (!parameter ||
				!self->is_hidden[parameter - self->spec->parameters])
				at_strbuf_addf(self->out, "#undef %s\n#define %s %s\n",
					name, name, value);
		}
		at_strbuf_release(&macros);
		for (size_t k = 0; k < configuration->option_count; k++)
			write_defined(self, configuration->options,
				configuration->option_count, k);
		write_kernels(self, i);
	}
	add(self,
		"#else\n"
		"#error \"$K_BARE: say of which configuration, with $K_CONFIGURATION, or with $K_DEVICE and $K_PROBLEM\"\n"
		"#endif\n"
		"#endif\n");
}

/* ==== functions: devices, and expressions as C in launch(), fits() and choose()
   ==== */

/* ---- sizes ---------------------------------------------------------------- */

static void add_real(struct at_strbuf *out, double value)
{
	char text[64];

	at_text_shortest_real(value, text, sizeof(text));
	at_strbuf_addf(out, "%s%s", text, strpbrk(text, ".eE") ? "" : ".0");
}

static void add_integer(struct at_strbuf *out, int64_t value)
{
	if (value == INT64_MIN)
		at_strbuf_add(out, "AUTOTUNE_SMALLEST");
	else
		at_strbuf_addf(out, "%" PRId64 "LL", value);
}

/* Appends the condition "size_M == 4096LL". */
static void add_equal(struct writer *self, size_t size, const struct at_value *value)
{
	const char *name = self->spec->size_names[size];

	if (at_header_has_type(self->spec, size, true)) {
		at_strbuf_addf(self->out, "autotune_compare(size_%s, ", name);
		add_real(self->out, value->type == AT_TYPE_REAL
					    ? value->real
					    : (double)value->integer);
		at_strbuf_add(self->out, ") == 0");
	} else {
		at_strbuf_addf(self->out, "size_%s == ", name);
		add_integer(self->out, value->integer);
	}
}

/* Appends the condition that device and sizes are those of a measurement. */
static void add_as_measured(struct writer *self, const struct at_header_entry *entry)
{
	add(self, "\t\tif (autotune_is_same_device(&complete, $k_device(%zu))",
		entry->device);
	for (size_t i = 0; i < self->spec->size_count; i++) {
		if (entry->sizes[i].type == AT_TYPE_NONE)
			continue;
		at_strbuf_add(self->out, " && ");
		add_equal(self, i, &entry->sizes[i]);
	}
	at_strbuf_add_char(self->out, ')');
}

/* ---- expressions ----------------------------------------------------------- */

/* Names a slot in C: sizes by their names, properties as members of "complete". All are
   integers or reals, even if the space has a boolean: a caller may pass any number. */
static enum at_type name_slot(void *context, int slot, struct at_strbuf *out)
{
	const struct at_spec *spec = context;
	size_t index = (size_t)slot, size;
	const char *name;

	if (index < spec->parameter_count)
		return AT_TYPE_NONE;
	name = at_spec_slot_name(spec, slot);
	if (index == spec->slot_count) {
		at_strbuf_add(out, name);
		return AT_TYPE_INTEGER;
	}
	size = index - spec->parameter_count;
	if (size < spec->size_count) {
		/* integers and reals behave differently in C, so a size of both types
		   has no name */
		if (at_header_has_type(spec, size, true) &&
			at_header_has_type(spec, size, false))
			return AT_TYPE_NONE;
		at_strbuf_addf(out, "size_%s", name);
		return at_header_has_type(spec, size, true) ? AT_TYPE_REAL
							    : AT_TYPE_INTEGER;
	}
	name += strlen("device.");
	if (!strcmp(name, at_property_name(AT_PROPERTY_COMPUTE_CAPABILITY)))
		at_strbuf_add(out,
			"autotune_known(10LL * complete.major + complete.minor, &bad)");
	else if (!strcmp(name,
			 at_property_name(AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK)))
		/* 0 is valid: some devices have none */
		at_strbuf_addf(out, "complete.%s", name);
	else
		at_strbuf_addf(out, "autotune_known(complete.%s, &bad)", name);
	return AT_TYPE_INTEGER;
}

static struct at_expression_c write_expression(struct writer *self,
	const struct at_header_configuration *configuration,
	const struct at_expression *expression, enum at_type wanted,
	struct at_strbuf *out)
{
	const struct at_expression_naming naming = {
		.prefix = "autotune_",
		.slots = configuration->slots,
		.name = name_slot,
		.context = (void *)self->spec,
	};
	struct at_expression_c result;

	at_expression_write_c(expression, &naming, wanted, &result, out);
	return result;
}

/* ---- the devices ----------------------------------------------------------- */

/* The value of a result file (device_json() in result_json.c), which is equal for all
   boards: a header is the same with and without the record. */
static int64_t property(const struct at_header_device *device, enum at_property which)
{
	if (which == AT_PROPERTY_MEMORY_BYTES)
		return strcmp(device->record->kind, "host") != 0
			       ? at_device_memory_gib(&device->record->properties) << 30
			       : 0;
	if (which == AT_PROPERTY_CLOCK_HZ || which == AT_PROPERTY_MEMORY_CLOCK_HZ)
		return 0;
	return device->record->properties.known[which]
		       ? device->record->properties.value[which]
		       : 0;
}

static void write_devices(struct writer *self)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out;

	add(self, "/* The recorded devices, by number; 0: there is no such number. */\n"
		  "static inline const struct autotune_device *$k_device(int index)\n"
		  "{\n"
		  "\tstatic const struct autotune_device devices[] = {\n");
	for (size_t i = 0; i < plan->device_count; i++) {
		const struct at_header_device *device = &plan->devices[i];
		int64_t capability = property(device, AT_PROPERTY_COMPUTE_CAPABILITY);

		at_strbuf_add(out, "\t\t{ ");
		at_escape_c_string(out, device->record->model);
		at_strbuf_addf(out, ", %" PRId64 ", %" PRId64, capability / 10,
			capability % 10);
		/* struct autotune_device has the order of AT_PROPERTIES */
		for (int k = 0; k < AT_PROPERTY_COUNT; k++)
			if (k != AT_PROPERTY_COMPUTE_CAPABILITY)
				at_strbuf_addf(out, ",%s%" PRId64,
					(k - 1) % 10 ? " " : "\n\t\t\t",
					property(device, (enum at_property)k));
		at_strbuf_add(out, " },\n");
	}
	add(self,
		"\t};\n"
		"\n"
		"\treturn index >= 0 && index < %zu ? &devices[index] : AUTOTUNE_NULL;\n"
		"}\n"
		"\n"
		"/* Completes a device with what is recorded of it, or what all such devices have. */\n"
		"static inline struct autotune_device $k_complete(\n"
		"\tconst struct autotune_device *device)\n"
		"{\n"
		"\tstruct autotune_device complete = *device;\n"
		"\tint i;\n"
		"\n"
		"\tfor (i = 0; i < %zu; i++)\n"
		"\t\tif (autotune_is_same_device(device, $k_device(i)))\n"
		"\t\t\tautotune_fill(&complete, $k_device(i));\n"
		"\tif (!autotune_is_cpu(device))\n"
		"\t\tautotune_fill_common(&complete);\n"
		"\treturn complete;\n"
		"}\n"
		"\n",
		plan->device_count, plan->device_count);
}

/* ---- launch() -------------------------------------------------------------- */

/* Conditions of a configuration: it was compiled for these sizes, device properties and
   conditions of options, and is wrong for others. */
static void write_exact(
	struct writer *self, const struct at_header_configuration *configuration)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;

	for (size_t i = spec->parameter_count; i < spec->slot_count; i++) {
		const struct at_value *value = &configuration->slots[i];
		struct at_strbuf name = { 0 };

		if (value->type == AT_TYPE_NONE)
			continue;
		at_strbuf_add(out, "\t\tif (!(");
		if (i < spec->parameter_count + spec->size_count) {
			add_equal(self, i - spec->parameter_count, value);
		} else {
			name_slot((void *)spec, (int)i, &name);
			at_strbuf_addf(out, "%s == ", at_strbuf_text(&name));
			add_integer(out, value->integer);
		}
		at_strbuf_add(out, "))\n\t\t\tbad = 1;\n");
		at_strbuf_release(&name);
	}
	for (size_t i = 0; i < spec->option_count; i++) {
		struct at_strbuf text = { 0 };

		if (!spec->options[i].when)
			continue;
		if (!write_expression(self, configuration, spec->options[i].when,
			    AT_TYPE_BOOLEAN, &text)
				.is_known)
			at_strbuf_addf(out, "\t\tif (%s%s)\n\t\t\tbad = 1;\n",
				configuration->conditions[i] ? "!" : "!!",
				at_strbuf_text(&text));
		at_strbuf_release(&text);
	}
}

/* Writes amounts[index] = ...; returns whether the C code refuses arguments for which
   the expression has a value. */
static bool write_amount(struct writer *self,
	const struct at_header_configuration *configuration,
	const struct at_expression *expression, enum at_type type, int index)
{
	struct at_expression_c result;

	if (!expression)
		return false;
	at_strbuf_addf(self->out, "\t\tamounts[%d] = ", index);
	result = write_expression(self, configuration, expression, type, self->out);
	at_strbuf_add_char(self->out, ';');
	if (result.is_partial) {
		at_strbuf_add(self->out, " /* only as recorded: ");
		at_escape_c_comment(self->out, at_expression_full_text(expression));
		at_strbuf_add(self->out, " */");
	}
	at_strbuf_add_char(self->out, '\n');
	return result.is_partial;
}

/* The launch of the measurement, for expressions that C cannot compute fully. */
static void write_recorded(struct writer *self, size_t call, size_t index)
{
	const struct at_header_plan *plan = self->plan;

	for (size_t i = 0; i < plan->winner_count; i++) {
		const struct at_header_entry *entry = &plan->entries[i];
		const struct at_header_launch *launch = &entry->launches[call];

		if (entry->configuration != index || launch->repeats < 0)
			continue;
		add_as_measured(self, entry);
		at_strbuf_add(self->out, " {\n\t\t\tbad = 0;\n");
		for (int k = 0; k < 7; k++)
			at_strbuf_addf(self->out,
				"\t\t\tamounts[%d] = %" PRId64 "LL;\n", k,
				launch->amounts[k]);
		at_strbuf_addf(self->out, "\t\t\tamounts[7] = %" PRId64 "LL;\n\t\t}\n",
			launch->repeats);
	}
}

/* Writes the number of launches, and the end if that is 0. */
static bool write_repeats(struct writer *self, const struct at_call *call,
	const struct at_header_configuration *configuration)
{
	struct at_strbuf text = { 0 };
	struct at_expression_c when = { .is_known = true };
	bool is_partial =
		write_amount(self, configuration, call->repeat, AT_TYPE_INTEGER, 7);

	if (call->when)
		when = write_expression(
			self, configuration, call->when, AT_TYPE_BOOLEAN, &text);
	/* most conditions depend only on parameters and hold */
	if (when.is_known && strcmp(at_strbuf_text(&text), "0") != 0)
		at_strbuf_clear(&text);
	if (text.length)
		at_strbuf_addf(self->out, "\t\tif (!%s)\n\t\t\tamounts[7] = 0;\n",
			at_strbuf_text(&text));
	if (call->repeat || text.length)
		at_strbuf_add(
			self->out, "\t\tif (!bad && amounts[7] == 0)\n\t\t\tbreak;\n");
	at_strbuf_release(&text);
	return is_partial || when.is_partial;
}

/* The parts of a launch, as in autotune_launch_of(). */
static const struct {
	size_t offset; /* of its first expression in struct at_launch */
	int place; /* of its first amount */
	int most; /* number of expressions */
	enum at_type type;
} amounts[] = {
	{ offsetof(struct at_launch, grid), 0, 3, AT_TYPE_INTEGER },
	{ offsetof(struct at_launch, block), 3, 3, AT_TYPE_INTEGER },
	{ offsetof(struct at_launch, shared_bytes), 6, 1, AT_TYPE_INTEGER },
	/* attributes */
	{ offsetof(struct at_launch, cluster), 8, 3, AT_TYPE_INTEGER },
	{ offsetof(struct at_launch, preferred), 11, 3, AT_TYPE_INTEGER },
	{ offsetof(struct at_launch, cooperative), 14, 1, AT_TYPE_BOOLEAN },
	{ offsetof(struct at_launch, dependent), 15, 1, AT_TYPE_BOOLEAN },
	{ offsetof(struct at_launch, carveout), 16, 1, AT_TYPE_INTEGER },
	{ offsetof(struct at_launch, window.percent), 17, 1, AT_TYPE_INTEGER },
};

static void write_launch_of(struct writer *self, const void *subject, size_t index)
{
	const struct at_call *call = subject;
	const struct at_spec *spec = self->spec;
	const struct at_header_configuration *configuration =
		&self->plan->configurations[index];
	const size_t number = (size_t)(call - spec->calls);
	bool is_partial = false;

	at_strbuf_addf(self->out, "\tcase %zu:\n", index);
	write_exact(self, configuration);
	if (number < spec->launch_count)
		is_partial = write_repeats(self, call, configuration);
	for (size_t i = 0; i < AT_COUNT_OF(amounts); i++) {
		struct at_expression *const *expressions = (struct at_expression *const
				*)(const void *)((const char *)&call->launch +
						 amounts[i].offset);

		/* attributes and steps behind the first are not recorded */
		if (amounts[i].place == 8 && is_partial &&
			number < spec->launch_count && !call->launch.has_step)
			write_recorded(self, number, index);
		for (int k = 0; k < amounts[i].most; k++)
			is_partial |= write_amount(self, configuration, expressions[k],
				amounts[i].type, amounts[i].place + k);
	}
	at_strbuf_add(self->out, "\t\tbreak;\n");
}

/* Writes the numbers for autotune_tensor_map_of(). */
static void write_map_of(struct writer *self, const void *subject, size_t index)
{
	const struct at_argument *argument = subject;
	const struct at_tensor_map_spec *map = &argument->map;
	const struct at_header_configuration *configuration =
		&self->plan->configurations[index];
	const struct at_tensor_list *lists[] = { &map->dims, &map->strides, &map->box,
		&map->steps };
	const struct at_expression *modes[] = { map->swizzle, map->interleave,
		map->promotion };

	at_strbuf_addf(self->out, "\tcase %zu:\n", index);
	write_exact(self, configuration);
	for (size_t i = 0; i < AT_COUNT_OF(lists); i++)
		for (size_t k = 0; k < lists[i]->count; k++)
			write_amount(self, configuration, lists[i]->items[k],
				AT_TYPE_INTEGER, (int)(5 * i + k));
	for (size_t i = 0; i < AT_COUNT_OF(modes); i++)
		write_amount(
			self, configuration, modes[i], AT_TYPE_INTEGER, 20 + (int)i);
	at_strbuf_add(self->out, "\t\tbreak;\n");
}

/* the device of the configuration's first measurement */
static size_t first_device(const struct at_header_plan *plan, size_t configuration)
{
	for (size_t i = 0; i < plan->entry_count; i++)
		if (plan->entries[i].configuration == configuration)
			return plan->entries[i].device;
	return 0;
}

/* Only written if a launch depends on the device. */
static void write_device(struct writer *self)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out;

	at_strbuf_add(out, "\tstatic const int devices[] = {");
	for (size_t i = 0; i < plan->configuration_count; i++)
		at_strbuf_addf(out, "%s %zu", i ? "," : "", first_device(plan, i));
	add(self,
		" };\n"
		"\tconst int is_known = configuration >= 0 && configuration < %zu;\n"
		"\tconst struct autotune_device complete = $k_complete(\n"
		"\t\tgiven ? given : $k_device(devices[is_known ? configuration : 0]));\n",
		plan->configuration_count);
}

/* Suffix of a call's function names: "" for the first launch. */
static const char *call_suffix(
	const struct at_spec *spec, const struct at_call *call, char number[32])
{
	if (call == spec->prepare)
		return "_prepare";
	if (call == spec->finish)
		return "_finish";
	number[0] = '\0';
	if (call != spec->calls)
		snprintf(number, 32, "_%zu", (size_t)(call - spec->calls));
	return number;
}

/* A function of a configuration and a device, with a `switch` whose cases write_case()
   writes. Its result is in `amounts` and `bad`. */
struct function {
	void (*write_case)(struct writer *, const void *subject, size_t index);
	const void *subject;
	const char *type;
	const char *name;
	bool has_step; /* its last parameter is the step */
	const char *amounts; /* as they are declared */
	const char *result;
};

static void write_switch(struct writer *self, const struct function *function)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out, body = { 0 };
	bool needs_device;

	self->out = &body;
	for (size_t i = 0; i < plan->configuration_count; i++)
		function->write_case(self, function->subject, i);
	self->out = out;
	needs_device = strstr(at_strbuf_text(&body), "complete");
	add(self,
		"static inline %s $k_%s(\n"
		"\tint configuration, const struct autotune_device *given$P%s)\n"
		"{\n",
		function->type, function->name,
		function->has_step ? ", long long step" : "");
	if (needs_device)
		write_device(self);
	add(self,
		"\tlong long amounts%s;\n"
		"\tint bad = 0;\n"
		"\n"
		"%s%s"
		"$U"
		"\tswitch (configuration) {\n",
		function->amounts, needs_device ? "" : "\t(void)given;\n",
		function->has_step ? "\t(void)step;\n" : "");
	at_strbuf_add(out, at_strbuf_text(&body));
	at_strbuf_addf(out,
		"\tdefault:\n"
		"\t\tbad = 1;\n"
		"\t}\n"
		"\treturn %s;\n"
		"}\n"
		"\n",
		function->result);
	at_strbuf_release(&body);
}

static void write_launches(struct writer *self)
{
	const struct at_spec *spec = self->spec;

	add(self,
		"/*\n"
		" * How to launch a configuration on a device (0: the one that it was measured on).\n"
		" * All is 0, and repeats -1, where it cannot be launched there, or with these sizes.\n");
	if (at_spec_is_sequence(spec)) {
		/* Names the kernel of each launch, and the swaps after it. */
		add(self,
			" * It is a sequence. Launch N, from 0, is what $k_launch_N() says (0: $k_launch()),\n"
			" * as often as its repeats say (0: not at all):\n");
		for (size_t i = 0; i < spec->launch_count; i++) {
			const struct at_call *call = &spec->calls[i];
			char number[32];

			if (call->group && (!i || call[-1].group != call->group)) {
				at_strbuf_add(self->out, " *   together, so often: ");
				at_escape_c_comment(
					self->out, at_expression_text(call->rounds));
				at_strbuf_add_char(self->out, '\n');
			}
			at_strbuf_addf(
				self->out, " *   %s%zu ", call->group ? "  " : "", i);
			at_escape_c_comment(self->out, call->kernel);
			for (size_t k = 0; k < call->argument_count; k++)
				at_strbuf_addf(self->out, "%s%s", k ? ", " : "(",
					spec->arguments[call->arguments[k]].name);
			at_strbuf_add(self->out, call->argument_count ? ")" : "()");
			if (call->launch.has_step)
				add(self,
					"; $k_launch%s() takes the step, from 0, last",
					call_suffix(spec, call, number));
			for (size_t k = 0; k + 1 < call->swap_count; k += 2)
				at_strbuf_addf(self->out, "%s%s and %s",
					k ? ", "
					  : "; after each launch these change places: ",
					spec->arguments[call->swaps[k]].name,
					spec->arguments[call->swaps[k + 1]].name);
			at_strbuf_add_char(self->out, '\n');
		}
	}
	for (size_t i = 0; i < spec->launch_count; i++)
		if (spec->calls[i].launch.window.percent)
			at_strbuf_addf(self->out,
				" * The l2_window_percent of launch %zu is of %s.\n", i,
				spec->arguments[spec->calls[i].launch.window.argument]
					.name);
	add(self, " */\n");
	for (size_t i = 0; i < count_calls(spec); i++) {
		char number[32], name[64];
		const struct function function = { write_launch_of, &spec->calls[i],
			"struct autotune_launch", name, spec->calls[i].launch.has_step,
			"[18] = AUTOTUNE_AMOUNTS", "autotune_launch_of(amounts, bad)" };

		snprintf(name, sizeof(name), "launch%s",
			call_suffix(spec, &spec->calls[i], number));
		write_switch(self, &function);
	}
}

/* ---- tensor maps ----------------------------------------------------------- */

static void write_maps(struct writer *self)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		const struct at_tensor_map_spec *map = &argument->map;
		char name[128], result[160];
		const struct function function = { write_map_of, argument,
			"struct autotune_tensor_map", name, false,
			"[23] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 }",
			result };

		if (!at_argument_is_map(argument))
			continue;
		snprintf(name, sizeof(name), "tensor_map_%.100s", argument->name);
		snprintf(result, sizeof(result),
			"autotune_tensor_map_of(amounts, %zu, %zu, %u, %d, bad)",
			map->dims.count,
			at_element_bytes(spec->arguments[argument->of - 1].element),
			at_tensor_map_type(spec->arguments[argument->of - 1].element),
			map->fills_nan);
		at_strbuf_addf(self->out,
			"/* The tensor map %s, of the buffer %s. */\n", argument->name,
			spec->arguments[argument->of - 1].name);
		write_switch(self, &function);
	}
}

/* ---- fits() ---------------------------------------------------------------- */

static void write_constraint(
	struct writer *self, size_t index, const struct at_expression *expression)
{
	const struct at_header_plan *plan = self->plan;
	const struct at_header_configuration *configuration =
		&plan->configurations[index];
	struct at_strbuf text = { 0 };
	struct at_expression_c result = write_expression(
		self, configuration, expression, AT_TYPE_BOOLEAN, &text);

	/* most constraints depend only on parameters and hold: they need no code */
	if (!result.is_known || !strcmp(at_strbuf_text(&text), "0")) {
		at_strbuf_add(self->out, "\t\t/* ");
		at_escape_c_comment(self->out, at_expression_full_text(expression));
		at_strbuf_addf(self->out, " */\n\t\tif (!%s)\n\t\t\tbad = 1;\n",
			at_strbuf_text(&text));
		/* a constraint that C cannot compute fully holds for the measurements
		 */
		for (size_t i = 0; result.is_partial && i < plan->entry_count; i++) {
			if (plan->entries[i].configuration != index)
				continue;
			add_as_measured(self, &plan->entries[i]);
			at_strbuf_add(self->out, "\n\t\t\tbad = 0;\n");
		}
	}
	at_strbuf_release(&text);
}

/* Like name_slot(), for the slots of the domain's constraints. */
static enum at_type name_domain_slot(void *context, int slot, struct at_strbuf *out)
{
	const struct at_spec *spec = context;
	const size_t numbers = spec->domain.number_count, index = (size_t)slot;
	const char *name = index < numbers ? spec->domain.numbers[index].name
					   : spec->size_names[index - numbers];

	for (size_t i = 0; i < spec->size_count; i++)
		if (!strcmp(spec->size_names[i], name))
			return name_slot(
				context, (int)(spec->parameter_count + i), out);
	return AT_TYPE_NONE;
}

/* Whether C knows all numbers of the expression, which excludes scalar arguments. */
static bool is_of_sizes(
	const struct at_spec *spec, const struct at_expression *expression)
{
	size_t count;
	const int *slots = at_expression_slots(expression, &count);

	for (size_t i = 0; i < count; i++)
		if ((size_t)slots[i] < spec->domain.number_count &&
			spec->domain.numbers[slots[i]].argument)
			return false;
	return true;
}

static void add_value(struct at_strbuf *out, struct at_value value)
{
	if (value.type == AT_TYPE_REAL)
		add_real(out, value.real);
	else
		add_integer(out, value.integer);
}

static void write_domain_number(
	struct at_strbuf *out, const struct at_domain_number *number)
{
	at_strbuf_add(out, "\tif (!(");
	for (size_t i = 0; i < number->value_count; i++) {
		at_strbuf_addf(out, "%ssize_%s == ", i ? " || " : "", number->name);
		add_value(out, number->values[i]);
	}
	if (!number->value_count) {
		at_strbuf_addf(out, "size_%s >= ", number->name);
		add_value(out, number->low);
		at_strbuf_addf(out, " && size_%s <= ", number->name);
		add_value(out, number->high);
	}
	at_strbuf_add(out, "))\n\t\tbad = 1;\n");
}

static void write_fits(struct writer *self)
{
	const struct at_header_plan *plan = self->plan;
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;
	char number[32];

	add(self,
		"/* Whether a configuration keeps to the space's constraints and the device's limits. */\n"
		"static inline int $k_fits(\n"
		"\tint configuration, const struct autotune_device *given$P)\n"
		"{\n"
		"\tconst struct autotune_device complete = $k_complete(given);\n"
		"\tstruct autotune_launch launch;\n"
		"\tlong long static_bytes = 0, registers = 0;\n"
		"\tint bad = 0;\n"
		"\n");
	/* The kernel promises to be right only for these sizes. */
	const struct at_expression_naming naming = {
		.prefix = "autotune_", .name = name_domain_slot, .context = (void *)spec
	};

	if (spec->domain.line)
		at_strbuf_add(self->out, "\t/* the domain */\n");
	for (size_t i = 0; i < spec->domain.number_count; i++)
		if (!spec->domain.numbers[i].argument)
			write_domain_number(self->out, &spec->domain.numbers[i]);
	for (size_t i = 0; i < spec->domain.constraint_count; i++) {
		const struct at_expression *expression =
			spec->domain.constraints[i].expression;
		struct at_strbuf text = { 0 };
		struct at_expression_c result;

		if (!is_of_sizes(spec, expression))
			continue;
		at_expression_write_c(
			expression, &naming, AT_TYPE_BOOLEAN, &result, &text);
		at_strbuf_addf(
			self->out, "\tif (!%s)\n\t\tbad = 1;\n", at_strbuf_text(&text));
		at_strbuf_release(&text);
	}
	at_strbuf_add(out, "\tswitch (configuration) {\n");
	for (size_t i = 0; i < plan->configuration_count; i++) {
		at_strbuf_addf(out, "\tcase %zu:\n", i);
		for (size_t k = 0; k < spec->constraint_count; k++)
			write_constraint(self, i, spec->constraints[k].expression);
		at_strbuf_addf(out,
			"\t\tstatic_bytes = %" PRId64 ";\n"
			"\t\tregisters = %" PRId64 ";\n"
			"\t\tbreak;\n",
			plan->configurations[i].static_shared_bytes,
			plan->configurations[i].registers);
	}
	at_strbuf_add(out, "\tdefault:\n"
			   "\t\tbreak;\n"
			   "\t}\n");
	/* Registers and static shared memory are known only of the first measured
	   launch, usually launch 0. */
	for (size_t i = 0; i < spec->launch_count; i++) {
		const char *suffix = call_suffix(spec, &spec->calls[i], number);
		const char *facts = i ? "0, 0" : "static_bytes, registers";
		const bool has_step = spec->calls[i].launch.has_step;

		/* the steps of a group are its rounds: only the first is known */
		if (has_step && !spec->calls[i].group)
			add(self,
				"\t{\n"
				"\t\tlong long step = 0;\n"
				"\n"
				"\t\tdo {\n"
				"\t\t\tlaunch = $k_launch%s(configuration, given$A, step);\n"
				"\t\t\tbad |= !autotune_fits(&launch, &complete, %s);\n"
				"\t\t} while (!bad && ++step < launch.repeats);\n"
				"\t}\n",
				suffix, facts);
		else
			add(self,
				"\tlaunch = $k_launch%s(configuration, given$A%s);\n"
				"\tbad |= !autotune_fits(&launch, &complete, %s);\n",
				suffix, has_step ? ", 0" : "", facts);
	}
	at_strbuf_add(out, "\treturn !bad;\n"
			   "}\n"
			   "\n");
}

/* ---- choose() ---- */

static bool is_same_sizes(const struct writer *self, const struct at_header_entry *a,
	const struct at_header_entry *b)
{
	for (size_t i = 0; i < self->spec->size_count; i++)
		if (a->sizes[i].type != b->sizes[i].type ||
			(a->sizes[i].type != AT_TYPE_NONE &&
				!at_value_equal(a->sizes[i], b->sizes[i])))
			return false;
	return true;
}

/* Sizes in options are in no table: fits() requires the recorded ones. */
static bool is_fixed(const struct writer *self, size_t size)
{
	size_t slot = self->spec->parameter_count + size;

	return self->plan->configurations[0].slots[slot].type != AT_TYPE_NONE;
}

/* Writes the distinct sizes of all entries as a table; rows[i]: the row of entry i. */
static void write_sizes(struct writer *self, size_t column_count, size_t *rows)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out;
	size_t count = 0;

	add(self,
		"\t/* the sizes that were measured */\n"
		"\tstatic const double recorded[][%zu] = {\n",
		column_count);
	for (size_t i = 0; i < plan->entry_count; i++) {
		const struct at_header_entry *entry = &plan->entries[i];
		const char *separator = "";
		size_t first = 0;

		while (!is_same_sizes(self, entry, &plan->entries[first]))
			first++;
		rows[i] = first < i ? rows[first] : count++;
		if (first < i)
			continue;
		at_strbuf_add(out, "\t\t{ ");
		for (size_t k = 0; k < self->spec->size_count; k++) {
			if (is_fixed(self, k))
				continue;
			at_strbuf_add(out, separator);
			if (entry->sizes[k].type == AT_TYPE_NONE)
				at_strbuf_add(out, "AUTOTUNE_ANY");
			else
				at_strbuf_addf(out, "%.17g",
					entry->sizes[k].type == AT_TYPE_REAL
						? entry->sizes[k].real
						: (double)entry->sizes[k].integer);
			separator = ", ";
		}
		at_strbuf_addf(out, "%s }, /* ", *separator ? "" : "AUTOTUNE_ANY");
		at_escape_c_comment(out, plan->problems[entry->problem].text);
		at_strbuf_add(out, " */\n");
	}
	at_strbuf_add(out, "\t};\n");
}

/* Records sizes that are far from recorded ones. */
static void write_note(struct writer *self, size_t column_count)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;

	if (!spec->size_count) {
		at_strbuf_add(out, "\t(void)file;\n");
		return;
	}
	add(self,
		"#ifndef __CUDACC_RTC__\n"
		"\tif (file && device && !autotune_is_near(&best, %zu)) {\n"
		"\t\tchar text[%zu];\n"
		"\n"
		"\t\tsnprintf(text, sizeof(text), \"",
		column_count, 128 * spec->size_count);
	for (size_t i = 0; i < spec->size_count; i++)
		at_strbuf_addf(out, "%s\\\"%s\\\": %s", i ? ", " : "",
			spec->size_names[i],
			at_header_has_type(spec, i, true) ? "%.17g" : "%lld");
	add(self, "\"$A);\n\t\tautotune_note(file, ");
	at_escape_c_string(out, spec->name);
	at_strbuf_add(out, ", device, &choice, text);\n\t}\n#endif\n\t(void)file;\n");
}

static void write_choose(struct writer *self)
{
	const struct at_header_plan *plan = self->plan;
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;
	size_t *rows = at_calloc(plan->entry_count + 1, sizeof(*rows));
	const char *separator = "";
	size_t column_count = 0;

	for (size_t i = 0; i < spec->size_count; i++)
		column_count += !is_fixed(self, i);
	column_count += !column_count; /* C has no empty arrays */
	add(self,
		"/*\n"
		" * The best recorded configuration that fits this device and these sizes: measured on\n"
		" * this device with these sizes, else on this device with the nearest sizes, else on\n"
		" * the same architecture, else on the nearest one, else a baseline. It looks through\n"
		" * all recorded configurations: keep its answer for sizes that you use again.\n"
		" */\n"
		"static inline struct autotune_choice $k_choose(\n"
		"\tconst struct autotune_device *device$P)\n"
		"{\n");
	write_sizes(self, column_count, rows);
	at_strbuf_add(out,
		"\t/* configuration, device, sizes, whether it is a baseline */\n"
		"\tstatic const int entries[][4] = {\n");
	for (size_t i = 0; i < plan->entry_count; i++) {
		const struct at_header_entry *entry = &plan->entries[i];

		at_strbuf_addf(out, "\t\t{ %zu, %zu, %zu, %d }, /* ",
			entry->configuration, entry->device, rows[i],
			entry->is_baseline);
		at_escape_c_comment(out, plan->problems[entry->problem].text);
		at_strbuf_add(out, " on ");
		at_escape_c_comment(out, plan->devices[entry->device].record->model);
		at_strbuf_add(out, " */\n");
	}
	at_strbuf_add(out, "\t};\n");
	at_strbuf_add(self->out, "\tconst double sizes[] = { ");
	for (size_t i = 0; i < spec->size_count; i++) {
		if (is_fixed(self, i))
			continue;
		at_strbuf_addf(self->out,
			at_header_has_type(spec, i, true)
				? "%ssize_%s"
				: "%sAUTOTUNE_CAST(double, size_%s)",
			separator, spec->size_names[i]);
		separator = ", ";
	}
	add(self,
		"%s };\n"
		"\tconst char *const file = autotune_record_file();\n"
		"\tstruct autotune_choice choice = { -1, AUTOTUNE_NONE };\n"
		"\tstruct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };\n"
		"\tint i;\n"
		"\n"
		"$U"
		"\tfor (i = 0; device && i < %zu; i++) {\n"
		"\t\tconst struct autotune_rank rank = autotune_rank_of(device,\n"
		"\t\t\t$k_device(entries[i][1]), entries[i][3], sizes, recorded[entries[i][2]], %zu);\n"
		"\n"
		"\t\tif (autotune_is_better(&rank, &best) &&\n"
		"\t\t\t$k_fits(entries[i][0], device$A)) {\n"
		"\t\t\tbest = rank;\n"
		"\t\t\tchoice.configuration = entries[i][0];\n"
		"\t\t\tchoice.rung = rank.rung;\n"
		"\t\t}\n"
		"\t}\n",
		*separator ? "" : "0.0", self->plan->entry_count, column_count);
	write_note(self, column_count);
	add(self, "\treturn choice;\n"
		  "}\n");
	free(rows);
}

/* ---- run() ------------------------------------------------------------------- */

/* The source of an argument's value in run(). */
enum source {
	SOURCE_UNUSED = 0, /* no call takes it */
	SOURCE_CALLER,
	/* the caller, by address: a buffer that is swapped, or a scalar of a type that
	   C lacks */
	SOURCE_SWAPPED,
	SOURCE_ADDRESS,
	SOURCE_COMPUTED, /* a scalar, from sizes, parameters and the device */
	SOURCE_SCRATCH, /* allocated for the launches */
	SOURCE_NULL, /* a pointer without a buffer */
	SOURCE_MAP, /* a buffer's tensor map, made before the launches */
	SOURCE_NONE, /* not available to run() */
};

static bool is_in_c(const struct at_argument *argument)
{
	return argument->lanes == 1 && !argument->has_fields &&
	       argument->element <= AT_ELEMENT_F64;
}

/* Whether the value depends on anything; *on_parameters: on the configuration or the
   device, which the caller cannot know. */
static bool is_computed(const struct at_spec *spec,
	const struct at_expression *expression, bool *on_parameters)
{
	size_t count = 0;
	const int *slots = expression ? at_expression_slots(expression, &count) : NULL;

	for (size_t i = 0; i < count; i++) {
		const size_t slot = (size_t)slots[i];

		*on_parameters |= slot < spec->parameter_count ||
				  slot >= spec->parameter_count + spec->size_count;
	}
	return count > 0;
}

static bool is_swapped(const struct at_spec *spec, size_t argument)
{
	bool found = false;

	for (size_t i = 0; i < spec->launch_count; i++)
		for (size_t k = 0; k < spec->calls[i].swap_count; k++)
			found |= spec->calls[i].swaps[k] == argument;
	return found;
}

/* The caller makes a texture or surface object, one for all configurations, before the
   launches. */
static enum source find_texture_source(
	const struct at_spec *spec, const struct at_argument *argument)
{
	const struct at_texture_spec *texture = &argument->texture;
	const struct at_argument *buffer = &spec->arguments[argument->of - 1];
	const struct at_expression *numbers[] = { texture->width, texture->height,
		texture->depth, texture->pitch, texture->channels };
	bool is_chosen = texture->address.parameter || texture->filter.parameter ||
			 texture->read.parameter || texture->coordinates.parameter ||
			 texture->layout.parameter ||
			 buffer->access == AT_ACCESS_SCRATCH ||
			 is_swapped(spec, argument->of - 1);

	for (size_t i = 0; i < AT_COUNT_OF(numbers); i++)
		(void)!is_computed(spec, numbers[i], &is_chosen);
	/* an array is a copy, invisible to prepare and finish */
	for (size_t i = 0; i < spec->call_count; i++)
		is_chosen |=
			buffer->access != AT_ACCESS_IN && !texture->layout.value &&
			at_call_takes_itself(spec, &spec->calls[i], argument->of - 1);
	return is_chosen ? SOURCE_NONE : SOURCE_CALLER;
}

static enum source find_source(const struct at_spec *spec, size_t index)
{
	const struct at_argument *argument = &spec->arguments[index];
	bool on_parameters = false, is_known = true, is_taken = false;

	for (size_t i = 0; i < spec->call_count; i++)
		is_taken |= at_call_takes_itself(spec, &spec->calls[i], index);
	/* the caller makes textures, but run() makes tensor maps */
	for (size_t i = 0; i < spec->given_count; i++)
		is_taken |= spec->arguments[i].of == index + 1 &&
			    !spec->arguments[i].texture.kind;
	/* run() makes scratch without padding */
	if (argument->symbol || argument->type_parameter ||
		(argument->access == AT_ACCESS_SCRATCH &&
			at_argument_is_pitched(argument)))
		return SOURCE_NONE;
	/* scratch may become an output after a swap */
	if (is_swapped(spec, index))
		return SOURCE_SWAPPED;
	if (!is_taken)
		return SOURCE_UNUSED;
	if (argument->is_pointer && argument->count)
		return SOURCE_NONE;
	if (argument->access != AT_ACCESS_NONE)
		return argument->access == AT_ACCESS_SCRATCH ? SOURCE_SCRATCH
							     : SOURCE_CALLER;
	if (argument->texture.kind)
		return find_texture_source(spec, argument);
	if (argument->has_step || argument->points_to)
		return SOURCE_NONE;
	if (argument->of) {
		const enum source buffer = find_source(spec, argument->of - 1);

		return buffer == SOURCE_CALLER || buffer == SOURCE_SCRATCH
			       ? SOURCE_MAP
			       : SOURCE_NONE;
	}
	if (argument->is_pointer)
		return SOURCE_NULL;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *part = &spec->arguments[i];

		if (i != index && part->owner != index + 1)
			continue;
		if (part->points_to)
			return SOURCE_NONE;
		is_known &= !is_computed(spec, part->value, &on_parameters);
		for (size_t k = 0; k < AT_COUNT_OF(part->more_values); k++)
			is_known &= !is_computed(
				spec, part->more_values[k], &on_parameters);
	}
	if (is_in_c(argument))
		return is_known ? SOURCE_CALLER : SOURCE_COMPUTED;
	return on_parameters ? SOURCE_NONE : SOURCE_ADDRESS;
}

/* The argument that prevents run(); NULL: none. */
static const struct at_argument *find_hindrance(const struct at_spec *spec)
{
	for (size_t i = 0; i < spec->given_count; i++)
		if (find_source(spec, i) == SOURCE_NONE)
			return &spec->arguments[i];
	return NULL;
}

static bool is_given(enum source source)
{
	return source >= SOURCE_CALLER && source <= SOURCE_ADDRESS;
}

/* Appends "const float *", "float **" or "int ". */
static void add_type(
	struct at_strbuf *out, const struct at_argument *argument, enum source source)
{
	const bool is_buffer = argument->access != AT_ACCESS_NONE;

	if (argument->access == AT_ACCESS_IN)
		at_strbuf_add(out, "const ");
	at_strbuf_addf(out, "%s %s",
		is_in_c(argument) ? at_element_name(argument->element) : "void",
		source == SOURCE_SWAPPED          ? "**"
		: is_buffer || !is_in_c(argument) ? "*"
						  : "");
}

static void describe_run(struct writer *self)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;

	add(self, "/*\n"
		  " * Launches the best configuration:\n"
		  " *\n"
		  " *   $k_run(&device, stream");
	for (size_t i = 0; i < spec->size_count; i++)
		at_strbuf_addf(out, ", %s", spec->size_names[i]);
	for (size_t i = 0; i < spec->given_count; i++) {
		const enum source source = find_source(spec, i);

		if (is_given(source))
			at_strbuf_addf(out, ", %s%s",
				source != SOURCE_CALLER ? "&" : "",
				spec->arguments[i].name);
	}
	at_strbuf_add(out, ")\n *\n");
	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		const enum source source = find_source(spec, i);

		if (source == SOURCE_UNUSED || source == SOURCE_NULL)
			continue;
		at_strbuf_addf(out, " *   %-14s ", argument->name);
		if (source == SOURCE_MAP) {
			at_strbuf_addf(out, "the tensor map of %s",
				spec->arguments[argument->of - 1].name);
		} else if (source == SOURCE_SCRATCH) {
			at_strbuf_add(out, "scratch, which it allocates in the stream");
		} else if (source == SOURCE_COMPUTED) {
			at_strbuf_add(out, "computed: ");
			at_escape_c_comment(out, at_expression_text(argument->value));
		} else {
			add_type(out, argument, source);
		}
		at_strbuf_add(out,
			source == SOURCE_SWAPPED ? ": it changes places with another\n"
			: argument->texture.kind ? "(the caller makes the object)\n"
						 : "\n");
	}
	add(self,
		" *\n"
		" * $k_run() needs the header of the CUDA runtime before this one, and the units of\n"
		" * all configurations, each with the line $K_ENTRY; after the template. It returns\n"
		" * cudaErrorInvalidConfiguration if no configuration fits. $k_run_by() launches with\n"
		" * functions of its caller.\n"
		" */\n");
}

static void write_run_macros(struct writer *self)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out, names = { 0 };

	add(self, "#define $K_RUN_PARAMETERS \\\n\t$P");
	for (size_t i = 0; i < spec->given_count; i++) {
		const enum source source = find_source(spec, i);

		if (!is_given(source))
			continue;
		at_strbuf_add(out, ", ");
		add_type(out, &spec->arguments[i], source);
		at_strbuf_addf(out, "argument_%s", spec->arguments[i].name);
		at_strbuf_addf(&names, ", argument_%s", spec->arguments[i].name);
	}
	add(self, "\n#define $K_RUN_ARGUMENTS \\\n\t$A%s\n\n", at_strbuf_text(&names));
	at_strbuf_release(&names);
}

/* Declares the values that run() does not get from its caller. */
static void declare_own(struct writer *self)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		const char *name = argument->name;
		const enum source source = find_source(spec, i);

		if (source == SOURCE_NULL) {
			at_strbuf_addf(
				out, "\tvoid *argument_%s = AUTOTUNE_NULL;\n", name);
		} else if (source == SOURCE_MAP) {
			at_strbuf_addf(out,
				"\tstruct autotune_map_room room_%s;\n"
				"\tvoid *argument_%s = autotune_map_place(&room_%s);\n",
				name, name, name);
		} else if (source == SOURCE_SCRATCH) {
			at_strbuf_addf(out,
				"\tvoid *memory_%s = AUTOTUNE_NULL;\n"
				"\tlong long count_%s = 0;\n\t",
				name, name);
			add_type(out, argument, source);
			at_strbuf_addf(out, "argument_%s = AUTOTUNE_NULL;\n", name);
		} else if (source == SOURCE_COMPUTED) {
			const bool is_real = at_element_kind(argument->element) ==
					     AT_ELEMENT_KIND_REAL;

			at_strbuf_addf(out, "\t%s value_%s = 0;\n\t",
				is_real ? "double" : "long long", name);
			add_type(out, argument, source);
			at_strbuf_addf(out, "argument_%s = 0;\n", name);
		}
	}
}

/* Writes a configuration's scalar values and counts of scratch buffers. */
static void write_values(struct writer *self, size_t index, const char *indent)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		const enum source source = find_source(spec, i);
		const bool is_scratch = source == SOURCE_SCRATCH;

		if (!is_scratch && source != SOURCE_COMPUTED)
			continue;
		at_strbuf_addf(self->out, "%s%s_%s = ", indent,
			is_scratch ? "count" : "value", argument->name);
		self->has_partial_value |=
			write_expression(self, &self->plan->configurations[index],
				is_scratch ? argument->count : argument->value,
				!is_scratch && at_element_kind(argument->element) ==
							AT_ELEMENT_KIND_REAL
					? AT_TYPE_REAL
					: AT_TYPE_INTEGER,
				self->out)
				.is_partial;
		at_strbuf_add(self->out, ";\n");
	}
}

/* Converts values to their types, which must be able to represent them, and counts to
   bytes. */
static void write_conversions(struct writer *self)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		const char *name = argument->name;
		const char *type = at_element_name(argument->element);
		const enum source source = find_source(spec, i);

		if (source == SOURCE_SCRATCH)
			at_strbuf_addf(out,
				"\tcount_%s = autotune_multiply(count_%s, %zuLL, &bad);\n"
				"\tif (count_%s < 1)\n\t\tbad = 1;\n",
				name, name,
				at_element_bytes(argument->element) *
					(size_t)argument->lanes,
				name);
		if (source != SOURCE_COMPUTED)
			continue;
		at_strbuf_addf(out, "\targument_%s = AUTOTUNE_CAST(%s, value_%s);\n",
			name, type, name);
		if (at_element_kind(argument->element) == AT_ELEMENT_KIND_UNSIGNED)
			at_strbuf_addf(
				out, "\tif (value_%s < 0)\n\t\tbad = 1;\n", name);
		if (at_element_kind(argument->element) != AT_ELEMENT_KIND_REAL)
			at_strbuf_addf(out,
				"\tif (AUTOTUNE_CAST(long long, argument_%s) != value_%s)\n"
				"\t\tbad = 1;\n",
				name, name);
	}
}

static bool has_dependent(const struct at_spec *spec)
{
	for (size_t i = 0; i < spec->launch_count; i++)
		if (spec->calls[i].launch.dependent)
			return true;
	return false;
}

static void write_call(struct writer *self, const struct at_call *call)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;
	char number[32];
	const char *suffix = call_suffix(spec, call, number);
	const bool has_step = call->launch.has_step;

	at_strbuf_add(out, "\t/* ");
	at_escape_c_comment(out, call->kernel);
	at_strbuf_add(out, " */\n\tif (!error) {\n\t\tvoid *arguments[] = { ");
	for (size_t i = 0; i < call->argument_count; i++) {
		const size_t index = call->arguments[i];
		const enum source source = find_source(spec, index);

		at_strbuf_addf(out, "%s%sargument_%s", i ? ", " : "",
			source == SOURCE_SWAPPED || source == SOURCE_ADDRESS ||
					source == SOURCE_MAP
				? ""
				: "&",
			spec->arguments[index].name);
	}
	add(self,
		"%s };\n"
		"\t\t%sstruct autotune_launch launch =\n"
		"\t\t\t$k_launch%s(configuration, given$A%s);\n"
		"%s"
		"\t\tlong long left;\n",
		call->argument_count ? "" : "AUTOTUNE_NULL",
		call->launch.dependent || has_step ? "" : "const ", suffix,
		has_step ? ", 0" : "",
		has_step ? "\t\tconst long long repeats = launch.repeats;\n" : "");
	if (call->launch.dependent)
		at_strbuf_add(out, "\t\tconst int is_dependent = launch.dependent;\n");
	at_strbuf_add(out,
		"\n"
		"\t\tif (launch.repeats < 0)\n"
		"\t\t\terror = runner->refused;\n"
		"\t\tfor (left = launch.repeats; left > 0 && !error; left--) {\n");
	if (has_step)
		add(self,
			"\t\t\tlaunch = $k_launch%s(\n"
			"\t\t\t\tconfiguration, given$A, repeats - left);\n"
			"\t\t\tif (launch.repeats < 0) {\n"
			"\t\t\t\terror = runner->refused;\n"
			"\t\t\t\tbreak;\n"
			"\t\t\t}\n",
			suffix);
	/* the first of all launches has no predecessor */
	if (call->launch.dependent)
		at_strbuf_add(
			out, "\t\t\tlaunch.dependent = is_later && is_dependent;\n");
	at_strbuf_addf(out,
		"\t\t\terror = runner->launch(runner, %zu, &launch, arguments);\n"
		"%s",
		(size_t)(call - spec->calls),
		has_dependent(spec) ? "\t\t\tis_later = 1;\n" : "");
	for (size_t i = 0; i + 1 < call->swap_count; i += 2) {
		const struct at_argument *one = &spec->arguments[call->swaps[i]];
		const char *other = spec->arguments[call->swaps[i + 1]].name;

		at_strbuf_add(out, "\t\t\tif (!error) {\n\t\t\t\t");
		add_type(out, one, SOURCE_CALLER);
		at_strbuf_addf(out,
			"other = *argument_%s;\n\n"
			"\t\t\t\t*argument_%s = *argument_%s;\n"
			"\t\t\t\t*argument_%s = other;\n"
			"\t\t\t}\n",
			one->name, one->name, other, other);
	}
	at_strbuf_add(out, "\t\t}\n\t}\n");
}

/* Writes the values once if they are equal in all configurations, else a `switch`. */
static void write_all_values(struct writer *self, struct at_strbuf *out)
{
	const size_t count = self->plan->configuration_count;
	struct at_strbuf *before = self->out, first = { 0 }, all = { 0 };
	bool is_same = true;

	for (size_t i = 0; i < count; i++) {
		struct at_strbuf one = { 0 };

		self->out = &one;
		write_values(self, i, "\t\t");
		if (!i)
			at_strbuf_add(&first, at_strbuf_text(&one));
		is_same &= !strcmp(at_strbuf_text(&first), at_strbuf_text(&one));
		at_strbuf_addf(
			&all, "\tcase %zu:\n%s\t\tbreak;\n", i, at_strbuf_text(&one));
		at_strbuf_release(&one);
	}
	self->out = out;
	if (is_same)
		write_values(self, 0, "\t");
	else
		at_strbuf_addf(out,
			"\tswitch (configuration) {\n%s\tdefault:\n\t\tbreak;\n\t}\n",
			at_strbuf_text(&all));
	self->out = before;
	at_strbuf_release(&first);
	at_strbuf_release(&all);
}

/* Writes the allocation of the scratch buffers, or else their release. */
static void write_scratch(struct writer *self, bool allocates)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		const char *name = argument->name;

		if (find_source(spec, i) != SOURCE_SCRATCH)
			continue;
		if (!allocates) {
			at_strbuf_addf(self->out,
				"\tif (memory_%s) {\n"
				"\t\tconst int failed = runner->release(runner, memory_%s);\n"
				"\n"
				"\t\terror = error ? error : failed;\n"
				"\t}\n",
				name, name);
			continue;
		}
		at_strbuf_addf(self->out,
			"\tif (!error)\n"
			"\t\terror = runner->allocate(runner, &memory_%s,\n"
			"\t\t\tAUTOTUNE_CAST(unsigned long long, count_%s));\n"
			"\targument_%s = ",
			name, name, name);
		if (is_in_c(argument))
			at_strbuf_addf(self->out, "AUTOTUNE_CAST(%s *, memory_%s);\n",
				at_element_name(argument->element), name);
		else
			at_strbuf_addf(self->out, "memory_%s;\n", name);
	}
}

/* Whether a field of the structure is an address in a buffer. */
static bool points(const struct at_spec *spec, const struct at_argument *argument)
{
	for (size_t i = 0; i < spec->argument_count; i++)
		if (spec->arguments[i].points_to &&
			spec->arguments[i].owner ==
				1 + (size_t)(argument - spec->arguments))
			return true;
	return false;
}

static void write_run(struct writer *self)
{
	const struct at_spec *spec = self->spec;
	const struct at_argument *hindrance = find_hindrance(spec);
	struct at_strbuf *out = self->out, values = { 0 };

	for (size_t i = 0; i < spec->launch_count; i++)
		if (spec->calls[i].launch.window.percent || spec->calls[i].group) {
			add(self, "/* There is no $k_run(): launches %s. */\n",
				spec->calls[i].group ? "are repeated as a group"
						     : "have windows of the L2");
			return;
		}
	if (hindrance) {
		add(self, "/* There is no $k_run(): the argument %s is %s. */\n",
			hindrance->name,
			hindrance->symbol ? "copied to a variable of the template"
			: hindrance->type_parameter
				? "of a type that a parameter chooses"
			: hindrance->has_step ? "another one at each repeat"
			: hindrance->is_pointer || points(spec, hindrance)
				? "an address in a buffer, or has one"
			: hindrance->texture.kind
				? "a texture or surface of scratch, of a buffer that other calls take, or by parameters"
			: hindrance->of
				? "a tensor map of a buffer that changes places"
				: "of a type that C lacks, and depends on parameters");
		return;
	}
	write_all_values(self, &values);
	if (self->has_partial_value) {
		add(self,
			"/* There is no $k_run(): C cannot compute the value of each argument. */\n");
		at_strbuf_release(&values);
		return;
	}
	self->has_run = true;
	describe_run(self);
	write_run_macros(self);
	add(self,
		"static inline int $k_run_by(struct autotune_runner *runner,\n"
		"\tconst struct autotune_device *given $K_RUN_PARAMETERS)\n"
		"{\n"
		"\tconst int configuration = runner->configuration == AUTOTUNE_CHOOSE\n"
		"\t\t? $k_choose(given$A).configuration : runner->configuration;\n");
	if (strstr(at_strbuf_text(&values), "complete"))
		add(self, "\tconst struct autotune_device complete = $k_complete(\n"
			  "\t\tgiven ? given : $k_device(0));\n");
	if (strstr(at_strbuf_text(&values), "&bad") || values.length)
		at_strbuf_add(out, "\tint bad = 0;\n");
	declare_own(self);
	add(self,
		"\tint error;\n"
		"%s"
		"\n"
		"\tif (!given || configuration < 0 || !$k_fits(configuration, given$A))\n"
		"\t\treturn runner->refused;\n"
		"%s",
		has_dependent(spec) ? "\tint is_later = 0;\n" : "",
		at_strbuf_text(&values));
	if (values.length) {
		write_conversions(self);
		at_strbuf_add(out, "\tif (bad)\n\t\treturn runner->refused;\n");
	}
	at_strbuf_add(out, "\terror = runner->begin(runner, configuration, given);\n");
	write_scratch(self, true);
	/* Makes the tensor maps for the present buffers. */
	for (size_t i = 0; i < spec->given_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		const char *name = argument->name;

		if (find_source(spec, i) == SOURCE_MAP)
			add(self,
				"\tif (!error) {\n"
				"\t\tconst struct autotune_tensor_map map =\n"
				"\t\t\t$k_tensor_map_%s(configuration, given$A);\n"
				"\n"
				"\t\terror = !map.rank ? runner->refused\n"
				"\t\t\t: runner->encode(runner, argument_%s, &map, argument_%s);\n"
				"\t}\n",
				name, name, spec->arguments[argument->of - 1].name);
	}
	if (spec->prepare)
		write_call(self, spec->prepare);
	for (size_t i = 0; i < spec->launch_count; i++)
		write_call(self, &spec->calls[i]);
	if (spec->finish)
		write_call(self, spec->finish);
	write_scratch(self, false);
	at_strbuf_add(out, "\treturn error;\n}\n");
	at_strbuf_release(&values);
}

/* run() by the CUDA runtime, if its header was included. */
static void write_runtime(struct writer *self)
{
	const size_t count = self->plan->configuration_count;

	if (!self->has_run)
		return;
	add(self,
		"/* outside of the guard: a unit may include the header of CUDA later */\n"
		"#if defined(AUTOTUNE_RUN) && !defined(AUTOTUNE_$K_RUN)\n"
		"#define AUTOTUNE_$K_RUN\n"
		"#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
	for (size_t i = 0; i < count; i++)
		add(self, "extern const void *const $k_%zu_kernels[%zu];\n", i,
			self->spec->call_count);
	add(self,
		"#ifdef __cplusplus\n}\n#endif\n\n"
		"/* As $k_run(), with a configuration that was chosen before. */\n"
		"static inline cudaError_t $k_run_configuration(int configuration,\n"
		"\tconst struct autotune_device *device, cudaStream_t stream $K_RUN_PARAMETERS)\n"
		"{\n"
		"\tstatic const void *const *kernels[] = {");
	for (size_t i = 0; i < count; i++)
		add(self, "%s$k_%zu_kernels", i ? ", " : " ", i);
	add(self,
		" };\n"
		"\tstruct autotune_runner runner =\n"
		"\t\tautotune_runtime_runner(kernels, configuration, stream);\n"
		"\n"
		"\treturn AUTOTUNE_CAST(cudaError_t,\n"
		"\t\t$k_run_by(&runner, device $K_RUN_ARGUMENTS));\n"
		"}\n"
		"\n"
		"static inline cudaError_t $k_run(\n"
		"\tconst struct autotune_device *device, cudaStream_t stream $K_RUN_PARAMETERS)\n"
		"{\n"
		"\treturn $k_run_configuration(\n"
		"\t\tAUTOTUNE_CHOOSE, device, stream $K_RUN_ARGUMENTS);\n"
		"}\n"
		"#endif\n\n");
}

/* ---- the first comment: sources and usage ---------------------------------- */

static void add_fact(struct at_strbuf *out, const char *name, const char *value)
{
	at_strbuf_addf(out, " *   %-14s ", name);
	at_escape_c_comment(out, value);
	at_strbuf_add_char(out, '\n');
}

/* Ends a line with an interval, if it is known. */
static void add_interval(
	struct at_strbuf *out, double low, double high, int digits, const char *unit)
{
	if (isfinite(low) && isfinite(high))
		at_strbuf_addf(out, " (95 %% interval %.*g%s to %.*g%s)", digits, low,
			unit, digits, high, unit);
	at_strbuf_add_char(out, '\n');
}

/* A baseline that wins has no speed-up. An unknown interval is left out. */
static void add_speedup(struct at_strbuf *out, const struct at_winner *best)
{
	const struct at_score speedup = at_winner_speedup(best);
	const char *name = best->objective == &at_objective_time ? "speed-up" : "gain";

	if (!isfinite(best->speedup)) {
		add_fact(out, name, "not known: the baseline was not timed");
		return;
	}
	if (speedup.value == 1) {
		add_fact(out, name, "none: the baseline is the winner");
		return;
	}
	at_strbuf_addf(out, " *   %-14s %.4g over the baseline", name, speedup.value);
	add_interval(out, speedup.low, speedup.high, 4, "");
}

static void add_winner(struct writer *self, const struct at_header_entry *entry)
{
	const struct at_winner *best = &entry->result->best;
	struct at_strbuf *out = self->out, text = { 0 };
	char measured[AT_ISO_TIME_SIZE];
	const char *separator = ": ";

	at_strbuf_add(out, " *\n * ");
	at_escape_c_comment(out, self->plan->problems[entry->problem].text);
	at_strbuf_add(out, " on ");
	at_escape_c_comment(out, entry->result->device.model);
	at_strbuf_add(out, " (");
	at_escape_c_comment(out, entry->result->device.architecture);
	at_strbuf_add_char(out, ')');
	for (size_t i = 0; i < self->spec->size_count; i++) {
		if (entry->sizes[i].type == AT_TYPE_NONE)
			continue;
		at_strbuf_addf(
			self->out, "%s%s = ", separator, self->spec->size_names[i]);
		at_value_format(entry->sizes[i], self->out);
		separator = ", ";
	}
	at_strbuf_add_char(out, '\n');
	if (best->is_unverified)
		at_strbuf_add(out,
			" *   UNVERIFIED: its run was interrupted. It was right on the timed data, but was\n"
			" *   not tried on other data and sizes, and had no finals: it may be wrong or slow.\n");
	at_strbuf_addf(&text, "%zu: ", entry->configuration);
	at_configuration_format(self->spec,
		self->plan->configurations[entry->configuration].values, &text);
	add_fact(out, "configuration", at_strbuf_text(&text));
	/* All three numbers in the unit of the first, with enough digits to differ. */
	const struct at_objective *objective = best->objective;
	const struct at_score *score = &best->score;
	const struct at_objective_unit *unit =
		at_objective_unit(objective, score->value);

	at_strbuf_addf(out, " *   %-14s %.5g %s", objective->name,
		score->value / unit->size, unit->name);
	add_interval(out, score->low / unit->size, score->high / unit->size, 5, "");
	add_speedup(out, best);
	/* only for a portfolio's member that is not the problem's winner */
	if (isfinite(best->loss) && best->loss != 0) {
		at_strbuf_addf(out, " *   %-14s %.2g %% against the winner", "loss",
			100 * best->loss);
		add_interval(out, 100 * best->loss_low, 100 * best->loss_high, 2, " %");
	}
	at_strbuf_addf(out,
		" *   %-14s %" PRId64 " evaluations, %" PRId64 " of them ok\n",
		"chosen from", best->evaluation_count, best->ok_count);
	if (!best->is_unverified) {
		at_strbuf_clear(&text);
		at_verification_write(best, &text);
		add_fact(out, "verified", at_strbuf_text(&text));
	}
	add_fact(out, "measured", at_result_iso_time(best->created_seconds, measured));
	add_fact(out, "compiler", best->toolchain);
	add_fact(out, "driver", best->driver);
	add_fact(out, "source hash", best->source_hash);
	at_strbuf_release(&text);
}

static void add_usage(struct writer *self)
{
	add(self,
		" *\n"
		" * To choose a configuration when the program runs: $k_choose(device, sizes...)\n"
		" * returns its number and the rung by which it was found, and\n"
		" * $k_launch(configuration, device, sizes...) returns how to launch it. Compile\n"
		" * each configuration n of $K_CONFIGURATIONS in a translation unit of its own:\n"
		" * define $K_CONFIGURATION as n, define $K_BARE, include this header, then\n"
		" * the template. Its kernel is called $k_n there. Give the compiler\n"
		" * $K_n_OPTIONS.\n"
		" *\n"
		" * To choose one when the program is compiled: the names $K_... without a\n"
		" * number belong to one configuration. Define $K_CONFIGURATION, or\n"
		" * $K_DEVICE and $K_PROBLEM, before you include this header; one of these\n"
		" * two is enough where it leaves one winner, and none is needed where there is only\n"
		" * one. Without a choice these names are not defined. $K_BARE also defines the\n"
		" * names that the template reads.\n");
	if (self->spec->is_arch_specific)
		at_strbuf_add(self->out,
			" *\n * The template uses the features of one architecture: compile it for sm_90a, not\n"
			" * sm_90 (nvcc -gencode=arch=compute_90a,code=sm_90a), and so on.\n");
	if (has_instances(self)) {
		struct at_strbuf instance = { 0 };

		/* a C++ template is not a kernel, and C code cannot name its instances
		 */
		at_spec_write_kernel(self->spec, self->spec->kernel,
			self->plan->configurations[0].values, &instance);
		at_strbuf_add(self->out,
			" *\n * The kernel is an instance of a template of C++, ");
		at_escape_c_comment(self->out, at_strbuf_text(&instance));
		add(self,
			"\n * in configuration 0. After the template, launch $K_n_INSTANCE. In a unit that is\n"
			" * compiled for one configuration, also put the line $K_ENTRY; after the template:\n"
			" * it instantiates the kernel and defines $k_n as a constant pointer to it. Other\n"
			" * units declare that as extern \"C\" void (*const $k_n)(...); and launch it like a\n"
			" * kernel.\n");
		at_strbuf_release(&instance);
	} else if (at_kernel_varies(self->spec->kernel)) {
		add(self,
			" *\n"
			" * The configuration chooses the kernel: $K_n_FUNCTION is its name in the template.\n");
	}
}

static void add_provenance(struct writer *self)
{
	const struct at_header_plan *plan = self->plan;
	bool has_begun = false;

	at_strbuf_add(self->out, "/*\n * ");
	at_escape_c_comment(self->out, self->spec->name);
	if (!plan->winner_count) {
		at_strbuf_add(self->out,
			": nothing is recorded. These are the defaults of its space, neither measured\n"
			" * nor verified; choose() returns them as baselines.\n");
		add_usage(self);
		at_strbuf_add(self->out, " */\n");
		return;
	}
	at_strbuf_addf(self->out,
		": %zu configurations, baselines included. The fastest correct ones are, for\n",
		plan->configuration_count);
	for (size_t i = 0; i < plan->winner_count; i++)
		add_winner(self, &plan->entries[i]);
	/* How to set the board as for the measurement. */
	const struct at_board_clocks *board = &self->spec->board;
	const struct {
		const struct at_expression *expression;
		const char *option, *unit;
	} parts[] = {
		{ board->clock_mhz, "-lgc", "MHz" },
		{ board->memory_clock_mhz, "-lmc", "MHz" },
		{ board->power_watts, "-pl", "W" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(parts); i++) {
		if (!parts[i].expression)
			continue;
		if (!has_begun)
			at_strbuf_add(self->out,
				" *\n"
				" * Times hold for a board that is set like this, by its administrator, where the\n"
				" * value of the configuration is not 0:\n");
		has_begun = true;
		at_strbuf_addf(self->out, " *   nvidia-smi %s ", parts[i].option);
		at_escape_c_comment(self->out, at_expression_text(parts[i].expression));
		at_strbuf_addf(self->out, " (%s)\n", parts[i].unit);
	}
	add_usage(self);
	at_strbuf_add(self->out, " */\n");
}

/* ---- the whole header ------------------------------------------------------ */

void at_header_common(struct at_strbuf *out)
{
	at_strbuf_add_bytes(out, at_embedded_autotune_h, at_embedded_autotune_h_size);
}

static void write_body(struct writer *self)
{
	struct at_strbuf *out = self->out;
	struct at_hash hash;
	char digits[17];
	size_t contents;
	static const char key[] = "#define AUTOTUNE_RUNTIME ";
	struct at_strbuf text = { 0 };
	const char *version;

	add_provenance(self);
	/* Includes the common header, in this header's version. */
	at_header_common(&text);
	version = strstr(at_strbuf_text(&text), key) + strlen(key);
	add(self,
		"\n#include \"autotune.h\"\n"
		"#if AUTOTUNE_RUNTIME != %.*s\n"
		"#error \"autotune.h is of another version of autotune than this header: write all of them again with autotune header\"\n"
		"#endif\n",
		(int)strcspn(version, "\n"), version);
	at_strbuf_release(&text);
	add(self, "\n#ifndef AUTOTUNE_$K_H\n#define AUTOTUNE_$K_H\n\n"
		  "/* a hash of this header: the cubins that belong to it check it */\n"
		  "#define AUTOTUNE_$K_CONTENTS 0x");
	contents = out->length;
	at_strbuf_add(out, "0000000000000000ULL\n\n");
	write_names(self);
	write_macros(self);
	write_devices(self);
	write_launches(self);
	write_maps(self);
	write_fits(self);
	write_choose(self);
	write_run(self);
	at_strbuf_add(out, "\n#endif\n\n");
	write_runtime(self);
	at_strbuf_add(out,
		"/* outside of the guard: a unit may include this header again for another choice */\n");
	write_choices(self);
	write_short_names(self);
	write_bare(self);
	/* the hash of the whole body replaces the zeros */
	hash = at_hash_bytes(out->data, out->length);
	snprintf(digits, sizeof(digits), "%016" PRIx64, hash.low);
	memcpy(out->data + contents, digits, sizeof(digits) - 1);
}

enum at_status at_header_write(
	const struct at_header_plan *plan, struct at_strbuf *out, struct at_error *err)
{
	const struct at_spec *spec = plan->spec;
	struct at_strbuf body = { 0 };
	struct writer self = {
		.spec = spec,
		.plan = plan,
		.kernel = at_text_macro(spec->name),
		.prefix = at_header_prefix(spec),
		.device_names = at_calloc(plan->device_count + 1, sizeof(char *)),
		.problem_names = at_calloc(plan->problem_count + 1, sizeof(char *)),
		.out = &body,
		.err = err,
	};
	struct at_header_stamp stamp = { .version = AT_VERSION };
	enum at_status status = AT_OK;

	if (!plan->entry_count)
		status = at_fail(err, AT_ENOENT, spec->path, 0,
			"there is no result to write a header of: tune it first");
	if (!status)
		status = read_template(&self, stamp.template_hash);
	if (!status) {
		write_body(&self);
		at_header_stamp_write(&stamp, spec, at_strbuf_text(&body), out);
	}
	at_strbuf_release(&body);
	for (size_t i = 0; i < self.name_count; i++)
		free(self.names[i]);
	for (size_t i = 0; i < self.function_count; i++)
		free(self.functions[i]);
	free(self.names);
	free(self.functions);
	free(self.is_hidden);
	free((void *)self.device_names);
	free((void *)self.problem_names);
	free(self.kernel);
	free(self.prefix);
	return status;
}

enum at_status at_result_header(const struct at_spec *spec,
	const struct at_result *items, size_t count,
	const struct at_header_plan_options *options, struct at_strbuf *out,
	struct at_error *err)
{
	struct at_header_plan plan;
	enum at_status status =
		at_header_plan_make(spec, items, count, options, &plan, err);

	if (!status)
		status = at_header_write(&plan, out, err);
	at_header_plan_release(&plan);
	return status;
}
