/* The queue of requests to a board, and starting and dropping its process. */
#include "evaluator/workers/board_parts.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

void board_free_job(struct board_job *job)
{
	at_strbuf_release(&job->body);
	free(job);
}

struct board_job *board_pop(struct at_board *self)
{
	struct board_job *job = self->jobs;

	self->jobs = job->next;
	if (!self->jobs)
		self->last = &self->jobs;
	self->job_count--;
	if (job->sent)
		self->sent_count--;
	return job;
}

void board_put_off(struct at_board *self)
{
	struct board_job *job = board_pop(self);

	job->was_put_off = true;
	job->next = NULL;
	*self->last = job;
	self->last = &job->next;
	self->job_count++;
}

void board_answer(struct board_job *job, struct at_measure_result *results,
	size_t count, const struct at_ceilings *ceilings, const struct at_error *err)
{
	if (job->measured)
		job->measured(job->context, results, count, err);
	else
		job->ceiled(job->context, ceilings, err);
	board_free_job(job);
}

void board_fail_first(struct at_board *self, const struct at_error *err)
{
	at_board_opened opened = self->opened;

	self->opened = NULL;
	if (opened)
		opened(self->opened_context, NULL, err);
	else if (self->jobs)
		board_answer(board_pop(self), NULL, 0, NULL, err);
}

void board_stop_waiting(struct at_board *self)
{
	if (self->waiting_since_ns)
		self->waited_ns += at_clock_now_ns() - self->waiting_since_ns;
	self->waiting_since_ns = 0;
	self->waits_for = 0;
}

void board_drop_process(struct at_board *self)
{
	at_worker_free(self->worker);
	self->worker = NULL;
	self->step = STEP_NONE;
	self->started = false;
	self->known_count = 0;
	self->sent_count = 0;
	for (struct board_job *job = self->jobs; job; job = job->next)
		job->sent = false;
	board_stop_waiting(self);
}

void board_says(struct at_board *self, const char *doing)
{
	if (self->worker)
		at_worker_is_at(self->worker, self->id, doing);
}

enum at_status board_start(struct at_board *self, struct at_error *err)
{
	struct at_wire_writer body = { { 0 } };
	enum at_status status = at_worker_spawn(
		self->loop, "measure", self->events, self, &self->worker, err);

	if (status)
		return status;
	self->step = STEP_OPENING;
	board_says(self, "opening it");
	at_wire_put_text(&body, self->id);
	at_worker_send(self->worker, AT_MESSAGE_OPEN, &body);
	at_worker_deadline(self->worker, OPEN_SECONDS);
	at_worker_expect_work(self->worker, OPEN_QUIET_SECONDS);
	return AT_OK;
}
