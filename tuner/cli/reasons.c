/* The rules from hardware counters to sentences: see reasons.h. */
#include "cli/reasons.h"

#include "cli/format.h"

#include "device/counters.h"
#include "record/evaluation_json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Figures whose ratio is between these are alike. */
#define LESS 0.8
#define MORE 1.25
/* Shares that are nearer to each other than so many points are alike. */
#define POINTS 10.0
/* From this share of a ceiling on there is little to gain below it. On an H200 a kernel
   that only copies reaches 90 % of DRAM's, and a matrix product beside cuBLAS 84 % of
   the FMA pipes'. */
#define DRAM_CEILING 85.0
#define PIPE_CEILING 80.0
/* Sectors of the caches. */
#define SECTOR_BYTES 32.0
/* Fewer bank conflicts than this part of all instructions cost nothing that shows. */
#define FEW_CONFLICTS 0.005
/* sectors a request of the widest loads, 16 bytes a thread */
#define WIDEST 16.5
/* Fewer bytes than this say nothing: the launch itself moves some. */
#define FEW_BYTES 1e6

/* The counters of two launches: what is explained, and the baseline. */
struct pair {
	const double *own;
	const double *base;
	const char *kernel;
	struct at_reasons *out;
};

static void AT_PRINTF(5, 6) add(const struct pair *pair, const char *rule,
	double figure, double baseline, const char *format, ...)
{
	struct at_reasons *out = pair->out;
	struct at_reason *reason;
	va_list arguments;

	AT_GROW(out->items, out->capacity, out->count + 1);
	reason = &out->items[out->count++];
	*reason = (struct at_reason){
		.rule = rule,
		.kernel = pair->kernel,
		.figure = figure,
		.baseline = baseline,
	};
	va_start(arguments, format);
	vsnprintf(reason->text, sizeof(reason->text), format, arguments);
	va_end(arguments);
}

/* Whether one of two amounts is much less; a part of 0 is no ratio. */
static bool is_less(double figure, double than)
{
	return figure < LESS * than;
}

static bool differ(double figure, double baseline)
{
	return is_less(figure, baseline) || is_less(baseline, figure);
}

static bool differ_by_points(double share, double baseline)
{
	return fabs(share - baseline) >= POINTS;
}

/* 4.0, 32, 1.9e+08 becomes 1.9e8: short, and the same width whatever the size. */
static struct at_short number(double value)
{
	struct at_short out;
	int exponent = value > 0 ? (int)floor(log10(value)) : 0;

	if (value == 0)
		snprintf(out.text, sizeof(out.text), "0");
	else if (exponent >= 5)
		snprintf(out.text, sizeof(out.text), "%.1fe%d",
			value / pow(10, exponent), exponent);
	else
		snprintf(out.text, sizeof(out.text), exponent >= 1 ? "%.0f" : "%.1f",
			value);
	return out;
}

static struct at_short bytes(double value)
{
	return at_format_bytes((int64_t)value);
}

/* ---- the rules ------------------------------------------------------------------ */

/*
 * Sectors a request: 4 for loads of 4 bytes by neighbouring threads, 16 for loads of 16
 * bytes, 32 if each thread has a sector of its own. As many requests that need fewer
 * sectors are coalesced, and so are 16 or fewer in place of more. As many sectors by
 * fewer requests are wider accesses. Otherwise the figure has several causes, and no
 * word. A side without requests moves its data by other ways, such as TMA.
 */
static void tell_accesses(const struct pair *pair, enum at_counter sectors,
	enum at_counter requests, const char *rule, const char *verb, const char *past)
{
	const double own = pair->own[sectors] / pair->own[requests];
	const double base = pair->base[sectors] / pair->base[requests];
	const double moved = pair->own[sectors], before = pair->base[sectors];
	const char *word = "";

	if (!(pair->own[requests] > 0) || !(pair->base[requests] > 0))
		return;
	if (!differ(pair->own[requests], pair->base[requests]) ||
		(own > WIDEST) != (base > WIDEST))
		word = own < base ? ": coalesced" : ": less coalesced";
	else if (!differ(moved, before) && own <= WIDEST)
		word = own < base ? ": narrower accesses" : ": wider accesses";
	if (differ(own, base))
		add(pair, rule, own, base,
			"%s %s sectors a request where the baseline %s %s%s", verb,
			number(own).text, past, number(base).text, word);
	else if (differ(moved, before) &&
		 fmax(moved, before) * SECTOR_BYTES >= FEW_BYTES)
		add(pair, rule, moved * SECTOR_BYTES, before * SECTOR_BYTES,
			"%s %s of global memory where the baseline %s %s: %s", verb,
			bytes(moved * SECTOR_BYTES).text, past,
			bytes(before * SECTOR_BYTES).text,
			moved < before ? "more reuse on the multiprocessor"
				       : "less reuse on the multiprocessor");
}

static void tell_conflicts(const struct pair *pair)
{
	const double own = pair->own[AT_COUNTER_LOAD_CONFLICTS] +
			   pair->own[AT_COUNTER_STORE_CONFLICTS];
	const double base = pair->base[AT_COUNTER_LOAD_CONFLICTS] +
			    pair->base[AT_COUNTER_STORE_CONFLICTS];

	if (differ(own, base) &&
		(own > FEW_CONFLICTS * pair->own[AT_COUNTER_INSTRUCTIONS] ||
			base > FEW_CONFLICTS * pair->base[AT_COUNTER_INSTRUCTIONS]))
		add(pair, "shared_conflicts", own, base,
			"shared-memory conflicts: %s where the baseline has %s",
			number(own).text, number(base).text);
}

static void tell_local(const struct pair *pair)
{
	const double own = pair->own[AT_COUNTER_LOCAL_LOADS];
	const double base = pair->base[AT_COUNTER_LOCAL_LOADS];

	if (differ(own, base) &&
		(own > FEW_CONFLICTS * pair->own[AT_COUNTER_INSTRUCTIONS] ||
			base > FEW_CONFLICTS * pair->base[AT_COUNTER_INSTRUCTIONS]))
		add(pair, "local_loads", own, base,
			"loads of local memory, where spilled registers are: %s where the baseline has %s",
			number(own).text, number(base).text);
}

static void tell_moved(const struct pair *pair, enum at_counter read,
	enum at_counter written, double scale, const char *rule, const char *where)
{
	const double own = scale * (pair->own[read] + pair->own[written]);
	const double base = scale * (pair->base[read] + pair->base[written]);

	if (differ(own, base) && fmax(own, base) >= FEW_BYTES)
		add(pair, rule, own, base,
			"moves %s through %s where the baseline moves %s",
			bytes(own).text, where, bytes(base).text);
}

static void tell_instructions(const struct pair *pair)
{
	const double own = pair->own[AT_COUNTER_INSTRUCTIONS];
	const double base = pair->base[AT_COUNTER_INSTRUCTIONS];

	if (differ(own, base))
		add(pair, "instructions", own, base,
			"executes %s instructions of warps where the baseline executes %s",
			number(own).text, number(base).text);
}

/* How near to a ceiling: where it is reached, with what follows from it; else where the
   baseline is further from it, or nearer. */
static void tell_ceiling(const struct pair *pair, enum at_counter counter,
	double ceiling, const char *rule, const char *what, const char *word)
{
	const double own = pair->own[counter], base = pair->base[counter];
	const bool is_reached = own >= ceiling;

	if (is_reached || differ_by_points(own, base))
		add(pair, rule, own, base,
			"%s at %.0f %% of the ceiling (baseline: %.0f %%)%s%s", what,
			own, base, is_reached ? ": nothing left to gain by " : "",
			is_reached ? word : "");
}

static void tell_share(const struct pair *pair, enum at_counter counter,
	const char *rule, const char *before, const char *behind)
{
	const double own = pair->own[counter], base = pair->base[counter];

	if (differ_by_points(own, base))
		add(pair, rule, own, base,
			"%s %.0f %% %s where the baseline has %.0f %%", before, own,
			behind, base);
}

static void tell_stall(const struct pair *pair, enum at_counter counter,
	const char *rule, const char *name)
{
	const double own = 100 * pair->own[counter] / pair->own[AT_COUNTER_LATENCY];
	const double base = 100 * pair->base[counter] / pair->base[AT_COUNTER_LATENCY];

	if (differ_by_points(own, base))
		add(pair, rule, own, base, "stalls: %s %.0f %% -> %.0f %%", name, base,
			own);
}

/* A figure that is not known makes all comparisons with it false. */
static void tell_launch(const struct pair *pair)
{
	tell_accesses(pair, AT_COUNTER_LOAD_SECTORS, AT_COUNTER_LOAD_REQUESTS,
		"global_loads", "reads", "reads");
	tell_accesses(pair, AT_COUNTER_STORE_SECTORS, AT_COUNTER_STORE_REQUESTS,
		"global_stores", "writes", "writes");
	tell_conflicts(pair);
	tell_local(pair);
	tell_moved(pair, AT_COUNTER_L2_READ, AT_COUNTER_L2_WRITE, SECTOR_BYTES,
		"l2_bytes", "the L2 cache");
	tell_moved(pair, AT_COUNTER_DRAM_READ, AT_COUNTER_DRAM_WRITE, 1, "dram_bytes",
		"DRAM");
	tell_instructions(pair);
	tell_share(pair, AT_COUNTER_WARPS_SHARE, "warps", "holds",
		"of the warps that a multiprocessor can hold");
	tell_stall(pair, AT_COUNTER_STALL_LONG_SCOREBOARD, "stall_long_scoreboard",
		"long scoreboard (memory)");
	tell_stall(pair, AT_COUNTER_STALL_SHORT_SCOREBOARD, "stall_short_scoreboard",
		"short scoreboard (shared memory)");
	tell_stall(pair, AT_COUNTER_STALL_MIO_THROTTLE, "stall_mio_throttle",
		"MIO throttle (queue of shared memory)");
	tell_stall(pair, AT_COUNTER_STALL_LG_THROTTLE, "stall_lg_throttle",
		"LG throttle (queue of global memory)");
	tell_stall(pair, AT_COUNTER_STALL_BARRIER, "stall_barrier", "barrier");
	tell_stall(pair, AT_COUNTER_STALL_MATH_PIPE_THROTTLE,
		"stall_math_pipe_throttle", "math pipe throttle (arithmetic)");
	tell_share(pair, AT_COUNTER_ISSUE_SHARE, "issue", "issues instructions in",
		"of the cycles");
	tell_ceiling(pair, AT_COUNTER_DRAM_SHARE, DRAM_CEILING, "dram_ceiling", "DRAM",
		"memory");
	tell_ceiling(pair, AT_COUNTER_FMA_SHARE, PIPE_CEILING, "fma_ceiling",
		"FMA pipes", "arithmetic of this kind");
	tell_ceiling(pair, AT_COUNTER_TENSOR_SHARE, PIPE_CEILING, "tensor_ceiling",
		"tensor cores", "arithmetic of this kind");
}

/* ---- launches ------------------------------------------------------------------- */

static void read_values(const struct at_json *launch, double *values)
{
	for (int i = 0; i < AT_COUNTER_COUNT; i++)
		values[i] = at_json_number(
			at_json_get(launch, at_counter_name((enum at_counter)i)),
			(double)NAN);
}

static const char *kernel_of(const struct at_json *launch)
{
	const char *kernel = at_json_text(at_json_get(launch, "kernel"));

	return kernel ? kernel : "";
}

static struct at_json *parse(const char *text)
{
	struct at_json *out = NULL;

	return text && *text && !at_json_parse(text, strlen(text), NULL, &out, NULL)
		       ? out
		       : NULL;
}

void at_reasons_find(const char *baseline, const char *counters, struct at_reasons *out)
{
	double own[AT_COUNTER_COUNT], base[AT_COUNTER_COUNT];
	size_t count, base_count;

	memset(out, 0, sizeof(*out));
	out->baseline = parse(baseline);
	out->counters = parse(counters);
	count = at_json_count(out->counters);
	base_count = at_json_count(out->baseline);
	for (size_t i = 0; i < count; i++) {
		const struct at_json *launch = at_json_at(out->counters, i);
		const char *kernel = kernel_of(launch);
		size_t k = 0, earlier = 0;

		/* a sequence may launch a kernel several times: the same one of them */
		for (size_t j = 0; j < i; j++)
			earlier += !strcmp(
				kernel, kernel_of(at_json_at(out->counters, j)));
		while (k < base_count &&
			(strcmp(kernel, kernel_of(at_json_at(out->baseline, k))) != 0 ||
				earlier-- > 0))
			k++;
		/* a launch that the baseline does not make has no second figure */
		if (k == base_count)
			continue;
		read_values(launch, own);
		read_values(at_json_at(out->baseline, k), base);
		tell_launch(&(struct pair){ own, base, count > 1 ? kernel : "", out });
	}
}

void at_reasons_release(struct at_reasons *self)
{
	free(self->items);
	at_json_free(self->baseline);
	at_json_free(self->counters);
	memset(self, 0, sizeof(*self));
}

void at_reasons_add(struct at_page *page, const char *baseline, const char *counters)
{
	struct at_reasons reasons;
	struct at_strbuf line = { 0 };

	at_reasons_find(baseline, counters, &reasons);
	for (size_t i = 0; i < reasons.count; i++) {
		const struct at_reason *reason = &reasons.items[i];

		if (*reason->kernel) {
			at_format_plain(&line, reason->kernel);
			at_strbuf_add(&line, ": ");
		}
		at_strbuf_add(&line, reason->text);
		at_page_entry(page, i ? "" : "why", &line);
	}
	at_reasons_release(&reasons);
}

static struct at_json *to_json(const char *baseline, const char *counters)
{
	struct at_json *array = at_json_array();
	struct at_reasons reasons;

	at_reasons_find(baseline, counters, &reasons);
	for (size_t i = 0; i < reasons.count; i++) {
		const struct at_reason *reason = &reasons.items[i];
		struct at_json *object = at_json_object();

		at_json_set(object, "rule", reason->rule);
		at_json_set(object, "kernel", *reason->kernel ? reason->kernel : NULL);
		at_json_set(object, "figure", reason->figure);
		at_json_set(object, "baseline", reason->baseline);
		at_json_set(object, "text", reason->text);
		at_json_append(array, object);
	}
	at_reasons_release(&reasons);
	return array;
}

void at_reasons_set(struct at_json *out, const char *baseline, const char *counters)
{
	const bool are_known = counters && *counters;

	at_json_set(out, "reasons",
		are_known ? to_json(baseline, counters) : at_json_null());
	at_json_set(out, "counters", at_json_embedded(counters));
	at_json_set(out, "baseline_counters", at_json_embedded(baseline));
}
