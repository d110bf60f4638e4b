/*
 * The NVRTC library: where it may be, the functions that the tuner uses, and the
 * headers of its toolkit. It is opened at run time and stays open until the process
 * ends.
 *
 * Threads: one at a time.
 */
#ifndef AT_KERNEL_NVRTC_LIBRARY_H
#define AT_KERNEL_NVRTC_LIBRARY_H

#include "base/error.h"
#include "kernel/job.h"

#include <stddef.h>

/* declared as in nvrtc.h, so that a build needs no toolkit */
struct _nvrtcProgram;

enum at_nvrtc_result {
	AT_NVRTC_SUCCESS = 0,
	AT_NVRTC_OUT_OF_MEMORY = 1,
	AT_NVRTC_COMPILATION = 6,
	AT_NVRTC_BUILTIN_OPERATION_FAILURE = 7,
	AT_NVRTC_NO_PCH_CREATE_ATTEMPTED = 13, /* since CUDA 12.8 */
};

/* The functions that are used: X(member, symbol, result, parameters). An nvrtcResult is
   `unsigned` here. tests/test_cuda_abi.c compares all with a toolkit's nvrtc.h. */
/* clang-format off */
#define AT_NVRTC_FUNCTIONS(X) \
	X(get_error_string, nvrtcGetErrorString, const char *, (unsigned result)) \
	X(version, nvrtcVersion, unsigned, (int *major, int *minor)) \
	X(get_num_supported_archs, nvrtcGetNumSupportedArchs, unsigned, (int *count)) \
	X(get_supported_archs, nvrtcGetSupportedArchs, unsigned, (int *architectures)) \
	X(create_program, nvrtcCreateProgram, unsigned, \
		(struct _nvrtcProgram **program, const char *source, \
			const char *name, int header_count, \
			const char *const *headers, const char *const *include_names)) \
	X(destroy_program, nvrtcDestroyProgram, unsigned, \
		(struct _nvrtcProgram **program)) \
	X(add_name_expression, nvrtcAddNameExpression, unsigned, \
		(struct _nvrtcProgram *program, const char *expression)) \
	X(compile_program, nvrtcCompileProgram, unsigned, \
		(struct _nvrtcProgram *program, int option_count, \
			const char *const *options)) \
	X(get_program_log_size, nvrtcGetProgramLogSize, unsigned, \
		(struct _nvrtcProgram *program, size_t *size)) \
	X(get_program_log, nvrtcGetProgramLog, unsigned, \
		(struct _nvrtcProgram *program, char *log)) \
	X(get_lowered_name, nvrtcGetLoweredName, unsigned, \
		(struct _nvrtcProgram *program, const char *expression, \
			const char **name)) \
	X(get_ptx_size, nvrtcGetPTXSize, unsigned, \
		(struct _nvrtcProgram *program, size_t *size)) \
	X(get_ptx, nvrtcGetPTX, unsigned, \
		(struct _nvrtcProgram *program, char *ptx)) \
	X(get_cubin_size, nvrtcGetCUBINSize, unsigned, \
		(struct _nvrtcProgram *program, size_t *size)) \
	X(get_cubin, nvrtcGetCUBIN, unsigned, \
		(struct _nvrtcProgram *program, char *cubin))
/* NULL before CUDA 12.8 */
#define AT_NVRTC_LATER_FUNCTIONS(X) \
	X(get_pch_create_status, nvrtcGetPCHCreateStatus, unsigned, \
		(struct _nvrtcProgram *program))
/* clang-format on */

struct at_nvrtc_functions {
#define AT_NVRTC_MEMBER(member, symbol, result, parameters) result(*member) parameters;
	AT_NVRTC_FUNCTIONS(AT_NVRTC_MEMBER)
	AT_NVRTC_LATER_FUNCTIONS(AT_NVRTC_MEMBER)
#undef AT_NVRTC_MEMBER
};

/* Where NVRTC may be on this machine, the likeliest place first. If AUTOTUNE_NVRTC is
   set, only the file that it names. Otherwise $CUDA_HOME, $CUDA_PATH, the loader's
   places, the toolkit whose nvcc is on PATH, the usual folders (newest toolkit first),
   packages of pip and conda. */
struct at_nvrtc_places {
	struct at_words libraries; /* files, to be tried in this order */
	struct at_words includes; /* folders with the toolkit's headers */
	/* the toolkits and folders that were searched, for messages */
	struct at_words roots;
};

/* Fills in *out, which the caller releases. */
void at_nvrtc_places_find(struct at_nvrtc_places *out);
void at_nvrtc_places_release(struct at_nvrtc_places *self);

/* Opens NVRTC on the first call; later calls return the same. *includes: folders for
   -I. Both stay valid until the process ends. AT_EUNAVAILABLE lists the places that
   were tried and the remedies. */
enum at_status at_nvrtc_open(const struct at_nvrtc_functions **functions,
	const struct at_words **includes, struct at_error *err);

#endif
