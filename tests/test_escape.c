/* Foreign texts are escaped: nothing in them can be markup, code or a command. */
#include "base/escape.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/format.h"

#include <unistd.h>

#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void assert_text(struct at_strbuf *out, const char *expected)
{
	assert_string_equal(at_strbuf_text(out), expected);
	at_strbuf_release(out);
}

/* What a terminal or a reader of text could take for more than it is. */
static const char hostile[] = "a\033[31mb\r\n\tc\x7f\xc2\x9b"
			      "31m\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf\xff"
			      "\xc0\x80\xed\xa0\x80\xe2\x82*/?\?/\"'`$(x)\\<&>|end";

static bool is_safe(const char *text)
{
	return at_text_is_shown(text, strlen(text));
}

TEST(knows_what_is_a_character)
{
	static const struct {
		const char *text;
		uint32_t character;
		size_t length;
	} rows[] = {
		{ "a", 'a', 1 },
		{ "\xc3\xa9", 0xe9, 2 },
		{ "\xe2\x82\xac", 0x20ac, 3 },
		{ "\xf0\x9f\x98\x80", 0x1f600, 4 },
		/* too long, half of a pair, above the last, cut, no beginning */
		{ "\xc0\xaf", AT_NO_CHARACTER, 1 },
		{ "\xe0\x80\xaf", AT_NO_CHARACTER, 1 },
		{ "\xed\xa0\x80", AT_NO_CHARACTER, 1 },
		{ "\xf4\x90\x80\x80", AT_NO_CHARACTER, 1 },
		{ "\xe2\x82", AT_NO_CHARACTER, 1 },
		{ "\x9b", AT_NO_CHARACTER, 1 },
		{ "\xff", AT_NO_CHARACTER, 1 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t length;
		uint32_t found =
			at_character(rows[i].text, strlen(rows[i].text), &length);

		if (found != rows[i].character || length != rows[i].length)
			fail_msg(
				"row %zu: %x of %zu bytes", i, (unsigned)found, length);
	}
}

TEST(shows_letters_and_hides_what_drives_a_terminal)
{
	static const uint32_t shown[] = { ' ', '~', 0xa0, 0xe9, 0x3b1, 0x5d0, 0x627,
		0x4e2d, 0x1f600, 0x2011, 0x20ac };
	static const uint32_t hidden[] = { 0, '\n', 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0xad,
		0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060,
		0x2066, 0x2069, 0xfe0f, 0xfeff, 0xfffe, 0x1ffff, 0xe0041, 0x110000,
		AT_NO_CHARACTER };

	for (size_t i = 0; i < COUNT(shown); i++)
		if (!at_character_is_shown(shown[i]))
			fail_msg("U+%04X is not shown", (unsigned)shown[i]);
	for (size_t i = 0; i < COUNT(hidden); i++)
		if (at_character_is_shown(hidden[i]))
			fail_msg("U+%04X is shown", (unsigned)hidden[i]);
}

TEST(leaves_nothing_in_a_line_that_is_not_shown)
{
	struct at_strbuf out = { 0 };
	char flat[sizeof(hostile)];

	at_escape_line(&out, hostile, sizeof(hostile)); /* its NUL too */
	assert_true(is_safe(at_strbuf_text(&out)));
	assert_non_null(strstr(at_strbuf_text(&out), "a [31mb   c ?31m????"));
	memcpy(flat, hostile, sizeof(hostile));
	at_text_flatten(flat);
	assert_memory_equal(flat, at_strbuf_text(&out), strlen(flat));
	at_strbuf_release(&out);
	at_escape_line(&out, "\xc3\xa9 \xe2\x82\xac", 6);
	assert_text(&out, "\xc3\xa9 \xe2\x82\xac");
}

TEST(lets_only_our_styles_and_ends_of_lines_through_to_a_stream)
{
	static const struct {
		const char *text;
		bool with_styles;
		const char *shown;
	} rows[] = {
		{ "a\tb\nc", false, "a\tb\nc" },
		{ "\033[1ma\033[0m\n", true, "\033[1ma\033[0m\n" },
		{ "\033[1ma\033[0m\n", false, " [1ma [0m\n" },
		/* concealed, blinking, a title, a report that is asked for, a link */
		{ "\033[8ma\033[5mb", true, " [8ma [5mb" },
		{ "\033]0;title\007\033[6n\033c", true, " ]0;title  [6n c" },
		{ "\033]8;;http://x\033\\", true, " ]8;;http://x \\" },
		{ "\033[1;5m\033[", true, " [1;5m [" },
		{ "a\rb\bc\xc2\x9b"
		  "2Jd\xe2\x80\xae",
			true, "a b c?2Jd?" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct at_strbuf out = { 0 };

		at_format_shown(
			&out, rows[i].text, strlen(rows[i].text), rows[i].with_styles);
		assert_text(&out, rows[i].shown);
	}
}

TEST(ends_no_comment_and_no_string_of_c)
{
	struct at_strbuf out = { 0 };

	at_escape_c_comment(&out, "*/ int x; /*?\?/\n\\\n#define A \xe2\x80\xae*");
	assert_text(&out, "* / int x; / *? ?/ | #define A ? ? ?*");
	at_escape_c_string(&out, "a\"; int x; \"\\\n?\?/\"1\xff");
	assert_text(&out, "\"a\\\"; int x; \\\"\\\\\\012?\\?/\\\"1\\377\"");
}

TEST(ends_no_tag_and_no_attribute)
{
	struct at_strbuf out = { 0 };

	at_escape_xml(&out, "]]><a b=\"c\" d='e'>&#0;\033\xe2\x80\xae\n\xc3\xa9");
	assert_text(&out,
		"]]&#62;&#60;a b=&#34;c&#34; d=&#39;e&#39;&#62;&#38;#0;??&#10;\xc3\xa9");
}

TEST(writes_json_that_reads_back_and_shows_everything)
{
	/* without what is no character: a JSON string has none */
	static const char text[] =
		"a\033\n\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81\"\\ \xc3\xa9";
	OWNED(at_json_free) struct at_json *object = at_json_object(), *again;
	RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };

	at_json_set(object, text, at_json_string(text));
	at_json_write(object, 0, &out);
	assert_true(is_safe(at_strbuf_text(&out)));
	assert_non_null(strstr(at_strbuf_text(&out), "\\u009b\\u202e\\udb40\\udc41"));
	assert_ok(at_json_parse(at_strbuf_text(&out), out.length, NULL, &again, NULL));
	assert_string_equal(at_json_text(at_json_get(again, text)), text);
}

TEST(is_no_markup_in_a_cell)
{
	struct at_strbuf out = { 0 };

	at_escape_markdown(&out, "a|b\n[c](javascript:x) <img> ![d] \033");
	assert_text(&out, "a\\|b \\[c](javascript:x) \\<img> !\\[d]  ");
	at_escape_markdown_code(&out, "a``|<b>`\n");
	assert_text(&out, "``` a``\\|<b>`  ```");
}

/* Every word comes out of a shell as it went in, and nothing is run. */
TEST(is_one_word_of_a_shell)
{
	static const char *const words[] = { "plain-1=2", "", "a b",
		"$(touch injected)", "`touch injected`", "';touch injected;'", "a\nb",
		"\\", "~", "*", "\"" };

	unlink("injected");
	for (size_t i = 0; i < COUNT(words); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf command = { 0 };
		char found[64];
		FILE *shell;
		size_t size;

		at_strbuf_add(&command, "printf %s ");
		at_escape_shell(&command, words[i]);
		shell = popen(at_strbuf_text(&command), "r");
		assert_non_null(shell);
		size = fread(found, 1, sizeof(found) - 1, shell);
		found[size] = '\0';
		assert_int_equal(pclose(shell), 0);
		assert_string_equal(found, words[i]);
	}
	assert_int_not_equal(access("injected", F_OK), 0);
}

TEST(is_one_cell_of_csv)
{
	struct at_strbuf out = { 0 };

	at_escape_csv(&out, "plain");
	assert_text(&out, "plain");
	at_escape_csv(&out, "a,\"b\"\nc");
	assert_text(&out, "\"a,\"\"b\"\"\nc\"");
	/* readers cut blanks that are not quoted */
	at_escape_csv(&out, " a");
	assert_text(&out, "\" a\"");
	at_escape_csv(&out, "b c ");
	assert_text(&out, "\"b c \"");
}

RUN_SUITE(NULL, NULL)
