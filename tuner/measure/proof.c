/*
 * The proof of a winner: all that can be tried with one loaded module, on one problem.
 *
 * An evaluation looks at every launch with data of two seeds and buffers against
 * unmapped memory. A winner has to be right as well
 *
 *   launch after launch       nothing is put back in between, and after half of them
 *                             the two sets of data trade places: what is kept by an
 *                             address, of the last launch or of more, does not fit
 *   from other garbage        in outputs, scratch, shared and local memory, zones
 *   at both ends of pages     of all buffers, to within the alignment that no kernel
 *                             can do without
 *   beside other kernels      with few multiprocessors for itself
 *   with other data           patterns within what the fills declare, and the space's
 *                             own
 *   as fast on new data       as on what it has met before (unseen.h)
 *
 * and in shuffled orders of threads and blocks where the device has them.
 */
#include "measure/proof.h"
#include "measure/buffers.h"
#include "measure/candidate.h"
#include "measure/contents.h"
#include "measure/calls.h"
#include "measure/result.h"
#include "measure/support.h"
#include "measure/unseen.h"
#include "measure/verify.h"
#include "measure/data.h"
#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* launches with the data that is timed */
#define LAUNCHES 8
#define LAUNCHES_SHUFFLED 6
/* at the ends, beside a filler, with each pattern */
#define LAUNCHES_ALIGNED 2
/* patterns are many and each runs the reference: no more of them after so long */
#define PATTERNS_NS 3000000000.0
/* who is given less than this is in a hurry, as on sizes behind the one that is tuned
   when the budget is spent: what is left is one look at each kind of thing */
#define HURRY_SECONDS 1.0
/* a kernel that takes longer would take many seconds on two multiprocessors */
#define CROWD_NS 20000000.0
/* how much longer than its share of the device explains it may take, and as a time: it
   is told apart from one that never ends, and a neighbour may be on the board */
#define CROWD_SLOWER 8
#define CROWD_LEAST_NS 300000000.0

/*
 * Sets of data on which a kernel may show that it keeps no results, and how many of
 * them have to. Where others have the processors a launch waits for one, whoever's it
 * is: at load 8 on two cores the middle one of three on known data may be as
 * slow with results kept, and sound short kernels are slower at first again and again.
 */
#define UNSEEN_ROUNDS 9
#define UNSEEN_ROUNDS_SHORT 30
#define UNSEEN_PART 3
#define UNSEEN_SHORT_NS 10000000.0
/* What waits for other blocks is slow by a time slice whenever one of those has lost
   its core, and more often so at first: for as long, more sets are tried than the
   fewest, until the least times tell */
#define UNSEEN_MORE_NS 3000000000.0
/* seeds that no other part of a proof has */
#define UNSEEN_SEED 0x5eed0000u
/* and where a launch with its checks takes longer, nobody waits for all of that */
#define UNSEEN_NS 1000000000.0

/* a proof in work */
struct trial {
	struct at_bench *bench;
	struct candidate *candidate;
	const struct at_measure_request *request;
	struct at_measure_result *result;
	uint64_t start_ns;
	unsigned round; /* counts: other garbage in each */
	double launch_ns; /* of the last one with all that was looked at */
};

static double limit_ns(const struct trial *self)
{
	return self->request->proof_seconds * 1e9;
}

static bool is_hurried(const struct trial *self)
{
	double limit = limit_ns(self);

	return limit > 0 && limit < HURRY_SECONDS * 1e9 &&
	       (double)(at_clock_now_ns() - self->start_ns) > limit;
}

/* Outputs that were never written equal none of two; scratch that is read before it is
   written is large, small, negative, not a number and 0 in turns. */
static unsigned poison_of(unsigned round)
{
	static const unsigned kinds[] = { POISON, POISON_AGAIN, 0x7f, 0xfe, 0x00, 0x3e,
		0xbe };

	/* every other round no two words are alike: neighbours give each other away */
	if (round % 2)
		return POISON_GARBAGE(round);
	return kinds[round / 2 % AT_COUNT_OF(kinds)];
}

/* One launch and all that can be looked at. */
static enum at_outcome launch_once(struct trial *self, struct staging staging,
	enum finds finds, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	struct proof proof = {
		.staging = staging,
		.poison = poison_of(self->round),
		/* a checker of memory knows what was never written; poison hides it */
		.finds = bench->setup->watched ? FINDS_POISON : finds,
		.watches_borders = true,
	};
	void (*shuffle)(struct at_device *, uint64_t) =
		bench->device->ops->shuffle_threads;
	uint64_t start_ns = at_clock_now_ns();
	enum at_outcome outcome;

	/* what is kept stays where threads are not shuffled: those begin with garbage
	   in shared memory and on their stacks */
	if (shuffle)
		shuffle(bench->device,
			proof.finds != FINDS_POISON || self->round % 4 == 3
				? 0
				: self->request->seed * 64 + self->round + 1);
	if (!bench->setup->watched) {
		list_zones(bench, &bench->queue, staging, self->round);
		support_poison_local(bench, &bench->queue, self->round);
	}
	self->round++;
	outcome = verify_once(bench, self->candidate, &proof, self->result, err);
	if (shuffle)
		shuffle(bench->device, 0);
	self->launch_ns = (double)(at_clock_now_ns() - start_ns);
	self->result->proved.launches++;
	return outcome;
}

/* What failed is none of the configuration's: that it is not proved so is all. */
static enum at_outcome not_proved(struct trial *self, const char *what,
	const struct at_error *reason, struct at_error *err)
{
	char text[400];

	at_fail(err, reason->status, NULL, 0, "%s", reason->text);
	if (reason->status == AT_ENOMEM)
		return AT_OUTCOME_NONE;
	snprintf(self->result->detail, sizeof(self->result->detail), "%s: %s", what,
		at_error_format(reason, text, sizeof(text)));
	return AT_OUTCOME_NOT_APPLICABLE;
}

/*
 * Launch after launch on all stagings: from poison, and from what the one before it
 * left of the other data. In the middle the data trade places, after which what was
 * kept by the address of an input is another one's: first with many kept, behind a
 * launch on each address, then with none but the last.
 */
static enum at_outcome prove_repeated(struct trial *self, struct at_error *err)
{
	static const struct {
		unsigned set;
		enum side side;
		enum finds finds;
		bool trades; /* before it */
		bool is_spared; /* in a hurry */
	} launches[] = {
		{ 0, SIDE_END, FINDS_POISON, false, false },
		{ 1, SIDE_END, FINDS_OTHERS, false, false },
		{ 0, SIDE_END, FINDS_OTHERS, false, true },
		{ 0, SIDE_END, FINDS_OTHERS, true, true },
		{ 0, SIDE_END, FINDS_LAST, true, true },
		{ 1, SIDE_END, FINDS_POISON, false, true },
		{ 0, SIDE_START, FINDS_POISON, false, false },
		{ 1, SIDE_START, FINDS_OTHERS, false, true },
		{ 0, SIDE_START, FINDS_POISON, false, true },
	};
	struct at_bench *bench = self->bench;
	bool has_starts = self->candidate->calls[0][SIDE_START].kernel.values != NULL;
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;
	bool is_traded = false;

	for (size_t i = 0; i < AT_COUNT_OF(launches) && outcome == AT_OUTCOME_OK; i++) {
		struct staging staging = { launches[i].set % bench->set_count,
			has_starts ? launches[i].side : SIDE_END };

		/* what was traded goes back, however late it is, or neither is */
		if (launches[i].is_spared && !is_traded && is_hurried(self))
			continue;
		if (launches[i].trades && bench_exchange(bench, &reason))
			return not_proved(
				self, "two sets of data did not trade", &reason, err);
		is_traded ^= launches[i].trades;
		outcome = launch_once(self, staging, launches[i].finds, err);
	}
	return outcome;
}

/* Ends of buffers as near to those of pages as any kernel can do with. */
static enum at_outcome prove_aligned(struct trial *self, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (!bench->is_guarded)
		return AT_OUTCOME_OK;
	if (bench_align(bench, ALIGNMENT_LEAST, &reason) ||
		candidate_bind(bench, self->candidate, &reason))
		return not_proved(self, "buffers were not moved", &reason, err);
	/* only touches count here: who asks for more than any allocation is aligned to
	   gets what a device gives, in all other launches */
	for (unsigned i = 0; i < LAUNCHES_ALIGNED && outcome == AT_OUTCOME_OK; i++) {
		if (i > 0 && is_hurried(self))
			break;
		outcome = launch_once(self,
			(struct staging){ bench->set_count - 1, SIDE_END },
			FINDS_POISON, err);
		if (outcome == AT_OUTCOME_WRONG_RESULT) {
			self->result->detail[0] = '\0';
			outcome = AT_OUTCOME_OK;
		}
	}
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	self->result->proved.guarded = true;
	if (bench_align(bench, ALIGNMENT, &reason) ||
		candidate_bind(bench, self->candidate, &reason))
		return not_proved(self, "buffers were not moved back", &reason, err);
	return AT_OUTCOME_OK;
}

/*
 * On half of the multiprocessors, and on two. What counts on all its blocks being
 * there at once does not end; what counts on their order may be wrong.
 */
static enum at_outcome prove_crowded(struct trial *self, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	const enum at_property count = AT_PROPERTY_MULTIPROCESSOR_COUNT;
	const struct at_properties *properties = &bench->device->info.properties;
	double limit_ns;
	unsigned all =
		properties->known[count] ? (unsigned)properties->value[count] : 0;
	const unsigned taken[] = { all / 2, all - 2 };
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (!bench->device->ops->crowd || all < 4 || self->launch_ns > CROWD_NS ||
		is_hurried(self))
		return AT_OUTCOME_OK;
	for (size_t i = 0; i < AT_COUNT_OF(taken) && outcome == AT_OUTCOME_OK; i++) {
		/* as much slower as there are fewer of them, and a few times that */
		limit_ns = CROWD_SLOWER * self->launch_ns * all / (all - taken[i]) +
			   CROWD_LEAST_NS;
		/* where it cannot be done it is left out, and not told as done */
		if (support_crowd(bench, taken[i], (uint64_t)limit_ns, &reason))
			return AT_OUTCOME_OK;
		outcome = launch_once(self,
			(struct staging){ (unsigned)i % bench->set_count, SIDE_END },
			FINDS_POISON, err);
		if (outcome == AT_OUTCOME_TIMED_OUT)
			snprintf(self->result->detail, sizeof(self->result->detail),
				"beside another kernel, on %u of %u multiprocessors, it did not end: it needs all its blocks to run at once",
				all - taken[i], all);
		if (!bench->device->is_lost)
			support_crowd(bench, 0, 0, &reason);
	}
	self->result->proved.crowded = outcome == AT_OUTCOME_OK;
	return outcome;
}

/* Numbers as the fills draw them, be they others or in another order. */
static bool is_declared(const struct at_data *data)
{
	return data->set || data->pattern == AT_DATA_DECLARED ||
	       data->pattern == AT_DATA_EDITED || data->pattern == AT_DATA_REVERSED ||
	       data->pattern == AT_DATA_TIMED;
}

/* keeps: on what the last pattern left on this set, and behind a launch on the other.
 */
static enum at_outcome prove_pattern(struct trial *self, unsigned set,
	const struct at_data *data, bool keeps, struct at_error *err)
{
	const struct staging staging = { set, SIDE_END };
	struct at_bench *bench = self->bench;
	const char *name = data->set ? bench->setup->sets[data->set - 1].name
				     : at_data_pattern_name(data->pattern);
	struct at_error reason = { 0 };
	enum at_outcome outcome;
	enum at_status status = bench_use_data(bench, set, data, &reason);
	char detail[sizeof(self->result->detail)];

	/* the reference itself makes no sense of it; of what the space names that is
	 * told */
	if (status == AT_ENOENT && !data->set)
		return AT_OUTCOME_OK;
	if (status)
		return not_proved(self, "other data cannot be used", &reason, err);
	/* where results are zeros, in one pattern alone, those that were never written
	   would pass */
	while (!poison_of(self->round))
		self->round++;
	outcome = launch_once(self, staging, keeps ? FINDS_LAST : FINDS_POISON, err);
	if (outcome == AT_OUTCOME_OK && keeps && bench->set_count > 1)
		outcome = launch_once(self, staging, FINDS_OTHERS, err);
	if (outcome == AT_OUTCOME_OK) {
		self->result->proved.patterns++;
		return outcome;
	}
	if (!self->result->detail[0])
		result_explain(self->result, err);
	snprintf(detail, sizeof(detail), "with data \"%.60s\": %.350s%s", name,
		self->result->detail,
		is_declared(data)
			? ""
			: "; what inputs hold is for \"domain\" or \"fixed = true\" to say");
	memcpy(self->result->detail, detail, sizeof(detail));
	return outcome;
}

static bool is_late(const struct trial *self, uint64_t start_ns)
{
	double limit = limit_ns(self);
	uint64_t now_ns = at_clock_now_ns();

	return (double)(now_ns - start_ns) > PATTERNS_NS ||
	       (limit > 0 && (double)(now_ns - self->start_ns) > limit);
}

/* What is timed, each set of it on its own, with pieces of it edited; of what takes
   long the first: who knows that one alone is fast every other time. */
static enum at_outcome prove_timed(
	struct trial *self, uint64_t start_ns, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (!bench->setup->timed_seed)
		return AT_OUTCOME_OK;
	for (unsigned set = 0; set < bench->set_count && outcome == AT_OUTCOME_OK;
		set++) {
		struct at_data data = contents_declared(bench->setup->timed_seed, set);

		if (set > 0 && is_late(self, start_ns))
			break;
		data.pattern = AT_DATA_TIMED;
		if (data_is_other(bench->setup, &data))
			outcome = prove_pattern(self, set, &data, false, err);
	}
	return outcome;
}

/* So few that patterns of them say nothing: two equations in three unknowns, in order,
   are the same one. They are there for their number. */
#define FEW_SCALARS 32

static bool has_few_inputs(const struct at_bench *bench)
{
	const struct at_measure_setup *setup = bench->setup;

	for (uint32_t i = 0; i < setup->argument_count; i++) {
		enum at_access access = at_data_access(setup, i);

		if ((access == AT_ACCESS_IN || access == AT_ACCESS_INOUT) &&
			setup->bindings[i].count * setup->arguments[i].lanes >=
				FEW_SCALARS)
			return false;
	}
	return true;
}

static enum at_outcome prove_patterns(struct trial *self, struct at_error *err)
{
	/* first what is nearly alike, at one address: who keeps results by what they
	   were computed from, by some of it or by its sum, takes one for the other */
	static const enum at_data_pattern order[] = { AT_DATA_DECLARED, AT_DATA_EDITED,
		AT_DATA_REVERSED, AT_DATA_SPIKES, AT_DATA_TIMED, AT_DATA_ZEROED,
		AT_DATA_RELATED, AT_DATA_NEGATIVE, AT_DATA_EXTREMES, AT_DATA_EQUAL,
		AT_DATA_ALTERNATING, AT_DATA_POSITIVE, AT_DATA_ASCENDING,
		AT_DATA_DESCENDING };
	_Static_assert(AT_COUNT_OF(order) == AT_DATA_COUNT, "all of them");
	struct at_bench *bench = self->bench;
	const struct at_measure_setup *setup = bench->setup;
	uint64_t start_ns = at_clock_now_ns();
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* a file says what comes out of the declared data alone */
	if (setup->reference == AT_REFERENCE_FILE)
		return AT_OUTCOME_OK;
	for (unsigned i = 0; i < setup->set_count && outcome == AT_OUTCOME_OK; i++) {
		struct at_data data = { .seed = setup->seed + 2 + i, .set = i + 1 };

		outcome = prove_pattern(self, i % bench->set_count, &data, false, err);
	}
	for (unsigned i = 0; i < AT_DATA_COUNT && outcome == AT_OUTCOME_OK; i++) {
		struct at_data data = { .pattern = order[i], .seed = setup->seed + 1 };
		bool is_like = i < 3;

		if (order[i] == AT_DATA_TIMED) {
			outcome = prove_timed(self, start_ns, err);
			continue;
		}
		if (i > 0 && !data_is_other(setup, &data))
			continue;
		if (!is_like && has_few_inputs(bench)) {
			/* nothing is left out */
			self->result->proved.patterns++;
			continue;
		}
		if (i > 0 && (is_like ? is_hurried(self) : is_late(self, start_ns)))
			break;
		/* on the other set too, and first: what follows is launched behind both
		 */
		if (i == 0 && bench->set_count > 1 && !is_hurried(self))
			outcome = prove_pattern(self, 1, &data, false, err);
		if (outcome == AT_OUTCOME_OK)
			outcome =
				prove_pattern(self, is_like ? 0 : i % bench->set_count,
					&data, is_like && i > 0, err);
	}
	return outcome;
}

/* Some input is drawn anew with each seed. */
static bool has_drawn_inputs(const struct at_measure_setup *setup)
{
	for (uint32_t i = 0; i < setup->argument_count; i++) {
		const struct at_measure_argument *facts = &setup->arguments[i];
		enum at_access access = at_data_access(setup, i);

		if ((access == AT_ACCESS_IN || access == AT_ACCESS_INOUT) &&
			!facts->is_fixed &&
			(facts->fill == AT_FILL_UNIFORM ||
				facts->fill == AT_FILL_NORMAL ||
				facts->fill == AT_FILL_INDEX))
			return true;
	}
	return false;
}

/*
 * Results that are kept where nothing puts them back make it fast on data that it has
 * met. Who is as fast on the first set as at best on the same again keeps none: hardly
 * anybody has more than one. Where others have the processors, time alone tells little,
 * and one lucky set is not enough: of many it is a third, or the least times of all
 * sets, at first and again, are alike.
 */
static enum at_outcome prove_unseen(struct trial *self, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	struct at_error reason = { 0 };
	unsigned rounds =
		self->launch_ns < UNSEEN_SHORT_NS ? UNSEEN_ROUNDS_SHORT : UNSEEN_ROUNDS;
	unsigned passed = 0;
	uint64_t start_ns = at_clock_now_ns();
	struct unseen_times times, slow = { 0 }, least = { INFINITY, INFINITY, 0, 0 };

	if (bench->setup->reference == AT_REFERENCE_FILE ||
		!has_drawn_inputs(bench->setup) || self->launch_ns > UNSEEN_NS ||
		is_hurried(self))
		return AT_OUTCOME_OK;
	for (unsigned i = 0; i < UNSEEN_ROUNDS_SHORT; i++) {
		struct at_data data = { .seed = bench->setup->seed + UNSEEN_SEED + i };
		enum at_status status;
		enum at_outcome outcome;

		if (i >= rounds &&
			(double)(at_clock_now_ns() - start_ns) > UNSEEN_MORE_NS)
			break;
		status = bench_use_data(bench, 0, &data, &reason);

		if (status == AT_ENOENT)
			return AT_OUTCOME_OK;
		if (status)
			return not_proved(
				self, "other data cannot be used", &reason, err);
		outcome =
			unseen_time(bench, self->candidate, self->result, &times, err);
		self->result->proved.launches += 4;
		if (outcome != AT_OUTCOME_OK ||
			(i == 0 && !unseen_is_slower(times.first_ns, times.fastest_ns)))
			return outcome;
		least.first_ns = fmin(least.first_ns, times.first_ns);
		least.fastest_ns = fmin(least.fastest_ns, times.fastest_ns);
		if (i + 1 >= UNSEEN_ROUNDS &&
			!unseen_is_slower(least.first_ns, least.fastest_ns))
			return AT_OUTCOME_OK;
		if (unseen_is_kept(&times))
			slow = times;
		else if (++passed == rounds / UNSEEN_PART && i < rounds)
			return AT_OUTCOME_OK;
	}
	snprintf(self->result->detail, sizeof(self->result->detail),
		"it is fast only on data that it has met before: %.3g us on new data, %.3g us on the same again; it keeps results where nothing puts them back",
		slow.first_ns * 1e-3, slow.middle_ns * 1e-3);
	return AT_OUTCOME_UNSTABLE;
}

/* What is computed from constants, and kept, is wrong when these are others. */
static enum at_outcome prove_symbols(struct trial *self, struct at_error *err)
{
	struct at_bench *bench = self->bench;
	struct at_data data = { .seed = bench->setup->seed };
	struct at_error reason = { 0 };
	enum at_status status;

	if (!bench_vary_symbols(bench))
		return AT_OUTCOME_OK;
	status = bench_use_data(bench, 0, &data, &reason);
	/* the reference makes no sense of them */
	if (status == AT_ENOENT)
		return AT_OUTCOME_OK;
	if (status || bench_set_symbols(bench, self->candidate->module, &reason) !=
			      AT_OUTCOME_OK)
		return not_proved(self, "variables were not set anew", &reason, err);
	return launch_once(self, (struct staging){ 0, SIDE_END }, FINDS_POISON, err);
}

enum at_outcome prove_winner(struct at_bench *self, struct candidate *candidate,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err)
{
	enum at_outcome (*const parts[])(struct trial *, struct at_error *) = {
		prove_repeated,
		prove_aligned,
		prove_crowded,
		prove_patterns,
		prove_unseen,
		prove_symbols,
	};
	/* a checker sees more in one launch than all these, and takes long for each */
	const size_t count = self->setup->watched ? 1 : AT_COUNT_OF(parts);
	struct trial trial = {
		.bench = self,
		.candidate = candidate,
		.request = request,
		.result = result,
		.start_ns = at_clock_now_ns(),
	};
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* without room for these, what is written is guarded behind its end alone */
	if (self->is_guarded && !buffers_make_starts(self, &reason) &&
		candidate_bind(self, candidate, err))
		return AT_OUTCOME_NONE;
	result->proved.data_sets = self->set_count;
	result->proved.zones = !self->setup->watched;
	for (size_t i = 0; i < count && outcome == AT_OUTCOME_OK; i++)
		outcome = parts[i](&trial, err);
	if (!self->device->is_lost)
		buffers_free_starts(self);
	return outcome;
}
