/* The lists of options that are known to be safe, and the comparison with them. */
#include "kernel/safe_options.h"
#include "base/memory.h"

#include <string.h>

enum value {
	UNLISTED = 0,
	NOTHING,
	WORD, /* such as "sm_90", "128", "c++17", "on", "177,550"; never a path */
	MAYBE_WORD, /* -dopt or -dopt=on */
	/* a macro: the space's own source could define it too */
	TEXT,
	/* a folder, or a file to include: only read, as by an #include */
	PLACE,
	PTXAS, /* a list of options for ptxas */
};

/* Names with the same kind of value, separated by blanks. NULL names end a list. */
struct row {
	enum value value;
	const char *names;
};

/* NVRTC's options, from the guide of CUDA 13 ("Supported Compile Options"). Omitted are
   --time and --fdevice-time-trace, the options of precompiled headers (they write
   files, and read back an image of a compiler's memory), --options-file, and options
   that give no machine code. */
static const struct row nvrtc[] = {
	{ NOTHING, "-use_fast_math --use_fast_math -extra-device-vectorization "
		   "--extra-device-vectorization -G --device-debug -lineinfo "
		   "--generate-line-info -dc --device-c -dw --device-w -ewp "
		   "--extensible-whole-program -default-device "
		   "--device-as-default-execution-space -device-int128 --device-int128 "
		   "-device-float128 --device-float128 -restrict --restrict -minimal "
		   "--minimal -no-source-include --no-source-include -no-cache "
		   "--no-cache -w --disable-warnings -err-no --display-error-number "
		   "-no-err-no --no-display-error-number" },
	{ MAYBE_WORD, "-dopt --dopt" },
	{ WORD, "-arch --gpu-architecture -std --std -maxrregcount --maxrregcount "
		"-ftz --ftz -prec-sqrt --prec-sqrt -prec-div --prec-div -fmad "
		"--fmad -modify-stack-limit --modify-stack-limit -Ofc "
		"--Ofast-compile -split-compile --split-compile -jtd "
		"--jump-table-density -device-stack-protector "
		"--device-stack-protector -rdc --relocatable-device-code "
		"-builtin-move-forward --builtin-move-forward "
		"-builtin-initializer-list --builtin-initializer-list -frandom-seed "
		"--frandom-seed -opt-info --optimization-info -diag-error "
		"--diag-error -diag-suppress --diag-suppress -diag-warn --diag-warn "
		"-brief-diag --brief-diagnostics" },
	{ TEXT, "-D --define-macro -U --undefine-macro" },
	{ PLACE, "-I --include-path -include --pre-include" },
	{ PTXAS, "-Xptxas --ptxas-options" },
	{ UNLISTED, NULL },
};

/* nvcc's additional options for dialect and warnings, from its own help in CUDA 13.
   Omitted are all that go to the host's compiler, name a program or a file, or keep
   files. Values of macros and file names are safe with nvcc, since kernel/nvcc.c keeps
   them from the shell that nvcc starts; all other values are words. */
static const struct row nvcc[] = {
	{ NOTHING, "-expt-relaxed-constexpr --expt-relaxed-constexpr -extended-lambda "
		   "--extended-lambda -expt-extended-lambda --expt-extended-lambda "
		   "-Wno-deprecated-gpu-targets --Wno-deprecated-gpu-targets "
		   "-Wno-deprecated-declarations --Wno-deprecated-declarations "
		   "-Wmissing-launch-bounds --Wmissing-launch-bounds -res-usage "
		   "--resource-usage" },
	{ UNLISTED, NULL },
};

/* The options of ptxas, in a list with commas: those of its manual that choose code,
   caches and messages. Omitted are all that name a file, and its own --options-file. */
static const struct row ptxas[] = {
	{ NOTHING, "-O0 -O1 -O2 -O3 -v --verbose -w --disable-warnings -Werror "
		   "--warning-as-error -g --device-debug -lineinfo "
		   "--generate-line-info -sp-bounds-check --sp-bounds-check "
		   "-suppress-debug-info --suppress-debug-info "
		   "-suppress-stack-size-warning --suppress-stack-size-warning "
		   "-warn-spills --warn-on-spills -warn-lmem-usage "
		   "--warn-on-local-memory-usage -warn-double-usage "
		   "--warn-on-double-precision-use -disable-optimizer-consts "
		   "--disable-optimizer-constants -preserve-relocs --preserve-relocs" },
	{ WORD, "-O --opt-level -dlcm --def-load-cache -dscm --def-store-cache "
		"-flcm --force-load-cache -fscm --force-store-cache "
		"-allow-expensive-optimizations --allow-expensive-optimizations "
		"-fmad --fmad -maxrregcount --maxrregcount -register-usage-level "
		"--register-usage-level -minnctapersm --minnctapersm -maxntid "
		"--maxntid -split-compile --split-compile" },
	{ UNLISTED, NULL },
};

/* The options of gcc and clang, without -f: apart from these the host's compiler gets
   only some of NVRTC's (kernel/cxx.c). Each may also have the prefix "no-". They choose
   code. None names a file or makes a compiler write another file, as -fstack-usage,
   -ftest-coverage and -fsave-optimization-record do. */
static const struct row host[] = {
	{ NOTHING, "aggressive-loop-optimizations approx-func associative-math "
		   "branch-count-reg builtin code-hoisting conserve-stack "
		   "cx-limited-range delete-null-pointer-checks "
		   "expensive-optimizations fast-math finite-loops finite-math-only "
		   "fp-int-builtin-inexact gcse gcse-after-reload gcse-las gcse-lm "
		   "gcse-sm graphite-identity honor-infinities honor-nans "
		   "if-conversion if-conversion2 inline inline-functions "
		   "inline-functions-called-once inline-small-functions ipa-cp "
		   "ipa-cp-clone ipa-pta ipa-sra ivopts jump-tables "
		   "live-range-shrinkage loop-interchange loop-nest-optimize "
		   "loop-unroll-and-jam math-errno modulo-sched move-loop-invariants "
		   "omit-frame-pointer optimize-sibling-calls peel-loops peephole "
		   "peephole2 permissive predictive-commoning prefetch-loop-arrays "
		   "reciprocal-math rename-registers reorder-blocks rounding-math "
		   "schedule-insns schedule-insns2 short-enums signaling-nans "
		   "signed-char signed-zeros single-precision-constant slp-vectorize "
		   "split-ivs-in-unroller split-loops split-paths strict-aliasing "
		   "strict-overflow trapping-math trapv tree-loop-distribution "
		   "tree-loop-im tree-loop-vectorize tree-pre tree-slp-vectorize "
		   "tree-vectorize tree-vrp unroll-all-loops unroll-loops "
		   "unsafe-math-optimizations unsigned-char unswitch-loops "
		   "variable-expansion-in-unroller vectorize web wrapv" },
	{ MAYBE_WORD, "align-functions align-jumps align-labels align-loops "
		      "vect-cost-model" },
	{ WORD, "constexpr-depth constexpr-loop-limit constexpr-ops-limit "
		"denormal-fp-math excess-precision fp-contract fp-model "
		"inline-limit simd-cost-model template-depth" },
	{ UNLISTED, NULL },
};

static const char unknown[] = "is not on the list of options that are known to be safe";
static const char several[] =
	"has a blank, and each option is a string of its own, as in ( \"-G\", \"-lineinfo\" )";
static const char no_value[] = "needs a value, as in -DNAME=1 or --maxrregcount=64";
static const char odd_value[] = "has a value that such an option does not have";

/* Whether the text is a name, a number or a list of them; not a path or an option. */
static bool is_word(const char *text, size_t length)
{
	static const char characters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.,:";

	return length > 0 && length <= 64 && text[0] != '-' && text[0] != '.' &&
	       strspn(text, characters) >= length;
}

static enum value find_value(const struct row *rows, const char *name, size_t length)
{
	/* two names of a row with their blank are not a name */
	for (; rows->names && !memchr(name, ' ', length); rows++)
		for (const char *at = rows->names; *at; at += strcspn(at, " ")) {
			at += *at == ' ';
			if (!strncmp(at, name, length) &&
				(!at[length] || at[length] == ' '))
				return rows->value;
		}
	return UNLISTED;
}

static bool is_list_for_ptxas(const char *text)
{
	for (;; text++) {
		size_t length = strcspn(text, ","), name = strcspn(text, "=,");
		enum value value = name ? find_value(ptxas, text, name) : UNLISTED;

		if (!value || (value == NOTHING) != (name == length) ||
			(value == WORD && !is_word(text + name + 1, length - name - 1)))
			return false;
		text += length;
		if (!*text)
			return true;
	}
}

static bool fits(enum value value, const char *text)
{
	switch (value) {
	case UNLISTED:
	case NOTHING:
		return false;
	case WORD:
	case MAYBE_WORD:
		return is_word(text, strlen(text));
	/* a separate argument must not be taken for an option or a response file */
	case TEXT:
	case PLACE:
		return text[0] && text[0] != '-' && text[0] != '@';
	case PTXAS:
		return is_list_for_ptxas(text);
	}
	return false;
}

/* NULL: options[i] is safe; *taken is 2 if options[i + 1] is its value. Otherwise
   returns the fault. */
static const char *find_fault(
	char *const *options, size_t count, size_t i, size_t *taken)
{
	const char *option = options[i], *value = NULL;
	/* -DNAME: NVRTC and the C++ compiler allow these to touch their value */
	bool may_touch = option[0] == '-' && option[1] && strchr("DUI", option[1]);
	size_t length = may_touch ? 2 : strcspn(option, "=");
	enum value kind = length ? find_value(nvrtc, option, length) : UNLISTED;
	bool is_host = !kind && !strncmp(option, "-f", 2);

	if (!kind && length)
		kind = find_value(nvcc, option, length);
	if (!kind && is_host) {
		size_t begin = strncmp(option, "-fno-", 5) ? 2 : 5;

		if (length > begin)
			kind = find_value(host, option + begin, length - begin);
	}
	if (!kind)
		/* "-maxrregcount 64": a shell would have split it */
		return option[0] == '-' && strchr(option, ' ') ? several : unknown;
	if (option[length])
		value = option + length + (option[length] == '=');
	else if (kind == NOTHING || kind == MAYBE_WORD)
		return NULL;
	else if (!is_host && i + 1 < count)
		value = options[i + 1], *taken = 2;
	if (!value || !*value)
		return no_value;
	if (!fits(kind, value))
		return odd_value;
	/* "-DX=1 -DY=2" in one string would define one macro with an odd value */
	return kind == TEXT && (strstr(value, " -D") || strstr(value, " -I") ||
				       strstr(value, " -U") || strstr(value, " --"))
		       ? several
		       : NULL;
}

bool at_options_are_safe(
	char *const *options, size_t count, size_t *wrong, const char **why)
{
	size_t taken;

	for (size_t i = 0; i < count; i += taken) {
		taken = 1;
		*wrong = i;
		*why = find_fault(options, count, i, &taken);
		if (*why)
			return false;
	}
	return true;
}
