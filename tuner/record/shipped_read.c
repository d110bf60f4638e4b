/* Reads one result file, from its text to results. Every value is checked when it is
   read; after the first wrong one the readers below do nothing. */
#include "record/shipped.h"

#include "base/memory.h"
#include "record/shipped_problem.h"
#include "record/shipped_values.h"
#include "space/device_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 1

/* limits far above any real file, so that a hostile one cannot do harm by its size */
#define PROBLEMS_MAX 10000
#define MEMORY_GIB_MAX ((int64_t)1 << 30)

/* ---- the device ----------------------------------------------------------------- */

static void read_properties(struct at_reading *self, const struct at_json *device,
	struct at_record_device *out)
{
	const struct at_json *found =
		at_reading_kind(self, device, "properties", AT_JSON_OBJECT, true);

	if (self->status)
		return;
	out->property_names =
		at_calloc(AT_PROPERTY_COUNT, sizeof(*out->property_names));
	out->property_values =
		at_calloc(AT_PROPERTY_COUNT, sizeof(*out->property_values));
	snprintf(self->place, sizeof(self->place), "device.properties.");
	for (int i = 0; i < AT_PROPERTY_COUNT && !self->status; i++) {
		const char *name = at_property_name((enum at_property)i);
		int64_t value = at_reading_count(self, found, name, false, 0);

		if (value < 0)
			continue;
		out->property_names[out->property_count] = name;
		out->property_values[out->property_count++] = value;
	}
}

/* Takes memory_gib over as the property in bytes, from which the writer gets the same
   number again. */
static void read_memory(struct at_reading *self, const struct at_json *device,
	struct at_record_device *out)
{
	int64_t gib = at_reading_count(self, device, "memory_gib", false, 1);
	const char *name = at_property_name(AT_PROPERTY_MEMORY_BYTES);

	if (gib > MEMORY_GIB_MAX)
		at_reading_fail(self, "memory_gib", "is more than any device has");
	for (size_t i = 0; i < out->property_count; i++)
		if (!strcmp(out->property_names[i], name))
			gib = -1;
	if (self->status || gib < 0 || !out->property_names || !out->property_values)
		return;
	out->property_names[out->property_count] = name;
	out->property_values[out->property_count++] = gib << 30;
}

/*
 * The device's slug. The file's folder must have the name that the device has now, the
 * name that an older version gave it, or the name that a device gets whose slug is
 * taken: in any other folder the results would be taken for another device's. Heap;
 * NULL after a failure.
 */
static char *find_slug(struct at_reading *self, const struct at_record_device *device,
	const char *folder)
{
	struct at_properties properties;
	char *plain, *apart, *before, *found = NULL;

	at_record_device_properties(device, &properties);
	plain = at_device_slug(device->kind, device->model, &properties);
	apart = at_device_slug_apart(device->kind, device->model, &properties);
	before = at_device_slug_before(device->kind, device->model, &properties);
	if (!strcmp(plain, folder) || !strcmp(apart, folder))
		found = at_strdup(folder);
	else if (!strcmp(before, folder))
		found = at_strdup(plain);
	else
		at_reading_fail(self, "model",
			"is \"%s\", whose results belong into the folder %s, not %.100s",
			device->model, plain, folder);
	free(before);
	free(apart);
	free(plain);
	return found;
}

/* The slug of a file that may lie anywhere; heap. */
static char *own_slug(const struct at_record_device *device)
{
	struct at_properties properties;

	at_record_device_properties(device, &properties);
	return at_device_slug(device->kind, device->model, &properties);
}

static void read_device(struct at_reading *self, const struct at_json *root,
	const char *slug, struct at_record_device *out)
{
	const struct at_json *device =
		at_reading_kind(self, root, "device", AT_JSON_OBJECT, true);

	if (self->status)
		return;
	snprintf(self->place, sizeof(self->place), "device.");
	out->kind = at_reading_text(self, device, "kind", 1, 16);
	if (!self->status)
		at_reading_check_identifier(self, "kind", out->kind);
	out->model = at_reading_text(self, device, "model", 1, 128);
	/* a recording has no architecture */
	out->architecture = at_reading_text(self, device, "architecture", 0, 16);
	if (!self->status && out->architecture[0])
		at_reading_check_identifier(self, "architecture", out->architecture);
	read_properties(self, device, out);
	snprintf(self->place, sizeof(self->place), "device.");
	if (self->status)
		return;
	read_memory(self, device, out);
	if (self->status)
		return;
	out->slug = slug ? find_slug(self, out, slug) : own_slug(out);
	out->uuid = at_strdup("");
	out->driver = at_strdup("");
	self->place[0] = '\0';
}

/* ---- the file ------------------------------------------------------------------- */

static void copy_device(struct at_reading *self, const struct at_record_device *from,
	const char *driver, struct at_record_device *to)
{
	size_t count = from->property_count;

	if (self->status)
		return;
	to->kind = at_strdup(from->kind);
	to->model = at_strdup(from->model);
	to->slug = at_strdup(from->slug);
	to->architecture = at_strdup(from->architecture);
	to->driver = at_strdup(driver);
	to->uuid = at_strdup(from->uuid);
	to->property_names = at_calloc(count + 1, sizeof(*to->property_names));
	to->property_values = at_calloc(count + 1, sizeof(*to->property_values));
	to->property_count = count;
	for (size_t i = 0; i < count; i++) {
		to->property_names[i] = from->property_names[i];
		to->property_values[i] = from->property_values[i];
	}
}

static void check_unique(
	struct at_reading *self, const struct at_results *out, size_t first)
{
	const char *name = out->items[out->count - 1].crown.problem;

	for (size_t i = first; i + 1 < out->count && !self->status; i++)
		if (!strcmp(out->items[i].crown.problem, name))
			at_reading_fail(
				self, "problem", "\"%.100s\" is there twice", name);
}

static void read_problems(struct at_reading *self, const struct at_json *root,
	const struct at_record_device *device, const char *space,
	struct at_results *out)
{
	const struct at_json *problems =
		at_reading_kind(self, root, "problems", AT_JSON_ARRAY, true);
	size_t count = at_json_count(problems), first = out->count;

	if (count > PROBLEMS_MAX)
		at_reading_fail(
			self, "problems", "has more than %d of them", PROBLEMS_MAX);
	for (size_t i = 0; i < count && !self->status; i++) {
		struct at_result *result;

		snprintf(self->place, sizeof(self->place), "problems[%zu].", i);
		AT_GROW(out->items, out->capacity, out->count + 1);
		result = &out->items[out->count++];
		memset(result, 0, sizeof(*result));
		at_shipped_problem(self, at_json_at(problems, i), space, result);
		if (!self->status)
			at_shipped_member(self, at_json_at(problems, i), space, result);
		copy_device(self, device, result->crown.driver, &result->device);
		if (!self->status) {
			snprintf(self->place, sizeof(self->place), "problems[%zu].", i);
			check_unique(self, out, first);
		}
	}
	if (self->status)
		return;
	self->place[0] = '\0';
	if (!count)
		at_reading_fail(self, "problems", "is empty");
}

static void read_counterexamples(struct at_reading *self, const struct at_json *root,
	const struct at_record_device *device, const char *space,
	struct at_counterexamples *out)
{
	const struct at_json *found =
		at_reading_kind(self, root, "counterexamples", AT_JSON_ARRAY, false);

	for (size_t i = 0; i < at_json_count(found) && !self->status; i++) {
		struct at_counterexample *one;

		snprintf(self->place, sizeof(self->place), "counterexamples[%zu].", i);
		AT_GROW(out->items, out->capacity, out->count + 1);
		one = &out->items[out->count++];
		memset(one, 0, sizeof(*one));
		at_shipped_counterexample(
			self, at_json_at(found, i), space, device, one);
	}
}

static void check_version(struct at_reading *self, const struct at_json *root)
{
	const struct at_json *found = at_json_get(root, "version");
	int64_t version = at_json_whole(found, 0);

	if (at_json_kind_of(root) != AT_JSON_OBJECT)
		at_reading_fail(self, "version",
			"expected a result file, an object; found %s",
			at_json_kind_name(at_json_kind_of(root)));
	else if (version > VERSION)
		at_reading_fail(self, "version",
			"was written by a newer autotune (version %" PRId64
			" of result files, this program knows %d): use that one",
			version, VERSION);
	else if (version != VERSION)
		at_reading_fail_kind(self, "version", "1, as result files have", found);
}

enum at_status at_shipped_parse(const char *text, size_t size, const char *path,
	const char *slug, struct at_results *out, struct at_error *err)
{
	struct at_reading self = { .path = path, .err = err };
	struct at_record_device device = { 0 };
	struct at_json *root = NULL;
	size_t first = out->count, first_case = out->counterexamples.count;
	char *space = NULL;

	at_reading_check_characters(&self, text, size);
	if (!self.status)
		self.status = at_json_parse(text, size, path, &root, err);
	if (!self.status)
		check_version(&self, root);
	space = at_reading_text(&self, root, "kernel", 1, AT_READING_NAME_BYTES);
	read_device(&self, root, slug, &device);
	if (!self.status)
		read_problems(&self, root, &device, space, out);
	if (!self.status)
		read_counterexamples(
			&self, root, &device, space, &out->counterexamples);
	while (self.status && out->counterexamples.count > first_case)
		at_counterexample_release(
			&out->counterexamples.items[--out->counterexamples.count]);
	while (self.status && out->count > first)
		at_result_release(&out->items[--out->count]);
	at_record_device_release(&device);
	free(space);
	at_json_free(root);
	return self.status;
}
