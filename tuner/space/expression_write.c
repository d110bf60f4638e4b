/*
 * Writes a compiled expression as C: infix again from postfix. It runs the code as
 * evaluation would, with texts on the stack in place of values, and takes both ways
 * of every jump. All is in parentheses, so that no precedence has to be known.
 */
#include "space/expression_code.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The C text of a value on the stack that evaluation would have. */
struct piece {
	char *text;
	bool is_word;
};

/* && || or ?: that waits for its last operand. */
struct pending {
	enum at_opcode code;
	int end; /* code index after the last operand; of ?: known at its JUMP */
};

struct writer {
	const char *prefix;
	struct piece *pieces;
	size_t count;
	struct pending *pending;
	size_t pending_count;
	bool failed;
};

static void push(struct writer *self, struct at_strbuf *text, bool is_word)
{
	struct piece *piece = &self->pieces[self->count++];

	piece->text = at_strbuf_detach(text);
	piece->is_word = is_word;
	self->failed |= !piece->text;
}

/* Replaces the topmost `count` pieces by the text made of them. */
static void replace(struct writer *self, size_t count, struct at_strbuf *text)
{
	for (size_t i = 0; i < count; i++)
		free(self->pieces[--self->count].text);
	push(self, text, false);
}

static const char *piece_text(const struct writer *self, size_t from_top)
{
	const char *text = self->pieces[self->count - from_top].text;

	return text ? text : "";
}

static void write_constant(struct writer *self, const struct at_value *value)
{
	struct at_strbuf text = { 0 };

	switch (value->type) {
	case AT_TYPE_NONE:
		break;
	case AT_TYPE_INTEGER:
		/* in C, 9223372036854775808 is no long long, minus or not */
		if (value->integer == INT64_MIN)
			at_strbuf_add(&text, "(-9223372036854775807LL - 1)");
		else if (value->integer < 0)
			at_strbuf_addf(&text, "(%" PRId64 "LL)", value->integer);
		else
			at_strbuf_addf(&text, "%" PRId64 "LL", value->integer);
		break;
	case AT_TYPE_BOOLEAN:
		at_strbuf_add_char(&text, value->integer ? '1' : '0');
		break;
	case AT_TYPE_REAL:
		if (value->real < 0)
			at_strbuf_add_char(&text, '(');
		/* "-1.0" behind a minus would be "--1.0" */
		at_value_format(*value, &text);
		if (value->real < 0)
			at_strbuf_add_char(&text, ')');
		break;
	case AT_TYPE_WORD:
		at_strbuf_add(&text, value->word);
		break;
	}
	push(self, &text, value->type == AT_TYPE_WORD);
}

/* CEIL_DIV for ceil_div */
static void add_function(
	struct writer *self, enum at_opcode code, struct at_strbuf *text)
{
	at_strbuf_add(text, self->prefix);
	for (const char *c = at_opcode_text(code); *c; c++)
		at_strbuf_add_char(
			text, (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c));
}

static bool is_function(enum at_opcode code)
{
	const char *text = at_opcode_text(code);

	return code != AT_CODE_TRUTH && text[0] >= 'a' && text[0] <= 'z';
}

/* CACHE == "ca" is CACHE == CACHE_ca in C, where words are macros */
static void write_word_comparison(struct writer *self, enum at_opcode code)
{
	struct at_strbuf text = { 0 };
	bool word_is_last = self->pieces[self->count - 1].is_word;
	const char *name = piece_text(self, word_is_last ? 2 : 1);
	const char *word = piece_text(self, word_is_last ? 1 : 2);

	at_strbuf_addf(&text, "(%s %s %s_%s)", name, at_opcode_text(code), name, word);
	replace(self, 2, &text);
}

static void write_binary(struct writer *self, enum at_opcode code)
{
	struct at_strbuf text = { 0 };

	if (self->pieces[self->count - 1].is_word ||
		self->pieces[self->count - 2].is_word) {
		write_word_comparison(self, code);
		return;
	}
	if (is_function(code)) {
		add_function(self, code, &text);
		at_strbuf_addf(
			&text, "(%s, %s)", piece_text(self, 2), piece_text(self, 1));
	} else {
		at_strbuf_addf(&text, "(%s %s %s)", piece_text(self, 2),
			at_opcode_text(code), piece_text(self, 1));
	}
	replace(self, 2, &text);
}

static void write_unary(struct writer *self, enum at_opcode code)
{
	struct at_strbuf text = { 0 };

	/* C does both by itself */
	if (code == AT_CODE_TRUTH || code == AT_CODE_PROMOTE)
		return;
	if (is_function(code)) {
		add_function(self, code, &text);
		at_strbuf_addf(&text, "(%s)", piece_text(self, 1));
	} else {
		at_strbuf_addf(
			&text, "(%s%s)", at_opcode_text(code), piece_text(self, 1));
	}
	replace(self, 1, &text);
}

/*
 * The operators whose last operand ends before code index `here`: && || and ?: are
 * no instructions of their own, they end where their jumps land.
 */
static void finish_pending(struct writer *self, size_t here)
{
	while (self->pending_count > 0 &&
		self->pending[self->pending_count - 1].end == (int)here) {
		enum at_opcode code = self->pending[--self->pending_count].code;
		struct at_strbuf text = { 0 };

		if (code == AT_CODE_JUMP) {
			at_strbuf_addf(&text, "(%s ? %s : %s)", piece_text(self, 3),
				piece_text(self, 2), piece_text(self, 1));
			replace(self, 3, &text);
		} else {
			at_strbuf_addf(&text, "(%s %s %s)", piece_text(self, 2),
				code == AT_CODE_AND ? "&&" : "||", piece_text(self, 1));
			replace(self, 2, &text);
		}
	}
}

static void write_jump(struct writer *self, const struct at_instruction *instruction)
{
	struct pending *last;

	if (instruction->code != AT_CODE_JUMP) {
		last = &self->pending[self->pending_count++];
		/* a BRANCH ends where its JUMP goes, which comes later */
		last->end =
			instruction->code == AT_CODE_BRANCH ? -1 : instruction->operand;
		last->code = instruction->code;
		return;
	}
	last = &self->pending[self->pending_count - 1];
	last->code = AT_CODE_JUMP;
	last->end = instruction->operand;
}

void at_expression_write_c(const struct at_expression *self, const char *prefix,
	void (*name)(void *context, int slot, struct at_strbuf *out), void *context,
	struct at_strbuf *out)
{
	struct writer writer = {
		.prefix = prefix,
		.pieces = calloc(self->code_count, sizeof(*writer.pieces)),
		.pending = calloc(self->code_count, sizeof(*writer.pending)),
	};

	writer.failed = !writer.pieces || !writer.pending;
	for (size_t i = 0; i < self->code_count && !writer.failed; i++) {
		const struct at_instruction *instruction = &self->code[i];
		enum at_opcode code = instruction->code;

		finish_pending(&writer, i);
		if (code == AT_CODE_SLOT) {
			struct at_strbuf text = { 0 };

			name(context, instruction->operand, &text);
			push(&writer, &text, false);
		} else if (code == AT_CODE_CONSTANT) {
			write_constant(&writer, &self->constants[instruction->operand]);
		} else if (code <= AT_CODE_JUMP) {
			write_jump(&writer, instruction);
		} else if (at_opcode_is_binary(code)) {
			write_binary(&writer, code);
		} else {
			write_unary(&writer, code);
		}
	}
	if (!writer.failed) {
		finish_pending(&writer, self->code_count);
		at_strbuf_add(out, piece_text(&writer, 1));
	}
	out->failed |= writer.failed;
	for (size_t i = 0; i < writer.count; i++)
		free(writer.pieces[i].text);
	free(writer.pieces);
	free(writer.pending);
}
