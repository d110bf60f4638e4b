/* The registry of devices: a third kind of device and a third toolchain only have to be
   added to it. This program is its own worker. */
#include "evaluator/workers/process.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "device/device.h"
#include "evaluator/workers/probe.h"
#include "evaluator/workers/worker.h"
#include "fake_device.h"
#include "program.h"
#include "session/session.h"

#include <math.h>

#include "suite.h"

/* ---- names ---------------------------------------------------------------------- */

TEST(resolves_what_names_a_device)
{
	static const struct {
		const char *id, *kind;
		bool all;
		unsigned index;
	} rows[] = {
		{ "cuda", "cuda", false, 0 },
		{ "cuda:0", "cuda", false, 0 },
		{ "cuda:1023", "cuda", false, 1023 },
		{ "cuda:all", "cuda", true, 0 },
		{ "host", "host", false, 0 },
		{ "host:all", "host", true, 0 },
		{ "test:1", "test", false, 1 },
		{ "test:all", "test", true, 0 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_device_choice choice;

		assert_ok(at_device_resolve(rows[i].id, &choice, &failure));
		assert_string_equal(choice.kind->name, rows[i].kind);
		assert_int_equal(choice.all, rows[i].all);
		assert_int_equal(choice.index, rows[i].index);
	}
}

TEST(says_what_does_not_name_a_device)
{
	static const struct {
		const char *id;
		enum at_status status;
		const char *text;
	} rows[] = {
		{ "", AT_ENOENT,
			"unknown device \"\"; known are cuda:N, cuda:all, host, test:N and test:all" },
		{ "cud:all", AT_ENOENT,
			"unknown device \"cud:all\", did you mean \"cuda:all\"? Known are cuda:N, cuda:all, host, test:N and test:all" },
		{ "Host", AT_ENOENT,
			"unknown device \"Host\", did you mean \"host\"? Known are " },
		{ "cudas", AT_ENOENT,
			"unknown device \"cudas\", did you mean \"cuda:0\"? Known are " },
		{ ":0", AT_ENOENT, "unknown device \":0\"" },
		{ "nvidia-h200", AT_ENOENT, "unknown device \"nvidia-h200\"; known" },
		{ "cuda:x", AT_EINVAL,
			"device \"cuda:x\": expected a number after the colon, as in \"cuda:0\"" },
		{ "cuda:", AT_EINVAL, "device \"cuda:\": expected a number" },
		{ "cuda:-1", AT_EINVAL, "device \"cuda:-1\": expected a number" },
		{ "cuda:1024", AT_EINVAL, "device \"cuda:1024\": expected a number" },
		{ "test:al", AT_EINVAL,
			"device \"test:al\": expected a number after the colon, as in \"test:0\"" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_device_choice choice;
		struct at_error err = { 0 };

		assert_int_equal(
			at_device_resolve(rows[i].id, &choice, &err), rows[i].status);
		assert_memory_equal(err.text, rows[i].text, strlen(rows[i].text));
	}
}

TEST(an_id_is_what_resolves_to_the_device)
{
	static const struct {
		const char *kind;
		unsigned index;
		const char *id;
	} rows[] = { { "cuda", 0, "cuda:0" }, { "cuda", 7, "cuda:7" },
		{ "host", 0, "host" }, { "host", 1, "host:1" },
		{ "test", 0, "test:0" } };

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const struct at_device_kind *kind;
		struct at_device_choice choice;
		char id[32];

		assert_ok(at_device_kind_find(rows[i].kind, &kind, NULL));
		at_device_id(kind, rows[i].index, id, sizeof(id));
		assert_string_equal(id, rows[i].id);
		assert_ok(at_device_resolve(id, &choice, NULL));
		assert_ptr_equal(choice.kind, kind);
		assert_int_equal(choice.index, rows[i].index);
	}
}

TEST(suggests_the_nearest_kind_or_names_them_all)
{
	static const struct {
		const char *name, *text;
	} rows[] = {
		{ "hots", "unknown kind of device \"hots\"; did you mean \"host\"?" },
		{ "tset", "unknown kind of device \"tset\"; did you mean \"test\"?" },
		{ "fpga",
			"unknown kind of device \"fpga\"; known are cuda, host and test" },
		{ "gpu",
			"unknown kind of device \"gpu\"; known are cuda, host and test" },
		{ "cuda:0",
			"unknown kind of device \"cuda:0\"; did you mean \"cuda\"?" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const struct at_device_kind *kind;

		assert_fails(at_device_kind_find(rows[i].name, &kind, &failure),
			AT_ENOENT, rows[i].text);
	}
}

TEST(refuses_a_kind_that_cannot_be_told_from_others)
{
	static const struct {
		const char *name, *text;
	} rows[] = {
		{ "host", "there is a kind of device \"host\" already" },
		{ "test", "there is a kind of device \"test\" already" },
		{ "", "kind of device \"\": expected an identifier of 1 to 15 characters" },
		{ "my:device",
			"kind of device \"my:device\": expected an identifier of 1 to 15 characters" },
		{ "2nd", "kind of device \"2nd\": expected an identifier" },
		{ "sixteen_letters_", "kind of device \"sixteen_letters_\": expected" },
	};
	size_t count = 0;

	while (at_device_kind_at(count))
		count++;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_device_kind kind = fake_device_kind;
		struct at_error err = { 0 };

		kind.name = rows[i].name;
		assert_int_equal(at_device_add(&kind, &err), AT_EINVAL);
		assert_memory_equal(err.text, rows[i].text, strlen(rows[i].text));
	}
	assert_null(at_device_kind_at(count));
}

TEST(an_architecture_is_described_by_the_kind_that_knows_it)
{
	static const struct {
		const char *architecture, *kind, *toolchain;
	} rows[] = { { "sm_90", "cuda", "nvrtc" }, { "test_1", "test", "test_c" } };
	struct at_device_info info = { 0 };

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		memset(&info, 0, sizeof(info));
		assert_true(at_device_describe(rows[i].architecture, &info));
		assert_string_equal(info.kind, rows[i].kind);
		assert_string_equal(info.architecture, rows[i].architecture);
		assert_string_equal(info.toolchain, rows[i].toolchain);
	}
	assert_false(at_device_describe("sm_1", &info));
}

TEST(help_names_the_kinds_that_there_are)
{
	const struct at_cli_option *option = at_cli_option_at(&at_command_devices, 0);
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	assert_string_equal(option->name, "device");
	option->add_help(&text);
	assert_string_equal(at_strbuf_text(&text),
		"use these devices, separated by commas: cuda:N, cuda:all, host, test:N and test:all (default: every cuda device; without one, host). tune also takes replay:FILE, a recording. Commands that read the record also take a model, such as nvidia-h200 (default: all)");
}

TEST(names_each_device_of_a_list_once)
{
	static const struct {
		const char *asked[4], *found[3];
		enum at_status status;
	} rows[] = {
		{ { "test:all", "test", "test:1" }, { "test:0", "test:1" }, AT_OK },
		{ { "test:1", "test", "test:0" }, { "test:1", "test:0" }, AT_OK },
		{ { "host", "host:0", "test:7" }, { "host", "test:7" }, AT_OK },
		{ { "test:0", "tset:all" }, { "test:0" }, AT_ENOENT },
	};
	OWNED(at_loop_free) struct at_loop *loop;

	assert_ok(at_loop_new(NULL, &loop, NULL));
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_device_ids ids = { 0 };
		size_t asked = 0, found = 0;
		char reason[256];

		while (rows[i].asked[asked])
			asked++;
		assert_int_equal(at_probe_resolve(loop, rows[i].asked, asked, &ids,
					 reason, sizeof(reason), NULL),
			rows[i].status);
		assert_string_equal(reason, "");
		for (; rows[i].found[found]; found++)
			assert_string_equal(ids.ids[found], rows[i].found[found]);
		assert_int_equal(ids.count, found);
		free(ids.ids);
	}
}

TEST(tunes_on_what_is_on_request_only_when_it_is_named)
{
	struct at_device_ids ids = { 0 };
	OWNED(at_loop_free) struct at_loop *loop;
	char reason[256];

	assert_ok(at_loop_new(NULL, &loop, NULL));
	assert_ok(at_probe_resolve(loop, NULL, 0, &ids, reason, sizeof(reason), NULL));
	assert_true(ids.count > 0);
	for (size_t i = 0; i < ids.count; i++)
		assert_null(strstr(ids.ids[i], "test"));
	/* why it is not a preferred one */
	assert_int_equal(!strcmp(ids.ids[0], "host"), reason[0] != '\0');
	free(ids.ids);
}

/* ---- a third device, tuned on ------------------------------------------------ */

enum { N = 100, FASTEST = 6, STEP = 60 };

static void scale(const struct fake_launch *launch)
{
	const float *x = fake_pointer(launch, 0);
	float *y = fake_pointer(launch, 1);
	float factor = fake_float(launch, 2);
	uint32_t n = fake_u32(launch, 3);
	int64_t tile = fake_macro(launch->source, "TILE");
	bool is_reference = fake_macro(launch->source, "AUTOTUNE_REFERENCE");

	for (uint32_t i = 0; i < n; i++)
		y[i] = factor * x[i];
	if (is_reference)
		return;
	if (tile == 3)
		y[n / 2]++;
	if (tile == 4)
		y[n] = 1; /* what stands there may be too large to count up */
	if (tile == 5)
		abort();
}

static double scale_ns(const struct fake_launch *launch)
{
	return 1000.0 +
	       STEP * fabs((double)fake_macro(launch->source, "TILE") - FASTEST);
}

/* 12 % slower than the fastest, with a third of its power */
enum { FRUGAL = 8 };

static double watts(const struct fake_launch *launch)
{
	return fake_macro(launch->source, "TILE") == FRUGAL ? 100 : 300;
}

static const struct fake_kernel kernels[] = {
	{ "scale", scale, scale_ns },
	{ "scale_reference", scale, NULL },
	{ NULL, NULL, NULL },
};

static const char space_text[] =
	"kernel: { name = \"scale\"; template = \"scale.test\"; reference = \"scale_reference\"; };\n"
	"problems = ( { name = \"p\"; on = \"test\"; N = 100; }, { name = \"q\"; on = \"host\"; N = 100; } );\n"
	"parameters: { TILE = [ 1, 2, 3, 4, 5, 6, 7, 8 ]; };\n"
	"defaults: { TILE = 1; };\n"
	"launch: { block = ( \"TILE\" ); grid = ( \"ceil_div(N, TILE)\" ); };\n"
	"arguments = (\n"
	"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\"; },\n"
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
	"  { name = \"factor\"; type = \"float\"; value = \"2.5\"; },\n"
	"  { name = \"n\"; type = \"int\"; value = \"N\"; }\n"
	");\n";
/* what is not mentioned is not defined */
static const char template_text[] = "scale and scale_reference, by TILE";

static bool compiles(const char *source)
{
	return fake_macro(source, "TILE") != 7;
}

struct heard {
	char device[32];
	enum at_outcome outcomes[9]; /* by TILE */
	double times_ns[9];
	unsigned evaluations;
	int64_t winner;
	struct at_score score;
	char toolchain[64];
};

static void listen(void *context, const struct at_event *event)
{
	struct heard *self = context;
	int64_t tile;

	if (!event->configuration)
		return;
	tile = event->spec->parameters[0].values[event->configuration[0]].integer;
	if (event->kind == AT_EVENT_EVALUATION) {
		snprintf(self->device, sizeof(self->device), "%s", event->device->id);
		self->outcomes[tile] = event->evaluation->outcome;
		self->times_ns[tile] = event->evaluation->time_ns;
		self->evaluations++;
	} else if (event->kind == AT_EVENT_SUMMARY) {
		self->winner = tile;
		self->score = event->best->score;
		snprintf(self->toolchain, sizeof(self->toolchain), "%s",
			event->best->toolchain);
	}
}

/* Tunes the space with more sections on the third device. */
static void tune(const char *more, struct heard *heard)
{
	static const char *const devices[] = { "test:0" };
	OWNED(scratch_drop) char *folder = scratch_folder("device");
	OWNED(free)
	char *space = scratch_path(folder, "a.cfg"),
	     *template = scratch_path(folder, "scale.test");
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_session_options options = {
		.results = folder,
		.devices = devices,
		.device_count = 1,
		.jobs = 1,
		.listen = listen,
		.context = heard,
	};
	struct at_session_summary summary;
	OWNED(at_spec_free) struct at_spec *spec;

	at_strbuf_addf(&text, "%s%s", space_text, more);
	file_write(space, text.data);
	file_write(template, template_text);
	assert_ok(at_spec_load(space, &spec, &failure));
	assert_ok(at_session_run((const struct at_spec *const[]){ spec }, 1, &options,
		&summary, &failure));
	assert_int_equal(summary.selected, 1);
}

TEST(what_needs_the_least_energy_is_chosen_on_a_device_that_counts_it)
{
	struct heard heard = { .device = "" };

	tune("search: { objective = \"energy\"; cache = \"warm\"; };\n", &heard);
	assert_int_equal(heard.evaluations, 8);
	assert_int_equal(heard.winner, FRUGAL);
	/* 1.12 ms of 100 W */
	assert_true(fabs(heard.score.value / 0.112 - 1) < 0.01);
	assert_true(heard.score.low <= heard.score.value &&
		    heard.score.value <= heard.score.high);
}

TEST(a_device_and_a_toolchain_of_ones_own_are_tuned_on)
{
	static const enum at_outcome expected[9] = {
		[1] = AT_OUTCOME_OK,
		[2] = AT_OUTCOME_OK,
		[3] = AT_OUTCOME_WRONG_RESULT,
		[4] = AT_OUTCOME_OUT_OF_BOUNDS,
		[5] = AT_OUTCOME_CRASHED,
		[6] = AT_OUTCOME_OK,
		[7] = AT_OUTCOME_COMPILE_FAILED,
		[8] = AT_OUTCOME_OK,
	};
	struct heard heard = { .device = "" };

	tune("", &heard);
	assert_string_equal(heard.device, "test:0");
	assert_string_equal(heard.toolchain, "test toolchain 1");
	assert_int_equal(heard.evaluations, 8);
	for (int tile = 1; tile <= 8; tile++) {
		assert_int_equal(heard.outcomes[tile], expected[tile]);
		if (expected[tile] == AT_OUTCOME_OK)
			assert_true(heard.times_ns[tile] ==
				    1000 + STEP * abs(tile - FASTEST));
	}
	assert_int_equal(heard.winner, FASTEST);
}

int main(int argc, char **argv)
{
	fake_device_add();
	fake.kernels = kernels;
	fake.compiles = compiles;
	fake.watts = watts;
	if (argc >= 3 && !strcmp(argv[1], AT_WORKER_OPTION))
		return at_worker_main(argv + 2);
	return run_suite(argc, argv, NULL, NULL);
}
