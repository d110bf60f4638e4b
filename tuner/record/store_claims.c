/* Claims of keys in a table of the record: see record/claims.h. */
#include "record/claims.h"

#include "base/owner.h"
#include "record/store_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* so many seconds the clocks of two machines may differ */
#define SLACK "60"

/* A trigger of this connection alone, not part of the record. By it the statement that
   adds an evaluation also ends the claim, and no separate transaction is needed. */
static const char begin_claims[] =
	"CREATE TEMP TRIGGER end_claim AFTER INSERT ON main.evaluations"
	" BEGIN DELETE FROM claims WHERE key = NEW.key; END";

/*
 * Claims ?1 in one statement, so that nothing can happen between looking and claiming.
 * A claim that expires later than any claim can, even with SLACK, comes from a clock
 * that is ahead, and is taken over.
 */
static const char claim[] =
	"INSERT INTO claims (key, run_id, owner, expires_seconds)"
	" SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS"
	" (SELECT 1 FROM evaluations WHERE key = ?1 AND id > ?5)"
	" ON CONFLICT (key) DO UPDATE SET run_id = excluded.run_id,"
	" owner = excluded.owner, expires_seconds = excluded.expires_seconds"
	" WHERE claims.run_id = excluded.run_id OR claims.expires_seconds <= ?6"
	" OR claims.expires_seconds > ?4 + " SLACK;

static const char find_owner[] = "SELECT owner FROM claims WHERE key = ?";
static const char drop_dead[] = "DELETE FROM claims WHERE owner = ?";
static const char renew[] =
	"UPDATE claims SET expires_seconds = ? WHERE run_id = ? AND owner = ?";
static const char drop[] = "DELETE FROM claims WHERE key = ? AND run_id = ?";
static const char drop_all[] =
	"DELETE FROM claims WHERE run_id = ?1 OR expires_seconds <= ?2";

void at_claimant_init(struct at_claimant *self, int64_t run_id)
{
	int64_t process = (int64_t)getpid();
	char hex[AT_HASH_HEX_SIZE];

	self->run_id = run_id;
	snprintf(self->owner, sizeof(self->owner), "%" PRId64 " %" PRIu64 " %s",
		process, at_process_started(process),
		at_hash_hex(at_process_namespace(), hex));
}

/* The number and the start of an owner's process, if it is on this machine and in this
   container; else 0, and also for a text that autotune did not write. */
static int64_t process_of(
	const char *owner, const struct at_claimant *claimant, uint64_t *started)
{
	const char *mine = strrchr(claimant->owner, ' ');
	const char *place = strrchr(owner, ' ');
	int64_t process;

	if (!mine || !place || strcmp(mine, place) != 0 ||
		!strpbrk(mine, "123456789abcdef") ||
		sscanf(owner, "%" SCNd64 " %" SCNu64, &process, started) != 2 ||
		process <= 0 || !*started)
		return 0;
	return process;
}

static enum at_status remove_dead(
	struct at_store *self, const char *owner, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status =
		at_sqlite_cached(self->database, drop_dead, &statement, err);

	if (status)
		return status;
	at_statement_bind_text(statement, 1, owner);
	return at_statement_run(statement, err);
}

/* Finds out who has the key. NONE: its owner has died, and the claim was removed. */
static enum at_status look(struct at_store *self, const struct at_claimant *claimant,
	struct at_hash key, enum at_claim *out, int64_t *process, struct at_error *err)
{
	struct at_statement *statement;
	char owner[AT_OWNER_SIZE] = "";
	uint64_t started = 0;
	enum at_status status;
	bool row;

	status = at_sqlite_cached(self->database, find_owner, &statement, err);
	if (status)
		return status;
	at_statement_bind_hash(statement, 1, key);
	status = at_statement_step(statement, &row, err);
	if (!status && row)
		snprintf(owner, sizeof(owner), "%s", at_statement_text(statement, 0));
	at_statement_reset(statement);
	if (status)
		return status;
	*out = row ? AT_CLAIM_THEIRS : AT_CLAIM_RECORDED;
	*process = row ? process_of(owner, claimant, &started) : 0;
	if (!*process || at_process_started(*process) == started)
		return AT_OK;
	*out = AT_CLAIM_NONE;
	return remove_dead(self, owner, err);
}

enum at_status at_store_claim(struct at_store *self, const struct at_claimant *claimant,
	struct at_hash key, int64_t known_id, int64_t now_seconds, enum at_claim *out,
	int64_t *owner, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status = AT_OK;
	int64_t process = 0;

	*out = AT_CLAIM_OURS;
	if (owner)
		*owner = 0;
	if (!self->is_shared)
		return AT_OK;
	if (!self->has_claims)
		status = at_sqlite_execute(self->database, begin_claims, err);
	if (status)
		return status;
	self->has_claims = true;
	/* each round removes the claims of one dead process */
	do {
		status = at_sqlite_cached(self->database, claim, &statement, err);
		if (status)
			return status;
		at_statement_bind_hash(statement, 1, key);
		at_statement_bind_integer(statement, 2, claimant->run_id);
		at_statement_bind_text(statement, 3, claimant->owner);
		at_statement_bind_integer(statement, 4, now_seconds + AT_CLAIM_SECONDS);
		at_statement_bind_integer(statement, 5, known_id);
		at_statement_bind_integer(statement, 6, now_seconds);
		status = at_statement_run(statement, err);
		if (status)
			return status;
		*out = AT_CLAIM_OURS;
		if (at_sqlite_changes(self->database) == 0)
			status = look(self, claimant, key, out, &process, err);
	} while (!status && *out == AT_CLAIM_NONE);
	if (!status && owner)
		*owner = process;
	return status;
}

enum at_status at_store_renew_claims(struct at_store *self,
	const struct at_claimant *claimant, int64_t now_seconds, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status;

	if (!self->is_shared)
		return AT_OK;
	status = at_sqlite_cached(self->database, renew, &statement, err);
	if (status)
		return status;
	at_statement_bind_integer(statement, 1, now_seconds + AT_CLAIM_SECONDS);
	at_statement_bind_integer(statement, 2, claimant->run_id);
	at_statement_bind_text(statement, 3, claimant->owner);
	return at_statement_run(statement, err);
}

enum at_status at_store_drop_claim(struct at_store *self,
	const struct at_claimant *claimant, struct at_hash key, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status;

	if (!self->is_shared)
		return AT_OK;
	status = at_sqlite_cached(self->database, drop, &statement, err);
	if (status)
		return status;
	at_statement_bind_hash(statement, 1, key);
	at_statement_bind_integer(statement, 2, claimant->run_id);
	return at_statement_run(statement, err);
}

enum at_status at_store_drop_claims(struct at_store *self,
	const struct at_claimant *claimant, int64_t now_seconds, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status;

	if (!self->is_shared)
		return AT_OK;
	status = at_sqlite_cached(self->database, drop_all, &statement, err);
	if (status)
		return status;
	at_statement_bind_integer(statement, 1, claimant->run_id);
	at_statement_bind_integer(statement, 2, now_seconds);
	return at_statement_run(statement, err);
}
