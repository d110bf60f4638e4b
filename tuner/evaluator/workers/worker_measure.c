/* A measure worker: the requests that the coordinator sends it, and how each is
   answered. */
#include "base/processes.h"
#include "base/sandbox.h"
#include "evaluator/workers/guard.h"
#include "evaluator/workers/protocol.h"
#include "evaluator/workers/worker.h"
#include "evaluator/workers/worker_parts.h"
#include "kernel/units.h"
#include "measure/ceilings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* for one sample of the finals; far more than any bench asks for */
#define LAUNCHES_MAX 1000

bool at_handle_probe(struct at_worker_state *self, struct at_wire_reader *in)
{
	const struct at_device_kind *kind;
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	unsigned count = 0;
	char name[32];

	(void)self;
	at_wire_get_text_into(in, name, sizeof(name));
	if (!at_wire_done(in))
		return at_respond_broken("probe");
	if (at_device_kind_find(name, &kind, &err))
		return at_respond_error(&err);
	if (kind->count(&count, &err))
		count = 0;
	at_wire_put_u32(&body, count);
	at_wire_put_text(&body, err.text);
	return at_respond(AT_MESSAGE_PROBED, &body);
}

/*
 * Keeps kernels that run in this process from sending signals to other processes. Must
 * be called before this process has threads. Where the system cannot confine signals,
 * at least the guard and the coordinator are spared.
 */
static void spare_others(void)
{
	const char *parent = getenv(AT_WORKER_PARENT);
	const int64_t ours[] = { (int64_t)getppid(), parent ? atoll(parent) : 0 };

	if (!at_sandbox_keep_signals())
		(void)at_sandbox_spare(ours, ours[1] > 0 ? 2 : 1);
}

bool at_handle_open(struct at_worker_state *self, struct at_wire_reader *in)
{
	struct at_device_choice choice;
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	char id[32];

	at_wire_get_text_into(in, id, sizeof(id));
	if (!at_wire_done(in) || self->device)
		return at_respond_broken("open");
	if (at_device_resolve(id, &choice, &err))
		return at_respond_error(&err);
	if (choice.kind->runs_here)
		spare_others();
	if ((choice.kind->begin ? choice.kind->begin : choice.kind->open)(
		    choice.index, &self->device, &err))
		return at_respond_error(&err);
	at_device_lock_open(&self->lock, self->device->info.uuid[0]
						 ? self->device->info.uuid
						 : self->device->info.id);
	at_guard_keep(self->lock.file);
	at_put_device_info(&body, &self->device->info);
	if (!at_respond(AT_MESSAGE_OPENED, &body))
		return false;
	/* now the coordinator knows what to compile for, and does so while the device
	   wakes */
	if (choice.kind->begin)
		(void)!self->device->ops->wake(self->device, &self->not_woken);
	return true;
}

static bool started(void)
{
	struct at_wire_writer body = { { 0 } };

	return at_respond(AT_MESSAGE_STARTED, &body);
}

/* Takes the device's lock; if another run has it, the coordinator is told and this
   waits. */
static bool take_device(struct at_worker_state *self)
{
	struct at_wire_writer body = { { 0 } };
	int64_t owner;

	if (at_device_lock_try(&self->lock, &owner))
		return started();
	at_wire_put_i64(&body, owner);
	if (!at_respond(AT_MESSAGE_WAITING, &body))
		return false;
	at_device_lock_take(&self->lock);
	return started();
}

static struct at_hash get_hash(struct at_wire_reader *in)
{
	struct at_hash hash;

	hash.low = at_wire_get_u64(in);
	hash.high = at_wire_get_u64(in);
	return hash;
}

static void release_held_setup(struct held_setup *held)
{
	at_bench_free(held->bench);
	at_measure_setup_release(&held->setup);
	memset(held, 0, sizeof(*held));
}

static struct held_setup *find_held_setup(
	struct at_worker_state *self, struct at_hash id)
{
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++) {
		struct held_setup *held = &self->setups[i];

		if (!held->bench || !at_hash_equal(held->id, id))
			continue;
		held->used = ++self->use;
		return held;
	}
	return NULL;
}

/* The setup that was not used for longest; NULL: all are free. */
static struct held_setup *oldest_held_setup(struct at_worker_state *self)
{
	struct held_setup *oldest = NULL;

	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		if (self->setups[i].bench &&
			(!oldest || self->setups[i].used < oldest->used))
			oldest = &self->setups[i];
	return oldest;
}

/* Reads the image out of a unit's file; it is the caller's. */
static enum at_status load_unit(
	const char *path, unsigned char **image, size_t *bytes, struct at_error *err)
{
	struct at_compile_result unit;
	enum at_status status = at_unit_read(path, &unit, true, err);

	if (status)
		return status;
	*image = unit.image;
	*bytes = unit.image_bytes;
	unit.image = NULL;
	at_compile_result_release(&unit);
	return AT_OK;
}

/* Makes a setup; takes *setup over. Older setups are released while the device lacks
   memory. */
static enum at_status make_stage(struct at_worker_state *self, struct at_hash id,
	struct at_measure_setup *setup, struct at_error *err)
{
	struct held_setup *held = NULL;
	enum at_status status;

	for (size_t i = 0; i < AT_WORKER_SETUPS && !held; i++)
		if (!self->setups[i].bench)
			held = &self->setups[i];
	if (!held) {
		held = oldest_held_setup(self);
		release_held_setup(held);
	}
	held->id = id;
	held->setup = *setup;
	memset(setup, 0, sizeof(*setup));
	for (;;) {
		struct held_setup *oldest = oldest_held_setup(self);
		struct at_error reason = { 0 };

		/* benches share the tuner's own kernels, so these are loaded once */
		status = at_bench_new(self->device, &held->setup,
			oldest ? oldest->bench : NULL, &held->bench, &reason);
		if (!status)
			break;
		if (status != AT_ENOMEM || !oldest) {
			at_measure_setup_release(&held->setup);
			if (err && !err->status)
				*err = reason;
			return status;
		}
		release_held_setup(oldest);
	}
	held->used = ++self->use;
	return AT_OK;
}

static bool answer_ready(struct at_worker_state *self)
{
	struct at_wire_writer body = { { 0 } };
	struct at_strbuf neighbours = { 0 };
	uint32_t count = 0;

	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		count += self->setups[i].bench != NULL;
	at_wire_put_u32(&body, count);
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++) {
		if (!self->setups[i].bench)
			continue;
		at_wire_put_u64(&body, self->setups[i].id.low);
		at_wire_put_u64(&body, self->setups[i].id.high);
	}
	at_device_add_neighbours(self->device, &neighbours);
	at_wire_put_text(&body, at_strbuf_text(&neighbours));
	at_wire_put_text(&body, self->lock.why);
	at_strbuf_release(&neighbours);
	return at_respond(AT_MESSAGE_READY, &body);
}

bool at_handle_setup(struct at_worker_state *self, struct at_wire_reader *in)
{
	struct at_hash id = get_hash(in);
	char *support = at_wire_get_text(in), *reference = at_wire_get_text(in);
	char *wide = at_wire_get_text(in);
	struct at_measure_setup setup = { 0 };
	struct at_error err = { 0 };
	enum at_status status = AT_OK;
	bool sent = false;

	at_get_setup(in, &setup);
	if (!at_wire_done(in) || !self->device) {
		at_respond_broken("setup");
		goto release;
	}
	if (!take_device(self))
		goto release;
	if (!find_held_setup(self, id)) {
		status = load_unit(
			support, &setup.support_image, &setup.support_bytes, &err);
		if (!status && reference[0])
			status = load_unit(reference, &setup.reference_image,
				&setup.reference_bytes, &err);
		if (!status && wide[0])
			status = load_unit(
				wide, &setup.wide_image, &setup.wide_bytes, &err);
		if (!status) {
			status = make_stage(self, id, &setup, &err);
			/*
			 * To the coordinator AT_ENOENT means that a unit is lost and
			 * has to be compiled again. What else a setup may miss does not
			 * come back by that.
			 */
			if (status == AT_ENOENT)
				err.status = AT_EINVAL;
		}
	}
	at_device_lock_drop(&self->lock);
	sent = status ? at_respond_error(&err) : answer_ready(self);
release:
	at_measure_setup_release(&setup);
	free(support);
	free(reference);
	free(wide);
	return sent;
}

/* Reads a request: the path of its unit, then the rest. False: the message is
   broken. */
static bool get_request(struct at_wire_reader *in, const struct held_setup *held,
	struct at_measure_request *out, char **unit)
{
	*unit = at_wire_get_text(in);
	at_get_request(in, out);
	if (!held || out->binding_count != held->setup.argument_count)
		in->failed = true;
	return !in->failed;
}

/* Notes which processes there are, so that end_traces() ends only those of this
   configuration. */
static void note_traces(struct at_worker_state *self, struct at_processes *before)
{
	at_processes_note(before);
	if (self->device->ops->has_left_traces)
		(void)self->device->ops->has_left_traces(self->device);
}

/*
 * Ends the processes that the kernel forked. Those that were there before stay, since
 * the library of a reference may have started some. True: the kernel has changed this
 * process as well.
 */
static bool end_traces(struct at_worker_state *self, struct at_processes *before)
{
	at_processes_kill_new(before);
	at_processes_release(before);
	return self->device->ops->has_left_traces &&
	       self->device->ops->has_left_traces(self->device);
}

bool at_handle_evaluate(struct at_worker_state *self, struct at_wire_reader *in)
{
	struct held_setup *held = find_held_setup(self, get_hash(in));
	struct at_measure_request request = { 0 };
	struct at_measure_result result = { 0 };
	struct at_wire_writer body = { { 0 } };
	struct at_error err = { 0 };
	enum at_status status;
	char *unit = NULL;
	bool sent = false;

	if (!get_request(in, held, &request, &unit) || !at_wire_done(in)) {
		at_respond_broken("evaluate");
		goto release;
	}
	status = load_unit(unit, &request.image, &request.image_bytes, &err);
	if (!status && !take_device(self))
		goto release;
	if (!status) {
		struct at_processes before = { 0 };

		note_traces(self, &before);
		status = at_bench_evaluate(held->bench, &request, &result, &err);
		result.left_traces = end_traces(self, &before);
	}
	at_device_lock_drop(&self->lock);
	self->ends = result.device_lost || (!status && result.left_traces);
	if (status) {
		sent = at_respond_error(&err);
	} else {
		at_put_result(&body, &result);
		sent = at_respond(AT_MESSAGE_RESULT, &body);
	}
release:
	free(unit);
	at_measure_request_release(&request);
	at_measure_result_release(&result);
	return sent;
}

bool at_handle_finals(struct at_worker_state *self, struct at_wire_reader *in)
{
	struct held_setup *held = find_held_setup(self, get_hash(in));
	struct at_measure_request requests[AT_FINALISTS_MAX] = { 0 };
	struct at_measure_result results[AT_FINALISTS_MAX] = { 0 };
	struct at_wire_writer body = { { 0 } };
	struct at_error err = { 0 };
	char *units[AT_FINALISTS_MAX] = { NULL };
	struct at_measure_finals how = { 0 };
	enum at_status status = AT_OK;
	uint32_t count;
	bool sent = false;

	at_fields_get(&at_measure_finals_fields, in, &how);
	count = at_wire_get_u32(in);
	if (count < 1 || count > AT_FINALISTS_MAX || how.blocks < 1 ||
		how.blocks > AT_BLOCKS_MAX || how.rounds < 1 || how.rounds > 10000)
		in->failed = true;
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++)
		if (how.launches[i] > LAUNCHES_MAX)
			in->failed = true;
	for (uint32_t i = 0; !in->failed && i < count; i++)
		get_request(in, held, &requests[i], &units[i]);
	if (!at_wire_done(in)) {
		at_respond_broken("finals");
		goto release;
	}
	for (uint32_t i = 0; i < count && !status; i++)
		status = load_unit(
			units[i], &requests[i].image, &requests[i].image_bytes, &err);
	if (!status && !take_device(self))
		goto release;
	if (!status) {
		struct at_processes before = { 0 };

		note_traces(self, &before);
		status = at_bench_finals(
			held->bench, requests, count, &how, results, &err);
		results[0].left_traces = end_traces(self, &before);
	}
	at_device_lock_drop(&self->lock);
	for (uint32_t i = 0; i < count; i++)
		self->ends = self->ends || results[i].device_lost ||
			     (!status && results[i].left_traces);
	if (status) {
		sent = at_respond_error(&err);
		goto release;
	}
	at_wire_put_u32(&body, count);
	for (uint32_t i = 0; i < count; i++)
		at_put_result(&body, &results[i]);
	sent = at_respond(AT_MESSAGE_RESULTS, &body);
release:
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++) {
		free(units[i]);
		at_measure_request_release(&requests[i]);
		at_measure_result_release(&results[i]);
	}
	return sent;
}

bool at_handle_ceilings(struct at_worker_state *self, struct at_wire_reader *in)
{
	struct at_ceilings ceilings;
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	char *unit = at_wire_get_text(in);
	unsigned char *image = NULL;
	size_t bytes = 0;
	enum at_status status;
	bool sent = false;

	if (!at_wire_done(in) || !self->device) {
		at_respond_broken("ceilings");
		goto release;
	}
	/* makes room: ceilings are measured with large buffers */
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		release_held_setup(&self->setups[i]);
	status = load_unit(unit, &image, &bytes, &err);
	if (!status && !take_device(self))
		goto release;
	if (!status)
		status = at_ceilings_measure(
			self->device, image, bytes, &ceilings, &err);
	at_device_lock_drop(&self->lock);
	if (status) {
		sent = at_respond_error(&err);
	} else {
		at_put_ceilings(&body, &ceilings);
		sent = at_respond(AT_MESSAGE_CEILED, &body);
	}
release:
	free(unit);
	free(image);
	return sent;
}

void at_worker_state_release(struct at_worker_state *self)
{
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		release_held_setup(&self->setups[i]);
	if (self->device)
		self->device->ops->close(self->device);
	at_device_lock_close(&self->lock);
}
