/*
 * The memory of a bench: buffers are made once, protected, given zones, fitted to the
 * scratch of configurations, and restored before launches.
 */
#ifndef AT_MEASURE_BUFFERS_H
#define AT_MEASURE_BUFFERS_H

#include "measure/bench_parts.h"

/*
 * Makes memory for all arguments, for as many sets as there is room for (set_count).
 * is_alone: there is no other bench that could be freed, so one set will do if there is
 * no room for two. After a failure call buffers_free() too.
 */
enum at_status buffers_make(
	struct at_measure_context *self, bool is_alone, struct at_error *err);
void buffers_free(struct at_measure_context *self);
/* The device memory that the buffers take, in bytes. */
uint64_t buffers_bytes(const struct at_measure_context *self);

/* Makes or frees the places at SIDE_START of the arguments that kernels write. */
enum at_status buffers_make_starts(
	struct at_measure_context *self, struct at_error *err);
void buffers_free_starts(struct at_measure_context *self);
/* Fits scratch to a configuration. AT_EOVERFLOW: larger than any device's memory. */
enum at_status buffers_fit_scratch(struct at_measure_context *self,
	const struct at_measure_binding *bindings, struct at_error *err);

/* Makes memory for an argument: all of it is zone until data is put there. */
enum at_status place_make(struct at_measure_context *self, size_t argument,
	enum side side, struct place *out, struct at_error *err);
void place_free(struct at_measure_context *self, struct place *place);
/* Changes what kernels may do with a place; does nothing where it is not guarded. */
enum at_status place_protect(struct at_measure_context *self, const struct place *place,
	enum at_protection protection, struct at_error *err);
/*
 * Checks that a file still has the contents (`known`; zero: any) from which the keys of
 * evaluations were made; `now` is the hash of what was read. AT_EINVAL: it has changed,
 * and an evaluation would be recorded under the key of other contents.
 */
enum at_status bench_check_contents(const char *path, struct at_hash now,
	struct at_hash known, struct at_error *err);
/* Reads a file into an argument's place. Its size must be the argument's, and its
   contents those that the setup names (bench_check_contents()). */
enum at_status place_upload(struct at_measure_context *self, size_t argument,
	const char *path, const struct place *place, struct at_error *err);

/* Lists the calls that fill the zones of a place, and the padding of its rows, with
   this byte. */
void list_place_zones(struct at_measure_context *self, struct call_list *list,
	size_t argument, struct place *place, unsigned byte);
/* Lists the calls that give the zones of all written arguments the bytes of a round. */
void list_zones(struct at_measure_context *self, struct call_list *list,
	struct staging staging, unsigned round);
/*
 * Lists the calls that restore the buffers of a staging: inout arguments get their
 * input again and, unless inout_only, outputs and scratch get poison. At most two calls
 * for each argument, the second for the padding of rows.
 */
void list_restore(struct at_measure_context *self, struct call_list *list,
	struct staging staging, unsigned poison, bool inout_only);

#endif
