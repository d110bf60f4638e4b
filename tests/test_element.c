/*
 * Types of numbers: their names, and conversions in software in C and in support.cu.
 * These are compared with the value that IEEE 754 and the short formats give each code,
 * and with a search for the nearest of all values.
 */
#include "device/device.h"
#include "kernel/compile.h"
#include "kernel/toolchain.h"
#include "measure/measure.h"
#include "space/element.h"

#include "suite.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Written down apart from the table of the code: digits, width of the exponent. */
static const struct format {
	enum at_element element;
	int bits;
	int fraction_bits;
	int exponent_bits;
	bool has_infinity;
} formats[] = {
	{ AT_ELEMENT_F16, 16, 10, 5, true },
	{ AT_ELEMENT_BF16, 16, 7, 8, true },
	{ AT_ELEMENT_E4M3, 8, 3, 4, false },
	{ AT_ELEMENT_E5M2, 8, 2, 5, true },
};

/* What a code means, by the formula of the standard. */
static double meaning(const struct format *format, unsigned code)
{
	unsigned sign = code >> (format->bits - 1);
	unsigned exponent =
		code >> format->fraction_bits & ((1u << format->exponent_bits) - 1);
	unsigned fraction = code & ((1u << format->fraction_bits) - 1);
	unsigned last = (1u << format->exponent_bits) - 1;
	int bias = (1 << (format->exponent_bits - 1)) - 1;
	double part = (double)fraction / (double)(1u << format->fraction_bits), value;

	if (format->has_infinity && exponent == last)
		value = fraction ? NAN : INFINITY;
	else if (!format->has_infinity && exponent == last &&
		 fraction == (1u << format->fraction_bits) - 1)
		value = NAN;
	else if (exponent)
		value = (1 + part) * pow(2, (int)exponent - bias);
	else
		value = part * pow(2, 1 - bias);
	return sign ? -value : value;
}

static unsigned code_of(const struct format *format, double value)
{
	unsigned char bytes[2] = { 0 };

	at_element_store(format->element, value, bytes);
	return bytes[0] | (unsigned)bytes[1] << 8;
}

/* Of codes without a sign: those of numbers, which are in order. */
static unsigned finite_codes(const struct format *format)
{
	unsigned count = 0;

	while (isfinite(meaning(format, count)))
		count++;
	return count;
}

TEST(every_code_means_what_the_standard_says)
{
	for (size_t f = 0; f < COUNT(formats); f++)
		for (unsigned code = 0; code < 1u << formats[f].bits; code++) {
			unsigned char bytes[2] = { (unsigned char)code,
				(unsigned char)(code >> 8) };
			double value = at_element_load(formats[f].element, bytes);
			double expected = meaning(&formats[f], code);

			if (isnan(expected)
					? !isnan(value)
					: value != expected ||
						  signbit(value) != signbit(expected))
				fail_msg("%s 0x%x is %g, not %g",
					at_element_name(formats[f].element), code,
					expected, value);
		}
}

/* the even one of two, where it is half-way; NaN stays one; infinity where there is */
static void expect_roundings(
	const struct format *format, unsigned (*convert)(const struct format *, double))
{
	unsigned count = finite_codes(format), sign = 1u << (format->bits - 1);
	double largest = meaning(format, count - 1);

	for (unsigned code = 0; code + 1 < count; code++) {
		double low = meaning(format, code), high = meaning(format, code + 1);
		double middle = (low + high) / 2; /* exact: one bit more */
		const struct {
			double value;
			unsigned code;
		} rows[] = {
			{ low, code },
			{ nextafter(middle, 0), code },
			{ middle, code % 2 ? code + 1 : code },
			{ nextafter(middle, INFINITY), code + 1 },
			{ nextafter(high, 0), code + 1 },
		};

		for (size_t i = 0; i < COUNT(rows); i++) {
			unsigned up = convert(format, rows[i].value);
			unsigned down = convert(format, -rows[i].value);

			if (up != rows[i].code || down != (rows[i].code | sign))
				fail_msg("%s: %.17g is 0x%x and 0x%x, not 0x%x",
					at_element_name(format->element), rows[i].value,
					up, down, rows[i].code);
		}
	}
	assert_int_equal(convert(format, largest), count - 1);
	assert_int_equal(convert(format, 5e-324), 0);
	assert_int_equal(convert(format, -0.0), sign);
}

TEST(every_number_goes_to_the_nearest_code_and_ties_to_the_even_one)
{
	for (size_t f = 0; f < COUNT(formats); f++)
		expect_roundings(&formats[f], code_of);
}

TEST(what_is_beyond_is_infinite_or_the_largest_as_in_cuda)
{
	for (size_t f = 0; f < COUNT(formats); f++) {
		const struct format *format = &formats[f];
		unsigned last = finite_codes(format) - 1;
		unsigned beyond = format->bits == 16 ? last + 1 : last;
		double largest = meaning(format, last);
		double gap = largest - meaning(format, last - 1);

		assert_true(largest == at_element_largest(format->element));
		assert_int_equal(
			code_of(format, nextafter(largest + gap / 2, 0)), last);
		assert_int_equal(code_of(format, largest + gap / 2), beyond);
		assert_int_equal(code_of(format, 1e300), beyond);
		assert_int_equal(code_of(format, INFINITY), beyond);
		assert_true(isnan(meaning(format, code_of(format, NAN))));
		assert_true(isnan(meaning(format, code_of(format, -NAN))));
	}
}

TEST(the_number_below_is_the_next_one)
{
	for (size_t f = 0; f < COUNT(formats); f++) {
		const struct format *format = &formats[f];
		enum at_element element = format->element;
		unsigned count = finite_codes(format);

		for (unsigned code = 1; code < count; code++) {
			double value = meaning(format, code);
			double before = meaning(format, code - 1);

			assert_true(at_element_below(element, value) == before);
			assert_true(at_element_below(element, -before) == -value);
			assert_true(at_element_below(element,
					    nextafter(value, INFINITY)) == value);
		}
	}
	assert_true(at_element_below(AT_ELEMENT_F32, 1) == 1 - 0x1p-24);
	assert_true(at_element_below(AT_ELEMENT_F32, 0.1) <= 0.1);
	assert_true(at_element_below(AT_ELEMENT_F64, 1) == 1 - 0x1p-53);
}

TEST(integers_and_wide_reals_are_stored_as_c_does)
{
	float single = 0.1f;
	int16_t whole = -7;
	unsigned char bytes[8] = { 0 };

	assert_true(at_element_load(AT_ELEMENT_I16, &whole) == -7);
	at_element_store(AT_ELEMENT_I16, -7, bytes);
	assert_memory_equal(bytes, &whole, sizeof(whole));
	at_element_store(AT_ELEMENT_F32, 0.1, bytes);
	assert_memory_equal(bytes, &single, sizeof(single));
	assert_true(at_element_load(AT_ELEMENT_F32, &single) == (double)single);
	assert_true(at_element_round(AT_ELEMENT_F64, 0.1) == 0.1);
	assert_true(at_element_round(AT_ELEMENT_U8, 200) == 200);
}

TEST(names_stand_for_elements_and_their_number)
{
	static const struct {
		const char *name;
		enum at_element element;
		int lanes;
		size_t alignment;
	} rows[] = {
		{ "char", AT_ELEMENT_I8, 1, 1 },
		{ "bool", AT_ELEMENT_U8, 1, 1 },
		{ "unsigned char", AT_ELEMENT_U8, 1, 1 },
		{ "int16_t", AT_ELEMENT_I16, 1, 2 },
		{ "unsigned short", AT_ELEMENT_U16, 1, 2 },
		{ "int", AT_ELEMENT_I32, 1, 4 },
		{ "unsigned", AT_ELEMENT_U32, 1, 4 },
		{ "uint", AT_ELEMENT_U32, 1, 4 },
		{ "long long", AT_ELEMENT_I64, 1, 8 },
		{ "uint64_t", AT_ELEMENT_U64, 1, 8 },
		{ "double", AT_ELEMENT_F64, 1, 8 },
		{ "uint4", AT_ELEMENT_U32, 4, 16 },
		{ "double2", AT_ELEMENT_F64, 2, 16 },
		{ "longlong2", AT_ELEMENT_I64, 2, 16 },
		{ "half", AT_ELEMENT_F16, 1, 2 },
		{ "__half", AT_ELEMENT_F16, 1, 2 },
		{ "__half2", AT_ELEMENT_F16, 2, 4 },
		{ "__nv_bfloat16", AT_ELEMENT_BF16, 1, 2 },
		{ "__nv_bfloat162", AT_ELEMENT_BF16, 2, 4 },
		{ "__nv_fp8_e4m3", AT_ELEMENT_E4M3, 1, 1 },
		{ "__nv_fp8x4_e5m2", AT_ELEMENT_E5M2, 4, 4 },
		{ "cuComplex", AT_ELEMENT_F32, 2, 8 },
		{ "cuFloatComplex", AT_ELEMENT_F32, 2, 8 },
		{ "cuDoubleComplex", AT_ELEMENT_F64, 2, 16 },
		{ "float3", AT_ELEMENT_F32, 3, 4 },
		{ "double4", AT_ELEMENT_F64, 4, 16 },
		{ "uchar4", AT_ELEMENT_U8, 4, 4 },
		{ "size_t", AT_ELEMENT_U64, 1, 8 },
	};
	static const char *const unknown[] = { "", "4", "float5", "float0", "half3",
		"bool2", "long", "cuComplex2" };
	enum at_element element = AT_ELEMENT_NONE;
	int lanes = 7;

	for (size_t i = 0; i < COUNT(unknown); i++)
		assert_false(at_element_find(unknown[i], &element, &lanes));
	assert_int_equal(element, AT_ELEMENT_NONE);
	assert_int_equal(lanes, 7);
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(at_element_find(rows[i].name, &element, &lanes));
		assert_int_equal(element, rows[i].element);
		assert_int_equal(lanes, rows[i].lanes);
		assert_int_equal(
			at_element_alignment(element, lanes), rows[i].alignment);
	}
	for (size_t i = 0; at_element_name_at(i); i++)
		assert_true(at_element_find(at_element_name_at(i), &element, &lanes));
}

/* ---- support.cu ------------------------------------------------------------------ */

static struct at_device *device;
static struct at_module *module;
static struct at_compile_result compiled;

/* its conversions, asked one by one: it has no kernel that does nothing else */
static const char asking[] =
	"extern \"C\" __global__ void at_ask_narrow(const double *from, unsigned *to,"
	" int count, int element)\n"
	"{\n"
	"	for (int i = threadIdx.x; i < count; i += blockDim.x)\n"
	"		to[i] = narrowed(from[i], element);\n"
	"}\n"
	"extern \"C\" __global__ void at_ask_wide(double *to, int count, int element)\n"
	"{\n"
	"	for (int i = threadIdx.x; i < count; i += blockDim.x)\n"
	"		to[i] = widened(i, element);\n"
	"}\n";

static int open_host(void **unused)
{
	static char *const kernels[] = { "at_ask_narrow", "at_ask_wide" };
	struct at_compile_request request = {
		.toolchain = (char *)"c++",
		.architecture = (char *)"",
		.name = (char *)"support.cu",
		.directory = (char *)"",
		.kernel_count = COUNT(kernels),
		.kernels = (char **)kernels,
	};
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };
	struct at_error err = { 0 };

	at_strbuf_add_bytes(
		&source, (const char *)at_embedded_support, at_embedded_support_size);
	at_strbuf_add(&source, asking);
	request.source = source.data;
	assert_ok(at_compile(&request, &compiled, &failure));
	if (compiled.outcome != AT_OUTCOME_OK)
		fail_msg("%s", compiled.log);
	assert_ok(at_device_kind_host.open(0, &device, &failure));
	assert_int_equal(device->ops->load(device, compiled.image, compiled.image_bytes,
				 &module, &err),
		AT_OUTCOME_OK);
	return 0;
}

static int close_host(void **unused)
{
	device->ops->unload(device, module);
	device->ops->close(device);
	at_compile_result_release(&compiled);
	return 0;
}

static struct at_parameter_value value_of(const void *bytes, size_t size)
{
	struct at_parameter_value out = { .more = NULL };

	memcpy(out.bytes, bytes, size);
	return out;
}

/* the kernel's count and element behind its buffers */
static void ask(const char *kernel, const void *in, size_t in_bytes, void *out,
	size_t out_bytes, int count, enum at_element element)
{
	struct at_memory *memories[2] = { NULL, NULL };
	struct at_parameter_value values[4];
	struct at_invocation call = {
		.grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .arguments = values
	};
	struct at_error err = { 0 };
	uint64_t address;
	size_t at = 0;

	call.kernel = device->ops->find(device, module, kernel);
	assert_non_null(call.kernel);
	for (int i = in ? 0 : 1; i < 2; i++) {
		assert_ok(device->ops->allocate(
			device, i ? out_bytes : in_bytes, &memories[i], &failure));
		address = device->ops->address(device, memories[i]);
		values[at++] = value_of(&address, sizeof(address));
	}
	values[at++] = value_of(&count, sizeof(count));
	values[at++] = value_of(&element, sizeof(element));
	call.argument_count = at;
	if (in)
		assert_ok(device->ops->write(
			device, memories[0], 0, in, in_bytes, &failure));
	assert_int_equal(device->ops->run(device, &call, 1, &err), AT_OUTCOME_OK);
	assert_ok(device->ops->read(device, memories[1], 0, out, out_bytes, &failure));
	for (int i = 0; i < 2; i++)
		if (memories[i])
			device->ops->release(device, memories[i]);
}

TEST(the_device_reads_every_code_alike)
{
	for (size_t f = 0; f < COUNT(formats); f++) {
		unsigned count = 1u << formats[f].bits;
		OWNED(free) double *values = calloc(count, sizeof(*values));

		ask("at_ask_wide", NULL, 0, values, count * sizeof(*values), (int)count,
			formats[f].element);
		for (unsigned code = 0; code < count; code++) {
			double expected = meaning(&formats[f], code);

			if (isnan(expected) ? !isnan(values[code])
					    : values[code] != expected ||
						      signbit(values[code]) !=
							      signbit(expected))
				fail_msg("%s 0x%x is %g, not %g",
					at_element_name(formats[f].element), code,
					expected, values[code]);
		}
	}
}

/* at all numbers, half-way between them, and a little beside both */
TEST(the_device_rounds_alike_but_for_what_is_too_large)
{
	for (size_t f = 0; f < COUNT(formats); f++) {
		const struct format *format = &formats[f];
		unsigned last = finite_codes(format) - 1,
			 sign = 1u << (format->bits - 1);
		size_t count = (size_t)last * 8 + 4, at = 0;
		OWNED(free) double *values = calloc(count, sizeof(*values));
		OWNED(free) unsigned *codes = calloc(count, sizeof(*codes));

		for (unsigned code = 0; code < last; code++) {
			double low = meaning(format, code);
			double middle = (low + meaning(format, code + 1)) / 2;
			const double rows[] = { low, nextafter(middle, 0), middle,
				nextafter(middle, INFINITY) };

			for (size_t i = 0; i < COUNT(rows); i++) {
				values[at++] = rows[i];
				values[at++] = -rows[i];
			}
		}
		values[at++] = meaning(format, last);
		values[at++] = INFINITY;
		values[at++] = -1e300;
		values[at++] = 5e-324;
		assert_int_equal(at, count);
		ask("at_ask_narrow", values, count * sizeof(*values), codes,
			count * sizeof(*codes), (int)count, format->element);
		for (size_t i = 0; i + 3 < count; i++)
			if (codes[i] != code_of(format, values[i]))
				fail_msg("%s: %.17g is 0x%x, not 0x%x",
					at_element_name(format->element), values[i],
					code_of(format, values[i]), codes[i]);
		/* what fills a buffer is a number */
		assert_int_equal(codes[count - 3], last);
		assert_int_equal(codes[count - 2], last | sign);
		assert_int_equal(codes[count - 1], 0);
	}
}

RUN_SUITE(open_host, close_host)
