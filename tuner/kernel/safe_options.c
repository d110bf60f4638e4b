/* The tables of options that are known to be safe, and the comparison with them. */
#include "kernel/safe_options.h"
#include "base/memory.h"

#include <string.h>

/* What belongs to an option. */
enum value {
	NOTHING = 0,
	WORD, /* such as "sm_90", "128", "c++17", "on", "177,550"; never a path */
	MAYBE_WORD, /* -dopt or -dopt=on */
	/* a macro: the source, which is the space's anyway, could define it too */
	TEXT,
	/* a folder, or a file to include: only read, as an #include would read it */
	PLACE,
	PTXAS, /* a list of options for ptxas */
};

struct option {
	const char *name;
	enum value value;
	/* the value may follow directly, "-DNAME"; NVRTC and the C++ compiler allow
	   that for these */
	bool may_touch;
};

/*
 * NVRTC's options, from the guide of CUDA 13 ("Supported Compile Options"). Left out
 * are --time and --fdevice-time-trace, the options of precompiled headers (they write
 * files, and read back an image of a compiler's memory), --options-file, and options
 * that give no machine code.
 */
static const struct option nvrtc[] = {
	{ "-D", TEXT, true },
	{ "--define-macro", TEXT, false },
	{ "-U", TEXT, true },
	{ "--undefine-macro", TEXT, false },
	{ "-I", PLACE, true },
	{ "--include-path", PLACE, false },
	{ "-include", PLACE, false },
	{ "--pre-include", PLACE, false },
	{ "-Xptxas", PTXAS, false },
	{ "--ptxas-options", PTXAS, false },
	{ "-arch", WORD, false },
	{ "--gpu-architecture", WORD, false },
	{ "-std", WORD, false },
	{ "--std", WORD, false },
	{ "-maxrregcount", WORD, false },
	{ "--maxrregcount", WORD, false },
	{ "-ftz", WORD, false },
	{ "--ftz", WORD, false },
	{ "-prec-sqrt", WORD, false },
	{ "--prec-sqrt", WORD, false },
	{ "-prec-div", WORD, false },
	{ "--prec-div", WORD, false },
	{ "-fmad", WORD, false },
	{ "--fmad", WORD, false },
	{ "-use_fast_math", NOTHING, false },
	{ "--use_fast_math", NOTHING, false },
	{ "-extra-device-vectorization", NOTHING, false },
	{ "--extra-device-vectorization", NOTHING, false },
	{ "-modify-stack-limit", WORD, false },
	{ "--modify-stack-limit", WORD, false },
	{ "-G", NOTHING, false },
	{ "--device-debug", NOTHING, false },
	{ "-lineinfo", NOTHING, false },
	{ "--generate-line-info", NOTHING, false },
	{ "-dopt", MAYBE_WORD, false },
	{ "--dopt", MAYBE_WORD, false },
	{ "-Ofc", WORD, false },
	{ "--Ofast-compile", WORD, false },
	{ "-split-compile", WORD, false },
	{ "--split-compile", WORD, false },
	{ "-jtd", WORD, false },
	{ "--jump-table-density", WORD, false },
	{ "-device-stack-protector", WORD, false },
	{ "--device-stack-protector", WORD, false },
	{ "-dc", NOTHING, false },
	{ "--device-c", NOTHING, false },
	{ "-dw", NOTHING, false },
	{ "--device-w", NOTHING, false },
	{ "-rdc", WORD, false },
	{ "--relocatable-device-code", WORD, false },
	{ "-ewp", NOTHING, false },
	{ "--extensible-whole-program", NOTHING, false },
	{ "-default-device", NOTHING, false },
	{ "--device-as-default-execution-space", NOTHING, false },
	{ "-device-int128", NOTHING, false },
	{ "--device-int128", NOTHING, false },
	{ "-device-float128", NOTHING, false },
	{ "--device-float128", NOTHING, false },
	{ "-restrict", NOTHING, false },
	{ "--restrict", NOTHING, false },
	{ "-builtin-move-forward", WORD, false },
	{ "--builtin-move-forward", WORD, false },
	{ "-builtin-initializer-list", WORD, false },
	{ "--builtin-initializer-list", WORD, false },
	{ "-minimal", NOTHING, false },
	{ "--minimal", NOTHING, false },
	{ "-no-source-include", NOTHING, false },
	{ "--no-source-include", NOTHING, false },
	{ "-no-cache", NOTHING, false },
	{ "--no-cache", NOTHING, false },
	{ "-frandom-seed", WORD, false },
	{ "--frandom-seed", WORD, false },
	{ "-w", NOTHING, false },
	{ "--disable-warnings", NOTHING, false },
	{ "-opt-info", WORD, false },
	{ "--optimization-info", WORD, false },
	{ "-err-no", NOTHING, false },
	{ "--display-error-number", NOTHING, false },
	{ "-no-err-no", NOTHING, false },
	{ "--no-display-error-number", NOTHING, false },
	{ "-diag-error", WORD, false },
	{ "--diag-error", WORD, false },
	{ "-diag-suppress", WORD, false },
	{ "--diag-suppress", WORD, false },
	{ "-diag-warn", WORD, false },
	{ "--diag-warn", WORD, false },
	{ "-brief-diag", WORD, false },
	{ "--brief-diagnostics", WORD, false },
};

/*
 * What nvcc has in addition, from its own help in CUDA 13: dialect and warnings. Left
 * out is everything that goes to the host's compiler, names a program or a file, or
 * keeps files. Values of macros and names of files are safe with nvcc, since
 * kernel/nvcc_unit.h keeps them from the shell that nvcc starts; all other values are
 * words.
 */
static const struct option nvcc[] = {
	{ "-expt-relaxed-constexpr", NOTHING, false },
	{ "--expt-relaxed-constexpr", NOTHING, false },
	{ "-extended-lambda", NOTHING, false },
	{ "--extended-lambda", NOTHING, false },
	{ "-expt-extended-lambda", NOTHING, false },
	{ "--expt-extended-lambda", NOTHING, false },
	{ "-Wno-deprecated-gpu-targets", NOTHING, false },
	{ "--Wno-deprecated-gpu-targets", NOTHING, false },
	{ "-Wno-deprecated-declarations", NOTHING, false },
	{ "--Wno-deprecated-declarations", NOTHING, false },
	{ "-Wmissing-launch-bounds", NOTHING, false },
	{ "--Wmissing-launch-bounds", NOTHING, false },
	{ "-res-usage", NOTHING, false },
	{ "--resource-usage", NOTHING, false },
};

/*
 * The options of ptxas, in a list with commas: those of its manual that choose code,
 * caches and messages. Left out is whatever names a file, and its own --options-file.
 */
static const struct option ptxas[] = {
	{ "-O0", NOTHING, false },
	{ "-O1", NOTHING, false },
	{ "-O2", NOTHING, false },
	{ "-O3", NOTHING, false },
	{ "-O", WORD, false },
	{ "--opt-level", WORD, false },
	{ "-v", NOTHING, false },
	{ "--verbose", NOTHING, false },
	{ "-w", NOTHING, false },
	{ "--disable-warnings", NOTHING, false },
	{ "-Werror", NOTHING, false },
	{ "--warning-as-error", NOTHING, false },
	{ "-dlcm", WORD, false },
	{ "--def-load-cache", WORD, false },
	{ "-dscm", WORD, false },
	{ "--def-store-cache", WORD, false },
	{ "-flcm", WORD, false },
	{ "--force-load-cache", WORD, false },
	{ "-fscm", WORD, false },
	{ "--force-store-cache", WORD, false },
	{ "-g", NOTHING, false },
	{ "--device-debug", NOTHING, false },
	{ "-lineinfo", NOTHING, false },
	{ "--generate-line-info", NOTHING, false },
	{ "-sp-bounds-check", NOTHING, false },
	{ "--sp-bounds-check", NOTHING, false },
	{ "-suppress-debug-info", NOTHING, false },
	{ "--suppress-debug-info", NOTHING, false },
	{ "-suppress-stack-size-warning", NOTHING, false },
	{ "--suppress-stack-size-warning", NOTHING, false },
	{ "-warn-spills", NOTHING, false },
	{ "--warn-on-spills", NOTHING, false },
	{ "-warn-lmem-usage", NOTHING, false },
	{ "--warn-on-local-memory-usage", NOTHING, false },
	{ "-warn-double-usage", NOTHING, false },
	{ "--warn-on-double-precision-use", NOTHING, false },
	{ "-allow-expensive-optimizations", WORD, false },
	{ "--allow-expensive-optimizations", WORD, false },
	{ "-disable-optimizer-consts", NOTHING, false },
	{ "--disable-optimizer-constants", NOTHING, false },
	{ "-fmad", WORD, false },
	{ "--fmad", WORD, false },
	{ "-maxrregcount", WORD, false },
	{ "--maxrregcount", WORD, false },
	{ "-register-usage-level", WORD, false },
	{ "--register-usage-level", WORD, false },
	{ "-minnctapersm", WORD, false },
	{ "--minnctapersm", WORD, false },
	{ "-maxntid", WORD, false },
	{ "--maxntid", WORD, false },
	{ "-preserve-relocs", NOTHING, false },
	{ "--preserve-relocs", NOTHING, false },
	{ "-split-compile", WORD, false },
	{ "--split-compile", WORD, false },
};

/*
 * The options of gcc and clang, without -f: besides these the host's compiler gets only
 * some of NVRTC's (kernel/cxx_arguments.c). Each may also have "no-" in front. They
 * choose code; none names a file, and none makes a compiler write another file, as
 * -fstack-usage, -ftest-coverage and -fsave-optimization-record do.
 */
static const struct option host[] = {
	{ "aggressive-loop-optimizations", NOTHING, false },
	{ "align-functions", MAYBE_WORD, false },
	{ "align-jumps", MAYBE_WORD, false },
	{ "align-labels", MAYBE_WORD, false },
	{ "align-loops", MAYBE_WORD, false },
	{ "approx-func", NOTHING, false },
	{ "associative-math", NOTHING, false },
	{ "branch-count-reg", NOTHING, false },
	{ "builtin", NOTHING, false },
	{ "code-hoisting", NOTHING, false },
	{ "conserve-stack", NOTHING, false },
	{ "constexpr-depth", WORD, false },
	{ "constexpr-loop-limit", WORD, false },
	{ "constexpr-ops-limit", WORD, false },
	{ "cx-limited-range", NOTHING, false },
	{ "delete-null-pointer-checks", NOTHING, false },
	{ "denormal-fp-math", WORD, false },
	{ "excess-precision", WORD, false },
	{ "expensive-optimizations", NOTHING, false },
	{ "fast-math", NOTHING, false },
	{ "finite-loops", NOTHING, false },
	{ "finite-math-only", NOTHING, false },
	{ "fp-contract", WORD, false },
	{ "fp-int-builtin-inexact", NOTHING, false },
	{ "fp-model", WORD, false },
	{ "gcse", NOTHING, false },
	{ "gcse-after-reload", NOTHING, false },
	{ "gcse-las", NOTHING, false },
	{ "gcse-lm", NOTHING, false },
	{ "gcse-sm", NOTHING, false },
	{ "graphite-identity", NOTHING, false },
	{ "honor-infinities", NOTHING, false },
	{ "honor-nans", NOTHING, false },
	{ "if-conversion", NOTHING, false },
	{ "if-conversion2", NOTHING, false },
	{ "inline", NOTHING, false },
	{ "inline-functions", NOTHING, false },
	{ "inline-functions-called-once", NOTHING, false },
	{ "inline-limit", WORD, false },
	{ "inline-small-functions", NOTHING, false },
	{ "ipa-cp", NOTHING, false },
	{ "ipa-cp-clone", NOTHING, false },
	{ "ipa-pta", NOTHING, false },
	{ "ipa-sra", NOTHING, false },
	{ "ivopts", NOTHING, false },
	{ "jump-tables", NOTHING, false },
	{ "live-range-shrinkage", NOTHING, false },
	{ "loop-interchange", NOTHING, false },
	{ "loop-nest-optimize", NOTHING, false },
	{ "loop-unroll-and-jam", NOTHING, false },
	{ "math-errno", NOTHING, false },
	{ "modulo-sched", NOTHING, false },
	{ "move-loop-invariants", NOTHING, false },
	{ "omit-frame-pointer", NOTHING, false },
	{ "optimize-sibling-calls", NOTHING, false },
	{ "peel-loops", NOTHING, false },
	{ "peephole", NOTHING, false },
	{ "peephole2", NOTHING, false },
	{ "permissive", NOTHING, false },
	{ "predictive-commoning", NOTHING, false },
	{ "prefetch-loop-arrays", NOTHING, false },
	{ "reciprocal-math", NOTHING, false },
	{ "rename-registers", NOTHING, false },
	{ "reorder-blocks", NOTHING, false },
	{ "rounding-math", NOTHING, false },
	{ "schedule-insns", NOTHING, false },
	{ "schedule-insns2", NOTHING, false },
	{ "short-enums", NOTHING, false },
	{ "signaling-nans", NOTHING, false },
	{ "signed-char", NOTHING, false },
	{ "signed-zeros", NOTHING, false },
	{ "simd-cost-model", WORD, false },
	{ "single-precision-constant", NOTHING, false },
	{ "slp-vectorize", NOTHING, false },
	{ "split-ivs-in-unroller", NOTHING, false },
	{ "split-loops", NOTHING, false },
	{ "split-paths", NOTHING, false },
	{ "strict-aliasing", NOTHING, false },
	{ "strict-overflow", NOTHING, false },
	{ "template-depth", WORD, false },
	{ "trapping-math", NOTHING, false },
	{ "trapv", NOTHING, false },
	{ "tree-loop-distribution", NOTHING, false },
	{ "tree-loop-im", NOTHING, false },
	{ "tree-loop-vectorize", NOTHING, false },
	{ "tree-pre", NOTHING, false },
	{ "tree-slp-vectorize", NOTHING, false },
	{ "tree-vectorize", NOTHING, false },
	{ "tree-vrp", NOTHING, false },
	{ "unroll-all-loops", NOTHING, false },
	{ "unroll-loops", NOTHING, false },
	{ "unsafe-math-optimizations", NOTHING, false },
	{ "unsigned-char", NOTHING, false },
	{ "unswitch-loops", NOTHING, false },
	{ "variable-expansion-in-unroller", NOTHING, false },
	{ "vect-cost-model", MAYBE_WORD, false },
	{ "vectorize", NOTHING, false },
	{ "web", NOTHING, false },
	{ "wrapv", NOTHING, false },
};

static const char unknown[] = "is not on the list of options that are known to be safe";
static const char several[] =
	"has a blank, and each option is a string of its own, as in ( \"-G\", \"-lineinfo\" )";
static const char no_value[] = "needs a value, as in -DNAME=1 or --maxrregcount=64";
static const char odd_value[] = "has a value that such an option does not have";

/* Whether the text is a name, a number or a list of them. No path, no option. */
static bool is_word(const char *text, size_t length)
{
	static const char characters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.,:";

	return length > 0 && length <= 64 && text[0] != '-' && text[0] != '.' &&
	       strspn(text, characters) >= length;
}

/*
 * As an argument of its own the text must not be taken for an option or a file of
 * options.
 */
static bool stays_a_value(const char *text)
{
	return text[0] && text[0] != '-' && text[0] != '@';
}

static bool is_listed_for_ptxas(const char *part, size_t length)
{
	size_t name = strcspn(part, "=,");

	for (size_t i = 0; i < AT_COUNT_OF(ptxas); i++) {
		if (strlen(ptxas[i].name) != name ||
			strncmp(part, ptxas[i].name, name) != 0)
			continue;
		if (ptxas[i].value == NOTHING)
			return name == length;
		return name < length && is_word(part + name + 1, length - name - 1);
	}
	return false;
}

static bool is_list_for_ptxas(const char *text)
{
	for (;; text++) {
		size_t length = strcspn(text, ",");

		if (!is_listed_for_ptxas(text, length))
			return false;
		text += length;
		if (!*text)
			return true;
	}
}

/* "-DX=1 -DY=2" in one string would define one macro with an odd value. */
static bool has_another(const char *text)
{
	return strstr(text, " -D") || strstr(text, " -I") || strstr(text, " -U") ||
	       strstr(text, " --");
}

static bool fits(enum value value, const char *text)
{
	switch (value) {
	case NOTHING:
		return false;
	case WORD:
	case MAYBE_WORD:
		return is_word(text, strlen(text));
	case TEXT:
	case PLACE:
		return stays_a_value(text);
	case PTXAS:
		return is_list_for_ptxas(text);
	}
	return false;
}

/*
 * Looks for options[i] in the table. True: it is there; *why is NULL where it is safe,
 * else says what is wrong, and *taken is 1, or 2 where options[i + 1] is its value.
 * False: it is not there.
 */
static bool find_listed(const struct option *table, size_t table_count,
	char *const *options, size_t count, size_t i, size_t *taken, const char **why)
{
	for (size_t k = 0; k < table_count; k++) {
		const struct option *option = &table[k];
		size_t length = strlen(option->name);
		const char *rest = options[i] + length, *value = NULL;

		if (strncmp(options[i], option->name, length) != 0 ||
			(*rest && *rest != '=' && !option->may_touch))
			continue;
		*taken = 1;
		*why = NULL;
		if (*rest == '=')
			value = rest + 1;
		else if (*rest)
			value = rest;
		else if (option->value == NOTHING || option->value == MAYBE_WORD)
			return true;
		else if (i + 1 < count)
			value = options[i + 1], *taken = 2;
		if (!value || !*value)
			*why = no_value;
		else if (!fits(option->value, value))
			*why = odd_value;
		else if (option->value == TEXT && has_another(value))
			*why = several;
		return true;
	}
	return false;
}

static bool find_host(const char *text, const char **why)
{
	size_t length;

	if (strncmp(text, "-f", 2) != 0)
		return false;
	text += strncmp(text + 2, "no-", 3) ? 2 : 5;
	length = strcspn(text, "=");
	for (size_t k = 0; k < AT_COUNT_OF(host); k++) {
		if (strlen(host[k].name) != length ||
			strncmp(text, host[k].name, length) != 0)
			continue;
		*why = NULL;
		if (text[length] ? !fits(host[k].value, text + length + 1)
				 : host[k].value == WORD)
			*why = odd_value;
		return true;
	}
	return false;
}

bool at_options_are_safe(
	char *const *options, size_t count, size_t *wrong, const char **why)
{
	size_t taken;

	for (size_t i = 0; i < count; i += taken) {
		taken = 1;
		*wrong = i;
		*why = unknown;
		if (find_listed(nvrtc, AT_COUNT_OF(nvrtc), options, count, i, &taken,
			    why) ||
			find_listed(nvcc, AT_COUNT_OF(nvcc), options, count, i, &taken,
				why) ||
			find_host(options[i], why)) {
			if (!*why)
				continue;
		}
		/* "-G -lineinfo" or "-maxrregcount 64": a shell would have split it */
		if (*why == unknown && options[i][0] == '-' && strchr(options[i], ' '))
			*why = several;
		return false;
	}
	return true;
}
