#include "kernel/compile.h"
#include "kernel/cxx.h"
#include "kernel/nvrtc.h"

#include <stdlib.h>
#include <string.h>

static enum at_status fail_no_toolchain(struct at_error *err)
{
	return at_fail(err, AT_EINVAL, NULL, 0, "no compiler was asked for");
}

enum at_status at_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	enum at_status status = AT_OK;

	memset(result, 0, sizeof(*result));
	switch (request->toolchain) {
	case AT_TOOLCHAIN_NONE:
		status = fail_no_toolchain(err);
		break;
	case AT_TOOLCHAIN_NVRTC:
		status = at_nvrtc_compile(request, result, err);
		break;
	case AT_TOOLCHAIN_CXX:
		status = at_cxx_compile(request, result, err);
		break;
	}
	if (status)
		at_compile_result_release(result);
	return status;
}

enum at_status at_toolchain_version(
	enum at_toolchain toolchain, char *buffer, size_t size, struct at_error *err)
{
	switch (toolchain) {
	case AT_TOOLCHAIN_NONE:
		break;
	case AT_TOOLCHAIN_NVRTC:
		return at_nvrtc_version(buffer, size, err);
	case AT_TOOLCHAIN_CXX:
		return at_cxx_version(buffer, size, err);
	}
	return fail_no_toolchain(err);
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

void at_compile_request_release(struct at_compile_request *self)
{
	if (!self)
		return;
	free(self->architecture);
	free(self->name);
	free(self->directory);
	free(self->source);
	free_texts(self->options, self->option_count);
	free_texts(self->kernels, self->kernel_count);
	memset(self, 0, sizeof(*self));
}

void at_compile_result_release(struct at_compile_result *self)
{
	if (!self)
		return;
	free(self->log);
	free(self->image);
	for (size_t i = 0; i < self->kernel_count; i++) {
		free(self->kernels[i].name);
		free(self->kernels[i].symbol);
	}
	free(self->kernels);
	memset(self, 0, sizeof(*self));
}
