/*
 * Compiling a source with a toolchain:
 *
 *	need_toolchain("nvrtc");
 *	result = COMPILE(.source = text, .kernels = { "scale" });
 */
#ifndef AT_TESTS_WISH_H
#define AT_TESTS_WISH_H

#include "base/memory.h"
#include "kernel/compile.h"
#include "kernel/toolchain.h"
#include "suite.h"

/* Skips the case where the toolchain is not installed. */
static inline void need_toolchain(const char *name)
{
	char version[AT_TOOLCHAIN_TEXT_SIZE];

	if (!at_toolchain_version(name, version, sizeof(version), NULL))
		return;
	print_message("skipped 1: no %s\n", name);
	skip();
}

struct wish {
	const char *toolchain; /* NULL: nvrtc */
	const char *architecture; /* NULL: sm_90, for the CPU "" */
	const char *name; /* NULL: matmul.cu */
	const char *directory; /* NULL: none */
	const char *omit;
	const char *source;
	/* up to a NULL */
	const char *kernels[6];
	const char *options[9];
	struct at_hash includes;
};

static inline struct at_compile_result compile_wish(const struct wish *wish)
{
	const char *toolchain = wish->toolchain ? wish->toolchain : "nvrtc";
	const char *usual = strcmp(toolchain, "c++") ? "sm_90" : "";
	struct at_compile_request request = {
		.toolchain = (char *)toolchain,
		.architecture =
			(char *)(wish->architecture ? wish->architecture : usual),
		.name = (char *)(wish->name ? wish->name : "matmul.cu"),
		.directory = (char *)(wish->directory ? wish->directory : ""),
		.omit = (char *)wish->omit,
		.source = (char *)wish->source,
		.kernels = (char **)wish->kernels,
		.options = (char **)wish->options,
		.includes = wish->includes,
	};
	struct at_compile_result result;

	while (wish->kernels[request.kernel_count])
		request.kernel_count++;
	while (wish->options[request.option_count])
		request.option_count++;
	assert_ok(at_compile(&request, &result, &failure));
	return result;
}

#define COMPILE(...) compile_wish(&(const struct wish){ __VA_ARGS__ })

#endif
