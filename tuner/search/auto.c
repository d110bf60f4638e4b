/*
 * The default strategy: the surrogate, which was the best of all on recorded and on
 * planted spaces from the first few evaluations on. It stops by itself; a small space
 * it exhausts, beginning with what is promising.
 */
#include "search/kinds.h"

static enum at_status auto_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	enum at_status status = at_strategy_no_options("auto", options, err);

	if (status)
		return status;
	/* the surrogate's own kind is in *out, so its functions are called from then
	   on */
	return at_strategy_surrogate.open(space, "stop=yes", seed, out, err);
}

const struct at_strategy_kind at_strategy_auto = {
	.name = "auto",
	.summary = "learns as surrogate does, and stops when it no longer pays",
	.open = auto_open,
};
