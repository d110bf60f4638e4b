/* Adds what a store has kept in memory to another store. */
#include "record/sources.h"
#include "record/store_kept.h"

static enum at_status save_run(const struct at_kept *self, const struct kept_run *run,
	struct at_store *to, struct at_error *err)
{
	int64_t device_id = 0, run_id = 0;
	enum at_status status = at_store_put_device(to, &run->device, &device_id, err);

	if (!status)
		status = at_store_begin_run(to, device_id, run->space, run->strategy,
			run->seed, run->version, &run_id, err);
	for (size_t i = 0; i < self->source_count && !status; i++)
		if (self->sources[i].run_id == run->id)
			status = at_store_put_source(to, run_id,
				self->sources[i].problem, self->sources[i].hash, err);
	for (size_t i = self->first; i < self->count && !status; i++) {
		struct at_evaluation evaluation = self->evaluations[i]; /* borrowed */

		if (evaluation.run_id != run->id)
			continue;
		evaluation.run_id = run_id;
		evaluation.device_id = device_id;
		status = at_store_add(to, &evaluation, err);
	}
	return status ? status : at_store_end_run(to, run_id, "rescued", err);
}

enum at_status at_kept_save(
	const struct at_kept *self, struct at_store *to, struct at_error *err)
{
	enum at_status status = AT_OK;

	for (size_t i = 0; i < self->run_count && !status; i++)
		status = save_run(self, &self->runs[i], to, err);
	return status;
}
