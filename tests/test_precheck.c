/* check --compile: what kernels need of an architecture, without a device. Every
   template that comes with the tool is prechecked for three architectures. */
#define _GNU_SOURCE
#include "program.h"
#include "base/file.h"
#include "cli/precheck.h"
#include "kernel/compile.h"
#include "session/precheck.h"

#include <glob.h>
#include <signal.h>
#include <unistd.h>

#include "suite.h"

static bool have_nvrtc;
static char *folder; /* of the spaces that are written here */

static void need_nvrtc(void)
{
	if (!have_nvrtc)
		skip_because("no NVRTC");
}

/* ---- spaces ------------------------------------------------------------------ */

static void write_file(const char *name, const char *text)
{
	OWNED(free) char *path = scratch_path(folder, name);

	file_write(path, text);
}

#define ARGUMENTS \
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = " \
	"\"out\"; } );\n"
#define KERNEL(file) \
	"kernel: { name = \"toy\"; template = \"" file \
	"\"; reference = \"right\"; };\n" ARGUMENTS
#define PROBLEM "problems = ( { name = \"p\"; N = 4096; } );\n"

#define REFERENCE \
	"extern \"C\" __global__ void right(float *x)\n" \
	"{\n" \
	"	x[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n" \
	"}\n"

/* configurations and problems to draw from, and nothing else of interest */
static const char plain_cu[] =
	"extern \"C\" __global__ void toy(float *x)\n"
	"{\n"
	"	x[blockIdx.x * BLOCK + threadIdx.x] = A + 10 * B;\n"
	"}\n" REFERENCE;
static const char plain_cfg[] = KERNEL(
	"plain.cu") "problems = ( { name = \"first\"; on = \"cuda\"; N = 4096; },\n"
		    "  { name = \"second\"; on = \"cuda\"; N = 8192; },\n"
		    "  { name = \"small\"; on = \"host\"; N = 1024; } );\n"
		    "parameters: { BLOCK = [ 32, 64 ]; A = [ 0, 1, 2 ]; B = [ 0, 1 ]; };\n"
		    "defaults: { BLOCK = 64; A = 1; B = 0; };\n"
		    "launch: { block = ( \"BLOCK\" ); grid = ( \"N / BLOCK\" ); };\n";

static const char broken_cu[] = "extern \"C\" __global__ void toy(float *x)\n"
				"{\n"
				"#if A >= 3\n"
				"#error \"three or more\"\n"
				"#endif\n"
				"	x[threadIdx.x] = A;\n"
				"}\n" REFERENCE;
static const char broken_cfg[] = KERNEL("broken.cu") PROBLEM
	"parameters: { A = [ 1, 2, 3, 4 ]; };\n"
	"defaults: { A = 1; };\n"
	"launch: { block = ( \"32\" ); grid = ( \"N / 32\" ); };\n";

static const char no_reference_cu[] =
	"extern \"C\" __global__ void toy(float *x) { x[threadIdx.x] = A; }\n"
	"extern \"C\" __global__ void right(float *x) { x[threadIdx.x] = 1; }\n"
	"#ifdef AUTOTUNE_REFERENCE\n"
	"#error \"no truth\"\n"
	"#endif\n";
static const char no_reference_cfg[] = KERNEL("no_reference.cu") PROBLEM
	"parameters: { A = [ 1, 2, 3, 4 ]; };\n"
	"launch: { block = ( \"32\" ); grid = ( \"N / 32\" ); };\n";

/* 4 KiB of static shared memory, and a bound that a launch can break */
static const char shared_cu[] =
	"extern \"C\" __global__ void __launch_bounds__(128) toy(float *x)\n"
	"{\n"
	"	__shared__ float tile[1024];\n"
	"	extern __shared__ float more[];\n"
	"	tile[threadIdx.x] = x[threadIdx.x];\n"
	"	more[threadIdx.x] = x[threadIdx.x];\n"
	"	__syncthreads();\n"
	"	x[threadIdx.x] = tile[1023 - threadIdx.x] + more[127 - threadIdx.x];\n"
	"}\n" REFERENCE;
static const char shared_cfg[] = KERNEL("shared.cu") PROBLEM
	"parameters: { BLOCK = [ 128, 256 ]; DYNAMIC = [ 512, 102400 ]; };\n"
	"launch: { block = ( \"BLOCK\" ); grid = ( \"N / BLOCK\" );\n"
	"  shared_bytes = \"DYNAMIC\"; };\n";

static void write_shared(const char *defaults)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "%s%s", shared_cfg, defaults);
	write_file("shared.cfg", at_strbuf_text(&text));
}

/* sixty values that live through a loop */
static const char heavy_cu[] =
	"extern \"C\" __global__ void toy(float *x)\n"
	"{\n"
	"	float sum[60];\n"
	"#pragma unroll\n"
	"	for (int i = 0; i < 60; i++)\n"
	"		sum[i] = x[i];\n"
	"	for (int k = 0; k < 1000; k++)\n"
	"#pragma unroll\n"
	"		for (int i = 0; i < 60; i++)\n"
	"			sum[i] = sum[i] * sum[(i + 7) % 60] + x[k];\n"
	"#pragma unroll\n"
	"	for (int i = 0; i < 60; i++)\n"
	"		x[64 * threadIdx.x + i] = sum[i];\n"
	"}\n" REFERENCE;
static const char heavy_cfg[] = KERNEL("heavy.cu") PROBLEM
	"parameters: { LIMIT = [ 255, 32 ]; };\n"
	"defaults: { LIMIT = 255; };\n"
	"options = ( \"--maxrregcount=${LIMIT}\" );\n"
	"launch: { block = ( \"64\" ); grid = ( \"N / 64\" ); };\n";

static int write_spaces(void **state)
{
	folder = scratch_folder("vet");
	write_file("plain.cu", plain_cu);
	write_file("plain.cfg", plain_cfg);
	write_file("broken.cu", broken_cu);
	write_file("broken.cfg", broken_cfg);
	write_file("no_reference.cu", no_reference_cu);
	write_file("no_reference.cfg", no_reference_cfg);
	write_file("shared.cu", shared_cu);
	write_file("heavy.cu", heavy_cu);
	write_file("heavy.cfg", heavy_cfg);
	write_file("counted.cfg", "parameters: { A = [ 1, 2 ]; };\n");
	return 0;
}

/* ---- running it -------------------------------------------------------------- */

/* check FOLDER/name --compile count --json and what else; up to ten words more */
static void precheck(struct program_result *result, const char *name, const char *count,
	const char *const *more)
{
	const char *words[16] = { "check", NULL, "--compile", count, "--json" };
	OWNED(free) char *path = scratch_path(folder, name);
	size_t length = 5;

	words[1] = path;
	while (*more)
		words[length++] = *more++;
	program_run(words, result);
}

#define PRECHECK(result, name, count, ...) \
	precheck(result, name, count, (const char *const[]){ __VA_ARGS__, NULL })

/* The vettings of a run that must end with this status. */
static struct at_json *vettings(struct program_result *result, int exit_status)
{
	struct at_json *events;

	if (result->exit_status != exit_status)
		fail_msg("exit status %d: %s", result->exit_status, result->errors);
	events = program_events(result->output, "precheck");
	program_release(result);
	return events;
}

static int64_t whole(const struct at_json *prechecks, const char *key)
{
	return at_json_whole(at_json_get(prechecks, key), -1);
}

static const char *text(const struct at_json *prechecks, const char *key)
{
	const char *found = at_json_text(at_json_get(prechecks, key));

	return found ? found : "(no text)";
}

static bool is_baseline(const struct at_json *prechecks)
{
	return at_json_is_true(at_json_get(prechecks, "baseline"));
}

/* The vetting whose configuration has this value of a parameter, and of a second. */
static const struct at_json *find(const struct at_json *all, const char *parameter,
	int64_t value, const char *other, int64_t other_value)
{
	for (size_t i = 0; i < at_json_count(all); i++) {
		const struct at_json *configuration =
			at_json_get(at_json_at(all, i), "configuration");

		if (whole(configuration, parameter) == value &&
			(!other || whole(configuration, other) == other_value))
			return at_json_at(all, i);
	}
	fail_msg("nothing has %s = %d", parameter, (int)value);
	return NULL;
}

/* ---- the templates that come with the tool ---------------------------------- */

/* the baseline on each problem, and so many more */
static void judge_space(const struct at_json *all, const char *path,
	const char *architecture, int expected_others)
{
	int baselines = 0, others = 0;

	for (size_t i = 0; i < at_json_count(all); i++) {
		const struct at_json *prechecks = at_json_at(all, i);
		const char *outcome = text(prechecks, "outcome");
		bool baseline = is_baseline(prechecks);

		if (strcmp(text(prechecks, "path"), path) != 0)
			continue;
		baselines += baseline;
		others += !baseline;
		if (strcmp(outcome, "ok") != 0 &&
			(baseline || strcmp(outcome, "too_many_resources") != 0))
			fail_msg("%s: %s on %s: %s", path, outcome, architecture,
				text(prechecks, "detail"));
		assert_in_range(whole(prechecks, "registers"), 1, 255);
		assert_in_range(whole(prechecks, "threads_per_block"), 1, 1024);
	}
	if (baselines < 1 || others != expected_others)
		fail_msg("%s: %d baselines and %d others on %s", path, baselines,
			others, architecture);
}

static void precheck_templates(const char *architecture, const char *others)
{
	const char *words[64] = { "check", "--json", "--arch", architecture,
		"--compile", others };
	struct program_result result;
	OWNED(at_json_free) struct at_json *all;
	size_t first = 6, count = first;
	RELEASED(globfree) glob_t spaces;

	need_nvrtc();
	assert_int_equal(glob(AT_TEST_DIR "/../spaces/*.cfg", 0, NULL, &spaces), 0);
	assert_true(spaces.gl_pathc < 64 - first);
	for (size_t i = 0; i < spaces.gl_pathc; i++)
		words[count++] = spaces.gl_pathv[i];
	program_run(words, &result);
	all = vettings(&result, 0);
	for (size_t i = first; i < count; i++)
		judge_space(all, words[i], architecture, atoi(others));
}

LONG_TEST(every_template_compiles_for_old_and_new_architectures)
{
	precheck_templates("sm_80", "1");
	precheck_templates("sm_90", "5");
	precheck_templates("newest", "1");
}

/* Where there is no GPU, the mutants that only a GPU has are not run: that all of them
   compile is known all the same. */
LONG_TEST(every_mutant_for_a_gpu_compiles)
{
	const char *words[64] = { "check", "--json", "--arch", "sm_90", "--compile",
		"20" };
	struct program_result result;
	OWNED(at_json_free) struct at_json *all;
	size_t count = 6;
	RELEASED(globfree) glob_t spaces;

	need_nvrtc();
	assert_int_equal(glob(AT_TEST_DIR "/spaces/*_gpu_*.cfg", 0, NULL, &spaces), 0);
	assert_true(spaces.gl_pathc > 30 && spaces.gl_pathc < 64 - count);
	for (size_t i = 0; i < spaces.gl_pathc; i++)
		words[count++] = spaces.gl_pathv[i];
	program_run(words, &result);
	all = vettings(&result, 0);
	assert_true(at_json_count(all) > 80);
	for (size_t i = 0; i < at_json_count(all); i++)
		if (strcmp(text(at_json_at(all, i), "outcome"), "ok") != 0)
			fail_msg("%s: %s", text(at_json_at(all, i), "path"),
				text(at_json_at(all, i), "detail"));
}

/* ---- what kernels need ------------------------------------------------------- */

TEST(says_what_a_known_kernel_needs)
{
	const struct at_json *prechecks;
	struct program_result result;
	OWNED(at_json_free) struct at_json *all;

	need_nvrtc();
	write_shared("defaults: { BLOCK = 128; DYNAMIC = 512; };\n");
	PRECHECK(&result, "shared.cfg", "3", "--arch", "sm_90");
	all = vettings(&result, 0);
	assert_int_equal(at_json_count(all), 4);

	prechecks = at_json_at(all, 0);
	assert_true(is_baseline(prechecks));
	assert_string_equal(text(prechecks, "space"), "toy");
	assert_string_equal(text(prechecks, "problem"), "p");
	assert_string_equal(text(prechecks, "device"), "sm_90");
	assert_string_equal(text(prechecks, "architecture"), "sm_90");
	assert_string_equal(text(prechecks, "outcome"), "ok");
	assert_string_equal(text(prechecks, "detail"), "");
	assert_in_range(whole(prechecks, "registers"), 4, 32);
	assert_int_equal(whole(prechecks, "local_bytes"), 0);
	assert_int_equal(whole(prechecks, "spill_store_bytes"), 0);
	assert_int_equal(whole(prechecks, "spill_load_bytes"), 0);
	assert_int_equal(whole(prechecks, "shared_bytes"), 4096 + 512);
	assert_int_equal(whole(prechecks, "threads_per_block"), 128);
	/* 2048 threads a multiprocessor */
	assert_int_equal(whole(prechecks, "resident_blocks"), 16);
	assert_float_equal(
		at_json_number(at_json_get(prechecks, "occupancy"), -1), 1, 1e-9);
	assert_string_equal(text(prechecks, "limiting_factor"), "threads");
	assert_true(whole(prechecks, "compile_ns") > 0);

	/* 105 KiB a block with what the driver keeps, of 228 */
	prechecks = find(all, "BLOCK", 128, "DYNAMIC", 102400);
	assert_string_equal(text(prechecks, "outcome"), "ok");
	assert_int_equal(whole(prechecks, "resident_blocks"), 2);
	assert_float_equal(
		at_json_number(at_json_get(prechecks, "occupancy"), -1), 0.125, 1e-9);
	assert_string_equal(text(prechecks, "limiting_factor"), "shared memory");

	/* it is no mistake that some configuration does not fit */
	prechecks = find(all, "BLOCK", 256, "DYNAMIC", 512);
	assert_string_equal(text(prechecks, "outcome"), "too_many_resources");
	assert_non_null(strstr(text(prechecks, "detail"), "__launch_bounds__"));
	assert_int_equal(whole(prechecks, "resident_blocks"), 0);
}

TEST(says_what_spills)
{
	const struct at_json *prechecks;
	struct program_result result;
	OWNED(at_json_free) struct at_json *all;

	need_nvrtc();
	PRECHECK(&result, "heavy.cfg", "1", "--arch", "sm_90");
	all = vettings(&result, 0);
	prechecks = find(all, "LIMIT", 255, NULL, 0);
	assert_int_equal(whole(prechecks, "spill_store_bytes"), 0);
	assert_int_equal(whole(prechecks, "spill_load_bytes"), 0);
	assert_in_range(whole(prechecks, "registers"), 61, 255);
	prechecks = find(all, "LIMIT", 32, NULL, 0);
	assert_true(whole(prechecks, "spill_store_bytes") > 0);
	assert_true(whole(prechecks, "spill_load_bytes") > 0);
	assert_true(whole(prechecks, "local_bytes") > 0);
	assert_in_range(whole(prechecks, "registers"), 16, 32);
}

TEST(tells_once_of_configurations_that_do_not_compile)
{
	const struct at_json *prechecks;
	struct program_result result;
	OWNED(at_json_free) struct at_json *all;

	need_nvrtc();
	PRECHECK(&result, "broken.cfg", "3", "--arch", "sm_90");
	assert_non_null(
		strstr(result.errors, " (problem p) does not compile for sm_90: "));
	assert_non_null(strstr(result.errors, "broken.cfg: A="));
	assert_non_null(strstr(result.errors, "three or more"));
	/* two fail alike: one line */
	assert_ptr_equal(
		strchr(result.errors, '\n') + 1, result.errors + strlen(result.errors));
	all = vettings(&result, 1);
	assert_int_equal(at_json_count(all), 4);
	for (int64_t i = 1; i <= 4; i++)
		assert_string_equal(text(find(all, "A", i, NULL, 0), "outcome"),
			i >= 3 ? "compile_failed" : "ok");
	prechecks = find(all, "A", 3, NULL, 0);
	assert_non_null(strstr(text(prechecks, "detail"), "three or more"));
	assert_int_equal(whole(prechecks, "registers"), -1);
	assert_int_equal(whole(prechecks, "threads_per_block"), 32);
	assert_int_equal(whole(prechecks, "resident_blocks"), -1);
}

/* ---- what is drawn ----------------------------------------------------------- */

/* problem and configuration of each, in the order in which they were told */
static char *sequence(const char *count, const char *seed, const char *jobs)
{
	struct program_result result;
	struct at_strbuf out = { 0 };
	OWNED(at_json_free) struct at_json *all;

	PRECHECK(&result, "plain.cfg", count, "--arch", "sm_90", "--seed", seed,
		"--jobs", jobs);
	all = vettings(&result, 0);
	for (size_t i = 0; i < at_json_count(all); i++) {
		const struct at_json *prechecks = at_json_at(all, i);

		at_strbuf_addf(&out, "%s ", text(prechecks, "problem"));
		at_json_write(at_json_get(prechecks, "configuration"), 0, &out);
		at_strbuf_add_char(&out, '\n');
	}
	return at_strbuf_detach(&out);
}

TEST(the_same_seed_draws_the_same)
{
	OWNED(free) char *once, *again, *other;

	need_nvrtc();
	once = sequence("6", "7", "1");
	again = sequence("6", "7", "3");
	other = sequence("6", "8", "3");
	assert_string_equal(once, again);
	assert_string_not_equal(once, other);
}

TEST(a_small_space_is_prechecked_whole_and_spread_over_the_problems)
{
	struct program_result result;
	OWNED(at_json_free) struct at_json *all;

	need_nvrtc();
	PRECHECK(&result, "plain.cfg", "1000", "--arch", "sm_90");
	all = vettings(&result, 0);
	/* twelve configurations: one is the baseline, of two problems */
	assert_int_equal(at_json_count(all), 2 + 11);
	for (size_t i = 0; i < at_json_count(all); i++) {
		const struct at_json *prechecks = at_json_at(all, i);

		assert_string_equal(
			text(prechecks, "problem"), i % 2 ? "second" : "first");
		assert_int_equal(is_baseline(prechecks), i < 2);
	}
	for (int64_t i = 0; i < 12; i++) {
		const struct at_json *configuration;
		int64_t block = i < 6 ? 32 : 64, a = i % 3, b = i / 3 % 2;
		size_t found = 0;

		for (size_t k = 0; k < at_json_count(all); k++) {
			configuration =
				at_json_get(at_json_at(all, k), "configuration");
			found += whole(configuration, "BLOCK") == block &&
				 whole(configuration, "A") == a &&
				 whole(configuration, "B") == b;
		}
		assert_int_equal(found, block == 64 && a == 1 && b == 0 ? 2 : 1);
	}
}

TEST(prechecks_for_the_cpu)
{
	const struct at_json *prechecks;
	struct program_result result;
	OWNED(at_json_free) struct at_json *all;

	PRECHECK(&result, "plain.cfg", "1", "--device", "host");
	all = vettings(&result, 0);
	assert_int_equal(at_json_count(all), 2);
	prechecks = at_json_at(all, 0);
	assert_string_equal(text(prechecks, "problem"), "small");
	assert_string_equal(text(prechecks, "device"), "host");
	assert_string_equal(text(prechecks, "outcome"), "ok");
	assert_int_equal(whole(prechecks, "threads_per_block"), 64);
	assert_int_equal(whole(prechecks, "registers"), -1);
	assert_int_equal(whole(prechecks, "resident_blocks"), -1);
	assert_true(whole(prechecks, "compile_ns") > 0);
}

/* ---- what is not there ------------------------------------------------------- */

TEST(says_once_how_to_get_nvrtc)
{
	OWNED(free) char *path = scratch_path(folder, "plain.cfg");
	struct program_result result;

	program_run_with("AUTOTUNE_NVRTC=/nowhere/libnvrtc.so",
		(const char *const[]){ "check", path, path, "--arch", "sm_90",
			"--compile", "1", NULL },
		&result);
	assert_int_equal(result.exit_status, 1);
	assert_string_equal(result.errors,
		"autotune: AUTOTUNE_NVRTC names no NVRTC library that can be opened: correct or unset it; tried /nowhere/libnvrtc.so\n");
	program_release(&result);
	program_run_with("AUTOTUNE_NVRTC=/nowhere/libnvrtc.so",
		(const char *const[]){ "check", path, "--arch", "newest", NULL },
		&result);
	assert_int_equal(result.exit_status, 1);
	assert_non_null(strstr(result.errors, "AUTOTUNE_NVRTC names no NVRTC"));
	assert_string_equal(result.output, "");
	program_release(&result);
}

TEST(refuses_what_cannot_be_compiled_or_launched)
{
	static const struct {
		const char *space, *count, *arch, *problem;
		int exit_status;
		size_t prechecked;
		const char *says;
	} rows[] = {
		{ "plain.cfg", "2", "sm_90", "second", 0, 3, "" },
		{ "plain.cfg", "2", "sm_90", "small", 1, 0,
			"plain.cfg: has no problem for sm_90" },
		{ "shared.cfg", "0", "sm_90", "p", 1, 1,
			"shared.cfg: the baseline (problem p) cannot be launched on sm_90: launches 256 threads per block" },
		{ "no_reference.cfg", "3", "sm_90", "p", 1, 0,
			"no_reference.cfg:1: the reference (with the defaults, problem p) does not compile for sm_90: " },
		{ "no_reference.cfg", "3", "sm_90", "p", 1, 0, "no truth" },
		{ "plain.cfg", "1", "sm_12", "first", 2, 0,
			"unknown architecture \"sm_12\"" },
		{ "plain.cfg", "-1", "sm_90", "first", 2, 0, "--compile" },
		{ "counted.cfg", "1", "sm_90", "default", 1, 0,
			"counted.cfg: has no \"kernel\"" },
	};

	need_nvrtc();
	write_shared("defaults: { BLOCK = 256; DYNAMIC = 512; };\n");
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct program_result result;
		OWNED(at_json_free) struct at_json *all;

		PRECHECK(&result, rows[i].space, rows[i].count, "--arch", rows[i].arch,
			"--problem", rows[i].problem);
		if (!strstr(result.errors, rows[i].says))
			fail_msg(
				"\"%s\" is not in \"%s\"", rows[i].says, result.errors);
		all = vettings(&result, rows[i].exit_status);
		assert_int_equal(at_json_count(all), rows[i].prechecked);
		for (size_t k = 0; k < rows[i].prechecked; k++)
			assert_string_equal(
				text(at_json_at(all, k), "problem"), rows[i].problem);
	}
}

TEST(the_newest_architecture_is_one_that_is_known)
{
	char list[1024], expected[16] = "", *rest = list, *word;
	struct at_properties properties;
	struct program_result result;
	OWNED(at_json_free) struct at_json *all;

	need_nvrtc();
	assert_ok(at_toolchain_architectures("nvrtc", list, sizeof(list), NULL));
	while ((word = strtok_r(rest, " ", &rest)))
		if (at_properties_of_architecture(word, &properties))
			snprintf(expected, sizeof(expected), "%s", word);
	PRECHECK(&result, "plain.cfg", "0", "--arch", "newest");
	all = vettings(&result, 0);
	assert_string_equal(text(at_json_at(all, 0), "architecture"), expected);
}

/* ---- below the command line -------------------------------------------------- */

struct listener {
	unsigned told;
	bool interrupts;
	enum at_outcome outcome;
	char detail[512];
};

static void listen(void *context, const struct at_precheck_results *prechecks)
{
	struct listener *self = context;

	self->told++;
	self->outcome = prechecks->outcome;
	snprintf(self->detail, sizeof(self->detail), "%s", prechecks->detail);
	if (self->interrupts && self->told == 1) /* the second one ends all at once */
		kill(getpid(), SIGINT);
}

/* plain.cfg on its first problem, for a device that is made up */
static enum at_status precheck_directly(const char *architecture,
	const struct at_properties *properties, uint64_t count,
	struct listener *listener, struct at_error *err)
{
	struct at_device_info device = {
		.kind = "cuda", .toolchain = "nvrtc", .properties = *properties
	};
	struct at_precheck_request request = {
		.device = &device,
		.problem_count = 1,
		.random_count = count,
		.listen = listen,
		.context = listener,
	};
	OWNED(free) char *path = scratch_path(folder, "plain.cfg");
	const struct at_problem *problem;
	struct at_template template;
	struct at_spec *spec;
	struct at_compile_batch *batch;
	enum at_status status;

	assert_ok(at_spec_load(path, &spec, err));
	assert_ok(at_template_load(spec->template_path, &template, err));
	problem = &spec->problems[0];
	request.spec = spec;
	request.template = &template;
	request.problems = &problem;
	snprintf(device.id, sizeof(device.id), "%s", architecture);
	snprintf(device.architecture, sizeof(device.architecture), "%s", architecture);
	assert_ok(at_compile_batch_open(AT_PROGRAM, 1, &batch, err));
	status = at_precheck_space(batch, &request, err);
	at_compile_batch_close(batch);
	at_template_release(&template);
	at_spec_free(spec);
	return status;
}

TEST(says_which_architectures_nvrtc_knows)
{
	struct at_properties properties;
	struct listener listener = { 0 };

	need_nvrtc();
	assert_true(at_properties_of_architecture("sm_80", &properties));
	assert_fails_with(
		precheck_directly("sm_20", &properties, 1, &listener, &failure),
		AT_EUNAVAILABLE, "does not compile for \"sm_20\", only for ");
	assert_non_null(strstr(failure.text, "install a CUDA toolkit that does"));
	assert_int_equal(listener.told, 0);
}

TEST(a_signal_ends_it)
{
	struct at_properties properties;
	struct listener listener = { .interrupts = true };
	struct at_error err = { 0 };

	need_nvrtc();
	assert_true(at_properties_of_architecture("sm_80", &properties));
	assert_int_equal(precheck_directly("sm_80", &properties, 11, &listener, &err),
		AT_EINTERRUPTED);
	/* what was compiled in one go may still be told */
	assert_in_range(listener.told, 1, 11);
}

/* the whole is given out in units: less fits than the plain limit promises */
TEST(what_no_multiprocessor_holds_needs_too_much)
{
	struct at_properties properties;
	struct listener listener = { 0 };

	need_nvrtc();
	assert_true(at_properties_of_architecture("sm_80", &properties));
	at_properties_set(
		&properties, AT_PROPERTY_MAX_REGISTERS_PER_MULTIPROCESSOR, 256);
	assert_ok(precheck_directly("sm_80", &properties, 0, &listener, &failure));
	assert_int_equal(listener.told, 1);
	assert_int_equal(listener.outcome, AT_OUTCOME_TOO_MANY_RESOURCES);
	assert_string_equal(listener.detail,
		"a multiprocessor cannot hold one block of it: registers");
}

TEST(lays_out_a_table)
{
	static const char cfg[] = "parameters: { A = [ 1, 2 ]; };\n";
	static const struct at_facts unknown = AT_FACTS_UNKNOWN;
	const uint16_t configuration[] = { 1 };
	const struct at_problem problem = { .name = (char[]){ "ragged" } };
	struct at_precheck_results prechecks = {
		.problem = &problem,
		.configuration = configuration,
		.is_baseline = true,
		.outcome = AT_OUTCOME_OK,
		.detail = "",
		.facts = { .registers = 168,
			.spill_store_bytes = 24,
			.spill_load_bytes = 32,
			.shared_bytes = 3072,
			.threads_per_block = 256,
			.resident_blocks = 1,
			.occupancy = 0.125,
			.limiting_factor = "registers, shared memory" },
	};
	struct at_prechecks_table table = { .problem_columns = 7 };
	struct at_strbuf out = { 0 };
	struct at_page page = { .out = &out, .columns = 200 };
	OWNED(at_spec_free) struct at_spec *spec;

	assert_ok(at_spec_parse(cfg, strlen(cfg), "a.cfg", &spec, NULL));
	at_prechecks_add_head(&page, &table);
	at_prechecks_add_row(&page, spec, &prechecks);
	prechecks.is_baseline = false;
	prechecks.outcome = AT_OUTCOME_COMPILE_FAILED;
	prechecks.detail = "toy.cu(1): error: no\ttwos";
	prechecks.facts = unknown;
	prechecks.facts.threads_per_block = 256;
	at_prechecks_add_row(&page, spec, &prechecks);
	assert_string_equal(at_strbuf_text(&out),
		"     registers     spills     shared  threads  blocks/SM  occupancy  limited by                        problem  configuration\n"
		"  *        168      24/32      3 KiB      256          1       12 %  registers, shared memory          ragged   A=2\n"
		"             -          -          -      256          -          -  -                                 ragged   A=2\n"
		"       does not compile: toy.cu(1): error: no twos\n");
	at_strbuf_release(&out);
	page.columns = 80;
	table.problem_columns = 0;
	at_prechecks_add_head(&page, &table);
	prechecks.outcome = AT_OUTCOME_OK;
	at_prechecks_add_row(&page, spec, &prechecks);
	assert_string_equal(at_strbuf_text(&out),
		"     registers     spills     shared  threads  blocks/SM  occupancy  \n"
		"             -          -          -      256          -          -  \n"
		"       A=2\n");
	at_strbuf_release(&out);
}

int main(int argc, char **argv)
{
	struct at_error err = { 0 };
	char version[256];
	int failed;

	have_nvrtc = !at_toolchain_version("nvrtc", version, sizeof(version), &err);
	failed = run_suite(argc, argv, write_spaces, NULL);
	if (!have_nvrtc)
		print_message("skipped what needs NVRTC: %s\n", err.text);
	return failed ? failed : have_nvrtc ? 0 : 77;
}
