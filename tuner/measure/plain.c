/*
 * The tables of the members of setups, requests, results and finals (measure.h), for
 * releasing, sending and identifying them. Also the names and options of the support
 * kernels.
 *
 * Members that decide the verdict or the time come before AT_FIELD_NOT_HASHED. A new
 * member there changes only the keys of evaluations in which it is not zero; after the
 * mark it changes none. After the mark are names, which only messages use; paths, since
 * contents identify files and libraries; a call's symbol, which follows from the unit
 * that the caller hashes; a request's seed, which always differs; and how much to
 * measure.
 */
#include "measure/measure.h"

const char *const at_measure_support_kernels[] = { "at_fill", "at_pattern",
	"at_pattern_check", "at_checksum", "at_scale", "at_widen", "at_narrow",
	"at_compare", "at_flush", "at_poison_shared", "at_mask", "at_variables",
	"at_poison_local", "at_crowd", "at_nothing", "at_garbage", "at_jolt",
	"at_relate", "at_padding" };
const size_t at_measure_support_kernel_count =
	sizeof(at_measure_support_kernels) / sizeof(at_measure_support_kernels[0]);

/* no contraction to fused multiply-adds, so that inputs are the same on every device,
   and tolerances exact */
const char *const at_measure_support_options[] = { "-fmad=false" };
const size_t at_measure_support_option_count =
	sizeof(at_measure_support_options) / sizeof(at_measure_support_options[0]);

static const struct at_field argument_members[] = {
	AT_FIELD_ENUM(struct at_measure_argument, element, AT_ELEMENT_COUNT),
	AT_FIELD(struct at_measure_argument, lanes, U32),
	AT_FIELD_ENUM(struct at_measure_argument, access, AT_ACCESS_SCRATCH + 1),
	AT_FIELD_ENUM(struct at_measure_argument, fill, AT_FILL_FILE + 1),
	AT_FIELD(struct at_measure_argument, fill_a, REAL),
	AT_FIELD(struct at_measure_argument, fill_b, REAL),
	AT_FIELD(struct at_measure_argument, contents, HASH),
	AT_FIELD(struct at_measure_argument, has_fields, BOOL),
	AT_FIELD(struct at_measure_argument, owner, U32),
	AT_FIELD(struct at_measure_argument, offset_bytes, U32),
	AT_FIELD(struct at_measure_argument, width, U32),
	AT_FIELD(struct at_measure_argument, pitch_bytes, U32),
	AT_FIELD(struct at_measure_argument, points_to, U32),
	AT_FIELD(struct at_measure_argument, has_map, BOOL),
	AT_FIELD(struct at_measure_argument, has_texels, BOOL),
	AT_FIELD(struct at_measure_argument, is_fixed, BOOL),
	AT_FIELD(struct at_measure_argument, has_row_offsets, BOOL),
	AT_FIELD(struct at_measure_argument, has_domain, BOOL),
	AT_FIELD(struct at_measure_argument, domain_low, REAL),
	AT_FIELD(struct at_measure_argument, domain_high, REAL),
	AT_FIELD(struct at_measure_argument, symbol, TEXT),
	AT_FIELD(struct at_measure_argument, rtol, REAL),
	AT_FIELD(struct at_measure_argument, atol, REAL),
	AT_FIELD(struct at_measure_argument, outliers, REAL),
	AT_FIELD_NOT_HASHED,
	AT_FIELD(struct at_measure_argument, name, TEXT),
	AT_FIELD(struct at_measure_argument, file, TEXT),
};
static const struct at_fields argument_fields =
	AT_FIELDS(struct at_measure_argument, argument_members);

static const struct at_field map_members[] = {
	AT_FIELD(struct at_tensor_map, of, U32),
	AT_FIELD(struct at_tensor_map, rank, U32),
	AT_FIELD_ENUM(struct at_tensor_map, element, AT_ELEMENT_COUNT),
	AT_FIELD_ARRAY(struct at_tensor_map, dims, at_fields_i64),
	AT_FIELD_ARRAY(struct at_tensor_map, box, at_fields_i64),
	AT_FIELD_ARRAY(struct at_tensor_map, strides, at_fields_i64),
	AT_FIELD_ARRAY(struct at_tensor_map, steps, at_fields_i64),
	AT_FIELD(struct at_tensor_map, swizzle_bytes, I64),
	AT_FIELD(struct at_tensor_map, interleave_bytes, I64),
	AT_FIELD(struct at_tensor_map, promotion_bytes, I64),
	AT_FIELD(struct at_tensor_map, fills_nan, BOOL),
};
static const struct at_fields map_fields = AT_FIELDS(struct at_tensor_map, map_members);

static const struct at_field texture_members[] = {
	AT_FIELD(struct at_texture, of, U32),
	AT_FIELD(struct at_texture, is_surface, BOOL),
	AT_FIELD(struct at_texture, is_written, BOOL),
	AT_FIELD_ENUM(struct at_texture, element, AT_ELEMENT_COUNT),
	AT_FIELD(struct at_texture, width, I64),
	AT_FIELD(struct at_texture, height, I64),
	AT_FIELD(struct at_texture, depth, I64),
	AT_FIELD(struct at_texture, pitch_bytes, I64),
	AT_FIELD(struct at_texture, channels, I64),
	AT_FIELD_ENUM(struct at_texture, address, AT_TEXTURE_BORDER + 1),
	AT_FIELD(struct at_texture, filters, BOOL),
	AT_FIELD(struct at_texture, is_normalized, BOOL),
	AT_FIELD(struct at_texture, has_normalized_coordinates, BOOL),
	AT_FIELD(struct at_texture, is_linear, BOOL),
};
static const struct at_fields texture_fields =
	AT_FIELDS(struct at_texture, texture_members);

static const struct at_field binding_members[] = {
	AT_FIELD(struct at_measure_binding, count, U64),
	AT_FIELD_BYTES(struct at_measure_binding, value),
	AT_FIELD_STRUCT(struct at_measure_binding, map, map_fields),
	AT_FIELD_STRUCT(struct at_measure_binding, texture, texture_fields),
};
static const struct at_fields binding_fields =
	AT_FIELDS(struct at_measure_binding, binding_members);

static const struct at_field attribute_members[] = {
	AT_FIELD_ARRAY(struct at_attributes, cluster, at_fields_u32),
	AT_FIELD_ARRAY(struct at_attributes, preferred_cluster, at_fields_u32),
	AT_FIELD(struct at_attributes, is_cooperative, BOOL),
	AT_FIELD(struct at_attributes, is_dependent, BOOL),
	AT_FIELD(struct at_attributes, carveout, U32),
	AT_FIELD(struct at_attributes, window, U32),
	AT_FIELD(struct at_attributes, window_percent, U32),
};
static const struct at_fields attribute_fields =
	AT_FIELDS(struct at_attributes, attribute_members);

static const struct at_field geometry_members[] = {
	AT_FIELD_ARRAY(struct at_geometry, grid, at_fields_u32),
	AT_FIELD_ARRAY(struct at_geometry, block, at_fields_u32),
	AT_FIELD(struct at_geometry, shared_bytes, U32),
	AT_FIELD_STRUCT(struct at_geometry, attributes, attribute_fields),
};
static const struct at_fields geometry_fields =
	AT_FIELDS(struct at_geometry, geometry_members);

static const struct at_field value_members[] = {
	AT_FIELD(struct at_measure_value, argument, U32),
	AT_FIELD_STRUCT(struct at_measure_value, binding, binding_fields),
};
static const struct at_fields value_fields =
	AT_FIELDS(struct at_measure_value, value_members);

static const struct at_field call_members[] = {
	AT_FIELD_STRUCT(struct at_measure_call, geometry, geometry_fields),
	AT_FIELD_LIST(struct at_measure_call, arguments, argument_count, at_fields_u32),
	AT_FIELD_NOT_HASHED,
	AT_FIELD(struct at_measure_call, symbol, TEXT),
	AT_FIELD(struct at_measure_call, call, U32),
	AT_FIELD(struct at_measure_call, kernel, U32),
	AT_FIELD(struct at_measure_call, repeats, U32),
	AT_FIELD_LIST(struct at_measure_call, swaps, swap_count, at_fields_u32),
	AT_FIELD_LIST(struct at_measure_call, values, value_count, value_fields),
};
static const struct at_fields call_fields =
	AT_FIELDS(struct at_measure_call, call_members);

static const struct at_field file_members[] = {
	AT_FIELD(struct at_measure_file, argument, U32),
	AT_FIELD(struct at_measure_file, contents, HASH),
	AT_FIELD_NOT_HASHED,
	AT_FIELD(struct at_measure_file, path, TEXT),
};
static const struct at_fields file_fields =
	AT_FIELDS(struct at_measure_file, file_members);

static const struct at_field fill_members[] = {
	AT_FIELD_ENUM(struct at_measure_fill, kind, AT_FILL_FILE + 1),
	AT_FIELD(struct at_measure_fill, a, REAL),
	AT_FIELD(struct at_measure_fill, b, REAL),
	AT_FIELD(struct at_measure_fill, contents, HASH),
	AT_FIELD_NOT_HASHED,
	AT_FIELD(struct at_measure_fill, file, TEXT),
};
static const struct at_fields fill_fields =
	AT_FIELDS(struct at_measure_fill, fill_members);

static const struct at_field set_members[] = {
	AT_FIELD_LIST(struct at_measure_set, fills, fill_count, fill_fields),
	AT_FIELD_NOT_HASHED,
	AT_FIELD(struct at_measure_set, name, TEXT),
};
static const struct at_fields set_fields =
	AT_FIELDS(struct at_measure_set, set_members);

static const struct at_field setup_members[] = {
	AT_FIELD_LIST(
		struct at_measure_setup, arguments, argument_count, argument_fields),
	AT_FIELD_LIST(
		struct at_measure_setup, bindings, argument_count, binding_fields),
	AT_FIELD_ENUM(struct at_measure_setup, reference, AT_REFERENCE_FILE + 1),
	AT_FIELD_STRUCT(struct at_measure_setup, reference_call, call_fields),
	AT_FIELD(struct at_measure_setup, library_contents, HASH),
	AT_FIELD(struct at_measure_setup, function, TEXT),
	AT_FIELD_LIST(struct at_measure_setup, files, file_count, file_fields),
	AT_FIELD(struct at_measure_setup, seed, U64),
	AT_FIELD_ENUM(struct at_measure_setup, cache, AT_CACHE_WARM + 1),
	AT_FIELD_LIST(struct at_measure_setup, sets, set_count, set_fields),
	AT_FIELD_NOT_HASHED,
	AT_FIELD_BLOB(struct at_measure_setup, support_image, support_bytes),
	AT_FIELD_BLOB(struct at_measure_setup, reference_image, reference_bytes),
	AT_FIELD_BLOB(struct at_measure_setup, wide_image, wide_bytes),
	AT_FIELD(struct at_measure_setup, float64_symbol, TEXT),
	AT_FIELD(struct at_measure_setup, widens_narrow, BOOL),
	AT_FIELD(struct at_measure_setup, library, TEXT),
	AT_FIELD(struct at_measure_setup, timed_seed, U64),
	AT_FIELD(struct at_measure_setup, is_for_verifications, BOOL),
	AT_FIELD(struct at_measure_setup, watched, BOOL),
};
const struct at_fields at_measure_setup_fields =
	AT_FIELDS(struct at_measure_setup, setup_members);

static const struct at_field clocks_members[] = {
	AT_FIELD(struct at_clocks, clock_mhz, U32),
	AT_FIELD(struct at_clocks, memory_clock_mhz, U32),
	AT_FIELD(struct at_clocks, power_milliwatts, U32),
};
static const struct at_fields clocks_fields =
	AT_FIELDS(struct at_clocks, clocks_members);

static const struct at_field request_members[] = {
	AT_FIELD_STRUCT(struct at_measure_request, kernel, call_fields),
	AT_FIELD_STRUCT(struct at_measure_request, prepare, call_fields),
	AT_FIELD_STRUCT(struct at_measure_request, finish, call_fields),
	AT_FIELD_LIST(
		struct at_measure_request, bindings, binding_count, binding_fields),
	AT_FIELD_STRUCT(struct at_measure_request, clocks, clocks_fields),
	AT_FIELD_NOT_HASHED,
	AT_FIELD_LIST(struct at_measure_request, more, more_count, call_fields),
	AT_FIELD_BLOB(struct at_measure_request, image, image_bytes),
	AT_FIELD(struct at_measure_request, samples_min, U32),
	AT_FIELD(struct at_measure_request, samples_max, U32),
	AT_FIELD(struct at_measure_request, sampling_seconds, REAL),
	AT_FIELD(struct at_measure_request, deadline_seconds, REAL),
	AT_FIELD(struct at_measure_request, pattern_seconds, REAL),
	AT_FIELD(struct at_measure_request, incumbent_ns, REAL),
	AT_FIELD(struct at_measure_request, audit, BOOL),
	AT_FIELD(struct at_measure_request, verify_only, BOOL),
	AT_FIELD(struct at_measure_request, seed, U64),
	AT_FIELD(struct at_measure_request, is_baseline, BOOL),
};
const struct at_fields at_measure_request_fields =
	AT_FIELDS(struct at_measure_request, request_members);

static const struct at_field conditions_members[] = {
	AT_FIELD(struct at_measure_conditions, first_clock_hz, U64),
	AT_FIELD(struct at_measure_conditions, last_clock_hz, U64),
	AT_FIELD(struct at_measure_conditions, repeated_rounds, U32),
	AT_FIELD(struct at_measure_conditions, throttled_rounds, U32),
	AT_FIELD(struct at_measure_conditions, clock_reasons, U32),
	AT_FIELD(struct at_measure_conditions, set_clock_hz, U64),
	AT_FIELD(struct at_measure_conditions, default_clock_hz, U64),
	AT_FIELD(struct at_measure_conditions, set_memory_clock_hz, U64),
	AT_FIELD(struct at_measure_conditions, default_memory_clock_hz, U64),
	AT_FIELD(struct at_measure_conditions, power_limit_watts, REAL),
	AT_FIELD(struct at_measure_conditions, ecc, U32),
	AT_FIELD(struct at_measure_conditions, is_ungated, BOOL),
	AT_FIELD(struct at_measure_conditions, unmoved_blocks, U32),
	AT_FIELD(struct at_measure_conditions, knows_neighbours, BOOL),
	AT_FIELD(struct at_measure_conditions, neighbours, U32),
	AT_FIELD(struct at_measure_conditions, empty_ns, REAL),
	AT_FIELD(struct at_measure_conditions, empty_graph_ns, REAL),
	AT_FIELD(struct at_measure_conditions, idle_watts, REAL),
	AT_FIELD(struct at_measure_conditions, least_celsius, REAL),
	AT_FIELD(struct at_measure_conditions, most_celsius, REAL),
};
static const struct at_fields conditions_fields =
	AT_FIELDS(struct at_measure_conditions, conditions_members);

static const struct at_field verification_members[] = {
	AT_FIELD(struct at_measure_verification, data_sets, U32),
	AT_FIELD(struct at_measure_verification, patterns, U32),
	AT_FIELD(struct at_measure_verification, was_cut, BOOL),
	AT_FIELD(struct at_measure_verification, guarded, BOOL),
	AT_FIELD(struct at_measure_verification, zones, BOOL),
	AT_FIELD(struct at_measure_verification, crowded, BOOL),
	AT_FIELD(struct at_measure_verification, launches, U32),
	AT_FIELD(struct at_measure_verification, is_vacuous, BOOL),
	AT_FIELD_CHARS(struct at_measure_verification, only_for),
};
static const struct at_fields verification_fields =
	AT_FIELDS(struct at_measure_verification, verification_members);

static const struct at_field result_members[] = {
	AT_FIELD_ENUM(struct at_measure_result, outcome, AT_OUTCOME_COUNT),
	AT_FIELD_CHARS(struct at_measure_result, detail),
	AT_FIELD_LIST(
		struct at_measure_result, samples_ns, sample_count, at_fields_real),
	AT_FIELD(struct at_measure_result, launches_per_sample, U32),
	AT_FIELD(struct at_measure_result, raced, BOOL),
	AT_FIELD(struct at_measure_result, was_pruned, BOOL),
	AT_FIELD(struct at_measure_result, time_ns, REAL),
	AT_FIELD(struct at_measure_result, low_ns, REAL),
	AT_FIELD(struct at_measure_result, high_ns, REAL),
	AT_FIELD(struct at_measure_result, block_count, U32),
	AT_FIELD_ARRAY(struct at_measure_result, blocks_ns, at_fields_real),
	AT_FIELD_ARRAY(struct at_measure_result, blocks_joules, at_fields_real),
	AT_FIELD(struct at_measure_result, energy_refused, BOOL),
	AT_FIELD(struct at_measure_result, graph_ns, REAL),
	AT_FIELD_STRUCT(struct at_measure_result, conditions, conditions_fields),
	AT_FIELD(struct at_measure_result, max_relative_error, REAL),
	AT_FIELD_CHARS(struct at_measure_result, judged),
	AT_FIELD_CHARS(struct at_measure_result, warnings),
	AT_FIELD(struct at_measure_result, measure_ns, U64),
	AT_FIELD(struct at_measure_result, clock_hz, U64),
	AT_FIELD(struct at_measure_result, throttled, BOOL),
	AT_FIELD_STRUCT(struct at_measure_result, verified, verification_fields),
	AT_FIELD_LIST(
		struct at_measure_result, counters, counter_count, at_fields_real),
	AT_FIELD(struct at_measure_result, device_lost, BOOL),
	AT_FIELD(struct at_measure_result, left_traces, BOOL),
};
const struct at_fields at_measure_result_fields =
	AT_FIELDS(struct at_measure_result, result_members);

static const struct at_field finals_members[] = {
	AT_FIELD(struct at_measure_finals, blocks, U32),
	AT_FIELD(struct at_measure_finals, rounds, U32),
	AT_FIELD(struct at_measure_finals, seconds, REAL),
	AT_FIELD(struct at_measure_finals, seed, U64),
	AT_FIELD(struct at_measure_finals, begin, U32),
	AT_FIELD_ARRAY(struct at_measure_finals, launches, at_fields_u32),
	AT_FIELD(struct at_measure_finals, counts, BOOL),
	AT_FIELD(struct at_measure_finals, energy_seconds, REAL),
};
const struct at_fields at_measure_finals_fields =
	AT_FIELDS(struct at_measure_finals, finals_members);

uint64_t at_measure_bytes(const struct at_measure_argument *self, uint64_t count)
{
	if (self->width)
		return (count + self->width - 1) / self->width * self->pitch_bytes;
	return count * self->lanes * at_element_bytes(self->element);
}

bool at_measure_is_sequence(const struct at_measure_request *self)
{
	return self->more_count || self->kernel.repeats || self->kernel.call ||
	       self->kernel.swap_count;
}

struct at_measure_call *at_measure_launch(
	const struct at_measure_request *self, size_t index)
{
	return index ? &self->more[index - 1] : (struct at_measure_call *)&self->kernel;
}

void at_measure_request_hash(
	const struct at_measure_request *self, struct at_hasher *hasher)
{
	at_fields_hash(&at_measure_request_fields, self, hasher);
	/* a single launch keeps the hash that it had before there were sequences */
	if (!at_measure_is_sequence(self))
		return;
	for (size_t i = 0; i <= self->more_count; i++) {
		const struct at_measure_call *call = at_measure_launch(self, i);

		at_fields_hash(&call_fields, call, hasher);
		at_hasher_add_integer(hasher, call->call);
		at_hasher_add_integer(hasher, call->kernel);
		at_hasher_add_integer(hasher, call->repeats);
		at_hasher_add_integer(hasher, call->swap_count);
		for (size_t k = 0; k < call->swap_count; k++)
			at_hasher_add_integer(hasher, call->swaps[k]);
		for (size_t k = 0; k < call->value_count; k++)
			at_fields_hash(&value_fields, &call->values[k], hasher);
	}
}

void at_measure_setup_release(struct at_measure_setup *self)
{
	at_fields_release(&at_measure_setup_fields, self);
}

void at_measure_request_release(struct at_measure_request *self)
{
	at_fields_release(&at_measure_request_fields, self);
}

void at_measure_result_release(struct at_measure_result *self)
{
	at_fields_release(&at_measure_result_fields, self);
}
