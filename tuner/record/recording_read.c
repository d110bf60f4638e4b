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
#include <unistd.h>

/* The largest published file has 300 MB; a tree of JSON takes five times as much
   memory. */
#define TEXT_BYTES_MAX ((size_t)512 << 20)

enum at_status at_recording_read_text(const char *path, char *text, size_t size,
	struct at_recording **out, struct at_error *err)
{
	const char *first = text + at_text_mark_bytes(text, size);

	first += strspn(first, " \t\r\n");
	return *first == '{' || *first == '['
		       ? at_recording_read_json(path, text, size, out, err)
		       : at_recording_read_csv(path, text, size, out, err);
}

bool at_recording_is_record(const char *path)
{
	static const char sqlite[] = "SQLite format 3";
	char begin[sizeof(sqlite)];
	uint64_t size;
	bool found;
	int file;

	if (at_file_open(path, &file, &size, NULL))
		return false;
	found = read(file, begin, sizeof(begin)) == (ssize_t)sizeof(begin) &&
		!memcmp(begin, sqlite, sizeof(begin));
	close(file);
	return found;
}

/* Whether the name says that the file is something else. */
static bool is_other(enum at_file_kind kind)
{
	return kind == AT_FILE_SPACE || kind == AT_FILE_SOURCE || kind == AT_FILE_PAGE;
}

enum at_status at_recording_read(
	const char *path, struct at_recording **out, struct at_error *err)
{
	enum at_file_kind kind = at_file_kind_of(path);
	const char *comma = strchr(path, ',');
	char *file = NULL, *data = NULL, *text;
	size_t size;
	enum at_status status;

	/* a comma begins the choice from a record, unless a file has this very name */
	if (at_file_exists(path))
		comma = NULL;
	file = comma ? at_strndup(path, (size_t)(comma - path)) : at_strdup(path);
	if (at_recording_is_record(file)) {
		status = at_recording_read_store(path, out, err);
		goto free_all;
	}
	status = at_file_read(file, TEXT_BYTES_MAX, &data, &size, err);
	if (status)
		goto free_all;
	if (comma) {
		status = at_fail(err, AT_EINVAL, file, 0,
			"is no record of autotune, and \"%s\" chooses from a record",
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
	if (is_other(kind))
		status = at_fail(err, AT_EINVAL, path, 0,
			"%s, no recording: expected a T4 file, a cache file of Kernel Tuner, CSV, or a record of autotune",
			at_file_kind_text(kind));
	else
		status = at_recording_read_text(path, data, size, out, err);
free_all:
	free(data);
	free(file);
	return status;
}
