/* Reads and removes what ptxas writes about kernels in a compiler's log. */
#include "kernel/ptxas_log.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static const char *line_end(const char *line)
{
	return line + strcspn(line, "\n");
}

/* The line behind "Function properties for SYMBOL"; NULL: none exists. */
static const char *properties_of(const char *log, const char *symbol)
{
	static const char title[] = "Function properties for ";
	size_t length = strlen(symbol);

	while ((log = strstr(log, title)) != NULL) {
		log += strlen(title);
		if (!strncmp(log, symbol, length) && log[length] == '\n')
			return log + length + 1;
	}
	return NULL;
}

void at_ptxas_read_spills(const char *log, struct at_kernel_facts *facts)
{
	const char *line = properties_of(log, facts->symbol);
	int64_t frame, stores, loads;

	if (!line)
		return;
	/* the line begins with "ptxas . 0 bytes stack frame, ..." or with blanks
	   only */
	if (starts_with(line, "ptxas"))
		line += strlen("ptxas");
	line += strspn(line, " .\t");
	if (sscanf(line,
		    "%" SCNd64 " bytes stack frame, %" SCNd64
		    " bytes spill stores, %" SCNd64 " bytes spill loads",
		    &frame, &stores, &loads) != 3)
		return;
	facts->spill_store_bytes = stores;
	facts->spill_load_bytes = loads;
}

/* Whether the line is one of ptxas's information about a kernel. */
static bool is_information(const char *line)
{
	const char *at = line;

	if (starts_with(line, "ptxas info"))
		return true;
	if (starts_with(at, "ptxas "))
		at += strlen("ptxas ");
	if (*at != ' ')
		return false;
	at += strspn(at, " .");
	at += strspn(at, "0123456789");
	return starts_with(at, " bytes stack frame,");
}

char *at_ptxas_strip_log(const char *log)
{
	struct at_strbuf kept = { 0 };

	while (*log) {
		const char *end = line_end(log);

		if (*end)
			end++;
		if (!is_information(log))
			at_strbuf_add_bytes(&kept, log, (size_t)(end - log));
		log = end;
	}
	/* a log of blank lines only says nothing */
	if (kept.data && !kept.data[strspn(kept.data, " \n")])
		at_strbuf_clear(&kept);
	return at_strbuf_detach(&kept);
}
