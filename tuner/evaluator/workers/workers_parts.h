/* What the files of the workers' evaluator share; nobody else includes it. */
#ifndef AT_WORKERS_WORKERS_PARTS_H
#define AT_WORKERS_WORKERS_PARTS_H

#include "evaluator/workers/copies.h"
#include "evaluator/workers/workers.h"

enum stage {
	STAGE_NONE = 0,
	STAGE_COMPILING,
	STAGE_READY,
	STAGE_AT_BOARD,
	STAGE_TOLD, /* its answer is known, and due from the loop */
};

/* A compiled unit that setups need. */
struct part {
	struct at_hash id;
	char *path; /* NULL: not compiled yet */
	char *symbol; /* of its only kernel that matters; NULL: none does */
	bool is_wanted;
	bool is_off; /* it does not compile, or is not used any more: done without */
};

/* A problem with its data: the tuned one, then those that a winner is proved on. */
struct scene {
	struct workers *owner;
	struct at_plan plan;
	struct part reference;
	struct part wide; /* the same in double, which need not compile */
	struct at_board_setup setup;
	bool is_needed; /* something is to run on it */
	bool is_set_up; /* setup holds what a board needs */
	/* of sizes that nobody wrote: what does not work there may be for other sizes
	 */
	bool is_derived;
	bool nobody_fits; /* derived: no configuration that was asked is right */
};

/*
 * A winner that failed on a derived problem: which of others are asked whether the
 * problem makes sense at all.
 */
struct doubt {
	uint16_t *winner; /* as all configurations: value indices */
	uint16_t *other;
	enum at_outcome outcome; /* of the winner */
	char detail[512];
	size_t next; /* of the others, see workers_derived.c */
	unsigned asked;
	bool is_again; /* who is asked was late the first time */
	bool was_late; /* someone, twice */
};

/* A board's place in this search. */
struct seat {
	struct workers *owner;
	struct at_board *board;
	const struct at_device_info *info;
	bool is_left_out;
	bool agrees; /* with the first about the yardstick */
	bool is_compared; /* right now */
	uint64_t agreed_ns;
	/* what it is being compared with: the yardstick as it was then */
	double expected_ns;
	double expected_low_ns;
	double expected_high_ns;
	const char *expected_on;
	uint64_t waited_before_ns; /* by the board, before this problem */
};

/* One configuration on its way. */
struct item {
	struct item *next;
	struct item *next_ready;
	struct workers *owner;
	struct scene *scene;
	struct at_planned *planned;
	struct at_trial_options options;
	enum stage stage;
	struct seat *seat; /* AT_BOARD */
	bool was_compiled_again;
	char *unit; /* path */
	char *log;
	struct at_facts facts;
	struct at_hash image; /* with all that its launch is given */
	enum at_outcome outcome; /* TOLD */
	char detail[512];
	struct at_measure_result result;
	bool is_measured;
	bool is_copy;
	at_answered answered;
	at_proved proved; /* instead: a proof */
	double proof_seconds; /* as in prove() */
	void *context;
	/* of proofs on derived problems: is this the winner (nobody was asked yet), or
	   one that is asked about it? */
	struct doubt *doubt;
};

/* The finals on their way. */
struct finals {
	struct at_measure_finals how;
	size_t count;
	size_t compiled;
	struct seat *seat; /* at its board; NULL: not yet */
	bool was_compiled_again;
	struct contestant {
		struct workers *owner;
		const struct at_planned *planned;
		struct at_measure_request request; /* shallow but for its symbols */
		char *unit;
		struct at_facts facts;
	} contestants[AT_FINALISTS_MAX];
	at_finals_answered answered; /* NULL: there are none */
	void *context;
};

/* The kind of device that winners of other kinds are run on too, since it can do what
   they cannot: shuffle threads and blocks. */
#define AT_CROSS_PROOF_KIND "host"

struct checks; /* workers_checks.c */

struct workers {
	struct at_evaluator base;
	struct at_workers_options options;
	struct scene *scenes; /* the tuned one first */
	size_t scene_count;
	struct at_problem *derived;
	size_t derived_count;
	/* of no sizes of their own; name NULL: nothing varies so */
	struct at_problem varied[AT_VARIATION_COUNT];
	bool has_told_data; /* what proofs are made on */
	bool nobody_fits; /* on one of the derived sizes */
	struct part support;
	struct seat seats[AT_BOARDS_MAX];
	size_t seat_count;
	struct item *items;
	struct item *ready_first;
	struct item **ready_last;
	struct item *first; /* is measured before all others; NULL: there is none */
	struct finals finals;
	struct at_copies *copies;
	struct checks
		*checks[2]; /* the host's and the sanitizers'; NULL before the first */
	double incumbent_ns;
	double baseline_error; /* what tolerances by default follow from; 0: not known
				*/
	/* the best that was measured in full: what boards are compared by */
	struct item *yardstick;
	const struct seat *yardstick_seat;
	bool holding; /* the compilers, while a device needs their cores */
	bool is_telling_later;
	bool failed; /* told with an error: nothing more is answered */
	struct at_error error; /* that one */
	char state[256]; /* told last */
	const char *step; /* told last; NULL: none yet */
	bool has_answered;
	char trouble[800]; /* with the machine, told last; "" */
	/* one step towards the end of all that is out: called where something changed
	 */
	void (*pump)(struct workers *self);
	/* from the loop: workers_tell_due() */
	void (*tell_due)(void *context);
	/* at_workers_open(), for the one that a winner is run by on another kind of
	   device */
	enum at_status (*open)(const struct at_workers_options *options,
		struct at_evaluator **out, struct at_error *err);
};

/* workers_answers.c: items, and what is decided of them */
void workers_tell(struct workers *self, enum at_told_kind kind, const char *text);
void workers_free_doubt(struct doubt *doubt);
void workers_free_item(struct item *item);
void workers_unlink_item(struct workers *self, struct item *item);
struct item *workers_pop_ready(struct workers *self);
void workers_push_ready(struct workers *self, struct item *item, bool before);
/* Has answers told that are due. */
void workers_tell_later(struct workers *self);
void workers_decide(struct workers *self, struct item *item, enum at_outcome outcome,
	const char *detail);
void workers_fail(struct workers *self, const struct at_error *err);
enum at_status workers_refuse(const struct workers *self, struct at_error *err);

/* workers_setup.c: what setups need: support and reference */
void workers_release_part(struct part *part);
enum at_status workers_want_parts(
	struct workers *self, struct scene *scene, struct at_error *err);
enum at_status workers_want_lost_parts(
	struct workers *self, struct scene *scene, struct at_error *err);
enum at_status workers_set_up(
	struct workers *self, struct scene *scene, struct at_error *err);
/* A board died of this setup: true where it is made anew without what may be left out.
 */
bool workers_do_without(struct scene *scene);
/* The message that makes a setup of a scene; watched: for a process of its own under a
   checker. Both parts are there. */
enum at_status workers_put_setup(struct workers *self, struct scene *scene,
	bool watched, struct at_board_setup *out, struct at_error *err);

/* workers_scenes.c: the tuned problem, and those that winners are proved on */
enum at_status workers_add_scenes(struct workers *self, struct at_error *err);
/* info.source: of the file's own defaults, whatever --set makes of them. */
enum at_status workers_identify_source(struct workers *self, struct at_error *err);

/* workers_items.c: a configuration on its way to a board */
enum at_status workers_set_symbols(const struct workers *self,
	const struct at_compile_result *compiled, struct at_measure_request *request,
	struct at_error *err);
void workers_release_symbols(struct at_measure_request *request);
void workers_fill_facts(const struct scene *scene, const struct at_planned *planned,
	const struct at_compile_result *compiled, struct at_facts *facts);
void workers_set_sampling(
	const struct workers *self, struct at_measure_request *request);
enum at_status workers_want_item(struct item *item, struct at_error *err);
enum at_status workers_add_item(struct workers *self, struct scene *scene,
	struct at_planned *planned, const struct item *facts, struct at_error *err);

/* workers_derived.c: proofs on sizes that no space names */
enum at_status workers_derive(struct workers *self, struct at_error *err);
void workers_tell_data(struct workers *self);
enum at_status workers_add_doubt(const struct workers *self,
	const uint16_t *configuration, struct doubt **out, struct at_error *err);
/* True: the item is not to be answered, since another one is asked first: it is gone.
 */
bool workers_asks_others(struct workers *self, struct item *item);

/* workers_tick.c: what is told while time passes, as in the evaluator's table */
void workers_tick(struct at_evaluator *base);

/* workers_due.c: the answers */
void workers_answer(struct workers *self, struct item *item);
void workers_tell_due(void *context);

/* workers_boards.c: who measures what, and do they agree? */
double workers_deadline_seconds(const struct workers *self);
size_t workers_seats_left(const struct workers *self);
struct seat *workers_lead_seat(struct workers *self);
bool workers_is_to_be_measured(struct workers *self, struct item *item);
void workers_leave_out(struct workers *self, struct seat *seat, const char *text);
bool workers_is_boards_fault(const struct at_error *problem);
void workers_send_item(struct workers *self, struct seat *seat, struct item *item);
bool workers_agrees(struct workers *self, struct seat *seat);

/* workers_checks.c: what a winner is held to beside the device's own proofs */
enum at_status workers_check(struct at_evaluator *base, const uint16_t *configuration,
	enum at_check check, double seconds, at_proved proved, void *context,
	struct at_error *err);
/* Time has passed. */
void workers_tick_checks(struct workers *self);
void workers_drop_checks(struct at_evaluator *base);
void workers_close_checks(struct workers *self);

/* workers_finals.c: the finals */
void workers_drop_finals(struct workers *self);
enum at_status workers_want_contestants(struct workers *self, struct at_error *err);
bool workers_finals_are_due(const struct workers *self);
bool workers_has_cores(const struct workers *self);
void workers_send_finals(struct workers *self);

#endif
