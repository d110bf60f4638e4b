/*
 * Measures a device's peak rates: the ceilings of kernel/roofline.h.
 *
 * Copy bandwidth: the device's own device-to-device copy (at_device_ops.time_copy),
 * else the fastest of the tuner's copy kernels. The buffers are large against the
 * last-level cache; read and written bytes both count. FMA rate: independent chains of
 * fused multiply-adds, enough per thread to hide their latency, and enough threads to
 * fill the device. Each rate is a median of several samples after a warm-up, so the
 * device sustains it. The best of three such medians counts, so that other work does
 * not lower it.
 *
 * A launch that did not run must not become a ceiling: every sample's copy is compared,
 * and the chains return the number of their operations.
 *
 * Runs inside a measure worker, whose watcher enforces deadlines. Must not know the
 * kind of its device. Threads: the device's.
 */
#ifndef AT_MEASURE_CEILINGS_H
#define AT_MEASURE_CEILINGS_H

#include "device/device.h"
#include "kernel/roofline.h"

/* image: measure/ceilings.cu compiled for this device with the options below. On
   success all three of *out are positive and finite. AT_ENOMEM: the buffers do not fit
   (at most an eighth of the memory each). AT_EDEVICE: any other failure; the device may
   then be lost. */
enum at_status at_ceilings_measure(struct at_device *device, const unsigned char *image,
	size_t bytes, struct at_ceilings *out, struct at_error *err);

/* The source, its kernels and options, for every toolchain. */
extern const unsigned char at_embedded_ceilings[];
extern const size_t at_embedded_ceilings_size;
extern const char *const at_ceilings_kernels[];
extern const size_t at_ceilings_kernel_count;
extern const char *const at_ceilings_options[];
extern const size_t at_ceilings_option_count;

#endif
