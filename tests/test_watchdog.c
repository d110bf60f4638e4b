/* Workers that will never answer are told apart from workers that are slow. */
#include "base/memory.h"
#include "evaluator/workers/watchdog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)

static const struct at_activity computes = { .is_told = true, .is_running = true };
static const struct at_activity stopped = {
	.is_told = true, .is_stopped = true, .ticks = 7
};
static const struct at_activity quiet = { .is_told = true, .ticks = 7 };
/* as a program that waits from its first instruction on */
static const struct at_activity unborn = { .is_told = true };

struct watched {
	struct at_watchdog watchdog;
	uint64_t now_ns;
};

static struct watched begin(double limit_seconds)
{
	struct watched self = { .now_ns = 100 * SECOND };

	self.watchdog.limit_seconds = limit_seconds;
	at_watchdog_begin(&self.watchdog, self.now_ns);
	return self;
}

/* the last verdict of checks that come in time, until there is one */
static enum at_watchdog_verdict check(
	struct watched *self, const struct at_activity *activity, unsigned seconds)
{
	enum at_watchdog_verdict verdict = AT_WATCHDOG_NONE;

	for (unsigned i = 0; i < seconds && !verdict; i += 2) {
		self->now_ns += 2 * SECOND;
		verdict = at_watchdog_check(&self->watchdog, activity, self->now_ns);
	}
	return verdict;
}

static void who_is_stopped_for_ten_seconds_is_given_up(void **state)
{
	struct watched self = begin(0);

	(void)state;
	assert_int_equal(check(&self, &stopped, 8), AT_WATCHDOG_NONE);
	assert_int_equal(check(&self, &stopped, 2), AT_WATCHDOG_STOPPED);
}

static void who_is_continued_begins_anew(void **state)
{
	struct watched self = begin(0);

	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(check(&self, &stopped, 8), AT_WATCHDOG_NONE);
		assert_int_equal(check(&self, &computes, 2), AT_WATCHDOG_NONE);
	}
}

static void who_has_a_limit_and_does_nothing_is_given_up(void **state)
{
	struct watched self = begin(30);

	(void)state;
	/* the first check learns what he had used */
	assert_int_equal(check(&self, &quiet, 30), AT_WATCHDOG_NONE);
	assert_int_equal(check(&self, &quiet, 2), AT_WATCHDOG_QUIET);
	self = begin(30);
	assert_int_equal(check(&self, &unborn, 28), AT_WATCHDOG_NONE);
	assert_int_equal(check(&self, &unborn, 2), AT_WATCHDOG_QUIET);
	self = begin(0);
	assert_int_equal(check(&self, &quiet, 3600), AT_WATCHDOG_NONE);
}

/* On a machine with much else to do it takes long, and is at work. */
static void who_waits_for_a_processor_is_at_work(void **state)
{
	struct watched self = begin(30);
	struct at_activity waits = { .is_told = true, .is_running = true, .ticks = 7 };

	(void)state;
	assert_int_equal(check(&self, &waits, 3600), AT_WATCHDOG_NONE);
	/* a check finds him asleep each time, but he has computed in between */
	for (unsigned i = 0; i < 1000; i++) {
		struct at_activity moment = { .is_told = true, .ticks = 7 + i };

		assert_int_equal(check(&self, &moment, 2), AT_WATCHDOG_NONE);
		assert_int_equal(check(&self, &moment, 26), AT_WATCHDOG_NONE);
	}
}

static void looks_that_come_late_say_nothing(void **state)
{
	struct watched self = begin(30);

	(void)state;
	for (int i = 0; i < 100; i++) {
		self.now_ns += 20 * SECOND;
		assert_int_equal(at_watchdog_check(&self.watchdog,
					 i % 2 ? &stopped : &quiet, self.now_ns),
			AT_WATCHDOG_NONE);
	}
}

/* On a busy machine one of a few looks is late: what was seen before counts. */
static void a_look_that_comes_late_takes_nothing_back(void **state)
{
	struct watched self = begin(30);

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(check(&self, &quiet, 10), AT_WATCHDOG_NONE);
		self.now_ns += 20 * SECOND;
		assert_int_equal(at_watchdog_check(&self.watchdog, &quiet, self.now_ns),
			AT_WATCHDOG_NONE);
	}
	assert_int_equal(check(&self, &quiet, 2), AT_WATCHDOG_QUIET);
	self = begin(0);
	assert_int_equal(check(&self, &stopped, 8), AT_WATCHDOG_NONE);
	self.now_ns += 20 * SECOND;
	assert_int_equal(at_watchdog_check(&self.watchdog, &stopped, self.now_ns),
		AT_WATCHDOG_NONE);
	assert_int_equal(check(&self, &stopped, 2), AT_WATCHDOG_STOPPED);
}

/* as where there is no /proc */
static void where_nothing_is_told_nobody_is_given_up(void **state)
{
	struct watched self = begin(30);
	const struct at_activity nothing = { 0 };

	(void)state;
	assert_int_equal(check(&self, &nothing, 3600), AT_WATCHDOG_NONE);
}

/* the seconds at which something is told, of so many with a check each second */
static size_t tell(
	struct at_watchdog *watchdog, unsigned seconds, double *told, size_t most)
{
	uint64_t begun_ns = watchdog->heard_ns;
	size_t count = 0;

	for (unsigned i = 1; i <= seconds; i++) {
		double silent = at_watchdog_silence(watchdog, begun_ns + i * SECOND);

		if (silent > 0) {
			assert_true(count < most);
			told[count++] = silent;
		}
	}
	return count;
}

static void a_silence_is_told_less_and_less_often(void **state)
{
	struct watched self = begin(0);
	double told[8];

	(void)state;
	assert_int_equal(tell(&self.watchdog, 9, told, 8), 0);
	assert_int_equal(tell(&self.watchdog, 600, told, 8), 5);
	for (size_t i = 0; i < 5; i++) {
		static const double seconds[] = { 10, 60, 120, 240, 480 };

		assert_true(told[i] > seconds[i] - 0.5 && told[i] < seconds[i] + 0.5);
	}
}

static void who_says_something_is_not_silent(void **state)
{
	struct watched self = begin(0);
	double told[8];

	(void)state;
	for (unsigned i = 0; i < 9; i++)
		assert_true(
			at_watchdog_silence(&self.watchdog, (100 + i) * SECOND) == 0);
	at_watchdog_begin(&self.watchdog, 109 * SECOND);
	assert_int_equal(tell(&self.watchdog, 9, told, 8), 0);
	assert_int_equal(tell(&self.watchdog, 10, told, 8), 1);
	/* checks, whatever they see, are no word of his */
	at_watchdog_begin(&self.watchdog, 100 * SECOND);
	self.now_ns = 100 * SECOND;
	assert_int_equal(check(&self, &computes, 30), AT_WATCHDOG_NONE);
	assert_int_equal(tell(&self.watchdog, 30, told, 8), 1);
}

/* A worker of which each check tells; it has so much processor, in hundredths. */
static bool is_starved(const struct at_activity *activity, unsigned seconds,
	unsigned share, uint64_t per_second)
{
	struct watched self = begin(0);
	struct at_activity now = *activity;

	now.ticks = 1000;
	for (unsigned i = 0; i < seconds; i += 2) {
		now.ticks += 2 * share;
		assert_int_equal(check(&self, &now, 2), AT_WATCHDOG_NONE);
	}
	return at_watchdog_is_starved(
		&self.watchdog, self.now_ns + SECOND, now.ticks + share, per_second);
}

static void who_waits_for_processors_is_starved(void **state)
{
	struct watched self = begin(0);

	(void)state;
	assert_true(is_starved(&computes, 30, 20, 100));
	assert_true(is_starved(&computes, 8, 49, 100));
	/* has half of a processor, or all; does not want one; was hardly looked at */
	assert_false(is_starved(&computes, 30, 51, 100));
	assert_false(is_starved(&computes, 30, 200, 100));
	assert_false(is_starved(&quiet, 30, 20, 100));
	assert_false(is_starved(&unborn, 30, 0, 100));
	assert_false(is_starved(&computes, 6, 20, 100));
	assert_false(is_starved(&computes, 30, 20, 0));
	/* one check of four may have met it between two pieces of work */
	for (unsigned i = 0; i < 8; i++)
		check(&self, i % 4 ? &computes : &unborn, 2);
	assert_true(at_watchdog_is_starved(&self.watchdog, self.now_ns, 0, 100));
	check(&self, &unborn, 2);
	assert_false(at_watchdog_is_starved(&self.watchdog, self.now_ns, 0, 100));
	/* a request or a message begins anew */
	at_watchdog_begin(&self.watchdog, self.now_ns);
	check(&self, &computes, 6);
	assert_false(at_watchdog_is_starved(&self.watchdog, self.now_ns, 0, 100));
	check(&self, &computes, 2);
	assert_true(at_watchdog_is_starved(&self.watchdog, self.now_ns, 0, 100));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_stopped_for_ten_seconds_is_given_up),
		cmocka_unit_test(who_waits_for_processors_is_starved),
		cmocka_unit_test(who_is_continued_begins_anew),
		cmocka_unit_test(who_has_a_limit_and_does_nothing_is_given_up),
		cmocka_unit_test(who_waits_for_a_processor_is_at_work),
		cmocka_unit_test(looks_that_come_late_say_nothing),
		cmocka_unit_test(a_look_that_comes_late_takes_nothing_back),
		cmocka_unit_test(where_nothing_is_told_nobody_is_given_up),
		cmocka_unit_test(a_silence_is_told_less_and_less_often),
		cmocka_unit_test(who_says_something_is_not_silent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
