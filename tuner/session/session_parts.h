/*
 * A session, as its files share it; nobody else includes this. session.c runs lanes
 * side by side, session_lane.c is one of them, session_open.c has what they stand on:
 * spaces, record, devices, compilers.
 * Threads: one.
 */
#ifndef AT_SESSION_SESSION_PARTS_H
#define AT_SESSION_SESSION_PARTS_H

#include "session/session.h"

#include "evaluator/replay/replay.h"
#include "evaluator/workers/workers.h"
#include "kernel/toolchain.h"
#include "session/deal.h"
#include "session/portfolio.h"
#include "session/revisit.h"
#include "session/tuning.h"
#include "session/turns.h"

struct session;

/*
 * One model of device, with all its boards, and what is tuned on it, one problem after
 * the other. Lanes run side by side; the compilers are theirs in common.
 */
struct lane {
	struct session *session;
	struct at_board **boards;
	struct at_device_info *infos; /* one a board */
	size_t board_count;
	int64_t device_id;
	int64_t run_id;
	const char *toolchain_version; /* of what compiles the space in work for it */
	/* a recording in place of boards; else NULL */
	struct at_recording *recording;
	struct at_replay_night night; /* of the recording */
	struct at_evaluator *replay; /* in work; the tuning's */
	bool is_awake; /* step_replay() is called soon */
	struct at_turns turns; /* of the problems of the space in work */
	double spent_seconds; /* of what is given for all spaces together */
	const struct at_problem *problem; /* in work */
	struct at_tuning *tuning; /* NULL: nothing is tuned */
	struct at_revisiting *revisiting; /* NULL: nobody is measured again */
	struct at_portfolio_course *course; /* after the last problem */
	bool idle; /* nothing more to do for this space */
	bool failed; /* the device cannot be used any more */
};

/* What a toolchain said that it is. */
struct version {
	char toolchain[AT_TOOLCHAIN_NAME_SIZE];
	char text[256];
};

/* more than there can be */
#define VERSIONS_MAX 16

/* What is tuned. */
struct space {
	const struct at_spec *whole_spec; /* as the file says it */
	struct at_spec *spec; /* a copy, with --set applied */
	struct at_template template;
};

struct session {
	const struct at_session_options *options;
	struct at_session_summary *summary;
	struct at_loop *loop;
	struct at_farm *farm;
	struct at_deal *deal;
	struct at_store *store;
	struct lane *lanes;
	size_t lane_count;
	struct space *spaces;
	size_t space_count;
	struct space *space; /* the one in work; NULL before the first */
	/* what is warmed up while devices are opened; NULL: nothing */
	const char *warm_toolchain;
	struct version versions[VERSIONS_MAX]; /* of toolchains that were asked */
	size_t version_count;
	struct at_error error; /* the first */
	bool interrupted;
	uint64_t looked_ns; /* whether the record still is where it was */
	bool is_store_lost; /* it is not, and cannot be written to any more */
};

/* ---- session_open.c */

/* Of a lane, or (NULL) of all, to whoever listens. */
void session_note(struct session *self, const struct lane *lane, const char *text);
/* The first error is what the session ends with. */
void session_keep_error(struct session *self, const struct at_error *err);
/*
 * Looks where the record is (at_store_rescue()). A folder that is removed under a run
 * takes what is recorded from then on with it, and nothing fails; nor does it where a
 * record is written over. False: so it was, and the record cannot be used any more;
 * that is kept.
 */
bool session_look_after_record(struct session *self, bool is_whole);
/* The last look, and its end: what is removed while it is closed is there again. Of a
   run that failed before it measured anything nothing is left
   (at_store_close_failed()).
 */
bool session_close_record(struct session *self, bool has_failed);
/*
 * All of them before anything is started: nobody wants to learn in the morning that
 * something is wrong with the second one.
 */
enum at_status session_open_spaces(struct session *self,
	const struct at_spec *const *spaces, size_t count, struct at_error *err);
void session_close_spaces(struct session *self);
/* A lane for each model of device and each recording; and the compilers. */
enum at_status session_open_lanes(struct session *self, struct at_error *err);
/* The version of what compiles a space for a lane's device, into the lane; it is the
   session's, and each toolchain is asked once. */
enum at_status session_ask_toolchain(struct session *self, struct lane *lane,
	const struct space *space, struct at_error *err);
/* Configurations that are one kernel cost as much as others; but a recording costs
   nothing, and its template may be any. */
enum at_status session_warn_of_templates(struct session *self, struct at_error *err);

/* ---- session_lane.c */

/* --problem asks for it, or for none. */
bool session_selects(const struct session *self, const struct at_problem *problem);
/* No lane has anything more to do for this space. */
bool session_is_idle(const struct session *self);
/* What was recorded on a GPU is replayed wherever. */
bool lane_is_for(const struct lane *self, const struct at_problem *problem);
/* Where shares are dealt many spaces are others'. */
bool lane_has_work(const struct lane *self);
/* Whose turn it is among the problems of this space. */
enum at_status lane_begin_space(struct lane *self, struct at_error *err);
/* Begins the next problem of this space for this device, or ends the lane. */
void lane_advance(struct lane *self);
/* Time has passed. */
void lane_poke(struct lane *self);

#endif
