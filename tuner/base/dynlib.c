/* Opens a library and looks up its symbols. */
#include "base/dynlib.h"
#include "base/memory.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum at_status at_dynlib_open(struct at_dynlib *self, const char *what,
	const char *const *candidates, size_t count,
	const struct at_dynlib_symbol *table, size_t symbol_count, void *functions,
	struct at_error *err)
{
	struct at_strbuf tried = { 0 };
	enum at_status status = AT_OK;

	memset(self, 0, sizeof(*self));
	/* RTLD_NOW: a missing symbol is an error here, not in the middle of a run.
	   RTLD_LOCAL: two libraries may have symbols of the same name. */
	for (size_t i = 0; i < count && !self->handle; i++) {
		self->handle = dlopen(candidates[i], RTLD_NOW | RTLD_LOCAL);
		if (self->handle)
			snprintf(self->path, sizeof(self->path), "%s", candidates[i]);
		else
			at_strbuf_addf(&tried, "%s%s", i ? ", " : "", candidates[i]);
	}
	if (!self->handle)
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0, "%s; tried %s", what,
			at_strbuf_text(&tried));
	at_strbuf_release(&tried);
	for (size_t i = 0; i < symbol_count && !status; i++) {
		void *symbol = dlsym(self->handle, table[i].name);

		if (!symbol && table[i].required)
			status = at_fail(err, AT_EUNAVAILABLE, self->path, 0,
				"this version of the library has no %s; install a newer one",
				table[i].name);
		/* by memcpy(), since C cannot cast an object pointer to a function
		   pointer */
		memcpy((char *)functions + table[i].offset, &symbol, sizeof(symbol));
	}
	if (status)
		at_dynlib_close(self);
	return status;
}

void at_dynlib_close(struct at_dynlib *self)
{
	if (self->handle)
		dlclose(self->handle);
	memset(self, 0, sizeof(*self));
}
