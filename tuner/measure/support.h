/*
 * The tuner's own kernels (support.cu): each function adds a call of one of them to a
 * list, which takes effect when the list is sent. Rows are addresses of a struct
 * check_row on the device (checks.h), to which checks add what they find.
 */
#ifndef AT_MEASURE_SUPPORT_H
#define AT_MEASURE_SUPPORT_H

#include "measure/bench_parts.h"

struct at_parameter_value value_u64(uint64_t value);

/* One argument's contents in that data, unless they come from a file (data.h): of a
   structure all its fields', with poison between them. */
void support_fill(struct at_bench *self, struct call_list *list, size_t argument,
	uint64_t address, const struct at_data *data);
/* The same byte everywhere. */
void support_pattern(struct at_bench *self, struct call_list *list, uint64_t address,
	uint64_t bytes, unsigned pattern);
/* Words that differ from each other; anything after the last byte stays. */
void support_garbage(struct at_bench *self, struct call_list *list, uint64_t address,
	uint64_t bytes, uint64_t seed);
/* Looks for bytes that are not the pattern's. */
void support_pattern_check(struct at_bench *self, struct call_list *list,
	uint64_t address, uint64_t bytes, unsigned pattern,
	struct at_parameter_value row);
void support_checksum(struct at_bench *self, struct call_list *list, uint64_t address,
	uint64_t bytes, struct at_parameter_value row);
/* of what the reference gave for the argument, not masked; tolerance.scale: nothing
   above it counts, unless that is 0 */
void support_scale(struct at_bench *self, struct call_list *list, size_t argument,
	const struct place *expected, struct tolerance tolerance,
	struct at_parameter_value row);
/* a copy of the argument's contents for the reference in double */
void support_widen(struct at_bench *self, struct call_list *list, size_t argument,
	const struct place *from, uint64_t to);
/* what that gave beside what the reference gave, or in its place; not masked */
void support_narrow(struct at_bench *self, struct call_list *list, size_t argument,
	const struct place *expected, struct at_memory *wide, double scale,
	bool replace, struct at_parameter_value row);
/* a copy of the argument's contents in which half of the floats are the next ones
   towards 0, other ones for each seed; none leaves the whole number that it is in */
void support_nudge(struct at_bench *self, struct call_list *list, size_t argument,
	const struct place *from, uint64_t to, uint64_t seed);
/* the floats or doubles at an address, the argument's, up to so many steps up or down, but between
   two ends; others for each seed. Integers above the lower end become less by one. */
void support_jolt(struct at_bench *self, struct call_list *list, size_t argument,
	uint64_t address, unsigned steps, uint64_t seed, double low, double high);
/* as many bytes as the argument has */
void support_copy(struct at_bench *self, struct call_list *list, size_t argument,
	uint64_t from, uint64_t to);
/* What is as it was drawn, within the tolerance, becomes what is expected; that is not
   masked. is_near: so few steps were drawn that also a real number may be some way
   beyond where they took it. */
void support_excuse(struct at_bench *self, struct call_list *list, size_t argument,
	uint64_t actual, uint64_t drawn, uint64_t expected, struct tolerance tolerance,
	bool is_near);
/* Takes what the reference gave for such copies into the reach of the set's output,
   which begins with the first; what is expected is not masked. */
void support_reach(struct at_bench *self, struct call_list *list, size_t argument,
	unsigned set, struct at_memory *drawn, bool is_first,
	struct at_parameter_value row);
/* `actual` against what the reference gave for the argument; mask 0: not masked */
void support_compare(struct at_bench *self, struct call_list *list, size_t argument,
	const struct place *actual, const struct place *expected, uint64_t mask,
	struct tolerance tolerance, struct at_parameter_value row);
/* Masks, or unmasks; 16 bytes at a time, so what lies behind is masked with it. */
void support_mask(struct at_bench *self, struct call_list *list, uint64_t address,
	uint64_t bytes, uint64_t mask);

/* The variables of a module, and copies of them: what the kernel at_variables reads. */
struct saved_variables {
	struct at_memory *memory; /* its table, and the copies; NULL: none */
	uint64_t count;
	uint64_t bytes; /* of the copies */
};
enum variables_task { VARIABLES_SAVE = 1, VARIABLES_RESTORE, VARIABLES_DIFFER };
/* row: of DIFFER, what was found. Where there are no variables nothing is added. */
void support_variables(struct at_bench *self, struct call_list *list,
	const struct saved_variables *saved, enum variables_task task,
	struct at_parameter_value row);

/* Empties the cache; the bench must have made the flush buffer (shared.h). */
void support_flush(struct at_bench *self, struct call_list *list);
/*
 * Poison in the shared memory of all multiprocessors, for whoever runs next and takes
 * it as 0. Nothing where the device does this by itself, or cannot say how much there
 * is.
 */
void support_poison_shared(struct at_bench *self, struct call_list *list);
/*
 * Poison where the local arrays of the next kernels' threads will lie, other for each
 * seed: the first 4 KiB of every thread's. Nothing where the device does this by
 * itself. Of no use ahead of the first launch of a kernel whose threads need more: for
 * that the driver makes room anew.
 */
void support_poison_local(struct at_bench *self, struct call_list *list, unsigned seed);
/* A kernel that does nothing. */
void support_nothing(struct at_bench *self, struct call_list *list);

/*
 * No call for a list: from now on bench_run() runs its calls beside a filler, see
 * crowd() of the device. AT_EUNAVAILABLE also where the device cannot do that.
 */
enum at_status support_crowd(struct at_bench *self, unsigned multiprocessors,
	uint64_t limit_ns, struct at_error *err);

#endif
