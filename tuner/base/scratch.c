/* Temporary folders: made, locked and removed; those of dead processes are swept. */
/* flock() comes from BSD, statfs() from Linux */
#define _DEFAULT_SOURCE
#include "base/scratch.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/program_path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <sys/vfs.h>

#define PREFIX "autotune-"
#define CHANCE "XXXXXX"
/* leaves room for names that callers append to the path */
#define PLACE_MAX (sizeof(((struct at_scratch *)0)->path) - 64)
/* The owner's file, locked while its owner lives; the system drops the lock at any
   death. After locking it, the owner writes the id of its machine's boot. */
#define OWNER ".owner"
/* deeper than any use */
#define DEPTH_MAX 32
/* a folder lacks its owner's file, or that file its contents, only for a moment; after
   this time the owner must have been killed */
#define UNFINISHED_SECONDS 3600

const char *at_scratch_place(void)
{
	const char *place = at_environment("TMPDIR");

	return place ? place : "/tmp";
}

/* ---- ownership ------------------------------------------------------------------- */

/* Identifies this boot of this machine; "" if unknown. */
static void read_boot(char *text, size_t size)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	text[0] = '\0';
	if (file && fgets(text, (int)size, file))
		text[strcspn(text, "\n")] = '\0';
	if (file)
		fclose(file);
}

/* Whether the file system is local to this machine. On a shared one another machine's
   lock may be invisible, so unknown file systems count as shared. */
static bool is_local(int file)
{
	static const unsigned long local[] = { TMPFS_MAGIC, EXT4_SUPER_MAGIC,
		XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC,
		F2FS_SUPER_MAGIC, 0x2fc12fc1 /* ZFS */ };
	struct statfs facts;

	if (fstatfs(file, &facts))
		return false;
	for (size_t i = 0; i < AT_COUNT_OF(local); i++)
		if ((unsigned long)facts.f_type == local[i])
			return true;
	return false;
}

static bool lock(int file, int how)
{
	int code;

	do
		code = flock(file, how);
	while (code < 0 && errno == EINTR);
	return code == 0;
}

/* Makes and locks the owner's file; -1: failed. Without a lock it stays empty, so that
   no process sweeps the folder. */
static int take(const char *path)
{
	char name[sizeof(((struct at_scratch *)0)->path) + sizeof(OWNER)], boot[64];
	int file;

	snprintf(name, sizeof(name), "%s/" OWNER, path);
	file = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file < 0)
		return -1;
	read_boot(boot, sizeof(boot));
	/* waits: a sweeping process may hold the lock for a moment */
	if (lock(file, LOCK_EX) && write(file, boot, strlen(boot)) < 0) {
		/* disk full: the folder is not swept, as if it had no owner yet */
	}
	return file;
}

static bool is_old(const struct stat *facts)
{
	return llabs((long long)(facts->st_mtime - time(NULL))) > UNFINISHED_SECONDS;
}

/* Takes the lock of a dead owner; -1: it lives, or this is unknown. */
static int take_dead(int folder)
{
	char mine[64], his[64] = "";
	ssize_t bytes;
	int file = openat(folder, OWNER, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat facts;

	if (file < 0)
		return -1;
	read_boot(mine, sizeof(mine));
	if (!fstat(file, &facts) && S_ISREG(facts.st_mode) &&
		facts.st_uid == geteuid() && lock(file, LOCK_EX | LOCK_NB)) {
		bytes = read(file, his, sizeof(his) - 1);
		if (bytes > 0 && ((mine[0] && !strcmp(mine, his)) || is_local(file)))
			return file;
		/* an owner that was killed before it wrote, or had no room to */
		if (!bytes && is_local(file) && is_old(&facts))
			return file;
	}
	close(file);
	return -1;
}

/* ---- removing -------------------------------------------------------------------- */

static DIR *open_folder(int parent, const char *name)
{
	int file =
		openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = file < 0 ? NULL : fdopendir(file);

	if (file >= 0 && !folder)
		close(file);
	return folder;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Removes all in a folder except the owner's file at the top. Follows no link, stays on
   one file system. */
static void empty(DIR *folder, dev_t device, unsigned depth)
{
	for (struct dirent *entry; (entry = readdir(folder));) {
		struct stat facts;
		DIR *below;

		if (is_dots(entry->d_name) || (!depth && !strcmp(entry->d_name, OWNER)))
			continue;
		if (!unlinkat(dirfd(folder), entry->d_name, 0))
			continue;
		below = depth < DEPTH_MAX ? open_folder(dirfd(folder), entry->d_name)
					  : NULL;
		if (!below)
			continue;
		if (!fstat(dirfd(below), &facts) && facts.st_dev == device)
			empty(below, device, depth + 1);
		closedir(below);
		unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
	}
}

/* Removes an open folder from its parent; the owner's file goes last. */
static void remove_open(DIR *folder, int parent, const char *name)
{
	struct stat facts;

	if (fstat(dirfd(folder), &facts))
		return;
	empty(folder, facts.st_dev, 0);
	/* after an incomplete removal the owner's file stays, for a later attempt */
	rewinddir(folder);
	for (struct dirent *entry; (entry = readdir(folder));)
		if (!is_dots(entry->d_name) && strcmp(entry->d_name, OWNER) != 0)
			return;
	unlinkat(dirfd(folder), OWNER, 0);
	unlinkat(parent, name, AT_REMOVEDIR);
}

static enum at_status fail_long(struct at_error *err)
{
	return at_fail(err, AT_EINVAL, NULL, 0,
		"$TMPDIR is longer than %zu bytes; set a shorter one",
		PLACE_MAX - sizeof(PREFIX CHANCE));
}

enum at_status at_scratch_check(struct at_error *err)
{
	const char *place = at_scratch_place();
	struct stat facts;
	int code = 0;

	if (strlen(place) > PLACE_MAX - sizeof(PREFIX CHANCE))
		return fail_long(err);
	if (stat(place, &facts) < 0 || access(place, W_OK | X_OK) < 0)
		code = errno;
	else if (!S_ISDIR(facts.st_mode))
		code = ENOTDIR;
	switch (code) {
	case EACCES:
	case ELOOP:
	case ENOENT:
	case ENOTDIR:
	case EROFS:
		return at_fail(err, AT_EINVAL, place, 0,
			"there can be no temporary files here: %s; set TMPDIR to a folder that can be written to",
			strerror(code));
	default:
		return AT_OK;
	}
}

/* the folders that this process made and has not removed */
static struct at_scratch *folders;
static pthread_mutex_t folders_lock = PTHREAD_MUTEX_INITIALIZER;

enum at_status at_scratch_make(
	struct at_scratch *self, const char *name, struct at_error *err)
{
	const char *place = at_scratch_place();
	enum at_status status = AT_OK;
	struct at_shield shield;
	int length;

	self->lock = -1;
	length = snprintf(self->path, sizeof(self->path), "%s/%s-" CHANCE, place, name);
	if (length < 0 || (size_t)length >= PLACE_MAX) {
		self->path[0] = '\0';
		return fail_long(err);
	}
	/* a signal in between would leave an unknown folder */
	at_shield_raise(&shield);
	if (!mkdtemp(self->path)) {
		status = at_fail(err, AT_EIO, place, 0,
			"cannot make a folder here: %s; set TMPDIR", strerror(errno));
		self->path[0] = '\0';
	} else {
		self->lock = take(self->path);
		pthread_mutex_lock(&folders_lock);
		self->next = folders;
		folders = self;
		pthread_mutex_unlock(&folders_lock);
	}
	at_shield_drop(&shield);
	return status;
}

static void remove_folder(const char *path)
{
	DIR *folder = open_folder(AT_FDCWD, path);

	if (!folder)
		return;
	remove_open(folder, AT_FDCWD, path);
	closedir(folder);
}

void at_scratch_remove(struct at_scratch *self)
{
	struct at_scratch **link = &folders;

	if (!self->path[0])
		return;
	remove_folder(self->path);
	pthread_mutex_lock(&folders_lock);
	while (*link && *link != self)
		link = &(*link)->next;
	if (*link)
		*link = self->next;
	pthread_mutex_unlock(&folders_lock);
	if (self->lock >= 0)
		close(self->lock);
	self->path[0] = '\0';
	self->lock = -1;
}

void at_scratch_remove_all(void)
{
	pthread_mutex_lock(&folders_lock);
	for (const struct at_scratch *one = folders; one; one = one->next)
		remove_folder(one->path);
	pthread_mutex_unlock(&folders_lock);
}

/* ---- folders of dead processes --------------------------------------------------- */

/* Whether a name is "autotune-XXXXXX" or "autotune-WORD-XXXXXX". */
static bool is_ours(const char *name)
{
	const char *rest = name + strlen(PREFIX), *dash;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return false;
	dash = strrchr(rest, '-');
	return strlen(dash ? dash + 1 : rest) == strlen(CHANCE) &&
	       strspn(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789-") == strlen(rest);
}

/* Removes a folder if its owner is dead; path: the name for dead(). */
static bool sweep(int parent, const char *name, const char *path,
	void (*dead)(const char *path, void *context), void *context)
{
	DIR *folder = open_folder(parent, name);
	struct stat facts;
	int file = -1;

	if (!folder)
		return false;
	if (!fstat(dirfd(folder), &facts) && facts.st_uid == geteuid() &&
		!(facts.st_mode & 022)) {
		file = take_dead(dirfd(folder));
		if (file >= 0) {
			if (dead)
				dead(path, context);
			remove_open(folder, parent, name);
			close(file);
		} else if (faccessat(dirfd(folder), OWNER, F_OK, AT_SYMLINK_NOFOLLOW) &&
			   is_old(&facts)) {
			/* its owner was killed before it made that file, perhaps while
			   the clock was ahead; removed if it is empty */
			unlinkat(parent, name, AT_REMOVEDIR);
		}
	}
	closedir(folder);
	return file >= 0;
}

bool at_scratch_sweep_one(
	const char *path, void (*dead)(const char *path, void *context), void *context)
{
	return sweep(AT_FDCWD, path, path, dead, context);
}

size_t at_scratch_sweep(void (*dead)(const char *path, void *context), void *context)
{
	const char *place = at_scratch_place();
	DIR *folder = opendir(place);
	size_t count = 0;

	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		struct at_strbuf path = { 0 };

		if (!is_ours(entry->d_name))
			continue;
		at_strbuf_addf(&path, "%s/%s", place, entry->d_name);
		count += sweep(dirfd(folder), entry->d_name, path.data, dead, context);
		at_strbuf_release(&path);
	}
	if (folder)
		closedir(folder);
	return count;
}
