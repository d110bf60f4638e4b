/* Records of other machines merged into one: which rows are the same, which of two
   stands, and what is refused. */
#include "record/merge.h"
#include "record/store_internal.h"
#include "record/sources.h"

#include "base/memory.h"
#include "record/sqlite.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record_fixture.h"

/* ---- two folders of results for every test --------------------------------------- */

enum { HERE, THERE, THIRD, FOLDERS };

struct place {
	char folder[64];
	char results[FOLDERS][96];
	char database[FOLDERS][128];
};

static void make_place(struct place *place)
{
	static const char *const names[] = { "here", "there", "third" };

	strcpy(place->folder, "/tmp/autotune-merge-XXXXXX");
	assert_non_null(folder_make(place->folder));
	for (int i = 0; i < FOLDERS; i++) {
		snprintf(place->results[i], sizeof(place->results[i]), "%s/%s",
			place->folder, names[i]);
		snprintf(place->database[i], sizeof(place->database[i]),
			"%s/autotune.db", place->results[i]);
	}
}

static void remove_place(struct place *place)
{
	folder_remove(place->folder);
}

#define TEST_HERE(name) TEST_ON(name, struct place, place, make_place, remove_place)

static struct at_store *open_store(const struct place *place, int folder)
{
	return record_open(place->results[folder]);
}

static int64_t ask(const struct place *place, int folder, const char *sql)
{
	return record_ask(place->database[folder], sql);
}

static void tell(const struct place *place, int folder, const char *sql)
{
	record_tell(place->database[folder], sql);
}

static enum at_status merge(const struct place *place, int to, int from,
	struct at_merged *out, struct at_error *err)
{
	OWNED(at_store_close) struct at_store *store = open_store(place, to);

	return at_store_merge(store, place->database[from], "elsewhere", out, err);
}

/* The query of a folder's record gives 1. */
static void assert_is(const struct place *place, int folder, const char *sql)
{
	assert_int_equal(ask(place, folder, sql), 1);
}

static struct at_merged merge_well(const struct place *place, int to, int from)
{
	struct at_merged merged;

	assert_ok(merge(place, to, from, &merged, &failure));
	return merged;
}

/* ---- what is in them ------------------------------------------------------- */

#define DAY 86400
#define NOON 1763715600

/* One of a name, which has so many multiprocessors. */
static int64_t put_part(
	struct at_store *store, const char *model, int64_t multiprocessors)
{
	struct at_record_device device =
		record_device("cuda", model, model, "sm_90", "580.1", "GPU-1");
	int64_t id;

	at_properties_set(&device.properties, AT_PROPERTY_WARP_SIZE, 32);
	if (multiprocessors)
		at_properties_set(&device.properties, AT_PROPERTY_MULTIPROCESSOR_COUNT,
			multiprocessors);
	assert_ok(at_store_put_device(store, &device, &id, &failure));
	return id;
}

static int64_t put_device(struct at_store *store, const char *model)
{
	return put_part(store, model, 0);
}

struct wanted {
	uint64_t key;
	int64_t device_id;
	int64_t run_id;
	double time_ns; /* 0: it was refused */
	int64_t seconds; /* after NOON */
	const char *board;
};

static int64_t put_evaluation(struct at_store *store, struct wanted wanted)
{
	double samples[] = { wanted.time_ns, wanted.time_ns + 1, 0.1 };
	char configuration[64];
	struct at_evaluation evaluation = record_full_evaluation(wanted.key);

	evaluation.run_id = wanted.run_id;
	evaluation.device_id = wanted.device_id ? wanted.device_id : 1;
	evaluation.configuration = configuration;
	evaluation.outcome =
		wanted.time_ns > 0 ? AT_OUTCOME_OK : AT_OUTCOME_WRONG_RESULT;
	evaluation.time_ns = wanted.time_ns > 0 ? wanted.time_ns : (double)NAN;
	evaluation.sample_count = 3;
	evaluation.samples_ns = samples;
	evaluation.max_relative_error = (double)INFINITY;
	evaluation.clock_hz = -1;
	evaluation.counters = NULL;
	evaluation.created_seconds = NOON + wanted.seconds;
	evaluation.board = (char *)(wanted.board ? wanted.board : "GPU-1");
	snprintf(configuration, sizeof(configuration),
		"{\"BLOCK_X\": %d, \"CACHE\": \"cg\"}", (int)wanted.key);
	assert_ok(at_store_add(store, &evaluation, &failure));
	return evaluation.id;
}

struct throne {
	int64_t evaluation_id;
	double value;
	int64_t seconds;
	const char *source;
	bool is_unverified;
};

static struct at_winner a_winner(struct throne throne)
{
	struct at_winner best =
		record_full_winner(throne.evaluation_id, throne.evaluation_id);

	best.score =
		(struct at_score){ throne.value, throne.value - 1, throne.value + 1 };
	if (throne.source)
		best.source_hash = (char *)throne.source;
	best.is_unverified = throne.is_unverified;
	best.loss = best.loss_low = best.loss_high = (double)NAN;
	best.created_seconds = NOON + throne.seconds;
	return best;
}

static void put_winner(struct at_store *store, struct throne throne)
{
	struct at_winner best = a_winner(throne);

	assert_ok(at_store_put_winner(store, &best, &failure));
}

/* of this evaluation alone */
static void put_portfolio(
	struct at_store *store, int64_t evaluation_id, int64_t seconds)
{
	struct at_winner member = a_winner(
		(struct throne){ .evaluation_id = evaluation_id, .value = 52 });
	struct at_portfolio portfolio = {
		.device_id = 1,
		.space = "matmul",
		.loss_limit = (double)INFINITY,
		.most = 3,
		.count = 1,
		.members = &member,
		.created_seconds = NOON + seconds,
	};

	member.member = 0;
	member.loss = 0.01;
	member.loss_low = -0.01;
	member.loss_high = 0.03;
	assert_ok(at_store_put_portfolio(store, &portfolio, &failure));
}

/* The winner's time; 0: none exists. */
static double standing(const struct place *place, int folder)
{
	OWNED(at_store_close) struct at_store *store = open_store(place, folder);
	RELEASED(at_winner_release) struct at_winner best;
	double value = 0;
	bool found;

	assert_ok(at_store_find_winner(
		store, 1, "matmul", "square", &best, &found, &failure));
	if (found)
		value = best.score.value;
	return value;
}

/* A record with something in every table; keys from `key` on. */
static void fill(const struct place *place, int folder, uint64_t key)
{
	struct at_store *store = open_store(place, folder);
	struct at_record_ceilings ceilings = { .ceilings = { 4e12, 6e13, 3e13 },
		.driver = "580.1",
		.created_seconds = NOON };
	int64_t run_id, id;
	char sql[1000];

	put_device(store, "nvidia-h200");
	assert_ok(at_store_begin_run(
		store, 1, "matmul", "auto", UINT64_MAX, "0.1.0", &run_id, &failure));
	for (uint64_t i = 0; i < 5; i++)
		put_evaluation(
			store, (struct wanted){ .key = key + i,
				       .run_id = i % 2 ? run_id : 0,
				       .time_ns = i == 3 ? 0 : 100. + (double)(key + i),
				       .seconds = (int64_t)i });
	id = put_evaluation(store,
		(struct wanted){
			.key = key, .run_id = run_id, .time_ns = 50, .seconds = 60 });
	put_winner(store,
		(struct throne){ .evaluation_id = id, .value = 50, .seconds = 70 });
	assert_ok(at_store_put_ceilings(store, 1, &ceilings, &failure));
	assert_ok(at_store_put_source(store, run_id, "square", "00ff", &failure));
	assert_ok(at_store_end_run(store, run_id, "done", &failure));
	put_portfolio(store, id, 0);
	at_store_close(store);
	snprintf(sql, sizeof(sql),
		"INSERT INTO revisits (device_id, board, run_id, space, problem, configuration, source_hash, outcome, detail, verdict, objective, value, low, high, baseline, speedup, change, look_count, measurement, conditions, created_seconds)"
		" VALUES (1, 'GPU-1', 1, 'matmul', 'square', '{\"BLOCK_X\": 1}', '00ff', 'ok', '', 'same', 'time', 50.5, 50, 51, 100, 1.98, 1.01, 2, '{}', '{\"driver\": \"580.1\"}', %d + 100)",
		NOON);
	tell(place, folder, sql);
}

/* Rows of one table that the other record has not: numbers of rows are left out. */
static int64_t missing(
	const struct place *place, const struct at_table *table, int folder, int from)
{
	RELEASED(at_strbuf_release) struct at_strbuf sql = { 0 }, columns = { 0 };
	OWNED(at_sqlite_close) struct at_sqlite *database;
	int64_t value;

	for (size_t i = 0; i < table->count; i++) {
		enum at_cell kind = table->columns[i].kind;

		if (kind >= AT_CELL_NAME)
			at_strbuf_addf(&columns, "%s%s", columns.length ? ", " : "",
				table->columns[i].name);
	}
	at_strbuf_addf(&sql,
		"SELECT count(*) FROM (SELECT %s FROM other.%s EXCEPT SELECT %s FROM main.%s)",
		at_strbuf_text(&columns), table->name, at_strbuf_text(&columns),
		table->name);
	assert_ok(at_sqlite_open(place->database[folder], &database, &failure));
	at_strbuf_clear(&columns);
	at_strbuf_addf(&columns, "ATTACH '%s' AS other", place->database[from]);
	assert_ok(at_sqlite_execute(database, at_strbuf_text(&columns), &failure));
	assert_ok(at_sqlite_integer(database, at_strbuf_text(&sql), &value, &failure));
	return value;
}

static int64_t count_rows(const struct place *place, int folder)
{
	RELEASED(at_strbuf_release) struct at_strbuf sql = { 0 };
	int64_t count;

	at_strbuf_add(&sql, "SELECT 0");
	for (size_t i = 0; at_tables[i]; i++)
		at_strbuf_addf(
			&sql, " + (SELECT count(*) FROM %s)", at_tables[i]->name);
	count = ask(place, folder, at_strbuf_text(&sql));
	return count;
}

/* ---- everything travels ---------------------------------------------------- */

TEST_HERE(every_column_of_every_table_travels)
{
	at_store_close(open_store(place, HERE));
	for (size_t i = 0; at_tables[i]; i++) {
		const struct at_table *table = at_tables[i];
		char sql[200];

		snprintf(sql, sizeof(sql),
			"SELECT count(*) FROM pragma_table_xinfo('%s')", table->name);
		assert_int_equal(ask(place, HERE, sql), table->count + 1);
		for (size_t k = 0; k < table->count; k++) {
			snprintf(sql, sizeof(sql),
				"SELECT count(*) FROM pragma_table_xinfo('%s') WHERE name = '%s'",
				table->name, table->columns[k].name);
			assert_int_equal(ask(place, HERE, sql), 1);
		}
	}
	/* and there is no other table but claims, which are of the moment, and where
	   space files lie */
	assert_int_equal(
		ask(place, HERE,
			"SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
			" AND name NOT IN ('claims', 'spaces')"),
		9);
}

TEST_HERE(takes_everything_into_an_empty_record)
{
	struct at_merged merged;

	fill(place, THERE, 1);
	merged = merge_well(place, HERE, THERE);
	assert_int_equal(merged.devices.added, 1);
	assert_int_equal(merged.runs.added, 1);
	assert_int_equal(merged.evaluations.added, 6);
	/* a winner, and a member of the portfolio */
	assert_int_equal(merged.winners.added, 2);
	assert_int_equal(merged.ceilings.added, 1);
	assert_int_equal(merged.revisits.added, 1);
	assert_int_equal(merged.portfolios.added, 1);
	assert_int_equal(merged.standing, 1);
	for (size_t i = 0; at_tables[i]; i++)
		assert_int_equal(missing(place, at_tables[i], HERE, THERE), 0);
	assert_true(standing(place, HERE) == 50);
	assert_record_is_intact(place->database[HERE]);
}

TEST_HERE(links_rows_to_the_numbers_that_they_have_here)
{
	struct at_store *store = open_store(place, HERE);
	int64_t run_id;

	/* other numbers for everything */
	put_device(store, "another");
	assert_ok(at_store_begin_run(
		store, 1, "matmul", "random", 1, "0.1.0", &run_id, &failure));
	for (uint64_t i = 0; i < 3; i++)
		put_evaluation(
			store, (struct wanted){
				       .key = 90 + i, .run_id = run_id, .time_ns = 1 });
	at_store_close(store);
	fill(place, THERE, 1);
	merge_well(place, HERE, THERE);
	assert_int_equal(
		ask(place, HERE,
			"SELECT count(*) FROM evaluations AS e JOIN devices AS d ON d.id = e.device_id JOIN runs AS r ON r.id = e.run_id"
			" WHERE slug = 'nvidia-h200' AND strategy = 'auto'"),
		3);
	assert_is(place, HERE,
		"SELECT e.time_ns = 50 AND b.time_ns = 50 FROM crowns AS c JOIN evaluations AS e ON e.id = c.evaluation_id JOIN evaluations AS b ON b.id = c.baseline_id");
	assert_is(place, HERE,
		"SELECT count(*) FROM crowns AS c JOIN portfolios AS p ON p.id = c.portfolio_id JOIN evaluations AS e ON e.id = c.evaluation_id WHERE e.time_ns = 50 AND p.most = 3");
	assert_is(place, HERE, "SELECT run_id = 2 AND device_id = 2 FROM revisits");
	assert_record_is_intact(place->database[HERE]);
}

TEST_HERE(adds_nothing_the_second_time)
{
	struct at_merged merged;
	int64_t count;

	fill(place, THERE, 1);
	fill(place, HERE, 3);
	merge_well(place, HERE, THERE);
	count = count_rows(place, HERE);
	merged = merge_well(place, HERE, THERE);
	assert_int_equal(count_rows(place, HERE), count);
	assert_int_equal(merged.evaluations.added, 0);
	assert_int_equal(merged.evaluations.known, 6);
	assert_int_equal(merged.runs.added, 0);
	assert_int_equal(merged.winners.known, 2);
	assert_int_equal(merged.portfolios.known, 1);
	assert_int_equal(merged.standing, 0);
	/* and back to where it is from: only what was here is new there */
	merged = merge_well(place, THERE, HERE);
	assert_int_equal(merged.evaluations.added, 6);
	assert_int_equal(merged.evaluations.known, 6);
	assert_int_equal(count_rows(place, THERE), count);
	/* once around */
	merge_well(place, THIRD, THERE);
	merged = merge_well(place, HERE, THIRD);
	assert_int_equal(count_rows(place, HERE), count);
	assert_int_equal(merged.evaluations.added + merged.runs.added +
				 merged.winners.added + merged.portfolios.added +
				 merged.revisits.added + merged.ceilings.added,
		0);
}

/* Tasks of one job begin in the same second with the same seed. */
TEST_HERE(keeps_runs_apart_that_began_alike)
{
	static const char alike[] =
		"UPDATE runs SET started_seconds = 1763715600, ended_seconds = 1763715700";

	fill(place, HERE, 1);
	fill(place, THERE, 101);
	tell(place, HERE, alike);
	tell(place, THERE, alike);
	merge_well(place, HERE, THERE);
	assert_int_equal(ask(place, HERE, "SELECT count(*) FROM runs"), 2);
}

TEST_HERE(keeps_where_a_run_is_from)
{
	fill(place, THERE, 1);
	fill(place, HERE, 11);
	tell(place, THERE, "UPDATE runs SET origin = 'a third place'");
	merge_well(place, HERE, THERE);
	assert_is(place, HERE,
		"SELECT count(*) FROM runs WHERE origin = 'a third place'");
	assert_is(place, HERE, "SELECT count(*) FROM runs WHERE origin = ''");
	merge_well(place, THIRD, HERE);
	assert_is(place, THIRD, "SELECT count(*) FROM runs WHERE origin = 'elsewhere'");
	assert_is(place, THIRD,
		"SELECT count(*) FROM runs WHERE origin = 'a third place'");
}

TEST_HERE(completes_what_was_merged_before_its_end)
{
	fill(place, THERE, 1);
	tell(place, THERE, "UPDATE runs SET ended_seconds = NULL, ending = ''");
	merge_well(place, HERE, THERE);
	tell(place, THERE,
		"UPDATE runs SET ended_seconds = started_seconds + 7, ending = 'done'; UPDATE crowns SET gains = '[{\"share\": 1.0}]', stood_seconds = 1763720000; UPDATE evaluations SET counters = '[{\"a\": 1}]'");
	merge_well(place, HERE, THERE);
	assert_is(place, HERE,
		"SELECT ended_seconds = started_seconds + 7 AND ending = 'done' FROM runs");
	assert_is(place, HERE,
		"SELECT gains = '[{\"share\": 1.0}]' AND stood_seconds = 1763720000 FROM crowns WHERE portfolio_id IS NULL");
	assert_is(place, HERE,
		"SELECT count(*) = sum(counters = '[{\"a\": 1}]') FROM evaluations");
	assert_int_equal(ask(place, HERE, "SELECT count(*) FROM crowns"), 2);
	assert_is(place, HERE, "SELECT count(*) FROM runs");
}

/* ---- what counts, and who stands ------------------------------------------- */

TEST_HERE(counts_the_newest_by_its_time)
{
	struct at_record_ceilings ceilings = { .ceilings = { 1, 1, 1 }, .driver = "" },
				  read;
	OWNED(at_store_close) struct at_store *here = open_store(place, HERE);
	struct at_store *there = open_store(place, THERE);
	struct at_evaluation evaluation;
	struct at_portfolio portfolio;
	struct at_merged merged;
	bool found;

	put_device(here, "h200");
	put_device(there, "h200");
	/* ok there; here it was found to be wrong since */
	put_evaluation(there, (struct wanted){ .key = 1, .time_ns = 5 });
	put_evaluation(here, (struct wanted){ .key = 1, .seconds = 9 });
	put_portfolio(there, 1, 7);
	put_portfolio(here, 1, 8);
	put_evaluation(here, (struct wanted){ .key = 2, .time_ns = 5 });
	put_evaluation(there, (struct wanted){ .key = 2, .time_ns = 6, .seconds = 9 });
	ceilings.created_seconds = NOON + 9;
	assert_ok(at_store_put_ceilings(here, 1, &ceilings, &failure));
	ceilings.created_seconds = NOON;
	ceilings.ceilings.copy_bytes_per_second = 2;
	assert_ok(at_store_put_ceilings(there, 1, &ceilings, &failure));
	at_store_close(there);
	assert_ok(at_store_merge(here, place->database[THERE], "", &merged, &failure));
	assert_int_equal(merged.evaluations.added, 2);
	assert_ok(at_store_find(here, (struct at_hash){ 1, 0xfedcba9876543210 }, false,
		&evaluation, &found, &failure));
	assert_true(found && evaluation.outcome == AT_OUTCOME_WRONG_RESULT);
	at_evaluation_release(&evaluation);
	assert_ok(at_store_find(here, (struct at_hash){ 2, 0xfedcba9876543210 }, false,
		&evaluation, &found, &failure));
	assert_true(found && evaluation.time_ns == 6);
	at_evaluation_release(&evaluation);
	/* nor do portfolios count that are older and came later */
	assert_ok(at_store_get_portfolio(
		here, 1, "matmul", &portfolio, &found, &failure));
	assert_int_equal(portfolio.created_seconds, NOON + 8);
	assert_int_equal(portfolio.count, 1);
	at_portfolio_release(&portfolio);
	assert_ok(at_store_get_ceilings(here, 1, &read, &found, &failure));
	assert_true(found && read.ceilings.copy_bytes_per_second == 1);
	at_record_ceilings_release(&read);
}

/* where a clock was set back, what is added is still the newest */
TEST_HERE(a_new_evaluation_is_never_the_older_one)
{
	OWNED(at_store_close) struct at_store *store = open_store(place, HERE);
	RELEASED(at_evaluation_release) struct at_evaluation evaluation;
	bool found;

	put_device(store, "h200");
	put_evaluation(
		store, (struct wanted){ .key = 1, .time_ns = 5, .seconds = DAY });
	put_evaluation(store, (struct wanted){ .key = 1, .time_ns = 6 });
	assert_ok(at_store_find(store, (struct at_hash){ 1, 0xfedcba9876543210 }, false,
		&evaluation, &found, &failure));
	assert_true(found && evaluation.time_ns == 6);
	assert_int_equal(evaluation.created_seconds, NOON + DAY);
}

static void put_throne(const struct place *place, int folder, struct throne throne)
{
	OWNED(at_store_close) struct at_store *store = open_store(place, folder);

	put_device(store, "h200");
	throne.evaluation_id = put_evaluation(
		store, (struct wanted){ .key = (uint64_t)(throne.value * 8),
			       .time_ns = throne.value,
			       .seconds = throne.seconds });
	put_winner(store, throne);
}

TEST_HERE(a_winner_stands_that_had_the_other_in_its_history)
{
	put_throne(place, THERE, (struct throne){ .value = 10, .seconds = 100 });
	merge_well(place, HERE, THERE);
	/* slower, since the machine is: it won finals in which the other took part */
	put_throne(place, THERE, (struct throne){ .value = 12, .seconds = 90 });
	assert_int_equal(merge_well(place, HERE, THERE).standing, 1);
	assert_true(standing(place, HERE) == 12);
	/* and the same the other way round: what is here stands */
	put_throne(place, HERE, (struct throne){ .value = 14, .seconds = 80 });
	assert_int_equal(merge_well(place, HERE, THERE).standing, 0);
	assert_true(standing(place, HERE) == 14);
	assert_int_equal(ask(place, HERE, "SELECT count(*) FROM crowns"), 3);
}

TEST_HERE(of_shards_the_better_winner_stands_whatever_the_order)
{
	put_throne(place, HERE, (struct throne){ .value = 10, .seconds = 0 });
	put_throne(place, THERE, (struct throne){ .value = 9, .seconds = -50 });
	put_throne(place, THIRD, (struct throne){ .value = 11, .seconds = 50 });
	assert_int_equal(merge_well(place, HERE, THIRD).standing, 0);
	assert_true(standing(place, HERE) == 10);
	assert_int_equal(merge_well(place, HERE, THERE).standing, 1);
	assert_true(standing(place, HERE) == 9);
	merge_well(place, THIRD, THERE);
	assert_true(standing(place, THIRD) == 9);
	/* nothing changes any more */
	assert_int_equal(merge_well(place, HERE, THIRD).standing, 0);
	assert_true(standing(place, HERE) == 9);
	assert_record_is_intact(place->database[HERE]);
}

TEST_HERE(of_two_sources_the_newer_winner_stands)
{
	put_throne(place, HERE, (struct throne){ .value = 9, .source = "01" });
	put_throne(place, THERE,
		(struct throne){ .value = 10, .seconds = 50, .source = "02" });
	put_throne(place, THIRD,
		(struct throne){ .value = 8, .seconds = 40, .source = "03" });
	merge_well(place, HERE, THERE);
	assert_true(standing(place, HERE) == 10);
	merge_well(place, HERE, THIRD);
	assert_true(standing(place, HERE) == 10);
}

TEST_HERE(a_verified_winner_stands_before_one_that_is_not)
{
	put_throne(place, HERE, (struct throne){ .value = 9, .is_unverified = true });
	put_throne(place, THERE, (struct throne){ .value = 10, .seconds = -50 });
	put_throne(place, THIRD,
		(struct throne){ .value = 8, .seconds = 50, .is_unverified = true });
	merge_well(place, HERE, THERE);
	assert_true(standing(place, HERE) == 10);
	merge_well(place, HERE, THIRD);
	assert_true(standing(place, HERE) == 10);
}

/* A clock was years ahead for one run, and what came after it was dated no earlier. */
TEST_HERE(what_a_wrong_clock_dated_is_merged_once)
{
	struct at_merged merged;

	fill(place, THERE, 1);
	tell(place, THERE,
		"INSERT INTO runs (device_id, space, strategy, seed, version, started_seconds, ending, token)"
		" SELECT device_id, space, strategy, seed, version, 99999999999, ending, 'late' FROM runs WHERE id = 1;"
		"INSERT INTO runs (device_id, space, strategy, seed, version, started_seconds, ending, token)"
		" SELECT device_id, space, strategy, seed, version, started_seconds + 50, ending, 'last' FROM runs WHERE id = 1;"
		"UPDATE evaluations SET created_seconds = 99999999999, run_id = (SELECT max(id) - 1 FROM runs) WHERE id = 5;"
		"UPDATE evaluations SET created_seconds = 99999999999, run_id = (SELECT max(id) FROM runs) WHERE id = 6;"
		"UPDATE crowns SET created_seconds = 99999999999;"
		"UPDATE revisits SET created_seconds = 99999999999");
	merged = merge_well(place, HERE, THERE);
	assert_true(merged.evaluations.added > 0 && merged.revisits.added > 0);
	/* nothing is of the future, and the last run dates what is its */
	assert_int_equal(
		ask(place, HERE,
			"SELECT count(*) FROM evaluations, crowns, revisits, runs"
			" WHERE evaluations.created_seconds > 9999999999"
			" OR crowns.created_seconds > 9999999999"
			" OR revisits.created_seconds > 9999999999"
			" OR started_seconds > 9999999999"),
		0);
	assert_is(place, HERE,
		"SELECT count(*) FROM evaluations JOIN runs AS r ON r.id = run_id"
		" WHERE r.token = 'last' AND created_seconds = r.started_seconds");
	merged = merge_well(place, HERE, THERE);
	assert_int_equal(merged.evaluations.added + merged.revisits.added +
				 merged.winners.added + merged.runs.added,
		0);
}

/* ---- what is refused ------------------------------------------------------- */

TEST_HERE(refuses_rows_that_make_no_sense_and_takes_nothing)
{
	static const struct {
		const char *sql;
		const char *text;
	} cases[] = {
		{ "UPDATE evaluations SET outcome = 'superb' WHERE id = 4",
			"evaluations 4: \"outcome\" is an outcome that this version does not know; nothing of it was taken" },
		{ "UPDATE evaluations SET outcome = 'none' WHERE id = 4",
			"evaluations 4: \"outcome\" is an outcome that this version does not know; nothing of it was taken" },
		{ "UPDATE evaluations SET key = x'00' WHERE id = 6",
			"evaluations 6: \"key\" is no hash of 16 bytes; nothing of it was taken" },
		{ "UPDATE evaluations SET image = 'abcdefghijklmnop' WHERE id = 6",
			"evaluations 6: \"image\" is no hash of 16 bytes; nothing of it was taken" },
		{ "UPDATE evaluations SET registers = -1 WHERE id = 6",
			"evaluations 6: \"registers\" is negative; nothing of it was taken" },
		{ "UPDATE evaluations SET registers = 'many' WHERE id = 6",
			"evaluations 6: \"registers\" is no whole number; nothing of it was taken" },
		{ "UPDATE evaluations SET time_ns = -1.5 WHERE id = 6",
			"evaluations 6: \"time_ns\" is negative; nothing of it was taken" },
		{ "UPDATE evaluations SET time_ns = 9e999 WHERE id = 6",
			"evaluations 6: \"time_ns\" is infinite; nothing of it was taken" },
		{ "UPDATE evaluations SET time_ns = NULL WHERE id = 6",
			"evaluations 6: \"time_ns\" is not known, and it is ok; nothing of it was taken" },
		{ "UPDATE evaluations SET occupancy = 1.5 WHERE id = 6",
			"evaluations 6: \"occupancy\" is above 1; nothing of it was taken" },
		{ "UPDATE evaluations SET samples_ns = x'0011' WHERE id = 6",
			"evaluations 6: \"samples_ns\" are no samples by their size; nothing of it was taken" },
		{ "UPDATE evaluations SET samples_ns = x'000000000000f07f' WHERE id = 6",
			"evaluations 6: \"samples_ns\" have one that is no time; nothing of it was taken" },
		{ "UPDATE evaluations SET samples_ns = zeroblob(8000008) WHERE id = 6",
			"evaluations 6: \"samples_ns\" are no samples by their size; nothing of it was taken" },
		{ "UPDATE evaluations SET configuration = 'BLOCK=1' WHERE id = 6",
			"evaluations 6: \"configuration\" is no JSON; nothing of it was taken" },
		{ "UPDATE evaluations SET configuration = '{\"A\": 1' WHERE id = 6",
			"evaluations 6: \"configuration\" is no JSON; nothing of it was taken" },
		{ "UPDATE evaluations SET configuration = '{\"A\": {\"B\": 1}}' WHERE id = 6",
			"evaluations 6: \"configuration\" has something else than values in it; nothing of it was taken" },
		{ "UPDATE evaluations SET space = '' WHERE id = 6",
			"evaluations 6: \"space\" is empty; nothing of it was taken" },
		{ "UPDATE evaluations SET space = char(27) || '[2J' WHERE id = 6",
			"evaluations 6: \"space\" has a control character in it; nothing of it was taken" },
		{ "UPDATE evaluations SET detail = 'a' || char(0) || 'b' WHERE id = 6",
			"evaluations 6: \"detail\" has a NUL in it; nothing of it was taken" },
		{ "UPDATE runs SET started_seconds = 99999999999",
			"runs 1: \"started_seconds\" is in the future: the clock there, or here, is wrong; nothing of it was taken" },
		{ "UPDATE evaluations SET raced = 2 WHERE id = 6",
			"evaluations 6: \"raced\" is too large; nothing of it was taken" },
		{ "UPDATE evaluations SET device_id = 9 WHERE id = 6",
			"evaluations 6: \"device_id\" names a row that is not there; nothing of it was taken" },
		{ "UPDATE evaluations SET run_id = 9 WHERE id = 6",
			"evaluations 6: \"run_id\" names a row that is not there; nothing of it was taken" },
		{ "UPDATE crowns SET evaluation_id = 99",
			"crowns 1: \"evaluation_id\" names a row that is not there; nothing of it was taken" },
		{ "UPDATE crowns SET evaluation_count = -1",
			"crowns 1: \"evaluation_count\" is negative; nothing of it was taken" },
		{ "UPDATE crowns SET objective = 'beauty'",
			"crowns 1: \"objective\" is an objective that this version does not know; nothing of it was taken" },
		{ "UPDATE crowns SET proof = '{]'",
			"crowns 1: \"proof\" is no JSON; nothing of it was taken" },
		{ "UPDATE devices SET slug = ''",
			"devices 1: \"slug\" is empty; nothing of it was taken" },
		{ "UPDATE devices SET slug = '../../etc'",
			"devices 1: \"slug\" is no name of a folder; nothing of it was taken" },
		{ "UPDATE devices SET properties = '[]'",
			"devices 1: \"properties\" is no JSON object; nothing of it was taken" },
		{ "UPDATE portfolios SET most = -1",
			"portfolios 1: \"most\" is negative; nothing of it was taken" },
		{ "UPDATE crowns SET portfolio_id = 7 WHERE id = 2",
			"crowns 2: \"portfolio_id\" names a row that is not there; nothing of it was taken" },
		{ "UPDATE revisits SET verdict = x'00'",
			"revisits 1: \"verdict\" is no text; nothing of it was taken" },
	};
	struct at_store *store;
	int64_t count;

	fill(place, HERE, 50);
	fill(place, THERE, 1);
	count = count_rows(place, HERE);
	store = open_store(place, HERE);
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_merged merged;
		OWNED(free) char *before;
		size_t size;

		assert_ok(at_file_read(
			place->database[THERE], 0, &before, &size, &failure));
		tell(place, THERE, cases[i].sql);
		assert_fails(at_store_merge(store, place->database[THERE], "elsewhere",
				     &merged, &failure),
			AT_EINVAL, cases[i].text);
		assert_string_equal(failure.file, place->database[THERE]);
		assert_int_equal(merged.evaluations.added, 0);
		at_error_clear(&failure);
		assert_ok(at_file_replace(
			place->database[THERE], before, size, &failure));
	}
	assert_int_equal(count_rows(place, HERE), count);
	at_store_close(store);
	/* and as it was, it is taken */
	assert_int_equal(merge_well(place, HERE, THERE).evaluations.added, 6);
}

TEST_HERE(refuses_what_is_no_record_of_this_version)
{
	static const struct {
		const char *sql;
		const char *text;
	} cases[] = {
		{ "PRAGMA user_version = 12",
			"was written by a newer autotune (version 12 of the record, this program knows 11): use that one" },
		{ "PRAGMA application_id = 1",
			"is a database of another program, not a record" },
		{ "CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END",
			"has a trigger \"t\", which a record of this version has not: nothing of it was taken" },
		{ "CREATE TABLE more (a)",
			"has a table \"more\", which a record of this version has not: nothing of it was taken" },
		{ "ALTER TABLE crowns RENAME TO other; CREATE VIEW crowns AS SELECT * FROM other",
			"its table \"crowns\" is not that of a record of this version: nothing of it was taken" },
		{ "ALTER TABLE crowns ADD COLUMN beauty REAL",
			"its table \"crowns\" is not that of a record of this version: nothing of it was taken" },
		{ "ALTER TABLE crowns DROP COLUMN proof",
			"its table \"crowns\" is not that of a record of this version: nothing of it was taken" },
		{ "DROP TABLE portfolios",
			"its table \"portfolios\" is not that of a record of this version: nothing of it was taken" },
	};
	struct at_store *store = open_store(place, HERE);

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_merged merged;

		fill(place, THERE, 1);
		tell(place, THERE, cases[i].sql);
		assert_fails(at_store_merge(store, place->database[THERE], "", &merged,
				     &failure),
			AT_EINVAL, cases[i].text);
		assert_string_equal(failure.file, place->database[THERE]);
		assert_int_equal(unlink(place->database[THERE]), 0);
	}
	at_store_close(store);
	assert_int_equal(count_rows(place, HERE), 0);
}

TEST_HERE(refuses_what_is_no_database_or_not_whole)
{
	struct at_merged merged;
	OWNED(free) char *data;
	size_t size;

	at_store_close(open_store(place, HERE));
	assert_fails(merge(place, HERE, THERE, &merged, &failure), AT_ENOENT,
		"cannot read it: No such file or directory");
	assert_fails(merge(place, HERE, HERE, &merged, &failure), AT_EINVAL,
		"is the record that it should be merged into");
	fill(place, THERE, 1);
	assert_ok(at_file_read(place->database[THERE], 0, &data, &size, NULL));
	/* its second half is gone */
	assert_ok(at_file_replace(place->database[THERE], data, size / 2, NULL));
	at_error_clear(&failure);
	assert_int_not_equal(merge(place, HERE, THERE, &merged, &failure), AT_OK);
	assert_string_equal(failure.file, place->database[THERE]);
	/* every page of it in turn is nothing but rubbish */
	for (size_t at = 0; at < size; at += 4096) {
		OWNED(free) char *broken = malloc(size);

		memcpy(broken, data, size);
		memset(broken + at, 0xa5, 4096);
		assert_ok(at_file_replace(place->database[THERE], broken, size, NULL));
		at_error_clear(&failure);
		if (merge(place, HERE, THERE, &merged, &failure))
			assert_int_equal(count_rows(place, HERE), 0);
		else
			/* a page that is not needed: of an index, or free */
			assert_int_equal(merged.evaluations.added, 6);
		assert_record_is_intact(place->database[HERE]);
		tell(place, HERE,
			"DELETE FROM revisits; DELETE FROM ceilings; DELETE FROM crowns; DELETE FROM portfolios; DELETE FROM evaluations; DELETE FROM sources; DELETE FROM runs; DELETE FROM devices");
	}
}

/* ---- older ones, read-only ones, ones in use ------------------------------- */

static void load(const struct place *place, int folder, const char *name)
{
	char path[300];
	OWNED(free) char *sql;

	snprintf(path, sizeof(path), AT_TEST_DIR "/data/record/%s", name);
	sql = file_text(path);
	assert_ok(at_directory_make(place->results[folder], &failure));
	unlink(place->database[folder]);
	tell(place, folder, sql);
}

TEST_HERE(takes_records_of_older_versions_and_leaves_them_as_they_are)
{
	static const char *const names[] = { "version_1.sql", "version_2.sql",
		"version_3.sql" };

	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		OWNED(free) char *before, *after;
		size_t size, size_after;

		load(place, THERE, names[i]);
		assert_ok(at_file_read(
			place->database[THERE], 0, &before, &size, &failure));
		assert_true(merge_well(place, HERE, THERE).evaluations.added > 0);
		assert_int_equal(merge_well(place, HERE, THERE).evaluations.added, 0);
		assert_ok(at_file_read(
			place->database[THERE], 0, &after, &size_after, &failure));
		assert_int_equal(size, size_after);
		assert_memory_equal(before, after, size);
		assert_record_is_intact(place->database[HERE]);
		assert_int_equal(unlink(place->database[HERE]), 0);
	}
}

static size_t count_files(const char *folder)
{
	char command[200];
	size_t count = 0;
	FILE *pipe;

	snprintf(command, sizeof(command), "ls -A '%s' | wc -l", folder);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_int_equal(fscanf(pipe, "%zu", &count), 1);
	pclose(pipe);
	return count;
}

TEST_HERE(leaves_no_trace_beside_what_it_reads)
{
	fill(place, THERE, 1);
	assert_int_equal(count_files(place->results[THERE]), 1);
	assert_int_equal(chmod(place->database[THERE], 0444), 0);
	assert_int_equal(chmod(place->results[THERE], 0555), 0);
	merge_well(place, HERE, THERE);
	assert_int_equal(count_files(place->results[THERE]), 1);
	assert_int_equal(chmod(place->results[THERE], 0755), 0);
}

/* What another process has just added is in the log, and not in the database. */
TEST_HERE(takes_what_a_record_in_use_has_committed)
{
	struct at_store *there = open_store(place, THERE);
	char folder[128];

	snprintf(folder, sizeof(folder), "%s/tmp", place->folder);
	assert_int_equal(mkdir(folder, 0755), 0);
	assert_int_equal(setenv("TMPDIR", folder, 1), 0);
	put_device(there, "h200");
	put_evaluation(there, (struct wanted){ .key = 1, .time_ns = 5 });
	assert_int_equal(merge_well(place, HERE, THERE).evaluations.added, 1);
	put_evaluation(there, (struct wanted){ .key = 2, .time_ns = 5 });
	assert_int_equal(merge_well(place, HERE, THERE).evaluations.added, 1);
	at_store_close(there);
	/* and the copy is gone */
	assert_int_equal(count_files(folder), 0);
	assert_int_equal(unsetenv("TMPDIR"), 0);
}

/* ---- kills and company ----------------------------------------------------- */

static void put_many(const struct place *place, int folder, uint64_t count)
{
	OWNED(at_store_close) struct at_store *store = open_store(place, folder);

	put_device(store, "h200");
	for (uint64_t key = 1; key <= count; key++)
		put_evaluation(store, (struct wanted){ .key = key, .time_ns = 5 });
}

/* The system kills it in the middle of a write: the limit is on the size of files. */
TEST_HERE(a_killed_merge_leaves_the_record_as_it_was)
{
	int64_t before;
	int outcome;
	pid_t child;

	put_many(place, THERE, 3000);
	fill(place, HERE, 100000);
	before = count_rows(place, HERE);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		const struct rlimit limit = { 1 << 19, 1 << 19 };
		struct at_store *store = open_store(place, HERE);
		struct at_error err = { 0 };
		struct at_merged merged;

		/* not at the end alone: pages leave the cache before */
		if (at_sqlite_execute(store->database, "PRAGMA cache_size = 10", &err))
			_exit(1);
		signal(SIGXFSZ, SIG_DFL);
		setrlimit(RLIMIT_FSIZE, &limit);
		at_store_merge(store, place->database[THERE], "", &merged, &err);
		_exit(2);
	}
	assert_int_equal(waitpid(child, &outcome, 0), child);
	assert_true(WIFSIGNALED(outcome) && WTERMSIG(outcome) == SIGXFSZ);
	assert_record_is_intact(place->database[HERE]);
	assert_int_equal(count_rows(place, HERE), before);
	assert_int_equal(merge_well(place, HERE, THERE).evaluations.added, 3000);
}

TEST_HERE(others_write_before_and_after_and_lose_nothing)
{
	struct at_merged merged;
	pid_t child;

	put_many(place, THERE, 3000);
	put_many(place, HERE, 1);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct at_store *store = open_store(place, HERE);

		for (uint64_t key = 0; key < 500; key++)
			put_evaluation(store,
				(struct wanted){ .key = 100000 + key, .time_ns = 5 });
		at_store_close(store);
		_exit(0);
	}
	merged = merge_well(place, HERE, THERE);
	assert_int_equal(exit_of(child), 0);
	assert_int_equal(merged.evaluations.added, 2999);
	assert_int_equal(ask(place, HERE, "SELECT count(*) FROM evaluations"), 3500);
	assert_record_is_intact(place->database[HERE]);
}

/* What there is the plain name's may be the other one here. */
TEST_HERE(does_not_mix_devices_of_one_name)
{
	struct at_store *here = open_store(place, HERE);
	struct at_store *there = open_store(place, THERE);
	RELEASED(at_record_device_release) struct at_record_device device;
	struct at_merged merged;
	int64_t whole, part;

	whole = put_part(here, "h200", 132);
	put_part(there, "h200", 66);
	part = put_part(there, "h200", 132);
	put_evaluation(
		there, (struct wanted){ .key = 1, .time_ns = 5, .device_id = part });
	at_store_close(there);
	assert_ok(at_store_merge(here, place->database[THERE], "", &merged, &failure));
	assert_int_equal(merged.devices.known, 1);
	assert_int_equal(merged.devices.added, 1);
	at_store_close(here);
	assert_int_equal(ask(place, HERE, "SELECT device_id FROM evaluations"), whole);
	assert_is(place, HERE, "SELECT count(*) FROM devices WHERE slug = 'h200-66sm'");
	here = open_store(place, HERE);
	assert_ok(at_store_get_device(here, whole, &device, &failure));
	assert_string_equal(device.slug, "h200");
	at_store_close(here);
}

RUN_SUITE(NULL, NULL)
