/* Messages between coordinator and workers: they arrive as sent, and damaged ones are
   refused. */
#include "evaluator/workers/protocol.h"

#include <math.h>

#include "suite.h"

static char *text(const char *from)
{
	char *copy = at_strdup(from);

	assert_non_null(copy);
	return copy;
}

static struct at_measure_call some_call(const char *symbol)
{
	struct at_measure_call call = { .symbol = text(symbol), .argument_count = 2 };

	call.geometry = (struct at_geometry){
		.grid = { 1, 2, 3 }, .block = { 4, 5, 6 }, .shared_bytes = 7
	};
	call.arguments = calloc(2, sizeof(*call.arguments));
	call.arguments[1] = 1;
	return call;
}

static struct at_measure_request some_request(void)
{
	struct at_measure_request request = { .binding_count = 2,
		.pattern_seconds = 2.5,
		.samples_min = 3,
		.samples_max = 30,
		.sampling_seconds = 0.5,
		.deadline_seconds = 34.5,
		.incumbent_ns = 1e6,
		.verify_only = true,
		.seed = 99 };

	request.bindings = calloc(2, sizeof(*request.bindings));
	request.bindings[0].count = 1234567890123u;
	memset(request.bindings[1].value, 0x5a, sizeof(request.bindings[1].value));
	request.bindings[1].map = (struct at_tensor_map){ .of = 1,
		.rank = 2,
		.element = AT_ELEMENT_BF16,
		.dims = { 64, 3 },
		.strides = { 0, 128 },
		.fills_nan = true };
	request.image = malloc(3);
	memcpy(request.image, "\0\1\2", 3);
	request.image_bytes = 3;
	request.kernel = some_call("matmul");
	request.prepare = some_call("");
	request.finish = some_call("_Z3foov");
	return request;
}

static struct at_measure_setup some_setup(void)
{
	struct at_measure_setup setup = { .argument_count = 2,
		.seed = 5,
		.reference = AT_REFERENCE_FILE,
		.cache = AT_CACHE_WARM,
		.file_count = 1 };

	setup.arguments = calloc(2, sizeof(*setup.arguments));
	for (int i = 0; i < 2; i++) {
		setup.arguments[i] = (struct at_measure_argument){ .name = text("A"),
			.element = AT_ELEMENT_F32,
			.lanes = 4,
			.access = AT_ACCESS_OUT,
			.fill = AT_FILL_UNIFORM,
			.fill_a = -1,
			.fill_b = 1,
			.file = text("f.bin"),
			.symbol = text("weights"),
			.rtol = 1e-4 };
	}
	setup.bindings = calloc(2, sizeof(*setup.bindings));
	setup.support_image = malloc(1);
	setup.support_image[0] = 42;
	setup.support_bytes = 1;
	setup.reference_image = malloc(1);
	setup.reference_call = some_call("reference");
	setup.library = text("lib.so");
	setup.function = text("f");
	setup.files = calloc(1, sizeof(*setup.files));
	setup.files[0].argument = 1;
	setup.files[0].path = text("c.bin");
	setup.arguments[1].has_domain = setup.arguments[1].is_fixed = true;
	setup.arguments[1].domain_low = -100;
	setup.set_count = 2;
	setup.sets = calloc(2, sizeof(*setup.sets));
	for (int i = 0; i < 2; i++) {
		setup.sets[i].name = text(i ? "ragged rows" : "zeros");
		setup.sets[i].fill_count = 2;
		setup.sets[i].fills = calloc(2, sizeof(*setup.sets[i].fills));
		for (int j = 0; j < 2; j++)
			setup.sets[i].fills[j].file = text(j ? "rows.bin" : "");
		setup.sets[i].fills[1].kind = AT_FILL_FILE;
	}
	return setup;
}

TEST(a_request_arrives_as_it_was_sent)
{
	struct at_measure_request sent = some_request(), got;
	struct at_wire_writer first = { { 0 } }, again = { { 0 } };
	struct at_wire_reader in;

	at_fields_put(&at_measure_request_fields, &sent, &first);
	at_wire_reader_init(&in, first.bytes.data, first.bytes.length);
	at_get_request(&in, &got);
	assert_true(at_wire_done(&in));
	assert_int_equal(got.bindings[0].count, 1234567890123u);
	assert_memory_equal(got.bindings[1].value, sent.bindings[1].value, 16);
	assert_int_equal(got.bindings[1].map.of, 1);
	assert_int_equal(got.bindings[1].map.element, AT_ELEMENT_BF16);
	assert_memory_equal(got.bindings[1].map.dims, sent.bindings[1].map.dims,
		sizeof(sent.bindings[1].map.dims));
	assert_int_equal(got.bindings[1].map.strides[1], 128);
	assert_true(got.bindings[1].map.fills_nan);
	assert_memory_equal(got.image, "\0\1\2", 3);
	assert_string_equal(got.finish.symbol, "_Z3foov");
	assert_int_equal(got.kernel.geometry.block[2], 6);
	assert_int_equal(got.kernel.geometry.shared_bytes, 7);
	assert_true(got.verify_only && got.seed == 99 && got.samples_max == 30);
	assert_true(got.pattern_seconds == 2.5);
	at_fields_put(&at_measure_request_fields, &got, &again);
	assert_int_equal(again.bytes.length, first.bytes.length);
	assert_memory_equal(again.bytes.data, first.bytes.data, first.bytes.length);
	at_measure_request_release(&sent);
	at_measure_request_release(&got);
	at_strbuf_release(&first.bytes);
	at_strbuf_release(&again.bytes);
}

TEST(a_setup_arrives_as_it_was_sent)
{
	struct at_measure_setup sent = some_setup(), got;
	struct at_wire_writer first = { { 0 } }, again = { { 0 } };
	struct at_wire_reader in;

	at_fields_put(&at_measure_setup_fields, &sent, &first);
	at_wire_reader_init(&in, first.bytes.data, first.bytes.length);
	at_get_setup(&in, &got);
	assert_true(at_wire_done(&in));
	assert_int_equal(got.arguments[1].lanes, 4);
	assert_string_equal(got.arguments[1].symbol, "weights");
	assert_string_equal(got.files[0].path, "c.bin");
	assert_int_equal(got.cache, AT_CACHE_WARM);
	assert_true(got.arguments[1].is_fixed && got.arguments[1].has_domain);
	assert_true(got.arguments[1].domain_low == -100);
	assert_int_equal(got.set_count, 2);
	assert_string_equal(got.sets[1].name, "ragged rows");
	assert_int_equal(got.sets[1].fills[0].kind, AT_FILL_NONE);
	assert_int_equal(got.sets[1].fills[1].kind, AT_FILL_FILE);
	assert_string_equal(got.sets[1].fills[1].file, "rows.bin");
	at_fields_put(&at_measure_setup_fields, &got, &again);
	assert_int_equal(again.bytes.length, first.bytes.length);
	assert_memory_equal(again.bytes.data, first.bytes.data, first.bytes.length);
	at_measure_setup_release(&sent);
	at_measure_setup_release(&got);
	at_strbuf_release(&first.bytes);
	at_strbuf_release(&again.bytes);
}

/* every prefix must fail softly and release cleanly */
TEST(a_message_cut_anywhere_is_refused)
{
	struct at_measure_setup setup = some_setup();
	struct at_measure_request request = some_request();
	struct at_wire_writer bytes[2] = { { { 0 } } };

	at_fields_put(&at_measure_setup_fields, &setup, &bytes[0]);
	at_fields_put(&at_measure_request_fields, &request, &bytes[1]);
	for (int which = 0; which < 2; which++)
		for (size_t size = 0; size < bytes[which].bytes.length; size++) {
			OWNED(free) char *copy = malloc(size + 1);
			struct at_wire_reader in;
			struct at_measure_setup got_setup;
			struct at_measure_request got_request;

			memcpy(copy, bytes[which].bytes.data, size);
			at_wire_reader_init(&in, copy, size);
			if (which == 0) {
				at_get_setup(&in, &got_setup);
				at_measure_setup_release(&got_setup);
			} else {
				at_get_request(&in, &got_request);
				at_measure_request_release(&got_request);
			}
			assert_false(at_wire_done(&in));
		}
	at_measure_setup_release(&setup);
	at_measure_request_release(&request);
	at_strbuf_release(&bytes[0].bytes);
	at_strbuf_release(&bytes[1].bytes);
}

static bool setup_arrives(const struct at_measure_setup *sent)
{
	struct at_wire_writer bytes = { { 0 } };
	struct at_wire_reader in;
	struct at_measure_setup got;
	bool arrived;

	at_fields_put(&at_measure_setup_fields, sent, &bytes);
	at_wire_reader_init(&in, bytes.bytes.data, bytes.bytes.length);
	at_get_setup(&in, &got);
	arrived = at_wire_done(&in);
	at_measure_setup_release(&got);
	at_strbuf_release(&bytes.bytes);
	return arrived;
}

static bool request_arrives(const struct at_measure_request *sent)
{
	struct at_wire_writer bytes = { { 0 } };
	struct at_wire_reader in;
	struct at_measure_request got;
	bool arrived;

	at_fields_put(&at_measure_request_fields, sent, &bytes);
	at_wire_reader_init(&in, bytes.bytes.data, bytes.bytes.length);
	at_get_request(&in, &got);
	arrived = at_wire_done(&in);
	at_measure_request_release(&got);
	at_strbuf_release(&bytes.bytes);
	return arrived;
}

TEST(a_setup_whose_members_contradict_each_other_is_refused)
{
	RELEASED(at_measure_setup_release) struct at_measure_setup setup = some_setup();
	struct at_measure_binding *bindings = setup.bindings;
	const struct {
		uint32_t *number;
		uint32_t most;
	} rules[] = {
		{ &setup.arguments[1].lanes, 16 },
		{ &setup.reference_call.arguments[0], 1 }, /* there are two */
		{ &setup.files[0].argument, 1 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rules); i++) {
		uint32_t kept = *rules[i].number;

		*rules[i].number = rules[i].most;
		assert_true(setup_arrives(&setup));
		*rules[i].number = rules[i].most + 1;
		assert_false(setup_arrives(&setup));
		*rules[i].number = kept;
	}
	setup.bindings = NULL; /* and the arguments have none */
	assert_false(setup_arrives(&setup));
	setup.bindings = bindings;
}

/* A field is written to where it is said to lie: in its structure, or nowhere. */
TEST(a_field_outside_its_structure_is_refused)
{
	RELEASED(at_measure_setup_release) struct at_measure_setup setup = some_setup();
	struct at_measure_argument *owner = &setup.arguments[0];
	struct at_measure_argument *field = &setup.arguments[1];
	const struct {
		uint32_t *number;
		uint32_t wrong;
	} rows[] = {
		{ &field->offset_bytes, 16 }, /* beyond the end */
		{ &field->offset_bytes, 2 }, /* where no float lies */
		{ &field->offset_bytes, 0xfffffffc },
		{ &field->lanes, 4 },
		{ &field->lanes, 0x40000001 },
		{ &field->owner, 2 }, /* itself */
		{ &field->owner, 7 },
		{ &owner->lanes, 18 },
		{ &owner->lanes, 65537 },
		{ &owner->owner, 1 },
	};

	owner->element = AT_ELEMENT_U8;
	owner->lanes = 16;
	owner->has_fields = true;
	field->owner = 1;
	field->access = AT_ACCESS_NONE;
	field->offset_bytes = 4;
	field->lanes = 3;
	assert_true(setup_arrives(&setup));
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		uint32_t kept = *rows[i].number;

		*rows[i].number = rows[i].wrong;
		assert_false(setup_arrives(&setup));
		*rows[i].number = kept;
	}
	owner->has_fields = false;
	assert_false(setup_arrives(&setup));
	owner->has_fields = true;
	/* a field of a scalar is as long as a binding, of a buffer as it may */
	owner->lanes = 32;
	field->lanes = 5;
	assert_true(setup_arrives(&setup));
	owner->access = AT_ACCESS_NONE;
	assert_false(setup_arrives(&setup));
	field->lanes = 4;
	assert_true(setup_arrives(&setup));
	field->access = AT_ACCESS_OUT;
	assert_false(setup_arrives(&setup));
}

TEST(a_map_of_no_argument_is_refused)
{
	RELEASED(at_measure_setup_release) struct at_measure_setup setup = some_setup();

	setup.bindings[1].map.of = 2;
	assert_true(setup_arrives(&setup));
	setup.bindings[1].map.of = 3;
	assert_false(setup_arrives(&setup));
}

TEST(a_request_whose_members_contradict_each_other_is_refused)
{
	RELEASED(at_measure_request_release)
	struct at_measure_request request = some_request();
	const struct {
		uint32_t *number;
		uint32_t most;
	} rules[] = {
		{ &request.kernel.arguments[1], 1 }, /* there are two bindings */
		{ &request.prepare.arguments[0], 1 },
		{ &request.finish.arguments[1], 1 },
		{ &request.samples_max, 1000000 },
		{ &request.bindings[1].map.of, 2 },
		{ &request.bindings[0].map.rank, 5 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rules); i++) {
		uint32_t kept = *rules[i].number;

		*rules[i].number = rules[i].most;
		assert_true(request_arrives(&request));
		*rules[i].number = rules[i].most + 1;
		assert_false(request_arrives(&request));
		*rules[i].number = kept;
	}
}

TEST(devices_and_errors_arrive_as_they_were_sent)
{
	struct at_device_info info = { .kind = "cuda",
		.id = "cuda:0",
		.model = "NVIDIA H200",
		.uuid = "GPU-1",
		.architecture = "sm_90",
		.driver = "580",
		.toolchain = "nvrtc",
		.shares_cores = true,
		.max_clock_hz = 1980000000,
		.max_memory_clock_hz = 3201000000,
		.no_energy = "a slice",
		.no_clocks = "no root",
		.offer = { .clocks_mhz = { 1980, 345 },
			.memory_clocks_mhz = { 2619 },
			.power_milliwatts = { 200000, 700000 } } },
			      got_info;
	struct at_error err = { AT_EDEVICE, -1, "a.cfg", "no device" }, got_err;
	struct at_wire_writer bytes = { { 0 } };
	struct at_wire_reader in;

	at_properties_set(&info.properties, AT_PROPERTY_L2_BYTES, 62914560);
	at_fields_put(&at_device_info_fields, &info, &bytes);
	at_fields_put(&at_error_fields, &err, &bytes);
	at_wire_reader_init(&in, bytes.bytes.data, bytes.bytes.length);
	at_fields_get(&at_device_info_fields, &in, &got_info);
	at_fields_get(&at_error_fields, &in, &got_err);
	assert_true(at_wire_done(&in));
	assert_string_equal(got_info.kind, "cuda");
	assert_string_equal(got_info.id, "cuda:0");
	assert_string_equal(got_info.model, "NVIDIA H200");
	assert_string_equal(got_info.uuid, "GPU-1");
	assert_string_equal(got_info.architecture, "sm_90");
	assert_string_equal(got_info.driver, "580");
	assert_string_equal(got_info.toolchain, "nvrtc");
	assert_true(got_info.shares_cores);
	assert_int_equal(got_info.max_clock_hz, 1980000000);
	assert_int_equal(got_info.max_memory_clock_hz, 3201000000);
	assert_string_equal(got_info.no_energy, "a slice");
	assert_string_equal(got_info.no_clocks, "no root");
	assert_memory_equal(&got_info.offer, &info.offer, sizeof(info.offer));
	assert_memory_equal(&got_info.properties.value, &info.properties.value,
		sizeof(info.properties.value));
	assert_memory_equal(&got_info.properties.known, &info.properties.known,
		sizeof(info.properties.known));
	assert_int_equal(got_err.status, AT_EDEVICE);
	assert_int_equal(got_err.line, -1);
	assert_string_equal(got_err.file, "a.cfg");
	assert_string_equal(got_err.text, "no device");
	at_strbuf_release(&bytes.bytes);
}

TEST(a_compile_request_arrives_as_it_was_sent)
{
	char *options[] = { "-O3", "-DN=4" }, *kernels[] = { "k<3>" };
	const struct at_compile_request sent = { .toolchain = "nvrtc",
		.architecture = "sm_90",
		.name = "k.cu",
		.directory = "/src",
		.omit = "#define NOT",
		.source = "source",
		.option_count = 2,
		.options = options,
		.kernel_count = 1,
		.kernels = kernels };
	RELEASED(at_compile_request_release) struct at_compile_request got;
	struct at_wire_writer bytes = { { 0 } };
	struct at_wire_reader in;

	at_fields_put(&at_compile_request_fields, &sent, &bytes);
	at_wire_reader_init(&in, bytes.bytes.data, bytes.bytes.length);
	at_fields_get(&at_compile_request_fields, &in, &got);
	assert_true(at_wire_done(&in));
	assert_string_equal(got.toolchain, "nvrtc");
	assert_string_equal(got.architecture, "sm_90");
	assert_string_equal(got.name, "k.cu");
	assert_string_equal(got.directory, "/src");
	assert_string_equal(got.omit, "#define NOT");
	assert_string_equal(got.source, "source");
	assert_int_equal(got.option_count, 2);
	assert_string_equal(got.options[1], "-DN=4");
	assert_int_equal(got.kernel_count, 1);
	assert_string_equal(got.kernels[0], "k<3>");
	at_strbuf_release(&bytes.bytes);
}

TEST(a_count_larger_than_the_message_allocates_nothing)
{
	struct at_wire_writer bytes = { { 0 } };
	struct at_wire_reader in;
	RELEASED(at_measure_result_release) struct at_measure_result got;

	at_wire_put_u32(&bytes, AT_OUTCOME_OK);
	at_wire_put_text(&bytes, "");
	at_wire_put_u32(&bytes, UINT32_MAX); /* samples */
	at_wire_reader_init(&in, bytes.bytes.data, bytes.bytes.length);
	at_get_result(&in, &got);
	assert_false(at_wire_done(&in));
	assert_int_equal(got.sample_count, 0);
	at_strbuf_release(&bytes.bytes);
}

TEST(results_and_facts_arrive_as_they_were_sent)
{
	double samples[] = { 1.5, 2.5, 1e9 };
	struct at_measure_result result = { .outcome = AT_OUTCOME_OK,
		.detail = "fine",
		.sample_count = 3,
		.samples_ns = samples,
		.launches_per_sample = 4,
		.raced = true,
		.time_ns = 2.5,
		.low_ns = 1.5,
		.high_ns = 1e9,
		.was_pruned = true,
		.block_count = 2,
		.blocks_ns = { 2.25, 2.75 },
		.graph_ns = 3.5,
		.conditions = { .first_clock_hz = 5,
			.repeated_rounds = 2,
			.power_limit_watts = 700,
			.empty_ns = 1.5 },
		.clock_hz = 1980000000,
		.throttled = true,
		.verified = { 2, 6, true, true, true, false, 15, true, "rows" } };
	RELEASED(at_measure_result_release) struct at_measure_result got;
	struct at_kernel_parameter parameters[] = { { AT_PARAMETER_WORD, 8,
							    AT_ELEMENT_NONE },
		{ AT_PARAMETER_POINTER, 5000, AT_ELEMENT_F16 } };
	struct at_kernel_facts facts = { text("k<3>"), text("_Z1kILi3EEvv"), 40, 400, 0,
		8, 256, 0, 128, 1, true, AT_COUNT_OF(parameters), parameters };
	struct at_compile_result compiled = { .outcome = AT_OUTCOME_OK,
		.is_verdict = true,
		.log = text("warning"),
		.kernel_count = 1,
		.kernels = &facts,
		.variable_count = 1,
		.variables = (char *[]){ (char *)"table" },
		.compile_ns = 77 };
	RELEASED(at_compile_result_release) struct at_compile_result got_compiled;
	struct at_wire_writer bytes = { { 0 } };
	struct at_wire_reader in;

	at_fields_put(&at_measure_result_fields, &result, &bytes);
	at_fields_put(&at_compile_result_fields, &compiled, &bytes);
	at_wire_reader_init(&in, bytes.bytes.data, bytes.bytes.length);
	at_get_result(&in, &got);
	at_fields_get(&at_compile_result_fields, &in, &got_compiled);
	assert_true(at_wire_done(&in));
	assert_memory_equal(got.samples_ns, samples, sizeof(samples));
	assert_true(got.raced && got.throttled && got.clock_hz == 1980000000);
	assert_true(got.was_pruned && got.block_count == 2);
	assert_memory_equal(got.blocks_ns, result.blocks_ns, sizeof(result.blocks_ns));
	assert_memory_equal(
		&got.conditions, &result.conditions, sizeof(got.conditions));
	assert_int_equal(got.verified.data_sets, 2);
	assert_int_equal(got.verified.patterns, 6);
	assert_true(
		got.verified.guarded && got.verified.zones && !got.verified.crowded);
	assert_true(got.verified.was_cut);
	assert_int_equal(got.verified.launches, 15);
	assert_true(got.verified.is_vacuous && !strcmp(got.verified.only_for, "rows"));
	assert_true(got_compiled.is_verdict && got_compiled.compile_ns == 77);
	assert_string_equal(got_compiled.kernels[0].symbol, "_Z1kILi3EEvv");
	assert_int_equal(got_compiled.kernels[0].local_bytes, 400);
	assert_int_equal(got_compiled.kernels[0].barriers, 1);
	assert_true(got_compiled.kernels[0].has_parameters);
	assert_int_equal(got_compiled.kernels[0].parameter_count, 2);
	assert_int_equal(got_compiled.kernels[0].parameters[0].kind, AT_PARAMETER_WORD);
	assert_int_equal(got_compiled.kernels[0].parameters[1].bytes, 5000);
	assert_int_equal(got_compiled.kernels[0].parameters[1].element, AT_ELEMENT_F16);
	assert_int_equal(got_compiled.variable_count, 1);
	assert_string_equal(got_compiled.variables[0], "table");
	free(facts.name);
	free(facts.symbol);
	free(compiled.log);
	at_strbuf_release(&bytes.bytes);
}

TEST(a_result_of_more_blocks_than_there_are_is_refused)
{
	const struct at_measure_result result = { .outcome = AT_OUTCOME_OK,
		.block_count = AT_BLOCKS_MAX + 1 };
	RELEASED(at_measure_result_release) struct at_measure_result got;
	struct at_wire_writer bytes = { { 0 } };
	struct at_wire_reader in;

	at_fields_put(&at_measure_result_fields, &result, &bytes);
	at_wire_reader_init(&in, bytes.bytes.data, bytes.bytes.length);
	at_get_result(&in, &got);
	assert_true(in.failed);
	assert_int_equal(got.block_count, 0);
	at_strbuf_release(&bytes.bytes);
}

static bool ceilings_arrive(const struct at_ceilings *sent, struct at_ceilings *got)
{
	struct at_wire_writer bytes = { { 0 } };
	struct at_wire_reader in;
	bool arrived;

	at_fields_put(&at_ceilings_fields, sent, &bytes);
	at_wire_reader_init(&in, bytes.bytes.data, bytes.bytes.length);
	at_get_ceilings(&in, got);
	arrived = at_wire_done(&in);
	at_strbuf_release(&bytes.bytes);
	return arrived;
}

TEST(ceilings_arrive_only_when_they_were_measured)
{
	static const double odd[] = { 0, -1, (double)NAN, (double)INFINITY };
	const struct at_ceilings sent = { 4.2e12, 60.1e12, 30.2e12 };
	struct at_ceilings got;

	assert_true(ceilings_arrive(&sent, &got));
	assert_true(got.copy_bytes_per_second == 4.2e12);
	assert_true(got.float_flops_per_second == 60.1e12);
	assert_true(got.double_flops_per_second == 30.2e12);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		const struct at_ceilings wrong[] = { { odd[i], 1, 1 }, { 1, odd[i], 1 },
			{ 1, 1, odd[i] } };

		for (int which = 0; which < 3; which++)
			assert_false(ceilings_arrive(&wrong[which], &got));
	}
}

RUN_SUITE(NULL, NULL)
