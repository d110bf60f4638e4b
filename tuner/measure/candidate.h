/* A candidate is a loaded configuration: its calls, and the calls that precede each
   timed launch. */
#ifndef AT_MEASURE_CANDIDATE_H
#define AT_MEASURE_CANDIDATE_H

#include "measure/calls.h"
#include "measure/support.h"

/* The calls of a configuration, bound to one staging. */
struct bound_calls {
	struct bound_sequence timed;
	struct bound_call prepare; /* .invocation.kernel NULL: none */
	struct bound_call finish;
};

struct candidate {
	const struct at_measure_request *request;
	struct at_module *module;
	struct bound_calls calls[SETS][SIDE_COUNT]; /* unused stagings are zero */
	/* Of each argument, the one in whose place its buffer is after the launches. */
	uint32_t *moved;
	struct call_list before[SETS]; /* the calls ahead of each timed launch */
	/* How many launches are timed as one: more than 1 for a sequence. What follows
	   calls all of them a launch. */
	size_t length;
	/* the timed launches of all sets in turns, twice, to begin with any set */
	struct at_invocation *timed;
	unsigned next_set; /* of the next timed launch */
	unsigned last_set; /* of the last launch so far */
	/* the module's variables as they were when it was loaded */
	struct saved_variables saved;
	/* a launch changed these variables: they are restored ahead of timed launches
	 */
	bool keeps_state;
	/* the module has variables that cannot be restored: it is loaded anew ahead of
	   each timed launch */
	bool reloads;
};

/*
 * Loads the module and binds its calls. Scratch must fit already, since the calls keep
 * its address. Release the candidate whatever the outcome; the device may be lost then.
 */
enum at_outcome candidate_load(struct at_measure_context *self,
	const struct at_measure_request *request, struct candidate *out,
	struct at_error *err);
/* Binds the calls again, after a place has moved. */
enum at_status candidate_bind(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err);
/* Loads the module anew, with its variables as they were at first. */
enum at_outcome candidate_reload(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err);
/* Makes the lists of calls ahead of timed launches again, after keeps_state changed. */
void candidate_list(struct at_measure_context *self, struct candidate *candidate);
/* Lists the launches of a staging. */
void candidate_list_launches(const struct candidate *candidate, struct call_list *list,
	struct staging staging);
/* Lists what precedes the launches, once contents are restored: the template's own
   call, and the copy to arrays. */
void candidate_list_prepare(struct call_list *list, const struct bound_calls *calls);
/* Where an output of the candidate is after its launches. Of a field, the place of its
   structure. */
struct place *candidate_output(const struct at_measure_context *self,
	const struct candidate *candidate, size_t argument, struct staging staging);
/* Times that many launches from a set on, behind `before`. */
enum at_outcome candidate_time(struct at_measure_context *self,
	struct candidate *candidate, const struct call_list *before, unsigned set,
	bool in_turns, unsigned launches, double *duration_ns, struct at_error *err);
/* Lists the calls that restore everything but the cache to what it was before the first
   launch. */
void candidate_list_anew(struct at_measure_context *self, struct candidate *candidate,
	struct call_list *list, struct staging staging);
/* Whether each timed launch needs calls of its own ahead of it, so that launches cannot
   be timed in a row. */
bool candidate_is_alone(
	const struct at_measure_context *self, const struct candidate *candidate);
void candidate_release(struct at_measure_context *self, struct candidate *candidate);

#endif
