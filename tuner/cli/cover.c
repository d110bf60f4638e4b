/* Prints the coverage of the cases of a verification: see cover.h. */
#include "cli/cover.h"

#include "cli/output.h"

#include "base/clock.h"
#include "base/memory.h"
#include "evaluator/cases_coverage.h"
#include "kernel/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	SECONDS_MOST = 20,
	/* waits and a busy machine may take so many times as long */
	WALL_FACTOR = 5,
	/* kinds of work are numbers from here on, less than 64 of them; other constants
	   are limits, and other tuned values sizes */
	KIND_LEAST = -16,
	KIND_LARGE = 32,
	/* a larger constant is no size to try: cases hold less data */
	RANGE_MOST = 1 << 20,
	/* the default list tries reals down to this part, too */
	REAL_PART = 16,
};

const struct at_cli_option at_option_cover = {
	.name = "cover",
	.kind = AT_CLI_FLAG,
	.help = "run the reference and the baseline on this CPU over all cases of a verification; show branches that no case reached, and propose a domain",
};

/* ---- a problem ------------------------------------------------------------------- */

static void add_constants(struct at_strbuf *out, const struct at_case_coverage *cover)
{
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < cover->constant_count; i++) {
		const struct at_case_value *one = &cover->constants[i];

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

static void add_measured(struct at_strbuf *out, const struct at_template *template,
	const struct at_case_coverage *cover)
{
	at_strbuf_addf(
		out, "%zu of %zu cases ran", cover->ran_count, cover->case_count);
	if (cover->dropped_count)
		at_strbuf_addf(out, "; on %zu the reference or the baseline fails",
			cover->dropped_count);
	if (cover->late_count)
		at_strbuf_addf(out, "; for %zu there was no time", cover->late_count);
	at_strbuf_add(out, "\n  ");
	at_coverage_write(&cover->reference, "the reference", template->text, out);
	at_strbuf_add(out, "\n  ");
	at_coverage_write(&cover->tuned, "the baseline", template->text, out);
	at_strbuf_add_char(out, '\n');
	add_constants(out, cover);
}

static void print_text(const struct at_spec *spec, const struct at_template *template,
	const struct at_problem *problem, const struct at_case_coverage *cover)
{
	struct at_strbuf out = { 0 };

	at_strbuf_addf(&out, "%s, problem %s, coverage: ", spec->path, problem->name);
	if (cover->reason[0])
		at_strbuf_addf(&out, "not measured: %s\n", cover->reason);
	else
		add_measured(&out, template, cover);
	at_strbuf_add(&out, at_strbuf_text(&cover->notes));
	at_print_folded(&out);
}

static void print_json(const struct at_spec *spec, const struct at_template *template,
	const struct at_problem *problem, const struct at_case_coverage *cover)
{
	struct at_json *out = at_case_coverage_to_json(cover, template, "the baseline");

	at_json_set(out, "event", "coverage");
	at_json_set(out, "space", spec->name);
	at_json_set(out, "path", spec->path);
	at_json_set(out, "problem", problem->name);
	at_print_json(out);
}

/* ---- a domain -------------------------------------------------------------------- */

/* What the problems say of a number. */
struct proposal {
	struct proposal *next;
	char *name;
	bool is_real, is_argument;
	bool is_listed; /* its values are kinds, and it is compared with some */
	double low, high; /* of the tuned problems */
	int64_t reach; /* the largest constant of a range */
	uint64_t kinds; /* tuned values and constants, a bit each from KIND_LEAST on */
};

static uint64_t kind_bit(int64_t value)
{
	return value < KIND_LEAST || value > KIND_LARGE
		       ? 0
		       : UINT64_C(1) << (value - KIND_LEAST);
}

/* Adds what a problem says of a number. */
static void add_number(
	struct proposal **link, const struct at_case_coverage *cover, size_t number)
{
	const struct at_domain_number *from = &cover->numbers.numbers[number];
	const struct at_value value = cover->tuned_values[number];
	const bool is_real = value.type == AT_TYPE_REAL;
	const double tuned = is_real ? value.real : (double)value.integer;
	struct proposal *one;

	while (*link && strcmp((*link)->name, from->name) != 0)
		link = &(*link)->next;
	if (!*link) {
		*link = at_calloc(1, sizeof(**link));
		(*link)->name = at_strdup(from->name);
		(*link)->is_real = is_real;
		(*link)->is_argument = from->argument > 0;
		(*link)->low = (*link)->high = tuned;
	}
	one = *link;
	one->low = tuned < one->low ? tuned : one->low;
	one->high = tuned > one->high ? tuned : one->high;
	one->kinds |= is_real ? 0 : kind_bit(value.integer);
	for (size_t i = 0; i < cover->constant_count; i++) {
		const int64_t constant = cover->constants[i].value;

		if (cover->constants[i].number != number)
			continue;
		if (constant > one->reach && constant <= RANGE_MOST)
			one->reach = constant;
		one->is_listed |= kind_bit(constant) != 0;
		one->kinds |= kind_bit(constant);
		/* others than the constants may take another branch */
		if (i + 1 == cover->constant_count ||
			cover->constants[i + 1].number != number)
			one->kinds |= kind_bit(constant) ? kind_bit(constant + 1) : 0;
	}
	one->is_listed =
		one->is_listed && kind_bit((int64_t)one->low) && one->high < KIND_LARGE;
}

static void add_proposal(struct at_strbuf *out, const struct proposal *self)
{
	at_strbuf_addf(out, "  %s = ", self->name);
	if (self->is_real) {
		at_strbuf_addf(out, "\"%.6g .. %.6g\";\n",
			self->low > 0 ? self->low / REAL_PART : self->low, self->high);
	} else if (self->is_listed) {
		const char *separator = "[ ";

		for (int i = 0; i < 64; i++)
			if (self->kinds >> i & 1) {
				at_strbuf_addf(out, "%s%d", separator, KIND_LEAST + i);
				separator = ", ";
			}
		at_strbuf_add(out, " ];\n");
	} else {
		const int64_t first = self->is_argument ? 0 : 1;
		const int64_t low =
			self->low < (double)first ? (int64_t)self->low : first;
		const int64_t high = self->high > (double)self->reach
					     ? (int64_t)self->high
					     : self->reach;

		at_strbuf_addf(out,
			low == high ? "[ %" PRId64 " ];\n"
				    : "\"%" PRId64 " .. %" PRId64 "\";\n",
			low, high);
	}
}

/* Whether the domain leaves out the number, or a value that the proposal has. */
static bool is_lacking(const struct at_domain *domain, const struct proposal *one)
{
	for (size_t i = 0; i < domain->number_count; i++) {
		const struct at_domain_number *has = &domain->numbers[i];

		if (strcmp(has->name, one->name) != 0)
			continue;
		for (int k = 0; k < 64 && has->low.type != AT_TYPE_REAL; k++)
			if (one->is_listed && one->kinds >> k & 1 &&
				(KIND_LEAST + k < has->low.integer ||
					KIND_LEAST + k > has->high.integer))
				return true;
		return has->low.type != AT_TYPE_REAL && one->reach > has->high.integer;
	}
	return true;
}

static void print_proposals(
	const struct at_spec *spec, const struct proposal *first, bool json)
{
	const bool has_domain = spec->domain.line > 0;
	struct at_strbuf lines = { 0 }, out = { 0 };

	for (const struct proposal *one = first; one; one = one->next)
		if (is_lacking(&spec->domain, one))
			add_proposal(&lines, one);
	at_strbuf_addf(&out,
		has_domain
			? "the domain lacks these numbers or values; add those that the kernel supports:\n%s"
			: "a domain to start from; remove values that the kernel does not support:\ndomain: {\n%s};\n",
		at_strbuf_text(&lines));
	if (json && lines.length) {
		struct at_json *object = at_json_object();

		at_json_set(object, "event", "proposal");
		at_json_set(object, "space", spec->name);
		at_json_set(object, "path", spec->path);
		at_json_set(object, "has_domain", has_domain);
		at_json_set(object, "domain", at_strbuf_text(&lines));
		at_print_json(object);
	} else if (lines.length) {
		at_print(&out);
	}
	at_strbuf_release(&lines);
	at_strbuf_release(&out);
}

/* ---- a space --------------------------------------------------------------------- */

enum at_status at_cli_cover_space(const struct at_cli_arguments *arguments,
	const struct at_spec *spec, const struct at_template *template,
	struct at_error *err)
{
	const bool json = at_cli_given(arguments, &at_option_json);
	struct proposal *proposals = NULL;
	char *units = NULL;
	uint64_t limit_bytes;
	size_t count = 0;
	enum at_status status = AT_OK;

	/* without a folder of units all are compiled */
	(void)at_units_folder(&units, &limit_bytes, NULL);
	for (size_t i = 0; i < spec->problem_count; i++)
		count += at_cli_wants_problem(arguments, spec->problems[i].name);
	for (size_t i = 0; i < spec->problem_count && !status; i++) {
		const struct at_problem *problem = &spec->problems[i];
		struct at_case_coverage_options options = { .spec = at_spec_of(
								    spec, problem),
			.template = template,
			.problem = problem,
			.configuration = at_spec_of(spec, problem)->defaults,
			.units = units,
			.proposes = true };
		struct at_case_coverage cover;

		if (!at_cli_wants_problem(arguments, problem->name))
			continue;
		options.seconds = SECONDS_MOST / (double)count;
		options.end_ns = at_clock_now_ns() +
				 (uint64_t)(WALL_FACTOR * options.seconds * 1e9);
		status = at_case_coverage(&options, &cover, err);
		for (size_t k = 0; k < cover.numbers.number_count && !status; k++)
			if (!cover.reason[0])
				add_number(&proposals, &cover, k);
		if (!status && json)
			print_json(spec, template, problem, &cover);
		else if (!status)
			print_text(spec, template, problem, &cover);
		at_case_coverage_release(&cover);
	}
	if (!status)
		print_proposals(spec, proposals, json);
	while (proposals) {
		struct proposal *next = proposals->next;

		free(proposals->name);
		free(proposals);
		proposals = next;
	}
	free(units);
	return status;
}
