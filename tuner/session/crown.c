#include "session/crown.h"

#include "base/clock.h"
#include "base/memory.h"

#include <string.h>

enum at_status at_crown_make(
	const struct at_crowning *facts, struct at_crown *out, struct at_error *err)
{
	const struct at_planned *planned = facts->planned;
	char hex[AT_HASH_HEX_SIZE];

	memset(out, 0, sizeof(*out));
	out->device_id = facts->device_id;
	out->evaluation_id = facts->evaluation_id;
	out->baseline_id = facts->baseline_id;
	out->evaluation_count = (int64_t)facts->evaluation_count;
	out->ok_count = (int64_t)facts->ok_count;
	out->objective = facts->objective;
	out->score = facts->score;
	out->speedup = facts->speedup;
	out->created_seconds = at_clock_wall_seconds();
	out->space = at_strdup(facts->spec->name);
	out->problem = at_strdup(facts->problem->name);
	out->toolchain = at_strdup(facts->info->toolchain);
	out->driver = at_strdup(facts->info->device.driver);
	out->source_hash = at_strdup(at_hash_hex(facts->info->source, hex));
	out->metrics = at_planned_metrics_json(planned);
	out->launch = at_planned_launch_json(planned);
	out->options = at_planned_options_json(planned);
	out->is_unproved = !facts->proof;
	out->proof = facts->proof ? at_proof_to_json(facts->proof) : at_strdup("");
	if (!out->space || !out->problem || !out->toolchain || !out->driver ||
		!out->source_hash || !out->metrics || !out->launch || !out->options ||
		!out->proof)
		return at_fail_memory(err);
	return AT_OK;
}
