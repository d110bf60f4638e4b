/* File kinds by the endings of names. */
#include "base/file_kind.h"
#include "base/memory.h"

#include <string.h>
#include <strings.h>

enum at_file_kind at_file_kind_of(const char *path)
{
	static const struct {
		const char *ending;
		enum at_file_kind kind;
	} rows[] = {
		{ ".cfg", AT_FILE_SPACE },
		{ ".cu", AT_FILE_SOURCE },
		{ ".cuh", AT_FILE_SOURCE },
		{ ".h", AT_FILE_SOURCE },
		{ ".hpp", AT_FILE_SOURCE },
		{ ".c", AT_FILE_SOURCE },
		{ ".cc", AT_FILE_SOURCE },
		{ ".cpp", AT_FILE_SOURCE },
		{ ".py", AT_FILE_SOURCE },
		{ ".json", AT_FILE_JSON },
		{ ".json.gz", AT_FILE_JSON },
		{ ".db", AT_FILE_RECORD },
		{ ".html", AT_FILE_PAGE },
	};
	size_t length = strlen(path);

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		size_t ending = strlen(rows[i].ending);

		if (length > ending &&
			!strcasecmp(path + length - ending, rows[i].ending))
			return rows[i].kind;
	}
	return AT_FILE_OTHER;
}

const char *at_file_kind_text(enum at_file_kind kind)
{
	switch (kind) {
	case AT_FILE_SPACE:
		return "is a space file";
	case AT_FILE_SOURCE:
		return "is a source file";
	case AT_FILE_JSON:
		return "is a JSON file";
	case AT_FILE_RECORD:
		return "is a record";
	case AT_FILE_PAGE:
		return "is a page for a browser";
	case AT_FILE_OTHER:
		break;
	}
	return "";
}
