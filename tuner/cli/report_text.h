/*
 * What the files of a report's text share: a part that is told of, and entries of lines
 * that fit. Threads: as cli/report.h.
 */
#ifndef AT_CLI_REPORT_TEXT_H
#define AT_CLI_REPORT_TEXT_H

#include "cli/report.h"

struct at_report_text {
	const struct at_report_part *part;
	bool color;
	int columns;
	struct at_strbuf *out;
};

/* "\n heading\n" */
void at_report_text_heading(struct at_report_text *self, const char *words);
/* "  name      words of the text ...", wrapped; nothing for nothing. line is released.
 */
void at_report_text_entry(
	struct at_report_text *self, const char *name, struct at_strbuf *line);
void at_report_text_words(
	struct at_report_text *self, const char *name, const char *words);

/* The section of what mattered: the ablation, the model, values, two parameters. */
void at_report_text_mattered(struct at_report_text *self);

#endif
