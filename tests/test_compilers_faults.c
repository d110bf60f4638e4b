/*
 * Compilers that are killed, find no room on the disk, print too much, or succeed
 * without having done anything: tests/fakecxx, run by real compile workers. A fault
 * that happens once costs a retry; a fault that repeats for one unit only is that
 * unit's; a fault of all units is waited for.
 */
#include "base/memory.h"
#include "evaluator/workers/compilers.h"
#include "program.h"

#include <unistd.h>

#include "suite.h"

/* whatever waits for ever ends the program */
#define HANGS_SECONDS 120

struct place {
	char *folder;
	struct at_loop *loop;
	struct at_compilers *compilers;
	unsigned out;
	char trouble[1024]; /* the first that was told */
	void (*when_troubled)(struct place *self);
	char *compiler; /* a link to fakecxx */
};

struct unit {
	struct place *place;
	enum at_outcome outcome;
	enum at_status status;
	bool is_verdict;
	char *log;
	char error[1024];
};

static void link_compiler(struct place *self)
{
	if (symlink(AT_TEST_DIR "/fakecxx", self->compiler))
		fail_msg("%s cannot be made", self->compiler);
}

/* How the compiler misbehaves from now on. */
static void misbehave(struct place *self, const char *fault, unsigned times, bool all)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	char *path = scratch_path(self->folder, "times");

	remove(path);
	free(path);
	at_strbuf_addf(&text, "%s %u %s\n", fault, times, all ? "all" : "bad");
	path = scratch_path(self->folder, "fault");
	assert_ok(at_file_replace(path, at_strbuf_text(&text), text.length, NULL));
	free(path);
	self->trouble[0] = '\0';
}

static size_t count_times(const struct place *self)
{
	OWNED(free) char *path = scratch_path(self->folder, "times");
	char *text;
	size_t size;

	if (at_file_read(path, 0, &text, &size, NULL))
		size = 0;
	else
		free(text);
	return size;
}

static void compiled(
	void *context, struct at_compile_result *result, const struct at_error *err)
{
	struct unit *unit = context;

	unit->outcome = result->outcome;
	unit->is_verdict = result->is_verdict;
	unit->log = at_strdup(result->log ? result->log : "");
	if (err) {
		unit->status = err->status;
		snprintf(unit->error, sizeof(unit->error), "%s", err->text);
	}
	if (--unit->place->out == 0)
		at_loop_stop(unit->place->loop);
}

static void submit(struct place *self, struct unit *unit, bool is_bad, unsigned number)
{
	char toolchain[] = "c++", name[] = "unit.cu", nothing[] = "", kernel[] = "k";
	char *kernels[] = { kernel };
	RELEASED(at_strbuf_release) struct at_strbuf source = { 0 };
	struct at_compile_request request = { .toolchain = toolchain,
		.architecture = nothing,
		.name = name,
		.directory = nothing,
		.kernel_count = 1,
		.kernels = kernels };

	at_strbuf_addf(&source,
		"%s\n#define NUMBER %u\n"
		"extern \"C\" __global__ void k(float *x) { x[0] = NUMBER; }\n",
		is_bad ? "// BAD" : "", number);
	request.source = source.data;
	*unit = (struct unit){ .place = self };
	self->out++;
	assert_ok(at_compilers_submit(
		self->compilers, &request, NULL, false, compiled, unit, NULL));
}

static void tick(void *context)
{
	struct place *self = context;

	if (self->trouble[0])
		return;
	at_compilers_trouble(self->compilers, self->trouble, sizeof(self->trouble));
	if (self->trouble[0] && self->when_troubled)
		self->when_troubled(self);
}

static void run(struct place *self)
{
	while (self->out)
		at_loop_run(self->loop);
}

static void release(struct unit *units, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(units[i].log);
}

static void assert_compiled(const struct unit *units, size_t count, const char *what)
{
	for (size_t i = 0; i < count; i++)
		if (units[i].outcome != AT_OUTCOME_OK)
			fail_msg("%s, unit %zu: %s%s", what, i, units[i].log,
				units[i].error);
}

/* One unit has been compiled well when it is left. */
static void set_up(struct place *self)
{
	struct unit first;

	memset(self, 0, sizeof(*self));
	self->folder = scratch_folder("compilers");
	self->compiler = scratch_path(self->folder, "cxx");
	link_compiler(self);
	misbehave(self, "none", 0, false);
	setenv("AUTOTUNE_CXX", self->compiler, 1);
	setenv("FAKE_FOLDER", self->folder, 1);
	/* pauses of some hundredths of a second */
	setenv("AUTOTUNE_PATIENCE", "6", 1);
	alarm(HANGS_SECONDS);
	assert_ok(at_loop_new(AT_PROGRAM, &self->loop, &failure));
	at_compilers_new(self->loop, 2, &self->compilers);
	at_compilers_be_patient(self->compilers);
	at_loop_tick(self->loop, 1, tick, self);
	submit(self, &first, false, 0);
	run(self);
	assert_compiled(&first, 1, "none");
	release(&first, 1);
}

static void tear_down(struct place *self)
{
	alarm(0);
	at_compilers_free(self->compilers);
	at_loop_free(self->loop);
	scratch_remove(self->folder);
	free(self->compiler);
	free(self->folder);
}

#define PLACE_TEST(name) TEST_ON(name, struct place, place, set_up, tear_down)

PLACE_TEST(what_befalls_a_compiler_once_costs_a_retry)
{
	static const char *const faults[] = { "killed", "bus", "wrapped", "cc1plus",
		"full", "fork", "worker", "nothing", "empty", "garbage", "cut" };

	for (size_t i = 0; i < AT_COUNT_OF(faults); i++) {
		struct unit units[2];

		misbehave(place, faults[i], 1, false);
		submit(place, &units[0], true, 1);
		submit(place, &units[1], false, 2);
		run(place);
		assert_compiled(units, 2, faults[i]);
		assert_true(count_times(place) > 1);
		assert_string_equal(place->trouble, "");
		release(units, 2);
	}
}

PLACE_TEST(what_it_does_alone_time_and_again_is_the_units_own)
{
	static const struct {
		const char *fault;
		const char *says;
	} rows[] = {
		{ "killed", "was killed by signal 9" },
		{ "wrapped", "ended with status 137" },
		{ "full", "No space left on device" },
		{ "worker", "the compiler was ended by signal 9" },
		{ "nothing", "ended well, but wrote no object file" },
		{ "empty", "wrote no object file: the file is empty" },
		{ "garbage", "wrote no object file that is whole" },
		{ "cut", "wrote no object file that is whole" },
		{ "pipe", "wrote no object file: what it wrote is a pipe" },
		{ "holes", "wrote no object file: what it wrote is larger than" },
		/* of an unknown trouble */
		{ "licence", "the licence server does not answer" },
		{ "silent", "ended with status 3, and said nothing" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct unit units[2];
		char line[600];

		misbehave(place, rows[i].fault, 0, false);
		submit(place, &units[0], true, 1);
		submit(place, &units[1], false, 2);
		run(place);
		assert_ok(units[0].status);
		assert_int_equal(units[0].outcome, AT_OUTCOME_COMPILE_FAILED);
		/* and no cache keeps it */
		assert_false(units[0].is_verdict);
		at_compile_first_error(units[0].log, line, sizeof(line));
		if (!strstr(line, rows[i].says) ||
			!strstr(line, "tried alone it failed"))
			fail_msg("%s: %s", rows[i].fault, line);
		assert_compiled(&units[1], 1, rows[i].fault);
		assert_string_equal(place->trouble, "");
		release(units, 2);
	}
}

PLACE_TEST(a_source_that_is_refused_is_not_tried_again)
{
	struct unit unit;

	misbehave(place, "zeros", 0, false);
	submit(place, &unit, true, 1);
	run(place);
	assert_int_equal(unit.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_true(unit.is_verdict);
	assert_string_equal(unit.log, "unit.cc:1: error: a b\n");
	assert_int_equal(count_times(place), 1);
	release(&unit, 1);
}

static void mend(struct place *self)
{
	char trouble[sizeof(self->trouble)];

	memcpy(trouble, self->trouble, sizeof(trouble));
	misbehave(self, "none", 0, false);
	memcpy(self->trouble, trouble, sizeof(trouble));
}

LONG_TEST(a_machine_that_fails_is_waited_for)
{
	static const struct {
		const char *fault;
		const char *says;
	} rows[] = {
		{ "full", "No space left on device; see that" },
		{ "fork", "Resource temporarily unavailable; see that" },
		{ "cc1plus", "Killed signal terminated program cc1plus; see that" },
		{ "nothing", "ended well, but wrote no object file; see that" },
		{ "licence", "the licence server does not answer; see that" },
		{ "silent", "ended with status 3, and said nothing; see that" },
	};
	RELEASED(tear_down) struct place place;

	set_up(&place);
	place.when_troubled = mend;
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct unit units[6];

		misbehave(&place, rows[i].fault, 0, true);
		for (unsigned j = 0; j < 6; j++)
			submit(&place, &units[j], false, 10 * (unsigned)i + j);
		run(&place);
		assert_compiled(units, 6, rows[i].fault);
		if (!strstr(place.trouble, rows[i].says))
			fail_msg(
				"\"%s\" is not in \"%s\"", rows[i].says, place.trouble);
		release(units, 6);
		/* and is over */
		at_compilers_trouble(
			place.compilers, place.trouble, sizeof(place.trouble));
		assert_string_equal(place.trouble, "");
	}
}

static void bring_back_the_compiler(struct place *self)
{
	link_compiler(self);
}

PLACE_TEST(a_compiler_that_vanishes_is_waited_for)
{
	struct unit units[3];

	place->when_troubled = bring_back_the_compiler;
	unlink(place->compiler);
	for (unsigned i = 0; i < 3; i++)
		submit(place, &units[i], false, i + 1);
	run(place);
	assert_compiled(units, 3, "vanished");
	assert_non_null(strstr(place->trouble, "no C++ compiler; tried $AUTOTUNE_CXX"));
	release(units, 3);
}

PLACE_TEST(a_machine_that_stays_ill_is_an_error_and_no_outcome)
{
	struct unit units[3];

	setenv("AUTOTUNE_PATIENCE", "0", 1);
	misbehave(place, "full", 0, true);
	for (unsigned i = 0; i < 3; i++)
		submit(place, &units[i], false, i + 1);
	run(place);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(units[i].status, AT_EMACHINE);
		assert_int_equal(units[i].outcome, AT_OUTCOME_NONE);
		assert_non_null(strstr(units[i].error,
			"this machine fails, and not the configurations"));
	}
	release(units, 3);
}

PLACE_TEST(what_is_forgotten_while_it_waits_holds_up_nobody)
{
	struct unit units[2];

	setenv("AUTOTUNE_PATIENCE", "300", 1);
	misbehave(place, "full", 0, false);
	submit(place, &units[0], true, 1);
	while (!at_compilers_running(place->compilers))
		at_loop_run(place->loop);
	/* its first failure is behind it: it waits half a second */
	while (at_compilers_running(place->compilers)) {
		at_loop_later(place->loop, (void (*)(void *))at_loop_stop, place->loop);
		at_loop_run(place->loop);
	}
	assert_int_equal(at_compilers_pending(place->compilers), 1);
	submit(place, &units[1], false, 2);
	assert_int_equal(at_compilers_running(place->compilers), 0);
	at_compilers_forget(place->compilers, &units[0]);
	place->out--;
	run(place);
	assert_compiled(&units[1], 1, "forgotten");
	release(&units[1], 1);
}

/* ---- much is said ---------------------------------------------------------- */

PLACE_TEST(of_many_words_the_first_and_the_last_are_kept)
{
	struct unit unit;
	size_t length;

	misbehave(place, "loud", 0, false);
	submit(place, &unit, true, 1);
	run(place);
	assert_int_equal(unit.outcome, AT_OUTCOME_COMPILE_FAILED);
	length = strlen(unit.log);
	assert_true(length > AT_LOG_BYTES);
	assert_true(length < AT_LOG_BYTES + 100);
	assert_memory_equal(unit.log, "warning: much to say\n", 21);
	assert_string_equal(unit.log + length - 26, "unit.cc:1: error: at last\n");
	assert_non_null(strstr(unit.log, " bytes are left out]\n"));
	release(&unit, 1);
}

PLACE_TEST(a_compiler_that_never_stops_talking_is_ended)
{
	struct unit unit;

	misbehave(place, "endless", 0, false);
	submit(place, &unit, true, 1);
	run(place);
	assert_int_equal(unit.outcome, AT_OUTCOME_COMPILE_FAILED);
	assert_memory_equal(unit.log, "unit.cc:1:1: error: no end of it\n", 33);
	assert_non_null(strstr(unit.log, " printed more than 64 MiB, and was ended\n"));
	release(&unit, 1);
}

RUN_SUITE(NULL, NULL)
