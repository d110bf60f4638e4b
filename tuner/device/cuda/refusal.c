/* What a code of the driver says about the configuration and about the context. */
#include "device/cuda/cuda_device.h"
#include "base/memory.h"

/*
 * Codes of a refused load or launch after which the context works as before. All other
 * codes (an illegal address, a trap, an uncorrectable memory error, ...) stay with the
 * context: every later call returns them again.
 */
static const struct {
	enum at_cuda_result code;
	enum at_outcome outcome;
} refusals[] = {
	{ AT_CUDA_INVALID_VALUE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_OUT_OF_MEMORY, AT_OUTCOME_TOO_MANY_RESOURCES },
	{ AT_CUDA_INVALID_IMAGE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_NO_BINARY_FOR_GPU, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_INVALID_PTX, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_JIT_COMPILER_NOT_FOUND, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_UNSUPPORTED_PTX_VERSION, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_UNSUPPORTED_DEVSIDE_SYNC, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_INVALID_SOURCE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_SYMBOL_NOT_FOUND, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_INVALID_HANDLE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_NOT_FOUND, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_LAUNCH_OUT_OF_RESOURCES, AT_OUTCOME_TOO_MANY_RESOURCES },
	{ AT_CUDA_COOPERATIVE_LAUNCH_TOO_LARGE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_NOT_SUPPORTED, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_INVALID_CLUSTER_SIZE, AT_OUTCOME_LAUNCH_FAILED },
	{ AT_CUDA_FUNCTION_NOT_LOADED, AT_OUTCOME_LAUNCH_FAILED },
};

enum at_outcome at_cuda_judge(struct at_cuda_device *self, unsigned code)
{
	for (size_t i = 0; i < AT_COUNT_OF(refusals); i++)
		if (refusals[i].code == code)
			return refusals[i].outcome;
	self->base.is_lost = true;
	switch (code) {
	case AT_CUDA_ILLEGAL_ADDRESS:
		return AT_OUTCOME_OUT_OF_BOUNDS;
	case AT_CUDA_LAUNCH_TIMEOUT: /* a display's board ends what takes seconds */
		return AT_OUTCOME_TIMED_OUT;
	default:
		return AT_OUTCOME_CRASHED;
	}
}

enum at_status at_cuda_status(unsigned code)
{
	if (code == AT_CUDA_ECC_UNCORRECTABLE || code == AT_CUDA_NVLINK_UNCORRECTABLE ||
		(code >= AT_CUDA_MPS_CONNECTION_FAILED &&
			code <= AT_CUDA_MPS_CLIENT_TERMINATED))
		return AT_EUNAVAILABLE;
	/* another process may hold the memory, and give it back */
	return code == AT_CUDA_OUT_OF_MEMORY ? AT_ENOMEM : AT_EDEVICE;
}

enum at_outcome at_cuda_refuse(struct at_cuda_device *self, struct at_error *err,
	const char *what, unsigned code)
{
	char text[256];

	at_cuda_describe(self->driver, code, text, sizeof(text));
	at_fail(err, at_cuda_status(code), NULL, 0, "%s: %s", what, text);
	return at_cuda_judge(self, code);
}
