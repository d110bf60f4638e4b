/* Compiled expressions: properties of operators, and the fused code for integers. */
#include "space/expression_code.h"

#include "base/memory.h"

#include <stdlib.h>

/* Properties of operators, by opcode; jumps and operands have no row. */
static const struct {
	const char *text;
	enum at_operand_class operands;
} operators[] = {
#define OPERATOR(symbol, function, operands, text) \
	[AT_CODE_##symbol] = { text, AT_OPERAND_##operands },
	AT_UNARY_OPERATORS(OPERATOR) AT_BINARY_OPERATORS(OPERATOR)
#undef OPERATOR
		[AT_CODE_SQRT] = { "sqrt", AT_OPERAND_NUMBER },
	[AT_CODE_REAL] = { "real", AT_OPERAND_NUMBER },
	[AT_CODE_PROMOTE] = { "?:", AT_OPERAND_ANY },
	[AT_CODE_POW] = { "pow", AT_OPERAND_NUMBER },
};

/* Relies on the order of enum at_opcode, from the lists of operators. */
bool at_opcode_is_binary(enum at_opcode code)
{
	return (code >= AT_CODE_MULTIPLY && code <= AT_CODE_LCM) || code == AT_CODE_POW;
}

const char *at_opcode_text(enum at_opcode code)
{
	return operators[code].text;
}

enum at_operand_class at_opcode_operands(enum at_opcode code)
{
	return operators[code].operands;
}

enum at_type at_opcode_type(enum at_opcode code, enum at_type a, enum at_type b)
{
	bool known =
		a != AT_TYPE_NONE && (b != AT_TYPE_NONE || !at_opcode_is_binary(code));

	if ((code >= AT_CODE_LESS && code <= AT_CODE_NOT_EQUAL) ||
		code == AT_CODE_NOT || code == AT_CODE_TRUTH || code == AT_CODE_IS_POW2)
		return AT_TYPE_BOOLEAN;
	if (code == AT_CODE_INT || at_opcode_operands(code) == AT_OPERAND_INTEGER)
		return AT_TYPE_INTEGER;
	if (code == AT_CODE_SQRT || code == AT_CODE_REAL || a == AT_TYPE_REAL ||
		(at_opcode_is_binary(code) && b == AT_TYPE_REAL))
		return AT_TYPE_REAL;
	/* pow() of integers is a real if the exponent is negative. */
	return known && code != AT_CODE_POW ? AT_TYPE_INTEGER : AT_TYPE_NONE;
}

static bool is_jump(enum at_opcode code)
{
	return code >= AT_CODE_AND && code <= AT_CODE_JUMP;
}

/*
 * Merges slots and constants with the binary operator whose right operand they are: "A
 * * B % 32 == 0" becomes four instructions instead of seven. Not if a jump lands
 * between the two, since the operator would then miss its operand.
 */
void at_expression_fuse(struct at_expression *self)
{
	/* by instruction: the index of its fused code; -1: not known yet */
	int *place = at_malloc((self->code_count + 1) * sizeof(*place));
	size_t count = 0;

	self->fused = at_calloc(self->code_count, sizeof(*self->fused));
	for (size_t i = 0; i <= self->code_count; i++)
		place[i] = -1;
	/* At first, 0 marks the targets of jumps. */
	for (size_t i = 0; i < self->code_count; i++)
		if (is_jump(self->code[i].code))
			place[self->code[i].operand] = 0;
	for (size_t i = 0; i < self->code_count; i++) {
		const struct at_instruction *from = &self->code[i];
		struct at_fused_instruction *to = &self->fused[count];
		bool last = i + 1 == self->code_count;

		to->operand = from->operand;
		to->code = (int)from->code;
		if (from->code == AT_CODE_CONSTANT)
			to->constant = self->constants[from->operand].integer;
		if (from->code <= AT_CODE_SLOT && !last && place[i + 1] < 0 &&
			at_opcode_is_binary(from[1].code)) {
			to->code = from->code == AT_CODE_SLOT
					   ? AT_FUSED_SLOT((int)from[1].code)
					   : AT_FUSED_CONSTANT((int)from[1].code);
			place[i++] = (int)count;
		}
		place[i] = (int)count++;
	}
	place[self->code_count] = (int)count;
	self->fused_count = count;
	/* Jumps only go forward, so their targets are known at the end. */
	for (size_t i = 0; i < count; i++)
		if (self->fused[i].code < AT_CODE_COUNT &&
			is_jump((enum at_opcode)self->fused[i].code))
			self->fused[i].operand = place[self->fused[i].operand];
	free(place);
}

struct at_expression *at_expression_real(double value, const char *text, int line)
{
	struct at_expression *self = at_calloc(1, sizeof(*self));

	self->text = at_strdup(text);
	self->line = line;
	self->code = at_calloc(1, sizeof(*self->code));
	self->code_count = 1; /* CONSTANT of number 0 */
	self->constants = at_calloc(1, sizeof(*self->constants));
	self->constants[0] = (struct at_value){ AT_TYPE_REAL, { .real = value } };
	self->constant_count = 1;
	self->slots = at_calloc(1, sizeof(*self->slots));
	return self;
}

void at_expression_free(struct at_expression *self)
{
	if (!self)
		return;
	free(self->text);
	free(self->full_text);
	free(self->words);
	free(self->code);
	free(self->constants);
	free(self->slots);
	free(self->fused);
	free(self);
}

bool at_expression_is_constant(const struct at_expression *self, struct at_value *value)
{
	return !self->slot_count &&
	       at_expression_evaluate(self, NULL, value, NULL) == AT_EVALUATION_OK &&
	       value->type != AT_TYPE_WORD;
}

const int *at_expression_slots(const struct at_expression *self, size_t *count)
{
	*count = self->slot_count;
	return self->slots;
}

size_t at_expression_cost(const struct at_expression *self)
{
	return 2 + self->code_count / 4;
}

const char *at_expression_text(const struct at_expression *self)
{
	return self->text;
}

const char *at_expression_full_text(const struct at_expression *self)
{
	return self->full_text ? self->full_text : self->text;
}

int at_expression_line(const struct at_expression *self)
{
	return self->line;
}
