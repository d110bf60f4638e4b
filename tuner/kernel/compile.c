#include "kernel/compile.h"
#include "kernel/cxx.h"
#include "kernel/nvrtc.h"

#include <stdio.h>
#include <string.h>

#define ARCHITECTURE_LIMIT 64

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

static enum at_status list_nvrtc(char *buffer, size_t size, struct at_error *err)
{
	int numbers[ARCHITECTURE_LIMIT];
	size_t count, length = 0;
	enum at_status status =
		at_nvrtc_architectures(numbers, ARCHITECTURE_LIMIT, &count, err);

	for (size_t i = 0; i < count && i < ARCHITECTURE_LIMIT && !status; i++) {
		length += (size_t)snprintf(buffer + length, size - length, "%ssm_%d",
			i ? " " : "", numbers[i]);
		if (length >= size)
			status = at_fail(err, AT_EOVERFLOW, NULL, 0,
				"NVRTC knows too many architectures: %zu", count);
	}
	return status;
}

enum at_status at_toolchain_architectures(
	enum at_toolchain toolchain, char *buffer, size_t size, struct at_error *err)
{
	buffer[0] = '\0';
	switch (toolchain) {
	case AT_TOOLCHAIN_NONE:
		break;
	case AT_TOOLCHAIN_NVRTC:
		return list_nvrtc(buffer, size, err);
	case AT_TOOLCHAIN_CXX:
		return AT_OK;
	}
	return fail_no_toolchain(err);
}

void at_compile_first_error(const char *log, char *line, size_t size)
{
	const char *start = strstr(log, "error");

	while (start && start > log && start[-1] != '\n')
		start--;
	if (!start)
		start = log;
	snprintf(line, size, "%.*s", (int)strcspn(start, "\n"), start);
}

static const struct at_field request_members[] = {
	AT_FIELD_ENUM(struct at_compile_request, toolchain, AT_TOOLCHAIN_CXX + 1),
	AT_FIELD(struct at_compile_request, architecture, TEXT),
	AT_FIELD(struct at_compile_request, name, TEXT),
	AT_FIELD(struct at_compile_request, directory, TEXT),
	AT_FIELD(struct at_compile_request, source, TEXT),
	AT_FIELD_LIST(struct at_compile_request, options, option_count, at_fields_text),
	AT_FIELD_LIST(struct at_compile_request, kernels, kernel_count, at_fields_text),
};
const struct at_fields at_compile_request_fields =
	AT_FIELDS(struct at_compile_request, request_members);

static const struct at_field kernel_members[] = {
	AT_FIELD(struct at_kernel_facts, name, TEXT),
	AT_FIELD(struct at_kernel_facts, symbol, TEXT),
	AT_FIELD(struct at_kernel_facts, registers, I64),
	AT_FIELD(struct at_kernel_facts, local_bytes, I64),
	AT_FIELD(struct at_kernel_facts, spill_store_bytes, I64),
	AT_FIELD(struct at_kernel_facts, spill_load_bytes, I64),
	AT_FIELD(struct at_kernel_facts, shared_bytes, I64),
	AT_FIELD(struct at_kernel_facts, constant_bytes, I64),
	AT_FIELD(struct at_kernel_facts, max_threads, I64),
	AT_FIELD(struct at_kernel_facts, barriers, I64),
};
static const struct at_fields kernel_fields =
	AT_FIELDS(struct at_kernel_facts, kernel_members);

static const struct at_field result_members[] = {
	AT_FIELD_ENUM(struct at_compile_result, outcome, AT_OUTCOME_COUNT),
	AT_FIELD(struct at_compile_result, log, TEXT),
	AT_FIELD_BLOB(struct at_compile_result, image, image_bytes),
	AT_FIELD_LIST(struct at_compile_result, kernels, kernel_count, kernel_fields),
	AT_FIELD(struct at_compile_result, compile_ns, U64),
};
const struct at_fields at_compile_result_fields =
	AT_FIELDS(struct at_compile_result, result_members);

void at_compile_request_release(struct at_compile_request *self)
{
	at_fields_release(&at_compile_request_fields, self);
}

void at_compile_result_release(struct at_compile_result *self)
{
	at_fields_release(&at_compile_result_fields, self);
}
