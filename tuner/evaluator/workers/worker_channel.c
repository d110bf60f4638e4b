/* The worker's end of the channel: how it reads requests and sends answers. */
#include "base/file.h"
#include "evaluator/workers/protocol.h"
#include "evaluator/workers/worker.h"
#include "evaluator/workers/worker_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

bool at_request_read(void *data, size_t size)
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

/* A process that a kernel has forked is no worker, and must not answer as one. */
static pid_t main_process;
/* number of the request that is being answered */
static uint64_t current;

void at_respond_begin(void)
{
	main_process = getpid();
}

void at_respond_to(const struct at_message_header *request)
{
	current = request->number;
}

/* Header and body together: sent one by one, each of them would wake the coordinator.
 */
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

bool at_respond(enum at_message type, struct at_wire_writer *body)
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

bool at_respond_error(const struct at_error *err)
{
	struct at_wire_writer body = { { 0 } };

	at_put_error(&body, err);
	return at_respond(AT_MESSAGE_FAILED, &body);
}

bool at_respond_broken(const char *what)
{
	fprintf(stderr, "a broken message: %s\n", what);
	return false;
}
