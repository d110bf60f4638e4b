// Includes for the template what it does not itself: tests/test_host_headers.c.
#include <cuda_fp16.h>
