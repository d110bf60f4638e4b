/*
 * Runs a fuzz target over every file of the folders given, and over every prefix
 * of the small ones, as an ordinary test. "-w" ahead of them: over no prefix.
 */
#include "base/file.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIXES_UP_TO 2048

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* a copy of exact size, so that a sanitizer sees the first byte too far */
static void run(const char *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		exit(1);
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static int replay_file(const char *path, size_t prefixes_up_to)
{
	char *data;
	size_t size;

	if (at_file_read(path, 0, &data, &size, NULL))
		return 0;
	run(data, size);
	for (size_t i = 0; i < size && size <= prefixes_up_to; i++)
		run(data, i);
	free(data);
	return 1;
}

int main(int argc, char **argv)
{
	bool is_whole = argc > 1 && !strcmp(argv[1], "-w");
	int count = 0;

	for (int i = is_whole ? 2 : 1; i < argc; i++) {
		DIR *folder = opendir(argv[i]);
		struct dirent *entry;

		while (folder && (entry = readdir(folder))) {
			char *path = at_path_join(argv[i], entry->d_name);

			if (path && entry->d_name[0] != '.')
				count += replay_file(
					path, is_whole ? 0 : PREFIXES_UP_TO);
			free(path);
		}
		if (folder)
			closedir(folder);
	}
	printf("replayed %d files\n", count);
	return count ? 0 : 1;
}
