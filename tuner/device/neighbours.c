/* Other programs that compute on the same board, in words for the user. */
#include "device/device.h"

#include <string.h>
#include <unistd.h>

/* names beyond these would only make the message long */
#define NAMED_MAX 4
/* more programs than this on one board are not counted */
#define COUNTED_MAX 64

/*
 * Removes the entries that are this program itself, and returns how many are left.
 * Inside a container NVML's process ids are not ours and names are hidden, so that this
 * process cannot be recognised by its id, and one entry without a name is taken to be
 * it.
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
	struct at_neighbour neighbours[COUNTED_MAX];
	size_t count = 0;

	if (self->ops->neighbours)
		count = self->ops->neighbours(self, neighbours, COUNTED_MAX);
	/* our own runs first, so that they take no other run's place */
	count = drop_own(neighbours, count < COUNTED_MAX ? count : COUNTED_MAX);
	for (size_t i = 0; out && i < count && i < NAMED_MAX; i++) {
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
