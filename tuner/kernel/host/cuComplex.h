/*
 * NVIDIA's <cuComplex.h> for the device "host". As there cuCabs(), cuCdiv() do not
 * overflow where the result does not.
 */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define AT_COMPLEX(type, real, f, letter, absolute, hypotenuse) \
	AT_HOST_INLINE type make_cu##letter##Complex(real x, real y) { return type{ x, y }; } \
	AT_HOST_INLINE real cuCreal##f(type a) { return a.x; } \
	AT_HOST_INLINE real cuCimag##f(type a) { return a.y; } \
	AT_HOST_INLINE type cuConj##f(type a) { return type{ a.x, -a.y }; } \
	AT_HOST_INLINE type cuCadd##f(type a, type b) { return type{ a.x + b.x, a.y + b.y }; } \
	AT_HOST_INLINE type cuCsub##f(type a, type b) { return type{ a.x - b.x, a.y - b.y }; } \
	AT_HOST_INLINE type cuCmul##f(type a, type b) \
	{ return type{ a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x }; } \
	AT_HOST_INLINE type cuCdiv##f(type a, type b) \
	{ \
		real scale = 1 / (absolute(b.x) + absolute(b.y)); \
		real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale; \
		real size = 1 / (bx * bx + by * by); \
		return type{ (ax * bx + ay * by) * size, (ay * bx - ax * by) * size }; \
	} \
	AT_HOST_INLINE real cuCabs##f(type a) { return hypotenuse(a.x, a.y); } \
	AT_HOST_INLINE type cuCfma##f(type a, type b, type c) \
	{ \
		return type{ a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x }; \
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
