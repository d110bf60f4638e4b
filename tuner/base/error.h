/*
 * Errors of the tuner itself, and their places.
 *
 * Two types serve two purposes. enum at_status (here) says that the tuner cannot do its
 * job. enum at_outcome (base/outcome.h) says what became of a configuration, and is
 * never an error.
 *
 * A struct at_error belongs to the caller, has a fixed size and no heap memory. Every
 * function that takes one takes it last and accepts NULL. The first error wins:
 * at_fail() does not overwrite an error. It must be zero at first.
 *
 * Threads: a struct at_error belongs to one thread at a time.
 */
#ifndef AT_BASE_ERROR_H
#define AT_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum at_status {
	AT_OK = 0,
	AT_ENOMEM, /* a buffer does not fit into memory: base/memory.h */
	AT_EIO, /* a file or disk error; the text includes strerror()'s */
	AT_ESYNTAX, /* a file or an expression does not parse */
	AT_EINVAL, /* it parses, but makes no sense */
	AT_ENOENT, /* a named thing does not exist */
	AT_EUNAVAILABLE, /* no driver, no NVRTC, no compiler, no device */
	AT_EOVERFLOW, /* a number left its range */
	AT_EPROTOCOL, /* a message between processes is truncated or malformed */
	AT_EDEVICE, /* a device failed outside any configuration */
	AT_EMACHINE, /* this machine permanently lacks memory, disk or processes */
	AT_EUNTRUSTED, /* a file requests what only a trusted file may have */
	AT_EINTERRUPTED, /* a signal requested the end */
};

struct at_error {
	enum at_status status;
	int line; /* in file; 0 if unknown */
	char file[256]; /* "" if unknown */
	char text[1024]; /* one line, no newline at the end */
};

#if defined(__GNUC__)
#define AT_PRINTF(format_index, first) \
	__attribute__((format(printf, format_index, first)))
#else
#define AT_PRINTF(format_index, first)
#endif

/*
 * Fills err (unless NULL or already set) and returns status, so that `return
 * at_fail(err, AT_ESYNTAX, file, line, "...")` is one line. file may be NULL. The text
 * is one line: it is truncated if too long, and control characters become spaces.
 */
enum at_status at_fail(struct at_error *err, enum at_status status, const char *file,
	int line, const char *format, ...) AT_PRINTF(5, 6);

/* Fails with AT_ENOMEM, for a buffer that may be too large for this machine. */
enum at_status at_fail_memory(struct at_error *err);

/* Writes "file:line: text", "file: text" or "text" into buffer, always terminated, and
   returns buffer. */
char *at_error_format(const struct at_error *err, char *buffer, size_t size);

/* Zeroes it, so that it can be set again. */
void at_error_clear(struct at_error *err);

#ifdef __clang_analyzer__
/* The analyzer looks at one file at a time, and cannot know that a failure is never
   AT_OK. */
#define at_fail(err, status, ...) ((void)(at_fail)(err, status, __VA_ARGS__), (status))
#define at_fail_memory(err) ((void)(at_fail_memory)(err), AT_ENOMEM)
#endif

#endif
