/* The compiler pool: looks units up in the folder and compiles the missing ones. The
   compilers are in compilers.c, the format and folder of units in kernel/units.c. */
#include "evaluator/workers/compile_queue.h"

#include "base/file.h"
#include "base/memory.h"
#include "evaluator/workers/worker.h"
#include "kernel/toolchain.h"
#include "kernel/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A caller that waits for a unit. */
struct request {
	struct request *next;
	at_unit_ready done;
	void *context; /* NULL: forgotten */
};

/* A unit that some callers wait for. */
struct order {
	struct order *next;
	struct at_compile_queue *compile_queue;
	struct at_hash id;
	struct at_hash unit; /* the name of its file: at_toolchain_unit() */
	char *path;
	/* the request, for compiling into another folder; may be empty */
	struct at_strbuf request;
	struct request *requests;
	struct at_compile_result found; /* from the folder */
	bool was_found; /* in the folder; the loop will answer */
	bool is_fulfilled; /* its callers are being answered */
};

struct at_compile_queue {
	struct at_loop *loop;
	struct at_compilers *compilers;
	char *folder;
	/* 0: the folder belongs to this run, and is removed with it */
	uint64_t limit_bytes;
	char note[1024]; /* why the user's folder is not used; "": it is used */
	bool note_was_told;
	struct order *orders;
	bool hands_over; /* hand_over() is pending on the loop */
};

/* Uses a folder of the run's own, if the user's is unavailable or not wanted. */
static enum at_status use_own_folder(
	struct at_compile_queue *self, struct at_error *err)
{
	const char *place = at_loop_folder(self->loop);

	if (!place[0])
		return at_fail(err, AT_EIO, NULL, 0,
			"no folder for compiled kernels: TMPDIR (or /tmp) cannot be written to");
	self->folder = at_path_join(place, "units");
	return at_directory_make(self->folder, err);
}

enum at_status at_compile_queue_new(struct at_loop *loop, unsigned jobs, bool fresh,
	struct at_compile_queue **out, struct at_error *err)
{
	struct at_compile_queue *self = at_calloc(1, sizeof(*self));
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;

	self->loop = loop;
	status = fresh ? AT_EUNAVAILABLE
		       : at_units_folder(&self->folder, &self->limit_bytes, &reason);
	if (status == AT_EUNAVAILABLE) {
		snprintf(self->note, sizeof(self->note), "%.1000s", reason.text);
		self->limit_bytes = 0;
		status = use_own_folder(self, err);
	} else if (status && err && !err->status) {
		*err = reason;
	}
	/* before any compiler starts, since its sandbox permits writing only there */
	if (!status && setenv(AT_WORKER_UNITS, self->folder, 1) < 0)
		at_memory_out();
	if (!status)
		at_compilers_new(loop, jobs, &self->compilers);
	if (status) {
		at_compile_queue_free(self);
		return status;
	}
	*out = self;
	return AT_OK;
}

static void free_order(struct order *order)
{
	while (order->requests) {
		struct request *next = order->requests->next;

		free(order->requests);
		order->requests = next;
	}
	at_compile_result_release(&order->found);
	at_strbuf_release(&order->request);
	free(order->path);
	free(order);
}

void at_compile_queue_free(struct at_compile_queue *self)
{
	if (!self)
		return;
	at_loop_forget(self->loop, self);
	at_compilers_free(self->compilers);
	while (self->orders) {
		struct order *next = self->orders->next;

		free_order(self->orders);
		self->orders = next;
	}
	if (self->limit_bytes)
		at_units_trim(self->folder, self->limit_bytes, NULL);
	free(self->folder);
	free(self);
}

static void unlink_order(struct at_compile_queue *self, struct order *order)
{
	struct order **link = &self->orders;

	while (*link != order)
		link = &(*link)->next;
	*link = order->next;
}

/* Answers all callers that wait for the unit. A callback may forget other callers, so
   the order stays in the list, where at_compile_queue_forget() finds it. A request for
   the unit meanwhile makes a new order. */
static void fulfil(struct order *order, const struct at_compile_result *result,
	const struct at_error *err)
{
	order->is_fulfilled = true;
	for (struct request *request = order->requests; request;
		request = request->next)
		if (request->context)
			request->done(request->context, err ? NULL : order->path,
				err ? NULL : result, err);
	unlink_order(order->compile_queue, order);
	free_order(order);
}

static void compiled(
	void *context, struct at_compile_result *result, const struct at_error *err);

/* The user's folder exists but is full or not writable. From now on this run uses its
   own folder, and the order is compiled into that. */
static enum at_status compile_elsewhere(
	struct order *order, const struct at_error *reason, struct at_error *err)
{
	struct at_compile_queue *self = order->compile_queue;
	struct at_compile_request request;
	struct at_wire_reader in;
	char *users = self->folder;
	enum at_status status = AT_OK;

	if (self->limit_bytes) {
		self->folder = NULL;
		status = use_own_folder(self, err);
		if (status) {
			free(self->folder);
			self->folder = users;
			return status;
		}
		free(users);
		self->limit_bytes = 0;
		self->note_was_told = false;
		snprintf(self->note, sizeof(self->note), "%.500s%s%.400s", reason->file,
			reason->file[0] ? ": " : "", reason->text);
	}
	free(order->path);
	order->path = at_unit_path(self->folder, order->unit);
	at_wire_reader_init(
		&in, at_strbuf_text(&order->request), order->request.length);
	at_fields_get(&at_compile_request_fields, &in, &request);
	status = at_compilers_submit(
		self->compilers, &request, order->path, true, compiled, order, err);
	at_compile_request_release(&request);
	/* this happens once for an order */
	at_strbuf_release(&order->request);
	return status;
}

static void compiled(
	void *context, struct at_compile_result *result, const struct at_error *err)
{
	struct order *order = context;
	struct at_error reason = { 0 };

	/* another folder helps only if this file was the reason */
	if (!err || err->status != AT_EIO || !order->request.length ||
		strncmp(err->file, order->path, sizeof(err->file) - 1) != 0)
		fulfil(order, result, err);
	else if (compile_elsewhere(order, err, &reason))
		fulfil(order, NULL, &reason);
}

/* Answers the callers of all units found in the folder. */
static void hand_over(void *context)
{
	struct at_compile_queue *self = context;
	struct order *order = self->orders;

	self->hands_over = false;
	/* fulfilling an order may add or remove others: restart each time */
	while (order) {
		if (!order->was_found || order->is_fulfilled) {
			order = order->next;
			continue;
		}
		fulfil(order, &order->found, NULL);
		order = self->orders;
	}
}

static void add_request(struct order *order, at_unit_ready done, void *context)
{
	struct request *request = at_malloc(sizeof(*request));

	*request = (struct request){ order->requests, done, context };
	order->requests = request;
}

enum at_status at_compile_queue_want(struct at_compile_queue *self,
	const struct at_compile_request *request, struct at_hash id, bool urgent,
	at_unit_ready done, void *context, struct at_error *err)
{
	struct order *order;
	enum at_status status = AT_OK;

	for (order = self->orders; order; order = order->next)
		if (at_hash_equal(order->id, id) && !order->is_fulfilled) {
			add_request(order, done, context);
			if (urgent)
				at_compilers_urge(self->compilers, order);
			return AT_OK;
		}
	order = at_calloc(1, sizeof(*order));
	order->compile_queue = self;
	order->id = id;
	order->unit = at_toolchain_unit(request->toolchain, id);
	order->path = at_unit_path(self->folder, order->unit);
	add_request(order, done, context);
	/* a unit that cannot be read, for whatever reason, is compiled */
	order->was_found = !at_unit_read(order->path, &order->found, false, NULL);
	if (order->was_found) {
		if (!self->hands_over)
			at_loop_later(self->loop, hand_over, self);
		self->hands_over = true;
	} else {
		struct at_wire_writer written = { { 0 } };

		if (self->limit_bytes)
			at_fields_put(&at_compile_request_fields, request, &written);
		order->request = written.bytes;
		status = at_compilers_submit(self->compilers, request, order->path,
			urgent, compiled, order, err);
	}
	if (status)
		goto release;
	order->next = self->orders;
	self->orders = order;
	return AT_OK;
release:
	free_order(order);
	return status;
}

void at_compile_queue_forget(struct at_compile_queue *self, const void *context)
{
	struct order *order = self->orders;

	while (order) {
		struct order *next = order->next;
		bool is_wanted = false;

		for (struct request *request = order->requests; request;
			request = request->next) {
			if (request->context == context)
				request->context = NULL;
			is_wanted = is_wanted || request->context;
		}
		/* a unit that is no longer wanted must not keep a compiler busy */
		if (!is_wanted && !order->was_found && !order->is_fulfilled) {
			at_compilers_forget(self->compilers, order);
			unlink_order(self, order);
			free_order(order);
		}
		order = next;
	}
}

double at_compile_queue_seconds(
	const struct at_compile_queue *self, const void *context)
{
	for (const struct order *order = self->orders; order; order = order->next)
		for (const struct request *request = order->requests; request;
			request = request->next)
			if (request->context == context)
				return at_compilers_seconds(self->compilers, order);
	return 0;
}

struct at_compilers *at_compile_queue_compilers(struct at_compile_queue *self)
{
	return self->compilers;
}

const char *at_compile_queue_note(struct at_compile_queue *self)
{
	bool was_told = self->note_was_told;

	self->note_was_told = true;
	return was_told ? "" : self->note;
}
