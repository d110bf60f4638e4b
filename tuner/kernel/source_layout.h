/*
 * Text that stands behind and between the parts of a unit: #line directives, and
 * assertions by which the compiler checks the template's structures against the
 * space's.
 * Threads: pure functions.
 */
#ifndef AT_KERNEL_SOURCE_LAYOUT_H
#define AT_KERNEL_SOURCE_LAYOUT_H

#include "base/memory.h"
#include "space/spec.h"

/*
 * Appends assertions, to stand behind the template's text, that fail to compile where
 * the template lays out a structure in another way than the space does. Each has a line
 * of its own. Nothing for a structure that the text does not define.
 */
void at_source_write_layouts(
	const struct at_spec *spec, const char *text, struct at_strbuf *out);

/*
 * Appends a #line directive: what follows is that line of the file, named without its
 * folders.
 */
void at_source_add_line(struct at_strbuf *out, int line, const char *path);

#endif
