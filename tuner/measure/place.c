/* Says where data and its zones lie, and which place of an argument a launch or a
   comparison uses. */
#include "measure/place.h"
#include "base/memory.h"
#include "base/text.h"

uint64_t place_address(const struct at_measure_context *self, const struct place *place)
{
	return self->device->ops->address(self->device, place->memory) +
	       place->offset_bytes;
}

/* Unmapped memory precedes the inputs of set 0 and follows those of set 1. Reads past
   the end are the more common mistake, so a single set lies at the end of its pages. */
enum side place_side_of_set(const struct at_measure_context *self, unsigned set)
{
	return self->set_count > 1 && set == 0 ? SIDE_START : SIDE_END;
}

struct place *buffer_place(
	const struct at_measure_context *self, size_t argument, struct staging staging)
{
	bool is_input = self->setup->arguments[argument].access == AT_ACCESS_IN;

	return &self->buffers[argument]
			.places[is_input ? place_side_of_set(self, staging.set)
					 : staging.side];
}

const struct place *compared_place(
	const struct at_measure_context *self, size_t argument, unsigned set)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	size_t memory = facts->owner ? facts->owner - 1 : argument;
	const struct place *expected = &self->buffers[memory].expected[set];

	return facts->has_fields || !expected->memory ? NULL : expected;
}

const struct place *reference_place(
	const struct at_measure_context *self, size_t argument, unsigned set)
{
	const struct place *expected = &self->buffers[argument].expected[set];
	struct staging staging = { set, SIDE_END };

	return expected->memory ? expected : buffer_place(self, argument, staging);
}

/* fills and comparisons work on single numbers, not on vectors */
uint64_t buffer_scalars(const struct at_measure_context *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	size_t memory = facts->owner ? facts->owner - 1 : argument;

	return self->buffers[memory].count * facts->lanes;
}

uint64_t buffer_offset(
	const struct at_measure_context *self, size_t argument, uint64_t index)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const uint64_t bytes = at_element_bytes(facts->element);
	const uint64_t layout = buffer_layout(self, argument);
	const uint64_t numbers = layout >> 16 & 0xffffff;

	if (!layout)
		return index * bytes;
	return index / numbers * (layout >> 40) + (layout & 0xffff) +
	       index % numbers * bytes;
}

uint64_t buffer_layout(const struct at_measure_context *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];

	if (facts->width)
		return (uint64_t)facts->width * facts->lanes << 16 |
		       (uint64_t)facts->pitch_bytes << 40;
	if (!facts->owner)
		return 0;
	return facts->offset_bytes | (uint64_t)facts->lanes << 16 |
	       (uint64_t)self->setup->arguments[facts->owner - 1].lanes << 40;
}

struct zone place_before(
	const struct at_measure_context *self, const struct place *place)
{
	uint64_t length = place->offset_bytes;

	if (length > ZONE_MOST_BYTES)
		length = ZONE_MOST_BYTES;
	return (struct zone){ place_address(self, place) - length, length };
}

struct zone place_behind(const struct at_measure_context *self,
	const struct place *place, uint64_t bytes)
{
	uint64_t length = place->capacity_bytes - place->offset_bytes - bytes;

	if (length > ZONE_MOST_BYTES)
		length = ZONE_MOST_BYTES;
	return (struct zone){ place_address(self, place) + bytes, length };
}

/* A checker that watches every access knows the ends of each allocation, and zones
   would hide accesses past the data from it. */
uint64_t place_zone_bytes(const struct at_measure_context *self)
{
	return self->setup->watched ? 0 : ZONE_BYTES;
}

void place_fit(const struct at_measure_context *self, size_t argument,
	struct place *place, enum side side, uint64_t alignment)
{
	const uint64_t bytes = self->buffers[argument].bytes;

	if (self->setup->arguments[argument].has_texels)
		alignment = AT_TEXTURE_ALIGNMENT;
	if (!self->is_guarded)
		place->offset_bytes = place_zone_bytes(self);
	else if (side == SIDE_START)
		place->offset_bytes = 0;
	else
		place->offset_bytes =
			(place->capacity_bytes - bytes - place->margin_bytes) /
			alignment * alignment;
}

/*
 * The byte of an argument's zones in a round. A copy of the zone of one buffer into
 * that of another is noticed as long as their bytes differ. A read of a zone, as a tail
 * or a halo, is noticed in a maximum if the value is large, in a minimum if it is low,
 * and in a sum or count if it is not 0. So the kinds are, as numbers of any type:
 * large; large and negative; small; small and negative; NaN; and 0, which stray reads
 * most often take for granted. Large is 0x7b, since 0x7f would be NaN in e4m3, which a
 * maximum passes over: 0x7b7b is 61,280 as a half, and 0x7b 352 as e4m3.
 */
unsigned place_zone_byte(size_t argument, unsigned round)
{
	static const unsigned char kinds[] = { 0x7b, 0xfb, 0x3e, 0xbe, 0xff, 0x00 };
	const unsigned count = AT_COUNT_OF(kinds);

	/* odd rounds are for copies: up to 32 arguments differ, 0xc0 to 0xdf */
	if (round % 2)
		return 0xc5u ^ (unsigned)((argument + round) % 32);
	return kinds[round / 2 % count] ^ (unsigned)(argument % 2);
}

/* Of a buffer's places, those made so far. */
static size_t list_places(const struct buffer *buffer, const struct place **out)
{
	size_t count = 0;

	for (unsigned i = 0; i < SIDE_COUNT; i++)
		if (buffer->places[i].memory)
			out[count++] = &buffer->places[i];
	for (unsigned set = 0; set < SETS; set++) {
		if (buffer->originals[set].memory)
			out[count++] = &buffer->originals[set];
		if (buffer->expected[set].memory)
			out[count++] = &buffer->expected[set];
	}
	return count;
}

void place_tell_fault(const struct at_measure_context *self, enum at_outcome outcome,
	struct at_error *err)
{
	const uint64_t fault = self->device->fault_address;
	uint64_t nearest = AT_GUARD_BYTES;
	int64_t from_start = 0;
	size_t argument = SIZE_MAX;

	if (outcome != AT_OUTCOME_OUT_OF_BOUNDS || !fault || !err)
		return;
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct place *places[SIDE_COUNT + 2 * SETS];
		const size_t count = list_places(&self->buffers[i], places);

		for (size_t k = 0; k < count; k++) {
			const uint64_t first = place_address(self, places[k]);
			const uint64_t end = first + self->buffers[i].bytes;
			const uint64_t away = fault < first  ? first - fault
					      : fault >= end ? fault - end
							     : 0;

			if (away > nearest)
				continue;
			nearest = away;
			from_start = (int64_t)(fault - first);
			argument = i;
		}
	}
	if (argument < SIZE_MAX) {
		const struct buffer *buffer = &self->buffers[argument];
		const char *name = self->setup->arguments[argument].name;
		const int64_t size =
			buffer->count ? (int64_t)(buffer->bytes / buffer->count) : 1;
		/* rounded down: the byte before the first is of element -1 */
		const int64_t index =
			(from_start - (from_start < 0 ? size - 1 : 0)) / size;

		at_text_append(err->text, sizeof(err->text), ": %s[%lld]", name,
			(long long)index);
		if (from_start < 0)
			at_text_append(err->text, sizeof(err->text),
				", %llu bytes before the start of \"%s\"",
				(unsigned long long)nearest, name);
		else if (from_start >= (int64_t)buffer->bytes)
			at_text_append(err->text, sizeof(err->text),
				", %llu bytes past the end of \"%s\"",
				(unsigned long long)nearest, name);
	}
}
