/*
 * Which of a session's problems this process tunes: all of them, or the share of one of
 * several processes.
 *
 * |   at_assignment_open(options, spaces, count, &assignment, &err);
 * |   at_assignment_folder(assignment)            where the record is
 * |   at_assignment_add(assignment, spec, problem, &err)
 * |                                               each pair that any process tunes
 * |   part = at_assignment_part(assignment, spec, problem);
 * |                                               count 0: another process tunes it
 * |   at_assignment_has_done(...), at_assignment_done(...)
 * |   at_assignment_close(assignment);
 *
 * A share has a results folder of its own, <results>/shards/<name>. Tasks on many nodes
 * never write to one record, since a database that several machines write over a
 * network file system is soon damaged. `autotune import` merges the records. The name
 * of the folder says what is shared out and which share it is, and nothing about the
 * job, so a task that is requeued, or a job that is submitted again, finds its own
 * record and continues. A file beside the record lists the pairs that this very job has
 * finished: a requeued job does not begin them again with a new budget.
 *
 * Threads: one.
 */
#ifndef AT_SESSION_ASSIGNMENT_H
#define AT_SESSION_ASSIGNMENT_H

#include "evaluator/workers/probe.h"
#include "session/session.h"

struct at_assignment; /* opaque */

/* Opens the assignment, and with a share makes its folder and reads what the job has
   finished. *out is the caller's. options and spaces are borrowed until
   at_assignment_close(). */
enum at_status at_assignment_open(const struct at_session_options *options,
	const struct at_spec *const *spaces, size_t space_count,
	struct at_assignment **out, struct at_error *err);
/* Closes it; NULL is allowed. */
void at_assignment_close(struct at_assignment *self);

/* The folder of the record: the session's results folder, or the share's. Borrowed. */
const char *at_assignment_folder(const struct at_assignment *self);
/* Writes for the user which share this is, and where its record is. False: nothing is
   shared out, and text is not touched. */
bool at_assignment_describe(const struct at_assignment *self, char *text, size_t size);

/* Adds a pair of space and problem. All processes must add the same pairs in the same
   order, and all of them before the first at_assignment_part(): each works out the
   shares of all. */
void at_assignment_add(struct at_assignment *self, const struct at_spec *spec,
	const struct at_problem *problem);
/* The part of the pair's space that is this process's; count 0: none of it. */
struct at_part at_assignment_part(const struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem);

/* Removes from `ids` the devices of this node that belong to its other tasks, where
   each task of the node sees all of its devices. */
void at_assignment_boards(const struct at_assignment *self, struct at_device_ids *ids);

/* Whether this job finished the problem on this device before it was requeued. */
bool at_assignment_has_done(const struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem,
	const struct at_device_info *device);
/* Notes that it is finished: it is on disk when this returns. Outside of a job nothing
   is noted. */
enum at_status at_assignment_done(struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem,
	const struct at_device_info *device, struct at_error *err);

#endif
