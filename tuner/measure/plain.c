/* Life's end of the plain data, and the constants of the support kernels. */
#include "measure/measure.h"

#include <stdlib.h>
#include <string.h>

const char *const at_measure_support_kernels[] = { "at_fill", "at_pattern",
	"at_pattern_check", "at_checksum", "at_compare", "at_flush",
	"at_poison_shared" };
const size_t at_measure_support_kernel_count =
	sizeof(at_measure_support_kernels) / sizeof(at_measure_support_kernels[0]);

/* no contraction: the same inputs on every device, and exact tolerances */
const char *const at_measure_support_options[] = { "-fmad=false" };
const size_t at_measure_support_option_count =
	sizeof(at_measure_support_options) / sizeof(at_measure_support_options[0]);

void at_measure_call_release(struct at_measure_call *self)
{
	free(self->symbol);
	free(self->arguments);
	memset(self, 0, sizeof(*self));
}

void at_measure_setup_release(struct at_measure_setup *self)
{
	for (uint32_t i = 0; self->arguments && i < self->argument_count; i++) {
		free(self->arguments[i].name);
		free(self->arguments[i].file);
		free(self->arguments[i].symbol);
	}
	for (uint32_t i = 0; self->files && i < self->file_count; i++)
		free(self->files[i].path);
	free(self->arguments);
	free(self->bindings);
	free(self->support_image);
	free(self->reference_image);
	at_measure_call_release(&self->reference_call);
	free(self->library);
	free(self->function);
	free(self->files);
	memset(self, 0, sizeof(*self));
}

void at_measure_request_release(struct at_measure_request *self)
{
	free(self->image);
	at_measure_call_release(&self->kernel);
	at_measure_call_release(&self->prepare);
	at_measure_call_release(&self->finish);
	free(self->bindings);
	memset(self, 0, sizeof(*self));
}

void at_measure_result_release(struct at_measure_result *self)
{
	free(self->samples_ns);
	memset(self, 0, sizeof(*self));
}
