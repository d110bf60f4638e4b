/*
 * The evaluator that compiles and measures, on boards that may be slower, die or
 * hang: what each fault costs, and that nothing is waited for without end. The
 * processes are real, the device is not. This program is its own worker.
 */
#define _GNU_SOURCE /* nftw */
#include "base/owner.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "evaluator/workers/clocks.h"
#include "evaluator/workers/lock.h"
#include "evaluator/workers/probe.h"
#include "evaluator/workers/worker.h"
#include "evaluator/workers/workers.h"
#include "fake_device.h"
#include "program.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"

/* after so long the program ends as hung; no test takes a tenth of that */
#define HANGS_SECONDS 60
#define TILES 8
#define BEGUN_MAX 40

/* ---- what is measured -------------------------------------------------------- */

#define TUNED_SIZE 100

static void scale_first(const struct fake_launch *launch, uint32_t count)
{
	const float *x = fake_pointer(launch, 0);
	float *y = fake_pointer(launch, 1);

	for (uint32_t i = 0; i < count; i++)
		y[i] = 2.5f * x[i];
}

/*
 * FAKE_FAULT "what tile times": a process that comes to that tile (-1: to any), or to
 * the reference (tile 0), is killed, as by the system, or filtered, as for a call that
 * is not allowed, blocked, as in a driver, or writes what is no message: so many times,
 * which are counted in the file FAKE_FAULT_COUNT; 0: each time.
 */
static void misbehave(int64_t tile)
{
	const char *fault = getenv("FAKE_FAULT"), *count = getenv("FAKE_FAULT_COUNT");
	char what[16];
	int64_t at;
	unsigned times, so_far;
	FILE *file;

	if (!fault || !count)
		return;
	if (sscanf(fault, "%15s %" SCNd64 " %u", what, &at, &times) != 3)
		abort();
	if (at != tile && (at >= 0 || !tile))
		return;
	file = fopen(count, "a");
	if (!file || fputc('x', file) == EOF)
		abort();
	so_far = (unsigned)ftell(file);
	fclose(file);
	if (times && so_far > times)
		return;
	if (!strcmp(what, "killed"))
		kill(getpid(), SIGKILL);
	if (!strcmp(what, "filtered"))
		kill(getpid(), SIGSYS);
	while (!strcmp(what, "blocked"))
		pause();
	if (write(AT_WORKER_DESCRIPTOR, "Hello, I am a kernel.", 21) != 21)
		abort();
}

/* FAKE_EVEN_TILES="24": with tiles 2 and 4, sizes other than the tuned one lack their
   last element */
static void scale(const struct fake_launch *launch)
{
	const char *tiles = getenv("FAKE_EVEN_TILES");
	uint32_t n = fake_u32(launch, 2);
	char tile = (char)('0' + fake_macro(launch->source, "TILE"));

	misbehave(tile - '0');
	scale_first(launch, n - (n != TUNED_SIZE && tiles && strchr(tiles, tile)));
}

/* FAKE_EVEN_REFERENCE: the reference ends its process at sizes other than the tuned one
 */
static void scale_reference(const struct fake_launch *launch)
{
	uint32_t n = fake_u32(launch, 2);

	misbehave(0);
	if (n != TUNED_SIZE && getenv("FAKE_EVEN_REFERENCE"))
		_exit(3);
	scale_first(launch, n);
}

static double scale_ns(const struct fake_launch *launch)
{
	return 1000.0 + 100.0 * (double)fake_macro(launch->source, "TILE");
}

static const struct fake_kernel kernels[] = {
	{ "scale", scale, scale_ns },
	{ "scale_reference", scale_reference, NULL },
	{ NULL, NULL, NULL },
};

/* the source does not mention TWIN, so all values of TWIN give the same image */
#define SPACE_FILLED(fill) SPACE_WITH(fill, DEFAULTS)
#define DEFAULTS "defaults: { TILE = 1; TWIN = 1; };\n"
#define SPACE_WITH(fill, defaults) SPACE_SIZED(fill, defaults, "", "N")
/* count: of x */
#define SPACE_SIZED(fill, defaults, sizes, count) \
	"kernel: { name = \"scale\"; template = \"scale.test\"; reference = \"scale_reference\"; };\n" \
	"problems = ( { name = \"p\"; N = 100; " sizes "} );\n" \
	"parameters: { TILE = [ 1, 2, 3, 4, 5, 6, 7, 8 ]; TWIN = [ 1, 2, 3 ]; };\n" defaults \
	"launch: { block = ( 1 ); grid = ( 1 ); };\n" \
	"search: { deadline = 20; };\n" \
	"arguments = (\n" \
	"  { name = \"x\"; type = \"float\"; count = \"" count \
	"\"; access = \"in\"; fill = \"" fill "\"; },\n" \
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n" \
	"  { name = \"n\"; type = \"int\"; value = \"N\"; }\n" \
	");\n"
static const char space_text[] = SPACE_FILLED("uniform(-1, 1)");
static const char template_text[] = "scale and scale_reference, by TILE";

static bool compiles(const char *source)
{
	if (getenv("FAKE_NO_SUPPORT") && strstr(source, "at_checksum"))
		return false;
	while (getenv("FAKE_ENDLESS_TILE_7") && fake_macro(source, "TILE") == 7)
		pause();
	return !getenv("FAKE_NO_TILE_7") || fake_macro(source, "TILE") != 7;
}

/* ---- a workplace ---------------------------------------------------------------- */

/* What was begun, and what became of it. */
struct begun {
	struct place *place;
	unsigned answers;
	enum at_outcome outcome;
	enum at_status status; /* not OK: it was answered with an error */
	double time_ns;
	bool is_copy;
	struct at_hash image;
	char board[64];
	char detail[512];
	bool is_unfit; /* of a verification */
	bool reference_fails;
};

struct place {
	char *folder;
	char *cache;
	char *faults; /* FAKE_FAULT_COUNT */
	struct at_loop *loop;
	struct at_compile_queue *compile_queue;
	struct at_board *boards[FAKE_BOARDS_MAX];
	struct at_device_info infos[FAKE_BOARDS_MAX];
	size_t board_count;
	struct at_spec *spec;
	struct at_template template;
	struct at_evaluator *evaluator;
	struct begun begun[BEGUN_MAX];
	size_t begun_count;
	size_t out; /* not answered yet */
	char notes[2048];
	char states[2048];
	void (*ticked)(struct place *self);
	bool (*awaited)(const struct place *self);
	const char *awaited_note;
	pid_t awaited_end;
	void (*when_answered)(struct place *self);
	bool finals_are_out;
	size_t final_count;
	enum at_status finals_status;
	char error[sizeof(((struct at_error *)0)->text)];
	struct at_device_lock lock;
};

static void hear(void *context, enum at_notice_kind kind, const char *text)
{
	struct place *self = context;
	char *into = kind == AT_NOTICE_NOTE ? self->notes : self->states;
	size_t length = strlen(into);

	/* left out: the fake device's results have no tolerances worth telling, and
	   steps are no states */
	if (kind == AT_NOTICE_JUDGED || kind == AT_NOTICE_STEP)
		return;
	snprintf(into + length, sizeof(self->notes) - length, "%s\n", text);
}

static void tick(void *context)
{
	struct place *self = context;

	self->evaluator->ops->tick(self->evaluator);
	if (self->ticked)
		self->ticked(self);
	if (self->awaited && self->awaited(self))
		at_loop_stop(self->loop);
}

static void open_compile_queue(struct place *self, bool fresh)
{
	struct at_error err = { 0 };

	if (at_compile_queue_new(self->loop, 2, fresh, &self->compile_queue, &err))
		fail_msg("%s", err.text);
}

/* What the next place is set up with; tear_down() sets it back. */
struct given {
	const char *environment; /* "NAME=VALUE" for the processes; NULL: nothing */
	const char *space, *template; /* texts; NULL: those above */
	/* folders of locks and of compiled units; NULL: the test's own */
	const char *locks, *cache;
	/* for how long other programs on a board are waited for; 0: without end */
	double wait_seconds;
	const struct at_counterexamples *counterexamples; /* recorded */
	uint64_t night; /* its number */
	double budget_seconds; /* 0: none */
	const char *fault; /* FAKE_FAULT; NULL: none */
};
#define GIVEN(...) ((struct given){ __VA_ARGS__ })
#define USUAL GIVEN(.space = NULL)
static struct given given;
/* The cache of all tests, for the host's units: what the tuner has of its own is most
   of what the host compiles. */
static const char *shared_units;

static const struct fake_board one_board[1];

static void open_evaluator(struct place *self)
{
	const struct at_workers_options options = {
		.loop = self->loop,
		.compile_queue = self->compile_queue,
		.boards = self->boards,
		.infos = self->infos,
		.board_count = self->board_count,
		.spec = self->spec,
		.whole_spec = self->spec,
		.template = &self->template,
		.problem = &self->spec->problems[0],
		.toolchain = "test toolchain 1",
		.counterexamples = given.counterexamples,
		.night = given.night,
		.wait_seconds = given.wait_seconds,
	};
	struct at_error err = { 0 };

	if (at_workers_open(&options, &self->evaluator, &err))
		fail_msg("%s", err.text);
	self->evaluator->tell = hear;
	self->evaluator->tell_context = self;
	/* more often than in a session (TICK_MS), so that tests are quick */
	at_loop_tick(self->loop, 20, tick, self);
}

/* $PATH before install_sanitizer(); NULL: it is as it was */
static char *path_before;

static void set_up(struct place *self, const struct fake_board *boards, unsigned count)
{
	const char *template_is = given.template ? given.template : template_text;
	const char *space = given.space ? given.space : space_text;
	struct at_error err = { 0 };
	char *template;

	memset(self, 0, sizeof(*self));
	if (given.environment)
		putenv((char *)given.environment);
	if (given.fault) {
		/* a short patience makes pauses of some hundredths of a second */
		setenv("AUTOTUNE_PATIENCE", "6", 1);
		setenv("FAKE_FAULT", given.fault, 1);
	}
	self->folder = scratch_folder("workers");
	self->cache = scratch_path(self->folder, "cache");
	template = scratch_path(self->folder, "scale.test");
	setenv("AUTOTUNE_CACHE", given.cache ? given.cache : self->cache, 1);
	setenv("AUTOTUNE_LOCKS", given.locks ? given.locks : self->folder, 1);
	fake_boards_tell(self->folder, boards, count);
	self->faults = scratch_path(self->folder, "faults");
	setenv("FAKE_FAULT_COUNT", self->faults, 1);
	if (at_file_replace(template, template_is, strlen(template_is), &err) ||
		at_loop_new(NULL, &self->loop, &err))
		fail_msg("%s", err.text);
	open_compile_queue(self, false);
	for (unsigned i = 0; i < count; i++) {
		char id[32];

		snprintf(id, sizeof(id), "test:%u", i);
		at_board_new(self->loop, id, &self->boards[i]);
		if (at_probe_open(self->loop, self->boards[i], &self->infos[i], &err))
			fail_msg("%s", err.text);
	}
	self->board_count = count;
	free(template);
	template = scratch_path(self->folder, "a.cfg");
	if (at_spec_parse(space, strlen(space), template, &self->spec, &err) ||
		at_template_load(self->spec->template_path, &self->template, &err))
		fail_msg("%s", err.text);
	free(template);
	open_evaluator(self);
	self->evaluator->ops->hurry(self->evaluator, given.budget_seconds);
	alarm(HANGS_SECONDS);
}

static void tear_down(struct place *self)
{
	char name[64];

	alarm(0);
	unsetenv("FAKE_FAULT");
	unsetenv("AUTOTUNE_PATIENCE");
	if (path_before)
		setenv("PATH", path_before, 1);
	free(path_before);
	path_before = NULL;
	if (given.environment) {
		snprintf(name, sizeof(name), "%.*s",
			(int)strcspn(given.environment, "="), given.environment);
		unsetenv(name);
	}
	given = USUAL;
	self->evaluator->ops->close(self->evaluator);
	for (size_t i = 0; i < self->board_count; i++)
		at_board_free(self->boards[i]);
	at_compile_queue_free(self->compile_queue);
	at_loop_free(self->loop);
	at_template_release(&self->template);
	at_spec_free(self->spec);
	scratch_remove(self->folder);
	free(self->folder);
	free(self->cache);
	free(self->faults);
}

static void answered(struct at_task *task, const struct at_error *err)
{
	struct begun *begun = task->context;
	struct place *self = begun->place;

	begun->answers++;
	if (err) {
		begun->status = err->status;
		snprintf(self->error, sizeof(self->error), "%s", err->text);
		/* nothing more will be answered */
		self->out = 0;
	} else {
		begun->outcome = task->outcome;
		begun->time_ns = task->is_measured ? task->result.time_ns : 0;
		begun->is_copy = task->is_copy;
		begun->image = task->image;
		snprintf(begun->board, sizeof(begun->board), "%s", task->board);
		snprintf(begun->detail, sizeof(begun->detail), "%s", task->detail);
		self->out--;
	}
	if (self->when_answered)
		self->when_answered(self);
	if (self->out == 0)
		at_loop_stop(self->loop);
}

static enum at_status begin(
	struct place *self, uint16_t tile, uint16_t twin, bool first)
{
	const uint16_t configuration[] = { (uint16_t)(tile - 1), (uint16_t)(twin - 1) };
	struct begun *begun = &self->begun[self->begun_count];
	struct at_task *task;
	struct at_error err = { 0 };
	enum at_status status;

	assert_true(self->begun_count < BEGUN_MAX);
	if (self->evaluator->ops->plan(self->evaluator, configuration, &task, &err))
		fail_msg("%s", err.text);
	begun->place = self;
	task->how.first = first;
	task->answered = answered;
	task->context = begun;
	status = self->evaluator->ops->begin(self->evaluator, task, &err);
	at_task_free(task);
	if (status) {
		snprintf(self->error, sizeof(self->error), "%s", err.text);
		return status;
	}
	self->begun_count++;
	self->out++;
	assert_int_equal(begun->answers, 0);
	return AT_OK;
}

static void begin_all(struct place *self)
{
	for (uint16_t tile = 1; tile <= TILES; tile++)
		assert_int_equal(begin(self, tile, 1, tile == 1), AT_OK);
}

static void run(struct place *self)
{
	while (self->out)
		at_loop_run(self->loop);
}

static void measure_all(struct place *self)
{
	begin_all(self);
	run(self);
}

/* a board without a fault */
#define SOUND \
	{ \
		.dies_at = 0 \
	}

/* A case at a place that is set up with what is given, and with these boards. */
#define TEST_AT(...) AT_PLACE(TEST, __VA_ARGS__)
#define LONG_TEST_AT(...) AT_PLACE(LONG_TEST, __VA_ARGS__)
#define AT_PLACE(kind, name, what, ...) \
	static void name##_at(struct place *place); \
	kind(name) \
	{ \
		static const struct fake_board boards[] = { __VA_ARGS__ }; \
		struct place place; \
\
		given = what; \
		set_up(&place, boards, AT_COUNT_OF(boards)); \
		name##_at(&place); \
		tear_down(&place); \
	} \
	static void name##_at(struct place *place)

/* Runs the loop until is_so() holds, also after the last answer: for what a board does
   then. */
static void run_until(struct place *self, bool (*is_so)(const struct place *self))
{
	self->awaited = is_so;
	while (!is_so(self))
		at_loop_run(self->loop);
	self->awaited = NULL;
}

static bool is_noted(const struct place *self)
{
	return strstr(self->notes, self->awaited_note) != NULL;
}

static bool has_ended(const struct place *self)
{
	return kill(self->awaited_end, 0) && errno == ESRCH;
}

static size_t count_outcome(const struct place *self, enum at_outcome outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < self->begun_count; i++) {
		assert_int_equal(self->begun[i].answers, 1);
		count += self->begun[i].outcome == outcome;
	}
	return count;
}

static size_t count_on(const struct place *self, const char *board)
{
	size_t count = 0;

	for (size_t i = 0; i < self->begun_count; i++)
		count += !strcmp(self->begun[i].board, board);
	return count;
}

static void assert_noted(const struct place *self, const char *text)
{
	if (!strstr(self->notes, text))
		fail_msg("\"%s\" is not in \"%s\"", text, self->notes);
}

/* ---- several boards ---------------------------------------------------------- */

/* the first board is stopped from its first answer until the other board answers */
static void hold_the_first_board(struct place *self)
{
	pid_t process = (pid_t)fake_board_process(0);

	if (count_on(self, "test-1"))
		kill(process, SIGCONT);
	else if (count_on(self, "test-0") == 1)
		kill(process, SIGSTOP);
}

TEST_AT(two_boards_share_what_is_to_be_measured, USUAL, SOUND, SOUND)
{
	place->when_answered = hold_the_first_board;
	measure_all(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES);
	assert_true(count_on(place, "test-0") > 0);
	assert_true(count_on(place, "test-1") > 0);
	assert_int_equal(count_on(place, "test-0") + count_on(place, "test-1"), TILES);
	assert_string_equal(place->notes, "");
}

/* named once; this program and what may be its own process are not */
TEST_AT(who_else_computes_on_a_board_is_named, USUAL, { .is_shared = true }, SOUND)
{
	measure_all(place);
	assert_string_equal(place->notes,
		"others compute on test:0 too, and times may vary with what they do: trainer (process 18, 3 MiB)\n");
}

/* the first board is stopped from its first answer until the other one is left out */
static void hold_until_noted(struct place *self)
{
	pid_t process = (pid_t)fake_board_process(0);

	if (self->notes[0])
		kill(process, SIGCONT);
	else if (count_on(self, "test-0") == 1)
		kill(process, SIGSTOP);
}

TEST_AT(a_slower_board_is_said_and_left_out, USUAL, SOUND, { .slowness = 1.1 })
{
	place->awaited_end = (pid_t)fake_board_process(1);
	place->when_answered = place->ticked = hold_until_noted;
	measure_all(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES);
	assert_int_equal(count_on(place, "test-0"), TILES);
	assert_noted(place,
		"test:1 is left out: the same configuration takes 1.21 us there and 1.1 us on test:0\n");
	/* the board that is left out does not keep its process, and so its memory */
	begin(place, 1, 2, false);
	run(place);
	run_until(place, has_ended);
}

/* only the evaluation that it had begun is lost with it */
TEST(a_board_that_dies_costs_itself_and_what_it_was_at)
{
	for (unsigned dying = 0; dying < 2; dying++)
		for (unsigned dies_at = 1; dies_at < 40; dies_at += 12) {
			struct fake_board boards[2] = { { 0 } };
			struct place place;
			char note[64];
			size_t crashed;

			boards[dying].dies_at = dies_at;
			boards[dying].stays_dead = true;
			set_up(&place, boards, 2);
			begin_all(&place);
			run(&place);
			crashed = count_outcome(&place, AT_OUTCOME_CRASHED);
			assert_true(crashed <= 1);
			assert_int_equal(
				count_outcome(&place, AT_OUTCOME_OK), TILES - crashed);
			snprintf(note, sizeof(note), "test:%u is left out: ", dying);
			/* if not, it was still being compared when all was answered */
			place.awaited_note = note;
			if (fake_board_timed(dying) >= dies_at)
				run_until(&place, is_noted);
			tear_down(&place);
		}
}

TEST_AT(the_only_board_that_dies_ends_it_as_a_device, USUAL,
	{ .dies_at = 1, .stays_dead = true })
{
	size_t errors = 0;

	measure_all(place);
	for (size_t i = 0; i < place->begun_count; i++)
		if (place->begun[i].status) {
			errors++;
			assert_int_equal(place->begun[i].status, AT_EDEVICE);
		}
	assert_int_equal(errors, 1);
	assert_string_equal(place->error, "there is no device \"test:0\"");
	/* later requests fail at once with the same error */
	assert_int_equal(begin(place, 1, 2, false), AT_EDEVICE);
}

TEST(a_board_that_does_not_wake_is_left_out)
{
	static const struct fake_board boards[2] = { { .stays_asleep = true } };
	struct place place;

	set_up(&place, boards, 2);
	measure_all(&place);
	assert_int_equal(count_outcome(&place, AT_OUTCOME_OK), TILES);
	assert_int_equal(count_on(&place, "test-1"), TILES);
	assert_noted(&place, "test:0 is left out: device \"test:0\" does not wake\n");
	tear_down(&place);
	set_up(&place, boards, 1);
	measure_all(&place);
	assert_string_equal(place.error, "device \"test:0\" does not wake");
	assert_int_equal(begin(&place, 1, 2, false), AT_EUNAVAILABLE);
	tear_down(&place);
}

/* All warm up at the same time, each once; then no more of them work than the limit
   says. */
TEST_AT(compilers_warm_up_and_are_limited, USUAL, SOUND)
{
	struct at_compilers *compilers;

	compilers = at_compile_queue_compilers(place->compile_queue);
	at_compilers_warm(compilers, 5, "test_c");
	at_compilers_warm(compilers, 1, "unknown");
	begin(place, 1, 1, true);
	begin(place, 2, 1, false);
	run(place);
	assert_int_equal(fake_warmed(), 2);
	at_compilers_limit(compilers, 1);
	assert_int_equal(at_compilers_jobs(compilers), 1);
	begin(place, 3, 1, false);
	begin(place, 4, 1, false);
	assert_int_equal(at_compilers_running(compilers), 1);
	assert_int_equal(at_compilers_pending(compilers), 2);
	run(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), 4);
}

static void finals_answered(void *context, const struct at_error *err)
{
	struct place *self = context;

	self->finals_are_out = false;
	self->finals_status = err ? err->status : AT_OK;
	at_loop_stop(self->loop);
}

static void run_finals(struct place *self)
{
	const struct at_measure_finals how = { .blocks = 3, .rounds = 3, .seconds = 1 };
	const uint16_t rows[2][2] = { { 0, 0 }, { 1, 0 } };
	struct at_task *tasks[2];
	struct at_error err = { 0 };

	for (size_t i = 0; i < 2; i++)
		assert_int_equal(self->evaluator->ops->plan(
					 self->evaluator, rows[i], &tasks[i], &err),
			AT_OK);
	self->finals_are_out = true;
	self->final_count = 0;
	if (self->evaluator->ops->finals(
		    self->evaluator, tasks, 2, &how, finals_answered, self, &err))
		fail_msg("%s", err.text);
	while (self->finals_are_out)
		at_loop_run(self->loop);
	for (size_t i = 0; i < 2; i++) {
		self->final_count += tasks[i]->result.outcome == AT_OUTCOME_OK;
		at_task_free(tasks[i]);
	}
}

TEST_AT(finals_move_to_another_board_when_theirs_is_gone, USUAL, SOUND, SOUND)
{
	measure_all(place);
	fake_board_bury(0);
	at_board_retire(place->boards[0]);
	run_finals(place);
	assert_int_equal(place->finals_status, AT_OK);
	assert_int_equal(place->final_count, 2);
	assert_noted(place, "test:0 is left out: there is no device \"test:0\"\n");
}

/* ---- one board --------------------------------------------------------------- */

TEST_AT(what_hangs_is_timed_out_and_the_rest_goes_on, USUAL, { .hangs_at = 1 })
{
	place->spec->search.deadline_seconds = 0.3;
	measure_all(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_TIMED_OUT), 1);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES - 1);
}

/* the worker has both requests by then, since both were ready when it was started */
static void kill_who_hangs(struct place *self)
{
	if (fake_board_timed(0) != 1)
		return;
	kill((pid_t)fake_board_process(0), SIGKILL);
	self->ticked = NULL;
}

/* A kill by the system or a person says nothing about the configuration. */
TEST_AT(a_worker_that_is_killed_costs_no_configuration, USUAL, { .hangs_at = 1 })
{
	place->ticked = kill_who_hangs;
	for (uint16_t tile = 1; tile <= 2; tile++)
		assert_int_equal(begin(place, tile, 1, false), AT_OK);
	run(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), 2);
}

static void assert_verified(struct place *self, uint16_t tile, size_t verification_case,
	enum at_outcome outcome, const char *detail);

/* ---- clocks and power limits ------------------------------------------------- */

#define CLOCKED \
	SPACE_FILLED("uniform(-1, 1)") \
	"let: { CLOCK = \"TWIN == 2 ? 1500 : 0\"; };\n" \
	"board: { clock_mhz = \"CLOCK\"; power_watts = \"TWIN == 3 ? 200 : 0\"; };\n"

static void assert_clocks(const struct place *self, const char *expected)
{
	OWNED(free)
	char *note = scratch_path(self->folder, "autotune-test-0.lock.clocks");
	char found[512];

	fake_board_clocks(0, found, sizeof(found));
	assert_string_equal(found, expected);
	/* nothing is left to be given back */
	assert_false(at_file_exists(note));
}

static void measure(struct place *self, uint16_t tile, uint16_t twin)
{
	assert_int_equal(begin(self, tile, twin, false), AT_OK);
	run(self);
}

TEST(clocks_are_given_back_whatever_becomes_of_the_worker)
{
	static const struct {
		const char *space, *fault;
		uint16_t twin;
		enum at_outcome outcome;
		const char *log;
	} rows[] = {
		/* a space without the keys, and a configuration without values */
		{ space_text, NULL, 2, AT_OUTCOME_OK, "" },
		{ CLOCKED, NULL, 1, AT_OUTCOME_OK, "" },
		{ CLOCKED, NULL, 2, AT_OUTCOME_OK, "set 1500 0 0\nset 0 0 0\n" },
		{ CLOCKED, NULL, 3, AT_OUTCOME_OK, "set 0 0 200000\nset 0 0 0\n" },
		/* by kill -9, once, and in the way of a broken kernel */
		{ CLOCKED, "killed 2 1", 2, AT_OUTCOME_OK,
			"set 1500 0 0\nleft 1500 0 0\nset 1500 0 0\nset 0 0 0\n" },
		{ CLOCKED, "killed 2 1", 3, AT_OUTCOME_OK,
			"set 0 0 200000\nleft 0 0 250000\nset 0 0 200000\nset 0 0 0\n" },
		{ CLOCKED, "blocked 2 0", 2, AT_OUTCOME_TIMED_OUT,
			"set 1500 0 0\nleft 1500 0 0\n" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct place place;

		given = GIVEN(.space = rows[i].space, .fault = rows[i].fault);
		set_up(&place, one_board, 1);
		place.spec->search.deadline_seconds = 0.5;
		measure(&place, 2, rows[i].twin);
		assert_int_equal(place.begun[0].outcome, rows[i].outcome);
		assert_clocks(&place, rows[i].log);
		tear_down(&place);
	}
}

/* The image is the same, the time is not. */
TEST_AT(configurations_that_differ_in_clocks_alone_are_all_measured,
	GIVEN(.space = CLOCKED), SOUND)
{
	for (uint16_t twin = 1; twin <= 3; twin++)
		measure(place, 2, twin);
	for (size_t i = 0; i < 3; i++) {
		assert_false(place->begun[i].is_copy);
		for (size_t k = 0; k < i; k++)
			assert_false(at_hash_equal(
				place->begun[i].image, place->begun[k].image));
	}
}

static void stop_in_a_launch(struct place *self)
{
	if (at_file_exists(self->faults)) {
		self->evaluator->ops->stop(self->evaluator);
		self->out = 0;
		at_loop_stop(self->loop);
	}
}

TEST_AT(a_run_that_is_stopped_gives_the_clocks_back,
	GIVEN(.space = CLOCKED, .fault = "blocked 2 0"), SOUND)
{
	place->ticked = stop_in_a_launch;
	measure(place, 2, 2);
	assert_clocks(place, "set 1500 0 0\nleft 1500 0 0\n");
}

/* Notes of a run that was killed with all its processes, even by one that sets no
   clocks; what is no note is removed. is_open: the worker has opened the board. */
TEST(what_a_dead_run_left_is_given_back_by_the_next)
{
	static const struct {
		bool is_open;
		const char *note, *log;
	} rows[] = {
		{ true, "test test-0 1500 0 250000\n", "left 1500 0 250000\n" },
		{ true, "test test-0 1500", "" },
		{ true, "", "" },
		{ false, "test test-0 0 0 250000\n", "left 0 0 250000\n" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(scratch_drop) char *locks = scratch_folder("locks");
		OWNED(free)
		char *note = scratch_path(locks, "autotune-test-0.lock.clocks");
		struct place place;
		char log[512];

		given = GIVEN(.locks = locks);
		if (!rows[i].is_open)
			assert_ok(at_file_replace(
				note, rows[i].note, strlen(rows[i].note), &failure));
		set_up(&place, one_board, 1);
		if (rows[i].is_open) {
			assert_ok(at_file_replace(
				note, rows[i].note, strlen(rows[i].note), &failure));
			measure(&place, 2, 1);
		}
		fake_board_clocks(0, log, sizeof(log));
		assert_string_equal(log, rows[i].log);
		assert_false(at_file_exists(note));
		tear_down(&place);
	}
}

/* What cannot be given back is said with the way out, and nothing is measured. */
TEST_AT(clocks_that_cannot_be_given_back_end_the_run, GIVEN(.fault = "none -2 0"),
	SOUND)
{
	static const char line[] = "other test-0 1500 0 0\n";
	OWNED(free)
	char *note = scratch_path(place->folder, "autotune-test-0.lock.clocks");

	assert_ok(at_file_replace(note, line, strlen(line), &failure));
	measure(place, 2, 1);
	assert_int_equal(place->begun[0].status, AT_EUNAVAILABLE);
	assert_non_null(strstr(place->error,
		"autotune-test-0.lock.clocks, cannot be given back: unknown kind of device \"other\""));
	assert_non_null(strstr(
		place->error, "; set them with nvidia-smi, and remove the file"));
	assert_true(at_file_exists(note));
}

/* Waits until the note is written, or is not there any more: one that was cut short
   stays for the next run. */
static void await_note(const char *path, bool exists)
{
	const struct timespec moment = { 0, 1000000 };
	struct stat facts;

	while (exists ? stat(path, &facts) || !facts.st_size : at_file_exists(path))
		nanosleep(&moment, NULL);
}

/* By the guard of its worker. */
TEST(a_run_that_is_killed_gives_the_clocks_back)
{
	OWNED(scratch_drop) char *locks = scratch_folder("locks");
	OWNED(free) char *note = scratch_path(locks, "autotune-test-0.lock.clocks");
	char folder[512] = "", log[512];
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		struct place place;

		given = GIVEN(.space = CLOCKED, .fault = "blocked 2 0", .locks = locks);
		set_up(&place, one_board, 1);
		if (write(ends[1], place.folder, strlen(place.folder)) < 0)
			abort();
		measure(&place, 2, 2);
		abort();
	}
	alarm(HANGS_SECONDS);
	assert_true(read(ends[0], folder, sizeof(folder) - 1) > 0);
	await_note(note, true);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	await_note(note, false);
	alarm(0);
	setenv("FAKE_BOARDS", folder, 1);
	fake_board_clocks(0, log, sizeof(log));
	/* it was killed ahead of the first, or in the middle */
	if (strcmp(log, "left 1500 0 0\n") != 0)
		assert_string_equal(log, "set 1500 0 0\nleft 1500 0 0\n");
	scratch_remove(folder);
	close(ends[0]);
	close(ends[1]);
}

TEST(a_value_that_the_board_does_not_offer_is_refused_before_it_compiles)
{
	static const struct {
		const char *board, *no_clocks, *detail;
	} rows[] = {
		{ "clock_mhz = \"1000 + TWIN\";", "",
			"board.clock_mhz: \"1000 + TWIN\" is 1001, which test:0 does not offer: the nearest is 1005" },
		{ "clock_mhz = 1490;", "",
			"board.clock_mhz: \"1490\" is 1490, which test:0 does not offer: the nearest are 1485 and 1500" },
		{ "power_watts = 301;", "",
			"board.power_watts: \"301\" is 301: expected 100 to 300" },
		{ "clock_mhz = \"-TWIN\";", "",
			"board.clock_mhz: \"-TWIN\" is -1: expected 0 to 1000000" },
		{ "memory_clock_mhz = 1593;",
			"setting them needs root: run autotune as root",
			"board.memory_clock_mhz on test:0: setting them needs root: run autotune as root" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf space = { 0 };
		struct place place;
		unsigned compiled;

		at_strbuf_addf(&space, "%sboard: { %s };\n", space_text, rows[i].board);
		given = GIVEN(.space = at_strbuf_text(&space));
		set_up(&place, one_board, 1);
		snprintf(place.evaluator->info.device.no_clocks,
			sizeof(place.infos[0].no_clocks), "%s", rows[i].no_clocks);
		compiled = fake_compiled();
		measure(&place, 2, 1);
		assert_int_equal(place.begun[0].outcome, AT_OUTCOME_NOT_APPLICABLE);
		assert_string_equal(place.begun[0].detail, rows[i].detail);
		assert_int_equal(fake_compiled(), compiled);
		assert_clocks(&place, "");
		tear_down(&place);
	}
}

/* The right is seen only when it is used: no configuration is to blame. */
TEST_AT(where_clocks_cannot_be_set_the_run_ends,
	GIVEN(.space = CLOCKED, .environment = "FAKE_NO_CLOCKS=1",
		.fault = "none -2 0"),
	SOUND)
{
	char log[512];

	measure(place, 2, 2);
	assert_int_equal(place->begun[0].status, AT_EUNAVAILABLE);
	assert_non_null(strstr(place->error, "no such right"));
	fake_board_clocks(0, log, sizeof(log));
	assert_null(strstr(log, "1500"));
	assert_null(strstr(log, "left"));
}

/* ---- a machine that fails -------------------------------------------------------- */

#define FILTERED "the process was ended by signal 31 (Bad system call)"
#define ALONE \
	" (tried alone it failed again, while everything else worked on this machine)"

/* What happens a few times costs tries; what a configuration always does is its own. */
TEST(what_befalls_a_worker_costs_one_configuration_at_most)
{
	static const struct {
		const char *fault;
		int tile;
		const char *detail; /* of the tile, which has crashed; NULL: it is ok */
	} rows[] = {
		{ "killed 3 4", 3, NULL },
		{ "killed 0 3", 0, NULL },
		{ "killed 3 0", 3, "the process was ended by signal 9 (Killed)" ALONE },
		/* whatever filters calls of the system lets the others be measured */
		{ "filtered 3 0", 3, FILTERED ALONE },
		{ "garbage 0 1", 0, NULL },
		{ "garbage 5 0", 5, "wrote what is no message on its channel" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct place place;

		given = GIVEN(.fault = rows[i].fault);
		set_up(&place, one_board, 1);
		measure_all(&place);
		assert_string_equal(place.error, "");
		assert_int_equal(count_outcome(&place, AT_OUTCOME_OK),
			TILES - (rows[i].detail != NULL));
		if (rows[i].detail) {
			const struct begun *begun = &place.begun[rows[i].tile - 1];

			assert_int_equal(begun->outcome, AT_OUTCOME_CRASHED);
			assert_non_null(strstr(begun->detail, rows[i].detail));
		}
		tear_down(&place);
	}
}

/* is_first: the others are begun once the first has its answer */
TEST(where_all_die_of_a_call_none_has_crashed)
{
	for (int is_first = 0; is_first < 2; is_first++) {
		struct place place;

		given = GIVEN(.fault = "filtered -1 0");
		set_up(&place, one_board, 1);
		for (uint16_t tile = 1; tile <= TILES; tile++)
			assert_int_equal(
				begin(&place, tile, 1, is_first && tile == 1), AT_OK);
		run(&place);
		if (!strstr(place.error, FILTERED "; nothing was measured"))
			fail_msg("%s", place.error);
		for (size_t i = 0; i < place.begun_count; i++)
			assert_true(!place.begun[i].answers || place.begun[i].status);
		tear_down(&place);
	}
}

/* A setup whose driver hangs may take no longer than the budget, though a slow
   reference could. */
TEST_AT(a_setup_that_hangs_ends_with_the_budget,
	GIVEN(.fault = "blocked 0 0", .budget_seconds = 0.3), SOUND)
{
	measure_all(place);
	assert_string_equal(place->error,
		"device test:0: while running the reference, did not end within 0.3 s; a larger --budget waits longer");
}

/* The problem may be too large for the reference: that is reported, and the winner is
   verified on the other problems. */
TEST_AT(a_problem_whose_reference_fails_is_passed_over,
	GIVEN(.environment = "FAKE_EVEN_REFERENCE=1",
		.space = SPACE_FILLED(
			"uniform(-1, 1)") "verify: { derive = false; problems = ( { N = 50; }, { N = 51; } ); };\n"),
	{ 0 })
{
	assert_int_equal(place->evaluator->info.case_count, 3);
	assert_verified(place, 3, 0, AT_OUTCOME_OK, "");
	assert_verified(place, 3, 1, AT_OUTCOME_NOT_APPLICABLE,
		"while running the reference, the process ended");
	/* the space names it */
	assert_false(place->begun[0].is_unfit);
	assert_verified(place, 3, 0, AT_OUTCOME_OK, "");
}

/* ---- a channel ------------------------------------------------------------------- */

#define DEAF_ROLE "deaf"

/* A worker that runs, but to which nothing can be written. */
static int be_deaf(void)
{
	if (shutdown(AT_WORKER_DESCRIPTOR, SHUT_RD))
		return 1;
	for (;;)
		pause();
}

struct deaf {
	struct at_loop *loop;
	struct at_worker *worker;
	struct at_worker_end end;
	bool has_ended;
};

static void never_heard(
	void *context, enum at_message type, const void *body, size_t size)
{
	fail_msg("a deaf worker spoke");
}

static void deaf_ended(void *context, const struct at_worker_end *end)
{
	struct deaf *self = context;

	self->end = *end;
	self->has_ended = true;
	at_loop_stop(self->loop);
}

static void speak(void *context)
{
	struct deaf *self = context;
	struct at_wire_writer body = { { 0 } };

	if (self->has_ended)
		return;
	at_wire_put_text(&body, "is anybody there?");
	at_worker_send(self->worker, AT_MESSAGE_WARM, &body);
}

/* otherwise it would be waited for until its deadline, if it has one */
TEST(a_message_that_cannot_be_written_ends_its_worker)
{
	static const struct at_worker_events events = { never_heard, deaf_ended };
	struct deaf self = { 0 };

	alarm(HANGS_SECONDS);
	assert_int_equal(at_loop_new(NULL, &self.loop, NULL), AT_OK);
	assert_int_equal(at_worker_spawn(self.loop, DEAF_ROLE, &events, &self,
				 &self.worker, NULL),
		AT_OK);
	at_loop_tick(self.loop, 5, speak, &self);
	while (!self.has_ended)
		at_loop_run(self.loop);
	assert_int_equal(self.end.signal, SIGKILL);
	assert_false(self.end.timed_out);
	at_worker_free(self.worker);
	at_loop_free(self.loop);
	alarm(0);
}

/* ---- equal images ------------------------------------------------------------ */

TEST_AT(the_same_image_is_measured_once_and_told_to_all, USUAL, SOUND)
{
	size_t copies = 0;

	for (uint16_t twin = 1; twin <= 3; twin++)
		assert_int_equal(begin(place, 4, twin, false), AT_OK);
	run(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), 3);
	for (size_t i = 0; i < 3; i++) {
		copies += place->begun[i].is_copy;
		assert_true(place->begun[i].time_ns == 1400);
		assert_true(
			at_hash_equal(place->begun[i].image, place->begun[0].image));
		assert_string_equal(place->begun[i].board, "test-0");
	}
	assert_int_equal(copies, 2);
}

/* the first configuration is compiled with the others, but measured before them */
TEST_AT(the_first_does_not_wait_for_its_like, USUAL, SOUND)
{
	for (uint16_t twin = 1; twin <= 3; twin++)
		assert_int_equal(begin(place, 4, twin, twin == 1), AT_OK);
	run(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), 3);
	assert_false(place->begun[0].is_copy);
	assert_true(place->begun[1].is_copy && place->begun[2].is_copy);
}

/* ---- the cache --------------------------------------------------------------- */

/* begins the next run, which shares nothing with the first one but the cache */
static void begin_another_run(struct place *self, bool fresh)
{
	self->evaluator->ops->close(self->evaluator);
	at_compile_queue_free(self->compile_queue);
	open_compile_queue(self, fresh);
	open_evaluator(self);
	self->begun_count = 0;
	memset(self->begun, 0, sizeof(self->begun));
}

static unsigned compiled_in_a_run(struct place *self, bool fresh)
{
	unsigned before = fake_compiled();

	begin_another_run(self, fresh);
	measure_all(self);
	assert_int_equal(count_outcome(self, AT_OUTCOME_OK), TILES);
	return fake_compiled() - before;
}

static unsigned touched;

static int damage(
	const char *path, const struct stat *facts, int flag, struct FTW *walk)
{
	FILE *file;

	if (flag != FTW_F || facts->st_size < 100)
		return 0;
	file = fopen(path, "r+");
	assert_non_null(file);
	assert_int_equal(fseek(file, -1, SEEK_END), 0);
	assert_int_equal(fputc(0x7f, file), 0x7f);
	assert_int_equal(fclose(file), 0);
	touched++;
	return 0;
}

static int throw_out(
	const char *path, const struct stat *facts, int flag, struct FTW *walk)
{
	if (flag == FTW_F) {
		assert_int_equal(remove(path), 0);
		touched++;
	}
	return 0;
}

TEST_AT(what_was_compiled_once_is_not_compiled_again, USUAL, SOUND)
{
	/* the configurations, the reference, also in double, and the tuner's own
	 * kernels
	 */
	const unsigned units = TILES + 3;

	assert_int_equal(compiled_in_a_run(place, false), units);
	assert_int_equal(compiled_in_a_run(place, false), 0);
	assert_int_equal(compiled_in_a_run(place, true), units);
	touched = 0;
	nftw(place->cache, damage, 8, FTW_PHYS);
	assert_int_equal(touched, units);
	assert_int_equal(compiled_in_a_run(place, false), units);
	assert_int_equal(compiled_in_a_run(place, false), 0);
}

/* All that a unit's file needs is a folder of two digits: where a file has that name
   nothing can be written, not even by root, as on a disk that is full. */
static void block(const char *folder)
{
	for (unsigned i = 0; i < 256; i++) {
		char path[600];
		FILE *file;

		snprintf(path, sizeof(path), "%s/%02x", folder, i);
		file = fopen(path, "w");
		assert_non_null(file);
		assert_int_equal(fclose(file), 0);
	}
}

TEST_AT(without_room_in_the_cache_units_are_of_this_run_only, USUAL, SOUND)
{
	block(place->cache);
	measure_all(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES);
	assert_noted(place, "compiled kernels are not kept for the next run: ");
	assert_noted(place, ".unit: cannot write it: Not a directory\n");
	/* it is noted once */
	assert_null(strstr(strchr(place->notes, '\n') + 1, "kept"));
}

TEST_AT(without_room_anywhere_it_ends_with_one_line, USUAL, SOUND)
{
	RELEASED(at_strbuf_release) struct at_strbuf own = { 0 };

	begin_another_run(place, true);
	setenv("AUTOTUNE_PATIENCE", "0", 1);
	at_strbuf_addf(&own, "%s/units", at_loop_folder(place->loop));
	block(own.data);
	measure_all(place);
	assert_non_null(strstr(place->error, "cannot write it: Not a directory"));
	/* the configuration that was begun last gets the error */
	assert_int_equal(place->begun[TILES - 1].status, AT_EMACHINE);
}

static size_t count_waiting(const struct place *self)
{
	struct at_evaluator_load load;

	self->evaluator->ops->load(self->evaluator, &load);
	return load.waiting + load.measuring;
}

/* this test has the board's lock meanwhile, so not even the setup has begun */
static void empty_the_cache_when_all_is_compiled(struct place *self)
{
	if (count_waiting(self) < TILES || self->lock.file <= 0 ||
		!at_board_waiting_ns(self->boards[0]))
		return;
	nftw(self->cache, throw_out, 8, FTW_PHYS);
	at_device_lock_close(&self->lock);
}

TEST_AT(units_that_leave_the_cache_are_compiled_again, USUAL, SOUND)
{
	at_device_lock_open(&place->lock, "test-0");
	at_device_lock_take(&place->lock);
	place->ticked = empty_the_cache_when_all_is_compiled;
	touched = 0;
	measure_all(place);
	assert_int_equal(touched, TILES + 3);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES);
	assert_int_equal(fake_compiled(), 2 * (TILES + 3));
}

/* ---- another run ------------------------------------------------------------- */

/* with the first answer, before the other board is compared */
static void lose_the_calibration(struct place *self)
{
	if (!touched)
		nftw(self->cache, throw_out, 8, FTW_PHYS);
}

TEST_AT(a_board_is_not_left_out_for_a_unit_that_is_lost, USUAL, SOUND, SOUND)
{
	place->when_answered = lose_the_calibration;
	touched = 0;
	measure_all(place);
	assert_true(touched > 0);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES);
	assert_string_equal(place->notes, "");
}

static void lose_the_second_unit(struct place *self)
{
	if (self->lock.file <= 0 || count_waiting(self) < 3 ||
		!at_board_waiting_ns(self->boards[0]))
		return;
	nftw(self->cache, throw_out, 8, FTW_PHYS);
	at_device_lock_close(&self->lock);
}

TEST_AT(a_unit_that_is_lost_costs_no_setup, USUAL, SOUND)
{
	long process;

	begin(place, 1, 1, true);
	run(place);
	process = fake_board_process(0);
	at_device_lock_open(&place->lock, "test-0");
	at_device_lock_take(&place->lock);
	place->ticked = lose_the_second_unit;
	for (uint16_t tile = 2; tile <= 4; tile++)
		begin(place, tile, 1, false);
	run(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), 4);
	/* four configurations, three units of the setup, and the one that was lost; the
	   first that waits has read its unit already */
	assert_int_equal(fake_compiled(), 7 + 3 + 2);
	assert_int_equal(fake_board_process(0), process);
}

static void let_go_when_told(struct place *self)
{
	if (self->states[0])
		at_device_lock_close(&self->lock);
}

TEST_AT(another_run_is_waited_for_and_not_charged, USUAL, SOUND)
{
	uint64_t begun_ns, spent_ns, real_ns = at_clock_now_ns();
	char text[128], owner[64];

	begun_ns = place->evaluator->ops->now_ns(place->evaluator);
	at_device_lock_open(&place->lock, "test-0");
	/* workers are named by the run that started them, here this process */
	at_device_lock_take(&place->lock);
	place->ticked = let_go_when_told;
	measure_all(place);
	real_ns = at_clock_now_ns() - real_ns;
	spent_ns = place->evaluator->ops->now_ns(place->evaluator) - begun_ns;
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES);
	at_process_describe((int64_t)getpid(), owner, sizeof(owner));
	snprintf(text, sizeof(text), "waiting for another autotune on test:0, %s\n",
		owner);
	assert_memory_equal(place->states, text, strlen(text));
	/* the wait, which is reported after a second, does not count as spent */
	assert_true(spent_ns + UINT64_C(1000000000) <= real_ns);
}

/* Another run has the lock and never drops it. */
TEST_AT(a_stranger_is_waited_for_as_long_as_was_asked, GIVEN(.wait_seconds = 0.3),
	SOUND)
{
	char text[160], owner[64];
	size_t told = 0;

	at_device_lock_open(&place->lock, "test-0");
	at_device_lock_take(&place->lock);
	measure_all(place);
	at_device_lock_close(&place->lock);
	/* after the first error nothing else is answered */
	for (size_t i = 0; i < TILES; i++)
		told += place->begun[i].status == AT_EUNAVAILABLE;
	assert_int_equal(told, 1);
	at_process_describe((int64_t)getpid(), owner, sizeof(owner));
	snprintf(text, sizeof(text),
		"device test:0: %s has had it for 300 ms, longer than --wait: end that, or wait longer",
		owner);
	assert_string_equal(place->error, text);
}

TEST_AT(a_board_without_a_lock_is_told_and_used, GIVEN(.locks = "/nowhere"), SOUND)
{
	measure_all(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES);
	assert_string_equal(place->notes,
		"runs on test:0 do not take turns, and disturb each other's times: no lock at /nowhere/autotune-test-0.lock: No such file or directory (AUTOTUNE_LOCKS names the folder)\n");
}

/* The folder of locks, and the file of the lock of "test-0". */
static char *lock_folder, *lock_path;

static int make_lock_folder(void **state)
{
	lock_folder = scratch_folder("lock");
	lock_path = scratch_path(lock_folder, "autotune-test-0.lock");
	return setenv("AUTOTUNE_LOCKS", lock_folder, 1);
}

static int remove_lock_folder(void **state)
{
	scratch_remove(lock_folder);
	free(lock_path);
	free(lock_folder);
	return 0;
}

#define LOCK_TEST(name) TEST_WITH(name, make_lock_folder, remove_lock_folder)

/* Anybody may have made the lock's file: it is not changed, and locks work with it. */
LOCK_TEST(a_lock_leaves_the_file_as_it_is)
{
	struct at_device_lock lock, other;
	struct stat before, after;
	int64_t owner;

	assert_int_equal(at_file_replace(lock_path, "private", 7, NULL), AT_OK);
	assert_int_equal(chmod(lock_path, 0600), 0);
	assert_int_equal(stat(lock_path, &before), 0);
	at_device_lock_open(&lock, "test-0");
	at_device_lock_open(&other, "test-0");
	assert_true(at_device_lock_try(&lock, &owner));
	assert_false(at_device_lock_try(&other, &owner));
	/* the system names the owner, whatever the file contains */
	assert_int_equal(owner, getpid());
	at_device_lock_drop(&lock);
	assert_true(at_device_lock_try(&other, &owner));
	at_device_lock_close(&lock);
	at_device_lock_close(&other);
	assert_int_equal(stat(lock_path, &after), 0);
	assert_true(before.st_mode == after.st_mode && after.st_size == 7);
}

/* Whoever tidies the folder up takes no lock away: two who have opened what was there
   before still exclude each other, and whoever comes later. */
LOCK_TEST(a_lock_outlives_its_file)
{
	struct at_device_lock lock, other, late;
	int64_t owner;

	at_device_lock_open(&lock, "test-0");
	at_device_lock_open(&other, "test-0");
	assert_int_equal(unlink(lock_path), 0);
	assert_true(at_device_lock_try(&lock, &owner));
	at_device_lock_open(&late, "test-0");
	assert_false(at_device_lock_try(&late, &owner));
	assert_false(at_device_lock_try(&other, &owner));
	/* who has no lock removes no file */
	at_device_lock_remove(&late);
	assert_int_equal(access(lock_path, F_OK), 0);
	at_device_lock_remove(&lock);
	assert_int_equal(access(lock_path, F_OK), -1);
	at_device_lock_take(&other);
	at_device_lock_open(&late, "test-0");
	assert_false(at_device_lock_try(&late, &owner));
	at_device_lock_close(&late);
	at_device_lock_close(&other);
}

/* A lock's file that is made here may be read by all users, whatever the umask, and
   written by none. */
LOCK_TEST(a_lock_that_is_made_is_for_all)
{
	struct at_device_lock lock;
	struct stat facts;
	mode_t mask = umask(077);

	at_device_lock_open(&lock, "test-0");
	umask(mask);
	assert_true(lock.file > 0);
	assert_int_equal(stat(lock_path, &facts), 0);
	assert_int_equal(facts.st_mode & 07777, 0444);
	at_device_lock_close(&lock);
}

static int link_to_a_diary(void)
{
	char *diary = scratch_path(lock_folder, "diary");
	int code = at_file_replace(diary, "dear diary", 10, NULL) ||
		   symlink("diary", lock_path);

	free(diary);
	return code;
}

static int make_pipe(void)
{
	return mkfifo(lock_path, 0666);
}

static int make_folder(void)
{
	return mkdir(lock_path, 0777);
}

/* without a lock everything else still works, and what the link is to stays as it is */
LOCK_TEST(what_is_no_file_is_no_lock)
{
	static const struct {
		int (*make)(void);
		const char *why;
	} rows[] = {
		{ make_pipe, "is not a file" },
		{ make_folder, "is not a file" },
		{ link_to_a_diary, "autotune-test-0.lock: is a link" },
	};
	char *diary = scratch_path(lock_folder, "diary"), *text;
	size_t size;

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_device_lock lock;
		int64_t owner;

		assert_int_equal(rows[i].make(), 0);
		at_device_lock_open(&lock, "test-0");
		assert_true(lock.file <= 0);
		assert_non_null(strstr(lock.why, rows[i].why));
		assert_true(at_device_lock_try(&lock, &owner));
		at_device_lock_take(&lock);
		at_device_lock_close(&lock);
		assert_int_equal(remove(lock_path), 0);
	}
	assert_int_equal(at_file_read(diary, 0, &text, &size, NULL), AT_OK);
	assert_string_equal(text, "dear diary");
	free(text);
	free(diary);
}

/* ---- from inside an answer --------------------------------------------------- */

static void stop_and_begin(struct place *self)
{
	if (self->begun_count != TILES)
		return;
	self->evaluator->ops->stop(self->evaluator);
	self->out = 0;
	assert_int_equal(begin(self, 5, 2, false), AT_OK);
}

TEST_AT(an_answer_may_stop_all_and_begin_anew, USUAL, SOUND, SOUND)
{
	size_t answers = 0;

	place->when_answered = stop_and_begin;
	measure_all(place);
	for (size_t i = 0; i < place->begun_count; i++)
		answers += place->begun[i].answers;
	/* who stopped the others, and who came after them */
	assert_int_equal(answers, 2);
	assert_int_equal(place->begun[TILES].answers, 1);
	assert_int_equal(place->begun[TILES].outcome, AT_OUTCOME_OK);
}

static void cancel(struct place *self)
{
	self->evaluator->ops->cancel(self->evaluator, 60);
}

TEST_AT(what_is_called_off_is_answered_once, USUAL, SOUND, SOUND)
{
	place->when_answered = cancel;
	begin_all(place);
	for (uint16_t twin = 2; twin <= 3; twin++)
		for (uint16_t tile = 1; tile <= TILES; tile++)
			begin(place, tile, twin, false);
	run(place);
	assert_true(count_outcome(place, AT_OUTCOME_NONE) > 0);
	assert_int_equal(count_outcome(place, AT_OUTCOME_NONE) +
				 count_outcome(place, AT_OUTCOME_OK),
		(size_t)3 * TILES);
	assert_int_equal(count_waiting(place), 0);
	/* begun again, nothing waits for those that were cancelled */
	place->when_answered = NULL;
	place->begun_count = 0;
	memset(place->begun, 0, sizeof(place->begun));
	measure_all(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES);
}

/* ---- what goes wrong while no caller waits -------------------------------------- */

TEST_AT(an_error_that_nobody_heard_is_told_to_the_next,
	GIVEN(.environment = "FAKE_NO_SUPPORT=1"), SOUND)
{
	enum at_status status;

	assert_int_equal(begin(place, 1, 1, true), AT_OK);
	place->evaluator->ops->cancel(place->evaluator, 60);
	run(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_NONE), 1);
	status = begin(place, 2, 1, false);
	run(place);
	if (!status)
		status = place->begun[1].status;
	assert_int_equal(status, AT_EINVAL);
	/* by now the error is known, so that beginning fails at once */
	assert_int_equal(begin(place, 3, 1, false), AT_EINVAL);
	assert_non_null(strstr(place->error, "the unit of the tuner's own kernels"));
}

static void verified(void *context, const struct at_verification_answer *answer,
	const struct at_error *err)
{
	struct place *self = context;

	assert_null(err);
	self->begun[0].outcome = answer->outcome;
	self->begun[0].is_unfit = answer->is_unfit;
	self->begun[0].reference_fails = answer->reference_fails;
	snprintf(self->begun[0].detail, sizeof(self->begun[0].detail), "%s",
		answer->detail);
	self->begun[0].answers++;
	self->out--;
	at_loop_stop(self->loop);
}

/* if nothing was measured before, a verification has to ask for the units of its setup
 * itself
 */
TEST_AT(a_verification_that_does_not_compile_is_answered,
	GIVEN(.environment = "FAKE_NO_TILE_7=1"), SOUND)
{
	const uint16_t configuration[] = { 6, 0 };
	struct at_error err = { 0 };

	assert_int_equal(place->evaluator->ops->verify(place->evaluator, configuration,
				 0, 0, verified, place, &err),
		AT_OK);
	place->out = place->begun_count = 1;
	run(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_COMPILE_FAILED), 1);
}

/* ---- sizes without a value ------------------------------------------------------- */

static void assert_verified(struct place *self, uint16_t tile, size_t verification_case,
	enum at_outcome outcome, const char *detail)
{
	const uint16_t configuration[] = { (uint16_t)(tile - 1), 0 };
	struct begun *begun = &self->begun[0];
	struct at_error err = { 0 };

	memset(begun, 0, sizeof(*begun));
	assert_int_equal(self->evaluator->ops->verify(self->evaluator, configuration,
				 verification_case, 0, verified, self, &err),
		AT_OK);
	self->out = self->begun_count = 1;
	run(self);
	assert_int_equal(begun->answers, 1);
	if (begun->outcome != outcome || !strstr(begun->detail, detail))
		fail_msg("tile %u, case %zu is %s (%s)", tile, verification_case,
			at_outcome_name(begun->outcome), begun->detail);
}

TEST_AT(a_space_without_a_domain_is_verified_on_the_default_list, USUAL, SOUND)
{
	static const char *const names[] = { "p", "case N=99", "case N=101",
		"case N=1009", "case N=75", "case N=98", "case N=64", "case N=1",
		"case N=2", "case N=1031" };

	assert_int_equal(place->evaluator->info.case_count, AT_COUNT_OF(names));
	for (size_t i = 0; i < AT_COUNT_OF(names); i++) {
		assert_string_equal(
			place->evaluator->ops->case_name(place->evaluator, i),
			names[i]);
		assert_verified(place, 3, i, AT_OUTCOME_OK, "");
	}
	/* it is noted once */
	assert_string_equal(place->notes,
		"the space declares no \"domain\": winners are verified on 9 cases of the default list, where the baseline is right on them (\"derive = false\" in verify leaves them out)\n");
}

/* The same night draws the same cases, and their numbers say nothing of them. */
TEST(recorded_cases_come_first_and_a_nights_own_last)
{
	struct at_counterexample items[] = {
		{ .instance = (char *)"{\"sizes\": {\"N\": 37}, \"seed\": 5}" },
		{ .instance = (char *)"{\"sizes\": {\"N\": 37}, \"seed\": 6}" },
		{ .instance = (char *)"{\"sizes\": {\"GONE\": 37}}" },
	};
	const struct at_counterexamples list = { .count = 3, .items = items };
	char space[2000], names[2][400] = { "" };

	snprintf(space, sizeof(space),
		"%s domain: { N = \"1 .. 100\"; }; verify: { derive = false; cases = 4; };",
		space_text);
	for (uint64_t night = 0; night < 4; night++) {
		const struct at_evaluator_info *info;
		struct place place;
		char found[400] = "";

		given = GIVEN(.space = space, .counterexamples = &list,
			.night = night < 3 ? night : 2);
		set_up(&place, one_board, 1);
		info = &place.evaluator->info;
		assert_int_equal(info->replay_count, 1);
		assert_int_equal(info->night_first, 2 + 4);
		assert_int_equal(info->case_count, 2 + 4 + (night ? 4 : 0));
		assert_string_equal(place.evaluator->ops->case_name(place.evaluator, 1),
			"case N=37");
		/* with less data than the tuned problem, which has more elements */
		assert_in_range(place.evaluator->ops->case_bytes(place.evaluator, 1), 1,
			place.evaluator->ops->case_bytes(place.evaluator, 0) - 1);
		for (size_t i = info->night_first; i < info->case_count; i++)
			snprintf(found + strlen(found), sizeof(found) - strlen(found),
				"%s,",
				place.evaluator->ops->case_name(place.evaluator, i));
		/* the two next to the tuned size are in every list */
		for (size_t i = 0; night && i < 2; i++)
			assert_int_equal(place.evaluator->ops->case_id(place.evaluator,
						 info->night_first + i),
				place.evaluator->ops->case_id(place.evaluator, 2 + i));
		if (night == 1 || night == 2)
			memcpy(names[night - 1], found, sizeof(found));
		else if (night)
			assert_string_equal(found, names[1]);
		assert_verified(&place, 3, 1, AT_OUTCOME_OK, "");
		tear_down(&place);
	}
	assert_string_not_equal(names[0], names[1]);
}

/* here the problem of one element, which divides by N - 1 */
TEST_AT(a_default_case_that_makes_no_sense_is_left_out,
	GIVEN(.space = SPACE_FILLED("uniform(0, 10 / (N - 1))")), { 0 })
{
	assert_int_equal(place->evaluator->info.case_count, 9);
	assert_verified(place, 3, 8, AT_OUTCOME_OK, "");
}

/* the baseline is right there, so the case makes sense and the winner is wrong */
TEST_AT(who_fails_on_a_default_case_is_refused_where_the_baseline_is_right,
	GIVEN(.environment = "FAKE_EVEN_TILES=23"), SOUND)
{
	unsigned compiled;

	assert_verified(place, 2, 0, AT_OUTCOME_OK, "");
	compiled = fake_compiled();
	assert_verified(place, 2, 1, AT_OUTCOME_WRONG_RESULT,
		"(the baseline is right there; if that never comes: domain: { N = \"4 .. 100\"; constraints = ( \"N % 4 == 0\" ); };)");
	/* only the baseline was compiled for that size */
	assert_int_equal(fake_compiled(), compiled + 1);
	compiled = fake_compiled();
	/* and is not asked again for the next winner */
	assert_verified(place, 3, 1, AT_OUTCOME_WRONG_RESULT, "y[98] is ");
	assert_in_range(fake_compiled(), compiled, compiled + 1);
}

/* of all extents that were one less */
TEST_AT(a_refusal_names_the_numbers_that_matter,
	GIVEN(.space = SPACE_SIZED("uniform(-1, 1)", DEFAULTS, "M = 40; ", "N + M"),
		.environment = "FAKE_EVEN_TILES=23"),
	SOUND)
{
	assert_verified(place, 2, 1, AT_OUTCOME_WRONG_RESULT,
		"domain: { N = \"4 .. 100\"; constraints = ( \"N % 4 == 0\" ); };)");
}

TEST_AT(a_case_that_the_baseline_fails_on_refuses_no_winner,
	GIVEN(.environment = "FAKE_EVEN_TILES=12345678"), SOUND)
{
	unsigned compiled;

	assert_verified(place, 3, 1, AT_OUTCOME_NOT_APPLICABLE,
		"the baseline is not right on it either (y[98] is ");
	assert_true(place->begun[0].is_unfit);
	assert_false(place->begun[0].reference_fails);
	compiled = fake_compiled();
	assert_verified(place, 4, 1, AT_OUTCOME_NOT_APPLICABLE, "nothing promises it");
	assert_true(place->begun[0].is_unfit);
	assert_int_equal(fake_compiled(), compiled);
	assert_verified(place, 4, 0, AT_OUTCOME_OK, "");
}

LONG_TEST_AT(what_hangs_once_others_were_timed_is_not_waited_for_long,
	GIVEN(.fault = "blocked 2 0"), SOUND)
{
	assert_int_equal(begin(place, 1, 1, false), AT_OK);
	run(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), 1);
	place->evaluator->ops->race(place->evaluator, 0, 0.1);
	assert_int_equal(begin(place, 2, 1, false), AT_OK);
	run(place);
	assert_string_equal(place->begun[1].detail, "did not end within 3 s");
	/* its neighbours may hang, too */
	setenv("FAKE_FAULT", "blocked 3 0", 1);
	assert_int_equal(begin(place, 3, 1, false), AT_OK);
	run(place);
	assert_string_equal(place->begun[2].detail, "did not end within 1.5 s");
}

/* when it has come to the board, however busy the machine is */
static void cancel_after_a_while(struct place *self)
{
	static const uint64_t while_ns = 1000000000;
	static uint64_t begun_ns;

	if (!begun_ns)
		begun_ns = at_clock_now_ns();
	if (at_clock_now_ns() - begun_ns > while_ns)
		self->evaluator->ops->cancel(self->evaluator, 0);
}

TEST_AT(what_hangs_is_called_off_with_the_rest, GIVEN(.fault = "blocked 2 0"), SOUND)
{
	assert_int_equal(begin(place, 1, 1, false), AT_OK);
	run(place);
	place->ticked = cancel_after_a_while;
	assert_int_equal(begin(place, 2, 1, false), AT_OK);
	run(place);
	assert_int_equal(place->begun[1].outcome, AT_OUTCOME_NONE);
	/* the board goes on, and the configuration may be begun again */
	place->ticked = NULL;
	setenv("FAKE_FAULT", "blocked 3 0", 1);
	assert_int_equal(begin(place, 2, 1, false), AT_OK);
	run(place);
	assert_int_equal(place->begun[2].outcome, AT_OUTCOME_OK);
}

/* the others may take a second to compile on a busy machine */
static void drop_slow_compiles(struct place *self)
{
	size_t answered = 0;

	for (size_t i = 0; i < self->begun_count; i++)
		answered += self->begun[i].answers;
	if (answered == TILES - 1)
		self->evaluator->ops->drop_slow_compiles(self->evaluator, 0);
}

TEST_AT(a_unit_that_takes_too_long_to_compile_is_left_out,
	GIVEN(.environment = "FAKE_ENDLESS_TILE_7=1"), SOUND)
{
	place->ticked = drop_slow_compiles;
	measure_all(place);
	assert_int_equal(count_outcome(place, AT_OUTCOME_OK), TILES - 1);
	assert_int_equal(place->begun[6].outcome, AT_OUTCOME_NONE);
	assert_noted(place,
		"configurations that take longer than 1.00 s to compile, and ten times the median, are left out; a longer --budget waits for them\n");
}

/* Each launch that does not end costs a deadline: where the baseline does not end
   either, that says nothing, and soon it is not asked any more. */
TEST_AT(where_the_baseline_is_late_it_is_seldom_asked, GIVEN(.fault = "blocked -1 0"),
	SOUND)
{
	static const size_t expected[] = { 2, 4, 5 };
	char *text;
	size_t bytes;

	place->spec->search.deadline_seconds = 1;
	for (size_t i = 0; i < AT_COUNT_OF(expected); i++) {
		assert_verified(
			place, 2, i + 1, AT_OUTCOME_NOT_APPLICABLE, "the baseline ");
		assert_false(place->begun[0].is_unfit);
		assert_int_equal(
			at_file_read(place->faults, 1000, &text, &bytes, NULL), AT_OK);
		assert_int_equal(bytes, expected[i]);
		free(text);
	}
	/* a problem of the space is another matter */
	assert_verified(place, 3, 0, AT_OUTCOME_TIMED_OUT, "");
}

/* What was drawn may be too long for the device: then the baseline is late there, too.
 */
TEST(a_case_of_the_domain_is_left_out_where_the_baseline_is_late_too)
{
	static const struct {
		const char *fault;
		double deadline_seconds;
		enum at_outcome outcome;
		const char *detail;
	} rows[] = {
		{ "blocked -1 0", 1, AT_OUTCOME_NOT_APPLICABLE,
			"the baseline does not end in time" },
		/* enough for the baseline on a busy machine */
		{ "blocked 3 0", 4, AT_OUTCOME_TIMED_OUT, "" },
	};
	char space[2000];

	snprintf(space, sizeof(space), "%s domain: { N = \"1 .. 100\"; };", space_text);
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct place place;

		given = GIVEN(.space = space, .fault = rows[i].fault);
		set_up(&place, one_board, 1);
		place.spec->search.deadline_seconds = rows[i].deadline_seconds;
		assert_verified(&place, 3, 1, rows[i].outcome, rows[i].detail);
		tear_down(&place);
	}
}

TEST_AT(a_default_case_that_the_reference_does_not_stand_is_passed_over,
	GIVEN(.environment = "FAKE_EVEN_REFERENCE=1"), SOUND)
{
	assert_verified(place, 3, 1, AT_OUTCOME_NOT_APPLICABLE,
		"while running the reference, the process ended");
	assert_true(place->begun[0].is_unfit);
	assert_true(place->begun[0].reference_fails);
	assert_verified(place, 3, 0, AT_OUTCOME_OK, "");
	assert_false(place->begun[0].is_unfit);
}

/* ---- checks beside the verifications
 * --------------------------------------------------- */

/* What a check came to: the winner is verified before, so that its problem is set up.
 */
static void check_beside(struct place *self, uint16_t tile, uint16_t witness_tile,
	enum at_check check, double seconds)
{
	const uint16_t configuration[] = { (uint16_t)(tile - 1), 0 };
	const uint16_t witness[] = { (uint16_t)(witness_tile - 1), 0 };
	struct at_error err = { 0 };

	assert_int_equal(self->evaluator->ops->verify(self->evaluator, configuration, 0,
				 0, verified, self, &err),
		AT_OK);
	self->begun_count = 1;
	self->out = 1;
	run(self);
	assert_int_equal(self->begun[0].outcome, AT_OUTCOME_OK);
	self->evaluator->ops->check(self->evaluator, configuration,
		witness_tile ? witness : NULL, check, seconds, verified, self);
	self->begun[0].answers = 0;
	self->out = 1;
	run(self);
	assert_int_equal(self->begun[0].answers, 1);
}

/* beside the defaults */
static void check(
	struct place *self, uint16_t tile, enum at_check check, double seconds)
{
	check_beside(self, tile, 1, check, seconds);
}

static void write_in(const struct place *self, const char *name, const char *text)
{
	OWNED(free) char *path = scratch_path(self->folder, name);
	struct at_error err = { 0 };

	if (at_file_replace(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
}

/*
 * A compute-sanitizer that watches nothing. As the real one does, it stays the parent
 * of what it starts, and writes its report when that has ended: report-1 at its first
 * call, report-2 at its second; where that is not there, one of no errors.
 */
static void install_sanitizer(struct place *self, const char *last_words)
{
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	OWNED(free) char *path = scratch_path(self->folder, "compute-sanitizer");

	at_strbuf_addf(&text,
		"#!/bin/sh\n"
		"folder='%s'\n"
		"while :; do case \"$1\" in\n"
		"--tool) echo \"$2\" >> $folder/tools; shift 2;;\n"
		"--log-file) log=$2; shift 2;;\n"
		"--*) shift 2;;\n"
		"*) break;;\n"
		"esac; done\n"
		"echo x >> $folder/calls\n"
		"report=$folder/report-$(($(wc -l < $folder/calls)))\n"
		"%s\n"
		"if [ -f $report ]; then cat $report > \"$log\"\n"
		"else echo '========= ERROR SUMMARY: 0 errors' > \"$log\"; fi\n",
		self->folder, last_words);
	write_in(self, "compute-sanitizer", at_strbuf_text(&text));
	assert_int_equal(chmod(path, 0700), 0);
	at_strbuf_clear(&text);
	path_before = strdup(getenv("PATH"));
	at_strbuf_addf(&text, "%s:%s", self->folder, path_before);
	setenv("PATH", at_strbuf_text(&text), 1);
}

static size_t calls_of_sanitizer(const struct place *self)
{
	char *path = scratch_path(self->folder, "calls"), *text = NULL;
	size_t size = 0;

	if (at_file_read(path, 0, &text, &size, NULL))
		size = 0;
	free(text);
	free(path);
	return size / 2;
}

static void assert_detail(const struct place *self, const char *text)
{
	if (!strstr(self->begun[0].detail, text))
		fail_msg("\"%s\" is not in \"%s\"", text, self->begun[0].detail);
}

#define RACE_IN(kernel) \
	"========= COMPUTE-SANITIZER\n" \
	"========= Error: Race reported between Write access at " kernel "+0x90\n" \
	"=========     and Read access at " kernel "+0xa0 [96 hazards]\n" \
	"=========\n" \
	"========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n"

TEST_AT(a_sanitizer_that_finds_nothing_is_passed, USUAL, SOUND)
{
	install_sanitizer(place, "\"$@\"");
	for (int i = AT_CHECK_RACECHECK; i < AT_CHECK_COUNT; i++) {
		check(place, 3, (enum at_check)i, 20);
		assert_string_equal(place->begun[0].detail, "");
		assert_int_equal(place->begun[0].outcome, AT_OUTCOME_OK);
	}
	assert_int_equal(calls_of_sanitizer(place), 4);
}

TEST(what_a_sanitizer_finds_is_believed_where_the_defaults_pass)
{
	static const struct {
		uint16_t tile;
		const char *reports[2];
		enum at_outcome outcome;
		const char *detail;
		size_t calls;
	} rows[] = {
		{ 3, { RACE_IN("scale"), NULL }, AT_OUTCOME_UNSTABLE,
			"Race reported between Write access at scale+0x90 and Read access at scale+0xa0 [96 hazards]",
			2 },
		/* the tuner's own kernels, and the reference, are not judged */
		{ 3, { RACE_IN("at_compare"), NULL }, AT_OUTCOME_OK, "", 1 },
		{ 3, { RACE_IN("scale_reference"), NULL }, AT_OUTCOME_OK, "", 1 },
		{ 3, { RACE_IN("scale"), RACE_IN("scale") }, AT_OUTCOME_NOT_APPLICABLE,
			"the defaults fail it too, so it does not count: Race", 2 },
		{ 1, { RACE_IN("scale"), NULL }, AT_OUTCOME_NOT_APPLICABLE,
			"the defaults fail it too, so it does not count: Race", 1 },
		{ 3, { "========= COMPUTE-SANITIZER\n", NULL },
			AT_OUTCOME_NOT_APPLICABLE, "ended before its report did", 1 },
		{ 3, { RACE_IN("scale"), "nothing\n" }, AT_OUTCOME_NOT_APPLICABLE,
			"it is not known whether the defaults pass", 2 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct place place;

		set_up(&place, one_board, 1);
		install_sanitizer(&place, "\"$@\"");
		for (int k = 0; k < 2; k++)
			if (rows[i].reports[k])
				write_in(&place, k ? "report-2" : "report-1",
					rows[i].reports[k]);
		check(&place, rows[i].tile, AT_CHECK_RACECHECK, 20);
		assert_int_equal(place.begun[0].outcome, rows[i].outcome);
		assert_detail(&place, rows[i].detail);
		assert_int_equal(calls_of_sanitizer(&place), rows[i].calls);
		tear_down(&place);
	}
}

TEST(a_sanitizer_that_does_not_work_refuses_nobody)
{
	static const struct {
		const char *last_words;
		double seconds;
		const char *detail;
	} rows[] = {
		{ "echo cannot attach >&2; exit 1", 20,
			"there is no report: cannot attach" },
		{ "read line < $folder/never", 0.2,
			"it did not end in the time that it was given" },
		{ "report=$folder/empty; : > $report", 20,
			"ended before its report did" },
		{ "", 20, "its process ended early" },
	};
	char *path_in;

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct place place;

		set_up(&place, one_board, 1);
		install_sanitizer(&place, rows[i].last_words);
		/* no process ever writes to it */
		path_in = scratch_path(place.folder, "never");
		assert_int_equal(mkfifo(path_in, 0600), 0);
		free(path_in);
		check(&place, 3, AT_CHECK_MEMCHECK, rows[i].seconds);
		assert_int_equal(place.begun[0].outcome, AT_OUTCOME_NOT_APPLICABLE);
		assert_detail(&place, rows[i].detail);
		/* the board goes on with other work */
		check(&place, 4, AT_CHECK_MEMCHECK, rows[i].seconds);
		tear_down(&place);
	}
}

TEST_AT(a_check_is_called_off_with_everything_else, USUAL, SOUND)
{
	const uint16_t configuration[] = { 2, 0 };

	install_sanitizer(place, "\"$@\"");
	check(place, 3, AT_CHECK_RACECHECK, 20);
	for (int i = AT_CHECK_HOST; i <= AT_CHECK_RACECHECK; i++) {
		place->evaluator->ops->check(place->evaluator, configuration,
			configuration, (enum at_check)i, 20, verified, place);
		place->evaluator->ops->stop(place->evaluator);
	}
	check(place, 4, AT_CHECK_RACECHECK, 20);
	assert_int_equal(place->begun[0].outcome, AT_OUTCOME_OK);
}

/* for device "test" it is a name and a number, for the host it is what it says */
#define TEMPLATE(kernel, reference) \
	"extern \"C\" __global__ void scale(const float *x, float *y, int n)\n" \
	"{ for (int i = 0; i < n; i++) y[i] = " kernel " * x[i]; }\n" \
	"extern \"C\" __global__ void scale_reference(const float *x, float *y, int n)\n" \
	"{ for (int i = 0; i < n; i++) y[i] = " reference " * x[i]; }\n"

LONG_TEST(a_winner_that_is_wrong_on_the_host_is_refused)
{
	static const struct {
		const char *template;
		uint16_t tile;
		enum at_outcome outcome;
		const char *detail;
	} rows[] = {
		{ TEMPLATE("2.5f", "2.5f"), 5, AT_OUTCOME_OK, "" },
		{ TEMPLATE("(TILE == 5 ? 3.0f : 2.5f)", "2.5f"), 5,
			AT_OUTCOME_WRONG_RESULT, "on problem \"" },
		/* wrong at all tiles: that is the dialect, or the reference */
		{ TEMPLATE("3.0f", "2.5f"), 5, AT_OUTCOME_NOT_APPLICABLE,
			"the defaults fail it too, so it does not count: on problem" },
		/* inline PTX, say */
		{ TEMPLATE("2.5f", "2.5f") "#if TILE == 5\nnonsense\n#endif\n", 5,
			AT_OUTCOME_NOT_APPLICABLE, "compile_failed there: " },
		{ template_text, 5, AT_OUTCOME_NOT_APPLICABLE, "does not compile for" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct place place;

		given = GIVEN(.template = rows[i].template, .cache = shared_units);
		set_up(&place, one_board, 1);
		check(&place, rows[i].tile, AT_CHECK_HOST, 50);
		assert_int_equal(place.begun[0].outcome, rows[i].outcome);
		assert_detail(&place, rows[i].detail);
		/* once more: what there is of the host is there already */
		check(&place, 2, AT_CHECK_HOST, 50);
		tear_down(&place);
	}
}

TEST(without_defaults_another_configuration_is_the_witness)
{
	static const struct {
		const char *template;
		uint16_t tile, witness;
		enum at_outcome outcome;
		const char *detail;
	} rows[] = {
		{ TEMPLATE("(TILE == 5 ? 3.0f : 2.5f)", "2.5f"), 5, 3,
			AT_OUTCOME_WRONG_RESULT, "on problem \"" },
		{ TEMPLATE("(TILE > 4 ? 3.0f : 2.5f)", "2.5f"), 5, 6,
			AT_OUTCOME_NOT_APPLICABLE,
			"another configuration fails it too, so it does not count: on problem" },
		{ TEMPLATE("3.0f", "2.5f"), 5, 0, AT_OUTCOME_NOT_APPLICABLE,
			"it fails, but without defaults or another configuration that is right it is not known whether the configuration or the check is at fault: on problem" },
		{ TEMPLATE("2.5f", "2.5f"), 5, 0, AT_OUTCOME_OK, "" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct place place;

		given = GIVEN(.template = rows[i].template, .cache = shared_units,
			.space = SPACE_WITH("uniform(-1, 1)", ""));
		set_up(&place, one_board, 1);
		check_beside(&place, rows[i].tile, rows[i].witness, AT_CHECK_HOST, 50);
		assert_int_equal(place.begun[0].outcome, rows[i].outcome);
		assert_detail(&place, rows[i].detail);
		tear_down(&place);
	}
}

TEST_AT(a_host_that_takes_too_long_refuses_nobody,
	GIVEN(.template = TEMPLATE("2.5f", "2.5f"), .cache = shared_units), SOUND)
{
	check(place, 5, AT_CHECK_HOST, 0.001);
	assert_int_equal(place->begun[0].outcome, AT_OUTCOME_NOT_APPLICABLE);
	assert_detail(place, "it did not end in the time that it was given");
}

/* It takes the smaller problem of two, and none where the smaller one is not for it:
   the tests' device is the one with so small a cache. */
TEST(the_host_is_not_asked_for_what_takes_it_hours)
{
	static const struct {
		const char *space;
		enum at_outcome outcome;
	} rows[] = {
		{ SPACE_FILLED(
			  "uniform(-1, 1)") "verify: { derive = false; problems = ( { N = 10000000; } ); };\n",
			AT_OUTCOME_OK },
		{ SPACE_FILLED(
			  "uniform(-1, 1)") "constraints = ( \"N > 100 || device.l2_bytes == 4096\" );"
					    "verify: { derive = false; problems = ( { N = 10000000; } ); };\n",
			AT_OUTCOME_NOT_APPLICABLE },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct place place;

		given = GIVEN(.template = TEMPLATE("2.5f", "2.5f"),
			.cache = shared_units, .space = rows[i].space);
		set_up(&place, one_board, 1);
		check(&place, 5, AT_CHECK_HOST, 50);
		assert_int_equal(place.begun[0].outcome, rows[i].outcome);
		assert_detail(&place,
			rows[i].outcome == AT_OUTCOME_OK
				? ""
				: "no problem of the space suits the configuration on the host and has at most 64 MiB of data there: a small one in verify.problems would do");
		tear_down(&place);
	}
}

struct told {
	bool is_inside;
	unsigned count;
	struct at_loop *loop;
};

static void told_of_no_compiler(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *err)
{
	struct told *told = context;

	assert_false(told->is_inside);
	assert_null(path);
	assert_null(result);
	assert_int_equal(err->status, AT_EIO);
	told->count++;
	at_loop_stop(told->loop);
}

static void told_of_no_board(
	void *context, const struct at_device_info *info, const struct at_error *err)
{
	struct told *told = context;

	assert_false(told->is_inside);
	assert_null(info);
	assert_int_equal(err->status, AT_EIO);
	told->count++;
	at_loop_stop(told->loop);
}

TEST(a_worker_that_does_not_start_is_told_from_the_loop)
{
	char nothing[] = "", toolchain[] = "test_c";
	const struct at_compile_request request = { .toolchain = toolchain,
		.architecture = nothing,
		.name = nothing,
		.directory = nothing,
		.source = nothing };
	struct told told = { .is_inside = true };
	OWNED(free) char *folder = scratch_folder("workers");
	struct at_board *board;
	struct at_compile_queue *compile_queue;
	struct at_error err = { 0 };

	alarm(HANGS_SECONDS);
	setenv("AUTOTUNE_CACHE", folder, 1);
	assert_int_equal(at_loop_new("/nowhere/autotune", &told.loop, &err), AT_OK);
	assert_int_equal(
		at_compile_queue_new(told.loop, 2, false, &compile_queue, &err), AT_OK);
	at_board_new(told.loop, "test:0", &board);
	for (uint64_t i = 1; i <= 3; i++)
		assert_int_equal(at_compile_queue_want(compile_queue, &request,
					 (struct at_hash){ i, i }, false,
					 told_of_no_compiler, &told, &err),
			AT_OK);
	at_board_open(board, told_of_no_board, &told);
	told.is_inside = false;
	while (told.count < 4)
		at_loop_run(told.loop);
	at_board_free(board);
	at_compile_queue_free(compile_queue);
	at_loop_free(told.loop);
	scratch_remove(folder);
	alarm(0);
}

int main(int argc, char **argv)
{
	const char *units = getenv("AUTOTUNE_CACHE");

	/* the variable changes with each place */
	shared_units = units ? at_strdup(units) : NULL;
	fake_device_add();
	fake.kernels = kernels;
	fake.compiles = compiles;
	if (argc >= 3 && !strcmp(argv[2], DEAF_ROLE))
		return be_deaf();
	if (argc >= 3 && !strcmp(argv[1], AT_WORKER_OPTION))
		return at_worker_main(argv + 2);
	return run_suite(argc, argv, NULL, NULL);
}
