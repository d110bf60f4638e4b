/* Writes the header of a kernel: record/result.h says what is in it. This file writes
   its first comment; header_*.c write the rest. */
#include "base/memory.h"
#include "base/text.h"
#include "record/header_internal.h"
#include "record/header_stamp.h"
#include "record/verification.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* at_embed() of record/header_arithmetic.h and record/header_runtime.h */
extern const unsigned char at_embedded_header_arithmetic[];
extern const size_t at_embedded_header_arithmetic_size;
extern const unsigned char at_embedded_header_runtime[];
extern const size_t at_embedded_header_runtime_size;

/* ---- the comment: what it was made from, and how to use it ------------------- */

static void add_fact(struct at_strbuf *out, const char *name, const char *value)
{
	at_strbuf_addf(out, " *   %-14s ", name);
	at_escape_c_comment(out, value);
	at_strbuf_add_char(out, '\n');
}

/* All three numbers in the unit of the first, with enough digits to tell them apart. */
static void add_score(struct at_strbuf *out, const struct at_winner *best)
{
	const struct at_objective *objective = best->objective;
	const struct at_score *score = &best->score;
	size_t unit = 0;

	while (objective->units[unit].size > 1 &&
		!(score->value >= objective->units[unit].size))
		unit++;
	at_strbuf_addf(out, " *   %-14s %.5g %s", objective->name,
		score->value / objective->units[unit].size,
		objective->units[unit].name);
	if (isfinite(score->low) && isfinite(score->high))
		at_strbuf_addf(out, " (95 %% interval %.5g to %.5g)",
			score->low / objective->units[unit].size,
			score->high / objective->units[unit].size);
	at_strbuf_add_char(out, '\n');
}

/* Where the baseline is the winner there is no speed-up, and where it is not known how
   sure the speed-up is, the interval is left out. */
static void add_speedup(struct at_strbuf *out, const struct at_winner *best)
{
	const struct at_score speedup = at_winner_speedup(best);

	if (!isfinite(best->speedup)) {
		add_fact(out, "speed-up", "not known: the baseline was not timed");
		return;
	}
	if (speedup.value == 1) {
		add_fact(out, "speed-up", "none: the baseline is the winner");
		return;
	}
	at_strbuf_addf(
		out, " *   %-14s %.4g over the baseline", "speed-up", speedup.value);
	if (isfinite(speedup.low) && isfinite(speedup.high))
		at_strbuf_addf(out, " (95 %% interval %.4g to %.4g)", speedup.low,
			speedup.high);
	at_strbuf_add_char(out, '\n');
}

/* only for a portfolio's member that is not the problem's winner */
static void add_loss(struct at_strbuf *out, const struct at_winner *best)
{
	if (!isfinite(best->loss) || best->loss == 0)
		return;
	at_strbuf_addf(
		out, " *   %-14s %.2g %% against the winner", "loss", 100 * best->loss);
	if (isfinite(best->loss_low) && isfinite(best->loss_high))
		at_strbuf_addf(out, " (95 %% interval %.2g %% to %.2g %%)",
			100 * best->loss_low, 100 * best->loss_high);
	at_strbuf_add_char(out, '\n');
}

static void add_sizes(
	struct at_header_writer *self, const struct at_header_entry *entry)
{
	const char *separator = ": ";

	for (size_t i = 0; i < self->spec->size_count; i++) {
		if (entry->sizes[i].type == AT_TYPE_NONE)
			continue;
		at_strbuf_addf(
			self->out, "%s%s = ", separator, self->spec->size_names[i]);
		at_value_format(entry->sizes[i], self->out);
		separator = ", ";
	}
}

static void add_winner(
	struct at_header_writer *self, const struct at_header_entry *entry)
{
	const struct at_winner *best = &entry->result->best;
	struct at_strbuf *out = self->out, text = { 0 };
	char measured[AT_ISO_TIME_SIZE];

	at_strbuf_add(out, " *\n * ");
	at_escape_c_comment(out, self->plan->problems[entry->problem].text);
	at_strbuf_add(out, " on ");
	at_escape_c_comment(out, entry->result->device.model);
	at_strbuf_add(out, " (");
	at_escape_c_comment(out, entry->result->device.architecture);
	at_strbuf_add_char(out, ')');
	add_sizes(self, entry);
	at_strbuf_add_char(out, '\n');
	if (best->is_unverified)
		at_strbuf_add(out,
			" *   UNVERIFIED: its run was interrupted. It was right on the timed data, but was\n"
			" *   not tried on other data and sizes, and had no finals: it may be wrong or slow.\n");
	at_strbuf_addf(&text, "%zu: ", entry->configuration);
	at_configuration_format(self->spec,
		self->plan->configurations[entry->configuration].values, &text);
	add_fact(out, "configuration", at_strbuf_text(&text));
	add_score(out, best);
	add_speedup(out, best);
	add_loss(out, best);
	at_strbuf_addf(out,
		" *   %-14s %" PRId64 " evaluations, %" PRId64 " of them ok\n",
		"chosen from", best->evaluation_count, best->ok_count);
	if (!best->is_unverified) {
		at_strbuf_clear(&text);
		at_verification_write(best, &text);
		add_fact(out, "verified", at_strbuf_text(&text));
	}
	add_fact(out, "measured", at_result_iso_time(best->created_seconds, measured));
	add_fact(out, "compiler", best->toolchain);
	add_fact(out, "driver", best->driver);
	add_fact(out, "source hash", best->source_hash);
	at_strbuf_release(&text);
}

/* A C++ template is no kernel, and its instances have no names that C code could
   use. */
static void add_instances(struct at_header_writer *self)
{
	struct at_strbuf instance = { 0 };

	at_spec_write_kernel(self->spec, self->spec->kernel,
		self->plan->configurations[0].values, &instance);
	at_strbuf_add(
		self->out, " *\n * The kernel is an instance of a template of C++, ");
	at_escape_c_comment(self->out, at_strbuf_text(&instance));
	at_header_add(self,
		"\n * in configuration 0. After the template, launch $K_n_INSTANCE. In a unit that is\n"
		" * compiled for one configuration, also put the line $K_ENTRY; after the template:\n"
		" * it instantiates the kernel and defines $k_n as a constant pointer to it. Other\n"
		" * units declare that as extern \"C\" void (*const $k_n)(...); and launch it like a\n"
		" * kernel.\n");
	at_strbuf_release(&instance);
}

static void add_usage(struct at_header_writer *self)
{
	at_header_add(self,
		" *\n"
		" * To choose a configuration when the program runs: $k_choose(device, sizes...)\n"
		" * returns its number and the rung by which it was found, and\n"
		" * $k_launch(configuration, device, sizes...) returns how to launch it. Compile\n"
		" * each configuration n of $K_CONFIGURATIONS in a translation unit of its own:\n"
		" * define $K_CONFIGURATION as n, define $K_BARE, include this header, then\n"
		" * the template. Its kernel is called $k_n there. Give the compiler\n"
		" * $K_n_OPTIONS.\n"
		" *\n"
		" * To choose one when the program is compiled: the names $K_... without a\n"
		" * number belong to one configuration. Define $K_CONFIGURATION, or\n"
		" * $K_DEVICE and $K_PROBLEM, before you include this header; one of these\n"
		" * two is enough where it leaves one winner, and none is needed where there is only\n"
		" * one. Without a choice these names are not defined. $K_BARE also defines the\n"
		" * names that the template reads.\n");
	if (at_header_has_instances(self))
		add_instances(self);
}

static void add_provenance(struct at_header_writer *self)
{
	const struct at_header_plan *plan = self->plan;

	at_strbuf_add(self->out, "/*\n * ");
	at_escape_c_comment(self->out, self->spec->name);
	if (!plan->winner_count) {
		at_strbuf_add(self->out,
			": nothing is recorded. These are the defaults of its space, neither measured\n"
			" * nor verified; choose() returns them as baselines.\n");
		add_usage(self);
		at_strbuf_add(self->out, " */\n");
		return;
	}
	at_strbuf_addf(self->out,
		": %zu configurations, baselines included. The fastest correct ones are, for\n",
		plan->configuration_count);
	for (size_t i = 0; i < plan->winner_count; i++)
		add_winner(self, &plan->entries[i]);
	add_usage(self);
	at_strbuf_add(self->out, " */\n");
}

/* ---- all of it ------------------------------------------------------------------ */

/* Writes a hash of the whole body over the zeros at `at`. */
static void number_contents(struct at_strbuf *body, size_t at)
{
	const struct at_hash hash = at_hash_bytes(body->data, body->length);
	char digits[17];

	snprintf(digits, sizeof(digits), "%016" PRIx64, hash.low);
	memcpy(body->data + at, digits, sizeof(digits) - 1);
}

static enum at_status write_body(struct at_header_writer *self)
{
	struct at_strbuf *out = self->out;
	enum at_status status = AT_OK;
	size_t contents;

	add_provenance(self);
	at_strbuf_add_char(out, '\n');
	at_strbuf_add_bytes(
		out, at_embedded_header_arithmetic, at_embedded_header_arithmetic_size);
	at_strbuf_add_char(out, '\n');
	at_strbuf_add_bytes(
		out, at_embedded_header_runtime, at_embedded_header_runtime_size);
	at_header_add(self,
		"\n#ifndef AUTOTUNE_$K_H\n#define AUTOTUNE_$K_H\n\n"
		"/* a hash of this header: the cubins that belong to it check it */\n"
		"#define AUTOTUNE_$K_CONTENTS 0x");
	contents = out->length;
	at_strbuf_add(out, "0000000000000000ULL\n\n");
	at_header_write_names(self);
	status = at_header_write_macros(self);
	if (status)
		return status;
	at_header_write_functions(self);
	at_strbuf_add(out, "\n#endif\n\n");
	status = at_header_write_selection(self);
	if (!status)
		number_contents(out, contents);
	return status;
}

static void release(struct at_header_writer *self)
{
	for (size_t i = 0; i < self->name_count; i++)
		free(self->names[i]);
	for (size_t i = 0; i < self->function_count; i++)
		free(self->functions[i]);
	free(self->names);
	free(self->functions);
	free(self->is_hidden);
	free((void *)self->device_names);
	free((void *)self->problem_names);
	free(self->kernel);
	free(self->prefix);
}

enum at_status at_header_write(
	const struct at_header_plan *plan, struct at_strbuf *out, struct at_error *err)
{
	const struct at_spec *spec = plan->spec;
	struct at_strbuf body = { 0 };
	struct at_header_writer self = {
		.spec = spec,
		.plan = plan,
		.kernel = at_text_macro(spec->name),
		.prefix = at_header_prefix(spec),
		.device_names = at_calloc(plan->device_count + 1, sizeof(char *)),
		.problem_names = at_calloc(plan->problem_count + 1, sizeof(char *)),
		.out = &body,
		.err = err,
	};
	struct at_header_stamp stamp = { .version = AT_VERSION };
	enum at_status status = AT_OK;

	if (!plan->entry_count)
		status = at_fail(err, AT_ENOENT, spec->path, 0,
			"there is no result to write a header of: tune it first");
	if (!status)
		status = at_header_read_template(&self, stamp.template_hash);
	if (!status)
		status = write_body(&self);
	if (!status)
		at_header_stamp_write(&stamp, spec, at_strbuf_text(&body), out);
	at_strbuf_release(&body);
	release(&self);
	return status;
}

enum at_status at_result_header(const struct at_spec *spec,
	const struct at_result *items, size_t count,
	const struct at_header_plan_options *options, struct at_strbuf *out,
	struct at_error *err)
{
	struct at_header_plan plan;
	enum at_status status =
		at_header_plan_make(spec, items, count, options, &plan, err);

	if (!status)
		status = at_header_write(&plan, out, err);
	at_header_plan_release(&plan);
	return status;
}
