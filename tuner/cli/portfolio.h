/*
 * What a run says of a portfolio: for people, and as a line of --json. Threads: safe.
 */
#ifndef AT_CLI_PORTFOLIO_H
#define AT_CLI_PORTFOLIO_H

#include "base/json.h"
#include "session/session.h"

/* event is of the kind PORTFOLIO. */
void at_portfolio_write_text(
	const struct at_event *event, bool wide, struct at_strbuf *out);
/*
 * {"worst_loss", "limit" (null: none), "most" (null: any number), "members":
 * [{"configuration", "problems": [{"problem", score, "loss", "loss_low",
 * "loss_high"}]}]}, set in out; a loss is null where the member is the winner.
 */
void at_portfolio_set_json(const struct at_event *event, struct at_json *out);

/* "5%", "0.05"; AT_EINVAL says how it is written. *out is a fraction, 0 or more. */
enum at_status at_portfolio_parse_limit(
	const char *text, double *out, struct at_error *err);

#endif
