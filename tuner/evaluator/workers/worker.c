/* The worker's side: a loop that reads a message, does it, answers. */
#include "evaluator/workers/worker.h"
#include "base/file.h"
#include "base/sandbox.h"
#include "kernel/cxx_prelude.h"
#include "kernel/cxx_tool.h"
#include "kernel/toolchain.h"
#include "kernel/units.h"
#include "measure/ceilings.h"
#include "base/processes.h"
#include "evaluator/workers/guard.h"
#include "evaluator/workers/lock.h"
#include "evaluator/workers/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A setup that the device holds. Several are kept side by side, so that the reference
 * of a problem runs once: the tuned problem, and those that winners are proved on.
 */
struct stage {
	struct at_hash id;
	struct at_measure_setup setup;
	struct at_bench *bench; /* NULL: the place is free */
	uint64_t used; /* the higher, the later */
};

/* of one sample of the finals: far more than any bench asks for */
#define LAUNCHES_MAX 1000

/* the tuned problem and as many proofs as spaces have; each holds device memory */
#define STAGES 12

struct worker {
	struct at_device *device;
	struct stage stages[STAGES];
	uint64_t use; /* counts */
	struct at_device_lock lock;
	struct at_error not_woken; /* why the device is of no use after all */
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

/* What a kernel has forked is no worker, and must not answer as one. */
static pid_t main_process;

/* takes the writer's bytes */
static bool answer(enum at_message type, struct at_wire_writer *body)
{
	struct at_message_header header = { AT_MESSAGE_MAGIC, type,
		body->bytes.length };
	bool sent;

	if (getpid() != main_process)
		_exit(1);
	errno = ENOMEM;
	sent = !body->bytes.failed &&
	       at_write_all(AT_WORKER_DESCRIPTOR, &header, sizeof(header)) &&
	       at_write_all(AT_WORKER_DESCRIPTOR, at_strbuf_text(&body->bytes),
		       body->bytes.length);
	/* for misfortune.c: without the reason the configuration would have it */
	if (!sent)
		fprintf(stderr, "cannot answer: %s\n", strerror(errno));
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
	char *path = at_wire_get_text(in);
	enum at_status status = AT_OK;
	bool sent;

	(void)self;
	at_get_compile_request(in, &request);
	if (!at_wire_done(in)) {
		sent = broken("compile");
		goto release;
	}
	status = at_compile(&request, &result, &err);
	if (!status && path[0] && at_unit_may_be_kept(&result))
		status = at_unit_write(path, &result, &err);
	if (status) {
		sent = answer_failure(&err);
		goto release;
	}
	/* the image went into the file: nobody between here and the board reads it */
	free(result.image);
	result.image = NULL;
	result.image_bytes = 0;
	at_put_compile_result(&body, &result);
	sent = answer(AT_MESSAGE_COMPILED, &body);
release:
	free(path);
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

static bool do_warm(struct worker *self, struct at_wire_reader *in)
{
	char name[AT_TOOLCHAIN_NAME_SIZE];

	(void)self;
	at_wire_get_text_into(in, name, sizeof(name));
	if (!at_wire_done(in))
		return broken("warm");
	at_toolchain_warm(name);
	return true;
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

/*
 * From what a kernel does in this process; before it has threads. Where the system
 * keeps nothing, a kernel's signal is told from a user's by nothing.
 */
static void spare_others(void)
{
	const char *parent = getenv(AT_WORKER_PARENT);
	const int64_t ours[] = { (int64_t)getppid(), parent ? atoll(parent) : 0 };

	if (!at_sandbox_keep_signals())
		(void)at_sandbox_spare(ours, ours[1] > 0 ? 2 : 1);
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
	if (at_device_resolve(id, &choice, &err))
		return answer_failure(&err);
	if (choice.kind->runs_here)
		spare_others();
	if ((choice.kind->begin ? choice.kind->begin : choice.kind->open)(
		    choice.index, &self->device, &err))
		return answer_failure(&err);
	at_device_lock_open(&self->lock, self->device->info.uuid[0]
						 ? self->device->info.uuid
						 : self->device->info.id);
	at_guard_keep(self->lock.file);
	at_put_device_info(&body, &self->device->info);
	if (!answer(AT_MESSAGE_OPENED, &body))
		return false;
	/* from here on the coordinator knows what to compile for, and does so meanwhile
	 */
	if (choice.kind->begin)
		(void)!self->device->ops->wake(self->device, &self->not_woken);
	return true;
}

static bool started(void)
{
	struct at_wire_writer body = { { 0 } };

	return answer(AT_MESSAGE_STARTED, &body);
}

/* the device is ours from here on; who has it meanwhile is told */
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

static void clear_stage(struct stage *stage)
{
	at_bench_free(stage->bench);
	at_measure_setup_release(&stage->setup);
	memset(stage, 0, sizeof(*stage));
}

static struct stage *find_stage(struct worker *self, struct at_hash id)
{
	for (size_t i = 0; i < STAGES; i++) {
		struct stage *stage = &self->stages[i];

		if (!stage->bench || !at_hash_equal(stage->id, id))
			continue;
		stage->used = ++self->use;
		return stage;
	}
	return NULL;
}

/* the one that was not used for longest; NULL: all are free */
static struct stage *oldest_stage(struct worker *self)
{
	struct stage *oldest = NULL;

	for (size_t i = 0; i < STAGES; i++)
		if (self->stages[i].bench &&
			(!oldest || self->stages[i].used < oldest->used))
			oldest = &self->stages[i];
	return oldest;
}

/* takes the image of a compiled unit out of its file */
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

/* takes *setup over; older setups make room where the device has none left */
static enum at_status make_stage(struct worker *self, struct at_hash id,
	struct at_measure_setup *setup, struct at_error *err)
{
	struct stage *stage = NULL;
	enum at_status status;

	for (size_t i = 0; i < STAGES && !stage; i++)
		if (!self->stages[i].bench)
			stage = &self->stages[i];
	if (!stage) {
		stage = oldest_stage(self);
		clear_stage(stage);
	}
	stage->id = id;
	stage->setup = *setup;
	memset(setup, 0, sizeof(*setup));
	for (;;) {
		struct stage *oldest = oldest_stage(self);
		struct at_error reason = { 0 };

		/* beside it: the tuner's own kernels are loaded once */
		status = at_bench_new(self->device, &stage->setup,
			oldest ? oldest->bench : NULL, &stage->bench, &reason);
		if (!status)
			break;
		if (status != AT_ENOMEM || !oldest) {
			at_measure_setup_release(&stage->setup);
			if (err && !err->status)
				*err = reason;
			return status;
		}
		clear_stage(oldest);
	}
	stage->used = ++self->use;
	return AT_OK;
}

static bool answer_ready(struct worker *self)
{
	struct at_wire_writer body = { { 0 } };
	struct at_strbuf neighbours = { 0 };
	uint32_t count = 0;

	for (size_t i = 0; i < STAGES; i++)
		count += self->stages[i].bench != NULL;
	at_wire_put_u32(&body, count);
	for (size_t i = 0; i < STAGES; i++) {
		if (!self->stages[i].bench)
			continue;
		at_wire_put_u64(&body, self->stages[i].id.low);
		at_wire_put_u64(&body, self->stages[i].id.high);
	}
	at_device_add_neighbours(self->device, &neighbours);
	at_wire_put_text(&body, at_strbuf_text(&neighbours));
	at_wire_put_text(&body, self->lock.why);
	at_strbuf_release(&neighbours);
	return answer(AT_MESSAGE_READY, &body);
}

static bool do_setup(struct worker *self, struct at_wire_reader *in)
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
		broken("setup");
		goto release;
	}
	if (!take_device(self))
		goto release;
	if (!find_stage(self, id)) {
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
			/* to whoever asked ENOENT means that a unit is lost; what else
			   a setup misses does not come back by compiling */
			if (status == AT_ENOENT)
				err.status = AT_EINVAL;
		}
	}
	at_device_lock_drop(&self->lock);
	sent = status ? answer_failure(&err) : answer_ready(self);
release:
	at_measure_setup_release(&setup);
	free(support);
	free(reference);
	free(wide);
	return sent;
}

/* a request as it is sent: the path of its unit, then the rest; false: broken */
static bool get_request(struct at_wire_reader *in, const struct stage *stage,
	struct at_measure_request *out, char **unit)
{
	*unit = at_wire_get_text(in);
	at_get_request(in, out);
	if (!stage || out->binding_count != stage->setup.argument_count)
		in->failed = true;
	return !in->failed;
}

/* What is to end with a configuration, so that no other one is disturbed by it. */
static void note_traces(struct worker *self, struct at_processes *before)
{
	at_processes_note(before);
	if (self->device->ops->has_left_traces)
		(void)self->device->ops->has_left_traces(self->device);
}

/*
 * What it has forked is ended. What was there before stays: a library that has the
 * reference may have started processes. True: it has changed the process as well.
 */
static bool end_traces(struct worker *self, struct at_processes *before)
{
	at_processes_kill_new(before);
	at_processes_release(before);
	return self->device->ops->has_left_traces &&
	       self->device->ops->has_left_traces(self->device);
}

static bool do_evaluate(struct worker *self, struct at_wire_reader *in)
{
	struct stage *stage = find_stage(self, get_hash(in));
	struct at_measure_request request = { 0 };
	struct at_measure_result result = { 0 };
	struct at_wire_writer body = { { 0 } };
	struct at_error err = { 0 };
	enum at_status status;
	char *unit = NULL;
	bool sent = false;

	if (!get_request(in, stage, &request, &unit) || !at_wire_done(in)) {
		broken("evaluate");
		goto release;
	}
	status = load_unit(unit, &request.image, &request.image_bytes, &err);
	if (!status && !take_device(self))
		goto release;
	if (!status) {
		struct at_processes before = { 0 };

		note_traces(self, &before);
		status = at_bench_evaluate(stage->bench, &request, &result, &err);
		result.left_traces = end_traces(self, &before);
	}
	at_device_lock_drop(&self->lock);
	self->ends = result.device_lost || (!status && result.left_traces);
	if (status) {
		sent = answer_failure(&err);
	} else {
		at_put_result(&body, &result);
		sent = answer(AT_MESSAGE_RESULT, &body);
	}
release:
	free(unit);
	at_measure_request_release(&request);
	at_measure_result_release(&result);
	return sent;
}

static bool do_finals(struct worker *self, struct at_wire_reader *in)
{
	struct stage *stage = find_stage(self, get_hash(in));
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
		get_request(in, stage, &requests[i], &units[i]);
	if (!at_wire_done(in)) {
		broken("finals");
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
			stage->bench, requests, count, &how, results, &err);
		results[0].left_traces = end_traces(self, &before);
	}
	at_device_lock_drop(&self->lock);
	for (uint32_t i = 0; i < count; i++)
		self->ends = self->ends || results[i].device_lost ||
			     (!status && results[i].left_traces);
	if (status) {
		sent = answer_failure(&err);
		goto release;
	}
	at_wire_put_u32(&body, count);
	for (uint32_t i = 0; i < count; i++)
		at_put_result(&body, &results[i]);
	sent = answer(AT_MESSAGE_RESULTS, &body);
release:
	for (uint32_t i = 0; i < AT_FINALISTS_MAX; i++) {
		free(units[i]);
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
	char *unit = at_wire_get_text(in);
	unsigned char *image = NULL;
	size_t bytes = 0;
	enum at_status status;
	bool sent = false;

	if (!at_wire_done(in) || !self->device) {
		broken("ceilings");
		goto release;
	}
	/* buffers of setups would be in the way */
	for (size_t i = 0; i < STAGES; i++)
		clear_stage(&self->stages[i]);
	status = load_unit(unit, &image, &bytes, &err);
	if (!status && !take_device(self))
		goto release;
	if (!status)
		status = at_ceilings_measure(
			self->device, image, bytes, &ceilings, &err);
	at_device_lock_drop(&self->lock);
	if (status) {
		sent = answer_failure(&err);
	} else {
		at_put_ceilings(&body, &ceilings);
		sent = answer(AT_MESSAGE_CEILED, &body);
	}
release:
	free(unit);
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
	{ "compile", AT_MESSAGE_WARM, do_warm },
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
			good = self->not_woken.status ? answer_failure(&self->not_woken)
						      : duties[i].work(self, &in);
			goto release;
		}
	broken("its type");
release:
	free(body);
	return good;
}

/* The coordinator decides when a worker ends: a terminal or a batch system tells all
   processes of a run, and one that died of it would be an outcome. Compilers that are
   started here inherit it. */
static void ignore_signals(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2,
		SIGPIPE, SIGXCPU, SIGXFSZ };

	for (size_t i = 0; i < AT_COUNT_OF(ignored); i++)
		signal(ignored[i], SIG_IGN);
}

/* a worker that is killed leaves its files to the coordinator */
static void move_temporary_files(void)
{
	const char *folder = getenv(AT_WORKER_FOLDER);

	if (folder)
		setenv("TMPDIR", folder, 1);
	at_cxx_prelude_keep(getenv(AT_WORKER_UNITS), folder);
}

/*
 * What a compiler reads is a stranger's, and NVRTC runs in this process: it writes to
 * the run's folder ($TMPDIR by now) and to that of compiled units, and nowhere else.
 * The C++ compiler is kept closer (kernel/cxx_tool.c), in the folder of its unit.
 * What it starts would be in here too, so that a script of the user's keeps all out.
 * False: it cannot be had.
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

int at_worker_main(char *const *words)
{
	const char *role = words[0];
	struct worker self = { 0 };
	struct at_message_header header;
	int status = 0;

	if (words[1])
		at_guard_run(words + 1);
	/* under another program the guard is above that */
	if (getenv(AT_WORKER_WATCHED))
		at_processes_adopt();
	else
		at_guard_begin();
	main_process = getpid();
	at_guard_keep(AT_WORKER_DESCRIPTOR);
	ignore_signals();
	move_temporary_files();
	if (!strcmp(role, "compile") && !at_cxx_tool_would_be_script() &&
		!enter_sandbox())
		return 1;
	while (!self.ends && read_all(&header, sizeof(header)))
		if (!serve(&self, role, &header)) {
			status = 1;
			break;
		}
	if (self.ends)
		_exit(0); /* a lost context may hang in its own clean-up */
	for (size_t i = 0; i < STAGES; i++)
		clear_stage(&self.stages[i]);
	if (self.device)
		self.device->ops->close(self.device);
	at_device_lock_close(&self.lock);
	return status;
}
