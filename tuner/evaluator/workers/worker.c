/* The worker's side: a loop that reads a message, executes it and answers. A process
   that dies takes only its worker along. A worker that gets malformed messages ends
   itself. */
#include "evaluator/workers/worker.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/processes.h"
#include "base/sandbox.h"
#include "evaluator/cases_coverage.h"
#include "evaluator/workers/clocks.h"
#include "evaluator/workers/guard.h"
#include "evaluator/workers/lock.h"
#include "evaluator/workers/protocol.h"
#include "kernel/cxx_prelude.h"
#include "kernel/cxx_tool.h"
#include "kernel/toolchain.h"
#include "kernel/units.h"
#include "measure/bench.h"
#include "measure/ceilings.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* for one sample of the finals; far more than the coordinator requests */
#define LAUNCHES_MAX 1000
/* for one energy window of the finals */
#define ENERGY_SECONDS_MAX 60

/* A setup on the device. Several are kept, the tuned problem's and those of
   verifications, so that the reference of each problem runs once. */
struct held_setup {
	struct at_hash id;
	struct at_measure_setup setup;
	struct at_measure_context *context; /* NULL: this slot is free */
	uint64_t used; /* the value of struct worker.use at its last use */
};

/* The tuned problem and the usual number of verifications; each holds device memory. */
#define AT_WORKER_SETUPS 12

struct worker {
	struct at_device *device;
	struct held_setup setups[AT_WORKER_SETUPS];
	uint64_t use; /* counts uses of setups */
	struct at_device_lock lock;
	struct at_error not_woken; /* why the device failed after it was opened */
	bool ends; /* the device is lost: answer, then end the process */
};

/* ---- the channel; false, here and below: the worker must end ---- */

static bool read_request(void *data, size_t size)
{
	char *at = data;

	while (size > 0) {
		ssize_t got = read(AT_WORKER_DESCRIPTOR, at, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		size -= (size_t)got;
	}
	return true;
}

/* A process forked by a kernel is no worker, and must not answer as one. */
static pid_t main_process;
/* number of the current request */
static uint64_t current;

/* Header and body together: sent separately, each would wake the coordinator. */
static bool send_message(
	const struct at_message_header *header, const void *body, size_t size)
{
	const struct iovec parts[] = { { (void *)(uintptr_t)header, sizeof(*header) },
		{ (void *)(uintptr_t)body, size } };
	ssize_t sent;
	size_t rest;

	do
		sent = writev(AT_WORKER_DESCRIPTOR, parts, size ? 2 : 1);
	while (sent < 0 && errno == EINTR);
	if (sent < 0)
		return false;
	if ((size_t)sent < sizeof(*header))
		return at_write_all(AT_WORKER_DESCRIPTOR, (const char *)header + sent,
			       sizeof(*header) - (size_t)sent) &&
		       at_write_all(AT_WORKER_DESCRIPTOR, body, size);
	rest = (size_t)sent - sizeof(*header);
	return at_write_all(
		AT_WORKER_DESCRIPTOR, (const char *)body + rest, size - rest);
}

static bool answer(enum at_message type, struct at_wire_writer *body)
{
	const struct at_message_header header = { AT_MESSAGE_MAGIC, type,
		body->bytes.length, current };
	bool sent;

	if (getpid() != main_process)
		_exit(1);
	errno = ENOMEM;
	sent = send_message(&header, at_strbuf_text(&body->bytes), body->bytes.length);
	if (!sent)
		fprintf(stderr, "cannot answer: %s\n", strerror(errno));
	at_strbuf_release(&body->bytes);
	return sent;
}

static bool answer_error(const struct at_error *err)
{
	struct at_wire_writer body = { { 0 } };

	at_fields_put(&at_error_fields, err, &body);
	return answer(AT_MESSAGE_FAILED, &body);
}

static bool answer_broken(const char *what)
{
	fprintf(stderr, "a broken message: %s\n", what);
	return false;
}

/* ---- a compile worker ---- */

static bool handle_compile(struct worker *self, struct at_wire_reader *in)
{
	struct at_compile_request request;
	struct at_compile_result result = { 0 };
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	char *path = at_wire_get_text(in);
	enum at_status status = AT_OK;
	bool sent;

	(void)self;
	at_fields_get(&at_compile_request_fields, in, &request);
	if (!at_wire_done(in)) {
		sent = answer_broken("compile");
		goto release;
	}
	status = at_compile(&request, &result, &err);
	if (!status && path[0] && at_unit_may_be_kept(&result))
		status = at_unit_write(path, &result, &err);
	if (status) {
		sent = answer_error(&err);
		goto release;
	}
	/* the measure worker reads the image from the file */
	free(result.image);
	result.image = NULL;
	result.image_bytes = 0;
	at_fields_put(&at_compile_result_fields, &result, &body);
	sent = answer(AT_MESSAGE_COMPILED, &body);
release:
	free(path);
	at_compile_request_release(&request);
	at_compile_result_release(&result);
	return sent;
}

/* Measures coverage for the configuration, whose indices are those of the space's
   file. */
static enum at_status cover(const struct at_spec *spec, const char *problem,
	const uint16_t *configuration, size_t count, double seconds, uint64_t end_ns,
	struct at_strbuf *out, struct at_error *err)
{
	struct at_case_coverage_options options = { .spec = spec,
		.configuration = configuration,
		.units = getenv(AT_WORKER_UNITS),
		.seconds = seconds,
		.end_ns = end_ns };
	struct at_template template = { 0 };
	struct at_case_coverage result;
	struct at_json *json;
	bool is_there = count == spec->parameter_count;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < spec->problem_count; i++)
		if (!strcmp(spec->problems[i].name, problem))
			options.problem = &spec->problems[i];
	for (size_t i = 0; i < count && is_there; i++)
		is_there = configuration[i] < spec->parameters[i].value_count;
	if (!is_there || !options.problem)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"the space file was changed meanwhile");
	status = at_template_load(spec->template_path, &template, err);
	if (status)
		return status;
	options.template = &template;
	status = at_case_coverage(&options, &result, err);
	if (!status) {
		json = at_case_coverage_to_json(&result, &template, "the winner");
		at_json_write(json, 0, out);
		at_json_free(json);
	}
	at_case_coverage_release(&result);
	at_template_release(&template);
	return status;
}

static bool handle_cover(struct worker *self, struct at_wire_reader *in)
{
	char *path = at_wire_get_text(in), *problem = at_wire_get_text(in);
	const double seconds = at_wire_get_real(in);
	const uint64_t end_ns = at_wire_get_u64(in);
	const uint32_t count = at_wire_get_count(in, sizeof(uint32_t));
	uint16_t *configuration = at_calloc(count + 1, sizeof(*configuration));
	struct at_wire_writer body = { { 0 } };
	struct at_strbuf text = { 0 };
	struct at_spec *spec = NULL;
	struct at_error err = { 0 };
	enum at_status status = AT_OK;
	bool sent;

	(void)self;
	for (uint32_t i = 0; i < count; i++)
		configuration[i] = (uint16_t)at_wire_get_u32(in);
	if (!at_wire_done(in)) {
		sent = answer_broken("cover");
		goto release;
	}
	status = at_spec_load(path, &spec, &err);
	if (!status)
		status = cover(spec, problem, configuration, count, seconds, end_ns,
			&text, &err);
	if (status) {
		/* no reason to end a run */
		struct at_json *json = at_json_object();

		at_strbuf_clear(&text);
		at_json_set(json, "reason", err.text);
		at_json_write(json, 0, &text);
		at_json_free(json);
	}
	at_wire_put_text(&body, at_strbuf_text(&text));
	sent = answer(AT_MESSAGE_VERSION, &body);
release:
	at_spec_free(spec);
	at_strbuf_release(&text);
	free(configuration);
	free(problem);
	free(path);
	return sent;
}

/* A question to a toolchain with a text as answer. */
typedef enum at_status (*question)(
	const char *name, char *buffer, size_t size, struct at_error *err);

static bool answer_of_toolchain(struct at_wire_reader *in, question ask)
{
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	char name[AT_TOOLCHAIN_NAME_SIZE], text[AT_TOOLCHAIN_TEXT_SIZE];

	at_wire_get_text_into(in, name, sizeof(name));
	if (!at_wire_done(in))
		return answer_broken("toolchain");
	if (ask(name, text, sizeof(text), &err))
		return answer_error(&err);
	at_wire_put_text(&body, text);
	return answer(AT_MESSAGE_VERSION, &body);
}

static bool handle_warm(struct worker *self, struct at_wire_reader *in)
{
	char name[AT_TOOLCHAIN_NAME_SIZE];

	(void)self;
	at_wire_get_text_into(in, name, sizeof(name));
	if (!at_wire_done(in))
		return answer_broken("warm");
	at_toolchain_warm(name);
	return true;
}

static bool handle_toolchain(struct worker *self, struct at_wire_reader *in)
{
	(void)self;
	return answer_of_toolchain(in, at_toolchain_version);
}

static bool handle_architectures(struct worker *self, struct at_wire_reader *in)
{
	(void)self;
	return answer_of_toolchain(in, at_toolchain_architectures);
}

/* ---- a measure worker ---- */

static bool handle_probe(struct worker *self, struct at_wire_reader *in)
{
	const struct at_device_kind *kind;
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	unsigned count = 0;
	char name[32];

	(void)self;
	at_wire_get_text_into(in, name, sizeof(name));
	if (!at_wire_done(in))
		return answer_broken("probe");
	if (at_device_kind_find(name, &kind, &err))
		return answer_error(&err);
	if (kind->count(&count, &err))
		count = 0;
	at_wire_put_u32(&body, count);
	at_wire_put_text(&body, err.text);
	return answer(AT_MESSAGE_PROBED, &body);
}

static bool handle_open(struct worker *self, struct at_wire_reader *in)
{
	struct at_device_choice choice;
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	char id[32];

	at_wire_get_text_into(in, id, sizeof(id));
	if (!at_wire_done(in) || self->device)
		return answer_broken("open");
	if (at_device_resolve(id, &choice, &err))
		return answer_error(&err);
	/* a power limit left by a dead run would be mistaken for the board's own */
	at_clocks_rescue(NULL);
	if (choice.kind->runs_here) {
		/* Prevents kernels in this process from sending signals to other
		   processes. Must be called before this process has threads. If the
		   system cannot confine signals, at least the guard and the coordinator
		   are spared. */
		const char *parent = getenv(AT_WORKER_PARENT);
		const int64_t ours[] = { (int64_t)getppid(),
			parent ? atoll(parent) : 0 };

		if (!at_sandbox_keep_signals())
			(void)at_sandbox_spare(ours, ours[1] > 0 ? 2 : 1);
	}
	if (choice.kind->open(choice.index, &self->device, &err))
		return answer_error(&err);
	at_device_lock_open(&self->lock, self->device->info.uuid[0]
						 ? self->device->info.uuid
						 : self->device->info.id);
	at_guard_keep(self->lock.file);
	if (!self->device->ops->set_clocks && !self->device->info.no_clocks[0])
		snprintf(self->device->info.no_clocks,
			sizeof(self->device->info.no_clocks),
			"this device has none that can be set");
	at_fields_put(&at_device_info_fields, &self->device->info, &body);
	if (!answer(AT_MESSAGE_OPENED, &body))
		return false;
	/* the coordinator can now compile while the device wakes */
	if (self->device->ops->wake)
		(void)!self->device->ops->wake(self->device, &self->not_woken);
	return true;
}

static bool started(void)
{
	struct at_wire_writer body = { { 0 } };

	return answer(AT_MESSAGE_STARTED, &body);
}

/* Takes the device's lock; if another run has it, reports this to the coordinator and
   waits. */
static bool take_device(struct worker *self)
{
	struct at_wire_writer body = { { 0 } };
	int64_t owner;

	if (at_device_lock_try(&self->lock, &owner))
		return started();
	at_wire_put_i64(&body, owner);
	if (!answer(AT_MESSAGE_WAITING, &body))
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
	at_measure_context_free(held->context);
	at_measure_setup_release(&held->setup);
	memset(held, 0, sizeof(*held));
}

static struct held_setup *find_held_setup(struct worker *self, struct at_hash id)
{
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++) {
		struct held_setup *held = &self->setups[i];

		if (!held->context || !at_hash_equal(held->id, id))
			continue;
		held->used = ++self->use;
		return held;
	}
	return NULL;
}

/* The least recently used setup; NULL: all slots are free. */
static struct held_setup *oldest_held_setup(struct worker *self)
{
	struct held_setup *oldest = NULL;

	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		if (self->setups[i].context &&
			(!oldest || self->setups[i].used < oldest->used))
			oldest = &self->setups[i];
	return oldest;
}

/* Reads the image from a unit's file; it is the caller's. */
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

/* Makes a setup; takes ownership of *setup. Releases older setups while the device
   lacks memory. */
static enum at_status make_stage(struct worker *self, struct at_hash id,
	struct at_measure_setup *setup, struct at_error *err)
{
	struct held_setup *held = NULL;
	enum at_status status;

	for (size_t i = 0; i < AT_WORKER_SETUPS && !held; i++)
		if (!self->setups[i].context)
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

		/* contexts share the tuner's own kernels, so these are loaded once */
		status = at_measure_context_new(self->device, &held->setup,
			oldest ? oldest->context : NULL, &held->context, &reason);
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

static bool answer_ready(struct worker *self)
{
	struct at_wire_writer body = { { 0 } };
	struct at_strbuf neighbours = { 0 };
	uint32_t count = 0;

	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		count += self->setups[i].context != NULL;
	at_wire_put_u32(&body, count);
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++) {
		if (!self->setups[i].context)
			continue;
		at_wire_put_u64(&body, self->setups[i].id.low);
		at_wire_put_u64(&body, self->setups[i].id.high);
	}
	at_device_add_neighbours(self->device, &neighbours);
	at_wire_put_text(&body, at_strbuf_text(&neighbours));
	at_wire_put_text(&body, self->lock.why);
	at_strbuf_release(&neighbours);
	return answer(AT_MESSAGE_READY, &body);
}

static bool handle_setup(struct worker *self, struct at_wire_reader *in)
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
		answer_broken("setup");
		goto release;
	}
	if (!take_device(self))
		goto release;
	setup.units = getenv(AT_WORKER_UNITS);
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
			/* To the coordinator AT_ENOENT means that a unit is lost.
			   Compiling the unit again does not restore any other missing
			   file of a setup. */
			if (status == AT_ENOENT)
				err.status = AT_EINVAL;
		}
	}
	at_device_lock_drop(&self->lock);
	sent = status ? answer_error(&err) : answer_ready(self);
release:
	at_measure_setup_release(&setup);
	free(support);
	free(reference);
	free(wide);
	return sent;
}

/* Before requests that set clocks: restores what a dead run left set, and notes the
   settings of these requests. */
static enum at_status note_clocks(struct worker *self,
	const struct at_measure_request *requests, uint32_t count, bool *has_clocks,
	struct at_error *err)
{
	struct at_clocks set = { 0 };
	enum at_status status = at_clocks_give_back(&self->lock, err);

	for (uint32_t i = 0; i < count; i++) {
		set.clock_mhz |= requests[i].clocks.clock_mhz;
		set.memory_clock_mhz |= requests[i].clocks.memory_clock_mhz;
		set.power_milliwatts |= requests[i].clocks.power_milliwatts;
	}
	*has_clocks = !status && at_clocks_are_set(&set);
	return *has_clocks ? at_clocks_note(&self->lock, self->device, &set, err)
			   : status;
}

/* Measures one request alone, or several in finals; both leave the same traces. */
static bool handle_measure(struct worker *self, struct at_wire_reader *in)
{
	struct held_setup *held = find_held_setup(self, get_hash(in));
	struct at_measure_request requests[AT_FINALISTS_MAX] = { 0 };
	struct at_measure_result results[AT_FINALISTS_MAX] = { 0 };
	struct at_processes before = { 0 };
	struct at_wire_writer body = { { 0 } };
	struct at_error err = { 0 };
	char *units[AT_FINALISTS_MAX] = { NULL };
	struct at_measure_finals how = { 0 };
	enum at_status status = AT_OK;
	uint32_t count;
	bool are_finals, sent = false, has_clocks = false;

	at_fields_get(&at_measure_finals_fields, in, &how);
	are_finals = how.blocks > 0;
	count = at_wire_get_u32(in);
	if (count < 1 || count > AT_FINALISTS_MAX || how.blocks > AT_BLOCKS_MAX ||
		how.rounds > 10000 || !(how.energy_seconds <= ENERGY_SECONDS_MAX) ||
		(how.blocks > 0 ? how.rounds < 1 : !how.counts && count != 1))
		in->failed = true;
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++)
		if (how.launches[i] > LAUNCHES_MAX)
			in->failed = true;
	for (uint32_t i = 0; !in->failed && i < count; i++) {
		units[i] = at_wire_get_text(in);
		at_get_request(in, &requests[i]);
		if (!held || requests[i].binding_count != held->setup.argument_count)
			in->failed = true;
	}
	if (!at_wire_done(in)) {
		answer_broken("measure");
		goto release;
	}
	for (uint32_t i = 0; i < count && !status; i++)
		status = load_unit(
			units[i], &requests[i].image, &requests[i].image_bytes, &err);
	if (!status && !take_device(self))
		goto release;
	if (!status)
		status = note_clocks(self, requests, count, &has_clocks, &err);
	if (!status) {
		/* so that end_traces() ends only processes of this configuration */
		at_processes_note(&before);
		if (self->device->ops->has_changed_process)
			(void)self->device->ops->has_changed_process(self->device);
		if (how.counts)
			status = at_measure_context_count(
				held->context, requests, count, results, &err);
		else if (are_finals)
			status = at_measure_context_finals(
				held->context, requests, count, &how, results, &err);
		else
			status = at_measure_context_evaluate(
				held->context, &requests[0], &results[0], &err);
		/* Ends the processes that the kernel forked, but not earlier ones,
		   since a reference's library may have started those. The kernel may
		   have changed this process as well. */
		at_processes_kill_new(&before);
		at_processes_release(&before);
		results[0].left_traces |=
			self->device->ops->has_changed_process &&
			self->device->ops->has_changed_process(self->device);
		if (has_clocks) {
			/* Restores the clocks while the lock is held: other runs
			   measure on the board, too. If this fails, the coordinator
			   tries it once this process has ended. */
			const struct at_clocks none = { 0 };
			struct at_error reason = { 0 };

			if (at_device_set_clocks(self->device, &none, &reason)) {
				fprintf(stderr, "%s\n", reason.text);
				self->ends = true;
			} else {
				at_clocks_forget(&self->lock);
			}
		}
	}
	at_device_lock_drop(&self->lock);
	for (uint32_t i = 0; i < count; i++)
		self->ends = self->ends || results[i].device_lost ||
			     (!status && results[i].left_traces);
	if (status) {
		sent = answer_error(&err);
		goto release;
	}
	at_wire_put_u32(&body, count);
	for (uint32_t i = 0; i < count; i++)
		at_fields_put(&at_measure_result_fields, &results[i], &body);
	sent = answer(AT_MESSAGE_RESULTS, &body);
release:
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++) {
		free(units[i]);
		at_measure_request_release(&requests[i]);
		at_measure_result_release(&results[i]);
	}
	return sent;
}

static bool handle_ceilings(struct worker *self, struct at_wire_reader *in)
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
		answer_broken("ceilings");
		goto release;
	}
	/* makes room: ceilings are measured with large buffers */
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		release_held_setup(&self->setups[i]);
	status = load_unit(unit, &image, &bytes, &err);
	if (!status && !take_device(self))
		goto release;
	if (!status)
		status = at_clocks_give_back(&self->lock, &err);
	if (!status)
		status = at_ceilings_measure(
			self->device, image, bytes, &ceilings, &err);
	at_device_lock_drop(&self->lock);
	if (status) {
		sent = answer_error(&err);
	} else {
		at_fields_put(&at_ceilings_fields, &ceilings, &body);
		sent = answer(AT_MESSAGE_CEILED, &body);
	}
release:
	free(unit);
	free(image);
	return sent;
}

static void release(struct worker *self)
{
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		release_held_setup(&self->setups[i]);
	if (self->device)
		self->device->ops->close(self->device);
	at_device_lock_close(&self->lock);
}

/* ---- both ---- */

/* The handler of a message type in a role. */
struct handler {
	const char *role;
	enum at_message type;
	bool (*handle)(struct worker *self, struct at_wire_reader *in);
};

static const struct handler handlers[] = {
	{ "compile", AT_MESSAGE_COMPILE, handle_compile },
	{ "compile", AT_MESSAGE_TOOLCHAIN, handle_toolchain },
	{ "compile", AT_MESSAGE_COVER, handle_cover },
	{ "compile", AT_MESSAGE_WARM, handle_warm },
	{ "compile", AT_MESSAGE_ARCHITECTURES, handle_architectures },
	{ "measure", AT_MESSAGE_PROBE, handle_probe },
	{ "measure", AT_MESSAGE_OPEN, handle_open },
	{ "measure", AT_MESSAGE_SETUP, handle_setup },
	{ "measure", AT_MESSAGE_MEASURE, handle_measure },
	{ "measure", AT_MESSAGE_CEILINGS, handle_ceilings },
};

static bool serve(
	struct worker *self, const char *role, const struct at_message_header *header)
{
	struct at_wire_reader in;
	char *body;
	bool good = false;

	if (header->magic != AT_MESSAGE_MAGIC ||
		header->body_bytes > AT_MESSAGE_LIMIT_BYTES)
		return answer_broken("its header");
	current = header->number;
	body = at_malloc((size_t)header->body_bytes + 1);
	if (!read_request(body, (size_t)header->body_bytes))
		goto release;
	at_wire_reader_init(&in, body, (size_t)header->body_bytes);
	for (size_t i = 0; i < AT_COUNT_OF(handlers); i++)
		if (handlers[i].type == header->type &&
			!strcmp(handlers[i].role, role)) {
			good = self->not_woken.status ? answer_error(&self->not_woken)
						      : handlers[i].handle(self, &in);
			goto release;
		}
	answer_broken("its type");
release:
	free(body);
	return good;
}

/*
 * A compiler reads untrusted sources, and NVRTC runs in this process. So the process
 * may write only to the run's folder ($TMPDIR by now) and to the folder of units. The
 * C++ compiler is confined further, to the folder of its unit (kernel/cxx_tool.c).
 * Children are in the sandbox, too; so there is no sandbox if the compiler is a user's
 * script. False: the sandbox cannot be entered.
 */
static bool enter_sandbox(void)
{
	const char *temporary = getenv("TMPDIR");
	const char *const places[] = { temporary && temporary[0] ? temporary : "/tmp",
		getenv(AT_WORKER_UNITS) };
	const char *writable[AT_COUNT_OF(places)];
	struct at_sandbox sandbox;
	size_t count = 0;
	bool entered;

	for (size_t i = 0; i < AT_COUNT_OF(places); i++)
		if (places[i])
			writable[count++] = places[i];
	at_sandbox_prepare(writable, count, &sandbox);
	entered = at_sandbox_enter(&sandbox);
	if (!entered)
		fprintf(stderr,
			"cannot enter the sandbox for compilers: %s; " AT_SANDBOX_VARIABLE
			"=off goes without it\n",
			strerror(errno));
	at_sandbox_release(&sandbox);
	return entered;
}

/*
 * NVRTC runs in this process. It frees a unit's memory, and glibc would return that to
 * the system, which clears about 2,000 pages anew for the next unit. That costs 5 to 14
 * ms of a unit, a twelfth of the time of most. So up to 256 MiB are kept, enough for
 * all but the largest units. Single blocks from 32 MiB on, glibc's limit, are still
 * returned at once.
 */
static void keep_memory(void)
{
#ifdef __GLIBC__
	(void)mallopt(M_TRIM_THRESHOLD, 256 << 20);
	(void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
	(void)mallopt(M_TOP_PAD, 4 << 20);
#endif
}

int at_worker_main(char *const *words)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2,
		SIGPIPE, SIGXCPU, SIGXFSZ };
	const char *role = words[0], *folder = getenv(AT_WORKER_FOLDER);
	struct worker self = { 0 };
	struct at_message_header header;
	int status = 0;

	if (words[1])
		at_guard_run(words + 1);
	/* a worker under another program has its guard above that program */
	if (getenv(AT_WORKER_WATCHED))
		at_processes_adopt();
	else
		at_guard_begin();
	main_process = getpid();
	at_guard_keep(AT_WORKER_DESCRIPTOR);
	/* The coordinator decides when a worker ends. A terminal or a batch system
	   signals all processes of a run; a worker's death by such a signal would count
	   as an outcome. Compilers started here inherit the ignored signals. */
	for (size_t i = 0; i < AT_COUNT_OF(ignored); i++)
		signal(ignored[i], SIG_IGN);
	/* the coordinator removes temporary files of killed workers with the run's
	   folder */
	if (folder)
		setenv("TMPDIR", folder, 1);
	at_cxx_prelude_keep(getenv(AT_WORKER_UNITS), folder);
	if (!strcmp(role, "compile"))
		keep_memory();
	if (!strcmp(role, "compile") && !at_cxx_tool_would_be_script() &&
		!enter_sandbox())
		return 1;
	while (!self.ends && read_request(&header, sizeof(header)))
		if (!serve(&self, role, &header)) {
			status = 1;
			break;
		}
	if (self.ends)
		_exit(0); /* a lost context may hang in its own clean-up */
	release(&self);
	return status;
}
