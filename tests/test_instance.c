/*
 * Kernels that are instances of C++ templates, or have parameters in their names: their
 * names in a configuration, and parameters that are therefore no macros.
 */
#include "folder.h"
#include "base/memory.h"
#include "evaluator/plan.h"
#include "kernel/source.h"
#include "space/spec.h"

#include <unistd.h>

#include "suite.h"

/* a space whose kernel is called so; its line is 1 */
#define SPACE(kernel) \
	"kernel: { name = \"k\"; function = \"" kernel "\"; template = \"k.cu\"; " \
	"reference = \"right<4, float>\"; };\n" \
	"problems = ( { name = \"p\"; N = 64; } );\n" \
	"parameters: { BLOCK = [ 32, 64 ]; SHIFT = [ -1, 3 ]; FAST = [ false, true ];\n" \
	" T = [ \"float\", \"half\", \"taps\" ]; STEP = [ 0.5, 2.0 ]; };\n" \
	"options = ( \"-DWIDTH=${N}\" );\n" \
	"defaults: { BLOCK = 64; SHIFT = 3; FAST = true; T = \"float\"; STEP = 0.5; };\n" \
	"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n" \
	"arguments = ( { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n" \
	" { name = \"n\"; type = \"int\"; value = \"N\"; } );\n"

static const uint16_t first[] = { 0, 0, 0, 0, 0 }, second[] = { 1, 1, 1, 1, 1 };

static struct at_spec *parse(const char *text)
{
	struct at_error err = { 0 };
	struct at_spec *spec;

	if (at_spec_parse(text, strlen(text), "a.cfg", &spec, &err))
		fail_msg("%d: %s", err.line, err.text);
	return spec;
}

/* SPACE() of a name that is not known when this is compiled */
static struct at_spec *parse_named(const char *kernel)
{
	static const char text[] = SPACE("@");
	RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };
	const char *at = strchr(text, '@');
	struct at_spec *spec;

	at_strbuf_addf(&out, "%.*s%s%s", (int)(at - text), text, kernel, at + 1);
	spec = parse(at_strbuf_text(&out));
	return spec;
}

/* ---- names ----------------------------------------------------------------- */

TEST(parameters_stand_for_their_values)
{
	static const struct {
		const char *kernel, *first, *second;
	} rows[] = {
		{ "k<BLOCK, float>", "k<32, float>", "k<64, float>" },
		{ "a::k<BLOCK>", "a::k<32>", "a::k<64>" },
		{ "k<SHIFT, FAST>", "k<(-1), false>", "k<3, true>" },
		{ "k< T >", "k< float >", "k< half >" },
		{ "k<T, pair<T, 2>>", "k<float, pair<float, 2>>",
			"k<half, pair<half, 2>>" },
		{ "k<2 * BLOCK, (BLOCK > 32)>", "k<2 * 32, (32 > 32)>",
			"k<2 * 64, (64 > 32)>" },
		{ "k<int(8 * STEP)>", "k<int(8 * (0.5))>", "k<int(8 * (2.0))>" },
		{ "k<(FAST ? 4 : BLOCK)>", "k<(false ? 4 : 32)>",
			"k<(true ? 4 : 64)>" },
		/* a whole name, and no member's */
		{ "k<BLOCKS, MY_BLOCK, BLOCK>", "k<BLOCKS, MY_BLOCK, 32>",
			"k<BLOCKS, MY_BLOCK, 64>" },
		{ "k<traits<T>::BLOCK>", "k<traits<float>::BLOCK>",
			"k<traits<half>::BLOCK>" },
		/* of words one may be */
		{ "k<kinds::T>", "k<kinds::float>", "k<kinds::half>" },
		{ "k<0xBLOCK, 4u>", "k<0xBLOCK, 4u>", "k<0xBLOCK, 4u>" },
		{ "k<>", "k<>", "k<>" },
		{ "k", "k", "k" },
		/* in the name itself */
		{ "k_${T}", "k_float", "k_half" },
		{ "a_${T}::${T}${BLOCK}", "a_float::float32", "a_half::half64" },
		{ "k_${T}<BLOCK, ${T}>", "k_float<32, float>", "k_half<64, half>" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(at_spec_free) struct at_spec *spec = parse_named(rows[i].kernel);
		RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };

		at_spec_write_kernel(spec, spec->kernel, first, &out);
		assert_string_equal(at_strbuf_text(&out), rows[i].first);
		at_strbuf_clear(&out);
		at_spec_write_kernel(spec, spec->kernel, second, &out);
		assert_string_equal(at_strbuf_text(&out), rows[i].second);
	}
}

TEST(a_name_alone_is_the_function_and_files_have_what_is_bare)
{
	OWNED(at_spec_free)
	struct at_spec *spec = parse(
		"kernel: { name = \"a::b::scale<BLOCK, float>\"; template = \"k.cu\"; };\n"
		"parameters: { BLOCK = [ 1, 2 ]; };\n"
		"launch: { block = ( 1 ); grid = ( 1 ); };\n");

	assert_string_equal(spec->name, "scale");
	assert_string_equal(spec->kernel, "a::b::scale<BLOCK, float>");
}

#define TEMPLATE \
	"template <int BLOCK, typename T> __global__ void k(T *y, int n) {}\n" \
	"template <int N, typename T> __global__ void right(T *y, int n) {}\n" \
	"struct taps {};\n"

/* ---- units ----------------------------------------------------------------- */

struct unit {
	char folder[64];
	struct at_spec *spec;
	struct at_template template;
	struct at_plan plan;
};

static const struct at_device_info device = { .id = "host",
	.kind = "host",
	.model = "some CPU",
	.architecture = "",
	.toolchain = "c++" };

static void open_unit(struct unit *self, const char *kernel, const char *text)
{
	char path[96];
	FILE *file;

	strcpy(self->folder, "/tmp/test_instance-XXXXXX");
	assert_non_null(folder_make(self->folder));
	snprintf(path, sizeof(path), "%s/k.cu", self->folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	self->spec = parse_named(kernel);
	assert_ok(at_template_load(path, &self->template, &failure));
	assert_ok(at_plan_init(&self->plan, self->spec, &self->template,
		&self->spec->problems[0], NULL, &device, "1", 1, &failure));
	unlink(path);
	rmdir(self->folder);
}

static void close_unit(struct unit *self)
{
	at_plan_release(&self->plan);
	at_template_release(&self->template);
	at_spec_free(self->spec);
}

static struct at_compile_request compile(
	struct unit *self, const uint16_t *configuration, enum at_unit unit)
{
	struct at_compile_request request;

	assert_ok(
		at_plan_compile(&self->plan, configuration, unit, &request, &failure));
	return request;
}

TEST(a_unit_asks_for_the_instance_of_its_configuration)
{
	RELEASED(at_compile_request_release)
	struct at_compile_request one, two, reference;
	struct unit unit;

	open_unit(&unit, "k<BLOCK, T>", TEMPLATE);
	one = compile(&unit, first, AT_UNIT_TUNED);
	two = compile(&unit, second, AT_UNIT_TUNED);
	reference = compile(&unit, second, AT_UNIT_REFERENCE);
	assert_int_equal(one.kernel_count, 1);
	assert_string_equal(one.kernels[0], "k<32, float>");
	assert_string_equal(two.kernels[0], "k<64, half>");
	assert_string_equal(reference.kernels[0], "right<4, float>");
	/* which is all that tells them apart */
	assert_string_equal(one.source, two.source);
	assert_false(at_hash_equal(
		at_compile_identity(&one, "1"), at_compile_identity(&two, "1")));
	close_unit(&unit);
}

TEST(a_templates_own_parameter_is_no_macro)
{
	static const struct {
		const char *kernel, *text;
		bool is_block, is_shift;
	} rows[] = {
		{ "k<BLOCK, float>", TEMPLATE "int shift = SHIFT;", false, true },
		/* it is called otherwise in the template, and read as a macro */
		{ "k<BLOCK, float>",
			"template <int B, class T> __global__ void k(); int b = BLOCK;",
			true, false },
		/* the template is not the kernel's: as a macro it is its mistake */
		{ "k<4, float>", TEMPLATE, true, false },
		{ "k<float, true, BLOCK>",
			"template <class T = pair<int, 2>, bool B = (SHIFT > 3), const int *P, template <int> class C, typename... BLOCK> void k();",
			false, true },
		{ "k<float, BLOCK>",
			"template <int N = BLOCK, int (*F)(int BLOCK)> void k();", true,
			false },
		{ "k<BLOCK, float, SHIFT>",
			"template <int BLOCK, class T,\n int SHIFT> __global__ void k();",
			false, false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_compile_request_release) struct at_compile_request request;
		struct unit unit;

		open_unit(&unit, rows[i].kernel, rows[i].text);
		request = compile(&unit, first, AT_UNIT_TUNED);
		assert_int_equal(!!strstr(request.source, "#define BLOCK 32\n"),
			rows[i].is_block);
		assert_int_equal(!!strstr(request.source, "#define SHIFT (-1)\n"),
			rows[i].is_shift);
		close_unit(&unit);
	}
}

TEST(signatures_are_found_by_place_whatever_they_are_called)
{
	struct at_kernel_parameter right[] = { { AT_PARAMETER_POINTER, 8,
						       AT_ELEMENT_NONE },
		{ AT_PARAMETER_INTEGER, 4, AT_ELEMENT_NONE } };
	struct at_kernel_parameter wrong[] = { { AT_PARAMETER_POINTER, 8,
						       AT_ELEMENT_NONE },
		{ AT_PARAMETER_REAL, 8, AT_ELEMENT_NONE } };
	struct at_kernel_facts facts = { .name = (char *)"k<32, float>",
		.symbol = (char *)"_Z1kILi32EfEvPT0_i",
		.has_parameters = true,
		.parameter_count = 2,
		.parameters = right };
	struct at_compile_result compiled = { .kernel_count = 1, .kernels = &facts };
	OWNED(at_spec_free) struct at_spec *spec = parse_named("k<BLOCK, T>");

	assert_ptr_equal(at_plan_find_kernel(spec, spec->calls, &compiled), &facts);
	assert_null(at_plan_find_kernel(spec, spec->prepare, &compiled));
	assert_ok(at_plan_check_signatures(spec, AT_UNIT_TUNED, &compiled, &failure));
	facts.parameters = wrong;
	assert_fails(at_plan_check_signatures(spec, AT_UNIT_TUNED, &compiled, &failure),
		AT_EINVAL,
		"argument 2, \"n\", is 4 bytes here and 8 in the kernel \"k<32, float>\": type \"double\"?");
	assert_fails_with(
		at_plan_check_signatures(spec, AT_UNIT_REFERENCE, &compiled, &failure),
		AT_EINVAL, "");
}

RUN_SUITE(NULL, NULL)
