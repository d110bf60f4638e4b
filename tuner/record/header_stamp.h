/*
 * The first lines of a header: hashes of what it was made from, so that one can tell
 * whether it is still up to date.
 *
 * Must not know: what else is in a header. Threads: pure functions.
 */
#ifndef AT_RECORD_HEADER_STAMP_H
#define AT_RECORD_HEADER_STAMP_H

#include "base/hash.h"
#include "space/spec.h"

/* What the stamp says. The hashes are in hex. */
struct at_header_stamp {
	/* of the tool; shown, but another version alone does not make a header stale */
	char version[32];
	char space[128]; /* the space file's name, without its folder */
	char space_hash[AT_HASH_HEX_SIZE]; /* of the space file's text */
	/* of the template's text and the files that it includes */
	char template_hash[AT_HASH_HEX_SIZE];
	char contents_hash[AT_HASH_HEX_SIZE]; /* of all that is below the stamp */
};

/* Appends the stamp and then body. The caller sets template_hash; the version and the
   other hashes are filled in here. */
void at_header_stamp_write(struct at_header_stamp *self, const struct at_spec *spec,
	const char *body, struct at_strbuf *out);

/* Reads the stamp of a header's text. False: none exists, so this tool did not write
   the text. */
bool at_header_stamp_read(const char *text, struct at_header_stamp *out);

/*
 * Appends why the header `old` is not what would be written now ("the template changed:
 * ..."); nothing where it is, or where only the tool's version differs. old NULL: there
 * is no file. now: the text that would be written.
 */
void at_header_compare(const char *old, const char *now, const struct at_spec *spec,
	struct at_strbuf *out);

#endif
