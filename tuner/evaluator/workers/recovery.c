/* Decides which failures may be the machine's, schedules second tries, and checks the
   machine's resources. */
#include "evaluator/workers/recovery.h"
#include "base/memory.h"
#include "base/scratch.h"
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
/* The wait before a second try doubles from the first to the longest. With a smaller
   $AUTOTUNE_PATIENCE the first is shorter in proportion. */
#define FIRST_PAUSE_NS (NS_PER_SECOND / 2)
#define LONGEST_PAUSE_NS (5 * NS_PER_SECOND)
/* A cause of kills may last for seconds, and a probe does not see it. So four tries are
   made, with more than seven seconds of pauses in between. */
#define TRIES_OF_KILLED 4

bool at_end_is_own(const struct at_worker_end *end)
{
	if (end->timed_out)
		return !end->was_stopped && !end->was_quiet;
	return !end->protocol && (end->signal == SIGSEGV || end->signal == SIGFPE ||
					 end->signal == SIGILL);
}

bool at_end_is_kill(const struct at_worker_end *end)
{
	/* a checker, or a shell in between, reports its child's signal in this way */
	return !end->timed_out && !end->protocol &&
	       (end->signal == SIGKILL ||
		       (!end->signal && end->exit_status == 128 + SIGKILL));
}

bool at_error_is_lack(const struct at_error *err)
{
	/* an AT_EIO with a file is about reading or writing the file */
	return err->status == AT_ENOMEM || err->status == AT_EPROTOCOL ||
	       (err->status == AT_EIO && err->file[0]);
}

uint64_t at_patience_ns(void)
{
	const char *given = getenv("AUTOTUNE_PATIENCE");
	int64_t seconds = PATIENCE_SECONDS;

	if (!given || !at_text_integer(given, &seconds) || seconds < 0 ||
		seconds > 1000000)
		seconds = PATIENCE_SECONDS;
	return (uint64_t)seconds * NS_PER_SECOND;
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
	self->waited_ns += self->pause_ns;
	self->pause_ns *= 2;
	if (self->pause_ns > LONGEST_PAUSE_NS)
		self->pause_ns = LONGEST_PAUSE_NS;
	return go_to(self, AT_STEP_WAIT);
}

enum at_recovery_step at_recovery_failed(
	struct at_recovery *self, bool was_killed, const char *text, uint64_t now_ns)
{
	bool is_first = self->step == AT_STEP_NONE;

	/* a kill needs more tries than the failure before it */
	if (was_killed && !self->was_killed)
		self->repeated = 0;
	self->was_killed = was_killed;
	snprintf(
		self->text, sizeof(self->text), "%.*s", (int)strcspn(text, "\n"), text);
	if (is_first)
		return wait(self, now_ns);
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
	snprintf(self->unwell, sizeof(self->unwell), "%.*s", (int)strcspn(unwell, "\n"),
		unwell);
	/* all waits count, or a machine that recovers only for moments would be waited
	   for without end */
	if (unwell[0])
		return self->waited_ns >= patience_ns ? go_to(self, AT_STEP_GIVE_UP)
						      : wait(self, now_ns);
	if (!was_tried)
		return go_to(self, AT_STEP_TRY);
	if (++self->repeated >= (self->was_killed ? TRIES_OF_KILLED : 1))
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

#define ADVICE \
	"see that the disk has room (TMPDIR names another one), and the machine memory and processes (fewer --jobs, ulimit -u)"

void at_recovery_describe(const struct at_recovery *self, char *text, size_t size)
{
	text[0] = '\0';
	if (self->unwell[0])
		snprintf(text, size,
			"paused, since this machine fails and not the configurations: %.300s; " ADVICE
			", and it goes on by itself (for at most %" PRIu64 " s)",
			self->unwell, at_patience_ns() / NS_PER_SECOND);
}

enum at_status at_recovery_error(const struct at_recovery *self, struct at_error *err)
{
	return at_fail(err, AT_EMACHINE, NULL, 0,
		"this machine fails, and not the configurations: %.300s; " ADVICE
		". What was measured is kept",
		self->unwell[0] ? self->unwell : self->text);
}

/* ---- the machine --------------------------------------------------------------- */

/* Below this the machine lacks disk space or memory: a unit takes a few MB at most. If
   the total is small, an eighth of it is enough. */
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

	/* without this file (systems other than Linux) memory is not checked */
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

void at_machine_check(const char *folder, char *why, size_t size)
{
	why[0] = '\0';
	look_at_folder(folder && folder[0] ? folder : at_scratch_place(), why, size);
	if (!why[0])
		look_at_memory(why, size);
}
