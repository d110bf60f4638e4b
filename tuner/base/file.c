/* Files: checked before opening, read whole, replaced by a rename. */
/* for getentropy(), which POSIX does not have */
#define _DEFAULT_SOURCE
#include "base/file.h"

#include "base/clock.h"
#include "base/interrupt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static enum at_status fail_errno(
	struct at_error *err, const char *path, const char *verb)
{
	int code = errno;

	if (code == ENOMEM)
		return at_fail_memory(err);
	return at_fail(err, code == ENOENT ? AT_ENOENT : AT_EIO, path, 0,
		"cannot %s: %s", verb, strerror(code));
}

static enum at_status fail_large(
	struct at_error *err, const char *path, size_t limit_bytes)
{
	return at_fail(err, AT_EINVAL, path, 0,
		"is larger than %zu bytes, the most that is read", limit_bytes);
}

/* Reads an open file to its end; *data is the caller's. */
static enum at_status read_open(int file, const char *path, size_t limit_bytes,
	char **data, size_t *size, struct at_error *err)
{
	size_t capacity = 0, length = 0;
	enum at_status status;
	char *buffer = NULL;

	for (;;) {
		ssize_t got;

		/* ignores fstat()'s size: files in /proc have none, and files grow. A
		   pipe holds 64 KiB; one byte of it is for the terminator */
		status = AT_RESERVE(buffer, capacity, length + 65536, err);
		if (status)
			break;
		got = read(file, buffer + length, capacity - length - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			status = fail_errno(err, path, "read it");
		if (got <= 0)
			break;
		length += (size_t)got;
		if (limit_bytes && length > limit_bytes) {
			status = fail_large(err, path, limit_bytes);
			break;
		}
	}
	if (status) {
		free(buffer);
		return status;
	}
	buffer[length] = '\0';
	*data = buffer;
	*size = length;
	return AT_OK;
}

/* The kind of file in words, or NULL for a regular file. */
static const char *not_a_file(mode_t mode)
{
	if (S_ISREG(mode))
		return NULL;
	return S_ISDIR(mode)    ? "a directory"
	       : S_ISLNK(mode)  ? "a link"
	       : S_ISFIFO(mode) ? "a pipe"
	       : S_ISSOCK(mode) ? "a socket"
				: "a device";
}

static enum at_status open_file(const char *path, bool follow, int *file,
	struct stat *facts, struct at_error *err)
{
	/* O_NONBLOCK: opening a pipe would wait for a writer */
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY |
			  (follow ? 0 : O_NOFOLLOW);
	const char *other;
	enum at_status status = AT_OK;

	/* check first, since merely opening some devices has an effect */
	if ((follow ? stat(path, facts) : lstat(path, facts)) < 0)
		return fail_errno(err, path, "read it");
	other = not_a_file(facts->st_mode);
	if (other)
		return at_fail(err, AT_EINVAL, path, 0, "is %s, not a file", other);
	*file = open(path, flags);
	if (*file < 0)
		return fail_errno(err, path, "read it");
	/* it may have been replaced in between */
	if (fstat(*file, facts) < 0)
		status = fail_errno(err, path, "read it");
	else if (!S_ISREG(facts->st_mode))
		status = at_fail(err, AT_EINVAL, path, 0, "is not a file any more");
	if (status) {
		close(*file);
		*file = -1;
	}
	return status;
}

enum at_status at_file_open(
	const char *path, int *file, uint64_t *size, struct at_error *err)
{
	struct stat facts;
	enum at_status status = open_file(path, true, file, &facts, err);

	if (!status)
		*size = (uint64_t)facts.st_size;
	return status;
}

/* Fills a whole piece with as many read() calls as needed; 0 at the end, and on
   failure. */
static size_t read_piece(int file, char *piece)
{
	size_t held = 0;

	while (held < AT_HASH_PIECE_BYTES) {
		ssize_t got = read(file, piece + held, AT_HASH_PIECE_BYTES - held);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		held += (size_t)got;
	}
	return held;
}

void at_file_hash(const char *path, uint64_t most, struct at_hash *out)
{
	struct at_hasher *hasher;
	uint64_t size;
	size_t held;
	char *piece;
	int file;

	if (at_file_open(path, &file, &size, NULL))
		return;
	if (size > most) {
		close(file);
		return;
	}
	piece = at_malloc(AT_HASH_PIECE_BYTES);
	hasher = at_hasher_new();
	while ((held = read_piece(file, piece)) > 0)
		at_hasher_add(hasher, piece, held);
	*out = at_hasher_result(hasher);
	at_hasher_free(hasher);
	free(piece);
	close(file);
}

enum at_status at_file_check(const char *path, uint64_t *size, struct at_error *err)
{
	struct stat facts;
	const char *other;

	/* not opened: closing it would drop this process's locks on it */
	if (stat(path, &facts) < 0)
		return fail_errno(err, path, "read it");
	other = not_a_file(facts.st_mode);
	if (other)
		return at_fail(err, AT_EINVAL, path, 0, "is %s, not a file", other);
	*size = (uint64_t)facts.st_size;
	return AT_OK;
}

static enum at_status read_file(const char *path, bool follow, size_t limit_bytes,
	char **data, size_t *size, struct at_error *err)
{
	struct stat facts;
	int file = -1;
	enum at_status status = open_file(path, follow, &file, &facts, err);

	if (status)
		return status;
	if (limit_bytes && (uintmax_t)facts.st_size > limit_bytes)
		status = fail_large(err, path, limit_bytes);
	else
		status = read_open(file, path, limit_bytes, data, size, err);
	close(file);
	return status;
}

enum at_status at_file_read(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err)
{
	return read_file(path, true, limit_bytes, data, size, err);
}

enum at_status at_file_read_plain(const char *path, size_t limit_bytes, char **data,
	size_t *size, struct at_error *err)
{
	return read_file(path, false, limit_bytes, data, size, err);
}

static bool holds_already(const char *path, const void *data, size_t size)
{
	char *old;
	size_t old_size;
	bool same;

	/* 0 would mean no limit */
	if (at_file_read(path, size ? size : 1, &old, &old_size, NULL))
		return false;
	same = old_size == size && !memcmp(old, data, size);
	free(old);
	return same;
}

bool at_write_all(int file, const void *data, size_t size)
{
	const char *rest = data;

	while (size > 0) {
		ssize_t put = write(file, rest, size);

		if (put < 0 && errno == EINTR)
			continue;
		/* nothing was written, without a reason: avoid an endless loop */
		if (put == 0)
			errno = EIO;
		if (put <= 0)
			return false;
		rest += put;
		size -= (size_t)put;
	}
	return true;
}

/* ---- replacing ------------------------------------------------------------- */

/* the name is ".matmul.h.", random digits and this ending */
#define CHANCE_DIGITS 16
#define TEMPORARY_ENDING ".tmp"
/* writing never takes this long: an older temporary file is of a killed process */
#define LEFT_BEHIND_SECONDS 3600
#define TRIES 16

static bool is_temporary_of(const char *entry, const char *name)
{
	size_t length = strlen(name), rest = strlen(TEMPORARY_ENDING);

	return entry[0] == '.' && !strncmp(entry + 1, name, length) &&
	       entry[1 + length] == '.' &&
	       strlen(entry) == 2 + length + CHANCE_DIGITS + rest &&
	       !strcmp(entry + 2 + length + CHANCE_DIGITS, TEMPORARY_ENDING);
}

/* Removes temporary files of this name from killed processes of this user. */
static void sweep(const char *directory, const char *name)
{
	DIR *entries = opendir(directory);
	time_t now = time(NULL);

	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		struct stat facts;

		if (is_temporary_of(entry->d_name, name) &&
			fstatat(dirfd(entries), entry->d_name, &facts,
				AT_SYMLINK_NOFOLLOW) == 0 &&
			S_ISREG(facts.st_mode) && facts.st_uid == geteuid() &&
			(facts.st_mtime < now - LEFT_BEHIND_SECONDS ||
				facts.st_mtime > at_clock_latest_seconds(now)))
			(void)!unlinkat(dirfd(entries), entry->d_name, 0);
	}
	if (entries)
		closedir(entries);
}

/*
 * Makes a new file in the same folder, since a rename does not cross file systems. A
 * user with write access to the folder cannot plant a link there: the name is random,
 * and must not exist. Returns a descriptor, or -1 and errno; *path is the caller's.
 */
static int open_temporary(
	const char *directory, const char *name, struct at_strbuf *path)
{
	for (int i = 0; i < TRIES; i++) {
		unsigned char chance[CHANCE_DIGITS / 2];
		int file;

		if (getentropy(chance, sizeof(chance)) < 0)
			return -1;
		at_strbuf_clear(path);
		at_strbuf_addf(path, "%s/.%s.", directory, name);
		for (size_t k = 0; k < sizeof(chance); k++)
			at_strbuf_addf(path, "%02x", chance[k]);
		at_strbuf_add(path, TEMPORARY_ENDING);
		file = open(path->data,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (file >= 0 || errno != EEXIST)
			return file;
	}
	return -1;
}

int at_file_can_create_beside(const char *path)
{
	char *directory = at_path_directory(path);
	struct at_strbuf temporary = { 0 };
	int file = -1, reason = 0;

	if (directory)
		file = open_temporary(directory, at_path_name(path), &temporary);
	if (directory && file < 0)
		reason = errno;
	if (file >= 0) {
		close(file);
		unlink(temporary.data);
	}
	free(directory);
	at_strbuf_release(&temporary);
	return reason;
}

/* A new name is on the disk only once its folder is synced. */
static void sync_folder(const char *directory)
{
	int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (folder < 0)
		return;
	/* some file systems refuse to sync a directory: not an error */
	(void)!fsync(folder);
	close(folder);
}

static enum at_status write_through(
	const char *path, const void *data, size_t size, struct at_error *err)
{
	/* O_NONBLOCK: else open() would wait for a reader, and ignore a signal */
	int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), flags;
	enum at_status status = AT_OK;

	if (file < 0 && errno == ENXIO)
		return at_fail(
			err, AT_EIO, path, 0, "is a pipe or a socket without a reader");
	if (file < 0)
		return fail_errno(err, path, "write it");
	flags = fcntl(file, F_GETFL);
	if (flags >= 0)
		(void)fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
	if (!at_write_all(file, data, size))
		status = fail_errno(err, path, "write it");
	if (close(file) < 0 && !status)
		status = fail_errno(err, path, "write it");
	return status;
}

enum at_status at_file_replace(
	const char *path, const void *data, size_t size, struct at_error *err)
{
	enum at_status status = AT_OK;
	struct at_strbuf temporary = { 0 };
	struct at_shield shield;
	char *directory = NULL;
	bool written;
	int file;

	/* a rename over /dev/null would remove it for everyone */
	if (at_file_is_stream(path))
		return write_through(path, data, size, err);
	if (holds_already(path, data, size))
		return AT_OK;
	directory = at_path_directory(path);
	/* a signal would leave the temporary file */
	at_shield_raise(&shield);
	file = open_temporary(directory, at_path_name(path), &temporary);
	if (file < 0) {
		status = fail_errno(err, path, "write it");
		goto release;
	}
	written = at_write_all(file, data, size) && fsync(file) == 0;
	if (!written)
		status = fail_errno(err, path, "write it");
	if (close(file) < 0 && written)
		status = fail_errno(err, path, "write it");
	if (!status && rename(temporary.data, path) < 0)
		status = fail_errno(err, path, "write it");
	if (status) {
		unlink(temporary.data);
	} else {
		sync_folder(directory);
		sweep(directory, at_path_name(path));
	}
release:
	at_shield_drop(&shield);
	free(directory);
	at_strbuf_release(&temporary);
	return status;
}

enum at_status at_file_replace_inside(const char *directory, const char *path,
	const struct at_strbuf *text, struct at_error *err)
{
	struct at_error reason;
	enum at_status status = AT_ENOENT;

	for (unsigned tries = directory ? 2 : 1; tries && status == AT_ENOENT;
		tries--) {
		memset(&reason, 0, sizeof(reason));
		status = directory ? at_directory_make(directory, &reason) : AT_OK;
		if (!status)
			status = at_file_replace(
				path, at_strbuf_text(text), text->length, &reason);
	}
	if (status && err && !err->status)
		*err = reason;
	return status;
}

bool at_file_exists(const char *path)
{
	struct stat facts;

	return stat(path, &facts) == 0;
}

bool at_file_may_exist(const char *path)
{
	return at_file_exists(path) || (errno != ENOENT && errno != ENOTDIR);
}

bool at_file_is_stream(const char *path)
{
	struct stat facts;

	return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) &&
	       !S_ISDIR(facts.st_mode);
}

char *at_path_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return at_strdup(".");
	return at_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

const char *at_path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *at_path_join(const char *directory, const char *name)
{
	struct at_strbuf path = { 0 };

	if (name[0] == '/' || !directory[0] || !strcmp(directory, "."))
		return at_strdup(name);
	at_strbuf_addf(&path, "%s%s%s", directory,
		directory[strlen(directory) - 1] == '/' ? "" : "/", name);
	return at_strbuf_detach(&path);
}

char *at_path_of_name(const char *directory, const char *word, const char *ending)
{
	struct at_strbuf name = { 0 };
	char *path = NULL;

	for (const char *c = word; *c; c++) {
		bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
			     (*c >= '0' && *c <= '9') || *c == '_' || *c == '-' ||
			     (*c == '.' && c > word);

		at_strbuf_add_char(&name, plain ? *c : '-');
	}
	at_strbuf_add(&name, ending);
	path = at_path_join(directory, name.data);
	at_strbuf_release(&name);
	return path;
}
