/* The program: the command line, or one of its own workers. */
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

/* what systems give, and what a run gets by with several times over */
#define STACK_BYTES ((rlim_t)8 << 20)
#define STACK_LEAST_BYTES ((rlim_t)1 << 20)

/*
 * Whoever starts us may have closed these, as daemons do. The next file that is opened
 * would get their number, and what is said would go into a record or a worker's
 * channel. Input is empty; what goes to an output that is not there is not written, and
 * the exit code says so.
 */
static void open_standard_streams(void)
{
	for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
		if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
			/* the lowest number that is free is this one */
			(void)!open("/dev/null",
				stream == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

/*
 * Nor must it matter what whoever starts us does with signals: the end of a child has
 * to be heard of, and a file that has no room, be it by a limit, is an error of a
 * write.
 */
static void take_signals_back(void)
{
	signal(SIGCHLD, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

/*
 * The record's index is mapped, and somebody may cut it short, or its disk fail. What
 * was told is in the record by then; workers end with us.
 */
static void lose_file(int number, siginfo_t *info, void *context)
{
	static const char line[] =
		"\nautotune: a file that is mapped was cut short, or its disk fails (SIGBUS): what was measured is kept, run the same command again\n";

	(void)context;
	/* those that were forked are judged by how they end */
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
	/* sanitizers have a handler of their own */
	if (sigaction(SIGBUS, NULL, &current) || current.sa_handler != SIG_DFL)
		return;
	current.sa_sigaction = lose_file;
	current.sa_flags = SA_SIGINFO;
	sigemptyset(&current.sa_mask);
	sigaction(SIGBUS, &current, NULL);
}

/*
 * A stack that is too small is a crash wherever it is used up. How far it may grow is
 * looked at when it grows, so that more than there was is enough; where nobody may have
 * more, it is said. Workers inherit it.
 */
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

/*
 * Folders and files that their owner may not use are of no use to us, and a folder of
 * temporary files that cannot be entered cannot be cleared up either. What others may
 * is whoever starts us to say.
 */
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
	/* a compiler looks for its parts there, and for nothing where there is no such
	   variable */
	(void)!setenv("PATH", AT_PROGRAM_FOLDERS, 0);
	if (argc >= 3 && !strcmp(argv[1], AT_WORKER_OPTION))
		return at_worker_main(argv + 2);
	hear_of_lost_files();
	return (int)at_cli_main(argc, argv);
}
