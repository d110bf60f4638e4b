/*
 * Folders of tests. folder_make() is mkdtemp(), and what it made is removed when the
 * test's process ends, if that did not happen before: a case that fails ends before it
 * has cleaned up.
 */
#ifndef AT_TESTS_FOLDER_H
#define AT_TESTS_FOLDER_H

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int folder_remove_entry(
	const char *path, const struct stat *facts, int kind, struct FTW *where)
{
	(void)facts;
	(void)kind;
	(void)where;
	return remove(path);
}

/* Removes a folder with everything in it; links are not followed. 0: it is gone. */
static inline int folder_remove(const char *path)
{
	return nftw(path, folder_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

struct folder_made {
	struct folder_made *next;
	pid_t owner; /* a child that forked from the test has the list too */
	char path[];
};

static struct folder_made *folder_list;

static inline void folder_remove_all(void)
{
	while (folder_list) {
		struct folder_made *first = folder_list;

		folder_list = first->next;
		if (first->owner == getpid())
			folder_remove(first->path);
		free(first);
	}
}

/* Makes a folder whose name ends with six characters in place of the pattern's
   "XXXXXX". Returns the pattern; NULL: it could not be made. */
static inline char *folder_make(char *pattern)
{
	char at[PATH_MAX] = "";
	struct folder_made *made;

	/* the test may change to another folder */
	if (!mkdtemp(pattern) || (pattern[0] != '/' && !getcwd(at, sizeof(at))))
		return NULL;
	made = malloc(sizeof(*made) + strlen(at) + strlen(pattern) + 2);
	if (!made)
		return NULL;
	sprintf(made->path, "%s%s%s", at, at[0] ? "/" : "", pattern);
	made->owner = getpid();
	made->next = folder_list;
	if (!folder_list)
		atexit(folder_remove_all);
	folder_list = made;
	return pattern;
}

#endif
