/*
 * A report as one page for a browser: template, style, script, plotting library with
 * its licence, and the data. The page needs no network and no other file.
 *
 * Must not know: the meaning of the data. Threads: safe.
 */
#ifndef AT_REPORT_PAGE_H
#define AT_REPORT_PAGE_H

#include "base/memory.h"

/* Appends the page to out. json: one object without '<' (cli/report.h lists its keys).
   blocks: for each group its evaluations as JSON, also without '<'; may be empty. */
void at_report_page_write(const char *json, const struct at_strbuf *blocks,
	size_t block_count, struct at_strbuf *out);

#endif
