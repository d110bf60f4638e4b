/*
 * The precompiled prelude of the dialect: images and messages are the same as with the
 * text, it is kept from process to process, and where it does not fit the text is
 * compiled.
 */
#include "base/memory.h"
#include "base/scratch.h"
#include "kernel/cxx.h"
#include "kernel/cxx_prelude.h"
#include "kernel/units.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

static struct at_scratch scratch;
static char units[600], run[600];

static const char *const source =
	"extern \"C\" __global__ void scale(float *y, float factor)\n"
	"{\n"
	"\t__shared__ float tile[32];\n"
	"\ttile[threadIdx.x] = sqrtf(y[threadIdx.x]) * factor;\n"
	"\t__syncthreads();\n"
	"\ty[threadIdx.x] = tile[31 - threadIdx.x] * WEIGHT;\n"
	"}\n";

static void compile(
	const char *text, const char *option, struct at_compile_result *result)
{
	const struct at_compile_request request = {
		.toolchain = (char *)AT_TOOLCHAIN_CXX,
		.architecture = (char *)"",
		.name = (char *)"scale.cu",
		.directory = (char *)"",
		.source = (char *)text,
		.kernel_count = 1,
		.kernels = (char *[]){ (char *)"scale" },
		.option_count = option ? 2 : 1,
		.options = (char *[]){ (char *)"-DWEIGHT=2.0f", (char *)option },
	};

	assert_ok(at_cxx_compile(&request, result, &failure));
}

/* what matches, relative to the folder of the test; heap, NULL: nothing or several */
static char *find_one(const char *pattern)
{
	OWNED(free) char *path = at_path_join(scratch.path, pattern);
	char *found = NULL;
	RELEASED(globfree) glob_t all;

	assert_non_null(path);
	if (!glob(path, 0, NULL, &all) && all.gl_pathc == 1)
		found = at_strdup(all.gl_pathv[0]);
	return found;
}

static bool is_there(const char *pattern)
{
	OWNED(free) char *path = find_one(pattern);
	bool is = path != NULL;

	return is;
}

#define IN_RUN "run/prelude-*/host_dialect.h.gch"
#define IN_UNITS "units/*/*.unit"

static void skip_without_gcc(void)
{
	struct at_cxx_tool tool;
	bool fits;

	if (at_cxx_tool_find(&tool, NULL))
		skip_because("no C++ compiler");
	fits = !tool.clang && !at_cxx_tool_is_script(&tool);
	at_cxx_tool_release(&tool);
	if (!fits || getenv("CPATH") || getenv("CPLUS_INCLUDE_PATH"))
		skip_because("the C++ compiler is not gcc as it comes");
}

static int make_folders(void **state)
{
	if (at_scratch_make(&scratch, "autotune-prelude", NULL))
		return -1;
	snprintf(units, sizeof(units), "%s/units", scratch.path);
	snprintf(run, sizeof(run), "%s/run", scratch.path);
	return mkdir(units, 0700) || mkdir(run, 0700);
}

static int remove_folders(void **state)
{
	at_cxx_prelude_keep(NULL, NULL);
	at_scratch_remove(&scratch);
	return 0;
}

#define TEST_HERE(name) TEST_WITH(name, make_folders, remove_folders)

#define LONG_TEST_HERE(name) LONG_TEST_WITH(name, make_folders, remove_folders)

/* As another process would, in a run of its own. */
static void begin_again(void)
{
	static unsigned ended;
	char old[700];

	snprintf(old, sizeof(old), "%s/ended-%u", scratch.path, ended++);
	assert_int_equal(rename(run, old), 0);
	assert_int_equal(mkdir(run, 0700), 0);
	at_cxx_prelude_keep(units, run);
}

static void check_same(
	const struct at_compile_result *a, const struct at_compile_result *b)
{
	assert_int_equal(a->outcome, b->outcome);
	assert_string_equal(a->log, b->log);
	assert_int_equal(a->image_bytes, b->image_bytes);
	if (a->image)
		assert_memory_equal(a->image, b->image, a->image_bytes);
}

TEST_HERE(makes_the_same_image_as_the_text)
{
	static const char *const options[] = { NULL, "-fmad=false" };
	struct at_compile_result text, parsed;

	skip_without_gcc();
	for (size_t i = 0; i < AT_COUNT_OF(options); i++) {
		at_cxx_prelude_keep(NULL, NULL);
		compile(source, options[i], &text);
		assert_int_equal(text.outcome, AT_OUTCOME_OK);
		at_cxx_prelude_keep(NULL, run);
		compile(source, options[i], &parsed);
		check_same(&text, &parsed);
		at_compile_result_release(&text);
		at_compile_result_release(&parsed);
		/* one for each way to round */
		assert_int_equal(is_there(IN_RUN), i == 0);
	}
	assert_false(is_there(IN_UNITS));
}

TEST_HERE(says_the_same_of_a_mistake)
{
	static const char *const mistakes[] = {
		"extern \"C\" __global__ void scale(float *y) { y[0] = nothing; }\n",
		"extern \"C\" __global__ void other(float *y) { }\n",
		"extern \"C\" __global__ void scale(float *y)\n{ __shfl_sync(1); }\n",
		"extern \"C\" __global__ void scale(float *y)\n{ make_float4(y); }\n",
		"__device__ int f();\nextern \"C\" __global__ void scale(int *y) { *y = f(); }\n",
		"#include <curand_kernel.h>\n",
	};
	struct at_compile_result text, parsed;

	skip_without_gcc();
	for (size_t i = 0; i < AT_COUNT_OF(mistakes); i++) {
		at_cxx_prelude_keep(NULL, NULL);
		compile(mistakes[i], NULL, &text);
		assert_int_equal(text.outcome, AT_OUTCOME_COMPILE_FAILED);
		at_cxx_prelude_keep(NULL, run);
		compile(mistakes[i], NULL, &parsed);
		check_same(&text, &parsed);
		at_compile_result_release(&text);
		at_compile_result_release(&parsed);
	}
	assert_true(is_there(IN_RUN));
}

TEST_HERE(is_kept_for_the_next_run)
{
	struct at_compile_result result;
	struct stat before, after;
	OWNED(free) char *kept;

	skip_without_gcc();
	at_cxx_prelude_keep(units, run);
	compile(source, NULL, &result);
	at_compile_result_release(&result);
	kept = find_one(IN_UNITS);
	assert_non_null(kept);
	assert_int_equal(stat(kept, &before), 0);
	begin_again();
	compile(source, NULL, &result);
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	at_compile_result_release(&result);
	assert_true(is_there(IN_RUN));
	assert_int_equal(stat(kept, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

TEST_HERE(is_made_anew_after_an_upgrade_of_the_system)
{
	struct at_compile_result result, unit;
	OWNED(free) char *kept;
	char *digit;

	skip_without_gcc();
	at_cxx_prelude_keep(units, run);
	compile(source, NULL, &result);
	at_compile_result_release(&result);
	kept = find_one(IN_UNITS);
	assert_non_null(kept);
	/* as if a header of the C library had been another one */
	assert_ok(at_unit_read(kept, &unit, true, NULL));
	assert_non_null(strstr(unit.log, "/math.h\t"));
	digit = strstr(unit.log, "/math.h\t") + strlen("/math.h\t");
	*digit = *digit == '1' ? '2' : '1';
	assert_ok(at_unit_write(kept, &unit, NULL));
	begin_again();
	compile(source, NULL, &result);
	at_compile_result_release(&result);
	result = unit;
	assert_ok(at_unit_read(kept, &unit, false, NULL));
	assert_string_not_equal(unit.log, result.log);
	at_compile_result_release(&result);
	at_compile_result_release(&unit);
}

/* What a full disk, or a kill in the wrong moment, could leave. */
LONG_TEST_HERE(goes_on_with_the_text_where_the_file_is_broken)
{
	static const off_t sizes[] = { 0, 10, 5000, 1000000 };
	RELEASED(at_compile_result_release) struct at_compile_result text;
	struct at_compile_result parsed;
	char *compiled;

	skip_without_gcc();
	compile(source, NULL, &text);
	for (size_t i = 0; i < AT_COUNT_OF(sizes); i++) {
		at_cxx_prelude_keep(units, run);
		compile(source, NULL, &parsed);
		at_compile_result_release(&parsed);
		compiled = find_one(IN_RUN);
		assert_non_null(compiled);
		assert_int_equal(truncate(compiled, sizes[i]), 0);
		compile(source, NULL, &parsed);
		check_same(&text, &parsed);
		at_compile_result_release(&parsed);
		free(compiled);
		begin_again();
	}
}

/* -I may lead to headers that take the place of those that the dialect includes. */
TEST_HERE(is_not_used_where_options_name_folders_or_change_code)
{
	static const char math[] = "#error this is the one\n";
	char option[700];
	OWNED(free) char *path = at_path_join(scratch.path, "math.h");
	struct at_compile_result result;

	skip_without_gcc();
	file_write(path, math);
	snprintf(option, sizeof(option), "-I%s", scratch.path);
	at_cxx_prelude_keep(units, run);
	compile(source, option, &result);
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_non_null(strstr(result.log, "this is the one"));
	at_compile_result_release(&result);
	compile(source, "-funsigned-char", &result);
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	at_compile_result_release(&result);
	assert_false(is_there(IN_RUN));
}

RUN_SUITE(NULL, NULL)
