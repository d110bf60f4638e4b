/*
 * Whole files of programs, with main(), launches and headers of the CPU
 * (tests/data/whole_files/), as templates: compilers for devices get their kernels.
 */
#include "kernel/device_code.h"
#include "wish.h"

#define FOLDER AT_TEST_DIR "/data/whole_files"

struct row {
	const char *file, *kernel;
	/* what the first error begins and goes on with; NULL: the kernel compiles */
	const char *error, *advice;
	/* with c++ in the everyday run */
	bool is_fast;
};

static const struct row rows[] = {
	{ "sample.cu", "turn_tiles", NULL, NULL, false },
	{ "norm.cu", "rmsnorm_kernel", NULL, NULL, false },
	{ "stencil.cu", "step", NULL, NULL, false },
	{ "switch.cu", "relu_sum<64, 2>", NULL, NULL, false },
	{ "switch.cu", "relu_sum<48, 2>",
		"switch.cu(55): error: static assertion failed", "whole warps", false },
	{ "extension.cu", "gate_kernel<float, 2>", NULL, NULL, true },
	{ "variety.cu", "blur<Mode::Slow>", NULL, NULL, false },
	{ "instances.cu", "fill<float, 16>", NULL, NULL, true },
	{ "instances.cu", "inner::read", NULL, NULL, false },
	{ "gnu.cu", "split", NULL, NULL, true },
	{ "launchers.cu", "count", NULL, NULL, true },
	{ "macros.cu", "twice", NULL, NULL, true },
	{ "macros.cu", "thrice<3>", NULL, NULL, false },
	{ "named.cu", "halve", NULL, NULL, false },
	{ "wrapped.cu", "halve", NULL, NULL, true },
	{ "parameters.cu", "halve<float>", NULL, NULL, true },
	{ "apart.cu", "halve", NULL, NULL, true },
	{ "parameters.cu", "later<float>",
		"parameters.cu(6): error: identifier \"missing_intrinsic\" is undefined",
		"", false },
	{ "cause.cu", "weigh",
		"cause.cu(3): error: identifier \"Missing\" is undefined",
		"; left out: place, cells, factor(), scale() for the CPU; ", false },
	{ "cause.cu", "scale",
		"cause.cu(10): error: identifier \"missing_factor\" is undefined",
		"; left out: place, weigh(), cells, factor(), main() for the CPU; ",
		false },
	{ "special.cu", "shift<64>", "special.cu(7): error: ", "", false },
	{ "special.cu", "shift<32>", "special.cu(7): error: ", "", false },
	{ "lost.cu", "scaled",
		"lost.cu(2): catastrophic error: cannot open source file \"lost.h\"",
		"", false },
	{ "lost_behind.cu", "scaled",
		"lost_behind.cu(3): catastrophic error: cannot open source file \"lost.h\"",
		"", false },
	{ "lost_apart.cu", "scaled",
		"lost_apart.cu(3): catastrophic error: cannot open source file \"lost.h\"",
		"; left out: title for the CPU; options = ( \"-IFOLDER\" ) gives a header's folder",
		false },
	{ "mistakes.cu", "sum", "mistakes.cu(11): error: ",
		"; left out: <vector>, <missing_config.h>, Options, v, unused, main() for the CPU; toolchain = \"nvcc\" in the space compiles the whole file",
		false },
};

static enum at_outcome compile(const char *toolchain, const char *name,
	const char *source, const char *kernel, char line[512])
{
	RELEASED(at_compile_result_release)
	struct at_compile_result result = COMPILE(.toolchain = (char *)"nvrtc",
		.name = name, .directory = FOLDER, .source = source,
		.kernels = { kernel }, .includes = at_hash_bytes(name, strlen(name)));

	at_compile_first_error(result.log, line, 512);
	return result.outcome;
}

static void check(const char *toolchain, const struct row *row)
{
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };
	OWNED(free) char *path = at_path_join(FOLDER, row->file), *text;
	enum at_outcome outcome;
	char line[512];

	text = file_text(path);
	at_strbuf_addf(&source,
		"#define BLOCK 128\n#define BLOCK_SIZE 64\n#line 1 \"%s\"\n%s",
		row->file, text);
	outcome = compile(toolchain, row->file, source.data, row->kernel, line);
	if (!row->error && outcome != AT_OUTCOME_OK)
		fail_msg("%s, %s: %s", toolchain, row->file, line);
	/* the words are NVRTC's */
	if (row->error &&
		(outcome != AT_OUTCOME_COMPILE_FAILED ||
			(!strcmp(toolchain, "nvrtc") &&
				(strncmp(line, row->error, strlen(row->error)) ||
					!strstr(line, row->advice)))))
		fail_msg("%s, %s: %s", toolchain, row->file, line);
}

TEST(nvrtc_compiles_the_kernels_of_whole_files)
{
	need_toolchain("nvrtc");
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		if (strcmp(rows[i].file, "norm.cu") != 0)
			check("nvrtc", &rows[i]);
}

TEST(host_compiles_the_kernels_of_whole_files)
{
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		if (rows[i].is_fast)
			check("c++", &rows[i]);
}

LONG_TEST(all_compilers_do)
{
	char version[AT_TOOLCHAIN_TEXT_SIZE];

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check("c++", &rows[i]);
	need_toolchain("nvrtc");
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		check("nvrtc", &rows[i]);
	if (!at_toolchain_version("nvcc", version, sizeof(version), NULL))
		check("nvcc", &rows[0]);
}

/* What one configuration cannot compile, another one needs. */
TEST(a_configuration_gets_all_that_it_needs)
{
	static const char text[] = "#line 1 \"factor.cu\"\n"
				   "constexpr int factor() { return FACTOR; }\n"
				   "__global__ void scale(float *x)\n"
				   "{\n"
				   "#ifdef FACTOR\n"
				   "	x[threadIdx.x] *= factor();\n"
				   "#endif\n"
				   "}\n"
				   "int main() { scale<<<1, 32>>>(0); }\n";
	char source[512], line[512];

	snprintf(source, sizeof(source), "#define FACTOR 3\n%s", text);
	assert_int_equal(
		compile("c++", "factor.cu", text, "scale", line), AT_OUTCOME_OK);
	assert_int_equal(
		compile("c++", "factor.cu", source, "scale", line), AT_OUTCOME_OK);
	assert_int_equal(
		compile("c++", "factor.cu", text, "scale", line), AT_OUTCOME_OK);
}

/* Stops at the first header that it lacks, and counts how often it is called. */
static enum at_status compile_without_headers(const struct at_compile_request *request,
	const void *context, struct at_compile_result *result, struct at_error *err)
{
	static const char *const missing[] = { "<far>", "\"near.h\"", "<also>" };
	struct at_strbuf log = { 0 };

	(void)err;
	++*(int *)(uintptr_t)context;
	for (const char *at = request->source; (at = strstr(at, "__has_include("));) {
		const char *text = strstr(at, "\"autotune");

		at += strlen("__has_include(");
		for (size_t i = 0; i < AT_COUNT_OF(missing); i++)
			if (!strncmp(at, missing[i], strlen(missing[i])))
				at_strbuf_addf(&log, "w.cu(1): error: %.*s\n",
					(int)strcspn(text, ")"), text);
	}
	for (size_t i = 0; i < AT_COUNT_OF(missing) && !log.length; i++) {
		char line[64];
		const char *found;

		snprintf(line, sizeof(line), "#include %s", missing[i]);
		found = strstr(request->source, line);
		if (found)
			at_strbuf_addf(&log,
				"w.cu(%d): catastrophic error: cannot open source file \"%.*s\"\n",
				(int)(found - request->source) / 16,
				(int)strlen(missing[i]) - 2, missing[i] + 1);
	}
	result->outcome = log.length ? AT_OUTCOME_COMPILE_FAILED : AT_OUTCOME_OK;
	at_strbuf_add(&log, "");
	result->log = at_strbuf_detach(&log);
	return AT_OK;
}

/* Each compilation reads all headers that there are; so the question comes first, if
   it is sure that the file has code for the CPU, and else after the first refusal. */
TEST(all_missing_headers_are_found_by_one_question)
{
	/* 16 bytes a line */
	static const struct {
		const char *text;
		int calls;
	} files[] = {
		{ "#include <far>  \n#include <also> \n#include <here> \n", 3 },
		{ "#include <far>  \n#include <also> \n//  scale<<<1,2>>>\n", 2 },
		{ "#include <here> \n#include <kept> \n", 1 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(files); i++) {
		RELEASED(at_compile_result_release)
		struct at_compile_result result = { 0 };
		char source[128];
		const struct at_compile_request request = { .toolchain =
								    (char *)"nvrtc",
			.name = (char *)"w.cu",
			.directory = (char *)"",
			.source = source,
			.includes = at_hash_bytes(&i, sizeof(i)) };
		int calls = 0;

		snprintf(
			source, sizeof(source), "#line 1 \"w.cu\" \n%s", files[i].text);
		assert_ok(at_device_code_compile(&request, &at_toolchain_nvrtc,
			compile_without_headers, &calls, &result, &failure));
		assert_int_equal(result.outcome, AT_OUTCOME_OK);
		assert_int_equal(calls, files[i].calls);
	}
}

RUN_SUITE(NULL, NULL)
