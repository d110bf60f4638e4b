/* The executable writes the cubins of a header: needs NVRTC, and no GPU. */
#include "base/memory.h"
#include "executable.h"
#include "kernel/toolchain.h"

#include "suite.h"

static bool have_nvrtc;

static void need_nvrtc(void)
{
	if (!have_nvrtc)
		skip_because("no NVRTC");
}

/* ---- a small space and what is recorded of it ------------------------------ */

/* 24 is for no architecture before sm_90 */
static const char scaled_cu[] =
	"extern \"C\" __global__ void before(float *y) { y[threadIdx.x] = 1; }\n"
	"__global__ void scaled(float *y)\n"
	"{\n"
	"	__shared__ float all[FACTOR];\n"
	"	all[threadIdx.x % FACTOR] = y[threadIdx.x];\n"
	"	__syncthreads();\n"
	"	y[threadIdx.x] = 7 * all[0];\n"
	"#if FACTOR == 24 && __CUDA_ARCH__ < 900\n"
	"#error \"not before\"\n"
	"#endif\n"
	"}\n";
static const char scaled_cfg[] =
	"kernel: { name = \"scaled\"; template = \"scaled.cu\";\n"
	"  reference = \"before\"; };\n"
	"problems = ( { name = \"one\"; N = 32; }, { name = \"two\"; N = 64; } );\n"
	"parameters: { FACTOR = [ 8, 24, 25 ]; };\n"
	"defaults: { FACTOR = 8; };\n"
	"options = ( \"-DSIZE=${N}\" );\n"
	"launch: { block = ( \"N\" ); grid = ( \"1\" ); };\n"
	"prepare: { kernel = \"before\"; block = ( \"N\" ); grid = ( \"1\" ); "
	"arguments = ( \"y\" ); };\n"
	"arguments = ( { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

static void write_winner(const char *device, const char *kind, const char *model,
	const char *architecture, int factor, int registers, const char *compiler)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	char name[96], known[16] = "null";
	OWNED(free) char *path;

	if (registers >= 0)
		snprintf(known, sizeof(known), "%d", registers);

	at_strbuf_addf(&text,
		"{\"version\": 1, \"kernel\": \"scaled\", \"function\": \"scaled\","
		"\"device\": {\"kind\": \"%s\", \"model\": \"%s\", \"architecture\": \"%s\","
		" \"properties\": {}},"
		"\"problems\": [{\"problem\": \"one\", \"sizes\": {\"N\": 32},"
		" \"configuration\": {\"FACTOR\": %d}, \"time_ns\": 1000.0, \"low_ns\": null,"
		" \"high_ns\": null, \"speedup\": null, \"evaluation_count\": 2,"
		" \"ok_count\": 2, \"baseline\": null,"
		" \"launch\": {\"block\": [32, 1, 1], \"grid\": [1, 1, 1], \"shared_bytes\": 0},"
		" \"options\": [\"-DSIZE=32\"], \"metrics\": {},"
		" \"resources\": {\"registers\": %s, \"shared_bytes\": %d},"
		" \"gains\": null, \"toolchain\": \"%s\", \"driver\": \"580\","
		" \"source_hash\": \"00\", \"measured\": \"2026-11-21T22:01:09Z\"}]}\n",
		kind, model, architecture, factor, known, 4 * factor, compiler);
	snprintf(name, sizeof(name), "results/%s", device);
	path = executable_path(name);
	assert_ok(at_directory_make(path, &failure));
	snprintf(name, sizeof(name), "results/%s/scaled.json", device);
	executable_write(name, at_strbuf_text(&text));
}

/* What compiles here: "NVRTC 13.0". */
static char compiler[256];
static int registers = -1; /* of factor 24 for sm_90, as it is compiled here */

static int make_place(void **state)
{
	struct at_error err = { 0 };

	executable_begin(state);
	executable_write("scaled.cu", scaled_cu);
	executable_write("scaled.cfg", scaled_cfg);
	have_nvrtc = !at_toolchain_version("nvrtc", compiler, sizeof(compiler), &err);
	return 0;
}

static void assert_writes(const char *line, const char *out, const char *note)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run(line);

	if (outcome.code)
		fail_msg("%s: %s", line, outcome.err);
	assert_string_equal(outcome.out, out);
	if (note && !strstr(outcome.err, note))
		fail_msg("no %s in\n%s", note, outcome.err);
	if (!note)
		assert_string_equal(outcome.err, "");
}

static void assert_refuses(const char *line, int code, const char *part)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run(line);

	if (!strstr(outcome.err, part))
		fail_msg("no %s in\n%s", part, outcome.err);
	assert_int_equal(executable_count_lines(outcome.err), 1);
	assert_string_equal(outcome.out, "");
	assert_int_equal(outcome.code, code);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no %s in\n%.3000s", part, text);
}

/* The number behind `key` in the text. */
static int number_after(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	assert_non_null(at);
	return atoi(at + strlen(key));
}

/* ---- tests ----------------------------------------------------------------- */

/* first: what the record would say comes from here */
TEST(says_where_it_is_not_as_it_was_measured)
{
	RELEASED(executable_drop) struct executable_outcome outcome;
	OWNED(free) char *header;

	need_nvrtc();
	write_winner("some", "cuda", "some", "sm_90", 24, 250, "NVRTC 1.0");
	outcome = executable_run("header --cubins scaled.cfg -o old_cubins.h");
	assert_int_equal(outcome.code, 0);
	assert_has(outcome.err,
		"note: scaled.cfg: one on some was measured with NVRTC 1.0");
	assert_has(
		outcome.err, "registers for sm_90, and took 250 when it was measured");
	assert_int_equal(executable_count_lines(outcome.err), 2);
	registers = number_after(outcome.err, "configuration 0 takes ");
	assert_in_range(registers, 1, 100);
	header = executable_read("old_cubins.h");
	assert_has(header, " *   measured with  NVRTC 1.0\n");
	assert_has(header, " *   note           configuration 0 takes ");
}

TEST(embeds_what_the_driver_loads)
{
	OWNED(free) char *header;
	char *line;

	need_nvrtc();
	write_winner("some", "cuda", "some", "sm_90", 24, registers, compiler);
	assert_writes("header --cubins scaled.cfg",
		"results/scaled.h\nresults/scaled_cubins.h\n", NULL);
	header = executable_read("results/scaled_cubins.h");
	assert_has(header, compiler);
	/* what an ELF file begins with, of 64 bits, little-endian */
	line = strstr(header, "static const unsigned char scaled_cubin_0_sm_90[");
	assert_non_null(line);
	assert_memory_equal(strchr(line, '\n'), "\n127,69,76,70,2,1,", 18);
	/* as it is mangled, and the other kernel, which is "C" */
	assert_has(
		header, ", \"_Z6scaledPf\", \"before\", AUTOTUNE_NULL, kernels[0] }");
	assert_has(header, "\t\t{ \"_Z6scaledPf\", \"before\" },\n");
	assert_has(header, "#include \"scaled.h\"\n");
}

TEST(writes_the_same_bytes_each_time)
{
	const char *cache = getenv("AUTOTUNE_CACHE");
	OWNED(free) char *first;
	char *second;
	OWNED(free) char *kept = cache ? at_strdup(cache) : NULL;

	need_nvrtc();
	assert_writes("header --cubins scaled.cfg -o a.h", "a.h\n", NULL);
	/* compiled anew */
	setenv("AUTOTUNE_CACHE", "elsewhere", 1);
	assert_writes("header --cubins scaled.cfg -o b.h", "b.h\n", NULL);
	if (kept)
		setenv("AUTOTUNE_CACHE", kept, 1);
	else
		unsetenv("AUTOTUNE_CACHE");
	first = executable_read("a.h");
	second = executable_read("b.h");
	assert_string_equal(first, second);
	free(second);
	assert_int_equal(
		executable_run_to("header --cubins scaled.cfg -o -", "c.h"), 0);
	second = executable_read("c.h");
	assert_string_equal(first, second);
	free(second);
}

/* of a GPU before, on which one of the two does not compile */
TEST(compiles_for_every_architecture_of_the_record)
{
	char *header;

	need_nvrtc();
	write_winner("older", "cuda", "older", "sm_80", 25, -1, compiler);
	write_winner("cpu", "host", "cpu", "x86_64", 8, -1, "g++");
	assert_writes("header --cubins scaled.cfg -o two.h", "two.h\n",
		"of another architecture, does not compile for sm_80: ");
	header = executable_read("two.h");
	assert_has(header, "#define AUTOTUNE_SCALED_CUBIN_COUNT 3\n");
	/* by the ordinary header's numbers: devices in their order */
	assert_has(header, "\t{ 0, 8, 0, scaled_cubin_0_sm_80, ");
	assert_has(header, "\t{ 0, 9, 0, scaled_cubin_0_sm_90, ");
	assert_has(header, "\t{ 1, 9, 0, scaled_cubin_1_sm_90, ");
	free(header);
	assert_writes(
		"header --cubins --device older scaled.cfg -o one.h", "one.h\n", NULL);
	header = executable_read("one.h");
	assert_has(header, "#define AUTOTUNE_SCALED_CUBIN_COUNT 1\n");
	free(header);
	write_winner("older", "cuda", "older", "sm_80", 24, -1, compiler);
	assert_refuses("header --cubins --device older scaled.cfg -o never.h", 1,
		"configuration 0 does not compile for sm_80, on which it was measured: ");
}

/* one cubin has the kernels of all launches */
TEST(embeds_a_sequence)
{
	static const char launch[] = "launch: {";
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	OWNED(free) char *header = NULL;
	const char *at = strstr(scaled_cfg, launch);

	need_nvrtc();
	at_strbuf_add_bytes(&text, scaled_cfg, (size_t)(at - scaled_cfg));
	at_strbuf_add(&text,
		"launches = ( { kernel = \"scaled\"; block = ( \"N\" ); grid = ( 1 ); repeat = \"2\"; },\n"
		"  { kernel = \"before\"; block = ( 32 ); grid = ( 1 ); when = \"N > 32\"; } );\n");
	at_strbuf_add(&text, strstr(at, "arguments = ( {"));
	executable_write("sequence.cfg", at_strbuf_text(&text));
	write_winner("some", "cuda", "some", "sm_90", 24, registers, compiler);
	assert_writes("header --cubins --device some sequence.cfg -o sequence.h",
		"sequence.h\n", NULL);
	header = executable_read("sequence.h");
	assert_has(header, "\t\t{ \"_Z6scaledPf\", \"before\" },\n");
	assert_has(header, "AUTOTUNE_NULL, AUTOTUNE_NULL, kernels[0] }");
	assert_has(header, "scaled_run_cubin(CUmodule modules");
}

TEST(refuses_what_has_no_cubins)
{
	write_winner("cpu", "host", "cpu", "x86_64", 8, -1, "g++");
	assert_refuses("header --cubins --device cpu scaled.cfg", 1,
		"no winner of \"scaled\" is of a CUDA device: others have no cubins");
	write_winner("late", "cuda", "late", "sm_90a", 8, -1, "NVRTC 13.0");
	assert_refuses("header --cubins --device late scaled.cfg", 1,
		"\"sm_90a\" of late is no architecture to make cubins for");
	assert_refuses("header --cubins --flags scaled.cfg", 2,
		"--cubins compiles what was measured");
	assert_refuses("header --cubins --check scaled.cfg", 2,
		"--cubins compiles what was measured");
	assert_refuses("header --cubins --defaults -o x.h scaled.cfg", 2,
		"--cubins compiles what was measured");
}

TEST(says_that_there_is_no_compiler)
{
	write_winner("some", "cuda", "some", "sm_90", 24, registers, "NVRTC 13.0");
	setenv("AUTOTUNE_NVRTC", "/nowhere/libnvrtc.so", 1);
	assert_refuses(
		"header --cubins --device some scaled.cfg -o never.h", 1, "NVRTC");
	unsetenv("AUTOTUNE_NVRTC");
}

TEST(overwrites_nothing_of_others)
{
	need_nvrtc();
	executable_write("mine.h", "/* mine */\n");
	assert_refuses("header --cubins --device some scaled.cfg -o mine.h", 1,
		"it was not written by autotune, and is left alone");
}

int main(int argc, char **argv)
{
	int failed = run_suite(argc, argv, make_place, executable_end);

	return failed ? failed : have_nvrtc ? 0 : 77;
}
