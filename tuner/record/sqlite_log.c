/*
 * Checks SQLite's log. While a database is open, SQLite trusts an index of the log in
 * shared memory; it reads pages and folds them into the file without comparing
 * checksums. If another program has cut the log short or overwritten it, SQLite would
 * put zeros into a sound file, and no call would fail.
 *
 * The format is SQLite's ("WAL-mode File Format", sqlite.org/walformat.html).
 */
#include "record/sqlite_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEADER_BYTES 32
#define FRAME_BYTES 24
#define MAGIC 0x377f0682u
/* the largest page that SQLite has */
#define PAGE_BYTES_MAX 65536
/*
 * Fold the log at 4000 pages of 4 KiB, 16 MB. With a larger log a page that changed
 * many times is written to the file once, but after a kill the next opening must read
 * the whole log: some milliseconds at this size.
 */
#define FOLD_FRAMES 4000
/* larger files are not checked during a run: it would take more than a second or two */
#define CHECKED_BYTES_MAX (256 << 20)
/* how much of the log is read at once; a page of the largest size fits too */
#define READ_BYTES (256 << 10)
/* another process may begin a new log while it is read */
#define TRIES 5

/* What the shared index says of the log. */
struct index {
	uint32_t frames; /* 0: the log holds nothing to read */
	unsigned char salts[8];
	/* false: we have the file alone, and there is no shared index */
	bool has_salts;
};

static uint32_t read_big(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	       (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t read_little(const unsigned char *bytes)
{
	return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[1] << 8 | bytes[0];
}

/* Continues the checksum of SQLite's logs; size must be a multiple of 8. Whole logs go
   through here, several times a run, so the byte order is not asked in the loops. */
static void add_checksum(
	uint32_t sums[2], bool is_big, const unsigned char *bytes, size_t size)
{
	uint32_t a = sums[0], b = sums[1];

	if (is_big)
		for (size_t i = 0; i < size; i += 8) {
			a += read_big(bytes + i) + b;
			b += read_big(bytes + i + 4) + a;
		}
	else
		for (size_t i = 0; i < size; i += 8) {
			a += read_little(bytes + i) + b;
			b += read_little(bytes + i + 4) + a;
		}
	sums[0] = a;
	sums[1] = b;
}

static bool is_checksum(const uint32_t sums[2], const unsigned char *bytes)
{
	return sums[0] == read_big(bytes) && sums[1] == read_big(bytes + 4);
}

static sqlite3_file *file_of(struct at_sqlite *self, int which)
{
	sqlite3_file *file = NULL;

	if (sqlite3_file_control(self->handle, "main", which, &file) != SQLITE_OK)
		return NULL;
	return file && file->pMethods ? file : NULL;
}

/* Whether the code means that what was read makes no sense. */
static bool is_nonsense(int code)
{
	return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB ||
	       code == SQLITE_IOERR_SHORT_READ;
}

/* Reads the index. False: it is being changed at the moment, or there is none. */
static bool look_at_index(struct at_sqlite *self, struct index *out)
{
	/*
	 * The header of the index: version, unused, changes, flags, at 16 the number of
	 * frames, pages, checksum of the last frame, at 32 the salts, its own checksum.
	 * It exists twice, and is complete where both copies are equal. Behind them
	 * stands how many frames are folded into the file.
	 */
	enum { SIZE = 48, FRAMES = 16, SALTS = 32, FOLDED = 96 };
	sqlite3_file *file = file_of(self, SQLITE_FCNTL_FILE_POINTER);
	unsigned char copies[2][SIZE];
	volatile void *memory = NULL;
	uint32_t folded;

	*out = (struct index){ .frames = self->log_frames };
	if (self->is_alone)
		return true;
	if (!file || file->pMethods->iVersion < 2 ||
		file->pMethods->xShmMap(file, 0, 32768, 0, &memory) != SQLITE_OK ||
		!memory)
		return false;
	for (size_t i = 0; i < sizeof(copies); i++)
		copies[i / SIZE][i % SIZE] = ((volatile unsigned char *)memory)[i];
	if (memcmp(copies[0], copies[1], SIZE) != 0)
		return false;
	/* in the byte order of this machine */
	memcpy(&out->frames, copies[0] + FRAMES, sizeof(out->frames));
	memcpy(out->salts, copies[0] + SALTS, sizeof(out->salts));
	out->has_salts = true;
	/* SQLite reads nothing of a log that is folded as a whole, and begins it anew
	   at the next commit. So a run does not go through all of it once more when it
	   closes a record that it has just folded. */
	folded = ((volatile uint32_t *)memory)[FOLDED / sizeof(folded)];
	if (folded == out->frames)
		out->frames = 0;
	return true;
}

/* NULL: the log has all frames that the index counts, and their checksums are right;
   else what is wrong with it. */
static const char *walk(
	struct at_sqlite *self, const struct index *index, bool is_whole)
{
	sqlite3_file *log = file_of(self, SQLITE_FCNTL_JOURNAL_POINTER);
	struct at_log_mark mark = { 0 };
	unsigned char header[HEADER_BYTES], *frames;
	const char *wrong = NULL;
	uint32_t page_bytes, frame_bytes, most;
	bool is_big;

	if (!log)
		return NULL;
	if (log->pMethods->xRead(log, header, sizeof(header), 0) != SQLITE_OK)
		return "it was cut short";
	is_big = read_big(header) & 1;
	page_bytes = read_big(header + 8);
	add_checksum(mark.sums, is_big, header, 24);
	if ((read_big(header) & ~1u) != MAGIC || page_bytes < 512 ||
		page_bytes > PAGE_BYTES_MAX || !is_checksum(mark.sums, header + 24))
		return "its beginning was overwritten";
	memcpy(mark.salts, header + 16, sizeof(mark.salts));
	if (index->has_salts && memcmp(mark.salts, index->salts, 8) != 0)
		return "another log is in its place";
	/* goes on behind what was checked before, unless the log was begun anew */
	if (!is_whole && !memcmp(mark.salts, self->mark.salts, 8) &&
		self->mark.frames <= index->frames)
		mark = self->mark;
	frame_bytes = FRAME_BYTES + page_bytes;
	most = READ_BYTES / frame_bytes;
	frames = malloc((size_t)most * frame_bytes);
	if (!frames)
		return NULL; /* it is checked again at the next call */
	while (mark.frames < index->frames && !wrong) {
		int64_t at = HEADER_BYTES + (int64_t)mark.frames * frame_bytes;
		uint32_t count = index->frames - mark.frames;

		if (count > most)
			count = most;
		if (log->pMethods->xRead(log, frames, (int)(count * frame_bytes), at) !=
			SQLITE_OK) {
			wrong = "it was cut short";
			break;
		}
		for (uint32_t i = 0; i < count && !wrong; i++, mark.frames++) {
			const unsigned char *frame = frames + (size_t)i * frame_bytes;

			add_checksum(mark.sums, is_big, frame, 8);
			add_checksum(
				mark.sums, is_big, frame + FRAME_BYTES, page_bytes);
			if (memcmp(frame + 8, mark.salts, 8) != 0 ||
				!is_checksum(mark.sums, frame + 16))
				wrong = "it was overwritten";
		}
	}
	if (!wrong)
		self->mark = mark;
	free(frames);
	return wrong;
}

const char *at_sqlite_look_at_log(struct at_sqlite *self, bool is_whole)
{
	/* a read transaction keeps other processes from beginning the log anew
	   meanwhile */
	bool begins = sqlite3_get_autocommit(self->handle);
	const char *wrong = NULL;
	struct index index;
	int code = SQLITE_OK;

	if (!self->has_log || self->is_reading)
		return NULL;
	if (begins)
		code = sqlite3_exec(self->handle,
			"BEGIN; SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
	if (is_nonsense(code))
		wrong = "it was cut short or overwritten";
	if (code != SQLITE_OK)
		goto end;
	for (int i = 0; i < TRIES; i++) {
		struct index now;

		if (!look_at_index(self, &index)) {
			wrong = NULL;
			continue;
		}
		wrong = index.frames ? walk(self, &index, is_whole) : NULL;
		if (!wrong)
			break;
		if (look_at_index(self, &now) &&
			!memcmp(now.salts, index.salts, sizeof(now.salts)))
			break;
	}
end:
	if (wrong)
		at_sqlite_abandon(self);
	if (begins && !sqlite3_get_autocommit(self->handle))
		sqlite3_exec(self->handle, "COMMIT", NULL, NULL, NULL);
	return wrong;
}

static void fold(struct at_sqlite *self, sqlite3 *handle, const char *name)
{
	sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	sqlite_note_written(self);
}

/* The hook after each commit, in place of SQLite's own, which folds the log
   unchecked. */
static int committed(void *context, sqlite3 *handle, const char *name, int frames)
{
	struct at_sqlite *self = context;

	self->log_frames = (uint32_t)frames;
	/* if this fails, the next commit does it */
	if (frames >= FOLD_FRAMES && !at_sqlite_look_at_log(self, true))
		fold(self, handle, name);
	return SQLITE_OK;
}

void sqlite_note_written(struct at_sqlite *self)
{
	struct stat facts;

	if (stat(self->path, &facts) == 0)
		self->written = facts.st_mtim;
}

/* Whether the file has changed since its time stamp was noted: another process has
   folded the log into it, or a program has written to it that should not. */
static bool was_written(struct at_sqlite *self)
{
	struct timespec before = self->written;

	sqlite_note_written(self);
	return before.tv_sec != self->written.tv_sec ||
	       before.tv_nsec != self->written.tv_nsec;
}

const char *at_sqlite_look_at_file(struct at_sqlite *self)
{
	const char *wrong = NULL;
	struct stat facts;
	sqlite3_stmt *statement = NULL;
	const char *said = NULL;
	int code;

	if (!self->has_log || self->is_reading || !was_written(self) ||
		stat(self->path, &facts) < 0 || facts.st_size > CHECKED_BYTES_MAX)
		return NULL;
	at_sqlite_drop_cache(self);
	code = sqlite3_prepare_v2(
		self->handle, "PRAGMA quick_check(1)", -1, &statement, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_step(statement);
	if (code == SQLITE_ROW)
		said = (const char *)sqlite3_column_text(statement, 0);
	if (said && strcmp(said, "ok") != 0)
		wrong = "parts of it make no sense";
	else if (is_nonsense(code))
		wrong = "it makes no sense";
	sqlite3_finalize(statement);
	if (wrong)
		at_sqlite_abandon(self);
	return wrong;
}

void sqlite_fold_by_itself(struct at_sqlite *self)
{
	sqlite3_wal_hook(self->handle, committed, self);
}
