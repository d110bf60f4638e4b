/*
 * A tuning from the strategy's first question to the winner, with an evaluator that
 * follows a script in virtual time. It tests decisions, in milliseconds; compilers,
 * kernels and processes have other tests.
 */
#define _GNU_SOURCE
#include "record_fixture.h"
#include "suite.h"

#include "base/json.h"
#include "base/objective.h"
#include "fake_evaluator.h"
#include "folder.h"
#include "record/claims.h"
#include "record/verification.h"
#include "record/store.h"
#include "session/seeds.h"
#include "session/winner.h"
#include "session/experience.h"
#include "session/counters.h"
#include "session/tuning.h"
#include "space/search_space.h"
#include "space/spec.h"

#include <math.h>
#include <unistd.h>

/* 4 x 5 configurations; the row of (i, j) is 5 * i + j */
static const char space_text[] =
	"kernel: { name = \"scripted\"; template = \"" AT_TEST_DIR
	"/data/result/functions.cu\"; reference = \"plain\"; };\n"
	"problems = ( { name = \"p\"; N = 64; }, { name = \"q\"; N = 96; } );\n"
	"parameters: { A = [ 1, 2, 3, 4 ]; B = [ 1, 2, 3, 4, 5 ]; };\n"
	"defaults: { A = 1; B = 1; };\n"
	"launch: { block = ( \"32\" ); grid = ( \"N\" ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

enum { ROWS = 20 };

struct world {
	struct fake_fate fates[ROWS];
	enum at_outcome verification; /* of refused_row; NONE: all are verified */
	int refused_row;
	bool refuses_all; /* verifications of all rows come to that */
	size_t refusals_left; /* that many at the most; 0: no limit */
	struct fake_script script;
	struct fake_counts counts;
	char folder[64];
	struct at_spec *spec;
	const struct at_spec *whole; /* all worlds' */
	struct at_store *store;
	int64_t device_id;
	size_t problem; /* index of the space's problem that is tuned */
	struct at_part part; /* of the space */
	struct at_session_options session;
	const char *set; /* the session's --set */
	const struct at_objective *objective; /* NULL: time */
	struct at_visit *visit;
	struct at_evaluator *evaluator; /* the tuning's */
	size_t interrupts_after; /* the run is interrupted after so many answers */
	struct world *other; /* another run, on the same record */
	/* `other` begins after so many answers, and does what it can at once */
	size_t joins_after;
	bool stops_to_go_on; /* this run stops then, and `other` goes on alone */
	/* what listeners were told */
	int told[ROWS]; /* how often each row was told */
	int order[64]; /* the rows, in the order in which they were told */
	size_t order_count;
	bool reused[ROWS];
	int winner; /* its row; -1: none exists */
	bool is_unverified;
	bool is_undecided;
	bool has_header;
	struct at_verification held_to; /* the verification that the winner passed */
	unsigned blocks; /* of the finals, as they are recorded */
	enum at_outcome checked[AT_CHECK_COUNT]; /* of refused_row; NONE: passed */
	enum at_outcome unchecked; /* of all other rows */
	const char *why;
	double check_seconds; /* the time of each check */
	int witnesses[AT_CHECK_COUNT]; /* of the last checks; -1: it had none */
	struct at_score score;
	struct at_score speedup;
	struct at_score baseline;
	struct at_json *gains;
	/* rows of the last winner's finals by energy, and of the front; as bits */
	unsigned energies, front;
	bool has_counters[2]; /* baseline and other, with their own figures */
	unsigned explained; /* how often counters were told */
	char note[512]; /* the last note that was told */
	char state[256]; /* the last state that was told */
	int64_t incumbents[8]; /* ids of the incumbents that were told when each phase
				  began */
	int incumbent_rows[8];
	size_t phases;
	unsigned summaries;
	char summary_text[700]; /* of the last summary; "": it had none */
	uint64_t by_outcome[AT_OUTCOME_COUNT]; /* as the last summary told */
	uint64_t audited;
	uint64_t audited_finalists;
	struct at_error error;
	unsigned ended;
	struct {
		uint64_t evaluated, reused;
		bool selected;
	} summary;
	double seconds;
};

static int row_of(const uint16_t *configuration)
{
	return 5 * configuration[0] + configuration[1];
}

static void scripted_fate(
	void *context, const uint16_t *configuration, struct fake_fate *fate)
{
	*fate = ((struct world *)context)->fates[row_of(configuration)];
}

static enum at_outcome scripted_verification(
	void *context, const uint16_t *configuration, size_t verification_case)
{
	struct world *world = context;

	if (world->verification == AT_OUTCOME_NONE || verification_case != 0 ||
		(!world->refuses_all && row_of(configuration) != world->refused_row))
		return AT_OUTCOME_OK;
	if (world->refusals_left && !--world->refusals_left)
		world->refused_row = -1;
	return world->verification;
}

static enum at_outcome scripted_check(void *context, const uint16_t *configuration,
	const uint16_t *witness, enum at_check check, double *seconds, const char **why)
{
	struct world *world = context;
	enum at_outcome outcome = row_of(configuration) == world->refused_row
					  ? world->checked[check]
					  : world->unchecked;

	world->witnesses[check] = witness ? row_of(witness) : -1;
	if (world->check_seconds > 0)
		*seconds = world->check_seconds;
	if (world->why)
		*why = world->why;
	return outcome == AT_OUTCOME_NONE ? AT_OUTCOME_OK : outcome;
}

static void begin_tuning(struct world *world);
static void go_on(struct world *world);

static void answering(void *context, size_t answers)
{
	struct world *world = context;

	if (world->other && !world->other->evaluator && answers == world->joins_after) {
		begin_tuning(world->other);
		fake_run(world->other->evaluator);
		if (world->stops_to_go_on)
			go_on(world->other);
	}
	if (world->interrupts_after && answers == world->interrupts_after)
		at_visit_interrupt(world->visit);
	else
		at_visit_poke(world->visit);
}

static void note_energies(struct world *world, const struct at_winner *best)
{
	OWNED(at_json_free) struct at_json *measurement = NULL;
	const struct at_json *finalists;

	world->energies = world->front = 0;
	if (at_json_parse(best->measurement, strlen(best->measurement), NULL,
		    &measurement, NULL))
		return;
	finalists = at_json_get(at_json_get(measurement, "energy"), "finalists");
	for (size_t i = 0; i < at_json_count(finalists); i++) {
		const struct at_json *one = at_json_at(finalists, i);
		const struct at_json *values = at_json_get(one, "configuration");
		int64_t row = 5 * at_json_whole(at_json_get(values, "A"), 0) +
			      at_json_whole(at_json_get(values, "B"), 0) - 6;

		assert_true(at_json_number(at_json_get(one, "time_ns"), 0) > 0);
		assert_true(at_json_number(at_json_get(one, "energy_joules"), 0) > 0);
		world->energies |= 1u << row;
		world->front |= (unsigned)at_json_is_true(at_json_get(one, "on_front"))
				<< row;
	}
}

static unsigned blocks_of(const struct at_winner *best)
{
	OWNED(at_json_free) struct at_json *measurement = NULL;
	unsigned blocks;

	if (at_json_parse(best->measurement, strlen(best->measurement), NULL,
		    &measurement, NULL))
		return 0;
	blocks = (unsigned)at_json_number(at_json_get(measurement, "blocks"), 0);
	return blocks;
}

/* Whether the evaluations have counters: fake_evaluator.c makes them of the time. */
static void note_counters(struct world *world, const struct at_event *event)
{
	const struct at_evaluation *const both[] = { event->baseline,
		event->evaluation };

	for (int n = 0; n < 2; n++) {
		char text[64];

		snprintf(text, sizeof(text), "\"gpu__time_duration.sum\": %g",
			both[n] ? both[n]->time_ns : 0);
		world->has_counters[n] =
			both[n] && both[n]->counters && strstr(both[n]->counters, text);
	}
}

static void listen(void *context, const struct at_event *event)
{
	struct world *world = context;
	int row = event->configuration ? row_of(event->configuration) : -1;

	/* whatever leads, its evaluation and its configuration are of one row */
	if (event->incumbent) {
		int leader = row_of(event->incumbent_configuration);
		char values[32];

		snprintf(values, sizeof(values), "{\"A\": %d, \"B\": %d}",
			leader / 5 + 1, leader % 5 + 1);
		assert_string_equal(event->incumbent->configuration, values);
	}
	if (event->kind == AT_EVENT_EVALUATION) {
		world->told[row]++;
		world->reused[row] = event->reused;
		if (world->order_count < 64)
			world->order[world->order_count++] = row;
	}
	if (event->kind == AT_EVENT_PHASE && event->incumbent && world->phases < 8) {
		world->incumbents[world->phases] = event->incumbent->id;
		world->incumbent_rows[world->phases++] =
			row_of(event->incumbent_configuration);
	}
	if (event->kind == AT_EVENT_NOTE)
		snprintf(world->note, sizeof(world->note), "%s", event->text);
	if (event->kind == AT_EVENT_STATE)
		snprintf(world->state, sizeof(world->state), "%s", event->text);
	if (event->kind == AT_EVENT_COUNTERS) {
		world->explained++;
		snprintf(world->summary_text, sizeof(world->summary_text), "%s",
			event->text ? event->text : "");
		world->winner = event->evaluation ? row : -1;
		note_counters(world, event);
	}
	if (event->kind != AT_EVENT_SUMMARY)
		return;
	world->summaries++;
	snprintf(world->summary_text, sizeof(world->summary_text), "%s",
		event->text ? event->text : "");
	memcpy(world->by_outcome, event->progress->by_outcome,
		sizeof(world->by_outcome));
	world->audited = event->progress->audited;
	world->audited_finalists = event->progress->audited_finalists;
	world->winner = event->best ? row : -1;
	if (event->best) {
		world->score = event->best->score;
		world->speedup = at_winner_speedup(event->best);
		world->baseline = at_winner_baseline(event->best);
	}
	world->is_unverified = event->best && event->best->is_unverified;
	world->is_undecided = event->best && at_winner_is_undecided(event->best);
	world->has_header = event->header_path != NULL;
	world->blocks = event->best ? blocks_of(event->best) : 0;
	if (event->best)
		note_energies(world, event->best);
	at_verification_from_json(
		event->best ? event->best->verification : "", &world->held_to);
	note_counters(world, event);
	at_json_free(world->gains);
	world->gains = NULL;
	if (event->best && event->best->gains && event->best->gains[0])
		assert_ok(at_json_parse(event->best->gains, strlen(event->best->gains),
			NULL, &world->gains, NULL));
}

static void done(void *context, const struct at_error *err)
{
	struct world *world = context;

	world->ended++;
	if (err)
		world->error = *err;
	world->summary.evaluated = world->visit->progress.evaluated;
	world->summary.reused = world->visit->progress.reused;
	world->summary.selected = world->visit->found_winner;
}

static void ended_explaining(void *context, const struct at_error *err)
{
	struct world *world = context;

	world->ended++;
	if (err)
		world->error = *err;
}

/* the space as the file has it; parsing starts a process, so this is done once */
static struct at_spec *whole_spec;

static struct at_spec *copy_space(void)
{
	struct at_error err = { 0 };
	struct at_spec *spec;

	if (!whole_spec && at_spec_parse(space_text, strlen(space_text), "scripted.cfg",
				   &whole_spec, &err))
		fail_msg("%s", err.text);
	at_spec_copy(whole_spec, &spec);
	return spec;
}

/* the further from row 13, (2, 3), the slower; the baseline is row 0 */
static double plain_time(int row)
{
	return 1000 + 100.0 * abs(row / 5 - 2) + 10.0 * abs(row % 5 - 3);
}

static struct world *world_new(void)
{
	struct at_record_device device =
		record_device("test", "Test board", "test-board", "", "", "");
	struct world *world = calloc(1, sizeof(*world));

	assert_non_null(world);
	for (int i = 0; i < ROWS; i++)
		world->fates[i].time_ns = plain_time(i);
	world->script = (struct fake_script){
		.fate = scripted_fate,
		.has_floors = true,
		.verify = scripted_verification,
		.answering = answering,
		.context = world,
		.parameter_count = 2,
	};
	snprintf(world->folder, sizeof(world->folder), "/tmp/tuning-XXXXXX");
	assert_non_null(folder_make(world->folder));
	world->spec = copy_space();
	world->whole = whole_spec;
	assert_ok(at_store_open(world->folder, &world->store, NULL));
	assert_ok(at_store_put_device(world->store, &device, &world->device_id, NULL));
	world->session = (struct at_session_options){
		.results = world->folder,
		.strategy = "exhaustive",
		.listen = listen,
		.context = world,
	};
	return world;
}

static void world_free(struct world *world)
{
	at_json_free(world->gains);
	at_store_close(world->store);
	at_spec_free(world->spec);
	assert_int_equal(folder_remove(world->folder), 0);
	free(world);
}

#include "in_a_world.h"

static void begin_tuning(struct world *world)
{
	struct at_visit options = {
		.evaluator = fake_evaluator_new(&world->script, &world->counts),
		.store = world->store,
		.session = &world->session,
		.spec = world->spec,
		.whole_spec = world->whole,
		.problem = &world->spec->problems[world->problem],
		.objective = world->objective ? world->objective : &at_objective_time,
		.part = world->part,
		.device_id = world->device_id,
		.done = done,
		.context = world,
	};

	memset(world->told, 0, sizeof(world->told));
	world->order_count = 0;
	world->winner = -1;
	world->note[0] = '\0';
	world->summaries = world->ended = 0;
	memset(&world->error, 0, sizeof(world->error));
	assert_ok(at_store_begin_run(world->store, world->device_id, "scripted",
		"exhaustive", 0, "test", &options.run_id, NULL));
	assert_ok(at_visit_start(&at_tuning_kind, &options, &world->visit, &failure));
	world->evaluator = options.evaluator;
}

static void end_tuning(struct world *world)
{
	world->seconds = fake_seconds(world->evaluator);
	assert_int_equal(world->ended, 1);
	at_visit_free(world->visit);
	world->evaluator = NULL;
	assert_true(world->counts.closed);
}

/* one run, from the beginning to done() */
static void tune(struct world *world)
{
	begin_tuning(world);
	fake_run(world->evaluator);
	end_tuning(world);
}

/* as --set does */
static void restrict_to(struct world *world, const char *set)
{
	world->set = set;
	assert_ok(at_spec_restrict(world->spec, set, NULL));
	world->session.sets = &world->set;
	world->session.set_count = 1;
}

/* What a run came to: tuned(world, WINNER, 13, FINALS, 1) tunes and compares. */
#define FIGURES(F) \
	F(WINNER, world->winner) \
	F(BEGUN, world->counts.begun) \
	F(FINALS, world->counts.finals) \
	F(VERIFICATIONS, world->counts.verifications) \
	F(CHECKS, world->counts.checks) \
	F(DROPPED_CHECKS, world->counts.dropped_checks) \
	F(COUNTED, world->counts.counted) \
	F(CUT, world->counts.cut) \
	F(RACE_NS, world->counts.race_ns) \
	F(EVALUATED, world->summary.evaluated) \
	F(REUSED, world->summary.reused) \
	F(SELECTED, world->summary.selected) \
	F(SUMMARIES, world->summaries) \
	F(UNVERIFIED, world->is_unverified) \
	F(UNDECIDED, world->is_undecided) \
	F(HEADER, world->has_header) \
	F(BLOCKS, world->blocks) \
	F(CASES, world->held_to.cases) \
	F(LEFT, world->held_to.left) \
	F(VACUOUS, world->held_to.vacuous) \
	F(UNFIT, world->held_to.unfit) \
	F(STATUS, world->error.status) \
	F(HOST_CHECK, world->held_to.checks[AT_CHECK_HOST].state)
enum figure { FIGURES(FIGURE_NAME) };
#define tuned(world, ...) (tune(world), COMPARE_FIGURES(world, __VA_ARGS__))

/* What became of each check, in the order of AT_CHECKS: of '-' (unasked), 'P' (passed)
   and 'N' (not run). */
static void assert_checks(const struct world *world, const char *expected)
{
	char states[AT_CHECK_COUNT + 1] = { 0 };

	for (size_t i = 0; i < AT_CHECK_COUNT; i++)
		states[i] = "-PN"[world->held_to.checks[i].state];
	assert_string_equal(states, expected);
}

static void tune_to(struct world *world, int winner)
{
	tuned(world, WINNER, winner);
}

/* ---- the plain case ------------------------------------------------------------- */

TEST_IN_A_WORLD(the_fastest_is_selected_over_the_baseline)
{
	tuned(world, STATUS, AT_OK, WINNER, 13);
	assert_true(fabs(world->speedup.value - plain_time(0) / plain_time(13)) < 1e-9);
	for (int i = 0; i < ROWS; i++)
		assert_int_equal(world->told[i], 1);
	assert_int_equal(world->summary.evaluated, ROWS);
	assert_true(world->summary.selected);
	/* the best five and the baseline */
	assert_int_equal(world->counts.finals, 1);
	assert_int_equal(world->counts.finalists, 6);
	assert_int_equal(world->counts.begun, ROWS);
}

TEST(answers_may_come_in_any_order)
{
	for (size_t capacity = 1; capacity <= 32; capacity *= 2) {
		OWNED(world_free) struct world *world = world_new();

		world->script.capacity = capacity;
		world->script.backwards = true;
		for (int i = 0; i < ROWS; i++)
			world->fates[i].seconds = 0.001 * (ROWS - i);
		tuned(world, WINNER, 13, EVALUATED, ROWS);
		assert_int_equal(
			world->counts.most_out, capacity < ROWS ? capacity : ROWS);
	}
}

TEST_IN_A_WORLD(the_baseline_is_the_first_to_be_begun)
{
	world->session.strategy = "random";
	world->session.seed = 5;
	world->script.capacity = 1;
	tune(world);
	assert_int_equal(world->order[0], 0);
	assert_int_equal(world->told[0], 1);
}

/* Configurations of the user come next, whatever the strategy would ask for. */
TEST_IN_A_WORLD(seeds_are_tried_behind_the_baseline)
{
	static const int rows[] = { 0, 13, 4, 17 };

	world->session.strategy = "random";
	world->session.budget = "4";
	world->script.capacity = 1;
	/* the baseline and a seed that comes twice are tried once */
	world->session.seeds =
		"# of a colleague\n"
		"A=3 B=4\n"
		"A=1 B=1\n"
		"B=5 # a default is left out\n"
		"{\"A\": 3, \"B\": 4}\n"
		"{\"best\": [{\"configuration\": {\"A\": 4, \"B\": 3}}]}\n";
	tune_to(world, 13);
	assert_int_equal(world->order_count, AT_COUNT_OF(rows));
	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		assert_int_equal(world->order[i], rows[i]);
	/* what the record has is not tried again */
	world->session.budget = "5";
	tuned(world, BEGUN, 1);
}

TEST_IN_A_WORLD(seeds_that_the_space_lacks_are_noted)
{
	assert_ok(at_spec_restrict(world->spec, "A=1,2", &failure));
	world->session.budget = "3";
	world->session.seeds =
		"[{\"configuration\": {\"A\": 2}}, {\"configuration\": {\"A\": 3}}]";
	tune(world);
	assert_string_equal(world->note,
		"1 configurations of --seeds are not in this search space");
	assert_int_equal(world->told[5], 1);
}

TEST(a_wrong_seed_is_one_line_with_its_place)
{
	static const struct {
		const char *text;
		int line;
		const char *why;
	} wrong[] = {
		{ "A=1\n\nA=9\n", 3,
			"parameter \"A\" has no value \"9\": expected one of 1, 2, 3, 4" },
		{ "A=1 AB=2\n", 1, "unknown parameter \"AB\"" },
		{ "2.56 ms A=1\n", 1, "\"2.56\": expected PARAMETER=VALUE" },
		{ "A=1\n{\"A\": true}\n", 2, "parameter \"A\" has no value \"true\"" },
		{ "A=1\n{\"A\": 1\n", 2, "" },
		{ "[{\"configuration\": {\"C\": 1}}]", 0, "unknown parameter \"C\"" },
		{ "# none\n", 0, "it has no configuration" },
		{ "", 0, "it has no configuration" },
	};
	OWNED(at_spec_free) struct at_spec *spec = NULL;

	(void)state;
	assert_ok(at_spec_parse(
		space_text, strlen(space_text), "scripted.cfg", &spec, &failure));
	for (size_t i = 0; i < AT_COUNT_OF(wrong); i++) {
		struct at_error err = { 0 };

		assert_int_equal(
			at_seeds_check(spec, wrong[i].text, "seeds", &err), AT_EINVAL);
		assert_string_equal(err.file, "seeds");
		assert_int_equal(err.line, wrong[i].line);
		if (strncmp(err.text, wrong[i].why, strlen(wrong[i].why)) != 0)
			fail_msg("%zu: %s", i, err.text);
	}
	assert_ok(at_seeds_check(spec, "A=1\r\n  {\"B\": 2}\n", "seeds", &failure));
}

TEST_IN_A_WORLD(evaluations_are_raced_against_the_best)
{
	tune(world);
	assert_true(world->counts.race_ns == plain_time(13));
}

/* else what is slow would be late in a run that measures fast ones only */
TEST_IN_A_WORLD(deadlines_follow_recorded_evaluations_too)
{
	world->fates[0].measure_ns = 7000000000;
	for (int run = 0; run < 2; run++) {
		tuned(world, BEGUN, run ? 0 : ROWS);
		assert_true(world->counts.longest_seconds == 7);
	}
}

/* ---- two runs at once, on one record --------------------------------------- */

/* Another process, as far as the record is concerned: a connection of its own. */
static struct world *world_join(struct world *first, size_t after)
{
	struct world *world = world_new();

	at_store_close(world->store);
	assert_ok(at_store_open(first->folder, &world->store, NULL));
	world->device_id = first->device_id;
	first->other = world;
	first->joins_after = after;
	return world;
}

/* what it waited for is there: moments pass until it has ended */
static void go_on(struct world *world)
{
	for (int i = 0; i < 3 && !world->ended; i++) {
		at_visit_poke(world->visit);
		fake_run(world->evaluator);
	}
}

TEST(two_runs_at_once_measure_everything_once)
{
	/* at its beginning, in the midst of it, near its end */
	static const size_t joins[] = { 1, 9, ROWS - 2 };

	for (size_t i = 0; i < 3; i++) {
		struct world *world = world_new(), *other = world_join(world, joins[i]);

		begin_tuning(world);
		fake_run(world->evaluator);
		assert_int_equal(other->ended, 0);
		go_on(other);
		end_tuning(world);
		end_tuning(other);
		assert_int_equal(world->counts.begun + other->counts.begun, ROWS);
		assert_int_equal(other->counts.begun > 0, joins[i] < ROWS - 2);
		for (int row = 0; row < ROWS; row++) {
			assert_int_equal(world->told[row], 1);
			assert_int_equal(other->told[row], 1);
		}
		assert_int_equal(world->winner, 13);
		assert_int_equal(other->winner, 13);
		world_free(other);
		world_free(world);
	}
}

/* Racing drops (2, 0) and (0, 3), which the explanation wants in full: these keys alone
   have two rows, and the second is measured once for both runs. */
TEST(two_runs_at_once_measure_once_in_full_what_was_raced)
{
	struct world *world = world_new(), *other = world_join(world, 9);

	for (int i = 0; i < 2; i++) {
		struct world *run = i ? other : world;

		run->fates[10].raced = run->fates[3].raced = true;
	}
	begin_tuning(world);
	fake_run(world->evaluator);
	go_on(other);
	end_tuning(world);
	end_tuning(other);
	assert_int_equal(world->counts.begun + other->counts.begun, ROWS + 2);
	assert_true(other->counts.begun > 0);
	assert_int_equal(world->winner, 13);
	assert_int_equal(other->winner, 13);
	world_free(other);
	world_free(world);
}

/* All others are measured meanwhile. */
TEST_IN_A_WORLD(a_baseline_that_another_run_measures_is_waited_for)
{
	static const uint16_t baseline[2] = { 0, 0 };
	struct at_hash key = at_hash_bytes(baseline, sizeof(baseline));
	struct at_store *other;

	assert_ok(at_store_open(world->folder, &other, NULL));
	assert_int_equal(at_store_claim(other, key, NULL), AT_CLAIM_OURS);
	begin_tuning(world);
	fake_run(world->evaluator);
	at_visit_poke(world->visit);
	fake_run(world->evaluator);
	assert_int_equal(world->counts.begun, ROWS - 1);
	assert_int_equal(world->ended, 0);
	assert_true(strstr(world->state,
			    "waiting for what another autotune is measuring, pid ") !=
		    NULL);
	at_store_close(other);
	go_on(world);
	end_tuning(world);
	assert_string_equal(world->state, "");
	assert_int_equal(world->told[0], 1);
	assert_int_equal(world->counts.begun, ROWS);
}

TEST(what_an_interrupted_run_was_at_others_measure)
{
	struct world *world = world_new(), *other = world_join(world, 3);

	world->interrupts_after = 5;
	begin_tuning(world);
	fake_run(world->evaluator);
	end_tuning(world);
	assert_int_equal(other->ended, 0);
	go_on(other);
	end_tuning(other);
	assert_int_equal(other->winner, 13);
	assert_false(other->is_unverified);
	for (int row = 0; row < ROWS; row++)
		assert_int_equal(other->told[row], 1);
	world_free(other);
	world_free(world);
}

TEST(a_run_that_does_not_get_on_is_not_waited_for)
{
	struct world *world = world_new(), *other = world_join(world, 1);

	/* no time at all; the first run stands still meanwhile */
	other->session.wait_seconds = 1e-9;
	world->stops_to_go_on = true;
	begin_tuning(world);
	fake_run(world->evaluator);
	end_tuning(world);
	end_tuning(other);
	assert_int_equal(other->counts.begun, ROWS - 1);
	assert_int_equal(other->winner, 13);
	world_free(other);
	world_free(world);
}

TEST(a_run_that_measures_afresh_waits_for_nobody)
{
	struct world *world = world_new(), *other = world_join(world, 3);

	other->session.fresh = true;
	begin_tuning(world);
	fake_run(world->evaluator);
	end_tuning(world);
	end_tuning(other);
	assert_int_equal(other->counts.begun, ROWS);
	assert_int_equal(other->winner, 13);
	world_free(other);
	world_free(world);
}

/* ---- what is wrong -------------------------------------------------------------- */

TEST(what_failed_is_never_selected)
{
	static const enum at_outcome outcomes[] = { AT_OUTCOME_WRONG_RESULT,
		AT_OUTCOME_CRASHED, AT_OUTCOME_COMPILE_FAILED };

	for (size_t i = 0; i < 3; i++) {
		OWNED(world_free) struct world *world = world_new();

		world->fates[13].outcome = outcomes[i];
		tune_to(world, 12);
	}
}

TEST_IN_A_WORLD(a_winner_that_fails_its_verification_is_refused_for_good)
{
	world->verification = AT_OUTCOME_WRONG_RESULT;
	world->refused_row = 13;
	tune_to(world, 12);
	assert_string_equal(world->note,
		"A=3 B=4: on problem \"tuned\" with other data: as the script says");
	/* the finals have measured the next best, so they are not run again */
	assert_int_equal(world->counts.finals, 1);
	/* the record keeps the refusal: a rerun neither selects nor evaluates it */
	world->verification = AT_OUTCOME_NONE;
	tuned(world, WINNER, 12, BEGUN, 0);
}

/* A loaded machine may keep a kernel from its board for as long as a deadline. */
TEST(a_deadline_in_a_verification_counts_if_it_is_met_again)
{
	for (size_t late = 1; late <= 2; late++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.check = scripted_check;
		world->verification = AT_OUTCOME_TIMED_OUT;
		world->refused_row = 13;
		world->refusals_left = late;
		tune_to(world, late == 1 ? 13 : 12);
	}
}

static unsigned verify_calls;

static enum at_outcome late_then_cut(
	void *context, const uint16_t *configuration, size_t verification_case)
{
	static const enum at_outcome outcomes[] = { AT_OUTCOME_TIMED_OUT,
		AT_OUTCOME_NONE };
	const unsigned call = verify_calls++;

	(void)context;
	(void)configuration;
	(void)verification_case;
	return call < AT_COUNT_OF(outcomes) ? outcomes[call] : AT_OUTCOME_OK;
}

/* What was late once, and called off when it was tried again, is tried once more. */
TEST_IN_A_WORLD(a_deadline_in_a_verification_does_not_count_where_time_ends)
{
	verify_calls = 0;
	world->script.verify = late_then_cut;
	tune_to(world, 13);
	assert_true(verify_calls > 2);
}

TEST_IN_A_WORLD(who_is_refused_is_not_shown_as_the_best_any_more)
{
	world->verification = AT_OUTCOME_WRONG_RESULT;
	world->refused_row = 13;
	tune(world);
	/* finals, the verification of 13, the verification of 12 */
	assert_true(world->phases >= 3);
	assert_int_equal(world->incumbent_rows[1], 13);
	assert_int_equal(world->incumbent_rows[2], 12);
	assert_true(world->incumbents[2] != world->incumbents[1]);
}

TEST_IN_A_WORLD(the_evaluator_hears_that_time_passes)
{
	tune(world);
	/* the tuning ticks at each poke, and it is poked before each answer */
	assert_true(world->counts.ticks >= ROWS);
}

TEST_IN_A_WORLD(where_all_finalists_are_refused_others_have_finals)
{
	struct fake_fate *fates = world->fates;

	/* the five finalists are close to each other, and all of them are refused for
	   the same fault */
	for (int i = 0; i < ROWS; i++)
		fates[i].time_ns = i < 5 ? 3000 : 1000 + i;
	fates[0].time_ns = 5000;
	world->verification = AT_OUTCOME_UNSTABLE;
	world->refused_row = 5;
	tune(world);
	/* 5 was refused, 6 is the next */
	assert_int_equal(world->winner, 6);
}

/* what is begun once the first finals are out is not lost */
static void baseline_is_well_again(void *context, size_t answers)
{
	struct world *world = context;

	if (world->counts.finals > 0)
		world->fates[0].final_outcome = AT_OUTCOME_NONE;
}

/* The process of the finals died: all have failed, and by whom is not known. */
TEST_IN_A_WORLD(where_finals_die_others_have_them_beside_the_baseline)
{
	static const int podium[] = { 13, 12, 14, 11, 10 };

	for (size_t i = 0; i < sizeof(podium) / sizeof(podium[0]); i++)
		world->fates[podium[i]].final_outcome = AT_OUTCOME_CRASHED;
	world->fates[0].final_outcome = AT_OUTCOME_CRASHED;
	world->fates[13].loses_device = true;
	world->script.answering = baseline_is_well_again;
	tuned(world, STATUS, AT_OK);
	assert_true(world->winner == 8 || world->winner == 18);
	assert_true(fabs(world->speedup.value - plain_time(0) / plain_time(8)) < 1e-9);
	/* and nothing of it was recorded: in the next run they are as good as ever */
	for (size_t i = 0; i < sizeof(podium) / sizeof(podium[0]); i++)
		world->fates[podium[i]].final_outcome = AT_OUTCOME_NONE;
	world->fates[13].loses_device = false;
	tuned(world, WINNER, 13, BEGUN, 0);
}

TEST_IN_A_WORLD(where_nothing_passed_nobody_is_selected)
{
	for (int i = 0; i < ROWS; i++)
		world->fates[i].outcome = AT_OUTCOME_TIMED_OUT;
	tuned(world, STATUS, AT_OK, WINNER, -1, SUMMARIES, 1, SELECTED, false, FINALS,
		0);
}

TEST(a_wrong_baseline_ends_it)
{
	static const struct {
		enum at_outcome outcome;
		bool keeps_going;
		int winner;
	} rows[] = {
		{ AT_OUTCOME_WRONG_RESULT, false, -1 },
		{ AT_OUTCOME_UNSTABLE, false, -1 },
		{ AT_OUTCOME_OUT_OF_BOUNDS, false, -1 },
		{ AT_OUTCOME_CRASHED, false, -1 },
		{ AT_OUTCOME_WRONG_RESULT, true, 13 },
		/* it may be one for another device */
		{ AT_OUTCOME_TOO_MANY_RESOURCES, false, 13 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(world_free) struct world *world = world_new();

		world->fates[0].outcome = rows[i].outcome;
		world->session.keeps_going = rows[i].keeps_going;
		/* the search may end in the same step */
		world->session.budget = i ? NULL : "1";
		tuned(world, STATUS, AT_OK, WINNER, rows[i].winner, SUMMARIES, 1,
			SELECTED, rows[i].winner >= 0);
		if (rows[i].winner < 0)
			assert_int_equal(world->counts.finals, 0);
	}
}

TEST(what_misses_the_reference_alike_blames_it)
{
	static const struct {
		enum at_outcome outcome; /* of all but the baseline */
		double error;
		const char *text;
	} rows[] = {
		{ AT_OUTCOME_WRONG_RESULT, 0.0201,
			"configurations, the baseline among them, miss the reference alike" },
		{ AT_OUTCOME_WRONG_RESULT, 0.3, "the baseline is wrong" },
		{ AT_OUTCOME_OK, 0, "the baseline is wrong" },
		{ AT_OUTCOME_TIMED_OUT, 0, "the baseline is wrong" },
		{ AT_OUTCOME_COMPILE_FAILED, 0, "the baseline is wrong" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(world_free) struct world *world = world_new();

		for (int row = 0; row < ROWS; row++) {
			world->fates[row].outcome = rows[i].outcome;
			world->fates[row].error = rows[i].error;
		}
		world->fates[0].outcome = AT_OUTCOME_WRONG_RESULT;
		world->fates[0].error = 0.02;
		tuned(world, WINNER, -1, SUMMARIES, 1);
		assert_non_null(strstr(world->summary_text, rows[i].text));
		/* all are asked for only where none of them says anything */
		assert_int_equal(world->order_count < ROWS,
			rows[i].outcome != AT_OUTCOME_COMPILE_FAILED);
	}
}

TEST(what_fails_a_verification_as_the_baseline_does_is_not_called_wrong)
{
	/* also where it is not the first case that is made */
	for (size_t replays = 0; replays <= 2; replays += 2) {
		OWNED(world_free) struct world *world = world_new();

		for (int row = 0; row < ROWS; row++)
			world->fates[row].error = 0.02;
		world->verification = AT_OUTCOME_WRONG_RESULT;
		world->refuses_all = true;
		world->script.case_count = replays + 1;
		world->script.replay_count = replays;
		tuned(world, WINNER, -1, VERIFICATIONS, replays + 2);
		assert_string_equal(world->note, "");
		assert_non_null(
			strstr(world->summary_text, "miss the reference alike"));
	}
}

TEST_IN_A_WORLD(what_fails_a_verification_that_the_baseline_passes_is_refused)
{
	world->fates[13].error = 0.02;
	world->verification = AT_OUTCOME_WRONG_RESULT;
	world->refused_row = 13;
	tune(world);
	assert_true(world->winner >= 0 && world->winner != 13);
	/* the winner's, the baseline's, and that of the next one */
	assert_int_equal(world->counts.verifications, 3);
	assert_non_null(strstr(world->note, "as the script says"));
}

/* Faster than the device can do the declared work: neither a winner nor a rival. */
TEST_IN_A_WORLD(who_is_too_fast_is_not_selected)
{
	world->fates[13].floor_ns = world->fates[13].time_ns + 1;
	/* at its floor it is only as fast as can be */
	world->fates[12].floor_ns = world->fates[12].time_ns;
	tuned(world, WINNER, 12, FINALS, 1);
	/* `metrics` are in no key: once they are corrected it is measured again */
	world->fates[13].floor_ns = 0;
	tuned(world, BEGUN, 1, WINNER, 13);
	/* and what was recorded as right is, where they say so today */
	world->fates[13].floor_ns = world->fates[13].time_ns + 1;
	tuned(world, BEGUN, 1, WINNER, 12);
}

/* `metrics` may have been wrong, so a search does not keep away from there. */
TEST_IN_A_WORLD(who_was_too_fast_is_no_experience)
{
	OWNED(free)
	struct at_value *slots = calloc(world->spec->slot_count + 1, sizeof(*slots));
	struct at_visit options = { .store = world->store,
		.spec = world->spec,
		.problem = &world->spec->problems[0],
		.objective = &at_objective_time,
		.device_id = world->device_id };
	OWNED(at_search_space_free) struct at_search_space *space;
	RELEASED(at_experience_release) struct at_experience experience;

	assert_non_null(slots);
	world->fates[13].floor_ns = world->fates[13].time_ns + 1;
	world->fates[7].outcome = AT_OUTCOME_WRONG_RESULT;
	tune(world);
	at_spec_bind(world->spec, &world->spec->problems[0], NULL, NULL, slots);
	assert_ok(at_search_space_new(world->spec, slots, &space, NULL, NULL));
	options.space = space;
	assert_ok(at_experience_gather(&options, &experience, NULL));
	/* all others, those that failed too */
	assert_int_equal(experience.own.count, ROWS - 1);
	for (size_t i = 0; i < experience.own.count; i++)
		assert_int_not_equal(
			experience.own.told[i].outcome, AT_OUTCOME_TOO_FAST);
}

/* It works in the search, and not where it counts. */
TEST_IN_A_WORLD(who_is_too_fast_in_the_finals_is_not_selected)
{
	world->fates[13].final_ns = world->fates[13].time_ns / 2;
	world->fates[13].floor_ns = world->fates[13].time_ns;
	tuned(world, WINNER, 12, FINALS, 1);
	assert_non_null(
		strstr(world->note, "find the work that the kernel leaves out"));
	/* a rerun measures it again, and finds the same */
	tuned(world, BEGUN, 1, WINNER, 12);
}

TEST_IN_A_WORLD(what_racing_dropped_is_not_too_fast)
{
	for (int i = 0; i < ROWS; i++)
		world->fates[i].raced = i == 7;
	world->fates[7].floor_ns = 1e12;
	tuned(world, EVALUATED, ROWS, WINNER, 13);
	assert_int_equal(world->by_outcome[AT_OUTCOME_TOO_FAST], 0);
}

TEST_IN_A_WORLD(a_baseline_that_is_too_fast_ends_it_and_says_where)
{
	world->fates[0].floor_ns = world->fates[0].time_ns + 1;
	tuned(world, WINNER, -1, FINALS, 0);
	assert_memory_equal(
		world->summary_text, world->spec->path, strlen(world->spec->path));
	assert_non_null(strstr(world->summary_text,
		": the baseline cannot be so fast: metrics.flops is "));
	assert_non_null(strstr(world->summary_text,
		": correct metrics.flops, or find the work that the kernel leaves out; or search all the same with --keep-going"));
	/* the user may go on: all others are judged one by one */
	world->session.keeps_going = true;
	tune_to(world, 13);
}

TEST(an_evaluator_that_fails_ends_it_with_its_error)
{
	/* in the search, in the finals, in the verification */
	static const size_t answers[] = { 1, 7, ROWS, ROWS + 1 };

	for (size_t i = 0; i < 4; i++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.fails_after = answers[i];
		tuned(world, STATUS, AT_EDEVICE, SUMMARIES, 0);
		assert_string_equal(world->error.text, "the board fell off the bus");
		/* what was measured before is recorded: the next run goes on */
		world->script.fails_after = 0;
		tune_to(world, 13);
		assert_true(
			world->counts.begun <= ROWS - answers[i] || answers[i] >= ROWS);
	}
}

/* ---- the record -------------------------------------------------------------- */

TEST_IN_A_WORLD(a_rerun_measures_nothing_and_keeps_the_winner)
{
	tune(world);
	/* measured anew, another configuration would win by noise */
	world->fates[12].final_ns = 500;
	tuned(world, WINNER, 13, BEGUN, 0, FINALS, 0, REUSED, ROWS);
}

TEST_IN_A_WORLD(fresh_measures_again)
{
	tune(world);
	world->session.fresh = true;
	world->fates[3].time_ns = 10;
	tuned(world, BEGUN, ROWS, WINNER, 3);
}

TEST_IN_A_WORLD(the_recorded_winner_takes_part_in_a_search_too_short_to_find_it)
{
	tune(world);
	world->session.budget = "3";
	tune_to(world, 13);
	assert_int_equal(world->order[0], 0);
	assert_int_equal(world->order[1], 13);
}

TEST_IN_A_WORLD(a_new_source_forgets_times_but_tries_the_old_winner)
{
	tune(world);
	world->script.source = 77;
	world->session.budget = "2";
	tuned(world, BEGUN, 2, WINNER, 13);
	assert_int_equal(world->order[1], 13);
}

TEST_IN_A_WORLD(a_tie_goes_to_the_recorded_winner)
{
	world->session.budget = "14";
	tune_to(world, 13);
	/* a new configuration that is as fast in the finals is not worth a changed
	   header */
	world->session.budget = NULL;
	world->fates[14].time_ns = 999;
	world->fates[14].final_ns = plain_time(13) * 0.9995;
	tuned(world, WINNER, 13, FINALS, 1);
}

TEST_IN_A_WORLD(a_tie_of_strangers_goes_to_the_one_that_needs_less)
{
	world->fates[12].time_ns = 1000.5;
	world->fates[12].registers = 20;
	world->fates[13].registers = 200;
	tune_to(world, 12);
}

TEST_IN_A_WORLD(finals_decide_and_not_the_search)
{
	world->fates[8].time_ns = 1001;
	world->fates[8].final_ns = 800;
	tune_to(world, 8);
	assert_true(fabs(world->speedup.value - plain_time(0) / 800) < 1e-9);
}

/* a configuration that the finals cannot tell from the baseline does not win, and no
   gain is reported */
TEST(a_winner_must_be_faster_than_the_baseline_for_sure)
{
	static const struct {
		double winner_ns,
			spread; /* in the finals, where the baseline has 1000 */
		bool wins;
	} rows[] = {
		{ 900, 0, true },
		{ 900, 0.01, true },
		/* blocks of +-20 %: Student's interval of those that there is time for
		   is wider than the gain, and alpha is shared by five */
		{ 900, 0.2, false },
		/* half as fast as it looked in the search */
		{ 2000, 0, false },
		{ 2000, 0.3, false },
		/* the gain is certain, but too small to matter */
		{ 999, 0, false },
		{ 997, 0, true },
		{ 1000, 0, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OWNED(world_free) struct world *world = world_new();

		for (int row = 0; row < ROWS; row++) {
			world->fates[row].final_ns = 1e5;
			world->fates[row].spread = row ? 0 : rows[i].spread;
		}
		world->fates[0].final_ns = 1000;
		world->fates[13].final_ns = rows[i].winner_ns;
		tune(world);
		if (world->winner != (rows[i].wins ? 13 : 0))
			fail_msg("row %zu: %d wins", i, world->winner);
		/* the speedup is the quotient of the two times that are reported */
		assert_float_equal(world->speedup.value,
			world->baseline.value / world->score.value, 1e-12);
		assert_float_equal(world->baseline.value, 1000, 1e-6);
		if (rows[i].wins) {
			assert_float_equal(
				world->speedup.value, 1000 / rows[i].winner_ns, 1e-9);
			assert_true(world->speedup.low > 1);
			assert_true(world->speedup.low <= world->speedup.value);
			assert_true(world->speedup.high >= world->speedup.value);
			assert_true(at_json_count(world->gains) > 0);
		} else {
			assert_true(world->speedup.value == 1 &&
				    world->speedup.low == 1 &&
				    world->speedup.high == 1);
			assert_int_equal(at_json_count(world->gains), 0);
		}
	}
}

/* ---- energy ------------------------------------------------------------------- */

/* The search is by time; energy decides among what is at most 15 % slower. */
TEST(energy_is_measured_of_what_is_fast_enough_and_chooses_the_winner)
{
	static const struct {
		const struct at_objective *objective;
		double joules[ROWS]; /* 0: 1 J */
		int winner;
		unsigned front;
	} rows[] = {
		{ &at_objective_energy, { [6] = 0.5 }, 6, 1 << 6 | 1 << 13 },
		/* 1200 ns are too many beside 1000 */
		{ &at_objective_energy, { [1] = 0.1, [6] = 0.5 }, 6, 1 << 6 | 1 << 13 },
		{ &at_objective_energy, { [6] = 0.8, [12] = 0.7, [9] = 0.6 }, 9,
			1 << 9 | 1 << 12 | 1 << 13 },
		/* 1120 ns and 0.95 J */
		{ &at_objective_energy, { [6] = 0.95 }, 6, 1 << 6 | 1 << 13 },
		{ &at_objective_edp, { [6] = 0.95 }, 13, 1 << 6 | 1 << 13 },
		/* the baseline takes part, however slow it is, and wins a tie */
		{ &at_objective_energy, { [0] = 0.4, [6] = 0.5 }, 0,
			1 << 0 | 1 << 6 | 1 << 13 },
		{ &at_objective_energy, { 0 }, 0, 1 << 13 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(world_free) struct world *world = world_new();
		const double *joules = rows[i].joules;
		double score, baseline;

		world->objective = rows[i].objective;
		for (int row = 0; row < ROWS; row++)
			world->fates[row].joules = joules[row] > 0 ? joules[row] : 1;
		tune(world);
		if (world->winner != rows[i].winner || world->front != rows[i].front)
			fail_msg("row %zu: %d wins, front %x", i, world->winner,
				world->front);
		/* 1000 to 1150 ns, at most 13 of them, and the baseline */
		assert_int_equal(world->energies & 1 << 1, 0);
		assert_int_equal(world->energies & 1, 1);
		assert_int_equal(world->energies >> 6 & 0xf, 0xf);
		/* two looks; the second one has the long windows */
		assert_int_equal(world->counts.finals, 2);
		assert_int_equal(world->blocks, 12);
		assert_true(world->counts.energy_seconds == 5);
		score = world->fates[world->winner].joules;
		baseline = world->fates[0].joules;
		if (rows[i].objective == &at_objective_edp) {
			score *= plain_time(world->winner) * 1e-9;
			baseline *= plain_time(0) * 1e-9;
		}
		assert_true(fabs(world->score.value / score - 1) < 1e-9);
		assert_true(fabs(world->speedup.value / (baseline / score) - 1) < 1e-9);
		assert_int_equal(at_json_count(world->gains), 0);
		assert_true(world->has_header);
	}
}

/* what was chosen by time does not stand against energy, and is not lost by it */
TEST_IN_A_WORLD(winners_of_two_objectives_are_not_compared)
{
	for (int row = 0; row < ROWS; row++)
		world->fates[row].joules = row == 6 ? 0.5 : 1;
	tuned(world, WINNER, 13);
	world->objective = &at_objective_energy;
	tuned(world, WINNER, 6, BEGUN, 0, FINALS, 2);
	/* it stands now, without new windows */
	tuned(world, WINNER, 6, BEGUN, 0, FINALS, 0);
}

TEST(energy_that_cannot_be_measured_ends_the_run_with_words)
{
	OWNED(world_free) struct world *world = world_new();
	struct at_visit *visit;
	struct at_visit given = {
		.session = &world->session,
		.store = world->store,
		.spec = world->spec,
		.whole_spec = world->whole,
		.problem = &world->spec->problems[0],
		.objective = &at_objective_edp,
		.device_id = world->device_id,
		.done = done,
		.context = world,
	};

	/* noticed in the finals: the search is in the record */
	world->objective = &at_objective_energy;
	world->script.refuses_energy = "other processes use the board";
	tuned(world, STATUS, AT_EUNAVAILABLE, EVALUATED, ROWS, WINNER, -1);
	assert_string_equal(world->error.text, "other processes use the board");
	world->script.refuses_energy = NULL;
	/* known ahead of the search */
	world->script.no_energy = "the device host counts no energy";
	given.evaluator = fake_evaluator_new(&world->script, &world->counts);
	assert_fails(at_visit_start(&at_tuning_kind, &given, &visit, &failure),
		AT_EUNAVAILABLE,
		"objective \"edp\" on test:0: the device host counts no energy; the objective \"time\" needs no counter");
	given.evaluator->ops->close(given.evaluator);
	world->script.no_energy = NULL;
	/* times alone choose nothing */
	world->session.fresh = true;
	world->interrupts_after = 9;
	tuned(world, WINNER, -1, SUMMARIES, 1, SELECTED, true);
	assert_non_null(strstr(world->summary_text, "choose no winner by energy"));
}

/*
 * What six blocks leave open gets more of them, with who may still matter, as long as
 * there is time; what they settle does not.
 */
TEST(what_finals_leave_open_gets_more_blocks)
{
	static const struct {
		double winner_ns, spread, block_seconds;
		const char *budget;
		int winner;
		size_t finals, finalists;
		uint32_t blocks; /* of all finals */
		double own_spread; /* of the winner */
	} rows[] = {
		{ 500, 0, 0.1, NULL, 13, 1, 6, 6, 0 },
		/* +-9 % of the baseline: 12 are enough */
		{ 900, 0.09, 0.1, NULL, 13, 2, 2, 12, 0 },
		{ 900, 0.14, 0.1, NULL, 13, 3, 2, 24, 0 },
		/* never: the baseline wins */
		{ 900, 0.5, 0.1, NULL, 0, 3, 2, 24, 0 },
		/* twice a tenth of the time has room for the first look alone, and for
		   one more */
		{ 900, 0.14, 0.5, "20s", 0, 1, 6, 6, 0 },
		{ 900, 0.1, 0.3, "20s", 13, 2, 2, 12, 0 },
		/* a gain that is sure, of a time that is not */
		{ 100, 0.02, 0.1, NULL, 13, 1, 6, 6, 0 },
		/* an interval that more blocks narrow: if they are short beside the
		   search, and not if they are long */
		{ 500, 0, 0.0005, NULL, 13, 3, 2, 24, 0.003 },
		{ 500, 0, 0.1, NULL, 13, 1, 6, 6, 0.003 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OWNED(world_free) struct world *world = world_new();

		for (int row = 0; row < ROWS; row++)
			world->fates[row].final_ns = 1e5;
		world->fates[0].final_ns = 1000;
		world->fates[0].spread = rows[i].spread;
		world->fates[13].final_ns = rows[i].winner_ns;
		world->fates[13].spread = rows[i].own_spread;
		world->script.block_seconds = rows[i].block_seconds;
		world->session.budget = rows[i].budget;
		tune(world);
		if (world->winner != rows[i].winner ||
			world->counts.finals != rows[i].finals ||
			world->counts.finalists != rows[i].finalists ||
			world->blocks != rows[i].blocks)
			fail_msg(
				"row %zu: %d wins after %zu finals, the last of %zu, with %u blocks",
				i, world->winner, world->counts.finals,
				world->counts.finalists, world->blocks);
		/* only the first finals have to find out how many launches make a
		 * sample */
		assert_int_equal(world->counts.launches, rows[i].finals > 1);
		assert_float_equal(world->speedup.value,
			world->baseline.value / world->score.value, 1e-12);
	}
}

/* A busy machine: three blocks in the time of the finals. */
static void make_busy(struct world *world)
{
	world->script.block_seconds = 1.2;
	world->script.blocks_most = 3;
	world->session.budget = "15s";
}

static void make_idle(struct world *world)
{
	world->script.block_seconds = 0.05;
	world->script.blocks_most = 0;
}

/* Not final: the next run repeats what the budget cut short, with the time that the
   search does not need, until it is decided. */
TEST(finals_that_the_budget_cut_short_are_repeated)
{
	static const struct {
		double winner_ns, rival_ns, spread; /* of the winner */
		bool is_undecided;
		int first, last; /* the winners of the first run and of the last */
	} rows[] = {
		/* no more than the noise of three blocks */
		{ 900, 1e5, 0, true, 0, 13 },
		/* so clear that three blocks decide it */
		{ 300, 1e5, 0.01, false, 13, 13 },
		/* so clear, but the time itself is not known */
		{ 300, 1e5, 0.1, true, 13, 13 },
		/* certain, but which of the two is better is not */
		{ 300, 309, 0, true, 13, 13 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(world_free) struct world *world = world_new();

		for (int row = 0; row < ROWS; row++)
			world->fates[row].final_ns = 1e5;
		world->fates[0].final_ns = 1000;
		world->fates[0].spread = 0.03;
		world->fates[13].final_ns = rows[i].winner_ns;
		world->fates[13].spread = rows[i].spread;
		world->fates[12].final_ns = rows[i].rival_ns;
		world->fates[12].spread = 0.03;
		make_busy(world);
		tuned(world, WINNER, rows[i].first, BLOCKS, 3, UNDECIDED,
			rows[i].is_undecided);
		assert_int_equal(isnan(world->score.low), rows[i].is_undecided);
		assert_int_equal(isnan(world->baseline.low), rows[i].is_undecided);
		assert_int_equal(strstr(world->note, "the next run repeats it") != NULL,
			rows[i].is_undecided);
		make_idle(world);
		tuned(world, BEGUN, 0, WINNER, rows[i].last, UNDECIDED, false);
		assert_int_equal(world->counts.finals > 0, rows[i].is_undecided);
		assert_true(world->score.low > 0);
		assert_int_equal(
			strstr(world->note, "undecided: it is repeated") != NULL,
			rows[i].is_undecided);
		tuned(world, FINALS, 0);
	}
}

TEST_IN_A_WORLD(undecided_finals_replace_no_winner)
{
	world->fates[13].final_ns = 900;
	world->fates[13].spread = 0.08;
	world->session.budget = "13";
	world->script.block_seconds = 0.05;
	tune_to(world, 12);
	make_busy(world);
	tuned(world, WINNER, 12, UNDECIDED, false);
	assert_true(world->counts.finals > 0);
	assert_non_null(strstr(world->note, "the recorded winner stands"));
	make_idle(world);
	tuned(world, WINNER, 13);
	assert_true(world->counts.finals > 0);
}

/* and not to the recorded winner if it is no faster than the baseline any more */
TEST_IN_A_WORLD(a_tie_goes_first_of_all_to_the_baseline)
{
	tune_to(world, 13);
	world->session.fresh = true;
	for (int row = 0; row < ROWS; row++) {
		world->fates[row].final_ns = 1000;
		world->fates[row].registers = 10;
	}
	world->fates[0].registers = 200;
	tune_to(world, 0);
}

TEST_IN_A_WORLD(who_ties_with_the_best_must_beat_the_baseline_too)
{
	world->fates[0].final_ns = 1000;
	world->fates[0].registers = world->fates[13].registers = 200;
	world->fates[13].final_ns = 900;
	/* its median is 950, but its blocks are far apart; it needs fewer registers */
	world->fates[12].final_ns = 950;
	world->fates[12].spread = 0.2;
	world->fates[12].registers = 10;
	for (int row = 1; row < 12; row++)
		world->fates[row].final_ns = 1e5;
	for (int row = 14; row < ROWS; row++)
		world->fates[row].final_ns = 1e5;
	tune_to(world, 13);
}

/* a baseline that was chosen is verified as any other, and may fail */
TEST_IN_A_WORLD(a_baseline_that_fails_its_verification_is_nobodys_measure)
{
	for (int row = 0; row < ROWS; row++)
		world->fates[row].final_ns = 1000 + row;
	world->verification = AT_OUTCOME_WRONG_RESULT;
	world->refused_row = 0;
	tune_to(world, 10);
	assert_true(isnan(world->speedup.value));
}

TEST_IN_A_WORLD(the_same_kernel_stands_on_the_podium_once)
{
	/* the best five of the search are one image in the same launch */
	for (int i = 10; i < 15; i++)
		world->fates[i].image = 4711;
	tune(world);
	/* the finals measure that image once, and the baseline: no other configuration
	   comes near */
	assert_int_equal(world->counts.finalists, 2);
	assert_int_equal(world->winner / 5, 2);
}

TEST(what_set_leaves_out_stays_the_winner_where_it_is_faster)
{
	/* also where the time of the recorded winner is hardly known (a busy machine)
	 */
	for (int is_noisy = 0; is_noisy < 2; is_noisy++) {
		OWNED(world_free) struct world *world = world_new();

		world->fates[0].time_ns = 1e6;
		world->fates[13].spread = is_noisy ? 0.5 : 0;
		tune_to(world, 13);
		restrict_to(world, "A=1");
		tune_to(world, -1);
		assert_string_equal(world->note,
			"the recorded winner, which --set leaves out, is faster and stays");
	}
}

/* Also with a strategy that would now ask for other configurations: those in the record
   count against the budget first. */
TEST(a_rerun_with_the_same_budget_evaluates_nothing_new)
{
	static const char *const strategies[] = { "random", "local", "surrogate" };

	for (size_t i = 0; i < 3; i++) {
		OWNED(world_free) struct world *world = world_new();

		world->session.strategy = strategies[i];
		world->session.budget = "8";
		tuned(world, BEGUN, 8);
		world->session.seed = 99;
		tuned(world, BEGUN, 0, EVALUATED, 8, REUSED, 8);
	}
}

TEST(a_larger_budget_goes_on_where_the_last_one_ended)
{
	/* goes on after a run of 8 evaluations, and after one of four seconds in which
	   each evaluation took half a second */
	static const char *const budgets[][2] = { { "8", "12" }, { "4s", "8s" } };

	for (size_t i = 0; i < 2; i++) {
		OWNED(world_free) struct world *world = world_new();
		int told[ROWS];
		size_t evaluated;

		for (int row = 0; row < ROWS; row++)
			world->fates[row].seconds = 0.5;
		world->session.strategy = "random";
		world->session.budget = budgets[i][0];
		tune(world);
		evaluated = world->summary.evaluated;
		memcpy(told, world->told, sizeof(told));
		world->session.seed = 99;
		world->session.budget = budgets[i][1];
		tune(world);
		assert_true(world->summary.evaluated > evaluated);
		assert_true(world->summary.reused >= evaluated);
		if (i == 0)
			assert_int_equal(world->counts.begun, 4);
		for (int row = 0; row < ROWS; row++)
			assert_true(world->told[row] >= told[row]);
	}
}

/* First the baseline and the recorded winner, then the other recorded evaluations in
   the order in which they were recorded. */
TEST_IN_A_WORLD(what_is_recorded_is_told_in_its_order)
{
	int order[8];
	size_t next = 0;

	world->session.strategy = "random";
	world->session.budget = "8";
	tune(world);
	memcpy(order, world->order, sizeof(order));
	world->session.budget = "20";
	tune(world);
	assert_int_equal(world->order[0], 0);
	for (size_t i = 2; i < 8; i++) {
		while (order[next] == world->order[0] || order[next] == world->order[1])
			next++;
		assert_int_equal(world->order[i], order[next]);
		next++;
	}
}

/* the record then has two rows for each configuration, one for each source */
TEST_IN_A_WORLD(what_was_evaluated_under_two_sources_is_told_once)
{
	for (int run = 0; run < 4; run++) {
		world->script.source = run % 2 ? 77 : 0;
		tuned(world, BEGUN, run < 2 ? ROWS : 0, EVALUATED, ROWS);
		for (int i = 0; i < ROWS; i++)
			assert_int_equal(world->told[i], 1);
	}
}

TEST_IN_A_WORLD(what_set_leaves_out_is_not_recalled)
{
	tune(world);
	restrict_to(world, "A=1");
	tuned(world, BEGUN, 0);
	for (int i = 0; i < ROWS; i++)
		assert_int_equal(world->told[i], i < 5);
}

TEST_IN_A_WORLD(what_an_interruption_left_is_recalled)
{
	world->script.capacity = 1;
	world->session.strategy = "random";
	world->interrupts_after = 9;
	tuned(world, EVALUATED, 9);
	world->interrupts_after = 0;
	world->session.seed = 99;
	world->session.budget = "9";
	tuned(world, BEGUN, 0, EVALUATED, 9);
}

/* ---- what is known from elsewhere --------------------------------------------- */

/* the best of plain_time(); of equals the first */
static bool tries_the_best_of_elsewhere_first(const struct world *world)
{
	static const int best[] = { 13, 12, 14, 11 };

	return world->order_count > 4 && !memcmp(world->order + 1, best, sizeof(best));
}

TEST(another_problem_shows_what_to_try_first)
{
	static const struct {
		bool fresh;
		bool learns;
	} cases[] = { { false, true }, { true, false } };

	for (size_t i = 0; i < 2; i++) {
		OWNED(world_free) struct world *world = world_new();

		tune(world);
		/* the other problem takes longer: its times are not comparable */
		for (int row = 0; row < ROWS; row++)
			world->fates[row].time_ns = 1e6 * plain_time(row);
		world->problem = 1;
		world->script.source = 5;
		world->script.capacity = 1;
		world->session.strategy = "surrogate";
		world->session.budget = "6";
		world->session.fresh = cases[i].fresh;
		tuned(world, BEGUN, 6);
		assert_int_equal(world->order[0], 0);
		assert_int_equal(
			tries_the_best_of_elsewhere_first(world), cases[i].learns);
	}
}

TEST(another_device_of_the_kind_shows_what_to_try_first)
{
	static const struct {
		const char *kind;
		bool learns;
	} cases[] = { { "test", true }, { "other", false } };

	for (size_t i = 0; i < 2; i++) {
		struct at_record_device device = record_device(
			cases[i].kind, "Other board", "other-board", "", "", "");
		OWNED(world_free) struct world *world = world_new();

		tune(world);
		assert_ok(at_store_put_device(
			world->store, &device, &world->device_id, NULL));
		world->script.source = 5;
		world->script.capacity = 1;
		world->session.strategy = "surrogate";
		world->session.budget = "6";
		tuned(world, BEGUN, 6);
		assert_int_equal(
			tries_the_best_of_elsewhere_first(world), cases[i].learns);
	}
}

/* Times under an older source only say what to try first: a configuration that has
   become slow since is not selected. */
TEST_IN_A_WORLD(an_older_source_shows_what_to_try_first)
{
	tune(world);
	for (int row = 0; row < ROWS; row++)
		world->fates[row].time_ns = 3000 - plain_time(row);
	world->script.source = 77;
	world->script.capacity = 1;
	world->session.strategy = "surrogate";
	world->session.budget = "6";
	tuned(world, BEGUN, 6);
	assert_true(tries_the_best_of_elsewhere_first(world));
	world->session.budget = NULL;
	tune_to(world, 0);
}

/* ---- budgets ----------------------------------------------------------------- */

TEST(a_budget_counts_distinct_evaluations)
{
	static const char *const budgets[] = { "1", "5", "19", "20", "1000" };
	static const size_t expected[] = { 1, 5, 19, 20, 20 };

	for (size_t i = 0; i < 5; i++) {
		OWNED(world_free) struct world *world = world_new();

		world->session.budget = budgets[i];
		world->script.capacity = 8;
		tuned(world, EVALUATED, expected[i]);
	}
}

/* finals, verification and explanation included: within 10 % and one evaluation */
TEST(a_time_covers_everything)
{
	static const char *const budgets[] = { "4s", "10s", "30s", "2m" };
	static const double seconds[] = { 4, 10, 30, 120 };

	for (size_t i = 0; i < 4; i++) {
		OWNED(world_free) struct world *world = world_new();

		world->session.budget = budgets[i];
		world->script.case_count = 4;
		for (int row = 0; row < ROWS; row++)
			world->fates[row].seconds = seconds[i] / 12;
		tuned(world, SUMMARIES, 1);
		assert_true(world->winner >= 0);
		assert_true(world->summary.evaluated >= 6);
		assert_true(world->summary.evaluated < ROWS);
		assert_true(world->counts.called_off > 0);
		if (world->seconds > 1.1 * seconds[i] + seconds[i] / 12)
			fail_msg("%s took %g s", budgets[i], world->seconds);
		/* the time is used: hardly any of it is left over */
		if (world->seconds < 0.7 * seconds[i])
			fail_msg("%s took only %g s", budgets[i], world->seconds);
	}
}

static void poke(void *context)
{
	at_visit_poke(((struct world *)context)->visit);
}

/* as with a compiler or a driver that hangs with every configuration */
TEST_IN_A_WORLD(where_nothing_is_measured_it_ends_with_one_line)
{
	world->session.budget = "5s";
	for (int row = 0; row < ROWS; row++)
		world->fates[row].seconds = 300;
	begin_tuning(world);
	fake_after(world->evaluator, 119, poke, world);
	fake_after(world->evaluator, 2, poke, world);
	fake_run(world->evaluator);
	end_tuning(world);
	assert_string_equal(world->error.text,
		"nothing was measured in 2 min 00 s, and the budget is 5.00 s: compiling has not ended; a larger --budget waits longer");
	if (world->seconds < 120 || world->seconds > 122)
		fail_msg("%g s", world->seconds);
}

/* Its evaluation is called off, and nothing is recorded: a longer run may wait for it.
 */
TEST_IN_A_WORLD(what_hangs_when_the_search_ends_is_called_off)
{
	world->script.waiting = poke;
	world->script.capacity = 1;
	world->session.budget = "10s";
	for (int row = 0; row < ROWS; row++)
		world->fates[row].seconds = row == 5 ? 300 : 0.2;
	tuned(world, CUT, 1, EVALUATED, 5);
	assert_true(world->winner >= 0);
	/* 1 s of grace, for an evaluation of a winner may take as long */
	if (world->seconds < 7 || world->seconds > 11)
		fail_msg("%g s", world->seconds);
	/* units that take too long to compile are not waited for either */
	assert_float_equal(world->counts.dear_seconds, 4, 0.6);
	assert_true(world->counts.dear_deadline == 0);
	world->fates[5].seconds = 0.2;
	world->session.budget = NULL;
	tune(world);
	assert_int_equal(world->told[5], 1);
	assert_false(world->reused[5]);
}

/* Compilers are held to the space's deadline, too, without a budget. */
TEST_IN_A_WORLD(a_slow_compile_ends_at_the_deadline_of_the_space)
{
	world->script.waiting = poke;
	tuned(world, EVALUATED, ROWS);
	assert_true(world->counts.dear_seconds == 0);
	world->spec->search.deadline_seconds = 5;
	world->session.fresh = true;
	tuned(world, EVALUATED, ROWS);
	assert_true(world->counts.dear_deadline == 5);
}

/* Where the set-up takes the budget, the phases that follow take no share of their own.
 */
TEST_IN_A_WORLD(a_budget_that_is_too_short_is_told_with_the_figure)
{
	world->script.waiting = poke;
	world->script.case_count = 8;
	world->script.case_seconds = 0.5;
	world->script.cover_seconds = 2;
	world->session.budget = "10s";
	world->fates[0].seconds = 12;
	tuned(world, VERIFICATIONS, 1, LEFT, 7);
	assert_string_equal(world->note,
		"a budget of 10.0 s leaves no time for the search, since the baseline is measured after 12.0 s; --budget 25s does");
	assert_true(world->counts.cover_seconds == 0);
	/* the finals have their first look, as long as that is */
	if (world->seconds > 12 + 1 + 0.6)
		fail_msg("%g s", world->seconds);
}

static enum at_outcome slow_beyond_the_first(
	void *context, const uint16_t *configuration, size_t verification_case)
{
	struct world *world = context;

	(void)configuration;
	(void)verification_case;
	world->script.case_seconds = 100;
	return AT_OUTCOME_OK;
}

TEST_IN_A_WORLD(a_case_that_takes_far_too_long_is_left_to_the_next_run)
{
	world->script.waiting = poke;
	world->script.verify = slow_beyond_the_first;
	world->script.case_count = 8;
	world->script.case_seconds = 0.1;
	world->session.budget = "10s";
	tuned(world, CUT, 1, CASES, 1, LEFT, 7, UNVERIFIED, false);
	assert_true(world->winner >= 0);
	/* 2 s for cases, and 1 s beyond them */
	if (world->seconds > 10)
		fail_msg("%g s", world->seconds);
}

/* A case is begun if it is expected to end in time. The next runs go on where the last
   one ended. */
TEST_IN_A_WORLD(what_there_is_no_time_to_verify_is_left_to_the_next_run)
{
	world->session.budget = "10s";
	world->script.case_count = 8;
	world->script.case_seconds = 0.45;
	for (size_t made = 2; made <= 8; made += 2) {
		tuned(world, LEFT, 8 - made, CASES, made, VERIFICATIONS, 2, FINALS,
			made == 2, WINNER, 13);
	}
	/* and then the winner stands */
	tuned(world, VERIFICATIONS, 0);
}

/* Of the tuned problem too: its data patterns end with the budget. */
TEST_IN_A_WORLD(a_case_that_the_budget_cuts_is_made_whole_by_the_next_run)
{
	world->session.budget = "10s";
	world->script.case_count = 2;
	world->script.case_seconds = 9;
	world->script.cuts_cases = true;
	tuned(world, VERIFICATIONS, 1, CASES, 0, LEFT, 2, UNVERIFIED, false, WINNER,
		13);
	if (world->seconds > 10)
		fail_msg("%g s", world->seconds);
	tuned(world, VERIFICATIONS, 1, CASES, 1, LEFT, 1, FINALS, 0, WINNER, 13);
	tuned(world, VERIFICATIONS, 1, CASES, 2, LEFT, 0, FINALS, 0, WINNER, 13);
}

/* More than the share of verifications is no reason to cut it. */
TEST_IN_A_WORLD(a_case_that_ends_within_the_budget_is_made_whole)
{
	world->session.budget = "10s";
	world->script.case_count = 2;
	world->script.case_seconds = 3;
	world->script.cuts_cases = true;
	tuned(world, VERIFICATIONS, 1, CASES, 1, LEFT, 1, WINNER, 13);
}

static enum at_outcome wrong_in_case_3(
	void *context, const uint16_t *configuration, size_t verification_case)
{
	return verification_case == 3 && row_of(configuration) == 13
		       ? AT_OUTCOME_WRONG_RESULT
		       : AT_OUTCOME_OK;
}

/* The case that the recorded winner fails on is what new finals begin with. */
TEST_IN_A_WORLD(what_was_left_may_refuse_the_recorded_winner)
{
	world->session.budget = "10s";
	world->script.case_count = 8;
	world->script.case_seconds = 0.45;
	world->script.verify = wrong_in_case_3;
	tuned(world, WINNER, 13, LEFT, 6, FINALS, 1);
	/* cases 2 and 3; case 3 again; cases 3 and 0 of the next best */
	tuned(world, WINNER, 12, FINALS, 1, VERIFICATIONS, 5);
	assert_true(at_verification_knows(&world->held_to, 3));
}

/* What a case takes is known of those with as much data, and of those with less it
   takes no less. A case that is passed over leaves its time to those behind it. */
TEST_IN_A_WORLD(cases_are_made_that_are_expected_to_end_in_time)
{
	static const uint64_t bytes[] = { 4000, 100, 2000, 100, 100, 100, 200, 9000 };
	static const double seconds[] = { 0.6, 0.06, 0.6, 0.06, 0.06, 0.06, 0.06, 3 };

	world->session.budget = "10s";
	world->script.case_count = AT_COUNT_OF(bytes);
	world->script.case_bytes = bytes;
	world->script.seconds_of_cases = seconds;
	tuned(world, VERIFICATIONS, 6, LEFT, 2);
	for (uint32_t id = 0; id < AT_COUNT_OF(bytes); id++)
		assert_int_equal(
			at_verification_knows(&world->held_to, id), id != 2 && id != 7);
	/* the first of each run is made in any case */
	tuned(world, VERIFICATIONS, 1, LEFT, 1);
	tuned(world, VERIFICATIONS, 1, LEFT, 0);
}

/* The record knows cases by what they are, so it is the domain that decides. */
TEST_IN_A_WORLD(where_the_cases_are_others_the_new_ones_are_made)
{
	static const uint32_t before[] = { 1, 2, 3 }, after[] = { 1, 9, 2, 3 };

	world->script.case_count = 3;
	world->script.ids = before;
	tuned(world, VERIFICATIONS, 3);
	world->script.case_count = 4;
	world->script.ids = after;
	tuned(world, VERIFICATIONS, 1, CASES, 4);
	tuned(world, VERIFICATIONS, 0, CASES, 4);
}

/* As an older version recorded it: which cases these were is not known. */
TEST_IN_A_WORLD(a_verification_that_only_counts_is_made_again)
{
	RELEASED(at_winner_release) struct at_winner best;
	bool found;

	world->script.case_count = 3;
	tune(world);
	assert_ok(at_store_find_winner(
		world->store, world->device_id, "scripted", "p", &best, &found, NULL));
	assert_ok(at_store_set_verification(
		world->store, &best, "{\"problems\": 3, \"data_sets\": 2}", NULL));
	tuned(world, VERIFICATIONS, 3, CASES, 3);
}

TEST_IN_A_WORLD(counterexamples_come_first_whatever_the_time)
{
	world->session.budget = "10s";
	world->script.case_count = 6;
	world->script.replay_count = 3;
	world->script.case_seconds = 20;
	/* and each run makes one more case */
	for (size_t left = 2; left < 3; left--)
		tuned(world, VERIFICATIONS, 4, LEFT, left);
	for (uint32_t id = 1; id <= 3; id++)
		assert_true(at_verification_knows(&world->held_to, id));
}

/* Rows 12 and 13 fail on case 1; from then on no time is left. */
static enum at_outcome two_share_a_mistake(
	void *context, const uint16_t *configuration, size_t verification_case)
{
	struct world *world = context;
	const int row = row_of(configuration);

	if (verification_case != 1 || (row != 12 && row != 13))
		return AT_OUTCOME_OK;
	world->script.case_seconds = 20;
	return AT_OUTCOME_WRONG_RESULT;
}

TEST_IN_A_WORLD(what_refused_one_finalist_comes_first_for_the_next)
{
	world->session.budget = "10s";
	world->script.verify = two_share_a_mistake;
	world->script.case_count = 6;
	/* two cases of 13, one of 12, two of the winner */
	tuned(world, VERIFICATIONS, 5, CASES, 2, LEFT, 4);
	assert_true(world->winner >= 0 && world->winner != 12 && world->winner != 13);
	for (uint32_t id = 0; id <= 1; id++)
		assert_true(at_verification_knows(&world->held_to, id));
}

/* They are made once, and are not among those that passed. */
TEST_IN_A_WORLD(vacuous_cases_do_not_count)
{
	world->session.budget = "10s";
	world->script.case_count = 8;
	world->script.case_seconds = 0.45;
	snprintf(world->script.verified.only_for,
		sizeof(world->script.verified.only_for), "rows");
	for (size_t run = 1; run <= 4; run++) {
		world->script.verified.is_vacuous = run == 1;
		tuned(world, VACUOUS, 2, LEFT, 8 - 2 * run, CASES, 2 * (run - 1));
		assert_true(world->winner >= 0);
		assert_string_equal(world->held_to.vacuous_for, "tuned; odd");
		assert_string_equal(world->held_to.only_for, "rows");
		assert_int_equal(
			world->held_to.made, world->held_to.left ? 2 * run : 0);
	}
}

/* a second and a tenth of the time so far, or on the CPU what is left of a budget */
TEST(cases_take_a_share_of_the_time_where_not_all_are_asked_for)
{
	static const struct {
		const char *budget;
		bool thorough;
		double case_seconds;
		size_t made;
		const char *kind;
	} rows[] = {
		{ "10s", true, 20, 8, NULL },
		{ NULL, true, 20, 8, NULL },
		{ NULL, false, 20, 1, NULL },
		{ NULL, false, 20, 8, "host" },
		{ "10s", false, 20, 1, "host" },
		{ "10s", false, 0.9, 8, "host" },
		{ NULL, false, 0.24, 8, NULL },
		/* the confirmation took the rest */
		{ "1s", false, 0.24, 1, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OWNED(world_free) struct world *world = world_new();

		world->session.budget = rows[i].budget;
		world->session.thorough = rows[i].thorough;
		world->script.case_count = 8;
		world->script.case_seconds = rows[i].case_seconds;
		world->script.kind = rows[i].kind;
		tuned(world, VERIFICATIONS, rows[i].made, LEFT, 8 - rows[i].made);
		assert_int_equal(!world->held_to.left_for[0], rows[i].made == 8);
	}
}

TEST_IN_A_WORLD(what_is_called_off_is_not_recorded)
{
	size_t evaluated;

	world->session.budget = "4s";
	for (int row = 0; row < ROWS; row++)
		world->fates[row].seconds = 0.5;
	tune(world);
	evaluated = world->summary.evaluated;
	assert_true(world->counts.called_off > 0);
	world->session.budget = NULL;
	tuned(world, EVALUATED, ROWS);
	assert_true(world->summary.reused >= evaluated);
	assert_true(world->summary.reused < ROWS);
}

/* ---- interruptions ----------------------------------------------------------- */

TEST_IN_A_WORLD(an_interruption_winners_the_best_so_far_as_unverified)
{
	world->interrupts_after = 9;
	world->script.capacity = 1;
	tuned(world, STATUS, AT_OK, FINALS, 0, EVALUATED, 9, WINNER, 8);
	/* the winner says that it is unverified, and no header has it */
	assert_true(world->is_unverified);
	assert_false(world->has_header);
}

TEST_IN_A_WORLD(an_unverified_winner_is_in_a_header_where_that_is_asked_for)
{
	world->session.with_unverified = true;
	world->interrupts_after = 9;
	tune(world);
	assert_true(world->is_unverified && world->has_header);
}

/* interrupted in the search, before the finals, before the first verification and
   before the second */
TEST(what_an_interruption_left_unverified_is_verified_by_the_next_run)
{
	static const size_t answers[] = { 9, ROWS, ROWS + 1, ROWS + 2 };

	for (size_t i = 0; i < 4; i++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.capacity = 1;
		world->script.case_count = 2;
		world->interrupts_after = answers[i];
		tuned(world, UNVERIFIED, true, CASES, 0);
		world->interrupts_after = 0;
		/* the budget is used up by what the first run has recorded */
		world->session.budget = "9";
		tuned(world, FINALS, 1, VERIFICATIONS, 2, WINNER, i ? 13 : 8,
			UNVERIFIED, false, HEADER, true, CASES, 2);
		/* a third run has nothing left to do */
		tuned(world, FINALS, 0, UNVERIFIED, false);
	}
}

/* checks that were not run are recorded as missing beside its verification */
TEST(an_interruption_in_the_checks_leaves_a_winner_that_is_verified)
{
	static const struct {
		size_t answers;
		enum at_sanitize sanitize;
		double check_seconds;
		const char *checks;
	} rows[] = {
		/* the check on the host still runs when all verifications have passed
		 */
		{ ROWS + 3, AT_SANITIZE_WINNER, 1, "NNNNN" },
		{ ROWS + 3, AT_SANITIZE_NEVER, 1, "N----" },
		{ ROWS + 5, AT_SANITIZE_WINNER, 0, "PPNNN" },
		/* all checks of the winner have passed, those of the others have not
		   run */
		{ ROWS + 9, AT_SANITIZE_FINALISTS, 0, "PPPPP" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.capacity = 1;
		world->script.case_count = 2;
		world->script.check = scripted_check;
		world->session.sanitize = rows[i].sanitize;
		world->check_seconds = rows[i].check_seconds;
		world->interrupts_after = rows[i].answers;
		tuned(world, WINNER, 13, UNVERIFIED, false, HEADER, true, CASES, 2);
		assert_checks(world, rows[i].checks);
	}
}

TEST_IN_A_WORLD(an_unverified_winner_that_is_wrong_is_replaced)
{
	world->interrupts_after = ROWS;
	tune_to(world, 13);
	world->interrupts_after = 0;
	world->verification = AT_OUTCOME_WRONG_RESULT;
	world->refused_row = 13;
	tuned(world, WINNER, 12, UNVERIFIED, false);
}

/* however much faster the unverified configuration is, whatever its source */
TEST(an_interruption_replaces_nobody_who_was_verified)
{
	for (int is_new = 0; is_new < 2; is_new++) {
		OWNED(world_free) struct world *world = world_new();
		RELEASED(at_winner_release) struct at_winner best;
		bool found;

		tune(world);
		world->session.fresh = true;
		world->session.with_unverified = true;
		world->script.source = is_new ? 77 : 0;
		world->fates[3].time_ns = 1;
		world->interrupts_after = 16;
		tuned(world, WINNER, -1, SUMMARIES, 1);
		assert_ok(at_store_find_winner(world->store, world->device_id,
			"scripted", "p", &best, &found, NULL));
		assert_true(found && !best.is_unverified);
		/* the score is the geometric mean of the blocks */
		assert_true(fabs(best.score.value / plain_time(13) - 1) < 1e-12);
	}
}

TEST_IN_A_WORLD(of_two_interruptions_the_better_one_is_selected)
{
	world->session.fresh = true;
	world->script.capacity = 1;
	world->interrupts_after = 9;
	tune_to(world, 8);
	/* an interruption after as many evaluations finds nothing better */
	tune_to(world, -1);
	world->interrupts_after = 16;
	tuned(world, WINNER, 13, UNVERIFIED, true);
}

/* a verified winner that --set leaves out stays if it is faster; an unverified one does
   not */
TEST_IN_A_WORLD(what_set_leaves_out_stands_only_if_it_was_verified)
{
	world->interrupts_after = ROWS;
	tuned(world, WINNER, 13, UNVERIFIED, true);
	world->interrupts_after = 0;
	restrict_to(world, "A=1");
	tuned(world, WINNER, 3, UNVERIFIED, false, HEADER, true);
}

/* if the evaluator fails half-way, no winner is written and none is removed */
TEST(a_failure_in_finals_or_verification_leaves_the_winner_as_it_is)
{
	for (size_t after = ROWS; after < ROWS + 2; after++) {
		OWNED(world_free) struct world *world = world_new();
		RELEASED(at_winner_release) struct at_winner best;
		bool found;

		world->session.fresh = true;
		world->script.fails_after = after;
		tuned(world, STATUS, AT_EDEVICE);
		assert_ok(at_store_find_winner(world->store, world->device_id,
			"scripted", "p", &best, &found, NULL));
		assert_false(found);
		world->script.fails_after = 0;
		tune_to(world, 13);
		world->script.fails_after = after;
		world->fates[3].time_ns = 1;
		tune(world);
		assert_ok(at_store_find_winner(world->store, world->device_id,
			"scripted", "p", &best, &found, NULL));
		assert_true(found && !best.is_unverified);
		/* the score is the geometric mean of the blocks */
		assert_true(fabs(best.score.value / plain_time(13) - 1) < 1e-12);
	}
}

/* ---- what was verified, and how -------------------------------------------- */

TEST_IN_A_WORLD(of_all_cases_the_least_is_recorded)
{
	world->script.case_count = 3;
	world->script.verified = (struct at_measure_verification){
		.data_sets = 2,
		.patterns = 6,
		.guarded = true,
		.zones = true,
		.launches = 15,
	};
	tuned(world, CASES, 3);
	assert_int_equal(world->held_to.data_sets, 2);
	assert_int_equal(world->held_to.patterns, 6);
	assert_int_equal(world->held_to.launches, 45);
	assert_true(world->held_to.guarded && world->held_to.zones);
	assert_false(world->held_to.crowded);
	/* an evaluator without checks: none is recorded as missing */
	assert_checks(world, "-----");
}

TEST_IN_A_WORLD(checks_that_are_passed_are_recorded)
{
	world->script.check = scripted_check;
	tuned(world, CHECKS, AT_CHECK_COUNT);
	assert_checks(world, "PPPPP");
}

/* it may come before the last case and behind it */
TEST(cases_that_coverage_adds_are_made)
{
	static const double seconds[] = { 0.005, 0.5 };

	for (size_t i = 0; i < AT_COUNT_OF(seconds); i++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.case_count = 2;
		world->script.cover_seconds = seconds[i];
		world->script.more_cases = 3;
		tuned(world, WINNER, 13, VERIFICATIONS, 5, CASES, 5, LEFT, 0);
		assert_true(world->counts.cover_seconds > 0);
		assert_string_equal(world->held_to.coverage[0],
			"3 of 4 branches of the reference ran");
		assert_string_equal(world->held_to.coverage[1],
			"5 of 5 branches of the winner ran");
	}
}

/* They are on no list, so the next run's coverage has to add them again. */
TEST_IN_A_WORLD(cases_that_coverage_adds_are_left_to_the_next_run)
{
	world->session.budget = "10s";
	world->script.case_count = 2;
	world->script.cover_seconds = 0.005;
	world->script.more_cases = 3;
	world->script.case_seconds = 0.45;
	for (size_t run = 1; run <= 3; run++) {
		tuned(world, WINNER, 13, VERIFICATIONS, run == 3 ? 1 : 2, CASES,
			run == 3 ? 5 : 2 * run, LEFT, run == 3 ? 0 : 5 - 2 * run);
	}
}

TEST_IN_A_WORLD(a_check_that_cannot_be_made_refuses_nobody)
{
	world->script.check = scripted_check;
	world->unchecked = AT_OUTCOME_NOT_APPLICABLE;
	world->why = "it is not installed";
	tuned(world, WINNER, 13, UNVERIFIED, false);
	assert_checks(world, "NNNNN");
	for (size_t i = 0; i < AT_CHECK_COUNT; i++)
		assert_string_equal(
			world->held_to.checks[i].why, "it is not installed");
	/* a check that makes no sense here is not recorded as missing either */
	world->session.fresh = true;
	world->why = "";
	tune(world);
	assert_checks(world, "-----");
}

/* whoever reads that a winner is verified reads for what it is not */
TEST(a_verification_keeps_on_what_nothing_could_be_verified)
{
	for (int i = 0; i < 3; i++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.case_count = 2;
		world->script.is_unfit = i > 0;
		world->script.reference_fails = i > 1;
		world->refused_row = 13;
		world->verification = AT_OUTCOME_NOT_APPLICABLE;
		tuned(world, WINNER, 13, CASES, 1, UNFIT, i > 0);
		assert_int_equal(world->held_to.reference_fails, i > 1);
		if (i)
			assert_string_equal(world->held_to.unfit_for, "tuned");
	}
}

TEST(a_winner_that_fails_any_check_is_refused_for_good)
{
	static const char *const notes[] = { "A=3 B=4: host: as the script says",
		"A=3 B=4: racecheck: as the script says",
		"A=3 B=4: memcheck: as the script says",
		"A=3 B=4: initcheck: as the script says",
		"A=3 B=4: synccheck: as the script says" };

	for (size_t i = 0; i < AT_CHECK_COUNT; i++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.check = scripted_check;
		world->refused_row = 13;
		world->checked[i] = AT_OUTCOME_UNSTABLE;
		tuned(world, WINNER, 12, FINALS, 1);
		assert_string_equal(world->note, notes[i]);
		world->checked[i] = AT_OUTCOME_NONE;
		tune_to(world, 12);
	}
}

/* Without defaults it is the slowest one that is right; of what watches shared memory
   the slowest that has some, since of others it has nothing to say. */
TEST(a_check_has_a_witness)
{
	static const struct {
		bool has_defaults, is_alone;
		int64_t shared_bytes; /* of the winner and of rows 9 and 11 */
		int witness, shared_witness;
	} rows[] = {
		{ true, false, 0, 0, 0 },
		{ true, false, 4096, 0, 0 },
		{ false, false, 0, 17, -1 },
		{ false, false, 4096, 17, 9 },
		{ false, true, 4096, -1, -1 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.check = scripted_check;
		world->spec->has_defaults = rows[i].has_defaults;
		world->fates[17].time_ns = 1400;
		world->fates[18] =
			(struct fake_fate){ .outcome = AT_OUTCOME_WRONG_RESULT,
				.time_ns = 1500,
				.shared_bytes = 4096 };
		world->fates[9].time_ns = 1300;
		world->fates[9].shared_bytes = rows[i].shared_bytes;
		world->fates[11].time_ns = 1200;
		world->fates[11].shared_bytes = rows[i].shared_bytes;
		world->fates[13].shared_bytes = rows[i].shared_bytes;
		for (int k = 0; k < ROWS; k++)
			if (rows[i].is_alone && k != 13)
				world->fates[k].outcome = AT_OUTCOME_WRONG_RESULT;
		tune_to(world, 13);
		for (int check = 0; check < AT_CHECK_COUNT; check++) {
			bool watches_shared = check == AT_CHECK_RACECHECK ||
					      check == AT_CHECK_SYNCCHECK;

			assert_int_equal(world->witnesses[check],
				watches_shared ? rows[i].shared_witness
					       : rows[i].witness);
		}
	}
}

/* the check on the host needs a processor, the verifications need the board */
TEST_IN_A_WORLD(cases_that_coverage_added_stay_left_until_it_adds_them_again)
{
	world->session.budget = "10s";
	world->script.case_count = 2;
	world->script.cover_seconds = 0.005;
	world->script.more_cases = 3;
	world->script.case_seconds = 0.45;
	tuned(world, WINNER, 13, LEFT, 3);
	world->script.cover_is_cut = true;
	tuned(world, WINNER, 13, LEFT, 3);
	assert_string_equal(
		world->held_to.coverage[0], "3 of 4 branches of the reference ran");
	world->script.cover_is_cut = false;
	world->script.case_seconds = 0.1;
	tuned(world, WINNER, 13, LEFT, 0, CASES, 5);
}

TEST(the_host_is_asked_while_the_board_is_at_the_cases)
{
	double seconds[2];

	for (int is_checked = 0; is_checked < 2; is_checked++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.case_count = 2;
		world->script.case_seconds = 3;
		if (is_checked)
			world->script.check = scripted_check;
		world->session.sanitize = AT_SANITIZE_NEVER;
		world->session.thorough = true;
		world->check_seconds = 5;
		tuned(world, WINNER, 13, CASES, 2, HOST_CHECK,
			is_checked ? AT_CHECK_PASSED : AT_CHECK_UNASKED);
		seconds[is_checked] = world->seconds;
	}
	assert_float_equal(seconds[1], seconds[0], 1e-6);
}

/* Whichever answers first; if a verification fails, the check on the host is not waited
 * for.
 */
TEST(what_a_case_says_is_recorded_rather_than_what_the_host_says)
{
	static const struct {
		double case_seconds, check_seconds;
		size_t dropped;
	} rows[] = { { 0, 2, 1 }, { 3, 0, 0 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.check = scripted_check;
		world->script.case_seconds = rows[i].case_seconds;
		world->check_seconds = rows[i].check_seconds;
		world->session.sanitize = AT_SANITIZE_NEVER;
		world->verification = AT_OUTCOME_WRONG_RESULT;
		world->refused_row = 13;
		world->checked[AT_CHECK_HOST] = AT_OUTCOME_UNSTABLE;
		tuned(world, WINNER, 12, CHECKS, 2, DROPPED_CHECKS, rows[i].dropped);
		assert_string_equal(world->note,
			"A=3 B=4: on problem \"tuned\" with other data: as the script says");
		assert_int_equal(
			world->held_to.checks[AT_CHECK_HOST].state, AT_CHECK_PASSED);
	}
}

/* Checks have a second and a tenth of the time before them, counted from the first
   verification on; the host's runs beside the others. */
TEST_IN_A_WORLD(checks_take_no_more_than_their_share_of_the_time)
{
	world->script.check = scripted_check;
	world->script.case_seconds = 0.1;
	world->script.block_seconds = 50 / 6.0;
	world->check_seconds = 2.5;
	tune(world);
	/* racecheck first; the others are expected to take half as long. One of them
	   takes as long as racecheck, and no other fits into the 0.9 s that are left.
	 */
	assert_int_equal(world->counts.checks, 3);
	assert_float_equal(world->counts.check_seconds, 3.4, 0.05);
	assert_checks(world, "PPPNN");
	assert_string_equal(world->held_to.checks[AT_CHECK_INITCHECK].why,
		"there was no time for it; --sanitize asks for it all the same");
}

TEST_IN_A_WORLD(what_racecheck_takes_keeps_no_quicker_one_away)
{
	world->script.check = scripted_check;
	world->script.case_seconds = 0.1;
	world->script.block_seconds = 30 / 6.0;
	/* of 4 s, 1.4 s are left after racecheck */
	world->check_seconds = 2.5;
	tuned(world, CHECKS, 3);
	assert_float_equal(world->counts.check_seconds, 1.4, 0.05);
}

TEST_IN_A_WORLD(thorough_slow_cases_leave_as_much_for_the_checks)
{
	world->script.check = scripted_check;
	world->script.case_seconds = 100;
	world->session.thorough = true;
	tune(world);
	assert_checks(world, "PPPPP");
}

/* a second and a tenth of all before them */
TEST(without_a_time_a_short_run_has_short_checks)
{
	static const struct {
		double block_seconds; /* of six blocks of finals */
		bool thorough;
		size_t checks;
	} rows[] = { { 0.01, false, 1 }, { 2, false, 2 }, { 0.01, true, 5 } };

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		OWNED(world_free) struct world *world = world_new();

		world->script.check = scripted_check;
		world->script.block_seconds = rows[i].block_seconds;
		world->session.thorough = rows[i].thorough;
		world->check_seconds = 2.4;
		tuned(world, CHECKS, rows[i].checks);
	}
}

/* the host's check counts as the first, whichever answers first */
TEST_IN_A_WORLD(of_two_checks_that_fail_the_first_is_recorded)
{
	world->script.check = scripted_check;
	world->script.case_seconds = 0.1;
	world->check_seconds = 2.5;
	world->refused_row = 13;
	world->checked[AT_CHECK_HOST] = AT_OUTCOME_UNSTABLE;
	world->checked[AT_CHECK_RACECHECK] = AT_OUTCOME_UNSTABLE;
	tuned(world, WINNER, 12, DROPPED_CHECKS, 1);
	assert_string_equal(world->note, "A=3 B=4: host: as the script says");
}

TEST_IN_A_WORLD(what_cannot_be_sanitized_misses_no_time_for_it)
{
	world->script.check = scripted_check;
	world->script.kind = "host";
	world->session.budget = "60s";
	world->check_seconds = 2.5;
	tuned(world, CHECKS, 1);
	assert_checks(world, "P----");
}

TEST_IN_A_WORLD(nobody_is_sanitized_where_that_is_not_wanted)
{
	world->script.check = scripted_check;
	world->session.sanitize = AT_SANITIZE_NEVER;
	tuned(world, CHECKS, 1);
	assert_checks(world, "P----");
}

TEST_IN_A_WORLD(all_of_the_podium_are_sanitized_where_that_is_asked_for)
{
	world->script.check = scripted_check;
	world->session.sanitize = AT_SANITIZE_FINALISTS;
	world->session.budget = "60s";
	world->check_seconds = 100;
	world->refused_row = 12;
	world->checked[AT_CHECK_INITCHECK] = AT_OUTCOME_WRONG_RESULT;
	tune_to(world, 13);
	assert_checks(world, "PPPPP");
	/* The check on the host has a limit even so, and 100 s are beyond it. Then four
	   tools on six finalists, less one: the third tool refused one finalist. */
	assert_int_equal(world->counts.checks, 1 + 6 * 4 - 1);
	assert_string_equal(world->note, "A=3 B=3: initcheck: as the script says");
}

TEST(an_interruption_at_any_moment_ends_it_once)
{
	for (size_t after = 1; after < 26; after++) {
		OWNED(world_free) struct world *world = world_new();

		world->interrupts_after = after;
		world->script.case_count = 2;
		tuned(world, STATUS, AT_OK, SUMMARIES, 1);
	}
}

/* ---- racing -------------------------------------------------------------------- */

TEST(some_of_what_racing_drops_is_measured_in_full)
{
	size_t audited = 0, mistakes = 0;

	for (uint64_t seed = 0; seed < 60; seed++) {
		OWNED(world_free) struct world *world = world_new();

		/* all but the best and the baseline are dropped; 12 and 14 wrongly */
		for (int row = 0; row < ROWS; row++)
			world->fates[row].raced = row != 13 && row != 0;
		world->session.seed = seed;
		tune_to(world, 13);
		assert_true(world->audited <= world->counts.audited);
		assert_true(world->audited_finalists <= world->audited);
		/* an audited one is in the finals only if its true time is good enough
		 */
		if (world->audited_finalists)
			assert_true(world->counts.finalists > 2);
		audited += world->counts.audited;
		mistakes += world->audited_finalists;
	}
	/* 2 % of 1200 */
	assert_in_range(audited, 12, 40);
	assert_true(mistakes > 0);
}

/* ---- the explanation --------------------------------------------------------- */

static double share_of(const struct world *world, const char *parameter)
{
	double share = 0;

	for (size_t i = 0; i < at_json_count(world->gains); i++) {
		const struct at_json *step = at_json_at(world->gains, i);

		if (at_json_get(at_json_get(step, "to"), parameter))
			share += at_json_number(at_json_get(step, "share"), 0);
	}
	return share;
}

TEST_IN_A_WORLD(the_counters_of_winner_and_baseline_are_read_once)
{
	world->script.kind = "cuda";
	world->script.no_counters = "no rights";
	tuned(world, COUNTED, 2);
	assert_string_equal(world->note, "no rights");
	assert_false(world->has_counters[0] || world->has_counters[1]);
	/* a run that has nothing to do does not try again */
	world->script.no_counters = NULL;
	tuned(world, COUNTED, 0);
	/* one that measures does, */
	world->session.fresh = true;
	tuned(world, COUNTED, 2, WINNER, 13);
	assert_true(world->has_counters[0] && world->has_counters[1]);
	/* and the next one finds them in the record */
	world->session.fresh = false;
	tuned(world, COUNTED, 0);
	assert_true(world->has_counters[0] && world->has_counters[1]);
}

TEST_IN_A_WORLD(counters_are_not_read_where_no_time_is_left)
{
	world->script.kind = "cuda";
	world->session.budget = "1s";
	tuned(world, WINNER, 13, COUNTED, 0);
}

TEST_IN_A_WORLD(a_device_of_another_kind_has_no_counters)
{
	tuned(world, WINNER, 13, COUNTED, 0);
}

/* Explains, without a search. */
static void explain(struct world *world, const char *explained)
{
	struct at_visit options = {
		.evaluator = fake_evaluator_new(&world->script, &world->counts),
		.store = world->store,
		.session = &world->session,
		.spec = world->spec,
		.whole_spec = world->whole,
		.problem = &world->spec->problems[0],
		.objective = &at_objective_time,
		.device_id = world->device_id,
		.done = ended_explaining,
		.context = world,
	};
	struct at_visit *explaining;

	world->script.answering = NULL; /* it steps tunings */
	world->session.explained = explained;
	world->explained = world->ended = 0;
	world->summary_text[0] = '\0';
	memset(&world->error, 0, sizeof(world->error));
	memset(world->has_counters, 0, sizeof(world->has_counters));
	assert_ok(at_visit_start(&at_explain_kind, &options, &explaining, &failure));
	fake_run(options.evaluator);
	assert_int_equal(world->ended, 1);
	at_visit_free(explaining);
	world->session.explained = NULL;
	world->script.answering = answering;
}

TEST_IN_A_WORLD(the_recorded_winner_is_explained_without_a_search)
{
	world->script.kind = "cuda";
	world->session.budget = "1s";
	explain(world, "");
	assert_int_equal(world->explained, 1);
	assert_non_null(strstr(world->summary_text, "no winner is recorded"));
	tune(world);
	explain(world, "");
	assert_int_equal(world->explained, 1);
	assert_int_equal(world->winner, 13);
	assert_int_equal(world->counts.begun, 0);
	assert_int_equal(world->counts.counted, 2);
	assert_true(world->has_counters[0] && world->has_counters[1]);
	/* they are recorded */
	tune(world);
	assert_true(world->has_counters[0] && world->has_counters[1]);
}

TEST_IN_A_WORLD(any_configuration_is_explained_by_its_parameters)
{
	world->script.kind = "cuda";
	tune(world);
	explain(world, "B=3");
	assert_int_equal(world->winner, 2);
	assert_true(world->has_counters[0] && world->has_counters[1]);
	explain(world, "A=4 B=3");
	assert_int_equal(world->winner, 17);
	/* the baseline itself is counted once */
	explain(world, "A=1");
	assert_int_equal(world->winner, 0);
	assert_int_equal(world->counts.counted, 1);
	assert_true(world->has_counters[0] && world->has_counters[1]);
	explain(world, "A=7");
	assert_int_equal(world->explained, 0);
	assert_int_equal(world->error.status, AT_EINVAL);
	explain(world, "C=7");
	assert_non_null(strstr(world->error.text, "\"C\""));
}

TEST_IN_A_WORLD(what_cannot_be_explained_says_why)
{
	tune(world);
	explain(world, "");
	assert_non_null(strstr(world->summary_text, "no hardware counters"));
	world->script.kind = "cuda";
	world->script.no_counters = "no rights";
	explain(world, "");
	assert_string_equal(world->summary_text, "no rights");
	assert_int_equal(world->winner, -1);
}

TEST_IN_A_WORLD(the_gain_is_told_by_parameter)
{
	tune(world);
	assert_int_equal(at_json_count(world->gains), 2);
	assert_true(share_of(world, "A") > share_of(world, "B"));
	assert_true(fabs(share_of(world, "A") + share_of(world, "B") - 1) < 1e-9);
}

/* an evaluation that racing dropped has no whole time: it is measured again, in full */
TEST_IN_A_WORLD(the_gain_is_not_told_from_raced_times)
{
	/* (2, 0) and (0, 3), the two ways from the baseline to the winner, are dropped
	 */
	world->fates[10].raced = world->fates[3].raced = true;
	tune_to(world, 13);
	/* each is measured twice: in the search, and for the explanation */
	assert_int_equal(world->counts.begun, ROWS + 2);
	assert_int_equal(world->told[10], 2);
	assert_int_equal(world->told[3], 2);
	/* (0,0) -> (2,0) -> (2,3), by true times */
	assert_true(fabs(share_of(world, "A") -
			    log(plain_time(0) / plain_time(10)) /
				    log(plain_time(0) / plain_time(13))) < 1e-9);
}

TEST_IN_A_WORLD(without_time_the_gain_is_one_step)
{
	world->fates[10].raced = world->fates[3].raced = true;
	/* the explanation has a tenth of the evaluations: of nine it has none */
	world->session.budget = "9";
	world->session.strategy = "exhaustive";
	tuned(world, WINNER, 8, BEGUN, 9);
}

/* ---- what a winner keeps of its measurement -------------------------------- */

TEST(a_clock_that_a_board_comes_with_is_no_setting)
{
	static const struct {
		uint64_t set, by_default;
		const char *text;
	} rows[] = {
		{ 1980000000, 1980000000, "\"set_clock_hz\":null" },
		{ 1500000000, 1980000000, "\"set_clock_hz\":1500000000" },
		{ 1500000000, 0, "\"set_clock_hz\":1500000000" },
		{ 0, 1980000000, "\"set_clock_hz\":null" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct at_measure_result
			final = { .conditions = {
					  .set_clock_hz = rows[i].set,
					  .default_clock_hz = rows[i].by_default,
				  } };
		char *text = at_winner_measurement(
			     &final, false, (struct at_hash){ 0 }, NULL),
		     *to = text;

		assert_non_null(text);
		for (const char *from = text; *from; from++)
			if (*from != ' ')
				*to++ = *from;
		*to = '\0';
		assert_non_null(strstr(text, rows[i].text));
		free(text);
	}
}

/* ---- whom the recorded winner met ------------------------------------------ */

/* replaces the clock of the day in this program, which stands still; clock_is_off: by
   how many seconds */
int64_t __wrap_at_clock_wall_seconds(void);
static int64_t clock_is_off;

int64_t __wrap_at_clock_wall_seconds(void)
{
	return 1700000000 + clock_is_off;
}

/* copies a row's evaluation from another record, made older by age_seconds */
struct import {
	struct at_store *to;
	int row;
	int64_t age_seconds;
	double time_ns; /* its new time; 0: it keeps its own */
};

static enum at_status import_row(void *context, const struct at_evaluation *evaluation)
{
	const struct import *import = context;
	struct at_evaluation copy;
	char values[32];
	enum at_status status;

	snprintf(values, sizeof(values), "{\"A\": %d, \"B\": %d}", import->row / 5 + 1,
		import->row % 5 + 1);
	if (strcmp(evaluation->configuration, values) != 0)
		return AT_OK;
	at_evaluation_copy(evaluation, &copy);
	copy.run_id = 1;
	copy.created_seconds -= import->age_seconds;
	if (import->time_ns > 0)
		copy.time_ns = copy.low_ns = copy.high_ns = import->time_ns;
	status = at_store_add(import->to, &copy, NULL);
	at_evaluation_release(&copy);
	return status;
}

static void import(
	struct world *from, struct world *to, int row, int64_t age, double time_ns)
{
	struct import what = { to->store, row, age, time_ns };

	assert_ok(at_store_list(
		from->store, NULL, NULL, NULL, 0, import_row, &what, NULL));
}

/* A record of the first two rows of five, whose winner is row 8. */
static struct world *world_without_a_row(void)
{
	struct world *world = world_new();

	restrict_to(world, "A=1,2");
	tune_to(world, 8);
	at_spec_free(world->spec);
	world->spec = copy_space();
	world->session.sets = NULL;
	world->session.set_count = 0;
	/* so many evaluations are in the record, so that nothing new is measured */
	world->session.budget = "11";
	return world;
}

/* ---- a board that is not as it was ----------------------------------------- */

/* The record is of yesterday, and all times are `factor` times as long today; row 13
   has not been measured yet and is the best. The search goes on for five rows. */
static struct world *world_of_another_day(double factor)
{
	struct world *world;

	clock_is_off = -86400;
	world = world_without_a_row();
	clock_is_off = 0;
	for (int i = 0; i < ROWS; i++)
		world->fates[i].time_ns *= factor;
	world->session.budget = "15";
	return world;
}

TEST(on_a_slower_board_what_is_better_is_still_found)
{
	OWNED(world_free) struct world *world = world_of_another_day(1.25);

	/* 1250 ns: nothing beside the 1100 that its rival had yesterday */
	tuned(world, WINNER, 13, RACE_NS, 1250);
	assert_non_null(strstr(world->note, "recorded times count 1.25 times"));
}

TEST(on_a_faster_board_what_is_recorded_does_not_look_worse)
{
	OWNED(world_free) struct world *world = world_of_another_day(.5);

	/* 600 ns: more than row 8 takes today, but less than it took */
	for (int row = 10; row < 15; row++)
		world->fates[row].time_ns = 600;
	tuned(world, WINNER, 8, RACE_NS, 550);
	assert_non_null(strstr(world->note, "recorded times count 0.50 times"));
}

TEST(the_leader_of_an_old_record_is_measured_once_and_not_recorded)
{
	OWNED(world_free) struct world *world = world_of_another_day(1);

	tune_to(world, 13);
	/* and the baseline */
	assert_int_equal(world->counts.begun, 5 + 2);
	assert_int_equal(world->told[8], 1);
	assert_true(world->reused[8]);
	assert_string_equal(world->note, "");
	/* where nothing is new there is nothing to compare */
	tuned(world, BEGUN, 0);
}

TEST(where_the_leader_fails_today_its_recorded_time_counts)
{
	OWNED(world_free) struct world *world = world_of_another_day(1);

	world->fates[8].outcome = AT_OUTCOME_TIMED_OUT;
	world->fates[8].final_outcome = AT_OUTCOME_TIMED_OUT;
	for (int row = 10; row < 15; row++)
		world->fates[row].time_ns = 1500;
	tuned(world, RACE_NS, 1100);
	assert_string_equal(world->note, "");
}

/* finals and verifications learn how long launches take though nothing was raced */
TEST_IN_A_WORLD(an_old_record_is_raced_against_once_the_search_is_over)
{
	clock_is_off = -86400;
	world->interrupts_after = ROWS;
	tune(world);
	clock_is_off = 0;
	world->interrupts_after = 0;
	tuned(world, WINNER, 13, BEGUN, 0, FINALS, 1, RACE_NS, 1000);
}

/*
 * Both measurements were disturbed, up or down. The best of the record has no winner,
 * and what is new is nearly as good; each has its finals all the same.
 */
TEST(a_pace_that_is_wrong_keeps_nobody_out_of_the_finals)
{
	static const struct {
		double factor, new_ns;
		int winner;
	} rows[] = { { 1.3, 1130, 8 }, { .7, 1075, 10 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(world_free) struct world *world = world_new();

		clock_is_off = -86400;
		/* rows 0 to 9 */
		world->interrupts_after = 10;
		tune(world);
		clock_is_off = 0;
		world->interrupts_after = 0;
		for (int row = 0; row < 10; row++) {
			world->fates[row].final_ns = plain_time(row);
			world->fates[row].time_ns = rows[i].factor * plain_time(row);
		}
		for (int row = 10; row < 15; row++)
			world->fates[row].time_ns = rows[i].new_ns + row - 10;
		world->session.budget = "15";
		tuned(world, WINNER, rows[i].winner);
		assert_non_null(strstr(world->note, "recorded times count"));
	}
}

/* Where the baseline is new it leads before anything of the record is measured. */
TEST(a_new_baseline_hides_no_old_record)
{
	struct world *others;
	OWNED(world_free) struct world *world;
	int64_t run_id;

	clock_is_off = -86400;
	others = world_new();
	tune(others);
	clock_is_off = 0;
	world = world_new();
	assert_ok(at_store_begin_run(world->store, world->device_id, "scripted",
		"exhaustive", 0, "test", &run_id, NULL));
	for (int row = 1; row < 10; row++)
		import(others, world, row, 0, 0);
	for (int i = 0; i < ROWS; i++)
		world->fates[i].time_ns *= .5;
	world->session.budget = "10";
	tune(world);
	/* 550 ns beside 600 of the baseline, and recorded with 1100 */
	assert_int_equal(world->winner, 8);
	assert_non_null(strstr(world->note, "recorded times count 0.50 times"));
	world_free(others);
}

TEST(an_interruption_while_the_leader_is_measured_ends_it_once)
{
	for (size_t after = 1; after <= 6; after++) {
		OWNED(world_free) struct world *world = world_of_another_day(1.25);

		world->interrupts_after = after;
		tune(world);
		assert_int_equal(world->ended, 1);
	}
}

/* Imported evaluations count whatever their time stamp: an hour or a year older, of the
   same second, or of a clock that is ahead. */
TEST(who_is_imported_meets_the_winner_however_old)
{
	static const int64_t ages[] = { 3600, 366 * 86400, 0, -3600 };

	for (size_t i = 0; i < 4; i++) {
		struct world *others = world_new();
		OWNED(world_free) struct world *world = world_without_a_row();

		tune(others);
		for (int row = 10; row < 15; row++)
			import(others, world, row, ages[i], 0);
		world->session.budget = "15";
		tuned(world, BEGUN, 0, FINALS, 1, WINNER, 13);
		/* the winner has met them in finals now, so none are needed */
		tuned(world, FINALS, 0, WINNER, 13);
		world_free(others);
	}
}

TEST(who_is_slower_than_that_is_no_reason_for_finals)
{
	struct world *others = world_new();
	OWNED(world_free) struct world *world = world_without_a_row();

	tune(others);
	import(others, world, 13, 0, 1800);
	tuned(world, WINNER, 8, BEGUN, 0, FINALS, 0);
	world_free(others);
}

/* the finals did not know the new measurement, so the winner has to meet it in new
   finals, though the winner is no older */
TEST(who_is_measured_again_meets_the_winner_again)
{
	struct world *others = world_new();
	OWNED(world_free) struct world *world = world_new();

	tune(others);
	tune(world);
	import(others, world, 12, 0, 800);
	tuned(world, BEGUN, 0, FINALS, 1, WINNER, 13);
	tuned(world, FINALS, 0);
	world_free(others);
}

/* the clock jumps back by hours ahead of the finals, so that all evaluations that they
   met are newer than the winner */
TEST_IN_A_WORLD(a_winner_stands_where_the_clock_was_set_back)
{
	world->interrupts_after = ROWS;
	tuned(world, UNVERIFIED, true);
	world->interrupts_after = 0;
	clock_is_off = -7200;
	tuned(world, UNVERIFIED, false, FINALS, 1);
	tune(world);
	clock_is_off = 0;
	assert_int_equal(world->winner, 13);
	assert_int_equal(world->counts.begun, 0);
	assert_int_equal(world->counts.finals, 0);
}

/* a night keeps the winner's row, and notes in it which evaluations the winner met */
TEST(a_winner_that_wins_again_has_met_the_others)
{
	struct world *others = world_new();
	OWNED(world_free) struct world *world = world_new();

	tune(others);
	tune(world);
	import(others, world, 12, 0, 995);
	world->session.keeps_winner = true;
	tuned(world, FINALS, 1, VERIFICATIONS, 0, WINNER, 13);
	tuned(world, FINALS, 0, WINNER, 13);
	world_free(others);
}

/* the place of a refused finalist is taken by the next best, which may be as good */
TEST_IN_A_WORLD(who_comes_up_for_a_refused_finalist_meets_the_winner)
{
	/* the sixth best of the search is the fastest in finals, and was not in them */
	world->fates[8].time_ns = 1040;
	world->fates[8].final_ns = 900;
	world->verification = AT_OUTCOME_WRONG_RESULT;
	world->refused_row = 13;
	tuned(world, FINALS, 1);
	assert_int_equal(world->winner / 5, 2);
	tuned(world, BEGUN, 0, FINALS, 1, WINNER, 8);
	tuned(world, FINALS, 0, WINNER, 8);
}

/* ---- parts of the space ---------------------------------------------------- */

static void tune_part(struct world *world, uint64_t index, uint64_t count)
{
	world->session.share.count = count;
	world->part = (struct at_part){ index, count };
	tuned(world, STATUS, AT_OK);
	world->session.share.count = 0;
	world->part = (struct at_part){ 0, 0 };
}

static enum at_status add_to(void *context, const struct at_evaluation *evaluation)
{
	RELEASED(at_evaluation_release) struct at_evaluation copy;
	enum at_status status = AT_OK;
	at_evaluation_copy(evaluation, &copy);

	/* both have the same device, and a first run */
	copy.run_id = 1;
	if (!status)
		status = at_store_add(context, &copy, NULL);
	return status;
}

/* The record of the last of four parts with its record, and the evaluations of the
   other parts merged into it. */
static struct world *merged_parts(void)
{
	OWNED(world_free) struct world *others = world_new();
	struct world *world = world_new();

	for (uint64_t i = 0; i < 3; i++)
		tune_part(others, i, 4);
	tune_part(world, 3, 4);
	assert_int_equal(world->winner, 18);
	assert_ok(at_store_list(
		others->store, NULL, NULL, NULL, 0, add_to, world->store, NULL));
	return world;
}

TEST(parts_evaluate_their_own_and_the_baseline)
{
	int told[ROWS] = { 0 };

	for (uint64_t i = 0; i < 4; i++) {
		OWNED(world_free) struct world *world = world_new();

		world->session.share.count = 4;
		world->part = (struct at_part){ i, 4 };
		tuned(world, STATUS, AT_OK);
		/* the baseline, row 0, is in the first part; the other parts evaluate
		 * it too */
		assert_int_equal(world->counts.begun, i ? 6 : 5);
		assert_int_equal(world->told[0], 1);
		assert_int_equal(world->order[0], 0);
		for (int row = 1; row < ROWS; row++)
			told[row] += world->told[row];
		assert_true(isfinite(world->speedup.value));
		/* a part has no explanation of the gain and no files: those need the
		   whole space */
		assert_null(world->gains);
		assert_false(world->has_header);
	}
	for (int row = 1; row < ROWS; row++)
		assert_int_equal(told[row], 1);
}

TEST_IN_A_WORLD(a_winner_of_a_part_stands_there)
{
	world->session.share.count = 2;
	world->part = (struct at_part){ 1, 2 };
	tune_to(world, 13);
	tuned(world, WINNER, 13, FINALS, 0, BEGUN, 0);
}

TEST(winners_of_parts_meet_in_the_next_run)
{
	static const char *const budgets[] = { NULL, "3" };

	for (size_t i = 0; i < 2; i++) {
		OWNED(world_free) struct world *world = merged_parts();

		world->session.budget = budgets[i];
		tuned(world, WINNER, 13, BEGUN, 0, FINALS, 1, VERIFICATIONS, 1, HEADER,
			true);
		/* with the short budget the winner of a part took the place of another
		   finalist, which the winner meets only now */
		tuned(world, WINNER, 13, FINALS, i);
		/* a third run has nothing left to do */
		tuned(world, WINNER, 13, FINALS, 0);
	}
}

/* as old as all others, and the best of them: it would stay the winner if it had met
   them in finals */
TEST_IN_A_WORLD(a_winner_of_a_part_that_is_the_best_has_its_finals_too)
{
	tune_part(world, 0, 2);
	tune_part(world, 1, 2);
	assert_int_equal(world->winner, 13);
	tuned(world, WINNER, 13, BEGUN, 0, FINALS, 1);
}

TEST_IN_A_WORLD(an_interrupted_part_goes_on)
{
	world->script.capacity = 1;
	world->session.share.count = 2;
	world->part = (struct at_part){ 1, 2 };
	world->interrupts_after = 4;
	tuned(world, UNVERIFIED, true);
	world->interrupts_after = 0;
	tune(world);
	/* the baseline and three more are in the record */
	assert_int_equal(world->counts.begun, 11 - 4);
	assert_int_equal(world->winner, 13);
	assert_false(world->is_unverified);
}

static int free_whole_spec(void **state)
{
	at_spec_free(whole_spec);
	return 0;
}

#include "in_a_world.h"

RUN_SUITE(NULL, free_whole_spec)
