/* Reads a recording: finds out the format of a file by what it contains. */
#include "record/recording.h"

#include "base/file.h"
#include "base/gzip.h"
#include "base/memory.h"
#include "record/recording_build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The largest published file has 300 MB; a far larger one is a mistake. */
#define TEXT_BYTES_MAX ((size_t)2 << 30)

static bool is_record_folder(const char *path)
{
	struct stat facts;

	return !stat(path, &facts) && S_ISDIR(facts.st_mode);
}

enum at_status at_recording_read(
	const char *path, struct at_recording **out, struct at_error *err)
{
	static const char sqlite[] = "SQLite format 3";
	const char *comma = strchr(path, ',');
	char *file = NULL, *data = NULL, *text;
	size_t size;
	enum at_status status;

	if (is_record_folder(path))
		return at_fail(err, AT_EINVAL, path, 0,
			"is a folder of results: name the record in it, %s/autotune.db",
			path);
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
	if (at_recording_is_csv(data, size))
		status = at_recording_read_csv(path, data, size, out, err);
	else
		status = at_recording_read_json(path, data, size, out, err);
free_all:
	free(data);
	free(file);
	return status;
}
