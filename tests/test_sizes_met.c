/* Sizes that programs met become problems of a space. */
#include "session/sizes_met.h"

#include "folder.h"
#include "suite.h"

static const char space_text[] =
	"kernel: { name = \"scale\"; template = \"scale.cu\"; reference = \"r\"; };\n"
	"problems = ( { name = \"all\"; N = 1000; F = 1; }, { name = \"cpu\"; on = \"host\"; N = 7; F = 2; } );\n"
	"parameters: { BLOCK = [ 32, 64 ]; };\n"
	"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n"
	"domain: { N = \"1 .. 5000\"; constraints = ( \"N % 2 == 0 || N < 100\" ); };\n";

static const struct at_device_info h200 = { .kind = "cuda", .model = "NVIDIA H200" };

#define LINE(device, n, f, calls) \
	"{\"kernel\": \"scale\", \"device\": \"" device "\", \"sizes\": {\"N\": " #n \
	", \"F\": " #f "}, \"rung\": \"same device\", \"calls\": " #calls "}\n"

static char folder[] = "/tmp/autotune-met-XXXXXX";

static void read_met(const char *text, struct at_sizes_met *out)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/met", folder);
	file_write(path, text);
	assert_ok(at_sizes_met_read(path, out, &failure));
}

static struct at_spec *parse(void)
{
	struct at_spec *spec;

	assert_ok(at_spec_parse(
		space_text, strlen(space_text), "scale.cfg", &spec, &failure));
	return spec;
}

/* 2 for 2.0; one device under two spellings; and names that points tell apart */
TEST(real_sizes_stay_real)
{
	static const char text[] =
		"kernel: { name = \"scale\"; template = \"scale.cu\"; reference = \"r\"; };\n"
		"problems = ( { name = \"all\"; N = 1000; F = 0.5; } );\n"
		"parameters: { BLOCK = [ 32, 64 ]; };\n"
		"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n"
		"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";
	RELEASED(at_sizes_met_release) struct at_sizes_met met;
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	RELEASED(at_strbuf_release) struct at_strbuf problems = { 0 }, names = { 0 };

	assert_ok(at_spec_parse(text, strlen(text), "scale.cfg", &spec, &failure));
	read_met(LINE("NVIDIA H200", 2, 2, 9) LINE("nvidia h200", 2, 2, 8)
			 LINE("NVIDIA H200", 2, 1.5, 7),
		&met);
	assert_int_equal(
		at_sizes_met_problems(&met, spec, &h200, NULL, &problems, &names), 2);
	assert_string_equal(names.data, "met_cuda_2_2p0, met_cuda_2_1p5");
	assert_non_null(strstr(problems.data, "N = 2; F = 2.0; }"));
}

TEST(the_most_frequent_that_the_domain_has_become_problems)
{
	RELEASED(at_sizes_met_release) struct at_sizes_met met;
	OWNED(at_spec_free) struct at_spec *spec = parse();
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 }, names = { 0 };
	RELEASED(at_strbuf_release) struct at_strbuf again = { 0 }, none = { 0 };
	size_t count;

	read_met(LINE("NVIDIA H200", 200, 1, 9)
		/* outside of the domain, and of its constraint */
		LINE("NVIDIA H200", 6000, 1, 900) LINE("NVIDIA H200", 201, 1, 900)
		/* tuned already; only on a CPU */
		LINE("NVIDIA H200", 1000, 1, 900) LINE("nvidia-h200", 7, 2, 90)
		/* of another device, of no kernel here, without a size */
		LINE("NVIDIA A100", 400, 1,
			900) "{\"kernel\": \"other\", \"device\": \"NVIDIA H200\", \"sizes\": {\"N\": 2, \"F\": 1}, \"calls\": 900}\n"
			     "{\"kernel\": \"scale\", \"device\": \"NVIDIA H200\", \"sizes\": {\"N\": 2}, \"calls\": 900}\n"
			     "{\"kernel\": \"scale\", \"dev\n\n" LINE("NVIDIA H200",
				     300, -2, 40) LINE("NVIDIA H200", 200, 1, 90)
				     LINE("NVIDIA H200", 200, 1, 0),
		&met);
	assert_int_equal(met.wrong_count, 2);
	assert_int_equal(met.wrong_line, 9);
	assert_int_equal(
		at_sizes_met_problems(&met, spec, &h200, NULL, &text, &names), 3);
	assert_string_equal(
		names.data, "met_cuda_200_1, met_cuda_7_2, met_cuda_300__2");
	assert_non_null(strstr(text.data,
		"problems = (\n"
		"  { name = \"met_cuda_200_1\"; on = \"cuda\"; N = 200; F = 1; },\n"
		"  { name = \"met_cuda_7_2\"; on = \"cuda\"; N = 7; F = 2; },\n"
		"  { name = \"met_cuda_300__2\"; on = \"cuda\"; N = 300; F = -2; }\n"
		");\n"));
	/* the old ones stay where nothing is met any more */
	count = met.count;
	met.count = 0;
	assert_int_equal(
		at_sizes_met_problems(&met, spec, &h200, text.data, &again, &none), 0);
	assert_string_equal(again.data, text.data);
	met.count = count;
}

TEST(a_space_has_the_problems_of_a_second_file)
{
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	struct at_error err = { 0 };
	char path[64], more[64];

	snprintf(path, sizeof(path), "%s/scale.cfg", folder);
	snprintf(more, sizeof(more), "%s/scale_met.cfg", folder);
	file_write(path, space_text);
	file_write(more,
		"problems = ( { name = \"met\"; on = \"cuda\"; N = 7; F = 2; } );\n");
	assert_ok(at_spec_load_more(path, more, &spec, &failure));
	assert_int_equal(spec->problem_count, 3);
	assert_string_equal(spec->problems[2].name, "met");
	assert_int_equal(spec->problems[2].sizes[0].value.integer, 7);
	at_spec_free(spec);
	spec = NULL;
	/* errors name the file that they are in */
	file_write(more, "problems = (\n  { name = \"met\"; BLOCK = 7; } );\n");
	assert_int_equal(at_spec_load_more(path, more, &spec, &err), AT_EINVAL);
	assert_string_equal(err.file, more);
	assert_int_equal(err.line, 2);
	memset(&err, 0, sizeof(err));
	file_write(more, "problems = (\n  { name = \"all\"; N = 7; F = 1; } );\n");
	assert_int_equal(at_spec_load_more(path, more, &spec, &err), AT_EINVAL);
	assert_non_null(strstr(err.text, "\"all\" is given twice"));
	assert_string_equal(err.file, more);
}

static int make_folder(void **state)
{
	(void)state;
	return folder_make(folder) ? 0 : -1;
}

RUN_SUITE(make_folder, NULL)
