/*
 * A worker for each core: threads that wait for launches, spinning first and then
 * asleep, each on its own core.
 */
/* affinity and sched_getcpu() are Linux's own */
#define _GNU_SOURCE
#include "device/host/pool.h"
#include "base/clock.h"
#include "base/memory.h"
#include "device/host/fault.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* How long a worker spins for work, or the owner for the end of a launch, before it
   sleeps: longer than the gap between two launches of a sample. */
#define SPIN_NS 50000u
/* The average number of chunks per worker: few, since all workers take them from one
   counter; enough that no worker has much left when the others are done. */
#define CHUNKS_A_WORKER 16u
/* the most blocks in a chunk, still a small part of a large grid */
#define CHUNK_LIMIT 256u

struct member {
	struct at_host_pool *pool;
	struct at_host_worker *worker;
	/* it has a running thread; never for the owner's member */
	bool threaded;
};

struct at_host_pool {
	unsigned member_count;
	struct member *members;
	pthread_t *threads; /* per member; the owner's is the first */
	int *cores; /* of each thread at its last wake-up */
	pthread_mutex_t mutex;
	pthread_cond_t work; /* round has changed */
	pthread_cond_t done; /* busy_count is 0 */
	struct at_host_launch *launch; /* of this round; NULL: members only wake up */
	bool closing;
	atomic_uint round;
	atomic_uint busy_count;
};

/* ---- cores ---------------------------------------------------------------------- */

static int core_of_caller(void)
{
	int core = sched_getcpu();

	return core >= 0 ? core : AT_CORE_STAYS;
}

/* Whether a thread runs on the core, or will move to it. */
static bool is_used(int core, const int *at, const int *to, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (at[i] == core || to[i] == core)
			return true;
	return false;
}

static bool shares(const int *at, unsigned which)
{
	for (unsigned i = 0; i < which; i++)
		if (at[i] == at[which] && at[i] != AT_CORE_STAYS)
			return true;
	return false;
}

void at_host_cores_spread(const int *at, unsigned count, const int *allowed,
	unsigned allowed_count, int *to)
{
	for (unsigned i = 0; i < count; i++)
		to[i] = AT_CORE_STAYS;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; shares(at, i) && k < allowed_count; k++)
			if (!is_used(allowed[k], at, to, count)) {
				to[i] = allowed[k];
				break;
			}
}

/* Pins the thread to the core, which moves it there, and then restores its affinity. */
static bool move(pthread_t thread, int core)
{
	cpu_set_t before, one;

	CPU_ZERO(&one);
	CPU_SET((size_t)core, &one);
	return !pthread_getaffinity_np(thread, sizeof(before), &before) &&
	       !pthread_setaffinity_np(thread, sizeof(one), &one) &&
	       !pthread_setaffinity_np(thread, sizeof(before), &before);
}

bool at_host_cores_move(const pthread_t *threads, const int *at, unsigned count)
{
	unsigned core_count = 0, sharing = 0;
	int *cores, *to;
	bool moved = false;
	cpu_set_t allowed;

	for (unsigned i = 0; i < count; i++)
		sharing += shares(at, i);
	if (!sharing)
		return false;
	cores = at_calloc(CPU_SETSIZE + (size_t)count, sizeof(*cores));
	to = cores + CPU_SETSIZE;
	/* best effort: threads that cannot be moved still run */
	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
		for (int core = 0; core < CPU_SETSIZE; core++)
			if (CPU_ISSET((size_t)core, &allowed))
				cores[core_count++] = core;
		at_host_cores_spread(at, count, cores, core_count, to);
		for (unsigned i = 0; i < count; i++)
			if (to[i] != AT_CORE_STAYS && move(threads[i], to[i]))
				moved = true;
	}
	free(cores);
	return moved;
}

/*
 * Makes the calls of at_host_cores_move() once, without moving the caller. Later calls
 * depend on where threads happen to run. If a seccomp filter kills their caller, the
 * process ends here, and not during the measurement of some configuration.
 */
static void try_to_move(void)
{
	cpu_set_t own;

	if (!pthread_getaffinity_np(pthread_self(), sizeof(own), &own))
		(void)!pthread_setaffinity_np(pthread_self(), sizeof(own), &own);
}

/* ---- rounds --------------------------------------------------------------------- */

static void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#else
	sched_yield();
#endif
}

/* Polls *value until it equals `seen` (or, with equal false, differs from it). False: a
   timeout. */
static bool spin(atomic_uint *value, unsigned seen, bool equal)
{
	uint64_t end_ns = 0;

	for (unsigned i = 0;; i++) {
		if ((atomic_load_explicit(value, memory_order_acquire) == seen) ==
			equal)
			return true;
		pause_briefly();
		/* reading the clock costs more than a poll */
		if (i % 64 == 0) {
			uint64_t now_ns = at_clock_now_ns();

			if (!end_ns)
				end_ns = now_ns + SPIN_NS;
			else if (now_ns > end_ns)
				return false;
		}
	}
}

static void await_members(struct at_host_pool *self)
{
	if (spin(&self->busy_count, 0, true))
		return;
	pthread_mutex_lock(&self->mutex);
	while (atomic_load(&self->busy_count) != 0)
		pthread_cond_wait(&self->done, &self->mutex);
	pthread_mutex_unlock(&self->mutex);
}

/* Blocks are spread evenly, so the longest time of a worker equals the time of the
   launch on an idle machine, even if one worker did all the work. */
static void run_blocks(struct member *member, struct at_host_launch *launch)
{
	uint64_t start_ns = launch->is_counted ? at_clock_thread_ns() : 0;
	uint_fast64_t most, worked_ns;

	at_host_worker_run(member->worker, launch);
	if (!launch->is_counted)
		return;
	worked_ns = at_clock_thread_ns() - start_ns;
	most = atomic_load(&launch->worked_ns);
	while (worked_ns > most &&
		!atomic_compare_exchange_weak(&launch->worked_ns, &most, worked_ns))
		;
}

static void *run_member(void *argument)
{
	struct member *member = argument;
	struct at_host_pool *self = member->pool;
	unsigned seen = 0;

	for (;;) {
		if (!spin(&self->round, seen, false)) {
			pthread_mutex_lock(&self->mutex);
			while (atomic_load(&self->round) == seen)
				pthread_cond_wait(&self->work, &self->mutex);
			pthread_mutex_unlock(&self->mutex);
		}
		seen++;
		if (self->closing) {
			at_host_worker_leave(member->worker);
			return NULL;
		}
		if (self->launch)
			run_blocks(member, self->launch);
		else
			self->cores[member - self->members] = core_of_caller();
		if (atomic_fetch_sub(&self->busy_count, 1) == 1) {
			/* under the lock: otherwise the owner could miss it just before
			   it sleeps */
			pthread_mutex_lock(&self->mutex);
			pthread_cond_signal(&self->done);
			pthread_mutex_unlock(&self->mutex);
		}
	}
}

/* Starts one round for every member except the owner's. */
static void begin_round(struct at_host_pool *self, struct at_host_launch *launch)
{
	self->launch = launch;
	atomic_store(&self->busy_count, self->member_count - 1);
	pthread_mutex_lock(&self->mutex);
	atomic_fetch_add(&self->round, 1);
	pthread_cond_broadcast(&self->work);
	pthread_mutex_unlock(&self->mutex);
}

/* Wakes all members; each records its core. */
static void wake_once(struct at_host_pool *self)
{
	self->threads[0] = pthread_self();
	self->cores[0] = core_of_caller();
	begin_round(self, NULL);
	await_members(self);
}

void at_host_pool_wake(struct at_host_pool *self)
{
	if (self->member_count < 2)
		return;
	wake_once(self);
	if (at_host_cores_move(self->threads, self->cores, self->member_count))
		wake_once(self);
}

void at_host_pool_run(struct at_host_pool *self, struct at_host_launch *launch)
{
	uint64_t chunk;

	launch->thread_count = launch->block.x * launch->block.y * launch->block.z;
	launch->block_count =
		(uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
	chunk = launch->block_count / (self->member_count * CHUNKS_A_WORKER);
	/* Consecutive blocks of a chunk would run in order on one worker, which a
	   shuffled launch must not guarantee. */
	if (launch->seed || launch->is_cooperative)
		chunk = 1;
	launch->chunk = chunk < 1 ? 1 : chunk > CHUNK_LIMIT ? CHUNK_LIMIT : chunk;
	launch->worker_count = self->member_count;
	atomic_store(&launch->next_block, 0);
	atomic_store(&launch->worked_ns, 0);
	atomic_store(&launch->ended_blocks, 0);
	atomic_store(&launch->lingering, 0);
	atomic_store(&launch->met_blocks, 0);
	atomic_store(&launch->stopped, false);
	launch->failure[0] = '\0';
	launch->outcome = AT_OUTCOME_OK;
	launch->fault_address = 0;
	if (launch->block_count == 1 || self->member_count < 2) {
		run_blocks(&self->members[0], launch);
		return;
	}
	begin_round(self, launch);
	run_blocks(&self->members[0], launch);
	await_members(self);
}

enum at_status at_host_pool_open(
	unsigned worker_count, struct at_host_pool **out, struct at_error *err)
{
	struct at_host_pool *self = at_calloc(1, sizeof(*self));
	enum at_status status = at_host_faults_catch(err);

	if (status) {
		free(self);
		return status;
	}
	pthread_mutex_init(&self->mutex, NULL);
	pthread_cond_init(&self->work, NULL);
	pthread_cond_init(&self->done, NULL);
	self->members = at_calloc(worker_count, sizeof(*self->members));
	self->threads = at_calloc(worker_count, sizeof(*self->threads));
	self->cores = at_calloc(worker_count, sizeof(*self->cores));
	for (unsigned i = 0; i < worker_count && !status; i++) {
		struct member *member = &self->members[i];
		int code;

		status = at_host_worker_open(worker_count, &member->worker, err);
		if (status)
			break;
		member->pool = self;
		self->member_count = i + 1;
		/* the first member works on the caller's own thread */
		if (i == 0)
			continue;
		code = pthread_create(&self->threads[i], NULL, run_member, member);
		member->threaded = !code;
		if (code)
			status = at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				"cannot start thread %u of %u for the device \"host\": %s; raise `ulimit -u`",
				i, worker_count, strerror(code));
	}
	if (!status && worker_count > 1)
		try_to_move();
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
			pthread_join(self->threads[i], NULL);
		at_host_worker_close(self->members[i].worker);
	}
	free(self->members);
	free(self->threads);
	free(self->cores);
	at_host_faults_leave();
	pthread_cond_destroy(&self->done);
	pthread_cond_destroy(&self->work);
	pthread_mutex_destroy(&self->mutex);
	free(self);
}
