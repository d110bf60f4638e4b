/* The report of a night: its data, its lines of text, JSON, Markdown and JUnit XML. */
#include "cli/nightly_report.h"

#include "cli/tell.h"
#include "cli/page.h"

#include "base/escape.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *text;
} searches[] = {
#define AT_NIGHT_SEARCH_NAMES(symbol, name, text) { name, text },
	AT_NIGHT_SEARCHES(AT_NIGHT_SEARCH_NAMES)
#undef AT_NIGHT_SEARCH_NAMES
};

/* ---- the data ------------------------------------------------------------------ */

void at_night_report_release(struct at_night_report *self)
{
	for (size_t i = 0; i < self->device_count; i++) {
		free(self->devices[i].id);
		free(self->devices[i].model);
		free(self->devices[i].changes);
		free(self->devices[i].failure);
		free(self->devices[i].name);
	}
	for (size_t i = 0; i < self->case_count; i++) {
		free(self->cases[i].space);
		free(self->cases[i].problem);
		free(self->cases[i].detail);
		free(self->cases[i].winner);
		free(self->cases[i].search_detail);
		free(self->cases[i].configuration);
	}
	for (size_t i = 0; i < self->failure_count; i++)
		free(self->failures[i]);
	free(self->devices);
	free(self->cases);
	free(self->failures);
	memset(self, 0, sizeof(*self));
}

struct at_night_case *at_night_report_add(struct at_night_report *self,
	const char *space, const char *problem, size_t device)
{
	struct at_night_case *one;

	AT_GROW(self->cases, self->case_capacity, self->case_count + 1);
	one = &self->cases[self->case_count++];
	*one = (struct at_night_case){
		.space = at_strdup(space),
		.problem = at_strdup(problem),
		.device = device,
		.detail = at_strdup(""),
		.winner = at_strdup(""),
		.search_detail = at_strdup(""),
		.objective = &at_objective_time,
		.score = AT_SCORE_UNKNOWN,
		.change = AT_SCORE_UNKNOWN,
		.cycles = AT_SCORE_UNKNOWN,
		.found = AT_SCORE_UNKNOWN,
		.speedup = NAN,
	};
	return one;
}

void at_night_report_fail(struct at_night_report *self, const char *line)
{
	AT_GROW(self->failures, self->failure_capacity, self->failure_count + 1);
	self->failures[self->failure_count++] = at_strdup(line);
}

bool at_night_is_regression(const struct at_night_case *self)
{
	return self->verdict == AT_VERDICT_SLOWER ||
	       self->verdict == AT_VERDICT_INCORRECT;
}

bool at_night_has_regression(const struct at_night_report *self)
{
	for (size_t i = 0; i < self->case_count; i++)
		if (at_night_is_regression(&self->cases[i]))
			return true;
	return false;
}

bool at_night_has_failure(const struct at_night_report *self)
{
	for (size_t i = 0; i < self->device_count; i++)
		if (self->devices[i].failure && self->devices[i].failure[0])
			return true;
	for (size_t i = 0; i < self->case_count; i++)
		if (self->cases[i].has_failed ||
			self->cases[i].search == AT_NIGHT_SEARCH_FAILED)
			return true;
	return self->failure_count > 0;
}

/* ---- one problem ---------------------------------------------------------------- */

static void add_name(const struct at_night_report *self,
	const struct at_night_case *one, struct at_strbuf *out)
{
	at_format_plain(out, one->space, ", ", one->problem, " on ",
		self->devices[one->device].id);
}

static const char *verdict_text(const struct at_night_case *one)
{
	if (one->verdict == AT_VERDICT_NONE)
		return one->has_failed ? "failed" : "not measured";
	return at_verdict_name(one->verdict);
}

void at_night_write_case(const struct at_night_report *self,
	const struct at_night_case *one, struct at_strbuf *out)
{
	add_name(self, one, out);
	at_strbuf_addf(out, ": %s", verdict_text(one));
	if (one->verdict == AT_VERDICT_INCORRECT)
		at_strbuf_addf(out, " (%s)", at_outcome_name(one->outcome));
	if (isfinite(one->score.value))
		at_strbuf_addf(out, ", %s",
			at_format_value(one->objective, one->score.value).text);
	if (isfinite(one->change.value))
		at_strbuf_addf(out, ", %s", at_format_change(one->change).text);
	if (isfinite(one->cycles.value))
		at_strbuf_addf(out, ", in cycles %s",
			at_format_percent(one->cycles.value).text);
	if (isfinite(one->speedup))
		at_strbuf_addf(
			out, ", %s the baseline", at_format_speedup(one->speedup).text);
	if (one->detail[0]) {
		at_format_plain(out, "; ", one->detail);
	}
}

void at_night_write_search(const struct at_night_report *self,
	const struct at_night_case *one, struct at_strbuf *out)
{
	add_name(self, one, out);
	at_strbuf_addf(out, ": %s new in %s, %s", at_format_count(one->evaluated).text,
		at_format_seconds(one->search_seconds).text,
		searches[one->search].text);
	if (isfinite(one->found.value))
		at_strbuf_addf(out, ", %s",
			at_format_value(one->objective, one->found.value).text);
	if (one->search_detail[0])
		at_format_plain(out, ": ", one->search_detail);
}

static void add_sum_item(
	struct at_strbuf *out, size_t begin, size_t count, const char *what)
{
	if (!count)
		return;
	if (out->length > begin)
		at_strbuf_add(out, ", ");
	at_strbuf_addf(out, "%zu %s", count, what);
}

void at_night_write_sum(const struct at_night_report *self, struct at_strbuf *out)
{
	size_t begin = out->length, replaced = 0, selected = 0, failed = 0;
	size_t counts[AT_VERDICT_COUNT] = { 0 };

	for (size_t i = 0; i < self->case_count; i++) {
		const struct at_night_case *one = &self->cases[i];

		counts[one->verdict]++;
		replaced += one->search == AT_NIGHT_SEARCH_REPLACED;
		selected += one->search == AT_NIGHT_SEARCH_SELECTED;
		failed += one->has_failed || one->search == AT_NIGHT_SEARCH_FAILED;
	}
	for (int i = 0; i < AT_VERDICT_COUNT; i++)
		add_sum_item(out, begin, counts[i],
			i == AT_VERDICT_NONE ? "not measured"
					     : at_verdict_name((enum at_verdict)i));
	add_sum_item(out, begin, replaced, "with another winner");
	add_sum_item(out, begin, selected, "with a first winner");
	add_sum_item(out, begin, failed + self->failure_count, "failed");
	if (out->length == begin)
		at_strbuf_add(out, "nothing to do");
	at_strbuf_addf(out, "; %s", at_format_seconds(self->seconds).text);
	if (self->was_interrupted)
		at_strbuf_add(out, "; interrupted");
}

/* ---- JSON: the file of the report, and the last line of --json ----------------- */

/* NULL, which is null in JSON, for an unknown text. */
static const char *known(const char *text)
{
	return text && text[0] ? text : NULL;
}

static struct at_json *case_to_json(
	const struct at_night_report *self, const struct at_night_case *one)
{
	struct at_json *out = at_json_object(), *search = at_json_object();
	bool was_searched = one->search != AT_NIGHT_SEARCH_NONE;

	at_json_set(out, "space", one->space);
	at_json_set(out, "problem", one->problem);
	at_json_set(out, "device", self->devices[one->device].id);
	at_json_set(out, "verdict", at_verdict_name(one->verdict));
	at_json_set(out, "failed", one->has_failed);
	at_json_set(
		out, "outcome", one->outcome ? at_outcome_name(one->outcome) : NULL);
	at_json_set(out, "detail", known(one->detail));
	at_json_set(out, "objective", one->objective->name);
	at_json_set(out, "score", at_json_interval(one->score));
	at_json_set(out, "change", at_json_interval(one->change));
	at_json_set(out, "change_in_cycles", at_json_interval(one->cycles));
	at_json_set(out, "speedup", one->speedup);
	at_json_set(out, "nights", one->night_count);
	at_json_set(out, "looks", one->look_count);
	at_json_set(out, "seconds", one->seconds);
	at_json_set(search, "result", searches[one->search].name);
	at_json_set(search, "evaluated", one->evaluated);
	at_json_set(search, "seconds", one->search_seconds);
	at_json_set(search, "winner", known(one->winner));
	at_json_set(search, "score", at_json_interval(one->found));
	at_json_set(search, "detail", known(one->search_detail));
	at_json_set(out, "search", was_searched ? search : at_json_null());
	if (!was_searched)
		at_json_free(search);
	return out;
}

struct at_json *at_night_to_json(const struct at_night_report *self)
{
	struct at_json *out = at_json_object(), *devices = at_json_array();
	struct at_json *cases = at_json_array(), *failures = at_json_array();

	at_json_set(out, "event", "night");
	at_json_set(out, "began_seconds", self->began_seconds);
	at_json_set(out, "seconds", self->seconds);
	at_json_set(out, "budget_seconds", self->budget_seconds);
	at_json_set(out, "margin", self->margin);
	at_json_set(out, "interrupted", self->was_interrupted);
	at_json_set(out, "regression", at_night_has_regression(self));
	for (size_t i = 0; i < self->device_count; i++) {
		const struct at_night_device *device = &self->devices[i];
		struct at_json *one = at_json_object();

		at_json_set(one, "id", device->id);
		at_json_set(one, "model", known(device->model));
		at_json_set(one, "changes", known(device->changes));
		at_json_set(one, "failure", known(device->failure));
		at_json_append(devices, one);
	}
	for (size_t i = 0; i < self->case_count; i++)
		at_json_append(cases, case_to_json(self, &self->cases[i]));
	for (size_t i = 0; i < self->failure_count; i++)
		at_json_append(failures, at_json_string(self->failures[i]));
	at_json_set(out, "devices", devices);
	at_json_set(out, "problems", cases);
	at_json_set(out, "failures", failures);
	return out;
}

/* ---- Markdown ------------------------------------------------------------------- */

/* Appends a list item, with a heading before the first. Releases line. */
static void add_item(
	struct at_strbuf *out, const char **heading, struct at_strbuf *line)
{
	at_strbuf_addf(out, "%s- ", *heading);
	*heading = "";
	at_escape_markdown(out, at_strbuf_text(line));
	at_strbuf_add_char(out, '\n');
	at_strbuf_release(line);
}

static void write_changes(const struct at_night_report *self, struct at_strbuf *out)
{
	const char *heading = "## Changed since the last night\n\n";
	struct at_strbuf line = { 0 };

	for (size_t i = 0; i < self->device_count; i++) {
		const struct at_night_device *device = &self->devices[i];

		if (!device->changes || !device->changes[0])
			continue;
		at_strbuf_addf(&line, "%s: %s", device->id, device->changes);
		add_item(out, &heading, &line);
	}
	at_strbuf_add(out, *heading ? "" : "\n");
}

/* The table of a device's cases. */
static void write_device(
	const struct at_night_report *self, size_t device, struct at_page *page)
{
	static const struct at_page_column columns[] = { { "space", 0 },
		{ "problem", 0 }, { "verdict", 0 }, { "winner", 0 }, { "change", 0 },
		{ "in cycles", 0 }, { "over the baseline", 0 }, { "nights", 0 },
		{ "search", 0 }, { "detail", 0 } };
	const struct at_night_device *own = &self->devices[device];
	bool is_first = true;

	for (size_t j = 0; j < self->case_count; j++) {
		const struct at_night_case *one = &self->cases[j];

		if (one->device != device)
			continue;
		if (is_first) {
			at_strbuf_add(page->out, "## ");
			at_escape_markdown(page->out, own->id);
			if (own->model && own->model[0]) {
				at_strbuf_add(page->out, ", ");
				at_escape_markdown(page->out, own->model);
			}
			at_strbuf_add(page->out, "\n\n");
			at_page_head(page, columns, AT_COUNT_OF(columns));
		}
		is_first = false;
		at_escape_markdown_code(at_page_cell(page), one->space);
		at_escape_markdown(at_page_cell(page), one->problem);
		at_page_text(page, verdict_text(one));
		at_page_text(
			page, at_format_value(one->objective, one->score.value).text);
		at_page_text(page, at_format_change(one->change).text);
		at_page_text(page, at_format_percent(one->cycles.value).text);
		at_page_text(page, at_format_speedup(one->speedup).text);
		at_strbuf_addf(at_page_cell(page), "%zu", one->night_count);
		at_page_cell(page);
		if (one->search != AT_NIGHT_SEARCH_NONE)
			at_strbuf_addf(page->out, "%s new: %s",
				at_format_count(one->evaluated).text,
				searches[one->search].text);
		at_escape_markdown(at_page_cell(page), one->detail);
		at_page_row_end(page);
	}
	at_strbuf_add(page->out, is_first ? "" : "\n");
}

void at_night_write_markdown(const struct at_night_report *self, struct at_strbuf *out)
{
	struct at_page page = { .out = out, .is_markdown = true };
	struct at_strbuf sum = { 0 };
	const char *heading = "## To look at\n\n";
	struct at_strbuf line = { 0 };

	at_strbuf_addf(
		out, "# Night of %s\n\n", at_format_date(self->began_seconds).text);
	at_night_write_sum(self, &sum);
	at_escape_markdown(out, at_strbuf_text(&sum));
	at_strbuf_release(&sum);
	at_strbuf_add(out, "\n\n");
	write_changes(self, out);
	/* Cases that need attention come first. */
	for (size_t i = 0; i < self->case_count; i++) {
		const struct at_night_case *one = &self->cases[i];

		if (one->search == AT_NIGHT_SEARCH_FAILED)
			at_night_write_search(self, one, &line);
		else if (at_night_is_regression(one) || one->has_failed)
			at_night_write_case(self, one, &line);
		else
			continue;
		add_item(out, &heading, &line);
	}
	for (size_t i = 0; i < self->failure_count; i++) {
		at_strbuf_add(&line, self->failures[i]);
		add_item(out, &heading, &line);
	}
	at_strbuf_add(out, *heading ? "" : "\n");
	for (size_t i = 0; i < self->device_count; i++)
		write_device(self, i, &page);
	at_strbuf_addf(out,
		"`autotune history SPACE` shows the nights of a kernel. A change is of the time of one launch, against the nights before; a winner is replaced only by one that is better by more than noise and %g %%.\n",
		self->margin * 100);
}

/* ---- JUnit XML: the common part of the schemas of Jenkins and GitLab ----------- */

static void attribute(struct at_strbuf *out, const char *name, const char *value)
{
	at_strbuf_addf(out, " %s=\"", name);
	at_escape_xml(out, value ? value : "");
	at_strbuf_add_char(out, '"');
}

struct counts {
	size_t tests, failures, errors, skipped;
	double seconds;
};

enum result { PASSED, FAILED, BROKEN, SKIPPED };

static enum result result_of(const struct at_night_case *one)
{
	if (one->has_failed || one->search == AT_NIGHT_SEARCH_FAILED)
		return BROKEN;
	switch (one->verdict) {
	case AT_VERDICT_SLOWER:
	case AT_VERDICT_INCORRECT:
		return FAILED;
	case AT_VERDICT_NONE:
	case AT_VERDICT_UNCLEAR:
		return SKIPPED;
	case AT_VERDICT_FIRST:
	case AT_VERDICT_SAME:
	case AT_VERDICT_FASTER:
	case AT_VERDICT_COUNT:
		break;
	}
	return PASSED;
}

static void count(struct counts *self, const struct at_night_case *one)
{
	enum result result = result_of(one);

	self->tests++;
	self->failures += result == FAILED;
	self->errors += result == BROKEN;
	self->skipped += result == SKIPPED;
	self->seconds += one->seconds + one->search_seconds;
}

static void write_counts(struct at_strbuf *out, const struct counts *counts)
{
	at_strbuf_addf(out,
		" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"",
		counts->tests, counts->failures, counts->errors, counts->skipped,
		counts->seconds);
}

/* A test case; text: its output, or NULL. */
static void write_test(struct at_strbuf *out, const char *classname, const char *name,
	double seconds, enum result result, const char *type, const char *message,
	const char *text)
{
	static const char *const elements[] = {
		[FAILED] = "failure", [BROKEN] = "error", [SKIPPED] = "skipped"
	};

	at_strbuf_add(out, "    <testcase");
	attribute(out, "classname", classname);
	attribute(out, "name", name);
	at_strbuf_addf(out, " time=\"%.3f\">\n", seconds);
	if (result != PASSED) {
		at_strbuf_addf(out, "      <%s", elements[result]);
		if (type)
			attribute(out, "type", type);
		attribute(out, "message", message);
		at_strbuf_add(out, "/>\n");
	}
	if (text) {
		at_strbuf_add(out, "      <system-out>");
		at_escape_xml(out, text);
		at_strbuf_add(out, "</system-out>\n");
	}
	at_strbuf_add(out, "    </testcase>\n");
}

static void write_case(const struct at_night_report *self,
	const struct at_night_case *one, struct at_strbuf *out)
{
	enum result result = result_of(one);
	struct at_strbuf line = { 0 }, search = { 0 }, all = { 0 };

	at_night_write_case(self, one, &line);
	at_strbuf_add(&all, line.data);
	if (one->search != AT_NIGHT_SEARCH_NONE) {
		at_night_write_search(self, one, &search);
		at_strbuf_addf(&all, "\n%s", search.data);
	}
	write_test(out, one->space, one->problem, one->seconds + one->search_seconds,
		result,
		result == FAILED   ? at_verdict_name(one->verdict)
		: result == BROKEN ? "failed"
				   : NULL,
		result == BROKEN && !one->has_failed ? search.data : line.data,
		all.data);
	at_strbuf_release(&line);
	at_strbuf_release(&search);
	at_strbuf_release(&all);
}

static void write_suite(
	const struct at_night_report *self, size_t device, struct at_strbuf *out)
{
	const struct at_night_device *one = &self->devices[device];
	struct counts counts = { 0 };

	for (size_t i = 0; i < self->case_count; i++)
		if (self->cases[i].device == device)
			count(&counts, &self->cases[i]);
	at_strbuf_add(out, "  <testsuite");
	attribute(out, "name", one->id);
	write_counts(out, &counts);
	at_strbuf_add(out, ">\n    <properties>\n      <property name=\"model\"");
	attribute(out, "value", one->model);
	at_strbuf_add(out, "/>\n      <property name=\"changes\"");
	attribute(out, "value", one->changes);
	at_strbuf_add(out, "/>\n    </properties>\n");
	for (size_t i = 0; i < self->case_count; i++)
		if (self->cases[i].device == device)
			write_case(self, &self->cases[i], out);
	at_strbuf_add(out, "  </testsuite>\n");
}

/* Failures without a device: unreadable spaces, unknown devices. */
static void write_failures(const struct at_night_report *self, struct at_strbuf *out)
{
	const struct counts counts = { .tests = self->failure_count,
		.errors = self->failure_count };
	char name[24];

	if (!self->failure_count)
		return;
	at_strbuf_add(out, "  <testsuite name=\"autotune\"");
	write_counts(out, &counts);
	at_strbuf_add(out, ">\n");
	for (size_t i = 0; i < self->failure_count; i++) {
		snprintf(name, sizeof(name), "%zu", i + 1);
		write_test(out, "autotune", name, 0, BROKEN, "failed",
			self->failures[i], NULL);
	}
	at_strbuf_add(out, "  </testsuite>\n");
}

void at_night_write_junit(const struct at_night_report *self, struct at_strbuf *out)
{
	struct counts counts = { .tests = self->failure_count,
		.errors = self->failure_count };

	for (size_t i = 0; i < self->case_count; i++)
		count(&counts, &self->cases[i]);
	at_strbuf_add(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"autotune nightly\"");
	write_counts(out, &counts);
	at_strbuf_add(out, ">\n");
	for (size_t i = 0; i < self->device_count; i++)
		write_suite(self, i, out);
	write_failures(self, out);
	at_strbuf_add(out, "</testsuites>\n");
}
