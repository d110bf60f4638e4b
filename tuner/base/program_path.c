/* Reads the environment and finds programs in PATH. */
#include "base/program_path.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *at_environment(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

bool at_is_program(const char *path)
{
	struct stat facts;

	return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) &&
	       access(path, X_OK) == 0;
}

void at_program_find(const char *name, char **path)
{
	const char *folders = getenv("PATH");
	struct at_strbuf tried = { 0 };
	bool found = false;

	*path = NULL;
	if (!folders)
		folders = AT_PROGRAM_FOLDERS;
	if (strchr(name, '/')) {
		at_strbuf_add(&tried, name);
		found = at_is_program(name);
		folders = "";
	}
	while (*folders && !found) {
		size_t length = strcspn(folders, ":");

		at_strbuf_clear(&tried);
		at_strbuf_add_bytes(&tried, folders, length);
		at_strbuf_add_char(&tried, '/');
		at_strbuf_add(&tried, name);
		found = length && at_is_program(tried.data);
		folders += length;
		folders += *folders == ':';
	}
	if (found)
		*path = at_strbuf_detach(&tried);
	at_strbuf_release(&tried);
}
