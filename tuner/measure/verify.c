/* Is it correct? Outputs against the reference, zones, inputs. */
#include "measure/bench.h"

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

	if (self->device->ops->read(self->device, memory, ZONE_BYTES + index * bytes, raw,
		    bytes, NULL)) {
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

static enum at_outcome check_zone(struct at_bench *self, size_t argument, bool behind,
	struct at_measure_result *result, struct at_error *err)
{
	uint64_t address = buffer_address(self, argument);
	const struct buffer *buffer = &self->buffers[argument];
	struct at_parameter_value values[3];
	uint64_t results[4];
	enum at_outcome outcome;

	values[0] = value_u64(behind ? address + buffer->bytes : address - ZONE_BYTES);
	values[1] = value_u64(ZONE_BYTES);
	values[2] = value_u32(CANARY);
	outcome = support_check(self, SUPPORT_PATTERN_CHECK, values, 3, ZONE_BYTES, results,
		err);
	if (outcome != AT_OUTCOME_OK || results[0] == 0)
		return outcome;
	snprintf(result->detail, sizeof(result->detail),
		"wrote %llu bytes %s buffer \"%s\" (%llu bytes), the first %llu bytes %s",
		(unsigned long long)results[0], behind ? "behind" : "before",
		self->setup->arguments[argument].name, (unsigned long long)buffer->bytes,
		(unsigned long long)(behind ? results[1] : ZONE_BYTES - results[1]),
		behind ? "after its end" : "ahead of its start");
	return AT_OUTCOME_OUT_OF_BOUNDS;
}

static enum at_outcome check_input(struct at_bench *self, size_t argument,
	struct at_measure_result *result, struct at_error *err)
{
	uint64_t sum;
	enum at_outcome outcome = support_checksum(self, argument, &sum, err);

	if (outcome != AT_OUTCOME_OK || sum == self->buffers[argument].checksum)
		return outcome;
	snprintf(result->detail, sizeof(result->detail),
		"wrote into \"%s\", which is an input", self->setup->arguments[argument].name);
	return AT_OUTCOME_OUT_OF_BOUNDS;
}

static enum at_outcome check_output(struct at_bench *self, size_t argument,
	struct at_measure_result *result, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	struct buffer *buffer = &self->buffers[argument];
	uint64_t count = buffer->count * facts->lanes;
	struct at_parameter_value values[7];
	uint64_t results[4];
	char actual[48], expected[48];
	double worst;
	enum at_outcome outcome;

	values[0] = value_u64(buffer_address(self, argument));
	values[1] = value_u64(self->device->ops->address(self->device, buffer->expected) +
		ZONE_BYTES);
	values[2] = value_u64(count);
	values[3] = value_u32(facts->element);
	values[4] = value_real(facts->rtol);
	values[5] = value_real(facts->atol);
	outcome = support_check(self, SUPPORT_COMPARE, values, 6, count, results, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	memcpy(&worst, &results[2], sizeof(worst));
	if (worst > result->max_relative_error)
		result->max_relative_error = worst;
	if (results[0] == 0)
		return AT_OUTCOME_OK;
	read_value(self, argument, buffer->memory, results[1], actual, sizeof(actual));
	read_value(self, argument, buffer->expected, results[1], expected, sizeof(expected));
	snprintf(result->detail, sizeof(result->detail),
		"%s[%llu] is %s, expected %s; %llu of %llu values differ", facts->name,
		(unsigned long long)results[1], actual, expected,
		(unsigned long long)results[0], (unsigned long long)count);
	return AT_OUTCOME_WRONG_RESULT;
}

/* astray writes first: where they are, a wrong output is only a consequence */
enum at_outcome verify_outputs(struct at_bench *self, struct at_measure_result *result,
	struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;
	const struct at_measure_setup *setup = self->setup;

	for (uint32_t i = 0; i < setup->argument_count && outcome == AT_OUTCOME_OK; i++) {
		enum at_access access = setup->arguments[i].access;

		if (access == AT_ACCESS_NONE)
			continue;
		outcome = check_zone(self, i, false, result, err);
		if (outcome == AT_OUTCOME_OK)
			outcome = check_zone(self, i, true, result, err);
		if (outcome == AT_OUTCOME_OK && access == AT_ACCESS_IN)
			outcome = check_input(self, i, result, err);
	}
	if (setup->reference == AT_REFERENCE_NONE)
		return outcome;
	for (uint32_t i = 0; i < setup->argument_count && outcome == AT_OUTCOME_OK; i++)
		if (self->buffers[i].expected)
			outcome = check_output(self, i, result, err);
	return outcome;
}

enum at_outcome verify_once(struct at_bench *self, const struct candidate *candidate,
	unsigned poison, struct at_measure_result *result, struct at_error *err)
{
	const struct at_device_ops *ops = self->device->ops;
	struct at_invocation calls[3];
	size_t count = 0;
	enum at_outcome outcome = bench_restore(self, poison, err);

	if (candidate->prepare.invocation.kernel)
		calls[count++] = candidate->prepare.invocation;
	calls[count++] = candidate->kernel.invocation;
	if (candidate->finish.invocation.kernel)
		calls[count++] = candidate->finish.invocation;
	for (size_t i = 0; i < count && outcome == AT_OUTCOME_OK; i++)
		outcome = ops->run(self->device, &calls[i], 1, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_outputs(self, result, err);
	return outcome;
}
