/* The worker's side: a loop that reads a message, does what it asks and answers. */
#include "evaluator/workers/worker.h"
#include "base/processes.h"
#include "base/sandbox.h"
#include "evaluator/workers/guard.h"
#include "evaluator/workers/worker_parts.h"
#include "kernel/cxx_prelude.h"
#include "kernel/cxx_tool.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How a worker of a role handles a type of message. */
struct handler {
	const char *role;
	enum at_message type;
	bool (*handle)(struct at_worker_state *self, struct at_wire_reader *in);
};

static const struct handler handlers[] = {
	{ "compile", AT_MESSAGE_COMPILE, at_handle_compile },
	{ "compile", AT_MESSAGE_TOOLCHAIN, at_handle_toolchain },
	{ "compile", AT_MESSAGE_COVER, at_handle_cover },
	{ "compile", AT_MESSAGE_WARM, at_handle_warm },
	{ "compile", AT_MESSAGE_ARCHITECTURES, at_handle_architectures },
	{ "measure", AT_MESSAGE_PROBE, at_handle_probe },
	{ "measure", AT_MESSAGE_OPEN, at_handle_open },
	{ "measure", AT_MESSAGE_SETUP, at_handle_setup },
	{ "measure", AT_MESSAGE_EVALUATE, at_handle_evaluate },
	{ "measure", AT_MESSAGE_FINALS, at_handle_finals },
	{ "measure", AT_MESSAGE_CEILINGS, at_handle_ceilings },
};

static bool serve(struct at_worker_state *self, const char *role,
	const struct at_message_header *header)
{
	struct at_wire_reader in;
	char *body;
	bool good = false;

	if (header->magic != AT_MESSAGE_MAGIC ||
		header->body_bytes > AT_MESSAGE_LIMIT_BYTES)
		return at_respond_broken("its header");
	at_respond_to(header);
	body = at_malloc((size_t)header->body_bytes + 1);
	if (!at_request_read(body, (size_t)header->body_bytes))
		goto release;
	at_wire_reader_init(&in, body, (size_t)header->body_bytes);
	for (size_t i = 0; i < AT_COUNT_OF(handlers); i++)
		if (handlers[i].type == header->type &&
			!strcmp(handlers[i].role, role)) {
			good = self->not_woken.status
				       ? at_respond_error(&self->not_woken)
				       : handlers[i].handle(self, &in);
			goto release;
		}
	at_respond_broken("its type");
release:
	free(body);
	return good;
}

/*
 * The coordinator decides when a worker ends. A terminal or a batch system sends
 * signals to all processes of a run, and a worker that died of one would be an outcome.
 * Compilers that are started here inherit that they are ignored.
 */
static void ignore_signals(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2,
		SIGPIPE, SIGXCPU, SIGXFSZ };

	for (size_t i = 0; i < AT_COUNT_OF(ignored); i++)
		signal(ignored[i], SIG_IGN);
}

/* Puts temporary files into the run's folder: the coordinator removes those of killed
   workers. */
static void move_temporary_files(void)
{
	const char *folder = getenv(AT_WORKER_FOLDER);

	if (folder)
		setenv("TMPDIR", folder, 1);
	at_cxx_prelude_keep(getenv(AT_WORKER_UNITS), folder);
}

/*
 * A compiler reads sources of strangers, and NVRTC runs in this process. So the process
 * may write to the run's folder ($TMPDIR by now) and to the folder of units, and
 * nowhere else. The C++ compiler is confined further, to the folder of its unit
 * (kernel/cxx_tool.c). All that this process starts is in the sandbox, too; so there is
 * no sandbox where the compiler is a script of the user's. False: the sandbox cannot be
 * entered.
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
 * NVRTC runs in this process. It frees what a unit needed, and glibc would give that
 * back to the system, which clears about 2,000 pages anew for the next unit: 5 to 14 ms
 * of a unit, a twelfth of the time of most. So up to 256 MiB are kept, more than all
 * but the largest units need. Single blocks from 32 MiB on, the limit that glibc
 * allows, still go back at once.
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
	const char *role = words[0];
	struct at_worker_state self = { 0 };
	struct at_message_header header;
	int status = 0;

	if (words[1])
		at_guard_run(words + 1);
	/* a worker under another program has its guard above that program */
	if (getenv(AT_WORKER_WATCHED))
		at_processes_adopt();
	else
		at_guard_begin();
	at_respond_begin();
	at_guard_keep(AT_WORKER_DESCRIPTOR);
	ignore_signals();
	move_temporary_files();
	if (!strcmp(role, "compile"))
		keep_memory();
	if (!strcmp(role, "compile") && !at_cxx_tool_would_be_script() &&
		!enter_sandbox())
		return 1;
	while (!self.ends && at_request_read(&header, sizeof(header)))
		if (!serve(&self, role, &header)) {
			status = 1;
			break;
		}
	if (self.ends)
		_exit(0); /* a lost context may hang in its own clean-up */
	at_worker_state_release(&self);
	return status;
}
