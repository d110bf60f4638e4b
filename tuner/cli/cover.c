/* Prints the coverage of the cases of a verification: see cover.h. */
#include "cli/cover.h"

#include "cli/format.h"
#include "cli/output.h"

#include "base/file.h"
#include "evaluator/cases_coverage.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	SECONDS_MOST = 20,
	PLACES_SHOWN = 4,
	TEXT_SHOWN = 48, /* characters of a line of source */
	/* values of a number that a domain lists, rather than gives as a range */
	LISTED_MOST = 12,
	/* a larger constant is a limit rather than a value to try, and a whole number
	   from here on is a size rather than a kind */
	LARGE = 32,
	/* a larger constant is no size to try: cases hold less data */
	RANGE_MOST = 1 << 20,
	/* the default list tries reals down to this part, too */
	REAL_PART = 16,
};

const struct at_cli_option at_option_cover = {
	.name = "cover",
	.kind = AT_CLI_FLAG,
	.help = "run the reference and the baseline on this CPU over all cases of a verification; show lines and branches that no case reached, and propose a domain",
};

/* ---- places ---------------------------------------------------------------------- */

struct places {
	const struct at_coverage *coverage;
	unsigned all; /* lines and branches */
	unsigned reached;
	size_t count;
	const struct at_coverage_line **lines; /* those to name */
};

/* A line that never ran is named unless the one ahead of it in the text is: its
   condition says more. */
static enum at_status find_places(
	const struct at_coverage *coverage, struct places *out, struct at_error *err)
{
	bool was_named = false;

	*out = (struct places){ .coverage = coverage };
	out->lines = calloc(coverage->line_count + 1, sizeof(*out->lines));
	if (!out->lines)
		return at_fail_memory(err);
	for (size_t i = 0; i < coverage->line_count; i++) {
		const struct at_coverage_line *line = &coverage->lines[i];
		const bool is_partial = line->taken_count < line->branch_count;

		out->all += 1 + line->branch_count;
		out->reached += line->ran + line->taken_count;
		was_named = was_named && i && line[-1].file == line->file;
		if ((line->ran && is_partial) || (!line->ran && !was_named))
			out->lines[out->count++] = line;
		was_named = !line->ran || is_partial;
	}
	return AT_OK;
}

static const char *short_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* Appends the text of the line without blanks around it; nothing where the file has
   none. */
static void add_source(struct at_strbuf *out, const struct at_template *template,
	const struct at_coverage_line *line)
{
	const char *at = template->text;
	char *text = NULL;
	size_t size, length;

	if (strchr(line->file, '/'))
		at = at_file_read(line->file, 0, &text, &size, NULL) ? "" : text;
	for (int number = 1; at && number < line->number; number++) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (at) {
		at += strspn(at, " \t");
		length = strcspn(at, "\r\n");
		while (length && isspace((unsigned char)at[length - 1]))
			length--;
		at_strbuf_addf(out, "%.*s%s",
			(int)(length < TEXT_SHOWN ? length : TEXT_SHOWN), at,
			length > TEXT_SHOWN ? "..." : "");
	}
	free(text);
}

static enum at_status add_unit(struct at_strbuf *out, const char *what,
	const struct at_template *template, const struct at_coverage *coverage,
	struct at_error *err)
{
	struct places places;
	enum at_status status = find_places(coverage, &places, err);

	if (status)
		return status;
	if (!places.all)
		at_strbuf_addf(out, "  %s: no case admits it\n", what);
	else
		at_strbuf_addf(out, "  %s: %u of %u lines and branches ran%s", what,
			places.reached, places.all, places.count ? "; never:\n" : "\n");
	for (size_t i = 0; i < places.count && i < PLACES_SHOWN; i++) {
		const struct at_coverage_line *line = places.lines[i];

		at_strbuf_addf(
			out, "    %s:%d: ", short_name(line->file), line->number);
		add_source(out, template, line);
		if (line->ran)
			at_strbuf_addf(out, " (%u of %u ways)", line->taken_count,
				line->branch_count);
		at_strbuf_add_char(out, '\n');
	}
	if (places.count > PLACES_SHOWN)
		at_strbuf_addf(out, "    and %zu more\n", places.count - PLACES_SHOWN);
	free(places.lines);
	return AT_OK;
}

/* ---- a problem ------------------------------------------------------------------- */

static void add_constants(struct at_strbuf *out, const struct at_case_coverage *cover)
{
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < cover->constant_count; i++) {
		const struct at_case_constant *one = &cover->constants[i];

		if (one->is_given)
			continue;
		if (one->number == last)
			at_strbuf_addf(out, ", %" PRId64, one->value);
		else
			at_strbuf_addf(out,
				"%s  %s is compared with constants that no case gives it: %" PRId64,
				last == SIZE_MAX ? "" : "\n",
				cover->numbers.numbers[one->number].name, one->value);
		last = one->number;
	}
	if (last != SIZE_MAX)
		at_strbuf_add_char(out, '\n');
}

static void add_notes(struct at_strbuf *out, const char *notes)
{
	for (const char *at = notes; *at;) {
		size_t length = strcspn(at, "\n");

		at_strbuf_addf(out, "  not counted: %.*s\n", (int)length, at);
		at += length + (at[length] == '\n');
	}
}

static enum at_status print_text(const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	const struct at_case_coverage *cover, struct at_error *err)
{
	struct at_strbuf out = { 0 };
	enum at_status status = AT_OK;

	at_strbuf_addf(&out, "%s, problem %s, coverage: ", spec->path, problem->name);
	if (cover->reason[0]) {
		at_strbuf_addf(&out, "not measured: %s\n", cover->reason);
		add_notes(&out, at_strbuf_text(&cover->notes));
	} else {
		at_strbuf_addf(&out, "%zu of %zu cases ran", cover->ran_count,
			cover->case_count);
		if (cover->dropped_count)
			at_strbuf_addf(&out,
				"; on %zu the reference or the baseline fails",
				cover->dropped_count);
		if (cover->late_count)
			at_strbuf_addf(
				&out, "; for %zu there was no time", cover->late_count);
		at_strbuf_add_char(&out, '\n');
		status = add_unit(&out, "reference", template, &cover->reference, err);
		if (!status)
			status = add_unit(
				&out, "baseline", template, &cover->tuned, err);
		add_constants(&out, cover);
		add_notes(&out, at_strbuf_text(&cover->notes));
	}
	if (!status && out.failed)
		status = at_fail_memory(err);
	if (!status)
		at_print_folded(&out);
	at_strbuf_release(&out);
	return status;
}

static struct at_json *unit_to_json(const struct at_coverage *coverage)
{
	struct at_json *out = at_json_object(), *never = at_json_array();
	struct places places;

	if (!find_places(coverage, &places, NULL)) {
		at_json_set(out, "all", at_json_integer(places.all));
		at_json_set(out, "reached", at_json_integer(places.reached));
		for (size_t i = 0; i < places.count; i++) {
			struct at_json *one = at_json_object();

			at_json_set(one, "file", at_json_string(places.lines[i]->file));
			at_json_set(
				one, "line", at_json_integer(places.lines[i]->number));
			at_json_append(never, one);
		}
		free(places.lines);
	}
	at_json_set(out, "never", never);
	return out;
}

static void print_json(const struct at_spec *spec, const struct at_problem *problem,
	const struct at_case_coverage *cover)
{
	struct at_json *out = at_json_object(), *constants = at_json_array();
	const bool is_measured = !cover->reason[0];

	for (size_t i = 0; i < cover->constant_count; i++) {
		const struct at_case_constant *from = &cover->constants[i];
		struct at_json *one = at_json_object();

		at_json_set(one, "number",
			at_json_string(cover->numbers.numbers[from->number].name));
		at_json_set(one, "constant", at_json_integer(from->value));
		at_json_set(one, "given", at_json_boolean(from->is_given));
		at_json_append(constants, one);
	}
	at_json_set(out, "event", at_json_string("coverage"));
	at_json_set(out, "space", at_json_string(spec->name));
	at_json_set(out, "path", at_json_string(spec->path));
	at_json_set(out, "problem", at_json_string(problem->name));
	at_json_set(out, "reason",
		is_measured ? at_json_null() : at_json_string(cover->reason));
	at_json_set(out, "cases", at_json_integer((int64_t)cover->case_count));
	at_json_set(out, "ran", at_json_integer((int64_t)cover->ran_count));
	at_json_set(out, "dropped", at_json_integer((int64_t)cover->dropped_count));
	at_json_set(out, "late", at_json_integer((int64_t)cover->late_count));
	at_json_set(out, "reference",
		is_measured ? unit_to_json(&cover->reference) : at_json_null());
	at_json_set(out, "baseline",
		is_measured ? unit_to_json(&cover->tuned) : at_json_null());
	at_json_set(out, "constants", constants);
	at_print_json(out);
}

/* ---- a domain -------------------------------------------------------------------- */

/* The values of a number in a proposed domain, from all problems. */
struct proposal {
	const char *name; /* borrowed from the first problem's measurement */
	bool is_real, is_argument;
	double low, high; /* reals */
	int64_t least, most; /* whole numbers that problems are tuned for */
	int64_t reach; /* the largest constant of a range */
	bool is_compared;
	size_t value_count;
	int64_t values[LISTED_MOST + 2]; /* ascending, none twice */
};

struct proposals {
	size_t count, capacity;
	struct proposal *items;
	size_t cover_count;
	struct at_case_coverage *covers; /* of each problem */
};

static void add_value(struct proposal *self, int64_t value)
{
	size_t at = 0;

	while (at < self->value_count && self->values[at] < value)
		at++;
	if ((at < self->value_count && self->values[at] == value) ||
		self->value_count == AT_COUNT_OF(self->values))
		return;
	memmove(&self->values[at + 1], &self->values[at],
		(self->value_count - at) * sizeof(*self->values));
	self->values[at] = value;
	self->value_count++;
}

static struct proposal *find_proposal(struct proposals *self, const char *name)
{
	for (size_t i = 0; i < self->count; i++)
		if (!strcmp(self->items[i].name, name))
			return &self->items[i];
	return NULL;
}

static enum at_status add_number(struct proposals *self,
	const struct at_case_coverage *cover, size_t number, struct at_error *err)
{
	const struct at_domain_number *from = &cover->numbers.numbers[number];
	const struct at_value value = cover->tuned_values[number];
	const bool is_real = value.type == AT_TYPE_REAL;
	const double real = is_real ? value.real : (double)value.integer;
	const int64_t whole = is_real ? 0 : value.integer;
	struct proposal *one = find_proposal(self, from->name);

	if (!one) {
		if (AT_RESERVE(self->items, self->capacity, self->count + 1, err))
			return AT_ENOMEM;
		one = &self->items[self->count++];
		*one = (struct proposal){ .name = from->name,
			.is_real = is_real,
			.is_argument = from->argument > 0,
			.low = real,
			.high = real,
			.least = whole,
			.most = whole };
	}
	one->low = real < one->low ? real : one->low;
	one->high = real > one->high ? real : one->high;
	one->least = whole < one->least ? whole : one->least;
	one->most = whole > one->most ? whole : one->most;
	add_value(one, whole);
	for (size_t i = 0; i < cover->constant_count; i++) {
		const struct at_case_constant *seen = &cover->constants[i];

		if (seen->number != number)
			continue;
		if (seen->value > one->reach && seen->value <= RANGE_MOST)
			one->reach = seen->value;
		if (seen->value > LARGE || seen->value < -LARGE)
			continue;
		one->is_compared = true;
		/* the next one: other values than the constants may take another branch
		 */
		add_value(one, seen->value);
		if (i + 1 == cover->constant_count || seen[1].number != number)
			add_value(one, seen->value + 1);
	}
	return AT_OK;
}

static void add_proposal(struct at_strbuf *out, const struct proposal *self)
{
	at_strbuf_addf(out, "  %s = ", self->name);
	if (self->is_real) {
		double low = self->low > 0 ? self->low / REAL_PART : self->low;

		at_strbuf_addf(out, "\"%.6g .. %.6g\";\n", low, self->high);
	} else if (self->is_compared && self->most < LARGE &&
		   self->value_count <= LISTED_MOST) {
		for (size_t i = 0; i < self->value_count; i++)
			at_strbuf_addf(
				out, "%s%" PRId64, i ? ", " : "[ ", self->values[i]);
		at_strbuf_add(out, " ];\n");
	} else {
		const int64_t first = self->is_argument ? 0 : 1;
		const int64_t low = self->least < first ? self->least : first;
		const int64_t high =
			self->most > self->reach ? self->most : self->reach;

		at_strbuf_addf(out,
			low == high ? "[ %" PRId64 " ];\n"
				    : "\"%" PRId64 " .. %" PRId64 "\";\n",
			low, high);
	}
}

static bool is_in_domain(const struct at_domain *domain, const char *name)
{
	for (size_t i = 0; i < domain->number_count; i++)
		if (!strcmp(domain->numbers[i].name, name))
			return true;
	return false;
}

/* Whether the space's domain leaves out a value that the proposal lists. */
static bool lacks_value(const struct at_domain *domain, const struct proposal *one)
{
	for (size_t i = 0; i < domain->number_count; i++) {
		const struct at_domain_number *has = &domain->numbers[i];

		if (strcmp(has->name, one->name) != 0 || has->low.type == AT_TYPE_REAL)
			continue;
		if (one->reach > has->high.integer)
			return true;
		for (size_t k = 0; k < one->value_count && one->is_compared; k++)
			if (one->values[k] < has->low.integer ||
				one->values[k] > has->high.integer)
				return true;
	}
	return false;
}

static enum at_status print_proposals(const struct at_spec *spec,
	const struct proposals *self, bool json, struct at_error *err)
{
	const bool has_domain = spec->domain.line > 0;
	struct at_strbuf lines = { 0 }, out = { 0 };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->count; i++)
		if (!has_domain || !is_in_domain(&spec->domain, self->items[i].name) ||
			lacks_value(&spec->domain, &self->items[i]))
			add_proposal(&lines, &self->items[i]);
	if (!lines.length)
		goto release;
	if (has_domain)
		at_strbuf_addf(&out,
			"the domain lacks these numbers or values; add those that the kernel supports:\n%s",
			at_strbuf_text(&lines));
	else
		at_strbuf_addf(&out,
			"a domain to start from; remove values that the kernel does not support:\ndomain: {\n%s};\n",
			at_strbuf_text(&lines));
	if (lines.failed || out.failed) {
		status = at_fail_memory(err);
	} else if (json) {
		struct at_json *object = at_json_object();

		at_json_set(object, "event", at_json_string("proposal"));
		at_json_set(object, "space", at_json_string(spec->name));
		at_json_set(object, "path", at_json_string(spec->path));
		at_json_set(object, "has_domain", at_json_boolean(has_domain));
		at_json_set(object, "domain", at_json_string(at_strbuf_text(&lines)));
		at_print_json(object);
	} else {
		at_print(&out);
	}
release:
	at_strbuf_release(&lines);
	at_strbuf_release(&out);
	return status;
}

/* ---- a space --------------------------------------------------------------------- */

static enum at_status cover_problem(struct proposals *self, const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	double seconds, struct at_error *err)
{
	struct at_case_coverage *cover = &self->covers[self->cover_count++];
	enum at_status status =
		at_case_coverage(spec, template, problem, seconds, cover, err);

	for (size_t i = 0;
		i < cover->numbers.number_count && !status && !cover->reason[0]; i++)
		status = add_number(self, cover, i, err);
	return status;
}

enum at_status at_cli_cover_space(const struct at_cli_arguments *arguments,
	const struct at_spec *spec, const struct at_template *template,
	struct at_error *err)
{
	const bool json = at_cli_given(arguments, &at_option_json);
	struct proposals proposals = {
		.covers = calloc(spec->problem_count + 1, sizeof(*proposals.covers)),
	};
	size_t left = 0;
	double spent = 0;
	enum at_status status = proposals.covers ? AT_OK : at_fail_memory(err);

	for (size_t i = 0; i < spec->problem_count; i++)
		left += at_cli_wants_problem(arguments, spec->problems[i].name);
	for (size_t i = 0; i < spec->problem_count && !status; i++) {
		const struct at_problem *problem = &spec->problems[i];
		const struct at_case_coverage *cover =
			&proposals.covers[proposals.cover_count];

		if (!at_cli_wants_problem(arguments, problem->name))
			continue;
		status = cover_problem(&proposals, spec, template, problem,
			spent < SECONDS_MOST ? (SECONDS_MOST - spent) / (double)left--
					     : 0,
			err);
		spent += cover->seconds;
		if (!status && json)
			print_json(spec, problem, cover);
		else if (!status)
			status = print_text(spec, template, problem, cover, err);
	}
	if (!status)
		status = print_proposals(spec, &proposals, json, err);
	for (size_t i = 0; i < proposals.cover_count; i++)
		at_case_coverage_release(&proposals.covers[i]);
	free(proposals.covers);
	free(proposals.items);
	return status;
}
