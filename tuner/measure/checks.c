/* Queues the checks of a round, reads their rows of results back, and finds in them
   what was written into zones. */
#include "measure/checks.h"
#include "measure/place.h"
#include "measure/support.h"
#include "measure/trip.h"
#include "base/memory.h"

#include <stdio.h>

/* ---- a round of checks ------------------------------------------------------- */

/* one row for each argument and kind of check, and one for the module's variables */
uint64_t check_row_count(const struct at_measure_context *self)
{
	return (uint64_t)self->setup->argument_count * CHECK_COUNT + 1;
}

/* The longest trip is a whole verification: for each argument its restoring, zones and
   checks; twice the launches, each behind a poisoning; two more kernels, the flush, the
   clearing of the rows, and the variables of a module. */
void check_make_room(struct at_measure_context *self, size_t launches)
{
	size_t room = self->setup->argument_count * (8 + CHECK_COUNT) + 17 +
		      2 * launches + SUPPORT_FLUSH_CALLS;

	if (room <= self->queue.room)
		return;
	call_list_release(&self->queue);
	call_list_init(&self->queue, room);
}

/* The rows lie on the device, so they are set to 0 there, in the trip of the checks. */
void check_begin(struct at_measure_context *self)
{
	support_pattern(self, &self->queue,
		self->device->ops->address(self->device, self->rows),
		check_row_count(self) * sizeof(struct check_row), 0);
}

struct at_parameter_value check_row(
	const struct at_measure_context *self, size_t argument, enum check check)
{
	return value_u64(self->device->ops->address(self->device, self->rows) +
			 (argument * CHECK_COUNT + check) * sizeof(struct check_row));
}

void check_queue_zones(struct at_measure_context *self, size_t argument,
	const struct place *place, enum check before, enum check behind)
{
	uint64_t bytes = self->buffers[argument].bytes;
	const struct {
		struct zone zone;
		enum check check;
	} parts[] = {
		{ place_before(self, place), before },
		{ place_behind(self, place, bytes), behind },
	};

	for (size_t i = 0; i < AT_COUNT_OF(parts); i++)
		if (parts[i].zone.bytes)
			support_pattern_check(self, &self->queue, parts[i].zone.address,
				parts[i].zone.bytes, place->zone,
				check_row(self, argument, parts[i].check));
}

void check_queue_input(struct at_measure_context *self, size_t argument, unsigned set)
{
	struct staging staging = { set, SIDE_END };

	support_checksum(self, &self->queue,
		place_address(self, buffer_place(self, argument, staging)),
		self->buffers[argument].bytes,
		check_row(self, argument, (enum check)(CHECK_INPUT + set)));
}

void check_queue_read_only(
	struct at_measure_context *self, size_t argument, unsigned set)
{
	struct staging staging = { set, SIDE_END };

	check_queue_zones(self, argument, buffer_place(self, argument, staging),
		(enum check)(CHECK_INPUT_BEFORE + set),
		(enum check)(CHECK_INPUT_BEHIND + set));
	check_queue_input(self, argument, set);
}

void check_queue_expected(
	struct at_measure_context *self, size_t argument, unsigned set)
{
	const struct buffer *buffer = &self->buffers[argument];
	const struct place *place = &buffer->expected[set];

	/* the sum covers the zones too, since no other check looks at them */
	support_checksum(self, &self->queue,
		self->device->ops->address(self->device, place->memory),
		place->capacity_bytes,
		check_row(self, argument, (enum check)(CHECK_EXPECTED + set)));
}

void check_queue_variables(
	struct at_measure_context *self, const struct saved_variables *saved)
{
	support_variables(self, &self->queue, saved, VARIABLES_DIFFER,
		check_row(self, self->setup->argument_count, CHECK_BEFORE));
}

enum at_status check_finish(
	struct at_measure_context *self, const char *what, struct at_error *err)
{
	struct at_error reason = { 0 };

	if (check_end(self, &reason) == AT_OUTCOME_OK)
		return AT_OK;
	return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
		"%s failed: %s", what, reason.text);
}

enum at_outcome check_end(struct at_measure_context *self, struct at_error *err)
{
	uint64_t bytes = check_row_count(self) * sizeof(struct check_row);
	enum at_outcome outcome = bench_run(self, err);

	if (outcome != AT_OUTCOME_OK)
		return outcome;
	/* all that ran succeeded, so a copy that fails means that the device is lost */
	return self->device->ops->read(
		       self->device, self->rows, 0, self->results, bytes, err)
		       ? AT_OUTCOME_CRASHED
		       : AT_OUTCOME_OK;
}

const uint64_t *check_result(
	const struct at_measure_context *self, size_t argument, enum check check)
{
	return self->results[argument * CHECK_COUNT + check].words;
}

uint64_t check_sum(const struct at_measure_context *self, size_t argument,
	enum check kind, unsigned set)
{
	return check_result(self, argument, (enum check)(kind + set))[0];
}

/* The kernels keep the complement of the lowest index as a maximum, which can begin at
   0 as all other words of a row do. */
uint64_t check_first(
	const struct at_measure_context *self, size_t argument, enum check check)
{
	return ~check_result(self, argument, check)[1];
}

bool check_variables_differ(const struct at_measure_context *self)
{
	return check_result(self, self->setup->argument_count, CHECK_BEFORE)[0];
}

/* ---- writes into zones -------------------------------------------------------- */

/* Judges the zones of a place by two rows. The row of a check that was not queued is 0:
   it found nothing. */
static enum at_outcome judge_place(const struct at_measure_context *self,
	size_t argument, enum check before, enum check behind,
	const struct place *place, struct at_measure_result *result)
{
	for (int is_behind = 0; is_behind < 2; is_behind++) {
		const enum check zone = is_behind ? behind : before;
		const uint64_t count = check_result(self, argument, zone)[0];
		uint64_t away = check_first(self, argument, zone);
		char distance[64] = "right";

		if (count == 0)
			continue;
		if (!is_behind)
			away = place_before(self, place).bytes - away;
		/* the distance points to the mistake: one element too many, or a whole
		   row */
		if (away)
			snprintf(distance, sizeof(distance), "%llu bytes",
				(unsigned long long)away);
		snprintf(result->detail, sizeof(result->detail),
			"wrote %llu bytes %s buffer \"%s\" (%llu bytes), the first %s %s",
			(unsigned long long)count, is_behind ? "behind" : "before",
			self->setup->arguments[argument].name,
			(unsigned long long)self->buffers[argument].bytes, distance,
			is_behind ? "after its end" : "ahead of its start");
		return AT_OUTCOME_OUT_OF_BOUNDS;
	}
	return AT_OUTCOME_OK;
}

enum at_outcome judge_zones(const struct at_measure_context *self,
	struct staging staging, bool expected, struct at_measure_result *result)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct buffer *buffer = &self->buffers[i];
		const struct place *place =
			expected && buffer->expected[staging.set].memory
				? &buffer->expected[staging.set]
				: buffer_place(self, i, staging);
		enum at_outcome outcome =
			judge_place(self, i, CHECK_BEFORE, CHECK_BEHIND, place, result);

		for (unsigned set = 0; set < SETS && outcome == AT_OUTCOME_OK; set++) {
			staging.set = set;
			outcome = judge_place(self, i,
				(enum check)(CHECK_INPUT_BEFORE + set),
				(enum check)(CHECK_INPUT_BEHIND + set),
				buffer_place(self, i, staging), result);
		}
		if (outcome != AT_OUTCOME_OK)
			return outcome;
	}
	return AT_OUTCOME_OK;
}

enum at_outcome judge_padding(
	const struct at_measure_context *self, struct at_measure_result *result)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct at_measure_argument *facts = &self->setup->arguments[i];
		const uint64_t count = check_result(self, i, CHECK_PADDING)[0];
		const uint64_t first = check_first(self, i, CHECK_PADDING);

		if (!facts->width || !count)
			continue;
		snprintf(result->detail, sizeof(result->detail),
			"wrote %llu bytes into the padding of the rows of buffer \"%s\", the first at byte %llu of row %llu: \"width\" is %u elements, \"pitch\" %u bytes",
			(unsigned long long)count, facts->name,
			(unsigned long long)(first % facts->pitch_bytes),
			(unsigned long long)(first / facts->pitch_bytes), facts->width,
			facts->pitch_bytes);
		return AT_OUTCOME_OUT_OF_BOUNDS;
	}
	return AT_OUTCOME_OK;
}
