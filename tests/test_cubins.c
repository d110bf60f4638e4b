/* The generated header of cubins, with made-up bytes, compiled and run by a user. */
#include "compiled.h"
#include "header_fixture.h"
#include "record/cubins.h"
#include "record/result.h"

#include <unistd.h>

#define DATA AT_TEST_DIR "/data/result"

/* ---- two headers ----------------------------------------------------------- */

static const struct made wide[] = {
	{ TILES_MADE(&made_h200, "square", 4096, 4096, 1, TILE(256, 4, "there"), ""),
		.baseline = TILE(32, 1, "here") },
};
/* the same numbers, and other kernels behind them */
static const struct made narrow[] = {
	{ TILES_MADE(&made_h200, "square", 4096, 4096, 1, TILE(64, 4, "there"), ""),
		.baseline = TILE(32, 1, "here") },
};

static unsigned char bytes[3][300];
/* the kernel, and what precedes it in configuration 0 */
static char *kernels[2][3] = { { (char *)"_Z5tilesPf", (char *)"to \"x\"\\", NULL },
	{ (char *)"_Z5tilesPf", NULL, NULL } };

/*
 * 0 for sm_80, sm_86 and sm_90, 1 for sm_80 as well as sm_90, with the bytes of the
 * first. The list borrows all but its notes.
 */
static void make_cubins(struct at_cubin items[5], struct at_cubins *out)
{
	static const struct at_capability capabilities[] = { { 8, 0 }, { 8, 6 },
		{ 9, 0 }, { 8, 0 }, { 9, 0 } };

	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < sizeof(bytes[i]); k++)
			bytes[i][k] = (unsigned char)(k * (i + 3));
	memset(out, 0, sizeof(*out));
	strcpy(out->compiler, "NVRTC 13.0");
	for (size_t i = 0; i < 5; i++)
		items[i] = (struct at_cubin){
			.configuration = i / 3,
			.capability = capabilities[i],
			.bytes = bytes[i % 3],
			.size = sizeof(bytes[0]) - i % 3,
			.kernel_count = 3,
			.kernels = kernels[i / 3],
		};
	out->items = items;
	out->count = 5;
	at_cubins_add_note(out, "a */ trap \\\n#error in a %s", "note");
}

static void forget_cubins(struct at_cubins *cubins)
{
	cubins->items = NULL;
	cubins->count = 0;
	at_cubins_release(cubins);
}

/* Appends the header of the cubins, and where ordinary is not NULL the other one. */
static enum at_status write_headers(const struct made *made, bool with_cubins,
	struct at_strbuf *text, struct at_strbuf *ordinary, struct at_error *reason)
{
	const struct at_result_options options = { .directory = folder };
	const struct at_header_plan_options plan_options = { 0 };
	struct at_cubin items[5];
	struct at_cubins cubins;
	RELEASED(at_results_release) struct at_results results;
	struct at_header_plan plan;
	OWNED(at_spec_free) struct at_spec *spec;
	enum at_status status;

	assert_ok(at_spec_load(DATA "/tiles.cfg", &spec, &failure));
	make_results(made, 1, &results);
	make_cubins(items, &cubins);
	cubins.count = with_cubins ? cubins.count : 0;
	assert_ok(at_header_plan_make(
		spec, results.items, results.count, &plan_options, &plan, &failure));
	assert_int_equal(plan.configuration_count, 2);
	if (ordinary)
		assert_ok(at_header_write(&plan, ordinary, &failure));
	status = at_result_cubins(&options, &plan, &cubins, text, reason);
	at_header_plan_release(&plan);
	forget_cubins(&cubins);
	return status;
}

static void write_both(void)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 }, ordinary = { 0 };

	assert_ok(write_headers(wide, true, &text, &ordinary, &failure));
	write_text("tiles.h", at_strbuf_text(&ordinary));
	write_text("tiles_cubins.h", at_strbuf_text(&text));
}

#define STRICT \
	" -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wundef -Wshadow" \
	" -Werror -I. -o program "

static const char *const compilers[] = {
	"cc -std=c99" STRICT "main.c",
	"c++ -std=c++11 -Wold-style-cast -Wzero-as-null-pointer-constant" STRICT
	"main.cpp",
};

static void assert_runs(const char *source)
{
	write_text("main.c", source);
	write_text("main.cpp", source);
	for (size_t i = 0; i < 2; i++) {
		if (!runs("cd %s && { %s 2>log || { head -n 20 log >&2; false; }; }",
			    folder, compilers[i]))
			fail_msg("%s: it does not compile", compilers[i]);
		if (!runs("%s/program", folder))
			fail_msg("%s: wrong", compilers[i]);
	}
}

/* ---- tests ----------------------------------------------------------------- */

IN_FOLDER(finds_what_runs_on_a_device)
{
	write_both();
	assert_runs(
		"#include \"tiles_cubins.h\"\n" CHECK
		"static int is(const struct autotune_cubin *it, int n, int major, int minor)\n"
		"{\n"
		"	return it && it->configuration == n && it->major == major &&\n"
		"	       it->minor == minor;\n"
		"}\n"
		"int main(void)\n"
		"{\n"
		"	CHECK(AUTOTUNE_TILES_CUBIN_COUNT == 5);\n"
		"	CHECK(is(tiles_cubin(0, 8, 0), 0, 8, 0));\n"
		"	CHECK(is(tiles_cubin(0, 8, 5), 0, 8, 0));\n"
		"	CHECK(is(tiles_cubin(0, 8, 6), 0, 8, 6));\n"
		"	CHECK(is(tiles_cubin(0, 8, 9), 0, 8, 6));\n"
		"	CHECK(is(tiles_cubin(1, 8, 9), 1, 8, 0));\n"
		"	CHECK(is(tiles_cubin(1, 9, 0), 1, 9, 0));\n"
		"	/* no lower minor version, no other major one, no other number */\n"
		"	CHECK(!tiles_cubin(0, 7, 5) && !tiles_cubin(0, 10, 0));\n"
		"	CHECK(!tiles_cubin(-1, 9, 0) && !tiles_cubin(2, 9, 0));\n"
		"	/* the ordinary header came with it */\n"
		"	CHECK(TILES_CONFIGURATION_COUNT == 2 && TILES_0_BLOCK == 256);\n"
		"	return failures != 0;\n"
		"}\n");
}

IN_FOLDER(tells_a_flipped_byte)
{
	write_both();
	assert_runs(
		"#include \"tiles_cubins.h\"\n" CHECK "int main(void)\n"
		"{\n"
		"	static unsigned char copy[300];\n"
		"	struct autotune_cubin other = *tiles_cubin(0, 8, 0);\n"
		"	int i;\n"
		"	for (i = 0; i < AUTOTUNE_TILES_CUBIN_COUNT; i++)\n"
		"		CHECK(autotune_cubin_is_sound(&tiles_cubins()[i]));\n"
		"	CHECK(other.size == 300 && other.data[100] == 300 % 256);\n"
		"	memcpy(copy, other.data, 300);\n"
		"	other.data = copy;\n"
		"	CHECK(autotune_cubin_is_sound(&other));\n"
		"	copy[299] ^= 1;\n"
		"	CHECK(!autotune_cubin_is_sound(&other));\n"
		"	copy[299] ^= 1;\n"
		"	other.size--;\n"
		"	CHECK(!autotune_cubin_is_sound(&other));\n"
		"	return failures != 0;\n"
		"}\n");
}

IN_FOLDER(names_the_kernels_in_it)
{
	write_both();
	assert_runs("#include \"tiles_cubins.h\"\n" CHECK "int main(void)\n"
		    "{\n"
		    "	const struct autotune_cubin *it = tiles_cubin(0, 9, 0);\n"
		    "	CHECK(!strcmp(it->name, \"_Z5tilesPf\") && !it->finish);\n"
		    "	CHECK(!strcmp(it->kernels[0], it->name));\n"
		    "	CHECK(!strcmp(it->kernels[1], \"to \\\"x\\\"\\\\\"));\n"
		    "	CHECK(!tiles_cubin(1, 9, 0)->kernels[1]);\n"
		    "	return failures != 0;\n"
		    "}\n");
}

/* The driver is the test's own. */
static const char driver[] =
	"#include <cuda.h>\n"
	"#include \"tiles_cubins.h\"\n" CHECK
	"static int loads, launches, opted_in, asked;\n"
	"static const void *image;\n"
	"CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *data)\n"
	"{\n"
	"	loads++;\n"
	"	image = data;\n"
	"	*module = AUTOTUNE_CAST(CUmodule, AUTOTUNE_CAST(void *, &loads));\n"
	"	return CUDA_SUCCESS;\n"
	"}\n"
	"CUresult CUDAAPI cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name)\n"
	"{\n"
	"	CHECK(AUTOTUNE_CAST(void *, module) == &loads && !strcmp(name, \"_Z5tilesPf\"));\n"
	"	*out = AUTOTUNE_CAST(CUfunction, AUTOTUNE_CAST(void *, &launches));\n"
	"	return CUDA_SUCCESS;\n"
	"}\n"
	"CUresult CUDAAPI cuFuncSetAttribute(CUfunction function, CUfunction_attribute what, int value)\n"
	"{\n"
	"	CHECK(AUTOTUNE_CAST(void *, function) == &launches && value == 65536);\n"
	"	opted_in += what == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;\n"
	"	return CUDA_SUCCESS;\n"
	"}\n"
	"CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,\n"
	"	void **arguments, void **extra)\n"
	"{\n"
	"	static float *x;\n"
	"	CHECK(AUTOTUNE_CAST(void *, function) == &launches && !extra);\n"
	"	CHECK(config->gridDimX == 4 && config->gridDimY == 528 && config->blockDimX == 256);\n"
	"	CHECK(config->sharedMemBytes == 65536 && config->numAttrs == 0);\n"
	"	x = *AUTOTUNE_CAST(float **, arguments[0]);\n"
	"	CHECK(*x == 3.0f);\n"
	"	return launches++ ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS;\n"
	"}\n"
	"CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream)\n"
	"{\n"
	"	CHECK(!out && !bytes && !stream);\n"
	"	return CUDA_SUCCESS;\n"
	"}\n"
	"CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type,\n"
	"	cuuint32_t rank, void *memory, const cuuint64_t *dims, const cuuint64_t *strides,\n"
	"	const cuuint32_t *box, const cuuint32_t *steps, CUtensorMapInterleave interleave,\n"
	"	CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,\n"
	"	CUtensorMapFloatOOBfill fill)\n"
	"{\n"
	"	(void)map; (void)type; (void)rank; (void)memory; (void)dims; (void)strides; (void)box;\n"
	"	(void)steps; (void)interleave; (void)swizzle; (void)promotion; (void)fill;\n"
	"	return CUDA_ERROR_NOT_SUPPORTED;\n"
	"}\n"
	"CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr memory, CUstream stream)\n"
	"{\n"
	"	CHECK(!memory && !stream);\n"
	"	return CUDA_SUCCESS;\n"
	"}\n"
	"CUresult CUDAAPI cuDeviceGetName(char *name, int size, CUdevice device)\n"
	"{\n"
	"	CHECK(size == 256 && device == 3);\n"
	"	strcpy(name, \"NVIDIA H200\");\n"
	"	return CUDA_SUCCESS;\n"
	"}\n"
	"CUresult CUDAAPI cuDeviceTotalMem(size_t *bytes, CUdevice device)\n"
	"{\n"
	"	CHECK(device == 3);\n"
	"	*bytes = 0;\n"
	"	return CUDA_SUCCESS;\n"
	"}\n"
	"CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute what, CUdevice device)\n"
	"{\n"
	"	CHECK(device == 3);\n"
	"	asked++;\n"
	"	*value = what == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9\n"
	"		: what == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT ? 132 : 0;\n"
	"	return CUDA_SUCCESS;\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	static CUmodule modules[TILES_CONFIGURATION_COUNT];\n"
	"	struct autotune_device device, old;\n"
	"	float x = 3.0f;\n"
	"	char name[256];\n"
	"	CHECK(autotune_device_ask(3, name, &device) == CUDA_SUCCESS);\n"
	"	CHECK(device.name == name && device.major == 9 && device.minor == 0);\n"
	"	CHECK(device.multiprocessor_count == 132 && asked == 21);\n"
	"	CHECK(tiles_run_cubin(modules, &device, AUTOTUNE_NULL, 4096, 4096, 1, &x) == CUDA_SUCCESS);\n"
	"	CHECK(loads == 1 && launches == 1 && opted_in == 1);\n"
	"	CHECK(image == tiles_cubin(0, 9, 0)->data);\n"
	"	/* loaded once; an error of the driver is returned */\n"
	"	CHECK(tiles_run_cubin(modules, &device, AUTOTUNE_NULL, 4096, 4096, 1, &x) == CUDA_ERROR_LAUNCH_FAILED);\n"
	"	CHECK(loads == 1 && launches == 2);\n"
	"	/* nothing fits; no cubin is for it; its bytes are damaged */\n"
	"	CHECK(tiles_run_cubin(modules, &device, AUTOTUNE_NULL, 4096, 4096, 2, &x) == CUDA_ERROR_INVALID_VALUE);\n"
	"	old = device;\n"
	"	old.name = \"of old\";\n"
	"	old.major = 7;\n"
	"	CHECK(tiles_run_cubin(modules, &old, AUTOTUNE_NULL, 4096, 4096, 1, &x) == CUDA_ERROR_NO_BINARY_FOR_GPU);\n"
	"	modules[0] = AUTOTUNE_NULL;\n"
	"	AUTOTUNE_CAST(unsigned char *, AUTOTUNE_CAST(void *, tiles_cubin_0_sm_90))[1] ^= 1;\n"
	"	CHECK(tiles_run_cubin(modules, &device, AUTOTUNE_NULL, 4096, 4096, 1, &x) == CUDA_ERROR_INVALID_IMAGE);\n"
	"	CHECK(loads == 1 && launches == 2);\n"
	"	return failures != 0;\n"
	"}\n";

IN_FOLDER(loads_and_launches_by_the_driver)
{
	write_both();
	if (!runs("echo '#include <cuda.h>' | cc -E - >/dev/null 2>&1"))
		skip_because("no cuda.h");
	/* bytes that can be damaged */
	assert_true(runs(
		"sed -i 's/^static const unsigned char tiles_cubin/static unsigned char tiles_cubin/' %s/tiles_cubins.h",
		folder));
	assert_runs(driver);
}

/* two configurations that differ in their launch alone are one cubin */
IN_FOLDER(writes_the_same_bytes_once)
{
	write_both();
	assert_runs(
		"#include \"tiles_cubins.h\"\n" CHECK "int main(void)\n"
		"{\n"
		"	CHECK(tiles_cubin(0, 8, 0)->data == tiles_cubin(1, 8, 0)->data);\n"
		"	CHECK(tiles_cubin(0, 8, 6)->data == tiles_cubin(1, 9, 0)->data);\n"
		"	CHECK(tiles_cubin(0, 9, 0)->data != tiles_cubin(1, 9, 0)->data);\n"
		"	return failures != 0;\n"
		"}\n");
	assert_true(runs(
		"test $(grep -c '^static const unsigned char tiles_cubin' %s/tiles_cubins.h) = 3",
		folder));
}

IN_FOLDER(refuses_another_header_of_the_kernel)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 }, ordinary = { 0 };

	write_both();
	assert_ok(write_headers(narrow, true, &text, &ordinary, &failure));
	write_text("tiles.h", at_strbuf_text(&ordinary));
	write_text("main.c",
		"#include \"tiles_cubins.h\"\nint main(void) { return 0; }\n");
	assert_false(runs("cd %s && %s 2>log", folder, compilers[0]));
	assert_true(runs(
		"grep -q 'belong to another header of this kernel' %s/log", folder));
	/* so is one that came before, from elsewhere */
	write_text("main.c", "#define AUTOTUNE_TILES_H\n#include \"tiles_cubins.h\"\n");
	assert_false(runs("cd %s && %s 2>log", folder, compilers[0]));
	assert_true(runs("grep -q 'write both again' %s/log", folder));
}

TEST(says_what_there_is_to_say)
{
	struct at_strbuf text = { 0 };

	assert_ok(write_headers(wide, true, &text, NULL, &failure));
	assert_non_null(strstr(text.data, " *   compiler       NVRTC 13.0\n"));
	assert_non_null(strstr(text.data, " *   measured with  NVRTC 13.0\n"));
	assert_non_null(strstr(
		text.data, " *   note           a * / trap | #error in a note\n"));
	at_strbuf_release(&text);
	assert_fails_with(write_headers(wide, false, &text, NULL, &failure), AT_ENOENT,
		"there is no cubin");
	at_strbuf_release(&text);
}

TEST(reads_architectures_that_have_cubins)
{
	static const struct {
		const char *text;
		unsigned major, minor; /* 0: none */
	} cases[] = {
		{ "sm_90", 9, 0 },
		{ "sm_86", 8, 6 },
		{ "sm_121", 12, 1 },
		{ "sm_90a", 0, 0 },
		{ "sm_9", 0, 0 },
		{ "sm_", 0, 0 },
		{ "sm_99999", 0, 0 },
		{ "compute_90", 0, 0 },
		{ "x86_64", 0, 0 },
		{ "", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct at_capability it = { 0 };

		assert_int_equal(
			at_capability_read(cases[i].text, &it), cases[i].major != 0);
		assert_int_equal(it.major, cases[i].major);
		assert_int_equal(it.minor, cases[i].minor);
	}
}

/* the published values of FNV-1a */
TEST(sums_as_others_do)
{
	assert_true(at_cubin_checksum((const unsigned char *)"", 0) ==
		    UINT64_C(0xcbf29ce484222325));
	assert_true(at_cubin_checksum((const unsigned char *)"a", 1) ==
		    UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(at_cubin_checksum((const unsigned char *)"foobar", 6) ==
		    UINT64_C(0x85944171f73967e8));
}

RUN_SUITE(NULL, NULL)
