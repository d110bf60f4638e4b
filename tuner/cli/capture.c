/* autotune capture: runs a program, records launches, and makes spaces from them. */
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/output.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/scratch.h"
#include "capture/captured.h"
#include "capture/inject.h"
#include "capture/run.h"
#include "capture/source.h"
#include "evaluator/workers/signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* names of kernels in a message */
#define NAMES_SHOWN 12
#define NAMES_LIMIT_BYTES ((size_t)64 << 20)

/* Launches that share a space. */
struct launches {
	struct at_captured *first;
	struct at_captured_source source; /* found below the current folder, if any */
	char *refusal; /* why there is no space; NULL: no known reason */
};

struct capture {
	const struct at_cli_arguments *arguments;
	char *output; /* without a slash at the end */
	struct at_scratch scratch; /* the library's files */
	char *part; /* the output, until it is complete */
	size_t missing; /* of at_directory_missing(part) */
	size_t launches_count;
	struct launches *launches;
	size_t space_count;
	size_t refused_count;
	atomic_bool has_run; /* the program has ended */
	/* a recording did not become a space because of a failure */
	bool keeps_recordings;
};

/* ---- one space ------------------------------------------------------------------- */

static char *file_of(const char *space)
{
	struct at_strbuf file = { 0 };

	at_strbuf_addf(&file, "%s.cfg", space);
	return at_strbuf_detach(&file);
}

/* A name for a space and, with ".cfg", its file: "softmax-captured", numbered if there
   are several. Heap. */
static char *space_name(const struct capture *self, const char *kernel, const char *end)
{
	struct at_strbuf name = { 0 };
	bool is_taken = true;

	for (unsigned i = 1; is_taken; i++) {
		char *file, *path;

		at_strbuf_clear(&name);
		at_strbuf_addf(&name, "%.100s%s", kernel, end);
		if (i > 1)
			at_strbuf_addf(&name, "-%u", i);
		file = file_of(name.data);
		path = at_path_join(self->part, file);
		is_taken = at_file_exists(path);
		free(path);
		free(file);
	}
	return at_strbuf_detach(&name);
}

static enum at_status write_space(const struct capture *self, const char *file,
	const struct at_strbuf *text, struct at_error *err)
{
	char *path = at_path_join(self->part, file);
	enum at_status status = at_file_replace(path, text->data, text->length, err);

	free(path);
	return status;
}

/* Runs autotune with words that end with NULL, without its output. */
static int run_own(char *const *words)
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status = -1;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	if (!posix_spawn(&child, "/proc/self/exe", &actions, NULL, words, environ))
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	posix_spawn_file_actions_destroy(&actions);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A space whose outputs are being found. */
struct outputs {
	const struct capture *capture;
	const struct at_captured *first;
	const char *name;
};

/* In a process of its own, which a GPU may refuse; without a GPU it is false. */
static bool outputs_stand(void *context)
{
	const struct outputs *self = context;
	struct at_strbuf text = { 0 };
	char *path = at_path_join(self->capture->part, "outputs.cfg");
	char *const words[] = { "autotune", "check", "--replay", "--quiet", path,
		NULL };
	bool stands;

	at_captured_write_replay(self->first, self->name, &text);
	stands = !at_interrupt_was_noted() &&
		 !write_space(self->capture, "outputs.cfg", &text, NULL) &&
		 !run_own(words);
	unlink(path);
	at_strbuf_release(&text);
	free(path);
	return stands;
}

/* Reports launches that share a space or have none. */
static void tell(const struct capture *self, const struct at_captured *launch,
	const char *file, const char *refusal, const char *source, const char *why)
{
	struct at_strbuf files = { 0 };

	if (refusal)
		at_strbuf_addf(&files, "  no space: %s\n", refusal);
	else
		at_strbuf_addf(&files, "  %s/%s\n", self->output, file);
	if (source)
		at_strbuf_addf(&files, "  %s/%s\n", self->output, source);
	else if (!refusal)
		at_strbuf_addf(&files, "  no space of the source: %s\n", why);
	for (; launch; launch = launch->next) {
		struct at_json *object = at_json_object();
		struct at_strbuf line = { 0 };
		uint64_t bytes = 0;

		for (size_t i = 0; i < launch->block_count; i++)
			bytes += launch->blocks[i].bytes;
		at_json_set(object, "event", "capture");
		at_json_set(object, "kernel", launch->kernel);
		at_json_set(object, "launch", launch->number);
		at_json_set(object, "space", file);
		at_json_set(object, "bytes", bytes);
		at_json_set(object, "reason", refusal);
		at_json_set(object, "source", source);
		at_json_set(object, "source_reason", source || refusal ? NULL : why);
		/* "softmax, launch 3: grid 4 x 1 x 1, ..." */
		at_format_plain(&line, launch->name ? launch->name : "a launch");
		/* NULL if the recording cannot be read */
		if (launch->name)
			at_strbuf_addf(&line,
				", launch %llu: grid %u x %u x %u, block %u x %u x %u, %s of memory",
				(unsigned long long)launch->number, launch->grid[0],
				launch->grid[1], launch->grid[2], launch->block[0],
				launch->block[1], launch->block[2],
				at_format_bytes((int64_t)bytes).text);
		at_strbuf_add_char(&line, '\n');
		at_strbuf_add(&line, launch->next ? "" : files.data);
		at_cli_tell(self->arguments, object, &line);
	}
	at_strbuf_release(&files);
}

/* Writes a space of the source, if there is one. *file: its name, on the heap, or NULL
   with the reason in why. */
static enum at_status write_source(const struct capture *self,
	const struct launches *launches, char **file, char *why, size_t size,
	struct at_error *err)
{
	struct at_strbuf text = { 0 };
	char *name = space_name(self, launches->first->name, "");
	enum at_status status = AT_OK;

	*file = NULL;
	snprintf(why, size, "no file below this folder defines the kernel");
	if (launches->source.path &&
		at_captured_write_source(
			launches->first, &launches->source, name, &text, why, size)) {
		*file = file_of(name);
		status = write_space(self, *file, &text, err);
	}
	at_strbuf_release(&text);
	free(name);
	return status;
}

/* Formats an error with its file; heap. */
static char *phrase(const struct at_error *err)
{
	struct at_strbuf text = { 0 };

	at_strbuf_addf(&text, "%s%s%s", err->file, err->file[0] ? ": " : "", err->text);
	return at_strbuf_detach(&text);
}

/* Makes a space of launches, or reports why not. */
static void make_space(struct capture *self, struct launches *launches)
{
	struct at_error err = { 0 };
	struct at_strbuf text = { 0 };
	char *file = NULL, *source = NULL, why[200] = "";
	enum at_status status = AT_OK;

	if (!launches->refusal) {
		char *name = space_name(self, launches->first->name, "-captured");

		file = file_of(name);
		status = at_captured_store(launches->first, self->part, name, &err);
		if (!status) {
			struct outputs outputs = { self, launches->first, name };

			at_captured_find_outputs(
				launches->first, outputs_stand, &outputs);
			at_captured_write_replay(launches->first, name, &text);
			status = write_space(self, file, &text, &err);
		}
		free(name);
		if (!status)
			status = write_source(
				self, launches, &source, why, sizeof(why), &err);
	}
	if (status) {
		char *path = at_path_join(self->part, file);

		launches->refusal = phrase(&err);
		self->keeps_recordings = true;
		unlink(path);
		free(path);
	}
	self->space_count += !launches->refusal;
	self->refused_count += launches->refusal != NULL;
	tell(self, launches->first, launches->refusal ? NULL : file, launches->refusal,
		launches->refusal ? NULL : source, why);
	at_strbuf_release(&text);
	free(file);
	free(source);
}

/* Reads a recording, and adds it to the launches of a space, or to new ones. */
static void take(struct capture *self, const char *folder)
{
	struct at_captured *captured = at_calloc(1, sizeof(*captured));
	struct launches *launches;
	struct at_error err = { 0 };
	char *refusal = NULL;

	if (at_captured_read(folder, captured, &err)) {
		refusal = phrase(&err);
		self->keeps_recordings = true;
	} else if (at_captured_refusal(captured)) {
		refusal = at_strdup(at_captured_refusal(captured));
	}
	for (size_t i = 0; i < self->launches_count && !refusal; i++)
		if (!self->launches[i].refusal &&
			at_captured_join(self->launches[i].first, captured))
			return;
	self->launches = at_realloc(
		self->launches, (self->launches_count + 1) * sizeof(*self->launches));
	launches = &self->launches[self->launches_count++];
	*launches = (struct launches){ .first = captured, .refusal = refusal };
	if (!refusal && at_captured_find_source(captured, ".", &launches->source))
		at_captured_take_names(captured, &launches->source);
}

static int is_recording(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "launch-", strlen("launch-"));
}

/* launch-PID-N in the order of processes and launches */
static int by_number(const struct dirent **a, const struct dirent **b)
{
	long one[2] = { 0 }, other[2] = { 0 };

	(void)!sscanf((*a)->d_name, "launch-%ld-%ld", &one[0], &one[1]);
	(void)!sscanf((*b)->d_name, "launch-%ld-%ld", &other[0], &other[1]);
	for (int i = 0; i < 2; i++)
		if (one[i] != other[i])
			return one[i] < other[i] ? -1 : 1;
	return 0;
}

static enum at_status take_all(struct capture *self, struct at_error *err)
{
	struct dirent **entries = NULL;
	int count = scandir(self->scratch.path, &entries, is_recording, by_number);

	if (count < 0)
		return at_fail(err, AT_EIO, self->scratch.path, 0, "cannot be read: %s",
			strerror(errno));
	for (int i = 0; i < count; i++) {
		char *folder = at_path_join(self->scratch.path, entries[i]->d_name);

		take(self, folder);
		free(folder);
		free(entries[i]);
	}
	free(entries);
	for (size_t i = 0; i < self->launches_count; i++) {
		struct launches *launches = &self->launches[i];

		make_space(self, launches);
		at_captured_release(launches->first);
		free(launches->first);
		at_captured_source_release(&launches->source);
		free(launches->refusal);
	}
	free(self->launches);
	return AT_OK;
}

/* ---- missing recordings -------------------------------------------------------- */

/* Appends the distinct lines of a file from the library, plain. Returns their
   number. */
static size_t add_lines(const struct capture *self, const char *file,
	const char *separator, struct at_strbuf *out)
{
	char *path = at_path_join(self->scratch.path, file);
	char *text = NULL, *rest = NULL;
	const char *seen[NAMES_SHOWN];
	size_t size, count = 0;

	if (at_file_read(path, NAMES_LIMIT_BYTES, &text, &size, NULL))
		text = NULL;
	for (char *line = text ? strtok_r(text, "\n", &rest) : NULL;
		line && count < NAMES_SHOWN; line = strtok_r(NULL, "\n", &rest)) {
		size_t i = 0;

		while (i < count && strcmp(seen[i], line) != 0)
			i++;
		if (i < count)
			continue;
		at_format_plain(out, count ? separator : "", line);
		seen[count++] = line;
	}
	free(text);
	free(path);
	return count;
}

/* Reports the library's messages; false: there are none. */
static bool say_trouble(const struct capture *self)
{
	struct at_strbuf lines = { 0 };
	bool has_any =
		add_lines(self, AT_CAPTURE_TROUBLE, "\nautotune: capture: ", &lines);

	if (has_any)
		at_say("autotune: capture: %s", lines.data);
	at_strbuf_release(&lines);
	return has_any;
}

static void say_nothing_recorded(const struct capture *self)
{
	char *started = at_path_join(self->scratch.path, AT_CAPTURE_STARTED);
	struct at_strbuf names = { 0 };

	if (!at_file_exists(started)) {
		at_say("autotune: capture: the CUDA driver did not load the library: the program used no CUDA, clears its environment, or has another user's rights");
	} else if (add_lines(self, AT_CAPTURE_KERNELS, ", ", &names)) {
		at_say("autotune: capture: no launch matches; the program launched %s",
			names.data);
	} else {
		at_say("autotune: capture: the program launched no kernel that --skip leaves");
	}
	at_strbuf_release(&names);
	free(started);
}

/* ---- the command ----------------------------------------------------------------- */

/* Makes a folder next to the output before the program runs, which may take hours. */
static enum at_status make_part(struct capture *self, struct at_error *err)
{
	struct at_strbuf name = { 0 };
	struct stat facts;

	/* a dangling link is in the way too */
	if (!lstat(self->output, &facts))
		return at_fail(err, AT_EINVAL, self->output, 0,
			"exists already: name a new folder with -o");
	at_strbuf_addf(&name, "%s.part-%ld", self->output, (long)getpid());
	self->part = at_strbuf_detach(&name);
	self->missing = at_directory_missing(self->part);
	return at_directory_make(self->part, err);
}

/* Removes the folder, and those above it that this process made. */
static void remove_part(const struct capture *self)
{
	static const char *const below[] = { "data", "" };

	for (size_t i = 0; self->part && i < AT_COUNT_OF(below); i++) {
		char *folder = at_path_join(self->part, below[i]);
		DIR *list = opendir(folder);

		for (struct dirent *entry; list && (entry = readdir(list));) {
			char *path = at_path_join(folder, entry->d_name);

			unlink(path);
			free(path);
		}
		if (list)
			closedir(list);
		if (below[i][0])
			rmdir(folder);
		free(folder);
	}
	if (self->part)
		at_directory_unmake(self->part, self->missing);
}

/* Moves the recordings to a name that no later process removes. */
static void keep_recordings(struct capture *self)
{
	const char *name = strrchr(self->scratch.path, '/');
	struct at_strbuf path = { 0 };

	if (!name)
		return;
	at_strbuf_addf(&path, "%s/kept-%s", at_scratch_place(), name + 1);
	if (!rename(self->scratch.path, path.data))
		at_say("autotune: capture: the recordings are in %s", path.data);
	at_strbuf_release(&path);
}

/* Ends the program as the terminal does; its recordings become spaces. */
static bool first_signal(void *context)
{
	(void)context;
	at_interrupt_note();
	at_capture_signal(SIGINT);
	return true;
}

/* While the program runs, the user wants neither the program nor its recordings. Later
   the recordings are complete, and are kept. */
static void second_signal(void *context)
{
	struct capture *self = context;

	/* the program's end may set has_run at once */
	if (!at_capture_signal(SIGKILL) && self->has_run)
		keep_recordings(self);
	remove_part(self);
}

/* Heap. */
static char *without_slashes(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return at_strndup(path, length);
}

static enum at_exit run_capture(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct capture self = {
		.arguments = arguments,
		.output = without_slashes(at_cli_text(arguments, "into", "captured")),
	};
	static const struct at_signals_events events = { first_signal, second_signal };
	struct at_signals signals = { 0 };
	char **words = at_calloc(arguments->operand_count + 1, sizeof(*words));
	const struct at_capture_run run = {
		.kernel = at_cli_text(arguments, "kernel", NULL),
		.skip = (uint64_t)at_cli_whole(arguments, "skip", 0),
		.limit = (uint64_t)at_cli_whole(arguments, "limit", 1),
		.most_bytes = at_cli_given(arguments, "all-memory")
				      ? 0
				      : AT_CAPTURE_BYTES_USUAL,
		.is_apart = at_cli_given(arguments, "json"),
		.words = words,
	};
	int program_status = 0;
	enum at_status status;

	memcpy(words, arguments->operands, arguments->operand_count * sizeof(*words));
	status = at_scratch_make(&self.scratch, "autotune-capture", err);
	if (!status)
		status = at_signals_begin(&signals, &events, &self, err);
	if (!status)
		status = make_part(&self, err);
	if (!status)
		status = at_capture_program(
			&run, self.scratch.path, &program_status, err);
	self.has_run = !status;
	if (!status) {
		status = take_all(&self, err);
		self.keeps_recordings |= status != AT_OK;
	}
	if (!status && self.space_count && rename(self.part, self.output))
		status = at_fail(err, AT_EIO, self.output, 0,
			"cannot be made: %s; the spaces are in %s", strerror(errno),
			self.part);
	if (!self.space_count)
		remove_part(&self);
	if (!status && program_status)
		at_say("autotune: capture: the program ended with status %d",
			program_status);
	if (!status && !say_trouble(&self) && !self.space_count && !self.refused_count)
		say_nothing_recorded(&self);
	if (self.keeps_recordings)
		keep_recordings(&self);
	at_scratch_remove(&self.scratch);
	at_signals_end(&signals);
	free(self.output);
	free(self.part);
	free(words);
	if (at_interrupt_was_noted())
		return AT_EXIT_INTERRUPTED;
	return status || self.keeps_recordings || !self.space_count ? AT_EXIT_FAILED
								    : AT_EXIT_DONE;
}

static const struct at_cli_option options[] = {
	{ "kernel", AT_CLI_TEXT, "GLOB",
		.help = "record launches of kernels whose name, plain or mangled, matches this pattern (default: all)",
		.check = at_cli_check_not_empty },
	{ "skip", AT_CLI_WHOLE, "N",
		.help = "skip the first N launches of each kernel (default: 0)",
		.minimum = 0, .maximum = INT64_MAX },
	{ "limit", AT_CLI_WHOLE, "N",
		.help = "record at most N launches of each kernel (default: 1)",
		.minimum = 1, .maximum = 1000 },
	{ "all-memory",
		.help = "record each allocation to its end, however large it is (default: 1 GiB of each)" },
	{ "into", AT_CLI_TEXT, "DIR", .letter = 'o',
		.help = "write spaces, arrays and machine code into this new folder (default: captured)",
		.check = at_cli_check_not_empty },
	{ .name = NULL },
};

const struct at_cli_command at_command_capture = {
	.name = "capture",
	.operands = "PROGRAM...",
	.summary = "run a program, record its launches, and make spaces of them",
	.details =
		"PROGRAM runs unmodified, with the words that follow it. For each recorded launch DIR gets the arrays that its parameters point to, its machine code, and NAME-captured.cfg: a space that launches the machine code and compares the outputs with those of the program, bit by bit. If a file below the current folder defines the kernel, NAME.cfg is a space of the source. Launches of one kernel with several sizes share a space, whose grid and counts become expressions of the sizes.\n"
		"\n"
		"  autotune capture --kernel 'softmax*' -o captured -- python3 model.py\n"
		"  autotune capture -o captured -- sh -c './run 1000; ./run 2200'\n"
		"  autotune check --replay captured/*-captured.cfg\n"
		"  autotune captured/*.cfg",
	.options = "kernel skip limit all-memory into json quiet",
	.own = options,
	.run = run_capture,
};
