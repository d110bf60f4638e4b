/* Compilation with NVRTC. Without the library only its absence can be tested. */
#include "kernel/nvrtc_library.h"
#include "kernel/source.h"

#include <elf.h>
#include <glob.h>
#include <unistd.h>

#include "folder.h"
#include "spilling_kernel.h"
#include "wish.h"

/* ---- finding the library ------------------------------------------------ */

/* A copy of the variable's value, or NULL, for restore(). */
static char *keep(const char *variable)
{
	const char *value = getenv(variable);

	return value ? strdup(value) : NULL;
}

static void restore(const char *variable, char *value)
{
	if (value)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
	free(value);
}

/* First of all: afterwards the library is open. */
TEST(says_where_it_looked_for_nvrtc_and_what_would_help)
{
	struct at_error err = { 0 };
	char *kept = keep("AUTOTUNE_NVRTC");
	char version[64];

	setenv("AUTOTUNE_NVRTC", "/nowhere/libnvrtc.so", 1);
	assert_int_equal(at_toolchain_version("nvrtc", version, sizeof(version), &err),
		AT_EUNAVAILABLE);
	restore("AUTOTUNE_NVRTC", kept);
	assert_string_equal(err.text,
		"AUTOTUNE_NVRTC names no NVRTC library that can be opened: correct or unset it; tried /nowhere/libnvrtc.so");
}

static size_t position_of(const struct at_words *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->items[i], text))
			return i;
	fail_msg("%s is not among the places", text);
	return 0;
}

static void touch(const char *root, const char *name)
{
	OWNED(free)
	char *path = at_path_join(root, name), *folder = at_path_directory(path);

	assert_ok(at_directory_make(folder, NULL));
	assert_ok(at_file_replace(path, "x", 1, NULL));
}

static void remove_tree(const char *root, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		OWNED(free) char *path = at_path_join(root, names[i]);

		assert_int_equal(remove(path), 0);
	}
	assert_int_equal(rmdir(root), 0);
}

/* The toolkit that the user names goes before what the loader happens to find. */
TEST(looks_in_cuda_home_before_anything_else)
{
	static const char *const made[] = { "lib64/libnvrtc.so.12", "lib64",
		"include/cuda_fp16.h", "include/cccl", "include" };
	char root[] = "/tmp/autotune-toolkit-XXXXXX", path[128];
	char *kept = keep("CUDA_HOME"), *chosen = keep("AUTOTUNE_NVRTC");
	struct at_nvrtc_places places;

	assert_non_null(folder_make(root));
	touch(root, "lib64/libnvrtc.so.12");
	touch(root, "include/cuda_fp16.h");
	snprintf(path, sizeof(path), "%s/include/cccl", root);
	assert_ok(at_directory_make(path, NULL));
	setenv("CUDA_HOME", root, 1);
	unsetenv("AUTOTUNE_NVRTC");
	at_nvrtc_places_find(&places);
	snprintf(path, sizeof(path), "%s/lib64/libnvrtc.so.12", root);
	assert_string_equal(places.libraries.items[0], path);
	assert_true(position_of(&places.libraries, "libnvrtc.so.13") <
		    position_of(&places.libraries, "libnvrtc.so.12"));
	snprintf(path, sizeof(path), "%s/include/", root);
	assert_string_equal(places.includes.items[0], path);
	snprintf(path, sizeof(path), "%s/include/cccl", root);
	assert_string_equal(places.includes.items[1], path);
	assert_string_equal(places.roots.items[0], root);
	assert_true(position_of(&places.roots, "/usr/local/cuda") <
		    position_of(&places.roots, "/usr"));
	at_nvrtc_places_release(&places);
	remove_tree(root, made, sizeof(made) / sizeof(made[0]));
	restore("CUDA_HOME", kept);
	restore("AUTOTUNE_NVRTC", chosen);
}

/* ---- compiling ---------------------------------------------------------- */

static const char source[] =
	"#define TILE 4\n"
	"#line 1 \"matmul.cu\"\n"
	"#include \"part.h\"\n"
	"#include <cuda_fp16.h>\n"
	"__constant__ float table[10];\n"
	"extern \"C\" __global__ void __launch_bounds__(128) tuned(float *out, int n)\n"
	"{\n"
	"	__shared__ float tile[100];\n"
	"	tile[threadIdx.x % 100] = out[n] * PART;\n"
	"	__syncthreads();\n"
	"	out[threadIdx.x] = tile[n] + table[n] + __half2float(__float2half(1.5f));\n"
	"}\n"
	"namespace x { __global__ void named(float *out) { out[0] = TILE; } }\n"
	"template <int N> __global__ void many(float *out) { out[0] = N; }\n"
	"__device__ float helper(float v) { return v; }\n" SPILLING_KERNEL;

/* "part.h" lies there. */
#define HERE .directory = AT_TEST_DIR "/data"

static void facts_are_those_of_the_source(const char *architecture)
{
	static const char *const kernels[] = { "spill", "tuned", "x::named",
		"many<16>" };
	RELEASED(at_compile_result_release)
	struct at_compile_result result =
		COMPILE(HERE, .source = source, .architecture = architecture,
			.kernels = { kernels[0], kernels[1], kernels[2], kernels[3] });

	print_message("%s\n", architecture);
	assert_string_equal(result.log, "");
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	assert_memory_equal(result.image, "\177ELF", 4);
	assert_true(result.image_bytes > 1000);
	assert_true(result.compile_ns > 0);
	assert_int_equal(result.kernel_count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(result.kernels[i].name, kernels[i]);
	assert_string_equal(result.kernels[0].symbol, "spill");
	assert_int_equal(result.kernels[0].max_threads, 1024);
	assert_true(result.kernels[0].registers <= 64);
	assert_true(result.kernels[0].spill_store_bytes > 0);
	assert_true(result.kernels[0].spill_load_bytes > 0);
	assert_true(result.kernels[0].local_bytes > 0);
	assert_string_equal(result.kernels[1].symbol, "tuned");
	assert_int_equal(result.kernels[1].max_threads, 128);
	assert_int_equal(result.kernels[1].shared_bytes, 400);
	assert_int_equal(result.kernels[1].constant_bytes, 40);
	assert_int_equal(result.kernels[1].barriers, 1);
	assert_int_equal(result.kernels[1].spill_store_bytes, 0);
	assert_true(result.kernels[1].registers > 0);
	assert_string_equal(result.kernels[2].symbol, "_ZN1x5namedEPf");
	assert_int_equal(result.kernels[2].max_threads, 0);
	assert_int_equal(result.kernels[2].barriers, 0);
	assert_string_equal(result.kernels[3].symbol, "_Z4manyILi16EEvPf");
}

TEST(machine_code_is_taken_as_it_is)
{
	static const struct {
		const char *toolchain, *kernel, *log;
	} rows[] = {
		{ "nvrtc", "tuned", "" },
		{ "nvcc", "_ZN1x5namedEPf", "" },
		{ "nvrtc", "absent", "no kernel \"absent\" in this cubin" },
		{ "c++", "tuned",
			"machine code for CUDA devices does not run on this device" },
	};
	char folder[] = "/tmp/test_kernel_XXXXXX";
	RELEASED(at_compile_result_release) struct at_compile_result made = { 0 };
	RELEASED(at_template_release) struct at_template template = { 0 };
	char path[512], text[256];

	need_toolchain("nvrtc");
	assert_non_null(folder_make(folder));
	made = COMPILE(HERE, .source = source, .kernels = { "tuned", "x::named" });
	snprintf(path, sizeof(path), "%s/machine.cubin", folder);
	assert_ok(at_file_replace(path, made.image, made.image_bytes, &failure));
	assert_ok(at_template_load(path, &template, &failure));
	snprintf(text, sizeof(text), "#define BLOCK 64\n%s", template.text);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_compile_result_release)
		struct at_compile_result result =
			COMPILE(.toolchain = rows[i].toolchain, .name = "machine.cubin",
				.directory = folder, .source = text,
				.kernels = { rows[i].kernel });

		assert_string_equal(result.log, rows[i].log);
		if (rows[i].log[0]) {
			assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
			assert_true(result.is_verdict);
			assert_null(result.image);
			continue;
		}
		assert_int_equal(result.image_bytes, made.image_bytes);
		assert_memory_equal(result.image, made.image, made.image_bytes);
		assert_string_equal(result.kernels[0].symbol, rows[i].kernel);
		assert_true(result.kernels[0].registers > 0);
		assert_int_equal(
			result.kernels[0].parameters[0].kind, AT_PARAMETER_NONE);
	}
	folder_remove(folder);
}

LONG_TEST(compiles_for_every_architecture_with_the_same_facts)
{
	char known[1024];

	need_toolchain("nvrtc");
	assert_ok(at_toolchain_architectures("nvrtc", known, sizeof(known), &failure));
	assert_non_null(strrchr(known, ' '));
	facts_are_those_of_the_source("sm_80");
	facts_are_those_of_the_source("sm_90");
	facts_are_those_of_the_source(strrchr(known, ' ') + 1);
}

TEST(passes_options_on_beside_its_own)
{
	struct at_compile_result result;

	need_toolchain("nvrtc");
	result = COMPILE(.source = "", .options = { "-DNOTHING" });
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	at_compile_result_release(&result);
	/* the second --ptxas-options must not undo the first, nor be lost */
	result = COMPILE(HERE, .source = source, .kernels = { "tuned", "spill" },
		.options = { "--ptxas-options=--maxrregcount=40" });
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	assert_true(result.kernels[0].spill_store_bytes >= 0);
	at_compile_result_release(&result);
	result = COMPILE(HERE, .source = source, .kernels = { "tuned", "spill" },
		.options = { "--ptxas-options=--no-such" });
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_non_null(strstr(result.log, "no-such"));
	at_compile_result_release(&result);
}

/* ---- leaving out -------------------------------------------------------- */

/* The machine code of a kernel; an empty range is no code. */
static const unsigned char *code_of(
	const struct at_compile_result *result, const char *symbol, size_t *size)
{
	const unsigned char *image = result->image;
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + header->e_shoff);
	const char *names =
		(const char *)image + sections[header->e_shstrndx].sh_offset;

	for (unsigned i = 0; i < header->e_shnum; i++) {
		const char *name = names + sections[i].sh_name;

		if (!strncmp(name, ".text.", 6) && !strcmp(name + 6, symbol)) {
			*size = sections[i].sh_size;
			return image + sections[i].sh_offset;
		}
	}
	*size = 0;
	return NULL;
}

/* The default configuration of a space, with what is left out and without. */
static void compare_code(const char *path)
{
	struct at_properties properties = { 0 };
	RELEASED(at_strbuf_release) struct at_strbuf source_text = { 0 }, omit = { 0 };
	struct at_compile_request request = { .toolchain = "nvrtc",
		.architecture = (char *)"sm_90",
		.name = (char *)"template.cu" };
	RELEASED(at_compile_result_release) struct at_compile_result less, whole;
	struct at_template template;
	OWNED(at_spec_free) struct at_spec *spec;
	OWNED(free) struct at_value *slots;

	assert_ok(at_spec_load(path, &spec, &failure));
	assert_ok(at_template_load(spec->template_path, &template, &failure));
	slots = calloc(spec->slot_count, sizeof(*slots));
	assert_non_null(slots);
	at_properties_of_architecture("sm_90", &properties);
	at_spec_bind(spec, &spec->problems[0], NULL, &properties, slots);
	at_spec_bind_configuration(spec, spec->defaults, slots);
	at_source_render(
		&(struct at_source_context){ .spec = spec, .template = &template },
		spec->defaults, AT_UNIT_TUNED, &source_text);
	at_source_render_omit(spec, &template, spec->defaults, &omit);
	assert_ok(at_source_options(
		spec, slots, &request.options, &request.option_count, NULL));
	char *kernels[AT_SPEC_LAUNCHES_MAX + 2];

	request.directory = template.directory;
	request.source = source_text.data;
	request.kernels = kernels;
	request.kernel_count = spec->call_count;
	assert_true(spec->call_count <= AT_COUNT_OF(kernels));
	for (size_t i = 0; i < spec->call_count; i++)
		kernels[i] = spec->calls[i].kernel;
	assert_ok(at_compile(&request, &whole, &failure));
	request.omit = omit.data;
	assert_non_null(omit.data);
	assert_ok(at_compile(&request, &less, &failure));
	assert_int_equal(whole.outcome, AT_OUTCOME_OK);
	assert_int_equal(less.outcome, AT_OUTCOME_OK);
	assert_string_equal(less.log, whole.log);
	for (size_t i = 0; i < request.kernel_count; i++) {
		size_t size, less_size;
		const unsigned char *code =
			code_of(&whole, whole.kernels[i].symbol, &size);
		const unsigned char *less_code =
			code_of(&less, less.kernels[i].symbol, &less_size);

		assert_true(size > 0);
		if (size != less_size || memcmp(code, less_code, size) != 0)
			fail_msg("%s: other code for %s", path, kernels[i]);
		assert_int_equal(whole.kernels[i].registers, less.kernels[i].registers);
		assert_int_equal(
			whole.kernels[i].shared_bytes, less.kernels[i].shared_bytes);
	}
	/* or nothing was left out, and the above says nothing */
	size_t reference_bytes;

	code_of(&less, spec->reference.call.kernel, &reference_bytes);
	assert_int_equal(reference_bytes, 0);
	code_of(&whole, spec->reference.call.kernel, &reference_bytes);
	assert_true(reference_bytes > 0);
	at_source_free_options(request.options, request.option_count);
	at_template_release(&template);
}

LONG_TEST(what_is_left_out_changes_no_code_of_any_space)
{
	RELEASED(globfree) glob_t spaces;

	need_toolchain("nvrtc");
	assert_int_equal(glob(AT_TEST_DIR "/../spaces/*.cfg", 0, NULL, &spaces), 0);
	for (size_t i = 0; i < spaces.gl_pathc; i++)
		compare_code(spaces.gl_pathv[i]);
}

TEST(what_cannot_be_left_out_stays)
{
	/* a name that stands for something else too, or is asked for from within */
	static const char *const sources[] = {
		"__global__ void r(float *x) { x[0] = 1; }\n"
		"__device__ float r(float x, float y) { return x + y; }\n"
		"extern \"C\" __global__ void k(float *x) { x[1] = r(x[0], x[2]); }\n",
		"template <typename T> __global__ void r(T *x) { x[0] = 1; }\n"
		"template __global__ void r(float *x);\n"
		"extern \"C\" __global__ void k(float *x) { x[1] = 2; }\n",
		/* needs what the short way does without */
		"extern \"C\" __global__ void k(cudaTextureObject_t t, float *x) { x[0] = tex2D<float>(t, 0.0f, 0.0f); }\n",
	};
	static const char lines[] =
		"#define r(...) autotune_without_r(); static __attribute__((unused)) __device__ void autotune_left_out_r(__VA_ARGS__)\n"
		"#line 1 \"matmul.cu\"\n";
	char omit[sizeof(lines) + 32];
	struct at_compile_result result;
	size_t size;

	need_toolchain("nvrtc");
	for (size_t i = 0; i < AT_COUNT_OF(sources); i++) {
		/* once more: it is known then that it does not go */
		for (int again = 0; again < 2; again++) {
			/* each its own, or only the first is tried with it */
			snprintf(omit, sizeof(omit), "// %zu\n%s", i, lines);
			result = COMPILE(.omit = omit, .source = sources[i],
				.kernels = { "k" });
			if (result.outcome != AT_OUTCOME_OK)
				fail_msg("source %zu: %s", i, result.log);
			assert_string_equal(result.log, "");
			at_compile_result_release(&result);
		}
	}
	/* goes with other than the last, in any block */
	snprintf(omit, sizeof(omit), "%s", lines);
	omit[strlen("#define ")] = 'q';
	result = COMPILE(.omit = omit, .kernels = { "k" },
		.source =
			"extern \"C\" {\n"
			"__global__ void q(float *x) { x[0] = 1; x[1] = sinf(x[2]); }\n"
			"__global__ void k(float *x) { x[1] = 2 }\n}\n");
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_true(result.is_verdict);
	/* the log is that of the source as it is, its lines its own */
	assert_non_null(strstr(result.log, "matmul.cu(3): error: expected a \";\""));
	assert_null(strstr(result.log, "autotune_"));
	at_compile_result_release(&result);
	result = COMPILE(.omit = omit, .kernels = { "k" },
		.source =
			"extern \"C\" {\n"
			"__global__ void q(float *x) { x[0] = 1; x[1] = sinf(x[2]); }\n"
			"__global__ void k(float *x) { x[1] = 2; }\n}\n");
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	assert_null(code_of(&result, "q", &size));
	assert_non_null(code_of(&result, "k", &size));
	at_compile_result_release(&result);
	/* what ptxas refuses is not tried again, and nothing of it shows */
	result = COMPILE(.omit = omit, .kernels = { "k" },
		.source = "extern \"C\" __global__ void k(float *x)\n"
			  "{ __shared__ float s[20000]; s[threadIdx.x] = x[0];\n"
			  "__syncthreads(); x[1] = s[7]; }\n");
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_true(result.is_verdict);
	assert_non_null(strstr(result.log,
		"matmul.cu declares 80000 bytes of shared memory for a block"));
	assert_null(strstr(result.log, "autotune_"));
	at_compile_result_release(&result);
}

/* ---- precompiled headers -------------------------------------------------------- */

static size_t count_precompiled(const char *folder)
{
	RELEASED(globfree) glob_t found;
	char pattern[128];

	snprintf(pattern, sizeof(pattern), "%s/autotune-headers-*/*.pch", folder);
	return glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc;
}

TEST(headers_of_a_template_are_precompiled)
{
#define PRECOMPILED_TEXT(headers) \
	"#line 1 \"unit.cu\"\n" headers "extern \"C\" __global__ void k(float *x)\n" \
	"{ x[0] = __half2float(__float2half(x[1])) * SCALE; }\n"
#define FP16 \
	PRECOMPILED_TEXT("// floats of 16 bits\n#include <cuda_fp16.h>\n#pragma once\n")
#define OWN_BETWEEN \
	PRECOMPILED_TEXT("#include <cuda_bf16.h>\n#include <own.h>\n" \
			 "#include <cuda_fp16.h>\nstatic_assert(IS_LARGE, \"\");\n")
	static const char own[] = "#pragma once\n#if SCALE > 4\n"
				  "#define IS_LARGE 1\n#else\n"
				  "#define IS_LARGE (SCALE == 2)\n#endif\n";
	static const struct {
		const char *source;
		const char *option; /* or none */
		const char *log; /* NULL: it compiles */
		size_t precompiled; /* headers, after that */
	} rows[] = {
		/* it compiles without, or not */
		{ "#define SCALE 2\n#define __half 4\n" FP16, "-DA=1",
			"the macro __half", 0 },
		{ "#define SCALE 3\n#define __half 4\n" FP16, "-DA=1",
			"the macro __half", 1 },
		{ "#define SCALE 4\n" FP16, "-DA=1", NULL, 1 },
		{ "#define SCALE 5\n" FP16, "-DA=1", NULL, 1 },
		{ "#define SCALE\n" FP16, "-DA=1",
			"unit.cu(5): error: expected an expression", 1 },
		{ "#define SCALE 6\n" FP16, "-maxrregcount=32", NULL, 2 },
		{ "#define SCALE 6\n" FP16, "-DA=2", NULL, 3 },
		{ "#define SCALE 6\n" FP16, "-DA=3", NULL, 4 },
		/* there may be more of them than there is room for */
		{ "#define SCALE 6\n" FP16, "-DA=4", NULL, 4 },
		{ "#define SCALE 6\n" FP16, "-DA=1", NULL, 4 },
		/* the template's own macros may be for the header */
		{ "#define SCALE 6\n" PRECOMPILED_TEXT(
			  "#define A 1\n#include <cuda_fp16.h>\n"),
			NULL, NULL, 4 },
		{ "#define SCALE 6\n" PRECOMPILED_TEXT(
			  "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"),
			NULL, NULL, 0 },
		/* a header of the user may read the macros */
		{ "#define SCALE 6\n" OWN_BETWEEN, NULL, NULL, 0 },
		{ "#define SCALE 7\n#line 1 \"types\"\n"
		  "typedef unsigned int uint;\n" OWN_BETWEEN,
			NULL, NULL, 1 },
		{ "#define SCALE 2\n" OWN_BETWEEN, NULL, NULL, 1 },
	};
	char folder[] = "/tmp/test_kernel_XXXXXX";
	char *kept = keep("TMPDIR");
	OWNED(free) char *header = NULL;

	need_toolchain("nvrtc");
	assert_non_null(folder_make(folder));
	setenv("TMPDIR", folder, 1);
	header = at_path_join(folder, "own.h");
	assert_ok(at_file_replace(header, own, strlen(own), NULL));
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_compile_result result = COMPILE(.source = rows[i].source,
			.name = "unit.cu", .directory = folder, .kernels = { "k" },
			.options = { rows[i].option });

		if (rows[i].log ? result.outcome == AT_OUTCOME_OK ||
					  !strstr(result.log, rows[i].log)
				: result.outcome != AT_OUTCOME_OK || result.log[0])
			fail_msg("row %zu: %s", i, result.log);
		if (count_precompiled(folder) != rows[i].precompiled)
			fail_msg("row %zu: %zu are precompiled", i,
				count_precompiled(folder));
		at_compile_result_release(&result);
	}
	restore("TMPDIR", kept);
	folder_remove(folder);
}

TEST(compiles_for_the_features_of_one_architecture)
{
	struct at_compile_result result;

	need_toolchain("nvrtc");
	result = COMPILE(HERE, .source = source, .architecture = "sm_90a",
		.kernels = { "tuned" });
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	at_compile_result_release(&result);
	/* the space file's own option wins over the device's plain name */
	result = COMPILE(HERE, .source = source, .kernels = { "tuned" },
		.options = { "--gpu-architecture=sm_90a" });
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	assert_string_equal(result.log, "");
	at_compile_result_release(&result);
}

/* ---- what does not compile ---------------------------------------------- */

static const struct {
	const char *what;
	const char *source;
	const char *kernel;
	const char *option;
	const char *log_begins;
	const char *log_holds;
} failures[] = {
	{ "a kernel that is not there", source, "nosuch", NULL,
		"kernel \"nosuch\" not found in matmul.cu\n", "__nv_name_map" },
	{ "a kernel named like a function of CUDA's",
		"__global__ void norm(float *x) { x[0] = 1; }\n", "norm", NULL,
		"kernel \"norm\" in matmul.cu shares its name with another function, perhaps CUDA's: give it a name of its own\n",
		"overloaded" },
	{ "a function that is no kernel", source, "helper", NULL,
		"kernel \"helper\" is no __global__ function in matmul.cu\n",
		"non-__global__" },
	{ "a template that is not there", source, "nosuch<4, x::y>", NULL,
		"kernel \"nosuch<4, x::y>\" not found in matmul.cu\n", "" },
	{ "an error, with the line of the template",
		"#define A 1\n#define B 2\n#line 1 \"matmul.cu\"\n\n\n__device__ int k = missing;\n",
		"k", NULL, "matmul.cu(3): error: identifier \"missing\" is undefined",
		"" },
	/* a warning keeps them out of the log of CUDA 13 */
	{ "an error of ptxas behind its warning",
		"extern \"C\" __global__ void k(char *y, int n)\n{\n"
		"__shared__ __align__(128) char s[128];\n"
		"unsigned to = (unsigned)__cvta_generic_to_shared(s);\n"
		"if (n < 0) asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 16, [%0], %2;\" :: \"r\"(to), \"l\"(y), \"h\"((unsigned short)1));\n"
		"if (n < 0) asm volatile(\"setmaxnreg.inc.sync.aligned.u32 40;\");\n}\n",
		"k", NULL, "ptxas application ptx input, line ",
		"error   : Instruction 'setmaxnreg.inc' not supported" },
	{ "a header that is not there", "#include <vector>\n", "k", NULL,
		"<vector> is not there for NVRTC: toolchain = \"nvcc\" in the space",
		"cannot open source file" },
	{ "an option that NVRTC does not know", source, "tuned", "--nonsense",
		"matmul.cu: NVRTC_ERROR_INVALID_OPTION\n", "--nonsense" },
	{ "an option that leaves only PTX", source, "tuned",
		"--gpu-architecture=compute_90",
		"matmul.cu: the options leave no machine code", "sm_NN" },
};

TEST(reports_what_does_not_compile)
{
	need_toolchain("nvrtc");
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		RELEASED(at_compile_result_release)
		struct at_compile_result result = COMPILE(HERE,
			.source = failures[i].source, .kernels = { failures[i].kernel },
			.options = { failures[i].option });
		char line[256];

		print_message("%s\n", failures[i].what);
		assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
		if (strncmp(result.log, failures[i].log_begins,
			    strlen(failures[i].log_begins)) != 0)
			fail_msg("the log is: %s", result.log);
		assert_non_null(strstr(result.log, failures[i].log_holds));
		assert_null(strstr(result.log, "ptxas info"));
		/* there is no file of that name */
		at_compile_first_error(result.log, line, sizeof(line));
		assert_null(strstr(line, "__nv_name_map"));
		assert_null(result.image);
		assert_int_equal(result.kernel_count, 0);
	}
}

TEST(keeps_warnings_in_the_log)
{
	RELEASED(at_compile_result_release) struct at_compile_result result;

	need_toolchain("nvrtc");
	result =
		COMPILE(.source =
				"#line 1 \"matmul.cu\"\n__global__ void k() { int unused; }\n",
			.kernels = { "k" });
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	assert_memory_equal(result.log, "matmul.cu(1): warning", 21);
	assert_null(strstr(result.log, "ptxas info"));
}

TEST(says_which_architectures_there_are)
{
	static const char *const wrong[] = { "sm_1", "sm_90x", "sm_", "90", "" };
	char begin[160], version[64];

	need_toolchain("nvrtc");
	assert_ok(at_toolchain_version("nvrtc", version, sizeof(version), NULL));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct at_compile_request request = {
			.toolchain = "nvrtc",
			.architecture = (char *)wrong[i],
			.name = (char *)"k.cu",
			.source = (char *)"",
		};
		struct at_compile_result result;
		struct at_error err = { 0 };

		assert_int_equal(at_compile(&request, &result, &err), AT_EUNAVAILABLE);
		snprintf(begin, sizeof(begin),
			"%s does not compile for \"%s\", only for sm_", version,
			wrong[i]);
		assert_memory_equal(err.text, begin, strlen(begin));
		assert_non_null(strstr(err.text, "sm_90"));
	}
}

TEST(names_its_version)
{
	char version[64];
	int major, minor;

	need_toolchain("nvrtc");
	assert_ok(at_toolchain_version("nvrtc", version, sizeof(version), NULL));
	assert_int_equal(sscanf(version, "NVRTC %d.%d", &major, &minor), 2);
	assert_true(major >= 11);
}

/* ---- the registry of toolchains ---------------------------------------------- */

static enum at_status says_hello(char *buffer, size_t size, struct at_error *err)
{
	snprintf(buffer, size, "hello");
	return AT_OK;
}

static enum at_status compiles_nothing(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	result->outcome = AT_OUTCOME_COMPILE_FAILED;
	result->log = at_strdup(request->name);
	return AT_OK;
}

static enum at_status fails_half_way(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	result->log = at_strdup("half");
	return at_fail_memory(err);
}

static const struct at_toolchain third = {
	.name = "third", .compile = compiles_nothing, .version = says_hello
};

TEST(refuses_to_compile_with_an_unknown_toolchain)
{
	static const struct {
		const char *name, *text;
	} rows[] = {
		{ NULL, "unknown toolchain \"\"; known are nvrtc, nvcc and c++" },
		{ "", "unknown toolchain \"\"; known are nvrtc, nvcc and c++" },
		{ "hipcc",
			"unknown toolchain \"hipcc\"; known are nvrtc, nvcc and c++" },
	};
	char text[16];

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const struct at_compile_request request = {
			.toolchain = (char *)rows[i].name
		};
		RELEASED(at_compile_result_release) struct at_compile_result result;

		assert_fails(at_compile(&request, &result, &failure), AT_ENOENT,
			rows[i].text);
		assert_int_equal(
			at_toolchain_version(rows[i].name, text, sizeof(text), NULL),
			AT_ENOENT);
		assert_int_equal(at_toolchain_architectures(
					 rows[i].name, text, sizeof(text), NULL),
			AT_ENOENT);
	}
	at_compile_result_release(NULL);
	at_compile_request_release(NULL);
}

TEST(a_toolchain_that_was_added_compiles)
{
	const struct at_compile_request request = { .toolchain = (char *)"third",
		.name = (char *)"a.cu",
		.source = (char *)"" };
	const struct at_toolchain *found;
	RELEASED(at_compile_result_release) struct at_compile_result result;
	char text[16] = "?";
	size_t count = 0;

	assert_ok(at_toolchain_add(&third, &failure));
	assert_ok(at_toolchain_find("third", &found, &failure));
	assert_ptr_equal(found, &third);
	while (at_toolchain_at(count))
		count++;
	assert_int_equal(count, 4);
	assert_ptr_equal(at_toolchain_at(3), &third);
	assert_ok(at_compile(&request, &result, &failure));
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_string_equal(result.log, "a.cu");
	assert_ok(at_toolchain_version("third", text, sizeof(text), &failure));
	assert_string_equal(text, "hello");
	assert_ok(at_toolchain_architectures("third", text, sizeof(text), &failure));
	assert_string_equal(text, "");
	assert_fails(at_toolchain_find("fourth", &found, &failure), AT_ENOENT,
		"unknown toolchain \"fourth\"; known are nvrtc, nvcc, c++ and third");
}

TEST(refuses_a_toolchain_that_cannot_be_told_from_others)
{
	static const struct {
		const char *name, *text;
	} rows[] = {
		{ "c++", "there is a toolchain \"c++\" already" },
		{ "third", "there is a toolchain \"third\" already" },
		{ "", "toolchain \"\": expected a name of 1 to 15 characters" },
		{ "as long as this is",
			"toolchain \"as long as this is\": expected a name of 1 to 15 characters" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_toolchain toolchain = third;

		toolchain.name = rows[i].name;
		assert_fails(at_toolchain_add(&toolchain, &failure), AT_EINVAL,
			rows[i].text);
	}
	assert_null(at_toolchain_at(4));
}

TEST(what_a_toolchain_left_of_a_failure_is_released)
{
	static const struct at_toolchain failing = {
		.name = "failing", .compile = fails_half_way, .version = says_hello
	};
	const struct at_compile_request request = { .toolchain = (char *)"failing",
		.name = (char *)"k.cu",
		.source = (char *)"" };
	struct at_compile_result result;

	assert_ok(at_toolchain_add(&failing, NULL));
	assert_int_equal(at_compile(&request, &result, NULL), AT_ENOMEM);
	assert_null(result.log);
}

TEST(has_room_for_eight_toolchains_beside_its_own)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h",
		"i" };
	static struct at_toolchain more[AT_COUNT_OF(names)];
	enum at_status status = AT_OK;
	struct at_error err = { 0 };

	for (size_t i = 0; i < AT_COUNT_OF(names) && !status; i++) {
		more[i] = (struct at_toolchain){ .name = names[i] };
		status = at_toolchain_add(&more[i], &err);
	}
	assert_int_equal(status, AT_EOVERFLOW);
	assert_non_null(
		strstr(err.text, ": 8 were added, and there is no room for more"));
	assert_non_null(at_toolchain_at(3 + 8 - 1));
	assert_null(at_toolchain_at(3 + 8));
}

/* ---- logs and lists --------------------------------------------------------- */

TEST(the_first_error_speaks_for_a_log)
{
	static const char *const rows[][2] = {
		{ "", "" },
		{ "a.cu(3): warning: odd\na.cu(4): error: bad\na.cu(5): error: worse\n",
			"a.cu(4): error: bad" },
		{ "error: at once", "error: at once" },
		{ "ld: a.o: in function `f':\na.cu:5: undefined reference to `g'\n"
		  "collect2: error: ld returned 1 exit status\n",
			"a.cu:5: undefined reference to `g'" },
		{ "ld: final link failed: No space left on device\n"
		  "collect2: error: ld returned 1 exit status\n",
			"ld: final link failed: No space left on device" },
		{ "ended by signal 9\nor so\n", "ended by signal 9" },
		{ "wwww\nc++ printed more than 64 MiB, and was ended\n",
			"c++ printed more than 64 MiB, and was ended" },
		{ "<b.h> is not there\na.cu(1): error: b.h\n",
			"a.cu(1): error: b.h; <b.h> is not there" },
		{ "<b.h> is not there\n", "<b.h> is not there" },
		{ "the macro A is\nb.h(1): error: odd\n",
			"b.h(1): error: odd; the macro A is" },
	};
	char line[64];

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		at_compile_first_error(rows[i][0], line, sizeof(line));
		assert_string_equal(line, rows[i][1]);
	}
	at_compile_first_error(rows[1][0], line, 8);
	assert_string_equal(line, "a.cu(4)");
}

TEST(an_error_comes_with_what_to_do)
{
	static const char features[] =
		"; if one architecture alone has it: arch_specific = true in kernel of the space";
	static const char host[] =
		"; host has no inline PTX: give the template a plain path for AUTOTUNE_HOST, or tune on a GPU";
	static const char *const rows[][2] = {
		{ "line 2; error   : Instruction 'wgmma.fence' not supported on .target 'sm_90'",
			features },
		{ "line 2; error   : Instruction 'tcgen05.ld' not supported on .target 'sm_120'",
			features },
		/* nothing would help */
		{ "line 2; error   : Instruction 'wgmma.fence' not supported on .target 'sm_100a'",
			"" },
		{ "line 2; error   : Instruction 'wgmma.fence' not supported on .target 'sm_80'",
			"" },
		{ "a.cu:1: Error: no such instruction: `wgmma.fence.sync.aligned'",
			host },
		{ "a.cu:1:2: error: '__cvta_generic_to_shared' was not declared in this scope",
			host },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		char log[512], line[512], expected[512];

		snprintf(log, sizeof(log), "a.cu: messages:\n%s\nmore\n", rows[i][0]);
		snprintf(expected, sizeof(expected), "%s%s", rows[i][0], rows[i][1]);
		at_compile_first_error(log, line, sizeof(line));
		assert_string_equal(line, expected);
	}
}

TEST(lists_the_architectures_of_nvrtc_oldest_first)
{
	char text[1024], small[8], *rest = text, *word;
	struct at_error err = { 0 };
	int last = 0, number;

	need_toolchain("nvrtc");
	assert_ok(at_toolchain_architectures("nvrtc", text, sizeof(text), NULL));
	assert_int_equal(
		at_toolchain_architectures("nvrtc", small, sizeof(small), &err),
		AT_EOVERFLOW);
	while ((word = strtok_r(rest, " ", &rest))) {
		assert_int_equal(sscanf(word, "sm_%d", &number), 1);
		assert_true(number > last);
		last = number;
	}
	assert_true(last >= 75);
}

TEST(other_toolchains_list_no_architectures)
{
	char text[16] = "?";

	assert_ok(at_toolchain_architectures("c++", text, sizeof(text), NULL));
	assert_string_equal(text, "");
}

RUN_SUITE(NULL, NULL)
