/* What the files session/vet*.c share; nobody else includes it. */
#ifndef AT_SESSION_VET_PARTS_H
#define AT_SESSION_VET_PARTS_H

#include "search/strategy.h"
#include "evaluator/workers/compilers.h"
#include "evaluator/plan.h"
#include "session/vet.h"

struct at_vet {
	struct at_loop *loop;
	struct at_compilers *compilers;
	/* of the toolchain that was asked for last; "": none yet */
	char toolchain[AT_TOOLCHAIN_NAME_SIZE];
	char version[256];
};

struct run;

/* One problem of the space. */
struct subject {
	struct run *run;
	const struct at_problem *problem;
	struct at_plan plan;
	struct at_configurations configurations;
	struct at_search_space space;
	struct at_strategy *strategy;
	struct at_hash reference_id;
	bool reference_pending;
	char *reference_error; /* heap; NULL: none */
};

/* One configuration on one problem. */
struct unit {
	struct subject *subject;
	const uint16_t *configuration;
	struct at_hash id; /* of a baseline */
	const struct unit *twin; /* an earlier one that is compiled the same way */
	bool is_baseline;
	bool pending; /* out to be compiled */
	bool done;
	enum at_outcome outcome;
	char *detail; /* heap; NULL: none */
	struct at_kernel_facts facts; /* without its names; where has_facts */
	bool has_facts; /* it compiled */
	struct at_geometry geometry;
	uint64_t compile_ns;
};

struct run {
	struct at_vet *vet;
	const struct at_vet_request *request;
	const char *toolchain_version;
	size_t *value_counts;
	struct subject *subjects; /* one a problem */
	struct unit *units; /* in the order in which they are told */
	size_t unit_count;
	size_t unit_capacity;
	size_t begun; /* units */
	size_t told;
	size_t pending; /* units */
	size_t references_pending;
	bool over;
	struct at_error error;
};

/*
 * Fills subjects and units: the baselines, then what was drawn. *self holds vet,
 * request and toolchain_version, and is to be released also after a failure.
 */
enum at_status vet_draw(struct run *self, struct at_error *err);
/* What is still out is called off. */
void vet_release(struct run *self);

#endif
