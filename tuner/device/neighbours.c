#include "device/device.h"

#include <string.h>
#include <unistd.h>

/* so many are named */
#define NAMED_MAX 4

/*
 * Without what this program is itself. A container numbers processes in its own way and
 * hides names, so one without a name may be this very process. Returns how many are
 * left.
 */
static size_t drop_own(struct at_neighbour *neighbours, size_t count)
{
	char path[512] = "";
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *slash = length > 0 ? strrchr(path, '/') : NULL;
	const char *own = slash ? slash + 1 : "autotune";
	bool nameless = false;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		bool is_nameless = !neighbours[i].name[0];

		if (!strcmp(neighbours[i].name, own) || (is_nameless && !nameless)) {
			nameless = nameless || is_nameless;
			continue;
		}
		neighbours[kept++] = neighbours[i];
	}
	return kept;
}

size_t at_device_add_neighbours(struct at_device *self, struct at_strbuf *out)
{
	struct at_neighbour neighbours[NAMED_MAX];
	size_t count = 0;

	if (self->ops->neighbours)
		count = self->ops->neighbours(self, neighbours, NAMED_MAX);
	count = drop_own(neighbours, count < NAMED_MAX ? count : NAMED_MAX);
	for (size_t i = 0; out && i < count; i++) {
		const struct at_neighbour *neighbour = &neighbours[i];

		at_strbuf_addf(out, "%s%s (process %u", i ? ", " : "",
			neighbour->name[0] ? neighbour->name : "a program",
			(unsigned)neighbour->pid);
		if (neighbour->memory_bytes)
			at_strbuf_addf(out, ", %llu MiB",
				(unsigned long long)(neighbour->memory_bytes >> 20));
		at_strbuf_add_char(out, ')');
	}
	return count;
}
