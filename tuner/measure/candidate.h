/* A candidate is a loaded configuration, with the calls before each timed launch. */
#ifndef AT_MEASURE_CANDIDATE_H
#define AT_MEASURE_CANDIDATE_H

#include "measure/calls.h"
#include "measure/support.h"

/* A configuration's calls, bound to one staging. */
struct bound_calls {
	struct bound_sequence timed;
	struct bound_call prepare; /* .invocation.kernel NULL: none */
	struct bound_call finish;
};

struct candidate {
	const struct at_measure_request *request;
	struct at_module *module;
	struct bound_calls calls[SETS][SIDE_COUNT]; /* unused stagings are zero */
	/* For each argument: whose place its buffer has after the launches. */
	uint32_t *moved;
	struct call_list before[SETS]; /* the calls before each timed launch */
	/* The number of launches that are timed as one: more than 1 for a sequence.
	   Below, "a launch" means all of them. */
	size_t length;
	/* timed launches of all sets in turns, twice: any set can be first */
	struct at_invocation *timed;
	unsigned next_set; /* of the next timed launch */
	unsigned last_set; /* of the last launch so far */
	/* the module's variables as loaded */
	struct saved_variables saved;
	/* a launch changed these variables: restore them before timed launches */
	bool keeps_state;
	/* the module has variables that cannot be restored: load it anew before each
	   timed launch */
	bool reloads;
};

/* Loads the module and binds its calls. Scratch must already fit, since calls hold its
   address. Release the candidate whatever the outcome; the device may be lost then. */
enum at_outcome candidate_load(struct at_measure_context *self,
	const struct at_measure_request *request, struct candidate *out,
	struct at_error *err);
/* Binds the calls again after a place has moved. */
enum at_status candidate_bind(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err);
/* Loads the module anew, with its variables in their initial state. */
enum at_outcome candidate_reload(struct at_measure_context *self,
	struct candidate *candidate, struct at_error *err);
/* Rebuilds the lists of calls before timed launches, after keeps_state changed. */
void candidate_list(struct at_measure_context *self, struct candidate *candidate);
void candidate_list_launches(const struct candidate *candidate, struct call_list *list,
	struct staging staging);
/* Lists the calls between restoring contents and the launches: the template's own
   prepare call, and the copy to arrays. */
void candidate_list_prepare(struct call_list *list, const struct bound_calls *calls);
/* Where an output is after the candidate's launches; of a field, the structure's
   place. */
struct place *candidate_output(const struct at_measure_context *self,
	const struct candidate *candidate, size_t argument, struct staging staging);
/* Times `launches` launches, starting with this set, after `before`. */
enum at_outcome candidate_time(struct at_measure_context *self,
	struct candidate *candidate, const struct call_list *before, unsigned set,
	bool in_turns, unsigned launches, double *duration_ns, struct at_error *err);
/* Lists the calls that restore everything but the cache as before the first launch. */
void candidate_list_anew(struct at_measure_context *self, struct candidate *candidate,
	struct call_list *list, struct staging staging);
/* Whether each timed launch needs calls of its own before it, so that launches cannot
   be timed in a row. */
bool candidate_is_alone(
	const struct at_measure_context *self, const struct candidate *candidate);
void candidate_release(struct at_measure_context *self, struct candidate *candidate);

#endif
