/* The list of an evaluation's columns, and what is done by it: copying and
   releasing. */
#include "record/evaluation_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FACT_KNOWN AT_CELL_KNOWN
#define FACT_REAL AT_CELL_FRACTION
#define FACT_LINE AT_CELL_LINE
#define FACT(name, kind) { FACT_##kind, offsetof(struct at_evaluation, facts.name) },

const struct at_column at_evaluation_columns[] = { EVALUATION_COLUMNS(AT_COLUMN)
		AT_FACTS(FACT) };
const size_t at_evaluation_column_count = AT_COUNT_OF(at_evaluation_columns);

void at_evaluation_release(struct at_evaluation *self)
{
	if (!self)
		return;
	at_columns_release(at_evaluation_columns, at_evaluation_column_count, self);
	free(self->log);
	free(self->samples_ns);
	memset(self, 0, sizeof(*self));
}

void at_evaluation_copy(const struct at_evaluation *from, struct at_evaluation *to)
{
	*to = *from;
	to->log = NULL;
	to->samples_ns = NULL;
	to->sample_count = 0;
	at_columns_copy_texts(at_evaluation_columns, at_evaluation_column_count, to);
}

struct at_score at_evaluation_score(
	const struct at_evaluation *self, const struct at_objective *objective)
{
	struct at_score score = AT_SCORE_UNKNOWN;

	if (self->outcome == AT_OUTCOME_OK && objective == &at_objective_time)
		score = (struct at_score){ self->time_ns, self->low_ns, self->high_ns };
	/* one or two samples have no 95 % interval, even if an older version kept
	   one */
	if (self->raced)
		score.low = score.high = (double)NAN;
	return score;
}
