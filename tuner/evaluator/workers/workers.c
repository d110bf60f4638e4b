#include "evaluator/workers/workers.h"

#include "base/clock.h"
#include "base/memory.h"
#include "evaluator/workers/copies.h"
#include "kernel/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* where the space does not say */
#define DEADLINE_SECONDS 30.0
#define SAMPLES_MIN 6
#define SAMPLES_MAX 60
#define SAMPLING_SECONDS 0.5
/* any two will do: the data of the search, and other data for the proofs */
#define FILL_SEED 1
#define PROOF_SEED 20011
/* boards of one model differ by a per cent or so; who is further off than this, and
   whose interval does not meet the other's, would decide searches by being measured on
 */
#define BOARDS_AGREE 1.02
/* and they may drift: looked after so often */
#define AGREE_AGAIN_NS UINT64_C(30000000000)
/* two runs on one board take turns an evaluation: a wait so long is worth a word */
#define WAIT_SHOWN_NS UINT64_C(1000000000)

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
};

/* A problem with its data: the tuned one, then those that a winner is proved on. */
struct scene {
	struct workers *owner;
	struct at_plan plan;
	struct part reference;
	struct at_board_setup setup;
	bool is_needed; /* something is to run on it */
	bool is_set_up; /* setup holds what a board needs */
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
	void *context;
};

/* The finals on their way. */
struct finals {
	struct at_finals_options options;
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

struct workers {
	struct at_evaluator base;
	struct at_workers_options options;
	struct scene *scenes; /* the tuned one first */
	size_t scene_count;
	struct part support;
	struct seat seats[AT_BOARDS_MAX];
	size_t seat_count;
	struct item *items;
	size_t item_count;
	struct item *ready_first;
	struct item **ready_last;
	size_t ready_count;
	struct item *first; /* is measured before all others; NULL: there is none */
	struct finals finals;
	struct at_copies *copies;
	double incumbent_ns;
	/* the best that was measured in full: what boards are compared by */
	struct item *yardstick;
	const struct seat *yardstick_seat;
	bool holding; /* the compilers, while a device needs their cores */
	bool is_telling_later;
	bool failed; /* told with an error: nothing more is answered */
	struct at_error error; /* that one */
	char state[256]; /* told last */
};

static void pump(struct workers *self);

static struct workers *of(struct at_evaluator *base)
{
	return (struct workers *)base;
}

static const struct workers *of_const(const struct at_evaluator *base)
{
	return (const struct workers *)base;
}

static void tell(struct workers *self, enum at_told_kind kind, const char *text)
{
	if (self->base.tell)
		self->base.tell(self->base.tell_context, kind, text);
}

/* ---- items ------------------------------------------------------------------------
 */

static void free_item(struct item *item)
{
	at_planned_free(item->planned);
	at_measure_result_release(&item->result);
	free(item->unit);
	free(item->log);
	free(item);
}

static void unlink_item(struct workers *self, struct item *item)
{
	struct item **link = &self->items;

	while (*link && *link != item)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = item->next;
	self->item_count--;
	if (item == self->first)
		self->first = NULL;
}

static struct item *pop_ready(struct workers *self)
{
	struct item *item = self->ready_first;

	self->ready_first = item->next_ready;
	if (!self->ready_first)
		self->ready_last = &self->ready_first;
	self->ready_count--;
	return item;
}

/* before = true: whatever else is ready waits for it */
static void push_ready(struct workers *self, struct item *item, bool before)
{
	item->stage = STAGE_READY;
	item->next_ready = NULL;
	if (before) {
		item->next_ready = self->ready_first;
		self->ready_first = item;
		if (!item->next_ready)
			self->ready_last = &item->next_ready;
	} else {
		*self->ready_last = item;
		self->ready_last = &item->next_ready;
	}
	self->ready_count++;
}

/* ---- answers -----------------------------------------------------------------------
 */

static void answer(struct workers *self, struct item *item)
{
	struct at_answer answer = {
		.planned = item->planned,
		.outcome = item->outcome,
		.detail = item->detail,
		.log = item->log ? item->log : "",
		.facts = item->facts,
		.result = item->is_measured ? &item->result : NULL,
		.image = item->image,
		.is_copy = item->is_copy,
		.board = item->seat ? item->seat->info->uuid : "",
	};

	unlink_item(self, item);
	if (item->proved) {
		item->proved(item->context, item->outcome, item->detail, NULL);
	} else {
		item->answered(item->context, &answer, NULL);
		item->planned = answer.planned;
	}
	/* whoever was told may have kept what it is launched with */
	if (item == self->yardstick && !item->planned)
		self->yardstick = NULL;
	if (item != self->yardstick)
		free_item(item);
}

/* whether support and reference compile is known: if not, that is what to tell, and
   not what became of configurations beside them */
static bool parts_are_known(const struct workers *self, const struct scene *scene)
{
	return self->support.path &&
	       (scene->reference.path ||
		       self->options.spec->reference.kind != AT_REFERENCE_KERNEL);
}

static void tell_due(void *context)
{
	struct workers *self = context;
	struct item *item = self->items;

	self->is_telling_later = false;
	while (item && !self->failed) {
		if (item->stage != STAGE_TOLD) {
			item = item->next;
			continue;
		}
		/* one that did not come to a board waits until parts are known */
		if (item->outcome != AT_OUTCOME_NONE && !item->is_measured &&
			item->planned->outcome == AT_OUTCOME_OK &&
			!parts_are_known(self, item->scene)) {
			item = item->next;
			continue;
		}
		/* what it is told may begin others, stop all or end the search */
		answer(self, item);
		item = self->items;
	}
	pump(self);
}

static void tell_later(struct workers *self)
{
	if (self->is_telling_later)
		return;
	/* without memory for that the tick of the session comes to it */
	self->is_telling_later =
		!at_loop_later(self->options.loop, tell_due, self, NULL);
}

static void decide(struct workers *self, struct item *item, enum at_outcome outcome,
	const char *detail)
{
	item->stage = STAGE_TOLD;
	item->outcome = outcome;
	snprintf(item->detail, sizeof(item->detail), "%s", detail);
	tell_later(self);
}

/* Nothing more can be done: whoever waits hears of it once. */
static void fail(struct workers *self, const struct at_error *err)
{
	struct item *item = self->items;

	if (self->failed)
		return;
	self->failed = true;
	/* where nobody waits now, whoever asks next is told */
	self->error = *err;
	if (self->finals.answered)
		self->finals.answered(self->finals.context, NULL, 0, err);
	else if (item && item->proved)
		item->proved(item->context, AT_OUTCOME_NONE, "", err);
	else if (item)
		item->answered(item->context, NULL, err);
}

static enum at_status refuse(const struct workers *self, struct at_error *err)
{
	if (err && !err->status)
		*err = self->error;
	return self->error.status;
}

/* ---- what setups need
 * ---------------------------------------------------------------- */

static void release_part(struct part *part)
{
	free(part->path);
	free(part->symbol);
}

static void part_compiled(struct workers *self, struct part *part, const char *what,
	const char *kernel, const char *path, const struct at_compile_result *result,
	const struct at_error *problem)
{
	const struct at_spec *spec = self->options.spec;
	struct at_error err = { 0 };
	char line[512];

	if (problem) {
		fail(self, problem);
		return;
	}
	if (result->outcome != AT_OUTCOME_OK) {
		at_compile_first_error(
			result->log ? result->log : "", line, sizeof(line));
		at_fail(&err, AT_EINVAL, spec->path, 0,
			"%s does not compile for %s: %s", what,
			self->base.info.device.id, line);
		fail(self, &err);
		return;
	}
	part->path = at_strdup(path);
	part->symbol = at_strdup("");
	for (size_t i = 0; kernel && i < result->kernel_count; i++)
		if (!strcmp(result->kernels[i].name, kernel)) {
			free(part->symbol);
			part->symbol = at_strdup(result->kernels[i].symbol);
		}
	if (!part->path || !part->symbol) {
		at_fail_memory(&err);
		fail(self, &err);
		return;
	}
	tell_later(self);
	pump(self);
}

static void support_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *err)
{
	struct workers *self = context;

	part_compiled(self, &self->support, "the unit of the tuner's own kernels", NULL,
		path, result, err);
}

static void reference_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *err)
{
	struct scene *scene = context;
	struct workers *self = scene->owner;

	part_compiled(self, &scene->reference, "the reference (with the defaults)",
		self->options.spec->reference.call.kernel, path, result, err);
}

static enum at_status want_part(struct workers *self, struct part *part,
	struct at_compile_request *request, at_farmed done, void *context,
	struct at_error *err)
{
	enum at_status status;

	part->is_wanted = true;
	part->id = at_compile_identity(request, self->options.toolchain);
	status = at_farm_want(
		self->options.farm, request, part->id, true, done, context, err);
	at_compile_request_release(request);
	return status;
}

/* asks for what the setup of a scene still needs; both before either is waited for */
static enum at_status want_parts(
	struct workers *self, struct scene *scene, struct at_error *err)
{
	const struct at_spec *spec = self->options.spec;
	struct at_compile_request request;
	enum at_status status = AT_OK;

	scene->is_needed = true;
	if (!self->support.is_wanted) {
		status = at_plan_compile_support(&self->scenes[0].plan, &request, err);
		if (!status)
			status = want_part(self, &self->support, &request,
				support_compiled, self, err);
	}
	if (!status && !scene->reference.is_wanted &&
		spec->reference.kind == AT_REFERENCE_KERNEL) {
		status = at_plan_compile(
			&scene->plan, spec->defaults, AT_UNIT_REFERENCE, &request, err);
		if (!status)
			status = want_part(self, &scene->reference, &request,
				reference_compiled, scene, err);
	}
	return status;
}

/*
 * The setup's own units are out of the cache, which other runs trim too: they are
 * compiled again. The configuration's own is looked for by at_farm_want().
 */
static enum at_status want_lost_parts(
	struct workers *self, struct scene *scene, struct at_error *err)
{
	struct part *const parts[] = { &self->support, &scene->reference };

	for (size_t i = 0; i < 2; i++) {
		struct at_compile_result found;

		if (!parts[i]->path)
			continue;
		if (!at_unit_read(parts[i]->path, &found, false, NULL)) {
			at_compile_result_release(&found);
			continue;
		}
		release_part(parts[i]);
		*parts[i] = (struct part){ .path = NULL };
		/* it may come back elsewhere; requests that are out go on with what
		   they have, since a setup is known by its contents */
		for (size_t j = 0; j < self->scene_count; j++)
			self->scenes[j].is_set_up = false;
	}
	return want_parts(self, scene, err);
}

/* the message that makes a board's buffers and expected outputs for this scene */
static enum at_status set_up(
	struct workers *self, struct scene *scene, struct at_error *err)
{
	bool has_reference = self->options.spec->reference.kind == AT_REFERENCE_KERNEL;
	struct at_wire_writer body = { { 0 } };
	const struct at_measure_setup *setup;
	struct at_hasher *hasher;
	struct at_measure_setup with_symbol;
	struct at_hash identity;
	static char no_symbol[] = "";
	enum at_status status;

	if (scene->is_set_up || !self->support.path ||
		(has_reference && !scene->reference.path))
		return AT_OK;
	status = at_plan_borrow_setup(&scene->plan, &setup, &identity, err);
	if (!status)
		status = at_hasher_new(&hasher, err);
	if (status)
		return status;
	at_hasher_add(hasher, &identity, sizeof(identity));
	at_hasher_add(hasher, &self->support.id, sizeof(self->support.id));
	at_hasher_add(hasher, &scene->reference.id, sizeof(scene->reference.id));
	scene->setup.id = at_hasher_result(hasher);
	at_hasher_free(hasher);
	with_symbol = *setup;
	with_symbol.reference_call.symbol =
		has_reference ? scene->reference.symbol : no_symbol;
	at_wire_put_u64(&body, scene->setup.id.low);
	at_wire_put_u64(&body, scene->setup.id.high);
	at_wire_put_text(&body, self->support.path);
	at_wire_put_text(&body, has_reference ? scene->reference.path : "");
	at_put_setup(&body, &with_symbol);
	if (body.bytes.failed) {
		at_strbuf_release(&body.bytes);
		return at_fail_memory(err);
	}
	at_strbuf_release(&scene->setup.body);
	scene->setup.body = body.bytes;
	scene->is_set_up = true;
	return AT_OK;
}

/* ---- compiling
 * ------------------------------------------------------------------------- */

static char *symbol_of(const struct at_compile_result *compiled, const char *name)
{
	for (size_t i = 0; name && i < compiled->kernel_count; i++)
		if (!strcmp(compiled->kernels[i].name, name))
			return at_strdup(compiled->kernels[i].symbol);
	return at_strdup("");
}

static enum at_status set_symbols(const struct workers *self,
	const struct at_compile_result *compiled, struct at_measure_request *request,
	struct at_error *err)
{
	const struct at_spec *spec = self->options.spec;

	request->kernel.symbol = symbol_of(compiled, spec->kernel);
	request->prepare.symbol = symbol_of(compiled, spec->prepare.kernel);
	request->finish.symbol = symbol_of(compiled, spec->finish.kernel);
	if (!request->kernel.symbol || !request->prepare.symbol ||
		!request->finish.symbol)
		return at_fail_memory(err);
	return AT_OK;
}

static void release_symbols(struct at_measure_request *request)
{
	free(request->kernel.symbol);
	free(request->prepare.symbol);
	free(request->finish.symbol);
	request->kernel.symbol = request->prepare.symbol = request->finish.symbol =
		NULL;
}

static void fill_facts(const struct scene *scene, const struct at_planned *planned,
	const struct at_compile_result *compiled, struct at_facts *facts)
{
	const struct at_geometry *geometry = &planned->request.kernel.geometry;
	const struct at_kernel_facts *kernel =
		compiled->kernel_count ? &compiled->kernels[0] : NULL;
	struct at_occupancy occupancy;
	bool has_occupancy =
		kernel && at_plan_occupancy(&scene->plan, kernel, geometry, &occupancy);

	at_facts_fill(facts, kernel, geometry, has_occupancy ? &occupancy : NULL,
		(int64_t)compiled->compile_ns);
}

static void set_sampling(const struct workers *self, struct at_measure_request *request)
{
	const struct at_search_defaults *given = &self->options.spec->search;

	request->samples_min =
		given->samples_min > 0 ? (uint32_t)given->samples_min : SAMPLES_MIN;
	request->samples_max =
		given->samples_max > 0 ? (uint32_t)given->samples_max : SAMPLES_MAX;
	if (request->samples_max < request->samples_min)
		request->samples_max = request->samples_min;
	request->sampling_seconds = SAMPLING_SECONDS;
}

/* what one of the same image, launched in the same way on the same data, shares */
static struct at_hash identify_image(
	const struct item *item, const struct at_compile_result *compiled)
{
	const struct at_measure_setup *setup;
	struct at_hasher *hasher;
	struct at_hash identity;
	struct at_hash none = { 0 }, hash;

	if (at_plan_borrow_setup(&item->scene->plan, &setup, &identity, NULL) ||
		at_hasher_new(&hasher, NULL))
		return none;
	at_hasher_add(hasher, &compiled->image_hash, sizeof(compiled->image_hash));
	at_hasher_add(hasher, &identity, sizeof(identity));
	at_fields_hash(&at_measure_request_identity, &item->planned->request, hasher);
	/* together in the record's index, as the keys of a problem are */
	hash = at_hash_grouped(identity, at_hasher_result(hasher));
	at_hasher_free(hasher);
	return hash;
}

/* compiled: to a board, unless it cannot be launched */
static void route(struct workers *self, struct item *item,
	const struct at_compile_result *compiled)
{
	const struct at_geometry *geometry = &item->planned->request.kernel.geometry;
	enum at_outcome outcome = compiled->outcome;
	char detail[512] = "";

	if (outcome != AT_OUTCOME_OK)
		at_compile_first_error(
			compiled->log ? compiled->log : "", detail, sizeof(detail));
	else
		outcome = at_plan_check_resources(&item->scene->plan,
			&compiled->kernels[0], geometry, detail, sizeof(detail));
	if (outcome != AT_OUTCOME_OK) {
		decide(self, item, outcome, detail);
		return;
	}
	if (!item->proved)
		item->image = identify_image(item, compiled);
	push_ready(self, item, item == self->first);
}

static void item_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct item *item = context;
	struct workers *self = item->owner;
	struct at_error err = { 0 };

	if (problem) {
		fail(self, problem);
		return;
	}
	free(item->unit);
	free(item->log);
	item->unit = at_strdup(path);
	item->log = at_strdup(result->log ? result->log : "");
	fill_facts(item->scene, item->planned, result, &item->facts);
	if (!item->unit || !item->log ||
		set_symbols(self, result, &item->planned->request, &err)) {
		at_fail_memory(&err);
		fail(self, &err);
		return;
	}
	set_sampling(self, &item->planned->request);
	item->planned->request.seed = item->options.seed;
	item->planned->request.verify_only = item->proved != NULL;
	route(self, item, result);
	pump(self);
}

static enum at_status want_item(struct item *item, struct at_error *err)
{
	item->stage = STAGE_COMPILING;
	return at_farm_want(item->owner->options.farm, &item->planned->compile,
		item->planned->unit, item == item->owner->first || item->proved,
		item_compiled, item, err);
}

/* takes planned over, also when it fails */
static enum at_status add_item(struct workers *self, struct scene *scene,
	struct at_planned *planned, const struct item *facts, struct at_error *err)
{
	struct item *item = malloc(sizeof(*item));
	enum at_status status = AT_OK;

	if (!item) {
		at_planned_free(planned);
		return at_fail_memory(err);
	}
	*item = *facts;
	item->owner = self;
	item->scene = scene;
	item->planned = planned;
	item->facts = (struct at_facts)AT_FACTS_UNKNOWN;
	item->next = self->items;
	self->items = item;
	self->item_count++;
	if (item->options.first)
		self->first = item;
	if (self->failed) {
		status = refuse(self, err);
		unlink_item(self, item);
		free_item(item);
		return status;
	}
	if (planned->outcome != AT_OUTCOME_OK) {
		decide(self, item, planned->outcome, planned->detail);
		return AT_OK;
	}
	status = want_parts(self, scene, err);
	if (!status)
		status = want_item(item, err);
	if (status) {
		unlink_item(self, item);
		free_item(item);
	}
	return status;
}

/* ---- boards
 * ------------------------------------------------------------------------------ */

static double deadline_seconds(const struct workers *self)
{
	double given = self->options.spec->search.deadline_seconds;

	return given > 0 ? given : DEADLINE_SECONDS;
}

static size_t seats_left(const struct workers *self)
{
	size_t count = 0;

	for (size_t i = 0; i < self->seat_count; i++)
		count += !self->seats[i].is_left_out;
	return count;
}

/* finals and proofs are its; and where no yardstick is found yet, all is */
static struct seat *lead_seat(struct workers *self)
{
	for (size_t i = 0; i < self->seat_count; i++)
		if (!self->seats[i].is_left_out)
			return &self->seats[i];
	return &self->seats[0];
}

/* Its like was measured: the same result, and no launch. */
static void copy_measured(struct workers *self, struct item *item,
	const struct at_measure_result *result, const struct seat *seat)
{
	item->result = *result;
	item->result.samples_ns = NULL;
	item->result.sample_count = 0;
	if (result->sample_count) {
		item->result.samples_ns =
			malloc(result->sample_count * sizeof(*result->samples_ns));
		if (item->result.samples_ns) {
			memcpy(item->result.samples_ns, result->samples_ns,
				result->sample_count * sizeof(*result->samples_ns));
			item->result.sample_count = result->sample_count;
		}
	}
	item->is_measured = item->is_copy = true;
	item->seat = (struct seat *)seat;
	decide(self, item, result->outcome, result->detail);
}

/* Those that waited for an item with the same image: its result is theirs. */
static void tell_likes(struct workers *self, struct item *item)
{
	struct item *like;

	at_copies_measured(self->copies, item->image, &item->result, item->seat);
	while ((like = at_copies_next_waiting(self->copies, item->image)) != NULL) {
		if (like->options.full && item->result.raced)
			push_ready(self, like, false);
		else
			copy_measured(self, like, &item->result, item->seat);
	}
}

/*
 * A claim is made when a board is free, and not before: whoever has it is at that
 * board, and nobody waits for one who waits himself. False: it waits for its like, or
 * has that one's result.
 */
static bool is_to_be_measured(struct workers *self, struct item *item)
{
	const struct at_measure_result *known;
	const void *seat;

	if (item->proved)
		return true;
	switch (at_copies_claim(
		self->copies, item->image, item->options.full, item, &known, &seat)) {
	case AT_COPIES_MEASURE:
		return true;
	case AT_COPIES_KNOWN:
		copy_measured(self, item, known, seat);
		return false;
	case AT_COPIES_WAIT:
		return false;
	}
	return true;
}

/* It will not be measured now: one of those that wait for it is instead. */
static void give_up_claim(struct workers *self, struct item *item)
{
	struct item *like;

	if (item->proved)
		return;
	at_copies_disclaim(self->copies, item->image);
	while ((like = at_copies_next_waiting(self->copies, item->image)) != NULL)
		push_ready(self, like, false);
}

/* The board does not work, or not like the others: what it has goes to those. */
static void leave_out(struct workers *self, struct seat *seat, const char *text)
{
	seat->is_left_out = true;
	seat->is_compared = false;
	at_board_retire(seat->board);
	for (struct item *item = self->items; item; item = item->next) {
		if (item->stage != STAGE_AT_BOARD || item->seat != seat)
			continue;
		item->seat = NULL;
		give_up_claim(self, item);
		push_ready(self, item, true);
	}
	if (self->finals.seat == seat)
		self->finals.seat = NULL;
	tell(self, AT_TOLD_NOTE, text);
}

/* of a board, and not of what was sent to it */
static bool is_boards_fault(const struct at_error *problem)
{
	return problem->status == AT_EDEVICE || problem->status == AT_EUNAVAILABLE;
}

static bool is_full_time(const struct item *item)
{
	return item->outcome == AT_OUTCOME_OK && item->is_measured &&
	       !item->result.raced;
}

/* the best so far that was measured in full is what the boards are compared by */
static void keep_yardstick(struct workers *self, struct item *item)
{
	struct item *old = self->yardstick;

	if (seats_left(self) < 2 || item->proved || item->is_copy ||
		!is_full_time(item) ||
		(old && old->result.time_ns <= item->result.time_ns))
		return;
	self->yardstick = item;
	self->yardstick_seat = item->seat;
	if (old)
		free_item(old);
	item->seat->agrees = true;
	item->seat->agreed_ns = at_clock_now_ns();
}

static void item_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *problem)
{
	struct item *item = context;
	struct workers *self = item->owner;
	struct at_error err = { 0 };
	char text[1400];

	(void)count;
	/* the error was the last that anybody heard */
	if (self->failed)
		return;
	if (!problem) {
		item->result = results[0];
		memset(&results[0], 0, sizeof(results[0]));
		item->is_measured = true;
		/* answered from here: we are on the loop already */
		item->stage = STAGE_TOLD;
		item->outcome = item->result.outcome;
		snprintf(item->detail, sizeof(item->detail), "%s", item->result.detail);
		if (!item->proved)
			tell_likes(self, item);
		keep_yardstick(self, item);
		answer(self, item);
	} else if (problem->status == AT_ENOENT && !item->was_compiled_again) {
		/* the unit was thrown out of the cache, or is damaged */
		item->was_compiled_again = true;
		item->seat = NULL;
		give_up_claim(self, item);
		release_symbols(&item->planned->request);
		if (want_lost_parts(self, item->scene, &err) || want_item(item, &err))
			fail(self, &err);
	} else if (is_boards_fault(problem) && seats_left(self) > 1) {
		/* a dying board costs itself, and not the search */
		snprintf(text, sizeof(text), "%s is left out: %s", item->seat->info->id,
			problem->text);
		leave_out(self, item->seat, text);
	} else {
		fail(self, problem);
	}
	pump(self);
}

static void send_item(struct workers *self, struct seat *seat, struct item *item)
{
	struct at_measure_request *request = &item->planned->request;
	struct at_error err = { 0 };

	item->stage = STAGE_AT_BOARD;
	item->seat = seat;
	/* the way to the winner is told by times, not by who lost early */
	request->incumbent_ns = item->options.full ? 0 : self->incumbent_ns;
	if (at_board_evaluate(seat->board, &item->scene->setup, item->unit, request,
		    deadline_seconds(self), item_measured, item, &err))
		fail(self, &err);
}

/* ---- do the boards agree?
 * ------------------------------------------------------------------ */

static void board_compared(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *problem)
{
	struct seat *seat = context;
	struct workers *self = seat->owner;
	struct at_error err = { 0 };
	char text[1400] = "";
	double ratio;

	(void)count;
	seat->is_compared = false;
	if (problem && problem->status == AT_ENOENT) {
		/* its unit, or one of the setup, is out of the cache: the next one that
		   is measured in full is what boards are compared by. Who agreed before
		   goes on. */
		if (self->yardstick)
			free_item(self->yardstick);
		self->yardstick = NULL;
		if (want_lost_parts(self, &self->scenes[0], &err))
			fail(self, &err);
		pump(self);
		return;
	}
	seat->agrees = true;
	seat->agreed_ns = at_clock_now_ns();
	if (problem) {
		snprintf(text, sizeof(text), "%s is left out: %s", seat->info->id,
			problem->text);
	} else if (results[0].outcome != AT_OUTCOME_OK) {
		snprintf(text, sizeof(text),
			"%s is left out: what is ok on %s is %s there: %s",
			seat->info->id, seat->expected_on,
			at_outcome_name(results[0].outcome), results[0].detail);
	} else {
		ratio = results[0].time_ns / seat->expected_ns;
		if ((ratio > BOARDS_AGREE &&
			    results[0].low_ns > seat->expected_high_ns) ||
			(ratio < 1 / BOARDS_AGREE &&
				results[0].high_ns < seat->expected_low_ns))
			snprintf(text, sizeof(text),
				"%s is left out: the same configuration takes %.4g us there and %.4g us on %s",
				seat->info->id, results[0].time_ns * 1e-3,
				seat->expected_ns * 1e-3, seat->expected_on);
	}
	/* the search goes on as long as there is a board */
	if (text[0] && seats_left(self) > 1)
		leave_out(self, seat, text);
	pump(self);
}

/* true: the seat may take work; false: it has to wait, or is being compared */
static bool agrees(struct workers *self, struct seat *seat)
{
	struct at_measure_request request;
	struct at_error err = { 0 };
	uint64_t now_ns = at_clock_now_ns();

	if (seats_left(self) < 2)
		return !seat->is_compared;
	if (!self->yardstick)
		/* the first board finds one */
		return seat == lead_seat(self) || seat->agrees;
	if (seat->agrees && (seat == self->yardstick_seat ||
				    now_ns - seat->agreed_ns < AGREE_AGAIN_NS))
		return true;
	/* alone, and nothing behind it before its answer is known */
	if (seat->is_compared || at_board_queued(seat->board))
		return false;
	request = self->yardstick->planned->request;
	request.incumbent_ns = 0;
	seat->is_compared = true;
	seat->expected_ns = self->yardstick->result.time_ns;
	seat->expected_low_ns = self->yardstick->result.low_ns;
	seat->expected_high_ns = self->yardstick->result.high_ns;
	seat->expected_on = self->yardstick_seat->info->id;
	if (at_board_evaluate(seat->board, &self->yardstick->scene->setup,
		    self->yardstick->unit, &request, deadline_seconds(self),
		    board_compared, seat, &err))
		fail(self, &err);
	return false;
}

/* ---- finals
 * ---------------------------------------------------------------------------------- */

static void release_finals(struct workers *self)
{
	/* by now nobody compiles for them, nor measures them */
	for (size_t i = 0; i < self->finals.count; i++) {
		struct contestant *contestant = &self->finals.contestants[i];

		release_symbols(&contestant->request);
		free(contestant->unit);
	}
	memset(&self->finals, 0, sizeof(self->finals));
}

static void drop_finals(struct workers *self)
{
	for (size_t i = 0; i < self->finals.count; i++)
		at_farm_forget(self->options.farm, &self->finals.contestants[i]);
	release_finals(self);
}

static enum at_status want_contestants(struct workers *self, struct at_error *err);

static void finals_measured(void *context, struct at_measure_result *results,
	size_t count, const struct at_error *err)
{
	struct workers *self = context;
	struct at_final finals[AT_FINALISTS_MAX] = { 0 };
	at_finals_answered answered = self->finals.answered;
	void *answered_context = self->finals.context;
	struct seat *seat = self->finals.seat;
	struct at_error problem = { 0 };
	char text[1400];

	if (self->failed)
		return;
	if (err && is_boards_fault(err) && seats_left(self) > 1) {
		snprintf(text, sizeof(text), "%s is left out: %s", seat->info->id,
			err->text);
		leave_out(self, seat, text);
		pump(self);
		return;
	}
	if (err && err->status == AT_ENOENT && !self->finals.was_compiled_again) {
		self->finals.was_compiled_again = true;
		if (want_lost_parts(self, &self->scenes[0], &problem) ||
			want_contestants(self, &problem))
			fail(self, &problem);
		return;
	}
	if (err) {
		fail(self, err);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		finals[i].facts = self->finals.contestants[i].facts;
		finals[i].result = results[i];
		memset(&results[i], 0, sizeof(results[i]));
	}
	release_finals(self);
	answered(answered_context, finals, count, NULL);
	for (size_t i = 0; i < count; i++)
		at_measure_result_release(&finals[i].result);
	pump(self);
}

static void contestant_compiled(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *problem)
{
	struct contestant *contestant = context;
	struct workers *self = contestant->owner;
	struct at_error err = { 0 };

	if (problem) {
		fail(self, problem);
		return;
	}
	contestant->request = contestant->planned->request;
	contestant->request.kernel.symbol = contestant->request.prepare.symbol =
		contestant->request.finish.symbol = NULL;
	if (result->outcome != AT_OUTCOME_OK) {
		at_fail(&err, AT_EINVAL, self->options.spec->path, 0,
			"a configuration that compiled before does not compile now: %.200s",
			result->log ? result->log : "");
	} else {
		fill_facts(&self->scenes[0], contestant->planned, result,
			&contestant->facts);
		contestant->unit = at_strdup(path);
		if (set_symbols(self, result, &contestant->request, &err) ||
			!contestant->unit)
			at_fail_memory(&err);
	}
	if (err.status) {
		fail(self, &err);
		return;
	}
	set_sampling(self, &contestant->request);
	contestant->request.sampling_seconds = self->finals.options.seconds;
	self->finals.compiled++;
	pump(self);
}

/* compiles all of them, or finds them in the cache */
static enum at_status want_contestants(struct workers *self, struct at_error *err)
{
	struct finals *finals = &self->finals;
	enum at_status status = AT_OK;

	finals->seat = NULL;
	finals->compiled = 0;
	for (size_t i = 0; i < finals->count && !status; i++) {
		struct contestant *contestant = &finals->contestants[i];

		release_symbols(&contestant->request);
		free(contestant->unit);
		contestant->unit = NULL;
		status = at_farm_want(self->options.farm, &contestant->planned->compile,
			contestant->planned->unit, true, contestant_compiled,
			contestant, err);
	}
	return status;
}

/* compiled and set up, and nothing else is out */
static bool finals_are_due(const struct workers *self)
{
	const struct finals *finals = &self->finals;

	return finals->answered && !finals->seat && finals->compiled == finals->count &&
	       self->scenes[0].is_set_up && !self->item_count && !self->failed;
}

/* Where compilers and kernels share the cores: the compilers are held, and none that
   was begun before runs any more. */
static bool has_cores(const struct workers *self)
{
	return !self->base.info.device.shares_cores ||
	       (self->holding &&
		       !at_compilers_running(at_farm_compilers(self->options.farm)));
}

static void send_finals(struct workers *self)
{
	struct finals *finals = &self->finals;
	struct at_measure_request requests[AT_FINALISTS_MAX];
	const char *units[AT_FINALISTS_MAX];
	struct seat *seat = lead_seat(self);
	struct at_error err = { 0 };

	if (!finals_are_due(self) || !has_cores(self) || at_board_queued(seat->board))
		return;
	finals->seat = seat;
	for (size_t i = 0; i < finals->count; i++) {
		requests[i] = finals->contestants[i].request;
		units[i] = finals->contestants[i].unit;
	}
	/* beside the rounds each of them is loaded, proved and warmed up */
	if (at_board_finals(seat->board, &self->scenes[0].setup, units, requests,
		    finals->count, finals->options.rounds, finals->options.seed,
		    finals->options.seconds + 2 * deadline_seconds(self),
		    finals_measured, self, &err))
		fail(self, &err);
}

/* ---- the pump
 * ---------------------------------------------------------------------------------- */

/*
 * Where compilers and kernels share the cores they take turns: a batch is compiled,
 * then measured with no compiler running. Not before the setup is there, whose own
 * units have to be compiled too, nor before the one that has to be the first.
 */
static void take_turns(struct workers *self)
{
	struct at_compilers *compilers = at_farm_compilers(self->options.farm);
	bool is_measuring = false, is_compiling = false, hold;

	if (!self->base.info.device.shares_cores)
		return;
	for (size_t i = 0; i < self->seat_count; i++)
		is_measuring =
			is_measuring || at_board_queued(self->seats[i].board) > 0;
	/* ours alone: others that share the compilers may never be done */
	for (const struct item *item = self->items; item; item = item->next)
		is_compiling = is_compiling || item->stage == STAGE_COMPILING;
	hold = is_measuring || finals_are_due(self) ||
	       (self->ready_first && self->ready_first->scene->is_set_up &&
		       (!self->first || self->ready_first == self->first) &&
		       (self->holding || !is_compiling));
	if (hold != self->holding) {
		self->holding = hold;
		at_compilers_hold(compilers, hold);
	}
}

static bool may_send(const struct workers *self)
{
	const struct item *next = self->ready_first;

	if (!next || self->failed || !next->scene->is_set_up)
		return false;
	if (self->first && next != self->first)
		return false;
	return has_cores(self);
}

/* the first of what is ready that has to be measured, and can be there; or NULL */
static struct item *next_for(struct workers *self, const struct seat *seat)
{
	while (may_send(self)) {
		struct item *item;

		/* proofs are the lead's: its buffers are there already */
		if (self->ready_first->proved && seat != lead_seat(self))
			return NULL;
		item = pop_ready(self);
		if (is_to_be_measured(self, item))
			return item;
	}
	return NULL;
}

static void pump(struct workers *self)
{
	const char *note = at_farm_note(self->options.farm);
	struct at_error err = { 0 };
	char text[1200];

	if (note[0]) {
		snprintf(text, sizeof(text),
			"compiled kernels are not kept for the next run: %s", note);
		tell(self, AT_TOLD_NOTE, text);
	}

	for (size_t i = 0; i < self->scene_count && !self->failed; i++)
		if (self->scenes[i].is_needed && set_up(self, &self->scenes[i], &err))
			fail(self, &err);
	take_turns(self);
	/* one each in turn, so that the last few are spread over the boards */
	for (size_t depth = 0; depth < AT_BOARD_DEPTH; depth++)
		for (size_t i = 0; i < self->seat_count && may_send(self); i++) {
			struct seat *seat = &self->seats[i];
			struct item *item;

			if (seat->is_left_out || at_board_queued(seat->board) > depth ||
				!agrees(self, seat))
				continue;
			item = next_for(self, seat);
			if (item)
				send_item(self, seat, item);
		}
	if (!self->failed)
		send_finals(self);
	take_turns(self);
}

/* ---- the table
 * ------------------------------------------------------------------------------------
 */

static enum at_status workers_plan(struct at_evaluator *base,
	const uint16_t *configuration, struct at_planned **out, struct at_error *err)
{
	struct workers *self = of(base);

	return at_planned_new(&self->scenes[0].plan, configuration, out, err);
}

static enum at_status workers_begin(struct at_evaluator *base,
	struct at_planned *planned, const struct at_trial_options *options,
	at_answered answered, void *context, struct at_error *err)
{
	struct workers *self = of(base);
	const struct item facts = {
		.options = *options,
		.answered = answered,
		.context = context,
	};

	return add_item(self, &self->scenes[0], planned, &facts, err);
}

static void workers_race(struct at_evaluator *base, double incumbent_ns)
{
	of(base)->incumbent_ns = incumbent_ns;
}

static enum at_status workers_finals(struct at_evaluator *base,
	const struct at_planned *const *planned, size_t count,
	const struct at_finals_options *options, at_finals_answered answered,
	void *context, struct at_error *err)
{
	struct workers *self = of(base);
	struct finals *finals = &self->finals;
	enum at_status status;

	if (self->failed)
		return refuse(self, err);
	memset(finals, 0, sizeof(*finals));
	finals->options = *options;
	finals->count = count;
	finals->answered = answered;
	finals->context = context;
	for (size_t i = 0; i < count; i++) {
		finals->contestants[i].owner = self;
		finals->contestants[i].planned = planned[i];
	}
	status = want_parts(self, &self->scenes[0], err);
	if (!status)
		status = want_contestants(self, err);
	if (status)
		drop_finals(self);
	return status;
}

static enum at_status workers_prove(struct at_evaluator *base,
	const uint16_t *configuration, size_t proof_case, at_proved proved,
	void *context, struct at_error *err)
{
	struct workers *self = of(base);
	struct scene *scene = &self->scenes[proof_case + 1];
	const struct item facts = { .proved = proved, .context = context };
	struct at_planned *planned;
	enum at_status status;

	status = at_planned_new(&scene->plan, configuration, &planned, err);
	if (status)
		return status;
	if (!at_plan_admits(&scene->plan, configuration)) {
		planned->outcome = AT_OUTCOME_NOT_APPLICABLE;
		snprintf(planned->detail, sizeof(planned->detail),
			"its constraints exclude it there");
	}
	return add_item(self, scene, planned, &facts, err);
}

static const char *workers_case_name(const struct at_evaluator *base, size_t proof_case)
{
	return of_const(base)->scenes[proof_case + 1].plan.problem->name;
}

static void workers_cancel(struct at_evaluator *base)
{
	struct workers *self = of(base);

	for (struct item *item = self->items; item; item = item->next) {
		if (item->stage == STAGE_AT_BOARD || item->stage == STAGE_TOLD)
			continue;
		if (item->stage == STAGE_COMPILING)
			at_farm_forget(self->options.farm, item);
		decide(self, item, AT_OUTCOME_NONE, "");
	}
	at_copies_forget_waiting(self->copies);
	self->ready_first = NULL;
	self->ready_last = &self->ready_first;
	self->ready_count = 0;
}

static void workers_stop(struct at_evaluator *base)
{
	struct workers *self = of(base);

	for (size_t i = 0; i < self->seat_count; i++) {
		at_board_cancel(self->seats[i].board);
		self->seats[i].is_compared = false;
	}
	while (self->items) {
		struct item *item = self->items;

		at_farm_forget(self->options.farm, item);
		unlink_item(self, item);
		free_item(item);
	}
	drop_finals(self);
	at_copies_forget_waiting(self->copies);
	self->ready_first = NULL;
	self->ready_last = &self->ready_first;
	self->ready_count = 0;
	if (self->holding)
		at_compilers_hold(at_farm_compilers(self->options.farm), false);
	self->holding = false;
}

static size_t workers_capacity(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	size_t jobs = at_compilers_jobs(at_farm_compilers(self->options.farm));

	/* every compiler has one in work and one at hand, so has every board */
	return 2 * jobs + AT_BOARD_DEPTH * seats_left(self);
}

static void workers_load(const struct at_evaluator *base, struct at_evaluator_load *out)
{
	const struct workers *self = of_const(base);

	*out = (struct at_evaluator_load){ 0 };
	for (const struct item *item = self->items; item; item = item->next) {
		out->compiling += item->stage == STAGE_COMPILING;
		out->waiting += item->stage == STAGE_READY;
		out->measuring += item->stage == STAGE_AT_BOARD;
	}
	for (size_t i = 0; i < self->seat_count; i++) {
		double seconds = at_board_setup_seconds(self->seats[i].board);

		if (seconds > out->setup_seconds)
			out->setup_seconds = seconds;
	}
}

/* without the time in which no board of ours could work, since others had them */
static uint64_t workers_now_ns(const struct at_evaluator *base)
{
	const struct workers *self = of_const(base);
	uint64_t least_ns = UINT64_MAX;

	for (size_t i = 0; i < self->seat_count; i++) {
		const struct seat *seat = &self->seats[i];
		uint64_t waited_ns =
			at_board_waited_ns(seat->board) - seat->waited_before_ns;

		if (!seat->is_left_out && waited_ns < least_ns)
			least_ns = waited_ns;
	}
	return at_clock_now_ns() - (least_ns == UINT64_MAX ? 0 : least_ns);
}

static enum at_status workers_later(struct at_evaluator *base, void (*call)(void *),
	void *context, struct at_error *err)
{
	return at_loop_later(of(base)->options.loop, call, context, err);
}

static void workers_tick(struct at_evaluator *base)
{
	struct workers *self = of(base);
	char text[256] = "";

	for (size_t i = 0; i < self->seat_count; i++) {
		const struct seat *seat = &self->seats[i];
		int64_t owner = at_board_waits_for(seat->board);

		if (at_board_waiting_ns(seat->board) < WAIT_SHOWN_NS)
			continue;
		if (owner > 0)
			snprintf(text, sizeof(text),
				"waiting for another autotune on %s, pid %lld",
				seat->info->id, (long long)owner);
		else
			snprintf(text, sizeof(text),
				"waiting for another autotune on %s", seat->info->id);
	}
	if (strcmp(text, self->state) != 0) {
		snprintf(self->state, sizeof(self->state), "%s", text);
		tell(self, AT_TOLD_STATE, text);
	}
	tell_due(self);
}

static void workers_close(struct at_evaluator *base)
{
	struct workers *self = of(base);

	workers_stop(base);
	at_loop_forget(self->options.loop, self);
	at_farm_forget(self->options.farm, self);
	for (size_t i = 0; i < self->scene_count; i++) {
		struct scene *scene = &self->scenes[i];

		at_farm_forget(self->options.farm, scene);
		release_part(&scene->reference);
		at_strbuf_release(&scene->setup.body);
		at_plan_release(&scene->plan);
	}
	release_part(&self->support);
	if (self->yardstick)
		free_item(self->yardstick);
	at_copies_free(self->copies);
	free(self->scenes);
	free(self);
}

static const struct at_evaluator_ops workers_ops = {
	.close = workers_close,
	.plan = workers_plan,
	.begin = workers_begin,
	.race = workers_race,
	.finals = workers_finals,
	.prove = workers_prove,
	.case_name = workers_case_name,
	.cancel = workers_cancel,
	.stop = workers_stop,
	.capacity = workers_capacity,
	.load = workers_load,
	.now_ns = workers_now_ns,
	.later = workers_later,
	.tick = workers_tick,
};

/* ---- opening
 * -----------------------------------------------------------------------------------------
 */

static enum at_status add_scene(struct workers *self, const struct at_problem *problem,
	const struct at_problem *base, uint64_t seed, struct at_error *err)
{
	const struct at_workers_options *options = &self->options;
	struct scene *scene = &self->scenes[self->scene_count++];

	scene->owner = self;
	return at_plan_init(&scene->plan, options->spec, options->template, problem,
		base, &self->base.info.device, self->base.info.toolchain, seed, err);
}

static enum at_status add_scenes(struct workers *self, struct at_error *err)
{
	const struct at_workers_options *options = &self->options;
	const struct at_verify *verify = &options->spec->verify;
	enum at_status status;

	self->scenes = calloc(verify->problem_count + 2, sizeof(*self->scenes));
	if (!self->scenes)
		return at_fail_memory(err);
	status = add_scene(self, options->problem, NULL, FILL_SEED, err);
	/* every proof has data of its own */
	if (!status)
		status = add_scene(
			self, options->problem, options->problem, PROOF_SEED, err);
	for (size_t i = 0; i < verify->problem_count && !status; i++)
		if (at_plan_applies(&verify->problems[i], self->base.info.device.kind))
			status = add_scene(self, &verify->problems[i], options->problem,
				PROOF_SEED + 1 + i, err);
	self->base.info.case_count = self->scene_count - 1;
	return status;
}

/* of the file's own defaults, whatever --set makes of them */
static enum at_status identify_source(struct workers *self, struct at_error *err)
{
	const struct at_workers_options *options = &self->options;
	struct at_planned *planned = NULL;
	struct at_plan plan;
	enum at_status status = at_plan_init(&plan, options->whole_spec,
		options->template, options->problem, NULL, &self->base.info.device,
		self->base.info.toolchain, FILL_SEED, err);

	if (!status)
		status = at_planned_new(
			&plan, options->whole_spec->defaults, &planned, err);
	if (!status)
		self->base.info.source = planned->key;
	at_planned_free(planned);
	at_plan_release(&plan);
	return status;
}

enum at_status at_workers_open(const struct at_workers_options *options,
	struct at_evaluator **out, struct at_error *err)
{
	struct workers *self = calloc(1, sizeof(*self));
	enum at_status status;

	if (!self)
		return at_fail_memory(err);
	self->base.ops = &workers_ops;
	self->options = *options;
	self->ready_last = &self->ready_first;
	self->base.info.device = options->infos[0];
	snprintf(self->base.info.toolchain, sizeof(self->base.info.toolchain), "%s",
		options->toolchain);
	self->seat_count = options->board_count < AT_BOARDS_MAX ? options->board_count
								: AT_BOARDS_MAX;
	for (size_t i = 0; i < self->seat_count; i++)
		self->seats[i] = (struct seat){
			.owner = self,
			.board = options->boards[i],
			.info = &options->infos[i],
			.waited_before_ns = at_board_waited_ns(options->boards[i]),
		};
	status = at_copies_new(&self->copies, err);
	if (!status)
		status = add_scenes(self, err);
	if (!status)
		status = identify_source(self, err);
	if (status) {
		workers_close(&self->base);
		return status;
	}
	*out = &self->base;
	return AT_OK;
}
