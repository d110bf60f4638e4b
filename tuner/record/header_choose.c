/* Writes choose(), the function of a header that finds a configuration at run time. */
#include "record/header_internal.h"

#include "base/memory.h"

#include <stdlib.h>

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

void at_header_write_choose(struct at_header_writer *self)
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
