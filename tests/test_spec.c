/* Loading space files: what is read from them, and the errors in them. */
#include "suite.h"

#include "space/spec.h"

#include <dirent.h>
#include <math.h>
#include <unistd.h>

static struct at_spec *parse(const char *text)
{
	struct at_error err = { 0 };
	struct at_spec *spec = NULL;
	char message[1400];

	if (at_spec_parse(text, strlen(text), "space.cfg", &spec, &err))
		fail_msg("%s", at_error_format(&err, message, sizeof(message)));
	return spec;
}

static void add_remarks(const struct at_spec *spec, char *message, size_t size)
{
	for (size_t i = 0; i < spec->remark_count; i++) {
		size_t length = strlen(message);

		snprintf(message + length, size - length, ", %s:%d: %s", spec->path,
			spec->remarks[i].line, spec->remarks[i].text);
	}
}

/* The message that refuses text; "accepted" if nothing does, with what is odd in it. */
static const char *refusal(const char *text, size_t size)
{
	static char message[1400];
	struct at_error err = { 0 };
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	enum at_status status = at_spec_parse(text, size, "space.cfg", &spec, &err);

	snprintf(message, sizeof(message), "accepted");
	if (status) {
		assert_int_equal(status, err.status);
		assert_null(spec);
		at_error_format(&err, message, sizeof(message));
	} else {
		add_remarks(spec, message, sizeof(message));
	}
	return message;
}

#define FULL AT_TEST_DIR "/spaces/full.cfg"

static void assert_expression(const struct at_expression *expression, const char *text)
{
	assert_non_null(expression);
	assert_string_equal(at_expression_text(expression), text);
}

/*
 * What a spec holds, as text: a line for each thing, with the line of the file that
 * says it. What is absent is left out.
 */

static void add_text(struct at_strbuf *out, const char *label, const char *text)
{
	size_t prefix = strlen(AT_TEST_DIR);

	if (text && !strncmp(text, AT_TEST_DIR, prefix))
		text += prefix;
	if (text)
		at_strbuf_addf(out, " %s \"%s\"", label, text);
}

static void add_expression(struct at_strbuf *out, const char *label,
	const struct at_expression *expression)
{
	add_text(out, label, expression ? at_expression_text(expression) : NULL);
}

static void add_real(struct at_strbuf *out, const char *label, double value)
{
	if (!isnan(value))
		at_strbuf_addf(out, " %s %g", label, value);
}

static void add_call(struct at_strbuf *out, const struct at_call *call)
{
	const struct at_launch *launch = &call->launch;

	at_strbuf_addf(out, "%s:%d", call->name ? call->name : "", call->line);
	add_text(out, "kernel", call->kernel);
	for (size_t i = 0; i < call->argument_count; i++)
		at_strbuf_addf(out, " %zu", call->arguments[i]);
	for (size_t i = 0; i < launch->block_rank; i++)
		add_expression(out, "block", launch->block[i]);
	for (size_t i = 0; i < launch->grid_rank; i++)
		add_expression(out, "grid", launch->grid[i]);
	add_expression(out, "shared", launch->shared_bytes);
	add_expression(out, "when", call->when);
	add_expression(out, "repeat", call->repeat);
	if (call->group)
		at_strbuf_addf(out, " group %zu", call->group);
	add_expression(out, "rounds", call->rounds);
	for (size_t i = 0; i < call->swap_count; i++)
		at_strbuf_addf(out, "%s%zu", i ? " " : " swap ", call->swaps[i]);
	at_strbuf_add_char(out, '\n');
}

static void add_fill(
	struct at_strbuf *out, const char *label, const struct at_fill *fill)
{
	static const char *const kinds[] = { "none", "constant", "uniform", "normal",
		"sequence", "index", "file" };

	if (fill->kind)
		at_strbuf_addf(out, " %s %s", label, kinds[fill->kind]);
	add_expression(out, "a", fill->a);
	add_expression(out, "b", fill->b);
	add_text(out, "file", fill->file);
}

static void add_problem(
	struct at_strbuf *out, const char *label, const struct at_problem *problem)
{
	at_strbuf_addf(out, "%s:%d %s", label, problem->line, problem->name);
	add_text(out, "on", problem->on);
	for (size_t i = 0; i < problem->size_count; i++) {
		at_strbuf_addf(out, " %s=", problem->sizes[i].name);
		at_value_format(problem->sizes[i].value, out);
	}
	at_strbuf_add_char(out, '\n');
}

static void add_argument(struct at_strbuf *out, const struct at_argument *argument)
{
	static const char *const accesses[] = { "scalar", "in", "out", "inout",
		"scratch" };

	at_strbuf_addf(out, "argument:%d %s %s x%d %s", argument->line, argument->name,
		at_element_name(argument->element), argument->lanes,
		accesses[argument->access]);
	add_expression(out, "count", argument->count);
	add_expression(out, "value", argument->value);
	add_fill(out, argument->has_default_fill ? "default fill" : "fill",
		&argument->fill);
	add_expression(out, "from", argument->domain[0]);
	add_expression(out, "to", argument->domain[1]);
	add_text(out, "symbol", argument->symbol);
	add_real(out, "rtol", argument->rtol);
	add_real(out, "atol", argument->atol);
	at_strbuf_add(out, argument->is_fixed ? " fixed\n" : "\n");
}

static void add_parameter(
	struct at_strbuf *out, const struct at_parameter *parameter, size_t index)
{
	at_strbuf_addf(out, "parameter:%d %s %s", parameter->line, parameter->name,
		at_type_name(parameter->type));
	for (size_t i = 0; i < parameter->value_count; i++) {
		at_strbuf_add_char(out, ' ');
		at_value_format(parameter->values[i], out);
		assert_int_equal(parameter->values[i].type, parameter->type);
	}
	at_strbuf_addf(out, " default %zu\n", index);
}

static void add_reference(struct at_strbuf *out, const struct at_reference *reference)
{
	static const char *const kinds[] = { "none", "kernel", "library", "files" };

	at_strbuf_addf(out, "%s ", kinds[reference->kind]);
	add_call(out, &reference->call);
	if (reference->library) {
		add_text(out, "library", reference->library);
		add_text(out, "function", reference->function);
		at_strbuf_add_char(out, '\n');
	}
	for (size_t i = 0; i < reference->file_count; i++)
		at_strbuf_addf(out, "file of %zu %s\n", reference->files[i].argument,
			reference->files[i].path);
}

static void add_verify(struct at_strbuf *out, const struct at_spec *spec)
{
	const struct at_verify *verify = &spec->verify;

	at_strbuf_addf(out, "verify %s", verify->derives_problems ? "derives" : "");
	add_real(out, "rtol", verify->rtol);
	add_real(out, "atol", verify->atol);
	at_strbuf_add_char(out, '\n');
	for (size_t i = 0; i < verify->problem_count; i++)
		add_problem(out, "verify", &verify->problems[i]);
	for (size_t i = 0; i < verify->data_set_count; i++) {
		at_strbuf_addf(out, "data %s", verify->data_sets[i].name);
		for (size_t k = 0; k < spec->argument_count; k++)
			add_fill(out, spec->arguments[k].name,
				&verify->data_sets[i].fills[k]);
		at_strbuf_add_char(out, '\n');
	}
}

/* The caller frees the text. */
static char *text_of_spec(const struct at_spec *spec)
{
	const struct at_search_defaults *search = &spec->search;
	struct at_strbuf text = { 0 }, *out = &text;

	at_strbuf_addf(out, "name %s", spec->name);
	add_text(out, "directory", spec->directory);
	add_text(out, "template", spec->template_path);
	at_strbuf_add_char(out, '\n');
	add_reference(out, &spec->reference);
	for (size_t i = 0; i < spec->call_count; i++)
		add_call(out, &spec->calls[i]);
	for (size_t i = 0; i < spec->problem_count; i++)
		add_problem(out, "problem", &spec->problems[i]);
	for (size_t i = 0; i < spec->parameter_count; i++)
		add_parameter(out, &spec->parameters[i], spec->defaults[i]);
	for (size_t i = 0; i < spec->constraint_count; i++)
		at_strbuf_addf(out, "constraint:%d %s\n", spec->constraints[i].line,
			at_expression_text(spec->constraints[i].expression));
	for (size_t i = 0; i < spec->option_count; i++) {
		at_strbuf_addf(out, "option:%d %s", spec->options[i].line,
			spec->options[i].text);
		add_expression(out, "when", spec->options[i].when);
		at_strbuf_add_char(out, '\n');
	}
	for (size_t i = 0; i < spec->argument_count; i++)
		add_argument(out, &spec->arguments[i]);
	add_verify(out, spec);
	at_strbuf_add(out, "metrics");
	add_expression(out, "flops", spec->flops);
	add_expression(out, "bytes", spec->bytes);
	add_expression(out, "clock", spec->board.clock_mhz);
	add_expression(out, "memory_clock", spec->board.memory_clock_mhz);
	add_expression(out, "power", spec->board.power_watts);
	at_strbuf_add(out, "\nsearch");
	add_text(out, "strategy", search->strategy);
	add_text(out, "budget", search->budget);
	at_strbuf_addf(out, " deadline %g samples %d %d cache %s objective %s\n",
		search->deadline_seconds, search->samples_min, search->samples_max,
		search->cache == AT_CACHE_WARM ? "warm" : "cold",
		search->objective->name);
	return at_strbuf_detach(out);
}

TEST(reads_everything_that_a_file_can_say)
{
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	OWNED(free) char *text, *expected;

	assert_ok(at_spec_load(FULL, &spec, &failure));
	assert_true(spec->has_defaults);
	assert_int_equal(spec->slot_count, 8 + 4 + AT_PROPERTY_COUNT);
	assert_ok(at_spec_require_kernel(spec, NULL));
	expected = file_text(AT_TEST_DIR "/spaces/full.txt");
	text = text_of_spec(spec);
	if (strcmp(text, expected))
		fprintf(stderr, "found\n%s", text); /* cmocka would cut it */
	assert_string_equal(text, expected);
}

#define SEQUENCE(launches) \
	"parameters: { A = 1; };\n" \
	"kernel: { name = \"k\"; template = \"k.cu\"; reference = \"r\"; };\n" \
	"arguments = (\n" \
	"  { name = \"y\"; type = \"int\"; count = 4; access = \"inout\"; },\n" \
	"  { name = \"z\"; type = \"int\"; count = 4; access = \"scratch\"; } );\n" \
	"launches = ( " launches " );"
#define OUTPUT \
	"parameters: { T = 1; };\n" \
	"arguments = ( { name = \"n\"; type = \"int\"; value = 1; },\n" \
	"  { name = \"y\"; type = \"int\"; count = 1; access = \"out\"; } );\n" \
	"kernel: { name = \"k\"; template = \"k.cu\"; reference"
#define STRUCTURE(fill) \
	"parameters: { A = 1; };\n" \
	"types: { Vec = ( \"float x\", \"double y\" ); Cell = ( \"int id\", \"Vec at\" ); };\n" \
	"arguments = ( { name = \"p\"; type = \"Cell\"; count = 4; access = \"in\"; fill = " fill \
	"; } );"
#define RANGE(range) "parameters: { P = { " range " }; };"

TEST(reads_what_little_spaces_say)
{
	static const struct {
		const char *text;
		const char *line; /* of what the spec holds */
	} rows[] = {
		{ "parameters: { A = [ 2, 1 ]; B = [ \"x\" ]; };",
			"name space directory" },
		{ "parameters: { A = 1; };", "\nproblem:0 default\n" },
		{ "parameters: { A = 1; };", "\nverify derives\n" },
		{ "parameters: { A = 1; };", "\nmetrics\n" },
		{ "parameters: { A = 1; }; board: { clock_mhz = \"A\"; memory_clock_mhz = 1593; power_watts = \"100 * A\"; };",
			"\nmetrics clock \"A\" memory_clock \"1593\" power \"100 * A\"\n" },
		{ "parameters: { A = [ 1, 2 ]; B = 7; }; defaults: { A = 2; };",
			"A integer 1 2 default 1\nparameter:1 B integer 7 default 0\n" },
		{ "parameters: { A = 1; }; kernel: { name = \"k\"; template = \"k.cu\"; };",
			"template \"k.cu\"\nnone :0\nlaunch:1 kernel \"k\"\n" },
		{ OUTPUT " = \"r\"; arguments = [ \"y\" ]; };",
			"\nkernel reference:4 kernel \"r\" 1\nlaunch:4 kernel \"k\" 1\n" },
		{ SEQUENCE(
			  "{ kernel = \"f\"; block = ( 1 ); grid = ( \"A\" ); repeat = \"A + 1\"; swap = ( \"y\", \"z\" ); }, { kernel = \"g\"; block = ( 1 ); grid = ( 1 ); when = \"A > 1\"; arguments = ( \"z\" ); }"),
			"\nlaunches[0]:6 kernel \"f\" 0 1 block \"1\" grid \"A\" repeat \"A + 1\" swap 0 1\n"
			"launches[1]:6 kernel \"g\" 1 block \"1\" grid \"1\" when \"A > 1\"\n" },
		{ SEQUENCE(
			  "{ repeat = \"2 * A\"; launches = ( { kernel = \"f\"; block = ( 1 ); grid = ( 1 ); repeat = 3; }, { kernel = \"g\"; block = ( 1 ); grid = ( 1 ); } ); }, { kernel = \"h\"; block = ( 1 ); grid = ( 1 ); }"),
			"\nlaunches[0][0]:6 kernel \"f\" 0 1 block \"1\" grid \"1\" repeat \"3\" group 1 rounds \"2 * A\"\n"
			"launches[0][1]:6 kernel \"g\" 0 1 block \"1\" grid \"1\" group 1 rounds \"2 * A\"\n"
			"launches[1]:6 kernel \"h\" 0 1 block \"1\" grid \"1\"\n" },
		{ OUTPUT " = \"r\"; arguments = [ \"n\", \"y\", \"n\" ]; };",
			"\nlaunch:4 kernel \"k\" 0 1 0\n" },
		{ OUTPUT ": { library = \"lib/r.so\"; function = \"f\"; }; };",
			"\nlibrary reference:4 0 1\n library \"lib/r.so\" function \"f\"\n" },
		{ OUTPUT
			": { files = ( { argument = \"y\"; path = \"/y.bin\"; } ); }; };",
			"\nfile of 1 /y.bin\n" },
		{ STRUCTURE("\"constant(2)\""),
			"\nargument:3 p.id int x1 scalar fill constant a \"2\"\n"
			"argument:3 p.at.x float x1 scalar fill constant a \"2\"\n"
			"argument:3 p.at.y double x1 scalar fill constant a \"2\"\n" },
		{ STRUCTURE(
			  "( \"constant(2)\", { at = { y = \"constant(-inf)\"; }; } )"),
			"\nargument:3 p.id int x1 scalar fill constant a \"2\"\n"
			"argument:3 p.at.x float x1 scalar fill constant a \"2\"\n"
			"argument:3 p.at.y double x1 scalar fill constant a \"-inf\"\n" },
		{ RANGE("from = 1; to = 16; times = 2;"), "P integer 1 2 4 8 16 d" },
		{ RANGE("from = 3; to = 100; times = 3;"), "P integer 3 9 27 81 d" },
		{ RANGE("from = 5; to = 5; step = 1;"), "P integer 5 d" },
		{ RANGE("from = -4; to = 4; step = 4;"), "P integer -4 0 4 d" },
		{ RANGE("from = 0; to = 7; step = 3;"), "P integer 0 3 6 d" },
		{ RANGE("from = 9223372036854775806; to = 9223372036854775807; step = 1;"),
			"P integer 9223372036854775806 9223372036854775807 d" },
		{ RANGE("from = 4611686018427387904; to = 9223372036854775807; times = 2;"),
			"P integer 4611686018427387904 d" },
		{ RANGE("from = 0.5; to = 1.75; step = 0.25;"),
			"P real 0.5 0.75 1.0 1.25 1.5 1.75 d" },
		{ RANGE("from = 0.5; to = 4; times = 2;"), "P real 0.5 1.0 2.0 4.0 d" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(at_spec_free) struct at_spec *spec = parse(rows[i].text);
		OWNED(free) char *text = text_of_spec(spec);

		if (!strstr(text, rows[i].line))
			fail_msg("%s: no \"%s\" in\n%s", rows[i].text, rows[i].line,
				text);
	}
}

TEST(says_what_tuning_needs)
{
	struct at_spec *spec = parse("parameters: { A = [ 2, 1 ]; };");

	assert_false(spec->has_defaults);
	assert_fails_with(
		at_spec_require_kernel(spec, &failure), AT_EINVAL, "has no \"kernel\"");
	at_spec_free(spec);
	spec = parse("parameters: { A = 1; };\n"
		     "kernel: { name = \"k\"; template = \"k.cu\"; };");
	failure = (struct at_error){ 0 };
	assert_fails_with(
		at_spec_require_kernel(spec, &failure), AT_EINVAL, "has no \"launch\"");
	assert_int_equal(failure.line, 2);
	at_spec_free(spec);
}

TEST(defaults_depend_on_sizes_of_the_problem)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse(
		"problems = ( { N = 100; }, { N = 1000; }, { N = 7; } );\n"
		"parameters: { A = [ 7, 100, 256 ]; B = [ false, true ]; C = [ \"x\", \"y\" ];\n"
		"  D = [ 0.5, 1.0, 50.0, 500.0, 3.5 ]; };\n"
		"defaults: { A = \"min(256, N)\"; B = \"N > 99\"; C = \"y\"; D = \"N / 2.0\"; };");
	OWNED(at_spec_free) struct at_spec *copy = NULL;
	static const uint16_t whole[][4] = { { 1, 1, 1, 2 }, { 2, 1, 1, 3 },
		{ 0, 0, 1, 4 } };
	/* 7 is left out, and the first value takes its place */
	static const uint16_t restricted[][4] = { { 0, 1, 1, 2 }, { 1, 1, 1, 3 },
		{ 0, 0, 1, 4 } };

	assert_memory_equal(spec->defaults, whole[0], sizeof(whole[0]));
	at_spec_copy(spec, &copy);
	assert_ok(at_spec_restrict(copy, "A=100,256", &failure));
	for (size_t i = 0; i < 3; i++) {
		assert_memory_equal(at_spec_of(spec, &spec->problems[i])->defaults,
			whole[i], sizeof(whole[i]));
		assert_memory_equal(at_spec_of(copy, &spec->problems[i])->defaults,
			restricted[i], sizeof(restricted[i]));
	}
}

/* as the compiler of this test does */
TEST(lays_structures_out_as_a_compiler_does)
{
	static const char text[] =
		"parameters: { A = [ 1 ]; };\n"
		"types: {\n"
		"  Mixed = ( \"char a\", \"double b\", \"unsigned char c[3]\", \"short d\", \"float e[2]\", \"char f\" );\n"
		"  Wide: { fields = ( \"float3 v\", \"__half2 h\", \"cuDoubleComplex z\" ); align = 64; };\n"
		"};\n"
		"arguments = (\n"
		"  { name = \"x\"; type = \"Mixed\"; count = 4; access = \"in\"; },\n"
		"  { name = \"n\"; type = \"int\"; value = 1; },\n"
		"  { name = \"y\"; type = \"Wide\"; count = 4; access = \"out\"; rtol = 0.5; },\n"
		"  { name = \"s\"; type = \"Mixed\"; count = 4; access = \"scratch\"; }\n"
		");\n";
	struct mixed {
		signed char a;
		double b;
		unsigned char c[3];
		short d;
		float e[2];
		signed char f;
	};
	static const struct {
		const char *name;
		enum at_element element;
		int lanes;
		size_t offset;
	} fields[] = {
		{ "x.a", AT_ELEMENT_I8, 1, offsetof(struct mixed, a) },
		{ "x.b", AT_ELEMENT_F64, 1, offsetof(struct mixed, b) },
		{ "x.c", AT_ELEMENT_U8, 3, offsetof(struct mixed, c) },
		{ "x.d", AT_ELEMENT_I16, 1, offsetof(struct mixed, d) },
		{ "x.e", AT_ELEMENT_F32, 2, offsetof(struct mixed, e) },
		{ "x.f", AT_ELEMENT_I8, 1, offsetof(struct mixed, f) },
		{ "y.v", AT_ELEMENT_F32, 3, 0 },
		{ "y.h", AT_ELEMENT_F16, 2, 12 },
		{ "y.z", AT_ELEMENT_F64, 2, 16 },
	};
	struct at_error err = { 0 };
	OWNED(at_spec_free) struct at_spec *spec;

	at_spec_parse(text, strlen(text), "a.cfg", &spec, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(spec->given_count, 4);
	assert_int_equal(spec->argument_count, 4 + AT_COUNT_OF(fields));
	assert_int_equal(spec->arguments[0].lanes, sizeof(struct mixed));
	assert_int_equal(spec->arguments[2].lanes, 64);
	for (size_t i = 0; i < AT_COUNT_OF(fields); i++) {
		const struct at_argument *field = &spec->arguments[4 + i];

		assert_string_equal(field->name, fields[i].name);
		assert_int_equal(field->element, fields[i].element);
		assert_int_equal(field->lanes, fields[i].lanes);
		assert_int_equal(field->offset_bytes, fields[i].offset);
		assert_int_equal(field->owner, i < 6 ? 1 : 3);
		assert_int_equal(
			field->fill.kind, i < 6 ? AT_FILL_UNIFORM : AT_FILL_NONE);
		assert_true(i < 6 ? isnan(field->rtol) : field->rtol == 0.5);
	}
}

static void assert_same_value(const struct at_expression *a,
	const struct at_expression *b, const struct at_value *slots)
{
	struct at_value one, other;

	assert_int_equal(
		at_expression_evaluate(a, slots, &one, NULL), AT_EVALUATION_OK);
	assert_int_equal(
		at_expression_evaluate(b, slots, &other, NULL), AT_EVALUATION_OK);
	assert_true(at_value_equal(one, other));
}

#define WITH_LET(let, constraints, domain) \
	"parameters: { TILE = [ 1, 4, 8 ]; MODE = [ \"a\", \"b\" ]; };\n" \
	"problems = ( { name = \"p\"; N = 10; M = 7; } );\n" let \
	"constraints = ( " constraints " );\n" \
	"domain: { M = \"1 .. 20\"; N = \"1 .. 20\"; constraints = ( " domain \
	" ); };\n"
#define MORE "(MODE == 'b' ? 3 : ceil_div(N, TILE))"

/* Each expression, and the one that says the same without names. */
TEST(let_names_parts_of_expressions)
{
	OWNED(at_spec_free)
	struct at_spec *
		let = parse(WITH_LET(
		       "let: { tiles = \"ceil_div(N, TILE)\"; more = \"MODE == 'b' ? 3 : tiles\"; both = \"tiles + more\";\n"
		       "  sum = \"N + M\"; three = \"3\"; even = \"sum % 2 == 0 || M > 5\"; };\n",
		       "\"2 * both > 5\", \"-more * tiles <= 0 && even\", \"three * three == 9\", \"tiles == 3 || both == 13\"",
		       "\"sum < 30 || even\"")),
	       *plain = parse(WITH_LET("",
		       "\"2 * (ceil_div(N, TILE) + " MORE ") > 5\","
		       "\"-" MORE
		       " * ceil_div(N, TILE) <= 0 && ((N + M) % 2 == 0 || M > 5)\","
		       "\"3 * 3 == 9\","
		       "\"ceil_div(N, TILE) == 3 || (ceil_div(N, TILE) + " MORE
		       ") == 13\"",
		       "\"(N + M) < 30 || ((N + M) % 2 == 0 || M > 5)\""));
	struct at_value slots[64];

	assert_int_equal(let->remark_count, 1); /* of "three * three" */
	assert_string_equal(
		at_expression_text(let->constraints[0].expression), "2 * both > 5");
	at_spec_bind(let, &let->problems[0], NULL, NULL, slots);
	for (size_t i = 0; i < 4; i++) {
		const struct at_expression *with = let->constraints[i].expression;
		const struct at_expression *without = plain->constraints[i].expression;

		assert_string_equal(
			at_expression_full_text(with), at_expression_text(without));
		for (uint16_t k = 0; k < 6; k++) {
			at_spec_bind_configuration(
				let, (const uint16_t[]){ k / 2, k % 2 }, slots);
			assert_same_value(with, without, slots);
		}
	}
	/* the domain has slots of its own: M comes first */
	assert_string_equal(
		at_expression_full_text(let->domain.constraints[0].expression),
		at_expression_text(plain->domain.constraints[0].expression));
	for (int64_t i = 0; i < 400; i++) {
		slots[0] = (struct at_value){ AT_TYPE_INTEGER, { .integer = i % 20 } };
		slots[1] = (struct at_value){ AT_TYPE_INTEGER, { .integer = i / 20 } };
		assert_same_value(let->domain.constraints[0].expression,
			plain->domain.constraints[0].expression, slots);
	}
}

/* 40 names that double each time would be 2^40 steps, 201 in a row too deep. */
TEST(let_refuses_what_grows_without_end)
{
	for (int doubles = 0; doubles < 2; doubles++) {
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		struct at_error err = { 0 };
		struct at_spec *spec;

		at_strbuf_add(
			&text, "parameters: { A = [ 1 ]; };\nlet: { n0 = \"A\";\n");
		for (int i = 1; i <= (doubles ? 40 : 201); i++)
			at_strbuf_addf(&text,
				doubles ? "n%d = \"n%d + n%d\";\n" : "n%d = \"n%d\";\n",
				i, i - 1, i - 1);
		at_strbuf_add(&text, "};\n");
		assert_int_equal(
			at_spec_parse(text.data, text.length, "a.cfg", &spec, &err),
			AT_ESYNTAX);
		assert_non_null(strstr(err.text, "are too long or nested too deeply"));
		assert_int_equal(err.line, doubles ? 18 : 203);
	}
}

TEST(ranges_end_at_sizes_of_the_problem)
{
	static const char text[] =
		"problems = ( { N = 100; }, { N = 1000; }, { N = 33; } );\n"
		"parameters: { A = { from = 32; to = \"min(N, 512)\"; times = 2; }; B = [ 1, 2 ];\n"
		"  C = { from = 0.5; to = \"N / 25\"; step = 0.5; }; };\n"
		"defaults: { A = 64; B = 1; C = 1.0; };\n"
		"constraints = ( \"B == 1\" );\n";
	/* the most of A and of C on each problem */
	static const struct {
		int64_t a;
		double c;
	} most[] = { { 100, 4 }, { 512, 40 }, { 33, 1 } };
	OWNED(at_spec_free) struct at_spec *spec;
	struct at_value slots[64];

	assert_ok(at_spec_parse(text, sizeof(text) - 1, "a.cfg", &spec, &failure));
	assert_int_equal(spec->parameters[0].value_count, 5);
	assert_int_equal(spec->parameters[0].values[4].integer, 512);
	assert_int_equal(spec->defaults[0], 1);
	assert_int_equal(spec->parameters[2].value_count, 80);
	assert_true(spec->parameters[2].values[79].real == 40);
	assert_int_equal(spec->constraint_count, 3);
	assert_int_equal(spec->constraints[1].line, 2);
	assert_int_equal(spec->constraints[2].line, 3);
	for (size_t p = 0; p < 3; p++)
		for (uint16_t i = 0; i < 5 * 80; i++) {
			const uint16_t configuration[] = { i / 80, 0, i % 80 };
			bool a = false, c = false;

			at_spec_bind(spec, &spec->problems[p], NULL, NULL, slots);
			at_spec_bind_configuration(spec, configuration, slots);
			assert_ok(at_spec_test(spec, spec->constraints[1].expression,
				slots, "", 0, &a, &failure));
			assert_ok(at_spec_test(spec, spec->constraints[2].expression,
				slots, "", 0, &c, &failure));
			assert_int_equal(a, slots[0].integer <= most[p].a);
			assert_int_equal(c, slots[2].real <= most[p].c);
		}
}

TEST(dissolves_structures_in_structures)
{
	static const char text[] =
		"parameters: { A = [ 1 ]; };\n"
		"types: {\n"
		"  Vec = ( \"float x\", \"double y\" );\n"
		"  Box = ( \"char kind\", \"Vec corners[2]\", \"short n\" );\n"
		"  Cell = ( \"int id\", \"Box box\", \"Vec at\" );\n"
		"};\n"
		"arguments = (\n"
		"  { name = \"p\"; type = \"Cell\"; count = 4; access = \"inout\"; rtol = { box = 0.01; at = { y = 0; }; };\n"
		"    fill = { box = { corners = { x = \"constant(1)\"; }; }; at = \"normal(0, 1)\"; }; domain = { box = { corners = [ 0, 2 ]; }; }; },\n"
		"  { name = \"s\"; type = \"Box\"; value = { kind = 1; corners = ( { x = 1; y = 2; }, { x = 3; y = 4; } ); n = 5; }; }\n"
		");\n"
		"verify: { data = ( { p = { box = { corners = \"constant(2)\"; }; at = { x = \"constant(0)\"; }; }; } ); };\n";
	struct vec {
		float x;
		double y;
	};
	struct box {
		signed char kind;
		struct vec corners[2];
		short n;
	};
	struct cell {
		int id;
		struct box box;
		struct vec at;
	};
	static const struct {
		const char *name;
		size_t offset;
		enum at_fill_kind fill, data;
		double rtol; /* -1: none */
		bool has_domain;
	} fields[] = {
		{ "p.id", offsetof(struct cell, id), AT_FILL_UNIFORM, 0, -1, false },
		{ "p.box.kind", offsetof(struct cell, box.kind), AT_FILL_UNIFORM, 0, -1,
			false },
		{ "p.box.corners[0].x", offsetof(struct cell, box.corners[0].x),
			AT_FILL_CONSTANT, AT_FILL_CONSTANT, 0.01, true },
		{ "p.box.corners[0].y", offsetof(struct cell, box.corners[0].y),
			AT_FILL_UNIFORM, AT_FILL_CONSTANT, 0.01, true },
		{ "p.box.corners[1].x", offsetof(struct cell, box.corners[1].x),
			AT_FILL_CONSTANT, AT_FILL_CONSTANT, 0.01, true },
		{ "p.box.corners[1].y", offsetof(struct cell, box.corners[1].y),
			AT_FILL_UNIFORM, AT_FILL_CONSTANT, 0.01, true },
		{ "p.box.n", offsetof(struct cell, box.n), AT_FILL_UNIFORM, 0, -1,
			false },
		{ "p.at.x", offsetof(struct cell, at.x), AT_FILL_NORMAL,
			AT_FILL_CONSTANT, -1, false },
		{ "p.at.y", offsetof(struct cell, at.y), AT_FILL_NORMAL, 0, 0, false },
	};
	static const char *const values[] = { "1", "1", "2", "3", "4", "5" };
	struct at_error err = { 0 };
	OWNED(at_spec_free) struct at_spec *spec;

	at_spec_parse(text, strlen(text), "a.cfg", &spec, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(spec->given_count, 2);
	assert_int_equal(
		spec->argument_count, 2 + AT_COUNT_OF(fields) + AT_COUNT_OF(values));
	assert_int_equal(spec->arguments[0].lanes, sizeof(struct cell));
	assert_int_equal(spec->arguments[1].lanes, sizeof(struct box));
	for (size_t i = 0; i < AT_COUNT_OF(fields); i++) {
		const struct at_argument *field = &spec->arguments[2 + i];

		assert_string_equal(field->name, fields[i].name);
		assert_int_equal(field->offset_bytes, fields[i].offset);
		assert_int_equal(field->fill.kind, fields[i].fill);
		assert_int_equal(
			spec->verify.data_sets[0].fills[2 + i].kind, fields[i].data);
		assert_int_equal(field->domain[0] != NULL, fields[i].has_domain);
		assert_true(fields[i].rtol < 0 ? isnan(field->rtol)
					       : field->rtol == fields[i].rtol);
	}
	for (size_t i = 0; i < AT_COUNT_OF(values); i++)
		assert_expression(
			spec->arguments[2 + AT_COUNT_OF(fields) + i].value, values[i]);
}

/*
 * Files that are wrong: tests/spaces/invalid/SUBJECT.txt are tables of them.
 *
 *   # between the cases: for readers
 *   +++
 *   text that all cases from here on begin with
 *   ---
 *
 *   === name_of_the_case
 *   the rest of its text, as it is in a space file
 *   --- space.cfg:7: the error, with its line and its wording
 *
 * No line of a text can begin with +++, === or ---; there is nothing to escape.
 */

enum table_part {
	PART_BETWEEN = 0, /* neither a case nor a beginning */
	PART_BEGINNING,
	PART_CASE,
};

/*
 * Reads the table in text, which it cuts into lines, and tries its cases. What is
 * wrong, with the table or with an answer, goes into complaints, one line or a few
 * each. Returns the number of cases.
 */
static size_t try_table(const char *path, char *text, struct at_strbuf *complaints)
{
	static const char *const unfinished[] = {
		[PART_BEGINNING] = "the text that begins with \"+++\" has no \"---\"",
		[PART_CASE] = "the case before has no \"--- space.cfg:...\"",
	};
	RELEASED(at_strbuf_release) struct at_strbuf beginning = { 0 }, input = { 0 };
	enum table_part part = PART_BETWEEN;
	const char *names[200];
	size_t count = 0;
	char *next = text;
	int number = 0;

	while (next) {
		char *line = next, *end = strchr(line, '\n');
		bool opens = !strncmp(line, "+++", 3) || !strncmp(line, "===", 3);
		const char *wrong = NULL;

		number++;
		next = end ? end + 1 : NULL;
		if (end)
			*end = '\0';
		if ((opens || !next) && part != PART_BETWEEN) {
			wrong = unfinished[part];
			part = PART_BETWEEN;
		} else if (!strcmp(line, "+++")) {
			at_strbuf_clear(&beginning);
			part = PART_BEGINNING;
		} else if (!strncmp(line, "=== ", 4) && count < AT_COUNT_OF(names)) {
			for (size_t i = 0; i < count; i++)
				if (!strcmp(names[i], line + 4))
					wrong = "a case of this name stands above";
			names[count++] = line + 4;
			at_strbuf_clear(&input);
			at_strbuf_add(&input, at_strbuf_text(&beginning));
			part = PART_CASE;
		} else if (!strcmp(line, "---") && part == PART_BEGINNING) {
			part = PART_BETWEEN;
		} else if (!strncmp(line, "--- ", 4) && part == PART_CASE) {
			const char *found =
				refusal(at_strbuf_text(&input), input.length);

			if (strcmp(found, line + 4))
				at_strbuf_addf(complaints,
					"%s:%d: case %s\nexpected %s\nfound    %s\n",
					path, number, names[count - 1], line + 4,
					found);
			part = PART_BETWEEN;
		} else if (opens || !strncmp(line, "---", 3)) {
			wrong = "expected \"+++\", \"=== name\", \"---\" after \"+++\", or \"--- space.cfg:...\" after a case";
		} else if (part != PART_BETWEEN) {
			at_strbuf_addf(
				part == PART_CASE ? &input : &beginning, "%s\n", line);
		} else if (line[0] && line[0] != '#') {
			wrong = "this line belongs to no case: expected \"=== name\" before it";
		}
		if (wrong)
			at_strbuf_addf(complaints, "%s:%d: %s\n", path, number, wrong);
	}
	return count;
}

TEST(refuses_every_invalid_space_with_its_message)
{
	DIR *directory = opendir(AT_TEST_DIR "/spaces/invalid");
	RELEASED(at_strbuf_release) struct at_strbuf complaints = { 0 };
	const struct dirent *entry;
	size_t count = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory))) {
		char path[1024], *text;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/spaces/invalid/%s", AT_TEST_DIR,
			entry->d_name);
		text = file_text(path);
		count += try_table(path, text, &complaints);
		free(text);
	}
	closedir(directory);
	/* cmocka would cut it */
	fputs(at_strbuf_text(&complaints), stderr);
	assert_int_equal(complaints.length, 0);
	/* so that losing a table does not pass for having tried it */
	assert_true(count >= 200);
}

/* Else a case that is written wrongly would not be tried, and nobody would know. */
TEST(complains_of_tables_that_are_written_wrongly)
{
#define CASE "=== a\nx = 1;\n"
#define ERROR \
	"--- space.cfg:1: unknown key \"x\" in this file, expected kernel, problems, parameters, defaults, let, constraints, toolchain, options, launch, launches, types, arguments, prepare, finish, domain, verify, metrics, board or search\n"
	static const struct {
		const char *table;
		const char *expected;
	} rows[] = {
		{ "# notes\n\n" CASE ERROR "\n", "" },
		{ "+++\n\n---\n" CASE "--- space.cfg:2: wrong\n",
			"t:6: case a\nexpected space.cfg:2: wrong\nfound    space.cfg:2: unknown key" },
		{ "=== a\nparameters: { A = 1; };\n--- space.cfg:1: wrong\n",
			"t:3: case a\nexpected space.cfg:1: wrong\nfound    accepted\n" },
		{ CASE, "t:3: the case before has no" },
		{ CASE CASE, "t:3: the case before has no" },
		{ CASE ERROR CASE ERROR, "t:4: a case of this name stands above\n" },
		{ "+++\nx\n", "t:3: the text that begins with \"+++\" has no" },
		{ "+++\n=== a\n", "t:2: the text that begins with \"+++\" has no" },
		{ "x = 1;\n", "t:1: this line belongs to no case" },
		{ CASE ERROR "x", "t:4: this line belongs to no case" },
		{ "===a\n", "t:1: expected \"+++\"" },
		{ ERROR, "t:1: expected \"+++\"" },
		{ CASE "---\n" ERROR, "t:3: expected \"+++\"" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf complaints = { 0 };
		OWNED(free) char *text = at_strdup(rows[i].table);

		try_table("t", text, &complaints);
		if (strncmp(at_strbuf_text(&complaints), rows[i].expected,
			    strlen(rows[i].expected)) ||
			(complaints.length > 0) != (rows[i].expected[0] != '\0'))
			fail_msg("table\n%sexpected %s\nfound    %s", rows[i].table,
				rows[i].expected, at_strbuf_text(&complaints));
	}
#undef CASE
#undef ERROR
}

TEST(refuses_binary_data_in_one_line)
{
	static const char elf[] = "\x7f"
				  "ELF\2\1\1\0\0\0";
	static const char null[] = "parameters: { A = 1; };\n\0B";
	static const char control[] = "parameters: {\n  TILE\1 = 1;\n};\n";
	static const char utf16[] = "\xff\xfep\0a\0r\0a\0m\0e\0t\0e\0r\0s\0";
	static const char latin[] = "parameters: { \xe9 = 1; };";

	assert_string_equal(refusal(elf, sizeof(elf)),
		"space.cfg:1: not a space file in UTF-8 but binary data: found the byte 0x7f");
	assert_string_equal(refusal(null, sizeof(null)),
		"space.cfg:2: not a space file in UTF-8 but binary data: found the byte 0x00");
	assert_string_equal(refusal(control, sizeof(control) - 1),
		"space.cfg:2: not a space file in UTF-8 but binary data: found the byte 0x01");
	assert_string_equal(refusal(utf16, sizeof(utf16) - 1),
		"space.cfg:1: not a space file in UTF-8 but binary data: found the byte 0x00");
	assert_string_equal(refusal(latin, sizeof(latin) - 1),
		"space.cfg:1: unexpected byte 0xe9 outside a string");
}

TEST(refuses_a_file_above_16_mebibytes)
{
	char path[] = "/tmp/at_test_spec_XXXXXX";
	struct at_spec *spec = NULL;
	int file = mkstemp(path);

	assert_true(file >= 0);
	assert_int_equal(ftruncate(file, (16 << 20) + 1), 0);
	assert_fails_with(at_spec_load(path, &spec, &failure), AT_EINVAL,
		"larger than 16777216 bytes");
	assert_null(spec);
	close(file);
	unlink(path);
}

TEST(names_the_file_that_is_missing)
{
	struct at_error err = { 0 };
	struct at_spec *spec = NULL;

	assert_int_equal(at_spec_load("/nowhere/a.cfg", &spec, &err), AT_ENOENT);
	assert_string_equal(err.file, "/nowhere/a.cfg");
	assert_null(spec);
}

TEST(refuses_what_would_take_too_long)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_strbuf_add(&text, "parameters: {");
	for (int i = 0; i < 1001; i++)
		at_strbuf_addf(&text, " P%d = 1;", i);
	at_strbuf_add(&text, " };");
	assert_string_equal(refusal(text.data, text.length),
		"space.cfg:1: more than 1000 settings in one group, or too many large groups");
	at_strbuf_clear(&text);
	at_strbuf_add(&text, "parameters: { P = [ 0");
	for (int i = 1; i < 65536; i++)
		at_strbuf_addf(&text, ",%d", i);
	at_strbuf_add(&text, " ]; };");
	assert_string_equal(refusal(text.data, text.length),
		"space.cfg:1: parameter \"P\" has 65536 values, more than the most, 65535");
}

TEST(refuses_a_name_that_no_macro_has)
{
	char text[400], expected[200];

	memset(text, 'N', sizeof(text));
	snprintf(text + 200, sizeof(text) - 200, " = 1; };");
	memcpy(text, "parameters: { ", 14);
	assert_string_equal(refusal(text, strlen(text)), "accepted");
	snprintf(text + 215, sizeof(text) - 215, " = 1; };");
	memset(text + 200, 'N', 15);
	snprintf(expected, sizeof(expected),
		"space.cfg:1: a name of 201 characters, more than the 200 that are read: \"%.40s...\"",
		text + 14);
	assert_string_equal(refusal(text, strlen(text)), expected);
}

/* The sanitizers take much more memory and time, and see faults of memory with fewer.
 */
#ifdef __SANITIZE_ADDRESS__
#define MANY 20000
#else
#define MANY 400000
#endif

/* What stands twice is found among very many. To compare each with each would take
   longer than a test may. */
TEST(finds_what_stands_twice_among_very_many)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_strbuf_add(&text, "parameters: { A = [ 1, 2 ]; };\nconstraints = (");
	for (int i = 0; i < MANY; i++)
		at_strbuf_addf(&text, "\"A<%d\",", i + 100000);
	at_strbuf_add(&text, "\n\"A<100001\" );\n");
	assert_string_equal(refusal(text.data, text.length),
		"accepted, space.cfg:3: the constraint \"A<100001\" is given twice, first in line 2");
}

/* Problems whose last size is all that differs, and that give their sizes in another
   order. */
TEST(finds_twins_among_problems_of_many_sizes)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_strbuf_add(&text, "parameters: { A = [ 1, 2 ]; };\nproblems = (");
	for (int i = 0; i < 1000; i++) {
		at_strbuf_add(&text, "{");
		for (int s = 0; s < 100; s++)
			at_strbuf_addf(&text, "S%d=%d;", i % 2 ? 99 - s : s,
				i % 2 ? 99 - s : s);
		at_strbuf_addf(
			&text, "N=%d;}%s\n", i == 999 ? 4 : i, i == 999 ? "" : ",");
	}
	at_strbuf_add(&text, ");\n");
	assert_string_equal(refusal(text.data, text.length),
		"accepted, space.cfg:1001: the problem \"problem_1000\" has the sizes of \"problem_5\" in line 6: remove one, or both are tuned");
}

/* With the sanitizers this shows that nothing leaks wherever it ends. */
TEST(survives_a_file_cut_anywhere)
{
	OWNED(free) char *text;
	char *cut;
	size_t size, accepted = 0;

	assert_ok(at_file_read(FULL, 0, &text, &size, NULL));
	for (size_t length = 0; length < size; length++) {
		cut = malloc(length + 1); /* exact, so that an overrun is seen */
		assert_non_null(cut);
		memcpy(cut, text, length);
		accepted += !strcmp(refusal(cut, length), "accepted");
		free(cut);
	}
	/* a file may only end between sections: a few places of thousands */
	assert_true(accepted < 20);
}

RUN_SUITE(NULL, NULL)
