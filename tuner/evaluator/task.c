/* Makes and frees tasks (task.h). */
#include "evaluator/task.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void *at_task_new(size_t size, const uint16_t *configuration, size_t parameter_count)
{
	struct at_task *self = at_calloc(1, size);

	self->references = 1;
	self->configuration =
		at_calloc(parameter_count + 1, sizeof(*self->configuration));
	memcpy(self->configuration, configuration,
		parameter_count * sizeof(*configuration));
	self->facts = (struct at_facts)AT_FACTS_UNKNOWN;
	self->board = "";
	return self;
}

void at_task_keep(struct at_task *self)
{
	self->references++;
}

void at_task_free(struct at_task *self)
{
	if (!self || --self->references)
		return;
	if (self->release)
		self->release(self);
	at_compiled_plan_release(&self->plan);
	at_measure_result_release(&self->result);
	free(self->configuration);
	free(self->log);
	free(self);
}
