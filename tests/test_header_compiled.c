/* Generated headers, compiled strictly in every language that they support, and run. */
#include "compiled.h"
#include "header_fixture.h"
#include "record/header_plan.h"
#include "record/result.h"
#include "space/expression.h"

#include <sys/stat.h>
#include <unistd.h>

#define DATA AT_TEST_DIR "/data/result"

/* ---- languages --------------------------------------------------------------- */

#define STRICT \
	" -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wundef -Wunused" \
	" -Wshadow -Wswitch-default -Werror"
#define STRICT_CXX STRICT " -Wold-style-cast -Wzero-as-null-pointer-constant"

static const struct language {
	const char *name;
	const char *compiler; /* with what it needs to be strict */
	const char *file;
	bool is_optional;
} languages[] = {
	{ "C99", "cc -std=c99 -Wstrict-prototypes" STRICT, "main.c", false },
	{ "C++11", "c++ -std=c++11" STRICT_CXX, "main.cpp", false },
	{ "C11 of clang, optimized", "clang -std=c11 -O2" STRICT, "main.c", true },
	{ "C++17 of clang", "clang++ -std=c++17" STRICT_CXX, "main.cpp", true },
	{ "CUDA",
		"nvcc -std=c++14 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Wconversion",
		"main.cu", true },
};

#define LANGUAGE_COUNT (sizeof(languages) / sizeof(languages[0]))

static bool is_there(const struct language *language)
{
	static signed char known[LANGUAGE_COUNT];
	signed char *answer = &known[language - languages];

	if (!*answer)
		*answer = runs("%.*s --version >/dev/null 2>&1",
				  (int)strcspn(language->compiler, " "),
				  language->compiler)
				  ? 1
				  : -1;
	if (*answer < 0 && !language->is_optional)
		fail_msg("%s is not there", language->compiler);
	if (*answer < 0)
		print_message("[  NOTE    ] no compiler for %s\n", language->name);
	return *answer > 0;
}

/* Compiles source against the headers in the folder, and runs it. */
static void assert_runs_in(size_t count, const char *options, const char *source)
{
	for (size_t i = 0; i < count; i++) {
		const struct language *language = &languages[i];

		if (!is_there(language))
			continue;
		write_text(language->file, source);
		if (!runs("cd %s && { %s %s -I . -o program %s 2>log || { head -n 20 log >&2; false; }; }",
			    folder, language->compiler, options, language->file))
			fail_msg("%s does not compile", language->name);
		if (!runs("%s/program", folder))
			fail_msg("%s: wrong", language->name);
	}
}

/* A program that makes these checks of one header. */
#define CHECKS(name, declarations, checks) \
	"#include \"" name ".h\"\n" CHECK declarations "int main(void)\n{\n" checks \
	"\treturn failures != 0;\n}\n"

static void assert_runs(const char *options, const char *source)
{
	assert_runs_in(LANGUAGE_COUNT, options, source);
}

/* The compiler refuses it, and says this. */
static void assert_refused(const char *options, const char *source, const char *reason)
{
	write_text("main.c", source);
	if (runs("cd %s && cc -std=c99 %s -c main.c 2>log", folder, options))
		fail_msg("it compiles with %s", options);
	if (!runs("grep -qF '%s' %s/log", reason, folder)) {
		runs("cat %s/log >&2", folder);
		fail_msg("it does not say \"%s\"", reason);
	}
}

/* ---- headers ------------------------------------------------------------------ */

static struct at_spec *load(const char *name)
{
	struct at_spec *spec;
	char path[256];

	snprintf(path, sizeof(path), DATA "/%s", name);
	assert_ok(at_spec_load(path, &spec, &failure));
	return spec;
}

static void write_header(const struct at_spec *spec, const struct made *made,
	size_t count, const char *name)
{
	const struct at_header_plan_options options = { 0 };
	RELEASED(at_results_release) struct at_results results;
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	make_results(made, count, &results);
	assert_ok(at_result_header(
		spec, results.items, results.count, &options, &text, &failure));
	write_text(name, at_strbuf_text(&text));
}

static void write_header_of(
	const char *space, const struct made *made, size_t count, const char *name)
{
	OWNED(at_spec_free) struct at_spec *spec = load(space);

	write_header(spec, made, count, name);
}

/* The header of a space that is given as text, with its one winner. */
static void write_header_of_text(
	const char *text, const char *template, const struct made *made)
{
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	char path[128], name[64];

	snprintf(path, sizeof(path), "%s/%s.cfg", folder, made->space);
	snprintf(name, sizeof(name), "%s.cu", made->space);
	write_text(name, template);
	assert_ok(at_spec_parse(text, strlen(text), path, &spec, &failure));
	snprintf(name, sizeof(name), "%s.h", made->space);
	write_header(spec, made, 1, name);
}

/* What differs from the measurement of the winner, or NULL. */
static const char *stale_of(const char *text, const struct made *made)
{
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	RELEASED(at_results_release) struct at_results results;
	RELEASED(at_header_plan_release) struct at_header_plan plan;
	const struct at_header_plan_options options = { 0 };

	make_results(made, 1, &results);
	assert_ok(at_spec_parse(text, strlen(text), "steps.cfg", &spec, &failure));
	assert_ok(at_header_plan_make(
		spec, results.items, results.count, &options, &plan, &failure));
	return plan.entries[0].stale;
}

/* A winner of the H200. */
#define MADE(name, of, values) \
	.device = &made_h200, .space = (name), .problem = "p", .sizes = (of), \
	.configuration = (values)

/* the kernels of a sequence */
static const char steps[] =
	"__global__ void first(int *y) {}\n__global__ void last(int *y) {}\n"
	"__global__ void r(int *y) {}\n";

#define RADIUS_6 TILES_SIZES(4096, 4096, 6)

/*
 * By number: 0 A100, square; 1 H200, square; 2 H200, wide; 3 H200, large; 4 H200,
 * radius 6; 5 T4, square; 6 the CPU; 7 the baseline, and 8 it for radius 6
 */
static const struct made tiles[] = {
	{ TILES_MADE(&made_a100, "square", 4096, 4096, 1, TILE(64, 1, "here"), "") },
	{ TILES_MADE(&made_h200, "square", 4096, 4096, 1, TILE(512, 4, "there"), ""),
		.baseline = TILE(32, 1, "here") },
	{ TILES_MADE(&made_h200, "wide", 64, 65536, 1, TILE(256, 4, "here"),
		", \"-DWIDE\"") },
	{ TILES_MADE(&made_h200, "large", 32768, 32768, 1, TILE(256, 8, "here"), "") },
	{ TILES_MADE(&made_h200, "radius_6", 4096, 4096, 6, TILE(128, 4, "here"), ""),
		.baseline = TILE(32, 1, "here") },
	{ TILES_MADE(&made_t4, "square", 4096, 4096, 1, TILE(128, 1, "there"), "") },
	{ TILES_MADE(&made_host, "square", 4096, 4096, 1, TILE(32, 8, "here"), "") },
};

#define TILES (sizeof(tiles) / sizeof(*tiles))

/* a device that only this is known of */
#define DEVICE \
	"static struct autotune_device device(const char *name, int major, int minor)\n" \
	"{\n" \
	"	struct autotune_device out = *tiles_device(0);\n" \
	"	memset(&out, 0, sizeof(out));\n" \
	"	out.name = name;\n" \
	"	out.major = major;\n" \
	"	out.minor = minor;\n" \
	"	return out;\n" \
	"}\n" \
	"static int chose(struct autotune_choice choice, int configuration,\n" \
	"	enum autotune_rung rung)\n" \
	"{\n" \
	"	if (choice.configuration != configuration || choice.rung != rung)\n" \
	"		fprintf(stderr, \"%d by %s\\n\", choice.configuration,\n" \
	"			autotune_rung_name(choice.rung));\n" \
	"	return choice.configuration == configuration && choice.rung == rung;\n" \
	"}\n"

IN_FOLDER(chooses_by_the_first_rung_that_has_one)
{
	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	assert_runs("",
		CHECKS("tiles", DEVICE,
			"	struct autotune_device h200 = device(\"nvidia  h200\", 9, 0);\n"
			"	struct autotune_device other = device(\"NVIDIA H20\", 9, 0);\n"
			"	struct autotune_device older = device(\"NVIDIA A10\", 8, 6);\n"
			"	struct autotune_device newer = device(\"NVIDIA B200\", 10, 0);\n"
			"	struct autotune_device oldest = device(\"Tesla P4\", 6, 1);\n"
			"	struct autotune_device cpu = device(\"Some CPU\", 0, 0);\n"
			"\n"
			"	other.max_dynamic_shared_bytes_per_block = 232448;\n"
			"	older.multiprocessor_count = 72;\n"
			"	oldest.multiprocessor_count = 20;\n"
			"	newer.multiprocessor_count = other.multiprocessor_count = 78;\n"
			"	/* letter case and punctuation of a name do not count */\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 1), 1, AUTOTUNE_EXACT));\n"
			"	CHECK(chose(tiles_choose(&h200, 64, 65536, 1), 2, AUTOTUNE_EXACT));\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 6), 4, AUTOTUNE_EXACT));\n"
			"	/* nearest sizes, by shape before scale */\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4100, 1), 1, AUTOTUNE_SAME_DEVICE));\n"
			"	CHECK(chose(tiles_choose(&h200, 20000, 20000, 1), 3, AUTOTUNE_SAME_DEVICE));\n"
			"	CHECK(chose(tiles_choose(&h200, 100, 100000, 1), 2, AUTOTUNE_SAME_DEVICE));\n"
			"	CHECK(chose(tiles_choose(&h200, 8, 8192, 1), 2, AUTOTUNE_SAME_DEVICE));\n"
			"	/* as far from square in either way, but the options were not for it */\n"
			"	CHECK(chose(tiles_choose(&h200, 65536, 64, 1), 1, AUTOTUNE_SAME_DEVICE));\n"
			"	/* a radius that nothing was compiled for */\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 5), -1, AUTOTUNE_NONE));\n"
			"	/* the same architecture */\n"
			"	CHECK(chose(tiles_choose(&other, 4096, 4096, 1), 1, AUTOTUNE_SAME_ARCHITECTURE));\n"
			"	/* the nearest: of the same major version, else the lower one */\n"
			"	CHECK(chose(tiles_choose(&older, 4096, 4096, 1), 0, AUTOTUNE_NEAREST_ARCHITECTURE));\n"
			"	CHECK(chose(tiles_choose(&newer, 4096, 4096, 6), 4, AUTOTUNE_NEAREST_ARCHITECTURE));\n"
			"	CHECK(chose(tiles_choose(&oldest, 4096, 4096, 1), 5, AUTOTUNE_NEAREST_ARCHITECTURE));\n"
			"	/* a CPU is no GPU that is old */\n"
			"	cpu.max_threads_per_block = 1024;\n"
			"	cpu.multiprocessor_count = 4;\n"
			"	CHECK(chose(tiles_choose(&cpu, 4096, 4096, 1), 6, AUTOTUNE_SAME_ARCHITECTURE));\n"
			"	CHECK(chose(tiles_choose(&cpu, 4096, 4096, 6), -1, AUTOTUNE_NONE));\n"
			"	cpu.name = \"some-R--cpu 2.00ghz\";\n"
			"	CHECK(chose(tiles_choose(&cpu, 4096, 4096, 1), 6, AUTOTUNE_SAME_ARCHITECTURE));\n"
			"	cpu.name = \"SOME(R) CPU @ 2.00GHZ\";\n"
			"	cpu.multiprocessor_count = 0;\n"
			"	CHECK(chose(tiles_choose(&cpu, 4096, 4096, 1), 6, AUTOTUNE_EXACT));\n"
			"	/* real sizes keep their order, and the side of zero */\n"
			"	CHECK(autotune_scale(-1.0) < autotune_scale(-0.25));\n"
			"	CHECK(autotune_scale(-0.25) < autotune_scale(0.0));\n"
			"	CHECK(autotune_scale(0.0) < autotune_scale(0.25));\n"
			"	CHECK(autotune_scale(0.25) < autotune_scale(0.5));\n"
			"	CHECK(autotune_scale(0.5) < autotune_scale(1.0));\n"
			"	CHECK(autotune_scale(2.0) == autotune_scale(1.0) + 1024);\n"
			"	/* no device */\n"
			"	CHECK(chose(tiles_choose(AUTOTUNE_NULL, 4096, 4096, 1), -1, AUTOTUNE_NONE));\n"));
}

/* 9.0 is nearer to 8.9 than 7.5, but may use what 8.9 has not */
IN_FOLDER(prefers_what_was_verified_on_an_older_architecture)
{
	struct made made[] = { tiles[1], tiles[5], tiles[5] };
	struct made_device later = made_t4;

	later.model = "Tesla T40";
	later.multiprocessors = 80;
	made[0].baseline = NULL;
	made[2].device = &later;
	made[2].configuration = TILE(64, 1, "there");
	write_header_of("tiles.cfg", made, 3, "tiles.h");
	assert_runs_in(1, "",
		CHECKS("tiles", DEVICE,
			"	struct autotune_device ada = device(\"NVIDIA L4\", 8, 9);\n"
			"\n"
			"	ada.max_dynamic_shared_bytes_per_block = 232448;\n"
			"	ada.multiprocessor_count = 50;\n"
			"	CHECK(chose(tiles_choose(&ada, 4096, 4096, 1), 1, AUTOTUNE_NEAREST_ARCHITECTURE));\n"
			"	/* of two with one capability the one with as many multiprocessors */\n"
			"	ada.multiprocessor_count = 70;\n"
			"	CHECK(chose(tiles_choose(&ada, 4096, 4096, 1), 2, AUTOTUNE_NEAREST_ARCHITECTURE));\n"
			"	/* none of them fits */\n"
			"	ada.max_dynamic_shared_bytes_per_block = 16383;\n"
			"	CHECK(chose(tiles_choose(&ada, 4096, 4096, 1), -1, AUTOTUNE_NONE));\n"
			"	ada.major = 7;\n"
			"	ada.minor = 5;\n"
			"	ada.max_dynamic_shared_bytes_per_block = 65536;\n"
			"	CHECK(chose(tiles_choose(&ada, 4096, 4096, 1), 2, AUTOTUNE_SAME_ARCHITECTURE));\n"));
}

IN_FOLDER(falls_to_the_next_where_one_does_not_fit)
{
	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	assert_runs_in(2, "",
		CHECKS("tiles", DEVICE,
			"	struct autotune_device h200 = device(\"NVIDIA H200\", 9, 0);\n"
			"	struct autotune_device other = device(\"NVIDIA H20\", 9, 0);\n"
			"\n"
			"	/* a tile of 8 needs whole vectors: that is a constraint */\n"
			"	CHECK(chose(tiles_choose(&h200, 32768, 32766, 1), 1, AUTOTUNE_SAME_DEVICE));\n"
			"	CHECK(chose(tiles_choose(&h200, 32768, 32764, 1), 3, AUTOTUNE_SAME_DEVICE));\n"
			"	/* 128 KiB of shared memory are not there: that is one, too */\n"
			"	h200.max_dynamic_shared_bytes_per_block = 101376;\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 1), 3, AUTOTUNE_SAME_DEVICE));\n"
			"	/* what is not known is what all devices have */\n"
			"	other.multiprocessor_count = 78;\n"
			"	CHECK(chose(tiles_choose(&other, 4096, 4096, 1), 3, AUTOTUNE_SAME_ARCHITECTURE));\n"
			"	/* and how many multiprocessors is known of none, but needed */\n"
			"	other.multiprocessor_count = 0;\n"
			"	CHECK(chose(tiles_choose(&other, 4096, 4096, 1), -1, AUTOTUNE_NONE));\n"
			"	/* blocks of 32 threads are left to the baseline */\n"
			"	h200.max_threads_per_block = 32;\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 1), 7, AUTOTUNE_BASELINE));\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 6), 8, AUTOTUNE_BASELINE));\n"
			"	h200.max_threads_per_block = 31;\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 1), -1, AUTOTUNE_NONE));\n"
			"	h200.max_threads_per_block = 1024;\n"
			"	/* a grid that is too large, or empty, or no number of any kind */\n"
			"	h200.max_grid_x = 100;\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4 * 512 * 101, 1), -1, AUTOTUNE_NONE) ||\n"
			"		tiles_choose(&h200, 4096, 4 * 512 * 101, 1).configuration == 3);\n"
			"	h200.max_grid_x = 0;\n"
			"	CHECK(chose(tiles_choose(&h200, 0, 4096, 1), -1, AUTOTUNE_NONE));\n"
			"	CHECK(chose(tiles_choose(&h200, -4096, -4096, 1), -1, AUTOTUNE_NONE));\n"
			"	CHECK(chose(tiles_choose(&h200, AUTOTUNE_LARGEST, AUTOTUNE_LARGEST, 1), -1, AUTOTUNE_NONE));\n"
			"	CHECK(chose(tiles_choose(&h200, AUTOTUNE_SMALLEST, AUTOTUNE_SMALLEST, 1), -1, AUTOTUNE_NONE));\n"));
}

/* what was measured there, of the same name, counts where its limits are smaller */
IN_FOLDER(keeps_to_the_limits_of_registers_and_shared_memory)
{
	struct made made[] = { tiles[1], tiles[4] };

	made[0].sizes = RADIUS_6;
	made[0].problem = "square";
	made[0].options = "[\"-DRADIUS=6\"]";
	made[0].launch =
		"{\"block\": [512], \"grid\": [2, 528], \"shared_bytes\": 131072}";
	made[0].shared_bytes = 131072 + 4096;
	made[0].registers = 120;
	made[0].baseline = NULL;
	made[1].baseline = NULL;
	write_header_of("tiles.cfg", made, 2, "tiles.h");
	assert_runs_in(1, "",
		CHECKS("tiles", DEVICE,
			"	struct autotune_device h200 = device(\"NVIDIA H200\", 9, 0);\n"
			"\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 6), 0, AUTOTUNE_EXACT));\n"
			"	h200.max_dynamic_shared_bytes_per_block = 131072 + 4096;\n"
			"	CHECK(tiles_fits(0, &h200, 4096, 4096, 6));\n"
			"	h200.max_dynamic_shared_bytes_per_block--;\n"
			"	CHECK(!tiles_fits(0, &h200, 4096, 4096, 6));\n"
			"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 6), 1, AUTOTUNE_EXACT));\n"
			"	h200.max_dynamic_shared_bytes_per_block = 0;\n"
			"	h200.max_registers_per_block = 512 * 120;\n"
			"	CHECK(tiles_fits(0, &h200, 4096, 4096, 6));\n"
			"	h200.max_registers_per_block--;\n"
			"	CHECK(!tiles_fits(0, &h200, 4096, 4096, 6));\n"
			"	/* static memory has a limit of its own */\n"
			"	h200.max_registers_per_block = 0;\n"
			"	h200.max_shared_bytes_per_block = 4095;\n"
			"	CHECK(!tiles_fits(0, &h200, 4096, 4096, 6));\n"
			"	CHECK(!tiles_fits(-1, &h200, 4096, 4096, 6));\n"
			"	CHECK(!tiles_fits(2, &h200, 4096, 4096, 6));\n"));
}

/* ---- expressions ----------------------------------------------------------------- */

static const int64_t integers[] = { 0, 1, 2, 3, 5, 7, 12, 62, 63, 64, 100, 4096, 65535,
	3037000500, 4294967296, 9007199254740992, 9007199254740993, 4611686018427387904,
	INT64_MAX - 1, INT64_MAX, -1, -2, -3, -7, -64, -4096, -3037000500,
	-4611686018427387904, INT64_MIN + 1, INT64_MIN };
static const double reals[] = { 0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 1e-300, 1e300, 0.1,
	1e15, 4503599627370497.5, 9007199254740992.0, 1.7976931348623157e308, 5e-324,
	-0.5, -1.0, -2.5, -1e300, 123456789.0, 1e10, 0.3333333333333333 };

#define INTEGERS (sizeof(integers) / sizeof(*integers))
#define REALS (sizeof(reals) / sizeof(*reals))

static const struct at_name open_names[] = { { "x", AT_TYPE_INTEGER },
	{ "y", AT_TYPE_INTEGER }, { "r", AT_TYPE_REAL }, { "s", AT_TYPE_REAL } };

static enum at_type name_open(void *context, int slot, struct at_strbuf *out)
{
	at_strbuf_add(out, open_names[slot].name);
	return open_names[slot].type;
}

static struct at_expression *compile(const char *text)
{
	const struct at_names names = { .count = 4, .items = open_names };
	struct at_expression *expression;

	assert_ok(
		at_expression_compile(text, "rows", 1, &names, &expression, &failure));
	return expression;
}

/* what it comes to, as a long long; false: it has no value, or no whole one */
static bool evaluate(const struct at_expression *expression,
	const struct at_value *slots, int64_t *out)
{
	struct at_value value;

	*out = 0;
	if (at_expression_evaluate(expression, slots, &value, NULL))
		return false;
	if (value.type != AT_TYPE_REAL) {
		*out = value.integer;
		return true;
	}
	if (!(value.real >= -0x1p63 && value.real < 0x1p63))
		return false;
	*out = (int64_t)value.real;
	return (double)*out == value.real;
}

/* of integers; every pair of the numbers above is tried */
static const char *const on_integers[] = { "x + y", "x - y", "x * y", "x / y", "x % y",
	"x << y", "x >> y", "x & y", "x | y", "x ^ y", "-x", "+x", "~x", "!x", "x && y",
	"x || y", "x < y", "x <= y", "x > y", "x >= y", "x == y", "x != y", "x ? y : 7",
	"(x < y) + (x > 3) * 2", "min(x, y)", "max(x, y)", "abs(x)", "ceil_div(x, y)",
	"round_up(x, y)", "round_down(x, y)", "is_pow2(x)", "log2(x)", "gcd(x, y)",
	"lcm(x, y)", "floor(x)", "ceil(x)", "int(x)", "x == 0 ? 0 : y / x",
	"x > 0 && y % x == 0", "ceil_div(x, 128) * min(y, 64)", "pow(x, 3)",
	"pow(y, 63)", "x - 1 < y + 1" };
/* with reals: multiplied out, so that what is rounded otherwise is seen */
static const char *const on_reals[] = { "int(r + s)", "int((r - s) * 1e6)",
	"int(r * s * 1e3)", "int(r / s)", "int(r / s * 1e9)", "r < s", "r <= s",
	"r > s", "r >= s", "r == s", "r != s", "!r", "r && s", "r || s",
	"int(min(r, s))", "int(max(r, s) * 1e3)", "int(abs(r))", "int(floor(r))",
	"int(ceil(r))", "floor(r) + ceil(s)", "int(ceil_div(r, s))",
	"int(round_up(r, s) * 8)", "int(round_down(r, s) * 8)", "int(sqrt(r) * 1e9)",
	"sqrt(r * r) == r", "int(-r)", "r ? 1 : 2", "int(r ? s : 2)", "r", "r * 2.0",
	"int(r * s + 0.1 - r * s)" };

/* x with r and y with s: small integers become the same reals on both sides */
static const char *const on_both[] = { "int(x * 0.5)", "int(x / 3.0)", "x < 2.5",
	"int(real(x) * real(y))", "int(sqrt(x))", "int(floor(sqrt(x)) * 1.5)",
	"x * 1.0 == y", "int(min(x, 2.5) * 2)", "x ? y : 2.5" };

static void add_functions(struct at_strbuf *out, const char *const *texts, size_t count,
	const char *prefix)
{
	const struct at_expression_naming naming = {
		.prefix = "autotune_",
		.name = name_open,
	};

	for (size_t i = 0; i < count; i++) {
		OWNED(at_expression_free)
		struct at_expression *expression = compile(texts[i]);
		struct at_expression_c result;

		at_strbuf_addf(out,
			"static long long %s_%zu(long long x, long long y, double r, double s, int *refused)\n"
			"{\n\tint bad = 0;\n\tlong long value;\n\n"
			"\t(void)x; (void)y; (void)r; (void)s;\n\tvalue = ",
			prefix, i);
		at_expression_write_c(
			expression, &naming, AT_TYPE_INTEGER, &result, out);
		assert_false(result.is_partial);
		at_strbuf_add(out, ";\n\t*refused = bad;\n\treturn value;\n}\n");
	}
}

/* one line an expression and pair: what is expected, to be compared by the program */
static void add_expected(struct at_strbuf *out, const char *const *texts, size_t count,
	bool is_real, size_t number_count)
{
	struct at_value slots[4] = {
		{ .type = AT_TYPE_INTEGER },
		{ .type = AT_TYPE_INTEGER },
		{ .type = AT_TYPE_REAL },
		{ .type = AT_TYPE_REAL },
	};

	for (size_t i = 0; i < count; i++) {
		OWNED(at_expression_free)
		struct at_expression *expression = compile(texts[i]);

		for (size_t k = 0; k < number_count * number_count; k++) {
			int64_t value;
			bool has_value;

			if (is_real) {
				slots[2].real = reals[k / number_count];
				slots[3].real = reals[k % number_count];
			} else {
				slots[0].integer = integers[k / number_count];
				slots[1].integer = integers[k % number_count];
			}
			has_value = evaluate(expression, slots, &value);
			at_strbuf_addf(out, "%d %lld\n", has_value,
				(long long)(has_value ? value : 0));
		}
	}
}

static void add_table(struct at_strbuf *out, const char *prefix, size_t count)
{
	at_strbuf_addf(out, "static const function %s[] = {", prefix);
	for (size_t i = 0; i < count; i++)
		at_strbuf_addf(out, " %s_%zu,", prefix, i);
	at_strbuf_add(out, " };\n");
}

static void add_numbers(struct at_strbuf *out)
{
	at_strbuf_add(out, "static const long long integers[] = {");
	for (size_t i = 0; i < INTEGERS; i++)
		at_strbuf_addf(out,
			integers[i] == INT64_MIN ? " %lld - 1," : " %lldLL,",
			(long long)(integers[i] == INT64_MIN ? INT64_MIN + 1
							     : integers[i]));
	at_strbuf_add(out, " };\nstatic const double reals[] = {");
	for (size_t i = 0; i < REALS; i++)
		at_strbuf_addf(out, " %.17g,", reals[i]);
	at_strbuf_add(out, " };\n");
}

static const char expression_main[] =
	"static int is_large(long long a)\n"
	"{\n"
	"	return a >= 1LL << 60 || a <= -(1LL << 60);\n"
	"}\n"
	"static int compare(const char *name, const function *functions, int count,\n"
	"	int is_real, int numbers, FILE *expected)\n"
	"{\n"
	"	int failed = 0, i, k;\n"
	"	for (i = 0; i < count; i++)\n"
	"		for (k = 0; k < numbers * numbers; k++) {\n"
	"			int has_value, refused;\n"
	"			long long wanted, value;\n"
	"			if (fscanf(expected, \"%d %lld\", &has_value, &wanted) != 2)\n"
	"				return 1;\n"
	"			value = functions[i](\n"
	"				is_real ? 0 : integers[k / numbers],\n"
	"				is_real ? 0 : integers[k % numbers],\n"
	"				is_real ? reals[k / numbers] : 0,\n"
	"				is_real ? reals[k % numbers] : 0, &refused);\n"
	"			if (!refused == has_value && (refused || value == wanted))\n"
	"				continue;\n"
	"			/* beyond 2^53 an integer is no real: that may be refused */\n"
	"			if (refused && functions == both)\n"
	"				continue;\n"
	"			/* so may numbers beyond 2^62 */\n"
	"			if (refused && !is_real && (is_large(wanted) ||\n"
	"				is_large(integers[k / numbers]) ||\n"
	"				is_large(integers[k % numbers])))\n"
	"				continue;\n"
	"			if (!failed++)\n"
	"				fprintf(stderr, \"%s %d of %d and %d: %lld (refused %d), not %lld\\n\",\n"
	"					name, i, k / numbers, k % numbers, value, refused, wanted);\n"
	"		}\n"
	"	return failed != 0;\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	FILE *expected = fopen(\"expected\", \"r\");\n"
	"	int failed;\n"
	"	if (!expected)\n"
	"		return 1;\n"
	"	failed = compare(\"whole\", whole, COUNT(whole), 0, COUNT(integers), expected);\n"
	"	failed |= compare(\"real\", real, COUNT(real), 1, COUNT(reals), expected);\n"
	"	failed |= compare(\"both\", both, COUNT(both), 0, COUNT(integers), expected);\n"
	"	fclose(expected);\n"
	"	return failed;\n"
	"}\n";

IN_FOLDER(computes_as_the_tuner_does_to_the_last_bit)
{
	static const char *const compilers[] = { "cc -std=c99 -O0", "cc -std=c99 -O3",
		"cc -std=gnu11 -O3 -march=native", "c++ -std=c++11 -O2",
		"cc -std=c99 -O1 -fsanitize=undefined -fno-sanitize-recover=all" };
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 }, expected = { 0 };

	at_strbuf_add(&source,
		"#include <stdio.h>\n"
		"#include \"autotune.h\"\n"
		"#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))\n"
		"typedef long long (*function)(long long, long long, double, double, int *);\n");
	add_functions(&source, on_integers, AT_COUNT_OF(on_integers), "whole");
	add_functions(&source, on_reals, AT_COUNT_OF(on_reals), "real");
	add_functions(&source, on_both, AT_COUNT_OF(on_both), "both");
	add_table(&source, "whole", AT_COUNT_OF(on_integers));
	add_table(&source, "real", AT_COUNT_OF(on_reals));
	add_table(&source, "both", AT_COUNT_OF(on_both));
	add_numbers(&source);
	at_strbuf_add(&source, expression_main);
	add_expected(&expected, on_integers, AT_COUNT_OF(on_integers), false, INTEGERS);
	add_expected(&expected, on_reals, AT_COUNT_OF(on_reals), true, REALS);
	add_expected(&expected, on_both, AT_COUNT_OF(on_both), false, INTEGERS);
	write_text("expected", at_strbuf_text(&expected));
	for (size_t i = 0; i < AT_COUNT_OF(compilers); i++) {
		const char *file = strstr(compilers[i], "c++") ? "main.cpp" : "main.c";

		write_text(file, at_strbuf_text(&source));
		/* no -lm: nothing of it is needed */
		if (!runs("cd %s && %s -o program %s", folder, compilers[i], file))
			fail_msg("%s", compilers[i]);
		if (!runs("cd %s && ./program", folder))
			fail_msg("%s", compilers[i]);
	}
}

/* ---- launches -------------------------------------------------------------- */

/* A = 12, B = 18, MODE = slow, RATIO = 1.5 */
static const struct made functions = {
	.device = &made_h200,
	.space = "functions",
	.problem = "all",
	.sizes = "{\"N\": 1000, \"M\": 77, \"HALF\": 0.5}",
	.configuration = "{\"A\": 12, \"B\": 18, \"MODE\": \"slow\", \"RATIO\": 1.5}",
};
static const uint16_t functions_values[] = { 0, 0, 1, 0 };

static int64_t amount(const struct at_spec *spec,
	const struct at_expression *expression, const struct at_value *slots,
	int64_t least, bool *has_value)
{
	struct at_error err = { 0 };
	int64_t out = 0;

	if (at_spec_integer(
		    spec, expression, slots, "", 0, least, UINT32_MAX, &out, &err))
		*has_value = false;
	return out;
}

/* CHECK(launch(N, M, HALF) is what the expressions come to); nothing where they do not
 */
static void add_launches(const struct at_spec *spec, struct at_strbuf *out)
{
	static const int64_t sizes[] = { 0, 1, 2, 3, 11, 12, 13, 64, 100, 1023, 65536,
		1000000, 2147483647, 9000000000000000000 };
	static const double halves[] = { 0.5, 0.25, -1.0, 1e300 };
	const struct at_launch *launch = &spec->calls[0].launch;
	struct at_properties properties = { 0 };
	struct at_value slots[64];
	size_t count = AT_COUNT_OF(sizes);

	assert_true(spec->slot_count <= 64);
	assert_string_equal(spec->size_names[0], "N");
	assert_string_equal(spec->size_names[1], "M");
	assert_string_equal(spec->size_names[2], "HALF");
	at_properties_set(&properties, AT_PROPERTY_WARP_SIZE, 32);
	at_spec_bind(spec, &spec->problems[0], NULL, &properties, slots);
	at_spec_bind_configuration(spec, functions_values, slots);
	for (size_t i = 0; i < count * count * AT_COUNT_OF(halves); i++) {
		struct at_value *size = &slots[spec->parameter_count];
		int64_t amounts[7];
		bool has_value = true;

		size[0].integer = sizes[i / AT_COUNT_OF(halves) / count];
		size[1].integer = sizes[i / AT_COUNT_OF(halves) % count];
		size[2].real = halves[i % AT_COUNT_OF(halves)];
		for (size_t k = 0; k < 3; k++) {
			amounts[k] =
				amount(spec, launch->grid[k], slots, 1, &has_value);
			amounts[3 + k] =
				amount(spec, launch->block[k], slots, 1, &has_value);
		}
		amounts[6] = amount(spec, launch->shared_bytes, slots, 0, &has_value);
		at_strbuf_addf(out, "\tis(%lldLL, %lldLL, %.17g",
			(long long)size[0].integer, (long long)size[1].integer,
			size[2].real);
		for (size_t k = 0; k < 7; k++)
			at_strbuf_addf(
				out, ", %lld", (long long)(has_value ? amounts[k] : 0));
		at_strbuf_add(out, ");\n");
	}
}

IN_FOLDER(launches_as_the_tuner_does)
{
	OWNED(at_spec_free) struct at_spec *spec = load("functions.cfg");
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };

	write_header(spec, &functions, 1, "functions.h");
	at_strbuf_add(&source,
		"#include \"functions.h\"\n" CHECK "static int checks;\n"
		"static void is(long long n, long long m, double half, long long gx, long long gy,\n"
		"	long long gz, long long bx, long long by, long long bz, long long shared)\n"
		"{\n"
		"	struct autotune_launch l = functions_launch(0, AUTOTUNE_NULL, n, m, half);\n"
		"	int right = l.grid[0] == gx && l.grid[1] == gy && l.grid[2] == gz &&\n"
		"		l.block[0] == bx && l.block[1] == by && l.block[2] == bz &&\n"
		"		l.shared_bytes == shared;\n"
		"	if (!right)\n"
		"		printf(\"%lld %lld %g: %u %u %u, %u %u %u, %u not %lld %lld %lld, %lld %lld %lld, %lld\\n\",\n"
		"			n, m, half, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1],\n"
		"			l.block[2], l.shared_bytes, gx, gy, gz, bx, by, bz, shared);\n"
		"	CHECK(right);\n"
		"	checks += bx > 0;\n"
		"}\n"
		"int main(void)\n{\n");
	add_launches(spec, &source);
	/* enough of them were launches at all */
	at_strbuf_add(&source, "\tCHECK(checks > 100);\n"
			       "\treturn failures != 0;\n}\n");
	assert_runs_in(2, "", source.data);
}

/* pow() of reals is each library's own: what was measured is launched as it was */
LONG_IN_FOLDER(launches_what_it_cannot_compute_as_it_was_recorded)
{
	static const char text[] =
		"kernel: { name = \"odd\"; template = \"odd.cu\"; function = \"first\"; reference = \"r\"; };"
		"problems = ( { name = \"p\"; N = 64; } );"
		"parameters: { A = [ 2 ]; };"
		"constraints = ( \"pow(N * 1.0, 0.5) < 100.0\" );"
		"launch: { block = ( \"32\" ); grid = ( \"int(pow(N * 1.0, 0.5))\" ); };"
		"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );";
	const struct made made = {
		MADE("odd", "{\"N\": 64}", "{\"A\": 2}"),
		.launch = "{\"block\": [32], \"grid\": [8], \"shared_bytes\": 0}",
	};

	write_header_of_text(text, steps, &made);
	assert_runs("",
		CHECKS("odd", "",
			"	const struct autotune_device *h200 = odd_device(0);\n"
			"	CHECK(odd_launch(0, AUTOTUNE_NULL, 64).grid[0] == 8);\n"
			"	CHECK(odd_launch(0, AUTOTUNE_NULL, 64).block[0] == 32);\n"
			"	CHECK(odd_launch(0, AUTOTUNE_NULL, 65).grid[0] == 0);\n"
			"	CHECK(odd_choose(h200, 64).rung == AUTOTUNE_EXACT);\n"
			"	CHECK(odd_choose(h200, 65).rung == AUTOTUNE_NONE);\n"
			"	CHECK(!odd_fits(0, h200, 65));\n"));
}

/* the same for each launch of a sequence, and for how often it is launched */
LONG_IN_FOLDER(repeats_what_it_cannot_compute_as_it_was_recorded)
{
	static const char text[] =
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { A = [ 2 ]; };\n"
		"kernel: { name = \"odds\"; template = \"odds.cu\"; reference = \"r\"; };\n"
		"launches = (\n"
		"  { kernel = \"first\"; block = ( 32 ); grid = ( 1 ); repeat = \"int(pow(N * 1.0, 0.5))\"; },\n"
		"  { kernel = \"last\"; block = ( \"A\" ); grid = ( \"int(pow(N * 1.0, 0.5))\" ); when = \"pow(N * 1.0, 0.5) > 2\"; },\n"
		"  { kernel = \"last\"; block = ( \"A\" ); grid = ( 1 ); when = \"pow(N * 1.0, 0.5) > 9\"; }\n"
		");\n"
		"arguments = ( { name = \"y\"; type = \"int\"; count = \"N\"; access = \"inout\"; } );\n";
	static const struct made made = {
		MADE("odds", "{\"N\": 64}", "{\"A\": 2}"),
		.launch =
			"{\"block\": [32], \"grid\": [1], \"shared_bytes\": 0, \"launches\": ["
			"{\"block\": [32, 1, 1], \"grid\": [1, 1, 1], \"shared_bytes\": 0, \"launch\": 0, \"repeat\": 8}, "
			"{\"block\": [2, 1, 1], \"grid\": [8, 1, 1], \"shared_bytes\": 0, \"launch\": 1, \"repeat\": 1}]}"
	};

	write_header_of_text(text, steps, &made);
	assert_runs("",
		CHECKS("odds", "",
			"	CHECK(odds_launch(0, AUTOTUNE_NULL, 64).repeats == 8);\n"
			"	CHECK(odds_launch_1(0, AUTOTUNE_NULL, 64).repeats == 1);\n"
			"	CHECK(odds_launch_1(0, AUTOTUNE_NULL, 64).grid[0] == 8);\n"
			"	CHECK(odds_launch_1(0, AUTOTUNE_NULL, 64).block[0] == 2);\n"
			"	CHECK(odds_launch_2(0, AUTOTUNE_NULL, 64).repeats == 0);\n"
			"	CHECK(odds_fits(0, odds_device(0), 64));\n"
			"	CHECK(odds_launch(0, AUTOTUNE_NULL, 65).repeats == -1);\n"
			"	CHECK(odds_launch_1(0, AUTOTUNE_NULL, 65).repeats == -1);\n"
			"	CHECK(odds_launch_1(0, AUTOTUNE_NULL, 65).grid[0] == 0);\n"
			"	CHECK(!odds_fits(0, odds_device(0), 65));\n"));
}

LONG_IN_FOLDER(launches_a_sequence_one_by_one)
{
	static const char text[] =
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { A = [ 2 ]; };\n"
		"kernel: { name = \"steps\"; template = \"steps.cu\"; reference = \"r\"; };\n"
		"launches = (\n"
		"  { kernel = \"first\"; block = ( 32 ); grid = ( \"N / A\" ); repeat = \"N / 16\"; },\n"
		"  { kernel = \"last\"; block = ( \"A\" ); grid = ( 1 ); shared_bytes = \"4 * N\"; when = \"N > 32\"; }\n"
		");\n"
		"arguments = ( { name = \"y\"; type = \"int\"; count = \"N\"; access = \"inout\"; } );\n";
	static const char template[] =
		"__global__ void first(int *y) {}\n__global__ void last(int *y) {}\n"
		"__global__ void\n#if !defined FAST && (A > 1)\n__maxnreg__(32)\n#endif\nr(int *y) {}\n";
	static const struct made made = { MADE("steps", "{\"N\": 64}", "{\"A\": 2}") };

	write_header_of_text(text, template, &made);
	assert_runs("",
		"#define STEPS_CONFIGURATION 0\n#define STEPS_BARE\n"
		"#include \"steps.h\"\n" CHECK
		"#if !defined r || defined FAST\n#error \"not only the kernels are renamed\"\n#endif\n"
		"int main(void)\n"
		"{\n"
		"	CHECK(steps_launch(0, AUTOTUNE_NULL, 64).repeats == 4);\n"
		"	CHECK(steps_launch(0, AUTOTUNE_NULL, 64).grid[0] == 32);\n"
		"	CHECK(steps_launch_1(0, AUTOTUNE_NULL, 64).repeats == 1);\n"
		"	CHECK(steps_launch_1(0, AUTOTUNE_NULL, 64).block[0] == 2);\n"
		"	CHECK(steps_launch_1(0, AUTOTUNE_NULL, 64).shared_bytes == 256);\n"
		"	CHECK(steps_launch_1(0, AUTOTUNE_NULL, 32).repeats == 0);\n"
		"	CHECK(steps_launch(1, AUTOTUNE_NULL, 64).repeats == -1);\n"
		"	CHECK(steps_fits(0, steps_device(0), 64));\n"
		"	CHECK(steps_fits(0, steps_device(0), 32));\n"
		"	/* the last launch needs more shared memory than there is */\n"
		"	CHECK(!steps_fits(0, steps_device(0), 1 << 20));\n"
		"	return failures != 0;\n"
		"}\n");
}

/* ---- run() ------------------------------------------------------------------- */

/* Notes each call; buffers are numbers. */
#define RUNNER \
	"static int begin(struct autotune_runner *self, int configuration,\n" \
	"	const struct autotune_device *device)\n" \
	"{\n" \
	"	(void)self;\n" \
	"	sprintf(notes + strlen(notes), \"begin %d %d\\n\", configuration, device->major);\n" \
	"	return 0;\n" \
	"}\n" \
	"static int launch(struct autotune_runner *self, int kernel,\n" \
	"	const struct autotune_launch *it, void **arguments)\n" \
	"{\n" \
	"	(void)self;\n" \
	"	sprintf(notes + strlen(notes), \"%d: %u of %u,\", kernel, it->grid[0], it->block[0]);\n" \
	"	show(kernel, arguments);\n" \
	"	if (it->cluster[0] || it->cooperative || it->has_carveout)\n" \
	"		sprintf(strchr(notes, 0), \"cluster %u %u, %d %d, carveout %d %d\\n\",\n" \
	"			it->cluster[0], it->preferred_cluster[0], it->cooperative,\n" \
	"			it->dependent, it->has_carveout, it->carveout);\n" \
	"	return kernel == 1 && it->block[0] == 7 ? 77 : 0;\n" \
	"}\n" \
	"static char memory[8];\n" \
	"static int allocate(struct autotune_runner *self, void **out, unsigned long long bytes)\n" \
	"{\n" \
	"	(void)self;\n" \
	"	sprintf(notes + strlen(notes), \"allocate %d\\n\", AUTOTUNE_CAST(int, bytes));\n" \
	"	*out = memory;\n" \
	"	return 0;\n" \
	"}\n" \
	"static int give_back(struct autotune_runner *self, void *it)\n" \
	"{\n" \
	"	(void)self;\n" \
	"	sprintf(notes + strlen(notes), it == memory ? \"release\\n\" : \"release wrong\\n\");\n" \
	"	return 0;\n" \
	"}\n" \
	"static int encode(struct autotune_runner *self, void *out,\n" \
	"	const struct autotune_tensor_map *map, const void *it)\n" \
	"{\n" \
	"	const struct autotune_map_arguments m = autotune_map_arguments_of(map);\n" \
	"	(void)self;\n" \
	"	sprintf(notes + strlen(notes), \"map of %d: type %d, %d x %d, box %u x %u, stride %d, modes %d %d %d %d\\n\",\n" \
	"		*AUTOTUNE_CAST(const int *, it), map->type, AUTOTUNE_CAST(int, m.dims[0]), AUTOTUNE_CAST(int, m.dims[1]),\n" \
	"		m.box[0], m.box[1], AUTOTUNE_CAST(int, m.strides[0]),\n" \
	"		m.interleave, m.swizzle, m.promotion, map->fills_nan);\n" \
	"	memset(out, *AUTOTUNE_CAST(const int *, it), 128);\n" \
	"	return 0;\n" \
	"}\n" \
	"static struct autotune_runner runner(void)\n" \
	"{\n" \
	"	struct autotune_runner it = { AUTOTUNE_CHOOSE, 99, AUTOTUNE_NULL, begin, launch,\n" \
	"		allocate, give_back, encode, AUTOTUNE_NULL, AUTOTUNE_NULL };\n" \
	"	return it;\n" \
	"}\n"

/* The last parameter of launch() is the step, and run() gives each launch its own. */
IN_FOLDER(runs_steps_with_grids_of_their_own)
{
	static const char text[] =
		"problems = ( { name = \"p\"; N = 96; } );\n"
		"parameters: { A = [ 32 ]; };\n"
		"kernel: { name = \"steps\"; template = \"steps.cu\"; reference = \"r\"; };\n"
		"launches = (\n"
		"  { kernel = \"first\"; block = ( \"A\" ); grid = ( \"N / A - step\" ); shared_bytes = \"step == 4 ? 1 << 20 : step << 15\"; repeat = \"N / A\"; },\n"
		"  { kernel = \"last\"; block = ( \"A\" ); grid = ( \"A > 32 ? step : 1\" ); shared_bytes = \"A == 64 ? step : 0\"; }\n"
		");\n"
		"arguments = ( { name = \"y\"; type = \"int\"; count = \"N\"; access = \"inout\"; } );\n";
	struct made made = {
		MADE("steps", "{\"N\": 96}", "{\"A\": 32}"),
		.launch =
			"{\"launches\": [{\"launch\": 0, \"block\": [32], \"grid\": [3]}]}"
	};

	write_header_of_text(text, steps, &made);
	/* the first step is recorded */
	assert_null(stale_of(text, &made));
	made.launch =
		"{\"launches\": [{\"launch\": 0, \"block\": [32], \"grid\": [4]}]}";
	assert_string_equal(stale_of(text, &made), "launch");
	assert_runs("",
		CHECKS("steps",
			"static char notes[4096];\n"
			"static void show(int kernel, void **arguments)\n"
			"{\n"
			"	(void)kernel, (void)arguments;\n"
			"	strcat(notes, \"\\n\");\n"
			"}\n" RUNNER,
			"	struct autotune_runner it = runner();\n"
			"	int y = 0;\n"
			"	CHECK(steps_launch(0, AUTOTUNE_NULL, 96, 2).grid[0] == 1);\n"
			"	CHECK(steps_launch(0, AUTOTUNE_NULL, 96, 2).shared_bytes == 65536);\n"
			"	CHECK(steps_launch(0, AUTOTUNE_NULL, 96, 3).repeats == -1);\n"
			"	CHECK(steps_launch_1(0, AUTOTUNE_NULL, 96, 0).repeats == 1);\n"
			"	CHECK(steps_fits(0, steps_device(0), 96));\n"
			"	/* a step before the last needs more shared memory than there is */\n"
			"	CHECK(steps_fits(0, steps_device(0), 32 * 4));\n"
			"	CHECK(!steps_fits(0, steps_device(0), 32 * 6));\n"
			"	CHECK(steps_run_by(&it, steps_device(0), 96, &y) == 0);\n"
			"	CHECK(!strcmp(notes, \"begin 0 9\\n0: 3 of 32,\\n0: 2 of 32,\\n0: 1 of 32,\\n1: 1 of 32,\\n\"));\n"));
}

IN_FOLDER(runs_a_sequence_with_its_arguments)
{
	static const char text[] =
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { A = [ 2, 7 ]; };\n"
		"kernel: { name = \"steps\"; template = \"steps.cu\"; reference = \"r\"; };\n"
		"launches = (\n"
		"  { kernel = \"step\"; block = ( 32 ); grid = ( \"N / 32\" ); repeat = \"N / 21\"; swap = ( \"x\", \"y\" ); arguments = [ \"x\", \"y\", \"n\", \"f\" ]; },\n"
		"  { kernel = \"last\"; block = ( \"A\" ); grid = ( 1 ); when = \"N > 32\"; arguments = [ \"y\", \"work\", \"half_n\", \"none\" ]; }\n"
		");\n"
		"prepare: { kernel = \"first\"; block = ( 64 ); grid = ( \"A\" ); arguments = [ \"work\", \"in\" ]; };\n"
		"arguments = (\n"
		"  { name = \"in\"; type = \"half\"; count = \"N\"; access = \"in\"; },\n"
		"  { name = \"x\"; type = \"int\"; count = \"N\"; access = \"inout\"; },\n"
		"  { name = \"y\"; type = \"int\"; count = \"N\"; access = \"inout\"; },\n"
		"  { name = \"work\"; type = \"float4\"; count = \"N * A\"; access = \"scratch\"; },\n"
		"  { name = \"n\"; type = \"int\"; value = \"N\"; },\n"
		"  { name = \"half_n\"; type = \"float\"; value = \"N * A / 8.0\"; },\n"
		"  { name = \"f\"; type = \"float\"; value = \"2.5\"; },\n"
		"  { name = \"none\"; type = \"int\"; value = \"null\"; }\n"
		");\n";
	static const char template[] =
		"__global__ void step(int *x, int *y, int n, float f) {}\n"
		"__global__ void last(int *y, float4 *work, float half_n, int *none) {}\n"
		"__global__ void first(float4 *work, const half *in) {}\n"
		"__global__ void r(int *y) {}\n";
	static const struct made made = { MADE("steps", "{\"N\": 64}", "{\"A\": 2}"),
		.baseline = "{\"A\": 7}" };

	write_header_of_text(text, template, &made);
	assert_runs("",
		CHECKS("steps",
			"static char notes[4096];\n"
			"static int a, b, in;\n"
			"static int letter(int *it) { return it == &a ? 'a' : it == &b ? 'b' : '?'; }\n"
			"static void show(int kernel, void **arguments)\n"
			"{\n"
			"	int **x = AUTOTUNE_CAST(int **, arguments[0]);\n"
			"	void **second = AUTOTUNE_CAST(void **, arguments[1]);\n"
			"	char *end = strchr(notes, 0);\n"
			"	if (kernel == 0)\n"
			"		sprintf(end, \" %c %c %d %g\\n\", letter(*x),\n"
			"			letter(*AUTOTUNE_CAST(int **, arguments[1])),\n"
			"			*AUTOTUNE_CAST(int *, arguments[2]),\n"
			"			AUTOTUNE_CAST(double, *AUTOTUNE_CAST(float *, arguments[3])));\n"
			"	else if (kernel == 1)\n"
			"		sprintf(end, \" %c %d %g %d\\n\", letter(*x), *second != AUTOTUNE_NULL,\n"
			"			AUTOTUNE_CAST(double, *AUTOTUNE_CAST(float *, arguments[2])),\n"
			"			*AUTOTUNE_CAST(void **, arguments[3]) == AUTOTUNE_NULL);\n"
			"	else\n"
			"		sprintf(end, \" %d\\n\", *second == &in);\n"
			"}\n" RUNNER
			"static int run(int configuration, const struct autotune_device *device,\n"
			"	long long n, const char *expected, int error)\n"
			"{\n"
			"	struct autotune_runner it = runner();\n"
			"	int *x = &a, *y = &b, was;\n"
			"	it.configuration = configuration;\n"
			"	notes[0] = 0;\n"
			"	was = steps_run_by(&it, device, n, &in, &x, &y, 2.5f);\n"
			"	if (strcmp(notes, expected) != 0 || was != error)\n"
			"		fprintf(stderr, \"%d:\\n%s\", was, notes);\n"
			"	/* the caller sees which buffer is which after an odd number of launches */\n"
			"	CHECK(n != 64 || error || (x == &b && y == &a));\n"
			"	return strcmp(notes, expected) == 0 && was == error;\n"
			"}\n",
			"	CHECK(run(AUTOTUNE_CHOOSE, steps_device(0), 64,\n"
			"		\"begin 0 9\\nallocate 2048\\n2: 2 of 64, 1\\n0: 2 of 32, a b 64 2.5\\n\"\n"
			"		\"0: 2 of 32, b a 64 2.5\\n0: 2 of 32, a b 64 2.5\\n\"\n"
			"		\"1: 1 of 2, a 1 16 1\\nrelease\\n\", 0));\n"
			"	CHECK(run(0, steps_device(0), 32, \"begin 0 9\\nallocate 1024\\n2: 2 of 64, 1\\n\"\n"
			"		\"0: 1 of 32, a b 32 2.5\\nrelease\\n\", 0));\n"
			"	/* an error ends it, and leaves nothing allocated */\n"
			"	CHECK(run(1, steps_device(0), 64,\n"
			"		\"begin 1 9\\nallocate 7168\\n2: 7 of 64, 1\\n0: 2 of 32, a b 64 2.5\\n\"\n"
			"		\"0: 2 of 32, b a 64 2.5\\n0: 2 of 32, a b 64 2.5\\n\"\n"
			"		\"1: 1 of 7, a 1 56 1\\nrelease\\n\", 77));\n"
			"	/* nothing is launched */\n"
			"	CHECK(run(AUTOTUNE_CHOOSE, AUTOTUNE_NULL, 64, \"\", 99));\n"
			"	CHECK(run(AUTOTUNE_CHOOSE, steps_device(0), 0, \"\", 99));\n"
			"	CHECK(run(AUTOTUNE_CHOOSE, steps_device(0), 3000000000LL, \"\", 99));\n"
			"	CHECK(run(2, steps_device(0), 64, \"\", 99));\n"));
}

/* What a program meets far from a tuned size is a line: first, and at each tenfold. */
IN_FOLDER(records_sizes_that_are_far_from_tuned_ones)
{
	static const char expected[] =
		"{\"kernel\": \"tiles\", \"device\": \"nvidia h200\", \"sizes\": {\"M\": 5, \"N\": 4096, \"RADIUS\": 1}, \"rung\": \"same device\", \"calls\": 1}\n"
		"{\"kernel\": \"tiles\", \"device\": \"nvidia h200\", \"sizes\": {\"M\": 4096, \"N\": 4096, \"RADIUS\": 5}, \"rung\": \"none\", \"calls\": 1}\n"
		"{\"kernel\": \"tiles\", \"device\": \"NVIDIA H20\", \"sizes\": {\"M\": 4096, \"N\": 4096, \"RADIUS\": 1}, \"rung\": \"same architecture\", \"calls\": 1}\n"
		"{\"kernel\": \"tiles\", \"device\": \"nvidia h200\", \"sizes\": {\"M\": 5, \"N\": 4096, \"RADIUS\": 1}, \"rung\": \"same device\", \"calls\": 9}\n"
		"{\"kernel\": \"tiles\", \"device\": \"nvidia h200\", \"sizes\": {\"M\": 5, \"N\": 4096, \"RADIUS\": 1}, \"rung\": \"same device\", \"calls\": 90}\n";
	static const char program[] =
		"#include \"tiles.h\"\n" CHECK DEVICE
		"int main(int count, char **words)\n"
		"{\n"
		"	struct autotune_device h200 = device(\"nvidia \\\"h200\", 9, 0);\n"
		"	struct autotune_device other = device(\"NVIDIA H20\", 9, 0);\n"
		"	int i;\n"
		"	(void)words;\n"
		"	other.multiprocessor_count = 78;\n"
		"	other.max_dynamic_shared_bytes_per_block = 232448;\n"
		"	/* measured, and within a factor of two */\n"
		"	CHECK(chose(tiles_choose(&h200, 4096, 4096, 1), 1, AUTOTUNE_EXACT));\n"
		"	CHECK(tiles_choose(&h200, 8192, 8192, 1).rung == AUTOTUNE_SAME_DEVICE);\n"
		"	tiles_choose(AUTOTUNE_NULL, 5, 5, 1);\n"
		"	if (count > 1)\n"
		"		for (i = 0; i < 1000; i++)\n"
		"			tiles_choose(&h200, 1, 3 + i, 1);\n"
		"	tiles_choose(&h200, 5, 4096, 1);\n"
		"	tiles_choose(&h200, 4096, 4096, 5);\n"
		"	tiles_choose(&other, 4096, 4096, 1);\n"
		"	for (i = 0; i < 150; i++)\n"
		"		tiles_choose(&h200, 5, 4096, 1);\n"
		"	return failures != 0;\n"
		"}\n";
	char path[128];
	OWNED(free) char *text = NULL;

	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	for (size_t i = 0; i < 2; i++) {
		const char *file = i ? "main.cpp" : "main.c";

		write_text(file, program);
		assert_true(runs(
			"cd %s && %s -Wall -Wextra -Werror -I. %s -o program && rm -f met",
			folder, i ? "c++ -std=c++11" : "cc -std=c99", file));
		assert_true(runs("cd %s && ./program && test ! -e met", folder));
		assert_true(runs("cd %s && AUTOTUNE_RECORD=met ./program", folder));
		snprintf(path, sizeof(path), "%s/met", folder);
		free(text);
		text = file_text(path);
		assert_string_equal(text, expected);
		/* no more than the table holds */
		assert_true(runs(
			"cd %s && rm met && AUTOTUNE_RECORD=met ./program many && test $(wc -l <met) = 256",
			folder));
	}
	/* a macro in place of the environment */
	assert_true(runs(
		"cd %s && cc -std=c99 -I. -DAUTOTUNE_RECORD_FILE='\"met3\"' main.c -o program && ./program && test $(wc -l <met3) = 5",
		folder));
}

IN_FOLDER(runs_launches_with_their_attributes)
{
	static const char text[] =
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { CL = [ 4 ]; };\n"
		"kernel: { name = \"wide\"; template = \"wide.cu\"; reference = \"r\"; };\n"
		"launches = (\n"
		"  { kernel = \"first\"; block = ( 32 ); grid = ( \"N\" ); cluster = ( \"CL\" ); preferred_cluster = ( \"2 * CL\" );\n"
		"    dependent = true; repeat = 2; },\n"
		"  { kernel = \"last\"; block = ( 1 ); grid = ( 1 ); cooperative = \"N > 32\"; carveout = \"min(N, 100)\"; },\n"
		"  { kernel = \"last\"; block = ( 2 ); grid = ( 1 ); }\n"
		");\n"
		"arguments = ( { name = \"y\"; type = \"int\"; count = \"N\"; access = \"inout\"; } );\n";
	static const struct made made = { MADE("wide", "{\"N\": 64}", "{\"CL\": 4}") };

	write_header_of_text(text, steps, &made);
	assert_runs("",
		CHECKS("wide",
			"static char notes[4096];\n"
			"static void show(int kernel, void **arguments)\n"
			"{\n"
			"	(void)kernel;\n"
			"	(void)arguments;\n"
			"	sprintf(strchr(notes, 0), \"\\n\");\n"
			"}\n" RUNNER,
			"	struct autotune_runner it = runner();\n"
			"	int y;\n"
			"	CHECK(!wide_run_by(&it, wide_device(0), 64, &y));\n"
			"	CHECK(!strcmp(notes, \"begin 0 9\\n0: 64 of 32,\\ncluster 4 8, 0 0, carveout 0 0\\n\"\n"
			"		\"0: 64 of 32,\\ncluster 4 8, 0 1, carveout 0 0\\n\"\n"
			"		\"1: 1 of 1,\\ncluster 0 0, 1 0, carveout 1 64\\n2: 1 of 2,\\n\"));\n"
			"	/* the clusters do not divide it */\n"
			"	CHECK(wide_run_by(&it, wide_device(0), 66, &y) == 99);\n"));
}

/* Of a buffer of the caller that no kernel takes, and of scratch; made before the
   launches. */
IN_FOLDER(makes_the_tensor_maps_of_its_launches)
{
	static const char text[] =
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { TILE = [ 32 ]; };\n"
		"kernel: { name = \"maps\"; template = \"maps.cu\"; reference: { kernel = \"r\"; arguments = [ \"x\", \"y\" ]; };\n"
		"  arguments = [ \"of_x\", \"of_work\", \"y\" ]; };\n"
		"launch: { block = ( 32 ); grid = ( 1 ); };\n"
		"arguments = ( { name = \"x\"; type = \"int\"; count = \"N * N\"; access = \"in\"; },\n"
		"  { name = \"work\"; type = \"float\"; count = 64; access = \"scratch\"; },\n"
		"  { name = \"y\"; type = \"int\"; count = \"N\"; access = \"out\"; },\n"
		"  { name = \"of_x\"; kind = \"tensor_map\"; of = \"x\"; dims = ( \"N\", \"N\" ); box = ( 8, \"TILE\" ); swizzle = 32; promotion = 256; },\n"
		"  { name = \"of_work\"; kind = \"tensor_map\"; of = \"work\"; dims = ( 32, 2 ); box = ( 32, 1 ); swizzle = 128; } );\n";
	static const struct made made = { MADE(
		"maps", "{\"N\": 64}", "{\"TILE\": 32}") };

	write_header_of_text(text,
		"__global__ void maps(const __grid_constant__ CUtensorMap of_x,\n"
		"	const __grid_constant__ CUtensorMap of_work, int *y) {}\n"
		"__global__ void r(const int *x, int *y) {}\n",
		&made);
	assert_runs("",
		CHECKS("maps",
			"static char notes[4096];\n"
			"static void show(int kernel, void **arguments)\n"
			"{\n"
			"	const char *first = AUTOTUNE_CAST(const char *, arguments[0]);\n"
			"	const char *second = AUTOTUNE_CAST(const char *, arguments[1]);\n"
			"	(void)kernel;\n"
			"	union { const char *pointer; size_t number; } at[2];\n"
			"	at[0].pointer = first;\n"
			"	at[1].pointer = second;\n"
			"	CHECK(at[0].number % 64 == 0 && at[1].number % 64 == 0);\n"
			"	sprintf(strchr(notes, 0), \" %d %d %d\\n\", first[127], second[127],\n"
			"		**AUTOTUNE_CAST(int **, arguments[2]));\n"
			"}\n" RUNNER,
			"	struct autotune_runner it = runner();\n"
			"	int x = 5, y = 6;\n"
			"	memory[0] = 7;\n"
			"	CHECK(!maps_run_by(&it, maps_device(0), 64, &x, &y));\n"
			"	CHECK(!strcmp(notes, \"begin 0 9\\nallocate 256\\n\"\n"
			"		\"map of 5: type 3, 64 x 64, box 8 x 32, stride 256, modes 0 1 3 0\\n\"\n"
			"		\"map of 7: type 7, 32 x 2, box 32 x 1, stride 128, modes 0 3 0 0\\n\"\n"
			"		\"0: 1 of 32, 5 7 6\\nrelease\\n\"));\n"
			"	if (failures)\n"
			"		puts(notes);\n"));
}

IN_FOLDER(refuses_common_code_of_another_version)
{
	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	assert_true(runs(
		"cd %s && mkdir other && cp tiles.h other && sed 's/AUTOTUNE_RUNTIME 5/AUTOTUNE_RUNTIME 6/' autotune.h >other/autotune.h",
		folder));
	assert_refused("-Iother", "#include <tiles.h>\nint main(void) { return 0; }\n",
		"autotune.h is of another version of autotune than this header");
	/* both versions in one unit */
	assert_refused("",
		"#include \"other/autotune.h\"\n#include \"tiles.h\"\nint main(void) { return 0; }\n",
		"this unit has headers of different versions of autotune");
	assert_true(runs("rm %s/other/autotune.h", folder));
	assert_refused("-Iother", "#include <tiles.h>\nint main(void) { return 0; }\n",
		"autotune.h");
}

LONG_IN_FOLDER(launches_with_the_attributes_that_were_measured)
{
	static const char text[] =
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { CL = [ 4 ]; };\n"
		"kernel: { name = \"wide\"; template = \"wide.cu\"; reference = \"r\"; };\n"
		"launches = (\n"
		"  { kernel = \"first\"; block = ( 32 ); grid = ( \"N\", 2 ); cluster = ( \"CL\" ); preferred_cluster = ( \"2 * CL\", 2 );\n"
		"    cooperative = \"N > 64\"; l2_window: { argument = \"y\"; percent = \"N / 2\"; }; },\n"
		"  { kernel = \"last\"; block = ( 1 ); grid = ( 1 ); dependent = true; carveout = \"min(N, 100)\"; when = \"N > 32\"; }\n"
		");\n"
		"arguments = ( { name = \"y\"; type = \"int\"; count = \"N\"; access = \"inout\"; } );\n";
	static const struct made made = { MADE("wide", "{\"N\": 64}", "{\"CL\": 4}") };

	write_header_of_text(text, steps, &made);
	assert_runs("",
		CHECKS("wide", "",
			"	struct autotune_device old = *wide_device(0);\n"
			"	struct autotune_launch l = wide_launch(0, AUTOTUNE_NULL, 64);\n"
			"	CHECK(l.cluster[0] == 4 && l.cluster[1] == 1 && l.cluster[2] == 1);\n"
			"	CHECK(l.preferred_cluster[0] == 8 && l.preferred_cluster[1] == 2 &&\n"
			"		l.preferred_cluster[2] == 1);\n"
			"	CHECK(!l.cooperative && !l.dependent && !l.has_carveout);\n"
			"	CHECK(l.repeats == 1 && l.l2_window_percent == 32);\n"
			"	CHECK(wide_launch(0, AUTOTUNE_NULL, 65).cooperative);\n"
			"	l = wide_launch(1, AUTOTUNE_NULL, 64);\n"
			"	CHECK(l.repeats == -1 && !l.cluster[0] && !l.l2_window_percent);\n"
			"	l = wide_launch_1(0, AUTOTUNE_NULL, 640);\n"
			"	CHECK(l.dependent && l.has_carveout && l.carveout == 100 && !l.cluster[0]);\n"
			"	CHECK(wide_launch_1(0, AUTOTUNE_NULL, 64).carveout == 64);\n"
			"	/* left out */\n"
			"	l = wide_launch_1(0, AUTOTUNE_NULL, 32);\n"
			"	CHECK(l.repeats == 0 && !l.block[0] && !l.dependent);\n"
			"	CHECK(wide_fits(0, wide_device(0), 64));\n"
			"	/* what clusters do not divide, and a device without clusters */\n"
			"	CHECK(!wide_fits(0, wide_device(0), 66));\n"
			"	CHECK(!wide_fits(0, wide_device(0), 68));\n"
			"	old.major = 8;\n"
			"	CHECK(!wide_fits(0, &old, 64));\n"));
	assert_true(
		runs("grep -q 'The l2_window_percent of launch 0 is of y' %s/wide.h",
			folder));
}

/* ---- what is chosen when it is compiled ---- */

static const struct made vectors[] = {
	{ .device = &made_h200,
		.space = "vector-add",
		.problem = "million",
		.sizes = "{\"N\": 1000000}",
		.configuration = "{\"BLOCK_X\": 128, \"PER_THREAD\": 3}" },
};

LONG_IN_FOLDER(gives_one_configuration_under_short_names)
{
	static const struct {
		const char *options;
		int block;
	} rows[] = {
		{ "-DTILES_CONFIGURATION=3", 256 },
		{ "-DTILES_CONFIGURATION=0", 64 },
		{ "-DTILES_DEVICE=TESLA_T4", 128 },
		{ "-DTILES_PROBLEM=WIDE", 256 },
		{ "-DTILES_DEVICE=NVIDIA_H200 -DTILES_PROBLEM=SQUARE", 512 },
		{ "-DTILES_DEVICE=NVIDIA_A100_SXM4_80GB -DTILES_PROBLEM=SQUARE", 64 },
		/* a number goes before a name */
		{ "-DTILES_CONFIGURATION=1 -DTILES_PROBLEM=WIDE", 512 },
	};

	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	write_header_of("vector-add.cfg", vectors, 1, "vector-add.h");
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		char options[160];

		snprintf(options, sizeof(options), "%s -DEXPECTED=%d", rows[i].options,
			rows[i].block);
		assert_runs_in(1, options,
			"#include \"tiles.h\"\n"
			"#include \"vector-add.h\"\n"
			"#include \"tiles.h\"\n"
			"#if TILES_BLOCK != EXPECTED\n"
			"#error another one\n"
			"#endif\n"
			"#ifdef BLOCK\n"
			"#error bare names were not asked for\n"
			"#endif\n"
			"int main(void) { return TILES_BLOCK_DIM_X != EXPECTED; }\n");
	}
	assert_runs("-DTILES_PROBLEM=RADIUS_6",
		"#include \"tiles.h\"\n"
		"#include \"vector-add.h\"\n" CHECK "int main(void)\n"
		"{\n"
		"	CHECK(TILES_WHERE == TILES_WHERE_here && !strcmp(TILES_WHERE_NAME, \"here\"));\n"
		"	CHECK(!strcmp(TILES_OPTIONS, \"-DRADIUS=6\") && TILES_SHARED_BYTES == 0);\n"
		"	CHECK(TILES_NVIDIA_H200_RADIUS_6_CONFIGURATION == 4);\n"
		"	CHECK(TILES_NVIDIA_H200_RADIUS_6_TIME_NS < 1000.5);\n"
		"	CHECK(TILES_NVIDIA_H200_RADIUS_6_TIME_LOW_NS < 990.5);\n"
		"	CHECK(TILES_NVIDIA_H200_RADIUS_6_SPEEDUP_HIGH > 2.05);\n"
		"	CHECK(TILES_1_WHERE == TILES_WHERE_there && TILES_1_SHARED_BYTES == 131072);\n"
		"	CHECK(TILES_CONFIGURATION_COUNT == 9 && TILES_DEVICE_COUNT == 4);\n"
		"	/* where there is only one, nothing has to be said */\n"
		"	CHECK(VECTOR_ADD_BLOCK_X == 128 && VECTOR_ADD_PER_THREAD == 3);\n"
		"	CHECK(vector_add_launch(0, AUTOTUNE_NULL, 1000000).grid[0] == 2605);\n"
		"	return failures != 0;\n"
		"}\n");
}

IN_FOLDER(tells_a_program_how_to_encode_tensor_maps)
{
	static const struct made maps[] = {
		{ MADE("maps", "{\"M\": 100, \"N\": 64}", "{\"TILE\": 32}"),
			.baseline = "{\"TILE\": 16}" },
	};

	write_header_of("maps.cfg", maps, 1, "maps.h");
	/* no header of a space without maps knows of them */
	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	if (runs("grep -q tensor_map %s/tiles.h", folder))
		fail_msg("there are tensor maps in tiles.h");
	if (!runs("grep -q compute_90a %s/maps.h", folder))
		fail_msg("the architecture is not in maps.h");
	assert_runs("",
		"#include \"maps.h\"\n" CHECK "int main(void)\n"
		"{\n"
		"	struct autotune_tensor_map map = maps_tensor_map_rows(0, AUTOTUNE_NULL, 200, 48);\n"
		"\n"
		"	CHECK(map.rank == 2 && map.dims[0] == 48 && map.dims[1] == 200);\n"
		"	CHECK(map.box[0] == 16 && map.box[1] == 32 && map.strides[0] == 192);\n"
		"	CHECK(map.swizzle_bytes == 64 && map.interleave_bytes == 0);\n"
		"	CHECK(map.promotion_bytes == 256 && map.fills_nan);\n"
		"	CHECK(map.element_strides[0] == 1 && map.element_strides[1] == 1);\n"
		"	/* the baseline */\n"
		"	map = maps_tensor_map_rows(1, AUTOTUNE_NULL, 200, 48);\n"
		"	CHECK(map.box[1] == 16 && map.swizzle_bytes == 128);\n"
		"	map = maps_tensor_map_cube(0, AUTOTUNE_NULL, 200, 48);\n"
		"	CHECK(map.rank == 3 && map.dims[1] == 50 && map.dims[2] == 4);\n"
		"	CHECK(map.strides[0] == 192 && map.strides[1] == 9600);\n"
		"	CHECK(map.box[0] == 32 && map.box[2] == 2 && map.element_strides[1] == 2);\n"
		"	CHECK(map.swizzle_bytes == 0 && !map.fills_nan);\n"
		"	/* no such configuration, and a size that overflows */\n"
		"	CHECK(maps_tensor_map_rows(2, AUTOTUNE_NULL, 200, 48).rank == 0);\n"
		"	CHECK(maps_tensor_map_rows(0, AUTOTUNE_NULL, 200, 1LL << 62).rank == 0);\n"
		"	return 0;\n"
		"}\n");
}

IN_FOLDER(refuses_what_it_does_not_know)
{
	static const char plain[] = "#include \"tiles.h\"\nint unused;\n";
	static const char used[] = "#include \"tiles.h\"\nint block = TILES_BLOCK;\n";

	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	assert_refused("-DTILES_DEVICE=NVIDIA_H20", plain,
		"TILES_DEVICE is not one of: NVIDIA_A100_SXM4_80GB, NVIDIA_H200, TESLA_T4, SOME_R_CPU_2_00GHZ");
	assert_refused("-DTILES_PROBLEM=SQARE", plain,
		"TILES_PROBLEM is not one of: SQUARE, WIDE, LARGE, RADIUS_6");
	assert_refused("-DTILES_PROBLEM=", plain, "TILES_PROBLEM is not one of: ");
	assert_refused(
		"-DTILES_PROBLEM=square", plain, "TILES_PROBLEM is not one of: ");
	assert_refused("-DTILES_CONFIGURATION=9", plain,
		"TILES_CONFIGURATION is no number from 0 to 8");
	assert_refused("-DTILES_CONFIGURATION=first", plain,
		"TILES_CONFIGURATION is no number from 0 to 8");
	assert_refused("-DTILES_DEVICE=TESLA_T4 -DTILES_PROBLEM=WIDE", plain,
		"TILES_PROBLEM was not measured on TILES_DEVICE; there are: SQUARE on NVIDIA_A100_SXM4_80GB, ");
	/* not asking does not get the first one */
	assert_refused("", used, "TILES_BLOCK");
	assert_refused("-DTILES_DEVICE=NVIDIA_H200", used, "TILES_BLOCK");
	assert_refused("-DTILES_PROBLEM=SQUARE", used, "TILES_BLOCK");
	assert_refused("-DTILES_BARE", plain,
		"TILES_BARE: say of which configuration, with TILES_CONFIGURATION, or with TILES_DEVICE and TILES_PROBLEM");
}

LONG_IN_FOLDER(may_be_included_again_for_other_names)
{
	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	write_header_of("vector-add.cfg", vectors, 1, "vector-add.h");
	/* RADIUS as a build gives it, beside a size of that name */
	assert_runs("-DRADIUS=6",
		"#include \"tiles.h\"\n"
		"#define VECTOR_ADD_BARE\n"
		"#include \"vector-add.h\"\n"
		"static int vector_block(void) { return BLOCK_X * PER_THREAD; }\n"
		"#define TILES_BARE\n"
		"#define TILES_CONFIGURATION 1\n"
		"#include \"tiles.h\"\n" CHECK
		"#if BLOCK != 512 || WHERE != WHERE_there || RADIUS != 1 || defined(WIDE)\n"
		"#error not the first\n"
		"#endif\n"
		"static int tiles(void) { return TILE; }\n"
		"static int first(void) { return tiles_1(); }\n"
		"#undef TILES_CONFIGURATION\n"
		"#define TILES_CONFIGURATION 2\n"
		"#include \"tiles.h\"\n"
		"#if BLOCK != 256 || WHERE != WHERE_here || !WIDE || TILES_BLOCK != 256\n"
		"#error not the second\n"
		"#endif\n"
		"static int tiles(void) { return BLOCK; }\n"
		"int main(void)\n"
		"{\n"
		"	CHECK(first() == 4 && tiles_2() == 256 && vector_block() == 384);\n"
		"	return failures != 0;\n"
		"}\n");
}

IN_FOLDER(links_units_of_both_languages)
{
	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	write_text("other.cpp",
		"#include \"tiles.h\"\n"
		"extern \"C\" int other(const struct autotune_device *device);\n"
		"int other(const struct autotune_device *device)\n"
		"{\n"
		"	return tiles_choose(device, 4096, 4096, 6).configuration;\n"
		"}\n");
	write_text("main.c",
		"#include \"tiles.h\"\n"
		"int other(const struct autotune_device *device);\n"
		"int main(void)\n"
		"{\n"
		"	return tiles_choose(tiles_device(1), 4096, 4096, 6).configuration !=\n"
		"	       other(tiles_device(1));\n"
		"}\n");
	assert_true(runs(
		"cd %s && cc -c main.c && c++ -c other.cpp && cc main.o other.o -o program && ./program",
		folder));
}

/* As a space file has it: options of a record count only where that has them too. */
static void add_option(struct at_spec *spec, const char *text)
{
	struct at_option *all =
		realloc(spec->options, (spec->option_count + 1) * sizeof(*all));

	assert_non_null(all);
	spec->options = all;
	all[spec->option_count++] = (struct at_option){ .text = at_strdup(text) };
}

/* as whatever a hostile record or space may have */
IN_FOLDER(compiles_whatever_was_recorded)
{
	const struct at_header_plan_options options = { 0 };
	OWNED(at_spec_free) struct at_spec *spec = load("vector-add.cfg");
	struct made made = vectors[0];
	struct at_results results;
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	made.options = "";
	spec->is_trusted = true;
	add_option(spec, "-D?\?/");
	add_option(spec, "\\");
	add_option(spec, "\"\x01");
	add_option(spec, "9*/");
	make_results(&made, 1, &results);
	free(results.items[0].device.model);
	free(results.items[0].best.driver);
	results.items[0].device.model =
		at_strdup("a */ \"b\n#error */ \?\?/\n\x01\xff");
	results.items[0].best.driver = at_strdup("**/ /* \\\n#error \\");
	assert_ok(at_result_header(
		spec, results.items, results.count, &options, &text, &failure));
	write_text("vector-add.h", at_strbuf_text(&text));
	assert_runs("",
		CHECKS("vector-add", "",
			"	CHECK(!strcmp(VECTOR_ADD_OPTIONS, \"-D?\" \"?/ \\\\ \\\"\\1 9*/\"));\n"
			"	CHECK(!strcmp(vector_add_device(0)->name, \"a */ \\\"b\\n#error */ ?\" \"?/\\n\\1\\377\"));\n"));
	at_results_release(&results);
}

/* ---- CUDA ------------------------------------------------------------------ */

/* every configuration a unit of its own, with the options that it was compiled with */
LONG_IN_FOLDER(links_all_configurations_into_one_program)
{
	RELEASED(at_strbuf_release) struct at_strbuf objects = { 0 };
	char unit[256], name[32];

	if (!runs("command -v nvcc >/dev/null 2>&1"))
		skip_because("no nvcc");
	write_header_of("tiles.cfg", tiles, TILES, "tiles.h");
	for (int i = 0; i < 9; i += 2) {
		snprintf(unit, sizeof(unit),
			"#define TILES_CONFIGURATION %d\n"
			"#define TILES_BARE\n"
			"#include \"tiles.h\"\n"
			"#include \"" DATA "/tiles.cu\"\n",
			i);
		snprintf(name, sizeof(name), "unit_%d.cu", i);
		write_text(name, unit);
		at_strbuf_addf(&objects, " %s", name);
	}
	write_text("main.cu",
		"#include \"tiles.h\"\n"
		"extern \"C\" __global__ void tiles_0(float *);\n"
		"extern \"C\" __global__ void tiles_8(float *);\n"
		"extern \"C\" __global__ void tiles_4_tiles_reference(float *);\n"
		"int main()\n"
		"{\n"
		"	cudaDeviceProp properties = {};\n"
		"	struct autotune_device device;\n"
		"	properties.major = 9;\n"
		"	properties.maxThreadsPerBlock = 1024;\n"
		"	properties.sharedMemPerBlockOptin = 232448;\n"
		"	properties.sharedMemPerBlock = 49152;\n"
		"	properties.multiProcessorCount = 132;\n"
		"	strcpy(properties.name, \"NVIDIA H200\");\n"
		"	device = autotune_device_of(&properties);\n"
		"	if (tiles_choose(&device, 4096, 4096, 1).rung != AUTOTUNE_EXACT)\n"
		"		return 1;\n"
		"	return (void *)tiles_0 == (void *)tiles_8;\n"
		"}\n");
	assert_true(
		runs("cd %s && nvcc -arch=sm_90 -O1 -o program main.cu%s && ./program",
			folder, at_strbuf_text(&objects)));
}

/* ---- templates of C++ ------------------------------------------------------ */

#define SHIFT(block, by, method, pad) \
	"{\"BLOCK\": " #block ", \"BY\": " #by ", \"METHOD\": \"" method \
	"\", \"PAD\": " #pad "}"

static const struct made shifts[] = {
	{ .device = &made_h200,
		.space = "shift",
		.problem = "all",
		.sizes = "{\"N\": 1000}",
		.configuration = SHIFT(64, 2, "staged", 1),
		.baseline = SHIFT(32, -1, "plain", 0) },
};

/* Writes unit_0.cpp and unit_1.cpp: configurations of shift.h, each a unit of its own.
   To the host's compiler a kernel is a function. */
static void write_units(const char *template, const char *end)
{
	for (int i = 0; i < 2; i++) {
		char text[1024];

		snprintf(text, sizeof(text),
			"#define SHIFT_CONFIGURATION %d\n"
			"#define SHIFT_BARE\n"
			"#include \"shift.h\"\n"
			"#define __global__\n"
			"#include \"" DATA "/%s\"\n%s",
			i, template, end);
		write_text(i ? "unit_1.cpp" : "unit_0.cpp", text);
	}
}

static void assert_links(void)
{
	assert_true(runs(
		"cd %s && c++ -std=c++11 -Wall -Wextra -Werror -I. unit_0.cpp unit_1.cpp main.cpp -o program && ./program",
		folder));
}

/* The template has its parameters to itself in each unit; all are in one program, and
   one of them where it is compiled. */
IN_FOLDER(templates_of_cxx_are_asked_for_by_name)
{
	write_header_of("instances.cfg", shifts, 1, "shift.h");
	write_units("instances.cu", "SHIFT_ENTRY;\n");
	write_text("main.cpp",
		"#define SHIFT_DEVICE NVIDIA_H200\n"
		"#include \"shift.h\"\n"
		"#define DECLARE(n, name) extern \"C\" void (*const name)(int *);\n"
		"SHIFT_CONFIGURATIONS(DECLARE)\n"
		"#define __global__\n"
		"#define PAD SHIFT_PAD\n"
		"#include \"" DATA "/instances.cu\"\n"
		"int main()\n"
		"{\n"
		"	int all[3] = { 0, 0, 0 };\n"
		"	shift_0(&all[0]);\n"
		"	shift_1(&all[1]);\n"
		"	SHIFT_INSTANCE(&all[2]);\n"
		"	return !(all[0] == 64112 && all[1] == 31999 && all[2] == 64112);\n"
		"}\n");
	assert_links();
	assert_true(runs(
		"grep -q '^ \\* in configuration 0. After the template, launch SHIFT_n_INSTANCE' %s/shift.h",
		folder));
	/* what is no template's is a macro */
	assert_true(runs("grep -q '^#define PAD 1' %s/shift.h", folder));
	assert_false(runs("grep -q '^#define BLOCK' %s/shift.h", folder));
}

static const struct made variants[] = {
	{ .device = &made_h200,
		.space = "shift",
		.problem = "all",
		.sizes = "{\"N\": 1000}",
		.configuration = "{\"BLOCK\": 64, \"METHOD\": \"staged\"}",
		.baseline = "{\"BLOCK\": 32, \"METHOD\": \"plain\"}" },
};

/* Both kernels are in both units: which has the short name differs. */
IN_FOLDER(a_configuration_chooses_its_kernel)
{
	write_header_of("variants.cfg", variants, 1, "shift.h");
	write_units("variants.cu", "");
	write_text("main.cpp",
		"#include <cstring>\n"
		"#define SHIFT_DEVICE NVIDIA_H200\n"
		"#include \"shift.h\"\n"
		"#define DECLARE(n, name) void name(int *);\n"
		"SHIFT_CONFIGURATIONS(DECLARE)\n"
		"int main()\n"
		"{\n"
		"	int all[2] = { 0, 0 };\n"
		"	shift_0(&all[0]);\n"
		"	shift_1(&all[1]);\n"
		"	return !(all[0] == 1064 && all[1] == 32\n"
		"		&& !strcmp(SHIFT_0_FUNCTION, \"shift_staged\")\n"
		"		&& !strcmp(SHIFT_FUNCTION, \"shift_staged\")\n"
		"		&& !strcmp(SHIFT_1_FUNCTION, \"shift_plain\"));\n"
		"}\n");
	assert_links();
}

LONG_IN_FOLDER(nvcc_makes_code_of_instances)
{
	if (!runs("command -v nvcc >/dev/null 2>&1"))
		skip_because("no nvcc");
	write_header_of("instances.cfg", shifts, 1, "shift.h");
	write_text("unit.cu", "#define SHIFT_CONFIGURATION 0\n"
			      "#define SHIFT_BARE\n"
			      "#include \"shift.h\"\n"
			      "#include \"" DATA "/instances.cu\"\n"
			      "SHIFT_ENTRY;\n");
	write_text("main.cu", "#include \"shift.h\"\n"
			      "extern \"C\" void (*const shift_0)(int *);\n"
			      "int main() { shift_0<<<1, 1>>>(nullptr); return 0; }\n");
	assert_true(runs(
		"cd %s && nvcc -Werror all-warnings -arch=sm_90 -o program main.cu unit.cu && nm program | grep -q ' shift_0$' && grep -q 'text._ZN5tools13shift_0_shiftILi64ELi2E' program",
		folder));
}

RUN_SUITE(NULL, NULL)
