/* JSON: writing, reading, and errors. */
#include "suite.h"

#include <math.h>

#include "base/json.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct at_json *sample_tree(void)
{
	struct at_json *tree = at_json_object(), *list = at_json_array();

	at_json_set(tree, "zebra", at_json_integer(INT64_MIN));
	at_json_set(tree, "ant", at_json_real(0.1));
	at_json_append(list, at_json_boolean(true));
	at_json_append(list, at_json_null());
	at_json_append(list, at_json_real(INFINITY));
	at_json_append(list, at_json_string("a \"b\"\n"));
	at_json_set(tree, "list", list);
	return tree;
}

TEST(json_is_written_in_the_order_it_was_set)
{
	OWNED(at_json_free) struct at_json *tree = sample_tree();
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_json_write(tree, 0, &text);
	assert_string_equal(at_strbuf_text(&text),
		"{\"zebra\": -9223372036854775808, \"ant\": 0.1,"
		" \"list\": [true, null, null, \"a \\\"b\\\"\\n\"]}");
	at_strbuf_clear(&text);
	at_json_write(tree, 2, &text);
	assert_memory_equal(at_strbuf_text(&text), "{\n  \"zebra\": ", 13);
	assert_int_equal(text.data[text.length - 1], '\n');
}

TEST(json_is_written_as_it_was_read)
{
	/* empty containers, keys and texts to escape, all kinds of values, in depth */
	static const struct {
		int indent;
		const char *text;
	} rows[] = {
		{ 0, "{}" },
		{ 0, "[]" },
		{ 0, "[[], {}, [{}], {\"a\": []}]" },
		{ 0, "{\"\": \"\", \"a\\\"b\\\\c\": \"\\\"\\\\/\"}" },
		{ 0, "{\"\303\274\": \"\303\274\\t\\u0001\\u200b\\u007f\"}" },
		{ 0, "[0, -1, 9223372036854775807, 1.0, -2.5, 1e300, 0.1]" },
		{ 0, "[true, false, null, \"\"]" },
		{ 2, "{}\n" },
		{ 2, "[\n  [],\n  {}\n]\n" },
		{ 1, "{\n \"a\": [\n  1,\n  {\n   \"b\": 2.5\n  }\n ],\n \"c\": \"d\"\n}\n" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		OWNED(at_json_free) struct at_json *tree = NULL;

		assert_ok(at_json_parse(
			rows[i].text, strlen(rows[i].text), "f", &tree, NULL));
		at_json_write(tree, rows[i].indent, &text);
		assert_string_equal(at_strbuf_text(&text), rows[i].text);
	}
}

TEST(json_reads_back_as_written)
{
	OWNED(at_json_free) struct at_json *tree = sample_tree(), *copy = NULL;
	const struct at_json *list;
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_json_write(tree, 0, &text);
	assert_ok(at_json_parse(text.data, text.length, "f", &copy, NULL));
	assert_true(at_json_whole(at_json_get(copy, "zebra"), 0) == INT64_MIN);
	assert_true(at_json_number(at_json_get(copy, "ant"), 0) == 0.1);
	list = at_json_get(copy, "list");
	assert_int_equal(at_json_count(list), 4);
	assert_string_equal(at_json_text(at_json_at(list, 3)), "a \"b\"\n");
	assert_null(at_json_text(at_json_at(list, 0)));
	assert_null(at_json_at(list, 4));
	assert_null(at_json_get(copy, "missing"));
	assert_int_equal(at_json_whole(at_json_get(copy, "missing"), -3), -3);
	assert_int_equal(at_json_whole(at_json_get(copy, "ant"), -3), -3);
	assert_true(at_json_number(NULL, 1.5) == 1.5);
}

TEST(a_mark_of_utf8_at_the_start_is_none_of_the_text)
{
	static const char marked[] = "\xef\xbb\xbf{ \"a\": 7 }",
			  twice[] = "\xef\xbb\xbf\xef\xbb\xbf{ \"a\": 7 }";
	struct at_json *tree = NULL;

	assert_ok(at_json_parse(marked, strlen(marked), "f", &tree, NULL));
	assert_int_equal(at_json_whole(at_json_get(tree, "a"), 0), 7);
	at_json_free(tree);
	assert_int_equal(
		at_json_parse(twice, strlen(twice), "f", &tree, NULL), AT_ESYNTAX);
	assert_int_equal(at_json_parse(marked, 2, "f", &tree, NULL), AT_ESYNTAX);
}

TEST(json_replaces_bytes_that_are_no_utf8)
{
	OWNED(at_json_free)
	struct at_json *odd = at_json_string("a\xff\xfe"),
		       *good = at_json_string("\xc3\xa9");

	assert_string_equal(at_json_text(odd), "a??");
	assert_string_equal(at_json_text(good), "\xc3\xa9");
}

TEST(json_errors_name_file_and_line)
{
	static const char *const wrong[] = { "", "{", "{\"a\": 1, \"a\": 2}", "[1] 2",
		"nul" };
	struct at_error err = { 0 }, odd = { 0 };
	struct at_json *tree = NULL;

	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_int_equal(
			at_json_parse(wrong[i], strlen(wrong[i]), "f", &tree, NULL),
			AT_ESYNTAX);
	assert_null(tree);
	assert_int_equal(
		at_json_parse("{\n\"a\":\n?}", 9, "x.json", &tree, &err), AT_ESYNTAX);
	/* what is quoted is made one line of */
	assert_int_equal(
		at_json_parse("{\"a\\u0\n\x1b[31m9", 13, "x.json", &tree, &odd),
		AT_ESYNTAX);
	assert_non_null(strstr(odd.text, "a\\u0"));
	assert_null(strpbrk(odd.text, "\n\x1b"));
	assert_string_equal(err.file, "x.json");
	assert_int_equal(err.line, 3);
}

TEST(tells_keys_in_the_order_of_the_text)
{
	static const char text[] = "{\"b\": 1, \"a\": 2, \"c\": 3}";
	OWNED(at_json_free) struct at_json *object;

	assert_ok(at_json_parse(text, strlen(text), NULL, &object, &failure));
	assert_string_equal(at_json_key_at(object, 0), "b");
	assert_string_equal(at_json_key_at(object, 1), "a");
	assert_string_equal(at_json_key_at(object, 2), "c");
	assert_null(at_json_key_at(object, 3));
	assert_null(at_json_key_at(at_json_get(object, "b"), 0));
	assert_null(at_json_key_at(NULL, 0));
}

RUN_SUITE(NULL, NULL)
