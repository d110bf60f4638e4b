/* Shows the configurations of `check --compile`: see prechecks.h. */
#include "cli/prechecks.h"

#include "cli/configuration.h"
#include "record/evaluation_json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* The terminal's width from which on limits are shown. */
#define LIMITS_FROM_COLUMNS 120

bool at_prechecks_spills(const struct at_prechecks *self)
{
	return self->facts.spill_store_bytes > 0 || self->facts.spill_load_bytes > 0;
}

struct at_json *at_prechecks_to_json(const struct at_spec *spec,
	const struct at_property_source *source, const struct at_prechecks *prechecks)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "event", at_json_string("precheck"));
	at_json_set(out, "space", at_json_string(spec->name));
	at_json_set(out, "path", at_json_string(spec->path));
	at_json_set(out, "problem", at_json_string(prechecks->problem->name));
	at_json_set(out, "device", at_json_string(source->device.id));
	at_json_set(out, "architecture", at_json_string(source->device.architecture));
	at_json_set(out, "configuration",
		at_json_configuration(spec, prechecks->configuration));
	at_json_set_instance(out, spec, prechecks->configuration);
	at_json_set(out, "baseline", at_json_boolean(prechecks->is_baseline));
	at_json_set_outcome(out, prechecks->outcome, prechecks->detail);
	at_json_set_facts(out, &prechecks->facts);
	at_json_set(out, "exact",
		prechecks->facts.resident_blocks >= 0
			? at_json_boolean(prechecks->exact)
			: at_json_null());
	return out;
}

/* A terminal of 80 columns has no room for the limits beside a configuration. */
static bool has_limits(const struct at_page *page)
{
	return page->wide || !page->columns || page->columns >= LIMITS_FROM_COLUMNS;
}

static void add_known(struct at_strbuf *out, int64_t value)
{
	if (value >= 0)
		at_strbuf_add_integer(out, value);
	else
		at_strbuf_add_char(out, '-');
}

void at_prechecks_add_head(struct at_page *page, struct at_prechecks_table *table)
{
	const struct at_column columns[] = { { "", 3 }, { "registers", -11 },
		{ "spills", -11 }, { "shared", -11 }, { "threads", -9 },
		{ "blocks/SM", -11 }, { "occupancy", -11 }, { "", 2 },
		{ has_limits(page) ? "limited by" : NULL, 34 },
		{ table->problem_columns ? "problem" : NULL,
			(int)table->problem_columns + 2 },
		{ has_limits(page) ? "configuration" : "", 0 } };

	static_assert(sizeof(columns) == sizeof(table->columns), "a table's columns");
	memcpy(table->columns, columns, sizeof(columns));
	at_page_head(page, table->columns, AT_COUNT_OF(columns));
}

void at_prechecks_add_row(struct at_page *page, const struct at_spec *spec,
	const struct at_prechecks *prechecks)
{
	const struct at_facts *facts = &prechecks->facts;
	bool known = facts->resident_blocks >= 0;
	struct at_strbuf *out = at_page_cell(page);

	at_strbuf_add(out, prechecks->is_baseline ? "  *" : "");
	add_known(at_page_cell(page), facts->registers);
	at_page_cell(page);
	if (at_prechecks_spills(prechecks))
		at_strbuf_addf(out, "%" PRId64 "/%" PRId64, facts->spill_store_bytes,
			facts->spill_load_bytes);
	else
		at_strbuf_add(out, facts->spill_store_bytes == 0 ? "0" : "-");
	at_page_cell(page);
	if (facts->shared_bytes < 0)
		at_strbuf_add_char(out, '-');
	else
		at_strbuf_add(out, at_format_bytes(facts->shared_bytes).text);
	add_known(at_page_cell(page), facts->threads_per_block);
	add_known(at_page_cell(page), facts->resident_blocks);
	at_page_cell(page);
	if (known)
		at_strbuf_addf(out, "%.0f %%", 100 * facts->occupancy);
	else
		at_strbuf_add_char(out, '-');
	at_page_cell(page);
	at_page_text(page, known ? facts->limiting_factor : "-");
	at_format_plain(at_page_cell(page), prechecks->problem->name);
	/* Without the limits, the configuration goes on a line of its own. */
	at_page_text(page, has_limits(page) ? "" : "\n       ");
	/* The baseline is written in full, since the others show only what differs from
	   it. */
	at_configuration_write(out, spec, prechecks->configuration,
		page->wide || prechecks->is_baseline);
	if (prechecks->outcome != AT_OUTCOME_OK) {
		at_strbuf_addf(
			out, "\n       %s: ", at_outcome_text(prechecks->outcome));
		at_format_plain(out, prechecks->detail);
	}
	at_page_row_end(page);
}
