/* Combines the facts of a kernel and its launch. */
#include "kernel/facts.h"

#include <stdio.h>

bool at_attributes_any(const struct at_attributes *self)
{
	/* a preferred cluster requires a cluster */
	return self->cluster[0] || self->is_cooperative || self->is_dependent ||
	       self->carveout || self->window;
}

void at_facts_fill(struct at_facts *self, const struct at_kernel_facts *kernel,
	const struct at_geometry *geometry, const struct at_occupancy *occupancy,
	int64_t compile_ns)
{
	*self = (struct at_facts)AT_FACTS_UNKNOWN;
	self->compile_ns = compile_ns < 0 ? -1 : compile_ns;
	if (kernel) {
		self->registers = kernel->registers;
		self->local_bytes = kernel->local_bytes;
		self->spill_store_bytes = kernel->spill_store_bytes;
		self->spill_load_bytes = kernel->spill_load_bytes;
	}
	if (geometry) {
		self->threads_per_block = (int64_t)geometry->block[0] *
					  geometry->block[1] * geometry->block[2];
		self->blocks = (int64_t)geometry->grid[0] * geometry->grid[1] *
			       geometry->grid[2];
	}
	/* the sum is known only if both parts are */
	if (kernel && geometry && kernel->shared_bytes >= 0)
		self->shared_bytes = kernel->shared_bytes + geometry->shared_bytes;
	if (occupancy) {
		struct at_strbuf limits = { 0 };

		self->resident_blocks = occupancy->blocks;
		self->occupancy = occupancy->fraction;
		at_occupancy_limits_text(occupancy->limits, &limits);
		snprintf(self->limiting_factor, sizeof(self->limiting_factor), "%s",
			at_strbuf_text(&limits));
		at_strbuf_release(&limits);
	}
}
