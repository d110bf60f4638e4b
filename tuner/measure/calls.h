/* Binds calls of the template's kernels to a bench's buffers, and fills variables of
   modules. */
#ifndef AT_MEASURE_CALLS_H
#define AT_MEASURE_CALLS_H

#include "measure/bench_parts.h"

/* One invocation of a kernel of the template, with the storage of its arguments. */
struct bound_call {
	struct at_invocation invocation;
	struct at_parameter_value *values;
	void **objects; /* for each value: the bytes of a structure, else NULL */
	uint32_t object_count;
};

/*
 * Puts together the bytes of a scalar that is a structure from its fields, each of
 * which has a binding of its own; bytes between fields are 0. The caller frees them.
 */
void *calls_object(const struct at_measure_setup *setup,
	const struct at_measure_binding *bindings, uint32_t argument);

/*
 * Binds a call to the places of a staging. expected_outputs: the call is the
 * reference's, and its outputs are the expected ones. AT_ENOENT: the module has no such
 * kernel.
 */
enum at_status bound_call_init(struct at_measure_context *self,
	struct at_module *module, const struct at_measure_call *call,
	const struct at_measure_binding *bindings, struct staging staging,
	bool expected_outputs, struct bound_call *out, struct at_error *err);
void bound_call_release(struct bound_call *self);

/*
 * Copies inputs into the variables that a module has for them. This is done once, after
 * the module was loaded: a kernel that writes to such a variable spoils its own later
 * launches, whose output is compared too.
 */
enum at_outcome bench_set_symbols(struct at_measure_context *self,
	struct at_module *module, struct at_error *err);

#endif
