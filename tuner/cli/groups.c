/* Collects the groups that reports and tables show: see groups.h. */
#include "cli/groups.h"

#include "base/json.h"
#include "base/memory.h"
#include "cli/words.h"
#include "record/evaluation_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void group_free(struct at_group *self)
{
	for (size_t i = 0; i < self->row_count; i++)
		at_evaluation_release(&self->rows[i]);
	free(self->rows);
	at_record_device_release(&self->device);
	at_record_ceilings_release(&self->ceilings);
	at_evaluation_release(&self->winner);
	at_evaluation_release(&self->defaults);
	at_sources_release(&self->sources);
	if (self->has_winner)
		at_winner_release(&self->best);
	free(self->baseline_configuration);
	free(self->space);
	free(self->problem);
	free(self);
}

void at_groups_release(struct at_groups *self)
{
	for (size_t i = 0; i < self->count; i++)
		group_free(self->items[i]);
	free(self->items);
	memset(self, 0, sizeof(*self));
}

static struct at_group *find(const struct at_groups *self, const char *space,
	const char *problem, int64_t device_id)
{
	for (size_t i = 0; i < self->count; i++) {
		struct at_group *group = self->items[i];

		if (group->device_id == device_id && !strcmp(group->problem, problem) &&
			!strcmp(group->space, space))
			return group;
	}
	return NULL;
}

static enum at_status add(struct at_groups *self, const char *space,
	const char *problem, int64_t device_id, struct at_group **out,
	struct at_error *err)
{
	struct at_group *group;
	enum at_status status = AT_OK;

	AT_GROW(self->items, self->capacity, self->count + 1);

	group = at_calloc(1, sizeof(*group));
	group->space = at_strdup(space);
	group->problem = at_strdup(problem);
	group->device_id = device_id;
	group->objective = &at_objective_time;
	group->baseline = NAN;
	group->shows_older = self->with_older;
	status = at_store_sources(
		self->store, device_id, space, problem, &group->sources, err);
	if (status) {
		group_free(group);
		return status;
	}
	self->items[self->count++] = group;
	*out = group;
	return AT_OK;
}

/* Counts an evaluation and copies it as a row: the walk's texts are valid only during
   the visit. */
static void add_row(struct at_groups *self, struct at_group *group,
	const struct at_evaluation *evaluation)
{
	bool is_older = at_sources_is_older(&group->sources, evaluation);

	if (is_older)
		group->older_count++;
	else
		group->by_outcome[evaluation->outcome]++;
	if (is_older && !self->with_older)
		return;
	if (self->top && group->row_count >= self->top)
		return;
	AT_GROW(group->rows, group->row_capacity, group->row_count + 1);
	at_evaluation_copy(evaluation, &group->rows[group->row_count]);
	group->row_count++;
}

/* The context of visit(). */
struct collecting {
	struct at_groups *groups;
	struct at_error *err;
};

static enum at_status visit(void *context, const struct at_evaluation *evaluation)
{
	const struct collecting *collecting = context;
	struct at_groups *self = collecting->groups;
	struct at_group *group;
	enum at_status status = AT_OK;
	char *detail;

	if (!at_cli_wants_problem(self->arguments, evaluation->problem))
		return AT_OK;
	group = find(
		self, evaluation->space, evaluation->problem, evaluation->device_id);
	if (!group)
		status = add(self, evaluation->space, evaluation->problem,
			evaluation->device_id, &group, collecting->err);
	if (status)
		return status;
	detail = group->first_detail[evaluation->outcome];
	if (!detail[0] && evaluation->detail &&
		!at_sources_is_older(&group->sources, evaluation))
		snprintf(detail, AT_LANE_DETAIL_SIZE, "%s", evaluation->detail);
	add_row(self, group, evaluation);
	return AT_OK;
}

/* ---- result files --------------------------------------------------------------- */

/* Ids of evaluations that come from result files, and so are in no record. */
enum { BUNDLED_WINNER = -1, BUNDLED_BASELINE = -2 };

static struct at_group *find_bundled(
	const struct at_groups *self, const struct at_result *result)
{
	for (size_t i = 0; i < self->count; i++) {
		struct at_group *group = self->items[i];

		if (group->is_bundled && !strcmp(group->space, result->best.space) &&
			!strcmp(group->problem, result->best.problem) &&
			!strcmp(group->device.slug, result->device.slug) &&
			!strcmp(group->device.kind, result->device.kind))
			return group;
	}
	return NULL;
}

/* Moves the result's baseline into the group. */
static void take_baseline(struct at_group *self, struct at_result *result)
{
	const struct at_winner *best = &self->best;

	if (!result->has_baseline)
		return;
	self->objective = best->objective;
	/* The baseline's score in the finals where it is known, since the winner's time
	   and speed-up are of the finals too. */
	self->baseline = at_winner_baseline(best).value;
	if (!isfinite(self->baseline))
		self->baseline =
			at_evaluation_score(&result->baseline, best->objective).value;
	/* Not by id, since either of them may have been measured again. */
	self->baseline_wins =
		!strcmp(result->baseline.configuration, result->winner.configuration);
	/* Without memory it stays NULL, and configurations are written in full. */
	free(self->baseline_configuration);
	self->baseline_configuration = at_strdup(result->baseline.configuration);
	self->defaults = result->baseline;
	self->has_baseline = true;
	memset(&result->baseline, 0, sizeof(result->baseline));
}

/* Moves the result's device, record and evaluation into the group. */
static void take_result(struct at_group *self, struct at_result *result)
{
	self->is_bundled = true;
	self->has_winner = true;
	self->best = result->best;
	self->device = result->device;
	take_baseline(self, result);
	self->winner = result->winner;
	memset(&result->best, 0, sizeof(result->best));
	memset(&result->device, 0, sizeof(result->device));
	memset(&result->winner, 0, sizeof(result->winner));
}

static enum at_status add_bundled(struct at_groups *self, struct at_recorded *recorded,
	struct at_result *result, struct at_error *err)
{
	struct at_winner *best = &result->best;
	struct at_group *group = NULL;
	enum at_status status = AT_OK;
	int64_t id;

	if (!at_cli_wants_problem(self->arguments, best->problem) ||
		find_bundled(self, result))
		return AT_OK;
	status = at_store_find_device(
		recorded->store, result->device.slug, result->device.kind, &id, err);
	if (!status && id)
		group = find(self, best->space, best->problem, id);
	result->winner.id = best->evaluation_id = BUNDLED_WINNER;
	result->baseline.id = BUNDLED_BASELINE;
	if (!status && !group) {
		status = add(self, best->space, best->problem, id, &group, err);
		if (!status)
			add_row(self, group, &result->winner);
		if (!status && result->has_baseline &&
			strcmp(result->baseline.configuration,
				result->winner.configuration) != 0)
			add_row(self, group, &result->baseline);
	}
	if (!status)
		take_result(group, result);
	return status;
}

static enum at_status collect_bundled(struct at_groups *self,
	struct at_recorded *recorded, const char *space, struct at_error *err)
{
	struct at_results results;
	enum at_status status = at_recorded_results(recorded, space, &results, err);

	for (size_t i = 0; i < results.count && !status; i++)
		if (results.items[i].is_bundled)
			status = add_bundled(self, recorded, &results.items[i], err);
	at_results_release(&results);
	return status;
}

/* ---- collecting ---------------------------------------------------------------- */

enum at_status at_groups_collect(struct at_groups *self, struct at_recorded *recorded,
	const char *space, struct at_error *err)
{
	struct collecting collecting = { self, err };
	enum at_status status;

	self->store = recorded->store;
	status = at_store_list(
		recorded->store, space, NULL, NULL, 0, visit, &collecting, err);

	/* Without a record the store has the contents of the result files already. */
	if (!status && !recorded->is_bundled)
		status = collect_bundled(self, recorded, space, err);
	return status;
}

static enum at_status complete_group(
	struct at_group *group, struct at_store *store, struct at_error *err)
{
	struct at_result result = { 0 };
	enum at_status status = at_store_get_ceilings(
		store, group->device_id, &group->ceilings, &group->has_ceilings, err);

	if (!status && !group->is_bundled)
		status = at_store_find_winner(store, group->device_id, group->space,
			group->problem, &group->best, &group->has_winner, err);
	if (status || group->is_bundled || !group->has_winner)
		return status;
	group->winner_is_older =
		at_sources_is_older_winner(&group->sources, &group->best);
	/* The winner's evaluations need not be among the rows. */
	status = at_store_get(
		store, group->best.evaluation_id, false, &group->winner, err);
	if (status || !group->best.baseline_id)
		return status;
	status = at_store_get(
		store, group->best.baseline_id, false, &result.baseline, err);
	if (status)
		return status;
	result.has_baseline = true;
	result.winner = group->winner; /* borrowed */
	take_baseline(group, &result);
	return AT_OK;
}

static int compare(const void *a, const void *b)
{
	const struct at_group *left = *(const struct at_group *const *)a;
	const struct at_group *right = *(const struct at_group *const *)b;
	int order = strcmp(left->space, right->space);

	if (!order)
		order = strcmp(left->problem, right->problem);
	if (!order)
		order = strcmp(left->device.slug, right->device.slug);
	/* The same model may be recorded as two kinds of device. */
	return order ? order : strcmp(left->device.kind, right->device.kind);
}

enum at_status at_groups_complete(
	struct at_groups *self, struct at_recorded *recorded, struct at_error *err)
{
	enum at_status status = AT_OK;
	size_t kept = 0, i;

	for (i = 0; i < self->count && !status; i++) {
		struct at_group *group = self->items[i];

		if (!group->is_bundled)
			status = at_store_get_device(
				recorded->store, group->device_id, &group->device, err);
		if (!status && !at_recorded_wants(recorded, &group->device)) {
			group_free(group);
			continue;
		}
		if (!status)
			status = complete_group(group, recorded->store, err);
		group->is_bundled |= recorded->is_bundled;
		self->items[kept++] = group;
	}
	for (; i < self->count; i++)
		self->items[kept++] = self->items[i];
	self->count = kept;
	if (!status && kept)
		qsort(self->items, kept, sizeof(*self->items), compare);
	return status;
}

/* A space that is named twice, for example by its file, is shown once. */
static enum at_status collect_operand(struct at_groups *self,
	struct at_recorded *recorded, const char *operand, struct at_error *err)
{
	size_t before = self->count;
	char *space = NULL;
	enum at_status status = at_recorded_space_name(operand, &space, err);

	for (size_t i = 0; i < before && !status; i++)
		if (!strcmp(self->items[i]->space, space))
			goto release;
	if (!status)
		status = at_groups_collect(self, recorded, space, err);
	if (!status && self->count == before)
		status = at_recorded_fail_nothing_of(recorded, operand,
			at_cli_given(self->arguments, "problem"), err);
release:
	free(space);
	return status;
}

enum at_status at_groups_open(struct at_groups *self, struct at_recorded *recorded,
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	enum at_status status = at_recorded_open(arguments, recorded, err);

	self->arguments = arguments;
	if (!status && !arguments->operand_count)
		status = at_groups_collect(self, recorded, NULL, err);
	for (size_t i = 0; i < arguments->operand_count && !status; i++)
		status = collect_operand(self, recorded, arguments->operands[i], err);
	if (!status)
		status = at_groups_complete(self, recorded, err);
	if (!status && !self->count)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing of this is recorded; \"autotune results\" lists everything");
	return status;
}

void at_group_roofline(const struct at_group *self, const struct at_evaluation *row,
	struct at_roofline *out)
{
	at_roofline(row->flops, row->bytes, row->time_ns, &self->ceilings.ceilings,
		row->is_double, out);
}

double at_group_better(
	const struct at_group *self, double best, const struct at_evaluation *row)
{
	double value = at_evaluation_score(row, self->objective).value;

	return at_objective_better(self->objective, value, best) ? value : best;
}

bool at_group_has_failed(const struct at_group *self)
{
	size_t failed = 0;

	for (size_t i = 0; i < AT_OUTCOME_COUNT; i++)
		failed += i != AT_OUTCOME_OK ? self->by_outcome[i] : 0;
	return failed && !self->by_outcome[AT_OUTCOME_OK];
}

const char *at_group_no_winner(const struct at_group *self)
{
	if (!strcmp(self->device.kind, "imported"))
		return "none: what was measured elsewhere and imported has no finals";
	if (at_group_has_failed(self))
		return "none: no configuration passed";
	return "none: no run came to its finals; tune it again, and it goes on";
}

double at_group_gain(const struct at_group *self, const struct at_evaluation *row)
{
	/* two measurements of the baseline differ by noise alone */
	if (isfinite(self->baseline) && self->baseline_configuration &&
		!strcmp(row->configuration, self->baseline_configuration))
		return 1;
	return at_objective_gain(self->objective, self->baseline,
		at_evaluation_score(row, self->objective).value);
}

void at_group_winner_roofline(const struct at_group *self, struct at_roofline *out)
{
	struct at_ceilings ceilings = self->ceilings.ceilings;
	const struct at_evaluation *winner = &self->winner;
	double flops = winner->flops, bytes = winner->bytes;
	const char *metrics = self->best.metrics;

	/*
	 * An older evaluation has no metrics, but its record does. Whether its
	 * operations are on doubles is not known then, so neither ceiling of operations
	 * applies.
	 */
	if (!(flops > 0) && !(bytes > 0) && metrics) {
		struct at_json *given = at_json_embedded(metrics);

		flops = at_json_number(at_json_get(given, "flops"), (double)NAN);
		bytes = at_json_number(at_json_get(given, "bytes"), (double)NAN);
		ceilings.float_flops_per_second = ceilings.double_flops_per_second = 0;
		at_json_free(given);
	}
	at_roofline(flops, bytes, at_winner_time_ns(&self->best, winner), &ceilings,
		winner->is_double, out);
}

void at_group_add_winner(struct at_page *page, const struct at_group *group)
{
	const struct at_winner *best = &group->best;
	struct at_strbuf line = { 0 };
	struct at_roofline roofline;

	at_strbuf_add(&line, at_format_value(best->objective, best->score.value).text);
	if (isfinite(best->score.low) && isfinite(best->score.high))
		at_strbuf_addf(&line, " (95 %% interval %s)",
			at_format_interval(best->objective, &best->score).text);
	if (group->baseline_wins) {
		at_strbuf_add(&line, ", the baseline itself");
	} else if (isfinite(best->speedup)) {
		at_strbuf_addf(&line, ", %s over the baseline",
			at_format_gain(at_winner_speedup(best)).text);
	}
	at_strbuf_addf(
		&line, ", recorded %s", at_format_date(best->created_seconds).text);
	if (group->is_bundled)
		at_strbuf_add(&line, "; of a result file");
	if (group->winner_is_older)
		at_strbuf_add(&line, "; of an older source: tune it again");
	at_page_entry(page, "winner", &line);
	at_configuration_write_recorded(&line, group->winner.configuration,
		group->baseline_configuration, page->wide || group->baseline_wins);
	at_page_entry(page, "", &line);
	at_measurement_add_unfit(page, best);
	at_limits_write_resources(&group->winner.facts, &line);
	at_page_entry(page, "resources", &line);
	at_limits_write_launch(best->launch, &line);
	at_page_entry(page, "launch", &line);
	at_group_winner_roofline(group, &roofline);
	at_limits_write_speed(&roofline, group->winner.is_double, &line);
	at_page_entry(page, "speed", &line);
}
