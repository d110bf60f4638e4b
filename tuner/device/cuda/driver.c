/* Loads the CUDA driver, starts it, and turns its codes into messages with hints. */
#include "device/cuda/driver.h"
#include "base/memory.h"
#include "device/device.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define AT_CUDA_SYMBOL(member, symbol, required, parameters) \
	{ #symbol, offsetof(struct at_cuda_driver, member), required },

/* The table that at_dynlib_open() fills; it has the order of AT_CUDA_FUNCTIONS. */
static const struct at_dynlib_symbol symbols[] = { AT_CUDA_FUNCTIONS(AT_CUDA_SYMBOL) };

static const struct {
	enum at_cuda_result code;
	const char *text;
} hints[] = {
	{ AT_CUDA_OUT_OF_MEMORY,
		"other processes hold the GPU's memory: see nvidia-smi" },
	{ AT_CUDA_STUB_LIBRARY,
		"this is the toolkit's stub and no driver: take its folder out of LD_LIBRARY_PATH" },
	{ AT_CUDA_DEVICE_UNAVAILABLE,
		"another process holds the GPU in exclusive mode: end it or choose another device" },
	{ AT_CUDA_NO_DEVICE,
		"the driver is there, but no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES" },
	{ AT_CUDA_INVALID_DEVICE, "check nvidia-smi and CUDA_VISIBLE_DEVICES" },
	{ AT_CUDA_NO_BINARY_FOR_GPU,
		"the kernel was compiled for another architecture" },
	{ AT_CUDA_OPERATING_SYSTEM,
		"check that this user and container may use /dev/nvidia*" },
	{ AT_CUDA_SYSTEM_NOT_READY, "start NVIDIA's fabric manager" },
	{ AT_CUDA_SYSTEM_DRIVER_MISMATCH,
		"libcuda and the kernel module differ in version: load the module anew" },
	{ AT_CUDA_COMPAT_NOT_SUPPORTED,
		"the compatibility libcuda is not for this GPU: take its folder out of LD_LIBRARY_PATH" },
	{ AT_CUDA_UNKNOWN, "check that the kernel module nvidia-uvm is loaded" },
};

char *at_cuda_describe(
	const struct at_cuda_driver *driver, unsigned code, char *buffer, size_t size)
{
	const char *name = NULL, *text = NULL;

	if (driver->error_name(code, &name) || !name)
		snprintf(buffer, size, "CUDA error %u", code);
	else if (driver->error_text(code, &text) || !text)
		snprintf(buffer, size, "%s", name);
	else
		snprintf(buffer, size, "%s (%s)", name, text);
	return buffer;
}

enum at_status at_cuda_fail(const struct at_cuda_driver *driver, struct at_error *err,
	enum at_status status, const char *what, unsigned code)
{
	const char *hint = NULL;
	char text[256];

	for (size_t i = 0; i < AT_COUNT_OF(hints); i++)
		if (hints[i].code == code)
			hint = hints[i].text;
	at_cuda_describe(driver, code, text, sizeof(text));
	return at_fail(err, status, NULL, 0, "%s: %s%s%s", what, text, hint ? "; " : "",
		hint ? hint : "");
}

enum at_status at_cuda_driver_load(struct at_cuda_driver *out,
	const char *const *candidates, size_t count, struct at_error *err)
{
	struct at_dynlib library;

	/* the handle is deliberately dropped: the library is never closed, see
	   driver.h */
	return at_dynlib_open(&library,
		AT_DEVICE_NO_DRIVER
		": install one to tune on a GPU, or tune on the CPU with --device host",
		candidates, count, symbols, AT_COUNT_OF(symbols), out, err);
}

enum at_status at_cuda_driver_start(
	const struct at_cuda_driver *driver, struct at_error *err)
{
	unsigned code;

	/*
	 * By default the driver loads a kernel at its first launch. That would happen
	 * behind the gate of time(), which stays closed until all launches are queued:
	 * a deadlock. The driver reads the variable when it starts; this overrides the
	 * user's setting.
	 */
	if (setenv("CUDA_MODULE_LOADING", "EAGER", 1) != 0)
		at_memory_out();
	/* launches that wait for their kernels would also wait behind the gate */
	unsetenv("CUDA_LAUNCH_BLOCKING");
	code = driver->init(0);
	return code ? at_cuda_fail(driver, err, AT_EUNAVAILABLE, "cuInit", code)
		    : AT_OK;
}

enum at_status at_cuda_driver_default(
	const struct at_cuda_driver **out, struct at_error *err)
{
	static const char *const candidates[] = {
		"libcuda.so.1",
		/* where containers and WSL mount it */
		"/usr/local/nvidia/lib64/libcuda.so.1",
		"/usr/lib/wsl/lib/libcuda.so.1",
	};
	static struct at_cuda_driver driver;
	static bool loaded, started;
	enum at_status status = AT_OK;

	if (!loaded) {
		status = at_cuda_driver_load(
			&driver, candidates, AT_COUNT_OF(candidates), err);
		loaded = !status;
	}
	if (!status && !started) {
		status = at_cuda_driver_start(&driver, err);
		started = !status;
	}
	if (!status)
		*out = &driver;
	return status;
}
