/* autotune check: reads a space and counts its configurations; on request compiles,
   covers and replays it. */
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/words.h"
#include "cli/precheck.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "device/device.h"
#include "evaluator/cases_coverage.h"
#include "evaluator/plan.h"
#include "evaluator/workers/probe.h"
#include "kernel/lint.h"
#include "kernel/units.h"
#include "measure/statistics.h"
#include "record/evaluation_json.h"
#include "session/precheck.h"
#include "session/session.h"
#include "space/domain.h"
#include "space/search_space.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEWEST "newest"

static enum at_status check_architecture(const char *value, struct at_error *err)
{
	struct at_device_info device = { 0 };
	const char *digits = value;
	char meant[16];

	if (!strcmp(value, NEWEST) || at_device_describe(value, &device))
		return AT_OK;
	/* sm90, 90 and compute_90 all mean sm_90. */
	while (*digits && !(*digits >= '0' && *digits <= '9'))
		digits++;
	snprintf(meant, sizeof(meant), "sm_%s", digits);
	if (at_device_describe(meant, &device))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"unknown architecture \"%s\"; did you mean %s?", value, meant);
	return at_fail(err, AT_EINVAL, NULL, 0,
		"unknown architecture \"%s\"; expected one as in sm_90, or " NEWEST,
		value);
}

/* A source of values for device.NAME when nothing is run. */
struct source {
	/* As far as known; the id of an architecture is its name ("sm_90"). */
	struct at_device_info device;
	/* The board whose properties stand in for those that the architecture does not
	   determine; NULL: the source is a device. */
	const char *board;
	bool assumed[AT_PROPERTY_COUNT]; /* by property: taken from the board */
};

struct sources {
	bool found;
	/* Named by the user; else only the first source that fits a problem is used. */
	bool chosen;
	size_t count;
	size_t capacity;
	struct source *items;
	bool noted[AT_PROPERTY_COUNT]; /* note_sources() has reported it */
};

struct check {
	const struct at_cli_arguments *arguments;
	const char *const *ids; /* those of --device */
	size_t id_count;
	bool json;
	bool quiet;
	bool compiles; /* --compile */
	bool compile_failed; /* a configuration does not compile, or the like */
	bool has_no_compiler; /* reported; nothing more is compiled */
	bool replay_failed; /* an outcome was not ok, and was reported */
	/* Found when a space first needs device properties. */
	struct sources sources;
	char architecture[16]; /* of --arch; "": not given */
	struct at_compile_batch *compilers; /* opened on first use */
};

/* A --json line about a space; event NULL: omits the key. */
static struct at_json *line_of(const char *event, const struct at_spec *spec)
{
	struct at_json *out = at_json_object();

	if (event)
		at_json_set(out, "event", event);
	at_json_set(out, "space", spec->name);
	at_json_set(out, "path", spec->path);
	return out;
}

/* ---- sources of device properties ---------------------------------------------- */

static void add_source(struct sources *self, const struct at_device_info *device)
{
	AT_GROW(self->items, self->capacity, self->count + 1);

	self->items[self->count++] = (struct source){ .device = *device };
}

/* Adds the devices of an id: "cuda:all", "cuda:1", "cuda". */
static enum at_status add_named(struct sources *self,
	const struct at_device_listing *listings, size_t count, const char *id,
	struct at_error *err)
{
	const struct at_device_listing *listing = listings, *end = listings + count;
	struct at_device_choice choice;
	enum at_status status = at_device_resolve(id, &choice, err);
	unsigned first, last;

	if (status)
		return status;
	while (listing < end && strcmp(listing->kind, choice.kind->name) != 0)
		listing++;
	first = choice.all ? 0 : choice.index;
	if (listing == end || first >= listing->count)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"there is no device %s here%s%s", id,
			listing < end && listing->reason[0] ? ": " : "",
			listing < end ? listing->reason : "");
	last = choice.all ? listing->count - 1 : choice.index;
	for (unsigned i = first; i <= last; i++)
		add_source(self, &listing->devices[i]);
	return AT_OK;
}

/* Adds every device of this machine, or those of the ids. */
static enum at_status add_devices(struct sources *self, const char *const *ids,
	size_t id_count, struct at_error *err)
{
	struct at_device_listing *listings;
	size_t count;
	enum at_status status = at_probe_list_devices(NULL, &listings, &count, err);

	if (status)
		return status;
	for (size_t i = 0; i < count && !id_count; i++)
		for (unsigned k = 0; k < listings[i].count; k++)
			add_source(self, &listings[i].devices[k]);
	for (size_t i = 0; i < id_count && !status; i++)
		status = add_named(self, listings, count, ids[i], err);
	at_probe_free_devices(listings, count);
	return status;
}

static enum at_status add_architecture(
	struct sources *self, const char *architecture, struct at_error *err)
{
	struct at_device_info device = { 0 };
	const struct at_properties *told = &device.properties;
	struct source *source;

	if (!at_device_describe(architecture, &device))
		return at_fail(err, AT_ENOENT, NULL, 0, "unknown architecture \"%s\"",
			architecture);
	snprintf(device.id, sizeof(device.id), "%s", architecture);
	add_source(self, &device);
	source = &self->items[self->count - 1];
	at_properties_assume_board(
		architecture, &source->device.properties, &source->board);
	for (size_t i = 0; i < AT_PROPERTY_COUNT; i++)
		source->assumed[i] =
			source->device.properties.known[i] && !told->known[i];
	return AT_OK;
}

/* Reports which of the used properties come from a board instead of the architecture:
   one line each, once. */
static void note_sources(struct sources *self, const bool *used)
{
	for (size_t i = 0; i < self->count; i++) {
		const struct source *source = &self->items[i];

		for (size_t k = 0; k < AT_PROPERTY_COUNT; k++) {
			if (!used[k] || !source->assumed[k] || self->noted[k])
				continue;
			at_say("note: device.%s is %lld as on the %s: %s does not tell it",
				at_property_name((enum at_property)k),
				(long long)source->device.properties.value[k],
				source->board, source->device.id);
			self->noted[k] = true;
		}
	}
}

/* ---- --compile: one configuration, a row or JSON ------------------------------- */

/* The least width of the terminal for showing limits. */
#define LIMITS_FROM_COLUMNS 120

/* Whether the kernel spills registers to local memory. */
static bool spills(const struct at_precheck_results *self)
{
	return self->facts.spill_store_bytes > 0 || self->facts.spill_load_bytes > 0;
}

/* 80 columns have no room for limits and a configuration. */
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
	const struct at_page_column columns[] = { { "", 3 }, { "registers", -11 },
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
	const struct at_precheck_results *prechecks)
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
	at_page_text(page, facts->shared_bytes < 0
				   ? "-"
				   : at_format_bytes(facts->shared_bytes).text);
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
	/* without the limits, the configuration gets its own line */
	at_page_text(page, has_limits(page) ? "" : "\n       ");
	/* in full for the baseline, since other configurations show only differences
	   from it */
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

struct range {
	bool any;
	double low;
	double high;
};

/* A space on one source, as one table. */
struct table {
	struct check *check;
	const struct at_spec *spec;
	const struct source *source;
	struct at_strbuf text;
	struct at_page page; /* writes into text */
	struct at_prechecks_table columns;
	uint64_t prechecked;
	uint64_t by_outcome[AT_OUTCOME_COUNT];
	uint64_t spills;
	struct range registers;
	struct range occupancy;
	/* some occupancy is an estimate made without CUDA's own calculation */
	bool inexact;
	struct at_strbuf told; /* reasons of failures, each said once, in lines */
	double *compile_ns; /* of each compiled unit */
	size_t compile_count, compile_capacity;
};

static void widen(struct range *range, double value)
{
	if (!range->any || value < range->low)
		range->low = value;
	if (!range->any || value > range->high)
		range->high = value;
	range->any = true;
}

/* Whether this reason of a failure is new, so that many configurations that fail alike
   take one line. */
static bool is_news(struct table *self, const char *detail)
{
	struct at_strbuf line = { 0 };
	bool is_new;

	at_strbuf_addf(&line, "\n%s\n", detail);
	is_new = !strstr(at_strbuf_text(&self->told), line.data);
	if (is_new)
		at_strbuf_add(&self->told, line.data);
	at_strbuf_release(&line);
	return is_new;
}

static void take_precheck(void *context, const struct at_precheck_results *prechecks)
{
	struct table *self = context;
	struct at_strbuf configuration = { 0 };

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
	if (self->check->json) {
		struct at_json *out = line_of("precheck", self->spec);

		at_json_set(out, "problem", prechecks->problem->name);
		at_json_set(out, "device", self->source->device.id);
		at_json_set(out, "architecture", self->source->device.architecture);
		at_json_set(out, "configuration",
			at_json_configuration(self->spec, prechecks->configuration));
		at_json_set_instance(out, self->spec, prechecks->configuration);
		at_json_set(out, "baseline", prechecks->is_baseline);
		at_json_set_outcome(out, prechecks->outcome, prechecks->detail);
		at_json_set_facts(out, &prechecks->facts);
		at_json_set(out, "exact",
			prechecks->facts.resident_blocks >= 0
				? at_json_boolean(prechecks->exact)
				: at_json_null());
		at_print_json(out);
	} else if (!self->check->quiet) {
		at_prechecks_add_row(&self->page, self->spec, prechecks);
		at_print_folded(&self->text);
	}
	/* outcomes that mean an error in the space; others are only counted */
	if (prechecks->outcome == AT_OUTCOME_COMPILE_FAILED ||
		prechecks->outcome == AT_OUTCOME_LAUNCH_FAILED) {
		self->check->compile_failed = true;
		if (!is_news(self, prechecks->detail))
			return;
		at_configuration_format(
			self->spec, prechecks->configuration, &configuration);
		at_say("autotune: %s: %s (problem %s) %s %s: %s", self->spec->path,
			at_strbuf_text(&configuration), prechecks->problem->name,
			prechecks->outcome == AT_OUTCOME_COMPILE_FAILED
				? "does not compile for"
				: "cannot be launched on",
			self->source->device.id, prechecks->detail);
		at_strbuf_release(&configuration);
	} else if (prechecks->outcome != AT_OUTCOME_OK && prechecks->is_baseline) {
		at_say("autotune: %s: the baseline (problem %s) cannot be launched on %s: %s; give other defaults",
			self->spec->path, prechecks->problem->name,
			self->source->device.id, prechecks->detail);
		self->check->compile_failed = true;
	}
}

/* "14 to 80", or "14" if both ends are equal. */
static void add_range(
	struct at_strbuf *out, const struct range *range, const char *unit)
{
	at_strbuf_addf(out, "%.0f%s", range->low, unit);
	if (rint(range->high) > rint(range->low))
		at_strbuf_addf(out, " to %.0f%s", range->high, unit);
}

/* "21 compiled for sm_90 in 3.1 s (median 250 ms a unit): 0 failed, 2 need too
   much, 1 spills; ..." */
static void print_sum(struct table *self, uint64_t start_ns)
{
	const uint64_t *by = self->by_outcome;
	uint64_t needy = by[AT_OUTCOME_TOO_MANY_RESOURCES];
	uint64_t idle = by[AT_OUTCOME_NOT_APPLICABLE];
	struct at_strbuf out = { 0 };

	at_strbuf_addf(&out, "  %s compiled for %s in %s",
		at_format_count(self->prechecked - idle).text, self->source->device.id,
		at_format_time((double)(at_clock_now_ns() - start_ns)).text);
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

/* Whether the problem is compiled for source `index`: sources are used as in
   counting. */
static bool belongs(
	const struct check *self, const struct at_problem *problem, size_t index)
{
	const struct sources *sources = &self->sources;

	for (size_t i = 0; i < index && !sources->chosen; i++)
		if (at_plan_applies(problem, sources->items[i].device.kind))
			return false;
	return at_cli_wants_problem(self->arguments, problem->name) &&
	       at_plan_applies(problem, sources->items[index].device.kind);
}

static enum at_status open_compilers(struct check *self, struct at_error *err)
{
	if (self->compilers)
		return AT_OK;
	if (!self->quiet)
		at_cli_note_sandbox();
	return at_compile_batch_open(NULL,
		(unsigned)at_cli_whole(self->arguments, "jobs", 0), &self->compilers,
		err);
}

/* Compiles the space's configurations for source `index`. Sets *any if it has problems
   for the source. */
static enum at_status compile_for(struct check *self, const struct at_spec *spec,
	const struct at_template *template, size_t index, bool *any,
	struct at_error *err)
{
	struct table table = {
		.check = self,
		.spec = spec,
		.source = &self->sources.items[index],
		.page = at_page_of_stdout(&table.text),
	};
	const struct at_problem **problems =
		at_calloc(spec->problem_count + 1, sizeof(*problems));
	struct at_precheck_request request = {
		.spec = spec,
		.template = template,
		.device = &table.source->device,
		.problems = problems,
		.random_count = (uint64_t)at_cli_whole(self->arguments, "compile", 0),
		.seed = (uint64_t)at_cli_whole(self->arguments, "seed", 0),
		.listen = take_precheck,
		.context = &table,
	};
	size_t longest = strlen("problem");
	enum at_status status = AT_OK;

	table.page.wide = at_cli_given(self->arguments, "wide");
	for (size_t i = 0; i < spec->problem_count; i++) {
		const struct at_problem *problem = &spec->problems[i];

		if (!belongs(self, problem, index))
			continue;
		problems[request.problem_count++] = problem;
		if (strlen(problem->name) > longest)
			longest = strlen(problem->name);
	}
	if (request.problem_count > 1)
		table.columns.problem_columns = longest;
	if (request.problem_count) {
		bool prints = !self->json && !self->quiet;
		uint64_t start_ns = at_clock_now_ns();
		const char *toolchain, *compiler;

		status =
			at_plan_toolchain(spec, &table.source->device, &toolchain, err);
		if (!status)
			status = at_compile_batch_toolchain(
				self->compilers, toolchain, &compiler, err);
		if (!status && prints) {
			const struct at_device_info *device = &table.source->device;
			struct at_strbuf *out = &table.text;

			at_strbuf_addf(out, "  needed on %s", device->id);
			if (strcmp(device->id, device->architecture) != 0)
				at_strbuf_addf(out, " (%s)", device->architecture);
			at_format_plain(out, ", compiled by ", compiler);
			at_strbuf_add(out,
				"; * is the baseline; spills are bytes stored/loaded\n");
			at_prechecks_add_head(&table.page, &table.columns);
			at_print_folded(out);
		}
		if (!status)
			status = at_precheck_space(self->compilers, &request, err);
		if (!status && prints)
			print_sum(&table, start_ns);
	} else if (self->sources.chosen) {
		status = at_fail(err, AT_EINVAL, spec->path, 0,
			"has no problem for %s among those asked for; add one, or one with on = \"%s\"",
			table.source->device.id, table.source->device.kind);
	}
	*any |= request.problem_count > 0;
	at_strbuf_release(&table.text);
	free(table.compile_ns);
	at_strbuf_release(&table.told);
	free((void *)problems);
	return status;
}

static enum at_status compile_space(struct check *self, const struct at_spec *spec,
	const struct at_template *template, struct at_error *err)
{
	enum at_status status = AT_OK;
	bool any = false;

	if (self->has_no_compiler)
		return AT_OK;
	status = open_compilers(self, err);
	for (size_t i = 0; i < self->sources.count && !status; i++)
		status = compile_for(self, spec, template, i, &any, err);
	if (!status && !any)
		return at_fail(err, AT_EUNAVAILABLE, spec->path, 0,
			"no problem is for a device that is here; give --arch sm_90 or the like");
	self->has_no_compiler = status == AT_EUNAVAILABLE;
	return status;
}

/* ---- --cover ------------------------------------------------------------------- */

enum {
	SECONDS_MOST = 20,
	/* limit of real time, as a multiple: for waits and a busy machine */
	WALL_FACTOR = 5,
	/* values from here to KIND_LARGE, fewer than 64, select a kind of work; other
	   constants are limits, and other tuned values sizes */
	KIND_LEAST = -16,
	KIND_LARGE = 32,
	/* a larger constant is no size to try: cases hold less data */
	RANGE_MOST = 1 << 20,
	/* the default list tries reals down to this fraction, too */
	REAL_PART = 16,
};

static void add_measured(struct at_strbuf *out, const struct at_template *template,
	const struct at_case_coverage *cover)
{
	size_t last = SIZE_MAX;

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

static void print_coverage(const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	const struct at_case_coverage *cover, bool json)
{
	struct at_strbuf out = { 0 };

	if (json) {
		struct at_json *object =
			at_case_coverage_to_json(cover, template, "the baseline");

		at_json_set(object, "event", "coverage");
		at_json_set(object, "space", spec->name);
		at_json_set(object, "path", spec->path);
		at_json_set(object, "problem", problem->name);
		at_print_json(object);
		return;
	}
	at_strbuf_addf(&out, "%s, problem %s, coverage: ", spec->path, problem->name);
	if (cover->reason[0])
		at_strbuf_addf(&out, "not measured: %s\n", cover->reason);
	else
		add_measured(&out, template, cover);
	at_strbuf_add(&out, at_strbuf_text(&cover->notes));
	at_print_folded(&out);
}

/* ---- a domain -------------------------------------------------------------------- */

/* The facts of all problems about a number. */
struct proposal {
	struct proposal *next;
	char *name;
	bool is_real, is_argument;
	/* its values are kinds, and some are constants in comparisons */
	bool is_listed;
	double low, high; /* of the tuned problems */
	int64_t reach; /* the largest constant of a range */
	uint64_t kinds; /* tuned values and constants, a bit each, from KIND_LEAST on */
};

static uint64_t kind_bit(int64_t value)
{
	return value < KIND_LEAST || value > KIND_LARGE
		       ? 0
		       : UINT64_C(1) << (value - KIND_LEAST);
}

/* Adds a problem's facts about a number. */
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
		/* a value unequal to all constants may take another branch */
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

/* Whether the domain lacks the number, or a value of the proposal. */
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

/* Runs the reference and the baseline on the cases of each problem
   (evaluator/cases_coverage.h), and prints the coverage. If a problem cannot be
   measured, the reason is printed, and this is no error. */
static enum at_status cover_space(const struct at_cli_arguments *arguments,
	const struct at_spec *spec, const struct at_template *template,
	struct at_error *err)
{
	const bool json = at_cli_given(arguments, "json");
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
		if (!status)
			print_coverage(spec, template, problem, &cover, json);
		at_case_coverage_release(&cover);
	}
	if (!status) {
		const bool has_domain = spec->domain.line > 0;
		struct at_strbuf lines = { 0 }, out = { 0 };

		for (const struct proposal *one = proposals; one; one = one->next)
			if (is_lacking(&spec->domain, one))
				add_proposal(&lines, one);
		at_strbuf_addf(&out,
			has_domain
				? "the domain lacks these numbers or values; add those that the kernel supports:\n%s"
				: "a domain to start from; remove values that the kernel does not support:\ndomain: {\n%s};\n",
			at_strbuf_text(&lines));
		if (json && lines.length) {
			struct at_json *object = line_of("proposal", spec);

			at_json_set(object, "has_domain", has_domain);
			at_json_set(object, "domain", at_strbuf_text(&lines));
			at_print_json(object);
		} else if (lines.length) {
			at_print(&out);
		}
		at_strbuf_release(&lines);
		at_strbuf_release(&out);
	}
	while (proposals) {
		struct proposal *next = proposals->next;

		free(proposals->name);
		free(proposals);
		proposals = next;
	}
	free(units);
	return status;
}

/* ---- --replay ------------------------------------------------------------------ */

static void take_replay(void *context, const struct at_event *event)
{
	struct check *self = context;
	const struct at_evaluation *evaluation = event->evaluation;
	struct at_strbuf out = { 0 };

	if (event->kind != AT_EVENT_EVALUATION)
		return;
	self->replay_failed |= evaluation->outcome != AT_OUTCOME_OK;
	if (self->json) {
		struct at_json *object = line_of("replay", event->spec);

		at_json_set(object, "problem", event->problem->name);
		at_json_set(object, "device", event->device->id);
		at_json_set_outcome(object, evaluation->outcome, evaluation->detail);
		at_json_set(object, "time_ns", evaluation->time_ns);
		at_print_json(object);
		return;
	}
	at_format_plain(&out, "  replay of ", event->problem->name);
	at_strbuf_addf(&out, " on %s: ", event->device->id);
	if (evaluation->outcome == AT_OUTCOME_OK) {
		at_strbuf_addf(&out, "as expected, %s\n",
			at_format_time(evaluation->time_ns).text);
	} else {
		at_strbuf_addf(&out, "%s: ", at_outcome_text(evaluation->outcome));
		at_format_plain(&out, evaluation->detail);
		at_strbuf_add_char(&out, '\n');
	}
	at_print_folded(&out);
}

/* Evaluates the baseline of each problem on the devices of --device, else on all CUDA
   devices. Nothing is recorded. */
static enum at_status replay_space(
	struct check *self, const struct at_spec *spec, struct at_error *err)
{
	static const char *const usual[] = { "cuda:all" };
	struct at_session_options options = {
		.devices = self->id_count ? self->ids : usual,
		.device_count = self->id_count ? self->id_count : 1,
		/* the baseline alone; a wrong baseline ends the search anyway */
		.budget = "1",
		.sanitize = AT_SANITIZE_NEVER,
		.listen = take_replay,
		.context = self,
	};
	struct at_session_summary summary;
	struct at_scratch results = { 0 };
	struct at_error reason = { 0 };
	enum at_status status = at_scratch_make(&results, "autotune-replay", &reason);

	options.results = results.path;
	at_cli_each(
		self->arguments, "problem", &options.problems, &options.problem_count);
	if (!status)
		status = at_session_run(&spec, 1, &options, &summary, &reason);
	if (status == AT_EUNAVAILABLE)
		at_fail(err, status, NULL, 0, "--replay needs a device: %s",
			reason.text);
	else if (status && err)
		*err = reason;
	free((void *)options.problems);
	at_scratch_remove(&results);
	return status;
}

/* ---- names in expressions ------------------------------------------------------ */

/* The kinds of slots that expressions use. */
struct needs {
	bool sizes; /* sizes of problems */
	bool properties; /* device.NAME */
	bool property[AT_PROPERTY_COUNT]; /* each device.NAME */
};

/* constraints_alone: decides how often the space must be counted. */
static struct needs needs_of(const struct at_spec *spec, bool constraints_alone)
{
	size_t first_property = spec->parameter_count + spec->size_count;
	bool *used = at_calloc(spec->slot_count + 1, sizeof(*used));
	struct needs needs = { 0 };

	if (constraints_alone)
		at_spec_mark_constraints(spec, used);
	else
		memcpy(used, spec->is_read, spec->slot_count * sizeof(*used));
	for (size_t i = spec->parameter_count; i < first_property; i++)
		needs.sizes |= used[i];
	for (size_t i = 0; i < AT_PROPERTY_COUNT; i++) {
		needs.property[i] = used[first_property + i];
		needs.properties |= needs.property[i];
	}
	free(used);
	return needs;
}

/* ---- results of counting ------------------------------------------------------- */

/* One count of a space. problem and source are NULL if the constraints do not depend on
   them. */
struct count {
	const struct at_spec *spec;
	const struct at_problem *problem;
	const struct source *source;
	struct at_enumeration result;
	double seconds; /* duration of counting */
	/* of the domain, if the space declares one: at_domain_count() */
	uint64_t domain_count;
	bool is_domain_exact;
};

/* The width of the largest count in practice, with commas. */
#define COUNT_COLUMN 16

static struct at_json *big_to_json(uint64_t value)
{
	return value <= INT64_MAX ? at_json_integer((int64_t)value)
				  : at_json_real((double)value);
}

static void print_json(const struct count *count)
{
	const struct at_spec *spec = count->spec;
	struct at_json *out = line_of(NULL, spec);
	struct at_json *constraints = at_json_array();

	for (size_t i = 0; i < spec->constraint_count; i++) {
		const struct at_constraint *constraint = &spec->constraints[i];
		struct at_json *item = at_json_object();

		at_json_set(item, "text", at_expression_text(constraint->expression));
		at_json_set(item, "removed", big_to_json(count->result.removed[i]));
		at_json_set(item, "divisions_by_zero",
			big_to_json(count->result.divisions_by_zero[i]));
		at_json_set(item, "line", at_json_integer(constraint->line));
		at_json_append(constraints, item);
	}
	at_json_set(out, "problem", count->problem ? count->problem->name : NULL);
	at_json_set(out, "device", count->source ? count->source->device.id : NULL);
	at_json_set(out, "cartesian", big_to_json(count->result.cartesian));
	at_json_set(out, "valid", big_to_json(count->result.valid));
	at_json_set(out, "seconds", count->seconds);
	at_json_set(out, "constraints", constraints);
	if (spec->domain.line) {
		struct at_json *domain = at_json_object();

		at_json_set(domain, "instances", big_to_json(count->domain_count));
		at_json_set(domain, "exact", count->is_domain_exact);
		at_json_set(domain, "cases", spec->verify.case_count);
		at_json_set(out, "domain", domain);
	}
	at_print_json(out);
}

static struct at_short big(uint64_t value)
{
	return value == UINT64_MAX ? (struct at_short){ "2^64 or more" }
				   : at_format_count(value);
}

/* "domain: 1,800 instances (N 1 .. 900, flag 0 1); a verification draws up to 16" */
static void add_domain(const struct count *count, struct at_strbuf *out)
{
	const struct at_spec *spec = count->spec;

	if (count->domain_count == UINT64_MAX)
		at_strbuf_add(out, "  domain: too many instances to count (");
	else
		at_strbuf_addf(out, "  domain: %s%s instances (",
			count->is_domain_exact ? "" : "at most ",
			at_format_count(count->domain_count).text);
	for (size_t i = 0; i < spec->domain.number_count; i++) {
		const struct at_domain_number *number = &spec->domain.numbers[i];

		at_strbuf_addf(out, "%s%s", i ? ", " : "", number->name);
		for (size_t k = 0; k < number->value_count; k++) {
			at_strbuf_add_char(out, ' ');
			at_value_format(number->values[k], out);
		}
		if (number->value_count)
			continue;
		at_strbuf_add_char(out, ' ');
		at_value_format(number->low, out);
		at_strbuf_add(out, " .. ");
		at_value_format(number->high, out);
	}
	at_strbuf_addf(
		out, "); a verification draws up to %zu\n", spec->verify.case_count);
}

static void print_text(const struct count *count)
{
	const struct at_enumeration *result = &count->result;
	struct at_strbuf out = { 0 };

	at_format_plain(&out, count->spec->path);
	if (count->problem)
		at_format_plain(&out, ", problem ", count->problem->name);
	if (count->source)
		at_strbuf_addf(&out, ", %s", count->source->device.id);
	at_strbuf_addf(&out, "\n  Cartesian size %s, valid size %s",
		big(result->cartesian).text, big(result->valid).text);
	if (result->cartesian != UINT64_MAX)
		at_strbuf_addf(&out, " (%.3g %%)",
			100.0 * (double)result->valid / (double)result->cartesian);
	at_strbuf_addf(
		&out, ", counted in %s\n", at_format_time(count->seconds * 1e9).text);
	if (count->spec->constraint_count)
		at_strbuf_addf(&out, "%*s  constraint\n", COUNT_COLUMN, "removed");
	for (size_t i = 0; i < count->spec->constraint_count; i++) {
		uint64_t divisions = result->divisions_by_zero[i];

		at_strbuf_addf(
			&out, "%*s  ", COUNT_COLUMN, big(result->removed[i]).text);
		at_format_plain(&out,
			at_expression_text(count->spec->constraints[i].expression));
		if (divisions)
			at_strbuf_addf(&out, "  (%s divide%s by zero)",
				big(divisions).text, divisions == 1 ? "s" : "");
		at_strbuf_add_char(&out, '\n');
	}
	if (count->spec->domain.line)
		add_domain(count, &out);
	at_print_folded(&out);
}

/* ---- progress of counting on a terminal ---------------------------------------- */

/* The caller sets begun_ns. */
struct counter {
	const char *path; /* of the space; borrowed */
	uint64_t begun_ns;
	uint64_t drawn_ns; /* the last redraw */
};

/* A shorter wait needs no explanation. */
#define SILENT_NS UINT64_C(1000000000)
#define REDRAW_NS UINT64_C(100000000)

static enum at_status poll_counter(void *context, struct at_error *err)
{
	struct counter *self = context;
	uint64_t now_ns = at_clock_now_ns();

	(void)err;
	if (now_ns - self->begun_ns < SILENT_NS || now_ns - self->drawn_ns < REDRAW_NS)
		return AT_OK;
	self->drawn_ns = now_ns;
	at_output_status("counting %s, %s", self->path,
		at_format_seconds((double)(now_ns - self->begun_ns) * 1e-9).text);
	return AT_OK;
}

/* ---- counting ----------------------------------------------------------------- */

/* Which counts of a space are done. Counting once, or once a device, is enough unless
   the constraints use problem sizes. */
struct progress {
	struct needs constraints;
	bool counted_without_device;
	bool *counted; /* by source */
	bool anything; /* some problem was checked */
};

static enum at_status check_defaults_on(const struct at_spec *spec,
	const struct at_problem *problem, const struct at_problem *base,
	const struct at_device_info *device, struct at_error *err)
{
	struct at_plan plan;
	enum at_status status =
		at_plan_init(&plan, spec, NULL, problem, base, device, "", 0, err);

	if (!status)
		status = at_plan_check(&plan, err);
	at_plan_release(&plan);
	return status;
}

/* Checks the defaults on a problem and on its verification problems. */
static enum at_status check_defaults(const struct at_spec *spec,
	const struct at_problem *problem, const struct source *source,
	struct at_error *err)
{
	static const struct at_device_info unknown;
	const struct at_device_info *device = source ? &source->device : &unknown;
	/* without a source, the problem may still name a kind of device */
	const char *kind = source ? device->kind : problem->on;
	const struct at_verify *verify = &spec->verify;
	enum at_status status = check_defaults_on(spec, problem, NULL, device, err);

	for (size_t i = 0; i < verify->problem_count && !status; i++)
		if (!kind || at_plan_applies(&verify->problems[i], kind))
			status = check_defaults_on(
				spec, &verify->problems[i], problem, device, err);
	return status;
}

/* Checks a problem on a source; source NULL: the space does not use device.NAME. */
static enum at_status check_pair(struct check *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct source *source,
	struct progress *progress, struct at_error *err)
{
	const struct source *counting =
		progress->constraints.properties ? source : NULL;
	bool *counted = counting ? &progress->counted[counting - self->sources.items]
				 : &progress->counted_without_device;
	enum at_status status = AT_OK;

	if (progress->constraints.sizes || !*counted) {
		struct count count = { .spec = spec,
			.problem = progress->constraints.sizes ? problem : NULL,
			.source = counting };
		struct counter counter = { .path = spec->path };
		const struct at_search_space_options options = { .poll = poll_counter,
			.context = &counter };
		struct at_value *slots =
			at_calloc(spec->slot_count + 1, sizeof(*slots));
		struct at_search_space *space = NULL;
		uint64_t start;

		at_spec_bind(spec, problem, NULL,
			counting ? &counting->device.properties : NULL, slots);
		start = at_clock_now_ns();
		counter.begun_ns = start;
		status = at_search_space_new_with(
			spec, slots, &options, &space, &count.result, err);
		if (counter.drawn_ns)
			at_output_status(NULL);
		count.seconds = (double)(at_clock_now_ns() - start) / 1e9;
		if (!status && spec->domain.line)
			status = at_domain_count(spec, problem, &count.domain_count,
				&count.is_domain_exact, err);
		if (!status) {
			if (self->json || !self->quiet)
				(self->json ? print_json : print_text)(&count);
			if (!count.result.valid)
				status = at_enumeration_explain_empty(
					spec, &count.result, slots, err);
		}
		at_enumeration_release(&count.result);
		at_search_space_free(space);
		free(slots);
	}
	*counted = true;
	progress->anything = true;
	/* with --set the defaults may differ from the file's, and say nothing about the
	   file */
	if (!status && !at_cli_given(self->arguments, "set"))
		status =
			check_defaults(at_spec_of(spec, problem), problem, source, err);
	return status;
}

static enum at_status check_problem(struct check *self, const struct at_spec *spec,
	const struct at_problem *problem, bool needs_properties,
	struct progress *progress, struct at_error *err)
{
	enum at_status status = AT_OK;

	if (!needs_properties)
		return check_pair(self, spec, problem, NULL, progress, err);
	for (size_t i = 0; i < self->sources.count && !status; i++) {
		const struct source *source = &self->sources.items[i];

		if (!at_plan_applies(problem, source->device.kind))
			continue;
		status = check_pair(self, spec, problem, source, progress, err);
		if (!self->sources.chosen)
			break;
	}
	return status;
}

static enum at_status need_file(const struct at_spec *spec, const char *path, int line,
	const char *what, struct at_error *err)
{
	struct at_error reason = { 0 };
	uint64_t size;
	enum at_status status = path ? at_file_check(path, &size, &reason) : AT_OK;
	size_t length = strlen(spec->directory);
	const char *given = path;

	/* as in the space file, without the space's folder */
	if (path && length && !strncmp(path, spec->directory, length))
		given += length + strspn(path + length, "/");
	if (status == AT_ENOENT)
		return at_fail(err, status, spec->path, line,
			"%s \"%s\" is not there: %s", what, path,
			strpbrk(given, "{;")
				? "this is the path of a file, and not what is in it"
			: *given == '~'
				? "only a shell knows ~, write the folder's path"
				: "paths count from the folder of the space file");
	return status ? at_fail(err, status, spec->path, line, "%s \"%s\" %s", what,
				path, reason.text)
		      : AT_OK;
}

/* The same for a path with sizes in it; NULL: no file is needed. */
static enum at_status need_file_of(const struct at_spec *spec, const char *path,
	int line, const char *what, const struct at_value *slots, struct at_error *err)
{
	char *file = NULL;
	enum at_status status = AT_OK;

	if (path)
		status = at_spec_file(spec, path, line, slots, &file, err);
	if (!status)
		status = need_file(spec, file, line, what, err);
	free(file);
	return status;
}

/* Checks that the files of the reference and of fills exist for a problem. */
static enum at_status check_files_of(const struct at_spec *spec,
	const struct at_problem *problem, struct at_error *err)
{
	const struct at_reference *reference = &spec->reference;
	struct at_value *slots = at_calloc(spec->slot_count + 1, sizeof(*slots));
	enum at_status status = AT_OK;

	at_spec_bind(spec, problem, NULL, NULL, slots);
	for (size_t i = 0; i < reference->file_count && !status; i++)
		status = need_file_of(spec, reference->files[i].path, reference->line,
			"the reference's file", slots, err);
	for (size_t i = 0; i < spec->argument_count && !status; i++)
		status = need_file_of(spec, spec->arguments[i].fill.file,
			spec->arguments[i].line, "the argument's file", slots, err);
	for (size_t i = 0; i < spec->verify.data_set_count && !status; i++)
		for (size_t k = 0; k < spec->argument_count && !status; k++)
			status = need_file_of(spec,
				spec->verify.data_sets[i].fills[k].file,
				spec->verify.data_sets[i].line,
				"the file of a data set in verify", slots, err);
	free(slots);
	return status;
}

/* Loads the template, and checks that the space's files exist. */
static enum at_status check_named_files(const struct at_cli_arguments *arguments,
	const struct at_spec *spec, struct at_template *template, struct at_error *err)
{
	const struct at_reference *reference = &spec->reference;
	enum at_status status = need_file(
		spec, spec->template_path, spec->kernel_line, "the template", err);

	if (!status)
		status = at_template_load(spec->template_path, template, err);
	if (!status)
		status = at_plan_check_names(spec, template, err);
	if (!status)
		status = need_file(spec, reference->library, reference->line,
			"the library of the reference", err);
	for (size_t i = 0; i < spec->problem_count && !status; i++)
		if (at_cli_wants_problem(arguments, spec->problems[i].name))
			status = check_files_of(spec, &spec->problems[i], err);
	return status;
}

static void warn(void *context, const struct at_error *warning)
{

	(void)context;
	at_say("warning: %s", at_format_error(warning).text);
}

static enum at_status check_spec(
	struct check *self, const struct at_spec *spec, struct at_error *err)
{
	const struct at_cli_arguments *arguments = self->arguments;
	struct needs needs = needs_of(spec, false);
	struct progress progress = { .constraints = needs_of(spec, true) };
	struct at_template template = { 0 };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < spec->remark_count && !self->quiet; i++) {
		struct at_error warning = { 0 };

		at_fail(&warning, AT_EINVAL, spec->path, spec->remarks[i].line, "%s",
			spec->remarks[i].text);
		warn(NULL, &warning);
	}
	if (needs.properties || self->compiles) {
		const char *architecture =
			self->architecture[0] ? self->architecture : NULL;

		/* Finds the sources: the devices of the ids ("cuda:0", "cuda:all"),
		   else the architecture (not NULL), else every device of this machine.
		   Later calls do nothing. */
		if (!self->sources.found) {
			self->sources.chosen = self->id_count > 0 || architecture;
			if (architecture)
				status = add_architecture(
					&self->sources, architecture, err);
			else
				status = add_devices(
					&self->sources, self->ids, self->id_count, err);
			self->sources.found = !status;
		}
	}
	if (!status && !self->quiet)
		note_sources(&self->sources, needs.property);
	progress.counted =
		at_calloc(self->sources.count + 1, sizeof(*progress.counted));
	for (size_t i = 0; i < spec->problem_count && !status; i++)
		if (at_cli_wants_problem(arguments, spec->problems[i].name))
			status = check_problem(self, spec, &spec->problems[i],
				needs.properties, &progress, err);
	if (!status && !progress.anything && self->sources.chosen)
		status = at_fail(err, AT_EUNAVAILABLE, spec->path, 0,
			"no problem asked for is for %s: see \"on\" under problems",
			self->architecture[0] ? self->architecture
					      : "the devices of --device");
	else if (!status && !progress.anything)
		status = at_fail(err, AT_EUNAVAILABLE, spec->path, 0,
			"it uses device.NAME, and no problem is for a device that is here; give --arch sm_90 or the like");
	if (!status &&
		(spec->kernel || self->compiles || at_cli_given(arguments, "cover") ||
			at_cli_given(arguments, "replay")))
		status = at_spec_require_kernel(spec, err);
	if (!status && spec->kernel)
		status = check_named_files(arguments, spec, &template, err);
	if (!status && spec->kernel && !self->quiet)
		status = at_lint_check(spec, &template, warn, NULL, err);
	if (!status && self->compiles)
		status = compile_space(self, spec, &template, err);
	if (!status && at_cli_given(arguments, "cover"))
		status = cover_space(arguments, spec, &template, err);
	if (!status && at_cli_given(arguments, "replay"))
		status = replay_space(self, spec, err);
	at_template_release(&template);
	free(progress.counted);
	return status;
}

static enum at_status check_operand(
	void *context, const char *operand, struct at_error *err)
{
	struct check *self = context;
	struct at_spec *spec = NULL;
	enum at_status status = at_cli_load_space(self->arguments, operand, &spec, err);
	const char *set;

	for (size_t i = 0;
		(set = at_cli_value_at(self->arguments, "set", i)) && !status; i++)
		status = at_spec_restrict(spec, set, err);
	if (!status)
		status = check_spec(self, spec, err);
	at_spec_free(spec);
	return status;
}

static enum at_exit run_check(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	const char *architecture = at_cli_text(arguments, "arch", "");
	enum at_exit code = AT_EXIT_USAGE;
	struct at_device_choice choice;
	struct check self = {
		.arguments = arguments,
		.json = at_cli_given(arguments, "json"),
		.quiet = at_cli_given(arguments, "quiet"),
		.compiles = at_cli_given(arguments, "compile"),
	};
	enum at_status status = AT_OK;

	at_cli_each(arguments, "device", &self.ids, &self.id_count);
	for (size_t i = 0; i < self.id_count && !status; i++)
		status = at_device_resolve(self.ids[i], &choice, err);
	if (!status && self.id_count && *architecture)
		status = at_fail(err, AT_EINVAL, NULL, 0,
			"--device and --arch exclude each other: give one of them");
	/* before the first space, since NVRTC must report its newest architecture */
	snprintf(self.architecture, sizeof(self.architecture), "%s", architecture);
	if (!status && !strcmp(architecture, NEWEST)) {
		status = open_compilers(&self, err);
		if (!status)
			status = at_compile_batch_newest(self.compilers,
				self.architecture, sizeof(self.architecture), err);
		code = AT_EXIT_FAILED;
	}
	/* a wrong space does not prevent checking other spaces */
	if (!status)
		code = at_cli_each_operand(arguments, check_operand, &self);
	if (code == AT_EXIT_DONE && self.compile_failed)
		code = AT_EXIT_FAILED;
	else if (code == AT_EXIT_DONE && self.replay_failed)
		code = AT_EXIT_NO_WINNER;
	at_compile_batch_close(self.compilers);
	free(self.sources.items);
	free((void *)self.ids);
	return code;
}

static const struct at_cli_option options[] = {
	{ "arch", AT_CLI_TEXT, "sm_NN|" NEWEST,
		.help = "take device properties from this architecture, or from the newest that NVRTC and autotune know; no device is needed",
		.check = check_architecture },
	/* this takes hours; more is a typing mistake */
	{ "compile", AT_CLI_WHOLE, "N",
		.help = "compile the baseline and N random configurations, and show what they need of the device; nothing is run",
		.minimum = 0, .maximum = 100000 },
	{ "cover",
		.help = "run the reference and the baseline on this CPU over all cases of a verification; show branches that no case reached, and propose a domain" },
	{ "replay",
		.help = "run the baseline on a CUDA device, or those of --device, and compare its outputs with the expected ones; nothing is recorded" },
	{ .name = NULL },
};

const struct at_cli_command at_command_check = {
	.name = "check",
	.operands = "SPACE...",
	.summary =
		"check a space, count its configurations, show what each constraint removes",
	.details =
		"Nothing is run unless --cover or --replay is given, and nothing is compiled unless one of them or --compile is given. For each constraint it shows how many configurations it removes; a configuration that breaks several constraints counts for the first. If the space file also says how to tune, the template must exist too, and the defaults must satisfy the constraints and give a launch and arguments that make sense.\n"
		"\n"
		"A space that uses device.NAME is counted for each device of --device; else for the architecture of --arch; else for the first device that is found. Properties that an architecture does not determine, such as the number of multiprocessors, are those of a common large board; a note says so.\n"
		"\n"
		"With --compile, the baseline and N random configurations are compiled for that device or architecture. A table shows which resources of a multiprocessor each needs, and how many of its blocks are resident there. The exit code is 1 if one does not compile, or if the baseline cannot be launched.\n"
		"\n"
		"With --cover, the reference and the baseline are compiled for this CPU with counters, and run on the cases on which a winner would be verified. For each problem it shows which branches never ran and which constants no case gave to a number, then a domain to start from. If coverage cannot be measured, because gcc is missing or the reference is a file, a line says so, and the exit code stays 0.\n"
		"\n"
		"With --replay, the baseline runs on a device, and its outputs are compared with the expected ones. For a space of \"autotune capture\" these are the program's own outputs. The exit code is 3 if they differ.\n"
		"\n"
		"Files of strangers can be checked safely without --cover and --replay: nothing of them is run, and nothing is written for them. Compiler options are accepted only if they are known to choose nothing but code and messages. Compilers run in a sandbox: they write into a folder that is removed, and open no connection. --trust lifts both limits.\n"
		"\n"
		"  autotune check spaces/matmul.cfg --arch sm_90 --compile 20",
	.options =
		"device arch problem set compile cover replay jobs seed trust json quiet wide",
	.own = options,
	.run = run_check,
};
