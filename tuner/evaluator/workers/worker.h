/*
 * A worker process: the same executable, started by the coordinator as
 * `autotune --worker compile` or `--worker measure`, with messages on file
 * descriptor 3. It ends when that is closed, and dies with its parent: guard.h. With
 * words behind the role it starts these instead, a program that starts the worker in
 * turn, and sees to its end all the same.
 */
#ifndef AT_WORKERS_WORKER_H
#define AT_WORKERS_WORKER_H

#define AT_WORKER_OPTION "--worker"
#define AT_WORKER_DESCRIPTOR 3
/* in the environment: the coordinator's process number */
#define AT_WORKER_PARENT "AUTOTUNE_COORDINATOR"
/* in the environment of one that another program starts for the coordinator */
#define AT_WORKER_WATCHED "AUTOTUNE_WATCHED"
/* in the environment: where temporary files go; the coordinator removes it */
#define AT_WORKER_FOLDER "AUTOTUNE_FOLDER"

/*
 * words: the role, the command of another program or nothing, NULL. Returns the exit
 * status of the process: 0, or 1 after a broken message.
 */
int at_worker_main(char *const *words);

#endif
