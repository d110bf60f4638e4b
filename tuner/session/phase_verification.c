/* The verification phase of a tuning (phase_verification.h): asks the evaluator for
   case after case and check after check, and decides what the results mean together. */
#include "session/phase_verification.h"

#include "base/clock.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/text.h"
#include "device/device.h"
#include "record/counterexample.h"
#include "record/evaluation_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * The least time in which the first sanitizer, racecheck, is worth beginning: it starts
 * a process, a driver and a context, and instruments every kernel that is loaded. For
 * the others the time that racecheck took is the guide.
 */
#define SANITIZER_SECONDS 2.0
/* Seconds for a sanitizer that --sanitize asks for: no budget limits it, but a kernel
   that hangs has to end. */
#define ASKED_SECONDS 600.0

/* Without a limit coverage ends by the processor's time that it takes. It is given up
   where a busy machine takes so many times as long as checks may. */
#define BUSY_FACTOR 5

static void step(struct at_verification_phase *self);

/* Whether a case comes before all others: replays come early in any case. */
static bool has_failed_case(const struct at_verification_phase *self)
{
	return self->options.failed_case >
	       self->options.visit->evaluator->info.replay_count;
}

/* Cases are made in their order, except that those that failed before come first. */
size_t at_verification_phase_case(const struct at_verification_phase *self)
{
	const size_t replays = self->options.visit->evaluator->info.replay_count;
	size_t next = self->next;

	if (has_failed_case(self) && !next--)
		return self->options.failed_case;
	return next < replays ? next + 1 : (next == replays ? 0 : next);
}

/* Counterexamples and a case that failed before: these are made in any case. */
static size_t urgent_cases(const struct at_verification_phase *self)
{
	return self->options.visit->evaluator->info.replay_count +
	       has_failed_case(self);
}

/* Whether a limit counts. Each run makes one more case, so that several make all. */
static bool is_limited(const struct at_verification_phase *self)
{
	return self->options.seconds > 0 && self->more_count &&
	       self->next >= urgent_cases(self);
}

/* The id of the case that runs or comes next. */
static uint32_t next_id(const struct at_verification_phase *self)
{
	struct at_evaluator *evaluator = self->options.visit->evaluator;

	return evaluator->ops->case_id(evaluator, at_verification_phase_case(self));
}

/* Adds the name of a case to a list, which always has room for its end, "...". */
static void add_name(char *list, size_t size, const char *name)
{
	static const char prefix[] = "case ";
	size_t length = strlen(list);

	if (length >= 3 && !strcmp(list + length - 3, "..."))
		return;
	if (!strncmp(name, prefix, sizeof(prefix) - 1))
		name += sizeof(prefix) - 1;
	if (length + strlen(name) + sizeof("; ; ...") > size)
		name = "...";
	at_text_append(list, size, "%s%s", length ? "; " : "", name);
}

static void tell_passed_over(struct at_verification_phase *self)
{
	char text[1000];

	if (!self->passed_over.count)
		return;
	if (self->passed_over.count == 1)
		snprintf(text, sizeof(text), "the winner is not verified on \"%s\": %s",
			self->passed_over.names, self->passed_over.why);
	else
		snprintf(text, sizeof(text),
			"the winner is not verified on %zu cases (%s): %s",
			self->passed_over.count, self->passed_over.names,
			self->passed_over.why);
	memset(&self->passed_over, 0, sizeof(self->passed_over));
	at_visit_emit_text(self->options.visit, AT_EVENT_NOTE, text);
}

static void pass_over(
	struct at_verification_phase *self, const char *name, const char *why)
{
	if (strncmp(self->passed_over.why, why, sizeof(self->passed_over.why) - 1) != 0)
		tell_passed_over(self);
	self->passed_over.count++;
	add_name(self->passed_over.names, sizeof(self->passed_over.names), name);
	snprintf(self->passed_over.why, sizeof(self->passed_over.why), "%s", why);
}

/* Adds what one case was verified by: of all cases the least, but of launches the sum.
   A case whose expected outputs are vacuous is named and does not count, and one that
   was cut stays unknown: the next run makes it whole. */
static void add_case(struct at_verification_phase *self, const char *name,
	const struct at_measure_verification *one)
{
	struct at_verification *verification = &self->verification;
	bool is_first;

	snprintf(verification->only_for, sizeof(verification->only_for), "%s",
		one->only_for);
	if (!one->was_cut && !at_verification_add(verification, next_id(self)))
		return;
	if (one->is_vacuous && !one->was_cut) {
		pass_over(self, name,
			"each of its expected outputs is one number, or what the buffer held before");
		add_name(verification->vacuous_for, sizeof(verification->vacuous_for),
			name);
		verification->vacuous++;
		return;
	}
	is_first = !verification->cases;
	verification->cases += !one->was_cut;
	if (is_first || one->data_sets < verification->data_sets)
		verification->data_sets = one->data_sets;
	if (is_first || one->patterns < verification->patterns)
		verification->patterns = one->patterns;
	verification->guarded = (is_first || verification->guarded) && one->guarded;
	verification->zones = (is_first || verification->zones) && one->zones;
	verification->crowded = (is_first || verification->crowded) && one->crowded;
	verification->launches += one->launches;
}

/* Ends the phase and tells the result. Checks that are still running are dropped: a
   refused winner needs no more results, and the next winner begins its own checks. */
static void tell_end(struct at_verification_phase *self, enum at_outcome outcome,
	const char *detail, const struct at_error *err)
{
	const struct at_verification_phase_options *options = &self->options;

	if (self->host_is_out || self->sanitizer_is_out || self->coverage_is_out)
		options->visit->evaluator->ops->drop_checks(options->visit->evaluator);
	self->host_is_out = self->sanitizer_is_out = self->coverage_is_out = false;
	tell_passed_over(self);
	self->ended = true;
	options->ended(options->context, outcome, detail,
		err ? NULL : &self->verification, err);
}

static uint64_t now_ns(const struct at_verification_phase *self)
{
	return at_visit_now_ns(self->options.visit);
}

static double seconds_since(const struct at_verification_phase *self, uint64_t begun_ns)
{
	return (double)(now_ns(self) - begun_ns) * 1e-9;
}

/* The binary digits of the bytes of the case that runs or comes next. */
static int next_digits(const struct at_verification_phase *self)
{
	struct at_evaluator *evaluator = self->options.visit->evaluator;
	int digits = 0;

	for (uint64_t bytes = evaluator->ops->case_bytes(
		     evaluator, at_verification_phase_case(self));
		bytes; bytes >>= 1)
		digits++;
	return digits;
}

/* Whether the case that comes next is made: it is expected to end in time. */
static bool fits(const struct at_verification_phase *self)
{
	double expected = 0;

	if (!is_limited(self))
		return true;
	/* the tuned problem less 1 in each size has about as much data as it */
	for (int i = next_digits(self) + 1; i >= 0; i--)
		if (i < (int)AT_COUNT_OF(self->case_seconds) &&
			self->case_seconds[i] > expected)
			expected = self->case_seconds[i];
	return seconds_since(self, self->begun_ns) + expected < self->options.seconds;
}

/* Goes on to the next case that has to be made, and for which there is time. */
static void find_next(struct at_verification_phase *self)
{
	const struct at_evaluator_info *info = &self->options.visit->evaluator->info;

	while (self->next < info->case_count + has_failed_case(self) &&
		self->next >= urgent_cases(self)) {
		const bool is_new =
			(self->repeats &&
				at_verification_phase_case(self) < info->night_first) ||
			!at_verification_knows(&self->verification, next_id(self));

		if (is_new && fits(self))
			break;
		self->next++;
	}
}

static bool has_cases_left(const struct at_verification_phase *self)
{
	const struct at_evaluator_info *info = &self->options.visit->evaluator->info;

	return !self->options.sanitizers_only &&
	       self->next < info->case_count + has_failed_case(self) && fits(self);
}

size_t at_verification_phase_left(const struct at_evaluator *evaluator,
	const struct at_verification *verification)
{
	size_t left = 0;

	for (size_t i = 0; i < evaluator->info.night_first; i++)
		left += !at_verification_knows(
			verification, evaluator->ops->case_id(evaluator, i));
	return left;
}

/* Notes how many cases are made, and how many are left for another run. */
static void count_cases(struct at_verification_phase *self)
{
	struct at_evaluator *evaluator = self->options.visit->evaluator;
	const uint32_t left =
		(uint32_t)at_verification_phase_left(evaluator, &self->verification);

	self->verification.left_for[0] = '\0';
	for (size_t i = 0; i < evaluator->info.night_first && left; i++)
		if (!at_verification_knows(
			    &self->verification, evaluator->ops->case_id(evaluator, i)))
			add_name(self->verification.left_for,
				sizeof(self->verification.left_for),
				evaluator->ops->case_name(evaluator, i));
	self->verification.left = left + self->unlisted;
	self->verification.made = (uint32_t)evaluator->info.night_first - left;
}

/* Records the case before anybody acts on it. */
static enum at_status keep_counterexample(const struct at_verification_phase *self,
	const struct at_verification_answer *answer, struct at_error *err)
{
	const struct at_verification_phase_options *options = &self->options;
	struct at_json *failure = at_json_object();
	struct at_strbuf text = { 0 };
	struct at_counterexample found = { .device_id = options->visit->device_id };
	enum at_status status = AT_OK;

	at_json_set(failure, "configuration",
		at_json_configuration(options->visit->spec, options->configuration));
	at_json_set(failure, "problem", options->visit->problem->name);
	/* result files hold nothing that a terminal would obey */
	at_escape_line(&text, answer->detail, strlen(answer->detail));
	at_json_set(failure, "detail", at_strbuf_text(&text));
	at_strbuf_clear(&text);
	at_json_set(failure, "found", at_clock_wall_seconds());
	if (answer->instance)
		at_json_write(failure, 0, &text);
	found.space = options->visit->spec->name;
	found.instance = (char *)answer->instance;
	found.failure = text.data;
	if (answer->instance)
		status =
			at_store_put_counterexample(options->visit->store, &found, err);
	at_json_free(failure);
	at_strbuf_release(&text);
	return status;
}

/* Why the winner is refused, with the line that makes the case one of the space. */
static void write_failure(const struct at_verification_phase *self,
	const struct at_verification_answer *answer, char *text, size_t size)
{
	struct at_evaluator *evaluator = self->options.visit->evaluator;
	const char *name =
		evaluator->ops->case_name(evaluator, at_verification_phase_case(self));
	const char *contents = answer->line ? strstr(name, "other contents") : NULL;

	if (!answer->line)
		snprintf(text, size, "on problem \"%s\" with other data: %s", name,
			answer->detail);
	else if (contents && !strchr(answer->line, '='))
		snprintf(text, size, "with %.150s: %s", contents, answer->detail);
	else if (contents)
		snprintf(text, size, "for %.300s with %.150s: %s", answer->line,
			contents, answer->detail);
	else
		snprintf(text, size,
			"for %.300s: %s; to replay it, add it to problems in verify",
			answer->line, answer->detail);
}

static void case_answered(void *context, const struct at_verification_answer *answer,
	const struct at_error *err)
{
	struct at_verification_phase *self = context;
	const struct at_verification_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->visit->evaluator;
	struct at_verification *verification = &self->verification;
	struct at_error problem = { 0 };
	const char *name;
	char text[1200];
	int digits;

	if (self->ended)
		return;
	self->case_is_out = false;
	if (err) {
		tell_end(self, AT_OUTCOME_NONE, "", err);
		return;
	}
	/* what runs beside it may have kept it from its board or its cores */
	if (answer->outcome == AT_OUTCOME_TIMED_OUT && !self->is_late) {
		self->is_late = true;
		step(self);
		return;
	}
	name = evaluator->ops->case_name(evaluator, at_verification_phase_case(self));
	self->is_late = false;
	digits = next_digits(self);
	self->case_seconds[digits] = fmax(
		self->case_seconds[digits], seconds_since(self, self->case_begun_ns));
	/* It is left for the next run, also where it was late before: a deadline counts
	   if it is reached again. */
	if (answer->outcome == AT_OUTCOME_NONE) {
		count_cases(self);
		step(self);
		return;
	}
	if (answer->outcome == AT_OUTCOME_OK) {
		add_case(self, name, &answer->verified);
	} else if (answer->outcome == AT_OUTCOME_NOT_APPLICABLE) {
		pass_over(self, name, answer->detail);
		/* whoever reads that the winner is verified has to read for what it is
		   not */
		if (at_verification_add(verification, next_id(self)) &&
			answer->is_unfit) {
			add_name(verification->unfit_for,
				sizeof(verification->unfit_for), name);
			verification->unfit++;
			verification->reference_fails |= answer->reference_fails;
		}
	} else {
		if (keep_counterexample(self, answer, &problem)) {
			tell_end(self, AT_OUTCOME_NONE, "", &problem);
			return;
		}
		self->error = answer->error;
		self->failed_case = at_verification_phase_case(self);
		write_failure(self, answer, text, sizeof(text));
		tell_end(self, answer->outcome, text, NULL);
		return;
	}
	count_cases(self);
	self->more_count += self->next >= urgent_cases(self);
	self->next++;
	step(self);
}

/* ---- the checks ------------------------------------------------------------- */

/* Keeps the result of a check, and goes on where that waits for it. */
static void note_check(struct at_verification_phase *self, enum at_check check,
	const struct at_verification_answer *answer, const struct at_error *err)
{
	struct at_check_result *result = &self->verification.checks[check];

	if (err) {
		tell_end(self, AT_OUTCOME_NONE, "", err);
		return;
	}
	self->is_settled[check] = true;
	if (answer->outcome == AT_OUTCOME_OK) {
		result->state = AT_CHECK_PASSED;
	} else if (answer->outcome == AT_OUTCOME_NOT_APPLICABLE) {
		result->state = answer->detail[0] ? AT_CHECK_NOT_RUN : AT_CHECK_UNASKED;
		snprintf(result->why, sizeof(result->why), "%s", answer->detail);
	} else if (self->failed == AT_OUTCOME_NONE || check < self->failed_check) {
		self->failed = answer->outcome;
		self->failed_check = check;
		snprintf(self->failure, sizeof(self->failure), "%s: %s",
			at_check_name(check), answer->detail);
	}
	/* Cases come first, even if a check fails before them: so the same winner is
	   refused for the same reason on every machine. */
	if (!has_cases_left(self) || self->is_late)
		step(self);
}

static void host_answered(void *context, const struct at_verification_answer *answer,
	const struct at_error *err)
{
	struct at_verification_phase *self = context;

	if (self->ended)
		return;
	self->host_is_out = false;
	note_check(self, AT_CHECK_HOST, answer, err);
}

static void sanitizer_answered(void *context,
	const struct at_verification_answer *answer, const struct at_error *err)
{
	struct at_verification_phase *self = context;
	double seconds = seconds_since(self, self->sanitizer_begun_ns);

	if (self->ended)
		return;
	self->sanitizer_is_out = false;
	/* The other sanitizers take at most half as long as racecheck: 0.5 s instead of
	   1 to 2 s on an H200. */
	if (self->next_check - 1 == AT_CHECK_RACECHECK)
		seconds /= 2;
	if (!err && answer->outcome == AT_OUTCOME_OK && seconds > self->longest_seconds)
		self->longest_seconds = seconds;
	note_check(self, (enum at_check)(self->next_check - 1), answer, err);
}

/* Whether the kind of device has a sanitizer at all. If not, no sanitizer is reported
   as left out. */
static bool has_sanitizer(const struct at_evaluator *evaluator)
{
	const struct at_device_kind *kind;

	return at_device_kind_find(evaluator->info.device.kind, &kind, NULL) ||
	       kind->has_sanitizer;
}

static const char no_time[] = "there was no time for it";

/* Seconds for a check; 0: it is not made. Where time is the reason, *result says so. */
static double seconds_for(struct at_verification_phase *self, enum at_check check,
	struct at_check_result *result)
{
	const struct at_verification_phase_options *options = &self->options;
	double left, needed = SANITIZER_SECONDS;

	if (result->state == AT_CHECK_PASSED)
		return 0;
	/* a night has no remedy for other reasons than lack of time */
	if (!options->covers && result->state == AT_CHECK_NOT_RUN &&
		strncmp(result->why, no_time, sizeof(no_time) - 1) != 0 &&
		strcmp(result->why, AT_CHECK_CUT) != 0)
		return 0;
	if (check != AT_CHECK_HOST &&
		(options->visit->session->sanitize == AT_SANITIZE_NEVER ||
			!has_sanitizer(options->visit->evaluator)))
		return 0;
	if (check != AT_CHECK_HOST &&
		options->visit->session->sanitize == AT_SANITIZE_FINALISTS)
		return ASKED_SECONDS;
	left = options->check_seconds -
	       (self->checks_begun_ns ? seconds_since(self, self->checks_begun_ns) : 0);
	if (check == AT_CHECK_HOST)
		needed = 0;
	else if (self->longest_seconds > 0)
		needed = self->longest_seconds;
	if (left > needed)
		return left;
	if (result->state == AT_CHECK_NOT_RUN)
		return 0;
	result->state = AT_CHECK_NOT_RUN;
	snprintf(result->why, sizeof(result->why), "%s%s", no_time,
		check == AT_CHECK_HOST ? "" : "; --sanitize asks for it all the same");
	return 0;
}

/* Asks for the next case. */
static void verify_next(struct at_verification_phase *self)
{
	const struct at_verification_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->visit->evaluator;
	const struct at_budget *budget = &options->visit->budget;
	/* only a budget cuts; what an earlier run cut short is made whole */
	const bool may_cut =
		options->seconds > 0 && budget->seconds > 0 && !options->before;
	const double left = budget->seconds - at_budget_elapsed(budget, now_ns(self)) -
			    at_budget_late_seconds(budget);
	const double seconds =
		fmax(left, options->seconds - seconds_since(self, self->begun_ns));
	struct at_error err = { 0 };

	self->case_is_out = true;
	self->case_begun_ns = now_ns(self);
	if (evaluator->ops->verify(evaluator, options->configuration,
		    at_verification_phase_case(self),
		    may_cut ? fmax(seconds, AT_SECONDS_OVER) : 0, case_answered, self,
		    &err))
		tell_end(self, AT_OUTCOME_NONE, "", &err);
}

/* Asks for a check if there is time for it; else it is settled. */
static void begin_check(struct at_verification_phase *self, enum at_check check)
{
	const struct at_verification_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->visit->evaluator;
	const bool is_host = check == AT_CHECK_HOST;
	double seconds = seconds_for(self, check, &self->verification.checks[check]);

	self->is_settled[check] = seconds <= 0;
	if (seconds <= 0)
		return;
	if (is_host)
		self->host_is_out = true;
	else
		self->sanitizer_is_out = true;
	self->sanitizer_begun_ns = now_ns(self);
	evaluator->ops->check(evaluator, options->configuration,
		at_check_watches_shared(check) ? options->shared_witness
					       : options->witness,
		check, seconds, is_host ? host_answered : sanitizer_answered, self);
}

/* Asks for the next case or check, or ends the phase. */
static void step(struct at_verification_phase *self)
{
	if (self->case_is_out)
		return;
	if (self->is_late) {
		if (!self->host_is_out && !self->coverage_is_out)
			verify_next(self);
		return;
	}
	find_next(self);
	if (has_cases_left(self)) {
		verify_next(self);
		return;
	}
	/* it may add cases */
	if (self->coverage_is_out)
		return;
	count_cases(self);
	if (!self->checks_begun_ns)
		self->checks_begun_ns = now_ns(self);
	/* The host's check is reported before sanitizers, so its result is awaited. */
	if (self->failed != AT_OUTCOME_NONE) {
		if (!self->host_is_out)
			tell_end(self, self->failed, self->failure, NULL);
		return;
	}
	while (!self->sanitizer_is_out && self->next_check < AT_CHECK_COUNT)
		begin_check(self, (enum at_check)self->next_check++);
	if (!self->host_is_out && !self->sanitizer_is_out)
		tell_end(self, AT_OUTCOME_OK, "", NULL);
}

static void covered(
	void *context, const char *reference, const char *tuned, bool is_whole)
{
	struct at_verification_phase *self = context;
	const char *const lines[] = { reference, tuned };

	if (self->ended)
		return;
	self->coverage_is_out = false;
	if (is_whole)
		self->unlisted = 0;
	/* what an earlier one saw is more than that */
	for (size_t i = 0; i < 2 && !self->unlisted; i++)
		snprintf(self->verification.coverage[i],
			sizeof(self->verification.coverage[i]), "%s", lines[i]);
	step(self);
}

static void begin_coverage(struct at_verification_phase *self)
{
	const struct at_verification_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->visit->evaluator;
	const double seconds = options->seconds > 0
				       ? options->seconds
				       : BUSY_FACTOR * options->check_seconds;

	if (!options->covers || options->sanitizers_only || !evaluator->ops->cover)
		return;
	if (!self->unlisted)
		memset(self->verification.coverage, 0,
			sizeof(self->verification.coverage));
	if (options->check_seconds <= 0 && self->unlisted)
		return;
	if (options->check_seconds <= 0) {
		snprintf(self->verification.coverage[0],
			sizeof(self->verification.coverage[0]),
			"not measured (there was no time for it)");
		return;
	}
	self->coverage_is_out = true;
	evaluator->ops->cover(
		evaluator, options->configuration, seconds, covered, self);
}

static void begin(void *context)
{
	struct at_verification_phase *self = context;

	if (!self->ended)
		step(self);
}

void at_verification_phase_begin(struct at_verification_phase *self,
	const struct at_verification_phase_options *options)
{
	struct at_evaluator *evaluator = options->visit->evaluator;
	const struct at_verification *before = options->before;

	_Static_assert(AT_CHECK_HOST == 0, "the host's check is the first");
	memset(self, 0, sizeof(*self));
	self->options = *options;
	self->failed_case = options->failed_case;
	self->next_check = evaluator->ops->check ? AT_CHECK_HOST + 1 : AT_CHECK_COUNT;
	self->begun_ns = now_ns(self);
	if (before && !options->sanitizers_only) {
		const size_t left = at_verification_phase_left(evaluator, before);

		/* an older version only counted: none of its cases is known */
		if (before->id_count)
			self->verification = *before;
		memcpy(self->verification.checks, before->checks,
			sizeof(before->checks));
		memcpy(self->verification.coverage, before->coverage,
			sizeof(before->coverage));
		/* those that coverage added are on no list until it adds them again */
		if (before->left > left)
			self->unlisted = before->left - (uint32_t)left;
		self->repeats = options->covers && !before->left && !left;
		if (self->repeats)
			memset(self->verification.checks, 0,
				sizeof(self->verification.checks));
	}
	/* The limit is one of the whole verification, so the checks' time begins now.
	   Without one it begins after the cases: however long they take, the checks
	   have their full time. */
	if (options->seconds > 0)
		self->checks_begun_ns = now_ns(self);
	/* The host's check needs only a processor and the cases need the device, so
	   both run side by side. Sanitizers need the device too, and wait for the
	   cases. */
	begin_coverage(self);
	if (self->next_check <= AT_CHECK_HOST + 1 && !options->sanitizers_only)
		begin_check(self, AT_CHECK_HOST);
	/* from the loop, since ended() must not be called from inside this call */
	evaluator->ops->later(evaluator, begin, self);
}

void at_verification_phase_step(struct at_verification_phase *self)
{
	const struct at_verification_phase_options *options = &self->options;
	struct at_evaluator *evaluator = options->visit->evaluator;
	const double late = at_budget_late_seconds(&options->visit->budget);

	if (self->ended || !self->case_is_out || self->was_cut || !is_limited(self) ||
		seconds_since(self, self->begun_ns) <
			options->seconds + fmin(options->seconds, late))
		return;
	self->was_cut = true;
	evaluator->ops->cancel(evaluator, 0);
}

bool at_verification_phase_passed(
	const struct at_verification_phase *self, struct at_verification *out)
{
	const struct at_evaluator *evaluator = self->options.visit->evaluator;

	if (!evaluator || self->options.sanitizers_only || self->case_is_out ||
		self->is_late || has_cases_left(self) ||
		self->failed != AT_OUTCOME_NONE)
		return false;
	*out = self->verification;
	for (size_t i = 0; i < AT_CHECK_COUNT; i++) {
		if (!evaluator->ops->check || self->is_settled[i] ||
			(i != AT_CHECK_HOST && self->options.visit->session->sanitize ==
						       AT_SANITIZE_NEVER))
			continue;
		out->checks[i].state = AT_CHECK_NOT_RUN;
		snprintf(out->checks[i].why, sizeof(out->checks[i].why),
			"the run was interrupted");
	}
	return true;
}

void at_verification_phase_end(struct at_verification_phase *self)
{
	self->ended = true;
}
