/*
 * Writes a night as JUnit XML, which CI systems show, using what the schemas of Jenkins
 * and GitLab have in common.
 */
#include "cli/nightly_report.h"

#include "base/escape.h"

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

static void write_element(
	struct at_strbuf *out, const char *name, const char *type, const char *message)
{
	at_strbuf_addf(out, "      <%s", name);
	if (type)
		attribute(out, "type", type);
	attribute(out, "message", message);
	at_strbuf_add(out, "/>\n");
}

static void write_case(const struct at_night_report *self,
	const struct at_night_case *one, struct at_strbuf *out)
{
	struct at_strbuf line = { 0 }, search = { 0 };
	const char *text;

	at_night_write_case(self, one, &line);
	text = at_strbuf_text(&line);
	if (one->search != AT_NIGHT_SEARCH_NONE)
		at_night_write_search(self, one, &search);
	at_strbuf_add(out, "    <testcase");
	attribute(out, "classname", one->space);
	attribute(out, "name", one->problem);
	at_strbuf_addf(out, " time=\"%.3f\">\n", one->seconds + one->search_seconds);
	switch (result_of(one)) {
	case PASSED:
		break;
	case FAILED:
		write_element(out, "failure", at_verdict_name(one->verdict), text);
		break;
	case BROKEN:
		write_element(out, "error", "failed",
			one->has_failed ? text : at_strbuf_text(&search));
		break;
	case SKIPPED:
		write_element(out, "skipped", NULL, text);
		break;
	}
	at_strbuf_add(out, "      <system-out>");
	at_escape_xml(out, text);
	if (search.length) {
		at_strbuf_add_char(out, '\n');
		at_escape_xml(out, at_strbuf_text(&search));
	}
	at_strbuf_add(out, "</system-out>\n    </testcase>\n");
	at_strbuf_release(&line);
	at_strbuf_release(&search);
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

/* Failures that belong to no device: spaces that cannot be read, devices that do not
   exist. */
static void write_failures(const struct at_night_report *self, struct at_strbuf *out)
{
	const struct counts counts = { .tests = self->failure_count,
		.errors = self->failure_count };

	if (!self->failure_count)
		return;
	at_strbuf_add(out, "  <testsuite name=\"autotune\"");
	write_counts(out, &counts);
	at_strbuf_add(out, ">\n");
	for (size_t i = 0; i < self->failure_count; i++) {
		at_strbuf_addf(out,
			"    <testcase classname=\"autotune\" name=\"%zu\" time=\"0.000\">\n",
			i + 1);
		write_element(out, "error", "failed", self->failures[i]);
		at_strbuf_add(out, "    </testcase>\n");
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
