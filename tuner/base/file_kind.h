/*
 * What a file seems to be by its name, for the message about a file that was given
 * where another kind is expected: a template for a space, a space for a recording.
 *
 * Threads: pure.
 */
#ifndef AT_BASE_FILE_KIND_H
#define AT_BASE_FILE_KIND_H

enum at_file_kind {
	AT_FILE_OTHER, /* the name does not tell */
	AT_FILE_SPACE,
	AT_FILE_SOURCE, /* a template, a header, a script */
	AT_FILE_JSON, /* a recording or a result file, also compressed */
	AT_FILE_RECORD, /* SQLite's */
	AT_FILE_PAGE,
};

enum at_file_kind at_file_kind_of(const char *path);
/* "is a space file", without a full stop; "" of AT_FILE_OTHER. */
const char *at_file_kind_text(enum at_file_kind kind);

#endif
