/* Hints for names and operators of other languages: see expression_foreign.h. */
#include "space/expression_foreign.h"
#include "base/memory.h"

#include <string.h>

const char *at_expression_foreign(const char *text, size_t length)
{
	static const char cast[] = "; a cast is written int(a) or real(a)";
	static const char launch[] =
		"; what a kernel is launched with follows from the parameters: write these";
	static const char python[] =
		"; expressions are C: && || ! ?: pow(a, b) ceil_div(a, b)";
	static const char arrow[] =
		"; a function is none here: write only what is behind its colon";
	static const struct {
		const char *foreign;
		const char *hint;
	} hints[] = {
		{ "and", "; \"and\" is written &&" },
		{ "or", "; \"or\" is written ||" },
		{ "not", "; \"not\" is written !" },
		{ "in", "; \"a in [x, y]\" is written a == x || a == y" },
		{ "is", "; \"is\" is written ==" },
		{ "if", "; \"a if c else b\" is written c ? a : b" },
		{ "*", "; powers are written pow(a, b)" },
		{ "/", "; integers are divided with a single /" },
		{ ">", "; \"not equal\" is written !=" },
		{ ",", "; each constraint is a string of its own" },
		{ "lambda", arrow },
		{ "True", "; it is written true" },
		{ "False", "; it is written false" },
		{ "TRUE", "; it is written true" },
		{ "FALSE", "; it is written false" },
		{ "int", cast },
		{ "long", cast },
		{ "unsigned", cast },
		{ "size_t", cast },
		{ "float", cast },
		{ "double", cast },
		{ "sizeof", "; write the number of bytes: 4 for float, 2 for half" },
		{ "round", "; write int(floor(a + 0.5))" },
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
		{ "math.log2", "; write log2(a)" },
		{ "math.floor", "; write floor(a)" },
		{ "math.sqrt", "; write sqrt(a)" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(hints); i++)
		if (length == strlen(hints[i].foreign) &&
			!strncmp(text, hints[i].foreign, length))
			return hints[i].hint;
	return "";
}
