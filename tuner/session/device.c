/* Devices as the session sees them: what the record keeps of one, and whether two
   boards are one device (session.h). */
#include "session/session.h"

#include "base/memory.h"
#include "space/device_key.h"

#include <stdlib.h>
#include <string.h>

void at_session_record_device(
	const struct at_device_info *info, struct at_record_device *out)
{
	memset(out, 0, sizeof(*out));
	out->kind = at_strdup(info->kind);
	out->model = at_strdup(info->model);
	out->slug = at_device_slug(info->kind, info->model, &info->properties);
	out->architecture = at_strdup(info->architecture);
	out->driver = at_strdup(info->driver);
	out->uuid = at_strdup(info->uuid);
	out->properties = info->properties;
}

bool at_session_shares_results(
	const struct at_device_info *a, const struct at_device_info *b)
{
	char *slug, *other;
	bool is_same;

	if (strcmp(a->kind, b->kind) != 0 ||
		strcmp(a->architecture, b->architecture) != 0 ||
		strcmp(a->driver, b->driver) != 0 ||
		!at_device_is_same(a->kind, &a->properties, &b->properties))
		return false;
	slug = at_device_slug(a->kind, a->model, &a->properties);
	other = at_device_slug(b->kind, b->model, &b->properties);
	is_same = !strcmp(slug, other);
	free(other);
	free(slug);
	return is_same;
}
