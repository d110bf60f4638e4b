/* Puts a page together from its embedded parts and the data: see report/page.h. */
#include "report/page.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* made by embed.cmake from the files in report/page/ and Chart.js */
#define PARTS(X) \
	X(page_html) \
	X(page_css) \
	X(page_license) \
	X(chart_js) \
	X(base_js) \
	X(plot_js) \
	X(winner_js) \
	X(search_js) \
	X(mattered_js) \
	X(stands_js) \
	X(main_js)

#define DECLARE(name) \
	extern const unsigned char at_embedded_##name[]; \
	extern const size_t at_embedded_##name##_size;
PARTS(DECLARE)

#define PART(name) at_embedded_##name, &at_embedded_##name##_size

/* What replaces each mark of the template, in its order; parts of one mark are
   adjacent. */
static const struct {
	const char *mark;
	const unsigned char *data;
	const size_t *size;
} parts[] = {
	{ "@STYLE@", PART(page_css) },
	{ "@LICENSE@", PART(page_license) },
	{ "@DATA@", NULL, NULL },
	{ "@LIBRARY@", PART(chart_js) },
	{ "@SCRIPT@", PART(base_js) },
	{ "@SCRIPT@", PART(plot_js) },
	{ "@SCRIPT@", PART(winner_js) },
	{ "@SCRIPT@", PART(search_js) },
	{ "@SCRIPT@", PART(mattered_js) },
	{ "@SCRIPT@", PART(stands_js) },
	{ "@SCRIPT@", PART(main_js) },
	{ "@BLOCKS@", NULL, NULL },
};

static void add_blocks(
	const struct at_strbuf *blocks, size_t count, struct at_strbuf *out)
{
	for (size_t i = 0; i < count; i++) {
		if (!blocks[i].length)
			continue;
		at_strbuf_addf(out,
			"<script type=\"application/json\" id=\"evaluations-%zu\">", i);
		at_strbuf_add(out, at_strbuf_text(&blocks[i]));
		at_strbuf_add(out, "</script>\n");
	}
}

void at_report_page_write(const char *json, const struct at_strbuf *blocks,
	size_t block_count, struct at_strbuf *out)
{
	const char *at = (const char *)at_embedded_page_html, *mark = "";

	for (size_t i = 0; i < AT_COUNT_OF(parts); i++) {
		if (strcmp(parts[i].mark, mark) != 0) {
			const char *place = strstr(at, parts[i].mark);

			mark = parts[i].mark;
			assert(place);
			at_strbuf_add_bytes(out, at, (size_t)(place - at));
			at = place + strlen(mark);
		}
		if (parts[i].data)
			at_strbuf_add_bytes(out, parts[i].data, *parts[i].size);
		else if (!strcmp(mark, "@DATA@"))
			at_strbuf_add(out, json);
		else
			add_blocks(blocks, block_count, out);
	}
	at_strbuf_add(out, at);
}
