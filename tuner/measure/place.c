/* Where data lies, and which of its places a launch or a comparison means. */
#include "measure/place.h"
#include "base/memory.h"

uint64_t place_address(const struct at_bench *self, const struct place *place)
{
	return self->device->ops->address(self->device, place->memory) +
	       place->offset_bytes;
}

/* set 0 has what comes before its inputs unmapped, set 1 what comes behind: mistakes at
   ends are the more common, so a single set ends with its pages too */
enum side place_side_of_set(const struct at_bench *self, unsigned set)
{
	return self->set_count > 1 && set == 0 ? SIDE_START : SIDE_END;
}

struct place *buffer_place(
	const struct at_bench *self, size_t argument, struct staging staging)
{
	bool is_input = self->setup->arguments[argument].access == AT_ACCESS_IN;

	return &self->buffers[argument]
			.places[is_input ? place_side_of_set(self, staging.set)
					 : staging.side];
}

const struct place *compared_place(
	const struct at_bench *self, size_t argument, unsigned set)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	size_t memory = facts->owner ? facts->owner - 1 : argument;
	const struct place *expected = &self->buffers[memory].expected[set];

	return facts->has_fields || !expected->memory ? NULL : expected;
}

struct place *written_place(
	const struct at_bench *self, size_t argument, struct staging staging)
{
	uint32_t owner = self->setup->arguments[argument].owner;

	return buffer_place(self, owner ? owner - 1 : argument, staging);
}

const struct place *reference_place(
	const struct at_bench *self, size_t argument, unsigned set)
{
	const struct place *expected = &self->buffers[argument].expected[set];
	struct staging staging = { set, SIDE_END };

	return expected->memory ? expected : buffer_place(self, argument, staging);
}

/* fills and comparisons know numbers, not vectors of them */
uint64_t buffer_scalars(const struct at_bench *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	size_t memory = facts->owner ? facts->owner - 1 : argument;

	return self->buffers[memory].count * facts->lanes;
}

struct zone place_before(const struct at_bench *self, const struct place *place)
{
	uint64_t length = place->offset_bytes;

	if (length > ZONE_MOST_BYTES)
		length = ZONE_MOST_BYTES;
	return (struct zone){ place_address(self, place) - length, length };
}

struct zone place_behind(
	const struct at_bench *self, const struct place *place, uint64_t bytes)
{
	uint64_t length = place->capacity_bytes - place->offset_bytes - bytes;

	if (length > ZONE_MOST_BYTES)
		length = ZONE_MOST_BYTES;
	return (struct zone){ place_address(self, place) + bytes, length };
}

/* on each side of what is not guarded; who watches every access sees the ends of
   memory itself, and needs no more than the data */
uint64_t place_zone_bytes(const struct at_bench *self)
{
	return self->setup->watched ? 0 : ZONE_BYTES;
}

void place_fit(const struct at_bench *self, struct place *place, uint64_t bytes,
	enum side side, uint64_t alignment)
{
	if (!self->is_guarded)
		place->offset_bytes = place_zone_bytes(self);
	else if (side == SIDE_START)
		place->offset_bytes = 0;
	else
		place->offset_bytes =
			(place->capacity_bytes - bytes) / alignment * alignment;
}

/*
 * What a zone holds. What is copied from behind one buffer to behind another shows as
 * long as each argument has another byte; a tail or a halo that is read shows when the
 * byte is large where a maximum is taken, small where a minimum is, and not 0 where
 * something is summed or counted. As numbers of any size: large, large and negative
 * (0x7b7b is 61,280 as a half, 0x7b 352 as e4m3, where 0x7f would be NaN, which a
 * maximum passes over), not a number, small, small and negative, and 0, which is what a
 * kernel hopes for.
 */
unsigned place_zone_byte(size_t argument, unsigned round)
{
	static const unsigned char kinds[] = { 0x7b, 0xfb, 0x3e, 0xbe, 0xff, 0x00 };
	const unsigned count = AT_COUNT_OF(kinds);

	/* every other round is for copies: 32 different ones, 0xc0 to 0xdf */
	if (round % 2)
		return 0xc5u ^ (unsigned)((argument + round) % 32);
	return kinds[round / 2 % count] ^ (unsigned)(argument % 2);
}
