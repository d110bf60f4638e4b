/* Lanes: the state of a run, kept up to date from its events. See lane.h. */
#include "cli/lane.h"

#include "base/memory.h"
#include "cli/words.h"
#include "cli/events.h"
#include "cli/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many wrong results are no coincidence. */
#define FEW_WRONG 3

static char *make_label(const struct at_event *event)
{
	struct at_strbuf label = { 0 };

	if (event->spec)
		at_format_plain(&label, event->spec->name);
	if (event->problem) {
		at_strbuf_add_char(&label, ' ');
		at_format_plain(&label, event->problem->name);
	}
	if (event->device) {
		at_strbuf_add_char(&label, ' ');
		at_format_plain(&label, event->device->id);
	}
	return label.data ? at_strbuf_detach(&label) : at_strdup("");
}

static struct at_lane *lane_new(char *label)
{
	struct at_lane *self = at_calloc(1, sizeof(*self));

	self->label = label;
	self->value = NAN;
	self->speedup = NAN;
	self->flops_per_second = NAN;
	self->bytes_per_second = NAN;
	return self;
}

static void lane_free(struct at_lane *self)
{
	at_strbuf_release(&self->configuration);
	for (size_t i = 0; i < self->top_count; i++)
		free(self->top[i].configuration);
	free(self->label);
	free(self->is_innocent);
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
	lane = lane_new(label);
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

static void keep_detail(struct at_lane *self, const struct at_evaluation *evaluation)
{
	char *kept = self->first_detail[evaluation->outcome];

	if (!kept[0] && evaluation->detail)
		snprintf(kept, AT_LANE_DETAIL_SIZE, "%s", evaluation->detail);
}

/*
 * A parameter is innocent of wrong results if one of them has its default, or a right
 * result has another value: the others may be the reason why results are wrong.
 */
static void keep_innocent(struct at_lane *self, const struct at_event *event)
{
	const struct at_spec *spec = event->spec;
	enum at_outcome outcome = event->evaluation->outcome;

	if (!spec || !spec->has_defaults || !event->configuration ||
		(outcome != AT_OUTCOME_OK && outcome != AT_OUTCOME_WRONG_RESULT))
		return;
	if (!self->is_innocent)
		self->is_innocent =
			at_calloc(spec->parameter_count, sizeof(*self->is_innocent));
	for (size_t i = 0; i < spec->parameter_count; i++)
		if ((event->configuration[i] == spec->defaults[i]) ==
			(outcome == AT_OUTCOME_WRONG_RESULT))
			self->is_innocent[i] = true;
}

size_t at_lane_guilty(const struct at_lane *self, const struct at_spec *spec)
{
	size_t guilty = spec->parameter_count;

	if (!self->is_innocent || !self->progress.by_outcome[AT_OUTCOME_OK] ||
		self->progress.by_outcome[AT_OUTCOME_WRONG_RESULT] < FEW_WRONG)
		return spec->parameter_count;
	for (size_t i = 0; i < spec->parameter_count; i++) {
		if (self->is_innocent[i])
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
		at_evaluation_score(event->evaluation, event->objective).value;
	struct at_strbuf text = { 0 };
	size_t place = self->top_count;

	if (event->evaluation->outcome != AT_OUTCOME_OK || !event->configuration ||
		!isfinite(value))
		return;
	while (place > 0 && at_objective_better(event->objective, value,
				    self->top[place - 1].value))
		place--;
	if (place == AT_LANE_TOP)
		return;
	at_configuration_write(&text, event->spec, event->configuration, self->wide);
	if (self->top_count == AT_LANE_TOP)
		free(self->top[--self->top_count].configuration);
	memmove(&self->top[place + 1], &self->top[place],
		(self->top_count++ - place) * sizeof(*self->top));
	self->top[place] = (struct at_lane_row){ value, at_strbuf_detach(&text) };
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
			keep_detail(self, event->evaluation);
			keep_innocent(self, event);
			keep_top(self, event);
		}
		/* The baseline may be measured after the incumbent. */
		self->speedup = at_objective_gain(
			event->objective, at_event_baseline(event), self->value);
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
}

uint64_t at_lane_goal(const struct at_lane *self)
{
	uint64_t valid = self->progress.valid_count;
	uint64_t target = self->progress.target_evaluations;

	return target && (target < valid || !valid) ? target : valid;
}

double at_lane_elapsed_seconds(const struct at_lane *self, uint64_t now_ns)
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

double at_lane_rate(const struct at_lane *self, uint64_t now_ns)
{
	double seconds = at_lane_elapsed_seconds(self, now_ns);
	uint64_t measured = self->progress.evaluated - self->progress.reused;

	return seconds > 0 ? (double)measured / seconds : 0;
}

double at_lane_seconds_left(const struct at_lane *self, uint64_t now_ns)
{
	const struct at_progress *progress = &self->progress;
	double rate = at_lane_rate(self, now_ns);
	uint64_t goal = at_lane_goal(self);
	double left = NAN;

	/* How long the rest of the search takes says nothing about what follows it. */
	if (goal > progress->evaluated && rate > 0 && !self->phase[0])
		left = (double)(goal - progress->evaluated) / rate;
	/* fmin() ignores an operand that is NAN. */
	if (progress->target_seconds > 0)
		left = fmin(
			left, fmax(0, progress->target_seconds -
					      at_lane_elapsed_seconds(self, now_ns)));
	return left;
}
