/* The worker's side: a loop that reads a message, executes it and answers. A process
   that dies takes only its worker along. A worker that gets malformed messages ends
   itself. */
#include "evaluator/workers/worker.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/processes.h"
#include "base/sandbox.h"
#include "base/scratch.h"
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
	/* of the current request: its body, the body of its answer, and the error that
	   is answered instead */
	struct at_wire_reader in;
	struct at_wire_writer out;
	struct at_error err;
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

/*
 * Handlers read the body of a request, execute it, and write the body of the answer; an
 * error is answered instead. A handler that does not read a body to its end, or makes
 * the reader fail, does nothing else: the message is broken.
 */

/* ---- a compile worker ---- */

static enum at_status handle_compile(struct worker *self)
{
	struct at_compile_request request;
	struct at_compile_result result = { 0 };
	char *path = at_wire_get_text(&self->in);
	enum at_status status = AT_EPROTOCOL;

	at_fields_get(&at_compile_request_fields, &self->in, &request);
	if (at_wire_done(&self->in))
		status = at_compile(&request, &result, &self->err);
	if (!status && path[0] && at_unit_may_be_kept(&result))
		status = at_unit_write(path, &result, &self->err);
	/* the measure worker reads the image from the file */
	free(result.image);
	result.image = NULL;
	result.image_bytes = 0;
	if (!status)
		at_fields_put(&at_compile_result_fields, &result, &self->out);
	free(path);
	at_compile_request_release(&request);
	at_compile_result_release(&result);
	return status;
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

static enum at_status handle_cover(struct worker *self)
{
	char *path = at_wire_get_text(&self->in),
	     *problem = at_wire_get_text(&self->in);
	const double seconds = at_wire_get_real(&self->in);
	const uint64_t end_ns = at_wire_get_u64(&self->in);
	const uint32_t count = at_wire_get_count(&self->in, sizeof(uint32_t));
	uint16_t *configuration = at_calloc(count + 1, sizeof(*configuration));
	struct at_strbuf text = { 0 };
	struct at_spec *spec = NULL;
	enum at_status status = AT_EPROTOCOL;

	for (uint32_t i = 0; i < count; i++)
		configuration[i] = (uint16_t)at_wire_get_u32(&self->in);
	if (at_wire_done(&self->in))
		status = at_spec_load(path, &spec, &self->err);
	if (!status)
		status = cover(spec, problem, configuration, count, seconds, end_ns,
			&text, &self->err);
	if (status) {
		/* no reason to end a run */
		struct at_json *json = at_json_object();

		at_strbuf_clear(&text);
		at_json_set(json, "reason", self->err.text);
		at_json_write(json, 0, &text);
		at_json_free(json);
	}
	at_wire_put_text(&self->out, at_strbuf_text(&text));
	at_spec_free(spec);
	at_strbuf_release(&text);
	free(configuration);
	free(problem);
	free(path);
	return AT_OK;
}

/* A question to a toolchain with a text as answer. */
typedef enum at_status (*question)(
	const char *name, char *buffer, size_t size, struct at_error *err);

static enum at_status answer_of_toolchain(struct worker *self, question ask)
{
	char name[AT_TOOLCHAIN_NAME_SIZE], text[AT_TOOLCHAIN_TEXT_SIZE];
	enum at_status status = AT_EPROTOCOL;

	at_wire_get_text_into(&self->in, name, sizeof(name));
	if (at_wire_done(&self->in))
		status = ask(name, text, sizeof(text), &self->err);
	if (!status)
		at_wire_put_text(&self->out, text);
	return status;
}

static enum at_status handle_warm(struct worker *self)
{
	char name[AT_TOOLCHAIN_NAME_SIZE];

	at_wire_get_text_into(&self->in, name, sizeof(name));
	if (at_wire_done(&self->in))
		at_toolchain_warm(name);
	return AT_OK;
}

static enum at_status handle_toolchain(struct worker *self)
{
	return answer_of_toolchain(self, at_toolchain_version);
}

static enum at_status handle_architectures(struct worker *self)
{
	return answer_of_toolchain(self, at_toolchain_architectures);
}

/* ---- a measure worker ---- */

static enum at_status handle_probe(struct worker *self)
{
	const struct at_device_kind *kind;
	enum at_status status = AT_EPROTOCOL;
	unsigned count = 0;
	char name[32];

	at_wire_get_text_into(&self->in, name, sizeof(name));
	if (at_wire_done(&self->in))
		status = at_device_kind_find(name, &kind, &self->err);
	if (status)
		return status;
	if (kind->count(&count, &self->err))
		count = 0;
	at_wire_put_u32(&self->out, count);
	at_wire_put_text(&self->out, self->err.text);
	return AT_OK;
}

static enum at_status handle_open(struct worker *self)
{
	struct at_device_choice choice;
	enum at_status status = AT_EPROTOCOL;
	char id[32];

	at_wire_get_text_into(&self->in, id, sizeof(id));
	self->in.failed |= self->device != NULL;
	if (at_wire_done(&self->in))
		status = at_device_resolve(id, &choice, &self->err);
	if (status)
		return status;
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
	status = choice.kind->open(choice.index, &self->device, &self->err);
	if (status)
		return status;
	at_device_lock_open(&self->lock, self->device->info.uuid[0]
						 ? self->device->info.uuid
						 : self->device->info.id);
	at_guard_keep(self->lock.file);
	if (!self->device->ops->set_clocks && !self->device->info.no_clocks[0])
		snprintf(self->device->info.no_clocks,
			sizeof(self->device->info.no_clocks),
			"this device has none that can be set");
	at_fields_put(&at_device_info_fields, &self->device->info, &self->out);
	return AT_OK;
}

/* Takes the device's lock; if another run has it, reports this to the coordinator and
   waits. */
static enum at_status take_device(struct worker *self, struct at_error *err)
{
	struct at_wire_writer waiting = { { 0 } }, started = { { 0 } };
	bool is_told = true;
	int64_t owner;

	if (!at_device_lock_try(&self->lock, &owner)) {
		at_wire_put_i64(&waiting, owner);
		is_told = answer(AT_MESSAGE_WAITING, &waiting);
		if (is_told)
			at_device_lock_take(&self->lock);
	}
	return is_told && answer(AT_MESSAGE_STARTED, &started)
		       ? AT_OK
		       : at_fail(err, AT_EIO, NULL, 0, "the coordinator is gone");
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

static void put_ready(struct worker *self, struct at_wire_writer *out)
{
	struct at_strbuf neighbours = { 0 };
	uint32_t count = 0;

	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		count += self->setups[i].context != NULL;
	at_wire_put_u32(out, count);
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++) {
		if (!self->setups[i].context)
			continue;
		at_wire_put_u64(out, self->setups[i].id.low);
		at_wire_put_u64(out, self->setups[i].id.high);
	}
	at_device_add_neighbours(self->device, &neighbours);
	at_wire_put_text(out, at_strbuf_text(&neighbours));
	at_wire_put_text(out, self->lock.why);
	at_strbuf_release(&neighbours);
}

static enum at_status handle_setup(struct worker *self)
{
	struct at_hash id = get_hash(&self->in);
	char *support = at_wire_get_text(&self->in),
	     *reference = at_wire_get_text(&self->in);
	char *wide = at_wire_get_text(&self->in);
	struct at_measure_setup setup = { 0 };
	enum at_status status = AT_EPROTOCOL;

	at_get_setup(&self->in, &setup);
	self->in.failed |= !self->device;
	if (at_wire_done(&self->in))
		status = take_device(self, &self->err);
	setup.units = getenv(AT_WORKER_UNITS);
	if (!status && !find_held_setup(self, id)) {
		status = load_unit(support, &setup.support_image, &setup.support_bytes,
			&self->err);
		if (!status && reference[0])
			status = load_unit(reference, &setup.reference_image,
				&setup.reference_bytes, &self->err);
		if (!status && wide[0])
			status = load_unit(
				wide, &setup.wide_image, &setup.wide_bytes, &self->err);
		if (!status) {
			status = make_stage(self, id, &setup, &self->err);
			/* To the coordinator AT_ENOENT means that a unit is lost.
			   Compiling the unit again does not restore any other missing
			   file of a setup. */
			if (status == AT_ENOENT)
				self->err.status = AT_EINVAL;
		}
	}
	at_device_lock_drop(&self->lock);
	if (!status)
		put_ready(self, &self->out);
	at_measure_setup_release(&setup);
	free(support);
	free(reference);
	free(wide);
	return status;
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
static enum at_status handle_measure(struct worker *self)
{
	struct held_setup *held = find_held_setup(self, get_hash(&self->in));
	struct at_measure_request requests[AT_FINALISTS_MAX] = { 0 };
	struct at_measure_result results[AT_FINALISTS_MAX] = { 0 };
	struct at_processes before = { 0 };
	char *units[AT_FINALISTS_MAX] = { NULL };
	struct at_measure_finals how = { 0 };
	enum at_status status = AT_OK;
	bool are_finals, has_clocks = false;
	uint32_t count;

	at_fields_get(&at_measure_finals_fields, &self->in, &how);
	are_finals = how.blocks > 0;
	count = at_wire_get_u32(&self->in);
	if (count < 1 || count > AT_FINALISTS_MAX || how.blocks > AT_BLOCKS_MAX ||
		how.rounds > 10000 || !(how.energy_seconds <= ENERGY_SECONDS_MAX) ||
		(how.blocks > 0 ? how.rounds < 1 : !how.counts && count != 1))
		self->in.failed = true;
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++)
		if (how.launches[i] > LAUNCHES_MAX)
			self->in.failed = true;
	for (uint32_t i = 0; !self->in.failed && i < count; i++) {
		units[i] = at_wire_get_text(&self->in);
		at_get_request(&self->in, &requests[i]);
		if (!held || requests[i].binding_count != held->setup.argument_count)
			self->in.failed = true;
	}
	if (!at_wire_done(&self->in)) {
		status = AT_EPROTOCOL;
		count = 0;
	}
	for (uint32_t i = 0; i < count && !status; i++)
		status = load_unit(units[i], &requests[i].image,
			&requests[i].image_bytes, &self->err);
	if (!status)
		status = take_device(self, &self->err);
	if (!status)
		status = note_clocks(self, requests, count, &has_clocks, &self->err);
	if (!status) {
		/* so that end_traces() ends only processes of this configuration */
		at_processes_note(&before);
		if (self->device->ops->has_changed_process)
			(void)self->device->ops->has_changed_process(self->device);
		if (how.counts)
			status = at_measure_context_count(
				held->context, requests, count, results, &self->err);
		else if (are_finals)
			status = at_measure_context_finals(held->context, requests,
				count, &how, results, &self->err);
		else
			status = at_measure_context_evaluate(
				held->context, &requests[0], &results[0], &self->err);
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
	at_wire_put_u32(&self->out, count);
	for (uint32_t i = 0; i < count && !status; i++)
		at_fields_put(&at_measure_result_fields, &results[i], &self->out);
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++) {
		free(units[i]);
		at_measure_request_release(&requests[i]);
		at_measure_result_release(&results[i]);
	}
	return status;
}

static enum at_status handle_ceilings(struct worker *self)
{
	struct at_ceilings ceilings;
	char *unit = at_wire_get_text(&self->in);
	unsigned char *image = NULL;
	size_t bytes = 0;
	enum at_status status = AT_EPROTOCOL;

	/* makes room: ceilings are measured with large buffers */
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		release_held_setup(&self->setups[i]);
	self->in.failed |= !self->device;
	if (at_wire_done(&self->in))
		status = load_unit(unit, &image, &bytes, &self->err);
	if (!status)
		status = take_device(self, &self->err);
	if (!status)
		status = at_clocks_give_back(&self->lock, &self->err);
	if (!status)
		status = at_ceilings_measure(
			self->device, image, bytes, &ceilings, &self->err);
	at_device_lock_drop(&self->lock);
	if (!status)
		at_fields_put(&at_ceilings_fields, &ceilings, &self->out);
	free(unit);
	free(image);
	return status;
}

/* ---- both ---- */

/* The handler of a message type in a role, and the type of its answer. */
static const struct handler {
	const char *role;
	enum at_message type;
	enum at_status (*handle)(struct worker *self);
	enum at_message answer; /* AT_MESSAGE_NONE: no answer */
} handlers[] = {
	{ "compile", AT_MESSAGE_COMPILE, handle_compile, AT_MESSAGE_COMPILED },
	{ "compile", AT_MESSAGE_TOOLCHAIN, handle_toolchain, AT_MESSAGE_VERSION },
	{ "compile", AT_MESSAGE_COVER, handle_cover, AT_MESSAGE_VERSION },
	{ "compile", AT_MESSAGE_WARM, handle_warm, AT_MESSAGE_NONE },
	{ "compile", AT_MESSAGE_ARCHITECTURES, handle_architectures,
		AT_MESSAGE_VERSION },
	{ "measure", AT_MESSAGE_PROBE, handle_probe, AT_MESSAGE_PROBED },
	{ "measure", AT_MESSAGE_OPEN, handle_open, AT_MESSAGE_OPENED },
	{ "measure", AT_MESSAGE_SETUP, handle_setup, AT_MESSAGE_READY },
	{ "measure", AT_MESSAGE_MEASURE, handle_measure, AT_MESSAGE_RESULTS },
	{ "measure", AT_MESSAGE_CEILINGS, handle_ceilings, AT_MESSAGE_CEILED },
};

/* Executes a request and answers it. */
static bool execute(struct worker *self, const struct handler *handler)
{
	enum at_status status;
	bool good = true;

	if (self->not_woken.status)
		return answer_error(&self->not_woken);
	self->err = (struct at_error){ 0 };
	status = handler->handle(self);
	if (!at_wire_done(&self->in))
		good = answer_broken("its body");
	else if (status)
		good = answer_error(&self->err);
	else if (handler->answer)
		good = answer(handler->answer, &self->out);
	at_strbuf_release(&self->out.bytes);
	/* the coordinator can now compile while the device wakes */
	if (good && !status && handler->type == AT_MESSAGE_OPEN &&
		self->device->ops->wake)
		(void)!self->device->ops->wake(self->device, &self->not_woken);
	return good;
}

static bool serve(
	struct worker *self, const char *role, const struct at_message_header *header)
{
	const struct handler *handler = handlers;
	char *body;
	bool good;

	if (header->magic != AT_MESSAGE_MAGIC ||
		header->body_bytes > AT_MESSAGE_LIMIT_BYTES)
		return answer_broken("its header");
	current = header->number;
	while (handler < handlers + AT_COUNT_OF(handlers) &&
		(handler->type != header->type || strcmp(handler->role, role) != 0))
		handler++;
	if (handler == handlers + AT_COUNT_OF(handlers))
		return answer_broken("its type");
	body = at_malloc((size_t)header->body_bytes + 1);
	good = read_request(body, (size_t)header->body_bytes);
	at_wire_reader_init(&self->in, body, (size_t)header->body_bytes);
	good = good && execute(self, handler);
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
	const char *const places[] = { at_scratch_place(), getenv(AT_WORKER_UNITS) };
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
	if (!strcmp(role, "compile")) {
		/* NVRTC runs in this process. It frees a unit's memory, and glibc would
		   return that to the system, which clears about 2,000 pages anew for
		   the next unit. That costs 5 to 14 ms of a unit, a twelfth of the time
		   of most. So up to 256 MiB are kept, enough for all but the largest
		   units. Single blocks from 32 MiB on, glibc's limit, are still
		   returned at once. */
#ifdef __GLIBC__
		(void)mallopt(M_TRIM_THRESHOLD, 256 << 20);
		(void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
		(void)mallopt(M_TOP_PAD, 4 << 20);
#endif
		if (!at_cxx_tool_would_be_script() && !enter_sandbox())
			return 1;
	}
	while (!self.ends && read_request(&header, sizeof(header)))
		if (!serve(&self, role, &header)) {
			status = 1;
			break;
		}
	if (self.ends)
		_exit(0); /* a lost context may hang in its own clean-up */
	for (size_t i = 0; i < AT_WORKER_SETUPS; i++)
		release_held_setup(&self.setups[i]);
	if (self.device)
		self.device->ops->close(self.device);
	at_device_lock_close(&self.lock);
	return status;
}
