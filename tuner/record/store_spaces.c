/* Which space file owns a kernel's name: see record/sources.h. */
#include "record/sources.h"

#include "base/escape.h"
#include "base/file.h"
#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* the largest space file or template that is read and compared */
#define BYTES_MAX ((size_t)16 << 20)

/* so often another run takes the name while this one looks at the files, at most */
#define TRIES 100

/* at_cell_check() accepts no longer names */
#define PATH_BYTES_MAX 1000

static const char find[] = "SELECT path FROM spaces WHERE name = ?";
static const char put[] =
	"INSERT INTO spaces (name, path) VALUES (?1, ?2)"
	" ON CONFLICT (name) DO UPDATE SET path = ?2 WHERE path IS ?3";

/* The path of file as seen from directory, "../spaces/matmul.cfg"; both must come from
   realpath(); heap. */
static char *path_from(const char *directory, const char *file)
{
	struct at_strbuf out = { 0 };
	size_t common = 0, i = 0;

	/* the folders that both begin with, up to and with the last common '/' */
	for (; directory[i] && directory[i] == file[i]; i++)
		if (directory[i] == '/')
			common = i + 1;
	if (!directory[i] && file[i] == '/')
		common = i + 1;
	else if (directory[common])
		at_strbuf_add(&out, "../");
	for (; directory[i]; i++)
		if (directory[i] == '/')
			at_strbuf_add(&out, "../");
	at_strbuf_add(&out, file + common);
	return at_strbuf_detach(&out);
}

static bool has_same_bytes(const char *a, const char *b)
{
	char *left = NULL, *right = NULL;
	size_t left_size = 0, right_size = 0;
	bool is_same;

	is_same = !at_file_read_plain(a, BYTES_MAX, &left, &left_size, NULL) &&
		  !at_file_read_plain(b, BYTES_MAX, &right, &right_size, NULL) &&
		  left_size == right_size && !memcmp(left, right, left_size);
	free(left);
	free(right);
	return is_same;
}

/* Whether the file that owned the name still has it, and is another space. */
static bool is_other_space(const char *path, const struct at_spec *spec)
{
	struct at_spec *other = NULL;
	bool is_other = false;
	struct stat facts;

	/* a record may have any path there, so that it could name a device or a pipe */
	if (stat(path, &facts) < 0 || !S_ISREG(facts.st_mode))
		return false;
	/* a file that cannot be read is not in the way: it was moved, or is on another
	   machine */
	if (!at_spec_load(path, &other, NULL))
		is_other = other->name && !strcmp(other->name, spec->name) &&
			   !(has_same_bytes(path, spec->path) && other->template_path &&
				   spec->template_path &&
				   has_same_bytes(
					   other->template_path, spec->template_path));
	at_spec_free(other);
	return is_other;
}

/* *out: the recorded path, heap; NULL: none */
static enum at_status read_path(
	struct at_store *self, const char *name, char **out, struct at_error *err)
{
	struct at_statement *statement =
		at_sqlite_bound(self->database, find, AT_VALUES(AT_STRING(name)));
	enum at_status status;
	bool row = false;

	*out = NULL;
	status = at_statement_step(statement, &row, err);
	if (!status && row && !at_cell_check(statement, 0, AT_CELL_NAME))
		*out = at_strdup(at_statement_text(statement, 0));
	at_statement_reset(statement);
	return status;
}

/* *written: the recorded path was still `before` (NULL: there was none). */
static enum at_status write_path(struct at_store *self, const char *name,
	const char *path, const char *before, bool *written, struct at_error *err)
{
	struct at_statement *statement = at_sqlite_bound(self->database, put,
		AT_VALUES(AT_STRING(name), AT_STRING(path), AT_STRING(before)));
	enum at_status status;

	status = at_statement_run(statement, err);
	*written = !status && at_sqlite_changes(self->database) > 0;
	return status;
}

/* AT_EINVAL where another file owns the name. *path: of this file, as the record has
   it; *before: the recorded one; both heap, NULL if none exists. */
static enum at_status check(struct at_store *self, const char *directory,
	const struct at_spec *spec, char **path, char **before, struct at_error *err)
{
	char *folder = realpath(directory, NULL), *file = realpath(spec->path, NULL);
	char *recorded = NULL, *joined = NULL, *there = NULL;
	enum at_status status = AT_OK;

	*path = *before = NULL;
	/* a space that was read from memory, or whose file is gone, owns nothing */
	if (folder && file) {
		*path = path_from(folder, file);
		status = read_path(self, spec->name, &recorded, err);
	}
	if (!status && recorded && strcmp(recorded, *path) != 0) {
		joined = at_path_join(folder, recorded);
		there = realpath(joined, NULL);
	}
	if (there && strcmp(there, file) != 0 && is_other_space(there, spec))
		status = at_fail(err, AT_EINVAL, spec->path, spec->kernel_line,
			"the kernel name \"%s\" belongs to another space in these results, %s, and results and headers are kept by that name: give one of the two files another name in \"kernel\", or this one another folder with --results; if this one took the other's place, remove the other",
			spec->name, there);
	free(there);
	free(joined);
	*before = recorded;
	free(folder);
	free(file);
	return status;
}

enum at_status at_store_check_space(struct at_store *self, const char *directory,
	const struct at_spec *spec, struct at_error *err)
{
	char *path, *before;
	enum at_status status = check(self, directory, spec, &path, &before, err);

	free(before);
	free(path);
	return status;
}

/* The files are looked at without a lock on the record, so it is written only where
   the name is still free: of two spaces that begin at once, one gets the error.
 */
enum at_status at_store_take_space(struct at_store *self, const char *directory,
	const struct at_spec *spec, struct at_error *err)
{
	enum at_status status = AT_OK;
	bool is_there = false;

	for (int i = 0; i < TRIES && !is_there && !status; i++) {
		char *path, *before;

		status = check(self, directory, spec, &path, &before, err);
		/* a path that could not be read again is not recorded */
		is_there = status || !path || (before && !strcmp(before, path)) ||
			   strlen(path) > PATH_BYTES_MAX ||
			   !at_text_is_shown(path, strlen(path));
		if (!is_there)
			status = write_path(
				self, spec->name, path, before, &is_there, err);
		free(before);
		free(path);
	}
	return status;
}
