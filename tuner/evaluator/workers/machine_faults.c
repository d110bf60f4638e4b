/* Decides which failures may be the machine's fault, and how work that failed so is
   tried again. */
#include "evaluator/workers/machine_faults.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#define NS_PER_SECOND UINT64_C(1000000000)
#define PATIENCE_SECONDS 300
/* The wait before a second try doubles from the first to the longest. With less
   patience than usual the first is shorter in proportion. */
#define FIRST_PAUSE_NS (NS_PER_SECOND / 2)
#define LONGEST_PAUSE_NS (5 * NS_PER_SECOND)

/* The end for work whose machine is well at every probe, but whose fault keeps
   changing. */
#define FAILURES_MAX 50

/* ---- whose fault may it be? ---------------------------------------------------- */

/* What programs and the C library say, without the first letter where it may be a
   capital: "Cannot" and "cannot". The first phrase that is found decides. */
static const struct {
	const char *phrase;
	enum at_fault fault;
} phrases[] = {
	/* an image that needs too much of it is no better at another time */
	{ "static TLS block", AT_FAULT_NONE },
	{ "o space left on device", AT_FAULT_DISK },
	{ "uota exceeded", AT_FAULT_DISK },
	{ "nput/output error", AT_FAULT_DISK },
	{ "ead-only file system", AT_FAULT_DISK },
	{ "tale file handle", AT_FAULT_DISK },
	{ "ile too large", AT_FAULT_DISK },
	{ "disk is full", AT_FAULT_DISK },
	{ "Bus error", AT_FAULT_DISK }, /* a mapped file for which there is no room */
	{ "ut of memory", AT_FAULT_MEMORY },
	{ "memory exhausted", AT_FAULT_MEMORY },
	{ "annot allocate memory", AT_FAULT_MEMORY },
	{ "o buffer space", AT_FAULT_MEMORY }, /* the kernel's, for a message */
	{ "bad_alloc", AT_FAULT_MEMORY },
	{ "esource temporarily unavailable", AT_FAULT_PROCESSES },
	{ "oo many open files", AT_FAULT_PROCESSES },
	{ "annot fork", AT_FAULT_PROCESSES },
	{ "ext file busy", AT_FAULT_PROCESSES },
	{ "Killed", AT_FAULT_KILLED },
	{ "signal 9", AT_FAULT_KILLED },
};

static enum at_fault fault_of_text(const char *text)
{
	for (size_t i = 0; i < AT_COUNT_OF(phrases); i++)
		if (strstr(text, phrases[i].phrase))
			return phrases[i].fault;
	return AT_FAULT_NONE;
}

enum at_fault at_fault_of_end(const struct at_worker_end *end)
{
	if (end->timed_out)
		return end->was_stopped || end->was_quiet ? AT_FAULT_STOPPED
							  : AT_FAULT_NONE;
	if (end->protocol)
		return AT_FAULT_GARBAGE;
	switch (end->signal) {
	case SIGKILL:
		return AT_FAULT_KILLED;
	case SIGBUS: /* a file was mapped, and there was no room for its pages */
	case SIGXFSZ:
		return AT_FAULT_DISK;
	case SIGSYS: /* whoever started the run may forbid calls, to all that it starts;
			unless that lets another configuration pass, see
			board_recovery.c */
		return AT_FAULT_UNCLEAR;
	case SIGABRT: /* this is how an allocator ends that has no memory */
		return fault_of_text(end->text);
	case 0:
		/* a checker, or a shell in between, reports the signal that ended its
		   child in this way */
		return end->exit_status == 128 + SIGKILL ? AT_FAULT_KILLED
							 : fault_of_text(end->text);
	default:
		return AT_FAULT_NONE;
	}
}

enum at_fault at_fault_of_error(const struct at_error *err)
{
	enum at_fault fault;

	if (err->status == AT_ENOMEM)
		return AT_FAULT_MEMORY;
	if (err->status == AT_EPROTOCOL)
		return AT_FAULT_GARBAGE;
	fault = fault_of_text(err->text);
	/* an AT_EIO that names a file is about reading or writing it */
	return err->status == AT_EIO && !fault && err->file[0] ? AT_FAULT_DISK : fault;
}

enum at_fault at_fault_of_compiled(const struct at_compile_result *result)
{
	const char *log = result->log ? result->log : "";
	enum at_fault fault;

	if (result->outcome != AT_OUTCOME_COMPILE_FAILED || result->is_verdict)
		return AT_FAULT_NONE;
	fault = fault_of_text(log);
	/* a header that is missing now will be missing in a moment, too */
	return fault || at_compile_log_lacks_file(log) ? fault : AT_FAULT_UNCLEAR;
}

/* ---- what follows from it -------------------------------------------------------- */

uint64_t at_patience_ns(void)
{
	const char *given = getenv("AUTOTUNE_PATIENCE");
	int64_t seconds = PATIENCE_SECONDS;

	if (!given || !at_text_integer(given, &seconds) || seconds < 0 ||
		seconds > 1000000)
		seconds = PATIENCE_SECONDS;
	return (uint64_t)seconds * NS_PER_SECOND;
}

/*
 * How many failures alone on a healthy machine make the failure the work's own.
 * Whatever kills processes may go on for seconds, and a probe does not see it, so that
 * four tries are made, with more than seven seconds of pauses between them.
 */
static unsigned tries_of(enum at_fault fault)
{
	switch (fault) {
	case AT_FAULT_KILLED:
		return 4;
	case AT_FAULT_MEMORY:
	case AT_FAULT_DISK:
	case AT_FAULT_PROCESSES:
		return 2;
	case AT_FAULT_NONE:
	case AT_FAULT_STOPPED:
	case AT_FAULT_GARBAGE:
	case AT_FAULT_UNCLEAR:
		break;
	}
	return 1;
}

static enum at_recovery_step go_to(struct at_recovery *self, enum at_recovery_step step)
{
	self->step = step;
	return step;
}

static enum at_recovery_step wait(struct at_recovery *self, uint64_t now_ns)
{
	uint64_t first_ns = at_patience_ns() / 600;

	if (first_ns > FIRST_PAUSE_NS)
		first_ns = FIRST_PAUSE_NS;
	if (!self->pause_ns)
		self->pause_ns = first_ns;
	self->due_ns = now_ns + self->pause_ns;
	self->pause_ns *= 2;
	if (self->pause_ns > LONGEST_PAUSE_NS)
		self->pause_ns = LONGEST_PAUSE_NS;
	return go_to(self, AT_STEP_WAIT);
}

enum at_recovery_step at_recovery_failed(struct at_recovery *self, enum at_fault fault,
	const char *text, uint64_t now_ns)
{
	bool is_first = self->step == AT_STEP_NONE;

	self->failures++;

	/* a fault that needs more tries than the last one begins to count anew */
	if (!is_first && tries_of(fault) > tries_of(self->fault))
		self->repeated = 0;
	self->fault = fault;
	snprintf(
		self->text, sizeof(self->text), "%.*s", (int)strcspn(text, "\n"), text);
	if (is_first)
		return wait(self, now_ns);
	if (self->failures > FAILURES_MAX)
		return go_to(self, AT_STEP_GIVE_UP);
	self->was_tried = true;
	return go_to(self, AT_STEP_PROBE);
}

enum at_recovery_step at_recovery_waited(struct at_recovery *self, uint64_t now_ns)
{
	if (self->step != AT_STEP_WAIT || now_ns < self->due_ns)
		return self->step;
	return go_to(self, AT_STEP_PROBE);
}

enum at_recovery_step at_recovery_probed(struct at_recovery *self, const char *unwell,
	uint64_t patience_ns, uint64_t now_ns)
{
	bool was_tried = self->was_tried;

	self->was_tried = false;
	if (unwell[0]) {
		snprintf(self->unwell, sizeof(self->unwell), "%.*s",
			(int)strcspn(unwell, "\n"), unwell);
		if (!self->unwell_ns)
			self->unwell_ns = now_ns ? now_ns : 1;
		if (now_ns - self->unwell_ns >= patience_ns)
			return go_to(self, AT_STEP_GIVE_UP);
		return wait(self, now_ns);
	}
	self->unwell_ns = 0;
	self->unwell[0] = '\0';
	if (!was_tried)
		return go_to(self, AT_STEP_TRY);
	if (++self->repeated >= tries_of(self->fault))
		return go_to(self, AT_STEP_BLAME);
	return wait(self, now_ns);
}

void at_recovery_end(struct at_recovery *self)
{
	memset(self, 0, sizeof(*self));
}

bool at_recovery_is_on(const struct at_recovery *self)
{
	return self->step != AT_STEP_NONE;
}

/* ---- what is told -------------------------------------------------------------- */

static const char *advice_of(enum at_fault fault)
{
	switch (fault) {
	case AT_FAULT_DISK:
		return "make room, or set TMPDIR to a folder that has some";
	case AT_FAULT_MEMORY:
	case AT_FAULT_KILLED:
		return "end what uses the memory, or take fewer --jobs";
	case AT_FAULT_PROCESSES:
		return "see that the program is there, and raise the limits of processes and open files (ulimit -u, -n)";
	case AT_FAULT_UNCLEAR:
		return "see that compiler and device work, the disk has room, and the machine memory";
	case AT_FAULT_NONE:
	case AT_FAULT_STOPPED:
	case AT_FAULT_GARBAGE:
		break;
	}
	return "see that the disk has room, and the machine memory";
}

void at_recovery_describe(const struct at_recovery *self, char *text, size_t size)
{
	text[0] = '\0';
	if (self->unwell_ns)
		snprintf(text, size,
			"paused, since this machine fails and not the configurations: %.300s; %s, and it goes on by itself (for at most %" PRIu64
			" s)",
			self->unwell, advice_of(self->fault),
			at_patience_ns() / NS_PER_SECOND);
}

enum at_status at_recovery_error(const struct at_recovery *self, struct at_error *err)
{
	return at_fail(err, AT_EMACHINE, NULL, 0,
		"this machine fails, and not the configurations: %.300s; %s. What was measured is kept",
		self->unwell[0] ? self->unwell : self->text, advice_of(self->fault));
}

void at_recovery_verdict(const struct at_recovery *self, char *text, size_t size)
{
	snprintf(text, size,
		"tried alone it failed %s, while everything else worked on this machine",
		self->repeated > 1 ? "time and again" : "again");
}

/* ---- the machine --------------------------------------------------------------- */

/* Below this the machine lacks room or memory: a unit takes a few MB at most on its
   way. Where the whole is small, an eighth of it is enough. */
#define ROOM_BYTES ((uint64_t)16 << 20)
#define MEMORY_BYTES ((uint64_t)128 << 20)

static uint64_t enough_of(uint64_t whole, uint64_t enough)
{
	return whole / 8 < enough ? whole / 8 : enough;
}

static void look_at_folder(const char *folder, char *why, size_t size)
{
	struct statvfs facts;
	uint64_t left, whole;

	if (statvfs(folder, &facts)) {
		snprintf(why, size, "%.200s: %s", folder, strerror(errno));
		return;
	}
	left = (uint64_t)facts.f_bavail * facts.f_frsize;
	whole = (uint64_t)facts.f_blocks * facts.f_frsize;
	if (left < enough_of(whole, ROOM_BYTES))
		snprintf(why, size, "%.200s has only %" PRIu64 " kB left", folder,
			left / 1024);
	else if (facts.f_files && facts.f_favail < 16)
		snprintf(why, size, "%.200s has room for only %" PRIu64 " files",
			folder, (uint64_t)facts.f_favail);
	else if (facts.f_flag & ST_RDONLY)
		snprintf(why, size, "%.200s is read-only", folder);
}

static void look_at_memory(char *why, size_t size)
{
	FILE *file = fopen("/proc/meminfo", "r");
	uint64_t whole_kb = 0, left_kb = 0;
	char line[128];

	/* without such a file (other systems than Linux) memory is not looked at */
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		char *end;

		if (!strncmp(line, "MemTotal:", 9))
			whole_kb = strtoull(line + 9, &end, 10);
		else if (!strncmp(line, "MemAvailable:", 13))
			left_kb = strtoull(line + 13, &end, 10);
	}
	fclose(file);
	if (whole_kb && left_kb * 1024 < enough_of(whole_kb * 1024, MEMORY_BYTES))
		snprintf(why, size, "only %" PRIu64 " MB of memory are left",
			left_kb / 1024);
}

void at_machine_check(enum at_fault fault, const char *folder, char *why, size_t size)
{
	const char *place = getenv("TMPDIR");

	why[0] = '\0';
	if (fault != AT_FAULT_MEMORY && fault != AT_FAULT_KILLED)
		look_at_folder(folder && folder[0] ? folder
			       : place && place[0] ? place
						   : "/tmp",
			why, size);
	if (!why[0])
		look_at_memory(why, size);
}
