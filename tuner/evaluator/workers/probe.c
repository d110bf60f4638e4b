/* Asks worker processes for devices and compilers, and waits for their answers. */
#include "evaluator/workers/probe.h"

#include "base/memory.h"
#include "evaluator/workers/board.h"
#include "evaluator/workers/compilers.h"
#include "kernel/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* for a kind of device to count its devices */
#define PROBE_SECONDS 60.0

/* A process that counts the devices of a kind. */
struct probe {
	struct at_awaited answer;
	unsigned count;
	char *reason;
	size_t size;
};

static void probe_message(
	void *context, enum at_message type, const void *body, size_t size)
{
	struct probe *self = context;
	struct at_error text = { 0 }, err = { 0 };
	struct at_wire_reader in;

	at_wire_reader_init(&in, body, size);
	if (type == AT_MESSAGE_PROBED) {
		self->count = at_wire_get_u32(&in);
		at_wire_get_text_into(&in, text.text, sizeof(text.text));
		snprintf(self->reason, self->size, "%s", text.text);
	}
	if (type != AT_MESSAGE_PROBED || !at_wire_done(&in))
		at_fail(&err, AT_EPROTOCOL, NULL, 0, "a worker sent an odd answer");
	at_awaited_came(&self->answer, &err);
}

static void probe_ended(void *context, const struct at_worker_end *end)
{
	struct probe *self = context;

	/* a driver that crashes counts as no device */
	snprintf(self->reason, self->size, "the driver's library %s%s%s",
		end->timed_out ? "did not answer" : "ended the process that asked",
		end->text[0] ? ": " : "", end->text);
	at_awaited_came(&self->answer, NULL);
}

static const struct at_worker_events probe_events = { probe_message, probe_ended };

/* Counts the devices of a kind in a separate process. *reason (at least 1 byte): why
   there are none, or "". */
static enum at_status probe_kind(struct at_loop *loop, const char *kind,
	unsigned *count, char *reason, size_t size, struct at_error *err)
{
	struct probe self = { .answer.loop = loop, .reason = reason, .size = size };
	struct at_wire_writer body = { { 0 } };
	struct at_worker *worker;
	enum at_status status;
	char what[64];

	reason[0] = '\0';
	status = at_worker_spawn(loop, "measure", &probe_events, &self, &worker, err);
	if (status)
		return status;
	snprintf(what, sizeof(what), "asking which devices of kind %s there are", kind);
	at_worker_is_at(worker, NULL, what);
	at_wire_put_text(&body, kind);
	at_worker_send(worker, AT_MESSAGE_PROBE, &body);
	at_worker_deadline(worker, PROBE_SECONDS);
	status = at_loop_await(&self.answer, err);
	at_worker_free(worker);
	*count = self.count;
	return status;
}

struct opening {
	struct at_awaited answer;
	struct at_device_info *info;
};

static void opened(
	void *context, const struct at_device_info *info, const struct at_error *err)
{
	struct opening *self = context;

	if (!err)
		*self->info = *info;
	at_awaited_came(&self->answer, err);
}

enum at_status at_probe_open(struct at_loop *loop, struct at_board *board,
	struct at_device_info *info, struct at_error *err)
{
	struct opening self = { .answer.loop = loop, .info = info };
	enum at_status status;

	at_board_open(board, opened, &self);
	status = at_loop_await(&self.answer, err);
	if (!self.answer.is_there)
		at_board_cancel(board);
	return status;
}

/* A pending question to a compiler. */
struct question {
	struct at_awaited answer;
	char text[AT_TOOLCHAIN_TEXT_SIZE];
};

static void answered(void *context, const char *text, const struct at_error *err)
{
	struct question *self = context;

	if (!err)
		snprintf(self->text, sizeof(self->text), "%s", text);
	at_awaited_came(&self->answer, err);
}

static enum at_status await_answer(
	struct question *self, struct at_compilers *compilers, struct at_error *err)
{
	enum at_status status = at_loop_await(&self->answer, err);

	if (!self->answer.is_there)
		at_compilers_forget(compilers, self);
	return status;
}

enum at_status at_probe_toolchain(struct at_loop *loop, struct at_compilers *compilers,
	const char *toolchain, char *version, size_t size, struct at_error *err)
{
	struct question self = { .answer.loop = loop };
	enum at_status status;

	at_compilers_ask(compilers, AT_MESSAGE_TOOLCHAIN, toolchain, answered, &self);
	status = await_answer(&self, compilers, err);
	if (!status)
		snprintf(version, size, "%s", self.text);
	return status;
}

enum at_status at_probe_newest_architecture(struct at_loop *loop,
	struct at_compilers *compilers, char *name, size_t size, struct at_error *err)
{
	struct question self = { .answer.loop = loop };
	struct at_properties properties;
	char *rest = self.text, *word;
	enum at_status status;

	at_compilers_ask(compilers, AT_MESSAGE_ARCHITECTURES, AT_TOOLCHAIN_NVRTC,
		answered, &self);
	status = await_answer(&self, compilers, err);
	if (status)
		return status;
	name[0] = '\0';
	/* oldest first: the last known one is the newest */
	while ((word = strtok_r(rest, " ", &rest)))
		if (at_properties_of_architecture(word, &properties))
			snprintf(name, size, "%s", word);
	if (name[0])
		return AT_OK;
	return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
		"of the architectures that NVRTC compiles for none is known here; install another CUDA toolkit");
}

static void add_id(struct at_device_ids *out, const char *id)
{
	char(*grown)[32] = at_realloc(out->ids, (out->count + 1) * sizeof(*grown));

	out->ids = grown;
	for (size_t i = 0; i < out->count; i++)
		if (!strcmp(grown[i], id))
			return;
	snprintf(grown[out->count++], sizeof(*grown), "%s", id);
}

static enum at_status add_all(struct at_loop *loop, const struct at_device_kind *kind,
	struct at_device_ids *out, char *reason, size_t size, struct at_error *err)
{
	unsigned count = 0;
	enum at_status status = probe_kind(loop, kind->name, &count, reason, size, err);

	for (unsigned i = 0; i < count && !status; i++) {
		char id[32];

		at_device_id(kind, i, id, sizeof(id));
		add_id(out, id);
	}
	return status;
}

/* The devices to tune on if the user names none. */
static enum at_status add_default(struct at_loop *loop, struct at_device_ids *out,
	char *reason, size_t size, struct at_error *err)
{
	const struct at_device_kind *kind, *fallback = NULL;
	enum at_status status = AT_OK;
	char id[32], why[1024];

	for (size_t i = 0; (kind = at_device_kind_at(i)) && !status; i++) {
		if (kind->by_default == AT_DEVICE_FALLBACK && !fallback)
			fallback = kind;
		if (kind->by_default != AT_DEVICE_PREFERRED)
			continue;
		status = add_all(loop, kind, out, why, sizeof(why), err);
		/* of several reasons, report that of the first kind */
		if (!reason[0])
			snprintf(reason, size, "%s", why);
	}
	if (status)
		return status;
	if (out->count) {
		reason[0] = '\0';
		return AT_OK;
	}
	if (!fallback)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0, "%s", reason);
	at_device_id(fallback, 0, id, sizeof(id));
	add_id(out, id);
	return AT_OK;
}

enum at_status at_probe_resolve(struct at_loop *loop, const char *const *devices,
	size_t count, struct at_device_ids *out, char *reason, size_t size,
	struct at_error *err)
{
	enum at_status status = AT_OK;

	reason[0] = '\0';
	if (count == 0)
		return add_default(loop, out, reason, size, err);
	for (size_t i = 0; i < count && !status; i++) {
		struct at_device_choice choice;
		char id[32];

		status = at_device_resolve(devices[i], &choice, err);
		if (!status && choice.all) {
			status = add_all(loop, choice.kind, out, reason, size, err);
			if (!status && reason[0])
				status = at_fail(
					err, AT_EUNAVAILABLE, NULL, 0, "%s", reason);
		} else if (!status) {
			/* "cuda" and "cuda:0" are one device, which is listed once */
			at_device_id(choice.kind, choice.index, id, sizeof(id));
			add_id(out, id);
		}
	}
	return status;
}

void at_probe_tell_fallback(const char *id, const char *reason, char *out, size_t size)
{
	static const char no_driver[] = AT_DEVICE_NO_DRIVER;

	if (!strncmp(reason, no_driver, strlen(no_driver)))
		snprintf(out, size, "%s: tuning on the CPU", no_driver);
	else
		snprintf(out, size,
			"no GPU can be used, so this is done on device \"%s\": %s", id,
			reason);
}

/* ---- all devices here ---------------------------------------------------------- */

static enum at_status list_kind(struct at_loop *loop, const char *kind,
	struct at_device_listing *out, struct at_error *err)
{
	struct at_error reason = { 0 };
	unsigned count = 0;
	enum at_status status;

	snprintf(out->kind, sizeof(out->kind), "%s", kind);
	status = probe_kind(loop, kind, &count, out->reason, sizeof(out->reason), err);
	if (status)
		return status;
	out->devices = at_calloc((size_t)count + 1, sizeof(*out->devices));
	for (unsigned i = 0; i < count; i++) {
		struct at_board *board;
		char id[32];

		snprintf(id, sizeof(id), "%s:%u", kind, i);
		at_board_new(loop, id, &board);
		if (at_probe_open(loop, board, &out->devices[out->count], &reason))
			snprintf(out->reason, sizeof(out->reason), "%.*s",
				(int)sizeof(out->reason) - 1, reason.text);
		else
			out->count++;
		at_board_free(board);
	}
	return AT_OK;
}

enum at_status at_probe_list_devices(const char *executable,
	struct at_device_listing **out, size_t *count, struct at_error *err)
{
	struct at_device_listing *listings;
	struct at_loop *loop;
	size_t kinds = 0;
	enum at_status status;

	while (at_device_kind_at(kinds))
		kinds++;
	listings = at_calloc(kinds + 1, sizeof(*listings));
	status = at_loop_new(executable, &loop, err);
	if (status) {
		free(listings);
		return status;
	}
	for (size_t i = 0; i < kinds && !status; i++)
		status = list_kind(loop, at_device_kind_at(i)->name, &listings[i], err);
	at_loop_free(loop);
	if (status) {
		at_probe_free_devices(listings, kinds);
		return status;
	}
	*out = listings;
	*count = kinds;
	return AT_OK;
}

void at_probe_free_devices(struct at_device_listing *listings, size_t count)
{
	for (size_t i = 0; listings && i < count; i++)
		free(listings[i].devices);
	free(listings);
}
