/*
 * Portfolios, the few configurations that serve all problems, with an evaluator that
 * follows a script: which configurations are measured on which problems, go through
 * finals and verification, and are recorded.
 */
#define _GNU_SOURCE
#include "record_fixture.h"
#include "suite.h"

#include "cli/tell.h"
#include "fake_evaluator.h"
#include "record/result.h"
#include "record/results.h"
#include "session/portfolio.h"
#include "session/tuning.h"
#include "folder.h"

#include <math.h>
#include <unistd.h>

enum { PROBLEMS = 3, ROWS = 12, ANY = -2 };

/* 12 configurations, the row of (i, j) is 4 * i + j; row 11 is not for the last problem
 */
static const char space_text[] =
	"kernel: { name = \"scripted\"; template = \"" AT_TEST_DIR
	"/data/result/functions.cu\"; reference = \"plain\"; };\n"
	"problems = ( { name = \"small\"; N = 64; }, { name = \"middle\"; N = 96; }, { name = \"large\"; N = 128; } );\n"
	"parameters: { A = [ 1, 2, 3 ]; B = [ 1, 2, 3, 4 ]; };\n"
	"defaults: { A = 1; B = 1; };\n"
	"constraints = ( \"N < 100 || A * B < 12\" );\n"
	"launch: { block = ( \"32\" ); grid = ( \"N\" ); };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

struct world;

struct part {
	struct world *world;
	double times[ROWS];
	double finals[ROWS]; /* 0: as in the search */
	double floors[ROWS]; /* the least time of a launch; 0: none */
	int wrong; /* row whose verification fails; -1: none */
	int missing; /* row that does not run when others' finalists are measured; -1 */
	struct fake_script script;
	struct fake_counts counts;
};

struct world {
	char folder[64];
	struct at_spec *spec;
	struct at_store *store;
	int64_t device_id;
	struct at_device_info device;
	struct at_session_options session;
	struct part parts[PROBLEMS];
	struct at_portfolio_course *course;
	struct at_evaluator *evaluator; /* the last that was opened */
	size_t opened;
	size_t evaluations; /* told while the course ran */
	size_t verifications; /* cases that were made while the course ran */
	size_t case_count; /* 0: 1 */
	double case_seconds;
	size_t interrupts_after; /* openings */
	bool is_coursing;
	bool has_new_source; /* what is recorded does not hold any more */
	bool ended;
	struct at_error error;
	char note[256];
	char *text;
	struct at_json *json;
};

static int row_of(const uint16_t *configuration)
{
	return 4 * configuration[0] + configuration[1];
}

static void scripted_fate(
	void *context, const uint16_t *configuration, struct fake_fate *fate)
{
	struct part *part = context;
	int row = row_of(configuration);

	*fate = (struct fake_fate){
		.time_ns = part->times[row],
		.final_ns = part->finals[row],
		.floor_ns = part->floors[row],
		/* worse than others by more than this is dropped early in a search */
		.raced = part->times[row] > 1500,
	};
	if (row == part->missing && part->world->is_coursing)
		fate->outcome = AT_OUTCOME_CRASHED;
}

static enum at_outcome scripted_verification(
	void *context, const uint16_t *configuration, size_t verification_case)
{
	struct part *part = context;

	(void)verification_case;
	part->world->verifications += part->world->is_coursing;
	return row_of(configuration) == part->wrong && part->world->is_coursing
		       ? AT_OUTCOME_WRONG_RESULT
		       : AT_OUTCOME_OK;
}

static void listen(void *context, const struct at_event *event)
{
	struct world *world = context;
	struct at_strbuf text = { 0 };

	if (event->kind == AT_EVENT_NOTE)
		snprintf(world->note, sizeof(world->note), "%s", event->text);
	world->evaluations += event->kind == AT_EVENT_EVALUATION && world->is_coursing;
	if (event->kind != AT_EVENT_PORTFOLIO)
		return;
	at_portfolio_write_text(event, true, &text);
	world->text = at_strbuf_detach(&text);
	world->json = at_json_object();
	at_portfolio_set_json(event, world->json);
}

static struct at_evaluator *open_part(struct world *world, size_t index)
{
	struct part *part = &world->parts[index];

	part->script = (struct fake_script){
		.fate = scripted_fate,
		.has_floors = true,
		.verify = scripted_verification,
		.context = part,
		.parameter_count = 2,
		.case_count = world->case_count,
		.case_seconds = world->case_seconds,
		/* the same configuration elsewhere is another */
		.source = index + 1 + (world->has_new_source ? PROBLEMS : 0),
	};
	return fake_evaluator_new(&part->script, &part->counts);
}

static struct world *world_new(void)
{
	struct at_record_device device =
		record_device("test", "Test board", "test-board", "sm_00", "", "");
	struct world *world = calloc(1, sizeof(*world));

	assert_non_null(world);
	snprintf(world->folder, sizeof(world->folder), "/tmp/portfolio-XXXXXX");
	assert_non_null(folder_make(world->folder));
	assert_ok(at_spec_parse(space_text, strlen(space_text), "scripted.cfg",
		&world->spec, &failure));
	assert_ok(at_store_open(world->folder, &world->store, NULL));
	assert_ok(at_store_put_device(world->store, &device, &world->device_id, NULL));
	snprintf(world->device.id, sizeof(world->device.id), "test:0");
	world->session = (struct at_session_options){
		.results = world->folder,
		.strategy = "exhaustive",
		.portfolio_limit = 0.05,
		.listen = listen,
		.context = world,
	};
	/* 1.00 at its own row, 1.5 and more elsewhere; the baseline is slow */
	for (size_t p = 0; p < PROBLEMS; p++) {
		world->parts[p].world = world;
		world->parts[p].wrong = world->parts[p].missing = -1;
		for (int row = 0; row < ROWS; row++)
			world->parts[p].times[row] = 1600 + row;
		world->parts[p].times[0] = 4000;
		world->parts[p].times[1 + p] = 1000;
	}
	return world;
}

static void world_free(struct world *world)
{
	char command[128];

	free(world->text);
	at_json_free(world->json);
	at_store_close(world->store);
	at_spec_free(world->spec);
	snprintf(command, sizeof(command), "rm -r %s", world->folder);
	assert_int_equal(system(command), 0);
	free(world);
}

#include "in_a_world.h"

static void tuned(void *context, const struct at_error *err)
{
	assert_null(err);
}

/* the winners of all problems */
static void tune(struct world *world)
{
	for (size_t p = 0; p < PROBLEMS; p++) {
		struct at_evaluator *evaluator = open_part(world, p);
		struct at_visit options = {
			.evaluator = evaluator,
			.store = world->store,
			.session = &world->session,
			.spec = world->spec,
			.whole_spec = world->spec,
			.problem = &world->spec->problems[p],
			.objective = &at_objective_time,
			.device_id = world->device_id,
			.done = tuned,
		};
		struct at_visit *visit;

		assert_ok(at_store_begin_run(world->store, world->device_id, "scripted",
			"exhaustive", 0, "test", &options.run_id, NULL));
		assert_ok(at_visit_start(&at_tuning_kind, &options, &visit, &failure));
		fake_run(evaluator);
		at_visit_free(visit);
	}
}

static enum at_status open_evaluator(void *context, const struct at_problem *problem,
	struct at_evaluator **out, struct at_error *err)
{
	struct world *world = context;

	world->opened++;
	*out = world->evaluator =
		open_part(world, (size_t)(problem - world->spec->problems));
	if (world->interrupts_after && world->opened > world->interrupts_after)
		at_portfolio_course_interrupt(world->course);
	return AT_OK;
}

static void course_done(void *context, const struct at_error *err)
{
	struct world *world = context;

	assert_false(world->ended);
	world->ended = true;
	if (err)
		world->error = *err;
}

static void run_course(struct world *world)
{
	const struct at_problem *problems[PROBLEMS];
	struct at_portfolio_course_options options = {
		.visit = { .store = world->store,
			.session = &world->session,
			.spec = world->spec,
			.objective = &at_objective_time,
			.device_id = world->device_id,
			.done = course_done,
			.context = world },
		.problems = problems,
		.problem_count = PROBLEMS,
		.device = &world->device,
		.open = open_evaluator,
	};

	for (size_t p = 0; p < PROBLEMS; p++)
		problems[p] = &world->spec->problems[p];
	assert_ok(at_store_begin_run(world->store, world->device_id, "scripted",
		"exhaustive", 0, "test", &options.visit.run_id, NULL));
	free(world->text);
	at_json_free(world->json);
	world->text = NULL;
	world->json = NULL;
	world->ended = false;
	world->is_coursing = true;
	world->opened = world->evaluations = world->verifications = 0;
	memset(&world->error, 0, sizeof(world->error));
	assert_ok(at_portfolio_course_start(&options, &world->course, &failure));
	while (world->course && !world->ended)
		fake_run(world->evaluator);
	at_portfolio_course_free(world->course);
	world->course = NULL;
	world->is_coursing = false;
}

/* Row 8 is nearly as fast everywhere as the winners are. */
static void add_all_rounder(struct world *world)
{
	for (size_t p = 0; p < PROBLEMS; p++)
		world->parts[p].times[8] = 1020;
}

/* the rows that serve small, middle and large, as the record has it */
static size_t read_members(struct world *world, int rows[PROBLEMS])
{
	struct at_portfolio portfolio;
	bool found;
	size_t size;

	assert_ok(at_store_get_portfolio(
		world->store, world->device_id, "scripted", &portfolio, &found, NULL));
	if (!found)
		return 0;
	for (size_t p = 0; p < PROBLEMS; p++)
		rows[p] = -1;
	for (size_t i = 0; i < portfolio.count; i++) {
		RELEASED(at_evaluation_release) struct at_evaluation evaluation;
		OWNED(at_json_free) struct at_json *object;

		assert_ok(at_store_get(world->store, portfolio.members[i].evaluation_id,
			false, &evaluation, NULL));
		/* of this very problem, and right there */
		assert_string_equal(evaluation.problem, portfolio.members[i].problem);
		assert_int_equal(evaluation.outcome, AT_OUTCOME_OK);
		assert_false(portfolio.members[i].is_unverified);
		assert_ok(at_json_parse(evaluation.configuration,
			strlen(evaluation.configuration), NULL, &object, NULL));
		for (size_t p = 0; p < PROBLEMS; p++)
			if (!strcmp(evaluation.problem, world->spec->problems[p].name))
				rows[p] =
					(int)(4 * at_json_whole(
							  at_json_get(object, "A"), 0) -
						4 +
						at_json_whole(
							at_json_get(object, "B"), 0) -
						1);
	}
	size = at_portfolio_size(&portfolio);
	at_portfolio_release(&portfolio);
	return size;
}

/* how many configurations serve the problems, and which; NULL: whichever */
static void assert_serve(struct world *world, size_t count, const int *expected)
{
	int rows[PROBLEMS];

	assert_int_equal(read_members(world, rows), count);
	for (size_t p = 0; expected && p < PROBLEMS; p++)
		if (expected[p] != ANY)
			assert_int_equal(rows[p], expected[p]);
}

/* ---- what is chosen -------------------------------------------------------- */

TEST_IN_A_WORLD(one_that_is_nearly_as_fast_everywhere_serves_all)
{
	add_all_rounder(world);
	world->parts[2].times[8] = 1040;
	tune(world);
	run_course(world);
	assert_ok(world->error.status);
	assert_serve(world, 1, (int[]){ 8, 8, 8 });
	assert_non_null(strstr(world->text,
		"scripted on test:0: 1 configuration for 3 problems; the worst loses 4.0 % (limit 5.0 %)\n  A=3 B=1\n"));
	assert_non_null(strstr(world->text, "small   1.02 us  loses 2.0 %"));
}

/* what is left is made by the problem's next tuning */
TEST_IN_A_WORLD(members_have_as_much_time_for_cases_as_winners_have)
{
	add_all_rounder(world);
	tune(world);
	world->case_count = 400;
	world->case_seconds = 0.9;
	run_course(world);
	assert_serve(world, 1, NULL);
	assert_in_range(world->verifications, 2 * PROBLEMS, 20 * PROBLEMS);
}

TEST_IN_A_WORLD(nobody_replaces_winners_that_have_nothing_in_common)
{
	tune(world);
	run_course(world);
	assert_serve(world, 3, (int[]){ 1, 2, 3 });
	/* winners serve their own problems without being measured again */
	assert_int_equal(world->opened, PROBLEMS);
	assert_non_null(strstr(world->text, "large   1.00 us  its winner\n"));
}

TEST_IN_A_WORLD(so_many_as_are_allowed_lose_least)
{
	/* the winner of the first is the second best of the others */
	world->parts[1].times[1] = 1300;
	world->parts[2].times[1] = 1200;
	world->session.portfolio_limit = INFINITY;
	world->session.portfolio_size = 2;
	tune(world);
	run_course(world);
	assert_serve(world, 2, (int[]){ 1, 2, 1 });
	assert_true(fabs(at_json_number(at_json_get(world->json, "worst_loss"), 0) -
			    0.2) < 1e-9);
}

/* what a search dropped early was never timed: here it is */
TEST_IN_A_WORLD(what_was_dropped_early_elsewhere_is_measured_in_full)
{
	world->session.portfolio_limit = INFINITY;
	world->session.portfolio_size = 1;
	tune(world);
	run_course(world);
	/* 1601, 1602, 1603: the winner of small is best of those that are for all */
	assert_serve(world, 1, (int[]){ 1, ANY, 1 });
	assert_true(world->evaluations >= 6);
}

TEST_IN_A_WORLD(a_configuration_that_is_not_for_a_problem_does_not_serve_it)
{
	/* best of all where it is allowed */
	world->parts[0].times[11] = world->parts[1].times[11] = 900;
	tune(world);
	run_course(world);
	assert_serve(world, 2, (int[]){ 11, 11, 3 });
}

/* ---- finals and verification ----------------------------------------------- */

TEST_IN_A_WORLD(what_the_finals_say_of_a_loss_counts)
{
	add_all_rounder(world);
	/* it looked better than it is */
	world->parts[2].finals[8] = 1200;
	tune(world);
	run_course(world);
	assert_serve(world, 2, (int[]){ 8, 8, 3 });
}

TEST_IN_A_WORLD(who_fails_the_verification_of_a_problem_does_not_serve_it)
{
	add_all_rounder(world);
	world->parts[1].wrong = 8;
	tune(world);
	run_course(world);
	assert_serve(world, 2, (int[]){ 8, 2, 8 });
	assert_non_null(strstr(world->note, "as the script says"));
	/* the record says so: it is not asked again */
	world->parts[1].wrong = -1;
	run_course(world);
	assert_serve(world, 2, NULL);
}

TEST_IN_A_WORLD(who_is_too_fast_on_a_problem_does_not_serve_it)
{
	add_all_rounder(world);
	tune(world);
	/* it leaves work out where it is to serve, and did not in the search */
	world->parts[1].finals[8] = 500;
	world->parts[1].floors[8] = 1000;
	run_course(world);
	assert_serve(world, 2, (int[]){ 8, 2, 8 });
	assert_non_null(
		strstr(world->note, "find the work that the kernel leaves out"));
}

TEST_IN_A_WORLD(losses_are_recorded_with_their_interval)
{
	RELEASED(at_portfolio_release) struct at_portfolio portfolio;
	bool found;

	add_all_rounder(world);
	tune(world);
	run_course(world);
	assert_ok(at_store_get_portfolio(
		world->store, world->device_id, "scripted", &portfolio, &found, NULL));
	assert_true(found && portfolio.loss_limit == 0.05 && portfolio.most == 0);
	assert_int_equal(portfolio.count, PROBLEMS);
	for (size_t i = 0; i < portfolio.count; i++) {
		const struct at_winner *member = &portfolio.members[i];

		assert_true(fabs(member->loss - 0.02) < 1e-6);
		assert_true(member->loss_low <= member->loss &&
			    member->loss <= member->loss_high);
		assert_true(fabs(member->speedup - 4000.0 / 1020) < 1e-6);
	}
}

/* ---- what it leaves alone -------------------------------------------------- */

TEST_IN_A_WORLD(winners_stay_what_they_are)
{
	RELEASED(at_results_release) struct at_results before, after;

	add_all_rounder(world);
	tune(world);
	assert_int_equal(
		at_results_read(world->store, NULL, "scripted", &before, NULL), 0);
	run_course(world);
	assert_int_equal(
		at_results_read(world->store, NULL, "scripted", &after, NULL), 0);
	assert_int_equal(after.count, PROBLEMS);
	for (size_t i = 0; i < PROBLEMS; i++)
		assert_int_equal(after.items[i].best.evaluation_id,
			before.items[i].best.evaluation_id);
}

TEST(nothing_is_recorded_where_it_was_interrupted)
{
	for (size_t after = 1; after <= 4; after++) {
		OWNED(world_free) struct world *world = world_new();

		add_all_rounder(world);
		tune(world);
		world->interrupts_after = after;
		run_course(world);
		assert_ok(world->error.status);
		assert_serve(world, 0, NULL);
		/* and the next run gets there */
		world->interrupts_after = 0;
		run_course(world);
		assert_serve(world, 1, NULL);
	}
}

TEST_IN_A_WORLD(a_winner_that_is_no_longer_right_ends_it_with_a_note)
{
	tune(world);
	world->parts[1].missing = 2;
	world->has_new_source = true;
	run_course(world);
	assert_serve(world, 0, NULL);
	assert_string_equal(world->note,
		"no portfolio: a winner is no longer right; tune it again");
}

TEST_IN_A_WORLD(without_a_verified_winner_there_is_none)
{
	run_course(world);
	assert_false(world->ended);
	assert_string_equal(
		world->note, "no portfolio: no problem has a winner that is verified");
	assert_serve(world, 0, NULL);
}

/* ---- what is made of it ---------------------------------------------------- */

static char *to_json(const struct at_spec *spec, const struct at_results *results)
{
	const struct at_result *items[PROBLEMS];
	struct at_strbuf text = { 0 };

	assert_int_equal(results->count, PROBLEMS);
	for (size_t i = 0; i < PROBLEMS; i++)
		items[i] = &results->items[i];
	assert_ok(at_result_json(spec, &items[0]->device, items, PROBLEMS,
		&(struct at_counterexamples){ 0 }, &text, &failure));
	return at_strbuf_detach(&text);
}

TEST_IN_A_WORLD(result_files_have_its_members_and_are_read_back)
{
	struct at_results results, read = { 0 };
	OWNED(free) char *text, *again;
	char *at;

	add_all_rounder(world);
	tune(world);
	assert_ok(at_results_read(world->store, NULL, "scripted", &results, NULL));
	assert_null(results.items[0].member);
	at_results_release(&results);
	run_course(world);
	assert_ok(at_results_read(world->store, NULL, "scripted", &results, NULL));
	text = to_json(world->spec, &results);
	assert_non_null(strstr(text, "\"member\": {\n        \"loss\": 0.02"));
	assert_ok(at_bundled_parse(
		text, strlen(text), "file", "test-board", &read, &failure));
	again = to_json(world->spec, &read);
	assert_string_equal(again, text);
	at_results_take_members(&read);
	assert_int_equal(read.count, PROBLEMS);
	for (size_t i = 0; i < PROBLEMS; i++) {
		assert_string_equal(
			read.items[i].winner.configuration, "{\"A\": 3, \"B\": 1}");
		assert_string_equal(read.items[i].device.slug, "test-board");
	}
	at_results_release(&read);
	/* one that says to serve another problem than it stands in */
	at = strstr(strstr(text, "\"member\""), "\"large\"");
	memcpy(at, "\"lorge\"", 7);
	assert_fails_with(at_bundled_parse(text, strlen(text), "file", "test-board",
				  &read, &failure),
		AT_EINVAL, "member");
	at_results_release(&read);
	at_results_release(&results);
}

TEST_IN_A_WORLD(members_of_another_template_are_none)
{
	RELEASED(at_results_release) struct at_results results;

	add_all_rounder(world);
	tune(world);
	run_course(world);
	world->has_new_source = true;
	tune(world);
	assert_ok(at_results_read(world->store, NULL, "scripted", &results, NULL));
	for (size_t i = 0; i < PROBLEMS; i++)
		assert_null(results.items[i].member);
	at_results_take_members(&results);
	assert_int_equal(results.count, 0);
}

TEST_IN_A_WORLD(a_header_of_members_has_theirs_alone)
{
	struct at_header_plan_options options = { 0 };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	RELEASED(at_results_release) struct at_results results;
	size_t counts[2];

	add_all_rounder(world);
	tune(world);
	run_course(world);
	assert_ok(at_results_read(world->store, NULL, "scripted", &results, NULL));
	for (int i = 0; i < 2; i++) {
		struct at_header_plan plan;

		assert_ok(at_header_plan_make(world->spec, results.items, results.count,
			&options, &plan, NULL));
		assert_int_equal(plan.winner_count, PROBLEMS);
		counts[i] = plan.configuration_count;
		at_header_plan_release(&plan);
		if (i == 0)
			at_results_take_members(&results);
	}
	/* three winners against one, and the baseline */
	assert_int_equal(counts[0], 4);
	assert_int_equal(counts[1], 2);
	assert_ok(at_result_header(
		world->spec, results.items, results.count, &options, &text, &failure));
	assert_non_null(strstr(text.data,
		" *   loss           2 % against the winner (95 % interval 2 % to 2 %)\n"));
	assert_non_null(
		strstr(text.data, "#define SCRIPTED_TEST_BOARD_MIDDLE_LOSS 0.02"));
}

/* ---- its limit on the command line ----------------------------------------- */

TEST(reads_a_limit_as_percent_or_as_a_fraction)
{
	static const struct {
		const char *text;
		double limit;
	} rows[] = { { "5%", 0.05 }, { "0.05", 0.05 }, { "0", 0 }, { "12.5%", 0.125 } };
	static const char *const wrong[] = { "", "five", "5 %", "-1%", "5%x", "nan",
		"inf", "2000%" };
	double limit;

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		assert_ok(at_portfolio_parse_limit(rows[i].text, &limit, NULL));
		assert_true(fabs(limit - rows[i].limit) < 1e-12);
	}
	for (size_t i = 0; i < AT_COUNT_OF(wrong); i++) {
		struct at_error err = { 0 };

		assert_int_equal(
			at_portfolio_parse_limit(wrong[i], &limit, &err), AT_EINVAL);
		assert_non_null(strstr(err.text, "expected a loss as in 5% or 0.05"));
	}
	/* who forgets the sign does not mean 500 % */
	for (size_t i = 0; i < 2; i++) {
		struct at_error err = { 0 };

		assert_int_equal(at_portfolio_parse_limit(i ? "5" : "1", &limit, &err),
			AT_EINVAL);
		assert_non_null(
			strstr(err.text, i ? "write 5% for 5" : "write 1% for 1"));
	}
}

#include "in_a_world.h"

RUN_SUITE(NULL, NULL)
