/* The lists of record/tables.h as tables. */
#include "record/tables.h"

#include "record/counterexample.h"
#include "record/history.h"
#include "record/store.h"

#include <assert.h>
#include <string.h>

#define SAME true
#define MORE false
#define COLUMN(name, member, kind, same) \
	{ #name, AT_CELL_##kind, same, offsetof(ROW, member) },
/* of no struct: other statements write and read it */
#define OTHER(name, kind, same) { #name, AT_CELL_##kind, same, 0 },

#define ROW struct at_record_device
static const struct at_column device_columns[] = { AT_DEVICE_COLUMNS(COLUMN)
		OTHER(properties, VALUES, MORE) };
#undef ROW

static const struct at_column run_columns[] = { OTHER(device_id, DEVICE, SAME)
		OTHER(space, NAME, SAME) OTHER(strategy, WORD, SAME)
	/* 64 bits, unsigned; SQLite has them as a signed number */
	OTHER(seed, INTEGER, SAME) OTHER(version, WORD, SAME)
		OTHER(started_seconds, SECONDS, SAME)
	/* NULL: it is running, or was killed */
	OTHER(ended_seconds, SECONDS_OR_NULL, MORE) OTHER(ending, WORD, MORE)
	/* "": here; else where it was imported from */
	OTHER(origin, ORIGIN, MORE)
	/* random: tells the run from runs of other machines that have the same id */
	OTHER(token, WORD, SAME) };

#define ROW struct at_evaluation
static const struct at_column evaluation_columns[] = { AT_EVALUATION_COLUMNS(COLUMN)
		COLUMN(created_seconds, created_seconds, SECONDS, SAME)
	/* in the order taken: doubles of IEEE 754, 8 bytes each, the least significant
	   first; NULL: none */
	OTHER(samples_ns, SAMPLES, SAME) OTHER(log, TEXT, MORE) };
#undef ROW

#define ROW struct at_winner
static const struct at_column winner_columns[] = { AT_WINNER_COLUMNS(COLUMN) };
#undef ROW
#define ROW struct at_record_ceilings
static const struct at_column ceiling_columns[] = { AT_CEILING_COLUMNS(COLUMN) };
#undef ROW
#define ROW struct at_revisit
static const struct at_column revisit_columns[] = { AT_REVISIT_COLUMNS(COLUMN) };
#undef ROW
#define ROW struct at_portfolio
static const struct at_column portfolio_columns[] = { AT_PORTFOLIO_COLUMNS(COLUMN) };
#undef ROW

/* what results were made from */
static const struct at_column source_columns[] = {
	OTHER(run_id, RUN, SAME) OTHER(problem, NAME, SAME)
		OTHER(source_hash, WORD, MORE) /* as of winners */
};

#define ROW struct at_counterexample
static const struct at_column counterexample_columns[] = { AT_COUNTEREXAMPLE_COLUMNS(
	COLUMN) };
#undef ROW

#define TABLE(title, list, others, unique) \
	const struct at_table at_table_##title = { #title, list, AT_COUNT_OF(list), \
		AT_COUNT_OF(list) - (others), unique }

TABLE(devices, device_columns, 1, ", UNIQUE (slug, kind)");
TABLE(runs, run_columns, AT_COUNT_OF(run_columns), "");
TABLE(evaluations, evaluation_columns, 2, "");
TABLE(crowns, winner_columns, 0, "");
TABLE(ceilings, ceiling_columns, 0, "");
TABLE(revisits, revisit_columns, 0, "");
TABLE(portfolios, portfolio_columns, 0, "");
TABLE(sources, source_columns, AT_COUNT_OF(source_columns),
	", UNIQUE (run_id, problem)");
TABLE(counterexamples, counterexample_columns, 0, "");

const struct at_table *const at_tables[] = {
	&at_table_devices,
	&at_table_runs,
	&at_table_evaluations,
	&at_table_portfolios,
	&at_table_crowns,
	&at_table_ceilings,
	&at_table_revisits,
	&at_table_sources,
	&at_table_counterexamples,
	NULL,
};

size_t at_table_column(const struct at_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (!strcmp(table->columns[i].name, name))
			return i;
	assert(!"a column that the table does not have");
	return 0;
}
