/*
 * The types of numbers in buffers and scalars. One table has each type's name, size,
 * range and precision. The conversions are in software, so that they give the same
 * result on every machine.
 *
 *   enum at_element element;
 *   int lanes;
 *   if (at_element_find("float4", &element, &lanes)) ...
 *
 * measure/support.cu has the same numbering and conversions for the device;
 * tests/test_element.c compares the two. Threads: pure functions.
 */
#ifndef AT_SPACE_ELEMENT_H
#define AT_SPACE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * For each type: symbol, name, bytes, kind; for reals also the bits of the significand,
 * the largest finite number and the smallest normal number. support.cu relies on the
 * order, and records store the numbers: add new types at the end.
 */
#define AT_ELEMENTS(X) \
	X(I8, "char", 1, INTEGER, 0, 0, 0) \
	X(U8, "unsigned char", 1, UNSIGNED, 0, 0, 0) \
	X(I16, "short", 2, INTEGER, 0, 0, 0) \
	X(U16, "unsigned short", 2, UNSIGNED, 0, 0, 0) \
	X(I32, "int", 4, INTEGER, 0, 0, 0) \
	X(U32, "unsigned int", 4, UNSIGNED, 0, 0, 0) \
	X(I64, "long long", 8, INTEGER, 0, 0, 0) \
	X(U64, "unsigned long long", 8, UNSIGNED, 0, 0, 0) \
	X(F32, "float", 4, REAL, 24, 0x1.fffffep127, 0x1p-126) \
	X(F64, "double", 8, REAL, 53, 0x1.fffffffffffffp1023, 0x1p-1022) \
	X(F16, "half", 2, REAL, 11, 65504, 0x1p-14) \
	X(BF16, "__nv_bfloat16", 2, REAL, 8, 0x1.fep127, 0x1p-126) \
	X(E4M3, "__nv_fp8_e4m3", 1, REAL, 4, 448, 0x1p-6) \
	X(E5M2, "__nv_fp8_e5m2", 1, REAL, 3, 57344, 0x1p-14)

enum at_element {
	AT_ELEMENT_NONE = 0,
#define AT_ELEMENT_ENUM(symbol, name, bytes, kind, precision, largest, least) \
	AT_ELEMENT_##symbol,
	AT_ELEMENTS(AT_ELEMENT_ENUM)
#undef AT_ELEMENT_ENUM
		AT_ELEMENT_COUNT
};

enum at_element_kind {
	AT_ELEMENT_KIND_NONE = 0,
	AT_ELEMENT_KIND_INTEGER,
	AT_ELEMENT_KIND_UNSIGNED,
	AT_ELEMENT_KIND_REAL,
};

/* Bytes of an element; its C++ name (static storage); its kind. */
size_t at_element_bytes(enum at_element element);
const char *at_element_name(enum at_element element);
enum at_element_kind at_element_kind(enum at_element element);

/* Of reals, else 0: the bits of the significand (24 for float), the largest finite
   number and the smallest normal number, below which bits are lost. */
int at_element_precision(enum at_element element);
double at_element_largest(enum at_element element);
double at_element_least(enum at_element element);
/* Whether it is a real of less than four bytes. Kernels compute with such a type in
   float and only store it. */
bool at_element_is_narrow(enum at_element element);

/*
 * Finds the type of a name: "int", "uint8_t", "float4", "__half2", "cuComplex". lanes
 * gets 1 to 4. Returns false for an unknown name, with *element and *lanes unchanged.
 */
bool at_element_find(const char *name, enum at_element *element, int *lanes);
/* The known names by index, NULL after the last; without vectors named by a base and a
   number. */
#define AT_ELEMENT_NAMES_MAX 100
const char *at_element_name_at(size_t index);
/* The bases of vectors by index, "float" of "float4"; NULL after the last. */
const char *at_element_vector_base_at(size_t index);
/* The alignment in bytes of a CUDA vector with this many lanes. */
size_t at_element_alignment(enum at_element element, int lanes);

/* Reads an element from its bytes. A 64-bit integer is rounded to the nearest
   double. */
double at_element_load(enum at_element element, const void *bytes);
/*
 * Writes the element nearest to value, ties to even, as CUDA converts. A value beyond
 * the largest becomes infinity, in 8-bit types the largest number (__NV_SATFINITE). For
 * integers the fraction is truncated; the value must be in the type's range.
 */
void at_element_store(enum at_element element, double value, void *bytes);
/* The value after conversion to this type. */
double at_element_round(enum at_element element, double value);
/* The largest real of the type below `bound`, which is finite. */
double at_element_below(enum at_element element, double bound);

#endif
