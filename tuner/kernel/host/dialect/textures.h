/*
 * CUDA's C++ for the CPU: textures and surfaces, as in "Texture Fetching" of the CUDA C++
 * Programming Guide. Part of the dialect, behind host_dialect.h.
 * What CUDA leaves undefined (a surface read as a texture, another number of dimensions, a
 * byte offset that is no multiple of what is accessed) ends the launch.
 */
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode {
	cudaBoundaryModeZero,
	cudaBoundaryModeClamp,
	cudaBoundaryModeTrap,
};

/* An access to no memory, which ends a launch, and not the process. */
AT_HOST_INLINE void at_host_refuse()
{
	volatile int *volatile nowhere = (volatile int *)AT_HOST_MISUSE;

	*nowhere = 0;
}

AT_HOST_INLINE const at_host_texels *at_host_texels_of(unsigned long long object,
	bool is_surface, bool is_fetched, unsigned rank)
{
	const at_host_texels *texels = (const at_host_texels *)object;

	if (texels->is_surface != is_surface || texels->is_fetched != is_fetched ||
		rank != 1u + (texels->sizes[1] != 0) + (texels->sizes[2] != 0))
		at_host_refuse();
	return texels;
}

AT_HOST_INLINE float at_host_widen_half(unsigned bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	float size = exponent == 31 ? (fraction ? __builtin_nanf("") : __builtin_inff())
		: __builtin_ldexpf((float)(exponent ? fraction + 1024 : fraction),
			  exponent ? exponent - 25 : -24);

	return bits >> 15 ? -size : size;
}

/* The channels of a texel, each a word of 32 bits; zeros outside, where an index is -1. */
static __attribute__((unused)) void at_host_load_texel(const at_host_texels *texels,
	const long long *index, unsigned *bits)
{
	const unsigned bytes = texels->element_bytes;
	const unsigned char *at = texels->address + index[0] * (long long)(bytes * texels->channels) +
		(index[2] * texels->sizes[1] + index[1]) * (long long)texels->pitch_bytes;
	bool is_outside = index[0] < 0 || index[1] < 0 || index[2] < 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned word = 0;
		float part = 0;

		if (!is_outside && i < texels->channels)
			__builtin_memcpy(&word, at + i * bytes, bytes);
		if (texels->element == AT_HOST_ELEMENT_I8)
			word = (unsigned)(int)(signed char)word;
		if (texels->element == AT_HOST_ELEMENT_I16)
			word = (unsigned)(int)(short)word;
		if (texels->element == AT_HOST_ELEMENT_F16)
			part = at_host_widen_half(word);
		else if (texels->element == AT_HOST_ELEMENT_U8 ||
			texels->element == AT_HOST_ELEMENT_U16)
			part = (float)word / (float)((1u << 8 * bytes) - 1);
		else /* the least integer is below -1 */
			part = fmaxf((float)(int)word / (float)((1u << (8 * bytes - 1)) - 1),
				-1.0f);
		if (texels->is_normalized || texels->element == AT_HOST_ELEMENT_F16)
			__builtin_memcpy(&word, &part, sizeof(word));
		bits[i] = word;
	}
}

/* The index of a texel in a dimension; -1: outside, in the border. */
AT_HOST_INLINE long long at_host_address(const at_host_texels *texels, long long index,
	long long size)
{
	if (index >= 0 && index < size)
		return index;
	if (texels->mode == 0) /* wrap */
		return (index % size + size) % size;
	if (texels->mode == 3) /* border */
		return -1;
	/* a coordinate that is mirrored is half a texel outside at most */
	return index < 0 ? 0 : size - 1;
}

/* Weights have 8 bits of fraction, as in "Linear Filtering" of the guide. */
static __attribute__((unused)) void at_host_sample(unsigned long long object, unsigned rank,
	const float *coordinates, unsigned *bits)
{
	const at_host_texels *texels = at_host_texels_of(object, false, false, rank);
	long long first[3] = { 0, 0, 0 }, index[3] = { 0, 0, 0 };
	float weights[3] = { 0, 0, 0 }, sums[4] = { 0, 0, 0, 0 };

	for (unsigned i = 0; i < rank; i++) {
		float x = coordinates[i], whole = floorf(x);
		double place;

		if (texels->has_normalized_coordinates && texels->mode == 0)
			x -= whole;
		if (texels->has_normalized_coordinates && texels->mode == 2)
			x = fmodf(whole, 2) != 0 ? 1 - (x - whole) : x - whole;
		if (texels->has_normalized_coordinates)
			x *= (float)texels->sizes[i];
		/* NaN and infinity are outside, too */
		place = x > -1e9f ? x < 1e9f ? x : 1e9f : -1e9f;
		if (texels->filters) {
			long long fixed = (long long)floor((place - 0.5) * 256 + 0.5);

			first[i] = fixed >> 8;
			weights[i] = (float)(fixed & 255) / 256;
		} else {
			first[i] = (long long)floor(place);
		}
	}
	for (unsigned corner = 0; corner < (texels->filters ? 1u << rank : 1u); corner++) {
		float weight = 1;

		for (unsigned i = 0; i < rank; i++) {
			unsigned next = corner >> i & 1;

			weight *= next ? weights[i] : 1 - weights[i];
			index[i] = at_host_address(texels, first[i] + next, texels->sizes[i]);
		}
		if (weight == 0)
			continue;
		at_host_load_texel(texels, index, bits);
		for (unsigned i = 0; i < 4; i++)
			sums[i] += weight * at_host_bits<float>(bits[i]);
	}
	if (texels->filters)
		__builtin_memcpy(bits, sums, sizeof(sums));
}

static __attribute__((unused)) void at_host_fetch(unsigned long long object, int x, unsigned *bits)
{
	const at_host_texels *texels = at_host_texels_of(object, false, true, 1);
	long long index[3] = { x < (long long)texels->sizes[0] ? x : -1, 0, 0 };

	at_host_load_texel(texels, index, bits);
}

/* Where a surface has its bytes; NULL: nowhere. */
static __attribute__((unused)) unsigned char *at_host_surface(unsigned long long object,
	unsigned rank, int x, int y, int z, unsigned bytes, unsigned mode)
{
	const at_host_texels *texels = at_host_texels_of(object, true, false, rank);
	long long places[3] = { x, y, z };
	const long long ends[3] = {
		(long long)texels->sizes[0] * texels->channels * texels->element_bytes - bytes,
		(long long)texels->sizes[1] - 1, (long long)texels->sizes[2] - 1 };

	if (x % (int)bytes)
		at_host_refuse();
	for (unsigned i = 0; i < rank; i++) {
		if (places[i] >= 0 && places[i] <= ends[i])
			continue;
		if (mode == cudaBoundaryModeZero)
			return nullptr;
		if (mode != cudaBoundaryModeClamp)
			at_host_refuse();
		places[i] = places[i] < 0 ? 0 : ends[i];
	}
	return texels->address + (places[2] * texels->sizes[1] + places[1]) *
		(long long)texels->pitch_bytes + places[0];
}

/* What a texel can be read as: 1, 2 or 4 parts. */
template <class T> struct at_host_texel;
#define AT_HOST_TEXEL(type, part) \
	template <> struct at_host_texel<type> { typedef part at_part; };
#define AT_HOST_TEXELS(part, name) \
	AT_HOST_TEXEL(part, part) AT_HOST_TEXEL(name##1, part) AT_HOST_TEXEL(name##2, part) \
	AT_HOST_TEXEL(name##4, part)
AT_HOST_TEXEL(char, char)
AT_HOST_TEXELS(signed char, char)
AT_HOST_TEXELS(unsigned char, uchar)
AT_HOST_TEXELS(short, short)
AT_HOST_TEXELS(unsigned short, ushort)
AT_HOST_TEXELS(int, int)
AT_HOST_TEXELS(unsigned, uint)
AT_HOST_TEXELS(float, float)

template <class T> AT_HOST_INLINE T at_host_texel_of(const unsigned *bits)
{
	typedef typename at_host_texel<T>::at_part part;
	part parts[sizeof(T) / sizeof(part)];
	T texel;

	for (unsigned i = 0; i < sizeof(T) / sizeof(part); i++)
		__builtin_memcpy(&parts[i], &bits[i], sizeof(part));
	__builtin_memcpy(&texel, parts, sizeof(T));
	return texel;
}

/* Each function in two forms; one writes through a pointer. */
#define AT_HOST_LIST(...) __VA_ARGS__
#define AT_HOST_TEXTURE(name, parameters, arguments, read) \
	template <class T> AT_HOST_INLINE T name(cudaTextureObject_t texture, parameters) \
	{ \
		unsigned bits[4] = { 0, 0, 0, 0 }; \
		read; \
		return at_host_texel_of<T>(bits); \
	} \
	template <class T> \
	AT_HOST_INLINE void name(T *out, cudaTextureObject_t texture, parameters) \
	{ \
		*out = name<T>(texture, arguments); \
	}
#define AT_HOST_SAMPLE(rank, ...) \
	float at[] = { __VA_ARGS__ }; \
	at_host_sample(texture, rank, at, bits)
AT_HOST_TEXTURE(tex1Dfetch, int x, x, at_host_fetch(texture, x, bits))
AT_HOST_TEXTURE(tex1D, float x, x, AT_HOST_SAMPLE(1, x))
AT_HOST_TEXTURE(tex2D, AT_HOST_LIST(float x, float y), AT_HOST_LIST(x, y),
	AT_HOST_SAMPLE(2, x, y))
AT_HOST_TEXTURE(tex3D, AT_HOST_LIST(float x, float y, float z), AT_HOST_LIST(x, y, z),
	AT_HOST_SAMPLE(3, x, y, z))
/* there are no mipmaps: each level is the first */
AT_HOST_TEXTURE(tex1DLod, AT_HOST_LIST(float x, float), AT_HOST_LIST(x, 0.0f),
	AT_HOST_SAMPLE(1, x))
AT_HOST_TEXTURE(tex2DLod, AT_HOST_LIST(float x, float y, float), AT_HOST_LIST(x, y, 0.0f),
	AT_HOST_SAMPLE(2, x, y))
AT_HOST_TEXTURE(tex3DLod, AT_HOST_LIST(float x, float y, float z, float),
	AT_HOST_LIST(x, y, z, 0.0f), AT_HOST_SAMPLE(3, x, y, z))

#define AT_HOST_SURFACE(read, write, parameters, arguments, rank, x, y, z) \
	template <class T> \
	AT_HOST_INLINE T read(cudaSurfaceObject_t surface, parameters, \
		cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ \
		const unsigned char *at = at_host_surface(surface, rank, x, y, z, sizeof(T), mode); \
		T value; \
		__builtin_memset((void *)&value, 0, sizeof(T)); \
		if (at) \
			__builtin_memcpy((void *)&value, at, sizeof(T)); \
		return value; \
	} \
	template <class T> \
	AT_HOST_INLINE void read(T *out, cudaSurfaceObject_t surface, parameters, \
		cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ \
		*out = read<T>(surface, arguments, mode); \
	} \
	template <class T> \
	AT_HOST_INLINE void write(T value, cudaSurfaceObject_t surface, parameters, \
		cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ \
		unsigned char *at = at_host_surface(surface, rank, x, y, z, sizeof(T), mode); \
		if (at) \
			__builtin_memcpy(at, &value, sizeof(T)); \
	}
AT_HOST_SURFACE(surf1Dread, surf1Dwrite, int x, x, 1, x, 0, 0)
AT_HOST_SURFACE(surf2Dread, surf2Dwrite, AT_HOST_LIST(int x, int y), AT_HOST_LIST(x, y), 2, x, y, 0)
AT_HOST_SURFACE(surf3Dread, surf3Dwrite, AT_HOST_LIST(int x, int y, int z),
	AT_HOST_LIST(x, y, z), 3, x, y, z)
