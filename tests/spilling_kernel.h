/* The source of a kernel "spill" that spills registers: it needs 150 values at once and
   may have 64 registers. */
#ifndef SPILLING_KERNEL_H
#define SPILLING_KERNEL_H

#define SPILLING_KERNEL \
	"extern \"C\" __global__ void __launch_bounds__(1024) spill(float *out, int n)\n" \
	"{\n" \
	"	float v[150];\n" \
	"#pragma unroll\n" \
	"	for (int i = 0; i < 150; i++)\n" \
	"		v[i] = out[i * n];\n" \
	"	for (int j = 0; j < n; j++)\n" \
	"#pragma unroll\n" \
	"		for (int i = 0; i < 150; i++)\n" \
	"			v[i] = v[i] * v[(i + 7) % 150] + v[(i + 31) % 150];\n" \
	"	float sum = 0;\n" \
	"#pragma unroll\n" \
	"	for (int i = 0; i < 150; i++)\n" \
	"		sum += v[i];\n" \
	"	out[threadIdx.x] = sum;\n" \
	"}\n"

#endif
