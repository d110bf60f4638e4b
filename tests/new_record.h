/* An empty record, made once a program: a new one goes through all versions of the
   tables, which takes most of the time of a small test. */
#ifndef AT_TESTS_NEW_RECORD_H
#define AT_TESTS_NEW_RECORD_H

#include "base/file.h"
#include "record/store.h"

#include <stdio.h>
#include <stdlib.h>

/* Puts an empty record into a folder in which there is none, to be opened there by
   at_store_open(). 0: it is there. */
static inline int new_record(const char *folder)
{
	static char *bytes; /* kept until the program ends */
	static size_t size;
	struct at_store *store;
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/autotune.db", folder);
	if (!bytes) {
		if (at_store_open(folder, &store, NULL))
			return -1;
		at_store_close(store);
		return at_file_read(path, 0, &bytes, &size, NULL) ? -1 : 0;
	}
	file = fopen(path, "wbx");
	if (!file)
		return -1;
	if (fwrite(bytes, 1, size, file) != size) {
		fclose(file);
		return -1;
	}
	return fclose(file);
}

#endif
