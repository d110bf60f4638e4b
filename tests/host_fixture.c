#include "host_fixture.h"

#include "suite.h"

struct at_device *device;
struct at_module *module;
struct at_compile_result unit;

static void compile_in(const char *directory, const char *source,
	const char *const *kernels, size_t count, const char *option,
	struct at_compile_result *result)
{
	const struct at_compile_request request = {
		.toolchain = (char *)"c++",
		.architecture = (char *)"",
		.name = (char *)"host.cu",
		.directory = (char *)directory,
		.source = (char *)source,
		.kernel_count = count,
		.kernels = (char **)kernels,
		.option_count = option != NULL,
		.options = (char *[]){ (char *)option },
	};

	assert_ok(at_cxx_compile(&request, result, &failure));
}

void host_compile(const char *source, const char *const *kernels, size_t count,
	const char *option, struct at_compile_result *result)
{
	compile_in("", source, kernels, count, option, result);
}

void host_compile_well(const char *source, const char *const *kernels, size_t count,
	const char *option, struct at_compile_result *result)
{
	host_compile(source, kernels, count, option, result);
	if (result->outcome != AT_OUTCOME_OK)
		fail_msg("%s", result->log);
}

void host_compile_file(
	const char *name, const char *const *kernels, size_t count, const char *option)
{
	OWNED(free) char *path = at_path_join(AT_TEST_DIR "/kernels", name);
	OWNED(free) char *source = file_text(path);

	compile_in(AT_TEST_DIR "/kernels", source, kernels, count, option, &unit);
	if (unit.outcome != AT_OUTCOME_OK)
		fail_msg("%s", unit.log);
}

struct at_device *host_open_device(void)
{
	struct at_device *opened = NULL;

	assert_ok(at_device_kind_host.open(0, &opened, &failure));
	return opened;
}

struct at_module *host_load(struct at_device *on, const struct at_compile_result *image)
{
	struct at_error err = { 0 };
	struct at_module *loaded = NULL;

	if (on->ops->load(on, image->image, image->image_bytes, &loaded, &err) !=
		AT_OUTCOME_OK)
		fail_msg("%s", err.text);
	return loaded;
}

void host_open(const char *name, const char *const *kernels, size_t count)
{
	host_compile_file(name, kernels, count, NULL);
	device = host_open_device();
	module = host_load(device, &unit);
}

void host_close(void)
{
	device->ops->unload(device, module);
	device->ops->close(device);
	at_compile_result_release(&unit);
}

void host_begin(struct call *call, const char *kernel, uint32_t grid, uint32_t block,
	size_t count, const struct host_value *values)
{
	*call = (struct call){ .invocation = {
				       .kernel = device->ops->find(
					       device, module, kernel),
				       .grid = { grid, 1, 1 },
				       .block = { block, 1, 1 },
				       .argument_count = count,
				       .arguments = call->values,
			       } };
	assert_non_null(call->invocation.kernel);
	assert_true(count <= AT_COUNT_OF(call->values));
	for (size_t i = 0; i < count; i++)
		memcpy(call->values[i].bytes, values[i].data, values[i].size);
}

enum at_outcome host_try(struct call *call, struct at_error *err)
{
	return device->ops->run(device, &call->invocation, 1, err);
}

void host_run(struct call *call)
{
	const bool was_lost = device->is_lost;
	struct at_error err = { 0 };

	if (host_try(call, &err) != AT_OUTCOME_OK)
		fail_msg("%s", err.text);
	assert_true(device->is_lost == was_lost);
}

void host_shuffle(uint64_t seed)
{
	device->ops->shuffle_threads(device, seed);
}

void host_in_any_order(void (*check)(void))
{
	for (uint64_t seed = 0; seed <= 5; seed++) {
		host_shuffle(seed);
		check();
	}
	host_shuffle(0);
}
