/*
 * Any bytes as JSON, read both ways: as a tree, and from front to back. What the tree
 * takes can be written and read again, and the reader takes it too.
 */
#include "base/json.h"
#include "base/json_reader.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every value is looked at, by the calls that whoever wants it would make. */
static enum at_status walk(struct at_json_reader *reader, struct at_error *err)
{
	struct at_json_scalar scalar;
	const char *key;

	switch (at_json_reader_peek(reader)) {
	case AT_JSON_OBJECT:
		if (at_json_reader_enter(reader, AT_JSON_OBJECT, err))
			return err->status;
		while (at_json_reader_member(reader, &key, err))
			/* every other one is passed over */
			if ((strlen(key) % 2 ? at_json_reader_skip(reader, err)
					     : walk(reader, err)))
				return err->status;
		return err->status;
	case AT_JSON_ARRAY:
		if (at_json_reader_enter(reader, AT_JSON_ARRAY, err))
			return err->status;
		while (at_json_reader_item(reader, err))
			if (walk(reader, err))
				return err->status;
		return err->status;
	case AT_JSON_STRING:
	case AT_JSON_NUMBER:
	case AT_JSON_BOOLEAN:
	case AT_JSON_NULL:
	case AT_JSON_END:
	case AT_JSON_ODD:
		break;
	}
	return at_json_reader_scalar(reader, &scalar, err);
}

static enum at_status read_through(const uint8_t *data, size_t size, bool skips)
{
	struct at_json_reader reader;
	struct at_error err = { 0 };
	char *text = malloc(size + 1);
	enum at_status status;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	at_json_reader_init(&reader, text, size, "fuzz.json");
	status = skips ? at_json_reader_skip(&reader, &err) : walk(&reader, &err);
	if (status && (!err.text[0] || strchr(err.text, '\n')))
		abort();
	free(text);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct at_json *tree = NULL, *again = NULL;
	struct at_strbuf first = { 0 }, second = { 0 };
	struct at_error err = { 0 };
	enum at_status skipped = read_through(data, size, true);

	read_through(data, size, false);
	if (at_json_parse((const char *)data, size, "fuzz.json", &tree, &err)) {
		if (tree || !err.text[0] || strchr(err.text, '\n'))
			abort();
		return 0;
	}
	/* deeper than the reader goes is the one thing that it may refuse */
	if (skipped && size < (size_t)2 * AT_JSON_DEPTH_MAX)
		abort();
	if (at_json_write(tree, 0, &first, &err) ||
		at_json_parse(first.data, first.length, "again", &again, &err) ||
		at_json_write(again, 0, &second, &err) ||
		strcmp(first.data, second.data) != 0)
		abort();
	at_json_free(again);
	at_json_free(tree);
	at_strbuf_release(&first);
	at_strbuf_release(&second);
	return 0;
}
