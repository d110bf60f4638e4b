/*
 * Coverage of a unit compiled for device `host`: which branches ran, and which
 * constants values were compared with.
 *
 *   at_coverage_check(&err);
 *   at_cxx_compile_covered(&request, &result, &err);             (kernel/cxx.h)
 *   ... load, launch and unload the image, with AT_COVERAGE_FOLDER set in the
 *       environment; in one process or in several ...
 *   at_coverage_read(folder, &request, &coverage, &err);
 *   at_coverage_take_compared(folder, &rows, &count, &err);
 *
 * gcov counts branches: it is gcc's own program for the notes and counts that gcc
 * writes, and #line leads back to the template. Comparisons come from
 * -fsanitize-coverage=trace-cmp with callbacks of the tuner (compared.cc).
 * Alternatives: trace-pc names blocks by address, so finding the blocks that did not
 * run needs the machine code and DWARF; gcov alone knows no constants. clang's gcov
 * writes no JSON, so clang is not supported.
 *
 * Counts of several processes add up: gcc's runtime merges them into the file.
 * Threads: one at a time, since it sets environment variables.
 */
#ifndef AT_KERNEL_COVERAGE_H
#define AT_KERNEL_COVERAGE_H

#include "base/memory.h"
#include "kernel/compile.h"

/* libgcov's environment variable: an unloaded image writes into this folder. */
#define AT_COVERAGE_FOLDER "GCOV_PREFIX"

#define AT_COVERAGE_NAME_SIZE AT_HASH_HEX_SIZE
/* The name of the unit's files in that folder. */
void at_coverage_name(
	const struct at_compile_request *request, char name[AT_COVERAGE_NAME_SIZE]);

/* AT_EUNAVAILABLE: no C++ compiler with readable counts; the message says what to
   install or set. */
enum at_status at_coverage_check(struct at_error *err);

/* A line of a source that has conditions, in a function that ran. */
struct at_coverage_line {
	/* the request's name, or a file's path; borrowed from struct at_coverage */
	const char *file;
	int number; /* from 1 */
	/* Branches of its conditions, and how many were taken. For a C++ template a
	   branch counts as taken if any instance took it. */
	unsigned branch_count;
	unsigned taken_count;
};

struct at_coverage {
	bool has_run; /* a function of the source ran */
	size_t line_count;
	struct at_coverage_line *lines; /* by file, then number */
	unsigned branch_count, taken_count; /* of all lines */
	size_t file_count;
	char **files;
};

/*
 * Runs gcov on a unit's files in the folder. The request's directory must be absolute,
 * or files included from the working folder are skipped. Also skipped are lines of the
 * dialect, of system headers, and of functions that were never called (the caller's
 * line shows these). A unit that is still loaded counts as not run. AT_EUNAVAILABLE:
 * gcov is missing or does not match the compiler's version. The caller releases *out.
 */
enum at_status at_coverage_read(const char *folder,
	const struct at_compile_request *request, struct at_coverage *out,
	struct at_error *err);
/* Zeroed structures are allowed. */
void at_coverage_release(struct at_coverage *self);

/* Whether the line ran and a branch was never taken. For lines that never ran, the
   condition above them is partial. */
bool at_coverage_is_partial(const struct at_coverage_line *line);
/* Appends one line: "28 of 36 branches of the reference ran; never one way of:
   covered.cu:64 (value == 1234567) and 3 more". text: the template's. */
void at_coverage_write(const struct at_coverage *self, const char *what,
	const char *text, struct at_strbuf *out);

/* A comparison with a constant, as the runs since the last call saw it. */
struct at_compared {
	uint64_t place; /* identifies the comparison across all runs and images */
	int64_t constant;
	int64_t low; /* the smallest and the largest value compared with it */
	int64_t high;
};

/* Reads and removes the integer comparisons; none if the file does not exist. The
   caller frees *rows. */
enum at_status at_coverage_take_compared(const char *folder, struct at_compared **rows,
	size_t *count, struct at_error *err);

/* The source of the callbacks, from a file that the build generates. */
extern const unsigned char at_embedded_compared[];
extern const size_t at_embedded_compared_size;

#endif
