/* Verification, sampling and the finals, on the processor. */
#include "measure_fixture.h"
/* for the address of what the reference gave */
#include "measure/place.h"
#include "measure/sample.h"
#include "measure/verify.h"

#include "base/file.h"
#include "base/memory.h"
#include "device/counters.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const enum at_cache_mode modes[] = { AT_CACHE_COLD, AT_CACHE_WARM };

/* ---- verifying -------------------------------------------------------------- */

TEST(times_what_is_right_with_cold_and_with_warm_caches)
{
	for (size_t i = 0; i < COUNT(modes); i++) {
		RELEASED(end_bench) struct fixture self;
		const struct at_measure_result *result = &self.result;

		open_bench(&self, modes[i]);
		expect_right(&self);
		assert_in_range(result->sample_count, 3, 6);
		/* fewer than six have no interval */
		if (result->sample_count < 6)
			assert_true(isnan(result->low_ns) && isnan(result->high_ns));
		else
			assert_true(0 < result->low_ns &&
				    result->low_ns <= result->time_ns &&
				    result->time_ns <= result->high_ns);
		assert_false(result->raced);
		assert_false(result->device_lost);
		assert_in_range(result->launches_per_sample, 1, 8);
	}
}

/* 40 times what the clock can tell, in eight launches at most and a millisecond */
COLD_TEST(short_launches_that_must_be_alone_are_some_a_sample)
{
	static const struct {
		double time_ns; /* in units of what the clock can tell */
		double part_wall_ns;
		unsigned launches;
	} rows[] = {
		{ 100, 1000, 1 },
		{ 41, 1000, 1 },
		{ 15, 1000, 3 },
		{ 1, 1000, 8 },
		{ 1, 300000, 3 },
		{ 1, 600000, 1 },
		{ 15, 400000, 2 },
	};
	const struct candidate candidate = { 0 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		self->context->part_wall_ns = rows[i].part_wall_ns;
		assert_int_equal(sample_launches(self->context, &candidate,
					 rows[i].time_ns * device->resolution_ns),
			rows[i].launches);
	}
}

TEST(tells_what_is_wrong_and_goes_on)
{
	static const struct {
		const char *kernel;
		const char *detail;
	} cases[] = {
		{ "wrong", "y[7] is 5, expected " },
		{ "wrong", "; 1 of 1001 values differ" },
		{ "nan_at_the_end", "nan, expected " },
		{ "half", "y[500] is " },
		{ "half", "; 501 of 1001 values differ" },
	};

	for (size_t i = 0; i < COUNT(modes); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, modes[i]);
		for (size_t j = 0; j < COUNT(cases); j++) {
			ask_for(&self, cases[j].kernel, 0);
			expect_outcome(&self, AT_OUTCOME_WRONG_RESULT, cases[j].detail);
			assert_false(self.result.device_lost);
		}
		expect_right(&self);
	}
}

TEST(sees_every_byte_of_the_zones)
{
	static const struct {
		int64_t reach;
		const char *detail;
	} cases[] = {
		{ N, "wrote 1 bytes behind buffer \"flags\" (1001 bytes), the first right after its end" },
		{ N + 6, "the first 6 bytes after its end" },
		{ N + 7, "the first 7 bytes after its end" },
		{ N + (int64_t)ZONE_BYTES - 1, "the first 65535 bytes after its end" },
		{ -1, "wrote 1 bytes before buffer \"flags\" (1001 bytes), the first 1 bytes ahead of its start" },
		{ -(int64_t)ZONE_BYTES, "the first 65536 bytes ahead of its start" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, AT_CACHE_WARM);
		ask_for(&self, "astray", cases[i].reach);
		expect_outcome(&self, AT_OUTCOME_OUT_OF_BOUNDS, cases[i].detail);
		assert_true(self.result.device_lost);
	}
}

/* What lies on a lost device is given back by the end of its process only. */
static void let_leak(bool leaks)
{
#ifdef __SANITIZE_ADDRESS__
	if (leaks)
		__lsan_disable();
	else
		__lsan_enable();
#else
	(void)leaks;
#endif
}

TEST(a_trap_names_the_buffer_and_the_element)
{
	static const struct {
		const char *kernel;
		int64_t reach;
		const char *detail;
	} rows[] = {
		{ "astray", N + 655360,
			", behind a buffer: flags[656361], 655360 bytes past the end of \"flags\"" },
		{ "astray", -655360,
			", ahead of a buffer: flags[-655360], 655360 bytes before the start of \"flags\"" },
		{ "far", -200001,
			", ahead of a buffer: y[-200001], 800004 bytes before the start of \"y\"" },
		{ "changes_input", 0,
			", in a buffer that is only to be read: x[1000]" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_device *usual = device;
		struct fixture self;

		/* a trap ends its device, so each row has its own; it guards memory */
		let_leak(true);
		assert_ok(at_device_kind_host.open(0, &device, &failure));
		open_bench(&self, AT_CACHE_WARM);
		ask_for(&self, rows[i].kernel, rows[i].reach);
		expect_outcome(&self, AT_OUTCOME_OUT_OF_BOUNDS, rows[i].detail);
		end_bench(&self);
		device->ops->close(device);
		device = usual;
		let_leak(false);
	}
}

/* a copy that goes too far finds behind its input what is not behind its output */
TEST(what_lies_behind_one_buffer_is_not_behind_another)
{
	RELEASED(end_bench) struct fixture self;

	open_bench(&self, AT_CACHE_WARM);
	ask_for(&self, "copies_too_much", 0);
	expect_outcome(&self, AT_OUTCOME_OUT_OF_BOUNDS,
		"wrote 4 bytes behind buffer \"y\" (4004 bytes), the first right after its end");
}

COLD_TEST(sees_a_changed_input)
{
	ask_for(self, "changes_input", 0);
	expect_outcome(
		self, AT_OUTCOME_OUT_OF_BOUNDS, "wrote into \"x\", which is an input");
	assert_true(self->result.device_lost);
}

/*
 * A device that cannot guard memory, whose zones and sums have to show what else traps
 * (tests/test_host_faults.c, tests/test_cuda_verification.c).
 */
static const struct at_device_ops *host_ops;
static struct at_device_ops unguarded_ops;

/* sums go over 16 bytes at a time, and over what is left behind the last of them */
LONG_TEST(sees_every_byte_of_an_input_and_of_what_the_reference_gave)
{
	RELEASED(end_bench) struct fixture self;

	open_bench(&self, AT_CACHE_COLD);
	for (int expected = 0; expected < 2; expected++) {
		const struct buffer *buffer = &self.context->buffers[expected ? Y : X];
		const struct place *place =
			expected ? &buffer->expected[0] : &buffer->places[SIDE_START];

		for (uint64_t i = 0; i < buffer->bytes; i++) {
			struct at_measure_result result = { 0 };
			unsigned char byte;

			/* both ends of it, every byte of several words */
			if (i == 70 && buffer->bytes > 140)
				i = buffer->bytes - 70;
			device->ops->read(device, place->memory,
				place->offset_bytes + i, &byte, 1, NULL);
			byte ^= 1;
			device->ops->write(device, place->memory,
				place->offset_bytes + i, &byte, 1, NULL);
			if (verify_borders(self.context, &result, NULL) !=
				AT_OUTCOME_OUT_OF_BOUNDS)
				fail_msg("byte %d of buffer %d", (int)i, expected);
			byte ^= 1;
			device->ops->write(device, place->memory,
				place->offset_bytes + i, &byte, 1, NULL);
			assert_int_equal(verify_borders(self.context, &result, NULL),
				AT_OUTCOME_OK);
		}
	}
}

/* else all that come after would be compared with what one left there */
COLD_TEST(sees_a_write_into_what_the_reference_gave)
{
	const struct place *expected;
	uint64_t from, to, offset = 0;
	unsigned char byte = 0;

	from = place_address(
		self->context, &self->context->buffers[FLAGS].places[SIDE_END]);
	expected = &self->context->buffers[Y].expected[0];
	/* it is masked at random, and a 0 in place of a 0 would not show */
	for (; !byte; offset++)
		device->ops->read(device, expected->memory,
			expected->offset_bytes + offset, &byte, 1, NULL);
	to = place_address(self->context, expected) + offset - 1;
	ask_for(self, "astray", (int64_t)(to - from));
	expect_outcome(self, AT_OUTCOME_OUT_OF_BOUNDS,
		"wrote far outside its buffers, into what the reference gave for \"y\"");
	assert_true(self->result.device_lost);
}

TEST(integers_that_look_like_poison_have_to_be_written)
{
	for (size_t i = 0; i < COUNT(modes); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, modes[i]);
		ask_for(&self, "no_flags", 0);
		expect_outcome(
			&self, AT_OUTCOME_UNSTABLE, "flags[0] is -90, expected -1");
		self.request.verify_only = true;
		expect_outcome(&self, AT_OUTCOME_WRONG_RESULT, "expected -1;");
	}
}

TEST(a_kernel_that_stops_working_while_timed_is_unstable)
{
	for (size_t i = 0; i < COUNT(modes); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench_without_inout(&self, modes[i]);
		/* two orders of threads are verified, then two launches work */
		ask_for(&self, "tires", 4);
		expect_outcome(&self, AT_OUTCOME_UNSTABLE, "values differ");
	}
}

/* Where threads are not shuffled one set of data is verified before timing. */
TEST(a_kernel_that_is_wrong_on_the_other_data_is_not_unstable)
{
	const struct at_device_ops *before = device->ops;
	struct at_device_ops ops = *before;

	ops.shuffle_threads = NULL;
	for (size_t i = 0; i < 2 * COUNT(modes); i++) {
		/* on the data that is verified first, or on the other */
		const enum side right = i % 2 ? SIDE_START : SIDE_END;
		const struct place *place;
		RELEASED(end_bench) struct fixture self;
		int32_t bits;

		open_bench(&self, modes[i / 2]);
		place = &self.context->buffers[X].places[right];
		device->ops->read(device, place->memory, place->offset_bytes, &bits,
			sizeof(bits), NULL);
		device->ops = &ops;
		ask_for(&self, "right_on_one", bits);
		expect_outcome(&self, AT_OUTCOME_WRONG_RESULT, "is 5, expected");
		ask_for(&self, "tires", 3);
		expect_outcome(&self, AT_OUTCOME_UNSTABLE, "differ");
		device->ops = before;
	}
}

static struct {
	unsigned count;
	uint64_t least, most; /* of all addresses */
	bool is_stale; /* each map has the address of the first */
} encoded;

static enum at_status encode_address(struct at_device *self,
	const struct at_tensor_map *map, uint64_t address,
	unsigned char out[AT_TENSOR_MAP_BYTES], struct at_error *err)
{
	(void)self;
	(void)err;
	assert_int_equal(map->box[0], 32);
	if (!encoded.count++)
		encoded.least = encoded.most = address;
	if (encoded.is_stale)
		address = encoded.least;
	encoded.least = address < encoded.least ? address : encoded.least;
	encoded.most = address > encoded.most ? address : encoded.most;
	memcpy(out, &address, sizeof(address));
	return AT_OK;
}

static enum at_status refuse_map(struct at_device *self,
	const struct at_tensor_map *map, uint64_t address,
	unsigned char out[AT_TENSOR_MAP_BYTES], struct at_error *err)
{
	(void)self;
	(void)map;
	(void)address;
	(void)out;
	return at_fail(err, AT_EDEVICE, NULL, 0, "no such map");
}

static void ask_for_map(struct fixture *self)
{
	ask_for(self, "by_map", 0);
	self->bindings[REACH].map = (struct at_tensor_map){ .of = 1 + X,
		.rank = 1,
		.element = AT_ELEMENT_F32,
		.dims = { N },
		.box = { 32 },
		.steps = { 1 } };
}

TEST(encodes_a_map_for_each_address_of_its_buffer)
{
	const struct at_device_ops *before = device->ops;
	struct at_device_ops ops = *before;

	ops.encode_map = encode_address;
	for (size_t i = 0; i < COUNT(modes); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, modes[i]);
		device->ops = &ops;
		memset(&encoded, 0, sizeof(encoded));
		ask_for_map(&self);
		expect_outcome(&self, AT_OUTCOME_OK, "");
		/* the two sets of data lie in two buffers */
		assert_true(encoded.least < encoded.most);
		memset(&encoded, 0, sizeof(encoded));
		encoded.is_stale = true;
		ask_for_map(&self);
		assert_int_not_equal(evaluate(&self), AT_OUTCOME_OK);
		ops.encode_map = refuse_map;
		ask_for_map(&self);
		expect_outcome(&self, AT_OUTCOME_LAUNCH_FAILED, "no such map");
		ops.encode_map = encode_address;
		/* what a map is of must be a buffer */
		ask_for_map(&self);
		self.bindings[REACH].map.of = 1 + SIZE;
		expect_outcome(&self, AT_OUTCOME_LAUNCH_FAILED, "no buffer");
		device->ops = before;
	}
}

TEST(guards_stay_out_of_the_reach_of_maps)
{
	const struct at_device_ops *before = device->ops;

	/* with guards, which the other cases here do without */
	device->ops = host_ops;
	device->map_reach_bytes = 131072;
	for (int has_map = 0; has_map < 2; has_map++) {
		RELEASED(end_bench) struct fixture self;
		static struct at_measure_argument facts[ARGUMENTS];
		const struct place *place;
		struct zone behind;

		begin_bench(&self, "right", AT_CACHE_COLD);
		memcpy(facts, self.setup.arguments, sizeof(facts));
		facts[X].has_map = has_map;
		self.setup.arguments = facts;
		assert_ok(at_measure_context_new(
			device, &self.setup, NULL, &self.context, &failure));
		place = &self.context->buffers[X].places[SIDE_END];
		behind = place_behind(self.context, place, N * sizeof(float));
		if (has_map)
			assert_in_range(behind.bytes, 131072, 131072 + 255);
		else
			assert_in_range(behind.bytes, 0, 255);
		ask_for(&self, "right", 0);
		expect_outcome(&self, AT_OUTCOME_OK, "");
	}
	device->map_reach_bytes = 0;
	device->ops = before;
}

/* ---- a device whose textures and surfaces have arrays --------------------------- */

static struct {
	const struct at_device_ops *host;
	struct {
		struct at_texels *texels;
		void *buffer, *array;
		uint64_t bytes;
		bool is_written;
	} arrays[64];
	unsigned copies_back;
	bool forgets; /* nothing is copied back */
} arrays;

static enum at_status make_array(struct at_device *self,
	const struct at_texture *texture, uint64_t address, struct at_texels **out,
	uint64_t *value, struct at_error *err)
{
	size_t i = 0, k = 0;
	enum at_status status;

	while (arrays.arrays[i].texels)
		assert_true(++i < COUNT(arrays.arrays));
	arrays.arrays[i].bytes = (uint64_t)texture->pitch_bytes;
	arrays.arrays[i].buffer = (void *)(uintptr_t)address;
	arrays.arrays[i].is_written = texture->is_written;
	/* objects of one buffer have one array, each in its own memory else */
	arrays.arrays[i].array = NULL;
	while (k < COUNT(arrays.arrays) &&
		(k == i || !arrays.arrays[k].texels ||
			arrays.arrays[k].buffer != arrays.arrays[i].buffer))
		k++;
	arrays.arrays[i].array = k < COUNT(arrays.arrays)
					 ? arrays.arrays[k].array
					 : calloc(1, arrays.arrays[i].bytes);
	status = arrays.host->make_texels(self, texture,
		(uint64_t)(uintptr_t)arrays.arrays[i].array, out, value, err);
	arrays.arrays[i].texels = *out;
	return status;
}

static void free_array(struct at_device *self, struct at_texels *texels)
{
	size_t i = 0;
	unsigned users = 0;

	while (arrays.arrays[i].texels != texels)
		assert_true(++i < COUNT(arrays.arrays));
	for (size_t k = 0; k < COUNT(arrays.arrays); k++)
		users += arrays.arrays[k].texels &&
			 arrays.arrays[k].array == arrays.arrays[i].array;
	if (users == 1)
		free(arrays.arrays[i].array);
	arrays.arrays[i].texels = NULL;
	arrays.host->free_texels(self, texels);
}

static enum at_outcome run_with_arrays(struct at_device *self,
	const struct at_invocation *calls, size_t count, struct at_error *err)
{
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (size_t i = 0; i < count && outcome == AT_OUTCOME_OK; i++) {
		const struct at_invocation *call = &calls[i];

		if (call->kernel)
			outcome = arrays.host->run(self, call, 1, err);
		assert_true(!call->kernel == (call->texel_count != 0));
		for (size_t k = 0; k < call->texel_count; k++) {
			size_t a = 0;

			while (arrays.arrays[a].texels != call->texels[k])
				a++;
			arrays.copies_back += call->copies_back;
			if (!call->copies_back)
				memcpy(arrays.arrays[a].array, arrays.arrays[a].buffer,
					arrays.arrays[a].bytes);
			else if (arrays.arrays[a].is_written && !arrays.forgets)
				memcpy(arrays.arrays[a].buffer, arrays.arrays[a].array,
					arrays.arrays[a].bytes);
		}
	}
	return outcome;
}

/* No copy is timed, and each timed launch finds poison in what it writes. */
static enum at_outcome time_with_arrays(struct at_device *self,
	const struct at_invocation *before, size_t before_count,
	const struct at_invocation *timed, size_t timed_count, unsigned launches,
	double *duration_ns, struct at_error *err)
{
	enum at_outcome outcome = run_with_arrays(self, before, before_count, err);
	size_t last = before_count;

	for (size_t i = 0; i < timed_count; i++)
		assert_non_null(timed[i].kernel);
	while (last && before[last - 1].kernel)
		last--;
	assert_true(last > 0);
	assert_false(before[last - 1].copies_back);
	return outcome == AT_OUTCOME_OK
		       ? arrays.host->time(self, NULL, 0, timed, timed_count, launches,
				 duration_ns, err)
		       : outcome;
}

TEST(arrays_are_filled_before_launches_and_read_after_them)
{
	const struct at_device_ops *before = device->ops;
	struct at_device_ops ops = *before;

	memset(&arrays, 0, sizeof(arrays));
	arrays.host = before;
	ops.make_texels = make_array;
	ops.free_texels = free_array;
	ops.run = run_with_arrays;
	ops.time = time_with_arrays;
	device->ops = &ops;
	device->has_arrays = true;
	for (size_t i = 0; i < 2 * COUNT(modes); i++) {
		const struct at_texture texels = { .element = AT_ELEMENT_F32,
			.width = N,
			.pitch_bytes = N * sizeof(float),
			.channels = 1,
			.address = AT_TEXTURE_CLAMP };
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, modes[i / 2]);
		ask_for(&self, "by_texels", 0);
		self.bindings[X].texture = self.bindings[Y].texture = texels;
		self.bindings[X].texture.of = 1 + X;
		self.bindings[Y].texture.of = 1 + Y;
		self.bindings[Y].texture.is_surface = true;
		self.bindings[Y].texture.is_written = true;
		arrays.copies_back = 0;
		arrays.forgets = i % 2;
		if (arrays.forgets)
			expect_outcome(&self, AT_OUTCOME_WRONG_RESULT, "not written");
		else
			expect_outcome(&self, AT_OUTCOME_OK, "");
		assert_true(arrays.copies_back > 0);
	}
	for (size_t i = 0; i < COUNT(arrays.arrays); i++)
		assert_null(arrays.arrays[i].texels);
	device->has_arrays = false;
	device->ops = before;
}

TEST(prepares_anew_before_each_launch)
{
	for (size_t i = 0; i < COUNT(modes); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, modes[i]);
		ask_for(&self, "in_place", 0);
		self.request.prepare = call_of("prepare");
		self.request.finish = call_of("finish");
		expect_outcome(&self, AT_OUTCOME_OK, "");
	}
}

COLD_TEST(verifying_only_takes_no_samples)
{
	ask_for(self, "right", 0);
	self->request.verify_only = true;
	expect_outcome(self, AT_OUTCOME_OK, "");
	assert_int_equal(self->result.sample_count, 0);
	assert_true(self->result.time_ns == 0);
	/* and says what it did, of which this device has no guards and no filler */
	assert_int_equal(self->result.verified.data_sets, 2);
	assert_true(self->result.verified.zones);
	assert_in_range(self->result.verified.patterns, 3, AT_DATA_COUNT + 1);
	assert_in_range(self->result.verified.launches,
		8 + self->result.verified.patterns, UINT32_MAX);
	assert_false(self->result.verified.guarded || self->result.verified.crowded);
}

/* ---- a device with a filler --------------------------------------------------- */

static struct {
	unsigned taken[8],
		taken_count; /* multiprocessors, one crowd() after the other */
	const struct at_kernel *held_back;
	unsigned late; /* launches of the kernel while it was held back */
	bool refuses;
} filler;

static enum at_status fake_crowd(struct at_device *self, struct at_kernel *kernel,
	unsigned multiprocessors, uint64_t limit_ns, struct at_error *err)
{
	assert_non_null(kernel);
	assert_true(limit_ns > 0 || multiprocessors == 0);
	assert_true(filler.taken_count < COUNT(filler.taken));
	filler.taken[filler.taken_count++] = multiprocessors;
	return AT_OK;
}

static enum at_status fake_hold_back(struct at_device *self, struct at_kernel *kernel,
	const struct at_kernel *held_back, uint64_t hold_ns, struct at_error *err)
{
	assert_non_null(kernel);
	filler.held_back = filler.refuses ? NULL : held_back;
	return filler.refuses ? at_fail(err, AT_EUNAVAILABLE, NULL, 0, "not now")
			      : AT_OK;
}

static enum at_outcome run_and_count(struct at_device *self,
	const struct at_invocation *calls, size_t count, struct at_error *err)
{
	for (size_t i = 0; i < count; i++)
		filler.late += filler.held_back && calls[i].kernel == filler.held_back;
	return host_ops->run(self, calls, count, err);
}

/* what takes long has no crowded launches */
static uint64_t no_time(struct at_device *self)
{
	return 0;
}

/* The clock of a device on which every second launch is disturbed, the first one and
   the last one ahead of the crowded ones too. */
static uint64_t time_of_others(struct at_device *self)
{
	static uint64_t now_ns;
	static unsigned asked;

	return now_ns += asked++ % 4 == 1 ? 1000000000 : 0;
}

TEST(a_verification_has_crowded_and_late_launches)
{
	const struct at_device_ops *before = device->ops;
	struct at_device_ops ops = *before;
	struct at_properties properties = device->info.properties;

	ops.crowd = fake_crowd;
	ops.delay_blocks = fake_hold_back;
	ops.run = run_and_count;
	for (int i = 0; i < 4; i++) {
		const bool refuses = i % 2;
		RELEASED(end_bench) struct fixture self;

		ops.worked_ns = i < 2 ? no_time : time_of_others;
		memset(&filler, 0, sizeof(filler));
		filler.refuses = refuses;
		open_bench(&self, AT_CACHE_COLD);
		device->ops = &ops;
		device->info.properties.known[AT_PROPERTY_MULTIPROCESSOR_COUNT] = true;
		device->info.properties.value[AT_PROPERTY_MULTIPROCESSOR_COUNT] = 8;
		ask_for(&self, "right", 0);
		self.request.verify_only = true;
		expect_outcome(&self, AT_OUTCOME_OK, "");
		assert_true(self.result.verified.crowded);
		/* and no longer */
		assert_int_equal(filler.taken_count, 4);
		assert_int_equal(filler.taken[0], 4);
		assert_int_equal(filler.taken[1], 0);
		assert_int_equal(filler.taken[2], 6);
		assert_int_equal(filler.taken[3], 0);
		assert_int_equal(filler.late, !refuses);
		assert_null(filler.held_back);
		device->info.properties = properties;
		device->ops = before;
	}
}

/* Blocks that have to be resident at once may find no room beside a filler. */
TEST(a_verification_leaves_cooperative_launches_their_room)
{
	const struct at_device_ops *before = device->ops;
	struct at_device_ops ops = *before;
	struct at_properties properties = device->info.properties;
	RELEASED(end_bench) struct fixture self;

	ops.crowd = fake_crowd;
	ops.delay_blocks = fake_hold_back;
	ops.worked_ns = no_time;
	memset(&filler, 0, sizeof(filler));
	open_bench(&self, AT_CACHE_COLD);
	device->ops = &ops;
	device->info.properties.known[AT_PROPERTY_MULTIPROCESSOR_COUNT] = true;
	device->info.properties.value[AT_PROPERTY_MULTIPROCESSOR_COUNT] = 8;
	ask_for(&self, "right", 0);
	self.request.verify_only = true;
	self.request.kernel.geometry.attributes.is_cooperative = true;
	expect_outcome(&self, AT_OUTCOME_OK, "");
	assert_false(self.result.verified.crowded);
	assert_int_equal(filler.taken_count, 0);
	device->info.properties = properties;
	device->ops = before;
}

static struct {
	bool is_dependent[3];
	unsigned count;
} launched;

static enum at_outcome run_and_note(struct at_device *self,
	const struct at_invocation *calls, size_t count, struct at_error *err)
{
	for (size_t i = 0; i < count; i++)
		if (calls[i].attributes &&
			launched.count < COUNT(launched.is_dependent))
			launched.is_dependent[launched.count++] = calls[i].is_dependent;
	return host_ops->run(self, calls, count, err);
}

/* What precedes the first launch of a sequence restores its buffers, and has to end. */
TEST(the_first_launch_of_a_sequence_is_never_dependent)
{
	const struct at_device_ops *before = device->ops;
	struct at_device_ops ops = *before;
	RELEASED(end_bench) struct fixture self;

	ops.run = run_and_note;
	memset(&launched, 0, sizeof(launched));
	open_bench(&self, AT_CACHE_COLD);
	device->ops = &ops;
	ask_for(&self, "right", 0);
	self.request.kernel.repeats = 2;
	self.request.kernel.geometry.attributes.is_dependent = true;
	evaluate(&self);
	assert_int_equal(launched.count, 3);
	assert_false(launched.is_dependent[0]);
	assert_true(launched.is_dependent[1] && launched.is_dependent[2]);
	device->ops = before;
}

/* The clock of a device on which others run as well: whatever it is asked about seems
   to have taken seconds. */
static uint64_t disturbed_time(struct at_device *self)
{
	static uint64_t now_ns;

	return now_ns += 1000000000;
}

/* Others on the machine make a pattern longer. How many patterns a small problem is
   tried on does not depend on them, but the verification ends ahead of its deadline. */
TEST(a_busy_machine_leaves_no_pattern_out)
{
	static const struct {
		double deadline_seconds, pattern_seconds;
		bool all;
	} rows[] = { { 0, 0, true }, { 60, 60, true }, { 1e-6, 0, false },
		{ 60, 1e-6, false } };
	const struct at_device_ops *before = device->ops;
	struct at_device_ops ops = *before;
	uint32_t patterns = 0;

	for (size_t i = 0; i < 1 + COUNT(rows); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, AT_CACHE_COLD);
		device->ops = &ops;
		ops.worked_ns = i ? disturbed_time : before->worked_ns;
		ask_for(&self, "right", 0);
		self.request.verify_only = true;
		self.request.deadline_seconds = i ? rows[i - 1].deadline_seconds : 0;
		self.request.pattern_seconds = i ? rows[i - 1].pattern_seconds : 0;
		expect_outcome(&self, AT_OUTCOME_OK, "");
		/* only a budget leaves the case to the next run */
		assert_int_equal(self.result.verified.was_cut,
			i && rows[i - 1].pattern_seconds == 1e-6);
		if (!i)
			patterns = self.result.verified.patterns;
		else if (rows[i - 1].all)
			assert_int_equal(self.result.verified.patterns, patterns);
		else
			assert_in_range(self.result.verified.patterns, 1, patterns - 1);
		device->ops = before;
	}
}

/* data that the space names and that is not there is told, and no verification */
TEST(data_of_a_file_that_cannot_be_read_is_told)
{
	static const char *const files[] = { "/dev/null", "/no/such/file" };

	for (size_t i = 0; i < COUNT(files); i++) {
		struct at_measure_fill fills[ARGUMENTS] = {
			[X] = { .kind = AT_FILL_FILE, .file = (char *)files[i] },
		};
		struct at_measure_set set = { (char *)"mine", ARGUMENTS, fills };
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, AT_CACHE_COLD);
		self.setup.set_count = 1;
		self.setup.sets = &set;
		ask_for(&self, "right", 0);
		self.request.verify_only = true;
		expect_outcome(
			&self, AT_OUTCOME_NOT_APPLICABLE, "other data cannot be used");
		assert_non_null(strstr(self.result.detail, files[i]));
	}
}

/* keys were made of what it held before: another process read that */
TEST(data_of_a_file_that_was_changed_is_not_used)
{
	char path[] = "/tmp/measure-XXXXXX";
	struct at_measure_fill fills[ARGUMENTS] = {
		[X] = { .kind = AT_FILL_FILE, .file = path },
	};
	struct at_measure_set set = { (char *)"mine", ARGUMENTS, fills };
	int file = mkstemp(path);

	assert_true(file >= 0);
	for (int changed = 0; changed < 2; changed++) {
		RELEASED(end_bench) struct fixture self;
		uint64_t bytes;

		open_bench(&self, AT_CACHE_COLD);
		bytes = self.setup.bindings[X].count * sizeof(float);
		assert_int_equal(ftruncate(file, (off_t)bytes), 0);
		self.setup.set_count = 1;
		self.setup.sets = &set;
		if (!changed)
			at_file_hash(path, UINT64_MAX, &fills[X].contents);
		else
			assert_int_equal(pwrite(file, "\0\0\200\77", 4, 4), 4);
		ask_for(&self, "right", 0);
		self.request.verify_only = true;
		expect_outcome(&self,
			changed ? AT_OUTCOME_NOT_APPLICABLE : AT_OUTCOME_OK,
			changed ? "was changed while it is in use" : "");
	}
	close(file);
	assert_int_equal(unlink(path), 0);
}

/* A setup in which x, y and z have rows of 13 numbers, 64 bytes apart. */
static void begin_rows(struct fixture *self, struct at_measure_argument *facts,
	const char *reference, int64_t reach)
{
	begin_bench(self, reference, AT_CACHE_COLD);
	bind_arguments(self->setup_bindings, SCRATCH, reach);
	memcpy(facts, self->setup.arguments, ARGUMENTS * sizeof(*facts));
	for (int i = X; i <= Z; i++) {
		facts[i].width = 13;
		facts[i].pitch_bytes = 64;
	}
	self->setup.arguments = facts;
}

TEST(the_padding_of_rows_belongs_to_no_kernel)
{
	static const struct {
		const char *reference;
		int64_t reach;
		const char *text;
	} references[] = {
		{ "by_rows", 1,
			"the reference wrote 4 bytes into the padding of the rows of buffer \"y\", the first at byte 52 of row 2: \"width\" is 13 elements, \"pitch\" 64 bytes" },
		{ "right", 0, "the reference wrote 744 bytes into the padding" },
	};
	struct at_measure_argument facts[ARGUMENTS];
	RELEASED(end_bench) struct fixture self;
	struct at_error err = { 0 };

	for (size_t i = 0; i < COUNT(references); i++) {
		memset(&err, 0, sizeof(err));
		begin_rows(&self, facts, references[i].reference, references[i].reach);
		assert_true(at_measure_context_new(device, &self.setup, NULL,
				    &self.context, &err) != AT_OK);
		if (!strstr(err.text, references[i].text))
			fail_msg("%s", err.text);
	}
	begin_rows(&self, facts, "by_rows", 0);
	assert_ok(
		at_measure_context_new(device, &self.setup, NULL, &self.context, &err));
	ask_for(&self, "by_rows", 0);
	expect_outcome(&self, AT_OUTCOME_OK, "");
	ask_for(&self, "by_rows", 1);
	expect_outcome(&self, AT_OUTCOME_OUT_OF_BOUNDS,
		"wrote 4 bytes into the padding of the rows of buffer \"y\"");
	ask_for(&self, "right", 0);
	expect_outcome(&self, AT_OUTCOME_OUT_OF_BOUNDS, "into the padding");
}

TEST(files_have_rows_without_padding)
{
	static float numbers[3][N];
	static signed char flags[N];
	const void *const contents[] = { numbers[X], numbers[Y], numbers[Z], flags };
	char paths[COUNT(contents)][32];
	struct at_measure_file files[3];
	struct at_measure_argument facts[ARGUMENTS];
	RELEASED(end_bench) struct fixture self;
	struct at_error err = { 0 };

	for (int i = 0; i < N; i++) {
		numbers[X][i] = 0.25f * (float)i;
		numbers[Y][i] = 2 * numbers[X][i] + 1;
		numbers[Z][i] = 2 * numbers[X][i];
		flags[i] = -1;
	}
	begin_rows(&self, facts, "", 0);
	for (uint32_t i = X; i <= FLAGS; i++) {
		size_t bytes = i == FLAGS ? sizeof(flags) : sizeof(numbers[0]);
		int file;

		strcpy(paths[i], "/tmp/measure-XXXXXX");
		file = mkstemp(paths[i]);
		assert_int_equal(write(file, contents[i], bytes), (ssize_t)bytes);
		close(file);
		if (i != X)
			files[i - 1] = (struct at_measure_file){ .argument = i,
				.path = paths[i] };
	}
	facts[X].fill = facts[Z].fill = AT_FILL_FILE;
	facts[X].file = facts[Z].file = paths[X];
	self.setup.reference = AT_REFERENCE_FILE;
	self.setup.file_count = COUNT(files);
	self.setup.files = files;
	assert_ok(
		at_measure_context_new(device, &self.setup, NULL, &self.context, &err));
	ask_for(&self, "by_rows", 0);
	expect_outcome(&self, AT_OUTCOME_OK, "");
	for (size_t i = 0; i < COUNT(paths); i++)
		assert_int_equal(unlink(paths[i]), 0);
}

COLD_TEST(what_is_not_launched_is_not_timed)
{
	ask_for(self, "right", 0);
	self->request.kernel.geometry.block[0] = 2048;
	expect_outcome(self, AT_OUTCOME_LAUNCH_FAILED, "block.x is 2048");
	ask_for(self, "nowhere", 0);
	expect_outcome(self, AT_OUTCOME_LAUNCH_FAILED,
		"kernel \"nowhere\" is not in the image");
	ask_for(self, "right", 0);
	self->request.image_bytes = 100;
	expect_outcome(self, AT_OUTCOME_LAUNCH_FAILED, "");
	assert_false(self->result.device_lost);
	expect_right(self);
}

/* ---- scratch -------------------------------------------------------------- */

COLD_TEST(fits_scratch_to_each_configuration)
{
	static const uint64_t counts[] = { 1, 70000, 3 };

	for (size_t i = 0; i < COUNT(counts); i++) {
		ask_for(self, "fills_scratch", (int64_t)counts[i]);
		self->bindings[T].count = counts[i];
		expect_outcome(self, AT_OUTCOME_OK, "");
	}
	self->bindings[T].count = 2;
	expect_outcome(self, AT_OUTCOME_OUT_OF_BOUNDS,
		"wrote 4 bytes behind buffer \"t\" (8 bytes)");
}

COLD_TEST(scratch_that_no_device_holds_costs_one_configuration)
{
	for (int i = 0; i < 2; i++) {
		ask_for(self, "fills_scratch", 0);
		/* 4 bytes each: 16 bytes if nobody looked */
		self->bindings[T].count = ((uint64_t)1 << 62) + 4;
		expect_outcome(self, AT_OUTCOME_NOT_APPLICABLE,
			"argument \"t\": 4611686018427387908 elements are more than");
		assert_false(self->result.device_lost);
	}
	expect_right(self);
}

COLD_TEST(only_scratch_may_vary)
{
	ask_for(self, "right", 0);
	self->bindings[Y].count = N + 1;
	expect_outcome(self, AT_OUTCOME_NOT_APPLICABLE,
		"argument \"y\": its count depends on");
	expect_right(self);
}

/* ---- sampling ------------------------------------------------------------- */

TEST(drops_what_cannot_win_after_its_first_samples)
{
	for (size_t i = 0; i < COUNT(modes); i++) {
		RELEASED(end_bench) struct fixture self;

		open_bench(&self, modes[i]);
		ask_for(&self, "right", 0);
		self.request.incumbent_ns = 0.001;
		expect_outcome(&self, AT_OUTCOME_OK, "");
		assert_true(self.result.raced);
		assert_in_range(self.result.sample_count, 1, 2);
		self.request.incumbent_ns = 1e15;
		expect_outcome(&self, AT_OUTCOME_OK, "");
		assert_false(self.result.raced);
	}
}

/* one launch alone and one of many in a sample are no match for each other */
TEST(short_kernels_race_sample_against_sample)
{
	RELEASED(end_bench) struct fixture self;
	double resolution_ns = device->resolution_ns;

	open_bench_without_inout(&self, AT_CACHE_WARM);
	device->resolution_ns = 1e9;
	expect_right(&self);
	self.request.incumbent_ns = 0.001;
	expect_outcome(&self, AT_OUTCOME_OK, "");
	device->resolution_ns = resolution_ns;
	assert_true(self.result.raced);
	assert_int_equal(self.result.sample_count, 2);
	assert_int_equal(self.result.launches_per_sample, 64);
}

COLD_TEST(a_wrong_kernel_is_wrong_however_slow)
{
	ask_for(self, "no_flags", 0);
	self->request.incumbent_ns = 0.001;
	expect_outcome(self, AT_OUTCOME_UNSTABLE, "flags[0] is -90");
}

TEST(takes_as_many_samples_as_were_asked_for)
{
	RELEASED(end_bench) struct fixture self;

	open_bench(&self, AT_CACHE_WARM);
	ask_for(&self, "right", 0);
	self.request.samples_min = self.request.samples_max = 4;
	expect_outcome(&self, AT_OUTCOME_OK, "");
	assert_int_equal(self.result.sample_count, 4);
}

/* ---- the finals ----------------------------------------------------------- */

static void release_results(struct at_measure_result *results, size_t count)
{
	for (size_t i = 0; i < count; i++)
		at_measure_result_release(&results[i]);
}

COLD_TEST(finals_sample_all_that_pass_in_every_round)
{
	static const char *const names[] = { "right", "wrong", "in_place",
		"fills_scratch" };
	const struct at_measure_finals how = finals_of(4, 3);
	struct at_measure_binding bindings[COUNT(names)][ARGUMENTS];
	struct at_measure_request requests[COUNT(names)];
	struct at_measure_result results[COUNT(names)];

	for (size_t i = 0; i < COUNT(names); i++) {
		/* of scratch each wants another amount */
		bind_arguments(
			bindings[i], SCRATCH + 1000 * i, SCRATCH + 1000 * (int64_t)i);
		requests[i] = request_of(bindings[i], names[i]);
	}
	requests[2].prepare = call_of("prepare");
	requests[2].finish = call_of("finish");
	assert_ok(at_measure_context_finals(
		self->context, requests, COUNT(names), &how, results, NULL));
	for (size_t i = 0; i < COUNT(names); i++) {
		bool passes = i != 1;

		assert_int_equal(results[i].outcome,
			passes ? AT_OUTCOME_OK : AT_OUTCOME_WRONG_RESULT);
		assert_int_equal(results[i].block_count, passes ? 4 : 0);
		assert_true(!passes || (results[i].sample_count >= 8 &&
					       results[i].sample_count <= 12));
		assert_false(results[i].device_lost);
		for (size_t j = 0; j < results[i].sample_count; j++)
			assert_true(results[i].samples_ns[j] > 0);
		assert_true(passes ? results[i].low_ns <= results[i].time_ns &&
					     results[i].time_ns <= results[i].high_ns &&
					     results[i].low_ns > 0
				   : results[i].time_ns == 0);
	}
	assert_non_null(strstr(results[1].detail, "y[7] is 5"));
	release_results(results, COUNT(names));
	expect_right(self);
}

/* ---- hardware counters -------------------------------------------------------- */

static const char *no_counters; /* why they cannot be read; NULL: they can */
static size_t calls_ahead[4]; /* of the launches that were counted */
static size_t counted;

/* Two passes; a counter is the number of the launch. */
static enum at_outcome count_one(struct at_device *self,
	const struct at_invocation *before, size_t before_count,
	const struct at_invocation *call, double *values, struct at_error *err)
{
	self->is_profiled = true;
	if (no_counters) {
		at_fail(err, AT_EUNAVAILABLE, NULL, 0, "%s", no_counters);
		return AT_OUTCOME_NOT_APPLICABLE;
	}
	for (int pass = 0; pass < 2; pass++)
		if (host_ops->run(self, before, before_count, err) != AT_OUTCOME_OK ||
			host_ops->run(self, call, 1, err) != AT_OUTCOME_OK)
			return AT_OUTCOME_CRASHED;
	calls_ahead[counted++] = before_count;
	for (int i = 0; i < AT_COUNTER_COUNT; i++)
		values[i] = (double)counted;
	return AT_OUTCOME_OK;
}

static void count_these(struct fixture *self, struct at_measure_request *requests,
	size_t count, struct at_measure_result *results)
{
	counted = 0;
	unguarded_ops.count = count_one;
	assert_ok(at_measure_context_count(
		self->context, requests, count, results, &failure));
	unguarded_ops.count = NULL;
	device->is_profiled = false;
}

TEST(counters_are_read_of_each_launch_behind_those_before_it)
{
	RELEASED(end_bench) struct fixture self;
	struct at_measure_request requests[2];
	struct at_measure_result results[2];
	struct at_measure_call more = call_of("right");

	open_bench_without_inout(&self, AT_CACHE_WARM);
	ask_for(&self, "right", 0);
	requests[0] = requests[1] = self.request;
	/* two launches, then a third one */
	requests[1].kernel.repeats = 1;
	requests[1].more = &more;
	requests[1].more_count = 1;
	count_these(&self, requests, 2, results);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(results[i].outcome, AT_OUTCOME_OK);
		assert_true(results[i].left_traces);
		assert_int_equal(results[i].sample_count, 0);
	}
	assert_int_equal(counted, 3);
	assert_int_equal(results[0].counter_count, AT_COUNTER_COUNT);
	assert_true(results[0].counters[0] == 1);
	assert_int_equal(results[1].counter_count, 2 * AT_COUNTER_COUNT);
	assert_true(results[1].counters[0] == 2);
	assert_true(results[1].counters[AT_COUNTER_COUNT] == 3);
	/* the warming launches come first in all, then what is restored */
	assert_int_equal(calls_ahead[1], calls_ahead[0] + 2);
	assert_int_equal(calls_ahead[2], calls_ahead[1] + 2);
	release_results(results, 2);
}

COLD_TEST(counters_that_are_not_read_say_why)
{
	struct at_measure_request requests[2];
	struct at_measure_result results[2];

	ask_for(self, "right", 0);
	requests[0] = self->request;
	ask_for(self, "wrong", 0);
	requests[1] = self->request;
	no_counters = "no rights";
	count_these(self, requests, 2, results);
	no_counters = NULL;
	assert_int_equal(results[0].outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_string_equal(results[0].detail, "no rights");
	assert_int_equal(results[0].counter_count, 0);
	/* what is wrong is not counted */
	assert_int_equal(results[1].outcome, AT_OUTCOME_WRONG_RESULT);
	assert_int_equal(counted, 0);
	release_results(results, 2);
	/* and this device has none */
	assert_ok(at_measure_context_count(
		self->context, requests, 1, results, &failure));
	assert_int_equal(results[0].outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_string_equal(results[0].detail, "host has no hardware counters");
	assert_false(results[0].left_traces);
	release_results(results, 1);
	expect_right(self);
}

/* so few that there is an interval, and no fewer */
TEST(finals_without_time_have_three_blocks_of_two_rounds)
{
	struct at_measure_finals how = finals_of(6, 5);
	RELEASED(end_bench) struct fixture self;
	struct at_measure_request requests[2];
	struct at_measure_result results[2];

	how.seconds = 1e-9;
	open_bench(&self, AT_CACHE_WARM);
	ask_for(&self, "right", 0);
	requests[0] = requests[1] = self.request;
	assert_ok(at_measure_context_finals(
		self.context, requests, 2, &how, results, NULL));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(results[i].block_count, 3);
		assert_int_equal(results[i].sample_count, 6);
		assert_true(results[i].low_ns < results[i].high_ns);
	}
	release_results(results, 2);
}

COLD_TEST(finals_that_lose_the_device_say_so_of_all)
{
	static const char *const names[] = { "right", "changes_input", "right" };
	const struct at_measure_finals how = finals_of(2, 3);
	struct at_measure_request requests[3];
	struct at_measure_result results[3];

	for (size_t i = 0; i < 3; i++) {
		ask_for(self, names[i], 0);
		requests[i] = self->request;
	}
	assert_ok(at_measure_context_finals(
		self->context, requests, 3, &how, results, NULL));
	assert_int_equal(results[1].outcome, AT_OUTCOME_OUT_OF_BOUNDS);
	for (size_t i = 0; i < 3; i++) {
		assert_true(results[i].device_lost);
		assert_int_equal(results[i].sample_count, 0);
		assert_true(results[i].time_ns == 0);
	}
	release_results(results, 3);
}

COLD_TEST(finals_without_room_time_nobody)
{
	const struct at_measure_finals how = finals_of(2, 3);
	struct at_measure_result result;

	ask_for(self, "right", 0);
	self->bindings[T].count = UINT64_MAX;
	assert_ok(at_measure_context_finals(
		self->context, &self->request, 1, &how, &result, NULL));
	assert_int_equal(result.outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_non_null(strstr(result.detail, "are more than any device holds"));
	assert_int_equal(result.sample_count, 0);
	release_results(&result, 1);
	expect_right(self);
}

/* ---- the reference -------------------------------------------------------- */

TEST(refuses_a_reference_that_cannot_be_one)
{
	static const struct {
		const char *reference;
		int64_t reach;
		const char *text;
	} cases[] = {
		{ "half", 0,
			"the reference leaves 501 of 1001 values of \"y\" unwritten or NaN, the first at index 500" },
		{ "half", 0,
			" threads: fix it, or give it its own \"block\" and \"grid\" if it does not stride over them; " },
		{ "nan_at_the_end", 0,
			"the reference leaves 1 of 1001 values of \"y\"" },
		{ "infinite", 0,
			"the reference is infinite in all 1001 values of \"y\": float ends at 3.40282e+38; give x a smaller fill" },
		{ "no_flags", 0,
			"the reference leaves some of \"flags\" unwritten: write all of it there, or make it \"inout\"" },
		{ "changes_input", 0,
			"the reference wrote into \"x\", which is an input" },
		{ "astray", N, "the reference wrote 1 bytes behind buffer \"flags\"" },
		{ "nowhere", 0, "kernel \"nowhere\" is not in the image" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fixture self;
		struct at_error err = { 0 };

		begin_bench(&self, cases[i].reference, AT_CACHE_WARM);
		bind_arguments(self.setup_bindings, SCRATCH, cases[i].reach);
		assert_true(at_measure_context_new(device, &self.setup, NULL,
				    &self.context, &err) != AT_OK);
		if (!strstr(err.text, cases[i].text))
			fail_msg("%s: expected %s", err.text, cases[i].text);
	}
}

TEST(knows_a_count_of_bytes_when_it_sees_one)
{
	/* as many elements more as one has bytes, and one fewer than that */
	for (uint64_t more = 4; more >= 3; more--) {
		struct fixture self;
		struct at_error err = { 0 };

		begin_bench(&self, "right", AT_CACHE_WARM);
		self.setup_bindings[Y].count = more * N;
		assert_true(at_measure_context_new(device, &self.setup, NULL,
				    &self.context, &err) != AT_OK);
		if (!strstr(err.text, "values of \"y\" unwritten") ||
			!strstr(err.text, "of elements, not of bytes") != (more != 4))
			fail_msg("%s", err.text);
	}
}

/* labs() of the C library takes one word and writes nothing */
TEST(sees_what_a_function_leaves_unwritten)
{
	struct fixture self;

	begin_bench(&self, "", AT_CACHE_WARM);
	self.setup.reference = AT_REFERENCE_LIBRARY;
	self.setup.reference_call.argument_count = ARGUMENTS;
	self.setup.library = (char *)"libc.so.6";
	self.setup.function = (char *)"labs";
	assert_fails_with(at_measure_context_new(
				  device, &self.setup, NULL, &self.context, &failure),
		AT_EINVAL, "leaves 1001 of 1001 values of \"y\" unwritten");
}

TEST(without_a_reference_only_the_borders_are_watched)
{
	RELEASED(end_bench) struct fixture self;

	begin_bench(&self, "", AT_CACHE_COLD);
	self.setup.reference = AT_REFERENCE_NONE;
	assert_ok(at_measure_context_new(
		device, &self.setup, NULL, &self.context, &failure));
	ask_for(&self, "wrong", 0);
	expect_outcome(&self, AT_OUTCOME_OK, "");
	ask_for(&self, "astray", N);
	expect_outcome(&self, AT_OUTCOME_OUT_OF_BOUNDS,
		"wrote 1 bytes behind buffer \"flags\"");
}

/* ---- variables of the template -------------------------------------------- */

static void begin_with_symbol(
	struct fixture *self, const char *symbol, const char *reference)
{
	static struct at_measure_argument facts[ARGUMENTS];

	begin_bench(self, reference, AT_CACHE_COLD);
	memcpy(facts, self->setup.arguments, sizeof(facts));
	facts[X].symbol = (char *)symbol;
	self->setup.arguments = facts;
}

TEST(an_input_reaches_the_variable_of_its_symbol)
{
	static const char *const references[] = { "right", "looks_up" };

	for (size_t i = 0; i < COUNT(references); i++) {
		RELEASED(end_bench) struct fixture self;

		begin_with_symbol(&self, "table", references[i]);
		assert_ok(at_measure_context_new(
			device, &self.setup, NULL, &self.context, &failure));
		ask_for(&self, "looks_up", 0);
		expect_outcome(&self, AT_OUTCOME_OK, "");
		/* whatever data the others hold in a winner's verification */
		self.request.verify_only = true;
		expect_outcome(&self, AT_OUTCOME_OK, "");
		expect_right(&self);
		/* its variable is another one */
		ask_for(&self, "looks_up_few", 0);
		expect_outcome(&self, AT_OUTCOME_WRONG_RESULT, "expected ");
	}
}

TEST(a_variable_that_is_not_there_is_left_alone)
{
	RELEASED(end_bench) struct fixture self;

	begin_with_symbol(&self, "nowhere", "right");
	assert_ok(at_measure_context_new(
		device, &self.setup, NULL, &self.context, &failure));
	expect_right(&self);
}

TEST(a_variable_that_is_too_small_is_refused)
{
	const char *text =
		"the variable \"few\" has 4000 bytes, fewer than the 4004 that go into it";
	RELEASED(end_bench) struct fixture self;

	begin_with_symbol(&self, "few", "right");
	assert_fails_with(at_measure_context_new(
				  device, &self.setup, NULL, &self.context, &failure),
		AT_EDEVICE, "the reference: ");
	assert_string_equal(failure.text + 15, text);
	self.setup.reference = AT_REFERENCE_NONE;
	assert_ok(at_measure_context_new(
		device, &self.setup, NULL, &self.context, &failure));
	ask_for(&self, "right", 0);
	expect_outcome(&self, AT_OUTCOME_LAUNCH_FAILED, text);
	assert_false(self.result.device_lost);
}

/* ---- the tuner's own kernels ----------------------------------------------- */

TEST(compiles_for_gpus_with_few_registers)
{
	RELEASED(at_compile_result_release) struct at_compile_result compiled = { 0 };
	struct at_error err = { 0 };
	char version[64];
	struct at_compile_request request = {
		.toolchain = "nvrtc",
		.architecture = (char *)"sm_90",
		.name = (char *)"support.cu",
		.directory = (char *)"",
		.option_count = at_measure_support_option_count,
		.options = (char **)at_measure_support_options,
		.kernel_count = at_measure_support_kernel_count,
		.kernels = (char **)at_measure_support_kernels,
	};

	if (at_toolchain_version("nvrtc", version, sizeof(version), &err))
		skip_because("no NVRTC");
	request.source =
		at_strndup((const char *)at_embedded_support, at_embedded_support_size);
	assert_ok(at_compile(&request, &compiled, &failure));
	free(request.source);
	if (compiled.outcome != AT_OUTCOME_OK)
		fail_msg("%s", compiled.log);
	assert_int_equal(compiled.kernel_count, at_measure_support_kernel_count);
	for (size_t i = 0; i < compiled.kernel_count; i++)
		/* blocks of 256 threads, eight a multiprocessor at once */
		assert_in_range(compiled.kernels[i].registers, 1, 64);
	for (size_t i = 0; i < compiled.kernel_count; i++) {
		const struct at_kernel_facts *facts = &compiled.kernels[i];

		/* eight blocks at once, or some place for a thread is left out */
		if (!strcmp(facts->symbol, "at_poison_local")) {
			assert_in_range(facts->registers, 1, 32);
			assert_int_equal(facts->local_bytes, 4096);
		}
		/* 64 are given, which is all there are, and none of it in memory */
		if (!strcmp(facts->symbol, "at_crowd")) {
			assert_in_range(facts->registers, 57, 64);
			assert_int_equal(facts->local_bytes, 0);
		}
	}
}

static int open_unguarded(void **unused)
{
	int failed = open_host(unused);

	if (failed)
		return failed;
	host_ops = device->ops;
	unguarded_ops = *host_ops;
	unguarded_ops.allocate_guarded = NULL;
	device->ops = &unguarded_ops;
	return 0;
}

static int close_unguarded(void **unused)
{
	device->ops = host_ops;
	return close_host(unused);
}

RUN_SUITE(open_unguarded, close_unguarded)
