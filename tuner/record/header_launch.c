/* Writes the functions of a header: the devices, and the space's expressions as C code
   in launch(), fits() and choose(). */
#include "record/header_internal.h"

#include "base/memory.h"
#include "base/text.h"
#include "space/device_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes ---------------------------------------------------------------- */

static bool has_type(const struct at_spec *spec, size_t size, bool is_real)
{
	for (size_t i = 0; i < spec->problem_count; i++)
		for (size_t k = 0; k < spec->problems[i].size_count; k++) {
			const struct at_size *other = &spec->problems[i].sizes[k];

			if (!strcmp(other->name, spec->size_names[size]) &&
				(other->value.type == AT_TYPE_REAL) == is_real)
				return true;
		}
	return false;
}

bool at_header_is_real(const struct at_spec *spec, size_t size)
{
	return has_type(spec, size, true);
}

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
static void add_equal(
	struct at_header_writer *self, size_t size, const struct at_value *value)
{
	const char *name = self->spec->size_names[size];

	if (at_header_is_real(self->spec, size)) {
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

static void add_equality(
	struct at_header_writer *self, const struct at_header_entry *entry)
{
	const char *separator = "";

	for (size_t i = 0; i < self->spec->size_count; i++) {
		if (entry->sizes[i].type == AT_TYPE_NONE)
			continue;
		at_strbuf_add(self->out, separator);
		add_equal(self, i, &entry->sizes[i]);
		separator = " && ";
	}
	if (!*separator)
		at_strbuf_add_char(self->out, '1');
}

/* ---- expressions ----------------------------------------------------------- */

/*
 * Names a slot in C: sizes by their names, properties as members of "complete". All of
 * them are integers or reals, also where the space has a boolean: a caller may pass any
 * number.
 */
static enum at_type name_slot(void *context, int slot, struct at_strbuf *out)
{
	const struct at_spec *spec = context;
	size_t index = (size_t)slot, size;
	const char *name;

	if (index < spec->parameter_count)
		return AT_TYPE_NONE;
	name = at_spec_slot_name(spec, slot);
	size = index - spec->parameter_count;
	if (size < spec->size_count) {
		/* an integer and a real behave differently in C, so a size that may be
		   either has no name there */
		if (has_type(spec, size, true) && has_type(spec, size, false))
			return AT_TYPE_NONE;
		at_strbuf_addf(out, "size_%s", name);
		return at_header_is_real(spec, size) ? AT_TYPE_REAL : AT_TYPE_INTEGER;
	}
	name += strlen("device.");
	if (!strcmp(name, at_property_name(AT_PROPERTY_COMPUTE_CAPABILITY)))
		at_strbuf_add(out,
			"autotune_known(10LL * complete.major + complete.minor, &bad)");
	else if (!strcmp(name,
			 at_property_name(AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK)))
		/* 0 is valid: there are devices without any */
		at_strbuf_addf(out, "complete.%s", name);
	else
		at_strbuf_addf(out, "autotune_known(complete.%s, &bad)", name);
	return AT_TYPE_INTEGER;
}

static struct at_expression_c write_expression(struct at_header_writer *self,
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

/* The value that a result file has (device_json() in result_json.c), which does not
   change from board to board: a header is the same with the record and without. */
static int64_t property(const struct at_header_device *device, enum at_property which)
{
	if (which == AT_PROPERTY_MEMORY_BYTES)
		return strcmp(device->record->kind, "host") != 0
			       ? at_device_memory_gib(&device->properties) << 30
			       : 0;
	if (which == AT_PROPERTY_CLOCK_HZ || which == AT_PROPERTY_MEMORY_CLOCK_HZ)
		return 0;
	return device->properties.known[which] ? device->properties.value[which] : 0;
}

static void write_devices(struct at_header_writer *self)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out;

	at_header_add(self,
		"/* The recorded devices, by number; 0: there is no such number. */\n"
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
		/* AT_PROPERTIES and struct autotune_device have the same order */
		for (int k = 0; k < AT_PROPERTY_COUNT; k++)
			if (k != AT_PROPERTY_COMPUTE_CAPABILITY)
				at_strbuf_addf(out, ",%s%" PRId64,
					(k - 1) % 10 ? " " : "\n\t\t\t",
					property(device, (enum at_property)k));
		at_strbuf_add(out, " },\n");
	}
	at_header_add(self,
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

/* Conditions that a configuration depends on: it was compiled for these sizes, device
   properties and conditions of options, and is wrong for others. */
static void write_exact(struct at_header_writer *self,
	const struct at_header_configuration *configuration)
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

/* Writes amounts[index] = ...; returns whether the C code refuses some arguments for
   which evaluating the expression works. */
static bool write_amount(struct at_header_writer *self,
	const struct at_header_configuration *configuration,
	const struct at_expression *expression, int index)
{
	struct at_expression_c result;

	if (!expression)
		return false;
	at_strbuf_addf(self->out, "\t\tamounts[%d] = ", index);
	result = write_expression(
		self, configuration, expression, AT_TYPE_INTEGER, self->out);
	at_strbuf_add_char(self->out, ';');
	if (result.is_partial) {
		at_strbuf_add(self->out, " /* only as recorded: ");
		at_escape_c_comment(self->out, at_expression_text(expression));
		at_strbuf_add(self->out, " */");
	}
	at_strbuf_add_char(self->out, '\n');
	return result.is_partial;
}

/* The launch with which it was measured, for expressions that C cannot compute
   fully. */
static void write_recorded(struct at_header_writer *self, size_t index)
{
	const struct at_header_plan *plan = self->plan;

	for (size_t i = 0; i < plan->winner_count; i++) {
		const struct at_header_entry *entry = &plan->entries[i];

		if (entry->configuration != index || !entry->has_launch)
			continue;
		at_header_add(self,
			"\t\tif (autotune_is_same_device(&complete, $k_device(%zu)) && ",
			entry->device);
		add_equality(self, entry);
		at_strbuf_add(self->out, ") {\n\t\t\tbad = 0;\n");
		for (int k = 0; k < 7; k++)
			at_strbuf_addf(self->out,
				"\t\t\tamounts[%d] = %" PRId64 "LL;\n", k,
				entry->launch[k]);
		at_strbuf_add(self->out, "\t\t}\n");
	}
}

static void write_launch_of(
	struct at_header_writer *self, const struct at_call *call, size_t index)
{
	const struct at_header_configuration *configuration =
		&self->plan->configurations[index];
	const struct at_launch *launch = &call->launch;
	bool is_partial = false;

	at_strbuf_addf(self->out, "\tcase %zu:\n", index);
	write_exact(self, configuration);
	for (size_t i = 0; i < launch->grid_rank; i++)
		is_partial |=
			write_amount(self, configuration, launch->grid[i], (int)i);
	for (size_t i = 0; i < launch->block_rank; i++)
		is_partial |=
			write_amount(self, configuration, launch->block[i], 3 + (int)i);
	is_partial |= write_amount(self, configuration, launch->shared_bytes, 6);
	/* of a sequence only the first launch is at hand */
	if (is_partial && call == self->spec->calls)
		write_recorded(self, index);
	at_strbuf_add(self->out, "\t\tbreak;\n");
}

/* Writes amounts[0] = ...: how often the launch follows itself; 0: it is left out. */
static void write_repeat_of(
	struct at_header_writer *self, const struct at_call *call, size_t index)
{
	const struct at_header_configuration *configuration =
		&self->plan->configurations[index];

	at_strbuf_addf(self->out, "\tcase %zu:\n", index);
	write_exact(self, configuration);
	if (call->repeat)
		write_amount(self, configuration, call->repeat, 0);
	if (call->when) {
		at_strbuf_add(self->out, "\t\tif (!(");
		write_expression(
			self, configuration, call->when, AT_TYPE_BOOLEAN, self->out);
		at_strbuf_add(self->out, "))\n\t\t\tamounts[0] = 0;\n");
	}
	at_strbuf_add(self->out, "\t\tbreak;\n");
}

/* the device on which the configuration was measured first */
static size_t first_device(const struct at_header_plan *plan, size_t configuration)
{
	for (size_t i = 0; i < plan->entry_count; i++)
		if (plan->entries[i].configuration == configuration)
			return plan->entries[i].device;
	return 0;
}

/* Only written where a launch depends on the device. */
static void write_device(struct at_header_writer *self)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out;

	at_strbuf_add(out, "\tstatic const int devices[] = {");
	for (size_t i = 0; i < plan->configuration_count; i++)
		at_strbuf_addf(out, "%s %zu", i ? "," : "", first_device(plan, i));
	at_header_add(self,
		" };\n"
		"\tconst int is_known = configuration >= 0 && configuration < %zu;\n"
		"\tconst struct autotune_device complete = $k_complete(\n"
		"\t\tgiven ? given : $k_device(devices[is_known ? configuration : 0]));\n",
		plan->configuration_count);
}

/* Writes a function of a configuration and a device with a `switch`, whose cases
   write_case() writes, and which leaves its result in `amounts` and `bad`. */
static void write_switch(struct at_header_writer *self, const struct at_call *call,
	void (*write_case)(struct at_header_writer *, const struct at_call *, size_t),
	const char *type, const char *name, const char *result)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out, body = { 0 };
	size_t index = (size_t)(call - self->spec->calls);
	bool needs_device;
	char number[32] = "";

	self->out = &body;
	for (size_t i = 0; i < plan->configuration_count; i++)
		write_case(self, call, i);
	self->out = out;
	needs_device = strstr(at_strbuf_text(&body), "complete");
	if (index)
		snprintf(number, sizeof(number), "_%zu", index);
	at_header_add(self,
		"static inline %s $k_%s%s(\n"
		"\tint configuration, const struct autotune_device *given$P)\n"
		"{\n",
		type, name, number);
	if (needs_device)
		write_device(self);
	at_header_add(self,
		"\tlong long amounts[7] = { 1, 1, 1, 1, 1, 1, 0 };\n"
		"\tint bad = 0;\n"
		"\n"
		"%s"
		"$U"
		"\tswitch (configuration) {\n",
		needs_device ? "" : "\t(void)given;\n");
	at_strbuf_add(out, at_strbuf_text(&body));
	at_strbuf_addf(out,
		"\tdefault:\n"
		"\t\tbad = 1;\n"
		"\t}\n"
		"\treturn %s;\n"
		"}\n"
		"\n",
		result);
	at_strbuf_release(&body);
}

static void write_launches(struct at_header_writer *self)
{
	const struct at_spec *spec = self->spec;
	bool is_sequence =
		spec->launch_count > 1 || spec->calls[0].repeat || spec->calls[0].when;

	at_header_add(self,
		"/*\n"
		" * How to launch a configuration on a device (0: the one that it was measured on).\n"
		" * All members are 0 where it cannot be launched there, or with these sizes.\n");
	if (is_sequence)
		at_header_add(self,
			" * The kernel is a sequence of %zu launches, from 0: launch N is what $k_launch_N()\n"
			" * says (0: $k_launch()), as often as $k_repeat_N() says (0: $k_repeat(); no time: 0).\n",
			spec->launch_count);
	at_header_add(self, " */\n");
	for (size_t i = 0; i < spec->launch_count; i++) {
		write_switch(self, &spec->calls[i], write_launch_of,
			"struct autotune_launch", "launch",
			"autotune_launch_of(amounts, bad)");
		if (is_sequence)
			write_switch(self, &spec->calls[i], write_repeat_of,
				"long long", "repeat", "bad ? 0 : amounts[0]");
	}
}

/* ---- fits() ---------------------------------------------------------------- */

/* Where C cannot compute a constraint fully, it holds for what was measured. */
static void write_partial(struct at_header_writer *self, size_t index)
{
	const struct at_header_plan *plan = self->plan;

	for (size_t i = 0; i < plan->entry_count; i++) {
		if (plan->entries[i].configuration != index)
			continue;
		at_header_add(self,
			"\t\tif (autotune_is_same_device(&complete, $k_device(%zu)) && ",
			plan->entries[i].device);
		add_equality(self, &plan->entries[i]);
		at_strbuf_add(self->out, ")\n\t\t\tbad = 0;\n");
	}
}

static void write_constraint(struct at_header_writer *self, size_t index,
	const struct at_expression *expression)
{
	const struct at_header_configuration *configuration =
		&self->plan->configurations[index];
	struct at_strbuf text = { 0 };
	struct at_expression_c result;

	result = write_expression(
		self, configuration, expression, AT_TYPE_BOOLEAN, &text);
	/* most constraints depend on parameters alone, and hold: they need no code */
	if (!result.is_known || !strcmp(at_strbuf_text(&text), "0")) {
		at_strbuf_add(self->out, "\t\t/* ");
		at_escape_c_comment(self->out, at_expression_text(expression));
		at_strbuf_addf(self->out, " */\n\t\tif (!%s)\n\t\t\tbad = 1;\n",
			at_strbuf_text(&text));
		if (result.is_partial)
			write_partial(self, index);
	}
	at_strbuf_release(&text);
}

/* As name_slot(), for the slots of the domain's constraints. */
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

/* Whether C knows all numbers of the expression: scalar arguments it does not. */
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

/* The kernel promises to be right for these sizes alone. */
static void write_domain(struct at_header_writer *self)
{
	const struct at_spec *spec = self->spec;
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
}

static void write_fits(struct at_header_writer *self)
{
	const struct at_header_plan *plan = self->plan;
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;

	at_header_add(self,
		"/* Whether a configuration keeps to the space's constraints and the device's limits. */\n"
		"static inline int $k_fits(\n"
		"\tint configuration, const struct autotune_device *given$P)\n"
		"{\n"
		"\tconst struct autotune_device complete = $k_complete(given);\n"
		"\tconst struct autotune_launch launch = $k_launch(configuration, given$A);\n"
		"\tlong long static_bytes = 0, registers = 0;\n"
		"\tint bad = 0;\n"
		"\n");
	write_domain(self);
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
	at_strbuf_add(out,
		"\tdefault:\n"
		"\t\tbreak;\n"
		"\t}\n"
		"\treturn !bad && autotune_fits(&launch, &complete, static_bytes, registers);\n"
		"}\n"
		"\n");
}

/* ---- choose()
 * ------------------------------------------------------------------------ */

static bool is_same_sizes(const struct at_header_writer *self,
	const struct at_header_entry *a, const struct at_header_entry *b)
{
	for (size_t i = 0; i < self->spec->size_count; i++)
		if (a->sizes[i].type != b->sizes[i].type ||
			(a->sizes[i].type != AT_TYPE_NONE &&
				!at_value_equal(a->sizes[i], b->sizes[i])))
			return false;
	return true;
}

/* Sizes that options depend on are in no table: fits() requires the recorded ones. */
static bool is_fixed(const struct at_header_writer *self, size_t size)
{
	size_t slot = self->spec->parameter_count + size;

	return self->plan->configurations[0].slots[slot].type != AT_TYPE_NONE;
}

static void add_size(struct at_strbuf *out, const struct at_value *size)
{
	if (size->type == AT_TYPE_NONE)
		at_strbuf_add(out, "AUTOTUNE_ANY");
	else
		at_strbuf_addf(out, "%.17g",
			size->type == AT_TYPE_REAL ? size->real
						   : (double)size->integer);
}

/* Writes the distinct sizes of all entries as a table; rows[i]: the row of entry i. */
static void write_sizes(
	struct at_header_writer *self, size_t column_count, size_t *rows)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out;
	size_t count = 0;

	at_header_add(self,
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
			add_size(out, &entry->sizes[k]);
			separator = ", ";
		}
		at_strbuf_addf(out, "%s }, /* ", *separator ? "" : "AUTOTUNE_ANY");
		at_escape_c_comment(out, plan->problems[entry->problem].text);
		at_strbuf_add(out, " */\n");
	}
	at_strbuf_add(out, "\t};\n");
}

static void write_entries(struct at_header_writer *self, const size_t *rows)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out;

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
}

static void write_choose(struct at_header_writer *self)
{
	const struct at_spec *spec = self->spec;
	size_t *rows = at_calloc(self->plan->entry_count + 1, sizeof(*rows));
	const char *separator = "";
	size_t column_count = 0;

	for (size_t i = 0; i < spec->size_count; i++)
		column_count += !is_fixed(self, i);
	column_count += !column_count; /* C has no empty arrays */
	at_header_add(self,
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
	write_entries(self, rows);
	at_strbuf_add(self->out, "\tconst double sizes[] = { ");
	for (size_t i = 0; i < spec->size_count; i++) {
		if (is_fixed(self, i))
			continue;
		at_strbuf_addf(self->out,
			at_header_is_real(spec, i) ? "%ssize_%s"
						   : "%sAUTOTUNE_CAST(double, size_%s)",
			separator, spec->size_names[i]);
		separator = ", ";
	}
	at_header_add(self,
		"%s };\n"
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
		"\t}\n"
		"\treturn choice;\n"
		"}\n",
		*separator ? "" : "0.0", self->plan->entry_count, column_count);
	free(rows);
}

void at_header_write_functions(struct at_header_writer *self)
{
	write_devices(self);
	write_launches(self);
	write_fits(self);
	write_choose(self);
}
