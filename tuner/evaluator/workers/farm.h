/*
 * Where units are compiled: a folder of compiled units, and compile workers for what
 * it lacks. What several want at once is compiled once. Shared by everything that a
 * session tunes.
 *
 * The folder is the user's (kernel/units.h), so that tomorrow begins where today ended;
 * with `fresh`, or where there is no such folder, one of this run's own.
 *
 * Threads: the loop's.
 */
#ifndef AT_WORKERS_FARM_H
#define AT_WORKERS_FARM_H

#include "evaluator/workers/compilers.h"

struct at_farm;

/*
 * path: of the unit's file; result: without its image; both borrowed. err: nothing can
 * be compiled at all, and path and result are NULL. Never from inside a call.
 */
typedef void (*at_farmed)(void *context, const char *path,
	const struct at_compile_result *result, const struct at_error *err);

enum at_status at_farm_new(struct at_loop *loop, unsigned jobs, bool fresh,
	struct at_farm **out, struct at_error *err);
/* No callback follows. Brings the folder back within its bounds. */
void at_farm_free(struct at_farm *self);

/*
 * The request stays the caller's. id: at_compile_identity() of it. urgent: goes
 * before all that waits for a compiler.
 */
enum at_status at_farm_want(struct at_farm *self,
	const struct at_compile_request *request, struct at_hash id, bool urgent,
	at_farmed done, void *context, struct at_error *err);
/* Whatever was wanted for this context is not. No callback comes. */
void at_farm_forget(struct at_farm *self, const void *context);

/* For questions to compilers, and to hold them while a board needs the cores. */
struct at_compilers *at_farm_compilers(struct at_farm *self);
/* Why the user's folder is not used, told once: "" from then on, and where it is. That
   it cannot be written to may only be found out later. */
const char *at_farm_note(struct at_farm *self);

#endif
