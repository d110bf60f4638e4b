/*
 * The first lines of a header: hashes of its sources, which tell whether it is up to
 * date.
 *
 * Must not know: what else is in a header. Threads: pure functions.
 */
#ifndef AT_RECORD_HEADER_STAMP_H
#define AT_RECORD_HEADER_STAMP_H

#include "base/hash.h"
#include "space/spec.h"

/* The stamp's contents, hashes in hex. */
struct at_header_stamp {
	/* of the tool; shown, but another version does not make a header stale */
	char version[32];
	char space[128]; /* file name of the space */
	char space_hash[AT_HASH_HEX_SIZE]; /* of the space file's text */
	/* of the template's text and the files it includes */
	char template_hash[AT_HASH_HEX_SIZE];
	char contents_hash[AT_HASH_HEX_SIZE]; /* of everything after the stamp */
};

/* Appends the stamp and then body. The caller sets template_hash; the rest is filled
   in. */
void at_header_stamp_write(struct at_header_stamp *self, const struct at_spec *spec,
	const char *body, struct at_strbuf *out);

/* Reads the stamp of a header's text. False: the tool did not write the text. */
bool at_header_stamp_read(const char *text, struct at_header_stamp *out);

/* Appends why the header `old` is stale ("the template changed: ..."); nothing if it is
   up to date, or if only the tool's version differs. old NULL: there is no file. now:
   the text that would be written. */
void at_header_compare(const char *old, const char *now, const struct at_spec *spec,
	struct at_strbuf *out);

#endif
