/*
 * Measures what a device does at best: the ceilings of kernel/roofline.h.
 *
 * Copy bandwidth: a device-to-device copy by the device's own means
 * (at_device_ops.time_copy), else by the fastest of our own copy kernels, of buffers
 * large beside the last-level cache, read and written bytes both counted. FMA rate:
 * independent chains of fused multiply-adds, enough of them in a thread to hide their
 * latency and enough threads to fill the device. Each is the median of several samples
 * after a warm-up, so a rate that the board sustains; and the best of three such
 * medians, so that it is the device's rate and not that of a busy moment.
 *
 * A launch that did not run must not become a ceiling: every sample's copy is compared,
 * and the chains return the number of operations that they made.
 *
 * Runs inside a measure worker; deadlines are kept by whoever watches that process.
 * Must not know which kind of device it is on. Threads: the device's.
 */
#ifndef AT_MEASURE_CEILINGS_H
#define AT_MEASURE_CEILINGS_H

#include "device/device.h"
#include "kernel/roofline.h"

/*
 * image: measure/ceilings.cu compiled for this device with the options below. All
 * three of *out are positive and finite, or it fails: AT_ENOMEM when the buffers do
 * not fit (at most an eighth of the memory each), AT_EDEVICE for everything else;
 * the device may then be lost.
 */
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
