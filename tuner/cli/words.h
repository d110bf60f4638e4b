/*
 * A configuration in words: its parameters, what limits its speed, how it was measured
 * and verified, which parameters mattered, and why it takes its time. Texts from the
 * record are JSON from any source. NULL and "" mean unknown, and unknown facts are
 * omitted. Threads: safe.
 */
#ifndef AT_CLI_WORDS_H
#define AT_CLI_WORDS_H

#include "base/json.h"
#include "cli/page.h"
#include "kernel/facts.h"
#include "kernel/roofline.h"
#include "record/store.h"
#include "space/spec.h"

/* ---- parameters: those that differ from the baseline, in the order of the space; all
   without a baseline or with --wide. The baseline itself is "the baseline" */

/* Appends "TILE_M=8 VECTOR=4" for a row of value indices; the baseline is the spec's
   defaults, unless --set leaves nothing else: then it is "the only configuration". */
void at_configuration_write(struct at_strbuf *out, const struct at_spec *spec,
	const uint16_t *configuration, bool wide);
/* The same for a configuration as recorded, {"TILE_M": 8, "VECTOR": 4}. baseline: also
   as recorded, or NULL. */
void at_configuration_write_recorded(
	struct at_strbuf *out, const char *json, const char *baseline, bool wide);

/* Sets the key "instance" if the kernel is an instance of a C++ template: the instance
   in this configuration. Sets nothing if configuration is NULL. */
void at_json_set_instance(struct at_json *object, const struct at_spec *spec,
	const uint16_t *configuration);

/* ---- limits: the resources of a multiprocessor, and the ceilings of the device */

/* Whether the number of resident blocks is known. */
bool at_limits_has_occupancy(const struct at_facts *facts);

/* Appends "31 registers, 8 KiB shared; 8 blocks of 256 threads on a multiprocessor,
   occupancy 100 %, limited by threads"; nothing if all is unknown. */
void at_limits_write_resources(const struct at_facts *facts, struct at_strbuf *out);

/* Appends special facts of a recorded launch (struct at_winner): for a sequence "0: 31
   registers, 8 KiB shared, cluster 8x1x1; 1: 40 registers, dependent", else the
   attributes, if any. */
void at_limits_write_launch(const char *launch, struct at_strbuf *out);

/* Appends "4.29 TB/s", the rate of the bottleneck; both rates if it is unknown. */
void at_limits_write_rate(const struct at_roofline *roofline, struct at_strbuf *out);
/* Appends "44.1 TFLOP/s (73 % of the float FMA ceiling), 65.2 GB/s; 683 flop/B,
   compute-bound (ridge at 14.3 flop/B)"; nothing if no rate is known. is_double: as for
   at_roofline(). */
void at_limits_write_speed(
	const struct at_roofline *roofline, bool is_double, struct at_strbuf *out);
/* Appends entries about all of these; facts may be NULL. */
void at_limits_add(struct at_page *page, const struct at_facts *facts,
	const char *launch, const struct at_roofline *roofline, bool is_double);

/* Appends "copy 4.25 TB/s, float FMA 60.3 TFLOP/s"; nothing if none was measured. */
void at_limits_write_ceilings(
	const struct at_ceilings *ceilings, struct at_strbuf *out);

/* ---- how a winner was measured and verified */

/* Appends notable facts of at_winner.measurement: "30 samples in 6 blocks; a kernel
   that does nothing takes 1.9 us; the clock went from 1.98 GHz to 1.76 GHz; the board
   was held back in 2 rounds that were taken again". Nothing if all is unknown. */
void at_measurement_write(const char *json, struct at_strbuf *out);

/* Appends an entry if the winner is not verified for everything. It belongs directly
   after the winner, for readers of the first lines only. */
void at_measurement_add_unfit(struct at_page *page, const struct at_winner *best);
/* Appends entries: how the finals measured, what verified the winner, what was not run,
   the coverage. */
void at_measurement_add(struct at_page *page, const struct at_winner *best);

/* ---- which parameters mattered */

enum at_gains {
	AT_GAINS_UNKNOWN = 0, /* not examined */
	/* No parameter change leads from the baseline to a faster configuration. */
	AT_GAINS_NOTHING,
	AT_GAINS_STEPS,
};

/*
 * Appends the steps of the gain, if any. winner->gains: the steps as recorded; NULL and
 * "": not examined. Each step has its factor, and the product of the factors is the
 * speedup; steps of less than 1.02x form the rest:
 *
 *    TILE 16 -> 32: 3.1x; PAD 0 -> 1: 1.25x; the rest: 1.03x
 *
 * Parameters that were changed together are joined by "with". markdown: names as code.
 */
enum at_gains at_gains_write(
	const struct at_winner *best, bool markdown, struct at_strbuf *out);

/* ---- why: by the hardware counters of the configuration and the baseline. Each reason
   has two figures; a rule that does not apply gives no reason */

struct at_reason {
	const char *rule; /* "global_loads"; a key of JSON */
	const char *kernel; /* whose launch it is about; "": the only one, or all */
	double figure; /* the configuration's */
	double baseline;
	char text[200]; /* one line */
};

struct at_reasons {
	size_t count;
	size_t capacity;
	struct at_reason *items;
	/* owns the texts */
	struct at_json *baseline, *counters;
};

/* The counters as recorded; NULL or "": not read, so there are no reasons. If both
   launch the same kernels, each launch is compared with the baseline's; else all
   launches together. */
void at_reasons_find(
	const char *baseline, const char *counters, struct at_reasons *out);
void at_reasons_release(struct at_reasons *self);

/* Adds the reasons as page entries: "why", one a line. */
void at_reasons_add(struct at_page *page, const char *baseline, const char *counters);
/* Sets the keys reasons, counters, baseline_counters: null if no counters were read. A
   reason is {"rule": "global_loads", "kernel": "transpose" (null: the only launch, or
   all), "figure": 4, "baseline": 32, "text": "..."}; the counters are as recorded. */
void at_reasons_set(struct at_json *out, const char *baseline, const char *counters);

/* ---- the ceilings of a device */

/* Appends "copy 4.21 TB/s, FMA 60.1 TFLOP/s float, ...; measured 2026-11-21". */
void at_ceilings_format(
	struct at_strbuf *out, const struct at_record_ceilings *ceilings);
/* The caller's; JSON null for NULL. */
struct at_json *at_ceilings_to_json(const struct at_record_ceilings *ceilings);

#endif
