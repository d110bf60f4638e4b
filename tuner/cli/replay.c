/* autotune check --replay: see replay.h. */
#include "cli/replay.h"

#include "base/scratch.h"
#include "cli/format.h"
#include "cli/output.h"
#include "record/evaluation_json.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

struct replay {
	bool json;
	bool failed;
};

static void listen(void *context, const struct at_event *event)
{
	struct replay *self = context;
	const struct at_evaluation *evaluation = event->evaluation;
	struct at_strbuf out = { 0 };

	if (event->kind != AT_EVENT_EVALUATION)
		return;
	self->failed |= evaluation->outcome != AT_OUTCOME_OK;
	if (self->json) {
		struct at_json *object = at_json_object();

		at_json_set(object, "event", "replay");
		at_json_set(object, "space", event->spec->name);
		at_json_set(object, "path", event->spec->path);
		at_json_set(object, "problem", event->problem->name);
		at_json_set(object, "device", event->device->id);
		at_json_set_outcome(object, evaluation->outcome, evaluation->detail);
		at_json_set(object, "time_ns", evaluation->time_ns);
		at_print_json(object);
		return;
	}
	at_strbuf_add(&out, "  replay of ");
	at_format_plain(&out, event->problem->name);
	at_strbuf_addf(&out, " on %s: ", event->device->id);
	if (evaluation->outcome == AT_OUTCOME_OK) {
		at_strbuf_addf(&out, "as expected, %s\n",
			at_format_time(evaluation->time_ns).text);
	} else {
		at_strbuf_addf(&out, "%s: ", at_outcome_text(evaluation->outcome));
		at_format_plain(&out, evaluation->detail);
		at_strbuf_add_char(&out, '\n');
	}
	at_print_folded(&out);
}

enum at_status at_cli_replay_space(const struct at_cli_arguments *arguments,
	const struct at_spec *spec, const char *const *devices, size_t count,
	bool *failed, struct at_error *err)
{
	static const char *const usual[] = { "cuda:all" };
	struct replay self = { .json = at_cli_given(arguments, "json") };
	struct at_session_options options = {
		.devices = count ? devices : usual,
		.device_count = count ? count : 1,
		/* the baseline alone; a wrong one ends the search anyway */
		.budget = "1",
		.sanitize = AT_SANITIZE_NEVER,
		.listen = listen,
		.context = &self,
	};
	struct at_session_summary summary;
	struct at_scratch results = { 0 };
	struct at_error reason = { 0 };
	enum at_status status = at_scratch_make(&results, "autotune-replay", &reason);

	options.results = results.path;
	at_cli_each(arguments, "problem", &options.problems, &options.problem_count);
	if (!status)
		status = at_session_run(&spec, 1, &options, &summary, &reason);
	if (status == AT_EUNAVAILABLE)
		at_fail(err, status, NULL, 0, "--replay needs a device: %s",
			reason.text);
	else if (status && err)
		*err = reason;
	free((void *)options.problems);
	at_scratch_remove(&results);
	*failed |= self.failed;
	return status;
}
