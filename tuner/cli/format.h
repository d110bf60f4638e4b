/*
 * Numbers, configurations and tables as people read them. Everything appends to
 * a buffer; nothing here prints. Threads: safe.
 */
#ifndef AT_CLI_FORMAT_H
#define AT_CLI_FORMAT_H

#include "base/memory.h"
#include "base/objective.h"

#include <stdbool.h>
#include <stdint.h>

/* "13,440" */
void at_format_count(struct at_strbuf *out, uint64_t count);
/* "51.4 TFLOP/s": three digits and a prefix of 1000s; unit is "FLOP/s" */
void at_format_rate(struct at_strbuf *out, double per_second, const char *unit);
/* "139.8 GiB", "48 KiB", "100 B" */
void at_format_bytes(struct at_strbuf *out, int64_t bytes);
/* "0.4s", "45s", "2m05s", "3h07m" */
void at_format_seconds(struct at_strbuf *out, double seconds);
/* "1.23 ms" */
void at_format_time(struct at_strbuf *out, double ns);
/* "73 %", "101 %"; "0.4 %" below 1, "<0.1 %" for less than that */
void at_format_share(struct at_strbuf *out, double fraction);
/* "0.125 flop/B": three digits */
void at_format_intensity(struct at_strbuf *out, double flops_per_byte);
/* "1.23x"; two digits after the point below 100, none above; "-" for NAN */
void at_format_speedup(struct at_strbuf *out, double speedup);
/* "1.23x (95 % interval 1.20x to 1.26x)"; the value alone where that is all that is
   known */
void at_format_gain(struct at_strbuf *out, struct at_score speedup);
/* What an evaluation achieved: "1.23 ms"; nothing where it is not known. */
void at_format_value(
	struct at_strbuf *out, const struct at_objective *objective, double value);
/* "1.20 ms to 1.26 ms"; nothing unless both ends are known */
void at_format_interval(struct at_strbuf *out, const struct at_objective *objective,
	const struct at_score *score);
/* "1.23 ms"; "2024-05-31 14:05 UTC" from seconds since 1970 */
void at_format_date(struct at_strbuf *out, int64_t seconds);

/* Text of files and compilers: at_escape_line(). */
void at_format_plain(struct at_strbuf *out, const char *text);
/*
 * What a stream gets, whoever wrote it: ends of lines, tabs and, where there is colour,
 * the styles below; of all else what at_escape_line() leaves.
 */
void at_format_shown(
	struct at_strbuf *out, const char *text, size_t size, bool with_styles);
/* {"A": 16, "B": "ca"} as it is recorded -> A=16 B=ca */
void at_format_configuration(struct at_strbuf *out, const char *json);

/*
 * The text cut to `columns` on a terminal, with "..." where something was cut: at a
 * blank where there is one behind the first third, so that no number loses its end.
 * Escape sequences take no column; where they are cut off, an end is added.
 */
void at_format_fit(struct at_strbuf *out, const char *text, int columns);
/* Whether the blank at `blank`, within text, stands in front of a unit: "51 %". */
bool at_format_is_before_unit(const char *text, const char *blank);
/*
 * Words wrapped at `columns`, every line but the first indented by `indent`;
 * `column` is where the first line already is. Ends without a newline. Blanks
 * at the start of a line of the text are kept, and such a line is not wrapped.
 */
void at_format_wrap(
	struct at_strbuf *out, const char *text, int column, int indent, int columns);
/* Blanks up to a column counted from `start`, at least one. */
void at_format_pad(struct at_strbuf *out, size_t start, size_t column);

enum at_style {
	AT_STYLE_END = 0,
	AT_STYLE_STRONG,
	AT_STYLE_FAINT,
	AT_STYLE_GOOD,
	AT_STYLE_BAD,
};
/* The escape sequence, or "" without colour; static storage. */
const char *at_style(enum at_style style, bool color);

#endif
