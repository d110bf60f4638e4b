/* Runs the cases of a verification on device `host` and gathers what they reached. */
/* processors that a process may have are Linux's own */
#define _GNU_SOURCE
#include "evaluator/cases_coverage.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/sandbox.h"
#include "base/scratch.h"
#include "evaluator/cases.h"
#include "evaluator/plan.h"
#include "kernel/cxx.h"
#include "kernel/units.h"
#include "space/domain.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	REFERENCE,
	TUNED,
	UNITS,
	NUMBERS_MOST = 64, /* bits of a mask */
	NEXT_MOST = 32, /* a larger constant is a limit, and no kind of work */
	MODULES_MOST = 256, /* that a case loads */
};

/* any will do; as in a verification, other data than the search has */
#define DATA_SEED 20011
#define CASE_SEED 1
/* Without optimisation a case takes some tenths of a second: each is evaluated, on two
   sets of data, and not verified. The part of the time left that a case may take, so
   that kernels that hang on one value of a number leave time for the others. */
#define CASE_PART 0.2
#define DEADLINE_SECONDS 2.0

/* A comparison over all cases. */
struct site {
	uint64_t place;
	int64_t constant;
	uint64_t numbers; /* those whose value it always saw, a bit each */
};

struct run {
	const struct at_case_coverage_options *options;
	const struct at_device_kind *kind;
	struct at_device_info device;
	struct at_case_source source;
	struct at_case_coverage *out;
	struct at_scratch scratch; /* into which images write */
	struct at_error *answer; /* of a case's process, which shares it */
	struct at_compile_request requests[UNITS];
	struct at_compile_result units[UNITS];
	struct at_compile_result support;
	double begun_seconds; /* of processors, that earlier processes took */
	struct at_spec view; /* the spec with the numbers as its domain, at most 64 */
	uint64_t varied; /* numbers that differ from the tuned problem in a case, a bit
			    each */
	size_t row_count, row_capacity;
	struct at_value **rows; /* of a case of the verification, by number */
	size_t site_count, site_capacity;
	struct site *sites;
};

static void say_why(struct run *self, const char *why)
{
	snprintf(self->out->reason, sizeof(self->out->reason), "%s", why);
}

/* The time of processors that ended processes of ours took. */
static double used_seconds(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage))
		return 0;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double seconds_left(const struct run *self)
{
	const uint64_t now_ns = at_clock_now_ns();

	return now_ns >= self->options->end_ns
		       ? 0
		       : self->options->seconds -
				 (used_seconds() - self->begun_seconds);
}

/* ---- units ----------------------------------------------------------------------- */

/* Takes a unit from the folder of units, or compiles it. Sets the reason where it does
   not compile: `what` is its name there. */
static void make_unit(struct run *self, const struct at_compile_request *request,
	const char *what, bool is_covered, struct at_compile_result *out)
{
	char version[AT_TOOLCHAIN_TEXT_SIZE + 4096], line[400], *path = NULL;
	struct at_error reason = { 0 };
	enum at_status status =
		is_covered ? at_cxx_covered_version(version, sizeof(version), &reason)
			   : at_cxx_version(version, sizeof(version), &reason);

	if (!status && self->options->units) {
		const size_t length = strlen(version);

		/* gcov's notes have the names of the files */
		if (is_covered)
			snprintf(version + length, sizeof(version) - length, ", %s/%s",
				request->directory, request->name);
		path = at_unit_path(self->options->units,
			at_toolchain_unit(request->toolchain,
				at_compile_identity(request, version)));
	}
	if (!status && (!path || at_unit_read(path, out, true, NULL))) {
		if (seconds_left(self) <= 0)
			status = at_fail(&reason, AT_EUNAVAILABLE, NULL, 0,
				"there was no time for it");
		else
			status = is_covered
					 ? at_cxx_compile_covered(request, out, &reason)
					 : at_compile(request, out, &reason);
		/* without the file it is compiled again */
		if (!status && path && at_unit_may_be_kept(out))
			(void)at_unit_write(path, out, NULL);
	}
	free(path);
	if (!status && out->outcome != AT_OUTCOME_OK) {
		at_compile_first_error(out->log, line, sizeof(line));
		status = at_fail(&reason, AT_EUNAVAILABLE, NULL, 0,
			"the %s does not compile for host: %s", what, line);
	}
	if (status)
		say_why(self, reason.text);
}

static enum at_status request_unit(struct run *self, struct at_plan *plan, size_t index,
	struct at_compile_request *out, struct at_error *err)
{
	const struct at_case_coverage_options *options = self->options;

	return at_plan_compile(plan,
		index == REFERENCE ? options->spec->defaults : options->configuration,
		index == REFERENCE ? AT_UNIT_REFERENCE : AT_UNIT_TUNED, out, err);
}

static enum at_status compile_all(struct run *self, struct at_error *err)
{
	static const char *const names[UNITS] = { "reference", "kernel" };
	const struct at_case_coverage_options *options = self->options;
	struct at_compile_request support = { 0 };
	struct at_plan plan;
	enum at_status status = at_plan_init(&plan, options->spec, options->template,
		options->problem, NULL, &self->device, "", DATA_SEED, err);

	for (size_t i = 0; i < UNITS && !status && !self->out->reason[0]; i++) {
		struct at_compile_request *request = &self->requests[i];
		char *absolute;

		status = request_unit(self, &plan, i, request, err);
		if (status)
			break;
		/* included files then have a path, which tells them from parts of the
		   dialect (at_coverage_read()) */
		absolute = realpath(
			request->directory[0] ? request->directory : ".", NULL);
		if (absolute) {
			free(request->directory);
			request->directory = absolute;
		}
		make_unit(self, request, names[i], true, &self->units[i]);
	}
	if (!status && !self->out->reason[0]) {
		at_plan_compile_support(&plan, &support);
		make_unit(self, &support, "tuner's own kernels", false, &self->support);
		at_compile_request_release(&support);
	}
	at_plan_release(&plan);
	return status;
}

/* ---- a case, in a child ---------------------------------------------------------- */

/* Modules of the child. Unloading one writes its counts, which must not happen before
   it is known that the case counts. */
static struct {
	void (*unload)(struct at_device *self, struct at_module *module);
	size_t count;
	struct at_module *modules[MODULES_MOST];
} kept;

static void keep_module(struct at_device *device, struct at_module *module)
{
	if (module && kept.count < MODULES_MOST)
		kept.modules[kept.count++] = module;
	else
		kept.unload(device, module);
}

/* Whether the case needs the units that were compiled: options may name sizes. */
static bool has_same_units(struct run *self, struct at_plan *plan)
{
	bool is_same = true;

	for (size_t i = 0; i < UNITS && is_same; i++) {
		struct at_compile_request request = { 0 };

		is_same = !request_unit(self, plan, i, &request, NULL) &&
			  at_hash_equal(at_compile_identity(&request, ""),
				  at_compile_identity(&self->requests[i], ""));
		at_compile_request_release(&request);
	}
	return is_same;
}

/* Evaluates the tuned kernel on the bench; one that the case does not admit is left
   out, as in a verification. */
static enum at_status run_tuned(const struct run *self, struct at_plan *plan,
	struct at_measure_context *context, struct at_error *err)
{
	const struct at_compile_result *tuned = &self->units[TUNED];
	struct at_measure_request request;
	struct at_measure_result result;
	enum at_status status;

	if (!at_plan_admits(plan, self->options->configuration))
		return AT_OK;
	status = at_plan_request(plan, self->options->configuration, &request, err);
	if (status)
		return status;
	request.image = tuned->image;
	request.image_bytes = tuned->image_bytes;
	at_plan_set_symbols(self->options->spec, tuned, &request);
	request.samples_min = request.samples_max = 1;
	request.deadline_seconds = DEADLINE_SECONDS;
	request.seed = DATA_SEED;
	status = at_measure_context_evaluate(context, &request, &result, err);
	if (!status && result.outcome != AT_OUTCOME_OK)
		status = at_fail(err, AT_EINVAL, NULL, 0, "%s", result.detail);
	return status;
}

/*
 * Launches the reference and the tuned kernel. Counts live in the image's variables,
 * which a bench would restore ahead of each launch, so the device does not tell where
 * they are.
 */
static enum at_status run_here(
	struct run *self, const struct at_case *one, struct at_error *err)
{
	const struct at_case_coverage_options *options = self->options;
	const struct at_compile_result *reference = &self->units[REFERENCE];
	const struct at_measure_setup *borrowed;
	struct at_measure_setup setup;
	struct at_device_ops ops;
	struct at_device *device;
	struct at_measure_context *context = NULL;
	struct at_plan plan;
	enum at_status status = self->kind->open(0, &device, err);

	if (status)
		return status;
	ops = *device->ops;
	kept.unload = ops.unload;
	ops.unload = keep_module;
	ops.variables = NULL;
	device->ops = &ops;
	status = at_plan_init(&plan, options->spec, options->template, &one->problem,
		options->problem, &self->device, "", DATA_SEED, err);
	plan.contents = one->contents;
	plan.is_scaled = one->is_scaled;
	if (!status)
		status = at_plan_borrow_setup(&plan, &borrowed, NULL, err);
	if (!status && !has_same_units(self, &plan))
		status = at_fail(
			err, AT_EINVAL, NULL, 0, "it needs other compiler options");
	if (status)
		return status;
	setup = *borrowed;
	setup.support_image = self->support.image;
	setup.support_bytes = self->support.image_bytes;
	setup.reference_image = reference->image;
	setup.reference_bytes = reference->image_bytes;
	setup.reference_call.symbol = reference->kernels[0].symbol;
	setup.float64_symbol = "";
	/* nothing is timed: to flush the cache would take most of a case */
	setup.cache = AT_CACHE_WARM;
	status = at_measure_context_new(device, &setup, NULL, &context, err);
	if (!status)
		status = run_tuned(self, &plan, context, err);
	if (status)
		return status;
	setenv(AT_COVERAGE_FOLDER, self->scratch.path, 1);
	at_measure_context_free(context);
	for (size_t i = 0; i < kept.count; i++)
		kept.unload(device, kept.modules[i]);
	return AT_OK;
}

/* The device has a thread for each processor that it may have when it opens. With one,
   counters are not passed from core to core: in 20 s of a processor all 20 cases of
   matmul's square_128 run, and 15 with two. Best effort. */
static void take_one_processor(void)
{
	const int here = sched_getcpu();
	cpu_set_t one;

	if (here < 0 || here >= CPU_SETSIZE)
		return;
	CPU_ZERO(&one);
	CPU_SET(here, &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

static void end_after(int timer, double seconds)
{
	const struct itimerval once = {
		.it_value = { (time_t)seconds, (suseconds_t)(seconds * 1e6) % 1000000 }
	};

	setitimer(timer, &once, NULL);
}

/* The child, which answers in shared memory. Nothing of the parent's is released or
   flushed. */
static void be_child(struct run *self, const struct at_case *one, double seconds)
{
	static const int defaults[] = { SIGALRM, SIGPROF, SIGINT, SIGTERM };
	const uint64_t now_ns = at_clock_now_ns();
	struct at_error answer = { 0 };
	sigset_t none;

	sigemptyset(&none);
	for (size_t i = 0; i < AT_COUNT_OF(defaults); i++)
		signal(defaults[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* a core file of such an end would tell nothing */
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	end_after(ITIMER_PROF, seconds);
	if (now_ns < self->options->end_ns)
		end_after(ITIMER_REAL, (double)(self->options->end_ns - now_ns) * 1e-9);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* kernels must not end other processes */
	(void)at_sandbox_keep_signals();
	/* images that are unloaded on the way write nothing: only their names count */
	unsetenv(AT_COVERAGE_FOLDER);
	setenv("GCOV_PREFIX_STRIP", "99", 1);
	setenv("GCOV_ERROR_FILE", "/dev/null", 1);
	take_one_processor();
	run_here(self, one, &answer);
	*self->answer = answer;
	_exit(0);
}

/* Runs a case in a child; self->answer says what failed. *is_lost: the child died. */
static enum at_status run_case(struct run *self, const struct at_case *one,
	double seconds, bool *is_lost, struct at_error *err)
{
	struct at_error *answer = self->answer;
	int status = 0;
	pid_t child;

	/* what stays of a child that dies */
	*answer = (struct at_error){ .status = AT_EINVAL };
	child = fork();
	if (child == 0)
		be_child(self, one, seconds);
	if (child < 0)
		return at_fail(err, AT_EIO, NULL, 0, "cannot start a process: %s",
			strerror(errno));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	*is_lost = answer->status && !answer->text[0];
	if (*is_lost && WIFSIGNALED(status) &&
		(WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF))
		snprintf(answer->text, sizeof(answer->text),
			"it takes more than %.1f s of a processor", seconds);
	else if (*is_lost)
		snprintf(answer->text, sizeof(answer->text), "its process died (%s)",
			WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
					    : "it ended itself");
	return AT_OK;
}

/* ---- values and comparisons ------------------------------------------------------ */

/* Whether a case of the verification gave the number this value. */
static bool is_given(const struct run *self, size_t number, int64_t value)
{
	for (size_t i = 0; i < self->row_count; i++)
		if (self->rows[i][number].type != AT_TYPE_REAL &&
			self->rows[i][number].integer == value)
			return true;
	return false;
}

/* Notes what a comparison saw in a case: a site keeps the numbers that it always saw.
 */
static void note_site(
	struct run *self, const struct at_value *values, const struct at_compared *row)
{
	struct site *site = NULL;
	uint64_t numbers = 0;

	for (size_t i = 0; i < self->view.domain.number_count; i++)
		if (row->low == row->high && values[i].type != AT_TYPE_REAL &&
			values[i].integer == row->low)
			numbers |= UINT64_C(1) << i;
	for (size_t i = 0; i < self->site_count && !site; i++)
		if (self->sites[i].place == row->place &&
			self->sites[i].constant == row->constant)
			site = &self->sites[i];
	if (!site) {
		AT_GROW(self->sites, self->site_capacity, self->site_count + 1);
		site = &self->sites[self->site_count++];
		*site = (struct site){ row->place, row->constant, ~UINT64_C(0) };
	}
	site->numbers &= numbers;
}

/* What a problem gives the numbers; heap. They are sizes of the tuned problem and
   constants, which always have values. */
static struct at_value *values_of(
	const struct run *self, const struct at_problem *problem)
{
	struct at_value *values =
		at_calloc(self->view.domain.number_count + 1, sizeof(*values));

	(void)at_domain_values(
		&self->view, problem, self->options->problem, values, NULL);
	return values;
}

/* Takes the values of a case and, if it ran, its comparisons. */
static enum at_status note_case(struct run *self, const struct at_problem *problem,
	bool is_probe, bool has_run, struct at_error *err)
{
	struct at_value *values = values_of(self, problem);
	struct at_compared *compared = NULL;
	size_t count = 0;
	enum at_status status = has_run ? at_coverage_take_compared(self->scratch.path,
						  &compared, &count, err)
					: AT_OK;

	for (size_t i = 0; i < self->view.domain.number_count && has_run && !status;
		i++)
		if (!at_value_equal(values[i], self->out->tuned_values[i]))
			self->varied |= UINT64_C(1) << i;
	for (size_t k = 0; k < count && !status; k++)
		note_site(self, values, &compared[k]);
	free(compared);
	if (status || is_probe) {
		free(values);
		return status;
	}
	AT_GROW(self->rows, self->row_capacity, self->row_count + 1);
	self->rows[self->row_count++] = values;
	return AT_OK;
}

static int by_number(const void *a, const void *b)
{
	const struct at_case_value *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

/* A site of several numbers is about the first: they were equal in all cases. */
static void gather_constants(struct run *self)
{
	struct at_case_coverage *out = self->out;
	size_t count = 0;

	free(out->constants);
	out->constant_count = 0;
	out->constants = at_calloc(self->site_count + 1, sizeof(*out->constants));
	for (size_t i = 0; i < self->site_count; i++) {
		const struct site *site = &self->sites[i];
		const uint64_t numbers = site->numbers & self->varied;
		size_t number = 0;

		if (!numbers)
			continue;
		while (!(numbers >> number & 1))
			number++;
		out->constants[out->constant_count++] = (struct at_case_value){ number,
			site->constant, is_given(self, number, site->constant) };
	}
	if (out->constant_count)
		qsort(out->constants, out->constant_count, sizeof(*out->constants),
			by_number);
	for (size_t i = 0; i < out->constant_count; i++)
		if (!count || by_number(&out->constants[count - 1], &out->constants[i]))
			out->constants[count++] = out->constants[i];
	out->constant_count = count;
}

/* ---- all cases ------------------------------------------------------------------- */

/* is_probe: the verification does not have the case, so that only what it compares
   counts. */
static enum at_status cover_case(struct run *self, const struct at_case *one,
	bool is_probe, struct at_error *err)
{
	struct at_case_coverage *out = self->out;
	const double left = seconds_left(self);
	enum at_status status;
	bool is_lost = false;

	out->case_count += !is_probe;
	if (left <= 0) {
		out->late_count += !is_probe;
		return AT_OK;
	}
	status = run_case(self, one, left * CASE_PART, &is_lost, err);
	if (!status)
		status = note_case(
			self, &one->problem, is_probe, !self->answer->status, err);
	if (status || is_probe)
		return status;
	if (!self->answer->status)
		out->ran_count++;
	else if (one->is_default && !is_lost)
		out->dropped_count++;
	else
		at_strbuf_addf(&out->notes, "  not counted: %s: %s\n",
			one->problem.name, self->answer->text);
	return AT_OK;
}

/* The tuned problem, which may be large, comes last. */
static enum at_status cover_cases(struct run *self, struct at_error *err)
{
	const struct at_spec *spec = self->options->spec;
	struct at_case *cases = NULL, tuned = { .problem = *self->options->problem };
	size_t count = 0;
	enum at_status status =
		at_cases_make(&self->source, CASE_SEED, &cases, &count, err);

	for (size_t i = 0; i < count && !status; i++)
		status = cover_case(self, &cases[i], false, err);
	at_cases_free(cases, count);
	for (size_t i = 0; i < spec->verify.problem_count && !status; i++) {
		const struct at_case one = { .problem = spec->verify.problems[i] };

		if (at_plan_applies(&one.problem, self->device.kind))
			status = cover_case(self, &one, false, err);
	}
	return status ? status : cover_case(self, &tuned, false, err);
}

/* Adds a value to those that are tried, unless a case has it. */
static bool add_tried(struct run *self, size_t number, int64_t value)
{
	struct at_case_coverage *out = self->out;
	bool is_there = is_given(self, number, value);

	for (size_t i = 0; i < out->tried_count && !is_there; i++)
		is_there =
			out->tried[i].number == number && out->tried[i].value == value;
	if (!is_there)
		out->tried[out->tried_count++] =
			(struct at_case_value){ number, value, false };
	return !is_there;
}

/* Finds a value to try: another than the tuned one of a number that had no other in any
   case, a constant that no case gave, or the next above a constant. */
static bool find_tried(struct run *self)
{
	const struct at_case_coverage *cover = self->out;

	for (size_t i = 0; i < self->view.domain.number_count; i++)
		if (!(self->varied >> i & 1) &&
			cover->tuned_values[i].type == AT_TYPE_INTEGER &&
			cover->tuned_values[i].integer < NEXT_MOST &&
			add_tried(self, i, cover->tuned_values[i].integer + 1))
			return true;
	for (int next = 0; next < 2; next++)
		for (size_t i = 0; i < cover->constant_count; i++) {
			const struct at_case_value *one = &cover->constants[i];

			if ((!next || (one->value >= 0 && one->value < NEXT_MOST)) &&
				add_tried(self, one->number, one->value + next))
				return true;
		}
	return false;
}

/* Whether the verification has the cases of values that constants ask for. */
static bool has_values(const struct at_spec *spec)
{
	return !spec->domain.line && spec->verify.derives_problems;
}

/* Values that constants ask for are cases of their own. */
static enum at_status try_values(struct run *self, struct at_error *err)
{
	struct at_case_coverage *out = self->out;
	const struct at_case_coverage_options *options = self->options;
	const bool is_probe = !has_values(options->spec);
	enum at_status status = AT_OK;

	gather_constants(self);
	while (!status && out->tried_count < AT_CASE_VALUES_MOST &&
		(!is_probe || options->proposes) && find_tried(self)) {
		const struct at_case_value *value = &out->tried[out->tried_count - 1];
		struct at_case one;

		at_case_of_value(&self->source,
			out->numbers.numbers[value->number].name, value->value, &one);
		if (one.problem.name)
			status = cover_case(self, &one, is_probe, err);
		if (!status)
			gather_constants(self);
		at_case_release(&one);
	}
	return status;
}

static enum at_status read_units(struct run *self, struct at_error *err)
{
	struct at_coverage *const out[] = { &self->out->reference, &self->out->tuned };
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;

	for (size_t i = 0; i < UNITS && !status; i++)
		status = at_coverage_read(
			self->scratch.path, &self->requests[i], out[i], &reason);
	if (status == AT_EUNAVAILABLE) {
		say_why(self, reason.text);
		return AT_OK;
	}
	if (status)
		return at_fail(err, status, reason.file, 0, "%s", reason.text);
	if (self->out->reference.has_run)
		return AT_OK;
	say_why(self, self->out->late_count ? "there was no time for it"
					    : "no case ran to its end");
	return AT_OK;
}

static void release_run(struct run *self)
{
	for (size_t i = 0; i < UNITS; i++) {
		at_compile_request_release(&self->requests[i]);
		at_compile_result_release(&self->units[i]);
	}
	at_compile_result_release(&self->support);
	at_scratch_remove(&self->scratch);
	if (self->answer)
		munmap(self->answer, sizeof(*self->answer));
	for (size_t i = 0; i < self->row_count; i++)
		free(self->rows[i]);
	free(self->rows);
	free(self->sites);
}

/* Finds the device and the numbers. */
static enum at_status begin(struct run *self, struct at_error *err)
{
	const struct at_case_coverage_options *options = self->options;
	struct at_case_coverage *out = self->out;
	struct at_error reason = { 0 };
	struct at_device *device = NULL;
	enum at_status status = at_device_kind_find("host", &self->kind, err);

	if (status)
		return status;
	if (options->spec->reference.kind != AT_REFERENCE_KERNEL)
		at_fail(&reason, AT_EUNAVAILABLE, NULL, 0,
			"the reference is a library or a file; coverage needs a reference kernel");
	else if (!at_plan_applies(options->problem, "host"))
		at_fail(&reason, AT_EUNAVAILABLE, NULL, 0,
			"the problem is only for %s; coverage needs one for host",
			options->problem->on);
	else if (!at_coverage_check(&reason))
		self->kind->open(0, &device, &reason);
	if (reason.status || !device) {
		say_why(self, reason.text);
		return AT_OK;
	}
	self->device = device->info;
	self->source = (struct at_case_source){ options->spec, options->problem,
		&self->device };
	device->ops->close(device);
	self->answer = mmap(NULL, sizeof(*self->answer), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (self->answer == MAP_FAILED) {
		self->answer = NULL;
		return at_fail_memory(err);
	}
	at_cases_numbers(options->spec, options->problem, &out->numbers);
	self->view = *options->spec;
	self->view.domain = out->numbers;
	out->tuned_values = values_of(self, options->problem);
	if (self->view.domain.number_count > NUMBERS_MOST)
		self->view.domain.number_count = NUMBERS_MOST;
	return at_scratch_make(&self->scratch, "autotune", err);
}

enum at_status at_case_coverage(const struct at_case_coverage_options *options,
	struct at_case_coverage *out, struct at_error *err)
{
	/* counts of cases that the verification does not have come too late */
	const bool has_list = has_values(options->spec);
	enum at_status (*const steps[])(struct run *, struct at_error *) = { begin,
		compile_all, cover_cases, has_list ? try_values : read_units,
		has_list ? read_units : try_values };
	struct run self = {
		.options = options, .out = out, .begun_seconds = used_seconds()
	};
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < AT_COUNT_OF(steps) && !status && !out->reason[0]; i++)
		status = steps[i](&self, err);
	release_run(&self);
	return status;
}

void at_case_coverage_release(struct at_case_coverage *self)
{
	at_coverage_release(&self->reference);
	at_coverage_release(&self->tuned);
	at_strbuf_release(&self->notes);
	at_cases_release_numbers(&self->numbers);
	free(self->tuned_values);
	free(self->constants);
	memset(self, 0, sizeof(*self));
}

/* ---- as JSON --------------------------------------------------------------------- */

static struct at_json *unit_to_json(const struct at_coverage *unit, const char *what,
	const struct at_template *template)
{
	struct at_json *out = at_json_object(), *never = at_json_array();
	struct at_strbuf text = { 0 };

	at_json_set(out, "all", unit->branch_count);
	at_json_set(out, "reached", unit->taken_count);
	for (size_t i = 0; i < unit->line_count; i++) {
		struct at_json *one;

		if (!at_coverage_is_partial(&unit->lines[i]))
			continue;
		one = at_json_object();
		at_json_set(one, "file", unit->lines[i].file);
		at_json_set(one, "line", at_json_integer(unit->lines[i].number));
		at_json_append(never, one);
	}
	at_json_set(out, "never", never);
	at_coverage_write(unit, what, template->text, &text);
	at_json_set(out, "text", at_strbuf_text(&text));
	at_strbuf_release(&text);
	return out;
}

static struct at_json *values_to_json(const struct at_case_coverage *self,
	const struct at_case_value *values, size_t count)
{
	struct at_json *out = at_json_array();

	for (size_t i = 0; i < count; i++) {
		struct at_json *one = at_json_object();

		at_json_set(
			one, "number", self->numbers.numbers[values[i].number].name);
		at_json_set(one, "constant", values[i].value);
		at_json_set(one, "given", values[i].is_given);
		at_json_append(out, one);
	}
	return out;
}

struct at_json *at_case_coverage_to_json(const struct at_case_coverage *self,
	const struct at_template *template, const char *tuned)
{
	const bool is_measured = !self->reason[0];
	struct at_json *out = at_json_object();

	at_json_set(out, "reason",
		is_measured ? at_json_null() : at_json_string(self->reason));
	at_json_set(out, "cases", self->case_count);
	at_json_set(out, "ran", self->ran_count);
	at_json_set(out, "dropped", self->dropped_count);
	at_json_set(out, "late", self->late_count);
	at_json_set(out, "reference",
		is_measured ? unit_to_json(&self->reference, "the reference", template)
			    : at_json_null());
	at_json_set(out, "tuned",
		is_measured ? unit_to_json(&self->tuned, tuned, template)
			    : at_json_null());
	at_json_set(out, "constants",
		values_to_json(self, self->constants, self->constant_count));
	at_json_set(out, "tried", values_to_json(self, self->tried, self->tried_count));
	return out;
}
