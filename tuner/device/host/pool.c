/*
 * A worker for each core: threads that wait for launches, spinning first and then
 * asleep.
 */
#include "device/host/pool.h"
#include "base/clock.h"
#include "base/memory.h"
#include "device/host/cores.h"
#include "device/host/fault.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/*
 * How long a worker looks for work, or the owner for the end of a launch, before it
 * sleeps: longer than the gap between two launches of a sample.
 */
#define SPIN_NS 50000u
/*
 * How many chunks each worker takes on average: few, since all workers take them from
 * one counter; enough that no worker has much left when the others are done.
 */
#define CHUNKS_A_WORKER 16u
/* most blocks in a chunk; in a large grid that is still a small part */
#define CHUNK_LIMIT 256u

struct member {
	struct at_host_pool *pool;
	struct at_host_worker *worker;
	/* it has a thread, which was started; never for the owner's member */
	bool threaded;
};

struct at_host_pool {
	unsigned member_count;
	struct member *members;
	pthread_t *threads; /* of each member; the owner's is the first */
	int *cores; /* on which each thread was when it woke last */
	pthread_mutex_t mutex;
	pthread_cond_t work; /* round has changed */
	pthread_cond_t done; /* busy_count is 0 */
	struct at_host_launch *launch; /* of this round; NULL: members only wake up */
	bool closing;
	atomic_uint round;
	atomic_uint busy_count;
};

static void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#else
	sched_yield();
#endif
}

/*
 * Looks at *value until it equals `seen` (or, with equal false, differs from it). False
 * when that took too long.
 */
static bool spin(atomic_uint *value, unsigned seen, bool equal)
{
	uint64_t end_ns = 0;

	for (unsigned i = 0;; i++) {
		if ((atomic_load_explicit(value, memory_order_acquire) == seen) ==
			equal)
			return true;
		pause_briefly();
		/* reading the clock costs more than a look */
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

/*
 * Blocks are spread evenly, so the worker that worked longest took as long as the
 * launch takes on an idle machine, also where one worker had all the work.
 */
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
			self->cores[member - self->members] = at_host_core_of_caller();
		if (atomic_fetch_sub(&self->busy_count, 1) == 1) {
			/* under the lock: the owner could otherwise miss it just before
			   it sleeps */
			pthread_mutex_lock(&self->mutex);
			pthread_cond_signal(&self->done);
			pthread_mutex_unlock(&self->mutex);
		}
	}
}

/* Lets every member except the owner's go through one round. */
static void begin_round(struct at_host_pool *self, struct at_host_launch *launch)
{
	self->launch = launch;
	atomic_store(&self->busy_count, self->member_count - 1);
	pthread_mutex_lock(&self->mutex);
	atomic_fetch_add(&self->round, 1);
	pthread_cond_broadcast(&self->work);
	pthread_mutex_unlock(&self->mutex);
}

/* Wakes all members; each notes the core on which it runs. */
static void wake_once(struct at_host_pool *self)
{
	self->threads[0] = pthread_self();
	self->cores[0] = at_host_core_of_caller();
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
	/* Consecutive blocks of a chunk would run one after the other on one worker,
	   which a shuffled launch must not guarantee. */
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
		at_host_cores_try();
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
