/*
 * What of a session is done here: all of it, or the share of one of several processes.
 *
 *   at_deal_open(options, spaces, count, &deal, &err);
 *   at_deal_folder(deal)                         where the record is
 *   at_deal_add(deal, spec, problem, &err)       each pair that is tuned by anybody
 *   part = at_deal_part(deal, spec, problem);    count 0: by another one
 *   at_deal_has_done(...), at_deal_done(...)
 *   at_deal_close(deal);
 *
 * Threads: one.
 */
#ifndef AT_SESSION_DEAL_H
#define AT_SESSION_DEAL_H

#include "evaluator/workers/probe.h"
#include "session/session.h"

struct at_deal; /* opaque */

/* options and spaces are borrowed until at_deal_close(). */
enum at_status at_deal_open(const struct at_session_options *options,
	const struct at_spec *const *spaces, size_t space_count, struct at_deal **out,
	struct at_error *err);
void at_deal_close(struct at_deal *self);

/* A results folder: the session's own, or the share's. */
const char *at_deal_folder(const struct at_deal *self);
/* For people: which share this is, and where. False: there is nothing to say. */
bool at_deal_describe(const struct at_deal *self, char *text, size_t size);

/* In the same order in all processes, all of them before the first is asked for. */
enum at_status at_deal_add(struct at_deal *self, const struct at_spec *spec,
	const struct at_problem *problem, struct at_error *err);
struct at_part at_deal_part(const struct at_deal *self, const struct at_spec *spec,
	const struct at_problem *problem);

/* Leaves those devices of this node that are this task's, where all of its tasks see
   all of them. */
void at_deal_boards(const struct at_deal *self, struct at_device_ids *ids);

/* Whether the job did it to its end before it was requeued. */
bool at_deal_has_done(const struct at_deal *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_device_info *device);
enum at_status at_deal_done(struct at_deal *self, const struct at_spec *spec,
	const struct at_problem *problem, const struct at_device_info *device,
	struct at_error *err);

#endif
