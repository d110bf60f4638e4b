/*
 * Expressions in C's syntax over parameters, problem sizes and device properties,
 * compiled once to a form that evaluates without allocating.
 *
 *   || && ! ?: == != < <= > >= | ^ & << >> + - * / % ~ unary - + ( )
 *   integers (decimal, 0x), reals, true, false, words in single or double quotes
 *   min(a,b,..) max(a,b,..) abs(a) ceil_div(a,b) round_up(a,multiple)
 *   round_down(a,multiple) is_pow2(a) log2(a) gcd(a,b) lcm(a,b) sqrt(a)
 *   pow(a,b) floor(a) ceil(a) int(a) real(a)
 *
 * Integers are 64-bit and an overflow is an error; `/` and `%` on integers truncate as
 * in C. An integer combined with a real becomes a real, but comparisons between them
 * are exact. Booleans count as 0 and 1. && || ?: evaluate only the side they need.
 * Words support only == and !=. log2 of an integer is the integer floor(log2(a)).
 *
 * Compilation maps each name to a slot number; the caller evaluates against an array of
 * values, one per slot, as often as it likes.
 *
 * Threads: a compiled expression is constant; any number of threads may evaluate it.
 */
#ifndef AT_SPACE_EXPRESSION_H
#define AT_SPACE_EXPRESSION_H

#include "base/error.h"
#include "space/value.h"

struct at_expression;

/* A name that an expression may use; `device.l2_bytes` is one name, dot included. */
struct at_name {
	const char *name;
	enum at_type type; /* NONE: known only at evaluation */
};

/* A name for an expression, which is inlined where the name is used. */
struct at_definition {
	const char *name;
	int line;
	struct at_expression *expression;
	bool is_used; /* set when a compiled expression uses it */
};

/* The names of an expression; the slot of a name is its index in `items`. */
struct at_names {
	size_t count;
	const struct at_name *items;
	size_t definition_count;
	struct at_definition *definitions;
	/* By slot of the definitions' expressions: the names, whose slots here may
	   differ. */
	const struct at_name *defined_over;
	/* Appends more about an unknown name to the message, such as "; sizes stand in
	   ...". True: do not suggest a similar name. May be NULL. */
	bool (*explain)(const void *context, const char *name, struct at_strbuf *out);
	const void *context;
};

/* The slot of name[0..length), and its type; -1: unknown. */
int at_names_find(const struct at_names *self, const char *name, size_t length,
	enum at_type *type);
/* The name with different case; else the property without its "device."; else a similar
   name, or NULL. */
const char *at_names_nearest(const struct at_names *self, const char *name);

/*
 * Compiles text; file and line are for messages, which quote the text and the column.
 * Rejects nesting deeper than 200 and more than 100,000 steps. Definitions must outlive
 * the result. The caller frees the result with at_expression_free().
 */
enum at_status at_expression_compile(const char *text, const char *file, int line,
	const struct at_names *names, struct at_expression **out, struct at_error *err);
/* An expression with the constant value, which may be infinite or NaN; evaluation never
   yields such a value from finite ones. text: its notation. */
struct at_expression *at_expression_real(double value, const char *text, int line);
void at_expression_free(struct at_expression *self);

enum at_evaluated {
	AT_EVALUATION_OK = 0,
	AT_EVALUATION_DIVISION_BY_ZERO, /* / % ceil_div round_up by 0 */
	AT_EVALUATION_OVERFLOW, /* left 64 bits, or a shift out of 0..63 */
	AT_EVALUATION_DOMAIN, /* log2(0), sqrt(-1), int(1e300) */
	AT_EVALUATION_TYPE, /* a word instead of a number, ... */
	AT_EVALUATION_UNBOUND, /* a slot of type NONE: a property the device lacks */
};
/* A phrase such as "divides by zero"; static storage. */
const char *at_evaluation_text(enum at_evaluated evaluation);

/* Evaluates without allocating. slots has a value for every slot of the expression. If
   the result is UNBOUND, *unbound_slot (may be NULL) gets the slot without a value. */
enum at_evaluated at_expression_evaluate(const struct at_expression *self,
	const struct at_value *slots, struct at_value *result, int *unbound_slot);

/* Likewise as a condition: a number other than 0 is true. */
enum at_evaluated at_expression_test(const struct at_expression *self,
	const struct at_value *slots, bool *result, int *unbound_slot);

/* Whether the expression is a number, whatever the slots hold. */
bool at_expression_is_constant(
	const struct at_expression *self, struct at_value *value);

/* The slots used, each once, ascending; borrowed. */
const int *at_expression_slots(const struct at_expression *self, size_t *count);

/* The estimated time of one evaluation, in steps of about ten nanoseconds. */
size_t at_expression_cost(const struct at_expression *self);

/* The text as written; borrowed. */
const char *at_expression_text(const struct at_expression *self);
/* The text with definitions expanded; borrowed. */
const char *at_expression_full_text(const struct at_expression *self);
int at_expression_line(const struct at_expression *self);

/* How to write an expression as C: the known values, and the C names of other slots. */
struct at_expression_naming {
	/* prefix of the functions that it calls: "autotune_" (record/autotune.h) */
	const char *prefix;
	/* the known values; a slot of type NONE is unknown. NULL: all slots are
	   unknown */
	const struct at_value *slots;
	/*
	 * Appends the C for an unknown slot and returns its type in C: INTEGER for a
	 * long long, BOOLEAN for a condition, REAL for a double. NONE: C cannot know
	 * the slot's value.
	 */
	enum at_type (*name)(void *context, int slot, struct at_strbuf *out);
	void *context;
};

/* Properties of the C that at_expression_write_c() wrote. */
struct at_expression_c {
	bool is_known; /* the result is a constant */
	struct at_value value; /* the constant, if is_known */
	/* The C may report "no value" although evaluation has one: for pow() and log2()
	   of reals, whose rounding differs between libraries. */
	bool is_partial;
};

/*
 * Appends the expression as C for a scope with an int "bad". If evaluation has no value
 * (overflow, division by zero), the C sets bad to 1; else it gives the same result.
 * wanted: INTEGER for a long long (a real result must be integral), REAL for a double,
 * or BOOLEAN for a condition, written in parentheses, as a call or as a digit.
 */
void at_expression_write_c(const struct at_expression *self,
	const struct at_expression_naming *naming, enum at_type wanted,
	struct at_expression_c *out, struct at_strbuf *text);

#endif
