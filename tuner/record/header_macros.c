/* Writes the macros of a header: each configuration, and the figures of each device and
   problem. */
#include "base/memory.h"
#include "kernel/source.h"
#include "record/header_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char axes[] = "XYZ";

/* ---- one configuration ------------------------------------------------------ */

/* Begins a line "#define MATMUL_2_BLOCK_X " with a name that is reserved for it. */
static void define(struct at_header_writer *self, const char *format, ...)
	AT_PRINTF(2, 3);

static void define(struct at_header_writer *self, const char *format, ...)
{
	struct at_strbuf name = { 0 };
	const char *claimed;
	va_list arguments;

	va_start(arguments, format);
	at_strbuf_addv(&name, format, arguments);
	va_end(arguments);
	at_header_claim(self, &claimed, "%s_%s", self->kernel, at_strbuf_text(&name));
	at_strbuf_addf(self->out, "#define %s ", claimed);
	at_strbuf_release(&name);
}

enum at_status at_header_walk_macros(struct at_header_writer *self,
	const struct at_header_configuration *configuration,
	enum at_status (*visit)(void *context, const char *name, const char *value),
	void *context)
{
	struct at_strbuf text = { 0 };
	enum at_status status = AT_OK;
	char *line, *rest;

	at_source_write_macros(self->spec, configuration->values, &text);
	/* the last line may have been cut off */
	for (line = text.data; line && *line && !status; line = rest) {
		char *name = line + strlen("#define ");
		char *value = name + strcspn(name, " ");

		rest = line + strcspn(line, "\n");
		*rest++ = '\0';
		*value++ = '\0';
		status = visit(context, name, value);
	}
	at_strbuf_release(&text);
	return status;
}

static bool is_parameter(const struct at_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->parameter_count; i++)
		if (!strcmp(spec->parameters[i].name, name))
			return true;
	return false;
}

/* Context of the functions that at_header_walk_macros() calls. */
struct numbered {
	struct at_header_writer *writer;
	const struct at_header_configuration *configuration;
	size_t index;
};

/* The number of a word among the parameter's values; a macro has it, too:
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

static enum at_status define_parameter(
	void *context, const char *name, const char *value)
{
	const struct numbered *numbered = context;
	const struct at_spec *spec = numbered->writer->spec;
	struct at_strbuf *out = numbered->writer->out;

	for (size_t i = 0; i < spec->parameter_count; i++) {
		const struct at_parameter *parameter = &spec->parameters[i];
		const struct at_value *chosen =
			&parameter->values[numbered->configuration->values[i]];

		if (strcmp(parameter->name, name) != 0)
			continue;
		define(numbered->writer, "%zu_%s", numbered->index, name);
		if (chosen->type == AT_TYPE_WORD)
			at_strbuf_addf(
				out, "%zu\n", word_number(parameter, chosen->word));
		else
			at_strbuf_addf(out, "%s\n", value);
		return AT_OK;
	}
	return AT_OK;
}

/* The macros of words have the same values in all configurations, and no number. */
static enum at_status define_word(void *context, const char *name, const char *value)
{
	const struct numbered *numbered = context;

	if (is_parameter(numbered->writer->spec, name))
		return AT_OK;
	define(numbered->writer, "%s", name);
	at_strbuf_addf(numbered->writer->out, "%s\n", value);
	return AT_OK;
}

/* A launch amount is defined only where it does not depend on sizes or device. */
static void define_amount(struct numbered *numbered, const char *name,
	const struct at_expression *expression, int64_t fallback)
{
	struct at_header_writer *self = numbered->writer;
	int64_t amount = fallback;

	if (expression &&
		at_spec_integer(self->spec, expression, numbered->configuration->slots,
			name, 0, 0, INT32_MAX, &amount, NULL))
		return;
	define(self, "%zu_%s", numbered->index, name);
	at_strbuf_addf(self->out, "%" PRId64 "\n", amount);
}

bool at_header_has_instances(const struct at_header_writer *self)
{
	return at_kernel_arguments(self->spec->kernel) != NULL;
}

/* Defines the names of kernels that are instances of C++ templates in this
   configuration. */
static void write_instances(struct at_header_writer *self, size_t index)
{
	const struct at_spec *spec = self->spec;

	for (size_t i = 0; i < spec->call_count; i++) {
		const struct at_call *call = &spec->calls[i];

		if (!at_kernel_arguments(call->kernel))
			continue;
		if (call == spec->prepare || call == spec->finish)
			define(self, "%zu_%s_INSTANCE", index,
				call == spec->prepare ? "PREPARE" : "FINISH");
		else if (i)
			define(self, "%zu_INSTANCE_%zu", index, i);
		else
			define(self, "%zu_INSTANCE", index);
		at_spec_write_kernel(spec, call->kernel,
			self->plan->configurations[index].values, self->out);
		at_strbuf_add_char(self->out, '\n');
	}
}

static enum at_status write_configuration(struct at_header_writer *self, size_t index)
{
	const struct at_header_configuration *configuration =
		&self->plan->configurations[index];
	const struct at_launch *launch = &self->spec->calls[0].launch;
	struct numbered numbered = { self, configuration, index };
	struct at_strbuf joined = { 0 };
	enum at_status status = AT_OK;

	at_strbuf_add(self->out, "\n");
	status =
		at_header_walk_macros(self, configuration, define_parameter, &numbered);
	for (size_t i = 0; i < self->spec->parameter_count && !status; i++) {
		const struct at_parameter *parameter = &self->spec->parameters[i];
		const struct at_value *value =
			&parameter->values[configuration->values[i]];

		if (value->type != AT_TYPE_WORD)
			continue;
		define(self, "%zu_%s_NAME", index, parameter->name);
		at_escape_c_string(self->out, value->word);
		at_strbuf_add_char(self->out, '\n');
	}
	for (size_t i = 0; i < configuration->option_count; i++)
		at_strbuf_addf(
			&joined, "%s%s", i ? " " : "", configuration->options[i]);
	if (!status)
		write_instances(self, index);
	define(self, "%zu_NUMBER", index);
	at_strbuf_addf(self->out, "%zu\n", index);
	if (!status)
		define(self, "%zu_OPTIONS", index);
	at_escape_c_string(self->out, at_strbuf_text(&joined));
	at_strbuf_add_char(self->out, '\n');
	at_strbuf_release(&joined);
	for (size_t i = 0; i < 3 && launch->line && !status; i++) {
		char name[] = "BLOCK_DIM_X";

		name[sizeof(name) - 2] = axes[i];
		define_amount(&numbered, name,
			i < launch->block_rank ? launch->block[i] : NULL, 1);
	}
	if (!status && launch->line)
		define_amount(&numbered, "SHARED_BYTES", launch->shared_bytes, 0);
	return status;
}

/* ---- one device and problem ------------------------------------------------- */

/* Uses as many digits as result files have: a header that is made from these files, in
   a clone without a record, must come out the same. */
static void write_figure(struct at_header_writer *self,
	const struct at_header_entry *entry, const char *name, double value)
{
	char text[64];

	if (!isfinite(value))
		return;
	define(self, "%s_%s_%s", self->plan->devices[entry->device].name,
		self->plan->problems[entry->problem].name, name);
	snprintf(text, sizeof(text), "%.15g", value);
	at_strbuf_addf(self->out, "%s%s\n", text, strpbrk(text, ".e") ? "" : ".0");
}

static void write_result(
	struct at_header_writer *self, const struct at_header_entry *entry)
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
		/* only of a portfolio's member that is not the problem's winner */
		{ "LOSS", best->loss != 0 ? best->loss : (double)NAN },
	};

	at_strbuf_add_char(self->out, '\n');
	define(self, "%s_%s_CONFIGURATION", device, problem);
	at_strbuf_addf(self->out, "%zu\n", entry->configuration);
	for (size_t i = 0; i < AT_COUNT_OF(figures); i++)
		write_figure(self, entry, figures[i].name, figures[i].value);
	/* for the #ifdef of a user who must not ship an unverified configuration */
	if (best->is_unverified) {
		define(self, "%s_%s_UNVERIFIED", device, problem);
		at_strbuf_add(self->out, "1\n");
	}
}

enum at_status at_header_write_macros(struct at_header_writer *self)
{
	const struct at_header_plan *plan = self->plan;
	struct numbered first = { self, &plan->configurations[0], 0 };
	enum at_status status = AT_OK;

	at_strbuf_addf(self->out,
		"/* X(number, kernel) for every configuration */\n"
		"#define %s_CONFIGURATION_COUNT %zu\n#define %s_CONFIGURATIONS(X)",
		self->kernel, plan->configuration_count, self->kernel);
	for (size_t i = 0; i < plan->configuration_count; i++)
		at_strbuf_addf(self->out, " \\\n\tX(%zu, %s_%zu)", i, self->prefix, i);
	at_strbuf_addf(self->out, "\n#define %s_DEVICE_COUNT %zu\n", self->kernel,
		plan->device_count);
	status = at_header_walk_macros(self, first.configuration, define_word, &first);
	for (size_t i = 0; i < plan->configuration_count && !status; i++)
		status = write_configuration(self, i);
	for (size_t i = 0; i < plan->winner_count && !status; i++)
		write_result(self, &plan->entries[i]);
	at_strbuf_add_char(self->out, '\n');
	return status;
}
