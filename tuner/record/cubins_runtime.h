#ifndef AUTOTUNE_NULL
#ifdef __cplusplus
#define AUTOTUNE_NULL nullptr
#else
#define AUTOTUNE_NULL 0
#endif
#endif

#ifndef AUTOTUNE_CUBIN
#define AUTOTUNE_CUBIN 1

/* One configuration, compiled for one architecture. */
struct autotune_cubin {
	int configuration;
	int major; /* it runs on devices of this major version */
	int minor; /* and of this minor version or a higher one */
	const unsigned char *data; /* for cuModuleLoadData() */
	unsigned long long size;
	unsigned long long checksum; /* FNV-1a of data, 64 bits */
	const char *name; /* for cuModuleGetFunction() */
	const char *prepare; /* a kernel to launch before it; 0: none */
	const char *finish; /* a kernel to launch after it; 0: none */
};

static inline unsigned long long autotune_checksum(
	const unsigned char *data, unsigned long long size)
{
	unsigned long long hash = 14695981039346656037ULL, i;

	for (i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 1099511628211ULL;
	return hash;
}

/* 1: the bytes match their checksum; 0: they do not, so do not load them. */
static inline int autotune_cubin_is_sound(const struct autotune_cubin *cubin)
{
	return cubin->size > 0 &&
	       autotune_checksum(cubin->data, cubin->size) == cubin->checksum;
}

/*
 * The best cubin of a configuration for a device. A cubin runs on devices of its major
 * version whose minor version is not lower than its own, and on no others. Of those
 * that run this is the one with the highest minor version; 0: there is none.
 */
static inline const struct autotune_cubin *autotune_cubin_find(
	const struct autotune_cubin *all, int count, int configuration, int major,
	int minor)
{
	const struct autotune_cubin *best = AUTOTUNE_NULL;
	int i;

	for (i = 0; i < count; i++)
		if (all[i].configuration == configuration && all[i].major == major &&
			all[i].minor <= minor && (!best || all[i].minor > best->minor))
			best = &all[i];
	return best;
}

#elif AUTOTUNE_CUBIN != 1
#error "this unit has cubins of different versions of autotune: write all of them again with autotune header"
#endif
