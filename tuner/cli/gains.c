/* Says which parameters mattered: see gains.h. */
#include "cli/gains.h"

#include "cli/format.h"

#include "base/escape.h"
#include "base/json.h"

#include <math.h>
#include <string.h>

/* Steps of a smaller factor are not named: they are within what times vary by, and
   readers look for what mattered. */
#define SMALL_FACTOR 1.02
/* a rest that is written as 1.00x is left out */
#define NO_FACTOR 1.005

static void add_value(struct at_strbuf *out, const struct at_json *value, bool markdown)
{
	const char *word = at_json_text(value);
	struct at_strbuf text = { 0 };

	if (!word && value) {
		at_json_write(value, 0, &text);
		word = at_strbuf_text(&text);
	}
	if (word && markdown)
		at_escape_markdown(out, word);
	else if (word)
		at_format_plain(out, word);
	at_strbuf_release(&text);
}

/* "TILE_M 1 -> 8 with TILE_N 1 -> 8" */
static void add_changes(
	struct at_strbuf *out, const struct at_json *step, bool markdown)
{
	const struct at_json *from = at_json_get(step, "from");
	const struct at_json *to = at_json_get(step, "to");
	const char *name;

	for (size_t i = 0; (name = at_json_key_at(to, i)); i++) {
		at_strbuf_add(out, i ? " with " : "");
		if (markdown)
			at_escape_markdown_code(out, name);
		else
			at_format_plain(out, name);
		at_strbuf_add_char(out, ' ');
		add_value(out, at_json_get(from, name), markdown);
		at_strbuf_add(out, " -> ");
		add_value(out, at_json_get(to, name), markdown);
	}
}

/* Shares are of the logarithm of the speedup, so that the factors of all steps make the
   speedup. */
static void add_steps(struct at_strbuf *out, const struct at_json *steps,
	double speedup, bool markdown)
{
	const char *separator = "";
	double rest = 0;

	for (size_t i = 0; i < at_json_count(steps); i++) {
		const struct at_json *step = at_json_at(steps, i);
		double share = at_json_number(at_json_get(step, "share"), (double)NAN);
		double amount = share * log(speedup);

		if (fabs(amount) < log(SMALL_FACTOR)) {
			rest += amount;
			continue;
		}
		at_strbuf_add(out, separator);
		add_changes(out, step, markdown);
		if (isfinite(amount))
			at_strbuf_addf(
				out, ": %s", at_format_speedup(exp(amount)).text);
		separator = "; ";
	}
	if (*separator && fabs(rest) < log(NO_FACTOR))
		return;
	at_strbuf_addf(
		out, "%sthe rest: %s", separator, at_format_speedup(exp(rest)).text);
}

enum at_gains at_gains_write(
	const struct at_winner *best, bool markdown, struct at_strbuf *out)
{
	const char *json = best->gains;
	enum at_gains state = AT_GAINS_NOTHING;
	struct at_json *steps;

	if (!json || !*json || at_json_parse(json, strlen(json), NULL, &steps, NULL))
		return AT_GAINS_UNKNOWN;
	if (at_json_count(steps)) {
		add_steps(out, steps, best->speedup, markdown);
		state = AT_GAINS_STEPS;
	}
	at_json_free(steps);
	return state;
}
