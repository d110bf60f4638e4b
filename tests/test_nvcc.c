/* Compilation with nvcc: real kernels where nvcc is installed, and scripts in its place
   that misbehave. */
#include "evaluator/workers/compilers.h"
#include "kernel/nvcc.h"
#include "kernel/ptx.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wish.h"

#include "spilling_kernel.h"

/* whatever waits for ever ends the program */
#define HANGS_SECONDS 120

static bool have_nvcc;

static void need_nvcc(void)
{
	if (!have_nvcc)
		skip_because("no nvcc");
}

static int look_for_nvcc(void **state)
{
	struct at_error err = { 0 };
	char version[256];

	have_nvcc = !at_nvcc_version(version, sizeof(version), &err);
	print_message(have_nvcc ? "%s\n" : "skipping what needs nvcc: %s\n",
		have_nvcc ? version : err.text);
	return 0;
}

/* What the temporary folder holds of compilations: nothing must be left there. */
static char *temporary;

static int make_temporary(void **state)
{
	OWNED(free) char *folder = scratch_folder("nvcc");

	temporary = realpath(folder, NULL);
	if (!temporary)
		return -1;
	setenv("TMPDIR", temporary, 1);
	return look_for_nvcc(state);
}

static int remove_temporary(void **state)
{
	unsetenv("TMPDIR");
	scratch_drop(temporary);
	return 0;
}

static void assert_nothing_is_left(void)
{
	/* a folder that holds nothing can be removed */
	if (rmdir(temporary) || mkdir(temporary, 0700))
		fail_msg("%s is not empty: %s", temporary, strerror(errno));
}

#define WISH(...) compile(&(const struct wish){ .toolchain = "nvcc", __VA_ARGS__ })

static struct at_compile_result compile(const struct wish *wish)
{
	struct at_compile_result result = compile_wish(wish);

	assert_nothing_is_left();
	return result;
}

static void assert_compiled(const struct at_compile_result *result)
{
	if (result->outcome != AT_OUTCOME_OK)
		fail_msg("%s", result->log);
}

static bool holds(const struct at_compile_result *result, const char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i + length <= result->image_bytes; i++)
		if (!memcmp(result->image + i, text, length))
			return true;
	return false;
}

/* ---- real kernels --------------------------------------------------------- */

static const char source[] =
	"#define TILE 4\n"
	"#line 1 \"matmul.cu\"\n"
	"#include <vector>\n"
	"#include <cstdio>\n"
	"#include <thrust/functional.h>\n"
	"__constant__ float table[10];\n"
	"extern \"C\" __global__ void __launch_bounds__(128) tuned(const float *x, float *out, int n)\n"
	"{\n"
	"	__shared__ float tile[100];\n"
	"	tile[threadIdx.x % 100] = thrust::plus<float>()(x[n], out[n]);\n"
	"	__syncthreads();\n"
	"	out[threadIdx.x] = tile[n] + table[n];\n"
	"}\n"
	"namespace x { __global__ void named(float *out) { out[0] = TILE; } }\n"
	"template <typename T, int N>\n"
	"__global__ void many(const T *a, const T *b, T *out, double f) { out[0] = N * a[0] + b[0] * f; }\n"
	"namespace { template <int N> __global__ void hidden(int *out) { out[0] = N; } }\n"
	"static std::vector<int> host(1);\n"
	"int main() { printf(\"%d\", (int)host.size()); x::named<<<1, 1>>>(nullptr); }\n" SPILLING_KERNEL;

TEST(compiles_what_nvrtc_cannot_and_tells_the_same_facts)
{
	static const struct wish wish = { .toolchain = "nvcc",
		.source = source,
		.kernels = { "spill", "tuned", "x::named", "many<float, 2 * TILE>",
			"hidden<3>" } };
	RELEASED(at_compile_result_release) struct at_compile_result result, again;
	const struct at_kernel_facts *facts;

	need_nvcc();
	result = compile(&wish);
	assert_compiled(&result);
	assert_int_equal(result.kernel_count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(result.kernels[i].name, wish.kernels[i]);
	facts = result.kernels;
	assert_string_equal(facts[0].symbol, "spill");
	assert_int_equal(facts[0].max_threads, 1024);
	assert_true(facts[0].registers > 0 && facts[0].registers <= 64);
	assert_true(facts[0].spill_store_bytes > 0);
	assert_true(facts[0].spill_load_bytes > 0);
	assert_string_equal(facts[1].symbol, "tuned");
	assert_int_equal(facts[1].max_threads, 128);
	assert_int_equal(facts[1].shared_bytes, 400);
	assert_int_equal(facts[1].constant_bytes, 40);
	assert_int_equal(facts[1].spill_store_bytes, 0);
	assert_int_equal(facts[1].parameter_count, 3);
	assert_int_equal(facts[1].parameters[0].kind, AT_PARAMETER_POINTER);
	assert_int_equal(facts[1].parameters[2].kind, AT_PARAMETER_INTEGER);
	assert_string_equal(facts[2].symbol, "_ZN1x5namedEPf");
	assert_string_equal(facts[3].symbol, "_Z4manyIfLi8EEvPKT_S2_PS0_d");
	assert_int_equal(facts[3].parameter_count, 4);
	assert_int_equal(facts[3].parameters[3].kind, AT_PARAMETER_REAL);
	assert_non_null(strstr(facts[4].symbol, "6hiddenILi3EEEvPi"));
	/* of how they were found there is no trace, nor of where */
	assert_false(holds(&result, AT_PTX_MARKER));
	assert_false(holds(&result, "autotune-unit"));
	again = compile(&wish);
	assert_compiled(&again);
	assert_true(at_hash_equal(result.image_hash, again.image_hash));
}

/* With tables for a debugger too, where the PTX stays as it is. */
LONG_TEST(compiles_with_the_options_of_nvrtc)
{
	static const char *const rows[][3] = {
		{ "-G" },
		{ "-lineinfo", "-w" },
		{ "-rdc=true", "-use_fast_math", "--maxrregcount=128" },
		{ "-arch=sm_90a", "-minimal" },
		{ "--gpu-architecture", "sm_100", "-std=c++20" },
		{ "--ptxas-options=-dlcm=ca", "--expt-relaxed-constexpr",
			"-Xptxas=-O1" },
	};
	static const char text[] =
		"template <class T, int N> __global__ void many(T *x) { x[0] = N; }\n";

	need_nvcc();
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_compile_result_release)
		struct at_compile_result result =
			WISH(.source = text, .kernels = { "many<float, 3>" },
				.options = { rows[i][0], rows[i][1], rows[i][2] });

		if (result.outcome != AT_OUTCOME_OK)
			fail_msg("%s: %s", rows[i][0], result.log);
		assert_string_equal(result.log, "");
		assert_string_equal(result.kernels[0].symbol, "_Z4manyIfLi3EEvPT_");
		/* where ptxas keeps addresses of kernels that are taken */
		if (i > 0)
			assert_false(holds(&result, ".nv.constant4"));
	}
}

struct failure {
	const char *source;
	const char *kernel;
	const char *option; /* NULL: none */
	const char *says; /* what the log begins with */
};

LONG_TEST(what_does_not_compile_is_told_by_its_own_line)
{
	static const struct failure rows[] = {
		{ "\n__global__ void k(float *x) { x[0] = unknown; }\n", "k", NULL,
			"matmul.cu(2): error: identifier \"unknown\" is undefined\n" },
		{ "#include \"nowhere.h\"\n__global__ void k() {}\n", "k", NULL,
			"matmul.cu:1:10: fatal error: nowhere.h: No such file" },
		{ "__global__ void k() {}\n", "tuned", NULL,
			"kernel \"tuned\" not found in matmul.cu\n"
			"<kernels of matmul.cu>(1): error: identifier \"tuned\" is undefined\n" },
		{ "__device__ void k() {}\n", "k", NULL,
			"kernel \"k\" is no __global__ function in matmul.cu\n" },
		{ "__global__ void k(int) {}\n__global__ void k(float) {}\n", "k", NULL,
			"<kernels of matmul.cu>(1): error: " },
		{ "__global__ void k() {\n", "k", NULL, "<end of matmul.cu>" },
		{ "__global__ void k() {}\n", "k", "--nonsense",
			"nvcc fatal   : Unknown option '--nonsense'\n" },
		{ "__global__ void k() {}\n", "k", "-arch=compute_90", "nvcc fatal" },
		{ "__global__ void k(float *x) { __shared__ float t[20000]; t[threadIdx.x] = x[0]; __syncthreads(); x[1] = t[7]; }\n",
			"k", NULL, "ptxas error" },
		{ "#error \"no\"\n", "k", NULL, "matmul.cu:1:2: error: #error \"no\"" },
	};

	need_nvcc();
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_compile_result_release)
		struct at_compile_result result = WISH(.source = rows[i].source,
			.kernels = { rows[i].kernel }, .options = { rows[i].option });

		assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
		if (strncmp(result.log, rows[i].says, strlen(rows[i].says)) != 0)
			fail_msg("row %zu says: %s", i, result.log);
		/* but for the header that may be there tomorrow */
		assert_int_equal(result.is_verdict, i != 1);
		assert_null(result.image);
		assert_null(strstr(result.log, temporary));
	}
}

TEST(an_architecture_that_nvcc_lacks_is_told_with_those_it_has)
{
	struct at_compile_request request = { .toolchain = (char *)"nvcc",
		.architecture = (char *)"sm_52",
		.name = (char *)"matmul.cu",
		.directory = (char *)"",
		.source = (char *)"" };
	struct at_compile_result result;
	char known[AT_TOOLCHAIN_TEXT_SIZE], version[256];
	int major;

	need_nvcc();
	assert_ok(at_toolchain_architectures("nvcc", known, sizeof(known), NULL));
	assert_non_null(strstr(known, "sm_90"));
	assert_true(strstr(known, "sm_80") < strstr(known, "sm_90"));
	assert_ok(at_toolchain_version("nvcc", version, sizeof(version), NULL));
	assert_int_equal(sscanf(version, "nvcc %d.", &major), 1);
	if (strstr(known, "sm_52"))
		skip_because("an nvcc that compiles for old devices");
	assert_fails_with(at_compile(&request, &result, &failure), AT_EUNAVAILABLE,
		"does not compile for \"sm_52\", only for sm_");
	assert_nothing_is_left();
}

/* ---- words that a shell would read ------------------------------------------ */

TEST(no_word_of_a_space_is_run)
{
	char ran[64], folder[128], text[900], define[200], header[200];
	struct at_compile_result result;

	need_nvcc();
	snprintf(ran, sizeof(ran), "ran-%ld", (long)getpid());
	snprintf(define, sizeof(define), "-DX=\"$(touch %s)`touch %s`\"", ran, ran);
	snprintf(folder, sizeof(folder), "in $(touch %s),a'\"b", ran);
	snprintf(header, sizeof(header), "%s/part.h", folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_ok(at_file_replace(header, "#define PART 7\n", 15, NULL));
	snprintf(text, sizeof(text),
		"#include \"part.h\"\n"
		"__device__ const char text[] = X;\n"
		"static_assert(sizeof(text) == %zu && TWO == 2 && F(1) == 2, \"\");\n"
		"#ifdef GONE\n#error\n#endif\n"
		"__global__ void k(const char **x) { x[PART] = text; }\n",
		strlen(define) - strlen("-DX=\"\"") + 1);
	for (int way = 0; way < 2; way++) {
		result = WISH(.source = text, .directory = way ? folder : NULL,
			.kernels = { "k" },
			.options = { define, "-D", "TWO=2", "-DGONE", "-DF(a)=(a + 1)",
				"-UGONE", way ? NULL : "-I", folder });
		assert_compiled(&result);
		at_compile_result_release(&result);
	}
	assert_int_equal(access(ran, F_OK), -1);
	unlink(header);
	rmdir(folder);
}

TEST(only_plain_words_go_onto_the_command_line)
{
	static const char *const options[] = { "-D_A=1", "--define-macro", "B=a b",
		"-D_B=a b", "-DC=3", "-include", "x.h", "-maxrregcount", "32",
		"--no-cache", "-I/usr/include" };
	static const char *const words[] = { "-Xptxas=-v", "-maxrregcount", "32",
		"-arch=sm_80", "-Xcompiler", "-iquote.", "-I/usr/include", "-D_A=1" };
	const struct at_compile_request request = {
		.architecture = (char *)"sm_80",
		.name = (char *)"a\"b.cu",
		.directory = (char *)"",
		.source = (char *)"int x;",
		.option_count = AT_COUNT_OF(options),
		.options = (char **)options,
	};
	struct at_nvcc_unit unit;

	assert_ok(at_nvcc_unit_make(&unit, &request, "/tmp", NULL));
	assert_int_equal(unit.words.count, AT_COUNT_OF(words));
	for (size_t i = 0; i < unit.words.count; i++)
		assert_string_equal(unit.words.items[i], words[i]);
	assert_int_equal(unit.common_count, 4);
	assert_string_equal(unit.source.data,
		"#define B a b\n#define _B a b\n#define C 3\n#include \"x.h\"\n#line 1 \"a\\\"b.cu\"\n"
		"int x;\n#line 1 \"<end of a\\\"b.cu>\"\nextern \"C\" {}\n");
	at_nvcc_unit_release(&unit);
}

/* ---- what is between its steps ----------------------------------------------- */

TEST(ptx_tells_names_and_loses_what_asked_for_them)
{
	static const char head[] = ".version 9.0\n.target sm_90\n";
	static const struct {
		const char *ptx; /* behind the head */
		const char *left; /* NULL: as it was */
		const char *symbols[2];
	} rows[] = {
		{ ".visible .func  (.param .b64 func_retval0) autotune_kernel_0()\n{\n\tmov.u64 \t%rd1, _Z1kv;\n\tst.param.b64 [func_retval0+0], %rd1;\n\tret;\n\n}\n.entry x() {}\n",
			"\n.entry x() {}\n", { "_Z1kv", NULL } },
		/* the second alone, after what only passes a register on */
		{ ".func (.param .b64 r) autotune_kernel_1()\n{\n\tmov.b64 %rd2, %rd1;\n\t{\n\tmov.u64 %rd1, a$b;\n\t}\n}\n",
			"\n", { NULL, "a$b" } },
		/* a debugger's tables speak of it */
		{ ".func autotune_kernel_0()\n{\n\tmov.u64 %rd1, k;\n}\n.section .debug_info {}\n",
			NULL, { "k", NULL } },
		/* a declaration */
		{ ".func autotune_kernel_0()\n;\n", "\n", { NULL, NULL } },
		/* a kernel ahead of its body */
		{ ".visible .entry k\n(\n\t.param .u64 k_param_0\n)\n;\n.weak .entry w();\n.entry k()\n.maxntid 32, 1, 1\n{\n\tret;\n}\n",
			"\n\n.entry k()\n.maxntid 32, 1, 1\n{\n\tret;\n}\n",
			{ NULL, NULL } },
		/* no end, no such kernel, no function, no name */
		{ ".func autotune_kernel_0()\n{\n\tmov.u64 %rd1, k;\n", NULL,
			{ NULL, NULL } },
		{ ".func autotune_kernel_0(", NULL, { NULL, NULL } },
		{ ".func autotune_kernel_2()\n{\n\tmov.u64 %rd1, k;\n}\n", NULL,
			{ NULL, NULL } },
		{ ".func autotune_kernel_99999999999999999999()\n{\n}\n", NULL,
			{ NULL, NULL } },
		{ ".func autotune_kernel_()\n{\n}\n", NULL, { NULL, NULL } },
		{ ".entry autotune_kernel_0()\n{\n\tmov.u64 %rd1, k;\n}\n", NULL,
			{ NULL, NULL } },
		{ "// .func autotune_kernel_0()\n{\n\tmov.u64 %rd1, k;\n}\n", NULL,
			{ NULL, NULL } },
		{ ".func autotune_kernel_0()\n{\n\tmov.u64 %rd1, 77;\n\tmov.u64 %rd1\n\tmov.u64 %rd1, k+8;\n}\n",
			"\n", { NULL, NULL } },
		/* numbers that nvcc makes of the folder, and the folder */
		{ ".file 1 \"/tmp/f/unit.cu\"\n_ZN36_GLOBAL__N__4cd01975_7_unit_cu_plain x_1234567_7_unit_cu\n",
			".file 1 \"unit.cu\"\n_ZN36_GLOBAL__N__00000000_7_unit_cu_plain x_1234567_7_unit_cu\n",
			{ NULL, NULL } },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		char *symbols[2] = { NULL, NULL }, ptx[1000], left[1000];
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

		snprintf(ptx, sizeof(ptx), "%s%s", head, rows[i].ptx);
		snprintf(left, sizeof(left), "%s%s", head,
			rows[i].left ? rows[i].left : rows[i].ptx);
		at_ptx_take_markers(ptx, "/tmp/f", symbols, 2, &text);
		assert_string_equal(at_strbuf_text(&text), left);
		for (size_t k = 0; k < 2; k++) {
			const char *expected = rows[i].symbols[k];

			if (!expected != !symbols[k] ||
				(expected && strcmp(expected, symbols[k]) != 0))
				fail_msg("row %zu: %s", i,
					symbols[k] ? symbols[k] : "none");
			free(symbols[k]);
		}
	}
}

/* ---- files that are no nvcc ---------------------------------------------------- */

/* A script whose first word tells the step: $1, and where it writes: $out. */
static char *write_fake(const char *work)
{
	static const char begin[] =
		"#!/bin/sh\n"
		"step=$1\n"
		"for word; do [ \"$last\" = -o ] && out=$word; last=$word; done\n"
		"good() { printf '.version 9.0\\n.target sm_90\\n' > $out; }\n";
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	char *path = scratch_path(temporary, "../fake-nvcc");

	at_strbuf_addf(&text, "%s%s\n", begin, work);
	assert_ok(at_file_replace(path, at_strbuf_text(&text), text.length, NULL));
	assert_int_equal(chmod(path, 0700), 0);
	setenv("AUTOTUNE_NVCC", path, 1);
	return path;
}

static void remove_fake(char *path)
{
	unsetenv("AUTOTUNE_NVCC");
	unlink(path);
	free(path);
}

TEST(what_is_no_compilation_is_told_and_no_verdict)
{
	static const struct {
		const char *work;
		const char *says;
	} rows[] = {
		{ "exit 0", "error: nvcc ended well, but wrote no PTX\n" },
		{ ": > $out",
			"error: nvcc ended well, but wrote no PTX: the file is empty\n" },
		{ "echo garbage > $out",
			"error: nvcc ended well, but wrote no PTX: it is another text\n" },
		{ "head -c 5000 /dev/urandom > $out",
			"error: nvcc ended well, but wrote no PTX: it is another text\n" },
		{ "mkdir $out",
			"error: nvcc ended well, but wrote no PTX: what it wrote is a directory" },
		{ "ln -s /etc/passwd $out",
			"error: nvcc ended well, but wrote no PTX: what it wrote is " },
		{ "truncate -s 1T $out",
			"error: nvcc ended well, but wrote no PTX: what it wrote is larger than " },
		{ "case $step in -ptx) good;; *) exit 0;; esac",
			"error: nvcc ended well, but wrote no cubin\n" },
		{ "case $step in -ptx) good;; *) echo garbage > $out;; esac",
			"error: nvcc ended well, but wrote no cubin: this is no cubin: " },
		{ "case $step in -ptx) good;; *) truncate -s 1T $out;; esac",
			"error: nvcc ended well, but wrote no cubin: what it wrote is larger than " },
		{ "kill -SEGV $$", "FAKE was killed by signal 11 " },
		{ "case $step in -ptx) good;; *) kill -KILL $$;; esac",
			"FAKE was killed by signal 9 " },
		{ "exit 137", "FAKE ended with status 137: killed by signal 9\n" },
		{ "echo 'sh: 1: cicc: not found'; exit 127",
			"sh: 1: cicc: not found\n" },
		{ "echo \"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\"; exit 9",
			"nvcc error   : 'cicc' died due to signal 9" },
		{ "echo 'nvcc: the licence server does not answer'; exit 1",
			"nvcc: the licence server does not answer\n" },
		{ "exit 1", "FAKE ended with status 1, and said nothing\n" },
	};
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		char *fake = write_fake(rows[i].work), expected[700];
		RELEASED(at_compile_result_release)
		struct at_compile_result result =
			WISH(.source = "", .kernels = { "k" });
		bool is_fakes = !strncmp(rows[i].says, "FAKE", 4);

		assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
		assert_false(result.is_verdict);
		assert_null(result.image);
		assert_int_equal(result.kernel_count, 0);
		snprintf(expected, sizeof(expected), "%s%s", is_fakes ? fake : "",
			rows[i].says + (is_fakes ? 4 : 0));
		if (strncmp(result.log, expected, strlen(expected)) != 0)
			fail_msg("%s: %s", rows[i].work, result.log);
		remove_fake(fake);
	}
}

TEST(a_cubin_without_the_kernel_is_told)
{
	char *fake, work[900];
	OWNED(free) char *cubin = scratch_path(temporary, "../other.cubin");
	struct at_compile_result result;

	need_nvcc();
	result = WISH(.source = "extern \"C\" __global__ void other() {}\n",
		.kernels = { "other" });
	assert_compiled(&result);
	assert_ok(at_file_replace(cubin, result.image, result.image_bytes, NULL));
	at_compile_result_release(&result);
	snprintf(work, sizeof(work),
		"case $step in -ptx) good;; *) cat %s > $out;; esac", cubin);
	fake = write_fake(work);
	result = WISH(.source = "", .kernels = { "k" });
	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_string_equal(
		result.log, "kernel \"k\" is no __global__ function in matmul.cu\n");
	at_compile_result_release(&result);
	remove_fake(fake);
	unlink(cubin);
}

TEST(what_it_says_without_end_is_kept_in_part)
{
	char *fake = write_fake("yes 'a line of warnings' | head -c 50000000\n"
				"echo 'matmul.cu(3): error: at last'; exit 1");
	RELEASED(at_compile_result_release)
	struct at_compile_result result = WISH(.source = "");

	assert_int_equal(result.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_true(strlen(result.log) < 1000000);
	assert_non_null(strstr(result.log, "matmul.cu(3): error: at last"));
	assert_true(result.is_verdict);
	remove_fake(fake);
}

TEST(it_writes_into_the_folder_of_its_unit_and_nowhere_else)
{
	char *outside = scratch_path(temporary, "../outside"), work[700];
	char *fake;
	struct at_compile_result result;

	snprintf(work, sizeof(work),
		"echo $TMPDIR; echo > $TMPDIR/inside && echo written\n"
		"echo > %s || echo refused; exit 1",
		outside);
	fake = write_fake(work);
	result = WISH(.source = "");
	assert_non_null(strstr(result.log, "written\n"));
	if (access(outside, F_OK) == 0) {
		unlink(outside);
		free(outside);
		at_compile_result_release(&result);
		remove_fake(fake);
		skip_because("this kernel has no Landlock");
	}
	assert_non_null(strstr(result.log, "refused\n"));
	free(outside);
	at_compile_result_release(&result);
	remove_fake(fake);
}

/* ---- one that hangs -------------------------------------------------------------- */

struct hanging {
	struct at_loop *loop;
	int fifo; /* every process of the compiler has its other end */
	bool is_heard;
};

static void hear(void *context)
{
	struct hanging *self = context;
	char byte;

	if (read(self->fifo, &byte, 1) == 1) {
		self->is_heard = true;
		at_loop_stop(self->loop);
	}
}

static void never_compiled(
	void *context, struct at_compile_result *result, const struct at_error *err)
{
	fail_msg("it ended: %s", err ? err->text : result->log);
}

/*
 * As at a deadline: the compile worker is ended, and with it all that it started, also
 * what left its group and listens to no signal.
 */
TEST(with_its_worker_ends_all_that_it_started)
{
	static char toolchain[] = "nvcc", architecture[] = "sm_90", name[] = "unit.cu",
		    nothing[] = "";
	const struct at_compile_request request = { .toolchain = toolchain,
		.architecture = architecture,
		.name = name,
		.directory = nothing,
		.source = nothing };
	OWNED(free) char *fifo = scratch_path(temporary, "../fifo");
	char work[900], *fake;
	struct hanging self = { 0 };
	struct at_compilers *compilers = NULL;
	char byte;

	assert_int_equal(mkfifo(fifo, 0600), 0);
	self.fifo = open(fifo, O_RDONLY | O_NONBLOCK);
	assert_true(self.fifo >= 0);
	snprintf(work, sizeof(work),
		"trap '' TERM INT HUP QUIT USR1 USR2\n"
		"exec 9> %s\n"
		"setsid sleep 100000 &\n"
		"(trap '' TERM; sleep 100000; sleep 100000) &\n"
		"echo > %s\n"
		"sleep 100000\n",
		fifo, fifo);
	fake = write_fake(work);
	/* it says through a pipe that it hangs */
	setenv("AUTOTUNE_SANDBOX", "off", 1);
	alarm(HANGS_SECONDS);
	assert_ok(at_loop_new(AT_PROGRAM, &self.loop, &failure));
	at_compilers_new(self.loop, 1, &compilers);
	at_loop_tick(self.loop, 1, hear, &self);
	assert_ok(at_compilers_submit(
		compilers, &request, NULL, false, never_compiled, NULL, NULL));
	while (!self.is_heard)
		at_loop_run(self.loop);
	at_compilers_forget(compilers, NULL);
	at_compilers_free(compilers);
	at_loop_free(self.loop);
	/* its end comes when the last of them has died */
	fcntl(self.fifo, F_SETFL, 0);
	while (read(self.fifo, &byte, 1) > 0)
		;
	alarm(0);
	unsetenv("AUTOTUNE_SANDBOX");
	close(self.fifo);
	unlink(fifo);
	remove_fake(fake);
}

/* ---- which one it is ------------------------------------------------------- */

static void assert_no_version(const char *says)
{
	struct at_error err = { 0 };
	char version[256];

	assert_int_equal(at_toolchain_version("nvcc", version, sizeof(version), &err),
		AT_EUNAVAILABLE);
	if (!strstr(err.text, says))
		fail_msg("%s", err.text);
	assert_nothing_is_left();
}

TEST(says_where_it_looked_for_nvcc_and_what_would_help)
{
	OWNED(free) char *path = at_strdup(getenv("PATH") ? getenv("PATH") : "");
	struct at_cxx_tool tool = { 0 };
	OWNED(free) char *home;
	char *folder;
	OWNED(free) char *fake;

	setenv("AUTOTUNE_NVCC", "/nowhere/nvcc", 1);
	assert_no_version(
		"AUTOTUNE_NVCC names no program (\"/nowhere/nvcc\"): correct or unset it");
	setenv("AUTOTUNE_NVCC", "no-such-nvcc", 1);
	assert_no_version("AUTOTUNE_NVCC names no program (\"no-such-nvcc\")");
	/* $CUDA_HOME before $PATH */
	fake = write_fake("exit 1");
	home = scratch_path(temporary, "../home");
	folder = at_path_join(home, "bin");
	assert_ok(at_directory_make(folder, NULL));
	free(folder);
	folder = at_path_join(home, "bin/nvcc");
	assert_int_equal(rename(fake, folder), 0);
	unsetenv("AUTOTUNE_NVCC");
	setenv("CUDA_HOME", home, 1);
	assert_ok(at_nvcc_find(&tool, NULL));
	assert_string_equal(tool.words.items[0], folder);
	at_cxx_tool_release(&tool);
	unsetenv("CUDA_HOME");
	unlink(folder);
	free(folder);
	/* one line for all of the places, where there is none in them */
	setenv("PATH", "/nowhere", 1);
	if (at_nvcc_find(&tool, NULL))
		assert_no_version(
			"no nvcc, which the space asks for (toolchain = \"nvcc\"): install the CUDA toolkit, or set CUDA_HOME to its folder or AUTOTUNE_NVCC to the program; looked in PATH, /usr/local/cuda/bin");
	at_cxx_tool_release(&tool);
	setenv("PATH", path, 1);
	folder = at_path_join(home, "bin");
	rmdir(folder);
	rmdir(home);
	free(folder);
}

TEST(its_version_is_its_own_its_hosts_and_of_the_flags_it_adds)
{
	static const char *const rows[][2] = {
		{ "echo 'x autotune_version 1'; printf '# 1\\nautotune_version 12 4 131 \"12.2.0\"\\n' > $out",
			"nvcc 12.4.131, gcc 12.2.0" },
		{ "printf 'autotune_version 13 0 88 \"Clang 14.0.6 (Debian)\"\\n' > $out",
			"nvcc 13.0.88, Clang 14.0.6 (Debian)" },
	};
	char version[256], with[256];
	char *fake;

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		fake = write_fake(rows[i][0]);
		assert_ok(at_nvcc_version(version, sizeof(version), NULL));
		assert_string_equal(version, rows[i][1]);
		remove_fake(fake);
	}
	fake = write_fake(rows[0][0]);
	setenv("NVCC_APPEND_FLAGS", "-lineinfo", 1);
	assert_ok(at_nvcc_version(version, sizeof(version), NULL));
	assert_non_null(strstr(version, "nvcc 12.4.131, gcc 12.2.0, flags "));
	setenv("NVCC_APPEND_FLAGS", "-G", 1);
	assert_ok(at_nvcc_version(with, sizeof(with), NULL));
	assert_string_not_equal(version, with);
	unsetenv("NVCC_APPEND_FLAGS");
	setenv("NVCC_PREPEND_FLAGS", "-G", 1);
	assert_ok(at_nvcc_version(version, sizeof(version), NULL));
	assert_string_not_equal(version, with);
	unsetenv("NVCC_PREPEND_FLAGS");
	remove_fake(fake);
}

TEST(what_cannot_preprocess_is_no_working_nvcc)
{
	static const char *const rows[][2] = {
		{ "echo 'gcc: No such file or directory'; exit 1",
			"cannot preprocess a line, so it is no working nvcc: gcc: No such file or directory; it needs a host compiler" },
		{ "exit 0", "so it is no working nvcc; it needs" },
		{ "echo 'autotune_version 13 0' > $out",
			"so it is no working nvcc; it" },
		{ "echo 'autotune_version 13 0 x \"y\"' > $out",
			"no working nvcc; it" },
		{ "mkdir $out", "no working nvcc; it" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		char *fake = write_fake(rows[i][0]);

		assert_no_version(rows[i][1]);
		remove_fake(fake);
	}
}

TEST(a_list_of_architectures_is_sorted_and_may_be_anything)
{
	char *fake = write_fake(
		"echo 'sm_110'; echo sm_90 sm_90a; echo sm_75; echo sm_99999999999 sm_x sm_");
	struct at_error err = { 0 };
	char text[AT_TOOLCHAIN_TEXT_SIZE], small[8];

	assert_ok(at_toolchain_architectures("nvcc", text, sizeof(text), NULL));
	assert_string_equal(text, "sm_75 sm_90 sm_110");
	assert_int_equal(at_toolchain_architectures("nvcc", small, sizeof(small), &err),
		AT_EOVERFLOW);
	remove_fake(fake);
	memset(&err, 0, sizeof(err));
	fake = write_fake("echo unknown option; exit 1");
	assert_int_equal(at_toolchain_architectures("nvcc", text, sizeof(text), &err),
		AT_EUNAVAILABLE);
	assert_non_null(strstr(err.text, "--list-gpu-code names no architecture"));
	remove_fake(fake);
}

TEST(a_temporary_folder_that_a_shell_would_read_is_refused)
{
	struct at_compile_request request = { .toolchain = (char *)"nvcc",
		.architecture = (char *)"sm_90",
		.name = (char *)"a.cu",
		.source = (char *)"" };
	char *fake = write_fake("exit 0");
	OWNED(free) char *odd = scratch_path(temporary, "../a $(b)");
	struct at_compile_result result;
	struct at_error err = { 0 };

	assert_int_equal(mkdir(odd, 0700), 0);
	setenv("TMPDIR", odd, 1);
	assert_int_equal(at_compile(&request, &result, &err), AT_EINVAL);
	setenv("TMPDIR", temporary, 1);
	assert_non_null(strstr(err.text, "set TMPDIR to a folder whose name has only"));
	assert_int_equal(rmdir(odd), 0);
	remove_fake(fake);
}

/* ---- who compiles ---------------------------------------------------------- */

TEST(a_space_chooses_among_what_makes_the_same)
{
	static const struct {
		const char *own, *wanted, *chosen;
	} rows[] = {
		{ "nvrtc", NULL, "nvrtc" },
		{ "nvrtc", "nvrtc", "nvrtc" },
		{ "nvrtc", "nvcc", "nvcc" },
		{ "c++", "nvcc", "c++" },
		{ "c++", NULL, "c++" },
		{ "nvrtc", "c++", "nvrtc" },
		{ "", "nvcc", "" },
	};
	const char *name;

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		assert_ok(
			at_toolchain_choose(rows[i].own, rows[i].wanted, &name, NULL));
		assert_string_equal(name, rows[i].chosen);
	}
	assert_fails(at_toolchain_choose("nvrtc", "nvc++", &name, &failure), AT_ENOENT,
		"unknown toolchain \"nvc++\"; known are nvrtc, nvcc and c++");
}

/* ---- the whole program ----------------------------------------------------- */

static const char space[] =
	"kernel: { name = \"scale\"; template = \"scale.cu\"; reference = \"plain\"; };\n"
	"toolchain = \"nvcc\";\n"
	"problems = ( { name = \"gpu\"; on = \"cuda\"; N = 100000; },\n"
	"  { name = \"cpu\"; on = \"host\"; N = 1000; } );\n"
	"parameters: { BLOCK = [ 32, 64 ]; };\n"
	"defaults: { BLOCK = 32; };\n"
	"launch: { block = ( \"BLOCK\" ); grid = ( \"ceil_div(N, BLOCK)\" ); };\n"
	"arguments = (\n"
	"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
	"  { name = \"n\"; type = \"int\"; value = \"N\"; } );\n";
static const char template[] =
	"#include <cstdio>\n"
	"#ifdef __CUDACC__\n"
	"#include <vector>\n"
	"std::vector<int> of_the_host;\n"
	"#endif\n"
	"__global__ void scale(const float *x, float *y, int n)\n"
	"{\n"
	"	int i = blockIdx.x * BLOCK + threadIdx.x;\n"
	"	if (i < n)\n"
	"		y[i] = 2 * x[i];\n"
	"}\n"
	"__global__ void plain(const float *x, float *y, int n)\n"
	"{\n"
	"	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n"
	"		y[i] = 2 * x[i];\n"
	"}\n";

LONG_TEST(a_space_that_asks_for_nvcc_is_compiled_by_it_and_not_on_host)
{
	OWNED(free) char *folder = scratch_folder("nvcc-space"), *file, *code, *results;
	struct program_result result;

	file = scratch_path(folder, "scale.cfg");
	code = scratch_path(folder, "scale.cu");
	results = scratch_path(folder, "results");
	file_write(file, space);
	file_write(code, template);
	program_run_with("AUTOTUNE_NVCC=/nowhere/nvcc",
		(const char *const[]){
			"check", file, "--arch", "sm_90", "--compile", "1", NULL },
		&result);
	assert_int_equal(result.exit_status, 1);
	assert_string_equal(result.errors,
		"autotune: AUTOTUNE_NVCC names no program (\"/nowhere/nvcc\"): correct or unset it\n");
	program_release(&result);
	program_run_with("AUTOTUNE_NVCC=/nowhere/nvcc",
		(const char *const[]){ "tune", file, "--device", "host", "--results",
			results, "--budget", "2", "--quiet", NULL },
		&result);
	if (result.exit_status != 0)
		fail_msg("%s%s", result.output, result.errors);
	program_release(&result);
	if (have_nvcc) {
		program_run((const char *const[]){ "check", file, "--arch", "sm_90",
				    "--compile", "1", NULL },
			&result);
		if (result.exit_status != 0 ||
			!strstr(result.output, "compiled by nvcc ") ||
			!strstr(result.output, "2 compiled for sm_90 in ") ||
			!strstr(result.output, " (median ") ||
			!strstr(result.output, " a unit): 0 failed"))
			fail_msg("%s%s", result.output, result.errors);
		program_release(&result);
	}
	scratch_remove(folder);
	need_nvcc();
}

RUN_SUITE(make_temporary, remove_temporary)
