#include "kernel/compile.h"
#include "base/memory.h"
#include "kernel/toolchain.h"

#include <stdio.h>
#include <string.h>

enum at_status at_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	const struct at_toolchain *toolchain;
	enum at_status status = at_toolchain_find(request->toolchain, &toolchain, err);

	memset(result, 0, sizeof(*result));
	if (!status)
		status = toolchain->compile(request, result, err);
	if (status)
		at_compile_result_release(result);
	return status;
}

bool at_compile_log_is_verdict(const char *log)
{
	/* Words of gcc, clang, ld and NVRTC. A missing file is the machine's, too: it
	   may be a header of a toolkit that is installed tomorrow. A source whose error
	   happens to have such words is compiled again, no more. */
	static const char *const phrases[] = {
		"internal compiler error",
		"Internal error",
		"signal terminated", /* the driver of gcc: "Killed signal terminated" */
		"terminated with signal",
		"killed by signal",
		"due to signal",
		"unable to execute command",
		"out of memory",
		"Out of memory",
		"memory exhausted",
		"annot allocate memory",
		"o space left on device",
		"uota exceeded",
		"nput/output error",
		"temporary file",
		"open source file",
		"No such file or directory",
		"file not found",
	};

	for (size_t i = 0; i < AT_COUNT_OF(phrases); i++)
		if (strstr(log, phrases[i]))
			return false;
	return true;
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
	AT_FIELD(struct at_compile_request, toolchain, TEXT),
	AT_FIELD(struct at_compile_request, architecture, TEXT),
	AT_FIELD(struct at_compile_request, name, TEXT),
	AT_FIELD(struct at_compile_request, directory, TEXT),
	AT_FIELD(struct at_compile_request, omit, TEXT),
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
	AT_FIELD(struct at_compile_result, is_verdict, BOOL),
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
