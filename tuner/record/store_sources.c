/* The source of each run, and the space file that owns a kernel's name
   (record/sources.h). */
#include "record/sources.h"

#include "base/clock.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "record/store_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char insert[] =
	"INSERT OR IGNORE INTO sources (id, run_id, problem, source_hash)"
	" VALUES (NULL, ?, ?, ?)";

/*
 * The newest run is the last row. The order of runs made here is known, but their times
 * may be wrong, so the last of them comes after all others. Imported runs are ordered
 * by time, and come after the last one made here only if they are newer. A time in the
 * future (after ?4) is from a wrong clock: such a run is recent if made here, else of
 * unknown age.
 */
static const char select[] =
	"SELECT s.run_id, s.source_hash FROM sources AS s JOIN runs AS r"
	" ON r.id = s.run_id WHERE r.device_id = ?1 AND r.space = ?2 AND s.problem = ?3"
	" ORDER BY CASE WHEN r.origin = '' AND EXISTS (SELECT 1 FROM runs AS n"
	" JOIN sources AS t ON t.run_id = n.id WHERE n.id > r.id AND n.origin = ''"
	" AND n.device_id = ?1 AND n.space = ?2 AND t.problem = ?3) THEN -2"
	" WHEN r.started_seconds <= ?4 THEN r.started_seconds"
	" WHEN r.origin = '' THEN ?4 ELSE -1 END, r.id";

static const char select_selected[] =
	"SELECT source_hash FROM crowns WHERE device_id = ?1 AND space = ?2"
	" AND problem = ?3 AND portfolio_id IS NULL ORDER BY id DESC LIMIT 1";

static const char select_until[] =
	"SELECT ifnull(max(created_seconds), -1) FROM crowns WHERE device_id = ?1 AND space = ?2"
	" AND problem = ?3 AND portfolio_id IS NULL AND source_hash <> ?4"
	" AND created_seconds <= ?5";

/* The latest valid time of a row; later ones are from a wrong clock. */
static int64_t latest(void)
{
	int64_t seconds = at_clock_latest_seconds(at_clock_wall_seconds());

	return seconds < AT_SECONDS_MAX ? seconds : AT_SECONDS_MAX;
}

enum at_status at_store_put_source(struct at_store *self, int64_t run_id,
	const char *problem, const char *hash, struct at_error *err)
{
	return at_statement_run(at_sqlite_bound(self->database, insert,
					AT_VALUES(AT_INTEGER(run_id),
						AT_STRING(problem), AT_STRING(hash))),
		err);
}

static void add(struct at_sources *self, const struct at_statement *statement)
{
	struct at_source *source;

	AT_GROW(self->items, self->capacity, self->count + 1);
	/* invalid rows are ignored */
	if (at_cell_check(statement, 0, AT_CELL_RUN) ||
		at_cell_check(statement, 1, AT_CELL_WORD))
		return;
	source = &self->items[self->count];
	source->run_id = at_statement_integer(statement, 0);
	source->hash = at_strdup(at_statement_text(statement, 1));
	self->count++;
}

static int compare(const void *a, const void *b)
{
	const struct at_source *left = a, *right = b;

	return (left->run_id > right->run_id) - (left->run_id < right->run_id);
}

/* *out: the text in the first row, heap; NULL: no row, or an invalid text. */
static enum at_status read_text(
	struct at_statement *statement, char **out, struct at_error *err)
{
	enum at_status status = AT_OK;

	*out = NULL;
	if (at_statement_next(statement, &status, err) &&
		!at_cell_check(statement, 0, AT_CELL_NAME))
		*out = at_strdup(at_statement_text(statement, 0));
	at_statement_reset(statement);
	return status;
}

enum at_status at_store_sources(struct at_store *self, int64_t device_id,
	const char *space, const char *problem, struct at_sources *out,
	struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status = AT_OK;

	*out = (struct at_sources){ .others_until_seconds = -1 };
	statement = at_sqlite_bound(self->database, select,
		AT_VALUES(AT_INTEGER(device_id), AT_STRING(space), AT_STRING(problem),
			AT_INTEGER(latest())));
	while (at_statement_next(statement, &status, err))
		add(out, statement);
	if (!status && out->count) {
		out->now = at_strdup(out->items[out->count - 1].hash);
		qsort(out->items, out->count, sizeof(*out->items), compare);
	} else if (!status) {
		/* the record's runs have no sources: use the winner's */
		status = read_text(
			at_sqlite_bound(self->database, select_selected,
				AT_VALUES(AT_INTEGER(device_id), AT_STRING(space),
					AT_STRING(problem))),
			&out->now, err);
	}
	if (!status && out->now)
		status = at_statement_find(
			at_sqlite_bound(self->database, select_until,
				AT_VALUES(AT_INTEGER(device_id), AT_STRING(space),
					AT_STRING(problem), AT_STRING(out->now),
					AT_INTEGER(latest()))),
			&out->others_until_seconds, NULL, err);
	return status;
}

void at_sources_release(struct at_sources *self)
{
	for (size_t i = 0; i < self->count; i++)
		free(self->items[i].hash);
	free(self->items);
	free(self->now);
	memset(self, 0, sizeof(*self));
}

bool at_sources_is_older(
	const struct at_sources *self, const struct at_evaluation *evaluation)
{
	const struct at_source wanted = { .run_id = evaluation->run_id };
	const struct at_source *found = NULL;

	if (!self->now)
		return false;
	if (self->count)
		found = bsearch(
			&wanted, self->items, self->count, sizeof(wanted), compare);
	return found ? strcmp(found->hash, self->now) != 0
		     : evaluation->created_seconds <= self->others_until_seconds;
}

bool at_sources_is_older_winner(
	const struct at_sources *self, const struct at_winner *best)
{
	return self->now && best->source_hash &&
	       strcmp(self->now, best->source_hash) != 0;
}

/* ---- owners of names ------------------------------------------------------- */

/* largest space file or template to compare */
#define BYTES_MAX ((size_t)16 << 20)

/* limit of at_cell_check() */
#define PATH_BYTES_MAX 1000

static const char find[] = "SELECT path FROM spaces WHERE name = ?";
static const char put[] = "INSERT INTO spaces (name, path) VALUES (?1, ?2)"
			  " ON CONFLICT (name) DO UPDATE SET path = ?2";

/* The path of file relative to directory, "../spaces/matmul.cfg"; both must come from
   realpath(); heap. */
static char *path_from(const char *directory, const char *file)
{
	struct at_strbuf out = { 0 };
	size_t common = 0, i = 0;

	/* finds the common folders, with the last common '/' */
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
	bool is_same = !at_file_read_plain(a, BYTES_MAX, &left, &left_size, NULL) &&
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

	/* a record may contain any path, even of a device or a pipe */
	if (stat(path, &facts) < 0 || !S_ISREG(facts.st_mode))
		return false;
	/* an unreadable file does not matter: it was moved, or is on another machine */
	if (!at_spec_load(path, &other, NULL))
		is_other = other->name && !strcmp(other->name, spec->name) &&
			   !(has_same_bytes(path, spec->path) && other->template_path &&
				   spec->template_path &&
				   has_same_bytes(
					   other->template_path, spec->template_path));
	at_spec_free(other);
	return is_other;
}

/* AT_EINVAL: another file owns the name. *path: this file's, to be recorded, heap;
   NULL: already recorded, or the owner of nothing. */
static enum at_status check(struct at_store *self, const char *directory,
	const struct at_spec *spec, char **path, struct at_error *err)
{
	char *folder = realpath(directory, NULL), *file = realpath(spec->path, NULL);
	char *recorded = NULL, *joined = NULL, *there = NULL;
	enum at_status status = AT_OK;

	*path = NULL;
	/* a space from memory, or without its file, owns nothing */
	if (folder && file) {
		*path = path_from(folder, file);
		status = read_text(at_sqlite_bound(self->database, find,
					   AT_VALUES(AT_STRING(spec->name))),
			&recorded, err);
	}
	if (!status && recorded && strcmp(recorded, *path) != 0) {
		joined = at_path_join(folder, recorded);
		there = realpath(joined, NULL);
	}
	if (there && strcmp(there, file) != 0 && is_other_space(there, spec))
		status = at_fail(err, AT_EINVAL, spec->path, spec->kernel_line,
			"the kernel name \"%s\" belongs to another space in these results, %s, and results and headers are kept by that name: give one of the two files another name in \"kernel\", or this one another folder with --results; if this one took the other's place, remove the other",
			spec->name, there);
	/* do not record a path that could not be read again */
	if (*path && ((recorded && !strcmp(recorded, *path)) ||
			     strlen(*path) > PATH_BYTES_MAX ||
			     !at_text_is_shown(*path, strlen(*path)))) {
		free(*path);
		*path = NULL;
	}
	free(there);
	free(joined);
	free(recorded);
	free(folder);
	free(file);
	return status;
}

enum at_status at_store_check_space(struct at_store *self, const char *directory,
	const struct at_spec *spec, struct at_error *err)
{
	char *path;
	enum at_status status = check(self, directory, spec, &path, err);

	free(path);
	return status;
}

/* Holds the write lock from its start: of two spaces that begin at once, one gets the
   error. */
enum at_status at_store_take_space(struct at_store *self, const char *directory,
	const struct at_spec *spec, struct at_error *err)
{
	char *path = NULL;
	bool begins;
	enum at_status status = at_sqlite_enter(self->database, true, &begins, err);

	if (!status)
		status = check(self, directory, spec, &path, err);
	if (!status && path)
		status = at_statement_run(
			at_sqlite_bound(self->database, put,
				AT_VALUES(AT_STRING(spec->name), AT_STRING(path))),
			err);
	free(path);
	return at_sqlite_leave(self->database, begins, status, err);
}
