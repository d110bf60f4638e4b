/* The names of device properties, and tables of architectures and boards. */
#include "space/properties.h"

#include <stddef.h>
#include <string.h>

static const char *const names[AT_PROPERTY_COUNT] = {
#define NAME(symbol, name) #name,
	AT_PROPERTIES(NAME)
#undef NAME
};

const char *at_property_name(enum at_property property)
{
	return names[property];
}

void at_properties_set(
	struct at_properties *self, enum at_property property, int64_t value)
{
	self->value[property] = value;
	self->known[property] = true;
}

/* The differences between architectures: NVIDIA, CUDA C++ Programming Guide, "Technical
   Specifications per Compute Capability" (13.0). */
static const struct architecture {
	int compute_capability;
	int threads_per_multiprocessor;
	int blocks_per_multiprocessor;
	int shared_kib_per_multiprocessor;
	int reserved_shared_bytes_per_block;
} architectures[] = {
	{ 75, 1024, 16, 64, 0 },
	{ 80, 2048, 32, 164, 1024 },
	{ 86, 1536, 16, 100, 1024 },
	{ 87, 1536, 16, 164, 1024 },
	{ 89, 1536, 24, 100, 1024 },
	{ 90, 2048, 32, 228, 1024 },
	{ 100, 2048, 32, 228, 1024 },
	{ 103, 2048, 32, 228, 1024 },
	{ 110, 1536, 24, 228, 1024 },
	{ 120, 1536, 24, 100, 1024 },
	{ 121, 1536, 24, 100, 1024 },
};

/* A large board of each architecture; the sources are in the header. */
static const struct board {
	int compute_capability;
	const char *name;
	int multiprocessor_count;
	int l2_kib; /* 0: not published */
} boards[] = {
	{ 75, "T4", 40, 4096 },
	{ 80, "A100", 108, 40960 },
	{ 86, "GeForce RTX 3090", 82, 6144 },
	{ 87, "Jetson AGX Orin", 16, 0 },
	{ 89, "GeForce RTX 4090", 128, 73728 },
	{ 90, "H100 SXM", 132, 51200 },
	{ 100, "B200", 148, 129024 },
	{ 110, "Jetson AGX Thor", 20, 0 },
	{ 120, "GeForce RTX 5090", 170, 98304 },
	{ 121, "GB10", 48, 0 },
};

/* Common to every architecture of the first table. */
static const struct {
	enum at_property property;
	int64_t value;
} common[] = {
	{ AT_PROPERTY_WARP_SIZE, 32 },
	{ AT_PROPERTY_MAX_THREADS_PER_BLOCK, 1024 },
	{ AT_PROPERTY_MAX_BLOCK_X, 1024 },
	{ AT_PROPERTY_MAX_BLOCK_Y, 1024 },
	{ AT_PROPERTY_MAX_BLOCK_Z, 64 },
	{ AT_PROPERTY_MAX_GRID_X, 2147483647 },
	{ AT_PROPERTY_MAX_GRID_Y, 65535 },
	{ AT_PROPERTY_MAX_GRID_Z, 65535 },
	{ AT_PROPERTY_MAX_REGISTERS_PER_BLOCK, 65536 },
	{ AT_PROPERTY_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536 },
	{ AT_PROPERTY_MAX_SHARED_BYTES_PER_BLOCK, 49152 },
};

/* The 90 of "sm_90", and of "sm_90a", which has the same limits; -1 for other texts. */
static int compute_capability_of(const char *architecture)
{
	const char *digit = architecture + 3;
	int value = 0;

	if (strncmp(architecture, "sm_", 3))
		return -1;
	for (; *digit >= '0' && *digit <= '9' && value < 1000; digit++)
		value = 10 * value + (*digit - '0');
	if ((*digit == 'a' || *digit == 'f') && value > 0)
		digit++;
	return *digit ? -1 : value;
}

bool at_properties_of_architecture(const char *architecture, struct at_properties *out)
{
	int compute_capability = compute_capability_of(architecture);
	const struct architecture *found = NULL;
	int64_t shared_bytes;

	for (size_t i = 0; i < sizeof(architectures) / sizeof(*architectures); i++)
		if (architectures[i].compute_capability == compute_capability)
			found = &architectures[i];
	if (!found)
		return false;
	/* Other properties stay unknown; an expression that uses them reports that. */
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++)
		at_properties_set(out, common[i].property, common[i].value);
	shared_bytes = (int64_t)found->shared_kib_per_multiprocessor * 1024;
	at_properties_set(out, AT_PROPERTY_COMPUTE_CAPABILITY, compute_capability);
	at_properties_set(out, AT_PROPERTY_MAX_THREADS_PER_MULTIPROCESSOR,
		found->threads_per_multiprocessor);
	at_properties_set(out, AT_PROPERTY_MAX_BLOCKS_PER_MULTIPROCESSOR,
		found->blocks_per_multiprocessor);
	at_properties_set(
		out, AT_PROPERTY_SHARED_BYTES_PER_MULTIPROCESSOR, shared_bytes);
	at_properties_set(out, AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK,
		found->reserved_shared_bytes_per_block);
	/* A block cannot use the shared memory that the driver reserves. */
	at_properties_set(out, AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK,
		shared_bytes - found->reserved_shared_bytes_per_block);
	return true;
}

static void assume(struct at_properties *self, enum at_property property, int64_t value)
{
	if (value && !self->known[property])
		at_properties_set(self, property, value);
}

bool at_properties_assume_board(
	const char *architecture, struct at_properties *properties, const char **board)
{
	int compute_capability = compute_capability_of(architecture);

	for (size_t i = 0; i < sizeof(boards) / sizeof(*boards); i++) {
		const struct board *found = &boards[i];

		if (found->compute_capability != compute_capability)
			continue;
		assume(properties, AT_PROPERTY_MULTIPROCESSOR_COUNT,
			found->multiprocessor_count);
		assume(properties, AT_PROPERTY_L2_BYTES, (int64_t)found->l2_kib * 1024);
		*board = found->name;
		return true;
	}
	return false;
}
