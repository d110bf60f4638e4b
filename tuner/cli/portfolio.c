/* Shows a portfolio as text and as JSON: see portfolio.h. */
#include "cli/portfolio.h"

#include "cli/words.h"
#include "cli/format.h"
#include "record/evaluation_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The column behind "    ", the longest name of a problem and two blanks. */
static size_t name_column(const struct at_portfolio *portfolio)
{
	size_t longest = 0;

	for (size_t i = 0; i < portfolio->count; i++) {
		size_t length = strlen(portfolio->members[i].problem);

		longest = length > longest ? length : longest;
	}
	return 4 + longest + 2;
}

static const uint16_t *row_of(const struct at_event *event, size_t member)
{
	return event->configuration + member * event->spec->parameter_count;
}

/* With one decimal, like the interval beside it. */
static void add_loss(struct at_strbuf *out, double fraction)
{
	at_strbuf_addf(out, "%.1f %%", 100 * fraction);
}

static void add_head(const struct at_event *event, struct at_strbuf *out)
{
	const struct at_portfolio *portfolio = event->portfolio;
	size_t size = at_portfolio_size(portfolio);

	at_format_plain(out, event->spec->name);
	at_strbuf_add(out, " on ");
	at_format_plain(out, event->device->id);
	at_strbuf_addf(out, ": %zu configuration%s for %zu problem%s; the worst loses ",
		size, size == 1 ? "" : "s", portfolio->count,
		portfolio->count == 1 ? "" : "s");
	add_loss(out, at_portfolio_worst(portfolio));
	if (isfinite(portfolio->loss_limit)) {
		at_strbuf_add(out, " (limit ");
		add_loss(out, portfolio->loss_limit);
		at_strbuf_add_char(out, ')');
	}
	at_strbuf_add_char(out, '\n');
	if (at_portfolio_worst(portfolio) > portfolio->loss_limit)
		at_strbuf_add(out,
			"  more than the limit: no set of so few configurations keeps it; a larger --portfolio-size allows more\n");
}

static void add_problem(const struct at_event *event, const struct at_winner *member,
	size_t column, struct at_strbuf *out)
{
	size_t start = out->length;

	at_strbuf_add(out, "    ");
	at_format_plain(out, member->problem);
	at_format_pad(out, start, column);
	at_strbuf_add(out, at_format_value(event->objective, member->score.value).text);
	if (!(member->loss > 0 || member->loss < 0)) {
		at_strbuf_add(out, "  its winner");
	} else {
		/* If the finals cannot distinguish the two there is no loss to
		   report. */
		if (member->loss_low <= 0 && member->loss_high >= 0) {
			at_strbuf_add(out, "  as fast as its winner");
		} else {
			at_strbuf_add(out, member->loss < 0 ? "  gains " : "  loses ");
			add_loss(out, fabs(member->loss));
		}
		if (isfinite(member->loss_low) && isfinite(member->loss_high))
			at_strbuf_addf(out, " (95 %% interval %.1f %% to %.1f %%)",
				100 * member->loss_low, 100 * member->loss_high);
	}
	at_strbuf_add_char(out, '\n');
}

void at_portfolio_write_text(
	const struct at_event *event, bool wide, struct at_strbuf *out)
{
	const struct at_portfolio *portfolio = event->portfolio;
	size_t column = name_column(portfolio);
	size_t size = at_portfolio_size(portfolio);

	add_head(event, out);
	for (size_t i = 0; i < size; i++) {
		at_strbuf_add(out, "  ");
		at_configuration_write(out, event->spec, row_of(event, i), wide);
		at_strbuf_add_char(out, '\n');
		for (size_t k = 0; k < portfolio->count; k++)
			if (portfolio->members[k].member == (int64_t)i)
				add_problem(event, &portfolio->members[k], column, out);
	}
}

static struct at_json *problem_json(
	const struct at_event *event, const struct at_winner *member)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "problem", member->problem);
	at_json_set_score(out, event->objective, member->score);
	at_json_set(out, "loss", member->loss);
	at_json_set(out, "loss_low", member->loss_low);
	at_json_set(out, "loss_high", member->loss_high);
	return out;
}

void at_portfolio_set_json(const struct at_event *event, struct at_json *out)
{
	const struct at_portfolio *portfolio = event->portfolio;
	struct at_json *members = at_json_array();
	size_t size = at_portfolio_size(portfolio);

	at_json_set(out, "worst_loss", at_portfolio_worst(portfolio));
	at_json_set(out, "limit", portfolio->loss_limit);
	at_json_set(out, "most",
		portfolio->most ? at_json_integer(portfolio->most) : at_json_null());
	for (size_t i = 0; i < size; i++) {
		struct at_json *member = at_json_object();
		struct at_json *problems = at_json_array();

		at_json_set(member, "configuration",
			at_json_configuration(event->spec, row_of(event, i)));
		for (size_t k = 0; k < portfolio->count; k++)
			if (portfolio->members[k].member == (int64_t)i)
				at_json_append(problems,
					problem_json(event, &portfolio->members[k]));
		at_json_set(member, "problems", problems);
		at_json_append(members, member);
	}
	at_json_set(out, "members", members);
}

enum at_status at_portfolio_parse_limit(
	const char *text, double *out, struct at_error *err)
{
	char *end;
	double value = strtod(text, &end);
	bool is_percent = end != text && !strcmp(end, "%");

	if (is_percent)
		value /= 100;
	if (end == text || (!is_percent && *end) || !(value >= 0) || value > 10)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"expected a loss as in 5%% or 0.05, found \"%.100s\"", text);
	if (!is_percent && value >= 1)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"%.100s alone is a loss of %.0f %%: write %.100s%% for %.100s in a hundred",
			text, 100 * value, text, text);
	*out = value;
	return AT_OK;
}
