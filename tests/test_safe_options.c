/* Compiler options: which of them a space may use without being trusted. */
#include "suite.h"

#include "base/memory.h"
#include "kernel/safe_options.h"
#include "kernel/source.h"

enum { WORDS_MAX = 4 };

struct row {
	const char *words[WORDS_MAX];
	int wrong; /* the first that is refused, -1: none is */
};

static void assert_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *words[WORDS_MAX] = { NULL };
		size_t length = 0, wrong = 99;
		const char *why = "";
		int found;

		for (; length < WORDS_MAX && rows[i].words[length]; length++)
			words[length] = at_strdup(rows[i].words[length]);
		found = at_options_are_safe(words, length, &wrong, &why) ? -1
									 : (int)wrong;
		if (found != rows[i].wrong)
			fail_msg("\"%s\" \"%s\": %d is refused (%s), expected %d",
				rows[i].words[0], length > 1 ? rows[i].words[1] : "",
				found, why, rows[i].wrong);
		for (size_t k = 0; k < length; k++)
			free(words[k]);
	}
}

TEST(what_chooses_code_is_taken)
{
	static const struct row rows[] = {
		{ { "-DRADIUS=6", "-DX=*/ \"a\"", "-D", "N" }, -1 },
		{ { "-D=N", "--define-macro=N=2", "--undefine-macro", "N" }, -1 },
		{ { "-Uassert", "-I/usr/include", "-I", "../inc" }, -1 },
		{ { "--include-path=a b", "-include", "config.h" }, -1 },
		{ { "--ptxas-options=-dlcm=ca", "-Xptxas=-O3,-v,--def-load-cache=cg",
			  "-Xptxas", "-warn-spills" },
			-1 },
		{ { "--maxrregcount=64", "-maxrregcount", "128" }, -1 },
		{ { "-arch=sm_90a", "--gpu-architecture", "compute_90", "-std=c++20" },
			-1 },
		{ { "--use_fast_math", "-use_fast_math", "-fmad=false", "--ftz=true" },
			-1 },
		{ { "-G", "-lineinfo", "-dopt", "-dopt=on" }, -1 },
		{ { "--expt-relaxed-constexpr", "--extended-lambda" }, -1 },
		{ { "--diag-suppress=177,550-D", "-w", "--split-compile=0" }, -1 },
		{ { "-fno-unroll-loops", "-funroll-loops", "-ffast-math",
			  "-falign-loops=32" },
			-1 },
		{ { "-ftree-vectorize", "-fvect-cost-model=unlimited",
			  "-ffp-contract=off" },
			-1 },
		{ { NULL }, -1 },
	};

	assert_rows(rows, AT_COUNT_OF(rows));
}

/* what was found to run or write, and what is of its kind */
TEST(what_runs_or_writes_is_refused)
{
	static const char *const texts[] = { "-fplugin=evil.so", "-fplugin=evil",
		"-fplugin-arg-evil-x=1", "-fpass-plugin=evil.so",
		"-fopt-info-all=/tmp/x", "-fopt-info", "-fdump-tree-all=/tmp/x",
		"-fdump-rtl-all", "-fdump-final-insns=/tmp/x", "-fdump-go-spec=/tmp/x",
		"-fsave-optimization-record", "-fstack-usage", "-fcallgraph-info",
		"-ftest-coverage", "-fprofile-arcs", "-fprofile-generate=/tmp",
		"-fprofile-use=/tmp", "-fauto-profile=x", "-fmem-report",
		"-ftime-report", "-ftime-trace=/tmp/x", "-ftime-trace", "-fmodules-ts",
		"-fmodules", "-fmodule-mapper=|touch x", "-fmodules-cache-path=/tmp",
		"-fmodule-file=x", "-fuse-ld=/tmp/ld", "-flto", "-flto=auto",
		"-fsanitize=address", "-fopenmp", "-foffload=x",
		"-fdiagnostics-format=sarif-file",
		"-fdiagnostics-add-output=sarif:file=x", "-fno-integrated-cc1",
		"-fcompare-debug", "-fsplit-dwarf", "-fcrash-diagnostics-dir=/tmp",
		"-fproc-stat-report=/tmp/x", "-fself-test=x", "-fdebug-prefix-map=a=b",
		"-fpch-preprocess", "-fpreprocessed", "-fworking-directory",
		"-frandom-seed=/a/b", "-fbuild-session-file=x", "-o", "-o/tmp/x", "-c",
		"-E", "-S", "-MF", "-MD", "-MMD", "-MT", "-M", "-save-temps",
		"-save-temps=obj", "--save-temps", "-time", "-time=/tmp/x",
		"--time=/tmp/x", "-wrapper", "-specs=x", "--specs=x", "-B/tmp", "-B",
		"--sysroot=/tmp", "-isystem", "-imacros", "-iquote", "-Wl,-o,x",
		"-Wa,x", "-Wp,-MD,x", "-Xlinker", "-Xassembler", "-Xpreprocessor",
		"-Xcompiler", "-Xclang", "-Xcompiler=-fplugin=x", "-load", "-mllvm",
		"-ccbin=/tmp/x", "--compiler-bindir=x", "@file", "@/etc/passwd",
		"--options-file=x", "-optf", "--output-directory=/tmp", "-odir",
		"--keep", "--keep-dir=/tmp", "--dryrun", "--run", "--create-pch=/tmp/x",
		"--use-pch=/tmp/x", "--pch", "-pch", "--pch-dir=/tmp", "-pch-dir=/tmp",
		"--fdevice-time-trace=/tmp/x", "-fdevice-time-trace=x",
		"--dump-nvvmir=x", "-dump-cuda", "--optix-ir", "-dlto", "--gen-opt-lto",
		"-L/tmp", "-lx", "-rpath", "-x", "-dumpdir", "-dumpbase=x", "-aux-info",
		"-print-prog-name=x", "-pipe", "-shared", "file.cu", "/tmp/evil.so", "",
		"-", "--", " -G", "-G ", "-Gx", "-G --device-debug", "--Gx", "--DX" };

	for (size_t i = 0; i < AT_COUNT_OF(texts); i++) {
		/* whatever stands in front of it */
		const struct row rows[] = { { { texts[i] }, 0 },
			{ { "-G", texts[i] }, 1 } };

		assert_rows(rows, AT_COUNT_OF(rows));
	}
}

TEST(a_value_is_held_to_what_values_look_like)
{
	static const struct row rows[] = {
		/* by itself on a command line it would be something else */
		{ { "-D", "-fplugin=x" }, 0 },
		{ { "-I", "@file" }, 0 },
		{ { "-include", "-o" }, 0 },
		{ { "-I@file" }, 0 },
		{ { "-D" }, 0 },
		{ { "-D=" }, 0 },
		{ { "--maxrregcount", "-fplugin=x" }, 0 },
		{ { "--maxrregcount=/tmp/x" }, 0 },
		{ { "--maxrregcount=" }, 0 },
		{ { "-std=c++17 -o x" }, 0 },
		{ { "-frandom-seed=../x" }, 0 },
		{ { "-G=1" }, 0 },
		{ { "-falign-loops=/tmp/x" }, 0 },
		{ { "-funroll-loops=/tmp/x" }, 0 },
		{ { "-ftemplate-depth" }, 0 },
		{ { "--ptxas-options=-o,x" }, 0 },
		{ { "--ptxas-options=-v,--output-file=x" }, 0 },
		{ { "--ptxas-options=-dlcm=ca,x" }, 0 },
		{ { "--ptxas-options=-dlcm=/x" }, 0 },
		{ { "--ptxas-options=-v -o x" }, 0 },
		{ { "--ptxas-options=-v,--options-file=x" }, 0 },
		{ { "--ptxas-options=" }, 0 },
		{ { "--ptxas-options=-v," }, 0 },
		{ { "--ptxas-options" }, 0 },
		{ { "-Xptxas", "-o" }, 0 },
	};

	assert_rows(rows, AT_COUNT_OF(rows));
}

/* ---- in a space -------------------------------------------------------------- */

static const char space[] =
	"parameters: { W = [ \"v\", \"o\" ]; };\n"
	"problems = ( { name = \"p\"; N = 1; } );\n"
	"options = ( \"-DN=${N}\",\n"
	"  { option = \"--ptxas-options=-${W}\"; when = \"N > 0\"; } );\n";

static enum at_status options_with(
	const char *word, bool is_trusted, struct at_error *err)
{
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	struct at_value slots[64];
	char **options = NULL;
	size_t count = 0;
	enum at_status status;

	if (at_spec_parse(space, sizeof(space) - 1, "a.cfg", &spec, err))
		fail_msg("%s", err->text);
	assert_true(spec->slot_count <= AT_COUNT_OF(slots));
	assert_false(spec->is_trusted);
	spec->is_trusted = is_trusted;
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	slots[0] = spec->parameters[0].values[strcmp(word, "v") ? 1 : 0];
	status = at_source_options(spec, slots, &options, &count, err);
	assert_int_equal(count, status ? 0 : 2);
	at_source_free_options(options, count);
	return status;
}

TEST(an_option_is_judged_with_its_values_and_told_with_its_line)
{
	struct at_error err = { 0 };

	assert_ok(options_with("v", false, &failure));
	assert_int_equal(options_with("o", false, &err), AT_EUNTRUSTED);
	assert_string_equal(err.file, "a.cfg");
	assert_int_equal(err.line, 4);
	assert_non_null(strstr(err.text, "\"--ptxas-options=-o\" has a value"));
	assert_non_null(strstr(err.text, "--trust"));
	at_error_clear(&err);
	assert_ok(options_with("o", true, &failure));
}

TEST(says_that_each_option_is_a_string)
{
	char *options[] = { (char *)"-G", (char *)"--use_fast_math -lineinfo" };
	const char *why = "";
	size_t wrong = 0;

	assert_false(at_options_are_safe(options, 2, &wrong, &why));
	assert_int_equal(wrong, 1);
	assert_string_equal(why,
		"has a blank, and each option is a string of its own, as in ( \"-G\", \"-lineinfo\" )");
	/* two macros, and not one of an odd value; a type of two words is one */
	options[1] = (char *)"-DX=1 -DY=2";
	assert_false(at_options_are_safe(options, 2, &wrong, &why));
	assert_non_null(strstr(why, "has a blank"));
	options[1] = (char *)"-maxrregcount 64";
	assert_false(at_options_are_safe(options, 2, &wrong, &why));
	assert_non_null(strstr(why, "has a blank"));
	options[1] = (char *)"-DX=unsigned int";
	assert_true(at_options_are_safe(options, 2, &wrong, &why));
}

RUN_SUITE(NULL, NULL)
