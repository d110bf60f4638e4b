/*
 * What a night comes to, and how it is told: as text and Markdown to people, as JSON
 * and JUnit XML to machines. Nothing here prints or writes files. Threads: pure
 * functions.
 */
#ifndef AT_CLI_NIGHTLY_REPORT_H
#define AT_CLI_NIGHTLY_REPORT_H

#include "base/error.h"
#include "base/json.h"
#include "base/objective.h"
#include "base/outcome.h"
#include "base/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a night's search of a problem ended. */
#define AT_NIGHT_SEARCHES(X) \
	X(NONE, "not searched") \
	X(KEPT, "the winner stays") \
	X(REPLACED, "another winner") \
	X(CROWNED, "a first winner") \
	X(NOBODY, "nobody is crowned") \
	X(FAILED, "failed")

enum at_night_search {
#define AT_NIGHT_SEARCH_ENUM(symbol, text) AT_NIGHT_SEARCH_##symbol,
	AT_NIGHT_SEARCHES(AT_NIGHT_SEARCH_ENUM)
#undef AT_NIGHT_SEARCH_ENUM
};

/* One problem of one space on one device. Texts belong to it; "" where unknown. */
struct at_night_case {
	char *space;
	char *problem;
	size_t device; /* among the night's */
	/* the winner, measured again; verdict NONE: it was not, and why */
	enum at_verdict verdict;
	enum at_outcome outcome;
	char *detail;
	const struct at_objective *objective; /* never NULL */
	struct at_score score;
	struct at_score change; /* cost, over that of the history; above 1: slower */
	struct at_score cycles; /* the same, in cycles */
	double speedup; /* over the baseline; NAN */
	size_t night_count;
	int64_t look_count;
	double seconds;
	/* that nothing was measured is no fault: nobody is crowned, or there was no
	   time */
	bool has_failed;
	enum at_night_search search;
	uint64_t evaluated; /* new ones */
	double search_seconds;
	char *winner; /* "BLOCK=128 UNROLL=2" of the search; "" */
	char *search_detail; /* why it failed */
	struct at_score found; /* of the winner of the search */
};

struct at_night_device {
	char *id;
	char *model;
	char *changes; /* of its conditions since the last night; "" */
	char *failure; /* it could not be used; "" */
};

struct at_night_report {
	size_t device_count;
	struct at_night_device *devices;
	size_t case_count;
	size_t case_capacity;
	struct at_night_case *cases; /* of one device next to each other */
	size_t failure_count;
	size_t failure_capacity;
	char **failures; /* lines: a space that cannot be read, ... */
	char *results; /* the folder */
	int64_t began_seconds; /* since 1970 UTC */
	double seconds;
	double budget_seconds;
	double margin;
	bool was_interrupted;
};

void at_night_report_release(struct at_night_report *self);
/* A new one, zeroed but for its names; NULL when memory ran out. */
struct at_night_case *at_night_report_add(struct at_night_report *self,
	const char *space, const char *problem, size_t device);
/* The last one: a line of what could not be done. */
enum at_status at_night_report_fail(
	struct at_night_report *self, const char *line, struct at_error *err);

/* A winner became slower, or is not correct any more. */
bool at_night_has_regression(const struct at_night_report *self);
/* Something could not be done: a space, a device, a problem. */
bool at_night_has_failure(const struct at_night_report *self);

/* One line, without its end: "matmul, square_4096 on cuda:0: same, 3.02 ms, ...". */
void at_night_write_case(const struct at_night_report *self,
	const struct at_night_case *one, struct at_strbuf *out);
/* What became of its search, likewise. */
void at_night_write_search(const struct at_night_report *self,
	const struct at_night_case *one, struct at_strbuf *out);
/* "12 same, 1 slower, 2 not measured; 1 other winner; 29m51s". */
void at_night_write_sum(const struct at_night_report *self, struct at_strbuf *out);
void at_night_write_markdown(const struct at_night_report *self, struct at_strbuf *out);
/* JUnit's: a suite a device, a test case a problem; what is slower or incorrect has
   failed, what is unclear or was not measured is skipped. */
void at_night_write_junit(const struct at_night_report *self, struct at_strbuf *out);
/* The caller's. */
struct at_json *at_night_to_json(const struct at_night_report *self);

#endif
