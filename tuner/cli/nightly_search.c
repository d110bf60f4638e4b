/* Searches in the time that is left of a night, in the order of their expected gain. */
#include "cli/nightly_parts.h"

#include "base/memory.h"
#include "cli/output.h"

#include "session/allot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the record knows of a search ------------------------------------------ */

/* Whether two devices are boards of one model. Such boards search together, under the
   first one's name. */
static bool is_same_model(const struct night *self, size_t a, size_t b)
{
	const struct at_device_info *left = &self->report.devices[a].info;
	const struct at_device_info *right = &self->report.devices[b].info;

	return a == b || (!self->report.devices[a].is_recording &&
				 !self->report.devices[b].is_recording &&
				 !strcmp(left->kind, right->kind) &&
				 !strcmp(left->model, right->model) &&
				 !strcmp(left->architecture, right->architecture) &&
				 !strcmp(left->driver, right->driver));
}

static enum at_status observe(struct night *self, struct at_store *store,
	const char *slug, size_t index, struct at_allot_item *item,
	struct at_error *err)
{
	const struct at_night_case *told = &self->report.cases[index];
	enum at_status status = at_allot_read(
		store, told->space, slug, told->problem, told->objective, item, err);

	item->valid = told->valid;
	/* The most urgent need on any of the boards counts. */
	for (size_t i = 0; i < self->report.case_count; i++) {
		const struct at_night_case *own = &self->report.cases[i];

		if (own->space_index != told->space_index ||
			strcmp(own->problem, told->problem) != 0 ||
			!is_same_model(self, own->device, told->device))
			continue;
		if (own->need > item->need)
			item->need = own->need;
		item->lost = fmax(item->lost, own->lost);
	}
	return status;
}

/* ---- one search ----------------------------------------------------------------- */

static bool is_usable(const struct night *self, size_t device)
{
	return !self->report.devices[device].is_left_out &&
	       self->report.devices[device].info.kind[0];
}

static void tell_search(const struct night *self, const struct at_night_case *one)
{
	struct at_strbuf text = { 0 };

	if (self->is_json || self->is_quiet || one->search == AT_NIGHT_SEARCH_NONE)
		return;
	at_night_write_search(&self->report, one, &text);
	at_strbuf_add_char(&text, '\n');
	at_print_folded(&text);
}

static void search(struct night *self, size_t index, double seconds)
{
	struct at_night_case *one = &self->report.cases[index];
	const char *problems[] = { one->problem };
	struct at_session_options options = self->options;
	struct at_error err = { 0 };
	char budget[32], line[sizeof(err.file) + sizeof(err.text) + 64];
	const char **names = at_calloc(self->report.device_count, sizeof(*names));

	for (size_t i = 0; i < self->report.device_count; i++)
		if (is_usable(self, i) && is_same_model(self, one->device, i))
			names[options.device_count++] = self->report.devices[i].name;
	snprintf(budget, sizeof(budget), "%.0fs", floor(fmin(seconds, 1e6)));
	options.budget = budget;
	options.devices = names;
	options.problems = problems;
	options.problem_count = 1;
	if (night_run_session(self, one->space_index, one->device, &options, &err) &&
		!self->is_interrupted) {
		at_error_format(&err, line, sizeof(line));
		one->search = AT_NIGHT_SEARCH_FAILED;
		night_replace(&one->search_detail, line);
		at_say_error(&err);
		night_judge_device(self, one->device, &err);
	} else {
		self->report.devices[one->device].failures = 0;
	}
	tell_search(self, one);
	free(names);
}

/* ---- all of them ---------------------------------------------------------------- */

/* Whether this case leads its search: of the boards of one model, the first one
   does. */
static bool leads(const struct night *self, size_t index)
{
	size_t device = self->report.cases[index].device;

	if (!is_usable(self, device) || self->report.cases[index].has_failed)
		return false;
	for (size_t i = 0; i < device; i++)
		if (is_usable(self, i) && is_same_model(self, i, device) &&
			night_find_case(self, self->report.cases[index].space_index,
				self->report.cases[index].problem, i) != SIZE_MAX)
			return false;
	return true;
}

static enum at_status gather(
	struct night *self, struct at_allot_item *items, struct at_error *err)
{
	struct at_store *store;
	enum at_status status = at_store_open(self->options.results, &store, err);

	if (status)
		return status;
	for (size_t i = 0; i < self->report.case_count && !status; i++) {
		const struct at_night_device *device =
			&self->report.devices[self->report.cases[i].device];
		struct at_record_device record;

		items[i].is_done = !leads(self, i);
		if (items[i].is_done)
			continue;
		at_session_record_device(&device->info, &record);
		if (!status)
			status = observe(self, store, record.slug, i, &items[i], err);
		at_record_device_release(&record);
	}
	at_store_close(store);
	return status;
}

void night_search(struct night *self)
{
	size_t count = self->report.case_count, next;
	struct at_allot_item *items = at_calloc(count + 1, sizeof(*items));
	struct at_error err = { 0 };
	double share;

	if (gather(self, items, &err))
		night_fail_with(self, &err);
	while (!err.status && !night_is_interrupted(self) &&
		(next = at_allot_next(items, count, night_left(self), &share)) !=
			AT_ALLOT_NONE) {
		items[next].is_done = true;
		if (is_usable(self, self->report.cases[next].device))
			search(self, next, share);
	}
	free(items);
}
