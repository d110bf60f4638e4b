/* The expressions of a space file as C, and the functions that they call. */
#include "record/result_internal.h"

#include <inttypes.h>
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
	{ "CEIL_DIV", "#define AUTOTUNE_CEIL_DIV(a, b) \\\n"
		      "\t((a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))\n" },
	{ "FLOOR_REST", "#define AUTOTUNE_FLOOR_REST(a, b) \\\n"
			"\t(((a) % (b) + AUTOTUNE_ABS(b)) % AUTOTUNE_ABS(b))\n" },
	{ "ROUND_DOWN",
		"#define AUTOTUNE_ROUND_DOWN(a, b) ((a) - AUTOTUNE_FLOOR_REST(a, b))\n" },
	{ "ROUND_UP",
		"#define AUTOTUNE_ROUND_UP(a, b) ((a) + AUTOTUNE_FLOOR_REST(-(a), b))\n" },
	{ "LOG2", "static inline long long autotune_log2(long long a)\n"
		  "{\n"
		  "\tlong long result = 0;\n"
		  "\n"
		  "\tfor (; a > 1; a /= 2)\n"
		  "\t\tresult++;\n"
		  "\treturn result;\n"
		  "}\n"
		  "#define AUTOTUNE_LOG2(a) autotune_log2(a)\n" },
	{ "GCD", "static inline long long autotune_gcd(long long a, long long b)\n"
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
	{ "LCM", "static inline long long autotune_lcm(long long a, long long b)\n"
		 "{\n"
		 "\tlong long product = a / (a || b ? autotune_gcd(a, b) : 1) * b;\n"
		 "\n"
		 "\treturn product < 0 ? -product : product;\n"
		 "}\n"
		 "#define AUTOTUNE_LCM(a, b) autotune_lcm(a, b)\n" },
	{ "POW", "static inline long long autotune_pow(long long a, long long b)\n"
		 "{\n"
		 "\tlong long result = 1;\n"
		 "\n"
		 "\tfor (; b > 0; b--)\n"
		 "\t\tresult *= a;\n"
		 "\treturn result;\n"
		 "}\n"
		 "#define AUTOTUNE_POW(a, b) autotune_pow(a, b)\n" },
	{ "SQRT", "#include <math.h>\n"
		  "#define AUTOTUNE_SQRT(a) sqrt((double)(a))\n" },
	{ "FLOOR", "#include <math.h>\n"
		   "#define AUTOTUNE_FLOOR(a) floor((double)(a))\n" },
	{ "CEIL", "#include <math.h>\n"
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

bool at_result_is_size(const struct at_spec *spec, int slot)
{
	return (size_t)slot >= spec->parameter_count &&
	       (size_t)slot < spec->parameter_count + spec->size_count;
}

static bool is_real_size(const struct at_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->problem_count; i++)
		for (size_t j = 0; j < spec->problems[i].size_count; j++)
			if (!strcmp(spec->problems[i].sizes[j].name, name) &&
				spec->problems[i].sizes[j].value.type == AT_TYPE_REAL)
				return true;
	return false;
}

struct naming {
	const struct at_spec *spec;
	const struct at_record_device *device;
	const char *prefix;
};

static void name_slot(void *context, int slot, struct at_strbuf *out)
{
	const struct naming *naming = context;
	const struct at_spec *spec = naming->spec;
	const struct at_record_device *device = naming->device;
	const char *name = at_spec_slot_name(spec, slot);
	int64_t value = 0;

	if ((size_t)slot < spec->parameter_count) {
		at_strbuf_addf(out, "%s%s", naming->prefix, name);
	} else if (at_result_is_size(spec, slot)) {
		at_strbuf_addf(out, "(%s)(%s)",
			is_real_size(spec, name) ? "double" : "long long", name);
	} else {
		name += strlen("device.");
		for (size_t i = 0; i < device->property_count; i++)
			if (!strcmp(device->property_names[i], name))
				value = device->property_values[i];
		at_strbuf_addf(out, "%" PRId64 "LL", value);
	}
}

/*
 * The macros know integers; in an expression with reals these functions are
 * others, which C's types alone do not choose.
 */
static bool is_expressible(const struct at_spec *spec,
	const struct at_expression *expression, const char *text)
{
	static const char *const integer_only[] = { "CEIL_DIV(", "ROUND_UP(",
		"ROUND_DOWN(", "LOG2(", "POW(" };
	static const char *const real[] = { "AUTOTUNE_REAL(", "AUTOTUNE_SQRT(",
		"(double)" };
	bool has_real = text[strcspn(text, ".")] != '\0', has_integer_only = false;
	size_t count;
	const int *slots = at_expression_slots(expression, &count);

	for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++)
		has_real |= strstr(text, real[i]) != NULL;
	for (size_t i = 0; i < count; i++)
		has_real |= (size_t)slots[i] < spec->parameter_count &&
			    spec->parameters[slots[i]].type == AT_TYPE_REAL;
	for (size_t i = 0; i < sizeof(integer_only) / sizeof(integer_only[0]); i++)
		has_integer_only |= strstr(text, integer_only[i]) != NULL;
	return !has_real || !has_integer_only;
}

bool at_result_write_expression(const struct at_spec *spec,
	const struct at_record_device *device, const char *prefix,
	const struct at_expression *expression, struct at_strbuf *out)
{
	struct naming naming = { spec, device, prefix };
	struct at_strbuf text = { 0 };
	bool expressible;

	at_expression_write_c(expression, "AUTOTUNE_", name_slot, &naming, &text);
	expressible = is_expressible(spec, expression, at_strbuf_text(&text));
	if (expressible)
		at_strbuf_add(out, at_strbuf_text(&text));
	out->failed |= text.failed;
	at_strbuf_release(&text);
	return expressible;
}
