/* Writes the winners as a Markdown table for a README. */
#include "cli/results.h"

#include "cli/format.h"
#include "cli/gains.h"
#include "cli/limits.h"

#include "base/escape.h"

#include <math.h>
#include <string.h>

/* Ends a cell; puts "-" into it where nothing was written since `start`. */
static void end_cell(struct at_strbuf *out, size_t start)
{
	at_strbuf_add(out, out->length == start ? "- | " : " | ");
}

static void add_value(
	struct at_strbuf *out, const struct at_objective *objective, double value)
{
	size_t start = out->length;

	at_format_value(out, objective, value);
	end_cell(out, start);
}

static void add_speedup(struct at_strbuf *out, double speedup)
{
	at_format_speedup(out, speedup);
	at_strbuf_add(out, " | ");
}

static void add_rate(struct at_strbuf *out, const struct at_roofline *roofline)
{
	size_t start = out->length;

	at_limits_write_rate(roofline, out);
	end_cell(out, start);
}

static void add_share(struct at_strbuf *out, double fraction)
{
	size_t start = out->length;

	if (isfinite(fraction))
		at_format_share(out, fraction);
	end_cell(out, start);
}

static void add_reason(struct at_strbuf *out, const struct at_group *group)
{
	if (group->baseline_wins) {
		at_strbuf_add(out, "nothing: the baseline is the winner");
		return;
	}
	switch (at_gains_write(&group->crown, true, out)) {
	case AT_GAINS_UNKNOWN:
		at_strbuf_add(out, "not looked into");
		break;
	case AT_GAINS_NOTHING:
		at_strbuf_add(
			out, "nothing: the winner is no faster than the baseline");
		break;
	case AT_GAINS_STEPS:
		break;
	}
}

static void add_winner(struct at_strbuf *out, const struct at_group *group)
{
	const struct at_crown *crown = &group->crown;
	struct at_roofline roofline;

	at_group_winner_roofline(group, &roofline);
	add_value(out, crown->objective,
		at_objective_baseline(
			crown->objective, crown->speedup, crown->score.value));
	add_value(out, crown->objective, crown->score.value);
	add_speedup(out, crown->speedup);
	add_rate(out, &roofline);
	add_share(out, roofline.fraction);
	add_reason(out, group);
}

static void add_row(
	struct at_strbuf *out, const struct at_group *group, bool several_devices)
{
	at_strbuf_add(out, "| ");
	at_escape_markdown_code(out, group->space);
	at_strbuf_add(out, " | ");
	at_escape_markdown(out, group->problem);
	at_strbuf_add(out, " | ");
	if (several_devices) {
		at_escape_markdown(out, group->device.slug);
		at_strbuf_add(out, " | ");
	}
	if (group->has_crown)
		add_winner(out, group);
	else
		at_strbuf_add(out, "- | - | - | - | - | nothing: there is no winner");
	at_strbuf_add(out, " |\n");
}

static void add_device(struct at_strbuf *out, const struct at_group *group)
{
	const struct at_record_ceilings *ceilings = &group->ceilings;
	const char *driver = ceilings->driver ? ceilings->driver : group->device.driver;
	size_t start;

	at_strbuf_add(out, "- ");
	at_escape_markdown(out, group->device.model);
	at_strbuf_add(out, " (");
	at_escape_markdown(out, group->device.slug);
	at_strbuf_add(out, ", ");
	at_escape_markdown(out, group->device.architecture);
	at_strbuf_add(out, ")");
	if (*driver) {
		at_strbuf_add(out, ", driver ");
		at_escape_markdown(out, driver);
	}
	at_strbuf_add(out, "; ceilings: ");
	start = out->length;
	at_limits_write_ceilings(&ceilings->ceilings, out);
	at_strbuf_add(out, out->length == start ? "not measured\n" : "\n");
}

/* Whether no earlier group is of the same device. */
static bool is_first(const struct at_groups *groups, size_t index)
{
	for (size_t i = 0; i < index; i++)
		/* not by id, which a device of result files need not have */
		if (!strcmp(groups->items[i]->device.slug,
			    groups->items[index]->device.slug))
			return false;
	return true;
}

void at_results_write_table(const struct at_groups *groups, struct at_strbuf *out)
{
	size_t devices = 0;

	for (size_t i = 0; i < groups->count; i++)
		devices += is_first(groups, i);
	at_strbuf_add(out, "| space | problem | ");
	at_strbuf_add(out, devices > 1 ? "device | " : "");
	at_strbuf_add(out,
		"baseline | winner | speed-up | rate | of the ceiling | what mattered |\n| --- | --- | ");
	at_strbuf_add(out, devices > 1 ? "--- | " : "");
	at_strbuf_add(out, "--- | --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < groups->count; i++)
		add_row(out, groups->items[i], devices > 1);
	at_strbuf_add_char(out, '\n');
	for (size_t i = 0; i < groups->count; i++)
		if (is_first(groups, i))
			add_device(out, groups->items[i]);
}
