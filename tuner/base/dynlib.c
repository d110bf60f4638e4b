#include "base/dynlib.h"
#include "base/memory.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static enum at_status fill(struct at_dynlib *self, const struct at_dynlib_symbol *table,
	size_t symbol_count, void *functions, struct at_error *err)
{
	for (size_t i = 0; i < symbol_count; i++) {
		void *symbol = dlsym(self->handle, table[i].name);

		if (!symbol && table[i].required)
			return at_fail(err, AT_EUNAVAILABLE, self->path, 0,
				"this version of the library has no %s; install a newer one",
				table[i].name);
		memcpy((char *)functions + table[i].offset, &symbol, sizeof(symbol));
	}
	return AT_OK;
}

enum at_status at_dynlib_open(struct at_dynlib *self, const char *what,
	const char *const *candidates, size_t count,
	const struct at_dynlib_symbol *table, size_t symbol_count, void *functions,
	struct at_error *err)
{
	struct at_strbuf tried = { 0 };
	enum at_status status;

	memset(self, 0, sizeof(*self));
	for (size_t i = 0; i < count && !self->handle; i++) {
		self->handle = dlopen(candidates[i], RTLD_NOW | RTLD_LOCAL);
		if (self->handle)
			snprintf(self->path, sizeof(self->path), "%s", candidates[i]);
		else
			at_strbuf_addf(&tried, "%s%s", i ? ", " : "", candidates[i]);
	}
	if (!self->handle) {
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0, "%s; tried %s", what,
			at_strbuf_text(&tried));
	} else {
		status = fill(self, table, symbol_count, functions, err);
		if (status)
			at_dynlib_close(self);
	}
	at_strbuf_release(&tried);
	return status;
}

void at_dynlib_close(struct at_dynlib *self)
{
	if (self->handle)
		dlclose(self->handle);
	memset(self, 0, sizeof(*self));
}
