/* The generated header: record/result.h has its macros. */
#include "record/result_internal.h"

#include "base/json.h"
#include "base/text.h"
#include "record/proof.h"
#include "kernel/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char axes[] = "XYZ";

struct header {
	const struct at_spec *spec;
	const struct at_record_device *device;
	const struct at_crown *crowns;
	const struct at_evaluation *winners;
	size_t count;
	char *kernel; /* MATMUL */
	/* per crown */
	char **problems; /* SQUARE_4096 */
	uint16_t *configurations;
	struct at_strbuf *out;
	struct at_error *err;
};

static const uint16_t *configuration(const struct header *self, size_t index)
{
	return self->configurations + index * self->spec->parameter_count;
}

/* ---- names -------------------------------------------------------------- */

/* Whether a parameter makes a macro of this name, behind the kernel's. */
static bool is_taken(const struct at_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];
		size_t length = strlen(parameter->name);

		if (strncmp(name, parameter->name, length) != 0)
			continue;
		if (!name[length])
			return true;
		for (size_t j = 0; name[length] == '_' && j < parameter->value_count;
			j++)
			if (parameter->values[j].type == AT_TYPE_WORD &&
				!strcmp(name + length + 1, parameter->values[j].word))
				return true;
	}
	return false;
}

/* "#define MATMUL_GRID_X", or MATMUL_GRID_X_ where a parameter is called GRID_X */
static void define(struct header *self, const char *prefix, const char *format, ...)
	AT_PRINTF(3, 4);

static void define(struct header *self, const char *prefix, const char *format, ...)
{
	struct at_strbuf name = { 0 };
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&name, format, arguments);
	va_end(arguments);
	while (!name.failed && is_taken(self->spec, name.data))
		at_strbuf_add_char(&name, '_');
	at_strbuf_addf(self->out, "#define %s%s", prefix, at_strbuf_text(&name));
	self->out->failed |= name.failed;
	at_strbuf_release(&name);
}

/* A name in the header for a problem that no other problem and no parameter has. */
static char *name_problem(const struct header *self, size_t index)
{
	struct at_strbuf name = { 0 };
	char *macro = at_text_macro(self->crowns[index].problem);
	bool again;

	/* after MATMUL_ a digit may follow */
	if (macro)
		at_strbuf_add(&name, macro + (macro[0] == '_' && macro[1]));
	name.failed |= !macro;
	free(macro);
	do {
		again = false;
		for (size_t i = 0; i < index; i++)
			again |= !strcmp(self->problems[i], at_strbuf_text(&name));
		for (size_t i = 0; i < self->spec->parameter_count; i++) {
			const char *other = self->spec->parameters[i].name;

			again |= !strncmp(other, at_strbuf_text(&name), name.length) &&
				 other[name.length] == '_';
		}
		if (again)
			at_strbuf_add_char(&name, '_');
	} while (again && !name.failed);
	return at_strbuf_detach(&name);
}

/* ---- the comment -------------------------------------------------------- */

/* Text from outside must not end the comment or a line of it. */
static void add_comment(struct at_strbuf *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		at_strbuf_add_char(out, c < ' ' ? ' ' : *text);
		if (text[0] == '*' && text[1] == '/')
			at_strbuf_add_char(out, ' ');
	}
}

static void add_fact(struct at_strbuf *out, const char *name, const char *value)
{
	at_strbuf_addf(out, " *   %-14s ", name);
	add_comment(out, value);
	at_strbuf_add_char(out, '\n');
}

/* Three numbers in one unit, with digits enough to tell the ends from the middle. */
static void add_score(struct at_strbuf *out, const struct at_crown *crown)
{
	const struct at_objective *objective = crown->objective;
	const struct at_score *score = &crown->score;
	size_t unit = 0;

	while (objective->units[unit].size > 1 &&
		!(score->value >= objective->units[unit].size))
		unit++;
	at_strbuf_addf(out, " *   %-14s %.5g %s", objective->name,
		score->value / objective->units[unit].size,
		objective->units[unit].name);
	if (isfinite(score->low) && isfinite(score->high))
		at_strbuf_addf(out, " (95 %% interval %.5g to %.5g)",
			score->low / objective->units[unit].size,
			score->high / objective->units[unit].size);
	at_strbuf_add_char(out, '\n');
}

static void add_sizes(
	struct at_strbuf *out, const struct at_spec *spec, const char *text)
{
	struct at_json *object;
	const char *separator = ": ";

	if (at_json_parse(text, strlen(text), NULL, &object, NULL))
		return;
	for (size_t i = 0; i < spec->size_count; i++) {
		const struct at_json *size = at_json_get(object, spec->size_names[i]);

		if (!size)
			continue;
		at_strbuf_addf(out, "%s%s = ", separator, spec->size_names[i]);
		out->failed |= at_json_write(size, 0, out, NULL) != AT_OK;
		separator = ", ";
	}
	at_json_free(object);
}

/* the baseline itself has none, and where nobody knows how sure it is that is not
 * hidden
 */
static void add_speedup(struct at_strbuf *out, struct at_score speedup)
{
	if (speedup.value == 1) {
		add_fact(out, "speed-up", "none: the baseline is the winner");
		return;
	}
	at_strbuf_addf(
		out, " *   %-14s %.4g over the baseline", "speed-up", speedup.value);
	if (isfinite(speedup.low) && isfinite(speedup.high))
		at_strbuf_addf(out, " (95 %% interval %.4g to %.4g)", speedup.low,
			speedup.high);
	at_strbuf_add_char(out, '\n');
}

static void add_provenance(struct header *self, size_t index)
{
	const struct at_crown *crown = &self->crowns[index];
	struct at_strbuf *out = self->out, text = { 0 };
	char measured[AT_ISO_TIME_SIZE];

	at_strbuf_add(out, " *\n * Problem ");
	add_comment(out, crown->problem);
	add_sizes(out, self->spec, self->winners[index].problem_json);
	at_strbuf_add_char(out, '\n');
	if (crown->is_unproved)
		at_strbuf_add(out,
			" *   UNPROVED: its run was interrupted. It passed on one set of data, without\n"
			" *   finals and without other data and sizes; it may be wrong or slow.\n");
	at_configuration_format(self->spec, configuration(self, index), &text);
	add_fact(out, "configuration", at_strbuf_text(&text));
	add_score(out, crown);
	if (isfinite(crown->speedup))
		add_speedup(out, at_crown_speedup(crown));
	else
		add_fact(out, "speed-up", "not known: the baseline was not timed");
	at_strbuf_addf(out,
		" *   %-14s %" PRId64 " evaluations, %" PRId64 " of them ok\n",
		"chosen from", crown->evaluation_count, crown->ok_count);
	if (!crown->is_unproved) {
		at_strbuf_clear(&text);
		at_proof_write(crown, &text);
		add_fact(out, "proved", at_strbuf_text(&text));
	}
	add_fact(out, "measured", at_result_iso_time(crown->created_seconds, measured));
	add_fact(out, "compiler", crown->toolchain);
	add_fact(out, "driver", crown->driver);
	add_fact(out, "source hash", crown->source_hash);
	out->failed |= text.failed;
	at_strbuf_release(&text);
}

static void add_head(struct header *self)
{
	struct at_strbuf *out = self->out;
	const char *kernel = self->kernel;

	at_strbuf_add(out, "/*\n * ");
	add_comment(out, self->spec->name);
	at_strbuf_add(out, " on ");
	add_comment(out, self->device->model);
	at_strbuf_add(out, " (");
	add_comment(out, self->device->architecture);
	at_strbuf_add(out,
		"): the fastest correct configuration that was\n"
		" * found. Written by autotune; changes made by hand are lost.\n");
	for (size_t i = 0; i < self->count; i++)
		add_provenance(self, i);
	at_strbuf_addf(out,
		" *\n"
		" * With %s_BARE defined before it is included, it also defines the names\n"
		" * that the template reads, so that the template compiles as it stands.\n",
		kernel);
	if (self->count > 1)
		at_strbuf_addf(out,
			" * The short names, %s_..., are those of the first problem; for another's\n"
			" * define %s_PROBLEM_%s, or likewise, before it is included.\n",
			kernel, kernel, self->problems[1]);
	at_strbuf_add(out, " */\n");
}

/* ---- parameters --------------------------------------------------------- */

/* Calls visit for every macro that the template is given. */
static void walk_macros(struct header *self, size_t index, const char *prefix,
	void (*visit)(struct header *self, const char *prefix, const char *name,
		const char *value))
{
	struct at_strbuf text = { 0 };
	char *line, *rest;

	at_source_write_macros(self->spec, configuration(self, index), &text);
	self->out->failed |= text.failed;
	for (line = text.data; line && *line; line = rest) {
		char *name = line + strlen("#define ");
		char *value = name + strcspn(name, " ");

		rest = line + strcspn(line, "\n");
		*rest++ = '\0';
		*value++ = '\0';
		visit(self, prefix, name, value);
	}
	at_strbuf_release(&text);
}

static void add_macro(
	struct header *self, const char *prefix, const char *name, const char *value)
{
	bool is_name = (value[0] >= 'a' && value[0] <= 'z') ||
		       (value[0] >= 'A' && value[0] <= 'Z') || value[0] == '_';

	at_strbuf_addf(self->out, "#define %s%s %s%s\n", prefix, name,
		is_name ? prefix : "", value);
}

static void add_bare_macro(
	struct header *self, const char *prefix, const char *name, const char *value)
{
	(void)value;
	at_strbuf_addf(
		self->out, "#undef %s\n#define %s %s%s\n", name, name, prefix, name);
}

static void add_quoted(struct at_strbuf *out, const char *text)
{
	at_strbuf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			at_strbuf_add_char(out, '\\');
		/* a trigraph of C99 begins with two of them */
		if (text[0] == '?' && text[1] == '?')
			at_strbuf_add(out, "?\\");
		else
			at_strbuf_add_char(out, *text);
	}
	at_strbuf_add_char(out, '"');
}

static void add_words(struct header *self, size_t index, const char *prefix)
{
	for (size_t i = 0; i < self->spec->parameter_count; i++) {
		const struct at_parameter *parameter = &self->spec->parameters[i];
		const struct at_value *value =
			&parameter->values[configuration(self, index)[i]];

		if (value->type != AT_TYPE_WORD)
			continue;
		define(self, prefix, "%s_NAME", parameter->name);
		at_strbuf_addf(self->out, " \"%s\"\n", value->word);
	}
}

static enum at_status add_options(struct header *self, size_t index, const char *prefix)
{
	const char *text = self->crowns[index].options;
	struct at_strbuf joined = { 0 };
	struct at_json *options;
	enum at_status status;

	if (!text || !*text)
		text = "[]";
	status = at_json_parse(text, strlen(text), NULL, &options, NULL);
	if (status == AT_ENOMEM)
		return at_fail_memory(self->err);
	if (status)
		return at_fail(self->err, AT_EINVAL, NULL, 0,
			"the record's options are no JSON: found \"%.200s\"", text);
	for (size_t i = 0; i < at_json_count(options); i++) {
		const char *option = at_json_text(at_json_at(options, i));

		at_strbuf_addf(&joined, "%s%s", i ? " " : "", option ? option : "");
	}
	define(self, prefix, "OPTIONS");
	at_strbuf_add_char(self->out, ' ');
	add_quoted(self->out, at_strbuf_text(&joined));
	at_strbuf_add_char(self->out, '\n');
	self->out->failed |= joined.failed;
	at_strbuf_release(&joined);
	at_json_free(options);
	return AT_OK;
}

/* ---- the launch --------------------------------------------------------- */

static enum at_status add_tuned_launch(
	struct header *self, size_t index, const char *prefix)
{
	const char *text = self->crowns[index].launch;
	const struct at_json *block;
	struct at_json *launch;
	enum at_status status;

	if (!text || !*text)
		return AT_OK;
	status = at_json_parse(text, strlen(text), NULL, &launch, NULL);
	if (status == AT_ENOMEM)
		return at_fail_memory(self->err);
	if (status)
		return at_fail(self->err, AT_EINVAL, NULL, 0,
			"the record's launch is no JSON: found \"%.200s\"", text);
	block = at_json_get(launch, "block");
	for (size_t i = 0; block && i < 3; i++) {
		define(self, prefix, "BLOCK_DIM_%c", axes[i]);
		at_strbuf_addf(self->out, " %" PRId64 "\n",
			at_json_whole(at_json_at(block, i), 1));
	}
	if (block) {
		define(self, prefix, "SHARED_BYTES");
		at_strbuf_addf(self->out, " %" PRId64 "\n",
			at_json_whole(at_json_get(launch, "shared_bytes"), 0));
	}
	at_json_free(launch);
	return AT_OK;
}

static bool uses_sizes(
	const struct at_spec *spec, const struct at_expression *expression)
{
	size_t count;
	const int *slots = at_expression_slots(expression, &count);

	for (size_t i = 0; i < count; i++)
		if (at_result_is_size(spec, slots[i]))
			return true;
	return false;
}

static void add_size_arguments(struct header *self)
{
	at_strbuf_add_char(self->out, '(');
	for (size_t i = 0; i < self->spec->size_count; i++)
		at_strbuf_addf(
			self->out, "%s%s", i ? ", " : "", self->spec->size_names[i]);
	at_strbuf_add_char(self->out, ')');
}

/* A macro of all sizes; expression NULL: always 1. */
static void add_sized(struct header *self, const char *prefix, const char *name,
	const struct at_expression *expression)
{
	struct at_strbuf text = { 0 };

	if (!expression) {
		at_strbuf_add(&text, "1");
	} else if (!at_result_write_expression(
			   self->spec, self->device, prefix, expression, &text)) {
		at_strbuf_addf(self->out, "/* no %s%s: it needs reals: ", prefix, name);
		add_comment(self->out, at_expression_text(expression));
		at_strbuf_add(self->out, " */\n");
		return;
	}
	define(self, prefix, "%s", name);
	add_size_arguments(self);
	at_strbuf_addf(self->out, " ((unsigned int)(%s))\n", at_strbuf_text(&text));
	self->out->failed |= text.failed;
	at_strbuf_release(&text);
}

static void add_sized_launch(struct header *self, const char *prefix)
{
	const struct at_launch *launch = &self->spec->launch;
	char name[32];

	if (!launch->line)
		return;
	for (size_t i = 0; i < launch->block_rank; i++) {
		if (!uses_sizes(self->spec, launch->block[i]))
			continue;
		snprintf(name, sizeof(name), "BLOCK_DIM_%c_FOR", axes[i]);
		add_sized(self, prefix, name, launch->block[i]);
	}
	if (launch->shared_bytes && uses_sizes(self->spec, launch->shared_bytes))
		add_sized(self, prefix, "SHARED_BYTES_FOR", launch->shared_bytes);
	for (size_t i = 0; i < 3 && launch->grid_rank; i++) {
		snprintf(name, sizeof(name), "GRID_%c", axes[i]);
		add_sized(self, prefix, name,
			i < launch->grid_rank ? launch->grid[i] : NULL);
	}
}

/* ---- putting it together ------------------------------------------------ */

static enum at_status add_problem(struct header *self, size_t index, const char *prefix)
{
	enum at_status status;

	/* for an #ifdef of whoever must not ship one */
	if (self->crowns[index].is_unproved) {
		define(self, prefix, "UNPROVED");
		at_strbuf_add(self->out, " 1\n");
	}
	walk_macros(self, index, prefix, add_macro);
	add_words(self, index, prefix);
	status = add_options(self, index, prefix);
	if (!status)
		status = add_tuned_launch(self, index, prefix);
	add_sized_launch(self, prefix);
	return status;
}

/* #if for the problem that is chosen; the first one where none of the others is */
static void add_choice(struct header *self, size_t index)
{
	if (index > 0) {
		at_strbuf_addf(self->out, "#elif defined(%s_PROBLEM_%s)\n",
			self->kernel, self->problems[index]);
		return;
	}
	at_strbuf_add(self->out, "#if ");
	for (size_t i = 1; i < self->count; i++)
		at_strbuf_addf(self->out, "%s!defined(%s_PROBLEM_%s)",
			i > 1 ? " && \\\n\t" : "", self->kernel, self->problems[i]);
	at_strbuf_add_char(self->out, '\n');
}

static enum at_status add_problems(struct header *self)
{
	enum at_status status = AT_OK;
	struct at_strbuf prefix = { 0 };

	for (size_t i = 0; i < self->count && self->count > 1 && !status; i++) {
		at_strbuf_clear(&prefix);
		at_strbuf_addf(&prefix, "%s_%s_", self->kernel, self->problems[i]);
		at_strbuf_add(self->out, "/* problem ");
		add_comment(self->out, self->crowns[i].problem);
		at_strbuf_add(self->out, " */\n");
		status = add_problem(self, i, at_strbuf_text(&prefix));
		at_strbuf_add_char(self->out, '\n');
	}
	at_strbuf_clear(&prefix);
	at_strbuf_addf(&prefix, "%s_", self->kernel);
	for (size_t i = 0; i < self->count && !status; i++) {
		if (self->count > 1)
			add_choice(self, i);
		status = add_problem(self, i, at_strbuf_text(&prefix));
	}
	if (self->count > 1)
		at_strbuf_add(self->out, "#endif\n");
	self->out->failed |= prefix.failed;
	at_strbuf_release(&prefix);
	return status;
}

static void add_bare(struct header *self)
{
	struct at_strbuf prefix = { 0 };

	at_strbuf_addf(&prefix, "%s_", self->kernel);
	at_strbuf_addf(self->out, "#ifdef %s_BARE\n", self->kernel);
	walk_macros(self, 0, at_strbuf_text(&prefix), add_bare_macro);
	at_strbuf_add(self->out, "#endif\n");
	self->out->failed |= prefix.failed;
	at_strbuf_release(&prefix);
}

static enum at_status write_header(struct header *self)
{
	char *device = at_text_macro(self->device->slug);
	struct at_strbuf *out = self->out, body = { 0 };
	enum at_status status;

	if (!device)
		return at_fail_memory(self->err);
	self->out = &body;
	status = add_problems(self);
	self->out = out;
	add_head(self);
	at_strbuf_addf(out, "#ifndef AUTOTUNE_%s_%s_H\n#define AUTOTUNE_%s_%s_H\n\n",
		device, self->kernel, device, self->kernel);
	at_result_write_functions(at_strbuf_text(&body), out);
	at_strbuf_addf(out, "\n%s\n#endif\n\n", at_strbuf_text(&body));
	/* behind the guard: a file may include it a second time for these names */
	add_bare(self);
	out->failed |= body.failed;
	at_strbuf_release(&body);
	free(device);
	return status;
}

enum at_status at_result_header(const struct at_spec *spec,
	const struct at_record_device *device, const struct at_crown *crowns,
	const struct at_evaluation *winners, size_t count, struct at_strbuf *out,
	struct at_error *err)
{
	struct header self = {
		.spec = spec,
		.device = device,
		.crowns = crowns,
		.winners = winners,
		.count = count,
		.out = out,
		.err = err,
	};
	size_t width = spec->parameter_count;
	enum at_status status = AT_OK;

	if (!count)
		return at_fail(err, AT_ENOENT, spec->path, 0,
			"there is no result to write a header of: tune it first");
	self.kernel = at_text_macro(spec->name);
	self.problems = calloc(count + 1, sizeof(*self.problems));
	self.configurations = calloc(count * width + 1, sizeof(*self.configurations));
	if (!self.kernel || !self.problems || !self.configurations)
		status = at_fail_memory(err);
	for (size_t i = 0; i < count && !status; i++) {
		bool fits;

		self.problems[i] = name_problem(&self, i);
		if (!self.problems[i]) {
			status = at_fail_memory(err);
			break;
		}
		status = at_configuration_from_json(spec, winners[i].configuration,
			self.configurations + i * width, &fits, err);
		if (!status && !fits)
			status = at_fail(err, AT_EINVAL, spec->path, 0,
				"the recorded configuration %.200s does not fit this space",
				winners[i].configuration);
	}
	if (!status)
		status = write_header(&self);
	if (!status && out->failed)
		status = at_fail_memory(err);
	for (size_t i = 0; self.problems && i < count; i++)
		free(self.problems[i]);
	free(self.problems);
	free(self.configurations);
	free(self.kernel);
	return status;
}
