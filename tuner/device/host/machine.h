/*
 * What there is to know of this machine as a device. Everything has a fallback;
 * nothing here fails. Threads: safe.
 */
#ifndef AT_DEVICE_HOST_MACHINE_H
#define AT_DEVICE_HOST_MACHINE_H

#include "device/device.h"

/* Cores that this process may use: its affinity and its group's quota; at least 1. */
unsigned at_host_machine_cores(void);

/* All but kind and id: model, uuid, architecture, driver, properties. */
void at_host_machine_describe(unsigned core_count, struct at_device_info *info);

#endif
