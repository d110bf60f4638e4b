/* For tests that run the executable: in a folder of its own, streams kept. */
#ifndef AT_TESTS_EXECUTABLE_H
#define AT_TESTS_EXECUTABLE_H

#include "base/json.h"

#include <stddef.h>

struct executable_outcome {
	int code; /* -1: a signal ended it */
	char *out;
	char *err;
};

/* Where the program runs; made by begin, removed with everything in it by end. */
extern char executable_place[64];
void executable_begin(void);
int executable_end(void **state);

/* Files there; heap where a text is returned. */
char *executable_path(const char *name);
void executable_write(const char *name, const char *text);
char *executable_read(const char *name);

/* Runs it with the words of the line. */
struct executable_outcome executable_run(const char *line);
void executable_drop(struct executable_outcome *outcome);
/* The same with stdout to another path; stderr is in "err.txt". The exit code. */
int executable_run_to(const char *line, const char *out_path);

/* Line number `index` of the text, parsed. */
struct at_json *executable_json_line(const char *text, size_t index);
size_t executable_count_lines(const char *text);

#endif
