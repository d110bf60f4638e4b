/* Rendering a template: macros, includes, and the identity of a unit. */
#include "folder.h"
#include "kernel/source.h"

#include <inttypes.h>
#include <unistd.h>

#include "suite.h"

/* ---- a spec and a template ---------------------------------------------- */

static const char space[] =
	"kernel: { name = \"k\"; template = \"k.cu\"; };\n"
	"parameters: {\n"
	"  TILE = [ -2, 4 ];\n"
	"  LDG = [ false, true ];\n"
	"  ALPHA = [ 2.0, -0.25 ];\n"
	"  CACHE = [ \"ca\", \"cg\" ];\n"
	"};\n"
	"options = ( \"--ptxas-options=-dlcm=${CACHE}\",\n"
	"  { option = \"-DTWICE=${N}\"; when = \"CACHE == 'ca' && N > 1\"; },\n"
	"  \"-DN=${N}\",\n"
	"  { option = \"-DWARP=1\"; when = \"device.warp_size == 32\"; } );\n"
	"problems = ( { name = \"p\"; N = 7; } );\n";

struct place {
	char directory[64];
	struct at_spec *spec;
};

static void make_place(struct place *place)
{
	strcpy(place->directory, "/tmp/autotune-source-XXXXXX");
	assert_non_null(folder_make(place->directory));
	assert_ok(at_spec_parse(
		space, sizeof(space) - 1, "space.cfg", &place->spec, &failure));
}

static char *path_in(const struct place *place, const char *name)
{
	char *path = at_path_join(place->directory, name);

	assert_non_null(path);
	return path;
}

static void put(const struct place *place, const char *name, const char *text)
{
	OWNED(free) char *path = path_in(place, name);

	file_write(path, text);
}

static const char *const names[] = { "k.cu", "a.h", "b.h", "sub/c.h" };

static void remove_place(struct place *place)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		OWNED(free) char *path = path_in(place, names[i]);

		unlink(path);
	}
	OWNED(free) char *sub = path_in(place, "sub");

	rmdir(sub);
	rmdir(place->directory);
	at_spec_free(place->spec);
}

#define IN_PLACE(name) TEST_ON(name, struct place, place, make_place, remove_place)

static struct at_hash digest_with(
	const struct place *place, const char *const *options, size_t count)
{
	RELEASED(at_template_release) struct at_template template;
	OWNED(free) char *path = path_in(place, "k.cu");
	const struct at_reach *reach = NULL;
	struct at_hash digest;

	assert_ok(at_template_load(path, &template, &failure));
	assert_ok(at_template_reach(
		&template, (char *const *)options, count, NULL, &reach, &failure));
	digest = reach->digest;
	return digest;
}

static struct at_hash digest_of(const struct place *place)
{
	return digest_with(place, NULL, 0);
}

/* Renders k.cu of the place with the first values. */
static void render(const struct place *place, enum at_unit unit,
	const char *const *options, size_t count, struct at_strbuf *out)
{
	RELEASED(at_template_release) struct at_template template;
	struct at_source_context context = { .spec = place->spec,
		.template = &template,
		.options = (char *const *)options,
		.option_count = count };
	OWNED(free) char *path = path_in(place, "k.cu");

	assert_ok(at_template_load(path, &template, &failure));
	assert_ok(at_template_reach(
		&template, context.options, count, NULL, &context.reach, &failure));
	at_source_render(&context, (const uint16_t[]){ 0, 0, 0, 0 }, unit, out);
}

static bool same(struct at_hash a, struct at_hash b)
{
	return a.low == b.low && a.high == b.high;
}

static void make_sub(const struct place *place)
{
	OWNED(free) char *sub = path_in(place, "sub");

	assert_ok(at_directory_make(sub, NULL));
}

/* ---- loading ------------------------------------------------------------ */

IN_PLACE(says_which_template_is_missing_and_who_names_it)
{
	struct at_template template;
	struct at_error err = { 0 };
	OWNED(free) char *path = path_in(place, "k.cu");

	assert_int_equal(at_template_load(path, &template, &err), AT_ENOENT);
	assert_string_equal(err.file, path);
	assert_string_equal(err.text,
		"cannot read it: No such file or directory; this is the file that kernel.template in the space file names");
	assert_null(template.text);
}

IN_PLACE(refuses_a_template_with_a_nul_byte)
{
	struct at_template template;
	struct at_error err = { 0 };
	OWNED(free) char *path = path_in(place, "k.cu");

	assert_ok(at_file_replace(path, "a\0b", 3, NULL));
	assert_int_equal(at_template_load(path, &template, &err), AT_EINVAL);
}

IN_PLACE(leaves_out_the_mark_that_an_editor_put_first)
{
	RELEASED(at_template_release) struct at_template template;
	OWNED(free) char *path = path_in(place, "k.cu");

	assert_ok(at_file_replace(path, "\xef\xbb\xbfint i;", 9, NULL));
	assert_ok(at_template_load(path, &template, NULL));
	assert_string_equal(template.text, "int i;");
	assert_int_equal(template.size, 6);
}

IN_PLACE(digest_changes_with_the_template_and_every_header_it_includes)
{
	struct at_hash first, second;

	make_sub(place);
	put(place, "k.cu", "  #  include \"a.h\"\nint k;\n");
	put(place, "a.h", "#include \"sub/c.h\"\n");
	put(place, "b.h", "1");
	/* found beside the template, not beside itself */
	put(place, "sub/c.h", "#include \"b.h\"\n#include \"../a.h\"\n");
	first = digest_of(place);
	assert_true(same(first, digest_of(place)));
	put(place, "b.h", "2");
	second = digest_of(place);
	assert_false(same(first, second));
	put(place, "b.h", "1");
	assert_true(same(first, digest_of(place)));
	put(place, "k.cu", "  #  include \"a.h\"\nint K;\n");
	assert_false(same(first, digest_of(place)));
}

IN_PLACE(digest_covers_every_way_to_include)
{
	/* %s is the place; whether changing sub/c.h, or a.h beside the template, shows
	 */
	static const struct {
		const char *text, *options[2];
		bool shows;
	} rows[] = {
		{ "#include <a.h>\n", { NULL }, true },
		{ "#  include_next \"a.h\"\n", { NULL }, true },
		{ "# /* x */ include /*\n*/ \"a.h\"\n", { NULL }, true },
		{ "#include \"sub/../a.h\"\n", { NULL }, true },
		{ "#include <sub/c.h>\n", { NULL }, true },
		{ "#include <c.h>\n", { NULL }, false },
		{ "#include <c.h>\n", { "-I%s/sub" }, true },
		{ "#include \"c.h\"\n", { "-I", "%s/sub" }, true },
		{ "#include <c.h>\n", { "--include-path=%s/sub" }, true },
		{ "#include <c.h>\n", { "--include-path", "%s/sub" }, true },
		{ "", { "-include=a.h" }, true },
		{ "", { "-include", "%s/sub/c.h" }, true },
		{ "", { "--pre-include=c.h", "-I%s/sub" }, true },
		/* a macro's name: any source it may be */
		{ "#define H \"a.h\"\n#include H\n", { NULL }, true },
		{ "#include H\n", { "-I%s/sub", "-DH=<c.h>" }, true },
		/* not included at all */
		{ "//#include \"a.h\"\n/*\n#include \"a.h\"\n*/", { NULL }, false },
		{ "const char *s = \"\\\n#include <a.h>\";", { NULL }, false },
		{ "const char *s = R\"x(\n)\"\n#include <a.h>\n)x\";", { NULL },
			false },
		{ "#define I include\n", { "-DX=a.h" }, false },
	};

	make_sub(place);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char options[2][128];
		const char *const list[] = { options[0], options[1] };
		size_t count = 0;
		struct at_hash first;

		for (; count < 2 && rows[i].options[count]; count++) {
			const char *text = rows[i].options[count];
			const char *mark = strstr(text, "%s");

			snprintf(options[count], sizeof(options[count]), "%.*s%s%s",
				mark ? (int)(mark - text) : (int)strlen(text), text,
				mark ? place->directory : "", mark ? mark + 2 : "");
		}
		put(place, "k.cu", rows[i].text);
		put(place, "a.h", "1");
		put(place, "sub/c.h", "1");
		first = digest_with(place, list, count);
		assert_true(same(first, digest_with(place, list, count)));
		put(place, "a.h", "2");
		put(place, "sub/c.h", "2");
		if (same(first, digest_with(place, list, count)) == rows[i].shows)
			fail_msg("row %zu: %s", i, rows[i].text);
	}
}

IN_PLACE(files_that_include_each_other_come_to_an_end)
{
	struct at_hash first;

	make_sub(place);
	put(place, "k.cu",
		"#include \"k.cu\"\n#include \"a.h\"\n#include \"nowhere.h\"\n");
	put(place, "a.h", "#include \"sub/../a.h\"\n#include <sub/c.h>\n");
	put(place, "sub/c.h", "#include \"../sub/c.h\"\n#include \"../a.h\"\n");
	first = digest_of(place);
	assert_true(same(first, digest_of(place)));
}

/* What is found nowhere is the toolkit's, which must keep its floats. */
IN_PLACE(headers_of_the_toolkit_come_ahead_of_the_macros_for_double)
{
	static const char text[] = "#include <first.h>\n#include \"a.h\"\nint k;\n";
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };
	const char *floats;

	put(place, "k.cu", text);
	put(place, "a.h", "#include <b.h>\n#include <second.h>\n");
	put(place, "b.h", "#include <third.h>\n");
	render(place, AT_UNIT_REFERENCE_FLOAT64, NULL, 0, &source);
	floats = strstr(at_strbuf_text(&source), "#define float double\n");
	assert_non_null(floats);
	*(char *)floats = '\0';
	assert_non_null(strstr(source.data, "#include <first.h>\n"));
	assert_non_null(strstr(source.data, "#include <second.h>\n"));
	assert_non_null(strstr(source.data, "#include <third.h>\n"));
	/* the project's own is in double as well */
	assert_null(strstr(source.data, "b.h"));
}

/* ---- which parameters matter -------------------------------------------- */

/* The names of the rendered macros, one after the other. */
static void list_macros(const struct place *place, const char *text,
	const char *const *options, size_t option_count, struct at_strbuf *out)
{
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };

	put(place, "k.cu", text);
	render(place, AT_UNIT_TUNED, options, option_count, &source);
	for (const char *line = strchr(source.data, '\n') + 1;
		*line == '#' && line[1] == 'd'; line = strchr(line, '\n') + 1)
		at_strbuf_addf(out, "%s%.*s", out->length ? " " : "",
			(int)strcspn(line + 8, " "), line + 8);
}

IN_PLACE(a_parameter_that_nothing_mentions_is_not_rendered)
{
	static const char all[] = "TILE LDG ALPHA CACHE_ca CACHE_cg CACHE";
	static const struct {
		const char *text, *option, *macros;
	} rows[] = {
		{ "int k = 1;", NULL, "" },
		{ "int k = TILE;", NULL, "TILE" },
		{ "int k = TILES + MYTILE + TILE_2 + 1TILE;", NULL, "" },
		/* comments speak of parameters, and use none */
		{ "/* TILE */ int k; // LDG\n", NULL, "" },
		{ "int k = 7 /* TILE */ / LDG;", NULL, "LDG" },
		/* a pragma's text is read as code */
		{ "_Pragma(\"unroll TILE\") int k;", NULL, "TILE" },
		{ "char c = '\"'; int k = LDG; char d = '\"';", NULL, "LDG" },
		{ "int k = 1'000'0 /* TILE */ + '/' * ALPHA;", NULL, "ALPHA" },
		{ "s = R\"(/* )\" TILE R\"x( )\" // )x\" LDG", NULL, "TILE LDG" },
		/* a word's macros count as the word's own */
		{ "#if X == CACHE_cg\n#endif", NULL, "CACHE_ca CACHE_cg CACHE" },
		{ "int k = CACHE;", NULL, "CACHE_ca CACHE_cg CACHE" },
		/* what cannot be seen may be anything */
		{ "#define GLUE(a, b) a ## b\n", NULL, all },
		{ "%:define GLUE(a, b) a %:%: b\n", NULL, all },
		{ "#include HEADER\n", NULL, all },
		{ "#include \"nowhere.h\"\n", NULL, all },
		{ "#include <nowhere.h>\n", NULL, "" },
		{ "int k = TI\\\nLE;", NULL, all },
		/* files and options */
		{ "#include \"a.h\"\n", NULL, "ALPHA" },
		{ "#include \"b.h\"\n", NULL, "ALPHA" },
		{ "int k;", "-DWIDTH=2*TILE", "TILE" },
		{ "int k;", "-DTILE=4", "TILE" },
		{ "int k;", "-include=b.h", "ALPHA" },
		{ "int k;", "-DX(a,b)=a##b", all },
	};

	put(place, "a.h", "float a = ALPHA;\n");
	put(place, "b.h", "#include <a.h>\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf macros = { 0 };

		list_macros(place, rows[i].text, &rows[i].option,
			rows[i].option != NULL, &macros);
		if (strcmp(at_strbuf_text(&macros), rows[i].macros))
			fail_msg("%s: \"%s\"", rows[i].text, at_strbuf_text(&macros));
	}
}

IN_PLACE(a_kernel_asked_for_with_a_parameter_needs_no_macro)
{
	RELEASED(at_strbuf_release) struct at_strbuf macros = { 0 };
	char *kernel = place->spec->kernel, name[] = "scale<TILE>";

	place->spec->kernel = name;
	list_macros(
		place, "template <int N> __global__ void scale();", NULL, 0, &macros);
	place->spec->kernel = kernel;
	/* its name has the value */
	assert_string_equal(at_strbuf_text(&macros), "");
}

static int compare_hashes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct at_hash));
}

TEST(configurations_that_differ_in_the_launch_alone_are_one_source)
{
	RELEASED(at_template_release) struct at_template template;
	struct at_source_context context = { .template = &template };
	OWNED(at_spec_free) struct at_spec *spec;
	OWNED(free) struct at_hash *sources;
	size_t total = 1, distinct = 0;

	assert_ok(
		at_spec_load(AT_TEST_DIR "/../spaces/reduction.cfg", &spec, &failure));
	assert_ok(at_template_load(spec->template_path, &template, &failure));
	assert_ok(
		at_template_reach(&template, NULL, 0, NULL, &context.reach, &failure));
	context.spec = spec;
	for (size_t i = 0; i < spec->parameter_count; i++)
		total *= spec->parameters[i].value_count;
	assert_int_equal(total, 1200);
	sources = calloc(total, sizeof(*sources));
	assert_non_null(sources);
	for (size_t n = 0; n < total; n++) {
		uint16_t configuration[16];
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		size_t rest = n;

		for (size_t i = 0; i < spec->parameter_count; i++) {
			configuration[i] =
				(uint16_t)(rest % spec->parameters[i].value_count);
			rest /= spec->parameters[i].value_count;
		}
		at_source_render(&context, configuration, AT_UNIT_TUNED, &text);
		sources[n] = at_hash_bytes(text.data, text.length);
	}
	qsort(sources, total, sizeof(*sources), compare_hashes);
	for (size_t i = 0; i < total; i++)
		distinct += !i || compare_hashes(&sources[i - 1], &sources[i]) != 0;
	assert_int_equal(distinct, 240);
}

/* ---- identity ----------------------------------------------------------- */

TEST(what_decides_a_unit_identifies_it)
{
	char *options[] = { (char *)"-a", (char *)"b" }, *glued[] = { (char *)"-ab" };
	char *kernels[] = { (char *)"k", (char *)"l" };
	struct at_compile_request base = { .toolchain = (char *)"nvrtc",
		.architecture = (char *)"sm_90",
		.name = (char *)"k.cu",
		.directory = (char *)"/here",
		.source = (char *)"int k;",
		.option_count = 2,
		.options = options,
		.kernel_count = 1,
		.kernels = kernels,
		.includes = { 1, 2 } };
	struct at_compile_request others[8];
	struct at_hash hash = at_compile_identity(&base, "NVRTC 13.0");

	for (size_t i = 0; i < 8; i++)
		others[i] = base;
	others[0].toolchain = (char *)"cxx";
	others[1].architecture = (char *)"sm_80";
	others[2].source = (char *)"int l;";
	others[3].omit = (char *)"int k;";
	others[4].options = glued;
	others[4].option_count = 1;
	others[5].kernel_count = 2;
	others[6].includes.low = 3;
	/* an option is no kernel */
	others[7].option_count = 1;
	others[7].kernel_count = 2;
	others[7].kernels = (char *[]){ options[1], kernels[0] };
	for (size_t i = 0; i < 8; i++)
		if (same(hash, at_compile_identity(&others[i], "NVRTC 13.0")))
			fail_msg("%zu", i);
	assert_false(same(hash, at_compile_identity(&base, "NVRTC 13.1")));
	/* where it lies does not count */
	base.name = (char *)"l.cu";
	base.directory = (char *)"/there";
	base.omit = (char *)"";
	assert_true(same(hash, at_compile_identity(&base, "NVRTC 13.0")));
}

/* ---- rendering ---------------------------------------------------------- */

IN_PLACE(renders_macros_of_every_type_and_keeps_line_numbers)
{
	static const uint16_t configuration[] = { 0, 1, 1, 1 };
	struct at_template template = {
		.path = (char *)"some/where/k.cu", .text = (char *)"int k;\n", .size = 7
	};
	const struct at_source_context context = { .spec = place->spec,
		.template = &template };
	RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };

	at_source_render(&context, configuration, AT_UNIT_TUNED, &out);
	assert_string_equal(at_strbuf_text(&out), "#define AUTOTUNE 1\n"
						  "#define TILE (-2)\n"
						  "#define LDG 1\n"
						  "#define ALPHA (-0.25)\n"
						  "#define CACHE_ca 1\n"
						  "#define CACHE_cg 2\n"
						  "#define CACHE CACHE_cg\n"
						  "#line 1 \"k.cu\"\n"
						  "int k;\n");
}

/* <sys/types.h> has them, which NVRTC does not include */
IN_PLACE(gives_types_that_nvrtc_lacks)
{
#define TYPEDEF(type, name) "#line 1 \"types\"\ntypedef unsigned " type " " name ";\n"
#define STDINT "#line 1 \"types\"\n#include <stdint.h>\n"
#define MATH "#line 1 \"types\"\n#include <math.h>\n"
	static const char *const rows[][3] = {
		/* the template, a.h, what is added */
		{ "uint a; ushort b;\n", "",
			TYPEDEF("short", "ushort") TYPEDEF("int", "uint") },
		{ "#include \"a.h\"\n", "uchar a; ulong *b;\n",
			TYPEDEF("char", "uchar") TYPEDEF("long", "ulong") },
		{ "typedef unsigned long long ulong;\nulong a;\n", "", "" },
		{ "using uint = unsigned;\nuint a;\n", "", "" },
		{ "#define uchar char\nuchar a;\n", "", "" },
		{ "uint2 a; // uint\n", "", "" },
		{ "#include \"a.h\"\n", "uint32_t a;\n", STDINT },
		{ "#include <cstdint>\nuint32_t a;\n", "", "" },
		{ "float a = INFINITY;\n", "", MATH },
		{ "#include <cmath>\nfloat a = INFINITY;\n", "", "" },
		{ "#include \"a.h\"\n",
			"void f() { cudaGridDependencySynchronize(); }\n",
			"#line 1 \"types\"\n#ifdef __CUDACC_RTC__\n#include <cuda_device_runtime_api.h>\n#endif\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(at_strbuf_release)
		struct at_strbuf out = { 0 }, expected = { 0 };

		put(place, "k.cu", rows[i][0]);
		put(place, "a.h", rows[i][1]);
		render(place, AT_UNIT_TUNED, NULL, 0, &out);
		at_strbuf_addf(&expected, "#define AUTOTUNE 1\n%s#line 1 \"k.cu\"\n%s",
			rows[i][2], rows[i][0]);
		assert_string_equal(at_strbuf_text(&out), at_strbuf_text(&expected));
	}
}

IN_PLACE(renders_the_reference_with_the_defaults)
{
	static const uint16_t configuration[] = { 1, 1, 1, 1 };
	struct at_template template = {
		.path = (char *)"k.cu", .text = (char *)"", .size = 0
	};
	const struct at_source_context context = { .spec = place->spec,
		.template = &template };
	RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };

	at_source_render(&context, configuration, AT_UNIT_REFERENCE, &out);
	assert_string_equal(at_strbuf_text(&out), "#define AUTOTUNE 1\n"
						  "#define AUTOTUNE_REFERENCE 1\n"
						  "#define TILE (-2)\n"
						  "#define LDG 0\n"
						  /* a real stays one */
						  "#define ALPHA 2.0\n"
						  "#define CACHE_ca 1\n"
						  "#define CACHE_cg 2\n"
						  "#define CACHE CACHE_ca\n"
						  "#line 1 \"k.cu\"\n");
}

TEST(writes_integers_that_have_no_plain_literal)
{
	struct at_value values[] = { { .type = AT_TYPE_INTEGER, .integer = INT64_MIN },
		{ .type = AT_TYPE_INTEGER, .integer = INT64_MAX } };
	struct at_parameter parameter = {
		.name = (char *)"X", .value_count = 2, .values = values
	};
	struct at_spec spec = { .parameter_count = 1, .parameters = &parameter };
	RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };

	at_source_write_macros(&spec, (const uint16_t[]){ 0 }, &out);
	at_source_write_macros(&spec, (const uint16_t[]){ 1 }, &out);
	assert_string_equal(at_strbuf_text(&out),
		"#define X (-9223372036854775807LL - 1)\n"
		"#define X 9223372036854775807\n");
}

/* ---- leaving out -------------------------------------------------------- */

TEST(leaves_out_the_kernels_that_nobody_asks_for)
{
	/* the kernel is k, its finish x::last<2>, its reference what the row says */
	static const struct {
		const char *text, *reference, *omitted; /* names, in order */
	} rows[] = {
		{ "__global__ void k() {}", NULL, "" },
		{ "__global__ void k() {}\n__global__ void r(int) {}", "r", "r" },
		/* by its name alone: an include may have it */
		{ "__global__ void k() {}", "r", "r" },
		{ "__global__ void k() {}", "x::r", "" },
		{ "__global__ void k() {}", "r<4>", "" },
		{ "__global__ void k() {}", "k", "" },
		/* every other kernel too, whatever stands before its name */
		{ "extern \"C\" __global__ void __launch_bounds__(A(1) * 2)\nother (int a);"
		  "static __global__ __maxnreg__(32) void more(int);"
		  "__device__ void f(int);",
			NULL, "other more" },
		{ "__global__ void\n#if defined (FAST)\n__maxnreg__(32)\n#endif\nother(int a);",
			NULL, "other" },
		/* what is asked for by a C++ name, and templates, stay */
		{ "namespace x { template <int N> __global__ void last() {} }"
		  "template <int N>\n#pragma x\n__global__ void many() { f(); }"
		  "__global__ void other() {} void last() {}",
			NULL, "other" },
		/* neither in comments nor in strings */
		{ "/* __global__ void a() */ // __global__ void b()\n"
		  "const char *t = \"__global__ \\\" void c()\", u = '\\'';"
		  "__global__ void d() {}",
			NULL, "d" },
		{ "/* not closed __global__ void a()", NULL, "" },
		{ "__global__ void a(int (*f)(int", NULL, "a" },
		{ "__global__", NULL, "" },
	};
	char kernel[] = "k", finish[] = "x::last<2>";

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_call calls[] = { { .kernel = kernel }, { .kernel = finish } };
		struct at_spec spec = { .kernel = kernel,
			.calls = calls,
			.call_count = AT_COUNT_OF(calls),
			.launch_count = 1,
			.reference.kind = rows[i].reference ? AT_REFERENCE_KERNEL
							    : AT_REFERENCE_LIBRARY,
			.reference.call.kernel = (char *)rows[i].reference };
		struct at_template template = { .path = (char *)"some/where/k.cu",
			.text = (char *)rows[i].text };
		RELEASED(at_strbuf_release)
		struct at_strbuf out = { 0 }, omitted = { 0 };

		at_source_render_omit(&spec, &template, spec.defaults, &out);
		for (const char *line = at_strbuf_text(&out);
			(line = strstr(line, "#define ")); line++)
			at_strbuf_addf(&omitted, "%s%.*s", omitted.length ? " " : "",
				(int)strcspn(line + 8, "("), line + 8);
		if (strcmp(at_strbuf_text(&omitted), rows[i].omitted))
			fail_msg("row %zu: \"%s\"", i, at_strbuf_text(&omitted));
		/* lines count from the source's first */
		assert_true(!out.length || strstr(out.data, "\n#line 1 \"k.cu\"\n"));
	}
}

/* ---- options ------------------------------------------------------------ */

static void check_options(const struct at_spec *spec, uint16_t cache, int64_t warp_size,
	const char *const *expected, size_t expected_count)
{
	OWNED(free) struct at_value *slots = calloc(spec->slot_count, sizeof(*slots));
	struct at_properties properties = { 0 };
	char **options;
	size_t count;

	assert_non_null(slots);
	at_properties_set(&properties, AT_PROPERTY_WARP_SIZE, warp_size);
	at_spec_bind(spec, &spec->problems[0], NULL, &properties, slots);
	at_spec_bind_configuration(spec, (const uint16_t[]){ 0, 0, 0, cache }, slots);
	assert_ok(at_source_options(spec, slots, &options, &count, &failure));
	assert_int_equal(count, expected_count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(options[i], expected[i]);
	at_source_free_options(options, count);
}

IN_PLACE(substitutes_parameters_and_sizes_in_options)
{
	static const char *const expected[] = { "--ptxas-options=-dlcm=cg", "-DN=7" };

	check_options(place->spec, 1, 64, expected, 2);
}

IN_PLACE(leaves_out_options_that_do_not_apply)
{
	static const char *const twice[] = { "--ptxas-options=-dlcm=ca", "-DTWICE=7",
		"-DN=7" };
	static const char *const warp[] = { "--ptxas-options=-dlcm=cg", "-DN=7",
		"-DWARP=1" };

	check_options(place->spec, 0, 64, twice, 3);
	check_options(place->spec, 1, 32, warp, 3);
}

IN_PLACE(says_which_option_has_no_value_yet)
{
	struct at_spec *spec = place->spec;
	OWNED(free) struct at_value *slots = calloc(spec->slot_count, sizeof(*slots));
	struct at_error err = { 0 };
	char **options;
	size_t count;

	assert_non_null(slots);
	assert_int_not_equal(
		at_source_options(spec, slots, &options, &count, &err), AT_OK);
	assert_int_not_equal(err.text[0], '\0');
	assert_int_equal(count, 0);
	/* the last of them is not known to apply */
	memset(&err, 0, sizeof(err));
	at_spec_bind(spec, &spec->problems[0], NULL, NULL, slots);
	at_spec_bind_configuration(spec, (const uint16_t[]){ 0, 0, 0, 0 }, slots);
	assert_int_equal(
		at_source_options(spec, slots, &options, &count, &err), AT_EINVAL);
	assert_string_equal(err.text,
		"\"when\" of an option: \"device.warp_size == 32\" uses device.warp_size, which this device does not have");
	assert_null(options);
}

RUN_SUITE(NULL, NULL)
