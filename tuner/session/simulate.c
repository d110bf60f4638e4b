/* Compares strategies on recordings (simulate.h): starts each run in a process of its
   own and receives what it sends back through a pipe. simulate_run.c is what the
   process does. */
#include "session/simulate.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quota.h"
#include "base/random.h"
#include "evaluator/replay/replay.h"
#include "session/simulate_parts.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a run sends before its steps, as bytes: the same program on the same machine
   reads it. */
struct message {
	size_t count;
	bool is_stopped;
	double strategy_seconds;
	char failure[256];
};

/* A run's process, as the parent sees it. */
struct child {
	pid_t pid; /* 0: no process */
	int pipe;
	struct at_simulate_run *run;
	struct at_strbuf received;
};

/* What a run is to do. */
struct job {
	const struct at_simulate_bed *bed;
	const char *strategy;
	const struct at_simulate_options *options;
	uint64_t seed;
};

/* The child process: runs the job, sends the result and exits. */
static _Noreturn void run_child(const struct job *job, pid_t parent, int pipe)
{
	struct at_simulate_run run;
	struct message message = { 0 };
	struct at_error err = { 0 };
	bool is_sent;

	/* ends the child with its parent: a strategy may never end by itself */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* the parent may have ended before that took effect */
	if (getppid() != parent)
		_exit(1);
	if (at_simulate_search(
		    job->bed, job->strategy, job->options, job->seed, &run, &err))
		snprintf(message.failure, sizeof(message.failure), "%.250s", err.text);
	message.count = run.count;
	message.is_stopped = run.is_stopped;
	message.strategy_seconds = run.strategy_seconds;
	is_sent = at_write_all(pipe, &message, sizeof(message)) &&
		  at_write_all(pipe, run.steps, run.count * sizeof(*run.steps));
	/* _exit(), so that output buffered by the parent is not written a second
	   time */
	_exit(is_sent ? 0 : 1);
}

static enum at_status begin_child(struct child *child, const struct job *job,
	struct at_simulate_run *run, struct at_error *err)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe(ends))
		return at_fail(err, AT_EIO, NULL, 0, "cannot make a pipe: %s",
			strerror(errno));
	child->pid = fork();
	if (child->pid < 0) {
		int code = errno;

		child->pid = 0;
		close(ends[0]);
		close(ends[1]);
		return at_fail(err, AT_EIO, NULL, 0, "cannot start a process: %s",
			strerror(code));
	}
	if (child->pid == 0) {
		close(ends[0]);
		run_child(job, parent, ends[1]);
	}
	close(ends[1]);
	child->pipe = ends[0];
	child->run = run;
	at_strbuf_clear(&child->received);
	return AT_OK;
}

/* The child's pipe has ended: makes a run of what it sent. A child that died gives a
   run with a failure, which is no error here. */
static void end_child(struct child *child)
{
	struct at_simulate_run *run = child->run;
	const struct at_strbuf *received = &child->received;
	struct message message = { 0 };
	size_t bytes;
	int ending = 0;

	close(child->pipe);
	while (waitpid(child->pid, &ending, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
	if (received->length >= sizeof(message))
		memcpy(&message, received->data, sizeof(message));
	bytes = message.count * sizeof(*run->steps);
	if (WIFSIGNALED(ending) || received->length != sizeof(message) + bytes) {
		snprintf(run->failure, sizeof(run->failure),
			WIFSIGNALED(ending) ? "died of signal %d"
					    : "ended with exit status %d",
			WIFSIGNALED(ending) ? WTERMSIG(ending) : WEXITSTATUS(ending));
		return;
	}
	run->steps = at_malloc(bytes + 1);
	memcpy(run->steps, received->data + sizeof(message), bytes);
	run->count = message.count;
	run->is_stopped = message.is_stopped;
	run->strategy_seconds = message.strategy_seconds;
	memcpy(run->failure, message.failure, sizeof(run->failure));
}

/* Receives from all children until one of them has ended. */
static enum at_status wait_for_one(struct child *children, struct pollfd *polls,
	size_t count, struct at_error *err)
{
	for (;;) {
		for (size_t i = 0; i < count; i++)
			/* poll() skips negative descriptors */
			polls[i] = (struct pollfd){
				.fd = children[i].pid ? children[i].pipe : -1,
				.events = POLLIN,
			};
		if (poll(polls, count, -1) < 0 && errno != EINTR)
			return at_fail(err, AT_EIO, NULL, 0, "cannot wait: %s",
				strerror(errno));
		for (size_t i = 0; i < count; i++) {
			char buffer[65536];
			ssize_t got;

			if (polls[i].fd < 0 || !polls[i].revents)
				continue;
			got = read(polls[i].fd, buffer, sizeof(buffer));
			if (got < 0 && errno == EINTR)
				continue;
			if (got <= 0) {
				end_child(&children[i]);
				return AT_OK;
			}
			at_strbuf_add_bytes(&children[i].received, buffer, (size_t)got);
		}
	}
}

/*
 * The seed of a run. It is the same for all strategies, so that they begin alike and
 * their difference is less noisy. It differs from recording to recording, since runs on
 * spaces of the same shape would otherwise go the same way. It does not depend on the
 * order of the command line.
 */
static uint64_t seed_of(
	const struct at_recording *recording, uint64_t seed, size_t repeat)
{
	struct at_random random;
	struct {
		struct at_hash kernel, device;
		uint64_t count, seed, repeat;
	} parts = {
		at_hash_bytes(recording->kernel, strlen(recording->kernel)),
		at_hash_bytes(recording->device, strlen(recording->device)),
		recording->count,
		seed,
		repeat,
	};

	at_random_init(&random, at_hash_bytes(&parts, sizeof(parts)).low);
	return at_random_next(&random);
}

/* Runs everything, with as many processes at once as there are usable cores. */
static enum at_status run_all(struct at_simulation *self,
	const struct at_simulate_bed *beds, const struct at_simulate_options *options,
	struct at_error *err)
{
	size_t child_count = at_quota_usable_cores();
	size_t total = self->recording_count * self->strategy_count * self->repeats;
	size_t begun = 0, ended = 0;
	struct child *children;
	struct pollfd *polls;
	enum at_status status = AT_OK;

	child_count = child_count < total ? child_count : total;
	children = at_calloc(child_count, sizeof(*children));
	polls = at_calloc(child_count, sizeof(*polls));
	while (ended < total && !status) {
		for (size_t i = 0; i < child_count && begun < total && !status; i++) {
			struct at_simulate_cell *cell =
				&self->cells[begun / self->repeats];
			size_t repeat = begun % self->repeats;
			struct job job = {
				.bed = &beds[cell->recording],
				.strategy = options->strategies[cell->strategy],
				.options = options,
				.seed = seed_of(beds[cell->recording].recording,
					options->seed, repeat),
			};

			if (children[i].pid)
				continue;
			status = begin_child(
				&children[i], &job, &cell->runs[repeat], err);
			begun++;
		}
		if (!status)
			status = wait_for_one(children, polls, child_count, err);
		ended++;
		if (!status && options->progress)
			options->progress(options->context, ended, total);
	}
	for (size_t i = 0; children && i < child_count; i++) {
		if (children[i].pid) {
			kill(children[i].pid, SIGKILL);
			waitpid(children[i].pid, NULL, 0);
			close(children[i].pipe);
		}
		at_strbuf_release(&children[i].received);
	}
	free(children);
	free(polls);
	return status;
}

static enum at_status init_score(struct at_score_space *score,
	const struct at_recording *recording, size_t horizon, struct at_error *err)
{
	double *costs = at_calloc(recording->count, sizeof(*costs));
	enum at_status status;

	for (size_t i = 0; i < recording->count; i++)
		costs[i] = recording->results[i].outcome == AT_OUTCOME_OK
				   ? recording->results[i].time_ns
				   : (double)INFINITY;
	status = at_score_space_init(score, costs, recording->count, horizon, NULL);
	free(costs);
	if (status == AT_EINVAL)
		return at_fail(err, AT_EINVAL, recording->path, 0,
			"none of its configurations passed");
	return AT_OK;
}

static void init_simulation(struct at_simulation *self, size_t count,
	const struct at_simulate_options *options)
{
	size_t cells = count * options->strategy_count;

	*self = (struct at_simulation){
		.recording_count = count,
		.strategy_count = options->strategy_count,
		.repeats = options->repeats,
		.horizon = options->evaluations,
		.cells = at_calloc(cells + 1, sizeof(*self->cells)),
		.totals = at_calloc(options->strategy_count + 1, sizeof(*self->totals)),
		.scores = at_calloc(count + 1, sizeof(*self->scores)),
		.mean_seconds = at_calloc(count + 1, sizeof(*self->mean_seconds)),
	};
	for (size_t c = 0; c < cells; c++) {
		self->cells[c].recording = c / options->strategy_count;
		self->cells[c].strategy = c % options->strategy_count;
		self->cells[c].runs =
			at_calloc(options->repeats, sizeof(*self->cells[c].runs));
	}
}

void at_simulation_free(struct at_simulation *self)
{
	if (!self)
		return;
	for (size_t c = 0;
		self->cells && c < self->recording_count * self->strategy_count; c++) {
		for (size_t r = 0; self->cells[c].runs && r < self->repeats; r++)
			free(self->cells[c].runs[r].steps);
		for (size_t q = 0; q < 3; q++)
			free(self->cells[c].quartiles[q]);
		free(self->cells[c].runs);
	}
	for (size_t i = 0; self->scores && i < self->recording_count; i++)
		at_score_space_release(&self->scores[i]);
	free(self->cells);
	free(self->totals);
	free(self->scores);
	free(self->mean_seconds);
	free(self);
}

/* Opens each strategy once before the runs: wrong options would be wrong in every
   run. */
static enum at_status check_strategies(const struct at_simulate_bed *bed,
	const struct at_simulate_options *options, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < options->strategy_count && !status; i++) {
		const struct at_strategy_kind *kind;
		struct at_strategy *strategy;
		const char *text;

		status = at_strategy_find(options->strategies[i], &kind, &text, err);
		if (!status)
			status = kind->open(kind, bed->space, text, 0, &strategy, err);
		if (!status)
			strategy->kind->close(strategy);
	}
	return status;
}

enum at_status at_simulate(const struct at_recording *const *recordings, size_t count,
	const struct at_simulate_options *options, struct at_simulation **out,
	struct at_error *err)
{
	struct at_simulation *self = at_calloc(1, sizeof(*self));
	struct at_simulate_bed *beds = at_calloc(count + 1, sizeof(*beds));
	enum at_status status = AT_OK;

	init_simulation(self, count, options);
	for (size_t i = 0; i < count && !status; i++) {
		status = at_simulate_bed_init(&beds[i], recordings[i], err);
		if (!status)
			status = init_score(&self->scores[i], recordings[i],
				options->evaluations, err);
		if (status || !options->compilers)
			continue;
		self->mean_seconds[i] =
			at_replay_mean_seconds(recordings[i], options->compilers);
		if (self->mean_seconds[i] <= 0)
			status = at_fail(err, AT_EINVAL, recordings[i]->path, 0,
				"does not say how long compiling and measuring took, and has no virtual time");
	}
	if (!status && count)
		status = check_strategies(&beds[0], options, err);
	if (!status)
		status = run_all(self, beds, options, err);
	if (!status)
		at_simulate_evaluate(self, beds, options->seed);
	if (!status) {
		*out = self;
		self = NULL;
	}
	for (size_t i = 0; i < count; i++)
		at_simulate_bed_release(&beds[i]);
	free(beds);
	at_simulation_free(self);
	return status;
}
