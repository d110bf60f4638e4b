/* Nights: recorded winners are measured again, and only for good reason replaced or
   withdrawn. The evaluator follows a script in virtual time. */
#define _GNU_SOURCE
#include "record_fixture.h"
#include "suite.h"

#include "base/objective.h"
#include "base/random.h"
#include "fake_evaluator.h"
#include "record/counterexample.h"
#include "record/history.h"
#include "record/verification.h"
#include "record/store.h"
#include "session/revisit.h"
#include "session/tuning.h"
#include "space/spec.h"
#include "folder.h"

#include <math.h>
#include <unistd.h>

/* 4 x 5 configurations; the row of (i, j) is 5 * i + j */
static const char space_text[] =
	"kernel: { name = \"scripted\"; template = \"" AT_TEST_DIR
	"/data/result/functions.cu\"; reference = \"plain\"; };\n"
	"problems = ( { name = \"p\"; N = 64; } );\n"
	"parameters: { A = [ 1, 2, 3, 4 ]; B = [ 1, 2, 3, 4, 5 ]; };\n"
	"defaults: { A = 1; B = 1; };\n"
	"launch: { block = ( \"32\" ); grid = ( \"N\" ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

enum { ROWS = 20, WINNER_ROW = 13 };

struct world {
	struct fake_fate fates[ROWS];
	struct fake_script script;
	struct fake_counts counts;
	char folder[64];
	struct at_spec *spec;
	struct at_store *store;
	int64_t device_id;
	struct at_session_options session;
	struct at_visit *visit;
	size_t interrupts_after; /* answers */
	unsigned crashes; /* so many evaluations of the winner crash first */
	uint64_t verified; /* cases on which the winner was verified tonight, a bit each
			    */
	uint64_t wrong; /* cases on which it is not right */
	enum at_outcome wrong_outcome;
	unsigned wrong_times; /* so often; 0: always */
	enum at_outcome memcheck; /* of the winner */
	double noise; /* of finals, from night to night */
	struct at_random random;
	/* what was told */
	int winner; /* row of the summary; -1: none */
	int revisits;
	enum at_verdict verdict;
	enum at_outcome outcome;
	bool has_judgement;
	char text[512]; /* why nothing was measured */
	char changes[512];
	char detail[512];
	struct at_score score;
	struct at_score speedup;
	struct at_score change;
	int64_t look_count;
	unsigned ended;
	struct at_error error;
};

static int row_of(const uint16_t *configuration)
{
	return 5 * configuration[0] + configuration[1];
}

static double near(struct world *world)
{
	return 1 + world->noise * (2 * at_random_unit(&world->random) - 1);
}

static void scripted_fate(
	void *context, const uint16_t *configuration, struct fake_fate *fate)
{
	struct world *world = context;
	int row = row_of(configuration);

	*fate = world->fates[row];
	if (fate->final_ns == 0)
		fate->final_ns = fate->time_ns;
	fate->time_ns *= near(world);
	fate->final_ns *= near(world);
	if (row == WINNER_ROW && world->crashes) {
		world->crashes--;
		fate->outcome = AT_OUTCOME_CRASHED;
	}
}

static enum at_outcome scripted_verification(
	void *context, const uint16_t *configuration, size_t verification_case)
{
	struct world *world = context;

	world->verified |= UINT64_C(1) << verification_case;
	if (row_of(configuration) != WINNER_ROW ||
		!(world->wrong >> verification_case & 1))
		return AT_OUTCOME_OK;
	if (world->wrong_times && !--world->wrong_times)
		world->wrong = 0;
	return world->wrong_outcome;
}

static enum at_outcome scripted_check(void *context, const uint16_t *configuration,
	const uint16_t *witness, enum at_check check, double *seconds, const char **why)
{
	struct world *world = context;

	(void)witness;
	(void)why;
	*seconds = 0.5;
	return check == AT_CHECK_MEMCHECK && row_of(configuration) == WINNER_ROW
		       ? world->memcheck
		       : AT_OUTCOME_OK;
}

static void answering(void *context, size_t answers)
{
	struct world *world = context;

	if (world->interrupts_after && answers == world->interrupts_after)
		at_visit_interrupt(world->visit);
	else
		at_visit_poke(world->visit);
}

static void copy(char *to, const char *from)
{
	snprintf(to, 512, "%s", from ? from : "");
}

static void listen(void *context, const struct at_event *event)
{
	struct world *world = context;
	const struct at_revisit *revisit = event->revisit;

	if (event->kind == AT_EVENT_SUMMARY)
		world->winner = event->best ? row_of(event->configuration) : -1;
	if (event->kind != AT_EVENT_REVISIT)
		return;
	world->revisits++;
	world->has_judgement = event->judgement != NULL;
	copy(world->text, event->text);
	copy(world->changes, event->changes);
	if (!revisit)
		return;
	/* recorded before it is reported */
	assert_true(revisit->id > 0);
	world->verdict = revisit->verdict;
	world->outcome = revisit->outcome;
	world->score = revisit->score;
	world->speedup = revisit->speedup;
	world->change = revisit->change;
	world->look_count = revisit->look_count;
	copy(world->detail, revisit->detail);
}

static void done(void *context, const struct at_error *err)
{
	struct world *world = context;

	world->ended++;
	if (err)
		world->error = *err;
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
	for (int i = 0; i < ROWS; i++) {
		world->fates[i].time_ns = plain_time(i);
		world->fates[i].spread = 0.002;
	}
	at_random_init(&world->random, 1);
	world->script = (struct fake_script){
		.fate = scripted_fate,
		.answering = answering,
		.verify = scripted_verification,
		.context = world,
		.parameter_count = 2,
	};
	snprintf(world->folder, sizeof(world->folder), "/tmp/revisit-XXXXXX");
	assert_non_null(folder_make(world->folder));
	assert_ok(at_spec_parse(space_text, strlen(space_text), "scripted.cfg",
		&world->spec, &failure));
	assert_ok(at_store_open(world->folder, &world->store, NULL));
	assert_ok(at_store_put_device(world->store, &device, &world->device_id, NULL));
	world->session = (struct at_session_options){
		.results = world->folder,
		.strategy = "exhaustive",
		.keeps_winner = true,
		.margin = 0.01,
		.listen = listen,
		.context = world,
	};
	return world;
}

static void world_free(struct world *world)
{
	char command[128];

	at_store_close(world->store);
	at_spec_free(world->spec);
	snprintf(command, sizeof(command), "rm -r %s", world->folder);
	assert_int_equal(system(command), 0);
	free(world);
}

#include "in_a_world.h"

static void run(struct world *world, bool is_revisit)
{
	struct at_visit options = {
		.evaluator = fake_evaluator_new(&world->script, &world->counts),
		.store = world->store,
		.session = &world->session,
		.spec = world->spec,
		.whole_spec = world->spec,
		.problem = &world->spec->problems[0],
		.objective = &at_objective_time,
		.device_id = world->device_id,
		.done = done,
		.context = world,
	};

	world->winner = -1;
	world->revisits = 0;
	world->ended = 0;
	world->verified = 0;
	world->verdict = AT_VERDICT_NONE;
	memset(&world->error, 0, sizeof(world->error));
	assert_ok(at_store_begin_run(world->store, world->device_id, "scripted",
		is_revisit ? "revisit" : "exhaustive", 0, "test", &options.run_id,
		NULL));
	assert_ok(at_visit_start(is_revisit ? &at_revisit_kind : &at_tuning_kind,
		&options, &world->visit, &failure));
	fake_run(options.evaluator);
	assert_int_equal(world->ended, 1);
	at_visit_free(world->visit);
	assert_true(world->counts.closed);
}

static void tune(struct world *world)
{
	run(world, false);
}

static void revisit(struct world *world)
{
	run(world, true);
}

static void revisit_often(struct world *world, int nights)
{
	for (int night = 0; night < nights; night++)
		revisit(world);
}

/* what a run came to */
#define FIGURES(F) \
	F(WINNER, world->winner) \
	F(BEGUN, world->counts.begun) \
	F(FINALS, world->counts.finals) \
	F(FINALISTS, world->counts.finalists) \
	F(CHECKS, world->counts.checks) \
	F(REVISITS, world->revisits) \
	F(VERDICT, world->verdict) \
	F(OUTCOME, world->outcome) \
	F(STATUS, world->error.status) \
	F(VERIFIED, world->verified)
enum figure { FIGURES(FIGURE_NAME) };
#define tuned(world, ...) (tune(world), COMPARE_FIGURES(world, __VA_ARGS__))
#define revisited(world, ...) (revisit(world), COMPARE_FIGURES(world, __VA_ARGS__))

static struct at_winner find_winner(struct world *world)
{
	struct at_winner best;
	bool found;

	assert_ok(at_store_find_winner(
		world->store, world->device_id, "scripted", "p", &best, &found, NULL));
	assert_true(found);
	return best;
}

/* all files that a build reads or git keeps; heap */
static char *read_files(struct world *world)
{
	char command[256];
	struct at_strbuf text = { 0 };
	char buffer[4096];
	size_t size;
	FILE *pipe;

	snprintf(command, sizeof(command),
		"find %s -name '*.h' -o -name '*.json' | sort | xargs -r cat",
		world->folder);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	while ((size = fread(buffer, 1, sizeof(buffer), pipe)) > 0)
		at_strbuf_add_bytes(&text, buffer, size);
	pclose(pipe);
	return text.data ? at_strbuf_detach(&text) : at_strdup("");
}

/* ---- searches at night ---------------------------------------------------------- */

TEST_IN_A_WORLD(ten_nights_on_an_unchanged_machine_change_no_file)
{
	char budget[8];
	OWNED(free) char *first;
	char *files;

	/* the best few are as good as each other, and each night others are new */
	for (int row = 10; row < 15; row++)
		world->fates[row].time_ns = 1000 + row % 3;
	world->noise = 0.004;
	world->session.strategy = "random";
	world->session.budget = "8";
	tune(world);
	first = read_files(world);
	assert_non_null(strstr(first, "\"kernel\": \"scripted\""));
	for (int night = 1; night <= 10; night++) {
		revisited(world, STATUS, AT_OK, REVISITS, 1);
		snprintf(budget, sizeof(budget), "%d", 8 + night);
		world->session.budget = budget;
		world->session.seed = (uint64_t)night;
		tune(world);
		files = read_files(world);
		if (strcmp(first, files) != 0)
			fail_msg("night %d: %s", night, files);
		free(files);
	}
}

/* each is new, and would win by finals alone */
TEST(who_replaces_a_winner_is_better_by_more_than_the_margin)
{
	static const struct {
		double final_ns, spread, margin;
		bool replaces;
	} rows[] = {
		{ 995, 0, 0.01, false },
		{ 991, 0, 0.01, false },
		{ 985, 0, 0.01, true },
		{ 985, 0, 0.02, false },
		{ 995, 0, 0, true },
		/* in the mean by 5 %, but not certainly by 1 % */
		{ 950, 0.04, 0.01, false },
		{ 950, 0.002, 0.01, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OWNED(world_free) struct world *world = world_new();

		for (int row = 0; row < ROWS; row++)
			world->fates[row].spread = 0;
		world->session.budget = "14";
		tuned(world, WINNER, WINNER_ROW);
		world->session.budget = NULL;
		world->session.margin = rows[i].margin;
		world->fates[14].time_ns = 999;
		world->fates[14].final_ns = rows[i].final_ns;
		world->fates[14].spread = rows[i].spread;
		tune(world);
		assert_true(world->counts.finals > 0);
		if (world->winner != (rows[i].replaces ? 14 : WINNER_ROW))
			fail_msg("row %zu: %d wins", i, world->winner);
		/* what it was defended against has no finals a second time */
		tuned(world, FINALS, 0);
	}
}

/* six were luckier in the search: it has finals all the same, and stays */
TEST_IN_A_WORLD(nobody_takes_the_place_of_a_winner_unseen)
{
	static const int lucky[] = { 14, 15, 16, 17, 18, 19 };

	world->session.budget = "14";
	tuned(world, WINNER, WINNER_ROW);
	world->session.budget = NULL;
	for (size_t i = 0; i < 6; i++) {
		world->fates[lucky[i]].time_ns = 960 + (double)i;
		world->fates[lucky[i]].final_ns = 1001;
	}
	tuned(world, WINNER, WINNER_ROW);
}

TEST_IN_A_WORLD(a_night_in_which_nothing_can_be_told_keeps_the_winner)
{
	world->session.budget = "14";
	tune(world);
	world->session.budget = NULL;
	world->fates[14].time_ns = 999;
	/* so noisy that none certainly beats the baseline */
	for (int row = 0; row < ROWS; row++)
		world->fates[row].spread = row % 2 ? 0.5 : 0;
	tuned(world, FINALS, 1, WINNER, WINNER_ROW);
}

/* ---- winners measured again ------------------------------------------------------ */

TEST_IN_A_WORLD(a_winner_that_is_as_it_was_is_the_same)
{
	RELEASED(at_winner_release) struct at_winner before, after;
	int64_t evaluations;

	tune(world);
	before = find_winner(world);
	evaluations = before.evaluation_id;
	world->noise = 0.002;
	revisit_often(world, 12);
	assert_int_equal(world->verdict, AT_VERDICT_SAME);
	assert_int_equal(world->outcome, AT_OUTCOME_OK);
	assert_true(world->has_judgement);
	assert_true(fabs(world->score.value / plain_time(WINNER_ROW) - 1) < 0.01);
	assert_true(fabs(world->speedup.value * plain_time(WINNER_ROW) / plain_time(0) -
			    1) < 0.01);
	/* both are evaluated, with the winner last, and finals have the two */
	assert_int_equal(world->counts.begun, 2);
	assert_int_equal(world->counts.finalists, 2);
	assert_int_equal(world->counts.blocks, 6);
	after = find_winner(world);
	assert_int_equal(after.evaluation_id, evaluations);
	assert_int_equal(after.created_seconds, before.created_seconds);
	/* no time of the record was replaced: a search begins where it ended */
	tuned(world, BEGUN, 0);
}

TEST_IN_A_WORLD(a_winner_that_became_slower_is_looked_at_again_and_told)
{
	tune(world);
	world->noise = 0.002;
	revisit_often(world, 10);
	world->fates[WINNER_ROW].time_ns *= 1.10;
	revisited(world, VERDICT, AT_VERDICT_SLOWER);
	assert_true(world->look_count >= 2);
	assert_int_equal((int64_t)world->counts.finals, world->look_count);
	assert_true(world->change.low > 1.05 && world->change.high < 1.15);
	/* it is correct: none is refused */
	tuned(world, WINNER, WINNER_ROW);
}

TEST_IN_A_WORLD(where_there_is_no_time_for_another_look_nobody_is_called_slower)
{
	tune(world);
	world->noise = 0.002;
	revisit_often(world, 10);
	world->fates[WINNER_ROW].time_ns *= 1.10;
	/* spent before the first look is over */
	world->fates[0].seconds = 3;
	world->session.budget = "2s";
	revisited(world, FINALS, 1, VERDICT, AT_VERDICT_UNCLEAR);
}

static void assert_withdrawn(struct world *world, enum at_outcome outcome)
{
	RELEASED(at_winner_release) struct at_winner best = find_winner(world);
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	char *files = read_files(world);

	assert_int_equal(world->verdict, AT_VERDICT_INCORRECT);
	assert_int_equal(world->outcome, outcome);
	assert_false(world->has_judgement);
	assert_true(best.is_unverified);
	at_verification_write(&best, &text);
	assert_memory_equal(at_strbuf_text(&text), "not any more: ", 14);
	/* no header has it */
	assert_null(strstr(files, "#define SCRIPTED_"));
	free(files);
	/* the next search selects another, and again it has a header */
	tune(world);
	assert_true(world->winner >= 0 && world->winner != WINNER_ROW);
	files = read_files(world);
	assert_non_null(strstr(files, "#define SCRIPTED_"));
	free(files);
	revisited(world, OUTCOME, AT_OUTCOME_OK);
}

TEST_IN_A_WORLD(a_winner_that_is_wrong_loses_its_winner_at_once)
{
	tune(world);
	world->fates[WINNER_ROW].outcome = AT_OUTCOME_WRONG_RESULT;
	/* faster than ever: that is worth nothing */
	world->fates[WINNER_ROW].time_ns = 10;
	revisited(world, FINALS, 0);
	assert_string_equal(world->detail, "as the script says");
	assert_withdrawn(world, AT_OUTCOME_WRONG_RESULT);
}

TEST_IN_A_WORLD(a_winner_that_is_wrong_in_its_finals_loses_its_winner)
{
	tune(world);
	world->fates[WINNER_ROW].final_outcome = AT_OUTCOME_WRONG_RESULT;
	revisited(world, FINALS, 1);
	assert_withdrawn(world, AT_OUTCOME_WRONG_RESULT);
}

TEST_IN_A_WORLD(what_the_machine_may_have_done_has_to_happen_twice)
{
	tune(world);
	world->crashes = 1;
	revisited(world, OUTCOME, AT_OUTCOME_OK, BEGUN, 3);
	world->crashes = 2;
	revisit(world);
	assert_withdrawn(world, AT_OUTCOME_CRASHED);
}

TEST_IN_A_WORLD(a_device_that_is_lost_twice_ends_it_and_refuses_nobody)
{
	RELEASED(at_winner_release) struct at_winner best;

	tune(world);
	world->fates[WINNER_ROW].loses_device = true;
	revisited(world, STATUS, AT_EDEVICE, REVISITS, 0);
	best = find_winner(world);
	assert_false(best.is_unverified);
}

TEST_IN_A_WORLD(a_baseline_that_fails_leaves_the_winner_alone)
{
	tune(world);
	world->fates[0].outcome = AT_OUTCOME_COMPILE_FAILED;
	revisited(world, OUTCOME, AT_OUTCOME_OK, FINALISTS, 1);
	assert_true(isnan(world->speedup.value));
}

TEST_IN_A_WORLD(where_nobody_is_selected_nothing_is_measured)
{
	RELEASED(at_winner_release) struct at_winner best;

	revisited(world, REVISITS, 1, BEGUN, 0);
	assert_string_equal(world->text, "no winner is recorded yet");
	tune(world);
	best = find_winner(world);
	assert_ok(at_store_withdraw(world->store, &best, "a test", NULL));
	revisit(world);
	assert_string_equal(world->text, "the recorded winner is not verified");
}

TEST_IN_A_WORLD(an_interruption_at_any_moment_records_no_half_night)
{
	const struct at_revisit_query query = { .space = "scripted" };
	RELEASED(at_revisits_release) struct at_revisits nights;

	tune(world);
	for (size_t after = 1; after <= 4; after++) {
		world->interrupts_after = after;
		revisited(world, STATUS, AT_OK);
		/* the third answer is the first look's, and after it come the cases */
		assert_int_equal(world->revisits, after == 4);
	}
	assert_ok(at_store_revisits(world->store, &query, &nights, NULL));
	assert_int_equal(nights.count, 1);
}

TEST(an_evaluator_that_fails_ends_it_with_its_error)
{
	for (size_t after = 1; after <= 2; after++) {
		OWNED(world_free) struct world *world = world_new();

		tune(world);
		world->script.fails_after = after;
		revisited(world, STATUS, AT_EDEVICE, REVISITS, 0);
	}
}

TEST_IN_A_WORLD(the_nights_of_another_source_are_another_kernels)
{
	tune(world);
	world->noise = 0.002;
	revisit_often(world, 10);
	world->script.source = 77;
	world->fates[WINNER_ROW].time_ns *= 2;
	revisited(world, VERDICT, AT_VERDICT_FIRST);
}

/* ---- cases at night -------------------------------------------------------- */

static struct at_verification find_verification(struct world *world)
{
	RELEASED(at_winner_release) struct at_winner best = find_winner(world);
	struct at_verification verification;

	assert_true(at_verification_from_json(best.verification, &verification));
	return verification;
}

static void assert_verified(struct world *world, uint32_t cases, uint32_t left)
{
	assert_int_equal(find_verification(world).cases, cases);
	assert_int_equal(find_verification(world).left, left);
}

TEST_IN_A_WORLD(a_night_verifies_on_what_was_left_and_on_cases_of_its_own)
{
	static const uint32_t first[] = { 10, 11, 12, 20, 21 };
	static const uint32_t second[] = { 10, 11, 12, 21, 22 };
	OWNED(free) char *files, *again;

	/* one case a run, since the budget has no time for more */
	world->script.case_count = 3;
	world->script.case_seconds = 20;
	world->session.budget = "10s";
	world->script.ids = first;
	tune(world);
	assert_verified(world, 1, 2);
	world->session.budget = NULL;
	world->script.case_seconds = 0;
	world->session.night = 20000;
	world->script.case_count = 5;
	world->script.night_count = 2;
	revisited(world, VERIFIED, 0x1e);
	assert_verified(world, 5, 0);
	assert_int_equal(find_verification(world).night, 20000);
	/* the next night draws one that is known, whatever its number is */
	world->session.night = 20001;
	world->script.ids = second;
	revisited(world, VERIFIED, 0x10);
	assert_int_equal(find_verification(world).cases, 6);
	files = read_files(world);
	assert_non_null(strstr(files, "6 different cases"));
	assert_non_null(strstr(files, "\"cases\": 6"));
	/* and a third one nothing new */
	world->session.night = 20002;
	revisited(world, VERIFIED, 0);
	assert_int_equal(find_verification(world).night, 20001);
	again = read_files(world);
	assert_string_equal(files, again);
}

TEST_IN_A_WORLD(a_night_makes_the_checks_that_had_no_time)
{
	world->script.check = scripted_check;
	world->memcheck = AT_OUTCOME_OK;
	world->session.budget = "8s";
	tune(world);
	assert_int_equal(
		find_verification(world).checks[AT_CHECK_HOST].state, AT_CHECK_PASSED);
	assert_int_equal(find_verification(world).checks[AT_CHECK_MEMCHECK].state,
		AT_CHECK_NOT_RUN);
	world->session.budget = "20s";
	for (size_t night = 0; night < 2; night++) {
		world->session.night = 20000 + (uint64_t)night;
		revisited(world, CHECKS, night ? 0 : 4);
		assert_int_equal(
			find_verification(world).checks[AT_CHECK_MEMCHECK].state,
			AT_CHECK_PASSED);
	}
}

TEST_IN_A_WORLD(a_winner_that_fails_a_check_at_night_is_withdrawn)
{
	world->script.check = scripted_check;
	world->memcheck = AT_OUTCOME_OUT_OF_BOUNDS;
	world->session.budget = "8s";
	tune(world);
	world->session.budget = "20s";
	world->session.night = 20000;
	revisited(world, VERDICT, AT_VERDICT_INCORRECT);
	assert_string_equal(world->detail, "memcheck: as the script says");
}

/* A night does not measure coverage, so the next tuning makes them. */
TEST_IN_A_WORLD(a_night_keeps_what_coverage_left)
{
	world->script.case_seconds = 20;
	world->script.cover_seconds = 0.005;
	world->script.more_cases = 2;
	world->session.budget = "10s";
	tune(world);
	assert_int_equal(find_verification(world).left, 2);
	world->session.budget = NULL;
	world->script.case_count = 2;
	world->script.night_count = 1;
	world->session.night = 20000;
	revisited(world, VERIFIED, 0x2);
	assert_verified(world, 2, 2);
	assert_string_equal(find_verification(world).coverage[0],
		"3 of 4 branches of the reference ran");
}

TEST(a_winner_that_fails_at_night_is_withdrawn_and_the_case_is_recorded)
{
	static const char instance[] = "{\"sizes\": {\"N\": 33}}";
	OWNED(world_free) struct world *world = world_new();
	RELEASED(at_counterexamples_release) struct at_counterexamples list = { 0 };
	RELEASED(at_winner_release) struct at_winner best;

	tuned(world, WINNER, WINNER_ROW);
	world->script.case_count = 3;
	world->script.night_count = 2;
	world->script.instance = instance;
	world->script.line = "{ N = 33; }";
	world->wrong = 1 << 2;
	world->wrong_outcome = AT_OUTCOME_WRONG_RESULT;
	revisited(world, VERDICT, AT_VERDICT_INCORRECT);
	assert_string_equal(world->detail,
		"for { N = 33; }: as the script says; to replay it, add it to problems in verify");
	best = find_winner(world);
	assert_true(at_verification_is_withdrawn(&best));
	assert_ok(at_store_counterexamples(world->store, "scripted", &list, NULL));
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].instance, instance);
	assert_non_null(strstr(list.items[0].failure,
		"{\"configuration\": {\"A\": 3, \"B\": 4}, \"problem\": \"p\", \"detail\": \"as the script says\", \"found\": "));
}

/* It was verified on it before; a driver or a race may have changed that since. */
TEST_IN_A_WORLD(a_night_begins_with_all_counterexamples)
{
	world->script.case_count = 3;
	world->script.replay_count = 2;
	tune(world);
	assert_int_equal(find_verification(world).cases, 3);
	revisited(world, VERIFIED, 0x6);
	assert_int_equal(find_verification(world).cases, 3);
	world->wrong = 1 << 1;
	world->wrong_outcome = AT_OUTCOME_UNSTABLE;
	revisited(world, VERIFIED, 0x2, VERDICT, AT_VERDICT_INCORRECT);
}

TEST(a_crash_on_a_case_has_to_happen_twice)
{
	for (unsigned times = 1; times <= 2; times++) {
		OWNED(world_free) struct world *world = world_new();

		tune(world);
		world->script.case_count = 2;
		world->script.night_count = 1;
		world->wrong = 1 << 1;
		world->wrong_outcome = AT_OUTCOME_CRASHED;
		world->wrong_times = times;
		revisit(world);
		assert_int_equal(world->verdict == AT_VERDICT_INCORRECT, times == 2);
	}
}

RUN_SUITE(NULL, NULL)
