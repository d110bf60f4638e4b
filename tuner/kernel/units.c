/* Writes and reads the files of compiled units, and manages their folder: where it is,
   whether it can be trusted, and trimming the least recently used. kernel/units.h has
   layout and rules. */
#include "kernel/units.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/program_path.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* "ATu" among bytes that a text-mode transfer would change */
static const unsigned char magic[8] = { 0x89, 'A', 'T', 'u', '\r', '\n', 0x1a, '\n' };
/* Raise it if the layout changes, the meaning of a fact, or a toolchain's input beyond
   the request: older files then count as damaged, and are removed. */
#define VERSION 8
/* magic, version, a u32 digest of the file's name, checksum */
#define HEADER_BYTES 32
/* after the header: u64 bytes of the facts, u64 bytes of the image */
#define SIZES_BYTES 16
/* some loaders want aligned machine code, and code that maps the file might too */
#define IMAGE_ALIGNMENT 256
/* no cubin and no log is nearly as large: larger files are foreign */
#define UNIT_LIMIT_BYTES ((size_t)1 << 30)

static enum at_status fail_errno(
	struct at_error *err, const char *path, const char *verb)
{
	return at_fail(err, AT_EIO, path, 0, "cannot %s: %s", verb, strerror(errno));
}

bool at_unit_may_be_kept(const struct at_compile_result *result)
{
	return result->outcome == AT_OUTCOME_OK ||
	       (result->outcome == AT_OUTCOME_COMPILE_FAILED && result->is_verdict);
}

static uint64_t image_offset(uint64_t facts_bytes)
{
	uint64_t end = HEADER_BYTES + SIZES_BYTES + facts_bytes;

	return (end + IMAGE_ALIGNMENT - 1) / IMAGE_ALIGNMENT * IMAGE_ALIGNMENT;
}

/* The digest of its name that a unit contains. A repaired file system or a bad copy may
   leave a unit under another unit's name: a valid kernel that would be measured for the
   wrong configuration. */
static uint32_t name_digest(const char *path)
{
	const char *name = at_path_name(path);

	return (uint32_t)at_hash_bytes(name, strlen(name)).low;
}

enum at_status at_unit_write(
	const char *path, const struct at_compile_result *result, struct at_error *err)
{
	static const unsigned char zeros[IMAGE_ALIGNMENT];
	struct at_compile_result without_image = *result;
	struct at_wire_writer facts = { { 0 } }, head = { { 0 } };
	struct at_strbuf temporary = { 0 };
	struct at_hasher *hasher;
	struct at_hash checksum;
	enum at_status status = AT_OK;
	bool is_written;
	char *folder;
	int file;

	if (!at_unit_may_be_kept(result))
		return at_fail(err, AT_EINVAL, path, 0,
			"only what the compiler made of the source is kept, not what the machine did");
	hasher = at_hasher_new();
	without_image.image = NULL;
	without_image.image_bytes = 0;
	at_fields_put(&at_compile_result_fields, &without_image, &facts);
	at_strbuf_add_bytes(&head.bytes, magic, sizeof(magic));
	at_wire_put_u32(&head, VERSION);
	at_wire_put_u32(&head, name_digest(path));
	/* room for the checksum */
	at_wire_put_u64(&head, 0);
	at_wire_put_u64(&head, 0);
	at_wire_put_u64(&head, facts.bytes.length);
	at_wire_put_u64(&head, result->image ? result->image_bytes : 0);
	at_strbuf_add_bytes(
		&head.bytes, at_strbuf_text(&facts.bytes), facts.bytes.length);
	at_strbuf_add_bytes(&head.bytes, zeros,
		(size_t)image_offset(facts.bytes.length) - head.bytes.length);
	at_hasher_add_pieces(hasher, head.bytes.data + HEADER_BYTES,
		head.bytes.length - HEADER_BYTES);
	if (result->image)
		at_hasher_add_pieces(hasher, result->image, result->image_bytes);
	checksum = at_hasher_result(hasher);
	memcpy(head.bytes.data + HEADER_BYTES - 16, &checksum.low, 8);
	memcpy(head.bytes.data + HEADER_BYTES - 8, &checksum.high, 8);
	/* needed for the first unit whose hash begins with these two digits */
	folder = at_path_directory(path);
	(void)!mkdir(folder, 0700);
	free(folder);
	/* an unpredictable name: another user who can write in the folder must not be
	   able to redirect the write */
	at_strbuf_addf(&temporary, "%s" AT_UNIT_TEMPORARY ".XXXXXX", path);
	file = mkstemp(temporary.data);
	is_written = file >= 0 &&
		     at_write_all(file, head.bytes.data, head.bytes.length) &&
		     (!result->image ||
			     at_write_all(file, result->image, result->image_bytes));
	if (!is_written)
		status = fail_errno(err, path, "write it");
	if (file >= 0 && close(file) < 0 && !status)
		status = fail_errno(err, path, "write it");
	if (!status && rename(temporary.data, path) < 0)
		status = fail_errno(err, path, "write it");
	if (status && file >= 0)
		unlink(temporary.data);
	at_hasher_free(hasher);
	at_strbuf_release(&head.bytes);
	at_strbuf_release(&facts.bytes);
	at_strbuf_release(&temporary);
	return status;
}

/* Takes the unit out of a file's bytes, which become its image. False: the file is
   damaged, or another unit's. */
static bool take_unit(unsigned char *bytes, size_t size, const char *path,
	struct at_compile_result *out)
{
	struct at_wire_reader in;
	struct at_hasher *hasher;
	struct at_hash checksum, found;
	uint64_t facts_bytes, image_bytes, offset;

	if (size < HEADER_BYTES + SIZES_BYTES ||
		memcmp(bytes, magic, sizeof(magic)) != 0)
		return false;
	at_wire_reader_init(&in, bytes + sizeof(magic), size - sizeof(magic));
	if (at_wire_get_u32(&in) != VERSION ||
		at_wire_get_u32(&in) != name_digest(path))
		return false;
	checksum.low = at_wire_get_u64(&in);
	checksum.high = at_wire_get_u64(&in);
	facts_bytes = at_wire_get_u64(&in);
	image_bytes = at_wire_get_u64(&in);
	if (facts_bytes > size || image_bytes > size)
		return false;
	offset = image_offset(facts_bytes);
	if (offset + image_bytes != size)
		return false;
	hasher = at_hasher_new();
	at_hasher_add_pieces(
		hasher, bytes + HEADER_BYTES, (size_t)offset - HEADER_BYTES);
	at_hasher_add_pieces(hasher, bytes + offset, (size_t)image_bytes);
	found = at_hasher_result(hasher);
	at_hasher_free(hasher);
	if (!at_hash_equal(found, checksum))
		return false;
	at_wire_reader_init(
		&in, bytes + HEADER_BYTES + SIZES_BYTES, (size_t)facts_bytes);
	at_fields_get(&at_compile_result_fields, &in, out);
	if (!at_wire_done(&in) || out->image || !at_unit_may_be_kept(out) ||
		(out->outcome != AT_OUTCOME_OK && (image_bytes || out->kernel_count))) {
		at_compile_result_release(out);
		return false;
	}
	memmove(bytes, bytes + offset, (size_t)image_bytes);
	out->image = bytes;
	out->image_bytes = (size_t)image_bytes;
	return true;
}

/* Whether a file was written or used within an hour. A time further in the future does
   not count: the clock was ahead, and the file would stay young for years. */
static bool is_recent(int64_t used_s, int64_t now_s)
{
	return used_s >= now_s - AT_UNIT_RECENT_SECONDS &&
	       used_s <= now_s + AT_UNIT_RECENT_SECONDS;
}

enum at_status at_unit_read(const char *path, struct at_compile_result *out,
	bool with_image, struct at_error *err)
{
	struct at_error reason = { 0 };
	struct stat facts;
	char *bytes;
	size_t size;
	enum at_status status =
		at_file_read_plain(path, UNIT_LIMIT_BYTES, &bytes, &size, &reason);
	bool is_whole;

	memset(out, 0, sizeof(*out));
	/* not a regular file, or far too large: foreign */
	if (status == AT_ENOENT || status == AT_EINVAL)
		return at_fail(err, AT_ENOENT, path, 0, "there is no such unit");
	if (status)
		return at_fail(err, status, path, 0, "%s", reason.text);
	is_whole = take_unit((unsigned char *)bytes, size, path, out);
	if (!is_whole || !with_image || !out->image_bytes) {
		free(bytes);
		out->image = NULL;
		out->image_bytes = 0;
	}
	if (!is_whole) {
		/* If another process has just replaced it by an undamaged unit, that
		   unit is removed and compiled again. */
		unlink(path);
		return at_fail(err, AT_ENOENT, path, 0,
			"this unit is damaged, and now removed");
	}
	/* Once an hour is enough for "least recently used", and limits the writes of a
	   run that reads a unit often. */
	if (!lstat(path, &facts) && !is_recent(facts.st_mtime, time(NULL)))
		(void)!utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
	return AT_OK;
}

/* The default cache holds about 100,000 units, in 256 folders and files of some 10 kB.
   Entries beyond this limit wait for the next time. */
#define TRIM_ENTRY_LIMIT ((size_t)1 << 20)
#define DEFAULT_LIMIT_MB 2048

/* ---- the folder --------------------------------------------------------- */

/* Checks that the folder is this user's and that no other user may write in it, since
   its contents are executed. */
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
	const char *own = at_environment("AUTOTUNE_CACHE");
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const char *limit = at_environment("AUTOTUNE_CACHE_MB");
	struct at_strbuf path = { 0 };
	struct at_error reason = { 0 };
	char *parent;
	int64_t megabytes = DEFAULT_LIMIT_MB;
	enum at_status status;

	*folder = NULL;
	*limit_bytes = 0;
	if (limit && (!at_text_integer(limit, &megabytes) || megabytes < 0 ||
			     megabytes > INT64_MAX >> 20))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"AUTOTUNE_CACHE_MB is \"%s\"; expected a number of megabytes, 0 for no cache",
			limit);
	if (!megabytes)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"compiled units are not kept: AUTOTUNE_CACHE_MB is 0");
	/* By the XDG specification a relative path counts as unset. AUTOTUNE_CACHE may
	   be relative, since a person types it. */
	if (own)
		at_strbuf_add(&path, own);
	else if (cache && cache[0] == '/')
		at_strbuf_addf(&path, "%s/autotune/units", cache);
	else if (home && home[0] == '/')
		at_strbuf_addf(&path, "%s/.cache/autotune/units", home);
	else
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"compiled units are not kept: neither HOME nor XDG_CACHE_HOME names a folder; set AUTOTUNE_CACHE");
	parent = at_path_directory(path.data);
	/* only the last folder must be the user's alone, not its parents */
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
	/* any total order will do */
	return strcmp(one->name, other->name);
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
		/* removed meanwhile, or not a folder: it has no units */
		return;
	}
	while (out->count < TRIM_ENTRY_LIMIT && (entry = readdir(folder))) {
		bool is_temporary = strstr(entry->d_name, AT_UNIT_TEMPORARY) != NULL;
		struct kept *item;
		struct stat facts;

		/* hexadecimal digits in lower case, and the ending */
		if ((!is_temporary &&
			    !(strspn(entry->d_name, "0123456789abcdef") == 30 &&
				    !strcmp(entry->d_name + 30, ".unit"))) ||
			fstatat(file, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) < 0 ||
			!S_ISREG(facts.st_mode))
			continue;
		if (is_temporary) {
			/* its writer was killed: writing does not take an hour */
			if (!is_recent(facts.st_mtime, now_s))
				unlinkat(file, entry->d_name, 0);
			continue;
		}
		AT_GROW(out->items, out->capacity, out->count + 1);
		item = &out->items[out->count++];
		snprintf(item->name, sizeof(item->name), "%.2s/%.40s", digits,
			entry->d_name);
		/* used by a clock that was ahead: the time is unknown, and it must not
		   outlast all others */
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
		/* to a tenth below the limit, so that the next hour begins below it */
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
	/* Stamped before trimming, so that after a failure the next processes do not
	   all try again. */
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
