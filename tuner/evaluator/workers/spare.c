/* libuv's memory functions, and the room that is reserved for its table. */
#include "evaluator/workers/spare.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Stands ahead of each piece of memory: its size, which realloc() needs to move it. */
union head {
	size_t size;
	max_align_t align;
};

/* holds a table of 4,000 descriptors, more than a run has workers for */
#define ROOM_BYTES (32 * 1024)

static union head room[ROOM_BYTES / sizeof(union head)];
static bool is_taken;

/* Writes the head; returns what the caller gets. */
static void *give(union head *memory, size_t size)
{
	if (!memory)
		return NULL;
	memory->size = size;
	return memory + 1;
}

void *at_spare_malloc(size_t size)
{
	if (size > SIZE_MAX - sizeof(union head))
		return NULL;
	return give(malloc(sizeof(union head) + size), size);
}

void *at_spare_calloc(size_t count, size_t size)
{
	if (size && count > (SIZE_MAX - sizeof(union head)) / size)
		return NULL;
	return give(calloc(1, sizeof(union head) + count * size), count * size);
}

void *at_spare_realloc(void *old, size_t size)
{
	union head *head = old ? (union head *)old - 1 : NULL;
	void *moved = at_spare_malloc(size);

	if (!moved && !is_taken && size <= sizeof(room) - sizeof(union head)) {
		is_taken = true;
		moved = give(room, size);
	}
	if (!moved || !old)
		return moved;
	memcpy(moved, old, head->size < size ? head->size : size);
	at_spare_free(old);
	return moved;
}

void at_spare_free(void *memory)
{
	union head *head = memory ? (union head *)memory - 1 : NULL;

	if (head == room)
		is_taken = false;
	else
		free(head);
}
