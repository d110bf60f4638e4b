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
	struct place *arrays; /* for each value: an array of pointers, else none */
	uint32_t object_count;
	/* textures and surfaces: those that have arrays first */
	struct at_texels **texels;
	size_t texel_count;
	size_t copied_count;
};

/* The launches that are timed as one, in their order, repeats included. */
struct bound_sequence {
	struct bound_call *calls; /* each launch, twice where buffers change places */
	size_t call_count;
	struct at_invocation *launches; /* of the calls */
	size_t count; /* of launches; 0: not bound */
	struct at_texels **copied; /* of all calls, those with arrays */
	size_t copied_count;
};

/*
 * Puts together the bytes of a scalar that is a structure from its fields, each of
 * which has a binding of its own; bytes between fields are 0. Pointers are left to
 * bound_call_init(). The caller frees them.
 */
void *calls_object(const struct at_measure_setup *setup,
	const struct at_measure_binding *bindings, uint32_t argument);

/*
 * Binds a call to the places of a staging. expected_outputs: the call is the
 * reference's, and its outputs are the expected ones. moved: of each argument, that in
 * whose place its buffer is; NULL: each in its own. AT_ENOENT: the module has no such
 * kernel.
 */
enum at_status bound_call_init(struct at_measure_context *self,
	struct at_module *module, const struct at_measure_call *call,
	const struct at_measure_binding *bindings, struct staging staging,
	bool expected_outputs, const uint32_t *moved, struct bound_call *out,
	struct at_error *err);
void bound_call_release(struct at_measure_context *self, struct bound_call *call);
/* Binds what a request times. moved gets where each argument's buffer is in the end; it
   has room for all arguments. Release *out also after a failure. */
enum at_status bound_sequence_init(struct at_measure_context *self,
	struct at_module *module, const struct at_measure_request *request,
	struct staging staging, struct bound_sequence *out, uint32_t *moved,
	struct at_error *err);
void bound_sequence_release(
	struct at_measure_context *self, struct bound_sequence *sequence);

/* Lists the copy to the arrays of a sequence, or back; none without arrays. */
void list_copy(
	struct call_list *list, const struct bound_sequence *sequence, bool is_back);

/* Whether the reference in double has doubles in place of the argument's numbers. */
bool calls_is_widened(const struct at_measure_context *self, size_t argument);
/*
 * Copies inputs into the variables that a module has for them; as_doubles: the module
 * is the reference in double. This is done once, after the module was loaded: a kernel
 * that writes to such a variable spoils its own later launches, whose output is
 * compared too.
 */
enum at_outcome bench_set_symbols(struct at_measure_context *self,
	struct at_module *module, bool as_doubles, struct at_error *err);

#endif
