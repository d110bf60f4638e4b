/* Shows the events of a session: see tell.h. */
#include "cli/tell.h"
#include "cli/events.h"
#include "cli/output.h"
#include "cli/portfolio.h"
#include "cli/summary.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

void at_teller_begin(struct at_teller *self)
{
	at_progress_begin(&self->display);
}

void at_teller_end(struct at_teller *self)
{
	at_progress_end(&self->display);
	at_lanes_release(&self->lanes);
}

void at_teller_tick(void *context)
{
	struct at_teller *self = context;

	if (!self->quiet)
		at_progress_draw(&self->display, &self->lanes, at_clock_now_ns());
}

static void tell_portfolio(const struct at_teller *self, const struct at_event *event)
{
	struct at_strbuf text = { 0 };

	if (self->quiet || self->json)
		return;
	at_portfolio_write_text(event, self->lanes.wide, &text);
	at_print_folded(&text);
}

/* A note is about a problem on a device, or about the whole run. */
static void tell_note(const struct at_teller *self, const struct at_event *event,
	const struct at_lane *lane)
{
	if (self->quiet || !event->text)
		return;
	if (lane && event->problem)
		at_say("%s: %s", lane->label, event->text);
	else
		at_say("autotune: %s", event->text);
}

/* Without a display, a run that waits must not look like one that hangs. */
static void tell_state(const struct at_teller *self, struct at_lane *lane)
{
	/* Runs that take turns on a device would repeat the same line. */
	if (self->quiet || self->display.redraws || !lane->state[0] ||
		!strcmp(lane->state, lane->told_state))
		return;
	snprintf(lane->told_state, sizeof(lane->told_state), "%s", lane->state);
	at_say("%s: %s", lane->label, lane->state);
}

void at_teller_listen(void *context, const struct at_event *event)
{
	struct at_teller *self = context;
	struct at_json *object;
	struct at_strbuf text = { 0 };
	struct at_page page;
	struct at_lane *lane;
	struct at_best best;

	if (self->json && at_event_to_json(event, &object))
		at_print_json(object);
	if (event->kind == AT_EVENT_PORTFOLIO) {
		tell_portfolio(self, event);
		return;
	}
	if (!event->problem) {
		tell_note(self, event, NULL);
		return;
	}
	lane = at_lanes_find(&self->lanes, event);
	at_lane_update(lane, event, at_clock_now_ns());
	switch (event->kind) {
	case AT_EVENT_INCUMBENT:
		/* A display shows the incumbent itself. */
		if (!self->quiet && !self->display.redraws) {
			at_progress_write_incumbent(lane, &text);
			at_say_block(&text);
		}
		break;
	case AT_EVENT_NOTE:
		tell_note(self, event, lane);
		break;
	case AT_EVENT_SUMMARY:
		if (!self->quiet && !self->json) {
			page = at_page_of_stdout(&text);
			page.wide = lane->wide;
			at_summary_write(event, lane, &page);
			at_print_folded(&text);
		} else if (!self->json && !at_event_best(event, &best)) {
			/* the exit code alone would not say of which problem, nor why
			 */
			at_summary_write_failure(event, lane, &text);
			at_say_block(&text);
		}
		at_lanes_remove(&self->lanes, lane);
		break;
	case AT_EVENT_STATE:
		tell_state(self, lane);
		break;
	case AT_EVENT_NONE:
	case AT_EVENT_BEGIN:
	case AT_EVENT_EVALUATION:
	case AT_EVENT_PHASE:
	case AT_EVENT_REVISIT: /* cli/nightly.c shows revisits */
	case AT_EVENT_PORTFOLIO:
		break;
	}
	at_strbuf_release(&text);
	at_teller_tick(self);
}
