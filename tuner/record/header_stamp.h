/*
 * The first lines of a header: what it was made of, so that it can be told whether it
 * still is what would be made of it.
 *
 * Must not know: what else is in a header. Threads: pure functions.
 */
#ifndef AT_RECORD_HEADER_STAMP_H
#define AT_RECORD_HEADER_STAMP_H

#include "base/hash.h"
#include "space/spec.h"

struct at_header_stamp {
	char version[32]; /* of the tool; told, and no reason to be stale */
	char space[128]; /* the space file's name, without its folder */
	char space_hash[AT_HASH_HEX_SIZE]; /* of its text */
	char template_hash[AT_HASH_HEX_SIZE]; /* and of what it includes */
	char contents_hash[AT_HASH_HEX_SIZE]; /* of all below */
};

/* Appends the stamp, with template_hash as given and all else filled in, and body. */
void at_header_stamp_write(struct at_header_stamp *self, const struct at_spec *spec,
	const char *body, struct at_strbuf *out);

/*
 * Of a header's text. false: it has none, and is none of this tool's; *is_older says
 * that an older version wrote it, without one.
 */
bool at_header_stamp_read(
	const char *text, struct at_header_stamp *out, bool *is_older);

/*
 * Appends why a header is not what would be written now ("the template changed: ...");
 * nothing where it is, or where only the tool's version is another. old NULL: there is
 * no file.
 */
void at_header_compare(const char *old, const char *now, const struct at_spec *spec,
	struct at_strbuf *out);

#endif
