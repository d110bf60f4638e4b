/* Writes choose(), the function of a header that finds a configuration at run time. */
#include "record/header_internal.h"

#include "base/memory.h"

#include <inttypes.h>
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

/* Finds the distinct sizes of all entries; returns their number. places[i]: the number
   of entry i's sizes; firsts[n]: the first entry with sizes n. */
static size_t find_sizes(
	const struct at_header_writer *self, size_t *places, size_t *firsts)
{
	const struct at_header_plan *plan = self->plan;
	size_t count = 0;

	for (size_t i = 0; i < plan->entry_count; i++) {
		size_t place = 0;

		while (place < count && !is_same_sizes(self, &plan->entries[i],
						&plan->entries[firsts[place]]))
			place++;
		if (place == count)
			firsts[count++] = i;
		places[i] = place;
	}
	return count;
}

/* Sizes that options depend on must be equal to the recorded ones: distance does not
   apply to them. */
static bool is_exact(const struct at_header_writer *self, size_t size)
{
	size_t slot = self->spec->parameter_count + size;

	return self->plan->configurations[0].slots[slot].type != AT_TYPE_NONE;
}

static void write_sizes(struct at_header_writer *self, size_t place,
	const struct at_header_entry *entry)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf *out = self->out;
	int used = 0;

	at_strbuf_addf(out, "\tcase %zu: /* ", place);
	at_escape_c_comment(out, self->plan->problems[entry->problem].text);
	at_strbuf_add(out, " */\n\t\t*is_exact = ");
	at_header_add_equality(self, entry);
	at_strbuf_add(out, ";\n");
	for (size_t i = 0; i < spec->size_count; i++) {
		const struct at_value *size = &entry->sizes[i];
		bool is_real = at_header_is_real(spec, i);

		if (is_exact(self, i))
			continue;
		if (size->type != AT_TYPE_NONE) {
			at_strbuf_addf(out,
				"\t\tapart[%d] = autotune_%sscale(size_%s) - autotune_%sscale(",
				used, is_real ? "real_" : "", spec->size_names[i],
				is_real ? "real_" : "");
			if (is_real)
				at_strbuf_addf(out, "%.17g",
					size->type == AT_TYPE_REAL
						? size->real
						: (double)size->integer);
			else
				at_strbuf_addf(out, "%" PRId64 "LL", size->integer);
			at_strbuf_add(out, ");\n");
		}
		used++;
	}
	at_strbuf_add(out, "\t\tbreak;\n");
}

static void write_distance(
	struct at_header_writer *self, const size_t *firsts, size_t count)
{
	struct at_strbuf *out = self->out;
	int used = 0;

	for (size_t i = 0; i < self->spec->size_count; i++)
		used += !is_exact(self, i);
	at_strbuf_addf(out,
		"/* The distance of these sizes from recorded ones, and whether they are the same. */\n"
		"static inline long long %s_distance(int sizes",
		self->prefix);
	at_header_add_parameters(self);
	at_strbuf_addf(out,
		", int *is_exact)\n"
		"{\n"
		"\tlong long apart[%d] = { 0 };\n"
		"\n"
		"\t*is_exact = 0;\n",
		used ? used : 1);
	at_header_add_uses(self);
	at_strbuf_add(out, "\tswitch (sizes) {\n");
	for (size_t i = 0; i < count; i++)
		write_sizes(self, i, &self->plan->entries[firsts[i]]);
	at_strbuf_addf(out,
		"\tdefault:\n"
		"\t\tbreak;\n"
		"\t}\n"
		"\treturn autotune_distance(apart, %d);\n"
		"}\n"
		"\n",
		used ? used : 1);
}

static void write_entries(struct at_header_writer *self, const size_t *places)
{
	const struct at_header_plan *plan = self->plan;
	struct at_strbuf *out = self->out;

	at_strbuf_add(out,
		"\t/* configuration, device, sizes, whether it is a baseline */\n"
		"\tstatic const int entries[][4] = {\n");
	for (size_t i = 0; i < plan->entry_count; i++) {
		const struct at_header_entry *entry = &plan->entries[i];

		at_strbuf_addf(out, "\t\t{ %zu, %zu, %zu, %d }, /* ",
			entry->configuration, entry->device, places[i],
			entry->is_baseline);
		at_escape_c_comment(out, plan->problems[entry->problem].text);
		at_strbuf_add(out, " on ");
		at_escape_c_comment(out, plan->devices[entry->device].record->model);
		at_strbuf_add(out, " */\n");
	}
	at_strbuf_add(out, "\t};\n");
}

static void write_choose(struct at_header_writer *self, const size_t *places)
{
	struct at_strbuf *out = self->out;

	at_strbuf_addf(out,
		"/*\n"
		" * The best recorded configuration that fits this device and these sizes: measured on\n"
		" * this device with these sizes, else on this device with the nearest sizes, else on\n"
		" * the same architecture, else on the nearest one, else a baseline. It looks through\n"
		" * all recorded configurations: keep its answer for sizes that you use again.\n"
		" */\n"
		"static inline struct autotune_choice %s_choose(\n"
		"\tconst struct autotune_device *device",
		self->prefix);
	at_header_add_parameters(self);
	at_strbuf_add(out, ")\n{\n");
	write_entries(self, places);
	at_strbuf_addf(out,
		"\tstruct autotune_choice choice = { -1, AUTOTUNE_NONE };\n"
		"\tstruct autotune_rank best = { AUTOTUNE_NONE, 0, 0, 0 };\n"
		"\tint i;\n"
		"\n"
		"\tfor (i = 0; device && i < %zu; i++) {\n"
		"\t\tint is_exact;\n"
		"\t\tconst long long distance = %s_distance(entries[i][2]",
		self->plan->entry_count, self->prefix);
	at_header_add_arguments(self);
	at_strbuf_addf(out,
		", &is_exact);\n"
		"\t\tconst struct autotune_rank rank = autotune_rank_of(device,\n"
		"\t\t\t%s_device(entries[i][1]), entries[i][3], is_exact, distance);\n"
		"\n"
		"\t\tif (autotune_is_better(&rank, &best) &&\n"
		"\t\t\t%s_fits(entries[i][0], device",
		self->prefix, self->prefix);
	at_header_add_arguments(self);
	at_strbuf_add(out, ")) {\n"
			   "\t\t\tbest = rank;\n"
			   "\t\t\tchoice.configuration = entries[i][0];\n"
			   "\t\t\tchoice.rung = rank.rung;\n"
			   "\t\t}\n"
			   "\t}\n"
			   "\treturn choice;\n"
			   "}\n");
}

void at_header_write_choose(struct at_header_writer *self)
{
	size_t *places = at_calloc(self->plan->entry_count + 1, sizeof(*places));
	size_t *firsts = at_calloc(self->plan->entry_count + 1, sizeof(*firsts));
	size_t count = find_sizes(self, places, firsts);

	write_distance(self, firsts, count);
	write_choose(self, places);
	free(places);
	free(firsts);
}
