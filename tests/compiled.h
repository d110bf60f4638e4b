/*
 * Generated headers and what a user writes around them, in a folder of each case, where
 * compilers read them.
 */
#ifndef AT_TESTS_COMPILED_H
#define AT_TESTS_COMPILED_H

#include "folder.h"
#include "suite.h"

#include "base/memory.h"

#include <unistd.h>

static char folder[64];

static inline int make_folder(void **state)
{
	char common[128];

	strcpy(folder, "/tmp/autotune-header-XXXXXX");
	if (!folder_make(folder))
		return -1;
	/* what headers include, as the program writes it beside them */
	snprintf(common, sizeof(common), "%s/autotune.h", folder);
	return symlink(AT_TEST_DIR "/../tuner/record/autotune.h", common);
}

#define IN_FOLDER(name) TEST_WITH(name, make_folder, NULL)
#define LONG_IN_FOLDER(name) LONG_TEST_WITH(name, make_folder, NULL)

/* Whether a command of a shell ends well. */
static inline bool runs(const char *format, ...) AT_PRINTF(1, 2);

static inline bool runs(const char *format, ...)
{
	RELEASED(at_strbuf_release) struct at_strbuf command = { 0 };
	va_list arguments;
	int outcome;

	va_start(arguments, format);
	at_strbuf_addv(&command, format, arguments);
	va_end(arguments);
	outcome = system(command.data);
	return outcome != -1 && WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0;
}

static inline void write_text(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file_write(path, text);
}

/* for the text of a program */
#define CHECK \
	"#include <stdio.h>\n" \
	"#include <string.h>\n" \
	"static int failures;\n" \
	"static void check(int right, int line)\n" \
	"{\n" \
	"	if (!right)\n" \
	"		fprintf(stderr, \"line %d is wrong\\n\", line);\n" \
	"	failures += !right;\n" \
	"}\n" \
	"#define CHECK(condition) check((condition) ? 1 : 0, __LINE__)\n"

#endif
