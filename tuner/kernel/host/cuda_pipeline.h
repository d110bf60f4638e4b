/* <cuda_pipeline.h> for the device "host": a thread's own copies, there when they are made. */
#ifndef AT_HOST_CUDA_PIPELINE_H
#define AT_HOST_CUDA_PIPELINE_H

/* 4, 8 or 16 bytes, the last `zeros` of which are 0 */
AT_HOST_INLINE void __pipeline_memcpy_async(void *at_to, const void *at_from, size_t at_bytes, size_t at_zeros = 0)
{
	__builtin_memcpy(at_to, at_from, at_bytes - at_zeros);
	__builtin_memset((char *)at_to + (at_bytes - at_zeros), 0, at_zeros);
}
AT_HOST_INLINE void __pipeline_commit() { at_host_turn(); }
AT_HOST_INLINE void __pipeline_wait_prior(size_t) { at_host_turn(); }

#endif
