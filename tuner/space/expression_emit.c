/* The half of the compiler that writes code: instructions, type checks, constant
   folding. */
#include "space/expression_emit.h"

#include "base/memory.h"

#include <assert.h>

/* Characters of an operand that a message quotes: enough to find it in the text. */
static int quoted_length(const struct at_compiled *operand)
{
	ptrdiff_t length = operand->to - operand->from;

	return (int)(length < 60 ? length : 60);
}

/* How many values are on the stack after this instruction has run. */
static size_t count_after(enum at_opcode code, size_t stack_count)
{
	if (code == AT_CODE_CONSTANT || code == AT_CODE_SLOT)
		return stack_count + 1;
	/* After a jump the other path continues, with what the jump leaves on the
	   stack. */
	if (code <= AT_CODE_JUMP || at_opcode_is_binary(code))
		return stack_count - 1;
	return stack_count;
}

void at_emit(struct at_compiler *self, enum at_opcode code, int operand)
{
	struct at_expression *out = self->out;

	AT_GROW(out->code, self->code_capacity, out->code_count + 1);
	out->code[out->code_count++] = (struct at_instruction){ code, operand };
	self->stack_count = count_after(code, self->stack_count);
	/* The evaluator's stack has a fixed size, so that it need not allocate. */
	assert(self->stack_count <= AT_EXPRESSION_STACK);
	/* These make reals of integers, which the evaluation of integers cannot do. */
	if (code == AT_CODE_SQRT || code == AT_CODE_REAL || code == AT_CODE_PROMOTE ||
		code == AT_CODE_POW)
		out->integers_only = false;
}

void at_emit_constant(struct at_compiler *self, struct at_value value)
{
	struct at_expression *out = self->out;

	AT_GROW(out->constants, self->constant_capacity, out->constant_count + 1);
	if (value.type == AT_TYPE_REAL || value.type == AT_TYPE_WORD)
		out->integers_only = false;
	out->constants[out->constant_count++] = value;
	at_emit(self, AT_CODE_CONSTANT, (int)out->constant_count - 1);
}

void at_emit_landing(struct at_compiler *self, size_t from)
{
	self->out->code[from].operand = (int)self->out->code_count;
}

/* Whether the operand, whose code ends at `end`, is nothing but a constant. */
static bool is_constant(
	const struct at_compiler *self, const struct at_compiled *operand, size_t end)
{
	return operand->start + 1 == end &&
	       self->out->code[operand->start].code == AT_CODE_CONSTANT;
}

static struct at_value *constant_of(
	const struct at_compiler *self, const struct at_compiled *operand)
{
	return &self->out->constants[self->out->code[operand->start].operand];
}

/*
 * Applies an operator to constants at compile time. Where that fails the operator is
 * left to evaluation, which may never reach it: N == 0 || 1 / 0 > N.
 */
static bool fold(struct at_compiler *self, enum at_opcode code,
	const struct at_compiled *a, const struct at_compiled *b)
{
	struct at_expression *out = self->out;
	struct at_value result;

	if (!is_constant(self, a, b ? b->start : out->code_count) ||
		(b && !is_constant(self, b, out->code_count)))
		return false;
	if (at_operator_apply(code, constant_of(self, a),
		    b ? constant_of(self, b) : NULL, &result))
		return false;
	if (result.type == AT_TYPE_REAL)
		out->integers_only = false;
	*constant_of(self, a) = result;
	if (b) {
		out->code_count--;
		self->stack_count--;
	}
	return true;
}

static enum at_status fail_operand(const struct at_compiler *self, const char *place,
	enum at_opcode code, const struct at_compiled *operand)
{
	bool integers = at_opcode_operands(code) == AT_OPERAND_INTEGER;

	return at_lexer_fail(&self->lexer, AT_EINVAL, place,
		"%s takes %s, but \"%.*s\" is a %s%s", at_opcode_text(code),
		integers ? "integers" : "numbers", quoted_length(operand),
		operand->from, at_type_name(operand->type),
		operand->type == AT_TYPE_WORD
			? ": words can only be compared with == and !="
			: ": int() makes an integer of it");
}

enum at_status at_check_operand(const struct at_compiler *self, const char *place,
	enum at_opcode code, const struct at_compiled *operand)
{
	enum at_operand_class takes = at_opcode_operands(code);

	/* An operand of unknown type is accepted and checked when it is evaluated. */
	if ((takes != AT_OPERAND_ANY && operand->type == AT_TYPE_WORD) ||
		(takes == AT_OPERAND_INTEGER && operand->type == AT_TYPE_REAL))
		return fail_operand(self, place, code, operand);
	return AT_OK;
}

enum at_status at_emit_operator(struct at_compiler *self, const char *place,
	enum at_opcode code, const struct at_compiled *a, const struct at_compiled *b,
	struct at_compiled *out)
{
	enum at_status status = at_check_operand(self, place, code, a);
	struct at_compiled result = { .start = a->start,
		.type = at_opcode_type(code, a->type, b ? b->type : AT_TYPE_NONE),
		.from = a->from,
		.to = b ? b->to : a->to };

	if (!status && b)
		status = at_check_operand(self, place, code, b);
	if (status)
		return status;
	/* A word never equals a number: one of the two was meant to be the other. */
	if (b && a->type && b->type &&
		(a->type == AT_TYPE_WORD) != (b->type == AT_TYPE_WORD))
		return at_lexer_fail(&self->lexer, AT_EINVAL, place,
			"%s compares \"%.*s\", of type %s, with \"%.*s\", of type %s",
			at_opcode_text(code), quoted_length(a), a->from,
			at_type_name(a->type), quoted_length(b), b->from,
			at_type_name(b->type));
	if (fold(self, code, a, b))
		result.type = constant_of(self, a)->type;
	else
		at_emit(self, code, 0);
	*out = result;
	return AT_OK;
}
