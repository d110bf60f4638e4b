/*
 * Any bytes as a CSV file of evaluations: read or refused with one line that names a
 * place, and what was read makes sense.
 */
#include "base/memory.h"
#include "record/recording_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct at_recording *recording)
{
	size_t width = recording->parameter_count;

	if (!recording->count || !width)
		abort();
	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];

		if (at_recording_find(recording, recording->rows + i * width) != i)
			abort();
		if ((result->outcome == AT_OUTCOME_OK) != (result->time_ns > 0) ||
			result->outcome == AT_OUTCOME_NONE || !result->reason)
			abort();
		for (size_t k = 0; k < result->sample_count; k++)
			if (!(recording->samples_ns[result->sample_begin + k] > 0))
				abort();
		if (recording->facts && recording->facts[i].registers < -1)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct at_recording *recording = NULL;
	struct at_strbuf text = { 0 };
	struct at_error err = { 0 };
	char *copy = malloc(size + 1);
	enum at_status status;

	if (!copy)
		abort();
	memcpy(copy, data, size);
	copy[size] = '\0';
	at_recording_is_csv(copy, size);
	status = at_recording_read_csv("fuzz.csv", copy, size, &recording, &err);
	if (!status) {
		check(recording);
		/* what was read can be written */
		if (at_recording_write(recording, &text, &err))
			abort();
	} else if (recording || err.status != status || !err.text[0] ||
		   strchr(err.text, '\n')) {
		abort();
	}
	at_strbuf_release(&text);
	at_recording_free(recording);
	free(copy);
	return 0;
}
