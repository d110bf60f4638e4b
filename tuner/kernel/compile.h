/*
 * A compilation: the request for one unit, its result, and the meaning of a compiler's
 * log. The toolchains (cxx.c, nvcc.c, nvrtc.c) build on this; at_compile(), which picks
 * one of them, is in kernel/toolchain.h.
 *
 * Threads: pure functions on the caller's data.
 */
#ifndef AT_KERNEL_COMPILE_H
#define AT_KERNEL_COMPILE_H

#include "base/error.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/outcome.h"
#include "space/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One unit to compile. at_compile_request_release() frees everything that it points to,
   all of it on the heap. */
struct at_compile_request {
	char *toolchain; /* a name of kernel/toolchain.h */
	char *architecture; /* "sm_90"; "" for the CPU */
	char *name; /* the source's name in messages: "matmul.cu" */
	/* searched for #include "..."; "": none */
	char *directory;
	/* Whole lines before the source that leave out kernels that were not requested;
	   NULL or "": none. They only save time and must not change the result: a
	   source that does not compile with them is compiled without them. The C++
	   compiler ignores them, since it drops unused functions cheaply. */
	char *omit;
	char *source; /* a complete translation unit */
	size_t option_count;
	/* Written for NVRTC. The C++ compiler gets those that define, undefine and
	   include, and those that begin with -f. */
	char **options;
	/* the source is what a compiler has left of a file with code for the CPU, which
	   may need all that the compiler has */
	bool is_rest;
	size_t kernel_count;
	char **kernels; /* __global__ functions that must exist, as C++ names */
	/* Hash of the template and of its includes (kernel/reach.h); zero: the source
	   includes none of the user's files. */
	struct at_hash includes;
	/* Hash of the included files alone (files of struct at_reach), which the
	   compiler reads: the request fails if their contents differ. Zero: any
	   contents. Not part of the unit's identity; `includes` is. */
	struct at_hash files;
};

enum at_parameter_kind {
	AT_PARAMETER_NONE = 0, /* only its size is known */
	AT_PARAMETER_POINTER,
	AT_PARAMETER_INTEGER, /* of either sign, also bool and enums */
	AT_PARAMETER_REAL,
	AT_PARAMETER_WORD, /* a pointer or an integer: PTX does not always tell */
	/* a struct by value: a vector type, a half, a struct of the template */
	AT_PARAMETER_OBJECT,
	AT_PARAMETER_CONST_POINTER, /* a pointer to data that it does not write */
	AT_PARAMETER_KIND_COUNT
};

struct at_kernel_parameter {
	enum at_parameter_kind kind;
	uint32_t bytes;
	/* For a pointer: the type of the numbers that it points to. NONE: unknown, or
	   void, char (bytes of anything), a vector or another class. */
	enum at_element element;
};

/* Facts about a kernel that need no device. -1: unknown for this toolchain. */
struct at_kernel_facts {
	char *name; /* as requested */
	char *symbol; /* in the image */
	int64_t registers; /* per thread */
	int64_t local_bytes; /* stack frame per thread, including spills */
	int64_t spill_store_bytes; /* per thread, as ptxas reports them */
	int64_t spill_load_bytes;
	int64_t shared_bytes; /* static, per block */
	int64_t constant_bytes; /* the module's __constant__ data */
	int64_t max_threads; /* from __launch_bounds__; 0: no bound */
	int64_t barriers;
	/* parameters are known, possibly zero of them */
	bool has_parameters;
	size_t parameter_count; /* 0 unless has_parameters */
	struct at_kernel_parameter *parameters; /* in order; on the heap */
};

struct at_compile_result {
	enum at_outcome outcome; /* AT_OUTCOME_OK or AT_OUTCOME_COMPILE_FAILED */
	/* With AT_OUTCOME_COMPILE_FAILED: the compiler rejected this source and would
	   do so again. False if the compiler died, or lacked memory, disk or a file. */
	bool is_verdict;
	char *log; /* the compiler's whole log; "" if it was silent */
	/* cubin or shared object; NULL unless the outcome is OK */
	unsigned char *image;
	size_t image_bytes;
	/* of the image's bytes, even if the image itself was not read */
	struct at_hash image_hash;
	size_t kernel_count; /* as in the request, in the same order; 0 unless OK */
	struct at_kernel_facts *kernels;
	size_t variable_count;
	char **variables; /* the image's, as at_image_variables_read() finds them */
	uint64_t compile_ns;
};

/* The identity of a unit: a hash of everything that decides the result. That is the
   toolchain and its version (at_toolchain_version()), the architecture, the source and
   its includes, the options, and the kernels in order. Paths and the name in messages
   do not count. */
struct at_hash at_compile_identity(
	const struct at_compile_request *request, const char *toolchain_version);

/* The tables (base/fields.h) that send requests and results, and store results. */
extern const struct at_fields at_compile_request_fields;
extern const struct at_fields at_compile_result_fields;

/* Free everything that the struct points to and zero it. */
void at_compile_request_release(struct at_compile_request *self);
void at_compile_result_release(struct at_compile_result *self);

/* Sets name and symbol of a kernel's facts; all others are unknown. */
void at_kernel_facts_init(
	struct at_kernel_facts *self, const char *name, const char *symbol);

/* The options, written for NVRTC, that toolchains interpret themselves. */
enum at_option_kind {
	AT_OPTION_OTHER = 0,
	AT_OPTION_DEFINE, /* -D, --define-macro */
	AT_OPTION_UNDEFINE, /* -U, --undefine-macro */
	AT_OPTION_FOLDER, /* -I, --include-path */
	AT_OPTION_FILE, /* -include, --pre-include */
	AT_OPTION_ARCHITECTURE, /* -arch, --gpu-architecture, -gencode, ... */
};

/* Reads options[*i] in all its forms: "-DNAME", "-D NAME", "--define-macro=NAME". Moves
   *i to the value if that is a separate option. *value is borrowed; NULL for any other
   option, or if the value is missing. */
enum at_option_kind at_option_read(
	char *const *options, size_t count, size_t *i, const char **value);

/* Whether a compiler that failed with this log rejected the source, rather than died or
   lacked something: see at_compile_result.is_verdict. */
bool at_compile_log_is_verdict(const char *log);
/* Whether the log says anything about the source: an error with its line, a symbol
   missing at link time, an option. Otherwise a compiler program may have had trouble of
   its own: a missing library, a licence, a server. */
bool at_compile_log_judges(const char *log);
/* Whether the log is no verdict only because a file that the source names is absent. */
bool at_compile_log_lacks_file(const char *log);

/* The part of a longer log that is kept, half of it from either end. */
#define AT_LOG_BYTES ((size_t)256 << 10)
/* Cuts the middle out of a very long log and returns its new length. The record and all
   messages contain the log, and the important lines are first or last. */
size_t at_compile_log_shorten(char *log, size_t length);

/* Part of the message about a compiler that was killed for printing too much. */
#define AT_LOUD_WORDS " printed more than"
/* Writes the most telling line of a compiler's log: its first error, else its first
   line. If the log begins with the tuner's advice ("<vector> is ...", or "the macro
   WARPS ..." from kernel/clash.h), that is appended. given: the log; may be NULL. */
void at_compile_first_error(const char *given, char *line, size_t size);

#endif
