/* Expressions: parsing, evaluation, errors, slots, and writing them as C. */

#include "suite.h"

#include "base/text.h"
#include "space/expression.h"

/* ---- the names that the expressions of this file use ---- */

#define MIN_TEXT "-9223372036854775808"
#define MAX_TEXT "9223372036854775807"

static const struct name {
	const char *name;
	struct at_value value;
	bool type_known;
} known[] = {
	{ "A", { AT_TYPE_INTEGER, { .integer = 7 } }, true },
	{ "B", { AT_TYPE_INTEGER, { .integer = 3 } }, true },
	{ "ZERO", { AT_TYPE_INTEGER, { .integer = 0 } }, true },
	{ "MINUS", { AT_TYPE_INTEGER, { .integer = -7 } }, true },
	{ "SHARED", { AT_TYPE_INTEGER, { .integer = 49152 } }, true },
	{ "LEAST", { AT_TYPE_INTEGER, { .integer = INT64_MIN } }, true },
	{ "MOST", { AT_TYPE_INTEGER, { .integer = INT64_MAX } }, true },
	{ "ODD53", { AT_TYPE_INTEGER, { .integer = 9007199254740993 } }, true },
	{ "R53", { AT_TYPE_REAL, { .real = 9007199254740992.0 } }, true },
	{ "HALF", { AT_TYPE_REAL, { .real = 0.5 } }, true },
	{ "YES", { AT_TYPE_BOOLEAN, { .integer = 1 } }, true },
	{ "NO", { AT_TYPE_BOOLEAN, { .integer = 0 } }, true },
	{ "CACHE", { AT_TYPE_WORD, { .word = "ca" } }, true },
	/* what these are only evaluation tells */
	{ "anything", { AT_TYPE_INTEGER, { .integer = 5 } }, false },
	{ "any_real", { AT_TYPE_REAL, { .real = 2.5 } }, false },
	{ "any_word", { AT_TYPE_WORD, { .word = "cg" } }, false },
	{ "device.l2_bytes", { AT_TYPE_INTEGER, { .integer = 1048576 } }, true },
	{ "device.warp_size", { .type = AT_TYPE_NONE }, true },
};

#define KNOWN_COUNT (sizeof(known) / sizeof(*known))

static struct at_value slots[KNOWN_COUNT];

static struct at_name items[KNOWN_COUNT];
static const struct at_names names = { .count = KNOWN_COUNT, .items = items };

static struct at_expression *compile(const char *text)
{
	struct at_expression *expression = NULL;
	struct at_error err = { 0 };

	if (at_expression_compile(text, NULL, 0, &names, &expression, &err))
		fail_msg("%s: %s", text, err.text);
	return expression;
}

/* ---- values ---- */

struct row {
	const char *text;
	/* the value as at_value_format() writes it, or what evaluation says */
	const char *expected;
};

#define DIVIDES "divides by zero"
#define RANGE "leaves the range of 64 bits"
#define DOMAIN "calls a function outside its domain"
#define TYPES "mixes words, reals and integers where they do not go together"
#define UNBOUND "uses a name that has no value"

static const struct row integers[] = {
	{ "0", "0" },
	{ "42", "42" },
	{ "0x10", "16" },
	{ "0XfF", "255" },
	{ "0x7fffffffffffffff", MAX_TEXT },
	{ MAX_TEXT, MAX_TEXT },
	{ MIN_TEXT, MIN_TEXT },
	{ "- 9223372036854775808", MIN_TEXT },
	{ "-9223372036854775808 + 1", "-9223372036854775807" },
	{ "A", "7" },
	{ "A + B", "10" },
	{ "A - B", "4" },
	{ "A * B", "21" },
	{ "A / B", "2" },
	{ "MINUS / B", "-2" },
	{ "A / -B", "-2" },
	{ "A % B", "1" },
	{ "MINUS % B", "-1" },
	{ "A % -B", "1" },
	{ "A / ZERO", DIVIDES },
	{ "A % ZERO", DIVIDES },
	{ "1 / 0", DIVIDES },
	{ "1 % 0", DIVIDES },
	{ "MOST + 1", RANGE },
	{ "LEAST - 1", RANGE },
	{ "LEAST + LEAST", RANGE },
	{ "MOST - LEAST", RANGE },
	{ "ZERO - LEAST", RANGE },
	{ "MOST * 2", RANGE },
	{ "LEAST * -1", RANGE },
	{ "-1 * LEAST", RANGE },
	{ "LEAST * LEAST", RANGE },
	{ "MOST * MOST", RANGE },
	{ "LEAST * 1", MIN_TEXT },
	{ "-MOST", "-" MAX_TEXT },
	{ "-LEAST", RANGE },
	{ "LEAST / -1", RANGE },
	{ "LEAST % -1", "0" },
	{ "LEAST / 1", MIN_TEXT },
	{ "9223372036854775807 + 1", RANGE },
	{ "4611686018427387904 * 2", RANGE },
	{ "4611686018427387904 * -2", MIN_TEXT },
	{ "3037000499 * 3037000499", "9223372030926249001" },
	{ "3037000500 * 3037000500", RANGE },
	{ "1 << 0", "1" },
	{ "1 << 62", "4611686018427387904" },
	{ "1 << 63", RANGE },
	{ "0 << 63", "0" },
	{ "-1 << 63", MIN_TEXT },
	{ "-2 << 63", RANGE },
	{ "1 << 64", RANGE },
	{ "1 << -1", RANGE },
	{ "-3 << 2", "-12" },
	{ "1 >> 64", RANGE },
	{ "1 >> -1", RANGE },
	{ "-8 >> 1", "-4" },
	{ "-1 >> 63", "-1" },
	{ "LEAST >> 63", "-1" },
	{ "MOST >> 62", "1" },
	{ "12 & 10", "8" },
	{ "12 | 3", "15" },
	{ "12 ^ (10)", "6" },
	{ "~0", "-1" },
	{ "~A", "-8" },
	{ "+A", "7" },
	{ "- - A", "7" },
	{ "-~-~A", "9" },
	{ "!!!A", "false" },
	{ "!!A", "true" },
	{ "!ZERO", "true" },
	{ "device.l2_bytes / 1024", "1024" },
	{ "YES + YES", "2" },
	{ "true + 1", "2" },
	{ "-true", "-1" },
	{ "true", "true" },
	{ "false", "false" },
	{ "NO", "false" },
};

static const struct row comparisons[] = {
	{ "SHARED < 49152", "false" }, { "SHARED <= 49152", "true" },
	{ "SHARED > 49152", "false" }, { "SHARED >= 49152", "true" },
	{ "SHARED < 49153", "true" }, { "SHARED <= 49151", "false" },
	{ "SHARED < 49152.0", "false" }, { "SHARED <= 49152.0", "true" },
	{ "SHARED < 49152.0000001", "true" }, { "A == 7", "true" },
	{ "A != 7", "false" }, { "A == 7.0", "true" }, { "A < 7.5", "true" },
	{ "A > 6.5", "true" }, { "7.5 > A", "true" }, { "7.0 >= A", "true" },
	{ "7.0 < A", "false" },
	/* 2^53 + 1, which a double cannot hold, against 2^53 */
	{ "ODD53 == R53", "false" }, { "ODD53 != R53", "true" },
	{ "ODD53 > R53", "true" }, { "ODD53 <= R53", "false" },
	{ "R53 < ODD53", "true" }, { "R53 >= ODD53", "false" },
	{ "ODD53 - 1 == R53", "true" }, { "ODD53 - 2 < R53", "true" },
	{ "-ODD53 < -R53", "true" },
	{ "9007199254740993 == 9007199254740992.0", "false" },
	{ "MOST < 9223372036854775808.0", "true" },
	{ "MOST == 9223372036854775808.0", "false" },
	{ "MOST >= 9223372036854774784.0", "true" },
	{ "LEAST == -9223372036854775808.0", "true" }, { "LEAST > -1e300", "true" },
	{ "MOST < 1e300", "true" }, { "1e300 > MOST", "true" },
	{ "-7.5 < MINUS", "true" }, { "MINUS < -6.5", "true" },
	{ "ZERO < 0.1", "true" }, { "ZERO > -0.1", "true" }, { "ZERO == -0.0", "true" },
	{ "YES == 1", "true" }, { "YES == true", "true" }, { "NO < YES", "true" },
	{ "(3 > 2) > 1", "false" }, /* as in C; without () it is refused */
};

static const struct row reals[] = {
	{ "0.5", "0.5" },
	{ ".5", "0.5" },
	{ "1.", "1.0" },
	{ "1e3", "1000.0" },
	{ "2.5E-1", "0.25" },
	{ "A / 2.0", "3.5" },
	{ "A / 2", "3" },
	{ "HALF * 4", "2.0" },
	{ "HALF + A", "7.5" },
	{ "A - HALF", "6.5" },
	{ "-HALF", "-0.5" },
	{ "+HALF", "0.5" },
	{ "!HALF", "false" },
	{ "1.0 / 0", DIVIDES },
	{ "1 / 0.0", DIVIDES },
	{ "HALF / ZERO", DIVIDES },
	{ "1e308 * 10", RANGE },
	{ "1e308 + 1e308", RANGE },
	{ "-1e308 - 1e308", RANGE },
	{ "any_real % 2", TYPES },
	{ "any_real & 1", TYPES },
	{ "~any_real", TYPES },
	{ "any_real << 1", TYPES },
	{ "any_real * 2", "5.0" },
};

static const struct row functions[] = {
	{ "min(3, 2)", "2" },
	{ "min(3, 2, 1, 4)", "1" },
	{ "max(A, B)", "7" },
	{ "max(1, 2, 3)", "3" },
	{ "min(1, 2.5)", "1.0" },
	{ "max(1, 2.5)", "2.5" },
	{ "max(2.5, 1)", "2.5" },
	{ "min(ODD53, R53)", "9007199254740992.0" },
	{ "abs(MINUS)", "7" },
	{ "abs(A)", "7" },
	{ "abs(-2.5)", "2.5" },
	{ "abs(LEAST)", RANGE },
	{ "ceil_div(7, 3)", "3" },
	{ "ceil_div(6, 3)", "2" },
	{ "ceil_div(0, 3)", "0" },
	{ "ceil_div(-7, 3)", "-2" },
	{ "ceil_div(7, -3)", "-2" },
	{ "ceil_div(-7, -3)", "3" },
	{ "ceil_div(LEAST, -1)", RANGE },
	{ "ceil_div(MOST, 2)", "4611686018427387904" },
	{ "ceil_div(A, ZERO)", DIVIDES },
	{ "ceil_div(7.5, 2)", "4.0" },
	{ "ceil_div(1.5, 0)", DIVIDES },
	{ "round_up(7, 4)", "8" },
	{ "round_up(8, 4)", "8" },
	{ "round_up(-7, 4)", "-4" },
	{ "round_up(7, -4)", "8" },
	{ "round_up(MOST, 2)", RANGE },
	{ "round_up(7, 0)", DIVIDES },
	{ "round_up(-1, LEAST)", "0" },
	{ "round_up(1, LEAST)", RANGE },
	{ "round_up(LEAST, LEAST)", MIN_TEXT },
	{ "round_up(7.5, 2)", "8.0" },
	{ "round_down(7, 4)", "4" },
	{ "round_down(-7, 4)", "-8" },
	{ "round_down(7, -4)", "4" },
	{ "round_down(LEAST, 3)", RANGE },
	{ "round_down(-1, LEAST)", MIN_TEXT },
	{ "round_down(1, LEAST)", "0" },
	{ "round_down(7, 0)", DIVIDES },
	{ "round_down(7.5, 2)", "6.0" },
	{ "is_pow2(64)", "true" },
	{ "is_pow2(1)", "true" },
	{ "is_pow2(0)", "false" },
	{ "is_pow2(-2)", "false" },
	{ "is_pow2(LEAST)", "false" },
	{ "is_pow2(48)", "false" },
	{ "log2(1)", "0" },
	{ "log2(1023)", "9" },
	{ "log2(1024)", "10" },
	{ "log2(MOST)", "62" },
	{ "log2(0)", DOMAIN },
	{ "log2(-1)", DOMAIN },
	{ "log2(8.0)", "3.0" },
	{ "log2(0.0)", DOMAIN },
	{ "gcd(12, 18)", "6" },
	{ "gcd(-12, 18)", "6" },
	{ "gcd(0, 0)", "0" },
	{ "gcd(0, 5)", "5" },
	{ "gcd(LEAST, 0)", RANGE },
	{ "gcd(LEAST, 6)", "2" },
	{ "lcm(4, 6)", "12" },
	{ "lcm(-4, 6)", "12" },
	{ "lcm(0, 6)", "0" },
	{ "lcm(MOST, 2)", RANGE },
	{ "lcm(LEAST, 1)", RANGE },
	{ "sqrt(16)", "4.0" },
	{ "sqrt(2.25)", "1.5" },
	{ "sqrt(-1)", DOMAIN },
	{ "pow(2, 10)", "1024" },
	{ "pow(2, 62)", "4611686018427387904" },
	{ "pow(2, 63)", RANGE },
	{ "pow(-2, 63)", MIN_TEXT },
	{ "pow(3, 0)", "1" },
	{ "pow(0, 0)", "1" },
	{ "pow(1, MOST)", "1" },
	{ "pow(-1, MOST)", "-1" },
	{ "pow(2, -1)", "0.5" },
	{ "pow(0, -1)", DOMAIN },
	{ "pow(2.0, 0.5) > 1.414", "true" },
	{ "pow(-2.0, 0.5)", DOMAIN },
	{ "pow(1e300, 2)", RANGE },
	{ "floor(2.5)", "2.0" },
	{ "floor(-2.5)", "-3.0" },
	{ "floor(A)", "7" },
	{ "ceil(2.5)", "3.0" },
	{ "ceil(-2.5)", "-2.0" },
	{ "ceil(A)", "7" },
	{ "int(2.9)", "2" },
	{ "int(-2.9)", "-2" },
	{ "int(A)", "7" },
	{ "int(1e300)", DOMAIN },
	{ "int(9223372036854775808.0)", DOMAIN },
	{ "int(-9223372036854775808.0)", MIN_TEXT },
	{ "real(A)", "7.0" },
	{ "real(A) / 2", "3.5" },
	{ "is_pow2(any_real)", TYPES },
	{ "gcd(any_real, 2)", TYPES },
};

static const struct row logic[] = {
	{ "1 && 2", "true" },
	{ "1 && 0", "false" },
	{ "0 || 3", "true" },
	{ "0 || 0", "false" },
	{ "0.5 && 1", "true" },
	{ "0.0 || 0", "false" },
	{ "ZERO != 0 && A / ZERO > 1", "false" },
	{ "A / ZERO > 1 && ZERO != 0", DIVIDES },
	{ "ZERO == 0 || A / ZERO > 1", "true" },
	{ "ZERO == 0 ? 1 : A / ZERO", "1" },
	{ "ZERO != 0 ? A / ZERO : 2", "2" },
	{ "ZERO ? 1 : A / ZERO", DIVIDES },
	{ "NO && device.warp_size", "false" },
	{ "YES || device.warp_size", "true" },
	{ "YES && device.warp_size", UNBOUND },
	{ "device.warp_size == 32", UNBOUND },
	{ "1 ? 2 : 3", "2" },
	{ "0 ? 2 : 3", "3" },
	{ "0 ? 1 : 0 ? 2 : 3", "3" },
	{ "1 ? 0 ? 4 : 5 : 6", "5" },
	{ "A > B ? A - B : B - A", "4" },
	{ "1 ? 2 : 2.5", "2.0" },
	{ "0 ? 2.5 : 2", "2.0" },
	{ "(1 ? 2 : 2.5) / 4", "0.5" },
	{ "1 ? YES : 2.5", "1.0" },
	{ "1 ? anything : 2.5", "5" },
	{ "1 ? CACHE : 2", "ca" },
	{ "(YES && NO) == false", "true" },
	{ "(5 && 5) + 1", "2" },
	{ "1 || 1 && 0", "true" },
	{ "(1 || 1) && 0", "false" },
	{ "1 && 1 && 1 && 0", "false" },
	{ "0 || 0 || 0 || 1", "true" },
	{ "1 && (0 || (1 && 1))", "true" },
	{ "anything && 1", "true" },
	{ "A + (B ? 2 : 3)", "9" },
	{ "A + (ZERO ? 2 : 3)", "10" },
	{ "A * (B ? B : 5)", "21" },
	{ "A - (B || ZERO)", "6" },
	{ "A - (ZERO && B)", "7" },
	{ "A + (B ? 2 : 3) == 9", "true" },
	{ "A - (B || ZERO) == 6", "true" },
	{ "anything ? anything : 0", "5" },
};

static const struct row precedence[] = {
	{ "2 + 3 * 4", "14" },
	{ "(2 + 3) * 4", "20" },
	{ "20 / 2 / 5", "2" },
	{ "20 - 2 - 5", "13" },
	{ "20 % 7 * 2", "12" },
	{ "1 << 2 + 1", "8" },
	{ "1 + 1 << 2", "8" },
	{ "64 >> 2 >> 1", "8" },
	{ "1 < 2 == 1", "true" },
	{ "1 == 2 < 3", "true" },
	{ "5 & (3 == 3)", "1" },
	{ "1 == 1 | 2 == 3", "1" }, /* of truths alone it is what it says */
	{ "6 ^ 3 & 1", "7" },
	{ "1 | 6 ^ (3)", "5" },
	{ "A ^ 1", "6" }, /* one bit is often meant so */
	{ "A ^ (2)", "5" },
	{ "A ^ 4", "3" },
	{ "5 ^ A", "2" },
	{ "8 | 1 && 0", "false" },
	{ "1 | (2 == 3)", "1" },
	{ "-2 * -3", "6" },
	{ "!0 + 1", "2" },
	{ "~1 + 1", "-1" },
	{ "-A % 4", "-3" },
	{ "2 * (3 + (4 - 1)) % 5", "2" },
	{ " \t1\n+ 2 ", "3" },
};

static const struct row words[] = {
	{ "CACHE == \"ca\"", "true" },
	{ "CACHE == 'ca'", "true" },
	{ "CACHE == \"cg\"", "false" },
	{ "CACHE != \"cg\"", "true" },
	{ "\"ca\" == CACHE", "true" },
	{ "CACHE == any_word", "false" },
	{ "CACHE == 'ca' && A == 7", "true" },
	{ "CACHE", "ca" },
	{ "'a b' == \"a b\"", "true" },
	{ "'' == ''", "true" },
	{ "any_word + 1", TYPES },
	{ "any_word < any_word", TYPES },
	{ "any_word == 1", TYPES },
	{ "any_word && 1", TYPES },
	{ "any_word ? 1 : 2", TYPES },
	{ "-any_word", TYPES },
	{ "!any_word", TYPES },
};

static void check_row(const struct row *row)
{
	OWNED(at_expression_free) struct at_expression *expression = compile(row->text);
	RELEASED(at_strbuf_release) struct at_strbuf found = { 0 };
	struct at_value value;
	bool truth = false;
	enum at_evaluated evaluation, tested;

	evaluation = at_expression_evaluate(expression, slots, &value, NULL);
	if (evaluation)
		at_strbuf_add(&found, at_evaluation_text(evaluation));
	else
		at_value_format(value, &found);
	if (strcmp(at_strbuf_text(&found), row->expected))
		fail_msg("%s: expected %s, found %s", row->text, row->expected,
			at_strbuf_text(&found));
	/* conditions take a way of their own through integers */
	tested = at_expression_test(expression, slots, &truth, NULL);
	if (evaluation) {
		if (tested != evaluation)
			fail_msg("%s: as a condition it %s", row->text,
				at_evaluation_text(tested));
	} else if (value.type == AT_TYPE_WORD) {
		assert_int_equal(tested, AT_EVALUATION_TYPE);
	} else {
		bool expected = value.type == AT_TYPE_REAL ? value.real != 0
							   : value.integer != 0;

		if (tested || truth != expected)
			fail_msg("%s: as a condition it is %s", row->text,
				tested  ? at_evaluation_text(tested)
				: truth ? "true"
					: "false");
	}
}

static void check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_row(&rows[i]);
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof(*(rows)))

TEST(computes_with_integers_and_refuses_to_wrap)
{
	CHECK_ROWS(integers);
}

TEST(compares_exactly)
{
	CHECK_ROWS(comparisons);
}

TEST(computes_with_reals)
{
	CHECK_ROWS(reals);
}

TEST(calls_its_functions)
{
	CHECK_ROWS(functions);
}

TEST(evaluates_only_the_side_that_it_needs)
{
	CHECK_ROWS(logic);
}

TEST(binds_operators_as_c_does)
{
	CHECK_ROWS(precedence);
}

TEST(compares_words)
{
	CHECK_ROWS(words);
}

/* ---- what does not compile ---- */

static const struct bad {
	const char *text;
	enum at_status status;
	int column; /* 0: the message names no place */
	const char *message;
} bad[] = {
	{ "", AT_ESYNTAX, 0,
		"this expression is empty; write 0 or true, or leave it out" },
	{ "  ", AT_ESYNTAX, 0,
		"this expression is empty; write 0 or true, or leave it out" },
	{ "1 +", AT_ESYNTAX, 4, "expected a value, found the end" },
	{ "1 + * 2", AT_ESYNTAX, 5, "expected a value, found \"*\"" },
	{ "A ** 2", AT_ESYNTAX, 4, "expected a value, found \"*\"" },
	{ "1 <= A <= 4", AT_EINVAL, 8,
		"this compares whether \"1 <= A\" with what follows: write a <= b && b <= c" },
	{ "A == B == 2", AT_EINVAL, 8,
		"this compares whether \"A == B\" with what follows: write a == b && b == c" },
	{ "A & 31 == 0", AT_EINVAL, 3, "== comes before &: write (a & b) == c" },
	{ "A ^ 2 <= 512", AT_EINVAL, 3, "<= comes before ^: write (a ^ b) <= c" },
	{ "A B", AT_ESYNTAX, 3, "expected an operator or the end, found \"B\"" },
	{ "(A", AT_ESYNTAX, 3, "expected an operator or \")\", found the end" },
	{ "A)", AT_ESYNTAX, 2, "expected an operator or the end, found \")\"" },
	{ "()", AT_ESYNTAX, 2, "expected a value, found \")\"" },
	{ "A ? B", AT_ESYNTAX, 6, "expected an operator or \":\", found the end" },
	{ "A +", AT_ESYNTAX, 4, "expected a value, found the end" },
	{ "A = 3", AT_ESYNTAX, 3, "= assigns nothing here: to compare, write ==" },
	{ "A $ 3", AT_ESYNTAX, 3, "\"$\" has no meaning in an expression" },
	{ "A @ 3", AT_ESYNTAX, 3, "\"@\" has no meaning in an expression" },
	{ "> 3", AT_ESYNTAX, 1, "expected a value, found \">\"" },
	{ "A \u2264 3", AT_ESYNTAX, 3, "\"\u2264\" has no meaning in an expression" },
	{ "CACHE == cg", AT_EINVAL, 10,
		"there is no name \"cg\"; known are A, B, ZERO, MINUS, SHARED, LEAST, MOST, ODD53, R53, HALF, YES, NO, CACHE, anything, any_real, any_word" },
	{ "A \x01", AT_ESYNTAX, 3, "byte 0x01 has no meaning in an expression" },
	{ "A +\n B B", AT_ESYNTAX, 8, "expected an operator or the end, found \"B\"" },
	{ "010", AT_ESYNTAX, 1,
		"\"010\" begins with 0: write it without, or as 0x..." },
	{ "0x", AT_ESYNTAX, 1, "\"0x\" is not a number" },
	{ "0x1g", AT_ESYNTAX, 1, "\"0x1g\" is not a number" },
	{ "16u", AT_ESYNTAX, 1, "\"16u\" is not a number" },
	{ "1.2.3", AT_ESYNTAX, 1, "\"1.2.3\" is not a number" },
	{ "1e", AT_ESYNTAX, 1, "\"1e\" is not a number" },
	{ "1e999", AT_ESYNTAX, 1, "this real is larger than the largest double" },
	{ "9223372036854775808", AT_ESYNTAX, 1,
		"9223372036854775808 does not fit 64 bits" },
	{ "1 - 9223372036854775808", AT_ESYNTAX, 5,
		"9223372036854775808 does not fit 64 bits" },
	{ "-9223372036854775809", AT_ESYNTAX, 2,
		"9223372036854775809 does not fit 64 bits" },
	{ "0x8000000000000000", AT_ESYNTAX, 1,
		"0x8000000000000000 does not fit 64 bits" },
	{ "CACHE == \"ca", AT_ESYNTAX, 10, "this word has no closing \"" },
	{ "min(1, 2", AT_ESYNTAX, 9, "expected \",\" or \")\", found the end" },
	{ "SHARD + 1", AT_EINVAL, 1,
		"there is no name \"SHARD\"; did you mean \"SHARED\"?" },
	{ "1 + device.l2_byte", AT_EINVAL, 5,
		"there is no name \"device.l2_byte\"; did you mean \"device.l2_bytes\"?" },
	{ "device.foo", AT_EINVAL, 1,
		"there is no name \"device.foo\"; a device has compute_capability, multiprocessor_count, warp_size, max_threads_per_block, max_block_x, max_block_y, max_block_z, max_grid_x, max_grid_y, max_grid_z, max_threads_per_multiprocessor, max_blocks_per_multiprocessor, max_registers_per_block, max_registers_per_multiprocessor, max_shared_bytes_per_block, max_dynamic_shared_bytes_per_block, shared_bytes_per_multiprocessor, reserved_shared_bytes_per_block, l2_bytes, memory_bytes, clock_hz, memory_clock_hz, memory_bus_bits, power_limit_watts, default_power_limit_watts" },
	{ "QUITE_DIFFERENT", AT_EINVAL, 1,
		"there is no name \"QUITE_DIFFERENT\"; known are A, B, ZERO, MINUS, SHARED, LEAST, MOST, ODD53, R53, HALF, YES, NO, CACHE, anything, any_real, any_word" },
	{ "cell_div(1, 2)", AT_EINVAL, 1,
		"there is no function \"cell_div\"; did you mean \"ceil_div\"?" },
	{ "A(1)", AT_EINVAL, 1,
		"there is no function \"A\"; known are min, max, abs, ceil_div, round_up, round_down, is_pow2, log2, gcd, lcm, sqrt, pow, floor, ceil, int and real" },
	{ "min(1)", AT_EINVAL, 1, "min() takes two arguments or more, found 1" },
	{ "abs(1, 2)", AT_EINVAL, 1, "abs() takes one argument, found 2" },
	{ "pow(1, 2, 3)", AT_EINVAL, 1, "pow() takes two arguments, found 3" },
	{ "gcd()", AT_ESYNTAX, 5, "expected a value, found \")\"" },
	{ "CACHE + 1", AT_EINVAL, 7,
		"+ takes numbers, but \"CACHE\" is a word: words can only be compared with == and !=" },
	{ "CACHE < \"cg\"", AT_EINVAL, 7,
		"< takes numbers, but \"CACHE\" is a word: words can only be compared with == and !=" },
	{ "A == \"cg\"", AT_EINVAL, 3,
		"== compares \"A\", of type integer, with \"\"cg\"\", of type word" },
	{ "A && CACHE", AT_EINVAL, 3,
		"&& or || takes numbers, but \"CACHE\" is a word: words can only be compared with == and !=" },
	{ "A + (B * 2.5) % 2", AT_EINVAL, 15,
		"% takes integers, but \"(B * 2.5)\" is a real: int() makes an integer of it" },
	{ "is_pow2(HALF)", AT_EINVAL, 1,
		"is_pow2 takes integers, but \"HALF\" is a real: int() makes an integer of it" },
};

TEST(says_where_an_expression_is_wrong)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct at_expression *expression = NULL;
		struct at_error err = { 0 };
		char text[100], expected[1400];

		snprintf(text, sizeof(text), "%s", bad[i].text);
		at_text_flatten(text);
		snprintf(expected, sizeof(expected), "column %d of \"%s\": %s",
			bad[i].column, text, bad[i].message);
		at_expression_compile(
			bad[i].text, "a.cfg", 12, &names, &expression, &err);
		if (err.status != bad[i].status ||
			strcmp(err.text, bad[i].column ? expected : bad[i].message))
			fail_msg("%s: expected \"%s\", found \"%s\"", bad[i].text,
				expected, err.text);
		assert_null(expression);
		assert_string_equal(err.file, "a.cfg");
		assert_int_equal(err.line, 12);
	}
}

static char *repeated(
	const char *before, size_t count, const char *middle, const char *after)
{
	struct at_strbuf text = { 0 };

	for (size_t i = 0; i < count; i++)
		at_strbuf_add(&text, before);
	at_strbuf_add(&text, middle);
	for (size_t i = 0; i < count; i++)
		at_strbuf_add(&text, after);
	return at_strbuf_detach(&text);
}

TEST(refuses_what_is_nested_deeper_than_200)
{
	static const char *const nests[][2] = { { "(", ")" }, { "-", "" }, { "!", "" },
		{ "min(1, ", ")" }, { "1?", ":0" },
		{ "1 | 1 ^ 1 & 1 << 1 + 1 * (", ")" } };

	for (size_t i = 0; i < sizeof(nests) / sizeof(*nests); i++) {
		OWNED(free)
		char *deep = repeated(nests[i][0], 200, "1", nests[i][1]),
		     *deeper = repeated(nests[i][0], 201, "1", nests[i][1]);
		struct at_expression *expression = compile(deep);
		struct at_value value;

		assert_int_equal(
			at_expression_evaluate(expression, slots, &value, NULL),
			AT_EVALUATION_OK);
		at_expression_free(expression);
		assert_fails_with(at_expression_compile(deeper, NULL, 0, &names,
					  &expression, &failure),
			AT_ESYNTAX, "nested deeper than 200");
	}
}

TEST(a_long_chain_is_not_nested)
{
	OWNED(free) char *text = repeated("A + ", 20000, "1", "");
	OWNED(at_expression_free) struct at_expression *expression = compile(text);
	struct at_value value;

	assert_int_equal(at_expression_evaluate(expression, slots, &value, NULL),
		AT_EVALUATION_OK);
	assert_int_equal(value.integer, 7 * 20000 + 1);
}

TEST(cuts_a_long_text_in_messages)
{
	OWNED(free) char *text = repeated("A + ", 500, "?", "");
	struct at_expression *expression = NULL;
	struct at_error err = { 0 };

	at_expression_compile(text, NULL, 0, &names, &expression, &err);
	assert_non_null(strstr(err.text, "column 2001 of \"A + A"));
	assert_non_null(strstr(err.text, "...\": expected a value, found \"?\""));
}

TEST(lists_every_slot_once_and_ascending)
{
	struct at_expression *expression = compile("CACHE == 'ca' && B * A + B > A");
	size_t count;
	const int *used = at_expression_slots(expression, &count);

	assert_int_equal(count, 3);
	assert_int_equal(used[0], 0);
	assert_int_equal(used[1], 1);
	assert_int_equal(used[2], 12);
	assert_string_equal(
		at_expression_text(expression), "CACHE == 'ca' && B * A + B > A");
	at_expression_free(expression);
	expression = compile("1 + 2");
	at_expression_slots(expression, &count);
	assert_int_equal(count, 0);
	at_expression_free(expression);
	at_expression_free(NULL);
}

TEST(tells_which_slot_has_no_value)
{
	OWNED(at_expression_free)
	struct at_expression *expression = compile("A + device.warp_size");
	struct at_value value;
	bool truth;
	int slot = -1;

	assert_int_equal(at_expression_evaluate(expression, slots, &value, &slot),
		AT_EVALUATION_UNBOUND);
	assert_string_equal(known[slot].name, "device.warp_size");
	slot = -1;
	assert_int_equal(at_expression_test(expression, slots, &truth, &slot),
		AT_EVALUATION_UNBOUND);
	assert_string_equal(known[slot].name, "device.warp_size");
}

static enum at_type write_name(void *context, int slot, struct at_strbuf *out)
{
	if (strchr(known[slot].name, '.'))
		return AT_TYPE_NONE;
	at_strbuf_addf(out, "%s%s", (const char *)context, known[slot].name);
	return known[slot].value.type == AT_TYPE_BOOLEAN ? AT_TYPE_INTEGER
							 : known[slot].value.type;
}

struct c_row {
	const char *text;
	enum at_type wanted;
	const char *expected;
	bool is_partial;
};

/* A, B and HALF are open, all others known */
TEST(writes_as_c_what_depends_on_what_is_open)
{
	static const struct c_row rows[] = {
		{ "A + B * 2", AT_TYPE_INTEGER,
			"x_add(p_A, x_multiply(p_B, 2LL, &bad), &bad)", false },
		{ "A - (B - 1)", AT_TYPE_INTEGER,
			"x_subtract(p_A, x_subtract(p_B, 1LL, &bad), &bad)", false },
		/* known ones are computed */
		{ "4 * 1024 * ZERO + MINUS", AT_TYPE_INTEGER, "(-7LL)", false },
		{ "A == LEAST", AT_TYPE_BOOLEAN,
			"(p_A == (-9223372036854775807LL - 1))", false },
		{ "A > -3", AT_TYPE_BOOLEAN, "(p_A > (-3LL))", false },
		{ "(A > 3) + 1", AT_TYPE_INTEGER,
			"x_add(((p_A > 3LL) ? 1LL : 0LL), 1LL, &bad)", false },
		{ "A > 3", AT_TYPE_INTEGER, "((p_A > 3LL) ? 1LL : 0LL)", false },
		{ "A", AT_TYPE_BOOLEAN, "(p_A != 0)", false },
		{ "!A && -B < ~3", AT_TYPE_BOOLEAN,
			"((!(p_A != 0)) && (x_negate(p_B, &bad) < (-4LL)))", false },
		{ "min(A, B, 3)", AT_TYPE_INTEGER, "x_min(x_min(p_A, p_B), 3LL)",
			false },
		{ "is_pow2(A) && log2(B) & 1", AT_TYPE_BOOLEAN,
			"((x_is_pow2(p_A) != 0) && ((x_log2(p_B, &bad) & 1LL) != 0))",
			false },
		/* only the side that is needed is written */
		{ "CACHE == 'ca' ? A : log2(B)", AT_TYPE_INTEGER, "p_A", false },
		{ "CACHE == 'cg' || A > 2", AT_TYPE_BOOLEAN, "(p_A > 2LL)", false },
		{ "NO && A / ZERO", AT_TYPE_BOOLEAN, "0", false },
		{ "YES || A / ZERO", AT_TYPE_BOOLEAN, "1", false },
		{ "A && NO", AT_TYPE_BOOLEAN, "((p_A != 0) && 0)", false },
		{ "A ? B ? 1 : 2 : 3", AT_TYPE_INTEGER,
			"((p_A != 0) ? ((p_B != 0) ? 1LL : 2LL) : 3LL)", false },
		/* what has no value has none in C */
		{ "7 / ZERO", AT_TYPE_INTEGER, "x_none(&bad)", false },
		{ "A + 7 / ZERO", AT_TYPE_INTEGER, "x_add(p_A, x_none(&bad), &bad)",
			false },
		/* reals */
		{ "A * 0.5 < B", AT_TYPE_BOOLEAN,
			"(x_compare(x_real_multiply(x_real(p_A, &bad), 0.5, &bad), x_real(p_B, &bad)) < 0)",
			false },
		{ "A ? B : 2.5", AT_TYPE_INTEGER,
			"x_whole(((p_A != 0) ? x_real(p_B, &bad) : 2.5), &bad)",
			false },
		{ "int(HALF * -2.0)", AT_TYPE_INTEGER,
			"x_real_int(x_real_multiply(p_HALF, (-2.0), &bad), &bad)",
			false },
		{ "int(sqrt(A)) + floor(A)", AT_TYPE_INTEGER,
			"x_add(x_real_int(x_real_sqrt(x_real(p_A, &bad), &bad), &bad), p_A, &bad)",
			false },
		{ "HALF", AT_TYPE_BOOLEAN, "(x_compare(p_HALF, 0.0) != 0)", false },
		/* what C would round in a way of its own */
		{ "log2(HALF) > 1.0", AT_TYPE_BOOLEAN,
			"(x_compare(x_real(x_none(&bad), &bad), 1.0) > 0)", true },
		{ "pow(A, 2)", AT_TYPE_INTEGER, "x_pow(p_A, 2LL, &bad)", false },
		{ "pow(2, A)", AT_TYPE_INTEGER, "x_pow(2LL, p_A, &bad)", true },
		{ "device.warp_size + 1", AT_TYPE_INTEGER,
			"x_add(x_none(&bad), 1LL, &bad)", true },
		{ "YES || device.warp_size", AT_TYPE_BOOLEAN, "1", false },
		{ "(A ? CACHE : 'cg') == 'ca'", AT_TYPE_BOOLEAN, NULL, true },
	};
	struct at_value values[KNOWN_COUNT];
	const struct at_expression_naming naming = {
		.prefix = "x_",
		.slots = values,
		.name = write_name,
		.context = (void *)"p_",
	};

	for (size_t i = 0; i < KNOWN_COUNT; i++) {
		values[i] = known[i].value;
		if (!strcmp(known[i].name, "A") || !strcmp(known[i].name, "B") ||
			!strcmp(known[i].name, "HALF"))
			values[i].type = AT_TYPE_NONE;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		OWNED(at_expression_free)
		struct at_expression *expression = compile(rows[i].text);
		RELEASED(at_strbuf_release) struct at_strbuf out = { 0 };
		struct at_expression_c result;

		at_expression_write_c(
			expression, &naming, rows[i].wanted, &result, &out);
		if (rows[i].expected)
			assert_string_equal(at_strbuf_text(&out), rows[i].expected);
		if (result.is_partial != rows[i].is_partial)
			fail_msg("%s", rows[i].text);
	}
}

static int bind_slots(void **state)
{
	for (size_t i = 0; i < KNOWN_COUNT; i++) {
		slots[i] = known[i].value;
		items[i] = (struct at_name){ known[i].name,
			known[i].type_known ? known[i].value.type : AT_TYPE_NONE };
	}
	return 0;
}

RUN_SUITE(bind_slots, NULL)
