/* Reads a text with libconfig in a forked process: see config_read.h. prctl() and SYS_
   are not POSIX. */
#define _GNU_SOURCE
#include "space/config_read.h"

#include "base/memory.h"
#include "base/wire.h"
#include "space/config.h"

#include <errno.h>
#include <fcntl.h>
#include <libconfig.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Bytes per write; as much as a pipe holds. */
#define CHUNK_BYTES ((size_t)1 << 16)

/* The most bytes of a tree: a text of 16 MiB has at most a million values of 40 bytes
   each, and its names and strings once more. */
#define TREE_BYTES_MAX ((size_t)128 << 20)

/*
 * Seconds of processor time for libconfig. 1000 problems of 900 sizes, nearly as many
 * values as the scan lets pass, take less than two seconds; spaces take less than a
 * millisecond.
 */
#define SECONDS_MAX 30

/* The first u32 says what follows: a tree, or a line (u32) and libconfig's message. */
enum { TREE = 1, REFUSED = 2 };

struct sender {
	int file; /* -1: everything stays in the writer */
	struct at_wire_writer writer; /* for a file: CHUNK_BYTES, never grows */
	bool failed;
};

/* ---- the tree as bytes ---------------------------------------------------------- */

static void send_bytes(struct sender *self, const char *bytes, size_t size)
{
	while (size && !self->failed) {
		ssize_t sent = write(self->file, bytes, size);

		if (sent < 0 && errno == EINTR)
			continue;
		self->failed = sent <= 0;
		bytes += sent > 0 ? sent : 0;
		size -= sent > 0 ? (size_t)sent : 0;
	}
}

static void flush(struct sender *self)
{
	if (self->file < 0)
		return;
	send_bytes(
		self, at_strbuf_text(&self->writer.bytes), self->writer.bytes.length);
	at_strbuf_clear(&self->writer.bytes);
}

/* Where there is a file nothing may be allocated, so a long text bypasses the
   buffer. */
static void put_text(struct sender *self, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	if (self->file < 0 || length <= CHUNK_BYTES / 4) {
		at_wire_put_text(&self->writer, text);
		return;
	}
	at_wire_put_u64(&self->writer, length);
	flush(self);
	send_bytes(self, text, length);
}

static uint32_t kind_of(const config_setting_t *setting)
{
	switch (config_setting_type(setting)) {
	case CONFIG_TYPE_LIST: /* the scan leaves no CONFIG_TYPE_GROUP */
		return AT_CONFIG_LIST;
	case CONFIG_TYPE_ARRAY:
		return AT_CONFIG_ARRAY;
	case CONFIG_TYPE_INT64: /* config_scan.c leaves no CONFIG_TYPE_INT */
		return AT_CONFIG_INTEGER;
	case CONFIG_TYPE_FLOAT:
		return AT_CONFIG_REAL;
	case CONFIG_TYPE_BOOL:
		return AT_CONFIG_BOOLEAN;
	case CONFIG_TYPE_STRING:
		return AT_CONFIG_STRING;
	}
	/* No known libconfig gets here; a newer one may have more types. */
	return AT_CONFIG_NONE;
}

/* Recursive; the scan limits the depth. */
static void put_node(struct sender *self, config_setting_t *setting)
{
	uint32_t kind = kind_of(setting);
	uint32_t count = 0;

	if (self->writer.bytes.length > CHUNK_BYTES / 2)
		flush(self);
	at_wire_put_u32(&self->writer, kind);
	switch ((enum at_config_kind)kind) {
	case AT_CONFIG_NONE:
	case AT_CONFIG_GROUP:
		return;
	case AT_CONFIG_LIST:
	case AT_CONFIG_ARRAY:
		count = (uint32_t)config_setting_length(setting);
		at_wire_put_u32(&self->writer, count);
		break;
	case AT_CONFIG_INTEGER:
		at_wire_put_i64(&self->writer, config_setting_get_int64(setting));
		break;
	case AT_CONFIG_REAL:
		at_wire_put_real(&self->writer, config_setting_get_float(setting));
		break;
	case AT_CONFIG_BOOLEAN:
		at_wire_put_i64(&self->writer, config_setting_get_bool(setting) != 0);
		break;
	case AT_CONFIG_STRING:
		put_text(self, config_setting_get_string(setting));
		break;
	}
	for (uint32_t i = 0; i < count && !self->failed; i++)
		put_node(self, config_setting_get_elem(setting, i));
}

static void put_text_as_tree(struct sender *self, const char *text)
{
	config_t config;

	config_init(&config);
	if (config_read_string(&config, text)) {
		at_wire_put_u32(&self->writer, TREE);
		put_node(
			self, config_setting_get_elem(config_root_setting(&config), 0));
	} else {
		at_wire_put_u32(&self->writer, REFUSED);
		at_wire_put_u32(&self->writer, (uint32_t)config_error_line(&config));
		at_wire_put_text(&self->writer, config_error_text(&config));
	}
	flush(self);
	config_destroy(&config);
}

/* ---- the forked process ---------------------------------------------------------- */

/*
 * Nothing that the caller has installed or opened may be used in this process.
 * libconfig's scanner calls exit() where memory runs out, and exit() would write out
 * what the caller has buffered; so stdout and stderr go to /dev/null.
 */
static void stand_alone(pid_t parent)
{
	struct rlimit seconds = { SECONDS_MAX, SECONDS_MAX }, none = { 0, 0 };
	struct sigaction standard = { .sa_handler = SIG_DFL };
	int nowhere = open("/dev/null", O_RDWR);

#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent || nowhere < 0)
		_exit(1);
	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	for (int number = 1; number < NSIG; number++)
		sigaction(number, &standard, NULL);
	setrlimit(RLIMIT_CPU, &seconds);
	setrlimit(RLIMIT_CORE, &none);
}

static void read_here(struct sender *sender, const char *text, pid_t parent)
{
	sigset_t none;

	stand_alone(parent);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	put_text_as_tree(sender, text);
	_exit(sender->failed);
}

/* ---- the caller ----------------------------------------------------------------- */

static enum at_status receive(
	int file, struct at_strbuf *tree, const char *path, struct at_error *err)
{
	char chunk[4096];

	for (;;) {
		ssize_t got = read(file, chunk, sizeof(chunk));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return at_fail(err, AT_EIO, path, 0, "cannot read it in: %s",
				strerror(errno));
		if (got == 0)
			return AT_OK;
		if (tree->length > TREE_BYTES_MAX)
			return at_fail(
				err, AT_EINVAL, path, 0, "is too large to be read in");
		at_strbuf_add_bytes(tree, chunk, (size_t)got);
	}
}

/* Waits for the process and says whether it succeeded; its bytes are the tree then. */
static enum at_status reap(pid_t child, const char *path, struct at_error *err)
{
	int state = 0;

	while (waitpid(child, &state, 0) < 0)
		if (errno != EINTR)
			/* The caller ignores SIGCHLD, so the exit status is lost.
			   judge() then decides by the bytes. */
			return errno == ECHILD ? AT_OK
					       : at_fail(err, AT_EIO, path, 0,
							 "cannot read it in: %s",
							 strerror(errno));
	if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
		return AT_OK;
	if (WIFSIGNALED(state) && WTERMSIG(state) == SIGXCPU)
		return at_fail(err, AT_EINVAL, path, 0,
			"libconfig did not end within %d s of processor time",
			SECONDS_MAX);
	if (WIFSIGNALED(state) &&
		(WTERMSIG(state) == SIGINT || WTERMSIG(state) == SIGTERM ||
			WTERMSIG(state) == SIGHUP))
		return at_fail(
			err, AT_EINTERRUPTED, path, 0, "interrupted while it was read");
	return at_fail(
		err, AT_ENOMEM, path, 0, "out of memory while libconfig read it");
}

/* Checks what comes before the tree and removes it. */
static enum at_status judge(
	struct at_strbuf *tree, const char *path, struct at_error *err)
{
	struct at_wire_reader reader;
	char text[256];
	int line;

	at_wire_reader_init(&reader, at_strbuf_text(tree), tree->length);
	switch (at_wire_get_u32(&reader)) {
	case TREE:
		tree->length -= sizeof(uint32_t);
		memmove(tree->data, tree->data + sizeof(uint32_t), tree->length);
		return AT_OK;
	case REFUSED:
		line = (int)at_wire_get_u32(&reader);
		at_wire_get_text_into(&reader, text, sizeof(text));
		return at_fail(err, AT_ESYNTAX, path, line, "libconfig says: %s", text);
	}
	return at_fail(
		err, AT_ENOMEM, path, 0, "out of memory while libconfig read it");
}

/* Reads in a forked process. Signals are blocked around fork(), so that the handlers of
   the caller never run in the child. */
static enum at_status read_apart(struct sender *sender, const char *text,
	const char *path, struct at_strbuf *tree, struct at_error *err)
{
	enum at_status status, ended;
	sigset_t all, before;
	pid_t parent = getpid(), child;
	int ends[2];

	if (pipe(ends) < 0)
		return at_fail(
			err, AT_EIO, path, 0, "cannot read it in: %s", strerror(errno));
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		sender->file = ends[1];
		read_here(sender, text, parent);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	if (child < 0) {
		status = at_fail(err, errno == ENOMEM ? AT_ENOMEM : AT_EIO, path, 0,
			"cannot start a process to read it in: %s", strerror(errno));
		close(ends[0]);
		return status;
	}
	status = receive(ends[0], tree, path, err);
	close(ends[0]);
	/* The pipe is closed, so the process ends even if it still wants to write. */
	ended = reap(child, path, status ? NULL : err);
	if (!status)
		status = ended;
	return status ? status : judge(tree, path, err);
}

enum at_status at_config_read(const char *text, const char *path,
	struct at_strbuf *tree, struct at_error *err)
{
	struct sender sender = { .file = -1 };
	enum at_status status = AT_OK;

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	/* A process for each of millions of texts would take most of a fuzzer's
	   time. */
	put_text_as_tree(&sender, text);
	*tree = sender.writer.bytes;
	return judge(tree, path, err);
#endif
	AT_GROW(sender.writer.bytes.data, sender.writer.bytes.capacity, CHUNK_BYTES);
	sender.writer.bytes.data[0] = '\0';
	status = read_apart(&sender, text, path, tree, err);
	at_strbuf_release(&sender.writer.bytes);
	return status;
}
