/*
 * The cases of a verification: what a winner must be right on beside the tuned problem
 * and the problems that `verify` names.
 *
 *   const struct at_case_source source = { spec, tuned, &device };
 *   at_cases_make(&source, seed, &cases, &count, &err);
 *   ... at_plan_init(&plan, spec, template, &cases[i].problem, tuned, ...) ...
 *   at_cases_free(cases, count);
 *
 * Where the space declares a domain (space/domain.h), cases are drawn from it. Where it
 * declares none, they are a default list:
 *
 *   - all extents next below and next above the tuned ones; distinct primes in two
 *     orders; three quarters of them; an even number that 4 does not divide; a
 *     power of two; 1 and 2;
 *   - each number alone: an extent as three quarters, as a prime, and as more than a
 *     block has threads, another number as one less, half, one more, 1, 0; a real one
 *     as three quarters, a sixteenth, 0;
 *   - mixtures of these;
 *   - when coverage was measured (evaluator/cases_coverage.h): each number alone with
 *     constants that the kernels compare it with, and the values above them.
 *
 * An extent is a size from FEWEST_OF_EXTENT on that changes how many elements a buffer
 * or how many blocks a launch has. The other numbers are the other sizes, and scalar
 * arguments whose value is a number and that both kernel and reference get. No source
 * text and no name decides what becomes of a number, so the space does not promise to
 * be right on these: a case of the default list counts only where the baseline is right
 * on it.
 *
 * In both kinds of space, inputs that hide something get other contents in cases of
 * their own (at_plan_other_contents()).
 *
 * Threads: pure functions.
 */
#ifndef AT_EVALUATOR_CASES_H
#define AT_EVALUATOR_CASES_H

#include "device/device.h"
#include "record/counterexample.h"
#include "space/spec.h"

/* What cases are made of; all borrowed. */
struct at_case_source {
	const struct at_spec *spec;
	const struct at_problem *tuned;
	const struct at_device_info *device;
};

struct at_case {
	/* the sizes and scalar arguments that differ from the tuned problem's; named
	   after them: "case M=33 trans_a=1" */
	struct at_problem problem;
	uint64_t contents; /* arguments with other contents, a bit each, by index */
	/* of default cases: the line of a space file that says that it never comes */
	char *promise;
	bool is_default; /* nothing that the space says promises it */
	bool is_scaled; /* the tuned problem made smaller; no domain promises the sizes
			 */
	bool is_large; /* its buffers are about as large as the tuned problem's */
	uint64_t seed; /* for the contents of inputs; 0: by its place */
};

/*
 * Makes spec->verify.case_count cases at most from a domain, and twice as many of the
 * default list. Cases hold little data, fewer elements than a limit. Exceptions come
 * last: the two whose sizes are next to the tuned ones, and, where a domain has no
 * small sizes, the one in which all inputs have other contents. *count is 0 where
 * outputs are compared with files. `derive = false` in verify leaves the default list
 * out. The caller frees *out with at_cases_free().
 */
enum at_status at_cases_make(const struct at_case_source *source, uint64_t seed,
	struct at_case **out, size_t *count, struct at_error *err);
/*
 * Makes the case of the default list in which one number alone has this value; *out
 * stays empty, without a name, where the value is the tuned one, where the case would
 * hold too much data, and where no whole number has that name. The caller releases
 * *out with at_case_release().
 */
void at_case_of_value(const struct at_case_source *source, const char *name,
	int64_t value, struct at_case *out);
/* Frees the cases; NULL with count 0 is fine. */
void at_cases_free(struct at_case *cases, size_t count);

/*
 * Whether a configuration divides a case that was made smaller as a whole as it divides
 * the tuned problem: each value of its integer parameters, and each product of two and
 * three of them, that divides a tuned size divides what became of it. Otherwise a
 * kernel that works with whole tiles could be wrong there although it is right.
 */
bool at_case_suits(const struct at_spec *spec, const struct at_problem *scaled,
	const struct at_problem *tuned, const uint16_t *configuration);

/*
 * Fills *out with a simpler case: the first number of the domain from *number on that
 * can has its tuned value, or in a case of the default list the value that it has while
 * others change alone. *number is the one behind it then. *out is empty, without a
 * name, where no number can: it has that value already, the case is not in the domain,
 * or nothing would be left of it. The caller releases it with at_case_release().
 */
void at_case_without(const struct at_case_source *source, const struct at_problem *one,
	size_t *number, struct at_case *out);
/* Releases what a case owns, and empties it. */
void at_case_release(struct at_case *self);

/*
 * Fills in out->numbers, without values: the numbers that the default list changes,
 * which are sizes of the tuned problem that no other one gives, and scalar arguments.
 * Every domain that a space can declare is about some of these. The caller releases
 * *out with at_cases_release_numbers().
 */
void at_cases_numbers(const struct at_spec *spec, const struct at_problem *tuned,
	struct at_domain *out);
/* A zeroed one is fine. */
void at_cases_release_numbers(struct at_domain *numbers);

/* What of a case's data its instance names, beside its sizes. */
struct at_case_data {
	uint64_t contents; /* struct at_case */
	uint64_t seed; /* 0: it is left out, for what the case is whatever its data */
	bool is_scaled;
};
/* The case as a counterexample keeps it (record/counterexample.h): a JSON object; heap.
 */
char *at_case_instance(const struct at_spec *spec, const struct at_problem *one,
	const struct at_problem *tuned, const struct at_case_data *data);
/*
 * Makes the case of a recorded counterexample. It is empty, without a name, where the
 * space does not have its numbers any more, or promises it no more, and where it is the
 * tuned problem. The caller releases *out as at_cases_free() does.
 */
void at_case_recall(const struct at_case_source *source,
	const struct at_counterexample *from, struct at_case *out);

/* Appends the case in the syntax of a space file: "{ M = 33; trans_a = 1; }". */
void at_case_write(const struct at_problem *one, struct at_strbuf *out);

#endif
