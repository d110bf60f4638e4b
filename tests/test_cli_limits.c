/* The texts about what limits a kernel and which parameter mattered. */
#include "cli/words.h"
#include "cli/recorded.h"

#include "base/escape.h"

#include <math.h>

#include "suite.h"

static void assert_text(struct at_strbuf *text, const char *expected)
{
	assert_string_equal(at_strbuf_text(text), expected);
	at_strbuf_release(text);
}

/* ---- numbers and Markdown --------------------------------------------------- */

TEST(keeps_text_from_being_markup)
{
	struct at_strbuf out = { 0 };

	at_escape_markdown(&out, "a|b *c* `d` <e> [f] \\g\nfloats_2_26");
	assert_text(&out, "a\\|b \\*c\\* \\`d\\` \\<e> \\[f] \\\\g floats_2_26");
	at_escape_markdown_code(&out, "a|b\tc*");
	at_escape_markdown_code(&out, "");
	at_escape_markdown_code(&out, "d`e");
	assert_text(&out, "`a\\|b c*``` d`e ``");
}

/* ---- gains ------------------------------------------------------------------ */

#define STEP(name, from, to, share) \
	"{\"to\": {\"" name "\": " to "}, \"from\": {\"" name "\": " from \
	"}, \"time_ns\": 1.5, \"share\": " share "}"

TEST(tells_which_parameter_mattered)
{
	static const struct {
		const char *json;
		const char *plain;
		const char *markdown;
	} rows[] = {
		{ "[" STEP("TILE", "16", "32", "0.71") ", " STEP(
			  "PAD", "0", "1", "0.24") ", " STEP("A", "1", "2",
			  "0.007") ", " STEP("B", "1", "2", "0.0312") "]",
			"TILE 16 -> 32: 5.13x; PAD 0 -> 1: 1.74x; B 1 -> 2: 1.07x; the rest: 1.02x",
			"`TILE` 16 -> 32: 5.13x; `PAD` 0 -> 1: 1.74x; `B` 1 -> 2: 1.07x; the rest: 1.02x" },
		/* together, and every type of value */
		{ "[{\"to\": {\"M\": 8, \"L\": \"soa\", \"R\": 0.5, \"G\": true},"
		  " \"from\": {\"M\": 1, \"L\": \"aos\", \"R\": 2.0, \"G\": false},"
		  " \"time_ns\": 1.5, \"share\": 1.0}]",
			"M 1 -> 8 with L aos -> soa with R 2.0 -> 0.5 with G false -> true: 10.00x",
			"`M` 1 -> 8 with `L` aos -> soa with `R` 2.0 -> 0.5 with `G` false -> true: 10.00x" },
		/* what costs is printed too; a tiny rest is not */
		{ "[" STEP("A", "1", "2", "1.3") ", " STEP(
			  "B", "1", "2", "-0.3") ", " STEP("C", "1", "2", "0.002") "]",
			"A 1 -> 2: 19.95x; B 1 -> 2: 0.50x",
			"`A` 1 -> 2: 19.95x; `B` 1 -> 2: 0.50x" },
		{ "[" STEP("A", "1", "2", "null") "]", "A 1 -> 2", "`A` 1 -> 2" },
		/* words that are markup, or drive a terminal */
		{ "[" STEP("A", "\"x|y\"", "\"\\u001b[2J\"", "1") "]",
			"A x|y ->  [2J: 10.00x", "`A` x\\|y ->  \\[2J: 10.00x" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct at_winner best = { .gains = (char *)rows[i].json,
			.speedup = 10 };
		struct at_strbuf out = { 0 };

		assert_int_equal(at_gains_write(&best, false, &out), AT_GAINS_STEPS);
		assert_text(&out, rows[i].plain);
		assert_int_equal(at_gains_write(&best, true, &out), AT_GAINS_STEPS);
		assert_text(&out, rows[i].markdown);
	}
}

TEST(tells_no_gain_from_one_that_nobody_looked_into)
{
	static const struct {
		const char *json;
		enum at_gains gains;
	} rows[] = { { NULL, AT_GAINS_UNKNOWN }, { "", AT_GAINS_UNKNOWN },
		{ "[{", AT_GAINS_UNKNOWN }, { "[]", AT_GAINS_NOTHING } };
	struct at_strbuf out = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct at_winner best = { .gains = (char *)rows[i].json };

		assert_int_equal(at_gains_write(&best, true, &out), rows[i].gains);
	}
	assert_text(&out, "");
}

/* ---- limits ----------------------------------------------------------------- */

TEST(tells_resources_as_far_as_they_are_known)
{
	static const struct {
		struct at_facts facts;
		const char *text;
	} rows[] = {
		{ { .registers = 31,
			  .spill_store_bytes = 0,
			  .shared_bytes = 8448,
			  .threads_per_block = 256,
			  .resident_blocks = 8,
			  .occupancy = 1,
			  .limiting_factor = "threads" },
			"31 registers, 8.2 KiB shared; 8 blocks of 256 threads on a multiprocessor, occupancy 100 %, limited by threads" },
		{ { .registers = 255,
			  .spill_store_bytes = 40,
			  .shared_bytes = 0,
			  .threads_per_block = 32,
			  .resident_blocks = 1,
			  .occupancy = 0.015625,
			  .limiting_factor = "registers, blocks" },
			"255 registers, 40 B spilled; 1 block of 32 threads on a multiprocessor, occupancy 2 %, limited by registers, blocks" },
		{ { .registers = -1,
			  .shared_bytes = 64,
			  .threads_per_block = -1,
			  .resident_blocks = 4,
			  .occupancy = 0.5 },
			"4 blocks on a multiprocessor, occupancy 50 %" },
		{ { .registers = 31,
			  .shared_bytes = -1,
			  .resident_blocks = -1,
			  .occupancy = NAN },
			"31 registers" },
		{ { .registers = -1, .resident_blocks = -1, .occupancy = NAN }, "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_strbuf out = { 0 };

		at_limits_write_resources(&rows[i].facts, &out);
		assert_text(&out, rows[i].text);
	}
}

static const struct at_ceilings ceilings = { 4.25e12, 60.8e12, 30.4e12 };

/* flops, bytes, time; what is said of them */
static const struct {
	double flops;
	double bytes;
	double time_ns;
	const struct at_ceilings *ceilings;
	bool is_double;
	const char *speed;
} speeds[] = {
	{ 67108864, 536870912, 125000, &ceilings, false,
		"537 GFLOP/s, 4.29 TB/s (101 % of the copy ceiling); 0.125 flop/B, memory-bound (ridge at 14.3 flop/B)" },
	{ 137438953472, 201326592, 3116530, &ceilings, false,
		"44.1 TFLOP/s (73 % of the float FMA ceiling), 64.6 GB/s; 683 flop/B, compute-bound (ridge at 14.3 flop/B)" },
	{ 30.4e9, 0, 2e6, &ceilings, true,
		"15.2 TFLOP/s (50 % of the double FMA ceiling)" },
	{ 0, 4.25e6, 1e9, &ceilings, false, "4.25 MB/s (<0.1 % of the copy ceiling)" },
	/* not measured: which side it is on is not known either */
	{ 8e9, 1e9, 1e6, NULL, false, "8.00 TFLOP/s, 1.00 TB/s; 8 flop/B" },
	{ 0, 1e9, 1e6, NULL, false, "1.00 TB/s" },
	{ NAN, NAN, 1e6, &ceilings, false, "" },
	{ 1e9, 1e9, NAN, NULL, false, "" },
};

TEST(tells_speed_beside_the_ceiling_it_is_under)
{
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		struct at_roofline roofline;
		struct at_strbuf out = { 0 };

		at_roofline(speeds[i].flops, speeds[i].bytes, speeds[i].time_ns,
			speeds[i].ceilings, speeds[i].is_double, &roofline);
		at_limits_write_speed(&roofline, speeds[i].is_double, &out);
		assert_text(&out, speeds[i].speed);
	}
}

TEST(lists_the_ceilings_that_were_measured)
{
	static const struct at_ceilings some = { 4.25e12, NAN, 0 };
	struct at_strbuf out = { 0 };

	at_limits_write_ceilings(&ceilings, &out);
	assert_text(&out,
		"copy 4.25 TB/s, float FMA 60.8 TFLOP/s, double FMA 30.4 TFLOP/s");
	at_limits_write_ceilings(&some, &out);
	assert_text(&out, "copy 4.25 TB/s");
}

/* ---- a group ---------------------------------------------------------------- */

/* A row of the table is another measurement than that of the finals. */
TEST(the_baseline_is_as_fast_as_the_baseline)
{
	struct at_evaluation row = {
		.configuration = "{\"A\": 1}", .outcome = AT_OUTCOME_OK, .time_ns = 1e6
	};
	struct at_group group = { .baseline = 2e6,
		.baseline_configuration = (char *)"{\"A\": 2}" };

	assert_true(at_group_gain(&group, &row) == 2);
	group.baseline_configuration = row.configuration;
	assert_true(at_group_gain(&group, &row) == 1);
	group.baseline = NAN;
	assert_false(isfinite(at_group_gain(&group, &row)));
}

TEST(says_why_there_is_no_winner)
{
	struct at_group group = { .device = { .kind = "cuda" } };

	assert_non_null(
		strstr(at_group_no_winner(&group), "no run came to its finals"));
	group.by_outcome[AT_OUTCOME_CRASHED] = 2;
	assert_string_equal(
		at_group_no_winner(&group), "none: no configuration passed");
	group.by_outcome[AT_OUTCOME_OK] = 1;
	assert_non_null(
		strstr(at_group_no_winner(&group), "no run came to its finals"));
	group.device.kind = "imported";
	assert_non_null(strstr(at_group_no_winner(&group), "imported has no finals"));
}

RUN_SUITE(NULL, NULL)
