/* Hints for names and operators of other languages: see expression_foreign.h. */
#include "space/expression_foreign.h"
#include "base/memory.h"

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

const char *at_expression_foreign(const char *text, size_t length)
{
	static const char cast[] = "; a cast is written int(a) or real(a)";
	static const char launch[] =
		"; what a kernel is launched with follows from the parameters: write these";
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
		{ "inf", infinite },
		{ "INFINITY", infinite },
		{ "nan", infinite },
		{ "NAN", infinite },
		{ "M_PI", "; write 3.141592653589793" },
		{ "PI", "; write 3.141592653589793" },
		{ "math.pi", "; write 3.141592653589793" },
		{ "std", "; functions stand alone: min(a, b) for std::min(a, b)" },
		{ "lambda", arrow },
		{ "None", "; every parameter has a value" },
		{ "bool", "; whether a is not 0 is written a != 0" },
		{ "int", cast },
		{ "long", cast },
		{ "unsigned", cast },
		{ "size_t", cast },
		{ "float", cast },
		{ "double", cast },
		{ "sizeof", "; write the number of bytes: 4 for float, 2 for half" },
		{ "round", "; write int(floor(a + 0.5))" },
		{ "dim3",
			"; each dimension is an expression of its own: ( \"M\", \"N\" ) for dim3(M, N)" },
		{ "warpSize", "; write device.warp_size" },
		{ "WARP_SIZE", "; write device.warp_size" },
		{ "__CUDA_ARCH__",
			"; write device.compute_capability, which is 90 for sm_90" },
		{ "device.sm",
			"; write device.compute_capability, which is 90 for sm_90" },
		{ "device.arch",
			"; write device.compute_capability, which is 90 for sm_90" },
		{ "blockDim.x", launch },
		{ "blockDim.y", launch },
		{ "blockDim.z", launch },
		{ "gridDim.x", launch },
		{ "gridDim.y", launch },
		{ "gridDim.z", launch },
		{ "threadIdx.x", launch },
		{ "blockIdx.x", launch },
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

const char *at_expression_foreign_character(const char *text)
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

	for (size_t i = 0; i < AT_COUNT_OF(hints); i++)
		if (!strncmp(text, hints[i].foreign, strlen(hints[i].foreign)))
			return hints[i].hint;
	return "";
}
