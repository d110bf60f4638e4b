/* The folder of a share and its list of finished pairs (shard.h). */
#include "session/shard.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* a longer file was not written by this program: it has a line for each pair */
#define PROGRESS_BYTES_MAX (16 << 20)
/* digits of the hash in the folder's name: enough to tell a few works apart */
#define NAME_DIGITS 8

struct at_shard {
	char *folder;
	char *path; /* path of the file that lists the finished pairs */
	/* the file's contents: the job in the first line, a finished pair in each other
	   one */
	struct at_strbuf progress;
	/* the share is a job's; else nothing is kept */
	bool has_job;
};

/* Makes the folder's path, such as "results/shards/matmul-1f3a9c02-3-of-8". */
static void name_folder(struct at_shard *self, const char *results,
	const struct at_share *share, const struct at_shard_work *work)
{
	char *slug = at_text_slug(work->name);
	struct at_strbuf path = { 0 };
	struct at_hasher *hasher = at_hasher_new();
	char hex[AT_HASH_HEX_SIZE];

	for (size_t i = 0; i < work->word_count; i++)
		at_hasher_add_text(hasher, work->words[i]);
	at_hash_hex(at_hasher_result(hasher), hex);
	at_hasher_free(hasher);
	at_strbuf_addf(&path, "%s/shards/%s-%.*s-%llu-of-%llu", results, slug,
		NAME_DIGITS, hex, (unsigned long long)share->index + 1,
		(unsigned long long)share->count);
	free(slug);
	self->folder = at_strbuf_detach(&path);
	self->path = at_path_join(self->folder, "progress");
	at_strbuf_release(&path);
}

/* Reads what this job finished before it was requeued; another job begins with an empty
   list. */
static enum at_status read_progress(
	struct at_shard *self, const struct at_share *share, struct at_error *err)
{
	size_t length = strlen(share->job), size = 0;
	enum at_status status = AT_OK;
	char *text = NULL;

	self->has_job = length > 0;
	if (share->is_restarted && at_file_may_exist(self->path)) {
		status =
			at_file_read(self->path, PROGRESS_BYTES_MAX, &text, &size, err);
		/* a file without a newline at its end was cut off, and is not used */
		if (!status && size > length && !memcmp(text, share->job, length) &&
			text[length] == '\n' && text[size - 1] == '\n' &&
			strlen(text) == size)
			at_strbuf_add_bytes(&self->progress, text, size);
	}
	free(text);
	if (!self->progress.length)
		at_strbuf_addf(&self->progress, "%s\n", share->job);
	return status;
}

enum at_status at_shard_open(const char *results, const struct at_share *share,
	const struct at_shard_work *work, struct at_shard **out, struct at_error *err)
{
	struct at_shard *self = at_calloc(1, sizeof(*self));
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;

	*out = NULL;
	name_folder(self, results, share, work);
	if (at_directory_make(self->folder, &reason))
		status = at_fail(err, reason.status, self->folder, 0,
			"%s; choose another place with --results DIR", reason.text);
	if (!status)
		status = read_progress(self, share, err);
	if (status) {
		at_shard_close(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

void at_shard_close(struct at_shard *self)
{
	if (!self)
		return;
	at_strbuf_release(&self->progress);
	free(self->folder);
	free(self->path);
	free(self);
}

const char *at_shard_folder(const struct at_shard *self)
{
	return self->folder;
}

bool at_shard_has_done(const struct at_shard *self, const char *pair)
{
	const char *line = strchr(at_strbuf_text(&self->progress), '\n');
	size_t length = strlen(pair);

	while (line && line[1]) {
		line++;
		if (!strncmp(line, pair, length) && line[length] == '\n')
			return true;
		line = strchr(line, '\n');
	}
	return false;
}

enum at_status at_shard_done(
	struct at_shard *self, const char *pair, struct at_error *err)
{
	if (!self->has_job)
		return AT_OK;
	at_strbuf_addf(&self->progress, "%s\n", pair);
	return at_file_replace(
		self->path, self->progress.data, self->progress.length, err);
}
