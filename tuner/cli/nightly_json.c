/* Writes a night as JSON: the report's .json file, and the last line of --json. */
#include "cli/nightly_report.h"

#include <math.h>

static struct at_json *score(struct at_score value)
{
	struct at_json *out;

	if (!isfinite(value.value))
		return at_json_null();
	out = at_json_object();
	at_json_set(out, "value", at_json_real(value.value));
	at_json_set(out, "low", at_json_real(value.low));
	at_json_set(out, "high", at_json_real(value.high));
	return out;
}

static struct at_json *text_or_null(const char *text)
{
	return text && text[0] ? at_json_string(text) : at_json_null();
}

/* One word for each result of a search, for programs. */
static const char *const searches[] = { "none", "kept", "replaced", "crowned", "nobody",
	"failed" };

static struct at_json *case_to_json(
	const struct at_night_report *self, const struct at_night_case *one)
{
	struct at_json *out = at_json_object(), *search = at_json_object();
	bool was_searched = one->search != AT_NIGHT_SEARCH_NONE;

	at_json_set(out, "space", at_json_string(one->space));
	at_json_set(out, "problem", at_json_string(one->problem));
	at_json_set(out, "device", at_json_string(self->devices[one->device].id));
	at_json_set(out, "verdict", at_json_string(at_verdict_name(one->verdict)));
	at_json_set(out, "failed", at_json_boolean(one->has_failed));
	at_json_set(out, "outcome",
		one->outcome == AT_OUTCOME_NONE
			? at_json_null()
			: at_json_string(at_outcome_name(one->outcome)));
	at_json_set(out, "detail", text_or_null(one->detail));
	at_json_set(out, "objective", at_json_string(one->objective->name));
	at_json_set(out, "score", score(one->score));
	at_json_set(out, "change", score(one->change));
	at_json_set(out, "change_in_cycles", score(one->cycles));
	at_json_set(out, "speedup", at_json_real(one->speedup));
	at_json_set(out, "nights", at_json_integer((int64_t)one->night_count));
	at_json_set(out, "looks", at_json_integer(one->look_count));
	at_json_set(out, "seconds", at_json_real(one->seconds));
	at_json_set(search, "result", at_json_string(searches[one->search]));
	at_json_set(search, "evaluated", at_json_integer((int64_t)one->evaluated));
	at_json_set(search, "seconds", at_json_real(one->search_seconds));
	at_json_set(search, "winner", text_or_null(one->winner));
	at_json_set(search, "score", score(one->found));
	at_json_set(search, "detail", text_or_null(one->search_detail));
	at_json_set(out, "search", was_searched ? search : at_json_null());
	if (!was_searched)
		at_json_free(search);
	return out;
}

struct at_json *at_night_to_json(const struct at_night_report *self)
{
	struct at_json *out = at_json_object(), *devices = at_json_array();
	struct at_json *cases = at_json_array(), *failures = at_json_array();

	at_json_set(out, "event", at_json_string("night"));
	at_json_set(out, "began_seconds", at_json_integer(self->began_seconds));
	at_json_set(out, "seconds", at_json_real(self->seconds));
	at_json_set(out, "budget_seconds", at_json_real(self->budget_seconds));
	at_json_set(out, "margin", at_json_real(self->margin));
	at_json_set(out, "interrupted", at_json_boolean(self->was_interrupted));
	at_json_set(out, "regression", at_json_boolean(at_night_has_regression(self)));
	for (size_t i = 0; i < self->device_count; i++) {
		const struct at_night_device *device = &self->devices[i];
		struct at_json *one = at_json_object();

		at_json_set(one, "id", at_json_string(device->id));
		at_json_set(one, "model", text_or_null(device->model));
		at_json_set(one, "changes", text_or_null(device->changes));
		at_json_set(one, "failure", text_or_null(device->failure));
		at_json_append(devices, one);
	}
	for (size_t i = 0; i < self->case_count; i++)
		at_json_append(cases, case_to_json(self, &self->cases[i]));
	for (size_t i = 0; i < self->failure_count; i++)
		at_json_append(failures, at_json_string(self->failures[i]));
	at_json_set(out, "devices", devices);
	at_json_set(out, "problems", cases);
	at_json_set(out, "failures", failures);
	return out;
}
