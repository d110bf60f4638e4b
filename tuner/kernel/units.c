/*
 * Writes, reads and trims the files of compiled units; kernel/units.h has their layout.
 */
#include "kernel/units.h"
#include "base/file.h"
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

/* "ATu" among bytes that a transfer in text mode would change */
static const unsigned char magic[8] = { 0x89, 'A', 'T', 'u', '\r', '\n', 0x1a, '\n' };
/*
 * Raise it when the layout changes, or the meaning of a fact, or what a toolchain is
 * given besides the request: older files then count as damaged, and are removed.
 */
#define VERSION 3
/* magic, version, a u32 digest of the file's name, checksum */
#define HEADER_BYTES 32
/* behind the header: u64 bytes of the facts, u64 bytes of the image */
#define SIZES_BYTES 16
/* some loaders want machine code aligned, and so might code that maps the file */
#define IMAGE_ALIGNMENT 256
/* no cubin and no log is nearly as large: what is larger was not written by us */
#define UNIT_LIMIT_BYTES ((uint64_t)1 << 30)
/*
 * The checksum is made piece by piece, so that reading past an image needs no memory
 * for it. Part of the format: a hasher also hashes the length of each piece.
 */
#define CHUNK_BYTES ((size_t)64 << 10)

#define SECONDS_PER_HOUR 3600
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

/* ---- a file ------------------------------------------------------------- */

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

static void add_chunks(struct at_hasher *hasher, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	while (size) {
		size_t length = size < CHUNK_BYTES ? size : CHUNK_BYTES;

		at_hasher_add(hasher, bytes, length);
		bytes += length;
		size -= length;
	}
}

/*
 * The digest of its name that a unit contains. A unit under another unit's name, as a
 * repaired file system or a bad copy may leave it, would be a valid kernel that is
 * measured for the wrong configuration.
 */
static uint32_t name_digest(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return (uint32_t)at_hash_bytes(name, strlen(name)).low;
}

/*
 * Opens PATH.HEX.tmp, a new file whose name cannot be guessed: a user who can write in
 * the folder must not be able to redirect what we write.
 */
static enum at_status open_temporary(
	const char *path, struct at_strbuf *name, int *file, struct at_error *err)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	uint64_t number = 0;
	int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	bool drawn = source >= 0 &&
		     read(source, &number, sizeof(number)) == (ssize_t)sizeof(number);

	if (source >= 0)
		close(source);
	if (!drawn)
		return fail_errno(err, "/dev/urandom", "read it");
	at_strbuf_addf(name, "%s.%016llx.tmp", path, (unsigned long long)number);
	if (name->failed)
		return at_fail_memory(err);
	*file = open(name->data, flags, 0600);
	if (*file < 0 && errno == ENOENT) {
		/* the first unit whose hash begins with these two digits */
		char *folder = at_path_directory(path);

		if (!folder)
			return at_fail_memory(err);
		(void)!mkdir(folder, 0700);
		free(folder);
		*file = open(name->data, flags, 0600);
	}
	return *file < 0 ? fail_errno(err, path, "write it") : AT_OK;
}

enum at_status at_unit_write(
	const char *path, const struct at_compile_result *result, struct at_error *err)
{
	static const unsigned char zeros[IMAGE_ALIGNMENT];
	struct at_compile_result without_image = *result;
	struct at_wire_writer facts = { { 0 } }, body = { { 0 } }, header = { { 0 } };
	struct at_strbuf temporary = { 0 };
	struct at_hasher *hasher = NULL;
	struct at_hash checksum;
	enum at_status status;
	int file = -1;

	if (!at_unit_may_be_kept(result))
		return at_fail(err, AT_EINVAL, path, 0,
			"only what the compiler made of the source is kept, not what the machine did");
	status = at_hasher_new(&hasher, err);
	if (status)
		return status;
	without_image.image = NULL;
	without_image.image_bytes = 0;
	at_fields_put(&at_compile_result_fields, &without_image, &facts);
	at_wire_put_u64(&body, facts.bytes.length);
	at_wire_put_u64(&body, result->image ? result->image_bytes : 0);
	at_strbuf_add_bytes(
		&body.bytes, at_strbuf_text(&facts.bytes), facts.bytes.length);
	at_strbuf_add_bytes(&body.bytes, zeros,
		(size_t)image_offset(facts.bytes.length) - HEADER_BYTES - SIZES_BYTES -
			facts.bytes.length);
	if (facts.bytes.failed || body.bytes.failed) {
		status = at_fail_memory(err);
		goto release;
	}
	add_chunks(hasher, body.bytes.data, body.bytes.length);
	if (result->image)
		add_chunks(hasher, result->image, result->image_bytes);
	checksum = at_hasher_result(hasher);
	at_strbuf_add_bytes(&header.bytes, magic, sizeof(magic));
	at_wire_put_u32(&header, VERSION);
	at_wire_put_u32(&header, name_digest(path));
	at_wire_put_u64(&header, checksum.low);
	at_wire_put_u64(&header, checksum.high);
	if (header.bytes.failed) {
		status = at_fail_memory(err);
		goto release;
	}
	status = open_temporary(path, &temporary, &file, err);
	if (status)
		goto release;
	if (!at_write_all(file, header.bytes.data, header.bytes.length) ||
		!at_write_all(file, body.bytes.data, body.bytes.length) ||
		(result->image &&
			!at_write_all(file, result->image, result->image_bytes))) {
		status = fail_errno(err, path, "write it");
		close(file);
		unlink(temporary.data);
	} else if (close(file) < 0 || rename(temporary.data, path) < 0) {
		status = fail_errno(err, path, "write it");
		unlink(temporary.data);
	}
release:
	at_hasher_free(hasher);
	at_strbuf_release(&header.bytes);
	at_strbuf_release(&body.bytes);
	at_strbuf_release(&facts.bytes);
	at_strbuf_release(&temporary);
	return status;
}

/* False on an error, or when the file ends before. */
static bool read_all(int file, unsigned char *out, size_t size)
{
	while (size) {
		ssize_t got = read(file, out, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		out += got;
		size -= (size_t)got;
	}
	return true;
}

/*
 * Adds the next `size` bytes of the file to the checksum and, unless keep is NULL,
 * stores them in keep.
 */
static bool read_part(
	int file, struct at_hasher *hasher, uint64_t size, unsigned char *keep)
{
	unsigned char chunk[CHUNK_BYTES];

	while (size) {
		size_t length = size < CHUNK_BYTES ? (size_t)size : CHUNK_BYTES;
		unsigned char *into = keep ? keep : chunk;

		if (!read_all(file, into, length))
			return false;
		at_hasher_add(hasher, into, length);
		if (keep)
			keep += length;
		size -= length;
	}
	return true;
}

/*
 * Reads a file of file_bytes bytes. *whole says whether it is an undamaged unit with
 * this name; only then *out is filled in. The sizes in it are compared with the file's
 * before memory is allocated for them.
 */
static enum at_status read_unit(int file, const char *path, uint64_t file_bytes,
	bool with_image, bool *whole, struct at_compile_result *out,
	struct at_error *err)
{
	unsigned char header[HEADER_BYTES + SIZES_BYTES], *body = NULL;
	struct at_compile_result facts;
	struct at_wire_reader in;
	struct at_hasher *hasher = NULL;
	struct at_hash checksum;
	uint64_t facts_bytes, image_bytes, offset;
	size_t body_bytes;
	enum at_status status;

	*whole = false;
	if (file_bytes < sizeof(header) || file_bytes > UNIT_LIMIT_BYTES ||
		!read_all(file, header, sizeof(header)) ||
		memcmp(header, magic, sizeof(magic)) != 0)
		return AT_OK;
	at_wire_reader_init(
		&in, header + sizeof(magic), sizeof(header) - sizeof(magic));
	if (at_wire_get_u32(&in) != VERSION ||
		at_wire_get_u32(&in) != name_digest(path))
		return AT_OK;
	checksum.low = at_wire_get_u64(&in);
	checksum.high = at_wire_get_u64(&in);
	facts_bytes = at_wire_get_u64(&in);
	image_bytes = at_wire_get_u64(&in);
	if (facts_bytes > file_bytes || image_bytes > file_bytes)
		return AT_OK;
	offset = image_offset(facts_bytes);
	if (offset + image_bytes != file_bytes)
		return AT_OK;
	status = at_hasher_new(&hasher, err);
	if (status)
		return status;
	body_bytes = (size_t)offset - HEADER_BYTES;
	body = malloc(body_bytes);
	if (with_image && image_bytes)
		out->image = malloc((size_t)image_bytes);
	if (!body || (with_image && image_bytes && !out->image)) {
		status = at_fail_memory(err);
		goto release;
	}
	/* the writer hashed the sizes together with the facts, in one piece */
	memcpy(body, header + HEADER_BYTES, SIZES_BYTES);
	if (!read_all(file, body + SIZES_BYTES, body_bytes - SIZES_BYTES))
		goto release;
	add_chunks(hasher, body, body_bytes);
	if (!read_part(file, hasher, image_bytes, out->image) ||
		!at_hash_equal(at_hasher_result(hasher), checksum))
		goto release;
	at_wire_reader_init(&in, body + SIZES_BYTES, (size_t)facts_bytes);
	at_fields_get(&at_compile_result_fields, &in, &facts);
	*whole = at_wire_done(&in) && !facts.image && at_unit_may_be_kept(&facts) &&
		 (facts.outcome == AT_OUTCOME_OK ||
			 (!image_bytes && !facts.kernel_count));
	if (in.no_memory)
		status = at_fail_memory(err);
	if (!*whole) {
		at_compile_result_release(&facts);
		goto release;
	}
	facts.image = out->image;
	facts.image_bytes = facts.image ? (size_t)image_bytes : 0;
	*out = facts;
release:
	free(body);
	at_hasher_free(hasher);
	return status;
}

/* Whether a file was written or used within an hour. One of the future was not: the
   clock was ahead then, or the file would be young for years. */
static bool is_recent(int64_t used_s, int64_t now_s)
{
	return used_s >= now_s - SECONDS_PER_HOUR && used_s <= now_s + SECONDS_PER_HOUR;
}

enum at_status at_unit_read(const char *path, struct at_compile_result *out,
	bool with_image, struct at_error *err)
{
	struct stat facts;
	enum at_status status = AT_OK;
	bool whole = false;
	int file;

	memset(out, 0, sizeof(*out));
	/* non-blocking: a pipe of that name must not make us wait */
	file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP
			       ? at_fail(err, AT_ENOENT, path, 0,
					 "there is no such unit")
			       : fail_errno(err, path, "read it");
	if (fstat(file, &facts) < 0) {
		status = fail_errno(err, path, "read it");
		goto close_file;
	}
	if (!S_ISREG(facts.st_mode)) {
		status = at_fail(err, AT_ENOENT, path, 0, "there is no such unit");
		goto close_file;
	}
	status = read_unit(
		file, path, (uint64_t)facts.st_size, with_image, &whole, out, err);
	if (!status && !whole) {
		/* If another process has just put an undamaged unit in its place, that
		   one is removed, and compiled once more. */
		unlink(path);
		status = at_fail(err, AT_ENOENT, path, 0,
			"this unit is damaged, and now removed");
	}
	/* Once an hour is enough for "least recently used", and a run that reads a unit
	   often does not write as often. */
	if (!status && !is_recent(facts.st_mtime, time(NULL)))
		(void)!futimens(file, NULL);
close_file:
	close(file);
	if (status)
		at_compile_result_release(out);
	return status;
}

/* ---- the folder --------------------------------------------------------- */

/*
 * Checks that the folder is ours and that nobody else may write in it, since what is
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
	parent = path.failed ? NULL : at_path_directory(path.data);
	if (!parent) {
		at_strbuf_release(&path);
		return at_fail_memory(err);
	}
	/* only the last folder must be the user's alone; others may own the ones above
	   it */
	status = at_directory_make(parent, &reason);
	free(parent);
	if (status == AT_ENOMEM)
		at_fail_memory(err);
	else if (status)
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

static enum at_status list_units(int root, const char *digits, time_t now_s,
	struct inventory *out, struct at_error *err)
{
	enum at_status status = AT_OK;
	struct dirent *entry;
	int file =
		openat(root, digits, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = file < 0 ? NULL : fdopendir(file);

	if (!folder) {
		if (file >= 0)
			close(file);
		/* removed meanwhile, or not a folder: there is none of our units in
		   it */
		return AT_OK;
	}
	while (!status && out->count < TRIM_ENTRY_LIMIT && (entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);
		bool is_temporary =
			length > 4 && !strcmp(entry->d_name + length - 4, ".tmp");
		struct kept *item;
		struct stat facts;

		if ((!is_temporary && !is_name(entry->d_name, 30, ".unit")) ||
			fstatat(file, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) < 0 ||
			!S_ISREG(facts.st_mode))
			continue;
		if (is_temporary) {
			/* its writer was killed: writing does not take an hour */
			if (!is_recent(facts.st_mtime, now_s))
				unlinkat(file, entry->d_name, 0);
			continue;
		}
		status = AT_RESERVE(out->items, out->capacity, out->count + 1, err);
		if (status)
			break;
		item = &out->items[out->count++];
		snprintf(item->name, sizeof(item->name), "%.2s/%.40s", digits,
			entry->d_name);
		/* used by a clock that was ahead: nobody knows when, and it must not
		   outlast all others */
		item->used_s =
			facts.st_mtime > now_s + SECONDS_PER_HOUR ? 0 : facts.st_mtime;
		/* the space that it takes on most disks */
		item->bytes = ((uint64_t)facts.st_size + 4095) / 4096 * 4096;
		out->bytes += item->bytes;
	}
	closedir(folder);
	return status;
}

static enum at_status trim(
	int root, uint64_t limit_bytes, time_t now_s, struct at_error *err)
{
	struct inventory units = { 0 };
	enum at_status status = AT_OK;

	for (unsigned i = 0; i < 256 && !status; i++) {
		char digits[3];

		snprintf(digits, sizeof(digits), "%02x", i);
		status = list_units(root, digits, now_s, &units, err);
	}
	if (!status && units.bytes > limit_bytes) {
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
	return status;
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
			now_s - facts.st_mtime < SECONDS_PER_HOUR))
		goto close_stamp;
	/* Stamped before trimming: if that fails, the next processes do not all try
	   again. */
	if (pwrite(stamp, "\n", 1, 0) != 1 || futimens(stamp, NULL) < 0) {
		status = fail_errno(err, folder, "write in it");
		goto close_stamp;
	}
	status = trim(root, limit_bytes, now_s, err);
close_stamp:
	close(stamp);
close_root:
	close(root);
	return status;
}
