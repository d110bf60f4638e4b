/*
 * A record that another process has locked, and file systems without locks. The other
 * process is real; the file system is simulated by fcntl() and statfs() defined here,
 * which precede the C library's, also for SQLite. Time is simulated too and passes only
 * during sleeps, so a busy machine makes no wait longer.
 */
#define _GNU_SOURCE
#include "record_fixture.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "record/sqlite.h"
#include "record/store.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the clock ------------------------------------------------------------------ */

static uint64_t clock_ns = UINT64_C(1000000000);

uint64_t __wrap_at_clock_now_ns(void);
uint64_t __wrap_at_clock_now_ns(void)
{
	return clock_ns;
}

int nanosleep(const struct timespec *pause, struct timespec *left)
{
	clock_ns += (uint64_t)pause->tv_sec * 1000000000 + (uint64_t)pause->tv_nsec;
	return 0;
}

/* ---- the file system ------------------------------------------------------------ */

static int lock_error; /* what taking a lock gives; 0: it works */
static unsigned asked_for_locks;
static long fs_type; /* what statfs() says; 0: the truth */

static int call_fcntl(const char *name, int file, int command, void *argument)
{
	int (*real)(int, int, ...);

	*(void **)&real = dlsym(RTLD_NEXT, name);
	if (lock_error &&
		(command == F_SETLK || command == F_SETLKW || command == F_GETLK)) {
		asked_for_locks++;
		errno = lock_error;
		return -1;
	}
	return real(file, command, argument);
}

int fcntl(int file, int command, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, command);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return call_fcntl("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, command);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return call_fcntl("fcntl64", file, command, argument);
}

int statfs(const char *path, struct statfs *out)
{
	int (*real)(const char *, struct statfs *);
	int result;

	*(void **)&real = dlsym(RTLD_NEXT, "statfs");
	result = real(path, out);
	if (fs_type)
		out->f_type = fs_type;
	return result;
}

/* ---- the place ------------------------------------------------------------------ */

static char told[512];
static unsigned told_count;

static void make_place(struct record_place *place)
{
	record_place_make(place);
	told_count = 0;
}

static void remove_place(struct record_place *place)
{
	lock_error = 0;
	fs_type = 0;
	at_store_be_patient(NULL);
	at_interrupt_forget();
	record_place_remove(place);
}

#define TEST_HERE(name) \
	TEST_ON(name, struct record_place, place, make_place, remove_place)

/* Another process that writes until it is killed. */
static pid_t lock_elsewhere(const struct record_place *place)
{
	int said[2];
	char word;
	pid_t child;

	assert_int_equal(pipe(said), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct at_error err = { 0 };
		struct at_sqlite *database;

		if (at_sqlite_open(place->database, &database, &err) ||
			at_sqlite_begin(database, &err) || write(said[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(said[1]);
	assert_int_equal(read(said[0], &word, 1), 1);
	close(said[0]);
	return child;
}

static void end_child(pid_t child)
{
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void hear(void *context, const char *text)
{
	(void)context;
	told_count++;
	snprintf(told, sizeof(told), "%s", text);
}

static enum at_status write_something(struct at_store *store, struct at_error *err)
{
	struct at_record_device device =
		record_device("host", "A Processor", "a-processor", "x86_64", "", "");
	int64_t id;

	return at_store_put_device(store, &device, &id, err);
}

/* ---- locked --------------------------------------------------------------------- */

TEST_HERE(a_locked_record_is_waited_for_as_long_as_was_asked)
{
	const struct at_patience patience = { 0.3, hear, NULL };
	OWNED(at_store_close) struct at_store *store = place_open(place);
	struct at_error err = { 0 };
	uint64_t begun_ns;
	const char *text = "another process kept the record locked for 3";
	pid_t child = lock_elsewhere(place);

	at_store_be_patient(&patience);
	begun_ns = at_clock_now_ns();
	assert_int_equal(write_something(store, &err), AT_EIO);
	assert_true(at_clock_now_ns() - begun_ns >= 300000000);
	assert_string_equal(err.file, place->database);
	assert_memory_equal(err.text, text, strlen(text));
	assert_non_null(
		strstr(err.text, ": let it end and run the same command again"));
	/* so short a wait is no news */
	assert_int_equal(told_count, 0);
	end_child(child);
	memset(&err, 0, sizeof(err));
	assert_ok(write_something(store, &failure));
}

TEST_HERE(a_long_wait_is_told_once)
{
	const struct at_patience patience = { 2.2, hear, NULL };
	OWNED(at_store_close) struct at_store *store = place_open(place);
	struct at_error err = { 0 };
	pid_t child = lock_elsewhere(place);
	char text[256];

	at_store_be_patient(&patience);
	assert_int_equal(write_something(store, &err), AT_EIO);
	assert_int_equal(told_count, 1);
	snprintf(text, sizeof(text),
		"waiting for %s: another process has had it locked for 2 s",
		place->database);
	assert_string_equal(told, text);
	end_child(child);
}

TEST_HERE(who_is_asked_to_end_waits_no_longer)
{
	const struct at_patience patience = { 60, hear, NULL };
	OWNED(at_store_close) struct at_store *store = place_open(place);
	struct at_error err = { 0 };
	uint64_t begun_ns;
	pid_t child = lock_elsewhere(place);

	at_store_be_patient(&patience);
	at_interrupt_note();
	begun_ns = at_clock_now_ns();
	/* sources, winner, end: all of them within a second */
	for (int i = 0; i < 4; i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(write_something(store, &err), AT_EINTERRUPTED);
	}
	assert_true(at_clock_now_ns() - begun_ns < 1000000000);
	assert_non_null(strstr(
		err.text, " has the record locked: what came last is not recorded"));
	end_child(child);
	/* what is not locked is written all the same */
	memset(&err, 0, sizeof(err));
	assert_ok(write_something(store, &failure));
}

/* ---- no locks ------------------------------------------------------------------- */

TEST_HERE(a_file_system_without_locks_is_named_at_once)
{
	static const int codes[] = { ENOLCK, ENOSYS, EOPNOTSUPP };
	struct at_error err;
	struct at_store *store;

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		uint64_t begun_ns = at_clock_now_ns();
		char text[256];

		memset(&err, 0, sizeof(err));
		lock_error = codes[i];
		asked_for_locks = 0;
		assert_int_equal(at_store_open(place->results, &store, &err), AT_EIO);
		lock_error = 0;
		assert_true(asked_for_locks > 0);
		assert_true(at_clock_now_ns() - begun_ns < 1000000000);
		assert_string_equal(err.file, place->database);
		snprintf(text, sizeof(text),
			"its file system has no locks (%s), without which runs would damage the record: choose a place on a local disk with --results DIR",
			strerror(codes[i]));
		assert_string_equal(err.text, text);
	}
	at_store_close(place_open(place));
}

static int64_t is_log(const struct record_place *place)
{
	return place_ask(place, "SELECT journal_mode = 'wal' FROM pragma_journal_mode");
}

/* The log's index would be memory that two machines cannot share. */
TEST_HERE(where_other_machines_may_be_there_is_no_log)
{
	static const long types[] = { 0x6969, (long)0xff534d42, 0x65735546 };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct at_store *stores[2];

		at_store_close(place_open(place));
		assert_int_equal(is_log(place), 1);
		fs_type = types[i];
		for (int k = 0; k < 2; k++)
			stores[k] = place_open(place);
		assert_int_equal(is_log(place), 0);
		for (int k = 0; k < 2; k++) {
			assert_ok(write_something(stores[k], &failure));
			at_store_close(stores[k]);
		}
		fs_type = 0;
	}
	/* ext4, tmpfs, overlayfs */
	fs_type = 0xef53;
	at_store_close(place_open(place));
	assert_int_equal(is_log(place), 1);
}

RUN_SUITE(NULL, NULL)
