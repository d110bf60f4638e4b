/* What a constraint did: the configurations that it removed, and errors when it cannot
   be evaluated. */
#include "space/enumerate_parts.h"

#include "base/text.h"
#include "space/checked.h"

void at_enumerate_remove(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, uint64_t count)
{
	struct at_enumeration *statistics = self->statistics;
	size_t i = tie->constraint;

	if (!statistics)
		return;
	statistics->removed[i] = at_saturated_add(statistics->removed[i], count);
	if (evaluation == AT_EVALUATION_DIVISION_BY_ZERO)
		statistics->divisions_by_zero[i] =
			at_saturated_add(statistics->divisions_by_zero[i], count);
}

void at_enumerate_add_values(const struct at_spec *spec,
	const struct at_expression *expression, const struct at_value *slots,
	bool parameters_too, struct at_strbuf *out)
{
	size_t count, start = out->length;
	const int *used = at_expression_slots(expression, &count);

	for (size_t i = 0; i < count; i++) {
		const struct at_value *value = &slots[used[i]];

		if (value->type == AT_TYPE_NONE ||
			(!parameters_too && (size_t)used[i] < spec->parameter_count))
			continue;
		at_strbuf_addf(out, "%s%s = ", out->length > start ? ", " : " with ",
			at_spec_slot_name(spec, used[i]));
		at_value_format(*value, out);
	}
}

enum at_status at_enumerate_fail_at(const struct at_spec *spec, size_t constraint,
	enum at_status status, struct at_strbuf *text, struct at_error *err)
{
	int line = spec->constraints[constraint].line;

	at_text_flatten(text->data);
	at_fail(err, status, spec->path, line, "%s", text->data);
	at_strbuf_release(text);
	return status;
}

enum at_status at_enumerate_check(struct at_enumerator *self, const struct at_tie *tie,
	enum at_evaluated evaluation, int unbound_slot)
{
	const struct at_spec *spec = self->spec;
	struct at_strbuf text = { 0 };

	/*
	 * A division by zero only means that the configuration is not in the space: "N
	 * % TILE == 0" with a TILE of 0. Overflows and wrong types are mistakes in the
	 * file, and would remove configurations for no reason.
	 */
	if (!evaluation || evaluation == AT_EVALUATION_DIVISION_BY_ZERO)
		return AT_OK;
	at_strbuf_addf(
		&text, "constraint \"%.300s\" ", at_expression_text(tie->expression));
	if (evaluation != AT_EVALUATION_UNBOUND) {
		at_strbuf_add(&text, at_evaluation_text(evaluation));
		at_enumerate_add_values(
			spec, tie->expression, self->slots, true, &text);
		return at_enumerate_fail_at(
			spec, tie->constraint, AT_EINVAL, &text, self->err);
	}
	at_strbuf_addf(&text, "uses %s, %s", at_spec_slot_name(spec, unbound_slot),
		(size_t)unbound_slot < spec->parameter_count + spec->size_count
			? "to which this problem gives no value"
			: "which this device does not tell");
	return at_enumerate_fail_at(spec, tie->constraint, AT_EINVAL, &text, self->err);
}
