/* The evaluator that replays recordings in virtual time, and planted spaces. */
#include "folder.h"
#include "base/objective.h"
#include "evaluator/replay/planted.h"
#include "evaluator/replay/replay.h"
#include "record/recording_build.h"
#include "record/store.h"
#include "session/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

/*
 * Configurations 1 to 5; compiling takes 4, 2, 3, 1 and 2 s, measuring 1, 3, 2, nothing
 * (it fails) and 1 s.
 */
static const char recorded[] =
	"{\"device_name\": \"A board\", \"tune_params_keys\": [\"a\"], \"cache\": {"
	"\"1\": {\"a\": 1, \"time\": 5, \"times\": [4, 6], \"compile_time\": 4000, \"benchmark_time\": 1000},"
	"\"2\": {\"a\": 2, \"time\": 4, \"times\": [4], \"compile_time\": 2000, \"benchmark_time\": 3000},"
	"\"3\": {\"a\": 3, \"time\": 3, \"times\": [3, 3, 3], \"compile_time\": 3000, \"benchmark_time\": 2000},"
	"\"4\": {\"a\": 4, \"time\": \"RuntimeFailedConfig\", \"compile_time\": 1000, \"benchmark_time\": 700},"
	"\"5\": {\"a\": 5, \"time\": 2, \"compile_time\": 2000, \"benchmark_time\": 1000}}}";

static struct at_recording *read_text(const char *text)
{
	struct at_recording *recording = NULL;
	struct at_error err = { 0 };
	char *copy = strdup(text);

	assert_non_null(copy);
	if (at_recording_read_text("small.json", copy, strlen(copy), &recording, &err))
		fail_msg("%s", err.text);
	free(copy);
	return recording;
}

/* What was answered, in order. */
struct heard {
	struct at_evaluator *evaluator;
	size_t count;
	struct {
		int configuration;
		double seconds;
		enum at_outcome outcome;
		char detail[64];
		double time_ns;
		size_t samples;
	} answers[32];
	size_t finals;
	size_t verifications;
	size_t calls;
	bool closes; /* at the first answer */
};

static void answered(struct at_task *task, const struct at_error *err)
{
	struct heard *heard = task->context;
	size_t i = heard->count++;

	assert_null(err);
	heard->answers[i].configuration = (int)task->index;
	heard->answers[i].seconds =
		(double)heard->evaluator->ops->now_ns(heard->evaluator) * 1e-9;
	heard->answers[i].outcome = task->outcome;
	snprintf(heard->answers[i].detail, sizeof(heard->answers[i].detail), "%.60s",
		task->detail);
	if (task->is_measured) {
		heard->answers[i].time_ns = task->result.time_ns;
		heard->answers[i].samples = task->result.sample_count;
	}
	if (heard->closes)
		heard->evaluator->ops->close(heard->evaluator);
}

static struct at_evaluator *open_replay(
	const struct at_recording *recording, size_t compilers, struct heard *heard)
{
	const struct at_replay_options options = {
		.recording = recording,
		.compilers = compilers,
		.seed = 1,
	};

	memset(heard, 0, sizeof(*heard));
	assert_int_equal(at_replay_open(&options, &heard->evaluator, NULL), AT_OK);
	return heard->evaluator;
}

/* A case with what is recorded above, and so many compilers. */
#define REPLAY_TEST(name, compilers) \
	static void name##_of(struct heard *heard); \
	TEST(name) \
	{ \
		struct at_recording *recording = read_text(recorded); \
		struct heard heard; \
\
		open_replay(recording, compilers, &heard); \
		name##_of(&heard); \
		heard.evaluator->ops->close(heard.evaluator); \
		at_recording_free(recording); \
	} \
	static void name##_of(struct heard *heard)

static struct at_task *plan(struct heard *heard, int configuration)
{
	uint16_t row[1] = { (uint16_t)(configuration - 1) };
	struct at_task *task;

	assert_int_equal(
		heard->evaluator->ops->plan(heard->evaluator, row, &task, NULL), AT_OK);
	task->index = (uint64_t)configuration;
	return task;
}

static void begin_task(struct heard *heard, struct at_task *task)
{
	task->answered = answered;
	task->context = heard;
	assert_int_equal(
		heard->evaluator->ops->begin(heard->evaluator, task, NULL), AT_OK);
	at_task_free(task);
}

static void begin(struct heard *heard, int configuration)
{
	begin_task(heard, plan(heard, configuration));
}

static void check_schedule(size_t compilers, const int *order, const double *seconds)
{
	OWNED(at_recording_free) struct at_recording *recording = read_text(recorded);
	struct heard heard;

	open_replay(recording, compilers, &heard);
	for (int i = 1; i <= 5; i++)
		begin(&heard, i);
	assert_int_equal(heard.count, 0);
	at_replay_run(heard.evaluator);
	assert_int_equal(heard.count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(heard.answers[i].configuration, order[i]);
		assert_float_equal(heard.answers[i].seconds, seconds[i], 1e-9);
	}
	heard.evaluator->ops->close(heard.evaluator);
}

/*
 * Compiled until 4, 6, 9, 10 and 12; at the board 4-5, 6-9, 9-11, 12-13, and the fourth
 * fails as soon as it is compiled.
 */
TEST(one_compiler_and_a_board_take_turns_as_computed_by_hand)
{
	static const int order[] = { 1, 2, 4, 3, 5 };
	static const double seconds[] = { 5, 9, 10, 11, 13 };

	check_schedule(1, order, seconds);
}

/*
 * Compiled until 4, 2, 3, 1, and the fifth from 1 to 3, when the third is through too
 * and comes first; at the board 2 from 2 to 5, 3 from 5 to 7, 5 from 7 to 8, 1 from 8
 * to 9.
 */
TEST(four_compilers_take_turns_as_computed_by_hand)
{
	static const int order[] = { 4, 2, 3, 5, 1 };
	static const double seconds[] = { 1, 5, 7, 8, 9 };

	check_schedule(4, order, seconds);
}

REPLAY_TEST(what_is_recorded_is_what_is_answered, 1)
{
	begin(heard, 1);
	begin(heard, 4);
	begin(heard, 5);
	at_replay_run(heard->evaluator);
	assert_int_equal(heard->answers[0].outcome, AT_OUTCOME_OK);
	assert_float_equal(heard->answers[0].time_ns, 5e6, 1e-3);
	assert_int_equal(heard->answers[0].samples, 2);
	assert_int_equal(heard->answers[1].outcome, AT_OUTCOME_LAUNCH_FAILED);
	assert_string_equal(heard->answers[1].detail, "RuntimeFailedConfig");
	/* without samples its time is the only one */
	assert_int_equal(heard->answers[2].samples, 1);
	assert_float_equal(heard->answers[2].time_ns, 2e6, 1e-3);
}

REPLAY_TEST(what_is_not_at_the_board_is_called_off, 1)
{
	for (int i = 1; i <= 3; i++)
		begin(heard, i);
	/* 4 s: the first is compiled and goes to the board */
	assert_true(at_replay_step(heard->evaluator));
	assert_true(at_replay_step(heard->evaluator));
	heard->evaluator->ops->cancel(heard->evaluator, 60);
	at_replay_run(heard->evaluator);
	assert_int_equal(heard->count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(heard->answers[i].outcome,
			heard->answers[i].configuration == 1 ? AT_OUTCOME_OK
							     : AT_OUTCOME_NONE);
	/* the compiler is free again */
	begin(heard, 5);
	at_replay_run(heard->evaluator);
	assert_float_equal(heard->answers[3].seconds, 8, 1e-9);
}

static void call(void *context)
{
	((struct heard *)context)->calls++;
}

REPLAY_TEST(what_is_stopped_is_not_answered_and_new_work_is, 2)
{
	begin(heard, 1);
	heard->evaluator->ops->later(heard->evaluator, call, heard);
	heard->evaluator->ops->stop(heard->evaluator);
	begin(heard, 5);
	at_replay_run(heard->evaluator);
	assert_int_equal(heard->count, 1);
	assert_int_equal(heard->answers[0].configuration, 5);
	assert_float_equal(heard->answers[0].seconds, 3, 1e-9);
	assert_int_equal(heard->calls, 1);
}

TEST(it_may_be_closed_from_within_an_answer)
{
	OWNED(at_recording_free) struct at_recording *recording = read_text(recorded);
	struct heard heard;

	open_replay(recording, 2, &heard);
	begin(&heard, 4);
	heard.closes = true;
	at_replay_run(heard.evaluator);
	assert_int_equal(heard.count, 1);
}

REPLAY_TEST(says_how_much_is_where, 3)
{
	struct at_evaluator_load load;

	assert_int_equal(heard->evaluator->ops->capacity(heard->evaluator), 8);
	for (int i = 1; i <= 5; i++)
		begin(heard, i);
	/* after 2 s the second is compiled and goes to the board, after 3 s the third,
	   and the fourth, which began after 2 s, is through only a moment later */
	at_replay_step(heard->evaluator);
	at_replay_step(heard->evaluator);
	heard->evaluator->ops->load(heard->evaluator, &load);
	assert_int_equal(load.compiling, 3);
	assert_int_equal(load.waiting, 1);
	assert_int_equal(load.measuring, 1);
	at_replay_run(heard->evaluator);
	heard->evaluator->ops->load(heard->evaluator, &load);
	assert_int_equal(load.compiling + load.waiting + load.measuring, 0);
}

static void finals_answered(void *context, const struct at_error *err)
{
	struct heard *heard = context;

	assert_null(err);
	heard->finals++;
}

static void hold_finals(struct heard *heard, uint64_t seed, uint32_t rounds,
	double seconds, struct at_task *const *tasks)
{
	const struct at_measure_finals options = {
		.blocks = 6, .rounds = rounds, .seconds = seconds, .seed = seed
	};

	assert_int_equal(heard->evaluator->ops->finals(heard->evaluator, tasks, 2,
				 &options, finals_answered, heard, NULL),
		AT_OK);
	at_replay_run(heard->evaluator);
}

REPLAY_TEST(finals_draw_from_the_recorded_samples_by_their_seed, 1)
{
	struct at_task *tasks[2];
	const struct at_measure_result *final;
	double first[30];
	size_t low = 0;

	tasks[0] = plan(heard, 1);
	tasks[1] = plan(heard, 3);
	final = &tasks[0]->result;
	begin(heard, 5);
	hold_finals(heard, 3, 5, 100, tasks);
	/* not before what was begun had been answered */
	assert_int_equal(heard->count, 1);
	assert_float_equal(heard->answers[0].seconds, 3, 1e-9);
	assert_int_equal(heard->finals, 1);
	for (size_t i = 0; i < 30; i++) {
		double sample = final->samples_ns[i];

		assert_true(fabs(sample - 4e6) < 1 || fabs(sample - 6e6) < 1);
		low += sample < 5e6;
		first[i] = sample;
		assert_float_equal(tasks[1]->result.samples_ns[i], 3e6, 1e-3);
	}
	/* both come up; never in 30 has a chance of 1e-9 */
	assert_true(low > 0 && low < 30);
	hold_finals(heard, 3, 5, 100, tasks);
	assert_memory_equal(first, final->samples_ns, sizeof(first));
	hold_finals(heard, 4, 5, 100, tasks);
	assert_memory_not_equal(first, final->samples_ns, sizeof(first));
	/* a round takes 8 ms, in all blocks 48: after 100 there is no time for another
	 */
	hold_finals(heard, 3, 5, 0.1, tasks);
	assert_int_equal(final->sample_count, 18);
	hold_finals(heard, 3, 5, 0, tasks);
	assert_int_equal(final->sample_count, 12);
	assert_int_equal(final->block_count, 6);
	at_task_free(tasks[0]);
	at_task_free(tasks[1]);
}

/* ---- spaces that number otherwise ---------------------------------------------- */

static const char two_parameters[] =
	"{\"tune_params_keys\": [\"a\", \"fixed\", \"b\"], \"cache\": {"
	"\"1\": {\"a\": 1, \"fixed\": 3, \"b\": 0, \"time\": 5},"
	"\"2\": {\"a\": 2, \"fixed\": 3, \"b\": 0, \"time\": 6},"
	"\"3\": {\"a\": 2, \"fixed\": 3, \"b\": 1, \"time\": 7}}}";

TEST(configurations_are_matched_by_names_and_values)
{
	OWNED(at_recording_free)
	struct at_recording *recording = read_text(two_parameters);
	static const struct at_value booleans[] = {
		{ .type = AT_TYPE_BOOLEAN, .integer = 1 },
		{ .type = AT_TYPE_BOOLEAN, .integer = 0 },
	};
	static const struct at_value numbers[] = {
		{ .type = AT_TYPE_INTEGER, .integer = 2 },
		{ .type = AT_TYPE_INTEGER, .integer = 9 },
		{ .type = AT_TYPE_INTEGER, .integer = 1 },
	};
	static const struct at_search_parameter parameters[] = {
		{ "b", AT_TYPE_BOOLEAN, 2, booleans },
		{ "a", AT_TYPE_INTEGER, 3, numbers },
	};
	/* b, a as they are numbered, and the time; 0: it was not recorded */
	static const struct {
		uint16_t row[2];
		double time_ns;
	} cases[] = {
		{ { 1, 2 }, 5e6 }, { { 1, 0 }, 6e6 }, { { 0, 0 }, 7e6 },
		{ { 0, 2 }, 0 }, /* its values are there, and not together */
		{ { 0, 1 }, 0 }, /* 9 is not there */
	};
	const struct at_replay_options options = {
		.recording = recording,
		.compilers = 1,
		.parameters = parameters,
		.parameter_count = 2,
	};
	struct heard heard = { 0 };

	assert_int_equal(at_replay_open(&options, &heard.evaluator, NULL), AT_OK);
	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_task *task;

		assert_int_equal(heard.evaluator->ops->plan(
					 heard.evaluator, cases[i].row, &task, NULL),
			AT_OK);
		assert_int_equal(task->plan.outcome,
			cases[i].time_ns > 0 ? AT_OUTCOME_OK
					     : AT_OUTCOME_NOT_APPLICABLE);
		begin_task(&heard, task);
		at_replay_run(heard.evaluator);
		assert_float_equal(heard.answers[i].time_ns, cases[i].time_ns, 1e-3);
		if (cases[i].time_ns == 0)
			assert_string_equal(heard.answers[i].detail,
				"is not in the recording small");
	}
	heard.evaluator->ops->close(heard.evaluator);
}

static struct at_hash key_of(struct at_evaluator *evaluator, const uint16_t *row)
{
	struct at_task *task;
	struct at_hash key;

	assert_int_equal(evaluator->ops->plan(evaluator, row, &task, NULL), AT_OK);
	key = task->plan.key;
	at_task_free(task);
	return key;
}

/* or a record would take one configuration's times for those of another one */
TEST(keys_outlive_values_that_leave_the_space)
{
	static const struct at_value booleans[] = {
		{ .type = AT_TYPE_BOOLEAN, .integer = 0 },
		{ .type = AT_TYPE_BOOLEAN, .integer = 1 },
	};
	static const struct at_value numbers[] = {
		{ .type = AT_TYPE_INTEGER, .integer = 2 },
		{ .type = AT_TYPE_INTEGER, .integer = 1 },
	};
	static const struct at_search_parameter all[] = {
		{ "b", AT_TYPE_BOOLEAN, 2, booleans },
		{ "a", AT_TYPE_INTEGER, 2, numbers },
	};
	static const struct at_search_parameter less[] = {
		{ "b", AT_TYPE_BOOLEAN, 2, booleans },
		{ "a", AT_TYPE_INTEGER, 1, numbers + 1 },
	};
	OWNED(at_recording_free)
	struct at_recording *recording = read_text(two_parameters);
	struct at_replay_options options = {
		.recording = recording,
		.compilers = 1,
		.parameters = all,
		.parameter_count = 2,
	};
	struct at_evaluator *before, *after;

	(void)state;
	assert_int_equal(at_replay_open(&options, &before, NULL), AT_OK);
	options.parameters = less;
	assert_int_equal(at_replay_open(&options, &after, NULL), AT_OK);
	assert_true(at_hash_equal(key_of(before, (uint16_t[]){ 0, 1 }),
		key_of(after, (uint16_t[]){ 0, 0 })));
	assert_false(at_hash_equal(key_of(before, (uint16_t[]){ 0, 0 }),
		key_of(after, (uint16_t[]){ 0, 0 })));
	before->ops->close(before);
	after->ops->close(after);
}

TEST(parameters_that_do_not_match_are_refused)
{
	OWNED(at_recording_free)
	struct at_recording *recording = read_text(two_parameters);
	static const struct at_value numbers[] = {
		{ .type = AT_TYPE_INTEGER, .integer = 1 },
		{ .type = AT_TYPE_INTEGER, .integer = 2 },
	};
	static const struct at_search_parameter less[] = {
		{ "a", AT_TYPE_INTEGER, 2, numbers },
	};
	static const struct at_search_parameter more[] = {
		{ "a", AT_TYPE_INTEGER, 2, numbers },
		{ "b", AT_TYPE_INTEGER, 2, numbers },
		{ "c", AT_TYPE_INTEGER, 2, numbers },
	};
	struct at_replay_options options = { .recording = recording, .compilers = 1 };
	struct at_evaluator *evaluator = NULL;
	struct at_error err = { 0 };

	options.parameters = less;
	options.parameter_count = 1;
	assert_int_equal(at_replay_open(&options, &evaluator, &err), AT_EINVAL);
	assert_string_equal(err.text,
		"was recorded with a parameter \"b\", which the space lacks: add it with the value that the template has");
	at_error_clear(&err);
	options.parameters = more;
	options.parameter_count = 3;
	assert_int_equal(at_replay_open(&options, &evaluator, &err), AT_EINVAL);
	assert_string_equal(err.text, "was recorded without the parameter \"c\"");
}

/* ---- a whole tuning ------------------------------------------------------------ */

static const char space_text[] =
	"kernel: { name = \"recorded\"; template = \"" AT_TEST_DIR
	"/data/result/functions.cu\"; reference = \"plain\"; };\n"
	"problems = ( { name = \"p\"; N = 64; } );\n"
	"parameters: { a = [ 1, 2, 3, 4, 5 ]; };\n"
	"defaults: { a = 1; };\n"
	"launch: { block = ( \"32\" ); grid = ( \"N\" ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

struct tuned {
	unsigned ended;
	int winner;
	struct at_error err;
};

static void tuned(void *context, const struct at_error *err)
{
	struct tuned *self = context;

	self->ended++;
	if (err)
		self->err = *err;
}

static void listen(void *context, const struct at_event *event)
{
	struct tuned *self = context;

	if (event->kind == AT_EVENT_SUMMARY && event->best)
		self->winner = event->configuration[0] + 1;
}

TEST(a_whole_tuning_runs_over_a_recording)
{
	static char text[] = "", kind[] = "replay", slug[] = "a-board";
	struct at_recording *recording = read_text(recorded);
	struct at_record_device device = { .kind = kind,
		.model = slug,
		.slug = slug,
		.architecture = text,
		.driver = text,
		.uuid = text };
	const struct at_replay_options replay = { .recording = recording,
		.compilers = 2 };
	char folder[] = "/tmp/replay-XXXXXX", command[64];
	struct tuned result = { .winner = 0 };
	const struct at_session_options session = {
		.results = folder,
		.strategy = "random",
		.listen = listen,
		.context = &result,
	};
	struct at_spec *spec;
	struct at_visit options = { .objective = &at_objective_time,
		.session = &session,
		.done = tuned,
		.context = &result };
	struct at_visit *visit;
	struct at_error err = { 0 };

	assert_non_null(folder_make(folder));
	if (at_spec_parse(space_text, strlen(space_text), "x.cfg", &spec, &err))
		fail_msg("%s", err.text);
	assert_int_equal(at_store_open(folder, &options.store, NULL), AT_OK);
	assert_int_equal(
		at_store_put_device(options.store, &device, &options.device_id, NULL),
		AT_OK);
	assert_int_equal(
		at_store_begin_run(options.store, options.device_id, "recorded",
			"random", 0, "test", &options.run_id, NULL),
		AT_OK);
	options.spec = options.whole_spec = spec;
	options.problem = &spec->problems[0];
	assert_int_equal(at_replay_open(&replay, &options.evaluator, NULL), AT_OK);
	if (at_visit_start(&at_tuning_kind, &options, &visit, &err))
		fail_msg("%s", err.text);
	at_replay_run(options.evaluator);
	assert_int_equal(result.ended, 1);
	assert_int_equal(result.err.status, AT_OK);
	/* the fastest, which was begun among others, failures too */
	assert_int_equal(result.winner, 5);
	at_visit_free(visit);
	at_store_close(options.store);
	at_spec_free(spec);
	at_recording_free(recording);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

/* ---- planted spaces ------------------------------------------------------------ */

static struct at_recording *plant(const char *text)
{
	struct at_recording *recording = NULL;
	struct at_error err = { 0 };

	if (at_planted_make(text, &recording, &err))
		fail_msg("%s", err.text);
	return recording;
}

TEST(every_kind_has_a_space_of_about_the_size_asked_for)
{
	static const char *const kinds[] = { "smooth", "interactions", "cliffs",
		"infeasible", "plateaus", "needle", "conditional", "noisy", "mixed" };
	static const size_t sizes[] = { 1000, 20000 };

	for (size_t k = 0; k < AT_COUNT_OF(kinds); k++)
		for (unsigned i = 0; i < 6; i++) {
			char text[64];
			size_t size = sizes[i % 2], passed = 0;
			struct at_recording *recording;

			snprintf(text, sizeof(text), "%s,seed=%u,size=%zu", kinds[k], i,
				size);
			recording = plant(text);
			/* what does not count has one value in every other of these */
			assert_true(recording->count > (strcmp(kinds[k], "conditional")
								       ? size / 2
								       : size / 4) &&
				    recording->count < size * 2);
			for (size_t r = 0; r < recording->count; r++)
				passed +=
					recording->results[r].outcome == AT_OUTCOME_OK;
			/* two kinds fail, in a part of the space */
			if (!strcmp(kinds[k], "infeasible") ||
				!strcmp(kinds[k], "mixed"))
				assert_true(passed < recording->count);
			else
				assert_int_equal(passed, recording->count);
			assert_true(passed > recording->count / 2);
			at_recording_free(recording);
		}
}

TEST(a_planted_space_is_a_function_of_its_seed)
{
	OWNED(at_recording_free)
	struct at_recording *first = plant("mixed,size=500,seed=7");
	OWNED(at_recording_free)
	struct at_recording *again = plant("mixed,seed=7,size=500");
	OWNED(at_recording_free)
	struct at_recording *other = plant("mixed,size=500,seed=8");

	assert_int_equal(first->count, again->count);
	for (size_t i = 0; i < first->count; i++)
		assert_true(first->results[i].time_ns == again->results[i].time_ns ||
			    isnan(first->results[i].time_ns));
	assert_true(first->count != other->count ||
		    first->results[0].time_ns != other->results[0].time_ns);
}

/* A fifth below everything else, and found in at most one of 500. */
TEST(a_needle_is_narrow_and_below_the_rest)
{
	for (unsigned seed = 0; seed < 5; seed++) {
		struct at_recording *recording;
		double best = INFINITY;
		size_t near = 0;
		char text[64];

		snprintf(text, sizeof(text), "needle,size=5000,seed=%u", seed);
		recording = plant(text);
		for (size_t i = 0; i < recording->count; i++)
			best = fmin(best, recording->results[i].time_ns);
		for (size_t i = 0; i < recording->count; i++)
			near += recording->results[i].time_ns < 0.95e6;
		assert_true(best < 0.95e6);
		assert_true(near >= 1 && near <= recording->count / 500);
		at_recording_free(recording);
	}
}

/*
 * Of two rows that differ in nothing but what counts under a flag alone, where it is
 * not set, the times are the same but for noise; where it is set they differ by far
 * more.
 */
TEST(what_is_under_a_flag_counts_only_where_it_is_set)
{
	OWNED(at_recording_free)
	struct at_recording *recording = plant("conditional,seed=2,size=1000");
	size_t width = recording->parameter_count, alike[2] = { 0 }, pairs[2] = { 0 };

	/* flags are the third and the fourth: both, or one at most */
	for (size_t a = 0; a < recording->count; a++)
		for (size_t b = a + 1; b < recording->count; b++) {
			const uint16_t *x = recording->rows + a * width;
			const uint16_t *y = recording->rows + b * width;
			bool is_set = x[2] && x[3];
			size_t other = 0;

			for (size_t i = 0; i < width; i++)
				other += x[i] != y[i];
			if (other != 1 || x[2] != y[2] || x[3] != y[3])
				continue;
			pairs[is_set]++;
			alike[is_set] +=
				fabs(log(recording->results[a].time_ns /
					 recording->results[b].time_ns)) < 0.02;
		}
	assert_true(2 * alike[0] > pairs[0]);
	assert_true(pairs[1] > 0 && 10 * alike[1] < pairs[1]);
}

TEST(an_unknown_kind_suggests_the_nearest)
{
	static const struct {
		const char *text;
		const char *error;
	} cases[] = {
		{ "clifs",
			"unknown kind of planted space \"clifs\"; did you mean \"cliffs\"?" },
		{ "cliffs,size=5",
			"expected seed=N or size=N with N from 100 to 1000000, found \"size=5\"" },
		{ "cliffs,speed=5",
			"expected seed=N or size=N with N from 100 to 1000000, found \"speed=5\"" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_recording *recording = NULL;
		struct at_error err = { 0 };

		assert_int_not_equal(
			at_planted_make(cases[i].text, &recording, &err), AT_OK);
		assert_string_equal(err.text, cases[i].error);
	}
}

RUN_SUITE(NULL, NULL)
