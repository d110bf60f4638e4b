/* Writes the summary of a problem on a device: see summary.h. */
#include "cli/summary.h"

#include "cli/words.h"
#include "cli/events.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where texts begin, behind the longest outcome. */
#define OUTCOME_COLUMN 32

/* An interval of more than +-5 % makes the figure a guess that deserves a note. */
#define WIDE 0.05
/* Below the first number of evaluations a search has seen too little; the second one is
   enough for it to learn. */
#define FEW 50
#define ENOUGH 200

/* What to do when nothing passed and this outcome was the most frequent. */
static const char *const advice[AT_OUTCOME_COUNT] = {
	[AT_OUTCOME_NONE] = NULL,
	[AT_OUTCOME_OK] = NULL,
	[AT_OUTCOME_NOT_APPLICABLE] =
		"launch and arguments must make sense for some configuration",
	[AT_OUTCOME_COMPILE_FAILED] = "fix the template where the compiler points",
	[AT_OUTCOME_TOO_MANY_RESOURCES] =
		"add smaller values, or constraints on device.max_threads_per_block and device.max_dynamic_shared_bytes_per_block",
	[AT_OUTCOME_LAUNCH_FAILED] = "check block, grid and shared_bytes under launch",
	[AT_OUTCOME_CRASHED] = "look for accesses outside the arguments' counts",
	[AT_OUTCOME_TIMED_OUT] = "raise search.deadline, or tune a smaller problem",
	[AT_OUTCOME_WRONG_RESULT] =
		"compare kernel and reference; verify.rtol and verify.atol say how close is close enough",
	[AT_OUTCOME_OUT_OF_BOUNDS] =
		"guard the edges, round up the arguments' counts, or give an input that is written the access \"inout\"; shared memory is as large as launch.shared_bytes says",
	[AT_OUTCOME_UNSTABLE] = "look for a race or a missing __syncthreads()",
	[AT_OUTCOME_TOO_FAST] =
		"declare in metrics the bytes and flops of one launch, and no more",
};

size_t at_summary_most_frequent(
	const uint64_t by_outcome[AT_OUTCOME_COUNT], const bool *done)
{
	size_t best = AT_OUTCOME_COUNT;

	if (by_outcome[AT_OUTCOME_OK] && !done[AT_OUTCOME_OK])
		return AT_OUTCOME_OK;
	for (size_t i = 0; i < AT_OUTCOME_COUNT; i++)
		if (by_outcome[i] && !done[i] &&
			(best == AT_OUTCOME_COUNT || by_outcome[i] > by_outcome[best]))
			best = i;
	return best;
}

void at_summary_write_outcomes(const uint64_t by_outcome[AT_OUTCOME_COUNT],
	const char (*details)[AT_LANE_DETAIL_SIZE], struct at_strbuf *out)
{
	bool done[AT_OUTCOME_COUNT] = { false };
	size_t i;

	while ((i = at_summary_most_frequent(by_outcome, done)) < AT_OUTCOME_COUNT) {
		size_t start = out->length;

		done[i] = true;
		at_strbuf_addf(out, "  %8" PRIu64 "  %s", by_outcome[i],
			at_outcome_name((enum at_outcome)i));
		at_format_pad(out, start, OUTCOME_COLUMN);
		at_strbuf_add(out, at_outcome_text((enum at_outcome)i));
		if (details && details[i][0]) {
			at_strbuf_add(out, "; first: ");
			at_format_plain(out, details[i]);
		}
		at_strbuf_add_char(out, '\n');
	}
}

static void add_speed(const struct at_best *best, struct at_page *page)
{
	bool is_double = best->evaluation && best->evaluation->is_double;
	struct at_strbuf line = { 0 };

	at_limits_write_rates(&best->roofline, is_double, &line);
	at_page_entry(page, "speed", &line);
	if (best->evaluation)
		at_limits_write_occupancy(&best->evaluation->facts, &line);
	at_page_entry(page, "occupancy", &line);
}

/*
 * Whether the winner is certainly faster than the baseline. The finals select no other
 * winner; but a winner of an older version or of an interrupted run may have no
 * interval.
 */
static bool is_faster(const struct at_best *best)
{
	return best->speedup.value > 1 && !(best->speedup.low <= 1);
}

static bool is_baseline(const struct at_spec *spec, const struct at_best *best)
{
	return spec->has_defaults && best->configuration &&
	       !memcmp(best->configuration, spec->defaults,
		       spec->parameter_count * sizeof(*spec->defaults));
}

static void add_baseline(
	const struct at_event *event, const struct at_best *best, struct at_page *page)
{
	struct at_strbuf line = { 0 };

	if (!event->baseline) {
		at_page_say(page, "baseline", "none: %s",
			event->spec->has_defaults
				? "the defaults were not tried, or did not pass"
				: "the space has no defaults");
		return;
	}
	if (event->baseline->outcome != AT_OUTCOME_OK) {
		at_page_say(page, "baseline", "none: the defaults are %s",
			at_outcome_name(event->baseline->outcome));
		return;
	}
	/* The baseline's time must be that of the finals, from which the speed-up
	   comes. */
	at_strbuf_add(&line,
		at_format_value(best->objective, isfinite(best->baseline)
							 ? best->baseline
							 : at_event_baseline(event))
			.text);
	if (is_baseline(event->spec, best)) {
		at_strbuf_add(&line, "; it is the winner");
		if (event->best)
			at_strbuf_add(&line,
				": no configuration was significantly faster (95 %)");
	} else if (isfinite(best->speedup.value) && !is_faster(best)) {
		at_strbuf_add(&line, "; the winner is not significantly faster (95 %)");
	} else if (isfinite(best->speedup.value)) {
		at_strbuf_addf(&line, "; the winner is %s%s%s as fast",
			at_style(AT_STYLE_GOOD, page->color),
			at_format_gain(best->speedup).text,
			at_style(AT_STYLE_END, page->color));
	}
	at_page_entry(page, "baseline", &line);
}

static void add_winner(
	const struct at_event *event, const struct at_best *best, struct at_page *page)
{
	struct at_strbuf line = { 0 };

	if (best->configuration)
		at_configuration_write(&line, event->spec, best->configuration,
			page->wide || is_baseline(event->spec, best));
	at_page_entry(page, "winner", &line);
	if (event->best)
		at_measurement_add_unfit(page, event->best);
	at_strbuf_add(&line, at_format_value(best->objective, best->score.value).text);
	if (isfinite(best->score.low) && isfinite(best->score.high))
		at_strbuf_addf(&line, ", 95 %% interval %s",
			at_format_interval(best->objective, &best->score).text);
	at_page_entry(page, best->objective->name, &line);
	add_speed(best, page);
	if (event->best)
		at_limits_write_launch(event->best->launch, &line);
	at_page_entry(page, "launch", &line);
	add_baseline(event, best, page);
	if (!event->best)
		return;
	/* A gain that may be none is not divided into steps. */
	if (is_faster(best))
		at_gains_write(event->best, false, &line);
	at_page_entry(page, "gain", &line);
	if (event->baseline && event->evaluation)
		at_reasons_add(
			page, event->baseline->counters, event->evaluation->counters);
	at_measurement_add(page, event->best);
}

static void add_tried(const struct at_progress *progress, struct at_page *page)
{
	struct at_strbuf line = { 0 };

	at_strbuf_addf(&line, "%s of %s configurations in %s",
		at_format_count(progress->evaluated).text,
		at_format_count(progress->valid_count).text,
		at_format_seconds(progress->elapsed_seconds).text);
	if (progress->reused)
		at_strbuf_addf(&line, ", %s of them from the record",
			at_format_count(progress->reused).text);
	at_page_entry(page, "tried", &line);
	/* how often dropping a configuration early was a mistake, as a sample shows */
	if (!progress->audited)
		return;
	at_strbuf_addf(&line,
		"as a check, %" PRIu64 " dropped early %s measured further: ",
		progress->audited, progress->audited == 1 ? "was" : "were");
	if (progress->audited_finalists)
		at_strbuf_addf(&line, "%" PRIu64, progress->audited_finalists);
	else
		at_strbuf_add(&line, "none");
	at_strbuf_add(&line, " would have reached the finals");
	at_page_entry(page, "racing", &line);
}

static bool is_wide(const struct at_score *score)
{
	return score->high - score->low > 2 * WIDE * score->value;
}

/* Appends which budget would be long enough, by the time from the first evaluation to
   the last. What comes before and behind, such as the finals, is paid for once. */
static void add_better_budget(const struct at_progress *progress, struct at_strbuf *out)
{
	uint64_t all = progress->valid_count, enough = all < ENOUGH ? all : ENOUGH;
	uint64_t measured = progress->evaluated - progress->reused;
	double searched = progress->last_seconds - progress->first_seconds;

	if (progress->evaluated < progress->reused + 2 || !(searched > 0)) {
		at_strbuf_add(out, ": give it a longer --budget, such as 10m");
		return;
	}
	at_strbuf_addf(out, "; --budget %.0fm is time for %" PRIu64 " here",
		ceil((progress->elapsed_seconds +
			     searched * (double)(enough - progress->evaluated) /
				     (double)(measured - 1)) /
			60),
		enough);
}

/* Appends why a figure may not be reliable, and what would help. */
static void add_notes(
	const struct at_event *event, const struct at_best *best, struct at_page *page)
{
	const struct at_progress *progress = event->progress;
	uint64_t all = progress ? progress->valid_count : 0;
	struct at_strbuf line = { 0 };

	if (event->best && is_wide(&best->score))
		at_page_say(page, "note",
			"the %s is known to +-%.0f %% only: other programs ran on this machine, it depends on where memory lies, or there was no time for more blocks; an idle machine, or a longer --budget, may narrow the interval",
			best->objective->name,
			50 * (best->score.high - best->score.low) / best->score.value);
	if (progress && progress->evaluated && progress->evaluated < FEW &&
		progress->evaluated < all / 2 &&
		(progress->target_seconds > 0 || progress->target_evaluations < all)) {
		at_strbuf_addf(&line,
			"%" PRIu64 " tried %s too few to search this space",
			progress->evaluated, progress->evaluated == 1 ? "is" : "are");
		add_better_budget(progress, &line);
		at_page_entry(page, "note", &line);
	}
}

/* Appends which parameter makes results wrong, where it is one alone. */
static void add_guilty(
	const struct at_event *event, const struct at_lane *lane, struct at_page *page)
{
	const struct at_spec *spec = event->spec;
	size_t guilty = at_lane_guilty(lane, spec);
	const struct at_parameter *parameter = &spec->parameters[guilty];
	struct at_strbuf line = { 0 };

	if (guilty == spec->parameter_count)
		return;
	at_strbuf_addf(&line, "all wrong results have another %s than the default, ",
		parameter->name);
	at_value_format(parameter->values[spec->defaults[guilty]], &line);
	at_strbuf_add(
		&line, ", and no right one has: the template is wrong with others");
	if (spec->reference.kind == AT_REFERENCE_KERNEL)
		at_strbuf_addf(&line,
			", or the reference, which is compiled with the defaults, depends on %s",
			parameter->name);
	at_page_entry(page, "note", &line);
}

/* A reference with one thread for each element of an input, and no launch of its own,
   leaves most of them out without a message where outputs are fewer: a histogram. */
static bool has_usual_launch(const struct at_reference *reference)
{
	return reference->kind == AT_REFERENCE_KERNEL &&
	       !reference->call.launch.block_rank && !reference->call.launch.grid_rank;
}

static void add_advice(const struct at_spec *spec, const struct at_progress *progress,
	struct at_page *page)
{
	/* Only called where nothing passed, so OK is not among the outcomes. */
	bool done[AT_OUTCOME_COUNT] = { false };
	size_t i = at_summary_most_frequent(progress->by_outcome, done);

	if (i < AT_OUTCOME_COUNT && advice[i])
		at_page_say(page, "next", "%s%s", advice[i],
			i == AT_OUTCOME_WRONG_RESULT &&
					has_usual_launch(&spec->reference)
				? "; the reference runs in as many threads as the largest output has elements: if it does not stride over its grid, give it \"block\" and \"grid\""
				: "");
}

/* The best evaluations of the run, each of them one measurement. */
static void add_top(
	const struct at_event *event, const struct at_lane *lane, struct at_page *page)
{
	for (size_t i = 0; i < lane->top_count && lane->top_count > 1; i++)
		at_page_say(page, i ? "" : "fastest", "%-8s  %s",
			at_format_value(event->objective, lane->top[i].value).text,
			lane->top[i].configuration);
}

/* Virtual clocks of recordings say nothing about waiting. */
static void add_waiting(
	const struct at_event *event, const struct at_lane *lane, struct at_page *page)
{
	const double seconds = at_lane_waited_seconds(lane);

	if (seconds >= 1 && strcmp(event->device->kind, "replay") != 0)
		at_page_say(page, "waited", "%s for other runs",
			at_format_seconds(seconds).text);
}

void at_summary_write(
	const struct at_event *event, const struct at_lane *lane, struct at_page *page)
{
	const struct at_progress *progress = event->progress;
	char model[sizeof(event->device->model) + 4];
	struct at_best best;
	bool passed = at_event_best(event, &best);

	snprintf(model, sizeof(model), *event->device->model ? " (%s)" : "%s",
		event->device->model);
	at_page_title(page, event->spec->name, event->problem->name, event->device->id,
		model);
	if (passed)
		add_winner(event, &best, page);
	else
		at_page_say(page, "winner", "%snone: no configuration passed%s",
			at_style(AT_STYLE_BAD, page->color),
			at_style(AT_STYLE_END, page->color));
	if (progress) {
		add_tried(progress, page);
		if (lane)
			add_waiting(event, lane, page);
		at_summary_write_outcomes(progress->by_outcome,
			lane ? lane->first_detail : NULL, page->out);
		if (lane)
			add_guilty(event, lane, page);
		if (!passed)
			add_advice(event->spec, progress, page);
	}
	if (passed)
		add_notes(event, &best, page);
	if (event->text)
		at_page_say(page, "note", "%s", event->text);
	if (event->best && event->best->is_unverified && !event->header_path)
		at_page_say(page, "next",
			"run it again to verify the winner: without that, only --unverified writes a header");
	if (lane && passed)
		add_top(event, lane, page);
	if (event->header_path)
		at_page_say(page, "next", "#include \"%s\"", event->header_path);
}

void at_summary_write_failure(
	const struct at_event *event, const struct at_lane *lane, struct at_strbuf *out)
{
	bool done[AT_OUTCOME_COUNT] = { false };
	size_t i = at_summary_most_frequent(event->progress->by_outcome, done);

	at_strbuf_addf(out, "autotune: %s: no configuration passed", lane->label);
	if (i < AT_OUTCOME_COUNT) {
		at_strbuf_addf(out, ": %s", at_outcome_name((enum at_outcome)i));
		if (lane->first_detail[i][0]) {
			at_strbuf_add(out, ", ");
			at_format_plain(out, lane->first_detail[i]);
		}
	}
	at_strbuf_add_char(out, '\n');
}
