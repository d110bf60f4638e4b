/* What the files of a tuning share; nobody else includes it. */
#ifndef AT_SESSION_TUNING_PARTS_H
#define AT_SESSION_TUNING_PARTS_H

#include "search/ablation.h"
#include "session/tuning.h"

/* candidates of the finals, the baseline beside them */
#define PODIUM_SIZE 5
#define FINALISTS (PODIUM_SIZE + 1)

enum phase {
	PHASE_SEARCH = 0,
	PHASE_FINALS,
	PHASE_VERIFY,
	PHASE_EXPLAIN,
	PHASE_DONE,
};

/* A compiled unit that several steps may want: made once, kept until the end. */
struct unit {
	struct unit *next;
	struct at_tuning *tuning;
	struct at_hash id;
	bool done;
	struct at_compile_result result;
};

/* One evaluation on its way. */
struct task {
	struct task *next; /* in tuning.tasks */
	struct task *next_ready;
	struct at_tuning *tuning;
	size_t index; /* row of the configurations */
	struct at_hash key;
	struct at_compile_result compiled;
	struct at_measure_request request;
};

/* An evaluation that passed, and the image it was made with. */
struct contender {
	size_t index; /* row of the configurations */
	struct at_evaluation evaluation;
	bool reused;
};

/* Every evaluation that passed, for when all of the podium is refused. */
struct passed {
	size_t index;
	int64_t evaluation_id;
	double time_ns;
	bool reused;
	bool refused; /* by the finals, or by the verification of the winner */
};

/* What finals and verification know of a contender. */
struct finalist {
	struct contender *contender;
	struct unit *unit;
	struct at_measure_request request;
	struct at_measure_result result;
	bool is_baseline_only; /* there for the ratio, not for the crown */
	bool refused; /* failed in the finals or in verification */
};

enum setup_state {
	SETUP_NONE = 0,
	SETUP_COMPILING,
	SETUP_SENT,
	SETUP_READY,
};

struct at_tuning {
	struct at_tuning_options options;
	struct at_plan plan;
	enum phase phase;
	struct at_error error;
	bool told; /* options.done() is due or was called */

	struct at_configurations configurations;
	size_t *value_counts;
	struct at_strategy *strategy;
	uint64_t target_evaluations; /* 0: none */
	double target_seconds;
	uint64_t start_ns;
	bool baseline_asked;
	bool holder_asked; /* the recorded winner takes part in every search */
	bool asked_out; /* nothing more will be asked */
	bool asks_later; /* the next slice of asking is due */
	bool interrupted;
	bool holding; /* compile workers are held for measuring */
	struct at_progress progress;

	struct unit *units;
	enum setup_state setup_state;
	struct unit *support;
	struct unit *reference; /* NULL unless the reference is a kernel */
	struct task *tasks;
	size_t task_count;
	struct task *ready_first;
	struct task **ready_last;
	struct task *measuring;
	struct task *baseline_task; /* on its way; measured before all others */

	struct contender podium[PODIUM_SIZE]; /* fastest first */
	size_t podium_count;
	struct passed *passed;
	size_t passed_count;
	size_t passed_capacity;
	struct contender baseline; /* evaluation.id 0: it was not ok */

	struct at_record_ceilings ceilings;
	bool has_ceilings;
	struct at_crown recorded; /* the crown there was; space NULL: none */
	struct at_hash source_hash;
	struct finalist finalists[FINALISTS];
	size_t finalist_count;
	bool finals_sent;
	size_t winner; /* index of finalists during verification */
	size_t verify_case;
	struct at_plan verify_plan;
	bool verify_planned;
	bool verify_sent;

	/* who is crowned: now (crown), or before and still (recorded) */
	struct contender crowned;
	struct at_crown crown;
	const struct at_crown *worn; /* one of the two; NULL: nobody yet */
	struct at_ablation *ablation;
	uint64_t explain_start_ns;
	uint64_t explain_count; /* measured for it */
};

/* tuning.c */
void tuning_pump(struct at_tuning *self);
/* The end: err NULL or copied. */
void tuning_end(struct at_tuning *self, const struct at_error *err);
void tuning_emit(struct at_tuning *self, enum at_event_kind kind, const char *text,
	const uint16_t *configuration, const struct at_evaluation *evaluation,
	bool reused);
const uint16_t *tuning_row(const struct at_tuning *self, size_t index);
/* Units: the one for this request, compiled now if it is not there. NULL: ended. */
struct unit *tuning_unit(struct at_tuning *self, struct at_compile_request *request);
/* Compiles support and reference of a plan, sends the setup when they are there. */
void tuning_send_setup(struct at_tuning *self, struct at_plan *plan,
	struct unit *reference, at_remote_ready ready);
bool tuning_reference_unit(
	struct at_tuning *self, struct at_plan *plan, struct unit **unit);
const struct at_kernel_facts *tuning_set_image(const struct at_compile_result *compiled,
	const struct at_spec *spec, struct at_measure_request *request);
void tuning_set_sampling(
	const struct at_tuning *self, struct at_measure_request *request);
double tuning_deadline(const struct at_tuning *self);

/* tuning_task.c */
/* Looked up in the record, else compiled, measured, recorded; then tuning_told(). */
void tuning_begin_task(struct at_tuning *self, size_t index);
/* false: it is not recorded, and *key is its key; else tuning_told() was called. */
bool tuning_reuse(struct at_tuning *self, size_t index, struct at_hash *key);
/* On devices that share the cores with the compilers. */
void tuning_take_turns(struct at_tuning *self);
void tuning_measure_next(struct at_tuning *self);
void tuning_drop_tasks(struct at_tuning *self);
/* All that is not being measured right now. */
void tuning_give_up_waiting(struct at_tuning *self);

/* tuning_search.c */
void tuning_search(struct at_tuning *self);
/* The outcome is in the record: now everybody may hear of it. */
void tuning_told(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused);
bool tuning_is_baseline(const struct at_tuning *self, size_t index);
/* What the podium needs of one; release also after a failure (out of memory). */
bool tuning_copy_evaluation(const struct at_evaluation *from, struct at_evaluation *to);

/* Keeps the fastest of what it is given, fastest first; evaluation is copied. */
void tuning_enter_podium(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused);

/* tuning_finals.c */
void tuning_begin_finals(struct at_tuning *self);
void tuning_finals(struct at_tuning *self);
/* The chosen winner failed: the next one, or the end. */
void tuning_next_winner(struct at_tuning *self);
void tuning_release_finals(struct at_tuning *self);

/* tuning_crown.c */
void tuning_begin_verify(struct at_tuning *self);
void tuning_verify(struct at_tuning *self);
/* Records the crown (finalists[winner]), writes the files, ends the tuning. */
void tuning_crown(struct at_tuning *self);
/* The best so far without finals; for interruptions. */
void tuning_crown_best(struct at_tuning *self);
/* Keeps the recorded crown, brings the files up to date, ends the tuning. */
void tuning_keep_crown(struct at_tuning *self);
/* The recorded crown was won on the same source, problem and device. */
bool tuning_same_source(const struct at_tuning *self);
/* The recorded winner among what passed; NULL when it is not there. */
const struct passed *tuning_find_holder(const struct at_tuning *self);
bool tuning_was_recorded(
	const struct at_tuning *self, const struct contender *contender);
/* The files, the last event, the end: of whom `worn` and `crowned` tell. */
enum at_status tuning_write_files(
	struct at_tuning *self, char **header, struct at_error *err);
void tuning_finish(struct at_tuning *self);

/* tuning_explain.c */
/* Which parameter mattered; then tuning_finish(). */
void tuning_begin_explain(struct at_tuning *self);
void tuning_explain(struct at_tuning *self);
void tuning_explained(struct at_tuning *self, size_t index,
	const struct at_evaluation *evaluation, bool reused);

#endif
