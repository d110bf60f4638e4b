/* The row of the device registry for cuda; see device/device.h. */
#ifndef AT_DEVICE_CUDA_CUDA_H
#define AT_DEVICE_CUDA_CUDA_H

#include "device/device.h"

extern const struct at_device_kind at_device_kind_cuda;

#endif
