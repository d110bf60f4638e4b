/*
 * What the files of measure/ share; nobody outside includes it.
 *
 * A trip: one call of the device that waits until the device has done it (run, time,
 * read, write, set_symbol). On a GPU a trip costs 10 to 20 microseconds however little
 * is in it, more than many a kernel takes. So what belongs together is queued in
 * at_bench.queue and sent by one bench_run(). tests/test_measure.c counts the trips.
 */
#ifndef AT_MEASURE_BENCH_H
#define AT_MEASURE_BENCH_H

#include "measure/measure.h"

/* contents of every input, so that no launch is given what the one before it was */
#define SETS 2
/* on both sides of data that is not guarded; wide enough for a row of a tile gone
 * astray
 */
#define ZONE_BYTES 65536u
/* of a zone that is wider, as the rest of a page may be, so much is looked at */
#define ZONE_MOST_BYTES 2097152u
/* of data that ends where its pages do: what a device gives to any allocation */
#define ALIGNMENT 256u
/* what no kernel can do without: the widest loads and stores of a thread, a bulk copy
 */
#define ALIGNMENT_LEAST 32u
/* all ones: NaN in every IEEE format, -1 or the largest in integers */
#define POISON 0xffu
/* the second time another one, so that no integer result equals both */
#define POISON_AGAIN 0xa6u
/* of what is no byte: another word everywhere, by a number */
#define POISON_GARBAGE(number) (0x100u * ((number) + 1))

enum support_kernel {
	SUPPORT_FILL,
	SUPPORT_PATTERN,
	SUPPORT_PATTERN_CHECK,
	SUPPORT_CHECKSUM,
	SUPPORT_SCALE,
	SUPPORT_WIDEN,
	SUPPORT_NARROW,
	SUPPORT_COMPARE,
	SUPPORT_FLUSH,
	SUPPORT_POISON_SHARED,
	SUPPORT_MASK,
	SUPPORT_VARIABLES,
	SUPPORT_POISON_LOCAL,
	SUPPORT_CROWD,
	SUPPORT_NOTHING,
	SUPPORT_GARBAGE,
	SUPPORT_COUNT
};

/* Arguments of one call of a support kernel. */
struct support_values {
	struct at_parameter_value items[12];
};

/* Calls for one trip, in order. The room is fixed when it is made. */
struct call_list {
	struct at_invocation *calls;
	struct support_values *values; /* one a call; of support kernels only */
	size_t count;
	size_t room;
};

enum at_status call_list_init(
	struct call_list *self, size_t room, struct at_error *err);
void call_list_release(struct call_list *self);
void call_list_add(struct call_list *self, const struct at_invocation *call);

/*
 * What the benches of one device have in common, counted: the last one ends it. The
 * flush buffer is the largest of all, twice the cache, and nothing in it is a
 * problem's.
 */
struct bench_shared {
	struct at_device *device;
	unsigned bench_count;
	struct at_module *module;
	struct at_kernel *kernels[SUPPORT_COUNT];
	/* behind flush_bytes the sink; NULL until a bench times with a cold cache */
	struct at_memory *flush;
	uint64_t flush_bytes;
	/* when the board was last known to have its clocks up; 0: never */
	uint64_t last_busy_ns;
};

/* What is known of an expected output, in one set of data. */
struct expectation {
	/* mean magnitude of its values, 0 where they are 0 or not finite: what is small
	   is small beside that */
	double scale;
	/* the largest error of the reference in float against that in double, in parts
	   of |value| + scale; NAN: there is none in double, and it is the one in float
	 */
	double error;
	/* the part of its values, of those that are not 0, for which 0 would pass */
	double zeros;
	/* how many these are, and what none of them is above */
	double zero_count;
	double zero_atol;
	/* how many values the reference in float has lost more than half of, by that in
	   double */
	double lost;
};

/* What an output is compared by: |actual - expected| <= atol + rtol |expected|. */
struct tolerance {
	double rtol;
	double atol;
	double scale; /* errors are told in parts of |expected| + scale */
};

/* At which end of its pages data lies, against unmapped memory. */
enum side { SIDE_END, SIDE_START, SIDE_COUNT };

/* Where data lies. What is left of the memory on both sides are its zones. */
struct place {
	struct at_memory *memory; /* NULL: there is none */
	uint64_t capacity_bytes;
	uint64_t offset_bytes; /* of the data */
	unsigned zone; /* the byte that its zones hold */
};

/*
 * Inputs have a place a set of data: set 0 begins with its pages and set 1 ends with
 * its own. What kernels write lies at SIDE_END, and for some proofs at SIDE_START: in
 * one place for all sets, so that it never holds what was computed from the same data
 * when a launch begins.
 */
struct buffer {
	struct place places[SIDE_COUNT];
	uint64_t bytes; /* without the zones */
	uint64_t count; /* elements */
	uint64_t checksums[SETS]; /* of inputs, as filled; not of guarded ones */
	/* the same on this side, of inputs that variables get as well; else NULL */
	void *contents;
	/* of outputs: what the reference gives, masked; none without a reference */
	struct place expected[SETS];
	uint64_t expected_checksums[SETS]; /* not of guarded ones */
	struct expectation expectations[SETS];
	/* of the space's own data, on which the reference ran first */
	struct expectation declared;
	/* the largest of the evaluation in work: as max_relative_error, and the part of
	   the tolerance that it takes up */
	double error;
	double used;
};

/* What a launch works on. */
struct staging {
	unsigned set;
	enum side side; /* of what it writes */
};

/* What is looked at for an argument; each has a row of results. */
enum check {
	CHECK_BEFORE, /* the zone before the data */
	CHECK_BEHIND,
	CHECK_INPUT, /* a row a set: the checksum, and zones */
	CHECK_INPUT_BEFORE = CHECK_INPUT + SETS,
	CHECK_INPUT_BEHIND = CHECK_INPUT_BEFORE + SETS,
	CHECK_EXPECTED = CHECK_INPUT_BEHIND + SETS, /* what the reference gave */
	CHECK_OUTPUT = CHECK_EXPECTED + SETS, /* against what the reference gave */
	CHECK_COUNT
};

/* What the kernel of a check adds to. All zero before it: one fill begins them all. */
struct check_row {
	uint64_t words[7];
};

struct at_bench {
	struct at_device *device;
	const struct at_measure_setup *setup;
	struct bench_shared *shared;
	struct buffer *buffers; /* one an argument */
	/* 1 where there is no room for two, or no expectation of other data */
	unsigned set_count;
	struct at_data data[SETS];
	enum at_data_pattern symbols; /* of the contents of variables */
	bool is_settled; /* the sets hold what the space declares */
	unsigned fill_count; /* of inputs, each time with other zones */
	bool is_guarded; /* buffers lie in memory of which a touch outside traps */
	/* what expected values are masked with: whoever finds them has nothing */
	uint64_t mask;
	struct at_memory *rows; /* CHECK_COUNT an argument, and one of the variables */
	struct check_row *results; /* as many, as last read */
	struct call_list queue; /* what the next bench_run() sends */
	bool wide_is_off; /* the reference in double does not work, or takes too long */
	bool has_declared; /* the reference ran with the space's own data */
	/* of the request in work: see struct at_measure_request */
	double baseline_error;
	bool is_baseline;
	/* kernels of a template have run since the borders were looked at */
	bool is_unwatched;
	double part_wall_ns; /* what the last trip of a sample took of our time */
};

/* One invocation of a kernel of the template and the storage of its arguments. */
struct bound_call {
	struct at_invocation invocation;
	struct at_parameter_value *values;
};

/* What a configuration launches, on one staging. */
struct bound_calls {
	struct bound_call kernel;
	struct bound_call prepare; /* .invocation.kernel NULL: none */
	struct bound_call finish;
};

/* A loaded configuration. */
struct candidate {
	const struct at_measure_request *request;
	struct at_module *module;
	struct bound_calls calls[SETS][SIDE_COUNT]; /* those that are bound */
	struct call_list before[SETS]; /* what goes ahead of a timed launch */
	/* the timed launches of all sets in turns, from any of them on */
	struct at_invocation timed[2 * SETS];
	unsigned next_set; /* of the next timed launch */
	unsigned last_set; /* of the last launch of all */
	/* what its module keeps from launch to launch, and how that was when loaded */
	struct at_memory
		*saved; /* a table for at_variables(), and copies; may be NULL */
	uint64_t variable_count;
	uint64_t saved_bytes; /* of the copies */
	/* launches have changed it: ahead of those that are timed it is put back */
	bool keeps_state;
	/* it has variables that cannot be put back: timed launches begin by loading it
	 */
	bool reloads;
};

/* ---- place.c ------------------------------------------------------------- */

uint64_t place_address(const struct at_bench *self, const struct place *place);
/* Where an argument lies for a launch; memory NULL: a scalar. */
struct place *buffer_place(
	const struct at_bench *self, size_t argument, struct staging staging);
/*
 * The zones of a place: up to ZONE_MOST_BYTES on each side of its data.
 */
struct zone {
	uint64_t address;
	uint64_t bytes; /* may be 0 */
};
struct zone place_before(const struct at_bench *self, const struct place *place);
struct zone place_behind(
	const struct at_bench *self, const struct place *place, uint64_t bytes);
/*
 * What a comparison reads: NULL where an argument is not compared, as what has no
 * expectation, and a structure, whose fields are; and what kernels wrote there. Of a
 * field both are its structure's.
 */
const struct place *compared_place(
	const struct at_bench *self, size_t argument, unsigned set);
struct place *written_place(
	const struct at_bench *self, size_t argument, struct staging staging);
/* numbers to compare: elements have lanes */
uint64_t buffer_scalars(const struct at_bench *self, size_t argument);
/* Makes, or frees, the places at SIDE_START of what kernels write. */
enum at_status bench_make_starts(struct at_bench *self, struct at_error *err);
void bench_free_starts(struct at_bench *self);
/* Zones around a place's data, all of this byte. */
void list_place_zones(struct at_bench *self, struct call_list *list,
	struct place *place, uint64_t bytes, unsigned byte);
/* Other bytes in the zones of what is written on the staging: the round's. */
void list_zones(struct at_bench *self, struct call_list *list, struct staging staging,
	unsigned round);
/* AT_EOVERFLOW: more elements than any device holds. Sets count and bytes. */
enum at_status place_size(
	struct at_bench *self, size_t argument, uint64_t count, struct at_error *err);
/* Memory for an argument of that size, all of it zone until something is put there. */
enum at_status place_make(struct at_bench *self, size_t argument, enum side side,
	struct place *out, struct at_error *err);
void place_free(struct at_bench *self, struct place *place);
/* Nothing where memory is not guarded. */
enum at_status place_protect(struct at_bench *self, const struct place *place,
	enum at_protection protection, struct at_error *err);
/* As near to the end of its pages as the alignment lets it lie. */
void place_fit(const struct at_bench *self, struct place *place, uint64_t bytes,
	enum side side, uint64_t alignment);
/* On each side of what is not guarded. */
uint64_t place_zone_bytes(const struct at_bench *self);
/* What an argument's zones hold in a round. */
unsigned place_zone_byte(size_t argument, unsigned round);
/* Where a set's inputs lie. */
enum side place_side_of_set(const struct at_bench *self, unsigned set);

/* ---- contents.c ---------------------------------------------------------- */

/*
 * Gives a set other contents, and makes its expectation. AT_ENOENT: there is none, as
 * the reference gave numbers that cannot be compared; what the set holds is then of no
 * use until it is given others.
 */
enum at_status bench_use_data(struct at_bench *self, unsigned set,
	const struct at_data *data, struct at_error *err);
/* Gives the sets what the space declares, where a proof gave them other contents. */
enum at_status bench_settle(struct at_bench *self, struct at_error *err);
/*
 * From the next bench_use_data() of set 0 on, until bench_settle(), variables that
 * inputs are copied into have other contents: of that set alone, and of modules whose
 * symbols are set after it. False: none of them may have any.
 */
bool bench_vary_symbols(struct at_bench *self);
/* Two sets trade contents and expectations: other data at the same addresses. */
enum at_status bench_exchange(struct at_bench *self, struct at_error *err);
/* Lets what is fitted to the ends of its pages end there as exactly as `alignment`. */
enum at_status bench_align(
	struct at_bench *self, uint64_t alignment, struct at_error *err);
/* What the space declares for a set, from a seed. */
struct at_data contents_declared(uint64_t seed, unsigned set);
/* Gives an input of a set its contents, in zones of their own, and makes it read-only.
 */
enum at_status contents_fill(
	struct at_bench *self, size_t argument, unsigned set, struct at_error *err);
/* All inputs of the set. */
enum at_status contents_fill_set(
	struct at_bench *self, unsigned set, struct at_error *err);
/* For bench_set_symbols(), from the inputs of set 0. */
enum at_status contents_keep(struct at_bench *self, struct at_error *err);
enum at_status contents_protect_expected(struct at_bench *self, unsigned set,
	enum at_protection protection, struct at_error *err);

/* ---- bench.c ------------------------------------------------------------- */

/*
 * Sends what is queued, as one trip, and empties the queue, also when it fails. An
 * empty queue is no trip.
 */
enum at_outcome bench_run(struct at_bench *self, struct at_error *err);
/* The board has done nothing for so long that its clocks may be down. */
bool bench_is_idle(const struct at_bench *self);
/* After a trip that began at start_ns: a board whose clocks were up still has them up.
 */
void bench_stayed_busy(struct at_bench *self, uint64_t start_ns);
/* Fits scratch buffers to this configuration. AT_EOVERFLOW: more than any device has.
 */
enum at_status bench_fit_scratch(struct at_bench *self,
	const struct at_measure_binding *bindings, struct at_error *err);
/*
 * Gives all that kernels of a template see other memory, in an order drawn from seed,
 * with the inputs as they were; what does not fit beside itself stays. Nothing may be
 * loaded: calls keep addresses. AT_ENOMEM, and nothing was changed; AT_EDEVICE.
 */
enum at_status bench_renew(struct at_bench *self, uint64_t seed, struct at_error *err);
/*
 * Lists what makes the buffers of a staging new: inout as they were, and unless only
 * those are wanted, poison in outputs and scratch. At most one call an argument.
 */
void list_restore(struct at_bench *self, struct call_list *list, struct staging staging,
	unsigned poison, bool inout_only);
/*
 * Copies inputs into the variables that a module has for them. Once, when it was
 * loaded: a kernel that writes there spoils its own later launches, and is judged
 * by them.
 */
enum at_outcome bench_set_symbols(
	struct at_bench *self, struct at_module *module, struct at_error *err);
/* Sends what is queued, which is the tuner's own: what fails is nobody else's fault. */
enum at_status bench_run_own(
	struct at_bench *self, const char *what, size_t argument, struct at_error *err);

/* ---- reference.c ------------------------------------------------------------ */

/* Whether there is something to compare an argument with. */
bool reference_gives(const struct at_bench *self, enum at_access access);
/* Where the reference finds an argument: outputs lie where comparisons read. */
const struct place *reference_place(
	const struct at_bench *self, size_t argument, unsigned set);
/*
 * Runs the reference into a set's expected outputs, which hold poison, and proves what
 * it left there. AT_EINVAL: that cannot be compared with anything.
 */
enum at_status reference_run(
	struct at_bench *self, unsigned set, unsigned poison, struct at_error *err);
/* The contents of a file into a buffer; the sizes must agree. */
enum at_status upload_file(struct at_bench *self, size_t argument, const char *path,
	const struct place *place, struct at_error *err);

/* ---- reference_wide.c ------------------------------------------------------- */

/* Copies of what the reference works on; none where there is none in double. */
struct wide {
	unsigned set;
	/* one an argument, NULL where it is not copied; NULL: there are none */
	struct at_memory **copies;
};

/* Ahead of the reference, which changes what is inout. */
void wide_begin(struct at_bench *self, unsigned set, struct wide *out);
/*
 * After it, when the scales are known: float_ns is how long it took. Replaces what is
 * expected, where it can. Releases the copies. AT_EDEVICE: the device is lost.
 */
enum at_status wide_end(struct at_bench *self, struct wide *wide, double float_ns,
	struct at_error *err);
void wide_release(struct at_bench *self, struct wide *wide);

/* ---- tolerance.c ------------------------------------------------------------ */

/* What the request in work is to be judged by, in a set of data. */
struct tolerance tolerance_of(
	const struct at_bench *self, size_t argument, unsigned set);
/*
 * What was expected so far in the set is not any more: the scales of what is, before it
 * is masked. No errors yet.
 */
enum at_status tolerance_measure_scales(
	struct at_bench *self, unsigned set, struct at_error *err);
/* The set's is the data that the space declares; nothing where that was done. */
enum at_status tolerance_keep_declared(
	struct at_bench *self, unsigned set, struct at_error *err);
/* A request begins. */
void tolerance_begin(struct at_bench *self, const struct at_measure_request *request);
/* The words of a comparison: into the result, and of this evaluation so far. */
void tolerance_note_errors(struct at_bench *self, size_t argument,
	const uint64_t *found, struct at_measure_result *result);
/* What is within its tolerance, and no rounding all the same: true, and why. */
bool tolerance_is_abused(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found, char *why, size_t size);
/* Of a wrong result: how wrong it is, behind what else is said. */
void tolerance_explain(const struct at_bench *self, size_t argument, unsigned set,
	const uint64_t *found, struct at_measure_result *result);
/* Fills in what people are told, after the baseline was compared. */
void tolerance_tell(struct at_bench *self, struct at_measure_result *result);

/* ---- support.c: the tuner's own kernels ------------------------------------- */

/* Loads the kernels, or takes those of a bench beside this one (NULL: none). */
enum at_status shared_take(
	struct at_bench *self, struct at_bench *beside, struct at_error *err);
/* Makes the flush buffer unless it is there. */
enum at_status shared_make_flush(struct at_bench *self, struct at_error *err);
void shared_drop(struct bench_shared *self);

/* One argument's contents in that data, unless they come from a file (data.h): of a
   structure all its fields', with poison between them. */
void support_fill(struct at_bench *self, struct call_list *list, size_t argument,
	uint64_t address, const struct at_data *data);
void support_pattern(struct at_bench *self, struct call_list *list, uint64_t address,
	uint64_t bytes, unsigned pattern);
/* Words that differ from each other; anything after the last byte stays. */
void support_garbage(struct at_bench *self, struct call_list *list, uint64_t address,
	uint64_t bytes, uint64_t seed);
/* Checks; what they find goes to the row. */
void support_pattern_check(struct at_bench *self, struct call_list *list,
	uint64_t address, uint64_t bytes, unsigned pattern,
	struct at_parameter_value row);
void support_checksum(struct at_bench *self, struct call_list *list, uint64_t address,
	uint64_t bytes, struct at_parameter_value row);
/* of what the reference gave for the argument, not masked */
void support_scale(struct at_bench *self, struct call_list *list, size_t argument,
	const struct place *expected, struct tolerance tolerance,
	struct at_parameter_value row);
/* a copy of the argument's contents for the reference in double */
void support_widen(struct at_bench *self, struct call_list *list, size_t argument,
	const struct place *from, uint64_t to);
/* what that gave beside what the reference gave, or in its place; not masked */
void support_narrow(struct at_bench *self, struct call_list *list, size_t argument,
	const struct place *expected, struct at_memory *wide, double scale,
	bool replace, struct at_parameter_value row);
/* `actual` against what the reference gave for the argument; mask 0: not masked */
void support_compare(struct at_bench *self, struct call_list *list, size_t argument,
	const struct place *actual, const struct place *expected, uint64_t mask,
	struct tolerance tolerance, struct at_parameter_value row);
/* Masks, or unmasks; 16 bytes at a time, so what lies behind is masked with it. */
void support_mask(struct at_bench *self, struct call_list *list, uint64_t address,
	uint64_t bytes, uint64_t mask);
enum variables_task { VARIABLES_SAVE = 1, VARIABLES_RESTORE, VARIABLES_DIFFER };
/* row: of DIFFER, what was found. A candidate without variables: nothing. */
void support_variables(struct at_bench *self, struct call_list *list,
	const struct candidate *candidate, enum variables_task task,
	struct at_parameter_value row);
void support_flush(struct at_bench *self, struct call_list *list);
/*
 * Poison in the shared memory of all multiprocessors, for whoever runs next and takes
 * it as 0. Nothing where the device does this by itself, or cannot say how much there
 * is.
 */
void support_poison_shared(struct at_bench *self, struct call_list *list);
/*
 * Poison where the local arrays of the next kernels' threads will lie, other for each
 * seed: the first 4 KiB of every thread's. Nothing where the device does this by
 * itself. Of no use ahead of the first launch of a kernel whose threads need more: for
 * that the driver makes room anew.
 */
void support_poison_local(struct at_bench *self, struct call_list *list, unsigned seed);
/*
 * From now on bench_run() runs its calls beside a filler: see crowd() of the device.
 * AT_EUNAVAILABLE also where it has no such slot.
 */
enum at_status support_crowd(struct at_bench *self, unsigned multiprocessors,
	uint64_t limit_ns, struct at_error *err);

/* A kernel that does nothing. */
void support_nothing(struct at_bench *self, struct call_list *list);

struct at_parameter_value value_u64(uint64_t value);
struct at_parameter_value value_u32(uint32_t value);
struct at_parameter_value value_real(double value);

/* ---- candidate.c: calls of the template's kernels --------------------------- */

/*
 * The call on a staging; of the reference, whose outputs are the expected ones.
 * AT_ENOENT: the module has no such kernel; AT_ENOMEM.
 */
enum at_status bound_call_init(struct at_bench *self, struct at_module *module,
	const struct at_measure_call *call, const struct at_measure_binding *bindings,
	struct staging staging, bool expected_outputs, struct bound_call *out,
	struct at_error *err);
void bound_call_release(struct bound_call *self);

/*
 * Whatever it gives, release it, after which the device may be lost. Scratch must fit
 * already, since the calls keep its address.
 */
enum at_outcome candidate_load(struct at_bench *self,
	const struct at_measure_request *request, struct candidate *out,
	struct at_error *err);
/* Its calls with the places as they are now: after any of them has moved. */
enum at_status candidate_bind(
	struct at_bench *self, struct candidate *candidate, struct at_error *err);
/* Its module as it was when it was loaded first. */
enum at_outcome candidate_reload(
	struct at_bench *self, struct candidate *candidate, struct at_error *err);
/* Lists anew what goes ahead of timed launches: after keeps_state has changed. */
void candidate_list(struct at_bench *self, struct candidate *candidate);
/* Every timed launch has to be alone: with its own things ahead of it. */
bool candidate_is_alone(const struct at_bench *self, const struct candidate *candidate);
void candidate_release(struct at_bench *self, struct candidate *candidate);

/* ---- verify.c --------------------------------------------------------------- */

/*
 * A round of checks: queue the kernels to be checked, check_begin(), any checks, no
 * argument's twice, check_end(). Then check_result() has the rows.
 */
void check_begin(struct at_bench *self);
/* before, behind: where the results go */
void check_queue_zones(struct at_bench *self, size_t argument,
	const struct place *place, enum check before, enum check behind);
void check_queue_input(struct at_bench *self, size_t argument, unsigned set);
void check_queue_expected(struct at_bench *self, size_t argument, unsigned set);
/* mask 0: what is expected is not masked (yet) */
void check_queue_output(struct at_bench *self, size_t argument,
	const struct place *actual, const struct place *expected, uint64_t mask,
	struct tolerance tolerance);
/* these two in the output's row, which thus has no other check in the round */
void check_queue_scale(struct at_bench *self, size_t argument,
	const struct place *expected, struct tolerance tolerance);
void check_queue_narrow(struct at_bench *self, size_t argument,
	const struct place *expected, struct at_memory *wide, double scale,
	bool replace);
/* Two trips: the kernels and checks, and the rows back. */
enum at_outcome check_end(struct at_bench *self, struct at_error *err);
const uint64_t *check_result(
	const struct at_bench *self, size_t argument, enum check check);
/* The lowest offset or index at which a check found something. */
uint64_t check_first(const struct at_bench *self, size_t argument, enum check check);

/*
 * Looks for writes into zones in the results of a round. expected: the round was of the
 * reference, which writes there.
 */
enum at_outcome judge_zones(const struct at_bench *self, struct staging staging,
	bool expected, struct at_measure_result *result);

/* What a launch finds in outputs, scratch and shared memory. */
enum finds {
	FINDS_POISON, /* nothing that a launch left */
	/* what the launch before it left there, of these very buffers if that was its
	   own */
	FINDS_LAST,
	/* what one with the other data left that is right ahead of it */
	FINDS_OTHERS,
};

/* One proof of a candidate. */
struct proof {
	struct staging staging;
	unsigned poison; /* in outputs and scratch before it */
	enum finds finds;
	/* look at the borders too; else a later proof of this candidate has to */
	bool watches_borders;
	/* above 0: time the launch of the kernel, and where it takes longer than this
	   look at the borders, since no other proof will follow */
	double limit_ns;
	double launch_ns; /* out: an upper estimate; 0: not timed, or not to be trusted
			   */
};

/* prepare, kernel, finish from poisoned outputs, and what they left. */
enum at_outcome verify_once(struct at_bench *self, struct candidate *candidate,
	struct proof *proof, struct at_measure_result *result, struct at_error *err);
/* What the last of timed launches left. */
enum at_outcome verify_sampled(struct at_bench *self, struct candidate *candidate,
	bool watches_borders, struct at_measure_result *result, struct at_error *err);
/* The borders alone. */
enum at_outcome verify_borders(
	struct at_bench *self, struct at_measure_result *result, struct at_error *err);

/* ---- proof.c ---------------------------------------------------------------- */

/*
 * Proves a winner by all means that the device has. The sets then hold other data:
 * bench_settle().
 */
enum at_outcome prove_winner(struct at_bench *self, struct candidate *candidate,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err);

/* ---- evaluate.c ------------------------------------------------------------- */

/* After these the buffers or the context may hold anything. */
bool outcome_loses_device(enum at_outcome outcome);
/* Takes the error's text where the verification said nothing itself. */
void result_explain(struct at_measure_result *result, const struct at_error *error);
void result_drop_times(struct at_measure_result *result);
bool is_machines_fault(enum at_outcome outcome, const struct at_error *reason);
enum at_outcome judge_fit(enum at_status status);

/* ---- sample.c --------------------------------------------------------------- */

/*
 * A launch that takes longer cannot win, not even if it was the first of its kernel;
 * 0 where that cannot be said: no incumbent, or clocks that may be down.
 */
double sample_limit_ns(const struct at_bench *self, double incumbent_ns);
/* Warm-up and samples of a candidate that has been verified. */
enum at_outcome sample_candidate(struct at_bench *self, struct candidate *candidate,
	const struct at_measure_request *request, struct at_measure_result *result,
	struct at_error *err);
/*
 * *time_ns: about how long one launch lasts. *hopeless: the kernel is so much slower
 * than the incumbent (0: there is none) that no sample is worth taking.
 */
enum at_outcome sample_warm_up(struct at_bench *self, struct candidate *candidate,
	double incumbent_ns, double *time_ns, bool *hopeless, struct at_error *err);
/* How many launches one sample takes, given about how long one lasts. */
unsigned sample_launches(
	const struct at_bench *self, const struct candidate *candidate, double time_ns);
/* One sample, time of one launch. Its launches take the sets of data in turns. */
enum at_outcome sample_once(struct at_bench *self, struct candidate *candidate,
	unsigned launches, double *time_ns, struct at_error *err);
/* Median and interval of the samples in `result`, which `sorted` holds in order. */
void sample_summarize(struct at_measure_result *result, const double *sorted);

/* ---- graph.c ---------------------------------------------------------------- */

/*
 * What a launch of a candidate that was sampled takes in a graph of many; 0 where the
 * device has none, or cannot make one of these. What they left is then there for
 * verify_sampled().
 */
enum at_outcome graph_time(struct at_bench *self, struct candidate *candidate,
	double *launch_ns, struct at_error *err);
/* The same of a kernel that does nothing; before: ahead of each of its launches. */
enum at_outcome graph_time_nothing(struct at_bench *self,
	const struct call_list *before, const struct at_invocation *nothing,
	double *launch_ns, struct at_error *err);

#endif
