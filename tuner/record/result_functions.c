/* The functions of a space file's expressions, for a generated header. */
#include "record/result_internal.h"

#include <stdio.h>
#include <string.h>

/*
 * The same results as in a space file, on integers; on reals only where the types
 * of C make no difference. One that another uses comes before it.
 */
static const struct function {
	const char *name;
	const char *text;
} functions[] = {
	{ "MIN", "#define AUTOTUNE_MIN(a, b) ((a) < (b) ? (a) : (b))\n" },
	{ "MAX", "#define AUTOTUNE_MAX(a, b) ((a) > (b) ? (a) : (b))\n" },
	{ "ABS", "#define AUTOTUNE_ABS(a) ((a) < 0 ? -(a) : (a))\n" },
	{ "INT", "#define AUTOTUNE_INT(a) ((long long)(a))\n" },
	{ "REAL", "#define AUTOTUNE_REAL(a) ((double)(a))\n" },
	{ "IS_POW2",
		"#define AUTOTUNE_IS_POW2(a) ((a) > 0 && ((a) & ((a) - 1)) == 0)\n" },
	{ "CEIL_DIV",
		"#define AUTOTUNE_CEIL_DIV(a, b) \\\n"
		"\t((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))\n" },
	{ "FLOOR_REST",
		"#define AUTOTUNE_FLOOR_REST(a, b) \\\n"
		"\t(((a) % (b) + AUTOTUNE_ABS(b)) % AUTOTUNE_ABS(b))\n" },
	{ "ROUND_DOWN",
		"#define AUTOTUNE_ROUND_DOWN(a, b) ((a) - AUTOTUNE_FLOOR_REST(a, b))\n" },
	{ "ROUND_UP",
		"#define AUTOTUNE_ROUND_UP(a, b) ((a) + AUTOTUNE_FLOOR_REST(-(a), b))\n" },
	{ "LOG2",
		"static inline long long autotune_log2(long long a)\n"
		"{\n"
		"\tlong long result = 0;\n"
		"\n"
		"\tfor (; a > 1; a /= 2)\n"
		"\t\tresult++;\n"
		"\treturn result;\n"
		"}\n"
		"#define AUTOTUNE_LOG2(a) autotune_log2(a)\n" },
	{ "GCD",
		"static inline long long autotune_gcd(long long a, long long b)\n"
		"{\n"
		"\twhile (b != 0) {\n"
		"\t\tlong long rest = a % b;\n"
		"\n"
		"\t\ta = b;\n"
		"\t\tb = rest;\n"
		"\t}\n"
		"\treturn a < 0 ? -a : a;\n"
		"}\n"
		"#define AUTOTUNE_GCD(a, b) autotune_gcd(a, b)\n" },
	{ "LCM",
		"static inline long long autotune_lcm(long long a, long long b)\n"
		"{\n"
		"\tlong long product = a / (a || b ? autotune_gcd(a, b) : 1) * b;\n"
		"\n"
		"\treturn product < 0 ? -product : product;\n"
		"}\n"
		"#define AUTOTUNE_LCM(a, b) autotune_lcm(a, b)\n" },
	{ "POW",
		"static inline long long autotune_pow(long long a, long long b)\n"
		"{\n"
		"\tlong long result = 1;\n"
		"\n"
		"\tfor (; b > 0; b--)\n"
		"\t\tresult *= a;\n"
		"\treturn result;\n"
		"}\n"
		"#define AUTOTUNE_POW(a, b) autotune_pow(a, b)\n" },
	{ "SQRT",
		"#include <math.h>\n"
		"#define AUTOTUNE_SQRT(a) sqrt((double)(a))\n" },
	{ "FLOOR",
		"#include <math.h>\n"
		"#define AUTOTUNE_FLOOR(a) floor((double)(a))\n" },
	{ "CEIL",
		"#include <math.h>\n"
		"#define AUTOTUNE_CEIL(a) ceil((double)(a))\n" },
};

#define FUNCTION_COUNT (sizeof(functions) / sizeof(functions[0]))

static bool uses(const char *text, const struct function *function)
{
	char macro[48], call[48];

	/* AUTOTUNE_GCD(, or autotune_gcd( inside another function */
	snprintf(macro, sizeof(macro), "AUTOTUNE_%s(", function->name);
	snprintf(call, sizeof(call), "autotune_%s(", function->name);
	for (char *c = call; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return strstr(text, macro) || strstr(text, call);
}

void at_result_write_functions(const char *text, struct at_strbuf *out)
{
	bool used[FUNCTION_COUNT] = { false };

	for (size_t i = FUNCTION_COUNT; i-- > 0;) {
		used[i] = uses(text, &functions[i]);
		for (size_t j = i + 1; j < FUNCTION_COUNT && !used[i]; j++)
			used[i] = used[j] && uses(functions[j].text, &functions[i]);
	}
	for (size_t i = 0; i < FUNCTION_COUNT; i++)
		if (used[i])
			at_strbuf_addf(out, "#ifndef AUTOTUNE_%s\n%s#endif\n",
				functions[i].name, functions[i].text);
}
