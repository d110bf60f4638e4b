/*
 * Is it correct? What is looked at, what that catches, and when:
 *
 *   outputs against the reference's   wrong results; unwritten ones, since outputs hold
 *                                     poison before; races, if they show. After every
 *                                     proof, and what the timed launches left.
 *   the zones around buffers          writes a little before or behind one.
 *   sums of the inputs                writes into what is only to be read.
 *   sums of the expected outputs      writes far astray, which no zone sees: they would
 *                                     change what all later ones are compared with.
 *
 * The last three are the borders. They are for the sake of those that come after, and
 * looked at once, after the last launch (queue_borders()).
 */
#include "measure/bench.h"
#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* ---- a round of checks ------------------------------------------------------- */

/* The rows lie on the device: filled there, ahead of the checks, in the same trip. */
void check_begin(struct at_bench *self)
{
	support_pattern(self, &self->queue,
		self->device->ops->address(self->device, self->rows),
		(uint64_t)self->setup->argument_count * CHECK_COUNT *
			sizeof(struct check_row),
		0);
}

static struct at_parameter_value row_address(
	const struct at_bench *self, size_t argument, enum check check)
{
	return value_u64(self->device->ops->address(self->device, self->rows) +
			 (argument * CHECK_COUNT + check) * sizeof(struct check_row));
}

void check_queue_zones(struct at_bench *self, size_t argument, struct at_memory *memory)
{
	uint64_t before = self->device->ops->address(self->device, memory);
	uint64_t behind = before + ZONE_BYTES + self->buffers[argument].bytes;

	support_pattern_check(self, &self->queue, before, ZONE_BYTES, CANARY(argument),
		row_address(self, argument, CHECK_BEFORE));
	support_pattern_check(self, &self->queue, behind, ZONE_BYTES, CANARY(argument),
		row_address(self, argument, CHECK_BEHIND));
}

void check_queue_input(struct at_bench *self, size_t argument)
{
	support_checksum(self, &self->queue, buffer_address(self, argument),
		self->buffers[argument].bytes,
		row_address(self, argument, CHECK_INPUT));
}

void check_queue_expected(struct at_bench *self, size_t argument)
{
	const struct buffer *buffer = &self->buffers[argument];

	/* its zones are summed with it: they are nobody else's to look at */
	support_checksum(self, &self->queue,
		self->device->ops->address(self->device, buffer->expected),
		zoned_bytes(buffer->bytes),
		row_address(self, argument, CHECK_EXPECTED));
}

void check_queue_scale(struct at_bench *self, size_t argument, double rtol, double atol)
{
	support_scale(self, &self->queue, argument, rtol, atol,
		row_address(self, argument, CHECK_OUTPUT));
}

void check_queue_narrow(
	struct at_bench *self, size_t argument, struct at_memory *wide, bool replace)
{
	support_narrow(self, &self->queue, argument, wide,
		tolerance_of(self, argument).scale, replace,
		row_address(self, argument, CHECK_OUTPUT));
}

void check_queue_output(struct at_bench *self, size_t argument,
	struct at_memory *actual, struct tolerance tolerance)
{
	support_compare(self, &self->queue, argument, actual, tolerance,
		row_address(self, argument, CHECK_OUTPUT));
}

enum at_outcome check_end(struct at_bench *self, struct at_error *err)
{
	uint64_t bytes = (uint64_t)self->setup->argument_count * CHECK_COUNT *
			 sizeof(struct check_row);
	enum at_outcome outcome = bench_run(self, err);

	if (outcome != AT_OUTCOME_OK || bytes == 0)
		return outcome;
	/* nothing that ran failed, so a copy that does has lost the device */
	return self->device->ops->read(
		       self->device, self->rows, 0, self->results, bytes, err)
		       ? AT_OUTCOME_CRASHED
		       : AT_OUTCOME_OK;
}

const uint64_t *check_result(
	const struct at_bench *self, size_t argument, enum check check)
{
	return self->results[argument * CHECK_COUNT + check].words;
}

/* kept as its complement: the largest of those begins at zero, as all else does */
uint64_t check_first(const struct at_bench *self, size_t argument, enum check check)
{
	return ~check_result(self, argument, check)[1];
}

/* ---- what the rows tell -------------------------------------------------------- */

/* One scalar of a buffer as text, with all digits that tell it from its neighbours. A
   trip for each, but only of what fails. */
static void read_value(struct at_bench *self, size_t argument, struct at_memory *memory,
	uint64_t index, char *text, size_t size)
{
	enum at_element element = self->setup->arguments[argument].element;
	size_t bytes = at_element_bytes(element);
	unsigned char raw[8] = { 0 };
	uint64_t bits = 0;
	int64_t whole;
	double real;
	float single;

	/* the text is for people: no reason to call the outcome another one */
	if (self->device->ops->read(self->device, memory, ZONE_BYTES + index * bytes,
		    raw, bytes, NULL)) {
		snprintf(text, size, "unreadable");
		return;
	}
	memcpy(&bits, raw, sizeof(bits));
	switch (at_element_kind(element)) {
	case AT_ELEMENT_KIND_REAL:
		memcpy(&single, raw, sizeof(single));
		memcpy(&real, raw, sizeof(real));
		snprintf(text, size, "%.9g", bytes == 4 ? (double)single : real);
		break;
	case AT_ELEMENT_KIND_INTEGER:
		/* sign extension by shifting up and down again */
		whole = (int64_t)(bits << (64 - 8 * bytes));
		snprintf(text, size, "%lld", (long long)(whole >> (64 - 8 * bytes)));
		break;
	case AT_ELEMENT_KIND_UNSIGNED:
	case AT_ELEMENT_KIND_NONE:
		snprintf(text, size, "%llu", (unsigned long long)bits);
		break;
	}
}

static enum at_outcome judge_zone(const struct at_bench *self, size_t argument,
	enum check zone, struct at_measure_result *result)
{
	uint64_t count = check_result(self, argument, zone)[0];
	uint64_t first = check_first(self, argument, zone);
	bool behind = zone == CHECK_BEHIND;
	uint64_t away = behind ? first : ZONE_BYTES - first;
	char distance[64] = "right";

	if (count == 0)
		return AT_OUTCOME_OK;
	/* how far off is what points to the mistake: one too many, or a whole row */
	if (away)
		snprintf(distance, sizeof(distance), "%llu bytes",
			(unsigned long long)away);
	snprintf(result->detail, sizeof(result->detail),
		"wrote %llu bytes %s buffer \"%s\" (%llu bytes), the first %s %s",
		(unsigned long long)count, behind ? "behind" : "before",
		self->setup->arguments[argument].name,
		(unsigned long long)self->buffers[argument].bytes, distance,
		behind ? "after its end" : "ahead of its start");
	return AT_OUTCOME_OUT_OF_BOUNDS;
}

enum at_outcome judge_borders(
	const struct at_bench *self, struct at_measure_result *result)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (uint32_t i = 0;
		i < self->setup->argument_count && outcome == AT_OUTCOME_OK; i++) {
		const struct at_measure_argument *facts = &self->setup->arguments[i];

		if (facts->access == AT_ACCESS_NONE)
			continue;
		outcome = judge_zone(self, i, CHECK_BEFORE, result);
		if (outcome == AT_OUTCOME_OK)
			outcome = judge_zone(self, i, CHECK_BEHIND, result);
		if (outcome != AT_OUTCOME_OK || facts->access != AT_ACCESS_IN ||
			check_result(self, i, CHECK_INPUT)[0] ==
				self->buffers[i].checksum)
			continue;
		snprintf(result->detail, sizeof(result->detail),
			"wrote into \"%s\", which is an input", facts->name);
		outcome = AT_OUTCOME_OUT_OF_BOUNDS;
	}
	return outcome;
}

/*
 * What a configuration must leave alone, because those after it are judged by it: the
 * zones of all buffers, the inputs, and what the reference gave, in case of a write so
 * far astray that no zone saw it. Nothing ever repairs any of these, so one look after
 * the last launch sees what any launch did (but for a launch that undoes what one
 * before it did). It reads all inputs and expected outputs, which with large ones takes
 * as long as the kernel.
 */
static void queue_borders(struct at_bench *self)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		if (self->setup->arguments[i].access == AT_ACCESS_NONE)
			continue;
		check_queue_zones(self, i, self->buffers[i].memory);
		if (self->setup->arguments[i].access == AT_ACCESS_IN)
			check_queue_input(self, i);
		if (self->buffers[i].expected)
			check_queue_expected(self, i);
	}
}

static enum at_outcome judge_all_borders(
	struct at_bench *self, struct at_measure_result *result)
{
	enum at_outcome outcome = judge_borders(self, result);

	self->is_unwatched = false;
	for (uint32_t i = 0;
		i < self->setup->argument_count && outcome == AT_OUTCOME_OK; i++) {
		const struct buffer *buffer = &self->buffers[i];

		if (!buffer->expected || check_result(self, i, CHECK_EXPECTED)[0] ==
						 buffer->expected_checksum)
			continue;
		snprintf(result->detail, sizeof(result->detail),
			"wrote far outside its buffers, into what the reference gave for \"%s\"",
			self->setup->arguments[i].name);
		outcome = AT_OUTCOME_OUT_OF_BOUNDS;
	}
	return outcome;
}

static enum at_outcome judge_output(
	struct at_bench *self, size_t argument, struct at_measure_result *result)
{
	struct buffer *buffer = &self->buffers[argument];
	const uint64_t *found = check_result(self, argument, CHECK_OUTPUT);
	uint64_t first = check_first(self, argument, CHECK_OUTPUT);
	char actual[48], expected[48];

	tolerance_note_errors(self, argument, found, result);
	if (found[0] == 0)
		return AT_OUTCOME_OK;
	read_value(self, argument, buffer->memory, first, actual, sizeof(actual));
	read_value(self, argument, buffer->expected, first, expected, sizeof(expected));
	snprintf(result->detail, sizeof(result->detail),
		"%s[%llu] is %s, expected %s; %llu of %llu values differ",
		self->setup->arguments[argument].name, (unsigned long long)first,
		actual, expected, (unsigned long long)found[0],
		(unsigned long long)buffer_scalars(self, argument));
	tolerance_explain(self, argument, found, result);
	return AT_OUTCOME_WRONG_RESULT;
}

/* ---- proofs -------------------------------------------------------------------- */

enum at_outcome verify_borders(
	struct at_bench *self, struct at_measure_result *result, struct at_error *err)
{
	enum at_outcome outcome;

	check_begin(self);
	queue_borders(self);
	outcome = check_end(self, err);
	return outcome == AT_OUTCOME_OK ? judge_all_borders(self, result) : outcome;
}

enum at_outcome verify_left(struct at_bench *self, bool watches_borders,
	struct at_measure_result *result, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	enum at_outcome outcome;

	check_begin(self);
	if (watches_borders)
		queue_borders(self);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (self->buffers[i].expected)
			check_queue_output(self, i, self->buffers[i].memory,
				tolerance_of(self, i));
	outcome = check_end(self, err);
	/* writes astray first: where they are, a wrong output is only a consequence */
	if (outcome == AT_OUTCOME_OK && watches_borders)
		outcome = judge_all_borders(self, result);
	for (uint32_t i = 0; i < setup->argument_count && outcome == AT_OUTCOME_OK; i++)
		if (self->buffers[i].expected)
			outcome = judge_output(self, i, result);
	return outcome;
}

/* A kernel of the template, from shared memory that holds nothing useful. */
static void queue_step(struct at_bench *self, const struct bound_call *step)
{
	if (!step->invocation.kernel)
		return;
	support_poison_shared(self, &self->queue);
	call_list_add(&self->queue, &step->invocation);
}

/* How often threads of this process were taken off their cores, all told. */
static long preemptions(void)
{
	struct rusage usage = { 0 };

	return getrusage(RUSAGE_SELF, &usage) ? -1 : usage.ru_nivcsw;
}

/*
 * One trip for all launches and checks and one for the results. Where the launch is
 * timed it has a trip of its own, between two readings of this side's clock: the
 * device's own clock is no choice, since time() holds everything back until it is
 * queued, and what a driver does at a first launch may wait for what is held back.
 */
enum at_outcome verify_once(struct at_bench *self, const struct candidate *candidate,
	struct proof *proof, struct at_measure_result *result, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;
	bool is_last = proof->watches_borders;

	proof->launch_ns = 0;
	/* ahead of the first launch: what fails half-way may have written already */
	self->is_unwatched = true;
	list_restore(self, &self->queue, proof->poison, false);
	/* prepare may have a mistake of its own, and is nobody's to time */
	queue_step(self, &candidate->prepare);
	/* Where threads cannot be shuffled the kernel starts from an empty cache: loads
	   that come from memory, each at its own time, show a barrier that is missing.
	 */
	if (self->setup->cache == AT_CACHE_COLD && !self->device->ops->shuffle_threads)
		support_flush(self, &self->queue);
	if (proof->limit_ns > 0) {
		long preempted;
		uint64_t start_ns;

		support_poison_shared(self, &self->queue);
		outcome = bench_run(self, err);
		if (outcome != AT_OUTCOME_OK)
			return outcome;
		call_list_add(&self->queue, &candidate->kernel.invocation);
		preempted = preemptions();
		start_ns = at_clock_now_ns();
		outcome = bench_run(self, err);
		proof->launch_ns = (double)(at_clock_now_ns() - start_ns);
		if (outcome != AT_OUTCOME_OK)
			return outcome;
		/* while others had our core the clock went on, for milliseconds: the
		   compilers of a tuning are right beside us */
		if (preempted < 0 || preemptions() != preempted)
			proof->launch_ns = 0;
		is_last = is_last || proof->launch_ns > proof->limit_ns;
	} else {
		queue_step(self, &candidate->kernel);
	}
	queue_step(self, &candidate->finish);
	return verify_left(self, is_last, result, err);
}
