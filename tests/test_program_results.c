/* The executable on a record with occupancy, ceilings and gains, old and new rows. */
#include "record_fixture.h"
#include "executable.h"
#include "record/sqlite.h"
#include "record/store.h"

#include <math.h>

#include "suite.h"

/* ---- the record ------------------------------------------------------------- */

struct record {
	struct at_store *store;
	int64_t device_id;
	int64_t run_id;
	uint64_t keys; /* given out */
};

static void use_device(struct record *record, const char *kind, const char *model,
	const char *slug, const char *architecture)
{
	struct at_record_device device =
		record_device(kind, model, slug, architecture, "580.1", "");

	assert_ok(at_store_put_device(
		record->store, &device, &record->device_id, &failure));
	assert_ok(at_store_begin_run(record->store, record->device_id, "toy", "random",
		0, "1", &record->run_id, &failure));
}

/* As it was before the record knew more than times and registers. */
static struct at_evaluation old_evaluation(
	const char *problem, const char *configuration, double time_ns)
{
	return (struct at_evaluation){
		.space = "toy",
		.problem = (char *)problem,
		.problem_json = "{}",
		.configuration = (char *)configuration,
		.outcome = isnan(time_ns) ? AT_OUTCOME_WRONG_RESULT : AT_OUTCOME_OK,
		.time_ns = time_ns,
		.low_ns = 0.9 * time_ns,
		.high_ns = 1.1 * time_ns,
		.facts.registers = 31,
		.facts.spill_store_bytes = 0,
		.facts.spill_load_bytes = 0,
		.facts.shared_bytes = 8192,
		.facts.threads_per_block = 256,
		.facts.blocks = 1000,
		.facts.resident_blocks = -1,
		.facts.occupancy = NAN,
		.flops = NAN,
		.bytes = NAN,
		.max_relative_error = NAN,
	};
}

static struct at_evaluation evaluation(const char *problem, const char *configuration,
	double time_ns, double flops, double bytes)
{
	struct at_evaluation out = old_evaluation(problem, configuration, time_ns);

	out.facts.resident_blocks = 8;
	out.facts.occupancy = 1;
	strcpy(out.facts.limiting_factor, "threads");
	out.flops = flops;
	out.bytes = bytes;
	return out;
}

static int64_t add(struct record *record, struct at_evaluation evaluation)
{
	evaluation.key = (struct at_hash){ ++record->keys, 0 };
	evaluation.run_id = record->run_id;
	evaluation.device_id = record->device_id;
	assert_ok(at_store_add(record->store, &evaluation, &failure));
	return evaluation.id;
}

static void best(struct record *record, const char *problem, int64_t winner,
	int64_t baseline, double time_ns, double speedup, const char *gains)
{
	struct at_winner best = {
		.device_id = record->device_id,
		.space = "toy",
		.problem = (char *)problem,
		.evaluation_id = winner,
		.baseline_id = baseline,
		.objective = &at_objective_time,
		.score = { time_ns, NAN, NAN },
		.speedup = speedup,
		.toolchain = "NVRTC 13.0",
		.driver = "580.1",
		.source_hash = "00",
		.metrics = "{\"flops\": 1e9, \"bytes\": 1e9}",
		.launch = "{}",
		.options = "[]",
		.gains = (char *)gains,
	};

	assert_ok(at_store_put_winner(record->store, &best, &failure));
}

#define COMPUTE_GAINS \
	"[{\"to\": {\"M\": 8, \"N\": 8}, \"from\": {\"M\": 1, \"N\": 1}, " \
	"\"time_ns\": 4e6, \"share\": 0.93}, " \
	"{\"to\": {\"PAD\": 4}, \"from\": {\"PAD\": 0}, " \
	"\"time_ns\": 3.2e6, \"share\": 0.062}, " \
	"{\"to\": {\"LDG\": true}, \"from\": {\"LDG\": false}, " \
	"\"time_ns\": 3.12e6, \"share\": 0.008}]"
#define BAR_GAINS \
	"[{\"to\": {\"L\": \"s|a\"}, \"from\": {\"L\": \"aos\"}, " \
	"\"time_ns\": 1, \"share\": 1.0}]"

static void fill_h200(struct record *record)
{
	struct at_record_ceilings ceilings = {
		.ceilings = { 4.25e12, 60e12, 30e12 },
		.driver = "580.2",
		.created_seconds = 1763715900,
	};
	struct at_evaluation winner = evaluation("bars|2", "{\"A\": 2}", 2.5e5, 1, 1);
	int64_t baseline;

	use_device(record, "cuda", "NVIDIA H200", "nvidia-h200", "sm_90");
	assert_ok(at_store_put_ceilings(
		record->store, record->device_id, &ceilings, &failure));
	baseline = add(record,
		evaluation("compute", "{\"A\": 1}", 26.4e6, 137438953472, 201326592));
	best(record, "compute",
		add(record, evaluation("compute", "{\"A\": 2}", 3.12e6, 137438953472,
				    201326592)),
		baseline, 3.2e6, 8.25, COMPUTE_GAINS);
	add(record, evaluation("compute", "{\"A\": 3}", NAN, 137438953472, 201326592));
	winner.is_double = true;
	winner.flops = 134217728;
	winner.bytes = 1073741824;
	best(record, "bars|2", add(record, winner), 0, 2.5e5, NAN, BAR_GAINS);
	/* measured again, the winner is another row with the same configuration */
	baseline = add(record, old_evaluation("same", "{\"A\": 1}", 1e6));
	best(record, "same",
		add(record, evaluation("same", "{\"A\": 1}", 1e6, 0, 2.125e3)),
		baseline, 1e6, 1, "[]");
	baseline = add(record, old_evaluation("unasked", "{\"A\": 1}", 2e6));
	best(record, "unasked",
		add(record, old_evaluation("unasked", "{\"A\": 2}", 1e6)), baseline,
		1e6, 2, "");
	add(record, old_evaluation("void", "{\"A\": 1}", NAN));
}

static void fill_h100(struct record *record)
{
	int64_t baseline;

	use_device(record, "cuda", "NVIDIA H100", "nvidia-h100", "sm_90");
	baseline = add(record, evaluation("compute", "{\"A\": 1}", 5e6, 8e9, 2e9));
	best(record, "compute",
		add(record, evaluation("compute", "{\"A\": 2}", 4e6, 8e9, 2e9)),
		baseline, 4e6, 1.25, "[]");
}

static void fill_host(struct record *record)
{
	struct at_evaluation winner = evaluation("mini", "{\"A\": 2}", 1e6, 8e9, 2e9);
	int64_t baseline;

	use_device(record, "host", "A|B CPU", "a-b-cpu", "x86_64");
	winner.facts.registers = winner.facts.resident_blocks = -1;
	winner.facts.occupancy = NAN;
	strcpy(winner.facts.limiting_factor, "");
	baseline = add(record, evaluation("mini", "{\"A\": 1}", 5e6, 8e9, 2e9));
	best(record, "mini", add(record, winner), baseline, 1e6, 5, "");
}

static void write_older_record(int version)
{
	OWNED(at_sqlite_close) struct at_sqlite *database;
	OWNED(free) char *sql;
	char *directory;
	OWNED(free) char *path;
	char name[64];

	snprintf(name, sizeof(name), "version_%d", version);
	directory = executable_path(name);
	assert_ok(at_directory_make(directory, &failure));
	path = at_path_join(directory, "autotune.db");
	snprintf(name, sizeof(name), "/data/record/version_%d.sql", version);
	free(directory);
	directory = at_path_join(AT_TEST_DIR, name + 1);
	sql = file_text(directory);
	assert_ok(at_sqlite_open(path, &database, &failure));
	assert_ok(at_sqlite_execute(database, sql, &failure));
	free(directory);
}

static int make_record(void **state)
{
	struct record record = { 0 };
	OWNED(free) char *directory;

	executable_begin(state);
	directory = executable_path("results");
	assert_ok(at_store_open(directory, &record.store, &failure));
	fill_h200(&record);
	fill_h100(&record);
	fill_host(&record);
	at_store_close(record.store);
	for (int version = 1; version <= 5; version++)
		write_older_record(version);
	return 0;
}

/* Winners and their reasons, tables, JSON, what is not there, records of older
 * versions. */
TEST(shows_what_the_golden_has)
{
	executable_compare("results", NULL);
}

RUN_SUITE(make_record, executable_end)
