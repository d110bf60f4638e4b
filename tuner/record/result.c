/* Writes winners to files: a result file for each device, and one header. */
#include "record/result.h"

#include "base/file.h"
#include "base/memory.h"
#include "record/header_stamp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* far above any header */
#define HEADER_BYTES_MAX ((size_t)64 << 20)

/* Most rounds of rewriting files because another process selected a winner. */
#define ROUNDS_MAX 16

/* ---- result files ------------------------------------------------------------ */

static bool is_of(const struct at_result *result, const struct at_record_device *device)
{
	return !strcmp(result->device.slug, device->slug) &&
	       !strcmp(result->device.kind, device->kind);
}

/* Writes a device's result file. *written false: no winner of the device fits the
   space. */
static enum at_status write_file(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_results *results,
	const struct at_record_device *device, bool *written, struct at_error *err)
{
	char *directory = at_path_join(options->directory, device->slug);
	char *path = at_path_of_name(directory, spec->name, ".json");
	uint16_t *scratch = at_calloc(spec->parameter_count + 1, sizeof(*scratch));
	const struct at_result **own =
		at_calloc(spec->problem_count + 1, sizeof(struct at_result *));
	struct at_strbuf json = { 0 };
	enum at_status status = AT_OK;
	size_t count = 0;

	/* those of the device whose configuration the space still has */
	for (size_t i = 0; i < spec->problem_count; i++)
		for (size_t k = 0; k < results->count; k++) {
			const struct at_result *result = &results->items[k];
			bool fits = false;

			if (!is_of(result, device) ||
				strcmp(result->best.space, spec->name) != 0 ||
				strcmp(result->best.problem, spec->problems[i].name) !=
					0)
				continue;
			at_configuration_from_json(
				spec, result->winner.configuration, scratch, &fits);
			if (fits)
				own[count++] = result;
		}
	free(scratch);
	*written = count > 0;
	if (count)
		status = at_result_json(spec, device, own, count,
			&results->counterexamples, &json, err);
	if (!status && count)
		status = at_file_replace_inside(directory, path, &json, err);
	at_strbuf_release(&json);
	free((void *)own);
	free(directory);
	free(path);
	return status;
}

enum at_status at_result_write_files(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_results *results,
	struct at_error *err)
{
	const struct at_result *items = results->items;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < results->count && !status; i++) {
		bool is_first = true, written;

		/* results that come only from a device's file need no new file */
		for (size_t k = 0; k < i; k++)
			is_first &= items[k].is_bundled ||
				    !is_of(&items[k], &items[i].device);
		if (is_first && !items[i].is_bundled)
			status = write_file(options, spec, results, &items[i].device,
				&written, err);
	}
	return status;
}

/* ---- the header -------------------------------------------------------------- */

/* cubins: path of the header of cubins */
static char *header_path(const struct at_result_options *options,
	const struct at_spec *spec, bool cubins)
{
	static const char *const endings[2][2] = { { ".h", "_cubins.h" },
		{ "_portfolio.h", "_portfolio_cubins.h" } };

	return options->header_path ? at_strdup(options->header_path)
				    : at_path_of_name(options->directory, spec->name,
					      endings[options->is_portfolio][cubins]);
}

/* Reads the existing header. *text NULL: none exists, or the path is a pipe or a
   device. */
static enum at_status read_header(const char *path, char **text, struct at_error *err)
{
	size_t size;

	*text = NULL;
	if (!at_file_may_exist(path) || at_file_is_stream(path))
		return AT_OK;
	return at_file_read(path, HEADER_BYTES_MAX, text, &size, err);
}

/* AT_EINVAL if the new text would replace a file other than this space's header. */
static enum at_status check_place(
	const char *path, const char *old, const char *now, struct at_error *err)
{
	struct at_header_stamp left, right;

	if (!old || !*old)
		return AT_OK;
	if (!at_header_stamp_read(old, &left))
		return at_fail(err, AT_EINVAL, path, 0,
			"it was not written by autotune, and is left alone: move it away, or name another file with -o");
	at_header_stamp_read(now, &right);
	if (strcmp(left.space, right.space) != 0)
		return at_fail(err, AT_EINVAL, path, 0,
			"it is the header of another space file of this kernel name, %s: give one of them another kernel.name, or name another file with -o; if the file was only renamed, remove the header",
			left.space);
	return AT_OK;
}

/* Path of autotune.h in the header's folder; heap. */
static char *common_path(const char *header)
{
	char *folder = at_path_directory(header);
	char *path = at_path_join(folder, "autotune.h");

	free(folder);
	return path;
}

/* Writes autotune.h next to the header. A stream has no folder. */
static enum at_status write_common(const char *header, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	char *path = common_path(header), *old = NULL;
	enum at_status status = AT_OK;

	if (at_file_is_stream(header))
		goto release;
	at_header_common(&text);
	status = read_header(path, &old, err);
	if (!status && old && *old && !strstr(old, "AUTOTUNE_RUNTIME"))
		status = at_fail(err, AT_EINVAL, path, 0,
			"it was not written by autotune, whose headers include a file of this name: move it away, or name another folder with -o");
	if (!status)
		status = at_file_replace_inside(NULL, path, &text, err);
release:
	at_strbuf_release(&text);
	free(old);
	free(path);
	return status;
}

/* Writes a header's text. On failure frees *path and sets it to NULL. *changed (may be
   NULL): the file was missing, or had another text. */
static enum at_status replace_header(const struct at_result_options *options,
	const struct at_strbuf *text, char **path, bool *changed, struct at_error *err)
{
	const char *directory = options->header_path ? NULL : options->directory;
	char *old = NULL;
	enum at_status status = read_header(*path, &old, err);

	if (!status)
		status = check_place(*path, old, at_strbuf_text(text), err);
	if (!status)
		status = at_file_replace_inside(directory, *path, text, err);
	if (!status)
		status = write_common(*path, err);
	if (changed)
		*changed = !status && (!old || strcmp(old, at_strbuf_text(text)) != 0);
	free(old);
	if (!status)
		return AT_OK;
	free(*path);
	*path = NULL;
	return status;
}

/* Appends why autotune.h in the header's folder is not up to date. */
static enum at_status compare_common(
	const char *header, struct at_strbuf *reasons, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	char *path = common_path(header), *old;
	enum at_status status = read_header(path, &old, err);

	at_header_common(&text);
	if (!status && (!old || strcmp(old, at_strbuf_text(&text)) != 0))
		at_strbuf_addf(reasons, "autotune.h in its folder is %s",
			old ? "of another version of autotune" : "missing");
	at_strbuf_release(&text);
	free(old);
	free(path);
	return status;
}

/* Makes the header's plan and text. AT_ENOENT, with advice, if the plan has no
   entries. */
static enum at_status make_text(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	struct at_strbuf *out, struct at_header_plan *plan, struct at_error *err)
{
	const struct at_header_plan_options plan_options = {
		.with_unverified = options->with_unverified,
	};
	enum at_status status =
		at_header_plan_make(spec, items, count, &plan_options, plan, err);

	if (status || plan->entry_count)
		return status ? status : at_header_write(plan, out, err);
	if (plan->unverified_count)
		return at_fail(err, AT_ENOENT, spec->path, 0,
			"no winner of \"%s\" is verified: tune it to the end, or ask for those that are not with --unverified",
			spec->name);
	return at_fail(err, AT_ENOENT, spec->path, 0,
		"nothing is recorded for \"%s\" that fits this file: tune it first",
		spec->name);
}

struct written {
	char *path; /* heap; NULL: no header was written */
	bool has_winner;
	bool changed; /* the file was missing, or had another text */
};

static enum at_status write_header(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	struct written *out, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	struct at_header_plan plan = { 0 };
	enum at_status status;

	memset(out, 0, sizeof(*out));
	status = make_text(options, spec, items, count, &text, &plan, err);
	out->has_winner = plan.winner_count > 0;
	if (!status) {
		out->path = header_path(options, spec, false);
		status = replace_header(options, &text, &out->path, &out->changed, err);
	}
	at_header_plan_release(&plan);
	at_strbuf_release(&text);
	return status;
}

enum at_status at_result_write_header(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	char **written, struct at_error *err)
{
	struct written out;
	enum at_status status = write_header(options, spec, items, count, &out, err);

	if (written)
		*written = out.path;
	else
		free(out.path);
	return status;
}

enum at_status at_result_check_header(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	char **checked, struct at_error *err)
{
	struct at_strbuf text = { 0 }, reasons = { 0 };
	struct at_header_plan plan = { 0 };
	char *path = header_path(options, spec, false), *old = NULL;
	enum at_status status =
		make_text(options, spec, items, count, &text, &plan, err);

	if (!status)
		status = read_header(path, &old, err);
	if (!status)
		at_header_plan_write_stale(&plan, SIZE_MAX, &reasons);
	if (!status && reasons.length) {
		status = at_fail(err, AT_EINVAL, path, 0,
			"stale: %s; tune it again: autotune tune %s",
			at_strbuf_text(&reasons), spec->path);
		goto release;
	}
	if (!status)
		at_header_compare(old, at_strbuf_text(&text), spec, &reasons);
	if (!status && !reasons.length)
		status = compare_common(path, &reasons, err);
	if (!status && reasons.length)
		status = at_fail(err, AT_EINVAL, path, 0,
			"stale: %s; write it with: autotune header %s",
			at_strbuf_text(&reasons), spec->path);
	if (!status && checked) {
		*checked = path;
		path = NULL;
	}
release:
	at_header_plan_release(&plan);
	at_strbuf_release(&reasons);
	at_strbuf_release(&text);
	free(old);
	free(path);
	return status;
}

/* ---- cubins ------------------------------------------------------------------- */

enum at_status at_result_cubins(const struct at_result_options *options,
	const struct at_header_plan *plan, const struct at_cubins *cubins,
	struct at_strbuf *out, struct at_error *err)
{
	char *include = at_path_of_name(
		"", plan->spec->name, options->is_portfolio ? "_portfolio.h" : ".h");
	struct at_strbuf ordinary = { 0 };
	enum at_status status = at_header_write(plan, &ordinary, err);

	if (!status)
		status = at_cubins_write(
			plan, cubins, at_strbuf_text(&ordinary), include, out, err);
	at_strbuf_release(&ordinary);
	free(include);
	return status;
}

enum at_status at_result_write_cubins(const struct at_result_options *options,
	const struct at_header_plan *plan, const struct at_cubins *cubins,
	char **written, struct at_error *err)
{
	struct at_strbuf text = { 0 };
	enum at_status status = at_result_cubins(options, plan, cubins, &text, err);

	if (!status) {
		*written = header_path(options, plan->spec, true);
		status = replace_header(options, &text, written, NULL, err);
	}
	at_strbuf_release(&text);
	return status;
}

/* Removes the header if it belongs to this space file. */
static enum at_status remove_header(const struct at_result_options *options,
	const struct at_spec *spec, struct at_error *err)
{
	char *path = header_path(options, spec, false), *old = NULL;
	struct at_header_stamp left, right = { 0 };
	struct at_strbuf own = { 0 };
	enum at_status status = read_header(path, &old, err);

	/* the stamp of this space file's header */
	at_hash_hex((struct at_hash){ 0 }, right.template_hash);
	at_header_stamp_write(&right, spec, "", &own);
	if (!status && old && at_header_stamp_read(old, &left) &&
		at_header_stamp_read(at_strbuf_text(&own), &right) &&
		!strcmp(left.space, right.space) && remove(path) && errno != ENOENT)
		status = at_fail(
			err, AT_EIO, path, 0, "cannot remove it: %s", strerror(errno));
	at_strbuf_release(&own);
	free(old);
	free(path);
	return status;
}

/* ---- after a winner ------------------------------------------------------------ */

enum at_status at_result_write(struct at_store *store,
	const struct at_result_options *options, const struct at_spec *spec,
	int64_t device_id, char **written, struct at_error *err)
{
	struct at_record_device device = { 0 };
	enum at_status status = at_store_get_device(store, device_id, &device, err);
	struct written out = { .changed = true };

	/* Another process may have selected a winner and written the header between
	   this one's reading and writing: the header would lack that winner. So each
	   process repeats both until the text no longer changes. */
	for (int i = 0; i < ROUNDS_MAX && out.changed && !status; i++) {
		struct at_error reason = { 0 };
		struct at_results results;
		bool has_file = false;

		free(out.path);
		status = at_results_read(
			store, options->directory, spec->name, &results, err);
		memset(&out, 0, sizeof(out));
		/* a wrong winner must go, even if something else is damaged */
		if (!status && !options->removes_header)
			status = at_results_need_files(&results, err);
		if (!status)
			status = write_file(
				options, spec, &results, &device, &has_file, err);
		if (!status && !has_file)
			status = at_fail(err, AT_ENOENT, spec->path, 0,
				"nothing is recorded for \"%s\" on %s that fits this file: tune it there first",
				spec->name, device.model);
		if (!status) {
			status = write_header(options, spec, results.items,
				results.count, &out, &reason);
			/* without a verified winner, an existing header stays, unless
			   its winner is known to be wrong */
			if (status == AT_ENOENT && !out.has_winner)
				status = options->removes_header
						 ? remove_header(options, spec, err)
						 : AT_OK;
			else if (status && err)
				*err = reason;
		}
		at_results_release(&results);
	}
	at_record_device_release(&device);
	if (written)
		*written = out.path;
	else
		free(out.path);
	return status;
}
