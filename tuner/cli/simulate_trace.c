/* autotune simulate --trace: writes what other programs need to score the runs. */
#include "cli/simulate.h"

#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* {"TILE": 16, ...} */
static struct at_json *configuration(const struct at_recording *recording, size_t row)
{
	struct at_json *object = at_json_object();

	for (size_t i = 0; i < recording->parameter_count; i++) {
		const struct at_search_parameter *parameter = &recording->parameters[i];
		uint16_t value = recording->rows[row * recording->parameter_count + i];

		at_json_set(object, parameter->name,
			at_value_to_json(parameter->values[value]));
	}
	return object;
}

static void write_run(const struct at_simulate_view *view,
	const struct at_simulate_cell *cell, size_t repeat, FILE *file,
	struct at_strbuf *line)
{
	const struct at_recording *recording = view->recordings[cell->recording];
	const struct at_simulate_run *run = &cell->runs[repeat];
	double best = INFINITY;

	for (size_t i = 0; i < run->count; i++) {
		const struct at_recorded *result =
			&recording->results[run->steps[i].row];
		struct at_json *object = at_json_object();

		if (result->outcome == AT_OUTCOME_OK)
			best = fmin(best, result->time_ns);
		at_json_set(object, "recording", at_json_string(recording->path));
		at_json_set(object, "strategy",
			at_json_string(view->strategies[cell->strategy]));
		at_json_set(object, "repeat", at_json_integer((int64_t)repeat));
		at_json_set(object, "n", at_json_integer((int64_t)i + 1));
		at_json_set(object, "configuration",
			configuration(recording, run->steps[i].row));
		at_json_set(object, "outcome",
			at_json_string(at_outcome_name(result->outcome)));
		/* Both are null where there is none: for a failure, and before the
		   first success. */
		at_json_set(object, "cost", at_json_real(result->time_ns));
		at_json_set(object, "best", at_json_real(best));
		if (view->simulation->mean_seconds[cell->recording] > 0)
			at_json_set(object, "seconds",
				at_json_real((double)run->steps[i].at_ns * 1e-9));
		at_strbuf_clear(line);
		at_json_write(object, 0, line);
		at_json_free(object);
		at_strbuf_add_char(line, '\n');
		/* Errors are noticed when the file is closed. */
		fwrite(at_strbuf_text(line), 1, line->length, file);
	}
}

enum at_status at_simulate_write_trace(
	const struct at_simulate_view *view, const char *path, struct at_error *err)
{
	const struct at_simulation *simulation = view->simulation;
	size_t cells = simulation->recording_count * simulation->strategy_count;
	struct at_strbuf line = { 0 };
	FILE *file = fopen(path, "w");
	enum at_status status = AT_OK;
	int is_broken;

	if (!file)
		return at_fail(
			err, AT_EIO, path, 0, "cannot write it: %s", strerror(errno));
	for (size_t c = 0; c < cells; c++)
		for (size_t r = 0; r < simulation->repeats; r++)
			write_run(view, &simulation->cells[c], r, file, &line);
	at_strbuf_release(&line);
	is_broken = ferror(file);
	if (fclose(file) || is_broken)
		status = at_fail(
			err, AT_EIO, path, 0, "cannot write it: %s", strerror(errno));
	return status;
}
