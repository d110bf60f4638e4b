/*
 * The residual of a condition with open slots: partial evaluation (Futamura 1971) on
 * intervals (Moore 1966). The evaluator's stack holds known and open values. When a
 * known value meets an open one, the known value is added to the key, as late and as
 * condensed as possible: integer sums and products are collected first, in any order,
 * and comparisons are solved for the open value.
 */
#include "space/checked.h"
#include "space/expression_code.h"
#include "space/expression_residual.h"

#include <string.h>

/* ---- what is known of a value with open slots: the value itself, or the interval of
   integers that contains it (Moore 1966, "Interval analysis") ------------- */

/* "Known": the value, or the failure, is decided. "Open": it is not. */
struct partial {
	bool is_known;
	/* open: an integer, unless evaluation fails */
	bool is_integer;
	/* open: an integer from low to high whose evaluation cannot fail */
	bool is_ranged;
	/* known: OK and the value, or the failure */
	enum at_evaluated evaluation;
	struct at_value value;
	int64_t low;
	int64_t high;
	/* Open: a pending operation, ADD or MULTIPLY with `with`; CONSTANT: none.
	   Collecting combines several constants into one. */
	enum at_opcode pending;
	int64_t with;
};

static bool partial_is_known_integer(const struct partial *self)
{
	return self->is_known && !self->evaluation &&
	       (self->value.type == AT_TYPE_INTEGER ||
		       self->value.type == AT_TYPE_BOOLEAN);
}

/* Whether it is an integer, unless evaluation fails. */
static bool partial_is_integer(const struct partial *self)
{
	return self->is_known ? partial_is_known_integer(self) : self->is_integer;
}

/* The interval of an operand; false if it may not be an integer or may fail to
   evaluate. */
static bool partial_interval(const struct partial *self, int64_t *low, int64_t *high)
{
	if (partial_is_known_integer(self)) {
		*low = *high = self->value.integer;
		return true;
	}
	*low = self->low;
	*high = self->high;
	return !self->is_known && self->is_ranged;
}

static struct partial partial_known(struct at_value value)
{
	return (struct partial){ .is_known = true, .value = value };
}

static struct partial partial_truth(bool truth)
{
	return partial_known((struct at_value){ AT_TYPE_BOOLEAN, { truth } });
}

/* An open integer; is_ranged: from low to high, and evaluation cannot fail. */
static struct partial partial_open(bool is_ranged, int64_t low, int64_t high)
{
	return (struct partial){
		.is_integer = true, .is_ranged = is_ranged, .low = low, .high = high
	};
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The interval of a binary operator's result; false if the operator may fail or its
   interval is unknown. */
static bool partial_combine(enum at_opcode code, const struct partial *a,
	const struct partial *b, int64_t *low, int64_t *high)
{
	int64_t a_low, a_high, b_low, b_high, corner[4];

	if (!partial_interval(a, &a_low, &a_high) ||
		!partial_interval(b, &b_low, &b_high))
		return false;
	switch ((int)code) {
	case AT_CODE_ADD:
		return at_checked_add(a_low, b_low, low) &&
		       at_checked_add(a_high, b_high, high);
	case AT_CODE_SUBTRACT:
		return at_checked_subtract(a_low, b_high, low) &&
		       at_checked_subtract(a_high, b_low, high);
	case AT_CODE_MULTIPLY:
		if (!at_checked_multiply(a_low, b_low, &corner[0]) ||
			!at_checked_multiply(a_low, b_high, &corner[1]) ||
			!at_checked_multiply(a_high, b_low, &corner[2]) ||
			!at_checked_multiply(a_high, b_high, &corner[3]))
			return false;
		*low = least(least(corner[0], corner[1]), least(corner[2], corner[3]));
		*high = most(most(corner[0], corner[1]), most(corner[2], corner[3]));
		return true;
	case AT_CODE_DIVIDE:
		*low = a_low / most(b_high, 1);
		*high = a_high / most(b_low, 1);
		return a_low >= 0 && b_low > 0;
	case AT_CODE_REMAINDER:
		*low = 0;
		*high = least(a_high, b_high - (b_high > INT64_MIN));
		return a_low >= 0 && b_low > 0;
	case AT_CODE_MIN:
		*low = least(a_low, b_low);
		*high = least(a_high, b_high);
		return true;
	case AT_CODE_MAX:
		*low = most(a_low, b_low);
		*high = most(a_high, b_high);
		return true;
	}
	return false;
}

/* A comparison. 1: holds for all of both intervals, 0: for none, -1: undecided. */
static int partial_compare(
	enum at_opcode code, const struct partial *a, const struct partial *b)
{
	int64_t a_low, a_high, b_low, b_high;
	bool apart;

	if (!partial_interval(a, &a_low, &a_high) ||
		!partial_interval(b, &b_low, &b_high))
		return -1;
	apart = a_high < b_low || b_high < a_low;
	switch ((int)code) {
	case AT_CODE_LESS:
		return a_high < b_low ? 1 : a_low >= b_high ? 0 : -1;
	case AT_CODE_LESS_EQUAL:
		return a_high <= b_low ? 1 : a_low > b_high ? 0 : -1;
	case AT_CODE_GREATER:
		return a_low > b_high ? 1 : a_high <= b_low ? 0 : -1;
	case AT_CODE_GREATER_EQUAL:
		return a_low >= b_high ? 1 : a_high < b_low ? 0 : -1;
	case AT_CODE_EQUAL:
		return apart ? 0 : -1;
	case AT_CODE_NOT_EQUAL:
		return apart ? 1 : -1;
	}
	return -1;
}

/* The truth of a known value that is not a word. */
static bool partial_is_true(const struct partial *self)
{
	return self->value.type == AT_TYPE_REAL ? self->value.real != 0
						: self->value.integer != 0;
}

/* ---- conditions ------------------------------------------------------------------ */

/* The compiler ensures that code never pops more than it pushed. The analyzer does not
   see that. */
// NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.UndefinedBinaryOperatorResult,clang-analyzer-core.uninitialized.Assign,clang-analyzer-core.uninitialized.Branch)

/*
 * The limits of the stack depth and of nested && || ?:, above those of any real
 * constraint. Beyond them the values of all known slots are the key, which is correct
 * but makes fewer assignments equal.
 */
#define STACK_MAX 64
#define NESTING_MAX 16

#define KEY_WORDS 128 /* words; a full key is replaced by its hash */

/* No place in the code. */
#define NOWHERE SIZE_MAX

struct residual {
	const struct at_expression *expression;
	const struct at_value *slots;
	const struct at_open_slot *open;
	struct partial stack[STACK_MAX];
	size_t count;
	size_t nesting;
	int64_t key[KEY_WORDS];
	size_t key_count;
	bool too_deep;
};

/* Adds a place in the code, a kind and a value to the key. Place and kind separate
   values of different operations. */
static void add_key(struct residual *self, size_t place, int kind, int64_t word)
{
	if (self->key_count + 2 > KEY_WORDS) {
		struct at_hash hash = at_hash_bytes(self->key, sizeof(self->key));

		memcpy(self->key, &hash, sizeof(hash));
		self->key_count = 2;
	}
	self->key[self->key_count++] = (int64_t)place * 64 + kind;
	self->key[self->key_count++] = word;
}

enum {
	KEY_LEFT = 0, /* 16 kinds each: 0 to 4 a value's type, 8 to 10 see settle() */
	KEY_RIGHT = 16,
	KEY_TAKEN = 32, /* the direction of a jump with a known condition */
	KEY_LIMIT, /* the limit of a solved comparison */
	KEY_DIFFERENCE,
};

/* Adds what is known of an operand to the key, since an open result replaces it. */
static void settle(
	struct residual *self, struct partial *operand, size_t place, int side)
{
	int64_t word = 0;

	if (!operand->is_known) {
		if (operand->pending != AT_CODE_CONSTANT)
			add_key(self, place,
				side + (operand->pending == AT_CODE_ADD ? 8 : 9),
				operand->with);
		operand->pending = AT_CODE_CONSTANT;
		return;
	}
	if (operand->evaluation) {
		add_key(self, place, side + 10, operand->evaluation);
		return;
	}
	/* A word enters by its address. Equal words at two addresses only make more
	   keys. */
	if (operand->value.type == AT_TYPE_REAL)
		memcpy(&word, &operand->value.real, sizeof(word));
	else if (operand->value.type == AT_TYPE_WORD)
		word = (int64_t)(intptr_t)operand->value.word;
	else
		word = operand->value.integer;
	add_key(self, place, side + (int)operand->value.type, word);
}

/* a / b, rounded down; b > 0 */
static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static enum at_opcode mirrored(enum at_opcode code)
{
	switch ((int)code) {
	case AT_CODE_LESS:
		return AT_CODE_GREATER;
	case AT_CODE_LESS_EQUAL:
		return AT_CODE_GREATER_EQUAL;
	case AT_CODE_GREATER:
		return AT_CODE_LESS;
	case AT_CODE_GREATER_EQUAL:
		return AT_CODE_LESS_EQUAL;
	}
	return code;
}

/*
 * Solves a comparison of an open value with a known limit: c * x <= k becomes x <= k /
 * c, and c + x <= k becomes x <= k - c. Only if x and its pending operation cannot fail
 * to evaluate, since an overflow must not be lost. False: not solved. *decided becomes
 * 0 or 1 if the comparison holds for no x, or for every x.
 */
static bool solve(struct residual *self, size_t place, enum at_opcode code,
	const struct partial *open, int64_t limit, int *decided)
{
	bool is_upper = code == AT_CODE_LESS || code == AT_CODE_LESS_EQUAL;
	bool is_equality = code == AT_CODE_EQUAL || code == AT_CODE_NOT_EQUAL;

	if (!open->is_ranged || open->pending == AT_CODE_CONSTANT)
		return false;
	/* Of integers, < and > become <= and >=. */
	if (code == AT_CODE_LESS && !at_checked_subtract(limit, 1, &limit))
		return false;
	if (code == AT_CODE_GREATER && !at_checked_add(limit, 1, &limit))
		return false;
	if (open->pending == AT_CODE_ADD) {
		if (!at_checked_subtract(limit, open->with, &limit))
			return false;
	} else if (open->with <= 0) {
		return false;
	} else if (is_equality) {
		if (limit % open->with != 0) {
			*decided = code == AT_CODE_NOT_EQUAL;
			return true;
		}
		limit /= open->with;
	} else if (is_upper) {
		limit = floor_divide(limit, open->with);
	} else if (!at_checked_add(limit, open->with - 1, &limit)) {
		return false;
	} else {
		limit = floor_divide(limit, open->with);
	}
	add_key(self, place, KEY_LIMIT, limit);
	return true;
}

static struct partial apply_comparison(struct residual *self, size_t place,
	enum at_opcode code, struct partial *a, struct partial *b)
{
	int decided = partial_compare(code, a, b);
	bool is_ranged = false;
	int64_t unused, difference;

	if (decided >= 0)
		return partial_truth(decided);
	is_ranged = partial_interval(a, &unused, &unused) &&
		    partial_interval(b, &unused, &unused);
	if (is_ranged && b->is_known &&
		solve(self, place, code, a, b->value.integer, &decided))
		return decided >= 0 ? partial_truth(decided) : partial_open(true, 0, 1);
	if (is_ranged && a->is_known &&
		solve(self, place, mirrored(code), b, a->value.integer, &decided))
		return decided >= 0 ? partial_truth(decided) : partial_open(true, 0, 1);
	/* c + x <= d + y depends on c and d only by c - d. */
	if (is_ranged && !a->is_known && !b->is_known && a->pending == AT_CODE_ADD &&
		b->pending == AT_CODE_ADD &&
		at_checked_subtract(a->with, b->with, &difference)) {
		add_key(self, place, KEY_DIFFERENCE, difference);
		return partial_open(true, 0, 1);
	}
	settle(self, a, place, KEY_LEFT);
	settle(self, b, place, KEY_RIGHT);
	return partial_open(is_ranged, 0, 1);
}

/*
 * Collects integers of a sum or a product in `with`. Their order matters only if one of
 * them overflows. A factor of 0 is not collected, since it could hide an overflow.
 * False: settle both instead.
 */
static bool collect(enum at_opcode code, const struct partial *a,
	const struct partial *b, struct partial *out)
{
	int64_t left = code == AT_CODE_MULTIPLY, right = left;

	if (code != AT_CODE_ADD && code != AT_CODE_MULTIPLY && code != AT_CODE_SUBTRACT)
		return false;
	if (!partial_is_integer(a) || !partial_is_integer(b))
		return false;
	out->pending = code == AT_CODE_SUBTRACT ? AT_CODE_ADD : code;
	if (a->is_known)
		left = a->value.integer;
	else if (a->pending == out->pending)
		left = a->with;
	else if (a->pending != AT_CODE_CONSTANT)
		return false;
	if (b->is_known)
		right = b->value.integer;
	else if (b->pending == out->pending)
		right = b->with;
	else if (b->pending != AT_CODE_CONSTANT)
		return false;
	if (code == AT_CODE_MULTIPLY)
		return left && right && at_checked_multiply(left, right, &out->with);
	if (code == AT_CODE_SUBTRACT)
		return at_checked_subtract(left, right, &out->with);
	return at_checked_add(left, right, &out->with);
}

static struct partial apply_binary(struct residual *self, size_t place,
	enum at_opcode code, struct partial *a, struct partial *b)
{
	struct partial result = { 0 };

	/* A failure on the left precedes the right side. */
	if (a->is_known && a->evaluation)
		return *a;
	if (a->is_known && b->is_known) {
		result.is_known = true;
		result.evaluation = b->evaluation ? b->evaluation
						  : at_operator_apply(code, &a->value,
							    &b->value, &result.value);
		return result;
	}
	if (at_opcode_compares(code))
		return apply_comparison(self, place, code, a, b);
	result.is_integer = partial_is_integer(a) && partial_is_integer(b) &&
			    at_opcode_type(code, AT_TYPE_INTEGER, AT_TYPE_INTEGER) ==
				    AT_TYPE_INTEGER;
	result.is_ranged = partial_combine(code, a, b, &result.low, &result.high);
	if (collect(code, a, b, &result))
		return result;
	result.pending = AT_CODE_CONSTANT;
	result.with = 0;
	/* Only one of the two prevents collecting; once it is settled the other may be
	   collected. */
	if (code == AT_CODE_ADD || code == AT_CODE_MULTIPLY ||
		code == AT_CODE_SUBTRACT) {
		struct partial *other =
			!a->is_known && a->pending != AT_CODE_CONSTANT &&
					(a->pending == AT_CODE_ADD) !=
						(code != AT_CODE_MULTIPLY)
				? a
				: b;

		if (!other->is_known) {
			settle(self, other, place, other == a ? KEY_LEFT : KEY_RIGHT);
			if (collect(code, a, b, &result))
				return result;
			result.pending = AT_CODE_CONSTANT;
			result.with = 0;
		}
	}
	settle(self, a, place, KEY_LEFT);
	settle(self, b, place, KEY_RIGHT);
	return result;
}

static struct partial apply_unary(
	struct residual *self, size_t place, enum at_opcode code, struct partial *a)
{
	struct partial result = { 0 };
	int64_t low, high;

	if (a->is_known) {
		if (a->evaluation)
			return *a;
		result.is_known = true;
		result.evaluation =
			at_operator_apply(code, &a->value, NULL, &result.value);
		return result;
	}
	if (partial_interval(a, &low, &high) &&
		(code == AT_CODE_NOT || code == AT_CODE_TRUTH)) {
		if (low > 0 || high < 0)
			return partial_truth(code == AT_CODE_TRUTH);
		if (low == 0 && high == 0)
			return partial_truth(code == AT_CODE_NOT);
		result = partial_open(true, 0, 1);
	} else if (a->is_integer) {
		result.is_integer = at_opcode_type(code, AT_TYPE_INTEGER,
					    AT_TYPE_NONE) != AT_TYPE_REAL &&
				    code != AT_CODE_PROMOTE;
	}
	settle(self, a, place, KEY_LEFT);
	return result;
}

static void run(struct residual *self, size_t from, size_t to);

/* Runs instructions from..to-1 and pops their result. */
static struct partial run_apart(struct residual *self, size_t from, size_t to)
{
	struct partial nothing = { 0 };

	if (++self->nesting > NESTING_MAX)
		self->too_deep = true;
	else
		run(self, from, to);
	self->nesting--;
	return self->too_deep ? nothing : self->stack[--self->count];
}

/* A jump with an open condition: runs both branches and settles their results. Returns
   the next instruction. */
static size_t part_ways(struct residual *self, size_t place)
{
	const struct at_instruction *instruction = &self->expression->code[place];
	struct partial condition = self->stack[--self->count];
	struct partial first, second = { 0 }, result = { 0 };
	size_t landing = (size_t)instruction->operand;
	int64_t low, high;

	settle(self, &condition, place, KEY_LEFT);
	if (instruction->code == AT_CODE_BRANCH) {
		size_t other = landing;

		/* the last instruction of the first branch jumps past the second */
		landing = (size_t)self->expression->code[other - 1].operand;
		first = run_apart(self, place + 1, other - 1);
		if (!self->too_deep)
			second = run_apart(self, other, landing);
		settle(self, &first, other, KEY_LEFT);
		settle(self, &second, other, KEY_RIGHT);
		result.is_integer =
			partial_is_integer(&first) && partial_is_integer(&second);
	} else {
		bool is_or = instruction->code == AT_CODE_OR;

		first = run_apart(self, place + 1, landing);
		/* a && false is false if a cannot fail to evaluate */
		if (first.is_known && !first.evaluation && condition.is_ranged &&
			first.value.type != AT_TYPE_WORD &&
			partial_is_true(&first) == is_or) {
			result = partial_truth(is_or);
		} else {
			settle(self, &first, place, KEY_RIGHT);
			result = partial_open(
				condition.is_ranged &&
					partial_interval(&first, &low, &high),
				0, 1);
		}
	}
	if (!self->too_deep)
		self->stack[self->count++] = result;
	return landing;
}

/* A jump with a known condition. Returns the next instruction, or NOWHERE if the
   condition fails to evaluate. */
static size_t follow(struct residual *self, size_t place)
{
	const struct at_instruction *instruction = &self->expression->code[place];
	struct partial *condition = &self->stack[self->count - 1];
	struct at_value value;

	if (!condition->evaluation)
		condition->evaluation = at_operator_apply(
			AT_CODE_TRUTH, &condition->value, NULL, &value);
	if (condition->evaluation)
		return NOWHERE;
	/* The code of the other branch is skipped, so the key must record the
	   direction. */
	add_key(self, place, KEY_TAKEN, value.integer);
	if ((value.integer != 0) == (instruction->code == AT_CODE_OR)) {
		if (instruction->code == AT_CODE_BRANCH)
			self->count--;
		else
			*condition = partial_known(value);
		return (size_t)instruction->operand;
	}
	self->count--;
	return place + 1;
}

static void run(struct residual *self, size_t from, size_t to)
{
	size_t bottom = self->count;

	for (size_t i = from; i < to && !self->too_deep;) {
		const struct at_instruction *instruction = &self->expression->code[i];
		struct partial *top = &self->stack[self->count];
		size_t here = i++;

		if (self->count == STACK_MAX) {
			self->too_deep = true;
		} else if (instruction->code == AT_CODE_CONSTANT) {
			*top = partial_known(
				self->expression->constants[instruction->operand]);
			self->count++;
		} else if (instruction->code == AT_CODE_SLOT) {
			const struct at_open_slot *open =
				&self->open[instruction->operand];

			if (!open->is_open)
				*top = partial_known(self->slots[instruction->operand]);
			else if (open->is_integer)
				*top = partial_open(true, open->low, open->high);
			else
				*top = (struct partial){ 0 };
			if (!open->is_open && top->value.type == AT_TYPE_NONE)
				top->evaluation = AT_EVALUATION_UNBOUND;
			self->count++;
		} else if (instruction->code == AT_CODE_JUMP) {
			i = (size_t)instruction->operand;
		} else if (instruction->code < AT_CODE_JUMP) {
			i = top[-1].is_known ? follow(self, here)
					     : part_ways(self, here);
		} else if (at_opcode_is_binary(instruction->code)) {
			top[-2] = apply_binary(
				self, here, instruction->code, &top[-2], &top[-1]);
			self->count--;
		} else {
			top[-1] = apply_unary(self, here, instruction->code, &top[-1]);
		}
		if (i != NOWHERE)
			continue;
		/* This branch fails. Operands further down may fail before it, so they
		   belong to the key. */
		top[-1].value.type = AT_TYPE_NONE;
		for (size_t j = bottom; j + 1 < self->count; j++)
			settle(self, &self->stack[j], here, KEY_LEFT);
		self->stack[bottom] = top[-1];
		self->count = bottom + 1;
	}
}

static void add_slots(struct residual *self)
{
	size_t count;
	const int *used = at_expression_slots(self->expression, &count);

	self->key_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct partial value = partial_known(self->slots[used[i]]);

		if (!self->open[used[i]].is_open)
			settle(self, &value, i, KEY_LEFT);
	}
}

enum at_residual at_expression_residual(const struct at_expression *self,
	const struct at_value *slots, const struct at_open_slot *open,
	struct at_hash *key)
{
	struct residual residual;
	struct partial *result = &residual.stack[0];
	int64_t low, high;

	residual.expression = self;
	residual.slots = slots;
	residual.open = open;
	residual.count = residual.nesting = residual.key_count = 0;
	residual.too_deep = false;
	run(&residual, 0, self->code_count);
	if (residual.too_deep) {
		add_slots(&residual);
	} else if (result->is_known && !result->evaluation &&
		   result->value.type != AT_TYPE_WORD) {
		return partial_is_true(result) ? AT_RESIDUAL_HOLDS : AT_RESIDUAL_FAILS;
	} else if (partial_interval(result, &low, &high) && (low > 0 || high < 0)) {
		return AT_RESIDUAL_HOLDS;
	} else if (partial_interval(result, &low, &high) && low == 0 && high == 0) {
		return AT_RESIDUAL_FAILS;
	} else {
		/* A value that is still known enters the key last. */
		settle(&residual, result, self->code_count, KEY_LEFT);
	}
	*key = at_hash_bytes(residual.key, residual.key_count * sizeof(*residual.key));
	return AT_RESIDUAL_OPEN;
}

// NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.UndefinedBinaryOperatorResult,clang-analyzer-core.uninitialized.Assign,clang-analyzer-core.uninitialized.Branch)
