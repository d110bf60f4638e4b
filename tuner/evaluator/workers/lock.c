/* The lock file of a device, and the search for the process that has it. */
/* flock() comes from BSD, not from POSIX */
#define _DEFAULT_SOURCE
#include "evaluator/workers/lock.h"
#include "base/memory.h"
#include "base/owner.h"
#include "base/program_path.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file is empty, and no process may write to it: locking only needs the right to
   read. The run that creates the file makes it readable for all users. */
#define MODE 0444
/* from a worker up to its guard and its coordinator */
#define ABOVE_MAX 2
/* another process may remove the file between two calls */
#define TRIES 4

/* The descriptor, or -1 and errno. O_NONBLOCK: opening a pipe of this name must not
   wait. */
static int open_or_make(const char *path)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

	for (int i = 0; i < TRIES; i++) {
		int file = open(path, flags);

		if (file >= 0 || errno != ENOENT)
			return file;
		/* creates the file, which must not exist */
		file = open(path, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			MODE);
		/* the umask may have removed some of these rights */
		if (file >= 0)
			(void)!fchmod(file, MODE);
		if (file >= 0 || errno != EEXIST)
			return file;
	}
	return -1;
}

/* Whether the open file still has its name. */
static bool has_its_name(const struct at_device_lock *self)
{
	struct stat mine, named;

	return !fstat(self->file, &mine) && !lstat(self->path, &named) &&
	       mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

/* Notes why there is no lock. */
static void say(struct at_device_lock *self, const char *path, const char *why)
{
	snprintf(self->why, sizeof(self->why), "%.100s: %s", path, why);
}

static void close_file(struct at_device_lock *self)
{
	if (self->file > 0)
		close(self->file);
	self->file = -1;
	self->is_held = false;
}

/* Opens the file at self->path; on failure there is no lock. */
static void open_file(struct at_device_lock *self)
{
	struct stat facts;

	self->file = open_or_make(self->path);
	if (self->file < 0) {
		say(self, self->path, errno == ELOOP ? "is a link" : strerror(errno));
	} else if (fstat(self->file, &facts) < 0 || !S_ISREG(facts.st_mode)) {
		say(self, self->path, "is not a file");
		close_file(self);
	}
}

const char *at_device_lock_folder(void)
{
	/* all users share it by default, so $TMPDIR, which may differ for each user, is
	   ignored */
	const char *folder = at_environment("AUTOTUNE_LOCKS");

	return folder ? folder : "/tmp";
}

void at_device_lock_open(struct at_device_lock *self, const char *board)
{
	struct at_strbuf path = { 0 };
	char *slug = at_text_slug(board);

	memset(self, 0, sizeof(*self));
	self->file = -1;
	at_strbuf_addf(&path, "%s/autotune-%s.lock", at_device_lock_folder(), slug);
	self->path = at_strbuf_detach(&path);
	open_file(self);
	free(slug);
	at_strbuf_release(&path);
}

/* ---- the owner ----------------------------------------------------------------- */

static bool is_autotune(int64_t process)
{
	char path[64], name[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%" PRId64 "/comm", process);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = '\0';
	fclose(file);
	/* also "autotune-guard", between a coordinator and its worker */
	return !strncmp(name, "autotune", 8);
}

/* Asks the kernel for the owner, since any user could have written a number into the
   file. The owner is a worker; the process that the user started is above it. */
static int64_t find_owner(const struct at_device_lock *self)
{
	struct stat facts;
	int64_t owner = 0;

	if (!fstat(self->file, &facts))
		owner = at_lock_owner(&facts);
	for (int i = 0; i < ABOVE_MAX && owner > 0; i++) {
		int64_t parent = at_process_parent(owner);

		if (!is_autotune(parent))
			break;
		owner = parent;
	}
	return owner > 0 ? owner : 0;
}

/* ---- taking turns ---------------------------------------------------------------- */

/* After the lock was taken. False: the file has lost its name, and its successor is
   open now. */
static bool keep(struct at_device_lock *self)
{
	if (has_its_name(self)) {
		self->is_held = true;
		return true;
	}
	close_file(self);
	open_file(self);
	return self->file <= 0;
}

bool at_device_lock_try(struct at_device_lock *self, int64_t *owner)
{
	*owner = 0;
	for (int i = 0; i < TRIES && self->file > 0; i++) {
		if (flock(self->file, LOCK_EX | LOCK_NB) == 0) {
			if (keep(self))
				return true;
		} else if (errno == EWOULDBLOCK || errno == EINTR) {
			*owner = find_owner(self);
			return false;
		} else {
			/* the file system has no locks: measuring continues without */
			snprintf(self->why, sizeof(self->why), "flock: %s",
				strerror(errno));
			close_file(self);
		}
	}
	/* no lock, or the file is removed each time: no process can have it */
	return true;
}

void at_device_lock_take(struct at_device_lock *self)
{
	for (int i = 0; i < TRIES && self->file > 0; i++) {
		while (flock(self->file, LOCK_EX) < 0 && errno == EINTR)
			;
		if (keep(self))
			return;
	}
}

void at_device_lock_drop(struct at_device_lock *self)
{
	self->is_held = false;
	if (self->file > 0)
		flock(self->file, LOCK_UN);
}

void at_device_lock_close(struct at_device_lock *self)
{
	close_file(self);
	free(self->path);
	self->path = NULL;
}

void at_device_lock_remove(struct at_device_lock *self)
{
	/* a process that waits for this lock sees that the file has lost its name */
	if (self->is_held && has_its_name(self))
		(void)unlink(self->path);
	at_device_lock_close(self);
}
