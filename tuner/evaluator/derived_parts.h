/* What the files of derived.h share. */
#ifndef AT_EVALUATOR_DERIVED_PARTS_H
#define AT_EVALUATOR_DERIVED_PARTS_H

#include "evaluator/derived.h"

/*
 * Whether a size varies, and how. ROLE_NUMBER and ROLE_FLAG are of sizes that nothing
 * is as large as, but that the kernel is told: a radius, a factor; 0 or 1. ROLE_SMALL
 * and ROLE_DIVISOR are of those that decide how large something is without being as
 * large: a margin, a stride, the length of a filter; a number of groups.
 */
enum role {
	ROLE_STAYS,
	ROLE_EXTENT,
	ROLE_SMALL,
	ROLE_DIVISOR,
	ROLE_NUMBER,
	ROLE_FLAG,
	ROLE_COUNT
};

/*
 * How the sizes that vary change. Most changes apply to all extents alike: equal sizes
 * stay equal, and a larger one stays larger. CHANGE_MIXED takes changes in turns, so
 * that no two of three are equal, and CHANGE_TURNED in another order.
 */
enum change {
	CHANGE_LESS, /* by one */
	CHANGE_MORE, /* by one; small ones too: who has room for so many has no more */
	CHANGE_EVEN, /* a smaller even number that 4 does not divide */
	CHANGE_PRIME, /* a smaller prime */
	CHANGE_ONE, /* 1; small ones too, since of one value there is no deviation */
	CHANGE_FEW, /* 3 */
	CHANGE_MIXED,
	CHANGE_TURNED, /* the same in another order: what was larger is smaller */
	CHANGE_WHOLE, /* whole warps or blocks, where the tuned size is not whole */
	CHANGE_SMALL, /* only the sizes of ROLE_SMALL */
	CHANGE_DIVISOR, /* only those of ROLE_DIVISOR */
	CHANGE_NUMBERS, /* only those of ROLE_NUMBER */
	CHANGE_LOW, /* the same, to what is far less */
	/* only those of ROLE_FLAG: both ends of a range may be among them */
	CHANGE_ON,
	CHANGE_OFF,
	/* of small ones, numbers and flags that are equal each second one, as it
	   changes by itself */
	CHANGE_ALIKE,
	/* of numbers and flags those for which the reference asks by number: to the
	   least that it asks for beyond 0 and 1, and to the largest */
	CHANGE_KIND,
	CHANGE_LAST_KIND,
	CHANGE_ALIKE_TOO, /* as CHANGE_ALIKE, but of four the last two */
	/* of flags that are equal each first one, and of four the first two: who uses
	   one only beside another is wrong then */
	CHANGE_ALIKE_FIRST,
	CHANGE_ALIKE_FIRST_TWO,
	CHANGE_NONE, /* numbers of which the reference asks whether they are 0: 0 */
	/* margins and lengths to one side of 1: 0 */
	CHANGE_NO_MARGIN,
	/* one extent alone, by what other sizes that divide it have in common */
	CHANGE_MULTIPLE,
	/* one small size alone, to what still fits others (derived_other_fitting()) */
	CHANGE_FITTING,
	/* 2, beside other values of what is 0 (derived_add_hidden()): less than there
	   is in a state from before, as of a short filter */
	CHANGE_TWO,
	CHANGE_COUNT
};

#define ALL_SIZES SIZE_MAX /* self->only where all sizes change */

struct derivation {
	const struct at_spec *spec;
	const struct at_template *template; /* may be NULL */
	const struct at_problem *tuned;
	const struct at_device_info *device;
	enum role *roles; /* one for each size of the tuned problem */
	int64_t *units; /* one for each: what the size must stay a multiple of */
	size_t only; /* the one size that changes; SIZE_MAX: all of a change do */
	size_t apart_count; /* problems in which only one size changed */
	int64_t cap; /* larger extents are cut to this first */
	/* no buffer has more elements than this, but in the tuned problem; 0: no limit
	 */
	int64_t most;
	struct at_value *values; /* one for each: its value after the change */
	struct at_value *slots; /* of the spec */
};

/* ---- derived_change.c ---- */

bool derived_is_of_equal(enum change change);
/* of numbers for which the reference asks */
bool derived_is_of_kinds(enum change change);
/* Whether the size is a 1 of a number of things, and not a flag. */
bool derived_is_one_of_many(const struct derivation *self, size_t size);
/* Whether a change of equal sizes makes the size another one than those ahead of it
   that are equal and change in the same way. */
bool derived_is_other(const struct derivation *self, size_t size, enum change change);
/* Whether a size is small and becomes less. */
bool derived_is_above_least(const struct derivation *self, size_t size);
/* Rounds a size to whole warps, or down to whole blocks where there are several. */
int64_t derived_whole(int64_t size);
/* What a size becomes that nothing is as large as, the index-th of them; the same where
   the change is of other sizes. */
struct at_value derived_other_number(
	const struct derivation *self, size_t size, enum change change, size_t index);
/* Sets self->values; is_changed false only applies the cap. False where a value cannot
   be computed, or nothing differs from the tuned problem. */
bool derived_change(struct derivation *self, bool is_changed, enum change change);

/* ---- the others ---- */

/* Whether an expression uses the size, or one that follows from it; false for NULL. */
bool derived_uses(const struct derivation *self, const struct at_expression *expression,
	size_t from);
/* Whether a compiler option contains the size: each value is then another unit. */
bool derived_is_in_options(const struct derivation *self, size_t from);
/* Whether a buffer's count divides by the first size and uses the other. */
bool derived_divides_with(const struct derivation *self, size_t divisor, size_t other);
/* Makes small sizes that another size divides stay multiples of it, since who divides
   4 channels into 2 groups may not say so anywhere. Call it when all roles are known.
 */
void derived_keep_divisible(struct derivation *self);
/*
 * Whether the two sizes, which are equal, may become different. A window that is as
 * long as its stride may not: kernels can rely on windows that do not overlap, or leave
 * no gap. Those may that no count has both of, or whose names are of two axes or sides.
 */
bool derived_may_part(const struct derivation *self, size_t one, size_t other);
/* Whether a small size of 1 is a margin or the like, by that counts only add it: then
   there may be none. */
bool derived_is_margin(const struct derivation *self, size_t size);
/* Whether all who are told a size take it for how many of something there are, and not
   for a flag. */
bool derived_counts_by(const struct derivation *self, size_t size);
/* The number beyond 0 and 1 for which the reference asks where a size of ROLE_NUMBER or
   ROLE_FLAG is its argument (at_plan_other_kind()); 0: none. */
int64_t derived_other_kind(const struct derivation *self, size_t size, bool is_last);
/* Whether a size of ROLE_NUMBER is a limit that is none where it is 0, as the reference
   asks for. */
bool derived_may_be_none(const struct derivation *self, size_t size);
/* Decides how a size varies; sets its unit where it does. */
enum role derived_role_of(struct derivation *self, size_t size);

/*
 * Puts numbers right that have changed places (self->values). Numbers change each by a
 * rule of its own. What was less must not be more then: it may be the lower end of a
 * range, of which sound kernels make different things where it is above the upper one.
 * What is next to 0 is no upper end, and both ends are of one type.
 */
void derived_keep_order(struct derivation *self);

/* The largest prime below the number, 2 at least. */
int64_t derived_prime_below(int64_t n);
/* An extent, cut to self->cap where it is larger. */
int64_t derived_cut(const struct derivation *self, size_t extent);
/*
 * What becomes of a size that divides others: what leaves no remainder either, or the
 * same. Whatever it divides in the tuned problem it has to divide then, even if no
 * count says so. Where it is 1, which divides all, that is what it stands in a count
 * with, and other small sizes.
 */
int64_t derived_other_divisor(const struct derivation *self, size_t size);
/*
 * What an extent becomes that others divide, as channels that come in groups: more, and
 * still a multiple of each of them. No count may say that it has to be one. The same
 * where there is none.
 */
int64_t derived_other_multiple(const struct derivation *self, size_t extent);
/*
 * What a small size becomes that others divide, or that divides other small ones, as
 * heads of which several share one: another multiple of what divides it, or else twice
 * as much, where that still divides them, or 1. The same where there is no such size.
 */
int64_t derived_other_fitting(const struct derivation *self, size_t size);
/* Sets the value of a size to the tuned one; of a size that follows from others, to
   what follows from their values. False where that cannot be computed. */
bool derived_keep_size(struct derivation *self, size_t i);
/* Makes a problem of the sizes that differ from the tuned problem's. After a failure
   the caller must call derived_release_problem() too. */
enum at_status derived_make_problem(
	const struct derivation *self, struct at_problem *out, struct at_error *err);
void derived_release_problem(struct at_problem *problem);
/*
 * Makes a problem of derived sizes once more, in which also becomes another number what
 * is 0 in the space: a flag may say that it is used, and a state from before matters
 * where there is less to follow it than it has values. Nothing is added where there is
 * no such argument; with_flags: one that is a flag is enough.
 */
enum at_status derived_add_hidden(const struct derivation *self,
	const struct at_problem *from, bool with_flags, struct at_derived *list,
	size_t *count, struct at_error *err);
/* Whether `verify` has a problem for this device. */
bool derived_has_problems(const struct derivation *self);
/* Whether one of the problems has the name of this one, which tells its sizes. */
bool derived_has_problem(
	const struct at_derived *list, size_t count, const struct at_problem *problem);
/* The elements of the largest buffer, scratch aside; 0 where there is none or it is not
   known. */
int64_t derived_count_elements(
	const struct derivation *self, const struct at_problem *problem);

/*
 * Makes the tuned problem with all large sizes divided by the same power of two: the
 * smallest that is needed for few elements, or the largest that divides them all. So
 * what fits exactly still does (struct at_plan's is_scaled), and sizes that are in
 * proportion stay so. *is_made false: it would not be smaller.
 */
enum at_status derived_make_scaled(struct derivation *self, struct at_problem *out,
	bool *is_made, struct at_error *err);

#endif
