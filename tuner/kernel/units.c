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
#define VERSION 6
/* magic, version, a u32 digest of the file's name, checksum */
#define HEADER_BYTES 32
/* behind the header: u64 bytes of the facts, u64 bytes of the image */
#define SIZES_BYTES 16
/* some loaders want machine code aligned, and so might code that maps the file */
#define IMAGE_ALIGNMENT 256
/* no cubin and no log is nearly as large: what is larger was not written by us */
#define UNIT_LIMIT_BYTES ((size_t)1 << 30)

static enum at_status fail_errno(struct at_error *err, const char *path)
{
	return at_fail(err, AT_EIO, path, 0, "cannot write it: %s", strerror(errno));
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

/* Opens a new file whose name cannot be guessed: a user who can write in the folder
   must not be able to redirect what we write. Returns a descriptor, or -1. */
static int open_temporary(const char *path, struct at_strbuf *name)
{
	char *folder = at_path_directory(path);

	/* the first unit whose hash begins with these two digits */
	(void)!mkdir(folder, 0700);
	free(folder);
	at_strbuf_addf(name, "%s" AT_UNIT_TEMPORARY ".XXXXXX", path);
	return mkstemp(name->data);
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
	file = open_temporary(path, &temporary);
	is_written = file >= 0 &&
		     at_write_all(file, head.bytes.data, head.bytes.length) &&
		     (!result->image ||
			     at_write_all(file, result->image, result->image_bytes));
	if (!is_written)
		status = fail_errno(err, path);
	if (file >= 0 && close(file) < 0 && !status)
		status = fail_errno(err, path);
	if (!status && rename(temporary.data, path) < 0)
		status = fail_errno(err, path);
	if (status && file >= 0)
		unlink(temporary.data);
	at_hasher_free(hasher);
	at_strbuf_release(&head.bytes);
	at_strbuf_release(&facts.bytes);
	at_strbuf_release(&temporary);
	return status;
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

bool at_unit_is_recent(int64_t used_s, int64_t now_s)
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
	/* what is no file, or far too large, was not written by us */
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
		/* If another process has just put an undamaged unit in its place, that
		   one is removed, and compiled once more. */
		unlink(path);
		return at_fail(err, AT_ENOENT, path, 0,
			"this unit is damaged, and now removed");
	}
	/* Once an hour is enough for "least recently used", and a run that reads a unit
	   often does not write as often. */
	if (!lstat(path, &facts) && !at_unit_is_recent(facts.st_mtime, time(NULL)))
		(void)!utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
	return AT_OK;
}
