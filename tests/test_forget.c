/* What `forget` removes from the record, and what stays as something refers to it. */
#include "record/forget.h"

#include "base/clock.h"

#include "record_fixture.h"

#define FILE_NAME "record/autotune.db"

static int64_t ask(const char *sql)
{
	return record_ask(FILE_NAME, sql);
}

static void tell(const char *sql)
{
	record_tell(FILE_NAME, sql);
}

/* what the columns that are not looked at here hold */
#define EVALUATION(id, run, device, space, problem, seconds) \
	"INSERT INTO evaluations (id, key, run_id, device_id, space, problem, problem_json, configuration, outcome, detail, time_ns, raced, limiting_factor, is_double, throttled, created_seconds, samples_ns, log) VALUES (" #id \
	", randomblob(16), " #run ", " #device ", '" space "', '" problem \
	"', '{}', '{}', 'ok', '', 5, 0, '', 0, 0, " #seconds ", NULL, '');"
#define WINNER(id, device, space, problem, evaluation, baseline, seconds, portfolio) \
	"INSERT INTO crowns (id, device_id, space, problem, evaluation_id, baseline_id, evaluation_count, ok_count, toolchain, driver, source_hash, metrics, launch, options, created_seconds, portfolio_id) VALUES (" #id \
	", " #device ", '" space "', '" problem "', " #evaluation ", " #baseline \
	", 1, 1, '', '', '', '{}', '{}', '[]', " #seconds ", " #portfolio ");"
#define RUN(id, device, space, started, ended) \
	"INSERT INTO runs (id, device_id, space, strategy, seed, version, started_seconds, ended_seconds, ending) VALUES (" #id \
	", " #device ", '" space "', 'auto', 0, '0', " #started ", " #ended ", '');"
#define PORTFOLIO(id, device, space, seconds) \
	"INSERT INTO portfolios (id, device_id, space, most, created_seconds) VALUES (" #id \
	", " #device ", '" space "', 0, " #seconds ");"
#define REVISIT(device, run, space, problem, seconds) \
	"INSERT INTO revisits (device_id, board, run_id, space, problem, configuration, source_hash, outcome, detail, verdict, objective, look_count, measurement, conditions, created_seconds) VALUES (" #device \
	", '', " #run ", '" space "', '" problem \
	"', '{}', '', 'ok', '', 'same', 'time', 1, '{}', '{}', " #seconds ");"

static int make_record(void **state)
{
	struct at_record_device device =
		record_device("cuda", "one", "one", "", "", "");
	struct at_record_ceilings ceilings = {
		.ceilings = { 1, 1, 1 }, .driver = "", .created_seconds = 100
	};
	struct at_store *store;
	int64_t id;

	assert_int_equal(system("rm -rf record"), 0);
	assert_ok(at_store_open("record", &store, &failure));
	assert_ok(at_store_put_device(store, &device, &id, &failure));
	device.slug = "two";
	assert_ok(at_store_put_device(store, &device, &id, &failure));
	assert_ok(at_store_put_ceilings(store, 1, &ceilings, &failure));
	assert_ok(at_store_put_ceilings(store, 2, &ceilings, &failure));
	ceilings.created_seconds = 300;
	assert_ok(at_store_put_ceilings(store, 2, &ceilings, &failure));
	tell(RUN(1, 1, "matmul", 90, 300) RUN(2, 1, "copy", 90, 100)
			RUN(3, 2, "matmul", 90, NULL)
		/* matmul on one: two problems, two winners of the first */
		EVALUATION(1, 1, 1, "matmul", "square", 100) EVALUATION(
			2, 1, 1, "matmul", "square", 110) EVALUATION(3, 1, 1, "matmul",
			"square", 300) EVALUATION(4, NULL, 1, "matmul", "wide", 120)
			EVALUATION(5, 2, 1, "copy", "large", 100)
				EVALUATION(6, 3, 2, "matmul", "square", 100)
					EVALUATION(7, 1, 1, "matmul", "square", 115));
	tell(WINNER(1, 1, "matmul", "square", 1, 1, 130, NULL) WINNER(2, 1, "matmul",
		"square", 2, 7, 140, NULL) WINNER(3, 1, "matmul", "wide", 4, NULL, 150,
		NULL) WINNER(4, 1, "copy", "large", 5, 5, 150, NULL)
			WINNER(5, 2, "matmul", "square", 6, 6, 150, NULL));
	tell(PORTFOLIO(1, 1, "matmul", 160) PORTFOLIO(2, 1, "matmul", 170) WINNER(
		6, 1, "matmul", "square", 1, 1, 160, 1) WINNER(7, 1, "matmul", "square",
		1, NULL, 170, 2) WINNER(8, 1, "matmul", "wide", 4, NULL, 170, 2));
	tell(REVISIT(1, 1, "matmul", "square", 180)
			REVISIT(2, 3, "matmul", "square", 180));
	assert_int_equal(ask("SELECT count(*) FROM pragma_foreign_key_check"), 0);
	*state = store;
	return 0;
}

static int close_record(void **state)
{
	at_store_close(*state);
	return 0;
}

#define TEST_HERE(name) TEST_WITH(name, make_record, close_record)

static struct at_forgotten forget(struct at_store *store,
	struct at_forget_target target, int64_t before_seconds, bool really)
{
	struct at_forgotten forgotten;

	assert_ok(at_store_forget(
		store, &target, 1, before_seconds, really, &forgotten, &failure));
	assert_int_equal(ask("SELECT count(*) FROM pragma_foreign_key_check"), 0);
	return forgotten;
}

TEST_HERE(only_counts_unless_it_is_meant)
{
	struct at_forgotten told, done;

	told = forget(*state, (struct at_forget_target){ .space = "matmul" }, 0, false);
	assert_int_equal(ask("SELECT count(*) FROM evaluations"), 7);
	assert_int_equal(ask("SELECT count(*) FROM crowns"), 8);
	done = forget(*state, (struct at_forget_target){ .space = "matmul" }, 0, true);
	assert_memory_equal(&told, &done, sizeof(done));
	assert_int_equal(done.evaluations, 6);
	assert_int_equal(done.winners, 4);
	assert_int_equal(done.portfolios, 2);
	assert_int_equal(done.revisits, 2);
	/* the one that has not ended began long ago */
	assert_int_equal(done.runs, 2);
	assert_int_equal(done.ceilings, 0);
	assert_int_equal(done.devices, 0);
}

TEST_HERE(leaves_what_was_not_named)
{
	forget(*state, (struct at_forget_target){ .space = "matmul", .device_id = 1 },
		0, true);
	assert_int_equal(
		ask("SELECT count(*) FROM evaluations WHERE space = 'copy'"), 1);
	assert_int_equal(
		ask("SELECT count(*) FROM evaluations WHERE device_id = 2"), 1);
	assert_int_equal(ask("SELECT count(*) FROM evaluations"), 2);
	assert_int_equal(ask("SELECT count(*) FROM crowns"), 2);
	assert_int_equal(ask("SELECT count(*) FROM runs"), 2);
	assert_int_equal(ask("SELECT count(*) FROM revisits"), 1);
	assert_int_equal(ask("SELECT count(*) FROM portfolios"), 0);
	assert_int_equal(ask("SELECT count(*) FROM ceilings"), 3);
}

TEST_HERE(a_problem_takes_the_portfolios_that_it_is_in)
{
	struct at_forgotten forgotten = forget(*state,
		(struct at_forget_target){ .space = "matmul", .problem = "wide" }, 0,
		true);

	assert_int_equal(forgotten.evaluations, 1);
	assert_int_equal(forgotten.winners, 1);
	assert_int_equal(forgotten.portfolios, 1);
	assert_int_equal(ask("SELECT max(id) FROM portfolios"), 1);
	assert_int_equal(ask("SELECT count(*) FROM crowns WHERE portfolio_id = 1"), 1);
	assert_int_equal(
		ask("SELECT count(*) FROM crowns WHERE problem = 'square' AND portfolio_id IS NULL"),
		3);
}

TEST_HERE(a_problem_that_is_none_takes_nothing)
{
	struct at_forgotten forgotten, none = { 0 };

	/* a run whose evaluations another run had done already */
	tell(RUN(4, 1, "matmul", 90, 300));
	forgotten = forget(*state,
		(struct at_forget_target){ .space = "matmul", .problem = "sqare" }, 0,
		true);
	assert_memory_equal(&forgotten, &none, sizeof(none));
	assert_int_equal(ask("SELECT count(*) FROM runs"), 4);
}

TEST_HERE(a_device_goes_with_its_ceilings)
{
	struct at_forgotten forgotten =
		forget(*state, (struct at_forget_target){ .device_id = 2 }, 0, true);

	assert_int_equal(forgotten.devices, 1);
	assert_int_equal(forgotten.ceilings, 2);
	assert_int_equal(ask("SELECT count(*) FROM devices"), 1);
	assert_int_equal(ask("SELECT count(*) FROM ceilings"), 1);
	assert_int_equal(ask("SELECT count(*) FROM evaluations"), 6);
}

/* Whoever stands keeps what it refers to, however old that is. */
TEST_HERE(age_spares_the_winners_that_stand)
{
	struct at_forgotten forgotten =
		forget(*state, (struct at_forget_target){ 0 }, 200, true);

	/* the winner that was replaced, and the older portfolio */
	assert_int_equal(forgotten.winners, 1);
	assert_int_equal(forgotten.portfolios, 1);
	assert_int_equal(ask("SELECT count(*) FROM crowns WHERE id IN (1, 6)"), 0);
	assert_int_equal(ask("SELECT count(*) FROM crowns"), 6);
	/* 3 is younger, the others are named: 1 by the newest portfolio */
	assert_int_equal(forgotten.evaluations, 0);
	assert_int_equal(forgotten.revisits, 2);
	/* the older of the second device; the newest of each stays */
	assert_int_equal(forgotten.ceilings, 1);
	assert_int_equal(
		ask("SELECT min(created_seconds) FROM ceilings WHERE device_id = 2"),
		300);
	assert_int_equal(forgotten.devices, 0);
	/* nothing names it any more */
	tell("DELETE FROM crowns WHERE portfolio_id = 2; DELETE FROM portfolios");
	forgotten = forget(*state, (struct at_forget_target){ 0 }, 200, true);
	assert_int_equal(forgotten.evaluations, 1);
	assert_int_equal(ask("SELECT count(*) FROM evaluations WHERE id = 1"), 0);
}

/* What is referred to from elsewhere, which should not be, stays. */
TEST_HERE(never_takes_what_others_refer_to)
{
	tell("UPDATE crowns SET evaluation_id = 3, baseline_id = 1 WHERE id = 4");
	forget(*state, (struct at_forget_target){ .space = "matmul" }, 0, true);
	assert_int_equal(
		ask("SELECT count(*) FROM evaluations WHERE id IN (1, 3, 5)"), 3);
	assert_int_equal(ask("SELECT count(*) FROM evaluations"), 3);
	/* their run too */
	assert_int_equal(ask("SELECT count(*) FROM runs WHERE id = 1"), 1);
}

TEST_HERE(keeps_a_run_that_may_be_at_work)
{
	char sql[100];

	snprintf(sql, sizeof(sql),
		"UPDATE runs SET started_seconds = %lld WHERE id = 3",
		(long long)at_clock_wall_seconds() - 3600);
	tell(sql);
	forget(*state, (struct at_forget_target){ .device_id = 2 }, 0, true);
	assert_int_equal(ask("SELECT count(*) FROM runs WHERE id = 3"), 1);
	/* and its device with it */
	assert_int_equal(ask("SELECT count(*) FROM devices"), 2);
	assert_int_equal(
		ask("SELECT count(*) FROM evaluations WHERE device_id = 2"), 0);
}

/* By its clock it began in 1970, or it lasts for a week: others see that it is there.
 */
TEST_HERE(waits_for_the_end_of_a_run)
{
	const struct at_forget_target target = { .device_id = 2 };
	struct at_record_device device =
		record_device("cuda", "two", "two", "", "", "");
	struct at_forgotten forgotten;
	struct at_store *other;
	int64_t device_id, run_id, before;
	char sql[100];

	assert_ok(at_store_open("record", &other, &failure));
	assert_ok(at_store_begin_run_on(other, &device, "matmul", "auto", 1, "0",
		&device_id, &run_id, &failure));
	assert_int_equal(device_id, 2);
	snprintf(sql, sizeof(sql),
		"UPDATE runs SET started_seconds = 1 WHERE id = %lld",
		(long long)run_id);
	tell(sql);
	before = ask("SELECT count(*) FROM evaluations");
	assert_fails(at_store_forget(*state, &target, 1, 0, true, &forgotten, &failure),
		AT_EINVAL, "a run of matmul is under way: try again when it has ended");
	assert_int_equal(ask("SELECT count(*) FROM evaluations"), before);
	/* other devices have nothing to do with it */
	forget(*state, (struct at_forget_target){ .device_id = 1 }, 0, true);
	assert_true(ask("SELECT count(*) FROM evaluations") < before);
	at_store_close(other);
	forget(*state, target, 0, true);
	assert_int_equal(ask("SELECT count(*) FROM runs"), 0);
	assert_int_equal(ask("SELECT count(*) FROM devices"), 0);
}

TEST_HERE(gives_room_back_to_the_disk)
{
	struct stat before, after;

	tell("UPDATE evaluations SET log = hex(zeroblob(500000)) WHERE space = 'matmul'; PRAGMA wal_checkpoint(TRUNCATE)");
	assert_int_equal(stat(FILE_NAME, &before), 0);
	forget(*state, (struct at_forget_target){ .space = "matmul" }, 0, true);
	assert_ok(at_store_compact(*state, &failure));
	assert_int_equal(stat(FILE_NAME, &after), 0);
	assert_true(before.st_size > 5000000 && after.st_size < 500000);
}

RUN_SUITE(NULL, NULL)
