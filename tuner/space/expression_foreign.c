/* Hints for names and operators of other languages: see expression_foreign.h. */
#include "space/expression_foreign.h"
#include "base/memory.h"
#include "space/element.h"

#include <string.h>
#include <strings.h>

struct hint {
	const char *foreign;
	const char *hint;
};

/* Words that other languages have for operators, in any case. With a word behind them
   that makes two of them one, as "not in". */
static const char *find_word(const char *text, size_t length)
{
	static const struct {
		const char *foreign;
		const char *behind;
		const char *hint;
	} words[] = {
		{ "and", "", "; \"and\" is written &&" },
		{ "or", "", "; \"or\" is written ||" },
		{ "not", "in", "; \"a not in [x, y]\" is written a != x && a != y" },
		{ "not", "", "; \"not\" is written !" },
		{ "xor", "", "; \"xor\" is written ^" },
		{ "in", "", "; \"a in [x, y]\" is written a == x || a == y" },
		{ "is", "not", "; \"is not\" is written !=" },
		{ "is", "", "; \"is\" is written ==" },
		{ "if", "", "; \"a if c else b\" is written c ? a : b" },
		{ "mod", "", "; the remainder is written a % b" },
		{ "div", "", "; integers are divided with /" },
		{ "implies", "", "; that b follows from a is written !a || b" },
		{ "true", "", "; it is written true" },
		{ "false", "", "; it is written false" },
	};
	const char *behind = text + length + strspn(text + length, " \t");

	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (length == strlen(words[i].foreign) &&
			!strncasecmp(text, words[i].foreign, length) &&
			!strncasecmp(behind, words[i].behind, strlen(words[i].behind)))
			return words[i].hint;
	return "";
}

/* Whether it is one of CUDA's variables of a launch, or a component of it: "blockDim"
   or "blockDim.x". */
static bool is_of_launch(const char *text, size_t length)
{
	static const char *const variables[] = { "blockDim", "gridDim", "threadIdx",
		"blockIdx" };

	for (size_t i = 0; i < AT_COUNT_OF(variables); i++) {
		size_t own = strlen(variables[i]);

		if (length >= own && !strncmp(text, variables[i], own) &&
			(length == own || text[own] == '.'))
			return true;
	}
	return false;
}

/* Whether it begins a cast: a type of C, or static_cast. */
static bool is_cast(const char *text, size_t length)
{
	static const char *const words[] = { "long", "short", "unsigned", "signed",
		"size_t", "char", "auto", "static_cast", "reinterpret_cast",
		"const_cast" };
	enum at_element element;
	char name[32];
	int lanes;

	if (length >= sizeof(name))
		return false;
	memcpy(name, text, length);
	name[length] = '\0';
	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		if (!strcmp(name, words[i]))
			return true;
	return at_element_find(name, &element, &lanes);
}

const char *at_expression_foreign(const char *text, size_t length)
{
	static const char cast[] = "; a cast is written int(a) or real(a)";
	static const char launch[] =
		"; what a kernel is launched with follows from the parameters: write these";
	static const char nothing[] = "; every parameter has a value";
	static const char power[] =
		"; the next power of 2 is written 1 << log2(2 * a - 1)";
	static const char choice[] = "; a choice is written c ? a : b";
	static const char rounded[] = "; write int(floor(a + 0.5))";
	static const char python[] =
		"; expressions are C: && || ! ?: pow(a, b) ceil_div(a, b)";
	static const char infinite[] = "; values are finite numbers";
	static const char arrow[] =
		"; a function is none here: write only what is behind its colon";
	static const char remainder[] = "; the remainder is written a % b";
	static const char divides[] = "; that b divides a is written a % b == 0";
	static const struct hint hints[] = {
		{ "*", "; powers are written pow(a, b)" },
		{ "/", "; integers are divided with a single /" },
		{ "%", "; the remainder is written with a single %" },
		{ "!", "; \"not equal\" is written !=" },
		{ ",", "; each expression is a string of its own, and reals have a point, as in 2.5" },
		{ "x", "; a product is written a * b" },
		{ "inf", infinite },
		{ "INFINITY", infinite },
		{ "nan", infinite },
		{ "NAN", infinite },
		{ "M_PI", "; write 3.141592653589793" },
		{ "PI", "; write 3.141592653589793" },
		{ "math.pi", "; write 3.141592653589793" },
		{ "lambda", arrow },
		{ "None", nothing },
		{ "NULL", nothing },
		{ "nullptr", nothing },
		{ "INT_MAX", "; write 2147483647" },
		{ "UINT_MAX", "; write 4294967295" },
		{ "FLT_MAX", "; write 3.4028234663852886e38" },
		{ "bool", "; whether a is not 0 is written a != 0" },
		{ "sizeof", "; write the number of bytes: 4 for float, 2 for half" },
		{ "round", rounded },
		{ "rint", rounded },
		{ "lround", rounded },
		{ "trunc", "; write int(a), which cuts off" },
		{ "clamp", "; write min(max(a, low), high)" },
		{ "next_pow2", power },
		{ "nextPow2", power },
		{ "next_power_of_2", power },
		{ "nextPowerOf2", power },
		{ "nextPowerOfTwo", power },
		{ "bit_ceil", power },
		{ "select", choice },
		{ "where", choice },
		{ "ite", choice },
		{ "dim3",
			"; each dimension is a string of its own: ( \"M\", \"N\" ) for dim3(M, N)" },
		{ "warpSize", "; write device.warp_size" },
		{ "WARP_SIZE", "; write device.warp_size" },
		{ "__CUDA_ARCH__",
			"; write device.compute_capability, which is 90 for sm_90" },
		{ "device.sm",
			"; write device.compute_capability, which is 90 for sm_90" },
		{ "device.arch",
			"; write device.compute_capability, which is 90 for sm_90" },
		{ "len", python },
		{ "range", python },
		{ "any", python },
		{ "all", python },
		{ "sum", python },
		{ "math.ceil",
			"; write ceil_div(a, b) for a division that is rounded up" },
		{ "np.ceil",
			"; write ceil_div(a, b) for a division that is rounded up" },
		{ "mod", remainder },
		{ "fmod", remainder },
		{ "math.fmod", remainder },
		{ "divides", divides },
		{ "divisible", divides },
		{ "is_divisible", divides },
		{ "is_multiple", divides },
		{ "is_multiple_of", divides },
		{ "multiple_of", divides },
	};

	for (size_t i = 0; i < AT_COUNT_OF(hints); i++)
		if (length == strlen(hints[i].foreign) &&
			!strncmp(text, hints[i].foreign, length))
			return hints[i].hint;
	if (!strncmp(text + length, "::", 2))
		return "; functions stand alone: min(a, b) for std::min(a, b)";
	if (is_of_launch(text, length))
		return launch;
	if (is_cast(text, length))
		return cast;
	return find_word(text, length);
}

const char *at_expression_foreign_behind(char before)
{
	if (before == '<')
		return "; \"not equal\" is written !=";
	if (before == '-')
		return "; that b follows from a is written !a || b";
	return "";
}

const char *at_expression_foreign_assignment(char before, const char *behind)
{
	if (*behind == '<')
		return "\"at most\" is written <=";
	if (*behind == '>')
		return "\"at least\" is written >=";
	if (before == '<' || before == '>' || before == '!')
		return "there is a blank inside the operator: write it without";
	return "= assigns nothing here: to compare, write ==";
}

const char *at_expression_foreign_number(
	const char *text, const char *behind, const char *end)
{
	static const char *const units[] = { "k", "m", "g", "kb", "mb", "gb", "kib",
		"mib", "gib" };
	size_t rest = (size_t)(end - behind);

	if (rest && strspn(behind, "fFuUlL") >= rest)
		return ": leave out the letters behind it";
	if (text + 1 == behind && text[0] == '0' && strchr("bBoO", *behind))
		return ": write it as a decimal number, or as 0x...";
	for (size_t i = 0; i < AT_COUNT_OF(units) && !strchr("xX", text[1]); i++)
		if (rest == strlen(units[i]) && !strncasecmp(behind, units[i], rest))
			return ": write the number out, 65536 for 64K";
	if ((*behind == '_' || *behind == '\'') &&
		strspn(text, "0123456789_'") >= (size_t)(end - text))
		return ": its digits stand without anything between";
	return "";
}

const char *at_expression_foreign_character(const char *text, const char *whole)
{
	static const struct hint hints[] = {
		{ "[", ": there are no lists; write x for p['x'], and min(a, b) for min([a, b])" },
		{ "]", ": there are no lists" },
		{ "$", ": names stand alone, write x for ${x}" },
		{ ";", ": leave it out" },
		{ "{", ": operands are grouped in ( )" },
		{ "}", ": operands are grouped in ( )" },
		{ "\u00a0", ": it is a no-break space, write an ordinary one" },
		{ "\u00ac", ": write !" },
		{ "\u00b2", ": powers are written pow(a, b)" },
		{ "\u00b3", ": powers are written pow(a, b)" },
		{ "\u00b7", ": write *" },
		{ "\u00d7", ": write *" },
		{ "\u00f7", ": write /" },
		{ "\u2013", ": write -" },
		{ "\u2014", ": write -" },
		{ "\u2018", ": words are written in '" },
		{ "\u2019", ": words are written in '" },
		{ "\u201c", ": words are written in '" },
		{ "\u201d", ": words are written in '" },
		{ "\u201e", ": words are written in '" },
		{ "\u2212", ": write -" },
		{ "\u2217", ": write *" },
		{ "\u2227", ": write &&" },
		{ "\u2228", ": write ||" },
		{ "\u2260", ": write !=" },
		{ "\u2264", ": write <=" },
		{ "\u2265", ": write >=" },
		{ "\u22c5", ": write *" },
	};

	/* KTT's and others' constraints are functions of a list of values */
	if (!strncmp(text, "[](", 3) || !strncmp(text, "[=](", 4) ||
		!strncmp(text, "[&](", 4))
		return ": a function is none here: write only what it returns, with names for v[0]";
	if (*text == '[' && text > whole && text[1] >= '0' && text[1] <= '9')
		return ": there are no lists; write the name for v[0]";
	for (size_t i = 0; i < AT_COUNT_OF(hints); i++)
		if (!strncmp(text, hints[i].foreign, strlen(hints[i].foreign)))
			return hints[i].hint;
	return "";
}
