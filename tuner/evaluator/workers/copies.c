/* A hash table of the images that were measured or claimed, and of those that wait for
   them. */
#include "evaluator/workers/copies.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The table stays at most half full, so that looking up is quick. */
#define SLOTS_MIN 256

/* A configuration that waits for the result of another. */
struct waiter {
	struct waiter *next;
	void *who;
};

/* What is known of one image. */
struct known {
	struct at_hash image;
	bool is_claimed; /* a configuration is about to measure it */
	bool is_measured;
	struct at_measure_result result;
	const void *where;
	struct waiter *waiting;
};

struct at_copies {
	struct known **slots; /* open addressing; NULL: free */
	size_t slot_count; /* a power of two */
	size_t count;
};

enum at_status at_copies_new(struct at_copies **out, struct at_error *err)
{
	struct at_copies *self = calloc(1, sizeof(*self));

	if (!self)
		return at_fail_memory(err);
	self->slot_count = SLOTS_MIN;
	self->slots = calloc(self->slot_count, sizeof(struct known *));
	if (!self->slots) {
		free(self);
		return at_fail_memory(err);
	}
	*out = self;
	return AT_OK;
}

static void drop_waiting(struct known *known)
{
	while (known->waiting) {
		struct waiter *next = known->waiting->next;

		free(known->waiting);
		known->waiting = next;
	}
}

void at_copies_free(struct at_copies *self)
{
	if (!self)
		return;
	for (size_t i = 0; i < self->slot_count; i++) {
		if (!self->slots[i])
			continue;
		drop_waiting(self->slots[i]);
		at_measure_result_release(&self->slots[i]->result);
		free(self->slots[i]);
	}
	free(self->slots);
	free(self);
}

static struct known **slot_of(
	struct known **slots, size_t slot_count, struct at_hash image)
{
	size_t place = (size_t)image.low & (slot_count - 1);

	while (slots[place] && !at_hash_equal(slots[place]->image, image))
		place = (place + 1) & (slot_count - 1);
	return &slots[place];
}

static bool grow(struct at_copies *self)
{
	size_t slot_count = 2 * self->slot_count;
	struct known **slots = calloc(slot_count, sizeof(struct known *));

	if (!slots)
		return false;
	for (size_t i = 0; i < self->slot_count; i++)
		if (self->slots[i])
			*slot_of(slots, slot_count, self->slots[i]->image) =
				self->slots[i];
	free(self->slots);
	self->slots = slots;
	self->slot_count = slot_count;
	return true;
}

enum at_copies_verdict at_copies_claim(struct at_copies *self, struct at_hash image,
	bool full, void *who, const struct at_measure_result **result,
	const void **where)
{
	struct known **slot, *known;
	struct waiter *waiter;

	if (!image.low && !image.high)
		return AT_COPIES_MEASURE;
	if (2 * self->count >= self->slot_count && !grow(self))
		return AT_COPIES_MEASURE;
	slot = slot_of(self->slots, self->slot_count, image);
	known = *slot;
	if (!known) {
		known = calloc(1, sizeof(*known));
		if (!known)
			return AT_COPIES_MEASURE;
		known->image = image;
		*slot = known;
		self->count++;
	}
	if (!known->is_measured && !known->is_claimed) {
		known->is_claimed = true;
		return AT_COPIES_MEASURE;
	}
	if (known->is_measured && full && known->result.raced)
		return AT_COPIES_MEASURE;
	if (known->is_measured) {
		*result = &known->result;
		*where = known->where;
		return AT_COPIES_KNOWN;
	}
	waiter = malloc(sizeof(*waiter));
	if (!waiter)
		return AT_COPIES_MEASURE;
	*waiter = (struct waiter){ known->waiting, who };
	known->waiting = waiter;
	return AT_COPIES_WAIT;
}

void at_copies_disclaim(struct at_copies *self, struct at_hash image)
{
	struct known *known = *slot_of(self->slots, self->slot_count, image);

	if (known)
		known->is_claimed = false;
}

void at_copies_measured(struct at_copies *self, struct at_hash image,
	const struct at_measure_result *result, const void *where)
{
	struct known *known = *slot_of(self->slots, self->slot_count, image);
	size_t bytes = result->sample_count * sizeof(*result->samples_ns);
	double *samples_ns;

	/* its image was zero, so that nothing was claimed */
	if (!known)
		return;
	/* Without memory for the copy below, the next one that asks measures the image
	   itself, instead of waiting for a result that does not come. */
	known->is_claimed = false;
	samples_ns = malloc(bytes + 1);
	if (!samples_ns)
		return;
	if (bytes)
		memcpy(samples_ns, result->samples_ns, bytes);
	at_measure_result_release(&known->result);
	known->result = *result;
	known->result.samples_ns = samples_ns;
	known->where = where;
	known->is_measured = true;
}

void *at_copies_next_waiting(struct at_copies *self, struct at_hash image)
{
	struct known *known = *slot_of(self->slots, self->slot_count, image);
	struct waiter *waiter = known ? known->waiting : NULL;
	void *who;

	if (!waiter)
		return NULL;
	who = waiter->who;
	known->waiting = waiter->next;
	free(waiter);
	return who;
}

void at_copies_forget_waiting(struct at_copies *self)
{
	if (!self)
		return;
	for (size_t i = 0; i < self->slot_count; i++) {
		struct known *known = self->slots[i];

		if (!known)
			continue;
		drop_waiting(known);
		known->is_claimed = false;
	}
}
