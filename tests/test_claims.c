/* Claims in the record, which say which run measures what at this moment. Two
   connections to one database stand for two runs; processes that die are real ones. */
#include "base/owner.h"
#include "record/claims.h"
#include "record/sqlite.h"
#include "record/store.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "skip.h"

#define NOON 1763715600

struct world {
	char folder[64];
	struct at_store *stores[2];
	struct at_claimant claimants[2];
};

#define assert_ok(call) \
	do { \
		if ((call) != AT_OK) \
			fail_msg("%s: %s: %s", #call, err.file, err.text); \
	} while (0)

static int open_world(void **state)
{
	struct world *world = calloc(1, sizeof(*world));
	struct at_error err = { 0 };

	assert_non_null(world);
	strcpy(world->folder, "/tmp/autotune-claims-XXXXXX");
	assert_non_null(folder_make(world->folder));
	for (int i = 0; i < 2; i++) {
		assert_ok(at_store_open(world->folder, &world->stores[i], &err));
		at_claimant_init(&world->claimants[i], i + 1);
	}
	*state = world;
	return 0;
}

static int close_world(void **state)
{
	struct world *world = *state;

	for (int i = 0; i < 2; i++)
		at_store_close(world->stores[i]);
	folder_remove(world->folder);
	free(world);
	return 0;
}

static struct at_hash key_of(uint64_t key)
{
	return (struct at_hash){ .low = key, .high = 7 };
}

static enum at_claim claim_knowing(
	struct world *world, int who, uint64_t key, int64_t known_id, int64_t seconds)
{
	struct at_error err = { 0 };
	enum at_claim claim;

	assert_ok(at_store_claim(world->stores[who], &world->claimants[who],
		key_of(key), known_id, NOON + seconds, &claim, NULL, &err));
	return claim;
}

static enum at_claim claim_at(
	struct world *world, int who, uint64_t key, int64_t seconds)
{
	return claim_knowing(world, who, key, 0, seconds);
}

static int64_t record(struct world *world, int who, uint64_t key)
{
	struct at_evaluation evaluation = {
		.key = key_of(key),
		.device_id = 1,
		.space = (char *)"matmul",
		.problem = (char *)"square",
		.problem_json = (char *)"{}",
		.configuration = (char *)"{}",
		.outcome = AT_OUTCOME_WRONG_RESULT,
		.detail = (char *)"",
		.created_seconds = NOON,
		.board = (char *)"",
	};
	struct at_record_device device = {
		.kind = (char *)"host",
		.model = (char *)"A Processor",
		.slug = (char *)"a-processor",
		.architecture = (char *)"x86_64",
		.driver = (char *)"",
		.uuid = (char *)"",
	};
	struct at_error err = { 0 };

	assert_ok(at_store_put_device(
		world->stores[who], &device, &evaluation.device_id, &err));
	assert_ok(at_store_add(world->stores[who], &evaluation, &err));
	return evaluation.id;
}

static int64_t count(const struct world *world)
{
	struct at_sqlite *database;
	struct at_error err = { 0 };
	char path[128];
	int64_t rows;

	snprintf(path, sizeof(path), "%s/autotune.db", world->folder);
	assert_ok(at_sqlite_open(path, &database, &err));
	assert_ok(at_sqlite_integer(
		database, "SELECT count(*) FROM claims", &rows, &err));
	at_sqlite_close(database);
	return rows;
}

static void one_of_two_has_a_key(void **state)
{
	struct world *world = *state;

	assert_int_equal(claim_at(world, 0, 1, 0), AT_CLAIM_OURS);
	assert_int_equal(claim_at(world, 1, 1, 0), AT_CLAIM_THEIRS);
	assert_int_equal(claim_at(world, 1, 2, 0), AT_CLAIM_OURS);
	assert_int_equal(claim_at(world, 0, 2, 0), AT_CLAIM_THEIRS);
	/* what is ours stays so however often it is asked for */
	assert_int_equal(claim_at(world, 0, 1, 30), AT_CLAIM_OURS);
	assert_int_equal(count(world), 2);
}

static void an_evaluation_ends_its_claim_and_is_the_answer(void **state)
{
	struct world *world = *state;
	int64_t id;

	assert_int_equal(claim_at(world, 0, 1, 0), AT_CLAIM_OURS);
	assert_int_equal(claim_at(world, 0, 2, 0), AT_CLAIM_OURS);
	id = record(world, 0, 1);
	assert_int_equal(count(world), 1);
	/* who did not see it before learns that it is there */
	assert_int_equal(claim_at(world, 1, 1, 0), AT_CLAIM_RECORDED);
	/* for whom it will not do, it is his to measure */
	assert_int_equal(claim_knowing(world, 1, 1, id, 0), AT_CLAIM_OURS);
	assert_int_equal(claim_knowing(world, 0, 1, id, 0), AT_CLAIM_THEIRS);
}

static void a_claim_that_nobody_renews_expires(void **state)
{
	struct world *world = *state;
	struct at_error err = { 0 };

	assert_int_equal(claim_at(world, 0, 1, 0), AT_CLAIM_OURS);
	assert_int_equal(claim_at(world, 0, 2, 0), AT_CLAIM_OURS);
	assert_int_equal(claim_at(world, 1, 1, AT_CLAIM_SECONDS - 1), AT_CLAIM_THEIRS);
	assert_int_equal(claim_at(world, 1, 1, AT_CLAIM_SECONDS), AT_CLAIM_OURS);
	assert_int_equal(claim_at(world, 0, 1, AT_CLAIM_SECONDS), AT_CLAIM_THEIRS);
	/* of what was lost nothing is renewed, of the rest all */
	assert_ok(at_store_renew_claims(
		world->stores[0], &world->claimants[0], NOON + 50, &err));
	assert_int_equal(claim_at(world, 1, 2, AT_CLAIM_SECONDS + 49), AT_CLAIM_THEIRS);
	assert_int_equal(
		claim_at(world, 0, 1, 2 * AT_CLAIM_SECONDS - 1), AT_CLAIM_THEIRS);
	assert_int_equal(claim_at(world, 1, 2, AT_CLAIM_SECONDS + 50), AT_CLAIM_OURS);
}

static void a_clock_that_is_far_ahead_keeps_nobody_waiting(void **state)
{
	struct world *world = *state;

	assert_int_equal(claim_at(world, 0, 1, 86400), AT_CLAIM_OURS);
	assert_int_equal(claim_at(world, 1, 1, 0), AT_CLAIM_OURS);
	/* a little is believed */
	assert_int_equal(claim_at(world, 0, 2, 59), AT_CLAIM_OURS);
	assert_int_equal(claim_at(world, 1, 2, 0), AT_CLAIM_THEIRS);
}

static void a_run_drops_its_claims_and_what_has_expired(void **state)
{
	struct world *world = *state;
	struct at_error err = { 0 };

	for (uint64_t key = 1; key <= 3; key++)
		assert_int_equal(claim_at(world, 0, key, 0), AT_CLAIM_OURS);
	assert_int_equal(claim_at(world, 1, 4, 20), AT_CLAIM_OURS);
	assert_ok(at_store_drop_claim(
		world->stores[0], &world->claimants[0], key_of(2), &err));
	/* another one's it cannot */
	assert_ok(at_store_drop_claim(
		world->stores[0], &world->claimants[0], key_of(4), &err));
	assert_int_equal(count(world), 3);
	assert_ok(at_store_drop_claims(
		world->stores[0], &world->claimants[0], NOON + 20, &err));
	assert_int_equal(count(world), 1);
	assert_int_equal(claim_at(world, 0, 4, 20), AT_CLAIM_THEIRS);
	assert_ok(at_store_drop_claims(world->stores[0], &world->claimants[0],
		NOON + 20 + AT_CLAIM_SECONDS, &err));
	assert_int_equal(count(world), 0);
}

/* Claims two keys from another process; it lives until `hold` is closed. */
static pid_t claim_elsewhere(struct world *world, int *hold)
{
	int said[2], held[2];
	char word;
	pid_t child;

	assert_int_equal(pipe(said), 0);
	assert_int_equal(pipe(held), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct at_error err = { 0 };
		struct at_claimant claimant;
		struct at_store *store;
		enum at_claim claim;

		close(held[1]);
		at_claimant_init(&claimant, 77);
		if (at_store_open(world->folder, &store, &err) ||
			at_store_claim(store, &claimant, key_of(1), 0, NOON, &claim,
				NULL, &err) ||
			at_store_claim(store, &claimant, key_of(2), 0, NOON, &claim,
				NULL, &err) ||
			write(said[1], "x", 1) != 1)
			_exit(1);
		(void)!read(held[0], &word, 1);
		_exit(0);
	}
	close(held[0]);
	close(said[1]);
	assert_int_equal(read(said[0], &word, 1), 1);
	close(said[0]);
	*hold = held[1];
	return child;
}

static void claims_of_a_killed_process_are_free_at_once(void **state)
{
	struct world *world = *state;
	struct at_error err = { 0 };
	enum at_claim claim;
	int64_t owner;
	pid_t child;
	int hold;

	if (!at_process_is_known())
		skip_because("/proc tells of no processes");
	child = claim_elsewhere(world, &hold);
	assert_ok(at_store_claim(world->stores[0], &world->claimants[0], key_of(1), 0,
		NOON, &claim, &owner, &err));
	assert_int_equal(claim, AT_CLAIM_THEIRS);
	assert_int_equal(owner, child);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(hold);
	assert_int_equal(claim_at(world, 0, 1, 0), AT_CLAIM_OURS);
	/* and all others of his with it */
	assert_int_equal(count(world), 1);
}

/* Another machine: numbers of processes say nothing there. */
static void a_claim_of_another_place_waits_for_its_end(void **state)
{
	struct world *world = *state;
	struct at_error err = { 0 };
	enum at_claim claim;
	int64_t owner = -1;

	snprintf(world->claimants[1].owner, sizeof(world->claimants[1].owner),
		"999999999 5 00112233445566778899aabbccddeeff");
	assert_int_equal(claim_at(world, 1, 1, 0), AT_CLAIM_OURS);
	assert_ok(at_store_claim(world->stores[0], &world->claimants[0], key_of(1), 0,
		NOON, &claim, &owner, &err));
	assert_int_equal(claim, AT_CLAIM_THEIRS);
	assert_int_equal(owner, 0);
	assert_int_equal(claim_at(world, 0, 1, AT_CLAIM_SECONDS), AT_CLAIM_OURS);
}

static void an_odd_owner_is_nobody_that_can_be_dead(void **state)
{
	static const char *const odd[] = { "", " ", "0 0 0", "-1 5", "999999999",
		"99999999999999999999 99999999999999999999 x", "; DROP TABLE claims" };
	struct world *world = *state;
	const char *place = strrchr(world->claimants[0].owner, ' ');
	char here[AT_OWNER_SIZE];

	snprintf(here, sizeof(here), "-5 7%s", place);
	for (size_t i = 0; i <= sizeof(odd) / sizeof(odd[0]); i++) {
		snprintf(world->claimants[1].owner, sizeof(world->claimants[1].owner),
			"%s", i < sizeof(odd) / sizeof(odd[0]) ? odd[i] : here);
		assert_int_equal(claim_at(world, 1, i, 0), AT_CLAIM_OURS);
		assert_int_equal(claim_at(world, 0, i, 0), AT_CLAIM_THEIRS);
	}
}

static void a_record_that_is_ours_alone_needs_no_claims(void **state)
{
	struct world *world = *state;
	struct at_error err = { 0 };
	struct at_store *alone;
	enum at_claim claim;

	assert_ok(at_store_open_memory("alone", &alone, &err));
	assert_int_equal(claim_at(world, 0, 1, 0), AT_CLAIM_OURS);
	assert_ok(at_store_claim(
		alone, &world->claimants[1], key_of(1), 0, NOON, &claim, NULL, &err));
	assert_int_equal(claim, AT_CLAIM_OURS);
	assert_ok(at_store_renew_claims(alone, &world->claimants[1], NOON, &err));
	assert_ok(at_store_drop_claims(alone, &world->claimants[1], NOON, &err));
	at_store_close(alone);
}

#define test(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(one_of_two_has_a_key),
		test(an_evaluation_ends_its_claim_and_is_the_answer),
		test(a_claim_that_nobody_renews_expires),
		test(a_clock_that_is_far_ahead_keeps_nobody_waiting),
		test(a_run_drops_its_claims_and_what_has_expired),
		test(claims_of_a_killed_process_are_free_at_once),
		test(a_claim_of_another_place_waits_for_its_end),
		test(an_odd_owner_is_nobody_that_can_be_dead),
		test(a_record_that_is_ours_alone_needs_no_claims),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
