/* Runs: everything that a session adds to the record belongs to one. */
#include "record/store.h"

#include "base/clock.h"
#include "record/store_internal.h"

static const char begin_run[] =
	"INSERT INTO runs (device_id, space, strategy, seed, version, started_seconds,"
	" ending, token) VALUES (?, ?, ?, ?, ?, ?, '', lower(hex(randomblob(16))))";

static const char end_run[] =
	"UPDATE runs SET ended_seconds = ?, ending = ? WHERE id = ?";

enum at_status at_store_begin_run(struct at_store *self, int64_t device_id,
	const char *space, const char *strategy, uint64_t seed, const char *version,
	int64_t *id, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(self->database, begin_run,
		AT_VALUES(AT_INTEGER(device_id), AT_STRING(space), AT_STRING(strategy),
			AT_INTEGER((int64_t)seed), AT_STRING(version),
			AT_INTEGER(at_clock_wall_seconds())));
	enum at_status status;

	status = at_statement_run(statement, err);
	if (status)
		return status;
	*id = at_sqlite_last_id(self->database);
	return AT_OK;
}

enum at_status at_store_begin_run_on(struct at_store *self,
	const struct at_record_device *device, const char *space, const char *strategy,
	uint64_t seed, const char *version, int64_t *device_id, int64_t *id,
	struct at_error *err)
{
	static const char highest[] = "SELECT ifnull(max(id), 0) FROM evaluations";
	enum at_status status = at_store_keep_rows(self, err);
	bool begins;

	if (status)
		return status;

	/* before there is a row that somebody might take for one of a run that was
	   killed */
	at_store_begin_claims(self);
	status = at_sqlite_enter(self->database, true, &begins, err);
	if (!status)
		status = at_store_put_device(self, device, device_id, err);
	if (!status)
		status = at_store_begin_run(
			self, *device_id, space, strategy, seed, version, id, err);
	if (!status)
		status =
			at_sqlite_integer(self->database, highest, &self->highest, err);
	return at_sqlite_leave(self->database, begins, status, err);
}

enum at_status at_store_end_run(
	struct at_store *self, int64_t id, const char *ending, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status = at_store_check_rows(self, err);

	if (status)
		return status;
	statement = at_sqlite_bound(self->database, end_run,
		AT_VALUES(AT_INTEGER(at_clock_wall_seconds()), AT_STRING(ending),
			AT_INTEGER(id)));
	status = at_statement_run(statement, err);
	/* so far a killed process loses nothing, from here on a power cut neither */
	if (!status)
		status = at_sqlite_checkpoint(self->database, err);
	return status;
}
