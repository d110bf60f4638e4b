/* Assigns problems to processes (assignment.h); share.c computes the shares. */
#include "session/assignment.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a longer list of finished pairs is not ours */
#define PROGRESS_BYTES_MAX (16 << 20)
/* hash digits in the folder's name: enough to tell a few workloads apart */
#define NAME_DIGITS 8

struct pair {
	const char *space;
	const char *problem;
};

struct at_assignment {
	const struct at_session_options *options;
	char *folder; /* of the share; NULL: there are no shares */
	char *path; /* file that lists the finished pairs */
	/* contents of that file: the job in the first line, then a finished pair a
	   line */
	struct at_strbuf progress;
	struct pair *pairs;
	size_t count;
	size_t capacity;
};

/*
 * Makes the folder's path, such as "results/shards/matmul-1f3a9c02-3-of-8". The hash
 * covers what determines the pairs, and the values to search: share 3 of 8 of another
 * list of spaces is another share. It does not cover strategy and budget, so that
 * changing them continues the share. It does not cover the job, so that a requeued task
 * finds its own record.
 */
static void name_folder(struct at_assignment *self, const struct at_spec *const *spaces,
	size_t space_count)
{
	const struct at_session_options *options = self->options;
	const struct {
		const char *const *words;
		size_t count;
	} lists[] = {
		{ options->problems, options->problem_count },
		{ options->sets, options->set_count },
		{ options->devices, options->device_count },
	};
	char *slug = at_text_slug(space_count ? spaces[0]->name : "");
	struct at_strbuf path = { 0 };
	struct at_hasher *hasher = at_hasher_new();
	char hex[AT_HASH_HEX_SIZE];

	for (size_t i = 0; i < space_count; i++)
		at_hasher_add_text(hasher, spaces[i]->name);
	for (size_t i = 0; i < AT_COUNT_OF(lists); i++) {
		at_hasher_add_text(hasher, ""); /* separates the lists */
		for (size_t j = 0; j < lists[i].count; j++)
			at_hasher_add_text(hasher, lists[i].words[j]);
	}
	at_hash_hex(at_hasher_result(hasher), hex);
	at_hasher_free(hasher);
	at_strbuf_addf(&path, "%s/shards/%s-%.*s-%llu-of-%llu", options->results, slug,
		NAME_DIGITS, hex, (unsigned long long)options->share.index + 1,
		(unsigned long long)options->share.count);
	free(slug);
	self->folder = at_strbuf_detach(&path);
	self->path = at_path_join(self->folder, "progress");
}

/* Reads which pairs this job finished before it was requeued; another job starts with
   an empty list. */
static enum at_status read_progress(struct at_assignment *self, struct at_error *err)
{
	const struct at_share *share = &self->options->share;
	size_t length = strlen(share->job), size = 0;
	enum at_status status = AT_OK;
	char *text = NULL;

	if (share->is_restarted && at_file_may_exist(self->path)) {
		status =
			at_file_read(self->path, PROGRESS_BYTES_MAX, &text, &size, err);
		/* a file without a final newline was cut off and is not used */
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

enum at_status at_assignment_open(const struct at_session_options *options,
	const struct at_spec *const *spaces, size_t space_count,
	struct at_assignment **out, struct at_error *err)
{
	struct at_assignment *self = at_calloc(1, sizeof(*self));
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;

	*out = NULL;
	self->options = options;
	if (options->share.count) {
		name_folder(self, spaces, space_count);
		if (at_directory_make(self->folder, &reason))
			status = at_fail(err, reason.status, self->folder, 0,
				"%s; choose another place with --results DIR",
				reason.text);
		else
			status = read_progress(self, err);
	}
	if (status) {
		at_assignment_close(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

void at_assignment_close(struct at_assignment *self)
{
	if (!self)
		return;
	at_strbuf_release(&self->progress);
	free(self->folder);
	free(self->path);
	free(self->pairs);
	free(self);
}

const char *at_assignment_folder(const struct at_assignment *self)
{
	return self->folder ? self->folder : self->options->results;
}

bool at_assignment_describe(const struct at_assignment *self, char *text, size_t size)
{
	const struct at_share *share = &self->options->share;
	struct at_strbuf out = { 0 };
	const struct pair *first = NULL;
	struct at_part part = { 0, 0 };
	size_t pairs = 0;

	if (!self->folder)
		return false;
	for (size_t i = 0; i < self->count; i++) {
		struct at_part one = at_share_part(share, i, self->count);

		if (!one.count)
			continue;
		first = &self->pairs[i];
		part = one;
		pairs++;
	}
	at_strbuf_addf(&out,
		"share %llu of %llu: ", (unsigned long long)share->index + 1,
		(unsigned long long)share->count);
	if (part.count > 1)
		at_strbuf_addf(&out, "of %s, %s part %llu of %llu of the space",
			first->space, first->problem,
			(unsigned long long)part.index + 1,
			(unsigned long long)part.count);
	else
		at_strbuf_addf(&out, "%zu of %zu problems", pairs, self->count);
	at_strbuf_addf(&out, "; its record is in %s", self->folder);
	snprintf(text, size, "%s", at_strbuf_text(&out));
	at_strbuf_release(&out);
	return true;
}

void at_assignment_add(struct at_assignment *self, const struct at_spec *spec,
	const struct at_problem *problem)
{
	AT_GROW(self->pairs, self->capacity, self->count + 1);

	self->pairs[self->count++] = (struct pair){ spec->name, problem->name };
}

struct at_part at_assignment_part(const struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem)
{
	for (size_t i = 0; i < self->count; i++)
		if (!strcmp(self->pairs[i].space, spec->name) &&
			!strcmp(self->pairs[i].problem, problem->name))
			return at_share_part(&self->options->share, i, self->count);
	return (struct at_part){ 0, 0 };
}

/* Identifies a problem on a device in the list of finished pairs. Heap. */
static char *name_of(const struct at_spec *spec, const struct at_problem *problem,
	const struct at_device_info *device)
{
	struct at_strbuf name = { 0 };

	at_strbuf_addf(&name, "%s, %s on %s (%s)", spec->name, problem->name,
		device->kind, device->model);
	at_text_flatten(name.data);
	return at_strbuf_detach(&name);
}

bool at_assignment_has_done(const struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem,
	const struct at_device_info *device)
{
	char *name = self->folder ? name_of(spec, problem, device) : NULL;
	const char *line = name ? strchr(at_strbuf_text(&self->progress), '\n') : NULL;
	size_t length = name ? strlen(name) : 0;
	bool done = false;

	for (; line && line[1] && !done; line = strchr(line + 1, '\n'))
		done = !strncmp(line + 1, name, length) && line[1 + length] == '\n';
	free(name);
	return done;
}

enum at_status at_assignment_done(struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem,
	const struct at_device_info *device, struct at_error *err)
{
	char *name;

	if (!self->options->share.job[0])
		return AT_OK;
	name = name_of(spec, problem, device);
	at_strbuf_addf(&self->progress, "%s\n", name);
	free(name);
	return at_file_replace(
		self->path, self->progress.data, self->progress.length, err);
}

/* ---- boards ---------------------------------------------------------------------- */

void at_assignment_boards(const struct at_assignment *self, struct at_device_ids *ids)
{
	const struct at_share *share = &self->options->share;
	bool *keep = at_calloc(ids->count + 1, sizeof(*keep));
	size_t kept = 0;

	for (size_t i = 0; i < ids->count; i++) {
		/* length of the kind: "cuda" in "cuda:0" */
		size_t length = strcspn(ids->ids[i], ":");
		uint64_t place = 0, count = 0;

		for (size_t j = 0; j < ids->count; j++) {
			bool same = strcspn(ids->ids[j], ":") == length &&
				    !strncmp(ids->ids[i], ids->ids[j], length);

			place += same && j < i;
			count += same;
		}
		keep[i] = at_share_has_board(share, place, count);
	}
	for (size_t i = 0; i < ids->count; i++)
		if (keep[i])
			memmove(ids->ids[kept++], ids->ids[i], sizeof(ids->ids[i]));
	ids->count = kept;
	free(keep);
}
