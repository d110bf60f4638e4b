/*
 * A record whose file is gone from its path while it is open. The connection still has
 * all of it, file and log, as long as it is not closed.
 */
#include "base/file.h"
#include "base/memory.h"
#include "record/merge.h"
#include "record/store_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "autotune.db"

/* Heap; NULL: memory ran out. */
static char *join(const char *a, const char *b)
{
	struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "%s%s", a, b);
	return at_strbuf_detach(&text);
}

/* All of it into a new folder; *path: the file there, the caller's. */
static enum at_status save_in(struct at_store *self, const char *parent,
	const char *template, char **path, struct at_error *err)
{
	char *folder = at_path_join(parent, template);
	enum at_status status = AT_OK;

	*path = NULL;
	if (!folder)
		return at_fail_memory(err);
	if (!mkdtemp(folder))
		status = at_fail(err, AT_EIO, parent, 0, "%s", strerror(errno));
	if (!status)
		*path = at_path_join(folder, NAME);
	if (!status && !*path)
		status = at_fail_memory(err);
	if (!status)
		status = at_sqlite_save(self->database, *path, err);
	if (status && *path) {
		rmdir(folder);
		free(*path);
		*path = NULL;
	}
	free(folder);
	return status;
}

/* Removes it with its folder. */
static void remove_saved(const char *path)
{
	char *folder = at_path_directory(path);

	unlink(path);
	if (folder)
		rmdir(folder);
	free(folder);
}

/*
 * Puts the saved file to the path, unless something came there meanwhile: then false.
 * A log that is still there is of the file that is gone, and must not be read into this
 * one.
 */
static bool put_in_place(const char *saved, const char *path)
{
	char *log = join(path, "-wal"), *index = join(path, "-shm");
	bool done = false;

	if (log && index && !at_file_exists(path)) {
		unlink(log);
		unlink(index);
		done = link(saved, path) == 0;
		/* a file system without links */
		if (!done && errno != EEXIST && !at_file_exists(path))
			done = rename(saved, path) == 0;
	}
	free(log);
	free(index);
	return done;
}

/* From here on the store is the file at the path. */
static enum at_status go_on_at(
	struct at_store *self, const char *directory, struct at_error *err)
{
	struct at_store *other;
	enum at_status status = self->is_shared
					? at_store_open(directory, &other, err)
					: at_store_open_alone(directory, &other, err);

	if (status)
		return status;
	at_sqlite_abandon(self->database);
	at_sqlite_close(self->database);
	self->database = other->database;
	self->has_claims = false;
	free(other);
	return AT_OK;
}

/* Another record is there now: it gets what this one has. */
static enum at_status give_away(struct at_store *self, const char *directory,
	const char *saved, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	char *folder = at_path_directory(saved);
	struct at_store *other = NULL;
	struct at_merged merged;
	enum at_status status;

	at_sqlite_remove_log(self->database);
	status = at_store_open(directory, &other, NULL);
	if (!status)
		status = at_store_merge(other, saved, "", &merged, NULL);
	at_store_close(other);
	if (status)
		at_fail(err, AT_EIO, path, 0,
			"was replaced while this run wrote to it: what was measured is in %s; take it in with `autotune import %s --results %s`",
			saved, folder ? folder : saved, directory);
	else
		at_fail(err, AT_EIO, path, 0,
			"was replaced while this run wrote to it: what was measured was added to the one that is there now; run the same command again");
	if (!status)
		remove_saved(saved);
	free(folder);
	return AT_EIO;
}

/* Neither there nor beside it can anything be written. */
static enum at_status save_elsewhere(struct at_store *self, const char *directory,
	const struct at_error *why, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	const char *temporary = getenv("TMPDIR");
	struct at_error reason = { 0 };
	char *saved = NULL, *folder;

	if (!temporary || !temporary[0])
		temporary = "/tmp";
	if (save_in(self, temporary, "autotune-rescued-XXXXXX", &saved, &reason))
		return at_fail(err, AT_EIO, path, 0,
			"was removed while this run wrote to it, and can be written neither there (%.200s) nor in %s (%.200s): what was measured is lost",
			why->text, temporary, reason.text);
	folder = at_path_directory(saved);
	at_fail(err, AT_EIO, path, 0,
		"was removed while this run wrote to it, and cannot be written there again (%.200s): what was measured is in %s; take it in with `autotune import %s --results %s`",
		why->text, saved, folder ? folder : saved, directory);
	free(folder);
	free(saved);
	return AT_EIO;
}

enum at_status at_store_rescue(
	struct at_store *self, bool *rescued, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	struct at_error why = { 0 };
	char *directory, *saved = NULL;
	enum at_status status;

	*rescued = false;
	if (!at_sqlite_has_moved(self->database))
		return AT_OK;
	at_sqlite_abandon(self->database);
	directory = at_path_directory(path);
	if (!directory)
		return at_fail_memory(err);
	status = at_directory_make(directory, &why);
	if (!status)
		status = save_in(self, directory, "rescued-XXXXXX", &saved, &why);
	if (status) {
		status = save_elsewhere(self, directory, &why, err);
	} else if (put_in_place(saved, path)) {
		remove_saved(saved);
		status = go_on_at(self, directory, err);
		*rescued = !status;
	} else {
		status = give_away(self, directory, saved, err);
	}
	free(saved);
	free(directory);
	return status;
}
