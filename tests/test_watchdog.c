/* Workers that will never answer are told apart from workers that are slow. */
#include "base/memory.h"
#include "evaluator/workers/watchdog.h"

#include "suite.h"

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

	const uint64_t end_ns = self->now_ns + seconds * SECOND;

	while (self->now_ns < end_ns && !verdict) {
		self->now_ns += AT_WATCHDOG_NS;
		verdict = at_watchdog_check(&self->watchdog, activity, self->now_ns);
	}
	return verdict;
}

/* one check that comes 18 seconds late */
#define LATE 0
#define NONE AT_WATCHDOG_NONE

/* What is seen one after the other: for so many seconds, and the verdict at their end.
 */
TEST(what_is_seen_decides_who_is_given_up)
{
	static const struct at_activity waits = {
		.is_told = true, .is_running = true, .ticks = 7
	};
	/* as where there is no /proc */
	static const struct at_activity nothing = { 0 };
	static const struct {
		double limit_seconds;
		struct {
			const struct at_activity *activity;
			unsigned seconds;
			enum at_watchdog_verdict verdict;
		} looks[8];
	} rows[] = {
		{ 0, { { &stopped, 8, NONE }, { &stopped, 2, AT_WATCHDOG_STOPPED } } },
		/* who is continued begins anew */
		{ 0, { { &stopped, 8, NONE }, { &computes, 2, NONE },
			     { &stopped, 8, NONE }, { &computes, 2, NONE },
			     { &stopped, 8, NONE } } },
		/* the first check learns what he had used */
		{ 30, { { &quiet, 30, NONE }, { &quiet, 2, AT_WATCHDOG_QUIET } } },
		{ 30, { { &unborn, 28, NONE }, { &unborn, 2, AT_WATCHDOG_QUIET } } },
		{ 0, { { &quiet, 3600, NONE } } },
		/* on a machine with much else to do it takes long, and is at work */
		{ 30, { { &waits, 3600, NONE } } },
		{ 30, { { &nothing, 3600, NONE } } },
		/* looks that come late say nothing, and take nothing back */
		{ 30, { { &stopped, LATE, NONE }, { &quiet, LATE, NONE },
			      { &stopped, LATE, NONE }, { &quiet, LATE, NONE },
			      { &stopped, LATE, NONE }, { &quiet, LATE, NONE } } },
		{ 30, { { &quiet, 10, NONE }, { &quiet, LATE, NONE },
			      { &quiet, 10, NONE }, { &quiet, LATE, NONE },
			      { &quiet, 10, NONE }, { &quiet, LATE, NONE },
			      { &quiet, 2, AT_WATCHDOG_QUIET } } },
		{ 0, { { &stopped, 8, NONE }, { &stopped, LATE, NONE },
			     { &stopped, 2, AT_WATCHDOG_STOPPED } } },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct watched self = begin(rows[i].limit_seconds);

		for (size_t k = 0; k < 8 && rows[i].looks[k].activity; k++) {
			const unsigned seconds = rows[i].looks[k].seconds;

			self.now_ns += seconds == LATE ? 18 * SECOND : 0;
			assert_int_equal(
				seconds == LATE
					? at_watchdog_check(&self.watchdog,
						  rows[i].looks[k].activity,
						  self.now_ns)
					: check(&self, rows[i].looks[k].activity,
						  seconds),
				rows[i].looks[k].verdict);
		}
	}
}

/* a check finds him asleep each time, but he has computed in between */
TEST(who_computes_between_two_checks_is_at_work)
{
	struct watched self = begin(30);

	for (unsigned i = 0; i < 1000; i++) {
		struct at_activity moment = { .is_told = true, .ticks = 7 + i };

		assert_int_equal(check(&self, &moment, 28), AT_WATCHDOG_NONE);
	}
}

/* the seconds with a report, of so many with a check each second */
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

TEST(a_silence_is_told_less_and_less_often)
{
	struct watched self = begin(0);
	double told[8];

	assert_int_equal(tell(&self.watchdog, 9, told, 8), 0);
	assert_int_equal(tell(&self.watchdog, 600, told, 8), 5);
	for (size_t i = 0; i < 5; i++) {
		static const double seconds[] = { 10, 60, 120, 240, 480 };

		assert_true(told[i] > seconds[i] - 0.5 && told[i] < seconds[i] + 0.5);
	}
}

TEST(who_says_something_is_not_silent)
{
	struct watched self = begin(0);
	double told[8];

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
static bool is_starved(const struct at_activity *activity, unsigned checks,
	unsigned share, uint64_t per_second)
{
	struct watched self = begin(0);
	struct at_activity now = *activity;

	now.ticks = 1000;
	for (unsigned i = 1; i <= checks; i++) {
		self.now_ns += AT_WATCHDOG_NS;
		now.ticks = 1000 + share * i * AT_WATCHDOG_NS / SECOND;
		assert_int_equal(at_watchdog_check(&self.watchdog, &now, self.now_ns),
			AT_WATCHDOG_NONE);
	}
	return at_watchdog_is_starved(
		&self.watchdog, self.now_ns + SECOND, now.ticks + share, per_second);
}

TEST(who_waits_for_processors_is_starved)
{
	struct watched self = begin(0);

	assert_true(is_starved(&computes, 120, 20, 100));
	assert_true(is_starved(&computes, 4, 45, 100));
	/* has half of a processor, or all; does not want one; was hardly looked at */
	assert_false(is_starved(&computes, 120, 51, 100));
	assert_false(is_starved(&computes, 120, 200, 100));
	assert_false(is_starved(&quiet, 120, 20, 100));
	assert_false(is_starved(&unborn, 120, 0, 100));
	assert_false(is_starved(&computes, 3, 20, 100));
	assert_false(is_starved(&computes, 120, 20, 0));
	/* one check of four may have met it between two pieces of work */
	for (unsigned i = 0; i < 8; i++)
		check(&self, i % 4 ? &computes : &unborn, 2);
	assert_true(at_watchdog_is_starved(&self.watchdog, self.now_ns, 0, 100));
	check(&self, &unborn, 2);
	assert_false(at_watchdog_is_starved(&self.watchdog, self.now_ns, 0, 100));
	/* a request or a message begins anew */
	at_watchdog_begin(&self.watchdog, self.now_ns);
	for (unsigned i = 0; i < 3; i++)
		at_watchdog_check(
			&self.watchdog, &computes, self.now_ns += AT_WATCHDOG_NS);
	assert_false(at_watchdog_is_starved(&self.watchdog, self.now_ns, 0, 100));
	check(&self, &computes, 1);
	assert_true(at_watchdog_is_starved(&self.watchdog, self.now_ns, 0, 100));
}

RUN_SUITE(NULL, NULL)
