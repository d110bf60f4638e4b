/* Claims beside the record, which say which run measures what at this moment. Two
   stores of one record stand for two runs; processes that die are real ones. */
#include "base/owner.h"
#include "record/claims.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"

struct world {
	char folder[64];
	char claims[96]; /* the file whose bytes are locked */
	struct at_store *stores[2];
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
	assert_non_null(mkdtemp(world->folder));
	snprintf(world->claims, sizeof(world->claims), "%s/autotune.db-claims",
		world->folder);
	for (int i = 0; i < 2; i++)
		assert_ok(at_store_open(world->folder, &world->stores[i], &err));
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

static enum at_claim claim(struct world *world, int who, uint64_t key)
{
	return at_store_claim(world->stores[who], key_of(key), NULL);
}

static void drop(struct world *world, int who, uint64_t key)
{
	at_store_drop_claim(world->stores[who], key_of(key));
}

static bool has_file(const struct world *world)
{
	return access(world->claims, F_OK) == 0;
}

static void one_of_two_has_a_key(void **state)
{
	struct world *world = *state;

	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_THEIRS);
	/* keys that are next to each other are two keys */
	assert_int_equal(claim(world, 1, 2), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 0, 2), AT_CLAIM_THEIRS);
	assert_int_equal(claim(world, 1, 0), AT_CLAIM_OURS);
	/* what is ours stays so however often it is asked for */
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_THEIRS);
}

static void keys_of_all_bits_are_claimed(void **state)
{
	struct world *world = *state;
	struct at_hash key = { .low = UINT64_MAX, .high = UINT64_MAX };

	assert_int_equal(at_store_claim(world->stores[0], key, NULL), AT_CLAIM_OURS);
	assert_int_equal(at_store_claim(world->stores[1], key, NULL), AT_CLAIM_THEIRS);
	/* the byte behind it says that the file is in use, and is not the key's */
	at_store_drop_claim(world->stores[0], key);
	assert_int_equal(at_store_claim(world->stores[1], key, NULL), AT_CLAIM_OURS);
}

static void a_dropped_claim_is_free(void **state)
{
	struct world *world = *state;

	for (uint64_t key = 1; key <= 3; key++)
		assert_int_equal(claim(world, 0, key), AT_CLAIM_OURS);
	drop(world, 0, 2);
	/* another one's it cannot drop */
	drop(world, 1, 3);
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_THEIRS);
	assert_int_equal(claim(world, 1, 2), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 3), AT_CLAIM_THEIRS);
	/* what was never claimed may be dropped */
	drop(world, 0, 9);
	assert_int_equal(claim(world, 1, 9), AT_CLAIM_OURS);
}

static void a_closed_store_has_no_claims(void **state)
{
	struct world *world = *state;

	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 2), AT_CLAIM_OURS);
	at_store_close(world->stores[0]);
	world->stores[0] = NULL;
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_OURS);
}

/* The file is there only while somebody may claim by it. */
static void the_last_who_claimed_removes_the_file(void **state)
{
	struct world *world = *state;
	struct at_error err = { 0 };

	assert_false(has_file(world));
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 2), AT_CLAIM_OURS);
	assert_true(has_file(world));
	at_store_close(world->stores[0]);
	assert_true(has_file(world));
	/* who comes then meets those who are there */
	assert_ok(at_store_open(world->folder, &world->stores[0], &err));
	assert_int_equal(claim(world, 0, 2), AT_CLAIM_THEIRS);
	for (int i = 0; i < 2; i++) {
		at_store_close(world->stores[i]);
		world->stores[i] = NULL;
	}
	assert_false(has_file(world));
}

/* A file of that name which somebody else made meanwhile is not ours to remove. */
static void another_file_of_that_name_stays(void **state)
{
	struct world *world = *state;
	FILE *file;

	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(unlink(world->claims), 0);
	file = fopen(world->claims, "w");
	assert_non_null(file);
	assert_true(fputs("mine", file) >= 0 && fclose(file) == 0);
	at_store_close(world->stores[0]);
	world->stores[0] = NULL;
	assert_true(has_file(world));
}

/* What a stranger left in that place: it is neither followed nor waited for, and claims
   are not needed. */
static void a_link_or_a_pipe_in_its_place_is_left_alone(void **state)
{
	struct world *world = *state;
	char target[96];

	snprintf(target, sizeof(target), "%s/elsewhere", world->folder);
	assert_int_equal(symlink(target, world->claims), 0);
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(access(target, F_OK), -1);
	assert_int_equal(unlink(world->claims), 0);
	assert_int_equal(mkfifo(world->claims, 0600), 0);
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_OURS);
	drop(world, 1, 1);
	for (int i = 0; i < 2; i++) {
		at_store_close(world->stores[i]);
		world->stores[i] = NULL;
	}
	assert_true(has_file(world));
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
		struct at_store *store;

		close(held[1]);
		if (at_store_open(world->folder, &store, &err) ||
			at_store_claim(store, key_of(1), NULL) != AT_CLAIM_OURS ||
			at_store_claim(store, key_of(2), NULL) != AT_CLAIM_OURS ||
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
	int64_t owner = -1;
	pid_t child;
	int hold;

	child = claim_elsewhere(world, &hold);
	assert_int_equal(
		at_store_claim(world->stores[0], key_of(1), &owner), AT_CLAIM_THEIRS);
	/* the place that numbers of processes belong to may not be known, or its ten
	   bits may be zero */
	assert_int_equal(
		owner, at_process_namespace().low & 0x3ff ? (int64_t)child : 0);
	assert_int_equal(claim(world, 0, 3), AT_CLAIM_OURS);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(hold);
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 0, 2), AT_CLAIM_OURS);
}

static void a_record_that_is_ours_alone_needs_no_claims(void **state)
{
	struct world *world = *state;
	struct at_error err = { 0 };
	struct at_store *alone;

	assert_ok(at_store_open_memory("alone", &alone, &err));
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(at_store_claim(alone, key_of(1), NULL), AT_CLAIM_OURS);
	at_store_drop_claim(alone, key_of(1));
	at_store_close(alone);
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_THEIRS);
}

#define test(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(one_of_two_has_a_key),
		test(keys_of_all_bits_are_claimed),
		test(a_dropped_claim_is_free),
		test(a_closed_store_has_no_claims),
		test(the_last_who_claimed_removes_the_file),
		test(another_file_of_that_name_stays),
		test(a_link_or_a_pipe_in_its_place_is_left_alone),
		test(claims_of_a_killed_process_are_free_at_once),
		test(a_record_that_is_ours_alone_needs_no_claims),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
