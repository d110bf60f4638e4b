/* What tuner/README.md calls the files and functions of the code is what they are
 * called. */
#include "base/file.h"
#include "base/memory.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The paths of all files of the sources, a line each, and what the code says. */
static struct at_strbuf tree_paths, tree_code;

static int note_file(
	const char *path, const struct stat *facts, int kind, struct FTW *where)
{
	const char *end = strrchr(path, '.');
	char *text;
	size_t size;

	(void)facts;
	(void)where;
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

/* Files and functions that the page names between backticks; a word with a blank or a
   slash at its end is none. */
static void expect_code(const char *path, const char *word)
{
	static const char *const ends[] = { ".c", ".h", ".cu", ".sh", ".py", ".txt" };
	struct at_strbuf wanted = { 0 };
	bool is_file = false, is_function = ends_with(word, "()");

	for (size_t i = 0; i < AT_COUNT_OF(ends); i++)
		is_file |= ends_with(word, ends[i]);
	/* NVIDIA's */
	if (strpbrk(word, " <*\"") || !strcmp(word, "cuda_occupancy.h"))
		return;
	if (is_file)
		at_strbuf_addf(&wanted, "/%s\n", word);
	else if (is_function || !strncmp(word, "at_", 3))
		/* of a member, as at_answer.image, the structure */
		at_strbuf_addf(&wanted, "%.*s", (int)strcspn(word, ".(-["), word);
	if (wanted.length && !strstr(at_strbuf_text(is_file ? &tree_paths : &tree_code),
				     at_strbuf_text(&wanted)))
		fail_msg("%s names %s, and there is none", path, word);
	at_strbuf_release(&wanted);
}

static void the_page_of_the_inside_names_what_there_is(void **state)
{
	static const char *const folders[] = { "tuner", "tests", "spaces",
		"templates" };
	static const char path[] = AT_TEST_DIR "/../tuner/README.md";
	char folder[512], *page, *at, *end;
	size_t size, count = 0;

	for (size_t i = 0; i < AT_COUNT_OF(folders); i++) {
		snprintf(folder, sizeof(folder), AT_TEST_DIR "/../%s", folders[i]);
		assert_int_equal(nftw(folder, note_file, 16, FTW_PHYS), 0);
	}
	assert_int_equal(at_file_read(path, 0, &page, &size, NULL), AT_OK);
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
		expect_code("tuner/README.md", at);
		count++;
	}
	assert_true(count > 300);
	free(page);
	at_strbuf_release(&tree_paths);
	at_strbuf_release(&tree_code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_of_the_inside_names_what_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
