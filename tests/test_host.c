/* The device "host": kernels compiled by the C++ compiler and run on the CPU. */
/* syscall() is Linux's own */
#define _GNU_SOURCE

#include "kernel/cxx_object.h"
#include "kernel/host_dialect.h"
#include "host_fixture.h"

#include <dirent.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "suite.h"

#include "folder.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int set_up(void **state)
{
	static const char *const kernels[] = { "saxpy", "transpose",
		"shift_without_barrier", "reduce_by_shuffles", "warp_functions",
		"shuffle_of_the_rest", "meeting_of_the_rest", "sum_of_eight",
		"histogram", "sum_in_last_block", "reverse_floats", "reverse_doubles",
		"shared_twice", "scale<3, int>", "scale<5, int>", "vectors",
		"leave_early", "predicates", "places", "own_parameter", "integers",
		"count_launches", "sleep_or_work", "read_unwritten",
		"masks_that_differ", "lane_outside_its_mask",
		"architecture_and_alignment", "split_at_barriers", "looks_up" };

	host_open("host.cu", kernels, COUNT(kernels));
	return 0;
}

static int tear_down(void **state)
{
	host_close();
	return 0;
}

/* ---- kernels -------------------------------------------------------------- */

TEST(adds_scaled_vectors_with_a_ragged_end)
{
	enum { N = 10007 };
	static float x[N + 1], y[N + 1];
	float a = 3.0f;

	for (int i = 0; i <= N; i++) {
		x[i] = (float)i;
		y[i] = 1.0f;
	}
	RUN("saxpy", (N + 255) / 256, 256, INTEGER(N), VALUE(a), POINTER(x),
		POINTER(y));
	for (int i = 0; i < N; i++)
		assert_true(y[i] == 1.0f + 3.0f * (float)i);
	assert_true(y[N] == 1.0f);
}

enum { SIDE = 64 };

static int wrong_after_transpose(void)
{
	static float in[SIDE * SIDE], out[SIDE * SIDE];
	struct call call;
	int wrong = 0;

	for (int i = 0; i < SIDE * SIDE; i++) {
		in[i] = (float)i;
		out[i] = -1.0f;
	}
	BEGIN(&call, "transpose", SIDE / 16, 16, POINTER(in), POINTER(out),
		INTEGER(SIDE));
	call.invocation.grid[1] = SIDE / 16;
	call.invocation.block[1] = 16;
	host_run(&call);
	for (int i = 0; i < SIDE * SIDE; i++)
		wrong += out[i] != in[i % SIDE * SIDE + i / SIDE];
	return wrong;
}

TEST(keeps_a_correct_kernel_correct_in_any_order)
{
	for (uint64_t seed = 0; seed <= 20; seed++) {
		host_shuffle(seed);
		assert_int_equal(wrong_after_transpose(), 0);
	}
	host_shuffle(0);
}

static void shift(uint64_t seed, float first, float *out)
{
	float in[256];

	for (int i = 0; i < 256; i++)
		in[i] = first + (float)i;
	host_shuffle(seed);
	RUN("shift_without_barrier", 1, 256, POINTER(in), POINTER(out));
	host_shuffle(0);
}

static int wrong_after_shift(uint64_t seed, float *out)
{
	int wrong = 0;

	/* so that shared memory holds no right values from the time before */
	shift(0, -1000.0f, out);
	shift(seed, 0.0f, out);
	for (int i = 1; i < 256; i++)
		wrong += out[i] != (float)(i - 1);
	return wrong;
}

TEST(shows_a_missing_barrier_when_threads_are_shuffled)
{
	float out[256];

	assert_int_equal(wrong_after_shift(0, out), 0);
	for (uint64_t seed = 1; seed <= 5; seed++)
		assert_true(wrong_after_shift(seed, out) > 0);
	assert_int_equal(wrong_after_shift(0, out), 0);
}

TEST(repeats_a_shuffled_order_exactly)
{
	float first[256], again[256], other[256];

	wrong_after_shift(7, first);
	wrong_after_shift(7, again);
	wrong_after_shift(8, other);
	/* bytes: what was not yet there may be no number */
	assert_memory_equal(first, again, sizeof(first));
	assert_memory_not_equal(first, other, sizeof(first));
}

TEST(leaves_nothing_in_shared_memory_when_shuffled)
{
	unsigned out = 0;

#if !defined(__x86_64__)
	skip_because("shared memory is where the dynamic loader puts it");
#endif
	/* the same seed gives the same again */
	for (uint64_t seed = 1; seed <= 12; seed++) {
		static const unsigned expected[] = { 0xffffffffu, 0x7f7f7f7fu,
			0xfefefefeu, 0x01010101u, 0x81818181u, 0 };

		host_shuffle(seed);
		RUN("read_unwritten", 1, 1, POINTER(&out));
		assert_int_equal(out, expected[seed % 6]);
	}
	host_shuffle(0);
}

TEST(reduces_by_shuffles)
{
	double in[1024], sums[32];
	int scanned[1024];

	for (int i = 0; i < 1024; i++)
		in[i] = i;
	for (uint64_t seed = 0; seed < 4; seed++) {
		host_shuffle(seed);
		RUN("reduce_by_shuffles", 1, 1024, POINTER(in), POINTER(sums),
			POINTER(scanned));
		for (int i = 0; i < 32; i++)
			assert_true(sums[i] == 32.0 * 32 * i + 31 * 16);
		for (int i = 0; i < 1024; i++)
			assert_int_equal(scanned[i], i % 8 + 1);
	}
	host_shuffle(0);
}

TEST(offers_the_other_warp_functions)
{
	static long long out[64 * 6];

	RUN("warp_functions", 1, 64, POINTER(out));
	for (int i = 0; i < 64; i++) {
		int lane = i % 32;
		const long long *of = out + 6 * i;

		assert_true(of[0] == (long long)(lane ^ 5) << 40);
		assert_int_equal(of[1], lane / 8 * 8 + 3);
		assert_int_equal(of[2], 0x49249249);
		assert_int_equal(of[3], 2);
		assert_true(of[4] == (lane < 16 ? lane ^ 1 : 0xffff0000ll));
		assert_int_equal(of[5], 31 * 16);
	}
}

TEST(counts_only_lanes_that_are_there)
{
	/* threads in the block, threads that shuffle */
	static const int rows[][2] = { { 20, 20 }, { 32, 11 }, { 20, 11 }, { 40, 7 } };

	for (size_t i = 0; i < COUNT(rows); i++) {
		int out[32];

		RUN("shuffle_of_the_rest", 1, (uint32_t)rows[i][0], INTEGER(rows[i][1]),
			POINTER(out));
		for (int lane = 0; lane < rows[i][1] - 1; lane++)
			assert_int_equal(out[lane], lane + 1);
		assert_int_not_equal(out[rows[i][1] - 1], rows[i][1] - 1);

		unsigned met[4];

		RUN("meeting_of_the_rest", 1, (uint32_t)rows[i][0], INTEGER(rows[i][1]),
			POINTER(met));
		for (int k = 0; k < 3; k++)
			assert_int_equal(met[k], (1u << rows[i][1]) - 1);
		assert_int_equal(met[3], rows[i][1]);
	}
}

/* What CUDA leaves undefined is no value that the kernel hopes for, and has a line. */
TEST(names_the_lane_that_gets_an_undefined_value)
{
	static const struct {
		const char *kernel;
		int argument;
		uint32_t threads;
		const char *text;
	} rows[] = {
		{ "sum_of_eight", 4, 32,
			"lane 4 shuffles from lane 8, which is not in the mask 0x000000ff" },
		{ "sum_of_eight", 16, 32,
			"lane 0 shuffles from lane 16, which is not in the mask 0x000000ff" },
		{ "shuffle_of_the_rest", 11, 32,
			"lane 10 shuffles from lane 11, which has ended" },
		{ "shuffle_of_the_rest", 20, 20,
			"lane 19 shuffles from lane 20, which the block does not have" },
		{ "shuffle_of_the_rest", 32, 32, "" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		int out[32] = { 0 };

		device->undefined[0] = '\0';
		RUN(rows[i].kernel, 1, rows[i].threads, INTEGER(rows[i].argument),
			POINTER(out));
		if (!strstr(device->undefined, rows[i].text) ||
			!*rows[i].text != !*device->undefined)
			fail_msg(
				"\"%s\" lacks \"%s\"", device->undefined, rows[i].text);
		if (!strcmp(rows[i].kernel, "sum_of_eight"))
			assert_int_equal(out[0] == 8, rows[i].argument == 4);
	}
}

static atomic_uint yield_count;

/* In place of the C library's: counts how often cores are given away. */
int sched_yield(void)
{
	atomic_fetch_add(&yield_count, 1);
	return (int)syscall(SYS_sched_yield);
}

static unsigned away_in_a_histogram(size_t count)
{
	static int in[1 << 16];
	unsigned bins[64] = { 0 }, ends[2] = { 0 };
	float total = 0.0f;
	struct call call;

	assert_true(count <= AT_COUNT_OF(in));
	for (size_t i = 0; i < count; i++)
		in[i] = (int)(i % 64);
	host_shuffle(5);
	BEGIN(&call, "histogram", 4, 96, POINTER(in), INTEGER((int)count),
		POINTER(bins), POINTER(&total), POINTER(ends));
	atomic_store(&yield_count, 0);
	host_run(&call);
	host_shuffle(0);
	return atomic_load(&yield_count);
}

/* A launch of some hundred atomic operations gives cores away as often as it is drawn,
   so that blocks meet; a long one does not go on like that, as each costs a switch. */
TEST(gives_cores_away_often_at_first_and_seldom_later)
{
	unsigned few, many;

	few = away_in_a_histogram(1 << 10);
	many = away_in_a_histogram(1 << 16);
	if (few < 50 || many < few || many > 3000)
		fail_msg("%u times in 4096 operations, %u in 262144", few, many);
}

TEST(counts_a_histogram_with_atomics)
{
	enum { N = 20000 };
	static int in[N];
	unsigned bins[64] = { 0 }, expected[64] = { 0 }, ends[2] = { 99, 0 };
	float total = 0.0f;

	for (int i = 0; i < N; i++) {
		in[i] = i * i % 64;
		expected[in[i]]++;
	}
	RUN("histogram", 40, 96, POINTER(in), INTEGER(N), POINTER(bins),
		POINTER(&total), POINTER(ends));
	assert_memory_equal(bins, expected, sizeof(bins));
	assert_true(total == N);
	assert_int_equal(ends[0], 0);
	assert_int_equal(ends[1], N - 1);
}

TEST(shares_device_variables_among_blocks)
{
	int parts[300], sum;

	for (int i = 0; i < 3; i++) {
		sum = -1;
		RUN("sum_in_last_block", 300, 32, POINTER(parts), POINTER(&sum));
		assert_int_equal(sum, 300 * 301 / 2);
	}
}

TEST(has_an_architecture_and_aligns_shared_memory)
{
	static const int expected[] = { AT_HOST_CUDA_ARCH, 0, 0, 0, 0 };
	int out[5 * 32];
	struct call call;

	BEGIN(&call, "architecture_and_alignment", 1, 32, POINTER(out));
	call.invocation.shared_bytes = 16;
	host_run(&call);
	for (int i = 0; i < 32; i++)
		assert_memory_equal(out + 5 * i, expected, sizeof(expected));
}

/* whatever the C library calls so: only variables of the image count */
TEST(sets_the_constants_of_an_image)
{
	static const struct {
		const char *name;
		uint64_t bytes;
		bool found;
		enum at_outcome outcome;
	} rows[] = {
		{ "table", 16, true, AT_OUTCOME_OK },
		{ "table", 24, true, AT_OUTCOME_LAUNCH_FAILED },
		{ "absent", 4, false, AT_OUTCOME_OK },
		{ "optarg", 4, false, AT_OUTCOME_OK },
		{ "environ", 4, false, AT_OUTCOME_OK },
	};
	static const int values[6] = { 3, 1, 4, 1, 5, 9 };
	struct at_error err = { 0 };
	int out[5];

	for (size_t i = 0; i < COUNT(rows); i++) {
		bool found = !rows[i].found;

		assert_int_equal(device->ops->set_symbol(device, module, rows[i].name,
					 values, rows[i].bytes, &found, &err),
			rows[i].outcome);
		assert_int_equal(found, rows[i].found);
	}
	assert_string_equal(err.text,
		"the variable \"table\" has 20 bytes, fewer than the 24 that go into it");
	RUN("looks_up", 1, 5, POINTER(out));
	for (int i = 0; i < 4; i++)
		assert_int_equal(out[i], values[i]);
	assert_int_equal(out[4], 0);
}

TEST(gives_dynamic_shared_memory)
{
	float floats[100], reversed_floats[100];
	double doubles[100], reversed_doubles[100];
	int twice = 0;
	struct call call;

	for (int i = 0; i < 100; i++)
		doubles[i] = floats[i] = (float)i;
	BEGIN(&call, "reverse_floats", 3, 100, POINTER(floats),
		POINTER(reversed_floats));
	call.invocation.shared_bytes = sizeof(floats);
	host_run(&call);
	BEGIN(&call, "reverse_doubles", 3, 100, POINTER(doubles),
		POINTER(reversed_doubles));
	call.invocation.shared_bytes = sizeof(doubles);
	host_run(&call);
	for (int i = 0; i < 100; i++) {
		assert_true(reversed_floats[i] == floats[99 - i]);
		assert_true(reversed_doubles[i] == doubles[99 - i]);
	}
	BEGIN(&call, "shared_twice", 1, 1, POINTER(&twice));
	call.invocation.shared_bytes = 64;
	host_run(&call);
	assert_int_equal(twice, 77);
}

TEST(runs_instances_of_a_template)
{
	int data[32];

	for (int i = 0; i < 32; i++)
		data[i] = i;
	RUN("scale<3, int>", 1, 32, POINTER(data));
	RUN("scale<5, int>", 1, 32, POINTER(data));
	for (int i = 0; i < 32; i++)
		assert_int_equal(data[i], 15 * i);
}

TEST(lays_out_vector_types_as_cuda_does)
{
	_Alignas(16) float in[16][4];
	_Alignas(16) double out[16][2];
	int sizes[6];

	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 4; j++)
			in[i][j] = (float)(10 * i + j);
	RUN("vectors", 1, 16, POINTER(in), POINTER(out), POINTER(sizes));
	for (int i = 0; i < 16; i++) {
		assert_true(out[i][0] == 20 * i + 1);
		assert_true(out[i][1] == 20 * i + 5);
	}
	assert_int_equal(sizes[0], 1204);
	assert_int_equal(sizes[1], 808);
	assert_int_equal(sizes[2], 808);
	assert_int_equal(sizes[3], 3216);
	assert_int_equal(sizes[4], 1616);
	assert_int_equal(sizes[5], 0x04030201);
}

TEST(waits_only_for_threads_that_have_not_ended)
{
	int out[256];

	for (uint64_t seed = 0; seed < 4; seed++) {
		host_shuffle(seed);
		memset(out, 0xff, sizeof(out));
		RUN("leave_early", 1, 256, POINTER(out));
		for (int i = 0; i < 256; i++)
			assert_int_equal(out[i], i % 2 ? -1 : 254 - i);
	}
	host_shuffle(0);
}

TEST(counts_predicates_at_barriers)
{
	int out[64];

	RUN("predicates", 1, 64, POINTER(out));
	for (int i = 0; i < 64; i++)
		assert_int_equal(out[i], 1612);
}

TEST(runs_every_thread_of_a_three_dimensional_launch_once)
{
	static const struct {
		uint32_t grid[3], block[3];
	} rows[] = {
		{ { 3, 5, 7 }, { 16, 8, 8 } },
		/* many blocks, so that a worker takes several at a time */
		{ { 5, 7, 80 }, { 3, 2, 5 } },
	};
	static int out[107520];

	for (size_t row = 0; row < COUNT(rows); row++) {
		const uint32_t *grid = rows[row].grid, *block = rows[row].block;
		uint32_t threads = block[0] * block[1] * block[2];
		struct call call;

		memset(out, 0, sizeof(out));
		BEGIN(&call, "places", 1, 1, POINTER(out));
		memcpy(call.invocation.grid, grid, sizeof(rows[row].grid));
		memcpy(call.invocation.block, block, sizeof(rows[row].block));
		host_run(&call);
		for (uint32_t i = 0; i < grid[0] * grid[1] * grid[2] * threads; i++) {
			uint32_t thread = i % threads, place = i / threads;

			assert_int_equal(
				out[i], 1 + thread % block[0] +
						100 * (thread / block[0] % block[1]) +
						1000 * (thread / block[0] / block[1]) +
						10000 * (place % grid[0]) +
						100000 * (place / grid[0] % grid[1]) +
						1000000 * (place / grid[0] / grid[1]));
		}
	}
}

TEST(gives_each_thread_its_own_parameters)
{
	int out[64];

	RUN("own_parameter", 2, 64, INTEGER(1000), POINTER(out));
	for (int i = 0; i < 64; i++)
		assert_int_equal(out[i], 1000 + i);
}

TEST(computes_intrinsics_as_cuda_does)
{
	static const int expected[] = { 8, 31 + 32, 4, 1, 2, 15, -15, 1, 1, 7, 1, 8, 1,
		12, 15, 9 };
	int out[200] = { 0 };

	RUN("integers", 1, 1, POINTER(out));
	for (size_t i = 0; i < COUNT(expected); i++)
		if (out[i] != expected[i])
			fail_msg(
				"value %zu is %d; expected %d", i, out[i], expected[i]);
}

/* ---- refusals ------------------------------------------------------------- */

TEST(refuses_launches_beyond_the_limits)
{
	static const struct {
		uint32_t grid[3], block[3], shared_bytes;
		size_t argument_count;
		enum at_outcome outcome;
		const char *text;
	} rows[] = {
		{ { 1, 1, 1 }, { 33, 32, 1 }, 0, 1, AT_OUTCOME_LAUNCH_FAILED,
			"1056 threads; the limit is 1024" },
		{ { 1, 1, 1 }, { 1025, 1, 1 }, 0, 1, AT_OUTCOME_LAUNCH_FAILED,
			"block.x is 1025" },
		{ { 1, 1, 1 }, { 1, 1, 65 }, 0, 1, AT_OUTCOME_LAUNCH_FAILED,
			"block.z is 65" },
		{ { 1, 1, 0 }, { 1, 1, 1 }, 0, 1, AT_OUTCOME_LAUNCH_FAILED,
			"grid.z is 0" },
		{ { 1, 65536, 1 }, { 1, 1, 1 }, 0, 1, AT_OUTCOME_LAUNCH_FAILED,
			"grid.y is 65536" },
		{ { 1, 1, 1 }, { 1, 1, 1 }, 0, 2, AT_OUTCOME_LAUNCH_FAILED,
			"has 1 parameters and was given 2" },
		{ { 1, 1, 1 }, { 1, 1, 1 }, 102401, 1, AT_OUTCOME_TOO_MANY_RESOURCES,
			"102401 bytes of dynamic shared memory" },
		{ { 1, 1, 1 }, { 1, 1, 1 }, 102400, 1, AT_OUTCOME_OK, "" },
	};
	int counter = 0;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_error err = { 0 };
		struct call call;

		BEGIN(&call, "count_launches", 1, 1, POINTER(&counter));
		memcpy(call.invocation.grid, rows[i].grid, sizeof(rows[i].grid));
		memcpy(call.invocation.block, rows[i].block, sizeof(rows[i].block));
		call.invocation.shared_bytes = rows[i].shared_bytes;
		call.invocation.argument_count = rows[i].argument_count;
		assert_int_equal(host_try(&call, &err), rows[i].outcome);
		if (!strstr(err.text, rows[i].text))
			fail_msg("\"%s\" lacks \"%s\"", err.text, rows[i].text);
	}
	/* the last one alone has run */
	assert_int_equal(counter, 1);
}

TEST(tells_threads_that_do_not_meet)
{
	static const struct {
		const char *kernel, *text;
	} rows[] = {
		{ "split_at_barriers",
			"threads wait at different barriers: 8 at __syncthreads(), 24 in warp operations" },
		{ "masks_that_differ",
			"threads wait at different barriers: 0 at __syncthreads(), 32 in warp operations" },
		{ "lane_outside_its_mask",
			"lane 8 calls a warp function with the mask 0x000000ff" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_device *victim = host_open_device();
		struct at_module *loaded = host_load(victim, &unit);
		struct at_invocation call = {
			.kernel = victim->ops->find(victim, loaded, rows[i].kernel),
			.grid = { 9, 1, 1 },
			.block = { 32, 1, 1 },
		};

		assert_non_null(call.kernel);
		assert_fails_with(victim->ops->run(victim, &call, 1, &failure),
			AT_OUTCOME_CRASHED, rows[i].text);
		victim->ops->close(victim);
		/* the lost device is gone; its module must not stay in this process */
		device->ops->unload(device, loaded);
	}
}

TEST(keeps_copies_inside_their_buffer)
{
	struct at_memory *memory;
	char bytes[16] = "0123456789abcde", back[16];

	assert_ok(device->ops->allocate(device, 16, &memory, NULL));
	assert_int_equal(device->ops->address(device, memory) % 256, 0);
	assert_ok(device->ops->write(device, memory, 0, bytes, 16, NULL));
	assert_ok(device->ops->read(device, memory, 3, back, 13, NULL));
	assert_memory_equal(back, bytes + 3, 13);
	assert_int_equal(
		device->ops->read(device, memory, 4, back, 13, NULL), AT_EINVAL);
	assert_int_equal(
		device->ops->write(device, memory, 17, bytes, 0, NULL), AT_EINVAL);
	assert_int_equal(device->ops->write(device, memory, 1, bytes, UINT64_MAX, NULL),
		AT_EINVAL);
	device->ops->release(device, memory);
	assert_int_equal(device->ops->allocate(device, UINT64_MAX - 5, &memory, NULL),
		AT_ENOMEM);
}

TEST(times_the_launches_and_not_what_comes_before)
{
	struct at_error err = { 0 };
	struct call before, timed;
	int before_count = 0, timed_count = 0;
	double duration_ns = -1.0;

	BEGIN(&before, "count_launches", 1, 1, POINTER(&before_count));
	BEGIN(&timed, "count_launches", 4, 8, POINTER(&timed_count));
	assert_int_equal(device->ops->time(device, &before.invocation, 1,
				 &timed.invocation, 1, 5, &duration_ns, &err),
		AT_OUTCOME_OK);
	assert_int_equal(before_count, 1);
	assert_int_equal(timed_count, 5 * 4 * 8);
	assert_true(duration_ns > 0.0);
}

/* what other programs do in the meantime does not count, nor do timed launches */
TEST(counts_what_launches_work_and_not_how_long_they_wait)
{
	const struct at_device_ops *ops = device->ops;
	const uint64_t sleep_ns = 50000000;
	struct at_error err = { 0 };
	uint64_t start_ns = ops->worked_ns(device);
	struct call sleeping, working;
	double duration_ns;

	BEGIN(&sleeping, "sleep_or_work", 1, 1, INTEGER((int)(sleep_ns / 1000)));
	BEGIN(&working, "sleep_or_work", 1, 1, INTEGER(0));
	assert_int_equal(
		ops->run(device, &sleeping.invocation, 1, &err), AT_OUTCOME_OK);
	assert_true(ops->worked_ns(device) - start_ns < sleep_ns / 2);
	start_ns = ops->worked_ns(device);
	assert_int_equal(ops->run(device, &working.invocation, 1, &err), AT_OUTCOME_OK);
	assert_true(ops->worked_ns(device) - start_ns > 1000000);
	start_ns = ops->worked_ns(device);
	assert_int_equal(ops->time(device, NULL, 0, &working.invocation, 1, 1,
				 &duration_ns, &err),
		AT_OUTCOME_OK);
	assert_true(ops->worked_ns(device) == start_ns);
}

TEST(describes_this_machine)
{
	const struct at_device_info *info = &device->info;

	assert_string_equal(info->kind, "host");
	assert_string_equal(info->id, "host");
	assert_true(info->model[0] && info->architecture[0] && info->driver[0]);
	assert_string_equal(info->toolchain, "c++");
	assert_true(info->shares_cores);
	assert_int_equal(
		info->properties.value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK],
		102400);
	assert_true(info->properties.value[AT_PROPERTY_MULTIPROCESSOR_COUNT] >= 1);
	assert_true(info->properties.value[AT_PROPERTY_L2_BYTES] >= 4096);
	assert_false(info->properties.known[AT_PROPERTY_MAX_REGISTERS_PER_BLOCK]);
	/* a core runs one block at a time: there is no occupancy to speak of */
	assert_false(info->properties.known[AT_PROPERTY_COMPUTE_CAPABILITY]);
	assert_false(
		info->properties.known[AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR]);
}

/* ---- images --------------------------------------------------------------- */

/* How many mappings of loaded images this process has. */
static int mapped_images(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int count = 0;

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		count += strstr(line, "autotune-") != NULL;
	fclose(maps);
	return count;
}

TEST(keeps_images_apart_and_unloads_them)
{
	/* the same names in both; a template's shared array is what a loader would
	   be most tempted to share */
	static const char text[] =
		"template <class T> __device__ T both(T v)\n"
		"{ __shared__ T kept[VALUE]; kept[VALUE - 1] = v; return kept[VALUE - 1]; }\n"
		"__global__ void give(int *out) { *out = both(VALUE); }\n";
	static const char *const kernels[] = { "give" };
	struct at_compile_result images[2];
	struct at_module *modules[2];
	int before = mapped_images(), both, outs[2] = { 0 };

	for (int i = 0; i < 2; i++) {
		char source[512];

		snprintf(source, sizeof(source), "#define VALUE %d\n%s", 7 + i, text);
		host_compile_well(source, kernels, 1, NULL, &images[i]);
		modules[i] = host_load(device, &images[i]);
	}
	both = mapped_images();
	for (int i = 2; i-- > 0;) {
		struct at_module *kept = module;

		module = modules[i];
		RUN("give", 1, 1, POINTER(&outs[i]));
		module = kept;
		device->ops->unload(device, modules[i]);
		at_compile_result_release(&images[i]);
	}
	assert_int_equal(outs[0], 7);
	assert_int_equal(outs[1], 8);
	assert_true(both > before);
	assert_int_equal(mapped_images(), before);
	assert_null(device->ops->find(device, module, "give"));
}

/* A structure may be larger than the bytes that a value has for others. */
TEST(passes_structures_by_value)
{
	static const char text[] = "struct At { double x[4]; int n; };\n"
				   "struct Few { char c; };\n"
				   "__global__ void give(double *out, At at, Few few)\n"
				   "{ *out = at.x[0] + at.x[3] * at.n + few.c; }\n";
	static const char *const kernels[] = { "give" };
	const struct {
		double x[4];
		int n;
	} at = { { 1, 0, 0, 20 }, 300 };
	const char few = 5;
	RELEASED(at_compile_result_release) struct at_compile_result image;
	struct at_module *kept = module;
	struct call call;
	double out = 0;

	host_compile_well(text, kernels, 1, NULL, &image);
	module = host_load(device, &image);
	BEGIN(&call, "give", 1, 1, POINTER(&out));
	call.values[call.invocation.argument_count++].more = &at;
	call.values[call.invocation.argument_count++].more = &few;
	host_run(&call);
	assert_true(out == 1 + 20 * 300 + 5);
	device->ops->unload(device, module);
	module = kept;
}

TEST(refuses_what_is_no_image)
{
	struct at_module *loaded = NULL;
	size_t size = 0;

	/* some of the end is not needed for loading */
	for (; size < unit.image_bytes && !loaded; size += size < 64 ? 1 : 211) {
		struct at_error err = { 0 };
		enum at_outcome outcome =
			device->ops->load(device, unit.image, size, &loaded, &err);

		if (outcome == AT_OUTCOME_OK)
			break;
		assert_int_equal(outcome, AT_OUTCOME_LAUNCH_FAILED);
		assert_true(err.text[0]);
	}
	assert_true(size > unit.image_bytes / 4);
	if (loaded)
		device->ops->unload(device, loaded);
}

TEST(reads_object_files_that_are_cut_short)
{
	RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };

	assert_ok(at_cxx_object_write_shared(unit.image, unit.image_bytes, &out, NULL));
	/* the section table lies at the end */
	for (size_t size = 0; size < unit.image_bytes; size += 1 + size / 8) {
		OWNED(free) unsigned char *copy = malloc(size ? size : 1);

		assert_non_null(copy);
		memcpy(copy, unit.image, size);
		assert_int_equal(
			at_cxx_object_write_shared(copy, size, &out, NULL), AT_EINVAL);
	}
}

/* ---- the compiler --------------------------------------------------------- */

TEST(names_the_line_of_the_template_in_the_log)
{
	static const char *const kernels[] = { "k" };
	RELEASED(at_compile_result_release) struct at_compile_result result;

	host_compile(
		"#define PARAMETER 1\n#line 1 \"broken.cu\"\n\n"
		"extern \"C\" __global__ void k(int *out)\n{\n\t*out = undeclared_thing;\n}\n",
		kernels, 1, NULL, &result);
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_non_null(strstr(result.log, "broken.cu:4:"));
	assert_null(strstr(result.log, "/autotune-"));
	assert_null(strstr(result.log, "not found in"));
	assert_null(result.image);
}

TEST(keeps_private_paths_out_of_the_linkers_words)
{
	static const char *const kernels[] = { "k" };
	RELEASED(at_compile_result_release) struct at_compile_result result;

	host_compile(
		"__device__ int nowhere();\n__global__ void k(int *out) { *out = nowhere(); }\n",
		kernels, 1, NULL, &result);
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_non_null(strstr(result.log, "nowhere"));
	assert_null(strstr(result.log, "/autotune-"));
}

TEST(tells_which_kernel_is_missing)
{
	static const char *const kernels[] = { "here", "absent", "number<int>" };
	RELEASED(at_compile_result_release) struct at_compile_result result;

	host_compile(
		"extern \"C\" __global__ void here() {}\n", kernels, 3, NULL, &result);
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_non_null(strstr(result.log, "kernel \"absent\" not found in host.cu\n"));
	assert_non_null(
		strstr(result.log, "kernel \"number<int>\" not found in host.cu\n"));
	assert_null(strstr(result.log, "kernel \"here\""));
}

TEST(passes_on_the_options_that_it_understands)
{
	static const char *const kernels[] = { "k" };
	static char *options[] = { "-DA=1", "-D", "B=2", "--use_fast_math",
		"-default-device", "-fmad=false", "--ptxas-options=-dlcm=ca", "-UC",
		"-ftz=true", "-fno-inline" };
	struct at_compile_request request = { .toolchain = "c++",
		.name = "options.cu",
		.source =
			"extern \"C\" __global__ void k() { static_assert(A + B == 3, \"\"); static_assert(AUTOTUNE_HOST == 1, \"\"); }\n",
		.kernel_count = 1,
		.kernels = (char **)kernels,
		.option_count = COUNT(options),
		.options = options };
	RELEASED(at_compile_result_release) struct at_compile_result result;

	assert_ok(at_cxx_compile(&request, &result, NULL));
	if (result.outcome != AT_OUTCOME_OK)
		fail_msg("%s", result.log);
	assert_string_equal(result.log, "");
	assert_string_equal(result.kernels[0].symbol, "k");
	assert_int_equal(result.kernels[0].registers, -1);
}

/* gcc is kept from these vectors, but not a template that asks for them */
TEST(a_template_has_the_vectors_that_it_asks_for)
{
#if defined(__x86_64__)
	static const char *const kernels[] = { "k" };
	RELEASED(at_compile_result_release) struct at_compile_result wide = { 0 };

	if (!__builtin_cpu_supports("avx512f"))
		skip_because("no AVX-512");
	host_compile_well("#include <immintrin.h>\n"
			  "extern \"C\" __global__ void k(float *x)\n"
			  "{ _mm512_storeu_ps(x, _mm512_set1_ps(1.0f)); }\n",
		kernels, 1, NULL, &wide);
#else
	skip_because("another processor");
#endif
}

/* A size as a macro, by options = ( "-Dwidth=${width}" ): the dialect has such words.
 */
TEST(macros_of_options_stand_behind_the_dialect)
{
	static const char *const kernels[] = { "k" };
	static char *options[] = { "-Dwidth=256", "-D", "value=width", "-Dn",
		"-DT=float", "-Dgone=1", "-Ugone", "--define-macro=lane=3",
		"-DTWICE(x)=((x)+(x))", "-D_UNDERLINED=5" };
	struct at_compile_request request = { .toolchain = "c++",
		.name = "options.cu",
		.source =
			"#ifdef gone\n#error\n#endif\n"
			"extern \"C\" __global__ void k(T *x) { static_assert(value + n == 257 && TWICE(lane) == 6 && _UNDERLINED == 5, \"\"); *x = width; }\n",
		.kernel_count = 1,
		.kernels = (char **)kernels,
		.option_count = COUNT(options),
		.options = options };
	struct at_compile_result result;

	assert_ok(at_cxx_compile(&request, &result, NULL));
	if (result.outcome != AT_OUTCOME_OK)
		fail_msg("%s", result.log);
	at_compile_result_release(&result);
	/* where the template has that word itself, both are named */
	request.source = "\nextern \"C\" __global__ void k(int width) { }\n";
	assert_ok(at_cxx_compile(&request, &result, NULL));
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	if (!strstr(result.log, "options.cu:2") || !strstr(result.log, "width"))
		fail_msg("%s", result.log);
	at_compile_result_release(&result);
}

TEST(includes_what_nvrtc_would)
{
	/* data/part.h says what PART is */
	static const struct {
		const char *source, *options[3];
	} rows[] = {
		{ "#include <part.h>\n", { NULL } },
		{ "#include \"part.h\"\n", { NULL } },
		{ "#include <data/part.h>\n", { "-I", AT_TEST_DIR } },
		{ "#include <data/part.h>\n", { "-I=" AT_TEST_DIR } },
		{ "#include \"data/part.h\"\n", { "--include-path=" AT_TEST_DIR } },
		{ "#include <data/part.h>\n", { "--include-path", AT_TEST_DIR } },
		{ "", { "-include=part.h" } },
		{ "", { "--pre-include", "data/part.h", "-I" AT_TEST_DIR } },
		{ "", { "--define-macro=PART=64", "-D=A", "--undefine-macro=A" } },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_compile_request request = { .toolchain = "c++",
			.name = "includes.cu",
			.directory = AT_TEST_DIR "/data",
			.options = (char **)rows[i].options };
		RELEASED(at_compile_result_release) struct at_compile_result result;
		char source[256];

		while (request.option_count < 3 &&
			rows[i].options[request.option_count])
			request.option_count++;
		snprintf(source, sizeof(source),
			"%s#ifndef PART\n#error PART\n#endif\n#ifdef A\n#error A\n#endif\n",
			rows[i].source);
		request.source = source;
		assert_ok(at_cxx_compile(&request, &result, NULL));
		if (result.outcome != AT_OUTCOME_OK)
			fail_msg("row %zu: %s", i, result.log);
	}
}

/* An empty folder of our own as $TMPDIR; put_back() says whether it is empty again. */
static char folder[64];

static void divert(void)
{
	strcpy(folder, "/tmp/test-host-XXXXXX");
	assert_non_null(folder_make(folder));
	setenv("TMPDIR", folder, 1);
}

static bool put_back(void)
{
	unsetenv("TMPDIR");
	unsetenv("AUTOTUNE_CXX");
	return rmdir(folder) == 0;
}

/* A script as the compiler. */
static void use_script(const char *path, const char *text)
{
	file_write(path, text);
	assert_int_equal(chmod(path, 0700), 0);
	setenv("AUTOTUNE_CXX", path, 1);
}

TEST(leaves_no_files_behind)
{
	static const char *const kernels[] = { "k" };
	static const char *const sources[] = { "__global__ void k() {}", "nonsense" };
	struct at_compile_result result;

	for (size_t i = 0; i < COUNT(sources); i++) {
		divert();
		host_compile(sources[i], kernels, 1, NULL, &result);
		assert_true(put_back());
		at_compile_result_release(&result);
	}
}

TEST(says_where_it_looked_for_a_compiler)
{
	struct at_compile_request request = {
		.toolchain = "c++", .name = "any.cu", .source = ""
	};
	struct at_compile_result result;
	char version[300];

	setenv("AUTOTUNE_CXX", "/no/such/c++ -O0", 1);
	assert_fails_with(at_cxx_compile(&request, &result, &failure), AT_EUNAVAILABLE,
		"/no/such/c++");
	assert_non_null(strstr(failure.text, "install g++"));
	assert_int_equal(
		at_cxx_version(version, sizeof(version), NULL), AT_EUNAVAILABLE);
	unsetenv("AUTOTUNE_CXX");
	assert_ok(at_cxx_version(version, sizeof(version), &failure));
	assert_non_null(strstr(version, ", dialect "));
}

/* What the program says of itself is the same in all of them. */
TEST(what_is_behind_a_compilers_name_is_part_of_its_version)
{
	static const char *const scripts[] = { "#!/bin/sh\nexec c++ \"$@\"\n",
		"#!/bin/sh\nexec c++ \"$@\" -O1\n", "#!/bin/sh\nexec c++ \"$@\"\n" };
	char versions[5][300], path[96];

	divert();
	snprintf(path, sizeof(path), "%s-compiler", folder);
	for (size_t i = 0; i < COUNT(scripts); i++) {
		use_script(path, scripts[i]);
		assert_ok(at_cxx_version(versions[i], sizeof(versions[i]), NULL));
	}
	unlink(path);
	assert_true(put_back());
	setenv("AUTOTUNE_CXX", "c++ -O1", 1);
	assert_ok(at_cxx_version(versions[3], sizeof(versions[3]), NULL));
	setenv("AUTOTUNE_CXX", "c++", 1);
	assert_ok(at_cxx_version(versions[4], sizeof(versions[4]), NULL));
	unsetenv("AUTOTUNE_CXX");
	assert_string_equal(versions[0], versions[2]);
	assert_string_not_equal(versions[0], versions[1]);
	assert_string_not_equal(versions[3], versions[4]);
}

/* With other headers it is another compiler; for what others want written it
   does not ask. */
TEST(folders_of_a_compiler_are_part_of_it)
{
	static const char *const names[] = { "CPATH", "CPLUS_INCLUDE_PATH",
		"COMPILER_PATH" };
	static const char *const kernels[] = { "k" };
	RELEASED(at_compile_result_release) struct at_compile_result result;
	char before[300], after[300], path[96];

	divert();
	for (size_t i = 0; i < COUNT(names); i++)
		unsetenv(names[i]);
	assert_ok(at_cxx_version(before, sizeof(before), NULL));
	for (size_t i = 0; i < COUNT(names); i++) {
		setenv(names[i], "/no/such/folder", 1);
		assert_ok(at_cxx_version(after, sizeof(after), NULL));
		assert_string_not_equal(before, after);
		setenv(names[i], "", 1);
		assert_ok(at_cxx_version(after, sizeof(after), NULL));
		assert_string_equal(before, after);
		unsetenv(names[i]);
	}
	snprintf(path, sizeof(path), "%s-dependencies", folder);
	setenv("DEPENDENCIES_OUTPUT", path, 1);
	setenv("SUNPRO_DEPENDENCIES", path, 1);
	host_compile("__global__ void k() {}", kernels, 1, NULL, &result);
	unsetenv("DEPENDENCIES_OUTPUT");
	unsetenv("SUNPRO_DEPENDENCIES");
	assert_true(put_back());
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	assert_int_equal(access(path, F_OK), -1);
}

TEST(survives_a_compiler_that_is_killed)
{
	static const char *const kernels[] = { "k" };
	RELEASED(at_compile_result_release) struct at_compile_result result;
	char path[96];

	divert();
	snprintf(path, sizeof(path), "%s-compiler", folder);
	use_script(path,
		"#!/bin/sh\n[ \"$1\" = --version ] && echo some compiler && exit\n"
		"echo some words\nkill -9 $$\n");
	host_compile("__global__ void k() {}", kernels, 1, NULL, &result);
	unlink(path);
	assert_true(put_back());
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_non_null(strstr(result.log, "some words\n"));
	assert_non_null(strstr(result.log, "killed by signal 9"));
}

/* It is asked again; who is killed each time says so, as a fault that may pass. */
TEST(asks_a_compiler_again_that_was_killed)
{
	static const char *const scripts[] = {
		"#!/bin/sh\n[ -e \"$0-asked\" ] && echo some compiler && exit\n"
		": >\"$0-asked\"\nkill -9 $$\n",
		"#!/bin/sh\nkill -9 $$\n",
	};
	char path[96], mark[128], version[300];

	divert();
	snprintf(path, sizeof(path), "%s-compiler", folder);
	snprintf(mark, sizeof(mark), "%s-asked", path);
	for (size_t i = 0; i < COUNT(scripts); i++) {
		use_script(path, scripts[i]);
		if (i == 0) {
			assert_ok(at_cxx_version(version, sizeof(version), &failure));
			assert_non_null(strstr(version, "some compiler"));
			continue;
		}
		assert_fails_with(at_cxx_version(version, sizeof(version), &failure),
			AT_EIO, "killed by signal 9");
	}
	unlink(path);
	unlink(mark);
	assert_true(put_back());
}

RUN_SUITE(set_up, tear_down)
