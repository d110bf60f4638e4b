#include "search/kinds.h"

#include <stdlib.h>

enum at_status at_tried_init(struct at_tried *self, size_t count, struct at_error *err)
{
	self->bits = calloc(count / 8 + 1, 1);
	return self->bits ? AT_OK : at_fail_memory(err);
}

void at_tried_release(struct at_tried *self)
{
	free(self->bits);
	self->bits = NULL;
}

bool at_tried_test(const struct at_tried *self, size_t index)
{
	return self->bits[index / 8] >> (index % 8) & 1;
}

void at_tried_set(struct at_tried *self, size_t index)
{
	self->bits[index / 8] |= (unsigned char)(1u << (index % 8));
}

enum at_status at_strategy_no_options(
	const char *name, const char *options, struct at_error *err)
{
	if (!options[0])
		return AT_OK;
	return at_fail(err, AT_EINVAL, NULL, 0,
		"strategy \"%s\" takes no options, found \"%s\"", name, options);
}
