/*
 * Any bytes as a recording, and as gzip of one: read or refused with one line, and what
 * was read makes sense: every row has its values, and is found by them. It can be
 * written.
 */
#include "base/gzip.h"
#include "base/memory.h"
#include "record/recording_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* what expands further is refused */
#define EXPANDED_MAX 1000000

static void check(const struct at_recording *recording)
{
	size_t width = recording->parameter_count;

	if (!recording->count || !width)
		abort();
	for (size_t i = 0; i < recording->count; i++) {
		const struct at_recorded *result = &recording->results[i];

		for (size_t k = 0; k < width; k++)
			if (recording->rows[i * width + k] >=
				recording->parameters[k].value_count)
				abort();
		if (at_recording_find(recording, recording->rows + i * width) != i)
			abort();
		if ((result->outcome == AT_OUTCOME_OK) != (result->time_ns > 0) ||
			result->outcome == AT_OUTCOME_NONE || !result->reason)
			abort();
		for (size_t k = 0; k < result->sample_count; k++)
			if (!(recording->samples_ns[result->sample_begin + k] > 0))
				abort();
	}
}

static void read_text(const char *data, size_t size)
{
	struct at_recording *recording = NULL;
	struct at_strbuf written = { 0 };
	struct at_error err = { 0 };
	char *text = malloc(size + 1);
	enum at_status status;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	status = at_recording_read_text("fuzz", text, size, &recording, &err);
	if (!status) {
		check(recording);
		at_recording_write(recording, &written);
	} else if (recording || err.status != status || !err.text[0] ||
		   strchr(err.text, '\n')) {
		abort();
	}
	at_strbuf_release(&written);
	at_recording_free(recording);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct at_error err = { 0 };
	size_t text_size;
	char *text;

	read_text((const char *)data, size);
	if (at_gzip_expand(
		    data, size, EXPANDED_MAX, "fuzz.gz", &text, &text_size, &err))
		return 0;
	read_text(text, text_size);
	free(text);
	return 0;
}
