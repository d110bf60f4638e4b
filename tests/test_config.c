/* The syntax of a space file, which becomes a tree with line numbers. */
#include "suite.h"

#include "base/memory.h"
#include "space/config.h"

/* "name@line kind value" of every node, children between braces. */
static void write_node(const struct at_config_node *node, struct at_strbuf *out)
{
	at_strbuf_addf(out, "%s@%d ", node->name ? node->name : "", node->line);
	switch (node->kind) {
	case AT_CONFIG_NONE:
		break;
	case AT_CONFIG_INTEGER:
		at_strbuf_addf(out, "%lld ", (long long)node->integer);
		return;
	case AT_CONFIG_BOOLEAN:
		at_strbuf_add(out, node->integer ? "true " : "false ");
		return;
	case AT_CONFIG_REAL:
		at_strbuf_addf(out, "%g. ", node->real);
		return;
	case AT_CONFIG_STRING:
		at_strbuf_addf(out, "'%s' ", node->text);
		return;
	case AT_CONFIG_GROUP:
	case AT_CONFIG_LIST:
	case AT_CONFIG_ARRAY:
		at_strbuf_addf(
			out, "%s { ", strchr(at_config_kind_text(node->kind), ' ') + 1);
		for (size_t i = 0; i < node->count; i++)
			write_node(&node->children[i], out);
		at_strbuf_add(out, "} ");
		return;
	}
	fail();
}

static void assert_tree(const char *text, const char *expected)
{
	struct at_config_node *root = NULL;
	RELEASED(at_strbuf_release) struct at_strbuf tree = { 0 };
	struct at_error err = { 0 };

	if (at_config_parse(text, strlen(text), "a.cfg", &root, &err))
		fail_msg("line %d: %s", err.line, err.text);
	for (size_t i = 0; i < root->count; i++)
		write_node(&root->children[i], &tree);
	assert_string_equal(at_strbuf_text(&tree), expected);
	at_config_free(root);
}

TEST(reads_every_kind_of_value)
{
	assert_tree("a = 1; b = 0.5, c : TRUE d = \"x\";",
		"a@1 1 b@1 0.5. c@1 true d@1 'x' ");
	assert_tree("a = [ 1, 2 ]; b = ( 1, 0.5, \"x\", ( ) ); c = { d = [ ]; };",
		"a@1 array { @1 1 @1 2 } b@1 list { @1 1 @1 0.5. @1 'x' @1 list { } } c@1 group { d@1 array { } } ");
}

TEST(reads_reals_as_people_write_them)
{
	assert_tree("a = ( 1e-4, 1E5, .5, 5., -2.5e+3, +0.25 );",
		"a@1 list { @1 0.0001. @1 100000. @1 0.5. @1 5. @1 -2500. @1 0.25. } ");
}

TEST(keeps_integers_of_64_bits)
{
	assert_tree("a = [ 5000000000, -9223372036854775808, 9223372036854775807 ];",
		"a@1 array { @1 5000000000 @1 -9223372036854775808 @1 9223372036854775807 } ");
	assert_tree("a = [ 2147483648, 1L, 2LL, +3, 0xFFFFFFFF, 0x10L ];",
		"a@1 array { @1 2147483648 @1 1 @1 2 @1 3 @1 4294967295 @1 16 } ");
}

TEST(leaves_numbers_in_strings_and_comments_alone)
{
	assert_tree("a1 = \"5000000000 \\\" 6\"; # 7 \" 8\nb2 = 9 /* 10 \" */ // 11\n;",
		"a1@1 '5000000000 \" 6' b2@2 9 ");
}

TEST(takes_a_comment_as_the_last_line)
{
	assert_tree("a = 1; # the end", "a@1 1 ");
	assert_tree("a = 1; // the end", "a@1 1 ");
	assert_tree("a = 1; /* the end */", "a@1 1 ");
}

TEST(knows_the_line_of_every_value)
{
	assert_tree("a = (\n  \"x\",\n  \"y\"\n\n);\r\n/*\n\n*/ b = [\n 1,\n 2 ];\n",
		"a@1 list { @2 'x' @3 'y' } b@8 array { @9 1 @10 2 } ");
	assert_tree("a = (\n  {\n    b =\n      1;\n  },\n  (\n  )\n);",
		"a@1 list { @2 group { b@3 1 } @6 list { } } ");
}

TEST(joins_adjacent_strings)
{
	assert_tree("a = ( \"one \"\n \"two\", \"three\"\n);",
		"a@1 list { @1 'one two' @2 'three' } ");
}

TEST(skips_a_byte_order_mark)
{
	assert_tree("\xef\xbb\xbf"
		    "a = 1;",
		"a@1 1 ");
}

TEST(passes_other_than_ascii_in_strings)
{
	assert_tree("a = \"\xc3\xa9\";", "a@1 '\xc3\xa9' ");
}

TEST(finds_settings_by_name)
{
	static const char text[] = "a = 1; group: { b = 2; };";
	struct at_config_node *root = NULL;
	const struct at_config_node *group;

	assert_ok(at_config_parse(text, sizeof(text) - 1, "a.cfg", &root, NULL));
	group = at_config_find(root, "group");
	assert_int_equal(at_config_find(group, "b")->integer, 2);
	assert_null(at_config_find(group, "a"));
	assert_null(at_config_find(NULL, "a"));
	assert_null(at_config_find(at_config_find(root, "a"), "a"));
	at_config_free(root);
	at_config_free(NULL);
}

TEST(refuses_what_is_no_number)
{
	static const char *const numbers[] = { ".", "-", "+.e5", "1.5L", "3abc", "0x",
		"1e", "1LLL", "5l", "-0x5", "1.2.3", "0b11", "1e5e5" };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct at_config_node *root = NULL;
		struct at_error err = { 0 };
		char text[40], expected[80];

		snprintf(text, sizeof(text), "a =\n%s;", numbers[i]);
		snprintf(expected, sizeof(expected), "\"%s\" is not a number",
			numbers[i]);
		assert_int_equal(
			at_config_parse(text, strlen(text), "a.cfg", &root, &err),
			AT_ESYNTAX);
		assert_int_equal(err.line, 2);
		if (strncmp(err.text, expected, strlen(expected)))
			fail_msg("%s: %s", numbers[i], err.text);
		assert_null(root);
	}
}

RUN_SUITE(NULL, NULL)
