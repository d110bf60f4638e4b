/* A configuration made concrete: what is compiled, what is launched, and above all
   which changes give it another key. Nothing is compiled or run here. */
#include "program.h"
#include "evaluator/plan_internal.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <time.h>

#include "suite.h"

/* ---- a space in a folder of its own ------------------------------------------- */

static char *folder;

#define FILES_REFERENCE \
	"reference: { files = ( { argument = \"y\"; path = \"y.bin\"; } ); };"
#define LIBRARY_REFERENCE "reference: { library = \"r.so\"; function = \"right\"; };"
#define SPACE(reference) \
	"kernel: { name = \"toy\"; template = \"toy.cu\"; " reference " };\n" \
	"problems = ( { name = \"p\"; N = 64; M = 2; } );\n" \
	"parameters: { BLOCK = [ 32, 64 ]; STEP = [ 0, 1 ]; };\n" \
	"defaults: { BLOCK = 32; STEP = 1; };\n" \
	"options = ( \"-DROWS=${M}\" );\n" \
	"constraints = ( \"BLOCK <= 64\" );\n" \
	"launch: { block = ( \"BLOCK\" ); grid = ( \"N / STEP\" ); };\n" \
	"arguments = (\n" \
	"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; fill = \"file('x.bin')\"; },\n" \
	"  { name = \"z\"; type = \"float\"; count = \"N\"; access = \"in\"; fill = \"uniform(0, 1)\"; },\n" \
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n" \
	"  { name = \"n\"; type = \"int\"; value = \"N\"; }\n" \
	");\n" \
	"verify: { rtol = 0.001; problems = (\n" \
	"  { name = \"v\"; N = 96; },\n" \
	"  { name = \"only_host\"; on = \"host\"; N = 32; } ); };\n" \
	"metrics: { flops = \"2.0 * N\"; };\n"

#define SET_PROPERTY(properties, name, number) \
	((properties)->known[AT_PROPERTY_##name] = true, \
		(properties)->value[AT_PROPERTY_##name] = (number))

#define LAUNCH "launch: { block = ( \"BLOCK\" ); grid = ( \"N / STEP\" ); };"
#define LAUNCH_WITH(more) \
	"launch: { block = ( \"BLOCK\" ); grid = ( \"N / STEP\" ); " more " };"
/* the same as a sequence of one, and more */
#define LAUNCHES(more) \
	"launches = ( { kernel = \"toy\"; block = ( \"BLOCK\" ); grid = ( \"N / STEP\" ); " more

static void write_file(const char *name, const char *text)
{
	OWNED(free) char *path = scratch_path(folder, name);

	file_write(path, text);
}

static int write_files(void **state)
{
	folder = scratch_folder("plan");
	write_file("toy.cu",
		"#include \"part.h\"\n"
		"#include <angled.h>\n"
		"__global__ void toy() { int b = BLOCK; }\n"
		"__global__ void right(float *x, int *z, float *y, int n)\n"
		"{ y[0] = z[0]; }\n"
		"__global__ void adds(float *x, int *z, float *y, int n)\n"
		"{ atomicAdd(z, n); }\n");
	write_file("angled.h", "#define ANGLED 1\n");
	write_file("part.h", "#define PART 1\n");
	write_file("x.bin", "xxxx");
	write_file("y.bin", "yyyy");
	write_file("r.so", "library");
	return 0;
}

/* text with the first `from` replaced by `to`; heap */
static char *edit(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct at_strbuf out = { 0 };

	assert_non_null(at);
	at_strbuf_add_bytes(&out, text, (size_t)(at - text));
	at_strbuf_add(&out, to);
	at_strbuf_add(&out, at + strlen(from));
	return at_strbuf_detach(&out);
}

/* All that a plan borrows. */
struct fixture {
	struct at_spec *spec;
	struct at_template template;
	struct at_device_info device;
	struct at_plan plan;
	struct at_compiled_plan made; /* the last that was made with it */
};

/* verify: on the first problem under verify, which lacks M */
static void open_fixture(struct fixture *self, const char *text, bool verify)
{
	OWNED(free) char *path = scratch_path(folder, "toy.cfg");
	struct at_error err = { 0 };
	const struct at_problem *problem;

	memset(self, 0, sizeof(*self));
	at_spec_parse(text, strlen(text), path, &self->spec, &err);
	assert_string_equal(err.text, "");
	assert_ok(at_template_load(self->spec->template_path, &self->template, NULL));
	self->device = (struct at_device_info){
		.kind = "cuda",
		.id = "cuda:0",
		.model = "Toy 1",
		.architecture = "sm_90",
		.driver = "1.0",
	};
	problem = verify ? &self->spec->verify.problems[0] : &self->spec->problems[0];
	assert_ok(at_plan_init(&self->plan, self->spec, &self->template, problem,
		verify ? &self->spec->problems[0] : NULL, &self->device, "NVRTC 1", 1,
		NULL));
}

static void close_fixture(struct fixture *self)
{
	at_compiled_plan_release(&self->made);
	at_plan_release(&self->plan);
	at_template_release(&self->template);
	at_spec_free(self->spec);
}

static void plan_values(struct fixture *self, const uint16_t *configuration)
{
	at_compiled_plan_release(&self->made);
	assert_ok(at_plan_configuration(
		&self->plan, configuration, &self->made, &failure));
}

static void plan_defaults(struct fixture *self)
{
	plan_values(self, self->spec->defaults);
}

static struct at_hash key_of(const char *text, bool verify)
{
	RELEASED(close_fixture) struct fixture fixture;

	open_fixture(&fixture, text, verify);
	plan_defaults(&fixture);
	return fixture.made.key;
}

static void open_plain(struct fixture *self)
{
	open_fixture(self, SPACE(FILES_REFERENCE), false);
}

/* A case with a plan of the space as it is. */
#define PLAIN_TEST(name) TEST_ON(name, struct fixture, self, open_plain, close_fixture)

/* ---- what is planned ----------------------------------------------------------- */

PLAIN_TEST(makes_a_configuration_concrete)
{
	static const uint16_t configuration[] = { 1, 1 };

	plan_values(self, configuration);
	assert_int_equal(self->made.outcome, AT_OUTCOME_OK);
	assert_string_equal(self->made.detail, "");
	assert_non_null(strstr(self->made.compile.source, "#define BLOCK 64\n"));
	assert_string_equal(self->made.compile.architecture, "sm_90");
	assert_string_equal(self->made.compile.options[0], "-DROWS=2");
	assert_string_equal(self->made.compile.kernels[0], "toy");
	assert_int_equal(self->made.request.kernel.geometry.block[0], 64);
	assert_int_equal(self->made.request.kernel.geometry.grid[0], 64);
	assert_int_equal(self->made.request.bindings[0].count, 64);
	assert_true(self->made.flops == 128);
	assert_true(self->made.bytes != self->made.bytes);
	assert_false(self->made.is_double);
}

/* An H200 as its driver tells it: 4.81 TB/s, 60 MiB of L2. N floats are 256 MiB. */
TEST(a_plan_knows_the_least_time_of_a_launch)
{
	static const struct {
		const char *from, *to; /* in the space below */
		double bytes; /* that have to move; 0: no floor */
		double flops_per_clock; /* of a multiprocessor; 0: no floor */
	} rows[] = {
		/* x, z and y are moved once; flops are on floats */
		{ "4.0 * N", "12.0 * N", 3 * 268435456.0 - 62914560, 4096 },
		/* more than all arguments have may come from the cache */
		{ "4.0 * N", "90.0 * N", 3 * 268435456.0 - 62914560, 4096 },
		/* less may be all that is needed */
		{ "4.0 * N", "8.0 * N", 2 * 268435456.0 - 62914560, 4096 },
		/* a warm cache hides twice as much */
		{ "deadline = \"9s\";", "cache = \"warm\";", 268435456.0 - 2 * 62914560,
			4096 },
		{ "\"x\"; type = \"float\"", "\"x\"; type = \"half\"",
			268435456.0 - 62914560, 4096 },
		{ "\"x\"; type = \"float\"", "\"x\"; type = \"double\"",
			268435456.0 - 62914560, 4096 },
		{ "\"x\"; type = \"float\"", "\"x\"; type = \"__nv_fp8_e4m3\"",
			268435456.0 - 62914560, 8192 },
		/* integers may be packed bits */
		{ "\"x\"; type = \"float\"", "\"x\"; type = \"int\"",
			268435456.0 - 62914560, 65536 },
		/* scratch need not leave the cache; inout is read and written */
		{ "\"y\"; type = \"float\"; count = \"N\"; access = \"out\"",
			"\"y\"; type = \"float\"; count = \"N / 16\"; access = \"inout\"",
			268435456.0 - 62914560, 4096 },
		{ "bytes = \"4.0 * N\";", "", 0, 4096 },
		{ "flops = \"2.0 * N\";", "", 268435456.0 - 62914560, 0 },
	};
	static const char space[] =
		"kernel: { name = \"toy\"; template = \"toy.cu\"; reference = \"right\"; };\n"
		"problems = ( { name = \"p\"; N = 67108864; } );\n"
		"parameters: { BLOCK = [ 32, 64 ]; };\n"
		"defaults: { BLOCK = 32; };\n"
		"launch: { block = ( \"BLOCK\" ); grid = ( \"N / BLOCK\" ); };\n"
		"arguments = (\n"
		"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
		"  { name = \"z\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
		"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
		"  { name = \"s\"; type = \"float\"; count = \"N\"; access = \"scratch\"; },\n"
		"  { name = \"n\"; type = \"int\"; value = \"N\"; }\n"
		");\n"
		"search: { deadline = \"9s\"; };\n"
		"metrics: {\n"
		"  flops = \"2.0 * N\";\n"
		"  bytes = \"4.0 * N\";\n"
		"};\n";

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(free) char *text = edit(space, rows[i].from, rows[i].to);
		struct at_properties *properties;
		RELEASED(close_fixture) struct fixture fixture;
		double bytes_ns, flops_ns;

		open_fixture(&fixture, text, false);
		properties = &fixture.device.properties;
		at_properties_set(properties, AT_PROPERTY_COMPUTE_CAPABILITY, 90);
		at_properties_set(properties, AT_PROPERTY_MULTIPROCESSOR_COUNT, 132);
		at_properties_set(properties, AT_PROPERTY_MEMORY_BUS_BITS, 6016);
		at_properties_set(properties, AT_PROPERTY_L2_BYTES, 62914560);
		/* the driver does not tell the clocks */
		fixture.device.max_clock_hz = 1980000000;
		fixture.device.max_memory_clock_hz = 3201000000;
		plan_defaults(&fixture);
		bytes_ns = rows[i].bytes / (1.1 * 2 * 3.201 * 6016 / 8);
		flops_ns =
			rows[i].flops_per_clock > 0
				? 2 * 67108864.0 /
					  (1.1 * rows[i].flops_per_clock * 132 * 1.98)
				: 0;
		if (fabs(fixture.made.floor.bytes_ns - bytes_ns) > 1e-6 * bytes_ns ||
			fabs(fixture.made.floor.flops_ns - flops_ns) > 1e-6 * flops_ns)
			fail_msg("%s: %g and %g ns, not %g and %g", rows[i].to,
				fixture.made.floor.bytes_ns,
				fixture.made.floor.flops_ns, bytes_ns, flops_ns);
		assert_int_equal(
			fixture.made.floor.work.bytes_line, bytes_ns > 0 ? 16 : 0);
		assert_int_equal(
			fixture.made.floor.work.flops_line, flops_ns > 0 ? 15 : 0);
	}
}

/* The processor has no data sheet here. */
TEST(a_plan_for_the_processor_has_no_floor)
{
	OWNED(free) char *text = edit(SPACE(FILES_REFERENCE), "2.0 * N", "1e30");
	RELEASED(close_fixture) struct fixture fixture;

	open_fixture(&fixture, text, false);
	at_properties_set(&fixture.device.properties, AT_PROPERTY_L2_BYTES, 1);
	at_properties_set(&fixture.device.properties, AT_PROPERTY_CLOCK_HZ, 1);
	at_properties_set(
		&fixture.device.properties, AT_PROPERTY_MULTIPROCESSOR_COUNT, 1);
	plan_defaults(&fixture);
	assert_true(
		fixture.made.floor.flops_ns == 0 && fixture.made.floor.bytes_ns == 0);
}

TEST(tells_configurations_apart)
{
	const char *plain = SPACE(FILES_REFERENCE);
	OWNED(free)
	char *space = edit(
		plain, "STEP = [ 0, 1 ]", "STEP = [ 1 ]; SPARE = [ \"a\", \"b\" ]");
	OWNED(free) char *spare = edit(space, "STEP = 1;", "STEP = 1; SPARE = \"a\";");
	const struct {
		const char *text;
		uint16_t defaults[3], other[3];
		bool has_unit, has_key; /* the other has the same */
	} rows[] = {
		{ plain, { 0, 1 }, { 0, 1 }, true, true },
		{ plain, { 0, 1 }, { 1, 1 }, false, false },
		/* STEP is nothing to the template: one unit, but not one evaluation */
		{ plain, { 0, 1 }, { 0, 0 }, true, false },
		/* equal kernels */
		{ spare, { 0, 0, 0 }, { 0, 0, 1 }, true, false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(close_fixture) struct fixture fixture;
		struct at_hash key, unit;

		open_fixture(&fixture, rows[i].text, false);
		plan_values(&fixture, rows[i].defaults);
		key = fixture.made.key;
		unit = fixture.made.unit;
		plan_values(&fixture, rows[i].other);
		assert_int_equal(
			at_hash_equal(fixture.made.unit, unit), rows[i].has_unit);
		assert_int_equal(at_hash_equal(fixture.made.key, key), rows[i].has_key);
		/* keys of one problem lie together, so that adding to a large record
		   touches few pages of its index */
		assert_true(fixture.made.key.high >> 32 == key.high >> 32);
		assert_false(key_of(rows[i].text, true).high >> 32 == key.high >> 32);
		/* by their words, which lie elsewhere when the space is loaded again */
		assert_true(at_hash_equal(key_of(rows[i].text, false), key));
	}
}

/* as they are recorded, and shown */
TEST(tells_the_attributes_of_a_launch)
{
	OWNED(free)
	char *text = edit(SPACE(FILES_REFERENCE), LAUNCH,
		LAUNCH_WITH(
			"cluster = ( \"M\" ); preferred_cluster = ( 8 ); cooperative = \"STEP > 0\"; carveout = 0; l2_window: { argument = \"z\"; percent = 25; };"));
	RELEASED(close_fixture) struct fixture fixture;
	OWNED(free) char *json;

	open_fixture(&fixture, text, false);
	plan_defaults(&fixture);
	json = at_compiled_plan_launch_json(&fixture.made, fixture.spec);
	assert_string_equal(json,
		"{\"block\": [32, 1, 1], \"grid\": [64, 1, 1], \"shared_bytes\": 0, "
		"\"cluster\": [2, 1, 1], \"preferred_cluster\": [8, 1, 1], "
		"\"cooperative\": true, \"carveout\": 0, \"l2_window_percent\": 25}");
	assert_int_equal(fixture.made.request.kernel.geometry.attributes.window, 2);
}

#define BOARD "board: { clock_mhz = \"STEP > 0 ? 1500 : 0\"; power_watts = 300; };\n"

/* They decide the time, and no verdict: a verification is the same without them. */
TEST(clocks_of_the_board_are_part_of_what_is_measured)
{
	OWNED(free)
	char *with = edit(SPACE(FILES_REFERENCE), "launch:", BOARD "launch:");
	OWNED(free)
	char *zero = edit(SPACE(FILES_REFERENCE),
		"launch:", "board: { clock_mhz = 0; };\nlaunch:");
	struct at_hash plain = key_of(SPACE(FILES_REFERENCE), false);
	RELEASED(close_fixture) struct fixture fixture;

	assert_false(at_hash_equal(key_of(with, false), plain));
	assert_true(at_hash_equal(key_of(zero, false), plain));
	open_fixture(&fixture, with, false);
	plan_defaults(&fixture);
	assert_int_equal(fixture.made.request.clocks.clock_mhz, 1500);
	assert_int_equal(fixture.made.request.clocks.memory_clock_mhz, 0);
	assert_int_equal(fixture.made.request.clocks.power_milliwatts, 300000);
	fixture.plan.ignores_clocks = true;
	plan_defaults(&fixture);
	assert_false(at_clocks_are_set(&fixture.made.request.clocks));
	assert_true(at_hash_equal(fixture.made.key, plain));
}

/* what the compiler does not tell is left out */
TEST(tells_what_each_launch_of_a_sequence_needs)
{
	OWNED(free)
	char *text = edit(SPACE(FILES_REFERENCE), LAUNCH,
		LAUNCHES(
			"}, { kernel = \"right\"; block = ( 32 ); grid = ( 1 ); shared_bytes = 64; repeat = 2; } );"));
	struct at_kernel_facts kernels[] = {
		{ .symbol = "toy", .registers = 40, .shared_bytes = 512 },
		{ .symbol = "right", .registers = -1, .shared_bytes = -1 },
	};
	const struct at_compile_result compiled = { .kernel_count = 2,
		.kernels = kernels };
	RELEASED(close_fixture) struct fixture fixture;
	OWNED(free) char *json;

	open_fixture(&fixture, text, false);
	plan_defaults(&fixture);
	at_plan_set_symbols(fixture.spec, &compiled, &fixture.made.request);
	json = at_compiled_plan_launch_json(&fixture.made, fixture.spec);
	assert_string_equal(json,
		"{\"block\": [32, 1, 1], \"grid\": [64, 1, 1], \"shared_bytes\": 0, "
		"\"launches\": ["
		"{\"block\": [32, 1, 1], \"grid\": [64, 1, 1], \"shared_bytes\": 0, "
		"\"launch\": 0, \"repeat\": 1, \"registers\": 40, \"static_shared_bytes\": 512}, "
		"{\"block\": [32, 1, 1], \"grid\": [1, 1, 1], \"shared_bytes\": 64, "
		"\"launch\": 1, \"repeat\": 2}]}");
}

/* by what the device has, before anything is launched */
TEST(refuses_attributes_that_the_device_lacks)
{
	static const struct {
		const char *more;
		int64_t capability;
		const char *detail;
	} cases[] = {
		{ "cluster = ( 2 );", 80,
			"needs clusters of 2 blocks, which devices before sm_90 lack" },
		{ "cluster = ( 2 );", 90, "" },
		{ "cluster = ( 1 );", 80, "" },
		/* 64 blocks: 2 multiprocessors hold 32 each */
		{ "cooperative = true;", 90, "" },
		{ "cooperative = true; shared_bytes = 40000;", 90,
			"is cooperative, and needs 64 resident blocks: the device holds 10, 5 on each of 2 multiprocessors" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		OWNED(free) char *launch, *text;
		struct at_strbuf with = { 0 };
		struct at_kernel_facts kernel = { .symbol = "toy", .registers = 16 };
		const struct at_compile_result compiled = { .kernel_count = 1,
			.kernels = &kernel };
		RELEASED(close_fixture) struct fixture fixture;
		struct at_properties *properties;
		char detail[200] = "";

		at_strbuf_addf(&with, LAUNCH_WITH("%s"), cases[i].more);
		launch = at_strbuf_detach(&with);
		text = edit(SPACE(FILES_REFERENCE), LAUNCH, launch);
		open_fixture(&fixture, text, false);
		properties = &fixture.device.properties;
		assert_true(at_device_describe("sm_90", &fixture.device));
		SET_PROPERTY(properties, COMPUTE_CAPABILITY, cases[i].capability);
		SET_PROPERTY(properties, MULTIPROCESSOR_COUNT, 2);
		plan_defaults(&fixture);
		assert_int_equal(
			at_plan_check_resources(&fixture.plan, &fixture.made.request,
				&compiled, detail, sizeof(detail)),
			cases[i].detail[0] ? AT_OUTCOME_TOO_MANY_RESOURCES
					   : AT_OUTCOME_OK);
		assert_string_equal(detail, cases[i].detail);
	}
}

PLAIN_TEST(says_what_makes_no_sense)
{
	static const uint16_t no_steps[] = { 0, 0 };
	struct at_hash sensible;

	plan_defaults(self);
	sensible = self->made.key;
	plan_values(self, no_steps);
	assert_int_equal(self->made.outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_string_equal(
		self->made.detail, "launch.grid[0]: \"N / STEP\" divides by zero");
	assert_non_null(self->made.compile.source);
	assert_null(self->made.request.bindings);
	assert_false(at_hash_equal(self->made.key, sensible));
}

/* ---- the defaults ---------------------------------------------------------------- */

TEST(says_where_the_defaults_make_no_sense)
{
	static const struct {
		const char *from, *to;
		bool verify;
		const char *error; /* with its line; NULL: they make sense */
	} cases[] = {
		{ "", "", false, NULL },
		{ "", "", true, NULL },
		{ "STEP = 1", "STEP = 0", false,
			"7: launch.grid[0]: \"N / STEP\" divides by zero (the defaults, problem p)" },
		{ "grid = (", "\n\ngrid = (\n\"STEP\",", false, NULL },
		{ "grid = ( \"N / STEP\"", "\n\ngrid = ( 1,\n \"STEP - 1\"", false,
			"10: launch.grid[1]: \"STEP - 1\" is 0: expected 1 to 2147483647 (the defaults, problem p)" },
		{ "grid = ( \"N / STEP\"", "grid = ( \"N > STEP\"", false,
			"7: launch.grid[0]: \"N > STEP\" is true: expected a number (the defaults, problem p)" },
		{ "\"BLOCK\" )", "\"64 * BLOCK\" )", false,
			"7: launch.block[0]: \"64 * BLOCK\" is 2048: expected 1 to 1024 (the defaults, problem p)" },
		{ "\"BLOCK\" )", "\"BLOCK\", 64 )", false,
			"7: launch has 2048 threads in a block: no device takes more than 1024 (the defaults, problem p)" },
		{ "\"BLOCK\" )", "1, 1, 128 )", false,
			"7: launch has 128 threads of a block in z: no device takes more than 64 (the defaults, problem p)" },
		{ "grid = ( \"N / STEP\"", "grid = ( 1, 70000", false,
			"7: launch has 70000 blocks of the grid in y: no device takes more than 65535 (the defaults, problem p)" },
		{ "\"N / STEP\" );", "\"N / STEP\" ); shared_bytes = \"N << 12\";",
			false,
			"7: launch has 262144 shared_bytes: no device takes more than 232448 (the defaults, problem p)" },
		{ "\"N / STEP\" );", "\"N / STEP\" ); shared_bytes = \"-N\";", false,
			"7: launch.shared_bytes: \"-N\" is -64: expected 0 to 2147483647 (the defaults, problem p)" },
		{ "value = \"N\"", "value = \"N << 40\"", false,
			"12: the value of argument \"n\": \"N << 40\" is 70368744177664: expected -2147483648 to 2147483647 (the defaults, problem p)" },
		{ "count = \"N\"; access = \"out", "count = \"N - 64\"; access = \"out",
			false,
			"11: the count of argument \"y\": \"N - 64\" is 0: expected 1 to 1099511627776 (the defaults, problem p)" },
		{ "uniform(0, 1)", "uniform(0, log2(N - 64))", false,
			"10: the fill of argument \"z\": \"log2(N - 64)\" calls a function outside its domain (the defaults, problem p)" },
		{ "uniform(0, 1)\"", "uniform(0, 1)\"; domain = ( \"N\", 63 )", false,
			"10: the domain of argument \"z\" is 64 to 63: expected the lower end first (the defaults, problem p)" },
		{ "\"int\"; value = \"N\"", "\"half\"; value = \"1024.0 * N\"", false,
			"12: the value of argument \"n\" reaches 65536: half holds up to 65504 (the defaults, problem p)" },
		{ "\"int\"; value = \"N\"", "\"float\"; value = \"3.402824e38\"", false,
			"12: the value of argument \"n\" reaches 3.40282e+38: float holds up to 3.40282e+38 (the defaults, problem p)" },
		{ "\"int\"; value = \"N\"", "\"float\"; value = \"1e40 * N\"", false,
			"12: the value of argument \"n\" reaches 6.4e+41: float holds up to 3.40282e+38 (the defaults, problem p)" },
		{ "\"float\"; count = \"N\"; access = \"in\"; fill = \"uniform(0, 1)\"",
			"\"__nv_fp8_e4m3\"; count = \"N\"; access = \"in\"; fill = \"uniform(0, -N * 8)\"",
			false,
			"10: the fill of argument \"z\" reaches -512: __nv_fp8_e4m3 holds up to 448 (the defaults, problem p)" },
		{ "\"float\"; count = \"N\"; access = \"in\"; fill = \"uniform(0, 1)\"",
			"\"half2\"; count = \"N * 1000\"; access = \"in\"; fill = \"sequence(0, 1)\"",
			false,
			"10: the fill of argument \"z\" reaches 127999: half holds up to 65504 (the defaults, problem p)" },
		{ "rtol = 0.001",
			"rtol = 0.001; data = ( { z = \"constant(1 / (N - 64))\"; } )",
			false,
			"14: the fill of \"z\" in the data \"data_1\": \"1 / (N - 64)\" divides by zero (the defaults, problem p)" },
		{ "2.0 * N", "2.0 / (N - 64)", false,
			"17: metrics.flops: \"2.0 / (N - 64)\" divides by zero (the defaults, problem p)" },
		{ "2.0 * N", "0.0 * N", false,
			"17: metrics.flops: \"0.0 * N\" is 0: expected what one launch does, above 0, or none of it (the defaults, problem p)" },
		{ "flops = \"2.0 * N\"", "bytes = \"N / 1e9\"", false,
			"17: metrics.bytes: \"N / 1e9\" is 6.4e-08, and the outputs alone have 256 bytes: expected bytes of one launch, and no larger unit (the defaults, problem p)" },
		{ "-DROWS=${M}", "-DROWS=${device.l2_bytes}", false,
			"5: \"-DROWS=${device.l2_bytes}\" uses device.l2_bytes, which has no value here (the defaults, problem p)" },
		{ "BLOCK <= 64", "BLOCK > 32", false,
			"6: the defaults do not satisfy the constraint \"BLOCK > 32\" (problem p): give defaults that do, the baseline is measured with them" },
		{ LAUNCH, LAUNCHES("repeat = \"N - 65\"; } );"), false,
			"7: launches[0].repeat: \"N - 65\" is -1: expected 0 to 65536 (the defaults, problem p)" },
		{ LAUNCH, LAUNCHES("repeat = \"N - 64\"; } );"), false,
			"7: \"launches\": all of them are left out, by \"when\" or a \"repeat\" of 0 (the defaults, problem p)" },
		{ LAUNCH,
			LAUNCHES(
				"repeat = 65530; }, { kernel = \"toy\"; block = ( 1 ); grid = ( 1 ); repeat = \"N\"; } );"),
			false,
			"7: launches[1].repeat: \"N\" is 64: expected 0 to 6 (the defaults, problem p)" },
		{ LAUNCH, LAUNCHES("when = \"N > 64\"; } );"), false,
			"7: \"launches\": all of them are left out, by \"when\" or a \"repeat\" of 0 (the defaults, problem p)" },
		{ LAUNCH, LAUNCHES("when = \"STEP\"; } );"), false, NULL },
		{ LAUNCH,
			LAUNCHES(
				"}, { kernel = \"toy\"; block = ( 1 ); grid = ( 1, 70000 ); } );"),
			false,
			"7: launches[1] has 70000 blocks of the grid in y: no device takes more than 65535 (the defaults, problem p)" },
		{ LAUNCH "\narguments = (\n",
			LAUNCHES(
				"swap = ( \"y\", \"s\" ); } );") "\narguments = ( { name = \"s\"; type = \"float\"; count = \"N + 1\"; access = \"scratch\"; },\n",
			false,
			"7: launches[0]: \"y\" has 64 elements and \"s\" 65: what changes places must have as many (the defaults, problem p)" },
		{ "{ name = \"n\"; type = \"int\"; value = \"N\"; }\n);",
			"{ name = \"n\"; type = \"int\"; value = \"N\"; },\n"
			"{ name = \"s\"; type = \"float\"; count = \"N + 1\"; access = \"scratch\"; } );\n"
			"finish: { kernel = \"toy\"; block = ( 1 ); grid = ( \"N - 64\" ); };",
			false,
			"14: finish.grid[0]: \"N - 64\" is 0: expected 1 to 2147483647 (the defaults, problem p)" },
		{ LAUNCH, LAUNCH_WITH("cluster = ( 2, 8 );"), false,
			"7: launch: the grid has 1 blocks in y, which clusters of 8 do not divide: round it up, and let the kernel leave out what is too much (the defaults, problem p)" },
		{ LAUNCH, LAUNCH_WITH("cluster = ( 2 ); preferred_cluster = ( 8 );"),
			false, NULL },
		{ LAUNCH, LAUNCH_WITH("cluster = ( 32 );"), false,
			"7: launch.cluster has 32 blocks: no device takes more than 16 (the defaults, problem p)" },
		{ LAUNCH, LAUNCH_WITH("cluster = ( \"STEP - 1\" );"), false,
			"7: launch.cluster[0]: \"STEP - 1\" is 0: expected 1 to 2147483647 (the defaults, problem p)" },
		{ LAUNCH, LAUNCH_WITH("cluster = ( 8 ); preferred_cluster = ( 4 );"),
			false,
			"7: launch.preferred_cluster has 4 blocks in x, and cluster 8: expected a multiple (the defaults, problem p)" },
		{ LAUNCH, LAUNCH_WITH("carveout = \"N + 37\";"), false,
			"7: launch.carveout: \"N + 37\" is 101: expected -1 to 100 (the defaults, problem p)" },
		{ LAUNCH,
			LAUNCH_WITH(
				"l2_window: { argument = \"x\"; percent = \"-N\"; };"),
			false,
			"7: launch.l2_window.percent: \"-N\" is -64: expected 0 to 100 (the defaults, problem p)" },
		{ LAUNCH, LAUNCH_WITH("cooperative = \"N\";"), false, NULL },
		/* first values, and ragged edges, need not be admitted */
		{ "defaults: { BLOCK = 32; STEP = 1; };", "", false,
			"7: launch.grid[0]: \"N / STEP\" divides by zero (the defaults, problem p)" },
		{ "defaults: { BLOCK = 32; STEP = 1; };\noptions = ( \"-DROWS=${M}\" );\nconstraints = ( \"BLOCK <= 64\"",
			"constraints = ( \"STEP > 0\"", false, NULL },
		{ "BLOCK <= 64", "N == 64", true, NULL },
		{ "N = 96", "N = 0", true,
			"7: launch.grid[0]: \"N / STEP\" is 0: expected 1 to 2147483647 (the defaults, problem v of verify)" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		OWNED(free)
		char *text = edit(SPACE(FILES_REFERENCE), cases[i].from, cases[i].to);
		RELEASED(close_fixture) struct fixture fixture;
		char error[1100] = "";
		enum at_status status;

		at_error_clear(&failure);
		open_fixture(&fixture, text, cases[i].verify);
		status = at_plan_check(&fixture.plan, &failure);
		if (status)
			snprintf(error, sizeof(error), "%d: %s", failure.line,
				failure.text);
		assert_string_equal(error, cases[i].error ? cases[i].error : "");
		assert_int_equal(status, cases[i].error ? AT_EINVAL : AT_OK);
	}
}

PLAIN_TEST(shares_one_setup)
{
	const struct at_measure_setup *setup, *again;
	struct at_hash identity, other;

	assert_ok(at_plan_borrow_setup(&self->plan, &setup, &identity, NULL));
	assert_int_equal(setup->argument_count, 4);
	assert_int_equal(setup->file_count, 1);
	assert_ok(at_plan_borrow_setup(&self->plan, &again, &other, NULL));
	assert_ptr_equal(setup, again);
	assert_true(at_hash_equal(identity, other));
}

/* ---- data for verifications
 * ----------------------------------------------------------------
 */

static const struct at_measure_setup *borrow_setup(struct fixture *self)
{
	const struct at_measure_setup *setup;
	struct at_error err = { 0 };

	at_plan_borrow_setup(&self->plan, &setup, NULL, &err);
	assert_string_equal(err.text, "");
	return setup;
}

/* expressions of the problem that it is for */
TEST(plans_domains_and_data_sets)
{
	OWNED(free)
	char *domain = edit(SPACE(FILES_REFERENCE), "uniform(0, 1)\"",
		"uniform(0, 1)\"; domain = ( \"-N\", 2.5 )");
	OWNED(free)
	char *fixed = edit(domain, "file('x.bin')\"", "file('x.bin')\"; fixed = true"),
	     *text = edit(fixed, "rtol = 0.001",
		     "data = ( { name = \"long\"; z = \"uniform(1, N)\"; },"
		     "{ name = \"from a file\"; x = \"file('z.bin')\"; z = \"constant(M)\"; } );"
		     "rtol = 0.001");

	for (int verify = 0; verify < 2; verify++) {
		const struct at_measure_setup *setup;
		RELEASED(close_fixture) struct fixture fixture;

		open_fixture(&fixture, text, verify);
		setup = borrow_setup(&fixture);
		assert_true(setup->arguments[0].is_fixed);
		assert_false(setup->arguments[0].has_domain);
		assert_true(setup->arguments[1].has_domain);
		assert_true(setup->arguments[1].domain_low == (verify ? -96 : -64));
		assert_true(setup->arguments[1].domain_high == 2.5);
		/* a file is the tuned problem's */
		assert_int_equal(setup->set_count, verify ? 1 : 2);
		assert_string_equal(setup->sets[0].name, "long");
		assert_int_equal(setup->sets[0].fill_count, 4);
		assert_int_equal(setup->sets[0].fills[0].kind, AT_FILL_NONE);
		assert_int_equal(setup->sets[0].fills[1].kind, AT_FILL_UNIFORM);
		assert_true(setup->sets[0].fills[1].b == (verify ? 96 : 64));
		if (!verify) {
			assert_non_null(strstr(setup->sets[1].fills[0].file, "z.bin"));
			assert_true(setup->sets[1].fills[1].a == 2);
		}
	}
}

TEST(files_of_a_problem_have_its_sizes)
{
	OWNED(free)
	char *fill = edit(SPACE(FILES_REFERENCE), "file('x.bin')",
		     "file('${M}/x_${N}.bin')"),
	     *text = edit(fill, "\"y.bin", "\"y_${N}.bin");

	for (int verify = 0; verify < 2; verify++) {
		OWNED(free)
		char *x = scratch_path(folder, verify ? "2/x_96.bin" : "2/x_64.bin");
		OWNED(free)
		char *y = scratch_path(folder, verify ? "y_96.bin" : "y_64.bin");
		const struct at_measure_setup *setup;
		RELEASED(close_fixture) struct fixture fixture;

		open_fixture(&fixture, text, verify);
		setup = borrow_setup(&fixture);
		assert_string_equal(setup->arguments[0].file, x);
		assert_string_equal(setup->files[0].path, y);
	}
}

/* ---- what makes it another one ------------------------------------------------- */

static void touch(const char *name)
{
	const struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	OWNED(free) char *path = scratch_path(folder, name);

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(knows_files_by_their_contents)
{
	static const struct {
		const char *space;
		const char *name;
		const char *contents;
		const char *changed; /* as long as before */
	} cases[] = {
		{ SPACE(FILES_REFERENCE), "part.h", "#define PART 1\n",
			"#define PART 2\n" },
		{ SPACE(FILES_REFERENCE), "angled.h", "#define ANGLED 1\n",
			"#define ANGLED 2\n" },
		{ SPACE(FILES_REFERENCE), "x.bin", "xxxx", "xxx0" },
		{ SPACE(FILES_REFERENCE), "y.bin", "yyyy", "yyy0" },
		{ SPACE(LIBRARY_REFERENCE), "r.so", "library", "Library" },
	};

	for (size_t i = 0; i < 2 * AT_COUNT_OF(cases); i++) {
		const char *space = cases[i / 2].space, *name = cases[i / 2].name;
		bool verify = i % 2;
		struct at_hash key = key_of(space, verify), changed;

		touch(name);
		assert_true(at_hash_equal(key_of(space, verify), key));
		write_file(name, cases[i / 2].changed);
		changed = key_of(space, verify);
		write_file(name, cases[i / 2].contents);
		if (at_hash_equal(changed, key))
			fail_msg("%s changes, and the key does not", name);
		assert_true(at_hash_equal(key_of(space, verify), key));
	}
}

TEST(knows_data_sets_by_their_files)
{
	OWNED(free)
	char *text = edit(SPACE(FILES_REFERENCE), "rtol = 0.001",
		"data = ( { x = \"file('z.bin')\"; } ); rtol = 0.001");
	struct at_hash key, changed;

	write_file("z.bin", "zzzz");
	key = key_of(text, false);
	assert_true(at_hash_equal(key_of(text, false), key));
	write_file("z.bin", "zzz0");
	changed = key_of(text, false);
	assert_false(at_hash_equal(changed, key));
}

TEST(leaves_a_missing_file_to_whoever_measures)
{
	const char *space = SPACE(FILES_REFERENCE);
	struct at_hash key = key_of(space, false);
	OWNED(free) char *path = scratch_path(folder, "x.bin");

	assert_int_equal(remove(path), 0);
	assert_false(at_hash_equal(key_of(space, false), key));
	write_file("x.bin", "xxxx");
	assert_true(at_hash_equal(key_of(space, false), key));
}

TEST(knows_which_lines_of_a_space_decide_a_time)
{
	static const struct {
		const char *from, *to;
		bool decides;
	} cases[] = {
		{ "N = 64", "N = 128", true },
		{ "M = 2", "M = 3", true },
		{ "-DROWS=${M}", "-DROWS=3", true },
		{ "\"BLOCK\" )", "\"2 * BLOCK\" )", true },
		{ "N / STEP", "N / STEP + 1", true },
		{ "uniform(0, 1)", "uniform(0, 2)", true },
		{ "uniform(0, 1)", "normal(0, 1)", true },
		{ "file('x.bin')", "constant(1)", true },
		{ "float\"; count = \"N\"; access = \"out",
			"int\"; count = \"N\"; access = \"out", true },
		{ "access = \"out\"", "access = \"inout\"", true },
		{ "value = \"N\"", "value = \"N + 1\"", true },
		{ "uniform(0, 1)\"", "uniform(0, 1)\"; symbol = \"c\"", true },
		{ "uniform(0, 1)\"", "uniform(0, 1)\"; domain = [ -9.0, 9.0 ]", true },
		{ "uniform(0, 1)\"", "uniform(0, 1)\"; fixed = true", true },
		{ "rtol = 0.001", "data = ( { z = \"constant(3)\"; } ); rtol = 0.001",
			true },
		{ "rtol = 0.001", "rtol = 0.002", true },
		{ "rtol = 0.001", "atol = 0.5; rtol = 0.001", true },
		{ FILES_REFERENCE, LIBRARY_REFERENCE, true },
		{ FILES_REFERENCE, "reference = \"right\";", true },
		{ "metrics:", "search: { cache = \"warm\"; }; metrics:", true },
		{ "template = \"toy.cu\"", "function = \"toy2\"; template = \"toy.cu\"",
			true },
		{ LAUNCH, LAUNCHES("repeat = 2; } );"), true },
		{ LAUNCH, LAUNCHES("} );"), false },
		{ LAUNCH, LAUNCH_WITH("cluster = ( 2 );"), true },
		{ LAUNCH, LAUNCH_WITH("cooperative = true;"), true },
		{ LAUNCH, LAUNCH_WITH("carveout = 50;"), true },
		{ LAUNCH,
			LAUNCH_WITH("l2_window: { argument = \"x\"; percent = 50; };"),
			true },
		{ LAUNCH, LAUNCHES("repeat = 1; dependent = true; } );"), true },
		/* as if they were not given */
		{ LAUNCH,
			LAUNCH_WITH(
				"cooperative = false; carveout = -1; l2_window: { argument = \"x\"; percent = 0; };"),
			false },
		/* what is searched, how it is called, and what is told of it do not */
		{ "STEP = [ 0, 1 ]", "STEP = [ 0, 1, 2 ]", false },
		{ "BLOCK <= 64", "BLOCK <= 32", false },
		{ "name = \"p\"", "name = \"q\"", false },
		{ "name = \"x\"", "name = \"w\"", false },
		{ "rtol = 0.001", "derive = false; rtol = 0.001", false },
		{ "2.0 * N", "3.0 * N", false },
		{ "N = 96", "N = 97", false },
		{ "metrics:", "search: { budget = \"5\"; }; metrics:", false },
	};
	const char *space = SPACE(FILES_REFERENCE);
	struct at_hash key = key_of(space, false);

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		OWNED(free) char *edited = edit(space, cases[i].from, cases[i].to);

		if (at_hash_equal(key_of(edited, false), key) == cases[i].decides)
			fail_msg("%s -> %s: the key %s", cases[i].from, cases[i].to,
				cases[i].decides ? "stays" : "changes");
	}
}

/* ---- other contents -------------------------------------------------------------- */

/* What the second argument is in a case in which all contents are others. */
static void plan_other_contents(
	struct fixture *self, struct at_measure_setup *setup, bool *is_other)
{
	uint64_t contents;

	contents = at_plan_other_contents(self->spec, self->plan.problem);
	*is_other = contents >> 1 & 1;
	self->plan.contents = contents;
	memset(setup, 0, sizeof(*setup));
	assert_ok(at_plan_arguments(&self->plan, setup, NULL));
}

/* Inputs of zeros hide what is done with them, and the space does not say what an input
   without a fill may hold. */
TEST(knows_which_contents_hide_something)
{
	enum { STAYS, TO_ONE, OF_TYPE, UNEVEN };
	static const struct {
		const char *type, *count, *access, *more; /* of z */
		int becomes;
		double high; /* of whole numbers OF_TYPE */
	} cases[] = {
		{ "float", "N", "in", "; fill = \"constant(0)\"", TO_ONE, 0 },
		{ "float", "N", "inout", "; fill = \"constant(0)\"", TO_ONE, 0 },
		{ "float", "N", "in", "; fill = \"constant(1)\"", STAYS, 0 },
		{ "float", "N", "in", "; fill = \"uniform(0, 1)\"", STAYS, 0 },
		{ "float", "N", "in", "; fixed = true; fill = \"constant(0)\"", STAYS,
			0 },
		{ "float", "N", "in", "; domain = [ 0.0, 1.0 ]; fill = \"constant(0)\"",
			STAYS, 0 },
		{ "char", "N", "in", "; fill = \"constant(0)\"", TO_ONE, 0 },
		{ "int", "256", "inout", "; fill = \"constant(0)\"", TO_ONE, 0 },
		{ "char", "N", "in", "", OF_TYPE, 127 },
		{ "uint4", "N", "in", "", OF_TYPE, 4294967295.0 },
		{ "char", "N", "in", "; domain = [ 0, 9 ]", STAYS, 0 },
		{ "bool", "N", "in", "", STAYS, 0 },
		{ "int", "N", "inout", "", OF_TYPE, 32767 },
		{ "float", "N", "in", "", OF_TYPE, 0 },
		{ "float", "N", "in", "; fixed = true", STAYS, 0 },
		/* where a space has sequences that are all as long, a batch has others
		 */
		{ "int", "N + 1", "in", "; fill = \"sequence(0, M)\"", UNEVEN, 0 },
		{ "int", "N+1", "in", "; fill = \"sequence(0, 8)\"", UNEVEN, 0 },
		{ "int", "N + 1", "in", "; fixed = true; fill = \"sequence(0, 8)\"",
			STAYS, 0 },
		/* maybe places of pieces: the baseline is asked */
		{ "int", "N", "in", "; fill = \"sequence(0, 8)\"", UNEVEN, 0 },
		{ "int", "N + 1", "in", "; fill = \"sequence(0, 1)\"", STAYS, 0 },
		{ "int", "N + 1", "in", "; fill = \"sequence(3, 8)\"", STAYS, 0 },
		{ "float", "N + 1", "in", "; fill = \"sequence(0, 8)\"", STAYS, 0 },
		{ "int", "N + 1", "inout", "; fill = \"sequence(0, 8)\"", STAYS, 0 },
	};
	const char *space = SPACE("reference = \"right\";");

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		char z[160];
		OWNED(free) char *text;
		struct at_measure_setup setup;
		RELEASED(close_fixture) struct fixture self;
		bool is_other;

		snprintf(z, sizeof(z),
			"type = \"%s\"; count = \"%s\"; access = \"%s\"%s",
			cases[i].type, cases[i].count, cases[i].access, cases[i].more);
		text = edit(space,
			"type = \"float\"; count = \"N\"; access = \"in\"; fill = \"uniform(0, 1)\"",
			z);
		open_fixture(&self, text, false);
		plan_other_contents(&self, &setup, &is_other);
		if (is_other != (cases[i].becomes != STAYS))
			fail_msg("%s: %d", z, is_other);
		assert_int_equal(
			setup.arguments[1].has_row_offsets, cases[i].becomes == UNEVEN);
		if (strstr(cases[i].more, "sequence"))
			assert_int_equal(setup.arguments[1].fill, AT_FILL_SEQUENCE);
		if (cases[i].becomes == TO_ONE) {
			assert_int_equal(setup.arguments[1].fill, AT_FILL_UNIFORM);
			assert_true(setup.arguments[1].fill_b == 1);
			/* a root may be taken of what a sum holds */
			if (self.spec->arguments[1].access == AT_ACCESS_INOUT)
				assert_true(setup.arguments[1].fill_a == 0);
			assert_true(setup.arguments[1].is_fixed);
		}
		if (cases[i].becomes == OF_TYPE) {
			bool is_real = at_element_kind(setup.arguments[1].element) ==
				       AT_ELEMENT_KIND_REAL;

			assert_int_equal(setup.arguments[1].fill,
				is_real ? AT_FILL_NORMAL : AT_FILL_UNIFORM);
			assert_true(
				is_real ? setup.arguments[1].fill_b >= 1
					: setup.arguments[1].fill_b == cases[i].high);
		}
		at_measure_setup_release(&setup);
	}
}

/* where the space says nothing of other sizes, the fill does not keep from them */
TEST(ends_of_fills_follow_a_size_that_a_case_makes_smaller)
{
	static const struct {
		const char *fill, *more;
		double end;
	} cases[] = {
		{ "random_index(64)", "", 48 },
		{ "uniform(0, 64)", "", 48 },
		{ "random_index(63)", "", 63 },
		{ "random_index(2)", "", 2 },
		{ "random_index(64)", "domain: { N = \"1 .. 64\"; };", 64 },
	};
	const char *space = SPACE("reference = \"right\";");

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_size size = { .name = "N",
			.value = { .type = AT_TYPE_INTEGER, .integer = 48 } };
		struct at_problem one = { .name = "less", .size_count = 1, &size };
		RELEASED(at_measure_setup_release)
		struct at_measure_setup setup = { 0 };
		RELEASED(close_fixture) struct fixture self;
		RELEASED(at_strbuf_release) struct at_strbuf whole = { 0 };
		OWNED(free) char *text;
		char argument[128];

		snprintf(argument, sizeof(argument),
			"type = \"int\"; count = \"N\"; access = \"in\"; fill = \"%s\"",
			cases[i].fill);
		text = edit(space,
			"type = \"float\"; count = \"N\"; access = \"in\"; fill = \"uniform(0, 1)\"",
			argument);
		at_strbuf_addf(&whole, "%s%s", text, cases[i].more);
		open_fixture(&self, at_strbuf_text(&whole), false);
		self.plan.base = self.plan.problem;
		self.plan.problem = &one;
		assert_ok(at_plan_arguments(&self.plan, &setup, NULL));
		assert_true(setup.arguments[1].fill == AT_FILL_INDEX
				    ? setup.arguments[1].fill_a == cases[i].end
				    : setup.arguments[1].fill_b == cases[i].end);
	}
}

TEST(knows_a_reference_by_its_kernel)
{
	struct at_hash right = key_of(SPACE("reference = \"right\";"), false),
		       left_one = key_of(SPACE("reference = \"left\";"), false);

	assert_false(at_hash_equal(right, left_one));
}

/* the verified problem takes from the tuned one what it does not give */
TEST(knows_problems_under_verify_by_all_their_sizes)
{
	const char *space = SPACE(FILES_REFERENCE);
	struct at_hash key = key_of(space, true);
	OWNED(free)
	char *own = edit(space, "N = 96", "N = 97"),
	     *taken = edit(space, "M = 2", "M = 3"),
	     *hidden = edit(space, "N = 64", "N = 128");

	assert_false(at_hash_equal(key_of(own, true), key));
	assert_false(at_hash_equal(key_of(taken, true), key));
	assert_true(at_hash_equal(key_of(hidden, true), key));
}

PLAIN_TEST(knows_devices_and_compilers_by_what_they_are)
{
	struct at_device_info device = { .kind = "cuda",
		.id = "cuda:0",
		.model = "Toy 1",
		.architecture = "sm_90",
		.driver = "1.0" };
	struct at_device_info devices[9];
	struct at_hash key;

	at_properties_set(&device.properties, AT_PROPERTY_MULTIPROCESSOR_COUNT, 132);
	at_properties_set(&device.properties, AT_PROPERTY_MEMORY_BYTES, 80LL << 30);
	for (size_t i = 0; i < AT_COUNT_OF(devices); i++)
		devices[i] = device;
	strcpy(devices[0].kind, "host");
	strcpy(devices[1].model, "Toy 2");
	strcpy(devices[2].architecture, "sm_80");
	strcpy(devices[3].driver, "1.1");
	/* of the same name, and another all the same */
	devices[4].properties.value[AT_PROPERTY_MULTIPROCESSOR_COUNT] = 114;
	devices[5].properties.value[AT_PROPERTY_MEMORY_BYTES] = 94LL << 30;
	at_properties_set(&devices[6].properties, AT_PROPERTY_POWER_LIMIT_WATTS, 500);
	at_properties_set(
		&devices[6].properties, AT_PROPERTY_DEFAULT_POWER_LIMIT_WATTS, 700);
	/* a board of the same model, and its place */
	strcpy(devices[7].uuid, "GPU-1");
	strcpy(devices[8].id, "cuda:1");
	self->plan.device = &device;
	plan_defaults(self);
	key = self->made.key;
	for (size_t i = 0; i < AT_COUNT_OF(devices); i++) {
		self->plan.device = &devices[i];
		plan_defaults(self);
		assert_int_equal(at_hash_equal(self->made.key, key), i >= 7);
	}
	self->plan.device = &device;
	self->plan.toolchain_version = "NVRTC 2";
	plan_defaults(self);
	assert_false(at_hash_equal(self->made.key, key));
}

/* toolchain: a line of the space, or "". */
static void assert_compiled_by(
	const char *line, const char *device, const char *expected)
{
	static const enum at_unit units[] = { AT_UNIT_TUNED, AT_UNIT_REFERENCE };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_compile_request request;
	RELEASED(close_fixture) struct fixture fixture;

	at_strbuf_addf(&text, "%s%s", SPACE(FILES_REFERENCE), line);
	open_fixture(&fixture, text.data, false);
	at_plan_release(&fixture.plan);
	strcpy(fixture.device.toolchain, device);
	assert_ok(at_plan_init(&fixture.plan, fixture.spec, &fixture.template,
		&fixture.spec->problems[0], NULL, &fixture.device, "1", 1, NULL));
	for (size_t i = 0; i < AT_COUNT_OF(units); i++) {
		/* this one's reference is files */
		if (units[i] != AT_UNIT_TUNED && !fixture.spec->reference.call.kernel)
			continue;
		assert_ok(at_plan_compile(&fixture.plan, fixture.spec->defaults,
			units[i], &request, NULL));
		assert_string_equal(request.toolchain, expected);
		at_compile_request_release(&request);
	}
	at_plan_compile_support(&fixture.plan, &request);
	assert_string_equal(request.toolchain, expected);
	at_compile_request_release(&request);
}

TEST(a_space_says_who_compiles_for_devices_that_take_it)
{
	struct at_device_info device = { .kind = "cuda", .toolchain = "nvrtc" };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_error err = { 0 };
	OWNED(at_spec_free) struct at_spec *spec;
	struct at_plan plan;

	assert_compiled_by("", "nvrtc", "nvrtc");
	assert_compiled_by("\ntoolchain = \"nvrtc\";\n", "nvrtc", "nvrtc");
	assert_compiled_by("\ntoolchain = \"nvcc\";\n", "nvrtc", "nvcc");
	assert_compiled_by("\ntoolchain = \"nvcc\";\n", "c++", "c++");
	at_strbuf_addf(&text, "toolchain = \"icc\";\n%s", SPACE(FILES_REFERENCE));
	assert_ok(at_spec_parse(text.data, text.length, "a.cfg", &spec, NULL));
	assert_int_equal(at_plan_init(&plan, spec, NULL, &spec->problems[0], NULL,
				 &device, "1", 1, &err),
		AT_ENOENT);
	assert_string_equal(err.file, "a.cfg");
	assert_int_equal(err.line, 1);
	assert_string_equal(
		err.text, "unknown toolchain \"icc\"; known are nvrtc, nvcc and c++");
	memset(&err, 0, sizeof(err));
	assert_int_equal(at_plan_check_names(spec,
				 &(struct at_template){ .text = (char *)"" }, &err),
		AT_ENOENT);
	assert_int_equal(err.line, 1);
}

/* error: NULL where a template of this text may have all kernels. */
static void assert_names(
	const struct at_spec *spec, const char *text, const char *error)
{
	const struct at_template template = { .text = (char *)text,
		.path = (char *)"k.cu" };
	struct at_error err = { 0 };

	assert_int_equal(!error, at_plan_check_names(spec, &template, &err) == AT_OK);
	assert_string_equal(err.text, error ? error : "");
}

/* What the text has is known before anything is compiled. */
TEST(a_kernel_is_looked_for_as_a_word)
{
	static const struct {
		const char *text;
		const char *error; /* NULL: it may be there */
	} rows[] = {
		{ "__global__ void toy() {}\n__global__ void r();", NULL },
		{ "__global__ void toys() {}\n__global__ void r();",
			"kernel \"toy\" not found in k.cu; did you mean \"toys\"?" },
		{ "__global__ void toy() {}\n__global__ void rr();",
			"kernel \"r\" not found in k.cu, whose kernels are rr" },
		{ "__global__ void toy() {}\n__global__ void twice();\n__global__ void plain();",
			"kernel \"r\" not found in k.cu, whose kernels are twice and plain" },
		{ "__global__ void toy() {}",
			"kernel \"r\" not found in k.cu: it is a plain kernel that you write beside the tuned one, slow and obviously right" },
		{ "__global__ void toy() {}\nvoid r() {}",
			"kernel \"r\" is no __global__ function in k.cu: write __global__ before its void" },
		{ "#include \"toys.h\"\n", NULL },
		{ "#define K(a, b) __global__ void a##b() {}\nK(t, oy)\n__global__ void r();",
			NULL },
		{ "template <int B> __device__ void f() {}\n__global__ void toy() { f<1>(); }\n__global__ void r();",
			NULL },
	};
	static const char space[] =
		SPACE("reference: { library = \"r.so\"; function = \"right\"; };");
	OWNED(at_spec_free) struct at_spec *spec;

	assert_ok(at_spec_parse(space, sizeof(space) - 1, "a.cfg", &spec, NULL));
	/* of the reference too */
	spec->reference.kind = AT_REFERENCE_KERNEL;
	spec->reference.call.kernel = (char *)"r"; /* the spec frees its own texts */
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		assert_names(spec, rows[i].text, rows[i].error);
}

/* A launch with values that differ is as many launches; others are repeated. */
TEST(steps_have_values_of_their_own)
{
	static const char format[] =
		"kernel: { name = \"toy\"; template = \"toy.cu\"; };\n"
		"problems = ( { N = %d; } );\n"
		"parameters: { T = [ 8 ]; };\n"
		"types: { Pair = ( \"int a\", \"long long b\" ); };\n"
		"launches = ( { kernel = \"adds\"; block = ( 1 ); grid = ( 1 ); arguments = ( \"plain\" ); repeat = 5; },\n"
		"  { kernel = \"toy\"; block = ( 1 ); grid = ( 1 ); arguments = ( \"pair\", \"plain\", \"left\" ); repeat = \"N\"; },\n"
		"  { kernel = \"toy\"; block = ( 1 ); grid = ( 1 ); arguments = ( \"left\" ); when = \"N < 0\"; } );\n"
		"arguments = ( { name = \"plain\"; type = \"int\"; value = 7; },\n"
		"  { name = \"pair\"; type = \"Pair\"; value = { a = 2; b = \"N - step\"; }; },\n"
		"  { name = \"left\"; type = \"int\"; value = \"T << step\"; } );\n";
	RELEASED(close_fixture) struct fixture fixture, other;
	char text[1024];
	const struct at_measure_call *launch;

	snprintf(text, sizeof(text), format, 3);
	open_fixture(&fixture, text, false);
	plan_defaults(&fixture);
	assert_int_equal(fixture.made.request.more_count, 3);
	assert_int_equal(fixture.made.request.kernel.repeats, 4);
	assert_int_equal(fixture.made.request.kernel.value_count, 0);
	for (size_t i = 0; i < 3; i++) {
		int64_t b = 3 - (int64_t)i;
		int32_t left = 8 << i;

		launch = at_measure_launch(&fixture.made.request, 1 + i);
		assert_int_equal(launch->call, 1);
		assert_int_equal(launch->repeats, 0);
		assert_int_equal(launch->value_count, 2);
		/* in the order of the arguments, fields last */
		assert_int_equal(launch->values[0].argument, 2);
		assert_memory_equal(launch->values[0].binding.value, &left, 4);
		assert_string_equal(
			fixture.spec->arguments[launch->values[1].argument].name,
			"pair.b");
		assert_memory_equal(launch->values[1].binding.value, &b, 8);
	}
	snprintf(text, sizeof(text), format, 4097);
	open_fixture(&other, text, false);
	plan_defaults(&other);
	assert_int_equal(other.made.outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_string_equal(other.made.detail,
		"launches[1] is repeated 4097 times with values that have \"step\": expected 4096 times at the most");
}

/* Launches take copies in the type of the configuration; the reference takes the
   buffers, and outputs are compared by the least exact type. */
TEST(kernels_get_the_type_that_a_parameter_chooses)
{
	static const char text[] =
		"kernel: { name = \"toy\"; template = \"toy.cu\"; reference = \"right\"; };\n"
		"problems = ( { N = 100; } );\n"
		"parameters: { T = [ \"double\", \"half\", \"__nv_bfloat16\" ]; };\n"
		"launch: { block = ( 1 ); grid = ( 1 ); };\n"
		"arguments = ( { name = \"x\"; type = \"${T}\"; reference_type = \"half\"; count = \"N\"; access = \"in\"; },\n"
		"  { name = \"y\"; type = \"${T}\"; reference_type = \"float\"; count = \"N + 1\"; access = \"inout\"; },\n"
		"  { name = \"n\"; type = \"int\"; value = 7; },\n"
		"  { name = \"z\"; type = \"${T}\"; reference_type = \"float\"; count = 3; access = \"out\"; rtol = 0.5; } );\n";
	/* x, y, n, z, then a copy and its count of each */
	static const uint32_t taken[] = { 4, 6, 2, 8 },
			      prepared[] = { 0, 4, 5, 1, 6, 7 },
			      finished[] = { 6, 1, 7, 8, 3, 9 }, bytes[] = { 8, 2, 2 };
	static const char *const conversions[][2] = {
		{ "static_cast<double>((autotune_from_0[", "static_cast<float>((" },
		{ "static_cast<half>(static_cast<float>(autotune_from_0[",
			"static_cast<float>((" },
		{ "static_cast<__nv_bfloat16>(static_cast<float>(autotune_from_0[",
			"const __nv_bfloat16 *autotune_from_0, float *autotune_to_0, long long" },
	};

	for (uint16_t i = 0; i < 3; i++) {
		RELEASED(close_fixture) struct fixture fixture;
		const struct at_measure_request *request = &fixture.made.request;
		const struct at_measure_setup *setup;

		open_fixture(&fixture, text, false);
		plan_values(&fixture, &i);
		assert_memory_equal(request->kernel.arguments, taken, sizeof(taken));
		assert_memory_equal(
			request->prepare.arguments, prepared, sizeof(prepared));
		assert_memory_equal(
			request->finish.arguments, finished, sizeof(finished));
		assert_int_equal(request->bindings[6].count, 101 * bytes[i]);
		for (size_t k = 0; k < 2; k++)
			if (!strstr(fixture.made.compile.source, conversions[i][k]))
				fail_msg("no %s in %s", conversions[i][k],
					fixture.made.compile.source);
		assert_ok(at_plan_borrow_setup(&fixture.plan, &setup, NULL, &failure));
		assert_int_equal(setup->arguments[1].element, AT_ELEMENT_F32);
		assert_true(setup->arguments[1].rtol == 0x1p-6);
		assert_true(setup->arguments[3].rtol == 0.5);
	}
}

/* Each round has all launches of the group; the rounds are its steps. */
TEST(groups_of_launches_are_repeated_together)
{
	static const char format[] =
		"kernel: { name = \"toy\"; template = \"toy.cu\"; };\n"
		"problems = ( { N = %d; } );\n"
		"parameters: { T = [ 8 ]; };\n"
		"launches = ( { kernel = \"toy\"; block = ( 1 ); grid = ( 1 ); arguments = ( \"plain\" ); },\n"
		"  { repeat = \"N\"; launches = (\n"
		"    { kernel = \"toy\"; block = ( 2 ); grid = ( 1 ); arguments = ( \"stepped\" ); },\n"
		"    { kernel = \"toy\"; block = ( 3 ); grid = ( 1 ); arguments = ( \"plain\" ); when = \"N < 0\"; },\n"
		"    { kernel = \"toy\"; block = ( 4 ); grid = ( 1 ); arguments = ( \"plain\" ); repeat = 7; } ); },\n"
		"  { kernel = \"toy\"; block = ( 5 ); grid = ( 1 ); arguments = ( \"plain\" ); } );\n"
		"arguments = ( { name = \"plain\"; type = \"int\"; value = 7; },\n"
		"  { name = \"stepped\"; type = \"int\"; value = \"10 * step\"; } );\n";
	/* the calls and their repeats, in their order */
	static const struct {
		int n;
		size_t count;
		unsigned calls[6], repeats[6];
		const char *detail; /* NULL: it can be launched */
	} rows[] = {
		{ 2, 6, { 0, 1, 3, 1, 3, 4 }, { 1, 1, 7, 1, 7, 1 }, NULL },
		{ 0, 2, { 0, 4 }, { 1, 1 }, NULL },
		{ 4097, 0, { 0 }, { 0 },
			"\"repeat\" of the group of launches[1][0]: \"N\" is 4097: expected 0 to 4096" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(close_fixture) struct fixture fixture;
		char text[1400];

		snprintf(text, sizeof(text), format, rows[i].n);
		open_fixture(&fixture, text, false);
		plan_values(&fixture, fixture.spec->defaults);
		assert_string_equal(
			fixture.made.detail, rows[i].detail ? rows[i].detail : "");
		for (size_t k = 0; k < rows[i].count; k++) {
			const struct at_measure_call *launch =
				at_measure_launch(&fixture.made.request, k);
			int32_t step = 10 * (int32_t)(k / 2);

			assert_int_equal(
				fixture.made.request.more_count, rows[i].count - 1);
			assert_int_equal(launch->call, rows[i].calls[k]);
			assert_int_equal(launch->repeats + 1, rows[i].repeats[k]);
			assert_int_equal(launch->geometry.block[0], launch->call + 1);
			assert_int_equal(launch->value_count, launch->call == 1);
			if (launch->value_count)
				assert_memory_equal(
					launch->values[0].binding.value, &step, 4);
		}
		if (rows[i].n == 2) {
			OWNED(free)
			char *json = at_compiled_plan_launch_json(
				&fixture.made, fixture.spec);

			assert_non_null(strstr(json, "\"rounds\": 2"));
		}
	}
}

/* Alone and in a group, where the rounds are the steps. */
TEST(steps_have_grids_blocks_and_shared_memory_of_their_own)
{
	static const char format[] =
		"kernel: { name = \"toy\"; template = \"toy.cu\"; };\n"
		"problems = ( { N = %d; } );\n"
		"parameters: { T = [ 8 ]; };\n"
		"launches = (\n"
		"  { kernel = \"toy\"; block = ( \"T << step\" ); grid = ( \"N\", \"3 - step\" ); repeat = \"N\"; },\n"
		"  { repeat = 2; launches = (\n"
		"    { kernel = \"toy\"; block = ( \"N\" ); grid = ( 9 ); shared_bytes = \"16 * step\"; },\n"
		"    { kernel = \"toy\"; block = ( \"N\" ); grid = ( 9 ); repeat = 5; } ); } );\n"
		"arguments = ( { name = \"n\"; type = \"int\"; value = 7; } );\n";
	static const struct {
		int n;
		const char *detail;
	} rows[] = {
		{ 3, "" },
		{ 4, "launches[0].grid[1] at step 3: \"3 - step\" is 0: expected 1 to 2147483647" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(close_fixture) struct fixture fixture;
		char text[1024];

		snprintf(text, sizeof(text), format, rows[i].n);
		open_fixture(&fixture, text, false);
		plan_values(&fixture, fixture.spec->defaults);
		assert_string_equal(fixture.made.detail, rows[i].detail);
		if (rows[i].detail[0])
			continue;
		assert_int_equal(fixture.made.request.more_count, 3 + 4 - 1);
		for (size_t k = 0; k < 7; k++) {
			const struct at_measure_call *launch =
				at_measure_launch(&fixture.made.request, k);
			const struct at_geometry *geometry = &launch->geometry;

			assert_int_equal(launch->repeats, k > 3 && k % 2 == 0 ? 4 : 0);
			assert_int_equal(geometry->block[0], k < 3 ? 8 << k : 3);
			assert_int_equal(geometry->grid[1], k < 3 ? 3 - k : 1);
			assert_int_equal(geometry->shared_bytes, k == 5 ? 16 : 0);
		}
		{
			OWNED(free)
			char *json = at_compiled_plan_launch_json(
				&fixture.made, fixture.spec);

			assert_non_null(strstr(json, "\"repeat\": 3"));
			assert_non_null(strstr(json, "\"rounds\": 2"));
		}
	}
}

/* Offsets and distances in bytes; what would lead out of the buffer is refused. */
TEST(pointers_stay_in_their_buffers)
{
	static const struct {
		const char *pointer, *error;
		uint64_t count, offset, stride;
	} rows[] = {
		{ "value = \"x\"", "", 0, 0, 0 },
		{ "value = \"x + N - 1\"", "", 0, 8 * 99, 0 },
		{ "count = 4; value = \"x + 1\"; stride = \"N / 4\"", "", 4, 8, 200 },
		{ "count = \"T\"; value = \"x + 50\"; stride = 7", "", 8, 400, 56 },
		{ "count = 1; value = \"x + 99\"; stride = 100", "", 1, 792, 800 },
		{ "count = 3; value = \"x + 99\"", "", 3, 792, 0 },
		{ "value = \"x + N\"",
			"the offset of argument \"p\": \" N\" is 100: expected 0 to 99",
			0, 0, 0 },
		{ "count = 4; value = \"x + 1\"; stride = 33",
			"the stride of argument \"p\": \"33\" is 33: expected 0 to 32",
			0, 0, 0 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		RELEASED(close_fixture) struct fixture fixture;

		at_strbuf_addf(&text,
			"kernel: { name = \"toy\"; template = \"toy.cu\"; };\n"
			"problems = ( { N = 100; } );\n"
			"parameters: { T = [ 8 ]; };\n"
			"launch: { block = ( \"T\" ); grid = ( 1 ); };\n"
			"arguments = ( { name = \"p\"; type = \"%s *\"; %s; },\n"
			"  { name = \"x\"; type = \"float2\"; count = \"N\"; access = \"scratch\"; } );\n",
			/* other vectors of the same numbers: elements are the buffer's
			 */
			i % 2 ? "float4" : "float2", rows[i].pointer);
		open_fixture(&fixture, at_strbuf_text(&text), false);
		if (rows[i].error[0]) {
			assert_fails(at_plan_configuration(&fixture.plan,
					     fixture.spec->defaults, &fixture.made,
					     &failure),
				AT_EINVAL, rows[i].error);
			continue;
		}
		plan_defaults(&fixture);
		assert_int_equal(fixture.made.outcome, AT_OUTCOME_OK);
		assert_int_equal(fixture.made.request.bindings[0].count, rows[i].count);
		assert_memory_equal(
			fixture.made.request.bindings[0].value, &rows[i].offset, 8);
		assert_memory_equal(
			fixture.made.request.bindings[0].value + 8, &rows[i].stride, 8);
	}
}

/* The names that constraints leave; METHOD 3 is left out. */
TEST(checks_the_kernel_of_each_value_in_its_name)
{
	static const char space[] =
		"kernel: { name = \"k\"; function = \"k_${FORM}${METHOD}\"; template = \"k.cu\"; };\n"
		"parameters: { FORM = [ \"a\", \"b\" ]; METHOD = [ 1, 2, 3 ]; BLOCK = [ 32, 64 ]; };\n"
		"constraints = ( \"METHOD != 3\", \"FORM == 'a' || METHOD == 1\", \"BLOCK > 1000\" );\n"
		"launch: { block = ( \"BLOCK\" ); grid = ( 1 ); };\n";
	static const struct {
		const char *text, *error;
	} rows[] = {
		{ "__global__ void k_a1() {}\n__global__ void k_a2() {}\n__global__ void k_b1() {}",
			NULL },
		{ "__global__ void k_a1() {}\n__global__ void k_b1() {}",
			"kernel \"k_a2\" not found in k.cu; did you mean \"k_a1\"?" },
		{ "__global__ void k_a1() {}\n__global__ void k_a2() {}\nvoid k_b1() {}",
			"kernel \"k_b1\" is no __global__ function in k.cu: write __global__ before its void" },
	};
	OWNED(at_spec_free) struct at_spec *spec;

	assert_ok(at_spec_parse(space, sizeof(space) - 1, "a.cfg", &spec, NULL));
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		assert_names(spec, rows[i].text, rows[i].error);
}

TEST(compiles_for_the_features_of_one_architecture)
{
	static const char *const rows[][2] = { { "sm_90", "sm_90a" },
		{ "sm_100", "sm_100a" }, { "sm_103", "sm_103a" },
		{ "sm_120", "sm_120a" }, { "sm_89", "sm_89" }, { "sm_90a", "sm_90a" },
		{ "x86_64", "x86_64" } };
	RELEASED(close_fixture) struct fixture fixture;

	open_fixture(&fixture, SPACE("arch_specific = true; " FILES_REFERENCE), false);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_compile_request_release) struct at_compile_request unit;

		snprintf(fixture.device.architecture,
			sizeof(fixture.device.architecture), "%s", rows[i][0]);
		assert_ok(at_plan_compile(&fixture.plan, fixture.spec->defaults,
			AT_UNIT_TUNED, &unit, &failure));
		assert_string_equal(unit.architecture, rows[i][1]);
	}
}

/* ---- tensor maps ----------------------------------------------------------------- */

#define MAP_SPACE(arch, more) \
	"kernel: { name = \"toy\"; template = \"toy.cu\"; " arch \
	"reference = { kernel = \"right\"; arguments = [ \"x\", \"y\" ]; }; };\n" \
	"problems = ( { name = \"p\"; N = 64; M = 2; } );\n" \
	"parameters: { BLOCK = [ 16, 32, 64 ]; };\n" \
	"launch: { block = ( 32 ); grid = ( 1 ); };\n" \
	"arguments = (\n" \
	"  { name = \"map\"; kind = \"tensor_map\"; of = \"x\"; dims = ( \"N\", \"M\", 3 ); box = ( \"BLOCK\", 2, 1 ); " more \
	" },\n" \
	"  { name = \"x\"; type = \"float2\"; count = \"N * M * 3 / 2\"; access = \"in\"; },\n" \
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; }\n" \
	");\n" \
	"verify: { problems = ( { name = \"v\"; N = 66; M = 2; } ); };\n"

TEST(plans_tensor_maps_for_each_configuration)
{
	static const uint16_t second[] = { 1 }, last[] = { 2 };
	static const int64_t dims[5] = { 64, 2, 3 }, strides[5] = { 0, 256, 512 };
	RELEASED(close_fixture) struct fixture fixture, odd;
	const struct at_measure_setup *setup;
	const struct at_tensor_map *map;
	struct at_hash key;

	open_fixture(&fixture, MAP_SPACE("", "swizzle = 128; promotion = \"2 * N\";"),
		false);
	plan_defaults(&fixture);
	map = &fixture.made.request.bindings[0].map;
	assert_int_equal(map->of, 2);
	assert_int_equal(map->rank, 3);
	assert_int_equal(map->element, AT_ELEMENT_F32);
	assert_memory_equal(map->dims, dims, sizeof(dims));
	assert_memory_equal(map->strides, strides, sizeof(strides));
	assert_int_equal(map->box[0], 16);
	assert_int_equal(map->steps[2], 1);
	assert_int_equal(map->swizzle_bytes, 128);
	assert_int_equal(map->promotion_bytes, 128);
	assert_int_equal(map->interleave_bytes, 0);
	assert_string_equal(fixture.made.compile.architecture, "sm_90");
	key = fixture.made.key;
	/* the map alone differs, and it decides the time */
	plan_values(&fixture, second);
	assert_int_equal(fixture.made.request.bindings[0].map.box[0], 32);
	assert_false(at_hash_equal(fixture.made.key, key));
	plan_values(&fixture, last);
	assert_int_equal(fixture.made.outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_string_equal(fixture.made.detail,
		"the tensor map \"map\" of \"x\": box[0] is 64 elements, 256 bytes: a swizzle of 128 bytes allows no more");
	/* the reference gets buffers, so its setup has no maps and none can be wrong */
	assert_ok(at_plan_borrow_setup(&fixture.plan, &setup, NULL, &failure));
	assert_int_equal(setup->bindings[0].map.of, 0);
	assert_int_equal(setup->reference_call.argument_count, 2);
	open_fixture(&odd, MAP_SPACE("", "swizzle = 128;"), true);
	plan_defaults(&odd);
	assert_int_equal(odd.made.outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_string_equal(odd.made.detail,
		"the tensor map \"map\" of \"x\": strides[0] is 264 bytes: expected a multiple of 16 below 2^40");
	assert_ok(at_plan_borrow_setup(&odd.plan, &setup, NULL, &failure));
}

TEST(a_map_stands_for_its_buffer)
{
	const char *text = MAP_SPACE("arguments = [ \"map\", \"y\" ]; ", "");
	OWNED(at_spec_free) struct at_spec *spec;

	assert_ok(at_spec_parse(text, strlen(text), "a.cfg", &spec, &failure));
	/* x itself is no parameter of the kernel */
	assert_int_equal(spec->calls[0].argument_count, 2);
	assert_true(at_spec_is_launched_with(spec, 1));
	assert_true(at_plan_is_given_to_both(spec, &spec->arguments[1]));
}

/* ---- textures and surfaces --------------------------------------------------------
 */

#define TEXTURE_SPACE(launch, x, y, image, out, more) \
	"kernel: { name = \"toy\"; template = \"toy.cu\"; arguments = [ \"image\", \"out\" ]; " \
	"reference = { kernel = \"right\"; arguments = [ \"x\", \"y\" ]; }; };\n" \
	"problems = ( { name = \"p\"; W = 30; H = 4; } );\n" \
	"parameters: { BLOCK = [ 16, 32 ]; FILTER = [ \"point\", \"linear\" ]; " \
	"LAYOUT = [ \"array\", \"linear\" ]; };\n" launch "arguments = (\n" \
	"  { name = \"image\"; kind = \"texture\"; of = \"x\"; width = \"W\"; height = \"H\"; " image \
	" },\n" \
	"  { name = \"x\"; type = \"uchar4\"; count = \"40 * H\"; access = \"" x \
	"\"; },\n" \
	"  { name = \"out\"; kind = \"surface\"; of = \"y\"; width = \"W\"; " out \
	" },\n" \
	"  { name = \"y\"; type = \"float\"; count = \"2 * W * H\"; access = \"" y \
	"\"; }" more ");\n"
#define ONE_LAUNCH "launch: { block = ( 32 ); grid = ( 1 ); };\n"
#define TWO_LAUNCHES(argument) \
	"launches = ( { kernel = \"one\"; block = ( 32 ); grid = ( 1 ); arguments = ( \"" argument \
	"\" ); }, { kernel = \"two\"; block = ( 32 ); grid = ( 1 ); arguments = ( \"image\", \"out\" ); } );\n"

TEST(plans_textures_for_each_configuration)
{
	static const uint16_t second[] = { 0, 1, 1 };
	RELEASED(close_fixture) struct fixture fixture;
	const struct at_measure_setup *setup;
	const struct at_texture *texture;
	struct at_hash key;

	open_fixture(&fixture,
		TEXTURE_SPACE(ONE_LAUNCH, "in", "out",
			"pitch = \"4 * (W + 2)\"; read = \"normalized\"; filter = \"${FILTER}\"; address = \"mirror\"; coordinates = \"normalized\"; layout = \"${LAYOUT}\";",
			"height = \"H\"; channels = 2;", ""),
		false);
	plan_defaults(&fixture);
	key = fixture.made.key;
	texture = &fixture.made.request.bindings[0].texture;
	assert_int_equal(texture->of, 2);
	assert_int_equal(texture->element, AT_ELEMENT_U8);
	assert_int_equal(texture->channels, 4);
	assert_int_equal(texture->width, 30);
	assert_int_equal(texture->height, 4);
	assert_int_equal(texture->depth, 0);
	assert_int_equal(texture->pitch_bytes, 128);
	assert_int_equal(texture->address, AT_TEXTURE_MIRROR);
	assert_true(texture->is_normalized && texture->has_normalized_coordinates);
	assert_false(texture->filters || texture->is_linear || texture->is_surface ||
		     texture->is_written);
	texture = &fixture.made.request.bindings[2].texture;
	assert_int_equal(texture->of, 4);
	assert_int_equal(texture->channels, 2);
	assert_int_equal(texture->pitch_bytes, 240);
	assert_true(texture->is_surface && texture->is_written);
	/* the settings alone differ, and they decide the time */
	plan_values(&fixture, second);
	assert_true(fixture.made.request.bindings[0].texture.filters);
	assert_true(fixture.made.request.bindings[0].texture.is_linear);
	assert_false(at_hash_equal(fixture.made.key, key));
	/* the reference takes the buffers */
	assert_ok(at_plan_borrow_setup(&fixture.plan, &setup, NULL, &failure));
	assert_int_equal(setup->bindings[0].texture.of, 0);
	assert_true(setup->arguments[1].has_texels);
}

TEST(a_reference_takes_the_textures_of_the_defaults)
{
	RELEASED(close_fixture) struct fixture fixture;
	const struct at_measure_setup *setup;

	open_fixture(&fixture,
		"kernel: { name = \"toy\"; template = \"toy.cu\"; reference = \"right\"; "
		"arguments = [ \"image\", \"y\" ]; };\n"
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { BLOCK = [ 16, 32 ]; };\n"
		"launch: { block = ( 32 ); grid = ( 1 ); };\n"
		"arguments = (\n"
		"  { name = \"image\"; kind = \"texture\"; of = \"x\"; width = \"BLOCK\"; },\n"
		"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
		"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; }\n"
		");\n",
		false);
	assert_ok(at_plan_borrow_setup(&fixture.plan, &setup, NULL, &failure));
	assert_int_equal(setup->reference_call.arguments[0], 0);
	assert_int_equal(setup->bindings[0].texture.of, 2);
	assert_int_equal(setup->bindings[0].texture.width, 16);
	/* textures have no doubles */
	assert_int_equal(at_source_float64(fixture.spec), AT_FLOAT64_NONE);
}

TEST(refuses_textures_that_cannot_be)
{
	static const struct {
		const char *text, *detail; /* NULL: none */
	} rows[] = {
		{ TEXTURE_SPACE(ONE_LAUNCH, "in", "out", "filter = \"linear\";",
			  "height = \"H\";", ""),
			"texture \"image\" of \"x\": filter = \"linear\" needs floating point, or read = \"normalized\", and the buffer has unsigned char" },
		{ TEXTURE_SPACE(
			  ONE_LAUNCH, "in", "out", "", "depth = 1; height = 240;", ""),
			"surface \"out\" of \"y\": width, height, depth and pitch reach beyond the 960 bytes of the buffer" },
		{ TEXTURE_SPACE(
			  ONE_LAUNCH, "in", "out", "channels = \"H - 4\";", "", ""),
			"texture \"image\" of \"x\": a texel has 0 channels: expected 1, 2 or 4" },
		{ TEXTURE_SPACE(TWO_LAUNCHES("y"), "in", "inout", "", "", ""),
			"surface \"out\" of \"y\": an array has a copy, and launches take \"y\" in another way: give all of them arrays" },
		{ TEXTURE_SPACE(TWO_LAUNCHES("x"), "inout", "out", "", "", ""),
			"texture \"image\" of \"x\": an array has a copy, and launches take \"x\" in another way: give all of them arrays" },
		{ TEXTURE_SPACE(TWO_LAUNCHES("x"), "inout", "out",
			  "layout = \"linear\"; pitch = 160;", "", ""),
			NULL },
		{ TEXTURE_SPACE(TWO_LAUNCHES("x"), "in", "out", "", "", ""), NULL },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(close_fixture) struct fixture fixture;

		open_fixture(&fixture, rows[i].text, false);
		plan_defaults(&fixture);
		assert_string_equal(
			fixture.made.detail, rows[i].detail ? rows[i].detail : "");
		assert_int_equal(fixture.made.outcome,
			rows[i].detail ? AT_OUTCOME_NOT_APPLICABLE : AT_OUTCOME_OK);
	}
}

#define ROWS(keys) \
	"kernel: { name = \"toy\"; template = \"toy.cu\"; reference = \"right\"; };\n" \
	"problems = ( { name = \"p\"; W = 10; PITCH = 64; } );\n" \
	"parameters: { BLOCK = [ 16, 32 ]; };\n" \
	"launch: { block = ( 32 ); grid = ( 1 ); };\n" \
	"arguments = (\n" \
	"  { name = \"x\"; type = \"float\"; access = \"in\"; " keys " },\n" \
	"  { name = \"y\"; type = \"float\"; count = 30; access = \"out\"; }\n" \
	");\n"

TEST(plans_rows_with_padding)
{
	static const struct {
		const char *text, *error; /* NULL: none */
	} rows[] = {
		{ ROWS("count = \"3 * W\"; width = \"W\"; pitch = \"PITCH\";"), NULL },
		{ ROWS("count = \"3 * W\"; width = \"W\"; pitch = \"PITCH / 2\";"),
			"the pitch of argument \"x\" is 32: expected at least the 10 elements of a row, in whole multiples of 4 bytes, below 2^24" },
		{ ROWS("count = \"3 * W\"; width = \"W\"; pitch = \"PITCH + 2\";"),
			"the pitch of argument \"x\" is 66: expected at least the 10 elements of a row, in whole multiples of 4 bytes, below 2^24" },
		{ ROWS("count = \"PITCH\"; width = \"W\"; pitch = \"PITCH\";"),
			"the count of argument \"x\" is 64: expected whole rows of 10 elements; it leaves the padding out" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(close_fixture) struct fixture fixture;
		const struct at_measure_setup *setup;

		open_fixture(&fixture, rows[i].text, false);
		if (rows[i].error) {
			assert_fails(at_plan_borrow_setup(
					     &fixture.plan, &setup, NULL, &failure),
				AT_EINVAL, rows[i].error);
			continue;
		}
		assert_ok(at_plan_borrow_setup(&fixture.plan, &setup, NULL, &failure));
		assert_int_equal(setup->arguments[0].width, 10);
		assert_int_equal(setup->arguments[0].pitch_bytes, 64);
		assert_int_equal(at_measure_bytes(&setup->arguments[0], 30), 192);
		assert_int_equal(at_measure_bytes(&setup->arguments[1], 30), 120);
		/* rows would be so many bytes apart in double, too */
		assert_int_equal(at_source_float64(fixture.spec), AT_FLOAT64_NONE);
	}
}

TEST(knows_which_problems_are_for_a_device)
{
	const char *text = SPACE(FILES_REFERENCE);
	OWNED(at_spec_free) struct at_spec *spec;

	assert_ok(at_spec_parse(text, strlen(text), "a.cfg", &spec, NULL));
	assert_true(at_plan_applies(&spec->problems[0], "cuda"));
	assert_true(at_plan_applies(&spec->verify.problems[0], "cuda"));
	assert_false(at_plan_applies(&spec->verify.problems[1], "cuda"));
	assert_true(at_plan_applies(&spec->verify.problems[1], "host"));
}

RUN_SUITE(write_files, NULL)
