/* Any bytes as a cubin, as the log of ptxas, and as PTX. */
#include "kernel/cubin.h"
#include "base/memory.h"
#include "kernel/ptx.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char symbol[] = "facts";
	struct at_kernel_facts facts = { .symbol = symbol };
	char *log = at_strndup((const char *)data, size);
	struct at_cubin_variable *variables;
	size_t count;

	at_cubin_read(data, size, &facts, NULL);
	if (!at_cubin_variables(data, size, &variables, &count, NULL))
		free(variables);
	if (log) {
		at_ptx_read_parameters(log, &facts);
		at_ptxas_read_spills(log, &facts);
		free(at_ptxas_strip_log(log, false));
	}
	free(log);
	free(facts.parameters);
	return 0;
}
