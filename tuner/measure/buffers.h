/*
 * The memory of a bench: made once, protected, given zones, fitted to configurations,
 * restored ahead of launches.
 */
#ifndef AT_MEASURE_BUFFERS_H
#define AT_MEASURE_BUFFERS_H

#include "measure/bench_parts.h"

/*
 * Memory for all arguments, of as many sets as there is room for (set_count). is_alone:
 * nothing can be freed to make room, so that one set may do. On failure free it too.
 */
enum at_status buffers_make(struct at_bench *self, bool is_alone, struct at_error *err);
void buffers_free(struct at_bench *self);
/* What they take of the device's memory. */
uint64_t buffers_bytes(const struct at_bench *self);

/* Makes, or frees, the places at SIDE_START of what kernels write. */
enum at_status buffers_make_starts(struct at_bench *self, struct at_error *err);
void buffers_free_starts(struct at_bench *self);
/* Fits scratch to a configuration. AT_EOVERFLOW: more than any device has. */
enum at_status buffers_fit_scratch(struct at_bench *self,
	const struct at_measure_binding *bindings, struct at_error *err);

/* Memory for an argument of that size, all of it zone until something is put there. */
enum at_status place_make(struct at_bench *self, size_t argument, enum side side,
	struct place *out, struct at_error *err);
void place_free(struct at_bench *self, struct place *place);
/* Nothing where memory is not guarded. */
enum at_status place_protect(struct at_bench *self, const struct place *place,
	enum at_protection protection, struct at_error *err);
/*
 * AT_EINVAL where a file that a setup names has other contents than when keys were made
 * of it (`known`; zero: any): a process that is started later would measure, and be
 * judged by, something else than what is recorded.
 */
enum at_status bench_check_contents(const char *path, struct at_hash now,
	struct at_hash known, struct at_error *err);
/* The contents of a file into an argument's place; the sizes must agree, and so must
   what is in it with what the setup says. */
enum at_status place_upload(struct at_bench *self, size_t argument, const char *path,
	const struct place *place, struct at_error *err);

/* Lists zones around a place's data, all of this byte. */
void list_place_zones(struct at_bench *self, struct call_list *list,
	struct place *place, uint64_t bytes, unsigned byte);
/* Lists other bytes for the zones of what is written on the staging: the round's. */
void list_zones(struct at_bench *self, struct call_list *list, struct staging staging,
	unsigned round);
/*
 * Lists what makes the buffers of a staging new: inout as they were, and unless only
 * those are wanted, poison in outputs and scratch. At most one call an argument.
 */
void list_restore(struct at_bench *self, struct call_list *list, struct staging staging,
	unsigned poison, bool inout_only);

#endif
