/* What the pages of the inside, tuner/README.md and one for each folder, call the files
 * and functions of the code is what they are called. */
#include "base/memory.h"

#include <ftw.h>

#include "suite.h"

/* The paths of all files of the sources, a line each, and what the code says. */
static struct at_strbuf tree_paths, tree_code;

static int note_file(
	const char *path, const struct stat *facts, int kind, struct FTW *where)
{
	const char *end = strrchr(path, '.');
	char *text;
	size_t size;

	if (kind != FTW_F)
		return 0;
	at_strbuf_addf(&tree_paths, "%s\n", path);
	if (!end || !strstr(".c.h.js", end) ||
		at_file_read(path, 0, &text, &size, NULL))
		return 0;
	at_strbuf_add_bytes(&tree_code, text, size);
	free(text);
	return 0;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), own = strlen(end);

	return length > own && !strcmp(text + length - own, end);
}

/* A page, and how many names in backticks it has at least: one that is not read would
   pass. */
static const struct page {
	const char *folder;
	size_t least;
} pages[] = {
	{ "tuner", 180 },
	{ "tuner/base", 40 },
	{ "tuner/space", 40 },
	{ "tuner/kernel", 90 },
	{ "tuner/device", 40 },
	{ "tuner/search", 150 },
	{ "tuner/measure", 80 },
	{ "tuner/record", 100 },
	{ "tuner/evaluator", 50 },
	{ "tuner/evaluator/workers", 50 },
	{ "tuner/session", 60 },
	{ "tuner/capture", 25 },
	{ "tuner/report", 12 },
	{ "tuner/cli", 400 },
	{ "tests", 40 },
};

/* Whether there is such a file. A name without a folder is one of the page's folder or
   of those below it. */
static bool is_file(const char *folder, const char *name)
{
	RELEASED(at_strbuf_release) struct at_strbuf begin = { 0 }, end = { 0 };
	bool is_there = false;

	at_strbuf_addf(&begin, AT_TEST_DIR "/../%s/", folder);
	at_strbuf_addf(&end, "/%s\n", name);
	for (const char *at = at_strbuf_text(&tree_paths);
		!is_there && (at = strstr(at, at_strbuf_text(&end))); at++) {
		const char *line = at;

		while (line > tree_paths.data && line[-1] != '\n')
			line--;
		is_there =
			strchr(name, '/') || !strncmp(line, begin.data, begin.length);
	}
	return is_there;
}

/* Files and functions that the page names between backticks; a word with a blank or a
   slash at its end does not count. */
static void expect_code(const char *folder, const char *word)
{
	static const char *const ends[] = { ".c", ".h", ".cu", ".js", ".sh", ".py",
		".txt" };
	RELEASED(at_strbuf_release) struct at_strbuf wanted = { 0 };
	bool names_file = false;

	for (size_t i = 0; i < AT_COUNT_OF(ends); i++)
		names_file |= ends_with(word, ends[i]);
	/* NVIDIA's; and what is built from the file of all sources */
	if (strpbrk(word, " <*\"") || !strcmp(word, "cuda_occupancy.h") ||
		!strcmp(word, "CMakeLists.txt"))
		return;
	if (names_file && !is_file(folder, word))
		fail_msg("%s/README.md names %s, and none exists", folder, word);
	if (!names_file && (ends_with(word, "()") || !strncmp(word, "at_", 3)))
		/* of a member, as at_answer.image, the structure */
		at_strbuf_addf(&wanted, "%.*s", (int)strcspn(word, ".(-["), word);
	if (wanted.length &&
		!strstr(at_strbuf_text(&tree_code), at_strbuf_text(&wanted)))
		fail_msg("%s/README.md names %s, and there is none", folder, word);
}

static size_t expect_page(const char *folder)
{
	RELEASED(at_strbuf_release) struct at_strbuf path = { 0 };
	char *page, *at, *end;
	size_t count = 0;

	at_strbuf_addf(&path, AT_TEST_DIR "/../%s/README.md", folder);
	page = file_text(at_strbuf_text(&path));
	for (at = page; (at = strchr(at, '`')); at = end + 1) {
		end = strchr(++at, '`');
		/* a block of text has three */
		if (end == at) {
			at = strstr(at, "\n```");
			assert_non_null(at);
			end = at + 3;
			continue;
		}
		assert_non_null(end);
		*end = '\0';
		expect_code(folder, at);
		count++;
	}
	free(page);
	return count;
}

TEST(the_pages_of_the_inside_name_what_there_is)
{
	static const char *const folders[] = { "tuner", "tests", "spaces",
		"templates" };
	char folder[512];

	for (size_t i = 0; i < AT_COUNT_OF(folders); i++) {
		snprintf(folder, sizeof(folder), AT_TEST_DIR "/../%s", folders[i]);
		assert_int_equal(nftw(folder, note_file, 16, FTW_PHYS), 0);
	}
	for (size_t i = 0; i < AT_COUNT_OF(pages); i++) {
		size_t count = expect_page(pages[i].folder);

		if (count < pages[i].least)
			fail_msg("%s/README.md has %zu names", pages[i].folder, count);
	}
	at_strbuf_release(&tree_paths);
	at_strbuf_release(&tree_code);
}

RUN_SUITE(NULL, NULL)
