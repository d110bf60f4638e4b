/*
 * What the board is doing: clocks, temperature, power, reasons to throttle, whose else
 * it is, from
 * NVIDIA's management library, found at run time. Everything here is optional:
 * without the library or a right to ask it, the answers are zeros.
 * Threads: one object, one thread.
 */
#ifndef AT_DEVICE_CUDA_NVML_H
#define AT_DEVICE_CUDA_NVML_H

#include "device/device.h"

struct at_nvml; /* opaque, heap */

/*
 * Finds the board by its UUID ("GPU-..."), the slice of a board by the same with "MIG-"
 * in front or, where both are unknown to NVML, the board by its PCI bus id: indices
 * differ from the driver's under CUDA_VISIBLE_DEVICES. NULL when it cannot be had; the
 * functions below take NULL.
 */
struct at_nvml *at_nvml_open(const char *uuid, const char *bus_id);
void at_nvml_close(struct at_nvml *self);

void at_nvml_state(struct at_nvml *self, struct at_device_state *out);
/* As the slot of the same name. */
size_t at_nvml_neighbours(
	struct at_nvml *self, struct at_neighbour *neighbours, size_t room);
/* "580.159.04"; "" when unknown. */
void at_nvml_driver_version(struct at_nvml *self, char *buffer, size_t size);
/* The highest clocks of the board; 0 when unknown. */
void at_nvml_max_clocks(
	struct at_nvml *self, uint64_t *clock_hz, uint64_t *memory_clock_hz);

/* It is a slice of a board (MIG), of which its UUID was: "MIG-..." is the whole. */
bool at_nvml_is_slice(const struct at_nvml *self);
/* "NVIDIA H200 MIG 1g.18gb" of a slice; else, and where it is not told, "". */
void at_nvml_slice_name(struct at_nvml *self, char *buffer, size_t size);
/* That the board was set to, and comes with, in watts; 0: not known. */
void at_nvml_power_limits(struct at_nvml *self, int64_t *set, int64_t *by_default);

#endif
