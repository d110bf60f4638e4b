/* The energy of launches in the finals, by a board whose counter and clock are the
   test's: launches run on the host, and their time and power are made up. */
#include "base/memory.h"
#include "measure_fixture.h"

#include <math.h>

/* What a launch of a kernel takes; what is not named takes nothing. */
static const struct draw {
	const char *kernel;
	double ns;
	double watts;
} draws[] = {
	{ "right", 1.1e6, 300 },
	{ "right_too", 1.2e6, 200 },
	{ "at_flush", 0.7e6, 250 },
};

#define IDLE_WATTS 60.0
#define READ_NS 20e3

/* The board. */
static struct board {
	uint64_t step_ns; /* of the counter; 0: it stands still */
	double now_ns;
	double joules;
	double moves_ns; /* when the counter moves next */
	uint64_t millijoules; /* the counter */
	double busy_ns;
	const char *refuses; /* the counter cannot be read */
	double shared_ns; /* from then on others use the board; 0: never */
	bool falls; /* the counter does, from 2^40 */
	struct at_clocks clocks[2]; /* of the finalists */
	const struct at_kernel *kernels[8];
	const struct draw *of[8];
	size_t kernel_count;
} board;

static const struct at_device_ops *host_ops;
static struct at_device_ops ops;
/* While a clock is set, a launch takes twice the time and a quarter of the power. */
static struct at_clocks set;

static enum at_status set_clocks(
	struct at_device *self, const struct at_clocks *clocks, struct at_error *err)
{
	set = *clocks;
	return AT_OK;
}

static void draw(double ns, double watts)
{
	while (board.step_ns && board.now_ns + ns >= board.moves_ns) {
		const double part = board.moves_ns - board.now_ns;

		board.joules += part * 1e-9 * watts;
		board.now_ns = board.moves_ns;
		ns -= part;
		board.millijoules = (uint64_t)(board.joules * 1e3);
		board.moves_ns += (double)board.step_ns;
	}
	board.joules += ns * 1e-9 * watts;
	board.now_ns += ns;
}

static struct at_kernel *find(
	struct at_device *self, struct at_module *module, const char *symbol)
{
	struct at_kernel *kernel = host_ops->find(self, module, symbol);
	size_t place = 0;

	for (size_t i = 0; i < AT_COUNT_OF(draws); i++) {
		if (strcmp(symbol, draws[i].kernel) != 0)
			continue;
		while (place < board.kernel_count && board.of[place] != &draws[i])
			place++;
		board.of[place] = &draws[i];
		board.kernels[place] = kernel;
		board.kernel_count += place == board.kernel_count;
	}
	return kernel;
}

/* the last launches leave what all would */
#define RUN_MOST 10

static enum at_outcome run(struct at_device *self, const struct at_invocation *calls,
	size_t count, struct at_error *err)
{
	const size_t left_out = count > RUN_MOST ? count - RUN_MOST : 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < board.kernel_count; k++)
			if (calls[i].kernel == board.kernels[k]) {
				draw(board.of[k]->ns * (set.clock_mhz ? 2 : 1),
					board.of[k]->watts *
						(set.clock_mhz ? 0.25 : 1));
				board.busy_ns += board.of[k]->ns;
			}
	return host_ops->run(self, calls + left_out, count - left_out, err);
}

static enum at_status energy(
	struct at_device *self, struct at_energy *out, struct at_error *err)
{
	draw(READ_NS, IDLE_WATTS);
	if (board.refuses)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0, "%s", board.refuses);
	*out = (struct at_energy){
		.millijoules = board.millijoules,
		.read_ns = (uint64_t)board.now_ns,
	};
	if (board.falls)
		out->millijoules = (UINT64_C(1) << 40) - board.millijoules;
	return AT_OK;
}

/* a thermal mass that follows in 20 s */
static double celsius(struct at_device *self)
{
	return round(70 - 30 * exp(-board.busy_ns / 20e9));
}

static size_t neighbours(
	struct at_device *self, struct at_neighbour *neighbours, size_t room)
{
	if (!(board.shared_ns > 0) || board.now_ns < board.shared_ns || !room)
		return 0;
	neighbours[0] = (struct at_neighbour){ 18, (uint64_t)3 << 20, "trainer" };
	return 1;
}

/* Finals of "right" and "right_too" on a board with a counter. */
static void hold(struct fixture *self, struct board with, uint32_t blocks,
	struct at_measure_result results[2])
{
	struct at_measure_request requests[2];
	struct at_measure_binding bindings[ARGUMENTS];
	struct at_measure_finals how = finals_of(blocks, 2);

	/* kernels of the bench were found before */
	memcpy(with.kernels, board.kernels, sizeof(board.kernels));
	memcpy(with.of, board.of, sizeof(board.of));
	with.kernel_count = board.kernel_count;
	with.moves_ns = (double)with.step_ns;
	board = with;
	how.energy_seconds = 2;
	bind_arguments(bindings, SCRATCH, 0);
	requests[0] = request_of(bindings, "right");
	requests[1] = request_of(bindings, "right_too");
	for (size_t i = 0; i < 2; i++)
		requests[i].clocks = with.clocks[i];
	assert_ok(at_measure_context_finals(
		self->context, requests, 2, &how, results, &failure));
	assert_true(board.now_ns * 1e-9 < at_measure_energy_seconds(&how, 2));
}

static void release(struct at_measure_result results[2])
{
	at_measure_result_release(&results[0]);
	at_measure_result_release(&results[1]);
}

static void expect_energy(const struct at_measure_result *result,
	const struct draw *drawn, uint32_t blocks, double tolerance)
{
	const double joules = drawn->ns * 1e-9 * drawn->watts;

	assert_int_equal(result->outcome, AT_OUTCOME_OK);
	assert_int_equal(result->block_count, blocks);
	for (uint32_t i = 0; i < blocks; i++)
		if (fabs(result->blocks_joules[i] / joules - 1) > tolerance)
			fail_msg("%s: %g J in block %u, not %g J", drawn->kernel,
				result->blocks_joules[i], i, joules);
}

/* A window of 2 s that began and ended anywhere would be off by a step: up to 5 %. A
   short run of launches at each end takes 2 ms. */
TEST(windows_begin_and_end_on_steps_of_the_counter)
{
	static const uint64_t steps_ms[] = { 20, 100 };
	RELEASED(end_bench) struct fixture self;
	struct at_measure_result results[2];

	open_bench_without_inout(&self, AT_CACHE_WARM);
	for (size_t i = 0; i < AT_COUNT_OF(steps_ms); i++) {
		struct at_measure_conditions *found = &results[0].conditions;

		hold(&self, (struct board){ .step_ns = steps_ms[i] * 1000000 }, 2,
			results);
		expect_energy(&results[0], &draws[0], 2, 0.002);
		expect_energy(&results[1], &draws[1], 2, 0.002);
		assert_true(fabs(found->idle_watts / IDLE_WATTS - 1) < 0.001);
		/* warm before the first window */
		assert_true(found->least_celsius >= 66);
		assert_true(found->most_celsius - found->least_celsius <= 4);
		release(results);
	}
}

TEST(what_empties_the_cache_ahead_of_a_launch_is_taken_off)
{
	RELEASED(end_bench) struct fixture self;
	struct at_measure_result results[2];

	open_bench_without_inout(&self, AT_CACHE_COLD);
	hold(&self, (struct board){ .step_ns = 50000000 }, 2, results);
	expect_energy(&results[0], &draws[0], 2, 0.004);
	expect_energy(&results[1], &draws[1], 2, 0.004);
	release(results);
}

/* With what precedes their launches, which costs as little energy at that clock. */
TEST(each_finalist_is_measured_at_its_clocks)
{
	static const enum at_cache_mode caches[] = { AT_CACHE_WARM, AT_CACHE_COLD };
	const struct draw frugal = { "right at 1005 MHz", 2 * draws[0].ns,
		draws[0].watts / 4 };
	const struct at_clocks none = { 0 };

	for (size_t i = 0; i < AT_COUNT_OF(caches); i++) {
		RELEASED(end_bench) struct fixture self;
		struct at_measure_result results[2];

		open_bench_without_inout(&self, caches[i]);
		hold(&self,
			(struct board){ .step_ns = 50000000,
				.clocks = { { .clock_mhz = 1005 } } },
			2, results);
		expect_energy(&results[0], &frugal, 2, 0.004);
		expect_energy(&results[1], &draws[1], 2, 0.004);
		release(results);
		assert_ok(at_device_set_clocks(device, &none, &failure));
	}
}

TEST(what_cannot_be_measured_is_refused_with_words)
{
	static const struct {
		struct board board;
		const char *why;
	} rows[] = {
		{ { .step_ns = 0 }, "the counter stands still" },
		{ { .step_ns = 50000000, .falls = true }, "the counter was set back" },
		{ { .step_ns = 50000000, .refuses = "a slice of a board (MIG)" },
			"a slice of a board (MIG)" },
		{ { .step_ns = 50000000, .shared_ns = 1 },
			"other processes use the board, and its counter has their energy too: trainer (process 18, 3 MiB)" },
		/* in the middle of the first block */
		{ { .step_ns = 50000000, .shared_ns = 30e9 }, "other processes" },
	};
	RELEASED(end_bench) struct fixture self;
	struct at_measure_result results[2];

	open_bench_without_inout(&self, AT_CACHE_WARM);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		hold(&self, rows[i].board, 2, results);
		for (int k = 0; k < 2; k++) {
			assert_int_equal(results[k].outcome, AT_OUTCOME_NOT_APPLICABLE);
			assert_true(results[k].energy_refused);
			assert_false(results[k].device_lost);
			if (!strstr(results[k].detail, rows[i].why))
				fail_msg("\"%s\" has no \"%s\"", results[k].detail,
					rows[i].why);
		}
		release(results);
	}
	ops.energy = NULL;
	hold(&self, rows[1].board, 2, results);
	ops.energy = energy;
	assert_non_null(strstr(results[0].detail, "the device counts no energy"));
	release(results);
	/* and the bench works as before */
	expect_right(&self);
}

static int open_board(void **unused)
{
	int failed = open_host_alone(unused);

	if (failed)
		return failed;
	host_ops = device->ops;
	ops = *host_ops;
	ops.run = run;
	ops.find = find;
	ops.energy = energy;
	ops.celsius = celsius;
	ops.neighbours = neighbours;
	ops.set_clocks = set_clocks;
	device->ops = &ops;
	return 0;
}

static int close_board(void **unused)
{
	device->ops = host_ops;
	return close_host(unused);
}

RUN_SUITE(open_board, close_board)
