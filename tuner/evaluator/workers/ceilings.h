/* Measures a device's peak rates in worker processes: a compile worker compiles
   measure/ceilings.cu, a measure worker measures. Threads: one call at a time in a
   process, on one thread. */
#ifndef AT_WORKERS_CEILINGS_H
#define AT_WORKERS_CEILINGS_H

#include "base/error.h"
#include "device/device.h"
#include "kernel/roofline.h"

/*
 * Takes a second or two, and waits for its turn at the device. executable: the program
 * to start as workers; NULL: the running one. *info: the measure worker's description
 * of the device. A missing compiler, or a device that crashes, hangs or gives wrong
 * results, is an error of one line. SIGINT, SIGTERM and SIGHUP end the call with
 * AT_EINTERRUPTED.
 */
enum at_status at_workers_measure_ceilings(const char *executable,
	const char *device_id, struct at_device_info *info, struct at_ceilings *out,
	struct at_error *err);

#endif
