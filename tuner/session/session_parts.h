/*
 * A session and its lanes, for their two files; no other file includes this. session.c
 * opens and runs the lanes side by side, session_lane.c is one lane.
 * Threads: one.
 */
#ifndef AT_SESSION_SESSION_PARTS_H
#define AT_SESSION_SESSION_PARTS_H

#include "session/session.h"

#include "evaluator/replay/replay.h"
#include "evaluator/workers/workers.h"
#include "kernel/toolchain.h"
#include "session/allot.h"
#include "session/assignment.h"
#include "session/explain.h"
#include "session/portfolio.h"
#include "session/revisit.h"
#include "session/tuning.h"

struct session;

/*
 * One model of device with all its boards, and the problems tuned on it, one after the
 * other. Lanes run side by side and share the compilers.
 */
struct lane {
	struct session *session;
	struct at_board **boards;
	struct at_device_info *infos; /* one for each board */
	size_t board_count;
	int64_t device_id; /* of the device in the record */
	int64_t run_id; /* of this run of the space in the record; 0: no run is open */
	/* Version of the toolchain that compiles the current space for this device;
	   borrowed from session.versions. */
	const char *toolchain_version;
	/* The recording that stands in for boards; NULL: the lane has boards. */
	struct at_recording *recording;
	struct at_replay_night night; /* noise to add to the recording */
	/* The evaluator of the current problem where it replays a recording; it belongs
	   to the tuning (or revisit, or portfolio). NULL: none. */
	struct at_evaluator *replay;
	bool is_awake; /* step_replay() is queued in the loop */
	struct at_turns turns; /* which problem of the current space is next */
	double spent_seconds; /* used so far of options.total_seconds */
	const struct at_problem *problem; /* current problem */
	struct at_tuning *tuning; /* current tuning; NULL: none */
	struct at_revisiting *revisiting; /* current revisit; NULL: none */
	struct at_explaining *explaining; /* the same of an explanation */
	/* the portfolio being chosen, after the last problem; NULL: none */
	struct at_portfolio_course *course;
	bool idle; /* the lane has finished this space */
	bool failed; /* the device was lost: the lane takes no further space */
};

/* The version that a toolchain reported. */
struct version {
	char toolchain[AT_TOOLCHAIN_NAME_SIZE];
	char text[256];
};

/* more toolchains than there are */
#define VERSIONS_MAX 16

/* One space of the session. */
struct space {
	const struct at_spec *whole_spec; /* as in the file; borrowed */
	struct at_spec *spec; /* a copy, with --set applied */
	struct at_template template;
};

/* The session itself; all pointers but options and summary belong to it. */
struct session {
	const struct at_session_options *options;
	struct at_session_summary *summary;
	struct at_loop *loop;
	struct at_compile_queue *compile_queue;
	struct at_assignment *assignment;
	struct at_store *store;
	struct lane *lanes;
	size_t lane_count;
	struct space *spaces;
	size_t space_count;
	struct space *space; /* the current space; NULL before the first */
	/* Toolchain whose compilers are warmed up while the devices are opened; NULL:
	   none. */
	const char *warm_toolchain;
	struct version versions[VERSIONS_MAX]; /* of each toolchain asked so far */
	size_t version_count;
	struct at_error error; /* the first error; the session ends with it */
	bool interrupted; /* a signal asked for the end */
};

/* Whether --problem names this problem, or no --problem was given. */
bool session_selects(const struct session *self, const struct at_problem *problem);
/* Whether all lanes have finished the current space. */
bool session_is_idle(const struct session *self);
/* Whether the problem may be tuned on this lane's device. A recording takes every
   problem: recordings of a GPU can be replayed on any machine. */
bool lane_is_for(const struct lane *self, const struct at_problem *problem);
/* Whether this process has a problem of the current space to tune in this lane. With
   --shard other processes may have all of them. */
bool lane_has_work(const struct lane *self);
/* Prepares the turns of the current space's problems. AT_EINVAL: --total is too short
   for them. */
enum at_status lane_begin_space(struct lane *self, struct at_error *err);
/* Begins the next problem of the current space, or the portfolio, or ends the lane. */
void lane_advance(struct lane *self);
/* Called by the session's tick, a few times a second: passes it on to what the lane
   runs. */
void lane_poke(struct lane *self);

#endif
