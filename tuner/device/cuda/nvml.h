/*
 * The state of the board, from NVIDIA's management library, found at run time: clocks,
 * power limits, energy, reasons to throttle, processes on the board. All of this is
 * optional: without the library or its permission, the results are zeros and empty
 * texts. Threads: each object is used by one thread.
 */
#ifndef AT_DEVICE_CUDA_NVML_H
#define AT_DEVICE_CUDA_NVML_H

#include "device/device.h"

struct at_nvml;

/*
 * Finds the board by its UUID ("GPU-..."), else a slice of a board by the same UUID
 * with "MIG-" in front, else the board by its PCI bus id. NVML's indices cannot be
 * used: under CUDA_VISIBLE_DEVICES they differ from the driver's. NULL: NVML or the
 * board was not found. The functions below accept NULL. The caller owns the object.
 */
struct at_nvml *at_nvml_open(const char *uuid, const char *bus_id);
/* NULL is allowed. */
void at_nvml_close(struct at_nvml *self);

/* Fills in everything that the board reports, and zeroes the rest. */
void at_nvml_state(struct at_nvml *self, struct at_device_state *out);
/* The slots of at_device_ops with the same names. */
enum at_status at_nvml_energy(
	struct at_nvml *self, struct at_energy *out, struct at_error *err);
double at_nvml_celsius(struct at_nvml *self);
/* The slots of at_device_ops and of at_device_kind with the same names. */
enum at_status at_nvml_set_clocks(
	struct at_nvml *self, const struct at_clocks *clocks, struct at_error *err);
uint32_t at_nvml_power_milliwatts(struct at_nvml *self);
enum at_status at_nvml_restore_clocks(
	const char *uuid, const struct at_clocks *left, struct at_error *err);
/* Fills in the members of the info about possible settings. */
void at_nvml_offer(struct at_nvml *self, struct at_device_info *out);
/* The slot of at_device_ops with the same name. */
size_t at_nvml_neighbours(
	struct at_nvml *self, struct at_neighbour *neighbours, size_t room);
/* The driver's version, such as "580.159.04"; "" if unknown. */
void at_nvml_driver_version(struct at_nvml *self, char *buffer, size_t size);
/* The highest clocks of the board, in Hz; 0 if unknown. */
void at_nvml_max_clocks(
	struct at_nvml *self, uint64_t *clock_hz, uint64_t *memory_clock_hz);

/* Whether the device is a slice of a board (MIG): its UUID was found as "MIG-...". */
bool at_nvml_is_slice(const struct at_nvml *self);
/* The name of a slice with its profile, such as "NVIDIA H200 MIG 1g.18gb"; "" if
   unknown, and for a whole board. */
void at_nvml_slice_name(struct at_nvml *self, char *buffer, size_t size);
/* The board's set and default power limits, in watts; 0 if unknown. */
void at_nvml_power_limits(struct at_nvml *self, int64_t *set, int64_t *by_default);

#endif
