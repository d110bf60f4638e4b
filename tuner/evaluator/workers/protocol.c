/* The tables of message fields, and validation of received messages. */
#include "evaluator/workers/protocol.h"

#include <math.h>

/* vectors have up to 16 elements, like char16 */
#define LANES_MAX 16
/* a worker keeps all samples of an evaluation in memory */
#define SAMPLES_MAX 1000000

static const struct at_field error_members[] = {
	AT_FIELD_ENUM(struct at_error, status, AT_EINTERRUPTED + 1),
	AT_FIELD(struct at_error, line, INT),
	AT_FIELD_CHARS(struct at_error, file),
	AT_FIELD_CHARS(struct at_error, text),
};
const struct at_fields at_error_fields = AT_FIELDS(struct at_error, error_members);

static const struct at_field device_info_members[] = {
	AT_FIELD_CHARS(struct at_device_info, kind),
	AT_FIELD_CHARS(struct at_device_info, id),
	AT_FIELD_CHARS(struct at_device_info, model),
	AT_FIELD_CHARS(struct at_device_info, uuid),
	AT_FIELD_CHARS(struct at_device_info, architecture),
	AT_FIELD_CHARS(struct at_device_info, driver),
	AT_FIELD_CHARS(struct at_device_info, toolchain),
	AT_FIELD(struct at_device_info, shares_cores, BOOL),
	AT_FIELD_ARRAY(struct at_device_info, properties.known, at_fields_bool),
	AT_FIELD_ARRAY(struct at_device_info, properties.value, at_fields_i64),
	AT_FIELD(struct at_device_info, max_clock_hz, U64),
	AT_FIELD(struct at_device_info, max_memory_clock_hz, U64),
	AT_FIELD_CHARS(struct at_device_info, no_energy),
	AT_FIELD_CHARS(struct at_device_info, no_clocks),
	AT_FIELD_ARRAY(struct at_device_info, offer.clocks_mhz, at_fields_u32),
	AT_FIELD_ARRAY(struct at_device_info, offer.memory_clocks_mhz, at_fields_u32),
	AT_FIELD_ARRAY(struct at_device_info, offer.power_milliwatts, at_fields_u32),
};
const struct at_fields at_device_info_fields =
	AT_FIELDS(struct at_device_info, device_info_members);

static const struct at_field ceilings_members[] = {
	AT_FIELD(struct at_ceilings, copy_bytes_per_second, REAL),
	AT_FIELD(struct at_ceilings, float_flops_per_second, REAL),
	AT_FIELD(struct at_ceilings, double_flops_per_second, REAL),
};
const struct at_fields at_ceilings_fields =
	AT_FIELDS(struct at_ceilings, ceilings_members);

static void check_call(struct at_wire_reader *in, const struct at_measure_call *call,
	uint32_t argument_count)
{
	for (uint32_t i = 0; i < call->argument_count; i++)
		if (call->arguments[i] >= argument_count)
			in->failed = true;
	for (uint32_t i = 0; i < call->value_count; i++)
		if (call->values[i].argument >= argument_count)
			in->failed = true;
}

/* A pointer is a scalar or a field, and refers to a buffer. */
static bool is_pointer_sound(const struct at_measure_argument *arguments,
	uint32_t count, const struct at_measure_argument *facts)
{
	return !facts->points_to ||
	       (facts->points_to <= count && facts->element == AT_ELEMENT_U64 &&
		       facts->lanes == 1 && facts->access == AT_ACCESS_NONE &&
		       arguments[facts->points_to - 1].access != AT_ACCESS_NONE);
}

static void check_maps(struct at_wire_reader *in,
	const struct at_measure_binding *bindings, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (bindings[i].map.of > count || bindings[i].texture.of > count ||
			bindings[i].map.rank > AT_TENSOR_MAP_RANK_MAX)
			in->failed = true;
}

/* Checks the layout of a structure's fields and a buffer's rows: the tuner's own
   kernels write there. */
static void check_argument(struct at_wire_reader *in,
	const struct at_measure_argument *arguments, uint32_t count, uint32_t index)
{
	const struct at_measure_argument *facts = &arguments[index], *owner;
	uint64_t bytes = at_element_bytes(facts->element);

	if (facts->lanes > (facts->has_fields || facts->owner ? AT_STRUCTURE_BYTES_MAX
							      : LANES_MAX) ||
		facts->owner > index || !is_pointer_sound(arguments, count, facts))
		in->failed = true;
	/* at_measure_bytes() makes room for whole rows */
	if (facts->width &&
		(facts->has_fields || facts->owner || !bytes ||
			facts->pitch_bytes > AT_ROW_BYTES_MAX ||
			bytes * facts->width * facts->lanes > facts->pitch_bytes))
		in->failed = true;
	if (in->failed || !facts->owner)
		return;
	owner = &arguments[facts->owner - 1];
	if (!owner->has_fields || owner->owner || owner->element != AT_ELEMENT_U8 ||
		facts->has_fields || facts->access != AT_ACCESS_NONE || !bytes ||
		facts->offset_bytes % bytes || owner->lanes % bytes ||
		facts->offset_bytes + bytes * facts->lanes > owner->lanes ||
		/* a field of a scalar structure is a scalar with its own binding */
		(owner->access == AT_ACCESS_NONE &&
			bytes * facts->lanes >
				sizeof(((struct at_measure_binding *)0)->value)))
		in->failed = true;
}

void at_get_setup(struct at_wire_reader *in, struct at_measure_setup *out)
{
	at_fields_get(&at_measure_setup_fields, in, out);
	if (in->failed)
		return;
	check_call(in, &out->reference_call, out->argument_count);
	check_maps(in, out->bindings, out->argument_count);
	for (uint32_t i = 0; i < out->argument_count; i++)
		check_argument(in, out->arguments, out->argument_count, i);
	for (uint32_t i = 0; i < out->file_count; i++)
		if (out->files[i].argument >= out->argument_count)
			in->failed = true;
}

void at_get_request(struct at_wire_reader *in, struct at_measure_request *out)
{
	at_fields_get(&at_measure_request_fields, in, out);
	if (in->failed)
		return;
	for (uint32_t i = 0; i <= out->more_count; i++)
		check_call(in, at_measure_launch(out, i), out->binding_count);
	check_call(in, &out->prepare, out->binding_count);
	check_call(in, &out->finish, out->binding_count);
	check_maps(in, out->bindings, out->binding_count);
	if (out->samples_max > SAMPLES_MAX)
		in->failed = true;
}

void at_put_measure(struct at_wire_writer *out, struct at_hash setup,
	const struct at_measure_finals *how, const char *const *units,
	const struct at_measure_request *requests, size_t count)
{
	const struct at_measure_finals none = { 0 };

	at_wire_put_u64(out, setup.low);
	at_wire_put_u64(out, setup.high);
	at_fields_put(&at_measure_finals_fields, how ? how : &none, out);
	at_wire_put_u32(out, (uint32_t)count);
	for (size_t i = 0; i < count; i++) {
		at_wire_put_text(out, units[i]);
		at_fields_put(&at_measure_request_fields, &requests[i], out);
	}
}

void at_get_result(struct at_wire_reader *in, struct at_measure_result *out)
{
	at_fields_get(&at_measure_result_fields, in, out);
	if (out->block_count > AT_BLOCKS_MAX) {
		out->block_count = 0;
		in->failed = true;
	}
}

void at_get_ceilings(struct at_wire_reader *in, struct at_ceilings *out)
{
	at_fields_get(&at_ceilings_fields, in, out);
	/* rejects NAN, too */
	if (!(out->copy_bytes_per_second > 0) || isinf(out->copy_bytes_per_second) ||
		!(out->float_flops_per_second > 0) ||
		isinf(out->float_flops_per_second) ||
		!(out->double_flops_per_second > 0) ||
		isinf(out->double_flops_per_second))
		in->failed = true;
}
