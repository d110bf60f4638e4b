#include "kernel/source.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

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

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	struct at_error err = { 0 };

	assert_non_null(place);
	strcpy(place->directory, "/tmp/autotune-source-XXXXXX");
	assert_non_null(mkdtemp(place->directory));
	if (at_spec_parse(space, sizeof(space) - 1, "space.cfg", &place->spec, &err))
		fail_msg("%s", err.text);
	*state = place;
	return 0;
}

static char *path_in(const struct place *place, const char *name)
{
	char *path = at_path_join(place->directory, name);

	assert_non_null(path);
	return path;
}

static void put(const struct place *place, const char *name, const char *text)
{
	char *path = path_in(place, name);

	assert_int_equal(at_file_replace(path, text, strlen(text), NULL), AT_OK);
	free(path);
}

static const char *const names[] = { "k.cu", "a.h", "b.h", "sub/c.h" };

static int remove_place(void **state)
{
	struct place *place = *state;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = path_in(place, names[i]);

		unlink(path);
		free(path);
	}
	char *sub = path_in(place, "sub");

	rmdir(sub);
	free(sub);
	rmdir(place->directory);
	at_spec_free(place->spec);
	free(place);
	return 0;
}

static struct at_hash digest_of(const struct place *place)
{
	struct at_template template;
	struct at_error err = { 0 };
	char *path = path_in(place, "k.cu");
	struct at_hash digest;

	if (at_template_load(path, &template, &err))
		fail_msg("%s", err.text);
	digest = template.digest;
	at_template_release(&template);
	free(path);
	return digest;
}

static bool same(struct at_hash a, struct at_hash b)
{
	return a.low == b.low && a.high == b.high;
}

/* ---- loading ------------------------------------------------------------ */

static void says_which_template_is_missing_and_who_names_it(void **state)
{
	struct place *place = *state;
	struct at_template template;
	struct at_error err = { 0 };
	char *path = path_in(place, "k.cu");

	assert_int_equal(at_template_load(path, &template, &err), AT_ENOENT);
	assert_string_equal(err.file, path);
	assert_string_equal(err.text,
		"cannot read it: No such file or directory; this is the file that kernel.template in the space file names");
	assert_null(template.text);
	free(path);
}

static void refuses_a_template_with_a_nul_byte(void **state)
{
	struct place *place = *state;
	struct at_template template;
	struct at_error err = { 0 };
	char *path = path_in(place, "k.cu");

	assert_int_equal(at_file_replace(path, "a\0b", 3, NULL), AT_OK);
	assert_int_equal(at_template_load(path, &template, &err), AT_EINVAL);
	free(path);
}

static void digest_changes_with_the_template_and_every_header_it_includes(void **state)
{
	struct place *place = *state;
	struct at_hash first, second;
	char *sub = path_in(place, "sub");

	assert_int_equal(at_directory_make(sub, NULL), AT_OK);
	free(sub);
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

static void digest_ignores_headers_that_are_not_included_with_quotes(void **state)
{
	struct place *place = *state;
	struct at_hash first;

	put(place, "k.cu",
		"#include <b.h>\n//include \"b.h\"\n#include \"b.h\n#include \"none.h\"\n");
	put(place, "b.h", "1");
	first = digest_of(place);
	put(place, "b.h", "2");
	assert_true(same(first, digest_of(place)));
}

/* ---- rendering ---------------------------------------------------------- */

static void renders_macros_of_every_type_and_keeps_line_numbers(void **state)
{
	struct place *place = *state;
	static const uint16_t configuration[] = { 0, 1, 1, 1 };
	struct at_template template = {
		.path = (char *)"some/where/k.cu", .text = (char *)"int k;\n", .size = 7
	};
	struct at_strbuf out = { 0 };

	at_source_render(place->spec, &template, configuration, AT_UNIT_TUNED, &out);
	assert_string_equal(at_strbuf_text(&out), "#define AUTOTUNE 1\n"
						  "#define TILE (-2)\n"
						  "#define LDG 1\n"
						  "#define ALPHA (-0.25)\n"
						  "#define CACHE_ca 1\n"
						  "#define CACHE_cg 2\n"
						  "#define CACHE CACHE_cg\n"
						  "#line 1 \"k.cu\"\n"
						  "int k;\n");
	at_strbuf_release(&out);
}

static void renders_the_reference_with_the_defaults(void **state)
{
	struct place *place = *state;
	static const uint16_t configuration[] = { 1, 1, 1, 1 };
	struct at_template template = {
		.path = (char *)"k.cu", .text = (char *)"", .size = 0
	};
	struct at_strbuf out = { 0 };

	at_source_render(
		place->spec, &template, configuration, AT_UNIT_REFERENCE, &out);
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
	at_strbuf_release(&out);
}

static void writes_integers_that_have_no_plain_literal(void **state)
{
	struct at_value values[] = { { .type = AT_TYPE_INTEGER, .integer = INT64_MIN },
		{ .type = AT_TYPE_INTEGER, .integer = INT64_MAX } };
	struct at_parameter parameter = {
		.name = (char *)"X", .value_count = 2, .values = values
	};
	struct at_spec spec = { .parameter_count = 1, .parameters = &parameter };
	struct at_strbuf out = { 0 };

	(void)state;
	at_source_write_macros(&spec, (const uint16_t[]){ 0 }, &out);
	at_source_write_macros(&spec, (const uint16_t[]){ 1 }, &out);
	assert_string_equal(at_strbuf_text(&out),
		"#define X (-9223372036854775807LL - 1)\n"
		"#define X 9223372036854775807\n");
	at_strbuf_release(&out);
}

/* ---- leaving out -------------------------------------------------------- */

static void leaves_out_the_kernels_that_nobody_asks_for(void **state)
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
		struct at_spec spec = { .kernel = kernel,
			.finish.kernel = finish,
			.reference.kind = rows[i].reference ? AT_REFERENCE_KERNEL
							    : AT_REFERENCE_LIBRARY,
			.reference.call.kernel = (char *)rows[i].reference };
		struct at_template template = { .path = (char *)"some/where/k.cu",
			.text = (char *)rows[i].text };
		struct at_strbuf out = { 0 }, omitted = { 0 };

		at_source_render_omit(&spec, &template, &out);
		for (const char *line = at_strbuf_text(&out);
			(line = strstr(line, "#define ")); line++)
			at_strbuf_addf(&omitted, "%s%.*s", omitted.length ? " " : "",
				(int)strcspn(line + 8, "("), line + 8);
		if (strcmp(at_strbuf_text(&omitted), rows[i].omitted))
			fail_msg("row %zu: \"%s\"", i, at_strbuf_text(&omitted));
		/* lines count from the source's first */
		assert_true(!out.length || strstr(out.data, "\n#line 1 \"k.cu\"\n"));
		at_strbuf_release(&out);
		at_strbuf_release(&omitted);
	}
}

/* ---- options ------------------------------------------------------------ */

static void check_options(const struct at_spec *spec, uint16_t cache, int64_t warp_size,
	const char *const *expected, size_t expected_count)
{
	struct at_value *slots = calloc(spec->slot_count, sizeof(*slots));
	struct at_properties properties = { 0 };
	struct at_error err = { 0 };
	char **options;
	size_t count;

	assert_non_null(slots);
	at_properties_set(&properties, AT_PROPERTY_WARP_SIZE, warp_size);
	at_spec_bind(spec, &spec->problems[0], NULL, &properties, slots);
	at_spec_bind_configuration(spec, (const uint16_t[]){ 0, 0, 0, cache }, slots);
	if (at_source_options(spec, slots, &options, &count, &err))
		fail_msg("%s", err.text);
	assert_int_equal(count, expected_count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(options[i], expected[i]);
	at_source_free_options(options, count);
	free(slots);
}

static void substitutes_parameters_and_sizes_in_options(void **state)
{
	static const char *const expected[] = { "--ptxas-options=-dlcm=cg", "-DN=7" };
	struct place *place = *state;

	check_options(place->spec, 1, 64, expected, 2);
}

static void leaves_out_options_that_do_not_apply(void **state)
{
	static const char *const twice[] = { "--ptxas-options=-dlcm=ca", "-DTWICE=7",
		"-DN=7" };
	static const char *const warp[] = { "--ptxas-options=-dlcm=cg", "-DN=7",
		"-DWARP=1" };
	struct place *place = *state;

	check_options(place->spec, 0, 64, twice, 3);
	check_options(place->spec, 1, 32, warp, 3);
}

static void says_which_option_has_no_value_yet(void **state)
{
	struct place *place = *state;
	struct at_spec *spec = place->spec;
	struct at_value *slots = calloc(spec->slot_count, sizeof(*slots));
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
	free(slots);
}

int main(void)
{
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)
	const struct CMUnitTest tests[] = {
		IN_PLACE(says_which_template_is_missing_and_who_names_it),
		IN_PLACE(refuses_a_template_with_a_nul_byte),
		IN_PLACE(digest_changes_with_the_template_and_every_header_it_includes),
		IN_PLACE(digest_ignores_headers_that_are_not_included_with_quotes),
		IN_PLACE(renders_macros_of_every_type_and_keeps_line_numbers),
		IN_PLACE(renders_the_reference_with_the_defaults),
		cmocka_unit_test(writes_integers_that_have_no_plain_literal),
		cmocka_unit_test(leaves_out_the_kernels_that_nobody_asks_for),
		IN_PLACE(substitutes_parameters_and_sizes_in_options),
		IN_PLACE(leaves_out_options_that_do_not_apply),
		IN_PLACE(says_which_option_has_no_value_yet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
