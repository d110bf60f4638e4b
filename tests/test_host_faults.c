/* Faults of kernels on the device "host": accesses to memory that is not theirs are
   detected. */
#include "host_fixture.h"

#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int set_up_unit(void **state)
{
	static const char *const kernels[] = { "touch_at", "fill",
		"touch_after_barrier", "overflow_stack", "keep", "note_order",
		"lose_updates", "lose_places", "count_in_turns", "count_by_tickets",
		"sum_local", "wait_for_the_faulty", "meet", "change_arithmetic" };

	host_compile_file("host_faults.cu", kernels, COUNT(kernels), NULL);
	return 0;
}

static int tear_down_unit(void **state)
{
	at_compile_result_release(&unit);
	return 0;
}

/* Within a test where faults are expected: cmocka sets handlers before each test. */
static int open_device(void **state)
{
	device = host_open_device();
	module = host_load(device, &unit);
	return 0;
}

static int close_device(void **state)
{
	device->ops->unload(device, module);
	device->ops->close(device);
	return 0;
}

#define WITH_DEVICE(name) TEST_WITH(name, open_device, close_device)

static void assert_text(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" lacks \"%s\"", text, part);
	assert_null(strchr(text, '\n'));
}

static struct at_memory *allocate(uint64_t bytes)
{
	struct at_memory *memory;

	assert_ok(device->ops->allocate_guarded(device, bytes, &memory, &failure));
	return memory;
}

static void protect(struct at_memory *memory, enum at_protection protection)
{
	assert_ok(device->ops->protect(device, memory, protection, NULL));
}

/* ---- guarded memory --------------------------------------------------------- */

WITH_DEVICE(gives_guarded_memory_in_whole_pages)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct at_memory *memory = allocate(page + 1), *other = allocate(1);
	uint64_t mapped = device->ops->mapped(device, memory);
	OWNED(free) unsigned char *bytes = malloc(mapped), *back = malloc(mapped);

	assert_int_equal(mapped, 2 * page);
	assert_int_equal(device->ops->mapped(device, other), page);
	assert_int_equal(device->ops->address(device, memory) % page, 0);
	RUN("fill", 3, 64, ADDRESS(device->ops->address(device, memory)),
		INTEGER((int)mapped), INTEGER(0x5a));
	memset(bytes, 0x5a, mapped);
	assert_ok(device->ops->read(device, memory, 0, back, mapped, NULL));
	assert_memory_equal(back, bytes, mapped);
	assert_ok(device->ops->write(device, memory, mapped - 3, "abc", 3, NULL));
	assert_ok(device->ops->read(device, memory, mapped - 2, back, 2, NULL));
	assert_memory_equal(back, "bc", 2);
	assert_int_equal(device->ops->read(device, memory, mapped - 2, back, 3, NULL),
		AT_EINVAL);
	device->ops->release(device, other);
	device->ops->release(device, memory);
	device->ops->release(device, NULL);
	assert_int_equal(
		device->ops->allocate_guarded(device, UINT64_MAX - 5, &memory, NULL),
		AT_ENOMEM);
	assert_int_equal(
		device->ops->allocate_guarded(device, UINT64_C(1) << 60, &memory, NULL),
		AT_ENOMEM);
}

WITH_DEVICE(refuses_copies_that_a_protection_forbids)
{
	static const struct {
		enum at_protection protection;
		enum at_status read, write;
	} rows[] = {
		{ AT_PROTECTION_READ, AT_OK, AT_EINVAL },
		{ AT_PROTECTION_NONE, AT_EINVAL, AT_EINVAL },
		{ AT_PROTECTION_WRITE, AT_OK, AT_OK },
	};
	struct at_memory *memory = allocate(100);
	char bytes[4] = "abc";

	assert_ok(device->ops->write(device, memory, 0, bytes, 4, NULL));
	for (size_t i = 0; i < COUNT(rows); i++) {
		protect(memory, rows[i].protection);
		assert_int_equal(device->ops->read(device, memory, 0, bytes, 4, NULL),
			rows[i].read);
		assert_int_equal(device->ops->write(device, memory, 0, bytes, 4, NULL),
			rows[i].write);
	}
	assert_string_equal(bytes, "abc");
	device->ops->release(device, memory);
}

TEST(ends_launches_that_touch_what_they_must_not)
{
	enum { PAGE_COUNT = 3 };
	static const struct {
		const char *text;
		long long
			offset; /* from the first byte, or the end where `end` is set */
		enum at_protection protection;
		bool end, write;
	} rows[] = {
		{ ", behind a buffer", 0, AT_PROTECTION_WRITE, true, false },
		{ ", behind a buffer", 0, AT_PROTECTION_WRITE, true, true },
		{ ", behind a buffer", AT_GUARD_BYTES - 1, AT_PROTECTION_READ, true,
			true },
		{ ", ahead of a buffer", -1, AT_PROTECTION_WRITE, false, false },
		{ ", ahead of a buffer", -1, AT_PROTECTION_WRITE, false, true },
		{ ", ahead of a buffer", -(long long)AT_GUARD_BYTES,
			AT_PROTECTION_WRITE, false, true },
		{ ", in a buffer that is only to be read", 17, AT_PROTECTION_READ,
			false, true },
		{ ", in a buffer that no kernel may touch", -1, AT_PROTECTION_NONE,
			true, true },
		{ ", in a buffer that no kernel may touch", 0, AT_PROTECTION_NONE,
			false, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_error err = { 0 };
		struct at_memory *memory, *other;
		struct call call;
		uint64_t address;
		char text[64];
		int finished = 0;

		open_device(state);
		/* neighbours, as a bench has them */
		other = allocate(5000);
		memory = allocate(PAGE_COUNT * (uint64_t)sysconf(_SC_PAGESIZE) - 100);
		address = device->ops->address(device, memory);
		if (rows[i].end)
			address += device->ops->mapped(device, memory);
		protect(memory, rows[i].protection);
		BEGIN(&call, "touch_at", 500, 32, ADDRESS(address),
			VALUE(rows[i].offset), INTEGER(rows[i].write),
			POINTER(&finished));
		assert_int_equal(host_try(&call, &err), AT_OUTCOME_OUT_OF_BOUNDS);
		assert_true(device->is_lost);
		address += (uint64_t)rows[i].offset;
		assert_true(device->fault_address == address);
		snprintf(text, sizeof(text), " address 0x%" PRIx64 "%s", address,
			rows[i].text);
		assert_text(err.text, text);
		assert_text(err.text,
			"kernel \"touch_at\", block (7, 0, 0), thread (3, 0, 0)");
#if defined(__x86_64__)
		assert_text(err.text, rows[i].write ? " wrote to " : " read from ");
#endif
		device->ops->release(device, memory);
		device->ops->release(device, other);
		close_device(state);
	}
}

WITH_DEVICE(lets_kernels_read_what_is_only_to_be_read)
{
	struct at_memory *memory = allocate(64);
	char byte = 77;
	int out = 0;

	assert_ok(device->ops->write(device, memory, 63, &byte, 1, NULL));
	protect(memory, AT_PROTECTION_READ);
	RUN("touch_at", 500, 32, ADDRESS(device->ops->address(device, memory) + 63),
		VALUE((long long){ 0 }), INTEGER(0), POINTER(&out));
	assert_int_equal(out, 77);
	device->ops->release(device, memory);
}

/* ---- faults ----------------------------------------------------------------- */

TEST(calls_it_a_crash_where_no_buffer_is_near)
{
	static const struct {
		const char *kernel, *text;
		uint64_t address;
		uint32_t grid;
	} rows[] = {
		/* on the thread that calls, and on one of the pool's */
		{ "touch_after_barrier", "address 0x10", 16, 1 },
		{ "touch_after_barrier", "address 0x10", 16, 64 },
#if defined(__x86_64__)
		/* no address at all */
		{ "touch_after_barrier", "cannot be told", UINT64_C(1) << 62, 1 },
#endif
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		for (uint64_t seed = 0; seed < 3; seed++) {
			struct at_error err = { 0 };
			struct at_memory *memory;
			struct call call;

			open_device(state);
			host_shuffle(seed);
			memory = allocate(64);
			BEGIN(&call, rows[i].kernel, rows[i].grid, 64,
				ADDRESS(rows[i].address));
			assert_int_equal(host_try(&call, &err), AT_OUTCOME_CRASHED);
			assert_text(err.text, rows[i].text);
			assert_text(err.text, "thread (40, 0, 0)");
			assert_true(device->is_lost);
			device->ops->release(device, memory);
			close_device(state);
		}
}

TEST(survives_a_stack_that_is_used_up)
{
	struct at_error err = { 0 };
	struct call call;
	int out = 0;

	open_device(state);
	BEGIN(&call, "overflow_stack", 1, 2, INTEGER(1 << 20), POINTER(&out));
	assert_int_equal(host_try(&call, &err), AT_OUTCOME_CRASHED);
	assert_text(err.text, "overflow_stack");
	assert_true(device->is_lost);
	close_device(state);
}

static sigjmp_buf before_fault;
static volatile sig_atomic_t seen;

static void note(int number)
{
	seen = number;
	siglongjmp(before_fault, 1);
}

/* A fault of anybody's but a kernel's goes to whoever had the signal before. */
TEST(leaves_other_faults_to_others)
{
	struct sigaction mine = { .sa_handler = note }, kept, after;
	struct at_memory *memory;
	volatile unsigned char *bytes;

	sigaction(SIGSEGV, &mine, &kept);
	open_device(state);
	memory = allocate(1);
	bytes = (volatile unsigned char *)(uintptr_t)device->ops->address(
		device, memory);
	for (int i = 0; i < 2; i++) {

		seen = 0;
		if (!sigsetjmp(before_fault, 1)) {
			if (i == 0)
				raise(SIGSEGV);
			else
				bytes[-1] = 1;
		}
		assert_int_equal(seen, SIGSEGV);
		/* the calling thread has been watched meanwhile */
		RUN("fill", 1, 1, POINTER((void *)(uintptr_t)bytes), INTEGER(1),
			INTEGER(1));
	}
	device->ops->release(device, memory);
	close_device(state);
	sigaction(SIGSEGV, &kept, &after);
	assert_true(after.sa_handler == note);
}

/* ---- shared memory ---------------------------------------------------------- */

/* Loads a unit of its own with the one kernel "k", and runs it. */
static enum at_outcome run_source(const char *source, uint32_t threads,
	uint32_t shared_bytes, uint64_t seed, float *out, struct at_error *err)
{
	static const char *const kernels[] = { "k" };
	RELEASED(at_compile_result_release) struct at_compile_result result;
	struct at_module *loaded;
	struct at_parameter_value argument = { .more = NULL };
	struct at_invocation call = {
		.grid = { 40, 1, 1 },
		.block = { threads, 1, 1 },
		.shared_bytes = shared_bytes,
		.argument_count = 1,
		.arguments = &argument,
	};
	enum at_outcome outcome;

	host_compile_well(source, kernels, 1, NULL, &result);
	loaded = host_load(device, &result);
	memcpy(argument.bytes, &out, sizeof(out));
	call.kernel = device->ops->find(device, loaded, "k");
	host_shuffle(seed);
	outcome = device->ops->run(device, &call, 1, err);
	device->ops->unload(device, loaded);
	return outcome;
}

#define TILE "extern \"C\" __global__ void k(float *out) { int x = threadIdx.x;"
#define USE "__syncthreads();" /* else the compiler leaves a store out */
#define DYNAMIC TILE "extern __shared__ float s[];"

TEST(refuses_what_leaves_shared_memory)
{
	static const struct {
		const char *source;
		uint32_t threads, shared_bytes;
		uint64_t seed;
		const char *text; /* NULL: sound */
	} rows[] = {
		/* a tile that is one row short, written and read */
		{ TILE "__shared__ float t[7][33]; t[x / 32][x % 32] = x;" USE
		       "*out = t[x / 33 % 7][0]; }",
			256, 0, 0,
			"outside its shared memory (924 bytes of variables, 0 bytes dynamic)" },
		{ TILE "__shared__ float t[31]; t[x % 30] = x; __syncthreads(); *out = t[x]; }",
			64, 0, 0, "outside its shared memory (124 bytes" },
		/* forgotten, and too little */
		{ DYNAMIC "s[x] = x;" USE "*out = s[31 - x]; }", 32, 0, 0,
			"0 bytes dynamic)" },
		{ DYNAMIC "s[x] = x;" USE "*out = s[x / 2]; }", 288, 1024, 0,
			"1024 bytes dynamic)" },
		{ DYNAMIC "*out = s[x]; }", 288, 1024, 0, "1024 bytes dynamic)" },
		{ DYNAMIC
			"__shared__ float t[64]; t[x % 64] = s[x] = x; *out = t[5]; }",
			257, 1024, 0, "(256 bytes of variables, 1024 bytes dynamic)" },
		/* less than the alignment */
		{ DYNAMIC "s[x] = x;" USE "*out = s[x / 2]; }", 101, 400, 1,
			"0 bytes behind the dynamic part (0 bytes of variables, 400 bytes dynamic)" },
		{ DYNAMIC "s[x - 1] = x;" USE "*out = s[x / 2]; }", 32, 128, 1,
			"4 bytes ahead of the dynamic part" },
		{ TILE "__shared__ float t[25]; t[x - 2] = x;" USE "*out = t[x / 2]; }",
			25, 0, 1, "8 bytes ahead of its variables" },
		{ TILE "__shared__ float t[25]; t[x] = x;" USE "*out = t[x / 2]; }", 26,
			0, 1, "(100 bytes of variables, 0 bytes dynamic)" },
		/* whichever the compiler puts first */
		{ TILE "__shared__ float a[7][16], b[7][16]; a[x / 16][x % 16] = x; b[x / 16][x % 16] = x;"
		       "__syncthreads(); *out = a[0][x] + b[1][x]; }",
			128, 0, 1, "shared memory" },
		/* all that was asked for */
		{ DYNAMIC "s[x] = x; __syncthreads(); *out = s[99 - x]; }", 100, 400, 3,
			NULL },
		{ TILE "extern __shared__ __align__(128) float s[]; __shared__ float a[3][9], b[50];"
		       "a[x / 9 % 3][x % 9] = x; s[x] = b[x % 50] = x; __syncthreads();"
		       "*out = s[x] + a[2][8] + b[49]; }",
			256, 1024, 2, NULL },
		{ "__shared__ double f[32]; template <class T> __device__ T *own() { __shared__ T v[3]; return v; }" TILE
		  "f[x] = x; own<int>()[x % 3] = x; own<char>()[x % 3] = 1; *out = f[31 - x]; }",
			32, 0, 4, NULL },
	};

#if !defined(__x86_64__)
	skip_because("shared memory is where the dynamic loader puts it");
#endif
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_error err = { 0 };
		static float out[1];
		enum at_outcome outcome;

		open_device(state);
		outcome = run_source(rows[i].source, rows[i].threads,
			rows[i].shared_bytes, rows[i].seed, out, &err);
		if (outcome !=
			(rows[i].text ? AT_OUTCOME_OUT_OF_BOUNDS : AT_OUTCOME_OK))
			fail_msg("row %zu: %s, %s", i, at_outcome_name(outcome),
				err.text);
		assert_true(device->is_lost == (rows[i].text != NULL));
		if (rows[i].text) {
			assert_text(err.text, rows[i].text);
			assert_text(err.text, "shared memory");
		}
		close_device(state);
	}
}

/* ---- shuffled launches ------------------------------------------------------ */

WITH_DEVICE(runs_blocks_in_another_order_with_each_seed)
{
	/* one, powers of two, and other numbers */
	static const uint32_t grids[] = { 1, 2, 3, 64, 100, 1000 };

	for (size_t i = 0; i < COUNT(grids); i++) {
		static int orders[2][1000];
		uint32_t grid = grids[i];

		for (uint64_t seed = 1; seed <= 5; seed++) {
			int *order = orders[seed % 2], count = 0;
			bool ran[1000] = { false };
			uint32_t in_order = 0;

			host_shuffle(seed);
			RUN("note_order", grid, 4, POINTER(&count), POINTER(order));
			assert_int_equal(count, grid);
			for (uint32_t j = 0; j < grid; j++) {
				assert_in_range(order[j], 0, grid - 1);
				assert_false(ran[order[j]]);
				ran[order[j]] = true;
				in_order += j > 0 && order[j] == order[j - 1] + 1;
			}
			if (grid < 64)
				continue;
			assert_in_range(in_order, 0, grid / 4);
			if (seed > 1)
				assert_memory_not_equal(orders[0], orders[1],
					grid * sizeof(orders[0][0]));
		}
	}
}

WITH_DEVICE(stops_threads_at_atomic_operations)
{
	enum { THREADS = 128 };
	static const char *const kernels[] = { "lose_updates", "lose_places" };

	for (size_t i = 0; i < COUNT(kernels); i++) {
		unsigned shown = 0;

		/* where threads have priorities, the first one may never be stopped */
		for (uint64_t seed = 0; seed <= 8; seed++) {
			int visits = 0, sum = 0;

			host_shuffle(seed);
			RUN(kernels[i], 1, THREADS, POINTER(&visits), POINTER(&sum));
			assert_int_equal(visits, THREADS);
			assert_in_range(sum, 1, THREADS);
			if (!seed)
				assert_int_equal(sum, THREADS);
			shown += sum < THREADS;
		}
		assert_in_range(shown, 5, 8);
	}
}

WITH_DEVICE(lets_threads_wait_for_each_other_by_atomics)
{
	for (uint64_t seed = 0; seed <= 5; seed++) {
		int lock = 0, sum = 0;

		host_shuffle(seed);
		RUN("count_in_turns", 3, 256, POINTER(&lock), POINTER(&sum));
		assert_int_equal(sum, 3 * 256);
	}
}

WITH_DEVICE(stops_threads_that_wait_by_plain_reads)
{
	enum { THREADS = 40 };

#if !defined(__x86_64__) && !defined(__aarch64__)
	skip_because("no thread can be interrupted here");
#endif
	for (uint64_t seed = 1; seed <= 3; seed++) {
		int next = 0, serving = 0, sum = 0;

		host_shuffle(seed);
		RUN("count_by_tickets", 1, THREADS, POINTER(&next), POINTER(&serving),
			POINTER(&sum));
		assert_int_equal(sum, THREADS);
	}
}

WITH_DEVICE(begins_shuffled_threads_with_garbage_on_their_stacks)
{
	enum { THREADS = 64 };
	int indices[64], sums[THREADS], firsts[6];
	int distinct = 0;

	for (int i = 0; i < 64; i++)
		indices[i] = i * 37 % 64;
	for (int set = 64; set >= 32; set -= 32)
		for (uint64_t seed = 1; seed <= 6; seed++) {

			host_shuffle(seed);
			RUN("sum_local", 1, THREADS, INTEGER(set), POINTER(indices),
				POINTER(sums));
			firsts[seed - 1] = 64;
			for (int i = 0; i < THREADS; i++)
				if (sums[i] != 64)
					firsts[seed - 1] = sums[i];
			if (set == 64)
				assert_int_equal(firsts[seed - 1], 64);
		}
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < i; j++)
			distinct += firsts[i] != firsts[j];
	/* of 15 pairs */
	assert_in_range(distinct, 12, 15);
}

TEST(leaves_threads_that_wait_for_one_that_failed)
{
	struct at_error err = { 0 };
	int flag = 0;
	struct call call;

	open_device(state);
	host_shuffle(3);
	/* as many blocks as there are workers at least: all of them have begun */
	BEGIN(&call, "wait_for_the_faulty", 4, 32, ADDRESS(64), POINTER(&flag));
	assert_int_equal(host_try(&call, &err), AT_OUTCOME_CRASHED);
	assert_text(err.text, "block (0, 0, 0), thread (5, 0, 0)");
	close_device(state);
}

/* ---- cooperative launches --------------------------------------------------- */

/* more blocks than this machine has cores, in each order of threads */
WITH_DEVICE(blocks_of_a_cooperative_launch_meet)
{
	static const struct at_attributes cooperative = { .is_cooperative = true };
	enum { BLOCKS = 24 };

	for (uint64_t seed = 0; seed < 4; seed++) {
		int out[1 + BLOCKS] = { 0 };
		struct call call;

		host_shuffle(seed);
		BEGIN(&call, "meet", BLOCKS, 40, POINTER(out), INTEGER(0));
		call.invocation.attributes = &cooperative;
		host_run(&call);
		assert_int_equal(out[0], 2 * BLOCKS);
		for (size_t i = 1; i <= BLOCKS; i++)
			assert_int_equal(out[i], BLOCKS);
	}
}

TEST(tells_blocks_that_cannot_meet)
{
	static const struct at_attributes cooperative = { .is_cooperative = true },
					  clusters = { .cluster = { 2, 1, 1 } },
					  hints = { .cluster = { 1, 1, 1 },
						  .carveout = 51 };
	static const struct {
		const struct at_attributes *attributes;
		uint32_t blocks;
		int mode;
		enum at_outcome outcome;
		const char *text;
	} rows[] = {
		{ NULL, 4, 0, AT_OUTCOME_CRASHED,
			"grid.sync() in a launch that is not cooperative: add cooperative = true" },
		{ &hints, 4, 0, AT_OUTCOME_CRASHED,
			"grid.sync() in a launch that is not cooperative: add cooperative = true" },
		{ &cooperative, 4, 1, AT_OUTCOME_CRASHED,
			"it waits at grid.sync() for a block that has ended" },
		{ &cooperative, 4, 2, AT_OUTCOME_CRASHED,
			"threads wait at different barriers: 1 at __syncthreads(), 39 at grid.sync()" },
		{ &cooperative, 1 << 16, 0, AT_OUTCOME_TOO_MANY_RESOURCES,
			"it is cooperative, and has 65536x1x1 blocks; host runs at most " },
		{ &clusters, 4, 0, AT_OUTCOME_LAUNCH_FAILED,
			"host has no clusters of blocks: give this problem on = \"cuda\"" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_error err = { 0 };
		int out[8] = { 0 };
		struct call call;

		open_device(state);
		BEGIN(&call, "meet", rows[i].blocks, 40, POINTER(out),
			INTEGER(rows[i].mode));
		call.invocation.attributes = rows[i].attributes;
		assert_int_equal(host_try(&call, &err), rows[i].outcome);
		assert_text(err.text, rows[i].text);
		assert_int_equal(
			device->is_lost, rows[i].outcome == AT_OUTCOME_CRASHED);
		close_device(state);
	}
}

/* ---- variables -------------------------------------------------------------- */

WITH_DEVICE(finds_the_variables_that_kernels_can_write)
{
	static const int first[] = { 1, 7, 1, 101, 43 },
			 second[] = { 2, 8, 2, 102, 43 };
	struct at_range ranges[4];
	size_t count = device->ops->variables(device, module, NULL, 0);
	unsigned char *saved[4];
	struct call call;
	int out[5], forty_two = 42;
	bool found;

	assert_true(count >= 1 && count <= COUNT(ranges));
	assert_int_equal(
		device->ops->variables(device, module, ranges, COUNT(ranges)), count);
	assert_int_equal(device->ops->set_symbol(device, module, "set_from_outside",
				 &forty_two, sizeof(forty_two), &found, NULL),
		AT_OUTCOME_OK);
	assert_true(found);
	for (size_t i = 0; i < count; i++) {
		saved[i] = malloc(ranges[i].bytes);
		assert_non_null(saved[i]);
		memcpy(saved[i], (void *)(uintptr_t)ranges[i].address, ranges[i].bytes);
	}
	BEGIN(&call, "keep", 1, 1, POINTER(out));
	host_run(&call);
	assert_memory_equal(out, first, sizeof(first));
	host_run(&call);
	assert_memory_equal(out, second, sizeof(second));
	for (size_t i = 0; i < count; i++) {
		memcpy((void *)(uintptr_t)ranges[i].address, saved[i], ranges[i].bytes);
		free(saved[i]);
	}
	host_run(&call);
	assert_memory_equal(out, first, sizeof(first));
}

/* Loading does it as well: images of -ffast-math flush small numbers to zero. */
WITH_DEVICE(keeps_the_arithmetic_of_one_launch_from_all_others)
{
	const float in[3] = { 1.0f, 3.0f, 1e-39f };
	volatile float small = 1e-39f;
	float first[2] = { 0 }, second[2] = { 0 };

	RUN("change_arithmetic", 1, 1, POINTER(first), POINTER(in));
	assert_int_equal(fegetround(), FE_TONEAREST);
	assert_true(small * 0.5f > 0);
	/* what whoever loads an image may have done */
	fesetround(FE_UPWARD);
	RUN("change_arithmetic", 1, 1, POINTER(second), POINTER(in));
	assert_int_equal(fegetround(), FE_TONEAREST);
	assert_memory_equal(first, second, sizeof(first));
	assert_true(first[0] == 1.0f / 3.0f && first[1] > 0);
}

RUN_SUITE(set_up_unit, tear_down_unit)
