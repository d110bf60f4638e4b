/* Turns sizes that programs met into problems: sizes_met.h. */
#include "session/sizes_met.h"

#include "base/file.h"
#include "base/text.h"
#include "evaluator/plan.h"
#include "space/domain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* far more than programs record in a year */
#define FILE_BYTES_MAX ((size_t)256 << 20)
/* how a problem's line begins */
#define LINE "  { name = "

/* ---- the file ------------------------------------------------------------------- */

static void add_line(struct at_sizes_met *self, char *text, int line)
{
	struct at_json *root = NULL;
	struct at_strbuf key = { 0 };
	const int64_t calls = at_json_parse(text, strlen(text), NULL, &root, NULL)
				      ? 0
				      : at_json_whole(at_json_get(root, "calls"), 0);
	const char *kernel = at_json_text(at_json_get(root, "kernel"));
	const char *device = at_json_text(at_json_get(root, "device"));
	const struct at_json *sizes = at_json_get(root, "sizes");
	struct at_size_met *item = NULL;

	if (!kernel || !device || calls < 1 || calls > INT64_MAX / 1000000 ||
		at_json_kind_of(sizes) != AT_JSON_OBJECT) {
		self->wrong_line = self->wrong_count++ ? self->wrong_line : line;
		goto release;
	}
	at_strbuf_addf(&key, "%s\t%s\t", kernel, device);
	at_json_write(sizes, 0, &key);
	for (size_t i = 0; i < self->count && !item; i++)
		if (!strcmp(self->items[i].key, key.data))
			item = &self->items[i];
	if (!item) {
		AT_GROW(self->items, self->capacity, self->count + 1);
		item = &self->items[self->count++];
		*item = (struct at_size_met){ .line = root,
			.key = at_strbuf_detach(&key) };
		root = NULL;
	}
	if (item->calls < INT64_MAX / 2)
		item->calls += calls;
release:
	at_json_free(root);
	at_strbuf_release(&key);
}

static int compare_calls(const void *a, const void *b)
{
	const struct at_size_met *left = a, *right = b;

	if (left->calls != right->calls)
		return left->calls > right->calls ? -1 : 1;
	return strcmp(left->key, right->key);
}

enum at_status at_sizes_met_read(
	const char *path, struct at_sizes_met *out, struct at_error *err)
{
	char *text = NULL, *line;
	size_t size;
	int number = 0;
	enum at_status status;

	memset(out, 0, sizeof(*out));
	status = at_file_read(path, FILE_BYTES_MAX, &text, &size, err);
	for (line = text; line && !status;) {
		char *end = strchr(line, '\n');

		if (end)
			*end++ = '\0';
		number++;
		if (*line)
			add_line(out, line, number);
		line = end;
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare_calls);
	free(text);
	return status;
}

void at_sizes_met_release(struct at_sizes_met *self)
{
	for (size_t i = 0; i < self->count; i++) {
		at_json_free(self->items[i].line);
		free(self->items[i].key);
	}
	free(self->items);
	memset(self, 0, sizeof(*self));
}

/* ---- problems ------------------------------------------------------------------- */

static bool is_of(const struct at_size_met *item, const struct at_spec *spec,
	const struct at_device_info *device)
{
	const char *kernel = at_json_text(at_json_get(item->line, "kernel"));
	char *met, *own;
	bool same;

	if (strcmp(kernel, spec->name) != 0)
		return false;
	met = at_text_slug(at_json_text(at_json_get(item->line, "device")));
	own = at_text_slug(device->model);
	same = !strcmp(met, own);
	free(met);
	free(own);
	return same;
}

/* Whether a problem of the spec has a floating-point value of the size: programs write
   2 for 2.0. */
static bool is_real(const struct at_spec *spec, size_t size)
{
	for (size_t i = 0; i < spec->problem_count; i++) {
		const struct at_size *own = at_problem_find_size(
			&spec->problems[i], spec->size_names[size]);

		if (own && own->value.type == AT_TYPE_REAL)
			return true;
	}
	return false;
}

/* Fills a problem's sizes in the order of the spec; false: one is missing. */
static bool read_sizes(
	const struct at_json *sizes, const struct at_spec *spec, struct at_problem *out)
{
	for (size_t i = 0; i < spec->size_count; i++) {
		const struct at_json *value = at_json_get(sizes, spec->size_names[i]);
		struct at_size *size = &out->sizes[out->size_count++];

		size->name = spec->size_names[i];
		if (at_json_kind_of(value) != AT_JSON_NUMBER)
			return false;
		if (at_json_is_whole(value) && !is_real(spec, i))
			size->value = (struct at_value){ .type = AT_TYPE_INTEGER,
				.integer = at_json_whole(value, 0) };
		else
			size->value = (struct at_value){ .type = AT_TYPE_REAL,
				.real = at_json_number(value, 0) };
	}
	return true;
}

static bool is_in_domain(const struct at_spec *spec, const struct at_problem *problem)
{
	struct at_value *values;
	bool is_inside;

	if (!spec->domain.line)
		return true;
	values = at_calloc(spec->domain.number_count + 1, sizeof(*values));
	is_inside = !at_domain_values(spec, problem, spec->problems, values, NULL) &&
		    !at_domain_check(spec, problem, values, NULL);
	free(values);
	return is_inside;
}

/* Whether a problem for this kind of device has these sizes. */
static bool is_known(const struct at_spec *spec, const struct at_problem *problem,
	const struct at_device_info *device)
{
	for (size_t i = 0; i < spec->problem_count; i++) {
		bool same = at_plan_applies(&spec->problems[i], device->kind);

		for (size_t k = 0; k < problem->size_count && same; k++) {
			const struct at_size *own = at_problem_find_size(
				&spec->problems[i], problem->sizes[k].name);

			same = own &&
			       at_value_equal(own->value, problem->sizes[k].value);
		}
		if (same)
			return true;
	}
	return false;
}

/* Appends { name = "met_100_2p5"; on = "cuda"; M = 100; F = 2.5; }, and the name.
   False: the text has the problem, from a program that spells the device in another
   way. */
static bool write_problem(const struct at_problem *problem,
	const struct at_device_info *device, bool is_first, struct at_strbuf *text,
	struct at_strbuf *names)
{
	struct at_strbuf name = { 0 }, sizes = { 0 };
	bool is_new;

	at_strbuf_addf(&name, "met_%s", device->kind);
	for (size_t i = 0; i < problem->size_count; i++) {
		struct at_strbuf value = { 0 };

		at_value_format(problem->sizes[i].value, &value);
		if (problem->sizes[i].value.type == AT_TYPE_REAL &&
			!strpbrk(value.data, ".eE"))
			at_strbuf_add(&value, ".0");
		at_strbuf_addf(&name, "_%s", value.data);
		at_strbuf_addf(&sizes, " %s = %s;", problem->sizes[i].name, value.data);
		at_strbuf_release(&value);
	}
	for (char *c = name.data; *c; c++)
		if (!((*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z')))
			*c = *c == '.' ? 'p' : '_';
	at_strbuf_add(&sizes, " }");
	at_strbuf_addf(&name, "\"; on = \"%s\";", device->kind);
	is_new = !strstr(at_strbuf_text(text), name.data);
	if (is_new) {
		at_strbuf_addf(text, "%s" LINE "\"%s%s", is_first ? "" : ",\n",
			name.data, at_strbuf_text(&sizes));
		at_strbuf_addf(names, "%s%.*s", names->length ? ", " : "",
			(int)strcspn(name.data, "\""), name.data);
	}
	at_strbuf_release(&name);
	at_strbuf_release(&sizes);
	return is_new;
}

/* Appends the old problems, one a line; returns their number. */
static size_t keep_old(const char *old, struct at_strbuf *text)
{
	size_t count = 0;

	for (; old && (old = strstr(old, LINE)); count++) {
		const size_t length = strcspn(old, "}\n");

		at_strbuf_add(text, count ? ",\n" : "");
		at_strbuf_add_bytes(text, old, length);
		at_strbuf_add_char(text, '}');
		old += length;
	}
	return count;
}

size_t at_sizes_met_problems(const struct at_sizes_met *self,
	const struct at_spec *spec, const struct at_device_info *device,
	const char *old, struct at_strbuf *text, struct at_strbuf *names)
{
	struct at_size *sizes = at_calloc(spec->size_count + 1, sizeof(*sizes));
	size_t added = 0, all;

	at_strbuf_add(text,
		"// Sizes that programs met: problems of nights. Remove what is not wanted.\n"
		"problems = (\n");
	all = keep_old(old, text);
	for (size_t i = 0; i < self->count && spec->size_count &&
			   added < AT_SIZES_MET_NEW && all < AT_SIZES_MET_ALL;
		i++) {
		struct at_problem problem = { .sizes = sizes };

		memset(sizes, 0, spec->size_count * sizeof(*sizes));
		if (!is_of(&self->items[i], spec, device) ||
			!read_sizes(at_json_get(self->items[i].line, "sizes"), spec,
				&problem) ||
			is_known(spec, &problem, device) ||
			!is_in_domain(spec, &problem))
			continue;
		if (!write_problem(&problem, device, !all, text, names))
			continue;
		all++;
		added++;
	}
	at_strbuf_add(text, "\n);\n");
	free(sizes);
	return added;
}
