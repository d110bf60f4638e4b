/* Numbers, configurations and wrapped text for people: see format.h. */
#include "cli/format.h"

#include "base/escape.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define ESCAPE '\033'
/* The continuation indent of a line with a single cell. */
#define HANGING 2
/* With fewer columns left, the continuation would be a column of letters. */
#define LEAST_COLUMNS 16

struct at_short at_format_count(uint64_t count)
{
	struct at_short out = { "" };
	char digits[24];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count);

	for (size_t i = 0, at = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			out.text[at++] = ',';
		out.text[at++] = digits[i];
	}
	return out;
}

static struct at_short AT_PRINTF(1, 2) short_of(const char *format, ...)
{
	struct at_short out;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(out.text, sizeof(out.text), format, arguments);
	va_end(arguments);
	return out;
}

struct at_short at_format_rate(double per_second, const char *unit)
{
	static const char *const prefixes[] = { "", "K", "M", "G", "T", "P", "E" };
	size_t prefix = 0;

	while (per_second >= 999.5 && prefix + 1 < AT_COUNT_OF(prefixes)) {
		per_second /= 1000;
		prefix++;
	}
	/* three digits: 1.23, 12.3, 123 */
	return short_of("%.*f %s%s",
		per_second < 9.995   ? 2
		: per_second < 99.95 ? 1
				     : 0,
		per_second, prefixes[prefix], unit);
}

struct at_short at_format_bytes(int64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double value = (double)bytes;
	size_t unit = 0;

	while (value >= 1024 && unit + 1 < AT_COUNT_OF(units)) {
		value /= 1024;
		unit++;
	}
	return short_of(
		"%.*f %s", value < floor(value) + 0.05 ? 0 : 1, value, units[unit]);
}

struct at_short at_format_seconds(double seconds)
{
	uint64_t whole;

	if (!(seconds > 0))
		seconds = 0;
	if (seconds < 9.95)
		return short_of("%.1fs", seconds);
	whole = seconds < 1e12 ? (uint64_t)(seconds + 0.5) : (uint64_t)1e12;
	if (whole < 60)
		return short_of("%" PRIu64 "s", whole);
	if (whole < 3600)
		return short_of(
			"%" PRIu64 "m%02us", whole / 60, (unsigned)(whole % 60));
	return short_of("%" PRIu64 "h%02um", whole / 3600, (unsigned)(whole / 60 % 60));
}

struct at_short at_format_time(double ns)
{
	struct at_short out;

	at_text_duration(ns, out.text, sizeof(out.text));
	return out;
}

struct at_short at_format_share(double fraction)
{
	double percent = 100 * fraction;

	if (percent > 0 && percent < 0.05)
		return short_of("<0.1 %%");
	if (fabs(percent) < 0.05)
		return short_of("0 %%");
	return short_of("%.*f %%", fabs(percent) < 0.95 ? 1 : 0, percent);
}

struct at_short at_format_intensity(double flops_per_byte)
{
	/* %.3g would write large values as powers of ten */
	return flops_per_byte < 999.5 ? short_of("%.3g flop/B", flops_per_byte)
				      : short_of("%.0f flop/B", flops_per_byte);
}

struct at_short at_format_speedup(double speedup)
{
	if (!isfinite(speedup))
		return short_of("-");
	return short_of("%.*fx", speedup < 99.995 ? 2 : 0, speedup);
}

struct at_short at_format_gain(struct at_score speedup)
{
	/* for a gain of some percent the third digit matters: a lower end of "1.00x"
	   would look like no gain */
	int digits = speedup.value < 1.2 ? 3 : speedup.value < 99.995 ? 2 : 0;

	if (!isfinite(speedup.value))
		return short_of("-");
	if (!isfinite(speedup.low) || !isfinite(speedup.high))
		return short_of("%.*fx", digits, speedup.value);
	return short_of("%.*fx (95 %% interval %.*fx to %.*fx)", digits, speedup.value,
		digits, speedup.low, digits, speedup.high);
}

struct at_short at_format_percent(double ratio)
{
	return isfinite(ratio) ? short_of("%+.1f %%", 100 * (ratio - 1))
			       : (struct at_short){ "" };
}

struct at_short at_format_change(struct at_score ratio)
{
	if (!isfinite(ratio.value) || !isfinite(ratio.low) || !isfinite(ratio.high))
		return at_format_percent(ratio.value);
	return short_of("%s (%s to %s)", at_format_percent(ratio.value).text,
		at_format_percent(ratio.low).text, at_format_percent(ratio.high).text);
}

struct at_short at_format_value(const struct at_objective *objective, double value)
{
	struct at_short out = { "" };

	if (isfinite(value))
		objective->format(value, out.text, sizeof(out.text));
	return out;
}

struct at_short at_format_interval(
	const struct at_objective *objective, const struct at_score *score)
{
	if (!isfinite(score->low) || !isfinite(score->high))
		return (struct at_short){ "" };
	return short_of("%s to %s", at_format_value(objective, score->low).text,
		at_format_value(objective, score->high).text);
}

struct at_short at_format_date(int64_t seconds)
{
	struct at_short out = { "" };
	time_t when = (time_t)seconds;
	struct tm parts;

	if (gmtime_r(&when, &parts) &&
		!strftime(out.text, sizeof(out.text), "%Y-%m-%d %H:%M UTC", &parts))
		out.text[0] = '\0';
	return out;
}

struct at_error_line at_format_error(const struct at_error *err)
{
	struct at_error_line out;

	at_error_format(err, out.text, sizeof(out.text));
	return out;
}

void at_format_plain_texts(struct at_strbuf *out, const char *const *texts)
{
	for (; *texts; texts++)
		at_escape_line(out, *texts, strlen(*texts));
}

/* The length of one of our styles at the start of text, or 0. */
static size_t style_length(const char *text, size_t size)
{
	for (enum at_style i = AT_STYLE_END; i <= AT_STYLE_BAD; i++) {
		const char *style = at_style(i, true);

		if (strlen(style) <= size && !memcmp(text, style, strlen(style)))
			return strlen(style);
	}
	return 0;
}

void at_format_shown(
	struct at_strbuf *out, const char *text, size_t size, bool with_styles)
{
	size_t start = 0;

	for (size_t i = 0; i < size;) {
		size_t kept = text[i] == '\n' || text[i] == '\t' ? 1 : 0;

		if (text[i] == ESCAPE && with_styles)
			kept = style_length(text + i, size - i);
		if (!kept) {
			i++;
			continue;
		}
		at_escape_line(out, text + start, i - start);
		at_strbuf_add_bytes(out, text + i, kept);
		start = i += kept;
	}
	at_escape_line(out, text + start, size - start);
}

void at_format_configuration(struct at_strbuf *out, const char *json)
{
	bool quoted = false, escaped = false;

	for (; *json; json++) {
		char c = *json;

		if (escaped) {
			at_strbuf_add_char(out, c);
			escaped = false;
		} else if (quoted && c == '\\') {
			escaped = true;
		} else if (c == '"') {
			quoted = !quoted;
		} else if (quoted) {
			at_strbuf_add_char(out, c);
		} else if (c == ':') {
			at_strbuf_add_char(out, '=');
		} else if (c == ',') {
			at_strbuf_add_char(out, ' ');
		} else if (!strchr("{} \n\t", c)) {
			at_strbuf_add_char(out, c);
		}
	}
}

/* Whether the blank at `blank` precedes a unit: "51 %". */
static bool is_before_unit(const char *text, const char *blank)
{
	static const char *const units[] = { "%", "ns", "us", "ms", "s", "B", "B/s",
		"FLOP/s", "flop/B", "Hz", "W" };
	const char *unit = blank + 1;

	if (blank == text || blank[-1] < '0' || blank[-1] > '9')
		return false;
	/* the second round skips a prefix: KiB, GHz, TFLOP/s */
	for (int prefixed = 0; prefixed < 2; prefixed++) {
		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
			size_t length = strlen(units[i]);

			if (!strncmp(unit, units[i], length) &&
				strchr(" \n,;:.)\033", unit[length]))
				return true;
		}
		if (!*unit || !strchr("kKMGTPE", *unit))
			return false;
		unit += unit[1] == 'i' ? 2 : 1;
	}
	return false;
}

/* The bytes of the character or escape sequence at text; *columns: its width. */
static size_t step(const char *text, int *columns)
{
	size_t length = 1;

	if (*text == ESCAPE) {
		*columns = 0;
		length = strcspn(text, "m");
		return text[length] ? length + 1 : length;
	}
	*columns = 1;
	while (((unsigned char)text[length] & 0xc0) == 0x80)
		length++;
	return length;
}

int at_format_width(const char *text)
{
	int total = 0, columns;

	while (*text) {
		text += step(text, &columns);
		total += columns;
	}
	return total;
}

/* How many columns of an overlong text to keep before "...". */
static int room_for(const char *text, int columns)
{
	int room = columns - 3, used = 0, blank = -1, cell = -1, width;
	const char *begin = text;

	while (*text && used < room) {
		if (*text == ' ' && !is_before_unit(begin, text))
			blank = used + 1;
		/* cells of a table are two blanks apart */
		if (*text == ' ' && text > begin && text[-1] == ' ')
			cell = used + 1;
		text += step(text, &width);
		used += width;
	}
	if (cell > columns / 3)
		return cell;
	return blank > columns / 3 ? blank : room;
}

void at_format_fit(struct at_strbuf *out, const char *text, int columns)
{
	bool cut = at_format_width(text) > columns;
	bool styled = false;
	int room = cut ? room_for(text, columns) : columns;
	int used = 0, width;

	while (*text) {
		size_t length = step(text, &width);

		if (used + width > room)
			break;
		styled |= *text == ESCAPE;
		at_strbuf_add_bytes(out, text, length);
		used += width;
		text += length;
	}
	if (cut && columns >= 3)
		at_strbuf_add(out, "...");
	if (cut && styled)
		at_strbuf_add(out, at_style(AT_STYLE_END, true));
}

/* Appends a line, broken at blanks and indented below. *column: the start of the line,
   then its end. Blanks between words are kept. */
static void add_broken(struct at_strbuf *out, const char *line, const char *end,
	int *column, int indent, int columns)
{
	bool has_word = false; /* in this line of the terminal */

	while (line < end) {
		const char *word = line + strspn(line, " "), *after = word;
		int blanks, width = 0, one;

		if (word > end)
			word = after = end;
		blanks = (int)(word - line);
		/* "51 %" stays together */
		while (after < end && (*after != ' ' || is_before_unit(word, after))) {
			after += step(after, &one);
			width += one;
		}
		if (after > end)
			after = end;
		/* a word without width, an escape sequence that ends a style, stays on
		   its line */
		if (has_word && width && *column + blanks + width > columns) {
			at_strbuf_add_char(out, '\n');
			blanks = indent;
			*column = 0;
		}
		if (after > word) {
			at_strbuf_addf(out, "%*s", blanks, "");
			at_strbuf_add_bytes(out, word, (size_t)(after - word));
			*column += blanks + width;
		}
		has_word = has_word || width;
		line = after;
	}
}

/* The column of the continuation. */
static int find_indent(const char *line, const char *end, int columns)
{
	int column = 0, blanks = 0, first = -1, indent = -1;

	while (line < end) {
		bool is_blank = *line == ' ';
		int width;

		if (!is_blank && first < 0)
			first = column;
		else if (!is_blank && blanks >= 2 && column <= columns / 2)
			indent = column;
		line += step(line, &width);
		/* an escape sequence between blanks counts neither as a blank nor as a
		   word */
		if (width)
			blanks = is_blank ? blanks + 1 : 0;
		column += width;
	}
	if (indent < 0)
		indent = (first < 0 ? 0 : first) + HANGING;
	return columns - indent < LEAST_COLUMNS ? HANGING : indent;
}

void at_format_fold(struct at_strbuf *out, const char *text, int columns)
{
	while (*text) {
		const char *end = text + strcspn(text, "\n");
		int column = 0;

		add_broken(out, text, end, &column, find_indent(text, end, columns),
			columns);
		text = end;
		if (*text) {
			at_strbuf_add_char(out, '\n');
			text++;
		}
	}
}

void at_format_wrap(
	struct at_strbuf *out, const char *text, int column, int indent, int columns)
{
	for (;;) {
		size_t length = strcspn(text, "\n");

		if (*text == ' ')
			at_strbuf_add_bytes(out, text, length);
		else
			add_broken(out, text, text + length, &column, indent, columns);
		if (!text[length])
			return;
		text += length + 1;
		at_strbuf_add_char(out, '\n');
		if (*text && *text != '\n')
			at_strbuf_addf(out, "%*s", indent, "");
		column = indent;
	}
}

void at_format_pad(struct at_strbuf *out, size_t start, size_t column)
{
	do
		at_strbuf_add_char(out, ' ');
	while (out->length - start < column);
}

const char *at_style(enum at_style style, bool color)
{
	if (!color)
		return "";
	switch (style) {
	case AT_STYLE_END:
		return "\033[0m";
	case AT_STYLE_STRONG:
		return "\033[1m";
	case AT_STYLE_FAINT:
		return "\033[2m";
	case AT_STYLE_GOOD:
		return "\033[32m";
	case AT_STYLE_BAD:
		return "\033[31m";
	}
	return "";
}
