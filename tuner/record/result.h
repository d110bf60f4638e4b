/*
 * What is committed to git and included in builds: <results>/<device>/<kernel>.json
 * and <kernel>.h, made from the crowns in the store. Deterministic: the same
 * crowns give the same bytes, and a file that would not change is not touched.
 * Nothing in them comes from the clock, and of the device nothing that changes
 * with a driver or from board to board.
 *
 * The JSON file, `null` where something is not known:
 *
 *   version            1
 *   kernel             the space's name; names the files and the macros
 *   function           the kernel in the template
 *   device             kind, model, architecture, properties: {NAME: integer}
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
 *                      their highest), set_clock_hz (by the user), empty_ns (a
 *                      launch of a kernel that does nothing, where this one is
 *                      short); or null
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
 *
 * The header, for the kernel "matmul" (C99, C++11, CUDA):
 *
 *   MATMUL_BLOCK_X                every parameter: integers and reals as they
 *                                 are, booleans 0 and 1
 *   MATMUL_CACHE                  of words: one of MATMUL_CACHE_ca,
 *                                 MATMUL_CACHE_cg, ..., distinct integers
 *   MATMUL_CACHE_NAME             "cg"
 *   MATMUL_UNPROVED               1; only there where the winner is unproved
 *   MATMUL_OPTIONS                the compiler's options, separated by blanks
 *   MATMUL_BLOCK_DIM_X, _Y, _Z    threads of a block, for the tuned problem
 *   MATMUL_SHARED_BYTES           dynamic shared memory, for the tuned problem
 *   MATMUL_GRID_X(M, N, K), ...   blocks, for any sizes; the arguments are all
 *                                 sizes of the space in the order of its file
 *   MATMUL_BLOCK_DIM_X_FOR(M, N, K), MATMUL_SHARED_BYTES_FOR(M, N, K)
 *                                 only where they depend on the sizes
 *
 * With several problems these are the first problem's, each problem's are also
 * there as MATMUL_<PROBLEM>_BLOCK_X and so on, and MATMUL_PROBLEM_<PROBLEM>,
 * defined before the header is included, makes that problem's the short ones.
 * MATMUL_BARE, defined likewise, also defines the names that the template reads
 * (BLOCK_X, CACHE, CACHE_ca, ...), so that it compiles as it stands; what they
 * were before is undefined first, so that the next kernel's header can follow.
 * A launch name that is also a parameter's gets a '_' at its end.
 *
 * Must not know: how times were got. Threads: as the store.
 */
#ifndef AT_RECORD_RESULT_H
#define AT_RECORD_RESULT_H

#include "record/store.h"
#include "space/spec.h"

struct at_result_options {
	const char *directory; /* of the results */
	const char *header_path; /* NULL: the usual place */
	bool with_unproved; /* the header has winners that are unproved too */
};

/*
 * Writes both files for one space and device from the store's crowns, problems
 * in the order of the spec. Crowns whose configuration no longer fits the spec
 * (a parameter or value is gone) are left out. *written (may be NULL) gets the
 * header's path (heap); NULL where no header was written, since none of the winners is
 * proved: what lies there is left alone. AT_ENOENT when there is no crown for them.
 */
enum at_status at_result_write(struct at_store *store,
	const struct at_result_options *options, const struct at_spec *spec,
	int64_t device_id, char **written, struct at_error *err);

/* The two texts, without touching files. */
enum at_status at_result_json(const struct at_spec *spec,
	const struct at_record_device *device, const struct at_crown *crowns,
	const struct at_evaluation *winners, const struct at_evaluation *baselines,
	size_t count, struct at_strbuf *out, struct at_error *err);
enum at_status at_result_header(const struct at_spec *spec,
	const struct at_record_device *device, const struct at_crown *crowns,
	const struct at_evaluation *winners, size_t count, struct at_strbuf *out,
	struct at_error *err);

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
