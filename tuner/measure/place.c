/* Where data lies: memory with its zones, against pages that are not there. */
#include "measure/bench.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct place *buffer_place(
	const struct at_bench *self, size_t argument, struct staging staging)
{
	bool is_input = self->setup->arguments[argument].access == AT_ACCESS_IN;

	return &self->buffers[argument]
			.places[is_input ? place_side_of_set(self, staging.set)
					 : staging.side];
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

/* fills and comparisons know numbers, not vectors of them */
uint64_t buffer_scalars(const struct at_bench *self, size_t argument)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	size_t memory = facts->owner ? facts->owner - 1 : argument;

	return self->buffers[memory].count * facts->lanes;
}

/* sizes follow from expressions: what they ask for may be beyond any machine */
enum at_status place_size(
	struct at_bench *self, size_t argument, uint64_t count, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	uint64_t element_bytes = facts->lanes * at_element_bytes(facts->element);

	/* not AT_ENOMEM: to free something would not help */
	if (count > INT64_MAX / element_bytes)
		return at_fail(err, AT_EOVERFLOW, NULL, 0,
			"argument \"%s\": %llu elements are more than any device holds; choose a smaller problem",
			facts->name, (unsigned long long)count);
	self->buffers[argument].count = count;
	self->buffers[argument].bytes = count * element_bytes;
	return AT_OK;
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

static void list_zone(
	struct at_bench *self, struct call_list *list, struct zone zone, unsigned byte)
{
	if (zone.bytes)
		support_pattern(self, list, zone.address, zone.bytes, byte);
}

void list_place_zones(struct at_bench *self, struct call_list *list,
	struct place *place, uint64_t bytes, unsigned byte)
{
	place->zone = byte;
	list_zone(self, list, place_before(self, place), byte);
	list_zone(self, list, place_behind(self, place, bytes), byte);
}

void list_zones(struct at_bench *self, struct call_list *list, struct staging staging,
	unsigned round)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		enum at_access access = self->setup->arguments[i].access;

		/* inputs are read-only by now: theirs change when they are filled */
		if (access == AT_ACCESS_NONE || access == AT_ACCESS_IN)
			continue;
		list_place_zones(self, list, buffer_place(self, i, staging),
			self->buffers[i].bytes, place_zone_byte(i, round));
	}
}

/* on each side of what is not guarded; who watches every access sees the ends of
   memory itself, and needs no more than the data */
uint64_t place_zone_bytes(const struct at_bench *self)
{
	return self->setup->watched ? 0 : ZONE_BYTES;
}

/* as near to the end of its pages as the alignment lets it lie */
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

/* Memory for an argument, all of it zone until something is put there. */
enum at_status place_make(struct at_bench *self, size_t argument, enum side side,
	struct place *out, struct at_error *err)
{
	uint64_t bytes = self->buffers[argument].bytes;
	const struct at_device_ops *ops = self->device->ops;
	struct at_error reason = { 0 };
	enum at_status status;
	struct place place = { 0 };

	if (self->is_guarded) {
		status = ops->allocate_guarded(
			self->device, bytes, &place.memory, &reason);
		if (!status)
			place.capacity_bytes = ops->mapped(self->device, place.memory);
	} else {
		/* so that the zone behind the data ends on a boundary; who watches sees
		   our own kernels too, which compare and mask 16 bytes at a time */
		uint64_t step = self->setup->watched ? 16 : ALIGNMENT;

		place.capacity_bytes =
			(bytes + 2 * place_zone_bytes(self) + step - 1) / step * step;
		status = ops->allocate(
			self->device, place.capacity_bytes, &place.memory, &reason);
	}
	if (status)
		return at_fail(err, status, NULL, 0,
			"argument \"%s\": %llu bytes do not fit on %s (%s); choose a smaller problem",
			self->setup->arguments[argument].name,
			(unsigned long long)bytes, self->device->info.id, reason.text);
	place_fit(self, &place, bytes, side, ALIGNMENT);
	list_place_zones(self, &self->queue, &place, bytes,
		place_zone_byte(argument, (unsigned)side));
	status = bench_run_own(self, "laying zones around", argument, err);
	if (status)
		ops->release(self->device, place.memory);
	else
		*out = place;
	return status;
}

void place_free(struct at_bench *self, struct place *place)
{
	if (place->memory)
		self->device->ops->release(self->device, place->memory);
	memset(place, 0, sizeof(*place));
}

enum at_status place_protect(struct at_bench *self, const struct place *place,
	enum at_protection protection, struct at_error *err)
{
	if (!self->is_guarded || !place->memory)
		return AT_OK;
	return self->device->ops->protect(self->device, place->memory, protection, err);
}

enum at_status bench_make_starts(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++) {
		enum at_access access = self->setup->arguments[i].access;
		struct place *place = &self->buffers[i].places[SIDE_START];

		if (access != AT_ACCESS_NONE && access != AT_ACCESS_IN &&
			!place->memory)
			status = place_make(self, i, SIDE_START, place, err);
	}
	return status;
}

void bench_free_starts(struct at_bench *self)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access != AT_ACCESS_IN)
			place_free(self, &self->buffers[i].places[SIDE_START]);
}
