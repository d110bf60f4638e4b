/*
 * What is committed to git and included in builds: <results>/<device>/<kernel>.json,
 * one for each device, and <results>/<kernel>.h for all of them. Deterministic: the
 * same winners give the same bytes, and a file that would not change is not touched.
 * Nothing in them comes from the clock, and of a device nothing that changes with its
 * driver or from board to board.
 *
 * The JSON file; `null` where a value is not known:
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
 *                      baseline.time_ns / time_ns; 1 where the baseline is the
 *                      winner
 *     speedup_low, speedup_high    its 95 % interval
 *     baseline         configuration, time_ns, low_ns, high_ns, resources; or null
 *     evaluation_count, ok_count  that the winner was chosen from
 *     launch           block, grid, shared_bytes, and the attributes that are set
 *     options          the compiler's, an array
 *     metrics          flops and bytes of one launch, gflop_per_second and
 *                      gbyte_per_second achieved, intensity (flops a byte);
 *                      only those that are known
 *     measurement      blocks and samples of the finals, launches_per_sample,
 *                      undecided (true: the budget ended them too early; else
 *                      missing),
 *                      first_clock_hz and last_clock_hz, repeated_rounds and
 *                      throttled_rounds (held back by heat or power),
 *                      clock_reasons ("heat, power cap": why clocks were not at
 *                      their highest), set_clock_hz and set_memory_clock_hz (null
 *                      unless the user set them), power_limit_watts, unmoved_blocks
 *                      (in which memory could not lie elsewhere; missing if none
 *                      exist), ungated (true: times of short kernels have some of
 *                      the host's in them; else missing), empty_ns (a launch of a
 *                      kernel that does nothing; only where this kernel is short),
 *                      graph_ns and empty_graph_ns (launches in a graph, of this
 *                      kernel and of one that does nothing), graph_off (by what
 *                      part of the time the two ways of launching differ, with the
 *                      times of the empty kernel subtracted), template (a hash of
 *                      it and what it includes; missing if not known), energy (where
 *                      the winner was chosen by it: idle_watts, least_celsius,
 *                      most_celsius, and finalists, each with configuration, time,
 *                      energy and on_front: none is better in one and as good in the
 *                      other); or null
 *     objective        missing where it is time; else name, unit, value, low, high,
 *                      baseline_low, baseline_high. The speed-up then is that of the
 *                      values, and all times are those of single evaluations.
 *     resources        registers, local_bytes, spill_store_bytes,
 *                      spill_load_bytes, shared_bytes, threads_per_block, blocks,
 *                      occupancy: resident_blocks on a multiprocessor, fraction,
 *                      limiting_factor; or null
 *     gains            which parameter mattered: an array of {to, from:
 *                      {"TILE": 16}, time_ns after it, share of the gain}, from
 *                      the baseline to the winner; null where it was not looked
 *                      into
 *     verified           false: selected by an interrupted run, without finals and
 *                      verification; the header has such a winner only on request
 *     verification            what the winner was checked by, and what could not be
 *                      checked and why (record/verification.h); null: verified by an
 * older version, or not at all toolchain, driver, source_hash what it was compiled and
 * tuned with measured         2025-11-21T09:05:00Z member           the portfolio's
 * configuration for this problem, with the same keys and loss, loss_low, loss_high
 * against the winner (0.05: it takes 5 % longer); missing if none exists
 *   counterexamples    an array, missing if none exist: cases on which
 *                      configurations were found wrong (record/counterexample.h)
 *     instance         the case: sizes, contents, seed, is_scaled
 *     failure          configuration, problem, detail, found
 *
 * The header, for the kernel "matmul" (C99, C++11, CUDA). D is a device's name
 * (NVIDIA_H200), P a problem's (SQUARE_4096), n a configuration's number:
 *
 *   MATMUL_CONFIGURATION_COUNT, MATMUL_CONFIGURATIONS(X)
 *                                 X(0, matmul_0) X(1, matmul_1) ...: the distinct
 *                                 winners, and the baselines that choose() falls
 *                                 back to; configurations with different compiler
 *                                 options are distinct (record/header_plan.h)
 *   MATMUL_<n>_BLOCK_X            every parameter: integers and reals as they
 *                                 are, booleans 0 and 1
 *   MATMUL_<n>_CACHE              of words: one of MATMUL_CACHE_ca,
 *                                 MATMUL_CACHE_cg, ..., distinct integers
 *   MATMUL_<n>_CACHE_NAME         "cg"
 *   MATMUL_<n>_OPTIONS            the compiler's options, separated by blanks
 *   MATMUL_<n>_BLOCK_DIM_X, _Y, _Z, MATMUL_<n>_SHARED_BYTES
 *                                 threads of a block and dynamic shared memory;
 *                                 only where they depend on neither sizes nor device
 *   MATMUL_<D>_<P>_CONFIGURATION  n
 *   MATMUL_<D>_<P>_TIME_NS, _TIME_LOW_NS, _TIME_HIGH_NS, _SPEEDUP, _SPEEDUP_LOW,
 *   _SPEEDUP_HIGH, _LOSS          those that are known
 *   MATMUL_<D>_<P>_OBJECTIVE      "energy" or "edp", by which the speed-up counts then
 *   MATMUL_<D>_<P>_UNVERIFIED       1; defined only where the winner is unverified
 *   struct autotune_device, autotune_launch, autotune_choice, enum autotune_rung
 *                                 shared by all headers (record/autotune.h)
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
 * Names without a number (MATMUL_BLOCK_X) are those of one configuration, which is
 * chosen before the header is included: by defining MATMUL_CONFIGURATION as n, or
 * MATMUL_DEVICE as D, MATMUL_PROBLEM as P, or both; or by nothing, where there is only
 * one winner. A choice that does not exist is an #error. MATMUL_BARE also defines the
 * names that the template reads (BLOCK_X, CACHE, CACHE_ca, ..., and what options
 * define: RADIUS), so that the template compiles unchanged. With MATMUL_CONFIGURATION
 * its kernel is then called matmul_<n>, and its other kernels, and the variables that
 * the space names, matmul_<n>_NAME. Earlier definitions of these names are undefined
 * first, so that the header of another kernel can follow. Where a name of the header
 * collides with a parameter's, the header's name gets a '_' at its end.
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

/* Where files go, and what is in them. All texts are borrowed. */
struct at_result_options {
	const char *directory; /* the results directory */
	/* NULL: <directory>/<kernel>.h, of a portfolio <directory>/<kernel>_portfolio.h
	 */
	const char *header_path;
	bool is_portfolio; /* the items are members: at_results_take_members() */
	bool with_unverified; /* the header has winners that are unverified too */
	/* Where no winner is verified, remove the header that lies there: what it holds
	   is known to be wrong. */
	bool removes_header;
};

/*
 * To be called after a winner: writes the result file of this device, and the header of
 * all that is known by then, from the record and from result files. Winners whose
 * configuration does not fit the spec any more (a parameter or value is gone) are left
 * out. *written (may be NULL) gets the header's path (heap); NULL where none of the
 * winners is verified, so that no header was written and an existing one was left
 * alone. AT_ENOENT: the device has no winner. Several processes may write at the same
 * time: the header ends up with the winners of all.
 */
enum at_status at_result_write(struct at_store *store,
	const struct at_result_options *options, const struct at_spec *spec,
	int64_t device_id, char **written, struct at_error *err);

/* Writes the result files of all devices that have a winner from the record (not only
   from a file) among the results. */
enum at_status at_result_write_files(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_results *results,
	struct at_error *err);
/*
 * Writes the header of the items. *written (may be NULL): its path; heap. AT_ENOENT:
 * none of the items can be in a header. AT_EINVAL: another file lies there, be it the
 * header of another space file or a file that this tool did not write; then nothing is
 * written.
 */
enum at_status at_result_write_header(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	char **written, struct at_error *err);
/*
 * Checks that the existing header is what would be written: AT_EINVAL with why it is
 * stale (space, template or record changed; changed by hand; missing). Writes nothing.
 * *checked (may be NULL): its path; heap; set only on success.
 */
enum at_status at_result_check_header(const struct at_result_options *options,
	const struct at_spec *spec, const struct at_result *items, size_t count,
	char **checked, struct at_error *err);

/*
 * The header of cubins (record/cubins.h): the first appends its text to out; the second
 * writes it to header_path, or beside the ordinary header as
 * <directory>/<kernel>_cubins.h. It includes the ordinary header by its usual name.
 * AT_EINVAL as for at_result_write_header(). *written: its path; heap.
 */
enum at_status at_result_cubins(const struct at_result_options *options,
	const struct at_header_plan *plan, const struct at_cubins *cubins,
	struct at_strbuf *out, struct at_error *err);
enum at_status at_result_write_cubins(const struct at_result_options *options,
	const struct at_header_plan *plan, const struct at_cubins *cubins,
	char **written, struct at_error *err);

/* The two texts, without files: the result file of one device (results in the order of
   the problems, one each), and the header of the items. counterexamples: of all spaces
   and devices; those of the file are taken. */
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

/* The JSON object of a configuration, as evaluations keep it; heap. */
char *at_configuration_to_json(
	const struct at_spec *spec, const uint16_t *configuration);
/* JSON object of a problem's sizes, in the order that the space's problems share; heap.
 */
char *at_problem_to_json(const struct at_spec *spec, const struct at_problem *problem);
/* Reads a configuration back to value indices (spec->parameter_count of them). *fits is
   false where the text is not a configuration of this spec; that is no error. */
void at_configuration_from_json(const struct at_spec *spec, const char *json,
	uint16_t *configuration, bool *fits);

#define AT_ISO_TIME_SIZE 32
/* Writes seconds since 1970 UTC as 2025-11-21T09:05:00Z, or "unknown"; returns
   buffer. */
char *at_result_iso_time(int64_t seconds, char buffer[AT_ISO_TIME_SIZE]);

#endif
