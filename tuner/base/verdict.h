/* The verdict of a nightly run on a remeasured winner: one list for the enum and for
   the names in the record and in JSON. session/nights.h decides it. */
#ifndef AT_BASE_VERDICT_H
#define AT_BASE_VERDICT_H

#define AT_VERDICTS(X) \
	X(NONE, "none") /* not measured */ \
	X(FIRST, "first") /* no history yet */ \
	X(SAME, "same") /* unchanged, within noise */ \
	X(FASTER, "faster") /* by more than noise */ \
	X(SLOWER, "slower") /* by more than noise */ \
	X(UNCLEAR, "unclear") /* the noise is too large */ \
	X(INCORRECT, "incorrect") /* it is no longer correct */

enum at_verdict {
#define AT_VERDICT_ENUM(symbol, name) AT_VERDICT_##symbol,
	AT_VERDICTS(AT_VERDICT_ENUM)
#undef AT_VERDICT_ENUM
		AT_VERDICT_COUNT
};

/* The word in the record, in JSON and in tables; static. */
const char *at_verdict_name(enum at_verdict verdict);
/* The verdict of a name, or AT_VERDICT_NONE. */
enum at_verdict at_verdict_from_name(const char *name);

#endif
