/* Warnings about a template and its space. */
#include "folder.h"
#include "kernel/lint.h"

#include <glob.h>
#include <unistd.h>

#include "suite.h"

/* The space of every row: its parameters, and what of it uses none of them. */
#define PARAMETERS(list) \
	"kernel: { name = \"k\"; template = \"k.cu\"; };\n" \
	"parameters: {\n" list "};\n" \
	"problems = ( { name = \"p\"; N = 7; } );\n"
#define BLOCK "  BLOCK = [ 16, 32 ];\n"
#define LAYOUT "  LAYOUT = [ \"aos\", \"soa\", \"row_major\" ];\n"
struct row {
	const char *space;
	const char *template;
	const char *header; /* h.h beside it; NULL: none exists */
	const char *warnings; /* a line each; "" for none */
};

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

#define UNREAD(name) \
	"k.cfg:3: neither the template nor the space reads the parameter \"" name \
	"\": all its values make the same kernel; use it, or remove it\n"

static const struct row unread[] = {
	{ PARAMETERS(BLOCK), "int block;\n// BLOCK\n", NULL, UNREAD("BLOCK") },
	{ PARAMETERS(LAYOUT), "int b = LAYOUT_other;\n", NULL, UNREAD("LAYOUT") },
	{ PARAMETERS(BLOCK), "int b = BLOCK;\n", NULL, "" },
	{ PARAMETERS(LAYOUT), "int b = LAYOUT_soa;\n", NULL, "" },
	{ PARAMETERS(LAYOUT), "int b = LAYOUT_row_major;\n", NULL, "" },
	{ PARAMETERS(BLOCK), "#include \"h.h\"\n", "int b = BLOCK;\n", "" },
	{ PARAMETERS(BLOCK), "#include \"h.h\"\n", "int b;\n", UNREAD("BLOCK") },
	{ PARAMETERS(BLOCK), "_Pragma(\"unroll BLOCK\")\n", NULL, "" },
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
	/* the kernel's name reads it */
	{ "kernel: { name = \"k<BLOCK>\"; template = \"k.cu\"; };\n"
	  "parameters: {\n" BLOCK "};\n"
	  "problems = ( { name = \"p\"; N = 7; } );\n",
		"template <int B> __global__ void k();\n", NULL, "" },
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
	place ": the launch gives the size of this shared memory, and no launch of the space has \"shared_bytes\": its size is 0; add shared_bytes = \"...\" to launch\n"
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

#define DEFINED(place, names) \
	place ": autotune takes the values of the space in place of the definitions of " names \
	      "; a program does so only with #ifndef around each\n"

static const struct row defined[] = {
	{ PARAMETERS(BLOCK), "int a;\n# define BLOCK 64\n", NULL,
		DEFINED("k.cu:2", "BLOCK") },
	{ PARAMETERS(BLOCK), "#include \"h.h\"\n", "#define BLOCK \\\n 64\n",
		DEFINED("h.h:1", "BLOCK") },
	{ PARAMETERS(BLOCK), "#ifdef SIZE\n#define BLOCK SIZE\n#else\n#endif\n", NULL,
		DEFINED("k.cu:2", "BLOCK") },
	{ PARAMETERS(BLOCK),
		"#ifndef BLOCK\n#ifdef A\n#define BLOCK 64\n#endif\n#endif\n", NULL,
		"" },
	{ PARAMETERS(BLOCK), "#if 0\n#elif !defined(BLOCK)\n#define BLOCK 64\n#endif\n",
		NULL, "" },
	{ PARAMETERS(BLOCK), "#undef BLOCK\n#define BLOCK 64\n", NULL, "" },
	{ PARAMETERS(BLOCK), "#define BLOCK(n) n\n#define SIZE BLOCK\n", NULL, "" },
	{ PARAMETERS(BLOCK), "// #define BLOCK 64\n", NULL, UNREAD("BLOCK") },
	{ PARAMETERS(BLOCK) "options = ( \"-DSIZE=${BLOCK}\", \"-w\" );\n",
		"#define SIZE 64\n#ifndef BLOCK\n#define BLOCK 1\n#define SIZE 2\n#endif\n",
		NULL, DEFINED("k.cu:1", "SIZE") },
	{ PARAMETERS(BLOCK LAYOUT) "options = ( \"-DSIZE=${BLOCK}\" );\n",
		"#define SIZE 64\n#define LAYOUT 1\n#define BLOCK 8\nint a = LAYOUT_aos;\n",
		NULL, DEFINED("k.cu:1", "BLOCK, LAYOUT, SIZE") },
};

static char folder[] = "/tmp/autotune-lint-XXXXXX";

static char *put(const char *name, const char *text)
{
	char *path = at_path_join(folder, name);

	assert_non_null(path);
	file_write(path, text);
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
	RELEASED(at_strbuf_release) struct at_strbuf told = { 0 };
	struct at_template template;
	struct at_spec *spec;
	OWNED(free) char *path = put("k.cu", row->template), *header = NULL;

	if (row->header)
		header = put("h.h", row->header);
	assert_ok(at_spec_parse(
		row->space, strlen(row->space), "k.cfg", &spec, &failure));
	assert_ok(at_template_load(path, &template, &failure));
	assert_ok(at_lint_check(spec, &template, listen, &told, &failure));
	if (strcmp(at_strbuf_text(&told), row->warnings) != 0)
		fail_msg("of\n%s\nwas told\n%s\ninstead of\n%s", row->template,
			at_strbuf_text(&told), row->warnings);
	at_template_release(&template);
	at_spec_free(spec);
	unlink(path);
	if (header)
		unlink(header);
}

TEST(warns_of_words_that_are_no_macros)
{
	for (size_t i = 0; i < AT_COUNT_OF(words); i++)
		judge(&words[i]);
}

TEST(warns_of_parameters_that_nothing_reads)
{
	for (size_t i = 0; i < AT_COUNT_OF(unread); i++)
		judge(&unread[i]);
}

TEST(warns_of_shared_memory_without_a_size)
{
	for (size_t i = 0; i < AT_COUNT_OF(shared); i++)
		judge(&shared[i]);
}

TEST(warns_of_definitions_that_parameters_replace)
{
	for (size_t i = 0; i < AT_COUNT_OF(defined); i++)
		judge(&defined[i]);
}

TEST(values_left_out_by_set_still_count)
{
	static const char space[] = PARAMETERS(LAYOUT),
			  text[] = "int b = LAYOUT_aos;\n";
	RELEASED(at_strbuf_release) struct at_strbuf told = { 0 };
	RELEASED(at_template_release) struct at_template template;
	OWNED(at_spec_free) struct at_spec *spec;
	OWNED(free) char *path = put("k.cu", text);

	assert_ok(at_spec_parse(space, sizeof(space) - 1, "k.cfg", &spec, NULL));
	assert_ok(at_spec_restrict(spec, "LAYOUT=soa", NULL));
	assert_ok(at_template_load(path, &template, NULL));
	assert_ok(at_lint_check(spec, &template, listen, &told, NULL));
	assert_string_equal(at_strbuf_text(&told), "");
	unlink(path);
}

static void check_folder(const char *pattern, size_t least)
{
	RELEASED(globfree) glob_t spaces;

	assert_int_equal(glob(pattern, 0, NULL, &spaces), 0);
	assert_true(spaces.gl_pathc >= least);
	for (size_t i = 0; i < spaces.gl_pathc; i++) {
		RELEASED(at_strbuf_release) struct at_strbuf told = { 0 };
		struct at_template template;
		OWNED(at_spec_free) struct at_spec *spec;

		assert_ok(at_spec_load(spaces.gl_pathv[i], &spec, &failure));
		/* some are only counted */
		if (spec->kernel &&
			!at_template_load(spec->template_path, &template, NULL)) {
			assert_ok(at_lint_check(spec, &template, listen, &told, NULL));
			at_template_release(&template);
		}
		if (told.length)
			fail_msg("%s: %s", spaces.gl_pathv[i], told.data);
	}
}

TEST(no_space_that_is_here_is_warned_of)
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

RUN_SUITE(make_folder, remove_folder)
