/* Removes a test's folder with everything in it; links are not followed. */
#ifndef AT_TESTS_FOLDER_H
#define AT_TESTS_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

static inline int folder_remove_entry(
	const char *path, const struct stat *facts, int kind, struct FTW *where)
{
	(void)facts;
	(void)kind;
	(void)where;
	return remove(path);
}

/* 0: the folder is gone. */
static inline int folder_remove(const char *path)
{
	return nftw(path, folder_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
