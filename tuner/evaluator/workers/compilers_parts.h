/* What the files of the compilers share; nobody else includes it. */
#ifndef AT_WORKERS_COMPILERS_PARTS_H
#define AT_WORKERS_COMPILERS_PARTS_H

#include "evaluator/workers/compilers.h"
#include "evaluator/workers/misfortune.h"

/* the slowest unit seen takes seconds; a compiler that loops must end */
#define COMPILER_SECONDS 300.0
/* and one that waits for what does not come; a disk that sleeps takes seconds */
#define COMPILER_QUIET_SECONDS 60.0

struct job {
	struct job *next;
	enum at_message type; /* COMPILE, TOOLCHAIN or ARCHITECTURES */
	struct at_wire_writer body;
	char *path; /* COMPILE: where the unit goes; NULL: nowhere */
	bool is_canary;
	at_compiled compiled;
	at_versioned versioned;
	void *context; /* NULL: forgotten */
	/* once it has failed in a way that may be the machine's: how, and what the
	   answer is if it turns out to be its own */
	unsigned doubts;
	enum at_fault fault;
	struct at_compile_result kept;
	struct at_error kept_error;
};

struct compiler {
	struct at_compilers *owner;
	struct at_worker *worker; /* NULL: not started */
	struct job *job; /* NULL: idle */
};

struct at_compilers {
	struct at_loop *loop;
	const struct at_worker_events *events; /* who hears of the processes */
	unsigned jobs;
	unsigned places; /* there were so many jobs at first */
	struct compiler *compilers;
	struct job *first;
	struct job **last;
	size_t waiting;
	size_t running;
	bool held;
	bool has_worked; /* something was compiled, or judged */
	/* those that failed: tried again alone, one by one */
	struct job *suspects;
	struct at_recovery recovery; /* of the first of them */
	bool is_patient; /* with a machine that fails */
	bool has_given_up; /* and nothing has worked since */
	bool is_timed; /* the end of its pause comes from the loop */
	/* no process starts for who is first in the queue: told from the loop */
	struct at_error error;
	bool tells_later;
};

/* compilers_queue.c: what waits, and who takes it */
void compilers_free_job(struct job *job);
/* Answers, unless it was forgotten, and frees. */
void compilers_finish(struct job *job, struct at_compile_result *result,
	const char *version, const struct at_error *err);
/* Whether it lies in this run's own folder, which there is no other for. */
bool compilers_is_own(const struct at_compilers *self, const char *path);
void compilers_push_first(struct at_compilers *self, struct job *job);
struct job *compilers_pop(struct at_compilers *self);
/* One with a process, where there is one; NULL: none. */
struct compiler *compilers_find_idle(struct at_compilers *self);
/* Has an idle compiler do it, whose process may have to be started first; it is the
   caller's still when that fails. */
enum at_status compilers_begin(
	struct at_compilers *self, struct job *job, struct at_error *err);

/* compilers_recovery.c: what failed and may be the machine's */
/* Takes the job over; what is kept of it is kept already. */
void compilers_doubt(struct at_compilers *self, struct job *job);
/* The job was answered by a compiler, and well. */
void compilers_trust(struct at_compilers *self, struct job *job);
/* From the loop only: tries them again; wake is called when a pause is over. */
void compilers_recover(struct at_compilers *self, void (*wake)(void *context));
/* Nobody wants what is tried again. True: there was something. */
bool compilers_forget_suspects(struct at_compilers *self, const void *context);

#endif
