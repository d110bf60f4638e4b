/*
 * The toolchains: what turns a unit into an image, each known everywhere by its
 * name. A device says which one compiles for it (struct at_device_info), a
 * request carries that name, and the compile worker looks it up here.
 *
 * What it must not know: devices, processes.
 * Threads: at_toolchain_add() before any other thread or worker is started; one
 * at_compile() at a time in a process; the rest from any thread.
 */
#ifndef AT_KERNEL_TOOLCHAIN_H
#define AT_KERNEL_TOOLCHAIN_H

#include "kernel/compile.h"

/* A name's bytes with the 0 at its end: what a device's info has room for. */
#define AT_TOOLCHAIN_NAME_SIZE 16

/* What a version or a list of architectures needs at most, with the 0 at its end. */
#define AT_TOOLCHAIN_TEXT_SIZE 1024

/* What a device that is made for one of them takes of the other ones as well. */
#define AT_MAKES_CUBIN "cubin"

struct at_toolchain {
	const char *name; /* "nvrtc" */
	const char *makes; /* its images; NULL: what no other toolchain makes */
	bool has_files; /* its compiler is a program, which reads and writes in $TMPDIR
			 */
	/*
	 * As at_compile(); *result comes zeroed, and may hold anything that
	 * at_compile_result_release() can release after a failure.
	 */
	enum at_status (*compile)(const struct at_compile_request *request,
		struct at_compile_result *result, struct at_error *err);
	/*
	 * One line that decides what it generates: "NVRTC 13.0", "g++ (Debian
	 * 12.2.0-14) 12.2.0". AT_EUNAVAILABLE: it is not here.
	 */
	enum at_status (*version)(char *buffer, size_t size, struct at_error *err);
	/*
	 * NULL, or does what the first unit of a process has to wait for, so that it
	 * need not. Fails in silence: whoever compiles hears why.
	 */
	void (*warm)(void);
	/*
	 * The architectures that it compiles for, oldest first, separated by
	 * blanks: "sm_80 sm_90". AT_EOVERFLOW when the buffer is too small. NULL for
	 * a toolchain that compiles for the machine it is on.
	 */
	enum at_status (*architectures)(
		char *buffer, size_t size, struct at_error *err);
	/*
	 * What decides its images beside version and request, and is a machine's:
	 * kept images of one are not another's. It is no part of
	 * at_compile_identity(), by which evaluations are known: their devices say
	 * what they are. NULL for a toolchain whose images are the same everywhere.
	 */
	struct at_hash (*machine)(void);
};

/* NULL after the last. */
const struct at_toolchain *at_toolchain_at(size_t index);

/* AT_ENOENT, for NULL and "" too, names the known ones. */
enum at_status at_toolchain_find(
	const char *name, const struct at_toolchain **out, struct at_error *err);

/*
 * Which one compiles for a device that says `own` where a space asks for `wanted`
 * (NULL: it asks for none): that one, if it makes what the device takes, else the
 * device's own. *name is borrowed from the registry or from own. AT_ENOENT: wanted is
 * not known.
 */
enum at_status at_toolchain_choose(
	const char *own, const char *wanted, const char **name, struct at_error *err);

/*
 * For a program that brings a toolchain of its own, and for tests: *toolchain must
 * outlive every use. A worker is a process of its own: it must add the same ones
 * before at_worker_main(). AT_EINVAL: a name that is taken, empty or longer than
 * AT_TOOLCHAIN_NAME_SIZE has room for; AT_EOVERFLOW: there are too many.
 */
enum at_status at_toolchain_add(
	const struct at_toolchain *toolchain, struct at_error *err);

/*
 * Compiles a unit in this process, by the toolchain that the request names: to a cubin
 * for one exact architecture (NVRTC, nvcc), or to a shared object for the CPU (the
 * system's C++ compiler against kernel/host_dialect.h). Meant for a compile worker: a
 * compiler may crash, and the process with it.
 *
 * A source that does not compile, or lacks a kernel that was asked for, is
 * AT_OK with outcome AT_OUTCOME_COMPILE_FAILED and the reason in the log.
 * AT_EUNAVAILABLE: there is no NVRTC or no C++ compiler (names the places
 * tried), or it does not know the architecture. AT_ENOENT: no such toolchain.
 */
enum at_status at_compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err);

/* The slots of the toolchain of that name; also what at_toolchain_find() says. */
enum at_status at_toolchain_version(
	const char *name, char *buffer, size_t size, struct at_error *err);
/* Nothing where the toolchain has no such slot, or there is none of that name. */
void at_toolchain_warm(const char *name);
/* Its slot; false where there is none of that name. */
bool at_toolchain_has_files(const char *name);

/* By what a kept unit of this identity (at_compile_identity()) is found: on machines
   that make other images of it, each by another name. */
struct at_hash at_toolchain_unit(const char *name, struct at_hash identity);
/* "" for a toolchain that compiles for the machine it is on. */
enum at_status at_toolchain_architectures(
	const char *name, char *buffer, size_t size, struct at_error *err);

#endif
