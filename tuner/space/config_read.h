/*
 * A text as libconfig reads it, as bytes. The only place that knows libconfig.
 *
 * libconfig looks at no allocation of its own: where memory runs out it writes to
 * nowhere, or leaves half a tree. So it reads in a process of its own, which hands the
 * tree back through a pipe; whatever becomes of that process costs one line.
 *
 * The bytes, for base/wire.h: a node is its kind (u32, enum at_config_kind), its name
 * (text; "" where it has none) and its value: an integer or boolean (i64), a real, a
 * text, or how many children (u32), which follow.
 *
 * Threads: at_config_read() forks; other threads do not matter to it.
 */
#ifndef AT_SPACE_CONFIG_READ_H
#define AT_SPACE_CONFIG_READ_H

#include "base/error.h"
#include "base/memory.h"

/*
 * tree: zeroed before, released by the caller also after a failure. What libconfig
 * refuses is AT_ESYNTAX with its line; AT_ENOMEM: memory ran out, or so it looks.
 */
enum at_status at_config_read(const char *text, const char *path,
	struct at_strbuf *tree, struct at_error *err);

#endif
