/* Prints the count of a space: see check_count.h. */
#include "cli/check_count.h"

#include "cli/format.h"
#include "cli/output.h"

/* The width of the largest number that occurs in practice, with commas. */
#define COUNT_COLUMN 16

static struct at_json *big_to_json(uint64_t value)
{
	return value <= INT64_MAX ? at_json_integer((int64_t)value)
				  : at_json_real((double)value);
}

static struct at_json *domain_to_json(const struct at_cli_count *count)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "instances", big_to_json(count->domain_count));
	at_json_set(out, "exact", at_json_boolean(count->is_domain_exact));
	at_json_set(
		out, "cases", at_json_integer((int64_t)count->spec->verify.case_count));
	return out;
}

static void print_json(const struct at_cli_count *count)
{
	const struct at_spec *spec = count->spec;
	struct at_json *out = at_json_object();
	struct at_json *constraints = at_json_array();

	for (size_t i = 0; i < spec->constraint_count; i++) {
		const struct at_constraint *constraint = &spec->constraints[i];
		struct at_json *item = at_json_object();

		at_json_set(item, "text",
			at_json_string(at_expression_text(constraint->expression)));
		at_json_set(item, "removed", big_to_json(count->result.removed[i]));
		at_json_set(item, "divisions_by_zero",
			big_to_json(count->result.divisions_by_zero[i]));
		at_json_set(item, "line", at_json_integer(constraint->line));
		at_json_append(constraints, item);
	}
	at_json_set(out, "space", at_json_string(spec->name));
	at_json_set(out, "path", at_json_string(spec->path));
	at_json_set(out, "problem",
		count->problem ? at_json_string(count->problem->name) : at_json_null());
	at_json_set(out, "device",
		count->source ? at_json_string(count->source->device.id)
			      : at_json_null());
	at_json_set(out, "cartesian", big_to_json(count->result.cartesian));
	at_json_set(out, "valid", big_to_json(count->result.valid));
	at_json_set(out, "seconds", at_json_real(count->seconds));
	at_json_set(out, "constraints", constraints);
	if (spec->domain.line)
		at_json_set(out, "domain", domain_to_json(count));
	at_print_json(out);
}

static void add_big(struct at_strbuf *out, uint64_t value)
{
	if (value == UINT64_MAX)
		at_strbuf_add(out, "2^64 or more");
	else
		at_format_count(out, value);
}

/* "domain: 1,800 instances (N 1 .. 900, flag 0 1); a verification draws up to 16" */
static void add_domain(const struct at_cli_count *count, struct at_strbuf *out)
{
	const struct at_spec *spec = count->spec;

	at_strbuf_add(out, "  domain: ");
	if (count->domain_count == UINT64_MAX) {
		at_strbuf_add(out, "too many instances to count (");
	} else {
		at_strbuf_add(out, count->is_domain_exact ? "" : "at most ");
		add_big(out, count->domain_count);
		at_strbuf_add(out, " instances (");
	}
	for (size_t i = 0; i < spec->domain.number_count; i++) {
		const struct at_domain_number *number = &spec->domain.numbers[i];

		at_strbuf_addf(out, "%s%s", i ? ", " : "", number->name);
		for (size_t k = 0; k < number->value_count; k++) {
			at_strbuf_add_char(out, ' ');
			at_value_format(number->values[k], out);
		}
		if (number->value_count)
			continue;
		at_strbuf_add_char(out, ' ');
		at_value_format(number->low, out);
		at_strbuf_add(out, " .. ");
		at_value_format(number->high, out);
	}
	at_strbuf_addf(
		out, "); a verification draws up to %zu\n", spec->verify.case_count);
}

static void print_text(const struct at_cli_count *count)
{
	const struct at_enumeration *result = &count->result;
	struct at_strbuf out = { 0 }, number = { 0 };

	at_format_plain(&out, count->spec->path);
	if (count->problem) {
		at_strbuf_add(&out, ", problem ");
		at_format_plain(&out, count->problem->name);
	}
	if (count->source)
		at_strbuf_addf(&out, ", %s", count->source->device.id);
	at_strbuf_add(&out, "\n  Cartesian size ");
	add_big(&out, result->cartesian);
	at_strbuf_add(&out, ", valid size ");
	add_big(&out, result->valid);
	if (result->cartesian != UINT64_MAX)
		at_strbuf_addf(&out, " (%.3g %%)",
			100.0 * (double)result->valid / (double)result->cartesian);
	at_strbuf_add(&out, ", counted in ");
	at_format_time(&out, count->seconds * 1e9);
	at_strbuf_add_char(&out, '\n');
	if (count->spec->constraint_count)
		at_strbuf_addf(&out, "%*s  constraint\n", COUNT_COLUMN, "removed");
	for (size_t i = 0; i < count->spec->constraint_count; i++) {
		uint64_t divisions = result->divisions_by_zero[i];

		at_strbuf_clear(&number);
		add_big(&number, result->removed[i]);
		at_strbuf_addf(&out, "%*s  ", COUNT_COLUMN, at_strbuf_text(&number));
		at_format_plain(&out,
			at_expression_text(count->spec->constraints[i].expression));
		if (divisions) {
			at_strbuf_add(&out, "  (");
			add_big(&out, divisions);
			at_strbuf_add(&out, divisions == 1 ? " divides by zero)"
							   : " divide by zero)");
		}
		at_strbuf_add_char(&out, '\n');
	}
	if (count->spec->domain.line)
		add_domain(count, &out);
	at_print_folded(&out);
	at_strbuf_release(&number);
	at_strbuf_release(&out);
}

void at_cli_count_print(const struct at_cli_count *self, bool json)
{
	if (json)
		print_json(self);
	else
		print_text(self);
}
