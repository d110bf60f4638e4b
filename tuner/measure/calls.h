/* Calls of the template's kernels with a bench's buffers, and variables of modules. */
#ifndef AT_MEASURE_CALLS_H
#define AT_MEASURE_CALLS_H

#include "measure/bench_parts.h"

/* One invocation of a kernel of the template and the storage of its arguments. */
struct bound_call {
	struct at_invocation invocation;
	struct at_parameter_value *values;
	void **objects; /* one a value: of structures their bytes, else NULL */
	uint32_t object_count;
};

/*
 * The bytes of a scalar that is a structure, put together from its fields, each of
 * which has a binding of its own; zeros between them. The caller's to free; NULL:
 * AT_ENOMEM.
 */
void *calls_object(const struct at_measure_setup *setup,
	const struct at_measure_binding *bindings, uint32_t argument,
	struct at_error *err);

/*
 * The call on a staging; of the reference, whose outputs are the expected ones.
 * AT_ENOENT: the module has no such kernel; AT_ENOMEM.
 */
enum at_status bound_call_init(struct at_bench *self, struct at_module *module,
	const struct at_measure_call *call, const struct at_measure_binding *bindings,
	struct staging staging, bool expected_outputs, struct bound_call *out,
	struct at_error *err);
void bound_call_release(struct bound_call *self);

/*
 * Copies inputs into the variables that a module has for them. Once, when it was
 * loaded: a kernel that writes there spoils its own later launches, and is judged
 * by them.
 */
enum at_outcome bench_set_symbols(
	struct at_bench *self, struct at_module *module, struct at_error *err);

#endif
