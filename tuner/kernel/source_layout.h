/*
 * What is written behind and between the texts that a unit consists of: whose lines
 * they are, and structures as the space lays them out, held against the template's own
 * by the compiler that compiles it.
 */
#ifndef AT_KERNEL_SOURCE_LAYOUT_H
#define AT_KERNEL_SOURCE_LAYOUT_H

#include "base/memory.h"
#include "space/spec.h"

/*
 * What makes a compiler refuse a structure of the space that the template lays out
 * otherwise: behind the template's text, a line of its own each. Nothing where the text
 * does not define it.
 */
void at_source_write_layouts(
	const struct at_spec *spec, const char *text, struct at_strbuf *out);

/* #line: what follows is that line of the file, by its last name. */
void at_source_add_line(struct at_strbuf *out, int line, const char *path);

#endif
