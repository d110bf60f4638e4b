/* Reads a recording: finds out the format of a file by what it contains. */
#include "record/recording.h"

#include "base/file.h"
#include "base/file_kind.h"
#include "base/gzip.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/recording_build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The largest published file has 300 MB; a far larger one is a mistake. */
#define TEXT_BYTES_MAX ((size_t)2 << 30)

/* where POSIX has "ustar" in the header of an archive's first file */
#define TAR_WORD_AT 257

/* What is easily taken for a recording, by its first bytes, and what to do with it. */
static const struct {
	const char *begin;
	const char *text;
} strangers[] = {
	{ "PK\x03\x04", "is a zip archive: unpack it first" },
	{ "\xfd"
	  "7zXZ",
		"is compressed by xz: unpack it first" },
	{ "BZh", "is compressed by bzip2: unpack it first" },
	{ "\x28\xb5\x2f\xfd", "is compressed by zstd: unpack it first" },
	{ "\x1f\x8b", "is compressed by gzip twice: unpack it first" },
	{ "7z\xbc\xaf", "is a 7z archive: unpack it first" },
	{ "\xff\xfe", "is UTF-16: save it as UTF-8" },
	{ "\xfe\xff", "is UTF-16: save it as UTF-8" },
	{ "version https://git-lfs",
		"is a pointer of Git LFS in place of the file: fetch it with git lfs pull" },
	{ "/annex/objects/",
		"is a pointer of git-annex in place of the file: fetch it with git annex get" },
	{ "\x04\"M\x18", "is compressed by lz4: unpack it first" },
	{ "PAR1", "is a Parquet file: save it as CSV" },
	{ "\x89HDF", "is an HDF5 file: save it as CSV" },
	{ "\x93NUMPY", "is an array of NumPy: save it as CSV" },
	{ "\x80\x04\x95", "is a pickle of Python: save it as CSV" },
	{ "\x80\x05\x95", "is a pickle of Python: save it as CSV" },
	{ "<<<<<<< ", "begins with both sides of a merge of git: keep one" },
	{ "<?xml",
		"is XML, which is not read: let the tool write JSON in the format T4" },
	{ "<KTT",
		"is XML, which is not read: let the tool write JSON in the format T4" },
};

/* Fails if the file is something else for sure. */
static enum at_status check_begin(
	const char *path, const char *data, size_t size, struct at_error *err)
{
	if (!size)
		return at_fail(err, AT_EINVAL, path, 0, "is empty");
	if (size > TAR_WORD_AT + 5 && !memcmp(data + TAR_WORD_AT, "ustar", 5))
		return at_fail(
			err, AT_EINVAL, path, 0, "is a tar archive: unpack it first");
	for (size_t i = 0; i < AT_COUNT_OF(strangers); i++) {
		size_t length = strlen(strangers[i].begin);

		if (size >= length && !memcmp(data, strangers[i].begin, length))
			return at_fail(
				err, AT_EINVAL, path, 0, "%s", strangers[i].text);
	}
	return AT_OK;
}

static bool is_folder(const char *path)
{
	struct stat facts;

	return !stat(path, &facts) && S_ISDIR(facts.st_mode);
}

static enum at_status fail_folder(const char *path, struct at_error *err)
{
	struct at_strbuf record = { 0 };
	bool has_record;

	at_strbuf_addf(&record, "%s/autotune.db", path);
	has_record = !record.failed && at_file_exists(at_strbuf_text(&record));
	at_strbuf_release(&record);
	return at_fail(err, AT_EINVAL, path, 0,
		has_record
			? "is a folder of results: name the record in it, %s/autotune.db"
			: "is a folder: name the files in it, as in %s/*.json",
		path);
}

static bool is_other(enum at_file_kind kind)
{
	return kind == AT_FILE_SPACE || kind == AT_FILE_SOURCE || kind == AT_FILE_PAGE;
}

enum at_status at_recording_read(
	const char *path, struct at_recording **out, struct at_error *err)
{
	static const char sqlite[] = "SQLite format 3";
	const char *comma = strchr(path, ',');
	char *file = NULL, *data = NULL, *text;
	/* own: which status it is has to be known before the message is chosen */
	struct at_error own = { 0 };
	size_t size;
	enum at_status status;

	if (is_folder(path))
		return fail_folder(path, err);
	/* a comma begins the choice from a record, unless a file has this very name */
	if (at_file_exists(path))
		comma = NULL;
	file = comma ? at_strndup(path, (size_t)(comma - path)) : at_strdup(path);
	status = file ? at_file_read(file, TEXT_BYTES_MAX, &data, &size, err)
		      : at_fail_memory(err);
	if (status)
		goto free_all;
	if (size >= sizeof(sqlite) && !memcmp(data, sqlite, sizeof(sqlite))) {
		status = at_recording_read_store(path, out, err);
		goto free_all;
	}
	if (comma) {
		status = at_fail(err, AT_EINVAL, file, 0,
			"is no record of autotune, of which \"%s\" could choose",
			comma + 1);
		goto free_all;
	}
	if (at_gzip_is(data, size)) {
		status = at_gzip_expand(
			data, size, TEXT_BYTES_MAX, path, &text, &size, err);
		if (status)
			goto free_all;
		free(data);
		data = text;
	}
	status = check_begin(path, data, size, err);
	if (status)
		goto free_all;
	if (at_recording_is_csv(data, size))
		status = at_recording_read_csv(path, data, size, out, err);
	else
		status = at_recording_read_json(path, data, size, out, &own);
	if (status == AT_ESYNTAX && is_other(at_file_kind_of(path)))
		status = at_fail(err, AT_EINVAL, path, 0,
			"%s, no recording: expected a cache of Kernel Tuner, a T4 file, CSV, or a record of autotune",
			at_file_kind_text(at_file_kind_of(path)));
	else if (status && err && !err->status)
		*err = own;
free_all:
	free(data);
	free(file);
	return status;
}
