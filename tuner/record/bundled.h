/*
 * Reads result files (record/result.h has their keys), so that the results which a
 * repository ships can be shown, compared and built into headers where there is no
 * record of them.
 *
 *   at_bundled_read("results", "matmul", &results, &err);
 *   ... results.items; results.failed[i] says in a line what is wrong with a file ...
 *   at_results_release(&results);
 *
 * The files come from others, so everything in them is checked, and a file with one
 * thing wrong is not used at all. A key that an older version did not write is unknown;
 * keys that a newer version adds are ignored.
 *
 * A file does not have: samples, boards, evaluations other than winner and baseline,
 * and the times of these from the search (it has those of the finals). Threads: safe;
 * no shared state.
 */
#ifndef AT_RECORD_BUNDLED_H
#define AT_RECORD_BUNDLED_H

#include "record/results.h"

/* the largest file that is read; a problem takes some kilobytes */
#define AT_BUNDLED_BYTES_MAX ((size_t)8 << 20)

/*
 * Adds the results of one file's text, all or none. path is named in errors, with the
 * key. slug: the folder that the file lies in, which must be the folder of its device;
 * NULL: the file may lie anywhere.
 */
enum at_status at_bundled_parse(const char *text, size_t size, const char *path,
	const char *slug, struct at_results *out, struct at_error *err);

/*
 * Adds the results in <directory>/<device>/<kernel>.json of a space (NULL: of all),
 * unsorted. A file that cannot be used becomes a line in out->failed and is no failure;
 * neither is a missing directory. Fails only where the directory cannot be
 * read.
 */
enum at_status at_bundled_read(const char *directory, const char *space,
	struct at_results *out, struct at_error *err);

#endif
