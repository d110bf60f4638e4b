/*
 * The results of a night, and how they are written: as text and Markdown for people, as
 * JSON and JUnit XML for programs. Nothing here prints or writes files. Threads: pure
 * functions.
 */
#ifndef AT_CLI_NIGHTLY_REPORT_H
#define AT_CLI_NIGHTLY_REPORT_H

#include "base/error.h"
#include "base/json.h"
#include "base/objective.h"
#include "base/outcome.h"
#include "base/verdict.h"
#include "device/device.h"
#include "evaluator/workers/lock.h"
#include "session/allot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a night's search of a problem ended: for programs, and for people. */
#define AT_NIGHT_SEARCHES(X) \
	X(NONE, "none", "not searched") \
	X(KEPT, "kept", "the winner stays") \
	X(REPLACED, "replaced", "another winner") \
	X(SELECTED, "selected", "a first winner") \
	X(NOBODY, "nobody", "no winner found") \
	X(FAILED, "failed", "failed")

enum at_night_search {
#define AT_NIGHT_SEARCH_ENUM(symbol, name, text) AT_NIGHT_SEARCH_##symbol,
	AT_NIGHT_SEARCHES(AT_NIGHT_SEARCH_ENUM)
#undef AT_NIGHT_SEARCH_ENUM
};

/* One problem of one space on one device. It owns its texts; "" where something is
   unknown. */
struct at_night_case {
	char *space;
	char *problem;
	size_t device; /* index in the report's devices */
	/* The revisit of the winner. verdict NONE: it was not measured; detail says
	   why. */
	enum at_verdict verdict;
	enum at_outcome outcome;
	char *detail;
	const struct at_objective *objective; /* never NULL */
	struct at_score score; /* measured in this night */
	/* Cost divided by that of the history; above 1: slower. */
	struct at_score change;
	struct at_score cycles; /* the same ratio in cycles instead of time */
	double speedup; /* over the baseline; NAN where not known */
	size_t night_count; /* nights that it was compared with */
	int64_t look_count;
	double seconds; /* that the revisit took */
	/* Nothing was measured for another reason than that there is no winner or was
	   no time. */
	bool has_failed;
	enum at_night_search search;
	uint64_t evaluated; /* configurations that were not recorded before */
	double search_seconds;
	char *winner; /* "BLOCK=128 UNROLL=2": the one of the search; "" */
	char *search_detail; /* why the search failed */
	struct at_score found; /* what the winner of the search achieved */
	/* ---- while the night runs; not reported */
	size_t space_index; /* in the night's spaces */
	char *configuration; /* of the recorded winner, as JSON; NULL: none */
	enum at_allot_need need; /* how much it needs a search */
	double lost; /* for a slower winner: ln(times slower); see session/allot.h */
	uint64_t valid; /* size of the space; 0: not known */
	bool is_told; /* a line about it was printed */
};

/* A device of the night. It owns its texts; "" where something is unknown. */
struct at_night_device {
	char *id;
	char *model;
	char *changes; /* what changed of its conditions since the last night; "" */
	char *failure; /* why it could not be used; "" */
	/* ---- while the night runs; not reported */
	char *name; /* as a session takes it: "cuda:0", "replay:FILE" */
	bool is_recording;
	/* Kind "": not known before a session has run on it. */
	struct at_device_info info;
	struct at_device_lock lock;
	bool is_left_out; /* nothing more is run on it */
	unsigned failures; /* sessions that failed on it in a row */
	bool is_told; /* what changed on it was printed */
};

/* The whole night; it owns its texts. */
struct at_night_report {
	size_t device_count;
	struct at_night_device *devices;
	size_t case_count;
	size_t case_capacity;
	struct at_night_case *cases; /* the cases of one device are adjacent */
	size_t failure_count;
	size_t failure_capacity;
	char **failures; /* a line each: a space that cannot be read, ... */
	int64_t began_seconds; /* since 1970 UTC */
	double seconds; /* that the night took */
	double budget_seconds;
	double margin; /* a fraction: 0.01 is 1 % */
	bool was_interrupted;
};

/* Frees what self owns. */
void at_night_report_release(struct at_night_report *self);
/* Adds a case, zeroed except for its names. */
struct at_night_case *at_night_report_add(struct at_night_report *self,
	const char *space, const char *problem, size_t device);
/* Adds a line about something that could not be done. */
void at_night_report_fail(struct at_night_report *self, const char *line);

/* Whether the winner, or one of all, became slower or is no longer correct. */
bool at_night_is_regression(const struct at_night_case *self);
bool at_night_has_regression(const struct at_night_report *self);
/* Whether something could not be done: a space, a device, a problem. */
bool at_night_has_failure(const struct at_night_report *self);

/* Appends a case's revisit, "matmul, square_4096 on cuda:0: same, 3.02 ms, ...",
   without a newline. */
void at_night_write_case(const struct at_night_report *self,
	const struct at_night_case *one, struct at_strbuf *out);
/* The same for its search. */
void at_night_write_search(const struct at_night_report *self,
	const struct at_night_case *one, struct at_strbuf *out);
/* Appends "12 same, 1 slower, 2 not measured; 1 other winner; 29m51s". */
void at_night_write_sum(const struct at_night_report *self, struct at_strbuf *out);
/* Appends the report as Markdown. */
void at_night_write_markdown(const struct at_night_report *self, struct at_strbuf *out);
/* Appends JUnit XML: a suite a device, a test case a problem. A case that is slower or
   incorrect has failed; one that is unclear or was not measured is skipped. */
void at_night_write_junit(const struct at_night_report *self, struct at_strbuf *out);
/* The caller's. */
struct at_json *at_night_to_json(const struct at_night_report *self);

#endif
