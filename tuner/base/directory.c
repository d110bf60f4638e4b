/* Folders: made with their parents, and removed again (base/file.h). */
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* place: the path, or its parent, that could not be made. */
static enum at_status fail_to_make(
	const char *path, const char *place, int reason, struct at_error *err)
{
	struct stat facts;

	/* a circular or dangling link blocks the name, yet does not resolve */
	if (reason == EEXIST && stat(place, &facts) < 0 &&
		(errno == ELOOP || errno == ENOENT))
		return at_fail(err, AT_EIO, path, 0,
			"cannot make this directory: %s is a link that leads nowhere",
			place);
	if (reason == ENOTDIR ||
		(reason == EEXIST && !stat(place, &facts) && !S_ISDIR(facts.st_mode)))
		return at_fail(err, AT_EIO, path, 0,
			"cannot make this directory: %s is a file", place);
	return at_fail(err, reason == ENOENT ? AT_ENOENT : AT_EIO, path, 0,
		"cannot make this directory: %s", strerror(reason));
}

enum at_status at_directory_make(const char *path, struct at_error *err)
{
	struct stat facts;
	enum at_status status = AT_OK;
	char *copy = at_strdup(path);

	for (char *slash = copy + 1; *copy && status == AT_OK; slash++) {
		char kept;

		slash += strcspn(slash, "/");
		kept = *slash;
		*slash = '\0';
		if (mkdir(copy, 0777) < 0) {
			/* stat() sets its own errno, which differs on a read-only file
			   system */
			int reason = errno;

			if (stat(copy, &facts) < 0 || !S_ISDIR(facts.st_mode))
				status = fail_to_make(path, copy, reason, err);
		}
		*slash = kept;
		if (!kept)
			break;
	}
	free(copy);
	return status;
}

/* The length of path up to the end of its next name; 0: it was the last. */
static size_t next_name(const char *path, size_t length)
{
	length += strspn(path + length, "/");
	return path[length] ? length + strcspn(path + length, "/") : 0;
}

/* Copies a path. False: it is longer than any system accepts. */
static bool copy_path(const char *path, char copy[PATH_MAX])
{
	return (size_t)snprintf(copy, PATH_MAX, "%s", path) < PATH_MAX;
}

size_t at_directory_missing(const char *path)
{
	size_t length = 0, missing = 0;
	struct stat facts;
	char copy[PATH_MAX];

	if (!copy_path(path, copy))
		return 0;
	while (!missing && (length = next_name(path, length)) > 0) {
		copy[length] = '\0';
		/* an unreadable path may exist */
		if (stat(copy, &facts) < 0 && (errno == ENOENT || errno == ENOTDIR))
			missing = length;
		copy[length] = path[length];
	}
	return missing;
}

void at_directory_unmake(const char *path, size_t missing)
{
	size_t length = strlen(path);
	char copy[PATH_MAX];

	if (!missing || !copy_path(path, copy))
		return;
	/* rmdir() fails for a nonempty folder, and then all above it stay, too */
	while (!rmdir(copy)) {
		while (length > missing && copy[length - 1] == '/')
			length--;
		while (length > missing && copy[length - 1] != '/')
			length--;
		if (length <= missing)
			break;
		copy[length] = '\0';
	}
}
