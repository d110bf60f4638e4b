/*
 * The plan of a header while it is made, as its files share it: header_plan.c finds the
 * winners, header_options.c says which of them are one configuration. Nobody else
 * includes this.
 */
#ifndef AT_RECORD_HEADER_PLAN_PARTS_H
#define AT_RECORD_HEADER_PLAN_PARTS_H

#include "record/header_plan.h"

struct plan_maker {
	struct at_header_plan *plan;
	const struct at_spec *spec;
	/* one a configuration: equal for equal ones */
	char **keys;
	size_t key_count;
	struct at_value *slots; /* scratch, one a slot */
};

/* ---- header_options.c: self->slots are bound to the configuration's values */

/*
 * *out: heap strings, as at_source_free_options() frees them, also after a failure.
 * recorded: a JSON array, or NULL or "" for what was never recorded. *found false:
 * nobody knows the options, or they are none of this space's.
 */
enum at_status plan_find_options(struct plan_maker *self, const char *recorded,
	char ***out, size_t *count, bool *found, struct at_error *err);
/* Sets those of slots that options are made of, and which options' conditions hold. */
enum at_status plan_keep_exact(struct plan_maker *self, struct at_value *slots,
	bool *conditions, struct at_error *err);
/* Takes it over, also when it fails; *index: where it is, or was already. */
enum at_status plan_configuration_add(struct plan_maker *self,
	struct at_header_configuration *configuration, size_t *index,
	struct at_error *err);
void plan_configuration_release(struct at_header_configuration *self);

#endif
