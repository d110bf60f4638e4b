#include "kernel/compile.h"
#include "kernel/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
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

void at_compile_first_error(const char *log, char *line, size_t size)
{
	const char *start = strstr(log, "error");

	while (start && start > log && start[-1] != '\n')
		start--;
	if (!start)
		start = log;
	snprintf(line, size, "%.*s", (int)strcspn(start, "\n"), start);
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
	free(self->toolchain);
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
