/* What the files cases*.c share; private to them. */
#ifndef AT_EVALUATOR_CASES_PARTS_H
#define AT_EVALUATOR_CASES_PARTS_H

#include "evaluator/cases.h"

/* The making of cases. */
struct cases {
	const struct at_spec *spec; /* its domain has the numbers of the rows */
	const struct at_problem *tuned;
	const struct at_device_info *device;
	struct at_value *values; /* of the tuned problem, by number */
	struct at_value *slots;
	struct at_value *followed; /* the same of a case, before scalars are given */
	struct at_value *current; /* of a row, by size of the tuned problem */
	struct at_problem scratch; /* sizes of a row; names are borrowed */
	int64_t most; /* elements of the largest buffer */
	int64_t tuned_elements;
	bool is_large; /* the row that cases_admit() saw last has more than these */
};

enum at_status cases_begin(struct cases *self, const struct at_spec *spec,
	const struct at_problem *tuned, const struct at_device_info *device,
	struct at_error *err);
/* Releases it, also after a failure. */
void cases_release(struct cases *self);

/* Whether the row's buffers are small enough. is_neighbour: its sizes are next to the
   tuned ones, and may be as large as those. */
bool cases_admit(struct cases *self, const struct at_value *values, bool is_neighbour);
/* Makes the case of a row: *out is the caller's to release, also after a failure. */
enum at_status cases_make(struct cases *self, const struct at_value *values,
	struct at_problem *out, struct at_error *err);

/* Gives arguments other contents in a case, which is named after them, too. Nothing
   promises it then. */
void cases_set_contents(
	const struct at_spec *spec, struct at_case *one, uint64_t contents);

enum {
	/* cases of a domain that are tried with other contents, too */
	CASES_WITH_CONTENTS = 6,
	/* cases of the default list for each that would be drawn from a domain */
	CASES_DEFAULT_FACTOR = 2,
	/* arguments that a case can give other contents */
	CASES_CONTENTS_MOST = 64,
};

/* Adds the default list (cases_default.c) behind the cases that are there, where the
   space declares no domain, and those with other contents. */
enum at_status cases_default(const struct at_spec *spec, const struct at_problem *tuned,
	const struct at_device_info *device, uint64_t seed, uint64_t contents,
	struct at_case *out, size_t *count, struct at_error *err);

#endif
