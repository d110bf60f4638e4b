/*
 * Coverage of a unit that was compiled for device `host`: which branches ran, and which
 * constants numbers were compared with.
 *
 *   at_coverage_check(&err);
 *   at_cxx_compile_covered(&request, &result, &err);             (kernel/cxx.h)
 *   ... the image is loaded and launched; AT_COVERAGE_FOLDER is set in the environment;
 *       the image is unloaded; all this in one process or in several ...
 *   at_coverage_read(folder, &request, &coverage, &err);
 *   at_coverage_take_compared(folder, &rows, &count, &err);
 *
 * Branches are gcov's (gcc's own program: it reads the notes and counts that its
 * compiler writes, and #line leads back to the template). Comparisons come from
 * -fsanitize-coverage=trace-cmp with our callbacks (compared.cc). The other ways were
 * weighed: trace-pc names blocks by addresses, and to find the blocks that did not run
 * the machine code and DWARF would have to be read; gcov alone knows no constants.
 * clang's gcov writes no JSON, so clang is not served.
 *
 * Counts of several processes add up: the runtime of gcc merges them into the file.
 * Threads: one at a time, since it sets variables of the environment.
 */
#ifndef AT_KERNEL_COVERAGE_H
#define AT_KERNEL_COVERAGE_H

#include "base/memory.h"
#include "kernel/compile.h"

/* The variable of the environment, libgcov's own, that names the folder into which an
   image writes when it is unloaded. */
#define AT_COVERAGE_FOLDER "GCOV_PREFIX"

#define AT_COVERAGE_NAME_SIZE AT_HASH_HEX_SIZE
/* The name of the unit's files in that folder. */
void at_coverage_name(
	const struct at_compile_request *request, char name[AT_COVERAGE_NAME_SIZE]);

/* AT_EUNAVAILABLE: no C++ compiler, or none whose counts can be read; the message says
   what to install or to set. */
enum at_status at_coverage_check(struct at_error *err);

/* A line of a source that has conditions, in a function that ran. */
struct at_coverage_line {
	/* the request's name, or the path of an included file; borrowed from struct
	   at_coverage */
	const char *file;
	int number; /* from 1 */
	/* ways out of its conditions, and those that were taken; an instance of a C++
	   template counts as taken what any instance took */
	unsigned branch_count;
	unsigned taken_count;
};

struct at_coverage {
	bool has_run; /* any function of the source */
	size_t line_count;
	struct at_coverage_line *lines; /* by file, then number */
	unsigned branch_count, taken_count; /* of all lines */
	size_t file_count;
	char **files;
};

/*
 * Has gcov read a unit's files in the folder. The request's directory must be absolute,
 * or files included from the working folder are left out. Lines of the dialect, of
 * headers of the system and of functions that were never called are left out, too:
 * their caller's line tells of the latter. A unit that was not unloaded yet has not
 * run. AT_EUNAVAILABLE: gcov is missing or of another version than the compiler. The
 * caller releases *out.
 */
enum at_status at_coverage_read(const char *folder,
	const struct at_compile_request *request, struct at_coverage *out,
	struct at_error *err);
/* Releases it; a zeroed one is fine. */
void at_coverage_release(struct at_coverage *self);

/* Whether the line ran and a way out of it was never taken. Of lines that never ran the
   condition above them tells. */
bool at_coverage_is_partial(const struct at_coverage_line *line);
/*
 * Appends one line: "28 of 36 branches of the reference ran; never one way of:
 * covered.cu:64 (value == 1234567) and 3 more". text: the template's.
 */
void at_coverage_write(const struct at_coverage *self, const char *what,
	const char *text, struct at_strbuf *out);

/* A comparison with a constant, as the runs since the last call saw it. */
struct at_compared {
	uint64_t place; /* tells comparisons apart, in all runs and images */
	int64_t constant;
	int64_t low; /* the least and the largest that it was compared with */
	int64_t high;
};

/* Reads and removes the comparisons of whole numbers; none where the file is not there.
 *rows is the caller's to free. */
enum at_status at_coverage_take_compared(const char *folder, struct at_compared **rows,
	size_t *count, struct at_error *err);

/* The source of the callbacks; the build generates the file that defines it. */
extern const unsigned char at_embedded_compared[];
extern const size_t at_embedded_compared_size;

#endif
