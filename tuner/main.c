/* The program: the command line, or one of its own workers. */
#include "cli/cli.h"
#include "evaluator/workers/worker.h"

#include <string.h>

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], AT_WORKER_OPTION))
		return at_worker_main(argv[2]);
	return (int)at_cli_main(argc, argv);
}
