/* Macros of a space that change headers of the system or the toolkit, and functions
   that are no kernels: both are reported. */
#define _GNU_SOURCE
#include "folder.h"
#include "kernel/clash.h"
#include "kernel/scan.h"

#include "wish.h"

static char folder[] = "/tmp/autotune-clash-XXXXXX";

#define SOURCE \
	"#define AUTOTUNE 1\n#define WARPS 4\n#define LAYOUT_aos 1\n" \
	"#define LAYOUT LAYOUT_aos\n#line 1 \"k.cu\"\n#include <block.cuh>\nint WARPS_;\n"

/* FOLDER stands for the folder in which block.cuh lies; own.cuh is beside the template
 */
static const struct {
	const char *what, *option, *log, *told;
} logs[] = {
	{ "the line is looked up, since what is shown may be replaced", NULL,
		"FOLDER/block.cuh(2): error: expected an identifier\n    static int 4;\n",
		"the macro WARPS (a parameter of the space) replaces that name in block.cuh: give it another name\n" },
	{ "a word's macro", NULL,
		"k.cu(1): warning: odd\nFOLDER/block.cuh:3:5: error: expected\n",
		"the macro LAYOUT_aos (a parameter of the space) replaces that name in block.cuh: give it another name\n" },
	{ "what is missed is named in the line after it", NULL,
		"FOLDER/block.cuh(4): error: expected a \";\"\n",
		"the macro LAYOUT_aos (a parameter of the space) replaces that name in block.cuh: give it another name\n" },
	{ "a header in memory has only what is shown", NULL,
		"block/other(2): error: expected an identifier\n    enum { WARPS };\n    ^\n",
		"the macro WARPS (a parameter of the space) replaces that name in other: give it another name\n" },
	{ "as gcc shows lines", NULL,
		"/none/other.h:2:3: error: expected\n   12 | enum { WARPS };\n",
		"the macro WARPS (a parameter of the space) replaces that name in other.h: give it another name\n" },
	{ "an option's macro", "-DTHREADS=4", "FOLDER/block.cuh(5): error: expected\n",
		"the macro THREADS (an option of the space) replaces that name in block.cuh: give it another name\n" },
	{ "what gcc says of a header of the system", NULL,
		"<macros of the space>:2:15: error: expected\nk.cu: In function 'f':\n",
		"the macro WARPS (a parameter of the space) replaces that name in a header that the template includes: give it another name\n" },
	{ "what gcc says of the template", NULL,
		"<macros of the space>:2:15: error: expected\nk.cu:3:1: note: in expansion of macro 'WARPS'\n",
		"the macro WARPS (a parameter of the space) replaces that name in k.cu:3: give it another name\n" },
	/* no clash */
	{ "a line without any", NULL, "FOLDER/block.cuh(8): error: no\n", "" },
	{ "a longer name, a comment, a string", NULL,
		"FOLDER/block.cuh(7): error: no\n", "" },
	{ "the template itself", NULL, "k.cu(2): error: no\n    int WARPS;\n", "" },
	{ "a file beside it reads the parameter", NULL,
		"FOLDER/beside/own.cuh(1): error: no\n    int WARPS;\n", "" },
	{ "the same by its bare name", NULL, "own.cuh(1): error: no\n    int WARPS;\n",
		"" },
	{ "a name of ours", NULL, "FOLDER/block.cuh(6): error: no\n", "" },
	{ "nothing that is an error", NULL, "FOLDER/block.cuh(2): warning: no\n", "" },
	{ "nothing at all", NULL, "", "" },
};

static void put(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file_write(path, text);
}

static int make_folder(void **state)
{
	char path[256];

	assert_non_null(folder_make(folder));
	snprintf(path, sizeof(path), "%s/beside", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	put("block.cuh",
		"#pragma once\nstatic int WARPS;\nint LAYOUT_aos\nint next;\n"
		"int THREADS;\nint AUTOTUNE;\nint WARPS_; // WARPS\n\"WARPS\";\n");
	put("beside/own.cuh", "int WARPS;\n");
	return 0;
}

TEST(tells_which_macro_changes_a_header)
{
	char directory[256];

	snprintf(directory, sizeof(directory), "%s/beside", folder);
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		char *option = (char *)logs[i].option, log[1024];
		const struct at_compile_request request = { .name = (char *)"k.cu",
			.directory = directory,
			.source = (char *)SOURCE,
			.option_count = option != NULL,
			.options = &option };
		const char *place = strstr(logs[i].log, "FOLDER");
		RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };

		snprintf(log, sizeof(log), "%.*s%s%s",
			place ? (int)(place - logs[i].log) : 0, logs[i].log,
			place ? folder : "", place ? place + 6 : logs[i].log);
		at_clash_explain(&request, log, &out);
		if (strcmp(at_strbuf_text(&out), logs[i].told) != 0)
			fail_msg("%s: %s", logs[i].what, at_strbuf_text(&out));
	}
}

/* A template whose parameter is a word of a header that it includes. */
static void compile_clash(const char *toolchain, const char *source, const char *told)
{
	struct at_compile_result result;
	char line[512];

	need_toolchain(toolchain);
	result = COMPILE(.toolchain = toolchain, .name = "k.cu", .directory = folder,
		.source = source, .kernels = { "k" });
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	at_compile_first_error(result.log, line, sizeof(line));
	if (!strstr(line, " error: ") || !strstr(line, told))
		fail_msg("%s", line);
	at_compile_result_release(&result);
}

#define KERNEL "extern \"C\" __global__ void k(int *x) { *x = 1; }\n"

TEST(a_header_of_the_system_clashes_on_host)
{
	compile_clash("c++",
		"#define AUTOTUNE 1\n#define size 4\n#line 1 \"k.cu\"\n#include <vector>\n"
		"__global__ void k(int *x) { std::vector<int> v; *x = v[0]; }\n",
		"; the macro size (a parameter of the space) replaces that name in a header that the template includes: give it another name");
}

TEST(a_header_of_the_toolkit_clashes_with_nvrtc)
{
	compile_clash("nvrtc",
		"#define AUTOTUNE 1\n#define x 4\n#line 1 \"k.cu\"\n#include <cuda_fp16.h>\n" KERNEL,
		"; the macro x (a parameter of the space) replaces that name in ");
}

/* ---- other names that are no functions ------------------------------------------- */

static const struct {
	const char *source, *name;
	bool is_none;
} functions[] = {
	{ "__device__ void k(int *x) { }", "k", true },
	{ "#include <a>\n#define B \\\n 1\nvoid k(int *x) { }", "k", true },
	{ "extern \"C\" { static void k(int *x) { } }", "k", true },
	{ "namespace a { template <int N> __device__ void k(int *x) { } }", "a::k<4>",
		true },
	{ "__global__ void k(int *x) { }", "k", false },
	{ "__device__ void k(float); __global__ void k(int *x) { }", "k", false },
	{ "extern \"C\" __global__ void __launch_bounds__(B) k(int *x) { k2(); }", "k",
		false },
	{ "static __global__ void k(int *x) { }", "k", false },
	/* what a macro is cannot be seen */
	{ "KERNEL void k(int *x) { }", "k", false },
	{ "DEFINE(k) { } __device__ void k(float x) { }", "k", false },
	{ "__device__ int f(int *x) { k(x); return k(x); }", "k", false },
	{ "#include \"kernels.cuh\"\n", "k", false },
};

TEST(sees_which_functions_are_no_kernels)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (at_scan_is_no_kernel(functions[i].source, functions[i].name) !=
			functions[i].is_none)
			fail_msg("%s", functions[i].source);
}

/* In the words of NVRTC's failures: see tests/test_kernel.c. */
TEST(host_refuses_a_function_that_is_no_kernel)
{
	struct at_compile_result result;

	need_toolchain("c++");
	result = COMPILE(.toolchain = "c++", .name = "k.cu", .directory = folder,
		.source = "__device__ void k(int *x) { *x = 1; }\n",
		.kernels = { "k" });
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_string_equal(
		result.log, "kernel \"k\" is no __global__ function in k.cu\n");
	assert_true(result.is_verdict);
	at_compile_result_release(&result);
}

RUN_SUITE(make_folder, NULL)
