/* Writes what is recorded of a group as text. */
#include "cli/results.h"

#include "cli/configuration.h"
#include "cli/format.h"
#include "cli/gains.h"
#include "cli/limits.h"
#include "cli/measurement.h"
#include "cli/summary.h"
#include "record/proof.h"

#include <limits.h>
#include <math.h>

/* Columns of the table, counted from the start of a line. */
#define INTERVAL_COLUMN 15
#define SPEEDUP_COLUMN 39
#define AFTER_SPEEDUP 49
#define CEILING_WIDTH 12
#define OCCUPANCY_WIDTH 11
/* The least width that is left for configurations when optional columns are added. */
#define CONFIGURATION_LEAST 24

/* Where the optional columns begin, and the configuration; 0: not shown. */
struct columns {
	size_t ceiling;
	size_t occupancy;
	size_t configuration;
	bool wide;
};

static double ceiling_fraction(
	const struct at_group *group, const struct at_evaluation *row)
{
	struct at_roofline roofline;

	at_group_roofline(group, row, &roofline);
	return roofline.fraction;
}

/* Leaves out optional columns that would take a configuration's room, the last ones
   first. */
static struct columns choose_columns(
	const struct at_group *group, const struct at_results_view *view)
{
	struct columns columns = { 0, 0, AFTER_SPEEDUP, view->wide };
	int room = view->wide ? INT_MAX : view->columns - CONFIGURATION_LEAST;
	bool has_ceiling = false, has_occupancy = false;

	for (size_t i = 0; i < group->row_count; i++) {
		const struct at_evaluation *row = &group->rows[i];

		has_ceiling |= isfinite(ceiling_fraction(group, row));
		has_occupancy |= at_limits_has_occupancy(&row->facts);
	}
	if (has_ceiling && AFTER_SPEEDUP + CEILING_WIDTH <= room) {
		columns.ceiling = columns.configuration;
		columns.configuration += CEILING_WIDTH;
	}
	if (has_occupancy && (int)columns.configuration + OCCUPANCY_WIDTH <= room) {
		columns.occupancy = columns.configuration;
		columns.configuration += OCCUPANCY_WIDTH;
	}
	return columns;
}

static void add_row(struct at_strbuf *out, const struct columns *columns,
	const struct at_group *group, const struct at_evaluation *row)
{
	bool winner = group->has_crown && row->id == group->crown.evaluation_id;
	struct at_score score = at_evaluation_score(row, group->objective);
	double fraction = ceiling_fraction(group, row);
	size_t start = out->length;

	at_strbuf_add(out, winner ? "  * " : "    ");
	if (row->outcome == AT_OUTCOME_OK) {
		at_format_value(out, group->objective, score.value);
		at_format_pad(out, start, INTERVAL_COLUMN);
		/* One or two samples have no interval that means anything. */
		if (row->raced)
			at_strbuf_add(out, "dropped early");
		else
			at_format_interval(out, group->objective, &score);
		at_format_pad(out, start, SPEEDUP_COLUMN);
		at_format_speedup(out, at_group_gain(group, row));
	} else {
		at_strbuf_add(out, at_outcome_name(row->outcome));
	}
	if (columns->ceiling && isfinite(fraction)) {
		at_format_pad(out, start, columns->ceiling);
		at_format_share(out, fraction);
	}
	if (columns->occupancy && at_limits_has_occupancy(&row->facts)) {
		at_format_pad(out, start, columns->occupancy);
		at_format_share(out, row->facts.occupancy);
	}
	at_format_pad(out, start, columns->configuration);
	at_configuration_write_recorded(
		out, row->configuration, group->baseline_configuration, columns->wide);
	if (at_sources_is_older(&group->sources, row))
		at_strbuf_add(out, " (older source)");
	if (row->outcome != AT_OUTCOME_OK && row->detail[0]) {
		at_strbuf_add(out, ": ");
		at_format_plain(out, row->detail);
	}
	at_strbuf_add_char(out, '\n');
}

static void add_table(struct at_strbuf *out, const struct at_group *group,
	const struct at_results_view *view)
{
	struct columns columns = choose_columns(group, view);
	size_t start = out->length;

	at_strbuf_addf(out, "    %s", group->objective->name);
	at_format_pad(out, start, INTERVAL_COLUMN);
	at_strbuf_add(out, "95 % interval");
	at_format_pad(out, start, SPEEDUP_COLUMN);
	at_strbuf_add(out, "speed-up");
	if (columns.ceiling) {
		at_format_pad(out, start, columns.ceiling);
		at_strbuf_add(out, "of ceiling");
	}
	if (columns.occupancy) {
		at_format_pad(out, start, columns.occupancy);
		at_strbuf_add(out, "occupancy");
	}
	at_format_pad(out, start, columns.configuration);
	at_strbuf_add(out, "configuration\n");
	for (size_t i = 0; i < group->row_count; i++)
		add_row(out, &columns, group, &group->rows[i]);
}

static void add_title(struct at_strbuf *out, const struct at_group *group, bool color)
{
	at_strbuf_add(out, at_style(AT_STYLE_STRONG, color));
	at_format_plain(out, group->space);
	at_strbuf_add(out, ", ");
	at_format_plain(out, group->problem);
	at_strbuf_add(out, " on ");
	at_format_plain(out, group->device.model);
	at_strbuf_addf(out, "%s (%s%s%s)\n", at_style(AT_STYLE_END, color),
		group->device.slug, *group->device.architecture ? ", " : "",
		group->device.architecture);
}

/* Appends a line unless `line` is empty; releases it. */
static void add_line(struct at_strbuf *out, const char *start, struct at_strbuf *line)
{
	if (line->length)
		at_strbuf_addf(out, "  %s%s\n", start, at_strbuf_text(line));
	at_strbuf_release(line);
}

/* Appends why the winner is as fast as it is. */
static void add_reasons(struct at_strbuf *out, const struct at_group *group)
{
	struct at_strbuf line = { 0 };
	struct at_roofline roofline;

	at_limits_write_resources(&group->winner.facts, &line);
	add_line(out, "", &line);
	at_group_winner_roofline(group, &roofline);
	at_limits_write_speed(&roofline, group->winner.is_double, &line);
	add_line(out, "", &line);
	/* Where the baseline wins there is no gain, whatever an older version
	   recorded. */
	if (!group->baseline_wins)
		at_gains_write(&group->crown, false, &line);
	add_line(out, "gain: ", &line);
	at_measurement_write(group->crown.measurement, &line);
	add_line(out, "measured: ", &line);
	at_proof_write(&group->crown, &line);
	add_line(out, "verified: ", &line);
}

static void add_winner(struct at_strbuf *out, const struct at_group *group, bool wide)
{
	const struct at_crown *crown = &group->crown;
	struct at_strbuf line = { 0 };

	at_strbuf_add(out, "  winner ");
	at_format_value(out, crown->objective, crown->score.value);
	if (isfinite(crown->score.low) && isfinite(crown->score.high)) {
		at_strbuf_add(out, " (95 % interval ");
		at_format_interval(out, crown->objective, &crown->score);
		at_strbuf_add(out, ")");
	}
	if (group->baseline_wins) {
		at_strbuf_add(out, ", the baseline itself");
	} else if (isfinite(crown->speedup)) {
		at_strbuf_add(out, ", ");
		at_format_gain(out, at_crown_speedup(crown));
		at_strbuf_add(out, " over the baseline");
	}
	at_strbuf_add(out, ", recorded ");
	at_format_date(out, crown->created_seconds);
	if (group->is_shipped)
		at_strbuf_add(out, "; of a result file");
	if (group->winner_is_older)
		at_strbuf_add(out, "; of an older source: tune it again");
	at_strbuf_add(out, "\n  ");
	at_configuration_write_recorded(out, group->winner.configuration,
		group->baseline_configuration, wide || group->baseline_wins);
	at_strbuf_add(out, "\n");
	at_proof_write_unfit(crown, &line);
	add_line(out, "not for ", &line);
	add_reasons(out, group);
}

void at_results_write_text(const struct at_group *group,
	const struct at_results_view *view, struct at_strbuf *out)
{
	add_title(out, group, view->color);
	if (group->has_crown)
		add_winner(out, group, view->wide);
	else
		at_strbuf_addf(out, "  winner %s\n", at_group_no_winner(group));
	at_summary_write_outcomes(group->by_outcome, group->first_detail, out);
	if (group->row_count)
		add_table(out, group, view);
	if (group->older_count) {
		at_strbuf_add(out, "    ");
		at_format_count(out, group->older_count);
		at_strbuf_add(out,
			group->older_count == 1
				? " evaluation is of an older source, compiler or driver"
				: " evaluations are of an older source, compiler or driver");
		at_strbuf_add(
			out, group->shows_older ? "\n" : "; --all shows them too\n");
	}
	at_strbuf_add_char(out, '\n');
}

static bool has_metrics(const struct at_group *group)
{
	struct at_roofline roofline;

	for (size_t i = 0; i < group->row_count; i++)
		if (group->rows[i].flops > 0 || group->rows[i].bytes > 0)
			return true;
	if (!group->has_crown)
		return false;
	at_group_winner_roofline(group, &roofline);
	return isfinite(roofline.flops_per_second) ||
	       isfinite(roofline.bytes_per_second);
}

void at_results_write_hint(const struct at_groups *groups, struct at_strbuf *out)
{
	for (size_t i = 0; i < groups->count; i++) {
		const struct at_group *group = groups->items[i];

		if (group->has_ceilings || !has_metrics(group))
			continue;
		at_strbuf_add(out,
			"run \"autotune devices\" once: it measures the ceilings that these are compared with\n");
		return;
	}
}
