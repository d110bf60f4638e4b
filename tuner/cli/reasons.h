/*
 * Says in words why a configuration takes its time, from the hardware counters that the
 * record keeps of it and of the baseline (record/store.h, struct at_evaluation). Each
 * reason has two figures, the configuration's and the baseline's; a rule that does not
 * apply says nothing. Threads: safe.
 *
 *   struct at_reasons reasons;
 *   at_reasons_find(baseline, counters, &reasons);
 *   for (size_t i = 0; i < reasons.count; i++) ... reasons.items[i].text
 *   at_reasons_release(&reasons);
 */
#ifndef AT_CLI_REASONS_H
#define AT_CLI_REASONS_H

#include "base/json.h"
#include "base/memory.h"
#include "cli/page.h"

#include <stddef.h>

struct at_reason {
	const char *rule; /* "global_loads"; a key of JSON */
	const char *kernel; /* whose launch it is about; "": there is one launch */
	double figure; /* the configuration's */
	double baseline;
	char text[200]; /* one line */
};

struct at_reasons {
	size_t count;
	size_t capacity;
	struct at_reason *items;
	/* what the texts borrow */
	struct at_json *baseline, *counters;
};

/* The counters as they are recorded; NULL or "": not read, which gives no reasons. A
   launch is compared with the baseline's first launch of the same kernel. */
void at_reasons_find(
	const char *baseline, const char *counters, struct at_reasons *out);
void at_reasons_release(struct at_reasons *self);

/* Adds the reasons as entries of a page: "why", one a line. */
void at_reasons_add(struct at_page *page, const char *baseline, const char *counters);
/*
 * Sets the keys reasons, counters, baseline_counters: null where no counters were read.
 * A reason is {"rule": "global_loads", "kernel": "transpose" (null: there is one
 * launch), "figure": 4, "baseline": 32, "text": "..."}; the counters are as recorded.
 */
void at_reasons_set(struct at_json *out, const char *baseline, const char *counters);

#endif
