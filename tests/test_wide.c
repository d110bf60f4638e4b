/* References in double: the reference of each shipped space compiles with double in
   place of float, for the processor and, where NVRTC is installed, for a GPU. */
#define _GNU_SOURCE
#include "kept_unit.h"
#include "device/device.h"
#include "evaluator/plan.h"
#include "kernel/compile.h"
#include "kernel/source.h"

#include <glob.h>

#include "suite.h"

static void compile_all(const char *architecture, const char *spaces, unsigned least)
{
	struct at_device_info info = { 0 };
	struct at_error err = { 0 };
	unsigned compiled = 0;
	RELEASED(globfree) glob_t found;

	if (architecture[0]) {
		assert_true(at_device_describe(architecture, &info));
	} else {
		snprintf(info.kind, sizeof(info.kind), "host");
		snprintf(info.toolchain, sizeof(info.toolchain), "c++");
	}
	assert_int_equal(glob(spaces, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct at_compile_request request;
		struct at_compile_result result;
		struct at_template template;
		struct at_plan plan;
		OWNED(at_spec_free) struct at_spec *spec;

		assert_ok(at_spec_load(found.gl_pathv[i], &spec, &failure));
		assert_ok(at_template_load(spec->template_path, &template, &failure));
		if (spec->reference.kind == AT_REFERENCE_KERNEL) {
			if (at_plan_init(&plan, spec, &template, &spec->problems[0],
				    NULL, &info, "", 1, &err) ||
				at_plan_compile(&plan, spec->defaults,
					AT_UNIT_REFERENCE_FLOAT64, &request, &err) ||
				compile_kept(&request, &result, &err))
				fail_msg("%s: %s", found.gl_pathv[i], err.text);
			if (result.outcome != AT_OUTCOME_OK)
				fail_msg("%s: %s", found.gl_pathv[i], result.log);
			compiled++;
			at_compile_request_release(&request);
			at_compile_result_release(&result);
		}
		/* once: what compares with it */
		if (compiled == 1 && architecture[0]) {
			at_plan_compile_support(&plan, &request);
			assert_ok(compile_kept(&request, &result, &failure));
			if (result.outcome != AT_OUTCOME_OK)
				fail_msg("%s", result.log);
			at_compile_request_release(&request);
			at_compile_result_release(&result);
		}
		if (spec->reference.kind == AT_REFERENCE_KERNEL) {
			at_plan_release(&plan);
		}
		at_template_release(&template);
	}
	assert_true(compiled >= least);
}

#define BUNDLED AT_TEST_DIR "/../spaces/*.cfg"
#define ASSEMBLY AT_TEST_DIR "/spaces/wide_assembly.cfg"
#define NARROW AT_TEST_DIR "/spaces/wide_narrow.cfg"
#define MIXED AT_TEST_DIR "/spaces/wide_mixed.cfg"

TEST(references_compile_for_the_processor_in_double)
{
	compile_all("", BUNDLED, 4);
}

static void skip_without_nvrtc(void)
{
	char version[AT_TOOLCHAIN_TEXT_SIZE];

	if (at_toolchain_version("nvrtc", version, sizeof(version), NULL))
		skip_because("no NVRTC");
}

LONG_TEST(references_compile_for_a_gpu_in_double)
{
	skip_without_nvrtc();
	compile_all("sm_90", BUNDLED, 4);
	compile_all("sm_80", BUNDLED, 4);
}

/* The tuned kernel has instructions that take floats, the reference needs none. */
TEST(assembly_of_floats_is_left_out_in_double)
{
	skip_without_nvrtc();
	compile_all("sm_90", ASSEMBLY, 1);
}

TEST(a_call_with_a_double_and_a_literal_of_float_is_one_of_doubles)
{
	compile_all("", MIXED, 1);
	skip_without_nvrtc();
	compile_all("sm_90", MIXED, 1);
}

TEST(sums_in_narrow_types_are_in_double)
{
	compile_all("", NARROW, 1);
	skip_without_nvrtc();
	compile_all("sm_90", NARROW, 1);
}

RUN_SUITE(NULL, NULL)
