/* Opens the record or the result files for commands that read them: see recorded.h. */
#include "cli/recorded.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/format.h"
#include "cli/output.h"
#include "device/device.h"
#include "evaluator/workers/probe.h"
#include "record/export.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The slug under which a device is recorded, or would be. */
static enum at_status slug_of(struct at_store *store, const struct at_device_info *info,
	char **slug, struct at_error *err)
{
	struct at_record_device device = { 0 }, recorded = { 0 };
	enum at_status status = AT_OK;

	at_session_record_device(info, &device);
	int64_t id = 0;

	status = at_store_match_device(store, &device, &id, err);
	if (!status && id)
		status = at_store_get_device(store, id, &recorded, err);
	if (!status)
		*slug = at_strdup(id ? recorded.slug : device.slug);
	at_record_device_release(&recorded);
	at_record_device_release(&device);
	return status;
}

/* The slug of device number `index` of a kind on this machine. */
static enum at_status find_slug(struct at_store *store, const char *id,
	const char *kind, unsigned index, char **slug, struct at_error *err)
{
	struct at_device_listing *listings;
	enum at_status status;
	size_t count, i;

	status = at_probe_list_devices(NULL, &listings, &count, err);
	if (status)
		return status;
	for (i = 0; i < count; i++)
		if (!strcmp(listings[i].kind, kind) && index < listings[i].count)
			break;
	if (i == count)
		status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"there is no device %s here; name what is recorded by its model, as in --device nvidia-h200",
			id);
	else
		status = slug_of(store, &listings[i].devices[index], slug, err);
	at_probe_free_devices(listings, count);
	return status;
}

static enum at_status want(struct at_store *store, struct at_wanted_device *out,
	const char *text, struct at_error *err)
{
	struct at_device_choice choice;

	if (at_device_resolve(text, &choice, NULL)) {
		out->architecture = text;
		out->slug = at_text_slug(text);
		return AT_OK;
	}
	/* A kind without a number means all its devices, which need not be in this
	   machine. */
	if (!choice.all && strchr(text, ':'))
		return find_slug(
			store, text, choice.kind->name, choice.index, &out->slug, err);
	out->kind = at_strdup(choice.kind->name);
	return AT_OK;
}

static enum at_status want_all(struct at_recorded *self,
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	const char *const *texts;
	enum at_status status = AT_OK;
	size_t count;

	at_cli_each(arguments, "device", &texts, &count);
	self->wanted = at_calloc(count + 1, sizeof(*self->wanted));
	for (size_t i = 0; i < count && !status; i++)
		status = want(self->store, &self->wanted[self->wanted_count++],
			texts[i], err);
	free((void *)texts);
	return status;
}

static void tell_failed(const struct at_results *results)
{
	for (size_t i = 0; i < results->failed_count; i++) {
		const struct at_error *reason = &results->failed[i];

		at_say("autotune: %s; this file is left aside",
			at_format_error(reason).text);
	}
}

enum at_status at_recorded_space_name(
	const char *operand, char **out, struct at_error *err)
{
	struct at_spec *spec = NULL;
	enum at_status status = AT_OK;

	if (strchr(operand, '/') || at_file_exists(operand))
		status = at_spec_load(operand, &spec, err);
	if (status)
		return status;
	*out = at_strdup(spec ? spec->name : operand);
	at_spec_free(spec);
	return AT_OK;
}

enum at_status at_recorded_fail_nothing_of(const struct at_recorded *self,
	const char *operand, bool narrowed, struct at_error *err)
{
	struct at_export_groups groups = { 0 };
	struct at_strbuf known = { 0 };
	const char **names = NULL, *nearest;
	size_t count = 0;
	enum at_status status = at_export_list(self->store, NULL, NULL, &groups, err);

	if (!status)
		names = at_calloc(groups.count + 1, sizeof(*names));
	/* groups come by space */
	for (size_t i = 0; i < groups.count && !status && !narrowed; i++) {
		if (count && !strcmp(names[count - 1], groups.items[i].space))
			continue;
		at_strbuf_addf(&known, "%s%s",
			count ? ", " : "; recorded: ", groups.items[i].space);
		names[count++] = groups.items[i].space;
	}
	nearest = names ? at_text_nearest(operand, names, count) : NULL;
	/* what it is near to may be the operand itself, whose winners another option
	   left out */
	if (!status && nearest && strcmp(nearest, operand) != 0)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing is recorded of \"%s\"; did you mean \"%s\"?", operand,
			nearest);
	else if (!status)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing is recorded of \"%s\"%s%s", operand,
			narrowed ? " and this problem or device" : "",
			known.length ? at_strbuf_text(&known) : "");
	free((void *)names);
	at_strbuf_release(&known);
	at_export_release(&groups);
	return status;
}

enum at_status at_recorded_results(struct at_recorded *self, const char *space,
	struct at_results *out, struct at_error *err)
{
	/* In that case the store has the contents of the files already, and failures
	   were reported. */
	const char *directory = self->is_bundled ? NULL : self->directory;
	enum at_status status =
		at_results_read(self->store, directory, space, out, err);

	for (size_t i = 0; i < out->count; i++)
		out->items[i].is_bundled |= self->is_bundled;
	tell_failed(out);
	return status;
}

static enum at_status fail_nothing_in(const char *directory, struct at_error *err)
{
	const char *slash = strrchr(directory, '/');
	struct stat facts;
	bool is_there = !stat(directory, &facts);

	if (is_there && !S_ISDIR(facts.st_mode))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"\"%s\" is a file: --results names the folder that it is in, \"%.*s\"",
			directory, slash > directory ? (int)(slash - directory) : 1,
			slash > directory ? directory : ".");
	return at_fail(err, AT_ENOENT, NULL, 0,
		"nothing is recorded in \"%s\" (%s): tune first, or name the folder with --results",
		directory,
		is_there ? "no autotune.db and no result files there"
			 : "there is no such folder");
}

static enum at_status open_bundled(struct at_recorded *self, struct at_error *err)
{
	struct at_results results;
	enum at_status status =
		at_results_read(NULL, self->directory, NULL, &results, err);

	tell_failed(&results);
	/* Files that cannot be used are there, and were reported. */
	if (!status && !results.count && results.failed_count)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing that is recorded in \"%s\" can be used: there is no autotune.db, and its result files are left aside",
			self->directory);
	else if (!status && !results.count)
		status = fail_nothing_in(self->directory, err);
	if (!status)
		status = at_store_open_memory(self->directory, &self->store, err);
	if (!status)
		status = at_results_record(&results, self->store, err);
	self->is_bundled = true;
	at_results_release(&results);
	return status;
}

enum at_status at_recorded_open(const struct at_cli_arguments *arguments,
	struct at_recorded *out, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status;

	memset(out, 0, sizeof(*out));
	out->directory = at_cli_text(arguments, "results", "results");
	status = at_store_open_reading(out->directory, &out->store, &reason);
	if (status == AT_ENOENT)
		status = open_bundled(out, err);
	else if (!status)
		status = at_store_begin_reading(out->store, err);
	else if (err)
		*err = reason;
	return status ? status : want_all(out, arguments, err);
}

bool at_recorded_is_empty(const char *directory)
{
	struct at_store *store = NULL;
	struct at_results results = { 0 };
	struct at_error err = { 0 };
	bool is_empty = at_store_open_reading(directory, &store, &err) == AT_ENOENT;

	if (is_empty) {
		is_empty = !at_results_read(NULL, directory, NULL, &results, NULL) &&
			   !results.count && !results.failed_count;
		at_results_release(&results);
	}
	at_store_close(store);
	return is_empty;
}

void at_recorded_close(struct at_recorded *self)
{
	for (size_t i = 0; i < self->wanted_count; i++) {
		free(self->wanted[i].kind);
		free(self->wanted[i].slug);
	}
	free(self->wanted);
	at_store_close(self->store);
	memset(self, 0, sizeof(*self));
}

bool at_recorded_wants(
	const struct at_recorded *self, const struct at_record_device *device)
{
	for (size_t i = 0; i < self->wanted_count; i++) {
		const struct at_wanted_device *wanted = &self->wanted[i];

		if (wanted->kind && strcmp(wanted->kind, device->kind) != 0)
			continue;
		if (!wanted->slug || !strcmp(wanted->slug, device->slug) ||
			(wanted->architecture &&
				!strcmp(wanted->architecture, device->architecture)))
			return true;
	}
	return self->wanted_count == 0;
}
