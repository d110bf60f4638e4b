/* Lists what can be exported, and calls each format's writer. */
#include "record/export.h"

#include "base/memory.h"
#include "record/recording.h"
#include "record/cell.h"
#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	const char *ending;
} formats[] = { [AT_EXPORT_NONE] = { "", "" },
#define ROW(symbol, name, ending) [AT_EXPORT_##symbol] = { name, ending },
	AT_EXPORTS(ROW) };

enum at_export_format at_export_from_name(const char *name)
{
	for (size_t i = 1; i < AT_COUNT_OF(formats); i++)
		if (!strcmp(formats[i].name, name))
			return (enum at_export_format)i;
	return AT_EXPORT_NONE;
}

const char *at_export_ending(enum at_export_format format)
{
	return formats[format].ending;
}

static const char groups[] =
	"SELECT DISTINCT space, device_id, problem FROM evaluations"
	" WHERE (?1 IS NULL OR space = ?1)"
	/* constant for all rows, so SQLite evaluates it only once */
	" AND (?2 IS NULL OR EXISTS (SELECT 1 FROM devices WHERE kind = ?2))"
	" AND (?2 IS NULL OR device_id IN (SELECT id FROM devices WHERE kind = ?2))"
	" AND device_id IN (SELECT id FROM devices)"
	" ORDER BY space, device_id, problem";

static enum at_status add_group(struct at_store *store, const char *space,
	int64_t device_id, const char *problem, struct at_export_groups *out,
	struct at_error *err)
{
	struct at_export_group *group;

	AT_GROW(out->items, out->capacity, out->count + 1);
	group = &out->items[out->count++];
	*group = (struct at_export_group){
		.space = at_strdup(space),
		.problem = at_strdup(problem),
	};
	return at_store_get_device(store, device_id, &group->device, err);
}

enum at_status at_export_list(struct at_store *store, const char *space,
	const char *kind, struct at_export_groups *out, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(
		store->database, groups, AT_VALUES(AT_STRING(space), AT_STRING(kind)));
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	while (at_statement_next(statement, &status, err)) {
		/* reading skips rows with such names, with a message */
		if (at_cell_check(statement, 0, AT_CELL_NAME) ||
			at_cell_check(statement, 1, AT_CELL_DEVICE) ||
			at_cell_check(statement, 2, AT_CELL_NAME))
			continue;
		status = add_group(store, at_statement_text(statement, 0),
			at_statement_integer(statement, 1),
			at_statement_text(statement, 2), out, err);
	}
	return status;
}

void at_export_release(struct at_export_groups *self)
{
	for (size_t i = 0; i < self->count; i++) {
		free(self->items[i].space);
		free(self->items[i].problem);
		at_record_device_release(&self->items[i].device);
	}
	free(self->items);
	memset(self, 0, sizeof(*self));
}

enum at_status at_export_write(struct at_store *store,
	const struct at_export_group *group, enum at_export_format format,
	struct at_strbuf *out, struct at_error *err)
{
	struct at_recording *recording;
	enum at_status status;
	const char *clash;

	if (format == AT_EXPORT_CSV)
		return at_export_csv(store, group, out, err);
	status = at_recording_from_store(store, at_sqlite_path(store->database),
		group->space, group->problem, group->device.slug, &recording, err);
	if (status)
		return status;
	clash = at_recording_clash(recording);
	if (format == AT_EXPORT_T4)
		at_recording_write_t4(recording, out);
	else if (clash)
		status = at_fail(err, AT_EINVAL, recording->path, 0,
			"%s has a parameter \"%s\", which is the name of a result in a cache file of Kernel Tuner: export t4 or csv",
			group->space, clash);
	else
		at_recording_write(recording, out);
	at_recording_free(recording);
	return status;
}
