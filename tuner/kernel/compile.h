/*
 * What a compilation is given and what it gives: one unit, compiled by the toolchain
 * that the request names, and what its log says. at_compile() is kernel/toolchain.h's,
 * which knows the toolchains; they know this.
 *
 * Threads: pure functions over the caller's data.
 */
#ifndef AT_KERNEL_COMPILE_H
#define AT_KERNEL_COMPILE_H

#include "base/error.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/outcome.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What it points to is on the heap, and goes with at_compile_request_release(). */
struct at_compile_request {
	char *toolchain; /* its name: see kernel/toolchain.h */
	char *architecture; /* "sm_90"; "" for the CPU */
	char *name; /* the source's name in messages: "matmul.cu" */
	char *directory; /* searched for #include "..."; "" for none */
	/*
	 * Whole lines in front of the source that leave out what nobody asked for; NULL
	 * or "" for none. An offer: they may not change what comes of it, only how
	 * soon, and a source that does not compile with them is compiled without. The
	 * C++ compiler, which drops what is not used before it costs, passes them over.
	 */
	char *omit;
	char *source; /* a whole translation unit */
	size_t option_count;
	/* NVRTC's; the C++ compiler is given those that define, undefine and include,
	   and -f ones */
	char **options;
	size_t kernel_count;
	char **kernels; /* __global__ functions that must be there, as C++ names */
	/* of the template and what it includes (kernel/reach.h); zero: the source is
	   all there is */
	struct at_hash includes;
	/* of the included files alone (struct at_reach, files), which the compiler
	   reads: nothing comes of a request while they are others; zero: they may be
	   any. No part of its identity, since includes is. */
	struct at_hash files;
};

/* What a kernel takes in one place of its parameter list. */
enum at_parameter_kind {
	AT_PARAMETER_NONE = 0, /* not known beyond its size */
	AT_PARAMETER_POINTER,
	AT_PARAMETER_INTEGER, /* of either sign; truth values and enums too */
	AT_PARAMETER_REAL,
	AT_PARAMETER_WORD, /* a pointer or an integer: PTX does not always say which */
	AT_PARAMETER_OBJECT, /* a struct by value: a vector, a half, one's own */
	AT_PARAMETER_CONST_POINTER, /* to what is not written through it */
	AT_PARAMETER_KIND_COUNT
};

struct at_kernel_parameter {
	enum at_parameter_kind kind;
	uint32_t bytes;
};

/* What is known of a kernel without a device. -1: not known for this toolchain. */
struct at_kernel_facts {
	char *name; /* as asked for */
	char *symbol; /* in the image */
	int64_t registers; /* a thread */
	int64_t local_bytes; /* stack frame a thread, spills included */
	int64_t spill_store_bytes; /* a thread, as ptxas reports them */
	int64_t spill_load_bytes;
	int64_t shared_bytes; /* static, a block */
	int64_t constant_bytes; /* the module's __constant__ data */
	int64_t max_threads; /* of __launch_bounds__; 0: no bound */
	int64_t barriers;
	bool has_parameters; /* the toolchain tells them: there may be none */
	size_t parameter_count; /* 0 unless has_parameters */
	struct at_kernel_parameter *parameters; /* heap, in their order */
};

struct at_compile_result {
	enum at_outcome outcome; /* AT_OUTCOME_OK or AT_OUTCOME_COMPILE_FAILED */
	/*
	 * Of AT_OUTCOME_COMPILE_FAILED: the compiler refused this source, and would do
	 * so again. Not when it died, or lacked memory, disk or a file.
	 */
	bool is_verdict;
	char *log; /* the compiler's, whole; "" when it said nothing */
	unsigned char *image; /* cubin or shared object; NULL unless OK */
	size_t image_bytes;
	struct at_hash image_hash; /* of its bytes, also where image is not there */
	size_t kernel_count; /* as in the request, in its order; 0 unless OK */
	struct at_kernel_facts *kernels;
	uint64_t compile_ns;
};

/*
 * What comes of a request is decided by this: its toolchain and that toolchain's
 * version (at_toolchain_version), architecture, source and what it includes, options,
 * kernels, in their order. Paths do not count, and neither does the name in messages.
 */
struct at_hash at_compile_identity(
	const struct at_compile_request *request, const char *toolchain_version);

/* What travels of each, in base/fields.h's tables. */
extern const struct at_fields at_compile_request_fields;
extern const struct at_fields at_compile_result_fields;

void at_compile_request_release(struct at_compile_request *self);
void at_compile_result_release(struct at_compile_result *self);

/*
 * The value that options[i] gives to the option of that name: "--name=value",
 * "-Nvalue" where it may_touch, else options[i + 1] after "--name" alone. NULL: it is
 * another option, or its value is missing. Borrowed.
 */
const char *at_option_value(
	char *const *options, size_t count, size_t i, const char *name, bool may_touch);

/* Whether nothing befell a compiler that fails with this log: see is_verdict. */
bool at_compile_log_is_verdict(const char *log);
/*
 * Whether the log has a word about the source: an error and the line, what a linker
 * lacks, an option. Where a compiler is a program, any other may be about its own
 * trouble: a library of its own, a licence, a server.
 */
bool at_compile_log_judges(const char *log);
/* Whether it is none for the sole reason that a file that the source names is not
 * there. */
bool at_compile_log_lacks_file(const char *log);

/* The line of a compiler's log that says the most: the first error, with the
   advice behind it if that is what the log begins with ("<vector> is ...", or "the
   macro WARPS ..." of kernel/clash.h); else the first. */
void at_compile_first_error(const char *log, char *line, size_t size);

#endif
