/* The second version of the record: ceilings and gains, and how a record of the first
   version is brought to it. */
#include "record/verification.h"
#include "record/store.h"

#include "base/memory.h"
#include "program.h"
#include "record/sqlite.h"

#include <math.h>
#include <unistd.h>

#include "suite.h"

#include "record_fixture.h"

struct place {
	char *folder;
	char *database;
	struct at_store *store;
};

static void make_place(struct place *place)
{
	place->folder = scratch_folder("record");
	place->database = scratch_path(place->folder, "autotune.db");
}

static void remove_place(struct place *place)
{
	at_store_close(place->store);
	scratch_remove(place->folder);
	free(place->folder);
	free(place->database);
}

#define TEST_HERE(name) TEST_ON(name, struct place, place, make_place, remove_place)

static struct at_store *open_store(struct place *place)
{
	assert_ok(at_store_open(place->folder, &place->store, &failure));
	return place->store;
}

static int64_t put_device(struct at_store *store, const char *slug, const char *kind)
{
	struct at_record_device device =
		record_device(kind, "A model", slug, "sm_90", "580.1", "");
	int64_t id;

	assert_ok(at_store_put_device(store, &device, &id, &failure));
	return id;
}

static int64_t ask(const struct place *place, const char *sql)
{
	return record_ask(place->database, sql);
}

/* ---- ceilings -------------------------------------------------------------- */

static void put(struct at_store *store, int64_t device_id, double copy, int64_t seconds)
{
	const struct at_record_ceilings ceilings = {
		.ceilings = { copy, 60.1e12, 30.2e12 },
		.driver = (char *)"580.1 (CUDA 13.0)",
		.created_seconds = seconds,
	};

	assert_ok(at_store_put_ceilings(store, device_id, &ceilings, &failure));
}

TEST_HERE(a_device_that_was_not_measured_has_none)
{
	struct at_store *store = open_store(place);
	struct at_record_ceilings read;
	bool found = true;
	int64_t id = put_device(store, "nvidia-h200", "cuda");

	put(store, put_device(store, "another", "cuda"), 1e12, 1);
	memset(&read, 0xff, sizeof(read));
	assert_ok(at_store_get_ceilings(store, id, &read, &found, &failure));
	assert_false(found);
	assert_null(read.driver);
	assert_true(read.ceilings.copy_bytes_per_second == 0);
	assert_int_equal(read.created_seconds, 0);
	at_record_ceilings_release(&read);
	at_record_ceilings_release(NULL);
}

TEST_HERE(keeps_every_column_of_the_ceilings)
{
	struct at_store *store = open_store(place);
	struct at_record_ceilings read;
	bool found = false;
	int64_t id = put_device(store, "nvidia-h200", "cuda");

	put(store, id, 4.2e12, 1763715600);
	/* from the disk, by another connection */
	at_store_close(store);
	store = open_store(place);
	assert_ok(at_store_get_ceilings(store, id, &read, &found, &failure));
	assert_true(found);
	assert_true(read.ceilings.copy_bytes_per_second == 4.2e12);
	assert_true(read.ceilings.float_flops_per_second == 60.1e12);
	assert_true(read.ceilings.double_flops_per_second == 30.2e12);
	assert_string_equal(read.driver, "580.1 (CUDA 13.0)");
	assert_int_equal(read.created_seconds, 1763715600);
	at_record_ceilings_release(&read);
	assert_null(read.driver);
}

TEST_HERE(the_newest_ceilings_count_and_the_older_stay)
{
	struct at_store *store = open_store(place);
	struct at_record_ceilings read;
	bool found = false;
	int64_t id = put_device(store, "nvidia-h200", "cuda");

	put(store, id, 4.2e12, 2000);
	/* newest is what was added last: clocks may be set back */
	put(store, id, 4.1e12, 1000);
	put(store, put_device(store, "another", "cuda"), 1e12, 3000);
	assert_ok(at_store_get_ceilings(store, id, &read, &found, &failure));
	assert_true(found);
	assert_true(read.ceilings.copy_bytes_per_second == 4.1e12);
	at_record_ceilings_release(&read);
	assert_int_equal(ask(place, "SELECT count(*) FROM ceilings"), 3);
}

TEST_HERE(rates_that_are_not_known_are_not_numbers)
{
	struct at_store *store = open_store(place);
	RELEASED(at_record_ceilings_release) struct at_record_ceilings read;
	bool found = false;
	int64_t id = put_device(store, "nvidia-h200", "cuda");

	put(store, id, (double)NAN, 1);
	assert_int_equal(
		ask(place, "SELECT copy_bytes_per_second IS NULL FROM ceilings"), 1);
	assert_ok(at_store_get_ceilings(store, id, &read, &found, &failure));
	assert_true(isnan(read.ceilings.copy_bytes_per_second));
	assert_true(read.ceilings.float_flops_per_second == 60.1e12);
}

TEST_HERE(refuses_the_ceilings_of_no_device)
{
	const struct at_record_ceilings ceilings = { .ceilings = { 1, 1, 1 } };
	struct at_store *store = open_store(place);
	struct at_error err = { 0 };

	assert_int_equal(at_store_put_ceilings(store, 7, &ceilings, &err), AT_EINVAL);
}

TEST_HERE(finds_a_device_by_slug_and_kind_without_adding_it)
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
	assert_int_equal(ask(place, "SELECT count(*) FROM devices"), 2);
}

/* ---- older versions come to this one ---------------------------------------- */

static void write_version(const struct place *place, int version)
{
	OWNED(at_sqlite_close) struct at_sqlite *database;
	OWNED(free) char *sql;
	char path[256];

	snprintf(
		path, sizeof(path), AT_TEST_DIR "/data/record/version_%d.sql", version);
	sql = file_text(path);
	assert_ok(at_sqlite_open(place->database, &database, &failure));
	assert_ok(at_sqlite_execute(database, sql, &failure));
}

static void assert_upgraded_evaluations(struct at_store *store, int version)
{
	struct at_evaluation read;

	assert_ok(at_store_get(store, 1, true, &read, &failure));
	assert_true(read.key.low == 1 && read.key.high == 0xfedcba9876543210);
	assert_int_equal(read.run_id, 1);
	assert_int_equal(read.outcome, AT_OUTCOME_OK);
	assert_true(read.time_ns == 1234.5 && read.high_ns == 1236.125);
	assert_int_equal(read.facts.registers, 101);
	assert_int_equal(read.facts.local_bytes, 102);
	assert_int_equal(read.facts.spill_store_bytes, 103);
	assert_int_equal(read.facts.spill_load_bytes, 104);
	assert_int_equal(read.facts.shared_bytes, 105);
	assert_int_equal(read.facts.threads_per_block, 106);
	assert_int_equal(read.facts.blocks, 107);
	assert_int_equal(read.facts.compile_ns, 108);
	assert_int_equal(read.measure_ns, 109);
	assert_int_equal(read.clock_hz, 1980000000);
	assert_int_equal(read.launches_per_sample, 8);
	assert_true(read.max_relative_error == 1.5e-6);
	assert_string_equal(read.configuration, "{\"BLOCK_X\": 16}");
	assert_string_equal(read.log, "");
	assert_true(read.throttled && !read.raced);
	assert_int_equal(read.created_seconds, 1763715601);
	assert_int_equal(read.sample_count, 2);
	assert_true(read.samples_ns[0] == 1000.25 && read.samples_ns[1] == 0.1);
	/* what the first version did not have */
	assert_int_equal(read.facts.resident_blocks, version < 2 ? -1 : 4);
	assert_true(version < 2
			    ? isnan(read.facts.occupancy) && isnan(read.flops) &&
				      isnan(read.bytes)
			    : read.facts.occupancy == 0.625 && read.flops == 1.37e11 &&
				      read.bytes == 2.01e8);
	assert_string_equal(read.facts.limiting_factor, version < 2 ? "" : "registers");
	assert_int_equal(read.is_double, version >= 2);
	/* nor the second */
	assert_string_equal(read.board, "");
	assert_true(!read.image.low && !read.image.high);
	assert_string_equal(read.counters, "");
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
	assert_int_equal(at_verification_stands(winners), version >= 4);
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

static void assert_loses_nothing(struct place *place, int version)
{
	struct at_evaluation evaluation;
	struct at_store *store;
	RELEASED(at_record_device_release) struct at_record_device device;
	struct at_record_ceilings ceilings;
	struct at_error err = { 0 };
	bool found = true;

	write_version(place, version);
	/* brought up to date by the first opening, and found so by the second */
	at_store_close(open_store(place));
	store = open_store(place);
	assert_int_equal(ask(place, "PRAGMA user_version"), 11);
	assert_int_equal(ask(place, "SELECT count(*) FROM devices"), 2);
	assert_int_equal(
		ask(place,
			"SELECT count(*) FROM runs WHERE seed = -1 AND ending = 'done'"),
		1);
	assert_int_equal(ask(place, "SELECT count(*) FROM evaluations"), 2);
	assert_int_equal(ask(place, "SELECT count(*) FROM crowns"), 2);
	assert_int_equal(
		ask(place, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	assert_upgraded_evaluations(store, version);
	assert_upgraded_winner(store, version);
	assert_ok(at_store_get_device(store, 1, &device, &failure));
	assert_string_equal(device.driver, "580.1 (CUDA 13.0)");
	assert_true(device.properties.known[AT_PROPERTY_WARP_SIZE]);
	at_record_device_release(&device);
	assert_ok(at_store_get_ceilings(store, 1, &ceilings, &found, &err));
	assert_int_equal(found, version >= 2);
	at_record_ceilings_release(&ceilings);
	/* and takes what it could not hold before */
	put(store, 1, 4.3e12, 1);
	assert_ok(at_store_get_ceilings(store, 1, &ceilings, &found, &failure));
	assert_true(found && ceilings.ceilings.copy_bytes_per_second == 4.3e12);
	at_record_ceilings_release(&ceilings);
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
	assert_int_equal(at_store_add(store, &evaluation, &err), AT_EINVAL);
	at_evaluation_release(&evaluation);
}

TEST_HERE(a_record_of_any_older_version_loses_nothing)
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

static void open_and_close(struct place *place)
{
	at_store_close(open_store(place));
	place->store = NULL;
}

/* The lines, one below the other; the caller frees them. */
static char *describe_tables(const struct place *place)
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
TEST_HERE(an_older_record_has_the_tables_of_a_new_one)
{
	OWNED(free) char *newest;
	char *upgraded;

	open_and_close(place);
	newest = describe_tables(place);
	assert_non_null(strstr(newest, "crowns column met TEXT 0 0\n"));
	assert_non_null(strstr(newest, "index evaluations_best of evaluations\n"));
	assert_non_null(strstr(newest, "crowns refers portfolio_id portfolios"));
	for (int version = 1; version <= 6; version++) {
		assert_int_equal(unlink(place->database), 0);
		write_version(place, version);
		open_and_close(place);
		upgraded = describe_tables(place);
		assert_string_equal(upgraded, newest);
		free(upgraded);
	}
}

TEST_HERE(keeps_occupancy_and_roofline_of_an_evaluation)
{
	struct at_evaluation evaluation = { .key = { 9, 0 },
		.space = (char *)"matmul",
		.problem = (char *)"square",
		.problem_json = (char *)"{}",
		.configuration = (char *)"{}",
		.outcome = AT_OUTCOME_OK,
		.time_ns = 1.5e6,
		.facts.resident_blocks = 4,
		.facts.occupancy = 0.625,
		.facts.limiting_factor = "registers",
		.flops = 1.37e11,
		.bytes = 2.01e8,
		.is_double = true };
	struct at_store *store = open_store(place);
	RELEASED(at_evaluation_release) struct at_evaluation read;

	evaluation.device_id = put_device(store, "nvidia-h200", "cuda");
	assert_ok(at_store_add(store, &evaluation, &failure));
	assert_ok(at_store_get(store, evaluation.id, false, &read, &failure));
	assert_int_equal(read.facts.resident_blocks, 4);
	assert_true(read.facts.occupancy == 0.625);
	assert_string_equal(read.facts.limiting_factor, "registers");
	assert_true(read.flops == 1.37e11 && read.bytes == 2.01e8);
	assert_true(read.is_double);
}

#define GAINS "[{\"to\": {\"TILE\": 32}, \"share\": 1.0}]"

static struct at_winner winner_of(int64_t device_id, const char *space,
	const char *problem, int64_t evaluation_id)
{
	return (struct at_winner){ .device_id = device_id,
		.space = (char *)space,
		.problem = (char *)problem,
		.evaluation_id = evaluation_id };
}

/* the same evaluation was selected twice: the older of the two is history */
TEST_HERE(gains_belong_to_the_newest_winner_of_an_evaluation)
{
	const struct at_winner best = winner_of(1, "matmul", "square", 1);
	struct at_store *store;
	struct at_winner *winners;
	size_t count = 0;

	write_version(place, 1);
	store = open_store(place);
	assert_ok(at_store_set_gains(store, &best, GAINS, &failure));
	assert_ok(at_store_winners(store, "matmul", 1, &winners, &count, &failure));
	assert_int_equal(count, 1);
	assert_string_equal(winners->gains, GAINS);
	at_store_free_winners(winners, count);
	assert_int_equal(ask(place, "SELECT id FROM crowns WHERE gains <> ''"), 2);
	assert_int_equal(
		ask(place, "SELECT count(*) FROM crowns WHERE gains <> ''"), 1);
}

/* two boards of a model share a record: one explains while the other winners */
TEST_HERE(gains_do_not_go_to_whoever_was_selected_since)
{
	const struct at_winner best = winner_of(1, "matmul", "square", 1);
	struct at_store *store;
	struct at_winner *winners;
	size_t count = 0;

	write_version(place, 1);
	store = open_store(place);
	assert_ok(at_store_winners(store, "matmul", 1, &winners, &count, &failure));
	assert_int_equal(count, 1);
	winners->evaluation_id = 2;
	assert_ok(at_store_put_winner(store, winners, &failure));
	at_store_free_winners(winners, count);
	assert_ok(at_store_set_gains(store, &best, GAINS, &failure));
	assert_ok(at_store_winners(store, "matmul", 1, &winners, &count, &failure));
	assert_int_equal(winners->evaluation_id, 2);
	assert_string_equal(winners->gains, "");
	at_store_free_winners(winners, count);
	assert_int_equal(ask(place, "SELECT id FROM crowns WHERE gains <> ''"), 2);
}

TEST_HERE(gains_without_a_winner_are_refused)
{
	const struct at_winner rows[] = { winner_of(2, "matmul", "square", 1),
		winner_of(1, "scan", "square", 1), winner_of(1, "matmul", "tall", 1),
		winner_of(1, "matmul", "square", 2) };
	struct at_store *store;

	write_version(place, 1);
	store = open_store(place);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_fails_with(at_store_set_gains(store, &rows[i], GAINS, &failure),
			AT_ENOENT, "has no winner for ");
	}
	assert_int_equal(
		ask(place, "SELECT count(*) FROM crowns WHERE gains <> ''"), 0);
}

RUN_SUITE(NULL, NULL)
