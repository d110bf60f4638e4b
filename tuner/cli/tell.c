/* Shows the events of a session: see tell.h. */
#include "cli/tell.h"

#include "cli/words.h"
#include "cli/output.h"

#include "base/clock.h"
#include "base/memory.h"
#include "record/evaluation_json.h"
#include "record/history.h"
#include "session/nights.h"
#include "session/winner.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- lanes --------------------------------------------------------------------- */

/* This many wrong results are no coincidence. */
#define FEW_WRONG 3

static char *make_label(const struct at_event *event)
{
	struct at_strbuf label = { 0 };

	if (event->spec)
		at_format_plain(&label, event->spec->name);
	if (event->problem)
		at_format_plain(&label, " ", event->problem->name);
	if (event->device)
		at_format_plain(&label, " ", event->device->id);
	return label.data ? at_strbuf_detach(&label) : at_strdup("");
}

static void lane_free(struct at_lane *self)
{
	at_strbuf_release(&self->configuration);
	for (size_t i = 0; i < self->top_count; i++)
		free(self->top[i].configuration);
	free(self->label);
	free(self->is_exonerated);
	free(self);
}

struct at_lane *at_lanes_find(struct at_lanes *self, const struct at_event *event)
{
	char *label = make_label(event);
	struct at_lane *lane;

	for (size_t i = 0; i < self->count; i++)
		if (!strcmp(self->items[i]->label, label)) {
			free(label);
			return self->items[i];
		}
	AT_GROW(self->items, self->capacity, self->count + 1);
	lane = at_calloc(1, sizeof(*lane));
	lane->label = label;
	lane->value = lane->speedup = NAN;
	lane->flops_per_second = lane->bytes_per_second = NAN;
	lane->wide = self->wide;
	self->items[self->count++] = lane;
	return lane;
}

void at_lanes_remove(struct at_lanes *self, struct at_lane *lane)
{
	for (size_t i = 0; i < self->count; i++)
		if (self->items[i] == lane) {
			memmove(&self->items[i], &self->items[i + 1],
				(self->count - i - 1) * sizeof(*self->items));
			self->count--;
			lane_free(lane);
			return;
		}
}

void at_lanes_release(struct at_lanes *self)
{
	for (size_t i = 0; i < self->count; i++)
		lane_free(self->items[i]);
	free(self->items);
	memset(self, 0, sizeof(*self));
}

/* A parameter is innocent of wrong results if a wrong result has its default, or a
   right result has another value. */
static void keep_innocent(struct at_lane *self, const struct at_event *event)
{
	const struct at_spec *spec = event->spec;
	enum at_outcome outcome = event->evaluation->outcome;

	if (!spec || !spec->has_defaults || !event->configuration ||
		(outcome != AT_OUTCOME_OK && outcome != AT_OUTCOME_WRONG_RESULT))
		return;
	if (!self->is_exonerated)
		self->is_exonerated =
			at_calloc(spec->parameter_count, sizeof(*self->is_exonerated));
	for (size_t i = 0; i < spec->parameter_count; i++)
		if ((event->configuration[i] == spec->defaults[i]) ==
			(outcome == AT_OUTCOME_WRONG_RESULT))
			self->is_exonerated[i] = true;
}

size_t at_lane_find_culprit(const struct at_lane *self, const struct at_spec *spec)
{
	size_t guilty = spec->parameter_count;

	if (!self->is_exonerated || !self->progress.by_outcome[AT_OUTCOME_OK] ||
		self->progress.by_outcome[AT_OUTCOME_WRONG_RESULT] < FEW_WRONG)
		return spec->parameter_count;
	for (size_t i = 0; i < spec->parameter_count; i++) {
		if (self->is_exonerated[i])
			continue;
		if (guilty < spec->parameter_count)
			return spec->parameter_count;
		guilty = i;
	}
	return guilty;
}

/* Keeps an evaluation that is among the best of the run. */
static void keep_top(struct at_lane *self, const struct at_event *event)
{
	const double value =
		at_evaluation_score(event->evaluation, &at_objective_time).value;
	struct at_strbuf text = { 0 };
	size_t place = 0;

	if (event->evaluation->outcome != AT_OUTCOME_OK || !event->configuration ||
		!isfinite(value))
		return;
	at_configuration_write(&text, event->spec, event->configuration, self->wide);
	/* a raced configuration may be measured again, in full */
	while (place < self->top_count &&
		strcmp(self->top[place].configuration, text.data) != 0)
		place++;
	if (place < self->top_count) {
		free(self->top[place].configuration);
		memmove(&self->top[place], &self->top[place + 1],
			(--self->top_count - place) * sizeof(*self->top));
	}
	place = self->top_count;
	while (place > 0 && at_objective_better(&at_objective_time, value,
				    self->top[place - 1].value))
		place--;
	if (place == AT_LANE_TOP) {
		at_strbuf_release(&text);
		return;
	}
	if (self->top_count == AT_LANE_TOP)
		free(self->top[--self->top_count].configuration);
	memmove(&self->top[place + 1], &self->top[place],
		(self->top_count++ - place) * sizeof(*self->top));
	self->top[place] = (struct at_lane_row){ value, at_strbuf_detach(&text) };
}

static void keep_detail(struct at_lane *self, const struct at_event *event)
{
	char *kept = self->first_detail[event->evaluation->outcome];
	struct at_strbuf text = { 0 };

	if (kept[0] || !event->evaluation->detail || !*event->evaluation->detail)
		return;
	if (event->configuration) {
		at_configuration_write(
			&text, event->spec, event->configuration, self->wide);
		at_strbuf_add(&text, ": ");
	}
	at_strbuf_add(&text, event->evaluation->detail);
	snprintf(kept, AT_LANE_DETAIL_SIZE, "%s", text.data);
	at_strbuf_release(&text);
}

static void keep_best(struct at_lane *self, const struct at_event *event)
{
	struct at_best best;

	if (!at_event_best(event, &best))
		return;
	self->objective = best.objective;
	self->value = best.score.value;
	self->speedup = best.speedup.value;
	self->flops_per_second = best.roofline.flops_per_second;
	self->bytes_per_second = best.roofline.bytes_per_second;
	if (!best.configuration)
		return;
	at_strbuf_clear(&self->configuration);
	at_configuration_write(
		&self->configuration, event->spec, best.configuration, self->wide);
}

void at_lane_update(struct at_lane *self, const struct at_event *event, uint64_t now_ns)
{
	if (event->progress && !self->begun_ns) {
		self->begun_ns = now_ns;
		self->begun_seconds = event->progress->elapsed_seconds;
	}
	if (event->progress) {
		self->progress = *event->progress;
		self->progress_ns = now_ns;
	}
	switch (event->kind) {
	case AT_EVENT_EVALUATION:
		if (event->evaluation) {
			keep_detail(self, event);
			keep_innocent(self, event);
			keep_top(self, event);
		}
		/* the baseline may be measured after the incumbent */
		self->speedup = at_objective_gain(
			&at_objective_time, at_event_baseline(event), self->value);
		break;
	case AT_EVENT_INCUMBENT:
		keep_best(self, event);
		break;
	case AT_EVENT_STATE:
		snprintf(self->state, sizeof(self->state), "%s",
			event->text ? event->text : "");
		break;
	case AT_EVENT_PHASE:
		snprintf(self->phase, sizeof(self->phase), "%s",
			event->text ? event->text : "");
		break;
	case AT_EVENT_NONE:
	case AT_EVENT_BEGIN:
	case AT_EVENT_NOTE:
	case AT_EVENT_SUMMARY:
	case AT_EVENT_REVISIT:
	case AT_EVENT_PORTFOLIO:
	case AT_EVENT_COUNTERS:
		break;
	}
	/* a configuration is not compared with itself */
	if (event->spec && at_spec_is_single(event->spec))
		self->speedup = NAN;
}

/* The number of evaluations at which the search ends; 0: unknown. */
static uint64_t goal_of(const struct at_lane *self)
{
	uint64_t valid = self->progress.valid_count;
	uint64_t target = self->progress.target_evaluations;

	return target && (target < valid || !valid) ? target : valid;
}

/* Seconds since the problem began, without waits for other runs. */
static double elapsed_seconds_of(const struct at_lane *self, uint64_t now_ns)
{
	if (!self->progress_ns)
		return 0;
	return self->progress.elapsed_seconds +
	       (double)(now_ns - self->progress_ns) / 1e9;
}

double at_lane_waited_seconds(const struct at_lane *self)
{
	const double clock = self->progress.elapsed_seconds - self->begun_seconds;

	return fmax(0, (double)(self->progress_ns - self->begun_ns) / 1e9 - clock);
}

/* Evaluations a second, without those from the record. */
static double rate_of(const struct at_lane *self, uint64_t now_ns)
{
	double seconds = elapsed_seconds_of(self, now_ns);
	uint64_t measured = self->progress.evaluated - self->progress.reused;

	return seconds > 0 ? (double)measured / seconds : 0;
}

double at_lane_seconds_left(const struct at_lane *self, uint64_t now_ns)
{
	const struct at_progress *progress = &self->progress;
	double rate = rate_of(self, now_ns);
	uint64_t goal = goal_of(self);
	double left = NAN;

	/* the rest of the search does not determine the duration of later phases */
	if (goal > progress->evaluated && rate > 0 && !self->phase[0])
		left = (double)(goal - progress->evaluated) / rate;
	/* fmin() ignores a NAN operand */
	if (progress->target_seconds > 0)
		left = fmin(left, fmax(0, progress->target_seconds -
						  elapsed_seconds_of(self, now_ns)));
	return left;
}

/* ---- events as JSON ------------------------------------------------------------ */

/* The best evaluation by the event; NULL: none passed. */
static const struct at_evaluation *best_evaluation(const struct at_event *event)
{
	const struct at_evaluation *best = event->kind == AT_EVENT_INCUMBENT
						   ? event->evaluation
						   : event->incumbent;

	return best && best->outcome == AT_OUTCOME_OK ? best : NULL;
}

double at_event_baseline(const struct at_event *event)
{
	return event->baseline
		       ? at_evaluation_score(event->baseline, &at_objective_time).value
		       : (double)NAN;
}

bool at_event_best(const struct at_event *event, struct at_best *out)
{
	const struct at_evaluation *evaluation = best_evaluation(event);
	const struct at_winner *best = event->best;
	double time_ns;

	*out = (struct at_best){
		.objective = best ? best->objective : &at_objective_time,
		.score = AT_SCORE_UNKNOWN,
		.speedup = AT_SCORE_UNKNOWN,
		.baseline = NAN,
	};
	at_roofline(NAN, NAN, NAN, NULL, false, &out->roofline);
	if (!best && !evaluation)
		return false;
	/* the finals may select another configuration than the incumbent */
	if (best && event->evaluation)
		evaluation = event->evaluation;
	out->evaluation = evaluation;
	out->configuration = best || event->kind == AT_EVENT_INCUMBENT
				     ? event->configuration
				     : event->incumbent_configuration;
	out->score = best ? best->score
			  : at_evaluation_score(evaluation, &at_objective_time);
	/* a speed-up never comes from two unrelated measurements: a winner's is that of
	   the finals, or unknown */
	if (best) {
		out->speedup = at_winner_speedup(best);
		out->baseline = at_winner_baseline(best).value;
	} else {
		out->baseline = at_event_baseline(event);
		out->speedup.value = at_objective_gain(
			&at_objective_time, out->baseline, out->score.value);
	}
	time_ns = best ? at_winner_time_ns(best, evaluation) : evaluation->time_ns;
	at_roofline(event->flops, event->bytes, time_ns, event->ceilings,
		evaluation && evaluation->is_double, &out->roofline);
	return true;
}

static void set_best(struct at_json *out, const struct at_best *best)
{
	at_json_set_score(out, best->objective, best->score);
	at_json_set_speedup(out, best->speedup);
	at_json_set_rates(out, &best->roofline);
}

static void set_evaluation(struct at_json *out, const struct at_event *event)
{
	at_json_set(out, "configuration",
		at_json_configuration(event->spec, event->configuration));
	at_json_set_instance(out, event->spec, event->configuration);
	if (!event->evaluation)
		return;
	at_json_set_evaluation(out, event->evaluation);
	at_json_set(out, "reused", event->reused);
}

static void set_winner(struct at_json *out, const struct at_event *event)
{
	struct at_best best;

	at_event_best(event, &best);
	at_json_set(out, "configuration",
		at_json_configuration(event->spec, best.configuration));
	at_json_set_instance(out, event->spec, best.configuration);
	set_best(out, &best);
	at_json_set(out, best.objective->baseline_key, best.baseline);
	at_json_set_facts(out, best.evaluation ? &best.evaluation->facts : NULL);
	at_json_set_winner(out, event->best);
	at_reasons_set(out, event->baseline ? event->baseline->counters : NULL,
		event->evaluation ? event->evaluation->counters : NULL);
	at_json_set(out, "header", event->header_path);
}

static struct at_json *begin(const char *name, const struct at_event *event)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "event", name);
	at_json_set(out, "space", event->spec ? event->spec->name : NULL);
	at_json_set(out, "problem", event->problem ? event->problem->name : NULL);
	at_json_set(out, "device", event->device ? event->device->id : NULL);
	return out;
}

struct at_json *at_json_interval(struct at_score score)
{
	struct at_json *out;

	if (!isfinite(score.value))
		return at_json_null();
	out = at_json_object();
	at_json_set(out, "value", score.value);
	at_json_set(out, "low", score.low);
	at_json_set(out, "high", score.high);
	return out;
}

static void set_revisit(struct at_json *out, const struct at_event *event)
{
	const struct at_revisit *revisit = event->revisit;
	const struct at_judgement *judgement = event->judgement;

	at_json_set(out, "model", event->device ? event->device->model : NULL);
	at_json_set(out, "verdict",
		at_verdict_name(revisit ? revisit->verdict : AT_VERDICT_NONE));
	at_json_set(out, "detail", revisit ? revisit->detail : event->text);
	if (!revisit)
		return;
	at_json_set(out, "outcome", at_outcome_name(revisit->outcome));
	at_json_set_score(out, revisit->objective, revisit->score);
	at_json_set(out, revisit->objective->baseline_key, revisit->baseline.value);
	at_json_set_speedup(out, revisit->speedup);
	at_json_set(out, "change", at_json_interval(revisit->change));
	if (judgement) {
		at_json_set(
			out, "change_in_cycles", at_json_interval(judgement->cycles));
		at_json_set(out, "change_over_baseline",
			at_json_interval(judgement->relative));
		at_json_set(out, "nights", judgement->night_count);
	}
	at_json_set(out, "looks", revisit->look_count);
	at_json_set(out, "changed", event->changes);
}

bool at_event_to_json(const struct at_event *event, struct at_json **object)
{
	const struct at_progress *progress = event->progress;
	struct at_json *out = NULL;
	struct at_best best;

	switch (event->kind) {
	case AT_EVENT_EVALUATION:
		out = begin("evaluation", event);
		set_evaluation(out, event);
		break;
	case AT_EVENT_INCUMBENT:
		out = begin("incumbent", event);
		set_evaluation(out, event);
		at_event_best(event, &best);
		set_best(out, &best);
		break;
	case AT_EVENT_SUMMARY:
		out = begin("summary", event);
		at_json_set(out, "model", event->device ? event->device->model : NULL);
		set_winner(out, event);
		if (!progress)
			break;
		at_json_set(out, "valid", progress->valid_count);
		at_json_set(out, "evaluated", progress->evaluated);
		at_json_set(out, "reused", progress->reused);
		at_json_set(out, "outcomes", at_json_outcomes(progress->by_outcome));
		at_json_set(out, "audited", progress->audited);
		at_json_set(out, "audited_finalists", progress->audited_finalists);
		at_json_set(out, "seconds", progress->elapsed_seconds);
		break;
	case AT_EVENT_REVISIT:
		out = begin("revisit", event);
		set_revisit(out, event);
		break;
	case AT_EVENT_PORTFOLIO:
		out = begin("portfolio", event);
		at_portfolio_set_json(event, out);
		break;
	case AT_EVENT_PHASE:
		out = begin("phase", event);
		/* no text: the search continues */
		at_json_set(out, "phase",
			event->text && *event->text ? event->text : "searching");
		break;
	case AT_EVENT_NONE:
	case AT_EVENT_BEGIN:
	case AT_EVENT_STATE:
	case AT_EVENT_NOTE:
	case AT_EVENT_COUNTERS: /* cli/explain.c writes these */
		return false;
	}
	*object = out;
	return true;
}

/* ---- the summary --------------------------------------------------------------- */

/* The column of texts, after the longest outcome. */
#define OUTCOME_COLUMN 32

/* An interval of more than +-5 % deserves a note; one of more than +-50 % tells no
   value. */
#define WIDE 0.05
#define UNKNOWN 0.5
/* With fewer than FEW evaluations a search has seen too little; ENOUGH lets it
   learn. */
#define FEW 50
#define ENOUGH 200

/* Advice if nothing passed and this outcome was the most frequent. */
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
	[AT_OUTCOME_TIMED_OUT] =
		"the kernel may never end: look for endless loops and waits; a slow kernel needs a longer search.deadline, or a smaller problem",
	[AT_OUTCOME_WRONG_RESULT] =
		"compare kernel and reference; verify.rtol and verify.atol say how close is close enough",
	[AT_OUTCOME_OUT_OF_BOUNDS] =
		"guard the edges, round up the arguments' counts, or give an input that is written the access \"inout\"; shared memory is as large as launch.shared_bytes says",
	[AT_OUTCOME_UNSTABLE] = "look for a race or a missing __syncthreads()",
	[AT_OUTCOME_TOO_FAST] =
		"declare in metrics the bytes and flops of one launch, and no more",
};

size_t at_outcomes_sort(const uint64_t by_outcome[AT_OUTCOME_COUNT],
	enum at_outcome out[AT_OUTCOME_COUNT])
{
	size_t count = 0, at;

	assert(by_outcome);
	for (int i = 0; i < AT_OUTCOME_COUNT; i++) {
		if (!by_outcome[i])
			continue;
		for (at = count++; at > 0; at--) {
			if (out[at - 1] == AT_OUTCOME_OK ||
				(by_outcome[out[at - 1]] >= by_outcome[i] &&
					i != AT_OUTCOME_OK))
				break;
			out[at] = out[at - 1];
		}
		out[at] = (enum at_outcome)i;
	}
	return count;
}

void at_summary_write_outcomes(const uint64_t by_outcome[AT_OUTCOME_COUNT],
	const char (*details)[AT_LANE_DETAIL_SIZE], struct at_strbuf *out)
{
	enum at_outcome order[AT_OUTCOME_COUNT];
	size_t count = at_outcomes_sort(by_outcome, order);

	for (size_t i = 0; i < count; i++) {
		size_t start = out->length;

		at_strbuf_addf(out, "  %8" PRIu64 "  %s", by_outcome[order[i]],
			at_outcome_name(order[i]));
		at_format_pad(out, start, OUTCOME_COLUMN);
		at_strbuf_add(out, at_outcome_text(order[i]));
		if (details && details[order[i]][0]) {
			at_format_plain(out, "; first, ", details[order[i]]);
		}
		at_strbuf_add_char(out, '\n');
	}
}

/* Whether the winner is significantly faster than the baseline. The finals select only
   such winners, but a winner of an older version or an interrupted run may have no
   interval. */
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

	if (at_spec_is_single(event->spec)) {
		at_page_say(page, "baseline", "none: there is only one configuration");
		return;
	}
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
	/* the baseline's time must be that of the finals, as is the speed-up */
	at_strbuf_add(&line,
		isfinite(best->baseline)
			? at_format_value(best->objective, best->baseline).text
			: at_format_value(&at_objective_time, at_event_baseline(event))
				  .text);
	if (is_baseline(event->spec, best)) {
		at_strbuf_add(&line, "; it is the winner");
		if (event->best && at_winner_is_undecided(event->best))
			at_strbuf_add(
				&line, " as long as the confirmation is undecided");
		else if (event->best)
			at_strbuf_addf(&line,
				": no configuration was significantly %s (95 %%)",
				best->objective->better);
	} else if (isfinite(best->speedup.value) && !is_faster(best)) {
		at_strbuf_addf(&line, "; the winner is not significantly %s (95 %%)",
			best->objective->better);
	} else if (isfinite(best->speedup.value)) {
		at_strbuf_addf(&line, "; the winner is %s%s%s %s",
			at_style(AT_STYLE_GOOD, page->color),
			at_format_gain(best->speedup).text,
			at_style(AT_STYLE_END, page->color), best->objective->as_good);
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
	at_limits_add(page, best->evaluation ? &best->evaluation->facts : NULL,
		event->best ? event->best->launch : NULL, &best->roofline,
		best->evaluation && best->evaluation->is_double);
	add_baseline(event, best, page);
	if (!event->best)
		return;
	/* an uncertain gain is not divided into steps */
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
	/* how often dropping early was a mistake, by a sample */
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

/* Appends a sufficient budget, by the time from the first evaluation to the last.
   Earlier and later work, such as finals, is needed only once. */
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

/* Appends why a figure may be unreliable, and what would help. */
static void add_notes(
	const struct at_event *event, const struct at_best *best, struct at_page *page)
{
	const struct at_progress *progress = event->progress;
	uint64_t all = progress ? progress->valid_count : 0;
	struct at_strbuf line = { 0 };
	const double width = event->best ? (best->score.high - best->score.low) /
						   (2 * best->score.value)
					 : 0;

	if (width > WIDE) {
		if (width > UNKNOWN)
			at_strbuf_addf(&line,
				"the %s is not known, as its interval shows",
				best->objective->name);
		else
			at_strbuf_addf(&line, "the %s is known to +-%.0f %% only",
				best->objective->name, 100 * width);
		at_strbuf_add(&line,
			": other programs ran on this machine, it depends on where memory lies, or there was no time for more blocks; an idle machine, or a longer --budget, may narrow the interval");
		at_page_entry(page, "note", &line);
	}
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

/* Appends the parameter that makes results wrong, if it is a single one. */
static void add_guilty(
	const struct at_event *event, const struct at_lane *lane, struct at_page *page)
{
	const struct at_spec *spec = event->spec;
	size_t guilty = at_lane_find_culprit(lane, spec);
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

static void add_advice(const struct at_spec *spec, const struct at_progress *progress,
	struct at_page *page)
{
	/* nothing passed, so OK is not among the outcomes */
	enum at_outcome order[AT_OUTCOME_COUNT];
	size_t count = at_outcomes_sort(progress->by_outcome, order);
	/* A reference without a launch gets one thread for each output element. If it
	   expects one for each input element, and outputs are fewer, as in a histogram,
	   it silently omits most inputs. */
	const struct at_reference *reference = &spec->reference;
	bool is_usual = reference->kind == AT_REFERENCE_KERNEL &&
			!reference->call.launch.block_rank &&
			!reference->call.launch.grid_rank;

	if (count && advice[order[0]])
		at_page_say(page, "next", "%s%s", advice[order[0]],
			order[0] == AT_OUTCOME_WRONG_RESULT && is_usual
				? "; the reference runs in as many threads as the largest output has elements: if it does not stride over its grid, give it \"block\" and \"grid\""
				: "");
}

void at_summary_write(
	const struct at_event *event, const struct at_lane *lane, struct at_page *page)
{
	const struct at_progress *progress = event->progress;
	const double waited_seconds = lane ? at_lane_waited_seconds(lane) : 0;
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
		/* virtual clocks of recordings say nothing about waiting */
		if (waited_seconds >= 1 && strcmp(event->device->kind, "replay") != 0)
			at_page_say(page, "waited", "%s for other runs",
				at_format_seconds(waited_seconds).text);
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
	/* the run's best evaluations, each measured once */
	for (size_t i = 0; lane && passed && lane->top_count > 1 && i < lane->top_count;
		i++)
		at_page_say(page, i ? "" : "fastest", "%-8s  %s",
			at_format_value(&at_objective_time, lane->top[i].value).text,
			lane->top[i].configuration);
	if (event->header_path)
		at_page_say(page, "next", "#include \"%s\"", event->header_path);
}

void at_summary_write_failure(
	const struct at_event *event, const struct at_lane *lane, struct at_strbuf *out)
{
	enum at_outcome order[AT_OUTCOME_COUNT];
	size_t count = at_outcomes_sort(event->progress->by_outcome, order);

	at_strbuf_addf(out, "autotune: %s: no configuration passed", lane->label);
	if (count)
		at_strbuf_addf(out, ": %s", at_outcome_name(order[0]));
	if (count && lane->first_detail[order[0]][0])
		at_format_plain(out, ", ", lane->first_detail[order[0]]);
	at_strbuf_add_char(out, '\n');
}

/* ---- portfolios ---------------------------------------------------------------- */

static const uint16_t *row_of(const struct at_event *event, size_t member)
{
	return event->configuration + member * event->spec->parameter_count;
}

/* One decimal, as in the interval. */
static void add_loss(struct at_strbuf *out, double fraction)
{
	at_strbuf_addf(out, "%.1f %%", 100 * fraction);
}

static void add_head(const struct at_event *event, struct at_strbuf *out)
{
	const struct at_portfolio *portfolio = event->portfolio;
	size_t size = at_portfolio_size(portfolio);

	at_format_plain(out, event->spec->name, " on ", event->device->id);
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

static void add_problem(
	const struct at_winner *member, size_t column, struct at_strbuf *out)
{
	size_t start = out->length;

	at_format_plain(out, "    ", member->problem);
	at_format_pad(out, start, column);
	at_strbuf_add(
		out, at_format_value(member->objective, member->score.value).text);
	if (!(member->loss > 0 || member->loss < 0)) {
		at_strbuf_add(out, "  its winner");
	} else {
		/* if the finals cannot distinguish the two, there is no loss to
		   report */
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
	size_t size = at_portfolio_size(portfolio), longest = 0, column;

	for (size_t i = 0; i < portfolio->count; i++) {
		size_t length = strlen(portfolio->members[i].problem);

		longest = length > longest ? length : longest;
	}
	/* after "    ", the longest name of a problem and two blanks */
	column = 4 + longest + 2;

	add_head(event, out);
	for (size_t i = 0; i < size; i++) {
		at_strbuf_add(out, "  ");
		at_configuration_write(out, event->spec, row_of(event, i), wide);
		at_strbuf_add_char(out, '\n');
		for (size_t k = 0; k < portfolio->count; k++)
			if (portfolio->members[k].member == (int64_t)i)
				add_problem(&portfolio->members[k], column, out);
	}
}

static struct at_json *problem_json(const struct at_winner *member)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "problem", member->problem);
	at_json_set_score(out, member->objective, member->score);
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
				at_json_append(
					problems, problem_json(&portfolio->members[k]));
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

/* ---- the display --------------------------------------------------------------- */

/* Fast enough for people, and no load for a slow line. */
#define REDRAW_NS 100000000
/* Further lanes are only counted: a display must not fill the screen. */
#define LANES_SHOWN 4

/* ---- texts ---------------------------------------------------------------- */

/* "120 tried", or "120 of 500 tried" if the search aims at that count. If a time budget
   cuts the space short, its size does not indicate progress. */
static void write_count(const struct at_lane *lane, struct at_strbuf *out)
{
	const struct at_progress *progress = &lane->progress;
	uint64_t goal = goal_of(lane);

	at_strbuf_add(out, at_format_count(progress->evaluated).text);
	if (goal && (goal < progress->valid_count || !(progress->target_seconds > 0)))
		at_strbuf_addf(out, " of %s", at_format_count(goal).text);
	at_strbuf_add(out, " tried");
}

/* "1.23 ms  3.21x  51.4 TFLOP/s", with the given separator. */
static void write_best(const struct at_lane *lane, const char *separator,
	const char *speedup_text, struct at_strbuf *out)
{
	at_strbuf_add(out, at_format_value(lane->objective, lane->value).text);
	if (isfinite(lane->speedup))
		at_strbuf_addf(out, "%s%s%s", separator,
			at_format_speedup(lane->speedup).text, speedup_text);
	if (isfinite(lane->flops_per_second)) {
		at_strbuf_addf(out, "%s%s", separator,
			at_format_rate(lane->flops_per_second, "FLOP/s").text);
	} else if (isfinite(lane->bytes_per_second)) {
		at_strbuf_addf(out, "%s%s", separator,
			at_format_rate(lane->bytes_per_second, "B/s").text);
	}
}

void at_progress_write_status(
	const struct at_lane *lane, uint64_t now_ns, bool color, struct at_strbuf *out)
{
	at_strbuf_addf(out, "%s%s%s  ", at_style(AT_STYLE_STRONG, color), lane->label,
		at_style(AT_STYLE_END, color));
	write_count(lane, out);
	at_strbuf_add(out, "  ");
	at_strbuf_add(out, at_format_seconds(elapsed_seconds_of(lane, now_ns)).text);
	if (lane->progress.target_seconds > 0)
		at_strbuf_addf(out, " of %s",
			at_format_seconds(lane->progress.target_seconds).text);
	if (isfinite(lane->value)) {
		at_strbuf_addf(out, "  %sbest ", at_style(AT_STYLE_GOOD, color));
		write_best(lane, "  ", "", out);
		at_strbuf_add(out, at_style(AT_STYLE_END, color));
	}
}

void at_progress_write_activity(
	const struct at_lane *lane, uint64_t now_ns, bool color, struct at_strbuf *out)
{
	double rate = rate_of(lane, now_ns);
	double left = at_lane_seconds_left(lane, now_ns);

	at_strbuf_add(out, "  ");
	if (!lane->state[0])
		at_strbuf_add(out, lane->phase[0] ? lane->phase : "searching");
	if (isfinite(left))
		at_strbuf_addf(out, "%s%s left", lane->state[0] ? "" : ", ",
			at_format_seconds(left).text);
	/* the reason for waiting may be longer than a line */
	if (lane->state[0])
		at_strbuf_addf(out, "%s%s%s%s", isfinite(left) ? ", " : "", lane->state,
			lane->phase[0] ? ", " : "", lane->phase);
	if (rate > 0 && !lane->phase[0])
		at_strbuf_addf(out, ", %.*f/s", rate < 9.95 ? 1 : 0, rate);
	if (lane->progress.compiling)
		at_strbuf_addf(
			out, ", %" PRIu64 " compiling", lane->progress.compiling);
	if (lane->configuration.length)
		at_strbuf_addf(out, "  %s%s%s", at_style(AT_STYLE_FAINT, color),
			at_strbuf_text(&lane->configuration),
			at_style(AT_STYLE_END, color));
}

void at_progress_write_incumbent(const struct at_lane *lane, struct at_strbuf *out)
{
	at_strbuf_addf(out, "%s: ", lane->label);
	write_count(lane, out);
	at_strbuf_add(out, ", best ");
	write_best(lane, ", ", " over the baseline", out);
	at_strbuf_addf(out, ": %s\n", at_strbuf_text(&lane->configuration));
}

/* ---- the terminal ---------------------------------------------------------- */

/* The cursor is always on the row below the display. */
static void wipe(void *context)
{
	struct at_teller *self = context;

	if (self->rows > 0)
		fprintf(stderr, "\033[%dA\r\033[J", self->rows);
	self->rows = 0;
}

/* Appends the line, cut to the width, as a row of the screen; releases it. */
static void add_row(struct at_strbuf *screen, struct at_strbuf *line, int width)
{
	struct at_strbuf shown = { 0 };

	at_format_shown(&shown, line->data, strcspn(line->data, "\n"), true);
	at_format_fit(screen, at_strbuf_text(&shown), width);
	at_strbuf_add(screen, "\033[K\n");
	at_strbuf_release(&shown);
	at_strbuf_release(line);
}

void at_teller_tick(void *context)
{
	struct at_teller *self = context;
	/* one column stays free, since some terminals wrap after the last one */
	const int width = at_output_width(STDERR_FILENO) - 1;
	const uint64_t now_ns = at_clock_now_ns();
	struct at_strbuf screen = { 0 }, line = { 0 };
	size_t i = 0;
	int rows = 0;

	if (self->quiet || !self->redraws || (!self->rows && !self->lanes.count) ||
		(self->rows && now_ns - self->drawn_ns < REDRAW_NS))
		return;
	for (; i < self->lanes.count && i < LANES_SHOWN; i++, rows += 2) {
		at_progress_write_status(
			self->lanes.items[i], now_ns, self->color, &line);
		add_row(&screen, &line, width);
		at_progress_write_activity(
			self->lanes.items[i], now_ns, self->color, &line);
		add_row(&screen, &line, width);
	}
	if (self->lanes.count > i) {
		at_strbuf_addf(&line, "and %zu more", self->lanes.count - i);
		add_row(&screen, &line, width);
		rows++;
	}
	if (self->rows > 0)
		fprintf(stderr, "\033[%dA\r", self->rows);
	fprintf(stderr, "%s\033[J", at_strbuf_text(&screen));
	fflush(stderr);
	self->rows = rows;
	self->drawn_ns = now_ns;
	at_strbuf_release(&screen);
}

/* ---- events ------------------------------------------------------------------- */

void at_teller_begin(struct at_teller *self)
{
	self->redraws = at_output_is_terminal(STDERR_FILENO);
	self->color = at_output_has_color(STDERR_FILENO);
	at_say_around(wipe, self);
}

void at_teller_end(struct at_teller *self)
{
	wipe(self);
	at_say_around(NULL, NULL);
	at_lanes_release(&self->lanes);
}

/* A note is about a problem on a device, or about the whole run. */
static void tell_note(const struct at_teller *self, const struct at_event *event,
	const struct at_lane *lane)
{
	if (self->quiet || !event->text)
		return;
	if (lane && event->problem)
		at_say("%s: %s", lane->label, event->text);
	else
		at_say("autotune: %s", event->text);
}

/* Without a display, a waiting run must not look like a hang. */
static void tell_state(const struct at_teller *self, struct at_lane *lane)
{
	/* runs that take turns on a device would repeat the same line */
	if (self->quiet || self->redraws || !lane->state[0] ||
		!strcmp(lane->state, lane->told_state))
		return;
	snprintf(lane->told_state, sizeof(lane->told_state), "%s", lane->state);
	at_say("%s: %s", lane->label, lane->state);
}

void at_teller_listen(void *context, const struct at_event *event)
{
	struct at_teller *self = context;
	struct at_json *object;
	struct at_strbuf text = { 0 };
	struct at_page page;
	struct at_lane *lane;
	struct at_best best;

	if (self->json && at_event_to_json(event, &object))
		at_print_json(object);
	if (event->kind == AT_EVENT_PORTFOLIO) {
		if (!self->quiet && !self->json) {
			at_portfolio_write_text(event, self->lanes.wide, &text);
			at_print_folded(&text);
		}
		return;
	}
	if (!event->problem) {
		tell_note(self, event, NULL);
		return;
	}
	lane = at_lanes_find(&self->lanes, event);
	at_lane_update(lane, event, at_clock_now_ns());
	switch (event->kind) {
	case AT_EVENT_INCUMBENT:
		/* a display shows the incumbent itself */
		if (!self->quiet && !self->redraws) {
			at_progress_write_incumbent(lane, &text);
			at_say_block(&text);
		}
		break;
	case AT_EVENT_NOTE:
		tell_note(self, event, lane);
		break;
	case AT_EVENT_SUMMARY:
		if (!self->quiet && !self->json) {
			page = at_page_of_stdout(&text);
			page.wide = lane->wide;
			at_summary_write(event, lane, &page);
			at_print_folded(&text);
		} else if (!self->json && !at_event_best(event, &best)) {
			/* the exit code gives neither problem nor reason */
			at_summary_write_failure(event, lane, &text);
			at_say_block(&text);
		}
		at_lanes_remove(&self->lanes, lane);
		break;
	case AT_EVENT_STATE:
		tell_state(self, lane);
		break;
	case AT_EVENT_NONE:
	case AT_EVENT_BEGIN:
	case AT_EVENT_EVALUATION:
	case AT_EVENT_PHASE:
	case AT_EVENT_REVISIT: /* cli/nightly.c shows revisits */
	case AT_EVENT_COUNTERS: /* cli/explain.c shows these */
	case AT_EVENT_PORTFOLIO:
		break;
	}
	at_strbuf_release(&text);
	at_teller_tick(self);
}
