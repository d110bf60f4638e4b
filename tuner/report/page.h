/*
 * A report as one page for a browser: template, style, script, plotting library and its
 * licence, and the data in it. It needs no network and no other file.
 *
 * Must not know: what the data says. Threads: safe.
 */
#ifndef AT_REPORT_PAGE_H
#define AT_REPORT_PAGE_H

#include "base/memory.h"

/*
 * json: one object, without '<' (cli/report.h has its keys). blocks: the evaluations of
 * each of its groups, likewise; empty where it has none. Fails as at_strbuf does.
 */
void at_report_page_write(const char *json, const struct at_strbuf *blocks,
	size_t block_count, struct at_strbuf *out);

#endif
