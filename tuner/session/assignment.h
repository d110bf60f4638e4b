/*
 * Which of a session's problems this process tunes: all of them, or its share.
 *
 * |   at_assignment_open(options, spaces, count, &assignment, &err);
 * |   at_assignment_folder(assignment)            where the record is
 * |   at_assignment_add(assignment, spec, problem)
 * |                                               each pair that any process tunes
 * |   part = at_assignment_part(assignment, spec, problem);
 * |                                               count 0: another process tunes it
 * |   at_assignment_has_done(...), at_assignment_done(...)
 * |   at_assignment_close(assignment);
 *
 * Each share has its own results folder, <results>/shards/<name>. Nodes never share a
 * record: a database that several machines write over a network file system is soon
 * corrupted. `autotune import` merges the records. The folder's name identifies the
 * work and the share but not the job, so that a requeued or resubmitted job continues
 * its own record. A file beside the record lists the pairs that this job has finished:
 * a requeued job does not start them again with a new budget.
 *
 * Threads: one.
 */
#ifndef AT_SESSION_ASSIGNMENT_H
#define AT_SESSION_ASSIGNMENT_H

#include "evaluator/workers/probe.h"
#include "session/session.h"

struct at_assignment; /* opaque */

/* Opens the assignment; a share makes its folder and reads the list of finished pairs.
 *out is the caller's. options and spaces are borrowed until at_assignment_close(). */
enum at_status at_assignment_open(const struct at_session_options *options,
	const struct at_spec *const *spaces, size_t space_count,
	struct at_assignment **out, struct at_error *err);
/* Closes it; NULL is allowed. */
void at_assignment_close(struct at_assignment *self);

/* The folder of the record: the session's results folder, or the share's. Borrowed. */
const char *at_assignment_folder(const struct at_assignment *self);
/* Describes the share and the place of its record for the user. False: there are no
   shares; text is unchanged. */
bool at_assignment_describe(const struct at_assignment *self, char *text, size_t size);

/* Adds a pair of space and problem. All processes must add the same pairs in the same
   order before the first at_assignment_part(), since each process computes all
   shares. */
void at_assignment_add(struct at_assignment *self, const struct at_spec *spec,
	const struct at_problem *problem);
/* This process's part of the pair's space; count 0: no part. */
struct at_part at_assignment_part(const struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem);

/* Removes from `ids` the devices that belong to other tasks of this node, if each task
   sees all devices of the node. */
void at_assignment_boards(const struct at_assignment *self, struct at_device_ids *ids);

/* Whether this job finished the problem on this device before it was requeued. */
bool at_assignment_has_done(const struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem,
	const struct at_device_info *device);
/* Records that the problem is finished, on disk before it returns. Does nothing outside
   of a job. */
enum at_status at_assignment_done(struct at_assignment *self,
	const struct at_spec *spec, const struct at_problem *problem,
	const struct at_device_info *device, struct at_error *err);

#endif
