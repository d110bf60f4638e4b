/* The types of numbers: their names, ranges and conversions. */
#include "space/element.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct {
	const char *name;
	size_t bytes;
	enum at_element_kind kind;
	int precision;
	double largest;
	double least;
} elements[AT_ELEMENT_COUNT] = {
	[AT_ELEMENT_NONE] = { "none", 0, AT_ELEMENT_KIND_NONE, 0, 0, 0 },
#define AT_ELEMENT_ROW(symbol, name, bytes, kind, precision, largest, least) \
	[AT_ELEMENT_##symbol] = { name, bytes, AT_ELEMENT_KIND_##kind, precision, \
		largest, least },
	AT_ELEMENTS(AT_ELEMENT_ROW)
#undef AT_ELEMENT_ROW
};

/* Other names of types, and vectors whose name is not a base and a number. */
static const struct {
	const char *name;
	enum at_element element;
	int lanes;
} aliases[] = {
	{ "signed char", AT_ELEMENT_I8, 1 },
	{ "int8_t", AT_ELEMENT_I8, 1 },
	{ "bool", AT_ELEMENT_U8, 1 },
	{ "uchar", AT_ELEMENT_U8, 1 },
	{ "uint8_t", AT_ELEMENT_U8, 1 },
	{ "int16_t", AT_ELEMENT_I16, 1 },
	{ "ushort", AT_ELEMENT_U16, 1 },
	{ "uint16_t", AT_ELEMENT_U16, 1 },
	{ "int32_t", AT_ELEMENT_I32, 1 },
	{ "uint", AT_ELEMENT_U32, 1 },
	{ "unsigned", AT_ELEMENT_U32, 1 },
	{ "uint32_t", AT_ELEMENT_U32, 1 },
	{ "int64_t", AT_ELEMENT_I64, 1 },
	{ "longlong", AT_ELEMENT_I64, 1 },
	{ "size_t", AT_ELEMENT_U64, 1 },
	{ "uint64_t", AT_ELEMENT_U64, 1 },
	{ "ulonglong", AT_ELEMENT_U64, 1 },
	{ "__half", AT_ELEMENT_F16, 1 },
	{ "half2", AT_ELEMENT_F16, 2 },
	{ "__half2", AT_ELEMENT_F16, 2 },
	{ "nv_bfloat16", AT_ELEMENT_BF16, 1 },
	{ "nv_bfloat162", AT_ELEMENT_BF16, 2 },
	{ "__nv_bfloat162", AT_ELEMENT_BF16, 2 },
	{ "__nv_fp8x2_e4m3", AT_ELEMENT_E4M3, 2 },
	{ "__nv_fp8x4_e4m3", AT_ELEMENT_E4M3, 4 },
	{ "__nv_fp8x2_e5m2", AT_ELEMENT_E5M2, 2 },
	{ "__nv_fp8x4_e5m2", AT_ELEMENT_E5M2, 4 },
	{ "cuComplex", AT_ELEMENT_F32, 2 },
	{ "cuFloatComplex", AT_ELEMENT_F32, 2 },
	{ "cuDoubleComplex", AT_ELEMENT_F64, 2 },
};

static const char *const vector_bases[] = { "char", "uchar", "short", "ushort", "int",
	"uint", "longlong", "ulonglong", "float", "double" };

size_t at_element_bytes(enum at_element element)
{
	return elements[element].bytes;
}

const char *at_element_name(enum at_element element)
{
	return elements[element].name;
}

enum at_element_kind at_element_kind(enum at_element element)
{
	return elements[element].kind;
}

int at_element_precision(enum at_element element)
{
	return elements[element].precision;
}

double at_element_largest(enum at_element element)
{
	return elements[element].largest;
}

double at_element_least(enum at_element element)
{
	return elements[element].least;
}

bool at_element_is_narrow(enum at_element element)
{
	return elements[element].kind == AT_ELEMENT_KIND_REAL &&
	       elements[element].bytes < sizeof(float);
}

/* ---- names ---------------------------------------------------------------------- */

const char *at_element_name_at(size_t index)
{
	size_t own = AT_ELEMENT_COUNT - 1;

	if (index < own)
		return elements[index + 1].name;
	return index - own < AT_COUNT_OF(aliases) ? aliases[index - own].name : NULL;
}

const char *at_element_vector_base_at(size_t index)
{
	return index < AT_COUNT_OF(vector_bases) ? vector_bases[index] : NULL;
}

static bool find_named(const char *name, enum at_element *element, int *lanes)
{
	for (int i = 1; i < AT_ELEMENT_COUNT; i++)
		if (!strcmp(name, elements[i].name)) {
			*element = (enum at_element)i;
			*lanes = 1;
			return true;
		}
	for (size_t i = 0; i < AT_COUNT_OF(aliases); i++)
		if (!strcmp(name, aliases[i].name)) {
			*element = aliases[i].element;
			*lanes = aliases[i].lanes;
			return true;
		}
	return false;
}

bool at_element_find(const char *name, enum at_element *element, int *lanes)
{
	size_t length = strlen(name);
	int count = length ? name[length - 1] - '0' : 0, one;

	if (find_named(name, element, lanes))
		return true;
	if (count < 1 || count > 4)
		return false;
	for (size_t i = 0; i < AT_COUNT_OF(vector_bases); i++)
		if (length == strlen(vector_bases[i]) + 1 &&
			!strncmp(name, vector_bases[i], length - 1)) {
			find_named(vector_bases[i], element, &one);
			*lanes = count;
			return true;
		}
	return false;
}

size_t at_element_alignment(enum at_element element, int lanes)
{
	size_t bytes = elements[element].bytes * (lanes == 3 ? 1 : (size_t)lanes);

	return bytes < 16 ? bytes : 16;
}

/* ---- conversions ---------------------------------------------------------------- */

/* The bits of a narrow type: a sign, an exponent, a fraction. */
struct layout {
	int fraction_bits;
	int bias;
	unsigned largest; /* the code of the largest number */
	unsigned beyond; /* for larger values: the code of infinity or of the largest */
	unsigned nan;
	unsigned sign;
};

static struct layout layout_of(enum at_element element)
{
	unsigned sign = 1u << (8 * elements[element].bytes - 1);
	struct layout out = {
		.fraction_bits = elements[element].precision - 1,
		.bias = 1 - ilogb(elements[element].least),
		.sign = sign,
		.nan = sign - 1,
	};

	/* e4m3 has no infinity and one NaN; all other codes are numbers. */
	out.beyond = element == AT_ELEMENT_E4M3
			     ? out.nan
			     : (sign - 1) >> out.fraction_bits << out.fraction_bits;
	out.largest = out.beyond - 1;
	if (elements[element].bytes == 1)
		out.beyond = out.largest;
	return out;
}

/*
 * Truncates the double's significand to the bits of the type at this exponent. Exponent
 * and fraction together are one number whose successor is the next value. This also
 * holds where rounding up carries into the exponent, and from the subnormal numbers to
 * the least normal number.
 */
static unsigned narrow(enum at_element element, double value)
{
	const struct layout layout = layout_of(element);
	uint64_t bits, significand, rest, half;
	unsigned sign, code;
	int exponent, shift;

	memcpy(&bits, &value, sizeof(bits));
	sign = bits >> 63 ? layout.sign : 0;
	bits &= UINT64_MAX >> 1;
	if (bits > UINT64_C(0x7ff) << 52)
		return sign | layout.nan;
	exponent = (int)(bits >> 52) - 1023;
	significand = (bits & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
	shift = 52 - layout.fraction_bits;
	/* e4m3 also uses the exponent above the bias. Larger exponents are clamped
	   here, so that the code cannot overflow. */
	if (exponent > layout.bias + 1)
		exponent = layout.bias + 2;
	if (exponent < 1 - layout.bias)
		shift += 1 - layout.bias - exponent;
	/* Less than half of the smallest number, including the double's own
	   subnormals. */
	if (shift > 53)
		return sign;
	code = (unsigned)(significand >> shift);
	rest = significand & ((UINT64_C(1) << shift) - 1);
	half = UINT64_C(1) << (shift - 1);
	if (rest > half || (rest == half && code % 2))
		code++;
	if (exponent > 1 - layout.bias)
		code += (unsigned)(exponent + layout.bias - 1) << layout.fraction_bits;
	return sign | (code > layout.largest ? layout.beyond : code);
}

static double widen(enum at_element element, unsigned code)
{
	const struct layout layout = layout_of(element);
	unsigned magnitude = code & (layout.sign - 1);
	unsigned one = 1u << layout.fraction_bits;
	unsigned exponent = magnitude >> layout.fraction_bits;
	unsigned fraction = magnitude % one;
	double value;

	if (magnitude > layout.largest)
		value = magnitude == layout.largest + 1 && element != AT_ELEMENT_E4M3
				? INFINITY
				: NAN;
	else
		value = ldexp(exponent ? one + fraction : fraction,
			(exponent ? (int)exponent : 1) - layout.bias -
				layout.fraction_bits);
	return code & layout.sign ? -value : value;
}

double at_element_load(enum at_element element, const void *bytes)
{
	uint64_t bits = 0;
	int unused = 64 - 8 * (int)elements[element].bytes;
	double real;
	float single;

	/* little-endian: the low bytes come first */
	memcpy(&bits, bytes, elements[element].bytes);
	switch (elements[element].kind) {
	case AT_ELEMENT_KIND_NONE:
		break;
	case AT_ELEMENT_KIND_INTEGER:
		/* extends the sign by shifting up and down */
		return (double)((int64_t)(bits << unused) >> unused);
	case AT_ELEMENT_KIND_UNSIGNED:
		return (double)bits;
	case AT_ELEMENT_KIND_REAL:
		if (at_element_is_narrow(element))
			return widen(element, (unsigned)bits);
		memcpy(&single, bytes, sizeof(single));
		if (element == AT_ELEMENT_F32)
			return (double)single;
		memcpy(&real, bytes, sizeof(real));
		return real;
	}
	return 0;
}

void at_element_store(enum at_element element, double value, void *bytes)
{
	float single = (float)value;
	uint64_t bits = 0;

	switch (elements[element].kind) {
	case AT_ELEMENT_KIND_NONE:
		return;
	case AT_ELEMENT_KIND_INTEGER:
		bits = (uint64_t)(int64_t)value;
		break;
	case AT_ELEMENT_KIND_UNSIGNED:
		bits = (uint64_t)value;
		break;
	case AT_ELEMENT_KIND_REAL:
		if (at_element_is_narrow(element))
			bits = narrow(element, value);
		else if (element == AT_ELEMENT_F32)
			memcpy(&bits, &single, sizeof(single));
		else
			memcpy(&bits, &value, sizeof(value));
		break;
	}
	memcpy(bytes, &bits, elements[element].bytes);
}

double at_element_round(enum at_element element, double value)
{
	unsigned char bytes[8] = { 0 };

	at_element_store(element, value, bytes);
	return at_element_load(element, bytes);
}

double at_element_below(enum at_element element, double bound)
{
	int exponent;
	double near = at_element_round(element, bound), step;

	if (element == AT_ELEMENT_F64)
		return nextafter(bound, -INFINITY);
	/* near is infinity if the bound lies beyond the type's largest number. */
	if (near > elements[element].largest)
		return elements[element].largest;
	if (near < bound)
		return near;
	/* One step down. Below a power of two, a step is half as wide. */
	exponent = near == 0 ? -2000 : ilogb(near);
	if (exponent < ilogb(elements[element].least))
		exponent = ilogb(elements[element].least);
	step = ldexp(1, exponent - elements[element].precision + 1);
	if (near > elements[element].least && near == ldexp(1, exponent))
		step /= 2;
	return near - step;
}
