/* What is searched with where nobody says: a random sample, which is never misled. */
#include "search/kinds.h"

static enum at_status auto_open(const struct at_search_space *space,
	const char *options, uint64_t seed, struct at_strategy **out,
	struct at_error *err)
{
	enum at_status status = at_strategy_no_options("auto", options, err);

	if (status)
		return status;
	/* what is opened has its own kind, and with it all other functions */
	return at_strategy_random.open(space, options, seed, out, err);
}

const struct at_strategy_kind at_strategy_auto = {
	.name = "auto",
	.summary = "the tuner chooses: a random sample",
	.open = auto_open,
};
