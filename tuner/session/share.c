/* Computes shares (share.h) from "3/8" or Slurm's environment, and deals pairs of space
   and problem to them. */
#include "session/share.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *at_share_environment(void *context, const char *name)
{
	(void)context;
	return getenv(name);
}

/* ---- the environment ---------------------------------------------------------- */

/* Source of the variables, and destination of errors. */
struct reading {
	at_share_variable variable;
	void *context;
	struct at_error *err;
};

/* A variable's value; NULL: not set, or empty. */
static const char *get(const struct reading *self, const char *name)
{
	const char *text = self->variable(self->context, name);

	return text && text[0] ? text : NULL;
}

static enum at_status fail_variable(
	const struct reading *self, const char *name, const char *expected)
{
	const char *text = get(self, name);
	char quoted[64];

	if (!text)
		return at_fail(self->err, AT_EINVAL, NULL, 0,
			"--shard slurm: %s is not set: expected %s; outside a Slurm job say which share this is, as in --shard 3/8",
			name, expected);
	snprintf(quoted, sizeof(quoted), "%s", text);
	at_text_flatten(quoted);
	return at_fail(self->err, AT_EINVAL, NULL, 0,
		"--shard slurm: %s is \"%s\": expected %s; say yourself which share this is, as in --shard 3/8",
		name, quoted, expected);
}

/* digits only: Slurm writes neither signs nor blanks */
static bool is_whole(const char *text, uint64_t most, uint64_t *out)
{
	int64_t value;

	if (!isdigit((unsigned char)text[0]) || !at_text_integer(text, &value) ||
		value < 0 || (uint64_t)value > most)
		return false;
	*out = (uint64_t)value;
	return true;
}

static enum at_status read_whole(const struct reading *self, const char *name,
	uint64_t least, uint64_t most, uint64_t *out)
{
	const char *text = get(self, name);
	char expected[64];

	if (text && is_whole(text, most, out) && *out >= least)
		return AT_OK;
	snprintf(expected, sizeof(expected), "a whole number from %llu to %llu",
		(unsigned long long)least, (unsigned long long)most);
	return fail_variable(self, name, expected);
}

/*
 * This process's task within its step. A program that a batch script starts without
 * srun runs only once, but its environment has the number of tasks for which the job
 * has room. That number must not be used: no process would do the other shares. Only a
 * step (srun) has tasks.
 */
static enum at_status read_task(
	const struct reading *self, uint64_t *index, uint64_t *count)
{
	const char *total = get(self, "SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS"
							      : "SLURM_NTASKS";
	enum at_status status;

	*index = 0;
	*count = 1;
	if (!get(self, "SLURM_STEP_ID"))
		return AT_OK;
	status = read_whole(self, total, 1, AT_SHARES_MAX, count);
	return status ? status : read_whole(self, "SLURM_PROCID", 0, *count - 1, index);
}

/* This process's element of the job array; without an array the only one. */
static enum at_status read_array(
	const struct reading *self, uint64_t *index, uint64_t *count)
{
	uint64_t id, least, most, step = 1;
	enum at_status status;

	*index = 0;
	*count = 1;
	if (!get(self, "SLURM_ARRAY_TASK_ID"))
		return AT_OK;
	status = read_whole(self, "SLURM_ARRAY_TASK_COUNT", 1, AT_SHARES_MAX, count);
	if (!status)
		status =
			read_whole(self, "SLURM_ARRAY_TASK_MIN", 0, UINT32_MAX, &least);
	if (!status)
		status = read_whole(
			self, "SLURM_ARRAY_TASK_MAX", least, UINT32_MAX, &most);
	if (!status)
		status = read_whole(self, "SLURM_ARRAY_TASK_ID", least, most, &id);
	if (!status && get(self, "SLURM_ARRAY_TASK_STEP"))
		status =
			read_whole(self, "SLURM_ARRAY_TASK_STEP", 1, UINT32_MAX, &step);
	if (status)
		return status;
	/* An element's position is known only for equal steps. With --array=1,5,7, or
	   if a few elements are submitted again, only Slurm knows it. */
	if ((most - least) / step + 1 != *count || (id - least) % step)
		return fail_variable(self, "SLURM_ARRAY_TASK_ID",
			"an array of equal steps, as of --array=0-7 or --array=0-14:2");
	*index = (id - least) / step;
	return AT_OK;
}

/* Whether Slurm binds GPUs to tasks, so that each task sees only its own GPUs. */
static bool is_bound(const struct reading *self)
{
	static const char *const names[] = { "SLURM_GPU_BIND", "SLURM_TRES_BIND",
		"SLURM_TRES_PER_TASK" };
	const char *bind = get(self, "SLURM_GPU_BIND");

	if (get(self, "SLURM_GPUS_PER_TASK"))
		return true;
	if (bind && strncmp(bind, "none", 4) != 0)
		return true;
	for (size_t i = 1; i < AT_COUNT_OF(names); i++) {
		const char *text = get(self, names[i]);

		if (text && strstr(text, "gpu") && !strstr(text, "none"))
			return true;
	}
	return false;
}

/* This task's number on the node, if tasks share the node's GPUs. SLURM_GTIDS lists the
   node's tasks: "4,5,6,7". */
static enum at_status read_node(const struct reading *self, struct at_share *out)
{
	const char *ids = get(self, "SLURM_GTIDS");
	uint64_t count = 1;

	if (!get(self, "SLURM_STEP_ID") || !ids || is_bound(self))
		return AT_OK;
	if (strspn(ids, "0123456789,") != strlen(ids))
		return fail_variable(
			self, "SLURM_GTIDS", "numbers of tasks, separated by commas");
	for (const char *c = ids; *c; c++)
		count += *c == ',';
	out->local_count = count;
	return read_whole(self, "SLURM_LOCALID", 0, count - 1, &out->local_index);
}

/* The job's name, and whether it was requeued. */
static enum at_status read_job(const struct reading *self, struct at_share *out)
{
	const char *cluster = get(self, "SLURM_CLUSTER_NAME");
	const char *step = get(self, "SLURM_STEP_ID");
	uint64_t job, restarts = 0;
	enum at_status status = read_whole(self, "SLURM_JOB_ID", 0, UINT32_MAX, &job);

	if (!status && get(self, "SLURM_RESTART_COUNT"))
		status = read_whole(
			self, "SLURM_RESTART_COUNT", 0, UINT32_MAX, &restarts);
	if (status)
		return status;
	snprintf(out->job, sizeof(out->job), "%llu.%.16s %.64s",
		(unsigned long long)job, step ? step : "batch", cluster ? cluster : "");
	at_text_flatten(out->job);
	out->is_restarted = restarts > 0;
	return AT_OK;
}

static enum at_status read_slurm(const struct reading *self, struct at_share *out)
{
	uint64_t task, tasks, element, elements;
	enum at_status status = read_job(self, out);

	if (!status)
		status = read_task(self, &task, &tasks);
	if (!status)
		status = read_array(self, &element, &elements);
	if (!status)
		status = read_node(self, out);
	if (status)
		return status;
	if (elements * tasks > AT_SHARES_MAX)
		return at_fail(self->err, AT_EINVAL, NULL, 0,
			"--shard slurm: %llu jobs of %llu tasks are more than the %d shares that there may be",
			(unsigned long long)elements, (unsigned long long)tasks,
			AT_SHARES_MAX);
	out->index = element * tasks + task;
	out->count = elements * tasks;
	return AT_OK;
}

enum at_status at_share_read(const char *text, at_share_variable variable,
	void *context, struct at_share *out, struct at_error *err)
{
	const struct reading reading = { variable, context, err };
	const char *slash = strchr(text, '/');
	char number[16] = "";
	size_t length = slash ? (size_t)(slash - text) : 0;

	*out = (struct at_share){ 0 };
	if (!strcmp(text, "slurm")) {
		struct at_share share = { 0 };
		enum at_status status = read_slurm(&reading, &share);

		if (!status)
			*out = share;
		return status;
	}
	if (length && length < sizeof(number))
		memcpy(number, text, length);
	if (slash && is_whole(number, AT_SHARES_MAX, &out->index) &&
		is_whole(slash + 1, AT_SHARES_MAX, &out->count) && out->index >= 1 &&
		out->index <= out->count) {
		out->index--;
		return AT_OK;
	}
	*out = (struct at_share){ 0 };
	return at_fail(err, AT_EINVAL, NULL, 0,
		"expected slurm, or which share of how many as in --shard 3/8, found \"%.40s\"",
		text);
}

/* ---- dealing -------------------------------------------------------------------- */

/* The first share of a pair, if there are more shares than pairs. */
static uint64_t first_share(uint64_t count, uint64_t pair, uint64_t pair_count)
{
	return (pair * count + pair_count - 1) / pair_count;
}

struct at_part at_share_part(
	const struct at_share *self, uint64_t pair, uint64_t pair_count)
{
	struct at_part part = { 0, 1 };
	uint64_t first, end;

	if (!self->count)
		return part;
	if (self->count <= pair_count) {
		/* Dealt in turn: problems of one space, which cost about the same, go
		   to different tasks. */
		part.count = pair % self->count == self->index;
		return part;
	}
	first = first_share(self->count, pair, pair_count);
	end = first_share(self->count, pair + 1, pair_count);
	if (self->index < first || self->index >= end)
		return (struct at_part){ 0, 0 };
	return (struct at_part){ self->index - first, end - first };
}

bool at_share_has_board(const struct at_share *self, uint64_t i, uint64_t count)
{
	return self->local_count < 2 || count < self->local_count ||
	       i % self->local_count == self->local_index;
}
