/* The strategies that search/registry.c lists, and what their files share. */
#ifndef AT_SEARCH_KINDS_H
#define AT_SEARCH_KINDS_H

#include "search/strategy.h"

#include <stdbool.h>

extern const struct at_strategy_kind at_strategy_exhaustive;
extern const struct at_strategy_kind at_strategy_random;

/* One bit a configuration: asked for or told. */
struct at_tried {
	unsigned char *bits;
};

enum at_status at_tried_init(struct at_tried *self, size_t count, struct at_error *err);
void at_tried_release(struct at_tried *self);
bool at_tried_test(const struct at_tried *self, size_t index);
void at_tried_set(struct at_tried *self, size_t index);

/* For strategies without options: any text is an error. */
enum at_status at_strategy_no_options(
	const char *name, const char *options, struct at_error *err);

#endif
