/* Binds calls of the template's kernels to buffers, and sets variables of modules. */
#ifndef AT_MEASURE_CALLS_H
#define AT_MEASURE_CALLS_H

#include "measure/bench_parts.h"

/* One invocation of a kernel of the template, and its arguments. */
struct bound_call {
	struct at_invocation invocation;
	struct at_parameter_value *values;
	void **objects; /* for each value: the bytes of a structure, else NULL */
	struct place *arrays; /* for each value: an array of pointers, else empty */
	uint32_t object_count;
	/* textures and surfaces, those with arrays first */
	struct at_texels **texels;
	size_t texel_count;
	size_t copied_count;
};

/* The launches that are timed as one, in order, with repeats. */
struct bound_sequence {
	struct bound_call *calls; /* each launch, twice if buffers swap places */
	size_t call_count;
	struct at_invocation *launches; /* of the calls */
	size_t count; /* of launches; 0: not bound */
	struct at_texels **copied; /* those with arrays, of all calls */
	size_t copied_count;
};

/* Assembles the bytes of a structure passed by value from its fields; each has
   its own binding; padding is 0. bound_call_init() sets the pointers. The caller frees
   the result. */
void *calls_object(const struct at_measure_setup *setup,
	const struct at_measure_binding *bindings, uint32_t argument);

/* Binds a call to the places of a staging. expected_outputs: the call is the
   reference's, and writes the expected outputs. moved: for each argument, whose place
   its buffer has; NULL: its own. AT_ENOENT: the module has no such kernel. */
enum at_status bound_call_init(struct at_measure_context *self,
	struct at_module *module, const struct at_measure_call *call,
	const struct at_measure_binding *bindings, struct staging staging,
	bool expected_outputs, const uint32_t *moved, struct bound_call *out,
	struct at_error *err);
void bound_call_release(struct at_measure_context *self, struct bound_call *call);
/* Binds the timed launches of a request. moved, with room for all arguments, gets the
   place of each buffer after the launches. Release *out also after a failure. */
enum at_status bound_sequence_init(struct at_measure_context *self,
	struct at_module *module, const struct at_measure_request *request,
	struct staging staging, struct bound_sequence *out, uint32_t *moved,
	struct at_error *err);
void bound_sequence_release(
	struct at_measure_context *self, struct bound_sequence *sequence);

/* Lists the copy to the arrays of a sequence, or back; nothing without arrays. */
void list_copy(
	struct call_list *list, const struct bound_sequence *sequence, bool is_back);

/* Whether the reference in double replaces this argument's numbers by doubles. */
bool calls_is_widened(const struct at_measure_context *self, size_t argument);
/* Copies inputs into the module's variables for them; as_doubles: the module is the
   reference in double. Call it once, after loading. A kernel that writes to such a
   variable spoils its own later launches, whose output is compared too. */
enum at_outcome bench_set_symbols(struct at_measure_context *self,
	struct at_module *module, bool as_doubles, struct at_error *err);

#endif
