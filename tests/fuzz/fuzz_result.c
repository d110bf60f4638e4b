/* Any bytes as a result file: refused in a line, or read and written again the same. */
#include "record/results.h"
#include "base/memory.h"
#include "record/result.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_again(const struct at_results *results)
{
	char kernel[] = "function";
	struct at_spec spec = { .name = results->items[0].best.space,
		.kernel = kernel };

	for (size_t i = 0; i < results->count; i++) {
		const struct at_result *item = &results->items[i];
		struct at_results read = { 0 };
		struct at_strbuf text = { 0 };

		/* what was taken can be written, and what was written can be taken */
		if (at_result_json(&spec, &item->device, &item, 1,
			    &results->counterexamples, &text, NULL))
			abort();
		/* of older files the baseline's time was another one, and may not go
		   with the speed-up; a place of its own for an interval lets it */
		if (at_bundled_parse(text.data, text.length, "again", item->device.slug,
			    &read, NULL) ||
			read.count != 1)
			abort();
		at_results_release(&read);
		at_strbuf_release(&text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct at_results results = { 0 };
	struct at_error err = { 0 };

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (!at_bundled_parse(text, size, "fuzz", "nvidia-h200", &results, &err))
		write_again(&results);
	else if (!err.text[0])
		abort();
	at_results_release(&results);
	free(text);
	return 0;
}
