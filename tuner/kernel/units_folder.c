/*
 * The folder of compiled units: where it is, whether it can be trusted, and trimming
 * what was not used for long. kernel/units.h has the rules.
 */
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/units.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*
 * The default cache holds about 100,000 units, in folders of 256 names and files of
 * some 10 kB. What is beyond this limit is looked at the next time.
 */
#define TRIM_ENTRY_LIMIT ((size_t)1 << 20)
#define DEFAULT_LIMIT_MB 2048

static enum at_status fail_errno(
	struct at_error *err, const char *path, const char *verb)
{
	return at_fail(err, AT_EIO, path, 0, "cannot %s: %s", verb, strerror(errno));
}

/* ---- the folder --------------------------------------------------------- */

/*
 * Checks that the folder is ours and that no other user may write in it, since what is
 * found there is executed.
 */
static enum at_status check_folder(const char *folder, struct at_error *err)
{
	struct stat facts;

	if (stat(folder, &facts) < 0)
		return at_fail(err, AT_EUNAVAILABLE, folder, 0,
			"cannot keep compiled units here: %s", strerror(errno));
	if (!S_ISDIR(facts.st_mode))
		return at_fail(err, AT_EUNAVAILABLE, folder, 0,
			"cannot keep compiled units here: it is no folder");
	if (facts.st_uid != geteuid())
		return at_fail(err, AT_EUNAVAILABLE, folder, 0,
			"compiled units are not kept here: the folder belongs to another user; set AUTOTUNE_CACHE to one of your own");
	if (facts.st_mode & (S_IWGRP | S_IWOTH))
		return at_fail(err, AT_EUNAVAILABLE, folder, 0,
			"compiled units are not kept here: others may write in the folder; chmod 700 it");
	return AT_OK;
}

enum at_status at_units_folder(
	char **folder, uint64_t *limit_bytes, struct at_error *err)
{
	const char *own = getenv("AUTOTUNE_CACHE"), *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME"), *limit = getenv("AUTOTUNE_CACHE_MB");
	struct at_strbuf path = { 0 };
	struct at_error reason = { 0 };
	char *parent;
	int64_t megabytes = DEFAULT_LIMIT_MB;
	enum at_status status;

	*folder = NULL;
	*limit_bytes = 0;
	if (limit && limit[0] &&
		(!at_text_integer(limit, &megabytes) || megabytes < 0 ||
			megabytes > INT64_MAX >> 20))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"AUTOTUNE_CACHE_MB is \"%s\"; expected a number of megabytes, 0 for no cache",
			limit);
	if (!megabytes)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"compiled units are not kept: AUTOTUNE_CACHE_MB is 0");
	/* By the XDG specification a relative path counts as unset. AUTOTUNE_CACHE may
	   be relative, since a person types it. */
	if (own && own[0])
		at_strbuf_add(&path, own);
	else if (cache && cache[0] == '/')
		at_strbuf_addf(&path, "%s/autotune/units", cache);
	else if (home && home[0] == '/')
		at_strbuf_addf(&path, "%s/.cache/autotune/units", home);
	else
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"compiled units are not kept: neither HOME nor XDG_CACHE_HOME names a folder; set AUTOTUNE_CACHE");
	parent = at_path_directory(path.data);
	/* only the last folder must be the user's alone; others may own the ones above
	   it */
	status = at_directory_make(parent, &reason);
	free(parent);
	if (status)
		status = at_fail(err, AT_EUNAVAILABLE, path.data, 0,
			"cannot keep compiled units here: %s", reason.text);
	else if (mkdir(path.data, 0700) < 0 && errno != EEXIST)
		status = at_fail(err, AT_EUNAVAILABLE, path.data, 0,
			"cannot keep compiled units here: %s", strerror(errno));
	else
		status = check_folder(path.data, err);
	if (status) {
		at_strbuf_release(&path);
		return status;
	}
	*folder = at_strbuf_detach(&path);
	*limit_bytes = (uint64_t)megabytes << 20;
	return AT_OK;
}

char *at_unit_path(const char *folder, struct at_hash identity)
{
	struct at_strbuf path = { 0 };
	char hex[AT_HASH_HEX_SIZE];

	at_hash_hex(identity, hex);
	at_strbuf_addf(&path, "%s/%.2s/%s.unit", folder, hex, hex + 2);
	return at_strbuf_detach(&path);
}

/* ---- trimming ----------------------------------------------------------- */

struct kept {
	char name[48]; /* below the folder: "ab/cdef....unit" */
	int64_t used_s;
	uint64_t bytes;
};

struct inventory {
	struct kept *items;
	size_t count;
	size_t capacity;
	uint64_t bytes;
};

static int least_recently_used_first(const void *a, const void *b)
{
	const struct kept *one = a, *other = b;

	if (one->used_s != other->used_s)
		return one->used_s < other->used_s ? -1 : 1;
	/* the order must be total, but any will do */
	return strcmp(one->name, other->name);
}

/*
 * Whether the name is exactly `digits` lower-case hexadecimal digits and then the
 * ending.
 */
static bool is_name(const char *name, size_t digits, const char *ending)
{
	return strspn(name, "0123456789abcdef") == digits &&
	       !strcmp(name + digits, ending);
}

static void list_units(
	int root, const char *digits, time_t now_s, struct inventory *out)
{
	struct dirent *entry;
	int file =
		openat(root, digits, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = file < 0 ? NULL : fdopendir(file);

	if (!folder) {
		if (file >= 0)
			close(file);
		/* removed meanwhile, or not a folder: no unit of ours is in
		   it */
		return;
	}
	while (out->count < TRIM_ENTRY_LIMIT && (entry = readdir(folder))) {
		bool is_temporary = strstr(entry->d_name, AT_UNIT_TEMPORARY) != NULL;
		struct kept *item;
		struct stat facts;

		if ((!is_temporary && !is_name(entry->d_name, 30, ".unit")) ||
			fstatat(file, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) < 0 ||
			!S_ISREG(facts.st_mode))
			continue;
		if (is_temporary) {
			/* its writer was killed: writing does not take an hour */
			if (!at_unit_is_recent(facts.st_mtime, now_s))
				unlinkat(file, entry->d_name, 0);
			continue;
		}
		AT_GROW(out->items, out->capacity, out->count + 1);
		item = &out->items[out->count++];
		snprintf(item->name, sizeof(item->name), "%.2s/%.40s", digits,
			entry->d_name);
		/* used by a clock that was ahead: the time is not known, and it must
		   not outlast all others */
		item->used_s = facts.st_mtime > now_s + AT_UNIT_RECENT_SECONDS
				       ? 0
				       : facts.st_mtime;
		/* the space that it takes on most disks */
		item->bytes = ((uint64_t)facts.st_size + 4095) / 4096 * 4096;
		out->bytes += item->bytes;
	}
	closedir(folder);
}

static void trim(int root, uint64_t limit_bytes, time_t now_s)
{
	struct inventory units = { 0 };

	for (unsigned i = 0; i < 256; i++) {
		char digits[3];

		snprintf(digits, sizeof(digits), "%02x", i);
		list_units(root, digits, now_s, &units);
	}
	if (units.bytes > limit_bytes) {
		/* to a tenth below the limit, so that the next hour does not begin at
		   it */
		uint64_t goal_bytes = limit_bytes - limit_bytes / 10;

		qsort(units.items, units.count, sizeof(*units.items),
			least_recently_used_first);
		for (size_t i = 0; i < units.count && units.bytes >= goal_bytes; i++) {
			unlinkat(root, units.items[i].name, 0);
			units.bytes -= units.items[i].bytes;
		}
	}
	free(units.items);
}

enum at_status at_units_trim(
	const char *folder, uint64_t limit_bytes, struct at_error *err)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat facts;
	enum at_status status = AT_OK;
	time_t now_s = time(NULL);
	int stamp = -1, root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (root < 0)
		return fail_errno(err, folder, "look through it");
	stamp = openat(
		root, "trimmed", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (stamp < 0) {
		status = fail_errno(err, folder, "write in it");
		goto close_root;
	}
	/* another process holds the lock, and is trimming */
	if (fcntl(stamp, F_SETLK, &lock) < 0)
		goto close_stamp;
	/* An empty stamp was just created. A time in the future means that the clock
	   was set back. */
	if (fstat(stamp, &facts) < 0 ||
		(facts.st_size && facts.st_mtime <= now_s &&
			now_s - facts.st_mtime < AT_UNIT_RECENT_SECONDS))
		goto close_stamp;
	/* Stamped before trimming: if that fails, the next processes do not all try
	   again. */
	if (pwrite(stamp, "\n", 1, 0) != 1 || futimens(stamp, NULL) < 0) {
		status = fail_errno(err, folder, "write in it");
		goto close_stamp;
	}
	trim(root, limit_bytes, now_s);
close_stamp:
	close(stamp);
close_root:
	close(root);
	return status;
}
