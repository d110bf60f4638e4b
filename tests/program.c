/* Runs the executable with a list of arguments; makes scratch folders (program.h). */
#define _GNU_SOURCE
#include "folder.h"
#include "program.h"
#include "base/file.h"
#include "base/sandbox.h"
#include "evaluator/workers/probe.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

char *scratch_path(const char *folder, const char *name)
{
	struct at_strbuf path = { 0 };

	at_strbuf_addf(&path, "%s/%s", folder, name);
	return at_strbuf_detach(&path);
}

char *scratch_folder(const char *name)
{
	struct at_strbuf path = { 0 };

	at_strbuf_addf(&path, "%s-XXXXXX", name);
	assert_non_null(folder_make(path.data));
	return at_strbuf_detach(&path);
}

void scratch_remove(const char *folder)
{
	folder_remove(folder);
}

void scratch_drop(char *folder)
{
	folder_remove(folder);
	free(folder);
}

static void exec_program(const char *output, const char *errors,
	const char *environment, const char *const *arguments)
{
	const char *list[64] = { AT_PROGRAM };
	size_t count = 1;
	int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int err = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	for (; *arguments && count < 63; arguments++)
		list[count++] = *arguments;
	dup2(out, 1);
	dup2(err, 2);
	unsetenv("CXX"); /* what a test hides must stay hidden */
	/* the note of what is missing is not what tests look for */
	if (at_sandbox_missing()[0])
		at_sandbox_lift();
	if (environment)
		putenv((char *)environment);
	execv(AT_PROGRAM, (char *const *)list);
	_exit(127);
}

pid_t program_start(const char *folder, const char *const *arguments)
{
	char *output = scratch_path(folder, "output"),
	     *errors = scratch_path(folder, "errors");
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		exec_program(output, errors, NULL, arguments);
	free(output);
	free(errors);
	return child;
}

void program_run_with(const char *environment, const char *const *arguments,
	struct program_result *result)
{
	char *folder = scratch_folder("run");
	char *output = scratch_path(folder, "output"),
	     *errors = scratch_path(folder, "errors");
	pid_t child = fork();
	size_t size;
	int status;

	assert_true(child >= 0);
	if (child == 0)
		exec_program(output, errors, environment, arguments);
	assert_int_equal(waitpid(child, &status, 0), child);
	result->exit_status =
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	assert_int_equal(at_file_read(output, 0, &result->output, &size, NULL), AT_OK);
	assert_int_equal(at_file_read(errors, 0, &result->errors, &size, NULL), AT_OK);
	scratch_remove(folder);
	free(output);
	free(errors);
	free(folder);
}

void program_run(const char *const *arguments, struct program_result *result)
{
	program_run_with(NULL, arguments, result);
}

void program_release(struct program_result *result)
{
	free(result->output);
	free(result->errors);
	memset(result, 0, sizeof(*result));
}

bool program_has_cuda(void)
{
	struct at_device_listing *listings;
	struct at_error err = { 0 };
	bool found = false;
	size_t count;

	if (at_probe_list_devices(AT_PROGRAM, &listings, &count, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < count; i++)
		found = found ||
			(!strcmp(listings[i].kind, "cuda") && listings[i].count > 0);
	at_probe_free_devices(listings, count);
	return found;
}

/* the text with the only place where it says `from` saying `to`; heap */
static char *replace_once(char *text, const char *from, const char *to)
{
	struct at_strbuf changed = { 0 };
	const char *found = strstr(text, from);

	if (!found || strstr(found + 1, from))
		fail_msg("not exactly one \"%s\" in: %s", from, text);
	at_strbuf_add_bytes(&changed, text, (size_t)(found - text));
	at_strbuf_addf(&changed, "%s%s", to, found + strlen(from));
	free(text);
	return at_strbuf_detach(&changed);
}

char *program_quick_space(const char *space, const char *folder)
{
	char *copy = scratch_path(folder, "space.cfg"), *text;
	size_t size;

	assert_int_equal(at_file_read(space, 0, &text, &size, NULL), AT_OK);
	text = replace_once(text, "\"../templates/", "\"" AT_TEST_DIR "/../templates/");
	text = replace_once(text, "\nsearch: {",
		strstr(text, "cache = \"warm\"")
			? "\nsearch: { samples = [ 3, 5 ];"
			: "\nsearch: { samples = [ 3, 5 ]; cache = \"warm\";");
	assert_int_equal(at_file_replace(copy, text, strlen(text), NULL), AT_OK);
	free(text);
	return copy;
}

struct at_json *program_events(const char *output, const char *event)
{
	struct at_json *events = at_json_array();
	const char *line = output;

	while (*line) {
		size_t length = strcspn(line, "\n");
		struct at_json *object = NULL;
		const char *name;

		if (at_json_parse(line, length, "output", &object, NULL))
			fail_msg("no JSON: %.*s", (int)length, line);
		name = at_json_text(at_json_get(object, "event"));
		if (name && !strcmp(name, event))
			at_json_append(events, object);
		else
			at_json_free(object);
		line += length + (line[length] == '\n');
	}
	return events;
}
