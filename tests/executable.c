/* Runs the executable in a folder, for tests that give its words as one line. */
#include "executable.h"
#include "folder.h"

#include "base/file.h"
#include "base/sandbox.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define WORDS_MAX 16
#define GAP "<...>"

char executable_place[64];

int executable_begin(void **state)
{
	/* the note of what is missing is not what other tests look for */
	if (at_sandbox_missing()[0])
		at_sandbox_lift();
	strcpy(executable_place, "/tmp/autotune-program-XXXXXX");
	assert_non_null(folder_make(executable_place));
	return 0;
}

int executable_end(void **state)
{
	return folder_remove(executable_place);
}

char *executable_path(const char *name)
{
	char *path = at_path_join(executable_place, name);

	assert_non_null(path);
	return path;
}

void executable_write(const char *name, const char *text)
{
	struct at_error err = { 0 };
	char *path = executable_path(name);

	assert_int_equal(at_file_replace(path, text, strlen(text), &err), AT_OK);
	free(path);
}

char *executable_read(const char *name)
{
	struct at_error err = { 0 };
	char *path = executable_path(name), *text;
	size_t size;

	assert_int_equal(at_file_read(path, 0, &text, &size, &err), AT_OK);
	free(path);
	return text;
}

/* In the child: runs the words there with both streams redirected. */
static void become_program(char **words, const char *out_path)
{
	int flags = O_WRONLY | O_CREAT | O_TRUNC;
	int out, err;

	if (chdir(executable_place))
		_exit(97);
	out = open(out_path, flags, 0600);
	err = open("err.txt", flags, 0600);
	if (out < 0 || err < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
		_exit(98);
	execv(AT_PROGRAM, words);
	_exit(99);
}

int executable_run_to(const char *line, const char *out_path)
{
	char text[512], *words[WORDS_MAX] = { "autotune" };
	size_t count = 1;
	int status;
	pid_t child;

	snprintf(text, sizeof(text), "%s", line);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		assert_true(count + 1 < WORDS_MAX);
		words[count++] = word;
	}
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		become_program(words, out_path);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct executable_outcome executable_run(const char *line)
{
	struct executable_outcome outcome = { .code = executable_run_to(
						      line, "out.txt") };

	outcome.out = executable_read("out.txt");
	outcome.err = executable_read("err.txt");
	return outcome;
}

void executable_drop(struct executable_outcome *outcome)
{
	free(outcome->out);
	free(outcome->err);
}

static bool is_as_expected(const char *text, const char *expected)
{
	const char *gap = expected ? strstr(expected, GAP) : NULL;
	size_t length = gap ? (size_t)(gap - expected) : 0;

	if (!expected || !gap)
		return !expected || !strcmp(text, expected);
	if (strncmp(text, expected, length) != 0)
		return false;
	/* what follows the gap begins somewhere */
	for (text += length; !is_as_expected(text, gap + strlen(GAP)); text++)
		if (!*text)
			return false;
	return true;
}

void executable_expect(const char *line, int code, const char *out, const char *err)
{
	struct executable_outcome outcome = executable_run(line);

	if (outcome.code != code || !is_as_expected(outcome.out, out) ||
		!is_as_expected(outcome.err, err))
		fail_msg("autotune %s: exit code %d, expected %d\n%s%s\nnot\n%s%s",
			line, outcome.code, code, out ? out : "", err ? err : "",
			outcome.out, outcome.err);
	executable_drop(&outcome);
}

static void add_outcome(const char *line,
	void (*shape)(const char *output, struct at_strbuf *out), struct at_strbuf *out)
{
	struct executable_outcome outcome = executable_run(line);

	at_strbuf_addf(out, "$ %s\n", line);
	if (shape)
		shape(outcome.out, out);
	else
		at_strbuf_add(out, outcome.out);
	for (char *at = shape ? NULL : strtok(outcome.err, "\n"); at;
		at = strtok(NULL, "\n"))
		at_strbuf_addf(out, "! %s\n", at);
	if (outcome.code)
		at_strbuf_addf(out, "exit code %d\n", outcome.code);
	executable_drop(&outcome);
}

void executable_compare(
	const char *name, void (*shape)(const char *output, struct at_strbuf *out))
{
	struct at_strbuf path = { 0 }, found = { 0 };
	char *golden;
	size_t size;

	at_strbuf_addf(&path, AT_TEST_DIR "/data/cli/%s.txt", name);
	assert_int_equal(at_file_read(path.data, 0, &golden, &size, NULL), AT_OK);
	for (const char *at = golden; *at;) {
		size_t length = strcspn(at, "\n");

		if (!strncmp(at, "$ ", 2)) {
			char *line = at_strndup(at + 2, length - 2);

			add_outcome(line, shape, &found);
			free(line);
		}
		at += length + (at[length] != '\0');
	}
	if (strcmp(golden, at_strbuf_text(&found)) != 0) {
		const char *left = strrchr(path.data, '/') + 1;

		assert_int_equal(
			at_file_replace(left, found.data, found.length, NULL), AT_OK);
		fail_msg("what was found, %s in the folder of this test, is not %s",
			left, path.data);
	}
	free(golden);
	at_strbuf_release(&path);
	at_strbuf_release(&found);
}

struct at_json *executable_json_line(const char *text, size_t index)
{
	struct at_error err = { 0 };
	struct at_json *out = NULL;

	for (; index > 0; index--) {
		text = strchr(text, '\n');
		assert_non_null(text);
		text++;
	}
	assert_int_equal(
		at_json_parse(text, strcspn(text, "\n"), "stdout", &out, &err), AT_OK);
	return out;
}

size_t executable_count_lines(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}
