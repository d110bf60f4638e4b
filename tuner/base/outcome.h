/* What became of one configuration on one device. One list makes the enum, the names in
   the store and in JSON, and the texts for people. */
#ifndef AT_BASE_OUTCOME_H
#define AT_BASE_OUTCOME_H

#include "base/error.h"

#define AT_OUTCOMES(X) \
	X(NONE, "none", "not tried yet") \
	X(OK, "ok", "correct, and timed") \
	X(NOT_APPLICABLE, "not_applicable", \
		"does not apply to this problem or device") \
	X(COMPILE_FAILED, "compile_failed", "does not compile") \
	X(TOO_MANY_RESOURCES, "too_many_resources", \
		"needs more registers, threads or memory than the device has") \
	X(LAUNCH_FAILED, "launch_failed", "the device refused the launch") \
	X(CRASHED, "crashed", "the kernel or its process died") \
	X(TIMED_OUT, "timed_out", "did not end before its deadline") \
	X(WRONG_RESULT, "wrong_result", "differs from the reference") \
	X(OUT_OF_BOUNDS, "out_of_bounds", "reads or writes outside its buffers") \
	X(UNSTABLE, "unstable", "correct in one launch, wrong in another") \
	X(TOO_FAST, "too_fast", "faster than its device can do the declared work")

enum at_outcome {
#define AT_OUTCOME_ENUM(symbol, name, text) AT_OUTCOME_##symbol,
	AT_OUTCOMES(AT_OUTCOME_ENUM)
#undef AT_OUTCOME_ENUM
		AT_OUTCOME_COUNT
};

/* What became of something, and why. */
struct at_finding {
	enum at_outcome outcome;
	char detail[640]; /* one line; "" when OK */
};

void at_finding_set(struct at_finding *self, enum at_outcome outcome,
	const char *format, ...) AT_PRINTF(3, 4);

/* The word in the store, in JSON and in tables; static. */
const char *at_outcome_name(enum at_outcome outcome);

/* A phrase for people; static. */
const char *at_outcome_text(enum at_outcome outcome);

/* The outcome of a name, or AT_OUTCOME_NONE. */
enum at_outcome at_outcome_from_name(const char *name);

#endif
