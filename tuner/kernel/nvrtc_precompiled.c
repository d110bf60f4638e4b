/* Where the precompiled headers of this process lie; see nvrtc_precompiled.h. */
#include "kernel/nvrtc_precompiled.h"
#include "base/hash.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A header takes some megabytes, and a run has as many folders as compilers. A space
   has one or two lists of options: of its kernels, and of their reference. */
#define KEPT 4

static char root[512]; /* "": no headers are made */
static struct at_hash kept[KEPT];
static size_t kept_next;

void at_nvrtc_precompile(const char *folder)
{
	int length =
		folder ? snprintf(root, sizeof(root), "%s/headers-XXXXXX", folder) : 0;

	/* without a folder compiling takes a little longer, and that is all */
	if (length <= 0 || (size_t)length >= sizeof(root) || !mkdtemp(root))
		root[0] = '\0';
	memset(kept, 0, sizeof(kept));
	kept_next = 0;
}

static struct at_hash identify(
	const char *name, char *const *options, size_t option_count)
{
	struct at_hash parts[2] = { at_hash_bytes(name, strlen(name)) };

	for (size_t i = 0; i < option_count; i++) {
		parts[1] = at_hash_bytes(options[i], strlen(options[i]));
		parts[0] = at_hash_bytes(parts, sizeof(parts));
	}
	return parts[0];
}

/* Makes the folder, or removes the files in it. */
static int empty(const char *folder)
{
	struct dirent *entry;
	DIR *stream;

	if (!mkdir(folder, 0700))
		return 0;
	stream = opendir(folder);
	if (!stream)
		return -1;
	while ((entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			(void)unlinkat(dirfd(stream), entry->d_name, 0);
	closedir(stream);
	return 0;
}

const char *at_nvrtc_precompiled(
	const char *name, char *const *options, size_t option_count)
{
	static char folder[sizeof(root) + 8];
	struct at_hash unit;
	size_t i = 0;

	if (!root[0])
		return NULL;
	unit = identify(name, options, option_count);
	while (i < KEPT && !at_hash_equal(kept[i], unit))
		i++;
	if (i == KEPT)
		i = kept_next;
	snprintf(folder, sizeof(folder), "%s/%zu", root, i);
	if (at_hash_equal(kept[i], unit))
		return folder;
	if (empty(folder))
		return NULL;
	kept[i] = unit;
	kept_next = (i + 1) % KEPT;
	return folder;
}
