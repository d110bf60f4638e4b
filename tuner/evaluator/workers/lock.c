/* flock() comes from BSD, not from POSIX */
#define _DEFAULT_SOURCE
#include "evaluator/workers/lock.h"
#include "base/memory.h"
#include "base/text.h"
#include "evaluator/workers/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void at_device_lock_open(struct at_device_lock *self, const char *board)
{
	/* of all users by default, so not in anybody's $TMPDIR */
	const char *folder = getenv("AUTOTUNE_LOCKS");
	struct at_strbuf path = { 0 };
	char *slug = at_text_slug(board);

	self->file = -1;
	if (!slug)
		return;
	at_strbuf_addf(&path, "%s/autotune-%s.lock",
		folder && folder[0] ? folder : "/tmp", slug);
	if (!path.failed) {
		/* in /tmp anybody may have put a link of that name to a file of ours,
		   which would be written to */
		const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;

		/* another user's file can be opened but, in a sticky folder, not
		   with O_CREAT */
		self->file = open(path.data, flags);
		if (self->file < 0)
			self->file = open(path.data, flags | O_CREAT, 0666);
		if (self->file >= 0)
			(void)!fchmod(self->file, 0666);
	}
	free(slug);
	at_strbuf_release(&path);
}

/* so that whoever waits can say for whom: the number of the run, not of its worker */
static void write_owner(struct at_device_lock *self)
{
	const char *coordinator = getenv(AT_WORKER_PARENT);
	char text[32];
	int length = snprintf(
		text, sizeof(text), "%-15s\n", coordinator ? coordinator : "0");

	(void)!pwrite(self->file, text, (size_t)length, 0);
}

bool at_device_lock_try(struct at_device_lock *self, int64_t *owner)
{
	char text[32] = "";

	*owner = 0;
	if (self->file <= 0)
		return true;
	if (flock(self->file, LOCK_EX | LOCK_NB) == 0) {
		write_owner(self);
		return true;
	}
	if (pread(self->file, text, sizeof(text) - 1, 0) > 0)
		*owner = strtoll(text, NULL, 10);
	return false;
}

void at_device_lock_take(struct at_device_lock *self)
{
	if (self->file <= 0)
		return;
	while (flock(self->file, LOCK_EX) < 0 && errno == EINTR)
		;
	write_owner(self);
}

void at_device_lock_drop(struct at_device_lock *self)
{
	if (self->file > 0)
		flock(self->file, LOCK_UN);
}

void at_device_lock_close(struct at_device_lock *self)
{
	if (self->file > 0)
		close(self->file);
	self->file = -1;
}
