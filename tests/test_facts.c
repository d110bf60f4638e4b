/* Facts of a kernel that are known before it runs, and how they are written. */
#include "kernel/facts.h"
#include "record/evaluation_json.h"

#include "suite.h"

static const struct at_kernel_facts kernel = {
	.registers = 40,
	.local_bytes = 16,
	.spill_store_bytes = 8,
	.spill_load_bytes = 12,
	.shared_bytes = 1024,
};
static const struct at_geometry geometry = {
	.grid = { 100, 10, 2 }, .block = { 32, 4, 2 }, .shared_bytes = 512
};
static const struct at_occupancy occupancy = {
	.blocks = 4, .fraction = 0.5, .limits = AT_LIMIT_REGISTERS | AT_LIMIT_BLOCKS
};

static void assert_json(struct at_json *json, const char *expected)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_json_write(json, 0, &text);
	assert_string_equal(at_strbuf_text(&text), expected);
	at_json_free(json);
}

static void assert_facts(const struct at_facts *facts, const char *expected)
{
	struct at_json *json = at_json_object();

	at_json_set_facts(json, facts);
	assert_json(json, expected);
}

#define NOT_COMPILED \
	"\"registers\": null, \"local_bytes\": null, \"spill_store_bytes\": null, \"spill_load_bytes\": null, \"shared_bytes\": null, "
#define NO_OCCUPANCY \
	"\"resident_blocks\": null, \"occupancy\": null, \"limiting_factor\": null, "

TEST(tells_what_each_source_knows)
{
	struct at_kernel_facts host = kernel;
	struct at_facts facts;

	host.registers = host.local_bytes = host.shared_bytes = -1;
	host.spill_store_bytes = host.spill_load_bytes = -1;
	at_facts_fill(&facts, &kernel, &geometry, &occupancy, 77);
	assert_facts(&facts,
		"{\"registers\": 40, \"local_bytes\": 16, \"spill_store_bytes\": 8, \"spill_load_bytes\": 12, \"shared_bytes\": 1536, \"threads_per_block\": 256, \"blocks\": 2000, \"resident_blocks\": 4, \"occupancy\": 0.5, \"limiting_factor\": \"registers, blocks\", \"compile_ns\": 77}");
	/* where the static part is not known, the sum is not */
	at_facts_fill(&facts, &host, &geometry, NULL, 0);
	assert_facts(&facts,
		"{" NOT_COMPILED
		"\"threads_per_block\": 256, \"blocks\": 2000, " NO_OCCUPANCY
		"\"compile_ns\": 0}");
	at_facts_fill(&facts, NULL, NULL, NULL, -7);
	assert_facts(&facts,
		"{" NOT_COMPILED
		"\"threads_per_block\": null, \"blocks\": null, " NO_OCCUPANCY
		"\"compile_ns\": null}");
	assert_facts(NULL,
		"{" NOT_COMPILED
		"\"threads_per_block\": null, \"blocks\": null, " NO_OCCUPANCY
		"\"compile_ns\": null}");
}

TEST(counts_the_blocks_of_the_largest_launch)
{
	const struct at_geometry largest = { .grid = { 2147483647, 65535, 65535 },
		.block = { 1024, 1, 1 } };
	struct at_facts facts;

	at_facts_fill(&facts, NULL, &largest, NULL, -1);
	assert_true(facts.blocks == INT64_C(2147483647) * 65535 * 65535);
}

TEST(has_room_for_every_limiting_factor)
{
	struct at_occupancy all = { .blocks = 1, .fraction = 1 };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_facts facts;

#define LIMIT(symbol, bit, text) all.limits |= bit;
	AT_LIMITS(LIMIT)
	at_occupancy_limits_text(all.limits, &text);
	at_facts_fill(&facts, NULL, NULL, &all, -1);
	assert_string_equal(facts.limiting_factor, at_strbuf_text(&text));
}

TEST(resources_are_what_a_second_compilation_does_not_change)
{
	struct at_facts facts;

	at_facts_fill(&facts, &kernel, &geometry, &occupancy, 77);
	assert_json(at_json_resources(&facts),
		"{\"registers\": 40, \"local_bytes\": 16, \"spill_store_bytes\": 8, \"spill_load_bytes\": 12, \"shared_bytes\": 1536, \"threads_per_block\": 256, \"blocks\": 2000, \"occupancy\": {\"resident_blocks\": 4, \"fraction\": 0.5, \"limiting_factor\": \"registers, blocks\"}}");
	at_facts_fill(&facts, NULL, NULL, NULL, -1);
	assert_json(at_json_resources(&facts),
		"{" NOT_COMPILED
		"\"threads_per_block\": null, \"blocks\": null, \"occupancy\": null}");
}

TEST(gives_no_time_of_what_failed)
{
	struct at_evaluation evaluation = { .outcome = AT_OUTCOME_OK,
		.detail = "",
		.time_ns = 10,
		.low_ns = 9,
		.high_ns = 11,
		.measure_ns = 12,
		.facts = AT_FACTS_UNKNOWN };
	OWNED(at_json_free) struct at_json *json = at_json_object();

	at_json_set_evaluation(json, &evaluation);
	assert_json(json,
		"{\"outcome\": \"ok\", \"detail\": \"\", \"time_ns\": 10.0, \"low_ns\": 9.0, \"high_ns\": 11.0, \"raced\": false, " NOT_COMPILED
		"\"threads_per_block\": null, \"blocks\": null, " NO_OCCUPANCY
		"\"compile_ns\": null, \"measure_ns\": 12}");
	evaluation.outcome = AT_OUTCOME_WRONG_RESULT;
	json = at_json_object();
	at_json_set_evaluation(json, &evaluation);
	assert_string_equal(at_json_text(at_json_get(json, "outcome")), "wrong_result");
	assert_true(isnan(at_json_number(at_json_get(json, "time_ns"), NAN)));
	assert_true(isnan(at_json_number(at_json_get(json, "low_ns"), NAN)));
	assert_true(isnan(at_json_number(at_json_get(json, "high_ns"), NAN)));
}

TEST(writes_a_winner_that_is_not_there_as_null)
{
	const struct at_winner best = { .launch = "{\"block\": [16]}",
		.options = "[\"-O3\"]",
		.toolchain = "NVRTC 13.0",
		.driver = "580.1",
		.gains = "no JSON" };
	struct at_json *json = at_json_object();

	at_json_set_winner(json, &best);
	assert_json(json,
		"{\"verified\": true, \"objective\": null, \"gains\": null, \"measurement\": null, \"verification\": null, \"launch\": {\"block\": [16]}, \"options\": [\"-O3\"], \"toolchain\": \"NVRTC 13.0\", \"driver\": \"580.1\"}");
	json = at_json_object();
	at_json_set_winner(json, NULL);
	assert_json(json,
		"{\"verified\": null, \"objective\": null, \"gains\": null, \"measurement\": null, \"verification\": null, \"launch\": null, \"options\": null, \"toolchain\": null, \"driver\": null}");
}

RUN_SUITE(NULL, NULL)
