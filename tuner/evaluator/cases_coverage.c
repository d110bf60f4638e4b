/* Runs the cases of a verification on device `host` and gathers what they reached. */
/* processors that a process may have are Linux's own */
#define _GNU_SOURCE
#include "evaluator/cases_coverage.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/sandbox.h"
#include "base/scratch.h"
#include "evaluator/cases.h"
#include "evaluator/plan.h"
#include "kernel/cxx.h"
#include "space/domain.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	REFERENCE,
	TUNED,
	UNITS,
	NUMBERS_MOST = 64, /* bits of a mask */
	COUNTS_LIMIT_BYTES = 64 << 20,
	PROBES_MOST = 12,
	PROBED_MOST = 32, /* a larger constant is a limit, and no kind of work */
};

/* any will do; as in a verification, other data than the search has */
#define DATA_SEED 20011
#define CASE_SEED 1
/* Without optimisation a case takes some tenths of a second: each is evaluated, on two
   sets of data, and not verified. */
#define CASE_SECONDS 4
/* Limits are of processors' time, so that a busy machine has the same cases run. A case
   that only waits, and all cases together, end after so many times as long. */
#define WALL_FACTOR 5
#define DEADLINE_SECONDS 2.0

/* An instrumented unit, and what its runs have counted so far. */
struct unit {
	char *folder;
	char *counts; /* the path of its file of counts */
	struct at_compile_request request;
	struct at_compile_result compiled;
	char *kept; /* the bytes of that file after the last case that counts */
	size_t kept_bytes;
};

/* A comparison over all cases. */
struct site {
	size_t unit;
	uint64_t place;
	int64_t constant;
	uint64_t numbers; /* those whose value it always saw, a bit each */
};

struct run {
	const struct at_spec *spec;
	const struct at_template *template;
	const struct at_problem *tuned;
	const struct at_device_kind *kind;
	struct at_device_info device;
	struct at_case_coverage *out;
	struct at_scratch scratch;
	struct unit units[UNITS];
	struct at_compile_result support;
	double seconds; /* of processors, for all */
	double begun_seconds; /* that earlier processes took */
	uint64_t end_ns; /* on the wall's clock */
	struct at_spec view; /* the spec with the numbers as its domain */
	struct at_value *values; /* of the numbers in a case */
	uint64_t varied; /* numbers that differ from the tuned problem in a case */
	size_t site_count, site_capacity;
	struct site *sites;
	unsigned slow_count; /* cases that took too long */
	size_t given_count, given_capacity;
	struct at_case_constant *given; /* values that cases gave */
};

/* The result of a case; the child sends it through a pipe. */
enum fate {
	FATE_NONE = 0, /* the child died */
	FATE_RAN,
	FATE_UNFIT, /* the space cannot be evaluated for it */
	FATE_WRONG, /* the reference or the baseline failed */
};

struct answer {
	enum fate fate;
	bool is_slow; /* and was ended */
	char text[sizeof(((struct at_error *)NULL)->text)];
};

/* ---- units ----------------------------------------------------------------------- */

static enum at_status say_why(struct run *self, const char *format, const char *what)
{
	if (!self->out->reason[0])
		snprintf(self->out->reason, sizeof(self->out->reason), format, what);
	return AT_OK;
}

/* Included files then have a path, which tells them from parts of the dialect
   (at_coverage_read()). */
static void make_directory_absolute(struct at_compile_request *request)
{
	const bool has_one = request->directory && request->directory[0];
	char *absolute = realpath(has_one ? request->directory : ".", NULL);

	if (!absolute)
		return;
	free(request->directory);
	request->directory = absolute;
}

/* Compiles one unit for coverage; sets the reason where it does not compile. */
static enum at_status compile_unit(struct run *self, struct at_plan *plan, size_t index,
	const char *name, struct at_error *err)
{
	struct unit *unit = &self->units[index];
	struct at_error reason = { 0 };
	char line[400];
	enum at_status status = at_plan_compile(plan, self->spec->defaults,
		index == REFERENCE ? AT_UNIT_REFERENCE : AT_UNIT_TUNED, &unit->request,
		err);

	if (status)
		return status;
	make_directory_absolute(&unit->request);
	unit->folder = at_path_join(self->scratch.path, name);
	unit->counts = unit->folder ? at_path_join(unit->folder, AT_COUNTS_NAME) : NULL;
	if (!unit->counts)
		return at_fail_memory(err);
	if (mkdir(unit->folder, 0700))
		return at_fail(err, AT_EIO, unit->folder, 0,
			"cannot make this folder: %s; set TMPDIR", strerror(errno));
	status = at_cxx_compile_covered(
		&unit->request, unit->folder, &unit->compiled, &reason);
	if (status == AT_ENOMEM)
		return at_fail_memory(err);
	if (status)
		return say_why(self, "%s", reason.text);
	if (unit->compiled.outcome == AT_OUTCOME_OK)
		return AT_OK;
	at_compile_first_error(unit->compiled.log, line, sizeof(line));
	return say_why(self,
		index == REFERENCE ? "the reference does not compile for host: %s"
				   : "the baseline does not compile for host: %s",
		line);
}

static enum at_status compile_all(struct run *self, struct at_error *err)
{
	struct at_compile_request request = { 0 };
	struct at_plan plan;
	enum at_status status = at_plan_init(&plan, self->spec, self->template,
		self->tuned, NULL, &self->device, "", DATA_SEED, err);

	if (!status)
		status = compile_unit(self, &plan, REFERENCE, "reference", err);
	if (!status && !self->out->reason[0])
		status = compile_unit(self, &plan, TUNED, "tuned", err);
	if (!status && !self->out->reason[0]) {
		status = at_plan_compile_support(&plan, &request, err);
		if (!status)
			status = at_cxx_compile(&request, &self->support, err);
		at_compile_request_release(&request);
		if (!status && self->support.outcome != AT_OUTCOME_OK)
			say_why(self, "%s",
				"the tuner's own kernels do not compile for host; see autotune devices");
	}
	at_plan_release(&plan);
	return status;
}

/* ---- a case, in a child ---------------------------------------------------------- */

static void set_symbol(struct at_measure_call *call, const struct at_spec *spec,
	enum at_plan_role role, const struct at_compile_result *compiled)
{
	const struct at_kernel_facts *facts = at_plan_find_kernel(spec, role, compiled);

	call->symbol = facts ? facts->symbol : "";
}

static enum fate tell(struct answer *out, enum fate fate, const char *text)
{
	snprintf(out->text, sizeof(out->text), "%s", text);
	return out->fate = fate;
}

/* Whether the case needs the units that were compiled: options may name sizes. */
static bool has_same_units(const struct run *self, struct at_plan *plan)
{
	bool is_same = true;

	for (size_t i = 0; i < UNITS && is_same; i++) {
		struct at_compile_request request = { 0 };

		is_same = !at_plan_compile(plan, self->spec->defaults,
				  i == REFERENCE ? AT_UNIT_REFERENCE : AT_UNIT_TUNED,
				  &request, NULL) &&
			  at_hash_equal(at_compile_identity(&request, ""),
				  at_compile_identity(&self->units[i].request, ""));
		at_compile_request_release(&request);
	}
	return is_same;
}

/* Evaluates the baseline on the bench; a baseline that the case does not admit is left
   out, as in a verification. */
static enum fate run_baseline(const struct run *self, struct at_plan *plan,
	struct at_bench *bench, struct answer *out)
{
	const struct at_compile_result *tuned = &self->units[TUNED].compiled;
	struct at_measure_request request;
	struct at_measure_result result;
	struct at_error err = { 0 };

	if (!at_plan_admits(plan, self->spec->defaults))
		return tell(out, FATE_RAN, "");
	if (at_plan_request(plan, self->spec->defaults, &request, &err))
		return tell(out, FATE_UNFIT, err.text);
	request.image = tuned->image;
	request.image_bytes = tuned->image_bytes;
	set_symbol(&request.kernel, self->spec, AT_PLAN_KERNEL, tuned);
	set_symbol(&request.prepare, self->spec, AT_PLAN_PREPARE, tuned);
	set_symbol(&request.finish, self->spec, AT_PLAN_FINISH, tuned);
	request.samples_min = request.samples_max = 1;
	request.is_baseline = true;
	request.deadline_seconds = DEADLINE_SECONDS;
	request.seed = DATA_SEED;
	if (at_bench_evaluate(bench, &request, &result, &err))
		return tell(out, FATE_UNFIT, err.text);
	if (result.outcome != AT_OUTCOME_OK)
		return tell(out, FATE_WRONG, result.detail);
	return tell(out, FATE_RAN, "");
}

/*
 * Launches the reference and the baseline. Counts live in the image's variables, which
 * a bench would restore ahead of each launch, so the device does not tell where they
 * are. Unloading, at the end, writes them; after a failure nothing is unloaded.
 */
static enum fate run_here(
	const struct run *self, const struct at_case *one, struct answer *out)
{
	const struct at_compile_result *reference = &self->units[REFERENCE].compiled;
	const struct at_measure_setup *borrowed;
	struct at_measure_setup setup;
	struct at_device_ops ops;
	struct at_device *device;
	struct at_bench *bench = NULL;
	struct at_error err = { 0 };
	struct at_plan plan;

	if (self->kind->open(0, &device, &err))
		return tell(out, FATE_UNFIT, err.text);
	ops = *device->ops;
	ops.variables = NULL;
	device->ops = &ops;
	if (at_plan_init(&plan, self->spec, self->template,
		    one ? &one->problem : self->tuned, self->tuned, &self->device, "",
		    DATA_SEED, &err))
		return tell(out, FATE_UNFIT, err.text);
	plan.contents = one ? one->contents : 0;
	plan.is_scaled = one && one->is_scaled;
	if (at_plan_borrow_setup(&plan, &borrowed, NULL, &err))
		return tell(out, FATE_UNFIT, err.text);
	if (!has_same_units(self, &plan))
		return tell(out, FATE_UNFIT, "it needs other compiler options");
	setup = *borrowed;
	setup.support_image = self->support.image;
	setup.support_bytes = self->support.image_bytes;
	setup.reference_image = reference->image;
	setup.reference_bytes = reference->image_bytes;
	setup.reference_call.symbol = reference->kernels[0].symbol;
	setup.wide_symbol = "";
	if (at_bench_new(device, &setup, NULL, &bench, &err))
		return tell(out, FATE_WRONG, err.text);
	if (run_baseline(self, &plan, bench, out) == FATE_RAN)
		at_bench_free(bench);
	return out->fate;
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

/* The child: nothing of the parent's is released or flushed. */
static void be_child(const struct run *self, const struct at_case *one, int pipe_end,
	unsigned seconds)
{
	struct answer answer = { 0 };
	sigset_t none;

	sigemptyset(&none);
	signal(SIGALRM, SIG_DFL);
	signal(SIGXCPU, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* a core file of such an end would tell nothing */
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	setrlimit(RLIMIT_CPU, &(struct rlimit){ seconds, seconds + 1 });
	alarm(seconds * WALL_FACTOR);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* kernels must not end other processes */
	(void)at_sandbox_keep_signals();
	take_one_processor();
	run_here(self, one, &answer);
	(void)!write(pipe_end, &answer, sizeof(answer));
	_exit(0);
}

/* Runs a case in a child, and fills in *out with its result. */
static enum at_status run_case(const struct run *self, const struct at_case *one,
	unsigned seconds, struct answer *out, struct at_error *err)
{
	int ends[2], status = 0;
	pid_t child;
	ssize_t got;

	memset(out, 0, sizeof(*out));
	if (pipe(ends))
		return at_fail(err, AT_EIO, NULL, 0, "cannot open a pipe: %s",
			strerror(errno));
	child = fork();
	if (child == 0)
		be_child(self, one, ends[1], seconds);
	close(ends[1]);
	do
		got = child < 0 ? 0 : read(ends[0], out, sizeof(*out));
	while (got < 0 && errno == EINTR);
	close(ends[0]);
	if (child < 0)
		return at_fail(err, AT_EIO, NULL, 0, "cannot start a process: %s",
			strerror(errno));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (got == (ssize_t)sizeof(*out))
		return AT_OK;
	out->fate = FATE_NONE;
	out->is_slow = WIFSIGNALED(status) &&
		       (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU);
	if (out->is_slow)
		snprintf(out->text, sizeof(out->text),
			"it takes more than %u s of a processor", seconds);
	else
		snprintf(out->text, sizeof(out->text), "its process died (%s)",
			WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
					    : "it ended itself");
	return AT_OK;
}

/* ---- values and comparisons ------------------------------------------------------ */

/* After a case that counts: these are the counts to return to. */
static enum at_status keep_counts(struct run *self, struct at_error *err)
{
	for (size_t i = 0; i < UNITS; i++) {
		struct unit *unit = &self->units[i];
		enum at_status status;

		free(unit->kept);
		unit->kept = NULL;
		if (!at_file_exists(unit->counts))
			continue;
		status = at_file_read_plain(unit->counts, COUNTS_LIMIT_BYTES,
			&unit->kept, &unit->kept_bytes, err);
		if (status)
			return status;
	}
	return AT_OK;
}

/* A case that does not count: modules that were unloaded on its way have written. */
static enum at_status restore_counts(struct run *self, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < UNITS && !status; i++) {
		struct unit *unit = &self->units[i];

		if (unit->kept)
			status = at_file_replace(
				unit->counts, unit->kept, unit->kept_bytes, err);
		else
			unlink(unit->counts);
	}
	return status;
}

static enum at_status add_site(struct run *self, size_t unit,
	const struct at_compared *row, uint64_t numbers, struct at_error *err)
{
	struct site *site = NULL;

	for (size_t i = 0; i < self->site_count && !site; i++)
		if (self->sites[i].unit == unit && self->sites[i].place == row->place &&
			self->sites[i].constant == row->constant)
			site = &self->sites[i];
	if (!site) {
		if (AT_RESERVE(self->sites, self->site_capacity, self->site_count + 1,
			    err))
			return AT_ENOMEM;
		site = &self->sites[self->site_count++];
		*site = (struct site){ unit, row->place, row->constant, ~UINT64_C(0) };
	}
	site->numbers &= numbers;
	return AT_OK;
}

/* Which numbers have this value in the case. */
static uint64_t find_numbers(const struct run *self, int64_t value)
{
	uint64_t numbers = 0;

	for (size_t i = 0; i < self->view.domain.number_count && i < NUMBERS_MOST; i++)
		if (self->values[i].type != AT_TYPE_REAL &&
			self->values[i].integer == value)
			numbers |= UINT64_C(1) << i;
	return numbers;
}

/* is_probe: the verification does not have the case, so it gives nothing. */
static enum at_status note_given(struct run *self, bool is_probe, struct at_error *err)
{
	for (size_t i = 0; i < self->view.domain.number_count && i < NUMBERS_MOST;
		i++) {
		if (!at_value_equal(self->values[i], self->out->tuned_values[i]))
			self->varied |= UINT64_C(1) << i;
		if (is_probe || self->values[i].type == AT_TYPE_REAL)
			continue;
		if (AT_RESERVE(self->given, self->given_capacity, self->given_count + 1,
			    err))
			return AT_ENOMEM;
		self->given[self->given_count++] =
			(struct at_case_constant){ .number = i,
				.value = self->values[i].integer };
	}
	return AT_OK;
}

/* Reads the comparisons of a case. */
static enum at_status note_compared(struct run *self, const struct at_problem *problem,
	bool is_probe, struct at_error *err)
{
	enum at_status status =
		at_domain_values(&self->view, problem, self->tuned, self->values, err);

	if (!status)
		status = note_given(self, is_probe, err);
	for (size_t i = 0; i < UNITS && !status; i++) {
		struct at_compared *rows;
		size_t count;

		status = at_coverage_read_compared(
			self->units[i].folder, &rows, &count, err);
		for (size_t k = 0; k < count && !status; k++)
			status = add_site(self, i, &rows[k],
				rows[k].low == rows[k].high
					? find_numbers(self, rows[k].low)
					: 0,
				err);
		free(rows);
	}
	return status;
}

static void remove_compared(struct run *self)
{
	for (size_t i = 0; i < UNITS; i++) {
		char *path = at_path_join(self->units[i].folder, AT_COMPARED_NAME);

		if (path)
			unlink(path);
		free(path);
	}
}

/* ---- all cases ------------------------------------------------------------------- */

/* The time of processors that ended processes of ours took. */
static double used_seconds(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage))
		return 0;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static unsigned seconds_left(const struct run *self)
{
	const double left = self->seconds - (used_seconds() - self->begun_seconds);

	return left <= 0 || at_clock_now_ns() >= self->end_ns ? 0 : 1 + (unsigned)left;
}

/* How long a case may take: less after some that took too long, so that kernels that
   hang on one value of a number leave time for the others. */
static unsigned seconds_of_case(const struct run *self)
{
	const unsigned left = seconds_left(self);
	const unsigned most =
		CASE_SECONDS >> (self->slow_count < 2 ? self->slow_count : 2);

	return left < most ? left : most;
}

/* one: NULL for the tuned problem. */
static enum at_status cover_case(
	struct run *self, const struct at_case *one, struct at_error *err)
{
	struct at_case_coverage *out = self->out;
	const bool is_default = one && one->is_default;
	const unsigned seconds = seconds_of_case(self);
	struct answer answer;
	enum at_status status;

	out->case_count++;
	if (!seconds) {
		out->late_count++;
		return AT_OK;
	}
	status = run_case(self, one, seconds, &answer, err);
	if (status)
		return status;
	self->slow_count += answer.is_slow;
	if (answer.fate == FATE_RAN) {
		out->ran_count++;
		status = note_compared(
			self, one ? &one->problem : self->tuned, false, err);
		if (!status)
			status = keep_counts(self, err);
	} else {
		status = restore_counts(self, err);
	}
	remove_compared(self);
	if (answer.fate == FATE_RAN)
		return status;
	if (is_default && answer.fate != FATE_NONE)
		out->dropped_count++;
	else
		at_strbuf_addf(&out->notes, "%s: %s\n",
			one ? one->problem.name : "the tuned problem", answer.text);
	return status;
}

static enum at_status cover_cases(struct run *self, struct at_error *err)
{
	const struct at_verify *verify = &self->spec->verify;
	struct at_case *cases = NULL;
	size_t count = 0;
	enum at_status status = at_cases_make(
		self->spec, self->tuned, &self->device, CASE_SEED, &cases, &count, err);

	if (!status)
		status = cover_case(self, NULL, err);
	for (size_t i = 0; i < verify->problem_count && !status; i++) {
		const struct at_case one = { .problem = verify->problems[i] };

		if (at_plan_applies(&one.problem, self->device.kind))
			status = cover_case(self, &one, err);
	}
	for (size_t i = 0; i < count && !status; i++)
		status = cover_case(self, &cases[i], err);
	at_cases_free(cases, count);
	return status;
}

static int by_number(const void *a, const void *b)
{
	const struct at_case_constant *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

static bool was_given(const struct run *self, size_t number, int64_t value)
{
	for (size_t i = 0; i < self->given_count; i++)
		if (self->given[i].number == number && self->given[i].value == value)
			return true;
	return false;
}

/* A site of several numbers is about the first: they were equal in all cases. */
static enum at_status gather_constants(struct run *self, struct at_error *err)
{
	struct at_case_coverage *out = self->out;
	size_t kept = 0;

	free(out->constants);
	out->constant_count = 0;
	out->constants = calloc(self->site_count + 1, sizeof(*out->constants));
	if (!out->constants)
		return at_fail_memory(err);
	for (size_t i = 0; i < self->site_count; i++) {
		const struct site *site = &self->sites[i];
		uint64_t numbers = site->numbers & self->varied;
		size_t number = 0;

		if (!numbers)
			continue;
		while (!(numbers >> number & 1))
			number++;
		out->constants[out->constant_count++] =
			(struct at_case_constant){ number, site->constant,
				was_given(self, number, site->constant) };
	}
	if (out->constant_count)
		qsort(out->constants, out->constant_count, sizeof(*out->constants),
			by_number);
	for (size_t i = 0; i < out->constant_count; i++)
		if (!kept || by_number(&out->constants[kept - 1], &out->constants[i]))
			out->constants[kept++] = out->constants[i];
	out->constant_count = kept;
	return AT_OK;
}

static bool was_tried(const struct at_case_constant *tried, size_t count, size_t number,
	int64_t value)
{
	for (size_t i = 0; i < count; i++)
		if (tried[i].number == number && tried[i].value == value)
			return true;
	return false;
}

/* A number and a value to probe: another than the tuned one of a number that had no
   other in any case, or the next above a constant, unless it was tried. */
static bool find_probe(const struct run *self, const struct at_case_constant *tried,
	size_t tried_count, struct at_case_constant *out)
{
	const struct at_case_coverage *cover = self->out;

	for (size_t i = 0; i < cover->numbers.number_count && i < NUMBERS_MOST; i++) {
		const struct at_value tuned = cover->tuned_values[i];

		if (self->varied >> i & 1 || tuned.type == AT_TYPE_REAL ||
			was_tried(tried, tried_count, i, tuned.integer + 1))
			continue;
		*out = (struct at_case_constant){ i, tuned.integer + 1, false };
		return true;
	}
	for (size_t i = 0; i < cover->constant_count; i++) {
		const struct at_case_constant *one = &cover->constants[i];
		const int64_t value = one->value + 1;

		if (one->value < 0 || one->value >= PROBED_MOST ||
			was_given(self, one->number, value) ||
			was_tried(tried, tried_count, one->number, value))
			continue;
		*out = (struct at_case_constant){ one->number, value, false };
		return true;
	}
	return false;
}

/*
 * Of "kind == 0, else kind == 1, else kind == 2" the last comparison is reached by
 * other kinds alone. Runs cases that the verification does not have, for what they
 * compare; their counts are dropped.
 */
static enum at_status probe(struct run *self, struct at_error *err)
{
	struct at_case_constant tried[PROBES_MOST] = { { 0 } };
	size_t count = 0;
	enum at_status status = gather_constants(self, err);

	while (!status && count < PROBES_MOST && seconds_left(self) &&
		find_probe(self, tried, count, &tried[count])) {
		const struct at_case_constant *to = &tried[count++];
		struct at_size size = {
			.name = self->out->numbers.numbers[to->number].name,
			.value = { .type = AT_TYPE_INTEGER, .integer = to->value }
		};
		const struct at_case one = { .problem = { .name = "a probe",
						     .size_count = 1,
						     .sizes = &size } };
		struct answer answer;

		status = run_case(self, &one, seconds_of_case(self), &answer, err);
		if (!status && answer.fate == FATE_RAN)
			status = note_compared(self, &one.problem, true, err);
		remove_compared(self);
		if (!status)
			status = restore_counts(self, err);
		if (!status)
			status = gather_constants(self, err);
	}
	return status;
}

static enum at_status read_units(struct run *self, struct at_error *err)
{
	struct at_error reason = { 0 };
	enum at_status status = at_coverage_read(self->units[REFERENCE].folder,
		self->units[REFERENCE].request.name, &self->out->reference, &reason);

	if (!status)
		status = at_coverage_read(self->units[TUNED].folder,
			self->units[TUNED].request.name, &self->out->tuned, &reason);
	/* no case may admit the baseline */
	if (status == AT_ENOENT && self->out->reference.line_count)
		return AT_OK;
	if (status == AT_ENOENT || status == AT_EUNAVAILABLE)
		return say_why(self, "%s", reason.text);
	return status ? at_fail(err, status, reason.file, 0, "%s", reason.text) : AT_OK;
}

static void release_run(struct run *self)
{
	for (size_t i = 0; i < UNITS; i++) {
		struct unit *unit = &self->units[i];

		free(unit->folder);
		free(unit->counts);
		free(unit->kept);
		at_compile_request_release(&unit->request);
		at_compile_result_release(&unit->compiled);
	}
	at_compile_result_release(&self->support);
	at_scratch_remove(&self->scratch);
	free(self->values);
	free(self->sites);
	free(self->given);
}

/* Finds the device and the numbers. */
static enum at_status begin(struct run *self, struct at_error *err)
{
	struct at_case_coverage *out = self->out;
	struct at_error reason = { 0 };
	struct at_device *device;
	enum at_status status = at_device_kind_find("host", &self->kind, err);

	if (status)
		return status;
	if (at_coverage_check(&reason) || self->kind->open(0, &device, &reason))
		return say_why(self, "%s", reason.text);
	self->device = device->info;
	device->ops->close(device);
	status = at_cases_numbers(self->spec, self->tuned, &out->numbers, err);
	if (status)
		return status;
	self->view = *self->spec;
	self->view.domain = out->numbers;
	self->values = calloc(out->numbers.number_count + 1, sizeof(*self->values));
	out->tuned_values =
		calloc(out->numbers.number_count + 1, sizeof(*out->tuned_values));
	if (!self->values || !out->tuned_values)
		return at_fail_memory(err);
	return at_domain_values(&self->view, self->tuned, NULL, out->tuned_values, err);
}

enum at_status at_case_coverage(const struct at_spec *spec,
	const struct at_template *template, const struct at_problem *problem,
	double seconds, struct at_case_coverage *out, struct at_error *err)
{
	struct run self = {
		.spec = spec, .template = template, .tuned = problem, .out = out
	};
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	self.seconds = seconds;
	self.begun_seconds = used_seconds();
	self.end_ns = at_clock_now_ns() + (uint64_t)(WALL_FACTOR * seconds * 1e9);
	if (spec->reference.kind != AT_REFERENCE_KERNEL)
		say_why(&self, "%s",
			"the reference is a library or a file; coverage needs a reference kernel");
	else if (!at_plan_applies(problem, "host"))
		say_why(&self,
			"the problem is only for %s; coverage needs one for host",
			problem->on);
	if (!out->reason[0])
		status = begin(&self, err);
	if (!status && !out->reason[0])
		status = at_scratch_make(&self.scratch, "autotune", err);
	if (!status && !out->reason[0])
		status = compile_all(&self, err);
	if (!status && !out->reason[0])
		status = cover_cases(&self, err);
	if (!status && !out->reason[0])
		status = read_units(&self, err);
	if (!status && !out->reason[0])
		status = probe(&self, err);
	out->seconds = used_seconds() - self.begun_seconds;
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
