/* Text helpers. */
#include "base/text.h"

#include "base/escape.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* longer names get no suggestion, since people do not type them */
#define LONGEST_NAME 127
/* this many letters identify a longer name */
#define BEGINNING 3

/* The functions of <ctype.h> depend on the locale; names and numbers must not. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool is_alphanumeric(char c)
{
	return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
}

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The cost of replacing a by b in half edits; case_cost: for a change of case. */
static unsigned substitution(char a, char b, unsigned case_cost)
{
	if (a == b)
		return 0;
	return lower(a) == lower(b) ? case_cost : 2;
}

/*
 * The restricted edit distance (insertion, deletion, substitution, swap of neighbours)
 * of Damerau, "A technique for computer detection and correction of spelling errors",
 * 1964, in half edits. Both lengths must be at most LONGEST_NAME. Returns any larger
 * number if it exceeds `most`.
 */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length,
	unsigned case_cost, unsigned most)
{
	size_t longer = a_length > b_length ? a_length : b_length;
	unsigned rows[3][LONGEST_NAME + 1], least_before = 0;
	unsigned *before = rows[0], *last = rows[1], *now = rows[2];

	/* at least the difference of the lengths must be inserted */
	if (2 * (2 * longer - a_length - b_length) > most)
		return most + 1;
	for (size_t j = 0; j <= b_length; j++)
		last[j] = (unsigned)(2 * j);
	for (size_t i = 1; i <= a_length; i++) {
		unsigned *oldest = before, least = (unsigned)(2 * i);

		now[0] = least;
		for (size_t j = 1; j <= b_length; j++) {
			unsigned best = last[j - 1] +
					substitution(a[i - 1], b[j - 1], case_cost);

			best = smaller(best, smaller(last[j], now[j - 1]) + 2);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
				a[i - 2] == b[j - 1])
				best = smaller(best, before[j - 2] + 2);
			now[j] = best;
			least = smaller(least, best);
		}
		/* all later rows build on these two, and are no smaller */
		if (smaller(least, least_before) > most)
			return most + 1;
		least_before = least;
		before = last;
		last = now;
		now = oldest;
	}
	return last[b_length];
}

const char *at_text_nearest(const char *wrong, const char *const *names, size_t count)
{
	size_t wrong_length = strlen(wrong);
	const char *nearest = NULL;
	unsigned nearest_distance = 0;

	for (size_t i = 0; i < count && wrong_length <= LONGEST_NAME; i++) {
		size_t length = strlen(names[i]);
		size_t longer = length > wrong_length ? length : wrong_length;
		/* up to one edit for every three letters; case does not count here */
		unsigned most = (unsigned)(2 * longer / 3), apart;

		/* "shared" for "shared_bytes" */
		bool begins = wrong_length >= BEGINNING &&
			      !strncasecmp(names[i], wrong, wrong_length);

		if (length > LONGEST_NAME ||
			(!begins && distance(wrong, wrong_length, names[i], length, 0,
					    most) > most))
			continue;
		apart = begins && length > wrong_length ? 2
			: begins                        ? strcmp(names[i], wrong) != 0
				 : distance(wrong, wrong_length, names[i], length, 1,
					   4 * LONGEST_NAME);
		if (!nearest || apart < nearest_distance) {
			nearest = names[i];
			nearest_distance = apart;
		}
	}
	return nearest;
}

void at_text_add_known(struct at_strbuf *out, const char *wrong,
	const char *const *names, size_t count)
{
	const char *nearest = at_text_nearest(wrong, names, count);

	if (nearest) {
		at_strbuf_addf(out, "; did you mean \"%s\"?", nearest);
		return;
	}
	at_strbuf_add(out, "; known are ");
	for (size_t i = 0; i < count; i++)
		at_strbuf_addf(
			out, "%s%s", at_text_between(i, count, " and "), names[i]);
}

size_t at_text_mark_bytes(const char *text, size_t size)
{
	static const char mark[] = { '\xef', '\xbb', '\xbf' };

	return size >= sizeof(mark) && !memcmp(text, mark, sizeof(mark)) ? sizeof(mark)
									 : 0;
}

void at_text_append(char *text, size_t size, const char *format, ...)
{
	const size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
}

void at_text_flatten(char *text)
{
	struct at_strbuf line = { 0 };

	at_escape_line(&line, text, strlen(text));
	/* every replacement is at most as long, so it fits */
	memcpy(text, at_strbuf_text(&line), line.length + 1);
	at_strbuf_release(&line);
}

/* Appends letters and digits through `change`, and one separator for every run of other
   characters. */
static void add_joined(
	struct at_strbuf *out, const char *text, char (*change)(char), char separator)
{
	bool pending = false;

	for (const char *c = text; *c; c++) {
		if (!is_alphanumeric(*c)) {
			pending = true;
			continue;
		}
		if (pending && out->length > 0)
			at_strbuf_add_char(out, separator);
		pending = false;
		at_strbuf_add_char(out, change(*c));
	}
}

char *at_text_slug(const char *text)
{
	struct at_strbuf out = { 0 };

	add_joined(&out, text, lower, '-');
	return at_strbuf_detach(&out);
}

char *at_text_macro(const char *text)
{
	struct at_strbuf joined = { 0 }, out = { 0 };

	add_joined(&joined, text, upper, '_');
	/* an identifier must not be empty or begin with a digit */
	if (joined.length == 0 || is_digit(joined.data[0]))
		at_strbuf_add_char(&out, '_');
	at_strbuf_add(&out, at_strbuf_text(&joined));
	at_strbuf_release(&joined);
	return at_strbuf_detach(&out);
}

const char *at_text_between(size_t index, size_t count, const char *last)
{
	return index == 0 ? "" : index + 1 < count ? ", " : last;
}

bool at_text_integer(const char *text, int64_t *out)
{
	const char *digits = text + (*text == '-' || *text == '+');
	long long value;
	char *end;

	/* strtoll() would skip blanks */
	if (!is_digit(*digits))
		return false;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (*end || errno == ERANGE || value < INT64_MIN || value > INT64_MAX)
		return false;
	*out = value;
	return true;
}

bool at_text_real(const char *text, double *out)
{
	double value;
	char *end;

	/* strtod() would accept blanks, hexadecimal, "inf" and "nan" */
	if (!*text || text[strspn(text, "0123456789+-.eE")])
		return false;
	value = strtod(text, &end);
	if (*end || end == text || !isfinite(value))
		return false;
	*out = value;
	return true;
}

void at_text_duration(double ns, char *buffer, size_t size)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t unit = 0;
	double value = ns;
	long long seconds;
	int decimals;

	if (!isfinite(ns) || ns < 0 || ns > 1e24) {
		snprintf(buffer, size, "%g ns", ns);
		return;
	}
	/* three digits: above this, rounding would make it four */
	while (unit < 3 && value >= 999.5) {
		value /= 1000;
		unit++;
	}
	decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	if (unit < 3 || value < 99.95) {
		snprintf(buffer, size, "%.*f %s", decimals, value, units[unit]);
		return;
	}
	seconds = (long long)(value + 0.5);
	if (seconds < 3600)
		snprintf(buffer, size, "%lld min %02lld s", seconds / 60, seconds % 60);
	else
		snprintf(buffer, size, "%lld h %02lld min", seconds / 3600,
			seconds / 60 % 60);
}

/* The seconds of a unit of time in any spelling, or 0. */
static double seconds_of_unit(const char *word, size_t length)
{
	static const struct {
		const char *words;
		double seconds;
	} units[] = {
		{ " s sec secs second seconds ", 1 },
		{ " m min mins minute minutes ", 60 },
		{ " h hr hrs hour hours ", 3600 },
		{ " d day days ", 86400 },
		{ " w wk week weeks ", 7 * 86400 },
		{ " y yr year years ", 366 * 86400 },
	};
	char wanted[12] = " ";

	if (!length || length > sizeof(wanted) - 3)
		return 0;
	for (size_t i = 0; i < length; i++)
		wanted[i + 1] = (char)tolower((unsigned char)word[i]);
	wanted[length + 1] = ' ';
	for (size_t i = 0; i < AT_COUNT_OF(units); i++)
		if (strstr(units[i].words, wanted))
			return units[i].seconds;
	return 0;
}

bool at_text_time(const char *text, const char *units, int64_t most, int64_t *seconds)
{
	size_t length = strlen(text);
	char *number = at_strndup(text, length ? length - 1 : 0);
	int64_t count;
	bool is_time = at_text_integer(number, &count) && count > 0 && count <= most &&
		       strchr(units, text[length - 1]);

	if (is_time)
		*seconds = count * (int64_t)seconds_of_unit(&text[length - 1], 1);
	free(number);
	return is_time;
}

bool at_text_meant_time(const char *text, const char *units, char *buffer, size_t size)
{
	double total = 0;

	while (*text) {
		char *end;
		double number, seconds;
		size_t length = 0;

		if (!isdigit((unsigned char)*text))
			return false;
		number = strtod(text, &end);
		text = end + strspn(end, " ");
		while (isalpha((unsigned char)text[length]))
			length++;
		seconds = seconds_of_unit(text, length);
		if (seconds == 0)
			return false;
		total += number * seconds;
		text += length;
		text += strspn(text, " ");
	}
	for (size_t i = strlen(units); i-- > 0 && total > 0;) {
		double count = total / seconds_of_unit(&units[i], 1);

		/* the largest unit without a fraction; a million is implausible */
		if (count == floor(count) && count < 1e6) {
			snprintf(buffer, size, "%.0f%c", count, units[i]);
			return true;
		}
	}
	return false;
}

void at_text_shortest_real(double value, char *buffer, size_t size)
{
	char text[32];

	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	/* with few digits 1000 would become 1e+03, which is neither shorter nor
	   plainer */
	if (fabs(value) >= 1 && fabs(value) < 1e15 && strchr(text, 'e'))
		snprintf(text, sizeof(text), "%.0f", value);
	snprintf(buffer, size, "%s", text);
}
