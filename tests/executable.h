/* Runs the executable in a folder of its own and keeps its output, for tests that give
   its words as one line (program.h takes lists of arguments). */
#ifndef AT_TESTS_EXECUTABLE_H
#define AT_TESTS_EXECUTABLE_H

#include "base/json.h"
#include "base/memory.h"

#include <stddef.h>

struct executable_outcome {
	int code; /* -1: a signal ended it */
	char *out; /* stdout, on the heap */
	char *err; /* stderr, on the heap */
};

/* The folder in which the program runs. executable_begin() makes it, and
   executable_end() removes it with everything in it; both may be fixtures of cmocka. */
extern char executable_place[64];
int executable_begin(void **state);
int executable_end(void **state);

/* The path, the writing and the reading of a file in that folder. The caller frees
   returned texts. */
char *executable_path(const char *name);
void executable_write(const char *name, const char *text);
char *executable_read(const char *name);

/* Runs the program with the words of the line, without a shell. */
struct executable_outcome executable_run(const char *line);
void executable_drop(struct executable_outcome *outcome);
/*
 * Runs it, and fails unless it ends with this code and prints this; NULL: anything. In
 * what is expected "<...>" stands for any text: "<...>stale<...>".
 */
void executable_expect(const char *line, int code, const char *out, const char *err);
/* The same with stdout to another path and stderr to "err.txt"; returns the exit code.
 */
int executable_run_to(const char *line, const char *out_path);

/*
 * Runs the commands of tests/data/cli/<name>.txt, its lines that begin with "$ ", and
 * compares what follows each with what the program prints there: standard output, lines
 * of standard error after "! ", and "exit code N" unless N is 0. shape: NULL, or
 * appends what is compared of the standard output alone. What differs is left as
 * <name>.txt in the folder of the test.
 */
void executable_compare(
	const char *name, void (*shape)(const char *output, struct at_strbuf *out));

/* Line number `index` (from 0) of the text, parsed as JSON; the caller releases it. */
struct at_json *executable_json_line(const char *text, size_t index);
size_t executable_count_lines(const char *text);

#endif
