/* What the files board*.c share; no other file includes this. */
#ifndef AT_WORKERS_BOARD_PARTS_H
#define AT_WORKERS_BOARD_PARTS_H

#include "evaluator/workers/board.h"
#include "evaluator/workers/machine_faults.h"

/* the first context on a board that sleeps, on a machine with many, takes seconds */
#define OPEN_SECONDS 120.0
/* a setup runs the reference, which may be slow, and fills buffers, which may be
   large */
#define SETUP_SECONDS 300.0
/* A driver that hangs neither computes nor waits for a processor; one that starts
   computes. */
#define OPEN_QUIET_SECONDS 60.0
/* A worker that is running begins a request at once, or says that it waits for another
   program. */
#define HAND_QUIET_SECONDS 30.0
/* a worker keeps fewer (AT_WORKER_SETUPS) */
#define SETUPS_MAX 32

/* The steps that a process goes through until it can take a request, in this order. */
enum step {
	STEP_NONE = 0, /* no process */
	STEP_OPENING,
	STEP_SETTING_UP,
	STEP_OPEN,
};

/* One request: an evaluation, finals or ceilings. */
struct board_job {
	struct board_job *next;
	enum at_message type;
	struct at_strbuf body; /* kept, so that it can be sent again to a new process */
	const struct at_board_setup *setup; /* NULL: it needs none */
	double deadline_seconds;
	/* results that the answer has */
	size_t result_count;
	bool sent;
	bool was_put_off; /* behind others, see board_recovery.c */
	at_board_measured measured;
	at_board_ceiled ceiled;
	void *context;
};

struct at_board {
	struct at_loop *loop;
	const struct at_worker_events *events; /* board.c: hears of the process */
	struct at_worker *worker;
	char id[32];
	struct at_device_info info;
	enum step step;
	struct board_job *jobs; /* the queue; the first is in work once it was sent */
	struct board_job **last;
	size_t job_count;
	/* of the jobs, so many at the front were sent */
	size_t sent_count;
	bool started; /* the process has begun the job sent first, or a setup */
	struct at_hash known[SETUPS_MAX]; /* setups that the process holds */
	size_t known_count;
	bool has_opened; /* the device was open at least once */
	bool has_measured; /* a configuration well, at least once, with its time */
	unsigned idle_deaths; /* in a row: processes that died with nothing to do */
	struct at_error no_process; /* why no process starts; told from the loop */
	/* second tries of the opening, or of the first job in the queue */
	struct at_recovery recovery;
	enum step failed_at; /* the step at which it failed the last time */
	bool has_died; /* the process died of it */
	bool was_late; /* the process was killed at its deadline */
	struct at_error failure; /* the answer, if the machine turns out to be well */
	bool is_timed; /* a timer of the loop ends the present pause */
	bool (*is_alone)(void *context); /* NULL: always */
	void *alone_context;
	at_board_opened opened; /* NULL: nobody waits for the opening */
	void *opened_context;
	uint64_t setup_begun_ns;
	double setup_seconds;
	uint64_t work_begun_ns; /* of the first job, without its setup */
	double work_seconds; /* see at_board_work_seconds() */
	uint64_t waiting_since_ns; /* since when for another program; 0: not waiting */
	uint64_t waited_ns; /* for other programs, in earlier waits */
	int64_t waits_for; /* process number of that program; 0: not known */
	char note[600]; /* told once: that others come and go later is no news */
	bool note_was_told;
};

/* ---- board_queue.c: the requests, and the process */
/* Releases a job without answering it. */
void board_free_job(struct board_job *job);
/* Takes the first job out of the queue; it is the caller's. */
struct board_job *board_pop(struct at_board *self);
/* Moves the first job, which was not sent, behind all others. */
void board_put_off(struct at_board *self);
/* Answers a job and releases it. */
void board_answer(struct board_job *job, struct at_measure_result *results,
	size_t count, const struct at_ceilings *ceilings, const struct at_error *err);
/* Answers with the error: the caller of at_board_open() if one waits, else the first
   job. */
void board_fail_first(struct at_board *self, const struct at_error *err);
/* Ends the count of a wait: the board is this run's, or nobody wants it any more. */
void board_stop_waiting(struct at_board *self);
/* Frees the process and marks all jobs as not sent, so that the next process gets
   them. */
void board_drop_process(struct at_board *self);
/* Sets what the silence of the process is reported as; NULL: silence is not reported,
   since other texts say what goes on, or it may take long. */
void board_says(struct at_board *self, const char *doing);
/* Starts the process and has it open the device. */
enum at_status board_start(struct at_board *self, struct at_error *err);

/* The deadline of the first job's setup, in seconds. */
double board_setup_deadline(const struct at_board *self);

/* ---- board_recovery.c: failures, and second tries */
/* The process has died or was dropped, and the machine may be at fault. has_died: the
   step made the process die. err: the answer if the machine turns out to be well. */
void board_suspect(struct at_board *self, enum step step, enum at_fault fault,
	bool has_died, const struct at_error *err);
/* The worker answered FAILED, for a reason that is not the configuration's. */
void board_failed(struct at_board *self, struct at_wire_reader *in);
/* The worker sent a message that makes no sense at this point. */
void board_fail_oddly(struct at_board *self);
/* The process has ended. */
void board_died(struct at_board *self, const struct at_worker_end *end);
/* The step was done, whatever its outcome: it is not tried again. */
void board_succeeded(struct at_board *self, enum step step);
/* Whether nothing may be started at present; wake is called when that is over. */
bool board_waits(struct at_board *self, void (*wake)(void *context));

#endif
