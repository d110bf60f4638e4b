/*
 * Any bytes as an expression: it is refused with one line, or evaluates without
 * a fault, to the same as a value and as a condition, whatever its names hold.
 */
#include "space/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct at_name names[] = { { "A", AT_TYPE_NONE }, { "B", AT_TYPE_NONE },
	{ "C", AT_TYPE_NONE }, { "device.x", AT_TYPE_NONE } };

#define NAME_COUNT (sizeof(names) / sizeof(*names))

static const struct at_value bindings[][NAME_COUNT] = {
	{ { AT_TYPE_INTEGER, { .integer = 0 } }, { AT_TYPE_INTEGER, { .integer = 1 } },
		{ AT_TYPE_INTEGER, { .integer = -7 } },
		{ AT_TYPE_INTEGER, { .integer = 64 } } },
	{ { AT_TYPE_INTEGER, { .integer = INT64_MIN } },
		{ AT_TYPE_INTEGER, { .integer = INT64_MAX } },
		{ AT_TYPE_INTEGER, { .integer = -1 } }, { .type = AT_TYPE_NONE } },
	{ { AT_TYPE_REAL, { .real = 0.5 } }, { AT_TYPE_INTEGER, { .integer = 63 } },
		{ AT_TYPE_BOOLEAN, { .integer = 1 } },
		{ AT_TYPE_REAL, { .real = -1e300 } } },
	{ { AT_TYPE_WORD, { .word = "ca" } }, { AT_TYPE_WORD, { .word = "" } },
		{ AT_TYPE_INTEGER, { .integer = 2 } },
		{ AT_TYPE_REAL, { .real = 0 } } },
};

static void evaluate(
	const struct at_expression *expression, const struct at_value *slots)
{
	struct at_value value = { .type = AT_TYPE_NONE };
	bool truth = false;
	enum at_evaluated evaluated =
		at_expression_evaluate(expression, slots, &value, NULL);
	enum at_evaluated tested = at_expression_test(expression, slots, &truth, NULL);

	if (evaluated) {
		if (tested != evaluated)
			abort();
		return;
	}
	switch (value.type) {
	case AT_TYPE_NONE:
		abort();
	case AT_TYPE_INTEGER:
	case AT_TYPE_BOOLEAN:
		if (tested || truth != (value.integer != 0))
			abort();
		break;
	case AT_TYPE_REAL:
		if (tested || truth != (value.real != 0) || !isfinite(value.real))
			abort();
		break;
	case AT_TYPE_WORD:
		if (tested != AT_EVALUATION_TYPE)
			abort();
		break;
	}
}

static enum at_type write_name(void *context, int slot, struct at_strbuf *out)
{
	(void)context;
	at_strbuf_add(out, names[slot].name);
	return slot % 2 ? AT_TYPE_REAL : AT_TYPE_INTEGER;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct at_names known = { .count = NAME_COUNT, .items = names };
	struct at_expression *expression = NULL;
	const struct at_expression_naming naming = {
		.prefix = "autotune_",
		.name = write_name,
	};
	struct at_expression_c written;
	struct at_strbuf c = { 0 };
	struct at_error err = { 0 };
	char *text = at_strndup((const char *)data, size);

	if (at_expression_compile(text, "space.cfg", 1, &known, &expression, &err)) {
		if (expression || !err.status || !err.text[0] ||
			strpbrk(err.text, "\r\n"))
			abort();
	} else {
		for (size_t i = 0; i < sizeof(bindings) / sizeof(*bindings); i++)
			evaluate(expression, bindings[i]);
		at_expression_write_c(
			expression, &naming, AT_TYPE_INTEGER, &written, &c);
		at_expression_write_c(
			expression, &naming, AT_TYPE_BOOLEAN, &written, &c);
	}
	at_strbuf_release(&c);
	at_expression_free(expression);
	free(text);
	return 0;
}
