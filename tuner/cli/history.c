/* autotune history: shows the nights of kernels. */
#include "cli/history.h"

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/recorded.h"
#include "record/export.h"

#include <stdlib.h>
#include <string.h>

/* A month of nights. */
#define LAST_DEFAULT 30

/* What is shown of a kernel on a board. */
struct kernel {
	struct at_record_device device;
	struct at_kernel_nights nights;
};

struct history {
	const struct at_cli_arguments *arguments;
	struct at_recorded recorded;
	struct at_nights nights;
	char **spaces; /* of the operands */
	size_t kernel_count;
	struct kernel *kernels; /* in the order of nights */
};

static void release(struct history *self)
{
	for (size_t i = 0; i < self->kernel_count; i++)
		at_record_device_release(&self->kernels[i].device);
	for (size_t i = 0; self->spaces && i < self->arguments->operand_count; i++)
		free(self->spaces[i]);
	free(self->kernels);
	free(self->spaces);
	at_nights_release(&self->nights);
	at_recorded_close(&self->recorded);
}

/* ---- selection ----------------------------------------------------------------- */

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
	for (size_t i = 0; i < self->nights.count; i++) {
		const char *name = self->nights.items[i]->space;

		if (!i || strcmp(self->nights.items[i - 1]->space, name) != 0)
			at_strbuf_addf(&names, "%s%s", i ? ", " : "", name);
	}
	status = at_fail(err, AT_ENOENT, NULL, 0, "no night is recorded of \"%s\"%s%s",
		space,
		names.length ? "; there are nights of "
			     : ": \"autotune nightly\" measures recorded winners again",
		at_strbuf_text(&names));
	at_strbuf_release(&names);
	return status;
}

static bool is_wanted(const struct history *self, const struct at_revisit *night,
	const struct at_record_device *device)
{
	size_t operands = self->arguments->operand_count;
	bool is_named = operands == 0;

	for (size_t i = 0; i < operands; i++)
		is_named |= !strcmp(self->spaces[i], night->space);
	return is_named && at_cli_wants_problem(self->arguments, night->problem) &&
	       at_recorded_wants(&self->recorded, device);
}

static enum at_status collect_kernels(struct history *self, struct at_error *err)
{
	const struct at_nights *nights = &self->nights;
	enum at_status status = AT_OK;

	self->kernels = at_calloc(nights->count + 1, sizeof(*self->kernels));
	for (size_t begin = 0, end; begin < nights->count && !status; begin = end) {
		struct kernel *kernel = &self->kernels[self->kernel_count];

		end = at_nights_end(nights, begin);
		status = at_store_get_device(self->recorded.store,
			nights->items[begin]->device_id, &kernel->device, err);
		kernel->nights = (struct at_kernel_nights){
			.device = &kernel->device,
			.count = end - begin,
			.nights = nights->items + begin,
		};
		if (!status && is_wanted(self, nights->items[begin], &kernel->device))
			self->kernel_count++;
		else
			at_record_device_release(&kernel->device);
	}
	return status;
}

static enum at_status collect(struct history *self, struct at_error *err)
{
	size_t operands = self->arguments->operand_count;
	enum at_status status =
		at_nights_read(&self->nights, self->recorded.store, err);

	self->spaces = at_calloc(operands + 1, sizeof(*self->spaces));
	for (size_t i = 0; i < operands && !status; i++)
		status = at_recorded_space_name(
			self->arguments->operands[i], &self->spaces[i], err);
	if (!status)
		status = collect_kernels(self, err);
	for (size_t i = 0; i < operands && !status; i++) {
		size_t k = 0;

		while (k < self->kernel_count &&
			strcmp(self->kernels[k].nights.nights[0]->space,
				self->spaces[i]) != 0)
			k++;
		if (k == self->kernel_count)
			status = fail_nothing_of(self, self->spaces[i], err);
	}
	if (!status && !self->kernel_count)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"no night of this is recorded: \"autotune nightly\" measures winners again and records it");
	return status;
}

/* ---- telling --------------------------------------------------------------- */

/* Whether nights of another board of the same device are shown. */
static bool has_other_board(const struct history *self, const struct at_revisit *own)
{
	for (size_t i = 0; i < self->kernel_count; i++) {
		const struct at_revisit *other = self->kernels[i].nights.nights[0];

		if (other->device_id == own->device_id &&
			strcmp(other->board, own->board) != 0)
			return true;
	}
	return false;
}

static void print_all(const struct history *self)
{
	size_t last = (size_t)at_cli_whole(self->arguments, "last", LAST_DEFAULT);
	struct at_strbuf out = { 0 };
	struct at_page page = at_page_of_stdout(&out);

	for (size_t i = 0; i < self->kernel_count; i++) {
		struct at_kernel_nights kernel = self->kernels[i].nights;

		kernel.names_board = has_other_board(self, kernel.nights[0]);
		if (last && kernel.count > last) {
			kernel.nights += kernel.count - last;
			kernel.count = last;
		}
		if (at_cli_given(self->arguments, "json")) {
			at_print_json(at_history_to_json(&kernel));
			continue;
		}
		at_strbuf_add(&out, i ? "\n" : "");
		at_history_write_text(&kernel, &page);
	}
	if (out.length)
		at_print_folded(&out);
}

static enum at_exit run_history(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct history self = { .arguments = arguments };
	enum at_status status = at_recorded_open(arguments, &self.recorded, err);

	if (!status)
		status = collect(&self, err);
	if (!status)
		print_all(&self);
	release(&self);
	return AT_EXIT_DONE;
}

static const struct at_cli_option options[] = {
	{ "last", AT_CLI_WHOLE, "N",
		.help = "show the newest N nights of each kernel; 0 shows all (default: 30)",
		.minimum = 0, .maximum = INT64_MAX },
	{ .name = NULL },
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
	.options = "device problem results last json",
	.own = options,
	.run = run_history,
};
