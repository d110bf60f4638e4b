/* Assigns a session's problems to processes (assignment.h): share.c works out the
   shares, shard.c keeps a share's folder. */
#include "session/assignment.h"

#include "base/memory.h"
#include "base/text.h"
#include "session/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A space and a problem, by name. */
struct pair {
	const char *space;
	const char *problem;
};

struct at_assignment {
	const struct at_session_options *options;
	struct at_shard *shard; /* NULL: this process does everything */
	struct pair *pairs;
	size_t count;
	size_t capacity;
};

/*
 * Opens the share's folder. Its name covers what the pairs depend on, and which values
 * are searched: share 3 of 8 of another list of spaces is another share. It does not
 * cover strategy and budget, so that a share continues if these change.
 */
static enum at_status open_shard(struct at_assignment *self,
	const struct at_spec *const *spaces, size_t space_count, struct at_error *err)
{
	const struct at_session_options *options = self->options;
	struct {
		const char *const *words;
		size_t count;
	} lists[] = {
		{ options->problems, options->problem_count },
		{ options->sets, options->set_count },
		{ options->devices, options->device_count },
	};
	struct at_shard_work work = { .name = space_count ? spaces[0]->name : "" };
	size_t most = space_count + AT_COUNT_OF(lists);
	enum at_status status;
	const char **words;

	for (size_t i = 0; i < AT_COUNT_OF(lists); i++)
		most += lists[i].count;
	words = at_calloc(most + 1, sizeof(*words));
	for (size_t i = 0; i < space_count; i++)
		words[work.word_count++] = spaces[i]->name;
	for (size_t i = 0; i < AT_COUNT_OF(lists); i++) {
		words[work.word_count++] = ""; /* separates the lists */
		for (size_t j = 0; j < lists[i].count; j++)
			words[work.word_count++] = lists[i].words[j];
	}
	work.words = words;
	status = at_shard_open(
		options->results, &options->share, &work, &self->shard, err);
	free((void *)words);
	return status;
}

enum at_status at_assignment_open(const struct at_session_options *options,
	const struct at_spec *const *spaces, size_t space_count,
	struct at_assignment **out, struct at_error *err)
{
	struct at_assignment *self = at_calloc(1, sizeof(*self));
	enum at_status status = AT_OK;

	*out = NULL;
	self->options = options;
	if (options->share.count)
		status = open_shard(self, spaces, space_count, err);
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
	at_shard_close(self->shard);
	free(self->pairs);
	free(self);
}

const char *at_assignment_folder(const struct at_assignment *self)
{
	return self->shard ? at_shard_folder(self->shard) : self->options->results;
}

bool at_assignment_describe(const struct at_assignment *self, char *text, size_t size)
{
	const struct at_share *share = &self->options->share;
	struct at_strbuf out = { 0 };
	const struct pair *first = NULL;
	struct at_part part = { 0, 0 };
	size_t pairs = 0;

	if (!self->shard)
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
	at_strbuf_addf(&out, "; its record is in %s", at_shard_folder(self->shard));
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

/* The name of a problem on a device, for the list of finished ones. Heap; NULL: memory
   ran out. */
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
	char *name = self->shard ? name_of(spec, problem, device) : NULL;
	bool done = name && at_shard_has_done(self->shard, name);

	free(name);
	return done;
}

enum at_status at_assignment_done(struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem,
	const struct at_device_info *device, struct at_error *err)
{
	enum at_status status;
	char *name;

	if (!self->shard)
		return AT_OK;
	name = name_of(spec, problem, device);
	status = at_shard_done(self->shard, name, err);
	free(name);
	return status;
}

/* ---- boards ---------------------------------------------------------------------- */

/* The length of the kind in a device's id: "cuda" in "cuda:0". */
static size_t kind_length(const char *id)
{
	return strcspn(id, ":");
}

static bool is_same_kind(const char *a, const char *b)
{
	return kind_length(a) == kind_length(b) && !strncmp(a, b, kind_length(a));
}

void at_assignment_boards(const struct at_assignment *self, struct at_device_ids *ids)
{
	const struct at_share *share = &self->options->share;
	bool *keep = at_calloc(ids->count + 1, sizeof(*keep));
	size_t kept = 0;

	for (size_t i = 0; i < ids->count; i++) {
		uint64_t place = 0, count = 0;

		for (size_t j = 0; j < ids->count; j++) {
			bool same = is_same_kind(ids->ids[i], ids->ids[j]);

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
