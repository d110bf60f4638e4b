/* Numbers, configurations and tables for people. Nothing here prints. Threads: safe. */
#ifndef AT_CLI_FORMAT_H
#define AT_CLI_FORMAT_H

#include "base/error.h"
#include "base/memory.h"
#include "base/objective.h"

#include <stdbool.h>
#include <stdint.h>

/* A short text, for printf(): at_strbuf_addf(out, "%s of %s", at_format_count(2).text,
   ...). */
struct at_short {
	char text[160];
};

/* "13,440" */
struct at_short at_format_count(uint64_t count);
/* "51.4 TFLOP/s": three digits and a decimal prefix; unit: "FLOP/s" */
struct at_short at_format_rate(double per_second, const char *unit);
/* "139.8 GiB", "48 KiB", "100 B" */
struct at_short at_format_bytes(int64_t bytes);
/* "0.4s", "45s", "2m05s", "3h07m" */
struct at_short at_format_seconds(double seconds);
/* "1.23 ms" */
struct at_short at_format_time(double ns);
/* "73 %", "101 %"; "0.4 %" below 1; "<0.1 %" where that would be 0.0 */
struct at_short at_format_share(double fraction);
/* "0.125 flop/B": three digits */
struct at_short at_format_intensity(double flops_per_byte);
/* "1.23x"; two digits after the point below 100, none above; "-" for NAN */
struct at_short at_format_speedup(double speedup);
/* "1.23x (95 % interval 1.20x to 1.26x)"; no interval if only the value is known */
struct at_short at_format_gain(struct at_score speedup);
/* A ratio of costs as "+5.1 %" or "-0.2 %"; "" if unknown */
struct at_short at_format_percent(double ratio);
/* "+5.1 % (+4.2 % to +6.0 %)"; no interval if only the value is known */
struct at_short at_format_change(struct at_score ratio);
/* The value of an evaluation by the objective: "1.23 ms"; "" if unknown. */
struct at_short at_format_value(const struct at_objective *objective, double value);
/* "1.20 ms to 1.26 ms"; "" unless both ends are known */
struct at_short at_format_interval(
	const struct at_objective *objective, const struct at_score *score);
/* "2024-05-31 14:05 UTC", from seconds since 1970 */
struct at_short at_format_date(int64_t seconds);

/* "file:line: text", for printf() too. */
struct at_error_line {
	char text[sizeof(((struct at_error *)0)->file) +
		  sizeof(((struct at_error *)0)->text) + 32];
};
struct at_error_line at_format_error(const struct at_error *err);

/* Appends texts from files and compilers on one line: see at_escape_line(). Text of the
   program between them passes unchanged. */
#define at_format_plain(out, ...) \
	at_format_plain_texts(out, (const char *const[]){ __VA_ARGS__, NULL })
void at_format_plain_texts(struct at_strbuf *out, const char *const *texts);
/* Filters a text for a stream: keeps line ends, tabs and, with_styles, the styles
   below. The rest passes through at_escape_line(), so that a terminal executes no
   sequence in it. */
void at_format_shown(
	struct at_strbuf *out, const char *text, size_t size, bool with_styles);
/* A recorded configuration: {"A": 16, "B": "ca"} becomes A=16 B=ca. */
void at_format_configuration(struct at_strbuf *out, const char *json);

/* Appends the text cut to `columns` columns, marked with "...". It is cut at a blank
   after the first third if possible, so that no number loses digits. Escape sequences
   take no column; if one is cut off, AT_STYLE_END is added. */
void at_format_fit(struct at_strbuf *out, const char *text, int columns);
/* The columns of a text; escape sequences take none. */
int at_format_width(const char *text);
/*
 * Appends lines, broken at blanks if wider than `columns`: a terminal would break them
 * anywhere. A continued line begins below the last cell in the left half of the line
 * (cells are two blanks apart), else slightly to the right of the line's start. A word
 * that does not fit stays whole; blanks between cells are kept.
 */
void at_format_fold(struct at_strbuf *out, const char *text, int columns);
/* Wraps words at `columns`. Every line but the first is indented by `indent`; `column`
   is the start of the first line. No newline at the end. A line that begins with a
   blank is kept unchanged. */
void at_format_wrap(
	struct at_strbuf *out, const char *text, int column, int indent, int columns);
/* Appends blanks up to a column, at least one; start: the length of out at column 0. */
void at_format_pad(struct at_strbuf *out, size_t start, size_t column);

enum at_style {
	AT_STYLE_END = 0,
	AT_STYLE_STRONG,
	AT_STYLE_FAINT,
	AT_STYLE_GOOD,
	AT_STYLE_BAD,
};
/* The escape sequence, or "" without color. Static storage. */
const char *at_style(enum at_style style, bool color);

#endif
