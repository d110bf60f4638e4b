/*
 * NVIDIA's <cuComplex.h> for the device "host". As there cuCabs(), cuCdiv() do not
 * overflow where the result does not.
 */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define AT_COMPLEX(at_type, at_real, f, at_letter, at_absolute, at_hypotenuse) \
	AT_HOST_INLINE at_type make_cu##at_letter##Complex(at_real x, at_real y) { return at_type{ x, y }; } \
	AT_HOST_INLINE at_real cuCreal##f(at_type a) { return a.x; } \
	AT_HOST_INLINE at_real cuCimag##f(at_type a) { return a.y; } \
	AT_HOST_INLINE at_type cuConj##f(at_type a) { return at_type{ a.x, -a.y }; } \
	AT_HOST_INLINE at_type cuCadd##f(at_type a, at_type b) { return at_type{ a.x + b.x, a.y + b.y }; } \
	AT_HOST_INLINE at_type cuCsub##f(at_type a, at_type b) { return at_type{ a.x - b.x, a.y - b.y }; } \
	AT_HOST_INLINE at_type cuCmul##f(at_type a, at_type b) \
	{ return at_type{ a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x }; } \
	AT_HOST_INLINE at_type cuCdiv##f(at_type a, at_type b) \
	{ \
		at_real at_scale = 1 / (at_absolute(b.x) + at_absolute(b.y)); \
		at_real at_ax = a.x * at_scale, at_ay = a.y * at_scale, at_bx = b.x * at_scale, at_by = b.y * at_scale; \
		at_real at_size = 1 / (at_bx * at_bx + at_by * at_by); \
		return at_type{ (at_ax * at_bx + at_ay * at_by) * at_size, (at_ay * at_bx - at_ax * at_by) * at_size }; \
	} \
	AT_HOST_INLINE at_real cuCabs##f(at_type a) { return at_hypotenuse(a.x, a.y); } \
	AT_HOST_INLINE at_type cuCfma##f(at_type a, at_type b, at_type c) \
	{ \
		return at_type{ a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x }; \
	}
AT_COMPLEX(cuFloatComplex, float, f, Float, fabsf, hypotf)
AT_COMPLEX(cuDoubleComplex, double, , Double, fabs, hypot)
#undef AT_COMPLEX
AT_HOST_INLINE cuComplex make_cuComplex(float x, float y) { return cuComplex{ x, y }; }
AT_HOST_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{ return cuDoubleComplex{ a.x, a.y }; }
AT_HOST_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{ return cuFloatComplex{ (float)a.x, (float)a.y }; }

#endif
