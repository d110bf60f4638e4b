/*
 * The pages for people are complete, their examples run, and their links lead
 * somewhere. What the code can be asked is asked of it; tables of a single source file
 * are read from that file.
 */
#include "base/outcome.h"
#include "cli/cli.h"
#include "kernel/host_headers.h"
#include "kernel/nvrtc_headers.h"
#include "space/properties.h"
#include "program.h"

#include <unistd.h>

#include "suite.h"

#define ROOT AT_TEST_DIR "/../"

static const char *const pages[] = { "README.md", "spaces/README.md",
	"templates/README.md", "results/README.md", "tuner/README.md",
	"tuner/base/README.md", "tuner/space/README.md", "tuner/kernel/README.md",
	"tuner/device/README.md", "tuner/search/README.md", "tuner/measure/README.md",
	"tuner/record/README.md", "tuner/evaluator/README.md",
	"tuner/evaluator/workers/README.md", "tuner/session/README.md",
	"tuner/capture/README.md", "tuner/report/README.md", "tuner/cli/README.md",
	"tests/README.md", "tests/bench/README.md", "tests/faults/README.md" };

static char *text_of(const char *path)
{
	struct at_strbuf full = { 0 };
	char *text;

	at_strbuf_addf(&full, ROOT "%s", path);
	if (!at_file_exists(full.data)) {
		at_strbuf_release(&full);
		skip_because("the pages are not beside the tests");
	}
	text = file_text(full.data);
	at_strbuf_release(&full);
	return text;
}

/* in code, by itself or with operands behind it */
static bool names(const char *page, const char *word)
{
	RELEASED(at_strbuf_release) struct at_strbuf code = { 0 }, call = { 0 };
	bool is_there;

	at_strbuf_addf(&code, "`%s`", word);
	at_strbuf_addf(&call, "`%s(", word);
	is_there = strstr(page, code.data) || strstr(page, call.data);
	return is_there;
}

static void expect_name(const char *page, const char *path, const char *word)
{
	if (!names(page, word))
		fail_msg("%s does not say what `%s` is", path, word);
}

/* ---- all that there is ----------------------------------------------------- */

/* Each "word" of the lines of a source file that have `mark` somewhere behind it. */
static size_t expect_words(
	const char *page, const char *path, const char *source, const char *mark)
{
	OWNED(free) char *text = text_of(source);
	char *state = NULL;
	size_t count = 0;

	for (char *line = strtok_r(text, "\n", &state); line;
		line = strtok_r(NULL, "\n", &state)) {
		char *word = strchr(line, '"'), *end = word ? strchr(word + 1, '"') : 0;

		if (!end || !strstr(end, mark))
			continue;
		*end = '\0';
		expect_name(page, path, word + 1);
		count++;
	}
	return count;
}

/* Each "word" behind `begin`, wherever it stands in the file. */
static size_t expect_listed(
	const char *page, const char *path, const char *source, const char *begin)
{
	char *text = text_of(source);
	size_t count = 0;

	for (char *at = text; (at = strstr(at, begin)); at++, count++) {
		char *word = at + strlen(begin), *close = strchr(word, '"');
		OWNED(free) char *copy = at_strndup(word, (size_t)(close - word));

		expect_name(page, path, copy);
	}
	free(text);
	return count;
}

TEST(the_page_of_spaces_has_every_key)
{
	static const char path[] = "spaces/README.md";
	OWNED(free) char *page = text_of(path);
	size_t count = 0;

	count += expect_listed(page, path, "tuner/space/spec_schema.c", "{ KEY(\"");
	/* a table that was called otherwise would pass for a described one */
	assert_in_range(count, 60, 500);
}

TEST(the_page_of_spaces_has_every_fill_and_type)
{
	static const char path[] = "spaces/README.md";
	OWNED(free) char *page = text_of(path);

	assert_in_range(
		expect_words(page, path, "tuner/space/spec_fill.c", ", AT_FILL_"), 6,
		50);
	for (size_t i = 0; at_element_name_at(i); i++)
		expect_name(page, path, at_element_name_at(i));
	for (size_t i = 0; at_element_vector_base_at(i); i++)
		expect_name(page, path, at_element_vector_base_at(i));
}

TEST(the_page_of_spaces_has_every_function)
{
	static const char path[] = "spaces/README.md";
	OWNED(free)
	char *page = text_of(path), *text = text_of("tuner/space/expression_parse.c");
	char *from = strstr(text, "{ \"min\","), *end;
	size_t count = 0;

	assert_non_null(from);
	end = strstr(from, "};");
	for (char *word; (word = strstr(from, "{ \"")) && word < end; count++) {
		from = strchr(word + 3, '"');
		*from++ = '\0';
		expect_name(page, path, word + 3);
	}
	assert_in_range(count, 16, 100);
}

TEST(the_page_of_spaces_has_every_property)
{
	static const char path[] = "spaces/README.md";
	OWNED(free) char *page = text_of(path);

	for (int i = 0; i < AT_PROPERTY_COUNT; i++) {
		RELEASED(at_strbuf_release) struct at_strbuf name = { 0 };

		at_strbuf_addf(
			&name, "device.%s", at_property_name((enum at_property)i));
		expect_name(page, path, name.data);
	}
}

/* Of libcu++'s the folder is said once. */
static void expect_header(const char *page, const char *name)
{
	const char *folder = "cuda/std/";
	RELEASED(at_strbuf_release) struct at_strbuf code = { 0 };

	if (!strncmp(name, folder, strlen(folder)))
		at_strbuf_addf(&code, "`%s`", name + strlen(folder));
	else
		at_strbuf_addf(&code, "`<%s>`", name);
	if (!strstr(page, code.data))
		fail_msg(
			"templates/README.md does not have %s in its table", code.data);
}

TEST(the_page_of_templates_has_every_header)
{
	static const char *const lacking[] = { "cuda/std/span", "cuda/std/bit",
		"cuda_fp4.h" };
	OWNED(free) char *page = text_of("templates/README.md");
	struct at_nvrtc_headers given = at_nvrtc_headers();
	const char *table = strstr(page, "<!-- headers -->"), *name;
	char *end = strstr(page, "<!-- /headers -->");

	assert_true(table && end);
	*end = '\0';
	for (int i = 0; i < given.count; i++)
		expect_header(table, given.names[i]);
	for (size_t i = 0; (name = at_host_headers_name(i)); i++)
		/* parts of others */
		if (strncmp(name, "autotune_", strlen("autotune_")) != 0)
			expect_header(table, name);
	for (size_t i = 0; i < AT_COUNT_OF(lacking); i++)
		for (size_t j = 0; (name = at_host_headers_name(j)); j++)
			assert_string_not_equal(name, lacking[i]);
}

TEST(the_page_of_results_has_every_outcome)
{
	static const char path[] = "results/README.md";
	OWNED(free) char *page = text_of(path);

	for (int i = 1; i < AT_OUTCOME_COUNT; i++)
		expect_name(page, path, at_outcome_name((enum at_outcome)i));
}

/* A table that differs is brought up to date by "autotune help --markdown". */
static void expect_block(
	const char *path, const char *begin, const char *end, const char *expected)
{
	OWNED(free) char *page = text_of(path);
	char *block = strstr(page, begin), *after;

	assert_non_null(block);
	block += strlen(begin);
	after = strstr(block, end);
	assert_non_null(after);
	*after = '\0';
	assert_string_equal(block, expected);
}

TEST(tables_of_commands_and_options_are_what_help_prints)
{
	RELEASED(at_strbuf_release) struct at_strbuf expected = { 0 };

	at_help_markdown(at_cli_commands, &expected);
	expect_block("tuner/cli/README.md", "<!-- options -->\n", "<!-- /options -->",
		at_strbuf_text(&expected));
}

/* ---- JSON ------------------------------------------------------------------ */

/* what is a name of the user's, of a space or of a device, is no key of ours */
static bool has_foreign_keys(const char *key)
{
	static const char *const foreign[] = { "configuration", "a_configuration",
		"b_configuration", "from", "to", "outcomes", "properties", "fraction",
		"fraction_interval", "fraction_timed", "fraction_timed_interval",
		"sizes" };

	for (size_t i = 0; i < AT_COUNT_OF(foreign); i++)
		if (!strcmp(key, foreign[i]))
			return true;
	return false;
}

static void expect_keys(const char *page, const struct at_json *json)
{
	const char *key;

	switch (at_json_kind_of(json)) {
	case AT_JSON_OBJECT:
		for (size_t i = 0; (key = at_json_key_at(json, i)); i++) {
			expect_name(page, "tuner/cli/README.md", key);
			if (!has_foreign_keys(key))
				expect_keys(page, at_json_get(json, key));
		}
		break;
	case AT_JSON_ARRAY:
		for (size_t i = 0; i < at_json_count(json); i++)
			expect_keys(page, at_json_at(json, i));
		break;
	default:
		break;
	}
}

static size_t expect_lines(const char *page, char *output)
{
	char *state = NULL;
	size_t count = 0;

	for (char *line = strtok_r(output, "\n", &state); line;
		line = strtok_r(NULL, "\n", &state), count++) {
		struct at_json *json = NULL;

		assert_ok(at_json_parse(line, strlen(line), "", &json, &failure));
		expect_keys(page, json);
		at_json_free(json);
	}
	return count;
}

TEST(every_key_of_json_is_on_its_page)
{
	OWNED(free) char *page = text_of("tuner/cli/README.md");
	OWNED(scratch_drop) char *folder = scratch_folder("keys");
	OWNED(free)
	char *space = program_quick_space(
		AT_TEST_DIR "/../spaces/vector_add_offset.cfg", folder);
	/* few elements: a key is printed whatever the size is */
	OWNED(free) char *text = file_text(space);
	char *size = strstr(text, "N = 500000;");
	OWNED(free)
	char *results = scratch_path(folder, "results"),
	     *other = scratch_path(folder, "other"),
	     *file = scratch_path(folder, "all.csv");
	const char *const commands[][14] = {
		{ "tune", space, "--device", "host", "--budget", "3", "--results",
			results, "--portfolio", "5%" },
		{ "results", "--results", results },
		{ "header", space, "--results", results },
		{ "header", space, "--results", results, "--flags" },
		{ "check", space, "--arch", "sm_90", "--compile", "1" },
		{ "nightly", space, "--device", "host", "--budget", "1s", "--results",
			results },
		{ "history", "--results", results },
		{ "compare", results, results },
		{ "simulate", "planted:cliffs", "--repeats", "2", "--strategy",
			"random", "--jobs", "2" },
		{ "export", "vector_add_offset", "--results", results, "--format",
			"csv", "-o", file },
		{ "import", results, "--results", other },
		{ "forget", "--device", "host", "--results", other },
	};

	assert_non_null(size);
	memcpy(size, "N = 5000;  ", strlen("N = 500000;"));
	file_write(space, text);
	for (size_t i = 0; i < AT_COUNT_OF(commands); i++) {
		const char *words[16] = { 0 };
		RELEASED(program_release) struct program_result result;
		size_t count = 0;

		while (commands[i][count]) {
			words[count] = commands[i][count];
			count++;
		}
		words[count] = "--json";
		program_run(words, &result);
		if (!expect_lines(page, result.output))
			fail_msg("%s --json printed nothing: %s", words[0],
				result.errors);
	}
}

/* ---- examples -------------------------------------------------------------- */

/* The fenced block that begins with this line, without what it is indented by; heap. */
static char *block_of(const char *page, const char *first)
{
	const char *start = strstr(page, first), *line;
	RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };
	size_t indent;
	char *text;

	assert_non_null(start);
	for (line = start; line > page && line[-1] != '\n';)
		line--;
	indent = (size_t)(start - line);
	while (strncmp(line + strspn(line, " "), "```", 3) != 0) {
		size_t length = strcspn(line, "\n");
		size_t skipped = length < indent ? length : indent;

		at_strbuf_addf(&out, "%.*s\n", (int)(length - skipped), line + skipped);
		line += length + (line[length] == '\n');
		assert_true(*line);
	}
	text = at_strdup(at_strbuf_text(&out));
	return text;
}

/* large: NULL, or what is replaced by the shorter `small` */
static void write_block(const char *page, const char *first, const char *folder,
	const char *name, const char *large, const char *small)
{
	OWNED(free)
	char *text = block_of(page, first), *path = scratch_path(folder, name);
	char *place = large ? strstr(text, large) : NULL;

	if (large) {
		assert_non_null(place);
		memset(place, ' ', strlen(large));
		memcpy(place, small, strlen(small));
	}
	file_write(path, text);
}

/* For whoever has no GPU; a few configurations are enough, and a warm cache: emptying
   the cache of a server before each sample takes longer than all else. */
static void tunes(const char *folder, const char *name)
{
	OWNED(free)
	char *space = scratch_path(folder, name),
	     *results = scratch_path(folder, "results"), *text = file_text(space);
	RELEASED(at_strbuf_release) struct at_strbuf warm = { 0 };
	struct program_result result;

	at_strbuf_addf(&warm, "%ssearch: { cache = \"warm\"; };\n", text);
	file_write(space, warm.data);
	program_run((const char *[]){ "check", space, NULL }, &result);
	assert_int_equal(result.exit_status, 0);
	program_release(&result);
	program_run((const char *[]){ space, "--device", "host", "--budget", "3",
			    "--results", results, "--json", NULL },
		&result);
	if (result.exit_status || !strstr(result.output, "\"verified\": true"))
		fail_msg("%s: exit status %d: %s", name, result.exit_status,
			result.errors);
	program_release(&result);
}

/* Builds main.cu with the header of the winner, and runs it where there is a GPU.
   Returns why something was left out, or NULL. */
static const char *launch(const char *folder)
{
	RELEASED(at_strbuf_release) struct at_strbuf build = { 0 }, run = { 0 };
	const char *reason = NULL;

	at_strbuf_addf(&build, "cd '%s' && nvcc -o program main.cu", folder);
	at_strbuf_addf(&run, "cd '%s' && ./program", folder);
	if (system("command -v nvcc >/dev/null") != 0) {
		reason = "nvcc is not on the PATH: main.cu of results/README.md";
	} else {
		assert_int_equal(system(build.data), 0);
		if (access("/dev/nvidiactl", F_OK) != 0)
			reason =
				"no GPU: main.cu of results/README.md was built and not run";
		else
			assert_int_equal(system(run.data), 0);
	}
	return reason;
}

TEST(the_first_kernel_of_the_readme_is_tuned_and_launched)
{
	const char *reason;
	OWNED(free) char *page = text_of("README.md");
	OWNED(free) char *program = text_of("results/README.md");
	char *folder = scratch_folder("first");

	write_block(page, "extern \"C\" __global__ void scale(", folder, "scale.cu",
		NULL, NULL);
	/* the finals alone take ten times as long with the problem that a person tunes
	 */
	write_block(page, "kernel: { name = \"scale\"", folder, "scale.cfg",
		"N = 1000000;", "N = 10000;");
	tunes(folder, "scale.cfg");
	write_block(program, "#define SCALE_BARE", folder, "main.cu", "n = 1000000;",
		"n = 10000;");
	reason = launch(folder);
	scratch_drop(folder);
	/* skipping leaves the function for good */
	free(page);
	free(program);
	page = program = NULL;
	if (reason)
		skip_because(reason);
}

LONG_TEST(the_example_of_a_template_of_cxx_tunes)
{
	OWNED(free) char *page = text_of("spaces/README.md");
	OWNED(scratch_drop) char *folder = scratch_folder("instances");

	write_block(
		page, "template <int BLOCK, int UNROLL", folder, "fill.cu", NULL, NULL);
	write_block(page, "kernel: { name = \"fill<", folder, "fill.cfg", NULL, NULL);
	tunes(folder, "fill.cfg");
}

/* ---- links ------------------------------------------------------------------ */

/* as GitHub makes them: lower case, blanks to dashes, other signs gone */
static void add_anchor(struct at_strbuf *out, const char *title, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		char c = title[i];

		if (c >= 'A' && c <= 'Z')
			at_strbuf_add_char(out, (char)(c - 'A' + 'a'));
		else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
			 c == '_')
			at_strbuf_add_char(out, c);
		else if (c == ' ')
			at_strbuf_add_char(out, '-');
	}
}

static bool has_anchor(const char *page, const char *anchor, size_t length)
{
	bool found = false;

	for (const char *line = page; line && !found; line = strchr(line, '\n')) {
		RELEASED(at_strbuf_release) struct at_strbuf name = { 0 };

		line += *line == '\n';
		if (*line != '#')
			continue;
		line += strspn(line, "# ");
		add_anchor(&name, line, strcspn(line, "\n"));
		found = name.length == length && !memcmp(name.data, anchor, length);
	}
	return found;
}

static void expect_link(const char *path, const char *page, const char *link)
{
	size_t length = strcspn(link, "#)"), end = strcspn(link, ")");
	const char *slash = strrchr(path, '/');
	RELEASED(at_strbuf_release) struct at_strbuf target = { 0 };
	OWNED(free) char *text = NULL;

	at_strbuf_addf(&target, "%.*s%.*s", slash ? (int)(slash - path + 1) : 0, path,
		(int)length, link);
	if (length) {
		RELEASED(at_strbuf_release) struct at_strbuf full = { 0 };

		at_strbuf_addf(&full, ROOT "%s", target.data);
		if (!at_file_exists(full.data))
			fail_msg("%s: \"%.*s\" leads nowhere", path, (int)end, link);
	}
	if (link[length] == '#') {
		text = length ? text_of(target.data) : NULL;
		if (!has_anchor(
			    text ? text : page, link + length + 1, end - length - 1))
			fail_msg("%s: \"%.*s\" has no such heading", path, (int)end,
				link);
	}
}

TEST(links_lead_somewhere)
{
	size_t count = 0;

	for (size_t i = 0; i < AT_COUNT_OF(pages); i++) {
		char *page = text_of(pages[i]);

		for (const char *link = page; (link = strstr(link, "](")); count++) {
			link += 2;
			if (strncmp(link, "http", 4) != 0)
				expect_link(pages[i], page, link);
		}
		free(page);
	}
	assert_in_range(count, 10, 1000);
}

RUN_SUITE(NULL, NULL)
