/* Fills a record with made-up evaluations, for reports (report_fixture.h). */
#include "report_fixture.h"

#include "base/memory.h"
#include "base/random.h"
#include "record/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGAN 1790000000
/* a number without a factor in common with REPORT_FIXTURE_MOST: steps through all */
#define STRIDE 70001

static const struct {
	const char *name;
	size_t count;
	const char *values[20];
} parameters[] = {
	{ "TILE", 5, { "1", "2", "4", "8", "16" } },
	{ "BLOCK", 6, { "32", "64", "128", "256", "512", "1024" } },
	{ "CACHE", 3, { "\"ca\"", "\"cg\"", "\"cs\"" } },
	{ "PAD", 2, { "false", "true" } },
	{ "UNROLL", 4, { "1", "2", "4", "8" } },
	{ "DEPTH", 8, { "1", "2", "3", "4", "5", "6", "7", "8" } },
	{ "SWIZZLE", 20,
		{ "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
			"13", "14", "15", "16", "17", "18", "19" } },
};

enum { TILE, BLOCK, CACHE };

static void check(enum at_status status, const struct at_error *err)
{
	char text[1400];

	if (!status)
		return;
	fprintf(stderr, "%s\n", at_error_format(err, text, sizeof(text)));
	abort();
}

static void choose(size_t number, size_t *places, struct at_strbuf *json)
{
	at_strbuf_clear(json);
	for (size_t i = 0; i < AT_COUNT_OF(parameters); i++) {
		places[i] = number % parameters[i].count;
		number /= parameters[i].count;
		at_strbuf_addf(json, "%s\"%s\": %s", i ? ", " : "{", parameters[i].name,
			parameters[i].values[places[i]]);
	}
	at_strbuf_add_char(json, '}');
}

static double time_of(const size_t *places, double factor, struct at_random *random)
{
	static const double cache[] = { 1, 1.1, 1.3 };
	double time_ns = 2e6 * factor;

	time_ns *= pow(8, 1 - (double)places[TILE] / 4);
	time_ns *= 1 + fabs((double)places[BLOCK] - 3) / 3;
	return time_ns * cache[places[CACHE]] *
	       (1 + 0.02 * (at_random_unit(random) - 0.5));
}

static void fail_it(
	const struct report_fixture *self, size_t number, struct at_evaluation *row)
{
	static const struct {
		enum at_outcome outcome;
		const char *detail;
	} kinds[] = {
		{ AT_OUTCOME_WRONG_RESULT,
			"C[17] is 3.25, the reference has 3.5: off by 7.7 %" },
		{ AT_OUTCOME_TOO_MANY_RESOURCES,
			"300 KiB of shared memory, and the device has 227 KiB" },
		{ AT_OUTCOME_COMPILE_FAILED,
			"kernel.cu(12): error: identifier \"tile\" is undefined" },
	};
	size_t kind = number / 12 % AT_COUNT_OF(kinds);

	row->outcome = kinds[kind].outcome;
	row->detail = (char *)(self->detail ? self->detail : kinds[kind].detail);
	row->time_ns = row->low_ns = row->high_ns = NAN;
	row->sample_count = 0;
}

static void put_device(
	struct at_store *store, const struct report_fixture *self, int64_t *id)
{
	struct at_error err = { 0 };
	const struct at_record_device device = {
		.kind = (char *)"cuda",
		.model = (char *)self->model,
		.slug = (char *)self->slug,
		.architecture = (char *)"sm_90",
		.driver = (char *)"580.65 (CUDA 13.0)",
		.uuid = (char *)"GPU-1",
	};
	const struct at_record_ceilings ceilings = {
		.ceilings = { 4.25e12, 60.3e12, 30.1e12 },
		.driver = (char *)"580.65",
		.created_seconds = BEGAN,
	};

	check(at_store_put_device(store, &device, id, &err), &err);
	if (self->has_ceilings)
		check(at_store_put_ceilings(store, *id, &ceilings, &err), &err);
}

static void put_winner(struct at_store *store, const struct report_fixture *self,
	int64_t device_id, const struct at_evaluation *winner,
	const struct at_evaluation *baseline)
{
	static const char verification[] =
		"{\"problems\": 3, \"data_sets\": 2, \"patterns\": 10, \"launches\": 66, \"guarded\": true, \"zones\": true, \"crowded\": true, \"passed\": [\"host\"], \"not_run\": {\"racecheck\": \"compute-sanitizer is not installed\"}}";
	double gain = baseline->time_ns / winner->time_ns;
	struct at_strbuf gains = { 0 };
	struct at_error err = { 0 };
	struct at_winner best = {
		.device_id = device_id,
		.space = (char *)self->space,
		.problem = (char *)self->problem,
		.evaluation_id = winner->id,
		.baseline_id = baseline->id,
		.evaluation_count = (int64_t)self->count,
		.ok_count = (int64_t)self->count,
		.objective = &at_objective_time,
		.score = { winner->time_ns, winner->low_ns, winner->high_ns },
		.speedup = gain,
		.speedup_low = 0.99 * gain,
		.speedup_high = 1.01 * gain,
		.baseline_low = 0.99 * baseline->time_ns,
		.baseline_high = 1.01 * baseline->time_ns,
		.measurement =
			(char *)"{\"blocks\": 6, \"samples\": 30, \"energy\": {\"idle_watts\": 70, \"finalists\": ["
				"{\"configuration\": {\"TILE\": 8}, \"time_ns\": 61000, \"energy_joules\": 0.0125, \"on_front\": true},"
				"{\"configuration\": {\"TILE\": 9}, \"time_ns\": 62000, \"energy_joules\": 0.0325, \"on_front\": false}]}}",
		.toolchain = (char *)"NVRTC 13.0",
		.driver = (char *)"580.65 (CUDA 13.0)",
		.source_hash = (char *)"00112233445566778899aabbccddeeff",
		.metrics = (char *)"{}",
		.launch =
			(char *)"{\"block\": [256, 1, 1], \"grid\": [64, 1, 1], \"shared_bytes\": 0}",
		.options = (char *)"[]",
		.verification = (char *)verification,
		.part = (char *)"",
		.created_seconds = BEGAN + 4000,
	};

	at_strbuf_addf(&gains,
		"[{\"from\": {\"TILE\": 1}, \"to\": {\"TILE\": 16}, \"time_ns\": %.17g, \"share\": 0.7}, {\"from\": {\"BLOCK\": 32}, \"to\": {\"BLOCK\": 256}, \"time_ns\": %.17g, \"share\": 0.3}]",
		baseline->time_ns / 8, winner->time_ns);
	best.gains = at_strbuf_detach(&gains);
	check(at_store_put_winner(store, &best, &err), &err);
	free(best.gains);
}

static void put_nights(struct at_store *store, const struct report_fixture *self,
	int64_t device_id, const struct at_evaluation *winner)
{
	struct at_error err = { 0 };
	struct at_random random;

	at_random_init(&random, 5);
	for (size_t i = 0; i < self->nights; i++) {
		bool is_slow = i == self->nights / 2;
		double time_ns = winner->time_ns * (is_slow ? 1.08 : 1) *
				 (1 + 0.006 * (at_random_unit(&random) - 0.5));
		struct at_revisit night = {
			.device_id = device_id,
			.board = (char *)"GPU-1",
			.space = (char *)self->space,
			.problem = (char *)self->problem,
			.configuration = winner->configuration,
			.source_hash = (char *)"00112233445566778899aabbccddeeff",
			.outcome = AT_OUTCOME_OK,
			.detail = (char *)"",
			.verdict = is_slow ? AT_VERDICT_SLOWER : AT_VERDICT_SAME,
			.objective = &at_objective_time,
			.score = { time_ns, 0.997 * time_ns, 1.003 * time_ns },
			.baseline = { 4 * time_ns, 3.98 * time_ns, 4.02 * time_ns },
			.speedup = { 4, 3.98, 4.02 },
			.change = { is_slow ? 1.08 : 1, 0.99, 1.09 },
			.clock_hz = 1755000000,
			.look_count = 1,
			.measurement = (char *)"{}",
			.conditions = (char *)"{\"driver\": \"580.65\"}",
			.created_seconds = BEGAN + 86400 * (int64_t)(i + 1),
		};

		check(at_store_put_revisit(store, &night, &err), &err);
	}
}

/* of the only launch, with this share of the DRAM's ceiling */
#define COUNTERS(share) \
	"[{\"kernel\": \"matmul\"," \
	" \"dram__throughput.avg.pct_of_peak_sustained_elapsed\": " share "}]"

void report_fixture_fill(struct at_store *store, const struct report_fixture *self)
{
	struct at_strbuf json = { 0 }, best_json = { 0 }, baseline_json = { 0 };
	struct at_evaluation best = { .time_ns = INFINITY }, baseline = { 0 };
	struct at_error err = { 0 };
	struct at_random random;
	int64_t device_id;

	at_random_init(&random, 1);
	put_device(store, self, &device_id);
	for (size_t i = 0; i < self->count; i++) {
		size_t number = i * STRIDE % REPORT_FIXTURE_MOST;
		size_t places[AT_COUNT_OF(parameters)];
		struct at_evaluation row = {
			.key = { i + 1, device_id + 1 },
			.device_id = device_id,
			.space = (char *)self->space,
			.problem = (char *)self->problem,
			.problem_json = (char *)"{\"N\": 4096}",
			.detail = (char *)"",
			.log = (char *)"",
			.board = (char *)"GPU-1",
			.counters = (char *)(i ? COUNTERS("93") : COUNTERS("41")),
			.outcome = AT_OUTCOME_OK,
			.launches_per_sample = 1,
			.facts = AT_FACTS_UNKNOWN,
			.flops = 1.2e11,
			.bytes = 2e8,
			.max_relative_error = 0,
			.measure_ns = 1000000,
			.clock_hz = 1755000000,
			.created_seconds = BEGAN + (int64_t)(i / 25),
		};

		choose(number, places, &json);
		row.configuration = json.data;
		row.time_ns =
			time_of(places, self->factor > 0 ? self->factor : 1, &random);
		row.low_ns = 0.99 * row.time_ns;
		row.high_ns = 1.01 * row.time_ns;
		row.facts.registers = 24 + 8 * (int64_t)places[TILE];
		row.facts.shared_bytes = 1024 << places[TILE];
		row.facts.threads_per_block = 32 << places[BLOCK];
		row.facts.resident_blocks = 4;
		row.facts.occupancy = 1 - 0.15 * (double)places[TILE];
		/* the first one is the baseline */
		if (i % 12 == 11)
			fail_it(self, i, &row);
		check(at_store_add(store, &row, &err), &err);
		if (!i) {
			at_strbuf_add(&baseline_json, json.data);
			baseline = row;
			baseline.configuration = baseline_json.data;
		}
		if (row.time_ns < best.time_ns) {
			best = row;
			at_strbuf_clear(&best_json);
			at_strbuf_add(&best_json, json.data);
			best.configuration = best_json.data;
		}
	}
	if (self->count) {
		put_winner(store, self, device_id, &best, &baseline);
		put_nights(store, self, device_id, &best);
	}
	at_strbuf_release(&json);
	at_strbuf_release(&best_json);
	at_strbuf_release(&baseline_json);
}
