/*
 * A worker process: the same executable, started by the coordinator as `autotune
 * --worker compile` or `--worker measure`, with messages on file descriptor 3. It ends
 * when the channel is closed, and with its coordinator: see guard.h. Further words
 * after the role are another program's command line: the process starts and guards that
 * program, which starts the worker.
 */
#ifndef AT_WORKERS_WORKER_H
#define AT_WORKERS_WORKER_H

#define AT_WORKER_OPTION "--worker"
#define AT_WORKER_DESCRIPTOR 3
/* environment of a worker: the coordinator's process number */
#define AT_WORKER_PARENT "AUTOTUNE_COORDINATOR"
/* environment of a worker that another program starts for the coordinator */
#define AT_WORKER_WATCHED "AUTOTUNE_WATCHED"
/* environment: the folder for temporary files, which the coordinator removes */
#define AT_WORKER_FOLDER "AUTOTUNE_FOLDER"

/* environment: the folder of compiled units, to which compilers write too */
#define AT_WORKER_UNITS "AUTOTUNE_UNITS"

/* Runs a worker. words: the role, then nothing or the command of another program, then
   NULL. Returns the exit status of the process: 0, or 1 after a malformed message. */
int at_worker_main(char *const *words);

#endif
