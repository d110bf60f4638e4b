/* What is said of a compiler's error beside its own words. */
#include "kernel/advice.h"
#include "kernel/cxx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define SOURCE \
	"#define AUTOTUNE 1\n#define BLOCK 4\n#define LAYOUT_aos 1\n" \
	"#define LAYOUT LAYOUT_aos\n#line 1 \"k.cu\"\n#include <cuda_fp16.h>\n"
#define NVRTC(name) "k.cu(3): error: identifier \"" name "\" is undefined\n"
#define GCC(name) "k.cu:3:9: error: '" name "' was not declared in this scope\n"
#define OTHER_NAME \
	"hint: CUDA, or the template, has another function of that name: give the kernel a longer one, in \"function\" of the space too\n"
#define OF_OPENCL \
	"this is OpenCL, and a template is CUDA C++: __kernel is __global__ there, __local is __shared__, __global is left out, and get_group_id(0), get_local_id(0) are blockIdx.x, threadIdx.x\n"
#define OF_A_PROGRAM \
	"all functions of a template are __global__ or __device__: main(), launches and what else a CPU runs belong into another file\n"
#define GPU_ONLY(name) \
	"hint: host has no " name \
	": what is CUDA's and not there runs on GPUs only; leave it out where AUTOTUNE_HOST is defined, or give the problems on = \"cuda\"\n"

static const struct {
	const char *toolchain, *log, *told;
} cases[] = {
	{ "nvrtc", NVRTC("INFINITY"), "hint: #include <cmath> has it\n" },
	{ AT_TOOLCHAIN_CXX, GCC("uint32_t"), "hint: #include <cstdint> has it\n" },
	{ AT_TOOLCHAIN_CXX, "k.cu:3:9: error: 'FLT_MAX' has not been declared\n",
		"hint: #include <cfloat> has it\n" },
	{ AT_TOOLCHAIN_CXX, "k.cu:3:9: error: unknown type name '__nv_bfloat162'\n",
		"hint: #include <cuda_bf16.h> has it\n" },
	{ "nvrtc", NVRTC("curandState"), "hint: #include <curand_kernel.h> has it\n" },
	/* it is included, and has no such name */
	{ AT_TOOLCHAIN_CXX, GCC("__half_of_it"), GPU_ONLY("__half_of_it") },
	{ AT_TOOLCHAIN_CXX, GCC("__cluster_dims"), GPU_ONLY("__cluster_dims") },
	{ "nvrtc", NVRTC("__cluster_dims"), "" },
	/* parameters, but not their words, nor ours */
	{ "nvrtc", NVRTC("TILE"),
		"hint: TILE is no parameter of the space, of which the template reads BLOCK and LAYOUT; of a size, options = ( \"-DTILE=${SIZE}\" ) makes a macro\n" },
	{ AT_TOOLCHAIN_CXX, "k.cu:3:9: error: use of undeclared identifier 'block'\n",
		"hint: the parameter is called BLOCK\n" },
	{ AT_TOOLCHAIN_CXX, GCC("factr"), "" },
	/* code of a CPU */
	{ "nvrtc",
		"k.cu(9): error: A function without execution space annotations is considered a host function, and\n",
		"hint: " OF_A_PROGRAM },
	{ AT_TOOLCHAIN_CXX,
		"k.cu:21:11: error: expected primary-expression before '<' token\n",
		"hint: " OF_A_PROGRAM },
	{ AT_TOOLCHAIN_CXX, GCC("cudaMalloc"),
		"hint: cudaMalloc is no kernel's; " OF_A_PROGRAM },
	{ "nvrtc", NVRTC("cudaDeviceSynchronize"),
		"hint: cudaDeviceSynchronize is no kernel's; " OF_A_PROGRAM },
	{ AT_TOOLCHAIN_CXX, GCC("cudaTextureObject_t"),
		GPU_ONLY("cudaTextureObject_t") },
	{ "nvrtc",
		"k.cu(9): error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag\n",
		"hint: a lambda needs no __device__ here: leave it out, or take toolchain = \"nvcc\" and that option\n" },
	{ AT_TOOLCHAIN_CXX,
		"/cuda/vector_types.h:175:27: error: redefinition of 'struct char1'\n",
		"hint: the template includes a header for programs, as cublas_v2.h is: leave it out, or put it between #ifndef AUTOTUNE and #endif\n" },
	/* code of another language */
	{ AT_TOOLCHAIN_CXX, "k.cu:1:1: error: '__kernel' does not name a type\n",
		"hint: " OF_OPENCL },
	{ "nvrtc", NVRTC("get_global_id"), "hint: " OF_OPENCL },
	{ AT_TOOLCHAIN_CXX, GCC("get_local_id"), "hint: " OF_OPENCL },
	{ AT_TOOLCHAIN_CXX,
		"k.cu:3:9: error: redefinition of 'void my__kernel(float*, int)'\n",
		"" },
	{ "nvrtc",
		"k.cu(3): error: function \"get_local_id\" has already been defined\n",
		"" },
	{ AT_TOOLCHAIN_CXX,
		"k.cu:1:10: fatal error: hip/hip_runtime.h: No such file or directory\n",
		"hint: a template is CUDA C++: leave this line out, or put it between #ifndef AUTOTUNE and #endif\n" },
	/* a name that CUDA has */
	{ "nvrtc",
		"k.cu(2): error: more than one instance of overloaded function \"norm\" has \"C\" linkage\n",
		OTHER_NAME },
	{ "nvrtc",
		"k.cu(2): error: two functions with the same parameter types but different exception specifications cannot be overloaded\n",
		OTHER_NAME },
	/* the first error is the one that counts */
	{ "nvrtc", "k.cu(2): error: expected a \";\"\n" NVRTC("INFINITY"), "" },
	{ "nvrtc", "", "" },
};

static void a_hint_goes_with_the_first_error(void **state)
{
	(void)state;
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		const struct at_compile_request request = {
			.toolchain = (char *)cases[i].toolchain,
			.name = (char *)"k.cu",
			.source = (char *)SOURCE,
		};
		struct at_strbuf told = { 0 };

		at_advice_add(&request, cases[i].log, &told);
		assert_string_equal(at_strbuf_text(&told), cases[i].told);
		at_strbuf_release(&told);
	}
}

static void it_stands_behind_the_error(void **state)
{
	char line[200];

	(void)state;
	at_compile_first_error("hint: #include <cmath> has it\n" NVRTC("INFINITY"),
		line, sizeof(line));
	assert_string_equal(line,
		"k.cu(3): error: identifier \"INFINITY\" is undefined; hint: #include <cmath> has it");
}

static void a_size_is_said_to_be_no_macro(void **state)
{
	static char *sizes[] = { (char *)"height", (char *)"width" };
	struct at_spec spec = { .size_count = 2, .size_names = sizes };
	char line[512];

	at_advice_first_error(&spec, GCC("width"), line, sizeof(line));
	assert_string_equal(line,
		"k.cu:3:9: error: 'width' was not declared in this scope; hint: width is a size, and sizes are no macros: options = ( \"-Dwidth=${width}\" ) makes one, or the kernel takes it as an argument");
	at_advice_first_error(&spec, NVRTC("depth"), line, sizeof(line));
	assert_string_equal(line, "k.cu(3): error: identifier \"depth\" is undefined");
	/* one hint is enough */
	at_advice_first_error(
		&spec, "hint: other\n" NVRTC("width"), line, sizeof(line));
	assert_string_equal(
		line, "k.cu(3): error: identifier \"width\" is undefined; hint: other");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hint_goes_with_the_first_error),
		cmocka_unit_test(a_size_is_said_to_be_no_macro),
		cmocka_unit_test(it_stands_behind_the_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
