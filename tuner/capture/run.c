/* Writes the library, and runs a program with it. */
#include "capture/run.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/program_path.h"
#include "capture/inject.h"
#include "kernel/nvrtc_library.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The library of inject.c, built as a shared object. */
extern const unsigned char at_embedded_capture[];
extern const size_t at_embedded_capture_size;

#define LIBRARY "inject.so"

/* Appends the existing paths of libcupti, separated by ":". Toolkits have it in two
   places, pip in a package next to NVRTC's. */
static void add_cupti(struct at_strbuf *out)
{
	static const char *const folders[] = { "lib64", "lib", "extras/CUPTI/lib64",
		"targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
		"../cuda_cupti/lib" };
	static const char *const names[] = { "libcupti.so.13", "libcupti.so.12" };
	struct at_nvrtc_places places;

	at_nvrtc_places_find(&places);
	for (size_t i = 0; i < places.roots.count; i++)
		for (size_t k = 0; k < AT_COUNT_OF(folders) * AT_COUNT_OF(names); k++) {
			struct at_strbuf path = { 0 };

			at_strbuf_addf(&path, "%s/%s/%s", places.roots.items[i],
				folders[k / AT_COUNT_OF(names)],
				names[k % AT_COUNT_OF(names)]);
			if (at_file_exists(path.data))
				at_strbuf_addf(
					out, "%s%s", out->length ? ":" : "", path.data);
			at_strbuf_release(&path);
		}
	at_nvrtc_places_release(&places);
}

static void set_number(const char *variable, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	setenv(variable, text, 1);
}

static void set_environment(
	const struct at_capture_run *run, const char *folder, const char *library)
{
	struct at_strbuf cupti = { 0 };

	add_cupti(&cupti);
	setenv("CUDA_INJECTION64_PATH", library, 1);
	setenv(AT_CAPTURE_FOLDER, folder, 1);
	setenv(AT_CAPTURE_KERNEL, run->kernel ? run->kernel : "*", 1);
	set_number(AT_CAPTURE_SKIP, run->skip);
	set_number(AT_CAPTURE_LIMIT, run->limit);
	set_number(AT_CAPTURE_BYTES, run->most_bytes ? run->most_bytes : UINT64_MAX);
	/* the user's own setting comes first */
	if (!getenv(AT_CAPTURE_CUPTI))
		setenv(AT_CAPTURE_CUPTI, at_strbuf_text(&cupti), 1);
	at_strbuf_release(&cupti);
}

/* ---- the program ----------------------------------------------------------------- */

static volatile sig_atomic_t child; /* 0: no program */

bool at_capture_signal(int number)
{
	const pid_t process = (pid_t)child;

	return process > 0 && !kill(process, number);
}

/* Restores the signals that a program expects, whatever this process has set. */
static void reset_signals(void)
{
	static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE,
		SIGXFSZ };
	sigset_t none;

	for (size_t i = 0; i < AT_COUNT_OF(numbers); i++)
		signal(numbers[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int wait_for(pid_t process)
{
	int status = 0;

	while (waitpid(process, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static enum at_status run_program(const struct at_capture_run *run, const char *folder,
	const char *library, const char *program, int *exit_status,
	struct at_error *err)
{
	enum at_status status = AT_OK;
	pid_t process = fork();

	if (!process) {
		set_environment(run, folder, library);
		reset_signals();
		if (run->is_apart)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		execv(program, run->words);
		_exit(127);
	}
	if (process < 0)
		status = at_fail(err, AT_EIO, program, 0, "cannot be started: %s",
			strerror(errno));
	child = process;
	/* a signal that came before the process id was known */
	if (process > 0 && at_interrupt_was_noted())
		kill(process, SIGINT);
	if (process > 0)
		*exit_status = wait_for(process);
	child = 0;
	return status;
}

enum at_status at_capture_program(const struct at_capture_run *run, const char *folder,
	int *exit_status, struct at_error *err)
{
	char *library = at_path_join(folder, LIBRARY), *program = NULL;
	enum at_status status = AT_OK;

	at_program_find(run->words[0], &program);
	if (!program || !at_is_program(program))
		status = at_fail(err, AT_ENOENT, NULL, 0,
			"no program \"%s\": give its path, or a name on PATH",
			run->words[0]);
	if (!status)
		status = at_file_replace(
			library, at_embedded_capture, at_embedded_capture_size, err);
	if (!status)
		status = run_program(run, folder, library, program, exit_status, err);
	free(program);
	free(library);
	return status;
}
