/* Any bytes as an object file that a C++ compiler wrote for the device host. */
#include "kernel/cxx_object.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char symbol[] = "facts";
	struct at_strbuf text = { 0 };
	struct at_error err = { 0 };
	unsigned char *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	if (at_cxx_object_write_shared(data, size, &text, &err) && !err.text[0])
		abort();
	for (size_t i = 0; i < 3; i++) {
		struct at_kernel_facts facts = { .symbol = symbol };

		at_cxx_object_read_signature(data, size, i, &facts);
		free(facts.parameters);
	}
	memcpy(copy, data, size);
	at_cxx_object_spread_shared(copy, size, NULL);
	free(copy);
	at_strbuf_release(&text);
	return 0;
}
