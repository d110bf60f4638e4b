/* Loads the spaces and devices of the command line. */
#include "cli/cli.h"

#include "cli/output.h"

#include "base/file.h"
#include "base/file_kind.h"
#include "base/memory.h"
#include "base/sandbox.h"
#include "base/text.h"
#include "device/device.h"
#include "evaluator/replay/replay.h"
#include "search/strategy.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- spaces -------------------------------------------------------------------- */

bool at_cli_wants_problem(const struct at_cli_arguments *arguments, const char *name)
{
	const char *wanted;
	size_t i = 0;

	while ((wanted = at_cli_value_at(arguments, "problem", i)) &&
		strcmp(wanted, name) != 0)
		i++;
	return wanted || !i;
}

/* Without this check, a mistyped device kind would silently leave the problem
   untuned. */
static enum at_status check_kinds(const struct at_spec *spec, struct at_error *err)
{
	const struct at_verify *verify = &spec->verify;

	for (size_t i = 0; i < spec->problem_count + verify->problem_count; i++) {
		const struct at_problem *problem =
			i < spec->problem_count
				? &spec->problems[i]
				: &verify->problems[i - spec->problem_count];
		const struct at_device_kind *kind;
		struct at_error reason = { 0 };

		if (problem->on && at_device_kind_find(problem->on, &kind, &reason))
			return at_fail(err, reason.status, spec->path, problem->line,
				"problem \"%.80s\": %s", problem->name, reason.text);
	}
	return AT_OK;
}

void at_cli_note_sandbox(void)
{
	static bool was_told;
	const char *missing = at_sandbox_missing();

	if (missing[0] && !was_told)
		at_say("note: compilers are not kept from %s", missing);
	was_told = true;
}

/* Finds the file with the nearest name in a missing space file's folder: "scale.cfg"
   for "scal.cfg", and for the kernel's name, "scale". */
static bool find_similar(const char *path, char nearest[PATH_MAX])
{
	enum { LOOKED_AT = 10000 }; /* the most entries examined: this is only a hint */
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct at_strbuf wanted = { 0 }, folder = { 0 };
	struct dirent *entry;
	bool found = false;
	DIR *stream;

	at_strbuf_addf(&wanted, "%s%s", name, strchr(name, '.') ? "" : ".cfg");
	at_strbuf_add_bytes(&folder, path, (size_t)(name - path));
	stream = opendir(slash ? at_strbuf_text(&folder) : ".");
	for (size_t i = 0; i < LOOKED_AT && stream && (entry = readdir(stream)); i++) {
		const char *const one[] = { entry->d_name };

		if (at_file_kind_of(entry->d_name) != AT_FILE_SPACE ||
			!at_text_nearest(at_strbuf_text(&wanted), one, 1))
			continue;
		snprintf(nearest, PATH_MAX, "%s%s", at_strbuf_text(&folder),
			entry->d_name);
		found = true;
		if (!strcmp(entry->d_name, at_strbuf_text(&wanted)))
			break;
	}
	if (stream)
		closedir(stream);
	at_strbuf_release(&folder);
	at_strbuf_release(&wanted);
	return found;
}

/* Explains an operand that is no file and was probably meant as an option. */
static enum at_status check_operand(const struct at_cli_arguments *arguments,
	const char *path, struct at_error *err)
{
	char nearest[PATH_MAX];

	if (!access(path, F_OK))
		return AT_OK;
	if (!path[0])
		return at_fail(err, AT_ENOENT, NULL, 0,
			"the name of a space file is empty, as where a script's variable is not set");
	if (!strcmp(path, "-"))
		return at_fail(err, AT_ENOENT, path, 0,
			"a space is read from a file, since its paths count from its folder, and not from standard input");
	if (strchr(path, '=') && path[0] != '=' && !strchr(path, '/'))
		return at_fail(err, AT_ENOENT, path, 0,
			"there is no such file; a parameter is set with --set %s",
			path);
	if (at_cli_given(arguments, "wait") && path[0] >= '0' && path[0] <= '9' &&
		!strchr(path, '.'))
		return at_fail(err, AT_ENOENT, path, 0,
			"there is no such file; --wait takes a time as in 90s, 10m or 2h");
	if (find_similar(path, nearest))
		return at_fail(err, AT_ENOENT, path, 0,
			"there is no such file; did you mean \"%s\"?", nearest);
	return AT_OK;
}

char *at_cli_met_path(
	const struct at_cli_arguments *arguments, const struct at_spec *spec)
{
	return at_path_of_name(
		at_cli_text(arguments, "results", "results"), spec->name, "_met.cfg");
}

enum at_status at_cli_load_space(const struct at_cli_arguments *arguments,
	const char *path, struct at_spec **out, struct at_error *err)
{
	enum at_status status = check_operand(arguments, path, err);
	struct at_error reason = { 0 };
	const char *name;
	char *more;

	if (!status)
		status = at_spec_load(path, out, err);
	if (status)
		return status;
	/* with the problems that nightly runs added */
	more = at_cli_met_path(arguments, *out);
	if (at_file_exists(more)) {
		at_spec_free(*out);
		*out = NULL;
		status = at_spec_load_more(path, more, out, err);
	}
	free(more);
	if (status)
		return status;
	if (at_cli_given(arguments, "trust")) {
		(*out)->is_trusted = true;
		at_sandbox_lift();
	}
	/* checked before anything is started, and by "autotune check" too */
	if ((*out)->search.strategy && !at_cli_given(arguments, "strategy") &&
		at_strategy_check((*out)->search.strategy, &reason))
		status = at_fail(err, reason.status, (*out)->path,
			(*out)->search.strategy_line, "search: %s", reason.text);
	else
		status = check_kinds(*out, err);
	for (size_t i = 0; (name = at_cli_value_at(arguments, "problem", i)) && !status;
		i++) {
		const struct at_spec *spec = *out;
		const char **names = at_calloc(spec->problem_count + 1, sizeof(*names));
		struct at_strbuf known = { 0 };

		status = AT_ENOENT;
		for (size_t k = 0; k < spec->problem_count && status; k++) {
			names[k] = spec->problems[k].name;
			if (!strcmp(names[k], name))
				status = AT_OK;
		}
		if (status && strchr(name, ','))
			at_fail(err, AT_ENOENT, spec->path, 0,
				"there is no problem \"%s\": each problem has a --problem of its own",
				name);
		if (status) {
			at_text_add_known(&known, name, names, spec->problem_count);
			at_fail(err, AT_ENOENT, spec->path, 0,
				"there is no problem \"%s\"%s", name, known.data);
		}
		at_strbuf_release(&known);
		free((void *)names);
	}
	if (status) {
		at_spec_free(*out);
		*out = NULL;
	}
	return status;
}

/* ---- devices: --device, for commands that run something ------------------------ */

bool at_device_is_recording(const char *name)
{
	return !strncmp(name, AT_REPLAY_PREFIX, strlen(AT_REPLAY_PREFIX));
}

enum at_status at_device_list_read(const struct at_cli_arguments *arguments,
	struct at_device_list *out, struct at_error *err)
{
	struct at_device_choice choice;
	enum at_status status = AT_OK;

	memset(out, 0, sizeof(*out));
	at_cli_each(
		arguments, "device", (const char *const **)&out->names, &out->count);
	/* Joins a recording with its options again: as a list of devices,
	   "replay:results/autotune.db,problem=large" was split at its comma. */
	size_t joined = 0, at = 0;

	for (size_t i = 0; i < out->count; i++) {
		if (joined && strchr(out->names[i], '=')) {
			at_strbuf_add_char(&out->texts, ',');
		} else {
			if (i)
				at_strbuf_add_char(&out->texts, '\0');
			joined = at_device_is_recording(out->names[i]);
			at++;
		}
		at_strbuf_add(&out->texts, out->names[i]);
	}
	out->count = at;
	for (size_t i = 0, place = 0; i < at; i++) {
		out->names[i] = out->texts.data + place;
		place += strlen(out->names[i]) + 1;
	}
	for (size_t i = 0; i < out->count && !status; i++)
		if (!strcmp(out->names[i], AT_REPLAY_PREFIX))
			status = at_fail(err, AT_EINVAL, NULL, 0,
				"--device: \"" AT_REPLAY_PREFIX
				"\" names no recording: expected " AT_REPLAY_PREFIX
				"FILE");
		else if (!at_device_is_recording(out->names[i]))
			status = at_device_resolve(out->names[i], &choice, err);
	return status;
}

void at_device_list_release(struct at_device_list *self)
{
	free((void *)self->names);
	at_strbuf_release(&self->texts);
	memset(self, 0, sizeof(*self));
}
