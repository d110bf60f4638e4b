/* The results of a nightly run, written as text and Markdown for people, as JSON and
   JUnit XML for programs. Nothing here prints or writes files. Threads: pure
   functions. */
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

/* How a night's search of a problem ended: the name for programs, the text for
   people. */
#define AT_NIGHT_SEARCHES(X) \
	X(NONE, "none", "not searched") \
	X(KEPT, "kept", "the winner stays") \
	X(REPLACED, "replaced", "another winner") \
	X(SELECTED, "selected", "a first winner") \
	X(NO_WINNER, "nobody", "no winner found") \
	X(FAILED, "failed", "failed")

enum at_night_search {
#define AT_NIGHT_SEARCH_ENUM(symbol, name, text) AT_NIGHT_SEARCH_##symbol,
	AT_NIGHT_SEARCHES(AT_NIGHT_SEARCH_ENUM)
#undef AT_NIGHT_SEARCH_ENUM
};

/* One problem of one space on one device. It owns its texts; "": unknown. */
struct at_night_case {
	char *space;
	char *problem;
	size_t device; /* index in the report's devices */
	/* The re-measurement of the winner. verdict NONE: not measured; detail says
	   why. */
	enum at_verdict verdict;
	enum at_outcome outcome;
	char *detail;
	const struct at_objective *objective; /* never NULL */
	struct at_score score; /* of this night */
	/* Cost divided by the history's; above 1: slower. */
	struct at_score change;
	struct at_score cycles; /* the same ratio in cycles */
	double speedup; /* over the baseline; NAN: unknown */
	size_t night_count; /* nights compared with */
	int64_t look_count;
	double seconds; /* duration of the re-measurement */
	/* Nothing was measured, though there was a winner and time. */
	bool has_failed;
	enum at_night_search search;
	uint64_t evaluated; /* configurations evaluated for the first time */
	double search_seconds;
	char *winner; /* "BLOCK=128 UNROLL=2": the search's winner, or "" */
	char *search_detail; /* why the search failed */
	struct at_score found; /* the value of the search's winner */
	/* ---- while the night runs; not reported */
	size_t space_index; /* index in the night's spaces */
	char *configuration; /* the recorded winner as JSON, or NULL */
	enum at_allot_need need; /* priority of a search */
	double lost; /* for a slower winner: ln(times slower); see session/allot.h */
	uint64_t valid; /* size of the space; 0: unknown */
	bool is_told; /* a line about it was printed */
};

/* A device of the night. It owns its texts; "": unknown. */
struct at_night_device {
	char *id;
	char *model;
	char *changes; /* changed conditions since the last night, or "" */
	char *failure; /* why it was unusable, or "" */
	/* ---- while the night runs; not reported */
	char *name; /* its name for a session: "cuda:0", "replay:FILE" */
	bool is_recording;
	/* Kind "": unknown until a session has run on it. */
	struct at_device_info info;
	struct at_device_lock lock;
	bool is_left_out; /* nothing more runs on it */
	unsigned failures; /* failed sessions on it in a row */
	bool is_told; /* its changes were printed */
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
	char **failures; /* a line each: an unreadable space, ... */
	int64_t began_seconds; /* since 1970 UTC */
	double seconds; /* duration of the night */
	double budget_seconds;
	double margin; /* a fraction: 0.01 is 1 % */
	bool was_interrupted;
};

/* Frees what self owns. */
void at_night_report_release(struct at_night_report *self);
/* Adds a case, zeroed except for its names. */
struct at_night_case *at_night_report_add(struct at_night_report *self,
	const char *space, const char *problem, size_t device);
/* Adds a line about a failure. */
void at_night_report_fail(struct at_night_report *self, const char *line);

/* Whether the winner, or any winner, became slower or incorrect. */
bool at_night_is_regression(const struct at_night_case *self);
bool at_night_has_regression(const struct at_night_report *self);
/* Whether a space, a device or a problem failed. */
bool at_night_has_failure(const struct at_night_report *self);

/* Appends a case's re-measurement, "matmul, square_4096 on cuda:0: same, 3.02 ms, ...",
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
/* Appends JUnit XML: a suite a device, a test case a problem. A slower or incorrect
   case has failed; an unclear or unmeasured case is skipped. */
void at_night_write_junit(const struct at_night_report *self, struct at_strbuf *out);
/* The caller's. */
struct at_json *at_night_to_json(const struct at_night_report *self);

#endif
