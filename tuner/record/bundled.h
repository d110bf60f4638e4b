/*
 * Reads result files (record/result.h has their keys), so that the results shipped with
 * a repository can be shown, compared and built into headers without a record.
 *
 *   at_bundled_read("results", "matmul", &results, &err);
 *   ... results.items; results.failed[i]: a line about a file that is not usable ...
 *   at_results_release(&results);
 *
 * The files come from others, so everything in them is checked, and a single error
 * rejects the whole file. Keys that an older version did not write are unknown; keys of
 * newer versions are ignored.
 *
 * A file lacks samples, boards, all evaluations except winner and baseline, and their
 * times from the search (it has those of the finals). Threads: safe; no shared state.
 */
#ifndef AT_RECORD_BUNDLED_H
#define AT_RECORD_BUNDLED_H

#include "record/results.h"

/* the largest file; a problem takes some kilobytes */
#define AT_BUNDLED_BYTES_MAX ((size_t)8 << 20)

/* Adds the results of a file's text, all or none. path: named in errors, with the key.
   slug: the file's folder, which must be that of its device; NULL: any place. */
enum at_status at_bundled_parse(const char *text, size_t size, const char *path,
	const char *slug, struct at_results *out, struct at_error *err);

/* Adds the results in <directory>/<device>/<kernel>.json of a space (NULL: of all),
   unsorted. An unusable file becomes a line in out->failed and is not an error, nor is
   a missing directory. Fails only if the directory cannot be read. */
enum at_status at_bundled_read(const char *directory, const char *space,
	struct at_results *out, struct at_error *err);

#endif
