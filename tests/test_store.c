/* The store: what is put into the record is found again, and what it refuses. */
#include "record_fixture.h"
#include "record/verification.h"
#include "record/sources.h"
#include "session/allot.h"

#include "base/clock.h"
#include "base/memory.h"
#include "record/sqlite.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- helpers ------------------------------------------------------------ */

static struct at_record_device a_device(void)
{
	struct at_record_device device = {
		.kind = "cuda",
		.model = "NVIDIA H200",
		.slug = "nvidia-h200",
		.architecture = "sm_90",
		.driver = "580.1 (CUDA 13.0)",
		.uuid = "GPU-1",
		.properties = { .value = { [AT_PROPERTY_WARP_SIZE] = 32,
					[AT_PROPERTY_L2_BYTES] = 62914560 },
			.known = { [AT_PROPERTY_WARP_SIZE] = true,
				[AT_PROPERTY_L2_BYTES] = true } },
	};

	return device;
}

/* Puts the device into the record, and returns its number. */
static int64_t put(struct at_store *store, const struct at_record_device *device)
{
	int64_t id;

	assert_ok(at_store_put_device(store, device, &id, &failure));
	return id;
}

static void put_a_device(struct at_store *store)
{
	struct at_record_device device = a_device();

	assert_int_equal(put(store, &device), 1);
}

/* A case with a record that has a device. */
static void make_recorded(struct record_place *place)
{
	record_place_make(place);
	place->store = place_open(place);
	put_a_device(place->store);
}

#define RECORDED_TEST(name) \
	static void name##_in(struct record_place *place, struct at_store *store); \
	TEST_ON(name, struct record_place, place, make_recorded, record_place_remove) \
	{ \
		name##_in(place, place->store); \
	} \
	static void name##_in(struct record_place *place, struct at_store *store)

static int64_t add(
	struct at_store *store, uint64_t key, enum at_outcome outcome, double time_ns)
{
	struct at_evaluation evaluation = record_full_evaluation(key);

	evaluation.outcome = outcome;
	evaluation.time_ns = time_ns;
	assert_ok(at_store_add(store, &evaluation, &failure));
	return evaluation.id;
}

struct seen {
	size_t count;
	size_t stop_after; /* 0: never */
	int64_t ids[64];
};

static enum at_status see(void *context, const struct at_evaluation *evaluation)
{
	struct seen *seen = context;

	assert_int_equal(evaluation->sample_count, 0);
	assert_null(evaluation->samples_ns);
	assert_null(evaluation->log);
	if (seen->count < 64)
		seen->ids[seen->count] = evaluation->id;
	seen->count++;
	return seen->count == seen->stop_after ? AT_EINTERRUPTED : AT_OK;
}

static size_t count_all(struct at_store *store)
{
	struct seen seen = { 0 };

	assert_ok(at_store_list(store, NULL, NULL, NULL, 0, see, &seen, &failure));
	return seen.count;
}

/* ---- devices and runs --------------------------------------------------- */

TEST_AT(keeps_every_fact_of_a_device_and_the_newest, place)
{
	struct at_record_device device = a_device(), other = device, read;
	OWNED(at_store_close) struct at_store *store = place_open(place);
	int64_t first = put(store, &device);

	other.kind = "replay";
	assert_int_not_equal(put(store, &other), first);
	for (int i = 0; i < 2; i++) {
		assert_ok(at_store_get_device(store, first, &read, &failure));
		assert_same_row(&at_table_devices, &read, &device);
		assert_memory_equal(
			&read.properties, &device.properties, sizeof(read.properties));
		at_record_device_release(&read);
		device.driver = "590.2";
		device.uuid = "GPU-2";
		device.properties.known[AT_PROPERTY_L2_BYTES] = false;
		device.properties.value[AT_PROPERTY_L2_BYTES] = 0;
		assert_int_equal(put(store, &device), first);
	}
}

static struct at_record_device a_board(int64_t count, int64_t gib)
{
	return (struct at_record_device){
		.kind = "cuda",
		.model = "NVIDIA Q100",
		.slug = "nvidia-q100",
		.architecture = "sm_90",
		.driver = "580",
		.uuid = "",
		.properties = { .value = { [AT_PROPERTY_MULTIPROCESSOR_COUNT] = count,
					[AT_PROPERTY_MEMORY_BYTES] =
						(gib << 30) - (300 << 20) },
			.known = { [AT_PROPERTY_MULTIPROCESSOR_COUNT] = true,
				[AT_PROPERTY_MEMORY_BYTES] = true } },
	};
}

/* The number of a device, without a write. */
static int64_t match(struct at_store *store, const struct at_record_device *device)
{
	int64_t id;

	assert_ok(at_store_match_device(store, device, &id, &failure));
	return id;
}

static void expect_slug(struct at_store *store, int64_t id, const char *slug)
{
	RELEASED(at_record_device_release) struct at_record_device read;

	assert_ok(at_store_get_device(store, id, &read, &failure));
	assert_string_equal(read.slug, slug);
}

TEST_AT(tells_devices_of_one_name_apart, place)
{
	struct at_record_device full = a_board(70, 96), cut = a_board(66, 96),
				small = a_board(70, 64), corrected = a_board(70, 90);
	OWNED(at_store_close) struct at_store *store = place_open(place);
	int64_t ids[3];

	ids[0] = put(store, &full);
	ids[1] = put(store, &cut);
	ids[2] = put(store, &small);
	/* memory that error correction takes makes no other device */
	assert_int_equal(put(store, &corrected), ids[0]);
	assert_int_not_equal(ids[1], ids[0]);
	assert_int_not_equal(ids[2], ids[0]);
	assert_int_not_equal(ids[2], ids[1]);
	expect_slug(store, ids[0], "nvidia-q100");
	expect_slug(store, ids[1], "nvidia-q100-66sm-96gib");
	expect_slug(store, ids[2], "nvidia-q100-70sm-64gib");
	/* and each is found again, read or written */
	assert_int_equal(put(store, &cut), ids[1]);
	assert_int_equal(match(store, &small), ids[2]);
	assert_int_equal(match(store, &full), ids[0]);
	assert_int_equal(place_ask(place, "SELECT count(*) FROM devices"), 3);
}

/* By a version whose slugs were names alone. */
TEST_AT(takes_over_what_an_older_version_named, place)
{
	struct at_record_device before = a_board(70, 12), now = a_board(70, 12),
				other = a_board(68, 10);
	OWNED(at_store_close) struct at_store *store = place_open(place);
	int64_t id, again;

	before.model = now.model = other.model = "NVIDIA GeForce RTX 3080";
	before.slug = "nvidia-geforce-rtx-3080";
	now.slug = "nvidia-geforce-rtx-3080-12gb";
	other.slug = "nvidia-geforce-rtx-3080-10gb";
	id = put(store, &before);
	again = put(store, &other);
	assert_int_not_equal(again, id);
	expect_slug(store, again, "nvidia-geforce-rtx-3080-10gb");
	/* without a write it is found, too */
	assert_int_equal(match(store, &now), id);
	expect_slug(store, id, "nvidia-geforce-rtx-3080");
	assert_int_equal(put(store, &now), id);
	expect_slug(store, id, "nvidia-geforce-rtx-3080-12gb");
}

/* Else a mistyped --device leaves a folder of results without any. */
TEST_AT(goes_again_where_a_first_run_failed, place)
{
	struct at_store *store = place_open(place);
	char parent[96];

	put_a_device(store);
	at_store_close_failed(store);
	assert_int_equal(access(place->results, F_OK), -1);
	/* nor what it lay in, which was made for it */
	snprintf(parent, sizeof(parent), "%s/a", place->folder);
	assert_int_equal(access(parent, F_OK), -1);
	at_store_close_failed(NULL);
}

static void count_waits(void *context, const char *text)
{
	++*(int *)context;
}

TEST_AT(stays_where_it_was_there_or_has_something, place)
{
	struct at_store *store = place_open(place), *other;
	int waits = 0;
	const struct at_patience patience = {
		.seconds = 3, .tell = count_waits, .context = &waits
	};

	/* another one has it open, perhaps for hours */
	other = place_open(place);
	at_store_be_patient(&patience);
	at_store_close_failed(store);
	at_store_be_patient(NULL);
	assert_int_equal(waits, 0);
	assert_int_equal(access(place->database, F_OK), 0);
	/* it was there */
	at_store_close_failed(other);
	assert_int_equal(access(place->database, F_OK), 0);
	at_store_close_failed(place_open(place));
	assert_int_equal(access(place->database, F_OK), 0);
	/* something was measured */
	assert_int_equal(unlink(place->database), 0);
	store = place_open(place);
	put_a_device(store);
	add(store, 1, AT_OUTCOME_OK, 10);
	at_store_close_failed(store);
	assert_int_equal(access(place->database, F_OK), 0);
}

TEST_AT(says_which_device_or_evaluation_is_not_there, place)
{
	OWNED(at_store_close) struct at_store *store = place_open(place);
	RELEASED(at_record_device_release) struct at_record_device device;
	RELEASED(at_evaluation_release) struct at_evaluation evaluation;
	struct at_error err = { 0 };

	assert_int_equal(at_store_get_device(store, 7, &device, &err), AT_ENOENT);
	assert_string_equal(err.file, place->database);
	assert_string_equal(err.text, "has no device 7");
	at_error_clear(&err);
	assert_int_equal(at_store_get(store, 9, true, &evaluation, &err), AT_ENOENT);
	assert_string_equal(err.text,
		"has no evaluation 9 (any more): if it was removed meanwhile, run the same command again");
}

RECORDED_TEST(keeps_a_run_from_its_beginning_to_its_ending)
{
	int64_t before = at_clock_wall_seconds(), id = 0;

	assert_ok(at_store_begin_run(
		store, 1, "matmul", "auto", UINT64_MAX, "0.1.0", &id, &failure));
	assert_int_equal(
		place_ask(place,
			"SELECT count(*) FROM runs WHERE ended_seconds IS NULL AND ending = '' AND seed = -1 AND space = 'matmul' AND strategy = 'auto' AND version = '0.1.0'"),
		1);
	assert_ok(at_store_end_run(store, id, "done", &failure));
	assert_int_equal(
		place_ask(place,
			"SELECT ending = 'done' AND ended_seconds >= started_seconds FROM runs"),
		1);
	assert_true(place_ask(place, "SELECT started_seconds FROM runs") >= before);
}

/* ---- evaluations -------------------------------------------------------- */

static void assert_same(const struct at_evaluation *a, const struct at_evaluation *b)
{
	assert_int_equal(a->id, b->id);
	assert_same_row(&at_table_evaluations, a, b);
}

TEST_AT(keeps_every_column_and_sample_of_an_evaluation, place)
{
	struct at_evaluation evaluation = record_full_evaluation(1), read;
	struct at_store *store = place_open(place);
	bool found = false;

	put_a_device(store);
	assert_ok(at_store_begin_run(
		store, 1, "matmul", "auto", 1, "0.1.0", &evaluation.run_id, &failure));
	assert_ok(at_store_add(store, &evaluation, &failure));
	assert_int_not_equal(evaluation.id, 0);
	/* from the disk, by another connection */
	at_store_close(store);
	store = place_open(place);
	assert_ok(at_store_find(store, evaluation.key, true, &read, &found, &failure));
	assert_true(found);
	assert_same(&read, &evaluation);
	assert_string_equal(read.log, evaluation.log);
	assert_int_equal(read.sample_count, 5);
	assert_memory_equal(read.samples_ns, record_samples, sizeof(record_samples));
	at_evaluation_release(&read);
	assert_ok(at_store_get(store, evaluation.id, false, &read, &failure));
	assert_same(&read, &evaluation);
	assert_null(read.log);
	assert_null(read.samples_ns);
	assert_int_equal(read.sample_count, 0);
	at_evaluation_release(&read);
	at_evaluation_release(&read);
	at_store_close(store);
}

TEST_AT(a_copy_shares_nothing_with_its_original, place)
{
	struct at_evaluation original = record_full_evaluation(1);
	RELEASED(at_evaluation_release) struct at_evaluation copy, second;

	original.problem_json = NULL;
	at_evaluation_copy(&original, &copy);
	at_evaluation_copy(&copy, &second);
	assert_null(second.problem_json);
	second.problem_json = at_strdup("{}");
	original.problem_json = "{}";
	assert_same(&second, &original);
	assert_true(second.detail != original.detail);
	assert_null(second.log);
	assert_null(second.samples_ns);
	assert_int_equal(second.sample_count, 0);
}

RECORDED_TEST(keeps_what_is_not_known_as_not_known)
{
	struct at_evaluation evaluation = record_evaluation(1, 2, (double)NAN), read;

	assert_ok(at_store_add(store, &evaluation, &failure));
	assert_ok(at_store_get(store, evaluation.id, true, &read, &failure));
	assert_same(&read, &evaluation);
	/* texts that were not given are empty, and nothing was sampled */
	assert_string_equal(read.detail, "");
	assert_string_equal(read.log, "");
	assert_null(read.samples_ns);
	at_evaluation_release(&read);
	/* in the store they are NULL, for those who read it with SQL */
	assert_int_equal(
		place_ask(place,
			"SELECT coalesce(run_id, image, samples_ns, time_ns, low_ns, high_ns,"
			" max_relative_error, launches_per_sample, registers,"
			" local_bytes, spill_store_bytes, spill_load_bytes,"
			" shared_bytes, threads_per_block, blocks, compile_ns,"
			" measure_ns, clock_hz) IS NULL FROM evaluations"),
		1);
}

RECORDED_TEST(shows_a_key_as_its_hexadecimal_digits)
{
	add(store, 0x0123456789abcdef, AT_OUTCOME_OK, 1);
	assert_int_equal(
		place_ask(place,
			"SELECT hex(key) = 'FEDCBA98765432100123456789ABCDEF' FROM evaluations"),
		1);
}

RECORDED_TEST(finds_the_newest_of_a_key_and_keeps_the_older)
{
	struct at_evaluation read;
	int64_t oldest, newest;
	bool found = true;

	oldest = add(store, 1, AT_OUTCOME_OK, 10);
	add(store, 2, AT_OUTCOME_OK, 30);
	newest = add(store, 1, AT_OUTCOME_OK, 20);
	add(store, 3, AT_OUTCOME_OK, 40);
	assert_ok(at_store_find(
		store, record_full_evaluation(1).key, false, &read, &found, &failure));
	assert_true(found);
	assert_int_equal(read.id, newest);
	assert_true(read.time_ns == 20);
	at_evaluation_release(&read);
	assert_ok(at_store_get(store, oldest, false, &read, &failure));
	assert_true(read.time_ns == 10);
	at_evaluation_release(&read);
	assert_int_equal(count_all(store), 3);
	assert_ok(at_store_find(
		store, record_full_evaluation(9).key, true, &read, &found, &failure));
	assert_false(found);
	at_evaluation_release(&read);
}

TEST_AT(refuses_an_evaluation_of_no_device, place)
{
	struct at_evaluation evaluation = record_full_evaluation(1);
	OWNED(at_store_close) struct at_store *store = place_open(place);

	assert_fails(at_store_add(store, &evaluation, &failure), AT_EINVAL,
		"does not fit the record: FOREIGN KEY constraint failed");
	assert_int_equal(evaluation.id, 0);
	/* and the store is as usable as before */
	put_a_device(store);
	add(store, 1, AT_OUTCOME_OK, 1);
	assert_int_equal(count_all(store), 1);
}

TEST_AT(looks_keys_up_without_reading_all, place)
{
#define PLAN(condition) \
	"EXPLAIN QUERY PLAN SELECT outcome FROM evaluations WHERE " condition \
	" ORDER BY created_seconds DESC, id DESC LIMIT 1"
	at_store_close(place_open(place));
	assert_plan(place, PLAN("key = x'00'"), "SEARCH evaluations USING");
	assert_plan(place, PLAN("id = 1"), "SEARCH evaluations USING");
}

/* ---- listing ------------------------------------------------------------ */

RECORDED_TEST(lists_the_best_first_and_failures_last)
{
	struct seen seen = { 0 };
	int64_t slow, wrong, failed, fast, replaced;

	replaced = add(store, 5, AT_OUTCOME_OK, 1);
	slow = add(store, 1, AT_OUTCOME_OK, 300);
	wrong = add(store, 2, AT_OUTCOME_WRONG_RESULT, 5);
	failed = add(store, 3, AT_OUTCOME_COMPILE_FAILED, (double)NAN);
	fast = add(store, 4, AT_OUTCOME_OK, 100);
	/* worse than before, and newer: it counts */
	replaced = add(store, 5, AT_OUTCOME_OK, 200);
	assert_ok(at_store_list(
		store, "matmul", "nvidia-h200", "square", 0, see, &seen, &failure));
	assert_int_equal(seen.count, 5);
	assert_int_equal(seen.ids[0], fast);
	assert_int_equal(seen.ids[1], replaced);
	assert_int_equal(seen.ids[2], slow);
	assert_int_equal(seen.ids[3], failed);
	assert_int_equal(seen.ids[4], wrong);
	/* so many of these, and in this order, of one place and of all */
	for (size_t limit = 1; limit <= 6; limit++)
		for (int all = 0; all < 2; all++) {
			struct seen some = { 0 };

			assert_ok(at_store_list(store, all ? NULL : "matmul",
				all ? NULL : "nvidia-h200", all ? NULL : "square",
				limit, see, &some, &failure));
			assert_int_equal(some.count, limit < 5 ? limit : 5);
			assert_memory_equal(
				some.ids, seen.ids, some.count * sizeof(*some.ids));
		}
}

RECORDED_TEST(lists_what_was_asked_for_only)
{
	static const struct {
		const char *space, *slug, *problem;
		size_t count;
	} cases[] = {
		{ NULL, NULL, NULL, 4 },
		{ "matmul", NULL, NULL, 3 },
		{ "scan", NULL, NULL, 1 },
		{ NULL, "nvidia-h200", NULL, 3 },
		{ NULL, "host", NULL, 1 },
		{ NULL, NULL, "tall", 1 },
		{ "matmul", "nvidia-h200", "square", 1 },
		{ "scan", "host", NULL, 0 },
		{ "nothing", NULL, NULL, 0 },
		{ NULL, "no-device", NULL, 0 },
	};
	struct at_record_device host = a_device();
	struct at_evaluation evaluation;

	host.slug = "host";
	add(store, 1, AT_OUTCOME_OK, 1);
	/* one key under several names, as after a space was renamed */
	evaluation = record_full_evaluation(1);
	evaluation.problem = "tall";
	assert_ok(at_store_add(store, &evaluation, &failure));
	evaluation = record_full_evaluation(1);
	evaluation.space = "scan";
	assert_ok(at_store_add(store, &evaluation, &failure));
	evaluation = record_full_evaluation(1);
	evaluation.device_id = put(store, &host);
	assert_ok(at_store_add(store, &evaluation, &failure));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct seen seen = { 0 };

		assert_ok(at_store_list(store, cases[i].space, cases[i].slug,
			cases[i].problem, 0, see, &seen, &failure));
		if (seen.count != cases[i].count)
			fail_msg("case %zu: %zu evaluations", i, seen.count);
	}
}

static enum at_status list_again(void *context, const struct at_evaluation *evaluation)
{
	struct at_store *store = context;

	assert_int_equal(count_all(store), 2);
	return AT_OK;
}

RECORDED_TEST(ends_a_walk_when_its_visitor_says_so)
{
	struct seen seen = { .stop_after = 1 };
	struct at_error err = { 0 };

	add(store, 1, AT_OUTCOME_OK, 1);
	add(store, 2, AT_OUTCOME_OK, 2);
	assert_int_equal(at_store_list(store, NULL, NULL, NULL, 0, see, &seen, &err),
		AT_EINTERRUPTED);
	assert_int_equal(seen.count, 1);
	assert_ok(
		at_store_list(store, NULL, NULL, NULL, 0, list_again, store, &failure));
}

/* ---- winners ------------------------------------------------------------- */

RECORDED_TEST(keeps_every_column_of_a_winner)
{
	struct at_winner best, *read;
	size_t count = 0;

	best = record_full_winner(
		add(store, 1, AT_OUTCOME_OK, 1), add(store, 2, AT_OUTCOME_OK, 2));
	assert_ok(at_store_put_winner(store, &best, &failure));
	assert_ok(at_store_winners(store, "matmul", 1, &read, &count, &failure));
	assert_int_equal(count, 1);
	assert_same_row(&at_table_crowns, read, &best);
	assert_true(at_winner_baseline(read).value == 26.25);
	assert_true(at_winner_baseline(read).low == 25);
	assert_true(at_winner_speedup(read).high == 2.75);
	at_store_free_winners(read, count);
}

/* The problem's winner; false: none exists. */
static bool find_winner(
	struct at_store *store, const char *problem, struct at_winner *out)
{
	bool found;

	assert_ok(at_store_find_winner(
		store, 1, "matmul", problem, out, &found, &failure));
	return found;
}

RECORDED_TEST(gives_the_newest_winner_and_keeps_the_older)
{
	static const struct {
		int64_t device_id;
		const char *space, *problem;
	} nobody[] = { { 2, "matmul", "square" }, { 1, "scan", "square" },
		{ 1, "matmul", "small" } };
	struct at_winner best;
	RELEASED(at_winner_release) struct at_winner copy;
	struct at_winner *read;
	bool found = false;
	size_t count = 0;
	int64_t id;

	id = add(store, 1, AT_OUTCOME_OK, 1);
	best = record_full_winner(id, id);
	assert_ok(at_store_put_winner(store, &best, &failure));
	best = record_full_winner(id, 0);
	best.speedup = (double)NAN;
	assert_ok(at_store_put_winner(store, &best, &failure));
	best.problem = "large";
	assert_ok(at_store_put_winner(store, &best, &failure));
	best.space = "scan";
	assert_ok(at_store_put_winner(store, &best, &failure));
	assert_ok(at_store_winners(store, "matmul", 0, &read, &count, &failure));
	assert_int_equal(count, 2);
	assert_string_equal(read[0].problem, "large");
	assert_string_equal(read[1].problem, "square");
	assert_int_equal(read[1].baseline_id, 0);
	assert_true(isnan(read[1].speedup));
	at_store_free_winners(read, count);
	assert_ok(at_store_winners(store, NULL, 0, &read, &count, &failure));
	assert_int_equal(count, 3);
	at_store_free_winners(read, count);
	assert_ok(at_store_winners(store, NULL, 2, &read, &count, &failure));
	assert_int_equal(count, 0);
	assert_true(find_winner(store, "square", &best) && isnan(best.speedup));
	at_winner_copy(&best, &copy);
	at_winner_release(&best);
	assert_string_equal(copy.launch, "{\"block\": [16]}");
	for (size_t i = 0; i < AT_COUNT_OF(nobody); i++) {
		assert_ok(at_store_find_winner(store, nobody[i].device_id,
			nobody[i].space, nobody[i].problem, &best, &found, &failure));
		assert_false(found);
		assert_null(best.space);
	}
	at_store_free_winners(read, count);
	assert_int_equal(place_ask(place, "SELECT count(*) FROM crowns"), 4);
}

/* whoever wrote first, and however much faster the other one is */
RECORDED_TEST(never_replaces_a_verified_winner_by_one_that_is_not)
{
	static const struct {
		bool is_unverified;
		double expected; /* who is selected after it */
	} rows[] = { { true, 0 }, { true, 1 }, { false, 2 }, { true, 2 }, { false, 4 },
		{ true, 4 } };
	struct at_winner best, read;
	int64_t id;

	id = add(store, 1, AT_OUTCOME_OK, 1);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		best = record_full_winner(id, id);
		best.is_unverified = rows[i].is_unverified;
		best.score.value = (double)i;
		assert_ok(at_store_put_winner(store, &best, &failure));
		assert_true(find_winner(store, "square", &read) &&
			    read.score.value == rows[i].expected);
		assert_int_equal(read.is_unverified, rows[i].expected < 2);
		at_winner_release(&read);
	}
	/* another problem is another throne */
	best.problem = "small";
	assert_ok(at_store_put_winner(store, &best, &failure));
	assert_true(find_winner(store, "small", &read) && read.is_unverified);
	at_winner_release(&read);
}

RECORDED_TEST(a_row_of_a_time_that_makes_no_sense_hides_no_other)
{
	struct at_evaluation odd = record_full_evaluation(7);
	RELEASED(at_evaluation_release) struct at_evaluation read;
	bool found;
	int64_t id;

	odd.created_seconds = INT64_MAX;
	assert_ok(at_store_add(store, &odd, &failure));
	id = add(store, 7, AT_OUTCOME_OK, 5);
	assert_ok(at_store_find(store, odd.key, true, &read, &found, &failure));
	assert_true(found && read.id == id);
	assert_int_equal(read.created_seconds, 1763715600);
}

RECORDED_TEST(what_follows_is_not_older_where_a_clock_was_set_back)
{
	static const struct {
		const char *space, *problem;
		int64_t now, expected;
		bool by_date;
	} rows[] = {
		{ "matmul", "square", 5, 9000, false },
		{ "matmul", "square", 9001, 9001, false },
		{ "matmul", NULL, 5, 2100000000, false },
		/* a board without a battery, on which it is 1970 */
		{ "matmul", "square", 5, 9000, true },
		/* other thrones have a time of their own */
		{ "matmul", "small", 5, 5, false },
		{ "scale", "square", 5, 5, true },
		/* a clock was years ahead */
		{ "matmul", "late", 1800000000, 2100000000, false },
		{ "matmul", "late", 1800000000, 1800000000, true },
		/* it was set back by an hour */
		{ "matmul", "late", 2099996400, 2100000000, true },
	};
	struct at_winner best;

	best = record_full_winner(add(store, 1, AT_OUTCOME_OK, 1), 1);
	best.created_seconds = 9000;
	assert_ok(at_store_put_winner(store, &best, &failure));
	/* one that makes no sense, as a stranger's record may have it */
	best.created_seconds = INT64_MAX;
	assert_ok(at_store_put_winner(store, &best, &failure));
	best.problem = (char *)"late";
	best.created_seconds = 2100000000;
	assert_ok(at_store_put_winner(store, &best, &failure));
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		int64_t seconds = rows[i].now;

		assert_ok(at_store_follow(store, 1, rows[i].space, rows[i].problem,
			rows[i].by_date, &seconds, &failure));
		assert_int_equal(seconds, rows[i].expected);
	}
}

RECORDED_TEST(a_winner_that_won_again_says_when_and_a_withdrawn_one_why)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_error err = { 0 };
	struct at_winner best, read;
	int64_t id;

	id = add(store, 1, AT_OUTCOME_OK, 1);
	best = record_full_winner(id, id);
	assert_ok(at_store_put_winner(store, &best, &failure));
	/* as it may have won before: the newest counts */
	assert_ok(at_store_put_winner(store, &best, &failure));
	assert_ok(at_store_set_stood(store, &best, 1234, "a b", &failure));
	assert_true(find_winner(store, "square", &read) && read.stood_seconds == 1234 &&
		    !read.is_unverified);
	assert_int_equal(read.created_seconds, best.created_seconds);
	at_winner_release(&read);
	assert_ok(at_store_withdraw(store, &best, "C[7] is \"1\"", &failure));
	assert_true(find_winner(store, "square", &read) && read.is_unverified &&
		    read.stood_seconds == 1234);
	at_verification_write(&read, &text);
	assert_string_equal(at_strbuf_text(&text), "not any more: C[7] is \"1\"");
	at_winner_release(&read);
	assert_int_equal(
		place_ask(place, "SELECT count(*) FROM crowns WHERE NOT is_unproved"),
		0);
	/* one that is not there */
	best.problem = "none";
	assert_int_equal(at_store_withdraw(store, &best, "", &err), AT_ENOENT);
}

/* ---- sources -------------------------------------------------------------- */

static bool is_older(struct at_store *store, int64_t run_id, int64_t seconds)
{
	const struct at_evaluation evaluation = { .run_id = run_id,
		.created_seconds = seconds };
	struct at_sources sources;
	bool older;

	assert_ok(at_store_sources(store, 1, "matmul", "square", &sources, &failure));
	older = at_sources_is_older(&sources, &evaluation);
	at_sources_release(&sources);
	return older;
}

static int64_t begin_run(struct at_store *store, const char *source)
{
	int64_t id;

	assert_ok(
		at_store_begin_run(store, 1, "matmul", "auto", 0, "1", &id, &failure));
	if (source)
		assert_ok(at_store_put_source(store, id, "square", source, &failure));
	return id;
}

RECORDED_TEST(tells_evaluations_of_an_older_source)
{
	int64_t old, unsaid, edited, back;

	unsaid = begin_run(store, NULL);
	/* nothing is known: nothing is older */
	assert_false(is_older(store, unsaid, 5));
	old = begin_run(store, "0a");
	assert_false(is_older(store, old, 5));
	edited = begin_run(store, "0b");
	assert_true(is_older(store, old, 5));
	assert_false(is_older(store, edited, 5));
	/* as it was: what was measured then counts again */
	back = begin_run(store, "0a");
	assert_false(is_older(store, back, 5));
	assert_false(is_older(store, old, 5));
	assert_true(is_older(store, edited, 5));
	/* who did not say is older than the last winner of another source */
	assert_false(is_older(store, unsaid, 5));
}

/* Of runs that were made here the order is known, whatever their clocks said. */
RECORDED_TEST(a_run_of_a_wrong_clock_is_not_the_newest_for_ever)
{
	int64_t old, next;

	old = begin_run(store, "0a");
	place_tell(place, "UPDATE runs SET started_seconds = 4000000000");
	next = begin_run(store, "0b");
	assert_true(is_older(store, old, 5));
	assert_false(is_older(store, next, 5));
	/* a board without a battery */
	place_tell(place, "UPDATE runs SET started_seconds = 1000 WHERE id = 2");
	assert_true(is_older(store, old, 5));
	/* an older run of another machine, which was imported later */
	place_tell(place, "UPDATE runs SET started_seconds = 1763715600 WHERE id = 2");
	begin_run(store, "0c");
	place_tell(place,
		"UPDATE runs SET started_seconds = 1763000000, origin = 'there' WHERE id = 3");
	assert_true(is_older(store, old, 5));
	assert_false(is_older(store, next, 5));
	/* a younger one counts, unless its clock was ahead */
	place_tell(place, "UPDATE runs SET started_seconds = 1763800000 WHERE id = 3");
	assert_true(is_older(store, next, 5));
	place_tell(place, "UPDATE runs SET started_seconds = 4000000000 WHERE id = 3");
	assert_false(is_older(store, next, 5));
}

static int64_t count_evaluated(struct at_store *store)
{
	struct at_allot_item item = { 0 };

	assert_ok(at_allot_read(
		store, "matmul", "nvidia-h200", "square", &item, &failure));
	return item.evaluated;
}

/* After an update of the driver a space that was searched whole has all to find. */
RECORDED_TEST(a_share_of_time_counts_no_evaluation_of_an_older_source)
{
	struct at_evaluation evaluation = record_full_evaluation(1);

	evaluation.run_id = begin_run(store, "0a");
	for (uint64_t key = 1; key <= 4; key++) {
		evaluation.key.low = key;
		assert_ok(at_store_add(store, &evaluation, &failure));
	}
	assert_int_equal(count_evaluated(store), 4);
	evaluation.run_id = begin_run(store, "0b");
	assert_int_equal(count_evaluated(store), 0);
	evaluation.key.low = 5;
	evaluation.time_ns = 7;
	assert_ok(at_store_add(store, &evaluation, &failure));
	assert_int_equal(count_evaluated(store), 1);
}

TEST_AT(opens_what_it_closed, place)
{
	struct at_store *store = place_open(place);

	put_a_device(store);
	add(store, 1, AT_OUTCOME_OK, 1);
	at_store_close(store);
	at_store_close(NULL);
	store = place_open(place);
	assert_int_equal(count_all(store), 1);
	at_store_close(store);
	assert_int_equal(place_ask(place, "PRAGMA user_version"), 11);
	assert_record_is_intact(place->database);
}

static void assert_refused(const struct record_place *place, enum at_status status,
	const char *file, const char *text)
{
	struct at_store *store = NULL;

	assert_fails_with(
		at_store_open(place->results, &store, &failure), status, text);
	assert_null(store);
	assert_string_equal(failure.file, file);
}

TEST_AT(refuses_a_file_that_is_no_database, place)
{
	static const char notes[] = "not a database at all, but somebody's own notes\n";
	OWNED(free) char *text;

	assert_ok(at_directory_make(place->results, &failure));
	file_write(place->database, notes);
	assert_refused(place, AT_EINVAL, place->database,
		"is not a record (no SQLite database): move it away, or choose another place with --results DIR");
	text = file_text(place->database);
	assert_string_equal(text, notes);
}

TEST_AT(refuses_the_database_of_another_program, place)
{
	assert_ok(at_directory_make(place->results, &failure));
	place_tell(place, "CREATE TABLE addresses (name TEXT)");
	assert_refused(place, AT_EINVAL, place->database,
		"is a database of another program, not a record: move it away, or choose another place with --results DIR");
	assert_int_equal(place_ask(place, "SELECT count(*) FROM sqlite_schema"), 1);
}

TEST_AT(refuses_tables_and_versions_that_it_does_not_know, place)
{
	static const struct {
		const char *sql, *undo, *text;
	} rows[] = {
		{ "ALTER TABLE evaluations RENAME COLUMN outcome TO other",
			"ALTER TABLE evaluations RENAME COLUMN other TO outcome",
			"is no record of autotune, since its table \"evaluations\" has no column outcome: move it away, or choose another place with --results DIR" },
		{ "ALTER TABLE evaluations RENAME COLUMN log TO other",
			"ALTER TABLE evaluations RENAME COLUMN other TO log",
			"its table \"evaluations\" has no column log:" },
		{ "PRAGMA user_version = -1", "", "says that its version is -1;" },
		{ "PRAGMA user_version = -300", "", "says that its version is -300;" },
		{ "PRAGMA user_version = -2147483648", "",
			"says that its version is -2147483648;" },
		{ "PRAGMA user_version = 12", "",
			"was written by a newer autotune (version 12 of the record, this program knows 11): use that one, or choose another place with --results DIR" },
	};

	at_store_close(place_open(place));
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		place_tell(place, rows[i].sql);
		assert_refused(place, AT_EINVAL, place->database, rows[i].text);
		place_tell(place, rows[i].undo);
	}
	assert_int_equal(place_ask(place, "PRAGMA user_version"), 12);
	place_tell(place, "PRAGMA user_version = 11");
	at_store_close(place_open(place));
}

TEST_AT(names_a_damaged_record, place)
{
	FILE *file;

	at_store_close(place_open(place));
	/* the schema's page, behind the header of the file */
	file = fopen(place->database, "r+");
	assert_non_null(file);
	assert_int_equal(fseek(file, 100, SEEK_SET), 0);
	for (int i = 0; i < 3900; i++)
		assert_int_equal(fputc(0xa5, file), 0xa5);
	assert_int_equal(fclose(file), 0);
	assert_refused(place, AT_EIO, place->database, "the record is damaged (");
	assert_non_null(strstr(failure.text, ".recover"));
}

TEST_AT(refuses_a_place_below_a_file, place)
{
	char file[96];

	snprintf(file, sizeof(file), "%s/a", place->folder);
	file_write(file, "");
	assert_refused(place, AT_EIO, place->results,
		"/a is a file; choose another place with --results DIR");
}

TEST_AT(refuses_a_directory_in_place_of_the_record, place)
{
	assert_ok(at_directory_make(place->database, &failure));
	assert_refused(place, AT_EIO, place->database, "cannot open the record (");
	assert_non_null(strstr(failure.text, "--results DIR"));
}

static int open_as_nobody(void *context)
{
	const struct record_place *place = context;
	struct at_error err = { 0 };
	struct at_store *store;

	if (!become_nobody())
		return 1;
	if (at_store_open(place->results, &store, &err) != AT_EIO)
		return 2;
	if (strcmp(err.file, place->database))
		return 3;
	return strcmp(err.text,
		       "cannot open the record (Permission denied): let the file and its directory be written, or choose another place with --results DIR")
		       ? 4
		       : 0;
}

TEST_AT(refuses_a_read_only_directory, place)
{
	assert_ok(at_directory_make(place->results, &failure));
	assert_int_equal(chmod(place->results, 0555), 0);
	in_a_child(open_as_nobody, place);
	assert_int_equal(chmod(place->results, 0755), 0);
}

static int add_to_a_read_only_record(void *context)
{
	const struct record_place *place = context;
	struct at_evaluation evaluation = record_full_evaluation(2);
	struct at_error err = { 0 };
	struct at_store *store;

	if (!become_nobody())
		return 1;
	if (at_store_open(place->results, &store, &err))
		return 2;
	/* what is recorded can be read all the same */
	if (count_all(store) != 1)
		return 3;
	if (at_store_add(store, &evaluation, &err) != AT_EIO)
		return 4;
	at_store_close(store);
	return strcmp(err.text,
		       "the record or its directory is read-only: make both writable, or choose another place with --results DIR")
		       ? 5
		       : 0;
}

TEST_AT(reads_a_read_only_record_and_says_that_it_cannot_add, place)
{
	struct at_store *store = place_open(place);

	put_a_device(store);
	add(store, 1, AT_OUTCOME_OK, 1);
	at_store_close(store);
	/* the directory takes the log's files, but the record itself is protected */
	assert_int_equal(chmod(place->results, 0777), 0);
	assert_int_equal(chmod(place->database, 0444), 0);
	in_a_child(add_to_a_read_only_record, place);
}

/* Adds until the file cannot grow; exit code 0 when that ended as it should. */
static int fill_the_disk(void *context)
{
	const struct record_place *place = context;
	struct rlimit limit = { 512 << 10, 512 << 10 };
	struct at_error err = { 0 };
	OWNED(at_store_close) struct at_store *store = NULL;
	struct at_evaluation evaluation;
	enum at_status status = AT_OK;
	size_t count = 0;

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 1;
	if (at_store_open(place->results, &store, &err))
		return 2;
	while (!status && count < 10000) {
		evaluation = record_full_evaluation(100 + count);
		status = at_store_add(store, &evaluation, &err);
		count += !status;
	}
	if (status != AT_EIO || count < 10 || evaluation.id != 0)
		return 3;
	if (strcmp(err.text,
		    "the limit on file sizes is reached: raise it (`ulimit -f`), or forget what is not wanted any more, and run the same command again; nothing recorded was lost") ||
		strcmp(err.file, place->database))
		return 4;
	/* the rows before it can be read by the same process, and by others */
	if (count_all(store) != count + 1)
		return 5;
	return 0;
}

TEST_AT(loses_nothing_on_a_full_disk, place)
{
	struct at_store *store = place_open(place);
	size_t before;

	put_a_device(store);
	add(store, 1, AT_OUTCOME_OK, 1);
	at_store_close(store);
	in_a_child(fill_the_disk, place);
	assert_record_is_intact(place->database);
	store = place_open(place);
	before = count_all(store);
	assert_true(before > 10);
	/* with room again, it goes on */
	add(store, 2, AT_OUTCOME_OK, 1);
	assert_int_equal(count_all(store), before + 1);
	at_store_close(store);
}

/* Somebody else has the bytes that SQLite's readers lock ("os.h": SHARED_FIRST). */
static int is_locked(void *context)
{
	const struct record_place *place = context;
	struct flock lock = { .l_type = F_RDLCK,
		.l_whence = SEEK_SET,
		.l_start = 0x40000002,
		.l_len = 510 };
	int file = open(place->database, O_RDWR);

	return file < 0 || fcntl(file, F_GETLK, &lock) < 0 || lock.l_type == F_UNLCK;
}

static int add_alone_and_die(void *context)
{
	struct record_place *place = context;
	struct at_error err = { 0 };
	struct at_store *store;

	if (at_store_open_alone(place->results, &store, &err))
		return 1;
	put_a_device(store);
	add(store, 1, AT_OUTCOME_OK, 1);
	in_a_child(is_locked, place);
	_exit(0); /* nothing is closed */
}

TEST_AT(one_process_alone_shares_no_memory_and_goes_on_after_a_kill, place)
{
	struct at_store *store;

	in_a_child(add_alone_and_die, place);
	/* what was committed is in the log, and only there */
	assert_true(at_file_exists(place->log));
	assert_ok(at_store_open_alone(place->results, &store, &failure));
	assert_int_equal(count_all(store), 1);
	add(store, 2, AT_OUTCOME_OK, 1);
	assert_false(at_file_exists(place->index));
	at_store_close(store);
	/* and whoever comes later sees it as any other */
	store = place_open(place);
	assert_int_equal(count_all(store), 2);
	at_store_close(store);
	assert_record_is_intact(place->database);
}

/* Adds for ever; a byte goes into the pipe after each commit. */
static void add_and_acknowledge(struct record_place *place, int pipe_end)
{
	struct at_error err = { 0 };
	struct at_store *store;

	if (at_store_open(place->results, &store, &err))
		_exit(1);
	for (uint64_t key = 1;; key++) {
		struct at_evaluation evaluation = record_full_evaluation(key);

		if (at_store_add(store, &evaluation, &err) ||
			write(pipe_end, "", 1) != 1)
			_exit(2);
	}
}

TEST_AT(loses_nothing_to_a_kill, place)
{
	struct at_store *store = place_open(place);
	size_t acknowledged = 0;
	bool found = true;

	put_a_device(store);
	at_store_close(store);
	/* killed at different moments; the log is folded in about every 1000 pages */
	for (size_t round = 1; round <= 6; round++) {
		int ends[2], outcome;
		char bytes[512];
		ssize_t got;
		pid_t child;
		size_t this_round = 0;

		assert_int_equal(pipe(ends), 0);
		child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			close(ends[0]);
			add_and_acknowledge(place, ends[1]);
		}
		close(ends[1]);
		while (this_round < 97 * round) {
			got = read(ends[0], bytes, 1);
			assert_int_equal(got, 1);
			this_round++;
		}
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, &outcome, 0), child);
		assert_true(WIFSIGNALED(outcome) && WTERMSIG(outcome) == SIGKILL);
		/* those acknowledged while the signal was under way */
		while ((got = read(ends[0], bytes, sizeof(bytes))) > 0)
			this_round += (size_t)got;
		close(ends[0]);
		if (this_round > acknowledged)
			acknowledged = this_round;
		store = place_open(place);
		for (uint64_t key = 1; key <= acknowledged; key++) {
			RELEASED(at_evaluation_release) struct at_evaluation read_back;

			assert_ok(at_store_find(store, record_full_evaluation(key).key,
				true, &read_back, &found, &failure));
			assert_true(found);
			assert_int_equal(read_back.sample_count, 5);
			assert_string_equal(
				read_back.log, record_full_evaluation(1).log);
		}
		at_store_close(store);
		assert_record_is_intact(place->database);
	}
}

static int add_200(struct record_place *place, uint64_t first)
{
	struct at_record_device device = a_device();
	struct at_error err = { 0 };
	struct at_store *store;
	int64_t id;

	/* both make the directory, the file and the tables at the same time */
	if (at_store_open(place->results, &store, &err) ||
		at_store_put_device(store, &device, &id, &err)) {
		fprintf(stderr, "%s: %s\n", err.file, err.text);
		return 1;
	}
	for (uint64_t i = 0; i < 200; i++) {
		struct at_evaluation evaluation = record_full_evaluation(first + i);

		if (at_store_add(store, &evaluation, &err)) {
			fprintf(stderr, "%s: %s\n", err.file, err.text);
			return 2;
		}
	}
	at_store_close(store);
	return 0;
}

TEST_AT(lets_processes_write_at_once_and_loses_none, place)
{
	enum { WRITERS = 3 };
	pid_t children[WRITERS];
	struct at_store *store;

	for (uint64_t i = 0; i < WRITERS; i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i] == 0)
			_exit(add_200(place, 1000 * i));
	}
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(exit_of(children[i]), 0);
	}
	store = place_open(place);
	assert_int_equal(count_all(store), 200 * WRITERS);
	at_store_close(store);
	assert_int_equal(place_ask(place, "SELECT count(*) FROM devices"), 1);
	assert_record_is_intact(place->database);
}

RUN_SUITE(NULL, NULL)
