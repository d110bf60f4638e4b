/* Search spaces: enumeration and counting against brute force, drawing, memory. */
#include <math.h>

#include "suite.h"

#include "base/random.h"
#include "space/search_space.h"

/* A space and all that enumerating it gave. */
struct enumerated {
	struct at_spec *spec;
	struct at_value *slots;
	struct at_search_space *space;
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

static void run(struct enumerated *self, const struct at_properties *properties)
{
	self->slots = calloc(self->spec->slot_count + 1, sizeof(*self->slots));
	assert_non_null(self->slots);
	at_spec_bind(
		self->spec, &self->spec->problems[0], NULL, properties, self->slots);
	self->status = at_search_space_new(
		self->spec, self->slots, &self->space, &self->statistics, &self->err);
	assert_int_equal(self->status, self->err.status);
}

static struct enumerated enumerate(const char *text)
{
	struct enumerated self = { .spec = parse(text) };

	run(&self, NULL);
	return self;
}

static void release(struct enumerated *self)
{
	at_search_space_free(self->space);
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

/*
 * As the header has it, from the values of the list and the space's own answers; any
 * larger number where it is above `enough`.
 */
static double distance(const struct at_search_space *space, const uint16_t *a,
	const uint16_t *b, double enough)
{
	size_t count = at_search_space_parameter_count(space);
	double sum = 0;

	for (size_t i = 0; i < count && sum <= enough; i++) {
		const struct at_search_parameter *parameter =
			at_search_space_parameter(space, i);

		if (parameter->type == AT_TYPE_WORD)
			sum += a[i] != b[i];
		else if (parameter->value_count > 1)
			sum += abs(a[i] - b[i]) / (double)(parameter->value_count - 1);
	}
	return sum;
}

/* by parameter and by value, each that is_valid() lets through */
static size_t list_neighbours(const struct at_search_space *space,
	const uint16_t *configuration, enum at_neighbours kind,
	bool (*is_valid)(void *context, const uint16_t *configuration), void *context,
	uint16_t *out)
{
	size_t width = at_search_space_parameter_count(space), found = 0;
	OWNED(free) uint16_t *changed = calloc(width, sizeof(*changed));

	assert_non_null(changed);
	memcpy(changed, configuration, width * sizeof(*changed));
	for (size_t i = 0; i < width; i++) {
		const struct at_search_parameter *parameter =
			at_search_space_parameter(space, i);
		bool ordered = parameter->type == AT_TYPE_INTEGER ||
			       parameter->type == AT_TYPE_REAL;
		int below = -1, above = -1;

		for (int pass = 0; pass < 2; pass++)
			for (int j = 0; j < (int)parameter->value_count; j++) {
				changed[i] = (uint16_t)j;
				if (j == configuration[i] ||
					!is_valid(context, changed))
					continue;
				if (pass == 0 && j < configuration[i])
					below = j;
				else if (pass == 0 && above < 0)
					above = j;
				else if (pass == 1 &&
					 (kind == AT_NEIGHBOURS_ANY || !ordered ||
						 j == below || j == above))
					memcpy(out + found++ * width, changed,
						width * sizeof(*changed));
			}
		changed[i] = configuration[i];
	}
	return found;
}

static void assert_neighbours(const struct at_search_space *space,
	const uint16_t *configuration,
	bool (*is_valid)(void *context, const uint16_t *configuration), void *context)
{
	size_t width = at_search_space_parameter_count(space);
	size_t most = at_search_space_neighbours_max(space);
	uint64_t index = at_search_space_find(space, configuration);
	OWNED(free) uint64_t *found = calloc(most + 1, sizeof(*found));
	OWNED(free)
	uint16_t *expected = calloc((most + 1) * width, sizeof(*expected)),
		 *got = calloc(width, sizeof(*got));

	assert_true(found && expected && got);
	for (int kind = 0; kind < 2; kind++) {
		size_t count = at_search_space_neighbours(
			space, index, (enum at_neighbours)kind, found);

		assert_true(count <= most);
		assert_int_equal(count,
			list_neighbours(space, configuration, (enum at_neighbours)kind,
				is_valid, context, expected));
		for (size_t i = 0; i < count; i++) {
			at_search_space_get(space, found[i], got);
			assert_memory_equal(
				got, expected + i * width, width * sizeof(*got));
		}
	}
}

static bool is_found(void *context, const uint16_t *configuration)
{
	return at_search_space_find(context, configuration) != AT_NO_CONFIGURATION;
}

/* every configuration, its neighbours, and what is nearest to some that are not there
 */
static void assert_equals_brute_force(const struct enumerated *self)
{
	const struct at_spec *spec = self->spec;
	size_t width = spec->parameter_count;
	OWNED(free)
	uint16_t *configuration = calloc(width, sizeof(*configuration)),
		 *rows = calloc(
			 at_search_space_count(self->space) + 1, width * sizeof(*rows));
	OWNED(free) uint16_t *got = calloc(width, sizeof(*got));
	size_t count = 0, step = 0;

	assert_true(configuration && rows && got);
	do {
		uint64_t found = at_search_space_find(self->space, configuration);

		at_spec_bind_configuration(spec, configuration, self->slots);
		if (holds(spec, self->slots)) {
			assert_int_equal(found, count);
			at_search_space_get(self->space, count, got);
			assert_memory_equal(got, configuration, width * sizeof(*got));
			memcpy(rows + count++ * width, got, width * sizeof(*got));
		} else {
			assert_true(found == AT_NO_CONFIGURATION);
		}
	} while (advance(spec, configuration));
	assert_int_equal(at_search_space_count(self->space), count);
	assert_int_equal(self->statistics.valid, count);
	do {
		double least = INFINITY;

		/* all of them would take minutes; 7 divides few of the sizes */
		if (count == 0 || step++ % 7)
			continue;
		if (is_found(self->space, configuration))
			assert_neighbours(
				self->space, configuration, is_found, self->space);
		for (uint64_t i = 0; i < count; i++)
			least = fmin(least, distance(self->space, configuration,
						    rows + i * width, least));
		at_search_space_get(self->space,
			at_search_space_nearest(self->space, configuration), got);
		assert_true(distance(self->space, configuration, got, INFINITY) <
			    least + 1e-9);
	} while (advance(spec, configuration));
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
 * only evaluation finds where a ?: hides the type. Such spaces verify nothing.
 */
static bool compiles(const char *text)
{
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	bool valid = !at_spec_parse(text, strlen(text), "test.cfg", &spec, NULL);

	return valid;
}

TEST(finds_what_brute_force_finds)
{
	struct at_random random;
	int empty = 0, divided = 0, checked = 0;

	at_random_init(&random, 2024);
	while (checked < 600) {
		char *text = random_space(&random);
		struct enumerated space;

		assert_non_null(text);
		if (!compiles(text)) {
			free(text);
			continue;
		}
		space = enumerate(text);
		assert_ok(space.status);
		assert_equals_brute_force(&space);
		assert_removed_adds_up(&space);
		checked++;
		empty += space.statistics.valid == 0;
		for (size_t i = 0; i < space.spec->constraint_count; i++)
			divided += space.statistics.divisions_by_zero[i] > 0;
		release(&space);
		free(text);
	}
	/* the generator is worth something only while it makes these */
	assert_true(empty > 20 && empty < 400);
	assert_true(divided > 50);
}

/* what random expressions seldom are: each sign and side of a comparison that is
   solved, guards, conditions inside conditions */
TEST(finds_what_brute_force_finds_of_every_form)
{
	static const char *const constraints[] = { "A * B <= -3", "-3 >= A * B * C",
		"A * B > -5", "-7 < A * C * B", "A * B == -6", "C * A != 6",
		"A * B >= -4 && C * A < -1", "A + B < -2", "2 - A - B >= C",
		"A - B + C == -1", "B - A * 2 <= C - 3", "3 * A + 2 * B - C * 4 > -7",
		"(A + 7) * (B + 7) <= 60 + C", "A == 0 || 6 / A < B",
		"A != 0 && C % A == 0", "C / A > B", "(A > 0 ? B : C) < 2",
		"(A > 0 ? B : C) * A < 5", "(A > B ? C > 0 : A < 0) == (B == 2)",
		"(A > 0 ? B > 1 ? C : A : 3) <= B", "!(A < B) || !(B < C)",
		"min(A, B) * max(B, C) <= -2", "abs(A * B) <= abs(C) + 2",
		"A * 0.5 < B + C * 0.25", "A * B * C * 0 == 0", "A * B + C * A <= 3",
		"(A & 3) + (B | 1) < C", "A + B && B + C", "ceil_div(A, B) == C",
		"A < B == B < C", "A * A + B * B + C * C <= 20" };

	for (size_t i = 0; i < sizeof(constraints) / sizeof(*constraints); i++) {
		static const char *const orders[] = { "A B C", "C B A", "B A C" };

		for (size_t j = 0; j < sizeof(orders) / sizeof(*orders); j++) {
			RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
			RELEASED(release) struct enumerated space;

			at_strbuf_add(&text, "parameters: {");
			for (const char *name = orders[j]; *name; name++)
				if (*name != ' ')
					at_strbuf_addf(&text,
						"%c = [ -5, -3, -2, -1, 0, 1, 2, 4 ]; ",
						*name);
			at_strbuf_addf(
				&text, "};\nconstraints = ( \"%s\" );", constraints[i]);
			space = enumerate(text.data);
			if (space.status)
				fail_msg("%s", space.err.text);
			assert_equals_brute_force(&space);
			assert_removed_adds_up(&space);
		}
	}
}

/* fourteen parameters in one group: more than are ordered exactly */
TEST(finds_what_brute_force_finds_in_a_large_group)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	RELEASED(release) struct enumerated space;

	at_strbuf_add(&text, "parameters: {\n");
	for (int i = 0; i < 14; i++)
		at_strbuf_addf(&text, "P%d = [ 1, 0 ];\n", i);
	at_strbuf_add(&text, "};\nconstraints = (\n");
	for (int i = 13; i > 0; i--)
		at_strbuf_addf(
			&text, "\"P%d + P%d * 2 != %d\",\n", i, (i * 5) % 13, i % 4);
	at_strbuf_add(&text, "\"P0 + P5 + P9 < 3\" );\n");
	space = enumerate(text.data);
	assert_ok(space.status);
	assert_true(space.statistics.valid > 0);
	assert_equals_brute_force(&space);
	assert_removed_adds_up(&space);
}

/* 14 parameters of 32 values: 70 bits a row, and a product beyond 64 bits */
TEST(sorts_rows_that_are_longer_than_a_word)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	RELEASED(release) struct enumerated space;

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
	assert_ok(space.status);
	assert_true(space.statistics.cartesian == UINT64_MAX);
	assert_int_equal(at_search_space_count(space.space), 32);
	for (size_t i = 0; i < 32; i++) {
		uint16_t row[14];

		at_search_space_get(space.space, i, row);
		assert_int_equal(row[13], row[12]);
		assert_int_equal(row[2], row[1]);
		assert_int_equal(row[1] + row[0], 31);
		for (int j = 12; j > 2; j--)
			assert_int_equal(row[j] + row[j - 1], 31);
		assert_int_equal(row[0], i);
		assert_int_equal(at_search_space_find(space.space, row), i);
	}
}

/* ---- published spaces ---- */

TEST(counts_published_spaces_exactly)
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

	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf path = { 0 };
		RELEASED(release) struct enumerated space = { 0 };

		at_strbuf_addf(
			&path, "%s/spaces/published/%s", AT_TEST_DIR, spaces[i].file);
		if (at_spec_load(at_strbuf_text(&path), &space.spec, &space.err))
			fail_msg("%s", space.err.text);
		run(&space, NULL);
		assert_ok(space.status);
		assert_true(space.statistics.cartesian == spaces[i].cartesian);
		assert_true(space.statistics.valid == spaces[i].valid);
		assert_true(at_search_space_count(space.space) == spaces[i].valid);
		assert_removed_adds_up(&space);
		if (i == 0)
			assert_equals_brute_force(&space);
	}
}

/* ---- statistics, limits ---- */

TEST(counts_what_each_constraint_removes)
{
	RELEASED(release)
	struct enumerated space =
		enumerate("parameters: { A = [ 0, 1, 2, 3 ]; B = [ 0, 1, 2 ];"
			  " C = [ 1, 2 ]; };\n"
			  "constraints = ( \"A != 3\", \"6 / B > 3\","
			  " \"A + C < 4\", \"1 < 2\" );");

	assert_int_equal(space.statistics.cartesian, 24);
	assert_int_equal(space.statistics.removed[0], 6); /* A = 3: of 24 a quarter */
	/* of the 18 left, B = 0 divides by zero and B = 2 gives 3 */
	assert_int_equal(space.statistics.removed[1], 12);
	assert_int_equal(space.statistics.divisions_by_zero[1], 6);
	assert_int_equal(space.statistics.removed[2], 1); /* A = 2, C = 2 */
	assert_int_equal(space.statistics.removed[3], 0);
	assert_int_equal(space.statistics.valid, 5);
}

TEST(multiplies_groups_without_walking_their_product)
{
	/* twenty pairs, each with two of four configurations: 2^20 of 2^40 */
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	RELEASED(release) struct enumerated space = { 0 };

	at_strbuf_add(&text, "parameters: {");
	for (int i = 0; i < 20; i++)
		at_strbuf_addf(&text, "A%d = [ 0, 1 ]; B%d = [ 0, 1 ];\n", i, i);
	at_strbuf_add(&text, "};\nconstraints = ( \"A0 != B0\"");
	for (int i = 1; i < 20; i++)
		at_strbuf_addf(&text, ", \"A%d != B%d\"", i, i);
	at_strbuf_add(&text, ");\n");
	space.spec = parse(text.data);
	run(&space, NULL);
	assert_true(space.statistics.cartesian == (uint64_t)1 << 40);
	assert_true(space.statistics.valid == (uint64_t)1 << 20);
	assert_removed_adds_up(&space);
}

TEST(a_space_without_constraints_is_the_product)
{
	struct enumerated space = enumerate("parameters: { A = [ 1, 2 ]; B = [ 5 ];"
					    " C = [ \"x\", \"y\", \"z\" ]; };");

	assert_int_equal(at_search_space_count(space.space), 6);
	assert_equals_brute_force(&space);
	release(&space);
	space = enumerate("parameters: { A = [ 1 ]; };");
	assert_int_equal(at_search_space_count(space.space), 1);
	assert_int_equal(at_search_space_find(space.space, (const uint16_t[]){ 0 }), 0);
	release(&space);
}

TEST(refuses_what_64_bits_do_not_count)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	RELEASED(release) struct enumerated space;

	at_strbuf_add(&text, "parameters: {");
	for (int i = 0; i < 8; i++)
		at_strbuf_addf(&text, "P%d = { from = 1; to = 256; step = 1; };", i);
	at_strbuf_add(&text, "}; constraints = ( \"P0 != P1 || P0 == P1\" );");
	space = enumerate(text.data);
	assert_int_equal(space.status, AT_EOVERFLOW);
	assert_string_equal(space.err.text,
		"the space has more configurations than 64 bits count: constrain it further or shorten its lists of values");
	assert_null(space.space);
}

/* ---- spaces that no list would hold ---- */

static bool is_valid(void *context, const uint16_t *configuration)
{
	struct enumerated *self = context;

	at_spec_bind_configuration(self->spec, configuration, self->slots);
	return holds(self->spec, self->slots);
}

/* What is drawn is valid and is found; so are its neighbours, and no other ones. */
static void assert_drawn(struct enumerated *self, struct at_random *random)
{
	uint64_t index = at_search_space_draw(self->space, random);
	uint16_t configuration[10];

	at_search_space_get(self->space, index, configuration);
	assert_true(is_valid(self, configuration));
	assert_true(at_search_space_find(self->space, configuration) == index);
	assert_true(at_search_space_nearest(self->space, configuration) == index);
	assert_neighbours(self->space, configuration, is_valid, self);
}

/* a parameter whose name, which is in the format, has the values 1 to 16 */
#define UP_TO_16 " = { from = 1; to = 16; step = 1; }; "

static const struct {
	const char *text;
	uint64_t valid; /* 0: known from nowhere */
} large[] = {
	{ "parameters: { A" UP_TO_16 "B" UP_TO_16 "C" UP_TO_16 "D" UP_TO_16 "E" UP_TO_16
	  "F" UP_TO_16 "G" UP_TO_16 "H" UP_TO_16 "I" UP_TO_16 "J" UP_TO_16 "};\n"
	  "constraints = ( \"A * C * E * G <= 500\", \"B % D == 0\", \"D % F == 0\","
	  " \"H + I + J + F <= 30\", \"max(A, J) > 3 || B == 16\" );",
		0 },
	{ "parameters: { A" UP_TO_16 "B" UP_TO_16 "C" UP_TO_16 "D" UP_TO_16 "E" UP_TO_16
	  "F" UP_TO_16 "G" UP_TO_16 "H" UP_TO_16 "I = [ \"x\", \"y\", \"z\" ]; "
	  "J = [ false, true ]; };\n"
	  "constraints = ( \"(I == 'x' ? A * B : A + B) * C <= 300\", \"J || D <= E\","
	  " \"F * G - H > 20 || J && I != 'z'\", \"G % ceil_div(H, 2) == 0\" );",
		0 },
	/* stars and bars: C(16, 8) ways to choose 8 of at least 1 that make 16 or less
	 */
	{ "parameters: { A" UP_TO_16 "B" UP_TO_16 "C" UP_TO_16 "D" UP_TO_16 "E" UP_TO_16
	  "F" UP_TO_16 "G" UP_TO_16 "H" UP_TO_16 "};\n"
	  "constraints = ( \"A + B + C + D + E + F + G + H <= 16\" );",
		12870 },
	/* 16^8 without the diagonals: a chain of neighbours that differ */
	{ "parameters: { A" UP_TO_16 "B" UP_TO_16 "C" UP_TO_16 "D" UP_TO_16 "E" UP_TO_16
	  "F" UP_TO_16 "G" UP_TO_16 "H" UP_TO_16 "};\n"
	  "constraints = ( \"A != B\", \"B != C\", \"C != D\", \"D != E\","
	  " \"E != F\", \"F != G\", \"G != H\" );",
		UINT64_C(2733750000) },
};

TEST(a_large_space_has_what_its_constraints_let_through)
{
	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++) {
		RELEASED(release) struct enumerated space = enumerate(large[i].text);
		size_t width = space.spec->parameter_count;
		uint16_t configuration[10], got[10];
		struct at_random random;
		double valid = 0, share;
		enum { TRIALS = 20000 };

		assert_ok(space.status);
		if (large[i].valid)
			assert_true(space.statistics.valid == large[i].valid);
		assert_removed_adds_up(&space);
		at_random_init(&random, 5);
		for (int trial = 0; trial < 200; trial++)
			assert_drawn(&space, &random);
		/* and what is not drawn is in it as often as is counted: 5 deviations
		 */
		for (int trial = 0; trial < TRIALS; trial++) {
			for (size_t j = 0; j < width; j++)
				configuration[j] = (uint16_t)at_random_below(
					&random, space.spec->parameters[j].value_count);
			assert_true(is_valid(&space, configuration) ==
				    is_found(space.space, configuration));
			valid += is_valid(&space, configuration);
		}
		share = (double)space.statistics.valid /
			(double)space.statistics.cartesian;
		assert_true(
			fabs(valid - TRIALS * share) <= 5 * sqrt(TRIALS * share) + 1);
		/* the first and the last, and ascending order in between */
		for (uint64_t j = 1; j < 1000; j++) {
			uint64_t index = space.statistics.valid / 1000 * j;

			at_search_space_get(space.space, index, configuration);
			at_search_space_get(space.space, index - 1, got);
			for (size_t k = 0; k < width; k++) {
				assert_true(got[k] <= configuration[k]);
				if (got[k] < configuration[k])
					break;
			}
		}
	}
}

/*
 * Of the space of sums every parameter has the value v in as many configurations as 7
 * others make 16 - v or less: C(16 - v, 7). Chi-square over v = 1..9 with 8 degrees of
 * freedom; 0.1 % critical value 26.1.
 */
TEST(draws_every_configuration_equally_often)
{
	static const double ways[] = { 6435, 3432, 1716, 792, 330, 120, 36, 8, 1 };
	enum { DRAWS = 128700 };
	RELEASED(release) struct enumerated space = enumerate(large[2].text);
	struct at_random random;
	double hits[8][9] = { { 0 } };

	at_random_init(&random, 17);
	for (int i = 0; i < DRAWS; i++) {
		uint16_t configuration[8];

		at_search_space_get(space.space,
			at_search_space_draw(space.space, &random), configuration);
		for (int j = 0; j < 8; j++)
			hits[j][configuration[j]]++;
	}
	for (int j = 0; j < 8; j++) {
		double chi = 0;

		for (int v = 0; v < 9; v++) {
			double expected = ways[v] * DRAWS / 12870;

			chi += (hits[j][v] - expected) * (hits[j][v] - expected) /
			       expected;
		}
		assert_true(chi < 26.1);
	}
}

/*
 * A hash of four parameters leaves nothing to be told alike: such a group is walked,
 * and its rows are listed.
 */
TEST(lists_what_states_do_not_condense)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	RELEASED(release) struct enumerated space;
	struct at_random random;

	at_strbuf_add(&text, "parameters: {");
	for (int i = 0; i < 4; i++)
		at_strbuf_addf(&text, "P%d = { from = 1; to = 40; step = 1; };", i);
	at_strbuf_add(&text,
		"Q = [ 1, 2, 3 ]; };\nconstraints = ( \"((P0 * 7919 ^ P1 * 104729 ^ P2 * 1299709) % 60013 * 31 ^ P3 * 15485863) % 7001 == Q\" );");
	space = enumerate(text.data);
	if (space.status)
		fail_msg("%s", space.err.text);
	assert_removed_adds_up(&space);
	assert_in_range(space.statistics.valid, 850, 1350); /* 40^4 * 3 / 7001 */
	at_random_init(&random, 3);
	for (int i = 0; i < 300; i++)
		assert_drawn(&space, &random);
}

/* Parameters of 1 to count that a hash ties together: one of `divisor` is valid. */
static void write_hashed(struct at_strbuf *text, int count, int divisor)
{
	at_strbuf_add(text, "parameters: {");
	for (int i = 0; i < 4; i++)
		at_strbuf_addf(
			text, "P%d = { from = 1; to = %d; step = 1; };", i, count);
	at_strbuf_addf(text,
		"};\ndefaults: { P0 = 3; P1 = 5; P2 = 7; P3 = 11; };\nconstraints = ( \"((P0 * 7919 ^ P1 * 104729 ^ P2 * 1299709) %% 60013 * 31 ^ P3 * 15485863) %% %d == ((3 * 7919 ^ 5 * 104729 ^ 7 * 1299709) %% 60013 * 31 ^ 11 * 15485863) %% %d\" );",
		divisor, divisor);
}

TEST(refuses_what_ties_too_many_values)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	RELEASED(release) struct enumerated space;

	write_hashed(&text, 400, 701);
	space = enumerate(text.data);
	assert_int_equal(space.status, AT_EOVERFLOW);
	assert_int_equal(space.err.status, AT_EOVERFLOW);
	assert_int_equal(space.err.line, 3);
	assert_non_null(strstr(space.err.text,
		"ties the values of P0, P1, P2, P3 so that the 4 parameters that constraints tie together have too many states to count"));
	assert_null(space.space);
}

static enum at_status answer_poll(void *context, struct at_error *err)
{
	++*(int *)context;
	return at_fail(err, AT_EINTERRUPTED, NULL, 0, "that is enough");
}

TEST(ends_when_a_poll_says_so)
{
	int polls = 0;
	const struct at_search_space_options options = { .poll = answer_poll,
		.context = &polls };
	RELEASED(release) struct enumerated space = { 0 };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	write_hashed(&text, 50, 11);
	space.spec = parse(text.data);
	space.slots = calloc(space.spec->slot_count + 1, sizeof(*space.slots));
	assert_non_null(space.slots);
	at_spec_bind(space.spec, &space.spec->problems[0], NULL, NULL, space.slots);
	space.status = at_search_space_new_with(space.spec, space.slots, &options,
		&space.space, &space.statistics, &space.err);
	assert_int_equal(space.status, AT_EINTERRUPTED);
	assert_string_equal(space.err.text, "that is enough");
	assert_int_equal(polls, 1);
	assert_null(space.space);
}

/* As many parameters as a file may have. */
TEST(refuses_a_thousand_parameters_in_seconds)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	RELEASED(release) struct enumerated space;

	at_strbuf_add(&text, "parameters: {");
	for (int i = 0; i < 1000; i++)
		at_strbuf_addf(&text, " P%d = [ 1, 2, 4, 8, 16 ];", i);
	at_strbuf_add(&text, " };\nconstraints = (");
	for (int i = 0; i < 999; i++)
		at_strbuf_addf(&text, "%s\"P%d == P%d || P%d == P%d\"", i ? "," : "", i,
			i + 1, i, (i * 7 + 1) % 1000);
	at_strbuf_add(&text, ");\n");
	space = enumerate(text.data);
	assert_int_equal(space.status, AT_EOVERFLOW);
	assert_non_null(strstr(space.err.text, "the 1000 parameters"));
}

/* ---- rows ---- */

static bool is_row(void *context, const uint16_t *configuration)
{
	/* what is recorded here: three places that add up to an even number */
	return (configuration[0] + configuration[1] + configuration[2]) % 2 == 0;
}

TEST(a_space_of_rows_has_these_rows_in_order)
{
	static const struct at_search_parameter parameters[] = {
		{ "A", AT_TYPE_INTEGER, 5, NULL },
		{ "B", AT_TYPE_WORD, 4, NULL },
		{ "C", AT_TYPE_INTEGER, 3, NULL },
	};
	struct at_search_space *space = NULL;
	uint16_t rows[30][3], got[3];
	size_t count = 0;

	/* from the last to the first */
	for (uint16_t i = 60; i-- > 0;) {
		uint16_t row[] = { i / 12, i / 3 % 4, i % 3 };

		if (is_row(NULL, row))
			memcpy(rows[count++], row, sizeof(row));
	}
	assert_int_equal(count, 30);
	assert_ok(at_search_space_from_rows(
		parameters, 3, rows[0], 30, &space, &failure));
	assert_int_equal(at_search_space_count(space), 30);
	for (size_t i = 0; i < 30; i++) {
		at_search_space_get(space, i, got);
		assert_memory_equal(got, rows[29 - i], sizeof(got));
		assert_int_equal(at_search_space_find(space, got), i);
		assert_neighbours(space, got, is_row, NULL);
	}
	at_search_space_free(space);
	memcpy(rows[7], rows[3], sizeof(rows[3]));
	assert_fails(
		at_search_space_from_rows(parameters, 3, rows[0], 30, &space, &failure),
		AT_EINVAL, "configurations 3 and 7 are the same");
	failure = (struct at_error){ 0 };
	rows[7][2] = 3;
	assert_fails(
		at_search_space_from_rows(parameters, 3, rows[0], 30, &space, &failure),
		AT_EINVAL, "configuration 7 has no value number 3 of C");
	assert_null(space);
	assert_ok(at_search_space_from_rows(parameters, 3, rows[0], 0, &space, NULL));
	assert_int_equal(at_search_space_count(space), 0);
	assert_true(at_search_space_find(space, got) == AT_NO_CONFIGURATION);
	at_search_space_free(space);
}

/* ---- what cannot be evaluated ---- */

TEST(names_the_constraint_that_cannot_be_evaluated)
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

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		RELEASED(release) struct enumerated space = enumerate(cases[i].text);

		assert_int_equal(space.status, AT_EINVAL);
		assert_string_equal(space.err.text, cases[i].message);
		assert_string_equal(space.err.file, "test.cfg");
		assert_int_equal(space.err.line, cases[i].line);
		assert_null(space.space);
		assert_null(space.statistics.removed);
	}
}

TEST(an_error_that_is_never_reached_is_none)
{
	/* by another constraint, in the same one, by a guard on the same names */
	RELEASED(release)
	struct enumerated space = enumerate(
		"parameters: { A = [ 1, 70 ]; B = [ 1, 80 ]; };\n"
		"constraints = ( \"A < 64\", \"1 << A > 0\", \"B > 64 || 1 << B > 0\",\n"
		"\"A + B < 64\", \"1 << A + B > A\" );");

	assert_ok(space.status);
	assert_int_equal(at_search_space_count(space.space), 1);
}

TEST(uses_the_properties_of_the_device)
{
	RELEASED(release)
	struct enumerated space = {
		.spec = parse(
			"parameters: { A = [ 16, 32, 64 ]; B = [ 16, 32, 64 ]; };\n"
			"constraints = ( \"A * B <= device.max_threads_per_block\" );")
	};
	struct at_properties properties;

	assert_true(at_properties_of_architecture("sm_90", &properties));
	run(&space, &properties);
	assert_ok(space.status);
	assert_int_equal(at_search_space_count(space.space), 6);
}

/* ---- empty spaces ---- */

TEST(says_which_constraint_emptied_the_space)
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
		/* the sum's automaton shows it, where rows would take for ever */
		{ "parameters: { A = { from = 1; to = 999; step = 1; };\n"
		  "B = { from = 1; to = 999; step = 1; };\n"
		  "C = { from = 1; to = 999; step = 1; };\n"
		  "D = { from = 1; to = 999; step = 1; }; };\n"
		  "constraints = ( \"A + B + C + D > 9999\",\n\"A < 0\" );",
			5,
			"the space is empty: no configuration satisfies \"A + B + C + D > 9999\"" },
		{ "parameters: { A = { from = 1; to = 110; step = 1; };\n"
		  "B = { from = 1; to = 110; step = 1; };\n"
		  "C = { from = 1; to = 110; step = 1; }; };\n"
		  "constraints = ( \"A + B + C > 4\",\n\"A * B + C > 99999\" );",
			5,
			"the space is empty: no configuration satisfies \"A * B + C > 99999\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		RELEASED(release) struct enumerated space = enumerate(cases[i].text);

		assert_ok(space.status);
		assert_int_equal(space.statistics.valid, 0);
		assert_int_equal(at_search_space_count(space.space), 0);
		assert_true(at_search_space_find(
				    space.space, (const uint16_t[]){ 0, 0, 0, 0 }) ==
			    AT_NO_CONFIGURATION);
		assert_removed_adds_up(&space);
		assert_int_equal(at_enumeration_explain_empty(space.spec,
					 &space.statistics, space.slots, &space.err),
			AT_EINVAL);
		assert_string_equal(space.err.text, cases[i].message);
		assert_int_equal(space.err.line, cases[i].line);
	}
}

TEST(releases_nothing_twice)
{
	RELEASED(release)
	struct enumerated space = enumerate("parameters: { A = [ 1 ]; };");

	at_search_space_free(NULL);
	at_enumeration_release(&space.statistics);
	at_enumeration_release(NULL);
}

RUN_SUITE(NULL, NULL)
