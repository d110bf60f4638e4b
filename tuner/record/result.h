/*
 * What is committed to git and included in builds: <results>/<device>/<kernel>.json,
 * one a device, and <results>/<kernel>.h for all of them. Deterministic: the same
 * winners give the same bytes, and a file that would not change is not touched.
 * Nothing in them comes from the clock, and of the device nothing that changes
 * with a driver or from board to board.
 *
 * The JSON file, `null` where something is not known:
 *
 *   version            1
 *   kernel             the space's name; names the files and the macros
 *   function           the kernel in the template
 *   device             kind, model, architecture, memory_gib (rounded up; not of a
 *                      CPU), properties: {NAME: integer}
 *   problems           an array in the order of the space file, each with
 *     problem          its name
 *     sizes            {"M": 4096, ...}
 *     configuration    {"BLOCK_X": 16, "USE_LDG": false, "CACHE": "cg", ...}
 *     time_ns, low_ns, high_ns    of one launch, with its 95 % interval
 *     speedup          the baseline's time over this one's, in the same finals:
 *                      baseline.time_ns / time_ns; 1 where the baseline is the
 *                      winner
 *     speedup_low, speedup_high    its 95 % interval
 *     baseline         configuration, time_ns, low_ns, high_ns, resources; or null
 *     evaluation_count, ok_count  that the winner was chosen from
 *     launch           block, grid, shared_bytes
 *     options          the compiler's, an array
 *     metrics          flops and bytes of one launch, gflop_per_second and
 *                      gbyte_per_second achieved, intensity (flops a byte);
 *                      only those that are known
 *     measurement      blocks and samples of the finals, launches_per_sample,
 *                      first_clock_hz and last_clock_hz, repeated_rounds and
 *                      throttled_rounds (held back by heat or power),
 *                      clock_reasons ("heat, power cap": why clocks were not at
 *                      their highest), set_clock_hz and set_memory_clock_hz (by
 *                      the user), power_limit_watts, empty_ns (a launch of a
 *                      kernel that does nothing, where this one is short),
 *                      graph_ns and empty_graph_ns (launches in a graph, of this
 *                      one and of nothing), graph_off (by what part of the time
 *                      both ways differ, launches of nothing taken off); or null
 *     resources        registers, local_bytes, spill_store_bytes,
 *                      spill_load_bytes, shared_bytes, threads_per_block, blocks,
 *                      occupancy: resident_blocks on a multiprocessor, fraction,
 *                      limiting_factor; or null
 *     gains            which parameter mattered: an array of {to, from:
 *                      {"TILE": 16}, time_ns after it, share of the gain}, from
 *                      the baseline to the winner; null where it was not looked
 *                      into
 *     proved           false: crowned by a run that was interrupted, without
 *                      finals and proof; the header has it only where that was
 *                      asked for
 *     proof            what it was held to, how, and what could not be done and
 *                      why (record/proof.h); null: by an older version, or not
 *                      at all
 *     toolchain, driver, source_hash
 *                      what it was compiled and tuned with
 *     measured         2025-11-21T09:05:00Z
 *     member           who serves the problem in the portfolio, with the same keys
 *                      and loss, loss_low, loss_high against the winner (0.05: it
 *                      takes 5 % longer); not there where there is none
 *
 * The header, for the kernel "matmul" (C99, C++11, CUDA). D is a device's name
 * (NVIDIA_H200), P a problem's (SQUARE_4096), n a configuration's number:
 *
 *   MATMUL_CONFIGURATION_COUNT, MATMUL_CONFIGURATIONS(X)
 *                                 X(0, matmul_0) X(1, matmul_1) ...: the distinct
 *                                 winners, and the baselines that choose() falls
 *                                 back to; options count (record/header_plan.h)
 *   MATMUL_<n>_BLOCK_X            every parameter: integers and reals as they
 *                                 are, booleans 0 and 1
 *   MATMUL_<n>_CACHE              of words: one of MATMUL_CACHE_ca,
 *                                 MATMUL_CACHE_cg, ..., distinct integers
 *   MATMUL_<n>_CACHE_NAME         "cg"
 *   MATMUL_<n>_OPTIONS            the compiler's options, separated by blanks
 *   MATMUL_<n>_BLOCK_DIM_X, _Y, _Z, MATMUL_<n>_SHARED_BYTES
 *                                 threads of a block and dynamic shared memory;
 *                                 only where sizes and device do not matter
 *   MATMUL_<D>_<P>_CONFIGURATION  n
 *   MATMUL_<D>_<P>_TIME_NS, _TIME_LOW_NS, _TIME_HIGH_NS, _SPEEDUP, _SPEEDUP_LOW,
 *   _SPEEDUP_HIGH, _LOSS          what is known of them
 *   MATMUL_<D>_<P>_UNPROVED       1; only there where the winner is unproved
 *   struct autotune_device, autotune_launch, autotune_choice, enum autotune_rung
 *                                 of all headers together (record/header_runtime.h)
 *   matmul_choose(&device, M, N, K)
 *                                 configuration and rung; the arguments are all sizes
 *                                 of the space in the order of its file
 *   matmul_launch(n, &device, M, N, K)
 *   matmul_fits(n, &device, M, N, K)
 *   matmul_device(i)              the devices of the record, MATMUL_DEVICE_COUNT
 *
 * Names without a number (MATMUL_BLOCK_X) are those of one configuration, which is
 * chosen before the header is included: MATMUL_CONFIGURATION as n; or MATMUL_DEVICE as
 * D, MATMUL_PROBLEM as P, or both; nothing, where there is only one winner. What is not
 * known is an #error. MATMUL_BARE also defines the names that the template reads
 * (BLOCK_X, CACHE, CACHE_ca, ..., and what options define: RADIUS), so that it compiles
 * as it stands; and with MATMUL_CONFIGURATION its kernel is called matmul_<n>, its
 * other kernels, and the variables that the space names, matmul_<n>_NAME. What these
 * names were before is undefined first, so that the next kernel's header can follow. A
 * name of the header that is also a parameter's gets a '_' at its end.
 *
 * Must not know: how times were got. Threads: as the store.
 */
#ifndef AT_RECORD_RESULT_H
#define AT_RECORD_RESULT_H

#include "record/cubins.h"
#include "record/header_plan.h"
#include "record/results.h"
#include "record/store.h"
#include "space/spec.h"

struct at_result_options {
	const char *directory; /* of the results */
	/* NULL: <directory>/<kernel>.h, of a portfolio <directory>/<kernel>_portfolio.h
	 */
	const char *header_path;
	bool is_portfolio; /* the items are members: at_results_take_members() */
	bool with_unproved; /* the header has winners that are unproved too */
	/* where none of the winners is proved a header that lies there is removed: what
	   is in it is known to be wrong */
	bool removes_header;
};

/*
 * After a crown: the result file of this device, and the header for all that is there
 * by now, of the record and of result files. Winners whose configuration no longer fits
 * the spec (a parameter or value is gone) are left out. *written (may be NULL) gets the
 * header's path (heap); NULL where no header was written, since none of the winners is
 * proved: what lies there is left alone. AT_ENOENT when there is no crown of the
 * device. Processes that write at the same time leave a header with the winners of
 * both.
 */
enum at_status at_result_write(struct at_store *store,
	const struct at_result_options *options, const struct at_spec *spec,
	int64_t device_id, char **written, struct at_error *err);

/* The result files of the devices of which items has a winner that is of the record. */
enum at_status at_result_write_files(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	struct at_error *err);
/*
 * The header of the items. AT_ENOENT when none of them can be in it. AT_EINVAL, and
 * nothing is written, where there lies a header of another space file, or something
 * else that is not of this tool.
 */
enum at_status at_result_write_header(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	char **written, struct at_error *err);
/*
 * Whether the header that lies there is what would be written: AT_EINVAL with why it is
 * stale (space, template or record changed; by hand; missing). Writes nothing. *checked
 * (may be NULL): its path; heap.
 */
enum at_status at_result_check_header(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	char **checked, struct at_error *err);

/*
 * The header of cubins (record/cubins.h), and it in its place, which is header_path or
 * lies beside the ordinary header: <directory>/<kernel>_cubins.h. It includes that by
 * its usual name. AT_EINVAL as at_result_write_header(); *written: its path; heap.
 */
enum at_status at_result_cubins(const struct at_result_options *options,
	const struct at_header_plan *plan, const struct at_cubins *cubins,
	struct at_strbuf *out, struct at_error *err);
enum at_status at_result_write_cubins(const struct at_result_options *options,
	const struct at_header_plan *plan, const struct at_cubins *cubins,
	char **written, struct at_error *err);

/* The two texts, without touching files; results are of the device, one a problem. */
enum at_status at_result_json(const struct at_spec *spec,
	const struct at_record_device *device, const struct at_result *const *results,
	size_t count, struct at_strbuf *out, struct at_error *err);
enum at_status at_result_header(const struct at_spec *spec,
	const struct at_result *items, size_t count,
	const struct at_header_plan_options *options, struct at_strbuf *out,
	struct at_error *err);
/* of a plan with at least one winner */
enum at_status at_header_write(
	const struct at_header_plan *plan, struct at_strbuf *out, struct at_error *err);

/* JSON object of a configuration, as evaluations keep it; heap. */
char *at_configuration_to_json(
	const struct at_spec *spec, const uint16_t *configuration);
/* JSON object of a problem's sizes, in the order that the space's problems share; heap,
   NULL when memory ran out. */
char *at_problem_to_json(const struct at_spec *spec, const struct at_problem *problem);
/* Back to value indices; *fits false when it does not fit the spec. */
enum at_status at_configuration_from_json(const struct at_spec *spec, const char *json,
	uint16_t *configuration, bool *fits, struct at_error *err);

#endif
