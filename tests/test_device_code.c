/*
 * Whole files of programs, with main(), launches and headers of the CPU
 * (tests/data/whole_files/), as templates: compilers for devices get their kernels.
 */
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
	{ "mistakes.cu", "sum", "mistakes.cu(11): error: ",
		"; left out: <vector>, <missing_config.h>, Options, v, unused, main() for the CPU; toolchain = \"nvcc\" in the space compiles the whole file",
		false },
};

static enum at_outcome compile(const char *toolchain, const char *name,
	const char *source, const char *kernel, char line[512])
{
	RELEASED(at_compile_result_release)
	struct at_compile_result result = COMPILE(.toolchain = toolchain, .name = name,
		.directory = FOLDER, .source = source, .kernels = { kernel },
		.includes = at_hash_bytes(name, strlen(name)));

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

RUN_SUITE(NULL, NULL)
