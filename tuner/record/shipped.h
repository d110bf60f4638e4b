/*
 * Result files (record/result.h has their keys) read back: what a repository ships is
 * shown, compared and built into headers where there is no record of it.
 *
 *   at_shipped_read("results", "matmul", &results, &err);
 *   ... results.items; results.failed[i] says in a line what is wrong with a file ...
 *   at_results_release(&results);
 *
 * The files come from others: everything is checked, whatever its place, and a file
 * with one thing wrong in it is not used at all. What older versions did not write is
 * unknown; what newer ones add is left aside.
 *
 * What a file does not have: samples, evaluations other than winner and baseline, what
 * those took when they were searched (their times are those of the finals), boards.
 * Threads: safe; no shared state.
 */
#ifndef AT_RECORD_SHIPPED_H
#define AT_RECORD_SHIPPED_H

#include "record/results.h"

/* A problem takes some kilobytes. */
#define AT_SHIPPED_BYTES_MAX ((size_t)8 << 20)

/*
 * Adds the results of one file's text, all or none. path is for errors, which name it
 * and the key; slug is the folder that it lies in, which must be its device's; NULL: a
 * file that lies anywhere.
 */
enum at_status at_shipped_parse(const char *text, size_t size, const char *path,
	const char *slug, struct at_results *out, struct at_error *err);

/*
 * Adds those of <directory>/<device>/<kernel>.json of a space (NULL: of all). A file
 * that cannot be used is a line in out->failed, and fails nothing; no directory is no
 * files. Not sorted. Fails where memory ran out, or the directory cannot be read.
 */
enum at_status at_shipped_read(const char *directory, const char *space,
	struct at_results *out, struct at_error *err);

#endif
