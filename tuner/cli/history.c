/* autotune history: shows the nights of kernels. */
#include "cli/history.h"

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/recorded.h"
#include "record/export.h"
#include "space/spec.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A month of nights. */
#define LAST_DEFAULT 30

static const struct at_cli_option option_last = {
	.name = "last",
	.kind = AT_CLI_WHOLE,
	.value = "N",
	.help = "show the newest N nights of each kernel; 0 shows all (default: 30)",
	.minimum = 0,
	.maximum = INT64_MAX,
};

struct history {
	const struct at_cli_arguments *arguments;
	struct at_recorded recorded;
	struct at_revisits all;
	size_t device_count;
	int64_t *device_ids;
	struct at_record_device *devices;
	size_t wanted_count;
	const struct at_revisit **wanted; /* of `all`, sorted by kernel, then by time */
};

static void release(struct history *self)
{
	for (size_t i = 0; i < self->device_count; i++)
		at_record_device_release(&self->devices[i]);
	free(self->devices);
	free(self->device_ids);
	free((void *)self->wanted);
	at_revisits_release(&self->all);
	at_recorded_close(&self->recorded);
}

/* ---- selection ----------------------------------------------------------------- */

static const struct at_record_device *device_of(const struct history *self, int64_t id)
{
	for (size_t i = 0; i < self->device_count; i++)
		if (self->device_ids[i] == id)
			return &self->devices[i];
	return NULL;
}

static enum at_status read_devices(struct history *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	/* There are at most as many devices as nights. */
	self->devices = at_calloc(self->all.count + 1, sizeof(*self->devices));
	self->device_ids = at_calloc(self->all.count + 1, sizeof(*self->device_ids));
	for (size_t i = 0; i < self->all.count && !status; i++) {
		int64_t id = self->all.items[i].device_id;

		if (device_of(self, id))
			continue;
		status = at_store_get_device(self->recorded.store, id,
			&self->devices[self->device_count], err);
		self->device_ids[self->device_count] = id;
		self->device_count += !status;
	}
	return status;
}

/* AT_ENOENT for a space without nights; the message lists the spaces that have some, or
   those that are recorded at all. */
static enum at_status fail_nothing_of(
	const struct history *self, const char *space, struct at_error *err)
{
	struct at_export_groups groups = { 0 };
	struct at_strbuf names = { 0 };
	enum at_status status =
		at_export_list(self->recorded.store, space, NULL, &groups, err);

	if (!status && !groups.count)
		status =
			at_recorded_fail_nothing_of(&self->recorded, space, false, err);
	at_export_release(&groups);
	if (status)
		return status;
	for (size_t i = 0; i < self->all.count; i++) {
		const char *name = self->all.items[i].space;
		size_t k = 0;

		while (k < i && strcmp(self->all.items[k].space, name) != 0)
			k++;
		if (k == i)
			at_strbuf_addf(&names, "%s%s", names.length ? ", " : "", name);
	}
	status = at_fail(err, AT_ENOENT, NULL, 0, "no night is recorded of \"%s\"%s%s",
		space,
		names.length ? "; there are nights of "
			     : ": \"autotune nightly\" measures recorded winners again",
		at_strbuf_text(&names));
	at_strbuf_release(&names);
	return status;
}

static enum at_status add_wanted(
	struct history *self, const char *space, struct at_error *err)
{
	size_t before = self->wanted_count;

	for (size_t i = 0; i < self->all.count; i++) {
		const struct at_revisit *night = &self->all.items[i];

		if ((space && strcmp(space, night->space) != 0) ||
			!at_cli_wants_problem(self->arguments, night->problem) ||
			!at_recorded_wants(
				&self->recorded, device_of(self, night->device_id)))
			continue;
		self->wanted[self->wanted_count++] = night;
	}
	if (space && self->wanted_count == before)
		return fail_nothing_of(self, space, err);
	return AT_OK;
}

static int compare_kernels(const struct at_revisit *a, const struct at_revisit *b)
{
	int order = strcmp(a->space, b->space);

	if (!order)
		order = strcmp(a->problem, b->problem);
	if (!order)
		order = (a->device_id > b->device_id) - (a->device_id < b->device_id);
	return order ? order : strcmp(a->board, b->board);
}

static int compare(const void *a, const void *b)
{
	const struct at_revisit *x = *(const struct at_revisit *const *)a;
	const struct at_revisit *y = *(const struct at_revisit *const *)b;
	int order = compare_kernels(x, y);

	/* The nights of `all` are sorted by time. */
	return order ? order : (x > y) - (x < y);
}

/* Sorts, and removes the nights of a space that was named twice. */
static void sort_wanted(struct history *self)
{
	size_t kept = 0;

	if (self->wanted_count)
		qsort((void *)self->wanted, self->wanted_count, sizeof(*self->wanted),
			compare);
	for (size_t i = 0; i < self->wanted_count; i++)
		if (!i || self->wanted[i] != self->wanted[i - 1])
			self->wanted[kept++] = self->wanted[i];
	self->wanted_count = kept;
}

static enum at_status collect(struct history *self, struct at_error *err)
{
	size_t operands = self->arguments->operand_count;
	const struct at_revisit_query query = { 0 };
	enum at_status status;

	status = at_store_revisits(self->recorded.store, &query, &self->all, err);
	if (!status)
		status = read_devices(self, err);
	if (status)
		return status;
	self->wanted =
		at_calloc(self->all.count * (operands + 1) + 1, sizeof(*self->wanted));
	if (!operands)
		status = add_wanted(self, NULL, err);
	for (size_t i = 0; i < operands && !status; i++) {
		char *name = NULL;

		status = at_recorded_space_name(
			self->arguments->operands[i], &name, err);
		if (!status)
			status = add_wanted(self, name, err);
		free(name);
	}
	sort_wanted(self);
	if (!status && !self->wanted_count)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"no night of this is recorded: \"autotune nightly\" measures winners again and records it");
	return status;
}

/* ---- telling --------------------------------------------------------------- */

/* Whether the device whose nights begin here has nights of another board. */
static bool has_other_board(const struct history *self, size_t begin)
{
	const struct at_revisit *own = self->wanted[begin];

	for (size_t i = 0; i < self->wanted_count; i++) {
		const struct at_revisit *other = self->wanted[i];

		if (other->device_id == own->device_id &&
			strcmp(other->board, own->board) != 0)
			return true;
	}
	return false;
}

static void print_all(const struct history *self)
{
	size_t last = (size_t)at_cli_whole(self->arguments, &option_last, LAST_DEFAULT);
	struct at_strbuf out = { 0 };
	struct at_page page = at_page_of_stdout(&out);

	for (size_t begin = 0, end; begin < self->wanted_count; begin = end) {
		struct at_kernel_nights kernel = {
			.device = device_of(self, self->wanted[begin]->device_id),
			.names_board = has_other_board(self, begin),
		};
		size_t first;

		for (end = begin; end < self->wanted_count; end++)
			if (compare_kernels(self->wanted[begin], self->wanted[end]) !=
				0)
				break;
		first = last && end - begin > last ? end - last : begin;
		kernel.count = end - first;
		kernel.nights = self->wanted + first;
		if (at_cli_given(self->arguments, &at_option_json)) {
			at_print_json(at_history_to_json(&kernel));
			continue;
		}
		at_strbuf_add(&out, begin ? "\n" : "");
		at_history_write_text(&kernel, &page);
	}
	if (out.length)
		at_print_folded(&out);
}

static enum at_exit run_history(const struct at_cli_arguments *arguments)
{
	struct history self = { .arguments = arguments };
	struct at_error err = { 0 };
	enum at_status status = at_recorded_open(arguments, &self.recorded, &err);

	if (!status)
		status = collect(&self, &err);
	if (!status)
		print_all(&self);
	else
		at_say_error(&err);
	release(&self);
	return status ? AT_EXIT_FAILED : AT_EXIT_DONE;
}

static const struct at_cli_option *const options[] = {
	&at_option_device,
	&at_option_problem,
	&at_option_results,
	&option_last,
	&at_option_json,
	NULL,
};

const struct at_cli_command at_command_history = {
	.name = "history",
	.operands = "[SPACE...]",
	.summary = "show the nights of a kernel, with a plot",
	.details =
		"SPACE is a space file or the name of a space; without one everything is shown. A night is what \"autotune nightly\" measured of a winner and its baseline. Each row shows the time with its interval, the gain over the baseline in the same finals, and the verdict against the nights before. Below it stands what changed since the night before: driver, compiler, clocks. Each board is shown apart. In the plot, s marks a night that was slower, f one that was faster, ! one that was no longer correct. It is drawn with Braille characters if the locale is UTF-8.\n"
		"\n"
		"  autotune history matmul --last 90\n"
		"  autotune history --json > nights.jsonl",
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_history,
};
