/* The entry of the program: puts the process into a known state, then runs the command
   line (cli/cli.h), or a worker (evaluator/workers/worker.h) if the coordinator started
   it as one. */
#include "base/program_path.h"
#include "cli/cli.h"
#include "evaluator/workers/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static pid_t main_process;

/* The usual stack of systems, and the smallest that still leaves a run several times
   its need. */
#define STACK_BYTES ((rlim_t)8 << 20)
#define STACK_LEAST_BYTES ((rlim_t)1 << 20)

/*
 * Opens standard streams that are closed, as daemons leave them. Otherwise the next
 * opened file would get such a number, and messages would go into a record or a
 * worker's channel. Standard input is empty, and standard error is discarded. Standard
 * output is opened for reading only: writing results to it fails, and the exit code
 * says so.
 */
static void open_standard_streams(void)
{
	for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
		if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
			/* open() returns the lowest free number, which is this one */
			(void)!open("/dev/null",
				stream == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

/* Sets signals as the program needs them, whatever its parent has set. The end of a
   child must be noticed. Writing to a full file (also by a limit) or a closed pipe must
   fail, not end the process. */
static void take_signals_back(void)
{
	signal(SIGCHLD, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

/* The handler of SIGBUS. The record's index is mapped into memory: if another program
   truncates it, or its disk fails, an access ends here. Reported evaluations are in the
   record by then, and the workers end with this process. */
static void lose_file(int number, siginfo_t *info, void *context)
{
	static const char line[] =
		"\nautotune: a file that is mapped was cut short, or its disk fails (SIGBUS): what was measured is kept, run the same command again\n";

	(void)context;
	/* not in forked processes, whose parents check how they ended */
	if (getpid() == main_process &&
		(info->si_code == BUS_ADRERR || info->si_code == BUS_OBJERR)) {
		(void)!write(STDERR_FILENO, line, sizeof(line) - 1);
		_exit(AT_EXIT_FAILED);
	}
	signal(number, SIG_DFL);
	if (info->si_code <= 0)
		raise(number);
}

static void hear_of_lost_files(void)
{
	struct sigaction current;

	main_process = getpid();
	/* a sanitizer's handler stays */
	if (sigaction(SIGBUS, NULL, &current) || current.sa_handler != SIG_DFL)
		return;
	current.sa_sigaction = lose_file;
	current.sa_flags = SA_SIGINFO;
	sigemptyset(&current.sa_mask);
	sigaction(SIGBUS, &current, NULL);
}

/* Raises a stack limit that is too small, since a stack overflow crashes. The limit is
   checked when the stack grows, so raising it here is enough; workers inherit it. False
   if the system allows too little. */
static bool has_stack(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
		limit.rlim_cur >= STACK_BYTES)
		return true;
	limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > STACK_BYTES
				 ? STACK_BYTES
				 : limit.rlim_max;
	return !setrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur >= STACK_LEAST_BYTES;
}

/* Clears the owner's bits in the umask: otherwise the tuner could not use its own files
   and folders, nor remove a temporary folder that it may not enter. The bits of others
   stay as the user set them. */
static void keep_owners_rights(void)
{
	mode_t mask = umask(077);

	umask(mask & ~(mode_t)S_IRWXU);
}

int main(int argc, char **argv)
{
	if (!has_stack()) {
		fputs("autotune: the stack may not grow; raise `ulimit -s` to 1024 or more\n",
			stderr);
		return 1;
	}
	open_standard_streams();
	keep_owners_rights();
	take_signals_back();
	/* A compiler searches PATH for its own programs, and finds none if the variable
	   is not set. */
	(void)!setenv("PATH", AT_PROGRAM_FOLDERS, 0);
	if (argc >= 3 && !strcmp(argv[1], AT_WORKER_OPTION))
		return at_worker_main(argv + 2);
	hear_of_lost_files();
	return (int)at_cli_main(argc, argv);
}
