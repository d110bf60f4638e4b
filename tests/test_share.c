/* Shares of a run: how the environment says which share a process is, which share gets
   which problems, and the folders of shares. */
#include <unistd.h>

#include "suite.h"

#include "base/memory.h"
#include "session/assignment.h"
#include "session/share.h"
#include "folder.h"

/* ---- who gets what --------------------------------------------------------- */

TEST(every_pair_is_dealt_whole_and_once)
{
	for (uint64_t pairs = 1; pairs <= 13; pairs++)
		for (uint64_t count = 1; count <= 60; count++) {
			uint64_t most = 0, least = UINT64_MAX, done = 0;
			uint64_t parts_of[13] = { 0 }, seen[13] = { 0 };

			for (uint64_t index = 0; index < count; index++) {
				struct at_share share = { index, count, 0, 0, "",
					false };
				uint64_t mine = 0;

				for (uint64_t pair = 0; pair < pairs; pair++) {
					struct at_part part =
						at_share_part(&share, pair, pairs);

					if (!part.count)
						continue;
					mine++;
					/* the parts of a pair come one after the other,
					   and all agree how many there are */
					assert_int_equal(part.index, seen[pair]++);
					assert_true(!parts_of[pair] ||
						    parts_of[pair] == part.count);
					parts_of[pair] = part.count;
				}
				most = mine > most ? mine : most;
				least = mine < least ? mine : least;
				done += mine;
			}
			assert_true(most - least <= 1);
			assert_true(done == (count > pairs ? count : pairs));
			most = 0;
			least = UINT64_MAX;
			for (uint64_t pair = 0; pair < pairs; pair++) {
				assert_int_equal(seen[pair], parts_of[pair]);
				most = seen[pair] > most ? seen[pair] : most;
				least = seen[pair] < least ? seen[pair] : least;
			}
			assert_true(least >= 1 && most - least <= 1);
		}
}

TEST(the_most_shares_that_there_may_be_are_dealt)
{
	struct at_share share = { AT_SHARES_MAX - 1, AT_SHARES_MAX, 0, 0, "", false };
	uint64_t pairs = 3, mine = 0;

	for (uint64_t pair = 0; pair < pairs; pair++)
		mine += at_share_part(&share, pair, pairs).count;
	assert_int_equal(mine, AT_SHARES_MAX / 3);
}

TEST(without_shares_everything_is_done_here)
{
	struct at_share share = { 0 };

	for (uint64_t pair = 0; pair < 5; pair++) {
		struct at_part part = at_share_part(&share, pair, 5);

		assert_int_equal(part.index, 0);
		assert_int_equal(part.count, 1);
	}
}

TEST(gpus_that_all_tasks_see_are_dealt_among_them)
{
	for (uint64_t tasks = 1; tasks <= 9; tasks++)
		for (uint64_t boards = 1; boards <= 9; boards++)
			for (uint64_t board = 0; board < boards; board++) {
				uint64_t takers = 0;

				for (uint64_t task = 0; task < tasks; task++) {
					struct at_share share = { 0, 1, task, tasks, "",
						false };

					takers += at_share_has_board(
						&share, board, boards);
				}
				/* fewer boards than tasks: they take turns */
				assert_int_equal(takers, boards < tasks ? tasks : 1);
			}
}

/* ---- the environment ------------------------------------------------------- */

/* "NAME=value;NAME=value" */
static const char *variable(void *context, const char *name)
{
	/* each as long as a variable's value stays: until several more were asked for
	 */
	static char values[8][512];
	static unsigned turn;
	size_t length = strlen(name);

	for (const char *c = context; *c;) {
		size_t end = strcspn(c, ";");

		if (!strncmp(c, name, length) && c[length] == '=') {
			char *value = values[turn++ % 8];

			snprintf(value, sizeof(values[0]), "%.*s",
				(int)(end - length - 1), c + length + 1);
			return value;
		}
		c += end + (c[end] == ';');
	}
	return NULL;
}

static enum at_status read_share(const char *text, const char *environment,
	struct at_share *share, struct at_error *err)
{
	memset(err, 0, sizeof(*err));
	return at_share_read(
		text, variable, (char *)(uintptr_t)environment, share, err);
}

#define JOB "SLURM_JOB_ID=77;SLURM_CLUSTER_NAME=big;"
#define STEP JOB "SLURM_STEP_ID=0;"
#define ARRAY \
	"SLURM_ARRAY_TASK_COUNT=8;SLURM_ARRAY_TASK_MIN=0;SLURM_ARRAY_TASK_MAX=7;" \
	"SLURM_ARRAY_TASK_STEP=1;"

TEST(shares_are_read_from_options_and_environment)
{
	static const struct {
		const char *text, *environment;
		uint64_t index, count, local_index, local_count;
	} rows[] = {
		{ "1/1", "", 0, 1, 0, 0 },
		{ "3/8", "SLURM_PROCID=5;SLURM_NTASKS=9", 2, 8, 0, 0 },
		{ "10000000/10000000", "", 9999999, 10000000, 0, 0 },
		/* a job of one task, and what a batch script starts by itself although
		   its job has room for four */
		{ "slurm", JOB, 0, 1, 0, 0 },
		{ "slurm", JOB "SLURM_NTASKS=4;SLURM_PROCID=0;SLURM_GTIDS=0", 0, 1, 0,
			0 },
		/* srun */
		{ "slurm", STEP "SLURM_NTASKS=4;SLURM_PROCID=3", 3, 4, 0, 0 },
		{ "slurm",
			STEP "SLURM_NTASKS=8;SLURM_STEP_NUM_TASKS=4;SLURM_PROCID=3;"
			     "SLURM_GTIDS=2,3;SLURM_LOCALID=1",
			3, 4, 1, 2 },
		/* arrays */
		{ "slurm", JOB ARRAY "SLURM_ARRAY_TASK_ID=5", 5, 8, 0, 0 },
		{ "slurm",
			JOB
			"SLURM_ARRAY_TASK_COUNT=3;SLURM_ARRAY_TASK_MIN=2;"
			"SLURM_ARRAY_TASK_MAX=6;SLURM_ARRAY_TASK_STEP=2;SLURM_ARRAY_TASK_ID=4",
			1, 3, 0, 0 },
		/* --array=0-7:3 ends at 6, and Slurm says so or the 7 that was asked
		 * for
		 */
		{ "slurm",
			JOB
			"SLURM_ARRAY_TASK_COUNT=3;SLURM_ARRAY_TASK_MIN=0;"
			"SLURM_ARRAY_TASK_MAX=7;SLURM_ARRAY_TASK_STEP=3;SLURM_ARRAY_TASK_ID=6",
			2, 3, 0, 0 },
		/* an array of jobs with two tasks each */
		{ "slurm",
			STEP ARRAY
			"SLURM_ARRAY_TASK_ID=5;SLURM_NTASKS=2;SLURM_PROCID=1;"
			"SLURM_GTIDS=0,1;SLURM_LOCALID=1",
			11, 16, 1, 2 },
		/* each task sees GPUs of its own */
		{ "slurm",
			STEP "SLURM_NTASKS=2;SLURM_PROCID=1;SLURM_GTIDS=0,1;"
			     "SLURM_LOCALID=1;SLURM_GPUS_PER_TASK=1",
			1, 2, 0, 0 },
		{ "slurm",
			STEP "SLURM_NTASKS=2;SLURM_PROCID=1;SLURM_GTIDS=0,1;"
			     "SLURM_LOCALID=1;SLURM_GPU_BIND=closest",
			1, 2, 0, 0 },
		{ "slurm",
			STEP "SLURM_NTASKS=2;SLURM_PROCID=1;SLURM_GTIDS=0,1;"
			     "SLURM_LOCALID=1;SLURM_TRES_PER_TASK=gres/gpu:1",
			1, 2, 0, 0 },
		{ "slurm",
			STEP
			"SLURM_NTASKS=2;SLURM_PROCID=1;SLURM_GTIDS=0,1;"
			"SLURM_LOCALID=1;SLURM_GPU_BIND=none;SLURM_TRES_PER_TASK=cpu:1",
			1, 2, 1, 2 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_share share;
		struct at_error err;

		if (read_share(rows[i].text, rows[i].environment, &share, &err))
			fail_msg("%s: %s", rows[i].environment, err.text);
		assert_int_equal(share.index, rows[i].index);
		assert_int_equal(share.count, rows[i].count);
		assert_int_equal(share.local_index, rows[i].local_index);
		assert_int_equal(share.local_count, rows[i].local_count);
	}
}

TEST(what_is_no_share_is_refused_by_its_name)
{
	static const struct {
		const char *text, *environment, *told;
	} rows[] = {
		{ "", "", "found \"\"" },
		{ "auto", "", "found \"auto\"" },
		{ "0/8", "", "found \"0/8\"" },
		{ "9/8", "", "found \"9/8\"" },
		{ "3/", "", "3/8" },
		{ "/8", "", "3/8" },
		{ "3/8/2", "", "3/8" },
		{ "-3/8", "", "3/8" },
		{ "+3/8", "", "3/8" },
		{ " 3/8", "", "3/8" },
		{ "3/8 ", "", "3/8" },
		{ "1/10000001", "", "3/8" },
		{ "1/99999999999999999999", "", "3/8" },
		{ "00000000000000000001/8", "", "3/8" },
		{ "slurm", "", "SLURM_JOB_ID is not set" },
		{ "slurm", "SLURM_JOB_ID=x\n\x1b[2J", "SLURM_JOB_ID is \"x" },
		{ "slurm", "SLURM_JOB_ID=-1", "SLURM_JOB_ID is \"-1\"" },
		{ "slurm", "SLURM_JOB_ID=99999999999999999999", "SLURM_JOB_ID is" },
		{ "slurm", JOB "SLURM_RESTART_COUNT=many", "SLURM_RESTART_COUNT is" },
		{ "slurm", STEP, "SLURM_NTASKS is not set" },
		{ "slurm", STEP "SLURM_NTASKS=0;SLURM_PROCID=0",
			"SLURM_NTASKS is \"0\"" },
		{ "slurm", STEP "SLURM_NTASKS=4", "SLURM_PROCID is not set" },
		{ "slurm", STEP "SLURM_NTASKS=4;SLURM_PROCID=4",
			"SLURM_PROCID is \"4\"" },
		{ "slurm", STEP "SLURM_NTASKS=4;SLURM_PROCID=1;SLURM_GTIDS=0,1,x",
			"SLURM_GTIDS is \"0,1,x\"" },
		{ "slurm",
			STEP
			"SLURM_NTASKS=4;SLURM_PROCID=1;SLURM_GTIDS=0,1;SLURM_LOCALID=2",
			"SLURM_LOCALID is \"2\"" },
		{ "slurm", JOB "SLURM_ARRAY_TASK_ID=3",
			"SLURM_ARRAY_TASK_COUNT is not set" },
		{ "slurm", JOB ARRAY "SLURM_ARRAY_TASK_ID=8",
			"SLURM_ARRAY_TASK_ID is \"8\"" },
		/* --array=1,5,7 */
		{ "slurm",
			JOB
			"SLURM_ARRAY_TASK_COUNT=3;SLURM_ARRAY_TASK_MIN=1;"
			"SLURM_ARRAY_TASK_MAX=7;SLURM_ARRAY_TASK_STEP=1;SLURM_ARRAY_TASK_ID=5",
			"array of equal steps" },
		{ "slurm",
			JOB
			"SLURM_ARRAY_TASK_COUNT=4;SLURM_ARRAY_TASK_MIN=0;"
			"SLURM_ARRAY_TASK_MAX=6;SLURM_ARRAY_TASK_STEP=2;SLURM_ARRAY_TASK_ID=3",
			"array of equal steps" },
		{ "slurm",
			JOB
			"SLURM_ARRAY_TASK_COUNT=4;SLURM_ARRAY_TASK_MIN=0;"
			"SLURM_ARRAY_TASK_MAX=3;SLURM_ARRAY_TASK_STEP=0;SLURM_ARRAY_TASK_ID=3",
			"SLURM_ARRAY_TASK_STEP is \"0\"" },
		{ "slurm",
			STEP "SLURM_NTASKS=10000000;SLURM_PROCID=1;" ARRAY
			     "SLURM_ARRAY_TASK_ID=3",
			"8 jobs of 10000000 tasks" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_share share;
		struct at_error err;

		if (!read_share(rows[i].text, rows[i].environment, &share, &err))
			fail_msg("%s, %s: was accepted", rows[i].text,
				rows[i].environment);
		if (!strstr(err.text, rows[i].told))
			fail_msg("\"%s\" does not tell \"%s\"", err.text, rows[i].told);
		for (const char *c = err.text; *c; c++)
			assert_false(*c == '\n' || *c == '\x1b');
		assert_int_equal(share.count, 0);
	}
}

/* all arrays of jobs with some tasks: each task is another share, and none is missing
 */
TEST(arrays_and_tasks_together_number_every_share)
{
	bool seen[3 * 5] = { false };

	for (int element = 0; element < 3; element++)
		for (int task = 0; task < 5; task++) {
			char environment[512];
			struct at_share share;

			snprintf(environment, sizeof(environment),
				STEP "SLURM_NTASKS=5;SLURM_PROCID=%d;"
				     "SLURM_ARRAY_TASK_COUNT=3;SLURM_ARRAY_TASK_MIN=10;"
				     "SLURM_ARRAY_TASK_MAX=30;SLURM_ARRAY_TASK_STEP=10;"
				     "SLURM_ARRAY_TASK_ID=%d",
				task, 10 + 10 * element);
			assert_ok(read_share("slurm", environment, &share, &failure));
			assert_int_equal(share.count, 15);
			assert_false(seen[share.index]);
			seen[share.index] = true;
		}
}

/* ---- folders --------------------------------------------------------------- */

static struct at_session_options options;

static struct at_assignment *open_shard(
	const char *results, const char *environment, const char *word)
{
	static char name[] = "mat mul/../x";
	static const struct at_spec spec = { .name = name };
	static const struct at_spec *const spaces[] = { &spec };
	static const char *words[1];
	struct at_assignment *shard = NULL;

	words[0] = word;
	options = (struct at_session_options){
		.results = results, .problems = words, .problem_count = 1
	};
	assert_ok(read_share("slurm", environment, &options.share, &failure));
	assert_ok(at_assignment_open(&options, spaces, 1, &shard, &failure));
	return shard;
}

static const struct at_device_info device = { .kind = "cpu", .model = "x" };

static struct at_spec space_of(char *name)
{
	return (struct at_spec){ .name = name };
}

static bool has_done(const struct at_assignment *self, const char *space)
{
	struct at_spec spec = space_of((char *)(uintptr_t)space);
	struct at_problem problem = { .name = (char *)(uintptr_t) "all" };

	return at_assignment_has_done(self, &spec, &problem, &device);
}

static void note_done(struct at_assignment *self, const char *space)
{
	struct at_spec spec = space_of((char *)(uintptr_t)space);
	struct at_problem problem = { .name = (char *)(uintptr_t) "all" };

	assert_ok(at_assignment_done(self, &spec, &problem, &device, NULL));
}

#define TASK_3 STEP "SLURM_NTASKS=4;SLURM_PROCID=2;"

TEST(a_shard_is_found_again_by_its_share)
{
	char results[] = "/tmp/shard-XXXXXX";
	struct at_assignment *first, *again, *other;

	assert_non_null(folder_make(results));
	first = open_shard(results, TASK_3, "tuned");
	assert_true(at_file_exists(at_assignment_folder(first)));
	/* a path of ours, whatever the space is called */
	assert_non_null(strstr(at_assignment_folder(first), "/shards/mat-mul-x-"));
	assert_non_null(strstr(at_assignment_folder(first), "-3-of-4"));
	again = open_shard(results,
		"SLURM_JOB_ID=78;SLURM_STEP_ID=0;SLURM_NTASKS=4;SLURM_PROCID=2",
		"tuned");
	assert_string_equal(at_assignment_folder(again), at_assignment_folder(first));
	other = open_shard(results, TASK_3, "another");
	assert_string_not_equal(
		at_assignment_folder(other), at_assignment_folder(first));
	at_assignment_close(first);
	at_assignment_close(again);
	at_assignment_close(other);
}

TEST(a_job_that_was_requeued_knows_what_it_has_done)
{
	char results[] = "/tmp/shard-XXXXXX";
	struct at_assignment *shard;

	assert_non_null(folder_make(results));
	shard = open_shard(results, TASK_3, "tuned");
	assert_false(has_done(shard, "matmul"));
	note_done(shard, "matmul");
	note_done(shard, "copy");
	at_assignment_close(shard);

	shard = open_shard(results, TASK_3 "SLURM_RESTART_COUNT=1", "tuned");
	assert_true(has_done(shard, "matmul"));
	assert_true(has_done(shard, "copy"));
	assert_false(has_done(shard, "cop"));
	assert_false(has_done(shard, ""));
	at_assignment_close(shard);

	/* another job has a budget of its own, and so has one that was only begun now
	 */
	shard = open_shard(results,
		"SLURM_JOB_ID=78;SLURM_STEP_ID=0;SLURM_NTASKS=4;SLURM_PROCID=2;SLURM_RESTART_COUNT=1",
		"tuned");
	assert_false(has_done(shard, "copy"));
	at_assignment_close(shard);
	shard = open_shard(results, TASK_3, "tuned");
	assert_false(has_done(shard, "copy"));
	at_assignment_close(shard);
}

TEST(progress_that_is_damaged_is_begun_anew)
{
#define ROW(text) \
	{ \
		text, sizeof(text) - 1 \
	}
#define DONE "copy, all on cpu (x)"
	static const struct {
		const char *text;
		size_t size;
	} rows[] = {
		ROW(""),
		ROW("77.0 big"),
		ROW("77.0 big\n" DONE),
		ROW("77.0 big\n\0" DONE "\n"),
		ROW("77.0 bigger\n" DONE "\n"),
		ROW(DONE "\n"),
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		char results[] = "/tmp/shard-XXXXXX";
		struct at_assignment *shard;
		OWNED(free) char *path;

		assert_non_null(folder_make(results));
		shard = open_shard(results, TASK_3, "tuned");
		path = at_path_join(at_assignment_folder(shard), "progress");
		assert_ok(at_file_replace(path, rows[i].text, rows[i].size, NULL));
		at_assignment_close(shard);
		shard = open_shard(results, TASK_3 "SLURM_RESTART_COUNT=1", "tuned");
		assert_false(has_done(shard, "copy"));
		note_done(shard, "copy");
		assert_true(has_done(shard, "copy"));
		at_assignment_close(shard);
	}
}

RUN_SUITE(NULL, NULL)
