/*
 * Writes and reads the files of compiled units; kernel/units.h has their layout. The
 * folder of all of them is in units_folder.c.
 */
#include "kernel/units.h"
#include "base/file.h"

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
#define VERSION 5
/* magic, version, a u32 digest of the file's name, checksum */
#define HEADER_BYTES 32
/* behind the header: u64 bytes of the facts, u64 bytes of the image */
#define SIZES_BYTES 16
/* some loaders want machine code aligned, and so might code that maps the file */
#define IMAGE_ALIGNMENT 256
/* no cubin and no log is nearly as large: what is larger was not written by us */
#define UNIT_LIMIT_BYTES ((uint64_t)1 << 30)
/* The checksum is made piece by piece. Part of the format: a hasher also hashes the
   length of each piece. */
#define CHUNK_BYTES ((size_t)64 << 10)

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
	*file = open(name->data, flags, 0600);
	if (*file < 0 && errno == ENOENT) {
		/* the first unit whose hash begins with these two digits */
		char *folder = at_path_directory(path);

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
	hasher = at_hasher_new();
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
	add_chunks(hasher, body.bytes.data, body.bytes.length);
	if (result->image)
		add_chunks(hasher, result->image, result->image_bytes);
	checksum = at_hasher_result(hasher);
	at_strbuf_add_bytes(&header.bytes, magic, sizeof(magic));
	at_wire_put_u32(&header, VERSION);
	at_wire_put_u32(&header, name_digest(path));
	at_wire_put_u64(&header, checksum.low);
	at_wire_put_u64(&header, checksum.high);
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
 * Takes the unit out of the bytes of a file, which become its image. False: the file is
 * damaged, or another unit's.
 */
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
	add_chunks(hasher, bytes + HEADER_BYTES, (size_t)offset - HEADER_BYTES);
	add_chunks(hasher, bytes + offset, (size_t)image_bytes);
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

bool at_unit_is_recent(int64_t used_s, int64_t now_s)
{
	return used_s >= now_s - AT_UNIT_RECENT_SECONDS &&
	       used_s <= now_s + AT_UNIT_RECENT_SECONDS;
}

enum at_status at_unit_read(const char *path, struct at_compile_result *out,
	bool with_image, struct at_error *err)
{
	struct stat facts;
	enum at_status status = AT_OK;
	unsigned char *bytes = NULL;
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
	if (facts.st_size > 0 && (uint64_t)facts.st_size <= UNIT_LIMIT_BYTES) {
		bytes = malloc((size_t)facts.st_size);
		if (!bytes)
			status = at_fail_memory(err);
		whole = bytes && read_all(file, bytes, (size_t)facts.st_size) &&
			take_unit(bytes, (size_t)facts.st_size, path, out);
	}
	if (!whole || !with_image || !out->image_bytes) {
		free(bytes);
		out->image = NULL;
		out->image_bytes = 0;
	}
	if (!status && !whole) {
		/* If another process has just put an undamaged unit in its place, that
		   one is removed, and compiled once more. */
		unlink(path);
		status = at_fail(err, AT_ENOENT, path, 0,
			"this unit is damaged, and now removed");
	}
	/* Once an hour is enough for "least recently used", and a run that reads a unit
	   often does not write as often. */
	if (!status && !at_unit_is_recent(facts.st_mtime, time(NULL)))
		(void)!futimens(file, NULL);
close_file:
	close(file);
	if (status)
		at_compile_result_release(out);
	return status;
}
