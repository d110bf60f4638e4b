/* The bench: buffers with their zones, made once a problem. */
#include "measure/bench.h"
#include "measure/data.h"
#include "measure/statistics.h"
#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* a board that did nothing for so long may have lowered its clocks */
#define IDLE_NS 50000000u

uint64_t place_address(const struct at_bench *self, const struct place *place)
{
	return self->device->ops->address(self->device, place->memory) +
	       place->offset_bytes;
}

/* set 0 has what comes before its inputs unmapped, set 1 what comes behind: mistakes at
   ends are the more common, so a single set ends with its pages too */
static enum side side_of_set(const struct at_bench *self, unsigned set)
{
	return self->set_count > 1 && set == 0 ? SIDE_START : SIDE_END;
}

struct place *buffer_place(
	const struct at_bench *self, size_t argument, struct staging staging)
{
	bool is_input = self->setup->arguments[argument].access == AT_ACCESS_IN;

	return &self->buffers[argument].places[is_input ? side_of_set(self, staging.set)
							: staging.side];
}

struct zone place_before(
	const struct at_bench *self, const struct place *place, uint64_t bytes)
{
	uint64_t length = place->offset_bytes;

	(void)bytes;
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
	return self->buffers[argument].count * self->setup->arguments[argument].lanes;
}

/* ---- trips ------------------------------------------------------------------ */

bool bench_is_idle(const struct at_bench *self)
{
	return at_clock_now_ns() - self->shared->last_busy_ns > IDLE_NS;
}

/*
 * One short launch does not raise clocks that were down: work prolongs the time in
 * which they are up, and only a warm-up that saw to it begins one.
 */
void bench_stayed_busy(struct at_bench *self, uint64_t start_ns)
{
	if (start_ns - self->shared->last_busy_ns <= IDLE_NS)
		self->shared->last_busy_ns = at_clock_now_ns();
}

enum at_outcome bench_run(struct at_bench *self, struct at_error *err)
{
	uint64_t start_ns = at_clock_now_ns();
	size_t count = self->queue.count;
	enum at_outcome outcome;

	/* first of all: after a failure nothing of it may be sent again */
	self->queue.count = 0;
	if (count == 0)
		return AT_OUTCOME_OK;
	outcome = self->device->ops->run(self->device, self->queue.calls, count, err);
	bench_stayed_busy(self, start_ns);
	return outcome;
}

/* ---- buffers ---------------------------------------------------------------- */

/* The tuner's own kernels alone: what fails here is no configuration's fault. */
static enum at_status run_own(
	struct at_bench *self, const char *what, size_t argument, struct at_error *err)
{
	struct at_error reason = { 0 };

	if (bench_run(self, &reason) == AT_OUTCOME_OK)
		return AT_OK;
	return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
		"%s argument \"%s\" failed: %s", what,
		self->setup->arguments[argument].name, reason.text);
}

/* sizes follow from expressions: what they ask for may be beyond any machine */
static enum at_status size_buffer(
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
 * something is summed or counted. As numbers, of four bytes and of eight: large, large
 * and negative, not a number, small, small and negative, and 0, which is what a kernel
 * hopes for.
 */
static unsigned zone_byte(size_t argument, unsigned round)
{
	static const unsigned char kinds[] = { 0x7f, 0xfe, 0x3e, 0xbe, 0xff, 0x00 };
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
	list_zone(self, list, place_before(self, place, bytes), byte);
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
			self->buffers[i].bytes, zone_byte(i, round));
	}
}

/* on each side of what is not guarded; who watches every access sees the ends of
   memory itself, and needs no more than the data */
static uint64_t zone_bytes(const struct at_bench *self)
{
	return self->setup->watched ? 0 : ZONE_BYTES;
}

/* as near to the end of its pages as the alignment lets it lie */
static void fit_place(const struct at_bench *self, struct place *place, uint64_t bytes,
	enum side side, uint64_t alignment)
{
	if (!self->is_guarded)
		place->offset_bytes = zone_bytes(self);
	else if (side == SIDE_START)
		place->offset_bytes = 0;
	else
		place->offset_bytes =
			(place->capacity_bytes - bytes) / alignment * alignment;
}

/* Memory for an argument, all of it zone until something is put there. */
static enum at_status make_place(struct at_bench *self, size_t argument, enum side side,
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
			(bytes + 2 * zone_bytes(self) + step - 1) / step * step;
		status = ops->allocate(
			self->device, place.capacity_bytes, &place.memory, &reason);
	}
	if (status)
		return at_fail(err, status, NULL, 0,
			"argument \"%s\": %llu bytes do not fit on %s (%s); choose a smaller problem",
			self->setup->arguments[argument].name,
			(unsigned long long)bytes, self->device->info.id, reason.text);
	fit_place(self, &place, bytes, side, ALIGNMENT);
	list_place_zones(
		self, &self->queue, &place, bytes, zone_byte(argument, (unsigned)side));
	status = run_own(self, "laying zones around", argument, err);
	if (status)
		ops->release(self->device, place.memory);
	else
		*out = place;
	return status;
}

static void free_place(struct at_bench *self, struct place *place)
{
	if (place->memory)
		self->device->ops->release(self->device, place->memory);
	memset(place, 0, sizeof(*place));
}

static enum at_status protect_place(struct at_bench *self, const struct place *place,
	enum at_protection protection, struct at_error *err)
{
	if (!self->is_guarded || !place->memory)
		return AT_OK;
	return self->device->ops->protect(self->device, place->memory, protection, err);
}

/* ---- contents --------------------------------------------------------------- */

/*
 * What variables get as well is the same in all sets: it would have to be copied into
 * the module ahead of every launch.
 */
static bool has_symbol(const struct at_bench *self, size_t argument)
{
	const char *symbol = self->setup->arguments[argument].symbol;

	return symbol && symbol[0];
}

static struct at_data data_of(
	const struct at_bench *self, size_t argument, unsigned set)
{
	/* not data[0], which may be a pattern's, or trades places with the other */
	if (has_symbol(self, argument))
		return (struct at_data){ .seed = self->setup->seed,
			.pattern = self->symbols };
	return self->data[set];
}

/* Gives a set's input its contents, in zones of their own, and makes it read-only. */
static enum at_status fill_input(
	struct at_bench *self, size_t argument, unsigned set, struct at_error *err)
{
	const struct at_data data = data_of(self, argument, set);
	struct buffer *buffer = &self->buffers[argument];
	struct place *place = &buffer->places[side_of_set(self, set)];
	enum at_status status = protect_place(self, place, AT_PROTECTION_WRITE, err);
	struct data_fill fill;

	if (status)
		return status;
	data_choose(self->setup, argument, &data, &fill);
	list_place_zones(self, &self->queue, place, buffer->bytes,
		zone_byte(argument, self->fill_count++));
	if (fill.kind != AT_FILL_FILE)
		support_fill(self, &self->queue, argument, place_address(self, place),
			&data);
	status = run_own(self, "filling", argument, err);
	if (!status && fill.kind == AT_FILL_FILE)
		status = upload_file(self, argument, fill.file, place, err);
	return status ? status : protect_place(self, place, AT_PROTECTION_READ, err);
}

/* What inputs that are not guarded sum up to before any kernel but our own has run. */
static enum at_status sum_inputs(
	struct at_bench *self, unsigned set, struct at_error *err)
{
	const struct at_measure_setup *setup = self->setup;
	struct at_error reason = { 0 };

	if (self->is_guarded)
		return AT_OK;
	check_begin(self);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		if (setup->arguments[i].access == AT_ACCESS_IN)
			check_queue_input(self, i, set);
	if (check_end(self, &reason) != AT_OUTCOME_OK)
		return at_fail(err, reason.status ? reason.status : AT_EDEVICE, NULL, 0,
			"summing the inputs failed: %s", reason.text);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		self->buffers[i].checksums[set] =
			check_result(self, i, (enum check)(CHECK_INPUT + set))[0];
	return AT_OK;
}

static enum at_status fill_set(
	struct at_bench *self, unsigned set, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++)
		if (self->setup->arguments[i].access == AT_ACCESS_IN)
			status = fill_input(self, i, set, err);
	/* of what our own kernels filled, ahead of the reference, which may be wrong */
	return status ? status : sum_inputs(self, set, err);
}

/* Expectations are read by our own kernels alone, and written by the reference. */
static enum at_status protect_expected(struct at_bench *self, unsigned set,
	enum at_protection protection, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++)
		status = protect_place(
			self, &self->buffers[i].expected[set], protection, err);
	return status;
}

/* for bench_set_symbols(): modules come without what was copied into the last */
static enum at_status keep_contents(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++) {
		struct buffer *buffer = &self->buffers[i];
		const struct place *place = &buffer->places[side_of_set(self, 0)];

		if (!has_symbol(self, i))
			continue;
		if (!buffer->contents)
			buffer->contents = malloc(buffer->bytes);
		if (!buffer->contents)
			return at_fail_memory(err);
		status = self->device->ops->read(self->device, place->memory,
			place->offset_bytes, buffer->contents, buffer->bytes, err);
	}
	return status;
}

bool bench_vary_symbols(struct at_bench *self)
{
	bool varies = false;

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct at_measure_argument *facts = &self->setup->arguments[i];

		varies = varies || (has_symbol(self, i) && !facts->is_fixed &&
					   (facts->fill == AT_FILL_UNIFORM ||
						   facts->fill == AT_FILL_NORMAL ||
						   facts->fill == AT_FILL_INDEX));
	}
	/* the same numbers in another order: who asks for a filter that sums up to one
	   gets one */
	if (varies)
		self->symbols = AT_DATA_REVERSED;
	return varies;
}

/*
 * Integers that the reference leaves unwritten cannot be told by themselves: what it
 * leaves from two poisons differs.
 */
static bool has_whole_outputs(const struct at_bench *self)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access == AT_ACCESS_OUT &&
			at_element_kind(self->setup->arguments[i].element) !=
				AT_ELEMENT_KIND_REAL)
			return true;
	return false;
}

static enum at_status expect_twice(
	struct at_bench *self, unsigned set, struct at_error *err)
{
	size_t count = self->setup->argument_count;
	uint64_t *sums = calloc(count + 1, sizeof(*sums));
	enum at_status status;

	if (!sums)
		return at_fail_memory(err);
	status = reference_run(self, set, POISON, err);
	for (size_t i = 0; i < count; i++)
		sums[i] = self->buffers[i].expected_checksums[set];
	if (!status)
		status = reference_run(self, set, POISON_AGAIN, err);
	for (size_t i = 0; i < count && !status; i++)
		/* reals may be added up in another order every time */
		if (sums[i] != self->buffers[i].expected_checksums[set] &&
			at_element_kind(self->setup->arguments[i].element) !=
				AT_ELEMENT_KIND_REAL)
			status = at_fail(err, AT_EINVAL, NULL, 0,
				"the reference leaves some of \"%s\" unwritten",
				self->setup->arguments[i].name);
	free(sums);
	return status;
}

static enum at_status use_data(struct at_bench *self, unsigned set,
	const struct at_data *data, bool twice, struct at_error *err)
{
	enum at_status status;

	self->data[set] = *data;
	status = fill_set(self, set, err);
	if (!status && set == 0)
		status = keep_contents(self, err);
	if (!status)
		status = protect_expected(self, set, AT_PROTECTION_WRITE, err);
	if (!status)
		status = twice ? expect_twice(self, set, err)
			       : reference_run(self, set, POISON, err);
	return status ? status : protect_expected(self, set, AT_PROTECTION_READ, err);
}

enum at_status bench_use_data(struct at_bench *self, unsigned set,
	const struct at_data *data, struct at_error *err)
{
	enum at_status status;

	self->is_settled = false;
	status = use_data(self, set, data, has_whole_outputs(self), err);
	/* what it says of its own outputs */
	return status == AT_EINVAL ? AT_ENOENT : status;
}

static struct at_data declared_data(const struct at_bench *self, unsigned set)
{
	struct at_data data = { .seed = self->setup->seed };

	/* the first from the space's seed, the second not */
	if (set) {
		data.seed ^= 0x5bd1e9955bd1e995u;
		data.keeps_shape = true;
	}
	return data;
}

enum at_status bench_settle(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	self->symbols = AT_DATA_DECLARED;
	for (unsigned set = 0; set < self->set_count && !self->is_settled && !status;
		set++) {
		struct at_data data = declared_data(self, set);

		status = use_data(self, set, &data, false, err);
	}
	self->is_settled = !status;
	return status;
}

enum at_status bench_exchange(struct at_bench *self, struct at_error *err)
{
	struct at_data data = self->data[0];
	enum at_status status;

	if (self->set_count < 2)
		return AT_OK;
	self->data[0] = self->data[1];
	self->data[1] = data;
	self->is_settled = false;
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];
		struct place expected = buffer->expected[0];
		uint64_t checksum = buffer->expected_checksums[0];
		struct expectation expectation = buffer->expectations[0];

		buffer->expected[0] = buffer->expected[1];
		buffer->expected[1] = expected;
		buffer->expected_checksums[0] = buffer->expected_checksums[1];
		buffer->expected_checksums[1] = checksum;
		buffer->expectations[0] = buffer->expectations[1];
		buffer->expectations[1] = expectation;
	}
	status = fill_set(self, 0, err);
	return status ? status : fill_set(self, 1, err);
}

enum at_status bench_align(
	struct at_bench *self, uint64_t alignment, struct at_error *err)
{
	struct staging end = { .side = SIDE_END };
	enum at_status status = AT_OK;

	if (!self->is_guarded)
		return AT_OK;
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];

		if (buffer->places[SIDE_END].memory)
			fit_place(self, &buffer->places[SIDE_END], buffer->bytes,
				SIDE_END, alignment);
	}
	list_zones(self, &self->queue, end, 0);
	if (bench_run(self, err) != AT_OUTCOME_OK)
		return AT_EDEVICE;
	for (unsigned set = 0; set < self->set_count && !status; set++)
		if (side_of_set(self, set) == SIDE_END)
			status = fill_set(self, set, err);
	return status;
}

enum at_status bench_make_starts(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; i < self->setup->argument_count && !status; i++) {
		enum at_access access = self->setup->arguments[i].access;
		struct place *place = &self->buffers[i].places[SIDE_START];

		if (access != AT_ACCESS_NONE && access != AT_ACCESS_IN &&
			!place->memory)
			status = make_place(self, i, SIDE_START, place, err);
	}
	return status;
}

void bench_free_starts(struct at_bench *self)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access != AT_ACCESS_IN)
			free_place(self, &self->buffers[i].places[SIDE_START]);
}

static enum at_status make_buffer(
	struct at_bench *self, size_t argument, struct at_error *err)
{
	const struct at_measure_argument *facts = &self->setup->arguments[argument];
	struct buffer *buffer = &self->buffers[argument];
	enum at_access access = facts->access;
	enum at_status status;

	/* it is restored before launches, by a kernel: a copy each time takes too long
	 */
	if (access == AT_ACCESS_INOUT && facts->fill == AT_FILL_FILE)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"argument \"%s\": inout cannot be filled from a file yet; copy it from an input in a prepare kernel",
			facts->name);
	status =
		size_buffer(self, argument, self->setup->bindings[argument].count, err);
	if (!status && access != AT_ACCESS_IN)
		status = make_place(
			self, argument, SIDE_END, &buffer->places[SIDE_END], err);
	for (unsigned set = 0; set < self->set_count && !status; set++) {
		enum side side = side_of_set(self, set);

		if (access == AT_ACCESS_IN)
			status = make_place(
				self, argument, side, &buffer->places[side], err);
		if (!status && reference_gives(self, access))
			status = make_place(
				self, argument, side, &buffer->expected[set], err);
	}
	return status;
}

static void free_buffers(struct at_bench *self)
{
	for (uint32_t i = 0; self->buffers && i < self->setup->argument_count; i++) {
		struct buffer *buffer = &self->buffers[i];

		for (int side = 0; side < SIDE_COUNT; side++)
			free_place(self, &buffer->places[side]);
		for (unsigned set = 0; set < SETS; set++)
			free_place(self, &buffer->expected[set]);
		free(buffer->contents);
		memset(buffer, 0, sizeof(*buffer));
	}
}

static enum at_status make_each(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (uint32_t i = 0; !status && i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access != AT_ACCESS_NONE)
			status = make_buffer(self, i, err);
	return status;
}

/*
 * Memory for everything. Where nothing beside it could make room, one set has to do for
 * want of two.
 */
static enum at_status make_buffers(
	struct at_bench *self, bool is_alone, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status = make_each(self, &reason);

	if (status == AT_ENOMEM && is_alone && self->set_count > 1) {
		free_buffers(self);
		self->set_count = 1;
		memset(&reason, 0, sizeof(reason));
		status = make_each(self, &reason);
	}
	if (status && err)
		*err = reason;
	return status;
}

/* the sets with what the space declares */
static enum at_status fill_buffers(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (unsigned set = 0; set < self->set_count && !status; set++) {
		self->data[set] = declared_data(self, set);
		status = fill_set(self, set, err);
		if (!status && set == 0)
			status = keep_contents(self, err);
		/* after all inputs have their contents: a device that is full is told
		   from a faulty reference */
	}
	return status;
}

static enum at_status run_references(struct at_bench *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (unsigned set = 0; set < self->set_count && !status; set++) {
		status = reference_run(self, set, POISON, err);
		if (!status)
			status = protect_expected(self, set, AT_PROTECTION_READ, err);
	}
	return status;
}

/* not from a seed: a program that knows this one's source could compute it */
static uint64_t draw_mask(void)
{
	uint64_t key;

	if (getrandom(&key, sizeof(key), 0) == (ssize_t)sizeof(key))
		return key;
	return at_clock_now_ns() * 0x9e3779b97f4a7c15u;
}

/* ---- life ------------------------------------------------------------------- */

enum at_status at_bench_new(struct at_device *device,
	const struct at_measure_setup *setup, struct at_bench *beside,
	struct at_bench **out, struct at_error *err)
{
	struct at_bench *self = calloc(1, sizeof(*self));
	size_t arguments = setup->argument_count, rows = arguments * CHECK_COUNT;
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	self->device = device;
	self->setup = setup;
	self->buffers = calloc(arguments + 1, sizeof(*self->buffers));
	self->results = calloc(rows + 1, sizeof(*self->results));
	status = self->buffers && self->results ? AT_OK : at_fail_memory(err);
	/* the longest trip is a whole proof: each argument restored, with its zones,
	   and checked; three kernels, each behind a poisoning; the flush; the beginning
	   of the rows; and the variables of a module */
	if (!status)
		status = call_list_init(
			&self->queue, arguments * (6 + CHECK_COUNT) + 16, err);
	if (!status)
		status = shared_take(self, beside, err);
	if (!status)
		status = device->ops->allocate(
			device, (rows + 1) * sizeof(*self->results), &self->rows, err);
	self->is_guarded = device->ops->allocate_guarded && !setup->watched;
	/* a key that nobody can know who sees only what lies on the device */
	self->mask = draw_mask() | 1;
	/* what a file gives is for one set of data */
	self->set_count = setup->reference == AT_REFERENCE_FILE ? 1 : SETS;
	if (!status)
		status = make_buffers(self, beside == NULL, err);
	if (!status)
		status = fill_buffers(self, err);
	/* ahead of the reference: a device that is full is told from a faulty one */
	if (!status && setup->cache == AT_CACHE_COLD)
		status = shared_make_flush(self, err);
	if (!status)
		status = run_references(self, err);
	self->is_settled = true;
	if (status) {
		at_bench_free(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

void at_bench_free(struct at_bench *self)
{
	const struct at_device_ops *ops;

	if (!self)
		return;
	ops = self->device->ops;
	free_buffers(self);
	if (self->rows)
		ops->release(self->device, self->rows);
	shared_drop(self->shared);
	call_list_release(&self->queue);
	free(self->results);
	free(self->buffers);
	free(self);
}

uint64_t at_bench_bytes(const struct at_bench *self)
{
	uint64_t rows = (uint64_t)self->setup->argument_count * CHECK_COUNT + 1;
	uint64_t bytes = rows * sizeof(struct check_row);

	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct buffer *buffer = &self->buffers[i];

		for (int side = 0; side < SIDE_COUNT; side++)
			bytes += buffer->places[side].capacity_bytes;
		for (unsigned set = 0; set < SETS; set++)
			bytes += buffer->expected[set].capacity_bytes;
	}
	return bytes;
}

/* ---- what one configuration needs ------------------------------------------- */

/*
 * To free memory and get other waits for the whole device, for a millisecond where it
 * is much: it is done to grow, never to shrink. What fits gets new zones.
 */
static enum at_status fit_scratch(
	struct at_bench *self, size_t argument, struct at_error *err)
{
	struct buffer *buffer = &self->buffers[argument];
	struct place *place = &buffer->places[SIDE_END];
	uint64_t around = self->is_guarded ? 0 : 2 * zone_bytes(self);

	if (place->memory && buffer->bytes + around <= place->capacity_bytes) {
		fit_place(self, place, buffer->bytes, SIDE_END, ALIGNMENT);
		list_place_zones(self, &self->queue, place, buffer->bytes, place->zone);
		return run_own(self, "laying zones around", argument, err);
	}
	/* the old one first: there may be no room for both */
	free_place(self, place);
	return make_place(self, argument, SIDE_END, place, err);
}

enum at_status bench_fit_scratch(struct at_bench *self,
	const struct at_measure_binding *bindings, struct at_error *err)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		const struct at_measure_argument *facts = &self->setup->arguments[i];
		struct buffer *buffer = &self->buffers[i];
		enum at_status status;

		/* nearly always: then nothing is done for it, and no trip taken */
		if (facts->access == AT_ACCESS_NONE ||
			buffer->count == bindings[i].count)
			continue;
		/* inputs of another size would be other inputs, for another reference
		 */
		if (facts->access != AT_ACCESS_SCRATCH)
			return at_fail(err, AT_EINVAL, NULL, 0,
				"argument \"%s\": its count depends on the configuration; only scratch may",
				facts->name);
		status = size_buffer(self, i, bindings[i].count, err);
		if (!status)
			status = fit_scratch(self, i, err);
		if (status) {
			/* so that the next configuration does not take it as there */
			buffer->count = 0;
			return status;
		}
	}
	return AT_OK;
}

/* fills what is an input, of all sets that lie there */
static enum at_status fill_place(
	struct at_bench *self, size_t argument, enum side side, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (self->setup->arguments[argument].access != AT_ACCESS_IN)
		return AT_OK;
	for (unsigned set = 0; set < self->set_count && !status; set++)
		if (side_of_set(self, set) == side)
			status = fill_input(self, argument, set, err);
	return status;
}

/*
 * Where a buffer lies decides which channels and which sets of the cache it meets: a
 * few tenths of a percent that no number of samples in one place shows. The new ones
 * are taken while the old ones are held, or an allocator would give the same place
 * again, and in another order, so that they lie otherwise to each other too.
 */
enum at_status bench_renew(struct at_bench *self, uint64_t seed, struct at_error *err)
{
	size_t count = (size_t)self->setup->argument_count * SIDE_COUNT;
	struct place *old = calloc(count + 1, sizeof(*old));
	unsigned *order = calloc(count + 1, sizeof(*order));
	enum at_status status = old && order ? AT_OK : at_fail_memory(err);
	struct at_random random;

	at_random_init(&random, seed);
	for (size_t i = 0; i < count && !status; i++)
		order[i] = (unsigned)i;
	if (!status)
		at_statistics_shuffle(order, count, &random);
	for (size_t i = 0; i < count && !status; i++) {
		size_t argument = order[i] / SIDE_COUNT;
		enum side side = (enum side)(order[i] % SIDE_COUNT);
		struct place *place = &self->buffers[argument].places[side];
		struct place fresh = { 0 };
		struct at_error reason = { 0 };

		if (!place->memory)
			continue;
		status = make_place(self, argument, side, &fresh, &reason);
		if (!status) {
			old[i] = *place;
			*place = fresh;
			status = fill_place(self, argument, side, &reason);
		}
		if (!status)
			continue;
		if (fresh.memory) {
			*place = old[i];
			memset(&old[i], 0, sizeof(old[i]));
			free_place(self, &fresh);
		}
		/* what has no room beside itself, or whose file is gone, stays where it
		   is: that is less than promised, and no reason to have no finals */
		if (status == AT_EDEVICE || self->device->is_lost)
			at_fail(err, status, NULL, 0, "%s", reason.text);
		else
			status = AT_OK;
	}
	for (size_t i = 0; old && i < count; i++)
		free_place(self, &old[i]);
	free(old);
	free(order);
	return status;
}

void list_restore(struct at_bench *self, struct call_list *list, struct staging staging,
	unsigned poison, bool inout_only)
{
	for (uint32_t i = 0; i < self->setup->argument_count; i++) {
		enum at_access access = self->setup->arguments[i].access;
		uint64_t address;

		if (access == AT_ACCESS_NONE || access == AT_ACCESS_IN)
			continue;
		address = place_address(self, buffer_place(self, i, staging));
		/* filled anew, which needs no second buffer to copy from */
		if (access == AT_ACCESS_INOUT)
			support_fill(self, list, i, address, &self->data[staging.set]);
		else if (!inout_only && !self->setup->watched && poison > 0xff)
			support_garbage(
				self, list, address, self->buffers[i].bytes, poison);
		else if (!inout_only && !self->setup->watched)
			support_pattern(
				self, list, address, self->buffers[i].bytes, poison);
	}
}

enum at_outcome bench_set_symbols(
	struct at_bench *self, struct at_module *module, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (uint32_t i = 0;
		i < self->setup->argument_count && outcome == AT_OUTCOME_OK; i++) {
		const struct buffer *buffer = &self->buffers[i];
		bool found; /* where not, the kernel has the pointer */

		if (buffer->contents)
			outcome = self->device->ops->set_symbol(self->device, module,
				self->setup->arguments[i].symbol, buffer->contents,
				buffer->bytes, &found, err);
	}
	return outcome;
}
