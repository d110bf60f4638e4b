/*
 * A header's plan while it is made. header_plan.c finds the winners; header_options.c
 * determines their options and which of them are one configuration. No other file
 * includes this.
 */
#ifndef AT_RECORD_HEADER_PLAN_PARTS_H
#define AT_RECORD_HEADER_PLAN_PARTS_H

#include "record/header_plan.h"

/* A plan while it is made. */
struct plan_maker {
	struct at_header_plan *plan;
	const struct at_spec *spec;
	/* by configuration: a text that is equal for equal configurations */
	char **keys;
	size_t key_count;
	struct at_value *slots; /* scratch, one a slot */
};

/* ---- header_options.c; self->slots must hold the configuration's values */

/*
 * The compiler options of the configuration: the recorded ones (a JSON array, or NULL
 * or "" where none were recorded), else computed ones. *out: heap strings, to be freed
 * by at_source_free_options(), also after a failure. *found is false where the options
 * cannot be determined or cannot come from this space.
 */
enum at_status plan_find_options(struct plan_maker *self, const char *recorded,
	char ***out, size_t *count, bool *found, struct at_error *err);
/* Copies the slots that options depend on to `slots`, and writes which options'
   conditions hold. */
void plan_keep_exact(struct plan_maker *self, struct at_value *slots, bool *conditions);
/* Adds the configuration, or finds the equal one; *index: its number. Takes it over. */
void plan_configuration_add(struct plan_maker *self,
	struct at_header_configuration *configuration, size_t *index);
/* Frees all that a configuration holds and zeroes it. */
void plan_configuration_release(struct at_header_configuration *self);

#endif
