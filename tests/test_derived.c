/* Sizes of proofs where a space names no problems for them: which sizes are changed,
   and to which values. */
#include "scarce_memory.h"
#include "base/text.h"
#include "evaluator/derived.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What of a little space differs from row to row. */
struct row {
	const char *sizes; /* the first one is the grid's */
	const char *arguments;
	const char *more; /* sections */
	const char *reference;
	const char *names; /* of what is derived, each in a line; "": nothing */
};

#define BUFFERS(count) \
	"{ name = \"x\"; type = \"float\"; count = \"" count "\"; access = \"in\"; }," \
	"{ name = \"y\"; type = \"float\"; count = \"" count "\"; access = \"out\"; }"
#define SCALAR(name, value) \
	", { name = \"" name "\"; type = \"int\"; value = \"" value "\"; }"

static struct at_spec *parse(const struct row *row)
{
	struct at_strbuf text = { 0 };
	struct at_spec *spec = NULL;
	struct at_error err = { 0 };

	at_strbuf_add(&text, "kernel: { name = \"k\"; template = \"k.cu\"; ");
	at_strbuf_add(&text, row->reference ? row->reference : "reference = \"r\";");
	at_strbuf_add(&text, " }; problems = ( { name = \"p\"; ");
	at_strbuf_add(&text, row->sizes);
	at_strbuf_add(&text, " } ); parameters: { BLOCK = [ 32, 64 ]; };"
			     "launch: { block = ( \"BLOCK\" ); grid = ( \"ceil_div(");
	/* the first size is the grid's */
	at_strbuf_add_bytes(&text, row->sizes, strcspn(row->sizes, " "));
	at_strbuf_add(&text, ", BLOCK)\" ); }; arguments = (");
	at_strbuf_add(&text, row->arguments);
	at_strbuf_add(&text, "); ");
	at_strbuf_add(&text, row->more ? row->more : "");
	at_spec_parse(at_strbuf_text(&text), text.length, "k.cfg", &spec, &err);
	assert_string_equal(err.text, "");
	at_strbuf_release(&text);
	return spec;
}

static void check(const struct row *row)
{
	static const struct at_device_info device = { .kind = "host" };
	struct at_spec *spec = parse(row);
	struct at_strbuf names = { 0 };
	struct at_problem *problems;
	size_t count;

	assert_int_equal(at_derived_make(spec, &spec->problems[0], &device, &problems,
				 &count, NULL),
		AT_OK);
	assert_true(count <= AT_DERIVED_MAX);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(
			strncmp(problems[i].name, "derived ", strlen("derived ")), 0);
		at_strbuf_add(&names, i ? "; " : "");
		at_strbuf_add(&names, problems[i].name + strlen("derived "));
	}
	assert_string_equal(at_strbuf_text(&names), row->names);
	at_strbuf_release(&names);
	at_derived_free(problems, count);
	at_spec_free(spec);
}

static void sizes_that_kernels_are_told_of_vary(void **state)
{
	static const struct row rows[] = {
		{ "N = 4096;", BUFFERS("N") SCALAR("n", "N"), NULL, NULL,
			"N=4095; N=4097; N=4094; N=4093; N=1; N=3" },
		/* what is large becomes smaller; where it is many, two extents do */
		{ "N = 67108864;", BUFFERS("N") SCALAR("n", "N"), NULL, NULL,
			"N=1048575; N=1048577; N=1048574; N=1048573; N=1; N=3" },
		{ "M = 8192; N = 300;",
			BUFFERS("M * N") SCALAR("m", "M") SCALAR("n", "N"), NULL, NULL,
			"M=2047 N=299; M=2049 N=301; M=2046 N=298; M=2039 N=293; M=1 N=1; M=3 N=3; M=1021 N=301; M=2048 N=256" },
		{ "M = 16384; N = 16384; K = 16384;",
			BUFFERS("M * N + K") SCALAR("m", "M") SCALAR("n", "N")
				SCALAR("k", "K"),
			NULL, NULL,
			"M=511 N=511 K=511; M=513 N=513 K=513; M=510 N=510 K=510; M=509 N=509 K=509; M=1 N=1 K=1; M=3 N=3 K=3; M=251 N=513 K=509" },
		/* what the file computes from others follows them */
		{ "N = 64; K = \"2 * N\";", BUFFERS("K") SCALAR("n", "N"), NULL, NULL,
			"N=63 K=126; N=65 K=130; N=62 K=124; N=61 K=122; N=1 K=2; N=3 K=6" },
		{ "N = 64; K = \"2 * N\";", BUFFERS("K") SCALAR("k", "K"), NULL, NULL,
			"N=63 K=126; N=65 K=130; N=62 K=124; N=61 K=122; N=1 K=2; N=3 K=6" },
		/* who is told by a field of a structure is told */
		{ "N = 64;",
			BUFFERS("N") ", { name = \"s\"; type = \"S\"; value = { f = 1; n = \"N\"; }; }",
			"types: { S = ( \"float f\", \"int n\" ); };", NULL,
			"N=63; N=65; N=62; N=61; N=1; N=3" },
		/* who is told of a product is told of all in it, of a part in its steps
		 */
		{ "M = 64; N = 32;", BUFFERS("M * N") SCALAR("n", "M * N"), NULL, NULL,
			"M=63 N=31; M=65 N=33; M=62 N=30; M=61 N=29; M=1 N=1; M=3 N=3; M=31 N=33" },
		{ "N = 4096;", BUFFERS("N") SCALAR("n", "N / 4"), NULL, NULL,
			"N=4092; N=4100; N=4088; N=4084; N=4; N=12" },
		/* where it is rounded up, any has a count */
		{ "N = 64;", BUFFERS("(N + 7)/8") SCALAR("n", "N"), NULL, NULL,
			"N=63; N=65; N=62; N=61; N=1; N=3" },
		{ "N = 64;", BUFFERS("( N + BLOCK-1 ) / BLOCK") SCALAR("n", "N"), NULL,
			NULL, "N=63; N=65; N=62; N=61; N=1; N=3" },
		{ "N = 64;", BUFFERS("(N + 8) / 8") SCALAR("n", "N"), NULL, NULL,
			"N=56" },
		{ "N = 64;", BUFFERS("N / 4") SCALAR("n", "N"), NULL, NULL,
			"N=60; N=68; N=56; N=52; N=4; N=12" },
		/* a small one becomes smaller, by itself */
		{ "N = 64; C = 4;", BUFFERS("N * C") SCALAR("n", "N") SCALAR("c", "C"),
			NULL, NULL, "N=63; N=65; N=62; N=61; N=1; N=3; C=3" },
		{ "N = 15;", BUFFERS("N") SCALAR("n", "N"), NULL, NULL, "N=14" },
		/* what the space says itself says nothing of parts of blocks */
		{ "N = 64;", BUFFERS("N") SCALAR("n", "N"),
			"verify: { problems = ( { N = 32; } ); };", NULL,
			"N=63; N=65; N=62; N=61; N=1; N=3" },
		/* where no tuned block is whole, one is */
		{ "N = 1000;", BUFFERS("N") SCALAR("n", "N"), NULL, NULL,
			"N=999; N=1001; N=998; N=997; N=1; N=3; N=768" },
		/* buffers without elements are left out */
		{ "N = 64;", BUFFERS("N - 1") SCALAR("n", "N"), NULL, NULL,
			"N=63; N=65; N=62; N=61; N=3" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check(&rows[i]);
}

/* a stride, a radius, a power, an extent that is compiled in: as they are tuned */
static void other_sizes_stay(void **state)
{
	static const struct row rows[] = {
		/* nobody is told, or of its logarithm; only a real is */
		{ "N = 4096;", BUFFERS("N"), NULL, NULL, "" },
		{ "N = 4096;", BUFFERS("N") SCALAR("n", "log2(N)"), NULL, NULL, "" },
		{ "N = 4096;",
			BUFFERS("N") ", { name = \"n\"; type = \"float\"; value = \"N\"; }",
			NULL, NULL, "" },
		/* the reference is not told, or takes no arguments at all */
		{ "N = 4096;", BUFFERS("N") SCALAR("n", "N"), NULL,
			"reference = { kernel = \"r\"; arguments = ( \"x\", \"y\" ); };",
			"" },
		{ "N = 4096;", BUFFERS("N") SCALAR("n", "N"), NULL,
			"reference = { files = ( { argument = \"y\"; path = \"y.bin\"; } ); };",
			"" },
		/* the tuned kernel is not */
		{ "N = 4096;", BUFFERS("N") SCALAR("n", "N"), NULL,
			"arguments = ( \"x\", \"y\" ); reference = { kernel = \"r\"; arguments = ( \"x\", \"y\", \"n\" ); };",
			"" },
		/* those that are no extent; reals */
		{ "N = 64; STEPS = 100;",
			BUFFERS("N") SCALAR("n", "N") SCALAR("steps", "STEPS"), NULL,
			NULL, "N=63; N=65; N=62; N=61; N=1; N=3" },
		{ "N = 64.0;", BUFFERS("int(N)") SCALAR("n", "N"), NULL, NULL, "" },
		/* known to the compiler: in an option, or in when it is given */
		{ "N = 64;", BUFFERS("N") SCALAR("n", "N"),
			"options = ( \"-DN=${N}\" );", NULL, "" },
		{ "N = 64; K = \"2 * N\";", BUFFERS("N") SCALAR("n", "N"),
			"options = ( \"-DK=${K}\" );", NULL, "" },
		{ "N = 64;", BUFFERS("N") SCALAR("n", "N"),
			"options = ( { option = \"-DWIDE\"; when = \"N > 32\"; } );",
			NULL, "" },
		{ "N = 64; NX = 3;", BUFFERS("N") SCALAR("n", "N"),
			"options = ( \"-DN=${NX}\" );", NULL,
			"N=63; N=65; N=62; N=61; N=1; N=3" },
		/* counts that shift promise that it leaves nothing; scratch is no data
		 */
		{ "N = 64;", BUFFERS("N >> 2") SCALAR("n", "N"), NULL, NULL, "" },
		{ "N = 64;",
			BUFFERS("N") SCALAR("n",
				"N") ", { name = \"t\"; type = \"float\"; count = \"N / 4 + 1\"; access = \"scratch\"; }",
			NULL, NULL, "N=63; N=65; N=62; N=61; N=1; N=3" },
		/* a file has the elements that it has */
		{ "N = 64;",
			"{ name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; fill = \"file('x.bin')\"; },"
			"{ name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; }" SCALAR(
				"n", "N"),
			NULL, NULL, "" },
		/* the space says which, or that there are to be none */
		{ "N = 64;", BUFFERS("N") SCALAR("n", "N"),
			"verify: { problems = ( { N = 5; } ); };", NULL, "" },
		{ "N = 64;", BUFFERS("N") SCALAR("n", "N"),
			"verify: { derive = false; };", NULL, "" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check(&rows[i]);
}

static void memory_that_runs_out_leaves_nothing(void **state)
{
	static const struct row row = { "M = 8192; N = 300; L = \"M + N\";",
		BUFFERS("M * N") SCALAR("m", "M") SCALAR("n", "N"), NULL, NULL, "" };
	static const struct at_device_info device = { .kind = "host" };
	struct at_spec *spec = parse(&row);
	bool reached = true;
	long failed = 0;

	for (; reached; failed++) {
		struct at_problem *problems;
		struct at_error err = { 0 };
		enum at_status status;
		size_t count;

		allocations_left = failed;
		status = at_derived_make(
			spec, &spec->problems[0], &device, &problems, &count, &err);
		reached = allocations_left < 0;
		allocations_left = -1;
		assert_int_equal(status, reached ? AT_ENOMEM : AT_OK);
		assert_int_equal(count, reached ? 0 : 8);
		at_derived_free(problems, count);
	}
	assert_true(failed > 20);
	at_spec_free(spec);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_that_kernels_are_told_of_vary),
		cmocka_unit_test(other_sizes_stay),
		cmocka_unit_test(memory_that_runs_out_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
