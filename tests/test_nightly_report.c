/* The report of a night, as text and as JSON. */
#include "suite.h"

#include "base/memory.h"
#include "cli/nightly_report.h"

#include <math.h>

/* what a space file could bring into a report */
#define HOSTILE "a<b>&\"c\" 'd' ]]> | `x` *y*\n\t\x01\x1b[31m \xff\xc3\xa9 \xed\xa0\x80"

static void add_device(struct at_night_report *report, const char *id,
	const char *model, const char *changes)
{
	size_t index = report->device_count++;

	report->devices = realloc(
		report->devices, report->device_count * sizeof(*report->devices));
	assert_non_null(report->devices);
	report->devices[index] = (struct at_night_device){ .id = at_strdup(id),
		.model = at_strdup(model),
		.changes = at_strdup(changes),
		.failure = at_strdup("") };
}

static struct at_night_case *add(struct at_night_report *report, const char *problem,
	enum at_verdict verdict, double change)
{
	struct at_night_case *one = at_night_report_add(report, "matmul", problem, 0);

	assert_non_null(one);
	one->verdict = verdict;
	one->outcome = AT_OUTCOME_OK;
	one->score = (struct at_score){ 1.5e6, 1.4e6, 1.6e6 };
	one->change = (struct at_score){ change, change - 0.01, change + 0.01 };
	one->speedup = 8.76;
	one->night_count = 12;
	one->seconds = 1.25;
	return one;
}

static struct at_night_report night(void)
{
	struct at_night_report report = { .began_seconds = 1763773440,
		.seconds = 61,
		.budget_seconds = 60,
		.margin = 0.01 };

	add_device(&report, "cuda:0", "NVIDIA H200", "driver 2, was 1");
	return report;
}

/* ---- a reader of XML, as far as a report has it ---------------------------------- */

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || c == '-';
}

/* text up to one of the ends: every character allowed, every reference one */
static const char *skip_text(const char *c, char end)
{
	for (; *c && *c != end; c++) {
		assert_true((unsigned char)*c >= 0x20 || *c == '\n');
		assert_true((unsigned char)*c != 0x7f && *c != '>');
		assert_true(*c != '<' || end == '<');
		if (*c != '&')
			continue;
		assert_true(c[1] == '#');
		c += 2 + strspn(c + 2, "0123456789");
		assert_true(*c == ';');
	}
	assert_true(*c == end);
	return c;
}

/* Fails unless it is well-formed; how many elements there are of this name. */
static size_t count_elements(const char *text, const char *name)
{
	char open[16][32];
	size_t depth = 0, found = 0;
	const char *c = text;

	assert_memory_equal(c, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39);
	c += 39;
	do {
		const char *begin = c + 1;
		bool closes = c[1] == '/';

		assert_true(*c == '<');
		c += 1 + closes;
		begin = c;
		while (is_name(*c))
			c++;
		assert_true(c > begin && c - begin < 32);
		if (closes) {
			assert_true(depth > 0 && *c == '>');
			depth--;
			assert_true(strlen(open[depth]) == (size_t)(c - begin) &&
				    !strncmp(open[depth], begin, (size_t)(c - begin)));
		} else {
			assert_true(depth < 16);
			memcpy(open[depth], begin, (size_t)(c - begin));
			open[depth][c - begin] = '\0';
			found += !strcmp(open[depth++], name);
			while (*c == ' ') {
				c++;
				while (is_name(*c))
					c++;
				assert_memory_equal(c, "=\"", 2);
				c = skip_text(c + 2, '"') + 1;
			}
			if (*c == '/') {
				c++;
				depth--;
			}
			assert_true(*c == '>');
		}
		c++;
		if (depth)
			c = skip_text(c, '<');
	} while (depth);
	assert_string_equal(c, "\n");
	return found;
}

/* ---- the report ------------------------------------------------------------ */

TEST(a_line_has_verdict_time_and_change)
{
	RELEASED(at_night_report_release) struct at_night_report report = night();
	struct at_night_case *one =
		add(&report, "square_4096", AT_VERDICT_SLOWER, 1.051);
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_night_write_case(&report, one, &text);
	assert_string_equal(at_strbuf_text(&text),
		"matmul, square_4096 on cuda:0: slower, 1.50 ms, +5.1 % (+4.1 % to +6.1 %), 8.76x the baseline");
	at_strbuf_clear(&text);
	one->cycles = (struct at_score){ 1.001, 1, 1.002 };
	free(one->detail);
	one->detail = at_strdup("the board clocks lower");
	at_night_write_case(&report, one, &text);
	assert_non_null(strstr(at_strbuf_text(&text),
		"in cycles +0.1 %, 8.76x the baseline; the board clocks lower"));
	at_strbuf_clear(&text);
	one->search = AT_NIGHT_SEARCH_REPLACED;
	one->evaluated = 1234;
	one->search_seconds = 42;
	one->found.value = 1.4e6;
	at_night_write_search(&report, one, &text);
	assert_string_equal(at_strbuf_text(&text),
		"matmul, square_4096 on cuda:0: 1,234 new in 42s, another winner, 1.40 ms");
}

TEST(what_somebody_has_to_look_at_comes_first)
{
	RELEASED(at_night_report_release) struct at_night_report report = night();
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	const char *changed, *look, *table;

	add(&report, "calm", AT_VERDICT_SAME, 1);
	add(&report, "lost", AT_VERDICT_SLOWER, 1.2);
	at_night_report_fail(&report, "spaces/x.cfg:3: odd");
	at_night_write_markdown(&report, &text);
	changed = strstr(text.data,
		"## Changed since the last night\n\n- cuda:0: driver 2, was 1\n");
	look = strstr(text.data, "## To look at\n\n- matmul, lost on cuda:0: slower");
	table = strstr(text.data, "## cuda:0, NVIDIA H200\n");
	assert_true(changed && look && table && changed < look && look < table);
	assert_non_null(strstr(look, "- spaces/x.cfg:3: odd\n"));
	assert_null(strstr(look, "- matmul, calm"));
	assert_non_null(strstr(table, "| `matmul` | calm | same | 1.50 ms |"));
	assert_non_null(strstr(text.data, "1 same, 1 slower, 1 failed; 1m01s"));
}

TEST(each_verdict_is_a_test_case)
{
	RELEASED(at_night_report_release) struct at_night_report report = night();
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	add(&report, "a", AT_VERDICT_SAME, 1);
	add(&report, "b", AT_VERDICT_FASTER, 0.9);
	add(&report, "c", AT_VERDICT_FIRST, NAN);
	add(&report, "d", AT_VERDICT_SLOWER, 1.1);
	add(&report, "e", AT_VERDICT_INCORRECT, NAN)->outcome = AT_OUTCOME_WRONG_RESULT;
	add(&report, "f", AT_VERDICT_UNCLEAR, 1.1);
	add(&report, "g", AT_VERDICT_NONE, NAN);
	add(&report, "h", AT_VERDICT_NONE, NAN)->has_failed = true;
	add(&report, "i", AT_VERDICT_SAME, 1)->search = AT_NIGHT_SEARCH_FAILED;
	at_night_write_junit(&report, &text);
	assert_int_equal(count_elements(text.data, "testcase"), 9);
	assert_int_equal(count_elements(text.data, "failure"), 2);
	assert_int_equal(count_elements(text.data, "error"), 2);
	assert_int_equal(count_elements(text.data, "skipped"), 2);
	assert_non_null(strstr(text.data,
		"<testsuite name=\"cuda:0\" tests=\"9\" failures=\"2\" errors=\"2\" skipped=\"2\" time=\"11.250\">"));
	assert_non_null(strstr(text.data,
		"type=\"incorrect\" message=\"matmul, e on cuda:0: incorrect (wrong_result)"));
	assert_true(at_night_has_regression(&report));
	assert_true(at_night_has_failure(&report));
}

TEST(whatever_names_hold_a_report_can_be_read)
{
	RELEASED(at_night_report_release) struct at_night_report report = { 0 };
	struct at_night_case *one;
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	OWNED(at_json_free) struct at_json *json, *read;
	const char *row;
	size_t bars = 0;

	add_device(&report, HOSTILE, HOSTILE, HOSTILE);
	one = at_night_report_add(&report, HOSTILE, HOSTILE, 0);
	assert_non_null(one);
	free(one->detail);
	free(one->search_detail);
	one->detail = at_strdup(HOSTILE);
	one->search_detail = at_strdup(HOSTILE);
	one->verdict = AT_VERDICT_SLOWER;
	one->search = AT_NIGHT_SEARCH_KEPT;
	at_night_report_fail(&report, HOSTILE);
	at_night_write_junit(&report, &text);
	assert_int_equal(count_elements(text.data, "testcase"), 2);
	assert_null(strstr(text.data, "]]>"));
	/* what is UTF-8 stays */
	assert_non_null(strstr(text.data, "\xc3\xa9"));
	assert_null(strstr(text.data, "\xff"));
	at_strbuf_clear(&text);
	at_night_write_markdown(&report, &text);
	/* one row, of ten cells */
	row = strstr(text.data, "| slower |");
	assert_non_null(row);
	while (row > text.data && row[-1] != '\n')
		row--;
	for (; *row && *row != '\n'; row++)
		bars += *row == '|' && row[-1] != '\\';
	assert_int_equal(bars, 11);
	assert_null(strstr(text.data, "\x1b"));
	at_strbuf_clear(&text);
	json = at_night_to_json(&report);
	at_json_write(json, 0, &text);
	assert_ok(at_json_parse(text.data, text.length, "night", &read, NULL));
	assert_int_equal(at_json_count(at_json_get(read, "problems")), 1);
}

TEST(a_night_without_anything_is_told_too)
{
	RELEASED(at_night_report_release)
	struct at_night_report report = { .was_interrupted = true };
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	at_night_write_sum(&report, &text);
	assert_string_equal(at_strbuf_text(&text), "nothing to do; 0.0s; interrupted");
	at_strbuf_clear(&text);
	at_night_write_junit(&report, &text);
	assert_int_equal(count_elements(text.data, "testcase"), 0);
	assert_false(at_night_has_regression(&report));
	assert_false(at_night_has_failure(&report));
}

RUN_SUITE(NULL, NULL)
