/* Finds result files, and reads those with valid names and places. */
#include "record/bundled.h"

#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ENDING ".json"

/* above any slug, and below the limit of file systems */
#define SLUG_MAX 200

/* Whether at_text_slug() may return this name: other folders belong to no device. The
   tool has two of its own, for nightly reports and for shares of a search. */
static int is_slug(const struct dirent *entry)
{
	const char *name = entry->d_name;

	return strcmp(name, "nights") != 0 && strcmp(name, "shards") != 0 &&
	       strlen(name) <= SLUG_MAX &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") == strlen(name) &&
	       name[0] != '.' && name[0] != '-' && name[0];
}

/* Adds a line about an unusable file. */
static void note(struct at_results *out, const struct at_error *reason)
{
	AT_GROW(out->failed, out->failed_capacity, out->failed_count + 1);
	out->failed[out->failed_count++] = *reason;
}

static void read_file(const char *folder, const char *slug, const char *name,
	const char *space, struct at_results *out)
{
	char *path = at_path_join(folder, name), *text = NULL;
	struct at_error reason = { 0 };
	size_t size, first = out->count;
	bool is_conflict;
	enum at_status status =
		at_file_read_plain(path, AT_BUNDLED_BYTES_MAX, &text, &size, &reason);

	/* git's conflict markers */
	is_conflict = !status &&
		      (!strncmp(text, "<<<<<<< ", 8) || strstr(text, "\n<<<<<<< ") ||
			      strstr(text, "\n>>>>>>> "));
	if (!status)
		status = at_bundled_parse(text, size, path, slug, out, &reason);
	if (!status && first < out->count) {
		const char *kernel = out->items[first].best.space;
		char *expected = at_path_of_name("", kernel, ENDING);

		if (strcmp(expected, name) != 0)
			status = at_fail(&reason, AT_EINVAL, path, 0,
				"kernel: is \"%.100s\", whose results belong into %.100s: give the file that name",
				kernel, expected);
		free(expected);
	}
	if (status && is_conflict) {
		const struct at_error why = reason;

		at_error_clear(&reason);
		at_fail(&reason, status, path, why.line,
			"%s: a merge left its conflict in this file", why.text);
	}
	/* the spaces "a b" and "a-b" share a file name */
	if (status || (space && first < out->count &&
			      strcmp(out->items[first].best.space, space) != 0))
		while (out->count > first)
			at_result_release(&out->items[--out->count]);
	free(text);
	free(path);
	/* a requested space need not have a file on this device */
	if (status && (status != AT_ENOENT || !space))
		note(out, &reason);
}

/* Whether at_path_of_name() makes such names: other files are not the tool's, and their
   names may not be printable. */
static int is_result_name(const struct dirent *entry)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	const char *name = entry->d_name;
	size_t length = strlen(name), tail = strlen(ENDING);

	return length > tail && !strcmp(name + length - tail, ENDING) &&
	       name[0] != '.' && strspn(name, plain) == length;
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Lists the names in a folder that is_wanted() accepts, sorted, so that lines about
   unusable files have an order. */
static enum at_status list(const char *path, int (*is_wanted)(const struct dirent *),
	struct dirent ***out, int *count, struct at_error *err)
{
	*count = scandir(path, out, is_wanted, compare_names);
	if (*count >= 0)
		return AT_OK;
	*count = 0;
	*out = NULL;
	return at_fail(err, errno == ENOENT || errno == ENOTDIR ? AT_ENOENT : AT_EIO,
		path, 0, "cannot read this directory: %s", strerror(errno));
}

static void free_names(struct dirent **names, int count)
{
	for (int i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

static void read_folder(const char *directory, const char *slug, const char *space,
	struct at_results *out)
{
	char *folder = at_path_join(directory, slug);
	struct at_error reason = { 0 };
	struct dirent **names;
	struct stat facts;
	char *name;
	int count;

	if (lstat(folder, &facts) < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			at_fail(&reason, AT_EIO, folder, 0, "cannot look at it: %s",
				strerror(errno));
	} else if (S_ISLNK(facts.st_mode)) {
		/* a link may lead anywhere, even in a circle */
		at_fail(&reason, AT_EINVAL, folder, 0,
			"is a link: results are read from folders alone");
	} else if (S_ISDIR(facts.st_mode) && space) {
		name = at_path_of_name("", space, ENDING);
		read_file(folder, slug, name, space, out);
		free(name);
	} else if (S_ISDIR(facts.st_mode)) {
		list(folder, is_result_name, &names, &count, &reason);
		for (int i = 0; i < count; i++)
			read_file(folder, slug, names[i]->d_name, NULL, out);
		free_names(names, count);
	}
	if (reason.status)
		note(out, &reason);
	free(folder);
}

enum at_status at_bundled_read(const char *directory, const char *space,
	struct at_results *out, struct at_error *err)
{
	struct at_error reason = { 0 };
	struct dirent **slugs;
	int count;
	enum at_status status = list(directory, is_slug, &slugs, &count, &reason);

	if (status == AT_ENOENT)
		return AT_OK;
	if (status && err)
		*err = reason;
	for (int i = 0; i < count; i++)
		read_folder(directory, slugs[i]->d_name, space, out);
	free_names(slugs, count);
	return status;
}
