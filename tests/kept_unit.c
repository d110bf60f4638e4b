/* Compiles units in a test's own process, or takes them from the cache of units. */
#include "kept_unit.h"
#include "kernel/toolchain.h"
#include "kernel/units.h"

#include <stdlib.h>

enum at_status compile_kept(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	char version[AT_TOOLCHAIN_TEXT_SIZE], *folder = NULL, *path = NULL;
	uint64_t limit_bytes;
	enum at_status status;

	if (!at_toolchain_version(request->toolchain, version, sizeof(version), NULL) &&
		!at_units_folder(&folder, &limit_bytes, NULL))
		path = at_unit_path(
			folder, at_toolchain_unit(request->toolchain,
					at_compile_identity(request, version)));
	if (path && !at_unit_read(path, result, true, NULL)) {
		status = AT_OK;
	} else {
		status = at_compile(request, result, err);
		if (!status && path && at_unit_may_be_kept(result))
			(void)at_unit_write(path, result, NULL);
	}
	free(path);
	free(folder);
	return status;
}
