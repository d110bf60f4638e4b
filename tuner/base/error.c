/* Errors: see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum at_status(at_fail)(struct at_error *err, enum at_status status, const char *file,
	int line, const char *format, ...)
{
	va_list arguments;

	if (!err || err->status != AT_OK)
		return status;
	err->status = status;
	err->line = line;
	snprintf(err->file, sizeof(err->file), "%s", file ? file : "");
	va_start(arguments, format);
	vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	/* names from files may contain line ends */
	for (char *at = err->text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = ' ';
	return status;
}

enum at_status(at_fail_memory)(struct at_error *err)
{
	return at_fail(err, AT_ENOMEM, NULL, 0, "out of memory");
}

char *at_error_format(const struct at_error *err, char *buffer, size_t size)
{
	if (err->file[0] && err->line > 0)
		snprintf(buffer, size, "%s:%d: %s", err->file, err->line, err->text);
	else if (err->file[0])
		snprintf(buffer, size, "%s: %s", err->file, err->text);
	else
		snprintf(buffer, size, "%s", err->text);
	return buffer;
}

void at_error_clear(struct at_error *err)
{
	if (err)
		memset(err, 0, sizeof(*err));
}
