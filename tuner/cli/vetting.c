/* Shows the configurations of `check --compile`: see vetting.h. */
#include "cli/vetting.h"

#include "cli/configuration.h"
#include "cli/format.h"
#include "record/evaluation_json.h"

#include <inttypes.h>
#include <stdio.h>

/* The width of "threads, registers, shared memory" and two blanks, and the terminal's
   width from which on that column is shown. */
#define LIMITS_COLUMNS 34
#define LIMITS_FROM_COLUMNS 120

bool at_vetting_spills(const struct at_vetting *self)
{
	return self->facts.spill_store_bytes > 0 || self->facts.spill_load_bytes > 0;
}

struct at_json *at_vetting_to_json(const struct at_spec *spec,
	const struct at_property_source *source, const struct at_vetting *vetting)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "event", at_json_string("vetting"));
	at_json_set(out, "space", at_json_string(spec->name));
	at_json_set(out, "path", at_json_string(spec->path));
	at_json_set(out, "problem", at_json_string(vetting->problem->name));
	at_json_set(out, "device", at_json_string(source->device.id));
	at_json_set(out, "architecture", at_json_string(source->device.architecture));
	at_json_set(out, "configuration",
		at_json_configuration(spec, vetting->configuration));
	at_json_set_instance(out, spec, vetting->configuration);
	at_json_set(out, "baseline", at_json_boolean(vetting->is_baseline));
	at_json_set_outcome(out, vetting->outcome, vetting->detail);
	at_json_set_facts(out, &vetting->facts);
	at_json_set(out, "exact",
		vetting->facts.resident_blocks >= 0 ? at_json_boolean(vetting->exact)
						    : at_json_null());
	return out;
}

/* Right-aligned, with two blanks before it. */
static void add_cell(struct at_strbuf *out, int columns, const char *text)
{
	at_strbuf_addf(out, "  %*s", columns, text);
}

static void add_known(struct at_strbuf *out, int columns, int64_t value)
{
	char text[24] = "-";

	if (value >= 0)
		snprintf(text, sizeof(text), "%" PRId64, value);
	add_cell(out, columns, text);
}

static void add_spills(struct at_strbuf *out, const struct at_vetting *vetting)
{
	const struct at_facts *facts = &vetting->facts;
	char text[48] = "-";

	if (at_vetting_spills(vetting))
		snprintf(text, sizeof(text), "%" PRId64 "/%" PRId64,
			facts->spill_store_bytes, facts->spill_load_bytes);
	else if (facts->spill_store_bytes == 0)
		snprintf(text, sizeof(text), "0");
	add_cell(out, 9, text);
}

static void add_shared(struct at_strbuf *out, int64_t bytes)
{
	struct at_strbuf text = { 0 };

	if (bytes < 0)
		at_strbuf_add_char(&text, '-');
	else
		at_format_bytes(&text, bytes);
	add_cell(out, 9, at_strbuf_text(&text));
	at_strbuf_release(&text);
}

static void add_occupancy(struct at_strbuf *out, const struct at_facts *facts)
{
	bool known = facts->resident_blocks >= 0;
	char text[24] = "-";

	add_known(out, 9, facts->resident_blocks);
	if (known)
		snprintf(text, sizeof(text), "%.0f %%", 100 * facts->occupancy);
	add_cell(out, 9, text);
}

/* A terminal of 80 columns has no room for the limits beside a configuration. */
static bool has_limits(const struct at_vetting_view *view)
{
	return view->wide || view->columns >= LIMITS_FROM_COLUMNS;
}

static void add_limits(struct at_strbuf *out, const struct at_facts *facts)
{
	bool known = facts->resident_blocks >= 0;
	size_t start;

	at_strbuf_add(out, "  ");
	start = out->length;
	at_strbuf_add(out, known ? facts->limiting_factor : "-");
	at_format_pad(out, start, LIMITS_COLUMNS - 2);
}

void at_vetting_add_row(struct at_strbuf *out, const struct at_spec *spec,
	const struct at_vetting *vetting, const struct at_vetting_view *view)
{
	size_t start;

	at_strbuf_add(out, vetting->is_baseline ? "  *" : "   ");
	add_known(out, 9, vetting->facts.registers);
	add_spills(out, vetting);
	add_shared(out, vetting->facts.shared_bytes);
	add_known(out, 7, vetting->facts.threads_per_block);
	add_occupancy(out, &vetting->facts);
	if (has_limits(view))
		add_limits(out, &vetting->facts);
	at_strbuf_add(out, "  ");
	start = out->length;
	if (view->problem_columns) {
		at_format_plain(out, vetting->problem->name);
		at_format_pad(out, start, view->problem_columns + 2);
	}
	/* Without that column, the configuration goes on a line of its own. */
	if (!has_limits(view))
		at_strbuf_add(out, "\n       ");
	/* The baseline is written in full, since the others show only what differs from
	   it. */
	at_configuration_write(
		out, spec, vetting->configuration, view->wide || vetting->is_baseline);
	if (vetting->outcome != AT_OUTCOME_OK) {
		at_strbuf_addf(out, "\n       %s: ", at_outcome_text(vetting->outcome));
		at_format_plain(out, vetting->detail);
	}
	at_strbuf_add_char(out, '\n');
}

void at_vetting_add_head(struct at_strbuf *out, const struct at_vetting_view *view)
{
	at_strbuf_add(out, "   ");
	add_cell(out, 9, "registers");
	add_cell(out, 9, "spills");
	add_cell(out, 9, "shared");
	add_cell(out, 7, "threads");
	add_cell(out, 9, "blocks/SM");
	add_cell(out, 9, "occupancy");
	at_strbuf_add(out, "  ");
	if (has_limits(view))
		at_strbuf_addf(out, "%-*s", LIMITS_COLUMNS, "limited by");
	if (view->problem_columns)
		at_strbuf_addf(out, "%-*s", (int)view->problem_columns + 2, "problem");
	at_strbuf_add(out, has_limits(view) ? "configuration\n" : "\n");
}
