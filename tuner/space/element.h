/*
 * The numbers that buffers and scalars consist of: one table, which all read that need
 * to know a type's name, size, range or precision, and conversions in software, the
 * same on every machine.
 *
 *   enum at_element element;
 *   int lanes;
 *   if (at_element_find("float4", &element, &lanes)) ...
 *
 * measure/support.cu has the same numbering and conversions for the device;
 * tests/test_element.c holds the two against each other. Threads: pure functions.
 */
#ifndef AT_SPACE_ELEMENT_H
#define AT_SPACE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Symbol, name, bytes, kind; of reals the bits of the significand, the largest finite
 * number and the smallest that has all bits. The order is that of support.cu, and the
 * numbers are in records: new ones go to the end.
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

size_t at_element_bytes(enum at_element element);
const char *at_element_name(enum at_element element);
enum at_element_kind at_element_kind(enum at_element element);

/* Of reals, else 0: the bits of the significand (24 of float), the largest finite
   number, and the smallest that has all bits. */
int at_element_precision(enum at_element element);
double at_element_largest(enum at_element element);
double at_element_least(enum at_element element);
/* A real of less than four bytes: others compute with it in float, and store it. */
bool at_element_is_narrow(enum at_element element);

/*
 * What a type's name stands for: "int", "uint8_t", "float4", "__half2", "cuComplex".
 * False: nothing that is known; neither is then changed. lanes: 1 to 4.
 */
bool at_element_find(const char *name, enum at_element *element, int *lanes);
/* All those names, but for vectors that are a base and a number (NULL at the end). */
#define AT_ELEMENT_NAMES_MAX 100
const char *at_element_name_at(size_t index);
/* The bases of vectors: "float" of "float4" (NULL at the end). */
const char *at_element_vector_base_at(size_t index);
/* What CUDA aligns one of so many lanes to, in bytes. */
size_t at_element_alignment(enum at_element element, int lanes);

/* A real as stored; of integers as well (64-bit ones to the nearest double). */
double at_element_load(enum at_element element, const void *bytes);
/*
 * The nearest real of the type, ties to even, as CUDA converts: beyond the largest it
 * is infinity, but in the types of 8 bits the largest (__NV_SATFINITE). Of integers
 * what is in range is cut off.
 */
void at_element_store(enum at_element element, double value, void *bytes);
/* at_element_load() of what at_element_store() makes of it. */
double at_element_round(enum at_element element, double value);
/* The largest real of the type below `bound`, which is finite. */
double at_element_below(enum at_element element, double bound);

#endif
