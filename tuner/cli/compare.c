/* autotune compare: compares the winners of two folders of results. */
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/page.h"

#include "base/file.h"
#include "base/file_kind.h"
#include "record/comparison.h"
#include "record/evaluation_json.h"
#include "record/results.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARGIN 0.01

/* ---- reading --------------------------------------------------------------- */

static int compare_results(const void *a, const void *b)
{
	const struct at_result *x = a, *y = b;

	return strcmp(x->best.problem, y->best.problem);
}

/* Reads a single result file, which has one kernel on one device. */
static enum at_status read_file(
	const char *path, struct at_results *out, struct at_error *err)
{
	char *text = NULL;
	size_t size;
	enum at_status status =
		at_file_read(path, AT_BUNDLED_BYTES_MAX, &text, &size, err);

	if (!status)
		status = at_bundled_parse(text, size, path, NULL, out, err);
	free(text);
	if (!status && out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare_results);
	return status;
}

static enum at_status read_folder(
	const char *path, struct at_results *out, struct at_error *err)
{
	struct at_error reason = { 0 };
	struct at_store *store = NULL;
	enum at_status status = at_store_open_reading(path, &store, &reason);

	if (status && status != AT_ENOENT) {
		*err = reason;
		return status;
	}
	status = store ? at_store_begin_reading(store, err) : AT_OK;
	if (!status)
		status = at_results_read(store, path, NULL, out, err);
	at_store_close(store);
	for (size_t i = 0; i < out->failed_count; i++)
		at_say_error(&out->failed[i]);
	return status;
}

/* An unreadable result file is an error; otherwise its results would seem to be
   gone. */
static enum at_status read_results(
	const char *path, struct at_results *out, struct at_error *err)
{
	enum at_file_kind kind;
	enum at_status status;
	struct stat facts;

	if (!at_file_may_exist(path))
		return at_fail(err, AT_ENOENT, path, 0,
			"there is no such folder of results, nor a result file");
	if (stat(path, &facts))
		return at_fail(
			err, AT_EIO, path, 0, "cannot look at it: %s", strerror(errno));
	kind = at_file_kind_of(path);
	if (!S_ISDIR(facts.st_mode) && kind != AT_FILE_OTHER && kind != AT_FILE_JSON)
		return at_fail(err, AT_EINVAL, path, 0,
			"%s: expected a folder of results, or one result file (.json)",
			at_file_kind_text(kind));
	status = S_ISDIR(facts.st_mode) ? read_folder(path, out, err)
					: read_file(path, out, err);
	if (!status && out->failed_count)
		return at_fail(err, AT_EINVAL, path, 0,
			"%zu result file%s cannot be read", out->failed_count,
			out->failed_count == 1 ? "" : "s");
	if (!status && !out->count)
		return at_fail(err, AT_ENOENT, path, 0,
			"has no results: neither autotune.db nor <device>/<kernel>.json");
	return status;
}

/* ---- printing ------------------------------------------------------------------ */

/* Appends the numbers of slower, faster, same, unclear and incomparable results. */
static void write_summary(const struct at_comparison *comparison, struct at_strbuf *out)
{
	const size_t *counts = comparison->counts;

	at_strbuf_addf(out, "%zu slower, %zu faster, %zu same, %zu unclear",
		counts[AT_COMPARED_SLOWER], counts[AT_COMPARED_FASTER],
		counts[AT_COMPARED_SAME], counts[AT_COMPARED_UNCLEAR]);
	if (counts[AT_COMPARED_OTHER])
		at_strbuf_addf(out,
			", %zu that are not of one device, sizes and objective",
			counts[AT_COMPARED_OTHER]);
	if (counts[AT_COMPARED_ONLY_A])
		at_strbuf_addf(out, ", %zu only in A", counts[AT_COMPARED_ONLY_A]);
	if (counts[AT_COMPARED_ONLY_B])
		at_strbuf_addf(out, ", %zu only in B", counts[AT_COMPARED_ONLY_B]);
	at_strbuf_add_char(out, '\n');
}

static void write_row(const struct at_comparison_row *row, struct at_page *page)
{
	static const struct at_page_column columns[] = { { "", 14 }, { "", 32 },
		{ "", 0 } };
	const struct at_result *result = row->b ? row->b : row->a;
	struct at_strbuf *out = page->out;

	page->table = columns;
	at_strbuf_addf(at_page_cell(page), "%s%s",
		at_style(row->compared == AT_COMPARED_SLOWER   ? AT_STYLE_BAD
			 : row->compared == AT_COMPARED_FASTER ? AT_STYLE_GOOD
							       : AT_STYLE_FAINT,
			page->color),
		at_compared_name(row->compared));
	at_page_text(page, at_format_change(row->ratio).text);
	at_page_text(page, at_style(AT_STYLE_END, page->color));
	at_format_plain(out, result->best.space, ", ", result->best.problem, ", ",
		result->device.model);
	if (row->a && row->b && row->compared != AT_COMPARED_OTHER)
		at_strbuf_addf(out, ": %s to %s",
			at_format_value(
				row->a->best.objective, row->a->best.score.value)
				.text,
			at_format_value(
				row->b->best.objective, row->b->best.score.value)
				.text);
	if (row->other_configuration)
		at_strbuf_add(out, ", other configuration");
	at_page_row_end(page);
}

static struct at_json *configuration_of(const struct at_result *result)
{
	return at_json_embedded(result ? result->winner.configuration : NULL);
}

static void print_json(const struct at_comparison_row *row)
{
	const struct at_result *result = row->b ? row->b : row->a;
	struct at_json *out = at_json_object();

	at_json_set(out, "event", "comparison");
	at_json_set(out, "space", result->best.space);
	at_json_set(out, "problem", result->best.problem);
	at_json_set(out, "device", result->device.slug);
	at_json_set(out, "verdict", at_compared_name(row->compared));
	at_json_set(out, "objective", result->best.objective->name);
	at_json_set(out, "a", row->a ? row->a->best.score.value : NAN);
	at_json_set(out, "b", row->b ? row->b->best.score.value : NAN);
	at_json_set(out, "ratio", row->ratio.value);
	at_json_set(out, "ratio_low", row->ratio.low);
	at_json_set(out, "ratio_high", row->ratio.high);
	at_json_set(out, "a_configuration", configuration_of(row->a));
	at_json_set(out, "b_configuration", configuration_of(row->b));
	at_print_json(out);
}

static void print_all(const struct at_cli_arguments *arguments,
	const struct at_comparison *comparison, double margin)
{
	struct at_strbuf out = { 0 };
	struct at_page page = at_page_of_stdout(&out);
	struct at_json *summary;

	if (!at_cli_given(arguments, "json")) {
		for (size_t i = 0; i < comparison->count; i++)
			write_row(&comparison->rows[i], &page);
		write_summary(comparison, &out);
		at_print_folded(&out);
		return;
	}
	for (size_t i = 0; i < comparison->count; i++)
		print_json(&comparison->rows[i]);
	summary = at_json_object();
	at_json_set(summary, "event", "summary");
	at_json_set(summary, "margin", margin);
	for (int i = 0; i < AT_COMPARED_COUNT; i++)
		at_json_set(summary, at_compared_name((enum at_compared)i),
			comparison->counts[i]);
	at_print_json(summary);
}

/* ---- the command ----------------------------------------------------------- */

static enum at_status compare(const struct at_cli_arguments *arguments,
	struct at_results *a, struct at_results *b, struct at_comparison *out,
	struct at_error *err)
{
	double margin = at_cli_number(arguments, "margin", MARGIN);
	enum at_status status = read_results(arguments->operands[0], a, err);

	if (!status)
		status = read_results(arguments->operands[1], b, err);
	if (!status)
		at_results_compare(a, b, margin, out);
	if (!status)
		print_all(arguments, out, margin);
	if (!status &&
		out->counts[AT_COMPARED_ONLY_A] + out->counts[AT_COMPARED_ONLY_B] ==
			out->count)
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"nothing can be compared: \"%s\" and \"%s\" share no space, problem and device",
			arguments->operands[0], arguments->operands[1]);
	return status;
}

static enum at_exit run_compare(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct at_results a = { 0 }, b = { 0 };
	struct at_comparison comparison = { 0 };
	enum at_exit code = AT_EXIT_DONE;

	if (!compare(arguments, &a, &b, &comparison, err) &&
		comparison.counts[AT_COMPARED_SLOWER])
		code = AT_EXIT_REGRESSION;
	at_comparison_release(&comparison);
	at_results_release(&a);
	at_results_release(&b);
	return code;
}

const struct at_cli_command at_command_compare = {
	.name = "compare",
	.operands = "A B",
	.summary = "compare two sets of results: slower, faster, same, unclear",
	.details =
		"A and B are folders of results (with autotune.db, or with result files alone) or single result files. Winners of the same space, problem and device are compared: B relative to A, with a 95 % interval of both finals together. Slower and faster mean a difference beyond the interval and the margin; same means a difference within the margin; the rest, and whatever has too wide an interval, is unclear. The interval is of one run; how a board differs from one day to the next is not in it, and the margin is for that. The exit code is 4 if something is slower.\n"
		"\n"
		"  autotune compare results.yesterday results\n"
		"  autotune compare results /mnt/other/results --margin 3% --json",
	.options = "margin json",
	.run = run_compare,
};
