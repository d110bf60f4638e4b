/*
 * The memory of a bench: makes buffers, fills their zones, protects them, fits scratch
 * to a configuration, restores contents before launches, and frees everything. place.c
 * says where data lies in its memory.
 */
#include "measure/buffers.h"
#include "measure/place.h"
#include "measure/support.h"
#include "measure/trip.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- zones ------------------------------------------------------------------ */

static void list_zone(struct at_measure_context *self, struct call_list *list,
	struct zone zone, unsigned byte)
{
	if (zone.bytes)
		support_pattern(self, list, zone.address, zone.bytes, byte);
}

void list_place_zones(struct at_measure_context *self, struct call_list *list,
	size_t argument, struct place *place, unsigned byte)
{
	place->zone = byte;
	list_zone(self, list, place_before(self, place), byte);
	list_zone(self, list, place_behind(self, place, self->buffers[argument].bytes),
		byte);
	support_padding(self, list, argument, place, value_u64(0));
}

void list_zones(struct at_measure_context *self, struct call_list *list,
	struct staging staging, unsigned round)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		enum at_access access = self->setup->arguments[i].access;

		/* inputs are read-only by now: their zones change only when they are
		   filled */
		if (access == AT_ACCESS_NONE || access == AT_ACCESS_IN)
			continue;
		list_place_zones(self, list, i, buffer_place(self, i, staging),
			place_zone_byte(i, round));
	}
}

/* ---- one place -------------------------------------------------------------- */

/* Sets the size of a buffer. Counts come from the space's expressions, so they may be
   larger than any machine allows. */
static enum at_status place_size(struct at_measure_context *self, size_t argument,
	uint64_t count, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	uint64_t most_bytes = facts->width
				      ? facts->pitch_bytes
				      : facts->lanes * at_element_bytes(facts->element);

	/* not AT_ENOMEM, since freeing memory would not help */
	if (count > INT64_MAX / most_bytes)
		return at_fail(err, AT_EOVERFLOW, NULL, 0,
			"argument \"%s\": %llu elements are more than any device holds; choose a smaller problem",
			facts->name, (unsigned long long)count);
	self->buffers[argument].count = count;
	self->buffers[argument].bytes = at_measure_bytes(facts, count);
	return AT_OK;
}

/*
 * The system puts memory of a kind into one part of the address space, so that buffers
 * have the same high bits in all launches, and a kernel that is right for these alone
 * would pass. So in verifications each buffer comes to lie somewhere else. What is
 * timed stays where the system puts it, as in the user's program.
 */
static uint64_t draw_apart(struct at_measure_context *self)
{
	struct at_random random;

	if (!self->setup->is_for_verifications)
		return 0;
	/* the mask is not known to whoever knows this source */
	at_random_init(&random, self->mask + self->places_made++);
	return at_random_below(&random, AT_APART_BYTES);
}

enum at_status place_make(struct at_measure_context *self, size_t argument,
	enum side side, struct place *out, struct at_error *err)
{
	uint64_t bytes = self->buffers[argument].bytes;
	const struct at_device_ops *ops = self->device->ops;
	struct at_error reason = { 0 };
	enum at_status status;
	struct place place = { 0 };

	if (self->is_guarded) {
		if (self->setup->arguments[argument].has_map)
			place.margin_bytes = self->device->map_reach_bytes;
		self->device->extra_gap_bytes = draw_apart(self);
		status = ops->allocate_guarded(self->device, bytes + place.margin_bytes,
			&place.memory, &reason);
		self->device->extra_gap_bytes = 0;
		if (!status)
			place.capacity_bytes = ops->mapped(self->device, place.memory);
	} else {
		/* The zone behind the data ends on a boundary. A checker that watches
		   sees the tuner's own kernels too, which compare and mask 16 bytes at
		   a time, so those 16 bytes have to be allocated. */
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
	place_fit(self, argument, &place, side, ALIGNMENT);
	list_place_zones(self, &self->queue, argument, &place,
		place_zone_byte(argument, (unsigned)side));
	status = bench_run_own(self, "laying zones around", argument, err);
	if (status)
		ops->release(self->device, place.memory);
	else
		*out = place;
	return status;
}

void place_free(struct at_measure_context *self, struct place *place)
{
	if (place->memory) {
		self->device->ops->release(self->device, place->memory);
		self->shared->remapped_ns = at_clock_now_ns();
	}
	memset(place, 0, sizeof(*place));
}

enum at_status place_protect(struct at_measure_context *self, const struct place *place,
	enum at_protection protection, struct at_error *err)
{
	if (!self->is_guarded || !place->memory)
		return AT_OK;
	self->shared->remapped_ns = at_clock_now_ns();
	return self->device->ops->protect(self->device, place->memory, protection, err);
}

static bool is_file(const char *name, const char *path)
{
	return name && !strcmp(name, path);
}

/* The hash that a file had when keys were made of it; zero: it was not hashed. */
static struct at_hash known_contents(
	const struct at_measure_setup *setup, const char *path)
{
	struct at_hash known = { 0 };

	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (is_file(setup->arguments[i].file, path))
			known = setup->arguments[i].contents;
	for (uint32_t i = 0; i < setup->set_count; i++)
		for (uint32_t k = 0; k < setup->sets[i].fill_count; k++)
			if (is_file(setup->sets[i].fills[k].file, path))
				known = setup->sets[i].fills[k].contents;
	for (uint32_t i = 0; i < setup->file_count; i++)
		if (is_file(setup->files[i].path, path))
			known = setup->files[i].contents;
	return known;
}

enum at_status bench_check_contents(const char *path, struct at_hash now,
	struct at_hash known, struct at_error *err)
{
	if ((!known.low && !known.high) || at_hash_equal(now, known))
		return AT_OK;
	return at_fail(err, AT_EINVAL, path, 0,
		"was changed while it is in use: run the same command again; what was measured before is kept");
}

/* The contents of a file, whose rows follow each other, with the padding of rows.
   Replaces data. */
static char *pad_rows(const struct at_measure_context *self, size_t argument,
	const struct place *place, char *data, size_t size)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	const uint64_t rows = self->buffers[argument].bytes / facts->pitch_bytes;
	char *padded = at_calloc(self->buffers[argument].bytes, 1);

	memset(padded, (int)place->zone, self->buffers[argument].bytes);
	for (uint64_t row = 0; row < rows; row++)
		memcpy(padded + row * facts->pitch_bytes, data + row * (size / rows),
			size / rows);
	free(data);
	return padded;
}

enum at_status place_upload(struct at_measure_context *self, size_t argument,
	const char *path, const struct place *place, struct at_error *err)
{
	struct at_hash contents = { 0 };
	uint64_t held = 0;
	enum at_status status = at_file_check(path, &held, err);
	const uint64_t bytes =
		buffer_scalars(self, argument) *
		at_element_bytes(self->setup->arguments[argument].element);
	char *data;
	size_t size;

	/* a file of another size is for another problem, so it is not read at all */
	if (!status && held != bytes)
		return at_fail(err, AT_EINVAL, path, 0,
			"holds %llu bytes, but argument \"%s\" has %llu",
			(unsigned long long)held, self->setup->arguments[argument].name,
			(unsigned long long)bytes);
	if (!status)
		status = at_file_read(path, bytes, &data, &size, err);
	if (status)
		return status;
	if (size != bytes)
		status = at_fail(err, AT_EINVAL, path, 0, "changed while it was read");
	else
		contents = at_hash_pieces(data, size);
	if (!status)
		status = bench_check_contents(
			path, contents, known_contents(self->setup, path), err);
	if (!status && self->setup->arguments[argument].width)
		data = pad_rows(self, argument, place, data, size);
	if (!status)
		status = self->device->ops->write(self->device, place->memory,
			place->offset_bytes, data, self->buffers[argument].bytes, err);
	free(data);
	return status;
}

/* ---- the buffers of a problem ----------------------------------------------- */

static enum at_status make_buffer(
	struct at_measure_context *self, size_t argument, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	struct buffer *buffer = &self->buffers[argument];
	enum at_access access = facts->access;
	const bool is_compared = self->setup->reference != AT_REFERENCE_NONE &&
				 (access == AT_ACCESS_OUT || access == AT_ACCESS_INOUT);
	enum at_status status;

	status = place_size(self, argument, self->setup->bindings[argument].count, err);
	if (!status && access != AT_ACCESS_IN)
		status = place_make(
			self, argument, SIDE_END, &buffer->places[SIDE_END], err);
	for (unsigned set = 0; set < self->set_count && !status; set++) {
		enum side side = place_side_of_set(self, set);

		if (access == AT_ACCESS_IN)
			status = place_make(
				self, argument, side, &buffer->places[side], err);
		if (!status && is_compared)
			status = place_make(
				self, argument, side, &buffer->expected[set], err);
	}
	return status;
}

void buffers_free(struct at_measure_context *self)
{
	for (uint32_t i = 0; self->buffers && i < self->setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];

		for (int side = 0; side < SIDE_COUNT; side++)
			place_free(self, &buffer->places[side]);
		for (unsigned set = 0; set < SETS; set++) {
			place_free(self, &buffer->expected[set]);
			place_free(self, &buffer->originals[set]);
		}
		free(buffer->contents);
		memset(buffer, 0, sizeof(*buffer));
	}
}

static enum at_status make_each(struct at_measure_context *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; !status && i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access != AT_ACCESS_NONE)
			status = make_buffer(self, i, err);
	return status;
}

/*
 * Without room for two sets, one set has to do. Where other benches exist AT_ENOMEM is
 * returned instead, so that the caller can free one and try again with two sets.
 */
enum at_status buffers_make(
	struct at_measure_context *self, bool is_alone, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status = make_each(self, &reason);

	if (status == AT_ENOMEM && is_alone && self->set_count > 1) {
		buffers_free(self);
		self->set_count = 1;
		memset(&reason, 0, sizeof(reason));
		status = make_each(self, &reason);
	}
	if (status && err)
		*err = reason;
	return status;
}

uint64_t buffers_bytes(const struct at_measure_context *self)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct buffer *buffer = &self->buffers[i];

		for (int side = 0; side < SIDE_COUNT; side++)
			bytes += buffer->places[side].capacity_bytes;
		for (unsigned set = 0; set < SETS; set++)
			bytes += buffer->expected[set].capacity_bytes +
				 buffer->originals[set].capacity_bytes;
	}
	return bytes;
}

enum at_status buffers_make_starts(
	struct at_measure_context *self, struct at_error *err)
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

void buffers_free_starts(struct at_measure_context *self)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access != AT_ACCESS_IN)
			place_free(self, &self->buffers[i].places[SIDE_START]);
}

/* ---- the needs of one configuration ------------------------------------------ */

/*
 * Freeing and allocating wait for the whole device, a millisecond if the memory is
 * large. So scratch only ever grows: a smaller size uses the same memory with new
 * zones.
 */
static enum at_status fit_scratch(
	struct at_measure_context *self, size_t argument, struct at_error *err)
{
	struct buffer *buffer = &self->buffers[argument];
	struct place *place = &buffer->places[SIDE_END];
	uint64_t around =
		self->is_guarded ? place->margin_bytes : 2 * place_zone_bytes(self);

	if (place->memory && buffer->bytes + around <= place->capacity_bytes) {
		place_fit(self, argument, place, SIDE_END, ALIGNMENT);
		list_place_zones(self, &self->queue, argument, place, place->zone);
		return bench_run_own(self, "laying zones around", argument, err);
	}
	/* the old memory is freed first, as there may be no room for both */
	place_free(self, place);
	return place_make(self, argument, SIDE_END, place, err);
}

enum at_status buffers_fit_scratch(struct at_measure_context *self,
	const struct at_measure_binding *bindings, struct at_error *err)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct at_measure_argument *facts = &self->setup->arguments[i];
		struct buffer *buffer = &self->buffers[i];
		enum at_status status;

		/* the usual case: the size is right, and no trip is needed */
		if (facts->access == AT_ACCESS_NONE ||
			buffer->count == bindings[i].count)
			continue;
		/* with inputs of another size the reference would be another one */
		if (facts->access != AT_ACCESS_SCRATCH)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"argument \"%s\": its count depends on the configuration, which only scratch may: make it scratch, which \"prepare\" fills or \"finish\" reads",
				facts->name);
		status = place_size(self, i, bindings[i].count, err);
		if (!status)
			status = fit_scratch(self, i, err);
		if (status) {
			/* so that the next configuration does not take it to fit */
			buffer->count = 0;
			return status;
		}
	}
	return AT_OK;
}

void list_restore(struct at_measure_context *self, struct call_list *list,
	struct staging staging, unsigned poison, bool inout_only)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		enum at_access access = self->setup->arguments[i].access;
		uint64_t address;

		if (access == AT_ACCESS_NONE || access == AT_ACCESS_IN)
			continue;
		address = place_address(self, buffer_place(self, i, staging));
		/* filled again, which needs no second buffer to copy from */
		if (access == AT_ACCESS_INOUT)
			support_fill(self, list, i, address, &self->data[staging.set]);
		else if (!inout_only && !self->setup->watched && poison > 0xff)
			support_garbage(
				self, list, address, self->buffers[i].bytes, poison);
		else if (!inout_only && !self->setup->watched)
			support_pattern(
				self, list, address, self->buffers[i].bytes, poison);
		/* which the poison or the copy of a file has overwritten */
		support_padding(
			self, list, i, buffer_place(self, i, staging), value_u64(0));
	}
}
