/*
 * The keys of --json, which programs read: the lines of commands on a replayed
 * recording have the keys that tests/data/cli/json.txt lists, in this order. A
 * line of it that begins with "$ " is a command.
 */
#include "executable.h"

#include "base/memory.h"

#include "suite.h"

static const char space[] =
	"kernel: { name = \"scale\"; template = \"scale.cu\"; reference = \"plain\"; };\n"
	"problems = ( { name = \"p\"; N = 64; } );\n"
	"parameters: { block = [ 16, 32, 64 ]; cache = [ \"ca\", \"cg\" ];\n"
	"  unroll = [ true, false ]; ratio = [ 0.5, 1.0 ]; loop = [ 3 ]; };\n"
	"defaults: { block = 32; cache = \"ca\"; unroll = true; ratio = 0.5; loop = 3; };\n"
	"constraints = [ \"block > 1\" ];\n"
	"launch: { block = ( \"block\" ); grid = ( \"N\" ); };\n"
	"metrics: { flops = \"2.0 * N\"; bytes = \"8.0 * N\"; };\n"
	"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; } );\n";

/* "{space configuration{block} rows[{time_ns}]}": of an array the different items. */
static void add_keys(const struct at_json *value, struct at_strbuf *out)
{
	const char *separator = "", *key;
	const struct at_json *member;
	size_t start = out->length;

	if (at_json_kind_of(value) == AT_JSON_OBJECT) {
		at_strbuf_add_char(out, '{');
		for (void *at = NULL; (member = at_json_next(value, &at, &key));) {
			at_strbuf_addf(out, "%s%s", separator, key);
			add_keys(member, out);
			separator = " ";
		}
		at_strbuf_add_char(out, '}');
	} else if (at_json_kind_of(value) == AT_JSON_ARRAY) {
		at_strbuf_add_char(out, '[');
		for (size_t i = 0; i < at_json_count(value); i++) {
			RELEASED(at_strbuf_release) struct at_strbuf item = { 0 };

			add_keys(at_json_at(value, i), &item);
			if (item.length && !strstr(out->data + start, item.data))
				at_strbuf_add(out, item.data);
		}
		at_strbuf_add_char(out, ']');
	}
}

/* The different lines. */
static void add_lines(const char *output, struct at_strbuf *out)
{
	size_t start = out->length;

	for (size_t i = 0; i < executable_count_lines(output); i++) {
		OWNED(at_json_free)
		struct at_json *line = executable_json_line(output, i);
		RELEASED(at_strbuf_release) struct at_strbuf keys = { 0 };

		add_keys(line, &keys);
		at_strbuf_add_char(&keys, '\n');
		if (!strstr(out->data + start, keys.data))
			at_strbuf_add(out, keys.data);
	}
}

static int begin(void **state)
{
	OWNED(free) char *recording;

	executable_begin(state);
	executable_write("scale.cfg", space);
	executable_write("scale.cu",
		"__global__ void scale(float *x) {}\n__global__ void plain(float *x) {}\n");
	assert_ok(at_file_read(AT_TEST_DIR "/data/recording/cache.json", 0, &recording,
		&(size_t){ 0 }, NULL));
	executable_write("a.json", recording);
	return 0;
}

TEST_WITH(prints_the_keys_that_programs_read, begin, executable_end)
{
	executable_compare("json", add_lines);
}

RUN_SUITE(NULL, NULL)
