/*
 * For the files that write a report as text: the part that is being written, and
 * entries that are wrapped. Threads: as cli/report.h.
 */
#ifndef AT_CLI_REPORT_TEXT_H
#define AT_CLI_REPORT_TEXT_H

#include "cli/report.h"

/* The part that is being written, and where to; everything is borrowed. */
struct at_report_text {
	const struct at_report_part *part;
	bool color;
	int columns;
	struct at_strbuf *out;
};

/* Appends "\n heading\n". */
void at_report_text_heading(struct at_report_text *self, const char *words);
/* Appends "  name      words of the text ...", wrapped; nothing where line is empty.
   Releases line. */
void at_report_text_entry(
	struct at_report_text *self, const char *name, struct at_strbuf *line);
/* The same for a fixed text. */
void at_report_text_words(
	struct at_report_text *self, const char *name, const char *words);

/* Appends the section about what mattered: the steps of the gain, the model, values,
   pairs of parameters. */
void at_report_text_mattered(struct at_report_text *self);

#endif
