/* Identifies this machine's processors from /proc/cpuinfo. */
#include "kernel/native.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

/* Room for about forty processors of the architecture with the longest entries. A
   machine has fewer kinds of processors. */
#define CPUINFO_BYTES ((size_t)64 << 10)

/* Lines of x86, ARM, Power and RISC-V that decide which instructions a compiler may use
   and what it optimises for. Excludes lines that change with time ("cpu MHz") or differ
   between cores ("core id"). */
static const char *const telling[] = { "vendor_id", "cpu family", "model", "model name",
	"stepping", "cache size", "flags", "CPU implementer", "CPU architecture",
	"CPU variant", "CPU part", "CPU revision", "Features", "cpu", "isa", "uarch" };

static bool is_telling(const char *line, size_t length)
{
	const char *colon = memchr(line, ':', length);
	size_t name = colon ? (size_t)(colon - line) : 0;

	while (name && (line[name - 1] == ' ' || line[name - 1] == '\t'))
		name--;
	for (size_t i = 0; i < AT_COUNT_OF(telling); i++)
		if (strlen(telling[i]) == name && !memcmp(telling[i], line, name))
			return true;
	return false;
}

static bool has_line(const char *text, const char *end, const char *line, size_t length)
{
	while (text < end) {
		size_t other = strcspn(text, "\n");

		if (other == length && !memcmp(text, line, length))
			return true;
		text += other + (text[other] != '\0');
	}
	return false;
}

struct at_hash at_native_identity_of(const char *cpuinfo)
{
	struct at_hash chained[2] = { { 0 } };

	for (const char *line = cpuinfo; *line;) {
		size_t length = strcspn(line, "\n");

		/* each distinct line counts once, whatever the number of processors */
		if (is_telling(line, length) &&
			!has_line(cpuinfo, line, line, length)) {
			chained[1] = at_hash_bytes(line, length);
			chained[0] = at_hash_bytes(chained, sizeof(chained));
		}
		line += length + (line[length] != '\0');
	}
	return chained[0];
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct at_hash found;

/* The complete lines of /proc/cpuinfo that fit; "" if there is no such file. */
static const char *read_cpuinfo(void)
{
	static char text[CPUINFO_BYTES];
	int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t got;

	if (file < 0)
		return "";
	while (length < sizeof(text) - 1 &&
		((got = read(file, text + length, sizeof(text) - 1 - length)) > 0 ||
			(got < 0 && errno == EINTR)))
		length += got > 0 ? (size_t)got : 0;
	close(file);
	/* an incomplete line would change with the digits of the numbers before it */
	while (length && text[length - 1] != '\n')
		length--;
	text[length] = '\0';
	return text;
}

static void find(void)
{
	const char *text = read_cpuinfo();
	struct at_hash chained[2] = { at_native_identity_of(text), { 0 } };
	struct utsname name;

	/* a machine that does not describe its processors is identified by its name */
	if (!text[0] && !uname(&name))
		chained[0] = at_hash_bytes(name.nodename, strlen(name.nodename));
#if defined(__GLIBC__)
	const char *version = gnu_get_libc_version();

	chained[1] = at_hash_bytes(version, strlen(version));
#endif
	found = at_hash_bytes(chained, sizeof(chained));
}

struct at_hash at_native_identity(void)
{
	pthread_once(&once, find);
	return found;
}
