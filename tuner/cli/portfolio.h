/*
 * What a run reports about a portfolio: for people, and as a line of --json. Threads:
 * safe.
 */
#ifndef AT_CLI_PORTFOLIO_H
#define AT_CLI_PORTFOLIO_H

#include "base/json.h"
#include "session/session.h"

/* Appends the text; event is of the kind PORTFOLIO. */
void at_portfolio_write_text(
	const struct at_event *event, bool wide, struct at_strbuf *out);
/*
 * Sets in out: {"worst_loss", "limit" (null: none), "most" (null: any number),
 * "members": [{"configuration", "problems": [{"problem", score, "loss", "loss_low",
 * "loss_high"}]}]}. A loss is null where the member is the winner itself.
 */
void at_portfolio_set_json(const struct at_event *event, struct at_json *out);

/* Reads "5%" or "0.05" into a fraction of 0 or more. AT_EINVAL says how it is
   written. */
enum at_status at_portfolio_parse_limit(
	const char *text, double *out, struct at_error *err);

#endif
