/* The arguments that a space gives a kernel against those that the kernel takes: on the
   CPU and, where NVRTC is installed, for a GPU that is not present. */
#define _GNU_SOURCE
#include "program.h"
#include "wish.h"

static char *folder;

/* ---- what toolchains tell ---------------------------------------------------- */

static const char kinds_source[] =
	"struct pair { float a; int b; };\n"
	"enum color { red };\n"
	"template <class T, int N> __global__ void made(T *x, T y) { x[N] = y; }\n"
	"namespace deep { template <class T> struct list { T *first; }; }\n"
	"extern \"C\" __global__ void kinds(float *a, const double *__restrict__ b,\n"
	"	int c, unsigned d, float e, const double f, long long g, size_t h,\n"
	"	bool i, char j, short k, pair l, color m, float **n, const float o[],\n"
	"	float p[4], volatile int *q, float4 r, deep::list<int> s) { }\n"
	"extern \"C\" __global__ void none() { }\n";

/* "p8:float r4": a pointer to floats, and a float; the letters of tests/test_cubin.c */
static void write_parameters(
	const struct at_kernel_facts *facts, char *out, size_t size)
{
	static const char letters[AT_PARAMETER_KIND_COUNT + 1] = "-pirwoc";
	size_t length = 0;

	assert_true(facts->has_parameters);
	out[0] = '\0';
	for (size_t i = 0; i < facts->parameter_count; i++)
		length += (size_t)snprintf(out + length, size - length, "%s%c%u%s%s",
			i ? " " : "", letters[facts->parameters[i].kind],
			(unsigned)facts->parameters[i].bytes,
			facts->parameters[i].element ? ":" : "",
			facts->parameters[i].element
				? at_element_name(facts->parameters[i].element)
				: "");
	assert_true(length < size);
}

static const char narrow_source[] =
	"#include <cuda_bf16.h>\n"
	"#include <cuda_fp16.h>\n"
	"template <class T> __global__ void moved(const T *x, T *y) { }\n";

static const char *const kinds_kernels[] = { "kinds", "none", "made<double, 3>" };
static const char *const narrow_kernels[] = { "moved<half>", "moved<__nv_bfloat16>",
	"moved<half2>" };

static void compile_three(const char *toolchain, const char *source,
	const char *const kernels[3], const char *const expected[3])
{
	RELEASED(at_compile_result_release)
	struct at_compile_result result = COMPILE(.toolchain = toolchain,
		.source = source, .kernels = { kernels[0], kernels[1], kernels[2] });
	char text[256];

	if (result.outcome != AT_OUTCOME_OK)
		fail_msg("%s", result.log);
	for (size_t i = 0; i < 3; i++) {
		write_parameters(&result.kernels[i], text, sizeof(text));
		assert_string_equal(text, expected[i]);
	}
}

TEST(the_cxx_compiler_tells_sizes_and_kinds)
{
	static const char *const expected[] = {
		"p8:float c8:double i4 i4 r4 r8 i8 i8 i1 i1 i2 o8 i4 p8 c8:float p8:float p8:int o16 o8",
		"", "p8:double r8"
	};
	static const char *const narrow[] = { "c8:half p8:half",
		"c8:__nv_bfloat16 p8:__nv_bfloat16", "c8 p8" };

	need_toolchain("c++");
	compile_three("c++", kinds_source, kinds_kernels, expected);
	compile_three("c++", narrow_source, narrow_kernels, narrow);
}

TEST(nvrtc_tells_sizes_and_most_kinds)
{
	/* C's linkage, and nothing is read or written: no pointer shows */
	static const char *const expected[] = {
		"w8 w8 i4 i4 r4 r8 w8 w8 i1 i1 i2 o8 i4 w8 w8 w8 w8 o16 o8", "",
		"p8:double r8"
	};

	need_toolchain("nvrtc");
	compile_three("nvrtc", kinds_source, kinds_kernels, expected);
}

/* ---- whole spaces -------------------------------------------------------------- */

#define X "{ name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; }"
#define Y "{ name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; }"
#define SCALAR(name, type) "{ name = \"" name "\"; type = \"" type "\"; value = 2; }"
#define FACTOR(type) SCALAR("factor", type)
#define NO_FACTOR "{ name = \"factor\"; type = \"char\"; value = \"null\"; }"
#define N(type) SCALAR("n", type)
#define MAP \
	"{ name = \"map\"; kind = \"tensor_map\"; of = \"x\"; dims = ( \"N\" ); box = ( 4 ); }"
#define TEXTURE "{ name = \"image\"; kind = \"texture\"; of = \"x\"; width = \"N\"; }"
#define TABLE \
	"{ name = \"table\"; type = \"float\"; count = \"4\"; access = \"in\"; symbol = \"table\"; }"
#define PAIR(type) \
	"{ name = \"factor\"; type = \"" type "\"; value = ( \"0.5\", \"2\" ); }"
#define QUAD(type) "{ name = \"n\"; type = \"" type "\"; value = ( 1, 2, 3, 4 ); }"
#define TAKES "const float *x, float *y, float factor, int n"

static const struct {
	const char *parameters; /* of the kernel and its reference */
	const char *arguments[5]; /* in lines 6 and on of the space */
	/* the message about it, after the file: NULL for nothing; the second where only
	   PTX tells, NULL for the same, "" for nothing */
	const char *told;
	const char *told_by_ptx;
} rows[] = {
	{ TAKES, { X, Y, FACTOR("float"), N("int") }, NULL, NULL },
	/* of one size, and what C++ would make of each other */
	{ "const float *__restrict__ x, float *__restrict__ y, const float factor, unsigned n",
		{ X, Y, FACTOR("float"), N("int") }, NULL, NULL },
	{ "const float x[], float y[16], float factor, size_t n",
		{ X, Y, FACTOR("float"), N("long long") }, NULL, NULL },
	{ "const void *x, void *y, wrapped factor, color n",
		{ X, Y, FACTOR("float"), N("unsigned int") }, NULL, NULL },
	{ "held x, held y, bool factor, unsigned char n",
		{ X, Y, FACTOR("char"), N("char") }, NULL, NULL },
	/* pointers that are null */
	{ "const float *x, float *y, const char *factor, int n",
		{ X, Y, NO_FACTOR, N("int") }, NULL, NULL },
	{ "const float *x, float *y, long long factor, int n",
		{ X, Y, NO_FACTOR, N("int") },
		":8: argument 3, \"factor\", is a null pointer here and an integer of 8 bytes in the kernel \"scale\": are the arguments in the kernel's order?",
		"" },
	/* of other sizes */
	{ TAKES, { X, Y, FACTOR("double"), N("int") },
		":8: argument 3, \"factor\", is 8 bytes here and 4 in the kernel \"scale\": type \"float\"?",
		NULL },
	{ "const float *x, float *y, float factor, size_t n",
		{ X, Y, FACTOR("float"), N("int") },
		":9: argument 4, \"n\", is 4 bytes here and 8 in the kernel \"scale\": type \"long long\"?",
		":9: argument 4, \"n\", is 4 bytes here and 8 in the kernel \"scale\": type \"long long\", or a buffer?" },
	{ "const float *x, float *y, double factor, bool n",
		{ X, Y, FACTOR("double"), N("unsigned int") },
		":9: argument 4, \"n\", is 4 bytes here and 1 in the kernel \"scale\": type \"unsigned char\"?",
		NULL },
	{ "const float *x, float *y, wide factor, int n",
		{ X, Y, FACTOR("float"), N("int") },
		":8: argument 3, \"factor\", is \"float\" here and a struct of 16 bytes in the kernel \"scale\"",
		NULL },
	/* vectors: a list of values here, one struct there */
	{ "const float *x, float *y, float2 factor, uint4 n",
		{ X, Y, PAIR("float2"), QUAD("uint4") }, NULL, NULL },
	{ "const float *x, float *y, float factor, int n",
		{ X, Y, PAIR("float2"), N("int") },
		":8: argument 3, \"factor\", is 8 bytes here and 4 in the kernel \"scale\": type \"float\"?",
		NULL },
	{ "const float *x, float *y, float2 factor, int n",
		{ X, Y, FACTOR("float"), N("int") },
		":8: argument 3, \"factor\", is \"float\" here and a struct of 8 bytes in the kernel \"scale\"",
		NULL },
	{ "const float *x, float *y, float4 factor, int n",
		{ X, Y, PAIR("float2"), N("int") },
		":8: argument 3, \"factor\", is a vector of 2 \"float\" here and a struct of 16 bytes in the kernel \"scale\"",
		NULL },
	/* of other kinds */
	{ TAKES, { X, Y, FACTOR("int"), N("int") },
		":8: argument 3, \"factor\", is \"int\" here and a real number of 4 bytes in the kernel \"scale\": type \"float\"?",
		NULL },
	{ TAKES, { X, Y, FACTOR("float"), N("float") },
		":9: argument 4, \"n\", is \"float\" here and an integer of 4 bytes in the kernel \"scale\": type \"int\"?",
		NULL },
	{ "const float *x, float *y, float factor, long long n",
		{ X, Y, FACTOR("float"), N("double") },
		":9: argument 4, \"n\", is \"double\" here and an integer of 8 bytes in the kernel \"scale\": type \"long long\"?",
		":9: argument 4, \"n\", is \"double\" here and a pointer or an integer of 8 bytes in the kernel \"scale\": type \"long long\", or a buffer?" },
	{ "const float *x, float *y, double factor, int n",
		{ X, Y, FACTOR("long long"), N("int") },
		":8: argument 3, \"factor\", is \"long long\" here and a real number of 8 bytes in the kernel \"scale\": type \"double\"?",
		NULL },
	/* pointers and scalars for each other */
	{ "const float x, float *y, float factor, int n",
		{ X, Y, FACTOR("float"), N("int") },
		":6: argument 1, \"x\", is a buffer here and a real number of 4 bytes in the kernel \"scale\": are the arguments in the kernel's order?",
		NULL },
	{ "const float *x, long long y, float factor, int n",
		{ X, Y, FACTOR("float"), N("int") },
		":7: argument 2, \"y\", is a buffer here and an integer of 8 bytes in the kernel \"scale\": are the arguments in the kernel's order?",
		"" },
	{ "const float *x, float *y, float factor, const int *n",
		{ X, Y, FACTOR("float"), N("long long") },
		":9: argument 4, \"n\", is a scalar here and a pointer in the kernel \"scale\": a buffer has count and access instead of value",
		"" },
	{ TAKES, { X, Y, N("int"), FACTOR("float") },
		":8: argument 3, \"n\", is \"int\" here and a real number of 4 bytes in the kernel \"scale\": type \"float\"?",
		NULL },
	/* buffers for each other: nothing but const tells */
	{ TAKES, { Y, X, FACTOR("float"), N("int") },
		":6: argument 1, \"y\", is an output here, and the kernel \"scale\" takes it as const: are the arguments in the kernel's order?",
		"" },
	/* a tensor map has 128 bytes */
	{ TAKES, { X, Y, FACTOR("float"), MAP },
		":9: argument 4, \"map\", is a tensor map here and an integer of 4 bytes in the kernel \"scale\": are the arguments in the kernel's order?",
		NULL },
	{ "const float *x, float *y, float factor, object n",
		{ X, Y, FACTOR("float"), N("int") },
		":9: argument 4, \"n\", is \"int\" here and a struct of 128 bytes (a tensor map?) in the kernel \"scale\"",
		NULL },
	/* an object of 8 bytes */
	{ "const float *x, float *y, float factor, unsigned long long n",
		{ X, Y, FACTOR("float"), TEXTURE }, NULL, NULL },
	{ TAKES, { X, Y, FACTOR("float"), TEXTURE },
		":9: argument 4, \"image\", is a texture here and an integer of 4 bytes in the kernel \"scale\": are the arguments in the kernel's order?",
		NULL },
	{ "unsigned long long image, float *y, float factor, int n",
		{ X, Y, FACTOR("float"), N("int") },
		":6: argument 1, \"x\", is a buffer here and an integer of 8 bytes in the kernel \"scale\": are the arguments in the kernel's order?",
		"" },
	/* how many */
	{ TAKES, { X, Y, FACTOR("float") },
		":1: the kernel \"scale\" takes 4 parameters, the space gives it 3: x, y, factor; add the others to \"arguments\", in the kernel's order",
		NULL },
	{ TAKES, { X, Y, FACTOR("float"), N("int"), SCALAR("extra", "int") },
		":1: the kernel \"scale\" takes 4 parameters, the space gives it 5: x, y, factor, n, extra; kernel.arguments says which, in the kernel's order",
		NULL },
	{ TAKES, { X, Y, FACTOR("float"), N("int"), TABLE },
		":1: the kernel \"scale\" takes 4 parameters, the space gives it 5: x, y, factor, n, table; kernel.arguments says which (without \"table\", if that is only a variable), in the kernel's order",
		NULL },
	{ "", { X, Y },
		":1: the kernel \"scale\" takes 0 parameters, the space gives it 2: x, y; kernel.arguments says which, in the kernel's order",
		NULL },
};

/* What a buffer x of that type is to an instance for T; the reference is plain. */
static const struct {
	const char *instance, *type;
	bool is_told;
	const char *pointer; /* what the instance takes as x; NULL: const T * */
} instances[] = {
	{ "float", "float", false, NULL },
	{ "int", "unsigned int", false, NULL },
	{ "unsigned", "int", false, NULL },
	{ "long", "long long", false, NULL },
	{ "bool", "unsigned char", false, NULL },
	/* a part of the numbers is read, or not as the numbers that they are */
	{ "int", "long long", true, NULL },
	{ "unsigned", "double", true, NULL },
	{ "float", "double", true, NULL },
	{ "double", "float", true, NULL },
	{ "float", "int", true, NULL },
	{ "int", "float", true, NULL },
	{ "short", "int", true, NULL },
	{ "signed char", "int", true, NULL },
	{ "unsigned char", "float", true, NULL },
	{ "float", "half", true, NULL },
	{ "long long", "int", true, NULL },
	/* bits, words of several numbers, bytes, vectors, structures */
	{ "unsigned", "float", false, NULL },
	{ "unsigned long long", "float", false, NULL },
	{ "unsigned short", "half", false, NULL },
	{ "int", "char", false, NULL },
	{ "float", "unsigned char", false, NULL },
	{ "char", "float", false, NULL },
	{ "float4", "float", false, NULL },
	{ "int2", "double", false, NULL },
	{ "pair", "float", false, NULL },
	{ "int", "float", false, "const void *" },
	/* what the template makes of its argument */
	{ "float", "float", false, "const typename same<T>::type *" },
	{ "int", "long long", true, "const volatile T *__restrict__" },
	{ "int", "float", false, "const T *const *" },
};

static void write_file(const char *name, const char *text)
{
	OWNED(free) char *path = scratch_path(folder, name);

	file_write(path, text);
}

/* Writes what space and code hold, which are released, as FOLDER/NAMEINDEX.cfg and .cu;
   the path of the space, heap. */
static char *write_pair(
	const char *name, size_t index, struct at_strbuf *space, struct at_strbuf *code)
{
	char file[40];

	snprintf(file, sizeof(file), "%s%zu.cu", name, index);
	write_file(file, at_strbuf_text(code));
	snprintf(file, sizeof(file), "%s%zu.cfg", name, index);
	write_file(file, at_strbuf_text(space));
	at_strbuf_release(space);
	at_strbuf_release(code);
	return scratch_path(folder, file);
}

/* Checks spaces at once: one that is wrong does not keep the others from being read. */
static void check_all(const char *option, const char *value, const char *compile,
	char *(*write)(size_t index), char **paths, size_t count,
	struct program_result *result)
{
	const char *words[64] = { "check", option, value, "--compile", compile,
		"--quiet" };

	assert_true(count + 7 <= AT_COUNT_OF(words));
	for (size_t i = 0; i < count; i++)
		words[6 + i] = paths[i] = write(i);
	program_run(words, result);
}

/* Of a row, as FOLDER/rowINDEX.cfg; its path, heap. */
static char *write_row(size_t index)
{
	struct at_strbuf text = { 0 }, code = { 0 };

	at_strbuf_addf(&code,
		"struct wrapped { float value; }; struct wide { double a, b; };\n"
		"struct held { void *address; }; enum color { red };\n"
		"struct alignas(64) object { unsigned long long numbers[16]; };\n"
		"__constant__ float table[4];\n"
		"extern \"C\" __global__ void scale(%s) { }\n"
		"extern \"C\" __global__ void right(float *y) { y[0] = 1; }\n",
		rows[index].parameters);
	at_strbuf_addf(&text,
		"kernel: { name = \"scale\"; template = \"row%zu.cu\"; reference = { kernel = \"right\"; arguments = ( \"y\" ); }; };\n"
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { BLOCK = [ 32, 64 ]; }; defaults: { BLOCK = 32; };\n"
		"launch: { block = ( \"BLOCK\" ); grid = ( \"1\" ); };\n"
		"arguments = (\n",
		index);
	for (size_t i = 0; i < 5 && rows[index].arguments[i]; i++)
		at_strbuf_addf(
			&text, "%s  %s", i ? ",\n" : "", rows[index].arguments[i]);
	at_strbuf_add(&text, "\n);\n");
	return write_pair("row", index, &text, &code);
}

/* Of a run: in one folder spaces of one kernel's name would be refused. Heap. */
static char *new_results(void)
{
	static unsigned count;
	char name[32];

	snprintf(name, sizeof(name), "results%u", count++);
	return scratch_path(folder, name);
}

/* The message about the space must be this one line; NULL: no message. */
static void judge(const char *errors, const char *path, const char *told)
{
	const char *line = strstr(errors, path);
	size_t length = line ? strcspn(line, "\n") : 0, name = strlen(path);

	if (!line) {
		if (told)
			fail_msg("%s: not told in: %s", path, errors);
		return;
	}
	if (!told)
		fail_msg("sound, and told: %s", line);
	else if (length - name != strlen(told) ||
		 strncmp(line + name, told, length - name) != 0)
		fail_msg("told: %.*s\nexpected: %s", (int)length, line, told);
	if (strstr(line + length, path))
		fail_msg("told twice: %s", errors);
}

static void check_rows(const char *option, const char *value, bool by_ptx)
{
	char *paths[AT_COUNT_OF(rows)];
	RELEASED(program_release) struct program_result result;

	check_all(option, value, "1", write_row, paths, AT_COUNT_OF(rows), &result);
	assert_int_equal(result.exit_status, 1);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const char *told = rows[i].told;

		if (by_ptx && rows[i].told_by_ptx)
			told = rows[i].told_by_ptx[0] ? rows[i].told_by_ptx : NULL;
		judge(result.errors, paths[i], told);
		free(paths[i]);
	}
}

LONG_TEST(check_tells_what_does_not_fit_on_the_cpu)
{
	check_rows("--device", "host", false);
}

TEST(check_tells_what_does_not_fit_on_a_gpu)
{
	need_toolchain("nvrtc");
	check_rows("--arch", "sm_90", true);
}

/* Of an instance, as FOLDER/instanceINDEX.cfg; its path, heap. */
static char *write_instance(size_t index)
{
	struct at_strbuf text = { 0 }, code = { 0 };

	at_strbuf_addf(&code,
		"struct pair { float a, b; };\n"
		"template <class T> struct same { typedef T type; };\n"
		"namespace deep { template <int N, class T> __global__ void scale(%s x, float *y) { } }\n"
		"extern \"C\" __global__ void right(float *y) { y[0] = 1; }\n",
		instances[index].pointer ? instances[index].pointer : "const T *");
	at_strbuf_addf(&text,
		"kernel: { name = \"deep::scale<BLOCK, %s>\"; template = \"instance%zu.cu\"; reference = { kernel = \"right\"; arguments = ( \"y\" ); }; };\n"
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { BLOCK = [ 32, 64 ]; }; defaults: { BLOCK = 32; };\n"
		"launch: { block = ( \"BLOCK\" ); grid = ( \"1\" ); };\n"
		"arguments = (\n"
		"  { name = \"x\"; type = \"%s\"; count = \"N\"; access = \"in\"; },\n"
		"  " Y "\n"
		");\n",
		instances[index].instance, index, instances[index].type);
	return write_pair("instance", index, &text, &code);
}

static void check_instances(const char *option, const char *value)
{
	char *paths[AT_COUNT_OF(instances)];
	RELEASED(program_release) struct program_result result;

	check_all(option, value, "0", write_instance, paths, AT_COUNT_OF(instances),
		&result);
	for (size_t i = 0; i < AT_COUNT_OF(instances); i++) {
		enum at_element type = AT_ELEMENT_NONE, element = AT_ELEMENT_NONE;
		char told[400];
		int lanes;

		if (instances[i].is_told) {
			assert_true(at_element_find(
					    instances[i].instance, &element, &lanes) &&
				    at_element_find(instances[i].type, &type, &lanes));
			snprintf(told, sizeof(told),
				":6: argument 1, \"x\", is \"%s\" here, and the kernel \"deep::scale<32, %s>\" takes a pointer to \"%s\": give it that type (a kernel that means the bytes as they are takes void * or char *)",
				at_element_name(type), instances[i].instance,
				at_element_name(element));
		}
		judge(result.errors, paths[i], instances[i].is_told ? told : NULL);
		free(paths[i]);
	}
	assert_int_equal(result.exit_status, 1);
}

LONG_TEST(buffers_are_what_instances_read_on_the_cpu)
{
	check_instances("--device", "host");
}

TEST(buffers_are_what_instances_read_on_a_gpu)
{
	need_toolchain("nvrtc");
	check_instances("--arch", "sm_90");
}

/* ---- variables ------------------------------------------------------------------ */

#define LINE \
	":6: nothing receives the contents of argument \"w\": the compiled baseline has no variable \"%s\" that a kernel reads, and the reference neither; name a __constant__ or __device__ variable with its namespaces, as in \"blur::weights\" (on host a __constant__ one)"

/* Where the weights of a kernel are; the reference has them as an argument. */
static const struct {
	const char *declared, *read, *symbol;
	bool is_told;
} variables[] = {
	{ "__constant__ float weights[4];", "weights", "weights", false },
	{ "static __constant__ float weights[4];", "weights", "weights", false },
	{ "namespace blur { __constant__ float weights[4]; }", "blur::weights",
		"blur::weights", false },
	{ "namespace blur { __constant__ float weights[4]; }", "blur::weights",
		"weights", false },
	{ "namespace blur { namespace a { static __constant__ float weights[4]; } }",
		"blur::a::weights", "blur::a::weights", false },
	{ "namespace { __constant__ float weights[4]; }", "weights", "weights", false },
	{ "namespace a { __constant__ float weights[4]; } namespace b { __constant__ float weights[4]; }",
		"b::weights", "b::weights", false },
	{ "namespace a { __constant__ float weights[4]; } namespace b { __constant__ float weights[4]; }",
		"b::weights", "weights", true },
	{ "namespace blur { __constant__ float weights[4]; }", "blur::weights",
		"right::weights", true },
	{ "#if 0\n__constant__ float table[4];\n#endif\nconstexpr float weights[4] = { 1, 2, 3, 4 };",
		"weights", "table", true },
	/* the kernel takes them itself, and only other configurations have the variable
	 */
	{ "#if BLOCK > 32\n__constant__ float table[4];\n#endif", "w", "table", false },
};

/* Of a variable, as FOLDER/variableINDEX.cfg; its path, heap. */
static char *write_variable(size_t index)
{
	bool is_taken = !strcmp(variables[index].read, "w");
	struct at_strbuf text = { 0 }, code = { 0 };

	at_strbuf_addf(&code,
		"%s\n"
		"extern \"C\" __global__ void scale(const float *x, %sfloat *y)\n"
		"{ int i = blockIdx.x * BLOCK + threadIdx.x; y[i] = x[i] * %s[i %% 4]; }\n"
		"extern \"C\" __global__ void right(const float *x, const float *w, float *y)\n"
		"{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < 64) y[i] = x[i] * w[i %% 4]; }\n",
		variables[index].declared, is_taken ? "const float *w, " : "",
		variables[index].read);
	at_strbuf_addf(&text,
		"kernel: { name = \"scale\"; template = \"variable%zu.cu\"; arguments = ( \"x\",%s \"y\" ); reference = { kernel = \"right\"; arguments = ( \"x\", \"w\", \"y\" ); }; };\n"
		"problems = ( { name = \"p\"; N = 64; } ); verify: { derive = false; };\n"
		"parameters: { BLOCK = [ 32, 64 ]; }; defaults: { BLOCK = 32; };\n"
		"launch: { block = ( \"BLOCK\" ); grid = ( \"N / BLOCK\" ); };\n"
		"arguments = ( " X ",\n"
		"  { name = \"w\"; type = \"float\"; count = 4; access = \"in\"; symbol = \"%s\"; },\n"
		"  " Y " );\n"
		"search: { samples = [ 3, 5 ]; cache = \"warm\"; };\n",
		index, is_taken ? " \"w\"," : "", variables[index].symbol);
	return write_pair("variable", index, &text, &code);
}

/* The line about it; NULL: none. */
static const char *told_of_variable(size_t index, char *out, size_t size)
{
	snprintf(out, size, LINE, variables[index].symbol);
	return variables[index].is_told ? out : NULL;
}

static void check_variables(const char *option, const char *value)
{
	char *paths[AT_COUNT_OF(variables)], told[400];
	RELEASED(program_release) struct program_result result;

	check_all(option, value, "0", write_variable, paths, AT_COUNT_OF(variables),
		&result);
	for (size_t i = 0; i < AT_COUNT_OF(variables); i++) {
		judge(result.errors, paths[i], told_of_variable(i, told, sizeof(told)));
		free(paths[i]);
	}
}

LONG_TEST(variables_are_found_in_namespaces_on_the_cpu)
{
	check_variables("--device", "host");
}

TEST(variables_are_found_in_namespaces_on_a_gpu)
{
	need_toolchain("nvrtc");
	check_variables("--arch", "sm_90");
}

/*
 * Of a run: it ends with that line, and nothing was measured; that another
 * configuration does not fit either may have been told before.
 */
static void tune_in_vain(const char *path, const char *told)
{
	OWNED(free) char *results = new_results();
	RELEASED(program_release) struct program_result result;
	OWNED(at_json_free) struct at_json *events;

	program_run((const char *const[]){ "tune", path, "--device", "host",
			    "--results", results, "--json", "--quiet", NULL },
		&result);
	assert_int_equal(result.exit_status, 1);
	judge(result.errors, path, told);
	events = program_events(result.output, "evaluation");
	for (size_t i = 0; i < at_json_count(events); i++)
		assert_string_equal(
			at_json_text(at_json_get(at_json_at(events, i), "outcome")),
			"launch_failed");
}

/* The kernel is wrong without them. */
LONG_TEST(contents_reach_variables_in_namespaces)
{
	for (size_t i = 0; i < AT_COUNT_OF(variables); i++) {
		char *path, *results, told[400];
		struct program_result result;

		/* each is a run: static, unnamed and inner ones, and no kernel */
		if (strstr(variables[i].declared, "static") == NULL &&
			strstr(variables[i].declared, "namespace {") == NULL &&
			strstr(variables[i].declared, "constexpr") == NULL)
			continue;
		path = write_variable(i);
		if (variables[i].is_told) {
			tune_in_vain(path, told_of_variable(i, told, sizeof(told)));
			free(path);
			continue;
		}
		results = new_results();
		program_run((const char *const[]){ "tune", path, "--device", "host",
				    "--results", results, "--quiet", NULL },
			&result);
		if (result.exit_status)
			fail_msg("%s: %s", variables[i].declared, result.errors);
		program_release(&result);
		free(results);
		free(path);
	}
}

/* Before anything is launched, and before anything is told of it. */
TEST(a_run_ends_at_once_where_its_baseline_does_not_fit)
{
	size_t tried = 0;

	/* each is a run: one of each kind will do */
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		char *path;

		if (!rows[i].told || strstr(rows[i].told, "argument 4") ||
			strstr(rows[i].told, "struct") || rows[i].told_by_ptx)
			continue;
		tried++;
		path = write_row(i);
		tune_in_vain(path, rows[i].told);
		free(path);
	}
	assert_true(tried >= 5);
}

#define OTHER_SPACE(prepare, reference_arguments) \
	"kernel: { name = \"scale\"; template = \"other.cu\"; arguments = ( \"y\", \"factor\" );\n" \
	"  reference = { kernel = \"right\"; arguments = " reference_arguments \
	"; }; };\n" \
	"problems = ( { name = \"p\"; N = 64; } );\n" \
	"parameters: { WIDE = [ false, true ]; }; defaults: { WIDE = false; };\n" \
	"launch: { block = ( \"64\" ); grid = ( \"1\" ); };\n" prepare \
	"arguments = (\n" \
	"  " Y ",\n" \
	"  { name = \"s\"; type = \"float\"; count = \"N\"; access = \"scratch\"; },\n" \
	"  " FACTOR("float") "\n" \
			     ");\n" \
			     "search: { samples = [ 3, 5 ]; cache = \"warm\"; };\n"

static const char other_source[] =
	"#if WIDE\n"
	"typedef double real;\n"
	"#else\n"
	"typedef float real;\n"
	"#endif\n"
	"extern \"C\" __global__ void scale(float *y, real factor)\n"
	"{ y[threadIdx.x] = (float)factor * (threadIdx.x + 1); }\n"
	"extern \"C\" __global__ void first(float *s, double factor) { s[0] = factor; }\n"
	"extern \"C\" __global__ void right(float *y, float factor)\n"
	"{ for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < 64;\n"
	"	i += blockDim.x * gridDim.x) y[i] = factor * (i + 1); }\n"
	"extern \"C\" __global__ void many(float *y, float factor, int n) { }\n";

/* prepare, finish and the reference are looked at as the kernel is */
LONG_TEST(other_kernels_must_fit_too)
{
	static const struct {
		const char *space, *told;
	} cases[] = {
		{ OTHER_SPACE(
			  "prepare: { kernel = \"first\"; arguments = ( \"s\", \"factor\" ); block = ( \"1\" ); grid = ( \"1\" ); };\n",
			  "( \"y\", \"factor\" )"),
			":10: argument 2, \"factor\", is 4 bytes here and 8 in the kernel \"first\": type \"double\"?" },
		{ OTHER_SPACE(
			  "finish: { kernel = \"first\"; arguments = ( \"s\" ); block = ( \"1\" ); grid = ( \"1\" ); };\n",
			  "( \"y\", \"factor\" )"),
			":6: the kernel \"first\" takes 2 parameters, the space gives it 1: s; finish.arguments says which, in the kernel's order" },
		{ OTHER_SPACE("", "( \"y\" )"),
			":2: the kernel \"right\" takes 2 parameters, the space gives it 1: y; reference.arguments says which, in the kernel's order" },
		{ "kernel: { name = \"scale\"; template = \"other.cu\"; reference = \"many\"; };\n"
		  "problems = ( { name = \"p\"; N = 64; } );\n"
		  "parameters: { WIDE = [ false ]; };\n"
		  "launch: { block = ( \"64\" ); grid = ( \"1\" ); };\n"
		  "arguments = ( " Y ", " FACTOR("float") " );\n",
			":1: the kernel \"many\" takes 3 parameters, the space gives it 2: y, factor; add the others to \"arguments\" (if the tuned kernel takes fewer, kernel.arguments and reference.arguments say which), in the kernel's order" },
		{ OTHER_SPACE("", "( \"factor\", \"y\" )"),
			":9: argument 1, \"factor\", is a scalar here and a pointer in the kernel \"right\": a buffer has count and access instead of value" },
	};
	OWNED(free) char *path = scratch_path(folder, "row.cfg");
	struct program_result result;

	write_file("other.cu", other_source);
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		write_file("row.cfg", cases[i].space);
		program_run((const char *const[]){ "check", path, "--device", "host",
				    "--compile", "0", "--quiet", NULL },
			&result);
		assert_int_equal(result.exit_status, 1);
		judge(result.errors, path, cases[i].told);
		program_release(&result);
		tune_in_vain(path, cases[i].told);
	}
}

/* Where only some do not fit, they are refused and the others tuned. */
TEST(a_configuration_that_does_not_fit_is_refused_alone)
{
	static const char detail[] =
		"argument 2, \"factor\", is 4 bytes here and 8 in the kernel \"scale\": type \"double\"?";
	OWNED(free)
	char *path = scratch_path(folder, "row.cfg"), *results = new_results();
	struct program_result result;
	struct at_json *events;
	size_t refused = 0;

	write_file("other.cu", other_source);
	write_file("row.cfg", OTHER_SPACE("", "( \"y\", \"factor\" )"));
	program_run((const char *const[]){ "tune", path, "--device", "host",
			    "--results", results, "--json", NULL },
		&result);
	if (result.exit_status)
		fail_msg("%s", result.errors);
	events = program_events(result.output, "evaluation");
	for (size_t i = 0; i < at_json_count(events); i++) {
		const struct at_json *event = at_json_at(events, i);
		bool is_wide = at_json_is_true(
			at_json_get(at_json_get(event, "configuration"), "WIDE"));

		assert_string_equal(at_json_text(at_json_get(event, "outcome")),
			is_wide ? "launch_failed" : "ok");
		if (is_wide)
			assert_string_equal(
				at_json_text(at_json_get(event, "detail")), detail);
		refused += is_wide;
	}
	assert_int_equal(refused, 1);
	at_json_free(events);
	program_release(&result);

	program_run((const char *const[]){ "check", path, "--device", "host",
			    "--compile", "1", "--json", NULL },
		&result);
	assert_int_equal(result.exit_status, 1);
	assert_non_null(strstr(result.errors,
		"row.cfg: WIDE=true (problem p) cannot be launched on host: "));
	assert_non_null(strstr(result.errors, detail));
	events = program_events(result.output, "precheck");
	assert_int_equal(at_json_count(events), 2);
	assert_string_equal(
		at_json_text(at_json_get(at_json_at(events, 0), "outcome")), "ok");
	assert_string_equal(at_json_text(at_json_get(at_json_at(events, 1), "outcome")),
		"launch_failed");
	at_json_free(events);
	program_release(&result);
}

static int make_folder(void **state)
{
	folder = scratch_folder("signature");
	return 0;
}

RUN_SUITE(make_folder, NULL)
