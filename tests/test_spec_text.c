/* Uses of a loaded space: --set, slots, texts, budgets. */
#include "suite.h"

#include "kernel/source.h"
#include "space/spec.h"

static const char space[] =
	"parameters: {\n"
	"  TILE = [ 1, 2, 4, 8 ];\n"
	"  RATIO = [ 0.5, 1.0 ];\n"
	"  LDG = [ false, true ];\n"
	"  CACHE = [ \"ca\", \"cg\", \"cs\" ];\n"
	"};\n"
	"defaults: { TILE = 4; RATIO = 0.5; LDG = true; CACHE = \"cg\"; };\n"
	"problems = ( { name = \"small\"; N = 64; Z = 0; H = 0.5; },\n"
	"  { name = \"large\"; N = 4096; } );\n"
	"verify: { problems = ( { Z = 3; } ); };\n";

static int set_up(void **state)
{
	struct at_spec *spec = NULL;

	assert_ok(at_spec_parse(
		space, sizeof(space) - 1, "s/space.cfg", &spec, &failure));
	*state = spec;
	return 0;
}

static int tear_down(void **state)
{
	at_spec_free(*state);
	return 0;
}

#define WITH_SPACE(name) TEST_WITH(name, set_up, tear_down)

static void assert_configuration(
	const struct at_spec *spec, const uint16_t *indices, const char *expected)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_configuration_format(spec, indices, &text);
	assert_string_equal(at_strbuf_text(&text), expected);
}

WITH_SPACE(writes_configurations_in_the_order_of_the_file)
{
	static const uint16_t indices[] = { 3, 0, 1, 2 };

	assert_configuration(*state, indices, "TILE=8 RATIO=0.5 LDG=true CACHE=cs");
}

/*
 * --set
 */

WITH_SPACE(keeps_only_the_values_that_are_set)
{
	struct at_spec *spec = *state;

	assert_ok(at_spec_restrict(spec, "TILE=8,2", NULL));
	assert_int_equal(spec->parameters[0].value_count, 2);
	assert_int_equal(spec->parameters[0].values[0].integer, 2);
	assert_int_equal(spec->parameters[0].values[1].integer, 8);
	assert_ok(at_spec_restrict(spec, "RATIO=1", NULL));
	assert_true(spec->parameters[1].values[0].real == 1.0);
	assert_ok(at_spec_restrict(spec, "LDG=1", NULL));
	assert_int_equal(spec->parameters[2].values[0].integer, 1);
	assert_ok(at_spec_restrict(spec, "CACHE=cs,cg", NULL));
	assert_string_equal(spec->parameters[3].values[1].word, "cs");
}

/* else a restricted run would find nothing of what the whole one recorded */
WITH_SPACE(makes_the_same_source_with_fewer_values)
{
	struct at_spec *spec = *state;
	RELEASED(at_strbuf_release) struct at_strbuf whole = { 0 }, restricted = { 0 };

	at_source_write_macros(spec, (const uint16_t[]){ 1, 1, 0, 2 }, &whole);
	assert_non_null(strstr(at_strbuf_text(&whole), "#define CACHE CACHE_cs\n"));
	assert_ok(at_spec_restrict(spec, "CACHE=cg,cs", NULL));
	assert_ok(at_spec_restrict(spec, "CACHE=cs", NULL));
	assert_ok(at_spec_restrict(spec, "TILE=2", NULL));
	at_source_write_macros(spec, (const uint16_t[]){ 0, 1, 0, 0 }, &restricted);
	assert_string_equal(at_strbuf_text(&restricted), at_strbuf_text(&whole));
}

WITH_SPACE(keeps_a_default_or_moves_it_to_the_first_value_kept)
{
	struct at_spec *spec = *state;

	assert_configuration(
		spec, spec->defaults, "TILE=4 RATIO=0.5 LDG=true CACHE=cg");
	at_spec_restrict(spec, "TILE=2,8", NULL);
	at_spec_restrict(spec, "LDG=true", NULL);
	at_spec_restrict(spec, "CACHE=ca,cg", NULL);
	assert_configuration(
		spec, spec->defaults, "TILE=2 RATIO=0.5 LDG=true CACHE=cg");
}

/*
 * Copies.
 */

WITH_SPACE(restricts_a_copy_and_leaves_the_original_whole)
{
	struct at_spec *spec = *state, *copy = NULL;

	at_spec_copy(spec, &copy);
	assert_ok(at_spec_restrict(copy, "TILE=8,2", NULL));
	assert_ok(at_spec_restrict(copy, "CACHE=cs", NULL));
	assert_configuration(
		copy, copy->defaults, "TILE=2 RATIO=0.5 LDG=true CACHE=cs");
	assert_int_equal(spec->parameters[0].value_count, 4);
	assert_int_equal(spec->parameters[3].value_count, 3);
	assert_null(spec->parameters[0].all);
	assert_configuration(
		spec, spec->defaults, "TILE=4 RATIO=0.5 LDG=true CACHE=cg");
	/* and the other way round */
	assert_ok(at_spec_restrict(spec, "TILE=1", NULL));
	assert_int_equal(copy->parameters[0].value_count, 2);
	assert_int_equal(copy->parameters[0].values[1].integer, 8);
	at_spec_free(copy);
}

WITH_SPACE(copies_what_is_restricted_already)
{
	struct at_spec *spec = *state, *copy = NULL;

	assert_ok(at_spec_restrict(spec, "CACHE=ca,cg", NULL));
	at_spec_copy(spec, &copy);
	assert_ptr_not_equal(copy->parameters[3].values, spec->parameters[3].values);
	assert_ok(at_spec_restrict(copy, "CACHE=ca", NULL));
	assert_int_equal(copy->parameters[3].all_count, 3);
	assert_string_equal(copy->parameters[3].all[2].word, "cs");
	assert_int_equal(spec->parameters[3].value_count, 2);
	assert_configuration(
		spec, spec->defaults, "TILE=4 RATIO=0.5 LDG=true CACHE=cg");
	at_spec_free(copy);
}

/* With the sanitizers this shows that each part is freed once, by the last. */
TEST(frees_copies_in_any_order)
{
	for (int first = 0; first < 3; first++) {
		struct at_spec *specs[3] = { NULL };

		assert_ok(at_spec_parse(
			space, sizeof(space) - 1, "s/space.cfg", &specs[0], NULL));
		at_spec_copy(specs[0], &specs[1]);
		at_spec_restrict(specs[1], "CACHE=cg", NULL);
		at_spec_copy(specs[1], &specs[2]);
		assert_ptr_equal(specs[2]->problems, specs[0]->problems);
		at_spec_free(specs[first]);
		at_spec_free(specs[(first + 1) % 3]);
		assert_string_equal(specs[(first + 2) % 3]->problems[1].name, "large");
		assert_string_equal(
			specs[(first + 2) % 3]->parameters[3].name, "CACHE");
		at_spec_free(specs[(first + 2) % 3]);
	}
}

WITH_SPACE(refuses_to_set_what_is_not_there)
{
	static const struct {
		const char *text;
		const char *expected;
	} rows[] = {
		{ "TILE",
			"\"TILE\": expected PARAMETER=VALUE or PARAMETER=VALUE,VALUE" },
		{ "TILES=1", "unknown parameter \"TILES\", did you mean \"TILE\"?" },
		{ "X=1",
			"unknown parameter \"X\", expected TILE, RATIO, LDG or CACHE" },
		{ "=1", "unknown parameter \"\", expected TILE, RATIO, LDG or CACHE" },
		{ "TILE=3",
			"parameter \"TILE\" has no value \"3\": expected some of 1, 2, 4, 8" },
		{ "TILE=1,",
			"parameter \"TILE\" has no value \"\": expected some of 1, 2, 4, 8" },
		{ "TILE=1,x",
			"parameter \"TILE\" has no value \"x\": expected some of 1, 2, 4, 8" },
		{ "TILE=[4,8]",
			"parameter \"TILE\" has no value \"[4\": expected some of 1, 2, 4, 8; values are written without brackets, as in 4,8" },
		{ "TILE=4,4", "value \"4\" of parameter \"TILE\" is given twice" },
		{ "CACHE=",
			"parameter \"CACHE\" has no value \"\": expected some of ca, cg, cs" },
	};
	struct at_spec *spec = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_fails(at_spec_restrict(spec, rows[i].text, &failure), AT_EINVAL,
			rows[i].expected);
		assert_string_equal(failure.file, "s/space.cfg");
		assert_int_equal(spec->parameters[0].value_count, 4);
	}
}

WITH_SPACE(what_was_left_out_before_is_told_as_such)
{
	struct at_spec *spec = *state;

	assert_ok(at_spec_restrict(spec, "TILE=1,2", &failure));
	assert_fails(at_spec_restrict(spec, "TILE=4", &failure), AT_EINVAL,
		"parameter \"TILE\" was given 1, 2 before, which leaves no value \"4\": name all values at once, with commas between them");
	assert_int_equal(spec->parameters[0].value_count, 2);
}

/*
 * Problems and slots.
 */

static struct at_value *bind(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_problem *base,
	const struct at_properties *properties)
{
	struct at_value *slots = calloc(spec->slot_count, sizeof(*slots));

	assert_non_null(slots);
	at_spec_bind(spec, problem, base, properties, slots);
	return slots;
}

WITH_SPACE(binds_sizes_then_properties)
{
	const struct at_spec *spec = *state;
	struct at_properties properties = { 0 };
	OWNED(free) struct at_value *slots;

	at_properties_set(&properties, AT_PROPERTY_WARP_SIZE, 32);
	slots = bind(spec, &spec->problems[0], NULL, &properties);
	assert_int_equal(spec->slot_count, 4 + 3 + AT_PROPERTY_COUNT);
	assert_int_equal(slots[0].type, AT_TYPE_NONE);
	assert_int_equal(slots[4].integer, 64);
	assert_true(slots[6].real == 0.5);
	assert_int_equal(slots[7 + AT_PROPERTY_WARP_SIZE].integer, 32);
	assert_int_equal(slots[7 + AT_PROPERTY_L2_BYTES].type, AT_TYPE_NONE);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	assert_int_equal(slots[0].integer, 4);
	assert_string_equal(slots[3].word, "cg");
	assert_string_equal(at_spec_slot_name(spec, 3), "CACHE");
	assert_string_equal(at_spec_slot_name(spec, 4), "N");
	assert_string_equal(
		at_spec_slot_name(spec, 7 + AT_PROPERTY_L2_BYTES), "device.l2_bytes");
}

WITH_SPACE(takes_sizes_not_given_from_the_base)
{
	const struct at_spec *spec = *state;
	struct at_value *slots =
		bind(spec, spec->verify.problems, &spec->problems[0], NULL);

	assert_int_equal(slots[4].integer, 64);
	assert_int_equal(slots[5].integer, 3);
	free(slots);
	slots = bind(spec, &spec->problems[1], NULL, NULL);
	assert_int_equal(slots[5].type, AT_TYPE_NONE);
	assert_int_equal(slots[7].type, AT_TYPE_NONE);
	free(slots);
}

/*
 * Evaluation.
 */

static struct at_names names_of(const struct at_spec *spec, struct at_name *items)
{
	for (int i = 0; (size_t)i < spec->slot_count; i++)
		items[i] = (struct at_name){ at_spec_slot_name(spec, i), AT_TYPE_NONE };
	return (struct at_names){ .count = spec->slot_count, .items = items };
}

WITH_SPACE(evaluates_integers_within_bounds)
{
	static const struct {
		const char *text;
		int64_t value;
		const char *error; /* NULL: none, and this value */
	} rows[] = {
		{ "N / TILE", 16, NULL },
		{ "2.0 * N", 128, NULL },
		{ "LDG * 2", 2, NULL },
		{ "LDG", 0, "grid: \"LDG\" is true: expected a number" },
		{ "N * 100", 0, "grid: \"N * 100\" is 6400: expected 1 to 4096" },
		{ "Z", 0, "grid: \"Z\" is 0: expected 1 to 4096" },
		{ "N * RATIO + 0.25", 0,
			"grid: \"N * RATIO + 0.25\" is 32.25: expected a whole number" },
		{ "1e300", 0, "grid: \"1e300\" is 1e+300: expected a whole number" },
		{ "N / Z", 0, "grid: \"N / Z\" divides by zero" },
		{ "device.l2_bytes", 0,
			"grid: \"device.l2_bytes\" uses device.l2_bytes, which this device does not have" },
	};
	const struct at_spec *spec = *state;
	struct at_name items[64];
	struct at_names names = names_of(spec, items);
	OWNED(free) struct at_value *slots = bind(spec, &spec->problems[0], NULL, NULL);

	at_spec_bind_configuration(spec, spec->defaults, slots);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OWNED(at_expression_free) struct at_expression *expression = NULL;
		struct at_error err = { 0 };
		int64_t value = 0;

		assert_ok(at_expression_compile(
			rows[i].text, "s", 1, &names, &expression, NULL));
		at_spec_integer(
			spec, expression, slots, "grid", 7, 1, 4096, &value, &err);
		assert_string_equal(err.text, rows[i].error ? rows[i].error : "");
		assert_int_equal(err.line, rows[i].error ? 7 : 0);
		assert_int_equal(value, rows[i].value);
	}
}

WITH_SPACE(evaluates_reals)
{
	const struct at_spec *spec = *state;
	struct at_name items[64];
	struct at_names names = names_of(spec, items);
	OWNED(free) struct at_value *slots = bind(spec, &spec->problems[1], NULL, NULL);
	struct at_expression *expression = NULL;
	double value = 0;

	at_expression_compile("N", "s", 1, &names, &expression, NULL);
	assert_ok(at_spec_real(spec, expression, slots, "flops", 7, &value, &failure));
	assert_true(value == 4096.0);
	at_expression_free(expression);
	at_expression_compile("H + TILE", "s", 1, &names, &expression, NULL);
	assert_fails(
		at_spec_real(spec, expression, slots, "flops", 7, &value, &failure),
		AT_EINVAL,
		"flops: \"H + TILE\" uses H, a size that this problem does not give");
	assert_string_equal(failure.file, "s/space.cfg");
	at_expression_free(expression);
}

/*
 * ${NAME}
 */

WITH_SPACE(substitutes_values_for_names)
{
	static const struct {
		const char *text;
		const char *expected;
	} rows[] = {
		{ "-dlcm=${CACHE}", "-dlcm=cg" },
		{ "${TILE}${LDG}-${RATIO}", "41-0.5" },
		{ "$N {N} $${N}$", "$N {N} $64$" },
		{ "${device.warp_size}", "32" },
		{ "", "" },
	};
	const struct at_spec *spec = *state;
	struct at_properties properties = { 0 };
	OWNED(free) struct at_value *slots;

	at_properties_set(&properties, AT_PROPERTY_WARP_SIZE, 32);
	slots = bind(spec, &spec->problems[0], NULL, &properties);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };

		assert_ok(at_spec_substitute(spec, rows[i].text, 1, slots, &out, NULL));
		assert_string_equal(at_strbuf_text(&out), rows[i].expected);
	}
}

WITH_SPACE(refuses_to_substitute_what_has_no_value)
{
	static const char *const texts[] = { "${NOWHERE}", "${N", "${device.l2_bytes}",
		"${}" };
	const struct at_spec *spec = *state;
	OWNED(free) struct at_value *slots = bind(spec, &spec->problems[0], NULL, NULL);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };
		struct at_error err = { 0 };

		assert_int_equal(
			at_spec_substitute(spec, texts[i], 9, slots, &out, &err),
			AT_EINVAL);
		assert_int_equal(err.line, 9);
		assert_non_null(strstr(err.text, texts[i]));
	}
}

/*
 * Budgets.
 */

TEST(reads_budgets)
{
	static const struct {
		const char *text;
		uint64_t evaluations;
		double seconds;
	} rows[] = {
		{ "200", 200, 0 },
		{ "90s", 0, 90 },
		{ "10m", 0, 600 },
		{ "2h", 0, 7200 },
		{ "1.5h", 0, 5400 },
		{ "200,10m", 200, 600 },
		{ "10m, 200", 200, 600 },
		{ "9223372036854775807", INT64_MAX, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t evaluations = 7;
		double seconds = 7;

		assert_ok(at_budget_parse(rows[i].text, &evaluations, &seconds, NULL));
		assert_int_equal(evaluations, rows[i].evaluations);
		assert_true(seconds == rows[i].seconds);
	}
}

TEST(says_which_budget_was_meant)
{
	static const struct {
		const char *text;
		const char *meant;
	} rows[] = {
		{ "10 m", "\"10m\"" },
		{ "10 Minutes", "\"10m\"" },
		{ "1h30m", "\"90m\"" },
		{ "1 hour 30 min 5 s", "\"5405s\"" },
		{ "2d", "\"48h\"" },
		{ "200,5min", "\"5m\"" },
		{ "1.5 hours", "\"90m\"" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t evaluations;
		double seconds;

		assert_fails_with(
			at_budget_parse(rows[i].text, &evaluations, &seconds, &failure),
			AT_EINVAL, "did you mean");
		assert_non_null(strstr(failure.text, rows[i].meant));
	}
}

TEST(refuses_what_is_no_budget)
{
	static const char *const texts[] = { "", "0", "-5", "0s", "5,5", "5s,5m", ",",
		"5,", "m", "1e3", "1e999s", "nan", "infs", "5,5s,5",
		"99999999999999999999" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct at_error err = { 0 };
		uint64_t evaluations;
		double seconds;
		enum at_status status =
			at_budget_parse(texts[i], &evaluations, &seconds, &err);

		if (status != AT_EINVAL)
			fail_msg("\"%s\" was accepted", texts[i]);
		assert_non_null(strstr(err.text, "expected evaluations"));
		assert_string_equal(err.file, "");
	}
}

RUN_SUITE(NULL, NULL)
