/* The cases of a verification: those of a domain, and the default list. */
#include "base/text.h"
#include "evaluator/cases.h"
#include "space/domain.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static const struct at_device_info device = { .kind = "host", .shares_cores = true };

#define FROM(spec, on) \
	(&(const struct at_case_source){ spec, &(spec)->problems[0], &(on) })

/* A space with these problems and arguments, which both kernels get. */
static struct at_spec *parse_space(
	const char *sizes, const char *arguments, const char *more)
{
	struct at_strbuf text = { 0 };
	struct at_spec *spec = NULL;
	struct at_error err = { 0 };

	at_strbuf_addf(&text,
		"kernel: { name = \"k\"; template = \"k.cu\"; reference = \"r\"; };"
		"problems = ( { name = \"p\"; %s } ); parameters: { BLOCK = [ 24, 32 ]; };"
		"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };"
		"arguments = ( %s ); %s",
		sizes, arguments, more);
	at_spec_parse(at_strbuf_text(&text), text.length, "k.cfg", &spec, &err);
	assert_string_equal(err.text, "");
	at_strbuf_release(&text);
	return spec;
}

#define SIZES "N = 64; M = 8;"
#define OUTPUT(count) \
	"{ name = \"y\"; type = \"float\"; count = \"" count "\"; access = \"out\"; }"
#define SCALAR(type, value) \
	", { name = \"s\"; type = \"" type "\"; value = \"" value "\"; }"
#define ARGUMENTS \
	OUTPUT("N * M") \
	", { name = \"mode\"; type = \"int\"; value = \"1\"; }"

static struct at_spec *parse(const char *more)
{
	return parse_space(SIZES, ARGUMENTS, more);
}

/* ---- of a domain ------------------------------------------------------------------
 */

TEST(cases_are_named_after_what_differs)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse(
		"domain: { N = [ 64, 65 ]; mode = [ 1, 2 ]; }; verify: { cases = 100; };");
	struct at_error err = { 0 };
	struct at_case *cases;
	struct at_case smaller;
	struct at_strbuf line = { 0 };
	size_t count;

	assert_int_equal(
		at_cases_make(FROM(spec, device), 1, &cases, &count, &err), AT_OK);
	assert_int_equal(count, 3);
	for (size_t i = 0; i < count; i++) {
		size_t number = 0;

		if (cases[i].problem.size_count < 2)
			continue;
		assert_string_equal(cases[i].problem.name, "case N=65 mode=2");
		at_case_write(&cases[i].problem, &line);
		assert_string_equal(at_strbuf_text(&line), "{ N = 65; mode = 2; }");
		at_case_without(
			FROM(spec, device), &cases[i].problem, &number, &smaller);
		assert_string_equal(smaller.problem.name, "case mode=2");
		assert_int_equal(number, 1);
		at_case_release(&smaller);
	}
	assert_int_not_equal(line.length, 0);
	at_strbuf_release(&line);
	at_cases_free(cases, count);
}

/* A size that the file makes of another follows it in cases, and a scalar of the domain
   has the value that was drawn, although its own would follow, too. */
TEST(what_the_file_computes_follows_the_sizes_of_a_case)
{
	static const char text[] =
		"kernel: { name = \"k\"; template = \"k.cu\"; reference = \"r\"; };"
		"problems = ( { N = 64; M = \"2 * N\"; } ); parameters: { BLOCK = [ 32 ]; };"
		"launch: { block = ( \"BLOCK\" ); grid = ( \"N\" ); };"
		"arguments = ( { name = \"y\"; type = \"float\"; count = \"M\"; access = \"out\"; },"
		"{ name = \"ld\"; type = \"int\"; value = \"N\"; } );"
		"domain: { N = [ 32, 64 ]; ld = [ 32, 64 ]; constraints = ( \"ld >= N\" ); };";
	struct at_error err = { 0 };
	struct at_strbuf names = { 0 };
	struct at_case *cases;
	struct at_case smaller;
	OWNED(at_spec_free) struct at_spec *spec;
	size_t count;

	assert_int_equal(
		at_spec_parse(text, sizeof(text) - 1, "k.cfg", &spec, &err), AT_OK);
	assert_int_equal(
		at_cases_make(FROM(spec, device), 1, &cases, &count, &err), AT_OK);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++)
		at_strbuf_addf(&names, "%s;", cases[i].problem.name);
	assert_non_null(strstr(at_strbuf_text(&names), "case N=32 M=64 ld=64;"));
	assert_non_null(strstr(at_strbuf_text(&names), "case N=32 M=64;"));
	/* with N = 64 and ld = 64 nothing is left, and N = 64 with ld = 32 is outside
	 */
	for (size_t i = 0; i < count; i++) {
		size_t number = 0;

		at_case_without(
			FROM(spec, device), &cases[i].problem, &number, &smaller);
		if (strstr(cases[i].problem.name, "ld=64"))
			assert_null(smaller.problem.name);
		else
			assert_string_equal(
				smaller.problem.name, "case N=32 M=64 ld=64");
		at_case_release(&smaller);
	}
	at_strbuf_release(&names);
	at_cases_free(cases, count);
}

/* With a stride of 0 no problem exists: the case would have an output of any size. */
TEST(a_case_whose_computed_size_has_no_value_is_left_out)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse_space(
		"N = 64; STRIDE = 2; M = \"N / STRIDE + 1\";", OUTPUT("M"), "");
	struct at_error err = { 0 };
	struct at_case *cases;
	bool has_one = false;
	size_t count;

	assert_int_equal(
		at_cases_make(FROM(spec, device), 1, &cases, &count, &err), AT_OK);
	for (size_t i = 0; i < count; i++) {
		assert_null(strstr(cases[i].problem.name, "STRIDE=0"));
		has_one |= strstr(cases[i].problem.name, "STRIDE=1 M=65") != NULL;
	}
	assert_true(has_one);
	at_cases_free(cases, count);
}

TEST(cases_hold_little_data_but_for_neighbours)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse(
		"domain: { N = \"1 .. 1 << 20\"; M = \"1 .. 1 << 20\"; }; verify: { cases = 40; };");
	struct at_error err = { 0 };
	struct at_case *cases;
	size_t count;

	assert_int_equal(
		at_cases_make(FROM(spec, device), 1, &cases, &count, &err), AT_OK);
	assert_int_equal(count, 40);
	for (size_t i = 0; i < count; i++) {
		int64_t sizes[2] = { 64, 8 };

		for (size_t k = 0; k < cases[i].problem.size_count; k++)
			sizes[cases[i].problem.sizes[k].name[0] == 'M'] =
				cases[i].problem.sizes[k].value.integer;
		assert_true(sizes[0] * sizes[1] <= INT64_C(1) << 18);
	}
	at_cases_free(cases, count);
}

/* A block for each row, and rows of few elements. */
TEST(cases_start_few_threads_where_cores_are_shared)
{
	static const char text[] =
		"kernel: { name = \"k\"; template = \"k.cu\"; reference = \"r\"; };"
		"problems = ( { name = \"p\"; N = 64; M = 8; } ); parameters: { BLOCK = [ 256 ]; };"
		"launch: { block = ( \"BLOCK\" ); grid = ( \"N\" ); };"
		"arguments = ( " OUTPUT(
			"N * M") " );"
				 "domain: { N = \"1 .. 1 << 16\"; M = \"1 .. 8\"; }; verify: { cases = 40; };";
	struct at_device_info apart = { .kind = "cuda" };
	int64_t most[2] = { 0, 0 };
	struct at_error err = { 0 };
	OWNED(at_spec_free) struct at_spec *spec;
	struct at_case *cases;
	size_t count;

	(void)state;
	at_spec_parse(text, strlen(text), "k.cfg", &spec, &err);
	assert_string_equal(err.text, "");
	for (size_t turn = 0; turn < 2; turn++) {
		assert_int_equal(
			at_cases_make(turn ? FROM(spec, apart) : FROM(spec, device), 1,
				&cases, &count, &err),
			AT_OK);
		for (size_t i = 0; i < count; i++)
			for (size_t k = 0; k < cases[i].problem.size_count; k++) {
				const struct at_size *size = &cases[i].problem.sizes[k];

				if (size->name[0] == 'N' &&
					size->value.integer > most[turn])
					most[turn] = size->value.integer;
			}
		at_cases_free(cases, count);
	}
	/* 2^20 threads */
	assert_in_range(most[0], 64, 4096);
	assert_int_equal(most[1], 65536);
}

/* ---- the default list -------------------------------------------------------------
 */

static void make(const struct at_spec *spec, struct at_case **cases, size_t *count)
{
	struct at_error err = { 0 };

	assert_int_equal(
		at_cases_make(FROM(spec, device), 1, cases, count, &err), AT_OK);
}

TEST(makes_the_case_of_one_value)
{
	static const struct {
		const char *name;
		int64_t value;
		const char *expected;
	} rows[] = {
		{ "M", 5, "case M=5" },
		{ "M", 8, NULL }, /* the tuned one */
		{ "N", 3, "case N=3" },
		{ "N", INT64_C(1) << 40, NULL }, /* too much */
		{ "none", 1, NULL },
	};
	OWNED(at_spec_free) struct at_spec *spec = parse("");

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_case one;

		at_case_of_value(FROM(spec, device), rows[i].name, rows[i].value, &one);
		if (rows[i].expected) {
			assert_string_equal(one.problem.name, rows[i].expected);
			assert_true(one.is_default);
			assert_non_null(one.promise);
		} else {
			assert_null(one.problem.name);
		}
		at_case_release(&one);
	}
}

static const struct at_case *find(
	const struct at_case *cases, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(cases[i].problem.name, name))
			return &cases[i];
	return NULL;
}

TEST(extents_change_at_once_and_alone)
{
	static const char *const names[] = { "case N=63 M=127", "case N=65 M=129",
		/* distinct, in both orders */
		"case N=101 M=107", "case N=107 M=101", "case N=48 M=96",
		"case N=62 M=126", "case N=1 M=1", "case N=2 M=2",
		/* alone */
		"case N=48", "case M=96", "case N=101", "case M=107",
		/* beyond a block */
		"case N=1031", "case M=1031" };
	OWNED(at_spec_free)
	struct at_spec *spec = parse_space("N = 64; M = 128;", OUTPUT("N * M"), "");
	struct at_case *cases;
	size_t count;

	make(spec, &cases, &count);
	for (size_t i = 0; i < AT_COUNT_OF(names); i++)
		if (!find(cases, count, names[i]))
			fail_msg("no %s", names[i]);
	/* in this order */
	for (size_t i = 0; i < 8; i++)
		assert_string_equal(cases[i].problem.name, names[i]);
	for (size_t i = 0; i < count; i++)
		assert_true(cases[i].is_default);
	at_cases_free(cases, count);
}

/* A kernel may contain the value of an argument as a constant. */
TEST(a_number_gets_other_values)
{
	static const struct {
		const char *scalar;
		const char *names[4];
	} rows[] = {
		{ SCALAR("int", "0"), { "case s=1" } },
		{ SCALAR("int", "1"), { "case s=0" } },
		{ SCALAR("int", "-1"), { "case s=0" } },
		{ SCALAR("int", "-6"), { "case s=0", "case s=6" } },
		{ SCALAR("int", "8"),
			{ "case s=7", "case s=4", "case s=9", "case s=0" } },
		{ SCALAR("int", "100000"), { "case s=6250", "case s=99999" } },
		{ SCALAR("long long", "0"), { "case s=2685821656403804160" } },
		{ SCALAR("float", "2"),
			{ "case s=1.5", "case s=0.125", "case s=0.0" } },
		{ SCALAR("float", "0.0001"), { "case s=0.01" } },
		/* what is more than another one stays so: the ends of a range */
		{ SCALAR("float",
			  "1") ", { name = \"t\"; type = \"float\"; value = \"0.9\"; }",
			{ "case s=0.95" } },
		{ ", { name = \"s\"; type = \"float2\"; value = ( \"1\", \"2\" ); }",
			{ "case s.y=1.5" } },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_strbuf arguments = { 0 };
		struct at_spec *spec;
		struct at_case *cases;
		size_t count;

		at_strbuf_addf(&arguments, "%s%s", OUTPUT("N"), rows[i].scalar);
		spec = parse_space("N = 64;", at_strbuf_text(&arguments), "");
		make(spec, &cases, &count);
		for (size_t k = 0; k < 4 && rows[i].names[k]; k++)
			if (!find(cases, count, rows[i].names[k]))
				fail_msg("%s: no %s", rows[i].scalar, rows[i].names[k]);
		at_cases_free(cases, count);
		at_spec_free(spec);
		at_strbuf_release(&arguments);
	}
}

/* Nothing changes that the space fixes, that follows from a size, or that only one of
   the kernels gets. */
TEST(what_is_no_number_of_both_kernels_stays)
{
	static const char *const arguments[] = {
		OUTPUT("N") ", { name = \"s\"; type = \"int\"; value = \"7\"; fixed = true; }",
		OUTPUT("N") SCALAR("int", "N / 2"),
		OUTPUT("N") SCALAR("int", "BLOCK"),
	};

	for (size_t i = 0; i < AT_COUNT_OF(arguments); i++) {
		struct at_spec *spec = parse_space("N = 64;", arguments[i], "");
		struct at_case *cases;
		size_t count;

		make(spec, &cases, &count);
		assert_int_not_equal(count, 0);
		for (size_t k = 0; k < count; k++)
			assert_null(strstr(cases[k].problem.name, "s="));
		at_cases_free(cases, count);
		at_spec_free(spec);
	}
}

/* Files are there for the sizes of the tuned problem. */
TEST(sizes_in_the_paths_of_files_stay)
{
	static const struct {
		const char *path, *more;
	} rows[] = {
		{ "x_${N}.bin", "" },
		{ "x_${WIDTH}.bin", "" },
		{ "x_${N}.bin", "domain: { N = [ 63, 64 ]; M = [ 7, 8 ]; };" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		struct at_spec *spec;
		struct at_case *cases;
		size_t count, changed = 0;

		at_strbuf_addf(&text,
			"{ name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; fill = \"file('%s')\"; }, " ARGUMENTS,
			rows[i].path);
		spec = parse_space(
			SIZES " WIDTH = \"2 * N\";", text.data, rows[i].more);
		make(spec, &cases, &count);
		for (size_t k = 0; k < count; k++) {
			assert_null(strstr(cases[k].problem.name, "N="));
			changed += strstr(cases[k].problem.name, "M=") != NULL;
		}
		assert_true(changed > 0);
		at_cases_free(cases, count);
		at_spec_free(spec);
	}
}

TEST(the_space_may_leave_the_list_out)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse("verify: { derive = false; };");
	struct at_case *cases;
	size_t count;

	make(spec, &cases, &count);
	assert_int_equal(count, 0);
	at_cases_free(cases, count);
}

/* A case says what the space file would say if it never came. */
TEST(a_case_names_the_promise_that_leaves_it_out)
{
	OWNED(at_spec_free)
	struct at_spec *spec =
		parse_space("N = 64;", OUTPUT("N") SCALAR("int", "3"), "");
	struct at_case *cases;
	size_t count;

	make(spec, &cases, &count);
	assert_string_equal(find(cases, count, "case N=63")->promise,
		"domain: { N = \"16 .. 64\"; constraints = ( \"N % 16 == 0\" ); };");
	assert_string_equal(
		find(cases, count, "case s=2")->promise, "domain: { s = [ 3 ]; };");
	at_cases_free(cases, count);
	/* above an odd size, sizes up to it are left */
	at_spec_free(spec);
	spec = parse_space("N = 63;", OUTPUT("N"), "");
	make(spec, &cases, &count);
	assert_string_equal(find(cases, count, "case N=1009")->promise,
		"domain: { N = \"1 .. 63\"; };");
	at_cases_free(cases, count);
}

/* One number after the other gets the value that most cases have, and what would leave
   a case out is about the others. */
TEST(a_case_of_the_list_is_made_simpler_number_by_number)
{
	static const struct {
		const char *name, *smaller[2];
	} rows[] = {
		{ "case N=101 M=107",
			{ "case N=512 M=107 domain: { M = \"16 .. 2048\"; constraints = ( \"M % 16 == 0\" ); };",
				"case N=101 M=128 domain: { N = \"16 .. 8192\"; constraints = ( \"N % 16 == 0\" ); };" } },
		{ "case N=512 M=96", { "" } },
	};
	OWNED(at_spec_free)
	struct at_spec *spec = parse_space("N = 8192; M = 2048;", OUTPUT("N * M"), "");
	struct at_case *cases;
	size_t count;

	make(spec, &cases, &count);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct at_case *one = find(cases, count, rows[i].name);
		size_t number = 0;

		assert_non_null(one);
		for (size_t k = 0; k < 2 && rows[i].smaller[k]; k++) {
			struct at_strbuf text = { 0 };
			struct at_case smaller;

			at_case_without(
				FROM(spec, device), &one->problem, &number, &smaller);
			if (smaller.problem.name)
				at_strbuf_addf(&text, "%s %s", smaller.problem.name,
					smaller.promise);
			assert_string_equal(at_strbuf_text(&text), rows[i].smaller[k]);
			at_strbuf_release(&text);
			at_case_release(&smaller);
		}
	}
	at_cases_free(cases, count);
}

/* A large problem is divided by a power of two, and suits who divides it as before. */
TEST(a_large_problem_is_made_smaller_as_a_whole)
{
	static const uint16_t by_24[] = { 0 }, by_32[] = { 1 };
	OWNED(at_spec_free)
	struct at_spec *spec = parse_space("N = 6144; M = 6144;", OUTPUT("N * M"), "");
	const struct at_case *one;
	struct at_case *cases;
	size_t count;

	make(spec, &cases, &count);
	one = find(cases, count, "case N=192 M=192");
	assert_non_null(one);
	assert_true(one->is_scaled);
	assert_true(at_case_suits(spec, &one->problem, &spec->problems[0], by_24));
	assert_true(at_case_suits(spec, &one->problem, &spec->problems[0], by_32));
	one = find(cases, count, "case N=101 M=107");
	assert_false(at_case_suits(spec, &one->problem, &spec->problems[0], by_32));
	/* the neighbours of the tuned sizes are as large as these */
	assert_non_null(find(cases, count, "case N=6143 M=6143"));
	at_cases_free(cases, count);
}

TEST(inputs_that_hide_something_get_other_contents)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse_space("N = 64;",
		OUTPUT("N") ", { name = \"bias\"; type = \"float\"; count = \"N\"; access = \"in\"; fill = \"constant(0)\"; }",
		"domain: { N = \"1 .. 64\"; };");
	const struct at_case *one;
	struct at_case *cases;
	size_t count;

	/* a domain says nothing of contents */
	make(spec, &cases, &count);
	one = find(cases, count, "case other contents of bias");
	assert_non_null(one);
	assert_int_equal(one->contents, 2);
	assert_true(one->is_default);
	assert_false(cases[0].is_default);
	at_cases_free(cases, count);
}

/* What the record keeps of a case makes the same case again, as long as the space has
   it. */
TEST(a_recorded_case_comes_back_where_the_space_still_has_it)
{
#define WITH(sizes, contents) \
	"{\"sizes\": " sizes ", \"contents\": " contents \
	", \"is_scaled\": false, \"seed\": 7}"
	static const struct {
		const char *instance, *more, *name;
	} rows[] = {
		{ WITH("{\"N\": 65, \"M\": 8, \"mode\": 2}", "[]"), "",
			"case N=65 mode=2" },
		/* beside another problem */
		{ WITH("{\"N\": 65, \"M\": 9}", "[]"), "", "case N=65 M=9" },
		{ WITH("{\"N\": 65}", "[]"), "domain: { N = \"1 .. 99\"; };",
			"case N=65" },
		{ WITH("{\"N\": 65}", "[]"), "domain: { N = \"1 .. 64\"; };", NULL },
		{ WITH("{\"N\": 65, \"K\": 8}", "[]"), "", NULL },
		{ WITH("{\"N\": 64, \"M\": 8}", "[]"), "", NULL },
		{ WITH("{\"N\": 65}", "[\"gone\"]"), "", NULL },
		{ WITH("{\"N\": 65}", "[\"y\"]"), "", NULL },
		{ "[]", "", NULL },
		{ "no JSON", "", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_spec *spec = parse(rows[i].more);
		const struct at_counterexample from = {
			.instance = (char *)rows[i].instance
		};
		const struct at_case_data data = { .seed = 7 };
		struct at_case one;

		at_case_recall(FROM(spec, device), &from, &one);
		if (!rows[i].name) {
			assert_null(one.problem.name);
		} else {
			char *instance = at_case_instance(
				spec, &one.problem, &spec->problems[0], &data);

			assert_string_equal(one.problem.name, rows[i].name);
			assert_int_equal(one.seed, 7);
			assert_int_equal(one.is_default, !rows[i].more[0]);
			if (!i)
				assert_string_equal(instance, rows[i].instance);
			free(instance);
		}
		at_case_release(&one);
		at_spec_free(spec);
	}
}

/* They are made smaller as a large problem is, but to sizes that the domain has. */
TEST(other_contents_are_of_the_domain)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse_space("M = 128; K = 1056; GROUP = 32;",
		OUTPUT("M") ", { name = \"w\"; type = \"float\"; count = \"M * K\";"
			    " access = \"in\"; }",
		"domain: { M = \"1 .. 200\"; K = \"32 .. 2048\"; GROUP = [ 32, 64 ];"
		" constraints = ( \"K % GROUP == 0\" ); };");
	struct at_case *cases;
	size_t count, found = 0;

	make(spec, &cases, &count);
	for (size_t i = 0; i < count; i++) {
		struct at_value values[3];

		found += cases[i].contents != 0;
		assert_int_equal(at_domain_values(spec, &cases[i].problem,
					 &spec->problems[0], values, NULL),
			AT_OK);
		assert_int_equal(
			at_domain_check(spec, &spec->problems[0], values, NULL), AT_OK);
	}
	assert_true(found > 0);
	at_cases_free(cases, count);
}

RUN_SUITE(NULL, NULL)
