/* Any bytes as JSON: what is read can be written and read again. */
#include "base/json.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct at_json *tree = NULL, *again = NULL;
	struct at_strbuf first = { 0 }, second = { 0 };
	struct at_error err = { 0 };

	if (at_json_parse((const char *)data, size, "fuzz.json", &tree, &err)) {
		if (tree || !err.text[0] || strchr(err.text, '\n'))
			abort();
		return 0;
	}
	at_json_write(tree, 0, &first);
	if (at_json_parse(first.data, first.length, "again", &again, &err))
		abort();
	at_json_write(again, 0, &second);
	if (strcmp(first.data, second.data) != 0)
		abort();
	at_json_free(again);
	at_json_free(tree);
	at_strbuf_release(&first);
	at_strbuf_release(&second);
	return 0;
}
