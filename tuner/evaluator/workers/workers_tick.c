/* Called while time passes: tells what is being done and waited for, and ends waits
   that are too long. */
#include "evaluator/workers/workers_parts.h"

#include "base/owner.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Two runs on one board take turns evaluation by evaluation; a longer wait is told. */
#define WAIT_SHOWN_NS UINT64_C(1000000000)
#define MINUTE_NS UINT64_C(60000000000)

/* What is done ahead of the first answer, which may take a minute: a person should not
   think that nothing happens. */
static const char *find_step(const struct workers *self)
{
	const struct setup_unit *reference = &self->workloads[0].reference;
	struct at_evaluator_load load;

	if (self->has_answered)
		return "";
	if (reference->is_wanted && !reference->path)
		return "compiling the reference";
	self->base.ops->load(&self->base, &load);
	if (load.measuring)
		return "running the reference and the first configuration";
	return load.compiling || load.waiting ? "compiling the first configurations"
					      : "starting";
}

static void tell_step(struct workers *self)
{
	const char *step = find_step(self);

	if (self->step && !strcmp(step, self->step))
		return;
	self->step = step;
	workers_tell(self, AT_NOTICE_STEP, step);
}

/* Tells when the machine fails and when it is well again, for a person who looks on or
   reads the log of a night. */
static void tell_trouble(struct workers *self)
{
	char text[sizeof(self->trouble)];

	at_compilers_trouble(at_farm_compilers(self->options.farm), text, sizeof(text));
	for (size_t i = 0; i < self->seat_count && !text[0]; i++)
		at_board_trouble(self->seats[i].board, text, sizeof(text));
	if (!strcmp(text, self->trouble))
		return;
	snprintf(self->trouble, sizeof(self->trouble), "%s", text);
	workers_tell(self, AT_NOTICE_NOTE, text[0] ? text : "goes on");
}

/* "waiting for another autotune on cuda:0, pid 1234 of alice, for 3 min" */
static void describe_waiting(const struct seat *seat, char *text, size_t size)
{
	uint64_t minutes = at_board_waiting_ns(seat->board) / MINUTE_NS;
	char owner[64], since[32] = "";

	at_process_describe(at_board_waits_for(seat->board), owner, sizeof(owner));
	if (minutes)
		snprintf(since, sizeof(since), ", for %" PRIu64 " min", minutes);
	snprintf(text, size, "waiting for another autotune on %s%s%s%s", seat->info->id,
		owner[0] ? ", " : "", owner, since);
}

/* The wait for another program has reached its limit: go on with the other boards, or
   fail. */
static void give_up_waiting(struct workers *self, struct seat *seat)
{
	struct at_error err = { 0 };
	char owner[64], limit[32];

	at_process_describe(at_board_waits_for(seat->board), owner, sizeof(owner));
	at_text_duration(self->options.wait_seconds * 1e9, limit, sizeof(limit));
	at_fail(&err, AT_EUNAVAILABLE, NULL, 0,
		"device %s: %s has had it for %s, longer than --wait: end that, or wait longer",
		seat->info->id, owner[0] ? owner : "another program", limit);
	if (workers_seats_left(self) > 1)
		workers_leave_out(self, seat, err.text);
	else
		workers_fail(self, &err);
}

void workers_tick(struct at_evaluator *base)
{
	struct workers *self = (struct workers *)base;
	double most = self->options.wait_seconds;
	char text[256] = "";

	for (size_t i = 0; i < self->seat_count && !self->failed; i++) {
		struct seat *seat = &self->seats[i];
		uint64_t waiting_ns = at_board_waiting_ns(seat->board);

		if (!seat->is_left_out && most > 0 && (double)waiting_ns * 1e-9 >= most)
			give_up_waiting(self, seat);
		else if (waiting_ns >= WAIT_SHOWN_NS)
			describe_waiting(seat, text, sizeof(text));
	}
	if (strcmp(text, self->state) != 0) {
		snprintf(self->state, sizeof(self->state), "%s", text);
		workers_tell(self, AT_NOTICE_STATE, text);
	}
	tell_step(self);
	tell_trouble(self);
	workers_tell_due(self);
	workers_tick_checks(self);
	workers_tick_coverage(self);
}
