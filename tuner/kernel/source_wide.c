/*
 * The reference in double precision: the same text, in which float means double.
 *
 * Macros before the template do this, not changes of its text, so that its includes
 * become double as well. It does not work for templates that take floats apart bit by
 * bit, that have one function for float and another for double, or whose tiles become
 * too large. Such a unit does not compile, or disagrees with the float reference, and
 * is then not used. A literal keeps its value: 0.1f stays the float, since kernels in
 * float use that.
 */
#include "kernel/source.h"

#include <math.h>
#include <string.h>

extern const unsigned char at_embedded_wide_narrow[];
extern const size_t at_embedded_wide_narrow_size;

/* each of these, with an f appended, is a function of float */
static const char *const functions[] = { "acos", "acosh", "asin", "asinh", "atan",
	"atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "cospi", "erf",
	"erfc", "erfcinv", "erfcx", "erfinv", "exp", "exp10", "exp2", "expm1", "fabs",
	"fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "hypot", "ilogb",
	"ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2", "logb",
	"lrint", "lround", "modf", "nearbyint", "normcdf", "normcdfinv", "pow", "rcbrt",
	"remainder", "rhypot", "rint", "round", "rsqrt", "sin", "sincos", "sincospi",
	"sinh", "sinpi", "sqrt", "tan", "tanh", "tgamma", "trunc" };

/* functions with a rounding of their own, and fast, inexact functions */
static const struct {
	const char *from;
	const char *to;
} others[] = {
	{ "__expf", "exp" },
	{ "__exp10f", "exp10" },
	{ "__logf", "log" },
	{ "__log2f", "log2" },
	{ "__log10f", "log10" },
	{ "__sinf", "sin" },
	{ "__cosf", "cos" },
	{ "__tanf", "tan" },
	{ "__tanhf", "tanh" },
	{ "__powf", "pow" },
	{ "__sincosf", "sincos" },
	{ "__fsqrt_rn", "sqrt" },
	{ "__frsqrt_rn", "rsqrt" },
	{ "__fmaf_rn", "fma" },
	{ "__frcp_rn(x)", "(1.0 / (x))" },
	{ "__fadd_rn(x, y)", "((x) + (y))" },
	{ "__fsub_rn(x, y)", "((x) - (y))" },
	{ "__fmul_rn(x, y)", "((x) * (y))" },
	{ "__fdiv_rn(x, y)", "((x) / (y))" },
	{ "__fdividef(x, y)", "((x) / (y))" },
	{ "fdividef(x, y)", "((x) / (y))" },
	{ "__saturatef(x)", "fmin(fmax((x), 0.0), 1.0)" },
	{ "float1", "double1" },
	{ "float2", "double2" },
	{ "float3", "double3" },
	{ "float4", "double4" },
	{ "make_float1", "make_double1" },
	{ "make_float2", "make_double2" },
	{ "make_float3", "make_double3" },
	{ "make_float4", "make_double4" },
	/* last, since the names above are lexemes of their own */
	{ "float", "double" },
};

/*
 * A template's tuned kernels may have instructions that take floats (tanh.approx, mma)
 * and do not compile with doubles. Macros that also take the parentheses replace each
 * by a trap. A reference that needs none of them is then in double; one that reaches a
 * trap fails, and is not used. `asm volatile(...)` leaves the word asm in place, and
 * the macro of volatile replaces the rest. Skipped if no instruction takes a float,
 * since others compile unchanged.
 */
static const char no_asm[] = "#define asm(...) asm(\"trap;\")\n"
			     "#undef __asm\n#define __asm asm\n"
			     "#undef __asm__\n#define __asm__ asm\n"
			     "#define volatile(...) (\"trap;\")\n"
			     "#undef __volatile__\n"
			     "#define __volatile__(...) (\"trap;\")\n";

/* A literal stays a float, so "fmaxf(x, 0.0f)" becomes a call with a double and a
   float. C++ takes it as a call with doubles. NVRTC lacks such overloads and calls it
   ambiguous, except for max() and min(), which it lacks only in std. nvcc and the
   dialect of `host` have them. They are declared before float becomes double. */
static const char mixed_calls[] =
	"#ifdef __CUDACC_RTC__\n"
	"#define AT_MIXED(f) \\\n"
	"__device__ inline double f(double a, float b) { return ::f(a, (double)b); } \\\n"
	"__device__ inline double f(float a, double b) { return ::f((double)a, b); }\n"
	"#define AT_MIXED_ALL AT_MIXED(atan2) AT_MIXED(fdim) AT_MIXED(fmax) AT_MIXED(fmin) \\\n"
	"AT_MIXED(fmod) AT_MIXED(hypot) AT_MIXED(nextafter) AT_MIXED(pow) AT_MIXED(remainder) \\\n"
	"AT_MIXED_FMA(double, double, float) AT_MIXED_FMA(double, float, double) \\\n"
	"AT_MIXED_FMA(double, float, float) AT_MIXED_FMA(float, double, double) \\\n"
	"AT_MIXED_FMA(float, double, float) AT_MIXED_FMA(float, float, double)\n"
	"#define AT_MIXED_FMA(A, B, C) \\\n"
	"__device__ inline double fma(A a, B b, C c) { return ::fma((double)a, (double)b, (double)c); }\n"
	"AT_MIXED_ALL\n"
	"namespace std { AT_MIXED_ALL AT_MIXED(max) AT_MIXED(min) }\n"
	"#endif\n";

/* The toolkit's conversions between pairs of narrow floats and pairs of floats do not
   know doubles. These replace them if a header that has them is included. */
static const char pairs[] =
	"#define AT_PAIRS(H, NAME, from, to) \\\n"
	"__device__ inline double2 NAME(H h) \\\n"
	"{ float2 f = from(h); return make_double2(f.x, f.y); } \\\n"
	"__device__ inline H to(double2 d) { return to(make_float2((float)d.x, (float)d.y)); }\n"
	"#ifdef __CUDA_FP16_H__\n"
	"AT_PAIRS(__half2, at_half22double2, __half22float2, __float22half2_rn)\n"
	"#endif\n"
	"#ifdef __CUDA_BF16_H__\n"
	"AT_PAIRS(__nv_bfloat162, at_bfloat1622double2, __bfloat1622float2, __float22bfloat162_rn)\n"
	"#endif\n"
	"#define __half22float2 at_half22double2\n"
	"#define __bfloat1622float2 at_bfloat1622double2\n";

/* Includes the toolkit and system headers of the template and its own headers before
   float becomes double: those must keep their floats. */
static void write_includes(const char *text, struct at_strbuf *out)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *at = line + (*line == '\n');
		size_t length;

		line = at;
		at += strspn(at, " \t");
		if (*at != '#')
			continue;
		at++;
		at += strspn(at, " \t");
		if (strncmp(at, "include", 7) != 0)
			continue;
		at += 7;
		at += strspn(at, " \t");
		length = strcspn(at, ">\n");
		/* conditions around the directive are not evaluated: a missing header
		   is left out */
		if (*at == '<' && at[length] == '>')
			at_strbuf_addf(out,
				"#if __has_include(%.*s>)\n#include %.*s>\n#endif\n",
				(int)length, at, (int)length, at);
	}
}

enum at_float64 at_source_float64(const struct at_spec *spec)
{
	bool has_floats = false;
	enum at_float64 found = AT_FLOAT64_NONE;

	/* with doubles, fields of a structure have other offsets and rows another
	   pitch, so both would be misread; textures have no doubles */
	for (size_t i = 0; i < spec->argument_count; i++)
		if (spec->arguments[i].has_fields ||
			at_argument_is_pitched(&spec->arguments[i]) ||
			(spec->arguments[i].of &&
				at_call_takes_itself(spec, &spec->reference.call, i)))
			return AT_FLOAT64_NONE;
	for (size_t i = 0; i < spec->argument_count; i++)
		has_floats |= spec->arguments[i].element == AT_ELEMENT_F32;
	for (size_t i = 0; i < spec->argument_count; i++) {
		const struct at_argument *argument = &spec->arguments[i];
		const double rtol =
			isnan(argument->rtol) ? spec->verify.rtol : argument->rtol;

		/* it is not compared, or for equality */
		if ((argument->access != AT_ACCESS_OUT &&
			    argument->access != AT_ACCESS_INOUT) ||
			rtol == 0)
			continue;
		if (argument->element == AT_ELEMENT_F32)
			return AT_FLOAT64_FLOATS;
		if (at_element_is_narrow(argument->element))
			found = AT_FLOAT64_NARROW;
		/* a double that may be computed with floats */
		else if (argument->element == AT_ELEMENT_F64 && has_floats && !found)
			found = AT_FLOAT64_FLOATS;
	}
	return found;
}

void at_source_write_float64(
	const char *text, enum at_float64 wide, struct at_strbuf *out)
{
	write_includes(text, out);
	at_strbuf_add(out, mixed_calls);
	if (wide == AT_FLOAT64_NARROW)
		at_strbuf_add_bytes(out, (const char *)at_embedded_wide_narrow,
			at_embedded_wide_narrow_size);
	else
		at_strbuf_add(out, pairs);
	for (size_t i = 0; i < AT_COUNT_OF(functions); i++)
		at_strbuf_addf(out, "#undef %sf\n#define %sf %s\n", functions[i],
			functions[i], functions[i]);
	for (size_t i = 0; i < AT_COUNT_OF(others); i++)
		/* the dialect of a device may already define it as a macro */
		at_strbuf_addf(out, "#undef %.*s\n#define %s %s\n",
			(int)strcspn(others[i].from, "("), others[i].from,
			others[i].from, others[i].to);
}

void at_source_write_traps(const char *text, struct at_strbuf *out)
{
	/* operands of assembly that must be floats */
	if (strstr(text, "\"f\"") || strstr(text, "\"=f\"") || strstr(text, "\"+f\"") ||
		strstr(text, "\"=&f\""))
		at_strbuf_add(out, no_asm);
}
