/*
 * Coverage of a unit that was compiled for device `host`: which lines and branches ran,
 * and which constants numbers were compared with.
 *
 *   at_coverage_check(&err);
 *   at_cxx_compile_covered(&request, folder, &result, &err);     (kernel/cxx.h)
 *   ... the image is loaded, launched and unloaded, in one process or in several ...
 *   at_coverage_read(folder, request.name, &coverage, &err);
 *   at_coverage_read_compared(folder, &rows, &count, &err);
 *
 * Lines and branches are gcov's (gcc's own program: it reads the notes and counts that
 * its compiler writes, and #line leads back to the template). Comparisons come from
 * -fsanitize-coverage=trace-cmp with our callbacks (compared.cc). The other ways were
 * weighed: trace-pc names blocks by addresses, and to find the blocks that did not run
 * one would have to read the machine code and DWARF; gcov alone knows no constants.
 * clang's gcov writes no JSON, so clang is not served.
 *
 * Counts of several processes add up: the runtime of gcc merges them into the file.
 * Threads: pure functions; the files of a folder belong to one caller.
 */
#ifndef AT_KERNEL_COVERAGE_H
#define AT_KERNEL_COVERAGE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Files that an image leaves in its folder when it is unloaded: counts for gcov, and
   one line a comparison. */
#define AT_COUNTS_NAME "unit.gcda"
#define AT_COMPARED_NAME "compared"

/* AT_EUNAVAILABLE: no C++ compiler, or none whose counts can be read; the message says
   what to install or to set. */
enum at_status at_coverage_check(struct at_error *err);

/* A line of a source that has code, in a function that ran. */
struct at_coverage_line {
	/* the request's name, or the path of an included file; borrowed from struct
	   at_coverage */
	const char *file;
	int number; /* from 1 */
	bool ran;
	/* ways out of its conditions, and those that were taken; an instance of a C++
	   template counts as taken what any instance took */
	unsigned branch_count;
	unsigned taken_count;
};

struct at_coverage {
	size_t line_count;
	struct at_coverage_line *lines; /* by file, then number */
	size_t file_count;
	char **files;
};

/*
 * Has gcov read a unit's folder. source: the request's name; its directory must have
 * been absolute, or files included from the working folder are left out. Lines of the
 * dialect, of headers of the system and of functions that were never called are left
 * out, too: their caller's line tells of the latter. AT_ENOENT: no image was unloaded
 * yet. AT_EUNAVAILABLE: the compiler is no gcc, or gcov is missing or of another
 * version; the message says which one is needed. The caller releases *out.
 */
enum at_status at_coverage_read(const char *folder, const char *source,
	struct at_coverage *out, struct at_error *err);
/* Releases it; a zeroed one is fine. */
void at_coverage_release(struct at_coverage *self);

/* A comparison with a constant, as the runs since the file was removed saw it. */
struct at_compared {
	uint64_t place; /* tells comparisons of an image apart, in all its runs */
	int64_t constant;
	int64_t low; /* the least and the largest that it was compared with */
	int64_t high;
};

/* Reads the comparisons of whole numbers; none where the file is not there. *rows is
   the caller's to free. */
enum at_status at_coverage_read_compared(const char *folder, struct at_compared **rows,
	size_t *count, struct at_error *err);

/* The source of the callbacks; the build generates the file that defines it. */
extern const unsigned char at_embedded_compared[];
extern const size_t at_embedded_compared_size;

#endif
