/*
 * Verifies launches. What is checked, what that catches, and when:
 *
 *   outputs against the reference's   wrong results; unwritten values, since outputs
 *                                     hold poison before; races, if they show. After
 *                                     every verification, and after the timed launches.
 *   pages around buffers              reads and writes outside of them, and writes to
 *                                     inputs: these trap, in every launch.
 *   the zones between data and pages  writes a little before or behind a buffer.
 *   variables of the module           results that a launch keeps for the next one: the
 *                                     variables are restored ahead of timed launches
 *                                     (candidate.keeps_state).
 *
 * Where a device cannot guard memory, checksums of inputs and of expected outputs are
 * compared instead of the pages.
 *
 * Zones and checksums are called the borders. They protect the configurations that come
 * later, so they are checked once, after the last launch (queue_borders()).
 */
#include "measure/verify.h"
#include "measure/buffers.h"
#include "measure/checks.h"
#include "measure/place.h"
#include "measure/support.h"
#include "measure/tolerance.h"
#include "measure/trip.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- judging a round of checks ------------------------------------------------- */

/* Unmasks a few bytes at an offset; the same function as at_mask() of support.cu. */
static void unmask(unsigned char *raw, uint64_t offset, size_t bytes, uint64_t mask)
{
	for (size_t i = 0; mask && i < bytes; i++) {
		uint64_t at = offset + i, word = at / 8;
		uint64_t z = mask + (word + 1) * 0x9e3779b97f4a7c15u;

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		z ^= z >> 31;
		raw[i] ^= (unsigned char)(z >> (8 * (at % 8)));
	}
}

/* One scalar of a buffer as text, with enough digits to tell it from its neighbours. It
   costs a trip, but only for outputs that are wrong. */
static void read_value(struct at_measure_context *self, size_t argument,
	const struct place *place, uint64_t index, uint64_t mask, char *text,
	size_t size)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	enum at_element element = facts->element;
	size_t bytes = at_element_bytes(element);
	uint64_t offset = buffer_offset(self, argument, index);
	unsigned char raw[8] = { 0 };
	uint64_t bits = 0;
	int64_t whole;

	/* only people read this text: a value that cannot be read changes no outcome */
	if (self->device->ops->read(self->device, place->memory,
		    place->offset_bytes + offset, raw, bytes, NULL)) {
		snprintf(text, size, "unreadable");
		return;
	}
	unmask(raw, offset, bytes, mask);
	memcpy(&bits, raw, sizeof(bits));
	switch (at_element_kind(element)) {
	case AT_ELEMENT_KIND_REAL:
		snprintf(text, size, "%.9g", at_element_load(element, raw));
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

/* Writes "y[17]", in rows with padding "y[2][1]", or for a field
   "particles[17].position[2]". */
static void name_value(const struct at_measure_context *self, size_t argument,
	uint64_t index, struct at_strbuf *out)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const uint64_t row = (uint64_t)facts->width * facts->lanes;
	const char *name = facts->name;
	int length = (int)strlen(name);

	if (row) {
		at_strbuf_addf(out, "%s[%llu][%llu]", name,
			(unsigned long long)(index / row),
			(unsigned long long)(index % row));
		return;
	}
	if (facts->owner)
		length = (int)strlen(self->setup->arguments[facts->owner - 1].name);
	at_strbuf_addf(out, "%.*s[%llu]%s", length, name,
		(unsigned long long)(facts->owner ? index / facts->lanes : index),
		name + length);
	if (facts->owner && facts->lanes > 1)
		at_strbuf_addf(
			out, "[%llu]", (unsigned long long)(index % facts->lanes));
}

/*
 * Queues the checks of what a configuration must leave alone because later ones depend
 * on it: the zones of all buffers and, where a device cannot protect them, the inputs
 * and the expected outputs, in case a write went so far astray that no zone saw it.
 * Nothing repairs any of these, so one check after the last launch sees what any launch
 * did (unless a later launch undid it). It reads all inputs and expected outputs, which
 * takes as long as the kernel where these are large.
 */
static void queue_borders(struct at_measure_context *self, enum side side)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		enum at_access access = self->setup->arguments[i].access;
		const struct buffer *buffer = &self->buffers[i];

		if (access == AT_ACCESS_NONE)
			continue;
		if (access != AT_ACCESS_IN)
			check_queue_zones(self, i, &buffer->places[side], CHECK_BEFORE,
				CHECK_BEHIND);
		for (unsigned set = 0; set < self->set_count && !self->is_guarded;
			set++) {
			if (access == AT_ACCESS_IN)
				check_queue_read_only(self, i, set);
			if (buffer->expected[set].memory)
				check_queue_expected(self, i, set);
		}
	}
}

static enum at_outcome judge_sums(const struct at_measure_context *self, unsigned set,
	struct at_measure_result *result)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct buffer *buffer = &self->buffers[i];
		const char *name = self->setup->arguments[i].name;

		if (self->setup->arguments[i].access == AT_ACCESS_IN &&
			check_sum(self, i, CHECK_INPUT, set) !=
				buffer->checksums[set]) {
			snprintf(result->detail, sizeof(result->detail),
				"wrote into \"%s\", which is an input", name);
			return AT_OUTCOME_OUT_OF_BOUNDS;
		}
		if (buffer->expected[set].memory &&
			check_sum(self, i, CHECK_EXPECTED, set) !=
				buffer->expected_checksums[set]) {
			snprintf(result->detail, sizeof(result->detail),
				"wrote far outside its buffers, into what the reference gave for \"%s\"",
				name);
			return AT_OUTCOME_OUT_OF_BOUNDS;
		}
	}
	return AT_OUTCOME_OK;
}

static enum at_outcome judge_borders(struct at_measure_context *self, enum side side,
	struct at_measure_result *result)
{
	struct staging staging = { 0, side };
	enum at_outcome outcome = judge_zones(self, staging, false, result);

	self->is_unwatched = false;
	for (unsigned set = 0;
		set < self->set_count && !self->is_guarded && outcome == AT_OUTCOME_OK;
		set++)
		outcome = judge_sums(self, set, result);
	return outcome;
}

/* A value that CUDA leaves undefined is the likeliest reason. Before a launch outputs
   of reals hold NaN: a value that is still NaN was not written, or the kernel added to
   what it found there. */
static void explain_value(const struct at_measure_context *self, size_t argument,
	const char *actual, struct at_measure_result *result)
{
	if (self->device->undefined[0])
		at_text_append(result->detail, sizeof(result->detail), "; %s",
			self->device->undefined);
	else if (at_data_access(self->setup, argument) == AT_ACCESS_OUT &&
		 strstr(actual, "nan"))
		at_text_append(result->detail, sizeof(result->detail),
			"; not written (does the launch reach it?), or made of unwritten data: an output that a kernel adds to is \"inout\"");
}

static enum at_outcome judge_output(struct at_measure_context *self,
	const struct candidate *candidate, size_t argument, struct staging staging,
	struct at_measure_result *result)
{
	const uint64_t *found = check_result(self, argument, CHECK_OUTPUT);
	const double odd = ceil(self->setup->arguments[argument].outliers *
				(double)buffer_scalars(self, argument));
	uint64_t first = check_first(self, argument, CHECK_OUTPUT);
	struct at_strbuf name = { 0 };
	char actual[48], expected[48];

	/* the errors of outliers are no evidence of rounding */
	if (found[0] == 0 || (double)found[0] > odd)
		tolerance_note_errors(self, argument, found, result);
	else
		return AT_OUTCOME_OK;
	if (found[0] == 0)
		return tolerance_is_abused(self, argument, staging.set, found,
			       result->detail, sizeof(result->detail))
			       ? AT_OUTCOME_WRONG_RESULT
			       : AT_OUTCOME_OK;
	read_value(self, argument, candidate_output(self, candidate, argument, staging),
		first, 0, actual, sizeof(actual));
	read_value(self, argument, compared_place(self, argument, staging.set), first,
		self->mask, expected, sizeof(expected));
	name_value(self, argument, first, &name);
	snprintf(result->detail, sizeof(result->detail),
		"%s is %s, expected %s; %llu of %llu values differ",
		at_strbuf_text(&name), actual, expected, (unsigned long long)found[0],
		(unsigned long long)buffer_scalars(self, argument));
	at_strbuf_release(&name);
	/* no tolerance allows others */
	if (isfinite(strtod(actual, NULL)) && isfinite(strtod(expected, NULL)))
		tolerance_explain(self, argument, staging.set, found, result);
	explain_value(self, argument, actual, result);
	return AT_OUTCOME_WRONG_RESULT;
}

/* ---- verifications ----------------------------------------------------------------
 */

enum at_outcome verify_borders(struct at_measure_context *self,
	struct at_measure_result *result, struct at_error *err)
{
	enum at_outcome outcome;

	check_begin(self);
	queue_borders(self, SIDE_END);
	outcome = check_end(self, err);
	return outcome == AT_OUTCOME_OK ? judge_borders(self, SIDE_END, result)
					: outcome;
}

/* Sends the queue, then checks what these and earlier launches left on a staging. */
static enum at_outcome verify_left(struct at_measure_context *self,
	struct candidate *candidate, struct staging staging, bool watches_borders,
	struct at_measure_result *result, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	enum at_outcome outcome;

	check_begin(self);
	if (watches_borders)
		queue_borders(self, staging.side);
	if (!candidate->keeps_state)
		check_queue_variables(self, &candidate->saved);
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct place *expected = compared_place(self, i, staging.set);

		support_padding(self, &self->queue, i,
			candidate_output(self, candidate, i, staging),
			check_row(self, i, CHECK_PADDING));
		if (expected)
			check_queue_output(self, i,
				candidate_output(self, candidate, i, staging), expected,
				self->mask, tolerance_of(self, i, staging.set));
	}
	outcome = check_end(self, err);
	/* writes outside of buffers first: a wrong output may be their consequence */
	if (outcome == AT_OUTCOME_OK && watches_borders)
		outcome = judge_borders(self, staging.side, result);
	if (outcome == AT_OUTCOME_OK)
		outcome = judge_padding(self, result);
	if (outcome == AT_OUTCOME_OK && check_variables_differ(self))
		candidate->keeps_state = true;
	for (uint32_t i = 0; i < setup->argument_count && outcome == AT_OUTCOME_OK; i++)
		if (compared_place(self, i, staging.set))
			outcome = judge_output(self, candidate, i, staging, result);
	return outcome;
}

enum at_outcome verify_sampled(struct at_measure_context *self,
	struct candidate *candidate, bool watches_borders,
	struct at_measure_result *result, struct at_error *err)
{
	struct staging staging = { candidate->last_set, SIDE_END };
	const struct bound_calls *calls = &candidate->calls[staging.set][staging.side];

	self->device->undefined[0] = '\0'; /* another candidate's */
	list_copy(&self->queue, &calls->timed, true);
	if (calls->finish.invocation.kernel)
		call_list_add(&self->queue, &calls->finish.invocation);
	return verify_left(self, candidate, staging, watches_borders, result, err);
}

/* Queues a kernel of the template behind poison in shared memory. */
static void queue_step(
	struct at_measure_context *self, const struct at_invocation *step)
{
	if (!step->kernel)
		return;
	support_poison_shared(self, &self->queue);
	call_list_add(&self->queue, step);
}

/*
 * Queues launches as users make them, with nothing restored in between. A launch right
 * behind one with the other data finds what that one left. Without such a launch, a
 * kernel that keeps only the result of its last launch still has that of this data.
 */
static void queue_kept(struct at_measure_context *self, struct candidate *candidate,
	struct staging staging, enum finds finds)
{
	const unsigned sets[] = { (staging.set + 1) % self->set_count, staging.set };
	bool is_alone = finds == FINDS_LAST || self->set_count == 1;

	for (size_t i = is_alone ? 1 : 0; i < AT_COUNT_OF(sets); i++) {
		struct staging each = { sets[i], staging.side };
		const struct bound_calls *calls =
			&candidate->calls[each.set][each.side];

		/* inout arguments always hold the data of this launch; only outputs
		   are kept */
		list_restore(self, &self->queue, each, POISON, true);
		candidate_list_prepare(&self->queue, calls);
		candidate_list_launches(candidate, &self->queue, each);
		list_copy(&self->queue, &calls->timed, true);
		if (i == 1 && calls->finish.invocation.kernel)
			call_list_add(&self->queue, &calls->finish.invocation);
	}
}

/*
 * One trip for all launches and checks, and one for the results. A launch that is timed
 * is the last of a trip of its own.
 */
enum at_outcome verify_once(struct at_measure_context *self,
	struct candidate *candidate, struct verification *verification,
	struct at_measure_result *result, struct at_error *err)
{
	struct staging staging = verification->staging;
	const struct bound_calls *calls = &candidate->calls[staging.set][staging.side];
	enum at_outcome outcome = AT_OUTCOME_OK;
	bool is_last = verification->watches_borders;

	verification->launch_ns = 0;
	self->device->undefined[0] = '\0';
	/* before the first launch, since one that fails may have written already */
	self->is_unwatched = true;
	candidate->last_set = staging.set;
	if (verification->finds != FINDS_POISON) {
		queue_kept(self, candidate, staging, verification->finds);
		return verify_left(self, candidate, staging, is_last, result, err);
	}
	list_restore(self, &self->queue, staging, verification->poison, false);
	/* prepare is checked like the kernel, but never timed */
	queue_step(self, &calls->prepare.invocation);
	list_copy(&self->queue, &calls->timed, false);
	/* Where threads cannot be shuffled the kernel starts from an empty cache: loads
	   then take different times, which exposes missing barriers. */
	if (self->setup->cache == AT_CACHE_COLD && !self->device->ops->shuffle_threads)
		support_flush(self, &self->queue);
	for (size_t i = 0; i < calls->timed.count; i++)
		queue_step(self, &calls->timed.launches[i]);
	/* the device tells the time of the last launch alone */
	if (verification->limit_ns > 0 && calls->timed.count == 1) {
		outcome = bench_run_timed(self, &verification->launch_ns, err);
		if (outcome != AT_OUTCOME_OK)
			return outcome;
		is_last = is_last || verification->launch_ns > verification->limit_ns;
	}
	list_copy(&self->queue, &calls->timed, true);
	queue_step(self, &calls->finish.invocation);
	return verify_left(self, candidate, staging, is_last, result, err);
}
