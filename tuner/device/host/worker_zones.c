/*
 * Shared memory of a block: where it lies, what it is filled with, and the zones around
 * its variables that show whether a kernel has written beside them.
 */
#include "device/host/worker_parts.h"

#include <stdio.h>
#include <string.h>

/*
 * Templates may ask for more by __align__, but an undefined name does not say so. This
 * is what a GPU provides without being asked.
 */
#define DYNAMIC_ALIGNMENT ((size_t)128)
/*
 * The size of the zone ahead of shared memory: a row of a tile, the usual distance of a
 * mistake with an index.
 */
#define AHEAD_BYTES ((size_t)1024)

size_t worker_static_offset(const struct at_host_launch *launch)
{
	const struct at_host_shared *shared = launch->shared;

	return (STATIC_END - shared->static_bytes) & ~(shared->alignment - 1);
}

size_t worker_dynamic_offset(const struct at_host_launch *launch)
{
	return (DYNAMIC_END - launch->dynamic_bytes) & ~(DYNAMIC_ALIGNMENT - 1);
}

/* A part of shared memory that belongs to no variable, and is checked for writes. */
struct zone {
	const char *place; /* for the message: "behind its variables" */
	size_t offset; /* in the region */
	size_t bytes;
	bool is_ahead;
};

static size_t zone_count(const struct at_host_launch *launch)
{
	return 4 + launch->shared->gap_count;
}

static struct zone zone_at(const struct at_host_launch *launch, size_t index)
{
	const struct at_host_shared *shared = launch->shared;
	size_t first = worker_static_offset(launch),
	       dynamic = worker_dynamic_offset(launch);
	size_t end = first + shared->static_bytes;
	size_t dynamic_end = dynamic + launch->dynamic_bytes;
	const struct at_host_gap *gap;

	switch (index) {
	case 0:
		return (struct zone){ "ahead of its variables", first - AHEAD_BYTES,
			AHEAD_BYTES, true };
	case 1:
		return (struct zone){ "behind its variables", end, STATIC_END - end,
			false };
	case 2:
		return (struct zone){ "ahead of the dynamic part",
			dynamic - AHEAD_BYTES, AHEAD_BYTES, true };
	case 3:
		return (struct zone){ "behind the dynamic part", dynamic_end,
			DYNAMIC_END - dynamic_end, false };
	}
	gap = &shared->gaps[index - 4];
	return (struct zone){ "behind one of its variables", first + gap->offset,
		gap->bytes, false };
}

/*
 * Bytes that a kernel must not rely on. As floats or integers they are NaN or -1; very
 * large; very small (far below 0); barely above 0; barely below 0 (as an integer far
 * below); 0. A sum, maximum, minimum or count that begins with such a value is wrong
 * for one of them.
 */
static const unsigned char leftovers[] = { 0xff, 0x7f, 0xfe, 0x01, 0x81, 0x00 };

unsigned char worker_leftover(const struct at_host_worker *self, uint64_t shift)
{
	return leftovers[(self->launch->seed + self->block + shift) %
			 sizeof(leftovers)];
}

/*
 * What zones are filled with. Never 0: kernels fill halos and tails with 0, and such a
 * write would not be noticed.
 */
static unsigned char canary_of(const struct at_host_worker *self)
{
	unsigned char byte = worker_leftover(self, 0);

	return byte ? byte : 0xa5;
}

void worker_fill_shared(struct at_host_worker *self)
{
	const struct at_host_launch *launch = self->launch;
	size_t first = worker_static_offset(launch),
	       dynamic = worker_dynamic_offset(launch);
	char *region = (char *)self;

	memset(region + first, worker_leftover(self, 0), STATIC_END - first);
	memset(region + dynamic, worker_leftover(self, 0), DYNAMIC_END - dynamic);
	for (size_t i = 0; i < zone_count(launch); i++) {
		struct zone zone = zone_at(launch, i);

		memset(region + zone.offset, canary_of(self), zone.bytes);
	}
	self->is_filled = true;
}

void worker_describe_zone(struct at_host_worker *self)
{
	const struct at_host_uint3 *block = &self->context.block;
	unsigned char canary = canary_of(self);

	for (size_t i = 0; i < zone_count(self->launch); i++) {
		struct zone zone = zone_at(self->launch, i);
		const unsigned char *bytes = (unsigned char *)self + zone.offset;
		size_t at = 0;

		while (at < zone.bytes && bytes[at] == canary)
			at++;
		if (at == zone.bytes)
			continue;
		snprintf(self->launch->failure, AT_HOST_FAILURE_BYTES,
			"kernel \"%.100s\", block (%u, %u, %u) wrote to shared memory %zu bytes %s (%zu bytes of variables, %zu bytes dynamic)",
			self->launch->kernel->name, block->x, block->y, block->z,
			zone.is_ahead ? zone.bytes - at : at, zone.place,
			self->launch->shared->static_bytes,
			self->launch->dynamic_bytes);
		return;
	}
}

bool worker_zones_are_whole(const struct at_host_worker *self)
{
	unsigned char canary = canary_of(self);

	for (size_t i = 0; i < zone_count(self->launch); i++) {
		struct zone zone = zone_at(self->launch, i);
		const unsigned char *bytes = (const unsigned char *)self + zone.offset;

		if (zone.bytes && (bytes[0] != canary ||
					  memcmp(bytes, bytes + 1, zone.bytes - 1)))
			return false;
	}
	return true;
}
