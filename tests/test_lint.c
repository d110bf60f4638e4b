/* Warnings about how a template reads its parameters, macros and arguments. */
#include "folder.h"
#include "kernel/lint.h"
#include "base/file.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include <cmocka.h>

/* The space of every row: its parameters, and what of it uses none of them. */
#define PARAMETERS(list) \
	"kernel: { name = \"k\"; template = \"k.cu\"; };\n" \
	"parameters: {\n" list "};\n" \
	"problems = ( { name = \"p\"; N = 7; } );\n"
#define BLOCK "  BLOCK = [ 16, 32 ];\n"
#define LAYOUT "  LAYOUT = [ \"aos\", \"soa\", \"row_major\" ];\n"
#define PADDED "  PADDED = [ false, true ];\n"

struct row {
	const char *space;
	const char *template;
	const char *header; /* h.h beside it; NULL: there is none */
	const char *warnings; /* a line each; "" for none */
};

#define IN_PRAGMA(place) \
	place ": nvcc replaces no macro in \"#pragma unroll BLOCK\", so that the template would not build with the header: write enum { STEPS = BLOCK }; and #pragma unroll STEPS\n"

static const struct row words[] = {
	{ PARAMETERS(LAYOUT), "int a;\n#if LAYOUT == aos\n#endif\n", NULL,
		"k.cu:2: \"LAYOUT == aos\" is false for every value: to the preprocessor the unknown name aos is 0; write LAYOUT_aos\n" },
	{ PARAMETERS(LAYOUT), "#if 1\n#elif N > 3 && \\\n  (soa!=LAYOUT)\n#endif\n",
		NULL,
		"k.cu:2: \"LAYOUT != soa\" is true for every value: to the preprocessor the unknown name soa is 0; write LAYOUT_soa\n" },
	{ PARAMETERS(LAYOUT), "#include \"h.h\"\n",
		"/* many\n lines */\n#if LAYOUT==aos\n#endif\n",
		"h.h:3: \"LAYOUT == aos\" is false for every value: to the preprocessor the unknown name aos is 0; write LAYOUT_aos\n" },
	{ PARAMETERS(LAYOUT), "#if LAYOUT == LAYOUT_aos\n#endif\n", NULL, "" },
	/* a word of another space of the same template */
	{ PARAMETERS(LAYOUT), "#if LAYOUT == LAYOUT_tiled\n#endif\n", NULL, "" },
	/* a name that somebody else gives a meaning */
	{ PARAMETERS(LAYOUT), "#define aos LAYOUT_aos\n#if LAYOUT == aos\n#endif\n",
		NULL, "" },
	{ PARAMETERS(LAYOUT), "#include \"h.h\"\n#if LAYOUT == soa\n#endif\n",
		"#define soa 2\n", "" },
	{ PARAMETERS(LAYOUT) "options = ( \"-Dsoa=LAYOUT_soa\" );\n",
		"#if LAYOUT == soa\n#endif\n", NULL, "" },
	{ PARAMETERS(LAYOUT), "#if LAYOUT == soa(1)\n#endif\n", NULL, "" },
	{ PARAMETERS(LAYOUT "  soa = [ 1, 2 ];\n"), "#if LAYOUT == soa\n#endif\n", NULL,
		"" },
	/* no directive, and no word of that parameter */
	{ PARAMETERS(LAYOUT), "// #if LAYOUT == aos\nint a = LAYOUT == aos;\n", NULL,
		"" },
	{ PARAMETERS(LAYOUT), "#if LAYOUT >= aos || LAYOUT == 0\n#endif\n", NULL, "" },
	{ PARAMETERS(LAYOUT BLOCK), "#if BLOCK == aos && LAYOUT\n#endif\n", NULL, "" },
};

/* parameters of a C++ template, which no #if can read */
#define INSTANCE(list) \
	"kernel: { name = \"k<BLOCK>\"; template = \"k.cu\"; };\n" \
	"parameters: {\n" list "};\n" \
	"problems = ( { name = \"p\"; N = 7; } );\n"
#define HIDDEN(place) \
	place ": BLOCK is a parameter of a C++ template and so no macro: to the preprocessor the unknown name is 0; write if constexpr (BLOCK ...) in the template, or give one of the two another name\n"

static const struct row hidden[] = {
	{ INSTANCE(BLOCK),
		"template <int BLOCK> __global__ void k();\n#if BLOCK > 16\n#endif\n",
		NULL, HIDDEN("k.cu:2") },
	{ INSTANCE(BLOCK), "#include \"h.h\"\n#if 0\n#elif BLOCK\n#endif\n",
		"template <int BLOCK> __global__ void k();\n", HIDDEN("k.cu:3") },
	/* called otherwise there, or no #if */
	{ INSTANCE(BLOCK),
		"template <int B> __global__ void k();\n#if BLOCK > 16\n#endif\n", NULL,
		"" },
	{ INSTANCE(BLOCK),
		"template <int BLOCK> __global__ void k();\nint a = BLOCK > 16;\n",
		NULL, "" },
	/* it is read by the name alone, which is enough; the other by nobody */
	{ INSTANCE(BLOCK), "template <int B> __global__ void k();\n", NULL, "" },
	{ INSTANCE(BLOCK PADDED), "template <int B> __global__ void k();\n", NULL,
		"k.cfg:4: the parameter \"PADDED\" is read nowhere: not by the template, nor by launch, arguments, constraints or options; its values are the same kernel\n" },
};

#define REPLACED(line) \
	"k.cu:" line \
	": BLOCK is a parameter, and defined here once more: its values do not reach what follows; put this between #ifndef BLOCK and #endif, or give it another name\n"

static const struct row definitions[] = {
	{ PARAMETERS(BLOCK), "int a;\n#define BLOCK 16\nint b = BLOCK;\n", NULL,
		REPLACED("2") },
	{ PARAMETERS(BLOCK), "#undef BLOCK\n#define BLOCK 16\n", NULL, REPLACED("2") },
	{ PARAMETERS(BLOCK),
		"#ifndef K_CU\n#define K_CU\n#define BLOCK 16\n#endif\nint b = BLOCK;\n",
		NULL, REPLACED("3") },
	{ PARAMETERS(BLOCK), "#define \\\n  BLOCK 16\n", NULL, REPLACED("1") },
	/* guarded, one way or another */
	{ PARAMETERS(BLOCK),
		"#ifndef BLOCK\n#define BLOCK 16\n#endif\nint b = BLOCK;\n", NULL, "" },
	{ PARAMETERS(BLOCK),
		"#if !defined(BLOCK)\n#define BLOCK 16\n#endif\nint b = BLOCK;\n", NULL,
		"" },
	{ PARAMETERS(BLOCK),
		"#ifdef AUTOTUNE\n#else\n#define BLOCK 16\n#endif\nint b = BLOCK;\n",
		NULL, "" },
	{ PARAMETERS(BLOCK),
		"#ifndef AUTOTUNE\n#define AUTOTUNE 0\n#define BLOCK 16\n#endif\nint b = BLOCK;\n",
		NULL, "" },
	{ PARAMETERS(BLOCK), "#if 0\n#define BLOCK 16\n#endif\nint b = BLOCK;\n", NULL,
		"" },
	/* read before, here or perhaps there */
	{ PARAMETERS(BLOCK),
		"enum { block = BLOCK };\n#undef BLOCK\n#define BLOCK block\n", NULL,
		"" },
	{ PARAMETERS(BLOCK), "#include \"h.h\"\n#undef BLOCK\n#define BLOCK 4\n",
		"enum { block = BLOCK };\n", "" },
	{ PARAMETERS(BLOCK), "#define BLOCK (BLOCK + 0)\n", NULL, "" },
	/* a name that only begins or ends like it, a comment, a text */
	{ PARAMETERS(BLOCK),
		"#define BLOCK_X 16\n#define A_BLOCK 1\n// #define BLOCK 2\n"
		"const char *t = \"\\\n#define BLOCK 3\";\nint b = BLOCK;\n",
		NULL, "" },
	/* an include may stand under any condition */
	{ PARAMETERS(BLOCK),
		"#ifndef AUTOTUNE\n#include \"h.h\"\n#endif\nint b = BLOCK;\n",
		"#define BLOCK 16\n", "" },
};

#define ASKED(line) \
	"k.cu:" line \
	": whether PADDED is defined is asked and nothing else: each parameter is, with every value; write #if PADDED\n"
#define NOWHERE(name) \
	"k.cfg:3: the parameter \"" name \
	"\" is read nowhere: not by the template, nor by launch, arguments, constraints or options; its values are the same kernel\n"

static const struct row unread[] = {
	{ "kernel: { name = \"k\"; template = \"k.cu\"; reference = \"k\"; };\n"
	  "parameters: {\n" BLOCK "};\n"
	  "problems = ( { name = \"p\"; N = 7; } );\n"
	  "launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n"
	  "arguments = ( { name = \"x\"; type = \"int\"; count = 1; access = \"out\"; } );\n",
		"int b = BLOCK;\n", NULL,
		"k.cfg:1: the reference is the tuned kernel \"k\" itself: what is wrong with every configuration, the defaults too, is taken for right; a plain kernel beside it would tell\n" },
	{ PARAMETERS(PADDED), "#ifdef PADDED\nint a;\n#endif\n", NULL, ASKED("1") },
	{ PARAMETERS(PADDED), "#if 1 && defined ( PADDED )\n#endif\n", NULL,
		ASKED("1") },
	/* the launch reads it, and the template still does not tell 0 from 1 */
	{ PARAMETERS(
		  PADDED) "launch: { block = ( \"32\" ); grid = ( \"1\" ); shared_bytes = \"128 * PADDED\"; };\n",
		"\n#ifndef PADDED\n#endif\n", NULL, ASKED("2") },
	{ PARAMETERS(PADDED), "#ifdef PADDED\n#if PADDED\n#endif\n#endif\n", NULL, "" },
	/* a default where there is no tuner, for a launch that is not here */
	{ PARAMETERS(BLOCK) "constraints = ( \"BLOCK > 1\" );\n",
		"#ifndef BLOCK\n#define BLOCK 16\n#endif\n", NULL, "" },
	{ PARAMETERS(BLOCK), "int block;\n// BLOCK\n", NULL, NOWHERE("BLOCK") },
	{ PARAMETERS(BLOCK), "#ifndef BLOCK\n#define BLOCK 16\n#endif\n", NULL,
		NOWHERE("BLOCK") },
	{ PARAMETERS(BLOCK), "int b = BLOCK;\n", NULL, "" },
	{ PARAMETERS(LAYOUT), "int b = LAYOUT_soa;\n", NULL, "" },
	{ PARAMETERS(LAYOUT), "int b = LAYOUT_row_major;\n", NULL, "" },
	{ PARAMETERS(LAYOUT), "int b = LAYOUT_other;\n", NULL, NOWHERE("LAYOUT") },
	{ PARAMETERS(BLOCK), "#include \"h.h\"\n", "int b = BLOCK;\n", "" },
	{ PARAMETERS(BLOCK), "_Pragma(\"unroll BLOCK\")\n", NULL, "" },
	{ PARAMETERS(BLOCK), "#pragma unroll BLOCK\n", NULL, IN_PRAGMA("k.cu:1") },
	{ PARAMETERS(BLOCK), "#define SIZE (2 * BLOCK)\n", NULL, "" },
	{ PARAMETERS(BLOCK) "constraints = ( \"BLOCK > 1\" );\n", "\n", NULL, "" },
	{ PARAMETERS(BLOCK) "options = ( \"--maxrregcount=${BLOCK}\" );\n", "\n", NULL,
		"" },
	{ PARAMETERS(
		  BLOCK) "options = ( { option = \"-G\"; when = \"BLOCK > 1\"; } );\n",
		"\n", NULL, "" },
	{ PARAMETERS(BLOCK) "metrics: { flops = \"2 * BLOCK\"; };\n", "\n", NULL, "" },
	{ PARAMETERS(
		  BLOCK) "arguments = ( { name = \"b\"; type = \"int\"; value = \"BLOCK\"; } );\n",
		"\n", NULL, "" },
	/* names may come about unseen */
	{ PARAMETERS(BLOCK), "#define JOIN(a, b) a ## b\n", NULL, "" },
	{ PARAMETERS(BLOCK), "#include HEADER\n", NULL, "" },
	{ PARAMETERS(BLOCK), "#include \"elsewhere.h\"\n", NULL, "" },
	{ PARAMETERS(BLOCK) "options = ( \"-I\", \"${N}\" );\n", "\n", NULL, "" },
	/* what has one value decides nothing */
	{ PARAMETERS("  BLOCK = [ 16 ];\n"), "\n", NULL, "" },
};

#define LAUNCHED(more) \
	"kernel: { name = \"k\"; template = \"k.cu\"; };\n" \
	"parameters: { BLOCK = [ 16, 32 ]; };\n" \
	"launch: { block = ( \"BLOCK\" ); grid = ( 1 );" more " };\n"
#define UNSIZED(place) \
	place ": the size of this shared memory is said by the launch, and none of the space has \"shared_bytes\": it has none; add shared_bytes = \"...\" to launch\n"
#define TILE "extern \"C\" __global__ void k() {\n extern __shared__ float tile[];\n}\n"

static const struct row shared[] = {
	{ LAUNCHED(""), TILE, NULL, UNSIZED("k.cu:2") },
	{ LAUNCHED(""), "extern __align__(16) __shared__ char tile[];\n", NULL,
		UNSIZED("k.cu:1") },
	{ LAUNCHED(" shared_bytes = \"4 * BLOCK\";"), TILE, NULL, "" },
	{ LAUNCHED(""), "extern \"C\" __global__ void k() { __shared__ float t[4]; }\n",
		NULL, "" },
	{ LAUNCHED(""), "#if BLOCK > 32\n" TILE "#endif\n", NULL, "" },
	{ LAUNCHED(""), "#include \"h.h\"\n", TILE, "" },
};

#define UNFILLED(place) \
	place ": nothing fills the constant memory \"bias\": it is 0, in kernel and reference alike, and what is computed from it proves little; give an argument symbol = \"bias\"\n"
#define FILLED(symbol) \
	LAUNCHED("") \
	"arguments = ( { name = \"b\"; type = \"float\"; count = 4; access = \"in\"; symbol = \"" symbol \
	"\"; } );\n"
#define READS "__global__ void k(float *x) { x[0] = bias[1]; }\n"

static const struct row constants[] = {
	{ LAUNCHED(""), "\n__constant__ float bias[4];\n" READS, NULL,
		UNFILLED("k.cu:2") },
	{ LAUNCHED(""), "static __constant__ box<float, 4> bias;\n" READS, NULL,
		UNFILLED("k.cu:1") },
	{ LAUNCHED(""), "__constant__ const unsigned bias [ N ][2], other;\n" READS,
		NULL, UNFILLED("k.cu:1") },
	/* filled there or by the space, or of no use */
	{ LAUNCHED(""), "__constant__ float bias[4] = { 1, 2 };\n" READS, NULL, "" },
	{ LAUNCHED(""), "__constant__ float bias[4]{ 1, 2 };\n" READS, NULL, "" },
	{ FILLED("bias"), "__constant__ float bias[4];\n" READS, NULL, "" },
	{ FILLED("unbias"), "__constant__ float bias[4];\n" READS, NULL,
		UNFILLED("k.cu:1") },
	{ LAUNCHED(""), "__constant__ float bias[4];\n", NULL, "" },
	{ LAUNCHED(""),
		"extern __constant__ float bias[4];\n__constant__ float bias[4] = { 1 };\n" READS,
		NULL, "" },
	{ LAUNCHED(""),
		"#if N\n#define bias __constant__\n#else\n#define bias const\n#endif\ntypedef unsigned u32;\nu32 a;\n",
		NULL, "" },
};

#define UNTAKEN(more) \
	"kernel: { name = \"k\"; template = \"k.cu\"; arguments = ( \"x\" ); reference = { kernel = \"r\"; arguments = ( \"x\"" more \
	" ); }; };\n" \
	"parameters: { BLOCK = [ 16, 32 ]; };\n" \
	"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n" \
	"arguments = ( { name = \"x\"; type = \"float\"; count = 4; access = \"out\"; },\n" \
	"  { name = \"w\"; type = \"float\"; count = 4; access = \"in\"; } );\n"

static const struct row untaken[] = {
	{ UNTAKEN(""), "\n", NULL,
		"k.cfg:5: the argument \"w\" reaches no kernel: name it in the \"arguments\" of one, give it a symbol, or take it out\n" },
	{ UNTAKEN(", \"w\""), "\n", NULL, "" },
};

static const struct row unrolled[] = {
	{ LAUNCHED(""), "\n  #pragma unroll BLOCK\n", NULL, IN_PRAGMA("k.cu:2") },
	{ LAUNCHED(""), "#pragma unroll (BLOCK)\n", NULL, IN_PRAGMA("k.cu:1") },
	{ LAUNCHED(""), "enum { STEPS = BLOCK };\n#pragma unroll STEPS\n", NULL, "" },
	/* one of C++, which is no macro */
	{ INSTANCE(BLOCK),
		"template <int BLOCK> __global__ void k() {\n#pragma unroll BLOCK\n}\n",
		NULL, "" },
};

#define TYPED(type) \
	"kernel: { name = \"k\"; template = \"k.cu\"; };\n" \
	"parameters: { BLOCK = [ 16, 32 ]; };\n" \
	"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n" \
	"arguments = ( { name = \"n\"; type = \"int\"; value = 4; },\n" \
	"  { name = \"x\"; type = \"" type "\"; count = 4; access = \"in\"; } );\n"
#define TAKES(type) "extern \"C\" __global__ void k(int n, " type ")\n{\n}\n"
#define OTHERWISE(here, there) \
	"k.cfg:5: argument 2, \"x\", is \"" here "\" here and \"" there \
	" *\" in the kernel \"k\": give it that type, unless the kernel means it so\n"

#define WRITTEN \
	"kernel: { name = \"k\"; template = \"k.cu\"; reference = \"r\"; };\n" \
	"parameters: { BLOCK = [ 16, 32 ]; };\n" \
	"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n" \
	"arguments = ( { name = \"x\"; type = \"float\"; count = 4; access = \"in\"; },\n" \
	"  { name = \"y\"; type = \"float\"; count = 4; access = \"out\"; } );\n"
#define KERNEL(name, taken) \
	"__global__ void " name "(const float *x, " taken " y)\n{\n}\n"
#define AS_CONST(name) \
	"k.cfg:5: argument 2, \"y\", is an output here, and the kernel \"" name \
	"\" takes it as const: are the arguments in the kernel's order?\n"

/* x is scratch for "k"; behind it the groups "prepare" and "finish" */
#define SCRATCH(more) \
	"kernel: { name = \"k\"; template = \"k.cu\"; };\n" \
	"parameters: { BLOCK = [ 16, 32 ]; };\n" \
	"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n" \
	"arguments = ( { name = \"x\"; type = \"float\"; count = 4; access = \"scratch\"; },\n" \
	"  { name = \"y\"; type = \"float\"; count = 4; access = \"scratch\"; } );\n" more
#define AROUND(call) \
	call ": { kernel = \"p\"; block = ( 1 ); grid = ( 1 ); arguments = ( \"x\" ); };\n"
#define SCRATCHED(taken) \
	"extern \"C\" __global__ void p(float *x)\n{\n}\n" \
	"extern \"C\" __global__ void k(" taken " x, float *y)\n{\n}\n"

#define MEETS(text) \
	"#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n" \
	"extern \"C\" __global__ void k(int n, float *x)\n{\n" text "}\n"
#define TOGETHER(line) \
	"k.cu:" line \
	": the whole grid meets here, which needs a cooperative launch, and autotune does none: end the kernel there, and launch the rest as another one\n"

#define COUNTED \
	"kernel: { name = \"k\"; template = \"k.cu\"; reference = \"r\"; };\n" \
	"parameters: { BLOCK = [ 16, 32 ]; };\n" \
	"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n" \
	"arguments = ( { name = \"y\"; type = \"float\"; count = 4; access = \"out\"; },\n" \
	"  { name = \"rows\"; type = \"int\"; value = 2; },\n" \
	"  { name = \"cols\"; type = \"int\"; value = 2; } );\n"
#define MISCOUNTED(takes, given) \
	"k.cfg:1: the kernel \"k\" takes " takes \
	" parameters, and the space gives it " given \
	": \"arguments\" has all of them, in the kernel's order\n"
#define COUNTS(one, other) \
	"__global__ void k(float *y, int " one ", const int " other ")\n{\n}\n"

static const struct row types[] = {
	/* alike in type, and each in the other's place: a proof cannot see it */
	{ COUNTED, COUNTS("cols", "rows"), NULL,
		"k.cfg:5: argument 2 is \"rows\" here and \"cols\" in the kernel \"k\", and argument 3 the other way round: arguments are passed in the order of the list, whatever their names\n" },
	{ COUNTED, COUNTS("rows", "cols"), NULL, "" },
	{ COUNTED,
		"extern \"C\" __global__ int k(float *y, int rows, int cols)\n{\n}\n",
		NULL,
		"k.cfg:1: the kernel \"k\" returns int in the template, and kernels return nothing: write void\n" },
	{ COUNTED,
		"extern \"C\" __global__ void __launch_bounds__(BLOCK) k(float *y, int rows, int cols)\n{\n}\n",
		NULL, "" },
	/* what other tools replace in texts */
	{ COUNTED, COUNTS("rows", "cols") "int a = 1 < {{ BLOCK }};\n", NULL,
		"k.cu:4: nothing replaces {{ BLOCK }} in a template: parameters are macros, write BLOCK\n" },
	{ COUNTED, COUNTS("rows", "cols") "int a = ${BLOCK};\n", NULL,
		"k.cu:4: nothing replaces ${BLOCK} in a template: parameters are macros, write BLOCK\n" },
	{ COUNTED, COUNTS("rows", "cols") "int a = @BLOCK@;\n", NULL,
		"k.cu:4: nothing replaces @BLOCK@ in a template: parameters are macros, write BLOCK\n" },
	{ COUNTED, COUNTS("rows", "cols") "int a[1][1] = {{BLOCK}}; // ${BLOCK}\n",
		NULL, "" },
	/* one too few, and one too many; where macros or #if may be in play nobody
	   knows */
	{ COUNTED, "__global__ void k(float *y, int rows, int cols, int n)\n{\n}\n",
		NULL, MISCOUNTED("4", "3") },
	{ COUNTED, "__global__ void k(float *y, int rows)\n{\n}\n", NULL,
		MISCOUNTED("2", "3") },
	{ COUNTED, "__global__ void k(float *y, SIZES)\n{\n}\n", NULL, "" },
	{ COUNTED,
		"__global__ void k(float *y,\n#if BLOCK > 7\n int more,\n#endif\n int rows, int cols)\n{\n}\n",
		NULL, "" },
	/* other names may mean anything */
	{ COUNTED, COUNTS("cols", "n"), NULL, "" },
	{ TYPED("float"), MEETS("\tcg::this_grid().sync();\n"), NULL, TOGETHER("5") },
	{ TYPED("float"), MEETS("\tauto all = cg::this_grid();\n\tall.sync();\n"), NULL,
		TOGETHER("6") },
	{ TYPED("float"),
		MEETS("\tauto all = cg::this_grid();\n"
		      "\tauto block = cg::this_thread_block();\n\tblock.sync();\n"
		      "\tx[all.thread_rank()] = 0; /* all.sync() */\n"),
		NULL, "" },
	{ WRITTEN,
		KERNEL("k", "const float *") KERNEL("r", "float const *__restrict__"),
		NULL, AS_CONST("k") AS_CONST("r") },
	{ WRITTEN, KERNEL("k", "float *const") KERNEL("r", "float *__restrict__"), NULL,
		"" },
	{ SCRATCH(""), SCRATCHED("const float *"), NULL,
		"k.cfg:4: argument 1, \"x\", is scratch here, which holds nothing when a launch begins, and the kernel \"k\" takes it as const, so nothing writes it: make it an input (\"in\"), or its parameter not const\n" },
	{ SCRATCH(""), SCRATCHED("float *"), NULL, "" },
	/* another kernel writes it, or looks at it */
	{ SCRATCH(AROUND("prepare")), SCRATCHED("const float *"), NULL, "" },
	{ SCRATCH(AROUND("finish")), SCRATCHED("const float *"), NULL, "" },
	{ TYPED("double"), TAKES("const float *x"), NULL,
		OTHERWISE("double", "float") },
	{ TYPED("int"), TAKES("const float *__restrict__ x"), NULL,
		OTHERWISE("int", "float") },
	{ TYPED("long long"), TAKES("int* x"), NULL, OTHERWISE("long long", "int") },
	{ TYPED("float"), TAKES("__half const *x"), NULL,
		OTHERWISE("float", "__half") },
	{ TYPED("float"), TAKES("const float *x"), NULL, "" },
	{ TYPED("float3"), TAKES("const float *x"), NULL, "" },
	/* the bits of something, or nobody knows what */
	{ TYPED("float"), TAKES("const unsigned int *x"), NULL, "" },
	{ TYPED("float"), TAKES("const int *x"), NULL, "" },
	{ TYPED("float"), TAKES("uint4 *x"), NULL, "" },
	{ TYPED("float"), TAKES("const unsigned char *x"), NULL, "" },
	{ TYPED("float"), TAKES("void *x"), NULL, "" },
	{ TYPED("float"), TAKES("double **x"), NULL, "" },
	{ TYPED("float"), TAKES("real *x"), NULL, "" },
	{ TYPED("float"), TAKES("const double *x, int m"), NULL, MISCOUNTED("3", "2") },
	{ TYPED("float"), "#if 0\n" TAKES("double *x") "#endif\n" TAKES("float *x"),
		NULL, "" },
};

/* folders of -I; the test lies in one in which there is none of these */
#define FOLDERS(list) PARAMETERS(BLOCK) "options = ( " list " );\n"

static const struct row folders[] = {
	{ FOLDERS("\"-I/tmp\", \"--include-path=.\", \"-I\", \"/usr\", \"-Iinclude/${BLOCK}\""),
		"int a = BLOCK;\n", NULL, "" },
	{ FOLDERS("\"-Inowhere\""), "int a = BLOCK;\n", NULL,
		"k.cfg:6: the folder \"nowhere\" of -I is not there: it is looked for from where autotune is started\n" },
	{ FOLDERS("\"--include-path\", \"/no/where\""), "int a = BLOCK;\n", NULL,
		"k.cfg:6: the folder \"/no/where\" of -I is not there\n" },
};

/* what a program has and a template has not */
#define OF_A_PROGRAM \
	"a template holds kernels and what they call: put main(), launches and what else a CPU runs into another file, or between #ifndef AUTOTUNE and #endif\n"
#define ONE_KERNEL "__global__ void k(int *a) { *a = BLOCK; }\n"

static const struct row programs[] = {
	{ PARAMETERS(BLOCK), ONE_KERNEL "int main()\n{\n}\n", NULL,
		"k.cu:2: " OF_A_PROGRAM },
	{ PARAMETERS(BLOCK), ONE_KERNEL "void run(int *a)\n{\n  k<<<1, 1>>>(a);\n}\n",
		NULL, "k.cu:4: " OF_A_PROGRAM },
	/* the first of both alone */
	{ PARAMETERS(BLOCK), ONE_KERNEL "int main (void) { k<<<1, BLOCK>>>(0); }\n",
		NULL, "k.cu:2: " OF_A_PROGRAM },
	{ PARAMETERS(BLOCK), ONE_KERNEL "#ifndef AUTOTUNE\nint main() { }\n#endif\n",
		NULL, "" },
	{ PARAMETERS(BLOCK),
		ONE_KERNEL
		"// int main() k<<<1, 1>>>(a)\nint mainly(int x);\nint a = 1 << 2 < 3;\n",
		NULL, "" },
	/* which compiles the program's part as well */
	{ PARAMETERS(BLOCK) "toolchain = \"nvcc\";\n", ONE_KERNEL "int main() { }\n",
		NULL, "" },
};

/* code for GPUs that device host is not */
#define LEFT_OUT \
	"device \"host\" leaves this code out, since __CUDA_ARCH__ is 700 there: write an #else, or give the problems on = \"cuda\"\n"

static const struct row architectures[] = {
	{ PARAMETERS(BLOCK),
		ONE_KERNEL "#if __CUDA_ARCH__ >= 800\nint a;\n#endif\nint b;\n", NULL,
		"k.cu:2: " LEFT_OUT },
	{ PARAMETERS(BLOCK),
		ONE_KERNEL
		"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 700\n#if 1\n#else\n#endif\n#endif\n",
		NULL, "k.cu:2: " LEFT_OUT },
	/* it has code in its place, or is there on host, or is not meant for host */
	{ PARAMETERS(BLOCK),
		ONE_KERNEL "#if __CUDA_ARCH__ >= 800\nint a;\n#else\nint b;\n#endif\n",
		NULL, "" },
	{ PARAMETERS(BLOCK), ONE_KERNEL "#if __CUDA_ARCH__ >= 700\nint a;\n#endif\n",
		NULL, "" },
	{ PARAMETERS(BLOCK), ONE_KERNEL "#if __CUDA_ARCH__ > 600\nint a;\n#endif\n",
		NULL, "" },
	{ PARAMETERS(BLOCK),
		ONE_KERNEL
		"#if __CUDA_ARCH__ >= 800 || defined(AUTOTUNE_HOST)\nint a;\n#endif\n",
		NULL, "" },
	{ PARAMETERS(BLOCK),
		ONE_KERNEL
		"#ifndef AUTOTUNE_HOST\n#if __CUDA_ARCH__ >= 800\nint a;\n#endif\n#endif\n",
		NULL, "" },
	{ "kernel: { name = \"k\"; template = \"k.cu\"; };\n"
	  "parameters: { BLOCK = [ 16, 32 ]; };\n"
	  "problems = ( { name = \"p\"; N = 7; on = \"cuda\"; } );\n",
		ONE_KERNEL "#if __CUDA_ARCH__ >= 800\nint a;\n#endif\n", NULL, "" },
};

static char folder[] = "/tmp/autotune-lint-XXXXXX";

static char *put(const char *name, const char *text)
{
	char *path = at_path_join(folder, name);

	assert_non_null(path);
	assert_int_equal(at_file_replace(path, text, strlen(text), NULL), AT_OK);
	return path;
}

/* As a person sees it, without the folder. */
static void listen(void *context, const struct at_error *warning)
{
	struct at_strbuf *out = context;
	const char *slash = strrchr(warning->file, '/');

	at_strbuf_addf(out, "%s:%d: %s\n", slash ? slash + 1 : warning->file,
		warning->line, warning->text);
}

static void judge(const struct row *row)
{
	struct at_strbuf told = { 0 };
	struct at_template template;
	struct at_error err = { 0 };
	struct at_spec *spec;
	char *path = put("k.cu", row->template), *header = NULL;

	if (row->header)
		header = put("h.h", row->header);
	if (at_spec_parse(row->space, strlen(row->space), "k.cfg", &spec, &err) ||
		at_template_load(path, &template, &err) ||
		at_lint_check(spec, &template, listen, &told, &err))
		fail_msg("%s", err.text);
	if (strcmp(at_strbuf_text(&told), row->warnings) != 0)
		fail_msg("of\n%s\nwas told\n%s\ninstead of\n%s", row->template,
			at_strbuf_text(&told), row->warnings);
	at_template_release(&template);
	at_spec_free(spec);
	at_strbuf_release(&told);
	unlink(path);
	if (header)
		unlink(header);
	free(header);
	free(path);
}

static void warns_of_code_that_host_leaves_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(architectures) / sizeof(architectures[0]); i++)
		judge(&architectures[i]);
}

static void warns_of_what_a_program_has(void **state)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		judge(&programs[i]);
}

static void warns_of_folders_that_are_not_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		judge(&folders[i]);
}

/* The folder was meant from the space file, as all other paths in it are. */
static void names_the_folder_beside_the_space_file(void **state)
{
	static const char text[] = FOLDERS("\"-Iinc\"");
	char *path = put("k.cu", "int a = BLOCK;\n"), *file = put("k.cfg", text);
	char *inner = at_path_join(folder, "inc");
	struct at_strbuf told = { 0 };
	struct at_template template;
	struct at_spec *spec;

	(void)state;
	assert_int_equal(mkdir(inner, 0700), 0);
	assert_int_equal(at_spec_load(file, &spec, NULL), AT_OK);
	assert_int_equal(at_template_load(path, &template, NULL), AT_OK);
	assert_int_equal(at_lint_check(spec, &template, listen, &told, NULL), AT_OK);
	assert_non_null(
		strstr(at_strbuf_text(&told), "lies beside the space file, at \""));
	assert_non_null(strstr(at_strbuf_text(&told), inner));
	at_strbuf_release(&told);
	at_template_release(&template);
	at_spec_free(spec);
	assert_int_equal(rmdir(inner), 0);
	unlink(path);
	unlink(file);
	free(inner);
	free(file);
	free(path);
}

static void warns_of_words_that_are_no_macros(void **state)
{
	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		judge(&words[i]);
}

static void warns_of_parameters_that_the_template_defines(void **state)
{
	for (size_t i = 0; i < AT_COUNT_OF(definitions); i++)
		judge(&definitions[i]);
}

static void warns_of_conditions_on_what_is_no_macro(void **state)
{
	for (size_t i = 0; i < AT_COUNT_OF(hidden); i++)
		judge(&hidden[i]);
}

static void warns_of_parameters_that_nothing_reads(void **state)
{
	for (size_t i = 0; i < AT_COUNT_OF(unread); i++)
		judge(&unread[i]);
}

static void warns_of_what_does_not_reach_a_kernel(void **state)
{
	for (size_t i = 0; i < AT_COUNT_OF(constants); i++)
		judge(&constants[i]);
	for (size_t i = 0; i < AT_COUNT_OF(untaken); i++)
		judge(&untaken[i]);
	for (size_t i = 0; i < AT_COUNT_OF(unrolled); i++)
		judge(&unrolled[i]);
}

static void warns_of_shared_memory_without_a_size(void **state)
{
	for (size_t i = 0; i < AT_COUNT_OF(shared); i++)
		judge(&shared[i]);
}

static void warns_of_pointers_to_another_type(void **state)
{
	for (size_t i = 0; i < AT_COUNT_OF(types); i++)
		judge(&types[i]);
}

static void values_left_out_by_set_still_count(void **state)
{
	static const char space[] = PARAMETERS(LAYOUT),
			  text[] = "int b = LAYOUT_aos;\n";
	struct at_strbuf told = { 0 };
	struct at_template template;
	struct at_spec *spec;
	char *path = put("k.cu", text);

	assert_int_equal(
		at_spec_parse(space, sizeof(space) - 1, "k.cfg", &spec, NULL), AT_OK);
	assert_int_equal(at_spec_restrict(spec, "LAYOUT=soa", NULL), AT_OK);
	assert_int_equal(at_template_load(path, &template, NULL), AT_OK);
	assert_int_equal(at_lint_check(spec, &template, listen, &told, NULL), AT_OK);
	assert_string_equal(at_strbuf_text(&told), "");
	at_template_release(&template);
	at_spec_free(spec);
	at_strbuf_release(&told);
	unlink(path);
	free(path);
}

static void check_folder(const char *pattern, size_t least)
{
	glob_t spaces;

	assert_int_equal(glob(pattern, 0, NULL, &spaces), 0);
	assert_true(spaces.gl_pathc >= least);
	for (size_t i = 0; i < spaces.gl_pathc; i++) {
		struct at_strbuf told = { 0 };
		struct at_template template;
		struct at_error err = { 0 };
		struct at_spec *spec;

		if (at_spec_load(spaces.gl_pathv[i], &spec, &err))
			fail_msg("%s", err.text);
		/* some are only counted; and one has the template of another, which
		   fills the constant memory of a mistake */
		if (spec->kernel && strcmp(spec->kernel, "twin_table") != 0 &&
			!at_template_load(spec->template_path, &template, NULL)) {
			assert_int_equal(
				at_lint_check(spec, &template, listen, &told, NULL),
				AT_OK);
			at_template_release(&template);
		}
		if (told.length)
			fail_msg("%s: %s", spaces.gl_pathv[i], told.data);
		at_strbuf_release(&told);
		at_spec_free(spec);
	}
	globfree(&spaces);
}

static void no_space_that_is_here_is_warned_of(void **state)
{
	check_folder(AT_TEST_DIR "/../spaces/*.cfg", 10);
	check_folder(AT_TEST_DIR "/spaces/*.cfg", 10);
}

static int make_folder(void **state)
{
	return folder_make(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warns_of_folders_that_are_not_there),
		cmocka_unit_test(warns_of_what_a_program_has),
		cmocka_unit_test(warns_of_code_that_host_leaves_out),
		cmocka_unit_test(names_the_folder_beside_the_space_file),
		cmocka_unit_test(warns_of_words_that_are_no_macros),
		cmocka_unit_test(warns_of_parameters_that_the_template_defines),
		cmocka_unit_test(warns_of_conditions_on_what_is_no_macro),
		cmocka_unit_test(warns_of_parameters_that_nothing_reads),
		cmocka_unit_test(warns_of_what_does_not_reach_a_kernel),
		cmocka_unit_test(warns_of_shared_memory_without_a_size),
		cmocka_unit_test(warns_of_pointers_to_another_type),
		cmocka_unit_test(values_left_out_by_set_still_count),
		cmocka_unit_test(no_space_that_is_here_is_warned_of),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
