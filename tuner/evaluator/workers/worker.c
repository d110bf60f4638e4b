/* The worker's side: a loop that reads a message, does it, answers. */
#include "evaluator/workers/worker.h"
#include "measure/ceilings.h"
#include "evaluator/workers/lock.h"
#include "evaluator/workers/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

struct worker {
	struct at_device *device;
	struct at_measure_setup setup;
	struct at_bench *bench;
	struct at_device_lock lock;
	bool ends; /* the device is lost: answer, then end the process */
};

static bool read_all(void *data, size_t size)
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

static bool write_all(const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		ssize_t put = write(AT_WORKER_DESCRIPTOR, at, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		at += put;
		size -= (size_t)put;
	}
	return true;
}

/* takes the writer's bytes */
static bool answer(enum at_message type, struct at_wire_writer *body)
{
	struct at_message_header header = { AT_MESSAGE_MAGIC, type,
		body->bytes.length };
	bool sent = !body->bytes.failed && write_all(&header, sizeof(header)) &&
		    write_all(at_strbuf_text(&body->bytes), body->bytes.length);

	at_strbuf_release(&body->bytes);
	return sent;
}

static bool answer_failure(const struct at_error *err)
{
	struct at_wire_writer body = { { 0 } };

	at_put_error(&body, err);
	return answer(AT_MESSAGE_FAILED, &body);
}

static bool broken(const char *what)
{
	fprintf(stderr, "a broken message: %s\n", what);
	return false;
}

static bool do_compile(struct worker *self, struct at_wire_reader *in)
{
	struct at_compile_request request;
	struct at_compile_result result = { 0 };
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	bool sent;

	(void)self;
	at_get_compile_request(in, &request);
	if (!at_wire_done(in)) {
		sent = broken("compile");
	} else if (at_compile(&request, &result, &err)) {
		sent = answer_failure(&err);
	} else {
		at_put_compile_result(&body, &result);
		sent = answer(AT_MESSAGE_COMPILED, &body);
	}
	at_compile_request_release(&request);
	at_compile_result_release(&result);
	return sent;
}

typedef enum at_status (*question)(
	const char *name, char *buffer, size_t size, struct at_error *err);

static bool answer_of_toolchain(struct at_wire_reader *in, question ask)
{
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	char name[AT_TOOLCHAIN_NAME_SIZE], text[AT_TOOLCHAIN_TEXT_SIZE];

	at_wire_get_text_into(in, name, sizeof(name));
	if (!at_wire_done(in))
		return broken("toolchain");
	if (ask(name, text, sizeof(text), &err))
		return answer_failure(&err);
	at_wire_put_text(&body, text);
	return answer(AT_MESSAGE_VERSION, &body);
}

static bool do_toolchain(struct worker *self, struct at_wire_reader *in)
{
	(void)self;
	return answer_of_toolchain(in, at_toolchain_version);
}

static bool do_architectures(struct worker *self, struct at_wire_reader *in)
{
	(void)self;
	return answer_of_toolchain(in, at_toolchain_architectures);
}

static bool do_probe(struct worker *self, struct at_wire_reader *in)
{
	const struct at_device_kind *kind;
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	unsigned count = 0;
	char name[32];

	(void)self;
	at_wire_get_text_into(in, name, sizeof(name));
	if (!at_wire_done(in))
		return broken("probe");
	if (at_device_kind_find(name, &kind, &err))
		return answer_failure(&err);
	if (kind->count(&count, &err))
		count = 0;
	at_wire_put_u32(&body, count);
	at_wire_put_text(&body, err.text);
	return answer(AT_MESSAGE_PROBED, &body);
}

static bool do_open(struct worker *self, struct at_wire_reader *in)
{
	struct at_device_choice choice;
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	char id[32];

	at_wire_get_text_into(in, id, sizeof(id));
	if (!at_wire_done(in) || self->device)
		return broken("open");
	if (at_device_resolve(id, &choice, &err) ||
		choice.kind->open(choice.index, &self->device, &err))
		return answer_failure(&err);
	at_device_lock_open(&self->lock, self->device->info.uuid[0]
						 ? self->device->info.uuid
						 : self->device->info.id);
	at_put_device_info(&body, &self->device->info);
	return answer(AT_MESSAGE_OPENED, &body);
}

static bool started(void)
{
	struct at_wire_writer body = { { 0 } };

	return answer(AT_MESSAGE_STARTED, &body);
}

static bool do_setup(struct worker *self, struct at_wire_reader *in)
{
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	enum at_status status;

	if (!self->device)
		return broken("a setup before a device");
	at_bench_free(self->bench);
	self->bench = NULL;
	at_measure_setup_release(&self->setup);
	at_get_setup(in, &self->setup);
	if (!at_wire_done(in))
		return broken("setup");
	at_device_lock_take(&self->lock);
	if (!started())
		return false;
	status = at_bench_new(self->device, &self->setup, NULL, &self->bench, &err);
	at_device_lock_drop(&self->lock);
	if (status)
		return answer_failure(&err);
	return answer(AT_MESSAGE_READY, &body);
}

static bool do_evaluate(struct worker *self, struct at_wire_reader *in)
{
	struct at_measure_request request;
	struct at_measure_result result = { 0 };
	struct at_wire_writer body = { { 0 } };
	struct at_error err = { 0 };
	enum at_status status;
	bool sent = false;

	at_get_request(in, &request);
	if (!at_wire_done(in) || !self->bench ||
		request.binding_count != self->setup.argument_count) {
		broken("evaluate");
		goto release;
	}
	at_device_lock_take(&self->lock);
	if (!started())
		goto release;
	status = at_bench_evaluate(self->bench, &request, &result, &err);
	at_device_lock_drop(&self->lock);
	self->ends = result.device_lost;
	if (status) {
		sent = answer_failure(&err);
		goto release;
	}
	at_put_result(&body, &result);
	sent = answer(AT_MESSAGE_RESULT, &body);
release:
	at_measure_request_release(&request);
	at_measure_result_release(&result);
	return sent;
}

static bool do_finals(struct worker *self, struct at_wire_reader *in)
{
	struct at_measure_request requests[AT_FINALISTS_MAX] = { 0 };
	struct at_measure_result results[AT_FINALISTS_MAX] = { 0 };
	struct at_wire_writer body = { { 0 } };
	uint32_t rounds = at_wire_get_u32(in);
	uint64_t seed = at_wire_get_u64(in);
	uint32_t count = at_wire_get_u32(in);
	struct at_error err = { 0 };
	enum at_status status;
	bool sent = false;

	if (!self->bench || count < 1 || count > AT_FINALISTS_MAX || rounds > 10000)
		in->failed = true;
	for (uint32_t i = 0; !in->failed && i < count; i++) {
		at_get_request(in, &requests[i]);
		if (requests[i].binding_count != self->setup.argument_count)
			in->failed = true;
	}
	if (!at_wire_done(in)) {
		broken("finals");
		goto release;
	}
	at_device_lock_take(&self->lock);
	if (!started())
		goto release;
	status = at_bench_finals(
		self->bench, requests, count, rounds, seed, results, &err);
	at_device_lock_drop(&self->lock);
	if (status) {
		sent = answer_failure(&err);
		goto release;
	}
	at_wire_put_u32(&body, count);
	for (uint32_t i = 0; i < count; i++) {
		self->ends = self->ends || results[i].device_lost;
		at_put_result(&body, &results[i]);
	}
	sent = answer(AT_MESSAGE_RESULTS, &body);
release:
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++) {
		at_measure_request_release(&requests[i]);
		at_measure_result_release(&results[i]);
	}
	return sent;
}

static bool do_ceilings(struct worker *self, struct at_wire_reader *in)
{
	struct at_ceilings ceilings;
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	enum at_status status;
	size_t bytes;
	unsigned char *image = at_wire_get_copy(in, &bytes);
	bool sent = false;

	if (!at_wire_done(in) || !self->device) {
		broken("ceilings");
		goto release;
	}
	/* its buffers would be in the way */
	at_bench_free(self->bench);
	self->bench = NULL;
	at_device_lock_take(&self->lock);
	if (!started())
		goto release;
	status = at_ceilings_measure(self->device, image, bytes, &ceilings, &err);
	at_device_lock_drop(&self->lock);
	if (status) {
		sent = answer_failure(&err);
	} else {
		at_put_ceilings(&body, &ceilings);
		sent = answer(AT_MESSAGE_CEILED, &body);
	}
release:
	free(image);
	return sent;
}

struct duty {
	const char *role;
	enum at_message type;
	bool (*work)(struct worker *self, struct at_wire_reader *in);
};

static const struct duty duties[] = {
	{ "compile", AT_MESSAGE_COMPILE, do_compile },
	{ "compile", AT_MESSAGE_TOOLCHAIN, do_toolchain },
	{ "compile", AT_MESSAGE_ARCHITECTURES, do_architectures },
	{ "measure", AT_MESSAGE_PROBE, do_probe },
	{ "measure", AT_MESSAGE_OPEN, do_open },
	{ "measure", AT_MESSAGE_SETUP, do_setup },
	{ "measure", AT_MESSAGE_EVALUATE, do_evaluate },
	{ "measure", AT_MESSAGE_FINALS, do_finals },
	{ "measure", AT_MESSAGE_CEILINGS, do_ceilings },
};

static bool serve(
	struct worker *self, const char *role, const struct at_message_header *header)
{
	struct at_wire_reader in;
	char *body;
	bool good = false;

	if (header->magic != AT_MESSAGE_MAGIC ||
		header->body_bytes > AT_MESSAGE_LIMIT_BYTES)
		return broken("its header");
	body = malloc((size_t)header->body_bytes + 1);
	if (!body)
		return broken("no memory for it");
	if (!read_all(body, (size_t)header->body_bytes))
		goto release;
	at_wire_reader_init(&in, body, (size_t)header->body_bytes);
	for (size_t i = 0; i < sizeof(duties) / sizeof(duties[0]); i++)
		if (duties[i].type == header->type && !strcmp(duties[i].role, role)) {
			good = duties[i].work(self, &in);
			goto release;
		}
	broken("its type");
release:
	free(body);
	return good;
}

/* a worker must not outlive the coordinator, not even one that is killed */
static void die_with_parent(void)
{
#ifdef __linux__
	const char *parent = getenv(AT_WORKER_PARENT);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* it may have died before that took effect */
	if (parent && atol(parent) != (long)getppid())
		_exit(1);
#endif
	/* the coordinator decides when it ends */
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	/* a compiler that is started here must not hold the channel open */
	fcntl(AT_WORKER_DESCRIPTOR, F_SETFD, FD_CLOEXEC);
}

/* a worker that is killed leaves its files to the coordinator */
static void move_temporary_files(void)
{
	const char *folder = getenv(AT_WORKER_FOLDER);

	if (folder)
		setenv("TMPDIR", folder, 1);
}

int at_worker_main(const char *role)
{
	struct worker self = { 0 };
	struct at_message_header header;
	int status = 0;

	die_with_parent();
	move_temporary_files();
	while (!self.ends && read_all(&header, sizeof(header)))
		if (!serve(&self, role, &header)) {
			status = 1;
			break;
		}
	if (self.ends)
		_exit(0); /* a lost context may hang in its own clean-up */
	at_bench_free(self.bench);
	at_measure_setup_release(&self.setup);
	if (self.device)
		self.device->ops->close(self.device);
	at_device_lock_close(&self.lock);
	return status;
}
