/* Finds what a compiler's first error may mean to somebody who tunes: see advice.h. */
#include "kernel/advice.h"

#include "base/text.h"
#include "kernel/cxx.h"
#include "kernel/scan.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
	LINE_BYTES = 512,
	PARAMETERS_MAX = 16,
	NAME_BYTES = 80,
};

/* ---- the name that is complained of ---------------------------------------- */

/* Ahead of it, and behind it; the quotes of gcc depend on the language. */
static const struct {
	const char *before, *after;
} complaints[] = {
	{ "identifier \"", "\" is undefined" }, /* NVRTC, nvcc */
	{ "'", "' was not declared in this scope" }, /* gcc */
	{ "'", "' does not name a type" },
	{ "'", "' has not been declared" },
	{ "use of undeclared identifier '", "'" }, /* clang */
	{ "unknown type name '", "'" },
};

static bool is_name(const char *text, size_t length)
{
	if (!length || isdigit((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return true;
}

/* Of the words of one complaint; what is quoted ahead of it is none. */
static bool read_between(
	const char *line, const char *before, const char *after, char *name)
{
	const char *end = strstr(line, after), *start;
	size_t length;

	/* where nothing follows the name, its end is the first quote behind it */
	if (end && after[1] == '\0') {
		start = strstr(line, before);
		end = start ? strstr(start + strlen(before), after) : NULL;
		start = start ? start + strlen(before) : NULL;
	} else {
		start = end;
		while (start && start > line &&
			(isalnum((unsigned char)start[-1]) || start[-1] == '_'))
			start--;
	}
	if (!end || !start || (size_t)(start - line) < strlen(before) ||
		strncmp(start - strlen(before), before, strlen(before)) != 0)
		return false;
	length = (size_t)(end - start);
	if (length >= NAME_BYTES || !is_name(start, length))
		return false;
	snprintf(name, NAME_BYTES, "%.*s", (int)length, start);
	return true;
}

static bool find_unknown(const char *line, char *name)
{
	for (size_t i = 0; i < AT_COUNT_OF(complaints); i++)
		if (read_between(line, complaints[i].before, complaints[i].after, name))
			return true;
	return false;
}

/* ---- headers ----------------------------------------------------------------- */

/* Names as they are, or how they begin: "FLT_*". */
static const struct {
	const char *name, *header;
} headers[] = {
	{ "INFINITY", "cmath" },
	{ "NAN", "cmath" },
	{ "HUGE_VAL*", "cmath" },
	{ "M_*", "cmath" },
	{ "int8_t", "cstdint" },
	{ "int16_t", "cstdint" },
	{ "int32_t", "cstdint" },
	{ "int64_t", "cstdint" },
	{ "uint8_t", "cstdint" },
	{ "uint16_t", "cstdint" },
	{ "uint32_t", "cstdint" },
	{ "uint64_t", "cstdint" },
	{ "intptr_t", "cstdint" },
	{ "uintptr_t", "cstdint" },
	{ "INT32_M*", "cstdint" },
	{ "INT64_M*", "cstdint" },
	{ "UINT32_M*", "cstdint" },
	{ "UINT64_M*", "cstdint" },
	{ "FLT_*", "cfloat" },
	{ "DBL_*", "cfloat" },
	{ "INT_M*", "climits" },
	{ "UINT_M*", "climits" },
	{ "LLONG_M*", "climits" },
	{ "ULLONG_M*", "climits" },
	{ "CHAR_*", "climits" },
	{ "CUDART_*", "math_constants.h" },
	{ "half", "cuda_fp16.h" },
	{ "half2", "cuda_fp16.h" },
	{ "__half*", "cuda_fp16.h" },
	{ "__float2half*", "cuda_fp16.h" },
	{ "nv_bfloat16*", "cuda_bf16.h" },
	{ "__nv_bfloat16*", "cuda_bf16.h" },
	{ "__float2bfloat16*", "cuda_bf16.h" },
	{ "__nv_fp8*", "cuda_fp8.h" },
	{ "cuComplex", "cuComplex.h" },
	{ "cuFloatComplex", "cuComplex.h" },
	{ "cuDoubleComplex", "cuComplex.h" },
	{ "nvcuda", "mma.h" },
	{ "wmma", "mma.h" },
	{ "cooperative_groups", "cooperative_groups.h" },
	{ "curand*", "curand_kernel.h" },
	{ "cub", "cub/cub.cuh" },
	{ "__pipeline_*", "cuda_pipeline.h" },
};

static const char *find_header(const char *name)
{
	for (size_t i = 0; i < AT_COUNT_OF(headers); i++) {
		const char *known = headers[i].name;
		size_t length = strcspn(known, "*");

		if (!strncmp(name, known, length) && (known[length] || !name[length]))
			return headers[i].header;
	}
	return NULL;
}

/* Then the name is one that the header does not have, on this device. */
static bool includes(const struct at_compile_request *request, const char *header)
{
	return strstr(request->source, header) != NULL;
}

/* ---- parameters --------------------------------------------------------------- */

/* The n-th macro ahead of the template's text. */
static bool nth_macro(const char *source, size_t n, struct at_lexeme *name)
{
	static const char word[] = "#define ";

	for (size_t i = 0; !strncmp(source, word, strlen(word)); i++) {
		name->text = source + strlen(word);
		name->length = at_scan_span(name->text);
		if (i == n)
			return true;
		source += strcspn(source, "\n");
		source += *source == '\n';
	}
	return false;
}

/* LAYOUT_aos, a word of LAYOUT */
static bool is_word_of_another(const char *source, struct at_lexeme name)
{
	struct at_lexeme other;

	for (size_t i = 0; nth_macro(source, i, &other); i++)
		if (other.length < name.length && name.text[other.length] == '_' &&
			!strncmp(name.text, other.text, other.length))
			return true;
	return false;
}

static size_t list_parameters(const char *source, char names[][NAME_BYTES])
{
	struct at_lexeme name;
	size_t count = 0;

	for (size_t i = 0; count < PARAMETERS_MAX && nth_macro(source, i, &name); i++)
		if (strncmp(name.text, "AUTOTUNE", 8) != 0 &&
			name.length < NAME_BYTES && !is_word_of_another(source, name))
			snprintf(names[count++], NAME_BYTES, "%.*s", (int)name.length,
				name.text);
	return count;
}

static bool is_of_capitals(const char *name)
{
	bool has_letter = false;

	for (; *name; name++) {
		if (islower((unsigned char)*name))
			return false;
		has_letter |= (bool)isupper((unsigned char)*name);
	}
	return has_letter;
}

static bool is_same_in_capitals(const char *a, const char *b)
{
	while (*a && toupper((unsigned char)*a) == toupper((unsigned char)*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

static void add_parameters(const struct at_compile_request *request, const char *name,
	struct at_strbuf *out)
{
	char names[PARAMETERS_MAX][NAME_BYTES];
	size_t count = list_parameters(request->source, names);

	for (size_t i = 0; i < count; i++) {
		if (!is_same_in_capitals(names[i], name))
			continue;
		at_strbuf_addf(
			out, AT_ADVICE_WORDS "the parameter is called %s\n", names[i]);
		return;
	}
	if (!is_of_capitals(name))
		return;
	at_strbuf_addf(out, AT_ADVICE_WORDS "%s is no parameter of the space", name);
	at_strbuf_add(out, count ? ", of which the template reads " : "");
	for (size_t i = 0; i < count; i++)
		at_strbuf_addf(
			out, "%s%s", at_text_between(i, count, " and "), names[i]);
	at_strbuf_addf(out,
		"; of a size, options = ( \"-D%s=${SIZE}\" ) makes a macro\n", name);
}

/* ---- all of it ----------------------------------------------------------------- */

#define OTHER_NAME \
	"CUDA, or the template, has another function of that name: give the kernel a longer one, in \"function\" of the space too"

#define OF_A_PROGRAM \
	"all functions of a template are __global__ or __device__: main(), launches and what else a CPU runs belong into another file"

#define OF_OPENCL \
	"this is OpenCL, and a template is CUDA C++: __kernel is __global__ there, __local is __shared__, __global is left out, and get_group_id(0), get_local_id(0) are blockIdx.x, threadIdx.x"

/* What a compiler says of a mistake that is another one than it thinks. */
static const struct {
	const char *said, *told;
} mistaken[] = {
	/* norm(), max(), sqrtf() and many more are CUDA's */
	{ "has \"C\" linkage", OTHER_NAME },
	{ "different exception specifications cannot be overloaded", OTHER_NAME },
	{ "conflicting declaration of C function", OTHER_NAME },
	{ "hip/hip_runtime.h",
		"a template is CUDA C++: leave this line out, or put it between #ifndef AUTOTUNE and #endif" },
	{ "redefinition of 'struct char1'",
		"the template includes a header for programs, as cublas_v2.h is: leave it out, or put it between #ifndef AUTOTUNE and #endif" },
	{ "__kernel", OF_OPENCL },
	{ "__global float", OF_OPENCL },
	{ "is considered a host function", OF_A_PROGRAM },
	{ "expected primary-expression before '<' token", OF_A_PROGRAM },
	{ "requires --extended-lambda",
		"a lambda needs no __device__ here: leave it out, or take toolchain = \"nvcc\" and that option" },
};

/* Whether a program calls it, and no kernel does: cudaMalloc(), thrust. What begins so
   and may stand in a kernel is a type, as cudaTextureObject_t. */
static bool is_of_program(const char *name)
{
	size_t length = strlen(name);

	return (!strncmp(name, "cuda", 4) && isupper((unsigned char)name[4]) &&
		       strcmp(name + length - 2, "_t") != 0 &&
		       strncmp(name, "cudaTexture", 11) != 0 &&
		       strncmp(name, "cudaSurface", 11) != 0) ||
	       !strncmp(name, "cublas", 6);
}

static bool is_of_cuda(const char *name)
{
	return !strncmp(name, "__", 2) || !strncmp(name, "cuda", 4) ||
	       !strncmp(name, "curand", 6) || !strncmp(name, "surf", 4);
}

static bool is_of_opencl(const char *name)
{
	return !strcmp(name, "get_global_id") || !strcmp(name, "get_local_id") ||
	       !strcmp(name, "get_group_id");
}

static bool is_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the words are in a line, and not as a part of a longer name. */
static bool has_words(const char *line, const char *words)
{
	size_t length = strlen(words);

	for (const char *at = line; (at = strstr(at, words)) != NULL; at++)
		if ((at == line || !is_in_name(at[-1]) || !is_in_name(*at)) &&
			(!is_in_name(at[length]) || !is_in_name(at[length - 1])))
			return true;
	return false;
}

void at_advice_add(const struct at_compile_request *request, const char *log,
	struct at_strbuf *out)
{
	char line[LINE_BYTES], name[NAME_BYTES];
	const char *header;
	bool is_host =
		request->toolchain && !strcmp(request->toolchain, AT_TOOLCHAIN_CXX);

	at_compile_first_error(log, line, sizeof(line));
	for (size_t i = 0; i < AT_COUNT_OF(mistaken); i++)
		if (has_words(line, mistaken[i].said)) {
			at_strbuf_addf(out, AT_ADVICE_WORDS "%s\n", mistaken[i].told);
			return;
		}
	if (!find_unknown(line, name))
		return;
	header = find_header(name);
	if (is_of_opencl(name))
		at_strbuf_add(out, AT_ADVICE_WORDS OF_OPENCL "\n");
	else if (is_of_program(name))
		at_strbuf_addf(out,
			AT_ADVICE_WORDS "%s is no kernel's; " OF_A_PROGRAM "\n", name);
	else if (header && !includes(request, header))
		at_strbuf_addf(out, AT_ADVICE_WORDS "#include <%s> has it\n", header);
	else if (is_host && is_of_cuda(name))
		at_strbuf_addf(out,
			AT_ADVICE_WORDS
			"host has no %s: what is CUDA's and not there runs on GPUs only; leave it out where AUTOTUNE_HOST is defined, or give the problems on = \"cuda\"\n",
			name);
	else
		add_parameters(request, name, out);
}

void at_advice_first_error(
	const struct at_spec *spec, const char *log, char *line, size_t size)
{
	char name[NAME_BYTES];
	size_t length;

	at_compile_first_error(log, line, size);
	/* where there is a hint already, it is that one */
	if (strstr(line, "; " AT_ADVICE_WORDS) || !find_unknown(line, name))
		return;
	length = strlen(line);
	for (size_t i = 0; i < spec->size_count; i++)
		if (!strcmp(spec->size_names[i], name))
			snprintf(line + length, size - length,
				"; " AT_ADVICE_WORDS
				"%s is a size, and sizes are no macros: options = ( \"-D%s=${%s}\" ) makes one, or the kernel takes it as an argument",
				name, name, name);
}
