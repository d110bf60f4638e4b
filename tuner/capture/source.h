/*
 * Finds the source of a captured kernel by name, and writes a space with that source as
 * its template.
 *
 *   at_captured_find_source(&captured, ".", &source)
 *   at_captured_take_names(&captured, &source);       before other launches join
 *   at_captured_write_source(&captured, &source, "scale", &text, why, sizeof(why))
 *   at_captured_source_release(&source);
 *
 * Threads: one search at a time in a process.
 */
#ifndef AT_CAPTURE_SOURCE_H
#define AT_CAPTURE_SOURCE_H

#include "capture/captured.h"

struct at_captured_source {
	char *path; /* absolute */
	char *text;
	size_t parameters; /* offset in text of the kernel's parameter list */
	size_t other_count; /* other files that define a kernel of this name */
};

/* Searches a folder and everything below it for the definition of a kernel with the
   name and number of parameters; then the files of compile_commands.json, in the folder
   or in build/. False: not found. The caller releases *out. */
bool at_captured_find_source(const struct at_captured *self, const char *folder,
	struct at_captured_source *out);
void at_captured_source_release(struct at_captured_source *self);

/* Gives the launch's scalar parameters the names and kinds in the source. */
void at_captured_take_names(
	struct at_captured *self, const struct at_captured_source *source);

/* Appends a space of this name that compiles the source. False, and a phrase in `why`:
   the source's types cannot express the launch. */
bool at_captured_write_source(const struct at_captured *self,
	const struct at_captured_source *source, const char *name,
	struct at_strbuf *out, char *why, size_t size);

#endif
