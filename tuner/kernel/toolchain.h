/*
 * The toolchains: what turns a unit into an image. Each is known everywhere by its
 * name: a device's info names the one that compiles for it (struct at_device_info), a
 * request carries that name, and the compile worker looks it up here.
 *
 * This module must not know devices or processes.
 * Threads: at_toolchain_add() before any other thread or worker is started; one
 * at_compile() at a time in a process; all else from any thread.
 */
#ifndef AT_KERNEL_TOOLCHAIN_H
#define AT_KERNEL_TOOLCHAIN_H

#include "kernel/compile.h"

/* Room for a name with its terminating zero; a device's info has as much. */
#define AT_TOOLCHAIN_NAME_SIZE 16

/* Room for a version or a list of architectures with its terminating zero. */
#define AT_TOOLCHAIN_TEXT_SIZE 1024

/*
 * What NVRTC and nvcc make: a device that one of them compiles for takes the other's
 * images too.
 */
#define AT_MAKES_CUBIN "cubin"

/* Whether a template of that name is machine code, which is run as it is. */
bool at_is_cubin_name(const char *name, size_t length);

/* One toolchain; see the registry in toolchain.c. */
struct at_toolchain {
	const char *name; /* "nvrtc" */
	/* what its images are; NULL: nothing that another toolchain makes */
	const char *makes;
	/* its compiler is a program that reads and writes files in $TMPDIR */
	bool has_files;
	/* environment variables that name folders in which its compiler finds headers,
	   up to a NULL; NULL: it heeds none */
	const char *const *folders;
	/* what a user may do whose template needs what was left out of it
	   (kernel/device_code.h) */
	const char *whole;
	/*
	 * Compiles a unit, as at_compile() does. *result comes zeroed. After a failure
	 * it may hold anything that at_compile_result_release() can release.
	 */
	enum at_status (*compile)(const struct at_compile_request *request,
		struct at_compile_result *result, struct at_error *err);
	/*
	 * Writes one line that identifies the code generator: "NVRTC 13.0", "g++
	 * (Debian 12.2.0-14) 12.2.0". AT_EUNAVAILABLE: the toolchain is not installed.
	 */
	enum at_status (*version)(char *buffer, size_t size, struct at_error *err);
	/*
	 * Does in advance what the first unit of a process would have to wait for.
	 * Ignores failures: the compilation that follows will report them. NULL:
	 * nothing to do.
	 */
	void (*warm)(void);
	/*
	 * Writes the architectures that it compiles for, oldest first, separated by
	 * blanks: "sm_80 sm_90". AT_EOVERFLOW when the buffer is too small. NULL for a
	 * toolchain that compiles for the machine that it runs on.
	 */
	enum at_status (*architectures)(
		char *buffer, size_t size, struct at_error *err);
	/*
	 * A hash of what decides the images beside version and request, and belongs to
	 * the machine: images that one machine has kept are not used on another. Not
	 * part of at_compile_identity(), by which evaluations are identified: their
	 * devices say which machine it was. NULL for a toolchain whose images are the
	 * same everywhere.
	 */
	struct at_hash (*machine)(void);
};

/*
 * The built-in ones. NVRTC compiles in the calling process, by a library that is found
 * at run time.
 */
#define AT_TOOLCHAIN_NVRTC "nvrtc"
#define AT_TOOLCHAIN_NVCC "nvcc"
#define AT_TOOLCHAIN_CXX "c++"
extern const struct at_toolchain at_toolchain_nvrtc, at_toolchain_nvcc,
	at_toolchain_cxx;

/* The toolchains by number, from 0; NULL after the last. */
const struct at_toolchain *at_toolchain_at(size_t index);

/*
 * Finds a toolchain by its name. AT_ENOENT, for NULL and "" too: none exists; err
 * names the known ones.
 */
enum at_status at_toolchain_find(
	const char *name, const struct at_toolchain **out, struct at_error *err);

/* The same without a message; NULL, for NULL and "" too: none exists. */
const struct at_toolchain *at_toolchain_named(const char *name);

/*
 * Chooses the toolchain for a device whose own is `own`, where a space asks for
 * `wanted` (NULL: for none): the wanted one if it makes the same kind of images, else
 * the device's own. *name is borrowed from the registry, or is own. AT_ENOENT: wanted
 * is not known.
 */
enum at_status at_toolchain_choose(
	const char *own, const char *wanted, const char **name, struct at_error *err);

/* Writes architectures as `architectures` does. name: whose they are, for messages. */
enum at_status at_toolchain_list(const char *name, const int *numbers, size_t count,
	char *buffer, size_t size, struct at_error *err);

/*
 * Adds a toolchain, for a program that brings one of its own and for tests. *toolchain
 * must outlive every use. A worker is a process of its own, so it must add the same
 * toolchains before at_worker_main(). AT_EINVAL: the name is taken, empty, or longer
 * than AT_TOOLCHAIN_NAME_SIZE has room for; AT_EOVERFLOW: the table is full.
 */
enum at_status at_toolchain_add(
	const struct at_toolchain *toolchain, struct at_error *err);

/*
 * Compiles a unit in this process, with the toolchain that the request names: to a
 * cubin for one exact architecture (NVRTC, nvcc), or to a shared object for the CPU
 * (the system's C++ compiler with kernel/host_dialect.h). Meant for a compile worker,
 * since a compiler that crashes may take the process along. The caller releases
 * *result.
 *
 * A source that does not compile, or that lacks a kernel that was asked for, gives
 * AT_OK with outcome AT_OUTCOME_COMPILE_FAILED and the reason in the log. AT_EINVAL: an
 * included file was changed since the request was made. AT_EUNAVAILABLE: there is no
 * NVRTC or no C++ compiler (err names the places that were tried), or it does not know
 * the architecture. AT_ENOENT: there is no such toolchain.
 */
enum at_status at_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err);

/*
 * The following call slots of the toolchain of that name; they can also fail as
 * at_toolchain_find() does.
 */
enum at_status at_toolchain_version(
	const char *name, char *buffer, size_t size, struct at_error *err);
/*
 * Does nothing where the toolchain has no such slot, or there is no toolchain of that
 * name.
 */
void at_toolchain_warm(const char *name);
/* has_files of the toolchain; false where there is no toolchain of that name. */
bool at_toolchain_has_files(const char *name);

/*
 * The hash by which a kept unit of this identity (at_compile_identity()) is found. It
 * differs between machines where the toolchain makes different images on them.
 */
struct at_hash at_toolchain_unit(const char *name, struct at_hash identity);
/* Writes "" for a toolchain that compiles for the machine that it runs on. */
enum at_status at_toolchain_architectures(
	const char *name, char *buffer, size_t size, struct at_error *err);

#endif
