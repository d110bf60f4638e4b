/*
 * Opens the other record, as it is at one moment. SQLite's own way to read a database
 * that may be in use makes files beside it; that fails where nothing may be written,
 * and on most network file systems. So the file is read without any locks, and its time
 * stamp is compared afterwards. Where its log holds something, or its version is older,
 * a copy is read instead. A log only grows until it is folded into the database, which
 * changes the database's time stamp. So a database that was unchanged while it and its
 * log were copied makes a consistent copy.
 */
#include "record/merge_internal.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* how often copying is tried: a busy log is folded every few seconds at most */
#define TRIES 5
#define COPY_BYTES ((size_t)1 << 20)

static const char *const companions[] = { "-wal", "-journal" };

static char *joined(const char *path, const char *ending)
{
	struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "%s%s", path, ending);
	return at_strbuf_detach(&text);
}

static enum at_status fail_errno(
	struct at_error *err, const char *path, const char *what)
{
	return at_fail(err, errno == ENOENT ? AT_ENOENT : AT_EIO, path, 0,
		"cannot %s: %s", what, strerror(errno));
}

static bool is_same_state(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* ---- copying -------------------------------------------------------------------- */

static enum at_status copy_bytes(
	int from, int to, const char *path, struct at_error *err)
{
	char *buffer = at_malloc(COPY_BYTES);
	enum at_status status = AT_OK;

	while (!status) {
		ssize_t got = read(from, buffer, COPY_BYTES);

		if (!got)
			break;
		if (got < 0 && errno != EINTR)
			status = fail_errno(err, path, "read it");
		for (ssize_t put, at = 0; at < got && !status; at += put) {
			put = write(to, buffer + at, (size_t)(got - at));
			if (put < 0 && errno != EINTR)
				status = at_fail(err, AT_EIO, path, 0,
					"cannot make a copy to read it from: %s; set TMPDIR to a folder with room for it",
					strerror(errno));
			put = put < 0 ? 0 : put;
		}
	}
	free(buffer);
	return status;
}

/* Copies a file; one that does not exist is skipped. */
static enum at_status copy_file(const char *path, const char *to, struct at_error *err)
{
	uint64_t size;
	int source, target;
	enum at_status status = AT_OK;

	if (at_file_may_exist(path))
		status = at_file_open(path, &source, &size, err);
	else
		return AT_OK;
	if (status)
		return status;
	target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (target < 0) {
		status = fail_errno(err, to, "write it");
		goto close_source;
	}
	status = copy_bytes(source, target, path, err);
	if (close(target) < 0 && !status)
		status = fail_errno(err, to, "write it");
close_source:
	close(source);
	return status;
}

/* Copies the companion of path to that of `to`. */
static enum at_status copy_companion(
	const char *path, const char *to, const char *ending, struct at_error *err)
{
	char *source = joined(path, ending), *target = joined(to, ending);
	enum at_status status = AT_OK;

	if (unlink(target) < 0 && errno != ENOENT)
		status = fail_errno(err, target, "write it");
	if (!status)
		status = copy_file(source, target, err);
	free(source);
	free(target);
	return status;
}

static enum at_status copy_all(
	struct at_merge_source *self, const char *to, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (int i = 0; i < TRIES && !status; i++) {
		struct stat after;

		if (stat(self->path, &self->seen) < 0)
			return fail_errno(err, self->path, "read it");
		status = copy_file(self->path, to, err);
		for (size_t k = 0; k < AT_COUNT_OF(companions) && !status; k++)
			status = copy_companion(self->path, to, companions[k], err);
		if (!status && stat(self->path, &after) < 0)
			status = fail_errno(err, self->path, "read it");
		if (!status && is_same_state(&self->seen, &after))
			return AT_OK;
	}
	return status ? status
		      : at_fail(err, AT_EIO, self->path, 0,
				"is written to all the time: import it when its run has ended");
}

/* Opens a file that nobody writes to; at_merge_source_check() finds out if somebody
   does. */
static enum at_status open_still(
	const char *path, struct at_sqlite **out, struct at_error *err)
{
	return at_sqlite_open_reading(path, true, out, err);
}

/* Makes a copy in a folder of its own, brings it up to date, and opens it. */
static enum at_status open_copy(struct at_merge_source *self, struct at_error *err)
{
	struct at_store copy = { .is_foreign = true };
	struct at_error reason = { 0 };
	char *path = NULL;
	bool is_current;
	enum at_status status =
		at_scratch_make(&self->folder, "autotune-import", &reason);

	if (status)
		return at_fail(err, status, reason.file, 0, "for a copy of %s: %s",
			self->path, reason.text);
	path = at_path_join(self->folder.path, "autotune.db");
	status = copy_all(self, path, err);
	if (!status)
		status = at_sqlite_open(path, &copy.database, err);
	/* this folds the log into the copy, which is then read without a log */
	if (!status)
		status = at_store_check(&copy, &is_current, err);
	if (!status && !is_current)
		status = at_store_migrate(&copy, err);
	if (!status)
		status = at_sqlite_execute(
			copy.database, "PRAGMA journal_mode = DELETE", err);
	at_sqlite_close(copy.database);
	if (!status)
		status = open_still(path, &self->database, err);
	free(path);
	return status;
}

/* ---- opening ----------------------------------------------------------------------
 */

/* *found: whether a companion holds something that the database itself does not have
   yet. */
static void find_log(const char *path, bool *found)
{
	*found = false;
	for (size_t i = 0; i < AT_COUNT_OF(companions) && !*found; i++) {
		char *name = joined(path, companions[i]);
		struct stat facts;

		*found = at_file_may_exist(name) &&
			 (stat(name, &facts) < 0 || facts.st_size > 0);
		free(name);
	}
}

/* AT_EINVAL where there are other tables, or views or triggers, whose effects are
   unknown. */
static enum at_status check_tables(struct at_merge_source *self, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status;
	bool row;

	status = at_sqlite_prepare(self->database,
		"SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view', 'trigger')",
		&statement, err);
	if (status)
		return status;
	while (!(status = at_statement_step(statement, &row, err)) && row) {
		const char *name = at_statement_text(statement, 1);
		size_t i = 0;

		while (at_tables[i] && strcmp(at_tables[i]->name, name) != 0)
			i++;
		/* Claims are of no interest here, and the paths of space files are
		   valid on their own machine only: these tables are not merged. */
		if (at_tables[i] || !strncmp(name, "sqlite_", 7) ||
			((!strcmp(name, "claims") || !strcmp(name, "spaces")) &&
				!strcmp(at_statement_text(statement, 0), "table")))
			continue;
		status = at_fail(err, AT_EINVAL, self->path, 0,
			"has a %s \"%.60s\", which a record of this version has not: nothing of it was taken",
			at_statement_text(statement, 0), name);
		break;
	}
	at_statement_free(statement);
	return status;
}

/* Errors name the record and not its copy, which the user has never heard of. */
static enum at_status renamed(struct at_merge_source *self, enum at_status status,
	const struct at_error *own, struct at_error *err)
{
	if (!status)
		return AT_OK;
	if (!self->folder.path[0] ||
		strncmp(own->file, self->folder.path, strlen(self->folder.path)) != 0)
		return at_fail(err, status, own->file, own->line, "%s", own->text);
	return at_fail(err, status, self->path, 0, "%s", own->text);
}

enum at_status at_merge_source_open(struct at_merge_source *self,
	const struct at_store *store, const char *path, struct at_error *err)
{
	struct at_store other = { .is_foreign = true };
	struct at_error own = { 0 };
	enum at_status status = AT_OK;
	bool is_current = false, has_log;
	struct stat here;

	memset(self, 0, sizeof(*self));
	self->path = at_strdup(path);
	if (stat(path, &self->seen) < 0)
		return fail_errno(err, path, "read it");
	if (!stat(at_sqlite_path(store->database), &here) &&
		here.st_dev == self->seen.st_dev && here.st_ino == self->seen.st_ino)
		return at_fail(err, AT_EINVAL, path, 0,
			"is the record that it should be merged into");
	find_log(path, &has_log);
	if (!has_log) {
		status = open_still(path, &other.database, &own);
		if (!status)
			status = at_store_check(&other, &is_current, &own);
		self->database = other.database;
	}
	if (!status && !is_current) {
		at_sqlite_close(self->database);
		self->database = NULL;
		status = open_copy(self, &own);
	}
	if (!status)
		status = check_tables(self, &own);
	return renamed(self, status, &own, err);
}

enum at_status at_merge_source_check(
	const struct at_merge_source *self, struct at_error *err)
{
	struct stat now;

	/* a copy cannot change */
	if (self->folder.path[0])
		return AT_OK;
	if (stat(self->path, &now) < 0)
		return fail_errno(err, self->path, "read it");
	if (is_same_state(&self->seen, &now))
		return AT_OK;
	return at_fail(err, AT_EINVAL, self->path, 0,
		"was written to while it was read: import it again; nothing of it was taken");
}

void at_merge_source_close(struct at_merge_source *self)
{
	at_sqlite_close(self->database);
	at_scratch_remove(&self->folder);
	free(self->path);
	memset(self, 0, sizeof(*self));
}
