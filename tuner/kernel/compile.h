/*
 * A compilation: the request for one unit, its result, and what a compiler's log says.
 * The toolchains (cxx.c, nvcc.c, nvrtc.c) are built on this; at_compile(), which picks
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

/*
 * One unit to compile. Everything that it points to is on the heap, and is freed by
 * at_compile_request_release().
 */
struct at_compile_request {
	char *toolchain; /* its name: see kernel/toolchain.h */
	char *architecture; /* "sm_90"; "" for the CPU */
	char *name; /* the source's name in messages: "matmul.cu" */
	/* searched for files that are included in quotes; "" for none */
	char *directory;
	/*
	 * Whole lines in front of the source that leave out kernels that the caller did
	 * not ask for; NULL or "" for none. They may only save time, and not change the
	 * result: a source that does not compile with them is compiled without them.
	 * The C++ compiler ignores them, since it drops unused functions before they
	 * cost anything.
	 */
	char *omit;
	char *source; /* a whole translation unit */
	size_t option_count;
	/* Written for NVRTC. The C++ compiler is given those that define, undefine and
	   include, and those that begin with -f. */
	char **options;
	/* the source is what a compiler has left of a file with code for the CPU, which
	   may need all that the compiler has */
	bool is_rest;
	size_t kernel_count;
	char **kernels; /* __global__ functions that must exist, as C++ names */
	/* Hash of the template and of what it includes (kernel/reach.h); zero: the
	   source includes nothing of the user's. */
	struct at_hash includes;
	/* Hash of the included files alone (files of struct at_reach), which the
	   compiler reads: the request fails as long as they have other contents.
	   Zero: any contents will do. Not part of the unit's identity, which
	   `includes` is. */
	struct at_hash files;
};

/* What a kernel takes at one place of its parameter list. */
enum at_parameter_kind {
	AT_PARAMETER_NONE = 0, /* nothing is known but its size */
	AT_PARAMETER_POINTER,
	AT_PARAMETER_INTEGER, /* of either sign, also bool and enums */
	AT_PARAMETER_REAL,
	AT_PARAMETER_WORD, /* a pointer or an integer: PTX does not always say which */
	/* a struct by value: a vector type, a half, a struct of the template's */
	AT_PARAMETER_OBJECT,
	AT_PARAMETER_CONST_POINTER, /* pointer to data that is not written through it */
	AT_PARAMETER_KIND_COUNT
};

struct at_kernel_parameter {
	enum at_parameter_kind kind;
	uint32_t bytes;
	/* of a pointer: the numbers that it points to. NONE: the toolchain does not
	   tell, or it points to void, char (bytes of anything), a vector or another
	   class. */
	enum at_element element;
};

/*
 * What is known of a kernel without a device. A number of -1 is not known for this
 * toolchain.
 */
struct at_kernel_facts {
	char *name; /* as it was asked for */
	char *symbol; /* in the image */
	int64_t registers; /* per thread */
	int64_t local_bytes; /* stack frame per thread, with spills */
	int64_t spill_store_bytes; /* per thread, as ptxas reports them */
	int64_t spill_load_bytes;
	int64_t shared_bytes; /* static, per block */
	int64_t constant_bytes; /* the module's __constant__ data */
	int64_t max_threads; /* from __launch_bounds__; 0: no bound */
	int64_t barriers;
	/* the toolchain tells the parameters; there may be zero */
	bool has_parameters;
	size_t parameter_count; /* 0 unless has_parameters */
	struct at_kernel_parameter *parameters; /* in order; on the heap */
};

struct at_compile_result {
	enum at_outcome outcome; /* AT_OUTCOME_OK or AT_OUTCOME_COMPILE_FAILED */
	/*
	 * With AT_OUTCOME_COMPILE_FAILED: the compiler refused this source and would
	 * refuse it again. False where the compiler died, or lacked memory, disk or a
	 * file.
	 */
	bool is_verdict;
	char *log; /* the compiler's whole log; "" when it said nothing */
	/* cubin or shared object; NULL unless the outcome is OK */
	unsigned char *image;
	size_t image_bytes;
	/* of the image's bytes, also where the image itself was not read */
	struct at_hash image_hash;
	size_t kernel_count; /* as many as in the request, in its order; 0 unless OK */
	struct at_kernel_facts *kernels;
	size_t variable_count;
	char **variables; /* the image's, as at_image_variables_read() finds them */
	uint64_t compile_ns;
};

/*
 * The identity of a unit: a hash of all that decides the result. These are the
 * toolchain and its version (at_toolchain_version()), the architecture, the source and
 * what it includes, the options and the kernels, in their order. Paths do not count,
 * nor does the name in messages.
 */
struct at_hash at_compile_identity(
	const struct at_compile_request *request, const char *toolchain_version);

/*
 * The tables (base/fields.h) by which requests and results are sent, and results are
 * stored.
 */
extern const struct at_fields at_compile_request_fields;
extern const struct at_fields at_compile_result_fields;

/* Free all that the struct points to and zero it. */
void at_compile_request_release(struct at_compile_request *self);
void at_compile_result_release(struct at_compile_result *self);

/* Begins the facts of a kernel; all others are unknown. */
void at_kernel_facts_init(
	struct at_kernel_facts *self, const char *name, const char *symbol);

/* The options, written for NVRTC, that toolchains read themselves. */
enum at_option_kind {
	AT_OPTION_OTHER = 0,
	AT_OPTION_DEFINE, /* -D, --define-macro */
	AT_OPTION_UNDEFINE, /* -U, --undefine-macro */
	AT_OPTION_FOLDER, /* -I, --include-path */
	AT_OPTION_FILE, /* -include, --pre-include */
	AT_OPTION_ARCHITECTURE, /* -arch, --gpu-architecture, -gencode, ... */
};

/*
 * Reads options[*i] in all its forms, "-DNAME", "-D NAME", "--define-macro=NAME", and
 * moves *i to the value where the value is an option of its own. *value is borrowed,
 * and NULL for another option or where it is missing.
 */
enum at_option_kind at_option_read(
	char *const *options, size_t count, size_t *i, const char **value);

/*
 * Whether a compiler that failed with this log refused the source, and not died or
 * lacked something: see at_compile_result.is_verdict.
 */
bool at_compile_log_is_verdict(const char *log);
/*
 * Whether the log says anything about the source: an error with its line, a symbol that
 * a linker misses, an option. If not, a compiler that is a program may have had trouble
 * of its own: a missing library, a licence, a server.
 */
bool at_compile_log_judges(const char *log);
/*
 * Whether the log is no verdict only because a file that the source names does not
 * exist.
 */
bool at_compile_log_lacks_file(const char *log);

/* Of a much longer log so much is kept, half of it at either end. */
#define AT_LOG_BYTES ((size_t)256 << 10)
/*
 * Cuts the middle out of a very long log, and returns its new length: the record and
 * every message on the way there contain the log, and what matters stands first or
 * last.
 */
size_t at_compile_log_shorten(char *log, size_t length);

/* Words about a compiler that was ended since it wrote more than anybody reads. */
#define AT_LOUD_WORDS " printed more than"
/*
 * Writes into line the line of a compiler's log that says most: the first error. Where
 * the log begins with advice of ours ("<vector> is ...", or "the macro WARPS ..." from
 * kernel/clash.h), that is appended. Where there is no error, the first line.
 */
void at_compile_first_error(const char *log, char *line, size_t size);

#endif
