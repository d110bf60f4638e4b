/*
 * Files to commit to git and include in builds: <results>/<device>/<kernel>.json, one
 * for each device, and <results>/<kernel>.h for all of them. Deterministic: the same
 * winners give the same bytes, and an unchanged file is not touched. They contain
 * nothing from the clock, and nothing of a device that changes with its driver or from
 * board to board.
 *
 * The JSON file; unknown values are `null`:
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
 *     speedup          the baseline's time over the winner's, in the same finals:
 *                      baseline.time_ns / time_ns; 1 if the baseline is the winner
 *     speedup_low, speedup_high    its 95 % interval
 *     baseline         configuration, time_ns, low_ns, high_ns, resources; or null
 *     evaluation_count, ok_count  that the winner was chosen from
 *     launch           block, grid, shared_bytes, and the attributes that are set
 *     options          the compiler's, an array
 *     metrics          flops and bytes of one launch, gflop_per_second and
 *                      gbyte_per_second achieved, intensity (flops a byte); only
 *                      known ones
 *     measurement      blocks and samples of the finals, launches_per_sample,
 *                      undecided (true: the budget ended them too early; else
 *                      missing), first_clock_hz and last_clock_hz, repeated_rounds
 *                      and throttled_rounds (by heat or power), clock_reasons ("heat,
 *                      power cap": why clocks were not at their highest), set_clock_hz
 *                      and set_memory_clock_hz (null unless the user set them),
 *                      power_limit_watts, unmoved_blocks (memory could not be moved;
 *                      missing if 0), ungated (true: times of short kernels include
 *                      some of the host's; else missing), empty_ns (launch of an
 *                      empty kernel; only for short kernels), graph_ns and
 *                      empty_graph_ns (launches in a graph, of this kernel and of an
 *                      empty one), graph_off (relative difference of both ways of
 *                      launching, less the times of the empty kernel), template (a
 *                      hash of it and its includes; missing if unknown), energy (if
 *                      it selected the winner: idle_watts, least_celsius,
 *                      most_celsius, and finalists, each with configuration, time,
 *                      energy and on_front: on the Pareto front); or null
 *     objective        missing if it is time; else name, unit, value, low, high,
 *                      baseline_low, baseline_high. The speed-up is then that of the
 *                      values, and all times are those of single evaluations.
 *     resources        registers, local_bytes, spill_store_bytes, spill_load_bytes,
 *                      shared_bytes, threads_per_block, blocks, occupancy:
 *                      resident_blocks on a multiprocessor, fraction,
 *                      limiting_factor; or null
 *     gains            which parameters mattered: an array of {to, from: {"TILE": 16},
 *                      time_ns after it, share of the gain}, from the baseline to the
 *                      winner; null if not explained
 *     verified         false: selected by an interrupted run, without finals and
 *                      verification; in the header only on request
 *     verification     the checks that the winner passed, and the omitted ones with
 *                      their reasons (record/verification.h); null: verified by an
 *                      older version, or not at all
 *     toolchain, driver, source_hash    that it was compiled and tuned with
 *     measured         2025-11-21T09:05:00Z
 *     member           the portfolio's configuration for this problem, with the same
 *                      keys and loss, loss_low, loss_high against the winner (0.05: it
 *                      takes 5 % longer); missing if none exists
 *   counterexamples    an array, missing if empty: cases on which configurations were
 *                      wrong (record/counterexample.h)
 *     instance         the case: sizes, contents, seed, is_scaled
 *     failure          configuration, problem, detail, found
 *
 * The header, for the kernel "matmul" (C99, C++11, CUDA). D is a device's name
 * (NVIDIA_H200), P a problem's (SQUARE_4096), n a configuration's number:
 *
 *   MATMUL_CONFIGURATION_COUNT, MATMUL_CONFIGURATIONS(X)
 *                                 X(0, matmul_0) X(1, matmul_1) ...: the distinct
 *                                 winners, and the baselines as fallbacks of choose();
 *                                 configurations with different compiler options are
 *                                 distinct (record/header_plan.h)
 *   MATMUL_<n>_BLOCK_X            every parameter: integers and reals unchanged,
 *                                 booleans 0 and 1
 *   MATMUL_<n>_CACHE              of words: one of MATMUL_CACHE_ca, MATMUL_CACHE_cg,
 *                                 ..., distinct integers
 *   MATMUL_<n>_CACHE_NAME         "cg"
 *   MATMUL_<n>_OPTIONS            the compiler's options, separated by blanks
 *   MATMUL_<n>_BLOCK_DIM_X, _Y, _Z, MATMUL_<n>_SHARED_BYTES
 *                                 threads of a block and dynamic shared memory; only
 *                                 if independent of sizes and device
 *   MATMUL_<D>_<P>_CONFIGURATION  n
 *   MATMUL_<D>_<P>_TIME_NS, _TIME_LOW_NS, _TIME_HIGH_NS, _SPEEDUP, _SPEEDUP_LOW,
 *   _SPEEDUP_HIGH, _LOSS          known ones
 *   MATMUL_<D>_<P>_OBJECTIVE      "energy" or "edp", to which the speed-up then refers
 *   MATMUL_<D>_<P>_UNVERIFIED     1; defined only if the winner is unverified
 *   struct autotune_device, autotune_launch, autotune_choice, enum autotune_rung
 *                                 common to all headers (record/autotune.h)
 *   matmul_choose(&device, M, N, K)
 *                                 configuration and rung; the arguments are all sizes
 *                                 of the space in the order of its file
 *   matmul_launch(n, &device, M, N, K)
 *   matmul_fits(n, &device, M, N, K)
 *   matmul_device(i)              the devices of the record, MATMUL_DEVICE_COUNT
 *   matmul_run(&device, stream, M, N, K, A, B, C)
 *                                 chooses and launches by the CUDA runtime;
 *                                 matmul_run_by(&runner, ...) by other functions
 *
 * Names without a number (MATMUL_BLOCK_X) belong to one configuration, chosen before
 * the header is included: by defining MATMUL_CONFIGURATION as n, or MATMUL_DEVICE as D,
 * MATMUL_PROBLEM as P, or both; a single winner needs no definition. An invalid choice
 * is an #error. MATMUL_BARE also defines the names that the template reads (BLOCK_X,
 * CACHE, CACHE_ca, ..., and macros of options: RADIUS), so that the template compiles
 * unchanged. With MATMUL_CONFIGURATION its kernel is then called matmul_<n>, and its
 * other kernels, and the variables that the space names, matmul_<n>_NAME. Earlier
 * definitions of these names are undefined first, so that another kernel's header can
 * follow. A name of the header that collides with a parameter's gets a '_' at its end.
 *
 * Must not know: how times were measured. Threads: as the store.
 */
#ifndef AT_RECORD_RESULT_H
#define AT_RECORD_RESULT_H

#include "record/cubins.h"
#include "record/header_plan.h"
#include "record/results.h"
#include "record/store.h"
#include "space/spec.h"

/* Paths and contents of the files. Borrowed texts. */
struct at_result_options {
	const char *directory; /* the results directory */
	/* NULL: <directory>/<kernel>.h, for a portfolio
	   <directory>/<kernel>_portfolio.h */
	const char *header_path;
	bool is_portfolio; /* the items are members: at_results_take_members() */
	bool with_unverified; /* the header includes unverified winners */
	/* Without a verified winner, remove the existing header: it is known to be
	   wrong. */
	bool removes_header;
};

/*
 * Call after a new winner: writes this device's result file, and the header, from all
 * recorded winners and result files. Winners that no longer fit the spec (a parameter
 * or value is gone) are left out. *written (may be NULL) gets the header's path (heap);
 * NULL: no winner is verified, so no header was written and an existing one stays.
 * AT_ENOENT: the device has no winner. Several processes may write at once: the header
 * ends up with all winners.
 */
enum at_status at_result_write(struct at_store *store,
	const struct at_result_options *options, const struct at_spec *spec,
	int64_t device_id, char **written, struct at_error *err);

/* Writes the result files of all devices that have a winner from the record (not only
   from a file) among the results. */
enum at_status at_result_write_files(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_results *results,
	struct at_error *err);
/* Writes the header of the items. *written (may be NULL): its path; heap. AT_ENOENT: no
   item can be in a header. AT_EINVAL: the path has the header of another space file, or
   a file that this tool did not write; nothing is written. */
enum at_status at_result_write_header(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	char **written, struct at_error *err);
/* Checks that the existing header is up to date: AT_EINVAL with the reason if it is
   stale (space, template or record changed; edited by hand; missing). Writes nothing.
   *checked (may be NULL): its path; heap; set only on success. */
enum at_status at_result_check_header(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	char **checked, struct at_error *err);

/*
 * The header of cubins (record/cubins.h): the first appends its text to out; the second
 * writes it to header_path, or as <directory>/<kernel>_cubins.h. It includes the
 * ordinary header by its usual name. AT_EINVAL as for at_result_write_header().
 * *written: its path; heap.
 */
enum at_status at_result_cubins(const struct at_result_options *options,
	const struct at_header_plan *plan, const struct at_cubins *cubins,
	struct at_strbuf *out, struct at_error *err);
enum at_status at_result_write_cubins(const struct at_result_options *options,
	const struct at_header_plan *plan, const struct at_cubins *cubins,
	char **written, struct at_error *err);

/* The two texts, without files: a device's result file (results in the order of the
   problems, one each), and the header of the items. counterexamples: of all spaces and
   devices; those of the file are selected. */
enum at_status at_result_json(const struct at_spec *spec,
	const struct at_record_device *device, const struct at_result *const *results,
	size_t count, const struct at_counterexamples *counterexamples,
	struct at_strbuf *out, struct at_error *err);
enum at_status at_result_header(const struct at_spec *spec,
	const struct at_result *items, size_t count,
	const struct at_header_plan_options *options, struct at_strbuf *out,
	struct at_error *err);
/* The header of a plan. AT_ENOENT: the plan has no entries. */
enum at_status at_header_write(
	const struct at_header_plan *plan, struct at_strbuf *out, struct at_error *err);
/* The text of autotune.h, which all headers include. */
void at_header_common(struct at_strbuf *out);

/* The JSON object of a configuration, as in evaluations; heap. */
char *at_configuration_to_json(
	const struct at_spec *spec, const uint16_t *configuration);
/* JSON object of a problem's sizes, in the order common to the space's problems;
   heap. */
char *at_problem_to_json(const struct at_spec *spec, const struct at_problem *problem);
/* Converts a configuration to value indices (spec->parameter_count). *fits false: the
   text is not a configuration of this spec, which is not an error. */
void at_configuration_from_json(const struct at_spec *spec, const char *json,
	uint16_t *configuration, bool *fits);

#define AT_ISO_TIME_SIZE 32
/* Formats seconds since 1970 UTC as 2025-11-21T09:05:00Z, or "unknown"; returns
   buffer. */
char *at_result_iso_time(int64_t seconds, char buffer[AT_ISO_TIME_SIZE]);

#endif
