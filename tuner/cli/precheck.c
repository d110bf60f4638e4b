/* autotune check --compile: see precheck.h. */
#include "cli/precheck.h"

#include "base/clock.h"
#include "base/memory.h"
#include "cli/configuration.h"
#include "cli/output.h"
#include "evaluator/plan.h"
#include "record/evaluation_json.h"
#include "measure/statistics.h"
#include "session/precheck.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one configuration: a row, or JSON ------------------------------------------ */

/* The terminal's width from which on limits are shown. */
#define LIMITS_FROM_COLUMNS 120

/* Whether the kernel spills registers to local memory. */
static bool spills(const struct at_prechecks *self)
{
	return self->facts.spill_store_bytes > 0 || self->facts.spill_load_bytes > 0;
}

/* An object with "event": "precheck", the caller's; null for what is not known. */
static struct at_json *to_json(const struct at_spec *spec,
	const struct at_property_source *source, const struct at_prechecks *prechecks)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "event", "precheck");
	at_json_set(out, "space", spec->name);
	at_json_set(out, "path", spec->path);
	at_json_set(out, "problem", prechecks->problem->name);
	at_json_set(out, "device", source->device.id);
	at_json_set(out, "architecture", source->device.architecture);
	at_json_set(out, "configuration",
		at_json_configuration(spec, prechecks->configuration));
	at_json_set_instance(out, spec, prechecks->configuration);
	at_json_set(out, "baseline", prechecks->is_baseline);
	at_json_set_outcome(out, prechecks->outcome, prechecks->detail);
	at_json_set_facts(out, &prechecks->facts);
	at_json_set(out, "exact",
		prechecks->facts.resident_blocks >= 0
			? at_json_boolean(prechecks->exact)
			: at_json_null());
	return out;
}

/* A terminal of 80 columns has no room for the limits beside a configuration. */
static bool has_limits(const struct at_page *page)
{
	return page->wide || !page->columns || page->columns >= LIMITS_FROM_COLUMNS;
}

static void add_known(struct at_strbuf *out, int64_t value)
{
	if (value >= 0)
		at_strbuf_add_integer(out, value);
	else
		at_strbuf_add_char(out, '-');
}

void at_prechecks_add_head(struct at_page *page, struct at_prechecks_table *table)
{
	const struct at_column columns[] = { { "", 3 }, { "registers", -11 },
		{ "spills", -11 }, { "shared", -11 }, { "threads", -9 },
		{ "blocks/SM", -11 }, { "occupancy", -11 }, { "", 2 },
		{ has_limits(page) ? "limited by" : NULL, 34 },
		{ table->problem_columns ? "problem" : NULL,
			(int)table->problem_columns + 2 },
		{ has_limits(page) ? "configuration" : "", 0 } };

	static_assert(sizeof(columns) == sizeof(table->columns), "a table's columns");
	memcpy(table->columns, columns, sizeof(columns));
	at_page_head(page, table->columns, AT_COUNT_OF(columns));
}

void at_prechecks_add_row(struct at_page *page, const struct at_spec *spec,
	const struct at_prechecks *prechecks)
{
	const struct at_facts *facts = &prechecks->facts;
	bool known = facts->resident_blocks >= 0;
	struct at_strbuf *out = at_page_cell(page);

	at_strbuf_add(out, prechecks->is_baseline ? "  *" : "");
	add_known(at_page_cell(page), facts->registers);
	at_page_cell(page);
	if (spills(prechecks))
		at_strbuf_addf(out, "%" PRId64 "/%" PRId64, facts->spill_store_bytes,
			facts->spill_load_bytes);
	else
		at_strbuf_add(out, facts->spill_store_bytes == 0 ? "0" : "-");
	at_page_cell(page);
	if (facts->shared_bytes < 0)
		at_strbuf_add_char(out, '-');
	else
		at_strbuf_add(out, at_format_bytes(facts->shared_bytes).text);
	add_known(at_page_cell(page), facts->threads_per_block);
	add_known(at_page_cell(page), facts->resident_blocks);
	at_page_cell(page);
	if (known)
		at_strbuf_addf(out, "%.0f %%", 100 * facts->occupancy);
	else
		at_strbuf_add_char(out, '-');
	at_page_cell(page);
	at_page_text(page, known ? facts->limiting_factor : "-");
	at_format_plain(at_page_cell(page), prechecks->problem->name);
	/* Without the limits, the configuration goes on a line of its own. */
	at_page_text(page, has_limits(page) ? "" : "\n       ");
	/* The baseline is written in full, since the others show only what differs from
	   it. */
	at_configuration_write(out, spec, prechecks->configuration,
		page->wide || prechecks->is_baseline);
	if (prechecks->outcome != AT_OUTCOME_OK) {
		at_strbuf_addf(
			out, "\n       %s: ", at_outcome_text(prechecks->outcome));
		at_format_plain(out, prechecks->detail);
	}
	at_page_row_end(page);
}

/* ---- a space on one source ------------------------------------------------------ */

/* The smallest and the largest value so far. */
struct range {
	bool any;
	double low;
	double high;
};

/* A space on one source, as one table. */
struct table {
	struct at_cli_precheck *owner;
	const struct at_spec *spec;
	const struct at_template *template;
	const struct at_property_source *source;
	const struct at_problem **problems;
	size_t problem_count;
	struct at_strbuf text;
	struct at_page page; /* writes into text */
	struct at_prechecks_table columns;
	uint64_t prechecked;
	uint64_t by_outcome[AT_OUTCOME_COUNT];
	uint64_t spills;
	struct range registers;
	struct range occupancy;
	bool inexact; /* some occupancy is an estimate without CUDA's own calculation */
	uint64_t start_ns;
	double *compile_ns; /* of each unit that was compiled */
	size_t compile_count, compile_capacity;
};

/* ---- what is wrong --------------------------------------------------------------- */

/* Reports the outcomes that mean an error in the space; others are only counted. */
static void say_what_is_wrong(struct table *self, const struct at_prechecks *prechecks)
{
	const char *path = self->spec->path, *label = self->source->device.id;
	const char *problem = prechecks->problem->name;
	struct at_strbuf configuration = { 0 };

	if (prechecks->outcome == AT_OUTCOME_COMPILE_FAILED ||
		prechecks->outcome == AT_OUTCOME_LAUNCH_FAILED) {
		at_configuration_format(
			self->spec, prechecks->configuration, &configuration);
		at_say("autotune: %s: %s (problem %s) %s %s: %s", path,
			at_strbuf_text(&configuration), problem,
			prechecks->outcome == AT_OUTCOME_COMPILE_FAILED
				? "does not compile for"
				: "cannot be launched on",
			label, prechecks->detail);
		at_strbuf_release(&configuration);
	} else if (prechecks->outcome != AT_OUTCOME_OK && prechecks->is_baseline) {
		at_say("autotune: %s: the baseline (problem %s) cannot be launched on %s: %s; give other defaults",
			path, problem, label, prechecks->detail);
	} else {
		return;
	}
	self->owner->failed = true;
}

static void widen(struct range *range, double value)
{
	if (!range->any || value < range->low)
		range->low = value;
	if (!range->any || value > range->high)
		range->high = value;
	range->any = true;
}

static void listen(void *context, const struct at_prechecks *prechecks)
{
	struct table *self = context;

	self->prechecked++;
	self->by_outcome[prechecks->outcome]++;
	self->spills += spills(prechecks);
	if (prechecks->facts.compile_ns >= 0) {
		AT_GROW(self->compile_ns, self->compile_capacity,
			self->compile_count + 1);
		self->compile_ns[self->compile_count++] =
			(double)prechecks->facts.compile_ns;
	}
	if (prechecks->facts.registers >= 0)
		widen(&self->registers, (double)prechecks->facts.registers);
	if (prechecks->outcome == AT_OUTCOME_OK &&
		prechecks->facts.resident_blocks >= 0) {
		widen(&self->occupancy, 100 * prechecks->facts.occupancy);
		self->inexact |= !prechecks->exact;
	}
	if (self->owner->json) {
		at_print_json(to_json(self->spec, self->source, prechecks));
	} else if (!self->owner->quiet) {
		at_prechecks_add_row(&self->page, self->spec, prechecks);
		at_print_folded(&self->text);
	}
	say_what_is_wrong(self, prechecks);
}

/* ---- a table ----------------------------------------------------------------- */

static void print_head(struct table *self, const char *compiler)
{
	const struct at_device_info *device = &self->source->device;
	struct at_strbuf *out = &self->text;

	at_strbuf_addf(out, "  needed on %s", device->id);
	if (strcmp(device->id, device->architecture) != 0)
		at_strbuf_addf(out, " (%s)", device->architecture);
	at_strbuf_add(out, ", compiled by ");
	at_format_plain(out, compiler);
	at_strbuf_add(out, "; * is the baseline; spills are bytes stored/loaded\n");
	at_prechecks_add_head(&self->page, &self->columns);
	at_print_folded(out);
}

/* "14 to 80", or "14" where both ends are the same. */
static void add_range(
	struct at_strbuf *out, const struct range *range, const char *unit)
{
	at_strbuf_addf(out, "%.0f%s", range->low, unit);
	if (rint(range->high) > rint(range->low))
		at_strbuf_addf(out, " to %.0f%s", range->high, unit);
}

/* "21 compiled for sm_90 in 3.1 s (median 250 ms a unit): 0 failed, 2 need too
   much, 1 spills; ..." */
static void print_sum(struct table *self)
{
	const uint64_t *by = self->by_outcome;
	uint64_t needy = by[AT_OUTCOME_TOO_MANY_RESOURCES];
	uint64_t idle = by[AT_OUTCOME_NOT_APPLICABLE];
	struct at_strbuf out = { 0 };

	at_strbuf_addf(&out, "  %s compiled for %s in %s",
		at_format_count(self->prechecked - idle).text, self->source->device.id,
		at_format_time((double)(at_clock_now_ns() - self->start_ns)).text);
	if (self->compile_count)
		at_strbuf_addf(&out, " (median %s a unit)",
			at_format_time(at_statistics_median(
					       self->compile_ns, self->compile_count)
					       .median)
				.text);
	at_strbuf_addf(&out,
		": %" PRIu64 " failed, %" PRIu64 " %s too much, %" PRIu64 " %s",
		by[AT_OUTCOME_COMPILE_FAILED], needy, needy == 1 ? "needs" : "need",
		self->spills, self->spills == 1 ? "spills" : "spill");
	if (by[AT_OUTCOME_LAUNCH_FAILED])
		at_strbuf_addf(&out, ", %" PRIu64 " with other arguments",
			by[AT_OUTCOME_LAUNCH_FAILED]);
	if (idle)
		at_strbuf_addf(&out, ", %" PRIu64 " not applicable", idle);
	if (self->registers.any) {
		at_strbuf_add(&out, "; registers ");
		add_range(&out, &self->registers, "");
	}
	if (self->occupancy.any) {
		at_strbuf_addf(&out, "; occupancy %s", self->inexact ? "at most " : "");
		add_range(&out, &self->occupancy, " %");
	}
	at_strbuf_add_char(&out, '\n');
	at_print_folded(&out);
}

static enum at_status precheck_table(struct table *self, struct at_error *err)
{
	struct at_cli_precheck *owner = self->owner;
	const struct at_precheck_request request = {
		.spec = self->spec,
		.template = self->template,
		.device = &self->source->device,
		.problems = self->problems,
		.problem_count = self->problem_count,
		.random_count = owner->random_count,
		.seed = owner->seed,
		.listen = listen,
		.context = self,
	};
	bool prints = !owner->json && !owner->quiet;
	const char *toolchain, *compiler;
	enum at_status status;

	self->start_ns = at_clock_now_ns();
	status = at_plan_toolchain(self->spec, &self->source->device, &toolchain, err);
	if (!status)
		status = at_compile_batch_toolchain(
			owner->compilers, toolchain, &compiler, err);
	if (status)
		return status;
	if (prints)
		print_head(self, compiler);
	status = at_precheck_space(owner->compilers, &request, err);
	if (!status && prints)
		print_sum(self);
	return status;
}

/* ---- which problems ---------------------------------------------------------- */

/* Whether the problem is compiled for source `index`. */
static bool belongs(const struct at_problem *problem,
	const struct at_property_sources *sources, size_t index)
{
	for (size_t i = 0; i < index && !sources->chosen; i++)
		if (at_plan_applies(problem, sources->items[i].device.kind))
			return false;
	return at_plan_applies(problem, sources->items[index].device.kind);
}

static void collect_problems(
	struct table *self, const struct at_property_sources *sources, size_t index)
{
	const struct at_spec *spec = self->spec;

	self->problem_count = 0;
	self->columns.problem_columns = 0;
	self->page = at_page_of_stdout(&self->text);
	self->page.wide = self->owner->wide;
	for (size_t i = 0; i < spec->problem_count; i++) {
		const struct at_problem *problem = &spec->problems[i];

		if (!at_cli_wants_problem(self->owner->arguments, problem->name) ||
			!belongs(problem, sources, index))
			continue;
		self->problems[self->problem_count++] = problem;
		if (strlen(problem->name) > self->columns.problem_columns)
			self->columns.problem_columns = strlen(problem->name);
	}
	if (self->problem_count < 2)
		self->columns.problem_columns = 0;
	else if (self->columns.problem_columns < strlen("problem"))
		self->columns.problem_columns = strlen("problem");
}

static enum at_status open_compilers(struct at_cli_precheck *self, struct at_error *err)
{
	if (self->compilers)
		return AT_OK;
	if (!self->quiet)
		at_cli_note_sandbox();
	return at_compile_batch_open(NULL, self->jobs, &self->compilers, err);
}

struct at_cli_precheck at_cli_precheck_of(const struct at_cli_arguments *arguments)
{
	return (struct at_cli_precheck){
		.arguments = arguments,
		.wanted = at_cli_given(arguments, "compile"),
		.random_count = (uint64_t)at_cli_whole(arguments, "compile", 0),
		.seed = (uint64_t)at_cli_whole(arguments, "seed", 0),
		.jobs = (unsigned)at_cli_whole(arguments, "jobs", 0),
		.json = at_cli_given(arguments, "json"),
		.quiet = at_cli_given(arguments, "quiet"),
		.wide = at_cli_given(arguments, "wide"),
	};
}

enum at_status at_cli_precheck_newest(
	struct at_cli_precheck *self, char *name, size_t size, struct at_error *err)
{
	enum at_status status = open_compilers(self, err);

	return status ? status
		      : at_compile_batch_newest(self->compilers, name, size, err);
}

enum at_status at_cli_precheck_space(struct at_cli_precheck *self,
	const struct at_spec *spec, const struct at_template *template,
	const struct at_property_sources *sources, struct at_error *err)
{
	const struct at_problem **problems =
		at_calloc(spec->problem_count + 1, sizeof(*problems));
	enum at_status status = AT_OK;
	bool anything = false;

	if (!self->unavailable)
		status = open_compilers(self, err);
	for (size_t i = 0; i < sources->count && !status && !self->unavailable; i++) {
		struct table table = {
			.owner = self,
			.spec = spec,
			.template = template,
			.source = &sources->items[i],
			.problems = problems,
		};

		collect_problems(&table, sources, i);
		if (table.problem_count)
			status = precheck_table(&table, err);
		else if (sources->chosen)
			status = at_fail(err, AT_EINVAL, spec->path, 0,
				"has no problem for %s among those asked for; add one, or one with on = \"%s\"",
				table.source->device.id, table.source->device.kind);
		anything |= table.problem_count > 0;
		at_strbuf_release(&table.text);
		free(table.compile_ns);
	}
	if (!status && !anything && !self->unavailable)
		status = at_fail(err, AT_EUNAVAILABLE, spec->path, 0,
			"no problem is for a device that is here; give --arch sm_90 or the like");
	else if (status == AT_EUNAVAILABLE)
		self->unavailable = true;
	free(problems);
	return status;
}

void at_cli_precheck_release(struct at_cli_precheck *self)
{
	at_compile_batch_close(self->compilers);
	self->compilers = NULL;
}
