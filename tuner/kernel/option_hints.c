/* The advice about options; see option_hints.h. */
#include "kernel/option_hints.h"
#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

static const char optimized[] =
	"kernels are compiled with full optimization anyway: leave it out; --ptxas-options=-O1 has less";
static const char architecture[] =
	"the architecture is that of the device which is tuned on: leave it out";
static const char linked[] = "a kernel is linked with nothing: leave it out";
static const char warned[] = "warnings of a template are not shown: leave it out";
static const char kept[] =
	"what is compiled is kept in a cache of autotune's own: leave it out";
static const char debugged[] =
	"expected -lineinfo for lines of the source, or -G for code to debug, which is slow";

/* whole: the option is exactly this; else it begins with this. */
static const struct {
	const char *option;
	bool whole;
	const char *hint;
} hints[] = {
	{ "-O", true, optimized },
	{ "-O0", true, optimized },
	{ "-O1", true, optimized },
	{ "-O2", true, optimized },
	{ "-O3", true, optimized },
	{ "-O4", true, optimized },
	{ "-Os", true, optimized },
	{ "-Ofast", true, "expected -use_fast_math" },
	{ "--optimize", false, optimized },
	{ "--use-fast-math", true, "expected --use_fast_math" },
	{ "-use-fast-math", true, "expected -use_fast_math" },
	{ "-fast-math", true, "expected -use_fast_math" },
	{ "--fast-math", true, "expected --use_fast_math" },
	{ "-gencode", false, architecture },
	{ "--generate-code", false, architecture },
	{ "-code", false, architecture },
	{ "--gpu-code", false, architecture },
	{ "-march=", false, architecture },
	{ "-mtune=", false, architecture },
	{ "-mcpu=", false, architecture },
	{ "-m64", true, architecture },
	{ "-L", false, linked },
	{ "-l", false, linked },
	{ "--library", false, linked },
	{ "-Xlinker", false, linked },
	{ "-W", false, warned },
	{ "-g", true, debugged },
	{ "--debug", true, debugged },
	{ "-ggdb", true, debugged },
	{ "--generate-line-info", false, debugged },
	{ "--keep", false, kept },
	{ "-keep", false, kept },
	{ "--save-temps", false, kept },
	{ "-save-temps", false, kept },
	{ "-ptx", true, "each device's machine code is made: leave it out" },
	{ "--ptx", true, "each device's machine code is made: leave it out" },
	{ "-cubin", true, "each device's machine code is made: leave it out" },
	{ "--cubin", true, "each device's machine code is made: leave it out" },
	{ "-c", true, "one file is compiled for each configuration: leave it out" },
	{ "-x", false, "a template is CUDA C++: leave it out" },
	{ "--default-stream", false, "there is one stream: leave it out" },
	{ "-default-stream", false, "there is one stream: leave it out" },
	{ "--regs", false, "expected --maxrregcount=64 or the like" },
	{ "--register", false, "expected --maxrregcount=64 or the like" },
	{ "--maxregcount", false,
		"expected --maxrregcount=64 or the like, with two r" },
	{ "-maxregcount", false, "expected -maxrregcount=64 or the like, with two r" },
	{ "--dlcm", false, "it is one of ptxas: write --ptxas-options=-dlcm=ca" },
	{ "-dlcm", false, "it is one of ptxas: write --ptxas-options=-dlcm=ca" },
	{ "-v", true,
		"registers, spills and shared memory are recorded anyway: leave it out" },
	{ "--verbose", true,
		"registers, spills and shared memory are recorded anyway: leave it out" },
};

const char *at_option_hint(const char *option)
{
	if (option[0] != '-')
		return "an option begins with -, as in \"-DNAME=1\"";
	for (size_t i = 0; i < AT_COUNT_OF(hints); i++)
		if (!strncmp(option, hints[i].option, strlen(hints[i].option)) &&
			(!hints[i].whole || !option[strlen(hints[i].option)]))
			return hints[i].hint;
	return NULL;
}
