/* Ceilings and gains, and how records of older versions are brought to this one. */
#include "record_fixture.h"
#include "record/verification.h"

#include "base/memory.h"
#include "record/sqlite.h"

static struct at_store *open_store(struct record_place *place)
{
	at_store_close(place->store);
	return place->store = place_open(place);
}

static int64_t put_device(struct at_store *store, const char *slug, const char *kind)
{
	struct at_record_device device =
		record_device(kind, "A model", slug, "sm_90", "580.1", "");
	int64_t id;

	assert_ok(at_store_put_device(store, &device, &id, &failure));
	return id;
}

/* ---- ceilings -------------------------------------------------------------- */

static struct at_record_ceilings some_ceilings(double copy, int64_t seconds)
{
	return (struct at_record_ceilings){
		.device_id = 1,
		.ceilings = { copy, 60.1e12, 30.2e12 },
		.driver = (char *)"580.1 (CUDA 13.0)",
		.created_seconds = seconds,
	};
}

static void put(struct at_store *store, int64_t device_id, double copy, int64_t seconds)
{
	const struct at_record_ceilings ceilings = some_ceilings(copy, seconds);

	assert_ok(at_store_put_ceilings(store, device_id, &ceilings, &failure));
}

static void assert_ceilings(
	struct at_store *store, const struct at_record_ceilings *expected)
{
	RELEASED(at_record_ceilings_release) struct at_record_ceilings read;
	bool found;

	memset(&read, 0xff, sizeof(read));
	assert_ok(at_store_get_ceilings(store, 1, &read, &found, &failure));
	assert_int_equal(found, expected->driver != NULL);
	assert_same_row(&at_table_ceilings, &read, expected);
}

TEST_AT(the_newest_ceilings_of_a_device_count, place)
{
	struct at_store *store = open_store(place);
	const struct at_record_ceilings none = { 0 },
					unknown = some_ceilings((double)NAN, 1000);
	struct at_record_ceilings newest = some_ceilings(4.1e12, 2000);
	int64_t id = put_device(store, "nvidia-h200", "cuda"),
		other = put_device(store, "another", "cuda");

	put(store, other, 1e12, 1);
	assert_ceilings(store, &none);
	put(store, id, (double)NAN, 1000);
	assert_ceilings(store, &unknown);
	put(store, id, 4.2e12, 2000);
	/* newest is what was added last: clocks may be set back */
	put(store, id, 4.1e12, 1000);
	put(store, other, 1e12, 3000);
	/* from the disk, by another connection */
	store = open_store(place);
	assert_ceilings(store, &newest);
	assert_int_equal(place_ask(place, "SELECT count(*) FROM ceilings"), 5);
	/* a time that is impossible hides no other */
	place_tell(place,
		"UPDATE ceilings SET created_seconds = 253402300800 WHERE device_id = 1");
	newest.created_seconds = 1000;
	put(store, id, 4.1e12, 1000);
	assert_ceilings(store, &newest);
	assert_int_equal(at_store_put_ceilings(store, 7, &newest, &failure), AT_EINVAL);
}

TEST_AT(finds_a_device_by_slug_and_kind_without_adding_it, place)
{
	struct at_store *store = open_store(place);
	int64_t first = put_device(store, "nvidia-h200", "cuda"), found = -1;
	int64_t second = put_device(store, "nvidia-h200", "replay");

	assert_ok(
		at_store_find_device(store, "nvidia-h200", "replay", &found, &failure));
	assert_int_equal(found, second);
	assert_ok(at_store_find_device(store, "nvidia-h200", "cuda", &found, &failure));
	assert_int_equal(found, first);
	assert_ok(at_store_find_device(store, "nvidia-h200", "host", &found, &failure));
	assert_int_equal(found, 0);
	assert_int_equal(place_ask(place, "SELECT count(*) FROM devices"), 2);
}

/* ---- older versions come to this one ---------------------------------------- */

static void assert_upgraded_evaluations(struct at_store *store, int version)
{
	static double samples[] = { 1000.25, 0.1 };
	struct at_evaluation expected = { AT_EVALUATION_UNKNOWN,
		.key = { 1, 0xfedcba9876543210 }, .run_id = 1, .device_id = 1,
		.space = "matmul", .problem = "square", .problem_json = "{\"M\": 4096}",
		.configuration = "{\"BLOCK_X\": 16}", .outcome = AT_OUTCOME_OK,
		.throttled = true, .created_seconds = 1763715601 };
	struct at_evaluation read;

	expected.time_ns = 1234.5;
	expected.low_ns = 1233.25;
	expected.high_ns = 1236.125;
	expected.launches_per_sample = 8;
	expected.facts.registers = 101;
	expected.facts.local_bytes = 102;
	expected.facts.spill_store_bytes = 103;
	expected.facts.spill_load_bytes = 104;
	expected.facts.shared_bytes = 105;
	expected.facts.threads_per_block = 106;
	expected.facts.blocks = 107;
	expected.facts.compile_ns = 108;
	expected.max_relative_error = 1.5e-6;
	expected.measure_ns = 109;
	expected.clock_hz = 1980000000;
	/* the first version did not have these, and the next ones not the others */
	if (version >= 2) {
		expected.facts.resident_blocks = 4;
		expected.facts.occupancy = 0.625;
		strcpy(expected.facts.limiting_factor, "registers");
		expected.flops = 1.37e11;
		expected.bytes = 2.01e8;
		expected.is_double = true;
	}
	assert_ok(at_store_get(store, 1, true, &read, &failure));
	assert_same_row(&at_table_evaluations, &read, &expected);
	assert_string_equal(read.log, "");
	assert_int_equal(read.sample_count, 2);
	assert_memory_equal(read.samples_ns, samples, sizeof(samples));
	at_evaluation_release(&read);
	assert_ok(at_store_get(store, 2, true, &read, &failure));
	assert_int_equal(read.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_string_equal(read.log, "line 1\nline 2");
	assert_null(read.samples_ns);
	assert_true(isnan(read.time_ns));
	at_evaluation_release(&read);
}

static void assert_upgraded_winner(struct at_store *store, int version)
{
	struct at_verification verification;
	struct at_winner *winners;
	size_t count = 0;

	assert_ok(at_store_winners(store, NULL, 0, &winners, &count, &failure));
	assert_int_equal(count, 1);
	assert_int_equal(winners->evaluation_count, 201);
	assert_ptr_equal(winners->objective, &at_objective_time);
	assert_true(winners->score.value == 9.5 && isnan(winners->speedup));
	assert_true(winners->score.low == 9.25 && winners->score.high == 9.75);
	assert_string_equal(winners->gains,
		version < 2 ? "" : "[{\"to\": {\"TILE\": 32}, \"share\": 1.0}]");
	/* how it was verified was not kept before, but that it was not was */
	assert_false(winners->is_unverified);
	assert_int_equal(
		at_verification_from_json(winners->verification, &verification),
		version >= 4);
	assert_int_equal(verification.launches, version < 4 ? 0 : 31);
	/* nor how sure the gain is, and how it was measured */
	assert_true(version < 5 ? isnan(at_winner_speedup(winners).low)
				: winners->speedup_low == 0.5 &&
					  winners->speedup_high == 2 &&
					  winners->baseline_low == 9.25 &&
					  winners->baseline_high == 9.75);
	assert_string_equal(winners->measurement,
		version < 5 ? "" : "{\"blocks\": 6, \"samples\": 30}");
	at_store_free_winners(winners, count);
}

static void assert_loses_nothing(struct record_place *place, int version)
{
	struct at_evaluation evaluation;
	struct at_store *store;
	RELEASED(at_record_device_release) struct at_record_device device;
	struct at_record_ceilings ceilings;
	const struct at_record_ceilings newest = some_ceilings(4.3e12, 1763715700);
	bool found = true;

	place_write_version(place, version);
	/* brought up to date by the first opening, and found so by the second */
	at_store_close(place_open(place));
	store = open_store(place);
	assert_int_equal(place_ask(place, "PRAGMA user_version"), 11);
	assert_int_equal(place_ask(place, "SELECT count(*) FROM devices"), 2);
	assert_int_equal(
		place_ask(place,
			"SELECT count(*) FROM runs WHERE seed = -1 AND ending = 'done'"),
		1);
	assert_int_equal(place_ask(place, "SELECT count(*) FROM evaluations"), 2);
	assert_int_equal(place_ask(place, "SELECT count(*) FROM crowns"), 2);
	assert_int_equal(
		place_ask(place, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	assert_upgraded_evaluations(store, version);
	assert_upgraded_winner(store, version);
	assert_ok(at_store_get_device(store, 1, &device, &failure));
	assert_string_equal(device.driver, "580.1 (CUDA 13.0)");
	assert_true(device.properties.known[AT_PROPERTY_WARP_SIZE]);
	at_record_device_release(&device);
	assert_ok(at_store_get_ceilings(store, 1, &ceilings, &found, &failure));
	assert_int_equal(found, version >= 2);
	at_record_ceilings_release(&ceilings);
	/* and takes what it could not hold before */
	put(store, 1, 4.3e12, 1763715700);
	assert_ceilings(store, &newest);
	assert_ok(at_store_get(store, 1, true, &evaluation, &failure));
	evaluation.image.low = 5;
	assert_ok(at_store_add(store, &evaluation, &failure));
	assert_int_equal(evaluation.id, 3);
	at_evaluation_release(&evaluation);
	assert_ok(at_store_set_counters(store, 3, "[{\"a\": 1}]", &failure));
	assert_ok(at_store_get(store, 3, false, &evaluation, &failure));
	assert_string_equal(evaluation.counters, "[{\"a\": 1}]");
	at_evaluation_release(&evaluation);
	/* references hold in a table that was copied */
	assert_ok(at_store_get(store, 1, true, &evaluation, &failure));
	evaluation.run_id = 77;
	assert_int_equal(at_store_add(store, &evaluation, &failure), AT_EINVAL);
	at_evaluation_release(&evaluation);
}

TEST_AT(a_record_of_any_older_version_loses_nothing, place)
{
	for (int version = 1; version <= 6; version++) {
		assert_loses_nothing(place, version);
		at_store_close(place->store);
		place->store = NULL;
		assert_int_equal(unlink(place->database), 0);
	}
}

/* ---- what else came with it -------------------------------------------------- */

/* all that SQLite knows of tables, columns, indexes and references, a line each */
static const char describe[] =
	"SELECT m.type || ' ' || m.name || ' of ' || m.tbl_name FROM sqlite_schema AS m"
	" UNION ALL SELECT m.name || ' column ' || x.name || ' ' || x.type || ' ' ||"
	" x.pk || ' ' || x.hidden"
	" FROM sqlite_schema AS m, pragma_table_xinfo(m.name) AS x"
	" WHERE m.type = 'table'"
	" UNION ALL SELECT m.name || ' index ' || i.name || ' ' || i.\"unique\" || ' ' ||"
	" i.origin || ' ' || x.seqno || ' ' || coalesce(x.name, '') || ' ' || x.\"desc\" || x.coll ||"
	" x.key FROM sqlite_schema AS m, pragma_index_list(m.name) AS i,"
	" pragma_index_xinfo(i.name) AS x WHERE m.type = 'table'"
	" UNION ALL SELECT m.name || ' refers ' || f.\"from\" || ' ' || f.\"table\" ||"
	" ' ' || coalesce(f.\"to\", '') || f.on_update || f.on_delete"
	" FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS f"
	" UNION ALL SELECT m.name || ' without rowid' FROM sqlite_schema AS m"
	" WHERE m.sql LIKE '%WITHOUT ROWID%'"
	" ORDER BY 1";

/* The lines, one below the other; the caller frees them. */
static char *describe_tables(const struct record_place *place)
{
	struct at_strbuf lines = { 0 };
	struct at_error err = { 0 };
	OWNED(at_sqlite_close) struct at_sqlite *database;
	struct at_statement *statement;
	bool row;

	assert_ok(at_sqlite_open(place->database, &database, &failure));
	assert_ok(at_sqlite_prepare(database, describe, &statement, &failure));
	while (!at_statement_step(statement, &row, &err) && row)
		at_strbuf_addf(&lines, "%s\n", at_statement_text(statement, 0));
	assert_ok(err.status);
	at_statement_free(statement);
	return at_strbuf_detach(&lines);
}

/* Where a column stands in its table, and its default, may differ. */
TEST_AT(an_older_record_has_the_tables_of_a_new_one, place)
{
	OWNED(free) char *newest;
	char *upgraded;

	at_store_close(place_open(place));
	newest = describe_tables(place);
	assert_non_null(strstr(newest, "crowns column met TEXT 0 0\n"));
	assert_non_null(strstr(newest, "index evaluations_best of evaluations\n"));
	assert_non_null(strstr(newest, "crowns refers portfolio_id portfolios"));
	for (int version = 1; version <= 6; version++) {
		assert_int_equal(unlink(place->database), 0);
		place_write_version(place, version);
		at_store_close(place_open(place));
		upgraded = describe_tables(place);
		assert_string_equal(upgraded, newest);
		free(upgraded);
	}
}

#define GAINS "[{\"to\": {\"TILE\": 32}, \"share\": 1.0}]"

static void assert_gains(
	struct at_store *store, int64_t evaluation_id, const char *text)
{
	struct at_winner *winners;
	size_t count;

	assert_ok(at_store_winners(store, "matmul", 1, &winners, &count, &failure));
	assert_int_equal(count, 1);
	assert_int_equal(winners->evaluation_id, evaluation_id);
	assert_string_equal(winners->gains, text);
	at_store_free_winners(winners, count);
}

/* The record selected evaluation 1 twice: the older of the two is history. */
TEST_AT(gains_belong_to_the_newest_winner_of_an_evaluation, place)
{
	const struct at_winner best = record_winner(1, 1, 0);
	struct at_winner rows[] = { record_winner(2, 1, 0), best, best,
		record_winner(1, 2, 0) };
	struct at_store *store;

	place_write_version(place, 1);
	store = open_store(place);
	rows[1].space = (char *)"scan";
	rows[2].problem = (char *)"tall";
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		assert_fails_with(at_store_set_gains(store, &rows[i], GAINS, &failure),
			AT_ENOENT, "has no winner for ");
	assert_ok(at_store_set_gains(store, &best, GAINS, &failure));
	assert_gains(store, 1, GAINS);
	/* two boards of a model share a record: one explains while the other selects */
	place_tell(place, "UPDATE crowns SET gains = ''");
	assert_ok(at_store_put_winner(store, &rows[3], &failure));
	assert_ok(at_store_set_gains(store, &best, GAINS, &failure));
	assert_gains(store, 2, "");
	assert_int_equal(
		place_ask(place, "SELECT sum(id) FROM crowns WHERE gains <> ''"), 2);
}

RUN_SUITE(NULL, NULL)
