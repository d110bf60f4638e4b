/*
 * Writes what a header offers at compile time: the choice of a configuration by its
 * number, or by a device and a problem, and its macros under short names and under the
 * names that the template reads.
 */
#include "kernel/compile.h"
#include "kernel/scan.h"
#include "record/header_internal.h"

#include <string.h>

/* ---- the names to choose by ---------------------------------------------------- */

/* How many winners are left by a choice of a device, a problem, both or none. */
static size_t count_winners(
	const struct at_header_plan *plan, const size_t *device, const size_t *problem)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->winner_count; i++)
		count += (!device || plan->entries[i].device == *device) &&
			 (!problem || plan->entries[i].problem == *problem);
	return count;
}

void at_header_write_names(struct at_header_writer *self)
{
	static const char *const own[] = { "BARE", "CONFIGURATION", "CONFIGURATIONS",
		"CONFIGURATION_COUNT", "DEVICE", "DEVICE_COUNT", "ENTRY", "PROBLEM",
		"SELECTED", "SELECTED_DEVICE", "SELECTED_PROBLEM" };
	const struct at_header_plan *plan = self->plan;
	const char *name;

	for (size_t i = 0; i < AT_COUNT_OF(own); i++)
		at_header_claim(self, &name, "%s_%s", self->kernel, own[i]);
	at_header_add(self,
		"/* the values that $K_CONFIGURATION, $K_DEVICE and $K_PROBLEM may have */\n");
	for (size_t i = 0; i < plan->configuration_count; i++) {
		at_header_claim(self, &name, "%s_CONFIGURATION_%zu", self->kernel, i);
		at_strbuf_addf(self->out, "#define %s %zu\n", name, i + 1);
	}
	for (size_t i = 0; i < plan->device_count; i++) {
		if (!count_winners(plan, &i, NULL))
			continue;
		at_header_claim(self, &name, "%s_DEVICE_%s", self->kernel,
			plan->devices[i].name);
		at_strbuf_addf(self->out, "#define %s %zu\n", name, i + 1);
		self->device_names[i] =
			name + strlen(self->kernel) + strlen("_DEVICE_");
	}
	for (size_t i = 0; i < plan->problem_count; i++) {
		if (!count_winners(plan, NULL, &i))
			continue;
		at_header_claim(self, &name, "%s_PROBLEM_%s", self->kernel,
			plan->problems[i].name);
		at_strbuf_addf(self->out, "#define %s %zu\n", name, i + 1);
		self->problem_names[i] =
			name + strlen(self->kernel) + strlen("_PROBLEM_");
	}
	at_strbuf_add_char(self->out, '\n');
}

/* ---- the selection ----------------------------------------------------------- */

/* Writes an #if on the name that the user gave. It is pasted to a prefix, since #if
   takes any unknown name for 0. */
static void write_selected(struct at_header_writer *self, const char *what,
	const char *const *names, size_t count)
{
	const char *separator = "";

	at_header_add(self,
		"#undef $K_SELECTED_%s\n"
		"#ifdef $K_%s\n"
		"#define $K_SELECTED_%s AUTOTUNE_PASTE($K_%s_, $K_%s)\n"
		"#if !($K_SELECTED_%s > 0)\n"
		"#error \"$K_%s is none of: ",
		what, what, what, what, what, what, what);
	for (size_t i = 0; i < count; i++) {
		if (!names[i])
			continue;
		at_strbuf_addf(self->out, "%s%s", separator, names[i]);
		separator = ", ";
	}
	at_header_add(self,
		"\"\n"
		"#endif\n"
		"#else\n"
		"#define $K_SELECTED_%s 0\n"
		"#endif\n",
		what);
}

static void write_branch(struct at_header_writer *self, size_t device, size_t problem,
	size_t configuration)
{
	at_header_add(self,
		"#elif $K_SELECTED_DEVICE == %zu && $K_SELECTED_PROBLEM == %zu\n"
		"#define $K_SELECTED %zu\n",
		device, problem, configuration + 1);
}

/* Writes a branch for each winner: for its device and problem, and for each shorter
   choice that leaves only this winner. */
static void write_branches(struct at_header_writer *self)
{
	const struct at_header_plan *plan = self->plan;

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
}

static void write_selection(struct at_header_writer *self)
{
	const struct at_header_plan *plan = self->plan;

	write_selected(self, "DEVICE", self->device_names, plan->device_count);
	write_selected(self, "PROBLEM", self->problem_names, plan->problem_count);
	at_header_add(self,
		"#undef $K_SELECTED\n"
		"#ifdef $K_CONFIGURATION\n"
		"#define $K_SELECTED AUTOTUNE_PASTE($K_CONFIGURATION_, $K_CONFIGURATION)\n"
		"#if !($K_SELECTED > 0)\n"
		"#error \"$K_CONFIGURATION is no number from 0 to %zu\"\n"
		"#endif\n",
		plan->configuration_count - 1);
	write_branches(self);
	at_header_add(self,
		"#elif $K_SELECTED_DEVICE > 0 && $K_SELECTED_PROBLEM > 0\n"
		"#error \"$K_PROBLEM was not measured on $K_DEVICE; there are:");
	for (size_t i = 0; i < plan->winner_count; i++)
		at_strbuf_addf(self->out, "%s %s on %s", i ? "," : "",
			self->problem_names[plan->entries[i].problem],
			self->device_names[plan->entries[i].device]);
	at_header_add(self, "\"\n"
			    "#else\n"
			    "#define $K_SELECTED 0\n"
			    "#endif\n");
}

/* ---- short names -------------------------------------------------------------- */

/* Whether an earlier configuration has the name too, so that it was undefined
   already. */
static bool is_undefined(
	const struct at_header_writer *self, size_t configuration, const char *name)
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

static bool is_short_name_free(const struct at_header_writer *self, const char *name)
{
	size_t length = strlen(self->kernel);

	/* a parameter called DEVICE has no short name: MATMUL_DEVICE is the user's to
	   define */
	for (size_t i = 0; i < self->name_count; i++)
		if (!strncmp(self->names[i], self->kernel, length) &&
			self->names[i][length] == '_' &&
			!strcmp(self->names[i] + length + 1, name))
			return false;
	return true;
}

/* Where configuration 2 is selected, MATMUL_BLOCK_X stands for MATMUL_2_BLOCK_X. */
static void write_short_names(struct at_header_writer *self)
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

/* ---- what the template reads ---------------------------------------------------- */

static enum at_status define_bare(void *context, const char *name, const char *value)
{
	struct at_header_writer *self = context;

	for (size_t i = 0; i < self->spec->parameter_count; i++)
		if (self->is_hidden[i] && !strcmp(self->spec->parameters[i].name, name))
			return AT_OK;
	at_strbuf_addf(self->out, "#undef %s\n#define %s %s\n", name, name, value);
	return AT_OK;
}

/* Repeats what an option defines or undefines: -DRADIUS=6, -D RADIUS=6,
   --define-macro=RADIUS=6, and -U likewise. */
static void write_defined(
	struct at_header_writer *self, char *const *options, size_t count, size_t index)
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
	/* what the compiler was given must stay, where no line of a header can say it
	 */
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
 * to matmul_2_NAME: spaces may share a template, and templates may use the same name
 * for a helper. A C++ template becomes matmul_2_NAME, too; there matmul_2 is the
 * pointer to its instance.
 */
static void write_kernels(struct at_header_writer *self, size_t index)
{
	at_header_add(self, "#ifdef $K_CONFIGURATION\n");
	for (size_t i = 0; i < self->function_count; i++) {
		const char *name = self->functions[i];
		bool is_long = i > 0 || at_header_has_instances(self);

		at_header_add(self, "#undef %s\n#define %s $k_%zu%s%s\n", name, name,
			index, is_long ? "_" : "", is_long ? name : "");
	}
	if (at_header_has_instances(self))
		at_header_add(self,
			"#undef $K_ENTRY\n"
			"#define $K_ENTRY extern \"C\" decltype(&$K_INSTANCE) const $k_%zu; \\\n"
			"\tdecltype(&$K_INSTANCE) const $k_%zu = &$K_INSTANCE\n",
			index, index);
	at_header_add(self, "#endif\n");
}

static enum at_status write_bare(struct at_header_writer *self)
{
	const struct at_header_plan *plan = self->plan;
	enum at_status status = AT_OK;

	at_header_add(self, "#ifdef $K_BARE\n");
	for (size_t i = 0; i < plan->configuration_count && !status; i++) {
		const struct at_header_configuration *configuration =
			&plan->configurations[i];

		at_header_add(self, "#%sif $K_SELECTED == %zu\n", i ? "el" : "", i + 1);
		status = at_header_walk_macros(self, configuration, define_bare, self);
		for (size_t k = 0; k < configuration->option_count; k++)
			write_defined(self, configuration->options,
				configuration->option_count, k);
		write_kernels(self, i);
	}
	at_header_add(self,
		"#else\n"
		"#error \"$K_BARE: say of which configuration, with $K_CONFIGURATION, or with $K_DEVICE and $K_PROBLEM\"\n"
		"#endif\n"
		"#endif\n");
	return status;
}

enum at_status at_header_write_selection(struct at_header_writer *self)
{
	at_strbuf_add(self->out,
		"/* outside of the guard: a unit may include this header again for another choice */\n");
	write_selection(self);
	write_short_names(self);
	return write_bare(self);
}
