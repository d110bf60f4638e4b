/*
 * Which of a session's problems this process tunes: all of them, or the share of one of
 * several processes.
 *
 * |   at_deal_open(options, spaces, count, &deal, &err);
 * |   at_deal_folder(deal)                         where the record is
 * |   at_deal_add(deal, spec, problem, &err)       each pair that any process tunes
 * |   part = at_deal_part(deal, spec, problem);    count 0: another process tunes it
 * |   at_deal_has_done(...), at_deal_done(...)
 * |   at_deal_close(deal);
 *
 * Threads: one.
 */
#ifndef AT_SESSION_DEAL_H
#define AT_SESSION_DEAL_H

#include "evaluator/workers/probe.h"
#include "session/session.h"

struct at_deal; /* opaque */

/* Opens the deal, and with a share its folder (session/shard.h). *out is the caller's.
   options and spaces are borrowed until at_deal_close(). */
enum at_status at_deal_open(const struct at_session_options *options,
	const struct at_spec *const *spaces, size_t space_count, struct at_deal **out,
	struct at_error *err);
/* Closes it; NULL is allowed. */
void at_deal_close(struct at_deal *self);

/* The folder of the record: the session's results folder, or the share's. Borrowed. */
const char *at_deal_folder(const struct at_deal *self);
/* Writes for the user which share this is, and where its record is. False: nothing is
   shared out, and text is not touched. */
bool at_deal_describe(const struct at_deal *self, char *text, size_t size);

/* Adds a pair of space and problem. All processes must add the same pairs in the same
   order, and all of them before the first at_deal_part(): each works out the shares of
   all. */
enum at_status at_deal_add(struct at_deal *self, const struct at_spec *spec,
	const struct at_problem *problem, struct at_error *err);
/* The part of the pair's space that is this process's; count 0: none of it. */
struct at_part at_deal_part(const struct at_deal *self, const struct at_spec *spec,
	const struct at_problem *problem);

/* Removes from `ids` the devices of this node that belong to its other tasks, where
   each task of the node sees all of its devices. */
void at_deal_boards(const struct at_deal *self, struct at_device_ids *ids);

/* Whether this job finished the problem on this device before it was requeued. */
bool at_deal_has_done(const struct at_deal *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_device_info *device);
/* Notes that it is finished; does nothing where nothing is shared out. */
enum at_status at_deal_done(struct at_deal *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_device_info *device,
	struct at_error *err);

#endif
