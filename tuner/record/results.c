/* Winners in memory: read from record and result files, replaced by portfolio members,
   added to a store, or made from a space's defaults. */
#include "record/results.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "record/result.h"
#include "record/store_internal.h"
#include "record/verification.h"
#include "space/properties.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void at_result_release(struct at_result *self)
{
	if (!self)
		return;
	at_record_device_release(&self->device);
	at_winner_release(&self->best);
	at_evaluation_release(&self->winner);
	at_evaluation_release(&self->baseline);
	at_result_release(self->member);
	free(self->member);
	memset(self, 0, sizeof(*self));
}

void at_results_release(struct at_results *self)
{
	for (size_t i = 0; i < self->count; i++)
		at_result_release(&self->items[i]);
	at_counterexamples_release(&self->counterexamples);
	free(self->items);
	free(self->failed);
	memset(self, 0, sizeof(*self));
}

void at_results_take_members(struct at_results *self)
{
	size_t kept = 0;

	for (size_t i = 0; i < self->count; i++) {
		struct at_result *item = &self->items[i];
		struct at_result *member = item->member;

		if (member) {
			member->device = item->device;
			member->is_bundled = item->is_bundled;
			memset(&item->device, 0, sizeof(item->device));
			item->member = NULL;
		}
		at_result_release(item);
		if (member)
			self->items[kept++] = *member;
		free(member);
	}
	self->count = kept;
}

/* Makes a key from what identifies an evaluation: a result file has no key. */
static void make_key(const struct at_result *self, struct at_evaluation *evaluation)
{
	const char *const texts[] = { self->device.kind, self->device.slug,
		evaluation->space, evaluation->problem, evaluation->configuration,
		self->best.source_hash };
	struct at_hasher *hasher = at_hasher_new();

	for (size_t i = 0; i < AT_COUNT_OF(texts); i++)
		at_hasher_add_text(hasher, texts[i]);
	evaluation->key = at_hasher_result(hasher);
	at_hasher_free(hasher);
}

static enum at_status record_one(
	struct at_result *self, struct at_store *store, struct at_error *err)
{
	struct at_winner *best = &self->best;
	bool is_same = self->has_baseline && !strcmp(self->winner.configuration,
						     self->baseline.configuration);
	enum at_status status =
		at_store_put_device(store, &self->device, &best->device_id, err);

	if (status)
		return status;
	self->winner.device_id = self->baseline.device_id = best->device_id;
	make_key(self, &self->winner);
	status = at_store_add(store, &self->winner, err);
	if (!status && self->has_baseline && !is_same) {
		make_key(self, &self->baseline);
		if (!status)
			status = at_store_add(store, &self->baseline, err);
	}
	if (is_same)
		self->baseline.id = self->winner.id;
	best->evaluation_id = self->winner.id;
	best->baseline_id = self->baseline.id;
	return status ? status : at_store_put_winner(store, best, err);
}

enum at_status at_results_record(
	struct at_results *self, struct at_store *store, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->count && !status; i++)
		status = record_one(&self->items[i], store, err);
	return status;
}

/* ---- reading result files ---- */

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

/* Adds the results in <directory>/<device>/<kernel>.json of a space (NULL: of all),
   unsorted. An unusable file becomes a line in out->failed and is not an error, nor is
   a missing directory. Fails only if the directory cannot be read. */
static enum at_status read_files(const char *directory, const char *space,
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

/* ---- reading ---- */

int at_result_order(const struct at_result *a, const struct at_result *b)
{
	int order = strcmp(a->best.space, b->best.space);

	if (!order)
		order = strcmp(a->device.kind, b->device.kind);
	if (!order)
		order = strcmp(a->device.slug, b->device.slug);
	return order ? order : strcmp(a->best.problem, b->best.problem);
}

static int compare(const void *a, const void *b)
{
	return at_result_order(a, b);
}

/* Reads a winner's evaluation and baseline; takes over the winner. */
static enum at_status read_result(struct at_store *store, struct at_winner *best,
	struct at_result *out, struct at_error *err)
{
	enum at_status status;

	out->best = *best;
	memset(best, 0, sizeof(*best));
	status = at_store_get(store, out->best.evaluation_id, false, &out->winner, err);
	if (status || !out->best.baseline_id)
		return status;
	out->has_baseline = true;
	return at_store_get(store, out->best.baseline_id, false, &out->baseline, err);
}

/* Finds the portfolio member for this problem, unless it was chosen for another
   source. */
static enum at_status read_member(struct at_store *store,
	const struct at_portfolio *portfolio, struct at_result *result,
	struct at_error *err)
{
	for (size_t i = 0; i < portfolio->count; i++) {
		struct at_winner *member = &portfolio->members[i];

		if (!member->problem || !member->source_hash ||
			strcmp(member->problem, result->best.problem) != 0 ||
			strcmp(member->source_hash, result->best.source_hash) != 0)
			continue;
		result->member = at_calloc(1, sizeof(*result->member));
		return read_result(store, member, result->member, err);
	}
	return AT_OK;
}

static enum at_status read_each(struct at_store *store, const char *space,
	struct at_results *out, struct at_error *err)
{
	struct at_winner *winners = NULL;
	size_t count = 0;
	enum at_status status =
		at_store_winners(store, space, 0, &winners, &count, err);
	struct at_portfolio portfolio = { 0 };
	bool found;

	if (!status)
		AT_GROW(out->items, out->capacity, count);
	for (size_t i = 0; i < count && !status; i++) {
		struct at_result *result = &out->items[out->count++];

		memset(result, 0, sizeof(*result));
		status = at_store_get_device(
			store, winners[i].device_id, &result->device, err);
		if (!status)
			status = read_result(store, &winners[i], result, err);
	}
	at_store_free_winners(winners, count);
	if (status)
		return status;
	/* Winners are ordered by device and space, so each portfolio is read once. */
	for (size_t i = 0; i < out->count && !status; i++) {
		const struct at_winner *best = &out->items[i].best;

		if (!portfolio.space || portfolio.device_id != best->device_id ||
			strcmp(portfolio.space, best->space) != 0) {
			at_portfolio_release(&portfolio);
			status = at_store_get_portfolio(store, best->device_id,
				best->space, &portfolio, &found, err);
		}
		if (!status && portfolio.count)
			status = read_member(store, &portfolio, &out->items[i], err);
	}
	at_portfolio_release(&portfolio);
	return status;
}

/* Reads one snapshot: a winner whose evaluation is forgotten meanwhile would be an
   error. */
static enum at_status read_record(struct at_store *store, const char *space,
	struct at_results *out, struct at_error *err)
{
	bool begins;
	enum at_status status = at_store_enter(store, &begins, err);

	if (!status)
		status = read_each(store, space, out, err);
	if (!status)
		status = at_store_counterexamples(
			store, space, &out->counterexamples, err);
	return at_sqlite_leave(store->database, begins, status, err);
}

/*
 * Whether the bundled winner is taken. The record has more of a winner than a file
 * (every sample), but a team shares the file: after a pull, a user whose own record has
 * an older winner must get the same header as everyone. The newer winner is better
 * founded, since a run measures the recorded one again. A time in the future does not
 * count: the file would win for years.
 */
static bool counts_more(
	const struct at_winner *bundled, const struct at_winner *recorded)
{
	/* if the record found its verified winner wrong, a file that calls it verified
	   wins only if it is newer */
	if (bundled->is_unverified != recorded->is_unverified &&
		!at_verification_is_withdrawn(recorded))
		return recorded->is_unverified;
	return bundled->created_seconds > recorded->created_seconds &&
	       bundled->created_seconds <=
		       at_clock_latest_seconds(at_clock_wall_seconds());
}

/* Keeps one result per device, space and problem of the sorted results. */
static void keep_one(struct at_results *self)
{
	size_t kept = 0;

	for (size_t i = 0; i < self->count; i++) {
		struct at_result *last = kept ? &self->items[kept - 1] : NULL;
		struct at_result *next = &self->items[i];
		struct at_result moved = *next;

		if (last && !compare(last, next)) {
			bool takes_over =
				next->is_bundled
					? counts_more(&next->best, &last->best)
					: !counts_more(&last->best, &next->best);

			at_result_release(takes_over ? last : next);
			if (takes_over)
				*last = moved;
			continue;
		}
		self->items[kept++] = moved;
	}
	self->count = kept;
}

/* Drops those of files that the record has. */
static void keep_different(struct at_counterexamples *self)
{
	size_t kept = 0;

	for (size_t i = 0; i < self->count; i++) {
		struct at_counterexample *one = &self->items[i];
		bool is_there = false;

		for (size_t k = 0; k < kept && !is_there; k++)
			is_there = at_counterexample_is_same(one, &self->items[k]);
		if (is_there)
			at_counterexample_release(one);
		else
			self->items[kept++] = *one;
	}
	self->count = kept;
}

enum at_status at_results_read(struct at_store *store, const char *directory,
	const char *space, struct at_results *out, struct at_error *err)
{
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	if (store)
		status = read_record(store, space, out, err);
	if (!status && directory)
		status = read_files(directory, space, out, err);
	if (!status && out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare);
	if (!status)
		keep_one(out);
	if (!status)
		keep_different(&out->counterexamples);
	return status;
}

enum at_status at_results_need_files(
	const struct at_results *self, struct at_error *err)
{
	const struct at_error *first = self->failed;

	return self->failed_count
		       ? at_fail(err, AT_EINVAL, first->file, first->line,
				 "%s; nothing is written that would lack its winners: mend this file, or remove it, and run \"autotune header\"",
				 first->text)
		       : AT_OK;
}

/* ---- the defaults of a space without any record ---- */

/* Compute capability 1.0, below any GPU's, so that choose() prefers every recorded
   configuration. */
#define CAPABILITY 10

enum at_status at_results_add_defaults(
	struct at_results *self, const struct at_spec *spec, struct at_error *err)
{
	if (!spec->has_defaults)
		return at_fail(err, AT_ENOENT, spec->path, 0,
			"nothing is recorded, and the space has no defaults to do with instead");
	for (size_t i = 0; i < spec->problem_count; i++) {
		const struct at_problem *problem = &spec->problems[i];
		struct at_result *result;

		if (problem->on && strcmp(problem->on, "cuda") != 0)
			continue;
		AT_GROW(self->items, self->capacity, self->count + 1);
		result = &self->items[self->count++];
		memset(result, 0, sizeof(*result));
		/* A fictitious device: all its other properties are unknown. */
		result->device.kind = at_strdup("cuda");
		result->device.model = at_strdup("no device");
		result->device.slug = at_strdup("no-device");
		result->device.architecture = at_strdup("");
		result->device.driver = at_strdup("");
		result->device.uuid = at_strdup("");
		at_properties_set(&result->device.properties,
			AT_PROPERTY_COMPUTE_CAPABILITY, CAPABILITY);

		result->has_baseline = true;
		result->baseline.outcome = AT_OUTCOME_OK;
		result->baseline.configuration = at_configuration_to_json(
			spec, at_spec_of(spec, problem)->defaults);
		result->baseline.problem_json = at_problem_to_json(spec, problem);
		result->best.space = at_strdup(spec->name);
		result->best.problem = at_strdup(problem->name);
	}
	return AT_OK;
}
