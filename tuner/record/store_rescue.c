/*
 * Rescues a record that was removed from its path, or spoiled, while it is open. As
 * long as it is not closed, the connection to a removed file still has all of it, file
 * and log. Of a spoiled file, what this run has added is in memory as well
 * (store_kept.h).
 */
#define _GNU_SOURCE /* O_PATH */
#include "base/file.h"
#include "base/memory.h"
#include "record/merge.h"
#include "record/store_kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "autotune.db"

/* Heap; NULL: memory ran out. */
static char *join(const char *a, const char *b)
{
	struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "%s%s", a, b);
	return at_strbuf_detach(&text);
}

/* Writes what is kept in memory to a record of its own. */
static enum at_status save_kept(
	struct at_store *self, const char *folder, struct at_error *err)
{
	struct at_store *to = NULL;
	enum at_status status = at_store_open_alone(folder, &to, err);

	if (!status)
		status = at_kept_save(self->kept, to, err);
	at_store_close(to);
	return status;
}

/* Makes a new folder; *path: the record's file there. Both are the caller's. */
static enum at_status make_folder(const char *parent, const char *template,
	char **folder, char **path, struct at_error *err)
{
	enum at_status status = AT_OK;

	*path = NULL;
	*folder = at_path_join(parent, template);
	if (!*folder)
		return at_fail_memory(err);
	if (!mkdtemp(*folder)) {
		status = at_fail(err, AT_EIO, parent, 0, "%s", strerror(errno));
	} else {
		*path = at_path_join(*folder, NAME);
		if (*path)
			return AT_OK;
		status = at_fail_memory(err);
		rmdir(*folder);
	}
	free(*folder);
	*folder = NULL;
	return status;
}

/* Removes the saved file and its folder. */
static void remove_saved(const char *path)
{
	char *folder = at_path_directory(path);

	unlink(path);
	if (folder)
		rmdir(folder);
	free(folder);
}

/* Writes the whole record, or (is_kept) what is kept of it, to a new folder; *path: the
   file there, the caller's. */
static enum at_status save_in(struct at_store *self, bool is_kept, const char *parent,
	const char *template, char **path, struct at_error *err)
{
	char *folder;
	enum at_status status = make_folder(parent, template, &folder, path, err);

	if (status)
		return status;
	status = is_kept ? save_kept(self, folder, err)
			 : at_sqlite_save(self->database, *path, err);
	if (status) {
		remove_saved(*path);
		free(*path);
		*path = NULL;
	}
	free(folder);
	return status;
}

/*
 * Moves the saved file to the path. False: another file came there meanwhile. A log
 * that is still there belongs to the removed file, and must not be read into this one.
 */
static bool put_in_place(const char *saved, const char *path)
{
	char *log = join(path, "-wal"), *index = join(path, "-shm");
	bool done = false;

	if (log && index && !at_file_may_exist(path)) {
		unlink(log);
		unlink(index);
		done = link(saved, path) == 0;
		/* for a file system without hard links */
		if (!done && errno != EEXIST && !at_file_may_exist(path))
			done = rename(saved, path) == 0;
	}
	free(log);
	free(index);
	return done;
}

/* Closes the removed file and goes on with the one at the path. */
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
	at_store_end_claims(self);
	free(other);
	return AT_OK;
}

/* Merges the saved record into another one that is at the path now. */
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

/* For when nothing can be written at the path or beside it: saves to a temporary
   folder. */
static enum at_status save_elsewhere(struct at_store *self, const char *directory,
	const struct at_error *why, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	const char *temporary = getenv("TMPDIR");
	struct at_error reason = { 0 };
	char *saved = NULL, *folder;

	if (!temporary || !temporary[0])
		temporary = "/tmp";
	if (save_in(self, false, temporary, "autotune-rescued-XXXXXX", &saved, &reason))
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

/* ---- a record that was overwritten ---------------------------------------------- */

/*
 * Whether what was written is still on the disk; *why where it is not. If it could not
 * be read for another reason, it counts as sound, and is looked at again the next time.
 */
static bool is_sound(struct at_store *self, bool is_whole, struct at_error *why)
{
	const char *path = at_sqlite_path(self->database);
	const char *wrong;
	enum at_status status;

	wrong = at_sqlite_look_at_log(self->database, is_whole);
	if (wrong)
		return !at_fail(why, AT_EIO, path, 0, "of its log: %s", wrong);
	wrong = at_sqlite_look_at_file(self->database);
	if (wrong)
		return !at_fail(why, AT_EIO, path, 0, "%s", wrong);
	at_sqlite_drop_cache(self->database);
	status = at_store_look_for_kept(self, is_whole, why);
	return status != AT_ENOENT && !at_sqlite_is_damaged(self->database);
}

/* Replaces the database by an empty one in memory, since code that ends the run may
   still use the store. */
static void leave(struct at_store *self)
{
	struct at_store *empty = NULL;

	/* the file at the path is not this store's to remove any more */
	self->is_new = false;
	at_sqlite_abandon(self->database);
	if (at_store_open_memory(at_sqlite_path(self->database), &empty, NULL))
		return;
	at_sqlite_close(self->database);
	self->database = empty->database;
	at_store_end_claims(self);
	empty->database = NULL;
	at_store_close(empty);
}

/* Merges the saved record into what is left at the path. False: that is not sound, or
   it failed. */
static bool is_taken_in(struct at_store *self, const char *directory, const char *saved)
{
	struct at_store *other = NULL;
	struct at_merged merged;
	int64_t wrong = 1;
	bool done;

	if (!(self->is_shared ? at_store_open(directory, &other, NULL)
			      : at_store_open_alone(directory, &other, NULL)) &&
		!at_sqlite_look_at_log(other->database, true))
		at_sqlite_integer(other->database,
			"SELECT count(*) FROM pragma_quick_check(1)"
			" WHERE quick_check <> 'ok'",
			&wrong, NULL);
	done = !wrong && !at_store_merge(other, saved, "", &merged, NULL) &&
	       !at_sqlite_look_at_log(other->database, true);
	at_store_close(other);
	return done;
}

static enum at_status save_what_is_kept(struct at_store *self, const char *directory,
	const char *reason, struct at_error *err)
{
	size_t count = at_kept_count(self->kept);
	size_t dropped = at_kept_dropped(self->kept);
	char *path = at_strdup(at_sqlite_path(self->database));
	const char *temporary = getenv("TMPDIR");
	struct at_error why = { 0 };
	char *saved = NULL, *folder = NULL;
	char some[64] = "";

	if (!path)
		return at_fail_memory(err);
	if (!temporary || !temporary[0])
		temporary = "/tmp";
	if (dropped)
		snprintf(some, sizeof(some), "the last %zu of ", count);
	leave(self);
	if (!count) {
		at_fail(err, AT_EIO, path, 0,
			"another program wrote to the record (%s): save what can be read with `sqlite3 FILE .recover`, move it away, and run the same command again",
			reason);
	} else if (save_in(self, true, directory, "rescued-XXXXXX", &saved, &why) &&
		   save_in(self, true, temporary, "autotune-rescued-XXXXXX", &saved,
			   &why)) {
		at_fail(err, AT_EIO, path, 0,
			"another program wrote to the record while this run did (%s), and what was measured can be written nowhere else (%.200s): %zu evaluations are lost",
			reason, why.text, count + dropped);
	} else if (is_taken_in(self, directory, saved)) {
		at_fail(err, AT_EIO, path, 0,
			"another program wrote to the record while this run did (%s): %swhat was measured was added to what is left of it; run the same command again",
			reason, some);
		remove_saved(saved);
	} else {
		folder = at_path_directory(saved);
		at_fail(err, AT_EIO, path, 0,
			"another program wrote to the record while this run did (%s): %swhat was measured is in %s; move the record away, and take that in with `autotune import %s --results %s`",
			reason, some, saved, folder ? folder : saved, directory);
	}
	free(folder);
	free(saved);
	free(path);
	return AT_EIO;
}

/* ---- called now and then during a run ------------------------------------------- */

/* AT_EIO where something else than a file is in the log's place: then nobody could open
   the record any more. */
static enum at_status check_place(struct at_store *self, struct at_error *err)
{
	char *log = join(at_sqlite_path(self->database), "-wal");
	enum at_status status = AT_OK;
	struct stat facts;

	if (!log)
		return at_fail_memory(err);
	if (lstat(log, &facts) == 0 && !S_ISREG(facts.st_mode))
		status = at_fail(err, AT_EIO, log, 0,
			"is no file, and came there while this run wrote to the record: move it away, and run the same command again; nothing recorded was lost");
	free(log);
	return status;
}

static enum at_status rescue_from_others(
	struct at_store *self, bool is_whole, struct at_error *err)
{
	struct at_error why = { 0 };
	enum at_status status;
	char *directory;

	/* the log was removed: others cannot read what is in it, so it is folded into
	   the file */
	if (at_sqlite_log_has_moved(self->database))
		at_sqlite_checkpoint(self->database, NULL);
	if (is_sound(self, is_whole, &why))
		return check_place(self, err);
	directory = at_path_directory(at_sqlite_path(self->database));
	if (!directory)
		return at_fail_memory(err);
	status = save_what_is_kept(self, directory, why.text, err);
	free(directory);
	return status;
}

enum at_status at_store_rescue(
	struct at_store *self, bool is_whole, bool *rescued, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	struct at_error why = { 0 };
	char *directory, *saved = NULL;
	enum at_status status;

	*rescued = false;
	if (!at_sqlite_has_moved(self->database))
		return rescue_from_others(self, is_whole, err);
	self->is_new = false;
	at_sqlite_abandon(self->database);
	directory = at_path_directory(path);
	if (!directory)
		return at_fail_memory(err);
	status = at_directory_make(directory, &why);
	if (!status)
		status =
			save_in(self, false, directory, "rescued-XXXXXX", &saved, &why);
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

/* ---- while the store is closed --------------------------------------------------- */

/*
 * Opens the file with O_PATH, so that the descriptor cannot be used for reading:
 * closing an ordinary descriptor would drop the locks of all connections of this
 * process to the file.
 */
bool at_held_begin(struct at_held *self, const struct at_store *store)
{
	*self = (struct at_held){ .file = -1 };
	/* closing a file that was removed would leave in the log what is in it now */
	at_sqlite_checkpoint(store->database, NULL);
	if (at_sqlite_has_moved(store->database))
		return false;
	self->path = at_strdup(at_sqlite_path(store->database));
	if (self->path)
		self->file = open(self->path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	if (!at_sqlite_has_moved(store->database))
		return true;
	/* it was removed between these checks: the caller rescues it while the store is
	   open */
	if (self->file >= 0)
		close(self->file);
	free(self->path);
	*self = (struct at_held){ .file = -1 };
	return false;
}

/* Whether the file was removed, and has no name any more. */
static bool is_gone(const struct at_held *self)
{
	struct stat facts;

	return self->file >= 0 && !fstat(self->file, &facts) && !facts.st_nlink;
}

/* Copies the removed file, which is complete: the log was folded into it before. */
/* False: errno says why. */
static bool write_all(int to, const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t put = write(to, bytes, count);

		if (put < 0 && errno != EINTR)
			return false;
		if (put > 0) {
			bytes += put;
			count -= (size_t)put;
		}
	}
	return true;
}

static enum at_status copy_held(
	const struct at_held *self, const char *path, struct at_error *err)
{
	char name[64], piece[65536];
	enum at_status status = AT_OK;
	int from, to;
	ssize_t got;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", self->file);
	from = open(name, O_RDONLY | O_CLOEXEC);
	if (from < 0)
		return at_fail(err, AT_EIO, self->path, 0, "%s", strerror(errno));
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (to < 0)
		status = at_fail(err, AT_EIO, path, 0, "%s", strerror(errno));
	while (!status && (got = read(from, piece, sizeof(piece))) != 0) {
		/* a signal that came meanwhile loses nothing */
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || !write_all(to, piece, (size_t)got))
			status = at_fail(err, AT_EIO, path, 0, "%s", strerror(errno));
	}
	if (!status && fsync(to))
		status = at_fail(err, AT_EIO, path, 0, "%s", strerror(errno));
	if (to >= 0)
		close(to);
	close(from);
	return status;
}

/* Copies it to a new folder; *saved: the file there, the caller's. */
static enum at_status save_held(const struct at_held *self, const char *parent,
	const char *template, char **saved, struct at_error *err)
{
	char *folder;
	enum at_status status = make_folder(parent, template, &folder, saved, err);

	if (status)
		return status;
	free(folder);
	status = copy_held(self, *saved, err);
	if (status) {
		remove_saved(*saved);
		free(*saved);
		*saved = NULL;
	}
	return status;
}

/* Merges the saved record into another one that is there now. */
static bool add_saved(const char *directory, const char *saved)
{
	struct at_store *other = NULL;
	struct at_merged merged;
	bool done = !at_store_open(directory, &other, NULL) &&
		    !at_store_merge(other, saved, "", &merged, NULL);

	at_store_close(other);
	return done;
}

static enum at_status put_back(
	const struct at_held *self, const char *directory, struct at_error *err)
{
	const char *temporary = getenv("TMPDIR");
	struct at_error why = { 0 };
	char *saved = NULL, *folder;
	bool done = false;

	if (!temporary || !temporary[0])
		temporary = "/tmp";
	if (!at_directory_make(directory, &why) &&
		!save_held(self, directory, "rescued-XXXXXX", &saved, &why))
		done = put_in_place(saved, self->path) || add_saved(directory, saved);
	else if (save_held(self, temporary, "autotune-rescued-XXXXXX", &saved, &why))
		return at_fail(err, AT_EIO, self->path, 0,
			"was removed while this run ended, and can be written nowhere (%.200s): what was measured is lost",
			why.text);
	folder = at_path_directory(saved);
	if (done)
		remove_saved(saved);
	else
		at_fail(err, AT_EIO, self->path, 0,
			"was removed while this run ended: what was measured is in %s; take it in with `autotune import %s --results %s`",
			saved, folder ? folder : saved, directory);
	free(folder);
	free(saved);
	return done ? AT_OK : AT_EIO;
}

enum at_status at_held_end(struct at_held *self, bool *rescued, struct at_error *err)
{
	enum at_status status = AT_OK;
	char *directory;

	*rescued = false;
	if (is_gone(self)) {
		directory = at_path_directory(self->path);
		status = directory ? put_back(self, directory, err)
				   : at_fail_memory(err);
		*rescued = !status;
		free(directory);
	}
	if (self->file >= 0)
		close(self->file);
	free(self->path);
	*self = (struct at_held){ .file = -1 };
	return status;
}
