#include "device/host/pool.h"
#include "base/clock.h"
#include "device/host/fault.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/*
 * How long the owner looks for the end of a round before it sleeps, and a worker for
 * the next one: between the launches of a sample longer than the gap, or they would pay
 * for waking up. Of other launches nobody asks how long they take, and who looks takes
 * the core from somebody else: other workers, other programs.
 */
#define SPIN_NS 50000u
#define SPIN_UNTIMED_NS 2000u
/* Chunks that each worker finds on average: few, since all take them from one
   counter; enough that nobody is left with much when the others are done. */
#define CHUNKS_A_WORKER 16u
/* blocks of a chunk: of a large grid each chunk is still a small part */
#define CHUNK_LIMIT 256u

struct member {
	struct at_host_pool *pool;
	struct at_host_worker *worker;
	pthread_t thread;
	bool threaded; /* thread runs; never for the owner's */
};

/*
 * A round in one word, so that nobody joins another one than the one that he sees: its
 * number, whether it is open, and how many members are in it, the owner's not counted.
 */
#define ROUND_SHIFT 32
#define ROUND_OPEN (UINT64_C(1) << 31)
#define ROUND_MEMBERS (ROUND_OPEN - 1)

struct at_host_pool {
	unsigned member_count;
	struct member *members;
	pthread_mutex_t mutex;
	pthread_cond_t work; /* there is another round */
	pthread_cond_t done; /* of what the owner waits for, something has changed */
	struct at_host_launch *launch; /* of this round; NULL: only be awake */
	bool closing;
	atomic_bool is_timed;
	_Atomic uint64_t round;
	_Atomic uint64_t joined_count; /* members that have joined it */
};

static void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#else
	sched_yield();
#endif
}

/* Whether *value, masked, comes to be (or, else, not to be) `wanted` before it took too
   long. */
static bool spin(_Atomic uint64_t *value, uint64_t mask, uint64_t wanted, bool equal,
	uint64_t most_ns)
{
	uint64_t begin_ns = 0;

	for (unsigned i = 0;; i++) {
		if (((atomic_load_explicit(value, memory_order_acquire) & mask) ==
			    wanted) == equal)
			return true;
		pause_briefly();
		/* the clock costs more than a look */
		if (i % 64 == 0) {
			uint64_t now_ns = at_clock_now_ns();

			if (!begin_ns)
				begin_ns = now_ns;
			else if (now_ns - begin_ns > most_ns)
				return false;
		}
	}
}

/* The owner's: until *value, masked, is `wanted`. */
static void await(struct at_host_pool *self, _Atomic uint64_t *value, uint64_t mask,
	uint64_t wanted)
{
	if (spin(value, mask, wanted, true, SPIN_NS))
		return;
	pthread_mutex_lock(&self->mutex);
	while ((atomic_load(value) & mask) != wanted)
		pthread_cond_wait(&self->done, &self->mutex);
	pthread_mutex_unlock(&self->mutex);
}

static void await_all(struct at_host_pool *self)
{
	await(self, &self->joined_count, UINT64_MAX, self->member_count - 1);
}

/* Under the lock, or the owner could miss it before it sleeps. */
static void tell_owner(struct at_host_pool *self)
{
	pthread_mutex_lock(&self->mutex);
	pthread_cond_signal(&self->done);
	pthread_mutex_unlock(&self->mutex);
}

/* Joins the round that is open, or waits for one that is not `*seen`. */
static void join(struct at_host_pool *self, uint64_t *seen)
{
	const uint64_t number = ~((UINT64_C(1) << ROUND_SHIFT) - 1);
	uint64_t round;

	for (;;) {
		if (!spin(&self->round, number, *seen, false,
			    atomic_load(&self->is_timed) ? SPIN_NS : SPIN_UNTIMED_NS)) {
			pthread_mutex_lock(&self->mutex);
			while ((atomic_load(&self->round) & number) == *seen)
				pthread_cond_wait(&self->work, &self->mutex);
			pthread_mutex_unlock(&self->mutex);
		}
		round = atomic_load(&self->round);
		while ((round & ROUND_OPEN) &&
			!atomic_compare_exchange_weak(&self->round, &round, round + 1))
			;
		*seen = round & number;
		if (round & ROUND_OPEN)
			return;
	}
}

static void *run_member(void *argument)
{
	struct member *member = argument;
	struct at_host_pool *self = member->pool;
	uint64_t seen = 0;

	for (;;) {
		join(self, &seen);
		if (atomic_fetch_add(&self->joined_count, 1) + 2 == self->member_count)
			tell_owner(self);
		if (self->closing) {
			at_host_worker_leave(member->worker);
			return NULL;
		}
		if (self->launch)
			at_host_worker_run(member->worker, self->launch);
		if (((atomic_fetch_sub(&self->round, 1) - 1) &
			    (ROUND_OPEN | ROUND_MEMBERS)) == 0)
			tell_owner(self);
	}
}

/* Every member but the owner's may join. */
static void begin_round(struct at_host_pool *self, struct at_host_launch *launch)
{
	uint64_t number = (atomic_load(&self->round) >> ROUND_SHIFT) + 1;

	self->launch = launch;
	atomic_store(&self->joined_count, 0);
	pthread_mutex_lock(&self->mutex);
	atomic_store(&self->round, number << ROUND_SHIFT | ROUND_OPEN);
	pthread_cond_broadcast(&self->work);
	pthread_mutex_unlock(&self->mutex);
}

/* Who has not joined need not any more: of what he would find nothing is left. */
static void end_round(struct at_host_pool *self)
{
	atomic_fetch_and(&self->round, ~ROUND_OPEN);
	await(self, &self->round, ROUND_MEMBERS, 0);
}

void at_host_pool_wake(struct at_host_pool *self)
{
	if (self->member_count < 2)
		return;
	atomic_store(&self->is_timed, true);
	begin_round(self, NULL);
	await_all(self);
	end_round(self);
}

void at_host_pool_rest(struct at_host_pool *self)
{
	atomic_store(&self->is_timed, false);
}

void at_host_pool_run(struct at_host_pool *self, struct at_host_launch *launch)
{
	uint64_t chunk;

	launch->thread_count = launch->block.x * launch->block.y * launch->block.z;
	launch->block_count =
		(uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
	chunk = launch->block_count / (self->member_count * CHUNKS_A_WORKER);
	/* blocks in a row would be neighbours of an order, if only of a shuffled one */
	if (launch->seed)
		chunk = 1;
	launch->chunk = chunk < 1 ? 1 : chunk > CHUNK_LIMIT ? CHUNK_LIMIT : chunk;
	atomic_store(&launch->next_block, 0);
	atomic_store(&launch->stopped, false);
	launch->failure[0] = '\0';
	launch->outcome = AT_OUTCOME_OK;
	launch->fault_address = 0;
	if (launch->block_count == 1 || self->member_count < 2) {
		at_host_worker_run(self->members[0].worker, launch);
		return;
	}
	begin_round(self, launch);
	at_host_worker_run(self->members[0].worker, launch);
	/* shuffled blocks are to meet: the next launch begins with all of them awake */
	if (launch->seed)
		await_all(self);
	end_round(self);
}

enum at_status at_host_pool_open(
	unsigned worker_count, struct at_host_pool **out, struct at_error *err)
{
	struct at_host_pool *self = calloc(1, sizeof(*self));
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	status = at_host_faults_catch(err);
	if (status) {
		free(self);
		return status;
	}
	pthread_mutex_init(&self->mutex, NULL);
	pthread_cond_init(&self->work, NULL);
	pthread_cond_init(&self->done, NULL);
	self->members = calloc(worker_count, sizeof(*self->members));
	if (!self->members)
		status = at_fail_memory(err);
	for (unsigned i = 0; i < worker_count && !status; i++) {
		struct member *member = &self->members[i];
		int code;

		status = at_host_worker_open(worker_count, &member->worker, err);
		if (status)
			break;
		member->pool = self;
		self->member_count = i + 1;
		/* the first one works on the caller's own thread */
		if (i == 0)
			continue;
		code = pthread_create(&member->thread, NULL, run_member, member);
		member->threaded = !code;
		if (code)
			status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				"cannot start thread %u of %u for the device \"host\": %s; raise `ulimit -u`",
				i, worker_count, strerror(code));
	}
	if (status)
		at_host_pool_close(self);
	else
		*out = self;
	return status;
}

void at_host_pool_close(struct at_host_pool *self)
{
	if (!self)
		return;
	self->closing = true;
	begin_round(self, NULL);
	for (unsigned i = 0; i < self->member_count; i++) {
		if (self->members[i].threaded)
			pthread_join(self->members[i].thread, NULL);
		at_host_worker_close(self->members[i].worker);
	}
	free(self->members);
	at_host_faults_leave();
	pthread_cond_destroy(&self->done);
	pthread_cond_destroy(&self->work);
	pthread_mutex_destroy(&self->mutex);
	free(self);
}
