/* The generated header: its contents, and names and texts of others in it. */
#include "folder.h"
#include "base/memory.h"
#include "header_fixture.h"
#include "record/header_stamp.h"
#include "record/result.h"
#include "space/spec_load.h"

#include <unistd.h>

#include "suite.h"

#define DATA AT_TEST_DIR "/data/result"

#define FAST TILE(256, 4, "here")
#define SHARED TILE(128, 8, "there")
#define PLAIN TILE(32, 1, "here")

static const struct made tiles[] = {
	{ TILES_MADE(&made_h200, "square", 4096, 4096, 1, FAST, ""),
		.baseline = PLAIN },
	{ TILES_MADE(&made_h200, "radius_6", 4096, 4096, 6, FAST, ""),
		.baseline = PLAIN },
	{ TILES_MADE(&made_a100, "square", 4096, 4096, 1, FAST, ""),
		.baseline = PLAIN },
	{ TILES_MADE(&made_t4, "square", 4096, 4096, 1, SHARED, "") },
};

#define TILES (sizeof(tiles) / sizeof(*tiles))

static struct at_spec *load(const char *name)
{
	struct at_spec *spec;
	char path[256];

	snprintf(path, sizeof(path), DATA "/%s", name);
	assert_ok(at_spec_load(path, &spec, &failure));
	return spec;
}

static struct at_header_plan plan_of(const struct at_spec *spec,
	const struct at_results *results, bool with_unverified)
{
	const struct at_header_plan_options options = {
		.with_unverified = with_unverified,
	};
	struct at_header_plan plan;

	assert_ok(at_header_plan_make(
		spec, results->items, results->count, &options, &plan, &failure));
	return plan;
}

/* The header's text; freed by the caller. */
static char *text_of(const struct at_spec *spec, const struct at_results *results)
{
	const struct at_header_plan_options options = { 0 };
	struct at_strbuf out = { 0 };

	assert_ok(at_result_header(
		spec, results->items, results->count, &options, &out, &failure));
	return at_strbuf_detach(&out);
}

/* ---- the plan ------------------------------------------------------------ */

TEST(numbers_what_is_compiled_once_and_differently)
{
	OWNED(at_spec_free) struct at_spec *spec = load("tiles.cfg");
	RELEASED(at_results_release) struct at_results results;
	RELEASED(at_header_plan_release) struct at_header_plan plan;
	/* A100, H200, T4, as their slugs order them; winners, then baselines */
	static const struct {
		const char *device, *problem;
		size_t configuration;
		bool is_baseline;
	} expected[] = {
		{ "NVIDIA_A100_SXM4_80GB", "SQUARE", 0, false },
		{ "NVIDIA_H200", "SQUARE", 0, false },
		/* the same parameters for another radius are another kernel */
		{ "NVIDIA_H200", "RADIUS_6", 1, false },
		{ "TESLA_T4", "SQUARE", 2, false },
		{ "NVIDIA_A100_SXM4_80GB", "SQUARE", 3, true },
		{ "NVIDIA_H200", "SQUARE", 3, true },
		{ "NVIDIA_H200", "RADIUS_6", 4, true },
	};

	make_results(tiles, TILES, &results);
	plan = plan_of(spec, &results, false);
	assert_int_equal(plan.configuration_count, 5);
	assert_int_equal(plan.winner_count, 4);
	assert_int_equal(plan.entry_count, 7);
	for (size_t i = 0; i < 7; i++) {
		const struct at_header_entry *entry = &plan.entries[i];

		assert_string_equal(
			plan.devices[entry->device].name, expected[i].device);
		assert_string_equal(
			plan.problems[entry->problem].name, expected[i].problem);
		assert_int_equal(entry->configuration, expected[i].configuration);
		assert_int_equal(entry->is_baseline, expected[i].is_baseline);
	}
	assert_int_equal(plan.configurations[1].option_count, 1);
	assert_string_equal(plan.configurations[1].options[0], "-DRADIUS=6");
	/* a baseline's are made from the file */
	assert_int_equal(plan.configurations[4].option_count, 1);
	assert_string_equal(plan.configurations[4].options[0], "-DRADIUS=6");
}

TEST(leaves_out_what_the_file_does_not_have_or_nobody_verified)
{
	struct made made[] = { tiles[0], tiles[0], tiles[0], tiles[0], tiles[0],
		tiles[0] };
	OWNED(at_spec_free) struct at_spec *spec = load("tiles.cfg");
	RELEASED(at_results_release) struct at_results results;
	struct at_header_plan plan;

	made[1].problem = "triangle";
	made[2].configuration = "{\"BLOCK\": 100, \"TILE\": 4, \"WHERE\": \"here\"}";
	made[3].problem = "wide";
	made[3].configuration = SHARED;
	made[3].is_unverified = true;
	made[4].space = "other";
	/* not the sizes of this file */
	made[5].problem = "large";
	made[5].sizes = "{\"M\": 1.5, \"N\": \"4\", \"RADIUS\": 1}";
	make_results(made, 6, &results);
	results.items[0].baseline.outcome = AT_OUTCOME_WRONG_RESULT;
	plan = plan_of(spec, &results, false);
	assert_int_equal(plan.winner_count, 1);
	assert_int_equal(plan.unverified_count, 1);
	assert_int_equal(plan.unfit_count, 3);
	/* there is no falling back to a baseline that was wrong */
	assert_int_equal(plan.entry_count, 1);
	at_header_plan_release(&plan);
	plan = plan_of(spec, &results, true);
	assert_int_equal(plan.winner_count, 2);
	assert_int_equal(plan.unverified_count, 0);
	at_header_plan_release(&plan);
}

TEST(knows_the_limits_of_every_configuration)
{
	struct made made[] = { tiles[3], tiles[3] };
	OWNED(at_spec_free) struct at_spec *spec = load("tiles.cfg");
	RELEASED(at_results_release) struct at_results results;
	RELEASED(at_header_plan_release) struct at_header_plan plan;

	/* 32 KiB of them are dynamic */
	made[0].shared_bytes = 32768 + 1000;
	made[0].registers = 40;
	made[0].launch =
		"{\"block\": [128], \"grid\": [4, 160], \"shared_bytes\": 32768}";
	made[1].device = &made_h200;
	made[1].shared_bytes = 32768 + 24;
	made[1].registers = 64;
	make_results(made, 2, &results);
	plan = plan_of(spec, &results, false);
	assert_int_equal(plan.configuration_count, 1);
	assert_int_equal(plan.configurations[0].static_shared_bytes, 1000);
	assert_int_equal(plan.configurations[0].registers, 64);
}

TEST(tells_devices_and_problems_apart_whose_names_are_alike)
{
	OWNED(at_spec_free) struct at_spec *spec;
	static const char text[] =
		"kernel: { name = \"k\"; template = \"" DATA
		"/functions.cu\"; reference = \"r\"; };"
		"problems = ( { name = \"a b\"; N = 1; }, { name = \"A-B\"; N = 2; },"
		" { name = \"a.b\"; N = 3; } );"
		"parameters: { P = [ 1 ]; };";
	struct made_device twin = made_h200;
	struct made made[] = {
		{ .device = &made_h200,
			.space = "k",
			.problem = "a b",
			.sizes = "{\"N\": 1}",
			.configuration = "{\"P\": 1}" },
		{ .device = &twin,
			.space = "k",
			.problem = "a b",
			.sizes = "{\"N\": 1}",
			.configuration = "{\"P\": 1}" },
	};
	RELEASED(at_results_release) struct at_results results;
	RELEASED(at_header_plan_release) struct at_header_plan plan;

	twin.kind = "other";
	assert_ok(at_spec_parse(text, strlen(text), "inline.cfg", &spec, &failure));
	make_results(made, 2, &results);
	plan = plan_of(spec, &results, false);
	assert_string_equal(plan.problems[0].name, "A_B");
	assert_string_equal(plan.problems[1].name, "A_B_");
	assert_string_equal(plan.problems[2].name, "A_B__");
	assert_string_equal(plan.devices[0].name, "NVIDIA_H200");
	assert_string_equal(plan.devices[1].name, "NVIDIA_H200_OTHER");
}

/* ---- the text -------------------------------------------------------------- */

TEST(is_the_same_whatever_the_order_of_the_results)
{
	OWNED(at_spec_free) struct at_spec *spec = load("tiles.cfg");
	RELEASED(at_results_release) struct at_results results;
	OWNED(free) char *first, *second;

	make_results(tiles, TILES, &results);
	first = text_of(spec, &results);
	for (size_t i = 0; i < TILES / 2; i++) {
		struct at_result moved = results.items[i];

		results.items[i] = results.items[TILES - 1 - i];
		results.items[TILES - 1 - i] = moved;
	}
	second = text_of(spec, &results);
	assert_string_equal(first, second);
}

TEST(says_by_which_objective_winners_were_chosen)
{
	static const struct {
		const struct at_objective *objective;
		const char *lines[4];
	} rows[] = {
		{ &at_objective_energy,
			{ ": its most frugal correct configurations, as recorded.",
				" *   energy         250 mJ (95 % interval 200 to 500)",
				" *   gain           2 over the baseline",
				"_OBJECTIVE \"energy\"\n" } },
		{ &at_objective_edp,
			{ ": its best (least energy times time) correct",
				" *   edp            250 mJs (95 % interval 200 to 500)",
				"_TIME_NS 2000.0\n", "_OBJECTIVE \"edp\"\n" } },
		{ &at_objective_time,
			{ ": its fastest correct configurations, as recorded.",
				" *   speed-up       2 over the baseline",
				"_TIME_NS 250.0\n", "" } },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(at_spec_free) struct at_spec *spec = load("tiles.cfg");
		RELEASED(at_results_release) struct at_results results;
		const bool is_time = rows[i].objective == &at_objective_time;
		OWNED(free) char *text;

		make_results(tiles, 1, &results);
		spec->search.objective = rows[i].objective;
		results.items[0].best.objective = rows[i].objective;
		results.items[0].best.score =
			is_time ? (struct at_score){ 250, 200, 500 }
				: (struct at_score){ 0.25, 0.2, 0.5 };
		text = text_of(spec, &results);
		for (size_t k = 0; k < AT_COUNT_OF(rows[i].lines); k++)
			if (!strstr(text, rows[i].lines[k]))
				fail_msg("%s: no %s", rows[i].objective->name,
					rows[i].lines[k]);
		assert_true(is_time == !strstr(text, "_OBJECTIVE "));
	}
}

TEST(says_how_the_board_was_set)
{
	static const struct {
		const char *board, *lines; /* NULL: none */
	} rows[] = {
		{ "", NULL },
		{ "board: { clock_mhz = \"BLOCK * 100\"; power_watts = 300; };",
			" * value of the configuration is not 0:\n"
			" *   nvidia-smi -lgc BLOCK * 100 (MHz)\n"
			" *   nvidia-smi -pl 300 (W)\n" },
		{ "board: { memory_clock_mhz = 1593; };",
			" *   nvidia-smi -lmc 1593 (MHz)\n" },
	};
	OWNED(free) char *tiles_text = file_text(DATA "/tiles.cfg");

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf space = { 0 };
		RELEASED(at_results_release) struct at_results results;
		OWNED(at_spec_free) struct at_spec *spec = NULL;
		OWNED(free) char *text;

		at_strbuf_addf(&space, "%s%s\n", tiles_text, rows[i].board);
		assert_ok(at_spec_parse(
			space.data, space.length, DATA "/tiles.cfg", &spec, &failure));
		make_results(tiles, 1, &results);
		text = text_of(spec, &results);
		if (rows[i].lines)
			assert_non_null(strstr(text, rows[i].lines));
		else
			assert_null(strstr(text, "nvidia-smi"));
	}
}

/* enough to end a comment, a string or a line wherever it is put */
#define HOSTILE "*/ \" \\\n#error \?\?/\n /* \xe2\x80\xae \x1b[31m \x7f end\\"

/* As a space file has it: options of a record count only where that has them too. */
static void add_option(struct at_spec *spec, const char *text)
{
	struct at_option *all =
		at_spec_own(spec, at_calloc(spec->option_count + 1, sizeof(*all)));

	for (size_t i = 0; i < spec->option_count; i++)
		all[i] = spec->options[i];
	spec->options = all;
	all[spec->option_count++] =
		(struct at_option){ .text = at_spec_own(spec, at_strdup(text)) };
}

TEST(lets_nothing_out_of_comments_and_strings)
{
	struct made made[] = { tiles[0] };
	OWNED(at_spec_free) struct at_spec *spec = load("tiles.cfg");
	RELEASED(at_results_release) struct at_results results;
	struct at_result *result;
	size_t opened = 0, closed = 0;
	OWNED(free) char *text;

	made[0].options = "";
	add_option(spec, "-DX=*/ \" \\\n#error ?\?/");
	add_option(spec, "-DY=1 /* ");
	add_option(spec, "-DZ='");
	add_option(spec, "-D\n#error=1");
	make_results(made, 1, &results);
	result = &results.items[0];
	free(result->device.model);
	free(result->best.toolchain);
	free(result->best.driver);
	free(result->best.source_hash);
	free(result->device.architecture);
	result->device.model = at_strdup(HOSTILE);
	result->best.toolchain = at_strdup(HOSTILE);
	result->best.driver = at_strdup("**/" HOSTILE "*");
	result->best.source_hash = at_strdup("/" HOSTILE);
	result->device.architecture = at_strdup(HOSTILE "*");
	text = text_of(spec, &results);
	for (const char *c = text; *c; c++) {
		if ((*c < ' ' && *c != '\n' && *c != '\t') || *c > '~')
			fail_msg("character %d in \"%.40s\"", *c, c - 20);
		if (c[0] == '?' && c[1] == '?')
			fail_msg("a trigraph in \"%.40s\"", c - 20);
		opened += c[0] == '/' && c[1] == '*';
		closed += c[0] == '*' && c[1] == '/';
	}
	assert_int_equal(opened, closed);
	assert_null(strstr(text, "\n#error ?"));
	assert_null(strstr(text, "\n#error="));
	/* and what the compiler was given stays */
	assert_non_null(strstr(text,
		"#ifndef X\n"
		"#error \"X cannot be defined here: give the compiler TILES_OPTIONS\"\n"
		"#endif\n"));
	assert_null(strstr(text, "#undef X\n"));
	assert_non_null(strstr(text, "#error \"Y cannot be defined here"));
	assert_non_null(strstr(text, "#error \"Z cannot be defined here"));
	assert_non_null(strstr(text, "#define RADIUS 1\n"));
}

TEST(defines_plain_values_alone)
{
	static const struct {
		const char *text;
		bool is_plain;
	} rows[] = {
		{ "6", true },
		{ "", true },
		{ "(1 << 3) + N / 2", true },
		{ "\"text\"", true },
		{ "a ? b : c", true },
		{ "1 // all that follows", false },
		{ "1 /* all that follows", false },
		{ "\"open", false },
		{ "'a'", false },
		{ "a\\", false },
		{ "a\nb", false },
		{ "\?\?/", false },
		{ "#x", false },
		{ "\xc3\xa4", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (at_header_is_plain(rows[i].text) != rows[i].is_plain)
			fail_msg("%s", rows[i].text);
}

/* kernels that nobody names would be in every unit under one name */
/* The kernels that convert are no part of the template. */
TEST(leaves_out_the_calls_that_convert_types)
{
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	RELEASED(at_results_release) struct at_results results = { 0 };
	OWNED(free) char *text = NULL;

	assert_ok(
		at_spec_load(AT_TEST_DIR "/spaces/mutant_chosen.cfg", &spec, &failure));
	assert_ok(at_results_add_defaults(&results, spec, &failure));
	text = text_of(spec, &results);
	assert_null(strstr(text, "mutant_chosen_launch_prepare"));
	assert_null(strstr(text, "autotune_prepare"));
	assert_non_null(strstr(text,
		"There is no mutant_chosen_run(): the argument x is of a type that a parameter chooses"));
}

#define TEXTURED(access, image, more) \
	"kernel: { name = \"t\"; function = \"mutant_textured\"; " \
	"template = \"../kernels/mutant_textured.cu\"; arguments = ( \"image\", \"y\" ); " \
	"reference = { kernel = \"mutant_textured_reference\"; arguments = ( \"x\", \"y\" ); }; };\n" \
	"problems = ( { name = \"p\"; N = 64; } );\n" \
	"parameters: { MODE = [ \"clamp\", \"border\" ]; };\n" \
	"defaults: { MODE = \"clamp\"; };\n" \
	"launch: { block = ( 64 ); grid = ( 1 ); };\n" more "arguments = (\n" \
	"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"" access \
	"\"; },\n" \
	"  { name = \"image\"; kind = \"texture\"; of = \"x\"; " image " },\n" \
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n"
#define PREPARE \
	"prepare: { kernel = \"mutant_textured_reference\"; block = ( 64 ); grid = ( 1 ); arguments = ( \"x\" ); };\n"
#define NO_RUN \
	"There is no t_run(): the argument image is a texture or surface of scratch, of a buffer that other calls take, or by parameters"

TEST(run_takes_textures_and_surfaces_from_its_caller)
{
	static const struct {
		const char *space, *text;
	} rows[] = {
		{ TEXTURED("in", "width = \"N\";", ""),
			" long long size_N, unsigned long long argument_image, float *argument_y\n" },
		{ TEXTURED("in", "width = \"N\";", ""),
			" *   image          unsigned long long (the caller makes the object)\n" },
		{ TEXTURED("in", "width = \"MODE == 'clamp' ? N : 1\";", ""), NO_RUN },
		{ TEXTURED("in", "width = \"N\"; address = \"${MODE}\";", ""), NO_RUN },
		{ TEXTURED("scratch", "width = \"N\";", ""), NO_RUN },
		{ TEXTURED("inout", "width = \"N\";", PREPARE), NO_RUN },
		/* the texture reads what `prepare` wrote into the buffer */
		{ TEXTURED("inout", "width = \"N\"; layout = \"linear\";", PREPARE),
			" long long size_N, float *argument_x, unsigned long long argument_image, float *argument_y\n" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(at_spec_free) struct at_spec *spec = NULL;
		RELEASED(at_results_release) struct at_results results = { 0 };
		OWNED(free) char *text = NULL;

		assert_ok(at_spec_parse(rows[i].space, strlen(rows[i].space),
			AT_TEST_DIR "/spaces/t.cfg", &spec, &failure));
		assert_ok(at_results_add_defaults(&results, spec, &failure));
		text = text_of(spec, &results);
		if (!strstr(text, rows[i].text))
			fail_msg("row %zu: %s", i, strstr(text, "t_run"));
	}
}

TEST(says_that_groups_of_launches_have_no_run)
{
	OWNED(at_spec_free) struct at_spec *spec = NULL;
	RELEASED(at_results_release) struct at_results results = { 0 };
	OWNED(free) char *text = NULL;

	assert_ok(at_spec_load(
		AT_TEST_DIR "/spaces/sound_launches.cfg", &spec, &failure));
	assert_ok(at_results_add_defaults(&results, spec, &failure));
	text = text_of(spec, &results);
	assert_non_null(
		strstr(text, " *   together, so often: METHOD == 'rounds' ? 3 : 0\n"
			     " *     2 sound_launches_move(work, other, parts)\n"
			     " *     3 sound_launches_move(other, work, parts)\n"
			     " *   4 sound_launches_last(work, y, parts)\n"));
	assert_non_null(strstr(text,
		"There is no sound_launches_run(): launches are repeated as a group"));
}

TEST(renames_every_kernel_of_the_template)
{
	OWNED(at_spec_free) struct at_spec *spec = load("tiles.cfg");
	RELEASED(at_results_release) struct at_results results;
	OWNED(free) char *text;

	make_results(tiles, TILES, &results);
	text = text_of(spec, &results);
	assert_non_null(strstr(text, "#undef tiles\n#define tiles tiles_1\n"));
	assert_non_null(
		strstr(text, "#define tiles_reference tiles_1_tiles_reference\n"));
	/* of an included file */
	assert_non_null(strstr(text, "#define clear tiles_1_clear\n"));
	assert_null(strstr(text, "#define add "));
}

/* struct autotune_device is filled by place */
TEST(has_the_properties_in_the_order_of_the_list)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	char *at;

	at_header_common(&text);
	at = strstr(text.data, "struct autotune_device {\n");
	assert_non_null(at);
	at = strstr(at, "\tint minor;\n");
	assert_non_null(at);
	at = strchr(at, '\n') + 1;
	for (int i = 0; i < AT_PROPERTY_COUNT; i++) {
		char line[96];

		if (i == AT_PROPERTY_COMPUTE_CAPABILITY)
			continue;
		snprintf(line, sizeof(line), "\tlong long %s;",
			at_property_name((enum at_property)i));
		if (strncmp(at, line, strlen(line)) != 0)
			fail_msg("%s is not where it should be: %.60s", line, at);
		at = strchr(at, '\n') + 1;
	}
	assert_int_equal(strncmp(at, "};", 2), 0);
}

/* ---- what lies there --------------------------------------------------------- */

struct place {
	char folder[64];
	char space[96], source[96], header[96];
	struct at_spec *spec;
	struct at_results results;
	struct at_result_options options;
};

static void write_text(const char *path, const char *text)
{
	file_write(path, text);
}

static void copy_file(const char *from, const char *to, const char *more)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	OWNED(free) char *data = file_text(from);
	at_strbuf_add(&text, data);
	at_strbuf_add(&text, more);
	write_text(to, text.data);
}

static void reload(struct place *place)
{
	at_spec_free(place->spec);
	place->spec = NULL;
	assert_ok(at_spec_load(place->space, &place->spec, &failure));
}

static void make_place(struct place *place)
{
	strcpy(place->folder, "/tmp/autotune-header-XXXXXX");
	assert_non_null(folder_make(place->folder));
	snprintf(place->space, sizeof(place->space), "%s/tiles.cfg", place->folder);
	snprintf(place->source, sizeof(place->source), "%s/tiles.cu", place->folder);
	snprintf(place->header, sizeof(place->header), "%s/tiles.h", place->folder);
	copy_file(DATA "/tiles.cfg", place->space, "");
	copy_file(DATA "/tiles.cu", place->source, "");
	reload(place);
	make_results(tiles, TILES, &place->results);
	place->options.directory = place->folder;
}

static void remove_place(struct place *place)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -r %s", place->folder);
	assert_int_equal(system(command), 0);
	at_results_release(&place->results);
	at_spec_free(place->spec);
}

#define TEST_HERE(name) TEST_ON(name, struct place, place, make_place, remove_place)

static void write_header(struct place *place)
{
	OWNED(free) char *path;

	assert_ok(at_result_write_header(&place->options, place->spec,
		place->results.items, place->results.count, &path, &failure));
	assert_string_equal(path, place->header);
}

/* reason NULL: it is up to date */
static void assert_stale(struct place *place, const char *reason)
{
	struct at_error err = { 0 };
	enum at_status status = at_result_check_header(&place->options, place->spec,
		place->results.items, place->results.count, NULL, &err);

	if (!reason) {
		assert_ok(status);
		return;
	}
	assert_int_equal(status, AT_EINVAL);
	assert_string_equal(err.file, place->header);
	if (strncmp(err.text, "stale: ", 7) != 0 ||
		strncmp(err.text + 7, reason, strlen(reason)) != 0)
		fail_msg("%s", err.text);
	assert_non_null(strstr(err.text, "; write it with: autotune header "));
}

TEST_HERE(tells_why_a_header_is_stale)
{
	assert_stale(place, "it is not there;");
	assert_false(at_file_exists(place->header));
	write_header(place);
	assert_stale(place, NULL);
	copy_file(DATA "/tiles.cu", place->source, "// another\n");
	assert_stale(place, "the template changed: ");
	copy_file(DATA "/tiles.cu", place->source, "");
	assert_stale(place, NULL);
	copy_file(DATA "/tiles.cfg", place->space, "# another\n");
	reload(place);
	assert_stale(place, "the space changed: ");
	copy_file(DATA "/tiles.cu", place->source, "// another\n");
	assert_stale(place, "the space changed: ");
	copy_file(DATA "/tiles.cu", place->source, "");
	copy_file(DATA "/tiles.cfg", place->space, "");
	reload(place);
	place->results.items[0].best.score.value = 999;
	assert_stale(place, "the record changed, or it is of other devices;");
	place->results.items[0].best.score.value = 1000;
	assert_stale(place, NULL);
	place->results.count--;
	assert_stale(place, "the record changed, or it is of other devices;");
	place->results.count++;
	copy_file(place->header, place->header, "\n");
	assert_stale(place, "it was changed by hand;");
}

/* an update of the tool that changes nothing else makes no header stale */
TEST_HERE(another_version_alone_is_no_reason)
{
	OWNED(free) char *text;
	char *at;

	write_header(place);
	text = file_text(place->header);
	at = strstr(text, "Written by autotune ");
	assert_non_null(at);
	at[strlen("Written by autotune ")] = '9';
	write_text(place->header, text);
	assert_stale(place, NULL);
}

static void assert_refused(struct place *place, const char *reason)
{
	struct at_error err = { 0 };
	OWNED(free) char *before, *after;

	before = file_text(place->header);
	assert_int_equal(
		at_result_write_header(&place->options, place->spec,
			place->results.items, place->results.count, NULL, &err),
		AT_EINVAL);
	assert_string_equal(err.file, place->header);
	if (!strstr(err.text, reason))
		fail_msg("%s", err.text);
	after = file_text(place->header);
	assert_string_equal(before, after);
}

TEST_HERE(takes_no_place_of_another_space_or_of_a_file_of_others)
{
	write_text(place->header, "int mine;\n");
	assert_refused(place, "it was not written by autotune, and is left alone");
	assert_stale(place, "it was not written by autotune;");
	unlink(place->header);
	write_header(place);
	snprintf(place->space, sizeof(place->space), "%s/other.cfg", place->folder);
	copy_file(DATA "/tiles.cfg", place->space, "");
	reload(place);
	/* of the same kernel.name */
	assert_refused(place,
		"it is the header of another space file of this kernel name, tiles.cfg:");
}

TEST_HERE(says_what_is_missing)
{
	for (size_t i = 0; i < place->results.count; i++)
		place->results.items[i].best.is_unverified = true;
	assert_fails(
		at_result_write_header(&place->options, place->spec,
			place->results.items, place->results.count, NULL, &failure),
		AT_ENOENT,
		"no winner of \"tiles\" is verified: tune it to the end, or ask for those that are not with --unverified");
	failure = (struct at_error){ 0 };
	assert_fails(at_result_write_header(
			     &place->options, place->spec, NULL, 0, NULL, &failure),
		AT_ENOENT,
		"nothing is recorded for \"tiles\" that fits this file: tune it first");
	assert_false(at_file_exists(place->header));
	place->options.with_unverified = true;
	write_header(place);
	failure = (struct at_error){ 0 };
	unlink(place->source);
	assert_fails_with(
		at_result_write_header(&place->options, place->spec,
			place->results.items, place->results.count, NULL, &failure),
		AT_ENOENT, "");
	assert_string_equal(failure.file, place->source);
}

RUN_SUITE(NULL, NULL)
