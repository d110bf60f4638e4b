/* Nights in the record: they are kept complete, are found again, and old ones are
   removed. */
#include "record/claims.h"
#include "record/history.h"

#include "record_fixture.h"

#define DAY 86400
#define NOW (INT64_C(1763715600))

/* With a device, of number 1, and the store open. */
static void make_place(struct record_place *place)
{
	struct at_record_device device = record_device(
		"cuda", "NVIDIA H200", "nvidia-h200", "sm_90", "580.1", "");
	int64_t id;

	record_place_make(place);
	place->store = place_open(place);
	assert_ok(at_store_put_device(place->store, &device, &id, &failure));
	assert_int_equal(id, 1);
}

#define TEST_HERE(name) \
	TEST_ON(name, struct record_place, place, make_place, record_place_remove)

/* every member differs from every other and from what is not known */
static struct at_revisit a_revisit(void)
{
	return (struct at_revisit){
		.device_id = 1,
		.board = (char *)"GPU-1",
		.space = (char *)"matmul",
		.problem = (char *)"square",
		.configuration = (char *)"{\"TILE\": 4}",
		.source_hash = (char *)"00ff",
		.outcome = AT_OUTCOME_OK,
		.detail = (char *)"a detail",
		.verdict = AT_VERDICT_SLOWER,
		.objective = &at_objective_time,
		.score = { 100.5, 99.25, 101.75 },
		.baseline = { 250.5, 249.25, 251.75 },
		.speedup = { 2.5, 2.25, 2.75 },
		.change = { 1.05, 1.03, 1.07 },
		.clock_hz = 1755000000,
		.look_count = 2,
		.measurement = (char *)"{\"blocks\": 6}",
		.conditions = (char *)"{\"driver\": \"580.1\"}",
		.created_seconds = NOW,
	};
}

static void put(const struct record_place *place, struct at_revisit revisit)
{
	assert_ok(at_store_put_revisit(place->store, &revisit, &failure));
	assert_true(revisit.id > 0);
}

static struct at_revisits list(
	const struct record_place *place, const struct at_revisit_query *query)
{
	struct at_revisits revisits;

	memset(&revisits, 0xff, sizeof(revisits));
	assert_ok(at_store_revisits(place->store, query, &revisits, &failure));
	return revisits;
}

static size_t count_of(
	const struct record_place *place, const struct at_revisit_query *query)
{
	RELEASED(at_revisits_release) struct at_revisits revisits = list(place, query);
	size_t count = revisits.count;

	return count;
}

TEST_HERE(keeps_every_column_of_a_night)
{
	const struct at_revisit expected = a_revisit();
	struct at_revisit_query all = { 0 };
	struct at_revisits revisits;
	const struct at_revisit *read;

	put(place, expected);
	/* from the disk, by another connection */
	at_store_close(place->store);
	place->store = place_open(place);
	revisits = list(place, &all);
	assert_int_equal(revisits.count, 1);
	read = &revisits.items[0];
	assert_same_row(&at_table_revisits, read, &expected);
	at_revisits_release(&revisits);
	assert_null(revisits.items);
}

TEST_HERE(keeps_what_is_not_known_as_not_known)
{
	const struct at_score unknown = AT_SCORE_UNKNOWN;
	struct at_revisit revisit = a_revisit();
	struct at_revisit_query all = { 0 };
	RELEASED(at_revisits_release) struct at_revisits revisits;

	revisit.outcome = AT_OUTCOME_WRONG_RESULT;
	revisit.verdict = AT_VERDICT_INCORRECT;
	revisit.score = revisit.baseline = revisit.speedup = revisit.change = unknown;
	revisit.clock_hz = -1;
	revisit.board = NULL;
	put(place, revisit);
	revisits = list(place, &all);
	assert_same_row(&at_table_revisits, revisits.items, &revisit);
	assert_string_equal(revisits.items[0].board, "");
}

TEST_HERE(lists_the_newest_oldest_first)
{
	struct at_revisit_query query = { .space = "matmul", .limit = 3 };
	struct at_revisits revisits;

	/* clocks may be set back: dates decide, and what was added last of one second
	 */
	for (int64_t i = 0; i < 6; i++) {
		struct at_revisit revisit = a_revisit();

		revisit.created_seconds = NOW + (i == 5 ? 3 : i) * DAY;
		revisit.look_count = i;
		put(place, revisit);
	}
	revisits = list(place, &query);
	assert_int_equal(revisits.count, 3);
	assert_int_equal(revisits.items[0].look_count, 3);
	assert_int_equal(revisits.items[1].look_count, 5);
	assert_int_equal(revisits.items[2].look_count, 4);
	at_revisits_release(&revisits);
	query.limit = 0;
	assert_int_equal(count_of(place, &query), 6);
	query.since_seconds = NOW + 3 * DAY;
	assert_int_equal(count_of(place, &query), 3);
}

TEST_HERE(lists_only_what_is_asked_for)
{
	const struct at_revisit_query queries[] = {
		{ .space = "other" },
		{ .problem = "other" },
		{ .device_id = 0 },
		{ .board = "other" },
		{ .configuration = "{\"TILE\": 8}" },
		{ .source_hash = "other" },
		{ .space = "other", .problem = "square", .board = "GPU-1" },
	};
	const size_t counts[] = { 1, 1, 6, 1, 1, 1, 1 };

	for (int i = 0; i < 6; i++) {
		struct at_revisit revisit = a_revisit();
		char **const members[] = { &revisit.space, &revisit.problem,
			&revisit.board, &revisit.configuration, &revisit.source_hash };

		if (i < 5)
			*members[i] = (char *)(i == 3 ? "{\"TILE\": 8}" : "other");
		put(place, revisit);
	}
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
		assert_int_equal(count_of(place, &queries[i]), counts[i]);
}

TEST_HERE(the_nights_of_a_problem_are_found_by_an_index)
{
	assert_plan(place,
		"EXPLAIN QUERY PLAN SELECT * FROM revisits WHERE created_seconds >= 0 AND space = 'a' AND problem = 'b' AND device_id = 1 ORDER BY created_seconds DESC, id DESC LIMIT 60",
		"revisits_place");
}

/* ---- conditions ------------------------------------------------------------ */

TEST(tells_what_changed_since_the_night_before)
{
	static const struct {
		const char *before, *now, *text;
		size_t lasting;
	} cases[] = {
		{ "{\"driver\": \"570\"}", "{\"driver\": \"580\"}",
			"driver 580, was 570", 1 },
		{ "{\"driver\": \"570\"}", "{\"driver\": \"570\"}", "", 0 },
		{ "{\"power_limit_watts\": 700, \"ecc\": true}",
			"{\"power_limit_watts\": 600, \"ecc\": false}",
			"power limit 600 W, was 700 W; ecc off, was on", 2 },
		{ "{\"set_clock_hz\": null}", "{\"set_clock_hz\": 1980000000}",
			"set clock 1980 MHz, was unknown", 1 },
		/* comes and goes */
		{ "{\"processes\": 0}", "{\"processes\": 2}", "processes 2, was 0", 0 },
		/* what only one of them knows is no change */
		{ "{\"driver\": \"570\"}", "{\"toolchain\": \"NVRTC 13.0\"}", "", 0 },
		{ "", "{\"driver\": \"570\"}", "", 0 },
		{ "{\"driver\": \"570\"}", "no JSON", "", 0 },
		{ "[1]", "[2]", "", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

		assert_int_equal(
			at_conditions_compare(cases[i].before, cases[i].now, &text),
			cases[i].lasting);
		assert_string_equal(at_strbuf_text(&text), cases[i].text);
		assert_int_equal(
			at_conditions_compare(cases[i].before, cases[i].now, NULL),
			cases[i].lasting);
	}
	assert_int_equal(at_conditions_compare(NULL, "{}", NULL), 0);
	assert_int_equal(at_conditions_whole("{\"a\": 3}", "a", 7), 3);
	assert_int_equal(at_conditions_whole("{\"a\": 3}", "b", 7), 7);
	assert_int_equal(at_conditions_whole(NULL, "a", 7), 7);
}

/* ---- keeping --------------------------------------------------------------- */

TEST(understands_how_much_is_to_be_kept)
{
	static const struct {
		const char *text;
		struct at_keep keep;
	} cases[] = { { "400", { 400, 0 } }, { "1", { 1, 0 } },
		{ "400d", { 0, 400 * DAY } }, { "60w", { 0, 420 * DAY } },
		{ "2y", { 0, 732 * DAY } }, { "99999", { 99999, 0 } } };
	static const char *const wrong[] = { "", "0", "-1", "0d", "d", "100000", "1.5y",
		"400 d", "4h", "400dd", "99999999999999999999" };
	struct at_keep keep;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_ok(at_keep_parse(cases[i].text, &keep, &failure));
		assert_int_equal(keep.nights, cases[i].keep.nights);
		assert_int_equal(keep.seconds, cases[i].keep.seconds);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		memset(&failure, 0, sizeof(failure));
		assert_fails_with(
			at_keep_parse(wrong[i], &keep, &failure), AT_EINVAL, "400d");
	}
}

static struct at_dropped drop(
	const struct record_place *place, int64_t nights, int64_t days, int64_t now)
{
	const struct at_keep keep = { nights, days * DAY };
	struct at_dropped dropped;

	memset(&dropped, 0xff, sizeof(dropped));
	assert_ok(at_store_keep(place->store, &keep, now, &dropped, &failure));
	/* rows that refer to what went would be refused from now on */
	assert_int_equal(
		place_ask(place, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	return dropped;
}

TEST_HERE(keeps_the_newest_nights_of_each_kernel_and_board)
{
	struct at_revisit_query query = { .board = "GPU-2" };
	struct at_dropped dropped;

	for (int64_t night = 0; night < 9; night++) {
		struct at_revisit revisit = a_revisit();

		revisit.created_seconds = NOW + night * DAY;
		put(place, revisit);
		revisit.board = (char *)"GPU-2";
		put(place, revisit);
		revisit.problem = (char *)"another";
		if (night < 2)
			put(place, revisit);
	}
	dropped = drop(place, 0, 0, NOW + 9 * DAY);
	assert_int_equal(dropped.revisit_count, 0);
	dropped = drop(place, 4, 0, NOW + 900 * DAY);
	assert_int_equal(dropped.revisit_count, 2 * 5);
	assert_int_equal(count_of(place, &query), 4 + 2);
	query.problem = "square";
	query.since_seconds = NOW + 5 * DAY;
	assert_int_equal(count_of(place, &query), 4);
	dropped = drop(place, 0, 3, NOW + 9 * DAY);
	assert_int_equal(dropped.revisit_count, 2 * 1 + 2);
}

/* An evaluation of this key so many days ago. */
static int64_t evaluate(const struct record_place *place, uint64_t key, int64_t days,
	int64_t run_id, const char *problem)
{
	struct at_evaluation evaluation = record_evaluation(1, key, 100);

	evaluation.run_id = run_id;
	evaluation.problem = (char *)problem;
	evaluation.created_seconds = NOW - days * DAY;
	assert_ok(at_store_add(place->store, &evaluation, &failure));
	return evaluation.id;
}

static void best(const struct record_place *place, int64_t winner, int64_t baseline,
	const char *source, int64_t days)
{
	struct at_winner one = record_winner(1, winner, baseline);

	one.source_hash = (char *)source;
	one.created_seconds = NOW - days * DAY;
	assert_ok(at_store_put_winner(place->store, &one, &failure));
}

static bool is_there(const struct record_place *place, int64_t id)
{
	char sql[96];

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM evaluations WHERE id = %lld",
		(long long)id);
	return place_ask(place, sql) != 0;
}

static int64_t begin_run(const struct record_place *place, int64_t days)
{
	char sql[96];
	int64_t id;

	assert_ok(at_store_begin_run(
		place->store, 1, "matmul", "random", 1, "0", &id, &failure));
	snprintf(sql, sizeof(sql),
		"UPDATE runs SET started_seconds = %lld WHERE id = %lld",
		(long long)(NOW - days * DAY), (long long)id);
	place_tell(place, sql);
	return id;
}

/* A run each month. Of each, the record keeps only that work was done. */
static void work_each_month(const struct record_place *place, int64_t first_days)
{
	for (int64_t days = first_days; days > 0; days -= 30)
		begin_run(place, days);
}

TEST_HERE(a_clock_that_is_years_ahead_for_a_night_drops_no_year)
{
	struct at_revisit revisit = a_revisit();
	struct at_revisit_query query = { 0 };
	struct at_dropped dropped;

	for (int64_t night = 1; night <= 90; night++) {
		revisit.created_seconds = NOW - night * DAY;
		put(place, revisit);
	}
	revisit.created_seconds = NOW + 5000 * DAY;
	put(place, revisit);
	dropped = drop(place, 0, 60, revisit.created_seconds);
	/* a half of what is kept is left at least, and itself */
	assert_int_equal(count_of(place, &query), 31 + 1);
	/* right again: the same are kept */
	dropped = drop(place, 0, 60, NOW);
	assert_int_equal(dropped.revisit_count, 0);
	/* a machine that was off for years drops what it has, night by night */
	for (int64_t night = 0; night < 60; night++) {
		revisit.created_seconds = NOW + (9000 + night) * DAY;
		put(place, revisit);
	}
	dropped = drop(place, 0, 60, NOW + 9060 * DAY);
	assert_int_equal(count_of(place, &query), 60);
}

TEST_HERE(nights_of_a_wrong_clock_take_no_other_nights_place)
{
	struct at_revisit revisit = a_revisit();
	struct at_revisit_query query = { .since_seconds = NOW };

	for (int64_t night = 0; night < 9; night++) {
		revisit.created_seconds = NOW + (5000 + night) * DAY;
		put(place, revisit);
	}
	for (int64_t night = 0; night < 4; night++) {
		revisit.created_seconds = NOW + night * DAY;
		put(place, revisit);
		drop(place, 4, 0, revisit.created_seconds);
	}
	assert_int_equal(count_of(place, &query), 4);
	query.since_seconds = NOW + 4 * DAY;
	assert_int_equal(count_of(place, &query), 0);
	/* one that is decades behind is kept on the night itself */
	revisit.created_seconds = DAY;
	put(place, revisit);
	drop(place, 4, 0, DAY);
	query.since_seconds = 0;
	assert_int_equal(count_of(place, &query), 4);
	query.since_seconds = NOW;
	assert_int_equal(count_of(place, &query), 3);
}

/* They are recorded with its time, which puts them in order, and their runs say when
   they were. */
TEST_HERE(nights_behind_one_of_a_wrong_clock_are_kept_and_dated)
{
	struct at_revisit revisit = a_revisit();
	struct at_revisit_query query = { .since_seconds = NOW };
	RELEASED(at_revisits_release) struct at_revisits nights;
	int64_t wrong = NOW + 5000 * DAY;

	for (int64_t night = 0; night < 9; night++) {
		revisit.run_id = begin_run(place, 20 - night);
		revisit.created_seconds = NOW - (20 - night) * DAY;
		if (night >= 5) {
			revisit.created_seconds = NOW;
			if (night == 5)
				revisit.created_seconds = wrong;
			assert_ok(at_store_follow(place->store, revisit.device_id,
				revisit.space, revisit.problem, false,
				&revisit.created_seconds, &failure));
			assert_true(revisit.created_seconds == wrong);
		}
		put(place, revisit);
		drop(place, 4, 0, NOW);
	}
	query.since_seconds = 0;
	assert_ok(at_store_revisits(place->store, &query, &nights, &failure));
	assert_int_equal(nights.count, 4);
	for (int64_t i = 0; i < 4; i++)
		assert_int_equal(nights.items[i].created_seconds, NOW - (15 - i) * DAY);
}

TEST_HERE(a_winner_of_tomorrow_ends_no_source)
{
	int64_t old_winner = evaluate(place, 1, 700, 0, "square");
	int64_t winner = evaluate(place, 2, 600, 0, "square");
	int64_t reused = evaluate(place, 3, 599, 0, "square");

	work_each_month(place, 720);
	/* by a clock that was years ahead */
	best(place, old_winner, old_winner, "old", -4000);
	best(place, winner, old_winner, "new", 597);
	drop(place, 0, 400, NOW);
	assert_true(is_there(place, reused));
}

TEST_HERE(drops_what_no_run_would_use_again)
{
	int64_t old_run = begin_run(place, 700), kept_run = begin_run(place, 600);
	/* of another source, long ago */
	int64_t old_winner = evaluate(place, 1, 700, kept_run, "square");
	int64_t old_baseline = evaluate(place, 2, 700, kept_run, "square");
	int64_t old_other = evaluate(place, 3, 700, old_run, "square");
	/* of today's source, and as long ago */
	int64_t replaced = evaluate(place, 4, 600, old_run, "square");
	int64_t reused = evaluate(place, 5, 599, kept_run, "square");
	int64_t winner = evaluate(place, 4, 598, kept_run, "square");
	int64_t young = evaluate(place, 6, 10, kept_run, "square");
	int64_t young_too = evaluate(place, 6, 9, kept_run, "square");
	/* a problem without a winner */
	int64_t alone = evaluate(place, 7, 700, kept_run, "another");
	struct at_store *other;
	struct at_dropped dropped;

	work_each_month(place, 570);
	best(place, old_winner, old_baseline, "old", 650);
	best(place, winner, old_baseline, "new", 597);
	/* none of the runs has ended: by a wrong clock one of them may be under way */
	other = place_open(place);
	at_store_claim(other, (struct at_hash){ 1, 1 }, NULL);
	dropped = drop(place, 0, 400, NOW);
	assert_int_equal(dropped.evaluation_count + dropped.run_count, 0);
	at_store_close(other);
	dropped = drop(place, 0, 400, NOW);
	assert_int_equal(dropped.evaluation_count, 2);
	/* with those of 570 to 420 days ago */
	assert_int_equal(dropped.run_count, 1 + 6);
	assert_true(is_there(place, old_winner));
	assert_true(is_there(place, old_baseline));
	assert_false(is_there(place, old_other));
	assert_false(is_there(place, replaced));
	assert_true(is_there(place, reused));
	assert_true(is_there(place, winner));
	assert_true(is_there(place, young));
	assert_true(is_there(place, young_too));
	assert_true(is_there(place, alone));
	/* nothing is left to do */
	dropped = drop(place, 0, 400, NOW);
	assert_int_equal(dropped.evaluation_count + dropped.run_count, 0);
}

TEST_HERE(keeps_what_a_portfolio_names)
{
	int64_t member = evaluate(place, 1, 600, 0, "square");
	int64_t another = evaluate(place, 2, 600, 0, "square");
	int64_t winner = evaluate(place, 3, 500, 0, "square");
	struct at_winner of_portfolio = record_winner(1, member, 0);
	struct at_portfolio portfolio = { .device_id = 1,
		.space = (char *)"matmul",
		.count = 1,
		.members = &of_portfolio,
		.created_seconds = NOW };

	of_portfolio.source_hash = (char *)"older still";
	work_each_month(place, 600);
	best(place, winner, 0, "old", 550);
	best(place, winner, 0, "new", 450);
	assert_ok(at_store_put_portfolio(place->store, &portfolio, &failure));
	assert_int_equal(drop(place, 400, 0, NOW).evaluation_count, 1);
	assert_true(is_there(place, member));
	assert_true(is_there(place, winner));
	assert_false(is_there(place, another));
}

TEST_HERE(the_file_becomes_smaller)
{
	struct at_dropped dropped;
	int64_t pages;

	/* 10 nights of many kernels, with much to say */
	for (int64_t i = 0; i < 3000; i++) {
		struct at_revisit revisit = a_revisit();
		char space[32], text[1025];

		memset(text, 'x', sizeof(text) - 1);
		text[sizeof(text) - 1] = '\0';
		snprintf(space, sizeof(space), "space_%d", (int)(i % 300));
		revisit.space = space;
		revisit.detail = text;
		revisit.created_seconds = NOW + i / 300 * DAY;
		put(place, revisit);
	}
	pages = place_ask(place, "PRAGMA page_count");
	dropped = drop(place, 2, 0, NOW);
	assert_int_equal(dropped.revisit_count, 2400);
	assert_true(dropped.bytes > 2 << 20);
	assert_true(place_ask(place, "PRAGMA page_count") < pages / 3);
	/* nights go on: the store is as large as it was */
	pages = place_ask(place, "PRAGMA page_count");
	for (int64_t night = 10; night < 16; night++) {
		for (int i = 0; i < 300; i++) {
			struct at_revisit revisit = a_revisit();
			char space[32];

			snprintf(space, sizeof(space), "space_%d", i);
			revisit.space = space;
			revisit.created_seconds = NOW + night * DAY;
			put(place, revisit);
		}
		drop(place, 2, 0, NOW);
		assert_true(place_ask(place, "PRAGMA page_count") < 2 * pages);
	}
}

RUN_SUITE(NULL, NULL)
