/*
 * The tuner's own kernels (support.cu). Each function adds a call of one of them to a
 * list; the call runs when the list is sent. A `row` is the device address of a struct
 * check_row (checks.h), to which the kernels of checks add their findings.
 */
#ifndef AT_MEASURE_SUPPORT_H
#define AT_MEASURE_SUPPORT_H

#include "measure/bench_parts.h"

/* A kernel parameter that holds this number. */
struct at_parameter_value value_u64(uint64_t value);

/* Fills an argument as `data` says (data.h). Contents from a file are only for inout,
   with the data of a set. For a structure: all of its fields, with poison between them.
   */
void support_fill(struct at_measure_context *self, struct call_list *list,
	size_t argument, uint64_t address, const struct at_data *data);
/* Writes the same byte everywhere. */
void support_pattern(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, unsigned pattern);
/* Writes a different word everywhere; bytes after the last one stay as they are. */
void support_garbage(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, uint64_t seed);
/* Writes the byte of a place's zones to the padding of its rows or, with the address of
   a check's row, looks there for other bytes. Adds no call where rows have none. */
void support_padding(struct at_measure_context *self, struct call_list *list,
	size_t argument, const struct place *place, struct at_parameter_value row);
/* Looks for bytes that differ from `pattern`. */
void support_pattern_check(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, unsigned pattern,
	struct at_parameter_value row);
/* Computes a checksum of these bytes. */
void support_checksum(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, struct at_parameter_value row);
/* Copies an argument's contents for the reference in double, widened where that reads
   doubles. */
void support_widen(struct at_measure_context *self, struct call_list *list,
	size_t argument, const struct place *from, uint64_t to);
/* Moves the floats or doubles at an address up to `steps` numbers up or down, by the
   seed, but not beyond `low` and `high`. Integers above `low` become less by one. */
void support_jolt(struct at_measure_context *self, struct call_list *list,
	size_t argument, uint64_t address, unsigned steps, uint64_t seed, double low,
	double high);
/* Masks or unmasks, 16 bytes at a time: up to 15 bytes behind the data are masked too.
 */
void support_mask(struct at_measure_context *self, struct call_list *list,
	uint64_t address, uint64_t bytes, uint64_t mask);

/* Copies of the variables of a module, as the kernel at_variables reads them. */
struct saved_variables {
	struct at_memory *memory; /* a table, then the copies; NULL: no variables */
	uint64_t count;
	uint64_t bytes; /* of the copies */
};
enum variables_task { VARIABLES_SAVE = 1, VARIABLES_RESTORE, VARIABLES_DIFFER };
/* Saves, restores or compares the variables; row: the finding of DIFFER. Adds no call
   where the module has no variables. */
void support_variables(struct at_measure_context *self, struct call_list *list,
	const struct saved_variables *saved, enum variables_task task,
	struct at_parameter_value row);

/* The most calls that support_flush() adds to a list. */
#define SUPPORT_FLUSH_CALLS 2
/*
 * Empties the cache, and leaves no line in it that has to be written back. Where
 * kernels can ask the cache to keep lines (at_device.keeps_lines) these are two calls,
 * else one. The bench has made the flush buffer (bench.c).
 */
void support_flush(struct at_measure_context *self, struct call_list *list);
/*
 * Writes poison to the shared memory of all multiprocessors: a kernel that takes unset
 * shared memory as 0 then fails. Adds no call where the device poisons it by itself or
 * does not know its size.
 */
void support_poison_shared(struct at_measure_context *self, struct call_list *list);
/*
 * Writes poison, by the seed, to the memory in which the next kernels' threads will
 * have their local arrays: the first 4 KiB of each thread. Adds no call where the
 * device does this by itself. It has no effect on the first launch of a kernel whose
 * threads need more, since the driver then allocates that memory anew.
 */
void support_poison_local(
	struct at_measure_context *self, struct call_list *list, unsigned seed);
/* Launches a kernel that does nothing. */
void support_nothing(struct at_measure_context *self, struct call_list *list);

/*
 * Adds nothing to a list: from now on bench_run() runs its calls beside a filler kernel
 * that takes so many multiprocessors, for limit_ns at most (crowd() in device.h).
 * AT_EUNAVAILABLE: the device cannot do that, or not now.
 */
enum at_status support_crowd(struct at_measure_context *self, unsigned multiprocessors,
	uint64_t limit_ns, struct at_error *err);

/*
 * From now on, in bench_run(), some blocks of each call of this kernel begin late,
 * until it is called again with NULL (delay_blocks() in device.h). AT_EUNAVAILABLE: the
 * device cannot do that, or not now.
 */
enum at_status support_hold_back(struct at_measure_context *self,
	const struct at_kernel *kernel, uint64_t hold_ns, struct at_error *err);

#endif
