/*
 * The verification of a winner: everything that can be tried with one loaded module, on
 * one problem.
 *
 * An evaluation checks launches on two sets of data, in buffers next to unmapped
 * memory. A winner must also be right
 *
 *   launch after launch       with nothing restored in between. After half of the
 *                             launches the two sets of data swap addresses, so that
 *                             results kept by the address of an input are wrong
 *   from other garbage        in outputs, scratch, shared and local memory, and zones
 *   at both ends of pages     with every buffer as near to unmapped memory as the
 *                             alignment that kernels need allows
 *   beside other kernels      with few multiprocessors for itself
 *   with other data           patterns within what the fills declare, and data sets of
 *                             the space
 *   as fast on new data       as on data that it has met before (verify_unseen())
 *
 * and in shuffled orders of threads and blocks where the device can shuffle them.
 */
#include "measure/verification.h"
#include "measure/buffers.h"
#include "measure/calls.h"
#include "measure/candidate.h"
#include "measure/checks.h"
#include "measure/contents.h"
#include "measure/data.h"
#include "measure/result.h"
#include "measure/support.h"
#include "measure/tolerance.h"
#include "measure/trip.h"
#include "measure/verify.h"
#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A verification that is under way. */
struct trial {
	struct at_measure_context *context;
	struct candidate *candidate;
	const struct at_measure_request *request;
	struct at_measure_result *result;
	uint64_t start_ns;
	unsigned round; /* of launches so far: each begins with other garbage */
	double launch_ns; /* work of the last launch with its checks */
	double least_launch_ns; /* the same of the quickest so far */
	bool is_crowded; /* few multiprocessors are left: expensive poison waits */
	unsigned patterns; /* of data, that the kernel has stood so far */
	double least_pattern_ns; /* how long the quickest of them took */
};

/* launches with buffers at the very ends of their pages */
#define LAUNCHES_ALIGNED 2
/*
 * There are many patterns, and each runs the reference: none is begun after so much
 * work. Work is what would have passed on a machine that does nothing else, so that a
 * small problem is tried on all patterns however busy the machine is: with seven runs
 * on each board and all cores at work, two of 211 mistakes were selected since the time
 * that passed was counted. But the verification has a deadline, and patterns leave this
 * part of it to what comes after them.
 */
#define PATTERNS_NS 3000000000.0
#define PATTERNS_PART 0.5
/* Where the expected outputs are vacuous, other contents are drawn so many times. */
#define DRAWS_MOST 4
/* even: row offsets differ by the last bit of a seed */
#define DRAW_SEED 0x5eed2000u
/*
 * How many sets of data a kernel is tried on to show that it keeps no results (more for
 * kernels shorter than UNSEEN_SHORT_NS), and the part of them on which it must show it.
 * One set is not enough on a loaded machine, where any launch may wait for a processor:
 * at load 8 on two cores sound short kernels were slower at first again and again.
 */
#define UNSEEN_ROUNDS 9
#define UNSEEN_ROUNDS_SHORT 30
#define UNSEEN_PART 3
#define UNSEEN_SHORT_NS 10000000.0
/* A kernel whose blocks wait for each other loses a whole time slice when one of them
   loses its core, and does so more often at first. For so long more sets than the
   fewest are tried, until the least times of all sets decide. */
#define UNSEEN_MORE_NS 3000000000.0
/* seeds that no other part of a verification uses */
#define UNSEEN_SEED 0x5eed0000u
/* Where a launch with its checks takes longer than this, this part is left out. */
#define UNSEEN_NS 1000000000.0

/* The poison of a round. An output that is never written cannot be right from two
   different poisons; scratch that is read before it is written is in turns NaN, large,
   small, negative and 0. */
static unsigned poison_of(unsigned round)
{
	static const unsigned kinds[] = { POISON, POISON_AGAIN, 0x7f, 0xfe, 0x00, 0x3e,
		0xbe };

	/* In every other round all words differ, so that a value taken from a
	   neighbouring element shows. */
	if (round % 2)
		return POISON_GARBAGE(round);
	return kinds[round / 2 % AT_COUNT_OF(kinds)];
}

/* One launch with all checks. */
static enum at_outcome trial_launch(struct trial *self, struct staging staging,
	enum finds finds, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	struct verification verification = {
		.staging = staging,
		.poison = poison_of(self->round),
		/* a memory checker reports reads of unset memory, which kept values
		   would hide */
		.finds = context->setup->watched ? FINDS_POISON : finds,
		.watches_borders = true,
	};
	void (*shuffle)(struct at_device *, uint64_t) =
		context->device->ops->shuffle_threads;
	uint64_t start_ns = bench_worked_ns(context);
	enum at_outcome outcome;

	/* Shuffling fills shared memory and stacks with garbage, so threads are not
	   shuffled in launches that look for kept results. */
	if (shuffle)
		shuffle(context->device,
			verification.finds != FINDS_POISON || self->round % 4 == 3
				? 0
				: self->request->seed * 64 + self->round + 1);
	if (!context->setup->watched) {
		list_zones(context, &context->queue, staging, self->round);
		/* takes as long as all multiprocessors need, 58 ms on two of an H200 */
		if (!self->is_crowded)
			support_poison_local(context, &context->queue, self->round);
	}
	self->round++;
	outcome =
		verify_once(context, self->candidate, &verification, self->result, err);
	if (shuffle)
		shuffle(context->device, 0);
	self->launch_ns = (double)(bench_worked_ns(context) - start_ns);
	if (!self->result->verified.launches++ ||
		self->launch_ns < self->least_launch_ns)
		self->least_launch_ns = self->launch_ns;
	return outcome;
}

/* ---- beside a filler ------------------------------------------------------------ */

/* A kernel that takes longer than this is not crowded: on few multiprocessors it would
   take many seconds. */
#define CROWD_NS 20000000.0
/* As few multiprocessors are left as do the work of a launch in about this time. */
#define CROWDED_NS 100000000.0
#define CROWDED_LEAST 2
/* The time limit of a crowded launch: so many times what its share of the device
   explains, and this much more. Only a kernel that never ends is to be caught, and
   another process may be using the board. */
#define CROWD_SLOWER 8
#define CROWD_LEAST_NS 300000000.0
/* A launch has begun after less than this, counted from the call on. So that one block
   is late, fewer blocks than usual are resident, and the others take longer. */
#define LATE_NS 200000u
#define LATE_SLOWER 4
/* A sequence that would be held back for longer than this is not. */
#define LATE_MOST_NS 1e9

/*
 * A launch with one block that begins when all others have had the time to end. What
 * waits for all but a few blocks, or for none, where it should wait for all, goes on
 * without that one.
 */
static enum at_outcome verify_late(
	struct trial *self, double launch_ns, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	const struct staging staging = { 0, SIDE_END };
	const struct bound_sequence *timed =
		&self->candidate->calls[staging.set][staging.side].timed;
	/* of a sequence each launch of the kernel is held back, and takes its share */
	const double count = (double)timed->count;
	uint64_t hold_ns = LATE_NS + (uint64_t)(LATE_SLOWER * launch_ns / count);
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (count > 1 && count * (double)hold_ns > LATE_MOST_NS)
		return AT_OUTCOME_OK;
	for (size_t i = 0; i < timed->call_count && outcome == AT_OUTCOME_OK; i++) {
		const struct at_kernel *kernel = timed->calls[i].invocation.kernel;
		size_t first = 0;

		while (timed->calls[first].invocation.kernel != kernel)
			first++;
		if (first < i)
			continue;
		/* what is impossible is not claimed: see trial_crowd() */
		if (support_hold_back(context, kernel, hold_ns, &reason))
			return AT_OUTCOME_OK;
		outcome = trial_launch(self, staging, FINDS_POISON, err);
	}
	if (!context->device->is_lost)
		support_hold_back(context, NULL, 0, &reason);
	return outcome;
}

/*
 * Whether a launch was promised that all its blocks, or all blocks of a cluster, are
 * resident at once. It may find no room beside a filler through no fault of its own.
 */
static bool needs_room(const struct at_measure_request *request)
{
	for (size_t i = 0; i <= request->more_count; i++) {
		const struct at_attributes *attributes =
			&at_measure_launch(request, i)->geometry.attributes;

		if (attributes->is_cooperative ||
			at_blocks_of(attributes->cluster) > 1 ||
			at_blocks_of(attributes->preferred_cluster) > 1)
			return true;
	}
	return false;
}

/* The number of multiprocessors, of `all`, that the tightest crowd leaves. */
static unsigned least_left(const struct trial *self, unsigned all)
{
	double left = ceil(all * self->least_launch_ns / CROWDED_NS);

	return left > CROWDED_LEAST ? (unsigned)left : CROWDED_LEAST;
}

/*
 * Launches on half of the multiprocessors, and on few. A kernel that needs all of its
 * blocks to be resident at once does not end; one that relies on the order of its
 * blocks may give wrong results.
 */
static enum at_outcome trial_crowd(struct trial *self, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	const enum at_property count = AT_PROPERTY_MULTIPROCESSOR_COUNT;
	const struct at_properties *properties = &context->device->info.properties;
	const double launch_ns = self->least_launch_ns; /* on the whole device */
	double limit_ns;
	unsigned all =
		properties->known[count] ? (unsigned)properties->value[count] : 0;
	const unsigned taken[] = { all / 2, all - least_left(self, all) };
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* the quickest launch tells how long the kernel takes where others use the
	   board as well, and the last one how long to wait for it there */
	if (!context->device->ops->crowd || all < 4 ||
		self->least_launch_ns > CROWD_NS ||
		needs_room(self->candidate->request))
		return AT_OUTCOME_OK;
	for (size_t i = 0; i < AT_COUNT_OF(taken) && outcome == AT_OUTCOME_OK; i++) {
		/* the fewer multiprocessors are left, the longer it may take */
		limit_ns = CROWD_SLOWER * self->launch_ns * all / (all - taken[i]) +
			   CROWD_LEAST_NS;
		/* where crowding is impossible the verification does not claim it */
		if (support_crowd(context, taken[i], (uint64_t)limit_ns, &reason))
			return AT_OUTCOME_OK;
		self->is_crowded = true;
		outcome = trial_launch(self,
			(struct staging){ (unsigned)i % context->set_count, SIDE_END },
			FINDS_POISON, err);
		self->is_crowded = false;
		if (outcome == AT_OUTCOME_TIMED_OUT)
			snprintf(self->result->detail, sizeof(self->result->detail),
				"beside another kernel, on %u of %u multiprocessors, it did not end: it needs all its blocks to run at once",
				all - taken[i], all);
		if (!context->device->is_lost)
			support_crowd(context, 0, 0, &reason);
	}
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_late(self, launch_ns, err);
	self->result->verified.crowded = outcome == AT_OUTCOME_OK;
	return outcome;
}

/* ---- repeated, and with other data ---------------------------------------------- */

/* A step of the verification failed for a reason that is not the configuration's: it is
   not verified, and that is all. */
static enum at_outcome not_verified(struct trial *self, const char *what,
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
 * Launches on all stagings, from poison and from what the launch before left of the
 * other set. In the middle the two sets swap addresses. After that a result that was
 * kept by the address of its input is wrong: first for kernels that keep several
 * results, behind a launch on each address, then for those that keep only the last.
 */
static enum at_outcome verify_repeated(struct trial *self, struct at_error *err)
{
	static const struct {
		unsigned set;
		enum side side;
		enum finds finds;
		bool trades; /* the sets swap before this launch */
	} launches[] = {
		{ 0, SIDE_END, FINDS_POISON, false },
		{ 1, SIDE_END, FINDS_OTHERS, false },
		{ 0, SIDE_END, FINDS_OTHERS, false },
		{ 0, SIDE_END, FINDS_OTHERS, true },
		{ 0, SIDE_END, FINDS_LAST, true },
		{ 1, SIDE_END, FINDS_POISON, false },
		{ 0, SIDE_START, FINDS_POISON, false },
		{ 1, SIDE_START, FINDS_OTHERS, false },
		{ 0, SIDE_START, FINDS_POISON, false },
	};
	struct at_measure_context *context = self->context;
	bool has_starts = self->candidate->calls[0][SIDE_START].timed.count > 0;
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (size_t i = 0; i < AT_COUNT_OF(launches) && outcome == AT_OUTCOME_OK; i++) {
		struct staging staging = { launches[i].set % context->set_count,
			has_starts ? launches[i].side : SIDE_END };

		if (launches[i].trades && bench_exchange(context, &reason))
			return not_verified(
				self, "two sets of data did not trade", &reason, err);
		outcome = trial_launch(self, staging, launches[i].finds, err);
	}
	return outcome;
}

/* Launches with buffers that end as near to the ends of their pages as kernels can do
   with. */
static enum at_outcome verify_aligned(struct trial *self, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (!context->is_guarded)
		return AT_OUTCOME_OK;
	if (bench_align(context, ALIGNMENT_LEAST, &reason) ||
		candidate_bind(context, self->candidate, &reason))
		return not_verified(self, "buffers were not moved", &reason, err);
	/* Only illegal accesses count here. A wrong result is no fault: a kernel may
	   rely on the alignment that a device gives any allocation, and all other
	   launches have that. */
	for (unsigned i = 0; i < LAUNCHES_ALIGNED && outcome == AT_OUTCOME_OK; i++) {
		outcome = trial_launch(self,
			(struct staging){ context->set_count - 1, SIDE_END },
			FINDS_POISON, err);
		if (outcome == AT_OUTCOME_WRONG_RESULT) {
			self->result->detail[0] = '\0';
			outcome = AT_OUTCOME_OK;
		}
	}
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	self->result->verified.guarded = true;
	if (bench_align(context, ALIGNMENT, &reason) ||
		candidate_bind(context, self->candidate, &reason))
		return not_verified(self, "buffers were not moved back", &reason, err);
	return AT_OUTCOME_OK;
}

/* A launch with data of a pattern. keeps: from what the last pattern left in this set,
   and once more behind a launch on the other set. */
static enum at_outcome verify_pattern(struct trial *self, unsigned set,
	const struct at_data *data, bool keeps, struct at_error *err)
{
	const struct staging staging = { set, SIDE_END };
	struct at_measure_context *context = self->context;
	const char *name = data->set ? context->setup->sets[data->set - 1].name
				     : at_data_pattern_name(data->pattern);
	/* inputs hold what their fills draw, be it with another seed or in another
	   order */
	const bool is_declared = data->set || data->pattern == AT_DATA_DECLARED ||
				 data->pattern == AT_DATA_EDITED ||
				 data->pattern == AT_DATA_REVERSED ||
				 data->pattern == AT_DATA_TIMED;
	const uint64_t start_ns = at_clock_now_ns();
	struct at_error reason = { 0 };
	enum at_outcome outcome;
	enum at_status status = bench_use_data(context, set, data, &reason);
	char detail[sizeof(self->result->detail)];
	double took_ns;

	/* The reference's output cannot be compared for this data. For a pattern that
	   is no fault; for a data set of the space it is reported. */
	if (status == AT_ENOENT && !data->set)
		return AT_OUTCOME_OK;
	if (status)
		return not_verified(self, "other data cannot be used", &reason, err);
	/* with poison 0 an output that is never written would pass where the pattern
	   makes all results 0 */
	while (!poison_of(self->round))
		self->round++;
	outcome = trial_launch(self, staging, keeps ? FINDS_LAST : FINDS_POISON, err);
	if (outcome == AT_OUTCOME_OK && keeps && context->set_count > 1)
		outcome = trial_launch(self, staging, FINDS_OTHERS, err);
	if (outcome == AT_OUTCOME_OK) {
		if (!tolerance_is_vacuous(context, set)) {
			self->result->verified.patterns++;
			self->result->verified.is_vacuous = false;
		}
		took_ns = (double)(at_clock_now_ns() - start_ns);
		if (!self->patterns++ || took_ns < self->least_pattern_ns)
			self->least_pattern_ns = took_ns;
		return outcome;
	}
	if (!self->result->detail[0])
		result_explain(self->result, err);
	snprintf(detail, sizeof(detail), "with data \"%.60s\": %.350s%s", name,
		self->result->detail,
		is_declared
			? ""
			: "; what inputs hold is for \"domain\" or \"fixed = true\" to say");
	memcpy(self->result->detail, detail, sizeof(detail));
	return outcome;
}

/* Whether the time for patterns is over. Then this one and all that follow are left to
   another verification. */
static bool is_cut(struct trial *self)
{
	const double seconds = self->request->pattern_seconds;

	self->result->verified.was_cut |=
		seconds > 0 &&
		(double)(at_clock_now_ns() - self->start_ns) > seconds * 1e9;
	return self->result->verified.was_cut;
}

/*
 * Whether the patterns have had their time. A device that tells its own work is
 * believed, and one that does not is taken to have worked as long on each pattern as
 * on the quickest: other programs make a pattern longer, and never shorter.
 */
static bool is_late(const struct trial *self, uint64_t begun_worked_ns)
{
	const struct at_measure_request *request = self->request;
	const double passed_ns = (double)(at_clock_now_ns() - self->start_ns);
	const double worked_ns =
		fmin((double)(bench_worked_ns(self->context) - begun_worked_ns),
			self->least_pattern_ns * self->patterns);

	return worked_ns > PATTERNS_NS ||
	       (request->deadline_seconds > 0 &&
		       passed_ns > PATTERNS_PART * request->deadline_seconds * 1e9);
}

/* The timed data with pieces edited, set by set: a kernel that recognizes the timed
   data by a part of it is wrong here. When late only the first set: a kernel that
   recognizes just the other one is fast only every other time. */
static enum at_outcome verify_timed(
	struct trial *self, uint64_t begun_worked_ns, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (!context->setup->timed_seed)
		return AT_OUTCOME_OK;
	for (unsigned set = 0; set < context->set_count && outcome == AT_OUTCOME_OK;
		set++) {
		struct at_data data =
			contents_declared(context->setup->timed_seed, set);

		if (set > 0 && is_late(self, begun_worked_ns))
			break;
		data.pattern = AT_DATA_TIMED;
		if (data_is_other(context->setup, &data))
			outcome = verify_pattern(self, set, &data, false, err);
	}
	return outcome;
}

/*
 * New contents on both sets: the launches that follow find what both have left.
 * Contents whose expected outputs are vacuous are drawn again; *seed: what is left to
 * go on with.
 */
static enum at_outcome verify_drawn(
	struct trial *self, uint64_t *seed, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	enum at_outcome outcome = AT_OUTCOME_OK;

	for (unsigned draw = 0; draw < DRAWS_MOST && outcome == AT_OUTCOME_OK; draw++) {
		struct at_data data = { .seed = *seed + draw * DRAW_SEED };

		for (unsigned set = context->set_count;
			set-- > 0 && outcome == AT_OUTCOME_OK;)
			outcome = verify_pattern(self, set, &data, false, err);
		if (!self->result->verified.is_vacuous) {
			*seed = data.seed;
			break;
		}
	}
	return outcome;
}

static enum at_outcome verify_patterns(struct trial *self, struct at_error *err)
{
	/* First come data that are nearly alike, at one address: a kernel that keeps
	   results and recognizes its inputs by a part of them, or by their sum,
	   mistakes one for the other. */
	static const enum at_data_pattern order[] = { AT_DATA_DECLARED, AT_DATA_EDITED,
		AT_DATA_REVERSED, AT_DATA_SPIKES, AT_DATA_TIMED, AT_DATA_ZEROED,
		AT_DATA_RELATED, AT_DATA_NEGATIVE, AT_DATA_EXTREMES, AT_DATA_EQUAL,
		AT_DATA_ALTERNATING, AT_DATA_POSITIVE, AT_DATA_ASCENDING,
		AT_DATA_DESCENDING };
	_Static_assert(AT_COUNT_OF(order) == AT_DATA_COUNT, "all of them");
	struct at_measure_context *context = self->context;
	const struct at_measure_setup *setup = context->setup;
	const uint64_t begun_worked_ns = bench_worked_ns(context);
	uint64_t seed = setup->seed + 1;
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* an expected output from a file is that of the declared data alone */
	if (setup->reference == AT_REFERENCE_FILE)
		return AT_OUTCOME_OK;
	self->result->verified.is_vacuous = true;
	for (unsigned i = 0; i < setup->set_count && outcome == AT_OUTCOME_OK; i++) {
		struct at_data data = { .seed = setup->seed + 2 + i, .set = i + 1 };

		outcome =
			verify_pattern(self, i % context->set_count, &data, false, err);
	}
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_drawn(self, &seed, err);
	for (unsigned i = 1; i < AT_DATA_COUNT && outcome == AT_OUTCOME_OK; i++) {
		struct at_data data = { .pattern = order[i], .seed = seed };
		bool is_like = i < 3;

		if (is_cut(self))
			break;
		if (order[i] == AT_DATA_TIMED) {
			outcome = verify_timed(self, begun_worked_ns, err);
			continue;
		}
		if (!data_is_other(setup, &data))
			continue;
		if (!is_like && data_is_few(setup)) {
			/* such data may have no sensible answer (two equations in
			   ascending order can be the same one): it counts as verified
			 */
			self->result->verified.patterns++;
			continue;
		}
		if (!is_like && is_late(self, begun_worked_ns))
			break;
		outcome = verify_pattern(self, is_like ? 0 : i % context->set_count,
			&data, is_like, err);
	}
	return outcome;
}

/* ---- new data ------------------------------------------------------------------ */

/*
 * Before each timed launch the tool restores all places in which a kernel could keep
 * results, as far as it knows them: outputs, scratch, variables of the module. It does
 * not know all: unset shared memory and local arrays hold what the last launch left
 * there, the heap of malloc() belongs to the driver, and on a processor there are
 * files. A kernel that keeps its results there, looked up by all of its input, is right
 * in any verification, and only the look-up would be timed, since timed launches use
 * just two sets of data.
 *
 * So a winner is timed on data that it cannot have met, and on the same data again.
 */
struct unseen_times {
	double first_ns; /* the first launch on data that no launch has seen */
	double fastest_ns; /* of three more launches on the same data */
	/* a launch on nearly the same data, timed only where those were faster; else 0
	 */
	double near_ns;
	/* how often slower is slower: more where cores predict branches, which they
	   learn within a launch (a factor of 2.8 on 4 KiB was seen) */
	double factor;
};

/* A first launch that is slower by less than this may be explained by caches, on a
   device that shares cores also by what branch predictors learn, */
#define SLOWER 2.0
#define SLOWER_SHARED 5.0
/* and one by less than this by the time that threads or a board take to wake up. */
#define SLOWER_NS 20000.0
/* Repeated launches; the fastest counts, since others may have waited for a processor.
 */
#define LAUNCHES_AGAIN 3
/* Launches on the other set ahead of the first one: after the pause in which the data
   were made, one thread of a processor may run for milliseconds before the others wake
   up. */
#define LAUNCHES_AHEAD 3

/* Whether a first launch is so much slower that caches alone do not explain it. */
static bool is_slower(
	const struct unseen_times *times, double first_ns, double again_ns)
{
	return first_ns > times->factor * again_ns && first_ns > again_ns + SLOWER_NS;
}

/*
 * Times one launch on a set, behind a launch on the set `before` if that is another
 * one, as in samples. Ahead of the timed launch the inputs are read, since the
 * reference and the kernel that filled them left other parts of them in the caches than
 * a launch does.
 */
static enum at_outcome time_launch(struct at_measure_context *self,
	struct candidate *candidate, unsigned set, unsigned before, double *time_ns,
	struct at_error *err)
{
	const struct staging staging = { set, SIDE_END };
	const struct staging other = { before, SIDE_END };
	enum at_outcome outcome = AT_OUTCOME_OK;

	if (candidate->reloads)
		outcome = candidate_reload(self, candidate, err);
	if (outcome != AT_OUTCOME_OK)
		return outcome;
	check_begin(self);
	if (before != set) {
		candidate_list_anew(self, candidate, &self->queue, other);
		candidate_list_launches(candidate, &self->queue, other);
	}
	candidate_list_anew(self, candidate, &self->queue, staging);
	for (uint32_t i = 0; i < self->setup->argument_count; i++)
		if (self->setup->arguments[i].access == AT_ACCESS_IN)
			check_queue_input(self, i, set);
	self->is_unwatched = true;
	candidate->last_set = set;
	outcome = candidate_time(
		self, candidate, &self->queue, set, false, 1, time_ns, err);
	self->queue.count = 0;
	return outcome;
}

/* Times launches on set 0, which must just have been given data that no launch of the
   candidate has seen. The output of the last launch is checked. */
static enum at_outcome time_unseen(struct at_measure_context *self,
	struct candidate *candidate, struct at_measure_result *result,
	struct unseen_times *out, struct at_error *err)
{
	double time_ns;
	struct at_error ignored = { 0 };
	unsigned other = self->set_count - 1;
	enum at_outcome outcome = AT_OUTCOME_OK;

	out->fastest_ns = INFINITY;
	out->factor = self->device->info.shares_cores ? SLOWER_SHARED : SLOWER;
	for (unsigned i = 0; i < LAUNCHES_AHEAD && other && outcome == AT_OUTCOME_OK;
		i++)
		outcome = time_launch(self, candidate, other, other, &time_ns, err);
	if (outcome == AT_OUTCOME_OK)
		outcome = time_launch(self, candidate, 0, other, &out->first_ns, err);
	for (uint32_t i = 0; i < LAUNCHES_AGAIN && outcome == AT_OUTCOME_OK; i++) {
		outcome = time_launch(self, candidate, 0, other, &time_ns, err);
		if (outcome == AT_OUTCOME_OK)
			out->fastest_ns = fmin(out->fastest_ns, time_ns);
	}
	if (outcome == AT_OUTCOME_OK)
		outcome = verify_sampled(self, candidate, true, result, err);
	out->near_ns = 0;
	/* the output of this launch is not checked: there is no expectation for it */
	if (outcome == AT_OUTCOME_OK &&
		is_slower(out, out->first_ns, out->fastest_ns) &&
		bench_jolt(self, 0, &ignored))
		outcome = time_launch(self, candidate, 0, other, &out->near_ns, err);
	return outcome;
}

/*
 * A kernel that keeps results where the tool cannot reset them is faster on data that
 * it has met before. One that is as fast on the first new set as on the same data again
 * keeps none, and nearly all kernels end here. Else the times may only be disturbed by
 * other processes, and one lucky set verifies nothing: the kernel passes if a third of
 * many sets show no difference, or if the least first time of all sets is like the
 * least repeated one.
 */
static enum at_outcome verify_unseen(struct trial *self, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	const struct at_measure_setup *setup = context->setup;
	bool has_drawn = false; /* another seed gives other contents */
	struct at_error reason = { 0 };
	unsigned rounds = self->least_launch_ns < UNSEEN_SHORT_NS ? UNSEEN_ROUNDS_SHORT
								  : UNSEEN_ROUNDS;
	unsigned passed = 0;
	uint64_t start_ns = at_clock_now_ns();
	struct unseen_times times, slow = { 0 };
	struct unseen_times least = { .first_ns = INFINITY, .fastest_ns = INFINITY };

	for (uint32_t i = 0; i < setup->argument_count; i++)
		has_drawn |= data_is_filled(setup, i) &&
			     !setup->arguments[i].is_fixed &&
			     data_is_drawn(&setup->arguments[i]);
	if (setup->reference == AT_REFERENCE_FILE || !has_drawn ||
		self->least_launch_ns > UNSEEN_NS || is_cut(self))
		return AT_OUTCOME_OK;
	for (unsigned i = 0; i < UNSEEN_ROUNDS_SHORT; i++) {
		struct at_data data = { .seed = setup->seed + UNSEEN_SEED + i };
		enum at_status status;
		enum at_outcome outcome;

		if (i >= rounds &&
			(double)(at_clock_now_ns() - start_ns) > UNSEEN_MORE_NS)
			break;
		status = bench_use_data(context, 0, &data, &reason);

		if (status == AT_ENOENT)
			return AT_OUTCOME_OK;
		if (status)
			return not_verified(
				self, "other data cannot be used", &reason, err);
		outcome = time_unseen(
			context, self->candidate, self->result, &times, err);
		self->result->verified.launches += 4;
		if (outcome != AT_OUTCOME_OK ||
			(i == 0 &&
				!is_slower(&times, times.first_ns, times.fastest_ns)))
			return outcome;
		least.first_ns = fmin(least.first_ns, times.first_ns);
		least.fastest_ns = fmin(least.fastest_ns, times.fastest_ns);
		if (i + 1 >= UNSEEN_ROUNDS &&
			!is_slower(&times, least.first_ns, least.fastest_ns))
			return AT_OUTCOME_OK;
		/* It kept results if it is slower on new data, and that is not because
		   the processor has learnt its branches. Branches are the same on
		   nearly the same data, for which kept results are of no use. */
		if (is_slower(&times, times.first_ns, times.fastest_ns) &&
			(times.near_ns == 0 ||
				is_slower(&times, times.near_ns, times.fastest_ns)))
			slow = times;
		else if (++passed == rounds / UNSEEN_PART && i < rounds)
			return AT_OUTCOME_OK;
	}
	snprintf(self->result->detail, sizeof(self->result->detail),
		"it is fast only on data that it has met before: %.3g us on new data, %.3g us on the same again; it keeps results where nothing puts them back",
		slow.first_ns * 1e-3, slow.fastest_ns * 1e-3);
	return AT_OUTCOME_UNSTABLE;
}

/* Gives the variables of the module other contents: results that were computed from
   the old ones and kept are wrong then. */
static enum at_outcome verify_symbols(struct trial *self, struct at_error *err)
{
	struct at_measure_context *context = self->context;
	struct at_data data = { .seed = context->setup->seed };
	struct at_error reason = { 0 };
	enum at_status status;

	if (!bench_vary_symbols(context))
		return AT_OUTCOME_OK;
	status = bench_use_data(context, 0, &data, &reason);
	/* the reference's output cannot be compared for these */
	if (status == AT_ENOENT)
		return AT_OUTCOME_OK;
	if (status || bench_set_symbols(context, self->candidate->module, false,
			      &reason) != AT_OUTCOME_OK)
		return not_verified(self, "variables were not set anew", &reason, err);
	return trial_launch(self, (struct staging){ 0, SIDE_END }, FINDS_POISON, err);
}

enum at_outcome verify_winner(struct at_measure_context *self,
	struct candidate *candidate, const struct at_measure_request *request,
	struct at_measure_result *result, struct at_error *err)
{
	enum at_outcome (*const parts[])(struct trial *, struct at_error *) = {
		verify_repeated,
		verify_aligned,
		trial_crowd,
		verify_patterns,
		verify_unseen,
		verify_symbols,
	};
	/* under a checker of memory one part is enough: the checker sees every access,
	   and each launch takes long */
	const size_t count = self->setup->watched ? 1 : AT_COUNT_OF(parts);
	struct trial trial = {
		.context = self,
		.candidate = candidate,
		.request = request,
		.result = result,
		.start_ns = at_clock_now_ns(),
	};
	struct at_error reason = { 0 };
	enum at_outcome outcome = AT_OUTCOME_OK;

	/* without room for these places, outputs are guarded at their end alone */
	if (self->is_guarded && !buffers_make_starts(self, &reason) &&
		candidate_bind(self, candidate, err))
		return AT_OUTCOME_NONE;
	result->verified.data_sets = self->set_count;
	result->verified.zones = !self->setup->watched;
	/* of the contents that are declared; those that are drawn decide */
	result->verified.is_vacuous = tolerance_is_vacuous(self, 0);
	data_list_staying(self->setup, result->verified.only_for,
		sizeof(result->verified.only_for));
	for (size_t i = 0; i < count && outcome == AT_OUTCOME_OK; i++)
		outcome = parts[i](&trial, err);
	if (!self->device->is_lost)
		buffers_free_starts(self);
	return outcome;
}
