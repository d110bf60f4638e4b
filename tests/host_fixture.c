#include "host_fixture.h"
#include "base/file.h"
#include "device/host/host.h"
#include "kernel/cxx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct at_device *host_device;
static struct at_compile_result unit;
static struct at_module *module;

void host_fixture_open(const char *name, const char *const *kernels, size_t count)
{
	struct at_error err = { 0 };
	char *source, path[1024];
	struct at_compile_request request = {
		.toolchain = (char *)"c++",
		.architecture = (char *)"",
		.name = (char *)name,
		.directory = (char *)AT_TEST_DIR "/kernels",
		.kernel_count = count,
		.kernels = (char **)kernels,
	};
	size_t size;

	if (at_device_kind_host.open(0, &host_device, &err))
		fail_msg("%s", err.text);
	snprintf(path, sizeof(path), AT_TEST_DIR "/kernels/%s", name);
	assert_int_equal(at_file_read(path, 0, &source, &size, NULL), AT_OK);
	request.source = source;
	if (at_cxx_compile(&request, &unit, &err))
		fail_msg("%s", err.text);
	free(source);
	if (unit.outcome != AT_OUTCOME_OK)
		fail_msg("%s", unit.log);
	if (host_device->ops->load(host_device, unit.image, unit.image_bytes, &module,
		    &err) != AT_OUTCOME_OK)
		fail_msg("%s", err.text);
}

void host_fixture_close(void)
{
	host_device->ops->unload(host_device, module);
	at_compile_result_release(&unit);
	host_device->ops->close(host_device);
}

void host_fixture_run(const char *kernel, unsigned grid, unsigned block, size_t count,
	const void *const *pointers, int n)
{
	struct at_error err = { 0 };
	struct at_parameter_value values[8] = { 0 };
	struct at_invocation invocation = {
		.kernel = host_device->ops->find(host_device, module, kernel),
		.grid = { grid, 1, 1 },
		.block = { block, 1, 1 },
		.arguments = values,
		.argument_count = count + (n >= 0),
	};

	assert_non_null(invocation.kernel);
	for (size_t i = 0; i < count; i++)
		memcpy(values[i].bytes, &pointers[i], sizeof(pointers[i]));
	if (n >= 0)
		memcpy(values[count].bytes, &n, sizeof(n));
	if (host_device->ops->run(host_device, &invocation, 1, &err) != AT_OUTCOME_OK)
		fail_msg("%s: %s", kernel, err.text);
}

void host_fixture_in_any_order(void (*check)(void))
{
	for (uint64_t seed = 0; seed <= 5; seed++) {
		host_device->ops->shuffle_threads(host_device, seed);
		check();
	}
	host_device->ops->shuffle_threads(host_device, 0);
}
