/*
 * Lets libconfig read a text and returns the tree as bytes. config_read.c is the only
 * file that knows libconfig; config.c makes nodes of the bytes.
 *
 * libconfig checks none of its own allocations: where memory runs out it writes through
 * a null pointer or leaves half a tree. So a forked process reads the text and sends
 * the tree back through a pipe. If that process dies, the caller gets an error of one
 * line.
 *
 * The text is one of config_scan.h, a list without names that is the value of a single
 * setting. The bytes are that list (base/wire.h): a node is its kind (u32, enum
 * at_config_kind; no group) and its value, which is an i64 for integers and booleans, a
 * real, a text, or for lists and arrays the number of children (u32), followed by the
 * children.
 *
 * Threads: at_config_read() forks; it may be called while other threads run.
 */
#ifndef AT_SPACE_CONFIG_READ_H
#define AT_SPACE_CONFIG_READ_H

#include "base/error.h"
#include "base/memory.h"

/*
 * tree: zeroed before the call; the caller releases it, also after a failure.
 * AT_ESYNTAX, with the line: libconfig refuses the text. AT_ENOMEM: memory ran out, or
 * the forked process died in a way that looks like it.
 */
enum at_status at_config_read(const char *text, const char *path,
	struct at_strbuf *tree, struct at_error *err);

#endif
