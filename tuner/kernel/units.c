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

/* "ATu" among bytes that a transfer as text would change */
static const unsigned char magic[8] = { 0x89, 'A', 'T', 'u', '\r', '\n', 0x1a, '\n' };
/* raise it when the layout or the meaning of a fact changes, or what a toolchain is
   told beside the request: older files count as damaged, and go */
#define VERSION 3
/* magic, version, a u32 of the file's own name, checksum */
#define HEADER_BYTES 32
/* after the header: u64 bytes of the facts, u64 bytes of the image */
#define SIZES_BYTES 16
/* some loaders want machine code aligned, and so may one that maps the file */
#define IMAGE_ALIGNMENT 256
/* No cubin and no log comes near; what is larger was not written here. */
#define UNIT_LIMIT_BYTES ((uint64_t)1 << 30)
/* The checksum is taken piece by piece, so that an image that nobody wants needs no
   memory. Part of the format: each piece is hashed with its length. */
#define CHUNK_BYTES ((size_t)64 << 10)

#define SECONDS_PER_HOUR 3600
/* Folders of 256 names and files of some 10 kB: a default cache holds some 100 000.
   What is beyond the limit waits for the next time. */
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
 * A unit is whose name it has. One that lies under another's, as a file system that was
 * repaired or a copy that went wrong may leave it, is a sound kernel that is measured
 * for another configuration.
 */
static uint32_t name_digest(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return (uint32_t)at_hash_bytes(name, strlen(name)).low;
}

/*
 * Opens PATH.HEX.tmp, whose name nobody can guess and that nobody had: whoever can
 * write in the folder must not be able to have us write elsewhere.
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
		/* the first unit of its two digits */
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

/* False at an error or an early end. */
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

/* The next size bytes into the checksum, and into keep unless it is NULL. */
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
 * Reads a file of file_bytes, *whole telling whether it is the unit that has this name.
 * Sizes come first and are held against the file's before anything is reserved for
 * them.
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
	/* the writer hashed the sizes in one piece with the facts */
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

enum at_status at_unit_read(const char *path, struct at_compile_result *out,
	bool with_image, struct at_error *err)
{
	struct stat facts;
	enum at_status status = AT_OK;
	bool whole = false;
	int file;

	memset(out, 0, sizeof(*out));
	/* non-blocking, lest a pipe of that name hold us up */
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
		/* Should a sound one have taken its name meanwhile, it is compiled
		   once more. */
		unlink(path);
		status = at_fail(err, AT_ENOENT, path, 0,
			"this unit is damaged, and now removed");
	}
	/* An hour is fine enough for "least recently used", and keeps a run that reads
	   each unit often from writing as often. */
	if (!status && time(NULL) - facts.st_mtime > SECONDS_PER_HOUR)
		(void)!futimens(file, NULL);
close_file:
	close(file);
	if (status)
		at_compile_result_release(out);
	return status;
}

/* ---- the folder --------------------------------------------------------- */

/* A folder of our own that nobody else may write in: what is found there is run. */
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
	/* The rule of these variables: a relative path is as good as none. Ours may be
	   one, since a person types it. */
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
	/* only the last folder is ours alone: what is above may be anybody's way */
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
	char name[48]; /* in the folder: "ab/cdef....unit" */
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
	/* any order, as long as it is one */
	return strcmp(one->name, other->name);
}

/* Exactly `digits` lower-case hexadecimal ones, and then the ending. */
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
		/* gone, or no folder: nothing of ours */
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
			/* its writer was killed: writing takes no hour */
			if (now_s - facts.st_mtime > SECONDS_PER_HOUR)
				unlinkat(file, entry->d_name, 0);
			continue;
		}
		status = AT_RESERVE(out->items, out->capacity, out->count + 1, err);
		if (status)
			break;
		item = &out->items[out->count++];
		snprintf(item->name, sizeof(item->name), "%.2s/%.40s", digits,
			entry->d_name);
		item->used_s = facts.st_mtime;
		/* what it takes on a usual disk */
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
		/* a tenth below, so that the next hour does not begin at the limit */
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
	/* whoever holds it is trimming now */
	if (fcntl(stamp, F_SETLK, &lock) < 0)
		goto close_stamp;
	/* Empty: made just now. A time in the future: the clock was set back. */
	if (fstat(stamp, &facts) < 0 ||
		(facts.st_size && facts.st_mtime <= now_s &&
			now_s - facts.st_mtime < SECONDS_PER_HOUR))
		goto close_stamp;
	/* first the stamp: should trimming fail, it is not tried by every process */
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
