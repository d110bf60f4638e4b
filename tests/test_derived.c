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
	const char *names; /* of what is derived; "": nothing */
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

/* scaled: the last one is the tuned problem made smaller as a whole; expected: where
   one size changes alone, behind the number of the problem that it is instead of, NULL
   where that does not matter */
static void check_on(const struct at_device_info *device, const struct row *row,
	bool scaled, const char *expected)
{
	struct at_spec *spec = parse(row);
	struct at_strbuf names = { 0 }, apart = { 0 };
	struct at_derived *list;
	bool is_scaled = false;
	size_t count;

	assert_int_equal(at_derived_make(spec, NULL, &spec->problems[0], device, &list,
				 &count, NULL),
		AT_OK);
	for (size_t i = 0; i < count; i++) {
		const char *name = list[i].problem.name;

		is_scaled = is_scaled || list[i].is_scaled;
		assert_int_equal(strncmp(name, "derived ", strlen("derived ")), 0);
		name += strlen("derived ");
		if (list[i].instead_of)
			at_strbuf_addf(&apart, "%s%zu: %s", apart.length ? "; " : "",
				list[i].instead_of, name);
		else
			at_strbuf_addf(&names, "%s%s", i ? "; " : "", name);
	}
	assert_int_equal(is_scaled, scaled);
	assert_string_equal(at_strbuf_text(&names), row->names);
	if (expected)
		assert_string_equal(at_strbuf_text(&apart), expected);
	at_strbuf_release(&names);
	at_strbuf_release(&apart);
	at_derived_free(list, count);
	at_spec_free(spec);
}

static void check(const struct row *row, bool scaled)
{
	static const struct at_device_info device = { .kind = "host" };

	check_on(&device, row, scaled, NULL);
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
			"M=2047 N=299; M=2049 N=301; M=2046 N=298; M=2039 N=293; M=1 N=1; M=3 N=3; M=1021 N=301; M=2049 N=149; M=2048 N=256" },
		{ "M = 16384; N = 16384; K = 16384;",
			BUFFERS("M * N + K") SCALAR("m", "M") SCALAR("n", "N")
				SCALAR("k", "K"),
			NULL, NULL,
			"M=511 N=511 K=511; M=513 N=513 K=513; M=510 N=510 K=510; M=509 N=509 K=509; M=1 N=1 K=1; M=3 N=3 K=3; M=251 N=513 K=509; M=513 N=251 K=509" },
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
			"M=63 N=31; M=65 N=33; M=62 N=30; M=61 N=29; M=1 N=1; M=3 N=3; M=31 N=33; M=65 N=13" },
		{ "N = 4096;", BUFFERS("N") SCALAR("n", "N / 4"), NULL, NULL,
			"N=4092; N=4100; N=4088; N=4084; N=4; N=12" },
		/* where it is rounded up, any has a count */
		{ "N = 64;", BUFFERS("(N + 7)/8") SCALAR("n", "N"), NULL, NULL,
			"N=63; N=65; N=62; N=61; N=1; N=3" },
		{ "N = 64;", BUFFERS("( N + BLOCK-1 ) / BLOCK") SCALAR("n", "N"), NULL,
			NULL, "N=63; N=65; N=62; N=61; N=1; N=3" },
		{ "N = 64;", BUFFERS("(N + 8) / 8") SCALAR("n", "N"), NULL, NULL,
			"N=72; N=56" },
		{ "N = 64;", BUFFERS("N / 4") SCALAR("n", "N"), NULL, NULL,
			"N=60; N=68; N=56; N=52; N=4; N=12" },
		/* and where another count of it is */
		{ "N = 64;",
			BUFFERS("N / 2") ", { name = \"z\"; type = \"int\"; count = \"(N + 1) / 2\"; access = \"in\"; }" SCALAR(
				"n", "N"),
			NULL, NULL, "N=63; N=65; N=62; N=61; N=3" },
		{ "N = 64;",
			BUFFERS("N / 2") ", { name = \"z\"; type = \"int\"; count = \"ceil_div(N, 2)\"; access = \"in\"; }" SCALAR(
				"n", "N"),
			NULL, NULL, "N=63; N=65; N=62; N=61; N=3" },
		{ "N = 64;",
			BUFFERS("N / 2") ", { name = \"z\"; type = \"int\"; count = \"ceil_div(N, 4)\"; access = \"in\"; }" SCALAR(
				"n", "N"),
			NULL, NULL, "N=62; N=66; N=60; N=58; N=2; N=6" },
		{ "N = 64;",
			BUFFERS("N / 2") ", { name = \"z\"; type = \"int\"; count = \"4 * ceil_div(max(N, 4), 2)\"; access = \"in\"; }" SCALAR(
				"n", "N"),
			NULL, NULL, "N=63; N=65; N=62; N=61; N=3" },
		/* not where scratch is, nor something else, nor where one is added */
		{ "N = 64;",
			BUFFERS("N / 2") ", { name = \"z\"; type = \"int\"; count = \"(N + 1) / 2\"; access = \"scratch\"; }" SCALAR(
				"n", "N"),
			NULL, NULL, "N=62; N=66; N=60; N=58; N=2; N=6" },
		{ "N = 64;",
			BUFFERS("N / 2") ", { name = \"z\"; type = \"int\"; count = \"N / 2 + 1\"; access = \"in\"; }" SCALAR(
				"n", "N"),
			NULL, NULL, "N=62; N=66; N=60; N=58; N=2; N=6" },
		{ "N = 64; H = 32;",
			BUFFERS("((H + 1) / 2) * (N / 2)") SCALAR("n", "N")
				SCALAR("h", "H"),
			NULL, NULL,
			"N=62 H=31; N=66 H=33; N=60 H=30; N=58 H=29; N=2 H=1; N=6 H=3; N=26 H=33; N=66 H=13" },
		{ "N = 64; H = 32;",
			BUFFERS("ceil_div(H, 2) * (N / 2)") SCALAR("n", "N")
				SCALAR("h", "H"),
			NULL, NULL,
			"N=62 H=31; N=66 H=33; N=60 H=30; N=58 H=29; N=2 H=1; N=6 H=3; N=26 H=33; N=66 H=13" },
		/* a fourth one, as a pitch, is not what the first one is */
		{ "N = 64; K = 32; P = 64; Q = 64;",
			BUFFERS("N * Q + K * P") SCALAR("n", "N") SCALAR("k", "K")
				SCALAR("p", "P") SCALAR("q", "Q"),
			NULL, NULL,
			"N=63 K=31 P=63 Q=63; N=65 K=33 P=65 Q=65; N=62 K=30 P=62 Q=62; N=61 K=29 P=61 Q=61; N=1 K=1 P=1 Q=1; N=3 K=3 P=3 Q=3; N=31 K=33 P=61 Q=66; N=65 K=13 P=61 Q=59" },
		/* or what a count divides by another size, which changes alone */
		{ "K = 640; G = 32; M = 29;",
			BUFFERS("M * (K / G)") SCALAR("k", "K") SCALAR("g", "G")
				SCALAR("m", "M"),
			NULL, NULL,
			"K=608 M=28; K=672 M=30; K=576 M=26; K=544 M=23; K=32 M=1; K=96 M=3; K=224 M=30; K=672 M=13; K=512 M=32; G=64" },
		/* also by itself, and where the quotient is of a product */
		{ "N = 64; G = 64;", BUFFERS("N / G * G") SCALAR("n", "N"), NULL, NULL,
			"N=128" },
		{ "N = 64; K = 6; G = 4;", BUFFERS("N * K / G") SCALAR("n", "N"), NULL,
			NULL, "N=60; N=68; N=56; N=52; N=4; N=12" },
		/* a small one becomes smaller, by itself */
		{ "N = 64; C = 4;", BUFFERS("N * C") SCALAR("n", "N") SCALAR("c", "C"),
			NULL, NULL, "N=63; N=65 C=5; N=62; N=61; N=1 C=1; N=3; C=3" },
		{ "N = 15;", BUFFERS("N") SCALAR("n", "N"), NULL, NULL, "N=16; N=14" },
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
		check(&rows[i], false);
}

/* What nothing is as large as is a number as those in the arguments. */
static void numbers_that_kernels_are_told_of_vary(void **state)
{
#define REAL(name, value) \
	", { name = \"" name "\"; type = \"float\"; value = \"" value "\"; }"
#define N_VARIES "N=63; N=65; N=62; N=61; N=1; N=3"
	static const struct row rows[] = {
		{ "N = 64; STEPS = 100; R = 3; LOW = -6;",
			BUFFERS("N") SCALAR("n", "N") SCALAR("steps", "STEPS")
				SCALAR("r", "R") SCALAR("low", "LOW"),
			NULL, NULL, N_VARIES "; STEPS=96 R=2 LOW=-4; STEPS=16 LOW=0" },
		/* by factors of their own, and what is next to nothing to more */
		{ "N = 64; A = 2.0; B = 2.0; EPS = 0.0001; ZERO = 0.0;",
			BUFFERS("N") SCALAR("n", "N") REAL("a", "A") REAL("b", "B")
				REAL("eps", "EPS") REAL("zero", "ZERO"),
			NULL, NULL,
			N_VARIES
			"; A=1.5 B=1.53125 EPS=0.01 ZERO=0.5; A=0.125 B=0.125" },
		/* flags by themselves */
		{ "N = 64; CAUSAL = 1; PAD = 0; R = 3; OLD = true;",
			BUFFERS("N") SCALAR("n", "N") SCALAR("causal", "CAUSAL") SCALAR(
				"pad", "PAD") SCALAR("r", "R") SCALAR("old", "OLD"),
			NULL, NULL, N_VARIES "; R=2; PAD=1; CAUSAL=0 OLD=false" },
		/* and what was less is not more then */
		{ "N = 64; LO = 100; HI = 128;",
			BUFFERS("N") SCALAR("n", "N") SCALAR("lo", "LO")
				SCALAR("hi", "HI"),
			NULL, NULL, N_VARIES "; LO=96; LO=16" },
		{ "N = 64; LO = 0.01; HI = 0.1;",
			BUFFERS("N") SCALAR("n", "N") REAL("lo", "LO") REAL("hi", "HI"),
			NULL, NULL, N_VARIES "; LO=0.1; HI=0.02" },
		{ "N = 64; A = 0.25; ZERO = 0.0;",
			BUFFERS("N") SCALAR("n", "N") REAL("a", "A")
				REAL("zero", "ZERO"),
			NULL, NULL, N_VARIES "; A=0.1875 ZERO=0.09375; A=0.02" },
		/* what follows from it follows, and an expression tells it too */
		{ "N = 64; R = 3; D = \"2 * R + 1\";",
			BUFFERS("N") SCALAR("n", "N") SCALAR("d", "D"), NULL, NULL,
			N_VARIES "; R=2 D=5" },
		{ "N = 64; R = 3;", BUFFERS("N") SCALAR("n", "N") SCALAR("d", "2 * R"),
			NULL, NULL, N_VARIES "; R=2" },
		/* a reciprocal says it, but not where a buffer ends */
		{ "N = 64; S = 4;", BUFFERS("N") SCALAR("n", "N") REAL("s", "1.0 / S"),
			NULL, NULL, N_VARIES "; S=2" },
		/* where no extent varies as well */
		{ "N = 64; R = 3;", BUFFERS("N") SCALAR("r", "R"), NULL, NULL, "R=2" },
		/* only one of the kernels is told, or neither; a compiler knows */
		{ "N = 64; R = 3;", BUFFERS("N") SCALAR("n", "N"), NULL, NULL,
			N_VARIES },
		{ "N = 64; R = 3;", BUFFERS("N") SCALAR("n", "N") SCALAR("r", "R"),
			NULL,
			"arguments = ( \"x\", \"y\", \"n\" ); reference = { kernel = \"r\"; arguments = ( \"x\", \"y\", \"n\", \"r\" ); };",
			N_VARIES },
		{ "N = 64; R = 3;", BUFFERS("N") SCALAR("n", "N") SCALAR("r", "R"),
			"options = ( \"-DR=${R}\" );", NULL, N_VARIES },
		/* a parameter divides it, and would not divide another one */
		{ "N = 64; R = 96; S = 2;",
			BUFFERS("N") SCALAR("n", "N") SCALAR("r", "R") SCALAR("s", "S"),
			NULL, NULL, N_VARIES "; R=64 S=1" },
		/* it is to stay */
		{ "N = 64; R = 3;",
			BUFFERS("N") SCALAR("n",
				"N") ", { name = \"r\"; type = \"int\"; value = \"R\"; fixed = true; }",
			NULL, NULL, N_VARIES },
		{ "N = 64; R = -1;", BUFFERS("N") SCALAR("n", "N") SCALAR("r", "R"),
			NULL, NULL, N_VARIES "; R=0" },
		/* verify tries another one, or only this one */
		{ "N = 64; R = 3;", BUFFERS("N") SCALAR("n", "N") SCALAR("r", "R"),
			"verify: { problems = ( { R = 5; } ); };", NULL, N_VARIES },
		{ "N = 64; R = 3;", BUFFERS("N") SCALAR("n", "N") SCALAR("r", "R"),
			"verify: { problems = ( { N = 5; R = 3; } ); };", NULL, "R=2" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check(&rows[i], false);
}

/* What decides how large something is, and is small or divides it. */
static void numbers_that_extents_are_made_of_vary(void **state)
{
	static const struct row rows[] = {
		/* of what fits nothing promises that nothing is left over */
		{ "N = 64; STEP = 2;",
			BUFFERS("N / STEP + 1") SCALAR("n", "N") SCALAR("step", "STEP"),
			NULL, NULL, N_VARIES "; STEP=3" },
		/* an item, of which nobody need know */
		{ "N = 64; ITEMS = 1;",
			BUFFERS("ITEMS * N") SCALAR("n", "N") SCALAR("items", "ITEMS"),
			NULL, NULL, N_VARIES "; ITEMS=2" },
		/* what divides others becomes what does, too */
		{ "N = 64; GROUPS = 1;",
			BUFFERS("N / GROUPS") SCALAR("n", "N")
				SCALAR("groups", "GROUPS"),
			NULL, NULL, N_VARIES "; GROUPS=2" },
		{ "N = 64; GROUPS = 8;",
			BUFFERS("N / GROUPS") SCALAR("n", "N")
				SCALAR("groups", "GROUPS"),
			NULL, NULL, "N=72; N=56; GROUPS=4" },
		{ "N = 60; GROUPS = 3;",
			BUFFERS("N / GROUPS") SCALAR("n", "N")
				SCALAR("groups", "GROUPS"),
			NULL, NULL, "N=57; N=63; N=54; N=51; N=3; N=9; GROUPS=1" },
		{ "N = 64; GROUPS = 4; EACH = \"N / GROUPS\";",
			BUFFERS("EACH") SCALAR("n", "N") SCALAR("groups", "GROUPS"),
			NULL, NULL,
			"N=63 EACH=15; N=65; N=62 EACH=15; N=61 EACH=15; GROUPS=2 EACH=32" },
		/* a parameter divides 32 and not 16 */
		{ "N = 1024; GROUP = 32;",
			BUFFERS("N / GROUP") SCALAR("n", "N") SCALAR("group", "GROUP"),
			NULL, NULL,
			"N=992; N=1056; N=960; N=928; N=32; N=96; GROUP=64" },
		{ "N = 256; GROUP = 16;",
			BUFFERS("N / GROUP") SCALAR("n", "N") SCALAR("group", "GROUP"),
			NULL, NULL, "N=240; N=272; N=224; N=208; N=16; N=48; GROUP=8" },
		/* it has to divide what it divided, in a count or in a kernel alone */
		{ "N = 64; C = 4; F = 8; GROUPS = 1;",
			BUFFERS("N * F + C / GROUPS") SCALAR("n", "N") SCALAR("c", "C")
				SCALAR("f", "F") SCALAR("groups", "GROUPS"),
			NULL, NULL,
			"N=63; N=65 C=5 F=9; N=62; N=61; N=1 C=1 F=1; N=3; C=3 F=7; GROUPS=2" },
		{ "N = 64; C = 4; F = 7; GROUPS = 1;",
			BUFFERS("N * F * (C / GROUPS)") SCALAR("n", "N") SCALAR(
				"c", "C") SCALAR("f", "F") SCALAR("groups", "GROUPS"),
			NULL, NULL,
			"N=63; N=65 C=5 F=8; N=62; N=61; N=1 C=1 F=1; N=3; C=3 F=6" },
		{ "N = 64; C = 9; F = 9; GROUPS = 3;",
			BUFFERS("N * F + C / GROUPS") SCALAR("n", "N") SCALAR("c", "C")
				SCALAR("f", "F") SCALAR("groups", "GROUPS"),
			NULL, NULL,
			"N=63; N=65 C=12 F=12; N=62; N=61; N=1 C=3 F=3; N=3; C=6 F=6; GROUPS=1" },
		{ "N = 1056; GROUP = 32;",
			BUFFERS("N / GROUP") SCALAR("n", "N") SCALAR("group", "GROUP"),
			NULL, NULL, "N=1024; N=1088; N=960; N=992; N=32; N=96" },
		/* a flag, and no number of things */
		{ "N = 64; BIAS = 1;",
			BUFFERS("BIAS ? N : 1") SCALAR("n", "N") SCALAR("bias", "BIAS"),
			NULL, NULL, N_VARIES "; BIAS=0" },
		/* it leaves a remainder as it is: the same after that */
		{ "N = 64; PAD = 1;",
			BUFFERS("(N + PAD) / 2") SCALAR("n", "N") SCALAR("pad", "PAD"),
			NULL, NULL, "N=62; N=66; N=60; N=58; N=2; N=6; PAD=3" },
		/* verify tries another one, or none */
		{ "N = 64; PAD = 1;",
			BUFFERS("N + PAD") SCALAR("n", "N") SCALAR("pad", "PAD"),
			"verify: { problems = ( { N = 7; PAD = 0; } ); };", NULL, "" },
		{ "N = 64; PAD = 1;",
			BUFFERS("N + PAD") SCALAR("n", "N") SCALAR("pad", "PAD"),
			"verify: { problems = ( { N = 7; } ); };", NULL,
			"PAD=2; PAD=0" },
		/* it is to stay */
		{ "N = 64; PAD = 1;",
			BUFFERS("N + PAD") SCALAR("n",
				"N") ", { name = \"pad\"; type = \"int\"; value = \"PAD\"; fixed = true; }",
			NULL, NULL, N_VARIES },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check(&rows[i], false);
}

/* A margin of 1 may as well be none; what others are multiplied with may not. */
static void margins_of_1_become_none(void **state)
{
	static const struct row rows[] = {
		{ "N = 64; PAD = 1; STEP = 1;",
			BUFFERS("(N + 2 * PAD) * STEP") SCALAR("n", "N")
				SCALAR("pad", "PAD") SCALAR("step", "STEP"),
			NULL, NULL, N_VARIES "; PAD=2 STEP=2; PAD=0" },
		{ "N = 64; PAD = 1;",
			BUFFERS("N + PAD*2") ", { name = \"w\"; type = \"int\"; count = \"(PAD + 1)\"; access = \"in\"; }" SCALAR(
				"n", "N") SCALAR("pad", "PAD"),
			NULL, NULL, N_VARIES "; PAD=2; PAD=0" },
		{ "N = 64; PAD = 1; M = \"N + PAD\";",
			BUFFERS("2 * M") SCALAR("n", "N") SCALAR("pad", "PAD"), NULL,
			NULL,
			"N=63 M=64; N=65 M=66; N=62 M=63; N=61 M=62; N=1 M=2; N=3 M=4; PAD=2 M=66; PAD=0 M=64" },
		/* no margins, or more than 1 */
		{ "N = 64; PAD = 2;",
			BUFFERS("N + 2 * PAD") SCALAR("n", "N") SCALAR("pad", "PAD"),
			NULL, NULL, N_VARIES "; PAD=3" },
		{ "N = 64; HOLE = 1;",
			BUFFERS("N + (3 - 1) * HOLE") SCALAR("n", "N")
				SCALAR("hole", "HOLE"),
			NULL, NULL, N_VARIES "; HOLE=2" },
		{ "N = 64; C = 1; D = 1;",
			BUFFERS("N + C * D * 2") SCALAR("n", "N") SCALAR("c", "C")
				SCALAR("d", "D"),
			NULL, NULL, N_VARIES "; C=2 D=2" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check(&rows[i], false);
}

/* Nothing may be right where all change at once: then they change one by one. */
static void sizes_that_change_together_also_change_alone(void **state)
{
	static const struct at_device_info device = { .kind = "host" };
	static const struct {
		struct row row;
		const char *alone; /* behind the number of what it is instead of */
	} rows[] = {
		{ { "N = 64; TAPS = 5; PAD = 0; STEP = 1;",
			  BUFFERS("N + (N + 2 * PAD - TAPS) / STEP + 1")
				  SCALAR("n", "N") SCALAR("taps", "TAPS")
					  SCALAR("pad", "PAD") SCALAR("step", "STEP"),
			  NULL, NULL,
			  "N=63; N=65 TAPS=6; N=62; N=61; N=1 TAPS=1; N=3; TAPS=4 PAD=1 STEP=2" },
			"7: TAPS=4; 7: PAD=1; 7: STEP=2; 2: N=65; 2: TAPS=6" },
		{ { "M = 64; N = 128; A = 0; B = 0; C = 1; R = 3; S = 5;",
			  BUFFERS("M * N") SCALAR("m", "M") SCALAR("n", "N")
				  SCALAR("a", "A") SCALAR("b", "B") SCALAR("c", "C")
					  SCALAR("r", "R") SCALAR("s", "S"),
			  NULL, NULL,
			  "M=63 N=127; M=65 N=129; M=62 N=126; M=61 N=113; M=1 N=1; M=3 N=3; M=31 N=129; M=65 N=61; R=2 S=4; A=1 B=1; C=0; B=1; A=1" },
			"9: R=2; 9: S=4; 1: M=63; 1: N=127; 7: M=65; 7: N=129; 6: M=3; 6: N=3; 1: N=192" },
		/* channels in groups, of which no count tells */
		{ { "M = 35; C = 32; G = 4;",
			  BUFFERS("M * C") SCALAR("m", "M") SCALAR("c", "C")
				  SCALAR("g", "G"),
			  NULL, NULL,
			  "M=34 C=31; M=36 C=33; M=30 C=30; M=31 C=29; M=1 C=1; M=3 C=3; M=13 C=33; M=36 C=13; M=64; G=2" },
			"1: M=34; 1: C=31; 7: M=36; 7: C=33; 6: M=3; 6: C=3; 1: C=36" },
		/* heads of which several share one, which only a few numbers suit */
		{ { "N = 64; HEADS = 8; SHARED = 2;",
			  BUFFERS("N * HEADS + SHARED") SCALAR("n", "N")
				  SCALAR("heads", "HEADS") SCALAR("shared", "SHARED"),
			  NULL, NULL,
			  "N=63; N=65 HEADS=9; N=62; N=61; N=1 HEADS=1; N=3; HEADS=7 SHARED=3" },
			"7: HEADS=7; 7: SHARED=3; 2: N=65; 2: HEADS=9; 1: N=72; 7: HEADS=10; 7: SHARED=4" },
		{ { "N = 35; HEADS = 6; SHARED = 3;",
			  BUFFERS("N * HEADS + SHARED") SCALAR("n", "N")
				  SCALAR("heads", "HEADS") SCALAR("shared", "SHARED"),
			  NULL, NULL,
			  "N=34; N=36 HEADS=7 SHARED=4; N=30; N=31; N=1 HEADS=1 SHARED=1; N=3; N=64; HEADS=5 SHARED=2" },
			"8: HEADS=5; 8: SHARED=2; 2: N=36; 2: HEADS=7; 2: SHARED=4; 8: HEADS=9; 8: SHARED=6" },
		/* of one there is no other */
		{ { "N = 64; R = 3;", BUFFERS("N") SCALAR("n", "N") SCALAR("r", "R"),
			  NULL, NULL, N_VARIES "; R=2" },
			"" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check_on(&device, &rows[i].row, false, rows[i].alone);
}

/* Who takes one of two numbers that are equal for the other is right while they are. */
static void equal_numbers_become_different(void **state)
{
	static const struct row rows[] = {
		{ "N = 64; A = 3; B = 3; C = 3; D = 3; E = 5;",
			BUFFERS("N") SCALAR("n", "N") SCALAR("a", "A") SCALAR("b", "B")
				SCALAR("c", "C") SCALAR("d", "D") SCALAR("e", "E"),
			NULL, NULL,
			N_VARIES "; A=2 B=2 C=2 D=2 E=4; B=2 D=2; C=2 D=2" },
		{ "N = 64; A = 1; B = 0; C = 0; D = 1;",
			BUFFERS("N") SCALAR("n", "N") SCALAR("a", "A") SCALAR("b", "B")
				SCALAR("c", "C") SCALAR("d", "D"),
			NULL, NULL, N_VARIES "; B=1 C=1; A=0 D=0; C=1 D=0; A=0 B=1" },
		/* one that is part of a count is no other of one that is not */
		{ "N = 64; A = 3; B = 3; C = 3;",
			BUFFERS("N + A") SCALAR("n", "N") SCALAR("a", "A")
				SCALAR("b", "B") SCALAR("c", "C"),
			NULL, NULL,
			"N=63; N=65 A=4; N=62; N=61; N=1 A=1; N=3; A=2; B=2 C=2; C=2" },
		{ "N = 64; A_X = 3; A_Y = 3;",
			BUFFERS("N + A_X * A_Y") SCALAR("n", "N") SCALAR("a", "A_X")
				SCALAR("b", "A_Y"),
			NULL, NULL,
			"N=63; N=65 A_X=4 A_Y=4; N=62; N=61; N=1 A_X=1 A_Y=1; N=3; A_X=2 A_Y=2; A_Y=2" },
		/* as at four sides, of which no two stay equal in both */
		{ "N = 64; LEFT = 3; RIGHT = 3; TOP = 3; BOTTOM = 3;",
			BUFFERS("(N + LEFT + RIGHT) * (N + TOP + BOTTOM)") SCALAR(
				"n", "N") SCALAR("l", "LEFT") SCALAR("r", "RIGHT")
				SCALAR("t", "TOP") SCALAR("b", "BOTTOM"),
			NULL, NULL,
			"N=63; N=65 LEFT=4 RIGHT=4 TOP=4 BOTTOM=4; N=62; N=61; N=1 LEFT=1 RIGHT=1 TOP=1 BOTTOM=1; N=3; LEFT=2 RIGHT=2 TOP=2 BOTTOM=2; RIGHT=2 BOTTOM=2; TOP=2 BOTTOM=2" },
		/* a window as long as its stride may be one that has to be */
		{ "N = 64; A = 3; B = 3;",
			BUFFERS("(N - 1) * A + B") SCALAR("n", "N") SCALAR("a", "A")
				SCALAR("b", "B"),
			NULL, NULL,
			"N=63; N=65 A=4 B=4; N=62; N=61; N=1 A=1 B=1; N=3; A=2 B=2" },
		/* factors of reals differ, and extents are mixed */
		{ "N = 64; A = 2.0; B = 2.0;",
			BUFFERS("N") SCALAR("n", "N") REAL("a", "A") REAL("b", "B"),
			NULL, NULL, N_VARIES "; A=1.5 B=1.53125; A=0.125 B=0.125" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check(&rows[i], false);
}

/* What is 0 hides what is done with it, also beside a flag and where there is little.
 */
static void what_is_0_becomes_more_beside_other_sizes(void **state)
{
	static const struct row rows[] = {
		{ "N = 64; ON = 0;",
			BUFFERS("N") ", { name = \"b\"; type = \"float\"; count = \"N\"; "
				     "access = \"in\"; fill = \"constant(0)\"; }" SCALAR(
					     "n", "N") SCALAR("on", "ON"),
			NULL, NULL,
			N_VARIES
			"; ON=1; N=2 and other values of b; N=61 and other values of b; ON=1 and other values of b" },
		{ "N = 64; ON = 1;",
			BUFFERS("N") REAL("alpha", "0.0") REAL("beta", "1.0")
				SCALAR("n", "N") SCALAR("on", "ON") SCALAR("too", "0"),
			NULL, NULL,
			N_VARIES
			"; ON=0; N=2 and other values of alpha, too; N=61 and other values of alpha, too; ON=0 and other values of alpha, too" },
		/* of two extents both become others; a flag is enough for that */
		{ "N = 64; M = 48;",
			BUFFERS("N * M") SCALAR("n", "N") SCALAR("m", "M")
				SCALAR("on", "0"),
			NULL, NULL,
			"N=63 M=47; N=65 M=49; N=62 M=46; N=61 M=43; N=1 M=1; N=3 M=3; N=31 M=49; N=65 M=23; M=64; N=31 M=49 and other values of on" },
		/* one that is fixed stays 0 */
		{ "N = 64; ON = 0;",
			BUFFERS("N") ", { name = \"b\"; type = \"float\"; count = \"N\"; "
				     "access = \"in\"; fill = \"constant(0)\"; fixed = true; }" SCALAR(
					     "n", "N") SCALAR("on", "ON"),
			NULL, NULL, N_VARIES "; ON=1" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check(&rows[i], false);
}

/* A 1 that is no flag may be more, and less may make no sense. */
static void a_one_that_counts_becomes_two(void **state)
{
	static const struct row row = { "N = 64; STEP = 1; OLD = 1;",
		BUFFERS("N") SCALAR("n", "N") SCALAR("step", "STEP")
			SCALAR("old", "OLD"),
		NULL, NULL, "" };
	static const struct {
		const char *kernel, *reference; /* what they compute */
		const char *names;
	} cases[] = {
		{ "x[i] = y[i] / step + (float)old;",
			"x[i] = y[i] / step + (float)old;",
			N_VARIES "; STEP=2 OLD=2; STEP=0 OLD=0; OLD=2; STEP=2" },
		/* one of both looks at it */
		{ "if (old) x[i] = y[i] / step;", "x[i] = y[i] / step * old;",
			N_VARIES "; STEP=2; STEP=0 OLD=0" },
		{ "x[i] = y[i] / step * old;", "if (old == 1) x[i] = y[i] / step;",
			N_VARIES "; STEP=2; STEP=0 OLD=0" },
		{ "x[i] = step ? y[i] * old : 0;", "x[i * step] = old;",
			N_VARIES "; STEP=0 OLD=0; OLD=0; STEP=0" },
		/* or takes it for an index */
		{ "x[i * step] = y[i] * old;", "x[i] = y[i] / step * old;",
			N_VARIES "; OLD=2; STEP=0 OLD=0" },
		/* or does nothing with it */
		{ "x[i] = old ? 1 : 0;", "x[i] = y[i] / step * old;",
			N_VARIES "; STEP=0 OLD=0; OLD=0; STEP=0" },
	};
	static const struct at_device_info device = { .kind = "host" };
	struct at_spec *spec = parse(&row);

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_strbuf names = { 0 }, text = { 0 };
		struct at_template template = { 0 };
		struct at_derived *list;
		size_t count;

		at_strbuf_addf(&text,
			"__global__ void k(float *x, float *y, int n, int step, int old) { %s }\n"
			"__global__ void r(float *x, float *y, int n, int step, int old) { %s }\n",
			cases[i].kernel, cases[i].reference);
		template.text = text.data;
		assert_int_equal(at_derived_make(spec, &template, &spec->problems[0],
					 &device, &list, &count, NULL),
			AT_OK);
		for (size_t k = 0; k < count; k++)
			if (!list[k].instead_of)
				at_strbuf_addf(&names, "%s%s", k ? "; " : "",
					list[k].problem.name + strlen("derived "));
		assert_string_equal(at_strbuf_text(&names), cases[i].names);
		at_strbuf_release(&names);
		at_strbuf_release(&text);
		at_derived_free(list, count);
	}
	at_spec_free(spec);
}

/* what chooses between more than two ways is tried with the last of them, too */
static void a_kind_becomes_those_that_are_asked_for(void **state)
{
	static const struct row row = { "N = 64; MODE = 0; MORE = 3;",
		BUFFERS("N") SCALAR("n", "N") SCALAR("mode", "MODE")
			SCALAR("more", "MORE"),
		NULL, NULL, "" };
	static const struct {
		const char *reference; /* what it computes */
		const char *names;
	} cases[] = {
		{ "x[i] = mode ? more : 0;", N_VARIES "; MORE=2; MODE=1" },
		{ "x[i] = mode == 2 ? more : 0;", N_VARIES "; MORE=2; MODE=1; MODE=2" },
		{ "x[i] = mode == 2 ? 1 : mode == 4 ? 2 : mode == 6;",
			N_VARIES "; MORE=2; MODE=1; MODE=2; MODE=6" },
		{ "switch (more) { case 3: case 5: case 7: x[i] = mode == 4; }",
			N_VARIES "; MORE=2; MODE=1; MODE=4 MORE=5; MODE=4 MORE=7" },
		/* or none, where that is asked for */
		{ "x[i] = more > 0 ? 1 : mode;", N_VARIES "; MORE=2; MODE=1; MORE=0" },
		{ "if (!more) x[i] = mode;", N_VARIES "; MORE=2; MODE=1; MORE=0" },
	};
	static const struct at_device_info device = { .kind = "host" };
	struct at_spec *spec = parse(&row);

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_strbuf names = { 0 }, text = { 0 };
		struct at_template template = { 0 };
		struct at_derived *list;
		bool has_apart = false;
		size_t count;

		at_strbuf_addf(&text,
			"__global__ void k(float *x, float *y, int n, int mode, int more) {}\n"
			"__global__ void r(float *x, float *y, int n, int mode, int more) { %s }\n",
			cases[i].reference);
		template.text = text.data;
		assert_int_equal(at_derived_make(spec, &template, &spec->problems[0],
					 &device, &list, &count, NULL),
			AT_OK);
		for (size_t k = 0; k < count; k++)
			if (!list[k].instead_of)
				at_strbuf_addf(&names, "%s%s", k ? "; " : "",
					list[k].problem.name + strlen("derived "));
			else
				has_apart |=
					!strcmp(list[k].problem.name, "derived MORE=7");
		assert_int_equal(has_apart, i == 3);
		assert_string_equal(at_strbuf_text(&names), cases[i].names);
		at_strbuf_release(&names);
		at_strbuf_release(&text);
		at_derived_free(list, count);
	}
	at_spec_free(spec);
}

/* where a launch costs by its threads, and the machine has other work */
static void large_sizes_are_smaller_on_shared_cores(void **state)
{
	static const struct at_device_info device = { .kind = "host",
		.shares_cores = true };
	static const struct row rows[] = {
		{ "N = 4096;", BUFFERS("N") SCALAR("n", "N"), NULL, NULL,
			"N=4095; N=4097; N=4094; N=4093; N=1; N=3" },
		{ "N = 67108864;", BUFFERS("N") SCALAR("n", "N"), NULL, NULL,
			"N=262143; N=262145; N=262142; N=262139; N=1; N=3" },
		{ "M = 8192; N = 300;",
			BUFFERS("M * N") SCALAR("m", "M") SCALAR("n", "N"), NULL, NULL,
			"M=511 N=299; M=513 N=301; M=510 N=298; M=509 N=293; M=1 N=1; M=3 N=3; M=251 N=301; M=513 N=149; M=512 N=256" },
	};

	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check_on(&device, &rows[i], false, NULL);
}

/* an extent that is compiled in, or of which nobody is told: as it is tuned */
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
		/* reals that are extents */
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
		check(&rows[i], false);
}

/* The tuned problem made smaller as a whole: where nothing else varies and it is
   large. */
static void what_does_not_vary_becomes_smaller_as_a_whole(void **state)
{
	static const struct row rows[] = {
		{ "N = 67108864;", BUFFERS("N") SCALAR("n", "log2(N)"), NULL, NULL,
			"N=65536" },
		{ "N = 4096;", BUFFERS("N * N") SCALAR("n", "N % 4096"), NULL, NULL,
			"N=256" },
		/* a compiler that knows it is told another one */
		{ "N = 4096;", BUFFERS("N * N"), "options = ( \"-DN=${N}\" );", NULL,
			"N=256" },
		/* all by the same divisor, as far as it divides all of them; what
		   follows from them follows */
		{ "M = 8192; N = 3000; K = \"2 * N\";", BUFFERS("M * N + K"),
			"options = ( \"-DM=${M}\", \"-DN=${N}\" );", NULL,
			"M=1024 N=375 K=750" },
		{ "M = 8192; N = 512;", BUFFERS("M * N"),
			"options = ( \"-DM=${M}\", \"-DN=${N}\" );", NULL,
			"M=1024 N=64" },
		/* not a small one, nor one that is no extent */
		{ "M = 8192; N = 256; STEPS = 1024;", BUFFERS("M * N"),
			"options = ( \"-DM=${M}\", \"-DN=${N}\", \"-DSTEPS=${STEPS}\" );",
			NULL, "M=256" },
		/* beside a small one that becomes smaller by itself */
		{ "N = 1048576; C = 4;",
			BUFFERS("N * C") SCALAR("c", "C") SCALAR("n", "log2(N)"), NULL,
			NULL, "C=5; C=3; N=16384" },
		/* nobody is told: it may stand in the template as a number */
		{ "N = 67108864;", BUFFERS("N"), NULL, NULL, "" },
		/* an odd one, and one that is small already */
		{ "N = 99999999;", BUFFERS("N") SCALAR("n", "log2(N)"), NULL, NULL,
			"" },
		{ "N = 65536;", BUFFERS("N") SCALAR("n", "log2(N)"), NULL, NULL, "" },
		/* a file has the elements that it has */
		{ "N = 1048576;",
			"{ name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; fill = \"file('x.bin')\"; },"
			"{ name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; }" SCALAR(
				"n", "log2(N)"),
			NULL, NULL, "" },
		/* the space says what it is proved on, or that there is to be nothing
		   else */
		{ "N = 1048576;", BUFFERS("N") SCALAR("n", "log2(N)"),
			"verify: { problems = ( { N = 2048; } ); };", NULL, "" },
		{ "N = 1048576;", BUFFERS("N") SCALAR("n", "log2(N)"),
			"verify: { problems = ( { on = \"cuda\"; N = 2048; } ); };",
			NULL, "N=65536" },
		{ "N = 1048576;", BUFFERS("N") SCALAR("n", "log2(N)"),
			"verify: { derive = false; };", NULL, "" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check(&rows[i], rows[i].names[0] != '\0');
}

static struct at_value integer(int64_t value)
{
	return (struct at_value){ .type = AT_TYPE_INTEGER, .integer = value };
}

/* A kernel may count on whole tiles: what divides the tuned size divides the part. */
static void a_part_suits_who_divides_it_alike(void **state)
{
	static const struct {
		int64_t whole, part, values[4];
		bool suits;
	} rows[] = {
		{ 4096, 256, { 16, 8, 2, 1 }, true },
		{ 4096, 256, { 16, 16, 8, 1 },
			false }, /* 16 * 16 * 8 divides only 4096 */
		{ 4096, 256, { 512, 1, 1, 1 }, false },
		{ 4096, 256, { 32, 16, 1, 1 }, false },
		{ 4096, 256, { 4, 4, 4, 4 }, true }, /* three of them count */
		{ 4096, 256, { 8, 8, 8, 8 }, false },
		/* what does not divide the tuned size promises nothing */
		{ 4096, 256, { 48, 8192, 3, 1 }, true },
		{ 3000, 375, { 25, 5, 3, 1 }, true },
		{ 3000, 375, { 2, 1, 1, 1 }, false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_value values[4];
		struct at_parameter parameters[4] = { 0 };
		const struct at_spec spec = { .parameters = parameters,
			.parameter_count = 4 };
		struct at_size whole = { .name = "N", .value = integer(rows[i].whole) };
		struct at_size part = { .name = "N", .value = integer(rows[i].part) };
		const struct at_problem tuned = { .sizes = &whole, .size_count = 1 };
		const struct at_problem scaled = { .sizes = &part, .size_count = 1 };
		static const uint16_t configuration[4];

		for (size_t k = 0; k < 4; k++) {
			values[k] = integer(rows[i].values[k]);
			parameters[k].values = &values[k];
			parameters[k].value_count = 1;
		}
		assert_int_equal(
			at_derived_suits(&spec, &scaled, &tuned, configuration),
			rows[i].suits);
	}
}

static void memory_that_runs_out_leaves_nothing_of(
	const struct row *row, size_t expected)
{
	static const struct at_device_info device = { .kind = "host" };
	struct at_spec *spec = parse(row);
	bool reached = true;
	long failed = 0;

	for (; reached; failed++) {
		struct at_derived *list;
		struct at_error err = { 0 };
		enum at_status status;
		size_t count;

		allocations_left = failed;
		status = at_derived_make(
			spec, NULL, &spec->problems[0], &device, &list, &count, &err);
		reached = allocations_left < 0;
		allocations_left = -1;
		assert_int_equal(status, reached ? AT_ENOMEM : AT_OK);
		assert_int_equal(count, reached ? 0 : expected);
		at_derived_free(list, count);
	}
	assert_true(failed > 20);
	at_spec_free(spec);
}

static void memory_that_runs_out_leaves_nothing(void **state)
{
	static const struct row varied = { "M = 8192; N = 300; L = \"M + N\";",
		BUFFERS("M * N") SCALAR("m", "M") SCALAR("n", "N"), NULL, NULL, "" };
	static const struct row scaled = { "M = 8192; N = 8192; L = \"M + N\"; C = 4;",
		BUFFERS("M * N * C") SCALAR("c", "C"),
		"options = ( \"-DM=${M}\", \"-DN=${N}\" );", NULL, "" };

	memory_that_runs_out_leaves_nothing_of(&varied, 15);
	memory_that_runs_out_leaves_nothing_of(&scaled, 3);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_that_kernels_are_told_of_vary),
		cmocka_unit_test(numbers_that_kernels_are_told_of_vary),
		cmocka_unit_test(numbers_that_extents_are_made_of_vary),
		cmocka_unit_test(sizes_that_change_together_also_change_alone),
		cmocka_unit_test(margins_of_1_become_none),
		cmocka_unit_test(equal_numbers_become_different),
		cmocka_unit_test(what_is_0_becomes_more_beside_other_sizes),
		cmocka_unit_test(a_one_that_counts_becomes_two),
		cmocka_unit_test(a_kind_becomes_those_that_are_asked_for),
		cmocka_unit_test(large_sizes_are_smaller_on_shared_cores),
		cmocka_unit_test(other_sizes_stay),
		cmocka_unit_test(what_does_not_vary_becomes_smaller_as_a_whole),
		cmocka_unit_test(a_part_suits_who_divides_it_alike),
		cmocka_unit_test(memory_that_runs_out_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
