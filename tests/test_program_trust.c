/*
 * A space file from a stranger cannot make the executable do harm before a person has
 * read it. Each fault is a real one: compiler options that write files, a compiler that
 * tries to, pipes without a writer, devices without an end.
 */
#include "base/memory.h"
#include "base/sandbox.h"
#include "executable.h"
#include "kernel/cxx.h"

#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

/* what this machine cannot keep compilers from */
static const char *missing;

/* none of them takes a second; what waits for ever is to fail */
#define PATIENCE_SECONDS 100

#define KERNEL(file, reference) \
	"kernel: { name = \"toy\"; template = \"" file "\"; reference = " reference \
	"; };\n"
#define REST(fill, verify) \
	"parameters: { W = [ 1, 2 ]; };\n" \
	"defaults: { W = 1; };\n" \
	"problems = ( { name = \"p\"; N = 64; } );\n" \
	"launch: { block = ( 64 ); grid = ( 1 ); };\n" \
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; " fill \
	" },\n" \
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n" \
	"verify: { derive = false; " verify " };\n" \
	"search: { budget = 2; samples = ( 1, 2 ); cache = \"warm\"; };\n"

#define KERNELS \
	"extern \"C\" __global__ void toy(const float *x, float *y)\n" \
	"{\n\ty[threadIdx.x] = W > 0 ? x[threadIdx.x] : 0;\n}\n" \
	"extern \"C\" __global__ void right(const float *x, float *y)\n" \
	"{\n\tif (threadIdx.x < 64)\n\t\ty[threadIdx.x] = x[threadIdx.x];\n}\n"

static int make_place(void **state)
{
	OWNED(free) char *cache;

	alarm(PATIENCE_SECONDS);
	executable_begin(state);
	/* what a compiler writes beside a unit is written only if it runs */
	cache = executable_path("cache");
	assert_int_equal(setenv("AUTOTUNE_CACHE", cache, 1), 0);
	executable_write("toy.cu", KERNELS);
	return 0;
}

static int remove_place(void **state)
{
	alarm(0);
	return executable_end(state);
}

#define IN_PLACE(name) TEST_WITH(name, make_place, remove_place)

static void need_compiler(void)
{
	char version[300];

	if (at_cxx_version(version, sizeof(version), NULL))
		skip_because("no C++ compiler");
}

static bool is_there(const char *name)
{
	OWNED(free) char *path = executable_path(name);
	bool found = at_file_exists(path);

	return found;
}

static void make_pipe(const char *name)
{
	OWNED(free) char *path = executable_path(name);

	assert_int_equal(mkfifo(path, 0600), 0);
}

static void assert_run(const char *line, int code, const char *part)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run(line);

	if (outcome.code != code || !strstr(outcome.err, part))
		fail_msg("%s: ended with %d, expected %d and \"%s\", and says:\n%s",
			line, outcome.code, code, part, outcome.err);
}

/* ---- options ------------------------------------------------------------------ */

#define SPACE_WITH(options) \
	KERNEL("toy.cu", "\"right\"") REST("", "") "options = ( " options " );\n"

IN_PLACE(options_that_write_are_taken_from_trusted_files_alone)
{
	need_compiler();
	executable_write(
		"space.cfg", SPACE_WITH("\"-DA\",\n  \"-fopt-info-all=written.txt\""));
	for (int i = 0; i < 3; i++) {
		static const char *const lines[] = { "check space.cfg",
			"check space.cfg --device host --compile 0",
			"tune space.cfg --device host --quiet" };

		assert_run(lines[i], 1,
			"space.cfg:11: the option \"-fopt-info-all=written.txt\" is not on the list of options that are known to be safe");
		assert_false(is_there("written.txt"));
	}
	/* it is real */
	assert_run("check space.cfg --device host --compile 0 --quiet --trust", 0, "");
	assert_true(is_there("written.txt"));
}

/* only one of the values, and not that of the defaults, makes it what it is */
IN_PLACE(a_value_of_a_parameter_makes_no_option_of_its_own)
{
	executable_write("space.cfg",
		KERNEL("toy.cu", "\"right\"") REST("",
			"") "options = ( { option = \"-f${W}\"; when = \"W > 1\"; } );\n");
	assert_run("check space.cfg", 1,
		"space.cfg:10: the option \"-f2\" is not on the list");
	/* --set takes it away */
	assert_run("check space.cfg --set W=1", 0, "");
}

/* gcc takes a word that begins with '@' for a file of options, wherever it stands */
IN_PLACE(the_name_of_a_folder_is_no_file_of_options)
{
	OWNED(free) char *folder = executable_path("@inner");

	need_compiler();
	assert_int_equal(mkdir(folder, 0700), 0);
	executable_write("@inner/toy.cu", KERNELS);
	executable_write("inner", "-fopt-info-all=written.txt\n");
	executable_write(
		"space.cfg", KERNEL("@inner/toy.cu", "\"right\"") REST("", ""));
	assert_run("check space.cfg --device host --compile 0 --quiet", 0, "");
	assert_false(is_there("written.txt"));
}

/*
 * gcc reads the memory of a compiler back from NAME.gch beside a header that comes
 * ahead of everything else, and -I finds a stranger's header before the system's. The
 * compiler here makes one that fits before it compiles.
 */
IN_PLACE(a_precompiled_header_in_a_folder_of_an_option_is_not_read)
{
	OWNED(free) char *compiler, *folder = executable_path("inc");

	need_compiler();
	assert_int_equal(mkdir(folder, 0700), 0);
	executable_write("inc/stddef.h", "#include_next <stddef.h>\n");
	executable_write(
		"inc/other.h", "#include_next <stddef.h>\n#define IS_PRECOMPILED 1\n");
	executable_write("toy.cu",
		"#ifdef IS_PRECOMPILED\n#error it was read\n#endif\n" KERNELS);
	executable_write("space.cfg", SPACE_WITH("\"-Iinc\""));
	executable_write("cxx",
		"#!/bin/sh\n"
		"CXX=$(command -v g++ || command -v c++ || command -v clang++)\n"
		"[ \"$1\" = --version ] && exec $CXX --version\n"
		"flags=\n"
		"for word; do case $word in\n"
		"*unit.*|-c|-o) ;; *) flags=\"$flags $word\";; esac; done\n"
		"case \" $* \" in *' -c '*)\n"
		"$CXX $flags -x c++-header inc/other.h -o inc/stddef.h.gch;; esac\n"
		"exec $CXX \"$@\"\n");
	compiler = executable_path("cxx");
	assert_int_equal(chmod(compiler, 0700), 0);
	assert_int_equal(setenv("AUTOTUNE_CXX", compiler, 1), 0);
	assert_run("check space.cfg --device host --compile 0 --quiet", 0, "");
	unsetenv("AUTOTUNE_CXX");
	assert_true(is_there("inc/stddef.h.gch"));
}

/* ---- the sandbox ----------------------------------------------------------------- */

/* What its messages say comes from inside a compile worker's compiler. */
IN_PLACE(a_compile_worker_and_what_it_starts_are_in_the_sandbox)
{
	RELEASED(at_strbuf_release) struct at_strbuf path = { 0 };
	char *compiler, *old;

	if (missing[0])
		skip_because(missing);
	executable_write("space.cfg", KERNEL("toy.cu", "\"right\"") REST("", ""));
	executable_write("c++",
		"#!/bin/sh\n"
		"[ \"$1\" = --version ] && echo some compiler && exit\n"
		"worker=$(grep -c '^Seccomp:.*2$\\|^NoNewPrivs:.*1$' /proc/$PPID/status)\n"
		"(echo x >written.txt) 2>/dev/null && wrote=yes || wrote=no\n"
		"echo \"error: $worker $wrote\"\n"
		"exit 1\n");
	compiler = executable_path("c++");
	assert_int_equal(chmod(compiler, 0700), 0);
	/* the first that is found; with the name of a variable it is the user's own */
	old = at_strdup(getenv("PATH"));
	at_strbuf_addf(&path, "%s:%s", executable_place, old);
	assert_int_equal(setenv("PATH", at_strbuf_text(&path), 1), 0);
	unsetenv("CXX");
	assert_run("check space.cfg --device host --compile 0", 1, "error: 2 no");
	assert_false(is_there("written.txt"));
	setenv("PATH", old, 1);
	assert_int_equal(setenv("AUTOTUNE_CXX", compiler, 1), 0);
	assert_run("check space.cfg --device host --compile 0", 1, "error: 0 yes");
	assert_true(is_there("written.txt"));
	unsetenv("AUTOTUNE_CXX");
	free(old);
	free(compiler);
}

/* a name that is a macro's is seen by the compiler alone */
IN_PLACE(a_device_that_is_included_behind_a_macro_is_not_read)
{
	need_compiler();
	if (missing[0])
		skip_because(missing);
	executable_write("toy.cu",
		"#define FILE_NAME \"/dev/ptmx\"\n#include FILE_NAME\n" KERNELS);
	executable_write("space.cfg", KERNEL("toy.cu", "\"right\"") REST("", ""));
	assert_run("check space.cfg --device host --compile 0", 1,
		"/dev/ptmx: Permission denied");
}

/* ---- what is no file ------------------------------------------------------------- */

IN_PLACE(what_is_no_file_is_refused_at_once_with_its_place)
{
	static const struct {
		const char *space;
		const char *source;
		const char *text;
	} rows[] = {
		{ KERNEL("pipe", "\"right\"") REST("", ""), NULL,
			"space.cfg:1: the template \"pipe\" is a pipe, not a file" },
		{ KERNEL("/dev/zero", "\"right\"") REST("", ""), NULL,
			"space.cfg:1: the template \"/dev/zero\" is a device, not a file" },
		{ KERNEL(".", "\"right\"") REST("", ""), NULL,
			"space.cfg:1: the template \".\" is a directory, not a file" },
		{ KERNEL("hole", "\"right\"") REST("", ""), NULL,
			"hole: is larger than 16777216 bytes" },
		{ KERNEL("toy.cu", "{ library = \"pipe\"; function = \"f\"; }")
				REST("", ""),
			NULL,
			"space.cfg:1: the library of the reference \"pipe\" is a pipe, not a file" },
		{ KERNEL("toy.cu",
			  "{ files = ( { argument = \"y\"; path = \"pipe\"; } ); }")
				REST("", ""),
			NULL,
			"space.cfg:1: the reference's file \"pipe\" is a pipe, not a file" },
		{ KERNEL("toy.cu", "\"right\"") REST("fill = \"file('pipe')\";", ""),
			NULL,
			"space.cfg:6: the argument's file \"pipe\" is a pipe, not a file" },
		{ KERNEL("toy.cu", "\"right\"")
				REST("", "data = ( { x = \"file('pipe')\"; } );"),
			NULL,
			"space.cfg:8: the file of a data set in verify \"pipe\" is a pipe, not a file" },
		{ NULL, "#include \"pipe\"\n" KERNELS,
			"pipe: is a pipe, not a file; the template includes it" },
		{ NULL, "#include \"/dev/zero\"\n" KERNELS,
			"/dev/zero: is a device, not a file; the template includes it" },
		{ NULL, "#include \"hole\"\n" KERNELS,
			"hole: is larger than 16777216 bytes" },
		/* found where options say, and only there */
		{ SPACE_WITH("\"-Ideep\""), "#include \"thing.h\"\n" KERNELS,
			"deep/thing.h: is a pipe, not a file; the template includes it" },
		{ SPACE_WITH("\"-include\", \"pipe\""), KERNELS,
			"pipe: is a pipe, not a file; the template includes it" },
		{ SPACE_WITH("\"--pre-include=/dev/zero\""), KERNELS,
			"/dev/zero: is a device, not a file; the template includes it" },
	};
	OWNED(free)
	char *hole = executable_path("hole"), *deep = executable_path("deep");

	make_pipe("pipe");
	assert_int_equal(mkdir(deep, 0700), 0);
	make_pipe("deep/thing.h");
	executable_write("hole", "");
	assert_int_equal(truncate(hole, (off_t)1 << 40), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		executable_write("toy.cu", rows[i].source ? rows[i].source : KERNELS);
		executable_write("space.cfg",
			rows[i].space ? rows[i].space
				      : KERNEL("toy.cu", "\"right\"") REST("", ""));
		assert_run("check space.cfg", 1, rows[i].text);
		/* what is verified beside the rest is left out with a word of it */
		assert_run("tune space.cfg --device host --sanitize never",
			strstr(rows[i].text, "data set") ? 0 : 1,
			strstr(rows[i].text, "is "));
	}
	assert_run("check pipe", 1, "pipe: is a pipe, not a file");
	assert_run("import pipe", 1, "pipe: is a pipe, not a file");
	assert_run("compare pipe pipe", 1, "pipe");
}

int main(int argc, char **argv)
{
	missing = at_sandbox_missing();
	return run_suite(argc, argv, NULL, NULL);
}
