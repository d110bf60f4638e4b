/* Tracks what a library allocates, and frees it when memory runs out. */
#include "base/tracked.h"

#include "base/memory.h"

#include <stdlib.h>

static _Thread_local struct at_tracked *current;

void at_tracked_begin(struct at_tracked *self)
{
	current = self;
}

void at_tracked_end(struct at_tracked *self)
{
	free(self->blocks);
	self->blocks = NULL;
	self->count = self->capacity = 0;
	current = NULL;
}

/* Frees everything, and goes back to where the call began. */
static void give_up(struct at_tracked *self)
{
	for (size_t i = 0; i < self->count; i++)
		free(self->blocks[i]);
	at_tracked_end(self);
	longjmp(self->exhausted, 1);
}

void *at_tracked_malloc(size_t size)
{
	struct at_tracked *self = current;
	void *block;

	if (!self)
		return malloc(size);
	if (AT_RESERVE(self->blocks, self->capacity, self->count + 1, NULL))
		give_up(self);
	block = malloc(size);
	if (!block)
		give_up(self);
	self->blocks[self->count++] = block;
	return block;
}

void at_tracked_free(void *block)
{
	struct at_tracked *self = current;

	/* searched from the end: most of what is freed was allocated last */
	for (size_t i = self && block ? self->count : 0; i-- > 0;)
		if (self->blocks[i] == block) {
			self->blocks[i] = self->blocks[--self->count];
			break;
		}
	free(block);
}
