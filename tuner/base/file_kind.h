/*
 * The apparent kind of a file by its name, for messages about a file of the wrong kind:
 * a template for a space, a space for a recording.
 *
 * Threads: pure.
 */
#ifndef AT_BASE_FILE_KIND_H
#define AT_BASE_FILE_KIND_H

enum at_file_kind {
	AT_FILE_OTHER, /* not evident from the name */
	AT_FILE_SPACE,
	AT_FILE_SOURCE, /* a template, a header, a script */
	AT_FILE_JSON, /* a recording or a result file, possibly compressed */
	AT_FILE_RECORD, /* SQLite's */
	AT_FILE_PAGE,
};

enum at_file_kind at_file_kind_of(const char *path);
/* "is a space file", without a full stop; "" for AT_FILE_OTHER. */
const char *at_file_kind_text(enum at_file_kind kind);

#endif
