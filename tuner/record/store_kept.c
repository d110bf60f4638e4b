/*
 * Keeps in memory what a run has added to the record. Another program may overwrite the
 * file or cut it short during a run, without any call failing; by this copy that is
 * noticed, and can be repaired (store_rescue.c).
 */
#include "record/store_kept.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Room for some 40,000 evaluations; of more the newest are kept. */
#define BYTES_MAX (64 << 20)
/* of what is only read by a run whose record somebody thins out meanwhile */
#define TOLD_BYTES_MAX (16 << 20)

static void release_run(struct kept_run *run)
{
	free(run->space);
	free(run->strategy);
	free(run->version);
	at_record_device_release(&run->device);
}

void at_kept_free(struct at_kept *self)
{
	if (!self)
		return;
	for (size_t i = 0; i < self->run_count; i++)
		release_run(&self->runs[i]);
	for (size_t i = 0; i < self->source_count; i++) {
		free(self->sources[i].problem);
		free(self->sources[i].hash);
	}
	for (size_t i = self->first; i < self->count; i++)
		at_evaluation_release(&self->evaluations[i]);
	for (size_t i = 0; i < self->told_count; i++)
		at_evaluation_release(&self->told[i]);
	free(self->told);
	at_hash_index_release(&self->told_index);
	free(self->runs);
	free(self->moved);
	free(self->sources);
	free(self->evaluations);
	free(self);
}

/* ---- keeping ------------------------------------------------------------------ */

/* Reads the run's token (AT_RUN_TOKEN_MAX bytes). *forgotten: `forget` may have removed
   rows of the run. AT_ENOENT: there is no such run. */
static enum at_status read_run(struct at_store *store, int64_t id, char *token,
	bool *forgotten, struct at_error *err)
{
	static const char sql[] = "SELECT token, ending FROM runs WHERE id = ?";
	struct at_statement *statement;
	bool row = false;
	enum at_status status = at_sqlite_cached(store->database, sql, &statement, err);

	if (status)
		return status;
	at_statement_bind_integer(statement, 1, id);
	status = at_statement_step(statement, &row, err);
	if (!status && row) {
		strncpy(token, at_statement_text(statement, 0), AT_RUN_TOKEN_MAX - 1);
		token[AT_RUN_TOKEN_MAX - 1] = '\0';
		*forgotten = !strcmp(at_statement_text(statement, 1), AT_FORGOTTEN);
	}
	at_statement_reset(statement);
	if (!status && !row)
		status = at_fail(err, AT_ENOENT, at_sqlite_path(store->database), 0,
			"the run is not there any more");
	return status;
}

enum at_status at_store_keep_run(struct at_store *self, int64_t device_id,
	const char *space, const char *strategy, uint64_t seed, const char *version,
	int64_t id, struct at_error *err)
{
	struct kept_run run = { .id = id, .device_id = device_id, .seed = seed };
	enum at_status status = AT_OK;
	int64_t highest = 0;
	bool forgotten;

	if (!self->kept)
		self->kept = calloc(1, sizeof(*self->kept));
	run.space = at_strdup(space);
	run.strategy = at_strdup(strategy);
	run.version = at_strdup(version);
	if (!self->kept || !run.space || !run.strategy || !run.version)
		status = at_fail_memory(err);
	if (!status)
		status = AT_RESERVE(self->kept->runs, self->kept->run_capacity,
			self->kept->run_count + 1, err);
	if (!status)
		status = read_run(self, id, run.token, &forgotten, err);
	if (!status)
		status = at_store_get_device(self, device_id, &run.device, err);
	if (!status)
		status = at_sqlite_integer(self->database,
			"SELECT ifnull(max(id), 0) FROM evaluations", &highest, err);
	at_kept_saw(self->kept, highest);
	if (status) {
		release_run(&run);
		return status;
	}
	if (!self->kept->run_count)
		self->kept->before = highest;
	self->kept->runs[self->kept->run_count++] = run;
	return AT_OK;
}

void at_store_keep_source(
	struct at_store *self, int64_t run_id, const char *problem, const char *hash)
{
	struct at_kept *kept = self->kept;
	struct kept_source source = { .run_id = run_id };

	if (!kept || AT_RESERVE(kept->sources, kept->source_capacity,
			     kept->source_count + 1, NULL))
		return;
	source.problem = at_strdup(problem);
	source.hash = at_strdup(hash);
	if (source.problem && source.hash) {
		kept->sources[kept->source_count++] = source;
	} else {
		free(source.problem);
		free(source.hash);
	}
}

static size_t length_of(const char *text)
{
	return text ? strlen(text) : 0;
}

static size_t bytes_of(const struct at_evaluation *evaluation)
{
	return sizeof(*evaluation) + 8 * evaluation->sample_count +
	       length_of(evaluation->configuration) +
	       length_of(evaluation->problem_json) + length_of(evaluation->detail) +
	       length_of(evaluation->log);
}

/* Drops the oldest evaluations until `bytes` more fit. */
static void make_room(struct at_kept *self, size_t bytes)
{
	size_t moved;

	while (self->first < self->count && self->bytes + bytes > BYTES_MAX) {
		struct at_evaluation *oldest = &self->evaluations[self->first++];

		self->bytes -= bytes_of(oldest);
		at_evaluation_release(oldest);
		self->dropped++;
	}
	if (self->first < self->count / 2 || !self->first)
		return;
	moved = self->first;
	memmove(self->evaluations, self->evaluations + moved,
		(self->count - moved) * sizeof(*self->evaluations));
	self->count -= moved;
	self->seen -= moved < self->seen ? moved : self->seen;
	self->first = 0;
}

static enum at_status copy_all(
	const struct at_evaluation *from, struct at_evaluation *to)
{
	enum at_status status = at_evaluation_copy(from, to, NULL);

	if (status)
		return status;
	to->id = 0;
	to->log = at_strdup(from->log ? from->log : "");
	to->samples_ns = calloc(from->sample_count + 1, sizeof(*to->samples_ns));
	if (!to->log || !to->samples_ns) {
		at_evaluation_release(to);
		return AT_ENOMEM;
	}
	to->sample_count = from->sample_count;
	if (from->sample_count)
		memcpy(to->samples_ns, from->samples_ns,
			from->sample_count * sizeof(*to->samples_ns));
	return AT_OK;
}

struct at_evaluation *at_store_keep_evaluation(
	struct at_store *self, const struct at_evaluation *evaluation)
{
	struct at_kept *kept = self->kept;
	struct at_evaluation copy;

	if (!kept || !evaluation->run_id)
		return NULL;
	make_room(kept, bytes_of(evaluation));
	if (AT_RESERVE(kept->evaluations, kept->capacity, kept->count + 1, NULL) ||
		copy_all(evaluation, &copy)) {
		kept->dropped++;
		return NULL;
	}
	kept->bytes += bytes_of(&copy);
	kept->evaluations[kept->count] = copy;
	return &kept->evaluations[kept->count++];
}

/* The newest run under way on the device; NULL: there is none. */
static const struct kept_run *run_on(const struct at_kept *self, int64_t device_id)
{
	for (size_t i = self->run_count; i > 0; i--)
		if (!self->runs[i - 1].is_over &&
			self->runs[i - 1].device_id == device_id)
			return &self->runs[i - 1];
	return NULL;
}

static struct at_hash hash_of(int64_t number)
{
	return at_hash_bytes(&number, sizeof(number));
}

/* NULL: it is not kept, or none of this run. */
static struct at_evaluation *find_kept(struct at_kept *self, int64_t id)
{
	/* what is found is mostly of earlier runs */
	if (id > 0 && id <= self->before)
		return NULL;
	for (size_t i = self->count; i > self->first; i--)
		if (self->evaluations[i - 1].id == id)
			return &self->evaluations[i - 1];
	return NULL;
}

static struct at_evaluation *find_told(struct at_kept *self, int64_t id)
{
	uint32_t place = at_hash_index_find(&self->told_index, hash_of(id));

	if (id > 0 && place == UINT32_MAX)
		return NULL;
	if (place != UINT32_MAX && self->told[place].id == id)
		return &self->told[place];
	/* one that had the number was forgotten, and has another one since */
	for (size_t i = self->told_count; i > 0; i--)
		if (self->told[i - 1].id == id)
			return &self->told[i - 1];
	return NULL;
}

static bool is_moved(const struct at_kept *self, int64_t from)
{
	for (size_t i = 0; i < self->moved_count; i++)
		if (self->moved[i].from == from)
			return true;
	return false;
}

/* A number that no row has: each entry takes one at most. */
static int64_t fresh_number(const struct at_kept *self)
{
	return -1 - (int64_t)self->moved_count;
}

/* The number that the evaluation has now is another one's: until it is added again it
   has none. */
static void shadow(struct at_kept *self, struct at_evaluation *evaluation)
{
	int64_t number = evaluation->id, fresh = fresh_number(self);

	if (AT_RESERVE(self->moved, self->moved_capacity, self->moved_count + 1, NULL))
		return;
	/* where the run knows it by that number, and where by another one */
	for (size_t i = 0; i < self->moved_count; i++)
		if (self->moved[i].to == number)
			self->moved[i].to = fresh;
	self->moved[self->moved_count++] =
		(struct kept_move){ is_moved(self, number) ? fresh : number, fresh };
	evaluation->id = fresh;
}

static bool is_another(
	const struct at_evaluation *known, const struct at_evaluation *evaluation)
{
	return known && !at_hash_equal(known->key, evaluation->key);
}

/* at_store_keep_told() without keeping it. */
static int64_t name_of(struct at_kept *self, const struct at_evaluation *evaluation)
{
	struct at_evaluation *own = find_kept(self, evaluation->id);
	struct at_evaluation *told = find_told(self, evaluation->id);
	int64_t name = evaluation->id;

	if (is_another(own, evaluation))
		shadow(self, own);
	if (is_another(told, evaluation))
		shadow(self, told);
	for (size_t i = self->moved_count; i > 0; i--)
		if (self->moved[i - 1].to == name)
			name = self->moved[i - 1].from;
	if (name != evaluation->id || !is_moved(self, name))
		return name;
	name = fresh_number(self);
	if (AT_RESERVE(self->moved, self->moved_capacity, self->moved_count + 1, NULL))
		return evaluation->id;
	self->moved[self->moved_count++] = (struct kept_move){ name, evaluation->id };
	return name;
}

int64_t at_store_keep_told(
	struct at_store *self, const struct at_evaluation *evaluation)
{
	struct at_kept *kept = self->kept;
	const struct at_evaluation *told;
	struct at_evaluation copy;
	uint32_t place;
	int64_t name;

	if (!kept)
		return evaluation->id;
	name = name_of(kept, evaluation);
	told = find_told(kept, evaluation->id);
	if (told || evaluation->outcome != AT_OUTCOME_OK ||
		!run_on(kept, evaluation->device_id) ||
		kept->told_bytes + bytes_of(evaluation) > TOLD_BYTES_MAX)
		return name;
	for (size_t i = 0; i < kept->run_count; i++)
		if (kept->runs[i].id == evaluation->run_id)
			return name;
	/* without it the run goes on, as long as nothing is forgotten */
	if (AT_RESERVE(kept->told, kept->told_capacity, kept->told_count + 1, NULL) ||
		at_evaluation_copy(evaluation, &copy, NULL))
		return name;
	if (at_hash_index_put(&kept->told_index, hash_of(copy.id),
		    (uint32_t)kept->told_count, &place, NULL)) {
		at_evaluation_release(&copy);
		return name;
	}
	kept->told_bytes += bytes_of(&copy);
	kept->told[kept->told_count++] = copy;
	return name;
}

size_t at_kept_count(const struct at_kept *self)
{
	return self ? self->count - self->first : 0;
}

size_t at_kept_dropped(const struct at_kept *self)
{
	return self ? self->dropped : 0;
}

/* ---- whether it is still there -------------------------------------------------- */

static enum at_status find_evaluation(struct at_store *store,
	const struct at_evaluation *evaluation, bool *found, struct at_error *err)
{
	static const char sql[] = "SELECT key FROM evaluations WHERE id = ?";
	struct at_statement *statement;
	bool row = false;
	enum at_status status = at_sqlite_cached(store->database, sql, &statement, err);

	*found = false;
	if (status)
		return status;
	at_statement_bind_integer(statement, 1, evaluation->id);
	status = at_statement_step(statement, &row, err);
	if (!status && row)
		*found =
			at_hash_equal(at_statement_hash(statement, 0), evaluation->key);
	at_statement_reset(statement);
	return status;
}

int64_t at_kept_highest(const struct at_kept *self)
{
	return self ? self->highest : 0;
}

void at_kept_saw(struct at_kept *self, int64_t id)
{
	if (self && id > self->highest)
		self->highest = id;
}

/* Adds what was removed again; the run was told that it has the number *id. */
static enum at_status add_again(struct at_store *self, struct at_evaluation *evaluation,
	int64_t run_id, int64_t *id, struct at_error *err)
{
	struct at_kept *kept = self->kept;
	struct at_evaluation again = *evaluation;
	enum at_status status = AT_RESERVE(
		kept->moved, kept->moved_capacity, kept->moved_count + 1, err);

	again.run_id = run_id;
	if (!again.log)
		again.log = (char *)"";
	if (!status)
		status = at_store_insert(self, kept->highest, &again, err);
	if (status)
		return status;
	at_kept_saw(kept, again.id);
	kept->moved[kept->moved_count++] = (struct kept_move){ *id, again.id };
	evaluation->created_seconds = again.created_seconds;
	*id = evaluation->id = again.id;
	return AT_OK;
}

/* The same of an evaluation that the run has not added, but was told of. */
static enum at_status find_told_number(
	struct at_store *self, int64_t *id, struct at_error *err)
{
	struct at_evaluation *evaluation = find_told(self->kept, *id);
	const struct kept_run *run =
		evaluation ? run_on(self->kept, evaluation->device_id) : NULL;
	char token[AT_RUN_TOKEN_MAX] = "";
	bool found = true, forgotten;
	uint32_t place;
	enum at_status status =
		run ? find_evaluation(self, evaluation, &found, err) : AT_OK;

	if (status || found)
		return status;
	/* in another record, which has replaced this one, the number is another run's
	 */
	status = read_run(self, run->id, token, &forgotten, err);
	if (status || strcmp(token, run->token) != 0)
		return status;
	status = add_again(self, evaluation, run->id, id, err);
	/* without memory it is found no more, as if it had not been kept */
	if (!status)
		at_hash_index_put(&self->kept->told_index, hash_of(*id),
			(uint32_t)(evaluation - self->kept->told), &place, NULL);
	return status;
}

enum at_status at_store_find_number(
	struct at_store *self, int64_t *id, struct at_error *err)
{
	struct at_kept *kept = self->kept;
	struct at_evaluation *evaluation;
	char token[AT_RUN_TOKEN_MAX];
	bool found = true, forgotten = false;
	enum at_status status;

	if (!kept || !*id)
		return AT_OK;
	for (size_t i = 0; i < kept->moved_count; i++)
		if (kept->moved[i].from == *id)
			*id = kept->moved[i].to;
	evaluation = find_kept(kept, *id);
	if (!evaluation)
		return find_told_number(self, id, err);
	status = find_evaluation(self, evaluation, &found, err);
	/* what is gone without `forget` is store_rescue.c's */
	if (!status && !found)
		status = read_run(self, evaluation->run_id, token, &forgotten, err);
	return status || !forgotten
		       ? status
		       : add_again(self, evaluation, evaluation->run_id, id, err);
}

/* The run, unless its rows may have been removed since it ended. */
static struct kept_run *find_run(const struct at_kept *self, int64_t id)
{
	for (size_t i = 0; i < self->run_count; i++)
		if (self->runs[i].id == id && !self->runs[i].is_over &&
			!self->runs[i].is_forgotten)
			return &self->runs[i];
	return NULL;
}

void at_kept_run_is_over(struct at_kept *self, int64_t run_id)
{
	for (size_t i = 0; self && i < self->run_count; i++)
		if (self->runs[i].id == run_id)
			self->runs[i].is_over = true;
}

size_t at_kept_run_count(const struct at_kept *self)
{
	return self ? self->run_count : 0;
}

/* Evaluations and sources of the newest run are at the ends of their lists. */
void at_kept_take_back(struct at_kept *self, size_t run_count)
{
	while (self && self->run_count > run_count) {
		struct kept_run *run = &self->runs[--self->run_count];

		while (self->count > self->first &&
			self->evaluations[self->count - 1].run_id == run->id) {
			self->bytes -= bytes_of(&self->evaluations[--self->count]);
			at_evaluation_release(&self->evaluations[self->count]);
		}
		while (self->source_count > 0 &&
			self->sources[self->source_count - 1].run_id == run->id) {
			free(self->sources[--self->source_count].problem);
			free(self->sources[self->source_count].hash);
		}
		release_run(run);
	}
	if (self && self->seen > self->count)
		self->seen = self->count;
}

/* The look itself, in a transaction where there could be one. */
static enum at_status look(struct at_store *self, bool is_whole, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	struct at_kept *kept = self->kept;
	enum at_status status = AT_OK;
	size_t i;

	if (!kept)
		return AT_OK;
	for (size_t r = 0; r < kept->run_count && !status; r++) {
		char token[AT_RUN_TOKEN_MAX];
		bool forgotten = false;

		if (kept->runs[r].is_over)
			continue;
		status = read_run(self, kept->runs[r].id, token, &forgotten, err);
		if (!status && strcmp(token, kept->runs[r].token) != 0)
			status = at_fail(
				err, AT_ENOENT, path, 0, "another record is there");
		kept->runs[r].is_forgotten = forgotten;
	}
	i = is_whole || kept->seen < kept->first ? kept->first : kept->seen;
	for (; i < kept->count && !status; i++) {
		const struct at_evaluation *evaluation = &kept->evaluations[i];
		struct kept_run *run = find_run(kept, evaluation->run_id);
		char token[AT_RUN_TOKEN_MAX];
		bool found = false;

		if (!evaluation->id || !run)
			continue;
		status = find_evaluation(self, evaluation, &found, err);
		/* outside a transaction `forget` may have come since the run was read
		   above */
		if (!status && !found)
			status =
				read_run(self, run->id, token, &run->is_forgotten, err);
		if (!status && !found && !run->is_forgotten)
			status = at_fail(err, AT_ENOENT, path, 0,
				"evaluation %lld is not there any more",
				(long long)evaluation->id);
	}
	if (!status)
		kept->seen = kept->count;
	return status;
}

enum at_status at_store_look_for_kept(
	struct at_store *self, bool is_whole, struct at_error *err)
{
	/* by itself each statement would lock and unlock the log, one for each row that
	   was added; if no transaction begins, they do so */
	bool has_begun = self->kept && !at_sqlite_begin_reading(self->database, NULL);
	enum at_status status = look(self, is_whole, err);

	if (has_begun)
		at_sqlite_rollback(self->database);
	return status;
}
