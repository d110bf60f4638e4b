/* What the files of the board share; nobody else includes it. */
#ifndef AT_WORKERS_BOARD_PARTS_H
#define AT_WORKERS_BOARD_PARTS_H

#include "evaluator/workers/board.h"
#include "evaluator/workers/misfortune.h"

/* the first context on a sleeping board with many neighbours takes seconds */
#define OPEN_SECONDS 120.0
/* a setup runs the reference, which may be slow, and fills what may be large */
#define SETUP_SECONDS 300.0
/* a driver that does not come back; one that starts computes */
#define OPEN_QUIET_SECONDS 60.0
/* a worker that is there begins at once, or says whom it waits for */
#define HAND_QUIET_SECONDS 30.0
/* a worker keeps fewer; see worker.c */
#define SETUPS_MAX 32

/* In the order in which they are gone through for a request. */
enum step {
	STEP_NONE = 0, /* no process */
	STEP_OPENING,
	STEP_SETTING_UP,
	STEP_OPEN,
};

/* One request: evaluation, finals or ceilings. */
struct job {
	struct job *next;
	enum at_message type;
	struct at_strbuf body; /* sent as a copy: again where the process dies early */
	const struct at_board_setup *setup; /* NULL: it needs none */
	double deadline_seconds;
	size_t result_count;
	bool sent;
	at_board_measured measured;
	at_board_ceiled ceiled;
	void *context;
};

struct at_board {
	struct at_loop *loop;
	const struct at_worker_events *events; /* who hears of the process */
	struct at_worker *worker;
	char id[32];
	struct at_device_info info;
	enum step step;
	struct job *jobs; /* the first is in work when it was sent */
	struct job **last;
	size_t job_count;
	size_t sent_count;
	bool started; /* the process works on what was sent first, or on a setup */
	struct at_hash known[SETUPS_MAX]; /* setups that the process has */
	size_t known_count;
	bool has_opened; /* once */
	unsigned idle_deaths; /* in a row, of processes that had nothing to do yet */
	struct at_error no_process; /* why none starts; told from the loop */
	/* of the opening, or of the first in the queue */
	struct at_recovery recovery;
	enum step failed_at; /* the last time */
	bool has_died; /* of it */
	bool was_late; /* its deadline was its death */
	struct at_error failure; /* the answer, if it is its own */
	bool is_timed; /* the end of its pause comes from the loop */
	bool (*is_alone)(void *context); /* NULL: always */
	void *alone_context;
	at_board_opened opened; /* NULL: nobody waits for the opening */
	void *opened_context;
	uint64_t setup_begun_ns;
	double setup_seconds;
	uint64_t waiting_since_ns; /* 0: it does not wait */
	uint64_t waited_ns;
	int64_t waits_for;
	char note[600]; /* once: who comes and goes later is no news */
	bool note_was_told;
};

/* board_queue.c: the requests, and the process */
void board_free_job(struct job *job);
/* Takes the first out of the queue. */
struct job *board_pop(struct at_board *self);
/* And frees it. */
void board_answer(struct job *job, struct at_measure_result *results, size_t count,
	const struct at_ceilings *ceilings, const struct at_error *err);
/* Whoever waits for the opening, or the first in the queue, hears of it. */
void board_fail_first(struct at_board *self, const struct at_error *err);
/* The board is ours, or nobody wants it any more. */
void board_stop_waiting(struct at_board *self);
/* What was sent to a process that is gone will be sent again. */
void board_drop_process(struct at_board *self);
/* What the process is at, for whoever waits; NULL: others tell, or it may take long. */
void board_says(struct at_board *self, const char *doing);
/* Starts the process, and has it open the device. */
enum at_status board_start(struct at_board *self, struct at_error *err);

/* Of the setup of the first in the queue, in seconds. */
double board_setup_deadline(const struct at_board *self);

/* board_recovery.c: what fails, and what is tried again */
/* The process is gone, or dropped, has_died says through whose doing; err: what is told
   if it is nobody else's fault. */
void board_doubt(struct at_board *self, enum step step, enum at_fault fault,
	bool has_died, const struct at_error *err);
/* The worker could not do what it was asked to, for a reason that is not the
   configuration's. */
void board_failed(struct at_board *self, struct at_wire_reader *in);
void board_fail_oddly(struct at_board *self);
void board_died(struct at_board *self, const struct at_worker_end *end);
/* It went well, whatever came of it. */
void board_succeeded(struct at_board *self, enum step step);
/* True: nothing is started at present, and wake is called when that is over. */
bool board_waits(struct at_board *self, void (*wake)(void *context));

#endif
