/*
 * Measuring what a device does at best, in worker processes: one compiles
 * measure/ceilings.cu for it, one measures. Threads: one session at a time in a
 * process, on one thread.
 */
#ifndef AT_WORKERS_CEILINGS_H
#define AT_WORKERS_CEILINGS_H

#include "base/error.h"
#include "device/device.h"
#include "kernel/roofline.h"

/*
 * Takes a second or two, and its turn at the device. executable: to start workers
 * from; NULL: this one. *info is what the worker that measured says of the device.
 * A missing compiler, a device that crashes, hangs or gives wrong results is an error
 * of one line; SIGINT, SIGTERM and SIGHUP end it with AT_EINTERRUPTED.
 */
enum at_status at_workers_measure_ceilings(const char *executable,
	const char *device_id, struct at_device_info *info, struct at_ceilings *out,
	struct at_error *err);

#endif
