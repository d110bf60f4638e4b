/*
 * Checks a winner by other means than the device's own verifications: under NVIDIA's
 * compute-sanitizer, in a process of its own, and as the same template on the host,
 * which can run threads and blocks in any order. Both run on a small problem.
 *
 * A failure alone is not believed: racecheck knows nothing of warps that run in step,
 * and the host's dialect is not all of CUDA. A failure counts only where a witness
 * passes the same check: the defaults, since the template's author holds these to be
 * right, or without defaults another configuration that was right so far.
 */
#include "evaluator/workers/workers_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "evaluator/workers/sanitizer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The host's check, or a sanitizer's; only one sanitizer is out at a time. */
struct checks {
	struct workers *owner;
	/* the check that is out; verified NULL: none is */
	enum at_check check;
	double seconds; /* for the winner and, where it fails, for the witness */
	uint64_t begun_ns;
	uint16_t *configuration; /* the winner */
	uint16_t *witness; /* with has_witness */
	bool has_witness;
	bool is_of_witness; /* the winner failed, and the witness is run now */
	struct at_finding failure; /* of the winner */
	bool is_answered; /* the answer is known, and the loop reports it */
	struct at_finding answer;
	at_verified verified;
	void *context;
	/* ---- a sanitizer's */
	char *program; /* path of compute-sanitizer, once it was found; heap */
	struct workload *workload;
	struct at_compiled_plan plan;
	struct at_board_setup setup;
	const char **others; /* kernels that are not judged, then NULL */
	struct at_sanitizer_run *sanitizer_run;
	/* ---- the host's: made for the first check, and kept */
	struct at_board *board;
	struct at_device_info info;
	char toolchain[256];
	struct at_evaluator *host; /* NULL: not made yet, or not possible */
	bool only_promised; /* leave out default cases: one made no sense on the host */
	char no_host[sizeof(((struct at_error *)0)->text)]; /* why there is no host */
};

/* ---- answering ---------------------------------------------------------------- */

/* Ends what is out for the check, and keeps the host's evaluator. */
static void drop_run(struct checks *self)
{
	at_sanitizer_run_free(self->sanitizer_run);
	self->sanitizer_run = NULL;
	at_compile_queue_forget(self->owner->options.compile_queue, self);
	at_compilers_forget(
		at_compile_queue_compilers(self->owner->options.compile_queue), self);
	at_loop_forget(self->owner->options.loop, self);
	at_compiled_plan_release(&self->plan);
	if (self->host)
		self->host->ops->stop(self->host);
	/* the process is not needed until the next winner, and there may be none */
	if (self->board)
		at_board_retire(self->board);
}

static void tell_answer(void *context)
{
	struct checks *self = context;
	const struct at_verification_answer answer = {
		.outcome = self->answer.outcome,
		.detail = self->answer.detail,
	};
	at_verified verified = self->verified;

	self->is_answered = false;
	self->verified = NULL;
	verified(self->context, &answer, NULL);
}

/* Answers with self->answer from the loop, since an answer must not come from inside
   the call that asked. */
static void answer(struct checks *self)
{
	drop_run(self);
	self->is_answered = true;
	at_loop_later(self->owner->options.loop, tell_answer, self);
}

/* Whether the witness is the space's defaults. */
static bool has_defaults(const struct checks *self)
{
	return self->owner->options.spec->has_defaults;
}

static void answer_not_run(struct checks *self, const char *why)
{
	/* The winner failed, and it is not known whether the witness passes: it is not
	   believed. */
	if (self->is_of_witness)
		at_finding_set(&self->answer, AT_OUTCOME_NOT_APPLICABLE,
			"it fails (%.200s), and it is not known whether %s: %.200s",
			self->failure.detail,
			has_defaults(self) ? "the defaults pass"
					   : "another configuration passes",
			why);
	else
		at_finding_set(&self->answer, AT_OUTCOME_NOT_APPLICABLE, "%s", why);
	answer(self);
}

static void begin_run(struct checks *self);

static const uint16_t *configuration_of(const struct checks *self)
{
	return self->is_of_witness ? self->witness : self->configuration;
}

/* Takes the result of one run, of the winner or of the witness after it. */
static void run_ended(void *context, const struct at_finding *finding)
{
	struct checks *self = context;
	const enum at_outcome outcome = finding->outcome;
	const char *detail = finding->detail;
	/* the winner may be its own witness */
	const bool has_witness_left =
		self->has_witness && !self->is_of_witness &&
		memcmp(self->configuration, self->witness,
			self->owner->options.spec->parameter_count *
				sizeof(*self->witness)) != 0;

	if (outcome == AT_OUTCOME_NOT_APPLICABLE) {
		answer_not_run(self, detail);
		return;
	}
	/* Nothing promises a default case, so the space may not be for it. Where the
	   failure would not be believed anyway, the check is made again, on a problem
	   that the space names. */
	if (outcome != AT_OUTCOME_OK && !has_witness_left &&
		self->check == AT_CHECK_HOST && workers_is_default(self->workload) &&
		!self->only_promised) {
		drop_run(self);
		self->only_promised = true;
		self->is_of_witness = false;
		begin_run(self);
		return;
	}
	if (outcome != AT_OUTCOME_OK && has_witness_left) {
		self->failure = *finding;
		drop_run(self);
		self->is_of_witness = true;
		begin_run(self);
		return;
	}
	if (outcome == AT_OUTCOME_OK && self->is_of_witness)
		self->answer = self->failure;
	else if (outcome == AT_OUTCOME_OK)
		self->answer = (struct at_finding){ .outcome = AT_OUTCOME_OK };
	else if (self->has_witness)
		at_finding_set(&self->answer, AT_OUTCOME_NOT_APPLICABLE,
			"%s it too, so it does not count: %.400s",
			has_defaults(self) ? "the defaults fail"
					   : "another configuration fails",
			detail);
	else
		at_finding_set(&self->answer, AT_OUTCOME_NOT_APPLICABLE,
			"it fails, but without defaults or another configuration that is right%s it is not known whether the configuration or the check is at fault: %.400s",
			at_check_watches_shared(self->check) ? " and uses shared memory"
							     : "",
			detail);
	answer(self);
}

static double seconds_left(const struct checks *self)
{
	return self->seconds - (double)(at_clock_now_ns() - self->begun_ns) * 1e-9;
}

/* ---- under a sanitizer -------------------------------------------------------- */

static enum at_status begin_sanitizer_run(
	struct checks *self, const char *unit, struct at_error *err)
{
	struct workers *owner = self->owner;
	struct at_sanitizer_run_options options = {
		.loop = owner->options.loop,
		.check = self->check,
		.device_id = workers_lead_slot(owner)->info->id,
		.unit = unit,
		.request = &self->plan.request,
		.seconds = seconds_left(self),
	};
	const struct at_measure_request *request = &self->plan.request;
	const char *reference = self->workload->reference.symbol;
	size_t count = at_measure_support_kernel_count;
	enum at_status status =
		workers_put_setup(owner, self->workload, true, &self->setup, err);
	bool is_judged = !reference || !reference[0];

	if (!status && !self->others)
		self->others = at_calloc(count + 2, sizeof(*self->others));
	if (status)
		return status;
	memcpy((void *)self->others, at_measure_support_kernels,
		count * sizeof(*self->others));
	/* where the configuration launches the reference's kernel, an error in it may
	   be the winner's, so it is judged */
	if (!is_judged)
		is_judged = !strcmp(request->prepare.symbol, reference) ||
			    !strcmp(request->finish.symbol, reference);
	for (size_t i = 0; i <= request->more_count && !is_judged; i++)
		is_judged = !strcmp(at_measure_launch(request, i)->symbol, reference);
	self->others[count] = is_judged ? NULL : reference;
	options.program = self->program;
	options.setup = &self->setup.body;
	options.setup_id = self->setup.id;
	options.others = self->others;
	return at_sanitizer_run_begin(
		&options, run_ended, self, &self->sanitizer_run, err);
}

static void sanitizer_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct checks *self = context;
	struct workers *owner = self->owner;
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	if (problem) {
		answer_not_run(self, problem->text);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		answer_not_run(self, "it does not compile for the smaller problem");
		return;
	}
	at_plan_set_symbols(owner->options.spec, result, &self->plan.request);
	workers_set_sampling(owner, &self->plan.request);
	self->plan.request.verify_only = true;
	status = begin_sanitizer_run(self, path, &err);
	if (status)
		answer_not_run(self, err.text);
}

static void begin_sanitizer(struct checks *self)
{
	struct workers *owner = self->owner;
	const struct at_device_kind *kind;
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	if (at_device_kind_find(owner->base.info.device.kind, &kind, NULL) ||
		!kind->has_sanitizer) {
		answer_not_run(self, "");
		return;
	}
	if (!self->program)
		status = at_sanitizer_find(&self->program, &err);
	if (!status)
		workers_pick_workload(owner, configuration_of(self), true, false,
			UINT64_MAX, &self->workload);
	if (!status && !self->workload)
		status = at_fail(&err, AT_EINVAL, NULL, 0,
			"no problem of the space suits the configuration");
	if (!status)
		status = at_plan_configuration(&self->workload->plan,
			configuration_of(self), &self->plan, &err);
	if (!status)
		status = at_compile_queue_want(owner->options.compile_queue,
			&self->plan.compile, self->plan.unit, true, sanitizer_compiled,
			self, &err);
	if (status)
		answer_not_run(self, err.text);
}

/* ---- on the host -------------------------------------------------------------- */

/*
 * More than this the host is not asked to compute: a verification has some fifty
 * launches; each takes it as long as a thousand take on a GPU.
 */
#define HOST_BYTES_MOST (UINT64_C(64) << 20)

static void verify_on_host(struct checks *self);

static void verified_on_host(void *context, const struct at_verification_answer *answer,
	const struct at_error *err)
{
	struct checks *self = context;
	struct at_finding finding = { .outcome = AT_OUTCOME_OK };

	if (err) {
		answer_not_run(self, err->text);
	} else if (answer->outcome == AT_OUTCOME_OK) {
		run_ended(self, &finding);
	} else if (answer->outcome == AT_OUTCOME_WRONG_RESULT ||
		   answer->outcome == AT_OUTCOME_OUT_OF_BOUNDS ||
		   answer->outcome == AT_OUTCOME_UNSTABLE) {
		at_finding_set(&finding, answer->outcome, "on problem \"%s\": %s",
			self->workload->plan.problem->name, answer->detail);
		run_ended(self, &finding);
	} else if (answer->outcome != AT_OUTCOME_NOT_APPLICABLE) {
		at_finding_set(&finding, AT_OUTCOME_NOT_APPLICABLE, "%s there: %s",
			at_outcome_name(answer->outcome), answer->detail);
		run_ended(self, &finding);
	} else if (workers_is_default(self->workload) && !self->only_promised) {
		/* nothing promises a default case: take a problem of the space */
		self->only_promised = true;
		verify_on_host(self);
	} else {
		answer_not_run(self, answer->detail);
	}
}

static void verify_on_host(struct checks *self)
{
	struct workers *host = (struct workers *)self->host;
	const uint16_t *configuration = configuration_of(self);
	struct at_error err = { 0 };
	enum at_status status = AT_OK;

	workers_pick_workload(host, configuration, false, self->only_promised,
		HOST_BYTES_MOST, &self->workload);

	if (!self->workload)
		status = at_fail(&err, AT_EINVAL, NULL, 0,
			"no problem of the space suits the configuration on the host and has at most %" PRIu64
			" MiB of data there: a small one in verify.problems would do",
			HOST_BYTES_MOST >> 20);
	if (!status)
		status = host->base.ops->verify(&host->base, configuration,
			(size_t)(self->workload - host->workloads) - 1, 0,
			verified_on_host, self, &err);
	if (status)
		answer_not_run(self, err.text);
}

/* There is no host, now and for later checks. */
static void lack_host(struct checks *self, const char *why)
{
	snprintf(self->no_host, sizeof(self->no_host), "%s", why);
	answer_not_run(self, self->no_host);
}

static void host_compiler_known(
	void *context, const char *text, const struct at_error *problem)
{
	struct checks *self = context;
	struct at_workers_options options = self->owner->options;
	struct at_error err = { 0 };

	if (problem) {
		lack_host(self, problem->text);
		return;
	}
	snprintf(self->toolchain, sizeof(self->toolchain), "%s", text);
	options.boards = &self->board;
	options.infos = &self->info;
	options.board_count = 1;
	options.toolchain = self->toolchain;
	if (self->owner->open(&options, &self->host, &err))
		lack_host(self, err.text);
	else
		verify_on_host(self);
}

static void host_opened(void *context, const struct at_device_info *info,
	const struct at_error *problem)
{
	struct checks *self = context;

	if (problem) {
		lack_host(self, problem->text);
		return;
	}
	self->info = *info;
	at_compilers_ask(at_compile_queue_compilers(self->owner->options.compile_queue),
		AT_MESSAGE_TOOLCHAIN, self->info.toolchain, host_compiler_known, self);
}

static void begin_on_host(struct checks *self)
{
	struct workers *owner = self->owner;

	if (!strcmp(owner->base.info.device.kind, AT_CROSS_VERIFICATION_KIND)) {
		answer_not_run(self, "");
	} else if (self->no_host[0]) {
		answer_not_run(self, self->no_host);
	} else if (self->host) {
		verify_on_host(self);
	} else {
		if (!self->board)
			at_board_new(owner->options.loop, AT_CROSS_VERIFICATION_KIND,
				&self->board);
		at_board_open(self->board, host_opened, self);
	}
}

/* ---- the slots ---------------------------------------------------------------- */

static void begin_run(struct checks *self)
{
	if (self->check == AT_CHECK_HOST)
		begin_on_host(self);
	else
		begin_sanitizer(self);
}

void workers_check(struct at_evaluator *base, const uint16_t *configuration,
	const uint16_t *witness, enum at_check check, double seconds,
	at_verified verified, void *context)
{
	struct workers *owner = (struct workers *)base;
	size_t count = owner->options.spec->parameter_count;
	struct checks **place = &owner->checks[check != AT_CHECK_HOST];
	struct checks *self = *place;

	if (!self) {
		self = at_calloc(1, sizeof(*self));
		self->owner = owner;
		self->configuration =
			at_calloc(count + 1, sizeof(*self->configuration));
		self->witness = at_calloc(count + 1, sizeof(*self->witness));
		*place = self;
	}
	memcpy(self->configuration, configuration,
		count * sizeof(*self->configuration));
	self->has_witness = witness != NULL;
	if (witness)
		memcpy(self->witness, witness, count * sizeof(*self->witness));
	self->check = check;
	self->seconds = seconds;
	self->begun_ns = at_clock_now_ns();
	self->is_of_witness = self->is_answered = false;
	self->verified = verified;
	self->context = context;
	begin_run(self);
}

static void tick(struct checks *self)
{
	if (!self || !self->verified || self->is_answered)
		return;
	if (self->host)
		self->host->ops->tick(self->host);
	/* the sanitizer's process has a deadline of its own, which stands still while
	   it waits for another program */
	if (self->check == AT_CHECK_HOST && self->verified && !self->is_answered &&
		seconds_left(self) < 0)
		answer_not_run(self, AT_CHECK_CUT);
}

void workers_tick_checks(struct workers *owner)
{
	for (int i = 0; i < 2; i++)
		tick(owner->checks[i]);
}

void workers_drop_checks(struct at_evaluator *base)
{
	struct workers *owner = (struct workers *)base;

	workers_drop_coverage(owner);
	for (int i = 0; i < 2; i++) {
		struct checks *self = owner->checks[i];

		if (!self || !self->verified)
			continue;
		drop_run(self);
		self->verified = NULL;
	}
}

void workers_close_checks(struct workers *owner)
{
	for (int i = 0; i < 2; i++) {
		struct checks *self = owner->checks[i];

		if (!self)
			continue;
		drop_run(self);
		if (self->host)
			self->host->ops->close(self->host);
		at_board_free(self->board);
		at_strbuf_release(&self->setup.body);
		free((void *)self->others);
		free(self->configuration);
		free(self->witness);
		free(self->program);
		free(self);
		owner->checks[i] = NULL;
	}
}
