/*
 * The toolchains turn a unit into an image. A name identifies each everywhere: a
 * device's info names its toolchain (struct at_device_info), a request carries that
 * name, and the compile worker looks it up here.
 *
 * This module must not know devices or processes.
 *
 * Threads: call at_toolchain_add() before starting any other thread or worker; one
 * at_compile() at a time in a process; everything else from any thread.
 */
#ifndef AT_KERNEL_TOOLCHAIN_H
#define AT_KERNEL_TOOLCHAIN_H

#include "kernel/compile.h"

/* Room for a name and its terminating zero; a device's info has as much. */
#define AT_TOOLCHAIN_NAME_SIZE 16

/* Room for a version or a list of architectures and its terminating zero. */
#define AT_TOOLCHAIN_TEXT_SIZE 1024

/* The images of NVRTC and nvcc: a device of either also takes the other's images. */
#define AT_MAKES_CUBIN "cubin"

/* Whether a template of that name is machine code, which runs as it is. */
bool at_is_cubin_name(const char *name, size_t length);

/* One toolchain; see the registry in toolchain.c. */
struct at_toolchain {
	const char *name; /* "nvrtc" */
	/* the kind of its images; NULL: no other toolchain makes the same kind */
	const char *makes;
	/* its compiler is a program that reads and writes files in $TMPDIR */
	bool has_files;
	/* environment variables, up to a NULL, that name header folders of its
	   compiler; NULL: none */
	const char *const *folders;
	/* advice to a user whose template needs removed code (kernel/device_code.h) */
	const char *whole;
	/* Compiles a unit, as at_compile() does. *result comes zeroed. After a failure
	   it may hold anything that at_compile_result_release() can release. */
	enum at_status (*compile)(const struct at_compile_request *request,
		struct at_compile_result *result, struct at_error *err);
	/* Writes one line that identifies the code generator: "NVRTC 13.0", "g++
	   (Debian 12.2.0-14) 12.2.0". AT_EUNAVAILABLE: it is not installed. */
	enum at_status (*version)(char *buffer, size_t size, struct at_error *err);
	/* Does in advance what the first unit of a process would wait for. Ignores
	   failures: the next compilation reports them. NULL: nothing to do. */
	void (*warm)(void);
	/* Writes the architectures that it compiles for, oldest first, separated by
	   blanks: "sm_80 sm_90". AT_EOVERFLOW: the buffer is too small. NULL for a
	   toolchain that compiles for its own machine. */
	enum at_status (*architectures)(
		char *buffer, size_t size, struct at_error *err);
	/* A hash of everything about the machine that decides the images, in addition
	   to version and request: another machine does not use these images. Not part
	   of at_compile_identity(), which identifies evaluations, since their devices
	   identify the machine. NULL: the images are the same everywhere. */
	struct at_hash (*machine)(void);
};

/* The built-in toolchains. NVRTC, a run-time library, compiles in the caller's
   process. */
#define AT_TOOLCHAIN_NVRTC "nvrtc"
#define AT_TOOLCHAIN_NVCC "nvcc"
#define AT_TOOLCHAIN_CXX "c++"
extern const struct at_toolchain at_toolchain_nvrtc, at_toolchain_nvcc,
	at_toolchain_cxx;

/* The toolchains by index, from 0; NULL after the last. */
const struct at_toolchain *at_toolchain_at(size_t index);

/* Finds a toolchain by its name. AT_ENOENT, also for NULL and "": unknown; err names
   the known ones. */
enum at_status at_toolchain_find(
	const char *name, const struct at_toolchain **out, struct at_error *err);

/* The same without a message; NULL, also for NULL and "": unknown. */
const struct at_toolchain *at_toolchain_named(const char *name);

/* Chooses the toolchain for a device whose own is `own`, if a space requests `wanted`
   (NULL: no request): the wanted one if it makes the same kind of images, else the
   device's own. *name is borrowed from the registry, or is own. AT_ENOENT: wanted is
   unknown. */
enum at_status at_toolchain_choose(
	const char *own, const char *wanted, const char **name, struct at_error *err);

/* Writes architectures as `architectures` does. name: their toolchain, for messages. */
enum at_status at_toolchain_list(const char *name, const int *numbers, size_t count,
	char *buffer, size_t size, struct at_error *err);

/* Adds a toolchain, for programs that bring their own and for tests. *toolchain must
   outlive every use. A worker is a separate process, so it must add the same toolchains
   before at_worker_main(). AT_EINVAL: the name is taken, empty, or longer than
   AT_TOOLCHAIN_NAME_SIZE allows; AT_EOVERFLOW: the table is full. */
enum at_status at_toolchain_add(
	const struct at_toolchain *toolchain, struct at_error *err);

/*
 * Compiles a unit in this process with the toolchain that the request names: to a cubin
 * for one exact architecture (NVRTC, nvcc), or to a shared object for the CPU (the
 * system's C++ compiler with kernel/host_dialect.h). Meant for a compile worker, since
 * a compiler's crash may end the process. The caller releases *result.
 *
 * A source that does not compile, or lacks a requested kernel, gives AT_OK with outcome
 * AT_OUTCOME_COMPILE_FAILED and the reason in the log. AT_EINVAL: an included file was
 * changed since the request was made. AT_EUNAVAILABLE: no NVRTC or C++ compiler (err
 * names the places that were tried), or it does not know the architecture. AT_ENOENT:
 * unknown toolchain.
 */
enum at_status at_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err);

/* Call slots of the named toolchain; they can also fail as at_toolchain_find() does. */
enum at_status at_toolchain_version(
	const char *name, char *buffer, size_t size, struct at_error *err);
/* Does nothing if the toolchain lacks this slot or does not exist. */
void at_toolchain_warm(const char *name);
/* has_files of the toolchain; false if it does not exist. */
bool at_toolchain_has_files(const char *name);

/* The hash that finds a cached unit of this identity (at_compile_identity()). It
   differs between machines if the toolchain's images do. */
struct at_hash at_toolchain_unit(const char *name, struct at_hash identity);
/* Writes "" for a toolchain that compiles for its own machine. */
enum at_status at_toolchain_architectures(
	const char *name, char *buffer, size_t size, struct at_error *err);

#endif
