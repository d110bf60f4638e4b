/*
 * What this machine is as a device. Everything has a fallback, so that nothing here
 * fails.
 * Threads: safe.
 */
#ifndef AT_DEVICE_HOST_MACHINE_H
#define AT_DEVICE_HOST_MACHINE_H

#include "device/device.h"

/* Fills in all of *info except kind and id. */
void at_host_machine_describe(unsigned core_count, struct at_device_info *info);

#endif
