#define _GNU_SOURCE /* F_OFD_SETLK */
/* Claims beside the record, which say which run measures what at this moment. Two
   stores of one record stand for two runs; processes that die are real ones. */
#include "record_fixture.h"
#include "base/owner.h"
#include "record/claims.h"
#include "record/sqlite.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct world {
	struct record_place place;
	char claims[144]; /* the file whose bytes are locked */
	struct at_store *stores[2];
};

static int told; /* times that claims were said to be impossible */
static char told_text[1400];

static void note_refused(const struct at_error *reason)
{
	told++;
	at_error_format(reason, told_text, sizeof(told_text));
}

static void open_world(struct world *world)
{
	record_place_make(&world->place);
	snprintf(world->claims, sizeof(world->claims), "%s-claims",
		world->place.database);
	for (int i = 0; i < 2; i++)
		world->stores[i] = place_open(&world->place);
	at_claims_on_refused(note_refused);
	told = 0;
}

static void close_store(struct world *world, int which)
{
	at_store_close(world->stores[which]);
	world->stores[which] = NULL;
}

static void close_world(struct world *world)
{
	for (int i = 0; i < 2; i++)
		close_store(world, i);
	record_place_remove(&world->place);
}

#define TEST_HERE(name) TEST_ON(name, struct world, world, open_world, close_world)

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

TEST_HERE(one_of_two_has_a_key)
{
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

TEST_HERE(keys_of_all_bits_are_claimed)
{
	struct at_hash key = { .low = UINT64_MAX, .high = UINT64_MAX };

	assert_int_equal(at_store_claim(world->stores[0], key, NULL), AT_CLAIM_OURS);
	assert_int_equal(at_store_claim(world->stores[1], key, NULL), AT_CLAIM_THEIRS);
	/* the byte behind it says that the file is in use, and is not the key's */
	at_store_drop_claim(world->stores[0], key);
	assert_int_equal(at_store_claim(world->stores[1], key, NULL), AT_CLAIM_OURS);
}

/* A key has a range of its own by its last 30 bits. */
TEST_HERE(keys_with_one_range_wait_for_each_other)
{
	const uint64_t other = 1 | UINT64_C(1) << 30;

	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, other), AT_CLAIM_THEIRS);
	/* one run may have both, and loses both with the first: advice, as all claims
	 */
	assert_int_equal(claim(world, 0, other), AT_CLAIM_OURS);
	drop(world, 0, 1);
	assert_int_equal(claim(world, 1, other), AT_CLAIM_OURS);
	drop(world, 0, other);
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_THEIRS);
	drop(world, 1, other);
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
}

TEST_HERE(a_dropped_claim_is_free)
{
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

TEST_HERE(a_closed_store_has_no_claims)
{
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 2), AT_CLAIM_OURS);
	close_store(world, 0);
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_OURS);
}

/* A child that was forked has the descriptor as well, until it ends or becomes another
   program. */
TEST_HERE(a_child_keeps_no_claims)
{
	pid_t child;

	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 2), AT_CLAIM_OURS);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		/* also where this fails */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	close_store(world, 0);
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_OURS);
	close_store(world, 1);
	assert_false(has_file(world));
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Workers are other programs, and may live longer than the run. */
TEST_HERE(other_programs_do_not_have_the_file)
{
	char name[64], target[128];
	bool seen = false;
	ssize_t length;

	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	for (int file = 0; file < 256; file++) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", file);
		length = readlink(name, target, sizeof(target) - 1);
		target[length > 0 ? length : 0] = '\0';
		if (strcmp(target, world->claims) != 0)
			continue;
		seen = true;
		assert_true(fcntl(file, F_GETFD) & FD_CLOEXEC);
	}
	if (!seen)
		skip_because("/proc tells of no descriptors");
}

/* The file is there only while somebody may claim by it. */
TEST_HERE(the_last_who_claimed_removes_the_file)
{
	assert_false(has_file(world));
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 2), AT_CLAIM_OURS);
	assert_true(has_file(world));
	at_store_close(world->stores[0]);
	assert_true(has_file(world));
	/* who comes then meets those who are there */
	world->stores[0] = place_open(&world->place);
	assert_int_equal(claim(world, 0, 2), AT_CLAIM_THEIRS);
	for (int i = 0; i < 2; i++)
		close_store(world, i);
	assert_false(has_file(world));
}

/* A file of that name which somebody else made meanwhile is not ours to remove. */
TEST_HERE(another_file_of_that_name_stays)
{
	FILE *file;

	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(unlink(world->claims), 0);
	file = fopen(world->claims, "w");
	assert_non_null(file);
	assert_true(fputs("mine", file) >= 0 && fclose(file) == 0);
	close_store(world, 0);
	assert_true(has_file(world));
}

/* Whoever removes it only takes what is claimed at that moment. */
TEST_HERE(a_removed_file_is_made_anew)
{
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 2), AT_CLAIM_OURS);
	assert_int_equal(unlink(world->claims), 0);
	assert_int_equal(claim(world, 0, 3), AT_CLAIM_OURS);
	assert_true(has_file(world));
	assert_int_equal(claim(world, 1, 3), AT_CLAIM_THEIRS);
	assert_int_equal(claim(world, 1, 4), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 0, 4), AT_CLAIM_THEIRS);
}

/* The last user, who has locked it to remove it, may stand still just then. */
TEST_HERE(a_file_that_is_being_removed_is_tried_again)
{
	struct flock used = { .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_len = 1,
		.l_start = (off_t)1 << 62 };
	int last = open(world->claims, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_true(last >= 0);
	assert_int_equal(fcntl(last, F_OFD_SETLK, &used), 0);
	/* without a file everything is to be measured */
	for (int i = 0; i < 2; i++)
		assert_int_equal(claim(world, i, 1), AT_CLAIM_OURS);
	assert_int_equal(unlink(world->claims), 0);
	close(last);
	assert_int_equal(claim(world, 0, 2), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 1, 2), AT_CLAIM_THEIRS);
	assert_int_equal(told, 0);
}

/* Whoever may write to the record may claim. */
TEST_HERE(the_file_has_the_rights_of_the_record)
{
	const char *path = world->place.database;
	struct stat record, claims;

	if (geteuid() == 0)
		assert_int_equal(chown(path, 12345, 23456), 0);
	assert_int_equal(chmod(path, 0662), 0);
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(stat(path, &record), 0);
	assert_int_equal(stat(world->claims, &claims), 0);
	assert_int_equal(claims.st_mode & 07777, 0662);
	assert_int_equal(claims.st_uid, record.st_uid);
	assert_int_equal(claims.st_gid, record.st_gid);
}

/* What a stranger left in that place: it is neither followed nor waited for, and claims
   are not needed. */
TEST_HERE(a_link_or_a_pipe_in_its_place_is_left_alone)
{
	char target[128];

	snprintf(target, sizeof(target), "%s/elsewhere", world->place.folder);
	assert_int_equal(symlink(target, world->claims), 0);
	/* said once, however many keys there are */
	for (uint64_t key = 1; key <= 3; key++)
		assert_int_equal(claim(world, 0, key), AT_CLAIM_OURS);
	assert_int_equal(told, 1);
	assert_non_null(strstr(told_text, world->claims));
	assert_non_null(strstr(told_text, ": is a link, which is not followed: "));
	assert_int_equal(access(target, F_OK), -1);
	assert_int_equal(unlink(world->claims), 0);
	assert_int_equal(mkfifo(world->claims, 0600), 0);
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_OURS);
	assert_int_equal(told, 2);
	assert_non_null(strstr(told_text, ": is no file: "));
	drop(world, 1, 1);
	for (int i = 0; i < 2; i++)
		close_store(world, i);
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
		if (at_store_open(world->place.results, &store, &err) ||
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

TEST_HERE(claims_of_a_killed_process_are_free_at_once)
{
	int64_t owner = -1;
	pid_t child;
	int hold;

	child = claim_elsewhere(world, &hold);
	/* one that stands still has them all the same */
	assert_int_equal(kill(child, SIGSTOP), 0);
	assert_int_equal(
		at_store_claim(world->stores[0], key_of(1), &owner), AT_CLAIM_THEIRS);
	/* the place that numbers of processes belong to may not be known */
	assert_int_equal(
		owner, at_hash_equal(at_process_namespace(), (struct at_hash){ 0 })
			       ? 0
			       : (int64_t)child);
	assert_int_equal(claim(world, 0, 3), AT_CLAIM_OURS);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(hold);
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(claim(world, 0, 2), AT_CLAIM_OURS);
}

TEST_HERE(a_record_that_is_ours_alone_needs_no_claims)
{
	struct at_store *alone;

	assert_ok(at_store_open_memory("alone", &alone, &failure));
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	assert_int_equal(at_store_claim(alone, key_of(1), NULL), AT_CLAIM_OURS);
	at_store_drop_claim(alone, key_of(1));
	at_store_close(alone);
	assert_int_equal(claim(world, 1, 1), AT_CLAIM_THEIRS);
}

/* ---- with a record ------------------------------------------------------------ */

static void record(struct at_store *store, int64_t device_id, uint64_t key)
{
	struct at_evaluation evaluation =
		record_evaluation(device_id, key, (double)NAN);

	evaluation.key = key_of(key);
	if (at_store_add(store, &evaluation, NULL))
		_exit(2);
}

static int64_t put_device(struct at_store *store)
{
	struct at_record_device device =
		record_device("host", "A Processor", "a-processor", "x86_64", "", "");
	int64_t id = 0;

	assert_ok(at_store_put_device(store, &device, &id, &failure));
	return id;
}

#define KEYS 400

/* Measures all keys as a run does, in the same order as others, and puts off what they
   have. Does not return. */
static void measure_all(const char *folder, int64_t device_id)
{
	bool is_done[KEYS] = { false };
	struct at_store *store;

	if (at_store_open(folder, &store, NULL))
		_exit(1);
	for (uint64_t left = KEYS; left > 0;) {
		for (uint64_t key = 0; key < KEYS; key++) {
			struct at_evaluation evaluation;
			enum at_claim claim;
			bool found;

			if (is_done[key])
				continue;
			claim = at_store_claim(store, key_of(key), NULL);
			if (at_store_find(store, key_of(key), false, &evaluation,
				    &found, NULL))
				_exit(1);
			at_evaluation_release(&evaluation);
			if (!found && claim == AT_CLAIM_THEIRS)
				continue;
			if (!found)
				record(store, device_id, key);
			if (claim == AT_CLAIM_OURS)
				at_store_drop_claim(store, key_of(key));
			is_done[key] = true;
			left--;
		}
	}
	at_store_close(store);
	_exit(0);
}

TEST_HERE(three_processes_measure_everything_once)
{
	int64_t device_id = put_device(world->stores[0]);
	pid_t children[3];

	for (int i = 0; i < 3; i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (!children[i])
			measure_all(world->place.results, device_id);
	}
	for (int i = 0; i < 3; i++)
		assert_int_equal(exit_of(children[i]), 0);
	assert_int_equal(
		place_ask(&world->place, "SELECT count(*) FROM evaluations"), KEYS);
	assert_int_equal(
		place_ask(&world->place, "SELECT count(DISTINCT key) FROM evaluations"),
		KEYS);
	assert_false(has_file(world));
}

/* An older version claims by rows, and has a trigger of its connection remove them. */
TEST_HERE(rows_of_older_versions_do_no_harm)
{
	place_tell(&world->place,
		"INSERT INTO claims VALUES"
		" (x'00000000000000070000000000000001', 1, '5 5 5', 9999999999)");
	assert_int_equal(claim(world, 0, 1), AT_CLAIM_OURS);
	record(world->stores[0], put_device(world->stores[0]), 1);
	place_tell(&world->place, "DELETE FROM claims");
	assert_int_equal(
		place_ask(&world->place, "SELECT count(*) FROM evaluations"), 1);
}

RUN_SUITE(NULL, NULL)
