/* Reads /proc about processes and locks. */
#include "base/owner.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* ---- processes ----------------------------------------------------------------- */

/* A name may contain any character, also ')', so the last ')' ends it. */
const char *at_process_stat(int64_t process, char *text, size_t size)
{
	char path[64];
	const char *end;
	FILE *file;
	size_t got;

	snprintf(path, sizeof(path), "/proc/%" PRId64 "/stat", process);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	got = fread(text, 1, size - 1, file);
	fclose(file);
	text[got] = '\0';
	end = strrchr(text, ')');
	return end ? end + 1 : NULL;
}

int64_t at_process_parent(int64_t process)
{
	char text[1024];
	const char *rest = at_process_stat(process, text, sizeof(text));
	int64_t parent = 0;

	if (!rest || sscanf(rest, " %*c %" SCNd64, &parent) != 1)
		return 0;
	return parent;
}

void at_process_describe(int64_t process, char *text, size_t size)
{
	struct passwd entry, *user = NULL;
	char path[64], buffer[4096];
	struct stat facts;

	text[0] = '\0';
	if (process <= 0)
		return;
	snprintf(text, size, "pid %" PRId64, process);
	snprintf(path, sizeof(path), "/proc/%" PRId64, process);
	if (stat(path, &facts) < 0 ||
		getpwuid_r(facts.st_uid, &entry, buffer, sizeof(buffer), &user) ||
		!user)
		return;
	snprintf(text, size, "pid %" PRId64 " of %.32s", process, user->pw_name);
}

struct at_hash at_process_namespace(void)
{
	struct at_hash none = { 0 };
	char host[256] = "", boot[64] = "", text[512];
	struct stat space;
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	int length;

	if (!file)
		return none;
	if (!fgets(boot, sizeof(boot), file))
		boot[0] = '\0';
	fclose(file);
	if (!boot[0] || stat("/proc/self/ns/pid", &space) < 0)
		return none;
	/* the name may be truncated, and then has no NUL */
	(void)!gethostname(host, sizeof(host) - 1);
	length = snprintf(text, sizeof(text), "%s %s %" PRIu64, host, boot,
		(uint64_t)space.st_ino);
	return at_hash_bytes(text, (size_t)length);
}

/* ---- locks --------------------------------------------------------------------- */

/* A line of /proc/locks: "1: FLOCK ADVISORY WRITE 1234 08:01:1234567 0 EOF". A waiting
   lock has "->" after the first number, and does not match. */
int64_t at_lock_owner(const struct stat *file)
{
	FILE *locks = fopen("/proc/locks", "re");
	int64_t owner = 0;
	char line[256];

	while (locks && !owner && fgets(line, sizeof(line), locks)) {
		unsigned major, minor;
		uint64_t inode;
		int64_t process;

		if (sscanf(line, "%*[0-9:] FLOCK %*s WRITE %" SCNd64 " %x:%x:%" SCNu64,
			    &process, &major, &minor, &inode) == 4 &&
			inode == file->st_ino && major == major(file->st_dev) &&
			minor == minor(file->st_dev))
			owner = process > 0 ? process : 0;
	}
	if (locks)
		fclose(locks);
	return owner;
}
