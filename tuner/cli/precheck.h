/*
 * What `check --compile` prints: a table of the resources that a space's kernels need,
 * or one JSON object a configuration; on stderr what does not compile. Threads: one.
 */
#ifndef AT_CLI_PRECHECK_H
#define AT_CLI_PRECHECK_H

#include "cli/cli.h"
#include "cli/page.h"
#include "cli/sources.h"
#include "kernel/source.h"
#include "session/precheck.h"

struct at_compile_batch;

/* The state of `check --compile` over all spaces. */
struct at_cli_precheck {
	const struct at_cli_arguments *arguments; /* for --problem; borrowed */
	bool wanted; /* --compile was given */
	/* Random configurations to compile, beside the baseline. */
	uint64_t random_count;
	uint64_t seed;
	unsigned jobs; /* compilers at once; 0: one a core */
	bool json;
	bool quiet;
	bool wide;
	/* A configuration does not compile, or a baseline cannot be launched; it was
	   reported. */
	bool failed;
	/* There is no compiler; reported once, and nothing more is compiled. */
	bool unavailable;
	struct at_compile_batch *compilers; /* opened when they are first needed */
};

/* Reads --compile, --seed, --jobs, --json, --quiet. The caller releases the result. */
struct at_cli_precheck at_cli_precheck_of(const struct at_cli_arguments *arguments);

/* Writes the newest architecture that NVRTC and autotune know into name; err says why
   none exists. */
enum at_status at_cli_precheck_newest(
	struct at_cli_precheck *self, char *name, size_t size, struct at_error *err);

/*
 * Compiles the space's configurations for every source, where sources are used as in
 * counting: each that was chosen, else for each problem the first that fits it.
 */
enum at_status at_cli_precheck_space(struct at_cli_precheck *self,
	const struct at_spec *spec, const struct at_template *template,
	const struct at_property_sources *sources, struct at_error *err);
/* Ends the compilers and frees what self owns. */
void at_cli_precheck_release(struct at_cli_precheck *self);

/* ---- the rows, for tests */

/* A table; problem_columns is set by the caller. */
struct at_prechecks_table {
	/* Width of the longest problem's name; 0: no column for it. */
	size_t problem_columns;
	struct at_column columns[11];
};
/* Appends the table's heading. table is borrowed by the page. */
void at_prechecks_add_head(struct at_page *page, struct at_prechecks_table *table);
/* Appends the row and, where the outcome is not OK, the reason below it. */
void at_prechecks_add_row(struct at_page *page, const struct at_spec *spec,
	const struct at_prechecks *prechecks);

#endif
