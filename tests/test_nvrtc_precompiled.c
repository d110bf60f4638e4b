/*
 * Precompiled headers change nothing but the time: the same machine code, the same
 * words of the compiler with the same lines, and a folder that fails costs no unit.
 */
#include "kernel/nvrtc.h"
#include "kernel/nvrtc_precompiled.h"
#include "kernel/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include "skip.h"

#define KERNEL "extern \"C\" __global__ void one(float *x)"

static char folder[64];

static void compile(const char *source, struct at_compile_result *result)
{
	static char *kernels[] = { (char *)"one" };
	static char *options[] = { (char *)"--use_fast_math", (char *)"-lineinfo" };
	const struct at_compile_request request = {
		.toolchain = (char *)"nvrtc",
		.architecture = (char *)"sm_90",
		.name = (char *)"one.cu",
		.directory = (char *)"",
		.source = (char *)source,
		.option_count = 2,
		.options = options,
		.kernel_count = 1,
		.kernels = kernels,
	};
	struct at_error err = { 0 };

	if (at_compile(&request, result, &err))
		fail_msg("%s", err.text);
}

static void skip_without_nvrtc(void)
{
	char version[64];

	if (at_nvrtc_version(version, sizeof(version), NULL))
		skip_because("no NVRTC");
}

/* Whether a precompiled header lies in the n-th folder. */
static bool is_made(const char *place)
{
	char command[160];

	snprintf(command, sizeof(command), "ls %s/headers-*/%s/*.pch >%s/found 2>&1",
		folder, place, folder);
	return !system(command);
}

static void same_with_and_without(const char *source)
{
	struct at_compile_result with[2], without;

	at_nvrtc_precompile(NULL);
	compile(source, &without);
	at_nvrtc_precompile(folder);
	/* one makes the header, the other uses it */
	for (size_t i = 0; i < 2; i++) {
		compile(source, &with[i]);
		assert_int_equal(with[i].outcome, without.outcome);
		assert_string_equal(with[i].log, without.log);
		assert_int_equal(with[i].image_bytes, without.image_bytes);
		if (without.image_bytes)
			assert_memory_equal(
				with[i].image, without.image, without.image_bytes);
		at_compile_result_release(&with[i]);
	}
	at_compile_result_release(&without);
}

static void code_and_log_stay_the_same(void **state)
{
	(void)state;
	skip_without_nvrtc();
	same_with_and_without("#define N 4\n" KERNEL " {\n#pragma unroll\n"
			      "for (int i = 0; i < N; i++) x[i] = __sinf(x[i]); }\n");
	assert_true(is_made("0"));
	same_with_and_without(KERNEL " { x[0] = y; }\n");
	same_with_and_without("#line 70 \"other.cu\"\n" KERNEL " { x[0] = y; }\n");
	same_with_and_without("#warning words\n" KERNEL " { x[0] = __LINE__; }\n");
	same_with_and_without("#include <cuda_fp16.h>\n" KERNEL
			      " { x[0] = __half2float(__float2half(x[1])); }\n");
}

static void folder_that_fails_costs_no_unit(void **state)
{
	static const char source[] = KERNEL " { x[0] = 1; }\n";
	struct at_compile_result result;
	char command[160];

	(void)state;
	skip_without_nvrtc();
	at_nvrtc_precompile("/nowhere/at/all");
	compile(source, &result);
	assert_int_equal(result.outcome, AT_OUTCOME_OK);
	at_compile_result_release(&result);

	at_nvrtc_precompile(folder);
	compile(source, &result);
	at_compile_result_release(&result);
	/* damaged, then gone with its folder */
	for (size_t i = 0; i < 2; i++) {
		snprintf(command, sizeof(command),
			i ? "rm -r %s/headers-*"
			  : "for f in %s/headers-*/0/*.pch; do echo >$f; done",
			folder);
		assert_int_equal(system(command), 0);
		compile(source, &result);
		if (result.outcome != AT_OUTCOME_OK)
			fail_msg("%s", result.log);
		at_compile_result_release(&result);
	}
}

static void old_folders_are_emptied(void **state)
{
	char option[16], place[128], file[160];
	char *options[] = { option };
	struct stat status;
	FILE *stream;

	(void)state;
	at_nvrtc_precompile(folder);
	strcpy(option, "-a");
	snprintf(place, sizeof(place), "%s", at_nvrtc_precompiled("x.cu", options, 1));
	snprintf(file, sizeof(file), "%s/x.pch", place);
	stream = fopen(file, "w");
	assert_non_null(stream);
	fclose(stream);
	assert_string_equal(at_nvrtc_precompiled("x.cu", options, 1), place);
	assert_int_equal(stat(file, &status), 0);
	for (char name = 'b'; name <= 'd'; name++) {
		option[1] = name;
		assert_string_not_equal(
			at_nvrtc_precompiled("x.cu", options, 1), place);
	}
	assert_int_equal(stat(file, &status), 0);
	/* the fifth takes the place of the first */
	assert_string_equal(at_nvrtc_precompiled("y.cu", options, 1), place);
	assert_int_equal(stat(file, &status), -1);
	at_nvrtc_precompile(NULL);
	assert_null(at_nvrtc_precompiled("x.cu", options, 1));
}

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "precompiled-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[96];

	(void)state;
	at_nvrtc_precompile(NULL);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			code_and_log_stay_the_same, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			folder_that_fails_costs_no_unit, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			old_folders_are_emptied, make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
