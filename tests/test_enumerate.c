#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "space/enumerate.h"

/* A space and all that enumerating it gave. */
struct enumerated {
	struct at_spec *spec;
	struct at_value *slots;
	struct at_configurations configurations;
	struct at_enumeration statistics;
	struct at_error err;
	enum at_status status;
};

static struct at_spec *parse(const char *text)
{
	struct at_spec *spec = NULL;
	struct at_error err = { 0 };

	if (at_spec_parse(text, strlen(text), "test.cfg", &spec, &err))
		fail_msg("%s\nin\n%s", err.text, text);
	return spec;
}

static void run(struct enumerated *self, const struct at_enumerate_options *options,
	const struct at_properties *properties)
{
	self->slots = calloc(self->spec->slot_count + 1, sizeof(*self->slots));
	assert_non_null(self->slots);
	at_spec_bind(
		self->spec, &self->spec->problems[0], NULL, properties, self->slots);
	self->status = at_enumerate(self->spec, self->slots, options,
		&self->configurations, &self->statistics, &self->err);
	assert_int_equal(self->status, self->err.status);
}

static struct enumerated enumerate(const char *text)
{
	struct enumerated self = { .spec = parse(text) };

	run(&self, &(struct at_enumerate_options){ 0 }, NULL);
	return self;
}

static void release(struct enumerated *self)
{
	at_configurations_release(&self->configurations);
	at_enumeration_release(&self->statistics);
	free(self->slots);
	at_spec_free(self->spec);
}

static void assert_removed_adds_up(const struct enumerated *self)
{
	uint64_t sum = self->statistics.valid;

	for (size_t i = 0; i < self->spec->constraint_count; i++) {
		sum += self->statistics.removed[i];
		assert_true(self->statistics.divisions_by_zero[i] <=
			    self->statistics.removed[i]);
	}
	assert_true(sum == self->statistics.cartesian);
}

static void assert_rows_ascend(const struct at_configurations *configurations)
{
	for (size_t i = 1; i < configurations->count; i++) {
		const uint16_t *row = at_configurations_row(configurations, i);
		const uint16_t *before = at_configurations_row(configurations, i - 1);
		size_t j = 0;

		while (j + 1 < configurations->parameter_count && row[j] == before[j])
			j++;
		assert_true(row[j] > before[j]);
	}
}

/* ---- against brute force ---- */

/* through at_expression_evaluate(), which enumeration does not use */
static bool holds(const struct at_spec *spec, const struct at_value *slots)
{
	for (size_t i = 0; i < spec->constraint_count; i++) {
		struct at_value value;
		enum at_evaluated evaluation = at_expression_evaluate(
			spec->constraints[i].expression, slots, &value, NULL);

		if (evaluation == AT_EVALUATION_DIVISION_BY_ZERO)
			return false;
		assert_int_equal(evaluation, AT_EVALUATION_OK);
		if (value.type == AT_TYPE_REAL ? value.real == 0 : value.integer == 0)
			return false;
	}
	return true;
}

/* the next of the Cartesian product, last parameter fastest; false at its end */
static bool advance(const struct at_spec *spec, uint16_t *configuration)
{
	for (size_t i = spec->parameter_count; i-- > 0;) {
		if (++configuration[i] < spec->parameters[i].value_count)
			return true;
		configuration[i] = 0;
	}
	return false;
}

static void assert_equals_brute_force(const struct enumerated *self)
{
	const struct at_spec *spec = self->spec;
	uint16_t *configuration = calloc(spec->parameter_count, sizeof(*configuration));
	size_t count = 0;

	assert_non_null(configuration);
	do {
		size_t found =
			at_configurations_find(&self->configurations, configuration);

		at_spec_bind_configuration(spec, configuration, self->slots);
		if (holds(spec, self->slots)) {
			assert_int_equal(found, count);
			assert_memory_equal(
				at_configurations_row(&self->configurations, count),
				configuration,
				spec->parameter_count * sizeof(*configuration));
			count++;
		} else {
			assert_true(found == SIZE_MAX);
		}
	} while (advance(spec, configuration));
	assert_int_equal(self->configurations.count, count);
	assert_int_equal(self->statistics.valid, count);
	free(configuration);
}

static void add_random_operand(struct at_random *random, int parameter_count, int depth,
	struct at_strbuf *out);

static void add_random_expression(
	struct at_random *random, int parameter_count, int depth, struct at_strbuf *out)
{
	static const char *const operators[] = { "+", "-", "*", "/", "%", "<",
		"<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^" };
	uint64_t kind = at_random_below(random, 20);

	if (kind == 0) {
		add_random_operand(random, parameter_count, depth, out);
		at_strbuf_add(out, " ? ");
		add_random_operand(random, parameter_count, depth, out);
		at_strbuf_add(out, " : ");
	} else if (kind == 1) {
		at_strbuf_add(out, "!");
	} else if (kind == 2) {
		at_strbuf_add(out, "0.5 * ");
		add_random_operand(random, parameter_count, 0, out);
		at_strbuf_add(out, " < ");
	} else {
		add_random_operand(random, parameter_count, depth, out);
		at_strbuf_addf(out, " %s ", operators[at_random_below(random, 16)]);
	}
	add_random_operand(random, parameter_count, depth, out);
}

static void add_random_operand(
	struct at_random *random, int parameter_count, int depth, struct at_strbuf *out)
{
	if (depth > 0 && at_random_below(random, 3) > 0) {
		at_strbuf_add_char(out, '(');
		add_random_expression(random, parameter_count, depth - 1, out);
		at_strbuf_add_char(out, ')');
	} else if (at_random_below(random, 4) > 0) {
		at_strbuf_addf(
			out, "P%d", (int)at_random_below(random, parameter_count));
	} else {
		at_strbuf_addf(out, "%d", (int)at_random_below(random, 5));
	}
}

static char *random_space(struct at_random *random)
{
	struct at_strbuf out = { 0 };
	int parameter_count = 1 + (int)at_random_below(random, 6);
	int constraint_count = (int)at_random_below(random, 6);

	at_strbuf_add(&out, "parameters: {\n");
	for (int i = 0; i < parameter_count; i++) {
		int values = 1 + (int)at_random_below(random, 5);

		at_strbuf_addf(&out, "P%d = [ ", i);
		/* in no order: 0, 3, 6, 2, 5, 1, 4 from some place on, some negative */
		for (int j = 0, first = (int)at_random_below(random, 7); j < values;
			j++)
			at_strbuf_addf(&out, "%s%d", j ? ", " : "",
				(3 * (first + j)) % 7 - (int)(i % 2));
		at_strbuf_add(&out, " ];\n");
	}
	at_strbuf_add(&out, "};\nconstraints = (");
	for (int i = 0; i < constraint_count; i++) {
		at_strbuf_add(&out, i ? ",\n\"" : "\n\"");
		add_random_expression(random, parameter_count, 2, &out);
		at_strbuf_add_char(&out, '"');
	}
	at_strbuf_add(&out, ");\n");
	return at_strbuf_detach(&out);
}

/*
 * Some expressions cannot be evaluated, such as the remainder of a real, which
 * only evaluation finds where a ?: hides the type. Such spaces prove nothing.
 */
static bool compiles(const char *text)
{
	struct at_spec *spec = NULL;
	bool valid = !at_spec_parse(text, strlen(text), "test.cfg", &spec, NULL);

	at_spec_free(spec);
	return valid;
}

static void finds_what_brute_force_finds(void **state)
{
	struct at_random random;
	int empty = 0, divided = 0, checked = 0;

	(void)state;
	at_random_init(&random, 2024);
	while (checked < 600) {
		char *text = random_space(&random);
		struct enumerated space, counted = { 0 };

		assert_non_null(text);
		if (!compiles(text)) {
			free(text);
			continue;
		}
		space = enumerate(text);
		assert_int_equal(space.status, AT_OK);
		assert_equals_brute_force(&space);
		assert_removed_adds_up(&space);
		counted.spec = parse(text);
		run(&counted, &(struct at_enumerate_options){ .count_only = true },
			NULL);
		assert_null(counted.configurations.indices);
		assert_int_equal(counted.statistics.valid, space.statistics.valid);
		assert_removed_adds_up(&counted);
		checked++;
		empty += space.statistics.valid == 0;
		for (size_t i = 0; i < space.spec->constraint_count; i++)
			divided += space.statistics.divisions_by_zero[i] > 0;
		release(&space);
		release(&counted);
		free(text);
	}
	/* the generator is worth something only while it makes these */
	assert_true(empty > 20 && empty < 400);
	assert_true(divided > 50);
}

/* fourteen parameters in one group: more than are ordered exactly */
static void finds_what_brute_force_finds_in_a_large_group(void **state)
{
	struct at_strbuf text = { 0 };
	struct enumerated space;

	(void)state;
	at_strbuf_add(&text, "parameters: {\n");
	for (int i = 0; i < 14; i++)
		at_strbuf_addf(&text, "P%d = [ 1, 0 ];\n", i);
	at_strbuf_add(&text, "};\nconstraints = (\n");
	for (int i = 13; i > 0; i--)
		at_strbuf_addf(
			&text, "\"P%d + P%d * 2 != %d\",\n", i, (i * 5) % 13, i % 4);
	at_strbuf_add(&text, "\"P0 + P5 + P9 < 3\" );\n");
	space = enumerate(text.data);
	assert_int_equal(space.status, AT_OK);
	assert_true(space.statistics.valid > 0);
	assert_equals_brute_force(&space);
	assert_removed_adds_up(&space);
	release(&space);
	at_strbuf_release(&text);
}

/* 14 parameters of 32 values: 70 bits a row, and a product beyond 64 bits */
static void sorts_rows_that_are_longer_than_a_word(void **state)
{
	struct at_strbuf text = { 0 };
	struct enumerated space;

	(void)state;
	at_strbuf_add(&text, "parameters: {\n");
	for (int i = 0; i < 14; i++)
		at_strbuf_addf(&text, "P%d = { from = 0; to = 31; step = 1; };\n", i);
	/* from the last to the first, so that the walk begins with P12 and P13; the
	   link between P2 and P1 makes P0, in the upper word, fall while P2 rises */
	at_strbuf_add(&text, "};\nconstraints = ( \"P13 == P12\"");
	for (int i = 12; i > 0; i--)
		at_strbuf_addf(&text,
			i == 2 ? ",\n\"P%d == P%d\"" : ",\n\"P%d + P%d == 31\"", i,
			i - 1);
	at_strbuf_add(&text, " );\n");
	space = enumerate(text.data);
	assert_int_equal(space.status, AT_OK);
	assert_true(space.statistics.cartesian == UINT64_MAX);
	assert_int_equal(space.configurations.count, 32);
	assert_rows_ascend(&space.configurations);
	for (size_t i = 0; i < 32; i++) {
		const uint16_t *row = at_configurations_row(&space.configurations, i);

		assert_int_equal(row[13], row[12]);
		assert_int_equal(row[2], row[1]);
		assert_int_equal(row[1] + row[0], 31);
		for (int j = 12; j > 2; j--)
			assert_int_equal(row[j] + row[j - 1], 31);
		assert_int_equal(at_configurations_find(&space.configurations, row), i);
	}
	release(&space);
	at_strbuf_release(&text);
}

/* ---- published spaces ---- */

static void counts_published_spaces_exactly(void **state)
{
	static const struct {
		const char *file;
		uint64_t cartesian;
		uint64_t valid;
	} spaces[] = {
		{ "prl_2x2.cfg", 36864, 1200 },
		{ "dedispersion.cfg", 22272, 11130 },
		{ "gemm.cfg", 663552, 116928 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		struct at_strbuf path = { 0 };
		struct enumerated space = { 0 };

		at_strbuf_addf(
			&path, "%s/spaces/published/%s", AT_TEST_DIR, spaces[i].file);
		if (at_spec_load(at_strbuf_text(&path), &space.spec, &space.err))
			fail_msg("%s", space.err.text);
		run(&space, &(struct at_enumerate_options){ 0 }, NULL);
		assert_int_equal(space.status, AT_OK);
		assert_true(space.statistics.cartesian == spaces[i].cartesian);
		assert_true(space.statistics.valid == spaces[i].valid);
		assert_true(space.configurations.count == spaces[i].valid);
		assert_rows_ascend(&space.configurations);
		assert_removed_adds_up(&space);
		if (i == 0)
			assert_equals_brute_force(&space);
		release(&space);
		at_strbuf_release(&path);
	}
}

/* ---- statistics, limits ---- */

static void counts_what_each_constraint_removes(void **state)
{
	struct enumerated space =
		enumerate("parameters: { A = [ 0, 1, 2, 3 ]; B = [ 0, 1, 2 ];"
			  " C = [ 1, 2 ]; };\n"
			  "constraints = ( \"A != 3\", \"6 / B > 3\","
			  " \"A + C < 4\", \"1 < 2\" );");

	(void)state;
	assert_int_equal(space.statistics.cartesian, 24);
	assert_int_equal(space.statistics.removed[0], 6); /* A = 3: of 24 a quarter */
	/* of the 18 left, B = 0 divides by zero and B = 2 gives 3 */
	assert_int_equal(space.statistics.removed[1], 12);
	assert_int_equal(space.statistics.divisions_by_zero[1], 6);
	assert_int_equal(space.statistics.removed[2], 1); /* A = 2, C = 2 */
	assert_int_equal(space.statistics.removed[3], 0);
	assert_int_equal(space.statistics.valid, 5);
	release(&space);
}

static void multiplies_groups_without_walking_their_product(void **state)
{
	/* twenty pairs, each with two of four configurations: 2^20 of 2^40 */
	struct at_strbuf text = { 0 };
	struct enumerated space = { 0 };

	(void)state;
	at_strbuf_add(&text, "parameters: {");
	for (int i = 0; i < 20; i++)
		at_strbuf_addf(&text, "A%d = [ 0, 1 ]; B%d = [ 0, 1 ];\n", i, i);
	at_strbuf_add(&text, "};\nconstraints = ( \"A0 != B0\"");
	for (int i = 1; i < 20; i++)
		at_strbuf_addf(&text, ", \"A%d != B%d\"", i, i);
	at_strbuf_add(&text, ");\n");
	space.spec = parse(text.data);
	run(&space, &(struct at_enumerate_options){ .count_only = true }, NULL);
	assert_true(space.statistics.cartesian == (uint64_t)1 << 40);
	assert_true(space.statistics.valid == (uint64_t)1 << 20);
	assert_removed_adds_up(&space);
	release(&space);
	at_strbuf_release(&text);
}

static void a_space_without_constraints_is_the_product(void **state)
{
	struct enumerated space = enumerate("parameters: { A = [ 1, 2 ]; B = [ 5 ];"
					    " C = [ \"x\", \"y\", \"z\" ]; };");

	(void)state;
	assert_int_equal(space.configurations.count, 6);
	assert_equals_brute_force(&space);
	release(&space);
	space = enumerate("parameters: { A = [ 1 ]; };");
	assert_int_equal(space.configurations.count, 1);
	assert_int_equal(at_configurations_row(&space.configurations, 0)[0], 0);
	release(&space);
}

static void refuses_more_rows_than_the_limit(void **state)
{
	static const char text[] = "parameters: { A = [ 1, 2, 3 ]; B = [ 1, 2, 3 ];"
				   " C = [ 1, 2 ]; };\n"
				   "constraints = ( \"A != B\" );";
	struct enumerated space = { .spec = parse(text) };

	(void)state;
	run(&space, &(struct at_enumerate_options){ .limit_rows = 12 }, NULL);
	assert_int_equal(space.status, AT_OK);
	assert_int_equal(space.configurations.count, 12);
	release(&space);
	space = (struct enumerated){ .spec = parse(text) };
	run(&space, &(struct at_enumerate_options){ .limit_rows = 11 }, NULL);
	assert_int_equal(space.status, AT_EOVERFLOW);
	assert_string_equal(space.err.text,
		"the space has 12 configurations, more than the 11 that can be kept; constrain it further or shorten its lists of values");
	assert_null(space.configurations.indices);
	release(&space);
	/* the group alone is above the limit already */
	space = (struct enumerated){ .spec = parse(text) };
	run(&space, &(struct at_enumerate_options){ .limit_rows = 2 }, NULL);
	assert_non_null(strstr(space.err.text, "the space has 12 configurations"));
	release(&space);
}

/* ---- what cannot be evaluated ---- */

static void names_the_constraint_that_cannot_be_evaluated(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *message;
	} cases[] = {
		{ "parameters: { A = [ 1, 9223372036854775807 ]; B = [ 1, 2 ]; };\n"
		  "constraints = ( \"A > 0\",\n\"A * B > 0\" );",
			3,
			"constraint \"A * B > 0\" leaves the range of 64 bits with A = 9223372036854775807, B = 2" },
		{ "parameters: { A = [ 4, 0 ]; };\nconstraints = ( \"log2(A) < 3\" );",
			2,
			"constraint \"log2(A) < 3\" calls a function outside its domain with A = 0" },
		{ "problems = ( { name = \"p\"; N = 9223372036854775807; } );\n"
		  "parameters: { A = [ 1, 2 ]; };\nconstraints = ( \"N + 1 > 0\" );",
			3,
			"constraint \"N + 1 > 0\" leaves the range of 64 bits with N = 9223372036854775807" },
		{ "parameters: { A = [ 1, 2 ]; };\n"
		  "constraints = ( \"A < device.warp_size\" );",
			2,
			"constraint \"A < device.warp_size\" uses device.warp_size, which this device does not tell" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct enumerated space = enumerate(cases[i].text);

		assert_int_equal(space.status, AT_EINVAL);
		assert_string_equal(space.err.text, cases[i].message);
		assert_string_equal(space.err.file, "test.cfg");
		assert_int_equal(space.err.line, cases[i].line);
		assert_null(space.configurations.indices);
		assert_null(space.statistics.removed);
		release(&space);
	}
}

static void an_error_that_is_never_reached_is_none(void **state)
{
	/* by another constraint, in the same one, by a guard on the same names */
	struct enumerated space = enumerate(
		"parameters: { A = [ 1, 70 ]; B = [ 1, 80 ]; };\n"
		"constraints = ( \"A < 64\", \"1 << A > 0\", \"B > 64 || 1 << B > 0\",\n"
		"\"A + B < 64\", \"1 << A + B > A\" );");

	(void)state;
	assert_int_equal(space.status, AT_OK);
	assert_int_equal(space.configurations.count, 1);
	release(&space);
}

static void uses_the_properties_of_the_device(void **state)
{
	struct enumerated space = {
		.spec = parse(
			"parameters: { A = [ 16, 32, 64 ]; B = [ 16, 32, 64 ]; };\n"
			"constraints = ( \"A * B <= device.max_threads_per_block\" );")
	};
	struct at_properties properties;

	(void)state;
	assert_true(at_properties_of_architecture("sm_90", &properties));
	run(&space, &(struct at_enumerate_options){ 0 }, &properties);
	assert_int_equal(space.status, AT_OK);
	assert_int_equal(space.configurations.count, 6);
	release(&space);
}

/* ---- empty spaces ---- */

static void says_which_constraint_emptied_the_space(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *message;
	} cases[] = {
		{ "parameters: { A = [ 1, 2 ]; B = [ 1, 2 ]; };\n"
		  "constraints = ( \"A < 2\",\n\"A + B > 9\",\n\"B > 7\" );",
			3,
			"the space is empty: no configuration satisfies \"A + B > 9\"" },
		{ "parameters: { A = [ 1, 2, 3 ]; B = [ 1, 2, 3 ]; };\n"
		  "constraints = ( \"A > B\",\n\"A != 3\",\n\"B != 1\",\n\"A < 3\" );",
			4,
			"the space is empty: no configuration satisfies \"B != 1\" and the constraints before it" },
		{ "problems = ( { name = \"p\"; N = 8; } );\n"
		  "parameters: { A = [ 16, 32 ]; B = [ 1, 2 ]; };\n"
		  "constraints = ( \"N % A == 0\" );",
			3,
			"the space is empty: no configuration satisfies \"N % A == 0\" with N = 8" },
		{ "parameters: { A = [ 1, 2 ]; };\nconstraints = ( \"A / 0 == 1\" );",
			2,
			"the space is empty: no configuration satisfies \"A / 0 == 1\", which divides by zero in 2 of 2" },
		/* what the first alone leaves would take for ever to find out */
		{ "parameters: { A = { from = 1; to = 999; step = 1; };\n"
		  "B = { from = 1; to = 999; step = 1; };\n"
		  "C = { from = 1; to = 999; step = 1; };\n"
		  "D = { from = 1; to = 999; step = 1; }; };\n"
		  "constraints = ( \"A + B + C + D > 9999\",\n\"A < 0\" );",
			6, "the space is empty: no configuration satisfies \"A < 0\"" },
		/* and here both together take long */
		{ "parameters: { A = { from = 1; to = 110; step = 1; };\n"
		  "B = { from = 1; to = 110; step = 1; };\n"
		  "C = { from = 1; to = 110; step = 1; }; };\n"
		  "constraints = ( \"A + B + C > 4\",\n\"A * B + C > 99999\" );",
			5,
			"the space is empty: of 1331000 configurations \"A * B + C > 99999\" is the first to remove 1330996" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct enumerated space = enumerate(cases[i].text);

		assert_int_equal(space.status, AT_OK);
		assert_int_equal(space.statistics.valid, 0);
		assert_int_equal(space.configurations.count, 0);
		assert_true(at_configurations_find(&space.configurations,
				    (const uint16_t[]){ 0, 0, 0, 0 }) == SIZE_MAX);
		assert_removed_adds_up(&space);
		assert_int_equal(at_enumeration_explain_empty(space.spec,
					 &space.statistics, space.slots, &space.err),
			AT_EINVAL);
		assert_string_equal(space.err.text, cases[i].message);
		assert_int_equal(space.err.line, cases[i].line);
		release(&space);
	}
}

static void releases_nothing_twice(void **state)
{
	struct enumerated space = enumerate("parameters: { A = [ 1 ]; };");

	(void)state;
	at_configurations_release(&space.configurations);
	at_configurations_release(&space.configurations);
	at_configurations_release(NULL);
	at_enumeration_release(&space.statistics);
	at_enumeration_release(NULL);
	release(&space);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_brute_force_finds),
		cmocka_unit_test(finds_what_brute_force_finds_in_a_large_group),
		cmocka_unit_test(sorts_rows_that_are_longer_than_a_word),
		cmocka_unit_test(counts_published_spaces_exactly),
		cmocka_unit_test(counts_what_each_constraint_removes),
		cmocka_unit_test(multiplies_groups_without_walking_their_product),
		cmocka_unit_test(a_space_without_constraints_is_the_product),
		cmocka_unit_test(refuses_more_rows_than_the_limit),
		cmocka_unit_test(names_the_constraint_that_cannot_be_evaluated),
		cmocka_unit_test(an_error_that_is_never_reached_is_none),
		cmocka_unit_test(uses_the_properties_of_the_device),
		cmocka_unit_test(says_which_constraint_emptied_the_space),
		cmocka_unit_test(releases_nothing_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
