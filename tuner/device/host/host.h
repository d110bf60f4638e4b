/* The row of the device registry for host; see device/device.h. */
#ifndef AT_DEVICE_HOST_HOST_H
#define AT_DEVICE_HOST_HOST_H

#include "device/device.h"

extern const struct at_device_kind at_device_kind_host;

#endif
