/* What the files compilers*.c share; no other file includes this. */
#ifndef AT_WORKERS_COMPILERS_PARTS_H
#define AT_WORKERS_COMPILERS_PARTS_H

#include "evaluator/workers/compilers.h"
#include "evaluator/workers/machine_faults.h"

/* The slowest unit seen takes seconds; a compiler in an endless loop must be ended. */
#define COMPILER_SECONDS 300.0
/* Once a unit was compiled, others that are not urgent may take so many times as long
   as the longest, and at least so many seconds, more than a compiler may be quiet. */
#define COMPILER_LONGER 10.0
#define COMPILER_LEAST 90.0
/* A unit that nothing waits for any more may be as good as done, but others wait for
   its cores. */
#define FORGOTTEN_SECONDS 2.0
/* a compiler that waits for something that never comes; a disk that wakes up takes
   seconds */
#define COMPILER_QUIET_SECONDS 60.0

/* One request to a compiler. */
struct compile_job {
	struct compile_job *next;
	enum at_message type; /* COMPILE, TOOLCHAIN, ARCHITECTURES or COVER */
	struct at_wire_writer body;
	char *path; /* COMPILE: where the unit goes; NULL: nowhere */
	bool is_canary; /* a small unit that is known to compile */
	bool is_urgent;
	double deadline_seconds; /* of the last time that it was sent */
	at_compiled compiled;
	at_versioned versioned;
	void *context; /* NULL: the caller has forgotten it, and gets no answer */
	/* once it has failed in a way that may be the machine's: how often and how, and
	   the answer if the machine turns out to be well */
	unsigned failures;
	enum at_fault fault;
	struct at_compile_result kept;
	struct at_error kept_error;
};

/* A place for one compile worker. */
struct compiler {
	struct at_compilers *owner;
	struct at_worker *worker; /* NULL: not started */
	struct compile_job *job; /* NULL: idle */
	uint64_t begun_ns; /* the job */
};

struct at_compilers {
	struct at_loop *loop;
	const struct at_worker_events *events; /* compilers.c: hears of the processes */
	unsigned jobs; /* that may run at once */
	unsigned places; /* the length of compilers: jobs before any limit */
	struct compiler *compilers;
	struct compile_job *first; /* the queue */
	struct compile_job **last;
	size_t waiting;
	size_t running;
	bool held;
	unsigned reserved; /* see at_compilers_reserve() */
	double longest_seconds; /* of the units that were compiled; 0: none was */
	bool has_worked; /* a compiler has compiled a unit, or found an error in one */
	/* jobs that failed in a way that may be the machine's: tried again alone, one
	   by one */
	struct compile_job *suspects;
	struct at_recovery recovery; /* of the first suspect */
	bool is_patient; /* see at_compilers_be_patient() */
	bool has_given_up; /* on the machine, and nothing has worked since */
	bool is_timed; /* a timer of the loop ends the present pause */
	/* why no process starts for the first job in the queue; told from the loop */
	struct at_error error;
	bool tells_later; /* that call is due */
};

/* ---- compilers_queue.c: the jobs that wait, and the compilers that take them */
/* Releases a job without answering it. */
void compilers_free_job(struct compile_job *job);
/* Answers a job, unless its caller has forgotten it, and releases it. */
void compilers_finish(struct compile_job *job, struct at_compile_result *result,
	const char *version, const struct at_error *err);
/* Whether the path lies in this run's own folder, for which there is no substitute. */
bool compilers_is_own(const struct at_compilers *self, const char *path);
/* Puts a job at the front of the queue. */
void compilers_push_first(struct at_compilers *self, struct compile_job *job);
/* Takes the first job out of the queue; it is the caller's. */
struct compile_job *compilers_pop(struct at_compilers *self);
/* An idle compiler, one with a process if there is one; NULL: none is idle. */
struct compiler *compilers_find_idle(struct at_compilers *self);
/* Gives a job to an idle compiler, whose process may have to be started first. When
   that fails the job is still the caller's. */
enum at_status compilers_begin(
	struct at_compilers *self, struct compile_job *job, struct at_error *err);

/* ---- compilers_recovery.c: failures that may be the machine's */
/* Takes over a job that failed; what is known of its failure must be in the job
   already. */
void compilers_suspect(struct at_compilers *self, struct compile_job *job);
/* A compiler has done the job, so that the machine is well enough. */
void compilers_trust(struct at_compilers *self, struct compile_job *job);
/* Tries suspects again. Called from the loop only; wake is called when a pause is
   over. */
void compilers_recover(struct at_compilers *self, void (*wake)(void *context));
/* Drops the suspects of this context. True: there were suspects when it was called. */
bool compilers_forget_suspects(struct at_compilers *self, const void *context);

#endif
