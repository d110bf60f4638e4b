/* The notes of clocks and power limits set on boards, stored with the device locks. */
#include "evaluator/workers/clocks.h"
#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ENDING ".clocks"
/* One line: the device's kind and uuid, and the members of struct at_clocks. The clocks
   are those set; the power limit is the board's previous one. */
#define WRITTEN "%s %s %" PRIu32 " %" PRIu32 " %" PRIu32 "\n"
#define READ "%15s %63s %" SCNu32 " %" SCNu32 " %" SCNu32
/* how long a killed worker may hold its lock: its memory on the board is freed first */
#define RESCUE_MS 5000

/* Heap. */
static char *path_of(const struct at_device_lock *lock)
{
	struct at_strbuf path = { 0 };

	at_strbuf_addf(&path, "%s" ENDING, lock->path);
	return at_strbuf_detach(&path);
}

enum at_status at_clocks_note(const struct at_device_lock *lock,
	struct at_device *device, const struct at_clocks *set, struct at_error *err)
{
	struct at_strbuf line = { 0 };
	char *path = path_of(lock);
	bool written = false;
	int file;

	at_strbuf_addf(&line, WRITTEN, device->info.kind, device->info.uuid,
		set->clock_mhz, set->memory_clock_mhz,
		set->power_milliwatts && device->ops->power_milliwatts
			? device->ops->power_milliwatts(device)
			: 0);
	/* no sync: whatever loses the file resets the board, too */
	file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file >= 0) {
		written = at_write_all(file, line.data, line.length);
		written = !close(file) && written;
	}
	if (!written)
		at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"cannot note in %s which clocks are to be given back: %s; remove that file, or name another folder in AUTOTUNE_LOCKS",
			path, strerror(errno));
	at_strbuf_release(&line);
	free(path);
	return written ? AT_OK : AT_EUNAVAILABLE;
}

void at_clocks_forget(const struct at_device_lock *lock)
{
	char *path = path_of(lock);

	(void)unlink(path);
	free(path);
}

/* False: there is no note, or it is another user's. A note was cut short before
   anything was set if *kind is "". */
static bool read_note(
	const char *path, char kind[16], char uuid[64], struct at_clocks *left)
{
	int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[128] = "";
	struct stat facts;
	bool is_ours;

	if (file < 0)
		return false;
	is_ours = !fstat(file, &facts) && S_ISREG(facts.st_mode) &&
		  facts.st_uid == geteuid() && read(file, text, sizeof(text) - 1) >= 0;
	close(file);
	if (is_ours &&
		(!strchr(text, '\n') ||
			sscanf(text, READ, kind, uuid, &left->clock_mhz,
				&left->memory_clock_mhz, &left->power_milliwatts) != 5))
		kind[0] = '\0';
	return is_ours;
}

enum at_status at_clocks_give_back(
	const struct at_device_lock *lock, struct at_error *err)
{
	const struct at_device_kind *device;
	struct at_error reason = { 0 };
	enum at_status status = AT_OK;
	char *path = path_of(lock);
	struct at_clocks left;
	char kind[16], uuid[64];

	if (read_note(path, kind, uuid, &left)) {
		if (kind[0])
			status = at_device_kind_find(kind, &device, &reason);
		if (kind[0] && !status && device->restore_clocks)
			status = device->restore_clocks(uuid, &left, &reason);
		if (status)
			at_fail(err, AT_EUNAVAILABLE, NULL, 0,
				"the clocks that an earlier run left set, by %s, cannot be given back: %.300s; set them with nvidia-smi, and remove the file",
				path, reason.text);
		else
			(void)unlink(path);
	}
	free(path);
	return status ? AT_EUNAVAILABLE : AT_OK;
}

/* False: another process still has the lock. */
static bool rescue(const char *uuid)
{
	struct at_device_lock lock;
	struct at_error reason = { 0 };
	int64_t owner;
	bool is_free;

	at_device_lock_open(&lock, uuid);
	is_free = at_device_lock_try(&lock, &owner);
	/* a failure leaves the note for the next run */
	if (is_free)
		(void)!at_clocks_give_back(&lock, &reason);
	at_device_lock_close(&lock);
	return is_free;
}

void at_clocks_rescue(const char *uuid)
{
	const struct timespec moment = { 0, 1000000 };
	const char *folder = at_device_lock_folder();
	DIR *entries = opendir(folder);
	const struct dirent *entry;

	while (entries && (entry = readdir(entries)) != NULL) {
		const char *ending = strrchr(entry->d_name, '.');
		char *path, kind[16], found[64];
		struct at_clocks left;

		if (!ending || strcmp(ending, ENDING))
			continue;
		path = at_path_join(folder, entry->d_name);
		for (int waited_ms = 0;
			waited_ms < RESCUE_MS && read_note(path, kind, found, &left) &&
			kind[0] && (!uuid || !strcmp(uuid, found)) && !rescue(found);
			waited_ms++)
			nanosleep(&moment, NULL);
		free(path);
	}
	if (entries)
		closedir(entries);
}
