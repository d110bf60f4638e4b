/*
 * The device properties that expressions use as device.NAME. This list also gives their
 * names in the store and in the JSON. All values are integers; a device may lack some.
 */
#ifndef AT_SPACE_PROPERTIES_H
#define AT_SPACE_PROPERTIES_H

#include <stdbool.h>
#include <stdint.h>

#define AT_PROPERTIES(X) \
	X(COMPUTE_CAPABILITY, compute_capability) /* 10 * major + minor: 90 */ \
	X(MULTIPROCESSOR_COUNT, multiprocessor_count) /* on host: cores */ \
	X(WARP_SIZE, warp_size) \
	X(MAX_THREADS_PER_BLOCK, max_threads_per_block) \
	X(MAX_BLOCK_X, max_block_x) \
	X(MAX_BLOCK_Y, max_block_y) \
	X(MAX_BLOCK_Z, max_block_z) \
	X(MAX_GRID_X, max_grid_x) \
	X(MAX_GRID_Y, max_grid_y) \
	X(MAX_GRID_Z, max_grid_z) \
	X(MAX_THREADS_PER_MULTIPROCESSOR, max_threads_per_multiprocessor) \
	X(MAX_BLOCKS_PER_MULTIPROCESSOR, max_blocks_per_multiprocessor) \
	X(MAX_REGISTERS_PER_BLOCK, max_registers_per_block) \
	X(MAX_REGISTERS_PER_MULTIPROCESSOR, max_registers_per_multiprocessor) \
	/* static shared memory, or dynamic without opting in: 48 KiB */ \
	X(MAX_SHARED_BYTES_PER_BLOCK, max_shared_bytes_per_block) \
	/* dynamic shared memory with opt-in */ \
	X(MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK, max_dynamic_shared_bytes_per_block) \
	X(SHARED_BYTES_PER_MULTIPROCESSOR, shared_bytes_per_multiprocessor) \
	/* the driver's share of each block's shared memory: 1 KiB since sm_80 */ \
	X(RESERVED_SHARED_BYTES_PER_BLOCK, reserved_shared_bytes_per_block) \
	X(L2_BYTES, l2_bytes) /* on host: the last-level cache */ \
	X(MEMORY_BYTES, memory_bytes) \
	X(CLOCK_HZ, clock_hz) \
	X(MEMORY_CLOCK_HZ, memory_clock_hz) \
	X(MEMORY_BUS_BITS, memory_bus_bits) \
	/* the present limit, and the board's default */ \
	X(POWER_LIMIT_WATTS, power_limit_watts) \
	X(DEFAULT_POWER_LIMIT_WATTS, default_power_limit_watts)

enum at_property {
#define AT_PROPERTY_ENUM(symbol, name) AT_PROPERTY_##symbol,
	AT_PROPERTIES(AT_PROPERTY_ENUM)
#undef AT_PROPERTY_ENUM
		AT_PROPERTY_COUNT
};

/* The properties of a device; value[i] is valid only if known[i]. */
struct at_properties {
	int64_t value[AT_PROPERTY_COUNT];
	bool known[AT_PROPERTY_COUNT];
};

/* "l2_bytes"; static storage. */
const char *at_property_name(enum at_property property);
void at_properties_set(
	struct at_properties *self, enum at_property property, int64_t value);

/*
 * Fills *out with the limits of an architecture ("sm_90"), from NVIDIA's CUDA C++
 * Programming Guide, table "Technical Specifications per Compute Capability".
 * Properties that differ between boards of one architecture (multiprocessors, memory,
 * clocks, L2) stay unknown. Returns false for an architecture that is not in the table.
 */
bool at_properties_of_architecture(const char *architecture, struct at_properties *out);

/*
 * Without a board: fills in unknown properties of a common large board of the
 * architecture (*board: "H100 SXM", static storage). It sets the number of
 * multiprocessors, and L2 if NVIDIA publishes it. Figures: NVIDIA's architecture white
 * papers (A100, GA102, Ada, H100, RTX Blackwell), the Blackwell Tuning Guide (L2 of
 * B200), and data sheets (T4, Jetson, GB10: CUDA cores divided by the cores of a
 * multiprocessor). Returns false, with nothing changed, if there is no such figure
 * (sm_103) or the architecture is unknown.
 */
bool at_properties_assume_board(
	const char *architecture, struct at_properties *properties, const char **board);

#endif
