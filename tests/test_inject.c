/* The injected library's declarations and names. */
#define _GNU_SOURCE
/* NOLINTNEXTLINE(bugprone-suspicious-include): its functions are static */
#include "../tuner/capture/inject.c"

#include "suite.h"

#include "folder.h"

TEST(the_plain_name_is_the_last_before_the_arguments)
{
	static const char *const rows[][2] = {
		{ "axpb", "axpb" },
		{ "_Z5saxpyifPKfPf", "saxpy" },
		{ "_ZL5saxpyv", "saxpy" },
		{ "_Z10scale_view4viewi", "scale_view" },
		{ "_ZN3dnn7softmaxIfEEvPT_", "softmax" },
		{ "_ZNK3dnn7softmaxIfEEvPT_", "softmax" },
		{ "_ZN12_GLOBAL__N_16kernelEv", "kernel" },
		{ "_Z4fillIdLi4EEvPT_S0_m", "fill" },
		{ "_Z99short", "_Z99short" },
		{ "_Z", "_Z" },
		{ "", "" },
	};
	char name[32];

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		plain_name(rows[i][0], name, sizeof(name));
		assert_string_equal(name, rows[i][1]);
	}
	/* what does not fit is cut */
	plain_name("_Z8saxpy_88v", name, 6);
	assert_string_equal(name, "saxpy");
}

static bool count_symbol(const char *name, const Elf64_Sym *symbol, void *context)
{
	(void)symbol;
	assert_string_equal(name, "kernel");
	++*(size_t *)context;
	return false;
}

static size_t count_symbols(const struct code *code)
{
	size_t count = 0;

	each_symbol(code, count_symbol, &count);
	return count;
}

TEST(reads_no_symbol_beyond_the_end_of_the_file)
{
	static const char texts[] = "\0kernel";
	OWNED(free) struct code *code = calloc(1, sizeof(*code) + 512);
	/* at odd places, and the symbols last */
	Elf64_Ehdr head = { .e_ident = ELFMAG, .e_shoff = 65, .e_shnum = 2 };
	Elf64_Shdr sections[] = { { .sh_type = SHT_SYMTAB,
					  .sh_link = 1,
					  .sh_offset = 301,
					  .sh_size = 2 * sizeof(Elf64_Sym) },
		{ .sh_type = SHT_STRTAB, .sh_offset = 203, .sh_size = sizeof(texts) } };
	Elf64_Sym symbols[] = { { .st_name = 0 }, { .st_name = 1 } };

	memcpy(code->data, &head, sizeof(head));
	memcpy(code->data + 65, sections, sizeof(sections));
	memcpy(code->data + 203, texts, sizeof(texts));
	memcpy(code->data + 301, symbols, sizeof(symbols));
	code->bytes = 301 + sizeof(symbols);
	assert_int_equal(count_symbols(code), 1);
	code->bytes--;
	assert_int_equal(count_symbols(code), 0);
	code->bytes = 150;
	assert_int_equal(count_symbols(code), 0);
	code->bytes = 512;
	code->data[203 + sizeof(texts) - 1] = 'x';
	assert_int_equal(count_symbols(code), 0);
}

TEST(a_launch_without_a_configuration_is_left_to_the_driver)
{
	int function = 0;
	struct config_parameters call = { .function = &function };
	struct launch found = { 0 };

	read_call(LAUNCH_EX, &call, &found);
	assert_null(found.function);
}

TEST(null_is_the_default_stream_of_the_thread_where_each_has_one)
{
	int function = 0;
	struct plain_parameters call = { .function = &function };
	struct launch found = { 0 };

	read_call(LAUNCH, &call, &found);
	assert_null(found.stream);
	read_call(LAUNCH_PTSZ, &call, &found);
	assert_ptr_equal(found.stream, (void *)STREAM_PER_THREAD);
}

static unsigned has_no_parameter(
	void *function, size_t index, size_t *offset, size_t *bytes)
{
	(void)function, (void)index, (void)offset, (void)bytes;
	return 1;
}

static unsigned capturing_code;

static unsigned is_not_capturing(void *stream, unsigned *status)
{
	(void)stream;
	*status = 0;
	return capturing_code;
}

TEST(a_stream_whose_state_is_unknown_counts_as_captured)
{
	struct launch *launch = calloc(1, sizeof(*launch));

	api.parameter = has_no_parameter;
	api.is_capturing = is_not_capturing;
	assert_true(copy_launch(launch));
	assert_false(launch->is_in_graph);
	/* CUDA_ERROR_STREAM_CAPTURE_IMPLICIT */
	capturing_code = 906;
	assert_true(copy_launch(launch));
	assert_true(launch->is_in_graph);
	release(launch);
}

/* between functions that share a place in the table of verdicts */
#define STRIDE ((uintptr_t)VERDICTS << VERDICT_SHIFT)

static unsigned name_of_number(const char **name, void *function)
{
	*name = function == (void *)STRIDE ? "first" : "second";
	return 0;
}

TEST(each_kernel_is_noted_once)
{
	char folder[] = "kernels_XXXXXX", text[64] = "";
	FILE *file;

	assert_non_null(folder_make(folder));
	self.folder = folder;
	self.pattern = "first";
	self.generation = 1;
	api.function_name = name_of_number;
	/* both have the same place in the table of the thread */
	for (int i = 0; i < 3; i++) {
		assert_true(may_record((void *)STRIDE));
		assert_false(may_record((void *)(2 * STRIDE)));
	}
	file = open_in(folder, AT_CAPTURE_KERNELS, "re");
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, "first\nsecond\n");
}

#if __has_include(<cupti.h>)
/* its declarations of functions without parameters are C++'s */
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <cupti.h>

#define SAME(own, member, type, theirs) \
	assert_int_equal(offsetof(struct own, member), offsetof(type, theirs))

TEST(declares_what_cupti_declares)
{
	SAME(api_call, site, CUpti_CallbackData, callbackSite);
	SAME(api_call, parameters, CUpti_CallbackData, functionParams);
	SAME(api_call, result, CUpti_CallbackData, functionReturnValue);
	SAME(api_call, word, CUpti_CallbackData, correlationData);
	SAME(resource_data, module, CUpti_ResourceData, resourceDescriptor);
	SAME(module_data, bytes, CUpti_ModuleResourceData, cubinSize);
	SAME(module_data, code, CUpti_ModuleResourceData, pCubin);
	SAME(plain_parameters, grid, cuLaunchKernel_params, gridDimX);
	SAME(plain_parameters, block, cuLaunchKernel_params, blockDimX);
	SAME(plain_parameters, stream, cuLaunchKernel_params, hStream);
	SAME(plain_parameters, extra, cuLaunchKernel_params, extra);
	SAME(plain_parameters, parameters, cuLaunchCooperativeKernel_params,
		kernelParams);
	SAME(config_parameters, config, cuLaunchKernelEx_params, config);
	SAME(config_parameters, extra, cuLaunchKernelEx_params, extra);
	SAME(launch_config, block, CUlaunchConfig, blockDimX);
	SAME(launch_config, stream, CUlaunchConfig, hStream);
	SAME(launch_config, attributes, CUlaunchConfig, attrs);
	SAME(launch_config, attribute_count, CUlaunchConfig, numAttrs);
	assert_int_equal(ATTRIBUTE_BYTES, sizeof(CUlaunchAttribute));
	assert_int_equal(ATTRIBUTE_VALUE, offsetof(CUlaunchAttribute, value));
	assert_int_equal(LAUNCH, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
	assert_int_equal(LAUNCH_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
	assert_int_equal(
		LAUNCH_COOPERATIVE, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel);
	assert_int_equal(LAUNCH_COOPERATIVE_PTSZ,
		CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz);
	assert_int_equal(LAUNCH_EX, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
	assert_int_equal(LAUNCH_EX_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz);
	assert_int_equal(DOMAIN_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API);
	assert_int_equal(DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_RESOURCE);
	assert_int_equal(MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_LOADED);
	assert_int_equal(MODULE_UNLOADS, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
	assert_int_equal(SITE_ENTER, CUPTI_API_ENTER);
	assert_int_equal(CAPTURE_RELAXED, CU_STREAM_CAPTURE_MODE_RELAXED);
	assert_ptr_equal((void *)STREAM_PER_THREAD, CU_STREAM_PER_THREAD);
	assert_int_equal(
		CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
	assert_ptr_equal((void *)EXTRA_POINTER, CU_LAUNCH_PARAM_BUFFER_POINTER);
}
#endif

RUN_SUITE(NULL, NULL)
