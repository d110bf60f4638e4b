/* Is it correct? Outputs against the reference, zones, inputs. */
#include "measure/bench.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "%.9g"-like text of one scalar of a buffer */
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

static enum at_outcome judge_zone(struct at_bench *self, size_t argument, bool behind,
	struct at_measure_result *result)
{
	const struct buffer *buffer = &self->buffers[argument];
	const uint64_t *found =
		check_result(self, argument, behind ? CHECK_BEHIND : CHECK_BEFORE);
	uint64_t away = behind ? found[1] : ZONE_BYTES - found[1];
	char first[64] = "right";

	if (found[0] == 0)
		return AT_OUTCOME_OK;
	if (away)
		snprintf(first, sizeof(first), "%llu bytes", (unsigned long long)away);
	snprintf(result->detail, sizeof(result->detail),
		"wrote %llu bytes %s buffer \"%s\" (%llu bytes), the first %s %s",
		(unsigned long long)found[0], behind ? "behind" : "before",
		self->setup->arguments[argument].name,
		(unsigned long long)buffer->bytes, first,
		behind ? "after its end" : "ahead of its start");
	return AT_OUTCOME_OUT_OF_BOUNDS;
}

static enum at_outcome judge_input(
	struct at_bench *self, size_t argument, struct at_measure_result *result)
{
	if (check_result(self, argument, CHECK_INPUT)[0] ==
		self->buffers[argument].checksum)
		return AT_OUTCOME_OK;
	snprintf(result->detail, sizeof(result->detail),
		"wrote into \"%s\", which is an input",
		self->setup->arguments[argument].name);
	return AT_OUTCOME_OUT_OF_BOUNDS;
}

static enum at_outcome judge_output(
	struct at_bench *self, size_t argument, struct at_measure_result *result)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	struct buffer *buffer = &self->buffers[argument];
	const uint64_t *found = check_result(self, argument, CHECK_OUTPUT);
	char actual[48], expected[48];
	double worst;

	memcpy(&worst, &found[2], sizeof(worst));
	if (worst > result->max_relative_error)
		result->max_relative_error = worst;
	if (found[0] == 0)
		return AT_OUTCOME_OK;
	read_value(self, argument, buffer->memory, found[1], actual, sizeof(actual));
	read_value(
		self, argument, buffer->expected, found[1], expected, sizeof(expected));
	snprintf(result->detail, sizeof(result->detail),
		"%s[%llu] is %s, expected %s; %llu of %llu values differ", facts->name,
		(unsigned long long)found[1], actual, expected,
		(unsigned long long)found[0],
		(unsigned long long)(buffer->count * facts->lanes));
	return AT_OUTCOME_WRONG_RESULT;
}

enum at_outcome verify_borders(struct at_bench *self, struct at_measure_result *result)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (uint32_t i = 0;
		i < self->setup->argument_count && outcome == AT_OUTCOME_OK; i++) {
		enum at_access access = self->setup->arguments[i].access;

		if (access == AT_ACCESS_NONE)
			continue;
		outcome = judge_zone(self, i, false, result);
		if (outcome == AT_OUTCOME_OK)
			outcome = judge_zone(self, i, true, result);
		if (outcome == AT_OUTCOME_OK && access == AT_ACCESS_IN)
			outcome = judge_input(self, i, result);
	}
	return outcome;
}

static void queue_output(struct at_bench *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const struct buffer *buffer = &self->buffers[argument];
	uint64_t count = buffer->count * facts->lanes;
	struct at_parameter_value values[6] = {
		value_u64(buffer_address(self, argument)),
		value_u64(self->device->ops->address(self->device, buffer->expected) +
			  ZONE_BYTES),
		value_u64(count),
		value_u32(facts->element),
		value_real(facts->rtol),
		value_real(facts->atol),
	};

	check_queue_expected(self, argument);
	check_queue(self, argument, CHECK_OUTPUT, SUPPORT_COMPARE, values, 6, count);
}

/* a write so far astray that no zone saw it; everything is judged against this */
static enum at_outcome judge_expected(
	struct at_bench *self, size_t argument, struct at_measure_result *result)
{
	if (check_result(self, argument, CHECK_EXPECTED)[0] ==
		self->buffers[argument].expected_checksum)
		return AT_OUTCOME_OK;
	snprintf(result->detail, sizeof(result->detail),
		"wrote far outside its buffers, into what the reference gave for \"%s\"",
		self->setup->arguments[argument].name);
	return AT_OUTCOME_OUT_OF_BOUNDS;
}

/* astray writes first: where they are, a wrong output is only a consequence */
enum at_outcome verify_outputs(
	struct at_bench *self, struct at_measure_result *result, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	enum at_outcome outcome;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		if (setup->arguments[i].access == AT_ACCESS_NONE)
			continue;
		check_queue_zones(self, i, self->buffers[i].memory);
		if (setup->arguments[i].access == AT_ACCESS_IN)
			check_queue_input(self, i);
		if (self->buffers[i].expected)
			queue_output(self, i);
	}
	outcome = check_run(self, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_borders(self, result);
	for (uint32_t i = 0; i < setup->argument_count && outcome == AT_OUTCOME_OK; i++)
		if (self->buffers[i].expected)
			outcome = judge_expected(self, i, result);
	for (uint32_t i = 0; i < setup->argument_count && outcome == AT_OUTCOME_OK; i++)
		if (self->buffers[i].expected)
			outcome = judge_output(self, i, result);
	return outcome;
}

/*
 * prepare, kernel, finish, each from shared memory that holds nothing useful. Where
 * threads cannot be shuffled the kernel also starts from an empty cache: loads that
 * come from memory, each at its own time, show a barrier that is missing.
 */
static size_t list_steps(struct at_bench *self, const struct candidate *candidate,
	struct support_call support[2], struct at_invocation calls[7])
{
	const struct bound_call *const steps[] = { &candidate->prepare,
		&candidate->kernel, &candidate->finish };
	bool poisons = support_poison_shared(self, &support[0]);
	bool empties = self->flush && !self->device->ops->shuffle_threads;
	size_t count = 0;

	for (size_t i = 0; i < AT_COUNT_OF(steps); i++) {
		if (!steps[i]->invocation.kernel)
			continue;
		if (empties && steps[i] == &candidate->kernel) {
			support_flush(self, &support[1]);
			calls[count++] = support[1].invocation;
		}
		if (poisons)
			calls[count++] = support[0].invocation;
		calls[count++] = steps[i]->invocation;
	}
	return count;
}

enum at_outcome verify_once(struct at_bench *self, const struct candidate *candidate,
	unsigned poison, struct at_measure_result *result, struct at_error *err)
{
	struct support_call support[2];
	struct at_invocation calls[7];
	size_t count = list_steps(self, candidate, support, calls);
	enum at_outcome outcome = bench_restore(self, poison, err);

	if (outcome == AT_OUTCOME_OK)
		outcome = self->device->ops->run(self->device, calls, count, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_outputs(self, result, err);
	return outcome;
}
